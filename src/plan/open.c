/*
 * Everything before the options: what there is, what may be had, what is asked.
 */
#include "plan/context.h"

#include "base/num.h"
#include "base/str.h"

/* One currency for the plan and all lists: no rate between two is known. */
static gp_status set_currency(gp_plan_context *plan) {
    const gp_costs *costs = &plan->spec->costs;
    const gp_origin *origin = GP_ORIGIN_OF(costs, gp_costs, currency);
    const bool given = origin->kind == GP_ORIGIN_SPEC || origin->kind == GP_ORIGIN_FLAG ||
                       plan->document->has_amounts;
    const char *first = given ? costs->currency : NULL;
    for (size_t p = 0; p < plan->price_count; p++) {
        const gp_prices *list = plan->prices[p];
        if (first == NULL)
            first = list->currency;
        if (list->currency == NULL || gp_str_equal(first, list->currency))
            continue;
        gp_diags_error(plan->diags, "GP1019", GP_ORIGIN_OF(list, gp_prices, currency)->span,
                       "one currency for costs and all price lists", NULL,
                       "prices in %s and in %s, and no exchange rate between them", first,
                       list->currency);
        return GP_ERR_INPUT;
    }
    plan->result->currency = first != NULL ? first : costs->currency;
    return GP_OK;
}

/* Of sites that say different things of themselves, the one that says less is not the better. */
static gp_status refuse_objective(gp_plan_context *plan) {
    const bool cost = plan->objective == GP_OBJECTIVE_MIN_COST;
    gp_diags_error(plan->diags, "GP6004",
                   GP_ORIGIN_OF(&plan->spec->candidates, gp_candidates, objective)->span,
                   cost ? "site.energy.price for every site, or for none"
                        : "site.energy.carbon or site.energy.grid for every site",
                   NULL, "objective %s compares sites by what their energy %s",
                   cost ? "minCost" : "minCarbon", cost ? "costs" : "emits");
    return GP_ERR_INPUT;
}

/* What a unit that may be bought has no price of: the machine, or the switches of its fabric where
 * those of another have one. Prices that nobody states would make it the cheaper one. */
static const char *unpriced_item(const gp_plan_context *plan, const gp_unit *unit) {
    const size_t u = (size_t)(unit - plan->units);
    if (unit->price <= 0 && gp_rent_of(unit, 1).per_s <= 0)
        return unit->cloud != NULL ? unit->id
                                   : gp_arena_printf(plan->arena, "system/%s", unit->system->id);
    const char *id = gp_plan_switch_id(plan->switches[u]);
    const bool wired = unit->cloud == NULL && plan->fabrics[u].rails > 0 && id != NULL;
    return wired && plan->switches_priced && gp_plan_item_price(plan, "switch", id) <= 0
               ? gp_arena_printf(plan->arena, "switch/%s", id)
               : NULL;
}

/* Costs of candidates can be compared where each has the prices that another has. */
static void find_prices(gp_plan_context *plan) {
    for (size_t u = 0; u < plan->unit_count; u++) {
        const char *id = gp_plan_switch_id(plan->switches[u]);
        if (plan->units[u].may_buy && plan->units[u].cloud == NULL && plan->fabrics[u].rails > 0 &&
            id != NULL && gp_plan_item_price(plan, "switch", id) > 0)
            plan->switches_priced = true;
    }
    plan->all_priced = plan->unit_count > 0;
    for (size_t u = 0; u < plan->unit_count; u++)
        if (plan->units[u].may_buy && unpriced_item(plan, &plan->units[u]) != NULL)
            plan->all_priced = false;
}

static gp_status refuse_unpriced(gp_plan_context *plan) {
    for (size_t u = 0; u < plan->unit_count; u++) {
        const gp_unit *unit = &plan->units[u];
        const char *item = unit->may_buy ? unpriced_item(plan, unit) : NULL;
        const bool wires = item != NULL && gp_str_starts(item, "switch/");
        if (item != NULL)
            gp_diags_error(plan->diags, "GP6004",
                           GP_ORIGIN_OF(&plan->spec->candidates, gp_candidates, objective)->span,
                           "a Prices document with this item, or another objective", NULL,
                           "objective minCost needs a price for %s%s%s", item,
                           wires ? ", the switch of " : "", wires ? unit->system->id : "");
    }
    return GP_ERR_INPUT;
}

/* auto: cost where every candidate has a price, else facility power. */
static gp_status set_objective(gp_plan_context *plan) {
    const gp_objective asked = plan->options->objective;
    const gp_objective wanted = asked != GP_OBJECTIVE_AUTO || plan->options->objective_asked
                                    ? asked
                                    : (gp_objective)plan->spec->candidates.objective;
    find_prices(plan);
    plan->result->objective_was_auto = wanted == GP_OBJECTIVE_AUTO;
    plan->objective = wanted;
    if (wanted == GP_OBJECTIVE_AUTO)
        plan->objective = plan->all_priced && gp_plan_sites_compare(plan, GP_OBJECTIVE_MIN_COST)
                              ? GP_OBJECTIVE_MIN_COST
                              : GP_OBJECTIVE_MIN_POWER;
    plan->result->objective = plan->objective;
    plan->keeps_owned = plan->result->objective_was_auto &&
                        plan->objective == GP_OBJECTIVE_MIN_POWER &&
                        plan->spec->cluster.pools.count > 0;
    plan->result->keeps_owned = plan->keeps_owned;
    plan->result->in_turn = plan->options->in_turn;
    if (!gp_plan_sites_compare(plan, plan->objective))
        return refuse_objective(plan);
    return wanted == GP_OBJECTIVE_MIN_COST && !plan->all_priced ? refuse_unpriced(plan) : GP_OK;
}

/* On one kind of machine alone no share goes to another. */
static const gp_workload *workload_of(const gp_plan_context *plan, size_t i) {
    const gp_workload *stated = &plan->spec->workloads.items[i];
    if (!plan->options->alone || stated->placement.shares.count == 0)
        return stated;
    gp_workload *whole = GP_NEW(plan->arena, gp_workload);
    *whole = *stated;
    whole->placement.shares.count = 0;
    return whole;
}

static gp_status init_cases(gp_plan_context *plan) {
    const gp_plan_spec *spec = plan->spec;
    gp_plan_result *result = plan->result;
    plan->case_count = spec->workloads.count;
    plan->cases = GP_NEW_ARRAY(plan->arena, gp_case, plan->case_count + 1);
    plan->copies = GP_NEW(plan->arena, gp_case_copies);
    gp_split_open(plan);
    plan->ways = GP_NEW_ARRAY(plan->arena, gp_options, plan->case_count + 1);
    result->workloads.items = GP_NEW_ARRAY(plan->arena, gp_workload_plan, plan->case_count + 1);
    result->workloads.count = plan->case_count;
    for (size_t i = 0; i < plan->case_count; i++) {
        gp_status st = gp_plan_case_init(plan, workload_of(plan, i), &result->workloads.items[i],
                                         &plan->cases[i]);
        if (st != GP_OK)
            return st;
        if (plan->options->more != NULL)
            gp_case_ask(&plan->cases[i], &plan->options->more[i]);
        if (plan->options->hold != NULL)
            plan->cases[i].held = &plan->options->hold->workloads.items[i].chosen;
    }
    gp_plan_order(plan);
    return GP_OK;
}

/* What there is, and what that takes of the limits whatever is chosen. */
static void init_inventory(gp_plan_context *plan) {
    gp_inventory *inventory = &plan->inventory;
    gp_allocation nothing;
    inventory->owned = GP_NEW_ARRAY(plan->arena, int64_t, plan->unit_count + 1);
    inventory->there = GP_NEW_ARRAY(plan->arena, int64_t, plan->unit_count + 1);
    inventory->base = GP_NEW_ARRAY(plan->arena, double, (size_t)plan->limit_count);
    inventory->may_buy = !plan->options->declared_only && !plan->options->owned_only;
    inventory->only = plan->options->only;
    inventory->lifted = plan->options->alone && !plan->options->within ? plan->all_limits : NULL;
    for (size_t u = 0; u < plan->unit_count; u++) {
        const bool idle = plan->options->alone && !gp_str_equal(plan->units[u].id, inventory->only);
        inventory->owned[u] = idle ? 0 : plan->units[u].owned_nodes;
        inventory->there[u] = plan->units[u].there_nodes;
    }
    for (size_t u = 0; u < plan->unit_count; u++)
        if (plan->units[u].there_nodes > 0 && plan->units[u].rack_lack != NULL)
            plan->result->over_limits = true;
    gp_allocation_init(plan, &nothing);
    (void)gp_allocation_judge(plan, inventory, &nothing);
    for (int i = 0; i < plan->limit_count; i++) {
        inventory->base[i] = gp_usage_limited(&nothing.usage, i);
        if (inventory->base[i] > plan->limits[i] &&
            !gp_num_near(inventory->base[i], plan->limits[i]))
            plan->result->over_limits = true;
    }
}

static gp_status load_constants(gp_plan_context *plan) {
    const gp_plan_result *hold = plan->options->hold;
    gp_constants *constants = hold != NULL ? hold->constants : GP_NEW(plan->arena, gp_constants);
    plan->constants = constants;
    plan->result->constants = constants;
    return hold != NULL ? GP_OK : gp_constants_load(plan->catalog, plan->diags, constants);
}

static void open_networks(gp_plan_context *plan) {
    gp_plan_networks(plan);
    gp_plan_twins(plan);
}

/* Machines are bought in multiples of both, from the first on. */
static int64_t step_of(const gp_plan_spec *spec) {
    const int64_t step = gp_num_max_i64(1, spec->candidates.limits.step);
    const int64_t module = gp_num_max_i64(1, spec->growth.module_nodes);
    return step / gp_num_gcd(step, module) * module;
}

static gp_status open_plan(gp_plan_context *plan) {
    static const struct {
        gp_status (*find)(gp_plan_context *plan);
        void (*then)(gp_plan_context *plan); /* or NULL */
    } steps[] = {
        {load_constants, gp_plan_sites},
        {set_currency, NULL},
        {gp_plan_units, gp_spread_places},
        {gp_plan_parts, NULL},
        {gp_parts_open, NULL},
        {gp_plan_prices, open_networks},
        {gp_plan_overheads, gp_plan_bar_units},
        {set_objective, gp_limits_of},
        {init_cases, init_inventory},
    };
    gp_status st = GP_OK;
    plan->step = step_of(plan->spec);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && st == GP_OK; i++) {
        st = steps[i].find(plan);
        if (st == GP_OK && steps[i].then != NULL)
            steps[i].then(plan);
    }
    return st;
}

gp_status gp_plan_open(gp_arena *arena, gp_catalog *catalog, const gp_plan_document *document,
                       const gp_prices *const *prices, size_t price_count,
                       const gp_plan_options *options, gp_diags *diags, gp_plan_context *ret) {
    gp_plan_result *result = GP_NEW(arena, gp_plan_result);
    *ret = (gp_plan_context){
        .arena = arena,
        .simulator = GP_NEW(arena, gp_simulator *),
        .catalog = catalog,
        .diags = diags,
        .document = document,
        .spec = &document->spec,
        .prices = prices,
        .price_count = price_count,
        .result = result,
        .options = options,
    };
    result->document = document;
    result->catalog = catalog;
    result->prices = prices;
    result->price_count = price_count;
    result->traces = options->traces;
    result->trace_count = options->trace_count;
    result->declared_only = options->declared_only;
    result->confidence = (gp_confidence)document->spec.defaults.confidence;
    gp_status st = open_plan(ret);
    result->units.items = ret->units;
    result->units.count = ret->unit_count;
    return st;
}
