/*
 * What a Prometheus server knows of GPUs, engines, machines and links, as readings in SI units.
 * Nothing is fetched here: the caller takes one request after the other to the query API and gives
 * the answers back.
 */
#ifndef GP_IMPORT_TELEMETRY_H
#define GP_IMPORT_TELEMETRY_H

#include <gpuplan/diag.h>
#include <gpuplan/units.h>

#include "catalog/catalog.h"
#include "schema/schema.h"

/* What a metric tells things apart by. */
typedef enum gp_telemetry_scope {
    GP_TELEMETRY_SERVICE, /* the model that an engine serves (model_name) */
    GP_TELEMETRY_DEVICE,  /* kind of GPU (modelName) */
    GP_TELEMETRY_MACHINE, /* all machines */
    GP_TELEMETRY_LINK     /* all ports */
} gp_telemetry_scope;

typedef enum gp_telemetry_shape {
    GP_TELEMETRY_SERIES,  /* values over the window */
    GP_TELEMETRY_WHOLE,   /* one value of the whole window */
    GP_TELEMETRY_BUCKETS, /* a histogram of the whole window */
    GP_TELEMETRY_POOL     /* blocks times their size, from labels; else the value */
} gp_telemetry_shape;

/* One figure and how to ask for it. In `query`: $B labels to group by, $S the user's selector, $W
 * the window, $R the window of rates; $X, $R(), $I() are the union over `names`, in that order of
 * preference, of the values between least and most, of the rates, of the increases. */
typedef struct gp_telemetry_metric {
    const char *id; /* "tensorActive" */
    gp_telemetry_scope scope;
    gp_telemetry_shape shape;
    gp_dim dim;
    const char *names; /* as exporters print them, apart by blanks, the newest first */
    const char *query;
    double factor;      /* from the exporter's unit to SI */
    double least, most; /* in the exporter's unit; what lies outside is a blank, not a value */
    bool optional;      /* its absence is not worth a word */
    const char *enable; /* what to do where it is missing */
    const char *help;
} gp_telemetry_metric;

extern const gp_telemetry_metric gp_telemetry_metrics[];
extern const size_t gp_telemetry_metric_count;
const char *gp_telemetry_scope_name(gp_telemetry_scope scope); /* "service" */

/* Figures of one subject over the window; NAN where not known. */
typedef struct gp_telemetry_reading {
    const gp_telemetry_metric *metric;
    const char *subject; /* model name of an engine, of a GPU; "" for machines and links */
    const char *query;
    int64_t samples;
    int64_t dropped; /* answers that were no number in range */
    double mean, p10, p50, p90, p95, p99, most, last;
    /* Histograms: the edges of the buckets that hold the percentiles. The figures above lie
     * somewhere between; an upper edge may be infinite. */
    double p50_low, p50_high, p95_low, p95_high, p99_low, p99_high;
} gp_telemetry_reading;

/* Why a figure has no reading. */
typedef enum gp_telemetry_lack {
    GP_TELEMETRY_MISSING, /* nobody exports it */
    GP_TELEMETRY_BLANK,   /* only blanks: values outside of what the figure can be */
    GP_TELEMETRY_QUIET    /* exported, but nothing happened in the window */
} gp_telemetry_lack;

typedef struct gp_telemetry_absence {
    const gp_telemetry_metric *metric;
    gp_telemetry_lack lack;
    const char *reason; /* a sentence that names the exporter's row */
} gp_telemetry_absence;

/* Tokens per second of one run of training, by a query of the user's: exporters have no name for it
 * that is the same everywhere. One series is due. */
typedef struct gp_telemetry_ask {
    const char *workload, *query;
} gp_telemetry_ask;

typedef struct gp_telemetry_options {
    const char *selector; /* label matchers of every query: cluster="a",namespace="b"; or NULL */
    double end_s;         /* seconds since 1970 */
    double window_s;
    const gp_telemetry_ask *asks; /* read after the table, as "trainingRate" of the workload */
    size_t ask_count;
} gp_telemetry_options;

typedef struct gp_telemetry {
    gp_arena *arena;
    gp_telemetry_options options;
    GP_LIST(gp_telemetry_reading) readings; /* by metric, then subject */
    GP_LIST(gp_telemetry_absence) absences;
    GP_LIST(const char *) warnings; /* of the server, each once */
    int64_t blanks;                 /* values that the queries left out as blanks */
    const char *problem;            /* why gp_telemetry_take failed */
    /* of the walk over the table, and over what was asked besides */
    size_t at;
    int step;
    size_t capacities[3];
} gp_telemetry;

/* A selector that PromQL cannot read would spoil every query. NULL: fine, else what is wrong. */
const char *gp_telemetry_selector_problem(const char *selector);
void gp_telemetry_open(gp_arena *arena, const gp_telemetry_options *options,
                       gp_telemetry **ret_telemetry);

typedef struct gp_telemetry_request {
    const char *path; /* "/api/v1/query_range" */
    const char *form; /* body of the POST, form encoded */
} gp_telemetry_request;

/* The next request, or GP_ERR_NOT_FOUND when all is read. */
gp_status gp_telemetry_next(gp_telemetry *telemetry, gp_telemetry_request *ret_request);
/* The answer to it. GP_ERR_INPUT: it is not one of the query API, or an error; see `problem`. */
gp_status gp_telemetry_take(gp_telemetry *telemetry, long http_status, const gp_text *body);

/* The reading of a figure; `subject` NULL: the first. NULL where there is none. */
const gp_telemetry_reading *gp_telemetry_reading_of(const gp_telemetry *telemetry, const char *id,
                                                    const char *subject);
/* Why there is none; NULL where nothing is known of it. */
const char *gp_telemetry_absence_of(const gp_telemetry *telemetry, const char *id);
/* The names that engines serve models by, in byte order; arena-owned. */
void gp_telemetry_subjects(const gp_telemetry *telemetry, gp_telemetry_scope scope,
                           const char *const **ret_names, size_t *ret_count);

/* Names that may stand for the same: equal but for case, punctuation and what comes before the last
 * slash. */
bool gp_telemetry_same_name(const char *a, const char *b);
/* What the readings call a GPU of the catalogue ("NVIDIA H200"), or NULL. */
void gp_telemetry_gpu(const gp_telemetry *telemetry, const gp_gpu *gpu, const char **ret_subject);

struct gp_plan_result;

/* Rows of runs out of the readings, in the columns of the backtest: one of each table for a service
 * whose layout is the chosen one, one for a training whose rate was asked for. NULL where there is
 * no row. */
typedef struct gp_telemetry_runs {
    const char *inference, *power, *training; /* CSV */
    GP_LIST(const char *) notes;              /* what gives no row, and why */
} gp_telemetry_runs;

/* `served`: what engines call the model of each workload, in spec order; NULL: not known. `date`:
 * "2026-06-01", part of the ids. */
gp_status gp_telemetry_runs_of(const gp_telemetry *telemetry, const struct gp_plan_result *result,
                               const char *const *served, const char *date,
                               gp_telemetry_runs *ret_runs);

struct gp_calibration;

/* Adds factors of the idle power (GP_CALIBRATION_IDLE) of the GPUs that services run on, from GPUs
 * that hold an engine and do nothing; over the figures of `catalog`. A figure that no GPU can draw
 * at rest adds none. */
void gp_telemetry_idle_factors(const gp_telemetry *telemetry, gp_catalog *catalog,
                               const struct gp_plan_result *result,
                               struct gp_calibration *calibration);

/* Adds factors of the share of memory that engines take (GP_CALIBRATION_CACHE), from the tokens
 * that their caches hold; over the figures of `catalog`. `ret_notes` has room for a note of each
 * workload (NULL: none): a cache that fits no such share tells of another layout. */
gp_status gp_telemetry_cache_factors(const gp_telemetry *telemetry, gp_catalog *catalog,
                                     const struct gp_plan_result *result, const char *const *served,
                                     struct gp_calibration *calibration, const char **ret_notes);

/* All readings as JSON: figures in SI units, each with its query. */
gp_status gp_telemetry_json(gp_arena *arena, const gp_telemetry *telemetry, const char *server,
                            const char *until, const char **ret_text, size_t *ret_len);

#endif
