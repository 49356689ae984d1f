/* Rows of a comparison of two reports. */
#include "report/describe.h"

#include "report/diff.h"

static const gp_report_field figure_fields[] = {
    GP_R_STRING(gp_diff_figure, "metric", metric, "Path in the report, or under the workload."),
    GP_R_REAL(gp_diff_figure, "base", base, GP_DIM_NONE, "The figure before."),
    GP_R_REAL(gp_diff_figure, "head", head, GP_DIM_NONE, "The figure after."),
    GP_R_STRING(gp_diff_figure, "baseText", base_text, "The word before."),
    GP_R_STRING(gp_diff_figure, "headText", head_text, "The word after."),
    GP_R_REAL(gp_diff_figure, "changeFraction", change_fraction, GP_DIM_FRACTION,
              "Change as a share of the figure before."),
    GP_R_STRING(gp_diff_figure, "unit", unit, "Unit of the figures."),
};
static const gp_report_struct figure_type =
    GP_R_TYPE(gp_diff_figure, figure_fields, .name = "figure", .name_key = "metric",
              .dim_offset = offsetof(gp_diff_figure, dim), .help = "A figure on both sides.");

static const char *const state_words[] = {"added", "removed", "changed", "same", NULL};

static const gp_report_field workload_fields[] = {
    GP_R_STRING(gp_diff_workload, "name", name, "Name of the workload."),
    GP_R_WORD(gp_diff_workload, "state", state, state_words, "What happened to it."),
    GP_R_LIST(gp_diff_workload, "figures", figures, gp_diff_figure, figure_type,
              "Figures that changed."),
};
static const gp_report_struct workload_type =
    GP_R_TYPE(gp_diff_workload, workload_fields, .name = "workload", .name_key = "name",
              .help = "A workload on both sides.");

static const gp_report_field effect_fields[] = {
    GP_R_STRING(gp_diff_effect, "workload", workload, "The workload."),
    GP_R_COUNT(gp_diff_effect, "gpus", gpus, "GPUs more than before."),
    GP_R_STRING(gp_diff_effect, "baseScale", base_scale, "Verdict before."),
    GP_R_STRING(gp_diff_effect, "headScale", head_scale, "Verdict after."),
    GP_R_STRING(gp_diff_effect, "baseSystem", base_system, "Machine before."),
    GP_R_STRING(gp_diff_effect, "headSystem", head_system, "Machine after."),
};
static const gp_report_struct effect_type =
    GP_R_TYPE(gp_diff_effect, effect_fields, .name = "effect", .name_key = "workload",
              .help = "What a cause does to a workload by itself.");

static const char *const cause_words[] = {"spec", "catalog", "calibration", "prices",
                                          "tool", "flags",   NULL};

static const gp_report_field cause_fields[] = {
    GP_R_WORD(gp_diff_cause, "kind", kind, cause_words, "What kind of input changed."),
    GP_R_STRING(gp_diff_cause, "path", path, "Path in the spec, or the file."),
    GP_R_STRING(gp_diff_cause, "base", base, "Value before; null: it was not there."),
    GP_R_STRING(gp_diff_cause, "head", head, "Value after; null: it is not there."),
    GP_R_STRING(gp_diff_cause, "file", file, "File of the line that changed."),
    GP_R_COUNT(gp_diff_cause, "line", line, "Its line, from 1."),
    GP_R_COUNT(gp_diff_cause, "column", column, "Its column, from 1."),
    GP_R_BOOL(gp_diff_cause, "measured", measured,
              "The plan was made again with this change alone."),
    GP_R_COUNT(gp_diff_cause, "gpus", gpus, "GPUs more by this change alone."),
    GP_R_COUNT(gp_diff_cause, "nodes", nodes, "Machines more by it."),
    GP_R_REAL(gp_diff_cause, "itPowerW", it_power_w, GP_DIM_POWER, "IT power more by it."),
    GP_R_EXACT(gp_diff_cause, "capital", capital, GP_DIM_MONEY,
               "Purchase more by it; null where a price is missing."),
    GP_R_EXACT(gp_diff_cause, "costPerYear", cost_per_year, GP_DIM_MONEY,
               "Cost of a year more by it, likewise."),
    GP_R_LIST(gp_diff_cause, "effects", effects, gp_diff_effect, effect_type,
              "Workloads that it changes by itself."),
};
static const gp_report_struct cause_type = GP_R_TYPE(gp_diff_cause, cause_fields, .name = "cause",
                                                     .help = "An input that is not the same.");

static const gp_report_field quote_fields[] = {
    GP_R_COUNT(gp_diff_quote, "count", count, "How many are bought; 0: none."),
    GP_R_COUNT(gp_diff_quote, "spare", spare, "Spares beside them."),
    GP_R_EXACT(gp_diff_quote, "price", price, GP_DIM_MONEY, "Of those bought; null: no price."),
};
static const gp_report_struct quote_type =
    GP_R_TYPE(gp_diff_quote, quote_fields, .name = "quote", .help = "An item in one offer.");

static const gp_report_field item_fields[] = {
    GP_R_STRING(gp_diff_item, "role", role, "What it is for."),
    GP_R_STRING(gp_diff_item, "product", product, "What it is."),
    GP_R_STRUCT(gp_diff_item, "base", base, gp_diff_quote, quote_type, "In the first offer."),
    GP_R_STRUCT(gp_diff_item, "head", head, gp_diff_quote, quote_type, "In the second."),
};
static const gp_report_struct item_type =
    GP_R_TYPE(gp_diff_item, item_fields, .name = "item", .help = "An item of two offers.");

static const char *const change_words[] = {"new", "resolved", NULL};

static const gp_report_field finding_fields[] = {
    GP_R_WORD(gp_diff_finding, "change", change, change_words, "Whether it came or went."),
    GP_R_STRING(gp_diff_finding, "id", id, "The rule."),
    GP_R_STRING(gp_diff_finding, "level", level, "How grave it is."),
    GP_R_STRING(gp_diff_finding, "workload", workload, "The workload; null: the whole plan."),
    GP_R_STRING(gp_diff_finding, "message", message, "What was found."),
    GP_R_STRING(gp_diff_finding, "fix", fix, "What would resolve it."),
    GP_R_STRING(gp_diff_finding, "file", file, "File of the field that is responsible."),
    GP_R_COUNT(gp_diff_finding, "line", line, "Its line, from 1."),
    GP_R_COUNT(gp_diff_finding, "column", column, "Its column, from 1."),
};
static const gp_report_struct finding_type =
    GP_R_TYPE(gp_diff_finding, finding_fields, .name = "finding",
              .help = "A finding that came or "
                      "went.");

static const char *const verdict_words[] = {"holds", "fails", NULL};

static const gp_report_field diff_fields[] = {
    GP_R_STRING(gp_diff, "schemaVersion", schema_version, "Version of this form."),
    GP_R_STRING(gp_diff, "plan", plan, "Name of the plan."),
    GP_R_STRING(gp_diff, "basePlan", base_plan,
                "Its name on the base side, where that is another; null: the same."),
    GP_R_WORD(gp_diff, "state", state, state_words, "What happened to it."),
    GP_R_WORD(gp_diff, "baseVerdict", base_verdict, verdict_words,
              "What `check` says of the base; null: not known."),
    GP_R_WORD(gp_diff, "headVerdict", head_verdict, verdict_words,
              "What `check` says of the head; null: not known."),
    GP_R_STRING(gp_diff, "failOn", fail_on, "Level of findings at which the head fails."),
    GP_R_STRING(gp_diff, "basePath", base_path, "What was compared."),
    GP_R_STRING(gp_diff, "headPath", head_path, "With what."),
    GP_R_STRING(gp_diff, "currency", currency, "Currency of money."),
    GP_R_LIST(gp_diff, "figures", figures, gp_diff_figure, figure_type,
              "Figures of the plan that changed."),
    GP_R_LIST(gp_diff, "workloads", workloads, gp_diff_workload, workload_type, "By workload."),
    GP_R_LIST(gp_diff, "items", items, gp_diff_item, item_type,
              "Of two offers: what each buys."),
    GP_R_STRING(gp_diff, "baseUnpriced", base_unpriced, "What has no price in the first offer."),
    GP_R_STRING(gp_diff, "headUnpriced", head_unpriced, "What has no price in the second."),
    GP_R_LIST(gp_diff, "causes", causes, gp_diff_cause, cause_type, "What caused it."),
    GP_R_LIST(gp_diff, "findings", findings, gp_diff_finding, finding_type,
              "Findings that came or went."),
    GP_R_LIST(gp_diff, "breaches", breaches, gp_report_finding, gp_report_finding_type,
              "Rules of policies that the change breaks."),
};
const gp_report_struct gp_diff_type =
    GP_R_TYPE(gp_diff, diff_fields, .name = "diff", .help = "What changed between two reports.");
