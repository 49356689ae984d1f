/*
 * Packing never overcommits: whatever workloads share a cluster, at no time do they hold more
 * machines than there are and were recommended, and no GPU holds more than its memory. Plans are
 * drawn from a fixed seed.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "support/spec_case.h"

enum { PLANS = 60, WORKLOADS = 5 };

static uint64_t seed = 20261120;

static unsigned draw(unsigned below) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % below;
}

static int write_workload(char *text, size_t room, int i) {
    static const char *const models[] = {"llama-3.1-8b", "qwen3-32b", "llama-3.1-70b"};
    const char *model = models[draw(3)];
    char goal[64];
    const bool once = draw(2) == 0;
    snprintf(goal, sizeof goal, "{%s: %ud}", once ? "completeWithin" : "every: 7d, maxDuration",
             1 + draw(once ? 14 : 6));
    switch (draw(5)) {
    case 0:
        return snprintf(text, room,
                        "    - {name: w%d, type: inference, model: %s, priority: %u, traffic: "
                        "{requestsPerSecond: {mean: %u, peak: %u}, profile: office, inputTokens: "
                        "1500, outputTokens: 300}, disaggregated: false, goal: {slo: {ttft: 4 s, "
                        "tpot: 80 ms}}}\n",
                        i, model, draw(100), 1 + draw(4), 6 + draw(20));
    default:
        return snprintf(text, room,
                        "    - {name: w%d, type: finetune, model: %s, priority: %u, placement: "
                        "{timeSharing: %s}, data: {tokens: %uM tokens, sequenceLength: 4096, "
                        "globalBatch: 256k tokens}, goal: %s}\n",
                        i, model, draw(100), draw(2) == 0 ? "true" : "false", 100 + draw(8000),
                        goal);
    case 1:
        return snprintf(text, room,
                        "    - {name: w%d, type: lora, model: %s, priority: %u, adapter: {method: "
                        "qlora}, jobs: {perWeek: %u}, data: {tokens: 20M tokens, sequenceLength: "
                        "2048, globalBatch: 64k tokens}, goal: {maxDuration: 12h}}\n",
                        i, model, draw(100), 1 + draw(20));
    }
}

static void write_plan(char *text, size_t room) {
    int n = snprintf(text, room,
                     "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: t}\nspec:\n"
                     "  candidates: {allow: [dgx-h200], limits: {maxNodes: 64}}\n"
                     "  cluster:\n    pools: [{name: p, system: dgx-h200, count: %u}]\n"
                     "    fabrics: [{name: compute, rate: 400 Gb/s}]\n"
                     "    reserve: {spareNodes: %u}\n  workloads:\n",
                     1 + draw(4), draw(2));
    for (int i = 0; i < WORKLOADS; i++)
        n += write_workload(text + n, room - (size_t)n, i);
}

static void check_memory(const gp_workload_plan *w) {
    const gp_candidate *chosen = &w->chosen;
    const gp_memory *memory = w->is_serving ? &chosen->serve_memory.memory : &chosen->memory;
    const double jobs = chosen->jobs_per_gpu > 0 ? (double)chosen->jobs_per_gpu : 1;
    const double most = chosen->unit->machine.hbm_bytes;
    assert_true(memory->total_bytes <= memory->capacity_bytes * (1 + 1e-9));
    assert_true(memory->capacity_bytes * jobs <= most * (1 + 1e-9));
}

/* GPUs that are held at a moment; those that take turns are held by whoever is first. */
static int64_t held_gpus(const gp_plan_result *result, double at) {
    int64_t gpus = 0;
    for (size_t i = 0; i < result->workloads.count; i++) {
        const gp_workload_plan *w = &result->workloads.items[i];
        const gp_turn turn = w->chosen.timing.turn;
        if (w->chosen.feasible && turn != GP_TURN_QUEUE && turn != GP_TURN_IDLE &&
            w->claim.start_s <= at && at < w->claim.end_s)
            gpus += w->chosen.gpus;
    }
    return gpus;
}

/* In every hour, jobs on idle machines find what services left. */
static void check_idle(const gp_plan_result *result, int h) {
    const gp_schedule *schedule = &result->schedule;
    int64_t needed = 0;
    for (size_t i = 0; i < result->workloads.count; i++) {
        const gp_candidate *chosen = &result->workloads.items[i].chosen;
        if (chosen->feasible && chosen->timing.turn == GP_TURN_IDLE)
            needed = needed > chosen->nodes ? needed : chosen->nodes;
    }
    /* A job on them runs only in hours that have enough: there is one at least. */
    if (h == 0 && needed > 0) {
        int64_t most = 0;
        for (int k = 0; k < GP_DAY_HOURS; k++) {
            const int64_t left = schedule->peak_nodes - schedule->weekend_nodes[k];
            most = most > left ? most : left;
        }
        assert_true(needed <= most);
    }
}

static void check_plan(const gp_plan_result *result) {
    int64_t there = 0;
    for (size_t u = 0; u < result->units.count; u++)
        there += result->units.items[u].owned_nodes;
    assert_true(result->site.owned_nodes <= there);
    assert_int_equal(result->site.nodes, result->site.owned_nodes + result->site.bought_nodes);
    for (size_t i = 0; i < result->workloads.count; i++) {
        const gp_workload_plan *w = &result->workloads.items[i];
        if (!w->chosen.feasible)
            continue;
        check_memory(w);
        const int64_t held = held_gpus(result, w->claim.start_s);
        if (held > result->site.nodes * w->chosen.unit->machine.gpus)
            fail_msg("%lld GPUs held of %lld machines", (long long)held,
                     (long long)result->site.nodes);
    }
    for (int p = 0; p < result->schedule.period_count; p++)
        assert_true(result->schedule.periods[p].peak_nodes <= result->site.nodes);
    for (int h = 0; h < GP_DAY_HOURS; h++)
        check_idle(result, h);
}

static void packing_never_overcommits(void **state) {
    int turns[GP_TURN_COUNT] = {0};
    (void)state;
    for (int i = 0; i < PLANS; i++) {
        char text[8192];
        spec_case c;
        write_plan(text, sizeof text);
        assert_int_equal(spec_case_plan(&c, "t.yaml", text, NULL, 0), GP_OK);
        check_plan(c.result);
        for (size_t w = 0; w < c.result->workloads.count; w++)
            turns[c.result->workloads.items[w].chosen.timing.turn]++;
        spec_case_free(&c);
    }
    /* The plans drawn reach every way to share. */
    for (int t = 0; t < GP_TURN_COUNT; t++)
        assert_true(turns[t] > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(packing_never_overcommits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
