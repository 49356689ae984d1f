/*
 * Machines into racks: the least of what power, cooling, height, weight and the maker's own rack
 * allow, and which of them it was. Rack-scale systems fill racks of their own (docs/formulas.md,
 * "Racks").
 */
#include "estimate/estimate.h"

#include "base/num.h"

enum { LIMITS = GP_RACK_PUBLISHED + 1 };

typedef struct limit {
    bool given;
    double have, need; /* of the rack, by one machine; a need of 0 is not known */
} limit;

static void limits_of(const gp_rack_input *input, double share, limit ret_limits[LIMITS]) {
    double left_u = gp_num_max(input->rack_u - input->used_u, 0);
    ret_limits[GP_RACK_POWER] = (limit){input->rack_w > 0, input->rack_w, input->node_w / share};
    ret_limits[GP_RACK_COOLING] =
        (limit){input->cooling_w > 0, input->cooling_w,
                (input->peak_w > 0 ? input->peak_w : input->node_w) / share};
    ret_limits[GP_RACK_HEIGHT] = (limit){input->rack_u > 0, left_u, input->node_u / share};
    ret_limits[GP_RACK_WEIGHT] =
        (limit){input->rack_kg > 0, input->rack_kg, input->node_kg / share};
    ret_limits[GP_RACK_PUBLISHED] =
        (limit){input->published_nodes > 0, (double)input->published_nodes, 1};
}

static int64_t least(const limit limits[LIMITS], gp_rack_limit *ret_bound) {
    int64_t most = INT64_MAX;
    *ret_bound = GP_RACK_HEIGHT;
    for (int i = 0; i < LIMITS; i++) {
        if (!limits[i].given || !(limits[i].need > 0))
            continue;
        int64_t fit = gp_num_floor_count(limits[i].have / limits[i].need);
        if (fit < most) {
            most = fit;
            *ret_bound = (gp_rack_limit)i;
        }
    }
    return most;
}

void gp_rack_size_of(const gp_rack_input *input, gp_rack_size *ret) {
    *ret = (gp_rack_size){0};
    bool whole = input->racks_per_node > 0;
    double share = whole ? (double)input->racks_per_node : 1;
    limit limits[LIMITS];
    limits_of(input, share, limits);
    if (whole) {
        /* The system is its own rack: the site's height does not apply. */
        limits[GP_RACK_HEIGHT] = (limit){0};
        limits[GP_RACK_PUBLISHED] = (limit){0};
    }
    int64_t fit = least(limits, &ret->bound_by);
    ret->too_small = fit < 1;
    ret->have = limits[ret->bound_by].have;
    ret->need = limits[ret->bound_by].need;
    ret->fits = whole ? 1 : gp_num_max_i64(fit, 1);
    fit = gp_num_min_i64(ret->fits, gp_num_max_i64(input->nodes, 1));
    ret->nodes_per_rack = fit;
    ret->racks = whole ? input->nodes * input->racks_per_node : (input->nodes + fit - 1) / fit;
    ret->rack_w = (double)fit * input->node_w / share;
    ret->heat_w = (double)fit * input->peak_w / share;
}
