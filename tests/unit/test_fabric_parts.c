/* Parts, room and tests of a fabric. */
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

static gp_fabric_input input_of(int64_t nodes) {
    return (gp_fabric_input){.nodes = nodes,
                             .rails = 8,
                             .planes = 1,
                             .radix = 64,
                             .unit_nodes = 32,
                             .oversubscription = 1,
                             .port_bits_per_s = 400e9};
}

static void parts_follow_from_the_size(void **state) {
    (void)state;
    gp_fabric_input input = input_of(64);
    gp_fabric_size size;
    gp_fabric_parts twin, single;
    assert_int_equal(gp_fabric_size_of(&input, NULL, &size), GP_OK);
    gp_fabric_parts_of(&size, 2, &twin);
    gp_fabric_parts_of(&size, 1, &single);
    assert_int_equal(twin.switches, 24);
    assert_int_equal(twin.nics, 512);
    assert_int_equal(twin.cables, 1024);
    /* A module for every adapter and for every two ports of switches. */
    assert_int_equal(twin.transceivers, 512 + 256 + 512);
    assert_int_equal(single.transceivers, 2 * 1024);
}

static void room_ends_at_units_spines_and_tiers(void **state) {
    (void)state;
    gp_fabric_input input = input_of(70);
    gp_fabric_room room;
    assert_int_equal(gp_fabric_room_of(&input, &room), GP_OK);
    assert_int_equal(room.unit_nodes, 96);   /* three units begun */
    assert_int_equal(room.spine_nodes, 128); /* 16 spines serve three and four units */
    assert_int_equal(room.tier_nodes, 256);
    assert_int_equal(room.most_nodes, 8192); /* 64^3 / 4 ports, eight a machine */
    input = input_of(300);
    assert_int_equal(gp_fabric_room_of(&input, &room), GP_OK);
    assert_true(room.tier_nodes == room.most_nodes);
    input.nodes = 0;
    assert_int_equal(gp_fabric_room_of(&input, &room), GP_OK);
    assert_int_equal(room.unit_nodes, 0);
}

static void management_ports_are_counted(void **state) {
    (void)state;
    assert_int_equal(gp_management_switches(0, 48, 2), 0);
    assert_int_equal(gp_management_switches(46, 48, 2), 1);
    assert_int_equal(gp_management_switches(47, 48, 2), 3);
    assert_int_equal(gp_management_switches(460, 48, 2), 11);
    assert_int_equal(gp_management_switches(10, 2, 2), 0);
}

/* 4 GiB on 4 x 8 H200 over 8 x 400 Gb/s: 365 GB/s measured, each byte counted 2 (n - 1) / n
 * times. */
static void a_test_has_an_expected_result(void **state) {
    estimate_case *c = *state;
    gp_machine machine = estimate_case_machine(c, "h200-sxm", 8);
    double time_s = gp_collective_time_s(&machine, &c->network, &c->constants,
                                         GP_COLLECTIVE_ALL_REDUCE, 4294967296, 32, 4);
    assert_true(estimate_case_near(2 * 31 / 32.0 * 4294967296 / time_s, 364.87e9, 0.05));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_follow_from_the_size),
        cmocka_unit_test(room_ends_at_units_spines_and_tiers),
        cmocka_unit_test(management_ports_are_counted),
        cmocka_unit_test(a_test_has_an_expected_result),
    };
    return cmocka_run_group_tests(tests, estimate_case_open, estimate_case_close);
}
