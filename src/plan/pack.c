/*
 * Replicas and jobs that are smaller than a machine, onto machines with others of their kind, those
 * of one service no closer than its availability allows.
 */
#include "plan/pack.h"

#include "base/num.h"

static void add_piece(gp_claim *claim, int64_t gpus, int64_t count) {
    if (gpus > 0 && count > 0)
        claim->pieces[claim->piece_count++] = (gp_piece){gpus, count};
}

/* Pieces of one service on a machine count as one: no two of those share a machine. */
static void add_group(gp_claim *claim, const gp_group *group, int64_t per_node) {
    const int64_t each = group->most_per_node;
    if (each <= 0) {
        add_piece(claim, group->gpus, group->count);
        return;
    }
    const int64_t fit = gp_num_min_i64(each, per_node / group->gpus);
    add_piece(claim, group->gpus * fit, group->count / fit);
    add_piece(claim, group->gpus * (group->count % fit), 1);
    claim->least_nodes = gp_num_max_i64(claim->least_nodes, (group->count + fit - 1) / fit);
}

void gp_pack_add(gp_packing *p, const gp_claim *claim) {
    for (int k = 0; k < claim->piece_count; k++)
        p->pieces[claim->pieces[k].gpus] += claim->pieces[k].count;
    p->least_nodes = gp_num_max_i64(p->least_nodes, claim->least_nodes);
    if (claim->part == NULL)
        return;
    p->parts[claim->part->index] += claim->part_count;
    p->part_count += claim->part_count;
}

/* So many pieces onto `nodes` machines with `room` each; returns those that found a place. */
static int64_t fill(gp_packing *p, int64_t gpus, int64_t count, int64_t room, int64_t nodes) {
    const int64_t each = room / gpus;
    const int64_t placed = gp_num_min_i64(count, each * nodes);
    const int64_t full = placed / each;
    const int64_t rest = placed % each;
    p->left[room - each * gpus] += full;
    if (rest > 0)
        p->left[room - rest * gpus]++;
    if (room < p->per_node)
        p->left[room] -= full + (rest > 0 ? 1 : 0);
    return placed;
}

/* The largest pieces first, each where it leaves the least. Pieces of powers of two pack as well
 * as any order can (Coffman, Garey and Johnson, "Bin packing with divisible item sizes", 1987). */
static void pack(gp_packing *p) {
    for (int64_t gpus = p->per_node; gpus > 0; gpus--) {
        int64_t count = p->pieces[gpus];
        for (int64_t room = gpus; room < p->per_node && count > 0; room++)
            if (p->left[room] > 0)
                count -= fill(p, gpus, count, room, p->left[room]);
        if (count <= 0)
            continue;
        const int64_t each = p->per_node / gpus;
        const int64_t nodes = (count + each - 1) / each;
        (void)fill(p, gpus, count, p->per_node, nodes);
        p->nodes += nodes;
    }
    p->nodes = gp_num_max_i64(p->nodes, p->least_nodes);
}

static void pack_again(gp_packing *p, int64_t part_gpus) {
    p->pieces[1] += part_gpus - p->part_gpus;
    p->part_gpus = part_gpus;
    p->nodes = 0;
    for (int64_t i = 0; i <= p->per_node; i++)
        p->left[i] = 0;
    pack(p);
}

void gp_pack_with_parts(gp_packing *p, bool fewest_gpus) {
    pack_again(p, p->part_count);
    const int64_t whole = p->nodes;
    if (p->part_count < 2)
        return;
    pack_again(p, gp_parts_gpus(p->partition, p->parts));
    if (p->nodes >= whole && !fewest_gpus)
        pack_again(p, p->part_count);
}

void gp_pack_start(const gp_plan_context *plan, int64_t per_node, gp_packing *ret) {
    *ret = (gp_packing){.per_node = per_node, .pieces = plan->pieces, .left = plan->left};
    for (int64_t i = 0; i <= per_node; i++)
        ret->pieces[i] = ret->left[i] = 0;
}

static bool fills(const gp_candidate *candidate, const gp_group *group) {
    return group->nodes > 1 || group->gpus >= candidate->unit->machine.gpus;
}

/* Machines that it fills by itself. */
static int64_t filled_nodes(const gp_candidate *candidate) {
    int64_t nodes = 0;
    for (int g = 0; g < candidate->group_count; g++)
        if (fills(candidate, &candidate->groups[g]))
            nodes += candidate->groups[g].count * candidate->groups[g].nodes;
    return nodes;
}

/* Pieces of the machines that it shares; of parts of GPUs none. */
static void add_groups(const gp_candidate *candidate, gp_claim *claim) {
    for (int g = 0; g < candidate->group_count; g++)
        if (!fills(candidate, &candidate->groups[g]))
            add_group(claim, &candidate->groups[g], candidate->unit->machine.gpus);
}

void gp_pack_claim(const gp_candidate *candidate, gp_claim *claim) {
    claim->filled_nodes = filled_nodes(candidate);
    if (claim->part == NULL)
        add_groups(candidate, claim);
    else
        for (int g = 0; g < candidate->group_count; g++)
            claim->part_count += fills(candidate, &candidate->groups[g]) ? 0 : 1;
}

int64_t gp_pack_nodes(const gp_plan_context *plan, const gp_candidate *candidate) {
    gp_packing shared;
    gp_claim claim = {0};
    gp_pack_start(plan, candidate->unit->machine.gpus, &shared);
    add_groups(candidate, &claim);
    gp_pack_add(&shared, &claim);
    pack(&shared);
    return filled_nodes(candidate) + shared.nodes;
}
