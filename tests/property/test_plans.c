/*
 * What must hold of any plan, over specs drawn from a seed: limits that do not bind change nothing;
 * more to choose from is never worse; more to do is never cheaper; how a spec is written means
 * nothing; the figures of a plan add up; and what was chosen, declared as the cluster, holds.
 *
 * GPUPLAN_PROPERTY_COUNT plans in all (60 by default), from GPUPLAN_PROPERTY_SEED. A failure is
 * printed as the smallest spec that still fails, with its seed: GPUPLAN_PROPERTY_ONE tries that
 * alone, and GPUPLAN_PROPERTY_TEST one test (a pattern of its name).
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <gpuplan/report.h>

#include "support/plan_maker.h"

static const double tie = 0.005, largest_gap = 0.01, same = 1e-9, year_s = 31536000;

/* ------------------------------------------------------------ comparing two plans */

static double slack(const gp_plan_result *a, const gp_plan_result *b) {
    const double gap = fmax(a->gap_fraction, b->gap_fraction);
    return fmax(tie, fmin(gap, largest_gap));
}

/* `better` has all that `base` has: where base holds, so does it, and no worse. */
static bool no_worse(const gp_plan_result *base, const gp_plan_result *better, const char *what,
                     char why[MADE_WHY]) {
    if (!base->feasible)
        return true;
    if (!better->feasible) {
        snprintf(why, MADE_WHY, "%s: feasible at %.6g before, not any more", what,
                 base->objective_value);
        return false;
    }
    const double most = base->objective_value * (1 + slack(base, better));
    if (better->objective_value <= most + same)
        return true;
    snprintf(why, MADE_WHY, "%s: %s %.9g, before %.9g (gaps %.3g, %.3g)", what,
             gp_objective_name(base->objective), better->objective_value, base->objective_value,
             better->gap_fraction, base->gap_fraction);
    return false;
}

static bool alike(const gp_plan_result *a, const gp_plan_result *b, const char *what,
                  char why[MADE_WHY]) {
    if (a->feasible != b->feasible) {
        snprintf(why, MADE_WHY, "%s: feasible %d and %d", what, a->feasible, b->feasible);
        return false;
    }
    return no_worse(a, b, what, why) && no_worse(b, a, what, why);
}

/* ------------------------------------------------------------ (a) limits that do not bind */

static void drop_limits(made_plan *plan) {
    static const char *const limits[] = {"site.power.itCapacity", "site.cooling", "site.racks",
                                         "costs.budget"};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        made_drop(plan, limits[i]);
}

static bool limits_above_use(const made_plan *plan, char why[MADE_WHY]) {
    static const double factors[] = {1.000001, 1.02, 1.3, 4};
    static made_plan bound;
    made_outcome free_plan;
    made_outcome with;
    bool holds = true;
    maker_dice dice;
    bound = *plan;
    drop_limits(&bound);
    made_run(&bound, false, &free_plan);
    maker_seed(&dice, plan->seed + 1);
    const unsigned mask = 1 + maker_draw(&dice, 63);
    const double factor = factors[maker_draw(&dice, 4)];
    if (free_plan.result != NULL && free_plan.result->feasible) {
        const gp_site_plan *site = &free_plan.result->site;
        if (mask & 1)
            made_set(&bound, "site.power.itCapacity", "%.3f W", site->it_peak_w * factor + 1);
        if (mask & 2)
            made_set(&bound, "site.racks.count", "%.0f", ceil((double)site->rack_count * factor));
        if (mask & 4)
            made_set(&bound, "site.cooling.air.capacity", "%.3f W", site->air_w * factor + 1);
        if (mask & 8)
            made_set(&bound, "site.cooling.liquid.capacity", "%.3f W", site->liquid_w * factor + 1);
        if (mask & 16 && site->priced)
            made_set(&bound, "costs.budget.capital", "%.3f USD", site->cost.capital * factor + 1);
        if (mask & 32 && site->priced)
            made_set(&bound, "costs.budget.recurring", "%.3f USD/yr",
                     site->cost.total_per_s * year_s * factor + 1);
        made_run(&bound, false, &with);
        if (with.result == NULL) {
            snprintf(why, MADE_WHY, "the plan with limits is refused");
            holds = false;
        } else {
            char what[64];
            snprintf(what, sizeof what, "limits %u at %g times the use", mask, factor);
            holds = alike(free_plan.result, with.result, what, why);
        }
        made_done(&with);
    }
    made_done(&free_plan);
    return holds;
}

/* ------------------------------------------------------------ changes of a plan */

/* A change; false where the plan has nothing to change. */
typedef bool plan_change(made_plan *plan, const gp_plan_result *base, maker_dice *dice);

typedef struct change_row {
    const char *name;
    plan_change *change;
} change_row;

enum { CHANGES_TRIED = 2 };

static bool changed_plans(const made_plan *plan, const change_row *rows, unsigned count,
                          bool upwards, char why[MADE_WHY]) {
    static made_plan other;
    made_outcome base;
    maker_dice dice;
    bool holds = true;
    int tried = 0;
    made_run(plan, false, &base);
    maker_seed(&dice, plan->seed + 2);
    const unsigned first = maker_draw(&dice, count);
    for (unsigned i = 0; base.result != NULL && i < count && tried < CHANGES_TRIED && holds; i++) {
        const change_row *row = &rows[(first + i) % count];
        made_outcome with;
        other = *plan;
        maker_seed(&dice, plan->seed + 3);
        if (!row->change(&other, base.result, &dice))
            continue;
        made_run(&other, false, &with);
        tried++;
        if (with.result != NULL && upwards)
            holds = no_worse(with.result, base.result, row->name, why);
        else if (with.result != NULL)
            holds = no_worse(base.result, with.result, row->name, why);
        made_done(&with);
    }
    made_done(&base);
    return holds;
}

/* ------------------------------------------------------------ (b) more to choose from */

static bool more_kinds(made_plan *plan, const gp_plan_result *base, maker_dice *dice) {
    static const char *const kinds[] = {"dgx-h100",  "dgx-h200", "dgx-b200",
                                        "l40s-8gpu", "dgx-a100", "mi300x-8gpu"};
    const char *kind = kinds[maker_draw(dice, 6)];
    (void)base;
    if (made_items(plan, "candidates.allow") == 0)
        return false;
    for (int i = 0; i < plan->count; i++)
        if (!plan->keys[i].dropped && strcmp(plan->keys[i].value, kind) == 0 &&
            strncmp(plan->keys[i].path, "candidates", 10) == 0)
            return false;
    made_set(plan, "candidates.allow.[8]", "%s", kind);
    return true;
}

static bool scaled(made_plan *plan, const char *path, double factor, const char *unit) {
    const char *value = made_get(plan, path);
    double number = 0;
    if (value == NULL || sscanf(value, "%lf", &number) != 1)
        return false;
    made_set(plan, path, "%.0f%s", ceil(number * factor), unit);
    return true;
}

static bool more_power(made_plan *plan, const gp_plan_result *base, maker_dice *dice) {
    (void)base;
    return scaled(plan, "site.power.itCapacity", 1.1 + 0.3 * maker_draw(dice, 5), " kW");
}

static bool more_racks(made_plan *plan, const gp_plan_result *base, maker_dice *dice) {
    (void)base;
    return scaled(plan, "site.racks.count", 1.1 + 0.3 * maker_draw(dice, 5), "");
}

static bool more_air(made_plan *plan, const gp_plan_result *base, maker_dice *dice) {
    (void)base;
    return scaled(plan, "site.cooling.air.capacity", 1.1 + 0.3 * maker_draw(dice, 5), " kW");
}

static bool more_capital(made_plan *plan, const gp_plan_result *base, maker_dice *dice) {
    (void)base;
    return scaled(plan, "costs.budget.capital", 1.1 + 0.3 * maker_draw(dice, 5), "k USD");
}

static bool more_recurring(made_plan *plan, const gp_plan_result *base, maker_dice *dice) {
    (void)base;
    return scaled(plan, "costs.budget.recurring", 1.1 + 0.3 * maker_draw(dice, 5), "k USD/yr");
}

static bool more_nodes(made_plan *plan, const gp_plan_result *base, maker_dice *dice) {
    (void)base;
    return scaled(plan, "candidates.limits.maxNodes", 1.1 + 0.3 * maker_draw(dice, 5), "");
}

/* What stands takes power and racks, used or not: where those are limited, it is no gain. */
static bool more_owned(made_plan *plan, const gp_plan_result *base, maker_dice *dice) {
    (void)dice;
    /* Where no objective is stated, what is there goes before what would be better. */
    if (base->objective_was_auto)
        return false;
    static const char *const limits[] = {"site.power.itCapacity", "site.racks.count",
                                         "site.cooling.air.capacity",
                                         "site.cooling.liquid.capacity"};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        if (made_get(plan, limits[i]) != NULL)
            return false;
    const char *count = made_get(plan, "cluster.pools.[0].count");
    int number = 0;
    if (count == NULL || sscanf(count, "%d", &number) != 1)
        return false;
    made_set(plan, "cluster.pools.[0].count", "%d", number + 1);
    return true;
}

static bool more_is_never_worse(const made_plan *plan, char why[MADE_WHY]) {
    static const change_row rows[] = {
        {"another candidate", more_kinds},
        {"more power", more_power},
        {"more racks", more_racks},
        {"more capital", more_capital},
        {"more money a year", more_recurring},
        {"more air", more_air},
        {"more machines a workload", more_nodes},
        {"one more owned machine", more_owned},
    };
    return changed_plans(plan, rows, sizeof rows / sizeof rows[0], false, why);
}

/* ------------------------------------------------------------ (c) more to do */

/* The number at the path of the workload that the dice chose times a factor, its unit kept. */
static bool workload_scaled(made_plan *plan, maker_dice *dice, const char *key, double factor) {
    const unsigned first = maker_draw(dice, (unsigned)plan->workloads);
    for (int i = 0; i < plan->workloads; i++) {
        char path[MADE_PATH];
        double number = 0;
        int used = 0;
        snprintf(path, sizeof path, "workloads.[%u].%s",
                 (first + (unsigned)i) % (unsigned)plan->workloads, key);
        const char *value = made_get(plan, path);
        if (value == NULL || sscanf(value, "%lf%n", &number, &used) != 1)
            continue;
        char unit[32];
        snprintf(unit, sizeof unit, "%s", value + used);
        made_set(plan, path, "%.3f%s", number * factor, unit);
        return true;
    }
    return false;
}

static bool more_requests(made_plan *plan, const gp_plan_result *base, maker_dice *dice) {
    (void)base;
    maker_dice again = *dice;
    const double factor = 1.05 + 0.15 * maker_draw(dice, 6);
    again = *dice;
    if (!workload_scaled(plan, dice, "traffic.requestsPerSecond.mean", factor))
        return false;
    /* The peak of the same workload, where it states one. */
    const unsigned first = maker_draw(&again, (unsigned)plan->workloads);
    for (int i = 0; i < plan->workloads; i++) {
        char path[MADE_PATH];
        const unsigned w = (first + (unsigned)i) % (unsigned)plan->workloads;
        snprintf(path, sizeof path, "workloads.[%u].traffic.requestsPerSecond.mean", w);
        if (made_get(plan, path) == NULL)
            continue;
        double number = 0;
        snprintf(path, sizeof path, "workloads.[%u].traffic.requestsPerSecond.peak", w);
        if (made_get(plan, path) != NULL && sscanf(made_get(plan, path), "%lf", &number) == 1)
            made_set(plan, path, "%.3f", number * factor);
        break;
    }
    return true;
}

#define LOAD(function, key, factor)                                                                \
    static bool function(made_plan *plan, const gp_plan_result *base, maker_dice *dice) {          \
        (void)base;                                                                                \
        return workload_scaled(plan, dice, key, factor);                                           \
    }
LOAD(more_batch, "traffic.requests", 1.3)
LOAD(more_input, "traffic.inputTokens", 1.3)
LOAD(more_output, "traffic.outputTokens", 1.3)
LOAD(shorter_ttft, "goal.slo.ttft", 0.8)
LOAD(shorter_tpot, "goal.slo.tpot", 0.85)
LOAD(shorter_e2e, "goal.slo.e2e", 0.8)
LOAD(sooner, "goal.completeWithin", 0.75)
LOAD(shorter_run, "goal.maxDuration", 0.75)
LOAD(more_tokens, "data.tokens", 1.3)
LOAD(more_jobs, "jobs.perWeek", 1.4)

static bool more_confidence(made_plan *plan, const gp_plan_result *base, maker_dice *dice) {
    (void)dice;
    if (base->confidence == GP_CONFIDENCE_P90)
        return false;
    made_set(plan, "defaults.confidence", "%s",
             base->confidence == GP_CONFIDENCE_P80 ? "p90" : "p80");
    return true;
}

static bool more_headroom(made_plan *plan, const gp_plan_result *base, maker_dice *dice) {
    const gp_headroom *headroom = &base->document->spec.defaults.headroom;
    (void)dice;
    made_set(plan, "defaults.headroom.gpus", "%.1f%%", 100 * headroom->gpus_fraction + 10);
    made_set(plan, "defaults.headroom.memory", "%.1f%%", 100 * headroom->memory_fraction + 4);
    return true;
}

static bool more_availability(made_plan *plan, const gp_plan_result *base, maker_dice *dice) {
    (void)base;
    (void)dice;
    for (int i = 0; i < plan->workloads; i++) {
        char path[MADE_PATH];
        snprintf(path, sizeof path, "workloads.[%d].goal.slo.availability", i);
        if (made_get(plan, path) == NULL)
            continue;
        made_set(plan, path, "99.999%%");
        return true;
    }
    return false;
}

static bool more_spares(made_plan *plan, const gp_plan_result *base, maker_dice *dice) {
    (void)base;
    (void)dice;
    for (int i = 0; i < plan->workloads; i++) {
        char path[MADE_PATH];
        int number = 0;
        snprintf(path, sizeof path, "workloads.[%d].scaling.spareReplicas", i);
        if (made_get(plan, path) == NULL || sscanf(made_get(plan, path), "%d", &number) != 1)
            continue;
        made_set(plan, path, "%d", number + 1);
        return true;
    }
    return false;
}

static bool more_work_is_never_cheaper(const made_plan *plan, char why[MADE_WHY]) {
    static const change_row rows[] = {
        {"more requests", more_requests},
        {"a shorter run", shorter_run},
        {"higher confidence", more_confidence},
        {"a larger batch", more_batch},
        {"shorter ttft", shorter_ttft},
        {"more tokens", more_tokens},
        {"longer prompts", more_input},
        {"sooner", sooner},
        {"more headroom", more_headroom},
        {"shorter tpot", shorter_tpot},
        {"more jobs", more_jobs},
        {"longer answers", more_output},
        {"more availability", more_availability},
        {"shorter e2e", shorter_e2e},
        {"one more spare", more_spares},
    };
    return changed_plans(plan, rows, sizeof rows / sizeof rows[0], true, why);
}

/* ------------------------------------------------------------ (d) how it is written */

static bool writing_means_nothing(const made_plan *plan, char why[MADE_WHY]) {
    static const struct {
        const char *name;
        made_style style;
    } rows[] = {{"backwards", {.backwards = true}},
                {"renamed", {.renamed = true}},
                {"other units", {.units = true}}};
    static made_plan other;
    made_outcome base;
    bool holds = true;
    made_run(plan, false, &base);
    for (size_t i = 0; base.result != NULL && i < sizeof rows / sizeof rows[0] && holds; i++) {
        made_outcome with;
        other = *plan;
        other.style = rows[i].style;
        made_run(&other, false, &with);
        if (with.result == NULL) {
            snprintf(why, MADE_WHY, "%s: refused", rows[i].name);
            holds = false;
        } else {
            holds = alike(base.result, with.result, rows[i].name, why);
        }
        made_done(&with);
    }
    made_done(&base);
    return holds;
}

/* ------------------------------------------------------------ (e) figures that add up */

static bool near(double a, double b) {
    return fabs(a - b) <= same * fmax(1, fmax(fabs(a), fabs(b)));
}

#define HOLDS(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            snprintf(why, MADE_WHY, __VA_ARGS__);                                                  \
            return false;                                                                          \
        }                                                                                          \
    } while (0)

static bool bill_adds_up(const gp_plan_result *r, char why[MADE_WHY]) {
    const gp_site_plan *site = &r->site;
    double watts = 0;
    double capital = 0;
    for (size_t i = 0; i < r->room.bill.count; i++) {
        const gp_bill_item *line = &r->room.bill.items[i];
        watts += line->unit_w * (double)line->count;
        capital += line->unit_price * (double)line->bought;
        HOLDS(line->bought <= line->count, "%s: %lld bought of %lld", line->role,
              (long long)line->bought, (long long)line->count);
    }
    HOLDS(near(watts, site->it_peak_w), "bill %.9g W, site %.9g W", watts, site->it_peak_w);
    HOLDS(near(capital, site->cost.capital), "bill %.9g USD, site %.9g USD", capital,
          site->cost.capital);
    HOLDS(near(site->air_w + site->liquid_w, site->it_peak_w), "heat %.9g W of %.9g W",
          site->air_w + site->liquid_w, site->it_peak_w);
    return true;
}

static bool machines_add_up(const gp_plan_result *r, char why[MADE_WHY]) {
    const gp_site_plan *site = &r->site;
    int64_t racks = r->room.other_racks;
    int64_t nodes = 0;
    int64_t there = 0;
    for (size_t i = 0; i < r->room.kinds.count; i++) {
        racks += r->room.kinds.items[i].racks.racks;
        nodes += r->room.kinds.items[i].nodes;
    }
    for (size_t u = 0; u < r->units.count; u++)
        there += r->units.items[u].there_nodes;
    HOLDS(racks == site->rack_count, "racks %lld and %lld", (long long)racks,
          (long long)site->rack_count);
    HOLDS(nodes == site->stand_nodes, "machines %lld and %lld", (long long)nodes,
          (long long)site->stand_nodes);
    HOLDS(site->stand_nodes == there + site->bought_nodes, "%lld stand, %lld there, %lld bought",
          (long long)site->stand_nodes, (long long)there, (long long)site->bought_nodes);
    HOLDS(site->nodes <= site->owned_nodes + site->bought_nodes + site->rented_nodes,
          "%lld held of %lld owned, %lld bought, %lld rented", (long long)site->nodes,
          (long long)site->owned_nodes, (long long)site->bought_nodes,
          (long long)site->rented_nodes);
    return true;
}

static bool shares_hold(const gp_plan_result *r, char why[MADE_WHY]) {
    const gp_site_plan *site = &r->site;
    HOLDS(site->useful_gpus <= site->there_gpus * (1 + same), "%.9g GPUs compute, %.9g there",
          site->useful_gpus, site->there_gpus);
    HOLDS(site->it_year_w <= site->it_peak_w * (1 + same) || site->rented_nodes > 0,
          "a year's mean %.9g W, nameplate %.9g W", site->it_year_w, site->it_peak_w);
    HOLDS(near(site->figures.energy_j_per_year, site->facility_year_w * year_s),
          "energy %.9g J, facility %.9g W", site->figures.energy_j_per_year, site->facility_year_w);
    for (size_t i = 0; i < r->workloads.count; i++) {
        const gp_workload_plan *w = &r->workloads.items[i];
        if (!w->chosen.feasible)
            continue;
        HOLDS(w->claim.busy_fraction >= 0 && w->claim.busy_fraction <= 1 + same, "%s busy %.9g",
              w->workload->name, w->claim.busy_fraction);
        HOLDS(w->chosen.gpus <= w->chosen.nodes * w->chosen.unit->machine.gpus,
              "%s: %lld GPUs on %lld machines", w->workload->name, (long long)w->chosen.gpus,
              (long long)w->chosen.nodes);
    }
    return true;
}

static bool limits_kept(const gp_plan_result *r, char why[MADE_WHY]) {
    for (int i = 0; r->feasible && i < r->site.limit_count; i++) {
        const gp_limit_use *use = &r->site.limits[i];
        HOLDS(use->used <= use->limit * (1 + same), "%s: %.9g of %.9g", use->path, use->used,
              use->limit);
    }
    return true;
}

static bool growth_begins_there(const gp_plan_result *r, char why[MADE_WHY]) {
    if (r->growth_count == 0 || !r->feasible)
        return true;
    HOLDS(near(r->growth[0].it_power_w, r->site.it_peak_w), "first quarter %.9g W, site %.9g W",
          r->growth[0].it_power_w, r->site.it_peak_w);
    return true;
}

static bool figures_add_up(const made_plan *plan, char why[MADE_WHY]) {
    static made_plan grown;
    made_outcome o;
    char path[MADE_PATH];
    grown = *plan;
    for (int i = 0; i < plan->workloads; i++) {
        snprintf(path, sizeof path, "workloads.[%d].traffic.requestsPerSecond.mean", i);
        if (made_get(plan, path) == NULL)
            continue;
        made_set(&grown, "growth.start", "2027-Q1");
        made_set(&grown, "growth.horizon", "4 quarters");
        snprintf(path, sizeof path, "growth.scenarios.expected.w%d", i);
        made_set(&grown, path, "0%%/quarter");
    }
    made_run(&grown, false, &o);
    bool holds = true;
    if (o.result != NULL)
        holds = bill_adds_up(o.result, why) && machines_add_up(o.result, why) &&
                shares_hold(o.result, why) && limits_kept(o.result, why) &&
                growth_begins_there(o.result, why);
    made_done(&o);
    return holds;
}

/* ------------------------------------------------------------ (f) what was chosen, declared */

/* Another plan is no better than a tie: what is owned by now costs nothing to buy. */
static bool ties_with(const gp_plan_result *base, const gp_plan_result *other) {
    return base->objective != GP_OBJECTIVE_MIN_COST &&
           other->objective_value >= base->objective_value * (1 - slack(base, other)) - same;
}

/* `base`: what size chose, where `r` is size again; NULL: r is check. */
static bool declared_holds(const gp_plan_result *r, const gp_plan_result *base,
                           char why[MADE_WHY]) {
    const char *who = base != NULL ? "size" : "check";
    for (size_t i = 0; i < r->workloads.count; i++) {
        const gp_workload_plan *w = &r->workloads.items[i];
        HOLDS(w->chosen.feasible, "%s: %s does not hold (%s)", who, w->workload->name,
              gp_bound_name(w->chosen.lack.bound));
        HOLDS(base == NULL || w->scale == GP_SCALE_NONE || !w->has_goal || ties_with(base, r),
              "%s: %s is to scale: %s, %s %.9g, before %.9g", who, w->workload->name,
              gp_scale_name(w->scale), gp_objective_name(r->objective), r->objective_value,
              base->objective_value);
    }
    for (int i = 0; i < r->site.limit_count; i++) {
        const gp_limit_use *use = &r->site.limits[i];
        HOLDS(use->used <= use->limit * (1 + same) || strncmp(use->path, "costs", 5) == 0,
              "%s: %s: %.9g of %.9g", who, use->path, use->used, use->limit);
    }
    return true;
}

static bool asks_for_more(const gp_plan_result *r) {
    for (size_t i = 0; i < r->workloads.count; i++)
        if (r->workloads.items[i].scale != GP_SCALE_NONE)
            return true;
    return false;
}

/* The exported spec holds, asks for nothing more, and has the layouts and machines of the plan. */
static bool same_plan(const gp_plan_result *a, const gp_plan_result *b, char why[MADE_WHY]) {
    HOLDS(b->site.stand_nodes == a->site.stand_nodes, "%lld machines stand, planned were %lld",
          (long long)b->site.stand_nodes, (long long)a->site.stand_nodes);
    HOLDS(b->site.it_peak_w <= a->site.it_peak_w * (1 + same), "%.9g W, planned were %.9g W",
          b->site.it_peak_w, a->site.it_peak_w);
    for (size_t i = 0; i < a->workloads.count; i++) {
        const gp_candidate *was = &a->workloads.items[i].chosen;
        const gp_candidate *now = &b->workloads.items[i].chosen;
        HOLDS(was->gpus == now->gpus && was->replicas == now->replicas,
              "%s: %lld GPUs, planned were %lld", a->workloads.items[i].workload->name,
              (long long)now->gpus, (long long)was->gpus);
    }
    return true;
}

static int declared_plans;

static bool chosen_holds(const made_plan *plan, char why[MADE_WHY]) {
    made_outcome base;
    bool holds = true;
    const char *problem = NULL;
    const char *text = NULL;
    made_run(plan, false, &base);
    const bool planned = base.result != NULL && base.result->feasible;
    const gp_status st = planned ? gp_plan_declare(base.c.arena, base.result, &problem, &text)
                                 : GP_ERR_INPUT;
    if (planned && st != GP_OK && base.result->site.rented_nodes == 0) {
        snprintf(why, MADE_WHY, "not declared: %s", problem != NULL ? problem : "");
        holds = false;
    }
    if (st == GP_OK) {
        made_outcome o;
        declared_plans++;
        made_run_text(text, true, &o);
        holds = o.result != NULL && declared_holds(o.result, NULL, why);
        made_done(&o);
        made_run_text(text, false, &o);
        holds = holds && o.result != NULL && declared_holds(o.result, base.result, why) &&
                (asks_for_more(o.result) || same_plan(base.result, o.result, why));
        made_done(&o);
        if (!holds && getenv("GPUPLAN_PROPERTY_ONE") != NULL)
            fprintf(stderr, "declared:\n%s", text);
    }
    made_done(&base);
    return holds;
}

/* ------------------------------------------------------------ the generator itself */

static int outcomes[2];

static bool is_valid(const made_plan *plan, char why[MADE_WHY]) {
    made_outcome o;
    made_run(plan, false, &o);
    const bool valid = o.result != NULL;
    if (!valid) {
        snprintf(why, MADE_WHY, "refused");
        spec_case_print(&o.c);
    } else {
        outcomes[o.result->feasible ? 1 : 0]++;
    }
    made_done(&o);
    return valid;
}

/* ------------------------------------------------------------ tests */

enum { PLANS = 60 };
static const maker_wish anything = {0};
static const maker_wish unlimited = {.no_limits = true};

#define PROPERTY(test, title, property, wish, count)                                               \
    static void test(void **state) {                                                               \
        (void)state;                                                                               \
        assert_int_equal(made_try(title, property, wish, made_count(count, PLANS)), 0);            \
    }
PROPERTY(test_limits, "limits above the use", limits_above_use, &unlimited, 10)
PROPERTY(test_more, "more to choose from", more_is_never_worse, &anything, 13)
PROPERTY(test_work, "more to do", more_work_is_never_cheaper, &anything, 13)
PROPERTY(test_writing, "another writing", writing_means_nothing, &anything, 7)
PROPERTY(test_figures, "figures that add up", figures_add_up, &anything, 7)
PROPERTY(test_declared, "what was chosen, declared", chosen_holds, &anything, 6)

/* The generator draws plans that hold and plans that do not, and none that is refused. */
static void test_generator(void **state) {
    (void)state;
    assert_int_equal(made_try("the generator", is_valid, &anything, made_count(20, PLANS)), 0);
    assert_true(outcomes[1] > 0);
}

static int close_all(void **state) {
    (void)state;
    made_close();
    return 0;
}

int main(void) {
    /* A short simulation has an error of its own: the properties are those of the closed form. */
    spec_case_simulate = GP_PLAN_SIMULATE_OFF;
    const char *filter = getenv("GPUPLAN_PROPERTY_TEST");
    if (filter != NULL)
        cmocka_set_test_filter(filter);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_generator), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_more),      cmocka_unit_test(test_work),
        cmocka_unit_test(test_writing),   cmocka_unit_test(test_figures),
        cmocka_unit_test(test_declared),
    };
    return cmocka_run_group_tests(tests, NULL, close_all);
}
