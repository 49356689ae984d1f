/*
 * The planner's path, each stage a function of those before: machine kinds and what there is of
 * them (inventory), workloads with every default resolved (demands), the ways to run them
 * (options), the choice (allocation) with who holds what (ledger) and what that takes of the site
 * (usage), then what it means for each workload (verdicts) and for later quarters (growth).
 */
#include "plan/usage.h"
#include "plan/verdict.h"

#include <math.h>
#include <string.h>

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

/* auto: cost where every candidate has a price, else facility power. */
static gp_status set_objective(gp_plan_context *plan) {
    const gp_objective asked = plan->options->objective;
    const gp_candidates *candidates = &plan->spec->candidates;
    const gp_objective wanted =
        asked != GP_OBJECTIVE_AUTO ? asked : (gp_objective)candidates->objective;
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
    if (!gp_plan_sites_compare(plan, plan->objective))
        return refuse_objective(plan);
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
        gp_status st = gp_plan_case_init(plan, &spec->workloads.items[i],
                                         &result->workloads.items[i], &plan->cases[i]);
        if (st != GP_OK)
            return st;
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
    inventory->may_buy = !plan->options->declared_only;
    for (size_t u = 0; u < plan->unit_count; u++) {
        inventory->owned[u] = plan->units[u].owned_nodes;
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

static void find_options(gp_plan_context *plan) {
    for (size_t i = 0; i < plan->case_count; i++)
        if (plan->ways[i].items == NULL || plan->cases[i].stale) {
            gp_options_of(&plan->cases[i], &plan->inventory, &plan->ways[i]);
            plan->cases[i].stale = true;
        }
    for (size_t i = 0; i < plan->case_count; i++) {
        if (plan->cases[i].stale)
            gp_options_join(&plan->cases[i], &plan->inventory, &plan->ways[i]);
        plan->cases[i].fresh = plan->cases[i].stale;
        plan->cases[i].stale = false;
    }
}

static bool has_pools(const gp_plan_context *plan) {
    for (size_t u = 0; u < plan->unit_count; u++)
        if (plan->units[u].there_nodes > 0)
            return true;
    return false;
}

/* Options that a workload's own scaling rules out are none. */
static void keep_allowed(gp_plan_context *plan, const gp_inventory *narrow, gp_allocation *today) {
    gp_allocation scratch;
    gp_verdicts v = {.plan = plan,
                     .inventory = &plan->inventory,
                     .narrow = narrow,
                     .today = today,
                     .best = today,
                     .scratch = &scratch};
    gp_allocation_init(plan, &scratch);
    for (size_t i = 0; i < plan->case_count; i++) {
        if (plan->cases[i].workload->scaling.allow.count == 0 || today->picks[i] >= 0)
            continue;
        const gp_baseline baseline = gp_verdict_baseline(&v, i, today->chosen[i]);
        gp_verdict_keep_allowed(plan, &plan->cases[i], &baseline, &plan->ways[i]);
    }
}

/* What was found before stands where its options do. */
static void keep_picks(const gp_plan_context *plan, gp_allocation *a) {
    for (size_t i = 0; i < plan->case_count; i++)
        if (!a->again || plan->cases[i].stale)
            a->picks[i] = GP_UNPLACED;
}

/* First on what is there alone, then with what may be bought. */
static void choose(gp_plan_context *plan, const gp_inventory *inventory, const gp_inventory *narrow,
                   gp_allocation *today, gp_allocation *best) {
    keep_picks(plan, today);
    keep_picks(plan, best);
    find_options(plan);
    if (has_pools(plan))
        gp_allocate(plan, narrow, today);
    if (has_pools(plan))
        gp_spread_services(plan, narrow, today);
    keep_allowed(plan, narrow, today);
    for (size_t i = 0; i < plan->case_count && !best->again; i++)
        best->picks[i] = today->picks[i];
    gp_allocate(plan, inventory, best);
    gp_spread_services(plan, inventory, best);
    today->again = best->again = true;
    for (size_t i = 0; i < plan->case_count; i++) {
        gp_candidate *chosen = &plan->cases[i].out->chosen;
        *chosen = best->chosen[i] != NULL ? *best->chosen[i] : (gp_candidate){0};
        if (chosen->part.profile != NULL)
            gp_part_settle(&plan->cases[i], &best->ledger.kinds[chosen->unit - plan->units],
                           chosen);
    }
}

/* What is chosen is simulated; a layout that carries less than it was taken to is chosen again. */
static gp_status choose_confirmed(gp_plan_context *plan, const gp_inventory *inventory,
                                  const gp_inventory *narrow, gp_allocation *today,
                                  gp_allocation *best) {
    choose(plan, inventory, narrow, today, best);
    gp_status st = GP_OK;
    bool raised = true;
    for (int i = 0; st == GP_OK && raised && i < GP_PLAN_CONFIRM_ROUNDS_MAX; i++) {
        st = gp_confirm_choices(plan, i < GP_PLAN_LOWER_ROUNDS_MAX, NULL, &raised);
        if (st == GP_OK && raised)
            choose(plan, inventory, narrow, today, best);
    }
    return st;
}

static bool is_limited(const gp_plan_context *plan) {
    for (int i = 0; i < plan->limit_count; i++)
        if (isfinite(plan->limits[i]))
            return true;
    return false;
}

/* Services may be shared out over kinds of machines that stand. */
static bool may_spread(const gp_plan_context *plan) {
    enum { BOUGHT = 1, KINDS = 2 };
    bool any = false;
    for (size_t i = 0; i < plan->case_count; i++)
        any = any || gp_spread_may(&plan->cases[i]);
    return any && plan->site_count == 0 && plan->place_count >= BOUGHT + KINDS;
}

/* A limit keeps out what passes it by the closed form and would not once it is simulated, and so do
 * the machines that stand where nothing is bought: what is chosen without either is simulated
 * first. */
static gp_status choose_freely(gp_plan_context *plan, const gp_inventory *narrow,
                               gp_allocation *today, gp_allocation *best) {
    gp_inventory all = plan->inventory;
    gp_inventory there = *narrow;
    const bool kept = !all.may_buy && may_spread(plan);
    all.lifted = there.lifted = plan->all_limits;
    all.may_buy = all.may_buy || kept;
    return plan->options->simulate != GP_PLAN_SIMULATE_OFF && (kept || is_limited(plan))
               ? choose_confirmed(plan, &all, &there, today, best)
               : GP_OK;
}

/* What is built at once for the horizon counts, too: where it passes a limit, the choice is made
 * again with it. */
static gp_status choose_for_horizon(gp_plan_context *plan, const gp_inventory *narrow,
                                    gp_allocation *today, gp_allocation *best) {
    gp_status st = choose_freely(plan, narrow, today, best);
    bool holds = false;
    for (int i = 0; i < GP_PLAN_HORIZON_ROUNDS && st == GP_OK && !holds; i++) {
        st = choose_confirmed(plan, &plan->inventory, narrow, today, best);
        if (st == GP_OK)
            gp_growth_shells(plan, best);
        holds = st != GP_OK || gp_allocation_judge(plan, &plan->inventory, best);
    }
    if (st == GP_OK)
        gp_growth_of(plan);
    return st;
}

static void set_site_of(gp_plan_context *plan, gp_allocation *best) {
    gp_usage_of(plan, &best->ledger, true, &best->usage);
    plan->result->site = best->usage.site;
    plan->result->room = best->usage.room;
    for (size_t s = 0; s < plan->site_count; s++) {
        plan->result->sites.items[s].site = best->usage.sites[s].site;
        plan->result->sites.items[s].room = best->usage.sites[s].room;
    }
    plan->result->gap_fraction = best->gap_fraction;
    plan->result->objective_value = best->value.keys[GP_VALUE_OBJECTIVE];
}

/* What is there does not hold all: those that stay there have it today, too, and others what they
 * leave. */
static void settle_today(gp_plan_context *plan, const gp_inventory *narrow, gp_allocation *best,
                         gp_allocation *today) {
    gp_allocation scratch;
    bool all = true;
    for (size_t i = 0; i < plan->case_count; i++)
        all = all && today->picks[i] != GP_UNPLACED;
    if (all || !has_pools(plan))
        return;
    gp_allocation_init(plan, &scratch);
    gp_verdict_share_out(plan, best);
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
    allocate_again(again, v->inventory, ret_best);
    if (ret_today == NULL)
        return;
    allocate_again(again, v->narrow, ret_today);
    settle_today(again, v->narrow, ret_best, ret_today);
}

static gp_status plan_all(gp_plan_context *plan) {
    gp_allocation today;
    gp_allocation best;
    gp_inventory narrow = plan->inventory;
    narrow.may_buy = false;
    gp_allocation_init(plan, &today);
    gp_allocation_init(plan, &best);
    gp_status st = choose_for_horizon(plan, &narrow, &today, &best);
    if (st == GP_OK)
        settle_today(plan, &narrow, &best, &today);
    if (st == GP_OK)
        gp_verdicts_of(plan, &narrow, &today, &best);
    if (st == GP_OK)
        st = gp_confirm_rest(plan);
    if (st != GP_OK)
        return st;
    gp_goals_of(plan);
    set_site_of(plan, &best);
    if (plan->options->brief)
        return GP_OK;
    if (plan->options->hold == NULL)
        gp_whole_plans_of(plan, &best);
    st = gp_owning_of(plan, &best.ledger);
    if (st == GP_OK)
        gp_schedule_of(plan, &best);
    if (st == GP_OK)
        gp_teams_of(plan);
    if (st == GP_OK)
        gp_burst_plan(plan, &best.ledger);
    return st;
}

static gp_status load_constants(gp_plan_context *plan) {
    const gp_plan_result *hold = plan->options->hold;
    gp_constants *constants = hold != NULL ? hold->constants : GP_NEW(plan->arena, gp_constants);
    plan->constants = constants;
    plan->result->constants = constants;
    return hold != NULL ? GP_OK : gp_constants_load(plan->catalog, plan->diags, constants);
}

static gp_status open_plan(gp_plan_context *plan) {
    static const struct {
        gp_status (*find)(gp_plan_context *plan);
        void (*then)(gp_plan_context *plan); /* or NULL */
    } steps[] = {
        {load_constants, gp_plan_sites},
        {gp_plan_units, gp_spread_places},
        {gp_plan_parts, NULL},
        {gp_parts_open, NULL},
        {gp_plan_prices, gp_plan_networks},
        {set_currency, gp_plan_twins},
        {gp_plan_overheads, gp_plan_bar_units},
        {set_objective, gp_limits_of},
        {init_cases, init_inventory},
    };
    gp_status st = GP_OK;
    plan->step = plan->spec->candidates.limits.step;
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

/* What is held stands on the kinds of machines that it was chosen among. */
static gp_status same_units(const gp_plan_context *plan) {
    const gp_plan_result *hold = plan->options->hold;
    bool same = hold == NULL || hold->units.count == plan->unit_count;
    for (size_t u = 0; hold != NULL && same && u < plan->unit_count; u++)
        same = gp_str_equal(hold->units.items[u].id, plan->units[u].id);
    return same ? GP_OK : GP_ERR_INPUT;
}

static gp_status refuse_nothing(const gp_plan_context *plan) {
    if (plan->case_count > 0)
        return GP_OK;
    gp_diags_error(plan->diags, "GP1009", plan->document->meta.span,
                   "workloads: a list of what is to run; without it, `gpuplan capacity` shows what "
                   "the site and its cluster can hold",
                   NULL, "nothing to plan: the spec has no workloads");
    return GP_ERR_INPUT;
}

/* It has a place, and keeps to its goals there. */
static bool holds(const gp_workload_plan *workload) {
    bool all = workload->scale != GP_SCALE_INFEASIBLE;
    for (int k = 0; k < workload->goal_count; k++)
        all = all && workload->goals[k].ok;
    return all;
}

gp_status gp_plan_run(gp_arena *arena, gp_catalog *catalog, const gp_plan_document *document,
                      const gp_prices *const *prices, size_t price_count,
                      const gp_plan_options *options, gp_diags *diags,
                      gp_plan_result **ret_result) {
    gp_plan_context plan;
    gp_status st =
        gp_plan_open(arena, catalog, document, prices, price_count, options, diags, &plan);
    if (st == GP_OK)
        st = refuse_nothing(&plan);
    if (st == GP_OK)
        st = same_units(&plan);
    if (st == GP_OK)
        st = gp_growth_init(&plan);
    if (st == GP_OK)
        st = plan_all(&plan);
    if (st != GP_OK)
        return st;
    gp_plan_result *result = plan.result;
    for (size_t p = 0; p < price_count; p++)
        if (prices[p]->valid_until > 0 &&
            (result->quote_until == 0 || prices[p]->valid_until < result->quote_until))
            result->quote_until = prices[p]->valid_until;
    result->feasible = !result->over_limits || plan.options->declared_only;
    for (size_t i = 0; i < result->workloads.count; i++)
        result->feasible = result->feasible && holds(&result->workloads.items[i]);
    if (plan.options->declared_only && !plan.options->brief && !result->feasible)
        gp_plan_mend(&plan);
    *ret_result = result;
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
