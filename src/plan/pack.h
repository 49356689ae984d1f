/* What shares machines of one kind. */
#ifndef GP_PLAN_PACK_H
#define GP_PLAN_PACK_H

#include "plan/context.h"

/* Pieces of machines by their GPUs, and machines by the GPUs that they have left. */
typedef struct gp_packing {
    int64_t per_node;
    int64_t *pieces, *left; /* room for per_node + 1 each */
    int64_t nodes;
    int64_t least_nodes; /* pieces that fail together keep apart */
    const gp_gpu_partition *partition;
    int64_t parts[GP_PART_PROFILES_MAX]; /* of GPUs, by profile */
    int64_t part_count, part_gpus;       /* in all, and the GPUs that hold them */
} gp_packing;

void gp_pack_start(const gp_plan_context *plan, int64_t per_node, gp_packing *ret);
void gp_pack_add(gp_packing *p, const gp_claim *claim);
/* GPUs are cut where that takes fewer machines, or fewer GPUs where these are what counts; else
 * everybody has whole ones. */
void gp_pack_with_parts(gp_packing *p, bool fewest_gpus);
/* Sets what a claim fills of machines, and its pieces of those that are shared. */
void gp_pack_claim(const gp_candidate *candidate, gp_claim *claim);

#endif
