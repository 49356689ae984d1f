/* A resolved system as the time formulas see it: rates, fitted collective curves and efficiency
 * rows, picked once so that a search looks nothing up. */
#include <string.h>

#include "estimate/machine.h"

#include "base/num.h"

/* Unit definitions. */
static const double microseconds_per_s = 1000 * 1000;
static const double bits_per_byte = 8;

static bool same_text(const char *a, const char *b) {
    return a != NULL && b != NULL && a[0] == b[0] && strcmp(a, b) == 0;
}

static bool names_gpu(const char *name, const gp_gpu *gpu) {
    return same_text(name, gpu->id) || same_text(name, gpu->extends);
}

/* Where the peak of each precision is written. */
static const size_t peak_offsets[GP_PRECISION_COUNT] = {
    [GP_PRECISION_FP32] = offsetof(gp_flops, fp32), [GP_PRECISION_TF32] = offsetof(gp_flops, tf32),
    [GP_PRECISION_FP16] = offsetof(gp_flops, fp16), [GP_PRECISION_BF16] = offsetof(gp_flops, bf16),
    [GP_PRECISION_FP8] = offsetof(gp_flops, fp8),   [GP_PRECISION_MXFP8] = offsetof(gp_flops, fp8),
    [GP_PRECISION_INT8] = offsetof(gp_flops, int8), [GP_PRECISION_FP4] = offsetof(gp_flops, fp4),
};

gp_ref gp_peak_ref(const gp_gpu *gpu, gp_precision precision) {
    return (gp_ref){.meta = &gpu->flops.meta, .offset = peak_offsets[precision]};
}

static void set_peaks(const gp_gpu *gpu, gp_gpu_rates *rates) {
    for (int p = 0; p < GP_PRECISION_COUNT; p++) {
        const char *flops = (const char *)&gpu->flops;
        memcpy(&rates->peak_flop_per_s[p], flops + peak_offsets[p], sizeof(double));
    }
}

/* The row of this very GPU, else that of its architecture. */
static void set_efficiencies(const gp_efficiency *const *rows, size_t count, gp_gpu_rates *rates) {
    const gp_gpu *gpu = rates->gpu;
    for (size_t i = 0; i < count; i++) {
        const gp_efficiency **slot = &rates->efficiency[rows[i]->precision];
        if (names_gpu(rows[i]->gpu, gpu)) {
            *slot = rows[i];
        } else if (*slot == NULL && rows[i]->gpu == NULL && same_text(rows[i]->arch, gpu->arch)) {
            *slot = rows[i];
        }
    }
    for (int p = 0; p < GP_PRECISION_COUNT; p++) {
        const gp_efficiency *row = rates->efficiency[p];
        if (row == NULL) {
            rates->peak_flop_per_s[p] = 0;
        } else if (rates->peak_flop_per_s[p] <= 0) {
            rates->efficiency[p] = NULL;
        }
    }
}

static bool is_inherited(const gp_machine *machine) {
    const gp_efficiency *row = machine->efficiency[GP_PRECISION_BF16];
    if (row == NULL)
        row = machine->efficiency[GP_PRECISION_FP16];
    return row == NULL || row->gpu == NULL;
}

static int rank_index(int64_t ranks) {
    int index = 0;
    for (int64_t n = 2; n < ranks; n *= 2)
        index++;
    return index;
}

/* Gaps between and above the fits take the nearest fit of fewer ranks, else of more. */
static void fill_gaps(gp_curve curves[GP_FIT_RANKS]) {
    for (int i = 1; i < GP_FIT_RANKS; i++) {
        if (curves[i].bus_bytes_per_s <= 0) {
            curves[i] = curves[i - 1];
            curves[i].fitted = false;
        }
    }
    for (int i = GP_FIT_RANKS - 2; i >= 0; i--) {
        if (curves[i].bus_bytes_per_s <= 0) {
            curves[i] = curves[i + 1];
            curves[i].fitted = false;
        }
    }
}

static void set_curves(const gp_collective_fit *const *fits, size_t count, gp_machine *machine) {
    for (size_t i = 0; i < count; i++) {
        int index = rank_index(fits[i]->ranks);
        if (index >= GP_FIT_RANKS || !names_gpu(fits[i]->gpu, machine->gpu))
            continue;
        machine->scale_up[fits[i]->collective][index] = (gp_curve){
            .latency_s = fits[i]->latency_s,
            .bus_bytes_per_s = fits[i]->bus_bytes_per_s,
            .sqrt_s = fits[i]->sqrt_coefficient / microseconds_per_s,
            .fitted = true,
        };
    }
    for (int c = 0; c < GP_COLLECTIVE_COUNT; c++)
        fill_gaps(machine->scale_up[c]);
}

/* Hopper and data-centre Blackwell: asynchronous matrix units that FlashAttention-2 leaves idle. */
static bool is_flash2_behind(const gp_gpu *gpu) {
    static const char *const archs[] = {"hopper", "blackwell", "blackwell-ultra"};
    for (size_t i = 0; i < sizeof archs / sizeof archs[0]; i++) {
        if (same_text(gpu->arch, archs[i]))
            return true;
    }
    return false;
}

static bool is_staged(const char *kind) {
    return kind != NULL && strstr(kind, "-staged") != NULL;
}

static double nic_bytes_per_s(const gp_system *system) {
    double bits_per_s = 0;
    for (size_t i = 0; i < system->nics.count; i++)
        bits_per_s += system->nics.items[i].rate_bits_per_s * (double)system->nics.items[i].count;
    return bits_per_s / bits_per_byte / (double)gp_num_max_i64(1, system->gpus);
}

/* The row of this very GPU, else that of its architecture, else the one for all others. */
static void set_power(const gp_power_class *const *rows, size_t count, gp_machine *machine) {
    int best = 0;
    for (size_t i = 0; i < count; i++) {
        bool any = rows[i]->gpu == NULL && rows[i]->arch == NULL;
        bool family = rows[i]->gpu == NULL && same_text(rows[i]->arch, machine->gpu->arch);
        int rank = names_gpu(rows[i]->gpu, machine->gpu) ? 3 : family ? 2 : any ? 1 : 0;
        if (rank > best) {
            best = rank;
            machine->power = rows[i];
        }
    }
}

void gp_gpu_rates_of(const gp_machine_rows *rows, const gp_gpu *gpu, gp_gpu_rates *ret_rates) {
    *ret_rates = (gp_gpu_rates){.gpu = gpu};
    set_peaks(gpu, ret_rates);
    set_efficiencies(rows->efficiencies, rows->efficiency_count, ret_rates);
}

void gp_machine_derive(const gp_system *system, const gp_machine_rows *rows,
                       double power_cap_fraction, gp_machine *ret) {
    const gp_gpu *gpu = &system->gpu;
    gp_machine machine = {
        .system = system,
        .gpu = gpu,
        .gpus = system->gpus,
        .domain = system->domain > 0 ? system->domain : system->gpus,
        .hbm_bytes = gpu->usable_memory_bytes > 0 ? gpu->usable_memory_bytes : gpu->memory_bytes,
        .hbm_bytes_per_s = gpu->memory_bytes_per_s,
        .link_bytes_per_s = gpu->link.bandwidth_bytes_per_s,
        .nic_bytes_per_s = nic_bytes_per_s(system),
        .mesh = same_text(gpu->link.kind, "xgmi"),
        .staged = is_staged(gpu->link.kind),
        .flash2_behind = is_flash2_behind(gpu),
        .power_cap_fraction = power_cap_fraction > 0 ? power_cap_fraction : 1,
    };
    gp_gpu_rates rates;
    gp_gpu_rates_of(rows, gpu, &rates);
    memcpy(machine.peak_flop_per_s, rates.peak_flop_per_s, sizeof machine.peak_flop_per_s);
    memcpy(machine.efficiency, rates.efficiency, sizeof machine.efficiency);
    machine.inherited = is_inherited(&machine);
    set_curves(rows->fits, rows->fit_count, &machine);
    set_power(rows->powers, rows->power_count, &machine);
    *ret = machine;
}
