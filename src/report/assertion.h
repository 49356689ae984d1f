/* "METRIC OP VALUE" of a policy rule. */
#ifndef GP_REPORT_ASSERTION_H
#define GP_REPORT_ASSERTION_H

#include <gpuplan/diag.h>
#include <gpuplan/report.h>

struct gp_policy_rule;

typedef enum gp_operator { GP_OP_LE, GP_OP_LT, GP_OP_GE, GP_OP_GT, GP_OP_EQ, GP_OP_NE } gp_operator;

typedef struct gp_assertion {
    const char *path;
    bool of_workload; /* else of the report */
    bool of_diff;     /* the path starts with "diff.": only a comparison can judge it */
    gp_operator op;
    gp_report_kind kind;
    gp_dim dim;
    double limit;     /* of numbers; a bool is 0 or 1 */
    const char *text; /* of words, and the value as written */
} gp_assertion;

/* Parses and checks against the shape of reports. GP_ERR_INPUT with one diagnostic at `span`. */
gp_status gp_assertion_parse(gp_arena *arena, const char *text, gp_span span, gp_diags *diags,
                             gp_assertion *ret_assertion);
/* The value satisfies it; never for an absent one. */
bool gp_assertion_holds(const gp_assertion *assertion, const gp_report_value *value);
const char *gp_operator_text(gp_operator op);
/* The rule is for this workload. */
bool gp_policy_selects(const struct gp_policy_rule *rule, const gp_report_workload *workload);

#endif
