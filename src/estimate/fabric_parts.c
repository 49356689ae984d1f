/*
 * What a fabric is bought as and what it can still take on: cables, modules, adapters; the
 * management network; how far it grows before cables, spines or tiers change; and what a test of
 * it should print (docs/formulas.md, "Fabric").
 */
#include "estimate/facility.h"

#include "base/num.h"

static int64_t divide_up(int64_t a, int64_t b) {
    return (a + b - 1) / b;
}

/* A machine's end of a cable has a module of its own; the ends at switches share twin modules. */
void gp_fabric_parts_of(const gp_fabric_size *size, int64_t ports_per_transceiver,
                        gp_fabric_parts *ret) {
    int64_t twin = gp_num_max_i64(ports_per_transceiver, 1);
    int64_t between = size->leaf_spine_cables + size->spine_core_cables;
    *ret = (gp_fabric_parts){
        .switches = size->leaf + size->spine + size->core,
        .cables = size->node_leaf_cables + between,
        .nics = size->node_leaf_cables,
        .transceivers = size->node_leaf_cables + divide_up(size->node_leaf_cables, twin) +
                        2 * divide_up(between, twin),
    };
}

static int64_t nodes_while(const gp_fabric_input *input, int64_t low, int64_t high,
                           bool (*holds)(const gp_fabric_size *, const gp_fabric_size *),
                           const gp_fabric_size *now) {
    gp_fabric_input tried = *input;
    while (low < high) {
        int64_t middle = low + (high - low + 1) / 2;
        gp_fabric_size size;
        tried.nodes = middle;
        bool good =
            gp_fabric_size_of(&tried, NULL, &size) == GP_OK && size.feasible && holds(&size, now);
        low = good ? middle : low;
        high = good ? high : middle - 1;
    }
    return low;
}

static bool same_spines(const gp_fabric_size *size, const gp_fabric_size *now) {
    return size->spine == now->spine && size->tiers == now->tiers;
}

static bool same_leaves(const gp_fabric_size *size, const gp_fabric_size *now) {
    return size->leaf == now->leaf && size->tiers == now->tiers;
}

static bool no_more_tiers(const gp_fabric_size *size, const gp_fabric_size *now) {
    return size->tiers <= gp_num_max_i64(now->tiers, 2);
}

static bool any(const gp_fabric_size *size, const gp_fabric_size *now) {
    (void)now;
    return size->feasible;
}

gp_status gp_fabric_room_of(const gp_fabric_input *input, gp_fabric_room *ret) {
    gp_fabric_size now;
    *ret = (gp_fabric_room){0};
    gp_status st = gp_fabric_size_of(input, NULL, &now);
    if (st != GP_OK || !now.feasible || input->nodes < 1)
        return st;
    int64_t half = gp_num_max_i64(input->radix / 2, 1);
    int64_t planes = gp_num_max_i64(input->planes, 1);
    int64_t most = gp_num_min_i64(planes * half * half * input->radix, (int64_t)1 << 24);
    ret->unit_nodes = nodes_while(input, input->nodes, most, same_leaves, &now);
    ret->spine_nodes = nodes_while(input, input->nodes, most, same_spines, &now);
    ret->tier_nodes = nodes_while(input, input->nodes, most, no_more_tiers, &now);
    ret->most_nodes = nodes_while(input, input->nodes, most, any, &now);
    return GP_OK;
}

int64_t gp_management_switches(int64_t devices, int64_t radix, int64_t uplinks) {
    int64_t down = radix - uplinks;
    if (devices < 1 || down < 1)
        return 0;
    int64_t access = divide_up(devices, down);
    /* Several are joined by one more above them. */
    return access > 1 ? access + divide_up(access * gp_num_max_i64(uplinks, 1), radix) : access;
}

