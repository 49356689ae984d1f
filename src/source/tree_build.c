/*
 * The tree builder. Open maps and sequences stand on a stack whose size is the depth limit. An
 * alias is a copy of the anchored node's head that shares its children; its full size is counted,
 * so that a walker of the tree meets no more than max_expanded_nodes.
 */
#include "source/tree_build.h"

#include <string.h>

enum { FEW_KEYS = 16 };

void gp_tree_init(gp_tree_builder *builder, gp_arena *arena, const gp_text *text,
                  const gp_source_limits *limits, gp_diags *diags) {
    *builder = (gp_tree_builder){.arena = arena, .text = text, .limits = limits, .diags = diags};
    builder->frames = GP_NEW_ARRAY(arena, gp_tree_frame, limits->max_depth);
    gp_index_init(&builder->anchor_names, arena);
}

void gp_tree_begin_document(gp_tree_builder *builder) {
    builder->depth = 0;
    builder->root = NULL;
    builder->anchor_count = 0;
    gp_index_init(&builder->anchor_names, builder->arena);
}

static gp_status over_limit(gp_tree_builder *builder, gp_span span, const char *what,
                            size_t limit) {
    gp_diags_error(builder->diags, GP_SOURCE_LIMIT, span, NULL, NULL, "%s: at most %zu are read",
                   what, limit);
    return GP_ERR_LIMIT;
}

static gp_tree_frame *top(gp_tree_builder *builder) {
    return builder->depth ? &builder->frames[builder->depth - 1] : NULL;
}

/* Counts nodes of a subtree that is about to be put in, and how deep it reaches from here. */
static gp_status count_nodes(gp_tree_builder *builder, gp_span span, size_t written,
                             size_t expanded, size_t height) {
    const gp_source_limits *limits = builder->limits;
    builder->nodes += written;
    builder->expanded += expanded;
    if (builder->nodes > limits->max_nodes)
        return over_limit(builder, span, "too many values", limits->max_nodes);
    if (builder->expanded > limits->max_expanded_nodes)
        return over_limit(builder, span, "too many values with aliases expanded",
                          limits->max_expanded_nodes);
    if (builder->depth + height - 1 > limits->max_depth)
        return over_limit(builder, span, "nested too deeply: levels", limits->max_depth);
    return GP_OK;
}

/* Remembers an anchor; a second one of the same name replaces the first, as YAML has it. */
static void add_anchor(gp_tree_builder *builder, const char *name, const gp_node *node, bool open,
                       size_t *ret_number) {
    *ret_number = 0;
    if (!name)
        return;
    gp_tree_anchor *anchors = gp_arena_grow(builder->arena, builder->anchors, builder->anchor_count,
                                            &builder->anchor_cap, sizeof *anchors);
    size_t len = strlen(name);
    char *copy = gp_arena_strndup(builder->arena, name, len);
    builder->anchors = anchors;
    anchors[builder->anchor_count] = (gp_tree_anchor){.node = node, .open = open};
    *ret_number = ++builder->anchor_count;
    gp_index_set(&builder->anchor_names, copy, len, *ret_number - 1);
}

static void report_duplicate(gp_tree_builder *builder, const gp_node *key, const gp_node *first) {
    const char *message = gp_arena_printf(builder->diags->arena, "duplicate key \"%s\"", key->text);
    gp_diag diag = {.id = GP_SOURCE_DUPLICATE,
                    .level = GP_LEVEL_ERROR,
                    .span = key->span,
                    .message = message ? message : "duplicate key",
                    .related = first->span,
                    .related_text = "first defined here"};
    gp_diags_add(builder->diags, &diag);
}

/* Where this key stands in the map already; frame->count when it is new. Few keys are compared one
 * by one, many are indexed. */
static void find_key(gp_tree_frame *frame, const gp_node *key, size_t *ret_first) {
    bool added = true;
    size_t first = frame->count;
    if (frame->count < FEW_KEYS) {
        for (first = 0; first < frame->count; first++) {
            const gp_node *other = frame->entries[first].key;
            if (other->len == key->len && memcmp(other->text, key->text, key->len) == 0)
                break;
        }
        *ret_first = first;
        return;
    }
    for (size_t i = frame->keys.count; i < frame->count; i++) {
        const gp_node *other = frame->entries[i].key;
        gp_index_add(&frame->keys, other->text, other->len, i, &added, &first);
    }
    *ret_first = frame->count;
    gp_index_find(&frame->keys, key->text, key->len, ret_first);
}

/* Takes a node as the next key of a map. */
static void take_key(gp_tree_builder *builder, gp_tree_frame *frame, const gp_node *key) {
    frame->key = key;
    frame->key_refused = true;
    if (key->kind != GP_NODE_SCALAR) {
        gp_diags_error(builder->diags, GP_SOURCE_UNSUPPORTED, key->span, "a plain word as key",
                       NULL, "a %s cannot be a key", gp_node_kind_name(key->kind));
        return;
    }
    if (key->style == GP_STYLE_PLAIN && gp_node_is(key, "<<")) {
        gp_diags_error(builder->diags, GP_SOURCE_UNSUPPORTED, key->span,
                       "an alias for a whole value (key: *name), or extends in a catalogue", NULL,
                       "merge keys (<<) are not supported");
        return;
    }
    size_t first = 0;
    find_key(frame, key, &first);
    if (first < frame->count)
        report_duplicate(builder, key, frame->entries[first].key);
    else
        frame->key_refused = false;
}

static void take_value(gp_tree_builder *builder, gp_tree_frame *frame, const gp_node *value) {
    if (!frame->key_refused)
        GP_PUSH(builder->arena, frame->entries, frame->count, frame->cap) =
            (gp_node_entry){.key = frame->key, .value = value};
    frame->key = NULL;
}

static void take_item(gp_tree_builder *builder, gp_tree_frame *frame, const gp_node *item) {
    GP_PUSH(builder->arena, frame->items, frame->count, frame->cap) = item;
}

/* Where a node ends on the page: an alias where it is used. */
static uint32_t end_of(const gp_node *node) {
    return node->used_at.text ? node->used_at.end : node->span.end;
}

/* Puts a complete node where it belongs. */
static void place_node(gp_tree_builder *builder, const gp_node *node) {
    gp_tree_frame *frame = top(builder);
    if (!frame) {
        builder->root = node;
        return;
    }
    frame->node->node_count += node->node_count;
    if (frame->node->height <= node->height)
        frame->node->height = node->height + 1;
    if (frame->block && frame->node->span.end < end_of(node))
        frame->node->span.end = end_of(node);
    if (frame->node->kind == GP_NODE_SEQ)
        take_item(builder, frame, node);
    else if (frame->key)
        take_value(builder, frame, node);
    else
        take_key(builder, frame, node);
}

gp_status gp_tree_scalar_add(gp_tree_builder *builder, const gp_tree_scalar *scalar, gp_span span) {
    if (scalar->len > builder->limits->max_scalar_bytes)
        return over_limit(builder, span, "the text is too long: bytes",
                          builder->limits->max_scalar_bytes);
    gp_status st = count_nodes(builder, span, 1, 1, 1);
    if (st)
        return st;
    gp_node *node = GP_NEW(builder->arena, gp_node);
    char *text = gp_arena_strndup(builder->arena, scalar->text, scalar->len);
    *node = (gp_node){.kind = GP_NODE_SCALAR,
                      .style = scalar->style,
                      .span = span,
                      .text = text,
                      .len = scalar->len,
                      .node_count = 1,
                      .height = 1};
    size_t number = 0;
    add_anchor(builder, scalar->anchor, node, false, &number);
    place_node(builder, node);
    return GP_OK;
}

gp_status gp_tree_open(gp_tree_builder *builder, gp_node_kind kind, bool block, const char *anchor,
                       gp_span span) {
    gp_status st = count_nodes(builder, span, 1, 1, 2);
    if (st)
        return st;
    gp_node *node = GP_NEW(builder->arena, gp_node);
    *node = (gp_node){.kind = kind, .span = span, .node_count = 1, .height = 1};
    size_t number = 0;
    add_anchor(builder, anchor, node, true, &number);
    gp_tree_frame *frame = &builder->frames[builder->depth++];
    *frame = (gp_tree_frame){.node = node, .anchor = number, .block = block};
    gp_index_init(&frame->keys, builder->arena);
    return GP_OK;
}

gp_status gp_tree_close(gp_tree_builder *builder, uint32_t end) {
    gp_tree_frame *frame = top(builder);
    if (!frame)
        return GP_ERR_INTERNAL;
    gp_node *node = frame->node;
    node->count = frame->count;
    node->entries = frame->entries;
    node->items = frame->items;
    if (!frame->block)
        node->span.end = end;
    if (frame->anchor)
        builder->anchors[frame->anchor - 1].open = false;
    builder->depth--;
    place_node(builder, node);
    return GP_OK;
}

gp_status gp_tree_alias(gp_tree_builder *builder, const char *name, gp_span span) {
    size_t number = 0;
    bool known = gp_index_find(&builder->anchor_names, name, strlen(name), &number);
    if (!known || builder->anchors[number].open) {
        gp_diags_error(builder->diags, GP_SOURCE_SYNTAX, span, NULL, NULL,
                       known ? "alias \"*%s\" is inside its own anchor"
                             : "alias \"*%s\" has no anchor before it in this document",
                       name);
        gp_tree_scalar empty = {.text = ""};
        return gp_tree_scalar_add(builder, &empty, span);
    }
    const gp_node *target = builder->anchors[number].node;
    gp_status st = count_nodes(builder, span, 1, target->node_count, target->height);
    if (st)
        return st;
    gp_node *node = GP_NEW(builder->arena, gp_node);
    *node = *target;
    node->used_at = span;
    place_node(builder, node);
    return GP_OK;
}
