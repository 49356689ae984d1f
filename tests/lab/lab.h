/*
 * The workshop: tables of published runs of every kind scored, the free constants fitted to them,
 * and what was left out of a fit estimated unseen. It is built by `make lab` and not installed; a
 * user's own runs are scored and calibrated by gpuplan itself.
 */
#ifndef GP_LAB_LAB_H
#define GP_LAB_LAB_H

#include "fit/fitter.h"

/* What is left out of the fit in turn, all its runs at once, so that they are scored unseen. */
typedef enum gp_leave_out {
    GP_LEAVE_OUT_NONE,
    GP_LEAVE_OUT_MODEL,        /* a model shape, with all its aliases and fine-tunes */
    GP_LEAVE_OUT_GPU,          /* a row of the catalogue */
    GP_LEAVE_OUT_ENGINE,       /* a framework or serving engine, with all its releases */
    GP_LEAVE_OUT_SOURCE,       /* a repository or site that publishes figures */
    GP_LEAVE_OUT_ORGANIZATION, /* the models of one maker, by the word that their names share */
    GP_LEAVE_OUT_KINDS,
    GP_LEAVE_OUT_SIZE = GP_LEAVE_OUT_KINDS /* of collectives: every second size of each curve */
} gp_leave_out;

/* A whole training run: what the columns of a run of steps do not hold. */
typedef struct gp_lab_whole_run {
    const char *encoder_decoder, *attention_kernel, *gated, *tied, *hours_kind;
    double network_gbps, tokens_b, batch_tokens, shard_group;
    double head_dim, shared_experts, expert_ffn, dense_layers, moe_every, shared_ffn;
    double window, window_layers, encoder_layers;
    double mla_q_lora, mla_kv_lora, mla_nope, mla_rope, mla_value;
    double mamba_layers, mamba_heads, mamba_head_dim, mamba_state, mamba_groups, mamba_conv;
    double gpu_hours, wall_days; /* measured */
} gp_lab_whole_run;

/* A service in production or driven to its limit, or one pool of it: what the columns of a pool do
 * not hold. */
typedef struct gp_lab_deployment {
    const char *rate_kind, *compute, *slo_stat;
    double tp, dp, ep, stages;
    double input, output, context, prefix_hit;
    double requests_per_s, input_per_s, output_per_s, output_per_gpu_s; /* the load; measured */
    double ttft_ms, tpot_ms, slo_ttft_ms, slo_tpot_ms;
    double network_gbps;
} gp_lab_deployment;

/* A cluster, or one machine, in a state. */
typedef struct gp_lab_site_run {
    const char *system, *maker_model, *node_model, *cooling, *cpu, *topology, *switch_model;
    const char *state, *state_class, *scope, *grade;
    double network_gbps, link_gbps, cap_w, tdp_w;
    double pue;                                /* that the site states */
    double it_kw, facility_kw, watts;          /* measured */
    double leaf, spine, core, switches, racks; /* likewise */
} gp_lab_site_run;

enum { GP_RUN_IMAGE_SIZES = 4 };

/* A published run: the columns that tables of a user's own runs do not have. */
typedef struct gp_lab_row {
    gp_run_row run;
    const char *design; /* of a fabric; then the row's own figures, where it has them */
    double rails, planes, radix, unit_nodes, managers;
    double leaf, spine, core, node_leaf, leaf_spine, spine_core; /* measured: counts */
    gp_lab_whole_run whole;
    gp_lab_deployment served;
    gp_lab_site_run site;
    const char *unit; /* of a throughput that is counted in neither steps nor tokens */
    const char *patch, *merge, *tile_rule, *least_tokens, *most_tokens; /* of images */
    const char *image_tokens[GP_RUN_IMAGE_SIZES];
    const char *instances, *part_memory, *memory_share, *compute_share; /* of a part of a GPU */
    const char *part_value;
    const char *bandwidth; /* what that of an exchange counts */
    /* of a pool of a service: numbers, ranges or words */
    const char *pool, *pool_gpus, *stages, *attention_tp, *attention_dp, *expert_parts, *copies;
    const char *input_length, *output_length, *context_text, *batch_text, *concurrency;
    const char *accepted, *prefix_text; /* tokens that a step yields; share of prompts cached */
    const char *workers, *total_gpus;   /* replicas of its pools in words; GPUs of all of them */
    const char *input_rate, *pool_rate, *pool_tpot, *pool_ttft; /* measured */
    const char *both_rate, *sum_rate, *user_rate; /* input and output; of all GPUs; of a request */
} gp_lab_row;

/* The published run that a run of one of gp_lab_tables is. */
static inline const gp_lab_row *gp_lab(const gp_run_row *run) {
    return (const gp_lab_row *)(const void *)run;
}

/* Those of users, which read the words of pages here, then those of published runs alone;
 * NULL-terminated. */
const gp_run_table *const *gp_lab_tables(gp_arena *arena);

typedef struct gp_lab_options {
    gp_backtest_options base;
    gp_leave_out leave_out; /* what to refit without, to score the rows left out */
    int confidence;         /* 1 + gp_confidence that whole runs are planned at; 0: expected */
    const gp_text *const *fit_texts; /* further tables whose rows join the fits, unscored */
    size_t fit_text_count;
} gp_lab_options;

/* As gp_backtest_run, of all tables. Whole runs and services are planned with typical tuning. */
gp_status gp_lab_backtest(gp_arena *arena, gp_catalog *catalog, const gp_text *text,
                          const gp_lab_options *options, gp_diags *diags,
                          gp_backtest **ret_backtest);

typedef enum gp_lab_form {
    GP_LAB_FORM_CATALOG, /* the rows they belong to, as a document of kind Catalog */
    GP_LAB_FORM_MARKDOWN /* a table: value, prior, runs and models each rests on */
} gp_lab_form;

/* Fits the free constants to the strict rows of `texts` and writes them. */
gp_status gp_lab_constants(gp_arena *arena, gp_catalog *catalog, const gp_text *const *texts,
                           size_t text_count, gp_lab_form form, gp_diags *diags,
                           const char **ret_text, size_t *ret_len);

/* Reads further tables and adds the points of their strict rows to a list. */
gp_status gp_lab_collect(gp_fitter *fitter, const gp_text *const *texts, size_t text_count,
                         gp_fit_point **ret_points, size_t *ret_count);

/* --- left_keys.c */
/* What all points that are left out together with this one share; NULL: it is never left out. */
const char *gp_lab_left_key(gp_fitter *fitter, const gp_fit_point *point, gp_leave_out kind);

/* --- memory_row.c, power_row.c */
/* Rows of a user's kinds, with what published ones say in words. */
void gp_lab_score_memory(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows);
void gp_lab_score_power(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows);

/* --- exchange.c */
void gp_lab_score_exchange(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows);

/* --- fabric.c */
void gp_lab_score_fabric(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows);

/* --- vision.c */
void gp_lab_score_vision(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows);

/* --- other_kinds.c */
void gp_lab_score_other(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows);

/* --- sharing.c */
void gp_lab_score_sharing(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows);

/* --- plans.c */
enum { GP_LAB_SPEC_MAX_BYTES = 64 << 10, GP_LAB_SPEC_DIGITS = 15 };
/* ", key: value", or nothing for what is not stated. */
void gp_lab_write_member(gp_buf *buf, const char *key, double value);
/* One machine as a system of a spec. */
void gp_lab_write_system(gp_buf *buf, const gp_machine *machine);
/* The machine of a row and its network of that rate per GPU (0: as the machine comes). Where
 * several machines have none, a port of the assumed rate. */
gp_fit_hardware gp_lab_site_of(gp_fitter *fitter, const gp_run_row *run, double network_gbps);
/* Plans the one workload of a spec; NULL with a reason where the spec cannot be planned. */
const gp_workload_plan *gp_lab_plan(gp_fitter *fitter, const char *name, gp_buf *spec_text,
                                    const gp_plan_options *options, const char **ret_why);

/* --- sites.c */
/* Power, switches and racks of a cluster as it stands; power of one machine in a state. */
void gp_lab_score_cluster(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows);
void gp_lab_score_machine(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows);

/* --- whole.c */
/* Plans a whole training run as a user's spec of its columns would be planned: its GPU hours on the
 * published cluster, and the GPUs for its published days. */
void gp_lab_score_whole(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows);

/* --- serving_pool.c */
void gp_lab_score_pool(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows);
/* Sets what a row says of tokens guessed ahead; where it does not say, none are. */
void gp_lab_set_draft(const gp_fitter *fitter, const gp_run_row *run, gp_serve_job *job);

/* --- served_model.c */
/* The model as it is named, else by what is left of its name; with a note where that is another
 * checkpoint or release. */
const gp_fit_model *gp_lab_served_model(gp_fitter *fitter, const gp_run_row *run,
                                        const char **ret_why);

/* --- deployment.c */
/* Plans a service as a user's spec of its columns would be planned: the GPUs for its load, and the
 * rate per GPU of its published layout. */
void gp_lab_score_deployment(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows);

/* --- curves.c */
/* Least sum of relative errors of latency + factor x bytes / bus + root x sqrt(bytes); false where
 * the sizes do not tell the terms apart. */
bool gp_lab_curve(const gp_fit_transfer *const *transfers, size_t count, gp_curve *ret_curve);
typedef struct gp_lab_curve_row {
    const gp_fit_transfer *head; /* one of its runs: machine, collective, ranks */
    gp_curve curve;
    double error_fraction; /* mean of the fit */
    size_t n;
} gp_lab_curve_row;
/* A curve for each GPU, collective and ranks among the points. */
gp_lab_curve_row *gp_lab_curves(gp_fitter *fitter, const gp_fit_point *points, size_t count,
                                size_t *ret_count);
/* Of the rows of one-node collectives: estimates by curves fitted to the other half of the sizes,
 * every second one, of the same GPU, collective and ranks. */
void gp_lab_leave_sizes(gp_fitter *fitter, gp_fit_rows *rows);

#endif
