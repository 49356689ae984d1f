/*
 * Power of a machine: GPUs by what they do, plus everything else. What a machine draws beside its
 * GPUs is its nameplate less n x TDP; on average it draws a measured share of that. Nameplates are
 * for circuits, means are for energy (docs/formulas.md, "Power of a machine").
 */
#include <gpuplan/estimate.h>

#include "base/num.h"

static double idle_fraction(const gp_gpu *gpu, const gp_constants *constants) {
    bool known = gpu->idle_w > 0 && gpu->tdp_w > 0;
    return known ? gpu->idle_w / gpu->tdp_w : constants->site_gpu_idle_fraction;
}

static double gpu_fraction(const gp_gpu *gpu, gp_load load, double serving_w,
                           const gp_constants *constants) {
    switch (load) {
    case GP_LOAD_TRAINING: return constants->site_gpu_training_fraction;
    case GP_LOAD_SERVING: return gpu->tdp_w > 0 ? serving_w / gpu->tdp_w : 1;
    case GP_LOAD_IDLE: return idle_fraction(gpu, constants);
    }
    return 1;
}

static double host_nameplate_w(const gp_machine *machine, double gpus_w,
                               const gp_constants *constants) {
    double stated = machine->system != NULL ? machine->system->max_power_w : 0;
    if (stated > gpus_w) {
        return stated - gpus_w;
    }
    /* A maximum below the GPUs' own TDP is a power-limited machine: no host can be told apart. */
    return stated > 0 ? 0 : gpus_w * constants->site_host_ratio;
}

static void trace_power(const gp_machine *machine, gp_load load, const gp_constants *constants,
                        const gp_node_power *power, gp_trace *trace) {
    gp_ref nameplate = machine->system != NULL ? GP_REF(machine->system, gp_system, max_power_w)
                                               : GP_REF(constants, gp_constants, site_host_ratio);
    if (load != GP_LOAD_SERVING) { // else it was worked out by gp_serve_power_of
        GP_TRACE(trace, GP_TERM_GPU_POWER, power->gpu_w, GP_REF(machine->gpu, gp_gpu, tdp_w),
                 GP_REF(machine->gpu, gp_gpu, idle_w),
                 GP_REF(constants, gp_constants, site_gpu_training_fraction));
    }
    GP_TRACE(trace, GP_TERM_NODE_NAMEPLATE, power->nameplate_w, nameplate,
             GP_REF(machine->gpu, gp_gpu, tdp_w));
    GP_TRACE(trace, GP_TERM_NODE_POWER, power->node_w, GP_REF_TERM(GP_TERM_GPU_POWER), nameplate,
             GP_REF(constants, gp_constants, site_host_mean_fraction));
}

void gp_node_power_of(const gp_machine *machine, gp_load load, double serving_w,
                      const gp_constants *constants, gp_trace *trace, gp_node_power *ret) {
    const gp_gpu *gpu = machine->gpu;
    double cap = machine->power_cap_fraction > 0 ? gp_num_min(machine->power_cap_fraction, 1) : 1;
    double count = (double)machine->gpus;
    double gpus_w = count * gpu->tdp_w;
    double host_w = host_nameplate_w(machine, gpus_w, constants);
    double fraction = gpu_fraction(gpu, load, serving_w, constants);
    bool stated = machine->system != NULL && machine->system->max_power_w > 0;
    double most_w = stated ? machine->system->max_power_w : gpus_w + host_w;
    ret->gpu_w = gpu->tdp_w * gp_num_min(fraction, cap);
    ret->nameplate_w = gp_num_max(most_w - (1 - cap) * gpus_w, 0);
    ret->node_w = gp_num_min(count * ret->gpu_w + host_w * constants->site_host_mean_fraction,
                             ret->nameplate_w);
    if (trace != NULL) {
        trace_power(machine, load, constants, ret, trace);
    }
}
