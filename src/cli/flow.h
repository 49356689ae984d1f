/*
 * From operands to plans and reports: reads specs, catalogues and prices, and takes each plan
 * through reading, resolving, planning and reporting.
 */
#ifndef GP_CLI_FLOW_H
#define GP_CLI_FLOW_H

#include "render/forms.h"
#include <gpuplan/report.h>

#include "cli/cli.h"
#include "model/lock.h"
#include "model/model.h"
#include "plan/plan.h"
#include "report/capacity.h"

typedef GP_LIST(gp_override) gp_overrides;

/* Price lists, and the files that they came from. */
typedef struct gp_price_lists {
    GP_LIST(const gp_prices *) lists;
    gp_report_files files;
} gp_price_lists;

/* What was read, and stays the same over a sweep. */
typedef struct gp_flow {
    gp_cli *cli;
    gp_catalog *catalog;
    gp_diags diags;
    GP_LIST(gp_text *) texts;                 /* the specs */
    gp_report_files catalog_files;            /* --catalog and Catalog documents, in order */
    gp_report_files calibration_files;        /* --calibration and spec.calibration, in order */
    gp_report_files policy_files;             /* --policy */
    GP_LIST(const gp_policy *) flag_policies; /* and what they say */
    gp_price_lists flag_prices;               /* --prices */
    const gp_lock *lock;                      /* NULL: none */
    gp_report_file lock_file;                 /* where it stands */
    gp_report_file project_file;              /* the project's, where there is one */
    bool lock_sought;
    bool catalog_complete;  /* Catalog documents of the specs are in */
    bool declared_only;     /* plans are judged on the machines they declare */
    gp_plan_memory *memory; /* of the study that the plan is part of, or NULL */
    bool brief;             /* no more than summary, cost and performance is asked for */
    bool once;              /* nobody asks what other plans would say */
    bool unsourced;         /* nobody asks where figures come from */
    const char *layouts_of; /* workload whose layouts are told; NULL: none's */
    gp_spec spec;           /* as the last run read it */
} gp_flow;

/* One plan, priced and told. */
typedef struct gp_outcome {
    gp_plan_document *document;
    gp_plan_result *result;
    gp_report *report;
} gp_outcome;

typedef GP_LIST(gp_outcome) gp_outcomes;

/* Reads the files of `operands` and the catalogues and prices of the flags. */
void gp_flow_open(gp_cli *cli, const gp_words *operands, gp_flow *ret_flow);
/* The same inputs for another thread, with a catalogue of its own. */
void gp_flow_reopen(gp_cli *cli, const gp_flow *of, gp_flow *ret_flow);
/* The same for a command that overrides values and sweeps none: *ret_fixed has its --set flags. */
void gp_flow_begin(gp_cli *cli, const gp_words *operands, gp_overrides *ret_fixed,
                   gp_flow *ret_flow);
/* One more spec, read elsewhere. */
void gp_flow_add_text(gp_flow *flow, gp_text *text);
/* Parses the specs with `overrides` applied and resolves every plan. */
void gp_flow_read(gp_flow *flow, const gp_overrides *overrides, gp_spec *ret_spec);
/* gp_flow_read, then plans and reports each plan. */
void gp_flow_run(gp_flow *flow, const gp_overrides *overrides, gp_outcomes *ret_outcomes);
/* The same, muted: YES, or INPUT where the input makes no plan with these overrides. */
gp_exit gp_flow_try(gp_flow *flow, const gp_overrides *overrides, gp_outcomes *ret_outcomes);
gp_report_list gp_outcomes_reports(gp_cli *cli, const gp_outcomes *outcomes);
/* Complains where --workload has a name that no workload has. */
void gp_workloads_check(gp_cli *cli, const gp_report_list *reports, const gp_words *names);
/* gp_flow_run for an input that is due to hold one plan. */
gp_outcome gp_flow_run_one(gp_flow *flow, const gp_overrides *overrides);

/* The one plan of the input as a site to fill; see gp_capacity_run. */
void gp_flow_capacity(gp_flow *flow, const gp_overrides *overrides, int64_t most_gpus,
                      gp_report_capacity **ret_report);

/* A catalogue of its own with the same rows, without the calibrations: what factors are over. */
void gp_flow_built_in(gp_flow *flow, gp_catalog **ret_catalog);

/* A path that --set gives several values. */
typedef struct gp_sweep_flag {
    const char *path;
    gp_words values;
} gp_sweep_flag;
typedef GP_LIST(gp_sweep_flag) gp_sweep_flags;
/* The --set flags apart: single values to `ret_fixed`, those with several to `ret_several`. */
void gp_sets_split(gp_cli *cli, gp_overrides *ret_fixed, gp_sweep_flags *ret_several);
/* The same where one of them may have several: *ret_sweep (path NULL where there is none). */
void gp_sets_parse(gp_cli *cli, gp_overrides *ret_fixed, gp_sweep_flag *ret_sweep);

/* Rows for options that several commands share. */
extern const char *const gp_report_forms[];
extern const char *const gp_detail_choices[];
extern const char *const gp_level_choices[];
extern const char *const gp_simulate_choices[];
#define GP_OPTION_CATALOG                                                                          \
    GP_FILES("catalog", catalogs,                                                                  \
             "Catalogue file laid over the built-in catalogue; later files win. Repeatable.",      \
             .key = "catalogs")
#define GP_OPTIONS_LOCK                                                                            \
    GP_FILE("lock", lock,                                                                          \
            "Lock file with fetched models and prices (default: gpuplan.lock beside the "          \
            "spec).",                                                                              \
            .key = "lock"),                                                                        \
        GP_SWITCH("locked", locked,                                                                \
                  "Use only the lock: exit with 4 if an hf: name is not in it, or its content "    \
                  "does not match its digests.")
#define GP_OPTION_CALIBRATION                                                                      \
    GP_FILES("calibration", calibrations,                                                          \
             "Factors from your own measurements (kind: Calibration, written by `gpuplan "         \
             "calibrate`), laid over the catalogue; later files win. Repeatable.",                 \
             .key = "calibration")
/* Reads `files`, each of `most` bytes at most; *ret_texts has their texts in order. */
void gp_texts_read(gp_cli *cli, const gp_words *files, size_t most, const gp_text ***ret_texts);
/* Reads `files` and lays them over the catalogue; what is wrong with any of them is told. */
void gp_catalogs_add(gp_cli *cli, gp_catalog *catalog, gp_diags *diags, const gp_words *files);
/* Reads a calibration and lays it over the catalogue; *ret_text is the file. */
void gp_calibration_add(gp_cli *cli, gp_catalog *catalog, gp_diags *diags, const char *path,
                        gp_text **ret_text);
#define GP_OPTION_PRICES                                                                           \
    GP_FILES("prices", prices,                                                                     \
             "Price list (kind: Prices), laid over those of the spec. "                            \
             "Repeatable.",                                                                        \
             .key = "prices")
/* What lies over the catalogue. */
#define GP_OPTIONS_LAID GP_OPTION_CATALOG, GP_OPTIONS_LOCK, GP_OPTION_CALIBRATION, GP_OPTION_PRICES
#define GP_OPTION_OBJECTIVE                                                                        \
    GP_WORD("objective", objective, "WORD", gp_objective_words,                                    \
            "What to minimize, in place of the objective of the spec.")
#define GP_OPTION_SIMULATE(text) GP_WORD("simulate", simulate, "WORD", gp_simulate_choices, (text))
#define GP_OPTION_WIDTH                                                                            \
    GP_NUMBER("width", width, "N", 60, 1000, "Columns of the text form, 60 or more.",              \
              .key = "width")
#define GP_OPTION_FORMAT GP_FORM(gp_report_forms, "Form on standard output.")
#define GP_OPTION_OUTPUT                                                                           \
    GP_OUTPUTS("[FORM=]FILE",                                                                      \
               "Write a file; the extension sets the form (.txt .json .md .html .csv .yaml "       \
               ".sarif .xml .tap .prom .xlsx) unless FORM= is given. Repeatable.")
#define GP_OPTIONS_JUDGED                                                                          \
    GP_WORD("fail-on", fail_on, "LEVEL", gp_level_choices,                                         \
            "Exit with 1 when a finding is at or above this level, in place of failOn of the "     \
            "policy, or error.",                                                                   \
            .key = "failOn"),                                                                      \
        GP_TEXT(                                                                                   \
            "now", now, "DATE",                                                                    \
            "Date used to judge waivers, such as 2027-03-31; default: that of SOURCE_DATE_EPOCH, " \
            "else today. Prices are held to their validUntil where it is given.",                  \
            .key = "now")
#define GP_OPTION_SET(text) GP_TEXTS("set", sets, "PATH=VALUE", (text))

/* The outputs of --format and --output, in forms that are there. Checked before any work. */
typedef struct gp_sink {
    const char *path; /* NULL: standard output */
    const char *form;
} gp_sink;
enum { GP_SINKS_MAX = 17 };
typedef struct gp_sinks {
    const gp_forms *forms; /* of what is written */
    bool gate;             /* it is judged: see gp_render_options */
    size_t count;
    gp_sink items[GP_SINKS_MAX];
} gp_sinks;
/* One more, unless its file is there already; there is room for it. */
void gp_sinks_add(gp_cli *cli, gp_sinks *sinks, gp_sink sink);
/* Forms that are not among `forms` are refused. */
void gp_sinks_parse(gp_cli *cli, const gp_forms *forms, gp_sinks *ret_sinks);
/* Some form of a report says where its figures come from. */
bool gp_sinks_are_sourced(const gp_sinks *sinks);

/* Policy documents among the inputs of the last run, then the files of --policy. */
typedef GP_LIST(const gp_policy *) gp_policy_list;
void gp_policies_read(gp_flow *flow, gp_policy_list *ret_list);

/* --- results.c: results that have forms of their own. The outputs asked for are checked before any
 * work, and written whole or not at all. */

typedef struct gp_result_kind {
    const gp_forms *forms;  /* the default first */
    const char *extensions; /* ".txt, .json or .md" */
    bool streamed;          /* it may be larger than memory */
} gp_result_kind;

void gp_results_check(gp_cli *cli, const gp_result_kind *kind);
/* Files first, then standard output in `form` (1 + index; 0: not given). */
void gp_results_write(gp_cli *cli, const gp_result_kind *kind, int form, const void *result);

/* --- judge.c: plans as they are declared, held to their policies */
typedef struct gp_judged {
    gp_outcomes outcomes;
    gp_level level; /* findings from here on fail */
} gp_judged;
void gp_judge_declared(gp_flow *flow, const gp_overrides *fixed, gp_judged *ret);
bool gp_judged_holds(const gp_judged *judged, size_t plan);

/* What writes the form xlsx (xlsx.c); NULL where libxlsxwriter is not there. */
gp_workbook_write *gp_xlsx_writer(void);

/* Writes a gp_report_list, a gp_sweep or a gp_explanation to all sinks, files first. `spec` is how
 * the user named the input; NULL: the report knows it. */
void gp_sinks_write(gp_cli *cli, const gp_sinks *sinks, const char *spec, const void *object);

#endif
