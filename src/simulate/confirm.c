/*
 * Whether so many replicas keep to a service level, by a short run. A service of many replicas is
 * as good as its share of them: with the requests of a short run spread over all, each would see a
 * handful and none would ever be full. So only as many are run as stay loaded over several times of
 * residence, with their part of the arrivals, and the time in which they fill up is not measured.
 */
#include "base/num.h"
#include "base/str.h"
#include "simulate/sim.h"

enum {
    RESIDENCES = 4, /* that a run lasts at least, in times of residence */
    FILLING = 2,    /* of them, until the replicas are as full as they will be */
    WHOLES = 2,     /* or of what all but one in twenty take, where that is judged: what comes last
                       ends on replicas that empty */
    LEAST = 2,      /* replicas: a router has a choice */
    MOST = 512      /* replicas: of more, as many with their part of the arrivals */
};

/* The part of a service that is run: the same share of both pools, so that each sees the load that
 * it would see in the whole. */
typedef struct cell {
    int64_t replicas, prefill_replicas;
    double in_flight; /* requests in the cell, by the guess of their residence */
    double share;     /* of the service and of its arrivals */
} cell;

/* Of a pool that there is at least one, where parts are not quite alike. */
static int64_t part_of(int64_t replicas, int64_t kept, int64_t parts) {
    const int64_t part = (replicas * kept + parts / 2) / parts;
    return replicas > 0 ? gp_num_max_i64(part, 1) : 0;
}

static cell cell_of(const gp_confirm *ask) {
    const int64_t all = ask->replicas + ask->prefill_replicas;
    const int64_t alike = gp_num_gcd(ask->replicas, ask->prefill_replicas);
    const int64_t parts = gp_num_max_i64(alike, (all + MOST - 1) / MOST);
    const int64_t least = gp_num_min_i64(ask->prefill_replicas > 0 ? 1 : LEAST, parts);
    const double in_flight = gp_num_max(ask->requests_per_s * ask->residence_s, 1);
    const double most = (double)ask->requests / (RESIDENCES * in_flight) * (double)parts;
    const int64_t few =
        gp_num_min_i64(gp_num_floor_count(gp_num_min(most, (double)parts)), MOST * parts / all);
    const int64_t kept = ask->whole ? parts : gp_num_max_i64(few, least);
    const double share = (double)kept / (double)parts;
    return (cell){.replicas = part_of(ask->replicas, kept, parts),
                  .prefill_replicas = part_of(ask->prefill_replicas, kept, parts),
                  .in_flight = in_flight * share,
                  .share = share};
}

/* How long whole requests take is judged. */
static bool judges_whole(const gp_simulation *result) {
    for (int i = 0; i < result->goal_count; i++)
        if (gp_str_starts(result->goals[i].name, "e2e"))
            return true;
    return false;
}

/* That a run has to have for its replicas to be as full as they will be in most of it. */
static double requests_wanted(const gp_simulation *result, double in_flight,
                              double requests_per_s) {
    const double wanted = RESIDENCES * gp_num_max(in_flight, requests_per_s * result->e2e_s.mean);
    return judges_whole(result) ? gp_num_max(wanted, WHOLES * requests_per_s * result->e2e_s.p95)
                                : wanted;
}

gp_status gp_simulate_confirm(gp_arena *arena, const gp_simulate_config *config,
                              const gp_confirm *ask, gp_confirm_run *ret) {
    gp_simulate_config own = *config;
    gp_simulation *result = NULL;
    const cell part = cell_of(ask);
    own.replicas = part.replicas;
    own.prefill_replicas = part.prefill_replicas;
    own.autoscale.max_replicas = 0;
    own.outage_count = 0;
    own.series_count = 2;
    own.requests_alone = true;
    own.stop = ask->stop;
    own.arrivals.requests = ask->requests;
    if (own.arrivals.row_count < (size_t)ask->requests)
        own.arrivals.rows = NULL;
    own.arrivals.row_count = (size_t)ask->requests;
    own.arrivals.requests_per_s = own.arrivals.rate_scale = ask->requests_per_s * part.share;
    double filling = FILLING * part.in_flight / (double)ask->requests;
    own.arrivals.unmeasured_fraction =
        gp_num_min(gp_num_max(filling, config->arrivals.unmeasured_fraction), 0.5);
    gp_arena_mark mark = gp_arena_set_mark(arena);
    gp_status st = gp_simulate(arena, &own, &result);
    if (st == GP_OK) {
        *ret = (gp_confirm_run){
            .replicas = ask->replicas,
            .prefill_replicas = ask->prefill_replicas,
            .simulated = part.replicas + part.prefill_replicas,
            .filled = (double)ask->requests >=
                      requests_wanted(result, part.in_flight, own.arrivals.requests_per_s),
            .measured = result->measured,
            .queued = result->queued,
            .saturated = result->saturated,
            .stopped = result->stopped,
            .requests = ask->requests,
            .refused = result->refused,
            .ok = !result->saturated && !result->stopped && result->has_slo,
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
