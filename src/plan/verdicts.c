/*
 * The verdicts of all workloads, and what follows from them together: machines left over, limits
 * that keep several out, and whether another objective would decide otherwise.
 */
#include "plan/verdict.h"

#include <math.h>

/* Another objective that would give another verdict somewhere; the first in the enum's order. */
static void compare_objectives(const gp_verdicts *v) {
    gp_plan_context *plan = v->plan;
    gp_plan_result *result = plan->result;
    const gp_objective applied = plan->objective;
    for (int o = GP_OBJECTIVE_MIN_COST; o <= GP_OBJECTIVE_MIN_TIME; o++) {
        if (o == (int)applied || (o == GP_OBJECTIVE_MIN_COST && !plan->all_priced) ||
            !gp_plan_sites_compare(plan, (gp_objective)o))
            continue;
        plan->objective = (gp_objective)o;
        for (size_t i = 0; i < plan->case_count && !result->objective_changes_verdict; i++) {
            if (gp_allocate_one(plan, v->inventory, v->best, i, &plan->ways[i], v->scratch) ==
                GP_UNPLACED)
                continue;
            gp_share_out_for(plan, v->scratch, i);
            if (gp_verdict_scale(plan, &v->baselines[i], v->scratch, i) !=
                plan->cases[i].out->scale) {
                result->objective_changes_verdict = true;
                result->other_objective = (gp_objective)o;
                result->other_objective_workload = plan->cases[i].workload->name;
            }
        }
    }
    plan->objective = applied;
}

/* Something that has no place comes nearest to one on machines of the kind. */
static bool is_short(const gp_verdicts *v, size_t unit) {
    const gp_plan_context *plan = v->plan;
    for (size_t i = 0; i < plan->case_count; i++)
        if (v->best->chosen[i] == NULL &&
            gp_candidate_on(&plan->cases[i].out->chosen, &plan->units[unit]) != NULL)
            return true;
    return false;
}

/* Machines that the last workload on a kind leaves unused there. */
static void set_surplus(const gp_verdicts *v) {
    const gp_plan_context *plan = v->plan;
    for (size_t u = 0; u < plan->unit_count; u++) {
        const int64_t free =
            is_short(v, u) ? 0 : plan->inventory.owned[u] - v->best->ledger.kinds[u].nodes;
        for (size_t k = plan->case_count; k-- > 0 && free > 0;) {
            gp_workload_plan *out = plan->cases[plan->order[k]].out;
            if (v->best->chosen[plan->order[k]] == NULL ||
                gp_candidate_on(&out->chosen, &plan->units[u]) == NULL)
                continue;
            out->surplus_nodes = free;
            out->surplus_gpus = free * plan->units[u].machine.gpus;
            out->surplus_power_w = (double)free * plan->facts[u].idle.node_w;
            break;
        }
    }
}

/* How many find a place with the lifted limits, all of them placed anew. */
static size_t placed_together(const gp_verdicts *v) {
    gp_plan_context *plan = v->plan;
    gp_inventory open = plan->inventory;
    size_t placed = 0;
    open.lifted = v->lifted;
    gp_allocation_init(plan, v->scratch);
    gp_allocate(plan, &open, v->scratch);
    if (plan->growth != NULL)
        (void)gp_verdict_holds_built(v, &open);
    for (size_t i = 0; i < plan->case_count; i++)
        placed += v->scratch->chosen[i] != NULL ? 1 : 0;
    return placed;
}

/* Where limits keep several out, what each alone would need lets in only that one: the limits with
 * which all of them find a place, as few as will do. */
static void limits_for_all(const gp_verdicts *v) {
    gp_plan_context *plan = v->plan;
    size_t out = 0;
    for (size_t i = 0; i < plan->case_count; i++) {
        const gp_candidate *chosen = &plan->cases[i].out->chosen;
        out += !chosen->feasible && chosen->lack.path != NULL && chosen->lack.why == NULL ? 1 : 0;
    }
    if (out < 2)
        return;
    for (int limit = 0; limit < plan->limit_count; limit++)
        v->lifted[limit] = true;
    const size_t most = placed_together(v);
    for (int limit = 0; limit < plan->limit_count; limit++) {
        v->lifted[limit] = false;
        if (isfinite(plan->limits[limit]) && placed_together(v) < most)
            v->lifted[limit] = true;
    }
    (void)placed_together(v);
    plan->result->limits_for_all = gp_verdict_passed(v);
}

void gp_verdicts_of(gp_plan_context *plan, const gp_inventory *narrow, gp_allocation *today,
                    gp_allocation *best) {
    gp_allocation scratch;
    gp_options tried = {0};
    gp_trace trace = {.room = GP_TRACE_MAX,
                      .items = GP_NEW_ARRAY(plan->arena, gp_term, GP_TRACE_MAX)};
    gp_allocation_init(plan, &scratch);
    gp_verdicts v = {.plan = plan,
                     .inventory = &plan->inventory,
                     .narrow = narrow,
                     .today = today,
                     .best = best,
                     .scratch = &scratch,
                     .trace = &trace,
                     .tried = &tried,
                     .lifted = GP_NEW_ARRAY(plan->arena, bool, (size_t)plan->limit_count),
                     .cache = gp_capabilities_new(plan),
                     .changes =
                         GP_NEW_ARRAY(plan->arena, gp_software_change, GP_SOFTWARE_CHANGE_MAX),
                     .baselines = GP_NEW_ARRAY(plan->arena, gp_baseline, plan->case_count + 1)};
    gp_share_out(plan, best);
    gp_verdict *verdict = GP_NEW(plan->arena, gp_verdict);
    for (size_t i = 0; i < plan->case_count; i++) {
        gp_verdict_of(&v, i, verdict);
        v.baselines[i] = verdict->baseline;
        if (!plan->options->declared_only && !plan->options->brief)
            gp_verdict_kinds(&v, i);
        gp_workload_finish(&v, i, verdict);
    }
    set_surplus(&v);
    if (!plan->options->declared_only)
        limits_for_all(&v);
    if (!plan->options->declared_only && !plan->options->brief && plan->options->hold == NULL)
        compare_objectives(&v);
}
