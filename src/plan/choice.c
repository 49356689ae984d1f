/*
 * The planner's path, each stage a function of those before: machine kinds and what there is of
 * them (inventory), workloads with every default resolved (demands), the ways to run them
 * (options), the choice (allocation) with who holds what (ledger) and what that takes of the site
 * (usage), then what it means for each workload (verdicts) and for later quarters (growth).
 */
#include "plan/verdict.h"

#include <string.h>

#include "base/num.h"
#include "base/str.h"

static void find_options(gp_plan_context *plan) {
    for (size_t i = 0; i < plan->case_count; i++)
        if (plan->ways[i].items == NULL || plan->cases[i].stale) {
            gp_options_of(&plan->cases[i], &plan->inventory, &plan->ways[i]);
            gp_spread_forget_runs(plan, i);
            plan->cases[i].stale = true;
        }
    for (size_t i = 0; i < plan->case_count; i++) {
        if (plan->cases[i].stale)
            gp_options_join(&plan->cases[i], &plan->inventory, &plan->ways[i]);
        plan->cases[i].fresh = plan->cases[i].stale;
        plan->cases[i].stale = false;
    }
}

void gp_choice_keep_allowed(gp_plan_context *plan, const gp_inventory *narrow,
                            gp_allocation *today) {
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

/* Services may be shared out over kinds of machines at one site. */
static bool may_share_out(const gp_plan_context *plan) {
    bool any = false;
    for (size_t i = 0; i < plan->case_count; i++)
        any = any || gp_spread_may(&plan->cases[i]);
    return any && plan->site_count == 0;
}

/* Over several that stand. */
static bool may_spread(const gp_plan_context *plan) {
    enum { BOUGHT = 1, KINDS = 2 };
    return plan->place_count >= BOUGHT + KINDS && may_share_out(plan);
}

/* The choice by another objective, and as if what stands did not go first, as a start for that by
 * the plan's own. */
static void start_from(gp_plan_context *plan, const gp_inventory *inventory, gp_objective other,
                       gp_allocation *best) {
    const gp_objective own = plan->objective;
    const bool keeps_owned = plan->keeps_owned;
    gp_allocation trial;
    gp_allocation_init(plan, &trial);
    plan->objective = other;
    plan->keeps_owned = false;
    gp_allocate(plan, inventory, &trial);
    gp_spread_services(plan, inventory, &trial);
    plan->objective = own;
    plan->keeps_owned = keeps_owned;
    if (keeps_owned && gp_allocation_judge(plan, inventory, &trial))
        gp_spread_services(plan, inventory, &trial);
    if (!gp_allocation_judge(plan, inventory, &trial) ||
        gp_value_compare(plan, &trial.value, &best->value) >= 0)
        return;
    memcpy(best->picks, trial.picks, plan->case_count * sizeof *best->picks);
    gp_allocate(plan, inventory, best);
    gp_spread_services(plan, inventory, best);
}

/* Services are shared out one after another, from a choice where none is: what is best may lie
 * further from it than from what another objective chooses. */
static void choose_from_others(gp_plan_context *plan, const gp_inventory *inventory,
                               gp_allocation *best) {
    static const gp_objective others[] = {GP_OBJECTIVE_MIN_GPUS, GP_OBJECTIVE_MIN_MACHINES,
                                          GP_OBJECTIVE_MIN_POWER};
    if (plan->objective == GP_OBJECTIVE_MIN_TIME || plan->case_count > GP_PLAN_AGAIN_MAX ||
        !may_share_out(plan))
        return;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i] != plan->objective || plan->keeps_owned)
            start_from(plan, inventory, others[i], best);
}

/* First on what is there alone, then with what may be bought. */
static void choose(gp_plan_context *plan, const gp_inventory *inventory, const gp_inventory *narrow,
                   gp_allocation *today, gp_allocation *best) {
    keep_picks(plan, today);
    keep_picks(plan, best);
    find_options(plan);
    if (gp_plan_has_pools(plan))
        gp_allocate(plan, narrow, today);
    if (gp_plan_has_pools(plan))
        gp_spread_services(plan, narrow, today);
    gp_choice_keep_allowed(plan, narrow, today);
    for (size_t i = 0; i < plan->case_count && !best->again; i++)
        best->picks[i] = today->picks[i];
    gp_allocate(plan, inventory, best);
    gp_spread_services(plan, inventory, best);
    choose_from_others(plan, inventory, best);
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
        st = gp_confirm_choices(plan, i < GP_PLAN_LOWER_ROUNDS_MAX, &raised);
        if (st == GP_OK && raised)
            choose(plan, inventory, narrow, today, best);
    }
    return st;
}

static bool is_limited(const gp_plan_context *plan) {
    for (size_t i = 0; i < plan->spec->teams.count; i++)
        if (GP_GIVEN(&plan->spec->teams.items[i], gp_team, borrow_gpus))
            return true;
    return plan->inventory.lifted == NULL && gp_limits_stated(plan);
}

/* What is chosen without limits, of teams too, is one start for the choice with them, which then
 * keeps what passes none. And a limit keeps out what passes it by the closed form and would not
 * once it is simulated, and so do the machines that stand where nothing is bought: it is simulated,
 * too. */
static gp_status choose_freely(gp_plan_context *plan, const gp_inventory *narrow,
                               gp_allocation *today, gp_allocation *best) {
    gp_inventory all = plan->inventory;
    gp_inventory there = *narrow;
    const bool kept = !all.may_buy && may_spread(plan);
    all.lifted = there.lifted = plan->all_limits;
    all.may_buy = all.may_buy || kept;
    if (!kept && !is_limited(plan))
        return GP_OK;
    plan->frees_teams = true;
    const gp_status st = choose_confirmed(plan, &all, &there, today, best);
    plan->frees_teams = false;
    /* Teams that hold too much by it need not be nearest to their limits from there. */
    best->again = best->again && gp_teams_over(plan, &best->ledger) == 0;
    return st;
}

/* Chosen with what was built for the horizon of the choice before, if any. *ret_fits: it passes no
 * limit with what its own horizon takes; *ret_dearer: it comes to more with that than it seemed. */
static gp_status choose_and_build(gp_plan_context *plan, const gp_inventory *narrow,
                                  gp_allocation *today, gp_allocation *best, bool *ret_fits,
                                  bool *ret_dearer) {
    const gp_status st = choose_confirmed(plan, &plan->inventory, narrow, today, best);
    const double alone = best->value.keys[GP_VALUE_OBJECTIVE];
    if (st != GP_OK)
        return st;
    gp_growth_shells(plan, best);
    *ret_fits = gp_allocation_judge(plan, &plan->inventory, best);
    *ret_dearer = gp_num_compare9(best->value.keys[GP_VALUE_OBJECTIVE], alone) > 0;
    return st;
}

/* What the choices so far take for their horizons: of each kind of machine by the latest on it. */
static void know(const gp_plan_context *plan, gp_shell *known) {
    for (size_t u = 0; u < plan->unit_count; u++)
        if (plan->shells[u].tiers > 0)
            known[u] = plan->shells[u];
}

/* Other choices that build less for the horizon may come to less with it, which the first did not
 * see: each is made with what those before it were found to take, until one takes what it seemed
 * to, and the best stays. */
static gp_status choose_cheaper_build(gp_plan_context *plan, const gp_inventory *narrow,
                                      gp_allocation *today, gp_allocation *best) {
    const size_t size = plan->unit_count * sizeof(gp_shell);
    gp_shell *known = GP_NEW_ARRAY(plan->arena, gp_shell, plan->unit_count + 1);
    gp_shell *before_best = NULL;
    gp_value built;
    bool fits = false;
    bool dearer = true;
    bool last_is_best = false;
    gp_status st = GP_OK;
    built.missing = GP_NEW_ARRAY(plan->arena, int64_t, plan->class_count + 1);
    gp_value_copy(plan, &best->value, &built);
    for (size_t u = 0; u < plan->unit_count && st == GP_OK && dearer; u++) {
        know(plan, known);
        plan->shells = GP_NEW_ARRAY(plan->arena, gp_shell, plan->unit_count + 1);
        memcpy(plan->shells, known, size);
        gp_shell *before = plan->shells;
        st = choose_and_build(plan, narrow, today, best, &fits, &dearer);
        last_is_best = st == GP_OK && fits && gp_value_compare(plan, &best->value, &built) < 0;
        if (!last_is_best)
            continue;
        gp_value_copy(plan, &best->value, &built);
        before_best = before;
    }
    plan->shells = before_best;
    return st != GP_OK || last_is_best
               ? st
               : choose_and_build(plan, narrow, today, best, &fits, &dearer);
}

/* Where less money than it takes, or less power, would do: ways that were not simulated beside
 * those that were chosen are, and what they come to is where the choice starts again. */
static gp_status choose_tightly(gp_plan_context *plan, const gp_inventory *narrow,
                                gp_allocation *today, gp_allocation *best) {
    static const double tighter = 0.99;
    const int limit = best->usage.site.cost.capital > 0 ? GP_LIMIT_CAPITAL : GP_LIMIT_POWER;
    const double stated = plan->limits[limit];
    bool fits = false;
    bool dearer = false;
    plan->limits[limit] = tighter * gp_usage_limited(&best->usage, limit);
    gp_status st = choose_confirmed(plan, &plan->inventory, narrow, today, best);
    plan->limits[limit] = stated;
    return st == GP_OK ? choose_and_build(plan, narrow, today, best, &fits, &dearer) : st;
}

/* What another objective chooses is simulated, too, and may be better by the plan's own with what
 * that says: kinds of machines beside the choice are only known by the closed form. */
static gp_status look_at_others(gp_plan_context *plan, const gp_inventory *narrow,
                                gp_allocation *today, gp_allocation *best) {
    /* The fewest GPUs first, while nothing is known of what the others choose. */
    static const gp_objective others[] = {GP_OBJECTIVE_MIN_GPUS, GP_OBJECTIVE_MIN_POWER,
                                          GP_OBJECTIVE_MIN_COST};
    const gp_objective own = plan->objective;
    gp_inventory all = plan->inventory;
    gp_inventory there = *narrow;
    gp_status st = GP_OK;
    all.lifted = there.lifted = plan->all_limits;
    for (size_t i = 0; st == GP_OK && i < sizeof others / sizeof *others; i++) {
        if (others[i] == own || (others[i] == GP_OBJECTIVE_MIN_COST && !plan->all_priced))
            continue;
        plan->objective = others[i];
        st = choose_confirmed(plan, &all, &there, today, best);
        plan->objective = own;
    }
    return st;
}

/* What is built at once for the horizon counts, too: where it passes a limit, or makes the choice
 * worse than it seemed, the choice is made again with it. */
static gp_status choose_for_horizon(gp_plan_context *plan, const gp_inventory *narrow,
                                    gp_allocation *today, gp_allocation *best) {
    gp_status st = plan->options->others ? look_at_others(plan, narrow, today, best) : GP_OK;
    if (st == GP_OK)
        st = choose_freely(plan, narrow, today, best);
    bool fits = false;
    bool dearer = false;
    int rounds = 0;
    for (; rounds < GP_PLAN_HORIZON_ROUNDS && st == GP_OK && !fits; rounds++)
        st = choose_and_build(plan, narrow, today, best, &fits, &dearer);
    if (st == GP_OK && !fits && rounds == GP_PLAN_HORIZON_ROUNDS) {
        plan->shells = NULL;
        st = choose_confirmed(plan, &plan->inventory, narrow, today, best);
    }
    /* A choice that was made again had what the horizon takes before it. */
    if (st == GP_OK && rounds == 1 && dearer && plan->options->hold == NULL)
        st = choose_cheaper_build(plan, narrow, today, best);
    if (st == GP_OK && fits && plan->options->tightly)
        st = choose_tightly(plan, narrow, today, best);
    if (st == GP_OK)
        gp_growth_of(plan);
    return st;
}

static void set_site_of(gp_plan_context *plan, gp_allocation *best) {
    gp_usage_of(plan, &best->ledger, true, &best->usage);
    plan->result->over_limits =
        plan->result->over_limits || gp_limits_passed(plan, &plan->inventory, &best->usage) >= 0;
    plan->result->site = best->usage.site;
    plan->result->room = best->usage.room;
    for (size_t s = 0; s < plan->site_count; s++) {
        plan->result->sites.items[s].site = best->usage.sites[s].site;
        plan->result->sites.items[s].room = best->usage.sites[s].room;
    }
    plan->result->gap_fraction = best->gap_fraction;
    plan->result->objective_value = best->value.keys[GP_VALUE_OBJECTIVE];
}

/* Of a plan that is told in short only what it takes is asked. */
static gp_status judge(gp_plan_context *plan, const gp_inventory *narrow, gp_allocation *today,
                       gp_allocation *best) {
    if (plan->options->alone)
        return GP_OK;
    gp_settle_today(plan, narrow, best, today);
    gp_verdicts_of(plan, narrow, today, best);
    return gp_confirm_rest(plan);
}

static gp_status plan_all(gp_plan_context *plan) {
    gp_allocation today;
    gp_allocation best;
    gp_inventory narrow = plan->inventory;
    narrow.may_buy = false;
    gp_allocation_init(plan, &today);
    gp_allocation_init(plan, &best);
    gp_status st = choose_for_horizon(plan, &narrow, &today, &best);
    plan->inventory.may_buy = !plan->options->declared_only;
    plan->inventory.only = NULL;
    if (st == GP_OK)
        st = judge(plan, &narrow, &today, &best);
    if (st != GP_OK)
        return st;
    gp_goals_of(plan);
    set_site_of(plan, &best);
    gp_work_costs_of(plan, &best.ledger);
    if (plan->options->brief) {
        gp_teams_of(plan, &best.ledger);
        return GP_OK;
    }
    gp_whole_expected(plan, &best);
    st = gp_owning_of(plan, &best.ledger);
    if (st == GP_OK)
        gp_schedule_of(plan, &best);
    if (st == GP_OK)
        gp_teams_of(plan, &best.ledger);
    if (st == GP_OK)
        gp_burst_plan(plan, &best.ledger);
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

bool gp_workload_holds(const gp_workload_plan *workload) {
    bool all = workload->scale != GP_SCALE_INFEASIBLE;
    for (int k = 0; k < workload->goal_count; k++)
        all = all && workload->goals[k].ok;
    return all;
}

gp_status gp_plan_once(gp_arena *arena, gp_catalog *catalog, const gp_plan_document *document,
                       const gp_prices *const *prices, size_t price_count,
                       const gp_plan_options *options, gp_diags *diags, gp_plan_context *ret) {
    gp_status st = gp_plan_open(arena, catalog, document, prices, price_count, options, diags, ret);
    ret->again = gp_plan_again;
    if (st == GP_OK)
        st = refuse_nothing(ret);
    if (st == GP_OK)
        st = same_units(ret);
    if (st == GP_OK)
        st = gp_growth_init(ret);
    if (st == GP_OK)
        st = plan_all(ret);
    if (st != GP_OK)
        return st;
    gp_plan_result *result = ret->result;
    for (size_t p = 0; p < price_count; p++)
        if (prices[p]->valid_until > 0 &&
            (result->quote == NULL || prices[p]->valid_until < result->quote->valid_until))
            result->quote = prices[p];
    result->feasible = !result->over_limits || ret->options->declared_only;
    for (size_t i = 0; i < result->workloads.count; i++)
        result->feasible = result->feasible && gp_workload_holds(&result->workloads.items[i]);
    for (size_t t = 0; t < result->teams.count; t++)
        result->feasible = result->feasible && result->teams.items[t].over == 0;
    return GP_OK;
}

gp_plan_context *gp_plan_again(const gp_plan_context *plan, gp_arena *arena,
                               const gp_plan_document *document, const gp_plan_options *options) {
    gp_plan_context *ret = GP_NEW(arena, gp_plan_context);
    gp_plan_options *own = GP_NEW(arena, gp_plan_options);
    gp_diags *diags = GP_NEW(arena, gp_diags);
    *own = *options;
    gp_diags_init(diags, arena);
    return gp_plan_once(arena, plan->catalog, document, plan->prices, plan->price_count, own, diags,
                        ret) == GP_OK
               ? ret
               : NULL;
}
