/* A walk over all given fields of a bound struct. */
#include "schema/visit.h"

#include <string.h>

#include "base/str.h"
#include "schema/field.h"

typedef struct walk {
    gp_arena *arena;
    gp_visitor *visitor;
    void *context;
} walk;

static gp_status walk_struct(const walk *w, const void *object, const char *prefix);

static gp_status walk_items(const walk *w, const void *object, const gp_field *field,
                            const char *path) {
    gp_any_list list = gp_list_get(object, field);
    for (size_t i = 0; i < list.count; i++) {
        const void *item = gp_list_item(list, field, i);
        const char *id = gp_struct_id(item, field->nested);
        const char *name = id ? gp_arena_printf(w->arena, "%s.%s", path, id)
                              : gp_arena_printf(w->arena, "%s[%zu]", path, i);
        if (!name)
            return GP_ERR_NO_MEMORY;
        gp_status st = walk_struct(w, item, name);
        if (st)
            return st;
    }
    return GP_OK;
}

static gp_status walk_field(const walk *w, const void *object, const gp_field *field,
                            const gp_origin *origin, const char *prefix) {
    const void *value = (const char *)object + field->offset;
    const bool holds = field->kind == GP_FIELD_STRUCT ||
                       (field->kind == GP_FIELD_LIST && field->nested != NULL);
    if (origin->kind == GP_ORIGIN_NONE && !holds)
        return GP_OK;
    const char *path = gp_arena_printf(w->arena, "%s%s%s", prefix, *prefix ? "." : "", field->key);
    if (!path)
        return GP_ERR_NO_MEMORY;
    if (origin->kind != GP_ORIGIN_NONE) {
        gp_visit visit = {w->arena, path, field, origin, value, w->context};
        gp_status st = w->visitor(&visit);
        if (st)
            return st;
    }
    if (field->kind == GP_FIELD_STRUCT)
        return walk_struct(w, value, path);
    if (field->kind == GP_FIELD_LIST && field->nested)
        return walk_items(w, object, field, path);
    return GP_OK;
}

static gp_status walk_struct(const walk *w, const void *object, const char *prefix) {
    gp_meta meta;
    memcpy(&meta, object, sizeof meta);
    if (!meta.type)
        return GP_OK;
    for (size_t i = 0; i < meta.type->field_count; i++) {
        gp_status st = walk_field(w, object, &meta.type->fields[i], &meta.origins[i], prefix);
        if (st)
            return st;
    }
    return GP_OK;
}

gp_status gp_struct_visit(gp_arena *arena, const void *object, const char *prefix,
                          gp_visitor *visitor, void *context) {
    walk w = {arena, visitor, context};
    return walk_struct(&w, object, prefix);
}
