/* Power of GPUs that serve: what work adds, what the host takes away, what a board allows. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "simulate/simulate.h"
#include "support/estimate_case.h"

static gp_serve_power power_of(estimate_case *c, const gp_machine *machine, const gp_serve_job *job,
                               int64_t tp, double batch, double tokens_per_s) {
    gp_network network = {.bytes_per_s = {5e10, 5e10, 5e10}, .unit_nodes = 64, .pod_nodes = 64};
    gp_serve_layout layout = {tp, 1, 1, 0, 0, 0, 0};
    gp_serve_power power;
    gp_serve_power_of(job, machine, &network, &layout, &c->constants, batch, tokens_per_s, NULL,
                      &power);
    return power;
}

static void a_board_draws_between_idle_and_its_limit(void **state) {
    estimate_case *c = *state;
    gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    gp_shape shape = estimate_case_shape(c, "llama-3.1-70b");
    gp_serve_job job = estimate_case_serve_job(&shape);
    gp_serve_power last = power_of(c, &machine, &job, 8, 1, 0);
    double idle = machine.power->idle_fraction * machine.gpu->tdp_w;
    for (double batch = 8; batch <= 256; batch *= 2) {
        gp_serve_power power = power_of(c, &machine, &job, 8, batch, 0);
        assert_true(power.gpu_w > idle && power.gpu_w < machine.gpu->tdp_w);
        assert_true(power.gpu_w > last.gpu_w && power.step_s > last.step_s);
        last = power;
    }
}

static void fewer_tokens_draw_less_and_more_than_possible_draw_no_more(void **state) {
    estimate_case *c = *state;
    gp_machine machine = estimate_case_machine(c, "b200-sxm", 8);
    gp_shape shape = estimate_case_shape(c, "llama-3.1-8b");
    gp_serve_job job = estimate_case_serve_job(&shape);
    gp_serve_power full = power_of(c, &machine, &job, 1, 64, 0);
    double most = 64 / full.step_s;
    gp_serve_power half = power_of(c, &machine, &job, 1, 64, most / 2);
    gp_serve_power beyond = power_of(c, &machine, &job, 1, 64, most * 2);
    assert_true(half.gpu_w < full.gpu_w);
    assert_true(estimate_case_near(beyond.gpu_w, full.gpu_w, 1e-12));
    gp_serve_power hardly = power_of(c, &machine, &job, 1, 64, most / 1e6);
    double idle = machine.power->idle_fraction * machine.gpu->tdp_w;
    assert_true(estimate_case_near(hardly.gpu_w, idle, 1e-3));
}

static void a_busy_host_leaves_the_gpu_idle(void **state) {
    estimate_case *c = *state;
    gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    gp_shape shape = estimate_case_shape(c, "llama-3.1-8b");
    gp_serve_job job = estimate_case_serve_job(&shape);
    double before = power_of(c, &machine, &job, 1, 32, 0).gpu_w;
    gp_power_class slow = *machine.power;
    slow.host_step_s *= 100;
    machine.power = &slow;
    assert_true(power_of(c, &machine, &job, 1, 32, 0).gpu_w < 0.6 * before);
    machine.power = NULL;
    assert_true(!(power_of(c, &machine, &job, 1, 32, 0).gpu_w > 0));
}

/* A step with prompts in it draws what is between decoding alone and reading prompts alone. */
static void the_simulated_engine_draws_what_the_formula_says(void **state) {
    estimate_case *c = *state;
    const gp_network network = {.bytes_per_s = {5e10, 5e10, 5e10}, .unit_nodes = 64};
    const gp_serve_layout layout = {.tp = 4, .pp = 1, .ep = 1};
    gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    gp_shape shape = estimate_case_shape(c, "llama-3.1-70b");
    gp_serve_job job = estimate_case_serve_job(&shape);
    gp_serve_memory memory;
    gp_engine engine;
    gp_serve_memory_of(&job, &machine, &layout, &c->constants, 0.1, NULL, &memory);
    gp_engine_of(&job, &machine, &network, &layout, &c->constants, &memory, 1, &engine);
    const gp_step_table *table = &engine.table;
    assert_true(table->rows > 4);
    for (int i = 0; i < table->rows; i++) {
        gp_node_power node;
        gp_node_power_of(&machine, GP_LOAD_SERVING,
                         power_of(c, &machine, &job, 4, table->batch[i], 0).gpu_w, &c->constants,
                         NULL, &node);
        const double mixed_w = 0.5 * node.node_w;
        assert_true(table->power_w[i] > table->idle_w);
        assert_true(mixed_w > 0.97 * fmin(table->power_w[i], table->prompt_w));
        assert_true(mixed_w < 1.03 * fmax(table->power_w[i], table->prompt_w));
    }
}

static void a_cap_holds(void **state) {
    estimate_case *c = *state;
    gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    gp_shape shape = estimate_case_shape(c, "llama-3.1-70b");
    gp_serve_job job = estimate_case_serve_job(&shape);
    machine.power_cap_fraction = 0.5;
    assert_true(estimate_case_near(power_of(c, &machine, &job, 4, 64, 0).gpu_w, 350, 1e-9));
}

static void every_gpu_has_a_class_and_its_family_before_the_rest(void **state) {
    estimate_case *c = *state;
    assert_string_equal(estimate_case_machine(c, "h200-sxm", 8).power->id, "power-hopper");
    assert_string_equal(estimate_case_machine(c, "b200-sxm", 8).power->id, "power-blackwell");
    assert_string_equal(estimate_case_machine(c, "mi300x", 8).power->id, "power-other");
}

/* The columns of tests/reference/gpu_power.csv. */
enum { GPU, KIND, BATCH, TOKENS, BUSY, WATTS, LIMIT_W, CALL_US };

/* What the GPU draws with work that never waits for a host, in steps that take what they took. */
static double drawn_w(estimate_case *c, const char *const *row) {
    gp_machine machine = estimate_case_machine(c, row[GPU], 8);
    gp_power_class alone = *machine.power;
    alone.host_step_s = alone.host_rank_s = alone.host_sequence_s = 0;
    machine.power = &alone;
    gp_shape shape = estimate_case_shape(c, "llama-3.1-8b");
    gp_serve_job job = estimate_case_serve_job(&shape);
    const double tokens = atof(row[TOKENS]);
    const bool decodes = strcmp(row[KIND], "decode-8b") == 0;
    job.input_tokens = decodes ? 1 : tokens;
    job.output_tokens = decodes ? 2 * tokens : 1;
    const double tokens_per_s = atof(row[BATCH]) / (atof(row[CALL_US]) / 1e6);
    return power_of(c, &machine, &job, 1, atof(row[BATCH]), tokens_per_s).gpu_w;
}

/* Boards measured one kind of work at a time, which no published run was fitted to. */
static void a_step_draws_what_a_board_was_measured_to_draw(void **state) {
    estimate_case *c = *state;
    const char *(*rows)[ESTIMATE_CASE_COLUMNS];
    size_t n = estimate_case_table(c, "gpu_power.csv", &rows);
    size_t judged = 0, near = 0;
    for (size_t i = 1; i < n; i++) {
        if (strcmp(rows[i][KIND], "decode-8b") != 0 && strcmp(rows[i][KIND], "prefill-8b") != 0)
            continue;
        double watts = atof(rows[i][WATTS]);
        double got = drawn_w(c, rows[i]);
        assert_true(estimate_case_near(got, watts, 0.3));
        judged++;
        near += estimate_case_near(got, watts, 0.12) ? 1 : 0;
    }
    assert_true(judged == 18 && near >= 13);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_board_draws_between_idle_and_its_limit),
        cmocka_unit_test(fewer_tokens_draw_less_and_more_than_possible_draw_no_more),
        cmocka_unit_test(a_busy_host_leaves_the_gpu_idle),
        cmocka_unit_test(the_simulated_engine_draws_what_the_formula_says),
        cmocka_unit_test(a_step_draws_what_a_board_was_measured_to_draw),
        cmocka_unit_test(a_cap_holds),
        cmocka_unit_test(every_gpu_has_a_class_and_its_family_before_the_rest),
    };
    return cmocka_run_group_tests(tests, estimate_case_open, estimate_case_close);
}
