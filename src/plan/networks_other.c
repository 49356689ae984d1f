/*
 * Networks beside the compute fabric: storage, and in-band where the spec declares one. Every
 * machine meets the storage network by the ports that it has for it; storage itself by as many
 * ports as the workloads' rates take, two at least. Machines that are there have theirs.
 */
#include "plan/usage.h"

#include "base/num.h"
#include "base/str.h"

enum { STORAGE_PORTS_LEAST = 2 };
static const double bits_per_byte = 8; /* definition */

/* What machines bring to a network. */
typedef struct endpoints {
    int64_t ports, owned; /* owned: of the machines that are there */
    double rate_bits_per_s;
} endpoints;

static const gp_fabric *declared(const gp_plan_context *plan, const char *name) {
    const gp_cluster *cluster = &plan->spec->cluster;
    for (size_t i = 0; i < cluster->fabrics.count; i++)
        if (gp_str_equal(cluster->fabrics.items[i].name, name))
            return &cluster->fabrics.items[i];
    return NULL;
}

/* Ports of all machines on site: those of the storage adapters, or one of every host (a tray of a
 * rack-scale system is one), also where a storage network is declared and the adapters are not
 * known. */
static endpoints machines(const gp_using *use, bool storage) {
    const gp_plan_context *plan = use->plan;
    endpoints e = {0};
    for (size_t u = 0; u < plan->unit_count; u++) {
        const gp_unit *unit = &plan->units[u];
        const gp_kind_hold *hold = &use->ledger->kinds[u];
        const int64_t nodes = hold->stand;
        if (nodes == 0 || unit->cloud != NULL)
            continue;
        const bool unknown = unit->system->storage_nics.count == 0;
        int64_t each = !storage || (unknown && declared(plan, "storage") != NULL)
                           ? gp_num_max_i64(1, plan->fabrics[u].hosts)
                           : 0;
        for (size_t n = 0; storage && n < unit->system->storage_nics.count; n++) {
            each += unit->system->storage_nics.items[n].count;
            e.rate_bits_per_s =
                gp_num_max(e.rate_bits_per_s, unit->system->storage_nics.items[n].rate_bits_per_s);
        }
        e.ports += nodes * each;
        e.owned += (hold->stand - hold->bought) * each;
    }
    return e;
}

/* One fat tree: no rails, every port alike. */
static gp_fabric_size tree_of(const gp_other_network *network, const gp_fabric *fabric,
                              int64_t ports) {
    gp_fabric_size size = {0};
    const gp_switch *product = network->switch_product;
    const double split = product->port_bits_per_s / network->rate_bits_per_s;
    const gp_fabric_input input = {
        .nodes = ports,
        .hosts = 1,
        .rails = 1,
        .planes = 1,
        .radix = gp_num_floor_count((double)product->ports * gp_num_max(1, split)),
        .oversubscription =
            fabric != NULL && fabric->oversubscription > 0 ? fabric->oversubscription : 1,
        .port_bits_per_s = network->rate_bits_per_s,
        .tiers = fabric != NULL ? fabric->tiers : 0,
    };
    if (ports > 0)
        (void)gp_fabric_size_of(&input, NULL, &size);
    return size;
}

static void add_lines(gp_using *use, const gp_other_network *network, const gp_fabric_size *there) {
    const gp_switch *product = network->switch_product;
    const bool storage = gp_str_equal(network->name, "storage");
    const int64_t switches = network->parts.switches;
    const int64_t cables = network->parts.cables;
    const int64_t laid = gp_num_max_i64(0, cables - there->node_leaf_cables -
                                               there->leaf_spine_cables - there->spine_core_cables);
    const int64_t bought = gp_num_max_i64(0, switches - gp_fabric_switches(there));
    gp_bill_item *line =
        gp_usage_line(use, storage ? GP_LINE_STORAGE_SWITCH : GP_LINE_IN_BAND_SWITCH,
                      gp_plan_switch_id(product), switches, bought);
    line->unit_w = gp_plan_switch_w(use->plan, product, &line->power);
    (void)gp_usage_line(use, storage ? GP_LINE_STORAGE_CABLE : GP_LINE_IN_BAND_CABLE, NULL, cables,
                        laid);
    (void)gp_usage_line(use, storage ? GP_LINE_STORAGE_TRANSCEIVER : GP_LINE_IN_BAND_TRANSCEIVER,
                        NULL, network->parts.transceivers, 2 * laid);
    use->usage->room.other_u += product->height_u * (double)switches;
    use->bought_u += product->height_u * (double)bought;
    use->bought_devices += bought;
}

/* Most usages ask for the same one. */
static const gp_switch *product_for(gp_parts_list *parts, int kind, double bits_per_s) {
    if (parts->network_kind != kind || parts->network_bits_per_s < bits_per_s ||
        parts->network_bits_per_s > bits_per_s) {
        parts->network = gp_plan_default_switch(&parts->switches, kind, bits_per_s);
        parts->network_kind = kind;
        parts->network_bits_per_s = bits_per_s;
    }
    return parts->network;
}

static void add_network(gp_using *use, const char *name, int default_kind, endpoints e) {
    const gp_plan_context *plan = use->plan;
    gp_room_plan *room = &use->usage->room;
    const gp_fabric *fabric = declared(plan, name);
    gp_other_network network = {
        .name = name,
        .kind = fabric != NULL ? fabric->kind : default_kind,
        .rate_bits_per_s = fabric != NULL && fabric->rate_bits_per_s > 0 ? fabric->rate_bits_per_s
                                                                         : e.rate_bits_per_s,
    };
    if (e.ports == 0 || network.rate_bits_per_s <= 0)
        return;
    if (fabric != NULL && fabric->switch_product.ports > 0)
        network.switch_product = &fabric->switch_product;
    else
        network.switch_product = product_for(plan->parts, network.kind, network.rate_bits_per_s);
    if (network.switch_product == NULL)
        return;
    int64_t sides = 0;
    if (gp_str_equal(name, "storage")) {
        const gp_storage_need *need = &room->storage;
        network.need_bits_per_s =
            gp_num_max(need->read_bytes_per_s, need->write_bytes_per_s) * bits_per_byte;
        sides = gp_num_max_i64(STORAGE_PORTS_LEAST, gp_num_ceil_count(network.need_bits_per_s /
                                                                      network.rate_bits_per_s));
    } else {
        sides = plan->spec->cluster.reserve.system_nodes;
    }
    network.ports = e.ports + sides;
    network.size = tree_of(&network, fabric, network.ports);
    const gp_fabric_size there = tree_of(&network, fabric, e.owned > 0 ? e.owned + sides : 0);
    gp_fabric_parts_of(&network.size, 1, &network.parts);
    add_lines(use, &network, &there);
    use->devices += network.parts.switches;
    room->networks[room->network_count++] = network;
}

/* There is storage to reach, or the spec wants the network all the same. */
static bool has_storage(const gp_using *use) {
    return use->plan->spec->cluster.storage.count > 0 || use->usage->room.storage_product != NULL ||
           declared(use->plan, "storage") != NULL;
}

void gp_usage_networks(gp_using *use) {
    use->usage->room.network_count = 0;
    if (has_storage(use))
        add_network(use, "storage", GP_FABRIC_ETHERNET, machines(use, true));
    if (declared(use->plan, "inBand") != NULL)
        add_network(use, "inBand", GP_FABRIC_ETHERNET, machines(use, false));
}
