/*
 * What is built once for the horizon: tiers, spines and cores of the fabrics, by the most that the
 * machines of any quarter take. Those of today count for nothing, so that a horizon without growth
 * changes no plan, and neither do those that are rented since no limit leaves room for them.
 */
#include "plan/growth.h"

#include "base/num.h"

/* By quarter and unit: what is built once where all quarters up to it buy what they need. */
typedef struct shells {
    gp_plan_context *plan;
    gp_growth_plan *growth;
    gp_shell *sizes;
} shells;

static gp_shell *shells_of(const shells *s, int quarter) {
    return s->sizes + (size_t)quarter * s->plan->unit_count;
}

static void plan_quarter(const shells *s, int quarter) {
    (void)gp_growth_at(s->growth, GP_SCENARIO_EXPECTED, gp_growth_seconds(quarter),
                       gp_growth_quarter(s->plan, quarter));
}

/* Where more machines are on a fabric than in the first quarter, of which there are `first`. */
static void widen(const shells *s, int quarter, const int64_t *first) {
    const gp_plan_context *plan = s->plan;
    for (size_t u = 0; u < plan->unit_count; u++) {
        const int64_t nodes = gp_plan_fabric_nodes(plan, &s->growth->at.ledger, u);
        gp_shell *shell = &shells_of(s, quarter)[u];
        gp_fabric_size size;
        *shell = shells_of(s, quarter - 1)[u];
        if (plan->units[u].cloud != NULL || nodes <= first[u])
            continue;
        gp_plan_fabric(plan, u, nodes, &size);
        shell->nodes = gp_num_max_i64(shell->nodes, nodes);
        shell->tiers = gp_num_max_i64(shell->tiers, size.tiers);
        shell->spine = gp_num_max_i64(shell->spine, size.spine);
        shell->core = gp_num_max_i64(shell->core, size.core);
    }
}

static void find_sizes(const shells *s) {
    const gp_plan_context *plan = s->plan;
    int64_t *first = GP_NEW_ARRAY(plan->arena, int64_t, plan->unit_count + 1);
    s->growth->later.shells = NULL;
    gp_growth_start(plan, s->growth);
    for (int q = 0; q < s->growth->quarters; q++) {
        plan_quarter(s, q);
        for (size_t u = 0; u < plan->unit_count && q == 0; u++)
            first[u] = gp_plan_fabric_nodes(plan, &s->growth->at.ledger, u);
        if (q > 0)
            widen(s, q, first);
        gp_growth_stay(s->growth);
    }
}

/* The first quarter that rents with what is built; as many as there are: none does. */
static int first_rented(const shells *s) {
    int q = 0;
    gp_growth_start(s->plan, s->growth);
    for (; q < s->growth->quarters; q++) {
        gp_growth_row row;
        plan_quarter(s, q);
        if (q > 0 && gp_growth_rents(s->growth,
                                     gp_growth_held(s->plan, gp_growth_quarter(s->plan, q)), &row))
            break;
        gp_growth_stay(s->growth);
    }
    return q;
}

static bool same_as_next(const shells *s, int quarter) {
    const gp_shell *now = shells_of(s, quarter);
    const gp_shell *next = shells_of(s, quarter + 1);
    for (size_t u = 0; u < s->plan->unit_count; u++)
        if (now[u].nodes != next[u].nodes || now[u].tiers != next[u].tiers ||
            now[u].spine != next[u].spine || now[u].core != next[u].core)
            return false;
    return true;
}

/* With what is built for a quarter, its machines pass no limit, and neither do those of today. */
static bool has_room(const shells *s, int quarter) {
    s->plan->shells = s->growth->later.shells = shells_of(s, quarter);
    gp_growth_start(s->plan, s->growth);
    plan_quarter(s, 0);
    if (gp_growth_passes(s->growth))
        return false;
    gp_growth_stay(s->growth);
    plan_quarter(s, quarter);
    return !gp_growth_passes(s->growth);
}

/* The last quarter that has room beside what is built for it; the first, for which nothing is,
 * where none has. */
static int last_with_room(const shells *s) {
    int low = 0;
    int high = s->growth->quarters;
    if (has_room(s, high - 1))
        return high - 1;
    for (high--; high - low > 1;) {
        const int middle = (low + high) / 2;
        *(has_room(s, middle) ? &low : &high) = middle;
    }
    return low;
}

static bool may_rent(const gp_plan_context *plan) {
    bool any = false;
    for (size_t u = 0; u < plan->unit_count; u++)
        any = any || plan->units[u].cloud != NULL;
    return any;
}

/* That quarter, or an earlier one where with less machines are rented later. */
static int best_to_rent(const shells *s) {
    const int quarters = s->growth->quarters;
    int best = quarters - 1;
    int rented = quarters;
    int latest = 0;
    for (int q = quarters - 1; q >= 0 && latest < quarters; q--) {
        s->plan->shells = s->growth->later.shells = shells_of(s, q);
        if (q == quarters - 1 || !same_as_next(s, q))
            rented = first_rented(s);
        if (rented <= q || rented <= latest)
            continue;
        latest = rented;
        best = q;
    }
    return best;
}

static void build(const shells *s) {
    const int best = may_rent(s->plan) ? best_to_rent(s) : last_with_room(s);
    s->plan->shells = s->growth->later.shells = shells_of(s, best);
}

void gp_growth_shells(gp_plan_context *plan, const gp_allocation *best) {
    gp_growth_plan *growth = plan->growth;
    if (growth == NULL)
        return;
    const shells s = {.plan = plan,
                      .growth = growth,
                      .sizes = GP_NEW_ARRAY(plan->arena, gp_shell,
                                            plan->unit_count * (size_t)growth->quarters + 1)};
    for (size_t i = 0; i < plan->case_count; i++)
        gp_growth_today(growth, &plan->cases[i], i, best);
    find_sizes(&s);
    build(&s);
}
