/* What keeps a way from being enough: of memory, of machines, of the workload's own keys. */
#include "plan/size.h"

#include "base/num.h"

const char gp_lack_windows[] = "maintenance windows leave less than the required availability";

/* How far a miss is from enough: degrees that do not make up the GPUs are furthest, then layouts
 * that are not launched on them, then a want of memory, of speed, of machines; among equals, have
 * over need or its inverse. */
double gp_lack_distance(const gp_lack *lack) {
    const bool refused = lack->bound == GP_BOUND_SUPPLY && lack->why != NULL && lack->path == NULL;
    const double steps = refused                          ? (lack->have > 0 ? 3 : 4)
                         : lack->bound == GP_BOUND_MEMORY ? 2
                         : lack->bound == GP_BOUND_SUPPLY || lack->path != NULL ? 0
                                                                                : 1;
    double ratio = lack->refused ? 1 : (double)GP_NUM_COUNT_MAX;
    if (lack->have > 0 && lack->need > 0)
        ratio = gp_num_max(lack->have / lack->need, lack->need / lack->have);
    return steps + 1 - 1 / ratio;
}

/* Of a GPU's memory: what is needed, and what of it may be used. */
gp_lack gp_lack_of_memory(const gp_memory *memory) {
    return (gp_lack){.bound = GP_BOUND_MEMORY,
                     .have = memory->total_bytes - memory->short_bytes,
                     .need = memory->total_bytes,
                     .dim = GP_DIM_BYTES};
}

gp_lack gp_lack_of_supply(double have, double need, gp_dim dim, const char *why) {
    return (gp_lack){.bound = GP_BOUND_SUPPLY, .have = have, .need = need, .dim = dim, .why = why};
}

gp_lack gp_lack_of_count(int64_t have, int64_t need, const char *why, const char *key) {
    gp_lack lack = gp_lack_of_supply((double)have, (double)need, GP_DIM_COUNT, why);
    lack.path = key;
    lack.is_own = true;
    return lack;
}

/* More machines or GPUs than there are to have. */
gp_lack gp_lack_of_machines(const gp_candidate *candidate, const gp_sizing *b) {
    if (candidate->nodes > b->in.max_nodes)
        return gp_lack_of_supply((double)b->in.max_nodes, (double)candidate->nodes, GP_DIM_COUNT,
                                 NULL);
    if (candidate->gpus > b->in.max_gpus)
        return gp_lack_of_supply((double)b->in.max_gpus, (double)candidate->gpus, GP_DIM_COUNT,
                                 NULL);
    return (gp_lack){.bound = GP_BOUND_NONE};
}

/* Machines that are taken back at any time carry no service, and nothing at all where nobody says
 * how often that is. */
const char *gp_lack_spot(const gp_case *c, size_t unit) {
    if (!c->plan->units[unit].is_spot)
        return NULL;
    if (c->kind == GP_DEMAND_CONTINUOUS)
        return "spot machines can be reclaimed at any time, so they cannot carry a service";
    return c->plan->spec->candidates.spot_interrupted_s > 0
               ? NULL
               : "how often spot machines are reclaimed is not stated "
                 "(candidates.spotInterruptedEvery)";
}
