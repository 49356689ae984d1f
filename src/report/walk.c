/*
 * The one traversal of report structs. JSON, the list of metrics and whatever else wants all of a
 * report see it through this, so that no form can forget a field.
 */
#include "report/value.h"

typedef struct walker {
    gp_report_visit *visit;
    void *context;
    bool sparse; /* what is absent is passed over */
} walker;

static gp_status emit(const walker *walk, gp_report_event event) {
    return walk->visit(walk->context, &event);
}

static gp_status emit_value(const walker *walk, const char *key, const gp_report_value *value) {
    return emit(walk, (gp_report_event){.kind = GP_REPORT_VALUE, .key = key, .value = *value});
}

static gp_status walk_struct(const walker *walk, const gp_report_struct *type, const char *key,
                             const void *object);

static gp_status walk_value(const walker *walk, const gp_report_field *field, const void *object) {
    gp_status st = GP_OK;
    for (int part = 0; st == GP_OK && part < gp_report_parts(field); part++) {
        char room[GP_REPORT_KEY_MAX];
        gp_report_value value;
        gp_report_read(field, object, part, &value);
        if (!value.absent || !(field->omit_absent || walk->sparse))
            st = emit_value(walk, gp_report_part_key(field, part, room), &value);
    }
    return st;
}

static gp_status walk_item(const walker *walk, const gp_report_field *field, const void *item) {
    const walker inside = {walk->visit, walk->context, walk->sparse || field->dense};
    if (field->nested != NULL)
        return walk_struct(&inside, field->nested, NULL, item);
    gp_report_value value = {.kind = GP_REPORT_STRING};
    if (gp_report_holds_counts(field))
        value = (gp_report_value){
            .kind = GP_REPORT_COUNT, .dim = GP_DIM_COUNT, .count = *(const int64_t *)item};
    else
        value.text = *(const char *const *)item;
    value.absent = value.kind == GP_REPORT_STRING && value.text == NULL;
    return emit_value(walk, NULL, &value);
}

static gp_status walk_list(const walker *walk, const gp_report_field *field, const void *object) {
    gp_any_list list = gp_report_list_of(field, object);
    if (list.count == 0 && field->omit_absent)
        return GP_OK;
    gp_status st = emit(
        walk,
        (gp_report_event){.kind = GP_REPORT_OPEN_LIST, .key = field->key, .dense = field->dense});
    for (size_t i = 0; st == GP_OK && i < list.count; i++)
        st = walk_item(walk, field, gp_report_item(list, field, i));
    return st == GP_OK ? emit(walk, (gp_report_event){.kind = GP_REPORT_CLOSE_LIST}) : st;
}

static gp_status walk_optional(const walker *walk, const gp_report_field *field,
                               const void *target) {
    const gp_report_value none = {.absent = true};
    if (target != NULL)
        return walk_struct(walk, field->nested, field->key, target);
    return field->omit_absent || walk->sparse ? GP_OK : emit_value(walk, field->key, &none);
}

static gp_status walk_field(const walker *walk, const gp_report_field *field, const void *object) {
    const walker inside = {walk->visit, walk->context, walk->sparse && !field->whole};
    const char *at = (const char *)object + field->offset;
    switch (field->kind) {
    case GP_REPORT_STRUCT: return walk_struct(&inside, field->nested, field->key, at);
    case GP_REPORT_OPTIONAL:
        return walk_optional(walk, field, *(const void *const *)(const void *)at);
    case GP_REPORT_LIST: return walk_list(walk, field, object);
    case GP_REPORT_STRING:
    case GP_REPORT_BOOL:
    case GP_REPORT_COUNT:
    case GP_REPORT_REAL:
    case GP_REPORT_EXACT:
    case GP_REPORT_BAND: return walk_value(walk, field, object);
    }
    return GP_ERR_INTERNAL;
}

static gp_status walk_struct(const walker *walk, const gp_report_struct *type, const char *key,
                             const void *object) {
    gp_status st =
        emit(walk, (gp_report_event){.kind = GP_REPORT_OPEN_STRUCT, .key = key, .type = type});
    for (size_t i = 0; st == GP_OK && i < type->field_count; i++)
        st = walk_field(walk, &type->fields[i], object);
    return st == GP_OK ? emit(walk, (gp_report_event){.kind = GP_REPORT_CLOSE_STRUCT}) : st;
}

gp_status gp_report_walk(const gp_report_struct *type, const void *object, gp_report_visit *visit,
                         void *context) {
    const walker walk = {visit, context, false};
    return walk_struct(&walk, type, NULL, object);
}
