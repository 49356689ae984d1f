/* A walk over all given fields of a bound struct. */
#include "schema/visit.h"

#include <string.h>

#include "base/buf.h"
#include "schema/field.h"

enum { PATH_MAX_BYTES = 1 << 24 };

typedef struct walk {
    gp_buf path; /* of what is looked at */
    gp_visitor *visitor;
    void *context;
} walk;

static void walk_struct(walk *w, const void *object);

static void walk_items(walk *w, const void *object, const gp_field *field) {
    const gp_any_list list = gp_list_get(object, field);
    const size_t len = w->path.len;
    for (size_t i = 0; i < list.count; i++) {
        const void *item = gp_list_item(list, field, i);
        const char *id = gp_struct_id(item, field->nested);
        if (id != NULL)
            gp_buf_printf(&w->path, ".%s", id);
        else
            gp_buf_printf(&w->path, "[%zu]", i);
        walk_struct(w, item);
        gp_buf_truncate(&w->path, len);
    }
}

static void walk_field(walk *w, const void *object, const gp_field *field,
                       const gp_origin *origin) {
    const void *value = (const char *)object + field->offset;
    const bool holds =
        field->kind == GP_FIELD_STRUCT || (field->kind == GP_FIELD_LIST && field->nested != NULL);
    const size_t len = w->path.len;
    if (origin->kind == GP_ORIGIN_NONE && !holds)
        return;
    if (len > 0)
        gp_buf_char(&w->path, '.');
    gp_buf_str(&w->path, field->key);
    if (origin->kind != GP_ORIGIN_NONE) {
        gp_visit visit = {w->path.data, field, origin, value, w->context};
        w->visitor(&visit);
    }
    if (field->kind == GP_FIELD_STRUCT)
        walk_struct(w, value);
    else if (holds)
        walk_items(w, object, field);
    gp_buf_truncate(&w->path, len);
}

static void walk_struct(walk *w, const void *object) {
    gp_meta meta;
    memcpy(&meta, object, sizeof meta);
    if (!meta.type)
        return;
    for (size_t i = 0; i < meta.type->field_count; i++)
        walk_field(w, object, &meta.type->fields[i], &meta.origins[i]);
}

void gp_struct_visit(gp_arena *arena, const void *object, const char *prefix, gp_visitor *visitor,
                     void *context) {
    walk w = {.visitor = visitor, .context = context};
    gp_buf_init(&w.path, arena, PATH_MAX_BYTES);
    gp_buf_str(&w.path, prefix);
    walk_struct(&w, object);
}
