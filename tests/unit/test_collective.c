/* Collectives inside a domain and across machines. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/estimate_case.h"

static void assert_near(double value, double wanted, double tolerance) {
    if (!(fabs(value - wanted) <= tolerance)) {
        fail_msg("%.17g, wanted %.17g", value, wanted);
    }
}

static double time_of(const estimate_case *c, const gp_machine *machine, gp_collective collective,
                      double bytes, int64_t ranks, int64_t nodes) {
    return gp_collective_time_s(machine, &c->network, &c->constants, collective, bytes, ranks,
                                nodes);
}

/* a + 2 (n - 1) / n S / B + c sqrt(S), for 1 GiB on eight A100: 21.03 us, 235.9 GB/s, 0.012. */
static void test_curve(void **state) {
    estimate_case *c = *state;
    gp_machine machine = estimate_case_machine(c, "a100-sxm-80gb", 8);
    double bytes = 1073741824;
    double wanted = 21.03e-6 + 1.75 * bytes / 235.9e9 + 0.012e-6 * 32768;
    double got = time_of(c, &machine, GP_COLLECTIVE_ALL_REDUCE, bytes, 8, 1);
    assert_near(got, wanted, 1e-9);
    assert_near(time_of(c, &machine, GP_COLLECTIVE_ALL_REDUCE, bytes, 1, 1), 0, 0);
}

/* 4 GiB all-reduce on 4 x 8 B200 with 400 Gb/s per GPU: 22.05 ms measured; four H200 machines on
 * the same network 22.81 ms. */
static void test_measured_multi_node(void **state) {
    estimate_case *c = *state;
    gp_machine machine = estimate_case_machine(c, "b200-sxm", 8);
    double got = time_of(c, &machine, GP_COLLECTIVE_ALL_REDUCE, 4294967296, 32, 4);
    assert_true(fabs(got / 22.05e-3 - 1) < 0.02);
    machine = estimate_case_machine(c, "h200-sxm", 8);
    got = time_of(c, &machine, GP_COLLECTIVE_ALL_REDUCE, 4294967296, 32, 4);
    assert_true(fabs(got / 22.81e-3 - 1) < 0.05);
}

static void test_monotone(void **state) {
    estimate_case *c = *state;
    gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    for (int kind = 0; kind < GP_COLLECTIVE_COUNT; kind++) {
        double last = 0;
        for (double bytes = 1024; bytes < 1e10; bytes *= 8) {
            double inside = time_of(c, &machine, (gp_collective)kind, bytes, 8, 1);
            double across = time_of(c, &machine, (gp_collective)kind, bytes, 64, 8);
            assert_true(inside > last && across > inside);
            last = inside;
        }
    }
    gp_network slow = c->network, *fast = &c->network;
    for (int i = 0; i < 3; i++) {
        slow.bytes_per_s[i] = fast->bytes_per_s[i] / 16;
    }
    assert_true(
        gp_collective_time_s(&machine, &slow, &c->constants, GP_COLLECTIVE_ALL_REDUCE, 1e9, 64, 8) >
        8 * gp_collective_time_s(&machine, fast, &c->constants, GP_COLLECTIVE_ALL_REDUCE, 1e9, 64,
                                 8));
}

/* Beyond the scalable unit the oversubscribed level counts. */
static void test_levels(void **state) {
    estimate_case *c = *state;
    gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    gp_network network = {.bytes_per_s = {50e9, 25e9, 12.5e9}, .unit_nodes = 4, .pod_nodes = 16};
    double unit = gp_collective_time_s(&machine, &network, &c->constants, GP_COLLECTIVE_ALL_GATHER,
                                       1e10, 32, 4);
    double pod = gp_collective_time_s(&machine, &network, &c->constants, GP_COLLECTIVE_ALL_GATHER,
                                      1e10, 64, 8);
    double core = gp_collective_time_s(&machine, &network, &c->constants, GP_COLLECTIVE_ALL_GATHER,
                                       1e10, 256, 32);
    assert_true(pod > 2 * unit && core > 2 * pod * 0.99);
}

static void test_no_network(void **state) {
    estimate_case *c = *state;
    gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    gp_network none = {.unit_nodes = 1};
    assert_true(isinf(gp_collective_time_s(&machine, &none, &c->constants, GP_COLLECTIVE_ALL_REDUCE,
                                           1e6, 16, 2)));
    assert_true(isinf(gp_point_to_point_time_s(&machine, &none, &c->constants, 1e6, false)));
    assert_true(isfinite(gp_point_to_point_time_s(&machine, &none, &c->constants, 1e6, true)));
}

/* A GPU without fits takes its link's rate; a mesh gives few ranks few of its links. */
static void test_without_fits(void **state) {
    estimate_case *c = *state;
    gp_machine machine = estimate_case_machine(c, "mi300x", 8);
    assert_true(machine.mesh);
    double eight = time_of(c, &machine, GP_COLLECTIVE_ALL_GATHER, 1e9, 8, 1);
    double two = time_of(c, &machine, GP_COLLECTIVE_ALL_GATHER, 1e9, 2, 1);
    assert_true(isfinite(eight) && two > 3 * eight);
    /* 313 GB/s measured for eight. */
    assert_true(fabs(0.875 * 1e9 / (eight - c->constants.network_scale_up_latency_s) / 313e9 - 1) <
                0.1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_curve),      cmocka_unit_test(test_measured_multi_node),
        cmocka_unit_test(test_monotone),   cmocka_unit_test(test_levels),
        cmocka_unit_test(test_no_network), cmocka_unit_test(test_without_fits),
    };
    return cmocka_run_group_tests(tests, estimate_case_open, estimate_case_close);
}
