/* The list of all figures that a report can hold, with their paths, for `explain` and policies. */
#include <string.h>

#include "report/value.h"

typedef struct collector {
    gp_arena *arena;
    gp_report_metrics *metrics;
    size_t cap;
} collector;

static gp_status collect(collector *out, const gp_report_struct *type, const char *prefix);

static const char *join(gp_arena *arena, const char *prefix, const char *key) {
    return gp_arena_printf(arena, "%s%s%s", prefix, prefix[0] == '\0' ? "" : ".", key);
}

static gp_status add(collector *out, const gp_report_field *field, const char *path) {
    gp_report_metrics *list = out->metrics;
    gp_report_metric *items =
        gp_arena_grow(out->arena, list->items, list->count, &out->cap, sizeof *items);
    if (items == NULL)
        return GP_ERR_NO_MEMORY;
    list->items = items;
    items[list->count++] = (gp_report_metric){
        .path = path,
        .kind = field->kind == GP_REPORT_BAND ? GP_REPORT_REAL : field->kind,
        .dim = field->dim,
        .help = field->help,
    };
    return GP_OK;
}

static gp_status collect_leaf(collector *out, const gp_report_field *field, const char *prefix) {
    for (int part = 0; part < gp_report_parts(field); part++) {
        char room[GP_REPORT_KEY_MAX];
        const char *path = join(out->arena, prefix, gp_report_part_key(field, part, room));
        gp_status st = path == NULL ? GP_ERR_NO_MEMORY : add(out, field, path);
        if (st != GP_OK)
            return st;
    }
    return GP_OK;
}

static gp_status collect_field(collector *out, const gp_report_field *field, const char *prefix) {
    if (field->nested == NULL && field->kind != GP_REPORT_LIST)
        return collect_leaf(out, field, prefix);
    bool list = field->kind == GP_REPORT_LIST || field->kind == GP_REPORT_MAP;
    const char *path = join(out->arena, prefix, field->key);
    if (path != NULL && list)
        path = gp_arena_printf(out->arena, "%s[]", path);
    if (path == NULL)
        return GP_ERR_NO_MEMORY;
    if (field->nested == NULL)
        return add(out, field, path);
    return collect(out, field->nested, path);
}

static gp_status collect(collector *out, const gp_report_struct *type, const char *prefix) {
    for (size_t i = 0; i < type->field_count; i++) {
        gp_status st = collect_field(out, &type->fields[i], prefix);
        if (st != GP_OK)
            return st;
    }
    return GP_OK;
}

gp_status gp_report_list_metrics(gp_arena *arena, const gp_report_struct *type,
                                 gp_report_metrics *ret_metrics) {
    *ret_metrics = (gp_report_metrics){0};
    collector out = {.arena = arena, .metrics = ret_metrics};
    return collect(&out, type, "");
}
