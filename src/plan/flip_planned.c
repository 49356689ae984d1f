/*
 * Flip points of services that are simulated: what the formula and short runs say of a change is
 * put where plans made for other rates show it, and dropped where none near it do.
 */
#include "plan/context.h"

#include <math.h>
#include <string.h>

#include "base/num.h"

enum { MOVES = 8, HALVINGS = 1, TRIED_BYTES = 256 << 20 };
static const double stride = 1.1; /* between rates that are tried */
static const double reach = 16;

/* Plans that are tried have memory of their own. */
typedef struct flips {
    const gp_plan_context *plan;
    gp_arena *beside;
} flips;

/* The verdict of a plan for that rate; GP_SCALE_COUNT: there is none. */
static gp_scale scale_at(const flips *f, size_t i, double rate) {
    const gp_plan_context *plan = f->plan;
    const size_t count = plan->spec->workloads.count;
    gp_plan_document document = *plan->document;
    gp_plan_options options = *plan->options;
    gp_plan_context tried;
    gp_diags diags;
    const gp_arena_mark mark = gp_arena_set_mark(f->beside);
    gp_workload *workloads = GP_NEW_ARRAY(f->beside, gp_workload, count + 1);
    memcpy(workloads, plan->spec->workloads.items, count * sizeof *workloads);
    memcpy((char *)&workloads[i] + plan->result->workloads.items[i].flip.field, &rate, sizeof rate);
    document.spec.workloads.items = workloads;
    options.brief = options.nearby = true;
    options.owned_only = options.tightly = false;
    gp_diags_init(&diags, f->beside);
    const gp_status st = gp_plan_once(f->beside, plan->catalog, &document, plan->prices,
                                      plan->price_count, &options, &diags, &tried);
    const gp_scale scale = st == GP_OK ? tried.result->workloads.items[i].scale : GP_SCALE_COUNT;
    gp_arena_release(f->beside, mark);
    return scale;
}

/* How many times the one rate is the other. */
static double apart(double a, double b) {
    return gp_num_max(a / b, b / a);
}

/* Walks from where the change is said to be to where plans show it: between a rate with today's
 * verdict and one with the other. False where there is none in reach. */
static bool move(const flips *f, size_t i, gp_flip *flip) {
    const gp_scale today = f->plan->result->workloads.items[i].scale;
    const double outwards = flip->at > flip->today ? stride : 1 / stride;
    double same = 0;
    double other = 0;
    double at = flip->at * sqrt(outwards);
    for (int n = 0; n < MOVES && (same <= 0 || other <= 0) && apart(at, flip->today) <= reach;
         n++) {
        const bool is_today =
            apart(at, flip->today) < sqrt(stride) || (at > flip->today) != (outwards > 1);
        const gp_scale scale = is_today ? today : scale_at(f, i, at);
        if (scale != today && scale != flip->to_scale)
            return false;
        *(scale == today ? &same : &other) = is_today ? flip->today : at;
        at *= scale == today ? outwards : 1 / outwards;
    }
    if (same <= 0 || other <= 0)
        return false;
    for (int n = 0; n < HALVINGS; n++) {
        at = sqrt(same * other);
        *(scale_at(f, i, at) == flip->to_scale ? &other : &same) = at;
    }
    flip->at = today == GP_SCALE_NONE ? same : other; /* where nothing is bought */
    return true;
}

/* What finds no place was not simulated, and would be at another rate. */
static bool hangs_on_simulation(const gp_workload_plan *w) {
    return w->flip.present && w->flip.field > 0 && (w->confirmation.present || !w->chosen.feasible);
}

/* What today's machines hold is what it buys nothing at; what a plan that is enough holds is no
 * more than that: beyond it others that stand may help. */
static void tell_held(const gp_case *c) {
    gp_workload_plan *w = c->out;
    const double at = c->demand.requests_per_s * w->flip.at / w->flip.today;
    if (w->flip.to_scale == GP_SCALE_NONE && w->baseline_gpus > 0 && w->held_requests_per_s > 0)
        w->held_requests_per_s = at;
    else if (w->scale == GP_SCALE_NONE && w->flip.at >= w->flip.today)
        w->held_requests_per_s = gp_num_min(w->held_requests_per_s, at);
}

static gp_status move_all(void *context) {
    flips *f = context;
    const gp_plan_result *result = f->plan->result;
    f->beside = gp_arena_beside(f->plan->arena, TRIED_BYTES);
    for (size_t i = 0; i < result->workloads.count; i++) {
        gp_workload_plan *w = &result->workloads.items[i];
        if (!hangs_on_simulation(w))
            continue;
        if (!move(f, i, &w->flip)) {
            w->flip = (gp_flip){.reason = "none that a plan confirms; the formula alone shows one"};
            continue;
        }
        w->flip.inside_band = apart(w->flip.at, w->flip.today) <= 1 + w->chosen.error_fraction;
        tell_held(&f->plan->cases[i]);
    }
    return GP_OK;
}

void gp_flips_plan(const gp_plan_context *plan) {
    flips f = {.plan = plan};
    bool any = false;
    for (size_t i = 0; i < plan->result->workloads.count; i++)
        any = any || hangs_on_simulation(&plan->result->workloads.items[i]);
    if (!any || plan->case_count > GP_PLAN_AGAIN_MAX ||
        plan->options->simulate == GP_PLAN_SIMULATE_OFF)
        return;
    const gp_status st = gp_arena_guard(plan->arena, move_all, &f);
    gp_arena_free(f.beside);
    if (st != GP_OK)
        gp_arena_leave(plan->arena, st);
}
