/* Power, cooling, racks, networks, shared limits, cost and growth of the whole plan. */
#include "report/build.h"

#include "base/num.h"
#include "base/str.h"
#include "report/value.h"

/* Mean power of the runs on the site, all of them at work. */
static double training_w(const gp_plan_result *result) {
    double watts = 0;
    for (size_t i = 0; i < result->workloads.count; i++) {
        const gp_workload_plan *plan = &result->workloads.items[i];
        if (plan->chosen.feasible && !plan->is_serving && plan->chosen.unit->cloud == NULL)
            watts += plan->chosen.it_mean_w;
    }
    return gp_num_min(watts, result->site.it_mean_w);
}

static void fill_cap(const gp_plan_result *result, gp_report_power *ret) {
    const double cap = result->document->spec.site.power.cap_fraction;
    ret->training_w = gp_build_positive(training_w(result));
    if (ret->training_w > 0)
        ret->transient_w =
            gp_power_transient_w(result->site.it_mean_w, ret->training_w, result->constants);
    if (!(cap > 0))
        return;
    gp_power_cap factors;
    gp_power_cap_of(cap, 1, result->constants, &factors);
    ret->cap_fraction = cap;
    ret->cap_time_factor = factors.time_factor;
    ret->cap_energy_factor = factors.energy_factor;
}

/* Only where the spec says what making a machine takes. */
static void fill_embodied(const gp_plan_result *result, gp_report_power *ret) {
    const gp_plan_spec *spec = &result->document->spec;
    double gpus = 0;
    for (size_t i = 0; i < result->room.bill.count; i++) {
        const gp_bill_item *line = &result->room.bill.items[i];
        for (size_t u = 0; u < result->units.count; u++)
            if (line->id == result->units.items[u].id)
                gpus += (double)(line->bought * result->units.items[u].machine.gpus);
    }
    if (!(spec->site.energy.embodied_kg_per_gpu > 0) || !(gpus > 0))
        return;
    ret->embodied_kg = spec->site.energy.embodied_kg_per_gpu * gpus;
    if (spec->costs.amortization_s > 0)
        ret->embodied_kg_per_year =
            gp_build_per_year(ret->embodied_kg / spec->costs.amortization_s);
}

const gp_unit *gp_build_powerless(const gp_plan_result *result) {
    for (size_t i = 0; i < result->room.kinds.count; i++)
        if (!result->room.kinds.items[i].unit->power_known)
            return result->room.kinds.items[i].unit;
    return NULL;
}

/* What no machine states is not known of their sum either. */
static void fill_power(const gp_plan_result *result, gp_report_power *ret) {
    const gp_site_plan *plan = &result->site;
    const gp_site *site = &result->document->spec.site;
    ret->limit_w = gp_build_positive(site->power.it_capacity_w);
    if (gp_build_powerless(result) != NULL)
        return;
    ret->it_w = plan->it_peak_w;
    ret->it_mean_w = plan->it_mean_w;
    ret->network_w = plan->network_w;
    ret->storage_w = plan->storage_w;
    ret->system_w = plan->system_w;
    ret->facility_w = plan->figures.facility_peak_w;
    ret->facility_mean_w = plan->figures.facility_mean_w;
    ret->circuit_w = gp_build_positive(plan->circuit_w);
    const gp_power_chain *chain = &result->room.chain;
    bool fed = chain->circuits > 0;
    ret->circuits_per_rack = fed ? chain->circuits : GP_REPORT_NO_COUNT;
    ret->feeds = fed ? chain->feeds : GP_REPORT_NO_COUNT;
    ret->circuit_load_fraction = fed ? chain->load_fraction : GP_REPORT_NO_REAL;
    ret->circuit_failed_fraction =
        fed && isfinite(chain->failed_fraction) ? chain->failed_fraction : GP_REPORT_NO_REAL;
    fill_cap(result, ret);
    fill_embodied(result, ret);
    ret->design_pue = plan->design_pue;
    ret->annual_pue = plan->annual.pue;
    ret->annual_pue_low = plan->annual.pue_low;
    ret->annual_pue_high = plan->annual.pue_high;
    ret->energy_j_per_year = plan->figures.energy_j_per_year;
    ret->renewable_fraction = GP_GIVEN(&site->energy, gp_site_energy, renewable_fraction)
                                  ? site->energy.renewable_fraction
                                  : GP_REPORT_NO_REAL;
    ret->carbon_kg_per_year = gp_build_positive(plan->figures.carbon_kg_per_year);
    if (isfinite(ret->carbon_kg_per_year))
        ret->carbon_market_kg_per_year = plan->figures.carbon_market_kg_per_year;
}

/* Air of the fullest rack, coolant where there is any. */
static void fill_rack_cooling(const gp_room_plan *room, gp_report_cooling *ret) {
    static const char *const levels[] = {
        [GP_AIR_OPEN] = "open",
        [GP_AIR_CONTAINMENT] = "containment",
        [GP_AIR_WARNING] = "warning",
        [GP_AIR_BEYOND] = "beyond",
    };
    const gp_cooling *cooling = &room->cooling;
    bool liquid = cooling->liquid_w > 0;
    ret->air_level = cooling->air_w > 0 ? levels[cooling->level] : NULL;
    ret->rack_airflow_m3_per_s = gp_build_positive(cooling->airflow_m3_per_s);
    ret->rack_coolant_m3_per_s = gp_build_positive(cooling->coolant_m3_per_s);
    ret->air_max_c = gp_build_positive(cooling->air_max_c);
    ret->coolant_supply_c =
        liquid ? gp_build_positive(cooling->coolant_supply_c) : GP_REPORT_NO_REAL;
    ret->coolant_return_c =
        liquid ? gp_build_positive(cooling->coolant_return_c) : GP_REPORT_NO_REAL;
    ret->unit_id = room->cooling_unit != NULL ? room->cooling_unit->id : NULL;
    ret->units = room->cooling_unit != NULL ? cooling->units : GP_REPORT_NO_COUNT;
    ret->free_cooling = liquid && cooling->free_cooling;
}

/* The classes that the spec names, and where its temperatures lie in them. */
static void fill_classes(const gp_plan_result *result, gp_report_cooling *ret) {
    const gp_site_cooling *site = &result->document->spec.site.cooling;
    const gp_cooling *cooling = &result->room.cooling;
    ret->air_class = site->air.class_name;
    ret->liquid_class = cooling->liquid_w > 0 ? site->liquid.class_name : NULL;
    if (GP_GIVEN(&site->air, gp_site_air, supply_c))
        ret->air_supply_c = site->air.supply_c;
    if (ret->air_class != NULL && isfinite(ret->air_supply_c) && cooling->air_w > 0)
        ret->air_state = cooling->air_recommended ? "recommended"
                         : cooling->air_allowed   ? "allowed"
                                                  : "outside";
    if (cooling->liquid_w > 0 && result->room.water_c > 0)
        ret->water_supply_c = result->room.water_c;
}

static void fill_reliability(const gp_room_plan *room, gp_report_reliability *ret) {
    const gp_failures *middle = &room->failures[GP_RATE_MIDDLE];
    ret->interruptions_per_month = middle->interruptions_per_month;
    ret->interruptions_per_month_low = room->failures[GP_RATE_FEW].interruptions_per_month;
    ret->interruptions_per_month_high = room->failures[GP_RATE_MANY].interruptions_per_month;
    ret->mtbf_s = gp_build_positive(middle->mtbf_s);
    ret->spare_nodes = room->spare_nodes;
    ret->early_nodes = middle->early_nodes;
}

static void fill_storage(const gp_room_plan *room, gp_report_storage *ret) {
    *ret = (gp_report_storage){
        .write_bytes_per_s = gp_build_positive(room->storage.write_bytes_per_s),
        .read_bytes_per_s = gp_build_positive(room->storage.read_bytes_per_s),
        .capacity_bytes = gp_build_positive(room->storage.capacity_bytes),
        .there_write_bytes_per_s = gp_build_positive(room->storage_write_bytes_per_s),
        .there_read_bytes_per_s = gp_build_positive(room->storage_read_bytes_per_s),
        .there_capacity_bytes = gp_build_positive(room->storage_capacity_bytes),
        .product = room->storage_product != NULL ? room->storage_product->id : NULL,
        .products = room->storage_product != NULL ? room->storage_products : GP_REPORT_NO_COUNT,
    };
}

/* The kind of machine that a line of the bill counts; NULL: it counts something else. */
static bool is_machine(const gp_bill_item *line) {
    return gp_str_equal(line->role, "machine");
}

static const gp_unit *unit_of(const gp_plan_result *result, const gp_bill_item *line) {
    return is_machine(line) || gp_str_equal(line->role, "spare machine")
               ? GP_NAMED(result->units, id, line->id)
               : NULL;
}

static const gp_report_innards *host_of(gp_build *build, const gp_system *system) {
    gp_report_innards *ret = GP_NEW(build->arena, gp_report_innards);
    *ret = (gp_report_innards){
        .sockets = system->cpu_sockets > 0 ? system->cpu_sockets : GP_REPORT_NO_COUNT,
        .cores = system->cpu_cores > 0 ? system->cpu_cores : GP_REPORT_NO_COUNT,
        .memory_bytes = gp_build_positive(system->memory_bytes),
        .drive_bytes = gp_build_positive(system->nvme_bytes),
    };
    return ret;
}

static void fill_bill(gp_build *build, gp_report_site *ret) {
    const gp_room_plan *room = &build->result->room;
    GP_ROOM(build->arena, &ret->bill, room->bill.count);
    for (size_t i = 0; i < room->bill.count; i++) {
        const gp_bill_item *line = &room->bill.items[i];
        const gp_unit *unit = unit_of(build->result, line);
        const bool runs = is_machine(line) && unit != NULL;
        GP_NEXT(ret->bill) = (gp_report_bill){
            .role = line->role,
            .id = line->id,
            .product = unit != NULL ? gp_build_product(unit) : NULL,
            .count = line->count,
            .power_w = gp_build_positive(line->unit_w * (double)line->count),
            .bought = line->bought,
            .price = gp_build_positive(line->unit_price * (double)line->bought),
            .rule = line->rule,
            .gpu = runs ? gp_build_gpu_id(unit) : NULL,
            .gpus_per_node = runs ? unit->machine.gpus : GP_REPORT_NO_COUNT,
            .host = runs ? host_of(build, unit->system) : NULL,
        };
    }
}

static void fill_cooling(const gp_plan_result *result, gp_report_cooling *ret) {
    const gp_site_figures *figures = &result->site.figures;
    const gp_site_cooling *site = &result->document->spec.site.cooling;
    if (GP_GIVEN(&site->air, gp_site_air, capacity_w))
        ret->air_limit_w = site->air.capacity_w;
    if (GP_GIVEN(&site->liquid, gp_site_liquid, capacity_w))
        ret->liquid_limit_w = site->liquid.capacity_w;
    if (gp_build_powerless(result) != NULL)
        return;
    ret->heat_w = figures->heat_w;
    ret->heat_btu_per_h = figures->heat_btu_per_h;
    ret->air_heat_w = figures->air_heat_w;
    ret->liquid_heat_w = figures->liquid_heat_w;
    ret->airflow_m3_per_s = figures->airflow_m3_per_s;
    ret->liquid_flow_m3_per_s = figures->liquid_flow_m3_per_s;
    ret->water_l_per_year = figures->water_l_per_year;
    ret->water_most_l_per_year =
        gp_build_per_year(result->site.it_year_w * result->site.wue_most_l_per_j);
    fill_rack_cooling(&result->room, ret);
    fill_classes(result, ret);
}

typedef struct elevation {
    gp_report_rack *rack;
    double top_u; /* of what is free still */
} elevation;

static void place(elevation *e, double height_u, gp_report_slot slot) {
    const int64_t units = gp_num_max_i64(1, gp_num_ceil_count(height_u));
    const int64_t top = gp_num_floor_count(e->top_u);
    if (units > top)
        return;
    slot.to_u = top;
    slot.from_u = top - units + 1;
    e->top_u -= (double)units;
    GP_NEXT(e->rack->slots) = slot;
}

/* From the top: what the site keeps, a switch for management, leaves where they stand in the rack
 * of their machines, then the machines; strips stand upright behind them. */
static void fill_slots(gp_build *build, const gp_unit *unit, gp_report_rack *rack) {
    enum { SLOTS_MORE = 3 };
    const gp_plan_result *result = build->result;
    const gp_site_racks *site = &result->document->spec.site.racks;
    rack->slots.items = GP_NEW_ARRAY(build->arena, gp_report_slot,
                                     (size_t)gp_num_max_i64(0, rack->nodes_per_rack) + SLOTS_MORE);
    if (unit->system->height_u <= 0)
        return;
    const double height =
        site->height_u > 0 ? site->height_u : result->constants->site_rack_height_u;
    elevation e = {.rack = rack, .top_u = gp_num_max(height, unit->system->height_u)};
    const double node_w =
        rack->nodes_per_rack > 0 ? rack->power_w / (double)rack->nodes_per_rack : GP_REPORT_NO_REAL;
    if (site->used_u > 0)
        place(&e, site->used_u,
              (gp_report_slot){.what = "switches, patch panels, kept free",
                               .power_w = GP_REPORT_NO_REAL});
    for (int64_t i = 0; i < rack->nodes_per_rack; i++)
        place(
            &e, unit->system->height_u,
            (gp_report_slot){.what = "machine", .id = gp_build_system_id(unit), .power_w = node_w});
    if (e.top_u >= 1)
        place(&e, e.top_u, (gp_report_slot){.what = "free, blanked", .power_w = GP_REPORT_NO_REAL});
}

/* Nothing that is known says how many a rack holds. */
static bool is_unknown_height(const gp_kind_room *kind) {
    return kind->racks.bound_by == GP_RACK_HEIGHT && !(kind->unit->system->height_u > 0);
}

static void fill_rack(gp_build *build, const gp_kind_room *kind, gp_report_rack *ret) {
    static const char *const bounds[] = {
        [GP_RACK_POWER] = "power",
        [GP_RACK_COOLING] = "cooling",
        [GP_RACK_HEIGHT] = "height",
        [GP_RACK_WEIGHT] = "weight",
        [GP_RACK_PUBLISHED] = "the maker's own rack",
    };
    *ret = (gp_report_rack){
        .holds = gp_build_system_id(kind->unit),
        .count = kind->racks.racks,
        .nodes_per_rack = kind->racks.nodes_per_rack,
        .fits = is_unknown_height(kind) ? GP_REPORT_NO_COUNT : kind->racks.fits,
        .power_w = gp_build_power(kind->unit, kind->racks.rack_w),
        .bound_by = is_unknown_height(kind) ? NULL : bounds[kind->racks.bound_by],
        .circuits = kind->chain.circuits > 0 ? kind->chain.circuits : GP_REPORT_NO_COUNT,
        .weight_kg = gp_build_positive(kind->rack_kg),
    };
    fill_slots(build, kind->unit, ret);
}

/* The kind with the most racks first; last what stands apart from machines. */
static void fill_racks(gp_build *build, gp_report_site *ret) {
    const gp_room_plan *room = &build->result->room;
    const int64_t limit = build->result->document->spec.site.racks.count;
    gp_report_rack *racks = GP_NEW_ARRAY(build->arena, gp_report_rack, room->kinds.count + 1);
    ret->racks.items = racks;
    ret->delivery_kg = gp_build_positive(room->weight_kg);
    for (size_t i = 0; i < room->kinds.count; i++)
        fill_rack(build, &room->kinds.items[i], &racks[ret->racks.count++]);
    if (room->other_racks > 0)
        racks[ret->racks.count++] = (gp_report_rack){.holds = "switches and storage",
                                                     .count = room->other_racks,
                                                     .fits = GP_REPORT_NO_COUNT,
                                                     .power_w = GP_REPORT_NO_REAL,
                                                     .circuits = GP_REPORT_NO_COUNT,
                                                     .weight_kg = GP_REPORT_NO_REAL};
    for (size_t i = 0; i < ret->racks.count; i++)
        racks[i].limit = limit > 0 ? limit : GP_REPORT_NO_COUNT;
}

static void fill_switch(const gp_switch *product, gp_report_fabric *ret) {
    ret->switch_ports = GP_REPORT_NO_COUNT;
    ret->switch_port_bits_per_s = GP_REPORT_NO_REAL;
    if (product == NULL)
        return;
    ret->switch_id = product->id != NULL ? product->id : product->extends;
    ret->switch_ports = product->ports;
    ret->switch_port_bits_per_s = gp_build_positive(product->port_bits_per_s);
}

static void fill_size(const gp_fabric_size *size, gp_report_fabric *ret) {
    ret->tiers = size->tiers;
    ret->units = size->units;
    ret->unit_nodes = size->unit_nodes;
    ret->leaf = size->leaf;
    ret->spine = size->spine;
    ret->core = size->core;
    ret->cables.node_leaf = size->node_leaf_cables;
    ret->cables.leaf_spine = size->leaf_spine_cables;
    ret->cables.spine_core = size->spine_core_cables;
    ret->feasible = size->feasible || size->tiers == 0;
}

/* Of one kind of machine; where no fabric is declared, the planner takes a non-blocking InfiniBand
 * one. `kind` NULL: one that is declared and that nothing needs. */
static void fill_fabric(gp_build *build, const gp_fabric *fabric, const gp_kind_room *kind,
                        bool first, gp_report_fabric *ret) {
    const char *name = fabric != NULL ? fabric->name : "compute";
    const int place = (int)build->report->site.fabrics.count;
    const gp_fabric_size none = {0};
    *ret = (gp_report_fabric){
        .name = first ? name : gp_build_text(build, "%s-%d", name, place),
        .system = kind != NULL ? gp_build_system_id(kind->unit) : NULL,
        .kind = gp_fabric_kind_words[fabric != NULL ? fabric->kind : (int)GP_FABRIC_INFINIBAND],
        .rate_bits_per_s = gp_build_positive(kind != NULL     ? kind->port_bits_per_s
                                             : fabric != NULL ? fabric->rate_bits_per_s
                                                              : 0),
        .oversubscription =
            fabric != NULL && fabric->oversubscription > 0 ? fabric->oversubscription : 1,
        .hosts = kind != NULL ? kind->fabric_nodes * kind->hosts : 0,
        .transceivers = kind != NULL ? kind->parts.transceivers : 0,
        .room_unit_nodes = kind != NULL ? kind->room.unit_nodes : 0,
        .room_spine_nodes = kind != NULL ? kind->room.spine_nodes : 0,
        .room_tier_nodes = kind != NULL ? kind->room.tier_nodes : 0,
    };
    fill_size(kind != NULL ? &kind->fabric : &none, ret);
    fill_switch(kind != NULL ? kind->switch_product : NULL, ret);
}

/* Storage and in-band: a fat tree over every port alike. */
static void fill_other(const gp_plan_result *result, const gp_other_network *network,
                       gp_report_fabric *ret) {
    const gp_cluster *cluster = &result->document->spec.cluster;
    *ret = (gp_report_fabric){
        .name = network->name,
        .kind = gp_fabric_kind_words[network->kind],
        .rate_bits_per_s = network->rate_bits_per_s,
        .oversubscription = 1,
        .hosts = network->ports,
        .transceivers = network->parts.transceivers,
        .room_unit_nodes = GP_REPORT_NO_COUNT,
        .room_spine_nodes = GP_REPORT_NO_COUNT,
        .room_tier_nodes = GP_REPORT_NO_COUNT,
    };
    fill_size(&network->size, ret);
    fill_switch(network->switch_product, ret);
    for (size_t i = 0; i < cluster->fabrics.count; i++)
        if (gp_str_equal(cluster->fabrics.items[i].name, network->name) &&
            cluster->fabrics.items[i].oversubscription > 0)
            ret->oversubscription = cluster->fabrics.items[i].oversubscription;
}

/* The kind whose fabric has the most switches; NULL where none needs one. */
static const gp_kind_room *main_kind(const gp_room_plan *room) {
    const gp_kind_room *most = NULL;
    for (size_t i = 0; i < room->kinds.count; i++) {
        const gp_kind_room *kind = &room->kinds.items[i];
        if (kind->fabric.tiers > 0 && (most == NULL || kind->parts.switches > most->parts.switches))
            most = kind;
    }
    return most;
}

/* The largest compute fabric first, also where none was declared but one is needed, then those of
 * the other kinds of machines, then the others. */
static void fill_fabrics(gp_build *build, gp_report_site *ret) {
    const gp_fabric *fabric = gp_build_compute_fabric(build->result, NULL);
    const gp_room_plan *room = &build->result->room;
    const gp_kind_room *most = main_kind(room);
    gp_report_fabric *out =
        GP_NEW_ARRAY(build->arena, gp_report_fabric, room->kinds.count + 1 + GP_OTHER_NETWORKS_MAX);
    ret->fabrics.items = out;
    if (fabric != NULL || most != NULL)
        fill_fabric(build, fabric, most, true, &out[ret->fabrics.count++]);
    for (size_t i = 0; i < room->kinds.count; i++) {
        const gp_kind_room *kind = &room->kinds.items[i];
        if (kind != most && kind->fabric.tiers > 0)
            fill_fabric(build, fabric, kind, false, &out[ret->fabrics.count++]);
    }
    for (int i = 0; i < room->network_count; i++)
        fill_other(build->result, &room->networks[i], &out[ret->fabrics.count++]);
}

static void fill_limits(gp_build *build, gp_report_site *ret) {
    const gp_site_plan *plan = &build->result->site;
    size_t count = (size_t)plan->limit_count;
    GP_ROOM(build->arena, &ret->limits, count);
    for (size_t i = 0; i < count; i++)
        GP_NEXT(ret->limits) = (gp_report_limit){
            .bound = gp_bound_name(plan->limits[i].bound),
            .used = gp_build_limit_known(build, &plan->limits[i]) ? plan->limits[i].used
                                                                  : GP_REPORT_NO_REAL,
            .limit = gp_build_positive(plan->limits[i].limit),
            .unit = gp_dim_base_unit(plan->limits[i].dim),
            .dim = plan->limits[i].dim,
        };
}

static const char *date_or_null(gp_build *build, int64_t date) {
    return date > 0 ? gp_build_date(build, date) : NULL;
}

/* What a year costs over the horizon is known where that of today is. */
static bool is_known(const gp_build *build, gp_resource resource) {
    return resource != GP_RESOURCE_RECURRING || build->report->cost.complete;
}

/* Whose machines, at which of several sites. */
static const char *limit_of_what(gp_build *build, const gp_growth_limit *limit) {
    const char *system = limit->unit != NULL ? gp_build_system_id(limit->unit) : NULL;
    if (limit->site == GP_NO_SITE)
        return system;
    const char *site = build->result->sites.items[limit->site].name;
    return system != NULL ? gp_build_text(build, "%s at %s", system, site) : site;
}

static void fill_horizon(gp_build *build, gp_report_site *ret) {
    const gp_plan_result *result = build->result;
    const gp_growth_shell *shell = &result->shell;
    const size_t count = (size_t)result->growth_limit_count;
    if (result->growth_count == 0)
        return;
    const gp_site_plan *last = &result->growth[result->growth_count - 1].site;
    gp_report_horizon *horizon = GP_NEW(build->arena, gp_report_horizon);
    *horizon = (gp_report_horizon){.nodes = last->stand_nodes,
                                   .gpus = shell->gpus,
                                   .racks = last->rack_count,
                                   .leaf = shell->leaf,
                                   .spine = shell->spine,
                                   .core = shell->core,
                                   .early_spine = shell->early_spine,
                                   .keeps_kinds = shell->keeps_kinds,
                                   .it_w = last->it_peak_w,
                                   .facility_w = last->figures.facility_peak_w,
                                   .air_w = last->air_w,
                                   .liquid_w = last->liquid_w};
    GP_ROOM(build->arena, &horizon->limits, count);
    for (size_t i = 0; i < count; i++) {
        const gp_growth_limit *limit = &result->growth_limits[i];
        const bool known = is_known(build, limit->resource);
        GP_NEXT(horizon->limits) = (gp_report_horizon_limit){
            .resource = gp_resource_name(limit->resource),
            .of = limit_of_what(build, limit),
            .today = known || limit->today > limit->limit ? limit->today : GP_REPORT_NO_REAL,
            .at_horizon =
                known || limit->at_horizon > limit->limit ? limit->at_horizon : GP_REPORT_NO_REAL,
            .limit = limit->limit,
            .unit = gp_dim_base_unit(limit->dim),
            .passed_on = date_or_null(build, limit->passed),
            .passed_on_high = date_or_null(build, limit->passed_high),
            .rented_from = date_or_null(build, limit->rented_from),
            .dim = limit->dim,
        };
    }
    ret->horizon = horizon;
}

static void fill_site(gp_build *build, gp_report_site *ret) {
    const gp_maintenance *window = &build->result->document->spec.cluster.maintenance;
    ret->maintenance_every_s = gp_build_positive(window->every_s);
    ret->maintenance_s = gp_build_positive(window->duration_s);
    const gp_plan_spec *spec = &build->result->document->spec;
    ret->declared = GP_GIVEN(spec, gp_plan_spec, site);
    fill_power(build->result, &ret->power);
    fill_cooling(build->result, &ret->cooling);
    fill_reliability(&build->result->room, &ret->reliability);
    fill_storage(&build->result->room, &ret->storage);
    fill_racks(build, ret);
    fill_bill(build, ret);
    fill_fabrics(build, ret);
    fill_limits(build, ret);
}

void gp_build_at(const gp_plan_result *result, size_t site, gp_plan_result *ret) {
    const gp_site_part *part = &result->sites.items[site];
    *ret = *result;
    ret->document = &part->document;
    ret->site = part->site;
    ret->room = part->room;
    ret->sites.count = 0;
}

/* A price that is missing anywhere leaves the sites without sums, as it does the plan. */
static void fill_place(gp_build *build, size_t index, gp_report_place *ret) {
    const gp_site_part *part = &build->result->sites.items[index];
    gp_plan_result *at = GP_NEW(build->arena, gp_plan_result);
    gp_build one = *build;
    gp_build_at(build->result, index, at);
    one.result = at;
    ret->name = part->name;
    ret->gpus = part->site.gpus;
    ret->nodes = part->site.nodes;
    ret->stand_nodes = part->site.stand_nodes;
    ret->bought_nodes = part->site.bought_nodes;
    ret->racks = part->site.rack_count;
    if (part->site.priced)
        ret->capital = part->site.cost.capital;
    if (build->report->cost.complete)
        ret->cost_per_year = gp_build_per_year(part->site.cost.total_per_s);
    fill_site(&one, &ret->site);
    ret->site.declared = true;
}

/* IT capacity of all of them, where all state one. */
static double capacity_of(const gp_plan_result *result) {
    double sum = 0;
    for (size_t i = 0; i < result->sites.count; i++) {
        const gp_site_power *power = &result->sites.items[i].document.spec.site.power;
        if (!GP_GIVEN(power, gp_site_power, it_capacity_w))
            return GP_REPORT_NO_REAL;
        sum += power->it_capacity_w;
    }
    return sum;
}

void gp_build_site(gp_build *build) {
    const gp_plan_result *result = build->result;
    gp_report *report = build->report;
    const size_t count = result->sites.count;
    fill_site(build, &report->site);
    fill_horizon(build, &report->site);
    if (count == 0)
        return;
    report->site.declared = true;
    report->site.power.limit_w = capacity_of(result);
    report->sites.items = GP_NEW_ARRAY(build->arena, gp_report_place, count);
    for (; report->sites.count < count; report->sites.count++) {
        gp_report_place *place = &report->sites.items[report->sites.count];
        gp_report_clear(&gp_report_place_type, place);
        fill_place(build, report->sites.count, place);
    }
}

/* yyyymmdd to "yyyy-Qn" */
static const char *quarter_name(gp_build *build, int64_t date) {
    const int64_t month = date / 100 % 100;
    const int64_t year = date / 10000;
    const int64_t quarter = (month > 0 ? month - 1 : 0) / 3 + 1;
    return gp_build_text(build, "%lld-Q%lld", (long long)year, (long long)quarter);
}

static bool rents(const gp_build *build, const gp_growth_row *row, const gp_unit *unit) {
    const gp_plan_result *result = build->result;
    const size_t count = result->workloads.count + result->document->spec.growth.adds.count;
    bool rented = unit == row->rent_unit;
    for (size_t i = 0; i < count && unit->cloud != NULL && row->site.rented_nodes > 0; i++)
        rented =
            rented || (row->chosen[i] != NULL && gp_candidate_on(row->chosen[i], unit) != NULL);
    return rented;
}

/* "cloud:aws/p5, cloud:gcp/a3": the kinds of machines that are rented; NULL: none. */
static const char *rented_from(gp_build *build, const gp_growth_row *row) {
    const gp_plan_result *result = build->result;
    const char *text = NULL;
    for (size_t u = 0; u < result->units.count; u++) {
        const gp_unit *unit = &result->units.items[u];
        if (rents(build, row, unit))
            text = text == NULL ? unit->id : gp_build_text(build, "%s, %s", text, unit->id);
    }
    return text;
}

/* A type is one row, at however many sites and in however many pools it is bought. */
static gp_report_purchase *purchase_of(gp_report_growth *to, const char *system) {
    for (size_t i = 0; i < to->buy.count; i++)
        if (gp_str_equal(to->buy.items[i].system, system))
            return &to->buy.items[i];
    GP_NEXT(to->buy) = (gp_report_purchase){system, 0};
    return &to->buy.items[to->buy.count - 1];
}

static void build_purchases(gp_build *build, const gp_growth_row *row, gp_report_growth *ret) {
    const gp_plan_result *result = build->result;
    GP_ROOM(build->arena, &ret->buy, result->units.count);
    for (size_t u = 0; u < result->units.count; u++)
        if (row->bought[u] > 0)
            purchase_of(ret, result->units.items[u].id)->nodes += row->bought[u];
}

/* A part of it is on a kind of machine that it is not on at first. */
static bool is_moved(const gp_candidate *first, const gp_candidate *later) {
    bool moved = false;
    for (int k = 0; first != NULL && later != NULL && k < gp_num_max_i64(later->share_count, 1);
         k++) {
        const gp_candidate *part = later->share_count > 0 ? &later->shares[k] : later;
        moved = moved || gp_candidate_on(first, part->unit) == NULL;
    }
    return moved;
}

static void build_moves(gp_build *build, const gp_growth_row *row, gp_report_growth *ret) {
    const gp_plan_result *result = build->result;
    GP_ROOM(build->arena, &ret->moved, result->workloads.count);
    for (size_t i = 0; i < result->workloads.count; i++)
        if (is_moved(result->growth[0].chosen[i], row->chosen[i]))
            GP_NEXT(ret->moved) = result->workloads.items[i].workload->name;
}

void gp_build_growth(gp_build *build) {
    const gp_plan_result *result = build->result;
    size_t count = (size_t)result->growth_count;
    GP_ROOM(build->arena, &build->report->growth, count);
    for (size_t i = 0; i < count; i++) {
        const gp_growth_row *row = &result->growth[i];
        const gp_site_plan *site = &row->site;
        const double rent_per_s = row->rent_per_s + site->cost.rent_per_s;
        gp_report_growth *quarter = &GP_NEXT(build->report->growth);
        *quarter = (gp_report_growth){
            .quarter = quarter_name(build, row->quarter),
            .gpus = site->gpus,
            .nodes = row->nodes,
            .nodes_low = row->nodes_low >= 0 ? row->nodes_low : GP_REPORT_NO_COUNT,
            .nodes_high = row->nodes_high >= 0 ? row->nodes_high : GP_REPORT_NO_COUNT,
            .buy_nodes = site->bought_nodes,
            .needed_by = date_or_null(build, row->needed_by),
            .order_by = date_or_null(build, row->order_by),
            .order_fabric_by = date_or_null(build, row->order_fabric_by),
            .order_power_by = date_or_null(build, row->order_power_by),
            .facility_w = site->figures.facility_peak_w,
            .limit_hit = row->limit_hit == GP_BOUND_NONE ? NULL : gp_bound_name(row->limit_hit),
            .stand_nodes = site->stand_nodes,
            .racks = site->rack_count,
            .switches = row->switches,
            .it_w = site->it_peak_w,
            .capital = gp_build_positive(row->capital),
            .rent_nodes = row->rent_nodes + site->rented_nodes,
            .rent_from = rented_from(build, row),
            .rent_per_year = rent_per_s > 0 ? gp_build_per_year(rent_per_s) : GP_REPORT_NO_REAL,
        };
        build_purchases(build, row, quarter);
        build_moves(build, row, quarter);
    }
}
