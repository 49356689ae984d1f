/*
 * Rows of the parts of a report that say what went in and what came out as remarks: inputs,
 * findings, assumptions, data quality, provenance.
 */
#include "report/describe.h"

static const char *const level_words[] = {"note", "warning", "error", NULL};
static const char *const leverage_words[] = {"low", "medium", "high", NULL};
static const char *const origin_words[] = {"spec",    "flag", "catalog", "default",
                                           "derived", "term", NULL};
static const char *const basis_words[] = {"given",   "datasheet", "measured",
                                          "derived", "assumed",   NULL};

static const gp_report_field file_fields[] = {
    GP_R_STRING(gp_report_file, "path", path, "The file as it was given."),
    GP_R_STRING(gp_report_file, "sha256", sha256, "SHA-256 of its content, hexadecimal."),
};
static const gp_report_struct file_type =
    GP_R_TYPE(gp_report_file, file_fields, .name = "file", .help = "A file that was read.");

static const gp_report_field flag_fields[] = {
    GP_R_STRING(gp_report_flag, "path", path, "The spec path that was overridden."),
    GP_R_STRING(gp_report_flag, "value", value, "The value it was given."),
};
static const gp_report_struct flag_type = GP_R_TYPE(gp_report_flag, flag_fields, .name = "flag",
                                                    .help = "A value given on the command line.");

static const gp_report_field inputs_fields[] = {
    GP_R_STRUCT(gp_report_inputs, "spec", spec, gp_report_file, file_type, "The spec."),
    GP_R_STRUCT(gp_report_inputs, "catalog", catalog, gp_report_file, file_type,
                "The catalogue, the user's files included in its digest."),
    GP_R_LIST(gp_report_inputs, "catalogs", catalogs, gp_report_file, file_type,
              "The user's catalogue files."),
    GP_R_LIST(gp_report_inputs, "calibration", calibration, gp_report_file, file_type,
              "Calibration files."),
    GP_R_LIST(gp_report_inputs, "prices", prices, gp_report_file, file_type, "Price files."),
    GP_R_OPTIONAL(gp_report_inputs, "lock", lock, gp_report_file, file_type, "The lock file."),
    GP_R_LIST(gp_report_inputs, "flags", flags, gp_report_flag, flag_type,
              "Values of the spec that were overridden on the command line."),
    {.key = "policies",
     .kind = GP_REPORT_LIST,
     .offset = GP_LIST_OFFSET(gp_report_inputs, policies, gp_report_file),
     .nested = &file_type,
     .omit_absent = true,
     .help = "Policy files that a check held the plan to."},
    {.key = "project",
     .kind = GP_REPORT_OPTIONAL,
     .offset = GP_OFFSET(gp_report_inputs, project, const gp_report_file *),
     .nested = &file_type,
     .omit_absent = true,
     .help = "The project file (.gpuplan.yaml) whose settings entered."},
    {.key = "failOn",
     .kind = GP_REPORT_STRING,
     .offset = GP_OFFSET(gp_report_inputs, fail_on, const char *),
     .words = level_words,
     .omit_absent = true,
     .help = "Level of findings at which a check fails."},
    {.key = "now",
     .kind = GP_REPORT_STRING,
     .offset = GP_OFFSET(gp_report_inputs, now, const char *),
     .omit_absent = true,
     .help = "The date that the ages of prices, locks and waivers were judged by."},
};
const gp_report_struct gp_report_inputs_type = GP_R_TYPE(
    gp_report_inputs, inputs_fields, .name = "inputs", .help = "All that the report rests on.");

static const gp_report_field finding_fields[] = {
    GP_R_STRING(gp_report_finding, "id", id, "The rule."),
    GP_R_WORD(gp_report_finding, "level", level, level_words, "How grave it is."),
    GP_R_STRING(gp_report_finding, "message", message, "What was found."),
    GP_R_STRING(gp_report_finding, "workload", workload, "The workload; null: the whole plan."),
    GP_R_STRING(gp_report_finding, "file", file, "File of the field that is responsible."),
    GP_R_COUNT(gp_report_finding, "line", line, "Its line, from 1."),
    GP_R_COUNT(gp_report_finding, "column", column, "Its column, from 1."),
    GP_R_STRING(gp_report_finding, "metric", metric, "Path of the figure in this report."),
    GP_R_REAL(gp_report_finding, "value", value, GP_DIM_NONE, "The figure."),
    GP_R_REAL(gp_report_finding, "limit", limit, GP_DIM_NONE, "What it is held against."),
    GP_R_REAL(gp_report_finding, "margin", margin, GP_DIM_NONE,
              "Room left in the unit of the figure; negative where it is passed."),
    GP_R_STRING(gp_report_finding, "fix", fix, "What would resolve it."),
    {.key = "set",
     .kind = GP_REPORT_LIST,
     .offset = GP_LIST_OFFSET(gp_report_finding, set, const char *),
     .omit_absent = true,
     .help = "PATH=VALUE, as --set takes it, to look at the plan with the fix."},
    GP_R_STRING(gp_report_finding, "unit", unit, "Unit of value, limit and margin."),
    {.key = "waivedBy",
     .kind = GP_REPORT_STRING,
     .offset = GP_OFFSET(gp_report_finding, waived_by, const char *),
     .omit_absent = true,
     .help = "Why and until when a policy accepts it; absent: it does not."},
};
const gp_report_struct gp_report_finding_type =
    GP_R_TYPE(gp_report_finding, finding_fields, .name = "finding",
              .dim_offset = offsetof(gp_report_finding, dim), .help = "A remark by a rule.");

static const gp_report_field assumption_fields[] = {
    GP_R_STRING(gp_report_assumption, "path", path, "The spec path or catalogue row."),
    GP_R_STRING(gp_report_assumption, "value", value, "The value that was used."),
    GP_R_STRING(gp_report_assumption, "source", source, "default, constant or catalog."),
    GP_R_BOOL(gp_report_assumption, "verified", verified, "It was read at a primary source."),
    GP_R_WORD(gp_report_assumption, "leverage", leverage, leverage_words,
              "How much the answer depends on it."),
};
const gp_report_struct gp_report_assumption_type =
    GP_R_TYPE(gp_report_assumption, assumption_fields, .name = "assumption", .name_key = "path",
              .help = "A value that nobody stated.");

static const gp_report_field data_fields[] = {
    GP_R_REAL(gp_report_data, "unverifiedShare", unverified_share, GP_DIM_FRACTION,
              "Share of the inputs beneath the chosen layouts that are unverified or assumed."),
    GP_R_COUNT(gp_report_data, "inputs", inputs, "How many inputs those are in all."),
    GP_R_STRINGS(gp_report_data, "unverified", unverified, "Which of them are unverified."),
};
const gp_report_struct gp_report_data_type =
    GP_R_TYPE(gp_report_data, data_fields, .name = "data", .help = "Quality of the data.");

static const gp_report_field source_fields[] = {
    GP_R_STRING(gp_report_source, "name", name, "The field or term."),
    GP_R_STRING(gp_report_source, "value", value, "Its value with its unit."),
    GP_R_WORD(gp_report_source, "origin", origin, origin_words, "What kind of source it is."),
    GP_R_STRING(gp_report_source, "where", where, "Place in a file."),
    GP_R_STRING(gp_report_source, "source", source, "Source of a catalogue figure."),
    GP_R_STRING(gp_report_source, "date", date, "Date of that source."),
    GP_R_STRING(gp_report_source, "evidence", evidence, "datasheet, measured, derived, assumed."),
    GP_R_BOOL(gp_report_source, "verified", verified, "It was read at a primary source."),
};
const gp_report_struct gp_report_source_type =
    GP_R_TYPE(gp_report_source, source_fields, .name = "source", .name_key = "name",
              .help = "An input of a formula and where it came from.");

static const gp_report_field provenance_fields[] = {
    GP_R_STRING(gp_report_provenance, "pointer", pointer, "JSON pointer of the figure."),
    GP_R_WORD(gp_report_provenance, "basis", basis, basis_words, "Weakest evidence beneath it."),
    GP_R_STRING(gp_report_provenance, "formula", formula, "How it is computed."),
    GP_R_LIST(gp_report_provenance, "inputs", inputs, gp_report_source, gp_report_source_type,
              "What it is computed from."),
};
const gp_report_struct gp_report_provenance_type =
    GP_R_TYPE(gp_report_provenance, provenance_fields, .name = "provenance",
              .help = "Where a figure comes from.");
