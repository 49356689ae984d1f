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
    gp_plan_options options = *asked;
    gp_workload *workloads = GP_NEW_ARRAY(arena, gp_workload, count + 1);
    memcpy(workloads, plan->spec->workloads.items, count * sizeof *workloads);
    workloads[i] = *workload;
    *document = *plan->document;
    document->spec.workloads.items = workloads;
    options.brief = true;
    options.owned_only = options.tightly = options.others = false;
    options.only = NULL;
    return gp_plan_again(plan, arena, document, &options);
}
