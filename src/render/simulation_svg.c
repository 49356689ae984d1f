/* The curves of a simulation as SVG. */
#include <string.h>

#include "render/chart.h"
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
};

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
        gp_plot_line(out, "grid", LEFT, y, WIDTH - RIGHT, y);
    }
    for (int i = 1; i < TICKS; i++) {
        const int x = LEFT + (WIDTH - LEFT - RIGHT) * i / TICKS;
        gp_plot_line(out, "grid", x, top, x, top + PANEL);
    }
    area(buf, s, curve, top);
    gp_plot_text(out, GP_ANCHOR_START, "title", LEFT, top - 10, curve->title);
    gp_plot_text(out, GP_ANCHOR_END, "axis", LEFT - 8, top + 4, curve->top_text);
    gp_plot_text(out, GP_ANCHOR_END, "axis", LEFT - 8, top + PANEL + 4, "0");
    if (s->saturated && strcmp(curve->id, "waiting") == 0)
        gp_plot_text(out, GP_ANCHOR_END, "axis warn", WIDTH - RIGHT, top - 10,
                     "the queue grew to the end");
}

static void style(gp_buf *buf) {
    gp_buf_str(
        buf,
        "<style>\n"
        ".gpuplan text{font:13px system-ui,sans-serif;fill:#333}\n"
        ".gpuplan .title{font-weight:600}\n"
        ".gpuplan .axis{fill:#555}\n"
        ".gpuplan .warn{fill:#b3261e}\n"
        ".gpuplan .grid{stroke:#ddd;stroke-width:1}\n"
        ".gpuplan .running{fill:#3b76c4}.gpuplan .waiting{fill:#c4573b}\n"
        ".gpuplan .kv{fill:#2f8f6b}.gpuplan .power{fill:#b58a1d}.gpuplan .replicas{fill:#7a5aa6}\n"
        "@media (prefers-color-scheme:dark){.gpuplan text,.gpuplan .axis{fill:#ccc}"
        ".gpuplan .grid{stroke:#444}.gpuplan .warn{fill:#ff8a80}}\n"
        "</style>\n");
}

static void time_axis(gp_form_out *out, const gp_simulation *s, int y) {
    for (int i = 0; i <= TICKS; i++) {
        const double x = LEFT + (double)(WIDTH - LEFT - RIGHT) * i / TICKS;
        const double at_s = s->duration_s * i / TICKS;
        gp_plot_text(out, i == TICKS ? GP_ANCHOR_END : GP_ANCHOR_MIDDLE, "axis",
                     i == TICKS ? x + 8 : x, y, i == 0 ? "0" : gp_form_seconds(out, at_s));
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

void gp_simulation_figure(gp_form_out *out, const gp_simulation *simulation) {
    if (!gp_block_figure(out, "Over the run, mean of each interval"))
        return;
    gp_html_scroll_open(out, "Curves over the run");
    gp_simulation_svg(out, simulation);
    gp_buf_str(out->buf, "</div></figure>\n");
}
