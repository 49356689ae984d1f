/*
 * Many replicas: which one a request goes to, caches on their way from prefill to decode, replicas
 * that fail and come back, and the autoscaler that starts and drains them.
 */
#include <math.h>

#include "base/num.h"
#include "simulate/sim.h"

enum { STREAM_FAILURES = 16 };

const char *gp_router_name(gp_router router) {
    static const char *const names[] = {
        [GP_ROUTER_LEAST_LOADED] = "leastLoaded",
        [GP_ROUTER_ROUND_ROBIN] = "roundRobin",
        [GP_ROUTER_PREFIX_AWARE] = "prefixAware",
    };
    return names[router];
}

/* ---- routing */

static bool takes(const gp_replica *replica, gp_pool_role role) {
    return replica->role == role && replica->state == GP_STATE_UP;
}

static gp_replica *next_in_turn(gp_sim *sim, gp_pool_role role) {
    for (int32_t i = 0; i < sim->replica_count; i++) {
        int32_t at = (sim->next_turn[role] + i) % sim->replica_count;
        if (takes(&sim->replicas[at], role)) {
            sim->next_turn[role] = at + 1;
            return &sim->replicas[at];
        }
    }
    return NULL;
}

/* The replica that has most of the prefix; where none has any, the one that the group's number
 * names, so that the first requests of a group meet. */
static gp_replica *by_prefix(gp_sim *sim, gp_pool_role role, int64_t group) {
    gp_replica *best = NULL;
    gp_replica *named = NULL;
    int64_t seen = 0;
    int64_t up = 0;
    int64_t longest = 0;
    for (int32_t i = 0; i < sim->replica_count; i++)
        up += takes(&sim->replicas[i], role) ? 1 : 0;
    for (int32_t i = 0; up > 0 && i < sim->replica_count; i++) {
        gp_replica *replica = &sim->replicas[i];
        if (!takes(replica, role))
            continue;
        int64_t there = gp_prefix_there(&replica->blocks, group);
        if (there > longest) {
            longest = there;
            best = replica;
        }
        named = seen++ == group % up ? replica : named;
    }
    return best != NULL ? best : named;
}

static gp_replica *prefix_aware(gp_sim *sim, gp_pool_role role, int64_t group) {
    gp_replica *idlest = gp_load_least(sim, role);
    gp_replica *wanted = by_prefix(sim, role, group);
    if (idlest == NULL || wanted == NULL)
        return idlest;
    double least = (double)gp_replica_load(idlest);
    double bound = gp_num_max(sim->config->imbalance_ratio * least,
                              least + (double)sim->config->imbalance_requests);
    return (double)gp_replica_load(wanted) <= bound ? wanted : idlest;
}

static void account_unrouted(gp_sim *sim) {
    double count = (double)sim->unrouted.count;
    const double values[GP_SERIES_KINDS] = {[GP_SERIES_WAITING] = count};
    if (sim->unrouted.count > 0) {
        gp_series_add(&sim->series, sim->unrouted_accounted_s, sim->now_s, values);
        sim->area_s += (sim->now_s - sim->unrouted_accounted_s) * count;
    }
    sim->unrouted_accounted_s = sim->now_s;
}

void gp_route(gp_sim *sim, int32_t request) {
    const gp_live *live = gp_live_at(sim, request);
    bool pools = sim->config->prefill_replicas > 0;
    gp_pool_role role = !pools ? GP_POOL_ALL : live->carried ? GP_POOL_DECODE : GP_POOL_PREFILL;
    gp_replica *replica = NULL;
    switch (sim->config->router) {
    case GP_ROUTER_LEAST_LOADED: replica = gp_load_least(sim, role); break;
    case GP_ROUTER_ROUND_ROBIN: replica = next_in_turn(sim, role); break;
    case GP_ROUTER_PREFIX_AWARE: replica = prefix_aware(sim, role, live->group); break;
    }
    if (replica == NULL) {
        account_unrouted(sim);
        gp_list_append(sim, &sim->unrouted, request);
        return;
    }
    gp_replica_accept(sim, replica, request);
}

/* Routes all of a list, the oldest first; what finds no replica waits at the router. */
static void route_all(gp_sim *sim, gp_list *list) {
    while (list->count > 0) {
        int32_t request = list->oldest;
        gp_list_remove(sim, list, request);
        gp_route(sim, request);
    }
}

static void route_waiting(gp_sim *sim) {
    account_unrouted(sim);
    gp_list waiting = sim->unrouted;
    sim->unrouted = (gp_list){.oldest = GP_NOBODY, .newest = GP_NOBODY};
    route_all(sim, &waiting);
}

/* ---- transfers */

static void transferred(gp_sim *sim, const gp_event *event) {
    gp_replica *source = &sim->replicas[event->b];
    gp_live *live = gp_live_at(sim, event->a);
    if (source->epoch != event->epoch) {
        /* The source failed on the way: the token it made is kept, the cache is computed again. */
        gp_live_lose(sim, event->a);
        sim->result->moved++;
        gp_route(sim, event->a);
        return;
    }
    gp_replica_account(sim, source, sim->now_s);
    gp_replica_release(sim, source, live);
    live->carried = true;
    live->wanted_blocks = 0; /* its cache comes whole */
    live->delay_s = 0;
    if (live->first_s < 0)
        live->first_s = sim->now_s;
    gp_route(sim, event->a);
    gp_replica_wake(sim, source);
}

/* ---- failures */

static void plan_failure(gp_sim *sim, int32_t replica) {
    double mean_s = sim->config->failure_mean_s;
    if (!(mean_s > 0))
        return;
    gp_event_push(sim,
                  (gp_event){.at_s = sim->now_s + mean_s * gp_random_exponential(&sim->failures),
                             .kind = GP_EVENT_FAIL,
                             .a = replica,
                             .b = 1,
                             .for_s = sim->config->recovery_s});
}

static void fail(gp_sim *sim, const gp_event *event) {
    gp_replica *replica = &sim->replicas[event->a];
    if (replica->state != GP_STATE_UP && replica->state != GP_STATE_DRAINING) {
        if (event->b == 1)
            plan_failure(sim, event->a);
        return;
    }
    gp_list dropped = {.oldest = GP_NOBODY, .newest = GP_NOBODY};
    gp_replica_abandon(sim, replica, &dropped);
    replica->state = GP_STATE_FAILED;
    gp_load_changed(sim, replica);
    sim->result->failures++;
    sim->result->moved += dropped.count;
    route_all(sim, &dropped);
    gp_event_push(sim, (gp_event){.at_s = sim->now_s + event->for_s,
                                  .kind = GP_EVENT_RECOVER,
                                  .a = event->a,
                                  .b = event->b});
}

static void recover(gp_sim *sim, const gp_event *event) {
    gp_replica *replica = &sim->replicas[event->a];
    gp_replica_account(sim, replica, sim->now_s);
    replica->state = GP_STATE_UP;
    gp_load_changed(sim, replica);
    route_waiting(sim);
    if (event->b == 1)
        plan_failure(sim, event->a);
}

/* ---- autoscaling, of the pool that decodes */

static bool scales(const gp_replica *replica) {
    return replica->role != GP_POOL_PREFILL;
}

static int64_t count_in(const gp_sim *sim, gp_state state) {
    int64_t count = 0;
    for (int32_t i = 0; i < sim->replica_count; i++) {
        const gp_replica *replica = &sim->replicas[i];
        count += scales(replica) && replica->state == state ? 1 : 0;
    }
    return count;
}

static int64_t wanted_replicas(const gp_sim *sim) {
    const gp_sim_autoscale *scale = &sim->config->autoscale;
    int64_t load = sim->unrouted.count;
    for (int32_t i = 0; i < sim->replica_count; i++)
        load += scales(&sim->replicas[i]) ? gp_replica_load(&sim->replicas[i]) : 0;
    int64_t wanted = gp_num_ceil_count((double)load / gp_num_max(scale->target_requests, 1));
    wanted = gp_num_max_i64(wanted, gp_num_max_i64(scale->min_replicas, 1));
    return gp_num_min_i64(wanted, scale->max_replicas);
}

static void start_one(gp_sim *sim) {
    for (int32_t i = 0; i < sim->replica_count; i++) {
        gp_replica *replica = &sim->replicas[i];
        if (scales(replica) && replica->state == GP_STATE_DRAINING) {
            gp_replica_account(sim, replica, sim->now_s);
            replica->state = GP_STATE_UP;
            gp_load_changed(sim, replica);
            return;
        }
    }
    for (int32_t i = 0; i < sim->replica_count; i++) {
        gp_replica *replica = &sim->replicas[i];
        if (scales(replica) && replica->state == GP_STATE_OFF) {
            gp_replica_account(sim, replica, sim->now_s);
            replica->state = GP_STATE_STARTING;
            gp_load_changed(sim, replica);
            sim->result->starts++;
            gp_event_push(sim, (gp_event){.at_s = sim->now_s + sim->config->autoscale.start_s,
                                          .kind = GP_EVENT_STARTED,
                                          .a = i});
            return;
        }
    }
}

void gp_fleet_settle(gp_sim *sim, gp_replica *replica) {
    if (replica->state == GP_STATE_DRAINING && gp_replica_load(replica) == 0) {
        gp_replica_account(sim, replica, sim->now_s);
        replica->state = GP_STATE_OFF;
        gp_load_changed(sim, replica);
        gp_blocks_clear(&replica->blocks, gp_num_max_i64(sim->config->arrivals.prefix_groups, 1));
    }
}

static void drain_one(gp_sim *sim) {
    for (int32_t i = sim->replica_count; i-- > 0;) {
        gp_replica *replica = &sim->replicas[i];
        if (scales(replica) && replica->state == GP_STATE_UP) {
            gp_replica_account(sim, replica, sim->now_s);
            replica->state = GP_STATE_DRAINING;
            gp_load_changed(sim, replica);
            gp_fleet_settle(sim, replica);
            return;
        }
    }
}

static void look(gp_sim *sim) {
    const gp_sim_autoscale *scale = &sim->config->autoscale;
    int64_t there = count_in(sim, GP_STATE_UP) + count_in(sim, GP_STATE_STARTING);
    int64_t wanted = wanted_replicas(sim);
    if (wanted >= there) {
        sim->fewer_since_s = -1;
    } else if (sim->fewer_since_s < 0) {
        sim->fewer_since_s = sim->now_s;
    }
    for (int64_t i = there; i < wanted; i++)
        start_one(sim);
    if (sim->fewer_since_s >= 0 && sim->now_s - sim->fewer_since_s >= scale->quiet_s) {
        drain_one(sim);
        sim->fewer_since_s = sim->now_s;
    }
    route_waiting(sim);
    if ((sim->arrivals_over && sim->in_system == 0))
        return;
    gp_event_push(sim, (gp_event){.at_s = sim->now_s + scale->period_s, .kind = GP_EVENT_LOOK});
}

static void started(gp_sim *sim, const gp_event *event) {
    gp_replica *replica = &sim->replicas[event->a];
    gp_replica_account(sim, replica, sim->now_s);
    replica->state = GP_STATE_UP;
    gp_load_changed(sim, replica);
    route_waiting(sim);
}

/* ---- */

gp_status gp_fleet_event(gp_sim *sim, const gp_event *event) {
    switch (event->kind) {
    case GP_EVENT_TRANSFERRED: transferred(sim, event); return GP_OK;
    case GP_EVENT_FAIL: fail(sim, event); return GP_OK;
    case GP_EVENT_RECOVER: recover(sim, event); return GP_OK;
    case GP_EVENT_STARTED: started(sim, event); return GP_OK;
    case GP_EVENT_LOOK: look(sim); return GP_OK;
    }
    return GP_ERR_INTERNAL;
}

static void plan_outages(gp_sim *sim) {
    const gp_simulate_config *config = sim->config;
    for (size_t i = 0; i < config->outage_count; i++) {
        const gp_outage *outage = &config->outages[i];
        gp_event_push(sim, (gp_event){.at_s = outage->at_s,
                                      .kind = GP_EVENT_FAIL,
                                      .a = (int32_t)outage->replica,
                                      .for_s = outage->for_s});
    }
    for (int32_t i = 0; i < sim->replica_count; i++) {
        plan_failure(sim, i);
    }
}

void gp_fleet_init(gp_sim *sim) {
    const gp_simulate_config *config = sim->config;
    int64_t decode = gp_num_max_i64(config->replicas, config->autoscale.max_replicas);
    bool pools = config->prefill_replicas > 0;
    sim->replica_count = (int32_t)(config->prefill_replicas + decode);
    sim->replicas = GP_NEW_ARRAY(sim->arena, gp_replica, (size_t)sim->replica_count);
    gp_contests_init(sim);
    gp_random_init(&sim->failures, config->arrivals.seed, STREAM_FAILURES);
    for (int32_t i = 0; i < sim->replica_count; i++) {
        gp_replica *replica = &sim->replicas[i];
        bool prefill = i < config->prefill_replicas;
        replica->index = i;
        replica->role = prefill ? GP_POOL_PREFILL : pools ? GP_POOL_DECODE : GP_POOL_ALL;
        replica->engine = prefill ? config->prefill_engine : config->engine;
        replica->power_w = replica->engine->table.idle_w;
        bool up = prefill || i - config->prefill_replicas < config->replicas;
        replica->state = up ? GP_STATE_UP : GP_STATE_OFF;
        gp_load_changed(sim, replica);
        gp_replica_init(sim, replica);
    }
    plan_outages(sim);
    if (config->autoscale.max_replicas > 0)
        gp_event_push(sim, (gp_event){.kind = GP_EVENT_LOOK});
}
