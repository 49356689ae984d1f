/* Defaults: each is written in its row as a user would write it, and bound like a user's value. */
#include <string.h>

#include "schema/bind.h"
#include "schema/field.h"

static gp_meta *meta_of(void *object) {
    return object; /* every bound struct starts with its gp_meta */
}

/* The default of a list, "a, b", as a node. */
static void default_list(gp_arena *arena, const char *text, gp_node *ret_list) {
    const gp_node **items = NULL;
    size_t cap = 0;
    *ret_list = (gp_node){.kind = GP_NODE_SEQ};
    while (*text) {
        size_t len = strcspn(text, ",");
        gp_node *item = GP_NEW(arena, gp_node);
        items = gp_arena_grow(arena, items, ret_list->count, &cap, sizeof(gp_node *));
        item->text = gp_arena_strndup(arena, text, len);
        item->len = len;
        items[ret_list->count++] = item;
        text += len;
        text += strspn(text, ", ");
    }
    ret_list->items = items;
}

void gp_default_field(gp_arena *arena, gp_diags *diags, const gp_field *field, void *object) {
    gp_binder binder = {.arena = arena, .diags = diags, .origin = GP_ORIGIN_DEFAULT};
    gp_node node = {.kind = GP_NODE_SCALAR, .text = field->default_text};
    if (!field->default_text || gp_origin_of_field(meta_of(object), field)->kind)
        return;
    node.len = strlen(field->default_text);
    if (field->kind == GP_FIELD_LIST)
        default_list(arena, field->default_text, &node);
    gp_bind_field(&binder, &node, field, object);
}

static void fill_items(gp_arena *arena, gp_diags *diags, const gp_field *field, void *object) {
    gp_any_list list = gp_list_get(object, field);
    for (size_t i = 0; i < list.count; i++)
        gp_defaults_fill(arena, diags, gp_list_item(list, field, i));
}

void gp_defaults_fill(gp_arena *arena, gp_diags *diags, void *object) {
    const gp_struct *type = meta_of(object)->type;
    for (size_t i = 0; i < type->field_count; i++) {
        const gp_field *field = &type->fields[i];
        bool absent = meta_of(object)->origins[i].kind == GP_ORIGIN_NONE;
        if (field->kind == GP_FIELD_STRUCT) {
            if (!(absent && (field->flags & GP_FIELD_WHEN_GIVEN)))
                gp_defaults_fill(arena, diags, (char *)object + field->offset);
        } else if (field->kind == GP_FIELD_LIST && field->nested) {
            fill_items(arena, diags, field, object);
        } else {
            gp_default_field(arena, diags, field, object);
        }
    }
}
