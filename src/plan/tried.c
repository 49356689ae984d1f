/*
 * The layouts that were tried on the chosen machines, for whoever asks why not another: of a
 * training those of its search, done once more; of a service every replica sized for the demand.
 */
#include "plan/verdict.h"

#include "base/num.h"
#include "base/sort.h"
#include "base/str.h"

static size_t unit_of(const gp_case *c) {
    return (size_t)(c->out->chosen.unit - c->plan->units);
}

/* ------------------------------------------------------------ training */

static gp_train_place place_of(const gp_candidate *chosen) {
    const gp_layout *layout = &chosen->layout;
    return (gp_train_place){.gpus = layout->tp > 0 ? gp_layout_gpus(layout)
                                                   : gp_num_max_i64(1, chosen->groups[0].gpus),
                            .jobs = gp_num_max_i64(1, chosen->jobs_per_gpu),
                            .nodes = gp_num_max_i64(1, chosen->job_nodes)};
}

static double sequence_s(const gp_layout_tried *row) {
    return row->step_s / (double)row->layout.global_batch_sequences;
}

static bool is_told(const gp_workload_plan *out, const gp_layout *layout) {
    for (size_t i = 0; i < out->tried.count; i++)
        if (gp_layout_alike(&out->tried.items[i].layout, layout))
            return true;
    return false;
}

/* What fits and would be taken if nothing were declared, held against what is. */
static void add_undeclared(const gp_case *c, gp_train_place place) {
    gp_workload_plan *out = c->out;
    gp_layout_tried others[GP_TRIED_MAX];
    gp_case open = *c;
    open.pinned = false;
    const bool known = out->tried.count > 0 && out->tried.items[0].reason == GP_TRIED_BEST;
    const int count = gp_search_train_tried(&open, unit_of(c), place, others);
    for (int i = 0; i < count && out->tried.count < GP_TRIED_MAX; i++) {
        const bool fits = others[i].reason == GP_TRIED_BEST || others[i].reason == GP_TRIED_SLOWER;
        if (!fits || is_told(out, &others[i].layout))
            continue;
        others[i].reason = GP_TRIED_OPEN;
        others[i].worse_fraction =
            known ? sequence_s(&others[i]) / sequence_s(&out->tried.items[0]) - 1 : 0;
        out->tried.items[out->tried.count++] = others[i];
    }
}

static void tried_training(const gp_case *c) {
    const gp_train_place place = place_of(&c->out->chosen);
    c->out->tried.count = (size_t)gp_search_train_tried(c, unit_of(c), place, c->out->tried.items);
    if (c->pinned)
        add_undeclared(c, place);
}

/* ------------------------------------------------------------ services */

static bool is_chosen(const gp_case *c, const gp_candidate *row) {
    const gp_candidate *chosen = &c->out->chosen;
    return chosen->feasible && row->split.present == chosen->split.present &&
           gp_serve_layout_equal(&row->serve_layout, &chosen->serve_layout) &&
           (!row->split.present || gp_serve_layout_equal(&row->split.layouts.prefill,
                                                         &chosen->split.layouts.prefill));
}

/* What the objective counts. */
static double counted(const gp_case *c, const gp_candidate *row) {
    const gp_objective by = c->plan->objective;
    return by == GP_OBJECTIVE_MIN_COST       ? row->cost.total_per_s
           : by == GP_OBJECTIVE_MIN_POWER    ? row->facility_mean_w
           : by == GP_OBJECTIVE_MIN_MACHINES ? (double)row->nodes
                                             : (double)row->gpus;
}

/* The one taken, then what would do by the objective, then what comes nearest. */
static int by_worth(const void *a, const void *b, const void *context) {
    const gp_case *c = context;
    const gp_candidate *left = *(const gp_candidate *const *)a;
    const gp_candidate *right = *(const gp_candidate *const *)b;
    const bool taken = is_chosen(c, left);
    if (taken != is_chosen(c, right))
        return taken ? -1 : 1;
    if (left->feasible != right->feasible)
        return left->feasible ? -1 : 1;
    return left->feasible
               ? gp_num_compare9(counted(c, left), counted(c, right))
               : gp_num_compare9(gp_lack_distance(&left->lack), gp_lack_distance(&right->lack));
}

static double worse_than_taken(const gp_case *c, const gp_candidate *sized) {
    const double taken = counted(c, &c->out->chosen);
    return c->out->chosen.feasible && sized->feasible && taken > 0 ? counted(c, sized) / taken - 1
                                                                   : 0;
}

static void add_row(const gp_case *c, const gp_candidate *sized, const gp_layout_rule *rule) {
    const gp_tried_reason reason = rule != NULL            ? GP_TRIED_RULE
                                   : is_chosen(c, sized) ? GP_TRIED_BEST
                                   : sized->feasible     ? GP_TRIED_MORE
                                                         : GP_TRIED_LACK;
    if (c->out->tried.count < GP_TRIED_MAX)
        c->out->tried.items[c->out->tried.count++] =
            (gp_layout_tried){.reason = reason,
                              .rule = rule,
                              .sized = sized,
                              .worse_fraction = worse_than_taken(c, sized)};
}

/* What the engine does not launch. */
static void add_refusals(const gp_case *c) {
    const gp_unit_capability *store = gp_capability_of(c, unit_of(c));
    for (int64_t i = 0; i < store->refusal_count; i++) {
        gp_candidate *row = GP_NEW(c->plan->arena, gp_candidate);
        row->unit = c->out->chosen.unit;
        row->serve_layout = store->refusals[i].layout;
        add_row(c, row, store->refusals[i].rule);
    }
}

/* Prefill and decode together in each layout, and apart in the best pair. */
static void tried_serving(const gp_case *c) {
    enum { TOLD = GP_TRIED_MAX - GP_PLAN_REFUSALS_MAX };
    const size_t unit = unit_of(c);
    gp_candidate *rows = GP_NEW_ARRAY(c->plan->arena, gp_candidate, GP_PLAN_LAYOUTS_MAX + 1);
    const gp_candidate **order =
        GP_NEW_ARRAY(c->plan->arena, const gp_candidate *, GP_PLAN_LAYOUTS_MAX + 1);
    int count = gp_size_layouts(c, unit, GP_PLAN_LAYOUTS_MAX, rows);
    if (c->out->apart.present)
        rows[count++] = c->out->apart;
    for (int i = 0; i < count; i++) {
        gp_price_candidate(c, c->out->chosen.owned_nodes, &rows[i]);
        order[i] = &rows[i];
    }
    gp_sort(c->plan->arena, order, (size_t)count, sizeof *order, by_worth, c);
    for (int i = 0; i < count && i < TOLD; i++)
        add_row(c, order[i], NULL);
    add_refusals(c);
}

void gp_tried_of(const gp_case *c) {
    gp_workload_plan *out = c->out;
    const char *asked = c->plan->options->layouts_of;
    if (asked == NULL || !gp_str_equal(asked, c->workload->name) || out->chosen.unit == NULL)
        return;
    out->tried.items = GP_NEW_ARRAY(c->plan->arena, gp_layout_tried, GP_TRIED_MAX);
    if (out->is_serving)
        tried_serving(c);
    else
        tried_training(c);
}
