/*
 * Pieces of a page: its frame, texts made safe, sections, tables and pairs of label and text. A
 * page is one file with its style inside; it needs no script and asks no server for anything.
 */
#ifndef GP_RENDER_HTML_H
#define GP_RENDER_HTML_H

#include "render/form.h"

/* Text for an element or an attribute; control characters and marks of direction are replaced. */
void gp_html_text(gp_form_out *out, const char *text);
/* <tag>text</tag>, with class="..." where `class_name` is not NULL. */
void gp_html_element(gp_form_out *out, const char *tag, const char *class_name, const char *text);

/* From the doctype to <main>. */
void gp_html_open(gp_form_out *out, const char *title);
/* <section> with a heading and the id that links lead to (a name of its form). */
void gp_html_section(gp_form_out *out, const char *id, const char *heading);
/* What is too wide for a telephone scrolls inside; ends in </div>. */
void gp_html_scroll_open(gp_form_out *out, const char *label);
/* Folded away on a screen, left out in print. */
void gp_html_details_open(gp_form_out *out, const char *summary);

/* A pair of a list of facts; "" and "-" leave it out. */
void gp_html_fact(gp_form_out *out, const char *label, const char *text);
/* A word that a colour goes with: ok, warning, fail, error, note, not assessed. */
void gp_html_level(gp_form_out *out, const char *level);

#endif
