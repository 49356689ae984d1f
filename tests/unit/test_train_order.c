/* A part that is at least as good in every figure of its datasheet is never estimated slower: all
 * pairs of parts of the catalogue, dense and routed models, every precision that both have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/estimate_case.h"

typedef struct order_case {
    const char *model;
    gp_layout layout;
    double sequences; /* of a step */
} order_case;

#define LAYOUT(tp_, ep_, zero_)                                                                    \
    {                                                                                              \
        .tp = tp_, .pp = 1, .vpp = 1, .dp = 8 / (tp_), .cp = 1, .ep = ep_, .zero = zero_,          \
        .micro_batch = 1, .recompute = GP_RECOMPUTE_NONE                                           \
    }

static const order_case order_cases[] = {
    {"llama-3.1-8b", LAYOUT(1, 1, 1), 64},  {"llama-3.1-8b", LAYOUT(1, 1, 3), 64},
    {"llama-3.1-70b", LAYOUT(8, 1, 1), 32}, {"llama-3.1-70b", LAYOUT(2, 1, 3), 32},
    {"qwen3-30b-a3b", LAYOUT(1, 8, 1), 64}, {"deepseek-v3", LAYOUT(1, 8, 1), 64},
    {"mpt-125m", LAYOUT(1, 1, 1), 512},
};

enum { SYSTEM_GPUS = 8 };

static bool has_order(const gp_gpu *gpu) {
    return gpu->tdp_w > 0 && gpu->memory_bytes_per_s > 0 && gpu->flops.bf16 > 0;
}

/* Cards without links of their own meet over the host; groups of fewer than eight are no machine of
 * eight. */
static int64_t domain_of(const gp_gpu *gpu) {
    bool linked = gpu->link.kind != NULL && strncmp(gpu->link.kind, "pcie", 4) != 0;
    int64_t most = gpu->domain_max > 0 ? gpu->domain_max : linked ? SYSTEM_GPUS : 1;
    return most >= SYSTEM_GPUS ? SYSTEM_GPUS : most > 1 ? 0 : 1;
}

static double step_s(estimate_case *c, const order_case *o, gp_machine *machine,
                     gp_precision precision, double *ret_safe_s) {
    gp_shape shape = estimate_case_shape(c, o->model);
    gp_train_job job = {.type = GP_WORKLOAD_TRAINING,
                        .shape = &shape,
                        .sequence_length = 4096,
                        .global_batch = 4096 * o->sequences,
                        .packing_fraction = 1,
                        .compute = precision,
                        .weights = GP_FORMAT_BF16,
                        .gradients = GP_FORMAT_FP32,
                        .speed_factor = 1};
    gp_train_time time;
    gp_train_step_time(&job, machine, &c->network, &o->layout, &c->constants, NULL, &time);
    *ret_safe_s = time.step_s * (1 + gp_train_band(&job, machine, &o->layout, &c->constants));
    return time.step_s;
}

typedef struct part {
    const gp_gpu *gpu;
    gp_machine machine;
} part;

static size_t compare(estimate_case *c, part *better, part *worse, size_t *pairs) {
    size_t inversions = 0;
    for (size_t o = 0; o < sizeof order_cases / sizeof order_cases[0]; o++) {
        for (int p = 0; p < GP_PRECISION_COUNT; p++) {
            if (better->machine.efficiency[p] == NULL || worse->machine.efficiency[p] == NULL)
                continue;
            double safe_a = 0, safe_b = 0;
            double a = step_s(c, &order_cases[o], &better->machine, (gp_precision)p, &safe_a);
            double b = step_s(c, &order_cases[o], &worse->machine, (gp_precision)p, &safe_b);
            bool inverted = a > b * 1.0001 || safe_a > safe_b * 1.0001;
            ++*pairs;
            inversions += inverted ? 1 : 0;
            if (inverted)
                print_message(
                    "%s over %s, %s, precision %d: %.4g s and %.4g s, safe %.4g and %.4g\n",
                    better->gpu->id, worse->gpu->id, order_cases[o].model, p, a, b, safe_a, safe_b);
        }
    }
    return inversions;
}

static void better_parts_are_not_slower(void **state) {
    estimate_case *c = *state;
    const void *const *rows = NULL;
    size_t count = 0, n = 0, pairs = 0, inversions = 0;
    assert_int_equal(gp_catalog_rows(c->catalog, GP_CATALOG_GPUS, &rows, &count), GP_OK);
    part *parts = GP_NEW_ARRAY(c->arena, part, count);
    assert_non_null(parts);
    for (size_t i = 0; i < count; i++) {
        const gp_gpu *gpu = rows[i];
        const gp_machine machine = estimate_case_machine(c, gpu->id, SYSTEM_GPUS);
        if (has_order(gpu) && domain_of(gpu) > 0) {
            parts[n] = (part){gpu, machine};
            parts[n++].machine.domain = domain_of(gpu);
        }
    }
    for (size_t a = 0; a < n; a++) {
        for (size_t b = 0; b < n; b++) {
            if (a != b && gp_gpu_dominates(parts[a].gpu, parts[b].gpu)) {
                inversions += compare(c, &parts[a], &parts[b], &pairs);
            }
        }
    }
    print_message("%zu of %zu inverted\n", inversions, pairs);
    assert_true(pairs > 15000);
    assert_int_equal(inversions, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(better_parts_are_not_slower, estimate_case_open,
                                        estimate_case_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
