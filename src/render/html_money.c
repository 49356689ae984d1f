/* Money of a report: the bill of quantities, what a year costs, owning against renting. */
#include <math.h>

#include "base/num.h"
#include "base/str.h"
#include "render/html_parts.h"
#include "render/tables.h"
#include "render/text_form.h"

static void write_bill(gp_form_out *out, const gp_report *report, const char *prefix) {
    gp_table table;
    gp_table_bill(out, report, &table);
    if (table.rows == 0)
        return;
    gp_html_section(out, gp_form_text(out, "%sbill", prefix), "Bill of quantities");
    gp_block_table(
        out, "What it is made of; advised spares count where a price is given for them", &table);
    gp_html_section_end(out);
}

/* ---- cost */

typedef struct cost_part {
    const char *label;
    double value;
} cost_part;

static void cost_row(const gp_html_table *table, const gp_report_cost *cost, const char *label,
                     double value) {
    if (value > 0)
        GP_HTML_ROW(table, label, gp_form_money(table->out, value, cost->currency),
                    gp_form_quantity(table->out, value / cost->total_per_year, GP_DIM_FRACTION));
}

static void write_year(gp_form_out *out, const gp_report_cost *cost) {
    static const char *const headers[] = {"Cost", ">A year", ">Share", NULL};
    const cost_part parts[] = {
        {"capital", cost->capital_per_year},
        {"energy", cost->energy_per_year},
        {"colocation", cost->colocation_per_year},
        {"support", cost->support_per_year},
        {"staff", cost->staff_per_year},
        {"licences", cost->licenses_per_year},
        {"rent", cost->rent_per_year},
        {"links", cost->links_per_year},
    };
    gp_chart_part bar[GP_CHART_PARTS];
    size_t count = 0;
    if (!(cost->total_per_year > 0))
        return;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i].value > 0)
            bar[count++] =
                (gp_chart_part){parts[i].label, gp_form_money(out, parts[i].value, cost->currency),
                                parts[i].value / cost->total_per_year, false};
    gp_chart_stack(out,
                   gp_form_text(out, "A year%s: %s", gp_form_without(out, cost, false),
                                gp_form_money(out, cost->total_per_year, cost->currency)),
                   bar, count);
    const gp_html_table table = gp_html_table_open(out, "What a year costs", headers);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        cost_row(&table, cost, parts[i].label, parts[i].value);
    cost_row(&table, cost, "total", cost->total_per_year);
    gp_html_table_end(&table);
}

/* What each workload's machines cost, and a unit of its work. */
static void write_units(gp_form_out *out, const gp_report *report) {
    static const char *const headers[] = {"Workload", ">A year", ">A run", ">A million tokens",
                                          NULL};
    const gp_report_cost *cost = &report->cost;
    if (!cost->complete || !(cost->total_per_year > 0))
        return;
    const gp_html_table table = gp_html_table_open(out, "Cost by workload", headers);
    for (size_t i = 0; i < report->workloads.count; i++) {
        const gp_report_workload *it = &report->workloads.items[i];
        const gp_report_candidate *chosen = &it->recommendation.chosen;
        GP_HTML_ROW(&table, gp_form_or(it->name, "?"),
                    gp_form_money(out, chosen->feasible ? chosen->cost_per_year : GP_REPORT_NO_REAL,
                                  cost->currency),
                    gp_form_money(out, it->performance.cost_per_run, cost->currency),
                    gp_form_money(out, it->performance.cost_per_million_tokens, cost->currency));
    }
    gp_html_table_end(&table);
}

static void draw_owning(gp_form_out *out, const gp_report_cost *cost) {
    const gp_chart_owning owning = {
        .own = cost->own_per_gpu_hour,
        .rented = cost->cloud_per_gpu_hour,
        .own_text = gp_form_text(out, "owned, %s at full use",
                                 gp_form_money(out, cost->own_per_gpu_hour, cost->currency)),
        .rented_text = gp_form_text(out, "rented, %s on %s",
                                    gp_form_money(out, cost->cloud_per_gpu_hour, cost->currency),
                                    gp_form_or(cost->cloud_id, "?")),
        .most_text = gp_form_money(
            out, GP_CHART_OWNING_TOP * gp_num_max(cost->own_per_gpu_hour, cost->cloud_per_gpu_hour),
            cost->currency),
        .even_fraction = cost->break_even_fraction,
        .planned_fraction = cost->delivered_fraction,
        .even_text = gp_form_text(
            out, "even at %s", gp_form_quantity(out, cost->break_even_fraction, GP_DIM_FRACTION)),
        .planned_text = gp_form_text(
            out, "planned: %s", gp_form_quantity(out, cost->delivered_fraction, GP_DIM_FRACTION)),
    };
    if (cost->cloud_id != NULL)
        gp_chart_own_or_rent(out, "Owning against renting, by how much the GPUs are used", &owning);
}

static void write_missing(gp_form_out *out, const gp_report_cost *cost) {
    const char *text = "";
    if (cost->missing.count == 0)
        return;
    for (size_t i = 0; i < cost->missing.count; i++)
        text = gp_form_text(out, "%s%s%s", text, i > 0 ? ", " : "", cost->missing.items[i]);
    gp_html_element(out, "p", NULL,
                    gp_form_text(out,
                                 "No price is known of: %s. Give a price list for them to be "
                                 "counted.",
                                 text));
}

static bool is_priced(const gp_report_cost *cost) {
    return cost->total_per_year > 0 || cost->capital > 0 || cost->missing.count > 0 ||
           cost->cloud_id != NULL;
}

void gp_html_money(gp_form_out *out, const gp_report *report, const char *prefix) {
    write_bill(out, report, prefix);
    gp_html_section(out, gp_form_text(out, "%scost", prefix), "Cost");
    write_year(out, &report->cost);
    write_units(out, report);
    draw_owning(out, &report->cost);
    write_missing(out, &report->cost);
    if (!is_priced(&report->cost))
        gp_html_element(out, "p", NULL, "No cost is known: nothing that is counted has a price.");
    gp_html_facts_open(out);
    gp_text_cost_facts(out, &report->cost);
    gp_html_facts_end(out);
    gp_html_section_end(out);
}
