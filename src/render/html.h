/*
 * Pieces of a page: texts made safe, tables, sections, and charts as SVG. A page is one file with
 * its style inside; it needs no script and asks no server for anything.
 */
#ifndef GP_RENDER_HTML_H
#define GP_RENDER_HTML_H

#include "render/form.h"

/* Text for an element or an attribute; control characters and marks of direction are replaced. */
void gp_html_text(gp_form_out *out, const char *text);
/* <tag>text</tag>, with class="..." where `class_name` is not NULL. */
void gp_html_element(gp_form_out *out, const char *tag, const char *class_name, const char *text);

/* From the doctype to <main>, and its end. */
void gp_html_open(gp_form_out *out, const char *title);
void gp_html_close(gp_form_out *out);
/* <section> with a heading of level 2 or 3, and its end. */
void gp_html_section(gp_form_out *out, int level, const char *heading);
void gp_html_section_end(gp_form_out *out);

enum { GP_HTML_COLUMNS = 12 };

/* A table that is written as it goes: caption, headers, then rows of as many cells. */
typedef struct gp_html_table {
    gp_form_out *out;
    size_t columns;
    bool right[GP_HTML_COLUMNS]; /* figures stand to the right */
} gp_html_table;

/* `headers` ends in NULL; one that starts with '>' stands to the right. */
gp_html_table gp_html_table_open(gp_form_out *out, const char *caption, const char *const *headers);
/* The first cell is the head of the row. A NULL cell is empty. */
void gp_html_row(const gp_html_table *table, const char *const *cells);
void gp_html_table_end(const gp_html_table *table);
/* Pairs of label and text; a NULL or "-" text leaves the pair out. */
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

/* ---- charts */

/* One part of a bar: a share of the whole, and what stands beside it in the legend. */
typedef struct gp_chart_part {
    const char *label;
    const char *value; /* as people read it */
    double share;      /* of the width, 0..1 */
    bool free;         /* drawn empty: what is left */
} gp_chart_part;

enum { GP_CHART_PARTS = 16 };

/* A bar of stacked parts with its legend as a list. */
void gp_chart_stack(gp_form_out *out, const char *title, const gp_chart_part *parts, size_t count);

/* A figure with its band against a target, all on one axis from 0. */
typedef struct gp_chart_goal {
    const char *label;
    double expected, low, high, target;
    const char *expected_text, *target_text;
    bool ok;
} gp_chart_goal;
void gp_chart_goals(gp_form_out *out, const char *title, const gp_chart_goal *goals, size_t count);

/* Columns side by side over the same heads: a value per head, labelled, with a limit line where
 * `limit` is finite. */
typedef struct gp_chart_column {
    const char *head;
    double value;
    const char *text;
    bool marked;
} gp_chart_column;
void gp_chart_columns(gp_form_out *out, const char *title, const gp_chart_column *columns,
                      size_t count, double limit, const char *limit_text);

/* Machines held over time, period by period, and the part of them in use; the first and the last
 * head are written, and every change. */
typedef struct gp_chart_span {
    const char *head;
    double held, used;
    const char *text; /* of held */
} gp_chart_span;
enum { GP_CHART_SPANS = 40 };
void gp_chart_spans(gp_form_out *out, const char *title, const gp_chart_span *spans, size_t count);

/* Machines in racks, from the front: `count` alike, the first few drawn, the rest counted. */
void gp_chart_rack(gp_form_out *out, const char *title, int64_t racks, int64_t nodes_per_rack,
                   const char *node, const char *power);
/* What stands in a rack, from the top: units, text, figure. */
typedef struct gp_chart_slot {
    int64_t from, to;
    const char *text, *value;
    bool filled;
} gp_chart_slot;
enum { GP_CHART_SLOTS = 64 };
void gp_chart_elevation(gp_form_out *out, const char *title, const gp_chart_slot *slots,
                        size_t count);
/* Tiers of switches from core to machines, each with its count, and the cables between. */
typedef struct gp_chart_tier {
    const char *label;
    int64_t count;
    int64_t cables; /* to the tier below; 0: none told */
} gp_chart_tier;
void gp_chart_tiers(gp_form_out *out, const char *title, const gp_chart_tier *tiers, size_t count);

#endif
