/* Resolution: references, defaults with their origins, derived formats, and every rule. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/read_case.h"

static bool near(double a, double b) {
    return fabs(a - b) <= 1e-9 * fabs(b);
}

static read_case good(const char *spec) {
    read_case c = read_spec(spec);
    if (c.st != GP_OK) {
        fail_msg("%s", read_messages(&c));
    }
    return c;
}

#define WORKLOAD(c, i) (&(c)->plan->spec.workloads.items[i])

static void a_pool_holds_its_machine(void **state) {
    (void)state;
    read_case c = read_text(
        "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: t}\nspec:\n"
        "  cluster:\n"
        "    pools:\n"
        "      - {name: a, system: dgx-h200, count: 2, overrides: {maxPower: 9 kW}}\n"
        "      - {name: b, system: {gpu: {extends: h200-sxm, tdp: 600 W}, gpus: 4}, count: 1}\n"
        "      - {name: c, system: dgx-h200, count: 1, overrides: {gpu: h100-sxm}}\n"
        "      - {name: d, system: {gpu: {memory: 40 GB, memoryBandwidth: 1 TB/s, "
        "flops: {bf16: 300 TFLOP/s}}, gpus: 4}, count: 1}\n"
        "      - {name: e, system: {extends: dgx-h200, gpu: {tdp: 650 W}}, count: 1}\n"
        "  workloads: [{name: w, type: inference, model: llama-3.1-8b}]\n");
    if (c.st != GP_OK) {
        fail_msg("%s", read_messages(&c));
    }
    const gp_pool *pools = c.plan->spec.cluster.pools.items;
    assert_string_equal(pools[0].system.id, "dgx-h200");
    assert_true(near(pools[0].system.max_power_w, 9000));
    assert_int_equal(GP_ORIGIN_OF(&pools[0].system, gp_system, max_power_w)->kind, GP_ORIGIN_SPEC);
    assert_int_equal(GP_ORIGIN_OF(&pools[0].system, gp_system, gpus)->kind, GP_ORIGIN_CATALOG);
    assert_string_equal(pools[1].system.id, "b");
    assert_string_equal(pools[1].system.gpu.id, "h200-sxm");
    assert_true(near(pools[1].system.gpu.tdp_w, 600));
    assert_int_equal(pools[1].system.domain, 4);
    assert_int_equal(GP_ORIGIN_OF(&pools[1].system, gp_system, domain)->kind, GP_ORIGIN_DERIVED);
    assert_string_equal(pools[2].system.gpu.id, "h100-sxm");
    assert_true(pools[2].system.gpu.memory_bytes < 1e11); /* nothing of the H200 is left */
    assert_string_equal(pools[3].system.gpu.id, "d");
    assert_true(near(pools[3].system.gpu.usable_memory_bytes, 40e9));
    assert_string_equal(pools[4].system.gpu.id, "h200-sxm");
    assert_true(near(pools[4].system.gpu.tdp_w, 650));
    assert_true(pools[4].system.gpu.memory_bytes > 1e11);
    read_done(&c);
}

static void defaults_reach_workloads(void **state) {
    (void)state;
    read_case c = good(
        "  defaults: {precision: fp16, software: {framework: megatron, release: \"26.04\", "
        "tuning: tuned}}\n"
        "  workloads:\n"
        "    - {name: a, type: training, model: llama-3.1-8b, data: {tokens: 1T}}\n"
        "    - {name: b, type: inference, model: llama-3.1-8b, precision: fp8}\n"
        "    - {name: c, type: finetune, model: llama-3.1-8b, data: {samples: 5k, "
        "tokensPerSample: 100}, software: {efficiency: 0.5}, precision: bf16}\n"
        "    - {name: d, type: lora, model: llama-3.1-8b, data: {tokens: 5M}, adapter: qlora}\n");
    const gp_workload *a = WORKLOAD(&c, 0);
    const gp_workload *b = WORKLOAD(&c, 1);
    const gp_workload *f = WORKLOAD(&c, 2);
    const gp_workload *l = WORKLOAD(&c, 3);
    assert_int_equal(a->precision.compute, GP_PRECISION_FP16);
    assert_int_equal(GP_ORIGIN_OF(&a->precision, gp_precision_spec, compute)->kind, GP_ORIGIN_SPEC);
    assert_string_equal(a->software.framework, "megatron");
    assert_string_equal(a->software.release, "26.04");
    assert_true(a->placement.exclusive);
    assert_string_equal(a->parallelism.mode, "auto");
    assert_int_equal(a->checkpoint.keep, 3);
    assert_true(near(a->data.epochs, 1));
    /* The release belongs to the framework, which serving does not have. */
    assert_null(b->software.framework);
    assert_null(b->software.release);
    assert_int_equal(b->software.tuning, GP_TUNING_TUNED);
    assert_int_equal(b->precision.weights, GP_FORMAT_FP8);
    assert_int_equal(GP_ORIGIN_OF(&b->precision, gp_precision_spec, weights)->kind,
                     GP_ORIGIN_DERIVED);
    assert_int_equal(b->precision.kv_cache, GP_FORMAT_BF16);
    assert_int_equal(b->traffic.branches, 1);
    assert_int_equal(b->scaling.min_replicas, 1);
    assert_int_equal(b->scaling.allow.count, 2);
    assert_string_equal(b->traffic.profile.name, "flat");
    assert_string_equal(b->disaggregated, "auto");
    assert_false(b->placement.exclusive);
    assert_true(near(f->data.tokens, 5e5));
    assert_int_equal(GP_ORIGIN_OF(&f->data, gp_data, tokens)->kind, GP_ORIGIN_DERIVED);
    assert_true(near(f->software.efficiency, 0.5));
    assert_int_equal(f->precision.compute, GP_PRECISION_BF16);
    assert_int_equal(f->precision.weights, GP_FORMAT_BF16);
    assert_int_equal(l->adapter.method, GP_ADAPTER_QLORA);
    assert_int_equal(l->adapter.base, GP_FORMAT_NF4);
    assert_int_equal(l->precision.weights, GP_FORMAT_NF4);
    assert_int_equal(l->adapter.rank, 16);
    read_done(&c);
}

static void checkpoints_bring_their_formats(void **state) {
    (void)state;
    read_case c = good("  workloads:\n"
                       "    - {name: a, type: inference, model: deepseek-v3}\n"
                       "    - {name: b, type: inference, model: hf:openai/gpt-oss-120b}\n"
                       "    - {name: c, type: inference, model: deepseek-v3, precision: "
                       "{weights: bf16}}\n"
                       "    - {name: d, type: inference, model: {extends: llama-3.1-8b, weights: "
                       "nvfp4}}\n");
    assert_int_equal(WORKLOAD(&c, 0)->precision.weights, WORKLOAD(&c, 0)->model.weights.format);
    assert_int_equal(WORKLOAD(&c, 0)->precision.compute, GP_PRECISION_FP8);
    assert_int_equal(WORKLOAD(&c, 1)->precision.weights, GP_FORMAT_MXFP4);
    assert_int_equal(WORKLOAD(&c, 1)->precision.compute, GP_PRECISION_BF16);
    assert_int_equal(WORKLOAD(&c, 2)->precision.weights, GP_FORMAT_BF16);
    assert_int_equal(WORKLOAD(&c, 2)->precision.compute, GP_PRECISION_BF16);
    assert_int_equal(WORKLOAD(&c, 3)->precision.weights, GP_FORMAT_NVFP4);
    assert_int_equal(WORKLOAD(&c, 3)->precision.compute, GP_PRECISION_FP4);
    assert_string_equal(WORKLOAD(&c, 3)->model.id, "llama-3.1-8b");
    read_done(&c);
}

static void a_model_can_be_written_out(void **state) {
    (void)state;
    read_case c = good("  workloads:\n"
                       "    - {name: a, type: inference, model: {layers: 32, hidden: 4096, heads: "
                       "32, ffn: 11008, vocab: 32000}}\n");
    const gp_model *model = &WORKLOAD(&c, 0)->model;
    assert_string_equal(model->id, "a");
    assert_int_equal(model->kv_heads, 32);
    assert_int_equal(model->head_dim, 128);
    assert_true(model->gated);
    assert_int_equal(GP_ORIGIN_OF(model, gp_model, gated)->kind, GP_ORIGIN_DEFAULT);
    assert_int_equal(GP_ORIGIN_OF(model, gp_model, head_dim)->kind, GP_ORIGIN_DERIVED);
    read_done(&c);
}

static void a_minimal_plan_gets_its_defaults(void **state) {
    (void)state;
    read_case c = good("  workloads: [{name: w, type: inference, model: llama-3.1-8b}]\n");
    const gp_plan_spec *spec = &c.plan->spec;
    assert_int_equal(spec->defaults.confidence, GP_CONFIDENCE_P80);
    assert_int_equal(spec->candidates.limits.max_nodes, 4096);
    assert_int_equal(spec->candidates.objective, GP_OBJECTIVE_AUTO);
    assert_false(GP_GIVEN(&spec->site.power, gp_site_power, feeds));
    assert_false(GP_GIVEN(&spec->growth, gp_growth, horizon_s));
    assert_string_equal(spec->costs.currency, "USD");
    read_done(&c);
}

typedef struct rule_case {
    const char *spec;
    const char *ids;
} rule_case;

#define INFERENCE(rest)                                                                            \
    "  workloads:\n    - {name: a, type: inference, model: llama-3.1-8b" rest "}\n"
#define TRAINING(rest)                                                                             \
    "  workloads:\n    - {name: a, type: training, model: llama-3.1-8b, "                          \
    "data: {tokens: 1T, sequenceLength: 8192}" rest "}\n"
#define MODEL(shape) "  workloads:\n    - {name: a, type: inference, model: {" shape "}}\n"
#define SHAPE        "layers: 32, hidden: 4096, heads: 32, ffn: 11008, vocab: 32000"

static const rule_case rule_cases[] = {
    {INFERENCE(""), ""},
    {TRAINING(""), ""},
    {MODEL(SHAPE), ""},
    /* the model */
    {MODEL("layers: 32"), "GP1009 GP1009 GP1009 GP1009"},
    {MODEL(SHAPE ", kvHeads: 64"), "GP1019"},
    {MODEL(SHAPE ", kvHeads: 5"), "GP1019"},
    {MODEL("layers: 32, hidden: 4100, heads: 32, ffn: 11008, vocab: 32000"), "GP1019"},
    {MODEL("layers: 32, hidden: 4100, heads: 32, headDim: 128, ffn: 11008, vocab: 32000"), ""},
    {MODEL(SHAPE ", experts: {count: 4, topK: 8, ffn: 100}"), "GP1019"},
    {MODEL(SHAPE ", experts: {count: 4, topK: 2}"), "GP1009"},
    {MODEL(SHAPE ", window: {size: 128, layers: 33}"), "GP1019"},
    {MODEL(SHAPE ", pattern: M*M*"), "GP1019"},
    /* types */
    {TRAINING(", goal: {slo: {ttft: 1 s}}"), "GP1019"},
    {INFERENCE(", goal: {completeWithin: 5d}"), "GP1019"},
    {TRAINING(", traffic: {inputTokens: 5, outputTokens: 5}"), "GP1019"},
    {TRAINING(", adapter: lora"), "GP1019"},
    {INFERENCE(", data: {tokens: 5}"), "GP1019"},
    {TRAINING(", goal: {every: 1d, maxDuration: 2d}"), "GP1019"},
    {TRAINING(", goal: {throughput: 1M/s}"), ""},
    /* data and layout */
    {"  workloads: [{name: a, type: lora, model: llama-3.1-8b}]\n", "GP1009"},
    {"  workloads: [{name: a, type: lora, model: llama-3.1-8b, data: {samples: 5}}]\n", "GP1009"},
    {"  workloads: [{name: a, type: lora, model: llama-3.1-8b, data: {samples: 5, "
     "tokensPerSample: 4, tokens: 21}}]\n",
     "GP1019"},
    {"  workloads: [{name: a, type: lora, model: llama-3.1-8b, data: {tokens: 5M, sequenceLength: "
     "4096, globalBatch: 100}}]\n",
     "GP1019"},
    {TRAINING(", parallelism: {mode: auto, tp: 2}"), "GP1019"},
    {TRAINING(", parallelism: explicit"), "GP1019"},
    {TRAINING(", parallelism: {pp: 1, vpp: 2}"), "GP1019"},
    {TRAINING(", parallelism: {ep: 2}"), "GP1019"},
    {TRAINING(", parallelism: {tp: 5}"), "GP1019"},
    {TRAINING(", parallelism: {pp: 33}"), "GP1019"},
    {TRAINING(", parallelism: {tp: 2, pp: 2, zero: 1}"), ""},
    {TRAINING(", parallelism: {zero: 3}"), ""},
    {TRAINING(", parallelism: {microBatch: 2}"), ""},
    /* frameworks and releases */
    {TRAINING(", software: {framework: nanotron}"), ""},
    {TRAINING(", software: {framework: GPT-NeoX}"), ""},
    {TRAINING(", software: {framework: Megatron}"), ""},
    {TRAINING(", software: {framework: megatorn}"), "GP1014"},
    {TRAINING(", software: {framework: megatron, release: \"26.04\"}"), ""},
    {TRAINING(", software: {framework: megatron, release: \"26.05\"}"), "GP1014"},
    {TRAINING(", software: {framework: nanotron, release: \"1\"}"), ""},
    {TRAINING(", software: {release: \"26.04\"}"), "GP1014"},
    /* batches that will do */
    {"  workloads: [{name: a, type: lora, model: llama-3.1-8b, data: {tokens: 5M, "
     "globalBatchRange: {min: 64k, max: 128k}}}]\n",
     ""},
    {"  workloads: [{name: a, type: lora, model: llama-3.1-8b, data: {tokens: 5M, globalBatch: "
     "64k, globalBatchRange: {min: 64k, max: 128k}}}]\n",
     "GP1019"},
    {"  workloads: [{name: a, type: lora, model: llama-3.1-8b, data: {tokens: 5M, "
     "globalBatchRange: {min: 128k, max: 64k}}}]\n",
     "GP1019"},
    {"  workloads: [{name: a, type: lora, model: llama-3.1-8b, data: {tokens: 5M, "
     "globalBatchRange: {min: 128k}}}]\n",
     "GP1009"},
    /* traffic */
    {INFERENCE(", traffic: {requestsPerSecond: 5}"), "GP1009 GP1009"},
    {INFERENCE(", traffic: {requestsPerSecond: {p95: 5}, inputTokens: 5, outputTokens: 5}"),
     "GP1009"},
    {INFERENCE(", traffic: {inputTokens: {mean: 5, p95: 4}, outputTokens: 5}"), "GP1019"},
    {INFERENCE(", traffic: {inputTokens: {mean: 5, p95: 9, p99: 8}, outputTokens: 5}"), "GP1019"},
    {INFERENCE(", traffic: {inputTokens: {mean: 5, p50: 6, p95: 9}, outputTokens: 5}"), ""},
    {INFERENCE(", traffic: {inputTokens: 5, outputTokens: 5, profile: [1, 2]}"), "GP1019"},
    {INFERENCE(", traffic: {inputTokens: 5, outputTokens: 5, images: 1}"), "GP1019"},
    {INFERENCE(", scaling: {minReplicas: 3, maxReplicas: 2}"), "GP1019"},
    {INFERENCE(", software: {engine: megatron}"), "GP1014"},
    {INFERENCE(", placement: gpu"), ""},
    {INFERENCE(", placement: gpux"), "GP1015"},
    {INFERENCE(", scaling: {allow: []}"), "GP1019"},
    /* the plan */
    {"  workloads: []\n", ""},
    {"  candidates: {allow: []}\n  workloads: [{name: w, type: inference, model: llama-3.1-8b}]\n",
     "GP1019"},
    {"  workloads: [{name: w, type: inference, model: llama-3.1-8b}]\n  site: {power: {circuits: "
     "{phases: 2, voltage: 230 V, current: 16 A}}}\n",
     "GP1019"},
    {"  workloads: [{name: w, type: inference, model: llama-3.1-8b}]\n  site: {power: {design: "
     "1.2, annual: 1.3}}\n",
     "GP1019"},
    {"  workloads: [{name: w, type: inference, model: llama-3.1-8b}]\n  site: {power: {redundancy: "
     "2N}}\n",
     "GP1019"},
    {"  workloads: [{name: w, type: inference, model: llama-3.1-8b}]\n  site: {racks: {height: 42 "
     "U, used: 43 U}}\n",
     "GP1019"},
    {"  workloads: [{name: w, type: inference, model: llama-3.1-8b}]\n  site: {energy: {grid: "
     "Atlantis}}\n",
     "GP1014"},
    {"  workloads: [{name: w, type: inference, model: llama-3.1-8b}]\n  candidates: {allow: "
     "[dgx-h200], deny: [DGX-H200]}\n",
     "GP1019"},
    {"  workloads: [{name: w, type: inference, model: llama-3.1-8b}]\n  candidates: {limits: "
     "{maxNodes: 4, step: 8}}\n",
     "GP1019"},
    {"  workloads: [{name: w, type: inference, model: llama-3.1-8b}]\n  candidates: "
     "[\"cloud:nowhere\"]\n",
     "GP1014"},
    {"  workloads: [{name: w, type: inference, model: llama-3.1-8b}]\n  defaults: {software: "
     "{framework: megatron, engine: vllm, release: "
     "\"0.19\"}}\n",
     "GP1019"},
    {INFERENCE("") "  growth: {scenarios: {low: {a: 9%/mo}, high: {a: 3%/mo}}}\n", "GP1019"},
    {INFERENCE("") "  growth: {scenarios: {low: {a: 3%/mo}, high: {a: 9%/mo}}}\n", ""},
    {INFERENCE("") "  growth: {scenarios: {low: {a: 9%/mo}, expected: {a: 3%/mo}}}\n", "GP1019"},
    {INFERENCE("") "  growth: {scenarios: {low: {b: 9%/mo}}}\n", "GP1015"},
    {INFERENCE("") "  growth: {adds: [{at: 2027, workload: {name: a, type: inference, model: "
                   "llama-3.1-8b}}]}\n",
     "GP1018"},
};

static void rules_find_what_does_not_fit(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rule_cases / sizeof rule_cases[0]; i++) {
        read_case c = read_spec(rule_cases[i].spec);
        if (strcmp(read_ids(&c), rule_cases[i].ids) != 0) {
            fail_msg("%s: not %s but %s: %s", rule_cases[i].spec, rule_cases[i].ids, read_ids(&c),
                     read_messages(&c));
        }
        read_done(&c);
    }
}

static void pools_are_checked(void **state) {
    (void)state;
    static const rule_case cases[] = {
        {"system: {gpus: 8}, count: 1", "GP1009 GP1009 GP1009"},
        {"system: {gpu: h200-sxm}, count: 1", "GP1009"},
        {"system: {gpu: h200-sxm, gpus: 8, domain: 3}, count: 1", "GP1019"},
        {"system: {gpu: h200-sxm, gpus: 8, nics: [{count: 1}]}, count: 1", "GP1009"},
        {"system: dgx-h200, count: 1, inUse: 2", "GP1019"},
        {"system: {gpu: A100, gpus: 8}, count: 1", "GP1016"},
        {"system: dgx-h200, count: 1, overrides: {gpu: h300}", "GP1014"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gp_arena *arena = gp_arena_new(1u << 20);
        read_case c = read_text(
            gp_arena_printf(arena,
                            "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: t}\nspec:\n"
                            "  cluster: {pools: [{name: a, %s}]}\n  workloads: [{name: w, type: "
                            "inference, model: llama-3.1-8b}]\n",
                            cases[i].spec));
        if (strcmp(read_ids(&c), cases[i].ids) != 0) {
            fail_msg("%s: %s", cases[i].spec, read_messages(&c));
        }
        read_done(&c);
        gp_arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pool_holds_its_machine),
        cmocka_unit_test(defaults_reach_workloads),
        cmocka_unit_test(checkpoints_bring_their_formats),
        cmocka_unit_test(a_model_can_be_written_out),
        cmocka_unit_test(a_minimal_plan_gets_its_defaults),
        cmocka_unit_test(rules_find_what_does_not_fit),
        cmocka_unit_test(pools_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
