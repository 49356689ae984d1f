/*
 * Who is first in a run: replicas by the end of their piece and by their load, a replica's decoding
 * requests by their last step, and events outside of the replicas by time. Ties go to the lower
 * index or the earlier entry, so that no run depends on where memory lies.
 */
#include "simulate/sim.h"

#include <string.h>

#include "base/num.h"

/* ---- replicas */

static void init_contest(gp_sim *sim, gp_contest *contest) {
    contest->leaves = 1;
    while (contest->leaves < sim->replica_count)
        contest->leaves *= 2;
    const size_t count = 2 * (size_t)contest->leaves;
    contest->keys = GP_NEW_ARRAY(sim->arena, uint64_t, count);
    contest->who = GP_NEW_ARRAY(sim->arena, int32_t, count);
    memset(contest->keys, UINT8_MAX, count * sizeof *contest->keys);
}

static void enter(gp_contest *contest, int32_t who, uint64_t key) {
    uint64_t *keys = contest->keys;
    int32_t at = contest->leaves + who;
    while (keys[at] != key || contest->who[at] != who) {
        keys[at] = key;
        contest->who[at] = who;
        if (at == 1)
            return;
        const int32_t other = at ^ 1;
        const bool left = other < at;
        if (keys[other] < key || (left && keys[other] == key)) {
            key = keys[other];
            who = contest->who[other];
        }
        at /= 2;
    }
}

void gp_contests_init(gp_sim *sim) {
    init_contest(sim, &sim->endings);
    init_contest(sim, &sim->loads[0]);
    init_contest(sim, &sim->loads[1]);
}

/* Times are not negative, so that their bits are in the order of their values. */
void gp_ending_changed(gp_sim *sim, const gp_replica *replica) {
    uint64_t bits = 0;
    memcpy(&bits, &replica->end_s, sizeof bits);
    enter(&sim->endings, replica->index, bits);
}

gp_replica *gp_ending_first(gp_sim *sim) {
    return &sim->replicas[sim->endings.who[1]];
}

static gp_contest *loads_of(gp_sim *sim, gp_pool_role role) {
    return &sim->loads[role == GP_POOL_PREFILL ? 1 : 0];
}

void gp_load_changed(gp_sim *sim, gp_replica *replica) {
    const bool up = replica->state == GP_STATE_UP;
    enter(loads_of(sim, replica->role), replica->index,
          up ? (uint64_t)gp_replica_load(replica) : UINT64_MAX);
}

gp_replica *gp_load_least(gp_sim *sim, gp_pool_role role) {
    const gp_contest *loads = loads_of(sim, role);
    return loads->keys[1] < UINT64_MAX ? &sim->replicas[loads->who[1]] : NULL;
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
    replica->heap = gp_arena_grow(sim->arena, replica->heap, (size_t)replica->decoding,
                                  &replica->heap_room, sizeof due);
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
