/* Binding of trees to structs. Each row of a descriptor says what its node may be; errors are
 * added to the diagnostics, and a field that was refused is as good as absent except that nobody
 * complains about its absence. */
#include "schema/bind.h"

#include <string.h>

#include "base/buf.h"
#include "base/index.h"
#include "base/str.h"
#include "schema/diag_ids.h"
#include "schema/field.h"
#include "schema/overlay.h"
#include "schema/scalar.h"

enum { KEYS_SHOWN = 12, KEYS_MAX = 2000 };

static void bind_value(gp_binder *binder, const gp_node *node, const gp_field *field, void *object,
                       bool *ret_bound);

/* "one of tokens, samples, ..." for a map with unknown keys. */
static const char *known_keys(gp_arena *arena, const gp_struct *type) {
    gp_buf buf;
    const char *text = NULL;
    gp_buf_init(&buf, arena, KEYS_MAX);
    for (size_t i = 0; i < type->field_count && i < KEYS_SHOWN; i++) {
        gp_buf_str(&buf, i == 0 ? "one of " : ", ");
        gp_buf_str(&buf, type->fields[i].key);
    }
    gp_buf_str(&buf, type->field_count > KEYS_SHOWN ? ", ..." : "");
    return gp_buf_finish(&buf, &text, NULL) ? NULL : text;
}

static void refuse_key(gp_binder *binder, const gp_node *key, const gp_struct *type) {
    gp_diags_error(binder->diags, GP_ID_UNKNOWN_KEY, key->span, known_keys(binder->arena, type),
                   gp_struct_nearest(type, key->text, key->len), "unknown key \"%s\" in %s",
                   gp_shown(binder->arena, key->text, key->len), type->name);
}

static void refuse_kind(gp_binder *binder, const gp_node *node, const char *name,
                        const char *expected) {
    bool null = gp_node_is_null(node);
    gp_diags_error(binder->diags, null ? GP_ID_EMPTY : GP_ID_WRONG_TYPE, node->span, expected, NULL,
                   null ? "%s has no value" : "%s: found a %s", name,
                   gp_node_kind_name(node->kind));
}

static gp_meta *meta_of(void *object) {
    return object; /* every bound struct starts with its gp_meta */
}

/* A misspelt key that is nearest to this one stands in the map: one error is enough. */
static bool misspelt(const gp_node *map, const gp_struct *type, const char *key) {
    for (size_t i = 0; i < map->count; i++) {
        const gp_node *other = map->entries[i].key;
        if (gp_field_named(type, other->text, other->len) < 0 &&
            gp_str_equal(gp_struct_nearest(type, other->text, other->len), key))
            return true;
    }
    return false;
}

/* The reader of the text left a key of this map out (twice there, merged in), and said so. */
static bool reader_refused(const gp_diags *diags, const gp_node *map) {
    for (size_t i = 0; i < diags->count; i++) {
        const gp_diag *diag = &diags->items[i];
        bool reader = gp_str_equal(diag->id, GP_SOURCE_UNSUPPORTED) ||
                      gp_str_equal(diag->id, GP_SOURCE_DUPLICATE);
        if (reader && diag->span.text == map->span.text && diag->span.begin >= map->span.begin &&
            diag->span.end <= map->span.end)
            return true;
    }
    return false;
}

static void check_required(gp_binder *binder, const gp_node *map, const gp_struct *type) {
    if (reader_refused(binder->diags, map))
        return;
    for (size_t i = 0; i < type->field_count; i++) {
        const gp_field *field = &type->fields[i];
        if (!(field->flags & GP_FIELD_REQUIRED) || gp_node_get(map, field->key) ||
            misspelt(map, type, field->key))
            continue;
        gp_span span = map->span;
        span.end = span.begin < span.end ? span.begin + 1 : span.end;
        gp_diags_error(binder->diags, GP_ID_MISSING_KEY, span,
                       gp_arena_printf(binder->arena, "%s: %s", field->key,
                                       gp_field_expected(binder->arena, field)),
                       NULL, "%s needs the key \"%s\"", type->name, field->key);
    }
}

static void bind_map(gp_binder *binder, const gp_node *map, const gp_struct *type, void *object) {
    for (size_t i = 0; i < map->count; i++) {
        const gp_node *key = map->entries[i].key;
        int row = gp_field_named(type, key->text, key->len);
        if (row < 0) {
            refuse_key(binder, key, type);
            continue;
        }
        const gp_field *field = &type->fields[row];
        gp_bind_field(binder, map->entries[i].value, field, object);
        if (field->kind == GP_FIELD_STRUCT)
            meta_of((char *)object + field->offset)->key_span = key->span;
    }
    check_required(binder, map, type);
}

void gp_bind_struct(gp_binder *binder, const gp_node *node, const gp_struct *type, void *object) {
    meta_of(object)->span = node->span;
    if (node->kind == GP_NODE_MAP) {
        bind_map(binder, node, type, object);
        return;
    }
    bool scalar = node->kind == GP_NODE_SCALAR && !gp_node_is_null(node);
    const char *key = scalar ? type->scalar_key : type->list_key;
    if (!key || (!scalar && node->kind != GP_NODE_SEQ)) {
        refuse_kind(binder, node, type->name, gp_struct_expected(binder->arena, type));
        return;
    }
    const gp_field *field = &type->fields[gp_field_named(type, key, strlen(key))];
    binder->written = binder->outer;
    gp_bind_field(binder, node, field, object);
    binder->written = NULL;
}

/* Where the name of a list item stands. */
static gp_span id_span(const gp_node *item, const gp_field *id) {
    const gp_node *node = gp_node_get(item, id->key);
    return node ? node->span : item->span;
}

static void refuse_name(gp_binder *binder, const gp_node *list, const gp_field *id,
                        const char *name, size_t first, size_t second) {
    gp_diag diag = {.id = GP_ID_DUPLICATE_NAME, .level = GP_LEVEL_ERROR};
    diag.span = id_span(list->items[second], id);
    diag.related = id_span(list->items[first], id);
    diag.related_text = "first defined here";
    diag.message = gp_arena_printf(binder->arena, "the %s \"%s\" is already used", id->key,
                                   gp_shown(binder->arena, name, strlen(name)));
    gp_diags_add(binder->diags, &diag);
}

static void check_names(gp_binder *binder, const gp_node *list, const gp_field *field,
                        gp_any_list items) {
    const gp_field *id = gp_struct_id_field(field->nested);
    gp_index names;
    gp_index_init(&names, binder->arena);
    for (size_t i = 0; id && i < items.count; i++) {
        const char *name = gp_struct_id(gp_list_item(items, field, i), field->nested);
        bool added = true;
        size_t first = 0;
        if (name)
            gp_index_add(&names, name, strlen(name), i, &added, &first);
        if (!added)
            refuse_name(binder, list, id, name, first, i);
    }
}

static void bind_structs(gp_binder *binder, const gp_node *node, const gp_field *field,
                         void *object) {
    gp_any_list list = {.count = node->count};
    list.items = gp_arena_alloc(binder->arena, node->count ? node->count : 1, field->nested->size);
    for (size_t i = 0; i < node->count; i++) {
        void *item = gp_list_item(list, field, i);
        gp_struct_init(binder->arena, field->nested, item);
        binder->outer = field->key;
        gp_bind_struct(binder, node->items[i], field->nested, item);
    }
    gp_list_set(object, field, list);
    check_names(binder, node, field, list);
}

static size_t item_size(gp_field_kind kind) {
    return kind == GP_FIELD_STRING ? sizeof(const char *) : sizeof(double);
}

static void bind_scalars(gp_binder *binder, const gp_node *node, const gp_field *field,
                         void *object) {
    size_t size = item_size(field->item);
    gp_any_list list = {.count = 0};
    list.items = gp_arena_alloc(binder->arena, node->count ? node->count : 1, size);
    for (size_t i = 0; i < node->count; i++) {
        gp_scalar scalar;
        if (gp_scalar_read(binder, node->items[i], field, field->item, &scalar)) {
            gp_scalar_store(&scalar, field->item, (char *)list.items + list.count * size);
            list.count++;
        }
    }
    gp_list_set(object, field, list);
}

static bool read_entry(gp_binder *binder, const char *key, const gp_node *node,
                       const gp_field *field, gp_entry *ret) {
    gp_scalar scalar;
    if (!gp_scalar_read(binder, node, field, field->item, &scalar))
        return false;
    *ret = (gp_entry){.key = key, .text = node->text, .value = scalar.number, .span = node->span};
    return true;
}

static void bind_entries(gp_binder *binder, const gp_node *node, const gp_field *field,
                         void *object) {
    gp_any_list list = {.count = 0};
    gp_entry *entries = GP_NEW_ARRAY(binder->arena, gp_entry, node->count ? node->count : 1);
    list.items = entries;
    for (size_t i = 0; i < node->count; i++) {
        const gp_node_entry *entry = &node->entries[i];
        if (read_entry(binder, entry->key->text, entry->value, field, &entries[list.count]))
            list.count++;
    }
    gp_list_set(object, field, list);
}

/* On the command line, where a list is awkward to write, one word stands for a list of one. */
static bool is_one_word(const gp_binder *binder, const gp_node *node, const gp_field *field) {
    return binder->origin == GP_ORIGIN_FLAG && field->kind == GP_FIELD_LIST && !field->nested &&
           field->item == GP_FIELD_STRING && node->kind == GP_NODE_SCALAR && !gp_node_is_null(node);
}

static void bind_list(gp_binder *binder, const gp_node *node, const gp_field *field, void *object,
                      bool *ret_bound) {
    if (is_one_word(binder, node, field)) {
        const gp_node list = {.kind = GP_NODE_SEQ, .span = node->span, .count = 1, .items = &node};
        *ret_bound = true;
        bind_scalars(binder, &list, field, object);
        return;
    }
    gp_node_kind due = field->kind == GP_FIELD_MAP ? GP_NODE_MAP : GP_NODE_SEQ;
    if (node->kind != due) {
        refuse_kind(binder, node, field->key, gp_field_expected(binder->arena, field));
        return;
    }
    *ret_bound = true;
    if (due == GP_NODE_MAP)
        bind_entries(binder, node, field, object);
    else if (field->nested)
        bind_structs(binder, node, field, object);
    else
        bind_scalars(binder, node, field, object);
}

static void bind_scalar(gp_binder *binder, const gp_node *node, const gp_field *field, void *object,
                        bool *ret_bound) {
    gp_scalar scalar;
    char *member = (char *)object + field->offset;
    *ret_bound = gp_scalar_read(binder, node, field, field->kind, &scalar);
    if (!*ret_bound)
        return;
    if (field->or_dim != GP_DIM_NONE) {
        double zero = 0;
        memcpy(member, &zero, sizeof zero);
        memcpy((char *)object + field->or_offset, &zero, sizeof zero);
        member = scalar.other_dim ? (char *)object + field->or_offset : member;
    }
    gp_scalar_store(&scalar, field->kind, member);
}

static void bind_value(gp_binder *binder, const gp_node *node, const gp_field *field, void *object,
                       bool *ret_bound) {
    switch (field->kind) {
    case GP_FIELD_STRUCT:
        *ret_bound = true;
        gp_struct_clear((char *)object + field->offset);
        binder->outer = field->key;
        gp_bind_struct(binder, node, field->nested, (char *)object + field->offset);
        return;
    case GP_FIELD_LIST:
    case GP_FIELD_MAP: bind_list(binder, node, field, object, ret_bound); return;
    case GP_FIELD_STRING:
    case GP_FIELD_ENUM:
    case GP_FIELD_BOOL:
    case GP_FIELD_COUNT:
    case GP_FIELD_QUANTITY:
    case GP_FIELD_DATE: break;
    }
    bind_scalar(binder, node, field, object, ret_bound);
}

void gp_bind_field(gp_binder *binder, const gp_node *node, const gp_field *field, void *object) {
    bool bound = false;
    bind_value(binder, node, field, object, &bound);
    if (bound) {
        gp_origin *origin = gp_origin_of_field(meta_of(object), field);
        *origin = (gp_origin){.span = node->span, .kind = (uint8_t)binder->origin};
    }
}

void gp_bind_entry(gp_binder *binder, const char *key, const gp_node *node, const gp_field *field,
                   void *object) {
    gp_any_list list = gp_list_get(object, field);
    gp_entry entry;
    if (!read_entry(binder, key, node, field, &entry))
        return;
    gp_entry *entries = GP_NEW_ARRAY(binder->arena, gp_entry, list.count + 1);
    if (list.count > 0)
        memcpy(entries, list.items, list.count * sizeof *entries);
    size_t at = 0;
    while (at < list.count && !gp_str_equal(entries[at].key, key))
        at++;
    entries[at] = entry;
    list.items = entries;
    list.count += at == list.count;
    gp_list_set(object, field, list);
    *gp_origin_of_field(meta_of(object), field) =
        (gp_origin){.span = node->span, .kind = (uint8_t)binder->origin};
}
