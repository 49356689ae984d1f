/*
 * What must hold of any plan, over specs drawn from a seed: limits that do not bind change nothing;
 * more to choose from is never worse; more to do is never cheaper; how a spec is written means
 * nothing; what is printed to be done does what it says; the figures of a plan add up; and what was
 * chosen, declared as the cluster, holds. Every plan drawn is added up, and tried against a change
 * of it.
 *
 * GPUPLAN_PROPERTY_COUNT plans (2,000 by default) from GPUPLAN_PROPERTY_SEED. A failure is printed
 * as the smallest spec that still fails, with its seed: GPUPLAN_PROPERTY_ONE tries that alone, and
 * GPUPLAN_PROPERTY_CHANGE some changes (text with their names in it).
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

#include "report/produce.h"

#include "support/agreement.h"
#include "support/plan_maker.h"

enum { PLANS = 2000, ALL_WORK_SHARE = 20, TRIALS_A_PLAN = 1 };

static gp_arena *base_arena; /* of the plan that is tried */
static const double tie = 0.005, largest_gap = 0.01, exact = 1e-6, same = 1e-9, year_s = 31536000;

/* ------------------------------------------------------------ comparing two plans */

static double slack(const gp_plan_result *a, const gp_plan_result *b) {
    const double gap = fmax(a->gap_fraction, b->gap_fraction);
    return fmax(tie, fmin(gap, largest_gap));
}

/* Where no objective is stated, what stands there goes before the figure that is compared. */
static bool owned_first(const gp_plan_result *r) {
    bool owns = false;
    for (size_t u = 0; u < r->units.count; u++)
        owns = owns || r->units.items[u].there_nodes > 0;
    return owns && r->objective_was_auto;
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
    if (better->objective_value <= most + same || owned_first(base))
        return true;
    snprintf(why, MADE_WHY, "%s: %s %.9g, before %.9g (gaps %.3g, %.3g)", what,
             gp_objective_name(base->objective), better->objective_value, base->objective_value,
             better->gap_fraction, base->gap_fraction);
    return false;
}

/* Shares of a service on several kinds of machines are tried in turn, not all at once. */
static bool is_mixed(const gp_plan_result *r) {
    for (size_t i = 0; i < r->workloads.count; i++)
        if (gp_candidate_is_mixed(&r->workloads.items[i].chosen))
            return true;
    return false;
}

/* The same choice, or one that the search cannot tell from it. */
static bool alike(const gp_plan_result *a, const gp_plan_result *b, const char *what,
                  char why[MADE_WHY]) {
    const double gap = fmin(fmax(a->gap_fraction, b->gap_fraction), largest_gap);
    const double apart = fabs(a->objective_value - b->objective_value);
    const double least = is_mixed(a) || is_mixed(b) ? tie : exact;
    if (a->feasible == b->feasible &&
        (!a->feasible || apart <= fmax(least, gap) * a->objective_value + same))
        return true;
    snprintf(why, MADE_WHY, "%s: feasible %d, %s %.9g, before %d, %.9g (gaps %.3g, %.3g)", what,
             b->feasible, gp_objective_name(a->objective), b->objective_value, a->feasible,
             a->objective_value, a->gap_fraction, b->gap_fraction);
    return false;
}

/* ------------------------------------------------------------ changes of a plan */

/* Another plan, made of this one and what came of it; false where there is nothing to change. */
typedef bool plan_change(made_plan *plan, const gp_plan_result *base, maker_dice *dice);
/* What the plan itself says, tried; false where that is not so. `tried` stays false where it says
 * nothing. */
typedef bool plan_check(const made_plan *plan, const gp_plan_result *base, bool *tried,
                        char why[MADE_WHY]);

typedef struct trial {
    const char *name;
    plan_change *change; /* one of these two */
    plan_check *check;
} trial;

/* ------------------------------------------------------------ (a) limits that do not bind */

static const char *const limit_paths[] = {
    "site.power.itCapacity",        "site.racks.count",     "site.cooling.air.capacity",
    "site.cooling.liquid.capacity", "costs.budget.capital", "costs.budget.recurring"};
enum { LIMIT_PATHS = sizeof limit_paths / sizeof limit_paths[0] };

static bool is_limited(const made_plan *plan) {
    for (size_t i = 0; i < LIMIT_PATHS; i++)
        if (made_get(plan, limit_paths[i]) != NULL)
            return true;
    return false;
}

static bool limits_above_use(made_plan *plan, const gp_plan_result *base, maker_dice *dice) {
    static const double factors[] = {1.000001, 1.02, 1.3, 4};
    const unsigned mask = 1 + maker_draw(dice, 63);
    const double factor = factors[maker_draw(dice, 4)];
    const gp_site_plan *site = &base->site;
    if (!base->feasible || is_limited(plan))
        return false;
    if (mask & 1)
        made_set(plan, limit_paths[0], "%.3f W", site->it_peak_w * factor + 1);
    if (mask & 2)
        made_set(plan, limit_paths[1], "%.0f", ceil((double)site->rack_count * factor));
    if (mask & 4)
        made_set(plan, limit_paths[2], "%.3f W", site->air_w * factor + 1);
    if (mask & 8)
        made_set(plan, limit_paths[3], "%.3f W", site->liquid_w * factor + 1);
    if (mask & 16 && site->priced)
        made_set(plan, limit_paths[4], "%.3f USD", site->cost.capital * factor + 1);
    if (mask & 32 && site->priced)
        made_set(plan, limit_paths[5], "%.3f USD/yr", site->cost.total_per_s * year_s * factor + 1);
    return is_limited(plan);
}

static const trial limit_trials[] = {{"limits above the use", limits_above_use, NULL}};

/* ------------------------------------------------------------ (b) more to choose from */

static bool more_kinds(made_plan *plan, const gp_plan_result *base, maker_dice *dice) {
    static const char *const kinds[] = {"dgx-h100",  "dgx-h200", "dgx-b200",
                                        "l40s-8gpu", "dgx-a100", "mi300x-8gpu"};
    const char *kind = kinds[maker_draw(dice, 6)];
    bool some = false;
    (void)base;
    for (int i = 0; i < plan->count; i++) {
        const made_key *key = &plan->keys[i];
        if (key->dropped || strncmp(key->path, "candidates.allow", 16) != 0)
            continue;
        some = true;
        if (strcmp(key->value, kind) == 0)
            return false;
    }
    char path[MADE_PATH] = "";
    for (int k = 0; some && (k == 0 || made_get(plan, path) != NULL); k++)
        snprintf(path, sizeof path, "candidates.allow.[%d]", 8 + k);
    if (some)
        made_set(plan, path, "%s", kind);
    return some;
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

/* What stands takes power and racks, used or not: where those are limited, or it is never off, it
 * is no gain. */
static bool more_owned(made_plan *plan, const gp_plan_result *base, maker_dice *dice) {
    (void)dice;
    /* Where no objective is stated, what is there goes before what would be better. */
    if (base->objective_was_auto || made_get(plan, "cluster.idle") != NULL)
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

static bool no_limits(made_plan *plan, const gp_plan_result *base, maker_dice *dice) {
    (void)base;
    (void)dice;
    const bool limited = is_limited(plan);
    for (size_t i = 0; i < LIMIT_PATHS; i++)
        made_drop(plan, limit_paths[i]);
    return limited;
}

static const trial more_trials[] = {
    {"another candidate", more_kinds, NULL},
    {"more power", more_power, NULL},
    {"one more owned machine", more_owned, NULL},
    {"more racks", more_racks, NULL},
    {"more capital", more_capital, NULL},
    {"more money a year", more_recurring, NULL},
    {"more air", more_air, NULL},
    {"more machines a workload", more_nodes, NULL},
    {"no limits", no_limits, NULL},
};

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
LOAD(shorter_ttft, "goal.slo.ttft", 0.8)
LOAD(shorter_tpot, "goal.slo.tpot", 0.85)
LOAD(shorter_e2e, "goal.slo.e2e", 0.8)
LOAD(sooner, "goal.completeWithin", 0.75)
LOAD(shorter_run, "goal.maxDuration", 0.75)
LOAD(more_tokens, "data.tokens", 1.3)
LOAD(more_jobs, "jobs.perWeek", 1.4)

/* A batch that writes more takes longer; while it runs its GPUs draw less, not more. */
static bool more_output(made_plan *plan, const gp_plan_result *base, maker_dice *dice) {
    for (size_t i = 0; i < base->workloads.count; i++)
        if (base->workloads.items[i].is_offline && base->objective == GP_OBJECTIVE_MIN_POWER)
            return false;
    return workload_scaled(plan, dice, "traffic.outputTokens", 1.3);
}

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

/* No less to do, but on fewer machines than the largest workload takes. */
static bool fewer_nodes(made_plan *plan, const gp_plan_result *base, maker_dice *dice) {
    int64_t most = 0;
    for (size_t i = 0; i < base->workloads.count; i++)
        if (base->workloads.items[i].chosen.nodes > most)
            most = base->workloads.items[i].chosen.nodes;
    if (!base->feasible || most < 2 || most > 1000)
        return false;
    made_set(plan, "candidates.limits.maxNodes", "%u", 1 + maker_draw(dice, (unsigned)most - 1));
    return true;
}

static const trial work_trials[] = {
    {"more requests", more_requests, NULL},
    {"a shorter run", shorter_run, NULL},
    {"higher confidence", more_confidence, NULL},
    {"a larger batch", more_batch, NULL},
    {"shorter ttft", shorter_ttft, NULL},
    {"more tokens", more_tokens, NULL},
    {"longer prompts", more_input, NULL},
    {"sooner", sooner, NULL},
    {"more headroom", more_headroom, NULL},
    {"shorter tpot", shorter_tpot, NULL},
    {"more jobs", more_jobs, NULL},
    {"longer answers", more_output, NULL},
    {"more availability", more_availability, NULL},
    {"shorter e2e", shorter_e2e, NULL},
    {"one more spare", more_spares, NULL},
    {"fewer machines a workload", fewer_nodes, NULL},
};

/* ------------------------------------------------------------ (d) how it is written */

/* Spares are those of the first pools, so there the order of pools says something. */
static bool backwards(made_plan *plan, const gp_plan_result *base, maker_dice *dice) {
    (void)dice;
    if (base->document->spec.cluster.reserve.spare_nodes > 0)
        return false;
    plan->style.backwards = true;
    return true;
}

static bool renamed(made_plan *plan, const gp_plan_result *base, maker_dice *dice) {
    (void)base;
    (void)dice;
    plan->style.renamed = true;
    return true;
}

static bool other_units(made_plan *plan, const gp_plan_result *base, maker_dice *dice) {
    (void)base;
    (void)dice;
    plan->style.units = true;
    return true;
}

static const trial writing_trials[] = {
    {"backwards", backwards, NULL}, {"renamed", renamed, NULL}, {"other units", other_units, NULL}};

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

static int64_t machine_gpus(const gp_candidate *on) {
    int64_t gpus = on->share_count > 0 ? 0 : on->nodes * on->unit->machine.gpus;
    for (int k = 0; k < on->share_count; k++)
        gpus += machine_gpus(&on->shares[k]);
    return gpus;
}

/* Services alone, at machines of the site: the mean of an hour is that of the year. */
static bool never_rests(const gp_plan_result *r) {
    for (size_t i = 0; i < r->workloads.count; i++)
        if (r->workloads.items[i].chosen.feasible && r->workloads.items[i].chosen.busy_fraction < 1)
            return false;
    return r->site.rented_nodes == 0;
}

static bool shares_hold(const gp_plan_result *r, char why[MADE_WHY]) {
    const gp_site_plan *site = &r->site;
    HOLDS(site->useful_gpus <= site->there_gpus * (1 + same), "%.9g GPUs compute, %.9g there",
          site->useful_gpus, site->there_gpus);
    HOLDS(site->it_year_w <= site->it_peak_w * (1 + same) || site->rented_nodes > 0,
          "a year's mean %.9g W, nameplate %.9g W", site->it_year_w, site->it_peak_w);
    HOLDS(site->it_mean_w <= site->it_peak_w * (1 + same), "mean %.9g W, nameplate %.9g W",
          site->it_mean_w, site->it_peak_w);
    HOLDS(site->it_year_w <= site->it_mean_w * (1 + same) || site->rented_nodes > 0,
          "a year's mean %.9g W, at work %.9g W", site->it_year_w, site->it_mean_w);
    HOLDS(!never_rests(r) || near(site->it_year_w, site->it_mean_w),
          "a year's mean %.9g W of services alone, an hour's %.9g W", site->it_year_w,
          site->it_mean_w);
    HOLDS(near(site->figures.energy_j_per_year, site->facility_year_w * year_s),
          "energy %.9g J, facility %.9g W", site->figures.energy_j_per_year, site->facility_year_w);
    for (size_t i = 0; i < r->workloads.count; i++) {
        const gp_workload_plan *w = &r->workloads.items[i];
        if (!w->chosen.feasible)
            continue;
        HOLDS(w->claim.busy_fraction >= 0 && w->claim.busy_fraction <= 1 + same, "%s busy %.9g",
              w->workload->name, w->claim.busy_fraction);
        HOLDS(w->chosen.gpus <= machine_gpus(&w->chosen), "%s: %lld GPUs on %lld machines",
              w->workload->name, (long long)w->chosen.gpus, (long long)w->chosen.nodes);
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
    HOLDS(near(r->growth[0].site.it_peak_w, r->site.it_peak_w), "first quarter %.9g W, site %.9g W",
          r->growth[0].site.it_peak_w, r->site.it_peak_w);
    return true;
}

static bool report_agrees(const gp_plan_result *r, char why[MADE_WHY]) {
    gp_report *report = NULL;
    gp_report_build(base_arena, r, NULL, &report);
    return figures_agree(report, why);
}

static bool figures_add_up(const gp_plan_result *r, char why[MADE_WHY]) {
    return bill_adds_up(r, why) && machines_add_up(r, why) && shares_hold(r, why) &&
           limits_kept(r, why) && growth_begins_there(r, why) && report_agrees(r, why);
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
        HOLDS(
            was->gpus == now->gpus && was->replicas == now->replicas &&
                was->split.prefill_replicas == now->split.prefill_replicas,
            "%s: %lld GPUs in %lld replicas, %lld of them for prefill, planned were %lld in %lld, "
            "%lld",
            a->workloads.items[i].workload->name, (long long)now->gpus, (long long)now->replicas,
            (long long)now->split.prefill_replicas, (long long)was->gpus, (long long)was->replicas,
            (long long)was->split.prefill_replicas);
    }
    return true;
}

/* The plan as a spec holds by check and by size. One that rents machines cannot be written as
 * machines that stand. */
static bool chosen_holds(const made_plan *plan, const gp_plan_result *base, bool *tried,
                         char why[MADE_WHY]) {
    const char *problem = NULL;
    const char *text = NULL;
    made_outcome o;
    (void)plan;
    if (!base->feasible || base->site.rented_nodes > 0)
        return true;
    *tried = true;
    if (gp_plan_declare(base_arena, base, &problem, &text) != GP_OK) {
        snprintf(why, MADE_WHY, "not declared: %s", problem != NULL ? problem : "");
        return false;
    }
    made_run_text(text, true, NULL, 0, &o);
    bool holds = o.result != NULL && declared_holds(o.result, NULL, why);
    made_done(&o);
    if (!holds)
        return false;
    made_run_text(text, false, NULL, 0, &o);
    holds = o.result != NULL && declared_holds(o.result, base, why) &&
            (asks_for_more(o.result) || same_plan(base, o.result, why));
    made_done(&o);
    if (!holds && getenv("GPUPLAN_PROPERTY_ONE") != NULL)
        fprintf(stderr, "declared:\n%s", text);
    return holds;
}

static const trial declared_trials[] = {{"what was chosen, declared", NULL, chosen_holds}};

/* ------------------------------------------------------------ (g) what is printed to be done */

static void run_set(const made_plan *plan, const char *path, const char *value, made_outcome *ret) {
    const gp_override override = {path, value};
    made_run_set(plan, false, &override, 1, ret);
}

static int left_out(const gp_plan_result *r) {
    int count = 0;
    for (size_t i = 0; i < r->workloads.count; i++)
        count += r->workloads.items[i].scale == GP_SCALE_INFEASIBLE ? 1 : 0;
    return count;
}

enum { LIMITS_MOST = 6 };

/* What the finding of a workload that finds no place sets, as it is printed. */
static size_t limits_raised(const gp_report *report, const char *workload,
                            char paths[LIMITS_MOST][64], gp_override sets[LIMITS_MOST]) {
    for (size_t i = 0; i < report->findings.count; i++) {
        const gp_report_finding *f = &report->findings.items[i];
        if (strcmp(f->id, "GP2002") != 0 || strcmp(f->workload, workload) != 0)
            continue;
        for (size_t k = 0; k < f->set.count && k < LIMITS_MOST; k++) {
            const char *equals = strchr(f->set.items[k], '=');
            snprintf(paths[k], sizeof paths[k], "%.*s", (int)(equals - f->set.items[k]),
                     f->set.items[k]);
            sets[k] = (gp_override){paths[k], equals + 1};
        }
        return f->set.count;
    }
    return 0;
}

static int limited(const gp_plan_result *r) {
    int count = 0;
    for (size_t i = 0; i < r->workloads.count; i++)
        count += r->workloads.items[i].scale == GP_SCALE_INFEASIBLE &&
                         r->workloads.items[i].chosen.lack.path != NULL
                     ? 1
                     : 0;
    return count;
}

/* A limit that is raised to what is printed lets in all that limits keep out. */
static bool raised_limit_lets_in(const made_plan *plan, const gp_plan_result *base, bool *tried,
                                 char why[MADE_WHY]) {
    gp_report *report = NULL;
    for (size_t i = 0; i < base->workloads.count; i++) {
        const gp_workload_plan *w = &base->workloads.items[i];
        char paths[LIMITS_MOST][64];
        gp_override sets[LIMITS_MOST];
        if (w->scale != GP_SCALE_INFEASIBLE || w->chosen.lack.path == NULL)
            continue;
        if (report == NULL)
            gp_report_build(base_arena, base, NULL, &report);
        const size_t count = limits_raised(report, w->workload->name, paths, sets);
        if (count == 0)
            continue;
        made_outcome o;
        made_run_set(plan, false, sets, count, &o);
        *tried = true;
        const bool holds = o.result != NULL && left_out(o.result) <= left_out(base) - limited(base);
        if (!holds)
            snprintf(why, MADE_WHY, "%s: with %s=%s (of %d) %d are left out, before %d",
                     w->workload->name, sets[0].path, sets[0].value, (int)count,
                     o.result != NULL ? left_out(o.result) : -1, left_out(base));
        made_done(&o);
        return holds;
    }
    return true;
}

/* A change of software does what is said of it; one that saves GPUs costs nothing, but it may be
 * time. */
static bool software_saves(const made_plan *plan, const gp_plan_result *base, bool *tried,
                           char why[MADE_WHY]) {
    for (size_t i = 0; i < base->workloads.count; i++) {
        const gp_workload_plan *w = &base->workloads.items[i];
        for (int k = 0; k < w->software_change_count; k++) {
            const gp_software_change *change = &w->software_changes[k];
            if (change->assumed || !w->chosen.feasible)
                continue;
            made_outcome o;
            char what[160];
            snprintf(what, sizeof what, "%s=%s", change->path, change->to);
            run_set(plan, change->path, change->to, &o);
            *tried = true;
            bool holds = o.result != NULL &&
                         (change->saved_fraction <= 0 || base->objective == GP_OBJECTIVE_MIN_TIME ||
                          no_worse(base, o.result, what, why));
            const gp_scale scale = o.result != NULL ? o.result->workloads.items[i].scale : w->scale;
            if (o.result == NULL) {
                snprintf(why, MADE_WHY, "%s is refused", what);
            } else if (holds && change->saved_fraction > 0 &&
                       o.result->workloads.items[i].chosen.gpus >= w->chosen.gpus) {
                snprintf(why, MADE_WHY, "%s saves no GPUs", what);
                holds = false;
            } else if (holds && o.result->workloads.items[i].chosen.gpus != change->gpus) {
                snprintf(why, MADE_WHY, "%s takes %lld GPUs, told %lld", what,
                         (long long)o.result->workloads.items[i].chosen.gpus,
                         (long long)change->gpus);
                holds = false;
            } else if (holds && change->makes_hardware_unnecessary && scale != GP_SCALE_NONE) {
                snprintf(why, MADE_WHY, "%s makes no hardware unnecessary: %s", what,
                         gp_scale_name(scale));
                holds = false;
            }
            made_done(&o);
            if (!holds)
                return false;
        }
    }
    return true;
}

/* Past the flip point the verdict is what is said, short of it that of today. */
static bool flips(const made_plan *plan, const gp_plan_result *base, bool *tried,
                  char why[MADE_WHY]) {
    for (size_t i = 0; i < base->workloads.count; i++) {
        const gp_workload_plan *w = &base->workloads.items[i];
        if (!w->flip.present)
            continue;
        const double way = w->flip.at > w->flip.today ? 1 : -1;
        /* How close by plans look for it. */
        const bool simulated = w->is_serving && (w->confirmation.present || !w->chosen.feasible);
        const double beside = simulated ? 0.06 : 0.03;
        *tried = true;
        for (int past = 0; past < 2; past++) {
            char value[64];
            made_outcome o;
            const double step = w->flip.dim == GP_DIM_COUNT
                                    ? past == 1 ? 0 : -1
                                    : w->flip.at * (past == 1 ? beside : -beside);
            const double at = w->flip.at + step * way;
            const gp_scale due = past == 1 ? w->flip.to_scale : w->scale;
            snprintf(value, sizeof value,
                     w->flip.dim == GP_DIM_TIME    ? "%.6f s"
                     : w->flip.dim == GP_DIM_COUNT ? "%.0f"
                                                   : "%.9f",
                     at);
            run_set(plan, w->flip.path, value, &o);
            const bool holds = o.result != NULL && o.result->workloads.items[i].scale == due;
            if (!holds)
                snprintf(why, MADE_WHY, "%s=%s (flip at %.9g): %s, not %s", w->flip.path, value,
                         w->flip.at,
                         o.result != NULL ? gp_scale_name(o.result->workloads.items[i].scale)
                                          : "refused",
                         gp_scale_name(due));
            made_done(&o);
            if (!holds)
                return false;
        }
        return true;
    }
    return true;
}

/* "would hold its goal on what services leave idle": it does, and nothing gets dearer. */
static bool idle_hours_do(const made_plan *plan, const gp_plan_result *base, bool *tried,
                          char why[MADE_WHY]) {
    for (size_t i = 0; i < base->workloads.count; i++) {
        const gp_workload_plan *w = &base->workloads.items[i];
        if (!w->claim.could_idle)
            continue;
        char path[MADE_PATH + 64];
        made_outcome o;
        snprintf(path, sizeof path, "workloads.%s.placement.timeSharing", w->workload->name);
        run_set(plan, path, "true", &o);
        *tried = true;
        bool holds = o.result != NULL && no_worse(base, o.result, path, why);
        if (holds && o.result->site.nodes > base->site.nodes) {
            snprintf(why, MADE_WHY, "%s: %lld machines, before %lld", path,
                     (long long)o.result->site.nodes, (long long)base->site.nodes);
            holds = false;
        }
        made_done(&o);
        return holds;
    }
    return true;
}

/* The machines that are said to suffice up to a rate, declared: they hold it. */
static bool held_rate_holds(const made_plan *plan, const gp_plan_result *base, bool *tried,
                            char why[MADE_WHY]) {
    static const double within = 0.995;
    static const char head[] = "workloads.%s.traffic.requestsPerSecond.%s";
    static made_plan declared;
    if (base->workloads.count != 1 || !base->feasible)
        return true;
    const gp_workload_plan *w = &base->workloads.items[0];
    const double rate = w->workload->traffic.requests_per_s.mean;
    const double peak = w->workload->traffic.requests_per_s.peak;
    if (!(w->held_requests_per_s > w->demand_requests_per_s) || !(rate > 0) ||
        w->held_unit->cloud != NULL || w->held_unit->system == NULL)
        return true;
    const double factor = within * w->held_requests_per_s / w->demand_requests_per_s;
    const gp_override overrides[] = {{gp_arena_printf(base_arena, head, w->workload->name, "mean"),
                                      gp_arena_printf(base_arena, "%.9f", rate * factor)},
                                     {gp_arena_printf(base_arena, head, w->workload->name, "peak"),
                                      gp_arena_printf(base_arena, "%.9f", peak * factor)}};
    declared = *plan;
    made_drop(&declared, "cluster");
    for (int i = 0; i < plan->workloads; i++) {
        char path[MADE_PATH];
        snprintf(path, sizeof path, "workloads.[%d].placement.pool", i);
        made_drop(&declared, path);
    }
    made_set(&declared, "cluster.pools.[0].name", "held");
    made_set(&declared, "cluster.pools.[0].system", "%s", w->held_unit->id);
    made_set(&declared, "cluster.pools.[0].count", "%lld", (long long)w->held_nodes);
    made_outcome o;
    made_run_set(&declared, true, overrides, peak > 0 ? 2 : 1, &o);
    *tried = true;
    const bool holds = o.result != NULL && o.result->workloads.items[0].chosen.feasible;
    if (!holds)
        snprintf(why, MADE_WHY, "%.9g/s are said to be held by %lld x %s; declared: %s",
                 w->held_requests_per_s, (long long)w->held_nodes, w->held_unit->id,
                 o.result != NULL ? gp_bound_name(o.result->workloads.items[0].chosen.lack.bound)
                                  : "refused");
    made_done(&o);
    return holds;
}

static const trial fix_trials[] = {
    {"a limit raised", NULL, raised_limit_lets_in},
    {"software changed", NULL, software_saves},
    {"the flip point", NULL, flips},
    {"idle hours used", NULL, idle_hours_do},
    {"the rate that is held", NULL, held_rate_holds},
};

/* ------------------------------------------------------------ all of them */

typedef enum relation { SAME, NO_WORSE, NO_CHEAPER, OWN } relation; /* to the plan before */

/* A property: one of its changes is tried on a plan. */
typedef struct property {
    const char *title;
    relation relation;
    const trial *trials;
    unsigned count;
} property;

#define TRIALS(list) list, sizeof(list) / sizeof *(list)
static const property properties[] = {
    {"limits above the use", SAME, TRIALS(limit_trials)},
    {"more to choose from", NO_WORSE, TRIALS(more_trials)},
    {"more to do", NO_CHEAPER, TRIALS(work_trials)},
    {"what was chosen, declared", OWN, TRIALS(declared_trials)},
    {"another writing", SAME, TRIALS(writing_trials)},
    {"what is printed to be done", OWN, TRIALS(fix_trials)},
};
enum { PROPERTIES = sizeof properties / sizeof properties[0] };

static int tried_plans[PROPERTIES], failed_plans[PROPERTIES];
static int feasible_plans, summed_plans;
static const trial *failing; /* while the plan of this seed is made smaller; NULL: its figures */
static bool failing_refused; /* or that there are none */
static uint64_t failing_seed;

static bool changed_holds(relation due, const trial *t, const made_plan *plan,
                          const gp_plan_result *base, bool *tried, char why[MADE_WHY]) {
    static made_plan other;
    made_outcome with;
    maker_dice dice;
    bool holds = true;
    other = *plan;
    maker_seed(&dice, plan->seed + 3);
    if (!t->change(&other, base, &dice))
        return true;
    made_run(&other, false, &with);
    *tried = with.result != NULL;
    if (with.result == NULL && due == SAME) {
        snprintf(why, MADE_WHY, "%s: refused", t->name);
        holds = false;
    } else if (with.result != NULL && due == SAME) {
        holds = alike(base, with.result, t->name, why);
    } else if (with.result != NULL && due == NO_WORSE) {
        holds = no_worse(base, with.result, t->name, why);
    } else if (with.result != NULL) {
        holds = no_worse(with.result, base, t->name, why);
    }
    made_done(&with);
    return holds;
}

static bool trial_holds(size_t p, const trial *t, const made_plan *plan, const gp_plan_result *base,
                        bool *tried, char why[MADE_WHY]) {
    const char *only = getenv("GPUPLAN_PROPERTY_CHANGE");
    if (only != NULL && strstr(only, t->name) == NULL)
        return true;
    return t->check != NULL ? t->check(plan, base, tried, why)
                            : changed_holds(properties[p].relation, t, plan, base, tried, why);
}

/* The first change of the property that can be made, from a drawn one on. */
static bool property_holds(size_t p, const made_plan *plan, const gp_plan_result *base, bool *tried,
                           char why[MADE_WHY]) {
    maker_dice dice;
    maker_seed(&dice, plan->seed + 2);
    const unsigned first = maker_draw(&dice, properties[p].count);
    for (unsigned i = 0; i < properties[p].count && !*tried; i++) {
        const trial *t = &properties[p].trials[(first + i) % properties[p].count];
        if (trial_holds(p, t, plan, base, tried, why))
            continue;
        failing = t;
        failing_refused = false;
        failing_seed = plan->seed;
        failed_plans[p]++;
        tried_plans[p]++;
        return false;
    }
    tried_plans[p] += *tried ? 1 : 0;
    return true;
}

/* Of the properties so many can be told from the plan, beginning with another one each time. */
static bool properties_hold(const made_plan *plan, const gp_plan_result *base, char why[MADE_WHY]) {
    int left = TRIALS_A_PLAN;
    bool holds = true;
    for (size_t i = 0; i < PROPERTIES && left > 0 && holds; i++) {
        bool tried = false;
        holds = property_holds((plan->seed + i) % PROPERTIES, plan, base, &tried, why);
        left -= tried ? 1 : 0;
    }
    return holds;
}

static bool failing_holds(const made_plan *plan, const gp_plan_result *base, char why[MADE_WHY]) {
    bool tried = false;
    if (failing_refused)
        return true;
    for (size_t p = 0; p < PROPERTIES; p++)
        for (unsigned i = 0; i < properties[p].count; i++)
            if (&properties[p].trials[i] == failing)
                return trial_holds(p, failing, plan, base, &tried, why);
    return figures_add_up(base, why);
}

static bool plan_holds(const made_plan *plan, char why[MADE_WHY]) {
    made_outcome base;
    bool holds = false;
    spec_case_brief = false;
    made_run(plan, false, &base);
    base_arena = base.c.arena;
    /* Without simulation the choice of the plans that it is held against is the same when made
     * briefly. */
    spec_case_brief = spec_case_simulate == GP_PLAN_SIMULATE_OFF;
    if (base.result == NULL) {
        holds = failing_seed == plan->seed && !failing_refused;
        if (failing_seed != plan->seed)
            spec_case_print(&base.c);
        failing_refused = !holds;
        failing_seed = plan->seed;
        snprintf(why, MADE_WHY, "refused");
    } else if (failing_seed == plan->seed) {
        holds = failing_holds(plan, base.result, why);
    } else {
        summed_plans++;
        feasible_plans += base.result->feasible ? 1 : 0;
        holds = figures_add_up(base.result, why);
        if (!holds) {
            failing = NULL;
            failing_refused = false;
            failing_seed = plan->seed;
        } else {
            holds = properties_hold(plan, base.result, why);
        }
    }
    made_done(&base);
    return holds;
}

static void try_plans(const char *name, const maker_wish *wish, int count) {
    summed_plans = feasible_plans = 0;
    memset(tried_plans, 0, sizeof tried_plans);
    memset(failed_plans, 0, sizeof failed_plans);
    const int failures = made_try(name, plan_holds, wish, count);
    print_message("figures that add up: %d plans, %d of them feasible\n", summed_plans,
                  feasible_plans);
    for (size_t p = 0; p < PROPERTIES; p++)
        print_message("%s: %d plans, %d failures\n", properties[p].title, tried_plans[p],
                      failed_plans[p]);
    assert_int_equal(failures, 0);
    if (getenv("GPUPLAN_PROPERTY_ONE") != NULL || getenv("GPUPLAN_PROPERTY_CHANGE") != NULL)
        return;
    if (count < 100)
        return;
    assert_true(feasible_plans > summed_plans / 2 && feasible_plans < summed_plans);
    for (size_t p = 0; p < PROPERTIES; p++)
        assert_true(tried_plans[p] > count / 20);
}

/* A short simulation has an error of its own: these properties are those of the closed form. */
static void test_plans(void **state) {
    static const maker_wish anything = {0};
    (void)state;
    spec_case_simulate = GP_PLAN_SIMULATE_OFF;
    try_plans("plans", &anything, made_count(PLANS));
}

/* As plans are printed: all kinds of work, and what is chosen is simulated. */
static void test_all_work(void **state) {
    static const maker_wish anything = {.all_work = true};
    (void)state;
    spec_case_simulate = GP_PLAN_SIMULATE_QUICK;
    try_plans("all work", &anything, made_count(PLANS) / ALL_WORK_SHARE);
}

static int close_all(void **state) {
    (void)state;
    made_close();
    return 0;
}

/* Each takes minutes, so each is a program of its own: test_all_work.c names the other. */
#ifndef PROPERTY_TEST
#define PROPERTY_TEST "test_plans"
#endif

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_plans),
                                       cmocka_unit_test(test_all_work)};
    cmocka_set_test_filter(PROPERTY_TEST);
    return cmocka_run_group_tests(tests, NULL, close_all);
}
