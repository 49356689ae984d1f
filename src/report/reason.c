/*
 * The sentence behind a verdict, put together from the figures that decided it: what today's
 * machines lack, what the chosen ones reach, and what was asked for.
 */
#include "report/build.h"

/* The goal with the least room decides. */
static const gp_goal_result *tightest_goal(const gp_workload_plan *plan) {
    const gp_goal_result *tightest = NULL;
    double least = 0;
    for (int i = 0; i < plan->goal_count; i++) {
        const gp_goal_result *goal = &plan->goals[i];
        double edge = goal->lower_is_better ? goal->high : goal->low;
        double room = goal->target > 0 ? edge / goal->target : 1;
        room = goal->lower_is_better ? 1 - room : room - 1;
        if (goal->towards_one)
            room = (edge - goal->target) / (1 - goal->target);
        if (tightest == NULL || room < least) {
            tightest = goal;
            least = room;
        }
    }
    return tightest;
}

static const char *goal_clause(gp_build *build, const gp_workload_plan *plan) {
    const gp_goal_result *goal = tightest_goal(plan);
    if (!gp_build_is_judged(plan))
        return "sized by memory alone, as no traffic is stated";
    if (!plan->has_goal)
        return "sized by memory alone, as no goal is stated";
    if (goal == NULL)
        return "sized by the request rate alone, as no goal is stated";
    if (plan->is_seats)
        return gp_build_text(build, "%lld seats, %lld requested", (long long)goal->expected,
                             (long long)goal->target);
    double edge = goal->lower_is_better ? goal->high : goal->low;
    if (build->result->confidence == GP_CONFIDENCE_EXPECTED)
        edge = goal->expected;
    return gp_build_text(
        build, "%s %s at %s, target %s", gp_report_goal_words(build->arena, goal->name),
        gp_build_quantity(build, edge, goal->dim), gp_confidence_words[build->result->confidence],
        gp_build_quantity(build, goal->target, goal->dim));
}

/* What there is too few of: the count tells. */
const char *gp_build_supply_noun(const gp_candidate *candidate) {
    int64_t need = (int64_t)candidate->lack.need;
    if (need == candidate->nodes || candidate->nodes == 0)
        return need == 1 ? "machine" : "machines";
    if (need == candidate->gpus)
        return need == 1 ? "GPU" : "GPUs";
    return need == 1 ? "replica" : "replicas";
}

bool gp_build_lacks_rack(const gp_candidate *candidate) {
    return candidate->unit != NULL && candidate->unit->rack_lack != NULL &&
           candidate->lack.path == candidate->unit->rack_lack->path;
}

bool gp_build_is_slow(const gp_lack *lack) {
    return lack->dim == GP_DIM_TIME || lack->dim == GP_DIM_PER_S;
}

/* Times are short when they are too long; everything else when there is too little. */
const char *gp_build_lack_words(gp_build *build, const gp_candidate *candidate) {
    const gp_lack *lack = &candidate->lack;
    const char *need = gp_build_quantity_apart(build, lack->need, lack->have, lack->dim);
    const char *have = gp_build_quantity_apart(build, lack->have, lack->need, lack->dim);
    if (lack->why != NULL && !(lack->need > 0))
        return lack->why;
    if (gp_build_lacks_rack(candidate))
        return gp_build_text(build, "one needs %s in a rack, which has %s",
                             gp_build_quantity_up(build, lack->need, lack->dim), have);
    if (lack->is_own)
        return gp_build_text(build, "%s: has %s, needs %lld", lack->why,
                             gp_build_count(build, (int64_t)lack->have, "replica"),
                             (long long)lack->need);
    if (lack->why != NULL)
        return gp_build_text(build, "%s: has %s, needs %s", lack->why, have, need);
    if (lack->bound == GP_BOUND_NONE)
        return "no layout runs on it";
    if (lack->bound == GP_BOUND_SUPPLY)
        return gp_build_text(build, "needs %lld %s, %lld available", (long long)lack->need,
                             gp_build_supply_noun(candidate), (long long)lack->have);
    if (lack->bound == GP_BOUND_MEMORY)
        return gp_build_text(build, "short of memory by %s on each GPU: needs %s, %s usable",
                             gp_build_quantity(build, lack->need - lack->have, lack->dim), need,
                             have);
    if (gp_build_is_slow(lack) && lack->dim == GP_DIM_PER_S)
        return gp_build_text(build, "too slow: %s, needs %s with headroom, bound by %s", have, need,
                             gp_build_bound_words(lack->bound));
    if (!gp_build_is_slow(lack))
        return gp_build_text(build, "short of %s: needs %s, has %s",
                             gp_build_bound_words(lack->bound), need, have);
    /* Deadlines are judged after the headroom is taken off. */
    return gp_build_text(build, "too slow: %s, limit %s%s, bound by %s", have, need,
                         lack->bound == GP_BOUND_LATENCY ? "" : " with headroom",
                         gp_build_bound_words(lack->bound));
}

/* How many of its machines, GPUs or replicas the layout takes, and what of them there is. On an
 * empty site the baseline is one machine that is still to be bought. */
static const char *supply_clause(gp_build *build, const gp_workload_plan *plan) {
    const gp_candidate *current = &plan->current;
    const char *system = gp_build_product(current->unit);
    const bool taken = current->unit->pool != NULL && plan->baseline_gpus == 0;
    if (taken && current->lack.why == NULL)
        return gp_build_text(build, "other workloads use every %s", system);
    if (plan->baseline_gpus == 0 && current->lack.why == NULL)
        return gp_build_text(build, "1 %s, the smallest candidate, is not enough: it needs %lld %s",
                             system, (long long)current->lack.need, gp_build_supply_noun(current));
    return gp_build_text(build, "on %s: %s", system, gp_build_lack_words(build, current));
}

bool gp_build_shares_machine(const gp_build *build, const gp_workload_plan *plan) {
    const gp_candidate *chosen = &plan->chosen;
    if (!chosen->feasible || chosen->whole || chosen->share_count > 0 ||
        chosen->unit->cloud != NULL)
        return false;
    for (size_t i = 0; i < build->result->workloads.count; i++) {
        const gp_candidate *other = &build->result->workloads.items[i].chosen;
        if (other != chosen && other->feasible && !other->whole && other->unit == chosen->unit)
            return true;
    }
    return false;
}

bool gp_build_is_displaced(const gp_workload_plan *plan) {
    return plan->current.feasible && plan->chosen.share_count == 0 &&
           plan->chosen.unit == plan->current.unit && plan->chosen.nodes == plan->current.nodes;
}

/* Of one machine, and of several. */
static const char *const losses[][2] = {
    [GP_OBJECTIVE_AUTO] = {"draws more power", "draw more power"},
    [GP_OBJECTIVE_MIN_COST] = {"costs more", "cost more"},
    [GP_OBJECTIVE_MIN_POWER] = {"draws more power", "draw more power"},
    [GP_OBJECTIVE_MIN_GPUS] = {"takes more GPUs", "take more GPUs"},
    [GP_OBJECTIVE_MIN_MACHINES] = {"takes more machines", "take more machines"},
    [GP_OBJECTIVE_MIN_TIME] = {"is slower", "are slower"},
    [GP_OBJECTIVE_MIN_CARBON] = {"emits more carbon", "emit more carbon"},
};

static const char *current_clause(gp_build *build, const gp_workload_plan *plan) {
    const gp_candidate *current = &plan->current;
    if (!current->present)
        return "no machine is left";
    if (!current->feasible && current->lack.bound == GP_BOUND_SUPPLY && current->unit != NULL)
        return supply_clause(build, plan);
    if (gp_build_is_displaced(plan))
        return gp_build_text(build, "%s would be enough, but other workloads take %s",
                             gp_build_machines(build, current),
                             current->nodes == 1 ? "it" : "them");
    if (current->feasible)
        return gp_build_text(
            build, "%s would be enough, but %s%s", gp_build_machines(build, current),
            losses[build->result->objective][current->nodes == 1 ? 0 : 1],
            gp_build_shares_machine(build, plan) ? " than sharing machines with other workloads"
                                                 : "");
    /* A run that takes longer than its period overlaps with the next: what one has counts. */
    if (gp_build_is_slow(&current->lack) && current->unit != NULL && current->job_nodes > 0 &&
        current->job_nodes < current->nodes)
        return gp_build_text(build, "%lld %s for a run: %s", (long long)current->job_nodes,
                             gp_build_product(current->unit), gp_build_lack_words(build, current));
    return gp_build_text(build, "%s: %s", gp_build_machines(build, current),
                         gp_build_lack_words(build, current));
}

/* More than the declaration that mends it adds: a plan shares it out over several kinds. */
static bool is_mended_by_less(const gp_build *build, const gp_workload_plan *plan) {
    const gp_mend *mend = build->result->mend;
    if (mend == NULL || !mend->is_count)
        return false;
    const gp_cluster *cluster = &build->result->document->spec.cluster;
    const int64_t added = mend->count - cluster->pools.items[mend->pool].count;
    return plan->chosen.lack.need > (double)(plan->baseline_nodes + added);
}

/* Without purchases: too few of what is left. */
static const char *supply_reason(gp_build *build, const gp_workload_plan *plan) {
    const gp_candidate *nearest = &plan->chosen;
    const char *product = gp_build_product(nearest->unit);
    const char *need =
        is_mended_by_less(build, plan) || nearest->lack.need < 1
            ? ""
            : gp_build_text(build, ": it needs %lld %s", (long long)nearest->lack.need,
                            gp_build_supply_noun(nearest));
    if (plan->baseline_nodes == 0)
        return gp_build_text(build, "no %s is left for it%s", product, need);
    return gp_build_text(build, "%lld %s %s not enough%s", (long long)plan->baseline_nodes, product,
                         plan->baseline_nodes == 1 ? "is" : "are", need);
}

static const char *infeasible_reason(gp_build *build, const gp_workload_plan *plan) {
    const gp_candidate *nearest = &plan->chosen;
    if (plan->layout_declared && nearest->present && nearest->lack.bound == GP_BOUND_MEMORY)
        return gp_build_text(build, "the declared parallelism on %s: %s",
                             gp_build_product(nearest->unit), gp_build_lack_words(build, nearest));
    if (build->result->declared_only && nearest->lack.bound == GP_BOUND_SUPPLY &&
        nearest->lack.why == NULL && nearest->unit != NULL)
        return supply_reason(build, plan);
    /* Machines may be left: what the workload states falls short. */
    if (build->result->declared_only && nearest->lack.is_own)
        return gp_build_text(build, "as declared it is not enough: %s",
                             gp_build_lack_words(build, nearest));
    if (build->result->declared_only)
        return gp_build_text(build, "%s%s%s",
                             nearest->present ? gp_build_machines(build, nearest)
                                              : "the declared machines are not enough",
                             nearest->present
                                 ? (nearest->nodes == 1 ? " is not enough: " : " are not enough: ")
                                 : ": ",
                             gp_build_lack_words(build, nearest));
    if (!nearest->present && !(nearest->lack.need > 0) && nearest->lack.why == NULL)
        return "no candidate is enough";
    if (!nearest->present)
        return gp_build_text(build, "no candidate is enough: %s",
                             gp_build_lack_words(build, nearest));
    return gp_build_text(build, "no candidate is enough; the nearest is %s: %s",
                         gp_build_machines(build, nearest), gp_build_lack_words(build, nearest));
}

/* What several sites would hold together is no place for a run. */
static const char *said_of_sites(gp_build *build, const gp_workload_plan *plan,
                                 const char *reason) {
    const gp_candidate *nearest = &plan->chosen;
    const bool asked = build->result->sites.count > 0 && nearest->present &&
                       (nearest->lack.path != NULL || nearest->lack.bound == GP_BOUND_SUPPLY) &&
                       plan->workload->placement.sites.count != 1;
    return asked && (!plan->is_serving || plan->is_offline)
               ? gp_build_text(build, "%s; a run cannot span sites", reason)
               : reason;
}

const char *gp_build_reason(gp_build *build, const gp_workload_plan *plan) {
    const gp_candidate *chosen = &plan->chosen;
    if (plan->scale == GP_SCALE_INFEASIBLE)
        return said_of_sites(build, plan, infeasible_reason(build, plan));
    const char *machines = gp_build_machines(build, chosen);
    const char *goal = goal_clause(build, plan);
    bool there = chosen->unit != NULL && chosen->unit->owned_nodes > 0;
    const char *whose = chosen->timing.turn == GP_TURN_IDLE
                            ? " in the hours that services leave idle"
                        : there ? " of today"
                                : "";
    if (plan->scale == GP_SCALE_NONE)
        return gp_build_text(build, "%s%s: %s", machines, whose, goal);
    return gp_build_text(build, "%s; %s: %s", current_clause(build, plan), machines, goal);
}
