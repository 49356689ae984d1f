/*
 * Every way worth having to meet one demand: layouts, counts and spreads on each kind of machine
 * that the workload may use. A way goes where another on the same kind takes no more of anything:
 * GPUs, machines, power, time, switches, and no larger a piece of a machine. The choice among them
 * is made for all workloads together (allocation.c).
 */
#include "plan/context.h"

#include <math.h>

#include "base/num.h"
#include "base/str.h"

/* Of a list at first: nearly all keep to it, and what nobody uses of it takes no memory. */
enum { ROOM = 24 };

/* Who is adding to which list. */
typedef struct adding {
    const gp_case *c;
    gp_options *options;
} adding;

static int64_t largest_group(const gp_candidate *candidate) {
    int64_t most = 0;
    for (int g = 0; g < candidate->group_count; g++)
        most = gp_num_max_i64(most, candidate->groups[g].gpus);
    return most;
}

/* Spread over no more machines than the other, as far as that binds anybody. */
static bool spreads_less(const gp_candidate *a, const gp_candidate *b) {
    for (int g = 0; g < a->group_count; g++) {
        const int64_t most = a->groups[g].most_per_node;
        const int64_t other = g < b->group_count ? b->groups[g].most_per_node : 0;
        if (most > 0 && (other == 0 || most * a->groups[g].gpus < other * b->groups[g].gpus))
            return false;
    }
    return true;
}

static double time_of(const gp_candidate *candidate) {
    return candidate->time_to_complete_s.high;
}

/* What its own GPUs draw above a machine that stands idle. */
static double power_of(const gp_candidate *candidate) {
    return (candidate->node_load_w - candidate->node_idle_w) * (double)candidate->gpus;
}

double gp_option_gpus(const gp_candidate *candidate) {
    const gp_gpu_part *part = &candidate->part;
    return part->profile != NULL ? gp_part_fraction(candidate->unit->partition, part->profile)
                                 : (double)candidate->gpus;
}

/* To nine digits, which what is less needs no look at. */
static bool no_more(double a, double b) {
    return a <= b || gp_num_compare9(a, b) <= 0;
}

static bool no_worse(const gp_case *c, const gp_candidate *a, const gp_candidate *b) {
    const bool fastest = c->plan->objective == GP_OBJECTIVE_MIN_TIME;
    return a->at_once == b->at_once && a->alone == b->alone && a->gpus <= b->gpus &&
           a->nodes <= b->nodes && largest_group(a) <= largest_group(b) && spreads_less(a, b) &&
           no_more(power_of(a), power_of(b)) && no_more(time_of(a), time_of(b)) &&
           (!fastest || no_more(a->tpot_p95_s.expected, b->tpot_p95_s.expected)) &&
           a->leaves_machine <= b->leaves_machine && no_more(gp_option_gpus(a), gp_option_gpus(b));
}

/* Of two that take the same, the one with the shorter time per token. */
static bool dominates(const gp_case *c, gp_candidate *a, gp_candidate *b) {
    if (a->unit != b->unit || !no_worse(c, a, b))
        return false;
    if (!no_worse(c, b, a))
        return true;
    gp_size_describe(c, a);
    gp_size_describe(c, b);
    return gp_num_compare9(a->tpot_p95_s.expected, b->tpot_p95_s.expected) <= 0;
}

static void add(const gp_case *c, gp_candidate *candidate, gp_options *options) {
    size_t kept = 0;
    for (size_t i = 0; i < options->count; i++)
        if (dominates(c, &options->items[i], candidate))
            return;
    for (size_t i = 0; i < options->count; i++)
        if (!dominates(c, candidate, &options->items[i])) {
            if (kept != i)
                options->items[kept] = options->items[i];
            kept++;
        }
    options->count = kept;
    if (options->items == NULL) {
        options->items = GP_NEW_ARRAY(c->plan->arena, gp_candidate, ROOM);
        options->room = ROOM;
    }
    options->items = gp_arena_grow(c->plan->arena, options->items, options->count, &options->room,
                                   sizeof *options->items);
    options->items[options->count++] = *candidate;
}

/* Where time is what counts, a run may also have machines that it waits for no other run on. */
static void add_timely(const gp_case *c, gp_candidate *candidate, gp_options *options) {
    add(c, candidate, options);
    if (c->plan->objective != GP_OBJECTIVE_MIN_TIME || candidate->unit->cloud != NULL ||
        (c->kind != GP_DEMAND_DEADLINE && c->kind != GP_DEMAND_RECURRING))
        return;
    candidate->at_once = true;
    add(c, candidate, options);
}

/* A batch that fills its machines may share them in time rather than in pieces. */
static void add_ways(const gp_case *c, gp_candidate *candidate, gp_options *options) {
    gp_candidate alone = *candidate;
    add_timely(c, candidate, options);
    if (!c->offline || c->kind != GP_DEMAND_DEADLINE || alone.whole ||
        alone.gpus != alone.nodes * alone.unit->machine.gpus)
        return;
    alone.alone = alone.whole = true;
    add_timely(c, &alone, options);
}

/* Nothing that lacks something has a price: ties are of machines and names alone. */
static bool comes_nearer(const gp_candidate *a, const gp_candidate *b) {
    const int order = gp_num_compare9(gp_lack_distance(&a->lack), gp_lack_distance(&b->lack));
    if (order != 0 || a->nodes != b->nodes)
        return order != 0 ? order < 0 : a->nodes < b->nodes;
    return gp_str_compare(a->unit->id, b->unit->id) < 0;
}

static double take(void *to, const gp_candidate *candidate) {
    adding *a = to;
    gp_candidate **nearest = &a->options->nearest;
    if (!candidate->present)
        return HUGE_VAL;
    if (candidate->feasible) {
        gp_candidate priced = *candidate;
        if (a->c->plan->objective == GP_OBJECTIVE_MIN_TIME)
            gp_size_describe(a->c, &priced);
        gp_price_candidate(a->c, 0, &priced);
        add_ways(a->c, &priced, a->options);
        return power_of(&priced);
    }
    if (*nearest == NULL)
        *nearest = GP_NEW(a->c->plan->arena, gp_candidate);
    if (!(*nearest)->present || comes_nearer(candidate, *nearest))
        **nearest = *candidate;
    return HUGE_VAL;
}

bool gp_option_alike(const gp_candidate *a, const gp_candidate *b) {
    const gp_serve_split *left = &a->split.layouts;
    const gp_serve_split *right = &b->split.layouts;
    return a->unit == b->unit && a->split.present == b->split.present &&
           gp_serve_layout_equal(&a->serve_layout, &b->serve_layout) &&
           (!a->split.present || gp_serve_layout_equal(&left->prefill, &right->prefill));
}

void gp_options_on(const gp_case *c, size_t unit, gp_size_bounds within, gp_options *options) {
    adding a = {.c = c, .options = options};
    if (within.max_nodes > 0 || c->held != NULL)
        gp_size_each(c, unit, within, take, &a);
}

bool gp_inventory_buys(const gp_inventory *inventory, const gp_unit *unit) {
    return inventory->may_buy && unit->may_buy &&
           (inventory->only == NULL || gp_str_equal(inventory->only, unit->id));
}

gp_size_bounds gp_options_within(const gp_case *c, const gp_inventory *inventory, size_t unit) {
    const gp_unit *u = &c->plan->units[unit];
    const int64_t most = c->plan->spec->candidates.limits.max_nodes;
    const int64_t owned = inventory->owned[unit];
    return gp_size_within(c->plan, unit,
                          gp_inventory_buys(inventory, u) ? gp_num_max_i64(most, owned) : owned);
}

/* The largest first. */
static void keep_share(const gp_candidate *share, int count, gp_candidate *shares) {
    int at = count;
    for (; at > 0 && shares[at - 1].share_fraction < share->share_fraction; at--)
        shares[at] = shares[at - 1];
    shares[at] = *share;
}

/* The share on a kind of machine that the spec states, as part of the sum of all fractions. */
static bool size_stated(const gp_case *c, const gp_inventory *inventory, size_t unit, double sum,
                        gp_candidate *ret) {
    gp_workload workload;
    const gp_unit *on = &c->plan->units[unit];
    const gp_share *stated = gp_share_on(c, on);
    if (stated == NULL)
        return false;
    const gp_case part = gp_spread_case(c, on, stated->fraction / sum, &workload);
    gp_size_fewest(&part, unit, gp_options_within(c, inventory, unit), ret);
    gp_price_candidate(&part, 0, ret);
    ret->share_fraction = stated->fraction / sum;
    return true;
}

void gp_shares_stated(const gp_case *c, const gp_inventory *inventory, gp_options *options) {
    const gp_plan_context *plan = c->plan;
    const gp_placement *placement = &c->workload->placement;
    gp_candidate *shares = GP_NEW_ARRAY(plan->arena, gp_candidate, placement->shares.count);
    gp_candidate *all = GP_NEW(plan->arena, gp_candidate);
    gp_candidate share;
    const gp_lack *lack = NULL;
    double sum = 0;
    int count = 0;
    for (size_t i = 0; i < placement->shares.count; i++)
        sum += placement->shares.items[i].fraction;
    for (size_t u = 0; u < plan->unit_count; u++)
        if (size_stated(c, inventory, u, sum, &share))
            keep_share(&share, count++, shares);
    gp_spread_sum(c, shares, count, all);
    for (int k = 0; k < count && lack == NULL; k++) {
        all->present = all->present && shares[k].present;
        lack = shares[k].feasible ? NULL : &shares[k].lack;
    }
    *options = (gp_options){.items = all, .count = 1, .room = 1};
    if (lack == NULL)
        return;
    all->feasible = false;
    all->lack = *lack;
    *options = (gp_options){.nearest = all};
}

/* A workload that names a pool runs there, or on machines that are bought in place of it; one whose
 * shares are stated runs whole on none. */
bool gp_options_allow(const gp_case *c, const gp_inventory *inventory, size_t unit) {
    const gp_unit *u = &c->plan->units[unit];
    const char *wanted = c->workload->placement.pool;
    if (c->is_left_out || c->workload->placement.shares.count > 0 ||
        gp_options_within(c, inventory, unit).max_nodes <= 0 ||
        !gp_plan_may_stand(c->plan, c->workload, unit))
        return false;
    return wanted == NULL || gp_unit_has_pool(c->plan, u, wanted) ||
           (gp_inventory_buys(inventory, u) && u->pool == NULL);
}

bool gp_options_apart(const gp_case *c, const gp_inventory *inventory, size_t unit, int64_t *layout,
                      gp_candidate *ret) {
    if (c->split_mode != GP_SPLIT_AUTO || c->pinned || c->held != NULL || !c->out->is_serving ||
        !gp_options_allow(c, inventory, unit) ||
        !gp_size_split_next(c, unit, gp_options_within(c, inventory, unit), layout, ret))
        return false;
    gp_price_candidate(c, 0, ret);
    return true;
}

/* Enough, were there a rack for it. */
static double take_barred(void *to, const gp_candidate *candidate) {
    const adding *a = to;
    gp_candidate barred = *candidate;
    if (!candidate->feasible)
        return take(to, candidate);
    gp_price_candidate(a->c, 0, &barred);
    barred.feasible = false;
    barred.lack = *candidate->unit->rack_lack;
    (void)take(to, &barred);
    return power_of(&barred);
}

/* Where nothing else is enough: what would be on machines that no rack takes. */
static void look_at_barred(const gp_case *c, const gp_inventory *inventory, gp_options *options) {
    adding a = {.c = c, .options = options};
    const bool whole = c->workload->placement.shares.count == 0;
    for (size_t u = 0; u < c->plan->unit_count && options->count == 0 && whole; u++)
        if (c->plan->units[u].is_barred && inventory->may_buy &&
            gp_plan_may_stand(c->plan, c->workload, u))
            gp_size_each(c, u, gp_size_any(c->plan, u), take_barred, &a);
}

void gp_options_of(const gp_case *c, const gp_inventory *inventory, gp_options *options) {
    gp_options_sized(c, inventory, options);
    look_at_barred(c, inventory, options);
    for (size_t i = 0; i < options->count; i++)
        gp_size_describe(c, &options->items[i]);
}

void gp_options_sized(const gp_case *c, const gp_inventory *inventory, gp_options *options) {
    *options = (gp_options){0};
    if (c->is_left_out)
        return;
    if (c->workload->placement.shares.count > 0 && c->held == NULL) {
        gp_shares_stated(c, inventory, options);
        return;
    }
    for (size_t u = 0; u < c->plan->unit_count; u++)
        if (c->held != NULL || gp_options_allow(c, inventory, u))
            gp_options_on(c, u, gp_options_within(c, inventory, u), options);
    gp_options_join(c, inventory, options);
}

void gp_options_join(const gp_case *c, const gp_inventory *inventory, gp_options *options) {
    adding a = {.c = c, .options = options};
    for (size_t u = 0; u < c->plan->unit_count && c->held == NULL && !c->out->is_serving; u++)
        if (gp_options_allow(c, inventory, u))
            gp_size_joined(c, u, gp_options_within(c, inventory, u), take, &a);
}
