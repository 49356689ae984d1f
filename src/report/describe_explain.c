/* Rows of the answer of `explain`. */
#include "report/describe.h"

static const gp_report_field figure_fields[] = {
    GP_R_STRING(gp_explained_figure, "path", path, "Path of the figure under the workload."),
    GP_R_REAL(gp_explained_figure, "value", value, GP_DIM_NONE, "Its expected value."),
    GP_R_REAL(gp_explained_figure, "low", low, GP_DIM_NONE, "Lower edge of its band."),
    GP_R_REAL(gp_explained_figure, "high", high, GP_DIM_NONE, "Upper edge of its band."),
    GP_R_STRING(gp_explained_figure, "unit", unit, "Unit of the three."),
    GP_R_STRING(gp_explained_figure, "term", term, "The term that it is, or comes from."),
    GP_R_STRING(gp_explained_figure, "relation", relation,
                "How it comes from the term; null where it is the term."),
};
static const gp_report_struct figure_type =
    GP_R_TYPE(gp_explained_figure, figure_fields, .name = "figure", .name_key = "path",
              .help = "A figure of the report.");

static const gp_report_field term_fields[] = {
    GP_R_STRING(gp_explained_term, "name", name, "The term."),
    GP_R_REAL(gp_explained_term, "value", value, GP_DIM_NONE, "Its value."),
    GP_R_STRING(gp_explained_term, "unit", unit, "Its unit."),
    GP_R_STRING(gp_explained_term, "formula", formula, "How it is computed."),
    GP_R_STRING(gp_explained_term, "source", source, "Where the formula comes from."),
    GP_R_LIST(gp_explained_term, "inputs", inputs, gp_report_source, gp_report_source_type,
              "What it is computed from."),
};
static const gp_report_struct term_type =
    GP_R_TYPE(gp_explained_term, term_fields, .name = "term", .name_key = "name",
              .help = "One step of the computation.");

static const gp_report_field explanation_fields[] = {
    GP_R_STRING(gp_explanation, "schemaVersion", schema_version, "Version of this form."),
    GP_R_STRING(gp_explanation, "workload", workload, "The workload."),
    GP_R_STRING(gp_explanation, "metric", metric, "The figure asked for; null: the verdict."),
    GP_R_STRING(gp_explanation, "scale", scale, "The verdict."),
    GP_R_STRING(gp_explanation, "reason", reason, "Why, in one sentence."),
    GP_R_STRING(gp_explanation, "layout", layout, "The chosen layout."),
    GP_R_LIST(gp_explanation, "figures", figures, gp_explained_figure, figure_type,
              "The figures in question."),
    GP_R_LIST(gp_explanation, "terms", terms, gp_explained_term, term_type,
              "The terms beneath them."),
};
const gp_report_struct gp_explanation_type = GP_R_TYPE(
    gp_explanation, explanation_fields, .name = "explanation", .help = "How a figure came about.");
