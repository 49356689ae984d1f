/*
 * Blocks: what a result tells people, one after the other. A result says them once; text, Markdown
 * and pages lay them out, each in its way.
 */
#ifndef GP_RENDER_BLOCK_H
#define GP_RENDER_BLOCK_H

#include "render/table.h"

/* The name of a page; other forms go without. */
void gp_block_title(gp_form_out *out, const char *text);
/* The answer: what is read first. */
void gp_block_lead(gp_form_out *out, const char *text);
void gp_block_heading(gp_form_out *out, const char *text);
void gp_block_note(gp_form_out *out, const char *text);
/* A point of a list. */
void gp_block_item(gp_form_out *out, const char *text);
/* `caption` is what a page says of a table; NULL: the heading says it. Nothing for no rows. */
void gp_block_table(gp_form_out *out, const char *caption, const gp_table *table);
/* Ends what is open: gp_form_render does. */
void gp_block_end(gp_form_out *out);

#endif
