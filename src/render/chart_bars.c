/* Shapes of SVG, and the charts that are bars. */
#include "render/chart.h"

/* ---- shapes */

static void number(gp_buf *buf, const char *name, double value) {
    gp_buf_printf(buf, " %s=\"", name);
    gp_buf_fixed(buf, value, 1);
    gp_buf_char(buf, '"');
}

bool gp_plot_open(gp_form_out *out, const char *title, int height) {
    if (!gp_block_figure(out, title))
        return false;
    gp_html_scroll_open(out, title);
    gp_buf_printf(out->buf,
                  "<svg class=\"plot\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
                  "role=\"img\" aria-label=\"",
                  GP_PLOT_WIDTH, height, GP_PLOT_WIDTH, height);
    gp_html_text(out, title);
    gp_buf_str(out->buf, "\">\n");
    return true;
}

void gp_plot_close(gp_form_out *out) {
    gp_buf_str(out->buf, "</svg></div>\n</figure>\n");
}

void gp_plot_rect(gp_form_out *out, const char *class_name, double x, double y, double width,
                  double height) {
    gp_buf *buf = out->buf;
    gp_buf_printf(buf, "<rect class=\"%s\"", class_name);
    number(buf, "x", x);
    number(buf, "y", y);
    number(buf, "width", gp_num_max(width, 0));
    number(buf, "height", gp_num_max(height, 0));
    gp_buf_str(buf, "/>\n");
}

void gp_plot_line(gp_form_out *out, const char *class_name, double x1, double y1, double x2,
                  double y2) {
    gp_buf *buf = out->buf;
    gp_buf_printf(buf, "<line class=\"%s\"", class_name);
    number(buf, "x1", x1);
    number(buf, "y1", y1);
    number(buf, "x2", x2);
    number(buf, "y2", y2);
    gp_buf_str(buf, "/>\n");
}

void gp_plot_dot(gp_form_out *out, const char *class_name, double x, double y, double radius) {
    gp_buf *buf = out->buf;
    gp_buf_printf(buf, "<circle class=\"%s\"", class_name);
    number(buf, "cx", x);
    number(buf, "cy", y);
    number(buf, "r", radius);
    gp_buf_str(buf, "/>\n");
}

void gp_plot_text(gp_form_out *out, gp_anchor anchor, const char *class_name, double x, double y,
                  const char *text) {
    static const char *const anchors[] = {"start", "middle", "end"};
    gp_buf_printf(out->buf, "<text class=\"%s\" text-anchor=\"%s\"", class_name, anchors[anchor]);
    number(out->buf, "x", x);
    number(out->buf, "y", y);
    gp_buf_char(out->buf, '>');
    gp_html_text(out, text);
    gp_buf_str(out->buf, "</text>\n");
}

/* ---- a stacked bar */

enum { BAR_LENGTH = 1000, STACK_HEIGHT = 34 };

/* A drawing that takes the width it is given: it holds no text. */
static void open_bar(gp_form_out *out, const char *class_name, int height) {
    gp_buf_printf(out->buf,
                  "<svg class=\"%s\" viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" "
                  "aria-hidden=\"true\">\n",
                  class_name, BAR_LENGTH, height);
}

static const char *part_class(gp_form_out *out, const gp_chart_part *parts, size_t i) {
    return parts[i].free ? "free" : gp_form_text(out, "part c%d", (int)(i % GP_CHART_COLOURS));
}

void gp_chart_stack(gp_form_out *out, const char *title, const gp_chart_part *parts, size_t count) {
    double x = 0;
    if (!gp_block_figure(out, title))
        return;
    open_bar(out, "stack", STACK_HEIGHT);
    for (size_t i = 0; i < count; i++) {
        const double width = gp_num_max(parts[i].share, 0) * BAR_LENGTH;
        gp_plot_rect(out, part_class(out, parts, i), x, 0, width, STACK_HEIGHT);
        x += width;
    }
    gp_buf_str(out->buf, "</svg>\n<ul class=\"legend\">\n");
    for (size_t i = 0; i < count; i++) {
        gp_buf_printf(out->buf, "<li><span class=\"%s\"></span>", part_class(out, parts, i));
        gp_html_text(out, gp_form_text(out, "%s %s", parts[i].label, parts[i].value));
        gp_buf_str(out->buf, "</li>\n");
    }
    gp_buf_str(out->buf, "</ul>\n</figure>\n");
}

/* ---- bars below each other */

static void draw_bar(gp_form_out *out, const gp_chart_bar *bar) {
    enum { HEIGHT = 16, INSET = 3, LEAST = 3 };
    const double from = gp_num_max(0, gp_num_min(bar->from, 1)) * BAR_LENGTH;
    const double to = gp_num_max(0, gp_num_min(bar->to, 1)) * BAR_LENGTH;
    open_bar(out, "bar", HEIGHT);
    gp_plot_line(out, "axis", 0, HEIGHT / 2.0, BAR_LENGTH, HEIGHT / 2.0);
    if (isfinite(bar->to))
        gp_plot_rect(out, bar->class_name, from, INSET, gp_num_max(to - from, LEAST),
                     HEIGHT - 2 * INSET);
    if (isfinite(bar->mark)) {
        const double at = gp_num_max(0, gp_num_min(bar->mark, 1)) * BAR_LENGTH;
        gp_plot_line(out, "target", at, 0, at, HEIGHT);
    }
    gp_buf_str(out->buf, "</svg>\n");
}

void gp_chart_bars(gp_form_out *out, const char *title, const gp_chart_bar *bars, size_t count) {
    if (count == 0 || !gp_block_figure(out, title))
        return;
    gp_buf_str(out->buf, "<ul class=\"bars\">\n");
    for (size_t i = 0; i < count; i++) {
        gp_buf_str(out->buf, "<li>");
        gp_html_element(out, "span", NULL, bars[i].label);
        draw_bar(out, &bars[i]);
        gp_html_element(out, "span", "value", bars[i].text);
        gp_buf_str(out->buf, "</li>\n");
    }
    gp_buf_str(out->buf, "</ul>\n</figure>\n");
}
