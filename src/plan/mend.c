/*
 * What would make a declared cluster hold that does not: more replicas of services that have too
 * few, all of them or those of prefill and of decode, and more machines of the pool that the first
 * failing workload is on, or else of another. Where nothing is found within the limits of the site,
 * what is needed is found without them, and they are told with it. Every change is planned with as
 * a whole, so that what is named holds when it is pasted.
 */
#include "plan/context.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"

enum {
    MORE_MOST = 16,
    RAISES_MOST = 6,
    FEWER_MOST = 4,
    POOLS_MOST = 4,
    TRIED_BYTES = 1 << 30 /* of one plan */
};

const gp_replica_key gp_replica_keys[GP_REPLICA_KEYS] = {
    {"replicas", offsetof(gp_workload, replicas)},
    {"prefill.replicas", offsetof(gp_workload, prefill.replicas)},
    {"decode.replicas", offsetof(gp_workload, decode.replicas)},
};

typedef struct mending {
    const gp_plan_context *plan;
    gp_plan_document document;
    gp_pool *pool; /* of the copy */
    gp_workload *workloads;
    gp_plan_memory *memory; /* of the plans that are tried */
    gp_arena *beside;       /* the last of them */
    double *limits;         /* that they are made with; NULL: as stated */
    const gp_lack *passed;  /* limits that have to be raised */
    int64_t count;          /* that is found; 0: none */
    bool holds;             /* with it all does */
} mending;

static int64_t *count_of(gp_workload *workload, size_t key) {
    return (int64_t *)(void *)((char *)workload + gp_replica_keys[key].offset);
}

int64_t gp_replicas_declared(const gp_workload *workload, size_t key) {
    return *(const int64_t *)(const void *)((const char *)workload + gp_replica_keys[key].offset);
}

/* The key whose count is too small; GP_REPLICA_KEYS: something else is lacking. */
static size_t key_lacked(const gp_workload_plan *plan) {
    const gp_lack *lack = &plan->chosen.lack;
    size_t key = plan->scale == GP_SCALE_INFEASIBLE && lack->is_own ? 0 : GP_REPLICA_KEYS;
    while (key < GP_REPLICA_KEYS && !gp_str_equal(lack->path, gp_replica_keys[key].path))
        key++;
    return key;
}

/* Too few replicas are what it lacks: as many as that says. */
static bool raise(mending *m, const gp_plan_result *tried) {
    bool any = false;
    for (size_t i = 0; i < tried->workloads.count; i++) {
        const size_t key = key_lacked(&tried->workloads.items[i]);
        const int64_t need = (int64_t)tried->workloads.items[i].chosen.lack.need;
        if (key == GP_REPLICA_KEYS || need <= gp_replicas_declared(&m->workloads[i], key))
            continue;
        *count_of(&m->workloads[i], key) = need;
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

/* Also at the edge of the error band, without a word against what is declared. */
static bool all_safe(const gp_plan_result *tried) {
    for (size_t i = 0; i < tried->workloads.count; i++) {
        const gp_workload_plan *workload = &tried->workloads.items[i];
        if (workload->has_declared && !workload->declared.feasible)
            return false;
        for (int k = 0; k < workload->goal_count; k++)
            if (!workload->goals[k].ok)
                return false;
    }
    return all_hold(tried);
}

/* The plan with so many machines and the replicas as they are, until the next; NULL: there is
 * none. */
static const gp_plan_result *plan_with(mending *m, int64_t count, gp_plan_memory *memory) {
    const gp_plan_context *plan = m->plan;
    gp_plan_options options = *plan->options;
    gp_arena_free(m->beside);
    m->beside = gp_arena_beside(plan->arena, TRIED_BYTES);
    options.brief = true;
    options.limits = m->limits;
    options.memory = memory;
    m->pool->count = count;
    const gp_plan_context *tried = gp_plan_again(plan, m->beside, &m->document, &options);
    return tried != NULL ? tried->result : NULL;
}

static bool is_safe(mending *m, int64_t count) {
    const gp_plan_result *tried = plan_with(m, count, NULL);
    return tried != NULL && all_safe(tried);
}

static bool holds(mending *m, int64_t count, gp_plan_memory *memory) {
    for (int i = 0; i < RAISES_MOST; i++) {
        const gp_plan_result *tried = plan_with(m, count, memory);
        if (tried == NULL)
            return false;
        if (all_hold(tried))
            return true;
        if (!raise(m, tried))
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

/* One by one fewer, no fewer than are declared, while all is safe. */
static void lower_count(mending *m, int64_t declared, int64_t *count) {
    for (int tries = 0; tries < FEWER_MOST && declared < *count; tries++) {
        --*count;
        if (is_safe(m, m->count))
            continue;
        ++*count;
        return;
    }
}

/* A count was raised to what its pool lacked while the other was too small, and may be more than is
 * needed since that has grown; machines follow. */
static void do_with_fewer(mending *m) {
    const gp_plan_spec *spec = m->plan->spec;
    const size_t pool = (size_t)(m->pool - m->document.spec.cluster.pools.items);
    const int64_t machines = spec->cluster.pools.items[pool].count;
    if (!is_safe(m, m->count))
        return;
    for (size_t i = 0; i < spec->workloads.count; i++)
        for (size_t key = 0; key < GP_REPLICA_KEYS; key++)
            lower_count(m, gp_replicas_declared(&spec->workloads.items[i], key),
                        count_of(&m->workloads[i], key));
    while (m->count > machines && is_safe(m, m->count - 1))
        m->count--;
}

/* As declared, but for what is tried on that pool. */
static void start_on(mending *m, gp_pool *pool) {
    const gp_plan_spec *spec = m->plan->spec;
    memcpy(m->document.spec.cluster.pools.items, spec->cluster.pools.items,
           spec->cluster.pools.count * sizeof *pool);
    memcpy(m->workloads, spec->workloads.items, spec->workloads.count * sizeof *m->workloads);
    m->pool = pool;
}

/* The pool of the first failing workload is tried first, then the others. */
static void find_fewest(mending *m, gp_pool *first) {
    const gp_plan_spec *spec = m->plan->spec;
    gp_pool *const pools = m->document.spec.cluster.pools.items;
    for (size_t k = 0; k <= POOLS_MOST && m->count == 0; k++) {
        gp_pool *tried = k == 0 ? first : &pools[k - 1];
        if (k > spec->cluster.pools.count || (k > 0 && tried == first))
            continue;
        start_on(m, tried);
        m->count = fewest(m, tried->count);
    }
    if (m->count > 0)
        do_with_fewer(m);
}

/* Limits up to what that takes; false where it does not hold with them. */
static bool raise_limits(mending *m) {
    const gp_plan_context *plan = m->plan;
    const gp_plan_result *free = plan_with(m, m->count, NULL);
    for (int i = 0; i < plan->limit_count && free != NULL; i++)
        m->limits[i] = gp_num_max(plan->limits[i], gp_result_limited(free, i));
    const gp_plan_result *tried = free != NULL ? plan_with(m, m->count, NULL) : NULL;
    m->passed = gp_limits_raised(plan, m->limits);
    return tried != NULL && all_hold(tried);
}

/* How many it takes hangs on no limit: where no number keeps to them, they are lifted. */
static gp_status find(void *context) {
    mending *m = context;
    const gp_plan_context *plan = m->plan;
    gp_pool *const first = m->pool;
    find_fewest(m, first);
    m->holds = m->count > 0;
    if (m->holds || !gp_limits_stated(plan))
        return GP_OK;
    m->limits = GP_NEW_ARRAY(plan->arena, double, (size_t)plan->limit_count + 1);
    for (int i = 0; i < plan->limit_count; i++)
        m->limits[i] = HUGE_VAL;
    find_fewest(m, first);
    m->holds = m->count > 0 && raise_limits(m);
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

/* What was planned with and holds is what is needed, also where the closed form asks for fewer. */
static void need_as_mended(gp_plan_result *result, const gp_workload *mended) {
    for (size_t i = 0; i < result->workloads.count; i++) {
        gp_workload_plan *plan = &result->workloads.items[i];
        const size_t key = key_lacked(plan);
        if (key < GP_REPLICA_KEYS)
            plan->chosen.lack.need = (double)gp_replicas_declared(&mended[i], key);
    }
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
    const gp_status st = gp_arena_guard(plan->arena, find, &m);
    gp_plan_memory_free(m.memory);
    gp_arena_free(m.beside);
    if (st != GP_OK)
        gp_arena_leave(plan->arena, st);
    const size_t mended = (size_t)(m.pool - pools);
    if (m.count == 0)
        return;
    need_as_mended(plan->result, m.workloads);
    if (!m.holds)
        return;
    gp_mend *mend = GP_NEW(plan->arena, gp_mend);
    *mend = (gp_mend){.pool = mended,
                      .count = m.count,
                      .is_count = m.count != spec->cluster.pools.items[mended].count,
                      .workloads = m.workloads,
                      .limits = m.passed};
    plan->result->mend = mend;
}
