/* The site of a report: power and cooling, racks, fabrics, machines over time, growth. */
#include "render/html_parts.h"
#include "render/schedule_form.h"
#include "render/tables.h"
#include "render/text_form.h"

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

static void write_limits(gp_form_out *out, const gp_report_site *site) {
    gp_chart_bar bars[GP_CHART_BARS];
    size_t count = 0;
    for (size_t i = 0; i < site->limits.count && count < GP_CHART_BARS; i++) {
        const gp_report_limit *it = &site->limits.items[i];
        const double share = it->limit > 0 ? it->used / it->limit : GP_REPORT_NO_REAL;
        bars[count++] = (gp_chart_bar){
            .label = limit_name(out, site, i),
            .text =
                gp_form_text(out, "%s of %s, %s", gp_form_quantity(out, it->used, it->dim),
                             gp_form_quantity(out, it->limit, it->dim), gp_form_share(out, share)),
            .to = share,
            .mark = GP_REPORT_NO_REAL,
            .class_name = limit_class(share)};
    }
    gp_chart_bars(out, "How much of each limit of the site is taken", bars, count);
}

/* ---- racks and fabrics */

static void write_elevation(gp_form_out *out, const gp_report_rack *rack) {
    gp_chart_slot slots[GP_CHART_SLOTS];
    size_t count = 0;
    for (size_t i = 0; i < rack->slots.count && count < GP_CHART_SLOTS; i++) {
        const gp_report_slot *slot = &rack->slots.items[i];
        slots[count++] = (gp_chart_slot){
            .from = slot->from_u,
            .to = slot->to_u,
            .text = slot->id != NULL ? slot->id : slot->what,
            .value = isfinite(slot->power_w) ? gp_form_watts(out, slot->power_w) : "",
            .filled = slot->id != NULL,
        };
    }
    if (count == 0)
        return;
    const char *which = rack->count == 1 ? "The rack"
                                         : gp_form_text(out, "The fullest of %s racks",
                                                        gp_form_count(out, rack->count));
    gp_chart_elevation(out,
                       gp_form_text(out, "%s of %s from the front, in units from the floor: %s",
                                    which, gp_form_or(rack->holds, "machines"),
                                    gp_form_watts(out, rack->power_w)),
                       slots, count);
}

static void write_fabric(gp_form_out *out, const gp_report_fabric *fabric) {
    gp_chart_tier tiers[4];
    size_t count = 0;
    if (fabric->core > 0)
        tiers[count++] = (gp_chart_tier){"core", fabric->core, fabric->cables.spine_core};
    if (fabric->spine > 0)
        tiers[count++] = (gp_chart_tier){"spine", fabric->spine, fabric->cables.leaf_spine};
    if (fabric->leaf > 0)
        tiers[count++] = (gp_chart_tier){"leaf", fabric->leaf, fabric->cables.node_leaf};
    if (count == 0)
        return;
    tiers[count++] = (gp_chart_tier){"hosts", fabric->hosts, 0};
    gp_chart_tiers(out,
                   gp_form_text(out, "Fabric %s: %s", gp_form_or(fabric->name, "compute"),
                                gp_form_switch(out, fabric)),
                   tiers, count);
}

/* `place` NULL: the only site, or the sum of several. */
static void write_site(gp_form_out *out, const gp_report *report, const char *place,
                       const char *prefix) {
    const gp_report_site *site = &report->site;
    const bool sum = report->sites.count > 0;
    gp_html_section(
        out,
        gp_form_text(out, "%ssite%s%s", prefix, place != NULL ? "-" : "", gp_form_or(place, "")),
        place != NULL ? gp_form_text(out, "Site %s", place)
        : sum         ? "All sites: power, cooling, racks, fabric"
                      : "Site: power, cooling, racks, fabric");
    if (report->summary.nodes == 0) {
        gp_html_element(out, "p", NULL, "No workload is held, so there is nothing to place.");
        gp_html_section_end(out);
        return;
    }
    write_limits(out, site);
    gp_html_facts_open(out);
    gp_text_site_facts(out, report);
    gp_html_facts_end(out);
    for (size_t i = 0; !sum && i < site->racks.count; i++)
        write_elevation(out, &site->racks.items[i]);
    for (size_t i = 0; !sum && i < site->fabrics.count; i++)
        write_fabric(out, &site->fabrics.items[i]);
    gp_html_section_end(out);
}

/* ---- time */

/* A column per period as high as the machines held, the part that computes filled. */
static void draw_schedule(gp_form_out *out, const gp_report_schedule *schedule) {
    gp_chart_span spans[GP_CHART_SPANS];
    size_t count = 0;
    for (size_t i = 0; i < schedule->periods.count && count < GP_CHART_SPANS; i++) {
        const gp_schedule_run run = {i, i};
        const gp_report_period *period = &schedule->periods.items[i];
        spans[count++] = (gp_chart_span){
            .head = gp_form_period(out, schedule, &run),
            .held = (double)period->peak_nodes,
            .used = period->mean_nodes,
            .text = gp_form_count(out, period->peak_nodes),
        };
    }
    gp_chart_spans(out, "Machines held by period; the filled part computes", spans, count);
}

static void write_schedule(gp_form_out *out, const gp_report_schedule *schedule,
                           const char *prefix) {
    gp_table table;
    if (schedule->claims.count == 0)
        return;
    gp_html_section(out, gp_form_text(out, "%stime", prefix), "Machines over time");
    gp_html_element(out, "p", NULL, gp_form_text(out, "%s.", gp_form_schedule(out, schedule)));
    draw_schedule(out, schedule);
    gp_table_claims(out, schedule, &table);
    gp_block_table(out, "What holds them", &table);
    gp_html_section_end(out);
}

static void write_teams(gp_form_out *out, const gp_report *report, const char *prefix) {
    gp_table table;
    if (report->teams.count == 0)
        return;
    gp_html_section(out, gp_form_text(out, "%steams", prefix), "Teams");
    gp_table_teams(out, report, &table);
    gp_block_table(out, "GPUs of each team", &table);
    gp_html_section_end(out);
}

/* Machines can be bought; another limit of the site cannot be passed so simply. */
static bool passes_site(const gp_report_growth *row) {
    return row->limit_hit != NULL && !gp_str_equal(row->limit_hit, "none") &&
           !gp_str_equal(row->limit_hit, "supply");
}

static void draw_growth(gp_form_out *out, const gp_report *report) {
    gp_chart_column columns[GP_CHART_SPANS];
    size_t count = 0;
    for (size_t i = 0; i < report->growth.count && count < GP_CHART_SPANS; i++) {
        const gp_report_growth *it = &report->growth.items[i];
        columns[count++] = (gp_chart_column){
            gp_form_or(it->quarter, "?"),
            (double)it->nodes,
            it->nodes_low == GP_REPORT_NO_COUNT ? GP_REPORT_NO_REAL : (double)it->nodes_low,
            it->nodes_high == GP_REPORT_NO_COUNT ? GP_REPORT_NO_REAL : (double)it->nodes_high,
            gp_form_count(out, it->nodes),
            passes_site(it)};
    }
    gp_chart_columns(out,
                     "Machines by quarter; the line spans the low and the high scenario, red is "
                     "where a limit of the site is passed",
                     columns, count);
}

static void write_growth(gp_form_out *out, const gp_report *report, const char *prefix) {
    gp_table table;
    if (report->growth.count == 0)
        return;
    gp_html_section(out, gp_form_text(out, "%sgrowth", prefix), "Growth");
    draw_growth(out, report);
    gp_table_quarters(out, report, &table);
    gp_block_table(out, "Quarter by quarter", &table);
    gp_table_horizon(out, report, &table);
    gp_block_table(out, "Limits over the horizon", &table);
    if (report->site.horizon != NULL)
        gp_html_element(
            out, "p", NULL,
            gp_form_text(out, "Built once: %s.", gp_form_horizon(out, report->site.horizon)));
    gp_html_section_end(out);
}

void gp_html_site(gp_form_out *out, const gp_report *report, const char *prefix) {
    write_site(out, report, NULL, prefix);
    for (size_t i = 0; i < report->sites.count; i++) {
        const gp_report at = gp_form_at_site(report, i);
        write_site(out, &at, gp_form_or(report->sites.items[i].name, "?"), prefix);
    }
    write_schedule(out, &report->site.schedule, prefix);
    write_teams(out, report, prefix);
    write_growth(out, report, prefix);
}
