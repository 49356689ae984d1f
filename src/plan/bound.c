/* What binds a run: the largest share of its step, or waiting for machines. */
#include "plan/context.h"

/* Share of a run spent waiting for machines from which it is that which binds. */
static const double waits_long = 0.25;

gp_bound gp_bound_of_training(const gp_train_time *time, const gp_run *run) {
    const double waiting_s = (run->failures + run->taken) * run->spare_wait_s;
    /* A run that waits for spare machines for longer than it computes is short of those. */
    if (run->wall_s > 0 && waiting_s > waits_long * run->wall_s)
        return GP_BOUND_SUPPLY;
    const double compute = time->gemm_s + time->attention_s + time->head_s + time->launch_s +
                           time->bubble_s + time->frozen_s;
    const double memory = time->elementwise_s + time->optimizer_s;
    if (time->communication_s > compute && time->communication_s > memory)
        return GP_BOUND_INTERCONNECT;
    return memory > compute ? GP_BOUND_HBM_BANDWIDTH : GP_BOUND_COMPUTE;
}

/* Engines read weights and caches from memory; where they take most of the step, that binds. */
gp_bound gp_bound_of_rl(const gp_rl_way *rl, const gp_train_time *time, const gp_run *run) {
    const gp_bound learns = gp_bound_of_training(time, run);
    if (learns == GP_BOUND_SUPPLY)
        return learns;
    if (rl->between_s > rl->rollout_s && rl->between_s > rl->learn_s)
        return GP_BOUND_INTERCONNECT;
    return rl->rollout_s >= rl->learn_s ? GP_BOUND_HBM_BANDWIDTH : learns;
}
