/*
 * Shares are sized alike in every order of sites that is tried, in the layout that takes the fewest
 * GPUs of the whole demand. At several sites each of those that are chosen then has the layout and
 * kind of machine in which the objective counts it the least, where the whole plan is better with
 * it. At one site shares fill what others leave, to which the fewest GPUs leave the most.
 */
#include "plan/context.h"

#include <string.h>

#include "base/num.h"

double gp_spread_weight(const gp_plan_context *plan, const gp_candidate *candidate) {
    const size_t unit = (size_t)(candidate->unit - plan->units);
    switch (plan->objective) {
    case GP_OBJECTIVE_MIN_COST: return candidate->cost.total_per_s;
    case GP_OBJECTIVE_MIN_GPUS: return (double)candidate->gpus;
    case GP_OBJECTIVE_MIN_MACHINES: return (double)candidate->nodes;
    case GP_OBJECTIVE_MIN_TIME: return candidate->tpot_p95_s.expected;
    case GP_OBJECTIVE_MIN_CARBON: return candidate->it_mean_w * gp_plan_weight_year(plan, unit);
    case GP_OBJECTIVE_AUTO:
    case GP_OBJECTIVE_MIN_POWER: return candidate->it_mean_w * gp_plan_weight_mean(plan, unit);
    }
    return 0;
}

typedef struct lightest {
    const gp_case *part;
    double weight;
    gp_candidate way;
} lightest;

static double keep_lightest(void *to, const gp_candidate *way) {
    lightest *l = to;
    gp_candidate priced = *way;
    if (!way->feasible || way->split.present)
        return 0;
    gp_size_describe(l->part, &priced);
    gp_price_candidate(l->part, 0, &priced);
    const double weight = gp_spread_weight(l->part->plan, &priced);
    if (!l->way.present || gp_num_compare9(weight, l->weight) < 0) {
        l->weight = weight;
        l->way = priced;
    }
    return 0;
}

/* The share in another layout, or on another kind of machine of its place; false where none weighs
 * less. */
static bool find_lighter(const gp_case *c, const gp_inventory *inventory, const gp_candidate *share,
                         gp_candidate *ret) {
    const gp_plan_context *plan = c->plan;
    const size_t place = plan->places[share->unit - plan->units];
    gp_workload workload;
    const gp_case part = gp_spread_case(c, NULL, share->share_fraction, &workload);
    lightest l = {.part = &part, .way = *share};
    gp_price_candidate(&part, 0, &l.way);
    const double now = l.weight = gp_spread_weight(plan, &l.way);
    for (size_t u = 0; u < plan->unit_count; u++)
        if (plan->places[u] == place && gp_options_allow(c, inventory, u))
            gp_size_counts(&part, u, gp_size_any(plan, u), keep_lightest, &l);
    if (gp_num_compare9(l.weight, now) >= 0)
        return false;
    *ret = l.way;
    ret->share_fraction = share->share_fraction;
    return true;
}

/* The service in these shares is one more of its ways, and better than its present one. */
static bool is_better(gp_plan_context *plan, const gp_inventory *inventory, size_t index,
                      const gp_candidate *shares, int count, gp_allocation *scratch,
                      gp_allocation *best) {
    const gp_case *c = &plan->cases[index];
    const gp_options *ways = &plan->ways[index];
    gp_candidate *items = GP_NEW_ARRAY(plan->arena, gp_candidate, ways->count + 1);
    gp_candidate *sum = &items[ways->count];
    const gp_options one = {.count = 1, .room = 1, .items = sum};
    gp_spread_sum(c, shares, count, sum);
    if (sum->availability_fraction < c->workload->goal.slo.availability ||
        gp_allocate_one(plan, inventory, best, index, &one, scratch) == GP_UNPLACED ||
        gp_value_compare(plan, &scratch->value, &best->value) >= 0)
        return false;
    if (ways->count > 0)
        memcpy(items, ways->items, ways->count * sizeof *items);
    plan->ways[index].items = items;
    plan->ways[index].room = ++plan->ways[index].count;
    best->picks[index] = (int)plan->ways[index].count - 1;
    (void)gp_allocation_judge(plan, inventory, best);
    return true;
}

bool gp_spread_refine(gp_plan_context *plan, const gp_inventory *inventory, size_t index,
                      gp_allocation *scratch, gp_allocation *best) {
    const gp_case *c = &plan->cases[index];
    const gp_candidate *shares = best->chosen[index] != NULL ? best->chosen[index]->shares : NULL;
    const int count = shares != NULL ? best->chosen[index]->share_count : 0;
    const bool may = plan->site_count > 0 && c->split_mode != GP_SPLIT_ALWAYS;
    bool changed = false;
    for (int k = 0; k < count && may; k++) {
        gp_candidate *other = GP_NEW_ARRAY(plan->arena, gp_candidate, (size_t)count);
        memcpy(other, shares, (size_t)count * sizeof *other);
        if (!find_lighter(c, inventory, &shares[k], &other[k]) ||
            !is_better(plan, inventory, index, other, count, scratch, best))
            continue;
        shares = other;
        changed = true;
    }
    return changed;
}
