/* Machines over time: jobs follow each other, take turns, and use what services leave idle. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/spec_case.h"

#define HEAD                                                                                       \
    "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: t}\nspec:\n"                             \
    "  candidates: {allow: [dgx-h200], objective: minPower}\n"                                     \
    "  cluster:\n    pools: [{name: p, system: dgx-h200, count: %d}]\n"                            \
    "    fabrics: [{name: compute, rate: 400 Gb/s}]\n  workloads:\n"
#define TUNE(name, goal, more)                                                                     \
    "    - {name: " name ", type: finetune, model: llama-3.1-8b, priority: 5" more                 \
    ", data: {tokens: 4B tokens, sequenceLength: 4096, globalBatch: 512k tokens}, goal: " goal     \
    "}\n"
/* One kind of replica: what follows the traffic leaves machines idle. */
#define CHAT                                                                                       \
    "    - {name: chat, type: inference, model: llama-3.1-70b-fp8, priority: 90, traffic: "        \
    "{requestsPerSecond: {mean: 10, peak: 40}, profile: office, inputTokens: 2000, outputTokens: " \
    "400}, disaggregated: false, goal: {slo: {ttft: 3 s, tpot: 60 ms}}}\n"

static void plan(spec_case *c, int machines, const char *workloads) {
    char text[4096];
    const int n = snprintf(text, sizeof text, HEAD, machines);
    snprintf(text + n, sizeof text - (size_t)n, "%s", workloads);
    assert_int_equal(spec_case_plan(c, "t.yaml", text, NULL, 0), GP_OK);
}

static const gp_workload_plan *at(const spec_case *c, size_t i) {
    return &c->result->workloads.items[i];
}

/* Both fit one after the other long before their deadlines: nothing is bought. */
static void jobs_follow_each_other(void **state) {
    spec_case c;
    (void)state;
    plan(&c, 1,
         TUNE("first", "{completeWithin: 90d}", "") TUNE("second", "{completeWithin: 90d}", ""));
    assert_int_equal(at(&c, 0)->chosen.timing.turn, GP_TURN_OWN);
    assert_int_equal(at(&c, 1)->chosen.timing.turn, GP_TURN_AFTER);
    assert_int_equal(at(&c, 1)->scale, GP_SCALE_NONE);
    assert_true(at(&c, 1)->claim.start_s >= at(&c, 0)->claim.end_s);
    assert_true(at(&c, 1)->chosen.time_to_complete_s.low > at(&c, 1)->claim.start_s);
    assert_int_equal(c.result->site.nodes, 1);
    assert_int_equal(c.result->site.bought_nodes, 0);
    assert_int_equal(c.result->schedule.peak_nodes, 1);
    spec_case_free(&c);
}

/* The second has no time to wait. */
static void no_time_to_wait(void **state) {
    spec_case c;
    (void)state;
    plan(&c, 1,
         TUNE("first", "{completeWithin: 90d}", "") TUNE("second", "{completeWithin: 1d}", ""));
    const gp_workload_plan *second = at(&c, 1);
    assert_int_equal(second->chosen.timing.turn, GP_TURN_OWN);
    assert_true(second->chosen.nodes > second->chosen.owned_nodes);
    spec_case_free(&c);
}

static void recurring_runs_take_turns(void **state) {
    spec_case c;
    (void)state;
    plan(&c, 1,
         TUNE("first", "{every: 7d, maxDuration: 5d}", ", placement: {exclusive: true}")
             TUNE("second", "{every: 7d, maxDuration: 5d}", ", placement: {exclusive: true}"));
    const double run = at(&c, 0)->chosen.time_to_complete_s.high;
    assert_int_equal(at(&c, 1)->chosen.timing.turn, GP_TURN_QUEUE);
    assert_true(fabs(at(&c, 1)->chosen.timing.wait_s - run) <= 1e-9 * run);
    assert_true(at(&c, 1)->chosen.time_to_complete_s.high <= 5 * 86400.0);
    assert_int_equal(c.result->site.nodes, 1);
    spec_case_free(&c);
    /* Where one may not wait for the other on one machine, both have as many in turn as they need
     * for it, where that is fewer than each by itself has. */
    plan(&c, 1,
         TUNE("weekly", "{every: 7d, maxDuration: 1d}", "")
             TUNE("other", "{every: 7d, maxDuration: 1d}", ""));
    assert_int_equal(at(&c, 1)->chosen.timing.turn, GP_TURN_QUEUE);
    assert_int_equal(c.result->site.nodes, 3);
    spec_case_free(&c);
}

/* An office's service leaves machines idle at night; a job may use them only by its own word. */
static void nights_are_used_by_word_only(void **state) {
    spec_case c;
    (void)state;
    int machines = 0;
    plan(&c, 64, CHAT);
    machines = (int)at(&c, 0)->chosen.nodes;
    assert_true(machines > 1 && c.result->schedule.has_day);
    assert_true(c.result->schedule.day_nodes[3] < c.result->schedule.day_nodes[12]);
    spec_case_free(&c);
    plan(&c, machines, CHAT TUNE("job", "{completeWithin: 90d}", ""));
    assert_int_equal(at(&c, 1)->chosen.timing.turn, GP_TURN_OWN);
    assert_true(at(&c, 1)->claim.could_idle);
    assert_true(c.result->site.bought_nodes > 0);
    spec_case_free(&c);
    plan(&c, machines,
         CHAT TUNE("job", "{completeWithin: 90d}", ", placement: {timeSharing: true}"));
    const gp_candidate *job = &at(&c, 1)->chosen;
    assert_int_equal(job->timing.turn, GP_TURN_IDLE);
    assert_true(job->timing.share_fraction > 0.2 && job->timing.share_fraction < 1);
    assert_true(job->nodes <= c.result->schedule.day_nodes[12] - c.result->schedule.day_nodes[3]);
    assert_int_equal(c.result->site.bought_nodes, 0);
    spec_case_free(&c);
}

/* A batch of every night starts when the service sleeps; a whole night is there for it, and one
 * that takes longer than that has machines of its own. */
static void batches_of_the_night(void **state) {
    static const struct {
        const char *requests;
        gp_turn turn;
    } rows[] = {{"100k", GP_TURN_IDLE}, {"20M", GP_TURN_OWN}};
    spec_case c;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[4096];
        (void)snprintf(text, sizeof text,
                       "%s    - name: night\n      type: inference\n      model: llama-3.1-8b\n"
                       "      traffic: {requests: %s, inputTokens: 1000, outputTokens: 200}\n"
                       "      goal: {every: 1d, maxDuration: 5h}\n"
                       "      placement: {timeSharing: true}\n",
                       CHAT, rows[i].requests);
        plan(&c, 64, text);
        const gp_candidate *night = &at(&c, 1)->chosen;
        assert_true(night->feasible);
        assert_int_equal(night->timing.turn, rows[i].turn);
        assert_true(night->time_to_complete_s.high <= 5 * 3600);
        assert_true(rows[i].turn != GP_TURN_IDLE || night->timing.share_fraction > 0.9);
        spec_case_free(&c);
    }
}

/* On an empty site the machines that are bought for a service are there at night, too. */
static void nights_of_an_empty_site(void **state) {
    static const char head[] =
        "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: t}\nspec:\n"
        "  candidates: {allow: [dgx-h100], limits: {maxNodes: 64}}\n  workloads:\n";
    (void)state;
    for (int shares = 0; shares < 2; shares++) {
        spec_case c;
        char text[4096];
        (void)snprintf(
            text, sizeof text, "%s%s%s", head,
            shares != 0 ? TUNE("job", "{completeWithin: 90d}", ", placement: {timeSharing: true}")
                        : TUNE("job", "{completeWithin: 90d}", ""),
            CHAT);
        assert_int_equal(spec_case_plan(&c, "t.yaml", text, NULL, 0), GP_OK);
        const gp_candidate *job = &at(&c, 0)->chosen;
        const gp_candidate *service = &at(&c, 1)->chosen;
        assert_int_equal(job->timing.turn, shares != 0 ? GP_TURN_IDLE : GP_TURN_OWN);
        assert_int_equal(c.result->site.bought_nodes,
                         service->nodes + (shares != 0 ? 0 : job->nodes));
        spec_case_free(&c);
    }
}

/* Means are never above peaks, kinds add up to the whole. */
static void the_parts_are_the_whole(void **state) {
    spec_case c;
    (void)state;
    plan(&c, 64, CHAT);
    const int64_t machines = at(&c, 0)->chosen.nodes;
    spec_case_free(&c);
    plan(&c, (int)machines + 2,
         CHAT TUNE("weekly", "{every: 7d, maxDuration: 2d}", "")
             TUNE("once", "{completeWithin: 60d}", "") TUNE("twice", "{completeWithin: 60d}", ""));
    assert_int_equal(at(&c, 3)->chosen.timing.turn, GP_TURN_AFTER);
    const gp_schedule *schedule = &c.result->schedule;
    assert_true(schedule->period_count > 1);
    double mean = 0;
    for (int p = 0; p < schedule->period_count; p++) {
        const gp_period *period = &schedule->periods[p];
        int64_t nodes = 0;
        for (size_t k = 0; k < period->kinds.count; k++)
            nodes += period->kinds.items[k].peak_nodes;
        assert_int_equal(nodes, period->peak_nodes);
        assert_true(period->mean_nodes <= (double)period->peak_nodes + 1e-9);
        mean += period->mean_nodes * (period->end_s - period->start_s) / schedule->horizon_s;
    }
    assert_true(fabs(mean - schedule->mean_nodes) <= 1e-9 * mean);
    assert_true(schedule->periods[0].peak_nodes >
                schedule->periods[schedule->period_count - 1].peak_nodes);
    spec_case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_follow_each_other),       cmocka_unit_test(no_time_to_wait),
        cmocka_unit_test(recurring_runs_take_turns),    cmocka_unit_test(the_parts_are_the_whole),
        cmocka_unit_test(nights_are_used_by_word_only), cmocka_unit_test(batches_of_the_night),
        cmocka_unit_test(nights_of_an_empty_site),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
