/* Prefill and decode: hand-worked times, bounds, formats, and monotonicity in the hardware. */
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

static const gp_serve_layout one_gpu = {1, 1, 1, 0, 0};

static double step_s(estimate_case *c, const gp_serve_job *job, const gp_machine *machine,
                     gp_serve_layout layout, double batch, double context) {
    return gp_decode_step_s(job, machine, &c->network, &layout, &c->constants, batch, context,
                            NULL);
}

static double prefill_s(estimate_case *c, const gp_serve_job *job, const gp_machine *machine,
                        gp_serve_layout layout, double tokens) {
    return gp_prefill_time_s(job, machine, &c->network, &layout, &c->constants, tokens, NULL);
}

/* One sequence of Llama-3.1-8B in bf16: all weights but the embedding, the cache of 1,000 tokens,
 * 32 layers and one step. */
static void one_sequence_reads_the_weights(void **state) {
    estimate_case *c = *state;
    gp_shape shape = estimate_case_shape(c, "llama-3.1-8b");
    gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    gp_serve_job job = estimate_case_serve_job(&shape);
    const gp_efficiency *row = machine.efficiency[GP_PRECISION_BF16];
    double read = 8030261248.0 - 128256.0 * 4096;
    double read_s = 2 * read / (machine.hbm_bytes_per_s * row->hbm_fraction);
    double compute_s =
        2 * read / (machine.peak_flop_per_s[GP_PRECISION_BF16] * row->prefill_gemm_fraction);
    double p = c->constants.serving_overlap;
    double product = pow(pow(read_s, p) + pow(compute_s, p), 1 / p);
    double wanted = product + 131072e3 / (machine.hbm_bytes_per_s * row->kv_fraction) +
                    32 * row->decode_layer_s + c->constants.serving_step_s +
                    c->constants.serving_sequence_s;
    assert_true(estimate_case_near(step_s(c, &job, &machine, one_gpu, 1, 1000), wanted, 1e-4));
    job.speed_factor = 0.5;
    assert_true(estimate_case_near(step_s(c, &job, &machine, one_gpu, 1, 1000), 2 * wanted, 1e-4));
}

/* 4,096 tokens: 2 FLOP a weight without the head, plus half the square of attention. */
static void long_prompts_are_bound_by_arithmetic(void **state) {
    estimate_case *c = *state;
    gp_shape shape = estimate_case_shape(c, "llama-3.1-8b");
    gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    gp_serve_job job = estimate_case_serve_job(&shape);
    const gp_efficiency *row = machine.efficiency[GP_PRECISION_BF16];
    double peak = machine.peak_flop_per_s[GP_PRECISION_BF16];
    double linear = 8030261248.0 - 2 * 128256.0 * 4096;
    double tokens = 4096;
    double gemm = 2 * linear * (tokens + c->constants.serving_prefill_ramp_tokens) /
                  (peak * row->prefill_gemm_fraction);
    double ramp = 1 + c->constants.serving_attention_tokens / tokens;
    /* A query and a key of a head are 4 x 128 FLOP and one exponential, one after the other. */
    double rate = 1 / (1 / peak + 1 / (4 * 128.0 * machine.gpu->exponentials_per_s));
    double attention =
        4 * 4096.0 * 32 * tokens * tokens / 2 / (rate * row->prefill_attention_fraction) * ramp;
    double overhead = 32 * row->decode_layer_s + c->constants.serving_step_s;
    double got = prefill_s(c, &job, &machine, one_gpu, tokens);
    assert_true(estimate_case_near(got, gemm + attention + overhead, 1e-3));
}

/* Twice the exponentials at the same rate of products: long prompts take less, and less again where
 * an 8-bit cache is multiplied as it is. */
static void exponentials_bound_long_prompts(void **state) {
    estimate_case *c = *state;
    gp_shape shape = estimate_case_shape(c, "llama-3.1-8b");
    gp_machine machines[] = {estimate_case_machine(c, "b200-sxm", 8),
                             estimate_case_machine(c, "b300-sxm", 8)};
    double seconds[2][2];
    for (int i = 0; i < 4; i++) {
        gp_serve_job job = estimate_case_serve_job(&shape);
        job.kv_cache = i % 2 > 0 ? GP_FORMAT_FP8 : GP_FORMAT_BF16;
        seconds[i / 2][i % 2] = prefill_s(c, &job, &machines[i / 2], one_gpu, 100000);
    }
    assert_true(seconds[1][0] < 0.85 * seconds[0][0] && seconds[1][1] < 0.8 * seconds[0][1]);
    assert_true(seconds[0][1] < seconds[0][0] && seconds[1][1] < seconds[1][0]);
}

/* Reading grows with the batch only as far as experts are untouched. */
static void experts_are_touched_by_the_batch(void **state) {
    estimate_case *c = *state;
    gp_shape shape = estimate_case_shape(c, "deepseek-v3");
    gp_machine machine = estimate_case_machine(c, "b200-sxm", 8);
    gp_serve_job job = estimate_case_serve_job(&shape);
    job.weights = GP_FORMAT_FP8;
    gp_serve_layout layout = {8, 1, 1, 0, 0};
    static gp_term terms[GP_TRACE_MAX];
    gp_trace trace = GP_TRACE_ON(terms);
    (void)gp_decode_step_s(&job, &machine, &c->network, &layout, &c->constants, 32, 1000, &trace);
    double touched = 0;
    for (size_t i = 0; i < trace.count; i++) {
        touched =
            trace.items[i].id == GP_TERM_SERVE_EXPERTS_TOUCHED ? trace.items[i].value : touched;
    }
    /* 256 (1 - (1 - 8/256)^32) = 163.3 */
    assert_true(estimate_case_near(touched, 163.3, 1e-3));
    double few = step_s(c, &job, &machine, layout, 1, 1000);
    double many = step_s(c, &job, &machine, layout, 32, 1000);
    assert_true(many > 1.5 * few);
}

static void formats_compute_where_the_gpu_can(void **state) {
    estimate_case *c = *state;
    gp_shape shape = estimate_case_shape(c, "llama-3.1-70b");
    gp_machine hopper = estimate_case_machine(c, "h100-sxm", 8);
    gp_machine ampere = estimate_case_machine(c, "a100-sxm-80gb", 8);
    gp_serve_job job = estimate_case_serve_job(&shape);
    gp_serve_layout layout = {8, 1, 1, 0, 0};
    double wide_step = step_s(c, &job, &hopper, layout, 8, 1000);
    double wide_prefill = prefill_s(c, &job, &hopper, layout, 8192);
    double ampere_prefill = prefill_s(c, &job, &ampere, layout, 8192);
    job.weights = GP_FORMAT_FP8;
    assert_true(step_s(c, &job, &hopper, layout, 8, 1000) < wide_step);
    assert_true(prefill_s(c, &job, &hopper, layout, 8192) < wide_prefill);
    /* No fp8 path: weights are unpacked and computed in 16 bit. */
    assert_true(prefill_s(c, &job, &ampere, layout, 8192) >= ampere_prefill);
    job.weights = GP_FORMAT_INT4;
    assert_true(step_s(c, &job, &hopper, layout, 1, 1000) < wide_step);
    assert_true(prefill_s(c, &job, &hopper, layout, 8192) >= wide_prefill);
    /* A machine without any efficiency row cannot be priced. */
    gp_machine none = hopper;
    memset(none.efficiency, 0, sizeof none.efficiency);
    assert_true(isinf(step_s(c, &job, &none, layout, 1, 1000)));
    assert_true(isinf(prefill_s(c, &job, &none, layout, 1000)));
}

static void leaving_the_domain_costs(void **state) {
    estimate_case *c = *state;
    gp_shape shape = estimate_case_shape(c, "llama-3.1-405b");
    gp_machine machine = estimate_case_machine(c, "h200-sxm", 8);
    gp_serve_job job = estimate_case_serve_job(&shape);
    job.weights = GP_FORMAT_FP8;
    double inside = step_s(c, &job, &machine, (gp_serve_layout){8, 1, 1, 0, 0}, 8, 1000);
    double outside = step_s(c, &job, &machine, (gp_serve_layout){16, 1, 1, 0, 0}, 8, 1000);
    double staged = step_s(c, &job, &machine, (gp_serve_layout){8, 2, 1, 0, 0}, 8, 1000);
    assert_true(outside > inside);
    assert_true(staged >= 0.95 * inside && staged < outside);
}

static void better_hardware_is_never_slower(void **state) {
    estimate_case *c = *state;
    static const char *const models[] = {"llama-3.1-8b", "gpt-oss-120b", "deepseek-v3",
                                         "gemma-3-27b"};
    for (size_t m = 0; m < sizeof models / sizeof models[0]; m++) {
        gp_shape shape = estimate_case_shape(c, models[m]);
        gp_serve_job job = estimate_case_serve_job(&shape);
        gp_machine machine = estimate_case_machine(c, "h200-sxm", 8);
        gp_serve_layout layout = {8, 1, 1, 0, 0};
        double last_step = INFINITY, last_prefill = INFINITY;
        for (int i = 0; i < 20; i++) {
            double step = step_s(c, &job, &machine, layout, 64, 2000);
            double prefill = prefill_s(c, &job, &machine, layout, 2000);
            assert_true(step <= last_step && prefill <= last_prefill);
            last_step = step;
            last_prefill = prefill;
            if (i % 3 == 0) {
                machine.hbm_bytes_per_s *= 1.1;
            } else if (i % 3 == 1) {
                machine.link_bytes_per_s *= 1.1;
            } else {
                machine.peak_flop_per_s[GP_PRECISION_BF16] *= 1.1;
            }
        }
        double last = 0;
        for (double batch = 1; batch < 2000; batch *= 1.5) {
            double step = step_s(c, &job, &machine, layout, batch, 2000);
            assert_true(step >= last);
            assert_true(step <= 1.5 * last || last <= 0);
            last = step;
        }
    }
}

static void a_power_cap_slows_prefill_alone(void **state) {
    estimate_case *c = *state;
    gp_shape shape = estimate_case_shape(c, "llama-3.1-8b");
    gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    gp_serve_job job = estimate_case_serve_job(&shape);
    double step = step_s(c, &job, &machine, one_gpu, 1, 1000);
    double prefill = prefill_s(c, &job, &machine, one_gpu, 4000);
    machine.power_cap_fraction = 0.6;
    assert_true(estimate_case_near(step_s(c, &job, &machine, one_gpu, 1, 1000), step, 0.01));
    assert_true(prefill_s(c, &job, &machine, one_gpu, 4000) > 1.1 * prefill);
}

/* Groups of one GPU that share the experts of eight: each holds all of the attention, reads an
 * eighth of the experts, and serves an eighth of the sequences. */
static void groups_share_the_experts(void **state) {
    estimate_case *c = *state;
    gp_shape shape = estimate_case_shape(c, "deepseek-v3");
    gp_machine machine = estimate_case_machine(c, "h200-sxm", 8);
    gp_serve_job job = estimate_case_serve_job(&shape);
    job.weights = GP_FORMAT_FP8;
    gp_serve_layout together = {8, 1, 8, 0, 0};
    gp_serve_layout apart = {1, 1, 8, 8, 0};
    gp_serve_layout one = {8, 1, 8, 1, 0};
    assert_int_equal(gp_serve_layout_gpus(&together), 8);
    assert_int_equal(gp_serve_layout_gpus(&apart), 8);
    double few = step_s(c, &job, &machine, together, 8, 1000);
    assert_true(estimate_case_near(step_s(c, &job, &machine, one, 8, 1000), few, 1e-12));
    /* A cache that is held once instead of by every rank pays with many sequences, not with few. */
    assert_true(step_s(c, &job, &machine, apart, 8, 1000) > few);
    assert_true(step_s(c, &job, &machine, apart, 1024, 8000) <
                step_s(c, &job, &machine, together, 1024, 8000));
    gp_serve_memory split;
    gp_serve_memory whole;
    gp_serve_memory_of(&job, &machine, &apart, &c->constants, 0, NULL, &split);
    gp_serve_memory_of(&job, &machine, &together, &c->constants, 0, NULL, &whole);
    assert_true(split.memory.bytes[GP_MEMORY_WEIGHTS] > whole.memory.bytes[GP_MEMORY_WEIGHTS]);
    assert_true(split.kv_pool_tokens > 2 * whole.kv_pool_tokens);
}

static void engines_add_their_host_time(void **state) {
    estimate_case *c = *state;
    gp_shape shape = estimate_case_shape(c, "llama-3.1-8b");
    gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    gp_serve_job job = estimate_case_serve_job(&shape);
    gp_stack stack = {.step_s = 2e-3, .sequence_s = 1e-5, .layer_s = 1e-5};
    double before = step_s(c, &job, &machine, one_gpu, 16, 1000) - c->constants.serving_step_s -
                    16 * c->constants.serving_sequence_s;
    gp_serve_apply_stack(&job, NULL);
    gp_serve_apply_stack(&job, &stack);
    double after = step_s(c, &job, &machine, one_gpu, 16, 1000);
    assert_true(estimate_case_near(after - before, 2e-3 + 16 * 1e-5 + 32 * 1e-5, 1e-9));
    /* Room for all of the output at the start means fewer sequences. */
    gp_serve_memory memory;
    gp_serve_memory_of(&job, &machine, &one_gpu, &c->constants, 0, NULL, &memory);
    memory.max_concurrency = 100;
    assert_true(estimate_case_near(gp_serve_admitted(&job, &memory), 100, 1e-12));
    stack.reserved_fraction = 1;
    assert_true(estimate_case_near(gp_serve_admitted(&job, &memory), 100 * 1100 / 1200.0, 1e-12));
    memory.max_sequences = 8;
    assert_true(estimate_case_near(gp_serve_admitted(&job, &memory), 8, 1e-12));
}

/* Three guesses of which each is right seven times of ten: 1 + 0.7 + 0.49 + 0.343 tokens a step. A
 * step of few sequences hardly grows, one bound by arithmetic does. */
static void guesses_pay_where_memory_binds(void **state) {
    estimate_case *c = *state;
    gp_shape shape = estimate_case_shape(c, "llama-3.1-70b");
    gp_machine machine = estimate_case_machine(c, "h200-sxm", 8);
    gp_serve_job job = estimate_case_serve_job(&shape);
    gp_serve_layout layout = {8, 1, 1, 0, 0};
    double few = step_s(c, &job, &machine, layout, 1, 1000);
    double many = step_s(c, &job, &machine, layout, 1000, 1000);
    job.draft_tokens = 3;
    job.draft_acceptance_fraction = 0.7;
    job.draft_cost_fraction = c->constants.serving_draft_cost_fraction;
    assert_true(step_s(c, &job, &machine, layout, 1, 1000) < 0.6 * few);
    assert_true(step_s(c, &job, &machine, layout, 1, 1000) > few / 2.533);
    assert_true(step_s(c, &job, &machine, layout, 1000, 1000) > many);
    job.draft_acceptance_fraction = 1;
    double sure = step_s(c, &job, &machine, layout, 1, 1000);
    assert_true(sure > few / 4 && sure < 0.4 * few);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_sequence_reads_the_weights),
        cmocka_unit_test(long_prompts_are_bound_by_arithmetic),
        cmocka_unit_test(exponentials_bound_long_prompts),
        cmocka_unit_test(experts_are_touched_by_the_batch),
        cmocka_unit_test(formats_compute_where_the_gpu_can),
        cmocka_unit_test(leaving_the_domain_costs),
        cmocka_unit_test(better_hardware_is_never_slower),
        cmocka_unit_test(a_power_cap_slows_prefill_alone),
        cmocka_unit_test(groups_share_the_experts),
        cmocka_unit_test(engines_add_their_host_time),
        cmocka_unit_test(guesses_pay_where_memory_binds),
    };
    return cmocka_run_group_tests(tests, estimate_case_open, estimate_case_close);
}
