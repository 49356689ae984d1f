/*
 * Prefill and decode apart: for each pair of layouts of one unit, what a decode replica carries
 * within the time per token, and what a prefill replica then carries within the time to first
 * token, both by bisection. The pools are rate-matched when they are sized. Of many layouts only
 * those are paired that no other betters as a pool by itself.
 */
#include "plan/context.h"

#include <math.h>

#include "base/num.h"
#include "estimate/serve.h"

enum { BISECTIONS = 20, LAYOUTS_EACH = 20, LAYOUTS_ALL = 8, STEPS_DOWN = 12 };
static const double step_down = 0.7, unhindered = 0.95;

typedef struct pair {
    const gp_slo *slo;
    gp_serve_pools pools;
    double margin, ttft_margin;
} pair;

/* By the levels of the time per token alone. */
static double tokens_beyond(const void *context, double batch) {
    const pair *p = context;
    const gp_slo slo = {.tpot_s = p->slo->tpot_s};
    gp_serve_point point;
    gp_serve_pools_decode(&p->pools, batch, &point);
    return gp_slo_beyond(&slo, &point, p->margin, p->ttft_margin);
}

/* The decode replica with the largest batch that keeps the time per token. */
static bool decode_within(const pair *p, double share, gp_serve_point *ret) {
    const double most = p->pools.batch_max;
    const gp_num_range range = {
        .most = most * share, .precision = HUGE_VAL, .steps = BISECTIONS};
    const double batch = gp_num_last_held(tokens_beyond, p, &range);
    gp_serve_pools_decode(&p->pools, batch, ret);
    return batch > most / (double)(1 << (BISECTIONS - 2));
}

/* Pools of which the batch of the decode replica is known. */
typedef struct fed {
    const pair *p;
    const gp_serve_point *decode;
} fed;

/* By the levels of all but the time per token, which prefill does not change. */
static double latency_beyond(const void *context, double requests_per_s) {
    const fed *f = context;
    const gp_slo slo = {.ttft_s = f->p->slo->ttft_s, .e2e_s = f->p->slo->e2e_s};
    gp_serve_point at = *f->decode;
    gp_serve_pools_latency(&f->p->pools, requests_per_s, &at);
    return gp_slo_beyond(&slo, &at, f->p->margin, f->p->ttft_margin);
}

/* Of each prefill replica. */
static double prefill_rate(const pair *p, double limit, const gp_serve_point *decode,
                           gp_carried_near *near) {
    const fed f = {p, decode};
    const gp_num_range range = {.most = limit,
                                .precision = HUGE_VAL,
                                .steps = BISECTIONS,
                                .low = near->low,
                                .high = near->high};
    const double rate = near->found = gp_num_last_held(latency_beyond, &f, &range);
    return rate > limit / (double)(1 << (BISECTIONS - 2)) ? rate : 0;
}

/* The whole request has to end in time too: where a full batch leaves prefill none of it, a smaller
 * one may. */
static bool leaves_time(const pair *p, const gp_serve_point *decode) {
    const fed f = {p, decode};
    return !(latency_beyond(&f, 0.5 / p->pools.prompt_s) > 0);
}

/* Both pools of these layouts; `memory` is the decode replica's. */
static void pools_of(const gp_case *c, size_t unit, const gp_serve_capability *prefill,
                     const gp_serve_capability *decode, gp_serve_job *job, pair *ret) {
    const gp_machine *machine = &c->plan->units[unit].machine;
    *job = gp_plan_serve_job(c, unit, machine);
    /* Pools grow apart, so the cache is taken to cross the network. */
    const gp_serve_split split = {.prefill = prefill->layout, .decode = decode->layout};
    *ret = (pair){.slo = &c->workload->goal.slo};
    gp_serve_pools_of(job, machine, &c->plan->networks[unit], &split, c->plan->constants,
                      &decode->memory, &ret->pools);
    ret->pools.near = !gp_slo_asks_far(ret->slo);
}

/* A layout as a pool by itself. */
typedef struct pool {
    int64_t layout, gpus;
    int64_t rank; /* others of its size with more requests per GPU */
    /* GPUs for a request a second at the least, as each confidence judges it. */
    double least_gpus[GP_PLAN_JUDGED_COUNT];
    double per_gpu;   /* requests per second in time, by all judgements together */
    double latency_s; /* of one request alone */
    /* Of a decode pool, as each confidence judges it: the largest batch in time, if any is. */
    bool held[GP_PLAN_JUDGED_COUNT];
    gp_serve_point full[GP_PLAN_JUDGED_COUNT];
} pool;

static void set_margins(const gp_case *c, int judged, double error, pair *p) {
    p->margin = judged == 0 ? 0 : gp_plan_margin(c, error, c->confidence);
    p->ttft_margin = judged == 0 ? 0 : gp_plan_ttft_margin(c);
}

/* Where the margin does not show in a latency, a replica slower by it carries that much less. A
 * batch short of the places keeps their queue short, and leaves prefill more of the time: what
 * takes the fewest GPUs for a request is kept. */
static bool decode_best(const pair *p, const pool *decode, int64_t prefill_gpus, int judged,
                        double limit, gp_serve_point *ret) {
    const double tokens = p->pools.branches * p->pools.output;
    const double slower = 1 + p->margin;
    gp_serve_point point = decode->full[judged];
    double least = HUGE_VAL;
    bool held = decode->held[judged];
    gp_carried_near near = {0};
    for (int t = 0; held && t < STEPS_DOWN; t++) {
        const double carried =
            gp_num_min(point.output_tokens_per_s / tokens, point.max_requests_per_s / slower);
        const double rate = leaves_time(p, &point) ? prefill_rate(p, limit, &point, &near) : 0;
        const double gpus =
            rate > 0 ? (double)prefill_gpus / rate + (double)decode->gpus / carried : HUGE_VAL;
        if (gpus < least)
            *ret = point;
        if ((rate > 0 && gpus > least) || rate > unhindered * limit)
            return true;
        least = gp_num_min(least, gpus);
        held = decode_within(p, step_down * point.batch / p->pools.batch_max, &point);
    }
    return isfinite(least);
}

/* Prefill replicas beside a decode replica that is known. */
typedef struct beside {
    pair *p;
    double limit;
    gp_serve_point decode;
} beside;

static double prefill_among(void *context, double among, gp_carried_near *near) {
    beside *b = context;
    b->p->pools.prefills = among;
    return prefill_rate(b->p, b->limit, &b->decode, near);
}

static void judge_as(pair *p, const pool *decode, int64_t prefill_gpus, int judged,
                     gp_split_capability *ret) {
    const double slower = 1 + p->margin;
    beside b = {.p = p, .limit = 1 / (p->pools.prompt_s * slower)};
    p->pools.prefills = 1;
    if (!decode_best(p, decode, prefill_gpus, judged, b.limit, &b.decode))
        return;
    ret->decode_per_s[judged] =
        gp_num_min(b.decode.output_tokens_per_s / (p->pools.branches * p->pools.output),
                   b.decode.max_requests_per_s / slower);
    gp_carried_fill(prefill_among, &b, &ret->prefills[judged]);
}

static void judge(const gp_case *c, pair *p, const pool *decode, double error, int64_t prefill_gpus,
                  gp_split_capability *ret) {
    for (int i = 0; i < GP_PLAN_JUDGED_COUNT && p->pools.supported; i++) {
        set_margins(c, i, error, p);
        judge_as(p, decode, prefill_gpus, i, ret);
    }
}

static void add_pair(const gp_case *c, size_t unit, int64_t prefill, const pool *decode) {
    gp_unit_capability *store = gp_capability_of(c, unit);
    if (store->split_count >= GP_PLAN_SPLITS_MAX)
        return;
    gp_serve_job job;
    pair p;
    const gp_serve_capability *other = &store->serve[decode->layout];
    pools_of(c, unit, &store->serve[prefill], other, &job, &p);
    gp_split_capability *found = &store->split[store->split_count++];
    *found = (gp_split_capability){.prefill = prefill, .decode = decode->layout};
    judge(c, &p, decode, other->error_fraction, store->serve[prefill].gpus, found);
}

typedef struct gp_pool_list {
    int64_t count;
    pool items[GP_PLAN_LAYOUTS_MAX];
} gp_pool_list;

void gp_split_open(gp_plan_context *plan) {
    plan->pools = GP_NEW_ARRAY(plan->arena, gp_pool_list, 3);
}

static bool betters(const pool *a, const pool *b) {
    const bool worse = a->gpus > b->gpus || a->per_gpu < b->per_gpu || a->latency_s > b->latency_s;
    const bool better = a->gpus < b->gpus || a->per_gpu > b->per_gpu || a->latency_s < b->latency_s;
    return !worse && (better || a->layout < b->layout);
}

/* Of more than can be paired: half are those with most requests per GPU, which come first, half the
 * best of each other size and the smallest beside them, which little demands are met with. */
static void cut(gp_pool_list *list) {
    for (int64_t i = 0; i < list->count; i++)
        for (int64_t k = 0; k < i; k++)
            list->items[i].rank += list->items[k].gpus == list->items[i].gpus ? 1 : 0;
    for (int64_t at = LAYOUTS_EACH / 2; at < LAYOUTS_EACH && at < list->count; at++) {
        int64_t least = at;
        for (int64_t i = at + 1; i < list->count; i++) {
            const pool *a = &list->items[i], *b = &list->items[least];
            if (a->rank < b->rank || (a->rank == b->rank && a->gpus < b->gpus))
                least = i;
        }
        const pool smallest = list->items[least];
        list->items[least] = list->items[at];
        list->items[at] = smallest;
    }
    list->count = gp_num_min_i64(list->count, LAYOUTS_EACH);
}

/* Keeps those that no other betters, the ones with most requests per GPU first, and no more than
 * can be paired. Few are all kept. */
static void keep_best(gp_pool_list *list, gp_pool_list *best) {
    best->count = 0;
    for (int64_t i = 0; i < list->count; i++) {
        bool bettered = list->items[i].per_gpu <= 0;
        for (int64_t k = 0; k < list->count && !bettered; k++)
            bettered = betters(&list->items[k], &list->items[i]);
        if (bettered && list->count > LAYOUTS_ALL)
            continue;
        int64_t at = best->count++;
        for (; at > 0 && best->items[at - 1].per_gpu < list->items[i].per_gpu; at--)
            best->items[at] = best->items[at - 1];
        best->items[at] = list->items[i];
    }
    *list = *best;
    cut(list);
}

/* Leaves those from `from` to `to`, which are for this phase. */
static void keep_phase(gp_pool_list *list, int64_t from, int64_t to) {
    int64_t kept = 0;
    for (int64_t i = 0; i < list->count; i++)
        if (list->items[i].layout >= from && list->items[i].layout < to)
            list->items[kept++] = list->items[i];
    list->count = kept;
}

/* The largest batches in time of a decode pool, as each confidence judges them. */
static void fill_batches(const gp_case *c, const gp_serve_capability *found, pair *p, pool *ret) {
    const double share = c->plan->constants->plan_split_fill_fraction;
    for (int k = 0; k < GP_PLAN_JUDGED_COUNT; k++) {
        set_margins(c, k, found->error_fraction, p);
        ret->held[k] = decode_within(p, share, &ret->full[k]);
    }
}

/* What each layout that fits does as a decode pool, and takes at the least as either. */
static void list_pools(const gp_case *c, size_t unit, gp_pool_list *prefill, gp_pool_list *decode) {
    const gp_unit_capability *store = gp_capability_of(c, unit);
    for (int64_t i = 0; i < store->serve_count; i++) {
        const gp_serve_capability *found = &store->serve[i];
        gp_serve_job job;
        pair p;
        if (!found->fits)
            continue;
        pools_of(c, unit, found, found, &job, &p);
        if (!p.pools.supported)
            continue;
        const double gpus = (double)found->gpus;
        const double tokens = p.pools.branches * p.pools.output;
        pool *item = &decode->items[decode->count++];
        pool *prompts = &prefill->items[prefill->count++];
        *item = (pool){.layout = i, .gpus = found->gpus};
        *prompts = (pool){.layout = i, .gpus = found->gpus, .latency_s = p.pools.lone_s};
        fill_batches(c, found, &p, item);
        for (int k = 0; k < GP_PLAN_JUDGED_COUNT; k++) {
            set_margins(c, k, found->error_fraction, &p);
            if (item->held[k])
                item->per_gpu += item->full[k].output_tokens_per_s / (tokens * gpus);
            item->least_gpus[k] =
                item->held[k] ? gpus * tokens / item->full[k].output_tokens_per_s : HUGE_VAL;
            prompts->least_gpus[k] = gpus * p.pools.prompt_s * (1 + p.margin);
        }
    }
}

/* Prompts in time beside a single request that is written. */
static void fill_prompts(const gp_case *c, size_t unit, pool *prefill, pool *decode) {
    const gp_serve_capability *found = &gp_capability_of(c, unit)->serve[prefill->layout];
    gp_serve_job job;
    gp_serve_point point;
    pair p;
    pools_of(c, unit, found, found, &job, &p);
    gp_serve_pools_decode(&p.pools, 1, &point);
    decode->latency_s = point.tpot_s;
    for (int k = 0; k < GP_PLAN_JUDGED_COUNT; k++) {
        set_margins(c, k, found->error_fraction, &p);
        prefill->per_gpu += prefill_rate(&p, 1 / p.pools.prompt_s, &point, &(gp_carried_near){0}) /
                            (double)prefill->gpus;
    }
}

/* Full prefill replicas beside full decode replicas, the fewest GPUs that the pair may take. */
static bool may_save(const pool *prefill, const pool *decode, const double *gpus_below) {
    for (int k = 0; k < GP_PLAN_JUDGED_COUNT; k++)
        if (prefill->least_gpus[k] + decode->least_gpus[k] < gpus_below[k])
            return true;
    return false;
}

static bool any_may_save(const gp_pool_list *prefill, const gp_pool_list *decode,
                         const double *gpus_below) {
    for (int64_t i = 0; i < prefill->count; i++)
        for (int64_t k = 0; k < decode->count; k++)
            if (may_save(&prefill->items[i], &decode->items[k], gpus_below))
                return true;
    return false;
}

double gp_split_gpus_least(const gp_case *c, size_t unit, int judged, double requests_per_s) {
    int64_t count = 0;
    const gp_serve_capability *all = gp_search_serve(c, unit, &count);
    double least = HUGE_VAL;
    for (int64_t i = 0; i < count; i++) {
        const gp_carried *carried = &all[i].carried[judged];
        const double share = 1 - all[i].simulated_loss;
        const double each =
            share * gp_carried_each(carried, gp_carried_count(carried, share, requests_per_s));
        if (all[i].fits && each > 0)
            least = gp_num_min(least, (double)all[i].gpus / each);
    }
    return least;
}

/* Pairs of the best prefill and decode layouts; of pools that have to save GPUs, those that may. */
static void find_pairs(const gp_case *c, size_t unit) {
    gp_pool_list *prefill = &c->plan->pools[0];
    gp_pool_list *decode = &c->plan->pools[1];
    gp_unit_capability *store = gp_capability_of(c, unit);
    double below[GP_PLAN_JUDGED_COUNT];
    store->split_saves = c->split_mode == GP_SPLIT_AUTO;
    for (int k = 0; k < GP_PLAN_JUDGED_COUNT; k++)
        below[k] = store->split_saves ? gp_split_gpus_least(c, unit, k, 0) : HUGE_VAL;
    prefill->count = decode->count = store->split_count = 0;
    list_pools(c, unit, prefill, decode);
    if (!any_may_save(prefill, decode, below))
        return;
    for (int64_t i = 0; i < prefill->count; i++)
        fill_prompts(c, unit, &prefill->items[i], &decode->items[i]);
    if (store->prefill_count > 0) {
        keep_phase(prefill, 0, store->prefill_count);
        keep_phase(decode, store->prefill_count, store->serve_count);
    }
    keep_best(prefill, &c->plan->pools[2]);
    keep_best(decode, &c->plan->pools[2]);
    for (int64_t i = 0; i < prefill->count; i++)
        for (int64_t k = 0; k < decode->count; k++)
            if (may_save(&prefill->items[i], &decode->items[k], below))
                add_pair(c, unit, prefill->items[i].layout, &decode->items[k]);
}

/* Where none may save GPUs, all are to be found for who asks for pools. */
static bool is_found(const gp_case *c, const gp_unit_capability *store) {
    return store->split_done &&
           (!store->split_saves || store->split_count > 0 || c->split_mode == GP_SPLIT_AUTO);
}

const gp_split_capability *gp_search_split(const gp_case *c, size_t unit, int64_t *ret_count) {
    gp_unit_capability *store = gp_capability_of(c, unit);
    int64_t count = 0;
    (void)gp_search_serve(c, unit, &count);
    *ret_count = 0;
    if (store->split == NULL)
        return NULL;
    if (!is_found(c, store) && !(gp_memory_recall_split(c, unit) && is_found(c, store))) {
        find_pairs(c, unit);
        store->split_done = true;
        gp_memory_keep(c, unit);
    }
    store->split_done = true;
    *ret_count = store->split_count;
    return store->split;
}

void gp_split_capability_of(const gp_case *c, size_t unit, const gp_serve_split *layouts,
                            gp_serve_capability *ret_decode, gp_split_capability *ret) {
    gp_serve_capability prefill;
    gp_serve_job job;
    pair p;
    gp_serve_capability_of(c, unit, layouts->prefill, &prefill);
    gp_serve_capability_of(c, unit, layouts->decode, ret_decode);
    pool decode = {.gpus = ret_decode->gpus};
    pools_of(c, unit, ret_decode, ret_decode, &job, &p);
    fill_batches(c, ret_decode, &p, &decode);
    pools_of(c, unit, &prefill, ret_decode, &job, &p);
    *ret = (gp_split_capability){0};
    judge(c, &p, &decode, ret_decode->error_fraction, prefill.gpus, ret);
}
