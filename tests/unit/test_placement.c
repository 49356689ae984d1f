/* Machines of its own against a cloud: use decides, limits of the site push, growth bursts. */
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

static const char hybrid[] = "tests/samples/plans/hybrid.yaml";

static bool is_rented(const gp_candidate *candidate) {
    return candidate->feasible && candidate->unit->cloud != NULL;
}

/* A run of half a day a week is cheaper to rent, a service around the clock to own; the share from
 * which owning pays lies between the two. */
static void use_decides(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new((size_t)1 << 30);
    const gp_plan_result *result = gp_test_plan(arena, hybrid, NULL, 0);
    const gp_workload_plan *runs = gp_test_workload(result, "sft");
    const gp_workload_plan *service = gp_test_workload(result, "assistant");
    assert_true(is_rented(&runs->chosen));
    assert_false(is_rented(&service->chosen));
    assert_true(runs->placement.present && service->placement.present);
    assert_true(runs->chosen.rented_fraction < runs->placement.break_even_fraction);
    assert_true(service->placement.rented.rented_fraction > service->placement.break_even_fraction);
    /* The bill of the site is that of its parts. */
    assert_float_equal(result->site.cost.rent_per_s, runs->chosen.cost.rent_per_s, 1e-12);
    assert_int_equal(result->site.rented_nodes, runs->chosen.nodes);
    gp_arena_free(arena);
}

/* The same run every day is cheaper on machines of its own. */
static void more_use_brings_it_home(void **state) {
    static const gp_override often[] = {{"workloads.sft.goal.every", "1d"}};
    (void)state;
    gp_arena *arena = gp_arena_new((size_t)1 << 30);
    const gp_plan_result *result = gp_test_plan(arena, hybrid, often, 1);
    assert_false(is_rented(&gp_test_workload(result, "sft")->chosen));
    gp_arena_free(arena);
}

/* A site without power for both: one of them goes to the cloud, and the plan keeps to the limit
 * with switches and storage counted. */
static void a_full_site_pushes_out(void **state) {
    static const gp_override tight[] = {{"workloads.sft.goal.every", "1d"},
                                        {"site.power.itCapacity", "36 kW"}};
    (void)state;
    gp_arena *arena = gp_arena_new((size_t)1 << 30);
    const gp_plan_result *result = gp_test_plan(arena, hybrid, tight, 2);
    const gp_workload_plan *runs = gp_test_workload(result, "sft");
    const gp_workload_plan *service = gp_test_workload(result, "assistant");
    assert_true(result->feasible);
    assert_true(is_rented(&runs->chosen) != is_rented(&service->chosen));
    assert_true(result->site.it_peak_w <= 36e3);
    const gp_workload_plan *out = is_rented(&runs->chosen) ? runs : service;
    assert_false(out->placement.owned.feasible);
    assert_int_equal(out->placement.owned.lack.bound, GP_BOUND_POWER);
    assert_true(out->placement.break_even_fraction > 0);
    gp_arena_free(arena);
}

/* Without a cloud among the candidates the same site is infeasible, and says by what. */
static void without_a_cloud_it_is_infeasible(void **state) {
    static const gp_override tight[] = {{"site.power.itCapacity", "36 kW"},
                                        {"candidates.allow", "[dgx-h200]"}};
    (void)state;
    gp_arena *arena = gp_arena_new((size_t)1 << 30);
    const gp_plan_result *result = gp_test_plan(arena, hybrid, tight, 2);
    assert_false(result->feasible);
    assert_false(gp_test_workload(result, "sft")->placement.present);
    assert_true(result->site.it_peak_w <= 36e3);
    gp_arena_free(arena);
}

/* Quarters that the site has no power for are rented: no limit is passed, and the one that is the
 * reason is named with the first of them. */
static void growth_bursts_into_the_cloud(void **state) {
    static const gp_override tight[] = {{"site.power.itCapacity", "37.5 kW"}};
    (void)state;
    gp_arena *arena = gp_arena_new((size_t)1 << 30);
    const gp_plan_result *result = gp_test_plan(arena, hybrid, tight, 1);
    const gp_growth_row *last = &result->growth[result->growth_count - 1];
    assert_int_equal(result->growth[0].rent_nodes, 0);
    assert_true(last->rent_nodes > 0);
    assert_non_null(last->rent_unit->cloud);
    assert_true(last->rent_per_s > 0);
    assert_int_equal(last->limit_hit, GP_BOUND_NONE);
    for (int i = 0; i < result->growth_count; i++)
        assert_true(result->growth[i].site.it_peak_w <= 37.5e3);
    assert_int_equal(result->growth_limits[0].resource, GP_RESOURCE_POWER);
    assert_int_equal(result->growth_limits[0].passed, 0);
    assert_true(result->growth_limits[0].rented_from > 20270101);
    for (int i = 0; i < result->growth_count; i++)
        assert_true((result->growth[i].rent_nodes > 0) ==
                    (result->growth[i].quarter >= result->growth_limits[0].rented_from));
    gp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(use_decides),
        cmocka_unit_test(more_use_brings_it_home),
        cmocka_unit_test(a_full_site_pushes_out),
        cmocka_unit_test(without_a_cloud_it_is_infeasible),
        cmocka_unit_test(growth_bursts_into_the_cloud),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
