/* The forms: widths, escapes, several reports, sweeps, and the table of forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <gpuplan/render.h>

#include "support/report_case.h"

static const char quickstart[] = "examples/quickstart.yaml";
enum { ANSWER_LINES = 30 };

static int open_case(void **state) {
    *state = report_case_new(quickstart);
    return 0;
}

static int close_case(void **state) {
    report_case_free(*state);
    return 0;
}

static const char *render(report_case *c, const char *form, const gp_render_options *options) {
    const gp_report *report = report_case_build(c);
    const char *text = NULL;
    size_t len = 0;
    assert_int_equal(
        gp_render_reports(c->arena, gp_renderer_named(form), &report, 1, options, &text, &len),
        GP_OK);
    assert_int_equal(strlen(text), len);
    assert_int_equal(text[len - 1], '\n');
    return text;
}

/* A word that is wider than the line stands alone on it; nothing else may pass the width. */
static void no_line_is_wider(const char *text, size_t width) {
    while (*text != '\0') {
        size_t len = strcspn(text, "\n");
        size_t indent = strspn(text, " ");
        if (len > width && memchr(text + indent, ' ', len - indent) != NULL)
            fail_msg("%zu columns: %.*s", len, (int)len, text);
        text += len + (text[len] == '\n');
    }
}

static void text_keeps_its_width(void **state) {
    no_line_is_wider(render(*state, "text", NULL), 80);
    const gp_render_options wide = {.width = 120};
    no_line_is_wider(render(*state, "text", &wide), 120);
    const gp_render_options narrow = {.width = 66};
    no_line_is_wider(render(*state, "text", &narrow), 66);
}

static void answer_comes_first(void **state) {
    const char *text = render(*state, "text", NULL);
    const char *next = strstr(text, "\nnext ");
    assert_non_null(next);
    size_t lines = 1;
    for (const char *c = text; c < next; c++)
        lines += *c == '\n';
    assert_true(lines < ANSWER_LINES);
    static const char *const words[] = {"resources", "scalability", "WORKLOAD", "pretrain",
                                        "chat",      "SITE",        "FINDINGS"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const char *at = strstr(text, words[i]);
        assert_non_null(at);
        assert_true(at < next);
    }
}

static void text_is_plain(void **state) {
    const char *text = render(*state, "text", NULL);
    for (const char *c = text; *c != '\0'; c++)
        assert_true((*c >= 0x20 && *c < 0x7f) || *c == '\n');
    const gp_render_options colour = {.colour = true};
    assert_non_null(strstr(render(*state, "text", &colour), "\033["));
}

/* Names come from users: they must not move the cursor or become markup. */
static void names_are_tamed(void **state) {
    report_case *c = *state;
    gp_workload *workload = GP_NEW(c->arena, gp_workload);
    assert_non_null(workload);
    *workload = *c->workloads[0].workload;
    workload->name = "a|b <b> \033[31m \"q\"\\ \xff";
    c->workloads[0].workload = workload;
    assert_null(strchr(render(c, "text", NULL), '\033'));
    const char *markdown = render(c, "markdown", NULL);
    assert_non_null(strstr(markdown, "a\\|b &lt;b>"));
    const char *json = render(c, "json", NULL);
    assert_non_null(strstr(json, "a|b <b> \\u001b[31m \\\"q\\\"\\\\ \xef\xbf\xbd"));
}

static void several_reports(void **state) {
    report_case *c = *state;
    const gp_report *report = report_case_build(c);
    const gp_report *reports[] = {report, report};
    const char *text = NULL;
    assert_int_equal(
        gp_render_reports(c->arena, gp_renderer_named("json"), reports, 2, NULL, &text, NULL),
        GP_OK);
    assert_non_null(strstr(text, "\"reports\": ["));
    assert_int_equal(strncmp(text, "{\n  \"schemaVersion\": ", 21), 0);
    assert_int_equal(
        gp_render_reports(c->arena, gp_renderer_named("json"), reports, 0, NULL, &text, NULL),
        GP_OK);
    assert_non_null(strstr(text, "\"reports\": []"));
}

static void sweep_has_a_row_per_value(void **state) {
    report_case *c = *state;
    const gp_report *report = report_case_build(c);
    gp_sweep_row rows[] = {{"10 d", report}, {"20 d", report}};
    const gp_sweep sweep = {.path = "workloads.pretrain.goal.completeWithin",
                            .rows = {.count = 2, .items = rows}};
    for (size_t i = 0; i < gp_renderer_count; i++) {
        const char *text = NULL;
        size_t len = 0;
        assert_int_equal(gp_render_sweep(c->arena, gp_renderers[i], &sweep, NULL, &text, &len),
                         GP_OK);
        assert_non_null(strstr(text, "10 d"));
        assert_non_null(strstr(text, "20 d"));
        assert_non_null(strstr(text, "workloads.pretrain.goal.completeWithin"));
        assert_non_null(strstr(text, "chat"));
    }
}

static void explanation_in_every_form(void **state) {
    report_case *c = *state;
    const gp_report *report = report_case_build(c);
    gp_explanation *explanation = NULL;
    const char *nearest = NULL;
    bool unknown = false;
    assert_int_equal(gp_report_explain(c->arena, &c->result, report, "chat", "tpotP95S",
                                       &explanation, &nearest, &unknown),
                     GP_OK);
    for (size_t i = 0; i < gp_renderer_count; i++) {
        const char *text = NULL;
        assert_int_equal(
            gp_render_explanation(c->arena, gp_renderers[i], explanation, NULL, &text, NULL),
            GP_OK);
        assert_non_null(strstr(text, "performance.tpotP95S"));
        assert_non_null(strstr(text, "decodeStepTime"));
        assert_non_null(strstr(text, "quickstart.yaml:"));
    }
}

static void forms_by_name_and_file(void **state) {
    (void)state;
    assert_string_equal(gp_renderer_name(gp_renderer_named("md")), "markdown");
    assert_null(gp_renderer_named("docx"));
    assert_null(gp_renderer_named(NULL));
    assert_string_equal(gp_renderer_name(gp_renderer_for_file("out/report.JSON")), "json");
    assert_string_equal(gp_renderer_name(gp_renderer_for_file("a.b/report.md")), "markdown");
    assert_null(gp_renderer_for_file("a.json/report"));
    for (size_t i = 0; i < gp_renderer_count; i++) {
        assert_non_null(gp_renderer_help(gp_renderers[i]));
        assert_ptr_equal(gp_renderer_named(gp_renderer_name(gp_renderers[i])), gp_renderers[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(text_keeps_its_width, open_case, close_case),
        cmocka_unit_test_setup_teardown(answer_comes_first, open_case, close_case),
        cmocka_unit_test_setup_teardown(text_is_plain, open_case, close_case),
        cmocka_unit_test_setup_teardown(names_are_tamed, open_case, close_case),
        cmocka_unit_test_setup_teardown(several_reports, open_case, close_case),
        cmocka_unit_test_setup_teardown(sweep_has_a_row_per_value, open_case, close_case),
        cmocka_unit_test_setup_teardown(explanation_in_every_form, open_case, close_case),
        cmocka_unit_test(forms_by_name_and_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
