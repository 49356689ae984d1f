/*
 * Power of a machine: the sum of its parts, each at the share of its largest power that a load asks
 * of it. Three figures come of it: the mean under the load, the peak that lasts, and the nameplate
 * (docs/formulas.md, "Power of a machine").
 */
#include "estimate/facility.h"

#include "base/num.h"

static double idle_fraction(const gp_gpu *gpu, const gp_constants *constants) {
    bool known = gpu->idle_w > 0 && gpu->tdp_w > 0;
    return known ? gpu->idle_w / gpu->tdp_w : constants->site_gpu_idle_fraction;
}

/* What the work asks of a GPU, over its cap in this machine. A module that holds its processor as
 * well never draws both at their largest. */
static double gpu_share(const gp_machine *machine, gp_load load, double tdp_w,
                        const gp_constants *k) {
    const gp_gpu *gpu = machine->gpu;
    const gp_power_class *own = machine->power;
    const double of_tdp[GP_LOAD_COUNT] = {
        [GP_LOAD_TRAINING] = k->site_gpu_training_fraction,
        [GP_LOAD_SERVING] = own != NULL && own->inference_fraction > 0
                                ? own->inference_fraction
                                : k->site_gpu_inference_fraction,
        [GP_LOAD_IDLE] = idle_fraction(gpu, k),
        [GP_LOAD_PEAK] = k->site_gpu_peak_fraction,
    };
    double module = gpu->includes_host && load != GP_LOAD_IDLE ? k->site_module_fraction : 1;
    double alone = gpu->tdp_w > 0 ? gpu->tdp_w / tdp_w : 1;
    return gp_num_min(of_tdp[load] * module * alone, 1);
}

static gp_power_share share_of(const gp_machine *machine, gp_load load, double tdp_w,
                               const gp_constants *k) {
    const gp_power_share shares[GP_LOAD_COUNT] = {
        [GP_LOAD_TRAINING] = {.host = k->site_host_busy_fraction,
                              .rest = k->site_rest_busy_fraction},
        [GP_LOAD_SERVING] = {.host = k->site_host_serving_fraction,
                             .rest = k->site_rest_busy_fraction},
        [GP_LOAD_IDLE] = {.host = k->site_host_idle_fraction, .rest = k->site_rest_idle_fraction},
        [GP_LOAD_PEAK] = {.host = k->site_host_busy_fraction, .rest = k->site_rest_busy_fraction},
    };
    gp_power_share share = shares[load];
    share.gpu = gpu_share(machine, load, tdp_w, k);
    share.fan = k->site_fan_fraction;
    return share;
}

static void trace_power(const gp_machine *machine, gp_load load, const gp_constants *constants,
                        const gp_node_power *power, gp_trace *trace) {
    gp_ref host = GP_REF(constants, gp_constants, facility_host_w);
    gp_ref stated =
        machine->system->max_power_w > 0 ? GP_REF(machine->system, gp_system, max_power_w) : host;
    if (load != GP_LOAD_SERVING) { /* else it was worked out by gp_serve_power_of */
        GP_TRACE(trace, GP_TERM_GPU_POWER, power->gpu_w, GP_REF(machine->gpu, gp_gpu, tdp_w),
                 GP_REF(machine->gpu, gp_gpu, idle_w),
                 GP_REF(constants, gp_constants, site_gpu_training_fraction));
    }
    GP_TRACE(trace, GP_TERM_NODE_NAMEPLATE, power->nameplate_w, stated,
             GP_REF(machine->gpu, gp_gpu, tdp_w));
    GP_TRACE(trace, GP_TERM_NODE_PEAK, power->peak_w, GP_REF(machine->gpu, gp_gpu, tdp_w),
             GP_REF(constants, gp_constants, site_gpu_peak_fraction),
             GP_REF(constants, gp_constants, site_rest_busy_fraction));
    GP_TRACE(trace, GP_TERM_NODE_POWER, power->node_w, GP_REF_TERM(GP_TERM_GPU_POWER), host,
             GP_REF(constants, gp_constants, facility_link_j_per_byte),
             GP_REF(constants, gp_constants, site_host_busy_fraction),
             GP_REF(constants, gp_constants, site_rest_busy_fraction),
             GP_REF(constants, gp_constants, site_fan_fraction),
             GP_REF(constants, gp_constants, facility_supply_fraction));
}

static double cap_of(const gp_machine *machine) {
    return machine->power_cap_fraction > 0 ? gp_num_min(machine->power_cap_fraction, 1) : 1;
}

static double largest_w(const gp_system *system, const gp_constants *constants) {
    gp_power_parts parts;
    gp_power_share most = gp_power_share_most(false, constants);
    gp_power_parts_of(system, &most, constants, &parts);
    return system->max_power_w > 0 ? system->max_power_w : parts.total_w;
}

static double state_w(const gp_machine *machine, gp_power_share share,
                      const gp_constants *constants) {
    gp_power_parts parts;
    share.gpu = gp_num_min(share.gpu, cap_of(machine));
    gp_power_parts_of(machine->system, &share, constants, &parts);
    return parts.total_w;
}

void gp_node_power_of(const gp_machine *machine, gp_load load, double serving_w,
                      const gp_constants *constants, gp_trace *trace, gp_node_power *ret) {
    const gp_system *system = machine->system;
    double tdp = gp_system_tdp_w(system, constants);
    *ret = (gp_node_power){0};
    if (!(tdp > 0))
        return;
    gp_power_share share = share_of(machine, load, tdp, constants);
    gp_power_share peak = share_of(machine, GP_LOAD_PEAK, tdp, constants);
    if (load == GP_LOAD_SERVING && serving_w > 0)
        share.gpu = serving_w / tdp;
    double gpus_w = (double)machine->gpus * tdp;
    ret->gpu_w = tdp * gp_num_min(share.gpu, cap_of(machine));
    ret->nameplate_w = gp_num_max(largest_w(system, constants) - (1 - cap_of(machine)) * gpus_w, 0);
    ret->peak_w = gp_num_min(state_w(machine, peak, constants), ret->nameplate_w);
    ret->node_w = gp_num_min(state_w(machine, share, constants), ret->peak_w);
    ret->error_fraction = constants->site_power_error_fraction;
    if (trace != NULL)
        trace_power(machine, load, constants, ret, trace);
}
