/* The choice made again for one workload with another demand, and what is there shared out anew. */
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

/* All that grows keeps to its limits at the horizon, too. */
static void allocate_again(gp_plan_context *again, const gp_inventory *inventory,
                           gp_allocation *ret) {
    bool holds = false;
    gp_allocation_init(again, ret);
    ret->quick = true;
    for (int i = 0; i < GP_PLAN_HORIZON_ROUNDS && !holds; i++) {
        gp_allocate(again, inventory, ret);
        gp_spread_services(again, inventory, ret);
        gp_growth_shells(again, ret);
        holds = gp_allocation_judge(again, inventory, ret);
    }
}

void gp_plan_again(const gp_verdicts *v, size_t index, const gp_case *changed,
                   const gp_options *options, gp_allocation *ret_today, gp_allocation *ret_best) {
    const gp_plan_context *plan = v->plan;
    gp_plan_context *again = GP_NEW(plan->arena, gp_plan_context);
    *again = *plan;
    again->cases = GP_NEW_ARRAY(plan->arena, gp_case, plan->case_count + 1);
    again->ways = GP_NEW_ARRAY(plan->arena, gp_options, plan->case_count + 1);
    again->shells = NULL;
    memcpy(again->cases, plan->cases, plan->case_count * sizeof *again->cases);
    memcpy(again->ways, plan->ways, plan->case_count * sizeof *again->ways);
    again->cases[index] = *changed;
    again->ways[index] = *options;
    gp_spread_forget(plan, index);
    allocate_again(again, v->inventory, ret_best);
    if (ret_today != NULL) {
        allocate_again(again, v->narrow, ret_today);
        gp_settle_today(again, v->narrow, ret_best, ret_today);
    }
    gp_spread_forget(plan, index);
}
