/*
 * A plan made again: one that buys without purchases, or with fewer, any with what other objectives
 * choose, and on each kind of machine alone, which is told beside it. Other ways are simulated
 * then, so that a choice is found that is missed beside them.
 */
#include "plan/context.h"

#include <math.h>
#include <stddef.h>

#include "base/num.h"
#include "base/str.h"

enum {
    ALONE_MOST = 4,         /* kinds of which a plan is made with each alone */
    TRIED_BYTES = 256 << 20 /* of one such plan */
};
static const double spared = 1.25; /* of the GPUs that stand: what takes more does not do without */

/* Runs that end are done as early as they can be, beside each other on what is free; one after the
 * other they may take less. */
static bool may_wait(const gp_plan_context *plan) {
    size_t dated = 0;
    for (size_t i = 0; i < plan->case_count; i++) {
        const gp_candidate *chosen = &plan->result->workloads.items[i].chosen;
        dated += plan->cases[i].kind == GP_DEMAND_DEADLINE && chosen->feasible && !chosen->at_once;
    }
    return dated > 1 && plan->objective != GP_OBJECTIVE_MIN_TIME && plan->options->hold == NULL &&
           plan->case_count <= GP_PLAN_AGAIN_MAX;
}

static bool may_look(const gp_plan_context *plan) {
    const gp_plan_options *options = plan->options;
    return !options->declared_only && options->hold == NULL &&
           options->simulate != GP_PLAN_SIMULATE_OFF && plan->case_count <= GP_PLAN_AGAIN_MAX;
}

/* It buys or fails, on not many more GPUs than stand. */
static bool may_do_without(const gp_plan_context *plan) {
    const gp_site_plan *site = &plan->result->site;
    double there = 0;
    for (size_t u = 0; u < plan->unit_count; u++)
        there += (double)(plan->units[u].owned_nodes * plan->units[u].machine.gpus);
    return may_look(plan) && there > 0 && (double)site->gpus <= spared * there &&
           (site->bought_nodes > 0 || site->rented_nodes > 0 || !plan->result->feasible);
}

/* A service is shared out over sites, kinds and what is bought, in more ways than are simulated.
 * Where machines in place go first, the objective alone does not say what is better. */
static bool may_do_with_less(const gp_plan_context *plan) {
    const gp_plan_result *result = plan->result;
    bool shared = false;
    for (size_t i = 0; i < plan->case_count; i++)
        shared = shared || result->workloads.items[i].chosen.share_count > 1;
    return may_look(plan) && shared && result->feasible && !result->keeps_owned &&
           result->site.bought_nodes > 0;
}

/* Kinds of machines beside the choice are known by the closed form alone. */
static bool may_look_at_others(const gp_plan_context *plan) {
    return may_look(plan) && plan->site_count == 0 && plan->objective != GP_OBJECTIVE_MIN_TIME;
}

int64_t gp_plan_new_nodes(const gp_plan_result *of) {
    return of->site.bought_nodes + of->site.rented_nodes;
}

/* Where machines in place go first, what buys fewer comes before the objective. */
static bool is_better(const gp_plan_result *other, const gp_plan_result *planned) {
    if (!other->feasible || !planned->feasible)
        return other->feasible;
    const int64_t more =
        planned->keeps_owned ? gp_plan_new_nodes(other) - gp_plan_new_nodes(planned) : 0;
    return more < 0 ||
           (more == 0 && gp_num_compare9(other->objective_value, planned->objective_value) < 0);
}

/* Other ways to come to a choice. */
typedef struct way {
    bool (*may)(const gp_plan_context *plan);
    size_t option; /* of gp_plan_options: that is set */
} way;

enum { IN_TURN, WITHOUT, WITH_LESS, OTHERS, WAYS };

static const way ways[WAYS] = {
    [IN_TURN] = {may_wait, offsetof(gp_plan_options, in_turn)},
    [WITHOUT] = {may_do_without, offsetof(gp_plan_options, owned_only)},
    [WITH_LESS] = {may_do_with_less, offsetof(gp_plan_options, tightly)},
    [OTHERS] = {may_look_at_others, offsetof(gp_plan_options, others)},
};

/* As asked for, but for the ways to come to a choice; `only`: what is bought, NULL: any. */
static gp_plan_options options_of(const gp_plan_context *plan, const char *only) {
    gp_plan_options options = *plan->options;
    options.owned_only = options.tightly = options.others = false;
    options.only = only;
    options.brief = true;
    return options;
}

/* NULL: there is none. */
static gp_plan_context *plan_again(const gp_plan_context *plan, gp_arena *arena,
                                   const gp_plan_options *options) {
    gp_plan_context *again = gp_plan_again(plan, arena, plan->document, options);
    if (again != NULL)
        again->diags = plan->diags;
    return again;
}

/* It is tried in short, in memory of its own. */
static bool is_better_so(const gp_plan_context *plan, const gp_plan_options *options) {
    gp_arena *beside = gp_arena_beside(plan->arena, TRIED_BYTES);
    const gp_plan_context *again = plan_again(plan, beside, options);
    const bool better = again != NULL && is_better(again->result, plan->result);
    gp_arena_free(beside);
    return better;
}

/* The better one of the plan and that made again in such a way; NULL: in its own. */
static gp_plan_context *better_of(gp_plan_context *plan, const way *w, const char *only) {
    gp_plan_options options = options_of(plan, only);
    if (w != NULL)
        *(bool *)((char *)&options + w->option) = true;
    if (!plan->options->brief && !is_better_so(plan, &options))
        return plan;
    options.brief = plan->options->brief;
    gp_plan_context *again = plan_again(plan, plan->arena, &options);
    return again != NULL && is_better(again->result, plan->result) ? again : plan;
}

static bool is_new(const gp_candidate *part) {
    return part->unit->cloud != NULL || part->nodes > part->owned_nodes;
}

/* The units of which it buys or rents, no more than there is room for. */
static size_t bought_units(const gp_plan_context *plan, const char *ret_ids[ALONE_MOST]) {
    size_t count = 0;
    for (size_t u = 0; u < plan->unit_count && count < ALONE_MOST; u++) {
        bool found = false;
        for (size_t i = 0; i < plan->case_count; i++) {
            const gp_candidate *chosen = &plan->result->workloads.items[i].chosen;
            found =
                found || (chosen->feasible && chosen->unit == &plan->units[u] && is_new(chosen));
            for (int k = 0; k < chosen->share_count; k++)
                found = found ||
                        (chosen->shares[k].unit == &plan->units[u] && is_new(&chosen->shares[k]));
        }
        if (found)
            ret_ids[count++] = plan->units[u].id;
    }
    return count;
}

/* More kinds than are bought may be. */
static bool may_buy_beside(const gp_plan_context *plan, size_t bought) {
    size_t count = 0;
    for (size_t u = 0; u < plan->unit_count; u++)
        count += gp_inventory_buys(&plan->inventory, &plan->units[u]) ? 1 : 0;
    return count > bought;
}

gp_plan_context *gp_plan_do_without(gp_plan_context *plan) {
    const char *bought[ALONE_MOST];
    for (size_t i = 0; i < WAYS; i++)
        if (ways[i].may(plan))
            plan = better_of(plan, &ways[i], NULL);
    /* What may share machines is chosen one after the other, each where it is best by itself; and
     * of what other objectives choose, what is on the kind that is bought, as if it alone were to
     * be had. */
    const bool alone = may_look_at_others(plan) && !plan->result->keeps_owned;
    const size_t count = alone ? bought_units(plan, bought) : 0;
    const way *other = count == 1 ? &ways[OTHERS] : NULL;
    for (size_t i = 0; i < count && may_buy_beside(plan, 1); i++)
        plan = better_of(plan, other, bought[i]);
    return plan;
}

/* ------------------------------------------------------------ on one kind alone */

static bool is_first(const gp_plan_context *plan, size_t unit) {
    for (size_t u = 0; u < unit; u++)
        if (gp_str_equal(plan->units[u].id, plan->units[unit].id))
            return false;
    return true;
}

static size_t count_kinds(const gp_plan_context *plan) {
    size_t kinds = 0;
    for (size_t u = 0; u < plan->unit_count; u++)
        kinds += is_first(plan, u) ? 1 : 0;
    return kinds;
}

/* The first limit that it passes: none was kept to. */
static gp_bound passed_by(const gp_plan_context *again) {
    for (int i = 0; i < again->limit_count; i++) {
        const double used = gp_result_limited(again->result, i);
        if (used > again->limits[i] && !gp_num_near(used, again->limits[i]))
            return gp_limit_row_of(i)->bound;
    }
    return GP_BOUND_NONE;
}

/* What stands of other kinds stands idle; `within`: limits of the site are kept to. */
static void tell_alone(const gp_plan_context *plan, size_t unit, bool within, gp_arena *beside,
                       gp_whole_plan *ret) {
    gp_plan_options options = options_of(plan, plan->units[unit].id);
    options.alone = true;
    options.within = within;
    const gp_plan_context *again = plan_again(plan, beside, &options);
    *ret = (gp_whole_plan){.unit = &plan->units[unit]};
    for (size_t i = 0; again != NULL && i < again->case_count; i++)
        ret->held += again->result->workloads.items[i].chosen.feasible ? 1 : 0;
    if (ret->held == 0)
        return;
    ret->site = again->result->site;
    ret->passed = passed_by(again);
    ret->objective_value = again->result->objective_value;
}

/* A limit that it passes is told where no plan of that kind keeps to all of them. */
static void tell_kind(const gp_plan_context *plan, size_t unit, gp_arena *beside,
                      gp_whole_plan *ret) {
    gp_whole_plan within;
    tell_alone(plan, unit, false, beside, ret);
    if (ret->passed == GP_BOUND_NONE)
        return;
    tell_alone(plan, unit, true, beside, &within);
    if (within.held == ret->held && within.passed == GP_BOUND_NONE)
        *ret = within;
}

/* The kind with which alone the objective comes to the least, if that is less than planned. */
static const gp_unit *better_alone(const gp_plan_context *plan, const gp_whole_plan *rows,
                                   size_t count) {
    const gp_whole_plan *best = NULL;
    const double planned = plan->result->feasible ? plan->result->objective_value : HUGE_VAL;
    for (size_t i = 0; i < count; i++) {
        const double most = best != NULL ? best->objective_value : planned;
        if (rows[i].held == plan->case_count && rows[i].passed == GP_BOUND_NONE &&
            gp_num_compare9(rows[i].objective_value, most) < 0)
            best = &rows[i];
    }
    return best != NULL && may_look_at_others(plan) && !plan->result->keeps_owned ? best->unit
                                                                                  : NULL;
}

gp_plan_context *gp_plan_alone(gp_plan_context *plan) {
    if (!gp_whole_is_told(plan) || count_kinds(plan) < 2)
        return plan;
    gp_whole_plan *rows = GP_NEW_ARRAY(plan->arena, gp_whole_plan, plan->unit_count + 1);
    gp_arena *beside = gp_arena_beside(plan->arena, TRIED_BYTES);
    const gp_arena_mark mark = gp_arena_set_mark(beside);
    size_t count = 0;
    for (size_t u = 0; u < plan->unit_count; u++) {
        if (!is_first(plan, u))
            continue;
        tell_kind(plan, u, beside, &rows[count]);
        count += rows[count].held > 0 ? 1 : 0;
        gp_arena_release(beside, mark);
    }
    gp_arena_free(beside);
    const gp_unit *better = better_alone(plan, rows, count);
    plan = better != NULL ? better_of(plan, NULL, better->id) : plan;
    plan->result->alone.items = rows;
    plan->result->alone.count = count;
    return plan;
}
