/*
 * A plan made again: one that buys without purchases, or with fewer, and any with what other
 * objectives choose. Other ways are simulated then, so that a choice is found that is missed beside
 * them.
 */
#include "plan/context.h"

#include <stddef.h>

#include "base/num.h"

enum { ALONE_MOST = 4 };           /* kinds of which a plan is made with each alone */
static const double spared = 1.25; /* of the GPUs that stand: what takes more does not do without */

static bool may_look(const gp_plan_context *plan) {
    const gp_plan_options *options = plan->options;
    return !options->declared_only && options->hold == NULL &&
           options->simulate != GP_PLAN_SIMULATE_OFF && plan->growth == NULL &&
           plan->case_count <= GP_PLAN_AGAIN_MAX;
}

/* It buys or fails, on not many more GPUs than stand. */
static bool may_do_without(const gp_plan_context *plan) {
    const gp_site_plan *site = &plan->result->site;
    double there = 0;
    for (size_t u = 0; u < plan->unit_count; u++)
        there += (double)(plan->units[u].owned_nodes * plan->units[u].machine.gpus);
    return there > 0 && (double)site->gpus <= spared * there &&
           (site->bought_nodes > 0 || site->rented_nodes > 0 || !plan->result->feasible);
}

/* A service is shared out over sites and what is bought there, in more ways than are simulated.
 * Where machines in place go first, the objective alone does not say what is better. */
static bool may_do_with_less(const gp_plan_context *plan) {
    const gp_plan_result *result = plan->result;
    bool shared = false;
    for (size_t i = 0; i < plan->case_count; i++)
        shared = shared || result->workloads.items[i].chosen.share_count > 1;
    return plan->site_count > 0 && shared && result->feasible && !result->keeps_owned &&
           result->site.bought_nodes > 0;
}

/* Kinds of machines beside the choice are known by the closed form alone. */
static bool may_look_at_others(const gp_plan_context *plan) {
    return plan->site_count == 0 && !plan->result->keeps_owned &&
           plan->objective != GP_OBJECTIVE_MIN_TIME;
}

static bool is_better(const gp_plan_result *without, const gp_plan_result *with) {
    return without->feasible &&
           (!with->feasible || with->keeps_owned ||
            gp_num_compare9(without->objective_value, with->objective_value) < 0);
}

/* Other ways to come to a choice. */
typedef struct way {
    bool (*may)(const gp_plan_context *plan);
    size_t option; /* of gp_plan_options: that is set */
} way;

enum { WITHOUT, WITH_LESS, OTHERS, WAYS };

static const way ways[WAYS] = {
    [WITHOUT] = {may_do_without, offsetof(gp_plan_options, owned_only)},
    [WITH_LESS] = {may_do_with_less, offsetof(gp_plan_options, tightly)},
    [OTHERS] = {may_look_at_others, offsetof(gp_plan_options, others)},
};

/* The plan made again in such a way, or with purchases of one kind alone, or NULL. */
static gp_plan_context *plan_again(const gp_plan_context *plan, const way *w, const char *only,
                                   bool brief) {
    gp_plan_context *again = GP_NEW(plan->arena, gp_plan_context);
    gp_plan_options *options = GP_NEW(plan->arena, gp_plan_options);
    gp_diags diags;
    *options = *plan->options;
    options->owned_only = options->tightly = options->others = false;
    options->only = only;
    if (w != NULL)
        *(bool *)((char *)options + w->option) = true;
    options->brief = brief;
    gp_diags_init(&diags, plan->arena);
    const gp_status st = gp_plan_once(plan->arena, plan->catalog, plan->document, plan->prices,
                                      plan->price_count, options, &diags, again);
    again->diags = plan->diags;
    return st == GP_OK ? again : NULL;
}

/* The better one of the plan and that made again. */
static gp_plan_context *better_of(gp_plan_context *plan, const way *w, const char *only) {
    gp_plan_context *again = plan_again(plan, w, only, true);
    if (again != NULL && !plan->options->brief && is_better(again->result, plan->result))
        again = plan_again(plan, w, only, false);
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
    if (!may_look(plan))
        return plan;
    for (size_t i = 0; i < WAYS; i++)
        if (ways[i].may(plan))
            plan = better_of(plan, &ways[i], NULL);
    /* What may share machines is chosen one after the other, each where it is best by itself; and
     * of what other objectives choose, what is on the kind that is bought, as if it alone were to
     * be had. */
    const size_t count = may_look_at_others(plan) ? bought_units(plan, bought) : 0;
    const way *other = count == 1 ? &ways[OTHERS] : NULL;
    for (size_t i = 0; i < count && may_buy_beside(plan, 1); i++)
        plan = better_of(plan, other, bought[i]);
    return plan;
}
