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

const gp_limit_row gp_limit_rows[GP_LIMIT_COUNT] = {
    [GP_LIMIT_POWER] = {GP_BOUND_POWER, GP_DIM_POWER, "site.power.itCapacity"},
    [GP_LIMIT_AIR] = {GP_BOUND_COOLING, GP_DIM_POWER, "site.cooling.air.capacity"},
    [GP_LIMIT_LIQUID] = {GP_BOUND_COOLING, GP_DIM_POWER, "site.cooling.liquid.capacity"},
    [GP_LIMIT_RACKS] = {GP_BOUND_SPACE, GP_DIM_COUNT, "site.racks.count"},
    [GP_LIMIT_CAPITAL] = {GP_BOUND_BUDGET, GP_DIM_MONEY, "costs.budget.capital"},
    [GP_LIMIT_RECURRING] = {GP_BOUND_BUDGET, GP_DIM_MONEY_PER_S, "costs.budget.recurring"},
};

/* ------------------------------------------------------------ limits */

static void limits_of(const gp_plan_spec *spec, double *ret) {
    const gp_site *site = &spec->site;
    const gp_site_cooling *cooling = &site->cooling;
    const struct {
        bool given;
        double value;
    } rows[GP_LIMIT_COUNT] = {
        [GP_LIMIT_POWER] = {GP_GIVEN(&site->power, gp_site_power, it_capacity_w),
                            site->power.it_capacity_w},
        [GP_LIMIT_AIR] = {GP_GIVEN(&cooling->air, gp_site_air, capacity_w),
                          cooling->air.capacity_w},
        [GP_LIMIT_LIQUID] = {GP_GIVEN(&cooling->liquid, gp_site_liquid, capacity_w),
                             cooling->liquid.capacity_w},
        [GP_LIMIT_RACKS] = {GP_GIVEN(&site->racks, gp_site_racks, count),
                            (double)site->racks.count},
    };
    for (int i = 0; i < GP_LIMIT_COUNT; i++)
        ret[i] = rows[i].given ? rows[i].value : HUGE_VAL;
}

/* Of the plan, and of each of several sites. */
static void set_budget(const gp_budget *budget, double *ret) {
    if (GP_GIVEN(budget, gp_budget, capital))
        ret[GP_LIMIT_CAPITAL] = budget->capital;
    if (GP_GIVEN(budget, gp_budget, per_s))
        ret[GP_LIMIT_RECURRING] = budget->per_s;
}

static const gp_budget *budget_of(const gp_plan_context *plan, size_t site) {
    const gp_plan_spec *spec = plan->spec;
    for (size_t i = 0; site > 0 && i < spec->sites.count; i++)
        if (gp_str_equal(spec->sites.items[i].name, plan->sites[site - 1].name))
            return &spec->sites.items[i].budget;
    return &spec->costs.budget;
}

/* "sites.north.budget.capital" */
static const char *site_path(const gp_plan_context *plan, size_t site, const char *path) {
    static const char costs[] = "costs.";
    const char *own = gp_str_starts(path, costs) ? path + sizeof costs - 1 : path;
    return gp_arena_printf(plan->arena, "sites.%s.%s", plan->sites[site - 1].name, own);
}

void gp_limits_of(gp_plan_context *plan) {
    const size_t count = (plan->site_count + 1) * GP_LIMIT_COUNT;
    double *limits = GP_NEW_ARRAY(plan->arena, double, count);
    const char **paths = GP_NEW_ARRAY(plan->arena, const char *, count);
    bool *all = GP_NEW_ARRAY(plan->arena, bool, count);
    for (size_t i = 0; i < count; i++) {
        const size_t site = i / GP_LIMIT_COUNT;
        const char *path = gp_limit_row_of((int)i)->path;
        if (plan->options->hold != NULL) {
            limits[i] = HUGE_VAL; /* what was chosen stays chosen */
        } else if (i % GP_LIMIT_COUNT == 0) {
            limits_of(site > 0 ? &plan->sites[site - 1].document->spec : plan->spec, &limits[i]);
            set_budget(budget_of(plan, site), &limits[i]);
        }
        paths[i] = site > 0 ? site_path(plan, site, path) : path;
        all[i] = true;
    }
    plan->limits = limits;
    plan->limit_paths = paths;
    plan->all_limits = all;
    plan->limit_count = (int)count;
}

const gp_limit_row *gp_limit_row_of(int limit) {
    return &gp_limit_rows[limit % GP_LIMIT_COUNT];
}

double gp_usage_limited(const gp_usage *usage, int limit) {
    const int place = limit / GP_LIMIT_COUNT;
    const gp_site_plan *site = place > 0 ? &usage->sites[place - 1].site : &usage->site;
    const double used[GP_LIMIT_COUNT] = {
        [GP_LIMIT_POWER] = site->it_peak_w,      [GP_LIMIT_AIR] = site->air_w,
        [GP_LIMIT_LIQUID] = site->liquid_w,      [GP_LIMIT_RACKS] = (double)site->rack_count,
        [GP_LIMIT_CAPITAL] = site->cost.capital, [GP_LIMIT_RECURRING] = site->cost.total_per_s,
    };
    return used[limit % GP_LIMIT_COUNT];
}

int gp_limits_passed(const gp_plan_context *plan, const gp_inventory *inventory,
                     const gp_usage *usage) {
    for (int i = 0; i < plan->limit_count; i++) {
        const double used = gp_usage_limited(usage, i);
        const double most = gp_num_max(plan->limits[i], inventory->base[i]);
        if ((inventory->lifted == NULL || !inventory->lifted[i]) && used > most &&
            !gp_num_near(used, most))
            return i;
    }
    return -1;
}

/* Of the usage itself: what limits its sites by themselves is with each. */
static void set_limits(const gp_plan_context *plan, gp_usage *usage) {
    gp_site_plan *site = &usage->site;
    site->limit_count = 0;
    for (int i = 0; i < GP_LIMIT_COUNT; i++)
        if (isfinite(plan->limits[i]))
            site->limits[site->limit_count++] =
                (gp_limit_use){gp_limit_rows[i].bound, gp_usage_limited(usage, i), plan->limits[i],
                               gp_limit_rows[i].dim, plan->limit_paths[i]};
}

/* ------------------------------------------------------------ racks and heat of a kind */

static gp_rack_input rack_input(const gp_plan_context *plan, const gp_unit *unit, int64_t nodes) {
    const gp_site *site = &plan->spec->site;
    const gp_constants *k = plan->constants;
    const bool air = unit->system->cooling == GP_COOLING_AIR;
    const gp_unit_facts *facts = &plan->facts[unit - plan->units];
    const double air_share = 1 - facts->liquid_fraction;
    return (gp_rack_input){
        .nodes = nodes,
        .node_w = facts->idle.nameplate_w,
        .peak_w = facts->idle.peak_w,
        .published_nodes = unit->system->rack_nodes,
        .node_u = unit->system->height_u,
        .node_kg = unit->system->weight_kg,
        .rack_u = site->racks.height_u > 0 ? site->racks.height_u : k->site_rack_height_u,
        .used_u = site->racks.used_u,
        /* Where no rack power is stated, air-cooled racks stay below the level of a warning. */
        .rack_w = site->racks.max_power_w > 0 ? site->racks.max_power_w
                  : air ? gp_num_max(k->site_rack_air_warning_w, facts->idle.nameplate_w)
                        : 0,
        .rack_kg = site->racks.max_weight_kg,
        /* Only what goes to air counts against what the air of a rack removes. */
        .cooling_w = air_share > 0 ? site->cooling.air.per_rack_w / air_share : 0,
        .liquid = !air,
        .racks_per_node = unit->system->height_u >= 40 ? 1 : 0,
    };
}

void gp_plan_racks(const gp_plan_context *plan, const gp_unit *unit, int64_t nodes,
                   gp_rack_size *ret) {
    const gp_rack_input input = rack_input(plan, unit, nodes);
    gp_rack_size_of(&input, ret);
}

/* What a rack lacks for one machine, in the words of the spec: heat to air alone, and the height of
 * the whole rack; NULL: nothing. */
static const gp_lack *rack_lack(const gp_plan_context *plan, size_t site, const gp_unit *unit,
                                gp_rack_input input) {
    const double air_share = 1 - plan->facts[unit - plan->units].liquid_fraction;
    const struct {
        gp_bound bound;
        gp_dim dim;
        const char *path;
        double *limit; /* 0 lifts it */
        double share, used;
    } rows[] = {
        [GP_RACK_POWER] = {GP_BOUND_POWER, GP_DIM_POWER, "site.racks.maxPower", &input.rack_w, 1,
                           0},
        [GP_RACK_COOLING] = {GP_BOUND_COOLING, GP_DIM_POWER, "site.cooling.air.perRack",
                             &input.cooling_w, air_share, 0},
        [GP_RACK_HEIGHT] = {GP_BOUND_SPACE, GP_DIM_RACK_UNITS, "site.racks.height", &input.rack_u,
                            1, input.used_u},
        [GP_RACK_WEIGHT] = {GP_BOUND_SPACE, GP_DIM_MASS, "site.racks.maxWeight", &input.rack_kg, 1,
                            0},
    };
    gp_rack_size size;
    gp_rack_size_of(&input, &size);
    if (!size.too_small)
        return NULL;
    gp_lack *lack = GP_NEW(plan->arena, gp_lack);
    const char *path = rows[size.bound_by].path;
    const double share = rows[size.bound_by].share;
    const double used = rows[size.bound_by].used;
    *rows[size.bound_by].limit = 0;
    *lack = (gp_lack){.bound = rows[size.bound_by].bound,
                      .dim = rows[size.bound_by].dim,
                      .path = site > 0 ? site_path(plan, site, path) : path,
                      .have = size.have * share + used,
                      .need = size.need * share + used,
                      .why = "too much for a rack",
                      .also = rack_lack(plan, site, unit, input)};
    return lack;
}

static void bar_unit(const gp_plan_context *plan, size_t site, gp_unit *unit) {
    unit->rack_lack =
        unit->cloud == NULL ? rack_lack(plan, site, unit, rack_input(plan, unit, 1)) : NULL;
    unit->is_barred = unit->may_buy && unit->rack_lack != NULL;
    unit->may_buy = unit->may_buy && unit->rack_lack == NULL;
}

void gp_plan_bar_units(gp_plan_context *plan) {
    for (size_t u = 0; u < plan->unit_count && plan->site_count == 0; u++)
        bar_unit(plan, 0, &plan->units[u]);
    for (size_t s = 0; s < plan->site_count; s++) {
        gp_plan_context at;
        gp_plan_at(plan, s, &at);
        for (size_t u = 0; u < at.unit_count; u++)
            bar_unit(&at, s + 1, &at.units[u]);
    }
}

int64_t gp_usage_fabric_nodes(const gp_plan_context *plan, const gp_ledger *ledger, size_t unit) {
    const bool declared = gp_plan_compute_fabric(plan, unit) != NULL;
    const int64_t there = declared ? plan->units[unit].fabric_nodes : 0;
    const int64_t before = plan->wired != NULL ? plan->wired[unit] : 0;
    return gp_num_max_i64(ledger->kinds[unit].fabric_nodes, gp_num_max_i64(there, before));
}

gp_bill_item *gp_usage_line(gp_using *u, gp_line line, const char *id, int64_t count,
                            int64_t bought) {
    static const struct {
        const char *prefix, *part, *role, *rule;
    } lines[GP_LINE_COUNT] = {
#define GP_LINE(name, ...) [GP_LINE_##name] = {__VA_ARGS__},
#include "plan/bill.def"
#undef GP_LINE
    };
    gp_room_plan *room = &u->usage->room;
    gp_bill_item *item = &room->bill.items[room->bill.count];
    *item = (gp_bill_item){.role = lines[line].role,
                           .rule = lines[line].rule,
                           .id = id,
                           .count = count,
                           .bought = bought};
    gp_plan_price_line(u->plan, lines[line].prefix,
                       lines[line].part != NULL ? lines[line].part : id, item);
    room->bill.count += count > 0 ? 1 : 0;
    return item;
}

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
    const int64_t bought = u->bought_racks > 0 ? 1 : 0;
    const int64_t switches = gp_management_switches(devices, product->ports, MANAGEMENT_UPLINKS);
    gp_bill_item *line =
        gp_usage_line(u, GP_LINE_MANAGEMENT_SWITCH, product->id, switches, bought * switches);
    line->unit_w = gp_plan_switch_w(u->plan, product, &line->power);
    room->management_switches = switches;
    (void)gp_usage_line(u, GP_LINE_MANAGEMENT_CABLE, NULL, devices, bought * devices);
}

static void add_circuits(gp_using *u) {
    u->usage->room.chain = u->chain;
    (void)gp_usage_line(u, GP_LINE_CIRCUIT, NULL, u->circuits, u->bought_circuits);
    (void)gp_usage_line(u, GP_LINE_POWER_STRIP, NULL, u->circuits, u->bought_circuits);
}

/* Work, where it has a price of its own. */
static void add_installation(gp_using *u) {
    if (gp_plan_item_price(u->plan, "part", "installation") > 0)
        (void)gp_usage_line(u, GP_LINE_INSTALLATION, NULL, u->bought_racks, u->bought_racks);
}

/* Switches, storage and system nodes stand in what the racks of machines keep free
 * (site.racks.used); what finds no place there takes racks of its own. */
static void add_other_racks(gp_using *u) {
    gp_room_plan *room = &u->usage->room;
    const gp_site_racks *site = &u->plan->spec->site.racks;
    const double height =
        site->height_u > 0 ? site->height_u : u->plan->constants->site_rack_height_u;
    const double beyond = room->other_u - site->used_u * (double)u->racks;
    room->other_racks = beyond > 0 ? gp_num_ceil_count(beyond / height) : 0;
    (void)gp_usage_line(u, GP_LINE_OTHER_RACK, NULL, room->other_racks,
                        u->bought_racks > 0 ? room->other_racks : 0);
    u->usage->site.rack_count += room->other_racks;
    u->devices += room->other_racks;
}

static void add_system_nodes(gp_using *u) {
    const gp_plan_context *plan = u->plan;
    const int64_t count = plan->spec->cluster.reserve.system_nodes;
    const bool first = u->bought_racks > 0 && u->bought_racks == u->racks;
    gp_bill_item *nodes = gp_usage_line(u, GP_LINE_SYSTEM_NODE, NULL, count, first ? count : 0);
    nodes->unit_w = plan->constants->facility_system_node_w;
    nodes->power = GP_REF(plan->constants, gp_constants, facility_system_node_w);
    u->usage->room.other_u += plan->constants->facility_system_node_u * (double)count;
    u->devices += count;
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
        site->it_year_w += hold->year_w;
        site->liquid_mean_w += hold->mean_w * plan->facts[k].liquid_fraction;
        site->liquid_year_w += hold->year_w * plan->facts[k].liquid_fraction;
        if (hold->bought > 0 && unit->price <= 0)
            site->priced = false;
        if (rented && hold->nodes > 0 && unit->rent_per_s <= 0)
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
                             gp_rented_fraction(c, chosen) * kept;
        if (chosen->unit->cloud != NULL)
            site->there_gpus += (double)chosen->gpus * chosen->rented_fraction;
        else if (u->ledger->holds[i].timing.turn == GP_TURN_OWN)
            site->shared_nodes += chosen->nodes;
    }
    site->shared_nodes = gp_num_max_i64(0, site->shared_nodes);
}

/* The lines of the bill: what is neither a machine nor storage nor a system node is a switch. */
static double add_bill(gp_using *u) {
    gp_site_plan *site = &u->usage->site;
    const gp_room_plan *room = &u->usage->room;
    double watts = 0;
    double capital = 0;
    for (size_t i = 0; i < room->bill.count; i++) {
        const gp_bill_item *line = &room->bill.items[i];
        watts += line->unit_w * (double)line->count;
        capital += line->unit_price * (double)line->bought;
    }
    site->storage_w = room->storage_w;
    site->system_w = u->plan->constants->facility_system_node_w *
                     (double)u->plan->spec->cluster.reserve.system_nodes;
    site->network_w = gp_num_max(0, watts - site->it_peak_w - site->storage_w - site->system_w);
    const double other = site->network_w + site->storage_w + site->system_w;
    site->it_peak_w += other;
    site->it_mean_w += other;
    site->it_year_w += other;
    site->air_w += other;
    return capital;
}

static double share_of(double part, double whole) {
    return whole > 0 ? part / whole : 0;
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

void gp_usage_init(gp_plan_context *plan, gp_usage *ret) {
    const size_t most = LINES_PER_UNIT * plan->unit_count + LINES_MORE * (plan->site_count + 1) + 1;
    *ret = (gp_usage){0};
    ret->room.bill.items = GP_NEW_ARRAY(plan->arena, gp_bill_item, most);
    ret->room.kinds.items = GP_NEW_ARRAY(plan->arena, gp_kind_room, plan->unit_count + 1);
    if (plan->site_count > 0)
        gp_usage_init_sites(plan, ret);
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

static void usage_of_one(const gp_plan_context *plan, const gp_ledger *ledger, bool detail,
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
    add_circuits(&u);
    add_installation(&u);
    if (detail)
        gp_usage_failures(plan, u.gpus, u.gpus_per_node, &ret->room);
    gp_usage_cooling(&u);
    gp_usage_storage(&u);
    gp_usage_networks(&u);
    add_other_racks(&u);
    add_management(&u);
    count_machines(plan, ledger, &ret->site);
    if (detail)
        count_work(&u);
    const double capital = add_bill(&u);
    set_figures(&u);
    set_cost(plan, ledger, capital, &ret->site);
    set_weighed(plan, &ret->site);
}

void gp_usage_of(const gp_plan_context *plan, const gp_ledger *ledger, bool detail, gp_usage *ret) {
    if (plan->site_count > 0)
        gp_usage_of_sites(plan, ledger, detail, ret);
    else
        usage_of_one(plan, ledger, detail, ret);
    set_limits(plan, ret);
}

void gp_usage_rented(const gp_plan_context *plan, const gp_ledger *ledger, gp_site_plan *ret) {
    *ret = (gp_site_plan){.priced = true};
    count_machines(plan, ledger, ret);
    set_cost(plan, ledger, 0, ret);
}

void gp_usage_least(const gp_plan_context *plan, const gp_ledger *ledger, gp_usage *scratch,
                    gp_site_plan *ret) {
    double capital = 0;
    gp_overhead mean, year;
    if (plan->site_count > 0) {
        gp_usage_least_of_sites(plan, ledger, scratch, ret);
        return;
    }
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
