/*
 * Demand against capability: the ways in which one kind of machine meets a demand, and what each
 * lacks where it is not enough.
 */
#include "plan/size.h"

enum { HELD_DOUBLINGS = 30, HELD_STEPS = 18 }; /* of the demand of today; bisections */

gp_size_bounds gp_size_within(const gp_plan_context *plan, size_t unit, int64_t nodes) {
    return (gp_size_bounds){.max_nodes = nodes, .max_gpus = nodes * plan->units[unit].machine.gpus};
}

gp_size_bounds gp_size_any(const gp_plan_context *plan, size_t unit) {
    return gp_size_within(plan, unit, plan->spec->candidates.limits.max_nodes);
}

static void size_again(const gp_case *c, size_t unit, gp_candidate *ret) {
    ret->unit = &c->plan->units[unit];
    ret->timing = (gp_timing){0};
    if (c->out->is_serving && ret->split.present)
        gp_split_size_again(c, unit, ret);
    else if (c->out->is_serving)
        gp_serve_size_again(c, unit, ret);
    else if (gp_layout_gpus(&ret->layout) > 0) {
        (c->out->is_rl ? gp_rl_size_again : gp_train_size_again)(c, unit, ret);
        gp_train_fill_times(c, ret);
    }
}

/* On the kinds of machines and with the counts that it was chosen with. */
void gp_size_again(const gp_case *c, const gp_candidate *like, gp_candidate *ret) {
    const gp_unit *units = c->plan->options->hold->units.items;
    const size_t count = (size_t)like->share_count;
    gp_candidate *shares = GP_NEW_ARRAY(c->plan->arena, gp_candidate, count + 1);
    *ret = *like;
    for (size_t k = 0; k < count; k++) {
        gp_workload workload;
        const size_t unit = (size_t)(like->shares[k].unit - units);
        const gp_case part =
            gp_spread_case(c, &c->plan->units[unit], like->shares[k].share_fraction, &workload);
        shares[k] = like->shares[k];
        size_again(&part, unit, &shares[k]);
    }
    if (count > 0)
        gp_spread_sum(c, shares, like->share_count, ret);
    else if (like->present)
        size_again(c, (size_t)(like->unit - units), ret);
    ret->feasible = like->feasible;
}

static void size_held(const gp_case *c, size_t unit, const gp_sizing *b) {
    gp_candidate again;
    if (c->held->unit != &c->plan->options->hold->units.items[unit])
        return;
    gp_size_again(c, c->held, &again);
    (void)b->sink(b->to, &again);
}

static void size_each(const gp_case *c, size_t unit, const gp_sizing *b) {
    if (c->held != NULL)
        size_held(c, unit, b);
    else if (c->out->is_serving)
        gp_size_serving(c, unit, b);
    else
        gp_size_training(c, unit, b);
}

void gp_size_each(const gp_case *c, size_t unit, gp_size_bounds within, gp_size_sink *sink,
                  void *to) {
    size_each(c, unit, &(gp_sizing){within, false, sink, to});
}

void gp_size_counts(const gp_case *c, size_t unit, gp_size_bounds within, gp_size_sink *sink,
                    void *to) {
    size_each(c, unit, &(gp_sizing){within, true, sink, to});
}

/* The fewest GPUs, then machines; where none is enough, what comes nearest. */
static bool nearer(const gp_candidate *a, const gp_candidate *b) {
    if (a->feasible != b->feasible)
        return a->feasible;
    return a->feasible ? a->gpus < b->gpus || (a->gpus == b->gpus && a->nodes < b->nodes)
                       : gp_lack_distance(&a->lack) < gp_lack_distance(&b->lack);
}

static double keep_fewest(void *to, const gp_candidate *candidate) {
    gp_candidate *best = to;
    if (candidate->present && (!best->present || nearer(candidate, best)))
        *best = *candidate;
    return 0;
}

static void count_fewest(const gp_case *c, size_t unit, gp_size_bounds within, gp_candidate *ret) {
    *ret = (gp_candidate){.unit = &c->plan->units[unit]};
    gp_size_counts(c, unit, within, keep_fewest, ret);
}

void gp_size_describe(const gp_case *c, gp_candidate *ret) {
    const gp_serve_capability *found =
        c->out->is_serving && ret->present && !ret->lack.refused && !ret->split.present
            ? gp_size_capability(c, ret)
            : NULL;
    if (ret->described || ret->share_count > 0)
        return;
    if (ret->split.present)
        gp_split_describe(c, ret);
    if (found == NULL)
        return;
    gp_serve_describe(c, (size_t)(ret->unit - c->plan->units), found, ret);
    gp_part_of(c, ret);
}

/* Which it is hangs on counts alone, so that only this one is described. */
void gp_size_fewest(const gp_case *c, size_t unit, gp_size_bounds within, gp_candidate *ret) {
    count_fewest(c, unit, within, ret);
    gp_size_describe(c, ret);
}

/* So many machines are enough for a demand. */
static bool is_held(const gp_case *c, size_t unit, gp_size_bounds within, double requests_per_s) {
    gp_case other = *c;
    gp_candidate sized;
    other.demand.requests_per_s = requests_per_s;
    count_fewest(&other, unit, within, &sized);
    return sized.feasible;
}

double gp_size_held(const gp_case *c, size_t unit, int64_t nodes, int64_t gpus) {
    const gp_size_bounds within = {.max_nodes = nodes, .max_gpus = gpus};
    double low = 0;
    double high = c->demand.requests_per_s;
    for (int i = 0; i < HELD_DOUBLINGS && is_held(c, unit, within, high); i++) {
        low = high;
        high *= 2;
    }
    for (int i = 0; i < HELD_STEPS; i++) {
        const double middle = 0.5 * (low + high);
        *(is_held(c, unit, within, middle) ? &low : &high) = middle;
    }
    return low;
}

void gp_size_like(const gp_case *c, const gp_candidate *like, gp_candidate *ret) {
    const size_t unit = (size_t)(like->unit - c->plan->units);
    const gp_sizing b = {.in = gp_size_any(c->plan, unit)};
    const gp_serve_capability *found = like->split.present ? NULL : gp_size_capability(c, like);
    *ret = (gp_candidate){.unit = like->unit};
    if (like->split.present) {
        gp_size_split(c, unit, b.in, ret);
        gp_split_describe(c, ret);
    } else if (found != NULL)
        *ret = gp_size_row(c, unit, found, &b);
}

/* Of more layouts than rows the nearest to what is wanted, those first. */
int gp_size_layouts(const gp_case *c, size_t unit, int most, gp_candidate *ret) {
    int64_t count = 0;
    int filled = 0;
    const gp_sizing b = {.in = gp_size_any(c->plan, unit)};
    const gp_serve_capability *all = gp_search_serve(c, unit, &count);
    const bool choose = count > most;
    for (int64_t i = 0; i < count; i++) {
        const gp_candidate row = gp_size_row(c, unit, &all[i], &b);
        int at = filled;
        while (choose && at > 0 && nearer(&row, &ret[at - 1]))
            at--;
        if (at >= most)
            continue;
        filled = filled < most ? filled + 1 : most;
        for (int k = filled - 1; k > at; k--)
            ret[k] = ret[k - 1];
        ret[at] = row;
    }
    return filled;
}
