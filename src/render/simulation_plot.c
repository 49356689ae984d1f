/* The curves of a simulation on a terminal: blocks of an eighth of a line, one column for each part
 * of the run. */
#include "render/simulation_form.h"

enum { PLOT_LINES = 3, EIGHTHS = 8, AXIS_WIDTH = 9, PLOT_MOST = 120 };

static const char *const eighths[EIGHTHS + 1] = {"", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

static void plot_line(gp_form_out *out, const gp_simulation_series *series,
                      const gp_curve_view *curve, int line, int columns) {
    int blanks = 0; /* not yet written: none end a line */
    for (int i = 0; i < columns; i++) {
        const double from = (double)i / columns;
        const double value = gp_curve_peak(series, curve->values, from, from + 1.0 / columns);
        const double height = value / curve->top * PLOT_LINES * EIGHTHS;
        /* Something is never shown as nothing. */
        const double shown = value > 0 ? gp_num_max(floor(height + 0.5), 1) : 0;
        const double here = shown - (double)(PLOT_LINES - 1 - line) * EIGHTHS;
        const int eighth = (int)gp_num_min(gp_num_max(here, 0), EIGHTHS);
        blanks += eighth == 0 ? 1 : 0;
        if (eighth > 0) {
            gp_buf_repeat(out->buf, ' ', blanks);
            gp_buf_str(out->buf, eighths[eighth]);
            blanks = 0;
        }
    }
    gp_buf_char(out->buf, '\n');
}

static void plot_curve(gp_form_out *out, const gp_simulation_series *series,
                       const gp_curve_view *curve, int columns) {
    gp_buf_printf(out->buf, "%s\n", curve->title);
    for (int line = 0; line < PLOT_LINES; line++) {
        const char *label = line == 0 ? curve->top_text : line == PLOT_LINES - 1 ? "0" : "";
        gp_cell(out, label, AXIS_WIDTH - 2, true, false);
        gp_buf_str(out->buf, " |");
        plot_line(out, series, curve, line, columns);
    }
}

void gp_simulation_plot(gp_form_out *out, const gp_simulation *simulation) {
    const gp_simulation_series *series = &simulation->series;
    gp_curve_view curves[GP_CURVES_MAX];
    if (series->count == 0)
        return;
    gp_buf_char(out->buf, '\n');
    const size_t count = gp_simulation_curves(out, simulation, curves);
    int columns = out->width - AXIS_WIDTH - 1;
    columns = columns < PLOT_MOST ? columns : PLOT_MOST;
    columns = columns < (int)series->count ? columns : (int)series->count;
    for (size_t i = 0; i < count; i++)
        plot_curve(out, series, &curves[i], columns);
    const char *end = gp_form_seconds(out, simulation->duration_s);
    gp_buf_repeat(out->buf, ' ', AXIS_WIDTH - 1);
    gp_buf_char(out->buf, '0');
    gp_cell(out, end, columns, true, false);
    gp_buf_char(out->buf, '\n');
}
