/* Look-ups in descriptors and bound structs, the walk over all fields, and dotted paths. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/model.h"

#include "model/fields.h"
#include "schema/field.h"
#include "schema/overlay.h"
#include "schema/visit.h"
#include "support/read_case.h"

static void rows_are_found_by_key_and_offset(void **state) {
    (void)state;
    int row = gp_field_named(&gp_pool_rows, "inUse", 5);
    assert_true(row >= 0);
    assert_int_equal(gp_field_at(&gp_pool_rows, offsetof(gp_pool, in_use)), row);
    assert_int_equal(gp_field_named(&gp_pool_rows, "inuse", 5), -1);
    assert_int_equal(gp_field_named(&gp_pool_rows, "inUse", 3), -1);
    assert_int_equal(gp_field_at(&gp_pool_rows, 1), -1);
    assert_string_equal(gp_struct_id_field(&gp_pool_rows)->key, "name");
    assert_null(gp_struct_id_field(&gp_data_rows));
}

static void a_struct_that_was_never_bound_has_no_origins(void **state) {
    (void)state;
    gp_pool pool = {.count = 3};
    assert_false(GP_GIVEN(&pool, gp_pool, count));
    assert_int_equal(GP_ORIGIN_OF(&pool, gp_pool, count)->kind, GP_ORIGIN_NONE);
}

static const char workload[] =
    "  workloads:\n"
    "    - name: chat-3.1\n"
    "      type: inference\n"
    "      model: llama-3.1-70b\n"
    "      traffic: {requestsPerSecond: {mean: 8, p95: 20}, inputTokens: 2000, outputTokens: 400}\n"
    "  growth: {scenarios: {expected: {chat-3.1: 5%/mo}}}\n";

static void count_defaults(const gp_visit *visit) {
    size_t *count = visit->context;
    *count += visit->origin->kind == GP_ORIGIN_DEFAULT;
}

static void find_path(const gp_visit *visit) {
    bool *seen = visit->context;
    bool here = strcmp(visit->path, "workloads.chat-3.1.traffic.requestsPerSecond.p95") == 0;
    if (here) {
        double value;
        memcpy(&value, visit->value, sizeof value);
        *seen = fabs(value - 20) < 1e-9 && visit->origin->kind == GP_ORIGIN_SPEC;
    }
}

static void the_walk_gives_paths_values_and_origins(void **state) {
    (void)state;
    read_case c = read_spec(workload);
    size_t defaults = 0;
    bool seen = false;
    assert_int_equal(c.st, GP_OK);
    gp_struct_visit(c.arena, &c.plan->spec, "", find_path, &seen);
    assert_true(seen);
    gp_struct_visit(c.arena, &c.plan->spec, "", count_defaults, &defaults);
    assert_true(defaults > 3);
    read_done(&c);
}

static read_case set(const char *path, const char *value) {
    static char text[2000];
    const gp_override override = {path, value};
    snprintf(text, sizeof text,
             "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: t}\nspec:\n"
             "  cluster: {pools: [{name: gpu, system: dgx-h200, count: 2}]}\n%s",
             workload);
    return read_text_with(text, &override, 1);
}

static void paths_set_fields(void **state) {
    (void)state;
    read_case c = set("workloads.chat-3.1.traffic.requestsPerSecond", "80");
    const gp_distribution *rate = &c.plan->spec.workloads.items[0].traffic.requests_per_s;
    assert_int_equal(c.st, GP_OK);
    assert_true(fabs(rate->mean - 80) < 1e-9);
    assert_int_equal(GP_ORIGIN_OF(rate, gp_distribution, mean)->kind, GP_ORIGIN_FLAG);
    assert_false(GP_GIVEN(rate, gp_distribution, p95)); /* the scalar stands for all of it */
    read_done(&c);

    c = set("workloads[0].traffic.requestsPerSecond.p95", "33/s");
    assert_int_equal(c.st, GP_OK);
    assert_true(fabs(c.plan->spec.workloads.items[0].traffic.requests_per_s.p95 - 33) < 1e-9);
    assert_true(fabs(c.plan->spec.workloads.items[0].traffic.requests_per_s.mean - 8) < 1e-9);
    read_done(&c);

    c = set("site.power.itCapacity", "1 MW"); /* groups on the way come to be */
    assert_int_equal(c.st, GP_OK);
    assert_true(GP_GIVEN(&c.plan->spec, gp_plan_spec, site));
    assert_int_equal(c.plan->spec.site.power.feeds, 1);
    read_done(&c);

    c = set("growth.scenarios.expected.chat-3.1", "10%/mo");
    assert_int_equal(c.st, GP_OK);
    assert_int_equal(c.plan->spec.growth.scenarios.expected.count, 1);
    assert_string_equal(c.plan->spec.growth.scenarios.expected.items[0].text, "10%/mo");
    read_done(&c);

    c = set("metadata.name", "other");
    assert_string_equal(c.plan->metadata.name, "other");
    read_done(&c);

    c = set("spec.candidates", "[dgx-h100, dgx-b200]");
    assert_int_equal(c.st, GP_OK);
    assert_int_equal(c.plan->spec.candidates.allow.count, 2);
    read_done(&c);

    c = set("candidates.allow", "dgx-h200"); /* one word is a list of one */
    assert_int_equal(c.st, GP_OK);
    assert_int_equal(c.plan->spec.candidates.allow.count, 1);
    assert_string_equal(c.plan->spec.candidates.allow.items[0], "dgx-h200");
    read_done(&c);
}

static void bad_paths_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *path, *value, *id;
    } cases[] = {
        {"workloads.chat.priority", "1", "GP1021"},
        {"workloads[1].priority", "1", "GP1021"},
        {"workloads[x].priority", "1", "GP1021"},
        {"workloads[0]", "1", "GP1021"},
        {"workloads.chat-3.1", "1", "GP1021"},
        {"workloads.chat-3.1.trafic.branches", "1", "GP1021"},
        {"workloads.chat-3.1.priority.x", "1", "GP1021"},
        {"growth.scenarios.expected.", "1%/yr", "GP1021"},
        {"", "1", "GP1021"},
        {"..", "1", "GP1021"},
        {"workloads[99999999999999999999].priority", "1", "GP1021"},
        {"site.power.itCapacity", "1 kg", "GP1011"},
        {"site.power.feeds", "many", "GP1004"},
        {"site.power.feeds", "[1", "GP1001"},
        {"site.power.feeds", "", "GP1007"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        read_case c = set(cases[i].path, cases[i].value);
        if (strcmp(read_ids(&c), cases[i].id) != 0) {
            fail_msg("%s=%s: %s", cases[i].path, cases[i].value, read_messages(&c));
        }
        assert_int_equal(c.st, GP_ERR_INPUT);
        read_done(&c);
    }
    read_case c = set("workloads.chat-3.1.trafic.branches", "1");
    assert_string_equal(c.diags.items[0].nearest, "traffic");
    read_done(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_found_by_key_and_offset),
        cmocka_unit_test(a_struct_that_was_never_bound_has_no_origins),
        cmocka_unit_test(the_walk_gives_paths_values_and_origins),
        cmocka_unit_test(paths_set_fields),
        cmocka_unit_test(bad_paths_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
