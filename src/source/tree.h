/*
 * Trees of scalars, maps and sequences with a place for each node: what YAML and JSON texts are
 * read into. Nodes live in the arena and point into the gp_text, which must outlive them. Scalars
 * are untyped: the descriptor of a field decides what "yes" or "1e3" means.
 */
#ifndef GP_SOURCE_TREE_H
#define GP_SOURCE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gpuplan/arena.h>
#include <gpuplan/diag.h>
#include <gpuplan/status.h>

typedef enum gp_node_kind { GP_NODE_SCALAR, GP_NODE_MAP, GP_NODE_SEQ } gp_node_kind;

typedef enum gp_scalar_style { GP_STYLE_PLAIN, GP_STYLE_QUOTED, GP_STYLE_BLOCK } gp_scalar_style;

typedef struct gp_node gp_node;

typedef struct gp_node_entry {
    const gp_node *key; /* always a scalar */
    const gp_node *value;
} gp_node_entry;

struct gp_node {
    gp_node_kind kind;
    gp_scalar_style style; /* of scalars */
    gp_span span;          /* where the node is written; of a block without the line end after it */
    gp_span used_at;       /* the "*name" that put it here, else nowhere */
    const char *text;      /* scalars: NUL-terminated, without quotes and escapes */
    size_t len;
    size_t count; /* entries or items */
    const gp_node_entry *entries;
    const gp_node *const *items;
    uint32_t node_count; /* nodes in here with aliases written out, itself included */
    uint32_t height;     /* 1 for a scalar */
};

/* Most of what a text may hold. All are inclusive. */
typedef struct gp_source_limits {
    size_t max_bytes;
    size_t max_depth;
    size_t max_nodes;          /* as written */
    size_t max_expanded_nodes; /* with aliases written out; of all documents together */
    size_t max_scalar_bytes;
    size_t max_documents;
    size_t max_rows; /* CSV */
    size_t max_columns;
} gp_source_limits;

#define GP_SOURCE_LIMITS_INIT                                                                      \
    {                                                                                              \
        .max_bytes = 4u * 1024 * 1024, .max_depth = 64, .max_nodes = 200000,                       \
        .max_expanded_nodes = 400000, .max_scalar_bytes = 64u * 1024, .max_documents = 64,         \
        .max_rows = 200000, .max_columns = 256                                                     \
    }

/* Ids of the diagnostics about texts. */
#define GP_SOURCE_SYNTAX      "GP1001"
#define GP_SOURCE_DUPLICATE   "GP1002"
#define GP_SOURCE_LIMIT       "GP1005"
#define GP_SOURCE_NOT_TEXT    "GP1006"
#define GP_SOURCE_EMPTY       "GP1007"
#define GP_SOURCE_UNSUPPORTED "GP1008"

/* Value under `key`, or NULL; also where `map` is NULL or no map. */
const gp_node *gp_node_get(const gp_node *map, const char *key);
/* A scalar with this text, however quoted. */
bool gp_node_is(const gp_node *node, const char *text);
/* An unquoted scalar that is empty, "~" or "null". */
bool gp_node_is_null(const gp_node *node);
/* "scalar" "map" "list". */
const char *gp_node_kind_name(gp_node_kind kind);

/*
 * Refuses a text that is too long (GP1005), not UTF-8, or has NUL or other control characters
 * (GP1006), with the place of the first. GP_ERR_INPUT or GP_ERR_LIMIT then.
 */
gp_status gp_source_check_text(const gp_text *text, const gp_source_limits *limits,
                               gp_diags *diags);

#endif
