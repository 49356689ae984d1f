/* Overlay of bound structs, driven by the origins: a field without an origin is not there. */
#include "schema/overlay.h"

#include <string.h>

#include "schema/field.h"

static gp_meta meta_of(const void *object) {
    gp_meta meta;
    memcpy(&meta, object, sizeof meta);
    return meta;
}

/* The value's one home, or both where the key takes two dimensions. */
static void copy_value(char *dst, const char *src, const gp_field *field) {
    memcpy(dst + field->offset, src + field->offset, gp_field_size(field));
    if (field->or_dim != GP_DIM_NONE)
        memcpy(dst + field->or_offset, src + field->or_offset, sizeof(double));
}

static void merge(char *dst, const char *src, bool dst_wins) {
    gp_meta to = meta_of(dst);
    gp_meta from = meta_of(src);
    if (!to.type || !from.origins)
        return;
    if (from.span.text && !(dst_wins && to.span.text)) {
        to.span = from.span;
        to.key_span = from.key_span;
        memcpy(dst, &to, sizeof to);
    }
    for (size_t i = 0; i < to.type->field_count; i++) {
        const gp_field *field = &to.type->fields[i];
        bool whole = field->flags & GP_FIELD_WHOLE;
        bool there = to.origins[i].kind != GP_ORIGIN_NONE;
        if (field->kind == GP_FIELD_STRUCT && !(whole && dst_wins && there)) {
            if (whole && from.origins[i].kind != GP_ORIGIN_NONE)
                gp_struct_clear(dst + field->offset);
            merge(dst + field->offset, src + field->offset, dst_wins);
        }
        if (from.origins[i].kind == GP_ORIGIN_NONE || (dst_wins && there))
            continue;
        if (field->kind != GP_FIELD_STRUCT)
            copy_value(dst, src, field);
        to.origins[i] = from.origins[i];
    }
}

void gp_overlay(void *dst, const void *src) {
    merge(dst, src, false);
}

void gp_underlay(void *dst, const void *src) {
    merge(dst, src, true);
}

void gp_struct_clear(void *object) {
    gp_meta meta = meta_of(object);
    if (!meta.type)
        return;
    for (size_t i = 0; i < meta.type->field_count; i++) {
        const gp_field *field = &meta.type->fields[i];
        if (field->kind == GP_FIELD_STRUCT) {
            gp_struct_clear((char *)object + field->offset);
        } else {
            memset((char *)object + field->offset, 0, gp_field_size(field));
        }
        if (field->or_dim != GP_DIM_NONE)
            memset((char *)object + field->or_offset, 0, sizeof(double));
        meta.origins[i] = (gp_origin){.kind = GP_ORIGIN_NONE};
    }
}

void gp_origins_stamp(void *object, const gp_origin *stamp) {
    gp_meta meta = meta_of(object);
    if (!meta.type)
        return;
    for (size_t i = 0; i < meta.type->field_count; i++) {
        const gp_field *field = &meta.type->fields[i];
        gp_origin *origin = &meta.origins[i];
        if (field->kind == GP_FIELD_STRUCT) {
            gp_origins_stamp((char *)object + field->offset, stamp);
        } else if (field->kind == GP_FIELD_LIST && field->nested) {
            gp_any_list list = gp_list_get(object, field);
            for (size_t k = 0; k < list.count; k++)
                gp_origins_stamp(gp_list_item(list, field, k), stamp);
        }
        if (origin->kind != GP_ORIGIN_NONE) {
            gp_span span = origin->span;
            *origin = *stamp;
            origin->span = span;
        }
    }
}
