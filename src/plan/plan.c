/* A plan with what is found by planning again, and a plan that is held. */
#include "plan/context.h"

gp_status gp_plan_run(gp_arena *arena, gp_catalog *catalog, const gp_plan_document *document,
                      const gp_prices *const *prices, size_t price_count,
                      const gp_plan_options *options, gp_diags *diags,
                      gp_plan_result **ret_result) {
    gp_plan_context *plan = GP_NEW(arena, gp_plan_context);
    const gp_status st =
        gp_plan_once(arena, catalog, document, prices, price_count, options, diags, plan);
    if (st != GP_OK)
        return st;
    plan = gp_plan_do_without(plan);
    if (!options->brief && options->hold == NULL)
        gp_flips_plan(plan);
    if (!options->declared_only && !options->brief && options->hold == NULL)
        gp_limits_plan(plan);
    if (options->declared_only && !options->brief && !plan->result->feasible)
        gp_plan_mend(plan);
    *ret_result = plan->result;
    return GP_OK;
}

gp_status gp_plan_hold(gp_arena *arena, const gp_plan_result *plan, gp_plan_result **ret_result) {
    const gp_plan_options options = {.objective = plan->objective,
                                     .declared_only = plan->declared_only,
                                     .simulate = GP_PLAN_SIMULATE_OFF,
                                     .traces = plan->traces,
                                     .trace_count = plan->trace_count,
                                     .hold = plan};
    gp_diags diags;
    gp_diags_init(&diags, arena);
    return gp_plan_run(arena, plan->catalog, plan->document, plan->prices, plan->price_count,
                       &options, &diags, ret_result);
}
