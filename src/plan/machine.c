/*
 * A machine as the formulas see it: peaks, memory, links, collective curves and efficiency classes,
 * looked up once per machine kind so that the search itself looks nothing up. A GPU without
 * measurements of its own takes the class of its architecture, and says so (`inherited`).
 */
#include "plan/context.h"

#include "base/num.h"
#include "base/str.h"

static const double bits_per_byte = 8; /* definition */

/* Peak that each compute precision runs on, as offsets into gp_flops. */
static const size_t peak_offsets[GP_PRECISION_COUNT] = {
    [GP_PRECISION_FP32] = offsetof(gp_flops, fp32), [GP_PRECISION_TF32] = offsetof(gp_flops, tf32),
    [GP_PRECISION_FP16] = offsetof(gp_flops, fp16), [GP_PRECISION_BF16] = offsetof(gp_flops, bf16),
    [GP_PRECISION_FP8] = offsetof(gp_flops, fp8),   [GP_PRECISION_MXFP8] = offsetof(gp_flops, fp8),
    [GP_PRECISION_INT8] = offsetof(gp_flops, int8), [GP_PRECISION_FP4] = offsetof(gp_flops, fp4),
};

static void set_peaks(gp_machine *machine) {
    for (int p = 0; p < GP_PRECISION_COUNT; p++) {
        const char *base = (const char *)&machine->gpu->flops;
        machine->peak_flop_per_s[p] = *(const double *)(const void *)(base + peak_offsets[p]);
    }
}

/* The class of this GPU, else that of its architecture. */
static gp_status set_efficiencies(gp_plan_context *plan, gp_machine *machine) {
    const void *const *rows = NULL;
    size_t count = 0;
    gp_status st = gp_catalog_rows(plan->catalog, GP_CATALOG_EFFICIENCIES, &rows, &count);
    if (st != GP_OK)
        return st;
    const gp_efficiency *own[GP_PRECISION_COUNT] = {NULL};
    const gp_efficiency *family[GP_PRECISION_COUNT] = {NULL};
    for (size_t i = 0; i < count; i++) {
        const gp_efficiency *row = rows[i];
        if (gp_str_equal(row->gpu, machine->gpu->id))
            own[row->precision] = row;
        else if (row->gpu == NULL && gp_str_equal(row->arch, machine->gpu->arch))
            family[row->precision] = row;
    }
    for (int p = 0; p < GP_PRECISION_COUNT; p++) {
        machine->efficiency[p] = own[p] != NULL ? own[p] : family[p];
        if (machine->peak_flop_per_s[p] <= 0)
            machine->efficiency[p] = NULL;
        else if (own[p] == NULL && family[p] != NULL)
            machine->inherited = true;
    }
    return GP_OK;
}

static int fit_index(int64_t ranks) {
    int index = 0;
    for (int64_t r = 2; r < ranks; r *= 2)
        index++;
    return index;
}

/* The collectives' curve where nothing was measured: link rate times a share, and a latency. */
static gp_curve nominal_curve(const gp_plan_context *plan, const gp_machine *machine) {
    const gp_constants *k = plan->constants;
    return (gp_curve){
        .latency_s = k->network_scale_up_latency_s,
        .bus_bytes_per_s = machine->link_bytes_per_s * k->network_scale_up_fraction,
    };
}

/* Ranks without a measured curve use that of the nearest smaller number of ranks, else nominal. */
static void fill_gaps(const gp_plan_context *plan, gp_machine *machine) {
    const gp_curve nominal = nominal_curve(plan, machine);
    for (int c = 0; c < GP_COLLECTIVE_COUNT; c++) {
        gp_curve last = nominal;
        for (int r = 0; r < GP_FIT_RANKS; r++) {
            if (machine->scale_up[c][r].bus_bytes_per_s > 0)
                last = machine->scale_up[c][r];
            else
                machine->scale_up[c][r] = last;
        }
    }
}

static gp_status set_curves(gp_plan_context *plan, gp_machine *machine) {
    const void *const *rows = NULL;
    size_t count = 0;
    gp_status st = gp_catalog_rows(plan->catalog, GP_CATALOG_COLLECTIVES, &rows, &count);
    if (st != GP_OK)
        return st;
    const double s_per_us = 1e-6; /* definition */
    for (size_t i = 0; i < count; i++) {
        const gp_collective_fit *row = rows[i];
        const int index = fit_index(row->ranks);
        if (!gp_str_equal(row->gpu, machine->gpu->id) || index >= GP_FIT_RANKS ||
            row->ranks > machine->domain)
            continue;
        machine->scale_up[row->collective][index] = (gp_curve){
            .latency_s = row->latency_s,
            .bus_bytes_per_s = row->bus_bytes_per_s,
            .sqrt_s = row->sqrt_coefficient * s_per_us,
        };
    }
    fill_gaps(plan, machine);
    return GP_OK;
}

static double nic_bytes_per_gpu(const gp_system *system) {
    double bits_per_s = 0;
    for (size_t i = 0; i < system->nics.count; i++)
        bits_per_s += system->nics.items[i].rate_bits_per_s * (double)system->nics.items[i].count;
    return system->gpus > 0 ? bits_per_s / bits_per_byte / (double)system->gpus : 0;
}

gp_status gp_machine_init(gp_plan_context *plan, const gp_system *system,
                          gp_machine *ret_machine) {
    const gp_gpu *gpu = &system->gpu;
    *ret_machine = (gp_machine){
        .system = system,
        .gpu = gpu,
        .gpus = system->gpus,
        .domain = system->domain > 0 ? system->domain : system->gpus,
        .hbm_bytes = gpu->usable_memory_bytes > 0 ? gpu->usable_memory_bytes : gpu->memory_bytes,
        .hbm_bytes_per_s = gpu->memory_bytes_per_s,
        .link_bytes_per_s = gpu->link.bandwidth_bytes_per_s,
        .nic_bytes_per_s = nic_bytes_per_gpu(system),
        .power_cap_fraction = 1,
    };
    if (plan->spec->site.power.cap_fraction > 0)
        ret_machine->power_cap_fraction = plan->spec->site.power.cap_fraction;
    set_peaks(ret_machine);
    gp_status st = set_efficiencies(plan, ret_machine);
    if (st == GP_OK)
        st = set_curves(plan, ret_machine);
    return st;
}
