/*
 * The room that the chosen machines stand in: a bill of quantities (each line with the rule that
 * counted it), how the fullest rack is fed and cooled, what fails, and how far the fabric grows.
 * Power is that of gp_site_of: the lines of the bill add up to it.
 */
#include "plan/room.h"

#include "base/num.h"
#include "base/sort.h"
#include "base/str.h"

enum { LINES_PER_UNIT = 9, LINES_MORE = 18, MANAGEMENT_UPLINKS = 2 };

/* All rows of a kind. */
typedef struct row_list {
    const void *const *items;
    size_t count;
} row_list;

void gp_room_add(gp_room_plan *room, const gp_bill_item *item) {
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
    gp_bill_item line = {.id = gp_plan_switch_id(product)};
    gp_plan_price_line(plan, "switch", line.id, &line);
    line.unit_w = gp_plan_switch_w(plan, product, &line.power);
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++) {
        line.role = layers[i].role;
        line.rule = layers[i].rule;
        line.count = layers[i].count;
        line.bought = layers[i].bought;
        gp_room_add(&plan->result->room, &line);
        if (product != NULL)
            plan->result->room.other_u += product->height_u * (double)line.count;
    }
}

/* Cables are laid for what is added; those of the machines there stay. */
static void add_cables(const gp_plan_context *plan, const gp_fabric_size *size,
                       const gp_fabric_size *there, const gp_fabric_parts *parts,
                       const gp_fabric_parts *parts_there) {
    gp_room_plan *room = &plan->result->room;
    gp_bill_item lines[] = {
        {.role = "cable, machine to leaf",
         .rule = "a port of every machine",
         .count = size->node_leaf_cables,
         .bought = gp_num_max_i64(0, size->node_leaf_cables - there->node_leaf_cables)},
        {.role = "cable, leaf to spine",
         .rule = "laid for whole scalable units",
         .count = size->leaf_spine_cables,
         .bought = gp_num_max_i64(0, size->leaf_spine_cables - there->leaf_spine_cables)},
        {.role = "cable, spine to core",
         .rule = "as many as leaf to spine",
         .count = size->spine_core_cables,
         .bought = gp_num_max_i64(0, size->spine_core_cables - there->spine_core_cables)},
        {.role = "transceiver",
         .rule = "one at a machine's end; at switches one for the links of a port",
         .count = parts->transceivers,
         .bought = gp_num_max_i64(0, parts->transceivers - parts_there->transceivers)},
    };
    enum { LINES = sizeof lines / sizeof lines[0] };
    for (size_t i = 0; i < LINES; i++) {
        gp_plan_price_line(plan, "part", i + 1 < LINES ? "cable" : "transceiver", &lines[i]);
        gp_room_add(room, &lines[i]);
    }
}

static void add_fabric(gp_plan_context *plan, size_t u, int64_t nodes, int64_t owned,
                       const row_list *switches, gp_kind_room *kind) {
    gp_room_plan *room = &plan->result->room;
    gp_fabric_size size;
    gp_fabric_size added = {0};
    gp_fabric_parts parts;
    gp_plan_fabric_built(plan, u, nodes, &size);
    if (nodes > owned)
        gp_plan_new_switches(plan, u, nodes, owned, &added);
    gp_fabric_size there;
    gp_fabric_parts parts_there;
    gp_plan_fabric(plan, u, owned, &there);
    gp_fabric_parts_of(&size, links_per_module(plan, u, switches), &parts);
    gp_fabric_parts_of(&there, links_per_module(plan, u, switches), &parts_there);
    add_parts(&room->fabric_parts, &parts);
    kind->fabric = size;
    kind->parts = parts;
    kind->port_bits_per_s = plan->fabrics[u].port_bits_per_s;
    kind->switch_product = plan->switches[u];
    add_switches(plan, u, &size, &added);
    add_cables(plan, &size, &there, &parts, &parts_there);
}

static void keep_room_of_fabric(gp_plan_context *plan, size_t u, gp_kind_room *kind) {
    int64_t ports = 1;
    const gp_fabric_input input = gp_plan_fabric_input(plan, u, kind->nodes, &ports);
    gp_fabric_room *most = &plan->result->room.fabric_room;
    gp_fabric_room fabric;
    if (kind->nodes <= 1 || plan->fabrics[u].rails <= 0 ||
        gp_fabric_room_of(&input, &fabric) != GP_OK)
        return;
    kind->room = (gp_fabric_room){.unit_nodes = fabric.unit_nodes / ports,
                                  .spine_nodes = fabric.spine_nodes / ports,
                                  .tier_nodes = fabric.tier_nodes / ports,
                                  .most_nodes = fabric.most_nodes / ports};
    if (kind->room.unit_nodes > most->unit_nodes)
        *most = kind->room;
}

/* What is delivered, and the machines of the fullest rack; what has no weight is left out. */
static void weigh(gp_plan_context *plan, const gp_kind_room *kind, int64_t bought,
                  const gp_room_total *total) {
    gp_room_plan *room = &plan->result->room;
    room->weight_kg += kind->unit->system->weight_kg * (double)bought;
    if (kind->racks.rack_w > total->rack_w)
        room->rack_kg = kind->rack_kg;
}

/* Circuits of a full rack of the kind, by its own load. */
static void feed(gp_plan_context *plan, gp_kind_room *kind) {
    const gp_site_power *power = &plan->spec->site.power;
    const gp_circuits *circuits = &power->circuits;
    const gp_power_chain_input input = {.load_w = kind->racks.rack_w,
                                        .phases = circuits->phases,
                                        .voltage_v = circuits->voltage_v,
                                        .current_a = circuits->current_a,
                                        .power_factor = circuits->power_factor,
                                        .derate_fraction = circuits->derate_fraction,
                                        .redundancy = power->redundancy,
                                        .feeds = power->feeds};
    gp_power_chain_of(&input, &kind->chain);
}

static void count_rack(const gp_kind_room *kind, int64_t bought_racks, double watts,
                       gp_room_total *total) {
    const double liquid = kind->liquid_fraction;
    const gp_machine *machine = &kind->unit->machine;
    total->bought_racks += bought_racks;
    total->devices += kind->nodes * kind->hosts + kind->racks.racks + kind->parts.switches;
    total->circuits += kind->chain.circuits * kind->racks.racks;
    total->bought_circuits += kind->chain.circuits * bought_racks;
    total->gpus += kind->nodes * machine->gpus;
    total->gpus_per_node = gp_num_max_i64(total->gpus_per_node, machine->gpus);
    total->racks += kind->racks.racks;
    total->heat_w += watts * (double)kind->nodes;
    total->liquid_w += watts * (double)kind->nodes * liquid;
    if (kind->racks.rack_w <= total->rack_w)
        return;
    total->rack_w = kind->racks.rack_w;
    total->rack_liquid = liquid;
    total->chain = kind->chain;
}

static void add_machines(gp_plan_context *plan, size_t u, const gp_kind_room *kind, int64_t owned,
                         int64_t bought_racks) {
    gp_room_plan *room = &plan->result->room;
    const gp_unit *unit = kind->unit;
    const int64_t spare = spare_machines(plan, u, kind->nodes);
    gp_bill_item machines = {.role = "machine",
                             .id = unit->id,
                             .rule = "what the workloads were sized to",
                             .count = kind->nodes,
                             .spare = spare,
                             .bought = kind->nodes - owned,
                             .unit_w = nameplate_of(plan, unit),
                             .power = GP_REF(unit->system, gp_system, max_power_w)};
    gp_bill_item rack = {.role = "rack",
                         .rule = "the least of power, cooling, height and weight",
                         .count = kind->racks.racks,
                         .bought = bought_racks};
    room->spare_nodes += spare;
    gp_plan_price_line(plan, "system", unit->system->id, &machines);
    gp_plan_price_line(plan, "part", "rack", &rack);
    gp_room_add(room, &machines);
    gp_room_add(room, &rack);
}

static void add_unit(gp_plan_context *plan, size_t u, const row_list *switches,
                     gp_room_total *total) {
    gp_room_plan *room = &plan->result->room;
    const gp_unit *unit = &plan->units[u];
    const int64_t nodes = gp_load_nodes(unit, &plan->loads[u]);
    if (nodes == 0 || unit->cloud != NULL)
        return;
    gp_kind_room *kind = &room->kinds.items[room->kinds.count++];
    *kind = (gp_kind_room){
        .unit = unit, .nodes = nodes, .hosts = gp_num_max_i64(1, plan->fabrics[u].hosts)};
    gp_plan_racks(plan, unit, nodes, &kind->racks);
    kind->rack_kg = unit->system->weight_kg * (double)kind->racks.nodes_per_rack;
    kind->liquid_fraction = gp_liquid_fraction(plan, unit->system);
    feed(plan, kind);
    const int64_t owned = gp_num_min_i64(nodes, unit->owned_nodes);
    gp_rack_size there;
    gp_plan_racks(plan, unit, owned, &there);
    const int64_t new_racks = gp_num_max_i64(0, kind->racks.racks - (owned > 0 ? there.racks : 0));
    add_machines(plan, u, kind, owned, new_racks);
    weigh(plan, kind, nodes - owned, total);
    add_fabric(plan, u, nodes, unit->owned_nodes, switches, kind);
    keep_room_of_fabric(plan, u, kind);
    count_rack(kind, new_racks, nameplate_of(plan, unit), total);
}

/* The kind with the most racks first, as the report shows it. */
static int by_racks(const void *a, const void *b, const void *context) {
    const gp_kind_room *left = a;
    const gp_kind_room *right = b;
    (void)context;
    return left->racks.racks == right->racks.racks  ? 0
           : left->racks.racks > right->racks.racks ? -1
                                                    : 1;
}

static void set_failures(gp_plan_context *plan, const gp_room_total *total) {
    for (int rate = 0; total->gpus > 0 && rate < GP_RATE_COUNT; rate++) {
        const gp_failures_input input = {
            .gpus = total->gpus, .gpus_per_node = total->gpus_per_node, .rate = (gp_rate)rate};
        gp_failures_of(&input, plan->constants, &plan->result->room.failures[rate]);
    }
}

static void set_chain(gp_plan_context *plan, const gp_room_total *total) {
    gp_room_plan *room = &plan->result->room;
    gp_bill_item strips = {.role = "power strip",
                           .rule = "one for every circuit",
                           .count = total->circuits,
                           .bought = total->bought_circuits};
    room->chain = total->chain;
    gp_plan_price_line(plan, "part", "powerStrip", &strips);
    gp_room_add(room,
                &(gp_bill_item){.role = "circuit",
                                .rule = "those of each rack by its own load, redundancy included",
                                .count = total->circuits,
                                .bought = total->bought_circuits});
    gp_room_add(room, &strips);
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
                           const gp_room_total *total) {
    gp_room_plan *room = &plan->result->room;
    const gp_switch *product = management_product(switches);
    const int64_t devices = total->devices;
    if (product == NULL)
        return;
    const int64_t bought = total->bought_racks > 0 ? 1 : 0;
    room->management_switches = gp_management_switches(devices, product->ports, MANAGEMENT_UPLINKS);
    gp_bill_item lines[] = {{.role = "management switch",
                             .id = product->id,
                             .rule = "a port of every host, switch and rack",
                             .count = room->management_switches,
                             .bought = bought * room->management_switches},
                            {.role = "cable, management",
                             .rule = "one for every port",
                             .count = devices,
                             .bought = bought * devices}};
    lines[0].unit_w = gp_plan_switch_w(plan, product, &lines[0].power);
    gp_plan_price_line(plan, "switch", product->id, &lines[0]);
    gp_plan_price_line(plan, "part", "managementCable", &lines[1]);
    gp_room_add(room, &lines[0]);
    gp_room_add(room, &lines[1]);
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
    const double storage_w = room->storage_w;
    const double system_w =
        plan->constants->facility_system_node_w * (double)plan->spec->cluster.reserve.system_nodes;
    const double switches_w = watts - plan->result->site.it_nameplate_w - storage_w - system_w;
    gp_site_settle(plan, gp_num_max(0, switches_w), storage_w, system_w, capital);
}

/* Switches, storage and system nodes stand in what the racks of machines keep free
 * (site.racks.used); what finds no place there takes racks of its own. */
static void add_other_racks(gp_plan_context *plan, gp_room_total *total) {
    gp_room_plan *room = &plan->result->room;
    const gp_site_racks *site = &plan->spec->site.racks;
    const double height = site->height_u > 0 ? site->height_u : plan->constants->site_rack_height_u;
    const double beyond = room->other_u - site->used_u * (double)total->racks;
    room->other_racks = beyond > 0 ? gp_num_ceil_count(beyond / height) : 0;
    gp_bill_item rack = {.role = "rack",
                         .rule = "switches and storage beyond what the machines' racks keep free",
                         .count = room->other_racks,
                         .bought = total->bought_racks > 0 ? room->other_racks : 0};
    gp_plan_price_line(plan, "part", "rack", &rack);
    gp_room_add(room, &rack);
    plan->result->site.rack_count += room->other_racks;
    total->devices += room->other_racks;
}

static void add_system_nodes(gp_plan_context *plan, gp_room_total *total) {
    const int64_t count = plan->spec->cluster.reserve.system_nodes;
    gp_bill_item nodes = {.role = "system node",
                          .rule = "cluster.reserve.systemNodes: management, login, storage",
                          .count = count,
                          .bought = total->bought_racks > 0 && plan->pool_count == 0 ? count : 0};
    nodes.unit_w = plan->constants->facility_system_node_w;
    nodes.power = GP_REF(plan->constants, gp_constants, facility_system_node_w);
    plan->result->room.other_u += plan->constants->facility_system_node_u * (double)count;
    gp_plan_price_line(plan, "part", "systemNode", &nodes);
    gp_room_add(&plan->result->room, &nodes);
    total->devices += count;
}

gp_status gp_room_of(gp_plan_context *plan) {
    gp_room_plan *room = &plan->result->room;
    gp_room_total total = {0};
    row_list switches = {0};
    const size_t most = LINES_PER_UNIT * plan->unit_count + LINES_MORE;
    room->bill.items = GP_NEW_ARRAY(plan->arena, gp_bill_item, most);
    room->kinds.items = GP_NEW_ARRAY(plan->arena, gp_kind_room, plan->unit_count);
    if (room->bill.items == NULL || room->kinds.items == NULL)
        return GP_ERR_NO_MEMORY;
    gp_status st =
        gp_catalog_rows(plan->catalog, GP_CATALOG_SWITCHES, &switches.items, &switches.count);
    for (size_t u = 0; st == GP_OK && u < plan->unit_count; u++)
        add_unit(plan, u, &switches, &total);
    if (st == GP_OK)
        st = gp_sort(plan->arena, room->kinds.items, room->kinds.count, sizeof(gp_kind_room),
                     by_racks, NULL);
    if (st != GP_OK)
        return st;
    add_system_nodes(plan, &total);
    set_chain(plan, &total);
    set_failures(plan, &total);
    st = gp_room_cooling(plan, &total);
    if (st == GP_OK)
        st = gp_room_storage(plan);
    if (st == GP_OK)
        st = gp_other_networks_of(plan);
    for (int i = 0; i < room->network_count; i++)
        total.devices += room->networks[i].parts.switches;
    add_other_racks(plan, &total);
    set_management(plan, &switches, &total);
    settle(plan);
    return st;
}
