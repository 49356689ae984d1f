/*
 * Demand over the horizon, quarter by quarter: inference grows by its scenario, added workloads
 * arrive in their quarter. Machines are counted on the kinds chosen today, with the purchases
 * before as a floor for each kind; a job with a deadline leaves its machines to others once it is
 * done. One pass back from the last quarter then fixes what is built once: tiers and spines of the
 * fabrics, racks, power and cooling.
 */
#include "plan/growth.h"

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

static void entries_of(const gp_growth *growth, gp_scenario s, const gp_entry **ret_items,
                       size_t *ret_count) {
    const gp_scenarios *all = &growth->scenarios;
    switch (s) {
    case GP_SCENARIO_LOW:
        *ret_items = all->low.items;
        *ret_count = all->low.count;
        return;
    case GP_SCENARIO_HIGH:
        *ret_items = all->high.items;
        *ret_count = all->high.count;
        return;
    case GP_SCENARIO_EXPECTED:
    case GP_SCENARIO_COUNT: break;
    }
    *ret_items = all->expected.items;
    *ret_count = all->expected.count;
}

/* Growth of a workload, per period as the spec writes it; a scenario that does not name it takes
 * the expected one, which is zero where it does not either. */
static gp_growth_rate rate_of(const gp_growth *growth, gp_scenario s, const char *name) {
    gp_growth_rate rate = {.period_s = s_per_year};
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
    return named || s == GP_SCENARIO_EXPECTED ? rate : rate_of(growth, GP_SCENARIO_EXPECTED, name);
}

/* Demand after `seconds`, as a multiple of today's. */
static double multiple(gp_growth_rate rate, double seconds) {
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

/* What the workload needs `seconds` into the horizon. */
static void size_later(const gp_growth_case *g, gp_scenario s, double seconds, gp_candidate *ret) {
    if (g->fixed.present) {
        *ret = g->fixed;
        return;
    }
    gp_case later = g->c;
    const gp_unit *unit = &g->c.plan->units[g->unit];
    const int64_t most = g->c.plan->spec->candidates.limits.max_nodes;
    later.demand.requests_per_s *= multiple(g->rates[s], seconds);
    gp_size_unit(&later, g->unit, 0, most, most * unit->machine.gpus, ret);
    gp_price_candidate(&later, g->unit, 0, ret);
}

double gp_growth_seconds(int64_t quarters) {
    return (double)quarters * s_per_year / QUARTERS_PER_YEAR;
}

int64_t gp_growth_before(int64_t date, double seconds) {
    return date_before(date, seconds);
}

/* Runs in the quarter that starts `seconds` into the horizon, on machines that it does not share by
 * turns. */
static bool runs_in(const gp_growth_case *g, double seconds, int64_t quarter) {
    return g->counted && quarter >= g->from && seconds < g->end_s &&
           g->c.out->chosen.timing.turn == GP_TURN_OWN;
}

static void clear_loads(const gp_plan_context *plan) {
    for (size_t u = 0; u < plan->unit_count; u++)
        plan->growth->loads[u] = (gp_unit_load){0};
}

/* Machines of each kind that the loads are, and in all. */
static int64_t count_loads(const gp_plan_context *plan) {
    gp_growth_plan *growth = plan->growth;
    int64_t nodes = 0;
    for (size_t u = 0; u < plan->unit_count; u++) {
        growth->need[u] = gp_load_nodes(&plan->units[u], &growth->loads[u]);
        nodes += growth->need[u];
    }
    return nodes;
}

/* Machines of each kind for the demand at a time, and in all. */
static int64_t need_at(const gp_plan_context *plan, gp_scenario s, double seconds,
                       int64_t quarter) {
    const gp_growth_plan *growth = plan->growth;
    clear_loads(plan);
    for (size_t i = 0; i < growth->case_count; i++) {
        gp_candidate candidate;
        if (!runs_in(&growth->cases[i], seconds, quarter))
            continue;
        size_later(&growth->cases[i], s, seconds, &candidate);
        if (candidate.present)
            gp_load_add(plan, growth->loads, &candidate);
    }
    return count_loads(plan);
}

/* What is bought stays: only what exceeds it is added. */
void gp_growth_raise(const gp_plan_context *plan, const int64_t *need, int64_t *have) {
    const int64_t module = gp_num_max_i64(1, plan->spec->growth.module_nodes);
    for (size_t u = 0; u < plan->unit_count; u++) {
        const int64_t more = gp_num_max_i64(0, need[u] - have[u]);
        have[u] += (more + module - 1) / module * module;
    }
}

void gp_growth_stand(const gp_plan_context *plan, gp_scenario s, double seconds, int64_t quarter,
                     int64_t *have) {
    (void)need_at(plan, s, seconds, quarter);
    gp_growth_raise(plan, plan->growth->need, have);
}

void gp_growth_usage(const gp_plan_context *plan, const int64_t *have, gp_limits *ret_usage) {
    int64_t nodes = 0;
    for (size_t u = 0; u < plan->unit_count; u++)
        plan->growth->loads[u] = (gp_unit_load){.whole_nodes = have[u]};
    gp_load_usage(plan, plan->growth->loads, ret_usage, &nodes);
}

void gp_growth_start(const gp_plan_context *plan, int64_t *have) {
    for (size_t u = 0; u < plan->unit_count; u++)
        have[u] = gp_num_max_i64(plan->units[u].owned_nodes,
                                 gp_load_nodes(&plan->units[u], &plan->loads[u]));
}

static bool is_stated(const gp_growth *growth, gp_scenario s) {
    const gp_entry *entries = NULL;
    size_t stated = 0;
    entries_of(growth, s, &entries, &stated);
    return stated > 0;
}

static int64_t nodes_by(const gp_plan_context *plan, gp_scenario s, double seconds,
                        int64_t quarter) {
    return is_stated(&plan->spec->growth, s) ? need_at(plan, s, seconds, quarter) : -1;
}

/* The quarter's demand; what cannot be carried any more counts by its nearest. */
static void count_demand(const gp_plan_context *plan, double seconds, int64_t *case_nodes,
                         gp_growth_row *row) {
    const gp_growth_plan *growth = plan->growth;
    clear_loads(plan);
    for (size_t i = 0; i < growth->case_count; i++) {
        gp_candidate candidate;
        if (!runs_in(&growth->cases[i], seconds, row->quarter))
            continue;
        size_later(&growth->cases[i], GP_SCENARIO_EXPECTED, seconds, &candidate);
        case_nodes[i] = candidate.present ? candidate.nodes : 0;
        if (!candidate.feasible)
            row->limit_hit = candidate.lack.bound;
        if (candidate.present)
            gp_load_add(plan, growth->loads, &candidate);
        row->gpus += candidate.gpus;
    }
}

void gp_growth_count(const gp_plan_context *plan, const int64_t *before, bool first,
                     gp_growth_row *row) {
    row->stand_nodes = 0;
    row->buy_nodes = first ? plan->result->site.bought_nodes : 0;
    for (size_t u = 0; u < plan->unit_count; u++) {
        row->stand_nodes += row->kind_nodes[u];
        row->buy_nodes += plan->units[u].cloud == NULL ? row->kind_nodes[u] - before[u] : 0;
    }
}

/* Forwards: each quarter stands on the one before. */
static void fill_row(const gp_plan_context *plan, const int64_t *before, int64_t *case_nodes,
                     int64_t *kind_nodes, int64_t *need_nodes, gp_growth_row *row, int q) {
    const double seconds = gp_growth_seconds(q);
    *row = (gp_growth_row){.quarter = quarter_after(plan->spec->growth.start, q),
                           .case_nodes = case_nodes,
                           .kind_nodes = kind_nodes,
                           .need_nodes = need_nodes};
    row->nodes_low = nodes_by(plan, GP_SCENARIO_LOW, seconds, row->quarter);
    row->nodes_high = nodes_by(plan, GP_SCENARIO_HIGH, seconds, row->quarter);
    count_demand(plan, seconds, case_nodes, row);
    row->nodes = count_loads(plan);
    for (size_t u = 0; u < plan->unit_count; u++) {
        kind_nodes[u] = before[u];
        need_nodes[u] = plan->growth->need[u];
    }
    gp_growth_raise(plan, need_nodes, kind_nodes);
    gp_growth_count(plan, before, q == 0, row);
}

/* Backwards: the most that any quarter from here on takes. */
static void fix_shell(gp_plan_context *plan) {
    const gp_plan_result *result = plan->result;
    for (int q = result->growth_count - 1; q >= 0; q--) {
        for (size_t u = 0; u < plan->unit_count; u++) {
            gp_fabric_size *shell = &plan->shells[u];
            gp_fabric_size size;
            if (plan->units[u].cloud != NULL)
                continue;
            gp_plan_fabric(plan, u, result->growth[q].kind_nodes[u], &size);
            shell->tiers = gp_num_max_i64(shell->tiers, size.tiers);
            shell->spine = gp_num_max_i64(shell->spine, size.spine);
            shell->core = gp_num_max_i64(shell->core, size.core);
        }
    }
}

static void set_rates(const gp_growth *growth, const char *name, gp_growth_case *ret) {
    for (int s = 0; s < GP_SCENARIO_COUNT; s++)
        ret->rates[s] = rate_of(growth, (gp_scenario)s, name);
}

static void add_today(gp_plan_context *plan, gp_growth_case *all) {
    const gp_growth *growth = &plan->spec->growth;
    for (size_t i = 0; i < plan->case_count; i++) {
        const gp_candidate *chosen = &plan->cases[i].out->chosen;
        all[i] = (gp_growth_case){
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
static gp_status add_later(gp_plan_context *plan, gp_growth_case *ret, const gp_growth_add *add) {
    const int64_t first = quarter_after(add->at, 0);
    const double days =
        (double)(days_of(first) - days_of(quarter_after(plan->spec->growth.start, 0)));
    const double seconds = gp_num_max(0, days) * s_per_day;
    gp_workload_plan *out = GP_NEW(plan->arena, gp_workload_plan);
    if (out == NULL)
        return GP_ERR_NO_MEMORY;
    *ret = (gp_growth_case){.from = first, .end_s = HUGE_VAL};
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

static gp_status init(gp_plan_context *plan) {
    const gp_growth *growth = &plan->spec->growth;
    gp_growth_plan *ret = GP_NEW(plan->arena, gp_growth_plan);
    if (ret == NULL)
        return GP_ERR_NO_MEMORY;
    ret->case_count = plan->case_count + growth->adds.count;
    ret->cases = GP_NEW_ARRAY(plan->arena, gp_growth_case, ret->case_count + 1);
    ret->loads = GP_NEW_ARRAY(plan->arena, gp_unit_load, plan->unit_count);
    ret->need = GP_NEW_ARRAY(plan->arena, int64_t, plan->unit_count);
    plan->shells = GP_NEW_ARRAY(plan->arena, gp_fabric_size, plan->unit_count);
    if (ret->cases == NULL || ret->loads == NULL || ret->need == NULL || plan->shells == NULL)
        return GP_ERR_NO_MEMORY;
    plan->growth = ret;
    add_today(plan, ret->cases);
    for (size_t i = 0; i < growth->adds.count; i++) {
        gp_status st = add_later(plan, &ret->cases[plan->case_count + i], &growth->adds.items[i]);
        if (st != GP_OK)
            return st;
    }
    for (size_t i = 0; i < ret->case_count; i++)
        if (ret->cases[i].counted && !ret->cases[i].c.out->is_serving)
            size_later(&ret->cases[i], GP_SCENARIO_EXPECTED, 0, &ret->cases[i].fixed);
    return GP_OK;
}

gp_status gp_growth_of(gp_plan_context *plan) {
    const gp_growth *growth = &plan->spec->growth;
    gp_plan_result *result = plan->result;
    if (growth->horizon_s <= 0 || growth->start <= 0)
        return GP_OK;
    gp_status st = init(plan);
    if (st != GP_OK)
        return st;
    const size_t cases = plan->growth->case_count;
    const size_t units = plan->unit_count;
    int64_t *case_nodes = GP_NEW_ARRAY(plan->arena, int64_t, (cases + 1) * GP_GROWTH_MAX);
    int64_t *kind_nodes = GP_NEW_ARRAY(plan->arena, int64_t, units * (GP_GROWTH_MAX + 1));
    int64_t *need_nodes = GP_NEW_ARRAY(plan->arena, int64_t, units * GP_GROWTH_MAX);
    if (case_nodes == NULL || kind_nodes == NULL || need_nodes == NULL)
        return GP_ERR_NO_MEMORY;
    const double quarter_s = s_per_year / QUARTERS_PER_YEAR;
    const int64_t quarters =
        gp_num_min_i64(GP_GROWTH_MAX, gp_num_ceil_count(growth->horizon_s / quarter_s));
    gp_growth_start(plan, kind_nodes);
    for (int q = 0; q < quarters; q++) {
        fill_row(plan, kind_nodes, case_nodes, kind_nodes + units, need_nodes, &result->growth[q],
                 q);
        case_nodes += cases;
        need_nodes += units;
        kind_nodes += units;
        result->growth_count++;
    }
    fix_shell(plan);
    return GP_OK;
}
