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
     "  0    yes: answered, and nothing stands against it\n"
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
     "  bytes        80 GiB, 7 TB           binary and decimal prefixes are kept apart\n"
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
     "  text      for people, 80 columns unless --width says otherwise; --detail answer,\n"
     "            normal or all says how much of a report\n"
     "  json      the contract for programs: SI units in the key names, fixed key order\n"
     "  markdown  for pages and comments\n\n"
     "--format FORM chooses what goes to standard output. --output FILE writes a file,\n"
     "whole or not at all; its form follows the extension (.txt, .json, .md), and\n"
     "--output FORM=FILE overrides it. --output may be repeated. Several plans give one\n"
     "report each; in JSON they are {\"schemaVersion\":...,\"reports\":[...]}.\n"
     "'gpuplan schema report' prints the JSON Schema of the JSON form.\n"},
    {"environment",
     "The environment changes presentation only, never a result:\n\n"
     "  NO_COLOR  set and not empty: no colours\n"
     "  TERM      dumb: no colours\n"
     "  COLUMNS   width of the text form on a terminal\n\n"
     "Colours appear on a terminal only, unless --color always asks for them. gpuplan\n"
     "uses no network, no clock and no account: only import and price fetch, and these\n"
     "read\n\n"
     "  HF_ENDPOINT        address of the hub; https, or http to this machine\n"
     "  HF_TOKEN           a token for gated repositories, never shown or written\n"
     "  HF_TOKEN_PATH      the file that holds it; else HF_HOME/token\n"
     "  HF_HUB_OFFLINE     set and not 0: nothing is fetched\n"
     "  https_proxy        as libcurl reads it\n"
     "  SOURCE_DATE_EPOCH  the day that is written down\n"},
};

const char *const gp_topic_names[] = {"exit-codes",  "units", "formats",
                                      "environment", "rules", NULL};

bool gp_help_topic(gp_page *page, const char *name) {
    for (size_t i = 0; i < GP_COUNT_OF(topics); i++) {
        if (strcmp(topics[i].name, name) == 0) {
            gp_page_add(page, topics[i].text);
            return true;
        }
    }
    return false;
}
