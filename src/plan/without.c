/*
 * A plan that buys, made again without purchases: with them other ways are simulated, so that a
 * choice that is found on what stands alone may be missed beside them.
 */
#include "plan/context.h"

#include "base/num.h"

static const double spared = 1.25; /* of the GPUs that stand: what takes more does not do without */

/* It buys or fails, on not many more GPUs than stand. */
static bool may_do_without(const gp_plan_context *plan) {
    const gp_plan_options *options = plan->options;
    const gp_site_plan *site = &plan->result->site;
    double there = 0;
    for (size_t u = 0; u < plan->unit_count; u++)
        there += (double)(plan->units[u].owned_nodes * plan->units[u].machine.gpus);
    return !options->declared_only && !options->brief && options->hold == NULL &&
           plan->growth == NULL && plan->case_count <= GP_PLAN_AGAIN_MAX && there > 0 &&
           (site->bought_nodes > 0 || site->rented_nodes > 0 || !plan->result->feasible) &&
           (double)site->gpus <= spared * there;
}

static bool is_better(const gp_plan_result *without, const gp_plan_result *with) {
    return without->feasible &&
           (!with->feasible || with->keeps_owned ||
            gp_num_compare9(without->objective_value, with->objective_value) < 0);
}

gp_plan_context *gp_plan_do_without(gp_plan_context *plan) {
    if (!may_do_without(plan))
        return plan;
    gp_plan_context *without = GP_NEW(plan->arena, gp_plan_context);
    gp_plan_options *options = GP_NEW(plan->arena, gp_plan_options);
    gp_diags diags;
    *options = *plan->options;
    options->owned_only = true;
    gp_diags_init(&diags, plan->arena);
    const gp_status st = gp_plan_once(plan->arena, plan->catalog, plan->document, plan->prices,
                                      plan->price_count, options, &diags, without);
    without->diags = plan->diags;
    return st == GP_OK && is_better(without->result, plan->result) ? without : plan;
}
