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

/* The first machine is needed in the month before its quarter: 26 weeks before 2027-02-01 is
 * 2026-08-03, before 2028-05-01 2027-11-01, since 2028 has a leap day. What was bought is paid for
 * in every year after. */
static void purchases_are_ordered_in_time(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new((size_t)1 << 30);
    const gp_plan_result *result = gp_test_plan(arena, greenfield, NULL, 0);
    int64_t there = 0; /* the first quarter buys what the plan buys, too */
    assert_true(result->growth[0].site.bought_nodes >= result->site.bought_nodes);
    for (int i = 0; i < result->growth_count; i++) {
        const gp_growth_row *row = &result->growth[i];
        there += row->site.bought_nodes;
        assert_int_equal(there, row->nodes);
        assert_true((row->order_by > 0) == (row->site.bought_nodes > 0));
        assert_true(row->order_by < row->quarter);
        if (i == 0)
            continue;
        assert_true(row->site.cost.capital >= row[-1].site.cost.capital);
        assert_true(row->site.cost.capital_per_s >= row[-1].site.cost.capital_per_s);
    }
    assert_int_equal(result->growth[1].order_by, 20260803);
    assert_int_equal(result->growth[6].order_by, 20271101);
    gp_arena_free(arena);
}

static void machines_are_bought_in_modules(void **state) {
    static const gp_override module[] = {{"growth.module", "8"}};
    (void)state;
    gp_arena *arena = gp_arena_new((size_t)1 << 30);
    const gp_plan_result *result = gp_test_plan(arena, greenfield, module, 1);
    int64_t there = 0;
    for (int i = 0; i < result->growth_count; i++) {
        assert_int_equal(result->growth[i].site.bought_nodes % 8, 0);
        there += result->growth[i].site.bought_nodes;
        assert_int_equal(there, result->growth[i].nodes);
    }
    gp_arena_free(arena);
}

static const gp_kind_room *kind_named(const gp_plan_result *result, const char *id) {
    for (size_t i = 0; i < result->room.kinds.count; i++)
        if (strcmp(result->room.kinds.items[i].unit->id, id) == 0)
            return &result->room.kinds.items[i];
    fail_msg("no %s in the room", id);
    return NULL;
}

static void nothing_is_given_back(const gp_plan_result *result) {
    for (int i = 1; i < result->growth_count; i++) {
        const gp_growth_row *before = &result->growth[i - 1];
        const gp_growth_row *row = &result->growth[i];
        assert_true(row->site.stand_nodes >= before->site.stand_nodes);
        assert_true(row->switches >= before->switches &&
                    row->site.rack_count >= before->site.rack_count);
        assert_true(row->site.it_peak_w >= before->site.it_peak_w &&
                    row->capital >= before->capital);
        /* Storage and system nodes are bought once. */
        assert_true(row->site.bought_nodes > 0 || row->switches > before->switches ||
                    row->capital <= before->capital);
    }
}

/* Nothing that an earlier phase built is stranded: switches, racks, power and money only grow, and
 * the spines of the first phase are those of the last. */
static void no_phase_strands_another(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new((size_t)1 << 30);
    const gp_plan_result *result = gp_test_plan(arena, greenfield, NULL, 0);
    nothing_is_given_back(result);
    /* A machine cooled by air, of 300,000 USD, brings no distribution units of 60,000 with it. */
    assert_true(result->growth[1].capital - result->growth[0].capital < 400e3);
    int64_t spines = 0;
    for (size_t i = 0; i < result->room.kinds.count; i++)
        spines += result->room.kinds.items[i].fabric.spine;
    /* A kind whose work fits into a machine today has no fabric yet. */
    assert_true(spines > 0 && spines <= result->shell.spine);
    gp_arena_free(arena);
}

/* The switches and the storage of a run that ends stand on: quarters without it draw no less. */
static void a_run_that_ends_leaves_its_switches(void **state) {
    static const gp_override once[] = {
        {"workloads.pretrain-30b.goal", "{completeWithin: 80d}"},
        {"candidates.allow", "[dgx-h200]"},
    };
    (void)state;
    gp_arena *arena = gp_arena_new((size_t)1 << 30);
    const gp_plan_result *result =
        gp_test_plan(arena, greenfield, once, sizeof once / sizeof once[0]);
    assert_true(result->growth[1].site.gpus < result->growth[0].site.gpus);
    assert_true(result->growth[0].switches > 0 && result->room.storage_w > 0);
    nothing_is_given_back(result);
    gp_arena_free(arena);
}

/* The first quarter is the plan itself. */
static void the_first_quarter_is_the_plan(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new((size_t)1 << 30);
    const gp_plan_result *result = gp_test_plan(arena, greenfield, NULL, 0);
    assert_float_equal(result->growth[0].site.it_peak_w, result->site.it_peak_w, 1);
    assert_float_equal(result->growth[0].site.figures.facility_peak_w,
                       result->site.figures.facility_peak_w, 1);
    assert_float_equal(result->growth[0].capital, result->site.cost.capital, 1);
    assert_int_equal(result->growth[0].site.rack_count, result->site.rack_count);
    gp_arena_free(arena);
}

/* Five machines alone would hang on one switch; those of the horizon take a leaf for each rail and
 * spines, which are there from the start. Without growth there are none. */
static void the_fabric_is_built_for_the_horizon(void **state) {
    static const gp_override few[] = {{"candidates.allow", "[dgx-b200]"},
                                      {"workloads.assistant.disaggregated", "true"},
                                      {"growth.scenarios.expected", "{assistant: 60%/quarter}"},
                                      {"growth.scenarios.high", "{}"},
                                      {"site.power.itCapacity", "4 MW"},
                                      {"site.cooling.air.capacity", "4 MW"},
                                      {"site.racks.count", "200"},
                                      {"costs.budget.capital", "200M USD"},
                                      {"growth.horizon", "1 quarters"}};
    (void)state;
    gp_arena *arena = gp_arena_new((size_t)1 << 30);
    const gp_kind_room *grows = kind_named(gp_test_plan(arena, greenfield, few, 8), "dgx-b200");
    const gp_kind_room *stays = kind_named(gp_test_plan(arena, greenfield, few, 9), "dgx-b200");
    assert_int_equal(grows->nodes, stays->nodes);
    assert_true(grows->fabric.spine > stays->fabric.spine);
    gp_arena_free(arena);
}

static const gp_growth_limit *limit_of(const gp_plan_result *result, gp_resource resource) {
    for (int i = 0; i < result->growth_limit_count; i++)
        if (result->growth_limits[i].resource == resource)
            return &result->growth_limits[i];
    fail_msg("no limit of %s", gp_resource_name(resource));
    return NULL;
}

/* Power between two quarters is passed in a month of its own, a year before which more is ordered;
 * half as much again is passed by the high scenario alone. */
static void limits_have_a_month(void **state) {
    static const gp_override tight[] = {{"site.power.itCapacity", "600 kW"}};
    static const gp_override wide[] = {{"site.power.itCapacity", "900 kW"}};
    (void)state;
    gp_arena *arena = gp_arena_new((size_t)1 << 30);
    const gp_plan_result *result = gp_test_plan(arena, greenfield, tight, 1);
    const gp_growth_limit *power = limit_of(result, GP_RESOURCE_POWER);
    assert_true(power->passed > 20270101 && power->passed < 20290101);
    assert_int_equal(power->passed % 100, 1);
    assert_true(power->passed_high > 0 && power->passed_high <= power->passed + 200);
    int64_t first = 0;
    for (int i = 0; i < result->growth_count; i++) {
        const gp_growth_row *row = &result->growth[i];
        assert_true((row->site.it_peak_w > 600e3) == (row->limit_hit == GP_BOUND_POWER));
        first = first > 0 ? first : row->order_power_by;
    }
    const bool leap_day_between = power->passed >= 20280301;
    assert_int_equal(first, power->passed - 10000 + (leap_day_between ? 1 : 0));
    power = limit_of(gp_test_plan(arena, greenfield, wide, 1), GP_RESOURCE_POWER);
    assert_int_equal(power->passed, 0);
    assert_true(power->passed_high > 0);
    gp_arena_free(arena);
}

/* A batch of twice the requests takes twice the work, on as many replicas or on more. */
static void a_batch_grows_by_its_requests(void **state) {
    static const gp_override doubles[] = {{"growth.start", "2027-01"},
                                          {"growth.horizon", "5 quarters"},
                                          {"growth.scenarios.expected", "{digest: 100%/yr}"}};
    (void)state;
    gp_arena *arena = gp_arena_new((size_t)1 << 30);
    const gp_plan_result *result = gp_test_plan(arena, "examples/chat-fleet.yaml", doubles,
                                                sizeof doubles / sizeof doubles[0]);
    size_t i = 0;
    while (strcmp(result->workloads.items[i].workload->name, "digest") != 0)
        i++;
    double work[2];
    for (int year = 0; year < 2; year++) {
        const gp_candidate *batch = result->growth[4 * year].chosen[i];
        work[year] = batch->time_to_complete_s.expected * (double)batch->replicas;
    }
    assert_true(work[1] > 1.6 * work[0] && work[1] < 2.4 * work[0]);
    gp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenarios_enclose_the_expected),
        cmocka_unit_test(purchases_are_ordered_in_time),
        cmocka_unit_test(machines_are_bought_in_modules),
        cmocka_unit_test(no_phase_strands_another),
        cmocka_unit_test(a_run_that_ends_leaves_its_switches),
        cmocka_unit_test(the_first_quarter_is_the_plan),
        cmocka_unit_test(the_fabric_is_built_for_the_horizon),
        cmocka_unit_test(limits_have_a_month),
        cmocka_unit_test(a_batch_grows_by_its_requests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
