/*
 * The ways that a simulated service runs in later quarters. A few of them are planned for: the
 * service alone on its kind of machine under the demand of that time, as `gpuplan size` would. That
 * says its layout and what simulation takes off a replica there; times between lie between. What is
 * not simulated keeps its layout, or takes the one that needs the fewest machines.
 */
#include "plan/growth.h"

#include "base/num.h"

enum { TRIED_BYTES = 256 << 20 };

static bool is_simulated(const gp_case *c, const gp_growth_case *g) {
    return c->out->is_serving && !c->offline && g->base.present && g->base.share_count == 0 &&
           !g->base.part.in_use && !c->plan->grows_as_today &&
           c->plan->options->simulate != GP_PLAN_SIMULATE_OFF && c->held == NULL;
}

/* ------------------------------------------------------------ what is planned for */

typedef struct looking {
    const gp_case *c;
    size_t index, unit;
    double factor;
    gp_growth_look *look;
    gp_arena *beside; /* of the plan that is made */
} looking;

/* Where it is kept what a way loses: of both pools, where prefill and decode are apart. */
static bool losses_of(const gp_case *c, const gp_candidate *way, double *ret[GP_LOSSES]) {
    gp_split_capability *pair = way->split.present ? gp_split_pair(c, way) : NULL;
    gp_serve_capability *found = way->split.present ? NULL : gp_size_capability(c, way);
    ret[0] = ret[1] = NULL;
    if (found != NULL)
        ret[0] = &found->simulated_loss;
    if (pair != NULL) {
        ret[0] = &pair->prefill_loss;
        ret[1] = &pair->decode_loss;
    }
    return ret[0] != NULL;
}

/* The plan of that demand without what else runs, grows or limits. */
static const gp_plan_context *plan_then(const looking *l) {
    const gp_plan_context *plan = l->c->plan;
    gp_plan_document *document = GP_NEW(l->beside, gp_plan_document);
    gp_plan_options options = *plan->options;
    gp_plan_more *more = GP_NEW_ARRAY(l->beside, gp_plan_more, plan->case_count + 1);
    *document = *plan->document;
    document->spec.growth = (gp_growth){.horizon_s = 0};
    more[l->index] =
        plan->options->more != NULL ? plan->options->more[l->index] : (gp_plan_more){.times = 1};
    more[l->index].times *= l->factor;
    options.more = more;
    options.only = plan->units[l->unit].id;
    options.alone = options.brief = true;
    options.declared_only = options.owned_only = options.tightly = options.others = false;
    return plan->again(plan, l->beside, document, &options);
}

static gp_status look_then(void *context) {
    looking *l = context;
    l->beside = gp_arena_beside(l->c->plan->arena, TRIED_BYTES);
    const gp_plan_context *then = plan_then(l);
    const gp_case *c = then != NULL ? &then->cases[l->index] : NULL;
    double *losses[GP_LOSSES];
    l->look->factor = l->factor;
    if (c == NULL || !c->out->chosen.feasible || c->out->chosen.share_count > 0 ||
        c->out->chosen.part.in_use || (size_t)(c->out->chosen.unit - then->units) != l->unit ||
        !losses_of(c, &c->out->chosen, losses))
        return GP_OK;
    l->look->way = c->out->chosen;
    for (int k = 0; k < GP_LOSSES && losses[k] != NULL; k++)
        l->look->loss[k] = *losses[k];
    return GP_OK;
}

static gp_growth_look look(const gp_case *c, size_t index, size_t unit, double factor) {
    bool known = false;
    looking l = {.c = c, .index = index, .unit = unit, .factor = factor};
    l.look = gp_memory_look(c, index, unit, factor, &known);
    const gp_status st = known ? GP_OK : gp_arena_guard(c->plan->arena, look_then, &l);
    gp_arena_free(l.beside);
    if (st != GP_OK)
        gp_arena_leave(c->plan->arena, st);
    gp_growth_look ret = *l.look;
    ret.way.unit = &c->plan->units[unit];
    return ret;
}

/* ------------------------------------------------------------ what is known of it */

static bool is_like(const gp_candidate *a, const gp_candidate *b) {
    return a->split.present == b->split.present &&
           gp_serve_layout_equal(&a->serve_layout, &b->serve_layout) &&
           (!a->split.present ||
            gp_serve_layout_equal(&a->split.layouts.prefill, &b->split.layouts.prefill));
}

/* What is found of a way at a demand; of today's first, then by what the demand comes to. */
static void learn_way(const gp_case *c, const gp_growth_look *found, gp_growth_case *g) {
    int w = 0;
    while (w < g->way_count && !is_like(&g->ways[w].way, &found->way))
        w++;
    gp_growth_way *way = &g->ways[w];
    if (w == g->way_count) {
        *way = (gp_growth_way){.way = found->way};
        if (!losses_of(c, &found->way, way->loss))
            return;
        g->way_count++;
        for (int k = 0; k < GP_LOSSES && way->loss[k] != NULL; k++)
            way->was[k] = *way->loss[k];
    }
    way->known[way->known_count++] = *found;
}

void gp_growth_learn(const gp_case *c, size_t index, const double *factors, int count,
                     gp_growth_case *g) {
    const gp_growth_look today = {.factor = 1, .way = g->base};
    g->way_count = 0;
    if (!is_simulated(c, g) || count == 0)
        return;
    const size_t unit = (size_t)(g->base.unit - c->plan->units);
    if (g->looks[unit] == NULL) {
        g->looks[unit] = GP_NEW_ARRAY(c->plan->arena, gp_growth_look, GP_GROWTH_LOOKS);
        for (int k = 0; k < count; k++)
            g->looks[unit][k] = look(c, index, unit, factors[k]);
    }
    learn_way(c, &today, g);
    for (int k = 0; k < GP_LOSSES && g->way_count > 0; k++)
        g->ways[0].known[0].loss[k] = g->ways[0].was[k];
    for (int k = 0; k < count; k++)
        if (g->looks[unit][k].way.present)
            learn_way(c, &g->looks[unit][k], g);
}

/* Between what it loses at two demands, as far from them as their logarithms are. */
static double loss_at(const gp_growth_way *way, int k, double factor) {
    const gp_growth_look *known = way->known;
    int above = 0;
    while (above < way->known_count && known[above].factor < factor)
        above++;
    if (above == 0 || above == way->known_count)
        return known[gp_num_min_i64(above, way->known_count - 1)].loss[k];
    const gp_growth_look *low = &known[above - 1];
    const gp_growth_look *high = &known[above];
    return low->loss[k] + (high->loss[k] - low->loss[k]) * gp_num_log(factor / low->factor) /
                              gp_num_log(high->factor / low->factor);
}

void gp_growth_lose(const gp_growth_case *g, double factor) {
    for (int w = 0; w < g->way_count; w++)
        for (int k = 0; k < GP_LOSSES && g->ways[w].loss[k] != NULL; k++)
            *g->ways[w].loss[k] = loss_at(&g->ways[w], k, factor);
}

void gp_growth_regain(const gp_growth_case *g) {
    for (int w = 0; w < g->way_count; w++)
        for (int k = 0; k < GP_LOSSES && g->ways[w].loss[k] != NULL; k++)
            *g->ways[w].loss[k] = g->ways[w].was[k];
}

/* ------------------------------------------------------------ the fewest machines */

static void keep_fewest(const gp_candidate *candidate, gp_candidate *best) {
    bool better = candidate->nodes < best->nodes ||
                  (candidate->nodes == best->nodes && candidate->gpus < best->gpus);
    if (candidate->feasible != best->feasible)
        better = candidate->feasible;
    if (candidate->present && (!best->present || better))
        *best = *candidate;
}

static bool is_planned(const gp_growth_way *way, double factor) {
    for (int k = 0; k < way->known_count; k++)
        if (gp_num_near(way->known[k].factor, factor))
            return true;
    return false;
}

static void size_way(const gp_case *later, const gp_candidate *way, int64_t most,
                     gp_candidate *ret) {
    const size_t unit = (size_t)(way->unit - later->plan->units);
    const gp_split_capability *pair = way->split.present ? gp_split_pair(later, way) : NULL;
    if (!way->split.present)
        gp_size_like(later, way, ret);
    else if (pair != NULL)
        *ret = gp_split_sized(later, unit, pair, 0, most, most * way->unit->machine.gpus);
}

/* In the way that was planned for that demand, or the one of all that takes the fewest machines. */
static void size_ways(const gp_case *later, const gp_growth_case *g, int64_t most,
                      gp_candidate *ret) {
    int from = 0;
    while (from < g->way_count && !is_planned(&g->ways[from], g->factor))
        from++;
    const bool planned = from < g->way_count;
    const int to = planned ? from + 1 : g->way_count;
    for (int w = planned ? from : 0; w < to; w++) {
        gp_candidate sized = {.present = false};
        size_way(later, &g->ways[w].way, most, &sized);
        keep_fewest(&sized, ret);
    }
}

/* Keeps the layout that it has today, or of all ways the one with the fewest machines. */
typedef struct keeping {
    const gp_growth_case *g;
    bool any; /* way, where nothing is simulated */
    gp_candidate same, other;
} keeping;

static bool same_layout(const gp_candidate *a, const gp_candidate *b) {
    if (a->group_count != b->group_count || a->split.present != b->split.present)
        return false;
    for (int g = 0; g < a->group_count; g++)
        if (a->groups[g].gpus != b->groups[g].gpus || a->groups[g].nodes != b->groups[g].nodes ||
            a->groups[g].most_per_node != b->groups[g].most_per_node)
            return false;
    return true;
}

/* Pools for prefill and decode are sized one pair at a time, of which little is known: replicas
 * that do both do not become pools. */
static double keep(void *to, const gp_candidate *candidate) {
    keeping *k = to;
    const bool same = candidate->feasible && same_layout(candidate, &k->g->base);
    if (candidate->feasible && candidate->split.present && !k->g->base.split.present)
        return 0;
    if (same)
        keep_fewest(candidate, &k->same);
    else if (!candidate->feasible || k->any)
        keep_fewest(candidate, &k->other);
    return 0;
}

static void size_any(const gp_case *later, const gp_growth_case *g, int64_t most, bool any,
                     gp_candidate *ret) {
    const size_t unit = (size_t)(g->base.unit - later->plan->units);
    keeping k = {.g = g, .any = any};
    gp_size_counts(later, unit, gp_size_within(later->plan, unit, most), keep, &k);
    const bool fewer = k.other.feasible && k.other.nodes < k.same.nodes;
    *ret = k.same.present && !fewer ? k.same : k.other;
}

/* What passes the number that is allowed is told, and so it is counted. */
void gp_growth_fewest(const gp_case *later, const gp_growth_case *g, gp_candidate *ret) {
    const bool serves = later->out->is_serving && !later->offline;
    const int64_t times = gp_num_ceil_count(g->factor);
    const int64_t most = gp_num_max_i64(later->plan->spec->candidates.limits.max_nodes,
                                        (g->base.nodes + 1) * gp_num_max_i64(times, 1));
    *ret = (gp_candidate){.present = false};
    size_ways(later, g, most, ret);
    if (!ret->feasible)
        size_any(later, g, most, serves && later->plan->options->simulate == GP_PLAN_SIMULATE_OFF,
                 ret);
    if (!ret->feasible)
        size_any(later, g, most, true, ret);
    gp_size_describe(later, ret);
}
