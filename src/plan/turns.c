/*
 * Machines that are free for a time: those of earlier jobs once these are done, those that
 * recurring runs use by turns, and those that services leave idle at night. A workload looks for
 * them only where what is free at once is not enough; what it then waits counts as part of its
 * time.
 */
#include "plan/context.h"

#include <math.h>

#include "base/num.h"

enum { WORKING_DAYS = 5 };
static const double s_per_hour = 3600; /* definition */

/* Machines for so many replicas of the chosen layout. */
static int64_t nodes_for(const gp_candidate *chosen, int64_t replicas) {
    const int64_t each = gp_serve_layout_gpus(&chosen->serve_layout);
    const int64_t per_node = gp_num_max_i64(1, chosen->unit->machine.gpus / each);
    const int64_t across = (each + chosen->unit->machine.gpus - 1) / chosen->unit->machine.gpus;
    return (replicas + per_node - 1) / per_node * across;
}

/* Machines that a service leaves by the hour. Where its replicas fill the last one in part only,
 * that one is shared with others and never free. */
void gp_turn_add_idle(const gp_case *c, const gp_candidate *candidate, int64_t *hours) {
    gp_autoscale scaling;
    if (!c->out->is_serving || c->offline || !candidate->feasible || candidate->split.present)
        return;
    const int64_t whole = candidate->gpus / gp_num_max_i64(1, candidate->unit->machine.gpus);
    gp_autoscale_of(c, &scaling);
    if (!scaling.present || !scaling.has_week)
        return;
    for (int h = 0; h < GP_WEEK_HOURS; h++) {
        const bool weekend = h / GP_DAY_HOURS >= WORKING_DAYS;
        const int64_t replicas = weekend ? scaling.weekend_replicas[h % GP_DAY_HOURS]
                                         : scaling.replicas[h % GP_DAY_HOURS];
        const int64_t held = gp_num_max_i64(replicas, c->workload->scaling.min_replicas);
        hours[h] += gp_num_max_i64(0, whole - nodes_for(candidate, held));
    }
}

/* Every window costs a restart. The week is a ring: Sunday night runs into Monday. */
double gp_turn_idle_share(const gp_plan_context *plan, const int64_t *hours, int64_t nodes) {
    int open = 0;
    int windows = 0;
    for (int h = 0; h < GP_WEEK_HOURS; h++) {
        const bool now = hours[h] >= nodes;
        const bool before = hours[(h + GP_WEEK_HOURS - 1) % GP_WEEK_HOURS] >= nodes;
        open += now ? 1 : 0;
        windows += now && !before ? 1 : 0;
    }
    const double useful = open * s_per_hour - windows * plan->constants->run_restart_s;
    return gp_num_max(0, useful / (GP_WEEK_HOURS * s_per_hour));
}

static bool holds(const gp_case *c, const gp_baseline *baseline) {
    gp_candidate sized;
    gp_size_baseline(c, baseline, &sized);
    const bool whole = sized.gpus == sized.nodes * c->plan->units[baseline->unit].machine.gpus;
    return sized.feasible && whole;
}

static gp_baseline timed(const gp_case *c, gp_pool_state *pool, int64_t nodes, gp_timing timing) {
    return (gp_baseline){
        .unit = pool->unit,
        .nodes = nodes,
        .gpus = nodes * c->plan->units[pool->unit].machine.gpus,
        .pool = pool,
        .timing = timing,
    };
}

/* A run joins a group where it and all that are in it can wait for each other. */
static bool by_turns(const gp_case *c, gp_pool_state *pool, gp_baseline *ret) {
    for (size_t g = 0; g < pool->group_count; g++) {
        const gp_turn_group *group = &pool->groups[g];
        const gp_timing timing = {.turn = GP_TURN_QUEUE, .wait_s = group->busy_s};
        gp_baseline option = timed(c, pool, group->nodes, timing);
        gp_candidate sized;
        option.group = g;
        gp_size_baseline(c, &option, &sized);
        const double run = sized.time_to_complete_s.high - timing.wait_s;
        const double period = gp_num_min(group->period_s, c->workload->goal.every_s);
        if (!holds(c, &option) || run > group->slack_s || group->busy_s + run > period)
            continue;
        *ret = option;
        return true;
    }
    return false;
}

/* The earliest end of a job after which enough machines are free for good. */
static bool after_others(const gp_case *c, gp_pool_state *pool, gp_baseline *ret) {
    double from = 0;
    for (size_t i = 0; i < pool->dated_count; i++) {
        double next = HUGE_VAL;
        for (size_t k = 0; k < pool->dated_count; k++)
            if (pool->dated[k].end_s > from)
                next = gp_num_min(next, pool->dated[k].end_s);
        if (!(next < c->demand.deadline_s))
            return false;
        from = next;
        const gp_timing timing = {.turn = GP_TURN_AFTER, .wait_s = from};
        const gp_baseline option = timed(c, pool, gp_pool_free(pool, from), timing);
        if (option.nodes > 0 && holds(c, &option)) {
            *ret = option;
            return true;
        }
    }
    return false;
}

/* The hours with the most machines first: fewer of them are there for longer. */
static bool by_the_hour(const gp_case *c, gp_pool_state *pool, gp_baseline *ret) {
    int64_t nodes = 0;
    for (int h = 0; h < GP_WEEK_HOURS; h++)
        nodes = gp_num_max_i64(nodes, pool->idle_nodes[h]);
    for (; nodes > 0 && !pool->idle_taken; nodes--) {
        const gp_timing timing = {.turn = GP_TURN_IDLE,
                                  .share_fraction =
                                      gp_turn_idle_share(c->plan, pool->idle_nodes, nodes)};
        const gp_baseline option = timed(c, pool, nodes, timing);
        if (timing.share_fraction > 0 && holds(c, &option)) {
            *ret = option;
            return true;
        }
    }
    return false;
}

bool gp_turn_of(const gp_case *c, gp_pool_state *pool, gp_baseline *ret) {
    const gp_demand_kind kind = gp_demand_kind_of(c);
    if (c->out->is_serving || c->demand.deadline_s <= 0)
        return false;
    if (kind == GP_DEMAND_RECURRING && by_turns(c, pool, ret))
        return true;
    if (kind == GP_DEMAND_DEADLINE && after_others(c, pool, ret))
        return true;
    return c->workload->placement.time_sharing && kind != GP_DEMAND_CONCURRENT &&
           by_the_hour(c, pool, ret);
}
