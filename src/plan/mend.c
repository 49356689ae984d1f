/*
 * What would make a declared cluster hold that does not: more replicas of services that have too
 * few, and more machines of the pool that the first failing workload is on, or else of another.
 * Every change is planned with as a whole, so that what is named holds when it is pasted.
 */
#include "plan/context.h"

#include <string.h>

#include "base/num.h"
#include "base/str.h"

enum { MORE_MOST = 16, RAISES_MOST = 4, POOLS_MOST = 4 };

typedef struct mending {
    const gp_plan_context *plan;
    gp_plan_document document;
    gp_pool *pool; /* of the copy */
    gp_workload *workloads;
    gp_plan_memory *memory; /* of the plans that are tried */
    int64_t count;          /* that is found; 0: none */
} mending;

/* Too few replicas are what it lacks: as many as that says. */
static bool raise(mending *m, const gp_plan_result *tried) {
    bool any = false;
    for (size_t i = 0; i < tried->workloads.count; i++) {
        const gp_lack *lack = &tried->workloads.items[i].chosen.lack;
        const int64_t need = (int64_t)lack->need;
        if (tried->workloads.items[i].scale != GP_SCALE_INFEASIBLE || !lack->is_own ||
            !gp_str_equal(lack->path, "replicas") || need <= m->workloads[i].replicas)
            continue;
        m->workloads[i].replicas = need;
        any = true;
    }
    return any;
}

static bool all_hold(const gp_plan_result *tried) {
    for (int i = 0; i < tried->site.limit_count; i++) {
        const gp_limit_use *use = &tried->site.limits[i];
        if (use->used > use->limit && !gp_num_near(use->used, use->limit))
            return false;
    }
    for (size_t i = 0; i < tried->workloads.count; i++) {
        const gp_workload_plan *workload = &tried->workloads.items[i];
        if (workload->scale == GP_SCALE_INFEASIBLE)
            return false;
        for (int k = 0; k < workload->goal_count; k++)
            if (!workload->goals[k].ok_at_expected)
                return false;
    }
    return !tried->over_limits;
}

static bool holds(mending *m, int64_t count, gp_plan_memory *memory) {
    const gp_plan_context *plan = m->plan;
    gp_plan_options options = *plan->options;
    gp_plan_context tried;
    gp_diags diags;
    options.brief = true;
    options.memory = memory;
    gp_diags_init(&diags, plan->arena);
    m->pool->count = count;
    for (int i = 0; i < RAISES_MOST; i++) {
        if (gp_plan_once(plan->arena, plan->catalog, &m->document, plan->prices, plan->price_count,
                         &options, &diags, &tried) != GP_OK)
            return false;
        if (all_hold(tried.result))
            return true;
        if (!raise(m, tried.result))
            return false;
    }
    return false;
}

/* The fewest machines with which all holds; 0: no number up to MORE_MOST more. What others found is
 * used on the way, and not for the answer. */
static int64_t fewest(mending *m, int64_t declared) {
    int64_t more = 0;
    int64_t fails = -1;
    while (more <= MORE_MOST && !holds(m, declared + more, m->memory)) {
        fails = more;
        more = more == 0 ? 1 : 2 * more;
    }
    if (more > MORE_MOST)
        return 0;
    while (more - fails > 1) {
        const int64_t middle = fails + (more - fails) / 2;
        if (holds(m, declared + middle, m->memory))
            more = middle;
        else
            fails = middle;
    }
    return holds(m, declared + more, NULL) ? declared + more : 0;
}

/* The pool of the first failing workload is tried first, then the others. */
static gp_status find_fewest(void *context) {
    mending *m = context;
    const gp_plan_spec *spec = m->plan->spec;
    gp_pool *const first = m->pool;
    gp_pool *const pools = m->document.spec.cluster.pools.items;
    for (size_t k = 0; k <= POOLS_MOST && m->count == 0; k++) {
        gp_pool *tried = k == 0 ? first : &pools[k - 1];
        if (k > spec->cluster.pools.count || (k > 0 && tried == first))
            continue;
        *m->pool = spec->cluster.pools.items[m->pool - pools];
        memcpy(m->workloads, spec->workloads.items, spec->workloads.count * sizeof *m->workloads);
        m->pool = tried;
        m->count = fewest(m, tried->count);
    }
    return GP_OK;
}

static bool misses(const gp_workload_plan *workload) {
    bool missed = workload->scale == GP_SCALE_INFEASIBLE;
    for (int k = 0; k < workload->goal_count; k++)
        missed = missed || !workload->goals[k].ok;
    return missed;
}

static const gp_pool *pool_of(const gp_plan_result *result) {
    for (size_t i = 0; i < result->workloads.count; i++) {
        const gp_workload_plan *workload = &result->workloads.items[i];
        if (misses(workload))
            return workload->chosen.unit != NULL ? workload->chosen.unit->pool : NULL;
    }
    return NULL;
}

void gp_plan_mend(const gp_plan_context *plan) {
    const gp_plan_spec *spec = plan->spec;
    const gp_pool *pool = pool_of(plan->result);
    if (pool == NULL || plan->site_count > 0)
        return;
    mending m = {.plan = plan, .document = *plan->document};
    gp_pool *pools = GP_NEW_ARRAY(plan->arena, gp_pool, spec->cluster.pools.count + 1);
    m.workloads = GP_NEW_ARRAY(plan->arena, gp_workload, spec->workloads.count + 1);
    memcpy(pools, spec->cluster.pools.items, spec->cluster.pools.count * sizeof *pools);
    m.document.spec.cluster.pools.items = pools;
    m.document.spec.workloads.items = m.workloads;
    m.pool = &pools[pool - spec->cluster.pools.items];
    m.memory = gp_plan_memory_new(plan->arena);
    gp_plan_memory_open(m.memory, "");
    const gp_status st = gp_arena_guard(plan->arena, find_fewest, &m);
    gp_plan_memory_free(m.memory);
    if (st != GP_OK)
        gp_arena_leave(plan->arena, st);
    const size_t mended = (size_t)(m.pool - pools);
    if (m.count == 0)
        return;
    gp_mend *mend = GP_NEW(plan->arena, gp_mend);
    *mend = (gp_mend){.pool = mended,
                      .count = m.count,
                      .is_count = m.count != spec->cluster.pools.items[mended].count,
                      .workloads = m.workloads};
    plan->result->mend = mend;
}
