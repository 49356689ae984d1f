/* A batch near the stated one with which fewer machines meet the goal. */
#include "plan/context.h"

typedef struct nearby {
    const gp_case *c;
    size_t unit;
    gp_train_place place;
    gp_batch_choice batches;
    gp_train_capability found;
} nearby;

/* The run meets its goal on so many machines, with one of the batches. */
static bool nearby_enough(nearby *n, int64_t nodes) {
    const gp_case *c = n->c;
    const gp_train_place place = {
        .gpus = n->place.gpus / n->place.nodes * nodes, .jobs = n->place.jobs, .nodes = nodes};
    gp_search_train_with(c, n->unit, place, &n->batches, &n->found);
    if (!n->found.fits)
        return false;
    const double margin = gp_plan_margin(c, n->found.error_fraction, c->confidence);
    const double allowed = c->demand.deadline_s / (1 + c->gpu_headroom_fraction);
    return gp_plan_band(n->found.run.wall_s, margin).high <= allowed;
}

/* The fewest machines below those of the place, by halving. */
static bool nearby_fewest(nearby *n, gp_batch_change *ret) {
    int64_t too_few = 0;
    int64_t enough = n->place.nodes;
    while (enough - too_few > 1) {
        const int64_t middle = too_few + (enough - too_few) / 2;
        if (!nearby_enough(n, middle)) {
            too_few = middle;
            continue;
        }
        enough = middle;
        ret->to_sequences = n->found.layout.global_batch_sequences;
        ret->to_gpus = n->found.gpus;
        ret->to_nodes = middle;
    }
    return enough < n->place.nodes && ret->to_sequences != ret->from_sequences;
}

bool gp_search_train_batch(const gp_case *c, size_t unit, gp_train_place place,
                           gp_batch_change *ret) {
    const gp_constants *k = c->plan->constants;
    const double reach[] = {k->plan_batch_rounding_fraction, k->plan_batch_range_fraction};
    const gp_batch_choice stated = gp_train_batches(c, place.gpus);
    if (stated.low != stated.high || !(c->demand.deadline_s > 0))
        return false;
    for (size_t i = 0; i < sizeof reach / sizeof reach[0]; i++) {
        nearby n = {.c = c, .unit = unit, .place = place};
        n.batches = gp_train_batches_near(stated.asked, reach[i]);
        *ret = (gp_batch_change){.from_sequences = stated.low};
        if (nearby_fewest(&n, ret))
            return true;
    }
    return false;
}
