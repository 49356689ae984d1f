/*
 * Demand over the horizon, quarter by quarter: inference grows by its scenario, added workloads
 * arrive in their quarter. Machines are counted on the kinds chosen today; the first limit that is
 * passed in a quarter is named.
 */
#include "plan/context.h"

#include "base/num.h"
#include "base/str.h"

static const double s_per_year = 31536000; /* 8,760 h: definition */
enum { QUARTERS_PER_YEAR = 4 };

/* Periods over which a rate compounds, by the end of its text; definitions. */
static const struct {
    const char *ending;
    double seconds;
} periods[] = {
    {"/yr", 31536000}, {"/year", 31536000}, {"/quarter", 7884000},
    {"/mo", 2628000},  {"/month", 2628000}, {"/wk", 604800},
    {"/week", 604800}, {"/d", 86400},       {"/day", 86400},
};

typedef struct growth_rate {
    double per_period; /* 8%/mo: 0.08 */
    double period_s;
} growth_rate;

/* Expected growth of a workload, per period as the spec writes it; none: zero. */
static growth_rate rate_of(const gp_growth *growth, const char *name) {
    growth_rate rate = {.period_s = s_per_year};
    for (size_t i = 0; i < growth->scenarios.expected.count; i++) {
        const gp_entry *entry = &growth->scenarios.expected.items[i];
        if (!gp_str_equal(entry->key, name))
            continue;
        for (size_t p = 0; p < sizeof periods / sizeof periods[0]; p++)
            if (gp_str_ends(entry->text, periods[p].ending))
                rate.period_s = periods[p].seconds;
        rate.per_period = entry->value * rate.period_s;
    }
    return rate;
}

/* Demand after `seconds`, as a multiple of today's. */
static double multiple(growth_rate rate, double seconds) {
    return gp_num_pow(gp_num_max(0, 1 + rate.per_period), seconds / rate.period_s);
}

/* First day of the quarter `n` quarters after the one that `date` lies in. */
static int64_t quarter_after(int64_t date, int64_t n) {
    const int64_t year = date / 10000;
    const int64_t month = date / 100 % 100;
    const int64_t quarters = year * QUARTERS_PER_YEAR + (month - 1) / 3 + n;
    return quarters / QUARTERS_PER_YEAR * 10000 + (quarters % QUARTERS_PER_YEAR * 3 + 1) * 100 + 1;
}

typedef struct growth_case {
    gp_case c;
    size_t unit;
    growth_rate rate;
    int64_t from; /* first quarter it runs in */
    bool counted; /* has a unit to grow on */
} growth_case;

/* What the workload needs `seconds` into the horizon. */
static void size_later(const growth_case *g, double seconds, gp_candidate *ret) {
    gp_case later = g->c;
    const gp_unit *unit = &g->c.plan->units[g->unit];
    const int64_t most = g->c.plan->spec->candidates.limits.max_nodes;
    later.demand.requests_per_s *= multiple(g->rate, seconds);
    gp_size_unit(&later, g->unit, 0, most, most * unit->machine.gpus, ret);
    gp_price_candidate(&later, g->unit, 0, ret);
}

/* More machines than the cluster has and the plan buys today. */
static bool outgrown(const gp_plan_context *plan, const gp_growth_row *row) {
    int64_t there = plan->result->site.bought_nodes + plan->result->site.rented_nodes;
    for (size_t u = 0; u < plan->unit_count; u++)
        there += plan->units[u].owned_nodes;
    return row->nodes > there;
}

/* The quarter's machines by kind; what cannot be carried any more counts by its nearest. */
static void count_row(const gp_plan_context *plan, const growth_case *all, size_t count,
                      double seconds, gp_growth_row *row, gp_unit_load *loads) {
    for (size_t i = 0; i < count; i++) {
        if (!all[i].counted || row->quarter < all[i].from)
            continue;
        gp_candidate candidate;
        size_later(&all[i], seconds, &candidate);
        if (!candidate.feasible)
            row->limit_hit = candidate.lack.bound;
        if (candidate.present)
            gp_load_add(plan, loads, &candidate);
        row->gpus += candidate.gpus;
    }
}

static void fill_row(gp_plan_context *plan, const growth_case *all, size_t count,
                     gp_unit_load *loads, gp_growth_row *row, int64_t quarter, double seconds) {
    *row = (gp_growth_row){.quarter = quarter};
    for (size_t u = 0; u < plan->unit_count; u++)
        loads[u] = (gp_unit_load){0};
    count_row(plan, all, count, seconds, row, loads);
    gp_limits usage;
    gp_load_usage(plan, loads, &usage, &row->nodes);
    row->facility_peak_w = usage.it_power_w * plan->design_pue;
    if (row->limit_hit == GP_BOUND_NONE)
        row->limit_hit = gp_limits_lack(&plan->limits, &usage).bound;
    if (row->limit_hit == GP_BOUND_NONE && outgrown(plan, row))
        row->limit_hit = GP_BOUND_SUPPLY;
}

static void add_today(gp_plan_context *plan, growth_case *all) {
    const gp_growth *growth = &plan->spec->growth;
    for (size_t i = 0; i < plan->case_count; i++) {
        const gp_candidate *chosen = &plan->cases[i].out->chosen;
        all[i] = (growth_case){
            .c = plan->cases[i],
            .unit = chosen->feasible ? (size_t)(chosen->unit - plan->units) : 0,
            .rate = rate_of(growth, plan->cases[i].workload->name),
            .counted = chosen->feasible,
        };
    }
}

/* A workload that arrives later runs on the kind that serves it best, bought for it. */
static gp_status add_later(gp_plan_context *plan, growth_case *ret, const gp_growth_add *add) {
    gp_workload_plan *out = GP_NEW(plan->arena, gp_workload_plan);
    if (out == NULL)
        return GP_ERR_NO_MEMORY;
    *ret = (growth_case){.from = quarter_after(add->at, 0)};
    gp_status st = gp_plan_case_init(plan, &add->workload, out, &ret->c);
    if (st != GP_OK)
        return st;
    ret->rate = rate_of(&plan->spec->growth, add->workload.name);
    const int64_t most = plan->spec->candidates.limits.max_nodes;
    gp_candidate best = {0};
    for (size_t u = 0; u < plan->unit_count; u++) {
        const gp_unit *unit = &plan->units[u];
        gp_candidate candidate;
        gp_size_unit(&ret->c, u, 0, most, most * unit->machine.gpus, &candidate);
        gp_price_candidate(&ret->c, u, 0, &candidate);
        if (!candidate.feasible || (best.present && gp_candidate_compare(&candidate, &best) >= 0))
            continue;
        best = candidate;
        ret->unit = u;
        ret->counted = true;
    }
    return GP_OK;
}

gp_status gp_growth_of(gp_plan_context *plan) {
    const gp_growth *growth = &plan->spec->growth;
    gp_plan_result *result = plan->result;
    if (growth->horizon_s <= 0 || growth->start <= 0)
        return GP_OK;
    const size_t count = plan->case_count + growth->adds.count;
    growth_case *all = GP_NEW_ARRAY(plan->arena, growth_case, count);
    gp_unit_load *loads = GP_NEW_ARRAY(plan->arena, gp_unit_load, plan->unit_count);
    if (all == NULL || loads == NULL)
        return GP_ERR_NO_MEMORY;
    add_today(plan, all);
    for (size_t i = 0; i < growth->adds.count; i++) {
        gp_status st = add_later(plan, &all[plan->case_count + i], &growth->adds.items[i]);
        if (st != GP_OK)
            return st;
    }
    const double s_per_quarter = s_per_year / QUARTERS_PER_YEAR;
    const int64_t quarters =
        gp_num_min_i64(GP_GROWTH_MAX, gp_num_ceil_count(growth->horizon_s / s_per_quarter));
    for (int64_t q = 0; q < quarters; q++)
        fill_row(plan, all, count, loads, &result->growth[result->growth_count++],
                 quarter_after(growth->start, q), (double)q * s_per_quarter);
    return GP_OK;
}
