/* Paths of --set: one step per segment, each a key of a struct, an item of a list or the key of a
 * free map; the last one is bound like any node of a spec. */
#include "schema/path.h"

#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "schema/diag_ids.h"
#include "schema/field.h"
#include "schema/scalar.h"

typedef struct cursor {
    gp_binder *binder;
    const gp_text *path;
    size_t at;    /* where the segment under examination starts */
    void *object; /* struct it is looked up in */
} cursor;

static const char *rest(const cursor *c) {
    return c->path->data + c->at;
}

static gp_status refuse(const cursor *c, size_t len, const char *expected, const char *nearest,
                        const char *what) {
    gp_span span = {.text = c->path, .begin = (uint32_t)c->at, .end = (uint32_t)(c->at + len)};
    gp_diags_error(c->binder->diags, GP_ID_BAD_PATH, span, expected, nearest, "\"%s\" %s",
                   gp_shown(c->binder->arena, rest(c), len), what);
    return GP_ERR_INPUT;
}

/* Takes "[3]" at the cursor; the index, or -1. */
static int64_t take_index(cursor *c) {
    const char *close = strchr(rest(c), ']');
    int64_t index = -1;
    size_t len = close ? (size_t)(close - rest(c)) : 0;
    if (len < 2 || !gp_num_parse_i64(rest(c) + 1, len - 1, &index) || index < 0)
        return -1;
    c->at += len + 1;
    return index;
}

/* The item whose name is the longest that the path goes on with: names may have dots. */
static int64_t take_name(cursor *c, const gp_field *field, gp_any_list list) {
    int64_t best = -1;
    size_t best_len = 0;
    for (size_t i = 0; i < list.count; i++) {
        const char *name = gp_struct_id(gp_list_item(list, field, i), field->nested);
        size_t len = name ? strlen(name) : 0;
        bool here = len > best_len && strncmp(rest(c), name, len) == 0;
        if (here && strchr(".[", rest(c)[len])) { /* also finds the end of the path */
            best = (int64_t)i;
            best_len = len;
        }
    }
    c->at += best_len;
    return best;
}

static const char *nearest_name(const cursor *c, const gp_field *field, gp_any_list list,
                                size_t len) {
    for (size_t i = 0; i < list.count; i++) {
        const char *name = gp_struct_id(gp_list_item(list, field, i), field->nested);
        if (name && gp_str_distance(rest(c), len, name) >= 0)
            return name;
    }
    return NULL;
}

static const char *no_such_index(const cursor *c, size_t count) {
    gp_arena *arena = c->binder->arena;
    if (count == 0)
        return "is not there: the list is empty";
    return count == 1 ? "is not there: the list has one item, [0]"
                      : gp_arena_printf(arena, "is not there: the list has %zu items, [0] to [%zu]",
                                        count, count - 1);
}

/* Steps into an item of a list of structs. */
static gp_status step_item(cursor *c, const gp_field *field) {
    gp_any_list list = gp_list_get(c->object, field);
    bool by_index = *rest(c) == '[';
    c->at += *rest(c) == '.';
    size_t len = by_index ? strcspn(rest(c), ".") : strcspn(rest(c), ".[");
    size_t start = c->at;
    int64_t index = by_index ? take_index(c) : take_name(c, field, list);
    if (index < 0 || (size_t)index >= list.count) {
        c->at = start;
        return refuse(c, len, "the name of an item, or [index] from 0",
                      by_index ? NULL : nearest_name(c, field, list, len),
                      by_index ? no_such_index(c, list.count) : "is not an item of this list");
    }
    c->object = gp_list_item(list, field, (size_t)index);
    if (*rest(c) != '.')
        return refuse(c, strlen(rest(c)), "a key of this item", NULL, "ends at a whole list item");
    c->at++;
    return GP_OK;
}

/* Binds the entry of a free map, whose key is all that is left of the path. */
static gp_status step_entry(cursor *c, const gp_field *field, const gp_node *value) {
    if (*rest(c) != '.' || rest(c)[1] == '\0')
        return refuse(c, strlen(rest(c)), "a key after the last point", NULL, "is not an entry");
    gp_bind_entry(c->binder, rest(c) + 1, value, field, c->object);
    return GP_OK;
}

/* A group that the file does not have stands where its first key was set. */
static void mark_given(cursor *c, const gp_field *field, gp_span place) {
    gp_meta *meta = c->object;
    gp_meta *inner = (gp_meta *)(void *)((char *)c->object + field->offset);
    gp_origin *origin = gp_origin_of_field(meta, field);
    if (origin->kind == GP_ORIGIN_NONE)
        *origin = (gp_origin){.span = place, .kind = GP_ORIGIN_FLAG};
    if (inner->span.text == NULL)
        inner->span = place;
}

/* One key, and what comes after it. *ret_done when the value has been bound. */
static gp_status step_key(cursor *c, const gp_node *value, bool *ret_done) {
    const gp_struct *type = ((gp_meta *)c->object)->type;
    size_t len = strcspn(rest(c), ".[");
    int row = gp_field_named(type, rest(c), len);
    if (row < 0)
        return refuse(c, len, gp_arena_printf(c->binder->arena, "a key of %s", type->name),
                      gp_struct_nearest(type, rest(c), len), "is not a key here");
    const gp_field *field = &type->fields[row];
    c->at += len;
    *ret_done = *rest(c) == '\0';
    if (*ret_done) {
        gp_bind_field(c->binder, value, field, c->object);
        return GP_OK;
    }
    if (field->kind == GP_FIELD_MAP) {
        *ret_done = true;
        return step_entry(c, field, value);
    }
    if (field->kind == GP_FIELD_LIST && field->nested)
        return step_item(c, field);
    if (field->kind != GP_FIELD_STRUCT || *rest(c) != '.')
        return refuse(c, strlen(rest(c)), NULL, NULL, "continues below a single value");
    mark_given(c, field, value->span);
    c->object = (char *)c->object + field->offset;
    c->at++;
    return GP_OK;
}

gp_status gp_path_set(gp_binder *binder, void *object, const gp_text *path, const gp_node *value) {
    cursor c = {.binder = binder, .path = path, .object = object};
    bool done = false;
    gp_status st = GP_OK;
    while (!done && !st)
        st = step_key(&c, value, &done);
    return st == GP_ERR_INPUT ? GP_OK : st;
}
