/*
 * What the files of this room share. A run is one queue of events: the next arrival, what is due
 * outside the replicas (transfers, failures, starts, looks of the autoscaler), and for each replica
 * the end of the piece of time that it is working out. A piece is one step with prompts in it, or
 * any number of decode steps between which nothing changes but the contexts, which grow by one.
 */
#ifndef GP_SIMULATE_SIM_H
#define GP_SIMULATE_SIM_H

#include "simulate/random.h"
#include "simulate/simulate.h"

enum {
    GP_NOBODY = -1,            /* end of a list of requests */
    GP_SIM_BLOCK_TOKENS = 256, /* largest block */
};

/* ---------------------------------------------------------------- arrivals.c, lengths.c */

typedef struct gp_stream {
    const gp_arrivals *arrivals;
    int64_t count, limit;
    double now_s;
    double hour_scale; /* brings the hourly factors to a mean of 1 */
    gp_random time, input, output, group;
} gp_stream;

void gp_stream_init(const gp_arrivals *arrivals, gp_stream *ret);
bool gp_stream_next(gp_stream *stream, gp_arrival *ret, int64_t *ret_group);
double gp_lengths_draw(const gp_lengths *lengths, gp_random *random);

/* ---------------------------------------------------------------- histogram.c */

enum {
    GP_OCTAVE_PARTS = 256,
    GP_OCTAVES = 48, /* from about a microsecond to eight years */
};

/* Counts by value, in parts of octaves: quantiles to a quarter of a percent in fixed memory. */
typedef struct gp_histogram {
    int64_t count;
    double sum, min, max;
    int64_t below; /* less than the first octave, zero included */
    uint32_t bins[GP_OCTAVES * GP_OCTAVE_PARTS];
} gp_histogram;

void gp_histogram_add(gp_histogram *histogram, double value);
void gp_histogram_spread(const gp_histogram *histogram, gp_simulation_spread *ret);

/* ---------------------------------------------------------------- series.c */

/* Time integrals in pieces of equal width; when the run outgrows them, pairs are merged. */
typedef struct gp_series {
    size_t capacity; /* even */
    size_t used;
    double width_s;
    double *integrals; /* capacity x GP_SERIES_KINDS */
} gp_series;
enum {
    GP_SERIES_RUNNING,
    GP_SERIES_WAITING,
    GP_SERIES_KV,
    GP_SERIES_POWER,
    GP_SERIES_REPLICAS,
    GP_SERIES_DECODING,
    GP_SERIES_KINDS
};

void gp_series_init(gp_series *series, gp_arena *arena, size_t capacity, double width_s);
/* Adds values (per second) over [from_s, to_s). */
void gp_series_add(gp_series *series, double from_s, double to_s,
                   const double values[GP_SERIES_KINDS]);
void gp_series_finish(const gp_series *series, gp_arena *arena, double end_s,
                      gp_simulation_series *ret);

/* ---------------------------------------------------------------- table.c */

/* A batch found in the table. */
typedef struct gp_row {
    int at;
    int column;   /* of the context that was looked up last */
    double share; /* of the next row */
} gp_row;

/* Found fastest where `near` is the row of a batch not far from it. */
gp_row gp_table_row_of(const gp_step_table *table, double batch, gp_row near);
double gp_table_decode_s(const gp_step_table *table, gp_row *row, double context);
double gp_table_work_s(const gp_step_table *table, double tokens, double prefix);
double gp_table_fixed_s(const gp_step_table *table, double tokens);
double gp_table_power_w(const gp_step_table *table, gp_row row);
/* Time of `steps` decode steps, the first at mean context `context`, each next one token longer. */
double gp_table_decode_many_s(const gp_step_table *table, gp_row *row, double context,
                              int64_t steps);
/* The least number of such steps, at most `steps`, that takes at least `wanted_s`; and its time. */
int64_t gp_table_steps_until(const gp_step_table *table, gp_row *row, double context, int64_t steps,
                             double wanted_s, double *ret_s);

/* ---------------------------------------------------------------- blocks.c */

/* A shared prefix in the cache of one replica. */
typedef struct gp_prefix {
    int64_t blocks;
    int64_t users;        /* running requests that hold it */
    int32_t older, newer; /* among those without users, by last use */
} gp_prefix;

/* Blocks of one replica: held by requests and by prefixes in use, cached without use, free. */
typedef struct gp_blocks {
    int64_t total;
    int64_t held;
    int64_t cached;
    gp_prefix *prefixes; /* by group; NULL without a prefix cache */
    int32_t oldest, newest;
} gp_blocks;

int64_t gp_blocks_free(const gp_blocks *blocks); /* those that cached prefixes would give up too */
void gp_blocks_take(gp_blocks *blocks, int64_t count);
void gp_blocks_give(gp_blocks *blocks, int64_t count);
/* Blocks of the group's prefix that are there. */
int64_t gp_prefix_there(const gp_blocks *blocks, int64_t group);
/* One more, one less request that uses the prefix. */
void gp_prefix_hold(gp_blocks *blocks, int64_t group);
void gp_prefix_drop(gp_blocks *blocks, int64_t group);
/* Blocks that a user of the prefix holds become part of it. */
void gp_prefix_grow(gp_blocks *blocks, int64_t group, int64_t to_blocks);
/* Gives up what a prefix without users has beyond so many blocks. */
void gp_prefix_trim(gp_blocks *blocks, int64_t group, int64_t to_blocks);
/* Forgets everything: the replica went down. */
void gp_blocks_clear(gp_blocks *blocks, int64_t groups);

/* ---------------------------------------------------------------- requests */

typedef struct gp_live {
    double arrival_s;
    double queued_s; /* start of its first prompt step; negative: not yet */
    double first_s;  /* its first token; negative: not yet */
    double delay_s;  /* by which its tokens trail the steps that make them */
    int64_t number;
    int64_t base_iteration; /* when its prompt was done */
    int32_t input, output;
    int32_t generated; /* tokens of one branch when decoding began, or when it was put back */
    int32_t context;   /* tokens of one branch when decoding began */
    int32_t target;    /* tokens to compute before it can decode */
    int32_t computed;  /* of them */
    int32_t chunk;     /* of them, in the step under way */
    int32_t group;
    int32_t wanted_blocks; /* of the group's prefix that its prompt begins with */
    int32_t shared_blocks; /* of them, held through the cache */
    int32_t own_blocks;    /* held besides */
    int32_t replica;
    int32_t older, newer; /* running list by admission, or waiting list by turn */
    bool decodes;         /* it is in its replica's heap */
    bool carried;         /* its cache was transferred: no prompt to compute */
    bool measured;
} gp_live;

typedef struct gp_list {
    int32_t oldest, newest;
    int64_t count;
} gp_list;

/* ---------------------------------------------------------------- replica */

typedef enum gp_state {
    GP_STATE_OFF,
    GP_STATE_STARTING,
    GP_STATE_UP,
    GP_STATE_DRAINING, /* finishes what it has */
    GP_STATE_FAILED
} gp_state;

typedef enum gp_pool_role { GP_POOL_ALL, GP_POOL_PREFILL, GP_POOL_DECODE } gp_pool_role;

/* A decoding request, and the iteration of its replica that makes its last token. */
typedef struct gp_due {
    int64_t end_iteration;
    int32_t request;
} gp_due;

typedef struct gp_replica {
    int32_t index;
    gp_pool_role role;
    gp_state state;
    const gp_engine *engine;
    /* the piece of time under way */
    double begin_s;
    double end_s;  /* HUGE_VAL: idle */
    int64_t steps; /* in it; 0: idle */
    /* the engine; room grows with what runs at once: a wide replica may run a hundred thousand
     * requests and mostly has a few hundred */
    int64_t iteration;
    gp_list running, waiting;
    bool blocked;    /* the first that waits was refused, and nothing was given back since */
    int32_t partial; /* the running request whose prompt is not done */
    int64_t chunk_count;
    int32_t *chunks; /* requests with a piece of their prompt in the step under way */
    size_t chunk_room;
    int64_t decoding;
    gp_due *heap; /* decoding requests by end_iteration */
    size_t heap_room;
    int64_t context_sum; /* of all decoding sequences */
    int64_t *due;        /* by iteration modulo block: sequences that then need a block */
    gp_row row;          /* of the batch that the step under way runs with */
    bool decodes;        /* the step under way gives tokens to the decoding requests */
    double power_w;      /* during it */
    int64_t epoch;       /* failures so far: what was under way before is void */
    gp_blocks blocks;
    double accounted_s; /* up to where the series knows it */
    double link_free_s; /* when its transfers are out */
    double busy_s;
} gp_replica;

/* ---------------------------------------------------------------- the run */

typedef enum gp_event_kind {
    GP_EVENT_TRANSFERRED, /* a: request, b: replica that it leaves */
    GP_EVENT_FAIL,        /* a: replica; b: 1 where it is one of a random series */
    GP_EVENT_RECOVER,     /* a: replica */
    GP_EVENT_STARTED,     /* a: replica */
    GP_EVENT_LOOK         /* of the autoscaler */
} gp_event_kind;

typedef struct gp_event {
    double at_s;
    uint64_t order;
    gp_event_kind kind;
    int32_t a;
    int64_t b;
    double for_s;  /* of a failure */
    int64_t epoch; /* of the replica when a transfer began */
} gp_event;

/* A tree over all replicas: each node has the least key of those below it, and whose that is, the
 * lower index of two. */
typedef struct gp_contest {
    uint64_t *keys; /* UINT64_MAX: of nobody */
    int32_t *who;
    int32_t leaves; /* a power of two; the root is at 1 */
} gp_contest;

/* Times and percentiles that a run may stop at. */
enum { GP_SIM_STOPS = 9 };

typedef struct gp_sim {
    gp_arena *arena;
    const gp_simulate_config *config;
    gp_simulation *result;
    double now_s;
    gp_stream stream;
    /* requests in the system: slots, those free chained through `newer` */
    gp_live *live;
    size_t live_count, live_capacity;
    int32_t live_free;
    int64_t in_system;
    gp_list unrouted; /* no replica is up */
    double unrouted_accounted_s;
    gp_replica *replicas;
    int32_t replica_count;
    gp_contest endings;
    gp_contest loads[2]; /* of those that take requests; the second is of replicas for prefill */
    /* what is due outside of the replicas */
    gp_event *events;
    size_t event_count, event_capacity;
    uint64_t event_order;
    int32_t next_turn[3]; /* round robin, by pool */
    gp_random failures;
    double fewer_since_s; /* fewer replicas have been enough since then; negative: they are not */
    bool requests_over;   /* no more come */
    bool arrivals_over;   /* and the day that they came in has ended, where it is one */
    int64_t unmeasured;
    double arrivals_end_s, end_s;        /* of the last request, or of its day; of the run */
    int64_t waiting_half, waiting_later; /* when half and three quarters of them had arrived */
    int64_t completed_then, tokens_then; /* when arrivals ended */
    int64_t good;
    gp_series series;
    gp_histogram *ttft, *tpot, *e2e, *queue;
    bool stops;                   /* config->stop bounds something */
    int64_t beyond[GP_SIM_STOPS]; /* measured requests, by time and percentile of config->stop */
    double area_s; /* of requests on replicas and at the router over time */
    double energy_j;
} gp_sim;

static inline gp_live *gp_live_at(gp_sim *sim, int32_t request) {
    return &sim->live[request];
}

void gp_list_append(gp_sim *sim, gp_list *list, int32_t request);
void gp_list_prepend(gp_sim *sim, gp_list *list, int32_t request);
void gp_list_remove(gp_sim *sim, gp_list *list, int32_t request);

/* --- requests.c */
gp_status gp_live_new(gp_sim *sim, int32_t *ret_request);
/* The request leaves the system: counted, and its slot is free. */
void gp_live_done(gp_sim *sim, int32_t request, double at_s);
void gp_live_refuse(gp_sim *sim, int32_t request);
/* What was computed of it is gone. */
void gp_live_lose(gp_sim *sim, int32_t request);

/* --- engine.c: one replica */
void gp_replica_init(gp_sim *sim, gp_replica *replica);
/* Whether a request could ever run there. */
bool gp_replica_can_hold(const gp_replica *replica, const gp_live *live);
/* Takes a request in at sim->now_s: to the end of its queue. */
void gp_replica_accept(gp_sim *sim, gp_replica *replica, int32_t request);
/* The piece under way ends: what it did takes effect, and the next is worked out. */
void gp_replica_end_piece(gp_sim *sim, gp_replica *replica);
/* Lets an idle replica begin on what waits for it, once all that happens now has happened. */
void gp_replica_wake(gp_sim *sim, gp_replica *replica);
/* Drops all requests, oldest first, onto `list`, with the tokens they have so far. */
void gp_replica_abandon(gp_sim *sim, gp_replica *replica, gp_list *list);
/* Tells the series what happened since it was last told. */
void gp_replica_account(gp_sim *sim, gp_replica *replica, double until_s);
static inline int64_t gp_replica_load(const gp_replica *replica) {
    return replica->running.count + replica->waiting.count;
}
/* Gives back what a request held, of which a transfer was made. */
void gp_replica_release(gp_sim *sim, gp_replica *replica, gp_live *live);

/* --- queue.c: who is first */
void gp_decode_heap_push(gp_sim *sim, gp_replica *replica, gp_due due);
void gp_decode_heap_remove(gp_sim *sim, gp_replica *replica, int32_t request);
void gp_contests_init(gp_sim *sim);
/* The replica's end_s has changed. */
void gp_ending_changed(gp_sim *sim, const gp_replica *replica);
gp_replica *gp_ending_first(gp_sim *sim);
/* So has what it has to do, or whether it takes requests. */
void gp_load_changed(gp_sim *sim, gp_replica *replica);
/* NULL: none takes requests. */
gp_replica *gp_load_least(gp_sim *sim, gp_pool_role role);
void gp_event_push(gp_sim *sim, gp_event event);
gp_event gp_event_pop(gp_sim *sim);

/* --- fleet.c: routing, ends of transfers, failures, autoscaling */
void gp_route(gp_sim *sim, int32_t request);
void gp_fleet_init(gp_sim *sim);
/* A replica that was to finish what it had goes off once it has. */
void gp_fleet_settle(gp_sim *sim, gp_replica *replica);
gp_status gp_fleet_event(gp_sim *sim, const gp_event *event);

#endif
