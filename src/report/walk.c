/*
 * The one traversal of report structs. JSON, the list of metrics and whatever else wants all of a
 * report see it through this, so that no form can forget a field.
 */
#include "report/value.h"

typedef struct walker {
    gp_report_visit *visit;
    void *context;
} walker;

static gp_status emit(const walker *walk, gp_report_event_kind kind, const char *key) {
    const gp_report_event event = {.kind = kind, .key = key};
    return walk->visit(walk->context, &event);
}

static gp_status walk_struct(const walker *walk, const gp_report_struct *type, const char *key,
                             const void *object);

static gp_status walk_absent(const walker *walk, const char *key) {
    const gp_report_event event = {.kind = GP_REPORT_VALUE, .key = key, .value.absent = true};
    return walk->visit(walk->context, &event);
}

static gp_status walk_value(const walker *walk, const gp_report_field *field, const void *object) {
    for (int part = 0; part < gp_report_parts(field); part++) {
        char room[GP_REPORT_KEY_MAX];
        gp_report_event event = {.kind = GP_REPORT_VALUE,
                                 .key = gp_report_part_key(field, part, room)};
        gp_report_read(field, object, part, &event.value);
        if (event.value.absent && field->omit_absent)
            continue;
        gp_status st = walk->visit(walk->context, &event);
        if (st != GP_OK)
            return st;
    }
    return GP_OK;
}

static gp_status walk_item(const walker *walk, const gp_report_field *field, const void *item) {
    if (field->nested != NULL && field->kind == GP_REPORT_MAP)
        return walk_struct(walk, field->nested, gp_report_text_at(&field->nested->fields[0], item),
                           item);
    if (field->nested != NULL)
        return walk_struct(walk, field->nested, NULL, item);
    if (gp_report_holds_counts(field)) {
        const gp_report_value number = {
            .kind = GP_REPORT_COUNT, .dim = GP_DIM_COUNT, .count = *(const int64_t *)item};
        const gp_report_event counted = {.kind = GP_REPORT_VALUE, .value = number};
        return walk->visit(walk->context, &counted);
    }
    const char *text = *(const char *const *)item;
    const gp_report_event event = {
        .kind = GP_REPORT_VALUE,
        .value = {.kind = GP_REPORT_STRING, .text = text, .absent = text == NULL}};
    return walk->visit(walk->context, &event);
}

static gp_status walk_list(const walker *walk, const gp_report_field *field, const void *object) {
    bool map = field->kind == GP_REPORT_MAP;
    gp_any_list list = gp_report_list_of(field, object);
    if (list.count == 0 && field->omit_absent)
        return GP_OK;
    gp_status st = emit(walk, map ? GP_REPORT_OPEN_STRUCT : GP_REPORT_OPEN_LIST, field->key);
    for (size_t i = 0; st == GP_OK && i < list.count; i++)
        st = walk_item(walk, field, gp_report_item(list, field, i));
    if (st != GP_OK)
        return st;
    return emit(walk, map ? GP_REPORT_CLOSE_STRUCT : GP_REPORT_CLOSE_LIST, field->key);
}

static gp_status walk_field(const walker *walk, const gp_report_field *field, const void *object) {
    const char *at = (const char *)object + field->offset;
    switch (field->kind) {
    case GP_REPORT_STRUCT: return walk_struct(walk, field->nested, field->key, at);
    case GP_REPORT_OPTIONAL: {
        const void *target = *(const void *const *)(const void *)at;
        if (target == NULL)
            return field->omit_absent ? GP_OK : walk_absent(walk, field->key);
        return walk_struct(walk, field->nested, field->key, target);
    }
    case GP_REPORT_LIST:
    case GP_REPORT_MAP: return walk_list(walk, field, object);
    case GP_REPORT_STRING:
    case GP_REPORT_BOOL:
    case GP_REPORT_COUNT:
    case GP_REPORT_REAL:
    case GP_REPORT_EXACT:
    case GP_REPORT_BAND: return walk_value(walk, field, object);
    }
    return GP_ERR_INTERNAL;
}

/* The first row of a map's entry is its key and is not repeated inside. */
static gp_status walk_struct(const walker *walk, const gp_report_struct *type, const char *key,
                             const void *object) {
    bool entry = key != NULL && type->field_count > 0 && type->fields[0].kind == GP_REPORT_STRING &&
                 gp_report_text_at(&type->fields[0], object) == key;
    gp_status st = emit(walk, GP_REPORT_OPEN_STRUCT, key);
    for (size_t i = entry ? 1 : 0; st == GP_OK && i < type->field_count; i++)
        st = walk_field(walk, &type->fields[i], object);
    return st == GP_OK ? emit(walk, GP_REPORT_CLOSE_STRUCT, key) : st;
}

gp_status gp_report_walk(const gp_report_struct *type, const void *object, gp_report_visit *visit,
                         void *context) {
    const walker walk = {visit, context};
    return walk_struct(&walk, type, NULL, object);
}
