/*
 * The sentence behind a verdict, put together from the figures that decided it: what today's
 * machines lack, what the chosen ones reach, and what was asked for.
 */
#include "report/build.h"

#include "report/describe.h"

/* The goal with the least room decides. */
static const gp_goal_result *tightest_goal(const gp_workload_plan *plan) {
    const gp_goal_result *tightest = NULL;
    double least = 0;
    for (int i = 0; i < plan->goal_count; i++) {
        const gp_goal_result *goal = &plan->goals[i];
        double edge = goal->lower_is_better ? goal->high : goal->low;
        double room = goal->target > 0 ? edge / goal->target : 1;
        room = goal->lower_is_better ? 1 - room : room - 1;
        if (tightest == NULL || room < least) {
            tightest = goal;
            least = room;
        }
    }
    return tightest;
}

static const char *goal_clause(gp_build *build, const gp_workload_plan *plan) {
    const gp_goal_result *goal = tightest_goal(plan);
    if (goal == NULL)
        return plan->has_goal ? "" : ", sized to memory only for want of a goal";
    double edge = goal->lower_is_better ? goal->high : goal->low;
    if (build->result->confidence == GP_CONFIDENCE_EXPECTED)
        edge = goal->expected;
    return gp_build_word(gp_build_text(build, ", %s %s at %s where %s is %s", goal->name,
                                       gp_build_quantity(build, edge, goal->dim),
                                       gp_build_confidence_name((int)build->result->confidence),
                                       gp_build_quantity(build, goal->target, goal->dim),
                                       goal->lower_is_better ? "allowed" : "asked for"));
}

/* Times are short when they are too long; everything else when there is too little. */
const char *gp_build_lack_words(gp_build *build, const gp_lack *lack) {
    if (lack->bound == GP_BOUND_NONE)
        return "cannot run it";
    bool time = lack->dim == GP_DIM_TIME;
    return gp_build_word(gp_build_text(
        build, "%s %s: %s%s where %s is %s", time ? "bound by" : "short of",
        gp_build_bound_words(lack->bound), time ? "takes " : "",
        gp_build_quantity(build, lack->have, lack->dim),
        gp_build_quantity(build, lack->need, lack->dim), time ? "allowed" : "needed"));
}

/* What of a thing there is, and how many of it the layout on this kind of machine takes. */
static const char *supply_clause(gp_build *build, const gp_candidate *current) {
    const gp_lack *lack = &current->lack;
    int64_t have = (int64_t)lack->have;
    int64_t need = (int64_t)lack->need;
    const char *noun = need == current->nodes  ? "machines"
                       : need == current->gpus ? "GPUs"
                                               : "replicas";
    return gp_build_word(gp_build_text(build, "on %s it takes %lld %s, %lld %s there",
                                       gp_build_word(gp_build_system_id(current->unit)),
                                       (long long)need, noun, (long long)have,
                                       have == 1 ? "is" : "are"));
}

static const char *current_clause(gp_build *build, const gp_workload_plan *plan) {
    const gp_candidate *current = &plan->current;
    if (!current->present)
        return "no machine is left for it";
    if (!current->feasible && current->lack.bound == GP_BOUND_SUPPLY && current->unit != NULL)
        return supply_clause(build, current);
    if (current->feasible)
        return gp_build_word(gp_build_text(build, "%s would hold it, at a higher %s",
                                           gp_build_machines(build, current),
                                           gp_objective_name(build->result->objective)));
    return gp_build_word(gp_build_text(build, "%s: %s", gp_build_machines(build, current),
                                       gp_build_lack_words(build, &current->lack)));
}

static const char *infeasible_reason(gp_build *build, const gp_workload_plan *plan) {
    const gp_candidate *nearest = &plan->chosen;
    if (!nearest->present)
        return gp_build_text(build, "no candidate holds it; %s",
                             gp_build_lack_words(build, &nearest->lack));
    return gp_build_text(build, "no candidate holds it; the nearest, %s, is %s",
                         gp_build_machines(build, nearest),
                         gp_build_lack_words(build, &nearest->lack));
}

const char *gp_build_reason(gp_build *build, const gp_workload_plan *plan) {
    const gp_candidate *chosen = &plan->chosen;
    if (plan->scale == GP_SCALE_INFEASIBLE)
        return infeasible_reason(build, plan);
    const char *machines = gp_build_machines(build, chosen);
    const char *goal = goal_clause(build, plan);
    bool there = chosen->unit != NULL && chosen->unit->owned_nodes > 0;
    if (plan->scale == GP_SCALE_NONE)
        return gp_build_text(build, "%s%s %s it%s", machines, there ? " of today" : "",
                             chosen->nodes == 1 ? "holds" : "hold", goal);
    return gp_build_text(build, "%s; %s %s it%s", current_clause(build, plan), machines,
                         chosen->nodes == 1 ? "holds" : "hold", goal);
}
