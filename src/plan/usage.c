/*
 * What a ledger takes of the site: power, heat, racks, switches, storage, the bill, money. Every
 * figure of site, limits, growth and cost is one of these; the lines of the bill add up to them.
 * Power and heat count at the largest draw that lasts, which supply and coolers are built for (the
 * circuits of a rack at nameplate); energy is that of a year, with each run at work for as long as
 * it lasts.
 */
#include "plan/usage.h"

#include <math.h>

#include "base/num.h"
#include "base/str.h"

enum { LINES_PER_UNIT = 10, LINES_MORE = 21, MANAGEMENT_UPLINKS = 2 };

/* ------------------------------------------------------------ what stands around machines */

/* The slowest Ethernet switch there is, with the most ports: controllers need no more. */
static const gp_switch *management_product(const gp_row_list *switches) {
    const gp_switch *best = NULL;
    for (size_t i = 0; i < switches->count; i++) {
        const gp_switch *row = switches->items[i];
        if (row->ports <= MANAGEMENT_UPLINKS || row->port_bits_per_s <= 0 || row->height_u <= 0)
            continue;
        const int slower =
            best == NULL ? -1 : gp_num_compare9(row->port_bits_per_s, best->port_bits_per_s);
        if ((slower < 0 || (slower == 0 && row->ports > best->ports)) &&
            gp_str_equal(row->fabric, "ethernet"))
            best = row;
    }
    return best;
}

gp_status gp_plan_parts(gp_plan_context *plan) {
    gp_parts_list *parts = GP_NEW(plan->arena, gp_parts_list);
    plan->parts = parts;
    const struct {
        gp_catalog_kind kind;
        gp_row_list *rows;
    } wanted[] = {{GP_CATALOG_SWITCHES, &parts->switches},
                  {GP_CATALOG_COOLING, &parts->cooling},
                  {GP_CATALOG_STORAGE, &parts->storage}};
    gp_status st = GP_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0] && st == GP_OK; i++)
        st = gp_catalog_rows(plan->catalog, wanted[i].kind, &wanted[i].rows->items,
                             &wanted[i].rows->count);
    if (st == GP_OK)
        parts->management = management_product(&parts->switches);
    return st;
}

static void add_management(gp_using *u) {
    gp_room_plan *room = &u->usage->room;
    const gp_switch *product = u->plan->parts->management;
    const int64_t devices = u->devices;
    if (product == NULL || devices == 0)
        return;
    const int64_t there = devices - u->bought_devices;
    const int64_t switches = gp_management_switches(devices, product->ports, MANAGEMENT_UPLINKS);
    const int64_t kept =
        there > 0 ? gp_management_switches(there, product->ports, MANAGEMENT_UPLINKS) : 0;
    gp_bill_item *line = gp_usage_line(u, GP_LINE_MANAGEMENT_SWITCH, product->id, switches,
                                       gp_num_max_i64(0, switches - kept));
    line->unit_w = gp_plan_switch_w(u->plan, product, &line->power);
    room->management_switches = switches;
    (void)gp_usage_line(u, GP_LINE_MANAGEMENT_CABLE, NULL, devices, u->bought_devices);
}

static double share_of(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

static int64_t racks_for(double rack_units, double height_u) {
    return rack_units > 0 ? gp_num_ceil_count(rack_units / height_u) : 0;
}

/* Switches, storage and system nodes stand in what the racks of machines keep free
 * (site.racks.used); what finds no place there takes racks of its own. */
static void add_other_racks(gp_using *u) {
    gp_room_plan *room = &u->usage->room;
    const gp_site_racks *site = &u->plan->spec->site.racks;
    const double height =
        site->height_u > 0 ? site->height_u : u->plan->constants->site_rack_height_u;
    const double there_u = room->other_u - u->bought_u;
    const int64_t there_racks = u->racks - u->bought_racks;
    const double apart_u = room->other_u - site->used_u * (double)u->racks;
    room->other_racks = racks_for(apart_u, height);
    u->apart_fraction = share_of(apart_u, room->other_u);
    u->bought_other_racks = gp_num_max_i64(
        0, room->other_racks - racks_for(there_u - site->used_u * (double)there_racks, height));
    (void)gp_usage_line(u, GP_LINE_OTHER_RACK, NULL, room->other_racks, u->bought_other_racks);
    u->usage->site.rack_count += room->other_racks;
    u->devices += room->other_racks;
    u->bought_devices += u->bought_other_racks;
}

/* Racks of switches and storage take their share of what those draw. */
static void add_circuits(gp_using *u) {
    gp_room_plan *room = &u->usage->room;
    const double others_w = gp_bill_watts(u) - u->usage->site.it_peak_w;
    gp_power_chain other;
    gp_usage_circuits(u->plan, share_of(others_w * u->apart_fraction, (double)room->other_racks),
                      &other);
    room->chain = u->chain;
    const int64_t circuits = u->circuits + other.circuits * room->other_racks;
    const int64_t bought = u->bought_circuits + other.circuits * u->bought_other_racks;
    (void)gp_usage_line(u, GP_LINE_CIRCUIT, NULL, circuits, bought);
    (void)gp_usage_line(u, GP_LINE_POWER_STRIP, NULL, circuits, bought);
}

/* Work, where it has a price of its own. */
static void add_installation(gp_using *u) {
    const int64_t racks = u->bought_racks + u->bought_other_racks;
    if (gp_plan_item_price(u->plan, "part", "installation") > 0)
        (void)gp_usage_line(u, GP_LINE_INSTALLATION, NULL, racks, racks);
}

static void add_system_nodes(gp_using *u) {
    const gp_plan_context *plan = u->plan;
    const int64_t count = plan->spec->cluster.reserve.system_nodes;
    const bool first = u->bought_racks > 0 && u->bought_racks == u->racks;
    const int64_t bought = first ? count : 0;
    gp_bill_item *nodes = gp_usage_line(u, GP_LINE_SYSTEM_NODE, NULL, count, bought);
    nodes->unit_w = plan->constants->facility_system_node_w;
    nodes->power = GP_REF(plan->constants, gp_constants, facility_system_node_w);
    u->usage->room.other_u += plan->constants->facility_system_node_u * (double)count;
    u->bought_u += plan->constants->facility_system_node_u * (double)bought;
    u->devices += count;
    u->bought_devices += bought;
}

void gp_usage_failures(const gp_plan_context *plan, int64_t gpus, int64_t per_node,
                       gp_room_plan *room) {
    for (int rate = 0; gpus > 0 && rate < GP_RATE_COUNT; rate++)
        gp_failures_of(gpus, per_node, (gp_rate)rate, plan->constants, &room->failures[rate]);
}

/* ------------------------------------------------------------ totals */

/* Machines of all kinds, and what they draw. */
static void count_machines(const gp_plan_context *plan, const gp_ledger *ledger,
                           gp_site_plan *site) {
    for (size_t k = 0; k < plan->unit_count; k++) {
        const gp_kind_hold *hold = &ledger->kinds[k];
        const gp_unit *unit = &plan->units[k];
        const bool rented = unit->cloud != NULL;
        site->gpus += hold->gpus;
        site->nodes += hold->nodes;
        site->stand_nodes += hold->stand;
        site->bought_nodes += hold->bought;
        site->rented_nodes += rented ? hold->nodes : 0;
        site->owned_nodes += hold->owned;
        site->it_mean_w += hold->mean_w;
        site->turns_w += hold->turns_w;
        site->it_year_w += hold->year_w;
        site->liquid_mean_w += hold->mean_w * plan->facts[k].liquid_fraction;
        site->liquid_year_w += hold->year_w * plan->facts[k].liquid_fraction;
        if (hold->bought > 0 && unit->price <= 0)
            site->priced = false;
        if (rented && hold->nodes > 0 && gp_rent_of(unit, 1).per_s <= 0)
            site->priced = false;
    }
}

/* Machines that were counted alone by each workload and are shared, and what all of them do. */
static void count_work(gp_using *u) {
    gp_site_plan *site = &u->usage->site;
    site->shared_nodes = site->rented_nodes - site->nodes;
    site->there_gpus = (double)u->gpus;
    for (size_t i = 0; i < u->plan->case_count; i++) {
        const gp_candidate *chosen = u->ledger->chosen[i];
        if (chosen == NULL)
            continue;
        const gp_case *c = &u->plan->cases[i];
        const double kept = c->out->is_serving ? 1 : chosen->run.goodput_fraction;
        const gp_kind_hold *kind = &u->ledger->kinds[chosen->unit - u->plan->units];
        site->useful_gpus += gp_ledger_gpus(kind, chosen->part.profile != NULL, chosen->gpus) *
                             gp_computing_fraction(c, chosen) * kept;
        if (chosen->unit->cloud != NULL)
            site->there_gpus += (double)chosen->gpus * chosen->rented_fraction;
        else if (u->ledger->holds[i].timing.turn == GP_TURN_OWN)
            site->shared_nodes += chosen->nodes;
    }
    site->shared_nodes = gp_num_max_i64(0, site->shared_nodes);
}

static void set_figures(const gp_using *u) {
    gp_site_plan *site = &u->usage->site;
    const gp_site *spec = &u->plan->spec->site;
    const gp_constants *k = u->plan->constants;
    const double liquid = share_of(site->liquid_w, site->air_w + site->liquid_w);
    gp_overhead design, year;
    gp_overhead_between(&u->plan->design, liquid, &design);
    gp_overhead_between(&u->plan->annual, share_of(site->liquid_mean_w, site->it_mean_w),
                        &site->annual);
    gp_overhead_between(&u->plan->annual, share_of(site->liquid_year_w, site->it_year_w), &year);
    site->design_pue = design.pue;
    gp_site_input input = {
        .it_peak_w = site->it_peak_w,
        .it_mean_w = site->it_mean_w,
        .air_fraction = 1 - liquid,
        .altitude_m = spec->altitude_m,
        .air_delta_t_k =
            spec->cooling.air.delta_t_k > 0 ? spec->cooling.air.delta_t_k : k->site_air_rise_k,
        .liquid_delta_t_k = spec->cooling.liquid.delta_t_k > 0 ? spec->cooling.liquid.delta_t_k
                                                               : k->site_liquid_rise_k,
        .design_pue = design.pue,
        .annual_pue = site->annual.pue,
        .wue_l_per_j = site->annual.wue_l_per_j,
        .carbon_kg_per_j = u->plan->carbon_kg_per_j,
        .renewable_fraction = spec->energy.renewable_fraction,
    };
    gp_site_figures all_year;
    gp_site_figures_of(&input, k, &site->figures);
    input.it_mean_w = site->it_year_w;
    input.annual_pue = year.pue;
    input.wue_l_per_j = year.wue_l_per_j;
    site->wue_most_l_per_j = year.wue_high_l_per_j;
    gp_site_figures_of(&input, k, &all_year);
    site->facility_year_w = all_year.facility_mean_w;
    site->figures.energy_j_per_year = all_year.energy_j_per_year;
    site->figures.water_l_per_year = all_year.water_l_per_year;
    site->figures.carbon_kg_per_year = all_year.carbon_kg_per_year;
    site->figures.carbon_market_kg_per_year = all_year.carbon_market_kg_per_year;
}

static void set_cost(const gp_plan_context *plan, const gp_ledger *ledger, double capital,
                     gp_site_plan *site) {
    const gp_costs *costs = &plan->spec->costs;
    gp_cost_input input = {
        .capital = capital,
        .facility_mean_w = site->facility_year_w,
        .it_peak_w = site->it_peak_w,
        .energy_price_per_j = plan->spec->site.energy.price_per_j,
        .staff_per_s = plan->of_several ? 0 : costs->staff_per_s, /* of the whole plan */
        .costs = costs,
        .gpus = site->gpus,
    };
    for (size_t i = 0; site->rented_nodes > 0 && i < plan->case_count; i++) {
        const gp_candidate *chosen = ledger->chosen[i];
        if (chosen != NULL && chosen->unit->cloud != NULL)
            input.rent_per_s += chosen->cost.rent_per_s;
    }
    for (size_t i = 0; !plan->of_several && i < plan->spec->links.count; i++)
        input.links_per_s += plan->spec->links.items[i].price_per_s;
    gp_cost_of(&input, &site->cost);
}

void gp_usage_init_one(gp_plan_context *plan, gp_usage *ret) {
    const size_t most = LINES_PER_UNIT * plan->unit_count + LINES_MORE * (plan->site_count + 1) + 1;
    *ret = (gp_usage){0};
    ret->room.bill.items = GP_NEW_ARRAY(plan->arena, gp_bill_item, most);
    ret->room.kinds.items = GP_NEW_ARRAY(plan->arena, gp_kind_room, plan->unit_count + 1);
}

/* What power counts for: see gp_site_plan. */
static void set_weighed(const gp_plan_context *plan, gp_site_plan *site) {
    site->weighed_mean = site->it_mean_w;
    site->weighed_year = site->it_year_w;
    if (!plan->of_several)
        return;
    site->weighed_mean = site->figures.facility_mean_w;
    site->weighed_year = site->facility_year_w * plan->carbon_kg_per_j;
}

void gp_usage_of_one(const gp_plan_context *plan, const gp_ledger *ledger, bool detail,
                     gp_usage *ret) {
    gp_using u = {.plan = plan, .ledger = ledger, .usage = ret, .detail = detail};
    gp_bill_item *lines = ret->room.bill.items;
    gp_kind_room *kinds = ret->room.kinds.items;
    gp_power_chain chain;
    gp_usage_circuits(plan, 0, &chain);
    ret->site = (gp_site_plan){.circuit_w = chain.circuit_w, .priced = true};
    ret->room = (gp_room_plan){0};
    ret->room.bill.items = lines;
    ret->room.kinds.items = kinds;
    gp_usage_kinds(&u);
    add_system_nodes(&u);
    if (detail)
        gp_usage_failures(plan, u.gpus, u.gpus_per_node, &ret->room);
    gp_usage_cooling(&u);
    gp_usage_storage(&u);
    gp_usage_networks(&u);
    add_other_racks(&u);
    add_management(&u);
    add_circuits(&u);
    add_installation(&u);
    count_machines(plan, ledger, &ret->site);
    if (detail)
        count_work(&u);
    const double before = plan->spent != NULL ? *plan->spent : 0;
    const double capital = before + gp_bill_sum(&u);
    set_figures(&u);
    set_cost(plan, ledger, capital, &ret->site);
    set_weighed(plan, &ret->site);
    gp_limits_set(plan, ret);
}

void gp_usage_rented(const gp_plan_context *plan, const gp_ledger *ledger, gp_site_plan *ret) {
    *ret = (gp_site_plan){.priced = true};
    count_machines(plan, ledger, ret);
    set_cost(plan, ledger, 0, ret);
}

void gp_usage_least_one(const gp_plan_context *plan, const gp_ledger *ledger, gp_site_plan *ret) {
    double capital = 0;
    gp_overhead mean, year;
    *ret = (gp_site_plan){.priced = true};
    for (size_t k = 0; k < plan->unit_count; k++)
        capital += plan->units[k].price * (double)ledger->kinds[k].bought;
    count_machines(plan, ledger, ret);
    gp_overhead_between(&plan->annual, share_of(ret->liquid_mean_w, ret->it_mean_w), &mean);
    gp_overhead_between(&plan->annual, share_of(ret->liquid_year_w, ret->it_year_w), &year);
    ret->figures.facility_mean_w = ret->it_mean_w * mean.pue;
    ret->facility_year_w = ret->it_year_w * year.pue;
    set_cost(plan, ledger, capital, ret);
    set_weighed(plan, ret);
}
