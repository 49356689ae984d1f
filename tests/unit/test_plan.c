/* The verdict, branch by branch: one small spec per scale and per binding resource. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/spec_case.h"

#define HEAD "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: t}\nspec:\n"
#define CHAT_8B                                                                                    \
    "  workloads:\n"                                                                               \
    "    - name: w\n"                                                                              \
    "      type: inference\n"                                                                      \
    "      model: llama-3.1-8b\n"                                                                  \
    "      traffic: {requestsPerSecond: {mean: 1, peak: 2}, inputTokens: 1000, outputTokens: "     \
    "200}\n"                                                                                       \
    "      goal: {slo: {ttft: 2 s, tpot: 50 ms}}\n"
#define SFT_70B                                                                                    \
    "  workloads:\n"                                                                               \
    "    - name: w\n"                                                                              \
    "      type: finetune\n"                                                                       \
    "      model: llama-3.1-70b\n"                                                                 \
    "      data: {tokens: 100M tokens, sequenceLength: 4096, globalBatch: 512k tokens}\n"          \
    "      goal: {maxDuration: 5d}\n"
#define PRETRAIN_8B                                                                                \
    "  workloads:\n"                                                                               \
    "    - name: w\n"                                                                              \
    "      type: training\n"                                                                       \
    "      model: llama-3.1-8b\n"                                                                  \
    "      data: {tokens: 1T tokens, sequenceLength: 8192, globalBatch: 4M tokens}\n"              \
    "      goal: {completeWithin: 60d}\n"
#define POOL_H100(n) "  cluster: {pools: [{name: p, system: dgx-h100, count: " #n "}]}\n"
#define POOL_H200(n) "  cluster: {pools: [{name: p, system: dgx-h200, count: " #n "}]}\n"

typedef struct branch {
    const char *name;
    const char *text;
    gp_scale scale;
    gp_bound bound; /* NONE: any */
} branch;

static const branch branches[] = {
    {"a small service fits what is there", HEAD POOL_H100(1) CHAT_8B, GP_SCALE_NONE, GP_BOUND_NONE},
    {"full fine-tuning outgrows the memory of one machine",
     HEAD POOL_H100(1) "  candidates: [dgx-h100, dgx-b300]\n" SFT_70B, GP_SCALE_VERTICAL,
     GP_BOUND_MEMORY},
    {"pre-training misses its deadline on one machine",
     HEAD POOL_H100(1) "  candidates: [dgx-h100]\n" PRETRAIN_8B, GP_SCALE_HORIZONTAL,
     GP_BOUND_COMPUTE},
    {"pre-training on a small machine wants a larger one, and more of them",
     HEAD "  cluster: {pools: [{name: p, system: dgx-a100, count: 1}]}\n"
          "  candidates: [dgx-b200]\n" PRETRAIN_8B,
     GP_SCALE_BOTH, GP_BOUND_COMPUTE},
    {"a model that no candidate holds",
     HEAD "  cluster: {pools: [{name: p, system: l40s-8gpu, count: 1}]}\n"
          "  candidates: {allow: [l40s-8gpu], limits: {maxNodes: 1}}\n" SFT_70B,
     GP_SCALE_INFEASIBLE, GP_BOUND_MEMORY},
    {"a latency that no candidate reaches",
     HEAD POOL_H100(1) "  candidates: [dgx-h100]\n"
                       "  workloads:\n"
                       "    - name: w\n"
                       "      type: inference\n"
                       "      model: llama-3.1-405b\n"
                       "      precision: {weights: fp8}\n"
                       "      traffic: {requestsPerSecond: 1, inputTokens: 1000, outputTokens: "
                       "200}\n"
                       "      goal: {slo: {tpot: 1 ms}}\n",
     GP_SCALE_INFEASIBLE, GP_BOUND_LATENCY},
    {"machines that may not be bought",
     HEAD POOL_H100(1) "  candidates: {allow: [dgx-h100], limits: {maxNodes: 2}}\n" PRETRAIN_8B,
     GP_SCALE_INFEASIBLE, GP_BOUND_NONE},
    {"a site without the power for it",
     HEAD
     "  site: {power: {itCapacity: 40 kW}}\n" POOL_H100(1) "  candidates: [dgx-h100]\n" PRETRAIN_8B,
     GP_SCALE_INFEASIBLE, GP_BOUND_POWER},
    {"a site without the racks for it",
     HEAD "  site: {racks: {count: 1, height: 48 U, maxPower: 40 kW}}\n" POOL_H100(
         1) "  candidates: [dgx-h100]\n" PRETRAIN_8B,
     GP_SCALE_INFEASIBLE, GP_BOUND_SPACE},
    {"a site without the cooling for it",
     HEAD "  site: {cooling: {air: {capacity: 40 kW}}}\n" POOL_H100(
         1) "  candidates: [dgx-h100]\n" PRETRAIN_8B,
     GP_SCALE_INFEASIBLE, GP_BOUND_COOLING},
    {"without a goal it is sized to memory",
     HEAD POOL_H100(1) "  workloads:\n"
                       "    - {name: w, type: inference, model: llama-3.1-8b}\n",
     GP_SCALE_NONE, GP_BOUND_MEMORY},
};
enum { BRANCHES = sizeof branches / sizeof branches[0] };

static void plan_branch(const branch *b, spec_case *c) {
    print_message("%s\n", b->name);
    assert_int_equal(spec_case_plan(c, "t.yaml", b->text, NULL, 0), GP_OK);
}

static void test_branches(void **state) {
    (void)state;
    for (size_t i = 0; i < BRANCHES; i++) {
        spec_case c;
        plan_branch(&branches[i], &c);
        const gp_workload_plan *w = spec_case_workload(&c, "w");
        assert_string_equal(gp_scale_name(w->scale), gp_scale_name(branches[i].scale));
        if (branches[i].bound != GP_BOUND_NONE)
            assert_string_equal(gp_bound_name(w->bound_by), gp_bound_name(branches[i].bound));
        spec_case_free(&c);
    }
}

/* Both alternatives are always there: sized in full, or with what they lack. */
static void test_alternatives(void **state) {
    (void)state;
    for (size_t i = 0; i < BRANCHES; i++) {
        spec_case c;
        plan_branch(&branches[i], &c);
        const gp_workload_plan *w = spec_case_workload(&c, "w");
        const gp_candidate *both[] = {&w->vertical, &w->horizontal};
        for (size_t a = 0; a < 2; a++) {
            if (!both[a]->present)
                continue;
            assert_true(both[a]->feasible != (both[a]->lack.bound != GP_BOUND_NONE));
            if (both[a]->feasible)
                assert_true(both[a]->nodes > 0 && both[a]->gpus > 0 &&
                            both[a]->facility_mean_w > 0);
        }
        if (w->scale == GP_SCALE_VERTICAL)
            assert_true(w->vertical.feasible && w->vertical.nodes <= 1);
        if (w->scale == GP_SCALE_HORIZONTAL)
            assert_true(w->horizontal.feasible && w->chosen.nodes > 1);
        spec_case_free(&c);
    }
}

static int64_t gpus_with(const char *text, const char *path, const char *value) {
    spec_case c;
    const gp_override override = {path, value};
    assert_int_equal(spec_case_plan(&c, "t.yaml", text, &override, 1), GP_OK);
    const gp_workload_plan *w = spec_case_workload(&c, "w");
    const int64_t gpus = w->chosen.feasible ? w->chosen.gpus : INT64_MAX;
    spec_case_free(&c);
    return gpus;
}

/* A higher confidence never needs fewer GPUs. */
static void test_confidence(void **state) {
    (void)state;
    for (size_t i = 0; i < BRANCHES; i++) {
        const int64_t expected = gpus_with(branches[i].text, "defaults.confidence", "expected");
        const int64_t p80 = gpus_with(branches[i].text, "defaults.confidence", "p80");
        const int64_t p90 = gpus_with(branches[i].text, "defaults.confidence", "p90");
        assert_true(expected <= p80 && p80 <= p90);
    }
}

/* Claims never exceed what exists plus what is recommended. */
static void test_claims(void **state) {
    (void)state;
    static const char text[] = HEAD POOL_H100(
        2) "  candidates: [dgx-h100]\n"
           "  workloads:\n"
           "    - name: a\n"
           "      type: finetune\n"
           "      model: llama-3.1-8b\n"
           "      data: {tokens: 100M tokens, sequenceLength: 4096, globalBatch: 512k tokens}\n"
           "      goal: {maxDuration: 2d}\n"
           "      priority: 1\n"
           "    - name: b\n"
           "      type: finetune\n"
           "      model: llama-3.1-8b\n"
           "      data: {tokens: 100M tokens, sequenceLength: 4096, globalBatch: 512k tokens}\n"
           "      goal: {maxDuration: 2d}\n"
           "      priority: 5\n"
           "    - name: c\n"
           "      type: finetune\n"
           "      model: llama-3.1-8b\n"
           "      data: {tokens: 100M tokens, sequenceLength: 4096, globalBatch: 512k tokens}\n"
           "      goal: {maxDuration: 2d}\n"
           "      priority: 9\n";
    spec_case c;
    assert_int_equal(spec_case_plan(&c, "t.yaml", text, NULL, 0), GP_OK);
    /* Two whole machines: the two higher priorities take them, the lowest needs another. */
    assert_int_equal(spec_case_workload(&c, "c")->scale, GP_SCALE_NONE);
    assert_int_equal(spec_case_workload(&c, "b")->scale, GP_SCALE_NONE);
    assert_int_equal(spec_case_workload(&c, "a")->scale, GP_SCALE_HORIZONTAL);
    assert_int_equal(c.result->site.nodes, 3);
    assert_int_equal(c.result->site.owned_nodes + c.result->site.bought_nodes, 3);
    spec_case_free(&c);
}

/* Higher priority stays feasible when a shared limit holds only one. */
static void test_shared_limit(void **state) {
    (void)state;
    static const char text[] =
        HEAD "  site: {power: {itCapacity: 12 kW}}\n"
             "  candidates: [dgx-h100]\n"
             "  workloads:\n"
             "    - name: low\n"
             "      type: finetune\n"
             "      model: llama-3.1-8b\n"
             "      data: {tokens: 50M tokens, sequenceLength: 4096, globalBatch: 512k tokens}\n"
             "      goal: {maxDuration: 10d}\n"
             "    - name: high\n"
             "      type: finetune\n"
             "      model: llama-3.1-8b\n"
             "      data: {tokens: 50M tokens, sequenceLength: 4096, globalBatch: 512k tokens}\n"
             "      goal: {maxDuration: 10d}\n"
             "      priority: 9\n";
    spec_case c;
    assert_int_equal(spec_case_plan(&c, "t.yaml", text, NULL, 0), GP_OK);
    assert_true(spec_case_workload(&c, "high")->chosen.feasible);
    assert_int_equal(spec_case_workload(&c, "low")->scale, GP_SCALE_INFEASIBLE);
    assert_int_equal(spec_case_workload(&c, "low")->bound_by, GP_BOUND_POWER);
    spec_case_free(&c);
}

/* The same input gives the same plan. */
static void test_repeatable(void **state) {
    (void)state;
    spec_case a;
    spec_case b;
    assert_int_equal(spec_case_plan_file(&a, "examples/quickstart.yaml", NULL, 0), GP_OK);
    assert_int_equal(spec_case_plan_file(&b, "examples/quickstart.yaml", NULL, 0), GP_OK);
    for (size_t i = 0; i < a.result->workloads.count; i++) {
        const gp_workload_plan *x = &a.result->workloads.items[i];
        const gp_workload_plan *y = &b.result->workloads.items[i];
        assert_int_equal(x->scale, y->scale);
        assert_int_equal(x->layouts_timed, y->layouts_timed);
        assert_int_equal(gp_layout_gpus(&x->chosen.layout), gp_layout_gpus(&y->chosen.layout));
        assert_int_equal(x->chosen.layout.tp, y->chosen.layout.tp);
        assert_int_equal(x->chosen.layout.pp, y->chosen.layout.pp);
        assert_int_equal(x->chosen.layout.micro_batch, y->chosen.layout.micro_batch);
        assert_memory_equal(&x->chosen.objective, &y->chosen.objective, sizeof(double));
    }
    spec_case_free(&a);
    spec_case_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_branches),     cmocka_unit_test(test_alternatives),
        cmocka_unit_test(test_confidence),   cmocka_unit_test(test_claims),
        cmocka_unit_test(test_shared_limit), cmocka_unit_test(test_repeatable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
