/*
 * Specs of tests/samples/cases, each with what is asked and what is right in its first lines. What
 * is held here are relations and reasons, whatever the figures of the evidence are (those lines
 * name the figures of the day they were written): limits are set beside what the plan itself takes.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "report/produce.h"

#include "support/spec_case.h"

#define CASES "tests/samples/cases/"

static const size_t arena_max = (size_t)512 << 20;
static const double year_s = 31536000, day_s = 86400, tie = 0.005, same = 1e-9;
static const char power_path[] = "site.power.itCapacity";

/* How a case is asked; zeros: the first plan of the file, sized as it stands. */
typedef struct asked {
    size_t plan;
    bool declared_only;
    gp_override overrides[3];
} asked;

static size_t overrides_of(const asked *how) {
    size_t count = 0;
    while (count < sizeof how->overrides / sizeof how->overrides[0] &&
           how->overrides[count].path != NULL)
        count++;
    return count;
}

static const gp_plan_result *ask(spec_case *c, const char *path, asked how) {
    *c = (spec_case){
        .arena = gp_arena_new(arena_max), .plan = how.plan, .declared_only = how.declared_only};
    assert_non_null(c->arena);
    gp_diags_init(&c->diags, c->arena);
    const char *text = spec_case_read(c->arena, path);
    assert_non_null(text);
    const gp_status st = spec_case_run(c, path, text, how.overrides, overrides_of(&how));
    if (st != GP_OK)
        spec_case_print(c);
    assert_int_equal(st, GP_OK);
    return c->result;
}

/* A value of an override, in the arena of the case that it came from. */
static const char *quantity(const spec_case *c, double value, const char *unit) {
    char text[64];
    const int len = snprintf(text, sizeof text, "%.6f %s", value, unit);
    const char *copy = gp_arena_strndup(c->arena, text, (size_t)len);
    assert_non_null(copy);
    return copy;
}

static const gp_report *report_of(const spec_case *c) {
    gp_report *report = NULL;
    gp_report_build(c->arena, c->result, NULL, &report);
    return report;
}

static const gp_report_finding *finding_of(const gp_report *report, const char *id) {
    for (size_t i = 0; i < report->findings.count; i++)
        if (strcmp(report->findings.items[i].id, id) == 0)
            return &report->findings.items[i];
    return NULL;
}

static const gp_limit_use *limit_of(const gp_plan_result *result, const char *path) {
    for (int i = 0; i < result->site.limit_count; i++)
        if (strcmp(result->site.limits[i].path, path) == 0)
            return &result->site.limits[i];
    return NULL;
}

/* All workloads hold on machines of one kind, and these are so many. */
static void on_machines(const gp_plan_result *result, int64_t nodes) {
    const gp_unit *unit = result->workloads.items[0].chosen.unit;
    assert_true(result->feasible);
    assert_int_equal(result->site.nodes, nodes);
    for (size_t i = 0; i < result->workloads.count; i++) {
        assert_true(result->workloads.items[i].chosen.feasible);
        assert_ptr_equal(result->workloads.items[i].chosen.unit, unit);
    }
}

static void near(double a, double b, double fraction) {
    if (!(fabs(a - b) <= fraction * fmax(fabs(a), fabs(b))))
        print_error("%.9g and %.9g\n", a, b);
    assert_true(fabs(a - b) <= fraction * fmax(fabs(a), fabs(b)));
}

/* The same choice: limits at or above what it takes change nothing. */
static void unchanged(const gp_plan_result *a, const gp_plan_result *b) {
    assert_true(b->feasible);
    near(a->objective_value, b->objective_value, tie);
    assert_int_equal(a->site.nodes, b->site.nodes);
    assert_int_equal(a->site.gpus, b->site.gpus);
}

/* No workload that is left out says anything but this. */
static void bound_by(const gp_plan_result *result, gp_bound bound) {
    size_t out = 0;
    for (size_t i = 0; i < result->workloads.count; i++) {
        const gp_workload_plan *w = &result->workloads.items[i];
        if (w->chosen.feasible)
            continue;
        out++;
        assert_int_equal(w->scale, GP_SCALE_INFEASIBLE);
        assert_string_equal(gp_bound_name(w->bound_by), gp_bound_name(bound));
    }
    assert_false(result->feasible);
    assert_true(out > 0);
}

/* With the limit between the two values it holds above what it takes, and not below. `least`: no
 * other choice takes less. */
static void limit_judged(const char *file, const char *path, const char *unit, double used,
                         gp_bound bound, const gp_plan_result *free_plan) {
    static const double factors[] = {1.000001, 1.3, 0.98};
    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++) {
        spec_case c;
        char value[64];
        snprintf(value, sizeof value, "%.6f %s", used * factors[i], unit);
        const gp_plan_result *with = ask(&c, file, (asked){.overrides = {{path, value}}});
        if (factors[i] > 1)
            unchanged(free_plan, with);
        else
            bound_by(with, bound);
        spec_case_free(&c);
    }
}

/* Two services that fit into one machine: what that machine takes is what they take. */
static void test_01_limit_above_use(void **state) {
    static const char file[] = CASES "01-limit-above-use.yaml";
    spec_case free_case;
    spec_case c;
    (void)state;
    const gp_plan_result *free_plan =
        ask(&free_case, file, (asked){.overrides = {{power_path, "100 MW"}}});
    on_machines(free_plan, 1);
    const double it_w = free_plan->site.it_peak_w;
    assert_int_equal(ask(&c, file, (asked){0})->feasible, it_w <= 19000);
    spec_case_free(&c);
    limit_judged(file, power_path, "W", it_w, GP_BOUND_POWER, free_plan);
    spec_case_free(&free_case);
}

static void test_02_budget_above_use(void **state) {
    static const char file[] = CASES "02-budget-above-use.yaml";
    spec_case free_case;
    spec_case c;
    (void)state;
    const gp_plan_result *free_plan =
        ask(&free_case, file, (asked){.overrides = {{"costs.budget.capital", "100M USD"}}});
    on_machines(free_plan, 1);
    const double capital = free_plan->site.cost.capital;
    assert_true(capital > 480e3 && capital < 900e3);
    unchanged(free_plan, ask(&c, file, (asked){0}));
    spec_case_free(&c);
    limit_judged(file, "costs.budget.capital", "USD", capital, GP_BOUND_BUDGET, free_plan);
    spec_case_free(&free_case);
}

/* What stands there is the same whoever counts it, and so is the judgement of it. */
static void test_03_size_against_check(void **state) {
    static const char file[] = CASES "03-size-against-check.yaml";
    double it_w = 0;
    (void)state;
    for (int round = 0; round < 2; round++) {
        spec_case sized;
        spec_case judged;
        char value[64];
        snprintf(value, sizeof value, "%.3f W", it_w * 0.98);
        const gp_override limit = {power_path, round == 0 ? "300 kW" : value};
        const gp_plan_result *size = ask(&sized, file, (asked){.overrides = {limit}});
        const gp_plan_result *check =
            ask(&judged, file, (asked){.declared_only = true, .overrides = {limit}});
        it_w = check->site.it_peak_w;
        near(size->site.it_peak_w, it_w, 0.01);
        for (int who = 0; who < 2; who++) {
            const gp_limit_use *use = limit_of(who == 0 ? size : check, power_path);
            assert_non_null(use);
            assert_int_equal(use->used > use->limit, round == 1);
            const gp_report *report = report_of(who == 0 ? &sized : &judged);
            assert_int_equal(finding_of(report, "GP5001") != NULL, round == 1);
        }
        for (size_t i = 0; round == 0 && i < size->workloads.count; i++) {
            assert_true(size->workloads.items[i].chosen.feasible);
            assert_true(check->workloads.items[i].chosen.feasible);
        }
        spec_case_free(&sized);
        spec_case_free(&judged);
    }
}

/* The objective of one plan of a file; feasible. */
static double value_of(const char *file, asked how) {
    spec_case c;
    const gp_plan_result *result = ask(&c, file, how);
    assert_true(result->feasible);
    const double value = result->objective_value;
    spec_case_free(&c);
    return value;
}

static void test_04_more_candidates(void **state) {
    static const char file[] = CASES "04-more-candidates-worse.yaml";
    spec_case c;
    (void)state;
    const double alone = value_of(file, (asked){0});
    const double both = value_of(file, (asked){.plan = 1});
    assert_true(both <= alone * (1 + tie));
    on_machines(ask(&c, file, (asked){0}), 1);
    spec_case_free(&c);
}

/* What one must have anyway is what the other one runs on for nothing. */
static void test_05_machine_shared(void **state) {
    static const char file[] = CASES "05-machine-shared-or-two.yaml";
    spec_case c;
    (void)state;
    const gp_plan_result *result = ask(&c, file, (asked){0});
    on_machines(result, 1);
    assert_true(result->site.cost.capital < 300e3 + 110e3);
    const double best = result->objective_value;
    spec_case_free(&c);
    const double alone = value_of(file, (asked){.overrides = {{"candidates.allow", "[dgx-h200]"}}});
    assert_true(best <= alone * (1 + tie));
}

/* The fewest declared replicas that are enough are a choice that size has too. */
static void test_06_availability(void **state) {
    static const char file[] = CASES "06-availability-overbuys.yaml";
    (void)state;
    const double best = value_of(file, (asked){0});
    bool found = false;
    for (int replicas = 2; replicas <= 8 && !found; replicas++) {
        spec_case c;
        char count[16];
        snprintf(count, sizeof count, "%d", replicas);
        const gp_plan_result *declared = ask(
            &c, file,
            (asked){
                .plan = 1, .declared_only = true, .overrides = {{"workloads.w.replicas", count}}});
        found = declared->feasible;
        if (found)
            assert_true(best <= declared->objective_value * (1 + tie));
        spec_case_free(&c);
    }
    assert_true(found);
}

static void test_07_more_load(void **state) {
    static const char file[] = CASES "07-more-load-fewer-machines.yaml";
    static const char *const rates[] = {"1", "6", "13", "15.5", "18", "25"};
    double last = 0;
    (void)state;
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        const double value = value_of(
            file, (asked){.overrides = {{"workloads.a.traffic.requestsPerSecond", rates[i]}}});
        assert_true(value >= last * (1 - tie));
        last = value;
    }
    assert_true(value_of(file, (asked){.plan = 1}) >= value_of(file, (asked){0}) * (1 - tie));
}

/* The least by the expected value is the least: no declared split takes less. */
static void test_08_expected_is_least(void **state) {
    static const char file[] = CASES "08-expected-not-the-least.yaml";
    static const char *const splits[] = {"1", "2", "4", "8"};
    spec_case c;
    (void)state;
    const gp_plan_result *result = ask(&c, file, (asked){0});
    const gp_workload_plan *w = spec_case_workload(&c, "w");
    const int64_t gpus = w->chosen.gpus;
    assert_true(result->feasible);
    if (w->at_expected.present)
        assert_int_equal(gpus, w->at_expected.gpus);
    spec_case_free(&c);
    for (size_t i = 0; i < sizeof splits / sizeof splits[0]; i++) {
        const gp_plan_result *fixed =
            ask(&c, file,
                (asked){.overrides = {{"workloads.w.parallelism.mode", "explicit"},
                                      {"workloads.w.parallelism.tp", splits[i]}}});
        if (fixed->feasible)
            assert_true(fixed->workloads.items[0].chosen.gpus >= gpus);
        assert_true(fixed->feasible || i > 0);
        spec_case_free(&c);
    }
    assert_true(value_of(file, (asked){.overrides = {{"defaults.confidence", "p90"}}}) >=
                (double)gpus * (1 - tie));
}

/* auto is the better of both. */
static void test_09_disaggregated_auto(void **state) {
    static const char file[] = CASES "09-disaggregated-auto.yaml";
    (void)state;
    const double either = value_of(file, (asked){0});
    const double apart = value_of(file, (asked){.plan = 1});
    const double together =
        value_of(file, (asked){.overrides = {{"workloads.w.disaggregated", "false"}}});
    near(either, fmin(apart, together), tie);
}

static const char *assumed(const gp_report *report, const char *path) {
    for (size_t i = 0; i < report->assumptions.count; i++)
        if (strcmp(report->assumptions.items[i].path, path) == 0)
            return report->assumptions.items[i].value;
    return NULL;
}

static void test_10_growth_start(void **state) {
    static const double growth = 1.15;
    spec_case c;
    (void)state;
    const gp_plan_result *result = ask(&c, CASES "10-growth-start-missing.yaml", (asked){0});
    const gp_report *report = report_of(&c);
    const gp_candidate *chosen = &result->workloads.items[0].chosen;
    assert_int_equal(result->growth_count, 8);
    assert_non_null(assumed(report, "growth.start"));
    assert_null(finding_of(report, "GP3010"));
    const double more = pow(growth, 7);
    const double per_node = chosen->requests_per_s / (double)chosen->nodes;
    for (int i = 1; i < 8; i++)
        assert_true(result->growth[i].site.nodes >= result->growth[i - 1].site.nodes);
    assert_int_equal(result->growth[0].site.nodes, result->site.nodes);
    assert_true((double)result->growth[7].site.nodes >= floor(20 * more / per_node));
    assert_true((double)result->growth[7].site.nodes <= ceil((double)result->site.nodes * more));
    spec_case_free(&c);
}

/* A hall that has not the power of what is needed is short of power, whichever racks are allowed;
 * what is to be lifted is its power, and lifted it holds. */
static void hall_too_small(const char *file, const char *kinds, double it_w) {
    spec_case c;
    char value[64];
    snprintf(value, sizeof value, "%.3f W", it_w);
    bound_by(
        ask(&c, file, (asked){.overrides = {{power_path, value}, {"candidates.allow", kinds}}}),
        GP_BOUND_POWER);
    const gp_report_finding *finding = finding_of(report_of(&c), "GP5001");
    assert_non_null(finding);
    assert_non_null(finding->fix);
    assert_non_null(strstr(finding->fix, power_path));
    const double need = c.result->workloads.items[0].chosen.lack.need;
    assert_true(need > it_w);
    const char *lifted = quantity(&c, need * (1 + same) + 1, "W");
    spec_case with;
    assert_true(
        ask(&with, file, (asked){.overrides = {{power_path, lifted}, {"candidates.allow", kinds}}})
            ->feasible);
    spec_case_free(&with);
    spec_case_free(&c);
}

static void test_11_hall_reason(void **state) {
    static const char file[] = CASES "11-hall-1mw-wrong-reason.yaml";
    static const char *const kinds[] = {"[gb200-nvl72, gb300-nvl72]", "[gb300-nvl72]"};
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        spec_case free_case;
        spec_case c;
        const gp_plan_result *free_plan =
            ask(&free_case, file,
                (asked){.overrides = {{power_path, "100 MW"}, {"candidates.allow", kinds[i]}}});
        assert_true(free_plan->feasible);
        const double it_w = free_plan->site.it_peak_w;
        const char *enough = quantity(&free_case, it_w + 1, "W");
        unchanged(free_plan, ask(&c, file,
                                 (asked){.overrides = {{power_path, enough},
                                                       {"candidates.allow", kinds[i]}}}));
        spec_case_free(&c);
        hall_too_small(file, kinds[i], it_w / (double)(2 * free_plan->site.nodes));
        spec_case_free(&free_case);
    }
}

static void test_12_declared_power(void **state) {
    static const char file[] = CASES "12-declared-power-unseen.yaml";
    static const double factors[] = {0.98, 1.02};
    spec_case c;
    (void)state;
    const double it_w = ask(&c, file, (asked){.declared_only = true})->site.it_peak_w;
    spec_case_free(&c);
    for (size_t i = 0; i < 4; i++) {
        char value[64];
        snprintf(value, sizeof value, "%.3f W", it_w * factors[i % 2]);
        const gp_plan_result *result =
            ask(&c, file, (asked){.declared_only = i >= 2, .overrides = {{power_path, value}}});
        near(result->site.it_peak_w, it_w, tie);
        assert_int_equal(finding_of(report_of(&c), "GP5001") != NULL, i % 2 == 0);
        assert_int_equal(result->over_limits, i % 2 == 0);
        spec_case_free(&c);
    }
}

/* A year is its runs and what idles between them. */
static void test_16_year_energy(void **state) {
    static const char file[] = CASES "16-year-energy.yaml";
    static const double periods_s[] = {7 * 86400.0, 28 * 86400.0};
    double idle_w[2];
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        spec_case c;
        const gp_plan_result *result = ask(&c, file, (asked){.plan = i});
        const gp_workload_plan *w = &result->workloads.items[0];
        const double busy = w->chosen.time_to_complete_s.expected / periods_s[i];
        const double run_w = report_of(&c)->site.power.facility_mean_w;
        const double year_w = result->site.figures.energy_j_per_year / year_s;
        near(w->claim.busy_fraction, busy, 1e-6);
        near(year_w, result->site.facility_year_w, 1e-9);
        idle_w[i] = (year_w - busy * run_w) / (1 - busy);
        assert_true(idle_w[i] >= -same && idle_w[i] < run_w / 2);
        spec_case_free(&c);
    }
    near(idle_w[0], idle_w[1], 1e-6);
}

static void test_17_batch_busy(void **state) {
    spec_case c;
    (void)state;
    const gp_plan_result *result = ask(&c, CASES "17-batch-busy-share.yaml", (asked){0});
    const gp_workload_plan *w = &result->workloads.items[0];
    assert_true(result->feasible);
    near(w->claim.busy_fraction, w->chosen.time_to_complete_s.expected / (30 * day_s), 1e-6);
    near(result->site.useful_gpus, w->claim.busy_fraction * (double)w->chosen.gpus, 1e-6);
    spec_case_free(&c);
}

static void test_18_delivered(void **state) {
    spec_case c;
    double gpu_s = 0;
    (void)state;
    const gp_plan_result *result = ask(&c, CASES "18-delivered-above-one.yaml", (asked){0});
    const gp_report *report = report_of(&c);
    assert_true(result->feasible);
    for (size_t i = 0; i < result->workloads.count; i++) {
        const gp_candidate *chosen = &result->workloads.items[i].chosen;
        const bool service = result->workloads.items[i].claim.kind == GP_DEMAND_CONTINUOUS;
        gpu_s += (double)chosen->gpus *
                 (service ? year_s : chosen->time_to_complete_s.expected - chosen->timing.wait_s);
    }
    const double there = (double)result->site.stand_nodes * 8 * year_s;
    assert_true(report->cost.delivered_fraction > 0 && report->cost.delivered_fraction <= 1);
    near(report->cost.delivered_fraction, gpu_s / there, 0.01);
    spec_case_free(&c);
}

static void test_20_budget_ignored(void **state) {
    static const char file[] = CASES "20-budget-ignored.yaml";
    static const char path[] = "costs.budget.recurring";
    spec_case free_case;
    spec_case c;
    (void)state;
    const gp_plan_result *free_plan =
        ask(&free_case, file, (asked){.overrides = {{path, "100M USD/yr"}}});
    assert_true(free_plan->feasible);
    const double yearly = free_plan->site.cost.total_per_s * year_s;
    assert_true(yearly > 340e3);
    bound_by(ask(&c, file, (asked){0}), GP_BOUND_BUDGET);
    const gp_report *report = report_of(&c);
    assert_non_null(finding_of(report, "GP6002"));
    assert_int_equal(gp_report_worst_level(report), GP_LEVEL_ERROR);
    spec_case_free(&c);
    limit_judged(file, path, "USD/yr", yearly, GP_BOUND_BUDGET, free_plan);
    spec_case_free(&free_case);
}

/* One moment has one power, and it is that of all that stands. */
static void test_21_one_power(void **state) {
    spec_case c;
    double machines_w = 0;
    double others_w = 0;
    (void)state;
    const gp_plan_result *result = ask(&c, CASES "21-two-powers.yaml", (asked){0});
    const gp_report *report = report_of(&c);
    for (size_t i = 0; i < result->room.bill.count; i++) {
        const gp_bill_item *line = &result->room.bill.items[i];
        const bool machine = strcmp(line->role, "machine") == 0;
        *(machine ? &machines_w : &others_w) += line->unit_w * (double)line->count;
        if (machine)
            assert_int_equal(line->count, 5);
    }
    assert_true(machines_w > 0);
    near(machines_w + others_w, result->site.it_peak_w, 1e-9);
    assert_true(others_w < 0.01 * machines_w);
    assert_int_equal(result->growth_count, 4);
    for (int i = 0; i < 4; i++)
        near(result->growth[i].site.it_peak_w, result->site.it_peak_w, 1e-9);
    near(report->site.power.it_w, report->growth.items[0].it_w, 1e-9);
    spec_case_free(&c);
}

static int64_t gpus_held(const gp_plan_result *result) {
    int64_t gpus = 0;
    for (size_t i = 0; i < result->workloads.count; i++)
        if (result->workloads.items[i].chosen.feasible)
            gpus += result->workloads.items[i].chosen.gpus;
    return gpus;
}

/* As many as the hall takes, and a reason for each of the others. */
static void test_24_hundred_workloads(void **state) {
    static const char file[] = CASES "24-sixty-five-workloads.yaml";
    spec_case c;
    (void)state;
    /* GPUs that are not cut: services on parts of them are below. */
    const gp_override whole = {"candidates", "[dell-xe9680-mi300x]"};
    const gp_plan_result *all =
        ask(&c, file, (asked){.overrides = {whole, {power_path, "100 MW"}}});
    assert_true(all->feasible);
    assert_int_equal(all->workloads.count, 100);
    assert_int_equal(all->site.nodes, (gpus_held(all) + 7) / 8);
    const double per_node_w = all->site.it_peak_w / (double)all->site.nodes;
    spec_case_free(&c);
    const gp_plan_result *some = ask(&c, file, (asked){.overrides = {whole}});
    assert_int_equal(some->workloads.count, 100);
    bound_by(some, GP_BOUND_POWER);
    assert_true(some->site.it_peak_w <= 45e3 * (1 + same));
    assert_true(some->site.it_peak_w + per_node_w * 1.05 > 45e3);
    assert_int_equal(gpus_held(some), 8 * some->site.nodes);
    spec_case_free(&c);
    /* What goes first is not among those that are left out. */
    const gp_override first = {"workloads.s99.priority", "10"};
    const gp_plan_result *preferred = ask(&c, file, (asked){.overrides = {whole, first}});
    assert_true(spec_case_workload(&c, "s99")->chosen.feasible);
    assert_int_equal(gpus_held(preferred), 8 * preferred->site.nodes);
    spec_case_free(&c);
}

/* The same on GPUs that are cut: four to a GPU, and all of them within the power. */
static void test_24_hundred_on_parts(void **state) {
    static const char file[] = CASES "24-sixty-five-workloads.yaml";
    spec_case c;
    (void)state;
    const gp_plan_result *result = ask(&c, file, (asked){0});
    assert_true(result->feasible);
    assert_int_equal(result->site.gpus, (100 + 3) / 4);
    assert_int_equal(result->site.nodes, 4);
    assert_true(result->site.it_peak_w <= 45e3 * (1 + same));
    /* What four do on one GPU takes no more than the GPU can draw, and makes one of it. */
    assert_true(result->site.it_mean_w <= result->site.it_peak_w);
    assert_true(result->site.useful_gpus <= (double)result->site.gpus * (1 + same));
    for (size_t i = 0; i < result->workloads.count; i++) {
        const gp_candidate *chosen = &result->workloads.items[i].chosen;
        assert_true(chosen->part.in_use);
        assert_string_equal(chosen->part.profile->name, "1g.35gb");
        assert_true(chosen->tpot_p95_s.high <= 60e-3);
        assert_true(chosen->memory.total_bytes <= chosen->part.profile->memory_bytes);
    }
    spec_case_free(&c);
    /* Who keeps whole GPUs has them, beside the others' parts. */
    const gp_override none = {"workloads.s0.placement.gpuParts", "none"};
    const gp_plan_result *kept = ask(&c, file, (asked){.overrides = {none}});
    assert_false(spec_case_workload(&c, "s0")->chosen.part.in_use);
    assert_int_equal(kept->site.gpus, 1 + 25);
    spec_case_free(&c);
}

static void test_29_seventy_pools(void **state) {
    spec_case c;
    (void)state;
    const gp_plan_result *result = ask(&c, CASES "29-seventy-pools.yaml", (asked){0});
    assert_true(result->feasible);
    assert_int_equal(result->workloads.items[0].scale, GP_SCALE_NONE);
    assert_int_equal(result->site.stand_nodes, 70);
    assert_int_equal(result->site.bought_nodes, 0);
    assert_int_equal(result->site.nodes, 1);
    spec_case_free(&c);
}

int main(void) {
    /* A short simulation has an error of its own: the relations are those of the closed form. */
    spec_case_simulate = GP_PLAN_SIMULATE_OFF;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_01_limit_above_use),    cmocka_unit_test(test_02_budget_above_use),
        cmocka_unit_test(test_03_size_against_check), cmocka_unit_test(test_04_more_candidates),
        cmocka_unit_test(test_05_machine_shared),     cmocka_unit_test(test_06_availability),
        cmocka_unit_test(test_07_more_load),          cmocka_unit_test(test_08_expected_is_least),
        cmocka_unit_test(test_09_disaggregated_auto), cmocka_unit_test(test_10_growth_start),
        cmocka_unit_test(test_11_hall_reason),        cmocka_unit_test(test_12_declared_power),
        cmocka_unit_test(test_16_year_energy),        cmocka_unit_test(test_17_batch_busy),
        cmocka_unit_test(test_18_delivered),          cmocka_unit_test(test_20_budget_ignored),
        cmocka_unit_test(test_21_one_power),          cmocka_unit_test(test_24_hundred_workloads),
        cmocka_unit_test(test_24_hundred_on_parts),   cmocka_unit_test(test_29_seventy_pools),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
