/*
 * The whole plan chosen again on other terms: by expected values, and on each kind of machine
 * alone, where the limits of the site are told and not kept to. Shared machines, fabrics and racks,
 * also those built for the horizon, are counted as in the plan itself; what is chosen is what
 * exchanges find.
 */
#include "plan/context.h"

#include "base/str.h"

enum {
    WHOLE_CASES_MAX = 24, /* so many workloads at most are placed again */
    ROUNDS = 3            /* of replicas that are added on one kind of machine */
};

/* One other choice. */
typedef struct again {
    gp_plan_context *plan;
    gp_options *ways; /* by case */
    gp_inventory inventory;
} again;

static void tell(const gp_plan_context *plan, const gp_inventory *inventory,
                 const gp_allocation *found, gp_whole_plan *ret) {
    const int passed = gp_limits_passed(plan, inventory, &found->usage);
    for (size_t i = 0; i < plan->case_count; i++)
        ret->held += found->chosen[i] != NULL ? 1 : 0;
    ret->site = found->usage.site;
    ret->passed = passed >= 0 ? gp_limit_row_of(passed)->bound : GP_BOUND_NONE;
}

/* With what its own horizon takes; what passes a limit with that is chosen again. */
static void allocate(gp_plan_context *plan, const again *a, bool spreads, gp_allocation *ret) {
    bool holds = false;
    gp_allocation_init(plan, ret);
    ret->options = a->ways;
    ret->quick = true;
    plan->shells = NULL;
    plan->grows_as_today = true;
    for (int i = 0; i < GP_PLAN_HORIZON_ROUNDS && !holds; i++) {
        gp_allocate(plan, &a->inventory, ret);
        if (spreads)
            gp_spread_services(plan, &a->inventory, ret);
        gp_growth_shells(plan, ret);
        holds = gp_allocation_judge(plan, &a->inventory, ret);
    }
    plan->grows_as_today = false;
}

static void tell_bound(const again *a, const gp_allocation *found, gp_whole_plan *ret) {
    gp_inventory bound = a->inventory;
    bound.lifted = a->plan->inventory.lifted;
    tell(a->plan, &bound, found, ret);
}

static void choose(const again *a, gp_whole_plan *ret) {
    gp_allocation found;
    allocate(a->plan, a, false, &found);
    tell_bound(a, &found, ret);
}

/* ------------------------------------------------------------ by expected values */

static void forget_all(const gp_plan_context *plan) {
    for (size_t i = 0; i < plan->case_count; i++)
        gp_spread_forget(plan, i);
}

/* Services may run at several sites then, too. */
static void choose_shared(const again *a, gp_case *cases, gp_whole_plan *ret) {
    gp_plan_context expected = *a->plan;
    gp_allocation found;
    expected.cases = cases;
    expected.ways = a->ways;
    forget_all(a->plan);
    allocate(&expected, a, true, &found);
    forget_all(a->plan);
    tell(&expected, &a->inventory, &found, ret);
}

static void expect(again *a, gp_whole_plan *ret) {
    gp_plan_context *plan = a->plan;
    gp_case *cases = GP_NEW_ARRAY(plan->arena, gp_case, plan->case_count);
    for (size_t i = 0; i < plan->case_count; i++) {
        cases[i] = plan->cases[i];
        cases[i].confidence = GP_CONFIDENCE_EXPECTED;
        gp_options_of(&cases[i], &plan->inventory, &a->ways[i]);
    }
    a->inventory = plan->inventory;
    if (plan->site_count > 0)
        choose_shared(a, cases, ret);
    else
        choose(a, ret);
}

/* Never more than is planned: what holds at the edge of the band holds within it. */
static void keep_least(const gp_whole_plan *planned, gp_whole_plan *ret) {
    if (ret->held < planned->held || ret->site.bought_nodes + ret->site.rented_nodes >
                                         planned->site.bought_nodes + planned->site.rented_nodes)
        *ret = *planned;
}

/* ------------------------------------------------------------ on one kind */

static bool same_kind(const gp_unit *a, const gp_unit *b) {
    return a->cloud == b->cloud && gp_str_equal(a->system->id, b->system->id);
}

/* All of it stands on machines of the kind. */
static bool is_on(const gp_candidate *candidate, const gp_unit *kind) {
    for (int k = 0; k < candidate->share_count; k++)
        if (!same_kind(candidate->shares[k].unit, kind))
            return false;
    return same_kind(candidate->unit, kind);
}

static bool is_first(const gp_plan_context *plan, size_t unit) {
    for (size_t u = 0; u < unit; u++)
        if (same_kind(&plan->units[u], &plan->units[unit]))
            return false;
    return true;
}

static size_t count_kinds(const gp_plan_context *plan) {
    size_t kinds = 0;
    for (size_t u = 0; u < plan->unit_count; u++)
        kinds += is_first(plan, u) ? 1 : 0;
    return kinds;
}

/* Options and machines of the one kind; whatever else stands there stands idle. */
static void keep_kind(again *a, const gp_unit *kind) {
    const gp_plan_context *plan = a->plan;
    for (size_t u = 0; u < plan->unit_count; u++) {
        const bool same = same_kind(&plan->units[u], kind);
        a->inventory.owned[u] = same ? plan->inventory.owned[u] : 0;
        a->inventory.there[u] = plan->inventory.there[u];
    }
    for (size_t i = 0; i < plan->case_count; i++) {
        const gp_options *all = &plan->ways[i];
        gp_options of_any;
        gp_case whole = plan->cases[i];
        gp_workload workload = *whole.workload;
        workload.placement.shares.count = 0;
        if (plan->options->only != NULL || whole.workload->placement.shares.count > 0) {
            whole.workload = &workload;
            gp_options_of(&whole, &plan->inventory, &of_any);
            all = &of_any;
        }
        gp_options *kept = &a->ways[i];
        *kept = (gp_options){.items = GP_NEW_ARRAY(plan->arena, gp_candidate, all->count + 1)};
        for (size_t k = 0; k < all->count; k++)
            if (is_on(&all->items[k], kind))
                kept->items[kept->count++] = all->items[k];
        kept->room = all->count + 1;
    }
}

/* The chosen replicas of a service are simulated; true where more are needed, so that its ways on
 * that kind are sized again. The runs are forgotten with the memory of the row. */
static bool confirm(again *a, const gp_allocation *found, size_t i) {
    gp_plan_context *plan = a->plan;
    gp_case tried = plan->cases[i];
    gp_workload_plan *out = &plan->copies->varied.out;
    const gp_candidate *chosen = found->chosen[i];
    bool changed = false;
    if (chosen == NULL || !tried.out->is_serving || chosen->share_count > 0)
        return false;
    const size_t unit = (size_t)(chosen->unit - plan->units);
    struct gp_simulated **runs = &gp_capability_of(&tried, unit)->runs;
    struct gp_simulated *known = *runs;
    *out = *tried.out;
    out->confirmation = (gp_confirmation){.present = false};
    out->chosen = *chosen;
    tried.out = out;
    (void)gp_confirm_chosen(&tried, true, &changed);
    *runs = known;
    if (!changed)
        return false;
    a->ways[i] = (gp_options){0};
    for (size_t u = 0; u < plan->unit_count; u++)
        if (same_kind(&plan->units[u], chosen->unit) &&
            gp_options_allow(&plan->cases[i], &plan->inventory, u))
            gp_options_on(&plan->cases[i], u,
                          gp_options_within(&plan->cases[i], &plan->inventory, u), &a->ways[i]);
    return true;
}

/* What is chosen on one kind carries what it is taken to as simulated, like the plan itself. */
static void choose_confirmed(again *a, gp_whole_plan *ret) {
    const gp_plan_context *plan = a->plan;
    gp_allocation found;
    bool changed = true;
    for (int round = 0; round < ROUNDS && changed; round++) {
        allocate(a->plan, a, false, &found);
        changed = false;
        for (size_t i = 0; i < plan->case_count; i++)
            changed |= confirm(a, &found, i);
    }
    if (changed)
        allocate(a->plan, a, false, &found);
    tell_bound(a, &found, ret);
}

static void place_alone(again *a, gp_whole_plan *rows, size_t *ret_count) {
    gp_plan_context *plan = a->plan;
    for (int i = 0; i < plan->limit_count; i++)
        a->inventory.base[i] = 0;
    a->inventory.lifted = plan->all_limits;
    for (size_t u = 0; u < plan->unit_count; u++) {
        const gp_unit *unit = &plan->units[u];
        if (!is_first(plan, u))
            continue;
        gp_arena_mark mark = gp_arena_set_mark(plan->arena);
        gp_whole_plan *row = &rows[*ret_count];
        *row = (gp_whole_plan){.unit = unit};
        keep_kind(a, unit);
        choose_confirmed(a, row);
        gp_arena_release(plan->arena, mark);
        *ret_count += row->held > 0 ? 1 : 0;
    }
}

static void init(gp_plan_context *plan, again *ret) {
    *ret = (again){.plan = plan,
                   .ways = GP_NEW_ARRAY(plan->arena, gp_options, plan->case_count + 1),
                   .inventory = plan->inventory};
    ret->inventory.owned = GP_NEW_ARRAY(plan->arena, int64_t, plan->unit_count + 1);
    ret->inventory.there = GP_NEW_ARRAY(plan->arena, int64_t, plan->unit_count + 1);
    ret->inventory.base = GP_NEW_ARRAY(plan->arena, double, (size_t)plan->limit_count);
}

void gp_whole_plans_of(gp_plan_context *plan, const gp_allocation *best) {
    gp_plan_result *result = plan->result;
    gp_shell *shells = plan->shells;
    again a;
    gp_whole_plan planned = {0};
    if (plan->options->declared_only || plan->case_count == 0 || plan->case_count > WHOLE_CASES_MAX)
        return;
    gp_whole_plan *rows = GP_NEW_ARRAY(plan->arena, gp_whole_plan, plan->unit_count + 1);
    init(plan, &a);
    tell(plan, &plan->inventory, best, &planned);
    result->alone.items = rows;
    if (count_kinds(plan) > 1)
        place_alone(&a, rows, &result->alone.count);
    gp_whole_plan *expected = GP_NEW(plan->arena, gp_whole_plan);
    expect(&a, expected);
    plan->shells = shells;
    keep_least(&planned, expected);
    result->at_expected = expected;
}
