/* People and teams: seats, quotas, runs that are taken off their machines, maintenance. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/num.h"
#include "support/spec_case.h"

#define HEAD "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: t}\nspec:\n"
#define H100 "  candidates: [dgx-h100]\n"
#define TUNE                                                                                       \
    "    - name: tune\n"                                                                           \
    "      type: finetune\n"                                                                       \
    "      model: llama-3.1-8b\n"                                                                  \
    "      data: {tokens: 2B tokens, sequenceLength: 4096, globalBatch: 256k}\n"                   \
    "      goal: {completeWithin: 30d}\n"
#define SPOT  "cloud:aws/p5.48xlarge/spot"
#define TEXTS 4096

static const gp_plan_result *plan_with(spec_case *c, const char *text, const char *path,
                                       const char *value) {
    const gp_override override = {path, value};
    assert_int_equal(spec_case_plan(c, "t.yaml", text, &override, path != NULL ? 1 : 0), GP_OK);
    return c->result;
}

static const gp_workload_plan *only(const gp_plan_result *result) {
    return &result->workloads.items[0];
}

static void near(double a, double b) {
    if (!(fabs(a - b) <= 1e-9 * fmax(1, fabs(b))))
        fail_msg("%.17g, wanted %.17g", a, b);
}

/* ------------------------------------------------------------ how many come at once */

/* Every way in which twelve people may be there, one by one. */
static double share_of_ways(int people, int most, double each) {
    double sum = 0;
    for (unsigned way = 0; way < 1u << people; way++) {
        int there = 0;
        for (int i = 0; i < people; i++)
            there += (int)(way >> i & 1);
        if (there <= most)
            sum += pow(each, there) * pow(1 - each, people - there);
    }
    return sum;
}

static void seats_are_enough_for_those_who_come(void **state) {
    const double each[] = {0.05, 0.4, 0.9};
    const double sure[] = {0.5, 0.9, 0.99, 0.9999};
    (void)state;
    for (int e = 0; e < 3; e++) {
        for (int s = 0; s < 4; s++) {
            const int found = (int)gp_num_binomial_quantile(12, each[e], sure[s]);
            assert_true(share_of_ways(12, found, each[e]) >= sure[s] - 1e-12);
            assert_true(found == 0 || share_of_ways(12, found - 1, each[e]) < sure[s]);
        }
    }
    assert_int_equal(gp_num_binomial_quantile(12, 1, 0.5), 12);
    /* Of 100,000 half are there: 50,000 + 2.3263 x sqrt(25,000). */
    assert_in_range(gp_num_binomial_quantile(100000, 0.5, 0.99), 50366, 50370);
}

/* ------------------------------------------------------------ parts of GPUs */

static const gp_workload_plan *seats(spec_case *c, const char *what) {
    static char text[TEXTS];
    (void)snprintf(text, sizeof text,
                   HEAD H100 "  workloads:\n    - {name: n, type: seats, seats: %s}\n", what);
    return only(plan_with(c, text, NULL, NULL));
}

/* Sixty seats with a tenth of headroom: as many GPUs as NVIDIA's table of profiles gives parts. */
static void parts_follow_the_published_table(void **state) {
    static const struct {
        const char *seats;
        int64_t gpus;
        const char *profile;
    } wanted[] = {
        {"{atOnce: 60, memory: 9 GiB}", (66 + 6) / 7, "1g.10gb"},
        {"{atOnce: 60, memory: 16 GiB}", (66 + 3) / 4, "1g.20gb"},
        {"{atOnce: 60, memory: 16 GiB, compute: 20%}", (66 + 2) / 3, "2g.20gb"},
        {"{atOnce: 60, memory: 30 GiB}", (66 + 1) / 2, "3g.40gb"},
        {"{atOnce: 60, memory: 60 GiB}", 66, NULL},
        {"{atOnce: 60, gpus: 2}", 132, NULL},
        {"{atOnce: 60}", 66, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        spec_case c;
        const gp_workload_plan *n = seats(&c, wanted[i].seats);
        const gp_serve_layout *layout = &n->chosen.serve_layout;
        assert_true(n->chosen.feasible);
        assert_int_equal(n->chosen.gpus, wanted[i].gpus);
        assert_true(n->chosen.requests_per_s >= 60);
        assert_int_equal(layout->part > 0, wanted[i].profile != NULL);
        if (layout->part > 0)
            assert_string_equal(n->chosen.unit->partition->profiles.items[layout->part - 1].name,
                                wanted[i].profile);
        spec_case_free(&c);
    }
}

static void a_seat_that_no_gpu_holds_has_none(void **state) {
    spec_case c;
    (void)state;
    const gp_workload_plan *n = seats(&c, "{atOnce: 2, memory: 100 GiB}");
    assert_int_equal(n->scale, GP_SCALE_INFEASIBLE);
    assert_int_equal(n->chosen.lack.bound, GP_BOUND_MEMORY);
    near(n->chosen.lack.need, 100 * 1073741824.0);
    spec_case_free(&c);
}

/* GPUs that compute for a third of the time draw less, and never less than at rest. */
static void energy_follows_what_they_do(void **state) {
    spec_case busy, third, rest;
    (void)state;
    const double all = seats(&busy, "{atOnce: 56, gpus: 1}")->chosen.it_mean_w;
    const double some = seats(&third, "{atOnce: 56, gpus: 1, busy: 30%}")->chosen.it_mean_w;
    const double none = seats(&rest, "{atOnce: 56, gpus: 1, busy: 0%}")->chosen.it_mean_w;
    assert_true(all > some && some > none && none > 0);
    spec_case_free(&busy);
    spec_case_free(&third);
    spec_case_free(&rest);
}

/* ------------------------------------------------------------ runs that are stopped */

/* A run stops every 1 / (1 / M + 1 / T); failures are those of its machines alone, and preemptions
 * as many as the run is long. */
static void preemption_adds_to_failures(void **state) {
    static const char text[] = HEAD H100 "  workloads:\n" TUNE;
    spec_case a, b;
    (void)state;
    const gp_run *alone = &only(plan_with(&a, text, NULL, NULL))->chosen.run;
    const gp_run *taken =
        &only(plan_with(&b, text, "workloads.tune.run.preemptedEvery", "4h"))->chosen.run;
    near(taken->stopped_every_s, 1 / (1 / alone->mtbf_s + 1 / 14400.0));
    near(taken->mtbf_s, alone->mtbf_s);
    near(taken->failures, taken->wall_s / alone->mtbf_s);
    near(taken->taken, taken->wall_s / 14400);
    near(taken->taken_s, taken->taken * (taken->restart_s + taken->interval_s / 2));
    assert_true(taken->wall_s > alone->wall_s && taken->interval_s < alone->interval_s);
    assert_true(alone->taken == 0);
    spec_case_free(&a);
    spec_case_free(&b);
}

/* A window a week of seven hours, with the restart: no more than that is lost. */
static void windows_stop_everything(void **state) {
    static const char text[] = HEAD H100 "  workloads:\n" TUNE;
    static const char window[] =
        HEAD H100 "  cluster: {maintenance: {every: 1wk, duration: 7h}}\n  workloads:\n" TUNE;
    spec_case a, b;
    (void)state;
    const gp_run *open = &only(plan_with(&a, text, NULL, NULL))->chosen.run;
    const gp_run *shut = &only(plan_with(&b, window, NULL, NULL))->chosen.run;
    near(shut->goodput_fraction,
         open->goodput_fraction * (1 - (7 * 3600 + open->restart_s) / 604800));
    spec_case_free(&a);
    spec_case_free(&b);
}

static const char service[] = HEAD H100
    "  cluster: {maintenance: {every: 1wk, duration: 7h}}\n  workloads:\n    - name: chat\n"
    "      type: inference\n      model: llama-3.1-8b\n"
    "      traffic: {requestsPerSecond: 5, inputTokens: 500, outputTokens: 200}\n"
    "      goal: {slo: {ttft: 2 s, tpot: 50 ms, availability: 90%}}\n";

/* Seven of 168 hours: 95.8 % is left, and no spare replica makes it more. */
static void windows_bound_what_a_service_promises(void **state) {
    spec_case a, b;
    (void)state;
    const gp_workload_plan *held = only(plan_with(&a, service, NULL, NULL));
    assert_true(held->chosen.feasible);
    assert_true(held->chosen.availability_fraction <= 161.0 / 168);
    const gp_workload_plan *none =
        only(plan_with(&b, service, "workloads.chat.goal.slo.availability", "96%"));
    assert_int_equal(none->scale, GP_SCALE_INFEASIBLE);
    spec_case_free(&a);
    spec_case_free(&b);
}

/* ------------------------------------------------------------ spot */

static const char spot_run[] = HEAD "  candidates: {allow: [\"" SPOT "\"]}\n  workloads:\n" TUNE;

static void spot_needs_a_rate(void **state) {
    spec_case a, b, d;
    (void)state;
    assert_int_equal(only(plan_with(&a, spot_run, NULL, NULL))->scale, GP_SCALE_INFEASIBLE);
    const char *path = "candidates.spotInterruptedEvery";
    const gp_candidate *rare = &only(plan_with(&b, spot_run, path, "100h"))->chosen;
    const gp_candidate *often = &only(plan_with(&d, spot_run, path, "5h"))->chosen;
    assert_true(rare->feasible && often->feasible);
    assert_int_equal(rare->nodes, often->nodes);
    assert_true(often->run.wall_s > rare->run.wall_s);
    near(often->run.taken, often->run.wall_s * (double)often->nodes / 18000);
    spec_case_free(&a);
    spec_case_free(&b);
    spec_case_free(&d);
}

static void spot_carries_no_service(void **state) {
    static const char text[] =
        HEAD "  candidates: {allow: [\"" SPOT "\"], spotInterruptedEvery: 100h}\n"
             "  workloads:\n    - {name: n, type: seats, seats: 3}\n    - name: chat\n"
             "      type: inference\n      model: llama-3.1-8b\n"
             "      traffic: {requestsPerSecond: 5, inputTokens: 500, outputTokens: 200}\n"
             "      goal: {slo: {ttft: 2 s}}\n";
    spec_case c;
    (void)state;
    const gp_plan_result *result = plan_with(&c, text, NULL, NULL);
    for (size_t i = 0; i < result->workloads.count; i++)
        assert_int_equal(result->workloads.items[i].scale, GP_SCALE_INFEASIBLE);
    spec_case_free(&c);
}

/* ------------------------------------------------------------ teams */

static const char shared[] =
    HEAD H100 "  cluster: {pools: [{name: p, system: dgx-h100, count: 4}]}\n"
              "  teams:\n    - {name: a, quota: 8, borrowing: 4}\n    - {name: b, share: 50%}\n"
              "  workloads:\n    - {name: dev, team: a, type: seats, seats: {atOnce: 9, gpus: 1}}\n"
              "    - name: jobs\n      team: b\n      type: lora\n      model: qwen3-32b\n"
              "      adapter: {method: qlora, rank: 16}\n"
              "      data: {tokens: 20M tokens, sequenceLength: 2048, globalBatch: 32k}\n"
              "      jobs: {perWeek: 200, concurrent: 2}\n      goal: {maxDuration: 12h}\n";

static void teams_hold_what_their_workloads_do(void **state) {
    spec_case c;
    (void)state;
    const gp_plan_result *result = plan_with(&c, shared, NULL, NULL);
    const gp_team_plan *a = &result->teams.items[0], *b = &result->teams.items[1];
    assert_int_equal(a->held, 10); /* nine and their headroom */
    assert_int_equal(a->staying, 10);
    assert_int_equal(a->borrowed, 2);
    assert_int_equal(a->over, 0);
    assert_int_equal(b->quota, 16); /* half of 32 */
    assert_int_equal(b->held, result->workloads.items[1].chosen.gpus);
    assert_int_equal(b->lent, 16 - b->held);
    assert_true(b->queued && !a->queued);
    near(b->wait_alone_s, b->wait_s); /* all of its places are its own */
    assert_int_equal(result->promised_gpus, 24);
    spec_case_free(&c);
}

/* With fewer GPUs of its own a team's jobs wait longer when nobody lends any, and in the end for
 * ever; what they wait as planned stays. */
static void quotas_are_what_jobs_wait_for(void **state) {
    static const char *const quotas[] = {"100%", "10%", "7%", "0%"};
    double last = 0, planned = 0;
    (void)state;
    for (size_t i = 0; i < sizeof quotas / sizeof quotas[0]; i++) {
        spec_case c;
        const gp_team_plan *b = &plan_with(&c, shared, "teams.b.share", quotas[i])->teams.items[1];
        planned = i == 0 ? b->wait_s : planned;
        near(b->wait_s, planned);
        assert_true(b->wait_alone_s >= last && b->wait_alone_s >= b->wait_s);
        last = b->wait_alone_s;
        spec_case_free(&c);
    }
    assert_true(isinf(last));
}

static void what_is_borrowed_has_an_end(void **state) {
    spec_case c;
    (void)state;
    const gp_team_plan *a = &plan_with(&c, shared, "teams.a.borrowing", "1")->teams.items[0];
    assert_int_equal(a->over, 1);
    spec_case_free(&c);
}

/* ------------------------------------------------------------ the loss of a site */

#define SITE(name)                                                                                 \
    "    - {name: " name ", cluster: {pools: [{name: p" name ", system: dgx-h100, count: 2}]}}\n"

/* Whichever of the sites is lost, the others carry the load with its headroom; a service that need
 * not survive it takes less. */
static void any_site_may_be_lost(void **state) {
    static const char text[] = HEAD
        "  candidates: {allow: [dgx-h100], objective: minPower}\n"
        "  sites:\n" SITE("a") SITE("b")
            SITE("c") "  workloads:\n    - name: chat\n      type: inference\n      model: "
                      "llama-3.1-70b\n"
                      "      traffic: {requestsPerSecond: {peak: 30, mean: 12}, inputTokens: 800, "
                      "outputTokens: 200}\n"
                      "      goal: {slo: {ttft: 2 s, tpot: 50 ms}}\n";
    spec_case a, b;
    (void)state;
    const gp_candidate *kept =
        &only(plan_with(&a, text, "workloads.chat.placement.survives", "site"))->chosen;
    assert_true(kept->feasible && kept->share_count > 1);
    for (int lost = 0; lost < kept->share_count; lost++) {
        double left = 0;
        for (int k = 0; k < kept->share_count; k++)
            left += k != lost ? kept->shares[k].requests_per_s : 0;
        assert_true(left >= 30 * 1.1 * (1 - 1e-9));
    }
    /* They share the traffic while all are there. */
    assert_true(fabs(kept->tokens_per_s.expected - 30 * 200) < 1e-6);
    assert_true(only(plan_with(&b, text, NULL, NULL))->chosen.gpus < kept->gpus);
    spec_case_free(&a);
    spec_case_free(&b);
}

/* What is bought at a site keeps to its own budget, whatever the plan as a whole may spend. */
static void each_site_has_its_money(void **state) {
    static const char text[] = HEAD
        "  candidates: {allow: [dgx-h100], objective: minPower}\n"
        "  costs: {budget: {capital: 9M USD}}\n"
        "  sites:\n    - {name: a, site: {power: {annual: 1.1}}, budget: {capital: 600k USD}}\n"
        "    - {name: b, site: {power: {annual: 1.6}}}\n"
        "  workloads:\n    - name: chat\n      type: inference\n      model: llama-3.1-70b\n"
        "      traffic: {requestsPerSecond: {peak: 36, mean: 16}, inputTokens: 800, "
        "outputTokens: 200}\n"
        "      goal: {slo: {ttft: 2 s, tpot: 50 ms}}\n"
        "---\napiVersion: gpuplan/v1\nkind: Prices\nmetadata: {name: p}\nspec:\n"
        "  items: [{item: system/dgx-h100, price: 250000 USD}]\n";
    spec_case bound, open;
    (void)state;
    const gp_plan_result *kept = plan_with(&bound, text, NULL, NULL);
    const gp_plan_result *more = plan_with(&open, text, "sites.a.budget.capital", "9M USD");
    assert_true(only(kept)->chosen.feasible && only(more)->chosen.feasible);
    assert_true(kept->sites.items[0].site.cost.capital <= 600e3);
    assert_true(kept->sites.items[0].site.bought_nodes <= 2);
    assert_true(kept->sites.items[1].site.bought_nodes > 0);
    assert_true(more->sites.items[0].site.bought_nodes > 2);
    assert_int_equal(more->sites.items[1].site.bought_nodes, 0);
    spec_case_free(&bound);
    spec_case_free(&open);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seats_are_enough_for_those_who_come),
        cmocka_unit_test(parts_follow_the_published_table),
        cmocka_unit_test(a_seat_that_no_gpu_holds_has_none),
        cmocka_unit_test(energy_follows_what_they_do),
        cmocka_unit_test(preemption_adds_to_failures),
        cmocka_unit_test(windows_stop_everything),
        cmocka_unit_test(windows_bound_what_a_service_promises),
        cmocka_unit_test(spot_needs_a_rate),
        cmocka_unit_test(spot_carries_no_service),
        cmocka_unit_test(teams_hold_what_their_workloads_do),
        cmocka_unit_test(quotas_are_what_jobs_wait_for),
        cmocka_unit_test(what_is_borrowed_has_an_end),
        cmocka_unit_test(any_site_may_be_lost),
        cmocka_unit_test(each_site_has_its_money),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
