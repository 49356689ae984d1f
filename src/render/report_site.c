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

/* A full rack of each kind from the front. */
static void write_elevation(gp_form_out *out, const gp_report_site *site,
                            const gp_report_rack *rack) {
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
    gp_chart_elevation(
        out,
        gp_form_text(out, "%s of %s, front view, rack units counted from the floor: %s%s%s%s",
                     which, gp_form_or(rack->holds, "machines"), gp_form_watts(out, rack->power_w),
                     strips,
                     gp_form_around(out, "; ", gp_form_quantity(out, rack->weight_kg, GP_DIM_MASS),
                                    " of machines"),
                     all),
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
    const bool ports =
        gp_str_equal(fabric->name, "storage") || gp_str_equal(fabric->name, "inBand");
    tiers[count++] = (gp_chart_tier){ports ? "ports" : "hosts", fabric->hosts, 0};
    gp_chart_tiers(out,
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
