/* Rules of parallel layouts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/estimate_case.h"

typedef struct layout_case {
    gp_shape shape;
    gp_machine machine;
    gp_train_job job;
} layout_case;

static void set_up(estimate_case *c, const char *model, layout_case *ret) {
    ret->shape = estimate_case_shape(c, model);
    ret->machine = estimate_case_machine(c, "h100-sxm", 8);
    ret->job = (gp_train_job){.shape = &ret->shape,
                              .type = GP_WORKLOAD_TRAINING,
                              .sequence_length = 8192,
                              .global_batch = 8192 * 128,
                              .compute = GP_PRECISION_BF16,
                              .weights = GP_FORMAT_BF16,
                              .gradients = GP_FORMAT_FP32,
                              .speed_factor = 1};
}

static gp_layout plain(void) {
    return (gp_layout){.tp = 1,
                       .pp = 1,
                       .vpp = 1,
                       .dp = 8,
                       .cp = 1,
                       .ep = 1,
                       .zero = 1,
                       .micro_batch = 1,
                       .recompute = GP_RECOMPUTE_NONE};
}

static void test_counts(void **state) {
    (void)state;
    gp_layout layout = plain();
    layout.tp = 4;
    layout.pp = 8;
    layout.cp = 2;
    assert_int_equal(gp_layout_gpus(&layout), 512);
    layout.dp = INT64_MAX / 4;
    assert_true(gp_layout_gpus(&layout) > INT64_C(1) << 50);
}

static void test_tensor_rules(void **state) {
    layout_case c;
    set_up(*state, "llama-3.1-70b", &c);
    gp_layout layout = plain();
    assert_true(gp_layout_valid(&c.job, &c.machine, &layout));
    layout.tp = 8;
    assert_true(gp_layout_valid(&c.job, &c.machine, &layout));
    layout.tp = 16; /* leaves the domain */
    assert_false(gp_layout_valid(&c.job, &c.machine, &layout));
    layout.tp = 3; /* does not divide the heads */
    assert_false(gp_layout_valid(&c.job, &c.machine, &layout));
    layout.tp = 0;
    assert_false(gp_layout_valid(&c.job, &c.machine, &layout));
}

static void test_pipeline_rules(void **state) {
    layout_case c;
    set_up(*state, "llama-3.1-70b", &c);
    gp_layout layout = plain();
    layout.pp = 4;
    assert_true(gp_layout_valid(&c.job, &c.machine, &layout));
    layout.vpp = 5; /* 80 layers in 20 chunks; 16 micro-batches in rounds of 4 */
    assert_true(gp_layout_valid(&c.job, &c.machine, &layout));
    layout.vpp = 1;
    layout.zero = 3;
    assert_false(gp_layout_valid(&c.job, &c.machine, &layout));
    layout.zero = 1;
    layout.pp = 128; /* more stages than layers */
    assert_false(gp_layout_valid(&c.job, &c.machine, &layout));
    layout = plain();
    layout.vpp = 2; /* virtual stages of no pipeline */
    assert_false(gp_layout_valid(&c.job, &c.machine, &layout));
    /* 126 layers in 16 stages of 8: embedding and head take two places. */
    set_up(*state, "llama-3.1-405b", &c);
    layout = plain();
    layout.tp = 8;
    layout.pp = 16;
    assert_true(gp_layout_valid(&c.job, &c.machine, &layout));
    layout.pp = 127; /* an empty stage */
    assert_false(gp_layout_valid(&c.job, &c.machine, &layout));
    layout.pp = 16;
    layout.vpp = 3; /* 48 chunks of 3 would leave 18 layers short */
    assert_false(gp_layout_valid(&c.job, &c.machine, &layout));
}

static void test_expert_rules(void **state) {
    layout_case c;
    set_up(*state, "llama-3.1-70b", &c);
    gp_layout layout = plain();
    layout.ep = 2; /* a dense model */
    assert_false(gp_layout_valid(&c.job, &c.machine, &layout));
    set_up(*state, "qwen3-30b-a3b", &c);
    layout.ep = 8;
    assert_true(gp_layout_valid(&c.job, &c.machine, &layout));
    layout.ep = 16; /* more than the replicas hold */
    assert_false(gp_layout_valid(&c.job, &c.machine, &layout));
    layout.ep = 3; /* does not divide 128 experts */
    assert_false(gp_layout_valid(&c.job, &c.machine, &layout));
}

static void test_batch_rules(void **state) {
    layout_case c;
    set_up(*state, "llama-3.1-8b", &c);
    gp_layout layout = plain();
    layout.dp = 128;
    assert_true(gp_layout_valid(&c.job, &c.machine, &layout));
    layout.micro_batch = 2; /* 256 sequences asked of 128 */
    assert_false(gp_layout_valid(&c.job, &c.machine, &layout));
    layout = plain();
    layout.cp = 8;
    assert_true(gp_layout_valid(&c.job, &c.machine, &layout));
    layout.cp = 7;
    assert_false(gp_layout_valid(&c.job, &c.machine, &layout));
    layout = plain();
    layout.recompute = GP_RECOMPUTE_AUTO;
    assert_false(gp_layout_valid(&c.job, &c.machine, &layout));
    layout = plain();
    c.job.compute = GP_PRECISION_FP4; /* the H100 has none */
    assert_false(gp_layout_valid(&c.job, &c.machine, &layout));
}

/* Every dimension at one; experts split without tensor parallelism; uneven stages; fewer key-value
 * heads than tensor ranks; a million tokens; a batch smaller than the replicas. */
static void test_edges(void **state) {
    layout_case c;
    set_up(*state, "llama-3.1-8b", &c);
    gp_layout layout = plain();
    layout.dp = 1;
    assert_true(gp_layout_valid(&c.job, &c.machine, &layout));
    layout.pp = 3; /* 11 + 11 + 10 of 32 layers */
    assert_true(gp_layout_valid(&c.job, &c.machine, &layout));
    layout.pp = 20; /* ten stages would be missing a layer each, but not twenty */
    assert_true(gp_layout_valid(&c.job, &c.machine, &layout));
    layout.pp = 33; /* more stages than layers */
    assert_false(gp_layout_valid(&c.job, &c.machine, &layout));
    layout = plain();
    layout.dp = 256; /* 128 sequences for 256 replicas */
    assert_false(gp_layout_valid(&c.job, &c.machine, &layout));
    c.job.sequence_length = 1 << 20;
    c.job.global_batch = 4.0 * (1 << 20);
    layout.dp = 4;
    layout.cp = 16;
    assert_true(gp_layout_valid(&c.job, &c.machine, &layout));
    set_up(*state, "qwen2.5-7b", &c); /* 28 heads over 4 key-value heads */
    layout = plain();
    layout.dp = 1;
    layout.tp = 4;
    assert_true(gp_layout_valid(&c.job, &c.machine, &layout));
    layout.tp = 8; /* 28 heads do not split in eight */
    assert_false(gp_layout_valid(&c.job, &c.machine, &layout));
    set_up(*state, "qwen3-30b-a3b", &c);
    layout = plain(); /* TP1 with experts split */
    layout.ep = 4;
    assert_true(gp_layout_valid(&c.job, &c.machine, &layout));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),         cmocka_unit_test(test_tensor_rules),
        cmocka_unit_test(test_pipeline_rules), cmocka_unit_test(test_expert_rules),
        cmocka_unit_test(test_batch_rules),    cmocka_unit_test(test_edges),
    };
    return cmocka_run_group_tests(tests, estimate_case_open, estimate_case_close);
}
