/* Several sites: each with its own limits and prices, work where it is best, shared services. */
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

enum { TEXT_MAX = 4096 };

#define HEAD "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: t}\nspec:\n"
#define H100 "  candidates: {allow: [dgx-h100], objective: minPower}\n"
#define CHAT                                                                                       \
    "    - name: chat\n"                                                                           \
    "      type: inference\n"                                                                      \
    "      model: llama-3.1-70b\n"                                                                 \
    "      traffic: {requestsPerSecond: 25, inputTokens: 1000, outputTokens: 300}\n"               \
    "      goal: {slo: {ttft: 2 s, tpot: 50 ms}}\n"
#define TUNE_AS(name)                                                                              \
    "    - name: " name "\n"                                                                       \
    "      type: finetune\n"                                                                       \
    "      model: llama-3.1-8b\n"                                                                  \
    "      data: {tokens: 2B tokens, sequenceLength: 4096, globalBatch: 256k}\n"                   \
    "      goal: {completeWithin: 10d}\n"
#define TUNE TUNE_AS("tune")

static const gp_plan_result *plan(spec_case *c, const char *text) {
    assert_int_equal(spec_case_plan(c, "t.yaml", text, NULL, 0), GP_OK);
    return c->result;
}

static const gp_plan_result *plan_with(spec_case *c, const char *text, const char *path,
                                       const char *value) {
    const gp_override override = {path, value};
    assert_int_equal(spec_case_plan(c, "t.yaml", text, &override, 1), GP_OK);
    return c->result;
}

static const gp_site_part *site_named(const gp_plan_result *result, const char *name) {
    for (size_t i = 0; i < result->sites.count; i++)
        if (strcmp(result->sites.items[i].name, name) == 0)
            return &result->sites.items[i];
    fail_msg("no site %s", name);
    return NULL;
}

static void same(double a, double b) {
    assert_true(fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b))));
}

static void same_site(const gp_site_plan *a, const gp_site_plan *b) {
    assert_int_equal(a->gpus, b->gpus);
    assert_int_equal(a->nodes, b->nodes);
    assert_int_equal(a->owned_nodes, b->owned_nodes);
    assert_int_equal(a->bought_nodes, b->bought_nodes);
    assert_int_equal(a->stand_nodes, b->stand_nodes);
    assert_int_equal(a->rack_count, b->rack_count);
    const double left[] = {a->it_peak_w,
                           a->it_mean_w,
                           a->it_year_w,
                           a->facility_year_w,
                           a->air_w,
                           a->liquid_w,
                           a->network_w,
                           a->cost.capital,
                           a->cost.energy_per_s,
                           a->cost.total_per_s,
                           a->design_pue,
                           a->annual.pue,
                           a->figures.heat_w,
                           a->figures.water_l_per_year,
                           a->figures.facility_peak_w,
                           a->figures.carbon_kg_per_year};
    const double right[] = {b->it_peak_w,
                            b->it_mean_w,
                            b->it_year_w,
                            b->facility_year_w,
                            b->air_w,
                            b->liquid_w,
                            b->network_w,
                            b->cost.capital,
                            b->cost.energy_per_s,
                            b->cost.total_per_s,
                            b->design_pue,
                            b->annual.pue,
                            b->figures.heat_w,
                            b->figures.water_l_per_year,
                            b->figures.facility_peak_w,
                            b->figures.carbon_kg_per_year};
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++)
        same(left[i], right[i]);
}

/* ------------------------------------------------------------ one entry, and the order of two */

static void one_entry_is_the_site(void **state) {
    static const char alone[] =
        HEAD "  site: {power: {itCapacity: 80 kW}, energy: {price: 0.2 USD/kWh, grid: DE}}\n"
             "  cluster: {pools: [{name: p, system: dgx-h100, count: 2}], reserve: {systemNodes: "
             "2}}\n" H100 "  workloads:\n" CHAT TUNE;
    static const char listed[] =
        HEAD "  sites:\n    - name: here\n"
             "      site: {power: {itCapacity: 80 kW}, energy: {price: 0.2 USD/kWh, grid: DE}}\n"
             "      cluster: {pools: [{name: p, system: dgx-h100, count: 2}], reserve: "
             "{systemNodes: 2}}\n" H100 "  workloads:\n" CHAT TUNE;
    (void)state;
    spec_case a, b;
    const gp_plan_result *left = plan(&a, alone);
    const gp_plan_result *right = plan(&b, listed);
    assert_int_equal(right->sites.count, 0);
    same_site(&left->site, &right->site);
    same(left->objective_value, right->objective_value);
    assert_int_equal(left->room.bill.count, right->room.bill.count);
    for (size_t i = 0; i < left->workloads.count; i++)
        assert_int_equal(left->workloads.items[i].chosen.nodes,
                         right->workloads.items[i].chosen.nodes);
    spec_case_free(&a);
    spec_case_free(&b);
}

#define NORTH                                                                                      \
    "    - name: north\n"                                                                          \
    "      site: {power: {itCapacity: 40 kW, annual: 1.1}, energy: {price: 0.05 USD/kWh, "         \
    "carbon: 0.02 kgCO2e/kWh}}\n"
#define SOUTH                                                                                      \
    "    - name: south\n"                                                                          \
    "      site: {power: {itCapacity: 200 kW, annual: 1.4}, energy: {price: 0.30 USD/kWh, "        \
    "carbon: 0.40 kgCO2e/kWh}}\n"                                                                  \
    "      cluster: {pools: [{name: s, system: dgx-h100, count: 2}]}\n"

static void order_changes_nothing(void **state) {
    static const char one[] = HEAD "  sites:\n" NORTH SOUTH H100 "  workloads:\n" CHAT TUNE;
    static const char other[] = HEAD "  sites:\n" SOUTH NORTH H100 "  workloads:\n" TUNE CHAT;
    (void)state;
    spec_case a, b;
    const gp_plan_result *left = plan(&a, one);
    const gp_plan_result *right = plan(&b, other);
    same_site(&left->site, &right->site);
    for (size_t i = 0; i < left->sites.count; i++) {
        assert_string_equal(left->sites.items[i].name, right->sites.items[i].name);
        same_site(&left->sites.items[i].site, &right->sites.items[i].site);
    }
    spec_case_free(&a);
    spec_case_free(&b);
}

/* ------------------------------------------------------------ sums and limits */

static void site_figures_add_up(void **state) {
    static const char text[] = HEAD "  sites:\n" NORTH SOUTH H100 "  workloads:\n" CHAT TUNE;
    (void)state;
    spec_case c;
    const gp_plan_result *r = plan(&c, text);
    double peak = 0;
    double money = 0;
    double carbon = 0;
    int64_t nodes = 0;
    for (size_t i = 0; i < r->sites.count; i++) {
        const gp_site_plan *site = &r->sites.items[i].site;
        peak += site->it_peak_w;
        money += site->cost.total_per_s;
        carbon += site->figures.carbon_kg_per_year;
        nodes += site->nodes;
        /* Its own price, overhead and carbon. */
        const gp_site *spec = &r->sites.items[i].document.spec.site;
        same(site->cost.energy_per_s, site->facility_year_w * spec->energy.price_per_j);
        same(site->facility_year_w, site->it_year_w * spec->power.annual.pue);
        same(site->figures.carbon_kg_per_year,
             site->figures.energy_j_per_year * spec->energy.carbon_kg_per_j);
    }
    same(peak, r->site.it_peak_w);
    same(money, r->site.cost.total_per_s);
    same(carbon, r->site.figures.carbon_kg_per_year);
    assert_int_equal(nodes, r->site.nodes);
    spec_case_free(&c);
}

/* Two halls of half the power hold what one of the whole does, but for whole machines. */
static void two_halves_hold_the_whole(void **state) {
    static const char one[] =
        HEAD "  site: {power: {itCapacity: 100 kW}}\n" H100 "  workloads:\n" CHAT;
    static const char two[] =
        HEAD "  sites:\n"
             "    - {name: a, site: {power: {itCapacity: 50 kW}}}\n"
             "    - {name: b, site: {power: {itCapacity: 50 kW}}}\n" H100 "  workloads:\n" CHAT;
    (void)state;
    const char *const rates[] = {"27", "31"};
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        spec_case a, b;
        const char path[] = "workloads.chat.traffic.requestsPerSecond";
        const gp_plan_result *whole = plan_with(&a, one, path, rates[i]);
        const gp_plan_result *halves = plan_with(&b, two, path, rates[i]);
        const gp_candidate *chosen = &halves->workloads.items[0].chosen;
        assert_true(whole->feasible && whole->site.it_peak_w > 50e3);
        assert_true(halves->feasible);
        assert_int_equal(chosen->share_count, 2);
        assert_true(halves->site.nodes <= whole->site.nodes + 2);
        same(chosen->shares[0].share_fraction + chosen->shares[1].share_fraction, 1);
        for (size_t s = 0; s < halves->sites.count; s++)
            assert_true(halves->sites.items[s].site.it_peak_w <= 50e3);
        assert_true(chosen->requests_per_s >= whole->workloads.items[0].traffic.peak_per_s);
        spec_case_free(&a);
        spec_case_free(&b);
    }
}

/* ------------------------------------------------------------ where work goes */

/* To the cheaper or cleaner site until its limit binds, and no machine more would fit. */
static void work_goes_where_it_is_best(void **state) {
    static const char text[] = HEAD
        "  sites:\n"
        "    - name: cheap\n"
        "      site: {power: {itCapacity: 45 kW, annual: 1.2, design: 1.2}, energy: {price: 0.03 "
        "USD/kWh, carbon: 0.5 kgCO2e/kWh}}\n"
        "    - name: clean\n"
        "      site: {power: {itCapacity: 45 kW, annual: 1.2, design: 1.2}, energy: {price: 0.30 "
        "USD/kWh, carbon: 0.01 kgCO2e/kWh}}\n"
        "  candidates: [dgx-h100]\n  costs: {prices: []}\n  workloads:\n" CHAT
        "---\napiVersion: gpuplan/v1\nkind: Prices\nmetadata: {name: p}\nspec:\n  items:\n"
        "    - {item: system/dgx-h100, price: 250000 USD}\n";
    static const struct {
        const char *objective, *best, *other;
    } rows[] = {{"minCost", "cheap", "clean"}, {"minCarbon", "clean", "cheap"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const gp_override objective = {"candidates.objective", rows[i].objective};
        spec_case c;
        assert_int_equal(spec_case_plan(&c, "t.yaml", text, &objective, 1), GP_OK);
        const gp_site_plan *best = &site_named(c.result, rows[i].best)->site;
        const gp_site_plan *other = &site_named(c.result, rows[i].other)->site;
        assert_true(c.result->feasible && other->nodes > 0);
        assert_true(best->nodes > other->nodes || best->it_peak_w > 45e3 - 12e3);
        const double machine_w = best->it_peak_w / (double)best->nodes;
        assert_true(best->it_peak_w <= 45e3 && best->it_peak_w + 1.2 * machine_w > 45e3);
        const char *const wide[] = {"200 kW"};
        char path[TEXT_MAX];
        snprintf(path, sizeof path, "sites.%s.site.power.itCapacity", rows[i].best);
        const gp_override both[] = {objective, {path, wide[0]}};
        spec_case all;
        assert_int_equal(spec_case_plan(&all, "t.yaml", text, both, 2), GP_OK);
        assert_int_equal(site_named(all.result, rows[i].other)->site.nodes, 0);
        spec_case_free(&c);
        spec_case_free(&all);
    }
}

/* What is pinned to a site takes nothing elsewhere. */
static void a_pin_changes_nothing_elsewhere(void **state) {
    static const char both[] =
        HEAD "  sites:\n" NORTH SOUTH H100 "  workloads:\n" CHAT
             "      placement: {sites: [south]}\n" TUNE "      placement: {sites: [north]}\n";
    static const char one[] = HEAD "  sites:\n" NORTH SOUTH H100 "  workloads:\n" CHAT
                                   "      placement: {sites: [south]}\n";
    (void)state;
    spec_case a, b;
    const gp_plan_result *with = plan(&a, both);
    const gp_plan_result *without = plan(&b, one);
    assert_true(with->feasible && without->feasible);
    same_site(&site_named(with, "south")->site, &site_named(without, "south")->site);
    assert_int_equal(site_named(without, "north")->site.nodes, 0);
    assert_true(site_named(with, "north")->site.nodes > 0);
    spec_case_free(&a);
    spec_case_free(&b);
}

#define OWNED(n)                                                                                   \
    "  sites:\n"                                                                                   \
    "    - {name: a, site: {power: {itCapacity: 52 kW}}, cluster: {pools: [{name: pa, system: "    \
    "dgx-h100, count: " #n "}]}}\n"                                                                \
    "    - {name: b, site: {power: {itCapacity: 52 kW}}, cluster: {pools: [{name: pb, system: "    \
    "dgx-h100, count: " #n "}]}}\n"

/* A service runs on what stands at both sites; a run that is too large for either fails. */
static void services_span_sites_and_runs_do_not(void **state) {
    static const char service[] =
        HEAD OWNED(4) "  candidates: [dgx-h100]\n  workloads:\n" CHAT;
    static const char run[] = HEAD OWNED(4) H100 "  workloads:\n" TUNE;
    (void)state;
    spec_case a, b, c;
    const gp_plan_result *served =
        plan_with(&a, service, "workloads.chat.traffic.requestsPerSecond", "27");
    assert_int_equal(served->workloads.items[0].scale, GP_SCALE_NONE);
    assert_int_equal(served->site.bought_nodes, 0);
    assert_int_equal(served->workloads.items[0].chosen.share_count, 2);
    const gp_plan_result *tight = plan_with(&b, run, "workloads.tune.goal.completeWithin", "1h");
    const gp_plan_result *loose = plan_with(&c, run, "workloads.tune.goal.completeWithin", "2d");
    assert_int_equal(tight->workloads.items[0].scale, GP_SCALE_INFEASIBLE);
    assert_true(loose->feasible && loose->workloads.items[0].chosen.share_count == 0);
    spec_case_free(&a);
    spec_case_free(&b);
    spec_case_free(&c);
}

/* The pool that a workload names stands at one site: what is bought beside it stands there, too,
 * also where the objective is better at the other. */
static void a_pool_keeps_work_at_its_site(void **state) {
    static const char text[] = HEAD
        "  sites:\n"
        "    - name: warm\n"
        "      site: {power: {itCapacity: 75 kW, annual: 1.4}}\n"
        "      cluster: {pools: [{name: stands, system: dgx-h100, count: 1}]}\n"
        "    - {name: cold, site: {power: {itCapacity: 80 kW, annual: 1.1}}}\n" H100
        "  workloads:\n" TUNE
        "      placement: {pool: stands}\n" TUNE_AS("other") "      placement: {pool: stands}\n";
    (void)state;
    const gp_override changes[] = {{"workloads.tune.goal.completeWithin", "20h"},
                                   {"workloads.other.goal.completeWithin", "20h"}};
    spec_case c;
    assert_int_equal(spec_case_plan(&c, "t.yaml", text, changes, 2), GP_OK);
    assert_int_equal(site_named(c.result, "warm")->site.nodes, 2);
    assert_int_equal(site_named(c.result, "cold")->site.nodes, 0);
    spec_case_free(&c);
}

/* ------------------------------------------------------------ links between them */

#define LINK                                                                                       \
    "  links:\n    - {between: [south, north], bandwidth: 8 Gb/s, roundTrip: 50 ms, price: "       \
    "3600 USD/h}\n"

/* Where no link leads a workload stays at home; a link's rent is in the total. */
static void without_a_link_work_stays_at_home(void **state) {
    static const char alone[] =
        HEAD "  sites:\n" NORTH SOUTH H100 "  workloads:\n" TUNE "      placement: {home: south}\n";
    static const char linked[] = HEAD "  sites:\n" NORTH SOUTH LINK H100 "  workloads:\n" TUNE
                                      "      placement: {home: south}\n";
    (void)state;
    spec_case a, b;
    const gp_plan_result *stays = plan_with(&a, alone, "sites.south.cluster.pools[0].count", "0");
    const gp_plan_result *goes = plan_with(&b, linked, "sites.south.cluster.pools[0].count", "0");
    assert_true(stays->feasible && goes->feasible);
    assert_int_equal(site_named(stays, "north")->site.nodes, 0);
    assert_int_equal(site_named(goes, "south")->site.nodes, 0);
    same(stays->site.cost.links_per_s, 0);
    same(goes->site.cost.links_per_s, 1);
    same(goes->site.cost.total_per_s - goes->site.cost.energy_per_s, 1);
    spec_case_free(&a);
    spec_case_free(&b);
}

/* 16.06 GB of weights and 1 TB of data take 1,016 s at 1 GB/s before the first step. */
static void data_is_brought_first(void **state) {
    static const char text[] = HEAD "  sites:\n" NORTH SOUTH LINK H100 "  workloads:\n" TUNE
                                    "      placement: {sites: [north], home: north}\n";
    const gp_override away[] = {{"workloads.tune.placement.home", "south"},
                                {"workloads.tune.data.size", "1 TB"}};
    (void)state;
    spec_case a, b;
    assert_int_equal(spec_case_plan(&a, "t.yaml", text, &away[1], 1), GP_OK);
    assert_int_equal(spec_case_plan(&b, "t.yaml", text, away, 2), GP_OK);
    const gp_run *home = &a.result->workloads.items[0].chosen.run;
    const gp_run *moved = &b.result->workloads.items[0].chosen.run;
    const double bytes = 2 * b.result->workloads.items[0].shape.parameters + 1e12;
    same(home->moved_s, 0);
    same(moved->moved_s, bytes / 1e9);
    same(moved->wall_s - home->wall_s, moved->moved_s);
    spec_case_free(&a);
    spec_case_free(&b);
}

/* Users wait for the way there and back; a goal tighter than that keeps a service at home. */
static void users_wait_for_the_link(void **state) {
    static const char text[] = HEAD "  sites:\n" NORTH SOUTH LINK H100 "  workloads:\n" CHAT
                                    "      placement: {sites: [north], home: north}\n";
    const gp_override away[] = {{"workloads.chat.placement.home", "south"},
                                {"workloads.chat.traffic.requestsPerSecond", "2"}};
    const gp_override far[] = {away[0], away[1], {"links[0].roundTrip", "3 s"}};
    (void)state;
    spec_case a, b, c;
    assert_int_equal(spec_case_plan(&a, "t.yaml", text, &away[1], 1), GP_OK);
    assert_int_equal(spec_case_plan(&b, "t.yaml", text, away, 2), GP_OK);
    assert_int_equal(spec_case_plan(&c, "t.yaml", text, far, 3), GP_OK);
    const gp_candidate *home = &a.result->workloads.items[0].chosen;
    const gp_candidate *linked = &b.result->workloads.items[0].chosen;
    assert_int_equal(home->gpus, linked->gpus);
    same(linked->point.ttft_s - home->point.ttft_s, 0.05);
    same(linked->point.tpot_s, home->point.tpot_s);
    assert_false(c.result->workloads.items[0].chosen.feasible);
    spec_case_free(&a);
    spec_case_free(&b);
    spec_case_free(&c);
}

/* ------------------------------------------------------------ growth */

static void each_limit_is_that_of_a_site(void **state) {
    static const char text[] = HEAD "  sites:\n" NORTH SOUTH H100 "  workloads:\n" CHAT TUNE
                                    "  growth: {start: 2027-Q1, horizon: 4 quarters, scenarios: "
                                    "{expected: {chat: 60%/yr}}}\n";
    (void)state;
    spec_case c;
    const gp_plan_result *r = plan(&c, text);
    int powers = 0;
    assert_int_equal(r->growth_count, 4);
    for (int i = 0; i < r->growth_limit_count; i++) {
        const gp_growth_limit *limit = &r->growth_limits[i];
        if (limit->resource != GP_RESOURCE_POWER)
            continue;
        powers++;
        const gp_site_part *site = &r->sites.items[limit->site];
        same(limit->limit, site->document.spec.site.power.it_capacity_w);
        same(limit->today, site->site.it_peak_w);
    }
    assert_int_equal(powers, 2);
    assert_true(r->growth[3].site.nodes >= r->growth[0].site.nodes);
    spec_case_free(&c);
}

/* ------------------------------------------------------------ what a spec may not say */

static void refused(const char *text, const char *path, const char *value, const char *word) {
    const gp_override override = {path, value};
    spec_case c;
    assert_int_not_equal(spec_case_plan(&c, "t.yaml", text, &override, path != NULL ? 1 : 0),
                         GP_OK);
    bool told = false;
    for (size_t i = 0; i < c.diags.count; i++)
        told = told || strstr(c.diags.items[i].message, word) != NULL;
    assert_true(told);
    spec_case_free(&c);
}

static void what_is_refused(void **state) {
    (void)state;
    refused(HEAD "  site: {}\n  sites:\n" NORTH SOUTH H100 "  workloads:\n" CHAT, NULL, NULL,
            "with a site");
    refused(HEAD "  sites:\n" NORTH SOUTH H100 "  workloads:\n" CHAT
                 "      placement: {sites: [west]}\n",
            NULL, NULL, "no site \"west\"");
    refused(HEAD "  sites:\n"
                 "    - {name: a, cluster: {pools: [{name: p, system: dgx-h100, count: 1}]}}\n"
                 "    - {name: b, cluster: {pools: [{name: p, system: dgx-h100, count: 1}]}}\n" H100
                 "  workloads:\n" CHAT,
            NULL, NULL, "\"p\" is already used");
    refused(HEAD "  sites:\n" NORTH "    - {name: dark}\n" H100 "  workloads:\n" CHAT,
            "candidates.objective", "minCarbon", "minCarbon");
    refused(HEAD "  sites:\n" NORTH SOUTH LINK H100 "  workloads:\n" CHAT, "links[0].between",
            "[north, north]", "must join two sites");
    refused(HEAD "  sites:\n" NORTH SOUTH LINK
                 "    - {between: [north, south], bandwidth: 1 Gb/s, roundTrip: 1 ms}\n" H100
                 "  workloads:\n" CHAT,
            NULL, NULL, "second link");
    refused(HEAD "  sites:\n" NORTH SOUTH H100 "  workloads:\n" CHAT
                 "      placement: {home: west}\n",
            NULL, NULL, "no site \"west\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_entry_is_the_site),
        cmocka_unit_test(order_changes_nothing),
        cmocka_unit_test(site_figures_add_up),
        cmocka_unit_test(two_halves_hold_the_whole),
        cmocka_unit_test(work_goes_where_it_is_best),
        cmocka_unit_test(a_pin_changes_nothing_elsewhere),
        cmocka_unit_test(services_span_sites_and_runs_do_not),
        cmocka_unit_test(a_pool_keeps_work_at_its_site),
        cmocka_unit_test(without_a_link_work_stays_at_home),
        cmocka_unit_test(data_is_brought_first),
        cmocka_unit_test(users_wait_for_the_link),
        cmocka_unit_test(each_limit_is_that_of_a_site),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
