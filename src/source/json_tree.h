/* JSON texts (RFC 8259, and the tokens NaN, Infinity and -Infinity, which model configs have) as
 * the same trees that YAML gives: strings are quoted scalars, everything else plain ones. */
#ifndef GP_SOURCE_JSON_TREE_H
#define GP_SOURCE_JSON_TREE_H

#include "source/tree.h"

/*
 * Reads the one value of `text`. *ret_root is NULL where it could not be read; with duplicate keys
 * (GP_ERR_INPUT as well) it has the first of each. Status as gp_yaml_read.
 */
gp_status gp_json_read(gp_arena *arena, const gp_text *text, const gp_source_limits *limits,
                       gp_diags *diags, const gp_node **ret_root);

#endif
