/* Site, growth, findings and assumptions, in the text form. */
#include "render/schedule_form.h"
#include "render/tables.h"
#include "render/text_form.h"

#include "base/str.h"

static const double litres_per_m3 = 1000; /* definition */
enum { ELEVATION_UNITS = 5, ELEVATION_WHAT = 36, ELEVATION_WATTS = 10 };
enum { ASSUMPTIONS_SHOWN = 6, LEVEL_WIDTH = 9, ID_WIDTH = 8 };

static void print_racks(gp_form_out *out, const gp_report *report) {
    const gp_report_site *site = &report->site;
    for (size_t i = 0; i < site->racks.count; i++) {
        const gp_report_rack *rack = &site->racks.items[i];
        const char *limit = rack->limit != GP_REPORT_NO_COUNT
                                ? gp_form_text(out, " of %s", gp_form_count(out, rack->limit))
                                : "";
        const char *all =
            i == 0 ? gp_form_text(out, "%s%s: ", gp_form_count(out, report->summary.racks), limit)
                   : "";
        gp_labelled(out, i == 0 ? "racks" : "",
                    gp_form_text(out, "%s%s", all, gp_form_rack(out, &site->power, rack)));
    }
}

/* "A2, supply 24 degC (recommended), class allows 35 degC" */
static void print_classes(gp_form_out *out, const gp_report_cooling *cooling) {
    if (cooling->air_class != NULL)
        gp_labelled(
            out, "air",
            gp_form_text(out, "class %s allows %s here; supply %s%s%s%s", cooling->air_class,
                         gp_form_quantity(out, cooling->air_max_c, GP_DIM_TEMPERATURE),
                         gp_form_quantity(out, cooling->air_supply_c, GP_DIM_TEMPERATURE),
                         cooling->air_state != NULL ? ", " : "", gp_form_or(cooling->air_state, ""),
                         isfinite(cooling->rack_airflow_m3_per_s)
                             ? gp_form_text(out, "; %s through the fullest rack (%s)",
                                            gp_form_quantity(out, cooling->rack_airflow_m3_per_s,
                                                             GP_DIM_FLOW),
                                            gp_form_or(cooling->air_level, "?"))
                             : ""));
    if (isfinite(cooling->water_l_per_year))
        gp_labelled(out, "water",
                    gp_form_text(out, "%s m3 a year%s",
                                 gp_form_quantity(out, cooling->water_l_per_year / litres_per_m3,
                                                  GP_DIM_NONE),
                                 cooling->water_most_l_per_year > cooling->water_l_per_year
                                     ? " where towers cool the chillers, none with dry coolers"
                                     : ""));
}

static void print_swing(gp_form_out *out, const gp_report_power *power) {
    if (isfinite(power->cap_fraction))
        gp_labelled(out, "power cap",
                    gp_form_text(out,
                                 "%s of the GPUs' TDP: arithmetic takes %s times as long, "
                                 "with %s of its energy",
                                 gp_form_quantity(out, power->cap_fraction, GP_DIM_FRACTION),
                                 gp_form_quantity(out, power->cap_time_factor, GP_DIM_NONE),
                                 gp_form_quantity(out, power->cap_energy_factor, GP_DIM_FRACTION)));
    if (isfinite(power->transient_w))
        gp_labelled(out, "swings",
                    gp_form_text(out, "peaks of %s while gradients are exchanged",
                                 gp_form_quantity(out, power->transient_w, GP_DIM_POWER)));
    if (isfinite(power->embodied_kg))
        gp_labelled(out, "embodied",
                    gp_form_text(out, "%s CO2e in what is bought, %s a year",
                                 gp_form_quantity(out, power->embodied_kg, GP_DIM_MASS),
                                 gp_form_quantity(out, power->embodied_kg_per_year, GP_DIM_MASS)));
}

static void print_room(gp_form_out *out, const gp_report_site *site) {
    const gp_report_cooling *cooling = &site->cooling;
    const gp_report_reliability *failures = &site->reliability;
    if (cooling->units != GP_REPORT_NO_COUNT)
        gp_labelled(
            out, "coolant",
            gp_form_text(
                out, "%s (%s); %s to %s, %s a rack%s",
                gp_form_plural(out, cooling->units, "distribution unit", "distribution units"),
                gp_form_or(cooling->unit_id, "?"),
                gp_form_quantity(out, cooling->coolant_supply_c, GP_DIM_TEMPERATURE),
                gp_form_quantity(out, cooling->coolant_return_c, GP_DIM_TEMPERATURE),
                gp_form_quantity(out, cooling->rack_coolant_m3_per_s, GP_DIM_FLOW),
                cooling->free_cooling ? ", without chillers" : ""));
    if (failures->interruptions_per_month > 0)
        gp_labelled(out, "failures", gp_form_failures(out, failures));
}

static void print_slots(gp_form_out *out, const gp_report_rack *rack) {
    static const char edge[] = "      +------------------------------------------------+\n";
    gp_buf_str(out->buf, edge);
    for (size_t i = 0; i < rack->slots.count; i++) {
        const gp_report_slot *slot = &rack->slots.items[i];
        const char *what = slot->id != NULL ? slot->id : slot->what;
        const char *watts =
            isfinite(slot->power_w) ? gp_form_quantity(out, slot->power_w, GP_DIM_POWER) : "";
        const char *units =
            slot->from_u == slot->to_u
                ? gp_form_text(out, "%lld", (long long)slot->to_u)
                : gp_form_text(out, "%lld-%lld", (long long)slot->to_u, (long long)slot->from_u);
        gp_cell(out, units, ELEVATION_UNITS, true, false);
        gp_buf_str(out->buf, " | ");
        gp_cell(out, what, ELEVATION_WHAT, false, false);
        gp_cell(out, watts, ELEVATION_WATTS, true, false);
        gp_buf_str(out->buf, " |\n");
    }
    gp_buf_str(out->buf, edge);
}

/* A full rack of each kind from the front, a line per place. */
static void print_elevation(gp_form_out *out, const gp_report_site *site,
                            const gp_report_rack *rack) {
    if (rack->slots.count == 0)
        return;
    gp_text_heading(
        out, gp_form_text(out, "RACK OF %s, FROM THE FRONT", gp_form_or(rack->holds, "MACHINES")));
    print_slots(out, rack);
    const char *strips =
        rack->circuits != GP_REPORT_NO_COUNT
            ? gp_form_text(out, ", %s upright at the back",
                           gp_form_plural(out, rack->circuits, "power strip", "power strips"))
            : "";
    const char *weight = isfinite(rack->weight_kg)
                             ? gp_form_text(out, "; %s of machines",
                                            gp_form_quantity(out, rack->weight_kg, GP_DIM_MASS))
                             : "";
    const char *all = isfinite(site->delivery_kg) && rack == site->racks.items
                          ? gp_form_text(out, "; %s of machines to deliver, all kinds",
                                         gp_form_quantity(out, site->delivery_kg, GP_DIM_MASS))
                          : "";
    gp_buf_str(out->buf, "      ");
    gp_wrap(out,
            gp_form_text(out, "%s%s%s%s", gp_form_quantity(out, rack->power_w, GP_DIM_POWER),
                         strips, weight, all),
            6, 6);
}

static void print_bill(gp_form_out *out, const gp_report *report) {
    gp_table table;
    gp_table_bill(out, report, &table);
    if (table.rows > 0)
        gp_text_heading(out, "BILL OF QUANTITIES");
    gp_block_table(out, NULL, &table);
}

static void print_fabrics(gp_form_out *out, const gp_report_site *site) {
    for (size_t i = 0; i < site->fabrics.count; i++)
        gp_labelled(out, "fabric", gp_form_cabling(out, &site->fabrics.items[i]));
}

/* What the total rests on, and what it leaves out. */
static void print_terms(gp_form_out *out, const gp_report_cost *cost) {
    const char *text = "";
    if (isfinite(cost->delivered_per_gpu_hour))
        gp_labelled(out, "delivered",
                    gp_form_text(out, "%s a GPU-hour that computes: %s of those that are there",
                                 gp_form_money(out, cost->delivered_per_gpu_hour, cost->currency),
                                 gp_form_quantity(out, cost->delivered_fraction, GP_DIM_FRACTION)));
    if (cost->burst != NULL && cost->burst->owned_gpus < cost->burst->peak_gpus)
        gp_labelled(
            out, "bursts",
            gp_form_text(out,
                         "own %s of %s GPUs and rent %s of the hours: %s a year "
                         "instead of %s",
                         gp_form_count(out, cost->burst->owned_gpus),
                         gp_form_count(out, cost->burst->peak_gpus),
                         gp_form_quantity(out, cost->burst->burst_fraction, GP_DIM_FRACTION),
                         gp_form_money(out, cost->burst->cost_per_year, cost->currency),
                         gp_form_money(out, cost->burst->all_owned_per_year, cost->currency)));
    if (!(cost->total_per_year > 0) && !(cost->capital > 0))
        return;
    for (size_t i = 0; i < cost->excluded.count; i++)
        text = gp_form_text(out, "%s%s%s", text, i > 0 ? "; " : "", cost->excluded.items[i]);
    if (cost->excluded.count > 0)
        gp_labelled(out, "left out", text);
    if (cost->quote_valid_until != NULL)
        gp_labelled(out, "quote",
                    gp_form_text(out, "prices hold until %s", cost->quote_valid_until));
}

static void print_growth(gp_form_out *out, const gp_report *report) {
    gp_table table;
    if (report->growth.count == 0)
        return;
    gp_text_heading(out, "GROWTH");
    gp_table_quarters(out, report, &table);
    gp_block_table(out, NULL, &table);
    gp_table_horizon(out, report, &table);
    gp_block_table(out, NULL, &table);
    if (report->site.horizon != NULL)
        gp_labelled(out, "built", gp_form_horizon(out, report->site.horizon));
}

static void print_if(gp_form_out *out, const char *label, const char *text) {
    if (text != NULL)
        gp_labelled(out, label, text);
}

/* Machines of each workload at each of several sites, or of each of several kinds. */
static void print_shares(gp_form_out *out, const gp_report *report) {
    for (size_t i = 0; i < report->workloads.count; i++) {
        const gp_report_workload *workload = &report->workloads.items[i];
        const gp_report_candidate *chosen = &workload->recommendation.chosen;
        const char *text = "";
        for (size_t k = 0; k < chosen->shares.count && chosen->feasible; k++) {
            const gp_report_share *share = &chosen->shares.items[k];
            const char *away = workload->service != NULL ? "there and back" : "to bring its data";
            text = gp_form_text(out, "%s%s%lld %s at %s (%s", text, k > 0 ? ", " : "",
                                (long long)share->nodes, gp_form_or(share->product, "?"),
                                gp_form_or(share->name, "?"),
                                gp_form_quantity(out, share->demand_fraction, GP_DIM_FRACTION));
            if (share->link_s > 0)
                text = gp_form_text(out, "%s; %s %s", text,
                                    gp_form_quantity(out, share->link_s, GP_DIM_TIME), away);
            text = gp_form_text(out, "%s)", text);
        }
        if (*text != '\0')
            gp_labelled(out, gp_form_or(workload->name, "?"), text);
    }
}

void gp_text_site_facts(gp_form_out *out, const gp_report *report) {
    print_shares(out, report);
    gp_labelled(out, "power", gp_form_power(out, &report->site.power));
    gp_labelled(out, "a year", gp_form_year(out, &report->site.power));
    gp_labelled(out, "heat", gp_form_heat(out, &report->site.cooling));
    print_classes(out, &report->site.cooling);
    print_swing(out, &report->site.power);
    print_racks(out, report);
    print_fabrics(out, &report->site);
    print_room(out, &report->site);
    print_if(out, "storage", gp_form_storage(out, &report->site.storage));
}

void gp_text_cost_facts(gp_form_out *out, const gp_report_cost *cost) {
    print_if(out, "cost", gp_form_cost(out, cost));
    print_if(out, "or rent", gp_form_owning(out, cost));
    print_terms(out, cost);
}

gp_report gp_form_at_site(const gp_report *report, size_t place) {
    gp_report at = *report;
    const gp_report_place *one = &report->sites.items[place];
    at.site = one->site;
    at.summary.racks = one->racks;
    at.summary.nodes = one->stand_nodes;
    at.sites.count = 0;
    return at;
}

static void print_elevations(gp_form_out *out, const gp_report_site *site) {
    for (size_t i = 0; i < site->racks.count; i++)
        print_elevation(out, site, &site->racks.items[i]);
}

/* What is drawn of racks is drawn for each of several sites. */
static void print_places(gp_form_out *out, const gp_report *report) {
    for (size_t i = 0; i < report->sites.count; i++) {
        const gp_report at = gp_form_at_site(report, i);
        const char *name = gp_form_or(report->sites.items[i].name, "?");
        gp_text_heading(out, gp_form_text(out, "SITE %s", name));
        if (at.summary.nodes == 0) {
            gp_labelled(out, "", "nothing stands there");
            continue;
        }
        gp_text_site_facts(out, &at);
        print_elevations(out, &at.site);
        print_bill(out, &at);
    }
}

void gp_text_site(gp_form_out *out, const gp_report *report) {
    const bool several = report->sites.count > 0;
    gp_text_heading(out, several ? "ALL SITES" : "SITE");
    gp_text_site_facts(out, report);
    gp_text_cost_facts(out, &report->cost);
    if (!several)
        print_elevations(out, &report->site);
    print_bill(out, report);
    print_places(out, report);
    gp_text_schedule(out, &report->site.schedule);
    gp_text_teams(out, report);
    print_growth(out, report);
}

static void print_finding(gp_form_out *out, const gp_report_finding *finding) {
    int indent = 2 + LEVEL_WIDTH + ID_WIDTH;
    const char *place = gp_form_place(out, finding);
    const char *subject =
        finding->workload != NULL ? gp_form_text(out, "%s: ", finding->workload) : "";
    gp_buf_repeat(out->buf, ' ', 2);
    gp_text_level(out, finding->level, finding->level, LEVEL_WIDTH);
    gp_cell(out, finding->id, ID_WIDTH, false, false);
    gp_wrap(out,
            gp_form_text(out, "%s%s%s%s%s", subject, gp_form_or(finding->message, ""),
                         place != NULL ? " (" : "", gp_form_or(place, ""),
                         place != NULL ? ")" : ""),
            indent, indent);
    if (finding->fix == NULL)
        return;
    gp_buf_repeat(out->buf, ' ', indent);
    gp_wrap(out, gp_form_text(out, "fix: %s", finding->fix), indent, indent + 5);
}

/* The name of a workload is told from the other groups of a spec by its place alone. */
static const char *without_group(const char *path) {
    static const char group[] = "workloads.";
    return gp_str_starts(path, group) ? path + sizeof group - 1 : path;
}

static void print_assumptions(gp_form_out *out, const gp_report *report) {
    size_t count = report->assumptions.count;
    bool all = out->detail == GP_DETAIL_ALL || count < ASSUMPTIONS_SHOWN;
    size_t shown = all ? count : ASSUMPTIONS_SHOWN;
    gp_table table = {
        .columns = 3,
        .headers = {"LEVERAGE", "ASSUMED", "VALUE"},
        .shrink = {false, true, true},
    };
    for (size_t i = 0; i < shown; i++) {
        const gp_report_assumption *row = &report->assumptions.items[i];
        const char **cells = gp_table_row(out, &table);
        if (cells == NULL)
            return;
        cells[0] = row->leverage;
        cells[1] = without_group(gp_form_or(row->path, "?"));
        cells[2] = gp_form_or(row->value, "-");
    }
    if (shown == 0)
        return;
    gp_text_heading(out, "ASSUMPTIONS");
    gp_table_print(out, &table, 2);
    if (count > shown)
        gp_buf_printf(out->buf, "  and %zu more: --detail all lists them\n", count - shown);
}

/* Notes ask for nothing: they are counted unless all is asked for. */
static void print_findings(gp_form_out *out, const gp_report *report) {
    int64_t notes = out->detail == GP_DETAIL_ALL ? 0 : gp_form_level_count(report, "note");
    if (report->findings.count > 0)
        gp_text_heading(out, "FINDINGS");
    for (size_t i = 0; i < report->findings.count; i++)
        if (notes == 0 || !gp_str_equal(report->findings.items[i].level, "note"))
            print_finding(out, &report->findings.items[i]);
    if (notes > 0)
        gp_buf_printf(out->buf, "  %s: --detail all shows %s\n",
                      gp_form_plural(out, notes, "note", "notes"), notes == 1 ? "it" : "them");
}

void gp_text_remarks(gp_form_out *out, const gp_report *report) {
    print_findings(out, report);
    print_assumptions(out, report);
    gp_buf_char(out->buf, '\n');
    gp_wrap(
        out,
        gp_form_text(
            out, "%s of the %s inputs beneath these figures are unverified or assumed.",
            gp_form_quantity(
                out, isfinite(report->data.unverified_share) ? report->data.unverified_share : 0,
                GP_DIM_FRACTION),
            gp_form_count(out, report->data.inputs)),
        0, 0);
}
