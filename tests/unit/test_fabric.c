/* Fabric sizes: every published table is met exactly; tiers, limits and bandwidth. */
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

static int64_t number(const char *cell) {
    return strtoll(cell, NULL, 10);
}

static void assert_cell(const char *cell, int64_t got) {
    if (cell[0] != '\0') {
        assert_int_equal(got, number(cell));
    }
}

static void published_tables_are_met(void **state) {
    const char *(*rows)[ESTIMATE_CASE_COLUMNS];
    size_t count = estimate_case_table(*state, "fabric.csv", &rows);
    assert_int_equal(count, 17);
    for (size_t i = 1; i < count; i++) {
        gp_fabric_input input = {.nodes = number(rows[i][3]),
                                 .rails = number(rows[i][5]),
                                 .planes = number(rows[i][6]),
                                 .radix = number(rows[i][7]),
                                 .unit_nodes = number(rows[i][8]),
                                 .management_ports = number(rows[i][9]),
                                 .oversubscription = 1,
                                 .port_bits_per_s = 400e9};
        gp_fabric_size size;
        assert_int_equal(gp_fabric_size_of(&input, NULL, &size), GP_OK);
        assert_true(size.feasible);
        assert_cell(rows[i][10], size.leaf);
        assert_cell(rows[i][11], size.spine);
        assert_cell(rows[i][12], size.core);
        assert_cell(rows[i][13], size.node_leaf_cables);
        assert_cell(rows[i][14], size.leaf_spine_cables);
        assert_cell(rows[i][15], size.spine_core_cables);
    }
}

/* Eight racks of 18 machines with four rails: 32 leaves, 24 spines (GB200 SuperPOD). */
static void rails_in_groups_keep_ports_for_a_core(void **state) {
    (void)state;
    gp_fabric_input input = {.nodes = 144,
                             .rails = 4,
                             .planes = 1,
                             .radix = 64,
                             .unit_nodes = 18,
                             .oversubscription = 1,
                             .port_bits_per_s = 400e9,
                             .grouped = true};
    gp_fabric_size size;
    assert_int_equal(gp_fabric_size_of(&input, NULL, &size), GP_OK);
    assert_int_equal(size.leaf, 32);
    assert_int_equal(size.spine, 24);
    assert_int_equal(size.core, 0);
    assert_int_equal(size.node_leaf_cables, 576);
    /* The same as eight nodes of 18 hosts. */
    input.nodes = 8;
    input.hosts = 18;
    gp_fabric_size racks;
    assert_int_equal(gp_fabric_size_of(&input, NULL, &racks), GP_OK);
    assert_int_equal(racks.leaf, 32);
    assert_int_equal(racks.spine, 24);
    assert_int_equal(racks.unit_nodes, 1);
    assert_int_equal(racks.max_nodes_two_tier, 32);
    input.nodes = 40;
    assert_int_equal(gp_fabric_size_of(&input, NULL, &racks), GP_OK);
    assert_int_equal(racks.tiers, 3);
    assert_true(racks.core > 0);
}

/* Columns of fabric_built.csv. */
enum { CASE, NODES, PORTS, RADIX, TOPOLOGY, LEAF, SPINE, TOTAL, TOLERANCE };

static void fabrics_as_they_stand(void **state) {
    const char *(*rows)[ESTIMATE_CASE_COLUMNS];
    size_t count = estimate_case_table(*state, "fabric_built.csv", &rows);
    assert_int_equal(count, 12);
    for (size_t i = 1; i < count; i++) {
        const char **row = rows[i];
        bool tree = strcmp(row[TOPOLOGY], "tree") == 0;
        gp_fabric_input input = {.nodes = number(row[NODES]) * (tree ? number(row[PORTS]) : 1),
                                 .rails = tree ? 1 : number(row[PORTS]),
                                 .planes = 1,
                                 .radix = number(row[RADIX]),
                                 .oversubscription = 1,
                                 .port_bits_per_s = 400e9,
                                 .tiers = strcmp(row[TOPOLOGY], "flat") == 0 ? 1 : 0,
                                 .dragonfly = strcmp(row[TOPOLOGY], "dragonfly") == 0};
        gp_fabric_size size;
        assert_int_equal(gp_fabric_size_of(&input, NULL, &size), GP_OK);
        assert_true(size.feasible);
        assert_cell(row[LEAF], size.leaf);
        assert_cell(row[SPINE], size.spine);
        double total = (double)(size.leaf + size.spine + size.core);
        if (row[TOTAL][0] != '\0' && !estimate_case_near(total, strtod(row[TOTAL], NULL),
                                                         strtod(row[TOLERANCE], NULL) + 1e-9))
            fail_msg("%s: %g switches, not %s", row[CASE], total, row[TOTAL]);
    }
}

/* Three racks of 18 trays: a leaf of 144 ports, split in two, takes a rail of all of them, and one
 * spine joins the rails. With 64 ports the 54 trays have two leaves a rail. Eight racks are what
 * the maker publishes, with spines that pods can be joined by later. */
static void few_racks_share_leaves_and_spines(void **state) {
    (void)state;
    gp_fabric_input input = {.nodes = 3,
                             .hosts = 18,
                             .rails = 4,
                             .planes = 1,
                             .radix = 288,
                             .unit_nodes = 18,
                             .oversubscription = 1,
                             .port_bits_per_s = 400e9,
                             .grouped = true,
                             .group_units = 8};
    gp_fabric_size size;
    assert_int_equal(gp_fabric_size_of(&input, NULL, &size), GP_OK);
    assert_int_equal(size.leaf, 4);
    assert_int_equal(size.spine, 1);
    input.radix = 64;
    assert_int_equal(gp_fabric_size_of(&input, NULL, &size), GP_OK);
    assert_int_equal(size.leaf, 8);
    assert_int_equal(size.spine, 4);
    input.nodes = 4; /* 72 trays: three leaves of 24; 288 links in 5 spines of 64 */
    assert_int_equal(gp_fabric_size_of(&input, NULL, &size), GP_OK);
    assert_int_equal(size.leaf, 12);
    assert_int_equal(size.spine, 5);
    input.nodes = 8;
    assert_int_equal(gp_fabric_size_of(&input, NULL, &size), GP_OK);
    assert_int_equal(size.leaf, 32);
    assert_int_equal(size.spine, 24);
    input.nodes = 12; /* 216 trays: seven leaves of 31; 868 links */
    assert_int_equal(gp_fabric_size_of(&input, NULL, &size), GP_OK);
    assert_int_equal(size.leaf, 28);
    assert_int_equal(size.spine, 16);
}

static gp_fabric_size size_of(int64_t nodes, double oversubscription, int64_t tiers) {
    gp_fabric_input input = {.nodes = nodes,
                             .rails = 8,
                             .planes = 1,
                             .radix = 64,
                             .unit_nodes = 0,
                             .oversubscription = oversubscription,
                             .port_bits_per_s = 400e9,
                             .tiers = tiers};
    gp_fabric_size size;
    assert_int_equal(gp_fabric_size_of(&input, NULL, &size), GP_OK);
    return size;
}

static void tiers_follow_the_size(void **state) {
    (void)state;
    gp_fabric_size one = size_of(1, 1, 0);
    assert_true(one.feasible);
    assert_int_equal(one.tiers, 0);
    assert_int_equal(one.leaf + one.spine + one.core + one.node_leaf_cables, 0);
    gp_fabric_size few = size_of(8, 1, 0);
    assert_int_equal(few.tiers, 1);
    assert_int_equal(few.leaf, 1);
    gp_fabric_size more = size_of(9, 1, 0);
    assert_int_equal(more.tiers, 2);
    assert_int_equal(more.leaf, 3); /* three rails of nine ports share a leaf */
    assert_int_equal(more.spine, 2);
    assert_int_equal(more.max_nodes_two_tier, 256);
    assert_int_equal(size_of(256, 1, 0).tiers, 2);
    gp_fabric_size core = size_of(257, 1, 0);
    assert_int_equal(core.tiers, 3);
    assert_int_equal(core.leaf, 65);
    assert_int_equal(core.spine, 65);
    assert_int_equal(core.core, 33);
    assert_int_equal(size_of(64, 1, 1).leaf, 8);
    assert_false(size_of(65, 1, 1).feasible);
    assert_false(size_of(257, 1, 2).feasible);
    assert_true(size_of(64 * 64 * 64 / 32, 1, 0).feasible);
    assert_false(size_of(64 * 64 * 64 / 32 + 1, 1, 0).feasible);
}

static void oversubscription_narrows_what_leaves_a_unit(void **state) {
    (void)state;
    gp_fabric_size even = size_of(128, 1, 0);
    gp_fabric_size narrow = size_of(128, 3, 0);
    assert_true(estimate_case_near(even.bytes_per_s[0], 50e9, 1e-12));
    assert_true(estimate_case_near(even.bytes_per_s[1], 50e9, 1e-12));
    assert_true(estimate_case_near(narrow.bytes_per_s[0], 50e9, 1e-12));
    assert_true(estimate_case_near(narrow.bytes_per_s[1], 50e9 / 3, 1e-12));
    assert_int_equal(narrow.unit_nodes, 48);
    assert_true(narrow.spine < even.spine);
}

static void more_machines_never_need_less(void **state) {
    (void)state;
    gp_fabric_size last = size_of(1, 1, 0);
    for (int64_t nodes = 2; nodes < 3000; nodes++) {
        gp_fabric_size size = size_of(nodes, 1, 0);
        assert_true(size.leaf >= last.leaf);
        assert_true(size.tiers >= last.tiers);
        assert_true(size.leaf + size.spine + size.core >= last.leaf + last.spine + last.core);
        last = size;
    }
}

static void senseless_sizes_are_refused(void **state) {
    (void)state;
    const gp_fabric_input bad[] = {
        {.nodes = -1, .rails = 8, .radix = 64},
        {.nodes = (int64_t)1 << 40, .rails = 8, .radix = 64},
        {.nodes = 8, .rails = 8, .radix = 0},
        {.nodes = 8, .rails = (int64_t)1 << 40, .radix = 64},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        gp_fabric_size size;
        assert_int_equal(gp_fabric_size_of(&bad[i], NULL, &size), GP_ERR_LIMIT);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_tables_are_met),
        cmocka_unit_test(rails_in_groups_keep_ports_for_a_core),
        cmocka_unit_test(fabrics_as_they_stand),
        cmocka_unit_test(few_racks_share_leaves_and_spines),
        cmocka_unit_test(tiers_follow_the_size),
        cmocka_unit_test(oversubscription_narrows_what_leaves_a_unit),
        cmocka_unit_test(more_machines_never_need_less),
        cmocka_unit_test(senseless_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, estimate_case_open, estimate_case_close);
}
