/*
 * Claims on the declared cluster: in order of priority, then of the spec; whole machines when
 * exclusive, else GPUs. What holds machines for good (services, jobs without an end) is taken off
 * the pool; a job with an end holds them for its time, so that others can follow it (turns.c).
 */
#include "plan/context.h"

#include "base/num.h"
#include "base/sort.h"
#include "base/str.h"

gp_status gp_claims_init(gp_plan_context *plan) {
    plan->pools = GP_NEW_ARRAY(plan->arena, gp_pool_state, plan->unit_count);
    plan->bought = GP_NEW_ARRAY(plan->arena, gp_pool_state, plan->unit_count);
    plan->claim_order = GP_NEW_ARRAY(plan->arena, size_t, plan->case_count);
    if (plan->pools == NULL || plan->bought == NULL || plan->claim_order == NULL)
        return GP_ERR_NO_MEMORY;
    for (size_t u = 0; u < plan->unit_count; u++) {
        plan->pools[u].dated = GP_NEW_ARRAY(plan->arena, gp_dated_claim, plan->case_count);
        plan->pools[u].groups = GP_NEW_ARRAY(plan->arena, gp_turn_group, plan->case_count);
        if (plan->pools[u].dated == NULL || plan->pools[u].groups == NULL)
            return GP_ERR_NO_MEMORY;
    }
    return GP_OK;
}

gp_demand_kind gp_demand_kind_of(const gp_case *c) {
    const gp_workload *w = c->workload;
    if (c->out->is_serving && !c->offline)
        return GP_DEMAND_CONTINUOUS;
    if (w->jobs.per_week > 0 || w->jobs.concurrent > 1)
        return GP_DEMAND_CONCURRENT;
    if (w->goal.every_s > 0)
        return GP_DEMAND_RECURRING;
    return w->goal.complete_within_s > 0 ? GP_DEMAND_DEADLINE : GP_DEMAND_OPEN;
}

/* Most machines that dated claims hold together at `from_s` or later: their sum only grows where
 * one of them starts. */
static int64_t dated_peak(const gp_pool_state *pool, double from_s) {
    int64_t most = 0;
    for (size_t i = 0; i < pool->dated_count; i++) {
        const double at = gp_num_max(from_s, pool->dated[i].start_s);
        int64_t held = 0;
        for (size_t k = 0; k < pool->dated_count; k++)
            if (pool->dated[k].start_s <= at && at < pool->dated[k].end_s)
                held += pool->dated[k].nodes;
        most = gp_num_max_i64(most, held);
    }
    return most;
}

int64_t gp_pool_free(const gp_pool_state *pool, double from_s) {
    return gp_num_max_i64(0, pool->free_nodes - dated_peak(pool, from_s));
}

/* On an empty site, what may run on the idle hours of services comes after them: there is nothing
 * to share before. */
static int waits_for_services(const gp_plan_context *plan, size_t i) {
    return plan->pool_count == 0 && !plan->cases[i].out->is_serving &&
                   plan->cases[i].workload->placement.time_sharing
               ? 1
               : 0;
}

static int by_priority(const void *a, const void *b, const void *context) {
    const gp_plan_context *plan = context;
    const int64_t left = plan->cases[*(const size_t *)a].workload->priority;
    const int64_t right = plan->cases[*(const size_t *)b].workload->priority;
    const int shares =
        waits_for_services(plan, *(const size_t *)a) - waits_for_services(plan, *(const size_t *)b);
    if (shares != 0)
        return shares;
    return left == right ? 0 : left > right ? -1 : 1;
}

gp_status gp_claims_order(gp_plan_context *plan) {
    plan->pool_count = 0;
    for (size_t u = 0; u < plan->unit_count; u++) {
        if (plan->units[u].pool == NULL)
            continue;
        gp_pool_state *pool = &plan->pools[plan->pool_count++];
        *pool = (gp_pool_state){
            .pool = plan->units[u].pool,
            .unit = u,
            .free_nodes = plan->units[u].owned_nodes,
            .dated = pool->dated,
            .groups = pool->groups,
        };
    }
    for (size_t u = 0; u < plan->unit_count; u++)
        plan->bought[u] = (gp_pool_state){.unit = u};
    for (size_t i = 0; i < plan->case_count; i++)
        plan->claim_order[i] = i;
    return gp_sort(plan->arena, plan->claim_order, plan->case_count, sizeof(size_t), by_priority,
                   plan);
}

/* GPUs of a job or replica that must share one machine. */
static int64_t group_gpus(const gp_plan_context *plan, const gp_candidate *candidate, size_t unit) {
    const int64_t all = gp_num_max_i64(1, candidate->replicas);
    const int64_t each = gp_num_max_i64(1, candidate->gpus / all);
    return gp_num_min_i64(each, plan->units[unit].machine.gpus);
}

/* Groups that fit into what others left on shared machines go there first; the rest takes whole
 * machines for good. */
static void take_for_good(const gp_case *c, gp_pool_state *pool, const gp_candidate *candidate) {
    const gp_plan_context *plan = c->plan;
    const int64_t per_node = plan->units[pool->unit].machine.gpus;
    const int64_t group = group_gpus(plan, candidate, pool->unit);
    int64_t rest = candidate->gpus;
    while (!c->exclusive && rest >= group && group > 0 && pool->largest_hole >= group) {
        pool->largest_hole -= group;
        pool->partial_gpus -= group;
        rest -= group;
    }
    const int64_t usable = group > 0 ? per_node / group * group : per_node;
    const int64_t whole = c->exclusive ? (rest + per_node - 1) / per_node
                                       : (rest + usable - 1) / gp_num_max_i64(1, usable);
    const int64_t taken = gp_num_min_i64(whole, gp_pool_free(pool, 0));
    pool->free_nodes -= taken;
    const int64_t left = taken * per_node - gp_num_min_i64(rest, taken * per_node);
    if (!c->exclusive && left > 0) {
        pool->partial_gpus += left;
        pool->largest_hole = gp_num_max_i64(pool->largest_hole, left % per_node);
    }
}

/* A job that ends holds whole machines until then, at the edge of its error band. */
static void take_dated(gp_pool_state *pool, const gp_candidate *candidate) {
    const double wait = candidate->timing.wait_s;
    const int64_t nodes = gp_num_min_i64(candidate->nodes, gp_pool_free(pool, wait));
    pool->dated[pool->dated_count++] = (gp_dated_claim){
        .nodes = nodes, .start_s = wait, .end_s = candidate->time_to_complete_s.high};
}

/* The first run of a group keeps its machines for good; others join it. */
static void take_turns(const gp_case *c, gp_pool_state *pool, const gp_baseline *baseline,
                       const gp_candidate *candidate) {
    const double run = candidate->time_to_complete_s.high - candidate->timing.wait_s;
    const double slack = c->demand.deadline_s / (1 + c->gpu_headroom_fraction) - run;
    if (baseline->timing.turn == GP_TURN_QUEUE) {
        gp_turn_group *group = &pool->groups[baseline->group];
        group->slack_s = gp_num_min(group->slack_s - run, slack - group->busy_s);
        group->busy_s += run;
        group->period_s = gp_num_min(group->period_s, c->workload->goal.every_s);
        return;
    }
    const int64_t nodes = gp_num_min_i64(candidate->nodes, gp_pool_free(pool, 0));
    take_for_good(c, pool, candidate);
    pool->groups[pool->group_count++] = (gp_turn_group){
        .nodes = nodes, .busy_s = run, .period_s = c->workload->goal.every_s, .slack_s = slack};
}

void gp_claims_take(const gp_case *c, const gp_baseline *baseline, const gp_candidate *candidate) {
    gp_pool_state *pool = baseline->pool;
    if (pool == NULL && candidate->feasible && candidate->unit->cloud == NULL)
        gp_turn_add_idle(c, candidate,
                         c->plan->bought[candidate->unit - c->plan->units].idle_nodes);
    if (pool == NULL || !candidate->feasible || candidate->unit->pool != pool->pool)
        return;
    const gp_demand_kind kind = gp_demand_kind_of(c);
    const int64_t per_node = c->plan->units[pool->unit].machine.gpus;
    const bool whole = candidate->gpus == candidate->nodes * per_node;
    if (candidate->timing.turn == GP_TURN_IDLE)
        pool->idle_taken = true;
    else if (kind == GP_DEMAND_DEADLINE && whole)
        take_dated(pool, candidate);
    else if (kind == GP_DEMAND_RECURRING && whole)
        take_turns(c, pool, baseline, candidate);
    else
        take_for_good(c, pool, candidate);
    gp_turn_add_idle(c, candidate, pool->idle_nodes);
}

/* Whole machines, and for a workload that shares, the largest free part of one. */
static gp_baseline pool_baseline(const gp_case *c, gp_pool_state *pool) {
    const int64_t per_node = c->plan->units[pool->unit].machine.gpus;
    const int64_t hole = c->exclusive ? 0 : pool->largest_hole;
    const int64_t free = gp_pool_free(pool, 0);
    return (gp_baseline){
        .unit = pool->unit,
        .nodes = free,
        .gpus = free * per_node + hole,
        .largest_hole = hole,
        .pool = pool,
    };
}

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

/* Among pools: one that is enough as it is, best by the objective; else the largest. */
static gp_baseline best_pool(const gp_case *c) {
    gp_plan_context *plan = c->plan;
    gp_baseline best = {0};
    gp_candidate best_sized = {0};
    bool found = false;
    for (size_t p = 0; p < plan->pool_count; p++) {
        const gp_baseline option = pool_baseline(c, &plan->pools[p]);
        gp_candidate sized;
        gp_size_baseline(c, &option, &sized);
        gp_price_candidate(c, option.unit, sized.nodes, &sized);
        const bool larger = gp_num_compare9(total_hbm(plan, option.unit, option.gpus),
                                            total_hbm(plan, best.unit, best.gpus)) > 0;
        const bool better =
            sized.feasible ? !best_sized.feasible || gp_candidate_compare(&sized, &best_sized) < 0
                           : !best_sized.feasible && larger;
        if (!found || better) {
            best = option;
            best_sized = sized;
        }
        found = true;
    }
    return best;
}

/* Machines that are there at once come first; where they are too few, those there in time. */
static void wait_for_machines(const gp_case *c, const char *wanted, gp_baseline *baseline) {
    gp_candidate sized;
    gp_size_baseline(c, baseline, &sized);
    if (sized.feasible)
        return;
    for (size_t p = 0; p < c->plan->pool_count; p++) {
        gp_pool_state *pool = &c->plan->pools[p];
        if ((wanted == NULL || gp_str_equal(pool->pool->name, wanted)) &&
            gp_turn_of(c, pool, baseline))
            return;
    }
}

/* One machine of the smallest kind, or the hours that services leave of those bought for them. */
static void empty_site(const gp_case *c, gp_baseline *ret) {
    gp_plan_context *plan = c->plan;
    *ret = greenfield(plan);
    for (size_t u = 0; u < plan->unit_count && !plan->declared_only; u++)
        if (gp_turn_of(c, &plan->bought[u], ret))
            return;
}

void gp_baseline_of(const gp_case *c, gp_baseline *ret_baseline) {
    gp_plan_context *plan = c->plan;
    const char *wanted = c->workload->placement.pool;
    if (plan->pool_count == 0) {
        empty_site(c, ret_baseline);
        return;
    }
    bool found = false;
    for (size_t p = 0; p < plan->pool_count && wanted != NULL && !found; p++) {
        found = gp_str_equal(plan->pools[p].pool->name, wanted);
        if (found)
            *ret_baseline = pool_baseline(c, &plan->pools[p]);
    }
    if (!found)
        *ret_baseline = best_pool(c);
    wait_for_machines(c, found ? wanted : NULL, ret_baseline);
}
