/*
 * The resource that binds. Training: the largest share of the step. Inference: the resource whose
 * doubling lets one replica carry the most, found by asking the model itself.
 */
#include "plan/context.h"

#include "base/num.h"

gp_bound gp_bound_of_training(const gp_train_time *time) {
    const double compute =
        time->gemm_s + time->attention_s + time->head_s + time->launch_s + time->bubble_s;
    const double memory = time->elementwise_s + time->optimizer_s;
    if (time->communication_s > compute && time->communication_s > memory)
        return GP_BOUND_INTERCONNECT;
    return memory > compute ? GP_BOUND_HBM_BANDWIDTH : GP_BOUND_COMPUTE;
}

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

gp_bound gp_bound_of_serving(const gp_case *c, size_t unit, int64_t layout) {
    gp_serve_capability *capability = &c->units[unit].serve[layout];
    if (capability->bound == GP_BOUND_NONE)
        capability->bound = bound_of(c, unit, capability);
    return capability->bound;
}
