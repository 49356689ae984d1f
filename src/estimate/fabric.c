/*
 * Size of a rail-optimised or fat-tree fabric from the number of machines: leaves per scalable
 * unit, spines so that every leaf has the same number of links to every spine, and a core layer
 * once the leaves outnumber a spine's ports. The rules reproduce the published tables of the DGX
 * SuperPOD reference architectures (tests/reference/fabric.csv; docs/formulas.md, "Fabric").
 */
#include <gpuplan/estimate.h>

#include "base/num.h"

/* Beyond these no fabric is built; below them no count overflows. */
enum { BITS_PER_BYTE = 8, MAX_NODES = 1 << 24, MAX_PORTS = 1 << 16, MAX_RAILS = 1 << 10 };

/* Input with every default filled in. */
typedef struct plan {
    int64_t nodes, rails, planes, radix, gpus;
    int64_t down; /* leaf ports to machines */
    int64_t unit_nodes;
    int64_t unit_leaves; /* per unit, rail and plane */
    double oversubscription;
} plan;

static int64_t divide_up(int64_t a, int64_t b) {
    return (a + b - 1) / b;
}

static int64_t down_ports(int64_t radix, double oversubscription) {
    int64_t up = gp_num_floor_count((double)radix / (1 + oversubscription));
    return gp_num_max_i64(radix - gp_num_max_i64(up, 1), 1);
}

static plan plan_of(const gp_fabric_input *input) {
    plan p = {.nodes = input->nodes * gp_num_max_i64(input->hosts, 1),
              .rails = gp_num_max_i64(input->rails, 1),
              .planes = gp_num_max_i64(input->planes, 1),
              .radix = input->radix,
              .oversubscription = gp_num_max(input->oversubscription, 1)};
    p.gpus = input->gpus > 0 ? input->gpus : p.rails;
    p.down = down_ports(p.radix, p.oversubscription);
    p.unit_nodes = input->unit_nodes > 0 ? input->unit_nodes : p.down;
    p.unit_leaves = divide_up(p.unit_nodes, p.down);
    return p;
}

static void set_bandwidth(const gp_fabric_input *input, const plan *p, gp_fabric_size *ret) {
    double port = input->port_bits_per_s / BITS_PER_BYTE;
    double gpu = port * (double)p->planes * (double)p->rails / (double)p->gpus;
    ret->bytes_per_s[0] = gpu;
    ret->bytes_per_s[1] = gpu / p->oversubscription;
    ret->bytes_per_s[2] = gpu / p->oversubscription;
}

/* Smallest divisor of `links` that is at least `need`: only then do the links of a leaf spread
 * evenly. It is what makes the published counts odd: 3 units of 32 take 16 spines, not 12. */
static int64_t spines_for(int64_t links, int64_t need) {
    for (int64_t d = need; d < links; d++) {
        if (links % d == 0) {
            return d;
        }
    }
    return links;
}

/* One switch a plane carries all rails of a few machines, or, when one tier is asked for, each rail
 * of a whole machine room has a switch of its own; rails then meet inside the machines only. */
static bool one_tier(const gp_fabric_input *input, const plan *p, gp_fabric_size *ret) {
    bool shared = p->nodes * p->rails + input->management_ports <= p->radix && !input->grouped;
    bool own = input->tiers == 1 && p->nodes <= p->radix;
    if (input->tiers > 1 || !(shared || own)) {
        return false;
    }
    ret->leaf = p->planes * (shared ? 1 : p->rails);
    ret->units = 1;
    ret->tiers = 1;
    ret->bytes_per_s[1] = ret->bytes_per_s[0];
    ret->bytes_per_s[2] = ret->bytes_per_s[0];
    return true;
}

/* A group is one rail of eight racks or so: its leaves and spines meet no other rail's below the
 * core, and spines keep half their ports upward, so that pods can be joined later. */
static bool grouped_tiers(const plan *p, gp_fabric_size *ret) {
    int64_t half = gp_num_max_i64(p->radix / 2, 1);
    int64_t group_leaves = gp_num_min_i64(ret->units * p->unit_leaves, half);
    int64_t groups = divide_up(ret->leaf, group_leaves);
    int64_t links =
        gp_num_ceil_count((double)gp_num_min_i64(p->unit_nodes, p->down) / p->oversubscription);
    int64_t spines = spines_for(links, divide_up(group_leaves * links, half));
    ret->spine = groups * spines;
    ret->leaf_spine_cables = ret->leaf * links / p->planes;
    ret->tiers = 2;
    if (groups > p->rails * p->planes) {
        ret->tiers = 3;
        ret->spine_core_cables = ret->leaf_spine_cables;
        ret->core = divide_up(ret->leaf_spine_cables, p->radix);
    }
    return true;
}

static bool upper_tiers(const gp_fabric_input *input, const plan *p, gp_fabric_size *ret) {
    ret->units = divide_up(p->nodes, p->unit_nodes);
    ret->leaf = ret->units * p->rails * p->planes * p->unit_leaves;
    if (input->grouped) {
        return grouped_tiers(p, ret);
    }
    int64_t used = gp_num_min_i64(p->unit_nodes, p->down);
    int64_t links = gp_num_ceil_count((double)used / p->oversubscription);
    int64_t plane_leaves = ret->leaf / p->planes;
    /* Cables are laid for whole units; one cable carries the links of all planes. */
    ret->leaf_spine_cables = ret->leaf * links / p->planes;
    if (plane_leaves <= p->radix && input->tiers != 3) {
        ret->tiers = 2;
        ret->spine = p->planes * spines_for(links, divide_up(plane_leaves * links, p->radix));
        return true;
    }
    int64_t half = gp_num_max_i64(p->radix / 2, 1);
    ret->tiers = 3;
    ret->spine = p->planes * divide_up(plane_leaves * links, half);
    ret->core = p->planes * divide_up(ret->spine / p->planes * half, p->radix);
    ret->spine_core_cables = ret->leaf_spine_cables;
    return input->tiers != 2 && plane_leaves <= p->radix * half;
}

static bool in_range(const gp_fabric_input *input) {
    return input->nodes >= 0 && input->nodes <= MAX_NODES && input->hosts <= MAX_RAILS &&
           input->unit_nodes <= MAX_NODES && input->radix >= 2 && input->radix <= MAX_PORTS &&
           input->rails <= MAX_RAILS && input->planes <= MAX_RAILS;
}

/* A group's spines take as many leaves as half their ports, the others' all leaves of a plane. */
static int64_t two_tier_hosts(const gp_fabric_input *input, const plan *p) {
    int64_t units =
        input->grouped ? p->radix / 2 / p->unit_leaves : p->radix / (p->rails * p->unit_leaves);
    return units * p->unit_nodes;
}

static void trace_fabric(const gp_fabric_input *input, const gp_fabric_size *size,
                         gp_trace *trace) {
    gp_ref limit = GP_REF_TERM(GP_TERM_FABRIC_TWO_TIER_NODES);
    gp_ref given =
        input->fabric == NULL ? limit : GP_REF(input->fabric, gp_fabric, oversubscription);
    gp_ref radix = input->fabric == NULL ? limit : GP_REF(input->fabric, gp_fabric, switch_product);
    GP_TRACE(trace, GP_TERM_FABRIC_LEAF, (double)size->leaf, given, radix);
    GP_TRACE(trace, GP_TERM_FABRIC_SPINE, (double)size->spine, GP_REF_TERM(GP_TERM_FABRIC_LEAF),
             given);
    GP_TRACE(trace, GP_TERM_FABRIC_CORE, (double)size->core, GP_REF_TERM(GP_TERM_FABRIC_SPINE),
             limit);
    GP_TRACE(trace, GP_TERM_FABRIC_TWO_TIER_NODES, (double)size->max_nodes_two_tier, given, radix);
}

gp_status gp_fabric_size_of(const gp_fabric_input *input, gp_trace *trace, gp_fabric_size *ret) {
    *ret = (gp_fabric_size){0};
    if (!in_range(input)) {
        return GP_ERR_LIMIT;
    }
    plan p = plan_of(input);
    int64_t hosts = gp_num_max_i64(input->hosts, 1);
    ret->unit_nodes = gp_num_max_i64(p.unit_nodes / hosts, 1);
    ret->max_nodes_two_tier = two_tier_hosts(input, &p) / hosts;
    set_bandwidth(input, &p, ret);
    ret->feasible = true;
    if (p.nodes > 1) {
        ret->node_leaf_cables = p.nodes * p.rails + input->management_ports;
        ret->feasible = one_tier(input, &p, ret) || upper_tiers(input, &p, ret);
        ret->feasible = ret->feasible && !(input->tiers == 1 && ret->tiers > 1);
    }
    if (trace != NULL) {
        trace_fabric(input, ret, trace);
    }
    return GP_OK;
}
