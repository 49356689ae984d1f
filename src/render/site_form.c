/* Sentences about the site that text, Markdown and HTML share. */
#include "render/form.h"

static const char *limit_words(gp_form_out *out, double limit, gp_dim dim) {
    return gp_form_around(out, " of ", gp_form_quantity(out, limit, dim), "");
}

const char *gp_form_power(gp_form_out *out, const gp_report_power *power) {
    const bool stated = !(power->annual_pue_high > power->annual_pue_low);
    const char *band = stated ? ""
                              : gp_form_text(out, " (%s to %s, depending on cooling)",
                                             gp_form_number(out, power->annual_pue_low),
                                             gp_form_number(out, power->annual_pue_high));
    return gp_form_text(
        out, "%s IT%s, %s under load; facility %s peak, %s under load; PUE %s%s",
        gp_form_watts(out, power->it_w), limit_words(out, power->limit_w, GP_DIM_POWER),
        gp_form_watts(out, power->it_mean_w), gp_form_watts(out, power->facility_w),
        gp_form_watts(out, power->facility_mean_w), gp_form_number(out, power->annual_pue), band);
}

const char *gp_form_year(gp_form_out *out, const gp_report_power *power) {
    const bool renewable = power->renewable_fraction > 0;
    const char *market =
        gp_form_if(out, renewable, ", %s after %s renewable supply",
                   gp_form_quantity(out, power->carbon_market_kg_per_year, GP_DIM_MASS),
                   gp_form_share(out, power->renewable_fraction));
    const char *carbon =
        gp_form_if(out, isfinite(power->carbon_kg_per_year), ", %s CO2e%s",
                   gp_form_quantity(out, power->carbon_kg_per_year, GP_DIM_MASS), market);
    return gp_form_text(out, "%s%s", gp_form_quantity(out, power->energy_j_per_year, GP_DIM_ENERGY),
                        carbon);
}

const char *gp_form_heat(gp_form_out *out, const gp_report_cooling *cooling) {
    const char *liquid =
        gp_form_if(out, cooling->liquid_heat_w > 0, ", %s%s to coolant at %s",
                   gp_form_watts(out, cooling->liquid_heat_w),
                   limit_words(out, cooling->liquid_limit_w, GP_DIM_POWER),
                   gp_form_quantity(out, cooling->liquid_flow_m3_per_s, GP_DIM_FLOW));
    return gp_form_text(out, "%s (%s BTU/h): %s%s to air at %s%s",
                        gp_form_watts(out, cooling->heat_w),
                        gp_form_quantity(out, cooling->heat_btu_per_h, GP_DIM_COUNT),
                        gp_form_watts(out, cooling->air_heat_w),
                        limit_words(out, cooling->air_limit_w, GP_DIM_POWER),
                        gp_form_quantity(out, cooling->airflow_m3_per_s, GP_DIM_FLOW), liquid);
}

const char *gp_form_rack(gp_form_out *out, const gp_report_power *power,
                         const gp_report_rack *rack) {
    const char *each = gp_form_around(out, " of ", gp_form_watts(out, power->circuit_w), "");
    const char *circuits = gp_form_if(out, rack->circuits != GP_REPORT_NO_COUNT, ", %s%s",
                                      gp_form_plural(out, rack->circuits, "circuit"), each);
    if (rack->nodes_per_rack == 0)
        return gp_form_text(out, "%s for %s", gp_form_plural(out, rack->count, "rack"),
                            gp_form_or(rack->holds, "?"));
    const bool all = rack->fits > rack->nodes_per_rack;
    return gp_form_text(
        out, "%s of %s%s %s (%s%s%s), each %s%s", gp_form_plural(out, rack->count, "rack"),
        !all && rack->nodes_per_rack > 1 ? "up to " : "", gp_form_count(out, rack->nodes_per_rack),
        gp_form_or(rack->holds, "?"),
        gp_form_if(out, all, "room for %s, ", gp_form_count(out, rack->fits)),
        rack->bound_by != NULL ? "limited by " : "no limit stated", gp_form_or(rack->bound_by, ""),
        gp_form_watts(out, rack->power_w), circuits);
}

const char *gp_form_cabling(gp_form_out *out, const gp_report_fabric *fabric) {
    const gp_report_cables *cables = &fabric->cables;
    const char *of = gp_form_if(out, fabric->system != NULL, " of %s", fabric->system);
    const char *spine = gp_form_some(out, ", ", cables->leaf_spine, " to spine");
    const char *core = gp_form_some(out, ", ", cables->spine_core, " to core");
    return gp_form_text(out, "%s%s, %s: %s; cables %s to hosts%s%s",
                        gp_form_or(fabric->name, "compute"), of, gp_form_switch(out, fabric),
                        gp_form_fabric(out, fabric), gp_form_count(out, cables->node_leaf), spine,
                        core);
}

const char *gp_form_failures(gp_form_out *out, const gp_report_reliability *failures) {
    return gp_form_text(
        out,
        "%s a month over all machines (%s to %s); %s to cover repairs, %s likely to fail early",
        gp_form_number(out, failures->interruptions_per_month),
        gp_form_number(out, failures->interruptions_per_month_low),
        gp_form_number(out, failures->interruptions_per_month_high),
        gp_form_plural(out, failures->spare_nodes, "spare machine"),
        gp_form_count(out, failures->early_nodes));
}

const char *gp_form_storage(gp_form_out *out, const gp_report_storage *storage) {
    if (!isfinite(storage->capacity_bytes))
        return NULL;
    const char *product = gp_form_if(out, storage->product != NULL, "%s x %s for ",
                                     gp_form_count(out, storage->products), storage->product);
    const char *write =
        gp_form_if(out, isfinite(storage->write_bytes_per_s), "write %s%s, ",
                   gp_form_quantity(out, storage->write_bytes_per_s, GP_DIM_BYTES_PER_S),
                   limit_words(out, storage->there_write_bytes_per_s, GP_DIM_BYTES_PER_S));
    return gp_form_text(out, "%s%sread %s%s, %s%s", product, write,
                        gp_form_quantity(out, storage->read_bytes_per_s, GP_DIM_BYTES_PER_S),
                        limit_words(out, storage->there_read_bytes_per_s, GP_DIM_BYTES_PER_S),
                        gp_form_bytes(out, storage->capacity_bytes),
                        limit_words(out, storage->there_capacity_bytes, GP_DIM_BYTES));
}

/* Only what is whole: a sum without one of its prices is no figure. What is nothing is left out. */
bool gp_form_part_priced(const gp_report *report) {
    for (size_t i = 0; i < report->site.bill.count; i++) {
        const gp_report_bill *line = &report->site.bill.items[i];
        if (line->bought > 0 && !(line->price > 0))
            return true;
    }
    return !report->cost.complete;
}

const char *gp_form_without(gp_form_out *out, const gp_report_cost *cost, bool capital) {
    const char *text = "";
    for (size_t i = 0; i < cost->missing.count; i++)
        if (!capital || !gp_str_starts(cost->missing.items[i], "site."))
            text = gp_form_text(out, "%s%s %s", text, *text == '\0' ? " without" : ",",
                                cost->missing.items[i]);
    return text;
}

size_t gp_form_cost_parts(const gp_report_cost *cost, gp_cost_part ret_parts[GP_COST_PARTS]) {
    const gp_cost_part parts[GP_COST_PARTS] = {
        {"capital", cost->capital_per_year},
        {"energy", cost->energy_per_year},
        {"colocation", cost->colocation_per_year},
        {"support", cost->support_per_year},
        {"staff", cost->staff_per_year},
        {"licences", cost->licenses_per_year},
        {"rent", cost->rent_per_year},
        {"links", cost->links_per_year},
    };
    size_t count = 0;
    for (size_t i = 0; i < GP_COST_PARTS; i++)
        if (parts[i].value > 0)
            ret_parts[count++] = parts[i];
    return count;
}

const char *gp_form_cost(gp_form_out *out, const gp_report_cost *cost) {
    gp_cost_part parts[GP_COST_PARTS];
    const size_t count = gp_form_cost_parts(cost, parts);
    const char *text = "";
    const char *without = gp_form_without(out, cost, false);
    const char *buy =
        gp_form_text(out, "%s to buy%s", gp_form_money(out, cost->capital, cost->currency),
                     gp_form_without(out, cost, true));
    if (!(cost->total_per_year > 0))
        return cost->capital > 0
                   ? gp_form_text(out, "%s; no cost per year, because prices are missing", buy)
                   : NULL;
    for (size_t i = 0; i < count; i++)
        text = gp_form_joined(out, text, ",", " %s %s", parts[i].label,
                              gp_form_money(out, parts[i].value, cost->currency));
    const char *year = gp_form_money(out, cost->total_per_year, cost->currency);
    return isfinite(cost->capital) ? gp_form_text(out, "%s; a year %s:%s", buy, year, text)
                                   : gp_form_text(out, "a year %s%s:%s", year, without, text);
}

const char *gp_form_owning(gp_form_out *out, const gp_report_cost *cost) {
    if (cost->cloud_id == NULL)
        return NULL;
    const char *after = gp_form_around(out, "; at full use it pays back after ",
                                       gp_form_seconds(out, cost->break_even_s), "");
    const char *source = cost->cloud_date != NULL
                             ? gp_form_text(out, "catalogue, %s", cost->cloud_date)
                             : "price list";
    return gp_form_text(out,
                        "%s per GPU-hour at full use (energy as planned), %s on %s (%s): owning "
                        "is cheaper above %s utilization%s",
                        gp_form_money(out, cost->own_per_gpu_hour, cost->currency),
                        gp_form_money(out, cost->cloud_per_gpu_hour, cost->currency),
                        cost->cloud_id, source, gp_form_share(out, cost->break_even_fraction),
                        after);
}
