/* Services that write nothing: encoders, embeddings, rerankers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/num.h"
#include "support/estimate_case.h"

static const gp_serve_layout one_gpu = {1, 1, 1, 0, 0, 0, 0};

static gp_serve_job reading_job(const gp_shape *shape, double tokens) {
    gp_serve_job job = estimate_case_serve_job(shape);
    job.input_tokens = tokens;
    job.input_p95 = job.input_p99 = 0;
    job.output_tokens = job.output_p95 = job.output_p99 = 1;
    job.reads_only = true;
    return job;
}

static double most_per_s(estimate_case *c, const gp_serve_job *job, const gp_machine *machine,
                         gp_serve_memory *ret_memory) {
    gp_serve_point point;
    gp_serve_memory_of(job, machine, &one_gpu, &c->constants, 0, NULL, ret_memory);
    gp_serve_load(job, machine, &c->network, &one_gpu, &c->constants, ret_memory, 1, 1, NULL,
                  &point);
    return point.max_requests_per_s;
}

/* 24 layers of 12.6M parameters for 300 tokens, and every token with every other: the peak is an
 * upper bound, and a third of what encoders reach of it a lower one. */
static void encoders_are_bound_by_their_products(void **state) {
    estimate_case *c = *state;
    const gp_shape shape = estimate_case_shape(c, "bert-large");
    const gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    const gp_serve_job job = reading_job(&shape, 300);
    gp_serve_memory memory;
    const double flop = 2 * 24 * 12582912.0 * 300 + 4 * 24 * 1024.0 * 300 * 300;
    const double bound = machine.peak_flop_per_s[GP_PRECISION_BF16] / flop;
    const double most = most_per_s(c, &job, &machine, &memory);
    assert_true(most < bound);
    assert_true(most > 0.25 * bound);
}

static void encoders_keep_no_cache(void **state) {
    estimate_case *c = *state;
    const gp_shape shape = estimate_case_shape(c, "bge-m3");
    const gp_machine machine = estimate_case_machine(c, "l4", 1);
    const gp_serve_job job = reading_job(&shape, 8000);
    gp_serve_memory memory;
    assert_true(most_per_s(c, &job, &machine, &memory) > 0);
    assert_int_equal(memory.memory.fit, GP_FIT_FITS);
    assert_true(gp_num_near(memory.memory.bytes[GP_MEMORY_KV_CACHE], 0));
    assert_true(memory.memory.bytes[GP_MEMORY_WEIGHTS] > 2 * 566e6);
    /* No token is drawn from 250,002 words: the sampler's room would be gigabytes. */
    assert_true(memory.memory.bytes[GP_MEMORY_ACTIVATIONS] < 0.5 * (1 << 30));
}

/* Windows make long documents cheap, and a decoder reads half the pairs. */
static void attention_counts_what_is_seen(void **state) {
    estimate_case *c = *state;
    const gp_shape shape = estimate_case_shape(c, "modernbert-large");
    gp_model all = *shape.model, causal = *shape.model;
    gp_shape wide, half;
    all.window = (gp_window){0};
    causal.window = (gp_window){0};
    causal.bidirectional = false;
    assert_int_equal(gp_shape_derive(&all, &c->constants, NULL, &wide), GP_OK);
    assert_int_equal(gp_shape_derive(&causal, &c->constants, NULL, &half), GP_OK);
    const gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    const gp_serve_job jobs[] = {reading_job(&shape, 8000), reading_job(&wide, 8000),
                                 reading_job(&half, 8000)};
    double s[3];
    for (int i = 0; i < 3; i++) {
        s[i] =
            gp_prefill_time_s(&jobs[i], &machine, &c->network, &one_gpu, &c->constants, 8000, NULL);
    }
    assert_true(s[0] < 0.75 * s[1]);
    /* Of half the pairs a decoder waits for the exponentials, which encoders hide. */
    assert_true(s[2] < 0.8 * s[1]);
}

/* Twice the rate on the same replica waits longer; the answer is what the first token was. */
static void latency_is_that_of_the_prompt(void **state) {
    estimate_case *c = *state;
    const gp_shape shape = estimate_case_shape(c, "qwen3-embedding-0.6b");
    const gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    const gp_serve_job job = reading_job(&shape, 500);
    gp_serve_memory memory;
    gp_serve_point calm, busy;
    const double most = most_per_s(c, &job, &machine, &memory);
    gp_serve_load(&job, &machine, &c->network, &one_gpu, &c->constants, &memory, 0.4 * most, 1,
                  NULL, &calm);
    gp_serve_load(&job, &machine, &c->network, &one_gpu, &c->constants, &memory, 0.8 * most, 1,
                  NULL, &busy);
    assert_true(gp_num_near(calm.e2e_s, calm.ttft_s));
    assert_true(busy.ttft_p95_s > calm.ttft_p95_s);
    assert_true(gp_num_near(gp_serve_counted_tokens(&job), 500));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(encoders_are_bound_by_their_products, estimate_case_open,
                                        estimate_case_close),
        cmocka_unit_test_setup_teardown(encoders_keep_no_cache, estimate_case_open,
                                        estimate_case_close),
        cmocka_unit_test_setup_teardown(attention_counts_what_is_seen, estimate_case_open,
                                        estimate_case_close),
        cmocka_unit_test_setup_teardown(latency_is_that_of_the_prompt, estimate_case_open,
                                        estimate_case_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
