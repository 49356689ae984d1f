/* The site of a report: power and cooling, racks, fabrics. */
#include "render/report_parts.h"

/* ---- limits */

static const char *limit_class(double share) {
    static const double tight = 0.9;
    return share > 1 ? "bad" : share > tight ? "unsure" : "c0";
}

/* Of two limits of one kind the first is of air, the second of liquid. */
static const char *limit_name(gp_form_out *out, const gp_report_site *site, size_t i) {
    const char *bound = site->limits.items[i].bound;
    if (!gp_str_equal(bound, "cooling"))
        return gp_form_words(out, bound);
    for (size_t k = 0; k < i; k++)
        if (gp_str_equal(site->limits.items[k].bound, bound))
            return "liquid cooling";
    return gp_num_compare9(site->limits.items[i].limit, site->cooling.liquid_limit_w) == 0 &&
                   !isfinite(site->cooling.air_limit_w)
               ? "liquid cooling"
               : "air cooling";
}

static void write_limits(gp_form_out *out, const gp_report_site *site, const char *currency) {
    gp_chart_bar bars[GP_CHART_BARS];
    size_t count = 0;
    for (size_t i = 0; i < site->limits.count && count < GP_CHART_BARS; i++) {
        const gp_report_limit *it = &site->limits.items[i];
        const double share = it->limit > 0 ? gp_json_written(it->used) / gp_json_written(it->limit)
                                           : GP_REPORT_NO_REAL;
        bars[count++] =
            (gp_chart_bar){.label = limit_name(out, site, i),
                           .text = gp_form_text(out, "%s of %s, %s",
                                                gp_form_amount(out, it->used, it->dim, currency),
                                                gp_form_amount(out, it->limit, it->dim, currency),
                                                gp_form_share(out, share)),
                           .to = share,
                           .mark = GP_REPORT_NO_REAL,
                           .class_name = limit_class(share)};
    }
    gp_chart_bars(out, "How much of each site limit is used", bars, count);
}

/* ---- racks and fabrics */

enum {
    SLOTS_MOST = 64,
    SLOT_UNIT = 7,
    SLOT_LEFT = 60,
    SLOT_WIDTH = 400,
    SLOT_LEAST = 18,
    SLOT_MOST = 48
};

/* High enough for its text, and no higher than a reader needs to see that it is large. */
static double slot_height(const gp_report_slot *slot) {
    const double drawn = (double)((slot->to_u - slot->from_u + 1) * SLOT_UNIT);
    return gp_num_max(SLOT_LEAST, gp_num_min(drawn, SLOT_MOST));
}

static const char *slot_units(gp_form_out *out, const gp_report_slot *slot) {
    return slot->from_u == slot->to_u
               ? gp_form_text(out, "%lld", (long long)slot->to_u)
               : gp_form_text(out, "%lld-%lld", (long long)slot->to_u, (long long)slot->from_u);
}

static const char *slot_text(const gp_report_slot *slot) {
    return slot->id != NULL ? slot->id : slot->what;
}

static const char *slot_value(gp_form_out *out, const gp_report_slot *slot) {
    return isfinite(slot->power_w) ? gp_form_watts(out, slot->power_w) : "";
}

/* On a terminal: a line per place. */
static void text_elevation(gp_form_out *out, const char *title, const gp_report_slot *slots,
                           size_t count) {
    enum { UNITS = 5, WHAT = 36, WATTS = 10 };
    static const char edge[] = "      +------------------------------------------------+\n";
    gp_block_note(out, "%s", title);
    gp_buf_str(out->buf, edge);
    for (size_t i = 0; i < count; i++) {
        gp_cell(out, slot_units(out, &slots[i]), UNITS, true, false);
        gp_buf_str(out->buf, " | ");
        gp_cell(out, slot_text(&slots[i]), WHAT, false, false);
        gp_cell(out, slot_value(out, &slots[i]), WATTS, true, false);
        gp_buf_str(out->buf, " |\n");
    }
    gp_buf_str(out->buf, edge);
}

static void draw_elevation(gp_form_out *out, const char *title, const gp_report_slot *slots,
                           size_t count) {
    double height = 2;
    double y = 1;
    for (size_t i = 0; i < count; i++)
        height += slot_height(&slots[i]);
    if (!gp_plot_open(out, title, (int)gp_num_ceil_count(height)))
        return;
    for (size_t i = 0; i < count; i++) {
        const gp_report_slot *slot = &slots[i];
        const double tall = slot_height(slot);
        const double middle = y + tall / 2 + 4;
        gp_plot_rect(out, slot->id != NULL ? "box" : "free", SLOT_LEFT, y, SLOT_WIDTH, tall);
        gp_plot_text(out, GP_ANCHOR_END, "soft", SLOT_LEFT - 8, middle, slot_units(out, slot));
        gp_plot_text(out, GP_ANCHOR_START, "", SLOT_LEFT + 10, middle, slot_text(slot));
        gp_plot_text(out, GP_ANCHOR_END, "soft", SLOT_LEFT + SLOT_WIDTH - 10, middle,
                     slot_value(out, slot));
        y += tall;
    }
    gp_plot_close(out);
}

/* A full rack of each kind from the front. */
static void write_elevation(gp_form_out *out, const gp_report_site *site,
                            const gp_report_rack *rack) {
    const char *which = rack->count == 1 ? "The rack"
                                         : gp_form_text(out, "The fullest of %s racks",
                                                        gp_form_count(out, rack->count));
    const char *strips =
        gp_form_if(out, rack->circuits != GP_REPORT_NO_COUNT, ", %s mounted vertically at the back",
                   gp_form_plural(out, rack->circuits, "power strip"));
    const char *all =
        rack == site->racks.items
            ? gp_form_around(out, "; ", gp_form_quantity(out, site->delivery_kg, GP_DIM_MASS),
                             " of machines to deliver in total")
            : "";
    const char *title = gp_form_text(
        out, "%s of %s, front view, rack units counted from the floor: %s%s%s%s", which,
        gp_form_or(rack->holds, "machines"), gp_form_watts(out, rack->power_w), strips,
        gp_form_around(out, "; ", gp_form_quantity(out, rack->weight_kg, GP_DIM_MASS),
                       " of machines"),
        all);
    const size_t count = rack->slots.count < SLOTS_MOST ? rack->slots.count : SLOTS_MOST;
    if (count > 0 && out->layout == GP_LAYOUT_TEXT)
        text_elevation(out, title, rack->slots.items, count);
    else if (count > 0)
        draw_elevation(out, title, rack->slots.items, count);
}

/* Switches of one tier, from core to machines, and the cables below. */
typedef struct tier {
    const char *label;
    int64_t count;
    int64_t cables; /* to the tier below; 0: none told */
} tier;

enum { TIER_HEIGHT = 26, TIER_GAP = 36, TIER_SHOWN = 16, TIER_LEFT = 130, TIER_GAP_INSIDE = 6 };

static int shown_of(const tier *it) {
    return (int)gp_num_min_i64(it->count, TIER_SHOWN);
}

/* The middle of the i-th box: those of a tier stand around the middle of the drawing. */
static double box_middle(const tier *it, int i) {
    const double width = (double)(GP_PLOT_WIDTH - TIER_LEFT) / TIER_SHOWN;
    const double middle = TIER_LEFT + (GP_PLOT_WIDTH - TIER_LEFT) / 2.0;
    return middle + (i - (shown_of(it) - 1) / 2.0) * width;
}

static void draw_tier(gp_form_out *out, const tier *it, double y) {
    const double width = (double)(GP_PLOT_WIDTH - TIER_LEFT) / TIER_SHOWN - TIER_GAP_INSIDE;
    const int shown = shown_of(it);
    for (int i = 0; i < shown; i++)
        gp_plot_rect(out, "box", box_middle(it, i) - width / 2, y, width, TIER_HEIGHT);
    if (it->count > shown)
        gp_plot_text(out, GP_ANCHOR_MIDDLE, "soft", box_middle(it, shown - 1),
                     y + TIER_HEIGHT / 2.0 + 4, "...");
    gp_plot_text(out, GP_ANCHOR_START, "", 0, y + TIER_HEIGHT / 2.0 + 4,
                 gp_form_text(out, "%s %s", gp_form_count(out, it->count), it->label));
}

static void draw_cables(gp_form_out *out, const tier *upper, const tier *lower, double y) {
    for (int i = 0; i < shown_of(upper); i++)
        for (int k = 0; k < shown_of(lower); k++)
            gp_plot_line(out, "wire", box_middle(upper, i), y, box_middle(lower, k), y + TIER_GAP);
    if (upper->cables > 0)
        gp_plot_text(out, GP_ANCHOR_START, "soft", 0, y + TIER_GAP / 2.0 + 4,
                     gp_form_text(out, "%s cables", gp_form_count(out, upper->cables)));
}

static void draw_tiers(gp_form_out *out, const char *title, const tier *tiers, size_t count) {
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

static void write_fabric(gp_form_out *out, const gp_report_fabric *fabric) {
    tier tiers[4];
    size_t count = 0;
    if (fabric->core > 0)
        tiers[count++] = (tier){"core", fabric->core, fabric->cables.spine_core};
    if (fabric->spine > 0)
        tiers[count++] = (tier){"spine", fabric->spine, fabric->cables.leaf_spine};
    if (fabric->leaf > 0)
        tiers[count++] = (tier){"leaf", fabric->leaf, fabric->cables.node_leaf};
    if (count == 0)
        return;
    const bool ports =
        gp_str_equal(fabric->name, "storage") || gp_str_equal(fabric->name, "inBand");
    tiers[count++] = (tier){ports ? "ports" : "hosts", fabric->hosts, 0};
    draw_tiers(out,
               gp_form_text(out, "Fabric %s: %s", gp_form_or(fabric->name, "compute"),
                            gp_form_switch(out, fabric)),
               tiers, count);
}

/* Of the racks of one kind the fullest is drawn, which stands first. */
static bool is_first_of_kind(const gp_report_site *site, size_t index) {
    for (size_t i = 0; i < index; i++)
        if (gp_str_equal(site->racks.items[i].holds, site->racks.items[index].holds))
            return false;
    return true;
}

/* What is drawn is drawn for each of several sites. */
static void say_site(gp_form_out *out, const gp_report *report, const char *name) {
    const gp_report_site *site = &report->site;
    const bool sum = report->sites.count > 0;
    const bool folded = out->layout == GP_LAYOUT_MARKDOWN;
    if (report->summary.nodes == 0) {
        gp_block_note(out, "No workload fits, so there is nothing to place.");
        return;
    }
    write_limits(out, site, report->cost.currency);
    if (folded)
        gp_block_fold(out, gp_form_text(out, "Power, cooling, racks, fabric of %s", name));
    gp_say_site_facts(out, report);
    if (folded)
        gp_block_fold_end(out);
    for (size_t i = 0; !sum && i < site->racks.count; i++)
        if (is_first_of_kind(site, i))
            write_elevation(out, site, &site->racks.items[i]);
    for (size_t i = 0; !sum && i < site->fabrics.count; i++)
        write_fabric(out, &site->fabrics.items[i]);
}

/* The report as one of its sites by itself. */
static gp_report at_site(const gp_report *report, const gp_report_place *place) {
    gp_report at = *report;
    at.site = place->site;
    at.summary.racks = place->racks;
    at.summary.nodes = place->stand_nodes;
    at.sites.count = 0;
    at.cost.capital = GP_REPORT_NO_REAL; /* of all sites together */
    return at;
}

void gp_say_site(gp_form_out *out, const gp_report *report) {
    say_site(out, report, report->sites.count > 0 ? "all sites" : "the site");
    for (size_t i = 0; i < report->sites.count; i++) {
        const gp_report_place *place = &report->sites.items[i];
        const char *name = gp_form_or(place->name, "?");
        const gp_report at = at_site(report, place);
        gp_block_section(out, gp_form_text(out, "site-%s", name),
                         gp_form_text(out, "Site %s", name));
        say_site(out, &at, name);
        gp_say_bill(out, &at);
    }
}
