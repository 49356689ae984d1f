/*
 * Claims on the declared cluster: in order of priority, then of the spec; whole machines when
 * exclusive, else GPUs. This file is the whole of the claim rule.
 */
#include "plan/context.h"

#include "base/num.h"
#include "base/sort.h"
#include "base/str.h"

gp_status gp_claims_init(gp_plan_context *plan) {
    plan->pools = GP_NEW_ARRAY(plan->arena, gp_pool_state, plan->unit_count);
    plan->claim_order = GP_NEW_ARRAY(plan->arena, size_t, plan->case_count);
    if (plan->pools == NULL || plan->claim_order == NULL)
        return GP_ERR_NO_MEMORY;
    return GP_OK;
}

static int by_priority(const void *a, const void *b, const void *context) {
    const gp_plan_context *plan = context;
    const int64_t left = plan->cases[*(const size_t *)a].workload->priority;
    const int64_t right = plan->cases[*(const size_t *)b].workload->priority;
    return left == right ? 0 : left > right ? -1 : 1;
}

gp_status gp_claims_order(gp_plan_context *plan) {
    plan->pool_count = 0;
    for (size_t u = 0; u < plan->unit_count; u++)
        if (plan->units[u].pool != NULL)
            plan->pools[plan->pool_count++] = (gp_pool_state){
                .pool = plan->units[u].pool,
                .unit = u,
                .free_nodes = plan->units[u].owned_nodes,
            };
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

void gp_claims_take(gp_plan_context *plan, const gp_baseline *baseline,
                    const gp_candidate *candidate, bool exclusive) {
    gp_pool_state *pool = baseline->pool;
    if (pool == NULL || !candidate->feasible || candidate->unit->pool != pool->pool)
        return;
    const int64_t per_node = plan->units[pool->unit].machine.gpus;
    const int64_t group = group_gpus(plan, candidate, pool->unit);
    int64_t rest = candidate->gpus;
    /* Groups that fit into what others left on shared machines go there first. */
    while (!exclusive && rest >= group && group > 0 && pool->largest_hole >= group) {
        pool->largest_hole -= group;
        pool->partial_gpus -= group;
        rest -= group;
    }
    const int64_t usable = group > 0 ? per_node / group * group : per_node;
    const int64_t whole = exclusive ? (rest + per_node - 1) / per_node
                                    : (rest + usable - 1) / gp_num_max_i64(1, usable);
    const int64_t taken = gp_num_min_i64(whole, pool->free_nodes);
    pool->free_nodes -= taken;
    const int64_t left = taken * per_node - gp_num_min_i64(rest, taken * per_node);
    if (!exclusive && left > 0) {
        pool->partial_gpus += left;
        pool->largest_hole = gp_num_max_i64(pool->largest_hole, left % per_node);
    }
}

/* Whole machines, and for a workload that shares, the largest free part of one. */
static gp_baseline pool_baseline(const gp_case *c, gp_pool_state *pool) {
    const int64_t per_node = c->plan->units[pool->unit].machine.gpus;
    const int64_t hole = c->exclusive ? 0 : pool->largest_hole;
    return (gp_baseline){
        .unit = pool->unit,
        .nodes = pool->free_nodes,
        .gpus = pool->free_nodes * per_node + hole,
        .largest_hole = hole,
        .pool = pool,
    };
}

static double total_hbm(const gp_plan_context *plan, size_t unit, int64_t gpus) {
    return plan->units[unit].machine.hbm_bytes * (double)gpus;
}

/* One machine of the kind with the least total HBM; ties: power, then id. */
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

void gp_baseline_of(const gp_case *c, gp_baseline *ret_baseline) {
    gp_plan_context *plan = c->plan;
    const char *wanted = c->workload->placement.pool;
    for (size_t p = 0; p < plan->pool_count && wanted != NULL; p++)
        if (gp_str_equal(plan->pools[p].pool->name, wanted)) {
            *ret_baseline = pool_baseline(c, &plan->pools[p]);
            return;
        }
    *ret_baseline = plan->pool_count > 0 ? best_pool(c) : greenfield(plan);
}
