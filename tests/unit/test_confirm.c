/* Simulation beside the planner: what it confirms, refutes, raises and leaves alone. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/spec_case.h"

static const char *const site = "examples/inference-site.yaml";
static const char *const fleet = "examples/chat-fleet.yaml";

static int64_t active_decode(const gp_candidate *chosen) {
    return chosen->split.present ? chosen->split.decode_replicas - chosen->split.decode_spare
                                 : chosen->replicas - chosen->spare_replicas;
}

static int64_t active_prefill(const gp_candidate *chosen) {
    return chosen->split.prefill_replicas - chosen->split.prefill_spare;
}

/* What every confirmation of a choice keeps to. */
static void assert_confirmed(const gp_workload_plan *w) {
    const gp_confirmation *found = &w->confirmation;
    const gp_candidate *told = w->chosen.share_count > 0 ? &w->chosen.shares[0] : &w->chosen;
    assert_true(found->confirmed);
    assert_int_equal(found->chosen.replicas, active_decode(told));
    assert_int_equal(found->chosen.prefill_replicas, active_prefill(told));
    assert_int_equal(found->fewer.replicas + found->fewer.prefill_replicas,
                     found->chosen.replicas + found->chosen.prefill_replicas - 1);
    assert_true(found->chosen.measured >= 1000);
    /* Not the same, and not another world. */
    assert_true(found->closed_tpot_p95_s > 0.4 * found->chosen.tpot_p95_s);
    assert_true(found->closed_tpot_p95_s < 1.6 * found->chosen.tpot_p95_s);
}

static void test_chosen_is_confirmed_and_fewer_is_not(void **state) {
    (void)state;
    spec_case c;
    static const gp_override busy = {"workloads.chat.traffic.requestsPerSecond.mean", "28"};
    assert_int_equal(spec_case_plan_file(&c, fleet, &busy, 1), GP_OK);
    const gp_workload_plan *chat = spec_case_workload(&c, "chat");
    assert_true(chat->confirmation.present);
    assert_confirmed(chat);
    assert_false(chat->confirmation.fewer.ok);
    spec_case_free(&c);
}

/* Pools of their own, too, as long as it takes to fill them. */
static void test_pools_are_simulated(void **state) {
    (void)state;
    static const gp_override apart[] = {
        {"workloads.completion.disaggregated", "true"},
        {"workloads.chat.disaggregated", "true"},
        {"workloads.completion.traffic.requestsPerSecond.mean", "10"}};
    spec_case c;
    assert_int_equal(spec_case_plan_file(&c, fleet, apart, 3), GP_OK);
    const gp_workload_plan *w = spec_case_workload(&c, "completion");
    assert_true(w->chosen.split.present && w->confirmation.present);
    assert_true(w->confirmation.chosen.prefill_replicas > 1);
    assert_confirmed(w);
    spec_case_free(&c);
    static const gp_override large[] = {{"workloads.assistant.disaggregated", "true"},
                                        {"workloads.agents.disaggregated", "false"}};
    assert_int_equal(spec_case_plan_file(&c, site, large, 2), GP_OK);
    for (size_t i = 0; i < c.result->workloads.count; i++) {
        const gp_confirmation *found = &c.result->workloads.items[i].confirmation;
        assert_true(found->present && !found->unfilled);
        assert_confirmed(&c.result->workloads.items[i]);
    }
    spec_case_free(&c);
}

#define NAMED "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: t}\nspec:\n"

/* Two pools without a common divisor are as good as those beside them. */
static void test_odd_pools_hold(void **state) {
    (void)state;
    spec_case c;
    static const char text[] =
        NAMED "  candidates: {allow: [h100-nvl-8gpu]}\n  workloads:\n"
              "  - {name: w, type: inference, model: mistral-7b, traffic: {requestsPerSecond: 171, "
              "inputTokens: 3000, outputTokens: 103, profile: diurnal}, goal: {slo: {tpot: 20 "
              "ms}}}\n";
    assert_int_equal(spec_case_plan(&c, "t.yaml", text, NULL, 0), GP_OK);
    const gp_workload_plan *w = spec_case_workload(&c, "w");
    assert_true(w->chosen.split.present && w->confirmation.confirmed && c.result->feasible);
    spec_case_free(&c);
}

static void test_mean_goals_are_left_to_the_closed_form(void **state) {
    (void)state;
    static const gp_override means[] = {{"workloads.chat.goal.slo.ttft", "{mean: 2 s}"},
                                        {"workloads.chat.goal.slo.tpot", "{mean: 50 ms}"}};
    spec_case c;
    assert_int_equal(spec_case_plan_file(&c, "examples/quickstart.yaml", means, 2), GP_OK);
    assert_false(spec_case_workload(&c, "chat")->confirmation.present);
    assert_false(spec_case_workload(&c, "pretrain")->confirmation.present);
    spec_case_free(&c);
}

/* More replicas than the closed form, and no more than needed: another seed of the same load on one
 * fewer misses too. */
static void test_raised_replicas_are_needed(void **state) {
    (void)state;
    static gp_engine engine;
    static const gp_override together[] = {{"workloads.chat.disaggregated", "false"}};
    spec_case c;
    assert_int_equal(spec_case_plan_file(&c, "examples/quickstart.yaml", together, 1), GP_OK);
    const gp_workload_plan *chat = spec_case_workload(&c, "chat");
    const gp_confirmation *found = &chat->confirmation;
    assert_true(found->confirmed);
    assert_true(found->chosen_all_gpus >= found->closed_form.all_gpus);
    gp_simulate_config config;
    assert_int_equal(gp_plan_simulation(c.result, chat, 1, &engine, &engine, &config), GP_OK);
    assert_int_equal(config.replicas, found->chosen.replicas);
    assert_true(config.arrivals.requests_per_s < found->requests_per_s);
    gp_confirm ask = {.replicas = found->chosen.replicas,
                      .requests = found->requests,
                      .requests_per_s = found->requests_per_s,
                      .residence_s = chat->chosen.point.e2e_s};
    gp_confirm_run again;
    gp_confirm_run half;
    config.arrivals.seed = 99;
    assert_int_equal(gp_simulate_confirm(c.arena, &config, &ask, &again), GP_OK);
    assert_true(again.ok);
    ask.replicas = (found->chosen.replicas + 1) / 2;
    assert_int_equal(gp_simulate_confirm(c.arena, &config, &ask, &half), GP_OK);
    assert_false(half.ok);
    assert_true(half.tpot_p95_s > again.tpot_p95_s);
    spec_case_free(&c);
}

/* Of thousands of replicas with little to do a part is run, with its part of the arrivals: in
 * pools, also where their sizes share no divisor. All see the load of a few. */
static void test_thousands_are_run_in_part(void **state) {
    (void)state;
    static gp_engine engine;
    static const int64_t counts[][2] = {{4096, 0}, {4001, 3001}, {4, 0}};
    spec_case c;
    double tpot_s[3];
    assert_int_equal(spec_case_plan_file(&c, "examples/minimal.yaml", NULL, 0), GP_OK);
    const gp_workload_plan *chat = spec_case_workload(&c, "chat");
    gp_simulate_config config;
    assert_int_equal(gp_plan_simulation(c.result, chat, 1, &engine, &engine, &config), GP_OK);
    config.prefill_engine = &engine;
    for (size_t i = 0; i < 3; i++) {
        const gp_confirm ask = {.replicas = counts[i][0],
                                .prefill_replicas = counts[i][1],
                                .requests = 2000,
                                .requests_per_s = 0.01 * (double)counts[i][0],
                                .residence_s = 1};
        gp_confirm_run got;
        assert_int_equal(gp_simulate_confirm(c.arena, &config, &ask, &got), GP_OK);
        assert_true(got.simulated <= 514 && got.simulated > 0);
        tpot_s[i] = got.tpot_p95_s;
    }
    assert_true(fabs(tpot_s[0] / tpot_s[2] - 1) < 0.1 && fabs(tpot_s[1] / tpot_s[2] - 1) < 0.1);
    spec_case_free(&c);
}

/* A part of a GPU has room for the long requests among those of a small service. */
static void test_no_layout_rejects_requests(void **state) {
    (void)state;
    spec_case c;
    static const char head[] = "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: t}\nspec:\n"
                               "  candidates: [dgx-h100]\n  workloads:\n";
    char text[4096];
    int used = snprintf(text, sizeof text, "%s", head);
    for (int i = 0; i < 12; i++)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "    - {name: w%d, type: inference, model: llama-3.1-8b, traffic: "
                         "{requestsPerSecond: 0.20, inputTokens: 2914, outputTokens: 98}, goal: "
                         "{slo: {ttft: 3 s, tpot: 60 ms}}}\n",
                         i);
    assert_int_equal(spec_case_plan(&c, "t.yaml", text, NULL, 0), GP_OK);
    for (size_t i = 0; i < c.result->workloads.count; i++) {
        const gp_workload_plan *w = &c.result->workloads.items[i];
        assert_true(w->chosen.part.in_use);
        assert_int_equal(w->confirmation.chosen.refused, 0);
        assert_true(w->confirmation.confirmed);
    }
    spec_case_free(&c);
}

static void test_turned_off(void **state) {
    (void)state;
    spec_case c;
    spec_case_simulate = GP_PLAN_SIMULATE_OFF;
    const gp_status st = spec_case_plan_file(&c, "examples/quickstart.yaml", NULL, 0);
    spec_case_simulate = GP_PLAN_SIMULATE_QUICK;
    assert_int_equal(st, GP_OK);
    assert_false(spec_case_workload(&c, "chat")->confirmation.present);
    spec_case_free(&c);
}

static void test_training_is_no_simulation(void **state) {
    (void)state;
    static gp_engine engine;
    spec_case c;
    gp_simulate_config config;
    assert_int_equal(spec_case_plan_file(&c, "examples/quickstart.yaml", NULL, 0), GP_OK);
    assert_int_equal(
        gp_plan_simulation(c.result, spec_case_workload(&c, "sft"), 1, &engine, &engine, &config),
        GP_ERR_NOT_FOUND);
    spec_case_free(&c);
}

/* The table is the estimators at its own points, and near them between. */
static void test_engine_follows_the_estimators(void **state) {
    (void)state;
    static gp_engine engine;
    spec_case c;
    gp_simulate_config config;
    assert_int_equal(spec_case_plan_file(&c, site, NULL, 0), GP_OK);
    for (size_t i = 0; i < c.result->workloads.count; i++) {
        const gp_workload_plan *w = &c.result->workloads.items[i];
        assert_int_equal(gp_plan_simulation(c.result, w, 1, &engine, &engine, &config), GP_OK);
        static const double batches[] = {1, 7, 33, 150, 777};
        static const double contexts[] = {10, 1000, 3333, 60000};
        for (size_t b = 0; b < sizeof batches / sizeof batches[0]; b++) {
            for (size_t k = 0; k < sizeof contexts / sizeof contexts[0]; k++) {
                const double exact = gp_decode_step_s(
                    &w->serve, &w->chosen.unit->machine, &w->network, &w->chosen.serve_layout,
                    c.result->constants, batches[b], contexts[k], NULL);
                const double table = gp_engine_decode_s(&engine, batches[b], contexts[k]);
                assert_true(table > 0.985 * exact && table < 1.015 * exact);
            }
        }
    }
    spec_case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chosen_is_confirmed_and_fewer_is_not),
        cmocka_unit_test(test_pools_are_simulated),
        cmocka_unit_test(test_odd_pools_hold),
        cmocka_unit_test(test_mean_goals_are_left_to_the_closed_form),
        cmocka_unit_test(test_raised_replicas_are_needed),
        cmocka_unit_test(test_thousands_are_run_in_part),
        cmocka_unit_test(test_no_layout_rejects_requests),
        cmocka_unit_test(test_turned_off),
        cmocka_unit_test(test_training_is_no_simulation),
        cmocka_unit_test(test_engine_follows_the_estimators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
