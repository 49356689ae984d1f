/* Measured runs as the files hold them. Texts are NULL and numbers zero where a cell is blank. */
#ifndef GP_FIT_RUNS_H
#define GP_FIT_RUNS_H

#include "fit/columns.h"

/* A whole training run: what the columns of a run of steps do not hold. */
typedef struct gp_whole_run {
    const char *encoder_decoder, *attention_kernel, *gated, *tied, *hours_kind;
    double network_gbps, tokens_b, batch_tokens, shard_group;
    double head_dim, shared_experts, expert_ffn, dense_layers, moe_every, shared_ffn;
    double window, window_layers, encoder_layers;
    double mla_q_lora, mla_kv_lora, mla_nope, mla_rope, mla_value;
    double mamba_layers, mamba_heads, mamba_head_dim, mamba_state, mamba_groups, mamba_conv;
    double gpu_hours, wall_days; /* measured */
} gp_whole_run;

/* A service in production or driven to its limit, or one pool of it: what the columns of a pool do
 * not hold. */
typedef struct gp_deployment {
    const char *rate_kind, *compute, *slo_stat;
    double tp, dp, ep, stages;
    double input, output, context, prefix_hit;
    double requests_per_s, input_per_s, output_per_s, output_per_gpu_s; /* the load; measured */
    double ttft_ms, tpot_ms, slo_ttft_ms, slo_tpot_ms;
    double network_gbps;
} gp_deployment;

/* A cluster, or one machine, in a state. */
typedef struct gp_site_run {
    const char *system, *maker_model, *node_model, *cooling, *cpu, *topology, *switch_model;
    const char *state, *state_class, *scope, *grade;
    double network_gbps, link_gbps, cap_w, tdp_w;
    double pue;                                /* that the site states */
    double it_kw, facility_kw, watts;          /* measured */
    double leaf, spine, core, switches, racks; /* likewise */
} gp_site_run;

enum { GP_RUN_IMAGE_SIZES = 4 };

/* A run of training, fine-tuning or LoRA, or a measurement of memory, of a collective, of power:
 * members that a kind of file has no column for stay blank. */
/* What a row says of reinforcement learning. */
typedef struct gp_rl_run {
    const char *row_kind, *grade, *algorithm, *rollout_precision, *reference, *critic, *colocated;
    double train_gpus, rollout_gpus, lag;
    double prompts, samples, batch_sequences, prompt_tokens, response_tokens, most_tokens;
    double engine_tp, engine_pp, engine_ep;
    /* measured */
    double step_s, rollout_s, train_s, refit_s;
} gp_rl_run;

typedef struct gp_run_row {
    const char *id, *kind, *model, *gpu, *precision, *strict, *notes;
    const char *inter_node_link, *zero, *recompute, *framework, *version, *source;
    const char *packing, *targets, *quant, *framework_config, *attn;
    const char *collective, *payload;
    const char *optimizer, *offload, *components, *outcome, *measure, *loss_kernel, *peft_method;
    double params_b, active_b;
    double layers, hidden, heads, kv_heads, ffn, vocab, experts, top_k;
    double gpus, gpus_per_node;
    double sequences; /* of the global batch */
    double micro_batch, sequence_length;
    double tp, pp, cp, vpp, ep, dp;
    double nodes, ranks, bytes; /* of a collective */
    const char *design;         /* of a fabric; then the row's own figures, where it has them */
    double rails, planes, radix, unit_nodes, managers;
    double leaf, spine, core, node_leaf, leaf_spine, spine_core; /* measured: counts */
    const char *mode, *kv_precision, *request_rate, *engine;
    const char *input_text; /* tells a prompt of no tokens from one that is not stated */
    const char *spec_decode, *prefix_cache;
    double moe_tp;
    double input_tokens, output_tokens;
    double batch; /* sequences served at a time */
    double rank, grad_accum, quant_bits;
    bool plain, tied; /* from notes: no gate in the MLP; one matrix for embedding and head */
    double stacks;    /* 2: encoder and decoder; 0: not said */
    double expert_tp; /* tensor parallelism inside an expert; 0: not said */
    gp_whole_run whole;
    gp_deployment served;
    gp_site_run site;
    gp_rl_run rl;
    const char *unit; /* of a throughput that is counted in neither steps nor tokens */
    const char *patch, *merge, *tile_rule, *least_tokens, *most_tokens; /* of images */
    /* measured: read by the scorer alone */
    const char *image_tokens[GP_RUN_IMAGE_SIZES];
    double tokens_per_s, iteration_s, peak_gib, kv_tokens, usable_gib;
    double time_us, bus_gb_per_s, watts;
    const char *bandwidth; /* what that of an exchange counts */
    double ttft_ms, tpot_ms, output_rate, total_rate; /* rates per GPU */
    /* of a pool of a service: numbers, ranges or words */
    const char *pool, *pool_gpus, *stages, *attention_tp, *attention_dp, *expert_parts, *copies;
    const char *input_length, *output_length, *context_text, *batch_text, *concurrency;
    const char *accepted, *prefix_text; /* tokens that a step yields; share of prompts cached */
    const char *workers, *total_gpus; /* replicas of its pools in words; GPUs of all of them */
    const char *input_rate, *pool_rate, *pool_tpot, *pool_ttft; /* measured */
    const char *both_rate, *sum_rate, *user_rate; /* input and output; of all GPUs; of a request */
} gp_run_row;

typedef enum gp_runs_kind {
    GP_RUNS_TRAINING,
    GP_RUNS_MEMORY,
    GP_RUNS_COLLECTIVES_ONE_NODE,
    GP_RUNS_COLLECTIVES_MULTINODE,
    GP_RUNS_SERVING_POWER,
    GP_RUNS_INFERENCE,
    GP_RUNS_FABRIC,
    GP_RUNS_SERVING_EP,
    GP_RUNS_WHOLE,
    GP_RUNS_DEPLOYMENTS,
    GP_RUNS_CLUSTERS,
    GP_RUNS_MACHINES,
    GP_RUNS_EXCHANGES,
    GP_RUNS_VISION_TOKENS,
    GP_RUNS_OTHER_KINDS,
    GP_RUNS_RL,
    GP_RUNS_KIND_COUNT,
    GP_RUNS_UNKNOWN = GP_RUNS_KIND_COUNT
} gp_runs_kind;

typedef struct gp_runs {
    gp_runs_kind kind;
    gp_csv csv;
    size_t count;
    const gp_run_row *items;
    bool has_strict; /* without that column every row counts */
} gp_runs;

const char *gp_runs_kind_name(gp_runs_kind kind);
/* The columns that tell a kind of table; NULL for none. */
enum { GP_RUNS_TELL = 3 };
const char *const *gp_runs_tell(gp_runs_kind kind);
/* Whether tables of the kind have that column; else the nearest name, or NULL. */
bool gp_runs_has_column(gp_arena *arena, gp_runs_kind kind, const char *name,
                        const char **ret_nearest);
/* What is due in that column instead of `value`; NULL: it will do, or there is no such column. */
const char *gp_runs_due(gp_runs_kind kind, const char *name, const char *value);
/* Reads a table whose header tells its kind. */
gp_status gp_runs_read(gp_arena *arena, const gp_text *text, gp_diags *diags, gp_runs *ret_runs);
/* The value of "key=value" among the notes, which are separated by ";" or blanks; *ret_len is 0
 * and the result NULL where there is none. */
const char *gp_notes_value(const char *notes, const char *key, size_t *ret_len);
/* The same as a number; 0 where there is none. */
double gp_notes_number(const char *notes, const char *key);

#endif
