/* Rows of the answer of `explain`. */
#include "report/describe.h"
#include "report/produce.h"

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

static const gp_report_field number_fields[] = {
    GP_R_STRING(gp_explained_number, "name", from.name, "The constant, or the row or key with it."),
    GP_R_STRING(gp_explained_number, "value", from.value, "Its value with its unit."),
    GP_R_REAL(gp_explained_number, "effect", effect, GP_DIM_NONE,
              "Percent by which the first figure changes with 1 % more of it."),
    GP_R_STRINGS(gp_explained_number, "figures", figures, "What it moves, most first."),
    GP_R_STRINGS(gp_explained_number, "terms", terms, "The terms that it enters by, likewise."),
    GP_R_STRING(gp_explained_number, "origin", from.origin,
                "spec, flag, catalog, default, derived."),
    GP_R_STRING(gp_explained_number, "where", from.where, "Place in a file."),
    GP_R_STRING(gp_explained_number, "source", from.source, "Source of a catalogue figure."),
    GP_R_STRING(gp_explained_number, "date", from.date, "Date of that source."),
    GP_R_STRING(gp_explained_number, "evidence", from.evidence,
                "datasheet, measured, derived, assumed."),
    GP_R_BOOL(gp_explained_number, "verified", from.verified, "It was read at a primary source."),
};
static const gp_report_struct number_type =
    GP_R_TYPE(gp_explained_number, number_fields, .name = "number", .name_key = "name",
              .help = "A number that moves the figure.");

static const char *const outcome_words[] = {"taken",   "undeclared", "slower", "more", "memory",
                                            "offload", "rule",       "short",  NULL};

static const gp_report_field layout_fields[] = {
    GP_R_STRING(gp_explained_layout, "layout", layout, "The layout in words."),
    GP_R_WORD(gp_explained_layout, "outcome", outcome, outcome_words, "What became of it."),
    GP_R_STRING(gp_explained_layout, "why", why, "Why it lost, in words."),
    GP_R_REAL(gp_explained_layout, "stepTimeS", step_s, GP_DIM_TIME,
              "Training: time of one optimizer step."),
    GP_R_REAL(gp_explained_layout, "worseFraction", worse_fraction, GP_DIM_FRACTION,
              "Over the one taken, less 1: time per token of a training, what the objective counts "
              "of a service; below 0 it would be better."),
    GP_R_COUNT(gp_explained_layout, "gpus", gpus, "Services: GPUs that it would take."),
    GP_R_COUNT(gp_explained_layout, "nodes", nodes, "Services: machines that it would take."),
    GP_R_REAL(gp_explained_layout, "shortBytes", short_bytes, GP_DIM_BYTES,
              "What each GPU is short of, in its memory or outside it."),
    GP_R_STRING(gp_explained_layout, "rule", rule,
                "The rule of the framework or engine that it breaks."),
    GP_R_STRING(gp_explained_layout, "source", source, "Where that is checked."),
};
static const gp_report_struct layout_type =
    GP_R_TYPE(gp_explained_layout, layout_fields, .name = "layout", .name_key = "layout",
              .help = "A layout that was tried.");

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
    GP_R_LIST(gp_explanation, "numbers", numbers, gp_explained_number, number_type,
              "The numbers beneath them; what moves the figure most first."),
    GP_R_STRING(gp_explanation, "choice", choice, "What the layout was chosen from."),
    GP_R_LIST(gp_explanation, "layouts", layouts, gp_explained_layout, layout_type,
              "Asked for layouts: the one taken, and the best of those that lost."),
    GP_R_COUNT(gp_explanation, "layoutsTimed", layouts_timed,
               "With them: layouts that launch and fit and were timed, on every kind of machine."),
};
const gp_report_struct gp_explanation_type = GP_R_TYPE(
    gp_explanation, explanation_fields, .name = "explanation", .help = "How a figure came about.");
