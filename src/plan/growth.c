/*
 * Demand over the horizon, quarter by quarter: inference grows by its scenario, added workloads
 * arrive in their quarter. Machines are counted on the kinds chosen today, with the purchases
 * before as a floor; the first limit that is passed in a quarter is named, and when to order. A job
 * with a deadline leaves its machines to others once it is done.
 */
#include "plan/context.h"

#include <math.h>

#include "base/num.h"
#include "base/str.h"

static const double s_per_year = 31536000; /* 8,760 h: definition */
static const double s_per_day = 86400;     /* definition */
enum { QUARTERS_PER_YEAR = 4, MONTHS_PER_YEAR = 12 };

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

typedef enum scenario { EXPECTED, LOW, HIGH, SCENARIOS } scenario;

static void entries_of(const gp_growth *growth, scenario s, const gp_entry **ret_items,
                       size_t *ret_count) {
    const gp_scenarios *all = &growth->scenarios;
    switch (s) {
    case LOW:
        *ret_items = all->low.items;
        *ret_count = all->low.count;
        return;
    case HIGH:
        *ret_items = all->high.items;
        *ret_count = all->high.count;
        return;
    case EXPECTED:
    case SCENARIOS: break;
    }
    *ret_items = all->expected.items;
    *ret_count = all->expected.count;
}

/* Growth of a workload, per period as the spec writes it; a scenario that does not name it takes
 * the expected one, which is zero where it does not either. */
static growth_rate rate_of(const gp_growth *growth, scenario s, const char *name) {
    growth_rate rate = {.period_s = s_per_year};
    const gp_entry *entries = NULL;
    size_t count = 0;
    bool named = false;
    entries_of(growth, s, &entries, &count);
    for (size_t i = 0; i < count; i++) {
        const gp_entry *entry = &entries[i];
        if (!gp_str_equal(entry->key, name))
            continue;
        named = true;
        for (size_t p = 0; p < sizeof periods / sizeof periods[0]; p++)
            if (gp_str_ends(entry->text, periods[p].ending))
                rate.period_s = periods[p].seconds;
        rate.per_period = entry->value * rate.period_s;
    }
    return named || s == EXPECTED ? rate : rate_of(growth, EXPECTED, name);
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

/* Days since 1970-01-01 of a date of the proleptic Gregorian calendar, and back (Howard Hinnant,
 * "chrono-compatible low-level date algorithms"): years begin in March, so that the leap day is
 * their last. */
static int64_t days_of(int64_t date) {
    const int64_t month = date / 100 % 100;
    const int64_t year = date / 10000 - (month <= 2 ? 1 : 0);
    const int64_t era = year / 400;
    const int64_t of_era = year - era * 400;
    const int64_t day = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + date % 100 - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + day - 719468;
}

static int64_t date_of(int64_t days) {
    const int64_t shifted = days + 719468;
    const int64_t era = shifted / 146097;
    const int64_t day = shifted - era * 146097;
    const int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    const int64_t of_year = day - (365 * year + year / 4 - year / 100);
    const int64_t part = (5 * of_year + 2) / 153;
    const int64_t month = part < 10 ? part + 3 : part - 9;
    const int64_t date = of_year - (153 * part + 2) / 5 + 1;
    return (year + era * 400 + (month <= 2 ? 1 : 0)) * 10000 + month * 100 + date;
}

static int64_t date_before(int64_t date, double seconds) {
    return date_of(days_of(date) - gp_num_ceil_count(seconds / s_per_day));
}

int64_t gp_growth_date(int64_t start, double seconds) {
    const double months = seconds / s_per_year * MONTHS_PER_YEAR;
    const int64_t whole = gp_num_floor_count(months + 0.5);
    if (start <= 0)
        return 0;
    if (!gp_num_near(months, (double)whole))
        return date_of(days_of(start) + gp_num_floor_count(seconds / s_per_day));
    const int64_t from = start / 10000 * MONTHS_PER_YEAR + start / 100 % 100 - 1 + whole;
    return from / MONTHS_PER_YEAR * 10000 + (from % MONTHS_PER_YEAR + 1) * 100 + start % 100;
}

typedef struct growth_case {
    gp_case c;
    size_t unit;
    growth_rate rates[SCENARIOS];
    int64_t from; /* first quarter it runs in */
    double end_s; /* a job that ends: after the start of the horizon; else HUGE_VAL */
    bool counted; /* has a unit to grow on */
} growth_case;

/* What the workload needs `seconds` into the horizon. */
static void size_later(const growth_case *g, scenario s, double seconds, gp_candidate *ret) {
    gp_case later = g->c;
    const gp_unit *unit = &g->c.plan->units[g->unit];
    const int64_t most = g->c.plan->spec->candidates.limits.max_nodes;
    later.demand.requests_per_s *= multiple(g->rates[s], seconds);
    gp_size_unit(&later, g->unit, 0, most, most * unit->machine.gpus, ret);
    gp_price_candidate(&later, g->unit, 0, ret);
}

/* More machines than the cluster has and the plan buys today. */
static int64_t nodes_there(const gp_plan_context *plan) {
    int64_t there = plan->result->site.bought_nodes + plan->result->site.rented_nodes;
    for (size_t u = 0; u < plan->unit_count; u++)
        there += plan->units[u].owned_nodes;
    return there;
}

/* Runs in the quarter that starts `seconds` into the horizon, on machines that it does not share by
 * turns. */
static bool runs_in(const growth_case *g, double seconds, int64_t quarter) {
    return g->counted && quarter >= g->from && seconds < g->end_s &&
           g->c.out->chosen.timing.turn == GP_TURN_OWN;
}

/* The quarter's machines by kind; what cannot be carried any more counts by its nearest. */
static void count_row(const gp_plan_context *plan, const growth_case *all, size_t count,
                      double seconds, gp_growth_row *row, gp_unit_load *loads,
                      int64_t *case_nodes) {
    for (size_t i = 0; i < count; i++) {
        if (!runs_in(&all[i], seconds, row->quarter))
            continue;
        gp_candidate candidate;
        size_later(&all[i], EXPECTED, seconds, &candidate);
        case_nodes[i] = candidate.present ? candidate.nodes : 0;
        if (!candidate.feasible)
            row->limit_hit = candidate.lack.bound;
        if (candidate.present)
            gp_load_add(plan, loads, &candidate);
        row->gpus += candidate.gpus;
    }
}

/* Machines in the quarter by another scenario; -1 where the spec has none. */
static int64_t nodes_by(const gp_plan_context *plan, const growth_case *all, size_t count,
                        scenario s, double seconds, int64_t quarter, gp_unit_load *loads) {
    const gp_entry *entries = NULL;
    size_t stated = 0;
    int64_t nodes = 0;
    gp_limits usage;
    entries_of(&plan->spec->growth, s, &entries, &stated);
    if (stated == 0)
        return -1;
    for (size_t u = 0; u < plan->unit_count; u++)
        loads[u] = (gp_unit_load){0};
    for (size_t i = 0; i < count; i++) {
        gp_candidate candidate;
        if (!runs_in(&all[i], seconds, quarter))
            continue;
        size_later(&all[i], s, seconds, &candidate);
        if (candidate.present)
            gp_load_add(plan, loads, &candidate);
    }
    gp_load_usage(plan, loads, &usage, &nodes);
    return nodes;
}

/* What is bought stays: a quarter buys only what exceeds all that was there or bought before. */
static void set_purchases(gp_plan_context *plan) {
    gp_plan_result *result = plan->result;
    int64_t there = nodes_there(plan);
    const gp_lead_time *lead = &plan->spec->growth.lead_time;
    int64_t switches = result->growth_count > 0 ? result->growth[0].switches : 0;
    double power_w = plan->limits.it_power_w;
    for (int i = 0; i < result->growth_count; i++) {
        gp_growth_row *row = &result->growth[i];
        const int64_t module = gp_num_max_i64(1, plan->spec->growth.module_nodes);
        const int64_t wanted = gp_num_max_i64(0, row->nodes - there);
        row->buy_nodes = (wanted + module - 1) / module * module;
        there += row->buy_nodes;
        if (row->buy_nodes > 0)
            row->order_by = date_before(row->quarter, lead->gpus_s);
        if (row->switches > switches && lead->fabric_s > 0)
            row->order_fabric_by = date_before(row->quarter, lead->fabric_s);
        switches = gp_num_max_i64(switches, row->switches);
        if (row->it_power_w > power_w && lead->power_s > 0)
            row->order_power_by = date_before(row->quarter, lead->power_s);
        power_w = gp_num_max(power_w, row->it_power_w);
    }
}

static int64_t switches_of(const gp_plan_context *plan, const gp_unit_load *loads) {
    int64_t switches = 0;
    for (size_t u = 0; u < plan->unit_count; u++) {
        const int64_t nodes = gp_load_nodes(&plan->units[u], &loads[u]);
        gp_fabric_size size;
        if (nodes == 0 || plan->units[u].cloud != NULL)
            continue;
        gp_plan_fabric(plan, u, nodes, &size);
        switches += size.leaf + size.spine + size.core;
    }
    return switches;
}

static void fill_row(gp_plan_context *plan, const growth_case *all, size_t count,
                     gp_unit_load *loads, gp_growth_row *row, int64_t quarter, double seconds,
                     int64_t *case_nodes) {
    *row = (gp_growth_row){.quarter = quarter, .case_nodes = case_nodes};
    for (size_t u = 0; u < plan->unit_count; u++)
        loads[u] = (gp_unit_load){0};
    count_row(plan, all, count, seconds, row, loads, case_nodes);
    gp_limits usage;
    gp_load_usage(plan, loads, &usage, &row->nodes);
    row->it_power_w = usage.it_power_w;
    row->switches = switches_of(plan, loads);
    row->facility_peak_w = usage.it_power_w * plan->design_pue;
    if (row->limit_hit == GP_BOUND_NONE)
        row->limit_hit = gp_limits_lack(&plan->limits, &usage).bound;
    if (row->limit_hit == GP_BOUND_NONE && row->nodes > nodes_there(plan))
        row->limit_hit = GP_BOUND_SUPPLY;
    row->nodes_low = nodes_by(plan, all, count, LOW, seconds, quarter, loads);
    row->nodes_high = nodes_by(plan, all, count, HIGH, seconds, quarter, loads);
}

static void set_rates(const gp_growth *growth, const char *name, growth_case *ret) {
    for (int s = 0; s < SCENARIOS; s++)
        ret->rates[s] = rate_of(growth, (scenario)s, name);
}

static void add_today(gp_plan_context *plan, growth_case *all) {
    const gp_growth *growth = &plan->spec->growth;
    for (size_t i = 0; i < plan->case_count; i++) {
        const gp_candidate *chosen = &plan->cases[i].out->chosen;
        all[i] = (growth_case){
            .c = plan->cases[i],
            .unit = chosen->feasible ? (size_t)(chosen->unit - plan->units) : 0,
            .counted = chosen->feasible,
            .end_s = gp_demand_kind_of(&plan->cases[i]) == GP_DEMAND_DEADLINE
                         ? chosen->time_to_complete_s.high
                         : HUGE_VAL,
        };
        set_rates(growth, plan->cases[i].workload->name, &all[i]);
    }
}

/* A workload that arrives later runs on the kind that serves it best, bought for it. */
static gp_status add_later(gp_plan_context *plan, growth_case *ret, const gp_growth_add *add) {
    const int64_t first = quarter_after(add->at, 0);
    const double days =
        (double)(days_of(first) - days_of(quarter_after(plan->spec->growth.start, 0)));
    const double seconds = gp_num_max(0, days) * s_per_day;
    gp_workload_plan *out = GP_NEW(plan->arena, gp_workload_plan);
    if (out == NULL)
        return GP_ERR_NO_MEMORY;
    *ret = (growth_case){.from = first, .end_s = HUGE_VAL};
    gp_status st = gp_plan_case_init(plan, &add->workload, out, &ret->c);
    if (st != GP_OK)
        return st;
    set_rates(&plan->spec->growth, add->workload.name, ret);
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
    out->chosen = best;
    if (gp_demand_kind_of(&ret->c) == GP_DEMAND_DEADLINE)
        ret->end_s = seconds + best.time_to_complete_s.high;
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
    int64_t *case_nodes = GP_NEW_ARRAY(plan->arena, int64_t, (count + 1) * GP_GROWTH_MAX);
    if (all == NULL || loads == NULL || case_nodes == NULL)
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
                 quarter_after(growth->start, q), (double)q * s_per_quarter,
                 &case_nodes[(size_t)q * count]);
    set_purchases(plan);
    return GP_OK;
}
