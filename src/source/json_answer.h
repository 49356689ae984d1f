/* Answers of servers: JSON that nobody edits, so that no place within it is told. */
#ifndef GP_SOURCE_JSON_ANSWER_H
#define GP_SOURCE_JSON_ANSWER_H

#include "source/tree.h"

/* The one value of `text` as a tree whose nodes all stand for the whole of it. Status and limits as
 * gp_json_read. */
gp_status gp_json_answer_read(gp_arena *arena, const gp_text *text, const gp_source_limits *limits,
                              gp_diags *diags, const gp_node **ret_root);

#endif
