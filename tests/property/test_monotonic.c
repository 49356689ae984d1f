/*
 * What must hold whatever the figures are: a better machine never needs more of itself. Each case
 * plans a workload on machines that differ in one figure only and walks that figure upwards.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "support/spec_case.h"

static const char head[] = "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: t}\nspec:\n"
                           "  candidates: {allow: [p], limits: {maxNodes: 256}}\n"
                           "  cluster:\n"
                           "    pools:\n"
                           "      - name: p\n"
                           "        count: 1\n"
                           "        system: {gpus: 8, maxPower: 10 kW, height: 8 U, nics: [{rate: "
                           "%d Gb/s, count: 8}], gpu: {extends: h100-sxm, usableMemory: %d GiB, "
                           "memoryBandwidth: %d GB/s, flops: {bf16: %d TFLOP/s}}}\n"
                           "    fabrics: [{name: compute, rate: 800 Gb/s}]\n"
                           "  workloads:\n";

#define SERVICE(model, rate, apart)                                                                \
    "    - {name: w, type: inference, model: " model ", disaggregated: " apart                     \
    ", traffic: {requestsPerSecond: " rate                                                         \
    ", inputTokens: 1500, outputTokens: 300}, goal: {slo: {ttft: 3 s, tpot: 60 ms}}}\n"

static const char *const workloads[] = {
    "    - {name: w, type: training, model: llama-3.1-70b, data: {tokens: 200B tokens, "
    "sequenceLength: 8192, globalBatch: 4M tokens}, goal: {completeWithin: 60d}}\n",
    "    - {name: w, type: finetune, model: llama-3.1-8b, data: {tokens: 2B tokens, "
    "sequenceLength: "
    "4096, globalBatch: 512k tokens}, goal: {maxDuration: 1d}}\n",
    "    - {name: w, type: lora, model: qwen3-32b, adapter: {method: qlora}, data: {tokens: 200M "
    "tokens, sequenceLength: 2048, globalBatch: 128k tokens}, goal: {maxDuration: 12h}}\n",
    /* Between one pool and two the plan prefers one, which may then take a few GPUs more. */
    SERVICE("llama-3.1-70b", "4", "false"),
    SERVICE("llama-3.1-70b", "4", "true"),
    SERVICE("gpt-oss-120b", "20", "false"),
    SERVICE("gpt-oss-120b", "20", "true"),
};
enum { WORKLOADS = sizeof workloads / sizeof workloads[0], FIGURES = 4, STEPS = 5 };

/* One figure walks up; the others stay at the second column. */
static const struct {
    const char *name;
    int values[STEPS];
} figures[FIGURES] = {
    {"network rate", {25, 100, 200, 400, 800}},
    {"memory", {40, 60, 80, 140, 280}},
    {"memory bandwidth", {1500, 2200, 3350, 4800, 8000}},
    {"FLOP/s", {300, 600, 989, 1500, 2500}},
};
static const int usual[FIGURES] = {400, 80, 3350, 989};
static const double slack = 1 + 1e-9;

typedef struct outcome {
    bool feasible;
    int64_t gpus;
    double step_s;
} outcome;

static outcome plan(const char *workload, const int v[FIGURES]) {
    char text[4096];
    const int n = snprintf(text, sizeof text, head, v[0], v[1], v[2], v[3]);
    snprintf(text + n, sizeof text - (size_t)n, "%s", workload);
    spec_case c;
    assert_int_equal(spec_case_plan(&c, "t.yaml", text, NULL, 0), GP_OK);
    const gp_workload_plan *w = &c.result->workloads.items[0];
    const outcome o = {w->chosen.feasible, w->chosen.gpus, w->chosen.time.step_s};
    spec_case_free(&c);
    return o;
}

static void walk(const char *workload, int figure) {
    int v[FIGURES];
    for (int i = 0; i < FIGURES; i++)
        v[i] = usual[i];
    outcome before = {0};
    for (int s = 0; s < STEPS; s++) {
        v[figure] = figures[figure].values[s];
        const outcome now = plan(workload, v);
        if (before.feasible) {
            if (!now.feasible || now.gpus > before.gpus)
                print_message("%s %d: %lld GPUs, before %lld: %s", figures[figure].name, v[figure],
                              (long long)now.gpus, (long long)before.gpus, workload);
            assert_true(now.feasible);
            assert_true(now.gpus <= before.gpus);
            if (now.gpus == before.gpus && now.step_s > before.step_s * slack)
                print_message("%s %d: step %g, before %g: %s", figures[figure].name, v[figure],
                              now.step_s, before.step_s, workload);
            if (now.gpus == before.gpus && before.step_s > 0)
                assert_true(now.step_s <= before.step_s * slack);
        }
        before = now;
    }
}

static void test_better_is_never_worse(void **state) {
    (void)state;
    for (int w = 0; w < WORKLOADS; w++)
        for (int f = 0; f < FIGURES; f++)
            walk(workloads[w], f);
}

/* More work never needs fewer machines. */
static void test_more_work(void **state) {
    (void)state;
    static const struct {
        int workload;
        const char *path;
        const char *values[STEPS];
    } rows[] = {
        {0, "workloads.w.data.tokens", {"50B", "100B", "200B", "400B", "800B"}},
        {0, "workloads.w.goal.completeWithin", {"240d", "120d", "60d", "30d", "15d"}},
        {1, "workloads.w.data.tokens", {"500M", "1B", "2B", "4B", "8B"}},
        {3, "workloads.w.traffic.requestsPerSecond.mean", {"1", "2", "4", "20", "200"}},
        {3, "workloads.w.goal.slo.tpot.p95", {"200 ms", "100 ms", "70 ms", "60 ms", "50 ms"}},
        {4, "workloads.w.traffic.inputTokens.mean", {"100", "500", "1500", "4000", "12000"}},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        char text[4096];
        const int n = snprintf(text, sizeof text, head, usual[0], usual[1], usual[2], usual[3]);
        snprintf(text + n, sizeof text - (size_t)n, "%s", workloads[rows[r].workload]);
        int64_t before = 0;
        for (int s = 0; s < STEPS; s++) {
            spec_case c;
            const gp_override override = {rows[r].path, rows[r].values[s]};
            assert_int_equal(spec_case_plan(&c, "t.yaml", text, &override, 1), GP_OK);
            const gp_candidate *chosen = &c.result->workloads.items[0].chosen;
            const int64_t gpus = chosen->feasible ? chosen->gpus : INT64_MAX;
            if (gpus < before)
                print_message("%s %s: %lld, before %lld\n", rows[r].path, rows[r].values[s],
                              (long long)gpus, (long long)before);
            assert_true(gpus >= before);
            before = gpus;
            spec_case_free(&c);
        }
    }
}

/* ---- kinds of the catalogue ---- */

static const char kinds_head[] =
    "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: t}\nspec:\n"
    "  defaults: {confidence: %s, headroom: {gpus: 0}}\n"
    "  candidates: {allow: [p], objective: minGpus, limits: {maxNodes: 2000}}\n"
    "  cluster: {pools: [{name: p, count: 0, system: %s}], "
    "fabrics: [{name: compute, rate: 400 Gb/s}]}\n"
    "  workloads:\n";

#define LOAD(model, apart, rate, in, out, first, token)                                            \
    "    - {name: w, type: inference, model: " model ", disaggregated: " apart                     \
    ", traffic: {requestsPerSecond: {mean: " rate ", peak: " rate "}, inputTokens: " in            \
    ", outputTokens: " out "}, goal: {slo: {ttft: " first ", tpot: " token "}}}\n"

/* Each is at least as good in every figure as the one below it whose number is named. */
static const struct {
    const char *system;
    int worse; /* further down; 0: none */
} kinds[] = {
    {"gb300-nvl72", 1},
    {"gb200-nvl72", 2},
    {"dgx-b200", 4},
    {"dgx-b300", 2},
    {"dgx-h200", 5},
    {"dgx-h100", 0},
    {"mi355x-8gpu", 7},
    {"mi325x-8gpu", 8},
    {"mi300x-8gpu", 0},
    {"{gpus: 8, maxPower: 8 kW, height: 8 U, nics: [{rate: 400 Gb/s, count: 8}], gpu: h20}", 4},
};
enum { KINDS = sizeof kinds / sizeof kinds[0], H20 = KINDS - 1 };

static int64_t gpus_on(const char *load, const char *confidence, int kind) {
    char text[4096];
    spec_case c;
    const int n = snprintf(text, sizeof text, kinds_head, confidence, kinds[kind].system);
    snprintf(text + n, sizeof text - (size_t)n, "%s", load);
    assert_int_equal(spec_case_plan(&c, "t.yaml", text, NULL, 0), GP_OK);
    const gp_candidate *chosen = &c.result->workloads.items[0].chosen;
    const int64_t gpus = chosen->feasible ? chosen->gpus : INT64_MAX;
    spec_case_free(&c);
    return gpus;
}

/* No kind that betters another needs more of itself for the same service; the H20 is bettered. */
static void test_better_kinds_need_no_more(void **state) {
    (void)state;
    static const char *const loads[] = {
        LOAD("deepseek-v3", "auto", "50", "2000", "1000", "5 s", "100 ms"),
        LOAD("deepseek-v3", "decode", "200", "4000", "1000", "5 s", "50 ms"),
        LOAD("deepseek-v3", "prefill", "30", "8000", "1", "5 s", "100 ms"),
        LOAD("gpt-oss-120b", "auto", "200", "1000", "1000", "3 s", "30 ms"),
        LOAD("qwen3-235b-a22b", "auto", "50", "2000", "1000", "3 s", "60 ms"),
        LOAD("llama-3.1-405b", "false", "5", "2000", "500", "5 s", "90 ms"),
        LOAD("llama-3.1-8b", "auto", "100", "1000", "300", "2 s", "30 ms"),
    };
    static const char *const confidences[] = {"expected", "p80"};
    int planned = 0;
    for (size_t i = 0; i < 2 * sizeof loads / sizeof loads[0]; i++) {
        int64_t gpus[KINDS];
        for (int k = 0; k < KINDS; k++)
            gpus[k] = gpus_on(loads[i / 2], confidences[i % 2], k);
        for (int k = 0; k < KINDS; k++) {
            const int better = k == H20 ? kinds[k].worse : k;
            const int worse = k == H20 ? k : kinds[k].worse;
            planned += gpus[k] < INT64_MAX ? 1 : 0;
            if (worse > 0 && gpus[better] > gpus[worse])
                print_message("%s %lld GPUs, %s %lld: %s %s", kinds[better].system,
                              (long long)gpus[better], kinds[worse].system, (long long)gpus[worse],
                              confidences[i % 2], loads[i / 2]);
            assert_true(worse == 0 || gpus[better] <= gpus[worse]);
        }
    }
    assert_true(planned > 120);
}

int main(void) {
    /* A short simulation has an error of its own: the property is that of the closed form. */
    spec_case_simulate = GP_PLAN_SIMULATE_OFF;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_better_is_never_worse),
        cmocka_unit_test(test_more_work),
        cmocka_unit_test(test_better_kinds_need_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
