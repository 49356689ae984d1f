/*
 * Before more is bought for a later time, all that runs then is placed anew on what stands of every
 * kind of machine: workloads move to kinds that are idle, or are shared out over several. Where
 * that is not enough either, what it buys beside them counts if it is less, or if more of the kinds
 * that workloads are on may not be bought.
 */
#include "plan/growth.h"

#include <string.h>

/* Machines of some kind stand that nobody is on. */
static bool has_idle(const gp_growth_plan *growth) {
    bool any = false;
    for (size_t u = 0; u < growth->later.unit_count; u++)
        any = any || growth->stands[u] > growth->at.ledger.kinds[u].nodes;
    return any;
}

/* More would be bought of a kind that the plan may not buy, and it may buy others. */
static bool buys_barred(const gp_growth_plan *growth) {
    const gp_plan_context *later = &growth->later;
    bool barred = false;
    bool others = false;
    for (size_t u = 0; u < later->unit_count; u++) {
        barred = barred || (growth->at.ledger.kinds[u].bought > 0 && !later->units[u].may_buy);
        others = others || later->units[u].may_buy;
    }
    return barred && others && !later->options->declared_only;
}

/* The plan of that time, as one of today. */
static void open_at(gp_growth_plan *growth, gp_plan_context *ret) {
    gp_arena *arena = growth->later.arena;
    *ret = growth->later;
    ret->growth = NULL;
    ret->cases = GP_NEW_ARRAY(arena, gp_case, ret->case_count + 1);
    ret->ways = GP_NEW_ARRAY(arena, gp_options, ret->case_count + 1);
    for (size_t i = 0; i < ret->case_count; i++) {
        const gp_growth_case *g = &growth->cases[i];
        gp_case *c = &ret->cases[i];
        *c = gp_case_times(&growth->later.cases[i], g->factor);
        c->counted = false;
        c->is_left_out = growth->at.chosen[i] == NULL;
        gp_spread_forget(ret, i);
    }
}

static void find_ways(const gp_growth_plan *growth, const gp_plan_context *then,
                      const gp_inventory *inventory) {
    for (size_t i = 0; i < then->case_count; i++) {
        const gp_growth_case *g = &growth->cases[i];
        gp_growth_lose(g, g->factor);
        gp_options_of(&then->cases[i], inventory, &then->ways[i]);
        gp_growth_regain(g);
    }
}

/* True where all that runs then has a place. */
static bool place(const gp_growth_plan *growth, gp_plan_context *then,
                  const gp_inventory *inventory, gp_allocation *ret) {
    gp_allocation_init(then, ret);
    ret->quick = true;
    find_ways(growth, then, inventory);
    gp_allocate(then, inventory, ret);
    gp_spread_services(then, inventory, ret);
    bool all = gp_allocation_judge(then, inventory, ret);
    for (size_t i = 0; i < then->case_count; i++)
        all = all && (then->cases[i].is_left_out || ret->chosen[i] != NULL);
    return all;
}

static bool may_help(const gp_growth_plan *growth, double seconds, bool barred) {
    return seconds > 0 && growth->at.usage.site.bought_nodes > 0 &&
           growth->later.case_count <= GP_PLAN_AGAIN_MAX &&
           (barred || (seconds < growth->idle_too_few_s && has_idle(growth)));
}

/* On what stands; with what the plan may buy; in place of what it may not buy, beyond limits, too,
 * so that these are told. */
static bool place_anew(const gp_growth_plan *growth, gp_plan_context *then, bool barred,
                       gp_allocation *ret) {
    gp_inventory inventory = growth->inventory;
    inventory.may_buy = false;
    if (place(growth, then, &inventory, ret))
        return true;
    inventory.may_buy = barred || growth->later.inventory.may_buy;
    if (inventory.may_buy && place(growth, then, &inventory, ret))
        return true;
    inventory.lifted = then->all_limits;
    return barred && place(growth, then, &inventory, ret);
}

bool gp_growth_use_idle(gp_growth_plan *growth, double seconds, gp_bound *lacking) {
    gp_plan_context *later = &growth->later;
    const size_t size = later->case_count * sizeof *growth->at.chosen;
    const bool barred = buys_barred(growth);
    gp_plan_context then;
    gp_allocation placed;
    if (barred)
        *lacking = GP_BOUND_SUPPLY;
    if (!may_help(growth, seconds, barred))
        return false;
    open_at(growth, &then);
    const bool all = place_anew(growth, &then, barred, &placed);
    for (size_t i = 0; i < later->case_count; i++)
        gp_spread_forget(later, i);
    if (!all || (!barred && placed.usage.site.bought_nodes >= growth->at.usage.site.bought_nodes)) {
        growth->idle_too_few_s = barred ? growth->idle_too_few_s : seconds;
        return false;
    }
    memcpy(growth->at.chosen, placed.chosen, size);
    *lacking = GP_BOUND_NONE;
    return true;
}
