/* Machine power against measured and stated machines. */
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

static void measured_machines_are_met(void **state) {
    estimate_case *c = *state;
    const char *(*rows)[ESTIMATE_CASE_COLUMNS];
    size_t count = estimate_case_table(c, "power.csv", &rows);
    assert_int_equal(count, 6);
    for (size_t i = 1; i < count; i++) {
        gp_machine machine = estimate_case_machine(c, rows[i][1], strtoll(rows[i][2], NULL, 10));
        gp_system system = *machine.system;
        system.max_power_w = strtod(rows[i][3], NULL);
        machine.system = &system;
        gp_node_power power;
        gp_node_power_of(&machine, GP_LOAD_TRAINING, 0, &c->constants, NULL, &power);
        bool nameplate = strcmp(rows[i][7], "nameplate") == 0;
        double got = nameplate ? power.nameplate_w : power.node_w;
        assert_true(
            estimate_case_near(got, strtod(rows[i][5], NULL), strtod(rows[i][6], NULL) + 1e-9));
    }
}

static void load_and_cap_have_their_effect(void **state) {
    estimate_case *c = *state;
    gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    gp_node_power idle, one, many, capped;
    gp_node_power_of(&machine, GP_LOAD_IDLE, 0, &c->constants, NULL, &idle);
    gp_node_power_of(&machine, GP_LOAD_SERVING, 300, &c->constants, NULL, &one);
    gp_node_power_of(&machine, GP_LOAD_SERVING, 541, &c->constants, NULL, &many);
    assert_true(estimate_case_near(idle.gpu_w, machine.gpu->idle_w, 1e-9));
    assert_true(idle.node_w < one.node_w && one.node_w < many.node_w);
    assert_true(many.node_w <= many.nameplate_w);
    assert_true(estimate_case_near(many.gpu_w, 541, 1e-9));
    machine.power_cap_fraction = 0.5;
    gp_node_power_of(&machine, GP_LOAD_TRAINING, 0, &c->constants, NULL, &capped);
    assert_true(estimate_case_near(capped.gpu_w, 350, 1e-9));
    assert_true(estimate_case_near(many.nameplate_w - capped.nameplate_w, 2800, 1e-9));
}

/* Columns of machine_power.csv. */
enum { KIND, CASE, GPU, GPUS, SOCKETS, COOLING, STATE, CAP_W, GBPS, RUNS, WATTS };
enum { ROWS_MAX = 128 };

static int cooling_of(const char *word) {
    return strcmp(word, "liquid") == 0      ? GP_COOLING_LIQUID
           : strcmp(word, "immersion") == 0 ? GP_COOLING_IMMERSION
                                            : GP_COOLING_AIR;
}

static gp_load load_of(const char *word) {
    return strcmp(word, "linpack") == 0    ? GP_LOAD_PEAK
           : strcmp(word, "training") == 0 ? GP_LOAD_TRAINING
           : strcmp(word, "idle") == 0     ? GP_LOAD_IDLE
                                           : GP_LOAD_SERVING;
}

static double ratio_of(estimate_case *c, const char *row[ESTIMATE_CASE_COLUMNS]) {
    gp_machine machine = estimate_case_machine(c, row[GPU], strtoll(row[GPUS], NULL, 10));
    gp_system system = *machine.system;
    gp_nic nic = {.rate_bits_per_s = strtod(row[GBPS], NULL) * 1e9, .count = system.gpus};
    system.cooling = cooling_of(row[COOLING]);
    system.cpu_sockets = strtoll(row[SOCKETS], NULL, 10);
    system.domain = system.gpu.domain_max == 1 && !system.gpu.includes_host ? 1 : system.gpus;
    if (nic.rate_bits_per_s > 0) {
        system.nics.items = &nic;
        system.nics.count = 1;
    }
    double cap_w = strtod(row[CAP_W], NULL);
    machine.system = &system;
    machine.gpu = &system.gpu;
    machine.power_cap_fraction = cap_w > 0 ? cap_w / gp_system_tdp_w(&system, &c->constants) : 1;
    gp_node_power power;
    gp_node_power_of(&machine, load_of(row[STATE]), 0, &c->constants, NULL, &power);
    return power.node_w / strtod(row[WATTS], NULL);
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct ratios {
    double items[ROWS_MAX];
    size_t count;
} ratios;

static double share_within(const ratios *all, double error) {
    size_t inside = 0;
    for (size_t i = 0; i < all->count; i++)
        inside += fabs(all->items[i] - 1) <= error;
    return (double)inside / (double)all->count;
}

static ratios ratios_of(estimate_case *c, const char *kind) {
    const char *(*rows)[ESTIMATE_CASE_COLUMNS];
    size_t count = estimate_case_table(c, "machine_power.csv", &rows);
    ratios all = {.count = 0};
    for (size_t i = 1; i < count && all.count < ROWS_MAX; i++)
        if (strcmp(rows[i][KIND], kind) == 0)
            all.items[all.count++] = ratio_of(c, rows[i]);
    qsort(all.items, all.count, sizeof all.items[0], by_size);
    return all;
}

/* The most that Linpack and training drew of 52 clusters, of which only the kind of machine is
 * known. */
static void clusters_as_metered(void **state) {
    ratios all = ratios_of(*state, "cluster");
    assert_int_equal(all.count, 52);
    double median = (all.items[25] + all.items[26]) / 2;
    assert_true(median >= 0.95 && median <= 1.08);
    assert_true(share_within(&all, 0.25) >= 0.85);
    assert_true(share_within(&all, 0.1) >= 0.45);
    estimate_case *c = *state;
    double band = share_within(&all, c->constants.site_power_error_fraction);
    assert_true(band >= 0.75 && band <= 0.9);
}

static void machines_as_metered(void **state) {
    ratios all = ratios_of(*state, "machine");
    assert_int_equal(all.count, 20);
    assert_true(share_within(&all, 0.11) >= 0.5);
    assert_true(share_within(&all, 0.25) >= 0.7);
}

static void three_figures_of_a_machine(void **state) {
    estimate_case *c = *state;
    gp_machine machine = estimate_case_machine(c, "b200-sxm", 8);
    gp_node_power power;
    gp_node_power_of(&machine, GP_LOAD_SERVING, 500, &c->constants, NULL, &power);
    assert_true(power.node_w < power.peak_w && power.peak_w < power.nameplate_w);
    assert_true(power.error_fraction > 0);
    gp_system unknown = *machine.system;
    unknown.gpu.tdp_w = 0;
    machine.system = &unknown;
    machine.gpu = &unknown.gpu;
    gp_node_power_of(&machine, GP_LOAD_PEAK, 0, &c->constants, NULL, &power);
    assert_true(power.node_w == 0 && power.peak_w == 0 && power.nameplate_w == 0);
    unknown.max_power_w = 14300; /* what is left for the GPUs stands in for their cap */
    assert_true(estimate_case_near(gp_system_tdp_w(&unknown, &c->constants), 1000, 0.06));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measured_machines_are_met),
        cmocka_unit_test(load_and_cap_have_their_effect),
        cmocka_unit_test(clusters_as_metered),
        cmocka_unit_test(machines_as_metered),
        cmocka_unit_test(three_figures_of_a_machine),
    };
    return cmocka_run_group_tests(tests, estimate_case_open, estimate_case_close);
}
