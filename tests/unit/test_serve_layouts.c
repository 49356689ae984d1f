/* Attention groups and dealt experts: memory, exchanges, what the search and declarations make of
 * them, pools apart, and machines that better others. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "estimate/serve.h"
#include "support/estimate_case.h"
#include "support/spec_case.h"

static const double gib = 1073741824.0;

static gp_serve_job deepseek_job(const gp_shape *shape) {
    gp_serve_job job = estimate_case_serve_job(shape);
    job.weights = GP_FORMAT_FP8_BLOCK;
    job.compute = GP_PRECISION_FP8;
    job.quantized_fraction = shape->model->weights.quantized_fraction;
    job.prefilled = true;
    return job;
}

static gp_serve_memory memory_of(estimate_case *c, const gp_serve_job *job, const gp_machine *m,
                                 gp_serve_layout layout) {
    gp_serve_memory memory;
    gp_serve_memory_of(job, m, &layout, &c->constants, 0, NULL, &memory);
    return memory;
}

/* Experts are dealt out, all else is held by each group; the latent cache of a sequence lies on one
 * rank in place of all; second copies take their places. */
static void groups_hold_caches_of_their_own(void **state) {
    estimate_case *c = *state;
    gp_shape shape = estimate_case_shape(c, "deepseek-v3");
    gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    gp_serve_job job = deepseek_job(&shape);
    gp_serve_layout wide = {.tp = 1, .pp = 1, .ep = 64, .attention_dp = 64};
    gp_serve_layout copied = {.tp = 1, .pp = 1, .ep = 64, .attention_dp = 64, .copies = 64};
    gp_serve_layout narrow = {.tp = 1, .pp = 1, .ep = 32, .attention_dp = 32};
    gp_serve_memory a = memory_of(c, &job, &machine, wide);
    gp_serve_memory b = memory_of(c, &job, &machine, copied);
    gp_serve_memory d = memory_of(c, &job, &machine, narrow);
    double experts = shape.expert_parameters * gp_format_bytes(&c->constants, job.weights);
    double step = a.memory.bytes[GP_MEMORY_WEIGHTS];
    assert_true(estimate_case_near(d.memory.bytes[GP_MEMORY_WEIGHTS] - step, experts / 64, 1e-9));
    assert_true(estimate_case_near(b.memory.bytes[GP_MEMORY_WEIGHTS] - step, experts / 256, 1e-9));
    /* 576 elements of 61 layers in 16 bit, on every rank for sequences of its own. */
    double token = 576.0 * 61 * 2;
    assert_true(estimate_case_near(a.kv_bytes_per_token, token, 1e-9));
    assert_true(estimate_case_near(a.kv_pool_tokens,
                                   64 * a.memory.bytes[GP_MEMORY_KV_CACHE] / token, 1e-9));
    assert_true(
        estimate_case_near(a.max_sequences, 64 * c->constants.serving_reserve_sequences, 1e-12));
}

/* Buffers of an exchange between machines: none inside one. */
static void exchanges_between_machines_take_room(void **state) {
    estimate_case *c = *state;
    gp_shape shape = estimate_case_shape(c, "deepseek-v3");
    gp_machine machine = estimate_case_machine(c, "h200-sxm", 8);
    gp_serve_job job = deepseek_job(&shape);
    gp_serve_layout inside = {.tp = 1, .pp = 1, .ep = 8, .attention_dp = 8};
    gp_serve_layout across = {.tp = 1, .pp = 1, .ep = 16, .attention_dp = 16};
    double none = memory_of(c, &job, &machine, inside).memory.bytes[GP_MEMORY_CONTEXT];
    double some = memory_of(c, &job, &machine, across).memory.bytes[GP_MEMORY_CONTEXT];
    double wanted = 4 * 256 * c->constants.serving_exchange_tokens * 7168 * 2;
    assert_true(estimate_case_near(some - none, wanted, 1e-9));
    assert_true(wanted > 3 * gib);
}

static double exchange_s(estimate_case *c, const gp_serve_job *job, const gp_machine *machine,
                         gp_serve_layout layout, double batch) {
    gp_serve_cost cost;
    gp_serve_step step;
    gp_serve_cost_of(job, machine, &c->network, &layout, &c->constants, &cost);
    gp_serve_step_of(&cost, batch, 1000, &step);
    return step.communication_s;
}

/* Two tokens of every rank: to 8 (1 - (7/8)^8) ranks over links; over the network eight times, less
 * the part that stays on the machine; 58 layers, there in 8 bit and back in 16. */
static void exchanges_by_copies_of_a_token(void **state) {
    estimate_case *c = *state;
    gp_shape shape = estimate_case_shape(c, "deepseek-v3");
    gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    gp_serve_job job = deepseek_job(&shape);
    const gp_constants *k = &c->constants;
    double bytes = 7168 * (2 + gp_format_bytes(k, GP_FORMAT_FP8_BLOCK));
    double hit = 8 * (1 - pow(7 / 8.0, 8));
    double link = machine.link_bytes_per_s * k->serving_exchange_link_fraction;
    double fixed_s = k->serving_exchange_dispatch_s + k->serving_exchange_combine_s;
    double inside = 58 * (fixed_s + 2 * bytes * hit / link);
    gp_serve_layout eight = {.tp = 1, .pp = 1, .ep = 8, .attention_dp = 8};
    assert_true(estimate_case_near(exchange_s(c, &job, &machine, eight, 16), inside, 1e-9));
    double net = c->network.bytes_per_s[0] * k->serving_exchange_network_fraction;
    double across = 58 * (fixed_s + 2 * bytes * 8 * (1 - 1 / 4.0) / net);
    gp_serve_layout wide = {.tp = 1, .pp = 1, .ep = 32, .attention_dp = 32};
    assert_true(estimate_case_near(exchange_s(c, &job, &machine, wide, 64), across, 1e-9));
}

/* Of many tokens an exchange hides behind the other half of the batch, and never costs more than
 * one that waits. */
static void halves_hide_exchanges(void **state) {
    estimate_case *c = *state;
    gp_shape shape = estimate_case_shape(c, "deepseek-v3");
    gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    gp_serve_job job = deepseek_job(&shape);
    gp_serve_layout wide = {.tp = 1, .pp = 1, .ep = 72, .attention_dp = 72, .copies = 32};
    gp_serve_cost cost;
    gp_serve_step step;
    gp_serve_cost_of(&job, &machine, &c->network, &wide, &c->constants, &cost);
    gp_serve_step_of(&cost, 256 * 72, 2000, &step);
    double raw =
        cost.exchanges * (cost.exchange_s + 256 * (cost.dispatch_bytes + cost.combine_bytes) *
                                                cost.copies.few_net / cost.rates.net_bytes_per_s);
    assert_true(step.communication_s < 0.5 * raw);
    gp_constants plain = c->constants;
    plain.serving_exchange_hidden_fraction = 0;
    gp_serve_step waits;
    gp_serve_cost_of(&job, &machine, &c->network, &wide, &plain, &cost);
    gp_serve_step_of(&cost, 256 * 72, 2000, &waits);
    assert_true(estimate_case_near(waits.communication_s, raw, 1e-9));
    assert_true(step.total_s < waits.total_s);
    /* SGLang's 72 GPUs gave 2,785 tokens a second and GPU with 256 requests each. */
    assert_true(256 / step.total_s > 2785 / 1.5 && 256 / step.total_s < 2785 * 1.5);
}

/* Few experts to a part are loaded unevenly; copies even that out. */
static void copies_even_out_the_load(void **state) {
    estimate_case *c = *state;
    gp_shape shape = estimate_case_shape(c, "deepseek-v3");
    gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    gp_serve_job job = deepseek_job(&shape);
    double last = 1;
    for (int64_t ep = 8; ep <= 256; ep *= 2) {
        gp_serve_layout bare = {.tp = 1, .pp = 1, .ep = ep, .attention_dp = ep};
        gp_serve_layout copied = {.tp = 1, .pp = 1, .ep = ep, .attention_dp = ep, .copies = ep};
        gp_serve_cost a;
        gp_serve_cost b;
        gp_serve_cost_of(&job, &machine, &c->network, &bare, &c->constants, &a);
        gp_serve_cost_of(&job, &machine, &c->network, &copied, &c->constants, &b);
        double skew = a.expert_flop / b.expert_flop;
        assert_true(skew > last);
        last = skew;
    }
    assert_true(last > 2);
}

/* A layout by its rate and by its batch is one point. */
static void rates_and_batches_meet(void **state) {
    estimate_case *c = *state;
    gp_shape shape = estimate_case_shape(c, "deepseek-v3");
    gp_machine machine = estimate_case_machine(c, "h200-sxm", 8);
    gp_serve_job job = deepseek_job(&shape);
    job.prefilled = false;
    gp_serve_layout wide = {.tp = 2, .pp = 1, .ep = 16, .attention_dp = 8, .copies = 16};
    gp_serve_memory memory = memory_of(c, &job, &machine, wide);
    gp_serve_replica replica;
    gp_serve_replica_of(&job, &machine, &c->network, &wide, &c->constants, &memory, &replica);
    for (double share = 0.1; share < 1; share += 0.2) {
        gp_serve_point by_batch;
        gp_serve_point by_rate;
        double rate = gp_serve_replica_with(&replica, share * replica.batch_max, &by_batch);
        gp_serve_load(&job, &machine, &c->network, &wide, &c->constants, &memory, rate, 1, NULL,
                      &by_rate);
        assert_true(estimate_case_near(by_rate.batch, by_batch.batch, 1e-6));
        assert_true(estimate_case_near(by_rate.tpot_p95_s, by_batch.tpot_p95_s, 1e-6));
        assert_true(estimate_case_near(by_rate.ttft_p95_s, by_batch.ttft_p95_s, 1e-6));
    }
}

/* ---- plans */

#define SERVICE(machine, model, more)                                                              \
    "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: t}\nspec:\n"                             \
    "  defaults: {confidence: expected, software: {engine: sglang, tuning: tuned}}\n"              \
    "  cluster: {fabrics: [{name: compute, kind: infiniband, rate: 400 Gb/s}]}\n"                  \
    "  candidates: {allow: [" machine "], objective: minGpus}\n"                                   \
    "  workloads:\n"                                                                               \
    "    - {name: w, type: inference, model: " model ", traffic: {requestsPerSecond: {mean: 200, " \
    "peak: 200}, inputTokens: 2000, outputTokens: 1000}, goal: {slo: {ttft: 5 s, tpot: 100 "       \
    "ms}}, " more "}\n"

static const gp_workload_plan *plan_of(spec_case *c, const char *text) {
    spec_case_simulate = GP_PLAN_SIMULATE_OFF;
    const gp_status st = spec_case_plan(c, "t.yaml", text, NULL, 0);
    spec_case_simulate = GP_PLAN_SIMULATE_QUICK;
    assert_int_equal(st, GP_OK);
    return spec_case_workload(c, "w");
}

static int64_t gpus_of(const char *text) {
    spec_case c;
    const gp_workload_plan *w = plan_of(&c, text);
    const int64_t gpus = w->chosen.feasible ? w->chosen.gpus : -1;
    spec_case_free(&c);
    return gpus;
}

/* Published pools on such machines take 52,000 tokens a second in and 22,000 out a machine: 7.7 and
 * 9.1 machines, and headroom. */
static void large_services_span_machines(void **state) {
    (void)state;
    spec_case c;
    const gp_workload_plan *w =
        plan_of(&c, SERVICE("dgx-h100", "deepseek-v3", "disaggregated: true"));
    assert_true(w->chosen.feasible);
    assert_true(w->chosen.nodes >= 15 && w->chosen.nodes <= 24);
    assert_true(w->chosen.serve_layout.attention_dp > 8);
    assert_true(w->chosen.split.layouts.prefill.attention_dp > 1);
    spec_case_free(&c);
    const gp_workload_plan *dense =
        plan_of(&c, SERVICE("dgx-h100", "llama-3.1-70b", "disaggregated: true"));
    assert_true(dense->chosen.feasible);
    assert_true(dense->chosen.serve_layout.attention_dp <= 1);
    assert_true(dense->chosen.serve_layout.ep <= 1);
    spec_case_free(&c);
}

static void auto_takes_pools_that_save_enough(void **state) {
    (void)state;
    static const char *const texts[][3] = {
        {SERVICE("dgx-h100", "deepseek-v3", "disaggregated: auto"),
         SERVICE("dgx-h100", "deepseek-v3", "disaggregated: true"),
         SERVICE("dgx-h100", "deepseek-v3", "disaggregated: false")},
        {SERVICE("dgx-b200", "llama-3.1-70b", "disaggregated: auto"),
         SERVICE("dgx-b200", "llama-3.1-70b", "disaggregated: true"),
         SERVICE("dgx-b200", "llama-3.1-70b", "disaggregated: false")},
        {SERVICE("dgx-h200", "qwen3-235b-a22b-fp8", "disaggregated: auto"),
         SERVICE("dgx-h200", "qwen3-235b-a22b-fp8", "disaggregated: true"),
         SERVICE("dgx-h200", "qwen3-235b-a22b-fp8", "disaggregated: false")},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const int64_t either = gpus_of(texts[i][0]);
        const int64_t apart = gpus_of(texts[i][1]);
        const int64_t together = gpus_of(texts[i][2]);
        /* Pools that save less than a tenth are not worth their second kind. */
        const bool saves = 10 * apart <= 9 * together;
        assert_int_equal(either, saves ? apart : together);
    }
}

/* What each of these is better at than the one before, none is worse at. */
static void need_no_more(const char *const *texts, size_t count) {
    int64_t last = INT64_MAX;
    for (size_t i = 0; i < count; i++) {
        const int64_t gpus = gpus_of(texts[i]);
        assert_true(gpus > 0 && gpus <= last);
        last = gpus;
    }
}

/* The same service on a machine that the spec describes. */
#define EIGHT(gpu)                                                                                 \
    "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: t}\nspec:\n"                             \
    "  defaults: {confidence: expected, software: {engine: sglang, tuning: tuned}}\n"              \
    "  cluster: {pools: [{name: own, count: 0, system: {gpu: " gpu ", gpus: 8, domain: 8, "        \
    "nics: [{count: 8, rate: 400 Gb/s}]}}]}\n"                                                     \
    "  candidates: {allow: [own], objective: minGpus, limits: {maxNodes: 10000}}\n"                \
    "  workloads:\n"                                                                               \
    "    - {name: w, type: inference, model: deepseek-v3, traffic: {requestsPerSecond: {mean: "    \
    "200, peak: 200}, inputTokens: 2000, outputTokens: 1000}, goal: {slo: {ttft: 5 s, tpot: 100 "  \
    "ms}}, disaggregated: true}\n"

static void better_machines_need_no_more(void **state) {
    (void)state;
    static const char *const machines[] = {
        SERVICE("dgx-h100", "deepseek-v3", "disaggregated: true"),
        SERVICE("dgx-h200", "deepseek-v3", "disaggregated: true"),
        SERVICE("dgx-b200", "deepseek-v3", "disaggregated: true"),
        SERVICE("gb200-nvl72", "deepseek-v3", "disaggregated: true"),
        SERVICE("gb300-nvl72", "deepseek-v3", "disaggregated: true"),
    };
    static const char *const others[] = {
        SERVICE("mi300x-8gpu", "deepseek-v3", "disaggregated: true"),
        SERVICE("mi325x-8gpu", "deepseek-v3", "disaggregated: true"),
        SERVICE("mi355x-8gpu", "deepseek-v3", "disaggregated: true"),
    };
    static const char *const usual[] = {
        SERVICE("mi300x-8gpu", "deepseek-v3", "software: {tuning: typical}"),
        SERVICE("mi325x-8gpu", "deepseek-v3", "software: {tuning: typical}"),
        SERVICE("mi355x-8gpu", "deepseek-v3", "software: {tuning: typical}"),
    };
    /* Parts made for export, and those that they are cut down from. */
    static const char *const slow[] = {EIGHT("h20"), EIGHT("h200-sxm")};
    static const char *const narrow[] = {EIGHT("h800-sxm"), EIGHT("h100-sxm")};
    need_no_more(machines, sizeof machines / sizeof machines[0]);
    need_no_more(others, sizeof others / sizeof others[0]);
    need_no_more(usual, sizeof usual / sizeof usual[0]);
    need_no_more(slow, sizeof slow / sizeof slow[0]);
    need_no_more(narrow, sizeof narrow / sizeof narrow[0]);
}

static void declared_degrees_bind(void **state) {
    (void)state;
    spec_case c;
    const gp_workload_plan *w =
        plan_of(&c, SERVICE("dgx-h100", "deepseek-v3", "parallelism: {tp: 2, dp: 72, ep: 144}"));
    assert_true(w->chosen.feasible);
    assert_int_equal(w->chosen.serve_layout.tp, 2);
    assert_int_equal(w->chosen.serve_layout.attention_dp, 72);
    assert_int_equal(w->chosen.serve_layout.ep, 144);
    assert_int_equal(w->chosen.serve_layout.copies, 32); /* 288 places for 256 experts */
    assert_int_equal(w->chosen.gpus % 144, 0);
    assert_false(w->layout_change);
    spec_case_free(&c);
    w = plan_of(&c, SERVICE("dgx-h200", "llama-3.1-70b", "parallelism: {mode: explicit, tp: 4}"));
    assert_int_equal(w->chosen.serve_layout.tp, 4);
    spec_case_free(&c);
    const char *const odd =
        SERVICE("dgx-h100", "deepseek-v3", "parallelism: {tp: 1, dp: 72, ep: 50}");
    assert_int_equal(spec_case_plan(&c, "t.yaml", odd, NULL, 0), GP_ERR_INPUT);
    spec_case_free(&c);
}

/* A service is its pools: each alone takes about what it takes beside the other. */
static void pools_can_be_stated_alone(void **state) {
    (void)state;
    spec_case c;
    const gp_workload_plan *w =
        plan_of(&c, SERVICE("dgx-h100", "deepseek-v3", "disaggregated: true"));
    const gp_split_pools pools = w->chosen.split;
    const int64_t prefill = pools.prefill_replicas * gp_serve_layout_gpus(&pools.layouts.prefill);
    const int64_t decode = pools.decode_replicas * gp_serve_layout_gpus(&pools.layouts.decode);
    spec_case_free(&c);
    const int64_t first = gpus_of(SERVICE("dgx-h100", "deepseek-v3", "disaggregated: prefill"));
    const int64_t second = gpus_of(SERVICE("dgx-h100", "deepseek-v3", "disaggregated: decode"));
    assert_true(first > 0 && 2 * first > prefill && first < 2 * prefill);
    assert_true(second > 0 && 2 * second > decode && second < 2 * decode);
}

int main(void) {
    const struct CMUnitTest estimates[] = {
        cmocka_unit_test(groups_hold_caches_of_their_own),
        cmocka_unit_test(exchanges_between_machines_take_room),
        cmocka_unit_test(exchanges_by_copies_of_a_token),
        cmocka_unit_test(halves_hide_exchanges),
        cmocka_unit_test(copies_even_out_the_load),
        cmocka_unit_test(rates_and_batches_meet),
    };
    const struct CMUnitTest plans[] = {
        cmocka_unit_test(large_services_span_machines),
        cmocka_unit_test(auto_takes_pools_that_save_enough),
        cmocka_unit_test(better_machines_need_no_more),
        cmocka_unit_test(declared_degrees_bind),
        cmocka_unit_test(pools_can_be_stated_alone),
    };
    return cmocka_run_group_tests(estimates, estimate_case_open, estimate_case_close) +
           cmocka_run_group_tests(plans, NULL, NULL);
}
