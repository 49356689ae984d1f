/* Power from parts, and the chain that feeds it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "estimate/facility.h"

#include "support/estimate_case.h"

static const gp_system *system_of(estimate_case *c, const char *id) {
    const void *row = NULL;
    assert_int_equal(gp_catalog_find(c->catalog, GP_CATALOG_SYSTEMS, id, &row, NULL, NULL), GP_OK);
    return row;
}

static void stated_systems_are_met(void **state) {
    estimate_case *c = *state;
    const char *(*rows)[ESTIMATE_CASE_COLUMNS];
    size_t count = estimate_case_table(c, "power_parts.csv", &rows);
    assert_int_equal(count, 10);
    for (size_t i = 1; i < count; i++) {
        gp_power_parts parts;
        bool busbar = strcmp(rows[i][2], "yes") == 0;
        gp_power_share most = gp_power_share_most(busbar, &c->constants);
        gp_power_parts_of(system_of(c, rows[i][0]), &most, &c->constants, &parts);
        double total = parts.total_w * strtod(rows[i][1], NULL);
        if (!estimate_case_near(total, strtod(rows[i][3], NULL), strtod(rows[i][4], NULL)))
            fail_msg("%s: %g W, not %s", rows[i][0], total, rows[i][3]);
        double sum = parts.gpu_w + parts.link_w + parts.host_w + parts.memory_w + parts.nic_w +
                     parts.fan_w + parts.supply_w;
        assert_true(estimate_case_near(sum, parts.total_w, 1e-12));
    }
}

static void a_rack_of_trays_is_their_sum(void **state) {
    (void)state;
    /* Rack planning of GB300: 18 trays of four GPUs of 1.4 kW, 1.0 kW managed, 0.9 kW fixed. */
    assert_true(estimate_case_near(18 * (4 * 1400.0 + 1000 + 900), 135000, 1e-12));
}

static gp_power_chain_input chain_of(double load_w, int redundancy) {
    return (gp_power_chain_input){.load_w = load_w,
                                  .phases = 3,
                                  .voltage_v = 415,
                                  .current_a = 60,
                                  .power_factor = 0.95,
                                  .derate_fraction = 0.8,
                                  .redundancy = redundancy};
}

/* sqrt(3) x 415 V x 60 A x 0.95 x 0.8 = 32,777 W. */
static void circuits_follow_load_and_redundancy(void **state) {
    (void)state;
    gp_power_chain chain;
    gp_power_chain_input input = chain_of(40800, GP_REDUNDANCY_N);
    gp_power_chain_of(&input, &chain);
    assert_true(estimate_case_near(chain.circuit_w, 32777.4, 1e-5));
    assert_int_equal(chain.circuits, 2);
    assert_true(estimate_case_near(chain.carried_w, 20400, 1e-12));
    assert_true(chain.failed_fraction > 1); /* one circuit alone does not carry it */
    input = chain_of(40800, GP_REDUNDANCY_N1);
    gp_power_chain_of(&input, &chain);
    assert_int_equal(chain.circuits, 3);
    assert_true(estimate_case_near(chain.failed_w, 20400, 1e-12));
    assert_true(chain.failed_fraction <= 1);
    input = chain_of(40800, GP_REDUNDANCY_2N);
    gp_power_chain_of(&input, &chain);
    assert_int_equal(chain.circuits, 4);
    assert_int_equal(chain.feeds, 2);
    assert_true(estimate_case_near(chain.failed_w, 20400, 1e-12));
    /* Each side carries everything, so that no more than 40 % of the breaker is used by either. */
    assert_true(chain.load_fraction * 0.8 <= 0.4);
    input.voltage_v = 0;
    gp_power_chain_of(&input, &chain);
    assert_int_equal(chain.circuits, 0);
}

static void units_carry_the_load(void **state) {
    (void)state;
    assert_int_equal(gp_power_units(1e6, 5e5, GP_REDUNDANCY_N), 2);
    assert_int_equal(gp_power_units(1e6, 5e5, GP_REDUNDANCY_N1), 3);
    assert_int_equal(gp_power_units(1e6, 4e5, GP_REDUNDANCY_2N), 6);
    assert_int_equal(gp_power_units(1e6, 0, GP_REDUNDANCY_2N), 0);
}

static double pue_of(const estimate_case *c, const gp_pue_input *input) {
    gp_overhead overhead;
    gp_overhead_of(input, &c->constants, &overhead);
    return overhead.pue;
}

/* 1 / (0.96 x 0.98) + 0.05 + 0.2 + 0.01 on chilled air; liquid without chillers saves them. */
static void overhead_is_the_sum_of_its_parts(void **state) {
    estimate_case *c = *state;
    double air = pue_of(c, &(gp_pue_input){0});
    double liquid = pue_of(c, &(gp_pue_input){.liquid_fraction = 1, .free_cooling = true});
    assert_true(estimate_case_near(air, 1 / (0.96 * 0.98) + 0.26, 1e-12));
    assert_true(estimate_case_near(liquid, 1 / (0.96 * 0.98) + 0.06, 1e-12));
    double half = pue_of(c, &(gp_pue_input){.liquid_fraction = 0.5});
    assert_true(half < air && half > liquid);
}

/* Doors save fans, climate chillers, part load costs; what is stated wins. */
static void overhead_follows_cooling_climate_and_load(void **state) {
    estimate_case *c = *state;
    gp_overhead all_year, cold, doors, half, hall, stated;
    gp_overhead_of(&(gp_pue_input){0}, &c->constants, &all_year);
    gp_overhead_of(&(gp_pue_input){.climate = GP_CLIMATE_COLD}, &c->constants, &cold);
    gp_overhead_of(&(gp_pue_input){.rear_door_fraction = 1}, &c->constants, &doors);
    gp_overhead_of(&(gp_pue_input){.load_fraction = 0.5}, &c->constants, &half);
    assert_true(cold.pue < doors.pue && doors.pue < all_year.pue && all_year.pue < half.pue);
    assert_true(cold.wue_l_per_j < all_year.wue_l_per_j && all_year.wue_low_l_per_j == 0);
    assert_true(estimate_case_near(all_year.wue_l_per_j, 1.8 / 3.6e6, 1e-12));
    assert_true(estimate_case_near(half.pue, 1.42, 0.01)); /* Equinix, 2023 */
    /* Leonardo: warm water, temperate, 1.10 to 1.15 by its operator. */
    gp_overhead_of(&(gp_pue_input){.liquid_fraction = 0.85,
                                   .free_cooling = true,
                                   .climate = GP_CLIMATE_TEMPERATE},
                   &c->constants, &hall);
    assert_true(hall.pue > 1.1 && hall.pue < 1.15);
    assert_true(hall.pue_low < hall.pue && hall.pue < hall.pue_high);
    gp_overhead_of(&(gp_pue_input){.stated_pue = 1.2}, &c->constants, &stated);
    assert_true(stated.pue == 1.2 && stated.pue_low == 1.2 && stated.pue_high == 1.2);
}

/* Each share of the heat has the overhead of its own way out. */
static void overheads_of_shares_add_up(void **state) {
    estimate_case *c = *state;
    gp_overhead_ends ends;
    gp_overhead whole, between;
    const gp_pue_input hall = {.rear_door_fraction = 0.4, .climate = GP_CLIMATE_HOT};
    gp_pue_input at = hall;
    gp_overhead_of(&at, &c->constants, &ends.air);
    at.liquid_fraction = 1;
    gp_overhead_of(&at, &c->constants, &ends.liquid);
    at.liquid_fraction = 0.3;
    gp_overhead_of(&at, &c->constants, &whole);
    gp_overhead_between(&ends, 0.3, &between);
    assert_true(estimate_case_near(between.pue, whole.pue, 1e-12));
    assert_true(estimate_case_near(between.pue_high, whole.pue_high, 1e-12));
    assert_true(estimate_case_near(between.wue_l_per_j, whole.wue_l_per_j, 1e-12));
}

static void a_cap_costs_time_and_saves_energy(void **state) {
    estimate_case *c = *state;
    gp_power_cap none, some, memory;
    gp_power_cap_of(1, 1, &c->constants, &none);
    gp_power_cap_of(0.64, 1, &c->constants, &some);
    gp_power_cap_of(0.64, 0, &c->constants, &memory);
    assert_true(estimate_case_near(none.time_factor * none.energy_factor, 1, 1e-12));
    assert_true(estimate_case_near(some.time_factor, 1.25, 1e-9));
    assert_true(estimate_case_near(some.energy_factor, 0.8, 1e-9));
    assert_true(estimate_case_near(memory.time_factor, 1, 1e-12));
}

static void swings_of_gradient_exchange(void **state) {
    estimate_case *c = *state;
    assert_true(estimate_case_near(gp_power_transient_w(1e5, 1e5, &c->constants), 1.4e5, 1e-12));
    assert_true(estimate_case_near(gp_power_transient_w(1e5, 5e4, &c->constants), 1.2e5, 1e-12));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stated_systems_are_met),
        cmocka_unit_test(a_rack_of_trays_is_their_sum),
        cmocka_unit_test(circuits_follow_load_and_redundancy),
        cmocka_unit_test(units_carry_the_load),
        cmocka_unit_test(overhead_is_the_sum_of_its_parts),
        cmocka_unit_test(overhead_follows_cooling_climate_and_load),
        cmocka_unit_test(overheads_of_shares_add_up),
        cmocka_unit_test(a_cap_costs_time_and_saves_energy),
        cmocka_unit_test(swings_of_gradient_exchange),
    };
    return cmocka_run_group_tests(tests, estimate_case_open, estimate_case_close);
}
