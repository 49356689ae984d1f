/*
 * The three heaps of a run: replicas by the end of their piece, a replica's decoding requests by
 * their last step, and events outside of the replicas by time. Ties go to the lower index or the
 * earlier entry, so that no run depends on where memory lies.
 */
#include "simulate/sim.h"

#include "base/num.h"

/* ---- replicas */

static bool ends_before(const gp_sim *sim, int32_t a, int32_t b) {
    double at_a = sim->replicas[a].end_s;
    double at_b = sim->replicas[b].end_s;
    return at_a < at_b || (!(at_b < at_a) && a < b);
}

static void place_replica(gp_sim *sim, int32_t at, int32_t replica) {
    sim->heap[at] = replica;
    sim->replicas[replica].heap_at = at;
}

void gp_replica_heap_fix(gp_sim *sim, gp_replica *replica) {
    int32_t at = replica->heap_at;
    int32_t self = replica->index;
    while (at > 0 && ends_before(sim, self, sim->heap[(at - 1) / 2])) {
        place_replica(sim, at, sim->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    for (;;) {
        int32_t child = 2 * at + 1;
        if (child >= sim->heap_count)
            break;
        if (child + 1 < sim->heap_count && ends_before(sim, sim->heap[child + 1], sim->heap[child]))
            child++;
        if (!ends_before(sim, sim->heap[child], self))
            break;
        place_replica(sim, at, sim->heap[child]);
        at = child;
    }
    place_replica(sim, at, self);
}

/* ---- the least loaded */

static int tree_of(gp_pool_role role) {
    return role == GP_POOL_PREFILL ? 1 : 0;
}

void gp_loads_init(gp_sim *sim) {
    sim->leaves = 1;
    while (sim->leaves < sim->replica_count)
        sim->leaves *= 2;
    for (int k = 0; k < 2; k++) {
        sim->least[k] = GP_NEW_ARRAY(sim->arena, int32_t, 2 * (size_t)sim->leaves);
        for (int32_t i = 0; i < 2 * sim->leaves; i++)
            sim->least[k][i] = GP_NOBODY;
    }
}

/* The less loaded of two neighbours; the left one has the lower index. */
static int32_t lighter(const gp_sim *sim, int32_t left, int32_t right) {
    if (left == GP_NOBODY || right == GP_NOBODY)
        return left == GP_NOBODY ? right : left;
    bool less = gp_replica_load(&sim->replicas[right]) < gp_replica_load(&sim->replicas[left]);
    return less ? right : left;
}

void gp_load_changed(gp_sim *sim, gp_replica *replica) {
    const int64_t load = replica->state == GP_STATE_UP ? gp_replica_load(replica) : -1;
    if (load == replica->told_load)
        return;
    replica->told_load = load;
    int32_t *tree = sim->least[tree_of(replica->role)];
    int32_t at = sim->leaves + replica->index;
    tree[at] = replica->state == GP_STATE_UP ? replica->index : GP_NOBODY;
    for (at /= 2; at >= 1; at /= 2) {
        const int32_t before = tree[at];
        tree[at] = lighter(sim, tree[2 * at], tree[2 * at + 1]);
        /* Another is named still: nothing above looks at this one. */
        if (tree[at] == before && before != replica->index)
            break;
    }
}

gp_replica *gp_load_least(gp_sim *sim, gp_pool_role role) {
    int32_t root = sim->least[tree_of(role)][1];
    return root == GP_NOBODY ? NULL : &sim->replicas[root];
}

/* ---- decoding requests */

static bool done_before(gp_sim *sim, const gp_due *a, const gp_due *b) {
    return a->end_iteration < b->end_iteration ||
           (a->end_iteration == b->end_iteration &&
            gp_live_at(sim, a->request)->number < gp_live_at(sim, b->request)->number);
}

static void settle_request(gp_sim *sim, gp_replica *replica, int64_t at, gp_due due) {
    gp_due *heap = replica->heap;
    for (; at > 0 && done_before(sim, &due, &heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    for (;;) {
        int64_t child = 2 * at + 1;
        if (child >= replica->decoding)
            break;
        if (child + 1 < replica->decoding && done_before(sim, &heap[child + 1], &heap[child]))
            child++;
        if (!done_before(sim, &heap[child], &due))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = due;
}

void gp_decode_heap_push(gp_sim *sim, gp_replica *replica, gp_due due) {
    gp_live_at(sim, due.request)->decodes = true;
    replica->decoding++;
    settle_request(sim, replica, replica->decoding - 1, due);
}

/* Mostly it is the first of them. */
void gp_decode_heap_remove(gp_sim *sim, gp_replica *replica, int32_t request) {
    const gp_due last = replica->heap[--replica->decoding];
    int64_t at = 0;
    gp_live_at(sim, request)->decodes = false;
    while (at < replica->decoding && replica->heap[at].request != request)
        at++;
    if (at < replica->decoding)
        settle_request(sim, replica, at, last);
}

/* ---- events */

static bool due_before(const gp_event *a, const gp_event *b) {
    return a->at_s < b->at_s || (!(b->at_s < a->at_s) && a->order < b->order);
}

void gp_event_push(gp_sim *sim, gp_event event) {
    gp_event *events = gp_arena_grow(sim->arena, sim->events, sim->event_count,
                                     &sim->event_capacity, sizeof *events);
    sim->events = events;
    event.order = sim->event_order++;
    size_t at = sim->event_count++;
    while (at > 0 && due_before(&event, &events[(at - 1) / 2])) {
        events[at] = events[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    events[at] = event;
}

gp_event gp_event_pop(gp_sim *sim) {
    gp_event *events = sim->events;
    gp_event first = events[0];
    gp_event last = events[--sim->event_count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= sim->event_count)
            break;
        if (child + 1 < sim->event_count && due_before(&events[child + 1], &events[child]))
            child++;
        if (!due_before(&events[child], &last))
            break;
        events[at] = events[child];
        at = child;
    }
    events[at] = last;
    return first;
}
