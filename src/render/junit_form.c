/*
 * The JUnit form: a suite per plan, a case per finding and per rule that found nothing. A finding
 * at or above the level that fails is a failure, another one is told in the case's output.
 */
#include "render/gate.h"

static void counts(gp_buf *buf, const gp_gate_cases *cases) {
    gp_buf_printf(buf, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\"", cases->count,
                  gp_gate_count(cases, GP_GATE_FAILED), gp_gate_count(cases, GP_GATE_SKIPPED));
}

static void write_case(gp_form_out *out, const gp_gate_case *it) {
    gp_gate_junit one = {.name = gp_form_text(out, "%s %s", it->rule, it->title),
                         .group = it->group,
                         .skipped = it->skipped};
    if (it->finding != NULL)
        one.text = gp_gate_sentence(out, it->finding);
    if (it->state == GP_GATE_FAILED) {
        one.failed = it->rule;
        one.message = gp_form_or(it->finding->message, it->rule);
    } else if (it->finding != NULL) {
        one.text = gp_form_text(out, "%s: %s", it->finding->level, one.text);
    }
    gp_gate_write_junit(out->buf, &one);
}

static void write_suite(gp_form_out *out, const gp_report *report, const gp_gate_cases *cases) {
    gp_buf *buf = out->buf;
    gp_buf_str(buf, "  <testsuite");
    gp_gate_attribute(
        buf, "name",
        gp_form_or(report->inputs.spec.path, gp_form_or(report->summary.plan, "plan")));
    counts(buf, cases);
    gp_buf_str(buf, " time=\"0\">\n");
    for (size_t i = 0; i < cases->count && buf->st == GP_OK; i++)
        write_case(out, &cases->items[i]);
    gp_buf_str(buf, "  </testsuite>\n");
}

void gp_reports_junit(gp_form_out *out, const void *result) {
    const gp_report_list *reports = result;
    gp_gate_cases *cases = GP_NEW_ARRAY(out->buf->arena, gp_gate_cases, reports->count);
    size_t tests = 0;
    size_t failures = 0;
    for (size_t i = 0; i < reports->count; i++) {
        cases[i] = gp_gate_cases_of(out, reports->items[i]);
        tests += cases[i].count;
        failures += gp_gate_count(&cases[i], GP_GATE_FAILED);
    }
    gp_buf_str(out->buf,
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"gpuplan\"");
    gp_buf_printf(out->buf, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" time=\"0\">\n", tests,
                  failures);
    for (size_t i = 0; i < reports->count && out->buf->st == GP_OK; i++)
        write_suite(out, reports->items[i], &cases[i]);
    gp_buf_str(out->buf, "</testsuites>\n");
}
