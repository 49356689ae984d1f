/*
 * Machines of each kind as they stand in the room: their lines of the bill with the rule that
 * counted each, their racks and feeds, and the fabric of those whose work leaves its machine.
 */
#include "plan/usage.h"

#include "base/num.h"

/* Machines under repair, by the middle rate of failures; trays of rack-scale systems. */
static int64_t spare_machines(const gp_plan_context *plan, size_t u, int64_t nodes) {
    const gp_unit *unit = &plan->units[u];
    const int64_t hosts = gp_num_max_i64(plan->fabrics[u].hosts, 1);
    gp_failures failures;
    gp_failures_of(nodes * unit->machine.gpus, unit->machine.gpus / hosts, GP_RATE_MIDDLE,
                   plan->constants, &failures);
    return (failures.spare_nodes + hosts - 1) / hosts;
}

/* Where a list prices them, those that purchases of earlier quarters have not brought. */
int64_t gp_usage_spares_bought(const gp_plan_context *plan, const gp_ledger *ledger, size_t u) {
    const gp_kind_hold *kind = &ledger->kinds[u];
    const int64_t before = plan->spared != NULL ? plan->spared[u] : 0;
    if (kind->bought <= 0 || plan->units[u].cloud != NULL ||
        !(gp_plan_item_price(plan, "spare", plan->units[u].system->id) > 0))
        return 0;
    return gp_num_max_i64(0, spare_machines(plan, u, kind->stand) - before);
}

void gp_fabric_parts_add(const gp_fabric_parts *part, gp_fabric_parts *sum) {
    sum->switches += part->switches;
    sum->cables += part->cables;
    sum->nics += part->nics;
    sum->transceivers += part->transceivers;
}

/* The largest compute fabric stands for all where one is shown. */
static void set_largest(gp_using *use, size_t u, const gp_fabric_size *size,
                        const gp_fabric_size *added) {
    gp_site_plan *site = &use->usage->site;
    if (gp_fabric_switches(added) > 0 &&
        gp_plan_item_price(use->plan, "switch", gp_plan_switch_id(use->plan->switches[u])) <= 0)
        site->priced = false;
    if (gp_fabric_switches(size) <= gp_fabric_switches(&site->fabric))
        return;
    site->fabric = *size;
    site->network = use->plan->networks[u];
}

/* The layers of switches; `added` are those to buy. */
static void add_switches(gp_using *use, size_t u, const gp_fabric_size *size,
                         const gp_fabric_size *added) {
    const gp_plan_context *plan = use->plan;
    const gp_switch *product = plan->switches[u];
    const struct {
        gp_line line;
        int64_t count, bought;
    } layers[] = {
        {GP_LINE_LEAF, size->leaf, added->leaf},
        {GP_LINE_SPINE, size->spine, added->spine},
        {GP_LINE_CORE, size->core, added->core},
    };
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++) {
        gp_bill_item *line = gp_usage_line(use, layers[i].line, gp_plan_switch_id(product),
                                           layers[i].count, layers[i].bought);
        line->unit_w = gp_plan_switch_w(plan, product, &line->power);
        use->bought_devices += layers[i].bought;
        if (product == NULL)
            continue;
        use->usage->room.other_u += product->height_u * (double)line->count;
        use->bought_u += product->height_u * (double)layers[i].bought;
    }
}

/* Cables are laid for what is added; those of the machines there stay. */
static void add_cables(gp_using *use, const gp_fabric_size *size, const gp_fabric_size *there,
                       const gp_fabric_parts *parts, const gp_fabric_parts *parts_there) {
    const struct {
        gp_line line;
        int64_t count, there;
    } lines[] = {
        {GP_LINE_NODE_CABLE, size->node_leaf_cables, there->node_leaf_cables},
        {GP_LINE_LEAF_CABLE, size->leaf_spine_cables, there->leaf_spine_cables},
        {GP_LINE_SPINE_CABLE, size->spine_core_cables, there->spine_core_cables},
        {GP_LINE_TRANSCEIVER, parts->transceivers, parts_there->transceivers},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        (void)gp_usage_line(use, lines[i].line, NULL, lines[i].count,
                            gp_num_max_i64(0, lines[i].count - lines[i].there));
}

/* The fabric of machines that are on one today, or what earlier quarters built with theirs. */
static void fabric_there(const gp_plan_context *plan, size_t u, gp_fabric_size *ret) {
    const int64_t today = plan->units[u].fabric_nodes;
    const int64_t before = plan->wired != NULL ? plan->wired[u] : 0;
    if (before > 0)
        gp_plan_fabric_built(plan, u, gp_num_max_i64(before, today), ret);
    else
        gp_plan_fabric(plan, u, today, ret);
}

static void at_least(const gp_pool_switches *stated, gp_fabric_size *size) {
    const int64_t tiers = (stated->leaf > 0) + (stated->spine > 0) + (stated->core > 0);
    size->leaf = gp_num_max_i64(size->leaf, stated->leaf);
    size->spine = gp_num_max_i64(size->spine, stated->spine);
    size->core = gp_num_max_i64(size->core, stated->core);
    size->tiers = gp_num_max_i64(size->tiers, tiers);
}

/* More switches may stand than the machines need that are on them: for others to come. */
static void add_stated(const gp_plan_context *plan, size_t u, const gp_fabric_size *needed,
                       gp_fabric_size *there) {
    const gp_pool_switches *stated = &plan->units[u].switches;
    at_least(stated, there);
    if (stated->leaf == 0 || there->leaf < needed->leaf || there->spine < needed->spine ||
        there->core < needed->core)
        return;
    there->leaf_spine_cables = gp_num_max_i64(there->leaf_spine_cables, needed->leaf_spine_cables);
    there->spine_core_cables = gp_num_max_i64(there->spine_core_cables, needed->spine_core_cables);
}

static void add_fabric(gp_using *use, size_t u, gp_kind_room *kind) {
    const gp_plan_context *plan = use->plan;
    const int64_t nodes = gp_plan_fabric_nodes(plan, use->ledger, u);
    gp_fabric_size size;
    gp_fabric_size there;
    gp_fabric_parts parts_there;
    gp_plan_fabric_built(plan, u, nodes, &size);
    fabric_there(plan, u, &there);
    add_stated(plan, u, &size, &there);
    at_least(&plan->units[u].switches, &size);
    kind->fabric_nodes = nodes;
    const gp_fabric_size added = {.leaf = gp_num_max_i64(0, size.leaf - there.leaf),
                                  .spine = gp_num_max_i64(0, size.spine - there.spine),
                                  .core = gp_num_max_i64(0, size.core - there.core)};
    const int64_t links = plan->facts[u].links_per_module;
    gp_fabric_parts_of(&size, links, &kind->parts);
    gp_fabric_parts_of(&there, links, &parts_there);
    gp_fabric_parts_add(&kind->parts, &use->usage->room.fabric_parts);
    kind->fabric = size;
    kind->port_bits_per_s = plan->fabrics[u].port_bits_per_s;
    kind->switch_product = plan->switches[u];
    if (size.tiers == 0)
        return;
    add_switches(use, u, &size, &added);
    add_cables(use, &size, &there, &kind->parts, &parts_there);
    set_largest(use, u, &size, &added);
}

static void keep_room_of_fabric(gp_using *use, size_t u, gp_kind_room *kind) {
    int64_t ports = 1;
    const int64_t nodes = gp_plan_fabric_nodes(use->plan, use->ledger, u);
    const gp_fabric_input input = gp_plan_fabric_input(use->plan, u, nodes, &ports);
    gp_fabric_room *most = &use->usage->room.fabric_room;
    gp_fabric_room fabric;
    if (nodes <= 1 || use->plan->fabrics[u].rails <= 0 ||
        gp_fabric_room_of(&input, &fabric) != GP_OK)
        return;
    kind->room = (gp_fabric_room){.unit_nodes = fabric.unit_nodes / ports,
                                  .spine_nodes = fabric.spine_nodes / ports,
                                  .tier_nodes = fabric.tier_nodes / ports,
                                  .most_nodes = fabric.most_nodes / ports};
    if (kind->room.unit_nodes > most->unit_nodes)
        *most = kind->room;
}

void gp_usage_circuits(const gp_plan_context *plan, double load_w, gp_power_chain *ret) {
    const gp_site_power *power = &plan->spec->site.power;
    const gp_circuits *circuits = &power->circuits;
    const gp_power_chain_input input = {.load_w = load_w,
                                        .phases = circuits->phases,
                                        .voltage_v = circuits->voltage_v,
                                        .current_a = circuits->current_a,
                                        .power_factor = circuits->power_factor,
                                        .derate_fraction = circuits->derate_fraction,
                                        .redundancy = power->redundancy,
                                        .feeds = power->feeds};
    gp_power_chain_of(&input, ret);
}

/* The air has to suit every machine on site. */
static void narrow_inlet(gp_using *use, const gp_system *system) {
    const double most = system->inlet_max_c;
    use->inlet_min_c = gp_num_max(use->inlet_min_c, system->inlet_min_c);
    if (most > 0 && !(use->inlet_max_c > 0 && use->inlet_max_c < most))
        use->inlet_max_c = most;
}

/* Power, heat, weight and racks of the kind, and the fullest rack of all. */
static void count_rack(gp_using *use, const gp_kind_room *kind, int64_t bought,
                       int64_t bought_racks, double watts) {
    gp_site_plan *site = &use->usage->site;
    gp_room_plan *room = &use->usage->room;
    const double liquid = kind->liquid_fraction;
    const gp_machine *machine = &kind->unit->machine;
    const double heat = watts * (double)kind->nodes;
    use->bought_racks += bought_racks;
    use->devices += kind->nodes * kind->hosts + kind->racks.racks + kind->parts.switches;
    use->bought_devices += bought * kind->hosts + bought_racks;
    use->circuits += kind->chain.circuits * kind->racks.racks;
    use->bought_circuits += kind->chain.circuits * bought_racks;
    use->gpus += kind->nodes * machine->gpus;
    use->gpus_per_node = gp_num_max_i64(use->gpus_per_node, machine->gpus);
    use->racks += kind->racks.racks;
    use->heat_w += heat;
    use->liquid_w += heat * liquid;
    use->there_liquid_w += watts * (double)(kind->nodes - bought) * liquid;
    site->it_peak_w += heat;
    site->liquid_w += heat * liquid;
    site->air_w += heat * (1 - liquid);
    site->rack_count += kind->racks.racks;
    site->air_rack_w = gp_num_max(site->air_rack_w, kind->racks.heat_w * (1 - liquid));
    narrow_inlet(use, kind->unit->system);
    room->weight_kg += kind->unit->system->weight_kg * (double)bought;
    if (kind->racks.rack_w <= use->rack_w)
        return;
    use->rack_w = kind->racks.rack_w;
    use->rack_heat_w = kind->racks.heat_w;
    use->rack_liquid = liquid;
    use->chain = kind->chain;
    room->rack_kg = kind->rack_kg;
}

static void add_machines(gp_using *use, const gp_kind_room *kind, int64_t bought,
                         int64_t bought_racks, double watts) {
    const gp_plan_context *plan = use->plan;
    const gp_unit *unit = kind->unit;
    const size_t u = (size_t)(unit - plan->units);
    const int64_t spares_bought = gp_usage_spares_bought(plan, use->ledger, u);
    const int64_t spare =
        use->detail || spares_bought > 0 ? spare_machines(plan, u, kind->nodes) : 0;
    gp_bill_item *machines =
        gp_usage_line(use, GP_LINE_MACHINE, unit->system->id, kind->nodes, bought);
    machines->id = unit->id;
    machines->unit_w = watts;
    machines->power = GP_REF(unit->system, gp_system, max_power_w);
    use->usage->room.spare_nodes += spare;
    gp_usage_line(use, GP_LINE_SPARE, unit->system->id, spare, spares_bought)->id = unit->id;
    (void)gp_usage_line(use, GP_LINE_RACK, NULL, kind->racks.racks, bought_racks);
}

static void add_kind(gp_using *use, size_t u) {
    const gp_plan_context *plan = use->plan;
    gp_room_plan *room = &use->usage->room;
    const gp_unit *unit = &plan->units[u];
    const gp_kind_hold *hold = &use->ledger->kinds[u];
    if (hold->stand == 0 || unit->cloud != NULL)
        return;
    gp_kind_room *kind = &room->kinds.items[room->kinds.count++];
    *kind = (gp_kind_room){
        .unit = unit, .nodes = hold->stand, .hosts = gp_num_max_i64(1, plan->fabrics[u].hosts)};
    const double watts = plan->facts[u].idle.peak_w;
    const int64_t there_nodes = hold->stand - hold->bought;
    gp_rack_size there = {0};
    gp_plan_racks(plan, unit, kind->nodes, &kind->racks);
    if (there_nodes > 0)
        gp_plan_racks(plan, unit, there_nodes, &there);
    kind->rack_kg = unit->system->weight_kg * (double)kind->racks.nodes_per_rack;
    kind->liquid_fraction = plan->facts[u].liquid_fraction;
    gp_usage_circuits(plan, kind->racks.rack_w, &kind->chain);
    const int64_t bought_racks = gp_num_max_i64(0, kind->racks.racks - there.racks);
    add_machines(use, kind, hold->bought, bought_racks, watts);
    add_fabric(use, u, kind);
    if (use->detail)
        keep_room_of_fabric(use, u, kind);
    count_rack(use, kind, hold->bought, bought_racks, watts);
}

/* The kind with the most racks first, as the report shows it. */
static void put_in_order(gp_room_plan *room) {
    gp_kind_room *items = room->kinds.items;
    for (size_t i = 1; i < room->kinds.count; i++)
        for (size_t k = i; k > 0 && items[k].racks.racks > items[k - 1].racks.racks; k--) {
            const gp_kind_room moved = items[k];
            items[k] = items[k - 1];
            items[k - 1] = moved;
        }
}

void gp_usage_kinds(gp_using *use) {
    for (size_t u = 0; u < use->plan->unit_count; u++)
        add_kind(use, u);
    if (use->detail)
        put_in_order(&use->usage->room);
}
