/*
 * Quality of the data: the distinct inputs beneath the figures of the plan, and which of them
 * nobody read at a primary source or stated.
 */
#include "report/build.h"
#include "report/site_steps.h"

static void fill_names(gp_build *build, const gp_ref_list *list, gp_report_data *ret) {
    GP_ROOM(build->arena, &ret->unverified, list->count);
    size_t unverified = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (!gp_origin_is_unverified(gp_origin_at(list->items[i].meta, list->items[i].offset)))
            continue;
        unverified++;
        gp_build_name_once(ret->unverified.items, &ret->unverified.count,
                           gp_ref_name(build, &list->items[i]));
    }
    if (list->count > 0)
        ret->unverified_share = (double)unverified / (double)list->count;
}

void gp_build_data(gp_build *build) {
    const gp_plan_result *result = build->result;
    gp_report_data *ret = &build->report->data;
    gp_ref_list list = {0};
    for (size_t i = 0; i < result->workloads.count; i++)
        gp_ref_list_add_trace(build->arena, &list, &result->workloads.items[i].trace_chosen);
    gp_step_fields(build, &list);
    fill_names(build, &list, ret);
    ret->inputs = (int64_t)list.count;
}
