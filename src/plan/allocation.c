/*
 * The choice for all workloads at once: for each one of its options, so that those of higher
 * priority are placed first and the site that comes out is best by the objective. The site is
 * packed and added up for every trial (ledger.c, usage.c), so what is shared is shared in the
 * choice, too, and limits bind by what the whole of it takes. Starts are built one workload at a
 * time and improved by exchanges; small problems are then searched whole, with what is known to be
 * added by the rest as a bound. No seed and no clock: the order is that of priorities and names.
 */
#include "plan/context.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "plan/fill.h"

enum {
    EXACT_CASES = 8,      /* at most so many workloads are searched whole */
    EXACT_VISITS = 40000, /* trials of that */
    QUICK_VISITS = 4000,
    MEMO_SLOTS = 1024, /* powers of two; where there are few workloads fewer are filled */
    MEMO_FEW = 64,
    FEW_CASES = 2,
    PASSES_MAX = 12,
    PAIR_CASES = 24,
    PAIR_TRIALS = 20000
};

/* ------------------------------------------------------------ the value of an allocation */

void gp_allocation_init(gp_plan_context *plan, gp_allocation *ret) {
    *ret = (gp_allocation){
        .picks = GP_NEW_ARRAY(plan->arena, int, plan->case_count + 1),
        .chosen = GP_NEW_ARRAY(plan->arena, const gp_candidate *, plan->case_count + 1)};
    ret->value.missing = GP_NEW_ARRAY(plan->arena, int64_t, plan->class_count + 1);
    ret->spare_missing = GP_NEW_ARRAY(plan->arena, int64_t, plan->class_count + 1);
    ret->own_options = GP_NEW_ARRAY(plan->arena, gp_options, plan->case_count + 1);
    ret->options = plan->ways;
    for (size_t i = 0; i < plan->case_count; i++)
        ret->picks[i] = GP_UNPLACED;
    gp_ledger_init(plan, &ret->ledger);
    gp_usage_init(plan, &ret->usage);
}

/* What rented machines draw, which no meter of the site shows. */
static double rented_w(const gp_plan_context *plan, const gp_site_plan *site,
                       const gp_allocation *a, bool year) {
    double watts = 0;
    for (size_t i = 0; site->rented_nodes > 0 && i < plan->case_count; i++) {
        const gp_candidate *chosen = a->chosen[i];
        if (chosen == NULL || chosen->unit->cloud == NULL)
            continue;
        const size_t unit = (size_t)(chosen->unit - plan->units);
        watts += chosen->it_mean_w *
                 (year ? chosen->busy_fraction * gp_plan_weight_year(plan, unit) : 1);
    }
    return watts;
}

static void add_times(const gp_plan_context *plan, const gp_allocation *a, double *ret_runs,
                      double *ret_tokens) {
    for (size_t i = 0; i < plan->case_count; i++) {
        const gp_candidate *chosen = a->chosen[i];
        if (chosen == NULL)
            continue;
        *ret_runs += chosen->time_to_complete_s.expected + a->ledger.holds[i].timing.wait_s;
        *ret_tokens += chosen->tpot_p95_s.expected;
    }
}

/* Nameplate of machines to buy or rent: by an objective that nobody stated, what is there goes
 * before what is bought. */
static double bought_w(const gp_plan_context *plan, const gp_allocation *a) {
    double watts = 0;
    for (size_t u = 0; u < plan->unit_count; u++) {
        const gp_kind_hold *kind = &a->ledger.kinds[u];
        const int64_t nodes = plan->units[u].cloud != NULL ? kind->nodes : kind->bought;
        watts += (double)nodes * plan->facts[u].idle.nameplate_w;
    }
    return watts;
}

/* The objective, then its ties: of plans alike in it, the one that buys less. */
static void set_keys(const gp_plan_context *plan, const gp_site_plan *site, gp_allocation *a) {
    double *keys = a->value.keys;
    const double power_w = site->weighed_mean + rented_w(plan, site, a, false);
    const double nodes = (double)site->nodes;
    const double gpus = (double)site->gpus;
    const double bought = (double)(site->bought_nodes + site->rented_nodes);
    const double ties[] = {power_w, nodes, gpus};
    double first = 0;
    double second = 0;
    switch (plan->objective) {
    case GP_OBJECTIVE_MIN_COST: first = site->cost.total_per_s; break;
    case GP_OBJECTIVE_MIN_GPUS: first = gpus; break;
    case GP_OBJECTIVE_MIN_MACHINES: first = nodes; break;
    case GP_OBJECTIVE_MIN_TIME: add_times(plan, a, &first, &second); break;
    case GP_OBJECTIVE_MIN_CARBON: first = site->weighed_year + rented_w(plan, site, a, true); break;
    case GP_OBJECTIVE_AUTO:
    case GP_OBJECTIVE_MIN_POWER: first = power_w; break;
    }
    keys[GP_VALUE_BOUGHT] = plan->keeps_owned ? bought_w(plan, a) : 0;
    keys[GP_VALUE_OVER] = (double)gp_teams_over(plan, &a->ledger);
    keys[GP_VALUE_OBJECTIVE] = first;
    double *rest = &keys[GP_VALUE_OBJECTIVE + 1];
    *rest++ = second;
    *rest++ = bought;
    for (size_t k = 0; k < sizeof ties / sizeof ties[0]; k++)
        *rest++ = ties[k];
}

int gp_value_compare(const gp_plan_context *plan, const gp_value *a, const gp_value *b) {
    for (size_t i = 0; i < plan->class_count; i++)
        if (a->missing[i] != b->missing[i])
            return a->missing[i] < b->missing[i] ? -1 : 1;
    for (int k = 0; k < GP_VALUE_KEYS; k++) {
        const int order = gp_num_compare9(a->keys[k], b->keys[k]);
        if (order != 0)
            return order;
    }
    return 0;
}

/* Who holds what by the picks; false: there is less to have. */
static bool hold_picks(const gp_plan_context *plan, const gp_inventory *inventory, size_t doubtful,
                       gp_allocation *a) {
    for (size_t k = 0; k < plan->class_count; k++)
        a->value.missing[k] = 0;
    for (size_t i = 0; i < plan->case_count; i++) {
        a->chosen[i] = a->picks[i] >= 0 ? &a->options[i].items[a->picks[i]] : NULL;
        if (a->chosen[i] == NULL)
            a->value.missing[plan->classes[i]]++;
    }
    gp_ledger_change(plan, inventory, a->chosen, doubtful, &a->ledger);
    return a->ledger.fits;
}

/* What that comes to; false where it passes a limit. */
static bool judge_holds(const gp_plan_context *plan, const gp_inventory *inventory,
                        gp_allocation *a) {
    gp_usage_of(plan, &a->ledger, false, &a->usage);
    set_keys(plan, &a->usage.site, a);
    a->limit = gp_limits_passed(plan, inventory, &a->usage);
    return a->limit < 0;
}

bool gp_allocation_judge(const gp_plan_context *plan, const gp_inventory *inventory,
                         gp_allocation *a) {
    return hold_picks(plan, inventory, plan->case_count, a) && judge_holds(plan, inventory, a);
}

/* The keys of the machines alone, in the value. */
static void set_least(const gp_plan_context *plan, gp_allocation *a) {
    gp_site_plan least;
    gp_usage_least(plan, &a->ledger, &a->usage, &least);
    set_keys(plan, &least, a);
}

/* No better than `other`, by the machines alone. */
static bool is_no_better(const gp_plan_context *plan, const gp_allocation *a,
                         const gp_value *other) {
    for (size_t i = 0; i < plan->class_count; i++)
        if (a->value.missing[i] != other->missing[i])
            return a->value.missing[i] > other->missing[i];
    for (int k = 0; k <= GP_VALUE_OBJECTIVE; k++) {
        const int order = gp_num_compare9(a->value.keys[k], other->keys[k]);
        if (order != 0)
            return order > 0;
    }
    return false;
}

/* ------------------------------------------------------------ the search */

/* What a trial came to. Starts of a small problem meet in the same few allocations. */
typedef struct judged {
    bool known, holds;
    int picks[EXACT_CASES];
    int64_t missing[EXACT_CASES];
    double keys[GP_VALUE_KEYS];
} judged;

typedef struct search {
    const gp_plan_context *plan;
    const gp_inventory *inventory;
    gp_allocation *best, *trial;
    int *now;     /* the picks that are improved */
    size_t *seen; /* by case: changes of them when it was looked at */
    gp_value value;
    bool found;
    int visits, most_visits;
    double *lower; /* by case: what it adds to the first key at least */
    judged *memo;  /* NULL: too many workloads */
} search;

void gp_value_copy(const gp_plan_context *plan, const gp_value *from, gp_value *to) {
    memcpy(to->missing, from->missing, plan->class_count * sizeof *to->missing);
    memcpy(to->keys, from->keys, sizeof to->keys);
}

static void copy_picks(const search *s, const int *from, int *to) {
    memcpy(to, from, s->plan->case_count * sizeof *to);
}

static size_t option_count(const search *s, size_t i) {
    return s->trial->options[i].count;
}

static size_t unit_of(const search *s, size_t i, int pick) {
    return (size_t)(s->trial->options[i].items[pick].unit - s->plan->units);
}

static size_t memo_slots(const gp_plan_context *plan) {
    return plan->case_count <= FEW_CASES ? MEMO_FEW : MEMO_SLOTS;
}

static judged *memo_of(const search *s) {
    uint64_t hash = 0;
    for (size_t i = 0; i < s->plan->case_count; i++)
        hash = (hash ^ (uint64_t)(s->trial->picks[i] + 1)) * 0x9E3779B97F4A7C15u;
    return &s->memo[hash >> 32 & (memo_slots(s->plan) - 1)];
}

/* What machines alone say of a trial is enough to leave it. */
typedef bool stop(const search *s, size_t depth);

/* The value of the trial; its ledger and usage are left to whoever needs them. */
static bool holds(search *s, stop *stops, size_t depth) {
    const gp_plan_context *plan = s->plan;
    const size_t bytes = plan->case_count * sizeof(int);
    judged *known = s->memo != NULL ? memo_of(s) : NULL;
    if (known != NULL && known->known && memcmp(known->picks, s->trial->picks, bytes) == 0) {
        memcpy(s->trial->value.missing, known->missing, plan->class_count * sizeof(int64_t));
        memcpy(s->trial->value.keys, known->keys, sizeof known->keys);
        return known->holds;
    }
    bool holds = hold_picks(plan, s->inventory, plan->case_count, s->trial);
    if (holds && stops != NULL) {
        set_least(plan, s->trial);
        if (stops(s, depth))
            return false;
    }
    holds = holds && judge_holds(plan, s->inventory, s->trial);
    if (known != NULL) {
        *known = (judged){.known = true, .holds = holds};
        memcpy(known->picks, s->trial->picks, bytes);
        memcpy(known->missing, s->trial->value.missing, plan->class_count * sizeof(int64_t));
        memcpy(known->keys, s->trial->value.keys, sizeof known->keys);
    }
    return holds;
}

/* The picks of the trial, judged; kept where they are the best of all. */
static bool judge_until(search *s, stop *stops, size_t depth) {
    s->visits++;
    if (!holds(s, stops, depth))
        return false;
    if (s->found && gp_value_compare(s->plan, &s->trial->value, &s->best->value) >= 0)
        return true;
    s->found = true;
    copy_picks(s, s->trial->picks, s->best->picks);
    gp_value_copy(s->plan, &s->trial->value, &s->best->value);
    return true;
}

static bool judge(search *s) {
    return judge_until(s, NULL, 0);
}

/* No better than the value that is to be passed. */
static bool is_passed_over(const search *s, size_t depth) {
    (void)depth;
    return is_no_better(s->plan, s->trial, &s->value);
}

/* The best option of one case while all others of the trial stay; only on `unit` where that is not
 * the number of units and it has any there. What it has today comes first, since most others are
 * passed over by that. */
static void place_one(search *s, size_t i, size_t unit) {
    const int before = s->trial->picks[i];
    int best = GP_UNPLACED;
    bool there = false;
    for (size_t k = 0; unit < s->plan->unit_count && k < option_count(s, i); k++)
        there = there || unit_of(s, i, (int)k) == unit;
    for (int n = before >= 0 ? -1 : 0; n < (int)option_count(s, i); n++) {
        const int k = n < 0 ? before : n;
        if (n == before || (there && unit_of(s, i, k) != unit))
            continue;
        s->trial->picks[i] = k;
        if (!judge_until(s, best >= 0 ? is_passed_over : NULL, 0))
            continue;
        const int order = best < 0 ? -1 : gp_value_compare(s->plan, &s->trial->value, &s->value);
        if (order < 0 || (order == 0 && k < best)) {
            gp_value_copy(s->plan, &s->trial->value, &s->value);
            best = k;
        }
    }
    s->trial->picks[i] = best;
    if (best < 0 && judge(s))
        gp_value_copy(s->plan, &s->trial->value, &s->value);
    else if (best < 0)
        s->trial->picks[i] = before;
}

/* One workload after the other. */
static void build(search *s, const size_t *order, size_t unit) {
    for (size_t i = 0; i < s->plan->case_count; i++)
        s->trial->picks[i] = GP_UNPLACED;
    for (size_t k = 0; k < s->plan->case_count; k++)
        place_one(s, order[k], unit);
    copy_picks(s, s->trial->picks, s->now);
}

/* Everything on one kind of machine to another, as far as it can go there. */
static void move_kind(search *s, size_t from, size_t to) {
    copy_picks(s, s->now, s->trial->picks);
    bool moved = false;
    for (size_t k = 0; k < s->plan->case_count; k++) {
        const size_t i = s->plan->order[k];
        if (s->now[i] < 0 || unit_of(s, i, s->now[i]) != from)
            continue;
        place_one(s, i, to);
        moved = true;
    }
    if (moved && holds(s, NULL, 0) && gp_value_compare(s->plan, &s->trial->value, &s->value) < 0)
        copy_picks(s, s->trial->picks, s->now);
}

static bool value_of_now(search *s) {
    copy_picks(s, s->now, s->trial->picks);
    if (!judge(s))
        return false;
    gp_value_copy(s->plan, &s->trial->value, &s->value);
    return true;
}

/* Single exchanges until none is better; who was looked at since the last one is not again. */
static void improve(search *s) {
    size_t changes = 1;
    memset(s->seen, 0, s->plan->case_count * sizeof *s->seen);
    copy_picks(s, s->now, s->trial->picks);
    for (size_t before = 0, pass = 0; changes != before && pass < PASSES_MAX; pass++) {
        before = changes;
        for (size_t k = 0; k < s->plan->case_count; k++) {
            const size_t i = s->plan->order[k];
            const int was = s->trial->picks[i];
            if (s->seen[i] == changes)
                continue;
            place_one(s, i, s->plan->unit_count);
            changes += s->trial->picks[i] != was ? 1 : 0;
            s->seen[i] = changes;
        }
    }
    copy_picks(s, s->trial->picks, s->now);
}

static bool is_used(const search *s, size_t unit) {
    for (size_t i = 0; i < s->plan->case_count; i++)
        if (s->now[i] >= 0 && unit_of(s, i, s->now[i]) == unit)
            return true;
    return false;
}

static void exchange_kinds(search *s) {
    const size_t units = s->plan->unit_count;
    for (size_t from = 0; from < units; from++)
        for (size_t to = 0; to < units; to++) {
            if (from == to || !is_used(s, from) || !value_of_now(s))
                continue;
            move_kind(s, from, to);
        }
}

static bool unit_has_options(const search *s, size_t unit) {
    for (size_t i = 0; i < s->plan->case_count; i++)
        for (size_t k = 0; k < option_count(s, i); k++)
            if (unit_of(s, i, (int)k) == unit)
                return true;
    return false;
}

/* Two workloads at a time, where single exchanges find nothing. */
static void exchange_pairs(search *s) {
    const size_t count = s->plan->case_count;
    const size_t *order = s->plan->order;
    const int limit = s->visits + PAIR_TRIALS;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count && s->visits < limit; j++) {
            const size_t a = order[i];
            const size_t b = order[j];
            copy_picks(s, s->best->picks, s->trial->picks);
            const int was = s->trial->picks[a];
            for (int k = 0; k < (int)option_count(s, a) && s->visits < limit; k++) {
                if (k == was)
                    continue;
                s->trial->picks[a] = k;
                place_one(s, b, s->plan->unit_count);
            }
        }
}

/* ------------------------------------------------------------ small problems, whole */

/* Money per second of a watt for good, with what the facility takes for it. */
static double energy_per_w(const gp_plan_context *plan, size_t unit) {
    return gp_plan_annual_pue(plan, unit) * gp_plan_spec_at(plan, unit)->site.energy.price_per_j;
}

/* What an option adds to the first key whatever else is there. What may wait or take turns may
 * add nothing. */
static double least_added(const gp_plan_context *plan, const gp_case *c,
                          const gp_candidate *option) {
    double shares = 0;
    for (int k = 0; k < option->share_count; k++)
        shares += least_added(plan, c, &option->shares[k]);
    if (option->share_count > 0)
        return shares;
    const double gpus = gp_option_gpus(option);
    const bool stays = c->out->is_serving && !c->offline;
    const double used = (double)option->gpus / (double)option->unit->machine.gpus;
    const double watts =
        option->unit->cloud != NULL ? 0 : used * (option->node_load_w - option->node_idle_w);
    const size_t unit = (size_t)(option->unit - plan->units);
    switch (plan->objective) {
    case GP_OBJECTIVE_MIN_COST:
        return option->cost.rent_per_s + (stays ? watts * energy_per_w(plan, unit) : 0);
    case GP_OBJECTIVE_MIN_GPUS: return stays ? gpus : 0;
    case GP_OBJECTIVE_MIN_TIME: return option->time_to_complete_s.expected;
    case GP_OBJECTIVE_MIN_MACHINES: return 0;
    case GP_OBJECTIVE_MIN_CARBON: return stays ? watts * gp_plan_weight_year(plan, unit) : 0;
    case GP_OBJECTIVE_AUTO:
    case GP_OBJECTIVE_MIN_POWER: return stays ? watts * gp_plan_weight_mean(plan, unit) : 0;
    }
    return 0;
}

static void set_lower(search *s) {
    for (size_t i = 0; i < s->plan->case_count; i++) {
        s->lower[i] = HUGE_VAL;
        for (size_t k = 0; k < option_count(s, i); k++)
            s->lower[i] = gp_num_min(s->lower[i], least_added(s->plan, &s->plan->cases[i],
                                                              &s->trial->options[i].items[k]));
        if (option_count(s, i) == 0)
            s->lower[i] = 0;
    }
}

/* No way on from here is better than the best: those that are left out here already weigh more, or
 * what is bought or what teams hold too much does, or the objective with what is still to come. */
static bool is_beaten(const search *s, size_t depth) {
    const gp_value *now = &s->trial->value;
    const gp_value *best = &s->best->value;
    double least = now->keys[GP_VALUE_OBJECTIVE];
    for (size_t k = depth; k < s->plan->case_count; k++)
        least += s->lower[s->plan->order[k]];
    for (size_t c = 0; c < s->plan->class_count; c++) {
        int64_t missing = now->missing[c];
        for (size_t k = depth; k < s->plan->case_count; k++)
            missing -= s->plan->classes[s->plan->order[k]] == c ? 1 : 0;
        if (missing != best->missing[c])
            return missing > best->missing[c];
    }
    for (int k = 0; k < GP_VALUE_OBJECTIVE; k++) {
        const int order = gp_num_compare9(now->keys[k], best->keys[k]);
        if (order != 0)
            return order > 0;
    }
    return gp_num_compare9(least, best->keys[GP_VALUE_OBJECTIVE]) > 0;
}

/* Depth first in the order of priorities. */
static void walk(search *s, size_t depth) {
    if (s->visits > s->most_visits)
        return;
    if (depth == s->plan->case_count)
        return;
    const size_t i = s->plan->order[depth];
    const int before = s->trial->picks[i];
    for (int k = 0; k <= (int)option_count(s, i); k++) {
        s->trial->picks[i] = k < (int)option_count(s, i) ? k : GP_UNPLACED;
        if (judge_until(s, is_beaten, depth + 1) && !is_beaten(s, depth + 1))
            walk(s, depth + 1);
    }
    s->trial->picks[i] = before;
}

/* True where nothing was left out. */
static bool search_whole(search *s) {
    for (size_t i = 0; i < s->plan->case_count; i++)
        s->trial->picks[i] = GP_UNPLACED;
    s->visits = 0;
    s->most_visits = s->best->quick ? QUICK_VISITS : EXACT_VISITS;
    walk(s, 0);
    return s->visits <= s->most_visits;
}

/* What a workload takes when its machines are filled by others, with `weight` of what the machines
 * themselves take: no packing is denser than at 1. */
static double filled_share(const gp_plan_context *plan, const gp_case *c,
                           const gp_candidate *option, double weight) {
    double shares = 0;
    for (int k = 0; k < option->share_count; k++)
        shares += filled_share(plan, c, &option->shares[k], weight);
    if (option->share_count > 0)
        return shares;
    const gp_unit *unit = option->unit;
    const double used = gp_option_gpus(option) / (double)unit->machine.gpus;
    const bool stays = c->out->is_serving && !c->offline;
    const bool buys = plan->inventory.owned[unit - plan->units] == 0 && unit->cloud == NULL;
    const size_t index = (size_t)(unit - plan->units);
    const double idle_w = unit->cloud == NULL ? option->node_idle_w : option->node_load_w;
    const double added = least_added(plan, c, option);
    if (!stays)
        return added;
    switch (plan->objective) {
    case GP_OBJECTIVE_MIN_COST:
        return added + weight * used *
                           ((buys ? option->cost.capital_per_s / (double)option->nodes : 0) +
                            idle_w * energy_per_w(plan, index));
    case GP_OBJECTIVE_MIN_MACHINES: return weight * used;
    case GP_OBJECTIVE_MIN_GPUS:
    case GP_OBJECTIVE_MIN_TIME: return added;
    case GP_OBJECTIVE_MIN_CARBON:
        return added + weight * used * idle_w * gp_plan_weight_year(plan, index);
    case GP_OBJECTIVE_AUTO:
    case GP_OBJECTIVE_MIN_POWER:
        return added + weight * used * idle_w * gp_plan_weight_mean(plan, index);
    }
    return added;
}

double gp_allocation_take(const gp_case *c, const gp_candidate *option, bool alone) {
    const double machines = (double)option->nodes * (double)option->unit->machine.gpus;
    return filled_share(c->plan, c, option, alone ? machines / gp_option_gpus(option) : 1);
}

/* Share that a better allocation could save at most. */
static double gap_of(const search *s) {
    double least = 0;
    for (size_t i = 0; i < s->plan->case_count; i++) {
        double lowest = HUGE_VAL;
        for (size_t k = 0; k < option_count(s, i) && s->best->picks[i] >= 0; k++)
            lowest = gp_num_min(lowest, filled_share(s->plan, &s->plan->cases[i],
                                                     &s->trial->options[i].items[k], 1));
        least += isfinite(lowest) ? lowest : 0;
    }
    const double now = s->best->value.keys[GP_VALUE_OBJECTIVE];
    return now > 0 ? gp_num_max(0, 1 - least / now) : 0;
}

/* ------------------------------------------------------------ starts */

/* Small needs first: where not all find a place, that leaves out the fewest. */
static void order_by_need(const search *s, size_t *order) {
    const gp_plan_context *plan = s->plan;
    memcpy(order, plan->order, plan->case_count * sizeof *order);
    for (size_t i = 1; i < plan->case_count; i++)
        for (size_t k = i; k > 0; k--) {
            const size_t a = order[k - 1];
            const size_t b = order[k];
            const gp_options *left = &s->trial->options[a];
            const gp_options *right = &s->trial->options[b];
            const int64_t left_gpus = left->count > 0 ? left->items[0].gpus : 0;
            const int64_t right_gpus = right->count > 0 ? right->items[0].gpus : 0;
            if (plan->classes[a] != plan->classes[b] || left_gpus <= right_gpus)
                break;
            order[k - 1] = b;
            order[k] = a;
        }
}

static void start_from(search *s, const size_t *order, size_t unit) {
    build(s, order, unit);
    if (!value_of_now(s))
        return;
    improve(s);
    exchange_kinds(s);
    improve(s);
}

static bool all_placed(const search *s) {
    for (size_t i = 0; i < s->plan->case_count; i++)
        if (s->best->picks[i] < 0 && option_count(s, i) > 0)
            return false;
    return true;
}

/* Shares of a machine's own take that its workloads are told to bear: one that is cheap to share
 * fills, one that nobody bears the whole of is avoided, and the last is not to be had. */
static const double weights[] = {1, HUGE_VAL, 0.5, 0, 1.5};
enum { WEIGHTS = sizeof weights / sizeof weights[0], STARTS_MOST = 4096, STARTS_KEPT = 6 };

/* The picks of the best starts. */
typedef struct starts {
    int count;
    int *picks[STARTS_KEPT];
    gp_value values[STARTS_KEPT];
    double *weights; /* by unit */
    size_t *used;    /* units that have options */
    size_t kinds;
} starts;

/* Each workload by itself where it bears the least; where no kind is to be had for it, anywhere. */
static void pick_least(search *s, const double *by_unit) {
    for (size_t i = 0; i < s->plan->case_count; i++) {
        const gp_options *options = &s->trial->options[i];
        double least = HUGE_VAL;
        bool inside = false;
        s->now[i] = GP_UNPLACED;
        for (size_t k = 0; k < options->count; k++) {
            const double weight = by_unit[unit_of(s, i, (int)k)];
            const bool in = isfinite(weight);
            const double share =
                filled_share(s->plan, &s->plan->cases[i], &options->items[k], in ? weight : 1);
            if (in < inside || (in == inside && share >= least))
                continue;
            s->now[i] = (int)k;
            least = share;
            inside = in;
        }
    }
}

/* The best ones in their order, none twice. */
static void keep_start(const search *s, starts *all) {
    const size_t bytes = s->plan->case_count * sizeof(int);
    int at = all->count;
    for (int n = 0; n < all->count; n++)
        if (memcmp(all->picks[n], s->now, bytes) == 0)
            return;
    while (at > 0 && gp_value_compare(s->plan, &s->value, &all->values[at - 1]) < 0)
        at--;
    if (at == STARTS_KEPT)
        return;
    const int last = all->count < STARTS_KEPT ? all->count++ : STARTS_KEPT - 1;
    int *picks = all->picks[last];
    int64_t *missing = all->values[last].missing;
    for (int n = last; n > at; n--) {
        all->picks[n] = all->picks[n - 1];
        all->values[n] = all->values[n - 1];
    }
    all->picks[at] = picks;
    all->values[at].missing = missing;
    copy_picks(s, s->now, picks);
    gp_value_copy(s->plan, &s->value, &all->values[at]);
}

static void init_starts(const search *s, starts *ret) {
    const gp_plan_context *plan = s->plan;
    *ret = (starts){.weights = GP_NEW_ARRAY(plan->arena, double, plan->unit_count + 1),
                    .used = GP_NEW_ARRAY(plan->arena, size_t, plan->unit_count + 1)};
    for (int n = 0; n < STARTS_KEPT; n++) {
        ret->picks[n] = GP_NEW_ARRAY(plan->arena, int, plan->case_count + 1);
        ret->values[n].missing = GP_NEW_ARRAY(plan->arena, int64_t, plan->class_count + 1);
    }
    for (size_t u = 0; u < plan->unit_count; u++)
        if (unit_has_options(s, u))
            ret->used[ret->kinds++] = u;
}

/* Weights that every kind is tried with, in all combinations; one: each kind by itself alone. */
static size_t weights_for(size_t kinds) {
    for (size_t count = WEIGHTS; count > 1; count--) {
        double all = 1;
        for (size_t k = 0; k < kinds; k++)
            all *= (double)count;
        if (all <= STARTS_MOST)
            return count;
    }
    return 1;
}

static void try_weights(search *s, starts *all) {
    pick_least(s, all->weights);
    if (value_of_now(s))
        keep_start(s, all);
}

/* A machine is paid for whole, so a good plan stands on few kinds, and fills them. */
static void start_from_weights(search *s) {
    starts all;
    init_starts(s, &all);
    const size_t each = weights_for(all.kinds);
    size_t combinations = 1;
    for (size_t k = 0; k < all.kinds && each > 1; k++)
        combinations *= each;
    for (size_t n = 0; n < combinations; n++) {
        size_t rest = n;
        for (size_t k = 0; k < all.kinds; k++, rest /= each)
            all.weights[all.used[k]] = weights[rest % each];
        try_weights(s, &all);
    }
    for (size_t n = 0; n < all.kinds && each == 1; n++) {
        for (size_t k = 0; k < all.kinds; k++)
            all.weights[all.used[k]] = k == n ? 1 : HUGE_VAL;
        try_weights(s, &all);
    }
    const bool many = s->plan->case_count > PAIR_CASES;
    for (int n = 0; n < (many ? gp_num_min_i64(1, all.count) : all.count); n++) {
        copy_picks(s, all.picks[n], s->now);
        if (value_of_now(s))
            improve(s);
    }
}

/* What a machine of a kind takes as it stands there, by the options on it. */
static void set_machines(const search *s, double *ret_by_unit) {
    for (size_t i = 0; i < s->plan->case_count; i++)
        for (size_t k = 0; k < option_count(s, i); k++) {
            const gp_case *c = &s->plan->cases[i];
            const gp_candidate *option = &s->trial->options[i].items[k];
            const double used = gp_option_gpus(option) / (double)option->unit->machine.gpus;
            const double take =
                (filled_share(s->plan, c, option, 1) - least_added(s->plan, c, option)) / used;
            double *most = &ret_by_unit[unit_of(s, i, (int)k)];
            *most = option->share_count == 0 ? gp_num_max(*most, take) : *most;
        }
}

/* What each option of a workload takes by itself. */
static double *own_row(const search *s, size_t i) {
    double *row = GP_NEW_ARRAY(s->plan->arena, double, option_count(s, i) + 1);
    for (size_t k = 0; k < option_count(s, i); k++) {
        const gp_candidate *option = &s->trial->options[i].items[k];
        row[k] = option->share_count == 0 ? least_added(s->plan, &s->plan->cases[i], option)
                                          : filled_share(s->plan, &s->plan->cases[i], option, 1);
    }
    return row;
}

/* The cheapest way to fill machines, as if these were all that counts. */
static void start_filled(search *s) {
    const gp_plan_context *plan = s->plan;
    gp_arena_mark mark = gp_arena_set_mark(plan->arena);
    double **own = GP_NEW_ARRAY(plan->arena, double *, plan->case_count + 1);
    double *machine = GP_NEW_ARRAY(plan->arena, double, plan->unit_count + 1);
    for (size_t i = 0; i < plan->case_count; i++)
        own[i] = own_row(s, i);
    set_machines(s, machine);
    const gp_fill fill = {.case_count = plan->case_count,
                          .options = s->trial->options,
                          .own = own,
                          .unit_count = plan->unit_count,
                          .machine = machine,
                          .units = plan->units};
    const bool found = gp_fill_pick(plan->arena, &fill, s->now);
    gp_arena_release(plan->arena, mark);
    if (found && value_of_now(s))
        improve(s);
}

/* The option with the fewest GPUs, on `unit` where there is one; -1: there is none at all. */
static int smallest_of(const search *s, size_t i, size_t unit) {
    const gp_candidate *items = s->trial->options[i].items;
    int best = GP_UNPLACED;
    for (int k = 0; k < (int)option_count(s, i); k++) {
        const bool there = best >= 0 && unit_of(s, i, best) == unit;
        const bool here = unit_of(s, i, k) == unit;
        if (best < 0 || here > there ||
            (here == there && gp_option_gpus(&items[k]) < gp_option_gpus(&items[best])))
            best = k;
    }
    return best;
}

static double seconds_of(const search *s, size_t i) {
    const int pick = s->now[i];
    return pick >= 0 ? s->trial->options[i].items[pick].time_to_complete_s.expected : 0;
}

/* For the shortest time: all as small as they go on one kind of machine, then what takes longest
 * gets the most first. */
static void start_small(search *s, size_t *order, size_t unit) {
    const gp_plan_context *plan = s->plan;
    for (size_t i = 0; i < plan->case_count; i++)
        s->now[i] = smallest_of(s, i, unit);
    memcpy(order, plan->order, plan->case_count * sizeof *order);
    for (size_t i = 1; i < plan->case_count; i++)
        for (size_t k = i; k > 0 && seconds_of(s, order[k]) > seconds_of(s, order[k - 1]); k--) {
            const size_t longer = order[k];
            order[k] = order[k - 1];
            order[k - 1] = longer;
        }
    if (!value_of_now(s))
        return;
    for (size_t k = 0; k < plan->case_count; k++)
        place_one(s, order[k], plan->unit_count);
    copy_picks(s, s->trial->picks, s->now);
    improve(s);
}

/* Starts of many kinds, and what exchanges make of them. */
static void search_from_starts(search *s, size_t *order) {
    const gp_plan_context *plan = s->plan;
    const bool many = plan->case_count > PAIR_CASES;
    start_from_weights(s);
    const bool fastest = plan->objective == GP_OBJECTIVE_MIN_TIME;
    for (size_t u = 0; fastest && !many && u < plan->unit_count; u++)
        if (unit_has_options(s, u))
            start_small(s, order, u);
    if (!many && !s->best->quick)
        start_filled(s);
    if (!all_placed(s)) {
        order_by_need(s, order);
        start_from(s, order, plan->unit_count);
    }
    copy_picks(s, s->best->picks, s->now);
    exchange_kinds(s);
    if (value_of_now(s))
        improve(s);
    if (!s->best->quick && !many)
        exchange_pairs(s);
}

/* What was best a moment ago is improved; small problems are searched whole, others from starts. */
static void run(search *s, size_t *order) {
    const gp_plan_context *plan = s->plan;
    copy_picks(s, s->best->picks, s->now);
    if (value_of_now(s))
        improve(s);
    const bool known = s->best->again && s->found && plan->case_count > PAIR_CASES;
    if (!known)
        start_from(s, plan->order, plan->unit_count);
    const bool whole = plan->case_count <= EXACT_CASES && search_whole(s);
    if (!known && !whole)
        search_from_starts(s, order);
    s->best->gap_fraction = whole ? 0 : gap_of(s);
}

static void start_search(gp_plan_context *plan, const gp_inventory *inventory, gp_allocation *best,
                         gp_allocation *trial, search *ret) {
    *ret = (search){.plan = plan,
                    .inventory = inventory,
                    .best = best,
                    .trial = trial,
                    .now = GP_NEW_ARRAY(plan->arena, int, plan->case_count + 1),
                    .seen = GP_NEW_ARRAY(plan->arena, size_t, plan->case_count + 1),
                    .lower = GP_NEW_ARRAY(plan->arena, double, plan->case_count + 1)};
    ret->value.missing = GP_NEW_ARRAY(plan->arena, int64_t, plan->class_count + 1);
    const bool few = plan->case_count <= EXACT_CASES;
    ret->memo = few ? GP_NEW_ARRAY(plan->arena, judged, memo_slots(plan)) : NULL;
    copy_picks(ret, best->picks, trial->picks);
    set_lower(ret);
}

void gp_allocate(gp_plan_context *plan, const gp_inventory *inventory, gp_allocation *ret) {
    gp_allocation trial;
    search s;
    gp_allocation_init(plan, &trial);
    size_t *order = GP_NEW_ARRAY(plan->arena, size_t, plan->case_count + 1);
    trial.options = ret->options;
    start_search(plan, inventory, ret, &trial, &s);
    run(&s, order);
    (void)gp_allocation_judge(plan, inventory, ret);
}

int gp_allocate_one(const gp_plan_context *plan, const gp_inventory *inventory,
                    const gp_allocation *others, size_t index, const gp_options *options,
                    gp_allocation *scratch) {
    int best = GP_UNPLACED;
    gp_value value = {.missing = scratch->spare_missing};
    memcpy(scratch->picks, others->picks, plan->case_count * sizeof *scratch->picks);
    memcpy(scratch->own_options, others->options, plan->case_count * sizeof *scratch->own_options);
    scratch->options = scratch->own_options;
    scratch->own_options[index] = *options;
    for (size_t k = 0; k < options->count; k++) {
        scratch->picks[index] = (int)k;
        const bool held = hold_picks(plan, inventory, index, scratch);
        if (held && best != GP_UNPLACED)
            set_least(plan, scratch);
        if (!held || (best != GP_UNPLACED && is_no_better(plan, scratch, &value)) ||
            !judge_holds(plan, inventory, scratch))
            continue;
        if (best == GP_UNPLACED || gp_value_compare(plan, &scratch->value, &value) < 0) {
            gp_value_copy(plan, &scratch->value, &value);
            best = (int)k;
        }
    }
    scratch->picks[index] = best;
    (void)gp_allocation_judge(plan, inventory, scratch);
    return best;
}
