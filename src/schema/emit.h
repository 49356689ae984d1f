/* Descriptor tables as documents. */
#ifndef GP_SCHEMA_EMIT_H
#define GP_SCHEMA_EMIT_H

#include "schema/schema.h"

enum { GP_EMIT_TYPES = 128, GP_EMIT_MAX = 4 * 1024 * 1024 };

/* The descriptors that a root reaches, each once, in the order of first use. */
typedef struct gp_type_list {
    const gp_struct *types[GP_EMIT_TYPES];
    size_t count;
} gp_type_list;

/* The roots come first. GP_ERR_LIMIT where there are more types than fit. */
gp_status gp_types_collect(const gp_struct *const *roots, size_t count, gp_type_list *ret_list);

/* What somebody wants to say, the key that says it, and the section that has its keys. */
typedef struct gp_emit_task {
    const char *task, *path, *type;
} gp_emit_task;

/* The tasks (NULL: none; up to one without a text), then one section per struct with a table of its
 * keys. */
gp_status gp_emit_markdown(gp_arena *arena, const gp_struct *root, const char *title,
                           const gp_emit_task *tasks, const char **ret_text);
/* JSON Schema, draft-07, with one definition per struct: of documents of any root, told apart by
 * their key `kind`, whose value is the root's name. It has no $id: references would be
 * looked for at that address. */
gp_status gp_emit_json_schema(gp_arena *arena, const gp_struct *const *roots, size_t count,
                              const char *title, const char **ret_text);

#endif
