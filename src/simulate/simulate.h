/*
 * Simulation of a serving layout, iteration by iteration: continuous batching with a token budget,
 * KV blocks, chunked prefill, preemption, a prefix cache, replicas behind a router, separate pools
 * for prefill and decode, failures, autoscaling. It sees arrivals and a table of step times that is
 * built once per layout, and works out runs of equal decode steps at once. Pure and seeded: the
 * same configuration gives the same bytes. Memory grows with the requests in the system, not with
 * those simulated.
 */
#ifndef GP_SIMULATE_SIMULATE_H
#define GP_SIMULATE_SIMULATE_H

#include "estimate/estimate.h"
#include "simulate/simulation.h"

/* ---------------------------------------------------------------- step times */

enum {
    GP_STEP_ROWS = 128,    /* batches */
    GP_STEP_COLUMNS = 48,  /* mean contexts */
    GP_STEP_CHUNKS = 128,  /* prompt tokens in one step */
    GP_STEP_PREFIXES = 16, /* tokens before them */
};

/*
 * A step with a batch of b sequences of mean context c, and pieces of prompts of n_i tokens behind
 * p_i others, takes  sum work(n_i, p_i) + max(decode(b, c), fixed(sum n_i)): prompts add their work
 * to a step that reads the weights anyway. Linear between grid points, and beyond the last.
 */
typedef struct gp_step_table {
    int rows, columns, chunks, prefixes;
    double batch[GP_STEP_ROWS]; /* ascending, from 1 */
    double context[GP_STEP_COLUMNS];
    double decode_s[GP_STEP_ROWS][GP_STEP_COLUMNS];
    double power_w[GP_STEP_ROWS]; /* of one replica that decodes such a batch */
    double prompt_w;              /* and while it reads prompts */
    double idle_w;
    double tokens[GP_STEP_CHUNKS]; /* ascending, from 0 */
    double prefix[GP_STEP_PREFIXES];
    double work_s[GP_STEP_CHUNKS][GP_STEP_PREFIXES];
    double fixed_s[GP_STEP_CHUNKS];
} gp_step_table;

/* One replica as its engine is set up. */
typedef struct gp_engine {
    gp_step_table table;
    int64_t gpus;
    int64_t max_sequences; /* running at once, branches counted */
    int64_t budget_tokens; /* of one step */
    int64_t blocks, block_tokens;
    int64_t fixed_blocks;      /* of a sequence besides its tokens: state of recurrent layers */
    bool grows;                /* false: sequences hold their fixed blocks only */
    bool whole_prompts;        /* no chunked prefill: a prompt runs at once, in steps of its own */
    int64_t branches;          /* sequences that one request decodes into; at least 1 */
    int64_t context_tokens;    /* of the model; longer requests are refused; 0: no limit */
    int64_t prompt_stages;     /* pipeline stages that a prompt's steps are spread over */
    double request_s;          /* of a request outside the engine, before its first token */
    double kv_bytes_per_token; /* that a transfer of its cache moves */
} gp_engine;

/* Fills the engine of one replica. `slowdown` (1: none) stretches every step. */
void gp_engine_of(const gp_serve_job *job, const gp_machine *machine, const gp_network *network,
                  const gp_serve_layout *layout, const gp_constants *constants,
                  const gp_serve_memory *memory, double slowdown, gp_engine *ret);
/* An engine with times that are linear in its load, for what-ifs: a step takes step_s +
 * sequence_s b + context_s b c, and token_s for each token of a prompt in it. */
void gp_engine_linear(double step_s, double sequence_s, double context_s, double token_s,
                      gp_engine *ret);
/* Decode step of `batch` sequences of mean context `context`, by the table. */
double gp_engine_decode_s(const gp_engine *engine, double batch, double context);

/* ---------------------------------------------------------------- arrivals */

/* A request as it arrives. */
typedef struct gp_arrival {
    double at_s;
    int64_t input_tokens, output_tokens;
} gp_arrival;

enum { GP_LENGTH_LEVELS = 9 };
typedef enum gp_lengths_kind {
    GP_LENGTHS_FIXED,     /* always the mean */
    GP_LENGTHS_LOGNORMAL, /* by mu and sigma */
    GP_LENGTHS_EXPONENTIAL,
    GP_LENGTHS_TWO,      /* `longer` for a share of the requests, `shorter` for the others */
    GP_LENGTHS_QUANTILES /* a distribution of known shape, scaled to the mean */
} gp_lengths_kind;

/* Distribution of a number of tokens. */
typedef struct gp_lengths {
    gp_lengths_kind kind;
    double mean;
    double mu, sigma;
    double longer, shorter, longer_share;
    double quantiles[GP_LENGTH_LEVELS]; /* in tokens, at 0 10 25 50 75 90 95 99 100 % */
} gp_lengths;

gp_lengths gp_lengths_fixed(double mean);
gp_lengths gp_lengths_exponential(double mean);
/* With this mean and 95th percentile: log-normal; fixed where p95 is not above the mean; of two
 * lengths where it is beyond exp(z^2 / 2) = 3.87 times the mean, which no log-normal has. More than
 * 20 times the mean nothing has. */
gp_lengths gp_lengths_through(double mean, double p95);
/* Squared coefficient of variation of what gp_lengths_through gives. */
double gp_lengths_cv2(const gp_lengths *lengths);
/* The published shape of prompts or of answers (rows simulate.input.*, simulate.output.*). */
gp_lengths gp_lengths_input(const gp_constants *constants, double mean);
gp_lengths gp_lengths_output(const gp_constants *constants, double mean);
/* What one in a thousand is longer than. */
double gp_lengths_long(const gp_lengths *lengths);

typedef enum gp_process {
    GP_PROCESS_POISSON,
    GP_PROCESS_GAMMA,  /* gaps with a coefficient of variation of their own: bursts above 1 */
    GP_PROCESS_DIURNAL /* Poisson whose rate follows the hour */
} gp_process;

enum { GP_HOURS = 24 };
typedef struct gp_arrivals {
    /* a trace, when rows is not NULL: as it is, its times divided by rate_scale */
    const gp_arrival *rows; /* ascending in time */
    size_t row_count;
    double rate_scale; /* 0: 1 */
    /* else a process */
    gp_process process;
    double requests_per_s;   /* mean */
    double cv;               /* GAMMA */
    double hourly[GP_HOURS]; /* DIURNAL: factors on the mean, from midnight; any scale */
    double end_s;            /* nothing arrives later; 0: requests end it */
    double day_mean_per_s;   /* of a working day, for gp_arrivals_day; 0: by the factors alone */
    gp_lengths input, output;
    gp_lengths thought;  /* added to the output; mean 0: none */
    double image_tokens; /* added to every input */
    int64_t token_limit; /* lengths are cut so that input and output stay within it; 0: none */
    /* both */
    int64_t requests;           /* at most; 0: all rows of a trace */
    double prefix_fraction;     /* of a prompt, that it shares with the others of its group */
    int64_t prefix_groups;      /* at least 1 */
    double unmeasured_fraction; /* of the requests, from the first: not in the percentiles */
    uint64_t seed;
} gp_arrivals;

/* Makes the arrivals those of one day by their hourly factors, with `peak_per_s` in the busiest
 * hour: all of its requests, every one measured. Where the mean of the day is known the factors are
 * raised to the power that gives it. */
void gp_arrivals_day(gp_arrivals *arrivals, double peak_per_s);

/* Times of as many requests of a process without hours, one a second on average; they hang on the
 * process, its cv and its seed. */
void gp_arrivals_times(const gp_arrivals *arrivals, size_t count, double *ret_at_s);
/* Draws the lengths of as many requests at those times into `rows`: with rate_scale they are those
 * of any rate. */
void gp_arrivals_draw(const gp_arrivals *arrivals, const double *at_s, size_t count,
                      gp_arrival *rows);

/* A trace read from a text. */
typedef struct gp_arrival_list {
    size_t count;
    gp_arrival *items; /* ascending in time, the first at 0 */
    size_t empty;      /* rows left out: no token was generated */
} gp_arrival_list;

/* Reads a CSV table with the columns TIMESTAMP (a date and time, or seconds), ContextTokens and
 * GeneratedTokens; further columns are ignored. GP_ERR_INPUT with diagnostics that name file, line
 * and column. */
gp_status gp_arrivals_read(gp_arena *arena, const gp_text *text, gp_diags *diags,
                           gp_arrival_list *ret_list);

/* ---------------------------------------------------------------- replicas */

typedef enum gp_router {
    GP_ROUTER_LEAST_LOADED, /* fewest requests, ties to the first */
    GP_ROUTER_ROUND_ROBIN,
    GP_ROUTER_PREFIX_AWARE /* the replica with the longest cached prefix, unless it is overloaded */
} gp_router;

/* A replica fails at a known time. */
typedef struct gp_outage {
    int64_t replica; /* from 0 */
    double at_s;
    double for_s;
} gp_outage;

typedef struct gp_sim_autoscale {
    int64_t min_replicas, max_replicas; /* max 0: no autoscaling */
    double target_requests;             /* in the system, per replica that is up */
    double period_s;                    /* between looks */
    double start_s;                     /* from the decision to the first request */
    double quiet_s;                     /* that fewer must be enough before one goes */
} gp_sim_autoscale;

/* The figures that the service level bounds; 0: not bounded. */
typedef struct gp_simulate_slo {
    gp_distribution ttft_s, tpot_s, e2e_s; /* mean, p50, p95, p99 */
} gp_simulate_slo;

/* A request that is done, as a caller may watch it. */
typedef struct gp_request_done {
    int64_t number; /* by arrival, from 0 */
    int64_t replica;
    int64_t input_tokens, output_tokens;
    double arrival_s;
    double queue_s, ttft_s, tpot_s, e2e_s;
    bool refused;
} gp_request_done;

typedef struct gp_simulate_config {
    const gp_engine *engine; /* of every replica; of the decode pool where there is one */
    int64_t replicas;
    gp_router router;
    /* prefix-aware: a request goes elsewhere when the load is above the least by both */
    double imbalance_ratio;
    int64_t imbalance_requests;
    /* disaggregated: this many more replicas do nothing but prefill; 0: none */
    int64_t prefill_replicas;
    const gp_engine *prefill_engine;
    double transfer_bytes_per_s, transfer_latency_s;
    /* failures: at known times, and at random */
    const gp_outage *outages;
    size_t outage_count;
    double failure_mean_s; /* mean time to failure of a replica; 0: none */
    double recovery_s;
    gp_sim_autoscale autoscale;
    gp_arrivals arrivals;
    gp_simulate_slo slo;
    gp_simulate_slo stop; /* the run ends once a percentile cannot stay within this; 0: none does */
    size_t series_count; /* pieces of the series at most, even; 0: 240 */
    bool requests_alone; /* nobody asks for the series, nor for power and energy */
    /* both may be NULL */
    void (*request_done)(void *context, const gp_request_done *done);
    void (*progress)(void *context, int64_t arrived, int64_t expected);
    void *context;
} gp_simulate_config;

/* Runs until every request that arrives is done or refused. GP_ERR_INPUT (without diagnostic) where
 * the configuration makes no sense: no replica, no rate, an engine without room for a sequence. */
gp_status gp_simulate(gp_arena *arena, const gp_simulate_config *config, gp_simulation **ret);

/* Whether a number of replicas keeps to the service level of a configuration. */
typedef struct gp_confirm {
    int64_t replicas;         /* of the decode pool where there are two */
    int64_t prefill_replicas; /* 0: none, prompts run beside the decode steps */
    int64_t requests;         /* of the run */
    double requests_per_s;    /* of all replicas together */
    double residence_s;       /* a guess at the time of a request in the system */
    bool whole;               /* run every replica, however few requests each then sees */
    gp_simulate_slo stop;     /* no more is wanted than whether percentiles stay within this */
} gp_confirm;

typedef struct gp_confirm_run {
    int64_t replicas; /* that were asked about; 0: no run */
    int64_t prefill_replicas;
    int64_t simulated; /* of them all, with their part of the arrivals */
    bool filled;       /* the requests are enough to load those replicas over several residences */
    int64_t measured;  /* requests in the percentiles */
    bool ok;           /* every goal is met, the queue does not grow to the end, all find room */
    bool queued, saturated;
    bool stopped;     /* a goal is missed; figures are those until it was known */
    int64_t requests; /* of the run */
    int64_t refused;  /* of them: longer than a replica has room for */
    double ttft_p95_s, tpot_p95_s, e2e_p95_s;
    int goal_count;
    gp_simulation_goal goals[GP_SIMULATION_GOAL_MAX];
} gp_confirm_run;

/* Runs `config` with the replicas and the rate of `ask`, and with its rows, drawn by
 * gp_arrivals_draw, where these are enough. Memory of the run is given back. */
gp_status gp_simulate_confirm(gp_arena *arena, const gp_simulate_config *config,
                              const gp_confirm *ask, gp_confirm_run *ret);

const char *gp_router_name(gp_router router);    /* "leastLoaded" */
const char *gp_process_name(gp_process process); /* "poisson" */

#endif
