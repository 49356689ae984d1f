/* Descriptor tables of the Policy document. */
#include "model/fields.h"

static const char *const level_words[] = {"note", "warning", "error", NULL};

static const gp_field rule_fields[] = {
    GP_STRING(gp_policy_rule, "id", id, .flags = GP_FIELD_REQUIRED | GP_FIELD_ID,
              .help = "Id of the rule, free of form; those that start with GP are built in."),
    GP_ENUM(gp_policy_rule, "level", level, level_words, .default_text = "error",
            .help = "How grave a breach is."),
    GP_STRING_MAP(gp_policy_rule, "select", select,
                  .help = "Workloads it is for: patterns for workload.name and workload.type."),
    GP_STRING(gp_policy_rule, "assert", assertion, .flags = GP_FIELD_REQUIRED,
              .help = "METRIC OP VALUE: a path of the report under the workload or the root, one "
                      "of <= < >= > == !=, and a quantity with its unit or a word."),
    GP_STRING(gp_policy_rule, "message", message, .help = "What a breach says."),
};

static const gp_struct rule_type =
    GP_TYPE(gp_policy_rule, rule_fields, .name = "rule", .help = "What must hold.");

static const gp_field waiver_fields[] = {
    GP_STRING(gp_waiver, "rule", rule, .flags = GP_FIELD_REQUIRED,
              .help = "Id of the rule that is waived."),
    GP_STRING_LIST(gp_waiver, "paths", paths,
                   .help = "Specs it holds for; * stays in a folder, ** crosses folders."),
    GP_STRING_LIST(gp_waiver, "workloads", workloads, .help = "Workloads it holds for."),
    GP_DATE(gp_waiver, "until", until, .flags = GP_FIELD_REQUIRED,
            .help = "Last day of the waiver."),
    GP_STRING(gp_waiver, "reason", reason, .flags = GP_FIELD_REQUIRED,
              .help = "Why it is accepted."),
};

static const gp_struct waiver_type = GP_TYPE(gp_waiver, waiver_fields, .name = "waiver",
                                             .help = "A finding that is accepted until a date.");

static const gp_field policy_fields[] = {
    GP_ENUM(gp_policy, "failOn", fail_on, level_words, .default_text = "error",
            .help = "Level of findings at which a check fails."),
    GP_STRUCT_LIST(gp_policy, "rules", rules, gp_policy_rule, rule_type,
                   .help = "Rules of one's own."),
    GP_STRING_MAP(gp_policy, "levels", levels,
                  .help = "Other levels of rules: note, warning, error or off."),
    GP_STRUCT_LIST(gp_policy, "waivers", waivers, gp_waiver, waiver_type,
                   .help = "Findings that are accepted for a time."),
};

static const gp_struct policy_type =
    GP_TYPE(gp_policy, policy_fields, .name = "policy", .help = "Rules, levels and waivers.");

static const gp_field policy_document_fields[] = {
    GP_ENVELOPE_FIELDS(gp_policy_document),
    GP_STRUCT(gp_policy_document, "spec", spec, gp_policy, policy_type, .flags = GP_FIELD_REQUIRED,
              .help = "The policy."),
};

const gp_struct gp_policy_document_type =
    GP_TYPE(gp_policy_document, policy_document_fields, .name = "Policy",
            .help = "What a check demands beyond the goals, and what it accepts.");
