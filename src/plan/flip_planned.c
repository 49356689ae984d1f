/*
 * Flip points of services that are simulated: what the formula and short runs say of a change is
 * put where plans made for other rates show it, and dropped where none near it do.
 */
#include "plan/context.h"

#include <string.h>

#include "base/num.h"

enum { MOVES = 4, HALVINGS = 3, TRIED_BYTES = 256 << 20 };
static const double beside = 1.2; /* of a change, where plans show it */
static const double reach = 16;

/* Plans that are tried have memory of their own, and what they found in common. */
typedef struct flips {
    const gp_plan_context *plan;
    gp_arena *beside;
    gp_plan_memory *memory;
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
    options.brief = true;
    options.memory = f->memory;
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

/* A rate at which what fails today is said to hold is one at which a plan does. */
static void settle(const flips *f, size_t i, double outwards, gp_flip *flip) {
    double holds = flip->at * outwards;
    double fails = flip->at;
    if (scale_at(f, i, flip->at) == flip->to_scale)
        return;
    for (int n = 0; n < HALVINGS; n++) {
        const double middle = 0.5 * (holds + fails);
        *(scale_at(f, i, middle) == flip->to_scale ? &holds : &fails) = middle;
    }
    flip->at = holds;
}

/* False where no plan near it shows the change. */
static bool move(const flips *f, size_t i, gp_flip *flip) {
    const gp_scale today = f->plan->result->workloads.items[i].scale;
    const double outwards = flip->at > flip->today ? beside : 1 / beside;
    for (int n = 0; n < MOVES && apart(flip->at, flip->today) <= reach; n++) {
        const gp_scale past = scale_at(f, i, flip->at * outwards);
        const bool stays = past == today;
        /* Nearer than it another kind of machines may take over, where there is one. */
        const bool is_near =
            stays || apart(flip->at, flip->today) <= beside || f->plan->unit_count < 2;
        const gp_scale before = is_near ? today : scale_at(f, i, flip->at / outwards);
        if (past == flip->to_scale && before == today) {
            if (today == GP_SCALE_INFEASIBLE)
                settle(f, i, outwards, flip);
            return true;
        }
        if (!stays && before != flip->to_scale)
            return false;
        flip->at *= stays ? outwards : 1 / outwards;
    }
    return false;
}

/* What finds no place was not simulated, and would be at another rate. */
static bool hangs_on_simulation(const gp_workload_plan *w) {
    return w->flip.present && w->flip.field > 0 && (w->confirmation.present || !w->chosen.feasible);
}

static gp_status move_all(void *context) {
    flips *f = context;
    const gp_plan_result *result = f->plan->result;
    f->beside = gp_arena_beside(f->plan->arena, TRIED_BYTES);
    f->memory = gp_plan_memory_new(f->plan->arena);
    gp_plan_memory_open(f->memory, "");
    gp_plan_memory_take(f->memory, f->plan);
    gp_confirm_keep(f->plan, f->memory);
    for (size_t i = 0; i < result->workloads.count; i++) {
        gp_workload_plan *w = &result->workloads.items[i];
        if (!hangs_on_simulation(w))
            continue;
        if (!move(f, i, &w->flip))
            w->flip = (gp_flip){.reason = "none that a plan confirms; the formula alone shows one"};
        else
            w->flip.inside_band = apart(w->flip.at, w->flip.today) <= 1 + w->chosen.error_fraction;
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
    gp_plan_memory_free(f.memory);
    gp_arena_free(f.beside);
    if (st != GP_OK)
        gp_arena_leave(plan->arena, st);
}
