/* The TAP form (version 14): one line per rule and finding, with a YAML block below what failed. */
#include <string.h>

#include "render/gate.h"

/* A description ends at '#', and a line at its end: both are kept out. */
static void description(gp_form_out *out, const char *text) {
    gp_form_clean(out->buf, text, strlen(text), "#\\");
}

/* JSON strings are YAML strings. */
static void detail(gp_form_out *out, const char *key, const char *text) {
    if (text == NULL)
        return;
    gp_buf_printf(out->buf, "  %s: ", key);
    gp_json_quote(out->buf, text);
    gp_buf_char(out->buf, '\n');
}

static void write_case(gp_form_out *out, size_t number, const gp_gate_case *it) {
    gp_buf_printf(out->buf, "%sok %zu - ", it->state == GP_GATE_FAILED ? "not " : "", number);
    description(out, gp_form_text(out, "%s: %s %s", it->group, it->rule, it->title));
    if (it->skipped != NULL) {
        gp_buf_str(out->buf, " # SKIP ");
        description(out, it->skipped);
    }
    gp_buf_char(out->buf, '\n');
    if (it->finding == NULL)
        return;
    gp_buf_str(out->buf, "  ---\n");
    detail(out, "message", it->finding->message);
    detail(out, "severity", it->finding->level);
    detail(out, "at", gp_form_place(out, it->finding));
    detail(out, "metric", it->finding->metric);
    detail(out, "fix", it->finding->fix);
    gp_buf_str(out->buf, "  ...\n");
}

void gp_reports_tap(gp_form_out *out, const void *result) {
    const gp_report_list *reports = result;
    gp_gate_cases *cases = GP_NEW_ARRAY(out->buf->arena, gp_gate_cases, reports->count);
    size_t total = 0;
    for (size_t i = 0; i < reports->count; i++) {
        cases[i] = gp_gate_cases_of(out, reports->items[i]);
        total += cases[i].count;
    }
    gp_buf_printf(out->buf, "TAP version 14\n1..%zu\n", total);
    size_t number = 0;
    for (size_t i = 0; i < reports->count && out->buf->st == GP_OK; i++)
        for (size_t k = 0; k < cases[i].count; k++)
            write_case(out, ++number, &cases[i].items[k]);
}
