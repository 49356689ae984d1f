/* What a site holds: machines up to a limit, and demands that a plan holds and a little more does
 * not. Every answer is held against the planner or against arithmetic. */
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

#include "support/spec_case.h"

#define HEAD "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: hall}\nspec:\n"
#define SITE                                                                                       \
    "  site:\n    power: {itCapacity: 1 MW}\n    cooling: {air: {capacity: 2 MW}}\n"               \
    "    racks: {count: 60, maxPower: 40 kW}\n"
#define KINDS "  candidates: [dgx-h100, dgx-b200]\n"
#define CHAT                                                                                       \
    "    - name: chat\n      type: inference\n      model: llama-3.1-70b-fp8\n"                    \
    "      traffic: {requestsPerSecond: 20, inputTokens: 1000, outputTokens: 300}\n"               \
    "      goal: {slo: {ttft: 1 s, tpot: 40 ms}}\n"
#define MAIL                                                                                       \
    "    - name: mail\n      type: inference\n      model: llama-3.1-8b\n"                         \
    "      traffic: {requestsPerSecond: 30, inputTokens: 2000, outputTokens: 200}\n"               \
    "      goal: {slo: {tpot: 30 ms}}\n"
#define TUNE                                                                                       \
    "    - name: tune\n      type: lora\n      model: llama-3.1-8b\n"                              \
    "      adapter: {rank: 16}\n"                                                                  \
    "      data: {tokens: 20M tokens, sequenceLength: 2048, globalBatch: 32k}\n"                   \
    "      jobs: {perWeek: 60}\n      goal: {maxDuration: 6h}\n"
#define PRE                                                                                        \
    "    - name: pre\n      type: training\n      model: llama-3.1-8b\n"                           \
    "      data: {tokens: 200B tokens, sequenceLength: 8192, globalBatch: 4M tokens}\n"            \
    "      goal: {completeWithin: 30d}\n"

static const char bare[] = HEAD SITE KINDS;
static const char one[] = HEAD SITE KINDS "  workloads:\n" CHAT;
static const char two[] = HEAD SITE KINDS "  workloads:\n" CHAT MAIL;
static const char jobs[] = HEAD SITE KINDS "  workloads:\n" TUNE PRE;
static const char pools[] = HEAD "  cluster: {pools: [{name: a, system: dgx-h100, count: 6}]}\n"
                                 "  workloads:\n" CHAT;

static const gp_capacity *fill(spec_case *c, const char *text, const gp_override *sets,
                               size_t count, int64_t most_gpus) {
    const gp_plan_options options = {.simulate = GP_PLAN_SIMULATE_OFF};
    gp_capacity *capacity = NULL;
    *c = (spec_case){.arena = gp_arena_new((size_t)512 << 20)};
    gp_diags_init(&c->diags, c->arena);
    assert_int_equal(spec_case_resolve(c, "hall.yaml", text, sets, count), GP_OK);
    assert_int_equal(gp_capacity_run(c->arena, c->catalog, c->spec.plans.items[0], NULL, 0,
                                     &options, most_gpus, &c->diags, &capacity),
                     GP_OK);
    return capacity;
}

static const gp_capacity_row *row_of(const gp_capacity *capacity, const char *system) {
    for (size_t i = 0; i < capacity->rows.count; i++) {
        const gp_capacity_row *row = &capacity->rows.items[i];
        if (system == NULL ? row->unit == NULL
                           : row->unit != NULL && strcmp(row->unit->id, system) == 0)
            return row;
    }
    fail_msg("no row of %s", system == NULL ? "what is declared" : system);
    return NULL;
}

static const gp_capacity_demand *demand_of(const gp_capacity_row *row, const char *workload) {
    for (size_t i = 0; i < row->demands.count; i++) {
        const gp_capacity_demand *demand = &row->demands.items[i];
        if (workload == NULL
                ? demand->workload == NULL
                : demand->workload != NULL && strcmp(demand->workload->name, workload) == 0)
            return demand;
    }
    fail_msg("no demand of %s", workload == NULL ? "all" : workload);
    return NULL;
}

/* Whether a plan with these values is feasible. */
static bool plans(const char *text, const gp_override *sets, size_t count) {
    spec_case c;
    spec_case_simulate = GP_PLAN_SIMULATE_OFF;
    assert_int_equal(spec_case_plan(&c, "hall.yaml", text, sets, count), GP_OK);
    const bool feasible = c.result->feasible;
    spec_case_free(&c);
    return feasible;
}

static const char *number(char text[32], double value) {
    (void)snprintf(text, 32, "%.9g", value);
    return text;
}

/* As many as the power takes, and not one more; a site without workloads is enough. */
static void machines_fill_the_power(void **state) {
    (void)state;
    spec_case c;
    const gp_capacity *capacity = fill(&c, bare, NULL, 0, 0);
    assert_int_equal(capacity->rows.count, 2);
    for (size_t i = 0; i < capacity->rows.count; i++) {
        const gp_capacity_row *row = &capacity->rows.items[i];
        const double each = row->site.it_peak_w / (double)row->site.stand_nodes;
        assert_true(row->bounded && !row->over);
        assert_int_equal(row->binds.bound, GP_BOUND_POWER);
        assert_string_equal(row->binds.path, "site.power.itCapacity");
        assert_true(row->site.it_peak_w <= 1e6);
        assert_true(row->site.it_peak_w + 1.5 * each > 1e6);
        assert_int_equal(row->gpus, 8 * row->site.stand_nodes);
        assert_true(row->site.rack_count <= 60 && row->next_added > row->added);
        assert_int_equal(row->next.bound, GP_BOUND_SPACE);
    }
    spec_case_free(&c);
}

/* What is said to bind next binds once the first limit is out of the way, at that very number. */
static void the_next_limit_is_the_next(void **state) {
    static const gp_override lifted[] = {{"site.power.itCapacity", "90 MW"}};
    (void)state;
    spec_case a;
    spec_case b;
    const gp_capacity_row *row = row_of(fill(&a, bare, NULL, 0, 0), "dgx-h100");
    const gp_capacity_row *more = row_of(fill(&b, bare, lifted, 1, 0), "dgx-h100");
    assert_int_equal(more->binds.bound, row->next.bound);
    assert_int_equal(more->added, row->next_added);
    spec_case_free(&a);
    spec_case_free(&b);
}

/* More of what binds never holds less. */
static void more_power_holds_no_less(void **state) {
    (void)state;
    int64_t before = 0;
    for (int kw = 100; kw <= 1500; kw += 350) {
        char text[32];
        (void)snprintf(text, sizeof text, "%d kW", kw);
        const gp_override sets[] = {{"site.power.itCapacity", text}};
        spec_case c;
        const gp_capacity_row *row = row_of(fill(&c, bare, sets, 1, 0), "dgx-b200");
        assert_true(row->added >= before);
        before = row->added;
        spec_case_free(&c);
    }
    assert_true(before > 0);
}

static void gpus_are_a_limit_too(void **state) {
    (void)state;
    spec_case c;
    const gp_capacity *capacity = fill(&c, one, NULL, 0, 100);
    for (size_t i = 0; i < capacity->rows.count; i++) {
        const gp_capacity_row *row = &capacity->rows.items[i];
        assert_int_equal(row->added, 12);
        assert_int_equal(row->binds.bound, GP_BOUND_SUPPLY);
        assert_null(row->binds.path);
        assert_float_equal(row->binds.limit, 100, 0);
        assert_int_equal(row->next.bound, GP_BOUND_POWER);
        assert_true(demand_of(row, "chat")->nodes <= 12);
    }
    spec_case_free(&c);
}

/* The rate that is found is planned, and a fiftieth more is not. */
static void a_rate_holds_and_no_more(void **state) {
    (void)state;
    spec_case c;
    const gp_capacity *capacity = fill(&c, one, NULL, 0, 0);
    for (size_t i = 0; i < capacity->rows.count; i++) {
        const gp_capacity_row *row = &capacity->rows.items[i];
        const gp_capacity_demand *chat = demand_of(row, "chat");
        char rate[32];
        gp_override sets[] = {{"candidates.allow", row->unit->id},
                              {"workloads.chat.traffic.requestsPerSecond", rate}};
        assert_int_equal(chat->measure, GP_CAPACITY_RATE);
        assert_int_equal(chat->binds.bound, GP_BOUND_POWER);
        assert_true(chat->most > chat->today && chat->peak > chat->most);
        number(rate, chat->most);
        assert_true(plans(one, sets, 2));
        number(rate, 1.02 * chat->most);
        assert_false(plans(one, sets, 2));
    }
    spec_case_free(&c);
}

/* The same for two services that grow together. */
static void a_common_factor_holds(void **state) {
    (void)state;
    spec_case c;
    const gp_capacity_row *row = row_of(fill(&c, two, NULL, 0, 0), "dgx-b200");
    const double most = demand_of(row, NULL)->most;
    char chat[32];
    char mail[32];
    gp_override sets[] = {{"candidates.allow", "dgx-b200"},
                          {"workloads.chat.traffic.requestsPerSecond", chat},
                          {"workloads.mail.traffic.requestsPerSecond", mail}};
    number(chat, 20 * most);
    number(mail, 30 * most);
    assert_true(plans(two, sets, 3));
    number(chat, 20 * 1.02 * most);
    number(mail, 30 * 1.02 * most);
    assert_false(plans(two, sets, 3));
    /* One of them alone may go further than both. */
    assert_true(demand_of(row, "chat")->most > 20 * most);
    spec_case_free(&c);
}

static void jobs_are_counted(void **state) {
    (void)state;
    spec_case c;
    const gp_capacity_row *row = row_of(fill(&c, jobs, NULL, 0, 0), "dgx-b200");
    const gp_capacity_demand *tune = demand_of(row, "tune");
    const gp_capacity_demand *pre = demand_of(row, "pre");
    char text[32];
    gp_override weekly[] = {{"candidates.allow", "dgx-b200"},
                            {"workloads.tune.jobs.perWeek", text}};
    gp_override beside[] = {{"candidates.allow", "dgx-b200"},
                            {"workloads.pre.jobs.concurrent", text}};
    assert_int_equal(tune->measure, GP_CAPACITY_WEEKLY);
    assert_int_equal(pre->measure, GP_CAPACITY_RUNS);
    number(text, tune->most);
    assert_true(plans(jobs, weekly, 2));
    number(text, 1.02 * tune->most);
    assert_false(plans(jobs, weekly, 2));
    number(text, pre->most);
    assert_true(plans(jobs, beside, 2));
    number(text, pre->most + 1);
    assert_false(plans(jobs, beside, 2));
    spec_case_free(&c);
}

/* A run that is asked to be longer than the one that was searched takes longer. */
static void a_run_grows_by_its_tokens(void **state) {
    (void)state;
    spec_case c;
    const gp_capacity_row *row = row_of(fill(&c, jobs, NULL, 0, 0), "dgx-b200");
    const double most = demand_of(row, NULL)->most;
    char tokens[32];
    char weekly[32];
    gp_override sets[] = {{"candidates.allow", "dgx-b200"},
                          {"workloads.pre.data.tokens", tokens},
                          {"workloads.tune.jobs.perWeek", weekly}};
    assert_true(most > 1);
    (void)snprintf(tokens, sizeof tokens, "%.6gB tokens", 200 * most);
    number(weekly, 60 * most);
    assert_true(plans(jobs, sets, 3));
    (void)snprintf(tokens, sizeof tokens, "%.6gB tokens", 200 * 1.02 * most);
    number(weekly, 60 * 1.02 * most);
    assert_false(plans(jobs, sets, 3));
    spec_case_free(&c);
}

/* A cluster without limits: what is there binds, and nothing is bought. */
static void a_cluster_holds_what_it_has(void **state) {
    (void)state;
    spec_case c;
    const gp_capacity *capacity = fill(&c, pools, NULL, 0, 0);
    const gp_capacity_row *row = row_of(capacity, NULL);
    const gp_capacity_demand *chat = demand_of(row, "chat");
    char rate[32];
    gp_override sets[] = {{"candidates.allow", "dgx-h100"},
                          {"candidates.limits.maxNodes", "6"},
                          {"workloads.chat.traffic.requestsPerSecond", rate}};
    assert_int_equal(capacity->rows.count, 1);
    assert_int_equal(row->site.stand_nodes, 6);
    assert_int_equal(chat->binds.bound, GP_BOUND_SUPPLY);
    assert_string_equal(chat->binds.path, "cluster.pools");
    number(rate, chat->most);
    assert_true(plans(pools, sets, 3));
    number(rate, 1.02 * chat->most);
    assert_false(plans(pools, sets, 3));
    spec_case_free(&c);
}

/* A site that what stands there passes already holds nothing more. */
static void a_full_site_is_over(void **state) {
    static const gp_override sets[] = {{"site.power.itCapacity", "30 kW"}};
    (void)state;
    spec_case c;
    const gp_capacity *capacity = fill(&c, pools, sets, 1, 0);
    const gp_capacity_row *there = row_of(capacity, NULL);
    assert_true(there->over);
    assert_int_equal(there->binds.bound, GP_BOUND_POWER);
    for (size_t i = 1; i < capacity->rows.count; i++) {
        assert_true(capacity->rows.items[i].over);
        assert_int_equal(capacity->rows.items[i].added, 0);
    }
    spec_case_free(&c);
}

/* A plan needs workloads; the diagnostic says what does without. */
static void a_plan_of_nothing_is_refused(void **state) {
    (void)state;
    spec_case c = {.arena = gp_arena_new((size_t)64 << 20)};
    gp_diags_init(&c.diags, c.arena);
    assert_int_equal(spec_case_run(&c, "hall.yaml", bare, NULL, 0), GP_ERR_INPUT);
    assert_int_equal(c.diags.errors, 1);
    assert_non_null(strstr(c.diags.items[0].expected, "gpuplan capacity"));
    gp_arena_free(c.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machines_fill_the_power),
        cmocka_unit_test(the_next_limit_is_the_next),
        cmocka_unit_test(more_power_holds_no_less),
        cmocka_unit_test(gpus_are_a_limit_too),
        cmocka_unit_test(a_rate_holds_and_no_more),
        cmocka_unit_test(a_common_factor_holds),
        cmocka_unit_test(jobs_are_counted),
        cmocka_unit_test(a_run_grows_by_its_tokens),
        cmocka_unit_test(a_cluster_holds_what_it_has),
        cmocka_unit_test(a_full_site_is_over),
        cmocka_unit_test(a_plan_of_nothing_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
