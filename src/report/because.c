/* Why a workload scales as it does, in the few words that a cell of a table has room for. */
#include "report/build.h"

#include <string.h>

#include "base/str.h"

static const char *const gains[] = {
    [GP_OBJECTIVE_AUTO] = "draws less on average",
    [GP_OBJECTIVE_MIN_COST] = "costs less",
    [GP_OBJECTIVE_MIN_POWER] = "draws less on average",
    [GP_OBJECTIVE_MIN_GPUS] = "takes fewer GPUs",
    [GP_OBJECTIVE_MIN_MACHINES] = "takes fewer machines",
    [GP_OBJECTIVE_MIN_TIME] = "is faster",
    [GP_OBJECTIVE_MIN_CARBON] = "emits less carbon",
};

/* Two digits: what decides is plain from them, and a cell has no room for more. */
static const char *roughly(gp_build *build, double value, gp_dim dim) {
    return gp_quantity_format_digits(build->arena, value, dim, 2);
}

/* "79" behind "110 GiB": the unit is said once. */
static const char *without_unit(gp_build *build, const char *text, const char *other) {
    const char *unit = text + strcspn(text, " /");
    return gp_str_ends(other, unit) && *unit != '\0'
               ? gp_build_text(build, "%.*s", (int)(unit - text), text)
               : text;
}

static const char *roughly_as(gp_build *build, double value, gp_dim dim, const char *other) {
    return without_unit(build, roughly(build, value, dim), other);
}

/* "62 d on 8, limit 41 d", "290k of 550k/s on 6" */
static const char *speed_words(gp_build *build, const gp_candidate *tried) {
    const gp_lack *lack = &tried->lack;
    const int64_t nodes = tried->job_nodes > 0 ? tried->job_nodes : tried->nodes;
    if (lack->bound == GP_BOUND_LATENCY || nodes == 0)
        return gp_build_text(build, "%s, limit %s", roughly(build, lack->have, lack->dim),
                             roughly(build, lack->need, lack->dim));
    const char *need = roughly(build, lack->need, lack->dim);
    if (lack->dim == GP_DIM_PER_S)
        return gp_build_text(build, "%s of %s on %lld",
                             roughly_as(build, lack->have, lack->dim, need), need,
                             (long long)nodes);
    return gp_build_text(build, "%s on %lld, limit %s", roughly(build, lack->have, lack->dim),
                         (long long)nodes, need);
}

static const char *rate_words(gp_build *build, const gp_workload_plan *plan) {
    const gp_dim dim = plan->is_seats ? GP_DIM_COUNT : GP_DIM_PER_S;
    const char *peak = roughly(build, plan->demand_requests_per_s, dim);
    if (plan->is_seats)
        peak = gp_build_text(build, "%s seats", peak);
    const bool held = plan->baseline_gpus > 0 && plan->held_requests_per_s > 0 &&
                      plan->held_requests_per_s < plan->demand_requests_per_s;
    if (held)
        return gp_build_text(build, "%s peak, %s today", peak,
                             roughly_as(build, plan->held_requests_per_s, dim, peak));
    return gp_build_text(build, "%s at peak", peak);
}

/* Nothing could be tried on what there is: a declared layout takes other GPUs. */
static const char *absent_words(gp_build *build, const gp_workload_plan *plan) {
    const gp_layout *layout = &plan->chosen.layout;
    const bool known = plan->layout_declared && !plan->is_serving && layout->tp > 0;
    return known ? gp_build_text(build, "declared for %lld GPUs", (long long)gp_layout_gpus(layout))
                 : "no machine left";
}

static const char *supply_words(gp_build *build, const gp_workload_plan *plan,
                                const gp_candidate *tried) {
    const gp_lack *lack = &tried->lack;
    if (tried == &plan->current && plan->is_serving && plan->demand_requests_per_s > 0)
        return rate_words(build, plan);
    if (plan->baseline_gpus == 0 && tried == &plan->current)
        return absent_words(build, plan);
    return gp_build_text(build, "needs %lld %s, limit %lld", (long long)lack->need,
                         gp_build_supply_noun(tried), (long long)lack->have);
}

/* "107 GiB, 72.2 usable", "122 kW, limit 90", "9 racks, limit 2": told apart where they are
 * near. */
static const char *of_limit_words(gp_build *build, const gp_lack *lack) {
    const char *need = gp_build_quantity(build, lack->need, lack->dim);
    const char *have = without_unit(build, gp_build_quantity(build, lack->have, lack->dim), need);
    if (lack->bound == GP_BOUND_MEMORY)
        return gp_build_text(build, "%s, %s usable", need, have);
    if (strncmp(need, have, strlen(have)) == 0) {
        need = gp_build_quantity_apart(build, lack->need, lack->have, lack->dim);
        have = gp_build_quantity_apart(build, lack->have, lack->need, lack->dim);
    }
    return gp_build_text(build, "%s%s, limit %s", need,
                         lack->bound == GP_BOUND_SPACE ? " racks" : "", have);
}

static const char *lack_words(gp_build *build, const gp_workload_plan *plan,
                              const gp_candidate *tried) {
    const gp_lack *lack = &tried->lack;
    if (lack->refused)
        return tried == &plan->current && plan->baseline_gpus == 0 ? absent_words(build, plan)
                                                                   : "layout cannot launch";
    if (!tried->present && !(lack->need > 0) && lack->why == NULL)
        return absent_words(build, plan);
    if (lack->bound == GP_BOUND_SUPPLY && lack->why == NULL)
        return supply_words(build, plan, tried);
    if (lack->why != NULL || lack->bound == GP_BOUND_NONE)
        return lack->why != NULL ? lack->why : "no layout runs on it";
    if (gp_build_is_slow(lack))
        return speed_words(build, tried);
    return of_limit_words(build, lack);
}

/* Whose machines it runs on, where they are not its own. */
static const char *const turn_words[GP_TURN_COUNT] = {
    [GP_TURN_AFTER] = "after other jobs",
    [GP_TURN_QUEUE] = "takes turns",
    [GP_TURN_IDLE] = "runs in idle hours",
};

const char *gp_build_because(gp_build *build, const gp_workload_plan *plan) {
    const char *turn = turn_words[plan->chosen.timing.turn];
    if (plan->scale == GP_SCALE_INFEASIBLE)
        return lack_words(build, plan, &plan->chosen);
    if (plan->scale == GP_SCALE_NONE && turn != NULL)
        return turn;
    if (plan->scale == GP_SCALE_NONE && plan->has_declared && !plan->declared.feasible)
        return "more replicas needed";
    if (plan->scale == GP_SCALE_NONE && plan->chosen.part.in_use)
        return "shares a GPU";
    const gp_unit *unit = plan->chosen.unit;
    if (plan->scale == GP_SCALE_NONE && plan->baseline_gpus > 0 && unit != NULL &&
        plan->chosen.share_count == 0 && unit->owned_nodes == 0 && unit->cloud == NULL)
        return "shares a new one";
    if (plan->scale == GP_SCALE_NONE)
        return plan->baseline_gpus > 0 ? "fits today" : "one is enough";
    if (gp_build_is_displaced(plan))
        return "others take today's";
    if (plan->current.feasible)
        return gains[build->result->objective];
    return lack_words(build, plan, &plan->current);
}
