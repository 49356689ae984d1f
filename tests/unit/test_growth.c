/* Growth by quarter: scenarios, purchases that stay, order dates. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/plan_flow.h"

static const char greenfield[] = "examples/greenfield.yaml";

static void scenarios_enclose_the_expected(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new((size_t)1 << 30);
    const gp_plan_result *result = gp_test_plan(arena, greenfield, NULL, 0);
    assert_int_equal(result->growth_count, 8);
    for (int i = 0; i < result->growth_count; i++) {
        const gp_growth_row *row = &result->growth[i];
        assert_true(row->nodes_low <= row->nodes && row->nodes <= row->nodes_high);
    }
    assert_true(result->growth[7].nodes_low < result->growth[7].nodes);
    assert_true(result->growth[7].nodes < result->growth[7].nodes_high);
    gp_arena_free(arena);
}

/* 26 weeks before 2027-04-01 is 2026-10-01, before 2028-04-01 2027-10-02: 2028 has a leap day. */
static void purchases_are_ordered_in_time(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new((size_t)1 << 30);
    const gp_plan_result *result = gp_test_plan(arena, greenfield, NULL, 0);
    int64_t there = result->site.bought_nodes;
    for (int i = 0; i < result->growth_count; i++) {
        const gp_growth_row *row = &result->growth[i];
        there += row->buy_nodes;
        assert_true(there >= row->nodes);
        assert_true((row->order_by > 0) == (row->buy_nodes > 0));
        assert_true(row->order_by < row->quarter);
    }
    assert_int_equal(result->growth[1].order_by, 20261001);
    assert_int_equal(result->growth[5].order_by, 20271002);
    gp_arena_free(arena);
}

static void machines_are_bought_in_modules(void **state) {
    static const gp_override module[] = {{"growth.module", "8"}};
    (void)state;
    gp_arena *arena = gp_arena_new((size_t)1 << 30);
    const gp_plan_result *result = gp_test_plan(arena, greenfield, module, 1);
    int64_t there = result->site.bought_nodes;
    for (int i = 0; i < result->growth_count; i++) {
        assert_int_equal(result->growth[i].buy_nodes % 8, 0);
        there += result->growth[i].buy_nodes;
        assert_true(there >= result->growth[i].nodes && there < result->growth[i].nodes + 8);
    }
    gp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenarios_enclose_the_expected),
        cmocka_unit_test(purchases_are_ordered_in_time),
        cmocka_unit_test(machines_are_bought_in_modules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
