/* YAML 1.1 texts (what libyaml reads) as trees. */
#ifndef GP_SOURCE_YAML_TREE_H
#define GP_SOURCE_YAML_TREE_H

#include "source/tree.h"

typedef struct gp_yaml_docs {
    size_t count;
    const gp_node *const *roots;
} gp_yaml_docs;

/*
 * Reads every document of `text`. What is wrong is added to `diags`; *ret_docs has the documents
 * that could be read, whatever is returned: a document with a syntax error is left out (reading
 * goes on at the next "---"), one with a duplicate key, a merge key, a tag or a bad alias is there
 * without the part in question. Empty documents are left out.
 * GP_ERR_INPUT: at least one error was added; GP_ERR_LIMIT: a limit was passed (added as well).
 */
gp_status gp_yaml_read(gp_arena *arena, const gp_text *text, const gp_source_limits *limits,
                       gp_diags *diags, gp_yaml_docs *ret_docs);

#endif
