/* Rows of a study. */
#include "report/describe.h"

#include "report/study.h"

static const gp_report_field axis_fields[] = {
    GP_R_STRING(gp_study_axis, "path", path, "Path in the spec."),
    GP_R_STRINGS(gp_study_axis, "values", values, "Its values."),
};
static const gp_report_struct axis_type =
    GP_R_TYPE(gp_study_axis, axis_fields, .name = "axis", .name_key = "path",
              .help = "A path of the spec and the values that it takes.");

static const char *const goal_words[] = {"min", "max", NULL};

static const gp_report_field metric_fields[] = {
    GP_R_STRING(gp_study_metric, "path", path, "Path in the report."),
    GP_R_WORD(gp_study_metric, "goal", goal, goal_words,
              "Whether the front is made of small or of large ones; null: only shown."),
    GP_R_STRING(gp_study_metric, "unit", unit, "Unit of the figures."),
};
static const gp_report_struct metric_type =
    GP_R_TYPE(gp_study_metric, metric_fields, .name = "metric", .name_key = "path",
              .dim_offset = offsetof(gp_study_metric, dim), .help = "A figure of every point.");

static const gp_report_field set_fields[] = {
    GP_R_STRING(gp_study_set, "path", path, "Path in the spec."),
    GP_R_STRING(gp_study_set, "value", value, "The value that was set."),
    GP_R_STRING(gp_study_set, "was", was, "The value in the spec; null: not told."),
};
static const gp_report_struct set_type = GP_R_TYPE(
    gp_study_set, set_fields, .name = "set", .name_key = "path", .help = "A value that was set.");

static const gp_report_field verdict_fields[] = {
    GP_R_STRING(gp_study_verdict, "workload", workload, "The workload."),
    GP_R_STRING(gp_study_verdict, "scale", scale, "Its verdict."),
};
static const gp_report_struct verdict_type =
    GP_R_TYPE(gp_study_verdict, verdict_fields, .name = "verdict", .name_key = "workload",
              .help = "How a workload scales at a point.");

static const gp_report_field figure_fields[] = {
    GP_R_REAL(gp_study_figure, "value", value, GP_DIM_NONE, "The figure, in the metric's unit."),
    GP_R_STRING(gp_study_figure, "text", text, "The figure where it is a word."),
};
static const gp_report_struct figure_type =
    GP_R_TYPE(gp_study_figure, figure_fields, .name = "figure",
              .help = "What a metric is at a point, in the order of the metrics.");

static const gp_report_field point_fields[] = {
    GP_R_COUNT(gp_study_point, "number", number, "From 1, over all parts of the study."),
    GP_R_LIST(gp_study_point, "sets", sets, gp_study_set, set_type, "What was set."),
    GP_R_STRING(gp_study_point, "refused", refused, "Why there is no plan with these values."),
    GP_R_BOOL(gp_study_point, "feasible", feasible, "Every workload has a layout that holds."),
    GP_R_BOOL(gp_study_point, "onFront", on_front,
              "No other feasible point equals it in all goals and beats it in one."),
    GP_R_LIST(gp_study_point, "verdicts", verdicts, gp_study_verdict, verdict_type, "By workload."),
    GP_R_LIST(gp_study_point, "figures", figures, gp_study_figure, figure_type,
              "One for each metric."),
};
static const gp_report_struct point_type =
    GP_R_TYPE(gp_study_point, point_fields, .name = "point", .help = "One plan of the study.");

static const char *const kind_words[] = {"grid", "vary", NULL};

static const gp_report_field study_fields[] = {
    GP_R_STRING(gp_study, "schemaVersion", schema_version, "Version of this form."),
    GP_R_STRING(gp_study, "toolVersion", tool_version, "Version of gpuplan."),
    GP_R_WORD(gp_study, "study", kind, kind_words, "Every combination, or one number at a time."),
    GP_R_STRING(gp_study, "plan", plan, "Name of the plan."),
    GP_R_STRING(gp_study, "spec", spec, "Its file."),
    GP_R_STRING(gp_study, "specSha256", spec_sha256, "Digest of the file."),
    GP_R_STRING(gp_study, "catalogSha256", catalog_sha256, "Digest of the catalogue."),
    GP_R_STRING(gp_study, "currency", currency, "Currency of money."),
    GP_R_REAL(gp_study, "varyFraction", vary_fraction, GP_DIM_FRACTION,
              "How far numbers go down and up."),
    GP_R_COUNT(gp_study, "pointCount", point_count, "Points of the whole study."),
    GP_R_LIST(gp_study, "axes", axes, gp_study_axis, axis_type, "What takes several values."),
    GP_R_LIST(gp_study, "metrics", metrics, gp_study_metric, metric_type, "Figures of each point."),
    GP_R_LIST(gp_study, "points", points, gp_study_point, point_type, "The plans, in order."),
};
const gp_report_struct gp_study_type =
    GP_R_TYPE(gp_study, study_fields, .name = "study", .help = "One plan sized many times over.");
