/*
 * Size of a fabric from the number of machines. A reference design states its scalable unit: leaves
 * for whole units, and spines so that every leaf has the same number of links to every spine; that
 * reproduces the published tables (tests/reference/fabric.csv). Where no unit is stated, switches
 * are as few as their ports allow. Racks of hosts have a leaf a rail for as many racks as it takes,
 * a dragonfly groups of switches that all know each other (docs/formulas.md, "Fabric").
 */
#include "estimate/estimate.h"

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
        if (links % d == 0)
            return d;
    }
    return links;
}

/* One switch a plane carries all rails of a few machines, or, when one tier is asked for, each rail
 * of a whole machine room has a switch of its own; rails then meet inside the machines only. */
static bool one_tier(const gp_fabric_input *input, const plan *p, gp_fabric_size *ret) {
    bool shared = p->nodes * p->rails + input->management_ports <= p->radix && !input->grouped;
    bool own = input->tiers == 1 && p->nodes <= p->radix;
    if (input->tiers > 1 || !(shared || own))
        return false;
    ret->leaf = p->planes * (shared ? 1 : p->rails);
    ret->units = 1;
    ret->tiers = 1;
    ret->bytes_per_s[1] = ret->bytes_per_s[0];
    ret->bytes_per_s[2] = ret->bytes_per_s[0];
    return true;
}

/* A spine keeps half its ports for the core. */
static bool three_tiers(const gp_fabric_input *input, const plan *p, int64_t plane_leaves,
                        int64_t plane_links, gp_fabric_size *ret) {
    int64_t half = gp_num_max_i64(p->radix / 2, 1);
    int64_t spines = divide_up(plane_links, half);
    ret->tiers = 3;
    ret->spine = p->planes * spines;
    ret->core = p->planes * divide_up(spines * half, p->radix);
    ret->spine_core_cables = ret->leaf_spine_cables;
    return input->tiers != 2 && plane_leaves <= p->radix * half;
}

typedef struct leaves {
    int64_t count, hosts, links; /* leaves alike, and of each: ports down, links up */
} leaves;

/* Every spine carries as many links of a leaf as any other, and the leaf has the ports for it. */
static bool spreads(const leaves *all, size_t kinds, int64_t spines, int64_t radix) {
    int64_t ports = 0;
    for (size_t i = 0; i < kinds; i++) {
        int64_t each = divide_up(all[i].links, spines);
        ports += all[i].count * each;
        if (all[i].count > 0 && all[i].hosts + each * spines > radix)
            return false;
    }
    return ports <= radix;
}

/* Fewest spines that give every leaf as many links to each of them. */
static int64_t fewest_spines(const leaves *all, size_t kinds, int64_t radix) {
    int64_t links = 0, most = 1;
    for (size_t i = 0; i < kinds; i++) {
        links += all[i].count * all[i].links;
        most = gp_num_max_i64(most, all[i].count > 0 ? all[i].links : 0);
    }
    int64_t spines = gp_num_max_i64(divide_up(links, radix), 1);
    while (spines < most && !spreads(all, kinds, spines, radix))
        spines++;
    return spines;
}

/* Racks that make up no whole number of the maker's units: leaves of a rail each, as few as their
 * ports allow, and spines that all of them share. */
static bool few_rail_leaves(const gp_fabric_input *input, const plan *p, gp_fabric_size *ret) {
    int64_t hosts = ret->units * p->unit_nodes;
    int64_t each = divide_up(hosts, p->down);
    int64_t held = divide_up(hosts, each);
    const leaves all = {each * p->rails, held,
                        gp_num_ceil_count((double)held / p->oversubscription)};
    if (input->group_units <= 0 || ret->units % input->group_units == 0 || all.count > p->radix)
        return false;
    ret->tiers = 2;
    ret->leaf = all.count * p->planes;
    ret->leaf_spine_cables = gp_num_ceil_count((double)(hosts * p->rails) / p->oversubscription);
    ret->spine = p->planes * fewest_spines(&all, 1, p->radix);
    return true;
}

/* A group is one rail of many racks: its leaves and spines meet no other rail's below the core, and
 * spines keep half their ports upward, so that pods can be joined later. A leaf serves as many
 * whole racks as its ports take. */
static void grouped_tiers(const gp_fabric_input *input, const plan *p, gp_fabric_size *ret) {
    if (few_rail_leaves(input, p, ret))
        return;
    int64_t half = gp_num_max_i64(p->radix / 2, 1);
    int64_t racks = gp_num_max_i64(gp_num_min_i64(p->down / p->unit_nodes, ret->units), 1);
    int64_t rail_leaves = divide_up(ret->units, racks) * p->unit_leaves;
    int64_t hosts = gp_num_min_i64(racks * p->unit_nodes, p->down);
    int64_t links = gp_num_ceil_count((double)hosts / p->oversubscription);
    ret->leaf = rail_leaves * p->rails * p->planes;
    ret->leaf_spine_cables = ret->leaf * links / p->planes;
    ret->tiers = 2;
    int64_t group_leaves = gp_num_min_i64(rail_leaves, half);
    int64_t groups = divide_up(ret->leaf, group_leaves);
    ret->spine = groups * spines_for(links, divide_up(group_leaves * links, half));
    if (groups > p->rails * p->planes) {
        ret->tiers = 3;
        ret->spine_core_cables = ret->leaf_spine_cables;
        ret->core = divide_up(ret->leaf_spine_cables, p->radix);
    }
}

/* Groups of switches that all have a link to one another, each with a quarter of its ports for
 * hosts and a quarter for other groups: the balanced dragonfly. */
static bool dragonfly(const plan *p, gp_fabric_size *ret) {
    int64_t hosts = gp_num_max_i64(p->radix / 4, 1);
    int64_t group = 2 * hosts;
    int64_t ports = p->nodes * p->rails;
    int64_t groups = divide_up(ports, hosts * group);
    int64_t switches = groups > 1 ? groups * group : divide_up(ports, hosts);
    ret->units = groups;
    ret->leaf = p->planes * switches;
    ret->tiers = groups > 1 ? 2 : 1;
    ret->leaf_spine_cables = switches * (gp_num_min_i64(group, switches) - 1) / 2;
    ret->spine_core_cables = groups > 1 ? switches * hosts / 2 : 0;
    return ports <= hosts * group * (hosts * group + 1);
}

/* Kinds of leaves where no unit is stated: whole ones of a rail each, then what is left over, whose
 * rails share leaves, as many rails as one takes. */
enum { WHOLE, SHARED, LAST, LEAF_KINDS };

static void few_leaves(const plan *p, leaves ret_leaves[LEAF_KINDS]) {
    int64_t rest = p->nodes % p->down;
    int64_t rails = rest > 0 ? gp_num_min_i64(p->down / rest, p->rails) : 1;
    int64_t shared = rest > 0 ? p->rails / rails : 0;
    int64_t left = rest > 0 ? p->rails % rails : 0;
    ret_leaves[WHOLE] = (leaves){p->nodes / p->down * p->rails, p->down, 0};
    ret_leaves[SHARED] = (leaves){shared, rails * rest, 0};
    ret_leaves[LAST] = (leaves){left > 0 ? 1 : 0, left * rest, 0};
    for (int i = 0; i < LEAF_KINDS; i++)
        ret_leaves[i].links = gp_num_ceil_count((double)ret_leaves[i].hosts / p->oversubscription);
}

static bool few_tiers(const gp_fabric_input *input, const plan *p, gp_fabric_size *ret) {
    leaves all[LEAF_KINDS];
    int64_t count = 0, links = 0;
    few_leaves(p, all);
    for (int i = 0; i < LEAF_KINDS; i++) {
        count += all[i].count;
        links += all[i].count * all[i].links;
    }
    ret->units = divide_up(p->nodes, p->down);
    ret->leaf = p->planes * count;
    ret->leaf_spine_cables = links;
    ret->tiers = 2;
    if (count <= p->radix && input->tiers != 3) {
        ret->spine = p->planes * fewest_spines(all, LEAF_KINDS, p->radix);
        return true;
    }
    return three_tiers(input, p, count, links, ret);
}

static bool upper_tiers(const gp_fabric_input *input, const plan *p, gp_fabric_size *ret) {
    ret->units = divide_up(p->nodes, p->unit_nodes);
    if (input->dragonfly)
        return dragonfly(p, ret);
    if (input->grouped) {
        grouped_tiers(input, p, ret);
        return true;
    }
    if (input->unit_nodes <= 0 && !input->whole_units)
        return few_tiers(input, p, ret);
    ret->leaf = ret->units * p->rails * p->planes * p->unit_leaves;
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
    return three_tiers(input, p, plane_leaves, plane_leaves * links, ret);
}

static bool in_range(const gp_fabric_input *input) {
    return input->nodes >= 0 && input->nodes <= MAX_NODES && input->hosts <= MAX_RAILS &&
           input->unit_nodes <= MAX_NODES && input->radix >= 2 && input->radix <= MAX_PORTS &&
           input->rails <= MAX_RAILS && input->planes <= MAX_RAILS;
}

/* A group's spines take as many leaves as half their ports, the others' all leaves of a plane. */
static int64_t two_tier_hosts(const gp_fabric_input *input, const plan *p) {
    int64_t quarter = p->radix / 4;
    if (input->dragonfly)
        return 2 * quarter * quarter * (2 * quarter * quarter + 1) / p->rails;
    int64_t units =
        input->grouped ? p->radix / 2 / p->unit_leaves : p->radix / (p->rails * p->unit_leaves);
    return units * p->unit_nodes;
}

static void trace_fabric(const gp_fabric_size *size, gp_trace *trace) {
    gp_ref limit = GP_REF_TERM(GP_TERM_FABRIC_TWO_TIER_NODES);
    GP_TRACE(trace, GP_TERM_FABRIC_LEAF, (double)size->leaf, limit, limit);
    GP_TRACE(trace, GP_TERM_FABRIC_SPINE, (double)size->spine, GP_REF_TERM(GP_TERM_FABRIC_LEAF),
             limit);
    GP_TRACE(trace, GP_TERM_FABRIC_CORE, (double)size->core, GP_REF_TERM(GP_TERM_FABRIC_SPINE),
             limit);
    GP_TRACE(trace, GP_TERM_FABRIC_TWO_TIER_NODES, (double)size->max_nodes_two_tier, limit, limit);
}

gp_status gp_fabric_size_of(const gp_fabric_input *input, gp_trace *trace, gp_fabric_size *ret) {
    *ret = (gp_fabric_size){0};
    if (!in_range(input))
        return GP_ERR_LIMIT;
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
    if (trace != NULL)
        trace_fabric(ret, trace);
    return GP_OK;
}
