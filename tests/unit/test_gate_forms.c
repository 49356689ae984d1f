/* The forms for gates and other programs: whatever names hold, they stay texts; counts agree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "render/forms.h"

#include "support/report_case.h"

static const char quickstart[] = "examples/quickstart.yaml";
static const char hostile[] =
    "=cmd()</script>]]>\n::error::x\r# y \"q\" \\ %0A \033[31m \342\200\256 "
    "\xff & ',";
static const char *const forms[] = {"csv", "yaml",   "sarif",  "junit",
                                    "tap", "github", "gitlab", "openmetrics"};
enum { FORMS = sizeof forms / sizeof forms[0] };

static int open_case(void **state) {
    *state = report_case_new(quickstart);
    return 0;
}

static int close_case(void **state) {
    report_case_free(*state);
    return 0;
}

static const char *render_report(report_case *c, const gp_report *report, const char *form,
                                 const char *fail_level) {
    const gp_render_options options = {.fail_level = fail_level};
    const char *text = NULL;
    size_t len = 0;
    assert_int_equal(
        gp_render_reports(c->arena, gp_renderer_named(form), &report, 1, &options, &text, &len),
        GP_OK);
    assert_int_equal(strlen(text), len);
    assert_int_equal(text[len - 1], '\n');
    return text;
}

static const char *render(report_case *c, const char *form, const char *fail_level) {
    return render_report(c, report_case_build(c), form, fail_level);
}

static size_t count_of(const char *text, const char *word) {
    size_t count = 0;
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word))
        count++;
    return count;
}

static size_t lines_starting(const char *text, const char *word) {
    size_t count = strncmp(text, word, strlen(word)) == 0;
    for (const char *at = strchr(text, '\n'); at != NULL; at = strchr(at + 1, '\n'))
        count += strncmp(at + 1, word, strlen(word)) == 0;
    return count;
}

static void name_hostile(report_case *c) {
    gp_workload *workload = GP_NEW(c->arena, gp_workload);
    assert_non_null(workload);
    *workload = *c->workloads[0].workload;
    workload->name = hostile;
    c->workloads[0].workload = workload;
}

/* No form lets a name move the cursor, turn the text around or start a line of its own. */
static void names_stay_texts(void **state) {
    report_case *c = *state;
    name_hostile(c);
    for (size_t i = 0; i < FORMS; i++) {
        const char *text = render(c, forms[i], NULL);
        assert_null(strchr(text, '\033'));
        assert_null(strchr(text, '\r'));
        assert_int_equal(lines_starting(text, "::error::x"), 0);
    }
    assert_null(strstr(render(c, "junit", NULL), "</script>"));
    assert_null(strstr(render(c, "junit", NULL), "\xff"));
    assert_null(strstr(render(c, "html", NULL), "</script>"));
    assert_null(strstr(render(c, "html", NULL), "\342\200\256"));
    assert_int_equal(lines_starting(render(c, "csv", NULL), "quickstart,=cmd"), 0);
    assert_non_null(strstr(render(c, "csv", NULL), "quickstart,\"'=cmd()"));
    assert_non_null(strstr(render(c, "tap", NULL), "\\# y"));
    assert_non_null(strstr(render(c, "github", NULL), "%250A"));
}

/* The page asks nobody for anything, and every element that is opened is closed. */
static void page_stands_alone(void **state) {
    static const char *const elements[] = {"section", "table", "svg", "figure", "details", "dl",
                                           "tr",      "ul",    "h2",  "main",   "tbody"};
    const char *text = render(*state, "html", NULL);
    assert_null(strstr(text, "<script"));
    assert_null(strstr(text, "src="));
    assert_null(strstr(text, "url("));
    assert_null(strstr(text, "href=\"http")); /* sources are named, not linked */
    assert_null(strstr(text, "@import"));
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++) {
        char open[32];
        char close[32];
        (void)snprintf(open, sizeof open, "<%s", elements[i]);
        (void)snprintf(close, sizeof close, "</%s>", elements[i]);
        const size_t longer = strcmp(elements[i], "tr") == 0 ? count_of(text, "<tro") : 0;
        if (count_of(text, open) - longer != count_of(text, close))
            fail_msg("%s: %zu and %zu", elements[i], count_of(text, open), count_of(text, close));
    }
}

/* The parts that a reader who has to sign looks for, the answer before all of them. */
static void page_has_every_part(void **state) {
    static const char *const parts[] = {
        "id=\"checks\"", "id=\"findings\"", "id=\"w1\"",     "id=\"w4\"",
        "id=\"site\"",   "id=\"bill\"",     "id=\"cost\"",   "id=\"tests\"",
        "id=\"method\"", "id=\"sources\"",  "id=\"inputs\"",
    };
    static const char *const charts[] = {"Goals: the bar",
                                         "Memory of the fullest GPU",
                                         "Where the step time goes",
                                         "Machine types considered",
                                         "What would move the answer",
                                         "The fullest of",
                                         "Fabric "};
    const char *text = render(*state, "html", NULL);
    const char *at = strstr(text, "quickstart holds with");
    assert_non_null(at);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const char *next = strstr(at, parts[i]);
        if (next == NULL)
            fail_msg("%s is missing or before another", parts[i]);
        at = next;
    }
    for (size_t i = 0; i < sizeof charts / sizeof charts[0]; i++)
        if (strstr(text, charts[i]) == NULL)
            fail_msg("%s is missing", charts[i]);
}

/* Links of the page lead to ids that are there, each once. */
static void links_lead_somewhere(void **state) {
    const char *text = render(*state, "html", NULL);
    const char *link = strstr(text, "href=\"#");
    assert_non_null(link);
    for (; link != NULL; link = strstr(link + 1, "href=\"#")) {
        char id[64];
        const char *name = link + strlen("href=\"#");
        (void)snprintf(id, sizeof id, " id=\"%.*s\"", (int)strcspn(name, "\""), name);
        if (count_of(text, id) != 1)
            fail_msg("%s is there %zu times", id, count_of(text, id));
    }
}

/* Every line of TAP is the plan, a test, or inside a block; N tests in 1..N. */
static void tap_counts(void **state) {
    report_case *c = *state;
    name_hostile(c);
    const char *text = render(c, "tap", NULL);
    size_t tests = lines_starting(text, "ok ") + lines_starting(text, "not ok ");
    const char *plan = strstr(text, "\n1..");
    assert_non_null(plan);
    assert_int_equal(strtoul(plan + strlen("\n1.."), NULL, 10), tests);
    assert_int_equal(lines_starting(text, "  ---"), lines_starting(text, "  ..."));
}

/* The threshold decides what is a failure; the counts of the root are those of the cases. */
static void junit_counts(void **state) {
    const char *lenient = render(*state, "junit", NULL);
    const char *strict = render(*state, "junit", "note");
    const gp_report *report = report_case_build(*state);
    char failures[32];
    assert_int_equal(count_of(lenient, "<failure"), 0);
    assert_int_equal(count_of(strict, "<failure"), report->findings.count);
    (void)snprintf(failures, sizeof failures, "failures=\"%zu\"", report->findings.count);
    assert_int_equal(count_of(strict, failures), 2);
    assert_int_equal(count_of(strict, "<testcase"), count_of(lenient, "<testcase"));
    assert_int_equal(lines_starting(render(*state, "tap", "note"), "not ok "),
                     report->findings.count);
}

/* Rules without a finding are there as cases that passed. */
static void rules_are_cases(void **state) {
    const char *text = render(*state, "junit", NULL);
    for (size_t i = 0; i < gp_report_rule_count; i++)
        assert_non_null(strstr(text, gp_report_rules[i].id));
}

/* Two findings never share a fingerprint, not even of one rule about the plan as a whole, and a
 * moved line keeps it. */
static void fingerprints_tell_apart(void **state) {
    report_case *c = *state;
    gp_report twice = *report_case_build(c);
    const gp_report *report = &twice;
    gp_report_finding *items = GP_NEW_ARRAY(c->arena, gp_report_finding, twice.findings.count + 2);
    memcpy(items, twice.findings.items, twice.findings.count * sizeof *items);
    for (size_t i = 0; i < 2; i++)
        items[twice.findings.count++] = (gp_report_finding){
            .id = "GP7003", .level = "note", .message = i == 0 ? "a.b is read" : "c.d is read"};
    twice.findings.items = items;
    const char *before = render_report(c, report, "gitlab", NULL);
    static const char key[] = "\"fingerprint\": \"";
    size_t count = 0;
    for (const char *at = strstr(before, key); at != NULL; at = strstr(at + 1, key)) {
        char print[sizeof key + 64];
        memcpy(print, at, sizeof print - 1);
        print[sizeof print - 1] = '\0';
        assert_int_equal(count_of(before, print), 1);
        count++;
    }
    assert_int_equal(count, report->findings.count);
    gp_report moved = *report;
    moved.findings.items = GP_NEW_ARRAY(c->arena, gp_report_finding, report->findings.count);
    for (size_t i = 0; i < report->findings.count; i++) {
        moved.findings.items[i] = report->findings.items[i];
        moved.findings.items[i].line += 7;
    }
    const char *after = render_report(c, &moved, "gitlab", NULL);
    assert_string_not_equal(before, after);
    const char *first = strstr(before, key);
    assert_memory_equal(strstr(after, key), first, sizeof key + 64);
}

/* Ten of a level are shown by a step: nine, and one that counts the rest. */
static void annotations_are_capped(void **state) {
    report_case *c = *state;
    const gp_report *report = report_case_build(c);
    enum { MANY = 30 };
    gp_report crowded = *report;
    crowded.findings.items = GP_NEW_ARRAY(c->arena, gp_report_finding, MANY);
    crowded.findings.count = MANY;
    for (size_t i = 0; i < MANY; i++) {
        crowded.findings.items[i] = report->findings.items[0];
        crowded.findings.items[i].level = "error";
    }
    const char *text = render_report(c, &crowded, "github", NULL);
    assert_int_equal(lines_starting(text, "::error "), 9);
    assert_non_null(strstr(text, "\n::error::and 21 more errors\n"));
}

/* OpenMetrics: one TYPE per family, the last line says that nothing was cut. */
static void metrics_end_whole(void **state) {
    report_case *c = *state;
    name_hostile(c);
    const char *text = render(c, "openmetrics", NULL);
    assert_string_equal(text + strlen(text) - strlen("# EOF\n"), "# EOF\n");
    assert_int_equal(count_of(text, "# TYPE gpuplan_workload_gpus gauge\n"), 1);
    assert_int_equal(lines_starting(text, "gpuplan_workload_gpus{"),
                     report_case_build(c)->workloads.count);
    assert_non_null(strstr(text, "\\\"q\\\" \\\\"));
}

static void table_tells_what_a_form_takes(void **state) {
    (void)state;
    assert_true(gp_forms_have(&gp_forms_sweep, "json"));
    assert_false(gp_forms_have(&gp_forms_sweep, "sarif"));
    assert_false(gp_forms_have(&gp_forms_explanation, "junit"));
    assert_ptr_equal(gp_renderer_for_file("a/b.sarif"), gp_renderer_named("sarif"));
    assert_ptr_equal(gp_renderer_for_file("b.xml"), gp_renderer_named("junit"));
    assert_null(gp_renderer_for_file("b.gitlab"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(names_stay_texts, open_case, close_case),
        cmocka_unit_test_setup_teardown(page_stands_alone, open_case, close_case),
        cmocka_unit_test_setup_teardown(page_has_every_part, open_case, close_case),
        cmocka_unit_test_setup_teardown(links_lead_somewhere, open_case, close_case),
        cmocka_unit_test_setup_teardown(tap_counts, open_case, close_case),
        cmocka_unit_test_setup_teardown(junit_counts, open_case, close_case),
        cmocka_unit_test_setup_teardown(rules_are_cases, open_case, close_case),
        cmocka_unit_test_setup_teardown(fingerprints_tell_apart, open_case, close_case),
        cmocka_unit_test_setup_teardown(annotations_are_capped, open_case, close_case),
        cmocka_unit_test_setup_teardown(metrics_end_whole, open_case, close_case),
        cmocka_unit_test(table_tells_what_a_form_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
