/* The curves of a simulation as SVG, and the whole of it as one HTML page without scripts. */
#include <string.h>

#include "render/html.h"
#include "render/simulation_form.h"

enum {
    WIDTH = 960,
    LEFT = 80,
    RIGHT = 24,
    TOP = 34,
    PANEL = 112,
    GAP = 40,
    TICKS = 4,
    BOTTOM = 34,
    PAGE_WIDTH = 120, /* in columns of text: every column of a table has room */
};

static void text_at(gp_form_out *out, const char *class_name, double x, double y,
                    const char *text) {
    gp_buf *buf = out->buf;
    gp_buf_printf(buf, "<text class=\"%s\" x=\"", class_name);
    gp_buf_fixed(buf, x, 1);
    gp_buf_str(buf, "\" y=\"");
    gp_buf_fixed(buf, y, 1);
    gp_buf_str(buf, "\">");
    gp_html_text(out, text);
    gp_buf_str(buf, "</text>\n");
}

static void line_at(gp_buf *buf, const char *class_name, int x1, int y1, int x2, int y2) {
    gp_buf_printf(buf, "<line class=\"%s\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n", class_name,
                  x1, y1, x2, y2);
}

static void point(gp_buf *buf, double x, double y) {
    gp_buf_char(buf, ' ');
    gp_buf_fixed(buf, x, 1);
    gp_buf_char(buf, ',');
    gp_buf_fixed(buf, y, 1);
}

/* A piece is drawn level: its value is a mean over it. */
static void area(gp_buf *buf, const gp_simulation *s, const gp_curve_view *curve, int top) {
    const gp_simulation_series *series = &s->series;
    const double scale = (WIDTH - LEFT - RIGHT) / s->duration_s;
    const double base = top + PANEL;
    gp_buf_printf(buf, "<polygon class=\"%s\" points=\"", curve->id);
    point(buf, LEFT, base);
    for (size_t i = 0; i < series->count; i++) {
        const double from = (double)i * series->width_s;
        const double to = gp_num_min(from + series->width_s, s->duration_s);
        const double y = base - gp_num_min(curve->values[i] / curve->top, 1) * PANEL;
        point(buf, LEFT + from * scale, y);
        point(buf, LEFT + to * scale, y);
    }
    point(buf, LEFT + s->duration_s * scale, base);
    gp_buf_str(buf, "\"/>\n");
}

static void panel(gp_form_out *out, const gp_simulation *s, const gp_curve_view *curve, int top) {
    gp_buf *buf = out->buf;
    for (int i = 0; i <= 2; i++) {
        const int y = top + PANEL * i / 2;
        line_at(buf, "grid", LEFT, y, WIDTH - RIGHT, y);
    }
    for (int i = 1; i < TICKS; i++) {
        const int x = LEFT + (WIDTH - LEFT - RIGHT) * i / TICKS;
        line_at(buf, "grid", x, top, x, top + PANEL);
    }
    area(buf, s, curve, top);
    text_at(out, "title", LEFT, top - 10, curve->title);
    text_at(out, "axis", LEFT - 8, top + 4, curve->top_text);
    text_at(out, "axis", LEFT - 8, top + PANEL + 4, "0");
    if (s->saturated && strcmp(curve->id, "waiting") == 0)
        text_at(out, "axis warn", WIDTH - RIGHT, top - 10, "the queue grew to the end");
}

static void style(gp_buf *buf) {
    gp_buf_str(
        buf,
        "<style>\n"
        ".gpuplan text{font:13px system-ui,sans-serif;fill:#333}\n"
        ".gpuplan .title{font-weight:600}\n"
        ".gpuplan .axis{text-anchor:end;fill:#555}\n"
        ".gpuplan .tick{text-anchor:middle;fill:#555}\n"
        ".gpuplan .warn{fill:#b3261e}\n"
        ".gpuplan .grid{stroke:#ddd;stroke-width:1}\n"
        ".gpuplan .running{fill:#3b76c4}.gpuplan .waiting{fill:#c4573b}\n"
        ".gpuplan .kv{fill:#2f8f6b}.gpuplan .power{fill:#b58a1d}.gpuplan .replicas{fill:#7a5aa6}\n"
        "@media (prefers-color-scheme:dark){.gpuplan text,.gpuplan .axis,.gpuplan .tick{fill:#ccc}"
        ".gpuplan .grid{stroke:#444}.gpuplan .warn{fill:#ff8a80}}\n"
        "</style>\n");
}

static void time_axis(gp_form_out *out, const gp_simulation *s, int y) {
    for (int i = 0; i <= TICKS; i++) {
        const double x = LEFT + (double)(WIDTH - LEFT - RIGHT) * i / TICKS;
        const double at_s = s->duration_s * i / TICKS;
        text_at(out, i == TICKS ? "axis" : "tick", i == TICKS ? x + 8 : x, y,
                i == 0 ? "0" : gp_form_seconds(out, at_s));
    }
}

void gp_simulation_svg(gp_form_out *out, const void *result) {
    const gp_simulation *simulation = result;
    gp_curve_view curves[GP_CURVES_MAX];
    const size_t count = simulation->duration_s > 0 && simulation->series.count > 0
                             ? gp_simulation_curves(out, simulation, curves)
                             : 0;
    const int height = TOP + (int)count * (PANEL + GAP) - GAP + BOTTOM;
    gp_buf *buf = out->buf;
    gp_buf_printf(buf,
                  "<svg class=\"gpuplan\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
                  "viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n<title>",
                  WIDTH, height, WIDTH, height);
    gp_html_text(out, gp_simulation_answer(out, simulation));
    gp_buf_str(buf, "</title>\n");
    style(buf);
    for (size_t i = 0; i < count; i++)
        panel(out, simulation, &curves[i], TOP + (int)i * (PANEL + GAP));
    if (count > 0)
        time_axis(out, simulation, height - BOTTOM / 2 + 4);
    gp_buf_str(buf, "</svg>\n");
}

/* ---- the page */

static const char page_style[] = "svg.gpuplan{width:100%;min-width:40rem;height:auto}\n";

/* "Mean" of MEAN, as tables of a page are headed. */
static const char *head_words(gp_form_out *out, const char *head) {
    gp_buf buf;
    const char *text = NULL;
    gp_buf_init(&buf, out->buf->arena, strlen(head) + 1);
    for (size_t i = 0; head[i] != '\0'; i++)
        gp_buf_char(&buf, i > 0 && head[i] >= 'A' && head[i] <= 'Z' ? (char)(head[i] - 'A' + 'a')
                                                                    : head[i]);
    const gp_status st = gp_buf_finish(&buf, &text, NULL);
    if (st != GP_OK)
        out->buf->st = st;
    return gp_form_or(text, "");
}

static void write_latency(gp_form_out *out, const gp_table *table) {
    const char *headers[GP_TABLE_COLUMNS + 1] = {NULL};
    for (size_t i = 0; i < table->columns; i++)
        headers[i] = gp_form_text(out, "%s%s", table->right[i] ? ">" : "",
                                  head_words(out, table->headers[i]));
    const gp_html_table page = gp_html_table_open(out, "Latency", headers);
    for (size_t r = 0; r < table->rows; r++)
        gp_html_row(&page, table->cells + r * table->columns);
    gp_html_table_end(&page);
}

static void write_figures(gp_form_out *out, const gp_table *table) {
    gp_html_facts_open(out);
    for (size_t r = 0; r < table->rows; r++) {
        const char *const *cells = table->cells + r * table->columns;
        gp_html_fact(out, cells[0], cells[1]);
    }
    gp_html_facts_end(out);
}

void gp_simulation_html(gp_form_out *out, const void *result) {
    const gp_simulation *simulation = result;
    const char *name = gp_form_or(simulation->workload, "a workload");
    gp_table table;
    out->width = PAGE_WIDTH;
    gp_html_open(out, gp_form_text(out, "gpuplan simulate: %s", name), page_style);
    gp_html_element(out, "h1", NULL, gp_simulation_answer(out, simulation));
    gp_simulation_table(out, simulation, GP_SIMULATION_LATENCY, &table);
    write_latency(out, &table);
    gp_simulation_table(out, simulation, GP_SIMULATION_FIGURES, &table);
    write_figures(out, &table);
    gp_buf_str(out->buf, "<figure>\n");
    gp_html_element(out, "figcaption", NULL, "Over the run, each interval at its mean");
    gp_html_scroll_open(out, "Curves over the run");
    gp_simulation_svg(out, simulation);
    gp_buf_str(out->buf, "</div></figure>\n");
    gp_html_close(out);
}
