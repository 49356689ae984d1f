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

/* From the doctype to <main>, and its end. `style` is added to that of all pages; NULL: none. */
void gp_html_open(gp_form_out *out, const char *title, const char *style);
void gp_html_close(gp_form_out *out);
/* <section> with a heading and the id that links lead to (a name of its form), and its end. */
void gp_html_section(gp_form_out *out, const char *id, const char *heading);
void gp_html_section_end(gp_form_out *out);
/* What is too wide for a telephone scrolls inside; ends in </div>. */
void gp_html_scroll_open(gp_form_out *out, const char *label);
/* Folded away on a screen, left out in print. */
void gp_html_details_open(gp_form_out *out, const char *summary);
void gp_html_details_end(gp_form_out *out);

enum { GP_HTML_COLUMNS = 12 };

/* A table that is written as it goes: caption, headers, then rows of as many cells. */
typedef struct gp_html_table {
    gp_form_out *out;
    size_t columns;
    const char *class_names[GP_HTML_COLUMNS];
} gp_html_table;

/* `headers` ends in NULL; a column whose head starts with '>' stands to the right, one with
 * '=' is not broken. */
gp_html_table gp_html_table_open(gp_form_out *out, const char *caption, const char *const *headers);
/* The first cell is the head of the row. A NULL cell is empty. */
void gp_html_row(const gp_html_table *table, const char *const *cells);
void gp_html_table_end(const gp_html_table *table);
/* Pairs of label and text; a NULL or "-" text leaves the pair out, a label "" goes on with the
 * one before. */
void gp_html_facts_open(gp_form_out *out);
void gp_html_fact(gp_form_out *out, const char *label, const char *text);
void gp_html_facts_end(gp_form_out *out);
/* A word that a colour goes with: ok, warning, fail, error, note, notAssessed. */
void gp_html_level(gp_form_out *out, const char *level, const char *text);

#define GP_HTML_ROW(table, ...)                                                                    \
    do {                                                                                           \
        const char *const html_cells[] = {__VA_ARGS__};                                            \
        gp_html_row((table), html_cells);                                                          \
    } while (0)

#endif
