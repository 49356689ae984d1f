/*
 * A serving replica as coefficients: what does not change with batch and lengths is worked out once
 * per (job, machine, layout), so that pricing a step is a handful of multiplications.
 */
#ifndef GP_ESTIMATE_SERVE_H
#define GP_ESTIMATE_SERVE_H

#include "base/num.h"
#include "estimate/estimate.h"
#include "estimate/queue.h"

/* A reference to the workload's own field, where the job knows its workload. */
#define GP_SERVE_REF(job, object, type, member)                                                    \
    ((job)->workload == NULL ? GP_REF_TERM(GP_TERM_PARAMETERS)                                     \
                             : GP_REF(&(job)->workload->object, type, member))

/* Memory of one sequence on one rank. */
typedef struct gp_serve_kv {
    double full_bytes;   /* per token of context, layers of full attention */
    double window_bytes; /* per token inside the window */
    double window_tokens;
    double state_bytes; /* per sequence */
} gp_serve_kv;

/* KV cache and state that one rank of the layout holds. */
gp_serve_kv gp_serve_kv_of(const gp_serve_job *job, const gp_serve_layout *layout,
                           const gp_constants *constants);
/* Bytes on one rank of a sequence of `tokens` tokens. */
double gp_serve_kv_bytes(const gp_serve_kv *kv, double tokens);

/* Ranks that hold the experts: `slices` share one, `tp` hold the same tokens. */
typedef struct gp_exchange_group {
    double top_k, parts, slices, tp, machines;
} gp_exchange_group;

/* Copies of a token that one rank sends over links and over the network: of a step of few tokens,
 * of one of many. */
typedef struct gp_exchange_copies {
    double few_link, few_net;
    double many_link, many_net;
} gp_exchange_copies;

typedef struct gp_exchange_rates {
    double link_bytes_per_s;
    double net_bytes_per_s; /* 1 where all ranks are in one machine; 0: no network is known */
} gp_exchange_rates;

gp_exchange_copies gp_exchange_copies_of(const gp_exchange_group *group);
gp_exchange_rates gp_exchange_rates_of(const gp_machine *machine, const gp_network *network,
                                       const gp_constants *constants, int64_t machines);
/* Beyond the fixed time: `bytes` of one copy of all tokens of a rank. */
double gp_exchange_bytes_s(const gp_exchange_rates *rates, const gp_exchange_copies *copies,
                           double bytes, bool many);

typedef struct gp_serve_cost {
    const gp_serve_job *job;
    const gp_machine *machine;
    const gp_network *network;
    const gp_constants *constants;
    int64_t tp, pp, nodes; /* nodes: machines that one tensor-parallel group spans */
    int64_t groups;        /* that serve sequences of their own and share the experts */
    int64_t ep;            /* parts that the experts are dealt out to; 1: all are sliced */
    int64_t domain;        /* GPUs that reach each other without the network */
    bool whole_experts;    /* experts are spread, not sliced */
    bool supported;        /* false: the GPU cannot compute this format */
    /* one rank, whole depth of the model */
    double dense_bytes;    /* weights read by every step */
    double dense_flop;     /* per token, all but the routed experts */
    double head_flop;      /* the part of it in the output head */
    double expert_bytes;   /* one routed expert in all MoE layers */
    double expert_flop;    /* per token, the routed experts that it uses */
    double spread;         /* ranks that hold different experts */
    double spread_log;     /* 2 ln of them: how uneven balls fall into as many bins */
    double experts, top_k; /* per MoE layer; 0: none */
    double missed_log;     /* ln of the chance that a token misses an expert; 0: it misses none */
    double flop_per_s;     /* attainable in large GEMMs */
    double expert_flop_per_s;
    double tile_rows;    /* by which a touched expert's share is rounded up */
    double expert_row_s; /* per token: of its rows before and after their products */
    double weight_bytes_per_s, expert_bytes_per_s, kv_bytes_per_s;
    double attention_flop_per_s, decode_attention_flop_per_s;
    double attention_flop;        /* per (query, key) pair in prefill, full-attention layers */
    double window_flop;           /* the same of window layers */
    double decode_attention_flop; /* per token of context in decode */
    double context_limit;         /* keys that sparse attention multiplies with; 0: all */
    double read_limit;            /* and reads */
    double index_flop;            /* per (query, key) pair, of what picks the keys */
    gp_serve_kv kv;
    double reductions;      /* all-reduces of one pass */
    double reduction_bytes; /* per token */
    double reduction_s;     /* fixed part of the engine's own all-reduce */
    double exchanges;       /* of tokens between the groups' ranks, there and back, in one pass */
    double dispatch_bytes;  /* per token that one rank sends to an expert, and what comes back */
    double combine_bytes;
    gp_exchange_copies copies; /* per token of a group and rank */
    gp_exchange_rates rates;
    double exchange_s; /* fixed part of one exchange, there and back */
    double uneven;     /* groups wait for the one with most to do: share of one sequence */
    double overhead_s; /* of one pass, on the GPU */
    double spread_s;   /* on top where all experts are in use and spread over the ranks */
    double step_s;     /* of one step, on the host; sequence_s for each sequence on top */
    double sequence_s;
    double vision_flop;           /* per image token, products of the tower */
    double vision_attention_flop; /* and its attention */
    double adapter_s;             /* of a mean request, to fetch an adapter */
    double slowdown;              /* >= 1: tuning, stack, adapters */
    const gp_efficiency *own;     /* rates of own runs, whose tuning is in them; or NULL */
    double prefill_factor;        /* of the engine, on the work of prompts */
    double budget_tokens;         /* of one step */
    double full_reduction_s;      /* of a step full of prompts in every group, */
    double full_experts_s;        /* its routed experts */
    double full_exchange_s;       /* and its exchange */
    double rows_per_sequence;     /* tokens that a step checks of each: drafted ones and its own */
    double step_share;            /* of a step with its drafts, per token that stands */
} gp_serve_cost;

typedef struct gp_serve_step {
    double experts_touched, weight_bytes, kv_bytes;
    double gemm_s, attention_s, overhead_s, communication_s;
    double total_s; /* per token of a sequence: with drafted tokens a step yields several */
} gp_serve_step;

typedef struct gp_serve_prefill {
    double gemm_s, attention_s, communication_s, overhead_s;
    double total_s; /* alone on the replica */
    double work_s;  /* what it adds to the steps it shares with a running batch */
} gp_serve_prefill;

void gp_serve_cost_of(const gp_serve_job *job, const gp_machine *machine, const gp_network *network,
                      const gp_serve_layout *layout, const gp_constants *constants,
                      gp_serve_cost *ret);
/* What a step of some sequences takes whatever their context: to ask for many contexts. */
typedef struct gp_serve_batch {
    double sequences, rows; /* of a group */
    double pooled_rows;     /* of all groups */
    double factor;          /* of the step's parts, to its time */
    double exchanged_s, halves_exchanged_s;
    bool may_halve;
    gp_serve_step whole, half; /* half: without gemm_s until it is needed */
} gp_serve_batch;
void gp_serve_batch_of(const gp_serve_cost *cost, double sequences, gp_serve_batch *ret);
void gp_serve_batch_step(const gp_serve_cost *cost, gp_serve_batch *batch, double context,
                         gp_serve_step *ret);
/* One step of `batch` sequences with `context` tokens each. */
void gp_serve_step_of(const gp_serve_cost *cost, double batch, double context, gp_serve_step *ret);
/* Prefill of `tokens` new tokens behind `prefix` cached ones; `images` image tokens among them. */
void gp_serve_prefill_of(const gp_serve_cost *cost, double tokens, double prefix, double images,
                         gp_serve_prefill *ret);
/* What does not change with what is asked for. */
void gp_serve_item_cost(gp_serve_cost *cost);
/* A batch of items, each through all its passes; also what an engine does of them. */
double gp_serve_items_s(const gp_serve_cost *cost, double batch, gp_serve_prefill *ret);
void gp_serve_item_trace(const gp_serve_cost *cost, const gp_serve_prefill *prefill,
                         gp_trace *trace);
/* What one item holds beside the weights. */
double gp_item_activation_bytes(const gp_serve_job *job, const gp_constants *constants);
/* Of one served adapter; how many of them GPU memory holds; and what fetching the others takes of a
 * mean request. */
double gp_serve_adapter_bytes(const gp_serve_job *job, const gp_constants *constants);
double gp_serve_adapters_held(const gp_serve_job *job);
double gp_serve_adapter_s(const gp_serve_cost *cost);
/* The constant behind the band of the time to the first token, or of all else. */
gp_ref gp_serve_band_ref(const gp_serve_job *job, const gp_constants *constants, bool first_token);
/* Tokens per step that an engine is set up for on this machine. */
double gp_serve_step_tokens(const gp_serve_job *job, const gp_machine *machine,
                            const gp_constants *constants);
/* Fixed time of a request before its prefill. */
double gp_serve_request_s(const gp_serve_job *job, const gp_constants *constants);

/* The prompts of a service. */
typedef struct gp_serve_prompts {
    gp_serve_prefill mean; /* a prompt of mean length */
    double work_s;         /* what one adds to the steps of its replica, on average */
    double cv2;            /* of that: its variance over its mean squared */
} gp_serve_prompts;

/* Variance of the output over its mean squared: as stated, or the catalogue's. */
double gp_serve_output_cv2(const gp_serve_job *job, const gp_constants *constants);
/* Tokens of a prompt that are not cached; at least 1. */
double gp_serve_fresh_tokens(const gp_serve_job *job, double input);
/* Prefill of one prompt of `input` tokens, cached ones included. */
void gp_serve_prompt_of(const gp_serve_cost *cost, double input, gp_serve_prefill *ret);
void gp_serve_prompts_of(const gp_serve_cost *cost, double input, gp_serve_prompts *ret);
/* What a prefill takes of its replica beyond its work, once for all that share the step. Groups
 * that step together share the fixed parts alone: the others do not wait for a lone prompt. */
double gp_serve_prompt_fixed_s(const gp_serve_cost *cost, const gp_serve_prefill *prefill);

/* A replica that serves prompts and tokens, as coefficients. */
/* A prompt beside a running batch: what it takes by itself, and the steps that it shares. */
typedef struct gp_serve_shared {
    double total_s, work_s, steps;
} gp_serve_shared;

typedef struct gp_serve_replica {
    gp_serve_cost cost;
    double input, output, branches; /* tokens per request and branch */
    double context;                 /* mean tokens of a running sequence */
    gp_serve_prefill prefill;       /* of a mean prompt */
    gp_serve_shared mean, p95, p99; /* prompts of these lengths */
    double work_s;       /* what one request's prefill adds to the steps of its replica */
    double work_cv2;     /* its variance over its mean squared */
    double prompt_steps; /* engine steps that one prompt needs by its token budget */
    double batch_max;
    double idle_step_s, full_step_s; /* of no sequence, of batch_max */
    double max_requests_per_s;       /* with batch_max; 0: it cannot run */
    bool near;    /* nobody asks beyond the 95th percentile, which stands for it */
    double among; /* replicas that the router chooses among, this one included */
    double seats; /* held, and not worked off: a rate is how many are open; 0: it serves requests */
} gp_serve_replica;

void gp_serve_replica_of(const gp_serve_job *job, const gp_machine *machine,
                         const gp_network *network, const gp_serve_layout *layout,
                         const gp_constants *constants, const gp_serve_memory *memory,
                         gp_serve_replica *ret);
/* The replica with `batch` running sequences, below batch_max, at the rate that keeps them so; the
 * rate, in requests per second. */
double gp_serve_replica_with(const gp_serve_replica *replica, double batch, gp_serve_point *ret);
/* gp_serve_load of a replica that is known. */
void gp_serve_replica_load(const gp_serve_replica *replica, double requests_per_s, gp_trace *trace,
                           gp_serve_point *ret);
/* Of that the running sequences alone, and the tokens that they write. */
double gp_serve_replica_batch(const gp_serve_replica *replica, double requests_per_s,
                              double *ret_tokens_per_s);
/* gp_serve_power_of by what its work costs. */
void gp_serve_power_with(const gp_serve_cost *cost, double batch, double tokens_per_s,
                         gp_trace *trace, gp_serve_power *ret);

/* What is known of a replica that is asked for a rate: the most sequences that it holds, and what
 * `beyond` below is with none and with those. */
typedef struct gp_serve_ends {
    double most, beyond_none, beyond_most;
} gp_serve_ends;

/* The least batch that keeps up: where `beyond`, below 0 at 0 and above at the most, is nought.
 * b / t(b) grows with b, and steps grow almost in line with their batch, so that a few parabolas
 * find it. */
double gp_serve_balance(gp_num_function *beyond, const void *context, const gp_serve_ends *ends);

/* Time to first token and of whole requests at the percentiles, by what is known of their means and
 * of the time per token: spreads of independent parts add up by their squares. `longer`: what long
 * prompts take beyond the mean's. */
void gp_serve_set_tails(const gp_serve_job *job, const gp_wait *place, const gp_wait *prompts,
                        double longer_p95_s, double longer_p99_s, gp_serve_point *point);

/* A prefill and a decode replica as coefficients. */
typedef struct gp_serve_pools {
    const gp_constants *constants;
    gp_serve_cost prefill, decode;
    bool supported;
    double input, output, branches;    /* tokens per request and branch */
    double context;                    /* mean tokens of a running sequence */
    double prompt_s;                   /* what one prompt takes of a prefill replica, on average */
    double prompt_cv2;                 /* of that: its variance over its mean squared */
    double lone_s;                     /* prefill of a mean prompt alone */
    double longer_p95_s, longer_p99_s; /* prefill and transfer of long prompts beyond the mean's */
    double transfer_s;
    double batch_max;                /* of the decode replica */
    double idle_step_s, full_step_s; /* its steps of no sequence, of batch_max */
    double max_requests_per_s;       /* of it, with that batch */
    bool near;                /* nobody asks beyond the 95th percentile, which stands for it */
    double prefills, decodes; /* replicas that the router chooses among */
} gp_serve_pools;

/* `memory` is the decode replica's. */
void gp_serve_pools_of(const gp_serve_job *job, const gp_machine *machine,
                       const gp_network *network, const gp_serve_split *split,
                       const gp_constants *constants, const gp_serve_memory *memory,
                       gp_serve_pools *ret);
/* The decode replica with `batch` running sequences: times per token and requests per second. */
void gp_serve_pools_decode(const gp_serve_pools *pools, double batch, gp_serve_point *ret);
/* The latencies of the whole with `point` as the decode replica, and prefill at the given rate. */
void gp_serve_pools_latency(const gp_serve_pools *pools, double prefill_requests_per_s,
                            gp_serve_point *point);

/* Of a GPU of both pools on average: a decode replica at its load, and prefill replicas that are
 * busy for a share of the time and have `prefill_share` of the GPUs. */
void gp_serve_pools_power(const gp_serve_pools *pools, const gp_serve_point *decode,
                          double prefill_busy, double prefill_share, gp_trace *trace,
                          gp_serve_power *ret);

void gp_serve_step_trace(const gp_serve_cost *cost, const gp_serve_step *step, gp_trace *trace);
void gp_serve_prefill_trace(const gp_serve_cost *cost, const gp_serve_prefill *prefill,
                            gp_trace *trace);

#endif
