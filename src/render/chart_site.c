/* Drawings of the site: what stands in a rack, and the tiers of a fabric. */
#include "render/chart.h"

/* ---- a rack */

enum { SLOT_UNIT = 7, SLOT_LEFT = 60, SLOT_WIDTH = 400, SLOT_LEAST = 18, SLOT_MOST = 48 };

/* High enough for its text, and no higher than a reader needs to see that it is large. */
static double slot_height(const gp_chart_slot *slot) {
    const double drawn = (double)((slot->to - slot->from + 1) * SLOT_UNIT);
    return gp_num_max(SLOT_LEAST, gp_num_min(drawn, SLOT_MOST));
}

static const char *slot_units(gp_form_out *out, const gp_chart_slot *slot) {
    return slot->from == slot->to
               ? gp_form_text(out, "%lld", (long long)slot->to)
               : gp_form_text(out, "%lld-%lld", (long long)slot->to, (long long)slot->from);
}

/* On a terminal: a line per place. */
static void text_elevation(gp_form_out *out, const char *title, const gp_chart_slot *slots,
                           size_t count) {
    enum { UNITS = 5, WHAT = 36, WATTS = 10 };
    static const char edge[] = "      +------------------------------------------------+\n";
    gp_block_note(out, "%s", title);
    gp_buf_str(out->buf, edge);
    for (size_t i = 0; i < count; i++) {
        gp_cell(out, slot_units(out, &slots[i]), UNITS, true, false);
        gp_buf_str(out->buf, " | ");
        gp_cell(out, slots[i].text, WHAT, false, false);
        gp_cell(out, slots[i].value, WATTS, true, false);
        gp_buf_str(out->buf, " |\n");
    }
    gp_buf_str(out->buf, edge);
}

static void draw_elevation(gp_form_out *out, const char *title, const gp_chart_slot *slots,
                           size_t count) {
    double height = 2;
    double y = 1;
    for (size_t i = 0; i < count; i++)
        height += slot_height(&slots[i]);
    if (!gp_plot_open(out, title, (int)gp_num_ceil_count(height)))
        return;
    for (size_t i = 0; i < count; i++) {
        const gp_chart_slot *slot = &slots[i];
        const double tall = slot_height(slot);
        const double middle = y + tall / 2 + 4;
        gp_plot_rect(out, slot->filled ? "box" : "free", SLOT_LEFT, y, SLOT_WIDTH, tall);
        gp_plot_text(out, GP_ANCHOR_END, "soft", SLOT_LEFT - 8, middle, slot_units(out, slot));
        gp_plot_text(out, GP_ANCHOR_START, "", SLOT_LEFT + 10, middle, slot->text);
        gp_plot_text(out, GP_ANCHOR_END, "soft", SLOT_LEFT + SLOT_WIDTH - 10, middle, slot->value);
        y += tall;
    }
    gp_plot_close(out);
}

void gp_chart_elevation(gp_form_out *out, const char *title, const gp_chart_slot *slots,
                        size_t count) {
    if (count > 0 && out->layout == GP_LAYOUT_TEXT)
        text_elevation(out, title, slots, count);
    else if (count > 0)
        draw_elevation(out, title, slots, count);
}

/* ---- switches */

enum { TIER_HEIGHT = 26, TIER_GAP = 36, TIER_SHOWN = 16, TIER_LEFT = 130, TIER_GAP_INSIDE = 6 };

static int shown_of(const gp_chart_tier *tier) {
    return (int)gp_num_min_i64(tier->count, TIER_SHOWN);
}

/* The middle of the i-th box: those of a tier stand around the middle of the drawing. */
static double box_middle(const gp_chart_tier *tier, int i) {
    const double width = (double)(GP_PLOT_WIDTH - TIER_LEFT) / TIER_SHOWN;
    const double middle = TIER_LEFT + (GP_PLOT_WIDTH - TIER_LEFT) / 2.0;
    return middle + (i - (shown_of(tier) - 1) / 2.0) * width;
}

static void draw_tier(gp_form_out *out, const gp_chart_tier *tier, double y) {
    const double width = (double)(GP_PLOT_WIDTH - TIER_LEFT) / TIER_SHOWN - TIER_GAP_INSIDE;
    const int shown = shown_of(tier);
    for (int i = 0; i < shown; i++)
        gp_plot_rect(out, "box", box_middle(tier, i) - width / 2, y, width, TIER_HEIGHT);
    if (tier->count > shown)
        gp_plot_text(out, GP_ANCHOR_MIDDLE, "soft", box_middle(tier, shown - 1),
                     y + TIER_HEIGHT / 2.0 + 4, "...");
    gp_plot_text(out, GP_ANCHOR_START, "", 0, y + TIER_HEIGHT / 2.0 + 4,
                 gp_form_text(out, "%s %s", gp_form_count(out, tier->count), tier->label));
}

static void draw_cables(gp_form_out *out, const gp_chart_tier *upper, const gp_chart_tier *lower,
                        double y) {
    for (int i = 0; i < shown_of(upper); i++)
        for (int k = 0; k < shown_of(lower); k++)
            gp_plot_line(out, "wire", box_middle(upper, i), y, box_middle(lower, k), y + TIER_GAP);
    if (upper->cables > 0)
        gp_plot_text(out, GP_ANCHOR_START, "soft", 0, y + TIER_GAP / 2.0 + 4,
                     gp_form_text(out, "%s cables", gp_form_count(out, upper->cables)));
}

void gp_chart_tiers(gp_form_out *out, const char *title, const gp_chart_tier *tiers, size_t count) {
    if (!gp_plot_open(out, title, (int)count * (TIER_HEIGHT + TIER_GAP) - TIER_GAP + 2))
        return;
    for (size_t i = 0; i < count; i++) {
        const double y = (double)i * (TIER_HEIGHT + TIER_GAP) + 1;
        draw_tier(out, &tiers[i], y);
        if (i + 1 < count)
            draw_cables(out, &tiers[i], &tiers[i + 1], y + TIER_HEIGHT);
    }
    gp_plot_close(out);
}
