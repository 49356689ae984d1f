/*
 * What the files of this room share: the catalogue's rows as copies that a refit may change, and
 * runs prepared so that an estimate looks nothing up.
 */
#ifndef GP_FIT_FITTER_H
#define GP_FIT_FITTER_H

#include "base/buf.h"
#include "base/index.h"
#include "estimate/estimate.h"
#include "fit/fit.h"
#include "fit/runs.h"
#include "plan/plan.h"

/* A model as runs name it; NULL shape: not known. */
typedef struct gp_fit_model {
    gp_model model;
    gp_shape shape;
    const char *key;  /* the same for all models of one shape */
    const char *note; /* what was taken where the run is silent, or NULL */
} gp_fit_model;

typedef struct gp_fitter {
    gp_arena *arena;
    gp_catalog *catalog;
    gp_diags *diags;
    gp_constants constants;
    gp_efficiency *efficiencies;
    const gp_efficiency **efficiency_rows; /* pointers to the copies */
    size_t efficiency_count;
    gp_stack *stacks;
    size_t stack_count;
    gp_power_class *powers; /* copies, as the efficiencies */
    const gp_power_class **power_rows;
    size_t power_count;
    const gp_collective_fit *const *fits;
    size_t fit_count;
    double tuned_factor, served_factor; /* of training and of serving, by the class below */
    gp_tuning tuning;                   /* how well runs are taken to be tuned; at first they are */
    gp_confidence confidence;           /* that runs are planned at, where they are */
    gp_index models;                    /* name -> position in model_items */
    gp_index machines;                  /* key -> position in machine_items */
    const gp_fit_model **model_items;
    size_t model_count, model_cap;
    gp_machine **machine_items;
    size_t machine_count, machine_cap;
} gp_fitter;

/* Reads the whole catalogue: what is looked up afterwards is there or not, and cannot fail. */
gp_status gp_fitter_init(gp_arena *arena, gp_catalog *catalog, gp_diags *diags,
                         gp_fitter *ret_fitter);
void gp_fitter_tune(gp_fitter *fitter, gp_tuning tuning);
/* The rows of a kind; what is wrong with them stands in the catalogue's diagnostics. */
const void *const *gp_fit_rows_of(gp_catalog *catalog, gp_catalog_kind kind, size_t *ret_count);

/* --- shapes.c */
/* The catalogue's model of that name, else one put together from the run's own columns; NULL with
 * *ret_why where neither is complete. */
const gp_fit_model *gp_fit_model_of(gp_fitter *fitter, const gp_run_row *run, const char **ret_why);

/* --- hardware.c */
/* The machine a run was on and its network. `why` says what is missing where the GPU is not known,
 * `note` what was taken where the run is silent. */
typedef struct gp_fit_hardware {
    gp_machine *machine; /* shared between runs; NULL: not known */
    gp_network network;
    const char *why;
    const char *note;
} gp_fit_hardware;
gp_fit_hardware gp_fit_hardware_of(gp_fitter *fitter, const gp_run_row *run);

/* The rate of one port between machines: what the run's network column states, else that of the
 * GPU's reference system; 0: not known. */
double gp_fit_port_rate(gp_fitter *fitter, const gp_run_row *run);

/* --- engines.c */
/* The row of a run's serving engine: the newest release up to the version or month that it or its
 * notes state, else the oldest; where nothing does, a row of no release if there is one, else the
 * newest that the GPU (may be NULL) runs. NULL: none. */
const gp_stack *gp_fit_serving_stack(const gp_fitter *fitter, const char *name,
                                     const gp_run_row *run, const gp_gpu *gpu);
/* Sets what a run of memory says of the serving engine: its row, and how it was started. */
void gp_fit_engine(gp_fitter *fitter, const gp_run_row *run, const gp_gpu *gpu, gp_serve_job *job);

/* --- training.c */
typedef struct gp_fit_case {
    const gp_run_row *run;
    const gp_fit_model *model;
    gp_machine *machine;
    gp_network network;
    gp_layout layout;
    gp_train_job job;
    const gp_stack *stack; /* NULL: not known, taken as the reference */
    int kernels;           /* gp_kernels that the run states over its stack's; AUTO: none */
    int attention;         /* gp_attention_kernel, likewise */
    bool assumed;          /* nothing tells how long its samples are */
    bool padded;           /* samples of assumed length, padded to the longest of a micro-batch */
    double gpus;
    const char *unsupported; /* NULL: can be estimated */
    const char *note;        /* what was taken where the run is silent */
} gp_fit_case;

/* The row of a run's framework and release: the newest not newer than stated. NULL: none known. */
const gp_stack *gp_fit_training_stack(const gp_fitter *fitter, const gp_run_row *run);
/* Works out the configuration of a run: shape, machine, layout, job. */
void gp_fit_case_of(gp_fitter *fitter, const gp_run_row *run, gp_fit_case *ret_case);

/* --- job.c */
/* The recomputation that the run's stack does by default goes by operator. */
bool gp_fit_recomputes_by_operator(const gp_fit_case *c);
/* The job with what its stack and its own options add, by the fitter's present rows. */
gp_train_job gp_fit_job(const gp_fitter *fitter, const gp_fit_case *c);
/* Seconds of one optimizer step, by the fitter's present constants. */
double gp_fit_step_s(const gp_fitter *fitter, const gp_fit_case *c);
double gp_fit_tokens_per_s_per_gpu(const gp_fitter *fitter, const gp_fit_case *c);
const char *gp_fit_training_class(const gp_fit_case *c);
/* Joins remarks with "; "; either may be NULL. */
const char *gp_fit_remark(gp_arena *arena, const char *first, const char *second);

/* --- layouts.c */
/* Which dimensions of a layout a run leaves open. */
typedef struct gp_fit_open {
    bool split;   /* TP, PP, CP, DP and ZeRO */
    bool experts; /* EP */
    bool micro_batch;
    bool recompute;
} gp_fit_open;
/* Sets what is open to the fastest that fits in memory under the same model; false where nothing
 * does. */
bool gp_fit_close_layout(const gp_fitter *fitter, gp_fit_case *c, const gp_fit_open *open);

/* One measured figure and how to estimate it by the fitter's present constants. */
typedef struct gp_fit_point {
    const gp_run_row *run;
    const char *shape;
    const char *group; /* of runs that err alike: one shape on one stack; NULL: on its own */
    double measured;   /* above zero */
    double noise;      /* over that of a run at large; 0: the same */
    bool serving;      /* moves with the free constants of serving, not with those of training */
    const void *subject;
    double (*estimate)(const gp_fitter *fitter, const void *subject);
    bool power; /* rests on power classes, and they on such points alone */
} gp_fit_point;

/* Rows of the result as they are added, each with its point (subject NULL: none). */
typedef struct gp_fit_rows {
    gp_backtest_row *items;
    gp_fit_point *points;
    size_t count, cap, point_cap;
} gp_fit_rows;

/* --- rows.c */
/* A row of a run that was not estimated: NANs, and `why` as its reason. */
gp_backtest_row gp_fit_row(const gp_run_row *run, const char *class_name, const char *metric,
                           double measured, const char *why);
/* Fills in the estimate of a row without a reason against it; `error` is the half width of its
 * band, 0 for none. */
void gp_fit_row_estimate(gp_backtest_row *row, double estimated, double error, const char *note);
void gp_fit_rows_add(gp_fitter *fitter, gp_fit_rows *rows, const gp_backtest_row *row,
                     const gp_fit_point *point);

/* --- training_score.c, memory.c */
void gp_fit_score_training(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows);
void gp_fit_score_memory(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows);

/* --- measures.c */
/* A collective inside one domain that was timed, as the subject of its point. */
typedef struct gp_fit_transfer {
    const gp_machine *machine;
    gp_collective collective;
    int64_t ranks;
    double bytes;
    double time_s; /* measured */
} gp_fit_transfer;

/* The estimate of such a point, in microseconds; tells them from others. */
double gp_fit_transfer_us(const gp_fitter *fitter, const void *subject);
void gp_fit_score_one_node(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows);
void gp_fit_score_multinode(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows);
/* A row of kind collectives_multinode is one stream between two ports (perftest). */
bool gp_fit_is_stream(const gp_run_row *run);

/* --- serving_power.c */
void gp_fit_score_power(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows);

/* --- inference.c */
void gp_fit_score_inference(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows);
/* Sets the formats of weights and cache that a run's words stand for, and its engine's row (NULL:
 * not known); false where no word is known. */
bool gp_fit_serving_formats(const gp_fitter *fitter, const gp_run_row *run,
                            const gp_machine *machine, gp_serve_job *job,
                            const gp_stack **ret_stack);

/* --- backtest.c */
/* A file of runs being scored. Between the calls its fitter and its rows may be changed. */
typedef struct gp_fit_scoring {
    const gp_backtest_options *options;
    gp_fitter fitter;
    gp_runs runs;
    gp_fit_rows rows;
} gp_fit_scoring;
/* Reads the file, which is one of `tables`. */
gp_status gp_fit_scoring_open(gp_arena *arena, gp_catalog *catalog, const gp_text *text,
                              const gp_run_table *const *tables, const gp_backtest_options *options,
                              gp_diags *diags, gp_fit_scoring *ret_scoring);
/* Adds all runs of a table to `rows`. */
void gp_fit_score_runs(gp_fitter *fitter, const gp_runs *runs, const gp_backtest_options *options,
                       gp_fit_rows *rows);
/* Figures over the rows; `left_out`: they have estimates by constants fitted without them. */
void gp_fit_scoring_sum(gp_fit_scoring *scoring, bool left_out, gp_backtest **ret_backtest);

/* --- calibration_overlay.c */
/* The power class that describes a GPU: its own, that of its architecture, or of all others; NULL:
 * none. */
const gp_power_class *gp_fit_power_class(gp_catalog *catalog, const gp_gpu *gpu);

/* --- score.c */
/* Percentile `share` (0..1) of sorted values by interpolation between the nearest ranks; NAN for
 * none. */
double gp_fit_percentile(const double *sorted, size_t count, double share);
/* Classes, groups, totals and worst rows of `backtest`, whose rows are there. */
void gp_fit_summarize(gp_arena *arena, const gp_backtest_options *options, gp_backtest *backtest);

#endif
