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

static void walk_struct(const walk *w, const void *object, const char *prefix);

static void walk_items(const walk *w, const void *object, const gp_field *field, const char *path) {
    gp_any_list list = gp_list_get(object, field);
    for (size_t i = 0; i < list.count; i++) {
        const void *item = gp_list_item(list, field, i);
        const char *id = gp_struct_id(item, field->nested);
        const char *name = id ? gp_arena_printf(w->arena, "%s.%s", path, id)
                              : gp_arena_printf(w->arena, "%s[%zu]", path, i);
        walk_struct(w, item, name);
    }
}

static void walk_field(const walk *w, const void *object, const gp_field *field,
                       const gp_origin *origin, const char *prefix) {
    const void *value = (const char *)object + field->offset;
    const char *path = gp_arena_printf(w->arena, "%s%s%s", prefix, *prefix ? "." : "", field->key);
    if (origin->kind != GP_ORIGIN_NONE) {
        gp_visit visit = {w->arena, path, field, origin, value, w->context};
        w->visitor(&visit);
    }
    if (field->kind == GP_FIELD_STRUCT)
        walk_struct(w, value, path);
    if (field->kind == GP_FIELD_LIST && field->nested)
        walk_items(w, object, field, path);
}

static void walk_struct(const walk *w, const void *object, const char *prefix) {
    gp_meta meta;
    memcpy(&meta, object, sizeof meta);
    if (!meta.type)
        return;
    for (size_t i = 0; i < meta.type->field_count; i++)
        walk_field(w, object, &meta.type->fields[i], &meta.origins[i], prefix);
}

void gp_struct_visit(gp_arena *arena, const void *object, const char *prefix, gp_visitor *visitor,
                     void *context) {
    walk w = {arena, visitor, context};
    walk_struct(&w, object, prefix);
}
