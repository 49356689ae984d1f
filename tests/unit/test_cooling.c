/* Cooling of racks: flows, classes, levels and distribution units. */
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

static const gp_cooling_class *class_of(estimate_case *c, const char *id) {
    const void *row = NULL;
    assert_int_equal(gp_catalog_find(c->catalog, GP_CATALOG_COOLING, id, &row, NULL, NULL), GP_OK);
    return row;
}

/* GB300 NVL72: 135 kW, 90 % of it to liquid; flows at five supply temperatures (Lenovo LP2357). */
static void coolant_flow_follows_the_supply(void **state) {
    estimate_case *c = *state;
    const double points[][2] = {{25, 59}, {30, 71}, {35, 89}, {40, 119}, {45, 177}};
    const double approach = c->constants.facility_coolant_approach_k;
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        gp_cooling cooling;
        gp_cooling_input input = {.rack_w = 135000,
                                  .racks = 1,
                                  .liquid_fraction = 0.9,
                                  .facility_supply_c = points[i][0] - approach};
        gp_cooling_of(&input, &c->constants, &cooling);
        assert_true(estimate_case_near(cooling.coolant_supply_c, points[i][0], 1e-12));
        assert_true(estimate_case_near(cooling.coolant_m3_per_s * 60000, points[i][1], 0.05));
        assert_true(estimate_case_near(cooling.air_w + cooling.liquid_w, 135000, 1e-12));
    }
}

static void water_classes_set_the_supply(void **state) {
    estimate_case *c = *state;
    const struct {
        const char *id;
        double water;
        bool free;
    } classes[] = {{"w17", 17, false},
                   {"w27", 27, false},
                   {"w32", 32, true},
                   {"w40", 40, true},
                   {"w45", 45, true}};
    double last = 0;
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        gp_cooling cooling;
        gp_cooling_input input = {.rack_w = 1e5,
                                  .racks = 1,
                                  .liquid_fraction = 1,
                                  .liquid_class = class_of(c, classes[i].id)};
        gp_cooling_of(&input, &c->constants, &cooling);
        assert_true(estimate_case_near(cooling.coolant_supply_c, classes[i].water + 4, 1e-12));
        assert_int_equal(cooling.free_cooling, classes[i].free);
        assert_true(cooling.coolant_m3_per_s > last); /* warmer water, more of it */
        last = cooling.coolant_m3_per_s;
    }
}

static void air_classes_lose_with_altitude(void **state) {
    estimate_case *c = *state;
    const struct {
        const char *id;
        double low, high;
    } classes[] = {{"a1", 15, 32}, {"a2", 10, 35}, {"a3", 5, 40}, {"a4", 5, 45}};
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        gp_cooling cooling;
        gp_cooling_input input = {
            .rack_w = 1e4, .racks = 1, .air_supply_c = 25, .air_class = class_of(c, classes[i].id)};
        gp_cooling_of(&input, &c->constants, &cooling);
        assert_true(estimate_case_near(cooling.air_max_c, classes[i].high, 1e-12));
        assert_true(cooling.air_allowed && cooling.air_recommended);
        input.air_supply_c = classes[i].high;
        gp_cooling_of(&input, &c->constants, &cooling);
        assert_true(cooling.air_allowed && !cooling.air_recommended);
        double flow = cooling.airflow_m3_per_s;
        input.altitude_m = 2100; /* 1,200 m above 900 m: 4 K */
        gp_cooling_of(&input, &c->constants, &cooling);
        assert_true(estimate_case_near(cooling.air_max_c, classes[i].high - 4, 1e-12));
        assert_true(!cooling.air_allowed && cooling.airflow_m3_per_s > flow);
        input.air_supply_c = classes[i].low - 1;
        gp_cooling_of(&input, &c->constants, &cooling);
        assert_true(!cooling.air_allowed);
    }
}

static void levels_follow_what_goes_to_air(void **state) {
    estimate_case *c = *state;
    const struct {
        double rack_w, liquid;
        gp_air_level level;
    } racks[] = {{20000, 0, GP_AIR_OPEN},          {20400, 0, GP_AIR_CONTAINMENT},
                 {40800, 0, GP_AIR_WARNING},       {56000, 0, GP_AIR_WARNING},
                 {60100, 0, GP_AIR_BEYOND},        {132000, 0.87, GP_AIR_OPEN},
                 {132000, 0.8, GP_AIR_CONTAINMENT}};
    for (size_t i = 0; i < sizeof racks / sizeof racks[0]; i++) {
        gp_cooling cooling;
        gp_cooling_input input = {
            .rack_w = racks[i].rack_w, .racks = 1, .liquid_fraction = racks[i].liquid};
        gp_cooling_of(&input, &c->constants, &cooling);
        assert_int_equal(cooling.level, racks[i].level);
    }
}

/* Eight racks of 132 kW with 87 % to liquid: 919 kW; units of 1,350 kW at 90 %, one to spare. */
static void units_carry_the_liquid_heat(void **state) {
    estimate_case *c = *state;
    const double unit_w = class_of(c, "vertiv-xdu1350")->capacity_w;
    const double heat_w = 132000 * 0.87;
    gp_cooling cooling;
    gp_cooling_input input = {.rack_w = 132000, .racks = 16, .liquid_fraction = 0.87};
    assert_int_equal(gp_cooling_units_of(8 * heat_w, unit_w, &c->constants), 2);
    assert_int_equal(gp_cooling_units_of(16 * heat_w, unit_w, &c->constants), 3);
    assert_int_equal(gp_cooling_units_of(0, unit_w, &c->constants), 0);
    gp_cooling_of(&input, &c->constants, &cooling);
    assert_true(estimate_case_near(cooling.heat_btu_per_h, 16 * 132000 * 3.412142, 1e-9));
    assert_true(estimate_case_near(cooling.heat_tons, 16 * 132 / 3.51685, 1e-5));
    input.liquid_fraction = 0;
    gp_cooling_of(&input, &c->constants, &cooling);
    assert_true(!(cooling.coolant_m3_per_s > 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coolant_flow_follows_the_supply),
        cmocka_unit_test(water_classes_set_the_supply),
        cmocka_unit_test(air_classes_lose_with_altitude),
        cmocka_unit_test(levels_follow_what_goes_to_air),
        cmocka_unit_test(units_carry_the_liquid_heat),
    };
    return cmocka_run_group_tests(tests, estimate_case_open, estimate_case_close);
}
