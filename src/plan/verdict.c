/*
 * The verdict: what the baseline lacks, the best way to get it, and the best vertical and
 * horizontal alternatives, each sized in full.
 *
 *   none        the baseline is enough
 *   vertical    the unit changes, the count does not grow
 *   horizontal  the unit stays, the count grows
 *   both        the unit changes and the count grows
 */
#include "plan/context.h"

#include "base/num.h"
#include "base/str.h"

static int64_t nodes_limit(const gp_plan_context *plan) {
    return plan->spec->candidates.limits.max_nodes;
}

static bool same_unit(const gp_plan_context *plan, size_t a, size_t b) {
    const gp_machine *left = &plan->units[a].machine;
    const gp_machine *right = &plan->units[b].machine;
    return left->domain == right->domain && gp_str_equal(left->gpu->id, right->gpu->id);
}

/* The baseline as it stands: its machines, and the GPUs that shared machines have left. */
static void size_left(const gp_case *c, const gp_baseline *baseline, gp_candidate *ret) {
    const int64_t nodes = baseline->nodes + (baseline->largest_hole > 0 ? 1 : 0);
    gp_size_unit(c, baseline->unit, 0, nodes, baseline->gpus, ret);
    if (ret->feasible && baseline->largest_hole > 0 && baseline->nodes == 0) {
        const int64_t group = ret->gpus / gp_num_max_i64(1, ret->replicas);
        ret->feasible = group <= baseline->largest_hole;
    }
}

/* The declared parallelism first; where it does not do, any. */
void gp_size_baseline(const gp_case *c, const gp_baseline *baseline, gp_candidate *ret) {
    gp_case timed = *c;
    timed.timing = baseline->timing;
    if (c->fixed_layout) {
        gp_case pinned = timed;
        pinned.pinned = true;
        pinned.units = c->pinned_units;
        size_left(&pinned, baseline, ret);
        if (ret->feasible)
            return;
    }
    size_left(&timed, baseline, ret);
}

static bool allowed(const gp_case *c, const char *word) {
    const gp_scaling *scaling = &c->workload->scaling;
    for (size_t i = 0; i < scaling->allow.count; i++)
        if (gp_str_equal(scaling->allow.items[i], word))
            return true;
    return scaling->allow.count == 0;
}

/* Limits that this candidate alone would break; the first one, or NONE. */
static gp_lack shared_lack(const gp_case *c, const gp_candidate *candidate, const gp_limits *left) {
    const gp_unit *unit = candidate->unit;
    if (left == NULL || unit->cloud != NULL)
        return (gp_lack){.bound = GP_BOUND_NONE};
    gp_limits usage;
    gp_usage_of(c->plan, candidate, &usage);
    return gp_limits_lack(left, &usage);
}

/* Machines that a candidate on the baseline's own kind need not buy: whole ones, and one that is
 * shared. */
static int64_t owned_by(const gp_baseline *baseline) {
    return baseline->greenfield ? 0 : baseline->nodes + (baseline->largest_hole > 0 ? 1 : 0);
}

/* Machines are bought in multiples of candidates.limits.step: those beyond the need stand idle. */
static void round_purchase(const gp_case *c, int64_t owned, int64_t most, gp_candidate *ret) {
    const int64_t step = gp_num_max_i64(1, c->plan->spec->candidates.limits.step);
    const int64_t extra = ret->nodes - gp_num_min_i64(owned, ret->nodes);
    const int64_t rounded = (extra + step - 1) / step * step;
    const int64_t per_node = gp_num_max_i64(1, ret->unit->machine.gpus);
    const bool whole = ret->gpus == ret->nodes * per_node;
    if (!ret->feasible || rounded == extra || ret->unit->cloud != NULL ||
        ret->nodes + rounded - extra > most)
        return;
    ret->nodes += rounded - extra;
    if (whole)
        ret->gpus = ret->nodes * per_node;
}

/* Sizes `unit` between node bounds, prices it and holds it against the shared limits. */
static void size_priced(const gp_case *c, const gp_baseline *baseline, size_t unit,
                        int64_t min_nodes, int64_t max_nodes, const gp_limits *shared,
                        gp_candidate *ret) {
    const gp_unit *u = &c->plan->units[unit];
    const bool owned = baseline->pool != NULL && unit == baseline->unit;
    int64_t most = max_nodes;
    if (!u->may_buy)
        most = gp_num_min_i64(most, owned ? baseline->nodes : 0);
    const int64_t there = owned ? owned_by(baseline) : 0;
    gp_size_unit(c, unit, min_nodes, most, most * u->machine.gpus, ret);
    round_purchase(c, there, most, ret);
    gp_price_candidate(c, unit, there, ret);
    if (!ret->feasible)
        return;
    const gp_lack lack = shared_lack(c, ret, shared);
    if (lack.bound != GP_BOUND_NONE) {
        ret->feasible = false;
        ret->lack = lack;
    }
}

static void keep_better(gp_candidate *best, const gp_candidate *candidate) {
    if (!candidate->present)
        return;
    if (!best->present) {
        *best = *candidate;
        return;
    }
    if (!best->feasible && !candidate->feasible) {
        if (gp_lack_distance(&candidate->lack) < gp_lack_distance(&best->lack))
            *best = *candidate;
        return;
    }
    if (gp_candidate_compare(candidate, best) < 0)
        *best = *candidate;
}

/* More memory, bandwidth or FLOP/s per GPU, or more GPUs in the domain: what "up" means. */
static bool larger_unit(const gp_plan_context *plan, size_t unit, size_t than) {
    const gp_machine *a = &plan->units[unit].machine;
    const gp_machine *b = &plan->units[than].machine;
    return a->domain > b->domain ||
           gp_num_compare9(a->gpu->memory_bytes, b->gpu->memory_bytes) > 0 ||
           gp_num_compare9(a->hbm_bytes_per_s, b->hbm_bytes_per_s) > 0 ||
           gp_num_compare9(a->peak_flop_per_s[GP_PRECISION_BF16],
                           b->peak_flop_per_s[GP_PRECISION_BF16]) > 0;
}

/* The machine count that a change of unit may use and still be vertical. */
static int64_t vertical_nodes(const gp_baseline *baseline) {
    return gp_num_max_i64(1, baseline->nodes);
}

static void best_vertical(const gp_case *c, const gp_baseline *baseline, const gp_limits *shared,
                          gp_candidate *ret) {
    *ret = (gp_candidate){0};
    for (size_t u = 0; u < c->plan->unit_count; u++) {
        if (same_unit(c->plan, u, baseline->unit) || !c->plan->units[u].may_buy ||
            !larger_unit(c->plan, u, baseline->unit))
            continue;
        gp_candidate candidate;
        size_priced(c, baseline, u, 0, vertical_nodes(baseline), shared, &candidate);
        keep_better(ret, &candidate);
    }
    if (!ret->present)
        ret->lack = (gp_lack){.bound = GP_BOUND_SUPPLY,
                              .dim = GP_DIM_COUNT,
                              .why = "no larger unit is among the candidates"};
}

static void best_horizontal(const gp_case *c, const gp_baseline *baseline, const gp_limits *shared,
                            int64_t more_than, gp_candidate *ret) {
    *ret = (gp_candidate){0};
    for (size_t u = 0; u < c->plan->unit_count; u++) {
        if (!same_unit(c->plan, u, baseline->unit))
            continue;
        gp_candidate candidate;
        size_priced(c, baseline, u, more_than + 1, nodes_limit(c->plan), shared, &candidate);
        keep_better(ret, &candidate);
    }
}

static void best_both(const gp_case *c, const gp_baseline *baseline, const gp_limits *shared,
                      gp_candidate *ret) {
    *ret = (gp_candidate){0};
    for (size_t u = 0; u < c->plan->unit_count; u++) {
        if (same_unit(c->plan, u, baseline->unit) || !c->plan->units[u].may_buy)
            continue;
        gp_candidate candidate;
        size_priced(c, baseline, u, vertical_nodes(baseline) + 1, nodes_limit(c->plan), shared,
                    &candidate);
        keep_better(ret, &candidate);
    }
}

/* On a cluster whose machines are all taken, the first machine is not growth: something has to
 * carry the workload whatever its kind. */
static bool grows(const gp_baseline *baseline, const gp_candidate *candidate) {
    return candidate->nodes > vertical_nodes(baseline);
}

static gp_scale scale_of(const gp_case *c, const gp_baseline *baseline,
                         const gp_candidate *chosen) {
    if (!chosen->feasible)
        return GP_SCALE_INFEASIBLE;
    const bool changed =
        !same_unit(c->plan, (size_t)(chosen->unit - c->plan->units), baseline->unit);
    const bool grown = grows(baseline, chosen);
    if (changed)
        return grown ? GP_SCALE_BOTH : GP_SCALE_VERTICAL;
    return GP_SCALE_HORIZONTAL;
}

/* What would give way first on a candidate that is enough. */
static gp_bound bound_of_feasible(const gp_case *c, const gp_candidate *candidate) {
    if (!c->out->has_goal)
        return GP_BOUND_MEMORY;
    if (!c->out->is_serving)
        return gp_bound_of_training(&candidate->time);
    int64_t count = 0;
    const size_t unit = (size_t)(candidate->unit - c->plan->units);
    const gp_serve_capability *all = gp_search_serve(c, unit, &count);
    for (int64_t i = 0; i < count; i++) {
        if (!gp_serve_layout_equal(&all[i].layout, &candidate->serve_layout))
            continue;
        /* The service level, not the machine, is what keeps the replica from more. */
        const double reach = all[i].requests_per_s[1] / all[i].idle.max_requests_per_s;
        return reach < 0.5 ? GP_BOUND_LATENCY : gp_bound_of_serving(c, unit, i);
    }
    return GP_BOUND_MEMORY;
}

/* What one machine fewer of the chosen kind would lack: the reason for the count. NONE where it is
 * one machine, or where only their number is short. */
static gp_bound bound_of_fewer(const gp_case *c, const gp_candidate *chosen) {
    if (chosen->nodes <= 1)
        return GP_BOUND_NONE;
    const size_t unit = (size_t)(chosen->unit - c->plan->units);
    const int64_t nodes = chosen->nodes - 1;
    gp_candidate fewer;
    gp_size_unit(c, unit, 0, nodes, nodes * chosen->unit->machine.gpus, &fewer);
    if (!fewer.present || fewer.feasible || fewer.lack.bound == GP_BOUND_SUPPLY)
        return GP_BOUND_NONE;
    return fewer.lack.bound;
}

/* What keeps one more job off each GPU, where jobs are what there are too many of. */
static gp_bound bound_of_sharing(const gp_case *c, const gp_candidate *chosen) {
    const int64_t jobs = chosen->jobs_per_gpu + 1;
    const int64_t asked = c->workload->jobs.per_gpu;
    if (c->out->is_serving || c->exclusive || chosen->replicas < jobs ||
        gp_layout_gpus(&chosen->layout) != 1 || (asked > 0 && jobs > asked))
        return GP_BOUND_NONE;
    const gp_train_capability *found =
        gp_search_train(c, (size_t)(chosen->unit - c->plan->units),
                        (gp_train_place){.gpus = 1, .jobs = jobs, .nodes = 1});
    if (found == NULL || found->unsupported)
        return GP_BOUND_NONE;
    return found->fits ? gp_bound_of_training(&found->time) : GP_BOUND_MEMORY;
}

/* What the baseline lacks. A want of GPUs is put down to what one GPU runs out of. */
static gp_bound bound_of_lack(const gp_case *c, const gp_candidate *current,
                              const gp_candidate *chosen) {
    if (!current->present)
        return GP_BOUND_SUPPLY;
    const gp_bound few = bound_of_fewer(c, chosen);
    if (few != GP_BOUND_NONE)
        return few;
    if (current->lack.bound != GP_BOUND_SUPPLY)
        return current->lack.bound;
    const gp_bound shared = bound_of_sharing(c, chosen);
    return shared != GP_BOUND_NONE ? shared : bound_of_feasible(c, chosen);
}

static void choose(const gp_case *c, const gp_baseline *baseline, const gp_limits *shared,
                   gp_verdict *ret) {
    gp_candidate both = {0};
    ret->chosen = (gp_candidate){0};
    if (allowed(c, "vertical"))
        keep_better(&ret->chosen, &ret->vertical);
    if (allowed(c, "horizontal"))
        keep_better(&ret->chosen, &ret->horizontal);
    if (allowed(c, "vertical") && allowed(c, "horizontal")) {
        best_both(c, baseline, shared, &both);
        keep_better(&ret->chosen, &both);
    }
    ret->scale = scale_of(c, baseline, &ret->chosen);
    ret->bound_by = ret->chosen.feasible ? bound_of_lack(c, &ret->current, &ret->chosen)
                                         : ret->chosen.lack.bound;
}

/* What is declared, as it is: where it is not enough, what it does all the same, judged at the
 * expected value where that is enough. */
static void judge_declared(const gp_case *c, gp_verdict *ret) {
    ret->scale = ret->current.feasible ? GP_SCALE_NONE : GP_SCALE_INFEASIBLE;
    ret->bound_by = ret->current.lack.bound;
    ret->chosen = ret->current;
    if (ret->baseline.greenfield) {
        ret->scale = GP_SCALE_INFEASIBLE;
        ret->bound_by = GP_BOUND_SUPPLY;
        ret->chosen = (gp_candidate){.lack = {.bound = GP_BOUND_SUPPLY,
                                              .dim = GP_DIM_COUNT,
                                              .why = "no machines are declared"}};
        return;
    }
    if (ret->current.feasible) {
        ret->bound_by = bound_of_feasible(c, &ret->chosen);
        return;
    }
    gp_case expected = *c;
    expected.confidence = GP_CONFIDENCE_EXPECTED;
    gp_candidate likely;
    gp_size_baseline(&expected, &ret->baseline, &likely);
    gp_price_candidate(&expected, ret->baseline.unit, owned_by(&ret->baseline), &likely);
    if (!likely.feasible)
        return;
    ret->chosen = likely;
    ret->scale = GP_SCALE_NONE;
}

void gp_verdict_of(const gp_case *c, const gp_baseline *baseline, const gp_limits *shared,
                   bool alternatives, gp_verdict *ret) {
    *ret = (gp_verdict){.baseline = *baseline};
    gp_size_baseline(c, baseline, &ret->current);
    gp_price_candidate(c, baseline->unit, owned_by(baseline), &ret->current);
    gp_lack lack = {.bound = GP_BOUND_NONE};
    if (ret->current.feasible)
        lack = shared_lack(c, &ret->current, shared);
    if (lack.bound != GP_BOUND_NONE) {
        ret->current.feasible = false;
        ret->current.lack = lack;
    }
    const bool enough = ret->current.feasible;
    if (!enough || alternatives) {
        best_vertical(c, baseline, shared, &ret->vertical);
        best_horizontal(c, baseline, shared, enough ? ret->current.nodes : baseline->nodes,
                        &ret->horizontal);
    }
    if (c->plan->declared_only) {
        judge_declared(c, ret);
        return;
    }
    if (!enough) {
        choose(c, baseline, shared, ret);
        return;
    }
    ret->chosen = ret->current;
    ret->scale = GP_SCALE_NONE;
    ret->bound_by = bound_of_feasible(c, &ret->chosen);
}
