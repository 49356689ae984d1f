/*
 * Demand over the horizon, quarter by quarter: services grow by their rates, recurring runs by
 * their size, jobs that come by the week by their number, and added workloads arrive in their
 * quarter. Each quarter is packed and added up as today is (ledger.c, usage.c), on the kinds chosen
 * today, in the layouts of today or those that need fewer machines by then, and with what earlier
 * quarters bought; before more is bought, on what is idle of other kinds (growth_idle.c).
 */
#include "plan/growth.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"

static const double s_per_year = 31536000; /* 8,760 h: definition */
static const double s_per_day = 86400;     /* definition */
enum { QUARTERS_PER_YEAR = 4, MONTHS_PER_YEAR = 12, MANY_MACHINES = 16 };

/* Periods over which a rate compounds, by the end of its text; definitions. */
static const struct {
    const char *ending;
    double seconds;
} periods[] = {
    {"/yr", 31536000}, {"/year", 31536000}, {"/quarter", 7884000},
    {"/mo", 2628000},  {"/month", 2628000}, {"/wk", 604800},
    {"/week", 604800}, {"/d", 86400},       {"/day", 86400},
};

typedef struct entries {
    const gp_entry *items;
    size_t count;
} entries;

static entries entries_of(const gp_growth *growth, gp_scenario s) {
    const gp_scenarios *all = &growth->scenarios;
    const entries lists[GP_SCENARIO_COUNT] = {
        [GP_SCENARIO_EXPECTED] = {all->expected.items, all->expected.count},
        [GP_SCENARIO_LOW] = {all->low.items, all->low.count},
        [GP_SCENARIO_HIGH] = {all->high.items, all->high.count},
    };
    return lists[s];
}

/* Growth of a workload, per period as the spec writes it; a scenario that does not name it takes
 * the expected one, which is zero where it does not either. */
static gp_growth_rate rate_of(const gp_growth *growth, gp_scenario s, const char *name) {
    gp_growth_rate rate = {.period_s = s_per_year};
    const entries stated = entries_of(growth, s);
    bool named = false;
    for (size_t i = 0; i < stated.count; i++) {
        const gp_entry *entry = &stated.items[i];
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

double gp_growth_seconds(int64_t quarters) {
    return (double)quarters * s_per_year / QUARTERS_PER_YEAR;
}

int64_t gp_growth_before(int64_t date, double seconds) {
    return date_of(days_of(date) - gp_num_ceil_count(seconds / s_per_day));
}

int64_t gp_growth_quarter(const gp_plan_context *plan, int64_t quarters) {
    return quarter_after(plan->spec->growth.start, quarters);
}

bool gp_growth_is_stated(const gp_plan_context *plan, gp_scenario s) {
    return entries_of(&plan->spec->growth, s).count > 0;
}

/* ------------------------------------------------------------ one workload at one time */

/* Each share of a service at several sites grows where it is. */
static void grow_shares(const gp_case *later, gp_growth_case *g) {
    for (int k = 0; k < g->base.share_count; k++) {
        const gp_candidate *share = &g->base.shares[k];
        gp_workload workload;
        const gp_case part = gp_spread_case(later, share->unit, share->share_fraction, &workload);
        gp_size_like(&part, share, &g->shares[k]);
        gp_price_candidate(&part, 0, &g->shares[k]);
        g->shares[k].share_fraction = share->share_fraction;
    }
    gp_spread_sum(later, g->shares, g->base.share_count, &g->now);
}

static int64_t allowed_nodes(const gp_plan_context *plan) {
    return plan->spec->candidates.limits.max_nodes;
}

static void size_later(const gp_case *c, gp_growth_case *g, double factor) {
    gp_case later = gp_case_times(c, factor);
    later.counted = false; /* replicas are declared for today's demand */
    if (g->factor > 0 && !(g->factor < factor) && !(g->factor > factor))
        return;
    g->factor = factor;
    if (gp_num_near(factor, 1)) {
        g->now = g->base;
        return;
    }
    gp_growth_lose(g, factor);
    if (g->base.share_count > 0)
        grow_shares(&later, g);
    else
        gp_growth_fewest(&later, g, &g->now);
    gp_growth_regain(g);
    if (g->now.present)
        gp_price_candidate(&later, 0, &g->now);
}

/* What a plan that is held has of a workload in a quarter, worked out once; NULL: nothing. */
static const gp_candidate *size_held(gp_growth_plan *growth, const gp_growth_row *row, size_t i,
                                     double factor) {
    const gp_plan_context *plan = &growth->later;
    const gp_candidate *like = row->chosen[i];
    const size_t quarter = (size_t)(row - plan->options->hold->growth);
    gp_candidate **known = &growth->held[quarter * plan->case_count + i];
    if (like == NULL || *known != NULL)
        return *known;
    if (gp_num_near(factor, 1) && growth->cases[i].base.present)
        return &growth->cases[i].base;
    const gp_case later = gp_case_times(&plan->cases[i], factor);
    *known = GP_NEW(plan->arena, gp_candidate);
    gp_size_again(&later, like, *known);
    gp_price_candidate(&later, 0, *known);
    return *known;
}

/* ------------------------------------------------------------ all of them at one time */

static bool runs_at(const gp_growth_case *g, double seconds, int64_t quarter) {
    return g->base.present && quarter >= g->from && g->start_s < seconds + gp_growth_seconds(1) &&
           seconds < g->end_s;
}

const gp_growth_row *gp_growth_held(const gp_plan_context *plan, int64_t quarter) {
    const gp_plan_result *hold = plan->options->hold;
    for (int q = 0; hold != NULL && q < hold->growth_count; q++)
        if (hold->growth[q].quarter == quarter)
            return &hold->growth[q];
    return NULL;
}

/* By site, or of the one that there is. */
static size_t stores(const gp_plan_context *plan) {
    return plan->site_count > 0 ? plan->site_count : 1;
}

void gp_growth_start(const gp_plan_context *plan, gp_growth_plan *growth) {
    gp_plan_context *later = &growth->later;
    for (size_t u = 0; u < plan->unit_count; u++) {
        growth->stands[u] = plan->inventory.owned[u];
        later->wired[u] = later->spared[u] = 0;
    }
    for (size_t s = 0; s < stores(plan); s++) {
        later->stored[s] = (gp_stored){0};
        later->spent[s] = 0;
    }
    growth->priced = true;
    growth->left_out = false;
    growth->idle_too_few_s = HUGE_VAL;
}

void gp_growth_stay(gp_growth_plan *growth) {
    gp_plan_context *later = &growth->later;
    for (size_t u = 0; u < later->unit_count; u++) {
        growth->stands[u] += growth->at.ledger.kinds[u].bought;
        later->spared[u] += gp_usage_spares_bought(later, &growth->at.ledger, u);
        later->wired[u] = gp_plan_fabric_nodes(later, &growth->at.ledger, u);
    }
    for (size_t s = 0; s < stores(later); s++) {
        const gp_usage *all = &growth->at.usage;
        const gp_usage *here = later->site_count > 0 ? &all->sites[s] : all;
        later->stored[s] = (gp_stored){here->room.storage_product, here->room.storage_products};
        later->spent[s] = here->site.cost.capital;
    }
    growth->priced = growth->priced && growth->at.usage.site.priced;
    growth->left_out = growth->left_out || growth->at.usage.site.left_out;
}

static void add_up(gp_growth_plan *growth) {
    gp_plan_context *later = &growth->later;
    gp_ledger_of(later, &growth->inventory, growth->at.chosen, &growth->at.ledger);
    gp_usage_of(later, &growth->at.ledger, false, &growth->at.usage);
}

gp_bound gp_growth_at(gp_growth_plan *growth, gp_scenario s, double seconds, int64_t quarter) {
    gp_plan_context *later = &growth->later;
    const gp_growth_row *held = gp_growth_held(later, quarter);
    gp_bound lacking = GP_BOUND_NONE;
    growth->rent_per_s = 0;
    for (size_t u = 0; u < later->unit_count; u++) {
        const int64_t apart = later->units[u].there_nodes - later->units[u].owned_nodes;
        growth->inventory.there[u] = growth->stands[u] + apart;
        growth->inventory.owned[u] = growth->stands[u];
    }
    for (size_t i = 0; i < later->case_count; i++) {
        gp_growth_case *g = &growth->cases[i];
        const double factor = multiple(g->rates[s], seconds);
        growth->at.chosen[i] = held != NULL ? size_held(growth, held, i, factor) : NULL;
        if (held != NULL || !runs_at(g, seconds, quarter))
            continue;
        size_later(&later->cases[i], g, factor);
        if (g->now.present)
            growth->at.chosen[i] = &g->now;
        if (!g->now.feasible)
            lacking = g->now.present ? g->now.lack.bound : GP_BOUND_SUPPLY;
        else if (g->now.nodes > allowed_nodes(later))
            lacking = GP_BOUND_SUPPLY;
    }
    add_up(growth);
    if (held == NULL && gp_growth_use_idle(growth, seconds, &lacking))
        add_up(growth);
    return lacking;
}

/* ------------------------------------------------------------ the workloads of the horizon */

static void set_rates(const gp_growth *growth, const char *name, gp_growth_case *ret) {
    for (int s = 0; s < GP_SCENARIO_COUNT; s++)
        ret->rates[s] = rate_of(growth, (gp_scenario)s, name);
}

/* A few quarters are planned for, the last one among them; that one alone where there are many
 * workloads, or so many machines that one more or less is a small share, and where a plan is told
 * in short; none for what a kind of machine alone would come to. */
static void learn(const gp_growth_plan *growth, const gp_case *c, size_t i, gp_growth_case *g) {
    const gp_plan_context *plan = &growth->later;
    const bool one = plan->options->brief || plan->case_count > GP_PLAN_AGAIN_MAX ||
                     g->base.nodes > MANY_MACHINES;
    const int64_t quarters = growth->quarters - 1;
    const int64_t most = plan->options->alone ? 0 : one ? 1 : GP_GROWTH_LOOKS;
    const int64_t count = gp_num_min_i64(quarters, most);
    double factors[GP_GROWTH_LOOKS];
    int known = 0;
    for (int64_t k = 1; k <= count; k++) {
        const int64_t quarter = (k * quarters + count - 1) / count;
        const double factor = multiple(g->rates[GP_SCENARIO_EXPECTED], gp_growth_seconds(quarter));
        if (factor > (known > 0 ? factors[known - 1] : 1))
            factors[known++] = factor;
    }
    gp_growth_learn(c, i, factors, known, g);
}

void gp_growth_today(gp_growth_plan *growth, const gp_case *c, size_t i,
                     const gp_allocation *best) {
    growth->later.cases[i] = *c;
    gp_growth_case *g = &growth->cases[i];
    const gp_growth_case known = *g;
    *g = (gp_growth_case){
        .end_s = HUGE_VAL, .shares = known.shares, .looks = known.looks, .ways = known.ways};
    set_rates(&growth->later.spec->growth, c->workload->name, g);
    if (best->chosen[i] == NULL)
        return;
    g->base = *best->chosen[i];
    g->start_s = 0;
    learn(growth, c, i, g);
    if (c->kind == GP_DEMAND_DEADLINE)
        g->end_s = gp_num_max(best->ledger.holds[i].start_s, 0) + g->base.time_to_complete_s.high;
}

/* A workload that arrives later runs on the kind that is best for it beside those of today. */
static gp_status add_later(gp_growth_plan *growth, size_t i, const gp_growth_add *add) {
    gp_plan_context *later = &growth->later;
    const int64_t first = quarter_after(add->at, 0);
    const double days =
        (double)(days_of(first) - days_of(quarter_after(later->spec->growth.start, 0)));
    const double seconds = gp_num_max(0, days) * s_per_day;
    gp_workload_plan *out = GP_NEW(later->arena, gp_workload_plan);
    gp_options options;
    gp_growth_case *g = &growth->cases[i];
    *g = (gp_growth_case){.from = first, .start_s = seconds, .end_s = HUGE_VAL};
    gp_status st = gp_plan_case_init(later, &add->workload, out, &later->cases[i]);
    set_rates(&later->spec->growth, add->workload.name, g);
    if (st != GP_OK || later->options->hold != NULL)
        return st;
    gp_options_of(&later->cases[i], &growth->inventory, &options);
    int best = GP_UNPLACED;
    for (size_t k = 0; k < options.count; k++)
        if (best == GP_UNPLACED || options.items[k].it_mean_w < options.items[best].it_mean_w)
            best = (int)k;
    if (best != GP_UNPLACED)
        g->base = options.items[best];
    if (later->cases[i].kind == GP_DEMAND_DEADLINE)
        g->end_s = seconds + g->base.time_to_complete_s.high;
    return GP_OK;
}

static gp_status init_later(gp_plan_context *plan, gp_growth_plan *growth) {
    const gp_growth *spec = &plan->spec->growth;
    gp_plan_context *later = &growth->later;
    *later = *plan;
    later->case_count = plan->case_count + spec->adds.count;
    later->class_count = 0;
    later->cases = GP_NEW_ARRAY(plan->arena, gp_case, later->case_count + 1);
    growth->cases = GP_NEW_ARRAY(plan->arena, gp_growth_case, later->case_count + 1);
    growth->stands = GP_NEW_ARRAY(plan->arena, int64_t, plan->unit_count + 1);
    later->wired = GP_NEW_ARRAY(plan->arena, int64_t, plan->unit_count + 1);
    later->spared = GP_NEW_ARRAY(plan->arena, int64_t, plan->unit_count + 1);
    later->stored = GP_NEW_ARRAY(plan->arena, gp_stored, stores(plan));
    later->spent = GP_NEW_ARRAY(plan->arena, double, stores(plan) + 1);
    growth->held =
        GP_NEW_ARRAY(plan->arena, gp_candidate *, later->case_count * (size_t)growth->quarters + 1);
    growth->inventory = plan->inventory;
    growth->inventory.owned = GP_NEW_ARRAY(plan->arena, int64_t, plan->unit_count + 1);
    growth->inventory.there = GP_NEW_ARRAY(plan->arena, int64_t, plan->unit_count + 1);
    gp_status st = GP_OK;
    for (size_t i = 0; i < plan->case_count && st == GP_OK; i++) {
        later->cases[i] = plan->cases[i];
        gp_growth_case *g = &growth->cases[i];
        g->shares = GP_NEW_ARRAY(plan->arena, gp_candidate, plan->place_count);
        g->looks = GP_NEW_ARRAY(plan->arena, gp_growth_look *, plan->unit_count + 1);
        g->ways = GP_NEW_ARRAY(plan->arena, gp_growth_way, GP_GROWTH_LOOKS + 1);
    }
    for (size_t k = 0; k < spec->adds.count && st == GP_OK; k++)
        st = add_later(growth, plan->case_count + k, &spec->adds.items[k]);
    if (st == GP_OK)
        gp_plan_order(later);
    if (st == GP_OK)
        gp_allocation_init(later, &growth->at);
    return st;
}

gp_status gp_growth_init(gp_plan_context *plan) {
    const double horizon_s = plan->spec->growth.horizon_s;
    const double quarter_s = s_per_year / QUARTERS_PER_YEAR;
    if (horizon_s <= 0)
        return GP_OK;
    gp_growth_plan *growth = GP_NEW(plan->arena, gp_growth_plan);
    growth->quarters = (int)gp_num_min_i64(GP_GROWTH_MAX, gp_num_ceil_count(horizon_s / quarter_s));
    plan->growth = growth;
    return init_later(plan, growth);
}
