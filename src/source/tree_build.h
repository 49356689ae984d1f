/*
 * Builds a gp_node tree from a stream of "open, scalar, alias, close", with limits and duplicate
 * keys watched over; shared by the YAML and the JSON reader. Functions return GP_OK, or
 * GP_ERR_LIMIT (reported), after which the builder must not be used on.
 * Wrong input that leaves the tree in shape (a duplicate key) is reported and left out of the tree.
 */
#ifndef GP_SOURCE_TREE_BUILD_H
#define GP_SOURCE_TREE_BUILD_H

#include "base/index.h"
#include "source/tree.h"

/* A map or sequence that is not closed yet. */
typedef struct gp_tree_frame {
    gp_node *node;
    gp_node_entry *entries;
    const gp_node **items;
    size_t count;
    size_t cap;
    const gp_node *key; /* of the value that comes next; NULL: a key comes next */
    bool key_refused;   /* its value is read and dropped */
    gp_index keys;      /* positions in `entries`; filled once there are many */
    size_t anchor;      /* index into anchors + 1, or 0 */
    bool block;         /* ends where its last child ends */
} gp_tree_frame;

typedef struct gp_tree_anchor {
    const gp_node *node;
    bool open; /* still being read: an alias to it would be endless */
} gp_tree_anchor;

typedef struct gp_tree_builder {
    gp_arena *arena;
    const gp_text *text;
    const gp_source_limits *limits;
    gp_diags *diags;
    gp_tree_frame *frames; /* max_depth of them */
    size_t depth;
    size_t nodes;    /* over all documents */
    size_t expanded; /* over all documents */
    gp_tree_anchor *anchors;
    size_t anchor_count;
    size_t anchor_cap;
    gp_index anchor_names;
    const gp_node *root; /* of the document; NULL until it is complete */
} gp_tree_builder;

typedef struct gp_tree_scalar {
    const char *text; /* copied */
    size_t len;
    gp_scalar_style style;
    const char *anchor; /* or NULL */
} gp_tree_scalar;

void gp_tree_init(gp_tree_builder *builder, gp_arena *arena, const gp_text *text,
                  const gp_source_limits *limits, gp_diags *diags);
/* Forgets the anchors and the root (and whatever was left open) of the document before. */
void gp_tree_begin_document(gp_tree_builder *builder);
gp_status gp_tree_scalar_add(gp_tree_builder *builder, const gp_tree_scalar *scalar, gp_span span);
/* `block`: the end of the node is that of its last child. */
gp_status gp_tree_open(gp_tree_builder *builder, gp_node_kind kind, bool block, const char *anchor,
                       gp_span span);
gp_status gp_tree_close(gp_tree_builder *builder, uint32_t end);
/* An alias to nothing, or to a node that holds it, is reported and leaves an empty scalar. */
gp_status gp_tree_alias(gp_tree_builder *builder, const char *name, gp_span span);

#endif
