/*
 * Whether so many replicas keep to a service level, by a short run. A service of many replicas is
 * as good as its share of them: with the requests of a short run spread over all, each would see a
 * handful and none would ever be full. So only as many are run as stay loaded over several times of
 * residence, with their part of the arrivals, and the time in which they fill up is not measured.
 */
#include "base/num.h"
#include "simulate/sim.h"

enum {
    RESIDENCES = 4, /* that a run lasts at least, in times of residence */
    FILLING = 2,    /* of them, until the replicas are as full as they will be */
    LEAST = 2       /* replicas: a router has a choice */
};

gp_status gp_simulate_confirm(gp_arena *arena, const gp_simulate_config *config,
                              const gp_confirm *ask, gp_confirm_run *ret) {
    gp_simulate_config own = *config;
    gp_simulation *result = NULL;
    double per_replica = ask->requests_per_s / (double)ask->replicas;
    double in_flight = gp_num_max(per_replica * ask->residence_s, 1);
    double most = (double)ask->requests / (RESIDENCES * in_flight);
    int64_t cell = ask->whole ? ask->replicas : gp_num_floor_count(most);
    cell = gp_num_min_i64(gp_num_max_i64(cell, LEAST), ask->replicas);
    own.replicas = cell;
    own.prefill_replicas = 0;
    own.autoscale.max_replicas = 0;
    own.outage_count = 0;
    own.series_count = 2;
    own.arrivals.rows = NULL;
    own.arrivals.requests = ask->requests;
    own.arrivals.requests_per_s = per_replica * (double)cell;
    double filling = FILLING * in_flight * (double)cell / (double)ask->requests;
    own.arrivals.unmeasured_fraction =
        gp_num_min(gp_num_max(filling, config->arrivals.unmeasured_fraction), 0.5);
    gp_arena_mark mark = gp_arena_set_mark(arena);
    gp_status st = gp_simulate(arena, &own, &result);
    if (st == GP_OK) {
        *ret = (gp_confirm_run){
            .replicas = ask->replicas,
            .simulated = cell,
            .measured = result->measured,
            .saturated = result->saturated,
            .ok = !result->saturated && result->has_slo && result->refused == 0,
            .ttft_p95_s = result->ttft_s.p95,
            .tpot_p95_s = result->tpot_s.p95,
            .e2e_p95_s = result->e2e_s.p95,
            .goal_count = result->goal_count,
        };
        for (int i = 0; i < result->goal_count; i++) {
            ret->goals[i] = result->goals[i];
            ret->ok = ret->ok && result->goals[i].ok;
        }
    }
    gp_arena_release(arena, mark);
    return st;
}
