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

/* Expected growth of a workload per second; 0: none given. */
static double growth_rate(const gp_growth *growth, const char *name) {
    for (size_t i = 0; i < growth->scenarios.expected.count; i++)
        if (gp_str_equal(growth->scenarios.expected.items[i].key, name))
            return growth->scenarios.expected.items[i].value;
    return 0;
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
    double per_s; /* growth of demand */
    int64_t from; /* first quarter it runs in */
    bool counted; /* has a unit to grow on */
} growth_case;

/* What the workload needs `seconds` into the horizon. */
static void size_later(const growth_case *g, double seconds, gp_candidate *ret) {
    gp_case later = g->c;
    const gp_unit *unit = &g->c.plan->units[g->unit];
    const int64_t most = g->c.plan->spec->candidates.limits.max_nodes;
    /* Monthly and yearly rates compound once a year of 8,760 h. */
    later.demand.requests_per_s *= gp_num_pow(1 + g->per_s * s_per_year, seconds / s_per_year);
    gp_size_unit(&later, g->unit, 0, most, most * unit->machine.gpus, ret);
    gp_price_candidate(&later, g->unit, 0, ret);
}

static gp_bound first_limit(const gp_plan_context *plan, const gp_limits *usage,
                            const gp_growth_row *row) {
    const gp_lack lack = gp_limits_lack(&plan->limits, usage);
    if (lack.bound != GP_BOUND_NONE)
        return lack.bound;
    int64_t owned = 0;
    for (size_t u = 0; u < plan->unit_count; u++)
        owned += plan->units[u].owned_nodes;
    return owned > 0 && row->nodes > owned ? GP_BOUND_SUPPLY : GP_BOUND_NONE;
}

static void fill_row(gp_plan_context *plan, const growth_case *all, size_t count,
                     gp_growth_row *row, int64_t quarter, double seconds) {
    gp_limits usage = {0};
    double watts = 0;
    *row = (gp_growth_row){.quarter = quarter};
    for (size_t i = 0; i < count; i++) {
        if (!all[i].counted || quarter < all[i].from)
            continue;
        gp_candidate candidate;
        size_later(&all[i], seconds, &candidate);
        if (!candidate.feasible) {
            row->limit_hit = candidate.lack.bound;
            continue;
        }
        gp_limits own;
        gp_usage_of(plan, &candidate, &own);
        row->gpus += candidate.gpus;
        row->nodes += candidate.nodes;
        watts += candidate.it_nameplate_w;
        usage.it_power_w += own.it_power_w;
        usage.air_w += own.air_w;
        usage.liquid_w += own.liquid_w;
        usage.racks += own.racks;
        usage.capital += own.capital;
    }
    row->facility_peak_w = (watts + plan->result->site.network_w) * plan->design_pue;
    if (row->limit_hit == GP_BOUND_NONE)
        row->limit_hit = first_limit(plan, &usage, row);
}

static void add_today(gp_plan_context *plan, growth_case *all) {
    const gp_growth *growth = &plan->spec->growth;
    for (size_t i = 0; i < plan->case_count; i++) {
        const gp_candidate *chosen = &plan->cases[i].out->chosen;
        all[i] = (growth_case){
            .c = plan->cases[i],
            .unit = chosen->feasible ? (size_t)(chosen->unit - plan->units) : 0,
            .per_s = growth_rate(growth, plan->cases[i].workload->name),
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
    ret->per_s = growth_rate(&plan->spec->growth, add->workload.name);
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
    if (all == NULL)
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
        fill_row(plan, all, count, &result->growth[result->growth_count++],
                 quarter_after(growth->start, q), (double)q * s_per_quarter);
    return GP_OK;
}
