/*
 * Prefill and decode apart: for each pair of layouts of one unit, what a decode replica carries
 * within the time per token, and what a prefill replica then carries within the time to first
 * token, both by bisection. The pools are rate-matched when they are sized.
 */
#include "plan/context.h"

#include "base/num.h"
#include "estimate/serve.h"

enum { BISECTIONS = 20, LAYOUTS_EACH = 8, HALVINGS = 6 };

typedef struct pair {
    const gp_slo *slo;
    gp_serve_pools pools;
    double margin, ttft_margin;
} pair;

/* The levels of the time per token alone. */
static bool tokens_in_time(const pair *p, const gp_serve_point *point) {
    const gp_slo slo = {.tpot_s = p->slo->tpot_s};
    return gp_slo_holds(&slo, point, p->margin, p->ttft_margin);
}

/* The decode replica with the largest batch that keeps the time per token. */
static bool decode_within(const pair *p, double share, gp_serve_point *ret) {
    double low = 0;
    double high = p->pools.batch_max * share;
    for (int i = 0; i < BISECTIONS; i++) {
        const double middle = 0.5 * (low + high);
        gp_serve_pools_decode(&p->pools, middle, ret);
        if (tokens_in_time(p, ret))
            low = middle;
        else
            high = middle;
    }
    gp_serve_pools_decode(&p->pools, low, ret);
    return low > p->pools.batch_max / (double)(1 << (BISECTIONS - 2));
}

static double prefill_rate(const pair *p, double limit, const gp_serve_point *decode) {
    double low = 0;
    double high = limit;
    for (int i = 0; i < BISECTIONS; i++) {
        const double middle = 0.5 * (low + high);
        gp_serve_point at = *decode;
        gp_serve_pools_latency(&p->pools, middle, &at);
        if (gp_slo_holds(p->slo, &at, p->margin, p->ttft_margin))
            low = middle;
        else
            high = middle;
    }
    return low > limit / (double)(1 << (BISECTIONS - 2)) ? low : 0;
}

/* The whole request has to end in time too: where a full batch leaves prefill none of it, a smaller
 * one may. */
static bool leaves_time(const pair *p, const gp_serve_point *decode) {
    gp_serve_point at = *decode;
    gp_serve_pools_latency(&p->pools, 0.5 / p->pools.prompt_s, &at);
    return gp_slo_holds(p->slo, &at, p->margin, p->ttft_margin);
}

/* Where the margin does not show in a latency, a replica slower by it carries that much less. A
 * batch short of the places keeps their queue short. */
static void judge(const gp_case *c, pair *p, double error, gp_split_capability *ret) {
    const double tokens = p->pools.branches * p->pools.output;
    const double share = c->plan->constants->plan_split_fill_fraction;
    for (int i = 0; i < GP_PLAN_JUDGED_COUNT && p->pools.supported; i++) {
        p->margin = i == 0 ? 0 : gp_plan_margin(c, error, c->confidence);
        p->ttft_margin = i == 0 ? 0 : gp_plan_ttft_margin(c);
        const double slower = 1 + p->margin;
        gp_serve_point decode;
        double fill = share;
        bool held = decode_within(p, fill, &decode);
        for (int t = 0; held && t < HALVINGS && !leaves_time(p, &decode); t++) {
            fill = 0.5 * decode.batch / p->pools.batch_max;
            held = decode_within(p, fill, &decode);
        }
        if (!held)
            continue;
        ret->decode_per_s[i] =
            gp_num_min(decode.output_tokens_per_s / tokens, decode.max_requests_per_s / slower);
        ret->prefill_per_s[i] = prefill_rate(p, 1 / (p->pools.prompt_s * slower), &decode);
    }
}

static void add_pair(const gp_case *c, size_t unit, int64_t prefill, int64_t decode) {
    gp_unit_capability *store = &c->units[unit];
    const gp_serve_capability *a = &store->serve[prefill];
    const gp_serve_capability *b = &store->serve[decode];
    const gp_machine *machine = &c->plan->units[unit].machine;
    if (!a->fits || !b->fits || store->split_count >= GP_PLAN_SPLITS_MAX)
        return;
    gp_serve_job job = c->out->serve;
    if (machine->efficiency[job.compute] == NULL)
        job.compute = GP_PRECISION_BF16;
    /* Pools grow apart, so the cache is taken to cross the network. */
    const gp_serve_split split = {.prefill = a->layout, .decode = b->layout};
    pair p = {.slo = &c->workload->goal.slo};
    gp_serve_pools_of(&job, machine, &c->plan->networks[unit], &split, c->plan->constants,
                      &b->memory, &p.pools);
    gp_split_capability *found = &store->split[store->split_count++];
    *found = (gp_split_capability){.prefill = prefill, .decode = decode};
    judge(c, &p, b->error_fraction, found);
}

const gp_split_capability *gp_search_split(const gp_case *c, size_t unit, int64_t *ret_count) {
    gp_unit_capability *store = &c->units[unit];
    int64_t count = 0;
    (void)gp_search_serve(c, unit, &count);
    count = gp_num_min_i64(count, LAYOUTS_EACH);
    for (int64_t i = 0; !store->split_done && i < count; i++)
        for (int64_t k = 0; k < count; k++)
            add_pair(c, unit, i, k);
    store->split_done = true;
    *ret_count = store->split_count;
    return store->split;
}
