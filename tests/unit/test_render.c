/* The forms: widths, escapes, several reports, sweeps, and the table of forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "render/forms.h"

#include "render/table.h"
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

/* A word that is wider than the line stands alone on it, and commands are never cut; nothing else
 * may pass the width. */
static void no_line_is_wider(const char *text, size_t width) {
    while (*text != '\0') {
        size_t len = strcspn(text, "\n");
        size_t indent = strspn(text, " ");
        const char *command = strstr(text, "gpuplan ");
        const bool pasted = command != NULL && command < text + len;
        if (len > width && !pasted && memchr(text + indent, ' ', len - indent) != NULL)
            fail_msg("%zu columns: %.*s", len, (int)len, text);
        text += len + (text[len] == '\n');
    }
}

static void text_keeps_its_width(void **state) {
    const gp_render_options normal = {.width = 80, .detail = GP_DETAIL_NORMAL};
    no_line_is_wider(render(*state, "text", &normal), 80);
    const gp_render_options wide = {.width = 120, .detail = GP_DETAIL_NORMAL};
    no_line_is_wider(render(*state, "text", &wide), 120);
    const gp_render_options narrow = {.width = 66, .detail = GP_DETAIL_NORMAL};
    no_line_is_wider(render(*state, "text", &narrow), 66);
}

static void answer_comes_first(void **state) {
    const char *text = render(*state, "text", NULL);
    const char *next = strstr(text, "\nNext ");
    assert_non_null(next);
    static const char *const words[] = {
        "holds with", "WORKLOAD",         "pretrain",     "chat",
        "\nBuy ",     "\nSite ",          "\nRange ",     "\nAll on ",
        "\nChecks ",  "? = not assessed", "step by step", "change the answer"};
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

/* The next command can be pasted, whatever the names hold. */
static void next_command_is_quoted(void **state) {
    report_case *c = *state;
    gp_workload *workload = GP_NEW(c->arena, gp_workload);
    assert_non_null(workload);
    *workload = *c->workloads[0].workload;
    workload->name = "my chat\n\302\233";
    c->workloads[0].workload = workload;
    const gp_render_options options = {.command = "my plan.yaml", .width = 200};
    const char *text = render(c, "text", &options);
    assert_non_null(strstr(text, "gpuplan explain 'my plan.yaml' $'my chat\\012\\302\\233'\n"));
    assert_null(strstr(text, "\302\233"));
    assert_null(strstr(render(c, "markdown", NULL), "\302\233"));
}

static size_t lines_of(const char *text) {
    size_t lines = 0;
    for (; *text != '\0'; text++)
        lines += *text == '\n';
    return lines;
}

static void detail_tells_how_much(void **state) {
    const gp_render_options answer = {.detail = GP_DETAIL_ANSWER};
    const gp_render_options all = {.detail = GP_DETAIL_ALL};
    const char *shortest = render(*state, "text", &answer);
    const gp_render_options more = {.detail = GP_DETAIL_NORMAL};
    const char *normal = render(*state, "text", &more);
    const char *longest = render(*state, "text", &all);
    assert_true(lines_of(shortest) <= ANSWER_LINES);
    assert_string_equal(render(*state, "text", NULL), shortest);
    assert_true(lines_of(shortest) < lines_of(normal));
    assert_true(lines_of(normal) < lines_of(longest));
    assert_int_equal(strncmp(normal, shortest, strlen(shortest)), 0);
    assert_null(strstr(normal, "\nnote  "));
    assert_non_null(strstr(normal, "--detail all shows them"));
    assert_non_null(strstr(longest, "\nnote  "));
    assert_null(strstr(longest, "--detail all"));
}

static void sources_are_told_once(void **state) {
    report_case *c = *state;
    const gp_report *report = report_case_build(c);
    gp_explanation *explanation = NULL;
    const char *nearest = NULL;
    const char *text = NULL;
    bool unknown = false;
    const gp_render_options wide = {.width = 1000};
    assert_int_equal(gp_report_explain(c->arena, &c->result, report, "chat", "ttftP95S",
                                       &explanation, &nearest, &unknown),
                     GP_OK);
    assert_int_equal(
        gp_forms_render(c->arena, &gp_forms_explanation, "text", explanation, &wide, &text, NULL),
        GP_OK);
    const char *list = strstr(text, "\nSources\n");
    assert_non_null(list);
    for (size_t i = 0; i < explanation->terms.count; i++) {
        const char *source = explanation->terms.items[i].source;
        const char *first = source != NULL ? strstr(text, source) : NULL;
        assert_true(first == NULL || first > list);
        for (size_t k = 0; k < explanation->terms.items[i].inputs.count; k++)
            assert_non_null(explanation->terms.items[i].inputs.items[k].name);
    }
    assert_null(strstr(text, " = -  ("));
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
        const char *form = gp_renderer_name(gp_renderers[i]);
        const gp_status st =
            gp_forms_render(c->arena, &gp_forms_sweep, form, &sweep, NULL, &text, &len);
        assert_int_equal(st, gp_forms_have(&gp_forms_sweep, form) ? GP_OK : GP_ERR_NOT_FOUND);
        if (st != GP_OK)
            continue;
        assert_non_null(strstr(text, "10 d"));
        assert_non_null(strstr(text, "20 d"));
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
    const char *form = NULL;
    for (size_t i = 0; (form = gp_forms_name(&gp_forms_explanation, i)) != NULL; i++) {
        const char *text = NULL;
        assert_int_equal(
            gp_forms_render(c->arena, &gp_forms_explanation, form, explanation, NULL, &text, NULL),
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

/* Cells go on below themselves where there is no room; only what takes too many lines is cut. */
static void cells_wrap(void **state) {
    report_case *c = *state;
    gp_buf buf;
    gp_buf_init(&buf, c->arena, 4096);
    gp_form_out out = {.buf = &buf, .width = 26};
    gp_table table = {.columns = 3,
                      .headers = {"WHAT", "COUNT", "WHY"},
                      .right = {false, true, false},
                      .shrink = {true, false, true}};
    const char *const rows[][3] = {
        {"rack", "2", "short"},
        {"coolant distribution unit", "1", "heat"},
        {"abcdefghijklmnopqrstuvwxyz-abcdefghijklmnopqrstuvwxyz-abcdefghijklm", "3", ""}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        const char **cells = gp_table_row(&out, &table);
        assert_non_null(cells);
        for (size_t i = 0; i < 3; i++)
            cells[i] = rows[r][i];
    }
    gp_table_print(&out, &table, 0);
    const char *text = NULL;
    assert_int_equal(gp_buf_finish(&buf, &text, NULL), GP_OK);
    assert_string_equal(text, "WHAT          COUNT  WHY\n"
                              "rack              2  short\n"
                              "coolant           1  heat\n"
                              "distribution\n"
                              "unit\n"
                              "abcdefghijkl      3\n"
                              "mnopqrstuvwx\n"
                              "yz-\n"
                              "abcdefghijkl\n"
                              "mnopqrstuvwx\n"
                              "yz-abcdefg..\n");
}

/* Shares near the whole keep the digits that tell them from it. */
static void near_shares_keep_their_digits(void **state) {
    report_case *c = *state;
    gp_buf buf;
    gp_buf_init(&buf, c->arena, 4096);
    gp_form_out out = {.buf = &buf, .width = 80};
    const gp_report_goal goal = {.dim = GP_DIM_FRACTION};
    assert_string_equal(gp_form_goal_figure(&out, &goal, 0.999), "99.9%");
    assert_string_equal(gp_form_goal_figure(&out, &goal, 0.99971), "99.97%");
    assert_string_equal(gp_form_goal_figure(&out, &goal, 0.9999962), "99.9996%");
    assert_string_equal(gp_form_goal_figure(&out, &goal, 1), "100%");
    assert_string_equal(gp_form_goal_figure(&out, &goal, 0.42), "42%");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(cells_wrap, open_case, close_case),
        cmocka_unit_test_setup_teardown(near_shares_keep_their_digits, open_case, close_case),
        cmocka_unit_test_setup_teardown(text_keeps_its_width, open_case, close_case),
        cmocka_unit_test_setup_teardown(answer_comes_first, open_case, close_case),
        cmocka_unit_test_setup_teardown(text_is_plain, open_case, close_case),
        cmocka_unit_test_setup_teardown(names_are_tamed, open_case, close_case),
        cmocka_unit_test_setup_teardown(next_command_is_quoted, open_case, close_case),
        cmocka_unit_test_setup_teardown(detail_tells_how_much, open_case, close_case),
        cmocka_unit_test_setup_teardown(sources_are_told_once, open_case, close_case),
        cmocka_unit_test_setup_teardown(several_reports, open_case, close_case),
        cmocka_unit_test_setup_teardown(sweep_has_a_row_per_value, open_case, close_case),
        cmocka_unit_test_setup_teardown(explanation_in_every_form, open_case, close_case),
        cmocka_unit_test(forms_by_name_and_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
