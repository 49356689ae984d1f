/*
 * The compute fabric as each kind of machine sees it: rails and port rate from the machine, radix
 * from the switch, oversubscription from the spec. Pure in the node count, so that layouts can be
 * priced on the fabric that their own size needs.
 */
#include "plan/usage.h"

#include "base/num.h"
#include "base/str.h"

static const double bits_per_byte = 8; /* definition */

/* Words of gp_switch.fabric by gp_fabric_kind, and of those built for dragonflies. */
static const char *const fabric_words[] = {
    [GP_FABRIC_INFINIBAND] = "infiniband",
    [GP_FABRIC_ETHERNET] = "ethernet",
};
static const char dragonfly_word[] = "slingshot";

/* The fabric that carries the workloads: the one named compute, else the first. */
const gp_fabric *gp_plan_compute_fabric(const gp_plan_context *plan, size_t unit) {
    const gp_cluster *cluster = &gp_plan_spec_at(plan, unit)->cluster;
    for (size_t i = 0; i < cluster->fabrics.count; i++)
        if (gp_str_equal(cluster->fabrics.items[i].name, "compute"))
            return &cluster->fabrics.items[i];
    return cluster->fabrics.count > 0 ? &cluster->fabrics.items[0] : NULL;
}

static int64_t machine_ports(const gp_system *system, double *ret_rate) {
    int64_t ports = 0;
    double bits = 0;
    for (size_t i = 0; i < system->nics.count; i++) {
        ports += system->nics.items[i].count;
        bits += system->nics.items[i].rate_bits_per_s * (double)system->nics.items[i].count;
    }
    *ret_rate = ports > 0 ? bits / (double)ports : 0;
    return ports;
}

/* Ports that are as fast as the links, or the least faster; of those the switch with the most. What
 * is only announced is not offered, nor what is taller than a rack row takes. */
static bool outdoes(const gp_switch *row, const gp_switch *best) {
    if (best == NULL || row->port_bits_per_s < best->port_bits_per_s)
        return true;
    return gp_num_near(row->port_bits_per_s, best->port_bits_per_s) && row->ports > best->ports;
}

static const gp_switch *pick_switch(const gp_row_list *rows, const char *word, double bits_per_s) {
    const gp_switch *chosen = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        const gp_switch *row = rows->items[i];
        const bool carries =
            row->port_bits_per_s > bits_per_s || gp_num_near(row->port_bits_per_s, bits_per_s);
        if (carries && row->height_u > 0 && row->height_u <= 4 &&
            row->evidence != GP_EVIDENCE_ASSUMED && outdoes(row, chosen) &&
            gp_str_equal(row->fabric, word))
            chosen = row;
    }
    return chosen;
}

int64_t gp_fabric_switches(const gp_fabric_size *size) {
    return size->leaf + size->spine + size->core;
}

const gp_switch *gp_plan_default_switch(const gp_row_list *rows, int kind, double bits_per_s) {
    return pick_switch(rows, fabric_words[kind], bits_per_s);
}

static int64_t switch_radix(const gp_plan_context *plan, const gp_switch *product, double rate) {
    if (product == NULL || rate <= 0)
        return (int64_t)plan->constants->fabric_radix;
    const double split = product->port_bits_per_s / rate;
    return gp_num_floor_count((double)product->ports * gp_num_max(1, split));
}

/* Trays of a rack-scale system, each with a share of its ports; 1 for machines of one host. */
static int64_t hosts_of(const gp_system *system, int64_t ports) {
    const int64_t trays = system->cpu_sockets / 2;
    const bool rack_scale = system->gpus > 8 && trays > 1;
    return rack_scale && ports % trays == 0 && system->gpus % trays == 0 ? trays : 1;
}

/* The product that the fabric names, else the one that its kind and rate ask for. */
static const gp_switch *switch_of(const gp_plan_context *plan, const gp_fabric *declared,
                                  double rate) {
    const gp_row_list *rows = &plan->parts->switches;
    if (declared != NULL && declared->switch_product.ports > 0)
        return &declared->switch_product;
    if (rate <= 0)
        return NULL;
    if (declared != NULL && declared->topology == GP_TOPOLOGY_DRAGONFLY)
        return pick_switch(rows, dragonfly_word, rate);
    const int kind = declared != NULL ? declared->kind : GP_FABRIC_INFINIBAND;
    return gp_plan_default_switch(rows, kind, rate);
}

static void unit_network(gp_plan_context *plan, size_t u) {
    gp_unit *unit = &plan->units[u];
    const gp_fabric *declared = gp_plan_compute_fabric(plan, u);
    const bool dragonfly = declared != NULL && declared->topology == GP_TOPOLOGY_DRAGONFLY;
    const int64_t planes = declared != NULL ? gp_num_max_i64(declared->planes, 1) : 1;
    double rate = 0;
    const int64_t ports = machine_ports(unit->system, &rate);
    if (declared != NULL && declared->rate_bits_per_s > 0)
        rate = rate > 0 ? gp_num_min(rate, declared->rate_bits_per_s) : 0;
    unit->machine.nic_bytes_per_s =
        rate * (double)ports / bits_per_byte / (double)unit->machine.gpus;
    rate /= (double)planes;
    const gp_switch *product = switch_of(plan, declared, rate);
    plan->switches[u] = product;
    const int64_t hosts = hosts_of(unit->system, ports);
    plan->fabrics[u] = (gp_fabric_input){
        .hosts = hosts,
        .rails = ports / hosts,
        .unit_nodes = hosts > 1 ? hosts : 0, /* a rack is a unit, a rail of racks a group */
        .grouped = hosts > 1 && !dragonfly,
        .group_units = (int64_t)plan->constants->fabric_group_units,
        .dragonfly = dragonfly,
        .planes = planes,
        .radix = switch_radix(plan, product, rate),
        .oversubscription =
            declared != NULL && declared->oversubscription > 0 ? declared->oversubscription : 1,
        .port_bits_per_s = rate,
        .tiers = declared != NULL ? declared->tiers : 0,
    };
}

/* Bandwidths of the fabric as the machines of a unit see it: what is above a leaf is the same for
 * any number of them. */
static void set_network(const gp_plan_context *plan, size_t unit, gp_network *ret_network) {
    const gp_fabric_input *input = &plan->fabrics[unit];
    const double nic = plan->units[unit].machine.nic_bytes_per_s;
    gp_fabric_size fabric;
    gp_plan_fabric(plan, unit, 2, &fabric);
    const double across = nic / gp_num_max(1, input->oversubscription);
    *ret_network = (gp_network){
        .bytes_per_s = {nic, across, across},
        .unit_nodes = gp_num_max_i64(1, fabric.unit_nodes),
        .pod_nodes = gp_num_max_i64(1, fabric.max_nodes_two_tier),
    };
}

/* Links of the machines' rate that one module of a switch carries: what a port is split into, times
 * the ports of the module that the catalogue has for it (twin modules serve two). */
static int64_t links_per_module(const gp_plan_context *plan, size_t u) {
    static const char transceivers[] = "transceiver/";
    const gp_row_list *switches = &plan->parts->switches;
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

static void set_facts(const gp_plan_context *plan, size_t u) {
    const gp_unit *unit = &plan->units[u];
    gp_unit_facts *facts = &plan->facts[u];
    gp_node_power_of(&unit->machine, GP_LOAD_IDLE, 0, plan->constants, NULL, &facts->idle);
    facts->liquid_fraction = gp_system_liquid_fraction(unit->system, plan->constants);
    facts->links_per_module = links_per_module(plan, u);
}

void gp_plan_networks(gp_plan_context *plan) {
    plan->facts = GP_NEW_ARRAY(plan->arena, gp_unit_facts, plan->unit_count + 1);
    plan->networks = GP_NEW_ARRAY(plan->arena, gp_network, plan->unit_count);
    plan->fabrics = GP_NEW_ARRAY(plan->arena, gp_fabric_input, plan->unit_count);
    plan->switches = GP_NEW_ARRAY(plan->arena, const gp_switch *, plan->unit_count);
    for (size_t u = 0; u < plan->unit_count; u++) {
        unit_network(plan, u);
        set_network(plan, u, &plan->networks[u]);
        set_facts(plan, u);
    }
}

/* A fat tree knows no rails: all ports of a machine meet the same leaf. */
static bool is_tree(const gp_plan_context *plan, size_t unit) {
    const gp_fabric *declared = gp_plan_compute_fabric(plan, unit);
    return declared != NULL && declared->topology == GP_TOPOLOGY_FAT_TREE &&
           plan->fabrics[unit].hosts <= 1;
}

gp_fabric_input gp_plan_fabric_input(const gp_plan_context *plan, size_t unit, int64_t nodes,
                                     int64_t *ret_ports) {
    gp_fabric_input input = plan->fabrics[unit];
    *ret_ports = is_tree(plan, unit) ? gp_num_max_i64(1, input.rails) : 1;
    input.nodes = nodes * *ret_ports;
    if (*ret_ports > 1)
        input.rails = 1;
    return input;
}

/* `tiers`: no fewer layers than these, which then grow by whole units; 0: as few as will do. */
static void size_fabric(const gp_plan_context *plan, size_t unit, int64_t nodes, int64_t tiers,
                        gp_fabric_size *ret) {
    int64_t ports = 1;
    gp_fabric_input input = gp_plan_fabric_input(plan, unit, nodes, &ports);
    *ret = (gp_fabric_size){0};
    if (nodes <= 1 || plan->fabrics[unit].rails <= 0)
        return;
    input.tiers = gp_num_max_i64(input.tiers, tiers);
    input.whole_units = tiers > 0;
    (void)gp_fabric_size_of(&input, NULL, ret);
    ret->unit_nodes = gp_num_max_i64(1, ret->unit_nodes / ports);
    ret->max_nodes_two_tier /= ports;
}

void gp_plan_fabric(const gp_plan_context *plan, size_t unit, int64_t nodes, gp_fabric_size *ret) {
    size_fabric(plan, unit, nodes, 0, ret);
}

static int64_t switches_of(const gp_fabric_size *size) {
    return size->leaf + size->spine + size->core;
}

/* Rails that share leaves are taken apart as they grow. So the leaves come by whole units, or all
 * at once for as many machines as there will be, whichever takes fewer switches in the end. */
static void size_leaves(const gp_plan_context *plan, size_t unit, int64_t nodes,
                        const gp_shell *shell, gp_fabric_size *ret) {
    const int64_t cables = ret->node_leaf_cables;
    const int64_t most = gp_num_max_i64(nodes, shell->nodes);
    gp_fabric_size units;
    size_fabric(plan, unit, most, shell->tiers, &units);
    gp_plan_fabric(plan, unit, most, ret);
    if (switches_of(ret) >= switches_of(&units))
        size_fabric(plan, unit, nodes, shell->tiers, ret);
    else
        ret->node_leaf_cables = cables;
}

/* A spine that is too small strands the leaves that hang on it: it is built once. */
void gp_plan_fabric_built(const gp_plan_context *plan, size_t unit, int64_t nodes,
                          gp_fabric_size *ret) {
    gp_plan_fabric(plan, unit, nodes, ret);
    if (plan->shells == NULL || ret->tiers == 0)
        return;
    const gp_shell *shell = &plan->shells[unit];
    if (shell->tiers > 1)
        size_leaves(plan, unit, nodes, shell, ret);
    ret->spine = gp_num_max_i64(ret->spine, shell->spine);
    ret->core = gp_num_max_i64(ret->core, shell->core);
}

/* A fabric that the spec tells of, by itself or by its pools, stands for all machines that are
 * connected to it, used or not; of any other nobody says that there is one. */
int64_t gp_plan_fabric_nodes(const gp_plan_context *plan, const gp_ledger *ledger, size_t unit) {
    const bool told = plan->units[unit].fabric_stated || gp_plan_compute_fabric(plan, unit) != NULL;
    const int64_t there = told ? plan->units[unit].fabric_nodes : 0;
    const int64_t before = plan->wired != NULL ? plan->wired[unit] : 0;
    return gp_num_max_i64(ledger->kinds[unit].fabric_nodes, gp_num_max_i64(there, before));
}

const char *gp_plan_switch_id(const gp_switch *product) {
    if (product == NULL)
        return NULL;
    return product->id != NULL ? product->id : product->extends;
}

double gp_plan_switch_w(const gp_plan_context *plan, const gp_switch *product, gp_ref *ret_where) {
    *ret_where = (gp_ref){0};
    if (product == NULL)
        return 0;
    *ret_where = GP_REF(product, gp_switch, max_power_w);
    if (product->max_power_w > 0)
        return product->max_power_w;
    *ret_where = GP_REF(product, gp_switch, typical_power_w);
    if (product->typical_power_w > 0)
        return product->typical_power_w;
    *ret_where = GP_REF(plan->constants, gp_constants, facility_switch_j_per_bit);
    return (double)product->ports * product->port_bits_per_s *
           plan->constants->facility_switch_j_per_bit;
}
