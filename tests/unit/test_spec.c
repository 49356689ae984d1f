/* Reading of specs: documents by kind, several in a text, and a spec with everything in it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/read_case.h"

static const char everything[] =
    "apiVersion: gpuplan/v1\n"
    "kind: Plan\n"
    "metadata: {name: all, labels: {owner: platform}, annotations: {note: any}}\n"
    "spec:\n"
    "  defaults:\n"
    "    precision: bf16\n"
    "    confidence: p90\n"
    "    headroom: {gpus: 10%, memory: 5%}\n"
    "    software: {tuning: typical}\n"
    "  site:\n"
    "    altitude: 200 m\n"
    "    power:\n"
    "      itCapacity: 600 kW\n"
    "      feeds: 2\n"
    "      redundancy: N+1\n"
    "      design: {pue: 1.35}\n"
    "      annual: 1.25\n"
    "      circuits: {phases: 3, voltage: 415 V, current: 63 A, derate: 80%}\n"
    "      gpuPowerCap: 90%\n"
    "    cooling:\n"
    "      air: {class: A2, supply: 24 degC, deltaT: 12 K, capacity: 400 kW, perRack: 40 kW}\n"
    "      liquid: {class: W32, supply: 30 degC, capacity: 0 kW}\n"
    "      wue: 0.4 L/kWh\n"
    "    racks: {count: 16, height: 48 U, used: 6 U, maxPower: 40 kW, maxWeight: 1500 kg}\n"
    "    energy: {price: 0.12 USD/kWh, grid: FRA, renewable: 40%}\n"
    "  cluster:\n"
    "    pools:\n"
    "      - name: h200\n"
    "        system: dgx-h200\n"
    "        count: 16\n"
    "        inUse: 2\n"
    "        labels: {nvidia.com/gpu.product: NVIDIA-H200}\n"
    "        overrides: {maxPower: 9.9 kW}\n"
    "      - name: l40s\n"
    "        system: {gpu: l40s, gpus: 4, scaleUp: pcie-4, nics: [{rate: 200 Gb/s, count: 2}],\n"
    "                 maxPower: 2.4 kW, height: 2 U, cpuCores: 64, memory: 512 GiB, nvme: 7 TB}\n"
    "        count: 4\n"
    "    fabrics:\n"
    "      - {name: compute, kind: infiniband, topology: fat-tree, tiers: auto, switch: qm9700}\n"
    "      - {name: storage, kind: ethernet, rate: 200 Gb/s, oversubscription: 2}\n"
    "    storage:\n"
    "      - {name: scratch, capacity: 2 PB, readBandwidth: 400 GB/s, writeBandwidth: 200 GB/s}\n"
    "    reserve: {spareNodes: 1, systemNodes: 3}\n"
    "  candidates:\n"
    "    allow: [DGX-H200, dgx-b200, l40s, \"cloud:azure/standard_nd96isr_h200_v5\"]\n"
    "    deny: []\n"
    "    limits: {maxNodes: 64, step: 4}\n"
    "    objective: minPower\n"
    "  workloads:\n"
    "    - name: pretrain-30b\n"
    "      type: training\n"
    "      model: {family: decoder, layers: 48, hidden: 6144, heads: 48, kvHeads: 8, ffn: 24576,\n"
    "              vocab: 128000}\n"
    "      data: {tokens: 1.5T tokens, sequenceLength: 8192, globalBatch: 4M tokens}\n"
    "      goal: {completeWithin: 45d}\n"
    "      software: {framework: megatron, tuning: tuned}\n"
    "      precision: {compute: fp8, gradients: fp32, optimizer: adamw}\n"
    "      parallelism: {tp: 4, pp: 2, vpp: 2, dp: 16, zero: 1, microBatch: 1}\n"
    "      recompute: selective\n"
    "      checkpoint: {interval: auto, keep: 3}\n"
    "      placement: {pool: h200, exclusive: true}\n"
    "      priority: 100\n"
    "    - name: sft\n"
    "      type: fine-tuning\n"
    "      model: hf:Qwen/Qwen3-32B\n"
    "      data: {samples: 500k, tokensPerSample: 2000, epochs: 2, packing: true}\n"
    "      goal: {every: 7d, maxDuration: 12h}\n"
    "    - name: adapters\n"
    "      type: lora\n"
    "      model: hf:Qwen/Qwen3-32B\n"
    "      adapter: {method: qlora, rank: 16, targets: [q_proj, v_proj], base: nf4}\n"
    "      data: {tokens: 50M tokens, sequenceLength: 2048}\n"
    "      jobs: {perWeek: 40, concurrent: 6}\n"
    "      goal: {maxDuration: 3h}\n"
    "      placement: l40s\n"
    "    - name: assistant\n"
    "      type: inference\n"
    "      model: hf:openai/gpt-oss-120b\n"
    "      software: {engine: vllm, release: \"0.19\"}\n"
    "      traffic:\n"
    "        requestsPerSecond: {mean: 12, p95: 30, peak: 45}\n"
    "        profile: diurnal\n"
    "        inputTokens: {mean: 3000, p95: 12000}\n"
    "        outputTokens: {mean: 500, p95: 1500}\n"
    "        thoughtTokens: {mean: 800}\n"
    "        branches: 1\n"
    "        images: {perRequest: 0}\n"
    "        prefixCacheHit: 40%\n"
    "        adapters: 0\n"
    "      goal: {slo: {ttft: {p95: 2 s}, tpot: 50 ms, e2e: {p99: 60 s}, availability: 99.9%}}\n"
    "      scaling: {minReplicas: 2, maxReplicas: 12, allow: [vertical, horizontal]}\n"
    "      disaggregated: auto\n"
    "      replicas: 2\n"
    "  growth:\n"
    "    start: 2027-Q1\n"
    "    horizon: 8 quarters\n"
    "    module: auto\n"
    "    leadTime: {gpus: 26 weeks, fabric: 20 weeks, power: 12 mo}\n"
    "    scenarios: {low: {assistant: 3%/mo}, expected: {assistant: 8%/mo},\n"
    "                high: {assistant: 15%/mo}}\n"
    "    adds:\n"
    "      - at: 2027-Q3\n"
    "        workload: {name: next, type: training, model: llama-3.1-70b,\n"
    "                   data: {tokens: 2T tokens}, goal: {completeWithin: 60d}}\n"
    "  costs:\n"
    "    currency: USD\n"
    "    amortization: 48 mo\n"
    "    discountRate: 6%/yr\n"
    "    support: 12%/yr\n"
    "    staff: 270000 USD/yr\n"
    "    colocation: 180 USD/kW/mo\n"
    "    softwareLicenses: 900 USD/gpu/yr\n"
    "    budget: {capital: 12M USD, recurring: 2M USD/yr}\n"
    "    prices: [file:./prices.yaml]\n"
    "  calibration: [file:./calibration.yaml]\n";

static bool near(double a, double b) {
    return fabs(a - b) <= 1e-9 * fabs(b);
}

static void a_full_spec_binds_and_resolves(void **state) {
    (void)state;
    read_case c = read_text(everything);
    if (c.st != GP_OK) {
        fail_msg("%s", read_messages(&c));
    }
    const gp_plan_spec *spec = &c.plan->spec;
    assert_false(c.plan->wrong);
    assert_int_equal(spec->defaults.confidence, GP_CONFIDENCE_P90);
    assert_int_equal(spec->cluster.pools.count, 2);
    assert_int_equal(spec->workloads.count, 4);
    assert_int_equal(spec->growth.start, 20270101);
    assert_true(near(spec->growth.horizon_s, 2 * 8760 * 3600.0));
    assert_true(near(spec->costs.budget.capital, 12e6));
    assert_true(near(spec->site.energy.price_per_j, 0.12 / 3.6e6));
    assert_true(spec->site.energy.carbon_kg_per_j > 0); /* from the grid's row */
    assert_int_equal(GP_ORIGIN_OF(&spec->site.energy, gp_site_energy, carbon_kg_per_j)->kind,
                     GP_ORIGIN_CATALOG);
    assert_true(near(spec->cluster.fabrics.items[0].rate_bits_per_s, 4e11)); /* the switch's */
    assert_string_equal(spec->candidates.allow.items[0], "dgx-h200"); /* an alias became the id */
    assert_string_equal(spec->candidates.allow.items[2], "l40s");
    read_done(&c);
}

static void documents_go_by_kind(void **state) {
    (void)state;
    read_case c =
        read_text("apiVersion: gpuplan/v1\nkind: Prices\nmetadata: {name: p}\n"
                  "spec: {items: [{item: system/dgx-h200, price: 300000 USD}]}\n"
                  "---\n"
                  "apiVersion: gpuplan/v1\nkind: Catalog\nmetadata: {name: c}\n"
                  "spec: {gpus: [{id: h200-capped, extends: h200-sxm, tdp: 600 W, "
                  "source: us, date: 2026, evidence: measured}]}\n"
                  "---\n"
                  "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: a}\n"
                  "spec:\n  cluster: {pools: [{name: p, system: {gpu: h200-capped, gpus: 8}, "
                  "count: 1}]}\n  workloads: [{name: w, type: inference, model: llama-3.1-8b}]\n");
    if (c.st != GP_OK) {
        fail_msg("%s", read_messages(&c));
    }
    assert_int_equal(c.spec.prices.count, 1);
    assert_int_equal(c.spec.catalogs.count, 1);
    assert_int_equal(c.spec.plans.count, 1);
    assert_string_equal(c.spec.prices.items[0]->currency, "USD");
    assert_true(near(c.plan->spec.cluster.pools.items[0].system.gpu.tdp_w, 600));
    read_done(&c);
}

static void bad_envelopes(void **state) {
    (void)state;
    static const struct {
        const char *text, *ids;
    } cases[] = {
        {"", "GP1007"},
        {"# nothing\n", "GP1007"},
        {"- a\n", "GP1004"},
        {"plan", "GP1004"},
        {"kind: Plan\n", "GP1009"},
        {"apiVersion: gpuplan/v1\n", "GP1009"},
        {"apiVersion: v1\nkind: Plan\n", "GP1017"},
        {"apiVersion: gpuplan/v1\nkind: plan\n", "GP1017"},
        {"apiVersion: gpuplan/v1\nkind: Policy\n", "GP1009 GP1009"},
        {"apiVersion: gpuplan/v1\nkind: [Plan]\n", "GP1017"},
        {"apiVersion: gpuplan/v1\nkind: Plan\n", "GP1009 GP1009"},
        {"apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: x}\nspec: {workloads: []}\nx: 1\n",
         "GP1003"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        read_case c = read_text(cases[i].text);
        if (strcmp(read_ids(&c), cases[i].ids) != 0) {
            fail_msg("%s: %s", cases[i].text, read_messages(&c));
        }
        assert_int_equal(c.st, GP_ERR_INPUT);
        read_done(&c);
    }
}

static void schema_and_reference_errors_come_in_one_run(void **state) {
    (void)state;
    read_case c = read_spec("  workloads:\n"
                            "    - {name: a, type: inference, model: hf:no/such, priority: x}\n");
    assert_string_equal(read_ids(&c), "GP1004 GP1014");
    assert_true(c.plan->wrong);
    read_done(&c);
}

static void hostile_texts_are_refused(void **state) {
    (void)state;
    char *deep = malloc(100001);
    memset(deep, '[', 100000);
    deep[100000] = '\0';
    read_case c = read_text(deep);
    assert_int_equal(c.st, GP_ERR_INPUT);
    assert_true(c.diags.errors > 0);
    read_done(&c);
    free(deep);
    c = read_text("a: &a [x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]\n"
                  "c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]\n"
                  "d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]\n"
                  "e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d]\n"
                  "f: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e]\n"
                  "g: [*f, *f, *f, *f, *f, *f, *f, *f, *f]\n");
    assert_int_equal(c.st, GP_ERR_INPUT);
    assert_string_equal(c.diags.items[0].id, "GP1005");
    read_done(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_spec_binds_and_resolves),
        cmocka_unit_test(documents_go_by_kind),
        cmocka_unit_test(bad_envelopes),
        cmocka_unit_test(schema_and_reference_errors_come_in_one_run),
        cmocka_unit_test(hostile_texts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
