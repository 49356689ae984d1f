/*
 * The topics of `gpuplan help`: texts about what holds for every command.
 */
#include "cli/cli.h"

#include <string.h>

typedef struct topic {
    const char *name;
    const char *text;
} topic;

static const topic topics[] = {
    {"exit-codes",
     "Exit codes, the same for every command:\n\n"
     "  0    yes: the plan holds, or the command succeeded\n"
     "  1    no: a workload is infeasible, or a finding is at or above --fail-on\n"
     "  2    usage: unknown command, option or word\n"
     "  3    invalid input: spec, catalogue, prices, lock, imported file\n"
     "  4    environment: file not readable or not writable, disk full, pipe closed,\n"
     "       network, stale lock\n"
     "  70   internal error or out of memory\n"
     "  130  interrupted\n\n"
     "With --format json an error is also an object on standard output:\n"
     "{\"error\":{\"code\":3,\"id\":\"GP1003\",\"message\":...,\"file\":...,\"line\":...,"
     "\"column\":...}}\n"},
    {"units",
     "Quantities are strings of a number and a unit; a wrong or missing unit is an error.\n\n"
     "  bytes        80 GiB, 7 TB           binary and decimal prefixes differ\n"
     "  bytes/s      400 GB/s               memory, links, storage\n"
     "  bits/s       400 Gb/s               network ports; b is bits, B is bytes\n"
     "  counts       500k, 1.5T tokens      k M B T only where the field is a count\n"
     "  time         800 ms, 3h, 45d, 8 quarters\n"
     "               m is minutes here and prints as min; yr is 8760 h, mo is yr/12\n"
     "  length       200 m                  m is metres here\n"
     "  power        700 W, 12 kW, 1.2 MW\n"
     "  energy       3 kWh\n"
     "  fractions    40% or 0.4\n"
     "  rates        12/s, 300/min, 8%/mo\n"
     "  money        300000 USD, 12M USD, 0.12 USD/kWh, 180 USD/kW/mo, 84 USD/h\n"
     "  temperature  24 degC, difference 12 K\n"
     "  carbon       0.30 kgCO2e/kWh, water 0.4 L/kWh\n"
     "  dates        2027-03-31, 2027-Q3\n\n"
     "Numbers have no digit groups. Inside gpuplan and in JSON everything is in SI base\n"
     "units, with the unit in the key: itPowerW, stepTimeS, capacityBytes.\n"},
    {"formats",
     "Forms of a report:\n\n"
     "  text      for people, 80 columns unless --width is given; --detail answer,\n"
     "            normal or all sets how much is shown\n"
     "  json      the contract for programs: SI units in the key names, fixed key order\n"
     "  yaml      the same tree as YAML\n"
     "  markdown  for pages and comments\n"
     "  html      one self-contained page, for reading and printing\n"
     "  csv       figures as rows, for spreadsheets\n"
     "  xlsx      a workbook with live formulas, as a file only\n\n"
     "Forms of the findings, for CI systems:\n\n"
     "  sarif        2.1.0, as code scanning reads it\n"
     "  junit, tap   one case per goal and finding, for test reports\n"
     "  github       annotations of a workflow run\n"
     "  gitlab       a code quality report\n"
     "  openmetrics  the main figures, for a metrics report or a scrape\n\n"
     "--format FORM chooses what goes to standard output. --output FILE writes a file,\n"
     "whole or not at all; its form follows the extension (.txt .json .md .html .csv .yaml\n"
     ".sarif .xml .tap .prom .xlsx), and --output FORM=FILE overrides it. --output may be\n"
     "repeated. Several plans give one report each; in JSON they are\n"
     "{\"schemaVersion\":...,\"reports\":[...]}.\n"
     "'gpuplan schema report' prints the JSON Schema of the JSON form.\n"},
    {"environment",
     "The environment changes what is shown, never a result:\n\n"
     "  GPUPLAN_COLOR, GPUPLAN_DETAIL, GPUPLAN_FORMAT, GPUPLAN_QUIET, GPUPLAN_WIDTH\n"
     "                     like the flag of that name, if it is not given\n"
     "  NO_COLOR           set and not empty: no colours\n"
     "  TERM               dumb: no colours\n"
     "  COLUMNS            width of the text form on a terminal\n"
     "  XDG_CONFIG_HOME    location of the user's gpuplan/config.yaml; else ~/.config\n"
     "  SOURCE_DATE_EPOCH  the date that is recorded and that waivers are judged by,\n"
     "                     if --now is not given\n\n"
     "Colour is used on a terminal only, unless requested. The date is the only input that\n"
     "may come from the environment; the report states it where it was used. No account is\n"
     "needed and no network is used, except by commands that fetch; these read\n\n"
     "  HF_ENDPOINT        address of the hub; https, or http to this machine\n"
     "  HF_TOKEN           a token for gated repositories, never shown or written\n"
     "  HF_TOKEN_PATH      the file that holds it; else HF_HOME/token\n"
     "  HF_HUB_OFFLINE     set and not 0: nothing is fetched\n"
     "  https_proxy        as libcurl reads it\n\n"
     "See 'gpuplan help settings' for files.\n"},
    {"settings",
     "A setting comes from the first of these that states it: flag, environment, project file,\n"
     "user's file, built-in.\n\n"
     "The project file is the nearest .gpuplan.yaml from the working folder up to the root of\n"
     "the git repository; outside of one, that of the working folder. Its paths are relative\n"
     "to its folder. With specs, 'gpuplan check', 'size' and 'validate' need no operands:\n\n"
     "  apiVersion: gpuplan/v1\n"
     "  kind: Config\n"
     "  specs: [\"clusters/**/plan.yaml\"]   # * matches within a folder, ** across\n"
     "  policies: [policy/platform.yaml]   # applied by checks\n"
     "  catalogs: [catalog/ours.yaml]      # laid over the built-in one; later wins\n"
     "  prices: [prices/quote.yaml]\n"
     "  calibration: [calibration.yaml]    # factors from your measurements\n"
     "  lock: gpuplan.lock                 # fetched models and prices\n"
     "  failOn: warning                    # level at which a check fails\n"
     "  now: 2027-03-31                    # the date that waivers are judged by\n"
     "  color: auto                        # and width, detail\n\n"
     "What it adds is listed in the inputs of the report, with digests. The user's file,\n"
     "$XDG_CONFIG_HOME/gpuplan/config.yaml, has the same form and may only set color, width\n"
     "and detail: personal settings never change a result. 'gpuplan schema config' prints the\n"
     "JSON Schema of both.\n"},
};

const char *const gp_topic_names[] = {"exit-codes", "units", "formats", "environment",
                                      "settings",   "rules", NULL};

bool gp_help_topic(gp_page *page, const char *name) {
    for (size_t i = 0; i < GP_COUNT_OF(topics); i++) {
        if (strcmp(topics[i].name, name) == 0) {
            gp_page_add(page, topics[i].text);
            return true;
        }
    }
    return false;
}
