/* Parsing and evaluation of the assertions of policies. */
#include "report/assertion.h"
#include "report/value.h"

#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "schema/diag_ids.h"

static const char form[] = "METRIC OP VALUE, such as memory.headroomFraction >= 10%";
static const char diff_prefix[] = "diff.";

/* Longer operators first: "<=" is no "<". */
static const struct {
    const char *text;
    gp_operator op;
} operators[] = {
    {"<=", GP_OP_LE}, {">=", GP_OP_GE}, {"==", GP_OP_EQ},
    {"!=", GP_OP_NE}, {"<", GP_OP_LT},  {">", GP_OP_GT},
};

const char *gp_operator_text(gp_operator op) {
    for (size_t i = 0; i < GP_COUNT_OF(operators); i++)
        if (operators[i].op == op)
            return operators[i].text;
    return "?";
}

/* Splits at the first operator; false where there is none, or nothing on one of its sides. */
static bool split(gp_arena *arena, const char *text, gp_assertion *ret) {
    size_t at = strcspn(text, "<>=!");
    for (size_t i = 0; i < GP_COUNT_OF(operators); i++) {
        if (!gp_str_starts(text + at, operators[i].text))
            continue;
        const char *value = text + at + strlen(operators[i].text);
        size_t len = at;
        value += strspn(value, " ");
        text += strspn(text, " ");
        while (len > 0 && text[len - 1] == ' ')
            len--;
        ret->op = operators[i].op;
        ret->path = gp_arena_strndup(arena, text, len);
        ret->text = gp_arena_strndup(arena, value, strlen(value));
        return len > 0 && *value != '\0';
    }
    return false;
}

static gp_status find_metric(gp_assertion *a, gp_span span, gp_diags *diags) {
    const char *path = a->path;
    static const gp_report_struct *const roots[] = {&gp_report_workload_type, &gp_report_type};
    a->of_diff = gp_str_starts(path, diff_prefix);
    if (a->of_diff)
        path += sizeof diff_prefix - 1;
    a->of_workload = true;
    if (gp_report_path_check(&gp_report_workload_type, path, &a->kind, &a->dim, NULL) == GP_OK)
        return GP_OK;
    a->of_workload = false;
    if (gp_report_path_check(&gp_report_type, path, &a->kind, &a->dim, NULL) == GP_OK)
        return GP_OK;
    const gp_report_hint hint = gp_report_hint_of(diags->arena, path, roots, GP_COUNT_OF(roots));
    gp_diags_error(diags, GP_ID_BAD_PATH, span,
                   hint.expected != NULL ? hint.expected
                                         : "a path of report.json under the workload or the root "
                                           "(gpuplan schema report lists them)",
                   hint.nearest, "no figure \"%s\" in a report", path);
    return GP_ERR_INPUT;
}

/* What its name says is of a year may be stated as that, too. */
static size_t without_year(const gp_assertion *a, const char *text) {
    static const char year[] = "/yr";
    static const char suffix[] = "PerYear";
    const size_t len = strlen(text);
    const bool yearly =
        a->dim == GP_DIM_MONEY && gp_str_ends(a->path, suffix) && gp_str_ends(text, year);
    return yearly ? len - (sizeof year - 1) : len;
}

static gp_status parse_number(gp_assertion *a, gp_span span, gp_diags *diags) {
    gp_quantity quantity;
    size_t skip = a->of_diff && a->text[0] == '+' ? 1 : 0;
    size_t len = without_year(a, a->text + skip);
    gp_dim dim = a->of_diff && a->text[strlen(a->text) - 1] == '%' ? GP_DIM_FRACTION : a->dim;
    if (gp_quantity_parse(a->text + skip, len, dim, &quantity) == GP_QUANTITY_OK) {
        a->dim = dim;
        a->limit = quantity.value;
        return GP_OK;
    }
    gp_diags_error(diags, GP_ID_WRONG_UNIT, span, gp_dim_expected(dim), quantity.hint,
                   "\"%s\" cannot be used with %s", a->text, a->path);
    return GP_ERR_INPUT;
}

static gp_status parse_value(gp_assertion *a, gp_span span, gp_diags *diags) {
    bool ordered = a->op != GP_OP_EQ && a->op != GP_OP_NE;
    if (a->kind != GP_REPORT_STRING && a->kind != GP_REPORT_BOOL)
        return parse_number(a, span, diags);
    if (ordered) {
        gp_diags_error(diags, GP_ID_WRONG_TYPE, span, "== or !=", NULL,
                       "%s is not a number, so %s does not apply", a->path,
                       gp_operator_text(a->op));
        return GP_ERR_INPUT;
    }
    if (a->kind == GP_REPORT_STRING)
        return GP_OK;
    a->limit = gp_str_equal(a->text, "true") ? 1 : 0;
    if (gp_str_equal(a->text, "true") || gp_str_equal(a->text, "false"))
        return GP_OK;
    gp_diags_error(diags, GP_ID_NOT_A_BOOLEAN, span, "true or false", NULL,
                   "%s must be true or false, not \"%s\"", a->path, a->text);
    return GP_ERR_INPUT;
}

gp_status gp_assertion_parse(gp_arena *arena, const char *text, gp_span span, gp_diags *diags,
                             gp_assertion *ret_assertion) {
    *ret_assertion = (gp_assertion){0};
    if (!split(arena, text, ret_assertion)) {
        gp_diags_error(diags, GP_ID_WRONG_TYPE, span, form, NULL, "not an assertion");
        return GP_ERR_INPUT;
    }
    gp_status st = find_metric(ret_assertion, span, diags);
    return st == GP_OK ? parse_value(ret_assertion, span, diags) : st;
}

static bool compare(gp_operator op, int order) {
    switch (op) {
    case GP_OP_LE: return order <= 0;
    case GP_OP_LT: return order < 0;
    case GP_OP_GE: return order >= 0;
    case GP_OP_GT: return order > 0;
    case GP_OP_EQ: return order == 0;
    case GP_OP_NE: return order != 0;
    }
    return false;
}

bool gp_assertion_holds(const gp_assertion *assertion, const gp_report_value *value) {
    if (value->absent)
        return false;
    if (assertion->kind == GP_REPORT_STRING)
        return compare(assertion->op, gp_str_equal(value->text, assertion->text) ? 0 : 1);
    return compare(assertion->op, gp_num_compare9(gp_value_number(value), assertion->limit));
}
