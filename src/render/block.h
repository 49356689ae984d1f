/*
 * Blocks: what a result tells people, one after the other. A result says them once; text, Markdown
 * and pages lay them out, each in its way.
 */
#ifndef GP_RENDER_BLOCK_H
#define GP_RENDER_BLOCK_H

#include "render/table.h"

/* The name of the whole, where a page or a comment begins; a terminal goes without. */
void gp_block_title(gp_form_out *out, const char *text);
/* The answer: what is read first. */
void gp_block_lead(gp_form_out *out, const char *text);
void gp_block_heading(gp_form_out *out, const char *text);
/* The same with the id that links of a page lead to, behind out->prefix. */
void gp_block_section(gp_form_out *out, const char *id, const char *text);
void gp_block_note(gp_form_out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A point of a list. */
void gp_block_item(gp_form_out *out, const char *text);
/* `caption` is what a page says of a table; NULL: the heading says it. Nothing for no rows. */
void gp_block_table(gp_form_out *out, const char *caption, const gp_table *table);
/* What follows is folded away on a screen, and not printed; a terminal shows it. */
void gp_block_fold(gp_form_out *out, const char *summary);
void gp_block_fold_end(gp_form_out *out);
/* On a page what follows stands in an element, "div class=\"pair\"", until it is closed. */
void gp_block_open(gp_form_out *out, const char *element);
void gp_block_close(gp_form_out *out, const char *element);
/* A figure in words behind its label; nothing for NULL. "" goes on with the label before. */
void gp_block_fact(gp_form_out *out, const char *label, const char *text);
void gp_block_say(gp_form_out *out, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A drawing, which pages alone have: false on any other. The caller draws, and ends the figure. */
bool gp_block_figure(gp_form_out *out, const char *title);
/* Ends what is open. */
void gp_block_end(gp_form_out *out);

/* ---- Markdown: user texts never become markup */

/* What Markdown or HTML could read is escaped; control characters become blanks. */
const char *gp_md_escape(gp_form_out *out, const char *text);
void gp_md_table(gp_form_out *out, const gp_table *table);

/* ---- html.c: a page is one file with its style inside; it needs no script and asks no server for
 * anything */

/* Text for an element or an attribute; control characters and marks of direction are replaced. */
void gp_html_text(gp_form_out *out, const char *text);
/* <tag>text</tag>, with class="..." where `class_name` is not NULL. */
void gp_html_element(gp_form_out *out, const char *tag, const char *class_name, const char *text);

/* From the doctype to <main>. */
void gp_html_open(gp_form_out *out, const char *title);
/* What is too wide for a telephone scrolls inside; ends in </div>. */
void gp_html_scroll_open(gp_form_out *out, const char *label);

/* A word that a colour goes with: ok, warning, fail, error, note, not assessed. */
void gp_html_level(gp_form_out *out, const char *level);

#endif
