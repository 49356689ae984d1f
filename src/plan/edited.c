/*
 * A plan made anew with one workload changed, as it would be made of a spec that says so: the
 * choice and its figures, without what compares and explains.
 */
#include "plan/context.h"

#include <string.h>

gp_plan_context *gp_plan_edited(const gp_plan_context *plan, gp_arena *arena, size_t i,
                                const gp_workload *workload, const gp_plan_options *asked) {
    const size_t count = plan->spec->workloads.count;
    gp_plan_document *document = GP_NEW(arena, gp_plan_document);
    gp_plan_options *options = GP_NEW(arena, gp_plan_options);
    gp_workload *workloads = GP_NEW_ARRAY(arena, gp_workload, count + 1);
    gp_plan_context *ret = GP_NEW(arena, gp_plan_context);
    gp_diags *diags = GP_NEW(arena, gp_diags);
    memcpy(workloads, plan->spec->workloads.items, count * sizeof *workloads);
    workloads[i] = *workload;
    *document = *plan->document;
    document->spec.workloads.items = workloads;
    *options = *asked;
    options->brief = true;
    options->owned_only = options->tightly = options->others = false;
    options->only = NULL;
    gp_diags_init(diags, arena);
    const gp_status st = gp_plan_once(arena, plan->catalog, document, plan->prices,
                                      plan->price_count, options, diags, ret);
    return st == GP_OK ? ret : NULL;
}
