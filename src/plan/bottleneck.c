/*
 * The resource that binds. Training: the largest share of the step. Inference: the resource whose
 * doubling lets one replica carry the most, found by asking the model itself.
 */
#include "plan/verdict.h"

#include "base/num.h"

static void double_flops(gp_machine *m) {
    for (int p = 0; p < GP_PRECISION_COUNT; p++)
        m->peak_flop_per_s[p] *= 2;
}

static void double_bandwidth(gp_machine *m) {
    m->hbm_bytes_per_s *= 2;
}

static void double_memory(gp_machine *m) {
    m->hbm_bytes *= 2;
}

static void double_links(gp_machine *m) {
    m->link_bytes_per_s *= 2;
    m->nic_bytes_per_s *= 2;
    for (int c = 0; c < GP_COLLECTIVE_COUNT; c++)
        for (int r = 0; r < GP_FIT_RANKS; r++) {
            m->scale_up[c][r].bus_bytes_per_s *= 2;
            m->scale_up[c][r].sqrt_s *= 0.5;
        }
}

static const struct {
    gp_bound bound;
    void (*apply)(gp_machine *machine);
} improvements[] = {
    {GP_BOUND_HBM_BANDWIDTH, double_bandwidth},
    {GP_BOUND_COMPUTE, double_flops},
    {GP_BOUND_MEMORY, double_memory},
    {GP_BOUND_INTERCONNECT, double_links},
};

static gp_bound bound_of(const gp_case *c, size_t unit, const gp_serve_capability *capability) {
    gp_bound bound = GP_BOUND_COMPUTE;
    double best = 0;
    for (size_t i = 0; i < sizeof improvements / sizeof improvements[0]; i++) {
        gp_machine machine = c->plan->units[unit].machine;
        improvements[i].apply(&machine);
        const double rate = gp_serve_rate_with(c, unit, &machine, capability);
        if (gp_num_compare9(rate, best) > 0) {
            best = rate;
            bound = improvements[i].bound;
        }
    }
    return bound;
}

static gp_bound bound_of_serving(const gp_case *c, size_t unit, int64_t layout) {
    gp_serve_capability *capability = &gp_capability_of(c, unit)->serve[layout];
    if (capability->bound == GP_BOUND_NONE)
        capability->bound = bound_of(c, unit, capability);
    return capability->bound;
}

/* What would give way first on a candidate that is enough. */
static gp_bound bound_of_feasible(const gp_case *c, const gp_candidate *candidate) {
    if (!c->out->has_goal)
        return GP_BOUND_MEMORY;
    if (!c->out->is_serving)
        return c->out->is_rl ? gp_bound_of_rl(&candidate->rl, &candidate->time, &candidate->run)
                             : gp_bound_of_training(&candidate->time, &candidate->run);
    int64_t count = 0;
    const size_t unit = (size_t)(candidate->unit - c->plan->units);
    const gp_serve_capability *all = gp_search_serve(c, unit, &count);
    for (int64_t i = 0; i < count; i++) {
        if (!gp_serve_layout_equal(&all[i].layout, &candidate->serve_layout))
            continue;
        /* The service level, not the machine, is what keeps the replica from more. */
        const int64_t active = candidate->replicas - candidate->spare_replicas;
        const double reach =
            gp_carried_each(&all[i].carried[1], active) / all[i].idle.max_requests_per_s;
        return reach < 0.5 ? GP_BOUND_LATENCY : bound_of_serving(c, unit, i);
    }
    return GP_BOUND_MEMORY;
}

/* What one machine fewer of the chosen kind would lack: the reason for the count. NONE where it is
 * one machine, or where only their number is short. */
static gp_bound bound_of_fewer(const gp_case *c, const gp_candidate *chosen) {
    if (chosen->nodes <= 1)
        return GP_BOUND_NONE;
    const size_t unit = (size_t)(chosen->unit - c->plan->units);
    gp_candidate fewer;
    gp_size_fewest(c, unit, gp_size_within(c->plan, unit, chosen->nodes - 1), &fewer);
    if (!fewer.present || fewer.feasible || fewer.lack.bound == GP_BOUND_SUPPLY)
        return GP_BOUND_NONE;
    return fewer.lack.bound;
}

/* What keeps one more job off each GPU, where jobs are what there are too many of. */
static gp_bound bound_of_sharing(const gp_case *c, const gp_candidate *chosen) {
    const int64_t jobs = chosen->jobs_per_gpu + 1;
    const int64_t asked = c->workload->jobs.per_gpu;
    if (c->out->is_serving || c->exclusive || chosen->replicas < jobs ||
        gp_layout_gpus(&chosen->layout) != 1 || (asked > 0 && jobs > asked))
        return GP_BOUND_NONE;
    const gp_train_capability *found =
        gp_search_job(c, (size_t)(chosen->unit - c->plan->units),
                      (gp_train_place){.gpus = 1, .jobs = jobs, .nodes = 1});
    if (found == NULL || found->unsupported)
        return GP_BOUND_NONE;
    return !found->fits    ? GP_BOUND_MEMORY
           : c->out->is_rl ? gp_bound_of_rl(&found->rl, &found->time, &found->run)
                           : gp_bound_of_training(&found->time, &found->run);
}

/* What the baseline lacks. A want of GPUs is put down to what one GPU runs out of. */
static gp_bound bound_of_lack(const gp_case *c, const gp_candidate *current,
                              const gp_candidate *chosen) {
    if (!current->present)
        return GP_BOUND_SUPPLY;
    const gp_bound few = bound_of_fewer(c, chosen);
    if (few != GP_BOUND_NONE)
        return few;
    if (!current->feasible && current->lack.bound != GP_BOUND_SUPPLY)
        return current->lack.bound;
    const gp_bound shared = bound_of_sharing(c, chosen);
    return shared != GP_BOUND_NONE ? shared : bound_of_feasible(c, chosen);
}

gp_bound gp_bound_of_verdict(const gp_case *c, gp_scale scale, const gp_candidate *current,
                             const gp_candidate *chosen) {
    return scale == GP_SCALE_NONE ? bound_of_feasible(c, chosen)
                                  : bound_of_lack(c, current, chosen);
}
