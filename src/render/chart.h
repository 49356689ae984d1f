/*
 * Charts of a page. Bars are HTML with a drawing inside, so that their labels keep their size on a
 * telephone; plots are SVG with texts, and scroll where there is no room. Colours are classes of
 * the page's style and never the only sign: every part has its label.
 */
#ifndef GP_RENDER_CHART_H
#define GP_RENDER_CHART_H

#include "render/block.h"

enum { GP_PLOT_WIDTH = 760, GP_CHART_COLOURS = 10 };

/* ---- shapes */

typedef enum gp_anchor { GP_ANCHOR_START, GP_ANCHOR_MIDDLE, GP_ANCHOR_END } gp_anchor;

/* A figure with its title and an SVG of GP_PLOT_WIDTH by `height`, where there are figures; and
 * its end. */
bool gp_plot_open(gp_form_out *out, const char *title, int height);
void gp_plot_close(gp_form_out *out);
void gp_plot_rect(gp_form_out *out, const char *class_name, double x, double y, double width,
                  double height);
void gp_plot_line(gp_form_out *out, const char *class_name, double x1, double y1, double x2,
                  double y2);
void gp_plot_dot(gp_form_out *out, const char *class_name, double x, double y, double radius);
void gp_plot_text(gp_form_out *out, gp_anchor anchor, const char *class_name, double x, double y,
                  const char *text);

/* ---- bars */

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

/* A bar from one share of the width to another, with its label before it and its text behind. */
typedef struct gp_chart_bar {
    const char *label, *text;
    double from, to;        /* 0..1 */
    double mark;            /* a line across; absent: none */
    const char *class_name; /* good | bad | unsure | c0 .. */
} gp_chart_bar;
enum { GP_CHART_BARS = 16 };
void gp_chart_bars(gp_form_out *out, const char *title, const gp_chart_bar *bars, size_t count);

/* ---- plots */

/* Columns over heads: a value each, labelled, and a line from a low to a high where they are
 * finite. */
typedef struct gp_chart_column {
    const char *head;
    double value, low, high;
    const char *text;
    bool marked;
} gp_chart_column;
void gp_chart_columns(gp_form_out *out, const char *title, const gp_chart_column *columns,
                      size_t count);

/* Machines held over time, period by period, and the part of them in use; the first and the last
 * head are written, and every change. */
typedef struct gp_chart_span {
    const char *head;
    double held, used;
    const char *text; /* of held */
} gp_chart_span;
enum { GP_CHART_SPANS = 40 };
void gp_chart_spans(gp_form_out *out, const char *title, const gp_chart_span *spans, size_t count);

/* Dots on two axes, each with its number; those that no other beats on both are joined. */
typedef struct gp_chart_point {
    double x, y;
    const char *label; /* inside it */
    const char *name;
    bool chosen;
} gp_chart_point;
typedef struct gp_chart_axis {
    const char *name;
    const char *least_text, *most_text; /* its ends as people read them */
    double least, most;
} gp_chart_axis;
void gp_chart_scatter(gp_form_out *out, const char *title, const gp_chart_axis *across,
                      const gp_chart_axis *up, const gp_chart_point *points, size_t count);

/* Cost of an owned GPU-hour that is used, by the share of the time in which it is, against a
 * rented one; marks at the even point and at the use that is planned (absent: not known). */
enum { GP_CHART_OWNING_TOP = 2 };
typedef struct gp_chart_owning {
    double own, rented; /* a GPU-hour; own: at full use */
    const char *own_text, *rented_text;
    const char *most_text; /* GP_CHART_OWNING_TOP times the dearer of both */
    double even_fraction, planned_fraction;
    const char *even_text, *planned_text;
} gp_chart_owning;
void gp_chart_own_or_rent(gp_form_out *out, const char *title, const gp_chart_owning *owning);

#endif
