/*
 * What changes of software do: those that promise most are planned with as if the spec said so.
 * What then takes fewer GPUs, or no new machines, and is no worse by what the plan is chosen by, is
 * told with the figures of that plan.
 */
#include "plan/context.h"

#include "base/num.h"
#include "base/sort.h"

enum {
    TOLD_MOST = 3, /* of a workload */
    TRIED_MOST = 5,
    TRIED_BYTES = 256 << 20
};

typedef struct software {
    const gp_plan_context *plan;
    gp_arena *beside; /* of the plans that are tried */
} software;

/* Nothing that has a place loses it. */
static bool keeps_all(const gp_plan_result *today, const gp_plan_result *with) {
    for (size_t i = 0; i < today->workloads.count; i++)
        if (today->workloads.items[i].chosen.feasible && !with->workloads.items[i].chosen.feasible)
            return false;
    return true;
}

static bool is_no_worse(const gp_plan_result *today, const gp_plan_result *with) {
    return !today->feasible ||
           (with->feasible && gp_num_compare9(with->objective_value, today->objective_value) <= 0);
}

static int64_t new_nodes(const gp_plan_result *of) {
    return of->site.bought_nodes + of->site.rented_nodes;
}

/* On the machines of the plan, which are those of the one that was tried. */
static gp_candidate candidate_of(const gp_plan_context *plan, const gp_plan_context *tried,
                                 const gp_candidate *with) {
    gp_candidate ret = *with;
    gp_candidate *shares = GP_NEW_ARRAY(plan->arena, gp_candidate, (size_t)with->share_count + 1);
    ret.unit = &plan->units[with->unit - tried->units];
    ret.shares = shares;
    for (int k = 0; k < with->share_count; k++) {
        shares[k] = with->shares[k];
        shares[k].unit = &plan->units[shares[k].unit - tried->units];
    }
    return ret;
}

/* False: nothing comes of it. */
static bool tell(const gp_plan_context *plan, const gp_plan_context *tried, size_t i,
                 gp_software_change *change) {
    const gp_plan_result *result = plan->result;
    const gp_candidate *today = &result->workloads.items[i].chosen;
    const gp_candidate *with = &tried->result->workloads.items[i].chosen;
    if (!with->feasible || !keeps_all(result, tried->result))
        return false;
    const bool saves = change->may_save && (!today->feasible || with->gpus < today->gpus) &&
                       is_no_worse(result, tried->result);
    change->makes_hardware_unnecessary =
        change->may_do && with->unit->cloud == NULL && with->owned_nodes == with->nodes;
    if (!saves && !change->makes_hardware_unnecessary)
        return false;
    change->saved_nodes = new_nodes(result) - new_nodes(tried->result);
    const gp_candidate sized = candidate_of(plan, tried, with);
    gp_software_tell(today, &sized, change);
    return true;
}

static bool try_change(const software *s, size_t i, gp_software_change *change) {
    const gp_arena_mark mark = gp_arena_set_mark(s->beside);
    gp_plan_memory *memory = s->plan->options->memory;
    gp_plan_options options = *s->plan->options;
    options.edited = i + 1;
    if (memory != NULL)
        gp_plan_memory_edit(memory);
    gp_plan_context *tried = gp_plan_edited(s->plan, s->beside, i, change->workload, &options);
    const bool told = tried != NULL && tell(s->plan, gp_plan_do_without(tried), i, change);
    gp_arena_release(s->beside, mark);
    return told;
}

/* What makes do comes in the order of the table: the larger change behind the smaller. */
static int by_promise(const void *a, const void *b, const void *context) {
    (void)context;
    const gp_software_change *left = *(gp_software_change *const *)a;
    const gp_software_change *right = *(gp_software_change *const *)b;
    if (left->assumed != right->assumed)
        return left->assumed ? 1 : -1;
    if (left->may_do != right->may_do)
        return left->may_do ? -1 : 1;
    if (left->may_do)
        return 0;
    return left->gpus < right->gpus ? -1 : left->gpus > right->gpus;
}

/* They stay in their order. */
static void try_most(const software *s, size_t i) {
    gp_workload_plan *out = s->plan->cases[i].out;
    const size_t count = (size_t)out->software_change_count;
    gp_software_change **all = GP_NEW_ARRAY(s->plan->arena, gp_software_change *, count + 1);
    int told = 0;
    for (size_t k = 0; k < count; k++)
        all[k] = &out->software_changes[k];
    gp_sort(s->plan->arena, all, count, sizeof *all, by_promise, NULL);
    for (size_t k = 0; k < count; k++) {
        all[k]->may_save = all[k]->may_do =
            k < TRIED_MOST && told < TOLD_MOST && try_change(s, i, all[k]);
        told += all[k]->may_do ? 1 : 0;
    }
    told = 0;
    for (size_t k = 0; k < count; k++)
        if (out->software_changes[k].may_do)
            out->software_changes[told++] = out->software_changes[k];
    out->software_change_count = told;
}

static gp_status try_all(void *context) {
    software *s = context;
    s->beside = gp_arena_beside(s->plan->arena, TRIED_BYTES);
    for (size_t i = 0; i < s->plan->case_count; i++)
        try_most(s, i);
    return GP_OK;
}

void gp_software_plan(const gp_plan_context *plan) {
    software s = {.plan = plan};
    if (gp_software_beside(plan))
        return;
    const gp_status st = gp_arena_guard(plan->arena, try_all, &s);
    gp_arena_free(s.beside);
    if (st != GP_OK)
        gp_arena_leave(plan->arena, st);
}
