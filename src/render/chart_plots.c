/* Charts with axes: columns, machines over time, choices against each other, owning against
 * renting. */
#include "render/chart.h"

enum { TOP = 24, HEIGHT = 130, BOTTOM = 26, BASE = TOP + HEIGHT, WIDEST = 70 };

/* ---- columns */

static void draw_column(gp_form_out *out, const gp_chart_column *column, double middle,
                        double width, double most) {
    const double bar = gp_num_min(width / 2, WIDEST);
    const double height = column->value / most * HEIGHT;
    const bool spread = column->high > column->low;
    gp_plot_rect(out, column->marked ? "bad" : "c0", middle - bar / 2, BASE - height, bar, height);
    if (spread) {
        const double high = BASE - column->high / most * HEIGHT;
        const double low = BASE - column->low / most * HEIGHT;
        gp_plot_line(out, "target", middle, high, middle, low);
        gp_plot_line(out, "target", middle - 5, high, middle + 5, high);
        gp_plot_line(out, "target", middle - 5, low, middle + 5, low);
    }
    /* Beside the spread, so that nobody takes the value for its upper end. */
    gp_plot_text(out, spread ? GP_ANCHOR_END : GP_ANCHOR_MIDDLE, "", spread ? middle - 10 : middle,
                 BASE - height - 6, column->text);
    gp_plot_text(out, GP_ANCHOR_MIDDLE, "soft", middle, BASE + 18, column->head);
}

void gp_chart_columns(gp_form_out *out, const char *title, const gp_chart_column *columns,
                      size_t count) {
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        most = gp_num_max(most, columns[i].value);
        if (isfinite(columns[i].high))
            most = gp_num_max(most, columns[i].high);
    }
    if (count == 0 || !(most > 0))
        return;
    const double width = (double)GP_PLOT_WIDTH / (double)count;
    if (!gp_plot_open(out, title, BASE + BOTTOM))
        return;
    for (size_t i = 0; i < count; i++)
        draw_column(out, &columns[i], width * ((double)i + 0.5), width, most);
    gp_plot_line(out, "axis", 0, BASE, GP_PLOT_WIDTH, BASE);
    gp_plot_close(out);
}

/* ---- time */

static void draw_span(gp_form_out *out, const gp_chart_span *span, double x, double width,
                      double most) {
    const double held = span->held / most * HEIGHT;
    const double used = gp_num_min(span->used, span->held) / most * HEIGHT;
    gp_plot_rect(out, "box", x + 1, BASE - held, width - 2, held);
    gp_plot_rect(out, "c0", x + 1, BASE - used, width - 2, used);
}

void gp_chart_spans(gp_form_out *out, const char *title, const gp_chart_span *spans, size_t count) {
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = gp_num_max(most, spans[i].held);
    if (count == 0 || !(most > 0))
        return;
    const double width = (double)GP_PLOT_WIDTH / (double)count;
    if (!gp_plot_open(out, title, BASE + BOTTOM))
        return;
    for (size_t i = 0; i < count; i++) {
        const double x = width * (double)i;
        const bool first = i == 0;
        draw_span(out, &spans[i], x, width, most);
        if (first || gp_num_compare9(spans[i].held, spans[i - 1].held) != 0)
            gp_plot_text(out, GP_ANCHOR_MIDDLE, "", x + width / 2,
                         BASE - spans[i].held / most * HEIGHT - 6, spans[i].text);
        if (first || i + 1 == count)
            gp_plot_text(out, first ? GP_ANCHOR_START : GP_ANCHOR_END, "soft",
                         first ? x : x + width, BASE + 18, spans[i].head);
    }
    gp_plot_line(out, "axis", 0, BASE, GP_PLOT_WIDTH, BASE);
    gp_plot_close(out);
}

/* ---- choices */

enum { LEFT = 90, RIGHT = 30, FIELD = 180, FIELD_TOP = 26, DOT = 9 };

static double part_of(const gp_chart_axis *axis, double value) {
    return (value - axis->least) / (axis->most - axis->least);
}

static double across_of(const gp_chart_axis *axis, double value) {
    return LEFT + part_of(axis, value) * (GP_PLOT_WIDTH - LEFT - RIGHT);
}

static double up_of(const gp_chart_axis *axis, double value) {
    return FIELD_TOP + FIELD - part_of(axis, value) * FIELD;
}

/* No other point is as good on both axes and better on one. */
static bool is_best(const gp_chart_point *points, size_t count, size_t i) {
    for (size_t k = 0; k < count; k++) {
        const int x = gp_num_compare9(points[k].x, points[i].x);
        const int y = gp_num_compare9(points[k].y, points[i].y);
        if (x <= 0 && y <= 0 && (x < 0 || y < 0))
            return false;
    }
    return true;
}

/* The best point next to the right of `from`; `count`: none. */
static size_t next_best(const gp_chart_point *points, size_t count, size_t from) {
    size_t found = count;
    for (size_t i = 0; i < count; i++)
        if (is_best(points, count, i) && points[i].x > points[from].x &&
            (found == count || points[i].x < points[found].x))
            found = i;
    return found;
}

static void join_best(gp_form_out *out, const gp_chart_axis *across, const gp_chart_axis *up,
                      const gp_chart_point *points, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const size_t next = is_best(points, count, i) ? next_best(points, count, i) : count;
        if (next < count)
            gp_plot_line(out, "front", across_of(across, points[i].x), up_of(up, points[i].y),
                         across_of(across, points[next].x), up_of(up, points[next].y));
    }
}

static void draw_axes(gp_form_out *out, const gp_chart_axis *across, const gp_chart_axis *up) {
    const double base = FIELD_TOP + FIELD;
    gp_plot_line(out, "axis", LEFT, FIELD_TOP, LEFT, base);
    gp_plot_line(out, "axis", LEFT, base, GP_PLOT_WIDTH - RIGHT, base);
    gp_plot_text(out, GP_ANCHOR_START, "soft", 0, FIELD_TOP - 12, up->name);
    gp_plot_text(out, GP_ANCHOR_END, "soft", LEFT - 8, FIELD_TOP + 4, up->most_text);
    gp_plot_text(out, GP_ANCHOR_END, "soft", LEFT - 8, base + 4, up->least_text);
    gp_plot_text(out, GP_ANCHOR_START, "soft", LEFT, base + 18, across->least_text);
    gp_plot_text(out, GP_ANCHOR_END, "soft", GP_PLOT_WIDTH - RIGHT, base + 18, across->most_text);
    gp_plot_text(out, GP_ANCHOR_MIDDLE, "soft", (GP_PLOT_WIDTH + LEFT - RIGHT) / 2.0, base + 18,
                 across->name);
}

/* Its name stands beside a point where no other is near. */
static void name_point(gp_form_out *out, const gp_chart_axis *across, const gp_chart_axis *up,
                       const gp_chart_point *points, size_t count, size_t i) {
    enum { NEAR_ACROSS = 150, NEAR_UP = 15 };
    const double x = across_of(across, points[i].x);
    const double y = up_of(up, points[i].y);
    const bool right = x < GP_PLOT_WIDTH - RIGHT - NEAR_ACROSS;
    for (size_t k = 0; k < count; k++) {
        const double beside = (across_of(across, points[k].x) - x) * (right ? 1 : -1);
        if (k != i && beside > -NEAR_ACROSS && beside < NEAR_ACROSS &&
            fabs(up_of(up, points[k].y) - y) < NEAR_UP)
            return;
    }
    gp_plot_text(out, right ? GP_ANCHOR_START : GP_ANCHOR_END, "", right ? x + 4 : x - 4,
                 right ? y - DOT - 5 : y + DOT + 14, points[i].name);
}

void gp_chart_scatter(gp_form_out *out, const char *title, const gp_chart_axis *across,
                      const gp_chart_axis *up, const gp_chart_point *points, size_t count) {
    if (count == 0 || !(across->most > across->least) || !(up->most > up->least))
        return;
    if (!gp_plot_open(out, title, FIELD_TOP + FIELD + BOTTOM))
        return;
    draw_axes(out, across, up);
    join_best(out, across, up, points, count);
    for (size_t i = count; i-- > 0;) {
        const double x = across_of(across, points[i].x);
        const double y = up_of(up, points[i].y);
        gp_plot_dot(out, points[i].chosen ? "good" : "c6", x, y, DOT);
        gp_plot_text(out, GP_ANCHOR_MIDDLE, "inside", x, y + 4, points[i].label);
        name_point(out, across, up, points, count, i);
    }
    gp_plot_close(out);
}

/* ---- owning and renting */

static double use_x(double fraction) {
    return LEFT + fraction * (GP_PLOT_WIDTH - LEFT - RIGHT);
}

static void draw_use(gp_form_out *out, const char *class_name, double fraction, double y,
                     const char *text) {
    if (!(fraction > 0) || fraction > 1)
        return;
    const double x = use_x(fraction);
    const bool late = fraction > 0.5;
    gp_plot_line(out, class_name, x, FIELD_TOP, x, FIELD_TOP + FIELD);
    gp_plot_text(out, late ? GP_ANCHOR_END : GP_ANCHOR_START, "", late ? x - 6 : x + 6, y, text);
}

/* The owned hour costs its price at full use over the use: drawn in short pieces. */
static void draw_own(gp_form_out *out, const gp_chart_owning *owning, const gp_chart_axis *up) {
    enum { PIECES = 96 };
    for (int i = 1; i < PIECES; i++) {
        const double from = (double)i / PIECES;
        const double to = (double)(i + 1) / PIECES;
        if (owning->own / from <= up->most)
            gp_plot_line(out, "curve", use_x(from), up_of(up, owning->own / from), use_x(to),
                         up_of(up, owning->own / to));
    }
}

void gp_chart_own_or_rent(gp_form_out *out, const char *title, const gp_chart_owning *owning) {
    if (!(owning->own > 0) || !(owning->rented > 0))
        return;
    const double most = GP_CHART_OWNING_TOP * gp_num_max(owning->rented, owning->own);
    const gp_chart_axis across = {"share of the time that the GPUs compute", "0", "100%", 0, 1};
    const gp_chart_axis up = {"cost per GPU-hour of use", "0", owning->most_text, 0, most};
    const double rented = up_of(&up, owning->rented);
    if (!gp_plot_open(out, title, FIELD_TOP + FIELD + BOTTOM))
        return;
    draw_axes(out, &across, &up);
    gp_plot_line(out, "rented", LEFT, rented, GP_PLOT_WIDTH - RIGHT, rented);
    gp_plot_text(out, GP_ANCHOR_END, "", GP_PLOT_WIDTH - RIGHT, rented - 6, owning->rented_text);
    draw_own(out, owning, &up);
    gp_plot_text(out, GP_ANCHOR_END, "", GP_PLOT_WIDTH - RIGHT, up_of(&up, owning->own) - 24,
                 owning->own_text);
    draw_use(out, "axis", owning->even_fraction, FIELD_TOP + 10, owning->even_text);
    draw_use(out, "axis", owning->planned_fraction, FIELD_TOP + 28, owning->planned_text);
    gp_plot_close(out);
}
