/*
 * The layout search against published layouts: the time of the published one is near what was
 * measured, the one found is not slower, and nobody would laugh at it.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/spec_case.h"

typedef struct published {
    const char *name;
    const char *model, *system, *stack, *precision;
    int nodes, sequence, batch; /* batch in sequences */
    const char *layout;         /* declared parallelism */
    const char *recompute;
    double measured;  /* tokens per second and GPU; 0: none */
    double tolerance; /* of it */
    int64_t splits;   /* most pipeline x context ranks of the layout found */
} published;

#define NEMO_25       "framework: megatron, release: \"25.02\""
#define MEGATRON_2022 "framework: megatron-lm, release: \"2022\""

/* NVIDIA/dgxc-benchmarking v25.04; arXiv 2407.21783, table 4 (no virtual stages are stated, and the
 * stack is another: 20 %); arXiv 2205.05198, table 5. */
static const published rows[] = {
    {"70B on 64 H100", "llama-3.1-70b", "dgx-h100", NEMO_25, "bf16", 8, 8192, 128,
     "tp: 4, pp: 4, vpp: 5, cp: 2, dp: 2, microBatch: 1", "auto", 1117.6, 0.1, 8},
    {"70B on 64 H100 in FP8", "llama-3.1-70b", "dgx-h100", NEMO_25, "fp8", 8, 8192, 128,
     "tp: 4, pp: 8, vpp: 5, cp: 1, dp: 2, microBatch: 1", "auto", 1661.66, 0.1, 8},
    {"405B on 512 H100", "llama-3.1-405b", "dgx-h100", NEMO_25, "bf16", 64, 8192, 256,
     "tp: 8, pp: 8, vpp: 8, cp: 2, dp: 4, microBatch: 1", "auto", 207.08, 0.1, 16},
    {"405B on 1,024 H100", "llama-3.1-405b", "dgx-h100", NEMO_25, "bf16", 128, 8192, 512,
     "tp: 8, pp: 8, vpp: 8, cp: 2, dp: 8, microBatch: 1", "auto", 206.45, 0.1, 16},
    {"405B on 2,048 H100", "llama-3.1-405b", "dgx-h100", NEMO_25, "bf16", 256, 8192, 1024,
     "tp: 8, pp: 8, vpp: 8, cp: 2, dp: 16, microBatch: 1", "auto", 206.14, 0.1, 16},
    {"405B on 8,192 H100", "llama-3.1-405b", "dgx-h100", NEMO_25, "bf16", 1024, 8192, 2048,
     "tp: 8, pp: 16, cp: 1, dp: 64", "auto", 169, 0.2, 16},
    {"405B on 16,384 H100", "llama-3.1-405b", "dgx-h100", NEMO_25, "bf16", 2048, 8192, 2048,
     "tp: 8, pp: 16, cp: 1, dp: 128", "auto", 157.6, 0.2, 32},
    {"175B on 64 A100", "gpt3-175b", "dgx-a100", MEGATRON_2022, "fp16", 8, 2048, 64,
     "tp: 8, pp: 8, vpp: 3, cp: 1, dp: 1, microBatch: 1", "selective", 148.9, 0.1, 8},
    {"175B on 64 A100, all recomputed", "gpt3-175b", "dgx-a100", MEGATRON_2022, "fp16", 8, 2048, 64,
     "tp: 8, pp: 8, vpp: 3, cp: 1, dp: 1, microBatch: 1", "full", 113, 0.1, 8},
    {"1T on 512 A100", "megatron-1t", "dgx-a100", MEGATRON_2022, "fp16", 64, 2048, 512,
     "tp: 8, pp: 64, vpp: 1, cp: 1, dp: 1, microBatch: 1", "selective", 28.6, 0.1, 64},
    {"1T on 3,072 A100", "megatron-1t", "dgx-a100", MEGATRON_2022, "fp16", 384, 2048, 3072,
     "tp: 8, pp: 64, vpp: 2, cp: 1, dp: 6, microBatch: 1", "selective", 0, 0, 64},
    {"DeepSeek-V3 on 256 GB200", "deepseek-v3", "gb200-nvl72",
     "framework: megatron, release: \"26.04\"", "mxfp8", 4, 4096, 4096,
     "tp: 1, pp: 4, vpp: 4, cp: 1, ep: 64, dp: 64, microBatch: 1", "auto", 0, 0, 16},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* Plans exactly these machines, for the shortest time. */
static void plan_row(const published *row, bool declared, spec_case *c) {
    char text[2048];
    int len = snprintf(text, sizeof text,
                       "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: t}\nspec:\n"
                       "  defaults: {confidence: expected, headroom: {memory: 0%%, gpus: 0%%}}\n"
                       "  cluster: {pools: [{name: p, system: %s, count: %d}]}\n"
                       "  candidates: {allow: [%s], objective: minTime, limits: {maxNodes: %d}}\n"
                       "  workloads:\n"
                       "    - name: w\n"
                       "      type: training\n"
                       "      model: %s\n"
                       "      data: {tokens: 1T tokens, sequenceLength: %d, globalBatch: %d}\n"
                       "      software: {%s, tuning: tuned}\n"
                       "      precision: %s\n"
                       "      recompute: %s\n",
                       row->system, row->nodes, row->system, row->nodes, row->model, row->sequence,
                       row->sequence * row->batch, row->stack, row->precision,
                       declared ? row->recompute : "auto");
    if (declared)
        (void)snprintf(text + len, sizeof text - (size_t)len, "      parallelism: {%s}\n",
                       row->layout);
    assert_int_equal(spec_case_plan(c, "t.yaml", text, NULL, 0), GP_OK);
}

static void check_measured(const published *row, const gp_candidate *candidate) {
    const double tokens = (double)row->sequence * row->batch;
    const double rate =
        tokens / candidate->time.step_s / (double)gp_layout_gpus(&candidate->layout);
    if (row->measured > 0 && fabs(rate / row->measured - 1) > row->tolerance)
        fail_msg("%s: %.1f tokens/s/GPU, measured %.1f", row->name, rate, row->measured);
}

/* Tensor parallelism stays in a scale-up domain, and no more ranks hand a sequence on than need to:
 * those of the published layout at most. */
static void check_sane(const published *row, const gp_candidate *candidate) {
    const gp_layout *l = &candidate->layout;
    if (l->tp > candidate->unit->machine.domain || l->pp * l->cp > row->splits)
        fail_msg("%s: TP%lld PP%lld CP%lld", row->name, (long long)l->tp, (long long)l->pp,
                 (long long)l->cp);
}

static void test_published(void **state) {
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        spec_case declared, open;
        plan_row(&rows[i], true, &declared);
        plan_row(&rows[i], false, &open);
        const gp_candidate *theirs = &spec_case_workload(&declared, "w")->current;
        const gp_candidate *found = &spec_case_workload(&open, "w")->current;
        print_message("%s: published %.2f s, found %.2f s: TP%lld PP%lld VPP%lld CP%lld EP%lld "
                      "DP%lld ZeRO %lld\n",
                      rows[i].name, theirs->time.step_s, found->time.step_s,
                      (long long)found->layout.tp, (long long)found->layout.pp,
                      (long long)found->layout.vpp, (long long)found->layout.cp,
                      (long long)found->layout.ep, (long long)found->layout.dp,
                      (long long)found->layout.zero);
        assert_true(theirs->feasible && found->feasible);
        assert_false(spec_case_workload(&declared, "w")->layout_change);
        check_measured(&rows[i], theirs);
        check_sane(&rows[i], found);
        /* The search leaves out what memory does not ask for, such as a split of the sequence. */
        assert_true(found->time.step_s <= theirs->time.step_s * 1.05);
        spec_case_free(&declared);
        spec_case_free(&open);
    }
}

/* What nobody would build: a pipeline where one NVLink domain holds the model, and deep pipelines
 * that win by a hair because a count divides badly. The batches divide by 72 GPUs where there are
 * 72: else a pipeline of nine stages is the only way to use them all. */
static void test_simple(void **state) {
    (void)state;
    static const published open[] = {
        {"70B in one NVL72", "llama-3.1-70b", "gb200-nvl72", "framework: megatron", "bf16", 1, 8192,
         144, NULL, NULL, 0, 0, 1},
        {"405B in one NVL72", "llama-3.1-405b", "gb200-nvl72", "framework: megatron", "bf16", 1,
         8192, 144, NULL, NULL, 0, 0, 1},
        {"8B in one machine", "llama-3.1-8b", "dgx-h100", "framework: megatron", "bf16", 1, 8192,
         128, NULL, NULL, 0, 0, 1},
        {"8B on 64 H100", "llama-3.1-8b", "dgx-h100", "framework: megatron", "bf16", 8, 8192, 512,
         NULL, NULL, 0, 0, 2},
        {"405B on 1,280 machines", "llama-3.1-405b", "dgx-h100", "framework: megatron", "bf16",
         1280, 8192, 2048, NULL, NULL, 0, 0, 32},
        {"405B on 4,096 H100", "llama-3.1-405b", "dgx-h100", "framework: megatron", "bf16", 512,
         8192, 2048, NULL, NULL, 0, 0, 16},
    };
    for (size_t i = 0; i < sizeof open / sizeof open[0]; i++) {
        spec_case c;
        plan_row(&open[i], false, &c);
        const gp_candidate *found = &spec_case_workload(&c, "w")->current;
        assert_true(found->feasible);
        check_sane(&open[i], found);
        spec_case_free(&c);
    }
}

/* The recipe of DeepSeek-V3 on GB200 recomputes a few modules only: its time is that of no
 * recomputation at all. NVIDIA-NeMo/Megatron-Bridge docs/performance-summary-archive.md, 26.04. */
static void test_deepseek(void **state) {
    (void)state;
    spec_case c;
    plan_row(&rows[ROWS - 1], true, &c);
    const gp_workload_plan *w = spec_case_workload(&c, "w");
    const gp_network network = {.bytes_per_s = {50e9, 50e9, 50e9}};
    gp_layout layout = w->current.layout;
    gp_train_time time;
    assert_int_equal(layout.ep, 64);
    layout.recompute = GP_RECOMPUTE_NONE;
    gp_train_step_time(&w->train, &w->current.unit->machine, &network, &layout, c.result->constants,
                       NULL, &time);
    const double rate = 4096.0 * 4096 / time.step_s / 256;
    if (fabs(rate / 4193 - 1) > 0.1)
        fail_msg("%.0f tokens/s/GPU, measured 4193", rate);
    spec_case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published),
        cmocka_unit_test(test_simple),
        cmocka_unit_test(test_deepseek),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
