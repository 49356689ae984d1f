/*
 * The room that the chosen machines stand in: a bill of quantities (each line with the rule that
 * counted it), how the fullest rack is fed and cooled, what fails, and how far the fabric grows.
 * Power is that of gp_site_of: the lines of the bill add up to it.
 */
#include "plan/context.h"

#include "base/num.h"
#include "base/str.h"

enum { LINES_PER_UNIT = 9, LINES_MORE = 16, MANAGEMENT_UPLINKS = 2 };

/* All rows of a kind. */
typedef struct row_list {
    const void *const *items;
    size_t count;
} row_list;

static void add(gp_room_plan *room, const gp_bill_item *item) {
    if (item->count > 0)
        room->bill.items[room->bill.count++] = *item;
}

static double nameplate_of(const gp_plan_context *plan, const gp_unit *unit) {
    gp_node_power power;
    gp_node_power_of(&unit->machine, GP_LOAD_IDLE, 0, plan->constants, NULL, &power);
    return power.nameplate_w;
}

/* Machines under repair, by the middle rate of failures; trays of rack-scale systems. */
static int64_t spare_machines(const gp_plan_context *plan, size_t u, int64_t nodes) {
    const gp_unit *unit = &plan->units[u];
    const int64_t hosts = gp_num_max_i64(plan->fabrics[u].hosts, 1);
    gp_failures failures;
    const gp_failures_input input = {.gpus = nodes * unit->machine.gpus,
                                     .gpus_per_node = unit->machine.gpus / hosts};
    gp_failures_of(&input, plan->constants, &failures);
    return (failures.spare_nodes + hosts - 1) / hosts;
}

/* Links of the machines' rate that one module of a switch carries: what a port is split into, times
 * the ports of the module that the catalogue has for it (twin modules serve two). */
static int64_t links_per_module(const gp_plan_context *plan, size_t u, const row_list *switches) {
    static const char transceivers[] = "transceiver/";
    const gp_switch *product = plan->switches[u];
    const double rate = plan->fabrics[u].port_bits_per_s;
    int64_t twin = 1;
    if (product == NULL || !(rate > 0))
        return 1;
    for (size_t i = 0; i < switches->count; i++) {
        const gp_switch *row = switches->items[i];
        if (gp_str_starts(row->id, transceivers) && gp_str_equal(row->fabric, product->fabric) &&
            gp_num_near(row->port_bits_per_s, product->port_bits_per_s))
            twin = gp_num_max_i64(twin, row->ports);
    }
    return twin * gp_num_max_i64(1, gp_num_floor_count(product->port_bits_per_s / rate));
}

static void add_parts(gp_fabric_parts *sum, const gp_fabric_parts *part) {
    sum->switches += part->switches;
    sum->cables += part->cables;
    sum->nics += part->nics;
    sum->transceivers += part->transceivers;
}

/* The layers of switches; `added` are those to buy. */
static void add_switches(const gp_plan_context *plan, size_t u, const gp_fabric_size *size,
                         const gp_fabric_size *added) {
    const gp_switch *product = plan->switches[u];
    const struct {
        const char *role, *rule;
        int64_t count, bought;
    } layers[] = {
        {"leaf switch", "rails x planes in every scalable unit", size->leaf, added->leaf},
        {"spine switch", "the same number of links from every leaf to every spine", size->spine,
         added->spine},
        {"core switch", "half of the spines' ports", size->core, added->core},
    };
    gp_bill_item line = {.unit_price = gp_plan_switch_price(plan, u)};
    if (product != NULL) {
        line.id = product->id != NULL ? product->id : product->extends;
        line.unit_w = product->max_power_w;
    }
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++) {
        line.role = layers[i].role;
        line.rule = layers[i].rule;
        line.count = layers[i].count;
        line.bought = layers[i].bought;
        add(&plan->result->room, &line);
    }
}

/* Cables are laid for what is added; those of the machines there stay. */
static void add_cables(const gp_plan_context *plan, const gp_fabric_size *size,
                       const gp_fabric_size *there, const gp_fabric_parts *parts,
                       const gp_fabric_parts *parts_there) {
    gp_room_plan *room = &plan->result->room;
    const double cable = gp_plan_item_price(plan, "part", "cable");
    const gp_bill_item lines[] = {
        {.role = "cable, machine to leaf",
         .rule = "a port of every machine",
         .count = size->node_leaf_cables,
         .bought = gp_num_max_i64(0, size->node_leaf_cables - there->node_leaf_cables),
         .unit_price = cable},
        {.role = "cable, leaf to spine",
         .rule = "laid for whole scalable units",
         .count = size->leaf_spine_cables,
         .bought = gp_num_max_i64(0, size->leaf_spine_cables - there->leaf_spine_cables),
         .unit_price = cable},
        {.role = "cable, spine to core",
         .rule = "as many as leaf to spine",
         .count = size->spine_core_cables,
         .bought = gp_num_max_i64(0, size->spine_core_cables - there->spine_core_cables),
         .unit_price = cable},
        {.role = "transceiver",
         .rule = "one at a machine's end; at switches one for the links of a port",
         .count = parts->transceivers,
         .bought = gp_num_max_i64(0, parts->transceivers - parts_there->transceivers),
         .unit_price = gp_plan_item_price(plan, "part", "transceiver")},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        add(room, &lines[i]);
}

static void add_fabric(gp_plan_context *plan, size_t u, int64_t nodes, int64_t owned,
                       const row_list *switches, int64_t *devices) {
    gp_room_plan *room = &plan->result->room;
    gp_fabric_size size;
    gp_fabric_size added = {0};
    gp_fabric_parts parts;
    gp_plan_fabric(plan, u, nodes, &size);
    if (nodes > owned)
        gp_plan_new_switches(plan, u, nodes, owned, &added);
    gp_fabric_size there;
    gp_fabric_parts parts_there;
    gp_plan_fabric(plan, u, owned, &there);
    gp_fabric_parts_of(&size, links_per_module(plan, u, switches), &parts);
    gp_fabric_parts_of(&there, links_per_module(plan, u, switches), &parts_there);
    add_parts(&room->fabric_parts, &parts);
    *devices += parts.switches;
    add_switches(plan, u, &size, &added);
    add_cables(plan, &size, &there, &parts, &parts_there);
}

static void keep_room_of_fabric(gp_plan_context *plan, size_t u, int64_t nodes) {
    int64_t ports = 1;
    const gp_fabric_input input = gp_plan_fabric_input(plan, u, nodes, &ports);
    gp_fabric_room *most = &plan->result->room.fabric_room;
    gp_fabric_room fabric;
    if (nodes <= 1 || plan->fabrics[u].rails <= 0 || gp_fabric_room_of(&input, &fabric) != GP_OK ||
        fabric.unit_nodes / ports <= most->unit_nodes)
        return;
    *most = (gp_fabric_room){.unit_nodes = fabric.unit_nodes / ports,
                             .spine_nodes = fabric.spine_nodes / ports,
                             .tier_nodes = fabric.tier_nodes / ports,
                             .most_nodes = fabric.most_nodes / ports};
}

/* Sums over the kinds of machines that stand in the room. */
typedef struct room_total {
    int64_t gpus, gpus_per_node, racks, bought_racks, devices;
    double rack_w, rack_liquid; /* of the fullest rack */
    double liquid_w, heat_w;    /* of machines */
} room_total;

/* What is delivered, and the machines of the fullest rack; what has no weight is left out. */
static void weigh(gp_plan_context *plan, size_t u, int64_t bought, const gp_rack_size *racks,
                  room_total *total) {
    gp_room_plan *room = &plan->result->room;
    const double each = plan->units[u].system->weight_kg;
    const double rack = each * (double)racks->nodes_per_rack;
    room->weight_kg += each * (double)bought;
    if (racks->rack_w > total->rack_w)
        room->rack_kg = rack;
}

static void add_unit(gp_plan_context *plan, size_t u, const row_list *switches, room_total *total) {
    const gp_unit *unit = &plan->units[u];
    const int64_t nodes = gp_load_nodes(unit, &plan->loads[u]);
    if (nodes == 0 || unit->cloud != NULL)
        return;
    gp_rack_size racks;
    gp_plan_racks(plan, unit, nodes, &racks);
    const double watts = nameplate_of(plan, unit);
    const double liquid = gp_liquid_fraction(plan, unit->system);
    const int64_t spare = spare_machines(plan, u, nodes);
    plan->result->room.spare_nodes += spare;
    const int64_t owned = gp_num_min_i64(nodes, unit->owned_nodes);
    const gp_bill_item machines = {.role = "machine",
                                   .id = unit->id,
                                   .rule = "what the workloads were sized to",
                                   .count = nodes,
                                   .spare = spare,
                                   .bought = nodes - owned,
                                   .unit_w = watts,
                                   .unit_price = unit->price};
    gp_rack_size racks_there;
    gp_plan_racks(plan, unit, owned, &racks_there);
    const int64_t new_racks = racks.racks - (owned > 0 ? racks_there.racks : 0);
    const gp_bill_item rack = {.role = "rack",
                               .rule = "the least of power, cooling, height and weight",
                               .count = racks.racks,
                               .bought = gp_num_max_i64(0, new_racks),
                               .unit_price = gp_plan_item_price(plan, "part", "rack")};
    total->bought_racks += rack.bought;
    weigh(plan, u, nodes - owned, &racks, total);
    add(&plan->result->room, &machines);
    add(&plan->result->room, &rack);
    total->devices += nodes + racks.racks;
    add_fabric(plan, u, nodes, owned, switches, &total->devices);
    keep_room_of_fabric(plan, u, nodes);
    total->gpus += nodes * unit->machine.gpus;
    total->gpus_per_node = gp_num_max_i64(total->gpus_per_node, unit->machine.gpus);
    total->racks += racks.racks;
    total->heat_w += watts * (double)nodes;
    total->liquid_w += watts * (double)nodes * liquid;
    if (racks.rack_w > total->rack_w) {
        total->rack_w = racks.rack_w;
        total->rack_liquid = liquid;
    }
}

static void set_failures(gp_plan_context *plan, const room_total *total) {
    for (int rate = 0; total->gpus > 0 && rate < GP_RATE_COUNT; rate++) {
        const gp_failures_input input = {
            .gpus = total->gpus, .gpus_per_node = total->gpus_per_node, .rate = (gp_rate)rate};
        gp_failures_of(&input, plan->constants, &plan->result->room.failures[rate]);
    }
}

static void set_chain(gp_plan_context *plan, const room_total *total) {
    const gp_site_power *power = &plan->spec->site.power;
    const gp_circuits *circuits = &power->circuits;
    gp_room_plan *room = &plan->result->room;
    const gp_power_chain_input input = {.load_w = total->rack_w,
                                        .phases = circuits->phases,
                                        .voltage_v = circuits->voltage_v,
                                        .current_a = circuits->current_a,
                                        .power_factor = circuits->power_factor,
                                        .derate_fraction = circuits->derate_fraction,
                                        .redundancy = power->redundancy,
                                        .feeds = power->feeds};
    gp_power_chain_of(&input, &room->chain);
    const int64_t each = room->chain.circuits;
    add(room, &(gp_bill_item){.role = "circuit",
                              .rule = "those of the fullest rack in every rack",
                              .count = each * total->racks,
                              .bought = each * total->bought_racks});
    add(room, &(gp_bill_item){.role = "power strip",
                              .rule = "one for every circuit",
                              .count = each * total->racks,
                              .bought = each * total->bought_racks,
                              .unit_price = gp_plan_item_price(plan, "part", "powerStrip")});
}

static const gp_cooling_class *class_named(const void *const *rows, size_t count,
                                           const char *name) {
    for (size_t i = 0; name != NULL && i < count; i++) {
        const gp_cooling_class *row = rows[i];
        if (gp_str_equal(row->name, name) || gp_str_equal(row->id, name))
            return row;
    }
    return NULL;
}

/* As few distribution units as carry the heat with one in reserve, and of those the smallest. */
static void choose_units(const gp_plan_context *plan, const void *const *rows, size_t count,
                         gp_cooling_input *input, gp_room_plan *room) {
    int64_t fewest = 0;
    for (size_t i = 0; i < count; i++) {
        const gp_cooling_class *row = rows[i];
        gp_cooling cooling;
        if (!gp_str_equal(row->kind, "cdu") || row->capacity_w <= 0)
            continue;
        input->unit_w = row->capacity_w;
        gp_cooling_of(input, plan->constants, &cooling);
        const bool first = room->cooling_unit == NULL;
        if (cooling.units > 0 &&
            (first || cooling.units < fewest ||
             (cooling.units == fewest && row->capacity_w < room->cooling_unit->capacity_w))) {
            fewest = cooling.units;
            room->cooling_unit = row;
        }
    }
    input->unit_w = room->cooling_unit != NULL ? room->cooling_unit->capacity_w : 0;
}

static gp_status set_cooling(gp_plan_context *plan, const room_total *total) {
    const gp_site *site = &plan->spec->site;
    gp_room_plan *room = &plan->result->room;
    const void *const *rows = NULL;
    size_t count = 0;
    gp_status st = gp_catalog_rows(plan->catalog, GP_CATALOG_COOLING, &rows, &count);
    if (st != GP_OK || total->racks == 0)
        return st;
    /* The mean rack's liquid, the fullest rack's power: units carry the room, flows one rack. */
    gp_cooling_input input = {
        .rack_w = total->heat_w / (double)total->racks,
        .racks = total->racks,
        .liquid_fraction = total->heat_w > 0 ? total->liquid_w / total->heat_w : 0,
        .unit_spare = true,
    };
    choose_units(plan, rows, count, &input, room);
    gp_cooling all;
    gp_cooling_of(&input, plan->constants, &all);
    input = (gp_cooling_input){
        .rack_w = total->rack_w,
        .racks = 1,
        .liquid_fraction = total->rack_liquid,
        .altitude_m = site->altitude_m,
        .air_supply_c = site->cooling.air.supply_c,
        .air_rise_k = site->cooling.air.delta_t_k,
        .air_class = class_named(rows, count, site->cooling.air.class_name),
        .liquid_class = class_named(rows, count, site->cooling.liquid.class_name),
        .facility_supply_c = site->cooling.liquid.supply_c,
        .liquid_rise_k = site->cooling.liquid.delta_t_k,
    };
    gp_cooling_of(&input, plan->constants, &room->cooling);
    room->water_c = input.facility_supply_c > 0  ? input.facility_supply_c
                    : input.liquid_class != NULL ? input.liquid_class->max_c
                                                 : 0;
    room->cooling.units = all.units;
    room->cooling.heat_btu_per_h = all.heat_btu_per_h;
    room->cooling.heat_tons = all.heat_tons;
    room->pue_from_parts = gp_pue_of(
        &(gp_pue_input){.liquid_fraction = total->heat_w > 0 ? total->liquid_w / total->heat_w : 0,
                        .free_cooling = room->cooling.free_cooling},
        plan->constants);
    const double unit_price =
        room->cooling_unit != NULL ? gp_plan_item_price(plan, "cdu", room->cooling_unit->id) : 0;
    add(room, &(gp_bill_item){.role = "coolant distribution unit",
                              .id = room->cooling_unit != NULL ? room->cooling_unit->id : NULL,
                              .rule = "heat to liquid over 90 % of the capacity, one in reserve",
                              .count = all.units,
                              .bought = total->bought_racks > 0 ? all.units : 0,
                              .unit_price = unit_price});
    return GP_OK;
}

/* The slowest Ethernet switch there is, with the most ports: controllers need no more. */
static const gp_switch *management_product(const row_list *switches) {
    const gp_switch *best = NULL;
    for (size_t i = 0; i < switches->count; i++) {
        const gp_switch *row = switches->items[i];
        if (!gp_str_equal(row->fabric, "ethernet") || row->ports <= MANAGEMENT_UPLINKS ||
            row->port_bits_per_s <= 0 || row->height_u <= 0)
            continue;
        const int slower =
            best == NULL ? -1 : gp_num_compare9(row->port_bits_per_s, best->port_bits_per_s);
        if (slower < 0 || (slower == 0 && row->ports > best->ports))
            best = row;
    }
    return best;
}

static void set_management(gp_plan_context *plan, const row_list *switches,
                           const room_total *total) {
    gp_room_plan *room = &plan->result->room;
    const gp_switch *product = management_product(switches);
    const int64_t devices = total->devices;
    if (product == NULL)
        return;
    const int64_t bought = total->bought_racks > 0 ? 1 : 0;
    room->management_switches = gp_management_switches(devices, product->ports, MANAGEMENT_UPLINKS);
    add(room, &(gp_bill_item){.role = "management switch",
                              .id = product->id,
                              .rule = "a port of every machine, switch and rack",
                              .count = room->management_switches,
                              .bought = bought * room->management_switches,
                              .unit_w = product->max_power_w,
                              .unit_price = gp_plan_item_price(plan, "switch", product->id)});
    add(room, &(gp_bill_item){.role = "cable, management",
                              .rule = "one for every port",
                              .count = devices,
                              .bought = bought * devices,
                              .unit_price = gp_plan_item_price(plan, "part", "managementCable")});
}

/* Where the cluster declares none, what the workloads ask of storage has to be bought: rates and
 * capacity are in the report, the product is the buyer's choice. */
static void add_storage(gp_plan_context *plan) {
    const gp_room_plan *room = &plan->result->room;
    if (plan->spec->cluster.storage.count > 0 || !(room->storage.capacity_bytes > 0))
        return;
    add(&plan->result->room,
        &(gp_bill_item){.role = "storage system",
                        .rule = "the rates and the capacity under storage",
                        .count = 1,
                        .bought = 1,
                        .unit_price = gp_plan_item_price(plan, "part", "storage")});
}

/* The site draws and costs what the bill says. */
static void settle(gp_plan_context *plan) {
    const gp_room_plan *room = &plan->result->room;
    double watts = 0;
    double capital = 0;
    for (size_t i = 0; i < room->bill.count; i++) {
        const gp_bill_item *line = &room->bill.items[i];
        watts += line->unit_w * (double)line->count;
        capital += line->unit_price * (double)line->bought;
    }
    gp_site_settle(plan, gp_num_max(0, watts - plan->result->site.it_nameplate_w), capital);
}

/* A workload's checkpoints, or the weights that its replicas load. */
static gp_storage_input storage_of(const gp_candidate *chosen, bool serving, int64_t kept) {
    gp_storage_input input = {0};
    const double group = (double)(chosen->serve_layout.tp * chosen->serve_layout.pp);
    if (serving) {
        input.weights_bytes = chosen->serve_memory.memory.bytes[GP_MEMORY_WEIGHTS] * group;
        input.replicas = (double)chosen->replicas;
    } else {
        input.checkpoint_bytes = chosen->run.checkpoint_bytes;
        input.interval_s = chosen->run.interval_s;
        input.kept = (double)kept;
    }
    return input;
}

/* Workloads write and start at their own times: the largest rate counts, capacities add up. The
 * fastest storage carries them, as it does in the time of runs. */
static void set_storage(gp_plan_context *plan) {
    gp_room_plan *room = &plan->result->room;
    gp_storage_need *all = &room->storage;
    for (size_t i = 0; i < plan->case_count; i++) {
        const gp_candidate *chosen = &plan->cases[i].out->chosen;
        gp_storage_need need;
        if (!chosen->feasible || chosen->unit->cloud != NULL)
            continue;
        const gp_storage_input input = storage_of(chosen, plan->cases[i].out->is_serving,
                                                  plan->cases[i].workload->checkpoint.keep);
        gp_storage_need_of(&input, plan->constants, &need);
        all->write_bytes_per_s = gp_num_max(all->write_bytes_per_s, need.write_bytes_per_s);
        all->read_bytes_per_s = gp_num_max(all->read_bytes_per_s, need.read_bytes_per_s);
        all->checkpoint_read_bytes_per_s =
            gp_num_max(all->checkpoint_read_bytes_per_s, need.checkpoint_read_bytes_per_s);
        all->start_read_bytes_per_s =
            gp_num_max(all->start_read_bytes_per_s, need.start_read_bytes_per_s);
        all->capacity_bytes += need.capacity_bytes;
    }
    const gp_cluster *cluster = &plan->spec->cluster;
    for (size_t i = 0; i < cluster->storage.count; i++) {
        const gp_storage *there = &cluster->storage.items[i];
        room->storage_read_bytes_per_s =
            gp_num_max(room->storage_read_bytes_per_s, there->read_bytes_per_s);
        room->storage_write_bytes_per_s =
            gp_num_max(room->storage_write_bytes_per_s, there->write_bytes_per_s);
        room->storage_capacity_bytes += there->capacity_bytes;
    }
}

gp_status gp_room_of(gp_plan_context *plan) {
    gp_room_plan *room = &plan->result->room;
    room_total total = {0};
    row_list switches = {0};
    const size_t most = LINES_PER_UNIT * plan->unit_count + LINES_MORE;
    room->bill.items = GP_NEW_ARRAY(plan->arena, gp_bill_item, most);
    if (room->bill.items == NULL)
        return GP_ERR_NO_MEMORY;
    gp_status st =
        gp_catalog_rows(plan->catalog, GP_CATALOG_SWITCHES, &switches.items, &switches.count);
    for (size_t u = 0; st == GP_OK && u < plan->unit_count; u++)
        add_unit(plan, u, &switches, &total);
    if (st != GP_OK)
        return st;
    add(room, &(gp_bill_item){.role = "system node",
                              .rule = "cluster.reserve.systemNodes: management, login, storage",
                              .count = plan->spec->cluster.reserve.system_nodes,
                              .bought = total.bought_racks > 0 && plan->pool_count == 0
                                            ? plan->spec->cluster.reserve.system_nodes
                                            : 0,
                              .unit_price = gp_plan_item_price(plan, "part", "systemNode")});
    total.devices += plan->spec->cluster.reserve.system_nodes;
    set_storage(plan);
    set_chain(plan, &total);
    set_failures(plan, &total);
    st = set_cooling(plan, &total);
    if (st == GP_OK)
        st = gp_other_networks_of(plan);
    for (int i = 0; i < room->network_count; i++)
        total.devices += room->networks[i].parts.switches;
    set_management(plan, &switches, &total);
    add_storage(plan);
    settle(plan);
    return st;
}
