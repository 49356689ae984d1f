/* Serving memory against hand-worked and logged pools; sharing rules; monotonicity. */
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

static const double gib = 1024.0 * 1024 * 1024;

static gp_serve_memory memory_of(estimate_case *c, const gp_serve_job *job,
                                 const gp_machine *machine, gp_serve_layout layout) {
    gp_serve_memory memory;
    gp_serve_memory_of(job, machine, &layout, &c->constants, 0, NULL, &memory);
    return memory;
}

/* Start-up logs of vLLM 0.19, Llama-3.1-8B on H100 (79.19 GiB visible), 95 % claimed: weights 14.99
 * GiB with the rotary table, 1.89 GiB held back (14.9 x 1024 x 128256 B and 8192 hidden states),
 * 0.25 outside the allocator; logged 58.11 GiB and 476,016 tokens. Two GPUs: logged 63.76 GiB. */
static void logged_pools_are_met(void **state) {
    estimate_case at_95 = *(estimate_case *)*state;
    at_95.constants.serving_utilization_fraction = 0.95;
    gp_shape shape = estimate_case_shape(&at_95, "llama-3.1-8b");
    gp_machine machine = estimate_case_machine(&at_95, "h100-sxm", 8);
    machine.hbm_bytes = 79.19 * gib;
    gp_serve_job job = estimate_case_serve_job(&shape);
    gp_serve_memory one = memory_of(&at_95, &job, &machine, (gp_serve_layout){1, 1, 1, 0, 0, 0, 0});
    assert_true(estimate_case_near(one.memory.bytes[GP_MEMORY_WEIGHTS] / gib, 14.99, 0.001));
    assert_true(estimate_case_near(one.memory.bytes[GP_MEMORY_ACTIVATIONS] / gib, 1.89, 0.01));
    assert_true(estimate_case_near(one.memory.bytes[GP_MEMORY_KV_CACHE] / gib, 58.11, 0.001));
    assert_true(estimate_case_near(one.kv_bytes_per_token, 131072, 1e-12));
    assert_true(estimate_case_near(one.kv_pool_tokens, 476016, 0.001));
    assert_int_equal(one.memory.fit, GP_FIT_FITS);
    assert_true(estimate_case_near(one.memory.total_bytes, 0.95 * machine.hbm_bytes, 1e-12));
    gp_serve_memory two = memory_of(&at_95, &job, &machine, (gp_serve_layout){2, 1, 1, 0, 0, 0, 0});
    assert_true(estimate_case_near(two.memory.bytes[GP_MEMORY_KV_CACHE] / gib, 63.76, 0.001));
    assert_true(estimate_case_near(two.kv_bytes_per_token, 131072, 1e-12));
}

/* The same model on other releases and engines, by their rules. */
static void engines_differ_by_their_rows(void **state) {
    estimate_case *c = *state;
    gp_shape shape = estimate_case_shape(c, "llama-3.1-8b");
    gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    gp_serve_layout one = {1, 1, 1, 0, 0, 0, 0};
    gp_serve_job job = estimate_case_serve_job(&shape);
    job.claim_fraction = 0.9;
    double newest = memory_of(c, &job, &machine, one).kv_pool_tokens;
    /* 38.4 B per sequence and vocabulary entry: 4.76 GiB logged in place of 1.89. */
    gp_stack old = {.sampler_bytes = 38.4, .non_torch_bytes = 0.13 * gib};
    job.stack = &old;
    gp_serve_memory sorted = memory_of(c, &job, &machine, one);
    assert_true(estimate_case_near(sorted.memory.bytes[GP_MEMORY_ACTIVATIONS] / gib, 4.76, 0.01));
    assert_true(sorted.kv_pool_tokens < newest);
    old.sequences = 256;
    assert_true(memory_of(c, &job, &machine, one).kv_pool_tokens > sorted.kv_pool_tokens);
    assert_true(estimate_case_near(memory_of(c, &job, &machine, one).max_sequences, 256, 1e-12));
    /* A run's own setting goes before the release's. */
    job.max_sequences = 1024;
    assert_true(estimate_case_near(memory_of(c, &job, &machine, one).kv_pool_tokens,
                                   sorted.kv_pool_tokens, 1e-12));
    /* Graphs inside the claim take from the pool. */
    old.graph_bytes = gib;
    gp_serve_memory graphs = memory_of(c, &job, &machine, one);
    assert_true(estimate_case_near(sorted.memory.bytes[GP_MEMORY_KV_CACHE] -
                                       graphs.memory.bytes[GP_MEMORY_KV_CACHE],
                                   gib, 1e-9));
    /* Whole prompts: 32,768 tokens of a 1.5B model hold 1.92 GiB (2.02 logged on a T4). */
    gp_shape small = estimate_case_shape(c, "qwen2.5-1.5b");
    gp_machine t4 = estimate_case_machine(c, "t4", 1);
    gp_stack first = {.sampler_bytes = 38.4, .sequences = 256, .whole_prompts = true};
    gp_serve_job prompts = estimate_case_serve_job(&small);
    prompts.stack = &first;
    prompts.context_tokens = 32768;
    gp_serve_memory whole = memory_of(c, &prompts, &t4, one);
    assert_true(estimate_case_near(whole.memory.bytes[GP_MEMORY_ACTIVATIONS] / gib, 1.92, 0.01));
}

static void pools_follow_the_engines_rule(void **state) {
    estimate_case *c = *state;
    gp_shape shape = estimate_case_shape(c, "llama-3.1-8b");
    gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    gp_serve_layout one = {1, 1, 1, 0, 0, 0, 0};
    gp_serve_job job = estimate_case_serve_job(&shape);
    gp_stack rule = {.pool = GP_POOL_STATIC, .claim_fraction = 0.88};
    job.stack = &rule;
    gp_serve_memory kept = memory_of(c, &job, &machine, one);
    double context = kept.memory.bytes[GP_MEMORY_CONTEXT];
    double weights = kept.memory.bytes[GP_MEMORY_WEIGHTS];
    assert_true(kept.memory.bytes[GP_MEMORY_ACTIVATIONS] <= 0);
    assert_true(estimate_case_near(kept.memory.bytes[GP_MEMORY_KV_CACHE],
                                   0.88 * (machine.hbm_bytes - context) - weights, 1e-12));
    rule.pool = GP_POOL_FREE;
    gp_serve_memory rest = memory_of(c, &job, &machine, one);
    double used = weights + context + rest.memory.bytes[GP_MEMORY_ACTIVATIONS];
    assert_true(estimate_case_near(rest.memory.bytes[GP_MEMORY_KV_CACHE],
                                   0.88 * (machine.hbm_bytes - used), 1e-12));
    assert_true(rest.memory.error_fraction > 0);
}

/* Qwen3-30B-A3B logged 2.68 GiB held back where a dense model of its vocabulary logs 2.2: experts
 * work in two buffers of 8192 x 8 x 2048 in 16 bit. MXFP4 kernels need none. */
static void experts_work_in_buffers(void **state) {
    estimate_case *c = *state;
    gp_shape shape = estimate_case_shape(c, "qwen3-30b-a3b");
    gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    gp_serve_job job = estimate_case_serve_job(&shape);
    gp_serve_layout one = {1, 1, 1, 0, 0, 0, 0};
    double held = memory_of(c, &job, &machine, one).memory.bytes[GP_MEMORY_ACTIVATIONS];
    assert_true(estimate_case_near(held / gib, 2.68, 0.01));
    job.weights = GP_FORMAT_MXFP4;
    double native = memory_of(c, &job, &machine, one).memory.bytes[GP_MEMORY_ACTIVATIONS];
    assert_true(estimate_case_near(held - native, 8192.0 * 8 * (2048 + 2048) * 2, 1e-9));
}

/* 62 layers of gemma-3-27b, 10 of them without a window, stand as seven groups of ten: 573,440 B a
 * token. PCIe cards have no symmetric buffers. */
static void windows_are_padded_and_links_count(void **state) {
    estimate_case *c = *state;
    gp_shape shape = estimate_case_shape(c, "gemma-3-27b");
    gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    gp_serve_job job = estimate_case_serve_job(&shape);
    gp_serve_memory padded = memory_of(c, &job, &machine, (gp_serve_layout){1, 1, 1, 0, 0, 0, 0});
    assert_true(estimate_case_near(padded.kv_bytes_per_token, 573440, 1e-12));
    gp_shape llama = estimate_case_shape(c, "llama-3.1-8b");
    gp_machine cards = estimate_case_machine(c, "l40s", 2);
    job = estimate_case_serve_job(&llama);
    gp_serve_layout two = {2, 1, 1, 0, 0, 0, 0};
    double host = memory_of(c, &job, &cards, two).memory.bytes[GP_MEMORY_CONTEXT];
    double linked = memory_of(c, &job, &machine, two).memory.bytes[GP_MEMORY_CONTEXT];
    assert_true(host < linked);
}

/* 80 layers of a 72B model on two GPUs: each down-projection is 231 MiB and takes 232. Logged 67.80
 * GiB where the parameters are 67.71. */
static void allocators_round_large_tensors(void **state) {
    estimate_case *c = *state;
    gp_shape shape = estimate_case_shape(c, "qwen2.5-72b");
    gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    gp_serve_job job = estimate_case_serve_job(&shape);
    gp_serve_memory two = memory_of(c, &job, &machine, (gp_serve_layout){2, 1, 1, 0, 0, 0, 0});
    assert_true(estimate_case_near(two.memory.bytes[GP_MEMORY_WEIGHTS] / gib, 67.80, 0.0006));
}

static void caches_are_sharded_as_engines_do(void **state) {
    estimate_case *c = *state;
    gp_machine machine = estimate_case_machine(c, "h200-sxm", 16);
    /* 8 KV heads: 16 ranks hold each head twice. */
    gp_shape llama = estimate_case_shape(c, "llama-3.1-70b");
    gp_serve_job job = estimate_case_serve_job(&llama);
    double eight =
        memory_of(c, &job, &machine, (gp_serve_layout){8, 1, 1, 0, 0, 0, 0}).kv_bytes_per_token;
    double sixteen =
        memory_of(c, &job, &machine, (gp_serve_layout){16, 1, 1, 0, 0, 0, 0}).kv_bytes_per_token;
    assert_true(estimate_case_near(eight, 2 * 80 * 8 * 128 * 2, 1e-12));
    assert_true(estimate_case_near(sixteen, 2 * eight, 1e-12));
    job.kv_cache = GP_FORMAT_FP8;
    double narrow =
        memory_of(c, &job, &machine, (gp_serve_layout){8, 1, 1, 0, 0, 0, 0}).kv_bytes_per_token;
    assert_true(estimate_case_near(narrow, eight / 2, 1e-12));
    /* Latent attention: every rank holds the whole latent, 61 x (512 + 64) x 2 B. */
    gp_shape deepseek = estimate_case_shape(c, "deepseek-v3");
    job = estimate_case_serve_job(&deepseek);
    job.weights = GP_FORMAT_FP8;
    gp_serve_memory latent = memory_of(c, &job, &machine, (gp_serve_layout){8, 1, 1, 0, 0, 0, 0});
    assert_true(estimate_case_near(latent.kv_bytes_per_token, 8 * 61 * 576 * 2, 1e-12));
}

static void what_does_not_fit_lacks_a_sequence(void **state) {
    estimate_case *c = *state;
    gp_shape shape = estimate_case_shape(c, "llama-3.1-70b");
    gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    gp_serve_job job = estimate_case_serve_job(&shape);
    gp_serve_memory one = memory_of(c, &job, &machine, (gp_serve_layout){1, 1, 1, 0, 0, 0, 0});
    assert_int_equal(one.memory.fit, GP_FIT_NOT);
    assert_true(one.max_concurrency <= 0);
    assert_true(one.memory.total_bytes > one.memory.capacity_bytes);
    /* Long prompts alone can make a pool borderline. */
    gp_serve_layout two = {2, 1, 1, 0, 0, 0, 0};
    job.input_p95 = 100000;
    assert_int_equal(memory_of(c, &job, &machine, two).memory.fit, GP_FIT_BORDERLINE);
}

static void sharing_saves_and_adapters_cost(void **state) {
    estimate_case *c = *state;
    gp_shape shape = estimate_case_shape(c, "llama-3.1-8b");
    gp_machine machine = estimate_case_machine(c, "l40s", 1);
    gp_serve_layout layout = {1, 1, 1, 0, 0, 0, 0};
    gp_serve_job job = estimate_case_serve_job(&shape);
    gp_serve_memory plain = memory_of(c, &job, &machine, layout);
    job.prefix_hit_fraction = 0.5;
    assert_true(memory_of(c, &job, &machine, layout).max_concurrency > plain.max_concurrency);
    job = estimate_case_serve_job(&shape);
    job.branches = 4;
    assert_true(memory_of(c, &job, &machine, layout).max_concurrency > plain.max_concurrency);
    job = estimate_case_serve_job(&shape);
    job.adapters = 20;
    job.adapter_parameters = 42e6;
    gp_serve_memory adapted = memory_of(c, &job, &machine, layout);
    assert_true(estimate_case_near(plain.memory.bytes[GP_MEMORY_KV_CACHE] -
                                       adapted.memory.bytes[GP_MEMORY_KV_CACHE],
                                   20 * 42e6 * 2, 1e-9));
    assert_true(plain.max_sequences < 1000); /* a small GPU */
}

static void stages_are_sized_by_the_worst(void **state) {
    estimate_case *c = *state;
    /* Qwen3-8B on three stages: 12 layers and an end, 5.48 GiB logged; a plain third is 5.09. */
    gp_shape shape = estimate_case_shape(c, "qwen3-8b");
    gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    gp_serve_job job = estimate_case_serve_job(&shape);
    gp_serve_memory memory = memory_of(c, &job, &machine, (gp_serve_layout){1, 3, 1, 0, 0, 0, 0});
    assert_true(estimate_case_near(memory.memory.bytes[GP_MEMORY_WEIGHTS] / gib, 5.48, 0.02));
}

static void more_memory_is_never_less_feasible(void **state) {
    estimate_case *c = *state;
    static const char *const models[] = {"llama-3.1-8b", "llama-3.1-70b", "gpt-oss-120b",
                                         "gemma-3-27b", "deepseek-v3"};
    for (size_t m = 0; m < sizeof models / sizeof models[0]; m++) {
        gp_shape shape = estimate_case_shape(c, models[m]);
        gp_machine machine = estimate_case_machine(c, "h200-sxm", 8);
        gp_serve_job job = estimate_case_serve_job(&shape);
        for (int64_t tp = 1; tp <= 8; tp *= 2) {
            double last = 0;
            for (double size = 60; size < 320; size += 5) {
                machine.hbm_bytes = size * gib;
                gp_serve_memory got =
                    memory_of(c, &job, &machine, (gp_serve_layout){tp, 1, 1, 0, 0, 0, 0});
                assert_true(got.max_concurrency >= last);
                assert_true(got.max_concurrency_p95 <= got.max_concurrency);
                last = got.max_concurrency;
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logged_pools_are_met),
        cmocka_unit_test(engines_differ_by_their_rows),
        cmocka_unit_test(pools_follow_the_engines_rule),
        cmocka_unit_test(experts_work_in_buffers),
        cmocka_unit_test(windows_are_padded_and_links_count),
        cmocka_unit_test(allocators_round_large_tensors),
        cmocka_unit_test(caches_are_sharded_as_engines_do),
        cmocka_unit_test(what_does_not_fit_lacks_a_sequence),
        cmocka_unit_test(sharing_saves_and_adapters_cost),
        cmocka_unit_test(stages_are_sized_by_the_worst),
        cmocka_unit_test(more_memory_is_never_less_feasible),
    };
    return cmocka_run_group_tests(tests, estimate_case_open, estimate_case_close);
}
