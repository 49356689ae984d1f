/*
 * Services that a part of a GPU is enough for. Each is sized on a whole GPU as ever, and beside
 * that on the smallest part that holds its model and carries its load within its goals, as if
 * nothing of the rest were ever free. Where parts take fewer machines of a kind than whole GPUs,
 * the ledger packs them, and each has the figures of its part.
 */
#include "plan/context.h"

#include "base/num.h"
#include "base/str.h"

static const double part_most = 0.5; /* definition: more than half of a GPU is not shared */

gp_status gp_parts_open(gp_plan_context *plan) {
    const void *const *rows = NULL;
    size_t count = 0;
    gp_status st = gp_catalog_rows(plan->catalog, GP_CATALOG_PARTITIONS, &rows, &count);
    for (size_t u = 0; u < plan->unit_count && st == GP_OK; u++) {
        const char *gpu = plan->units[u].system->gpu.id;
        for (size_t i = 0; i < count && plan->units[u].cloud == NULL; i++) {
            const gp_gpu_partition *row = rows[i];
            for (size_t g = 0; g < row->gpus.count; g++)
                if (gpu != NULL && gp_str_equal(row->gpus.items[g], gpu))
                    plan->units[u].partition = row;
        }
    }
    return st;
}

/* A service whose load is small beside what one replica on one GPU carries. Seats take their parts
 * where they are searched. */
static bool may_share(const gp_case *c, const gp_candidate *candidate) {
    const gp_workload *w = c->workload;
    return candidate->feasible && candidate->unit->partition != NULL && c->out->is_serving &&
           !c->out->is_seats && !c->offline && !c->exclusive && c->out->has_goal && !c->counted &&
           w->replicas == 0 && candidate->replicas == 1 && candidate->gpus == 1 &&
           !candidate->split.present && !(w->goal.slo.availability > 0) &&
           !gp_str_equal(w->placement.gpu_parts, "none") && candidate->utilization <= part_most;
}

static bool holds_weights(const gp_candidate *candidate, const gp_machine *part) {
    return candidate->memory.bytes[GP_MEMORY_WEIGHTS] < part->hbm_bytes;
}

/* What one replica carries on a part of its GPU, which does not hang on the demand. */
static double rate_on(const gp_case *c, const gp_candidate *candidate, const gp_machine *part,
                      int64_t profile) {
    const size_t unit = (size_t)(candidate->unit - c->plan->units);
    gp_unit_capability *store = gp_capability_of(c, unit);
    const gp_serve_capability *found = gp_size_capability(c, candidate);
    if (found == NULL)
        return 0;
    double *known = &store->part_per_s[gp_size_judged(c)][profile];
    if (!(*known < 0) && !(*known > 0)) {
        *known = gp_serve_rate_with(c, unit, part, found);
        *known = *known > 0 ? *known : -1;
    }
    return (1 - found->simulated_loss) * gp_num_max(*known, 0);
}

void gp_part_of(const gp_case *c, gp_candidate *candidate) {
    const gp_gpu_partition *partition = candidate->unit->partition;
    if (!may_share(c, candidate))
        return;
    for (size_t p = 0; p < gp_part_profiles(partition); p++) {
        const gp_gpu_profile *profile = &partition->profiles.items[p];
        if (gp_part_fraction(partition, profile) > part_most)
            continue;
        const gp_machine part = gp_machine_part(&candidate->unit->machine, partition, profile);
        if (!holds_weights(candidate, &part))
            continue;
        const double rate = rate_on(c, candidate, &part, (int64_t)p);
        if (rate >= c->demand.requests_per_s * (1 + c->gpu_headroom_fraction)) {
            candidate->part = (gp_gpu_part){.profile = profile, .index = (int64_t)p};
            return;
        }
    }
}

void gp_part_settle(const gp_case *c, const gp_kind_hold *kind, gp_candidate *candidate) {
    const size_t unit = (size_t)(candidate->unit - c->plan->units);
    if (candidate->part.profile == NULL || kind->part_gpus >= kind->part_count)
        return;
    candidate->part.in_use = true;
    const gp_machine part = gp_candidate_machine(candidate);
    const gp_serve_job job = gp_plan_serve_job(c, unit, &part);
    gp_serve_memory_of(&job, &part, &candidate->serve_layout, c->plan->constants,
                       c->memory_headroom_fraction, NULL, &candidate->serve_memory);
    candidate->memory = candidate->serve_memory.memory;
    gp_serve_load(&job, &part, &c->plan->networks[unit], &candidate->serve_layout,
                  c->plan->constants, &candidate->serve_memory, c->demand.requests_per_s, 1, NULL,
                  &candidate->point);
    const double margin = gp_plan_margin(c, candidate->error_fraction, c->confidence);
    candidate->ttft_p95_s = gp_plan_band(candidate->point.ttft_p95_s, gp_plan_ttft_margin(c));
    if (!job.reads_only)
        candidate->tpot_p95_s = gp_plan_band(candidate->point.tpot_p95_s, margin);
    candidate->requests_per_s = rate_on(c, candidate, &part, candidate->part.index);
    candidate->requests_per_s_expected =
        gp_num_max(candidate->requests_per_s, gp_num_min(candidate->requests_per_s_expected,
                                                         candidate->point.max_requests_per_s));
    candidate->utilization = c->demand.requests_per_s / candidate->requests_per_s;
}
