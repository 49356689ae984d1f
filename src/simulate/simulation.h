/*
 * What a simulation of a serving layout found, as plain data for any form of output. All texts and
 * lists live in the arena of the run. Times in seconds; a figure of nothing (no request completed)
 * is zero with a count of zero.
 */
#ifndef GP_SIMULATE_SIMULATION_H
#define GP_SIMULATE_SIMULATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Percentiles over requests, exact to a quarter of a percent; mean and extremes are exact. */
typedef struct gp_simulation_spread {
    int64_t count;
    double mean, p50, p90, p95, p99, min, max;
} gp_simulation_spread;

/* Means over equal pieces of the run. */
typedef struct gp_simulation_series {
    size_t count;
    double width_s;
    double *running;     /* requests on replicas that are being worked on */
    double *waiting;     /* requests that wait for a place, at replicas and at the router */
    double *kv_fraction; /* of the blocks of all replicas that are up and decode */
    double *power_w;     /* of the GPUs and their share of the machines */
    double *replicas;    /* up */
    double *decoding;    /* of them, those that do not prefill alone */
} gp_simulation_series;

/* A percentile that the service level bounds. */
typedef struct gp_simulation_goal {
    const char *name; /* "ttftP95": constant */
    double target_s;
    double value_s;
    double margin_fraction; /* that a plan adds to the value before it is judged; 0: none does */
    bool ok;
} gp_simulation_goal;
enum { GP_SIMULATION_GOAL_MAX = 12 };

typedef struct gp_simulation {
    /* what was simulated; texts are NULL where the caller of gp_simulate sets none */
    const char *plan, *workload, *model, *machine;
    const char *trace;    /* name of the trace, or NULL */
    const char *process;  /* "poisson"; NULL for a trace */
    double planned_per_s; /* rate of the process */
    double rate_scale;    /* of the trace */
    int64_t empty_rows;   /* of the trace, left out: no token was generated */
    const char *router;   /* "leastLoaded" */
    uint64_t seed;
    int64_t replicas;                 /* both pools; at the start where they are scaled */
    int64_t prefill_replicas;         /* of them, in a pool of their own; 0: none */
    int64_t spare_replicas;           /* that the plan holds besides, for availability */
    int64_t gpus_per_replica, tp, pp; /* of the decode pool where there are two */
    int64_t prefill_gpus_per_replica, prefill_tp, prefill_pp; /* 0: no such pool */
    int64_t max_replicas;                                     /* of the autoscaler; 0: none */

    /* requests and tokens, all of the run; arrived = completed + refused */
    int64_t arrived, completed;
    int64_t refused;          /* longer than the KV pool of a replica */
    int64_t measured;         /* of the completed, those in the percentiles */
    int64_t prompt_tokens;    /* of completed requests */
    int64_t output_tokens;    /* of completed requests, all branches */
    int64_t computed_tokens;  /* KV entries computed, in prompts and in decoding */
    int64_t cached_tokens;    /* taken from the prefix cache instead */
    int64_t lost_tokens;      /* thrown away by preemption and failure */
    int64_t preemptions;      /* times that a running request lost its place to another */
    int64_t moved;            /* requests that a failure took from their replica */
    int64_t failures, starts; /* of replicas; starts: by the autoscaler */
    int64_t iterations;       /* engine steps of all replicas */
    int64_t events;           /* pieces of time that they were worked out in */
    int64_t most_live;        /* requests in the system at once */

    double duration_s;                          /* first arrival to last token */
    double arrival_s;                           /* to the last arrival, or to the end of its day */
    double requests_per_s, output_tokens_per_s; /* done, while requests arrive */
    bool queued;    /* at the last arrival more requests wait than run, or a tenth of all */
    bool saturated; /* and more than by chance: arrivals outran the replicas */
    bool stopped;   /* a percentile could not stay within what the run was to stop at */

    gp_simulation_spread ttft_s, tpot_s, e2e_s, queue_s; /* queue: until the first prompt step */

    bool has_slo;
    double good_fraction;       /* measured requests within every target that the SLO states */
    double good_requests_per_s; /* the same as a rate */
    int goal_count;
    gp_simulation_goal goals[GP_SIMULATION_GOAL_MAX];

    double energy_j;                   /* of the whole run */
    double mean_power_w, peak_power_w; /* while requests arrive; of a piece of the series */
    double busy_fraction;              /* replica time with a step under way */
    double mean_in_system;             /* requests, over time: Little's L */
    gp_simulation_series series;
} gp_simulation;

#endif
