/*
 * The whole plan chosen again by expected values. Shared machines, fabrics and racks, also those
 * built for the horizon, are counted as in the plan itself; what is chosen is what exchanges find.
 */
#include "plan/context.h"

/* One other choice. */
typedef struct again {
    gp_plan_context *plan;
    gp_options *ways; /* by case */
    gp_inventory inventory;
} again;

bool gp_whole_is_told(const gp_plan_context *plan) {
    enum { CASES_MAX = 24 };
    return !plan->options->declared_only && plan->options->hold == NULL && !plan->options->brief &&
           plan->case_count <= CASES_MAX;
}

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

static void choose(const again *a, gp_whole_plan *ret) {
    gp_allocation found;
    allocate(a->plan, a, false, &found);
    tell(a->plan, &a->inventory, &found, ret);
}

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

static void expect(const again *a, gp_whole_plan *ret) {
    gp_plan_context *plan = a->plan;
    gp_case *cases = GP_NEW_ARRAY(plan->arena, gp_case, plan->case_count);
    for (size_t i = 0; i < plan->case_count; i++) {
        cases[i] = plan->cases[i];
        cases[i].confidence = GP_CONFIDENCE_EXPECTED;
        gp_options_of(&cases[i], &plan->inventory, &a->ways[i]);
    }
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

void gp_whole_expected(gp_plan_context *plan, const gp_allocation *best) {
    gp_shell *shells = plan->shells;
    const again a = {plan, GP_NEW_ARRAY(plan->arena, gp_options, plan->case_count + 1),
                     plan->inventory};
    gp_whole_plan planned = {0};
    if (!gp_whole_is_told(plan))
        return;
    gp_whole_plan *expected = GP_NEW(plan->arena, gp_whole_plan);
    tell(plan, &plan->inventory, best, &planned);
    expect(&a, expected);
    plan->shells = shells;
    keep_least(&planned, expected);
    plan->result->at_expected = expected;
}
