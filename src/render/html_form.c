/*
 * The HTML form: the answer first, then the five checks, what was found, a sheet per workload, the
 * site, cost, growth, and at the end what all of it rests on. One file, no script, prints well.
 */
#include <math.h>

#include "base/str.h"
#include "render/html.h"
#include "render/schedule_form.h"
#include "render/text_form.h"

/* ---- the answer */

static void tile(gp_form_out *out, const char *label, const char *text) {
    if (gp_str_equal(text, "-"))
        return;
    gp_buf_str(out->buf, "<div>");
    gp_html_element(out, "dt", NULL, label);
    gp_html_element(out, "dd", NULL, text);
    gp_buf_str(out->buf, "</div>\n");
}

static void write_tiles(gp_form_out *out, const gp_report *report) {
    const gp_report_summary *summary = &report->summary;
    gp_buf_str(out->buf, "<dl class=\"tiles\">\n");
    tile(out, "GPUs", gp_form_count(out, summary->gpus));
    tile(out, "Machines", gp_form_count(out, summary->nodes));
    tile(out, "To buy", gp_form_count(out, summary->bought_nodes));
    tile(out, "To rent",
         summary->rented_nodes > 0 ? gp_form_count(out, summary->rented_nodes) : "-");
    tile(out, "Racks", gp_form_count(out, summary->racks));
    tile(out, "IT power", gp_form_quantity(out, summary->it_power_w, GP_DIM_POWER));
    tile(out, "Facility power", gp_form_quantity(out, summary->facility_power_w, GP_DIM_POWER));
    tile(out, "Purchase",
         summary->capital > 0 ? gp_form_money(out, summary->capital, report->cost.currency) : "-");
    tile(out, "Cost of a year",
         summary->cost_per_year > 0
             ? gp_form_money(out, summary->cost_per_year, report->cost.currency)
             : "-");
    gp_buf_str(out->buf, "</dl>\n");
}

static void write_verdicts(gp_form_out *out, const gp_report *report) {
    static const char *const headers[] = {"Workload", "Type",     "Now",  "Need",
                                          "Scale",    "Bound by", "Goal", NULL};
    const gp_html_table table = gp_html_table_open(out, "What each workload needs", headers);
    for (size_t i = 0; i < report->workloads.count; i++) {
        const gp_report_workload *workload = &report->workloads.items[i];
        const gp_report_recommendation *verdict = &workload->recommendation;
        GP_HTML_ROW(&table, gp_form_or(workload->name, "?"), workload->type,
                    gp_form_now(out, &verdict->available),
                    verdict->chosen.feasible ? gp_form_machines(out, &verdict->chosen) : "-",
                    verdict->scale, gp_form_words(out, verdict->bound_by),
                    gp_form_goal(out, workload));
    }
    gp_html_table_end(&table);
}

static void write_checks(gp_form_out *out, const gp_report *report) {
    gp_html_section(out, 2, "Five checks");
    gp_buf_str(out->buf, "<dl class=\"facts\">\n");
    for (size_t i = 0; i < report->checks.count; i++) {
        const gp_report_check *check = &report->checks.items[i];
        gp_buf_str(out->buf, "<dt>");
        gp_html_text(out, gp_form_check_name(check->id));
        gp_buf_str(out->buf, "</dt>\n<dd>");
        gp_html_level(out, check->level, gp_form_check_level(check->level));
        gp_buf_str(out->buf, ": ");
        gp_html_text(out, gp_form_check_reason(out, check));
        gp_buf_str(out->buf, "</dd>\n");
    }
    gp_buf_str(out->buf, "</dl>\n");
    gp_html_section_end(out);
}

/* ---- findings */

static void finding_rows(gp_form_out *out, const gp_report *report, bool notes) {
    static const char *const headers[] = {"Level", "Rule",  "Workload", "Finding",
                                          "Fix",   "Where", NULL};
    const gp_html_table table =
        gp_html_table_open(out, notes ? "Notes" : "Errors and warnings", headers);
    for (size_t i = 0; i < report->findings.count; i++) {
        const gp_report_finding *finding = &report->findings.items[i];
        if (gp_str_equal(finding->level, "note") != notes)
            continue;
        const char *text = gp_form_or(finding->message, "");
        if (finding->waived_by != NULL)
            text = gp_form_text(out, "%s. Waived: %s", text, finding->waived_by);
        GP_HTML_ROW(&table, finding->level, finding->id, gp_form_or(finding->workload, "-"), text,
                    gp_form_or(finding->fix, "-"), gp_form_or(gp_form_place(out, finding), "-"));
    }
    gp_html_table_end(&table);
}

static size_t count_level(const gp_report *report, bool notes) {
    size_t count = 0;
    for (size_t i = 0; i < report->findings.count; i++)
        count += gp_str_equal(report->findings.items[i].level, "note") == notes;
    return count;
}

static void write_findings(gp_form_out *out, const gp_report *report) {
    gp_html_section(out, 2, gp_form_text(out, "Findings: %s", gp_form_findings(out, report)));
    if (count_level(report, false) > 0)
        finding_rows(out, report, false);
    if (count_level(report, true) > 0) {
        gp_buf_str(out->buf, "<details>\n");
        gp_html_element(out, "summary", NULL,
                        gp_form_plural(out, (int64_t)count_level(report, true), "note", "notes"));
        finding_rows(out, report, true);
        gp_buf_str(out->buf, "</details>\n");
    }
    gp_html_section_end(out);
}

/* ---- a workload */

static void write_memory(gp_form_out *out, const gp_report_memory *memory) {
    gp_chart_part parts[GP_CHART_PARTS];
    size_t count = 0;
    const double whole = fmax(memory->capacity_bytes, memory->used_bytes);
    if (!isfinite(memory->capacity_bytes) || !(whole > 0))
        return;
    for (size_t i = 0; i < memory->components.count && count + 1 < GP_CHART_PARTS; i++) {
        const gp_report_component *it = &memory->components.items[i];
        if (it->bytes > 0)
            parts[count++] = (gp_chart_part){gp_form_words(out, it->name),
                                             gp_form_quantity(out, it->bytes, GP_DIM_BYTES),
                                             it->bytes / whole, false};
    }
    const double room = memory->capacity_bytes - memory->used_bytes;
    if (room > 0)
        parts[count++] =
            (gp_chart_part){"free", gp_form_quantity(out, room, GP_DIM_BYTES), room / whole, true};
    gp_chart_stack(out,
                   gp_form_text(out, "Memory of the fullest GPU: %s of %s, %s",
                                gp_form_quantity(out, memory->used_bytes, GP_DIM_BYTES),
                                gp_form_quantity(out, memory->capacity_bytes, GP_DIM_BYTES),
                                gp_str_equal(memory->fit, "fits")         ? "fits"
                                : gp_str_equal(memory->fit, "borderline") ? "borderline"
                                                                          : "does not fit"),
                   parts, count);
}

static void write_step(gp_form_out *out, const gp_report_performance *figures) {
    gp_chart_part parts[GP_CHART_PARTS];
    size_t count = 0;
    double total = 0;
    for (size_t i = 0; i < figures->step_parts.count; i++)
        total += fmax(figures->step_parts.items[i].time_s, 0);
    if (!(total > 0))
        return;
    for (size_t i = 0; i < figures->step_parts.count && count < GP_CHART_PARTS; i++) {
        const gp_report_time_part *it = &figures->step_parts.items[i];
        if (it->time_s > 0)
            parts[count++] = (gp_chart_part){gp_form_words(out, it->name),
                                             gp_form_quantity(out, it->time_s, GP_DIM_TIME),
                                             it->time_s / total, false};
    }
    gp_chart_stack(out,
                   isfinite(figures->step_time_s.expected)
                       ? gp_form_text(out, "Where the time of a step goes: %s",
                                      gp_form_band(out, figures->step_time_s, GP_DIM_TIME))
                       : "Where the time goes",
                   parts, count);
}

static void write_goals(gp_form_out *out, const gp_report_workload *workload) {
    enum { GOALS_MAX = 16 };
    gp_chart_goal goals[GOALS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < workload->goals.count && count < GOALS_MAX; i++) {
        const gp_report_goal *goal = &workload->goals.items[i];
        if (!(goal->expected > 0) || !(goal->target > 0))
            continue;
        goals[count++] = (gp_chart_goal){
            .label = goal->name,
            .expected = goal->expected,
            .low = goal->low,
            .high = goal->high,
            .target = goal->target,
            .expected_text = gp_form_quantity(out, goal->expected, goal->dim),
            .target_text = gp_form_quantity(out, goal->target, goal->dim),
            .ok = goal->ok,
        };
    }
    if (count > 0)
        gp_chart_goals(out, "Goals: the bar is the error band, the line the target", goals, count);
}

static void alternative_row(const gp_html_table *table, const gp_report *report, const char *name,
                            const gp_report_candidate *candidate) {
    gp_form_out *out = table->out;
    const bool sized = candidate->system != NULL;
    const char *verdict = candidate->feasible ? "holds"
                          : candidate->lack != NULL
                              ? gp_form_or(candidate->lack->reason, "does not hold")
                              : "not possible";
    GP_HTML_ROW(table, name, sized ? gp_form_machines(out, candidate) : "-",
                sized ? gp_form_or(candidate->layout, "-") : "-",
                sized ? gp_form_count(out, candidate->gpus) : "-", gp_form_speed(out, candidate),
                gp_form_quantity(out, candidate->facility_power_w, GP_DIM_POWER),
                candidate->cost_per_year > 0
                    ? gp_form_money(out, candidate->cost_per_year, report->cost.currency)
                    : "-",
                verdict);
}

static void write_alternatives(gp_form_out *out, const gp_report *report,
                               const gp_report_recommendation *verdict) {
    static const char *const headers[] = {"",       "Machines", "Layout",  ">GPUs", "Speed",
                                          ">Power", ">A year",  "Verdict", NULL};
    const gp_html_table table = gp_html_table_open(out, "The alternatives, sized in full", headers);
    alternative_row(&table, report, "chosen", &verdict->chosen);
    alternative_row(&table, report, "scale up", &verdict->vertical);
    alternative_row(&table, report, "scale out", &verdict->horizontal);
    gp_html_table_end(&table);
}

static void write_rates(gp_form_out *out, const gp_report_network *network) {
    enum { RATES_MAX = 8 };
    gp_chart_column columns[RATES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < network->rates.count && count < RATES_MAX; i++) {
        const gp_report_rate *rate = &network->rates.items[i];
        columns[count++] = (gp_chart_column){
            gp_form_quantity(out, rate->rate_bits_per_s, GP_DIM_BITS_PER_S), rate->step_time_s,
            gp_form_text(out, "%s, %s waits", gp_form_quantity(out, rate->step_time_s, GP_DIM_TIME),
                         gp_form_quantity(out, rate->communication_fraction, GP_DIM_FRACTION)),
            false};
    }
    gp_chart_columns(out, "Time of a step by network rate per GPU", columns, count,
                     GP_REPORT_NO_REAL, NULL);
}

static void write_facts(gp_form_out *out, const gp_report_workload *workload,
                        const char *currency) {
    const gp_report_recommendation *verdict = &workload->recommendation;
    const gp_report_performance *figures = &workload->performance;
    const gp_report_network *network = &workload->network;
    gp_html_facts_open(out);
    gp_html_fact(out, "Layout", verdict->chosen.system != NULL ? verdict->chosen.layout : NULL);
    gp_html_fact(out, "Time", gp_form_band(out, figures->time_to_complete_s, GP_DIM_TIME));
    gp_html_fact(out, "First token, p95", gp_form_band(out, figures->ttft_p95_s, GP_DIM_TIME));
    gp_html_fact(out, "Each further, p95", gp_form_band(out, figures->tpot_p95_s, GP_DIM_TIME));
    gp_html_fact(out, "Requests carried",
                 gp_form_quantity(out, figures->requests_per_s.expected, GP_DIM_PER_S));
    gp_html_fact(out, "Planned peak",
                 gp_form_quantity(out, figures->demand_requests_per_s, GP_DIM_PER_S));
    if (network->multi_node)
        gp_html_fact(
            out, "Network",
            gp_form_text(out, "%s per GPU, %s of the step waits for it",
                         gp_form_quantity(out, network->rate_bits_per_s, GP_DIM_BITS_PER_S),
                         gp_form_quantity(out, network->communication_fraction, GP_DIM_FRACTION)));
    if (network->test != NULL)
        gp_html_fact(out, "Test before accepting",
                     gp_form_text(out, "%s: expect a bus bandwidth of %s", network->test->command,
                                  gp_form_quantity(out, network->test->bus_bandwidth_bytes_per_s,
                                                   GP_DIM_BYTES_PER_S)));
    gp_html_fact(out, "A unit of work", gp_form_unit(out, figures, currency));
    gp_html_fact(out, "Less energy", gp_form_efficient(out, workload));
    gp_html_fact(out, "Flips", gp_form_flip(out, verdict));
    if (verdict->placement != NULL)
        gp_html_fact(out, "Cloud", gp_form_or(verdict->placement->reason, "-"));
    for (size_t i = 0; i < verdict->software_changes.count; i++)
        gp_html_fact(out, i == 0 ? "Software first" : "",
                     gp_form_software(out, &verdict->software_changes.items[i]));
    if (workload->service != NULL && workload->service->autoscaling != NULL)
        gp_html_fact(out, "Autoscaling", gp_form_autoscale(out, workload->service->autoscaling));
    gp_html_facts_end(out);
}

static void write_workload(gp_form_out *out, const gp_report *report,
                           const gp_report_workload *workload) {
    const gp_report_recommendation *verdict = &workload->recommendation;
    gp_buf_str(out->buf, "<section class=\"sheet\">\n");
    gp_html_element(
        out, "h2", NULL,
        gp_form_text(out, "%s: %s", gp_form_or(workload->name, "?"),
                     gp_str_equal(verdict->scale, "none") ? "enough as it is" : verdict->scale));
    gp_html_element(out, "p", "soft",
                    gp_form_text(out, "%s of %s, %s parameters; bound by %s", workload->type,
                                 gp_form_or(workload->model, "its own model"),
                                 gp_form_quantity(out, workload->parameters, GP_DIM_COUNT),
                                 gp_form_words(out, verdict->bound_by)));
    gp_html_element(out, "p", "lead", gp_form_text(out, "%s.", gp_form_or(verdict->reason, "-")));
    write_alternatives(out, report, verdict);
    write_goals(out, workload);
    write_memory(out, &workload->memory);
    write_step(out, &workload->performance);
    write_rates(out, &workload->network);
    write_facts(out, workload, report->cost.currency);
    gp_html_section_end(out);
}

/* ---- the site */

static void write_limits(gp_form_out *out, const gp_report_site *site) {
    static const char *const headers[] = {"Limit", ">Used", ">Of", ">Share", NULL};
    if (site->limits.count == 0)
        return;
    const gp_html_table table = gp_html_table_open(out, "Limits of the site", headers);
    for (size_t i = 0; i < site->limits.count; i++) {
        const gp_report_limit *it = &site->limits.items[i];
        GP_HTML_ROW(&table, gp_form_words(out, it->bound), gp_form_quantity(out, it->used, it->dim),
                    gp_form_quantity(out, it->limit, it->dim),
                    it->limit > 0 ? gp_form_quantity(out, it->used / it->limit, GP_DIM_FRACTION)
                                  : "-");
    }
    gp_html_table_end(&table);
}

static void write_bill(gp_form_out *out, const gp_report *report) {
    static const char *const headers[] = {">Count", ">Spare",  "What",       "Product",
                                          ">Power", ">To buy", "Counted by", NULL};
    if (report->site.bill.count == 0)
        return;
    const gp_html_table table = gp_html_table_open(out, "Bill of quantities", headers);
    for (size_t i = 0; i < report->site.bill.count; i++) {
        const gp_report_bill *line = &report->site.bill.items[i];
        GP_HTML_ROW(
            &table, gp_form_count(out, line->count),
            line->spare > 0 ? gp_form_count(out, line->spare) : "", line->role,
            gp_form_or(line->id, ""),
            isfinite(line->power_w) ? gp_form_quantity(out, line->power_w, GP_DIM_POWER) : "",
            isfinite(line->price) ? gp_form_money(out, line->price, report->cost.currency) : "",
            gp_form_or(line->rule, ""));
    }
    gp_html_table_end(&table);
}

static void write_power(gp_form_out *out, const gp_report_site *site) {
    const gp_report_power *power = &site->power;
    const gp_report_cooling *cooling = &site->cooling;
    gp_html_facts_open(out);
    gp_html_fact(out, "IT power",
                 gp_form_text(out, "%s for circuits, %s under the planned load",
                              gp_form_quantity(out, power->it_w, GP_DIM_POWER),
                              gp_form_quantity(out, power->it_mean_w, GP_DIM_POWER)));
    gp_html_fact(out, "Facility",
                 gp_form_text(out, "%s at the peak, %s on average",
                              gp_form_quantity(out, power->facility_w, GP_DIM_POWER),
                              gp_form_quantity(out, power->facility_mean_w, GP_DIM_POWER)));
    gp_html_fact(out, "Energy and carbon of a year", gp_form_year(out, power));
    for (size_t i = 0; i < site->racks.count; i++)
        gp_html_fact(out, "Racks", gp_form_rack(out, power, &site->racks.items[i]));
    gp_html_fact(out, "Storage", gp_form_storage(out, &site->storage));
    gp_html_fact(out, "Failures",
                 site->reliability.interruptions_per_month > 0
                     ? gp_form_failures(out, &site->reliability)
                     : NULL);
    gp_html_fact(out, "Heat to air",
                 gp_form_text(out, "%s at %s",
                              gp_form_quantity(out, cooling->air_heat_w, GP_DIM_POWER),
                              gp_form_quantity(out, cooling->airflow_m3_per_s, GP_DIM_FLOW)));
    if (cooling->liquid_heat_w > 0)
        gp_html_fact(
            out, "Heat to coolant",
            gp_form_text(out, "%s at %s",
                         gp_form_quantity(out, cooling->liquid_heat_w, GP_DIM_POWER),
                         gp_form_quantity(out, cooling->liquid_flow_m3_per_s, GP_DIM_FLOW)));
    gp_html_fact(
        out, "Air class",
        cooling->air_class != NULL
            ? gp_form_text(out, "%s, supply %s, %s", cooling->air_class,
                           gp_form_quantity(out, cooling->air_supply_c, GP_DIM_TEMPERATURE),
                           gp_form_or(cooling->air_state, "not judged"))
            : NULL);
    gp_html_fact(out, "Swings under training",
                 gp_form_quantity(out, power->transient_w, GP_DIM_POWER));
    gp_html_fact(out, "Embodied carbon", gp_form_quantity(out, power->embodied_kg, GP_DIM_MASS));
    gp_html_fact(out, "Delivery", gp_form_quantity(out, site->delivery_kg, GP_DIM_MASS));
    gp_html_facts_end(out);
}

/* The fullest rack, place by place. */
static void write_elevation(gp_form_out *out, const gp_report_rack *rack) {
    gp_chart_slot slots[GP_CHART_SLOTS];
    size_t count = 0;
    for (size_t i = 0; i < rack->slots.count && count < GP_CHART_SLOTS; i++) {
        const gp_report_slot *slot = &rack->slots.items[i];
        slots[count++] = (gp_chart_slot){
            .from = slot->from_u,
            .to = slot->to_u,
            .text = slot->id != NULL ? slot->id : slot->what,
            .value =
                isfinite(slot->power_w) ? gp_form_quantity(out, slot->power_w, GP_DIM_POWER) : "",
            .filled = slot->id != NULL,
        };
    }
    if (count > 0)
        gp_chart_elevation(out,
                           gp_form_text(out, "A rack of %s from the front, in units",
                                        gp_form_or(rack->holds, "machines")),
                           slots, count);
}

static void write_racks(gp_form_out *out, const gp_report_site *site) {
    for (size_t i = 0; i < site->racks.count; i++) {
        const gp_report_rack *rack = &site->racks.items[i];
        if (rack->nodes_per_rack == 0)
            continue;
        write_elevation(out, rack);
        gp_chart_rack(out,
                      gp_form_text(out, "Racks of %s from the front, bound by %s",
                                   gp_form_or(rack->holds, "machines"),
                                   gp_form_words(out, rack->bound_by)),
                      rack->count, rack->nodes_per_rack, "machines",
                      gp_form_quantity(out, rack->power_w, GP_DIM_POWER));
    }
}

static void write_fabrics(gp_form_out *out, const gp_report *report) {
    for (size_t i = 0; i < report->site.fabrics.count; i++) {
        const gp_report_fabric *fabric = &report->site.fabrics.items[i];
        gp_chart_tier tiers[4];
        size_t count = 0;
        if (fabric->core > 0)
            tiers[count++] = (gp_chart_tier){"core", fabric->core, fabric->cables.spine_core};
        if (fabric->spine > 0)
            tiers[count++] = (gp_chart_tier){"spine", fabric->spine, fabric->cables.leaf_spine};
        if (fabric->leaf > 0)
            tiers[count++] = (gp_chart_tier){"leaf", fabric->leaf, fabric->cables.node_leaf};
        if (count == 0)
            continue;
        tiers[count++] = (gp_chart_tier){"hosts", fabric->hosts, 0};
        gp_chart_tiers(out, gp_form_text(out, "Fabric %s", gp_form_cabling(out, fabric)), tiers,
                       count);
    }
}

static void cost_row(const gp_html_table *table, const gp_report_cost *cost, const char *label,
                     double value) {
    if (value > 0)
        GP_HTML_ROW(table, label, gp_form_money(table->out, value, cost->currency));
}

static void write_cost(gp_form_out *out, const gp_report_cost *cost) {
    static const char *const headers[] = {"Cost", ">A year", NULL};
    gp_html_section(out, 2, "Cost");
    if (cost->total_per_year > 0) {
        const gp_html_table table = gp_html_table_open(out, "What a year costs", headers);
        cost_row(&table, cost, "capital", cost->capital_per_year);
        cost_row(&table, cost, "energy", cost->energy_per_year);
        cost_row(&table, cost, "colocation", cost->colocation_per_year);
        cost_row(&table, cost, "support", cost->support_per_year);
        cost_row(&table, cost, "staff", cost->staff_per_year);
        cost_row(&table, cost, "licences", cost->licenses_per_year);
        cost_row(&table, cost, "rent", cost->rent_per_year);
        cost_row(&table, cost, "total", cost->total_per_year);
        gp_html_table_end(&table);
    }
    if (cost->missing.count > 0) {
        const char *text = "";
        for (size_t i = 0; i < cost->missing.count; i++)
            text = gp_form_text(out, "%s%s%s", text, i > 0 ? ", " : "", cost->missing.items[i]);
        gp_html_element(out, "p", NULL, gp_form_text(out, "No price is known of: %s.", text));
    }
    gp_html_facts_open(out);
    gp_html_fact(out, "To buy",
                 cost->capital > 0 ? gp_form_money(out, cost->capital, cost->currency) : NULL);
    gp_html_fact(out, "Owned or rented", gp_form_owning(out, cost));
    gp_html_fact(out, "A GPU-hour that computes",
                 gp_form_money(out, cost->delivered_per_gpu_hour, cost->currency));
    gp_html_fact(out, "Prices hold until", cost->quote_valid_until);
    gp_html_facts_end(out);
    if (cost->excluded.count > 0) {
        const char *text = "";
        for (size_t i = 0; i < cost->excluded.count; i++)
            text = gp_form_text(out, "%s%s%s", text, i > 0 ? "; " : "", cost->excluded.items[i]);
        gp_html_element(out, "p", NULL, gp_form_text(out, "The total leaves out: %s.", text));
    }
    gp_html_section_end(out);
}

/* A column per period as high as the machines held, the part that computes filled. */
static void write_schedule(gp_form_out *out, const gp_report_schedule *schedule) {
    static const char *const headers[] = {"Workload", "Demand", ">Machines", "From",
                                          ">Busy",    "Turns",  NULL};
    if (schedule->claims.count == 0)
        return;
    gp_html_section(out, 2, "Machines over time");
    gp_html_element(out, "p", NULL, gp_form_text(out, "%s.", gp_form_schedule(out, schedule)));
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
    const gp_html_table table = gp_html_table_open(out, "What holds them", headers);
    for (size_t i = 0; i < schedule->claims.count; i++) {
        const gp_report_claim *claim = &schedule->claims.items[i];
        GP_HTML_ROW(&table, gp_form_or(claim->workload, "?"), claim->demand,
                    gp_form_count(out, claim->nodes), gp_form_claim_time(out, claim),
                    gp_form_quantity(out, claim->busy_fraction, GP_DIM_FRACTION),
                    gp_form_claim_turn(out, claim));
    }
    gp_html_table_end(&table);
    gp_html_section_end(out);
}

static void write_horizon(gp_form_out *out, const gp_report_horizon *horizon,
                          const char *currency) {
    static const char *const headers[] = {
        "Limit", ">First quarter", ">Last quarter", ">Of", "Passed", "Passed if high", NULL};
    const gp_html_table table = gp_html_table_open(out, "Limits over the horizon", headers);
    for (size_t i = 0; i < horizon->limits.count; i++) {
        const gp_report_horizon_limit *limit = &horizon->limits.items[i];
        GP_HTML_ROW(&table,
                    limit->of != NULL ? gp_form_text(out, "%s, %s", limit->resource, limit->of)
                                      : limit->resource,
                    gp_form_amount(out, limit->today, limit->dim, currency),
                    gp_form_amount(out, limit->at_horizon, limit->dim, currency),
                    gp_form_amount(out, limit->limit, limit->dim, currency),
                    gp_form_or(limit->passed_on, "-"), gp_form_or(limit->passed_on_high, "-"));
    }
    gp_html_table_end(&table);
    gp_html_element(out, "p", NULL,
                    gp_form_text(out, "Built once: %s.", gp_form_horizon(out, horizon)));
}

static void write_growth(gp_form_out *out, const gp_report *report) {
    enum { QUARTERS_MAX = 40 };
    static const char *const headers[] = {"Quarter",  ">GPUs", ">Machines", ">Buy",         "Rent",
                                          "Order by", ">IT",   ">Facility", "Limit passed", NULL};
    gp_chart_column columns[QUARTERS_MAX];
    size_t count = 0;
    if (report->growth.count == 0)
        return;
    gp_html_section(out, 2, "Growth");
    for (size_t i = 0; i < report->growth.count && count < QUARTERS_MAX; i++) {
        const gp_report_growth *it = &report->growth.items[i];
        const bool passed = it->limit_hit != NULL && !gp_str_equal(it->limit_hit, "none");
        columns[count++] = (gp_chart_column){gp_form_or(it->quarter, "?"), (double)it->gpus,
                                             gp_form_count(out, it->gpus), passed};
    }
    gp_chart_columns(out, "GPUs by quarter; where a limit is passed the column is red", columns,
                     count, GP_REPORT_NO_REAL, NULL);
    const gp_html_table table = gp_html_table_open(out, "Quarter by quarter", headers);
    for (size_t i = 0; i < report->growth.count; i++) {
        const gp_report_growth *it = &report->growth.items[i];
        GP_HTML_ROW(
            &table, gp_form_or(it->quarter, "?"), gp_form_count(out, it->gpus),
            gp_form_count(out, it->nodes),
            it->buy_nodes > 0 ? gp_form_count(out, it->buy_nodes) : "",
            it->rent_nodes > 0 ? gp_form_text(out, "%s x %s", gp_form_count(out, it->rent_nodes),
                                              gp_form_or(it->rent_from, "?"))
                               : "",
            gp_form_orders(out, it), gp_form_quantity(out, it->it_w, GP_DIM_POWER),
            gp_form_quantity(out, it->facility_w, GP_DIM_POWER), gp_form_words(out, it->limit_hit));
    }
    gp_html_table_end(&table);
    if (report->site.horizon != NULL)
        write_horizon(out, report->site.horizon, report->cost.currency);
    gp_html_section_end(out);
}

/* ---- what it rests on */

static void write_assumptions(gp_form_out *out, const gp_report *report) {
    static const char *const headers[] = {"Assumed",  "Value",    "Source",
                                          "Verified", "Leverage", NULL};
    gp_html_section(out, 2, "Assumptions");
    gp_html_element(
        out, "p", NULL,
        gp_form_text(
            out, "%s of the %s inputs beneath these figures are unverified or assumed.",
            gp_form_quantity(
                out, isfinite(report->data.unverified_share) ? report->data.unverified_share : 0,
                GP_DIM_FRACTION),
            gp_form_count(out, report->data.inputs)));
    gp_buf_str(out->buf, "<details>\n");
    gp_html_element(
        out, "summary", NULL,
        gp_form_plural(out, (int64_t)report->assumptions.count, "assumption", "assumptions"));
    const gp_html_table table =
        gp_html_table_open(out, "Assumptions, those with most leverage first", headers);
    for (size_t i = 0; i < report->assumptions.count; i++) {
        const gp_report_assumption *it = &report->assumptions.items[i];
        GP_HTML_ROW(&table, gp_form_or(it->path, "?"), gp_form_or(it->value, "-"), it->source,
                    it->verified ? "yes" : "no", it->leverage);
    }
    gp_html_table_end(&table);
    gp_buf_str(out->buf, "</details>\n");
    gp_html_section_end(out);
}

static void write_method(gp_form_out *out, const gp_report *report) {
    static const char *const headers[] = {"Figure", "Formula", "Weakest evidence", NULL};
    gp_html_section(out, 2, "Method and sources");
    gp_html_element(out, "p", NULL,
                    "Every figure is worked out from the spec and catalogue rows by the formulas "
                    "below; gpuplan explain prints each with all of its inputs and their sources.");
    gp_buf_str(out->buf, "<details>\n");
    gp_html_element(out, "summary", NULL,
                    gp_form_plural(out, (int64_t)report->provenance.count, "figure", "figures"));
    const gp_html_table table = gp_html_table_open(out, "How figures came about", headers);
    for (size_t i = 0; i < report->provenance.count; i++) {
        const gp_report_provenance *it = &report->provenance.items[i];
        GP_HTML_ROW(&table, gp_form_or(it->pointer, "?"), gp_form_or(it->formula, "-"),
                    gp_form_or(it->basis, "-"));
    }
    gp_html_table_end(&table);
    gp_buf_str(out->buf, "</details>\n");
    gp_html_section_end(out);
}

static void file_row(const gp_html_table *table, const char *kind, const gp_report_file *file) {
    if (file->path != NULL)
        GP_HTML_ROW(table, kind, file->path, gp_form_or(file->sha256, "-"));
}

static void write_inputs(gp_form_out *out, const gp_report *report) {
    static const char *const headers[] = {"Input", "File", "SHA-256", NULL};
    const gp_report_inputs *inputs = &report->inputs;
    gp_html_section(out, 2, "Inputs");
    const gp_html_table table = gp_html_table_open(out, "What entered", headers);
    file_row(&table, "spec", &inputs->spec);
    file_row(&table, "catalogue", &inputs->catalog);
    for (size_t i = 0; i < inputs->catalogs.count; i++)
        file_row(&table, "catalogue", &inputs->catalogs.items[i]);
    for (size_t i = 0; i < inputs->calibration.count; i++)
        file_row(&table, "calibration", &inputs->calibration.items[i]);
    for (size_t i = 0; i < inputs->prices.count; i++)
        file_row(&table, "prices", &inputs->prices.items[i]);
    for (size_t i = 0; i < inputs->flags.count; i++)
        GP_HTML_ROW(&table, "--set", gp_form_or(inputs->flags.items[i].path, "?"),
                    gp_form_or(inputs->flags.items[i].value, ""));
    gp_html_table_end(&table);
    gp_html_element(out, "p", "soft",
                    gp_form_text(out, "Made by %s %s. The same inputs give the same page.",
                                 gp_form_or(report->tool.name, "gpuplan"),
                                 gp_form_or(report->tool.version, "")));
    gp_html_section_end(out);
}

static void write_report(gp_form_out *out, const gp_report *report) {
    const gp_report_summary *summary = &report->summary;
    gp_html_element(out, "h1", NULL,
                    gp_form_text(out, "%s: %s", gp_form_or(summary->plan, "(unnamed)"),
                                 summary->feasible ? "feasible" : "not feasible"));
    gp_html_element(out, "p", "soft",
                    gp_form_text(out, "Objective %s%s, judged at %s.", summary->objective,
                                 summary->objective_was_auto ? " (auto)" : "",
                                 summary->confidence));
    write_tiles(out, report);
    write_verdicts(out, report);
    write_checks(out, report);
    write_findings(out, report);
    for (size_t i = 0; i < report->workloads.count; i++)
        write_workload(out, report, &report->workloads.items[i]);
    gp_html_section(out, 2, "Site");
    write_power(out, &report->site);
    write_limits(out, &report->site);
    write_bill(out, report);
    write_racks(out, &report->site);
    write_fabrics(out, report);
    gp_html_section_end(out);
    write_schedule(out, &report->site.schedule);
    write_cost(out, &report->cost);
    write_growth(out, report);
    write_assumptions(out, report);
    write_method(out, report);
    write_inputs(out, report);
}

static void write_reports(gp_form_out *out, const gp_report *const *reports, size_t count) {
    gp_html_open(out, count == 1 ? gp_form_text(out, "gpuplan: %s",
                                                gp_form_or(reports[0]->summary.plan, "(unnamed)"))
                                 : "gpuplan");
    for (size_t i = 0; i < count && out->buf->st == GP_OK; i++)
        write_report(out, reports[i]);
    gp_html_close(out);
}

const gp_renderer gp_renderer_html = {
    .name = "html",
    .extension = "html",
    .help = "one page with charts, for a board or a procurement file",
    .reports = write_reports,
};
