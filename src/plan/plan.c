/* A plan with what is found by planning again, and a plan that is held. */
#include "plan/context.h"

/* What a plan is made of, and what comes out. */
typedef struct making {
    gp_arena *arena;
    gp_catalog *catalog;
    const gp_plan_document *document;
    const gp_prices *const *prices;
    size_t price_count;
    const gp_plan_options *options;
    gp_diags *diags;
    gp_plan_result *result;
    gp_status status; /* of what was asked; no memory is another way out */
} making;

static gp_status make(void *context) {
    making *m = context;
    const gp_plan_options *options = m->options;
    const bool alone = options->brief || options->once || options->hold != NULL;
    gp_plan_context *plan = GP_NEW(m->arena, gp_plan_context);
    m->status = gp_plan_once(m->arena, m->catalog, m->document, m->prices, m->price_count, options,
                             m->diags, plan);
    if (m->status != GP_OK)
        return GP_OK;
    const gp_plan_context *first = plan;
    plan = gp_plan_alone(gp_plan_do_without(plan));
    if (!alone)
        gp_software_plan(plan, plan != first);
    if (!alone)
        gp_flips_plan(plan);
    if (!options->declared_only && !alone)
        gp_limits_plan(plan);
    if (options->declared_only && !alone && !plan->result->feasible)
        gp_plan_mend(plan);
    m->result = plan->result;
    return GP_OK;
}

/* Plans that are made to find something out simulate much that the plan itself did. */
gp_status gp_plan_run(gp_arena *arena, gp_catalog *catalog, const gp_plan_document *document,
                      const gp_prices *const *prices, size_t price_count,
                      const gp_plan_options *options, gp_diags *diags,
                      gp_plan_result **ret_result) {
    gp_plan_options own = *options;
    making m = {arena, catalog, document, prices, price_count, &own, diags, NULL, GP_OK};
    const bool keeps = options->memory == NULL && !options->brief && options->hold == NULL &&
                       options->simulate != GP_PLAN_SIMULATE_OFF;
    own.memory = keeps ? gp_plan_memory_within(arena) : own.memory;
    gp_plan_memory_begin(own.memory);
    const gp_status st = gp_arena_guard(arena, make, &m);
    if (keeps)
        gp_plan_memory_free(own.memory);
    if (st != GP_OK)
        gp_arena_leave(arena, st);
    *ret_result = m.result;
    return m.status;
}

gp_status gp_plan_hold(gp_arena *arena, const gp_plan_result *plan, gp_plan_result **ret_result) {
    const gp_plan_options options = {.objective = plan->objective,
                                     .declared_only = plan->declared_only,
                                     .in_turn = plan->in_turn,
                                     .simulate = GP_PLAN_SIMULATE_OFF,
                                     .traces = plan->traces,
                                     .trace_count = plan->trace_count,
                                     .hold = plan};
    gp_diags diags;
    gp_diags_init(&diags, arena);
    return gp_plan_run(arena, plan->catalog, plan->document, plan->prices, plan->price_count,
                       &options, &diags, ret_result);
}
