/*
 * Charts as SVG, drawn with rectangles, lines and texts alone. Colours are classes of the page's
 * style, and never the only sign: every part has its label.
 */
#include <math.h>

#include "base/num.h"
#include "render/html.h"

enum { WIDTH = 960, COLOURS = 8 };

/* ---- shapes */

static void number(gp_buf *buf, const char *name, double value) {
    gp_buf_printf(buf, " %s=\"", name);
    gp_buf_fixed(buf, value, 1);
    gp_buf_char(buf, '"');
}

static void rect(gp_buf *buf, const char *class_name, double x, double y, double width,
                 double height) {
    gp_buf_printf(buf, "<rect class=\"%s\"", class_name);
    number(buf, "x", x);
    number(buf, "y", y);
    number(buf, "width", gp_num_max(width, 0));
    number(buf, "height", gp_num_max(height, 0));
    gp_buf_str(buf, "/>\n");
}

static void line(gp_buf *buf, const char *class_name, double x1, double y1, double x2, double y2) {
    gp_buf_printf(buf, "<line class=\"%s\"", class_name);
    number(buf, "x1", x1);
    number(buf, "y1", y1);
    number(buf, "x2", x2);
    number(buf, "y2", y2);
    gp_buf_str(buf, "/>\n");
}

typedef enum anchor { START, MIDDLE, END } anchor;

static void label(gp_form_out *out, anchor at, const char *class_name, double x, double y,
                  const char *text) {
    static const char *const anchors[] = {"start", "middle", "end"};
    gp_buf_printf(out->buf, "<text class=\"%s\" text-anchor=\"%s\"", class_name, anchors[at]);
    number(out->buf, "x", x);
    number(out->buf, "y", y);
    gp_buf_char(out->buf, '>');
    gp_html_text(out, text);
    gp_buf_str(out->buf, "</text>\n");
}

static void open_chart(gp_form_out *out, const char *title, int height) {
    gp_buf_str(out->buf, "<figure>\n");
    gp_html_element(out, "figcaption", NULL, title);
    gp_buf_printf(out->buf, "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\"",
                  WIDTH, height, WIDTH, height);
    gp_buf_str(out->buf, " aria-label=\"");
    gp_html_text(out, title);
    gp_buf_str(out->buf, "\">\n");
}

static void close_chart(gp_form_out *out) {
    gp_buf_str(out->buf, "</svg>\n</figure>\n");
}

static const char *colour(gp_form_out *out, size_t i) {
    return gp_form_text(out, "c%d", (int)(i % COLOURS));
}

/* ---- stacked bar */

void gp_chart_stack(gp_form_out *out, const char *title, const gp_chart_part *parts, size_t count) {
    enum { BAR = 34 };
    double x = 0.5;
    open_chart(out, title, BAR + 2);
    for (size_t i = 0; i < count; i++) {
        const double width = gp_num_max(parts[i].share, 0) * (WIDTH - 1);
        rect(out->buf, parts[i].free ? "free" : colour(out, i), x, 1, width, BAR);
        x += width;
    }
    gp_buf_str(out->buf, "</svg>\n<ul class=\"legend\">\n");
    for (size_t i = 0; i < count; i++) {
        gp_buf_printf(out->buf, "<li><span class=\"%s\"></span>",
                      parts[i].free ? "free" : colour(out, i));
        gp_html_text(out, gp_form_text(out, "%s %s", parts[i].label, parts[i].value));
        gp_buf_str(out->buf, "</li>\n");
    }
    gp_buf_str(out->buf, "</ul>\n</figure>\n");
}

/* ---- goals */

enum { GOAL_LEFT = 150, GOAL_RIGHT = 200, GOAL_ROW = 40, GOAL_BAR = 14 };

/* Each goal has an axis of its own, to a quarter past the larger of target and band. */
static void draw_goal(gp_form_out *out, const gp_chart_goal *goal, double y) {
    static const double room = 1.25;
    const double most = gp_num_max(goal->target, gp_num_max(goal->high, goal->expected)) * room;
    const double scale = (WIDTH - GOAL_LEFT - GOAL_RIGHT) / most;
    const double middle = y + GOAL_ROW / 2.0;
    const double low = isfinite(goal->low) ? goal->low : goal->expected;
    const double high = isfinite(goal->high) ? goal->high : goal->expected;
    label(out, START, "", 0, middle + 4, goal->label);
    line(out->buf, "axis", GOAL_LEFT, middle, WIDTH - GOAL_RIGHT, middle);
    rect(out->buf, goal->ok ? "good" : "bad", GOAL_LEFT + low * scale, middle - GOAL_BAR / 2.0,
         gp_num_max((high - low) * scale, 2), GOAL_BAR);
    line(out->buf, "target", GOAL_LEFT + goal->target * scale, y + 6,
         GOAL_LEFT + goal->target * scale, y + GOAL_ROW - 6);
    label(out, START, "", WIDTH - GOAL_RIGHT + 12, middle - 3,
          gp_form_text(out, "%s %s", goal->expected_text, goal->ok ? "(met)" : "(not met)"));
    label(out, START, "soft", WIDTH - GOAL_RIGHT + 12, middle + 13,
          gp_form_text(out, "target %s", goal->target_text));
}

void gp_chart_goals(gp_form_out *out, const char *title, const gp_chart_goal *goals, size_t count) {
    open_chart(out, title, (int)count * GOAL_ROW);
    for (size_t i = 0; i < count; i++)
        draw_goal(out, &goals[i], (double)i * GOAL_ROW);
    close_chart(out);
}

/* ---- columns */

enum { COLUMN_TOP = 24, COLUMN_HEIGHT = 150, COLUMN_BOTTOM = 26, COLUMN_WIDEST = 90 };

void gp_chart_columns(gp_form_out *out, const char *title, const gp_chart_column *columns,
                      size_t count, double limit, const char *limit_text) {
    double most = isfinite(limit) ? limit : 0;
    for (size_t i = 0; i < count; i++)
        most = gp_num_max(most, columns[i].value);
    if (count == 0 || !(most > 0))
        return;
    const double base = COLUMN_TOP + COLUMN_HEIGHT;
    const double width = (double)WIDTH / (double)count;
    open_chart(out, title, COLUMN_TOP + COLUMN_HEIGHT + COLUMN_BOTTOM);
    for (size_t i = 0; i < count; i++) {
        const double height = columns[i].value / most * COLUMN_HEIGHT;
        const double x = width * (double)i;
        const double bar = gp_num_min(width / 2, COLUMN_WIDEST);
        rect(out->buf, columns[i].marked ? "bad" : "c0", x + (width - bar) / 2, base - height, bar,
             height);
        label(out, MIDDLE, "", x + width / 2, base - height - 6, columns[i].text);
        label(out, MIDDLE, "soft", x + width / 2, base + 18, columns[i].head);
    }
    line(out->buf, "axis", 0, base, WIDTH, base);
    if (isfinite(limit)) {
        const double y = base - limit / most * COLUMN_HEIGHT;
        line(out->buf, "limit", 0, y, WIDTH, y);
        label(out, END, "bad", WIDTH, y - 6, limit_text);
    }
    close_chart(out);
}

/* ---- time */

void gp_chart_spans(gp_form_out *out, const char *title, const gp_chart_span *spans, size_t count) {
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = gp_num_max(most, spans[i].held);
    if (count == 0 || !(most > 0))
        return;
    const double base = COLUMN_TOP + COLUMN_HEIGHT;
    const double width = (double)WIDTH / (double)count;
    open_chart(out, title, COLUMN_TOP + COLUMN_HEIGHT + COLUMN_BOTTOM);
    for (size_t i = 0; i < count; i++) {
        const double x = width * (double)i;
        const double held = spans[i].held / most * COLUMN_HEIGHT;
        const double used = gp_num_min(spans[i].used, spans[i].held) / most * COLUMN_HEIGHT;
        rect(out->buf, "box", x + 1, base - held, width - 2, held);
        rect(out->buf, "c0", x + 1, base - used, width - 2, used);
        const bool first = i == 0;
        if (first || gp_num_compare9(spans[i].held, spans[i - 1].held) != 0)
            label(out, MIDDLE, "", x + width / 2, base - held - 6, spans[i].text);
        if (first || i + 1 == count)
            label(out, first ? START : END, "soft", first ? x : x + width, base + 18,
                  spans[i].head);
    }
    line(out->buf, "axis", 0, base, WIDTH, base);
    close_chart(out);
}

/* ---- racks */

enum { RACK_SHOWN = 8, RACK_NODES = 12, RACK_WIDTH = 100, RACK_GAP = 16, RACK_UNIT = 18 };

void gp_chart_rack(gp_form_out *out, const char *title, int64_t racks, int64_t nodes_per_rack,
                   const char *node, const char *power) {
    const int shown = (int)gp_num_min_i64(racks, RACK_SHOWN);
    const int nodes = (int)gp_num_min_i64(nodes_per_rack, RACK_NODES);
    const int height = nodes * RACK_UNIT + 46;
    if (shown <= 0 || nodes <= 0)
        return;
    open_chart(out, title, height + 22);
    for (int r = 0; r < shown; r++) {
        const double x = r * (RACK_WIDTH + RACK_GAP) + 0.5;
        rect(out->buf, "box", x, 0.5, RACK_WIDTH, height);
        rect(out->buf, "c6", x + 8, 8, RACK_WIDTH - 16, 8);
        for (int n = 0; n < nodes; n++)
            rect(out->buf, "c0", x + 8, 22 + n * RACK_UNIT, RACK_WIDTH - 16, RACK_UNIT - 4);
        label(out, MIDDLE, "soft", x + RACK_WIDTH / 2.0, height + 16, power);
    }
    const char *more =
        racks > shown ? gp_form_text(out, "and %lld more", (long long)(racks - shown)) : "";
    const double x = shown * (RACK_WIDTH + RACK_GAP) + 4;
    if (x < WIDTH - RACK_GAP)
        label(out, START, "soft", x, 20, more);
    gp_buf_str(out->buf, "</svg>\n");
    gp_html_element(
        out, "p", "soft",
        gp_form_text(out, "%s; %lld of %s in each; switches and power strips at the top",
                     racks > shown
                         ? gp_form_text(out, "%d of %lld racks drawn", shown, (long long)racks)
                         : gp_form_plural(out, racks, "rack", "racks"),
                     (long long)nodes_per_rack, node));
    gp_buf_str(out->buf, "</figure>\n");
}

enum { SLOT_UNIT = 7, SLOT_LEFT = 60, SLOT_WIDTH = 360, SLOT_LEAST = 16 };

void gp_chart_elevation(gp_form_out *out, const char *title, const gp_chart_slot *slots,
                        size_t count) {
    double height = 2;
    double y = 1;
    for (size_t i = 0; i < count; i++)
        height += gp_num_max(SLOT_LEAST, (double)((slots[i].to - slots[i].from + 1) * SLOT_UNIT));
    if (count == 0)
        return;
    open_chart(out, title, (int)gp_num_ceil_count(height));
    for (size_t i = 0; i < count; i++) {
        const double tall =
            gp_num_max(SLOT_LEAST, (double)((slots[i].to - slots[i].from + 1) * SLOT_UNIT));
        const double middle = y + tall / 2 + 4;
        rect(out->buf, slots[i].filled ? "box" : "axis", SLOT_LEFT, y, SLOT_WIDTH, tall);
        label(out, END, "soft", SLOT_LEFT - 8, middle,
              gp_form_text(out, "%lld", (long long)slots[i].to));
        label(out, START, "", SLOT_LEFT + 10, middle, slots[i].text);
        label(out, END, "soft", SLOT_LEFT + SLOT_WIDTH - 10, middle, slots[i].value);
        y += tall;
    }
    close_chart(out);
}

/* ---- switches */

enum { TIER_HEIGHT = 30, TIER_GAP = 44, TIER_SHOWN = 16, TIER_LEFT = 190 };

static void draw_boxes(gp_form_out *out, int64_t count, double y) {
    const int shown = (int)gp_num_min_i64(count, TIER_SHOWN);
    const double width = (double)(WIDTH - TIER_LEFT) / TIER_SHOWN;
    for (int i = 0; i < shown; i++)
        rect(out->buf, "box", TIER_LEFT + i * width + 3, y, width - 6, TIER_HEIGHT);
    if (count > shown)
        label(out, MIDDLE, "soft", TIER_LEFT + (shown - 0.5) * width, y + TIER_HEIGHT / 2.0 + 4,
              "..");
}

void gp_chart_tiers(gp_form_out *out, const char *title, const gp_chart_tier *tiers, size_t count) {
    open_chart(out, title, (int)count * (TIER_HEIGHT + TIER_GAP) - TIER_GAP + 2);
    for (size_t i = 0; i < count; i++) {
        const double y = (double)i * (TIER_HEIGHT + TIER_GAP) + 1;
        draw_boxes(out, tiers[i].count, y);
        label(out, START, "", 0, y + TIER_HEIGHT / 2.0 + 4,
              gp_form_text(out, "%s %s", gp_form_count(out, tiers[i].count), tiers[i].label));
        if (i + 1 == count)
            continue;
        const double middle = TIER_LEFT + (WIDTH - TIER_LEFT) / 2.0;
        line(out->buf, "wire", middle, y + TIER_HEIGHT, middle, y + TIER_HEIGHT + TIER_GAP);
        if (tiers[i].cables > 0)
            label(out, START, "soft", middle + 10, y + TIER_HEIGHT + TIER_GAP / 2.0 + 4,
                  gp_form_text(out, "%s cables", gp_form_count(out, tiers[i].cables)));
    }
    close_chart(out);
}
