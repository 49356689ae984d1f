/* Power, cooling, racks, networks, shared limits, cost and growth of the whole plan. */
#include "report/build.h"

#include "base/num.h"
#include "base/str.h"
#include "report/describe.h"

static bool any_training(const gp_plan_result *result) {
    for (size_t i = 0; i < result->workloads.count; i++)
        if (result->workloads.items[i].chosen.feasible && !result->workloads.items[i].is_serving)
            return true;
    return false;
}

static void fill_cap(const gp_plan_result *result, gp_report_power *ret) {
    const double cap = result->document->spec.site.power.cap_fraction;
    if (any_training(result))
        ret->transient_w = gp_power_transient_w(result->site.it_mean_w, result->constants);
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

static void fill_power(const gp_plan_result *result, gp_report_power *ret) {
    const gp_site_plan *plan = &result->site;
    const gp_site *site = &result->document->spec.site;
    ret->it_w = plan->it_nameplate_w;
    ret->it_mean_w = plan->it_mean_w;
    ret->network_w = plan->network_w;
    ret->storage_w = plan->storage_w;
    ret->facility_w = plan->figures.facility_peak_w;
    ret->facility_mean_w = plan->figures.facility_mean_w;
    ret->limit_w = gp_build_positive(site->power.it_capacity_w);
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
    ret->pue_from_parts = gp_build_positive(result->room.pue_from_parts);
    ret->energy_j_per_year = plan->figures.energy_j_per_year;
    ret->renewable_fraction = site->energy.renewable_fraction;
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
    };
}

static gp_status fill_bill(gp_build *build, gp_report_site *ret) {
    const gp_room_plan *room = &build->result->room;
    gp_report_bill *items = GP_NEW_ARRAY(build->arena, gp_report_bill, room->bill.count + 1);
    if (items == NULL)
        return GP_ERR_NO_MEMORY;
    for (size_t i = 0; i < room->bill.count; i++) {
        const gp_bill_item *line = &room->bill.items[i];
        items[i] = (gp_report_bill){
            .role = line->role,
            .id = line->id,
            .count = line->count,
            .spare = line->spare,
            .power_w = gp_build_positive(line->unit_w * (double)line->count),
            .bought = line->bought,
            .price = gp_build_positive(line->unit_price * (double)line->bought),
            .rule = line->rule,
        };
    }
    ret->bill.items = items;
    ret->bill.count = room->bill.count;
    return GP_OK;
}

static void fill_cooling(const gp_plan_result *result, gp_report_cooling *ret) {
    const gp_site_figures *figures = &result->site.figures;
    const gp_site_cooling *site = &result->document->spec.site.cooling;
    ret->heat_w = figures->heat_w;
    ret->heat_btu_per_h = figures->heat_btu_per_h;
    ret->air_heat_w = figures->air_heat_w;
    ret->liquid_heat_w = figures->liquid_heat_w;
    if (GP_GIVEN(&site->air, gp_site_air, capacity_w))
        ret->air_limit_w = site->air.capacity_w;
    if (GP_GIVEN(&site->liquid, gp_site_liquid, capacity_w))
        ret->liquid_limit_w = site->liquid.capacity_w;
    ret->airflow_m3_per_s = figures->airflow_m3_per_s;
    ret->liquid_flow_m3_per_s = figures->liquid_flow_m3_per_s;
    ret->water_l_per_year = gp_build_positive(figures->water_l_per_year);
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
    e->rack->slots.items[e->rack->slots.count++] = slot;
}

/* From the top: what the site keeps, a switch for management, leaves where they stand in the rack
 * of their machines, then the machines; strips stand upright behind them. */
static gp_status fill_slots(gp_build *build, gp_report_rack *rack) {
    enum { SLOTS_MORE = 3 };
    const gp_plan_result *result = build->result;
    const gp_site_racks *site = &result->document->spec.site.racks;
    const gp_unit *unit = result->site.rack_unit;
    rack->slots.items = GP_NEW_ARRAY(build->arena, gp_report_slot,
                                     (size_t)gp_num_max_i64(0, rack->nodes_per_rack) + SLOTS_MORE);
    if (rack->slots.items == NULL)
        return GP_ERR_NO_MEMORY;
    if (unit == NULL || unit->system->height_u <= 0)
        return GP_OK;
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
    return GP_OK;
}

static gp_status fill_racks(gp_build *build, gp_report_site *ret) {
    static const char *const bounds[] = {
        [GP_RACK_POWER] = "power",
        [GP_RACK_COOLING] = "cooling",
        [GP_RACK_HEIGHT] = "height",
        [GP_RACK_WEIGHT] = "weight",
    };
    const gp_site_plan *plan = &build->result->site;
    int64_t limit = build->result->document->spec.site.racks.count;
    gp_report_rack *rack = GP_NEW(build->arena, gp_report_rack);
    if (rack == NULL)
        return GP_ERR_NO_MEMORY;
    *rack = (gp_report_rack){
        .count = plan->rack_count,
        .nodes_per_rack = plan->racks.nodes_per_rack,
        .power_w = plan->racks.rack_w,
        .bound_by = bounds[plan->racks.bound_by],
        .limit = limit > 0 ? limit : GP_REPORT_NO_COUNT,
        .weight_kg = gp_build_positive(build->result->room.rack_kg),
    };
    gp_status st = fill_slots(build, rack);
    if (st != GP_OK)
        return st;
    ret->delivery_kg = gp_build_positive(build->result->room.weight_kg);
    ret->racks.items = rack;
    ret->racks.count = plan->rack_count > 0 ? 1 : 0;
    return GP_OK;
}

/* The machines of one kind that the fabric is sized for: those of the largest workload that spans
 * machines of its own. */
static const gp_unit *fabric_unit(const gp_plan_result *result) {
    const gp_candidate *largest = NULL;
    for (size_t i = 0; i < result->workloads.count; i++) {
        const gp_candidate *chosen = &result->workloads.items[i].chosen;
        if (!chosen->feasible || chosen->unit->cloud != NULL || chosen->unit->system == NULL)
            continue;
        if (largest == NULL || chosen->nodes > largest->nodes)
            largest = chosen;
    }
    return largest != NULL ? largest->unit : NULL;
}

/* Rate of one host port: what its machine has, and no more than the fabric declares. */
static double host_port_rate(const gp_plan_result *result, const gp_fabric *fabric) {
    const gp_unit *unit = fabric_unit(result);
    double declared = fabric != NULL ? fabric->rate_bits_per_s : 0;
    double ports = 0;
    double bits = 0;
    for (size_t i = 0; unit != NULL && i < unit->system->nics.count; i++) {
        const gp_nic *nic = &unit->system->nics.items[i];
        ports += (double)nic->count;
        bits += nic->rate_bits_per_s * (double)nic->count;
    }
    double rate = ports > 0 ? bits / ports : 0;
    return gp_build_positive(declared > 0 && !(rate > 0 && rate < declared) ? declared : rate);
}

static void fill_switch(const gp_plan_result *result, gp_report_fabric *ret) {
    const gp_switch *product = result->site.switch_product;
    ret->switch_ports = GP_REPORT_NO_COUNT;
    ret->switch_port_bits_per_s = GP_REPORT_NO_REAL;
    if (product == NULL)
        return;
    ret->switch_id = product->id != NULL ? product->id : product->extends;
    ret->switch_ports = product->ports;
    ret->switch_port_bits_per_s = gp_build_positive(product->port_bits_per_s);
}

static const char *const kind_names[] = {
    [GP_FABRIC_INFINIBAND] = "infiniband",
    [GP_FABRIC_ETHERNET] = "ethernet",
};

/* Where none is declared, the planner takes a non-blocking InfiniBand fabric. */
static void fill_fabric(const gp_plan_result *result, const gp_fabric *fabric,
                        gp_report_fabric *ret) {
    const gp_fabric_size *size = &result->site.fabric;
    *ret = (gp_report_fabric){
        .name = fabric != NULL ? fabric->name : "compute",
        .kind = kind_names[fabric != NULL ? fabric->kind : (int)GP_FABRIC_INFINIBAND],
        .rate_bits_per_s = host_port_rate(result, fabric),
        .oversubscription =
            fabric != NULL && fabric->oversubscription > 0 ? fabric->oversubscription : 1,
        .tiers = size->tiers,
        .units = size->units,
        .unit_nodes = size->unit_nodes,
        .leaf = size->leaf,
        .spine = size->spine,
        .core = size->core,
        .cables = {size->node_leaf_cables, size->leaf_spine_cables, size->spine_core_cables},
        .feasible = size->feasible || size->tiers == 0,
        .transceivers = result->room.fabric_parts.transceivers,
        .room_unit_nodes = result->room.fabric_room.unit_nodes,
        .room_spine_nodes = result->room.fabric_room.spine_nodes,
        .room_tier_nodes = result->room.fabric_room.tier_nodes,
    };
    fill_switch(result, ret);
}

/* Storage and in-band: a fat tree over every port alike. */
static void fill_other(const gp_plan_result *result, const gp_other_network *network,
                       gp_report_fabric *ret) {
    const gp_fabric_size *size = &network->size;
    const gp_switch *product = network->switch_product;
    const gp_cluster *cluster = &result->document->spec.cluster;
    *ret = (gp_report_fabric){
        .name = network->name,
        .kind = kind_names[network->kind],
        .switch_id = product->id != NULL ? product->id : product->extends,
        .switch_ports = product->ports,
        .switch_port_bits_per_s = gp_build_positive(product->port_bits_per_s),
        .rate_bits_per_s = network->rate_bits_per_s,
        .oversubscription = 1,
        .tiers = size->tiers,
        .units = size->units,
        .unit_nodes = size->unit_nodes,
        .leaf = size->leaf,
        .spine = size->spine,
        .core = size->core,
        .cables = {size->node_leaf_cables, size->leaf_spine_cables, size->spine_core_cables},
        .feasible = size->feasible || size->tiers == 0,
        .transceivers = network->parts.transceivers,
        .room_unit_nodes = GP_REPORT_NO_COUNT,
        .room_spine_nodes = GP_REPORT_NO_COUNT,
        .room_tier_nodes = GP_REPORT_NO_COUNT,
    };
    for (size_t i = 0; i < cluster->fabrics.count; i++)
        if (gp_str_equal(cluster->fabrics.items[i].name, network->name) &&
            cluster->fabrics.items[i].oversubscription > 0)
            ret->oversubscription = cluster->fabrics.items[i].oversubscription;
}

/* The compute fabric first, also where none was declared but one is needed; then the others. */
static gp_status fill_fabrics(gp_build *build, gp_report_site *ret) {
    const gp_fabric *fabric = gp_build_compute_fabric(build->result);
    const gp_room_plan *room = &build->result->room;
    gp_report_fabric *out = GP_NEW_ARRAY(build->arena, gp_report_fabric, 1 + GP_OTHER_NETWORKS_MAX);
    if (out == NULL)
        return GP_ERR_NO_MEMORY;
    ret->fabrics.items = out;
    if (fabric != NULL || build->result->site.fabric.tiers > 0)
        fill_fabric(build->result, fabric, &out[ret->fabrics.count++]);
    for (int i = 0; i < room->network_count; i++)
        fill_other(build->result, &room->networks[i], &out[ret->fabrics.count++]);
    return GP_OK;
}

static gp_status fill_limits(gp_build *build, gp_report_site *ret) {
    const gp_site_plan *plan = &build->result->site;
    size_t count = (size_t)plan->limit_count;
    gp_report_limit *items = GP_NEW_ARRAY(build->arena, gp_report_limit, count + 1);
    if (items == NULL)
        return GP_ERR_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        items[i] = (gp_report_limit){
            .bound = gp_bound_name(plan->limits[i].bound),
            .used = plan->limits[i].used,
            .limit = gp_build_positive(plan->limits[i].limit),
            .unit = gp_dim_base_unit(plan->limits[i].dim),
            .dim = plan->limits[i].dim,
        };
    ret->limits.items = items;
    ret->limits.count = count;
    return GP_OK;
}

gp_status gp_build_site(gp_build *build) {
    const gp_plan_spec *spec = &build->result->document->spec;
    gp_report_site *ret = &build->report->site;
    ret->declared = GP_GIVEN(spec, gp_plan_spec, site);
    fill_power(build->result, &ret->power);
    fill_cooling(build->result, &ret->cooling);
    fill_reliability(&build->result->room, &ret->reliability);
    fill_storage(&build->result->room, &ret->storage);
    gp_status st = fill_racks(build, ret);
    if (st == GP_OK)
        st = fill_bill(build, ret);
    if (st == GP_OK)
        st = fill_fabrics(build, ret);
    return st == GP_OK ? fill_limits(build, ret) : st;
}

/* yyyymmdd to "yyyy-Qn" */
static const char *quarter_name(gp_build *build, int64_t date) {
    const int64_t month = date / 100 % 100;
    const int64_t year = date / 10000;
    const int64_t quarter = (month > 0 ? month - 1 : 0) / 3 + 1;
    return gp_build_text(build, "%lld-Q%lld", (long long)year, (long long)quarter);
}

/* yyyymmdd to "yyyy-mm-dd" */
const char *gp_build_date(gp_build *build, int64_t date) {
    return gp_build_text(build, "%04lld-%02lld-%02lld", (long long)(date / 10000),
                         (long long)(date / 100 % 100), (long long)(date % 100));
}

gp_status gp_build_growth(gp_build *build) {
    const gp_plan_result *result = build->result;
    size_t count = (size_t)result->growth_count;
    gp_report_growth *items = GP_NEW_ARRAY(build->arena, gp_report_growth, count + 1);
    if (items == NULL)
        return GP_ERR_NO_MEMORY;
    for (size_t i = 0; i < count; i++) {
        const gp_growth_row *row = &result->growth[i];
        items[i] = (gp_report_growth){
            .quarter = quarter_name(build, row->quarter),
            .gpus = row->gpus,
            .nodes = row->nodes,
            .nodes_low = row->nodes_low >= 0 ? row->nodes_low : GP_REPORT_NO_COUNT,
            .nodes_high = row->nodes_high >= 0 ? row->nodes_high : GP_REPORT_NO_COUNT,
            .buy_nodes = row->buy_nodes,
            .order_by = row->order_by > 0 ? gp_build_date(build, row->order_by) : NULL,
            .order_fabric_by =
                row->order_fabric_by > 0 ? gp_build_date(build, row->order_fabric_by) : NULL,
            .order_power_by =
                row->order_power_by > 0 ? gp_build_date(build, row->order_power_by) : NULL,
            .facility_w = row->facility_peak_w,
            .limit_hit = row->limit_hit == GP_BOUND_NONE ? NULL : gp_bound_name(row->limit_hit),
        };
    }
    build->report->growth.items = items;
    build->report->growth.count = count;
    return GP_OK;
}
