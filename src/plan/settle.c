/* What is there does not hold all: it is shared out anew. */
#include "plan/verdict.h"

#include <string.h>

void gp_settle_today(gp_plan_context *plan, const gp_inventory *narrow, gp_allocation *best,
                     gp_allocation *today) {
    gp_allocation scratch;
    bool all = true;
    for (size_t i = 0; i < plan->case_count; i++)
        all = all && today->picks[i] != GP_UNPLACED;
    if (all || !gp_plan_has_pools(plan))
        return;
    gp_allocation_init(plan, &scratch);
    gp_share_out(plan, best);
    for (size_t i = 0; i < plan->case_count; i++) {
        const bool stays = best->picks[i] != GP_UNPLACED &&
                           gp_ledger_owned(plan, &best->ledger, i) == best->chosen[i]->nodes;
        scratch.picks[i] = stays ? best->picks[i] : GP_UNPLACED;
    }
    if (!gp_allocation_judge(plan, narrow, &scratch))
        return;
    memcpy(today->picks, scratch.picks, plan->case_count * sizeof *today->picks);
    for (size_t k = 0; k < plan->case_count; k++) {
        const size_t i = plan->order[k];
        if (today->picks[i] == GP_UNPLACED)
            today->picks[i] = gp_allocate_one(plan, narrow, today, i, &plan->ways[i], &scratch);
    }
    (void)gp_allocation_judge(plan, narrow, today);
}
