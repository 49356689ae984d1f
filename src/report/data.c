/*
 * Quality of the data: the distinct inputs beneath the chosen candidates' terms, and which of them
 * nobody read at a primary source or stated.
 */
#include "base/str.h"
#include "report/build.h"
#include "report/source.h"

typedef struct input_list {
    size_t count, cap;
    gp_ref *items;
} input_list;

static bool listed(const input_list *list, const gp_ref *ref) {
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].meta == ref->meta && list->items[i].offset == ref->offset)
            return true;
    return false;
}

static void add(gp_build *build, input_list *list, const gp_ref *ref) {
    if (ref->meta == NULL || listed(list, ref))
        return;
    if (gp_origin_at(ref->meta, ref->offset)->kind == GP_ORIGIN_NONE)
        return;
    gp_ref *items =
        gp_arena_grow(build->arena, list->items, list->count, &list->cap, sizeof *items);
    list->items = items;
    items[list->count++] = *ref;
}

static void add_trace(gp_build *build, input_list *list, const gp_trace *trace) {
    for (size_t i = 0; i < trace->count; i++) {
        for (int k = 0; k < trace->items[i].input_count; k++) {
            add(build, list, &trace->items[i].inputs[k]);
        }
    }
}

static bool has_name(const gp_report_data *data, const char *name) {
    for (size_t i = 0; i < data->unverified.count; i++)
        if (gp_str_equal(data->unverified.items[i], name))
            return true;
    return false;
}

static void fill_names(gp_build *build, const input_list *list, gp_report_data *ret) {
    const char **names = GP_NEW_ARRAY(build->arena, const char *, list->count + 1);
    ret->unverified.items = names;
    size_t unverified = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (!gp_origin_is_unverified(gp_origin_at(list->items[i].meta, list->items[i].offset)))
            continue;
        unverified++;
        const char *name = gp_ref_name(build, &list->items[i]);
        if (!has_name(ret, name))
            names[ret->unverified.count++] = name;
    }
    if (list->count > 0)
        ret->unverified_share = (double)unverified / (double)list->count;
}

void gp_build_data(gp_build *build) {
    const gp_plan_result *result = build->result;
    gp_report_data *ret = &build->report->data;
    input_list list = {0};
    for (size_t i = 0; i < result->workloads.count; i++) {
        add_trace(build, &list, &result->workloads.items[i].trace_chosen);
    }
    add_trace(build, &list, &result->trace_site);
    fill_names(build, &list, ret);
    ret->inputs = (int64_t)list.count;
}
