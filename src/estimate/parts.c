/*
 * Parts of a GPU: what a machine is to work that has one part of it, and how parts of several sizes
 * lie on as few GPUs as can be. A part begins only at the memory slices that its profile allows, so
 * that what is packed here can be made as it stands (docs/formulas.md, "Parts of a GPU").
 */
#include "estimate/estimate.h"

#include "base/num.h"

/* What is taken of one GPU. */
typedef struct cut {
    uint32_t slices; /* a bit each */
    int64_t compute;
} cut;

gp_machine gp_machine_part(const gp_machine *machine, const gp_gpu_partition *partition,
                           const gp_gpu_profile *profile) {
    gp_machine part = *machine;
    part.gpus = 1;
    part.domain = 1;
    part.hbm_bytes = profile->memory_bytes > 0 ? profile->memory_bytes
                                               : profile->share_fraction * machine->hbm_bytes;
    part.hbm_bytes_per_s *= (double)profile->slices / (double)partition->slices;
    for (int p = 0; p < GP_PRECISION_COUNT; p++)
        part.peak_flop_per_s[p] *= profile->flops_fraction;
    return part;
}

double gp_part_fraction(const gp_gpu_partition *partition, const gp_gpu_profile *profile) {
    return gp_num_max((double)profile->slices / (double)partition->slices,
                      (double)profile->compute / (double)partition->compute);
}

/* From the end: large parts leave the places that small ones may have. */
static bool place(const gp_gpu_partition *partition, const gp_gpu_profile *profile, cut *gpu) {
    const uint32_t mask = (1u << profile->slices) - 1;
    if (gpu->compute + profile->compute > partition->compute)
        return false;
    for (int64_t at = profile->last; at >= 0; at -= gp_num_max_i64(profile->every, 1)) {
        const bool inside = at + profile->slices <= partition->slices;
        if (inside && (gpu->slices & (mask << at)) == 0) {
            gpu->slices |= mask << at;
            gpu->compute += profile->compute;
            return true;
        }
    }
    return false;
}

/* The largest first, each GPU filled before the next: those that remain are the smallest. */
int64_t gp_parts_gpus(const gp_gpu_partition *partition, const int64_t *counts) {
    int64_t left[GP_PART_PROFILES_MAX] = {0};
    int64_t more = 0, gpus = 0;
    const size_t profiles = gp_part_profiles(partition);
    for (size_t p = 0; p < profiles; p++) {
        left[p] = counts[p];
        more += counts[p];
    }
    while (more > 0) {
        cut gpu = {0};
        for (size_t p = profiles; p-- > 0;) {
            while (left[p] > 0 && place(partition, &partition->profiles.items[p], &gpu)) {
                left[p]--;
                more--;
            }
        }
        gpus++;
        if (gpu.compute == 0) { /* a profile that its own GPU does not hold takes one each */
            return gpus + more;
        }
    }
    return gpus;
}

size_t gp_part_profiles(const gp_gpu_partition *partition) {
    return partition->profiles.count < GP_PART_PROFILES_MAX ? partition->profiles.count
                                                            : GP_PART_PROFILES_MAX;
}
