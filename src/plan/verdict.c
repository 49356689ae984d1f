/*
 * The verdict: what the choice means for each workload, read off the allocation and never steering
 * it. The baseline is what the declared cluster has for the workload when nothing is bought; on an
 * empty site it is one machine of the smallest kind. The alternatives and the other kinds of
 * machines are allocations as well: the workload placed again with its options narrowed, all others
 * where they are.
 *
 *   none        it stays on what the baseline has
 *   vertical    the unit changes, the count does not grow
 *   horizontal  the unit stays, the count grows
 *   both        the unit changes and the count grows
 */
#include "plan/verdict.h"

#include <math.h>

#include "base/num.h"
#include "base/sort.h"
#include "base/str.h"
#include "plan/size.h"

static bool same_unit(const gp_plan_context *plan, size_t a, size_t b) {
    const gp_machine *left = &plan->units[a].machine;
    const gp_machine *right = &plan->units[b].machine;
    return left->domain == right->domain && gp_str_equal(left->gpu->id, right->gpu->id);
}

/* ------------------------------------------------------------ one workload placed again */

/* The allocation without a case, in `scratch`; and without those that come after it. */
static void leave_out_from(const gp_verdicts *v, const gp_allocation *a, size_t i, bool later) {
    const gp_case *cases = v->plan->cases;
    gp_allocation *scratch = v->scratch;
    for (size_t k = 0; k < v->plan->case_count; k++)
        scratch->picks[k] = later && cases[k].workload->priority < cases[i].workload->priority
                                ? GP_UNPLACED
                                : a->picks[k];
    scratch->options = a->options;
    scratch->picks[i] = GP_UNPLACED;
    (void)gp_allocation_judge(v->plan, v->inventory, scratch);
}

static void leave_out(const gp_verdicts *v, const gp_allocation *a, size_t i) {
    leave_out_from(v, a, i, false);
}

/* The candidate as it is held: its wait, its share of the time, whose machines. */
static void place(const gp_verdicts *v, const gp_allocation *a, size_t i, int64_t owned_nodes,
                  gp_candidate *ret) {
    const gp_hold *hold = &a->ledger.holds[i];
    const double share = hold->timing.share_fraction > 0 ? hold->timing.share_fraction : 1;
    *ret = *a->chosen[i];
    gp_size_describe(&v->plan->cases[i], ret);
    if (ret->part.profile != NULL)
        gp_part_settle(&v->plan->cases[i], &a->ledger.kinds[ret->unit - v->plan->units], ret);
    ret->timing = hold->timing;
    gp_band *time = &ret->time_to_complete_s;
    if (time->expected > 0)
        *time = (gp_band){.expected = hold->timing.wait_s + time->expected / share,
                          .low = hold->timing.wait_s + time->low / share,
                          .high = hold->timing.wait_s + time->high / share};
    if (time->expected > 0 && v->plan->cases[i].demand.deadline_s > 0)
        ret->utilization = time->high / v->plan->cases[i].demand.deadline_s;
    gp_price_candidate(&v->plan->cases[i], owned_nodes, ret);
    ret->objective = a->value.keys[GP_VALUE_OBJECTIVE];
}

/* What the others leave of a unit. */
static gp_baseline left_of(const gp_plan_context *plan, const gp_allocation *without, size_t u) {
    const gp_kind_hold *kind = &without->ledger.kinds[u];
    const int64_t nodes = gp_num_max_i64(0, plan->inventory.owned[u] - kind->nodes);
    const int64_t per_node = plan->units[u].machine.gpus;
    const int64_t gpus = plan->inventory.owned[u] * per_node - kind->gpus;
    return (gp_baseline){.unit = u, .nodes = nodes, .gpus = gp_num_max_i64(nodes * per_node, gpus)};
}

/* Of the fewest machines, whatever the order of the kinds; NULL: there is none. */
static const gp_candidate *smallest_of(const gp_options *options) {
    const gp_candidate *least = NULL;
    for (size_t k = 0; k < options->count; k++) {
        const gp_candidate *one = &options->items[k];
        if (least == NULL || one->nodes < least->nodes ||
            (one->nodes == least->nodes && gp_str_compare(one->unit->id, least->unit->id) < 0))
            least = one;
    }
    return least;
}

/* Fewer machines are to be had than its smallest option takes. */
static gp_lack supply_lack(const gp_verdicts *v, size_t i, const gp_options *options) {
    const gp_candidate *least = smallest_of(options);
    leave_out(v, v->best, i);
    const int64_t left =
        least == NULL ? 0
                      : left_of(v->plan, v->scratch, (size_t)(least->unit - v->plan->units)).nodes;
    return (gp_lack){.bound = GP_BOUND_SUPPLY,
                     .have = (double)left,
                     .need = least != NULL ? (double)least->nodes : 0,
                     .dim = GP_DIM_COUNT};
}

/* Of a limit that an allocation passes. */
static gp_lack limit_lack(const gp_plan_context *plan, int limit, const gp_usage *usage) {
    const gp_limit_row *row = gp_limit_row_of(limit);
    return (gp_lack){.bound = row->bound,
                     .have = plan->limits[limit],
                     .need = gp_usage_limited(usage, limit),
                     .dim = row->dim,
                     .path = plan->limit_paths[limit]};
}

bool gp_verdict_holds_built(const gp_verdicts *v, const gp_inventory *inventory) {
    gp_plan_context built = *v->plan;
    built.shells = NULL;
    gp_growth_shells(&built, v->scratch);
    return gp_allocation_judge(&built, inventory, v->scratch);
}

/* Beside all others; what has no place in the plan finds one only with its share of the horizon. */
static bool placed_with(const gp_verdicts *v, size_t i, const gp_options *options,
                        const gp_inventory *inventory) {
    const bool fits =
        gp_allocate_one(v->plan, inventory, v->best, i, options, v->scratch) != GP_UNPLACED;
    const bool grows = v->plan->growth != NULL && v->best->chosen[i] == NULL;
    return fits && (!grows || gp_verdict_holds_built(v, inventory));
}

const gp_lack *gp_verdict_passed(const gp_verdicts *v) {
    const gp_plan_context *plan = v->plan;
    gp_lack *all = GP_NEW_ARRAY(plan->arena, gp_lack, (size_t)plan->limit_count + 1);
    size_t count = 0;
    for (int limit = 0; limit < plan->limit_count; limit++) {
        const gp_lack lack = limit_lack(plan, limit, &v->scratch->usage);
        size_t at = count;
        if (!v->lifted[limit] || !(lack.need > lack.have))
            continue;
        for (; at > 0 && lack.need * all[at - 1].have > all[at - 1].need * lack.have; at--)
            all[at] = all[at - 1];
        all[at] = lack;
        count++;
    }
    for (size_t k = 0; k + 1 < count; k++)
        all[k].also = &all[k + 1];
    return count > 0 ? all : NULL;
}

/* Several limits that only together let it in: as few as will do. */
static gp_lack joint_lack(const gp_verdicts *v, size_t i, const gp_options *options,
                          const gp_inventory *lifted) {
    const gp_plan_context *plan = v->plan;
    for (int limit = 0; limit < plan->limit_count; limit++) {
        v->lifted[limit] = false;
        if (isfinite(plan->limits[limit]) && !placed_with(v, i, options, lifted))
            v->lifted[limit] = true;
    }
    (void)placed_with(v, i, options, lifted);
    const gp_lack *lacks = gp_verdict_passed(v);
    return lacks != NULL ? *lacks : (gp_lack){.bound = GP_BOUND_SUPPLY, .dim = GP_DIM_COUNT};
}

/* The limit that by itself keeps it out, found by lifting each, or those that do together. */
static gp_lack lack_of(const gp_verdicts *v, size_t i, const gp_options *options,
                       const gp_inventory *inventory) {
    const gp_plan_context *plan = v->plan;
    gp_inventory lifted = *inventory;
    lifted.lifted = v->lifted;
    for (int limit = 0; limit < plan->limit_count; limit++)
        v->lifted[limit] = inventory->lifted != NULL && inventory->lifted[limit];
    for (int limit = 0; limit < plan->limit_count; limit++) {
        const bool was = v->lifted[limit];
        v->lifted[limit] = true;
        if (isfinite(plan->limits[limit]) && placed_with(v, i, options, &lifted))
            return limit_lack(plan, limit, &v->scratch->usage);
        v->lifted[limit] = was;
    }
    for (int limit = 0; limit < plan->limit_count; limit++)
        v->lifted[limit] = true;
    return placed_with(v, i, options, &lifted) ? joint_lack(v, i, options, &lifted)
                                               : supply_lack(v, i, options);
}

/* Its machines less those that are bought for it. */
static int64_t unbought(const gp_plan_context *plan, const gp_allocation *a, size_t i) {
    int64_t nodes = 0;
    for (; i < a->ledger.claim_count; i += plan->case_count)
        if (a->ledger.claims[i] != NULL)
            nodes += a->ledger.holds[i].nodes - a->ledger.holds[i].bought_nodes;
    return nodes;
}

/* The best of some options beside the others, or the nearest with what keeps it out. */
static void try_ways(const gp_verdicts *v, size_t i, const gp_options *options, gp_candidate *ret) {
    if (options->count == 0) {
        const gp_candidate *nearest = options->nearest;
        *ret = nearest != NULL && nearest->present ? *nearest : (gp_candidate){0};
        if (!ret->present)
            return;
        gp_size_describe(&v->plan->cases[i], ret);
        gp_price_candidate(&v->plan->cases[i], 0, ret);
        return;
    }
    if (placed_with(v, i, options, v->inventory)) {
        gp_share_out_for(v->plan, v->scratch, i);
        place(v, v->scratch, i, unbought(v->plan, v->scratch, i), ret);
        return;
    }
    const gp_lack lack = lack_of(v, i, options, v->inventory);
    const int would = v->scratch->picks[i];
    *ret = would >= 0 ? options->items[would] : *smallest_of(options);
    gp_size_describe(&v->plan->cases[i], ret);
    gp_price_candidate(&v->plan->cases[i], 0, ret);
    ret->feasible = false;
    ret->lack = lack;
}

/* ------------------------------------------------------------ the baseline */

static double total_hbm(const gp_plan_context *plan, size_t unit, int64_t gpus) {
    return plan->units[unit].machine.hbm_bytes * (double)gpus;
}

/* One machine of the kind with the least total HBM; ties: owned before rented, power, id. */
static gp_baseline greenfield(const gp_plan_context *plan) {
    gp_baseline best = {.greenfield = true, .nodes = 1};
    bool found = false;
    for (size_t u = 0; u < plan->unit_count; u++) {
        const gp_unit *unit = &plan->units[u];
        const gp_unit *other = &plan->units[best.unit];
        if (!unit->may_buy)
            continue;
        int order = gp_num_compare9(total_hbm(plan, u, unit->machine.gpus),
                                    total_hbm(plan, best.unit, other->machine.gpus));
        /* What a provider's machine draws is not known. */
        if (order == 0)
            order = (unit->cloud != NULL ? 1 : 0) - (other->cloud != NULL ? 1 : 0);
        if (order == 0)
            order = gp_num_compare9(unit->system->max_power_w, other->system->max_power_w);
        if (order == 0)
            order = gp_str_compare(unit->id, other->id);
        if (!found || order < 0)
            best.unit = u;
        found = true;
    }
    best.gpus = plan->units[best.unit].machine.gpus;
    return best;
}

/* The same with what is left of that kind at other sites, which a service may use, too. */
static gp_baseline left_alike(const gp_verdicts *v, size_t i, size_t u) {
    const gp_plan_context *plan = v->plan;
    gp_baseline left = left_of(plan, v->scratch, u);
    for (size_t k = 0; plan->cases[i].kind == GP_DEMAND_CONTINUOUS && k < plan->unit_count; k++) {
        const bool other = plan->units[k].site != plan->units[u].site &&
                           plan->units[k].there_nodes > 0 && same_unit(plan, u, k) &&
                           gp_plan_may_stand(plan, plan->cases[i].workload, k);
        const gp_baseline more = other ? left_of(plan, v->scratch, k) : (gp_baseline){0};
        left.nodes += more.nodes;
        left.gpus += more.gpus;
    }
    return left;
}

/* Without it others might take what it has: a run that waits starts at once. */
static gp_baseline at_least(gp_baseline left, const gp_candidate *has) {
    left.nodes = gp_num_max_i64(left.nodes, has->nodes);
    left.gpus = gp_num_max_i64(left.gpus, has->gpus);
    return left;
}

/* Of the cluster: where the workload is without purchases, the pool it names, or the most room in
 * what is left. */
static gp_baseline cluster_baseline(const gp_verdicts *v, size_t i, const gp_candidate *placed) {
    const gp_plan_context *plan = v->plan;
    const char *wanted = plan->cases[i].workload->placement.pool;
    gp_baseline best = {0};
    bool found = false;
    for (size_t u = 0; u < plan->unit_count; u++) {
        const bool there = plan->units[u].there_nodes > 0;
        if (!there || (wanted != NULL && !gp_unit_has_pool(plan, &plan->units[u], wanted)) ||
            !gp_plan_may_stand(plan, plan->cases[i].workload, u))
            continue;
        const gp_baseline left = left_alike(v, i, u);
        if (placed != NULL && placed->unit == &plan->units[u])
            return at_least(left, gp_candidate_on(placed, placed->unit));
        if (!found || gp_num_compare9(total_hbm(plan, u, left.gpus),
                                      total_hbm(plan, best.unit, best.gpus)) > 0)
            best = left;
        found = true;
    }
    return best;
}

/* Without it others take what it has, of this kind, of those that stand beside what is bought. */
static gp_baseline at_least_owned(const gp_verdicts *v, size_t i, gp_baseline left) {
    const gp_plan_context *plan = v->plan;
    const gp_ledger *ledger = &v->best->ledger;
    const gp_candidate *has = v->best->chosen[i];
    gp_candidate owned = {0};
    for (size_t k = i; k < ledger->claim_count; k += plan->case_count) {
        const gp_candidate *claim = ledger->claims[k];
        if (claim == NULL || !same_unit(plan, left.unit, (size_t)(claim->unit - plan->units)))
            continue;
        owned.nodes += ledger->holds[k].owned_nodes;
        owned.gpus +=
            gp_num_min_i64(ledger->holds[k].owned_nodes * claim->unit->machine.gpus, claim->gpus);
    }
    return has != NULL && has->unit == &plan->units[left.unit] ? at_least(left, &owned) : left;
}

gp_baseline gp_verdict_baseline(const gp_verdicts *v, size_t i, const gp_candidate *placed) {
    for (size_t u = 0; u < v->plan->unit_count; u++) {
        if (v->plan->units[u].there_nodes == 0)
            continue;
        leave_out(v, placed != NULL ? v->today : v->best, i);
        const gp_baseline left = cluster_baseline(v, i, placed);
        return placed != NULL ? left : at_least_owned(v, i, left);
    }
    return greenfield(v->plan);
}

gp_size_bounds gp_verdict_within(const gp_plan_context *plan, const gp_baseline *baseline) {
    const int64_t per_node = plan->units[baseline->unit].machine.gpus;
    const int64_t part = baseline->gpus > baseline->nodes * per_node ? 1 : 0;
    return (gp_size_bounds){.max_nodes = baseline->nodes + part, .max_gpus = baseline->gpus};
}

/* Too few of the machines that stand are left, not of those that are chosen. */
static void count_what_is_left(const gp_verdicts *v, size_t i, size_t unit, gp_candidate *of) {
    leave_out(v, v->today, i);
    const int64_t left = left_of(v->plan, v->scratch, unit).nodes;
    if (left < of->nodes)
        of->lack = gp_lack_of_supply((double)left, (double)of->nodes, GP_DIM_COUNT, NULL);
}

/* On what stands there, or in the shares that the spec states. */
static void size_there(const gp_verdicts *v, const gp_case *c, const gp_baseline *baseline,
                       gp_candidate *ret) {
    gp_options stated = {0};
    if (c->workload->placement.shares.count == 0) {
        gp_size_fewest(c, baseline->unit, gp_verdict_within(c->plan, baseline), ret);
        return;
    }
    gp_shares_stated(c, v->narrow, &stated);
    *ret = stated.count > 0 ? stated.items[0] : *stated.nearest;
}

/* The workload on its baseline: placed there today, or what it lacks. */
static void current_of(const gp_verdicts *v, size_t i, const gp_baseline *baseline,
                       gp_candidate *ret) {
    const gp_case *c = &v->plan->cases[i];
    const gp_candidate *today = v->today->chosen[i];
    if (today != NULL) {
        place(v, v->today, i, today->nodes, ret);
        return;
    }
    *ret = (gp_candidate){.unit = &v->plan->units[baseline->unit]};
    size_there(v, c, baseline, ret);
    if (!baseline->greenfield && (ret->feasible || baseline->gpus == 0)) {
        /* Nothing is left, or what is would be enough by its size: a limit of the site or the way
         * machines are shared stands against it. */
        ret->feasible = false;
        ret->lack = lack_of(v, i, &v->plan->ways[i], v->narrow);
        if (ret->lack.bound == GP_BOUND_SUPPLY && ret->lack.why == NULL)
            count_what_is_left(v, i, baseline->unit, ret);
    }
    gp_price_candidate(c, baseline->greenfield ? 0 : baseline->nodes, ret);
}

/* ------------------------------------------------------------ up and out */

/* More memory, bandwidth or FLOP/s per GPU, or more GPUs in the domain: what "up" means. */
static bool larger_unit(const gp_plan_context *plan, size_t unit, size_t than) {
    const gp_machine *a = &plan->units[unit].machine;
    const gp_machine *b = &plan->units[than].machine;
    return a->domain > b->domain ||
           gp_num_compare9(a->gpu->memory_bytes, b->gpu->memory_bytes) > 0 ||
           gp_num_compare9(a->hbm_bytes_per_s, b->hbm_bytes_per_s) > 0 ||
           gp_num_compare9(a->peak_flop_per_s[GP_PRECISION_BF16],
                           b->peak_flop_per_s[GP_PRECISION_BF16]) > 0;
}

/* The machine count that a change of unit may use and still be vertical. */
static int64_t vertical_nodes(const gp_baseline *baseline) {
    return gp_num_max_i64(1, baseline->nodes);
}

/* Room for ways that are tried and forgotten. */
static gp_options *tried_ways(const gp_verdicts *v) {
    v->tried->count = 0;
    if (v->tried->nearest != NULL)
        v->tried->nearest->present = false;
    return v->tried;
}

static void best_vertical(const gp_verdicts *v, size_t i, const gp_baseline *baseline,
                          gp_candidate *ret) {
    const gp_plan_context *plan = v->plan;
    gp_options *options = tried_ways(v);
    for (size_t u = 0; u < plan->unit_count; u++)
        if (!same_unit(plan, u, baseline->unit) && plan->units[u].may_buy &&
            larger_unit(plan, u, baseline->unit) &&
            gp_plan_may_stand(plan, plan->cases[i].workload, u))
            gp_options_on(&plan->cases[i], u, gp_size_within(plan, u, vertical_nodes(baseline)),
                          options);
    try_ways(v, i, options, ret);
    if (!ret->present)
        ret->lack = (gp_lack){.bound = GP_BOUND_SUPPLY,
                              .dim = GP_DIM_COUNT,
                              .why = "the candidates include no larger machine"};
}

/* More machines of the baseline's kind than it has, or than hold it today. */
static void best_horizontal(const gp_verdicts *v, size_t i, const gp_baseline *baseline,
                            int64_t more_than, gp_candidate *ret) {
    const gp_plan_context *plan = v->plan;
    gp_options *options = tried_ways(v);
    for (size_t u = 0; u < plan->unit_count; u++) {
        gp_size_bounds within = gp_size_any(plan, u);
        within.min_nodes = more_than + 1;
        if (same_unit(plan, u, baseline->unit) && plan->units[u].may_buy &&
            gp_plan_may_stand(plan, plan->cases[i].workload, u))
            gp_options_on(&plan->cases[i], u, within, options);
    }
    try_ways(v, i, options, ret);
}

/* ------------------------------------------------------------ the verdict itself */

static bool allowed(const gp_case *c, const char *word) {
    const gp_scaling *scaling = &c->workload->scaling;
    for (size_t i = 0; i < scaling->allow.count; i++)
        if (gp_str_equal(scaling->allow.items[i], word))
            return true;
    return scaling->allow.count == 0;
}

gp_scale gp_verdict_scale(const gp_plan_context *plan, const gp_baseline *baseline,
                          const gp_allocation *a, size_t i) {
    const gp_candidate *chosen = a->chosen[i];
    if (chosen == NULL)
        return GP_SCALE_INFEASIBLE;
    const bool changed = !same_unit(plan, (size_t)(chosen->unit - plan->units), baseline->unit);
    const bool grown = chosen->nodes > vertical_nodes(baseline);
    if (!baseline->greenfield && chosen->unit->cloud == NULL &&
        gp_ledger_owned(plan, &a->ledger, i) == chosen->nodes)
        return GP_SCALE_NONE;
    if (baseline->greenfield && !changed && !grown)
        return GP_SCALE_NONE;
    if (changed)
        return grown ? GP_SCALE_BOTH : GP_SCALE_VERTICAL;
    return GP_SCALE_HORIZONTAL;
}

/* scaling.allow names what an option changes. */
static bool is_allowed(const gp_plan_context *plan, const gp_case *c, const gp_baseline *baseline,
                       const gp_candidate *option) {
    const bool changed = !same_unit(plan, (size_t)(option->unit - plan->units), baseline->unit);
    const bool grown = option->nodes > vertical_nodes(baseline);
    return (!changed || option->unit->there_nodes > 0 || allowed(c, "vertical")) &&
           (!grown || allowed(c, "horizontal"));
}

void gp_verdict_keep_allowed(const gp_plan_context *plan, const gp_case *c,
                             const gp_baseline *baseline, gp_options *options) {
    size_t kept = 0;
    for (size_t k = 0; k < options->count; k++)
        if (is_allowed(plan, c, baseline, &options->items[k]))
            options->items[kept++] = options->items[k];
    options->count = kept;
}

/* What is declared, as it is: where it is not enough, what it does all the same, judged at the
 * expected value where that is enough. */
static void judge_declared(const gp_verdicts *v, size_t i, gp_verdict *ret) {
    const gp_case *c = &v->plan->cases[i];
    if (ret->scale == GP_SCALE_NONE)
        return;
    ret->scale = GP_SCALE_INFEASIBLE;
    ret->chosen = ret->current;
    ret->bound_by = ret->current.lack.bound;
    if (ret->baseline.greenfield) {
        ret->bound_by = GP_BOUND_SUPPLY;
        ret->chosen = (gp_candidate){.lack = {.bound = GP_BOUND_SUPPLY,
                                              .dim = GP_DIM_COUNT,
                                              .why = "no machines are declared"}};
        return;
    }
    gp_case expected = *c;
    expected.confidence = GP_CONFIDENCE_EXPECTED;
    gp_candidate likely;
    size_there(v, &expected, &ret->baseline, &likely);
    if (!likely.feasible) {
        /* Those that come after it do not take what it misses. */
        leave_out_from(v, v->best, i, true);
        ret->baseline = cluster_baseline(v, i, NULL);
        current_of(v, i, &ret->baseline, &ret->current);
        ret->chosen = ret->current;
        ret->bound_by = ret->current.lack.bound;
        return;
    }
    gp_price_candidate(&expected, ret->baseline.nodes, &likely);
    /* Its bands are those of the confidence that is asked for. */
    likely.described = false;
    gp_size_describe(c, &likely);
    if (!c->out->is_serving)
        gp_train_fill_times(c, &likely);
    ret->chosen = likely;
    ret->likely = true;
    ret->scale = GP_SCALE_NONE;
}

/* Where today's machines are too few for every way, it is the one that is planned that says by how
 * many: another may take more of them, which nobody is asked to buy. */
static void lack_as_planned(gp_verdict *ret) {
    const gp_candidate *chosen = &ret->chosen;
    const gp_lack lack = ret->current.lack;
    const bool machines = (int64_t)lack.need == ret->current.nodes;
    const int64_t need = machines ? chosen->nodes : chosen->gpus;
    if (ret->current.feasible || lack.bound != GP_BOUND_SUPPLY || lack.why != NULL ||
        !chosen->feasible || chosen->unit != ret->current.unit || chosen->share_count > 0 ||
        (double)need <= lack.have)
        return;
    ret->current = *chosen;
    ret->current.feasible = false;
    ret->current.lack = gp_lack_of_supply(lack.have, (double)need, GP_DIM_COUNT, NULL);
}

void gp_verdict_of(const gp_verdicts *v, size_t i, gp_verdict *ret) {
    const gp_plan_context *plan = v->plan;
    const gp_case *c = &plan->cases[i];
    *ret = (gp_verdict){.baseline = gp_verdict_baseline(v, i, v->today->chosen[i])};
    current_of(v, i, &ret->baseline, &ret->current);
    ret->scale = gp_verdict_scale(plan, &ret->baseline, v->best, i);
    if (v->best->chosen[i] != NULL)
        place(v, v->best, i, unbought(plan, v->best, i), &ret->chosen);
    else
        try_ways(v, i, &plan->ways[i], &ret->chosen);
    lack_as_planned(ret);
    const int64_t has = ret->scale == GP_SCALE_NONE ? ret->chosen.nodes : ret->baseline.nodes;
    if (!plan->options->brief) {
        best_vertical(v, i, &ret->baseline, &ret->vertical);
        best_horizontal(v, i, &ret->baseline, has, &ret->horizontal);
    }
    if (plan->options->declared_only)
        judge_declared(v, i, ret);
    ret->bound_by = ret->chosen.feasible
                        ? gp_bound_of_verdict(c, ret->scale, &ret->current, &ret->chosen)
                        : ret->chosen.lack.bound;
}

/* ------------------------------------------------------------ every kind of machine */

static int by_candidate(const void *a, const void *b, const void *context) {
    const gp_candidate *left = a;
    const gp_candidate *right = b;
    (void)context;
    if (left->feasible != right->feasible)
        return left->feasible ? -1 : 1;
    const int order = gp_num_compare9(left->objective, right->objective);
    if (order != 0)
        return order;
    if (left->nodes != right->nodes)
        return left->nodes < right->nodes ? -1 : 1;
    return gp_str_compare(left->unit->id, right->unit->id);
}

void gp_verdict_kinds(const gp_verdicts *v, size_t i) {
    const gp_plan_context *plan = v->plan;
    gp_workload_plan *out = plan->cases[i].out;
    gp_candidate *rows = GP_NEW_ARRAY(plan->arena, gp_candidate, plan->unit_count + 1);
    out->kinds.items = rows;
    for (size_t u = 0; u < plan->unit_count; u++) {
        gp_options *options = tried_ways(v);
        if (!gp_options_allow(&plan->cases[i], v->inventory, u))
            continue;
        gp_options_on(&plan->cases[i], u, gp_options_within(&plan->cases[i], v->inventory, u),
                      options);
        try_ways(v, i, options, &rows[out->kinds.count]);
        out->kinds.count += rows[out->kinds.count].present ? 1 : 0;
    }
    gp_sort(plan->arena, rows, out->kinds.count, sizeof *rows, by_candidate, NULL);
}
