/*
 * Reading single values out of report structs, and making structs absent. Everything that knows how
 * a row's kind lies in memory is here.
 */
#include "report/value.h"

#include <string.h>

double gp_value_number(const gp_report_value *value) {
    return value->kind == GP_REPORT_BOOL    ? (double)value->flag
           : value->kind == GP_REPORT_COUNT ? (double)value->count
                                            : value->real;
}

int gp_report_parts(const gp_report_field *field) {
    return field->kind == GP_REPORT_BAND ? 3 : 1;
}

const char *gp_report_part_key(const gp_report_field *field, int part,
                               char room[GP_REPORT_KEY_MAX]) {
    static const char *const suffixes[] = {"", "Low", "High"};
    size_t len = strlen(field->key);
    if (part == 0 || len + 5 > GP_REPORT_KEY_MAX)
        return field->key;
    memcpy(room, field->key, len);
    memcpy(room + len, suffixes[part], strlen(suffixes[part]) + 1);
    return room;
}

static double band_part(const gp_report_band *band, int part) {
    if (part == 1)
        return band->low;
    return part == 2 ? band->high : band->expected;
}

void gp_report_read(const gp_report_field *field, const void *object, int part,
                    gp_report_value *ret_value) {
    const char *at = (const char *)object + field->offset;
    *ret_value = (gp_report_value){.kind = field->kind, .dim = field->dim};
    switch (field->kind) {
    case GP_REPORT_STRING:
        memcpy(&ret_value->text, at, sizeof ret_value->text);
        ret_value->absent = ret_value->text == NULL;
        break;
    case GP_REPORT_BOOL: memcpy(&ret_value->flag, at, sizeof ret_value->flag); break;
    case GP_REPORT_COUNT:
        memcpy(&ret_value->count, at, sizeof ret_value->count);
        ret_value->absent = ret_value->count == GP_REPORT_NO_COUNT;
        break;
    case GP_REPORT_REAL:
    case GP_REPORT_EXACT:
        memcpy(&ret_value->real, at, sizeof ret_value->real);
        ret_value->absent = !isfinite(ret_value->real);
        break;
    case GP_REPORT_BAND:
        ret_value->kind = GP_REPORT_REAL;
        ret_value->real = band_part((const gp_report_band *)(const void *)at, part);
        ret_value->absent = !isfinite(ret_value->real);
        break;
    case GP_REPORT_STRUCT:
    case GP_REPORT_OPTIONAL:
    case GP_REPORT_LIST: ret_value->absent = true; break;
    }
}

gp_any_list gp_report_list_of(const gp_report_field *field, const void *object) {
    gp_any_list list;
    memcpy(&list, (const char *)object + field->offset, sizeof list);
    return list;
}

bool gp_report_holds_counts(const gp_report_field *field) {
    return field->nested == NULL && field->dim == GP_DIM_COUNT;
}

size_t gp_report_item_size(const gp_report_field *field) {
    if (gp_report_holds_counts(field))
        return sizeof(int64_t);
    return field->nested != NULL ? field->nested->size : sizeof(const char *);
}

const void *gp_report_item(gp_any_list list, const gp_report_field *field, size_t index) {
    return (const char *)list.items + index * gp_report_item_size(field);
}

const char *gp_report_text_at(const gp_report_field *field, const void *object) {
    const char *text;
    memcpy(&text, (const char *)object + field->offset, sizeof text);
    return text;
}

static void clear_field(const gp_report_field *field, void *at) {
    const gp_report_band none = {GP_REPORT_NO_REAL, GP_REPORT_NO_REAL, GP_REPORT_NO_REAL};
    const double no_real = GP_REPORT_NO_REAL;
    const int64_t no_count = GP_REPORT_NO_COUNT;
    if (field->kind == GP_REPORT_STRUCT)
        gp_report_clear(field->nested, at);
    else if (field->kind == GP_REPORT_BAND)
        memcpy(at, &none, sizeof none);
    else if (field->kind == GP_REPORT_COUNT)
        memcpy(at, &no_count, sizeof no_count);
    else if (field->kind == GP_REPORT_REAL || field->kind == GP_REPORT_EXACT)
        memcpy(at, &no_real, sizeof no_real);
}

void gp_report_clear(const gp_report_struct *type, void *object) {
    memset(object, 0, type->size);
    for (size_t i = 0; i < type->field_count; i++)
        clear_field(&type->fields[i], (char *)object + type->fields[i].offset);
}
