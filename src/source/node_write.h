/*
 * Trees back to YAML: one form for one tree, whatever the text looked like that it was read from,
 * so that a digest over the form tells whether the content changed.
 */
#ifndef GP_SOURCE_NODE_WRITE_H
#define GP_SOURCE_NODE_WRITE_H

#include "base/buf.h"
#include "source/tree.h"

/* A NUL-terminated scalar as YAML: plain where that reads back as the same text also inside [] and
 * {}, else in double quotes with control characters escaped. */
void gp_yaml_scalar(gp_buf *buf, const char *text, size_t len);
/* On one line, maps as {a: b} and lists as [a, b]. Comments, anchors and styles are not kept. */
void gp_node_write_flow(gp_buf *buf, const gp_node *node);
/* The entries of a map or the items of a list, a line each behind `indent` blanks; what lies in
 * them down to `depth` levels gets lines of its own, what lies deeper is on one line. Ends with a
 * line feed. */
void gp_node_write_block(gp_buf *buf, const gp_node *node, int indent, int depth);

#endif
