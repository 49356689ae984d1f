/* Measured runs as the files hold them. Texts are NULL and numbers zero where a cell is blank. */
#ifndef GP_FIT_RUNS_H
#define GP_FIT_RUNS_H

#include "fit/columns.h"

/* A run of training, fine-tuning or LoRA, or a measurement of memory, of a collective, of power:
 * members that a kind of file has no column for stay blank. */
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
    const char *mode, *kv_precision, *request_rate, *engine;
    const char *input_text; /* tells a prompt of no tokens from one that is not stated */
    const char *spec_decode, *prefix_cache;
    double moe_tp;
    double input_tokens, output_tokens;
    double image_tokens; /* of a prompt, beside its text */
    double batch;        /* sequences served at a time */
    double rank, grad_accum, quant_bits;
    bool plain, tied; /* from notes: no gate in the MLP; one matrix for embedding and head */
    double stacks;    /* 2: encoder and decoder; 0: not said */
    double expert_tp; /* tensor parallelism inside an expert; 0: not said */
    /* measured: read by the scorer alone */
    double tokens_per_s, iteration_s, peak_gib, kv_tokens, usable_gib;
    double time_us, bus_gb_per_s, watts;
    double ttft_ms, tpot_ms, output_rate, total_rate; /* rates per GPU */
} gp_run_row;

/* Kinds of tables that users make of runs of their own. */
typedef enum gp_runs_kind {
    GP_RUNS_TRAINING,
    GP_RUNS_MEMORY,
    GP_RUNS_COLLECTIVES_ONE_NODE,
    GP_RUNS_COLLECTIVES_MULTINODE,
    GP_RUNS_SERVING_POWER,
    GP_RUNS_INFERENCE,
    GP_RUNS_RL,
    GP_RUNS_KIND_COUNT,
    GP_RUNS_UNKNOWN = GP_RUNS_KIND_COUNT
} gp_runs_kind;

struct gp_fitter;
struct gp_fit_rows;
/* Adds the figures that a run measured, each beside its estimate. */
typedef void gp_run_score(struct gp_fitter *fitter, const gp_run_row *run,
                          struct gp_fit_rows *rows);

enum { GP_RUNS_TELL = 3 };
typedef struct gp_run_table {
    const char *name;
    const char *tell[GP_RUNS_TELL]; /* columns that only this kind has all of */
    const gp_column *columns;
    size_t column_count;
    size_t size; /* of a row, which begins with a gp_run_row */
    gp_run_score *score;
    bool typical; /* recipes as they ship, not tuned runs */
} gp_run_table;

/* rl.c: steps of reinforcement learning. */
extern const gp_run_table gp_fit_rl_table;

/* By gp_runs_kind, NULL-terminated. */
extern const gp_run_table *const gp_run_tables[GP_RUNS_KIND_COUNT + 1];

typedef struct gp_runs {
    size_t kind; /* position of its table among those that were offered */
    const gp_run_table *table;
    gp_csv csv;
    size_t count;
    char *items;     /* rows of table->size */
    bool has_strict; /* without that column every row counts */
} gp_runs;

const gp_run_row *gp_runs_at(const gp_runs *runs, size_t i);
/* Whether tables of the kind have that column; else the nearest name, or NULL. */
bool gp_runs_has_column(gp_arena *arena, gp_runs_kind kind, const char *name,
                        const char **ret_nearest);
/* What is due in that column instead of `value`; NULL: it will do, or there is no such column. */
const char *gp_runs_due(gp_runs_kind kind, const char *name, const char *value);
/* Reads a table whose header tells which of `tables` (NULL-terminated) it is. */
gp_status gp_runs_read(gp_arena *arena, const gp_text *text, const gp_run_table *const *tables,
                       gp_diags *diags, gp_runs *ret_runs);

#endif
