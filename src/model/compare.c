/* What differs between two specs, as --set would write it. The trees are compared as they were
 * written, so that a change is what an author changed, with its line. */
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "model/fields.h"
#include "source/yaml_tree.h"

enum { FLOW_MAX = 65536, CHANGES_MAX = 2000 };

typedef struct comparer {
    gp_arena *arena;
    gp_spec_changes *out;
    size_t cap;
    bool fixed;   /* not what --set can change */
    gp_status st; /* latched */
} comparer;

/* ---- nodes as flow text */

static bool is_word(const char *text) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                " ./_+-%";
    size_t len = strlen(text);
    return len > 0 && strspn(text, plain) == len && text[0] != ' ' && text[0] != '-' &&
           text[len - 1] != ' ';
}

static void write_scalar(gp_buf *buf, const gp_node *node) {
    if (node->style == GP_STYLE_PLAIN && is_word(node->text)) {
        gp_buf_str(buf, node->text);
        return;
    }
    gp_buf_char(buf, '"');
    for (const char *c = node->text; *c != '\0'; c++) {
        if (*c == '\n') {
            gp_buf_str(buf, "\\n");
            continue;
        }
        if (*c == '"' || *c == '\\')
            gp_buf_char(buf, '\\');
        gp_buf_char(buf, *c);
    }
    gp_buf_char(buf, '"');
}

static void write_node(gp_buf *buf, const gp_node *node) {
    if (node->kind == GP_NODE_SCALAR) {
        write_scalar(buf, node);
        return;
    }
    const bool map = node->kind == GP_NODE_MAP;
    gp_buf_char(buf, map ? '{' : '[');
    for (size_t i = 0; i < node->count; i++) {
        gp_buf_str(buf, i > 0 ? ", " : "");
        if (map) {
            write_scalar(buf, node->entries[i].key);
            gp_buf_str(buf, ": ");
        }
        write_node(buf, map ? node->entries[i].value : node->items[i]);
    }
    gp_buf_char(buf, map ? '}' : ']');
}

static const char *flow_of(comparer *c, const gp_node *node) {
    gp_buf buf;
    const char *ret = NULL;
    if (node == NULL)
        return NULL;
    gp_buf_init(&buf, c->arena, FLOW_MAX);
    write_node(&buf, node);
    gp_status st = gp_buf_finish(&buf, &ret, NULL);
    if (st != GP_OK && c->st == GP_OK)
        c->st = st;
    return ret;
}

/* ---- changes */

static bool same(const gp_node *a, const gp_node *b) {
    if (a->kind != b->kind || a->count != b->count)
        return false;
    if (a->kind == GP_NODE_SCALAR)
        return gp_str_equal(a->text, b->text);
    for (size_t i = 0; i < a->count; i++) {
        const bool map = a->kind == GP_NODE_MAP;
        const gp_node *other = map ? gp_node_get(b, a->entries[i].key->text) : b->items[i];
        if (other == NULL || !same(map ? a->entries[i].value : a->items[i], other))
            return false;
    }
    return true;
}

static void add(comparer *c, const char *path, const gp_node *base, const gp_node *head,
                bool settable) {
    const gp_node *one = head != NULL ? head : base;
    if (c->st != GP_OK || one == NULL)
        return;
    if (c->out->count == CHANGES_MAX) {
        c->st = GP_ERR_LIMIT;
        return;
    }
    GP_PUSH(c->arena, c->out->items, c->out->count, c->cap) = (gp_spec_change){
        .path = path,
        .base = flow_of(c, base),
        .head = flow_of(c, head),
        .settable = settable && !c->fixed,
        .span = one->span,
    };
}

static const char *join(comparer *c, const char *path, const char *key) {
    return *path == '\0' ? key : gp_arena_printf(c->arena, "%s.%s", path, key);
}

static void compare(comparer *c, const char *path, const gp_node *base, const gp_node *head);

/* A map on one side only is told key by key, so that each can be set. */
static void compare_maps(comparer *c, const char *path, const gp_node *base, const gp_node *head) {
    for (size_t i = 0; base != NULL && i < base->count; i++) {
        const char *key = base->entries[i].key->text;
        compare(c, join(c, path, key), base->entries[i].value, gp_node_get(head, key));
    }
    for (size_t i = 0; head != NULL && i < head->count; i++) {
        const char *key = head->entries[i].key->text;
        if (gp_node_get(base, key) == NULL)
            compare(c, join(c, path, key), NULL, head->entries[i].value);
    }
}

/* Prices go by what they are for. */
static const char *name_of(const gp_node *item) {
    const gp_node *own = gp_node_get(item, "name");
    const gp_node *name = own != NULL ? own : gp_node_get(item, "item");
    return name != NULL && name->kind == GP_NODE_SCALAR ? name->text : NULL;
}

/* A list whose items all have names is compared by them, in any order. */
static bool is_named(const gp_node *list) {
    for (size_t i = 0; i < list->count; i++)
        if (name_of(list->items[i]) == NULL)
            return false;
    return list->kind == GP_NODE_SEQ && list->count > 0;
}

static const gp_node *item_named(const gp_node *list, const char *name) {
    for (size_t i = 0; list != NULL && i < list->count; i++)
        if (gp_str_equal(name_of(list->items[i]), name))
            return list->items[i];
    return NULL;
}

static void compare_lists(comparer *c, const char *path, const gp_node *base, const gp_node *head) {
    for (size_t i = 0; base != NULL && i < base->count; i++) {
        const char *name = name_of(base->items[i]);
        const gp_node *other = item_named(head, name);
        if (other == NULL) {
            add(c, join(c, path, name), base->items[i], NULL, false);
        } else {
            compare_maps(c, join(c, path, name), base->items[i], other);
        }
    }
    for (size_t i = 0; head != NULL && i < head->count; i++) {
        const char *name = name_of(head->items[i]);
        if (item_named(base, name) == NULL)
            add(c, join(c, path, name), NULL, head->items[i], false);
    }
}

static void compare(comparer *c, const char *path, const gp_node *base, const gp_node *head) {
    const gp_node *one = head != NULL ? head : base;
    const bool alike = base == NULL || head == NULL || base->kind == head->kind;
    if (c->st != GP_OK || one == NULL || (base != NULL && head != NULL && same(base, head)))
        return;
    if (alike && one->kind == GP_NODE_MAP && one->count > 0) {
        compare_maps(c, path, base, head);
    } else if (alike && is_named(one) && (base == NULL || base->count == 0 || is_named(base))) {
        compare_lists(c, path, base, head);
    } else {
        add(c, path, base, head, true);
    }
}

/* The price list that comes k-th in a text. */
static const gp_node *prices_at(const gp_yaml_docs *docs, size_t k) {
    for (size_t i = 0; i < docs->count; i++) {
        const gp_node *kind = gp_node_get(docs->roots[i], "kind");
        if (kind != NULL && gp_node_is(kind, "Prices") && k-- == 0)
            return gp_node_get(docs->roots[i], "spec");
    }
    return NULL;
}

static void compare_prices(comparer *c, const gp_yaml_docs *base, const gp_yaml_docs *head) {
    c->fixed = true;
    for (size_t k = 0; k < base->count || k < head->count; k++)
        compare(c, "prices", prices_at(base, k), prices_at(head, k));
    c->fixed = false;
}

gp_status gp_spec_compare(gp_arena *arena, const gp_text *base, const char *base_plan,
                          const gp_text *head, const char *head_plan,
                          gp_spec_changes *ret_changes) {
    comparer c = {.arena = arena, .out = ret_changes};
    gp_source_limits limits = GP_SOURCE_LIMITS_INIT;
    gp_yaml_docs docs[2] = {{0}, {0}};
    gp_diags diags;
    gp_diags_init(&diags, arena);
    *ret_changes = (gp_spec_changes){0};
    gp_status st = gp_yaml_read(arena, base, &limits, &diags, &docs[0]);
    if (st == GP_OK)
        st = gp_yaml_read(arena, head, &limits, &diags, &docs[1]);
    if (st != GP_OK)
        return st;
    const gp_node *before = gp_plan_node(&docs[0], base_plan);
    const gp_node *after = gp_plan_node(&docs[1], head_plan);
    if (before == NULL || after == NULL)
        return GP_ERR_NOT_FOUND;
    compare_maps(&c, "", before, after);
    compare_prices(&c, &docs[0], &docs[1]);
    return c.st;
}
