/*
 * What a simulation takes off the replicas of today it takes off those of later quarters in part:
 * the demand of the last quarter is simulated, too, and those between lie between the two. One
 * replica more where few are enough is a large share of them, and none where many are. Other
 * layouts than today's may need fewer machines by then, and are simulated where they seem to.
 */
#include "plan/growth.h"

#include "base/num.h"

enum { ROUNDS = 4 }; /* of replicas that are added to what the formula counts */

static bool is_simulated(const gp_case *c, const gp_growth_case *g) {
    return c->out->is_serving && !c->offline && g->base.present && g->base.share_count == 0 &&
           !c->plan->grows_as_today && c->plan->options->simulate != GP_PLAN_SIMULATE_OFF &&
           c->held == NULL;
}

/* Where it is kept what a way loses: both pools of one whose prefill and decode are apart. */
static bool losses_of(const gp_case *c, const gp_candidate *way, gp_growth_losses *ret) {
    gp_split_capability *pair = way->split.present ? gp_split_pair(c, way) : NULL;
    gp_serve_capability *found = way->split.present ? NULL : gp_size_capability(c, way);
    double *first = found != NULL ? &found->simulated_loss : NULL;
    double *second = pair != NULL ? &pair->decode_loss : NULL;
    first = pair != NULL ? &pair->prefill_loss : first;
    *ret = (gp_growth_losses){.decode = way->serve_layout,
                              .prefill = way->split.layouts.prefill,
                              .loss = {first, second}};
    for (int k = 0; k < GP_LOSSES && ret->loss[k] != NULL; k++)
        ret->now[k] = *ret->loss[k];
    return ret->loss[0] != NULL;
}

static void set_all(const gp_growth_losses *losses, const double *values) {
    for (int k = 0; k < GP_LOSSES && losses->loss[k] != NULL; k++)
        *losses->loss[k] = values[k];
}

static bool is_unknown(double loss) {
    return !(loss > 0) && !(loss < 0);
}

static void set_loss(gp_growth_losses *losses, int k, double found) {
    const double now = losses->now[k];
    losses->was[k] = now;
    losses->then[k] = is_unknown(now) ? found : gp_num_min(found, now);
    losses->now[k] = is_unknown(now) ? found : now;
}

/* Of pools what is known of today stands: one of two may be found to carry more because the other
 * got larger. */
static bool are_known(const gp_growth_losses *losses) {
    bool known = losses->loss[1] != NULL;
    for (int k = 0; k < GP_LOSSES && known; k++)
        known = !is_unknown(losses->now[k]);
    return known;
}

/* What it loses at that demand: no more than today, where that is known. The runs are forgotten: a
 * plan that is tried may make them. */
static void learn_then(const gp_case *later, const gp_candidate *way, double factor,
                       gp_growth_losses *losses) {
    gp_case tried = *later;
    gp_workload_plan *out = &later->plan->copies->varied.out;
    const size_t unit = (size_t)(way->unit - later->plan->units);
    struct gp_simulated **runs = &gp_capability_of(later, unit)->runs;
    struct gp_simulated *known = *runs;
    const double nothing[GP_LOSSES] = {0};
    gp_serve_capability *one = way->split.present ? NULL : gp_size_capability(later, way);
    const bool before = one != NULL && one->later_factor >= factor && one->later_factor <= factor;
    bool changed = !before && !are_known(losses);
    tried.out = out;
    if (changed)
        set_all(losses, nothing);
    for (int i = 0; i < (way->split.present ? 1 : ROUNDS) && changed; i++) {
        *out = *later->out;
        out->confirmation = (gp_confirmation){.present = false};
        out->chosen = *way;
        if (!way->split.present)
            gp_size_like(&tried, way, &out->chosen);
        out->chosen.feasible = out->chosen.present;
        (void)gp_confirm_chosen(&tried, &changed);
    }
    for (int k = 0; k < GP_LOSSES && losses->loss[k] != NULL; k++) {
        const double found = before ? one->later_loss : *losses->loss[k];
        set_loss(losses, k, gp_num_max(found, gp_num_min(losses->now[k], 0)));
        if (one != NULL) {
            one->later_factor = factor;
            one->later_loss = found;
        }
    }
    set_all(losses, losses->was);
    *runs = known;
}

static bool is_learned(const gp_growth_case *g, const gp_candidate *way) {
    for (int i = 0; i < g->loss_count; i++) {
        const gp_growth_losses *losses = &g->losses[i];
        if (way->split.present == (losses->loss[1] != NULL) &&
            gp_serve_layout_equal(&losses->decode, &way->serve_layout) &&
            (!way->split.present ||
             gp_serve_layout_equal(&losses->prefill, &way->split.layouts.prefill)))
            return true;
    }
    return false;
}

static bool knows(const gp_case *later, const gp_growth_case *g, const gp_candidate *way) {
    if (!later->out->is_serving || later->offline)
        return false;
    return g->loss_count == 0 ? later->plan->options->simulate == GP_PLAN_SIMULATE_OFF
                              : is_learned(g, way);
}

/* Keeps the layout that it has today, or of all ways the one with the fewest GPUs. */
typedef struct keeping {
    const gp_case *later;
    const gp_growth_case *g;
    bool tries; /* ways that nobody simulated, too */
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

static void keep_fewest(const gp_candidate *candidate, gp_candidate *best) {
    bool better = candidate->gpus < best->gpus;
    if (candidate->feasible != best->feasible)
        better = candidate->feasible;
    if (candidate->present && (!best->present || better))
        *best = *candidate;
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
    else if (!candidate->feasible || k->tries || knows(k->later, k->g, candidate))
        keep_fewest(candidate, &k->other);
    return 0;
}

/* What passes the number that is allowed is told, and so it is counted. */
void gp_growth_fewest(const gp_case *later, const gp_growth_case *g, bool tries,
                      gp_candidate *ret) {
    const size_t unit = (size_t)(g->base.unit - later->plan->units);
    const int64_t times = gp_num_ceil_count(g->factor);
    const int64_t most = gp_num_max_i64(later->plan->spec->candidates.limits.max_nodes,
                                        (g->base.nodes + 1) * gp_num_max_i64(times, 1));
    keeping k = {.later = later, .g = g, .tries = tries};
    gp_size_counts(later, unit, gp_size_within(later->plan, unit, most), keep, &k);
    const bool fewer = k.other.feasible && k.other.nodes < k.same.nodes;
    *ret = k.same.present && !fewer ? k.same : k.other;
    if (!ret->feasible && !tries) {
        gp_growth_fewest(later, g, true, ret);
        return;
    }
    gp_size_describe(later, ret);
}

/* The same as today's plan was made with the last time. */
static bool is_known(const gp_case *c, const gp_growth_case *g, double factor) {
    gp_growth_losses now;
    return g->loss_count > 0 && g->loss_factor >= factor && g->loss_factor <= factor &&
           losses_of(c, &g->base, &now) && g->losses[0].loss[0] == now.loss[0] &&
           g->losses[0].was[0] >= now.now[0] && g->losses[0].was[0] <= now.now[0];
}

void gp_growth_learn(const gp_case *c, double factor, gp_growth_case *g) {
    if (!(factor > 1) || !is_simulated(c, g)) {
        g->loss_count = 0;
        return;
    }
    if (is_known(c, g, factor))
        return;
    gp_case later = gp_case_times(c, factor);
    gp_candidate way = g->base;
    later.counted = false;
    g->loss_factor = factor;
    g->loss_count = 0;
    for (int i = 0; i < GP_LEARNED_MOST; i++) {
        gp_growth_losses *losses = &g->losses[g->loss_count];
        if (!way.feasible || is_learned(g, &way) || !losses_of(&later, &way, losses))
            return;
        learn_then(&later, &way, factor, losses);
        g->loss_count++;
        gp_growth_lose(g, factor);
        g->factor = factor;
        gp_growth_fewest(&later, g, true, &way);
        gp_growth_regain(g);
    }
}

void gp_growth_lose(const gp_growth_case *g, double factor) {
    const double way = factor > 1 && g->loss_count > 0
                           ? gp_num_min(gp_num_log(factor) / gp_num_log(g->loss_factor), 1)
                           : 0;
    for (int i = 0; i < g->loss_count; i++) {
        const gp_growth_losses *losses = &g->losses[i];
        for (int k = 0; k < GP_LOSSES && losses->loss[k] != NULL; k++)
            *losses->loss[k] = losses->now[k] + way * (losses->then[k] - losses->now[k]);
    }
}

void gp_growth_regain(const gp_growth_case *g) {
    for (int i = 0; i < g->loss_count; i++)
        set_all(&g->losses[i], g->losses[i].was);
}
