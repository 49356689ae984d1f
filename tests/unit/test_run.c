/* Checkpoints, failures and the wall time of a run. */
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

static const double hour = 3600;

static gp_run_input input_of(int64_t gpus) {
    return (gp_run_input){.steps = 1e5,
                          .step_s = 20,
                          .gpus = gpus,
                          .nodes = gpus / 8,
                          .checkpoint_bytes = 405.9e9 * 14,
                          .storage_write_bytes_per_s = 200e9,
                          .storage_read_bytes_per_s = 400e9};
}

/* BLOOM-176B: 14 B per parameter give 2.464 TB, 2.3 TB measured. */
static void test_checkpoint_bytes(void **state) {
    estimate_case *c = *state;
    gp_shape shape = {.parameters = 176e9};
    gp_train_job job = {.shape = &shape, .type = GP_WORKLOAD_TRAINING};
    assert_near(gp_checkpoint_bytes(&job, &c->constants), 2.464e12, 1e6);
    job.type = GP_WORKLOAD_LORA;
    job.adapter_parameters = 1e7;
    assert_near(gp_checkpoint_bytes(&job, &c->constants), 1.4e8, 1);
}

/* (tau / M) / (exp((tau + d) / M) - 1) exp(-R / M), worked with M = 10 h, tau = 1 h, d = 36 s,
 * R = 6 min: 0.1 / (exp(0.101) - 1) x exp(-0.01) = 0.931595. */
static void test_goodput(void **state) {
    estimate_case *c = *state;
    gp_constants constants = c->constants;
    gp_run run;
    constants.run_gpu_mttf_s = 10 * hour * 1000;
    constants.run_restart_s = 0.1 * hour - 18;
    gp_run_input input = {.steps = 1000,
                          .step_s = hour,
                          .gpus = 1000,
                          .nodes = 125,
                          .checkpoint_bytes = 36e9,
                          .storage_write_bytes_per_s = 1e9,
                          .storage_read_bytes_per_s = 2e9,
                          .interval_s = hour};
    gp_run_time(&input, &constants, NULL, &run);
    double wanted = 0.1 / (exp(0.101) - 1) * exp(-0.01);
    assert_near(run.mtbf_s, 10 * hour, 1e-6);
    assert_near(run.checkpoint_s, 36, 1e-9);
    assert_near(run.restart_s, 0.1 * hour, 1e-9);
    assert_near(run.goodput_fraction, wanted, 1e-9);
    assert_near(run.wall_s, 1000 * hour / wanted, 1);
}

/* 16,384 GPUs at the published failure rate of the Llama 3 run: an interruption every 3.1 hours,
 * and more than 90 % effective time. */
static void test_llama3(void **state) {
    estimate_case *c = *state;
    gp_constants constants = c->constants;
    constants.run_gpu_mttf_s = 50677 * hour;
    gp_run_input input = input_of(16384);
    gp_run run;
    input.storage_write_bytes_per_s = 2e12; /* sustained rate of its storage */
    input.storage_read_bytes_per_s = 2e12;
    gp_run_time(&input, &constants, NULL, &run);
    assert_near(run.mtbf_s / hour, 3.09, 0.01);
    assert_true(run.goodput_fraction > 0.9 && run.goodput_fraction < 1);
}

/* 100 machines of eight, up 99 % of the time, a failure every 8,000 h of a GPU: 1,000 h of a
 * machine, whose repair takes 1000 (1 / 0.99 - 1) = 10.1 h. With two spares a failed machine waits
 * where two or more of the other 101 are down, P = 1 - 0.99^101 - 101 0.01 0.99^100 = 0.26795, and
 * then a third of a repair. */
static void test_spares(void **state) {
    estimate_case *c = *state;
    gp_constants constants = c->constants;
    gp_run_input input = input_of(800);
    gp_run run;
    double repair_s = 1000 * hour * (1 / 0.99 - 1);
    constants.plan_node_availability_fraction = 0.99;
    input.gpu_mttf_s = 8000 * hour;
    input.spares_given = true;
    gp_run_time(&input, &constants, NULL, &run);
    assert_near(run.spare_wait_s, repair_s, 1e-6);
    double none_s = run.wall_s, none_restart_s = run.restart_s;
    input.spare_nodes = 2;
    gp_run_time(&input, &constants, NULL, &run);
    double busy = 1 - pow(0.99, 101) - 101 * 0.01 * pow(0.99, 100);
    assert_near(run.spare_wait_s, busy * repair_s / 3, 1e-3);
    assert_near(none_restart_s - run.restart_s, repair_s - run.spare_wait_s, 1e-3);
    assert_true(run.wall_s < none_s);
    assert_int_equal(run.spare_nodes, 2);
    /* Without a word on them there are as many as it takes: here 3 (P of at most 3 down: 0.984). */
    input.spares_given = false;
    gp_run_time(&input, &constants, NULL, &run);
    assert_int_equal(run.spare_nodes, 3);
    assert_near(run.spare_wait_s, 0, 0);
}

/* Evaluation lengthens the run, reading weights and data comes before it, and what the spec says
 * of restarts and failures replaces the constants. */
static void test_run_from_spec(void **state) {
    estimate_case *c = *state;
    gp_run_input input = input_of(8);
    gp_run plain, run;
    gp_run_time(&input, &c->constants, NULL, &plain);
    input.evaluation_fraction = 0.05;
    input.start_s = 600;
    input.start_bytes = 400e9 * 30; /* 30 s at the rate of the storage */
    input.restart_s = 1200;
    input.gpu_mttf_s = c->constants.run_gpu_mttf_s / 2;
    gp_run_time(&input, &c->constants, NULL, &run);
    assert_near(run.compute_s, 1.05 * plain.compute_s, 1e-3);
    assert_near(run.start_s, 630, 1e-6);
    assert_near(run.mtbf_s, plain.mtbf_s / 2, 1e-3);
    assert_near(run.restart_s, plain.restart_s + 1200 - c->constants.run_restart_s, 1e-6);
    assert_near(run.wall_s, run.compute_s / run.goodput_fraction + 630, 1e-3);
    assert_near(run.failures, run.wall_s / run.mtbf_s, 1e-9);
}

static void test_best_interval(void **state) {
    estimate_case *c = *state;
    gp_run best, other;
    gp_run_input input = input_of(8192);
    gp_run_time(&input, &c->constants, NULL, &best);
    const double factors[] = {0.3, 0.7, 1.5, 3};
    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++) {
        input.interval_s = best.interval_s * factors[i];
        gp_run_time(&input, &c->constants, NULL, &other);
        assert_true(other.goodput_fraction <= best.goodput_fraction);
    }
}

static void test_monotone(void **state) {
    estimate_case *c = *state;
    double last = 1;
    for (int64_t gpus = 8; gpus <= 131072; gpus *= 4) {
        gp_run_input input = input_of(gpus);
        gp_run run, faster;
        gp_run_time(&input, &c->constants, NULL, &run);
        assert_true(run.goodput_fraction > 0 && run.goodput_fraction < last);
        last = run.goodput_fraction;
        input.storage_write_bytes_per_s *= 2;
        gp_run_time(&input, &c->constants, NULL, &faster);
        assert_true(faster.wall_s <= run.wall_s);
    }
}

/* A short job on few GPUs loses next to nothing, and an empty one nothing. */
static void test_small(void **state) {
    estimate_case *c = *state;
    gp_run run;
    gp_run_input input = {
        .steps = 100, .step_s = 2, .gpus = 1, .nodes = 1, .checkpoint_bytes = 1.4e8};
    gp_run_time(&input, &c->constants, NULL, &run);
    assert_true(run.goodput_fraction > 0.99 && run.goodput_fraction <= 1);
    input.steps = 0;
    gp_run_time(&input, &c->constants, NULL, &run);
    assert_near(run.wall_s, 0, 0);
}

/* Evaluation stretches the work, the start the wall time, what is loaded each restart. */
static void test_overheads(void **state) {
    estimate_case *c = *state;
    gp_run_input input = input_of(1024);
    gp_run plain, run;
    gp_run_time(&input, &c->constants, NULL, &plain);
    input.start_s = hour;
    gp_run_time(&input, &c->constants, NULL, &run);
    assert_near(run.wall_s, plain.wall_s + hour, 1e-6);
    input.start_s = 0;
    input.evaluation_fraction = 0.1;
    gp_run_time(&input, &c->constants, NULL, &run);
    assert_near(run.compute_s, 1.1 * plain.compute_s, 1e-6);
    input.evaluation_fraction = 0;
    input.loaded_bytes = 4e12; /* ten seconds at 400 GB/s */
    gp_run_time(&input, &c->constants, NULL, &run);
    assert_near(run.restart_s, plain.restart_s + 10, 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_checkpoint_bytes), cmocka_unit_test(test_goodput),
        cmocka_unit_test(test_llama3),           cmocka_unit_test(test_spares),
        cmocka_unit_test(test_run_from_spec),    cmocka_unit_test(test_best_interval),
        cmocka_unit_test(test_monotone),         cmocka_unit_test(test_small),
        cmocka_unit_test(test_overheads),
    };
    return cmocka_run_group_tests(tests, estimate_case_open, estimate_case_close);
}
