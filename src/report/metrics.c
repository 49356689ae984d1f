/* The list of all figures that a report can hold, with their paths, for `explain` and policies. */
#include <string.h>

#include "report/value.h"

typedef struct collector {
    gp_arena *arena;
    gp_report_metrics *metrics;
    size_t cap;
} collector;

static void collect(collector *out, const gp_report_struct *type, const char *prefix);

static const char *join(gp_arena *arena, const char *prefix, const char *key) {
    return gp_arena_printf(arena, "%s%s%s", prefix, prefix[0] == '\0' ? "" : ".", key);
}

static void add(collector *out, const gp_report_field *field, const char *path) {
    gp_report_metrics *list = out->metrics;
    gp_report_metric *items =
        gp_arena_grow(out->arena, list->items, list->count, &out->cap, sizeof *items);
    list->items = items;
    items[list->count++] = (gp_report_metric){
        .path = path,
        .kind = field->kind == GP_REPORT_BAND ? GP_REPORT_REAL : field->kind,
        .dim = field->dim,
        .help = field->help,
    };
}

static void collect_leaf(collector *out, const gp_report_field *field, const char *prefix) {
    for (int part = 0; part < gp_report_parts(field); part++) {
        char room[GP_REPORT_KEY_MAX];
        const char *path = join(out->arena, prefix, gp_report_part_key(field, part, room));
        add(out, field, path);
    }
}

static void collect_field(collector *out, const gp_report_field *field, const char *prefix) {
    if (field->nested == NULL && field->kind != GP_REPORT_LIST) {
        collect_leaf(out, field, prefix);
        return;
    }
    bool list = field->kind == GP_REPORT_LIST || field->kind == GP_REPORT_MAP;
    const char *path = join(out->arena, prefix, field->key);
    if (list)
        path = gp_arena_printf(out->arena, "%s[]", path);
    if (field->nested == NULL)
        add(out, field, path);
    else
        collect(out, field->nested, path);
}

static void collect(collector *out, const gp_report_struct *type, const char *prefix) {
    for (size_t i = 0; i < type->field_count; i++) {
        collect_field(out, &type->fields[i], prefix);
    }
}

void gp_report_list_metrics(gp_arena *arena, const gp_report_struct *type,
                            gp_report_metrics *ret_metrics) {
    *ret_metrics = (gp_report_metrics){0};
    collector out = {.arena = arena, .metrics = ret_metrics};
    collect(&out, type, "");
}
