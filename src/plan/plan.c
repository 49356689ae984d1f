/*
 * The planner's path: constants, machine kinds, fabrics, cases, joint choice and verdicts, site,
 * growth. Everything that allocates or looks up does so before the search starts.
 */
#include "plan/context.h"

#include "base/num.h"
#include "base/str.h"

/* One currency for the plan and all lists: no rate between two is known. */
static gp_status set_currency(gp_plan_context *plan) {
    const gp_costs *costs = &plan->spec->costs;
    const gp_origin *origin = GP_ORIGIN_OF(costs, gp_costs, currency);
    const bool given = origin->kind == GP_ORIGIN_SPEC || origin->kind == GP_ORIGIN_FLAG;
    const char *first = given ? costs->currency : NULL;
    for (size_t p = 0; p < plan->price_count; p++) {
        const gp_prices *list = plan->prices[p];
        if (first == NULL)
            first = list->currency;
        if (list->currency == NULL || gp_str_equal(first, list->currency))
            continue;
        gp_diags_error(plan->diags, "GP1019", GP_ORIGIN_OF(list, gp_prices, currency)->span,
                       "one currency for costs and all price lists", NULL,
                       "prices in %s and in %s, and no rate between them", first, list->currency);
        return GP_ERR_INPUT;
    }
    plan->result->currency = first != NULL ? first : costs->currency;
    return GP_OK;
}

/* auto: cost where every candidate has a price, else facility power. */
static gp_status set_objective(gp_plan_context *plan, gp_objective asked) {
    const gp_candidates *candidates = &plan->spec->candidates;
    const gp_objective wanted =
        asked != GP_OBJECTIVE_AUTO ? asked : (gp_objective)candidates->objective;
    plan->result->objective_was_auto = wanted == GP_OBJECTIVE_AUTO;
    plan->objective = wanted;
    if (wanted == GP_OBJECTIVE_AUTO)
        plan->objective = plan->all_priced ? GP_OBJECTIVE_MIN_COST : GP_OBJECTIVE_MIN_POWER;
    plan->result->objective = plan->objective;
    if (wanted != GP_OBJECTIVE_MIN_COST || plan->all_priced)
        return GP_OK;
    for (size_t u = 0; u < plan->unit_count; u++) {
        const gp_unit *unit = &plan->units[u];
        if (unit->may_buy && unit->price <= 0 && unit->rent_per_s <= 0)
            gp_diags_error(plan->diags, "GP6004",
                           GP_ORIGIN_OF(candidates, gp_candidates, objective)->span,
                           "a Prices document with this item, or another objective", NULL,
                           "objective minCost needs a price for %s%s",
                           unit->cloud != NULL ? "" : "system/", unit->id);
    }
    return GP_ERR_INPUT;
}

static gp_status set_site(gp_plan_context *plan) {
    const gp_site *site = &plan->spec->site;
    const gp_constants *k = plan->constants;
    const double design = site->power.design.pue;
    const double annual = site->power.annual.pue;
    plan->annual_pue = annual > 0 ? annual : design > 0 ? design : k->site_pue;
    plan->design_pue = design > 0 ? design : gp_num_max(plan->annual_pue, k->site_pue);
    plan->carbon_kg_per_j = site->energy.carbon_kg_per_j;
    if (plan->carbon_kg_per_j > 0 || site->energy.grid == NULL)
        return GP_OK;
    const void *row = NULL;
    gp_status st =
        gp_catalog_find(plan->catalog, GP_CATALOG_GRIDS, site->energy.grid, &row, NULL, NULL);
    if (st == GP_OK)
        plan->carbon_kg_per_j = ((const gp_grid *)row)->carbon_kg_per_j;
    return st;
}

static gp_status init_cases(gp_plan_context *plan) {
    const gp_plan_spec *spec = plan->spec;
    gp_plan_result *result = plan->result;
    plan->case_count = spec->workloads.count;
    plan->cases = GP_NEW_ARRAY(plan->arena, gp_case, plan->case_count);
    plan->loads = GP_NEW_ARRAY(plan->arena, gp_unit_load, plan->unit_count);
    result->workloads.items = GP_NEW_ARRAY(plan->arena, gp_workload_plan, plan->case_count);
    result->workloads.count = plan->case_count;
    if (plan->cases == NULL || plan->loads == NULL || result->workloads.items == NULL)
        return GP_ERR_NO_MEMORY;
    for (size_t i = 0; i < plan->case_count; i++) {
        gp_status st = gp_plan_case_init(plan, &spec->workloads.items[i],
                                         &result->workloads.items[i], &plan->cases[i]);
        if (st != GP_OK)
            return st;
    }
    return gp_claims_init(plan);
}

/* GPUs that the last claim on a pool leaves unused there. */
static void set_surplus(gp_plan_context *plan) {
    for (size_t p = 0; p < plan->pool_count; p++) {
        const gp_pool_state *pool = &plan->pools[p];
        for (size_t i = plan->case_count; i-- > 0;) {
            const gp_case *c = &plan->cases[plan->claim_order[i]];
            const gp_candidate *chosen = &c->out->chosen;
            if (!chosen->feasible || chosen->unit != &plan->units[pool->unit])
                continue;
            gp_node_power power;
            gp_node_power_of(&chosen->unit->machine, GP_LOAD_IDLE, 0, plan->constants, NULL,
                             &power);
            const int64_t free = gp_pool_free(pool, 0);
            c->out->surplus_nodes = free;
            c->out->surplus_gpus = free * chosen->unit->machine.gpus;
            c->out->surplus_power_w = (double)free * power.node_w;
            break;
        }
    }
}

/* Another objective that would give another verdict somewhere; the first in the enum's order. */
static void compare_objectives(gp_plan_context *plan) {
    gp_plan_result *result = plan->result;
    const gp_objective applied = plan->objective;
    for (int o = GP_OBJECTIVE_MIN_COST; o <= GP_OBJECTIVE_MIN_TIME; o++) {
        if (o == (int)applied || (o == GP_OBJECTIVE_MIN_COST && !plan->all_priced))
            continue;
        plan->objective = (gp_objective)o;
        for (size_t i = 0; i < plan->case_count && !result->objective_changes_verdict; i++) {
            const gp_case *c = &plan->cases[i];
            gp_limits left;
            gp_verdict verdict;
            gp_joint_left(plan, i, &left);
            gp_verdict_of(c, &plan->baselines[i], &left, false, &verdict);
            if (verdict.scale != c->out->scale) {
                result->objective_changes_verdict = true;
                result->other_objective = (gp_objective)o;
                result->other_objective_workload = c->workload->name;
            }
        }
    }
    plan->objective = applied;
}

/* Switches, storage and what else stands around machines take of the limits, too: where they pass
 * one, workloads are chosen again with less of it. */
static gp_status make_room(gp_plan_context *plan) {
    gp_status st = GP_OK;
    for (int i = 0; st == GP_OK && !plan->declared_only && i < GP_PLAN_ROUNDS_MAX; i++) {
        plan->result->room = (gp_room_plan){0};
        gp_site_of(plan);
        st = gp_room_of(plan);
        if (st != GP_OK || !gp_limits_tighten(plan))
            break;
        st = gp_joint_choose(plan);
    }
    plan->result->room = (gp_room_plan){0};
    return st;
}

static gp_status run(gp_plan_context *plan, const gp_prices *const *prices, size_t price_count,
                     const gp_plan_options *options) {
    plan->prices = prices;
    plan->price_count = price_count;
    gp_constants *constants = GP_NEW(plan->arena, gp_constants);
    if (constants == NULL)
        return GP_ERR_NO_MEMORY;
    gp_status st = gp_constants_load(plan->arena, plan->catalog, plan->diags, constants);
    plan->constants = constants;
    plan->result->constants = constants;
    if (st == GP_OK)
        st = gp_plan_units(plan, prices, price_count);
    if (st == GP_OK)
        st = gp_plan_networks(plan);
    if (st == GP_OK)
        st = set_currency(plan);
    if (st == GP_OK)
        st = set_objective(plan, options->objective);
    if (st == GP_OK)
        st = set_site(plan);
    if (st == GP_OK)
        gp_limits_of(plan);
    if (st == GP_OK)
        st = init_cases(plan);
    if (st == GP_OK)
        st = gp_joint_choose(plan);
    if (st == GP_OK)
        st = make_room(plan);
    if (st == GP_OK)
        st = gp_joint_finish(plan);
    if (st != GP_OK)
        return st;
    set_surplus(plan);
    if (!plan->declared_only)
        compare_objectives(plan);
    gp_site_of(plan);
    st = gp_growth_of(plan);
    if (st == GP_OK)
        st = gp_room_of(plan);
    if (st == GP_OK)
        st = gp_owning_of(plan);
    if (st == GP_OK)
        st = gp_growth_settle(plan);
    if (st == GP_OK)
        st = gp_schedule_of(plan);
    return st == GP_OK ? gp_burst_plan(plan) : st;
}

gp_status gp_plan_run(gp_arena *arena, gp_catalog *catalog, const gp_plan_document *document,
                      const gp_prices *const *prices, size_t price_count,
                      const gp_plan_options *options, gp_diags *diags,
                      gp_plan_result **ret_result) {
    gp_plan_result *result = GP_NEW(arena, gp_plan_result);
    if (result == NULL)
        return GP_ERR_NO_MEMORY;
    gp_plan_context plan = {
        .simulate = options->simulate,
        .arena = arena,
        .catalog = catalog,
        .diags = diags,
        .document = document,
        .spec = &document->spec,
        .result = result,
        .declared_only = options->declared_only,
        .options = options,
    };
    result->document = document;
    result->declared_only = options->declared_only;
    result->confidence = (gp_confidence)document->spec.defaults.confidence;
    gp_status st = run(&plan, prices, price_count, options);
    if (st != GP_OK)
        return st;
    for (size_t p = 0; p < price_count; p++)
        if (prices[p]->valid_until > 0 &&
            (result->quote_until == 0 || prices[p]->valid_until < result->quote_until))
            result->quote_until = prices[p]->valid_until;
    result->units.items = plan.units;
    result->units.count = plan.unit_count;
    result->feasible = true;
    for (size_t i = 0; i < result->workloads.count; i++)
        if (result->workloads.items[i].scale == GP_SCALE_INFEASIBLE)
            result->feasible = false;
    *ret_result = result;
    return GP_OK;
}
