/* Money of a report: the bill of quantities, what a year costs, owning against renting. */
#include "render/report_parts.h"

void gp_say_bill(gp_form_out *out, const gp_report *report) {
    const char *currency = report->cost.currency;
    gp_table table = GP_TABLE(">Count", ">Buy", "~What", "~Product", ">Power", ">Price");
    for (size_t i = 0; i < report->site.bill.count; i++) {
        const gp_report_bill *line = &report->site.bill.items[i];
        GP_TABLE_ROW(out, &table, gp_form_count(out, line->count),
                     line->bought > 0 ? gp_form_count(out, line->bought) : "",
                     gp_form_or(line->role, "?"), gp_form_or(line->id, ""),
                     isfinite(line->power_w) ? gp_form_watts(out, line->power_w) : "",
                     isfinite(line->price) ? gp_form_money(out, line->price, currency) : "");
    }
    if (table.rows > 0 && report->cost.capital > 0)
        GP_TABLE_ROW(out, &table, "", "", "total", "of the priced items", "",
                     gp_form_money(out, report->cost.capital, currency));
    gp_table_drop_empty(&table);
    gp_block_table(
        out, "Parts, how many to buy, and their price; spares count where spare/ID has a price",
        &table);
}

/* ---- cost */

static void write_year(gp_form_out *out, const gp_report_cost *cost) {
    gp_table table = GP_TABLE("Cost", ">A year", ">Share");
    gp_cost_part parts[GP_COST_PARTS];
    const size_t count = gp_form_cost_parts(cost, parts);
    gp_chart_part bar[GP_COST_PARTS];
    if (!(cost->total_per_year > 0))
        return;
    const char *total = gp_form_money(out, cost->total_per_year, cost->currency);
    for (size_t i = 0; i < count; i++) {
        const double share =
            gp_json_written(parts[i].value) / gp_json_written(cost->total_per_year);
        const char *value = gp_form_money(out, parts[i].value, cost->currency);
        bar[i] = (gp_chart_part){parts[i].label, value, share, false};
        GP_TABLE_ROW(out, &table, parts[i].label, value, gp_form_share(out, share));
    }
    GP_TABLE_ROW(out, &table, "total", total, gp_form_share(out, 1));
    gp_chart_stack(out, gp_form_text(out, "A year%s: %s", gp_form_without(out, cost, false), total),
                   bar, count);
    gp_block_table(out, "What a year costs", &table);
}

/* What each workload's machines cost, and a unit of its work. */
static void write_units(gp_form_out *out, const gp_report *report) {
    gp_table table = GP_TABLE("Workload", ">A year", ">A run", ">A million tokens");
    const gp_report_cost *cost = &report->cost;
    if (!cost->complete || !(cost->total_per_year > 0))
        return;
    for (size_t i = 0; i < report->workloads.count; i++) {
        const gp_report_workload *it = &report->workloads.items[i];
        const gp_report_candidate *chosen = &it->recommendation.chosen;
        GP_TABLE_ROW(out, &table, gp_form_or(it->name, "?"),
                     gp_form_money(out,
                                   chosen->feasible ? chosen->cost_per_year : GP_REPORT_NO_REAL,
                                   cost->currency),
                     gp_form_money(out, it->performance.cost_per_run, cost->currency),
                     gp_form_money(out, it->performance.cost_per_million_tokens, cost->currency));
    }
    gp_block_table(out, "Cost by workload", &table);
}

static void draw_owning(gp_form_out *out, const gp_report_cost *cost) {
    const gp_chart_owning owning = {
        .own = gp_json_written(cost->own_per_gpu_hour),
        .rented = gp_json_written(cost->cloud_per_gpu_hour),
        .own_text = gp_form_text(out, "owned, %s at full use",
                                 gp_form_money(out, cost->own_per_gpu_hour, cost->currency)),
        .rented_text = gp_form_text(out, "rented, %s on %s",
                                    gp_form_money(out, cost->cloud_per_gpu_hour, cost->currency),
                                    gp_form_or(cost->cloud_id, "?")),
        .most_text = gp_form_money(
            out, GP_CHART_OWNING_TOP * gp_num_max(cost->own_per_gpu_hour, cost->cloud_per_gpu_hour),
            cost->currency),
        .even_fraction = gp_json_written(cost->break_even_fraction),
        .planned_fraction = gp_json_written(cost->delivered_fraction),
        .even_text =
            gp_form_text(out, "break-even at %s", gp_form_share(out, cost->break_even_fraction)),
        .planned_text =
            gp_form_text(out, "planned: %s", gp_form_share(out, cost->delivered_fraction)),
    };
    if (cost->cloud_id != NULL)
        gp_chart_own_or_rent(out, "Owning or renting, by GPU utilization", &owning);
}

static void write_missing(gp_form_out *out, const gp_report_cost *cost) {
    const char *text = "";
    if (cost->missing.count == 0)
        return;
    for (size_t i = 0; i < cost->missing.count; i++)
        text = gp_form_joined(out, text, ", ", "%s", cost->missing.items[i]);
    gp_block_note(out, "No price is known for: %s. Add a price list to include them.", text);
}

static bool is_priced(const gp_report_cost *cost) {
    return cost->total_per_year > 0 || cost->capital > 0 || cost->missing.count > 0 ||
           cost->cloud_id != NULL;
}

/* A terminal has the sums in words alone. */
void gp_say_cost(gp_form_out *out, const gp_report *report) {
    const gp_report_cost *cost = &report->cost;
    if (!is_priced(cost)) {
        gp_block_note(out, "No cost is known: none of these items has a price.");
        return;
    }
    if (out->layout != GP_LAYOUT_TEXT) {
        write_year(out, cost);
        write_units(out, report);
        draw_owning(out, cost);
    }
    write_missing(out, cost);
    gp_say_cost_facts(out, cost);
}
