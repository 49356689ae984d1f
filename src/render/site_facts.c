/* The figures of the site, and of its cost, in words. */
#include "render/report_parts.h"

static const double litres_per_m3 = 1000; /* definition */

static void print_racks(gp_form_out *out, const gp_report *report) {
    const gp_report_site *site = &report->site;
    for (size_t i = 0; i < site->racks.count; i++) {
        const gp_report_rack *rack = &site->racks.items[i];
        const char *limit = gp_form_if(out, rack->limit != GP_REPORT_NO_COUNT, " of %s",
                                       gp_form_count(out, rack->limit));
        const char *all =
            gp_form_if(out, i == 0, "%s%s: ", gp_form_count(out, report->summary.racks), limit);
        gp_block_say(out, i == 0 ? "racks" : "", "%s%s", all,
                     gp_form_rack(out, &site->power, rack));
    }
}

/* "class A2 and the machines allow up to 30 degC here; supply 24 degC, recommended" */
static void print_classes(gp_form_out *out, const gp_report_cooling *cooling) {
    if (cooling->air_class != NULL)
        gp_block_say(
            out, "air", "class %s and the machines allow up to %s here%s%s%s%s", cooling->air_class,
            gp_form_quantity(out, cooling->air_max_c, GP_DIM_TEMPERATURE),
            gp_form_around(out, "; supply ",
                           gp_form_quantity(out, cooling->air_supply_c, GP_DIM_TEMPERATURE), ""),
            cooling->air_state != NULL ? ", " : "", gp_form_or(cooling->air_state, ""),
            isfinite(cooling->rack_airflow_m3_per_s)
                ? gp_form_text(out, "; %s through the fullest rack (%s)",
                               gp_form_quantity(out, cooling->rack_airflow_m3_per_s, GP_DIM_FLOW),
                               gp_form_or(cooling->air_level, "?"))
                : "");
    if (isfinite(cooling->water_l_per_year))
        gp_block_say(out, "water", "%s m3 a year%s",
                     gp_form_number(out, cooling->water_l_per_year / litres_per_m3),
                     gp_num_compare9(cooling->water_most_l_per_year, cooling->water_l_per_year) > 0
                         ? " with cooling towers on the chillers, none with dry coolers"
                         : "");
}

static void print_swing(gp_form_out *out, const gp_report_power *power) {
    if (isfinite(power->cap_fraction))
        gp_block_say(out, "power cap",
                     "%s of the GPU TDP: compute takes %s times as long and %s of the energy",
                     gp_form_share(out, power->cap_fraction),
                     gp_form_number(out, power->cap_time_factor),
                     gp_form_share(out, power->cap_energy_factor));
    if (isfinite(power->transient_w))
        gp_block_say(out, "swings", "peaks of %s during gradient exchange",
                     gp_form_watts(out, power->transient_w));
    if (isfinite(power->embodied_kg))
        gp_block_say(out, "embodied", "%s CO2e in the purchase, %s a year",
                     gp_form_quantity(out, power->embodied_kg, GP_DIM_MASS),
                     gp_form_quantity(out, power->embodied_kg_per_year, GP_DIM_MASS));
}

/* "32 degC to 42 degC, "; it follows from the facility's water, where that is stated. */
static const char *coolant_words(gp_form_out *out, const gp_report_cooling *cooling) {
    return gp_form_if(out, isfinite(cooling->coolant_supply_c), "%s to %s, ",
                      gp_form_quantity(out, cooling->coolant_supply_c, GP_DIM_TEMPERATURE),
                      gp_form_quantity(out, cooling->coolant_return_c, GP_DIM_TEMPERATURE));
}

static void print_room(gp_form_out *out, const gp_report_site *site) {
    const gp_report_cooling *cooling = &site->cooling;
    const gp_report_reliability *failures = &site->reliability;
    if (cooling->units != GP_REPORT_NO_COUNT)
        gp_block_say(out, "coolant", "%s (%s); %s%s a rack%s",
                     gp_form_plural(out, cooling->units, "distribution unit"),
                     gp_form_or(cooling->unit_id, "?"), coolant_words(out, cooling),
                     gp_form_quantity(out, cooling->rack_coolant_m3_per_s, GP_DIM_FLOW),
                     cooling->free_cooling ? ", without chillers" : "");
    if (failures->interruptions_per_month > 0)
        gp_block_fact(out, "failures", gp_form_failures(out, failures));
}

static void print_fabrics(gp_form_out *out, const gp_report_site *site) {
    for (size_t i = 0; i < site->fabrics.count; i++)
        gp_block_fact(out, "fabric", gp_form_cabling(out, &site->fabrics.items[i]));
}

/* What the total rests on, and what it leaves out. */
static void print_terms(gp_form_out *out, const gp_report_cost *cost) {
    const char *text = "";
    if (isfinite(cost->delivered_per_gpu_hour))
        gp_block_say(out, "delivered", "%s per GPU-hour of computing; %s of the GPU-hours compute",
                     gp_form_money(out, cost->delivered_per_gpu_hour, cost->currency),
                     gp_form_share(out, cost->delivered_fraction));
    if (cost->burst != NULL && cost->burst->owned_gpus < cost->burst->peak_gpus)
        gp_block_say(out, "bursts",
                     "own %s of %s GPUs and rent %s of the hours: %s a year "
                     "instead of %s",
                     gp_form_count(out, cost->burst->owned_gpus),
                     gp_form_count(out, cost->burst->peak_gpus),
                     gp_form_share(out, cost->burst->burst_fraction),
                     gp_form_money(out, cost->burst->cost_per_year, cost->currency),
                     gp_form_money(out, cost->burst->all_owned_per_year, cost->currency));
    if (!(cost->total_per_year > 0) && !(cost->capital > 0))
        return;
    for (size_t i = 0; i < cost->excluded.count; i++)
        text = gp_form_joined(out, text, "; ", "%s", cost->excluded.items[i]);
    if (cost->excluded.count > 0)
        gp_block_fact(out, "left out", text);
    if (cost->quote_valid_until != NULL)
        gp_block_say(out, "quote", "prices valid until %s", cost->quote_valid_until);
}

/* Machines of each workload at each of several sites, or of each of several kinds. */
static void print_shares(gp_form_out *out, const gp_report *report) {
    for (size_t i = 0; i < report->workloads.count; i++) {
        const gp_report_workload *workload = &report->workloads.items[i];
        const gp_report_candidate *chosen = &workload->recommendation.chosen;
        const char *text = "";
        for (size_t k = 0; k < chosen->shares.count && chosen->feasible; k++) {
            const gp_report_share *share = &chosen->shares.items[k];
            const char *away = workload->service != NULL ? "round trip" : "to move its data";
            const char *link = gp_form_if(out, share->link_s > 0, "; %s %s",
                                          gp_form_seconds(out, share->link_s), away);
            text = gp_form_joined(out, text, ", ", "%lld %s at %s (%s%s)", (long long)share->nodes,
                                  gp_form_or(share->product, "?"), gp_form_or(share->name, "?"),
                                  gp_form_share(out, share->demand_fraction), link);
        }
        if (*text != '\0')
            gp_block_fact(out, gp_form_or(workload->name, "?"), text);
    }
}

void gp_say_site_facts(gp_form_out *out, const gp_report *report) {
    print_shares(out, report);
    gp_block_fact(out, "power", gp_form_power(out, &report->site.power));
    gp_block_fact(out, "a year", gp_form_year(out, &report->site.power));
    if (report->summary.others_nodes > 0)
        gp_block_say(out, "others",
                     "%s in use by others: counted at peak in power, heat and racks, but not in "
                     "load, energy and cost",
                     gp_form_plural(out, report->summary.others_nodes, "machine"));
    gp_block_fact(out, "heat", gp_form_heat(out, &report->site.cooling));
    print_classes(out, &report->site.cooling);
    print_swing(out, &report->site.power);
    print_racks(out, report);
    print_fabrics(out, &report->site);
    print_room(out, &report->site);
    gp_block_fact(out, "storage", gp_form_storage(out, &report->site.storage));
}

void gp_say_cost_facts(gp_form_out *out, const gp_report_cost *cost) {
    gp_block_fact(out, "cost", gp_form_cost(out, cost));
    gp_block_fact(out, "or rent", gp_form_owning(out, cost));
    print_terms(out, cost);
}
