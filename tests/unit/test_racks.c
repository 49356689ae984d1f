/* Racks: the binding limit of power, cooling, height and weight. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/estimate_case.h"

static gp_rack_input rack_of(void) {
    return (gp_rack_input){.nodes = 10,
                           .node_w = 10200,
                           .node_u = 8,
                           .node_kg = 130,
                           .rack_u = 48,
                           .used_u = 6,
                           .rack_w = 44000,
                           .rack_kg = 1500};
}

static void the_least_limit_binds(void **state) {
    (void)state;
    gp_rack_input input = rack_of();
    gp_rack_size size;
    gp_rack_size_of(&input, &size);
    assert_int_equal(size.nodes_per_rack, 4);
    assert_int_equal(size.racks, 3);
    assert_int_equal(size.bound_by, GP_RACK_POWER);
    assert_true(estimate_case_near(size.rack_w, 40800, 1e-12));
    input.cooling_w = 30000;
    gp_rack_size_of(&input, &size);
    assert_int_equal(size.nodes_per_rack, 2);
    assert_int_equal(size.bound_by, GP_RACK_COOLING);
    input.cooling_w = 0;
    input.rack_w = 0;
    gp_rack_size_of(&input, &size);
    assert_int_equal(size.nodes_per_rack, 5);
    assert_int_equal(size.bound_by, GP_RACK_HEIGHT);
    input.rack_kg = 400;
    gp_rack_size_of(&input, &size);
    assert_int_equal(size.nodes_per_rack, 3);
    assert_int_equal(size.bound_by, GP_RACK_WEIGHT);
}

/* Circuits carry the nameplate, cooling what lasts; the maker's own rack is a limit like others. */
static void each_limit_takes_its_own_power(void **state) {
    (void)state;
    gp_rack_input input = rack_of();
    gp_rack_size size;
    input.peak_w = 8200;
    input.rack_w = 0;
    input.cooling_w = 33000;
    gp_rack_size_of(&input, &size);
    assert_int_equal(size.nodes_per_rack, 4);
    assert_int_equal(size.bound_by, GP_RACK_COOLING);
    input.rack_w = 33000;
    gp_rack_size_of(&input, &size);
    assert_int_equal(size.nodes_per_rack, 3);
    assert_int_equal(size.bound_by, GP_RACK_POWER);
    input.published_nodes = 2;
    gp_rack_size_of(&input, &size);
    assert_int_equal(size.racks, 5);
    assert_int_equal(size.bound_by, GP_RACK_PUBLISHED);
}

static void what_does_not_fit_is_said(void **state) {
    (void)state;
    gp_rack_input input = rack_of();
    gp_rack_size size;
    input.rack_w = 10000;
    gp_rack_size_of(&input, &size);
    assert_true(size.too_small);
    assert_int_equal(size.nodes_per_rack, 1);
    assert_int_equal(size.racks, input.nodes);
    assert_int_equal(size.bound_by, GP_RACK_POWER);
    assert_int_equal((int)size.have, 10000);
    assert_int_equal((int)size.need, 10200);
    input = rack_of();
    input.used_u = 48;
    gp_rack_size_of(&input, &size);
    assert_true(size.too_small);
    assert_int_equal(size.bound_by, GP_RACK_HEIGHT);
    gp_rack_input none = {.nodes = 7, .node_w = 1000};
    gp_rack_size_of(&none, &size);
    assert_false(size.too_small);
    assert_int_equal(size.nodes_per_rack, 7);
    assert_int_equal(size.racks, 1);
}

static void rack_scale_systems_are_their_own_racks(void **state) {
    (void)state;
    gp_rack_input input = {.nodes = 8,
                           .node_w = 132000,
                           .node_u = 48,
                           .rack_u = 42,
                           .rack_w = 140000,
                           .racks_per_node = 1,
                           .liquid = true};
    gp_rack_size size;
    gp_rack_size_of(&input, &size);
    assert_int_equal(size.nodes_per_rack, 1);
    assert_int_equal(size.racks, 8);
    input.rack_w = 40000;
    gp_rack_size_of(&input, &size);
    assert_true(size.too_small);
    assert_int_equal(size.bound_by, GP_RACK_POWER);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_limit_binds),
        cmocka_unit_test(each_limit_takes_its_own_power),
        cmocka_unit_test(what_does_not_fit_is_said),
        cmocka_unit_test(rack_scale_systems_are_their_own_racks),
    };
    return cmocka_run_group_tests(tests, estimate_case_open, estimate_case_close);
}
