/*
 * What a simulation took off the replicas of today it takes off those of later quarters in part:
 * the demand of the last quarter is simulated, too, and those between lie between the two. One
 * replica more where few are enough is a large share of them, and none where many are.
 */
#include "plan/growth.h"

#include "base/num.h"

enum { ROUNDS = 4 }; /* of replicas that are added to what the formula counts */

/* Of a service that a simulation found too few replicas for; NULL: it is none. */
static gp_serve_capability *learned_of(const gp_case *c, const gp_growth_case *g) {
    const bool whole = g->base.present && !g->base.split.present && g->base.share_count == 0;
    gp_serve_capability *found =
        c->out->is_serving && whole ? gp_size_capability(c, &g->base) : NULL;
    const bool simulates = c->plan->options->simulate != GP_PLAN_SIMULATE_OFF && c->held == NULL;
    return simulates && found != NULL && found->simulated_loss > 0 ? found : NULL;
}

/* What it loses at that demand. The runs are forgotten: a plan that is tried may make them. */
static double loss_at(const gp_case *c, const gp_candidate *like, double factor,
                      gp_serve_capability *found) {
    gp_case later = gp_case_times(c, factor);
    gp_workload_plan *out = &c->plan->copies->varied.out;
    struct gp_simulated **runs = &gp_capability_of(c, (size_t)(like->unit - c->plan->units))->runs;
    struct gp_simulated *known = *runs;
    const double before = found->simulated_loss;
    bool changed = true;
    later.counted = false;
    later.out = out;
    found->simulated_loss = 0;
    for (int i = 0; i < ROUNDS && changed; i++) {
        *out = *c->out;
        out->confirmation = (gp_confirmation){.present = false};
        gp_size_like(&later, like, &out->chosen);
        out->chosen.feasible = out->chosen.present;
        (void)gp_confirm_chosen(&later, &changed);
    }
    const double loss = gp_num_min(found->simulated_loss, before);
    found->simulated_loss = before;
    *runs = known;
    return loss;
}

void gp_growth_learn(const gp_case *c, double factor, gp_growth_case *g) {
    gp_serve_capability *found = factor > 1 ? learned_of(c, g) : NULL;
    const bool known = found != NULL && g->learned == found && g->loss.factor >= factor &&
                       g->loss.factor <= factor && g->loss.now >= found->simulated_loss &&
                       g->loss.now <= found->simulated_loss;
    g->learned = found;
    if (found == NULL || known)
        return;
    g->loss.factor = factor;
    g->loss.now = found->simulated_loss;
    g->loss.then = loss_at(c, &g->base, factor, found);
}

double gp_growth_loss(const gp_growth_case *g, double factor) {
    const double way = factor > 1 ? gp_num_log(factor) / gp_num_log(g->loss.factor) : 0;
    return g->loss.now + gp_num_min(way, 1) * (g->loss.then - g->loss.now);
}
