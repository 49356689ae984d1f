/*
 * What changes of software do: those that promise most are planned with as if the spec said so.
 * What then takes fewer GPUs, or no new machines, and is no worse by what the plan is chosen by, is
 * told with the figures of that plan.
 */
#include "plan/context.h"

#include "base/num.h"
#include "base/sort.h"

enum {
    TOLD_MOST = 3,   /* of a workload */
    TRIED_MOST = 8,  /* of all, */
    TRIED_LEAST = 3, /* of many services that are simulated: each of their plans takes longer */
    TRIED_BYTES = 256 << 20
};

typedef struct software {
    const gp_plan_context *plan;
    bool without;     /* other ways to make it helped */
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
    change->saved_nodes = gp_plan_new_nodes(result) - gp_plan_new_nodes(tried->result);
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
    if (tried != NULL && s->without)
        tried = gp_plan_do_without(tried);
    const bool told = tried != NULL && tell(s->plan, tried, i, change);
    gp_arena_release(s->beside, mark);
    return told;
}

/* One of the changes that may be tried. */
typedef struct promise {
    size_t i;
    gp_software_change *change;
    int64_t saves; /* GPUs, by the closed form */
} promise;

/* What makes do comes in the order of the table: the larger change behind the smaller. */
static int by_promise(const void *a, const void *b, const void *context) {
    (void)context;
    const promise *left = a;
    const promise *right = b;
    if (left->change->assumed != right->change->assumed)
        return left->change->assumed ? 1 : -1;
    if (left->change->may_do != right->change->may_do)
        return left->change->may_do ? -1 : 1;
    if (left->change->may_do)
        return 0;
    return left->saves > right->saves ? -1 : left->saves < right->saves;
}

static promise *promises_of(const gp_plan_context *plan, size_t *ret_count) {
    size_t count = 0;
    for (size_t i = 0; i < plan->case_count; i++)
        count += (size_t)plan->cases[i].out->software_change_count;
    promise *all = GP_NEW_ARRAY(plan->arena, promise, count + 1);
    *ret_count = 0;
    for (size_t i = 0; i < plan->case_count; i++) {
        const gp_workload_plan *out = plan->cases[i].out;
        const int64_t today = out->chosen.feasible ? out->chosen.gpus : 0;
        for (int k = 0; k < out->software_change_count; k++)
            all[(*ret_count)++] =
                (promise){i, &out->software_changes[k], today - out->software_changes[k].gpus};
    }
    gp_sort(plan->arena, all, count, sizeof *all, by_promise, NULL);
    return all;
}

/* They stay in their order. */
static void keep_told(gp_workload_plan *out) {
    int told = 0;
    for (int k = 0; k < out->software_change_count; k++)
        if (out->software_changes[k].sized.present)
            out->software_changes[told++] = out->software_changes[k];
    out->software_change_count = told;
}

static int64_t tries_of(const gp_plan_context *plan) {
    int64_t simulated = 0;
    for (size_t i = 0; i < plan->case_count; i++)
        simulated += gp_confirm_simulates(plan->cases[i].out) ? 1 : 0;
    return gp_num_max_i64(TRIED_LEAST, TRIED_MOST / gp_num_max_i64(simulated, 1));
}

static gp_status try_all(void *context) {
    software *s = context;
    const gp_plan_context *plan = s->plan;
    size_t count = 0;
    const promise *all = promises_of(plan, &count);
    int *told = GP_NEW_ARRAY(plan->arena, int, plan->case_count + 1);
    int64_t left = tries_of(plan);
    s->beside = gp_arena_beside(plan->arena, TRIED_BYTES);
    for (size_t k = 0; k < count && left > 0; k++) {
        const size_t i = all[k].i;
        if (told[i] == TOLD_MOST)
            continue;
        left--;
        told[i] += try_change(s, i, all[k].change) ? 1 : 0;
    }
    for (size_t i = 0; i < plan->case_count; i++)
        keep_told(plan->cases[i].out);
    return GP_OK;
}

void gp_software_plan(const gp_plan_context *plan, bool without) {
    software s = {.plan = plan, .without = without};
    if (gp_software_beside(plan))
        return;
    const gp_status st = gp_arena_guard(plan->arena, try_all, &s);
    gp_arena_free(s.beside);
    if (st != GP_OK)
        gp_arena_leave(plan->arena, st);
}
