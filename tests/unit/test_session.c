/* Sessions: the library as other programs use it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <gpuplan/gpuplan.h>

static const size_t room = (size_t)256 << 20;
static const char *const spec_name = "examples/minimal.yaml";

static void add_example(gp_session *session, const char *path, const char *name) {
    static char data[1 << 16];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t len = fread(data, 1, sizeof data, file);
    fclose(file);
    assert_int_equal(gp_session_add(session, name, data, len), GP_OK);
}

static gp_session *session_with(const char *path) {
    gp_session *session = gp_session_new(room);
    assert_non_null(session);
    add_example(session, path, path);
    return session;
}

static void a_plan_becomes_forms(void **state) {
    (void)state;
    gp_session *session = session_with(spec_name);
    gp_report_list first = {0}, again = {0};
    const char *json = NULL, *text = NULL, *other = NULL;
    size_t len = 0;
    assert_int_equal(gp_session_plan(session, GP_SESSION_SIZE, &spec_name, 1, &first), GP_OK);
    assert_int_equal(first.count, 1);
    assert_true(first.items[0]->workloads.count > 0);
    assert_int_equal(gp_session_render(session, "json", &first, NULL, &json, &len), GP_OK);
    assert_int_equal(strlen(json), len);
    assert_int_equal(gp_session_render(session, "text", &first, NULL, &text, &len), GP_OK);
    assert_int_equal(gp_session_render(session, "poem", &first, NULL, &text, &len),
                     GP_ERR_NOT_FOUND);
    /* The same inputs are the same bytes; what was written is read back whole. */
    assert_int_equal(gp_session_plan(session, GP_SESSION_SIZE, &spec_name, 1, &again), GP_OK);
    assert_int_equal(gp_session_render(session, "json", &again, NULL, &other, &len), GP_OK);
    assert_string_equal(json, other);
    assert_int_equal(gp_session_add(session, "report.json", json, strlen(json)), GP_OK);
    assert_int_equal(gp_session_read(session, "report.json", &again), GP_OK);
    assert_int_equal(gp_session_render(session, "text", &again, NULL, &other, &len), GP_OK);
    assert_string_equal(text, other);
    gp_session_free(session);
}

static void overrides_and_replaced_files_count(void **state) {
    (void)state;
    gp_session *session = session_with(spec_name);
    gp_report_list reports = {0};
    const char *messages = NULL;
    assert_int_equal(gp_session_set(session, "workloads.nobody.goal.deadline", "1d"), GP_OK);
    assert_int_equal(gp_session_plan(session, GP_SESSION_SIZE, &spec_name, 1, &reports),
                     GP_ERR_INPUT);
    assert_int_equal(reports.count, 0);
    assert_true(gp_session_diags(session)->errors > 0);
    assert_int_equal(gp_session_messages(session, &messages), GP_OK);
    assert_non_null(strstr(messages, "nobody"));
    gp_session_free(session);
    session = session_with(spec_name);
    assert_int_equal(gp_session_add(session, spec_name, "kind: Plan\n", 11), GP_OK);
    assert_int_equal(gp_session_plan(session, GP_SESSION_SIZE, &spec_name, 1, &reports),
                     GP_ERR_INPUT);
    gp_session_free(session);
}

/* Traces and price lists are those that were added under the name that the spec has for them. */
static void named_files_are_those_added(void **state) {
    (void)state;
    static const char *const names[] = {"plan.yaml", "prices.yaml"};
    static const char prices[] = "apiVersion: gpuplan/v1\nkind: Prices\nmetadata: {name: own}\n"
                                 "spec: {items: [{item: part/rack, price: 3000 USD}]}\n";
    gp_session *session = gp_session_new(room);
    gp_report_list reports = {0};
    const char *messages = NULL;
    add_example(session, spec_name, names[0]);
    assert_int_equal(gp_session_set(session, "costs.prices", "[file:prices.yaml]"), GP_OK);
    assert_int_equal(gp_session_plan(session, GP_SESSION_CHECK, names, 1, &reports), GP_ERR_INPUT);
    assert_int_equal(gp_session_messages(session, &messages), GP_OK);
    assert_non_null(strstr(messages, "no file \"prices.yaml\" in the session"));
    assert_int_equal(gp_session_add(session, names[1], prices, sizeof prices - 1), GP_OK);
    const gp_status st = gp_session_plan(session, GP_SESSION_CHECK, names, 1, &reports);
    assert_int_equal(gp_session_messages(session, &messages), GP_OK);
    if (st != GP_OK)
        fail_msg("%s", messages);
    assert_int_equal(reports.items[0]->inputs.prices.count, 1);
    assert_int_equal(gp_session_plan(session, GP_SESSION_SIZE, &names[1], 1, &reports),
                     GP_ERR_NOT_FOUND);
    gp_session_free(session);
}

static void exports_say_why_not(void **state) {
    (void)state;
    gp_session *session = session_with(spec_name);
    gp_report_list reports = {0};
    gp_export_problem problem;
    const char *text = NULL;
    size_t len = 0;
    assert_int_equal(gp_session_plan(session, GP_SESSION_SIZE, &spec_name, 1, &reports), GP_OK);
    assert_int_equal(
        gp_session_export(session, "bom", reports.items[0], NULL, &problem, &text, &len), GP_OK);
    assert_int_equal(
        gp_session_export(session, "song", reports.items[0], NULL, &problem, &text, &len),
        GP_ERR_NOT_FOUND);
    gp_session_free(session);
}

static void memory_is_bounded(void **state) {
    (void)state;
    bool whole = false;
    assert_null(gp_session_new(64));
    for (size_t kib = 256; !whole; kib *= 2) {
        gp_session *session = gp_session_new(kib << 10);
        gp_report_list reports = {0};
        add_example(session, spec_name, spec_name);
        const gp_status st = gp_session_plan(session, GP_SESSION_SIZE, &spec_name, 1, &reports);
        assert_true(st == GP_OK || st == GP_ERR_NO_MEMORY);
        whole = st == GP_OK;
        gp_session_free(session);
        assert_true(kib < 1 << 20);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_becomes_forms),
        cmocka_unit_test(overrides_and_replaced_files_count),
        cmocka_unit_test(named_files_are_those_added),
        cmocka_unit_test(exports_say_why_not),
        cmocka_unit_test(memory_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
