/*
 * Estimators: pure functions from resolved structs to figures. No I/O, no look-ups, no text. Each
 * takes an optional trace: with one, it records its terms and the input fields they came from, so
 * that a report can join names, sources and origins; without one it allocates nothing and is fast
 * enough to sit inside a search.
 *
 * Conventions: bytes, seconds, watts, FLOP; bandwidths are per GPU and direction; a "rank" is a
 * GPU. Symbols and sources of the formulas: docs/formulas.md.
 */
#ifndef GP_ESTIMATE_ESTIMATE_H
#define GP_ESTIMATE_ESTIMATE_H

#include "catalog/constants.h"
#include "model/model.h"

/* ---------------------------------------------------------------- trace */

/* Ids of all terms; their names, formulas and sources are a table of the report room.
 * X(id, "camelCaseName", dimension) */
typedef enum gp_term_id {
#define TERM(id, name, dim, formula, source) GP_TERM_##id,
#include "estimate/terms.inc"
#undef TERM
    GP_TERM_COUNT
} gp_term_id;

/* One input of a term: a field of a bound struct, or another term (meta NULL). */
typedef struct gp_ref {
    const gp_meta *meta;
    size_t offset;
    gp_term_id term;
} gp_ref;
#define GP_REF(object, type, member)                                                               \
    ((gp_ref){.meta = &(object)->meta, .offset = offsetof(type, member)})
#define GP_REF_TERM(id) ((gp_ref){.meta = NULL, .term = (id)})
/* Nothing: what a formula reads only for some jobs is left out for the others. */
#define GP_REF_NONE                           GP_REF_TERM(GP_TERM_COUNT)
#define GP_REF_IF(read, object, type, member) ((read) ? GP_REF(object, type, member) : GP_REF_NONE)

enum { GP_TERM_INPUT_MAX = 13, GP_TRACE_MAX = 256 };

typedef struct gp_term {
    gp_term_id id;
    double value;
    int input_count;
    gp_ref inputs[GP_TERM_INPUT_MAX];
} gp_term;

/* `items` is the caller's, with room for `room` terms; GP_TRACE_MAX is enough for all there are. */
typedef struct gp_trace {
    size_t count, room;
    bool overflow;
    gp_term *items;
} gp_trace;
#define GP_TRACE_ON(terms)                                                                         \
    ((gp_trace){.room = sizeof(terms) / sizeof((terms)[0]), .items = (terms)})

/* The data sheet's peak that a precision runs at. */
gp_ref gp_peak_ref(const gp_gpu *gpu, gp_precision precision);
/* Records a term; a NULL trace is ignored. A repeated id replaces the earlier value. */
void gp_trace_add(gp_trace *trace, gp_term_id id, double value, const gp_ref *inputs, int count);
#define GP_TRACE(trace, id, value, ...)                                                            \
    do {                                                                                           \
        if ((trace) != NULL) {                                                                     \
            const gp_ref gp_trace_refs[] = {__VA_ARGS__};                                          \
            gp_trace_add((trace), (id), (value), gp_trace_refs,                                    \
                         (int)(sizeof gp_trace_refs / sizeof gp_trace_refs[0]));                   \
        }                                                                                          \
    } while (0)

/* ---------------------------------------------------------------- model shape */

/* What the formulas need of a model, derived once. Counts are doubles: they only ever multiply. */
typedef struct gp_shape {
    const gp_model *model;
    double layers; /* blocks that pass the residual stream on */
    double hidden, vocab, heads, kv_heads, head_dim;
    double attention_layers; /* full softmax attention (GQA or MLA) */
    double window_layers;    /* sliding window; window tokens below */
    double window_tokens;
    double mamba_layers, linear_layers;
    double dense_layers; /* layers with a dense MLP */
    double moe_layers;
    double experts, top_k; /* per MoE layer */
    bool mla;
    bool moe;
    bool hybrid;
    /* parameters */
    double parameters;           /* all, embeddings included once or twice as tied says */
    double active_parameters;    /* used by one token (embedding look-up not counted as compute) */
    double embedding_parameters; /* input embedding (+ learned positions) */
    double head_parameters; /* output head; equals the embedding when tied but holds no memory */
    double attention_parameters;  /* all attention/mamba/linear mixers together */
    double dense_mlp_parameters;  /* all dense MLPs and shared experts */
    double expert_parameters;     /* all routed experts, all layers */
    double one_expert_parameters; /* one routed expert of one layer */
    double router_parameters;
    double norm_parameters;
    double vision_parameters;       /* all of the tower */
    double vision_patch_parameters; /* of them, products that every patch goes through */
    double vision_token_parameters; /* and every token that goes on into the decoder */
    double linear_parameters;       /* GEMM parameters active for one token, head included */
    /* per token */
    double attention_width;    /* heads x head_dim (q.k plus p.v: mean of both for MLA) */
    double kv_elements;        /* KV cache elements per token of the full-attention layers */
    double window_kv_elements; /* the same of the window layers, held for window_tokens only */
    double state_bytes;        /* fixed state per sequence (Mamba, linear attention) */
    double ffn_width;        /* mean active FFN width per layer, for element-wise traffic */
    /* sums over all layers, for training */
    double window_width;       /* as attention_width, of the window layers */
    double context_limit;      /* tokens a query attends to at most (sparse); 0: no limit */
    double index_width;        /* indexer heads x width of sparse attention, per layer */
    double index_layers;       /* that have one */
    double scan_elements;      /* inner width x state of all state-space and linear layers */
    double norm_saved_bytes;   /* residual inputs and norm outputs saved per token */
    double inner_saved_bytes;  /* saved inside mixers and dense MLPs per token */
    double expert_saved_bytes; /* saved for routed experts per token */
    double cheap_saved_bytes;  /* of these, what selective recomputation does not save */
    double split_blocks;       /* blocks with a gather and a scatter under tensor parallelism */
    double routed_bytes;       /* 16-bit bytes of one token sent once to its top_k experts */
    double expert_width;       /* inner width of one routed expert */
    double mlp_matrices;       /* 3 gated, 2 plain */
} gp_shape;

/* GP_ERR_INPUT when the model lacks a needed dimension (validation should have caught it). */
gp_status gp_shape_derive(const gp_model *model, const gp_constants *constants, gp_trace *trace,
                          gp_shape *ret_shape);
/* Trainable adapter parameters of one LoRA/QLoRA/DoRA adapter over its targets. */
double gp_adapter_parameters(const gp_shape *shape, const gp_adapter *adapter);
/* Elements that go into all its targets, for one token. */
double gp_adapter_inputs(const gp_shape *shape, const gp_adapter *adapter);
/* Matrices it puts on one layer: two to a target, all targets where none is named. */
double gp_adapter_matrices(const gp_shape *shape, const gp_adapter *adapter);
/* Bytes of one stored element of a format, scales included. */
double gp_format_bytes(const gp_constants *constants, gp_format format);
/* Bytes of the weights in `format`, the rest (embeddings, head, norms, excluded share) in 16 bit.
 * */
double gp_weights_bytes(const gp_shape *shape, const gp_constants *constants, gp_format format,
                        double quantized_fraction);

/* ---------------------------------------------------------------- machine and network */

enum { GP_FIT_RANKS = 7 }; /* fits for 2, 4, 8, 16, 32, 64, 128 ranks in one scale-up domain */

/* T = latency_s + factor * bytes / bus_bytes_per_s + sqrt_s * sqrt(bytes) */
typedef struct gp_curve {
    double latency_s;
    double bus_bytes_per_s;
    double sqrt_s; /* s per sqrt(byte) */
    bool fitted;   /* to runs of as many ranks */
} gp_curve;

/* One kind of machine as the formulas see it; filled once per candidate unit. */
typedef struct gp_machine {
    const gp_system *system;
    const gp_gpu *gpu;
    int64_t gpus;     /* per machine */
    int64_t domain;   /* GPUs that share a scale-up link */
    double hbm_bytes; /* usable, per GPU */
    double hbm_bytes_per_s;
    double peak_flop_per_s[GP_PRECISION_COUNT]; /* 0: not supported */
    double link_bytes_per_s;                    /* scale-up, per GPU, one direction */
    double nic_bytes_per_s; /* scale-out, per GPU, one direction, before oversubscription */
    gp_curve scale_up[GP_COLLECTIVE_COUNT][GP_FIT_RANKS];
    const gp_efficiency *efficiency[GP_PRECISION_COUNT]; /* class rows; NULL: not supported */
    bool inherited;            /* efficiencies come from the architecture, not this GPU */
    bool mesh;                 /* no switch between the GPUs: few of them share few of the links */
    double power_cap_fraction; /* 1: uncapped */
    const gp_power_class *power; /* what its kinds of work draw; NULL: no row applies */
    bool staged;                 /* GPUs reach each other only through host memory */
    bool flash2_behind;          /* an architecture that FlashAttention-2 was not written for */
} gp_machine;

/* The catalogue's fitted rows, all of them: those of a GPU and its architecture are picked. */
typedef struct gp_machine_rows {
    const gp_collective_fit *const *fits;
    const gp_efficiency *const *efficiencies;
    const gp_power_class *const *powers;
    size_t fit_count, efficiency_count, power_count;
} gp_machine_rows;

/* Fills `ret` from a resolved system. Pointers into the rows are kept. */
void gp_machine_derive(const gp_system *system, const gp_machine_rows *rows,
                       double power_cap_fraction, gp_machine *ret);

enum { GP_PART_PROFILES_MAX = 16 };

/* The machine as work that has one part of one GPU sees it. */
gp_machine gp_machine_part(const gp_machine *machine, const gp_gpu_partition *partition,
                           const gp_gpu_profile *profile);
/* What a part takes of its GPU: of memory or of compute, whichever is more. */
double gp_part_fraction(const gp_gpu_partition *partition, const gp_gpu_profile *profile);
/* Profiles that are looked at, GP_PART_PROFILES_MAX at most. */
size_t gp_part_profiles(const gp_gpu_partition *partition);
/* GPUs that hold so many parts of each profile, every one in a place that its profile allows. */
int64_t gp_parts_gpus(const gp_gpu_partition *partition, const int64_t *counts);

/* `a` is at least as good as `b` in every figure of its datasheet. */
bool gp_gpu_dominates(const gp_gpu *a, const gp_gpu *b);
/* What a GPU reaches by the rows: of its own, else of its architecture. */
typedef struct gp_gpu_rates {
    const gp_gpu *gpu;
    double peak_flop_per_s[GP_PRECISION_COUNT];          /* 0: not supported */
    const gp_efficiency *efficiency[GP_PRECISION_COUNT]; /* NULL: not supported */
} gp_gpu_rates;
void gp_gpu_rates_all(gp_arena *arena, const gp_gpu *const *gpus, size_t count,
                      const gp_machine_rows *rows, const gp_gpu_rates **ret_rates);
/* Holds the machine's rates, and its safe edge, to no less than those of every GPU among `rates`
 * that its own dominates. Rows that change are copied into `arena`. */
void gp_machine_order(gp_arena *arena, const gp_gpu_rates *rates, size_t rate_count,
                      gp_machine *machine);

/* Fabric sizing: a pure function of node count. */
typedef struct gp_fabric_input {
    int64_t nodes;
    int64_t hosts; /* of one node, each with its ports: trays of a rack-scale system; 0: one */
    int64_t rails; /* back-end ports per host */
    int64_t planes;
    int64_t radix;            /* switch ports of the host-link speed */
    int64_t unit_nodes;       /* hosts per scalable unit; 0: switches as few as ports allow */
    double oversubscription;  /* at the leaf; 1: non-blocking */
    double port_bits_per_s;   /* of one plane */
    int64_t tiers;            /* 0: as needed */
    int64_t gpus;             /* per host; 0: one per rail */
    int64_t management_ports; /* leaf ports of fabric managers: they take node cables only */
    bool grouped; /* of racks: a leaf serves whole racks, a rail's spines keep half their ports */
    int64_t group_units; /* grouped: fewer racks than these share the spines of all rails */
    bool whole_units;    /* leaves of whole units though none is stated: growth moves no cable */
    bool dragonfly;      /* balanced, of switches of this radix; leaf counts all of them */
} gp_fabric_input;

typedef struct gp_fabric_size {
    int64_t units, leaf, spine, core;
    int64_t node_leaf_cables, leaf_spine_cables, spine_core_cables;
    int64_t tiers; /* 0: a single machine needs none; 1: one leaf layer */
    int64_t max_nodes_two_tier;
    int64_t unit_nodes;    /* nodes per scalable unit as used */
    double bytes_per_s[4]; /* per GPU: inside a unit, across units (2 tiers), across pods, 0 */
    bool feasible;
} gp_fabric_size;

gp_status gp_fabric_size_of(const gp_fabric_input *input, gp_trace *trace, gp_fabric_size *ret);

/* The network as the time formulas see it. */
typedef struct gp_network {
    double bytes_per_s[3]; /* per GPU: within a scalable unit, across units, across pods */
    int64_t unit_nodes;    /* nodes inside one scalable unit */
    int64_t pod_nodes;     /* nodes that two tiers reach */
    double latency_s;      /* of a collective across machines; 0: the constant */
} gp_network;

/* Bandwidth per GPU of the lowest level of the fabric that spans `nodes` machines. */
double gp_network_bytes_per_s(const gp_network *network, int64_t nodes);
/* Time of a collective of `bytes` (full tensor, nccl-tests' S) among `ranks` spread over `nodes`
 * machines; nodes == 1 uses the scale-up curve. */
double gp_collective_time_s(const gp_machine *machine, const gp_network *network,
                            const gp_constants *constants, gp_collective collective, double bytes,
                            int64_t ranks, int64_t nodes);
double gp_point_to_point_time_s(const gp_machine *machine, const gp_network *network,
                                const gp_constants *constants, double bytes, bool same_domain);

/* ---------------------------------------------------------------- training, fine-tuning, LoRA */

typedef struct gp_layout {
    int64_t tp, pp, vpp, dp, cp, ep;
    int64_t zero;        /* 0..3; 3 is FSDP */
    int64_t micro_batch; /* sequences per micro-batch */
    int recompute;       /* gp_recompute, never AUTO */
    int64_t shard_group; /* FSDP: GPUs that share one set of weights; 0: all of dp x cp */
    bool unsplit_norms;  /* tensor parallelism without its sequence form: norms are not shared */
    int offload;         /* gp_offload, never AUTO */
    bool on_drives;      /* what is offloaded waits on the machine's drives, not in host memory */
    int64_t expert_tp;   /* tensor parallelism inside an expert; 0 or 1: experts stay whole */
    int64_t global_batch_sequences; /* of one step; 0: the job's batch, to the nearest sequence */
    /* Layers of the pipeline's stages as the framework is told them (gp_layout_set_stages); 0: not
     * worked out. Stages between the ends are full. */
    int64_t first_layers, stage_layers, last_layers;
} gp_layout;

/* A training-like job, every default resolved. */
typedef struct gp_train_job {
    const gp_shape *shape;
    const gp_workload *workload; /* for trace references only */
    int type;                    /* TRAINING, FINETUNE or LORA */
    double tokens;               /* of the whole run, epochs included */
    double sequence_length;
    double global_batch;     /* tokens per step */
    double packing_fraction; /* useful share of each sequence, 1 when packed */
    gp_precision compute;
    gp_format weights; /* resident weights (LoRA: the frozen base) */
    gp_format gradients;
    gp_optimizer optimizer;
    double adapter_parameters; /* LoRA: trainable; else 0 */
    bool adapter_dora;
    double adapter_width;     /* elements that go into and come out of all its targets, per token */
    double adapter_inputs;    /* elements that go into them, of one token and the experts it uses */
    double adapter_matrices;  /* of one layer, two to a target */
    bool shards_modules;      /* ZeRO-3 goes by module (DeepSpeed), not by units (FSDP) */
    bool casts_adapters;      /* FP32 beside a 16-bit base, with kernels and copies of their own */
    bool loops_experts;       /* plain modules: one routed expert after the other */
    double speed_factor;      /* <= 1: tuning x stack, on tuned throughput */
    double assumed_tuning;    /* part of it that nobody stated: own runs stand in for it; or 0 */
    int loss;                 /* gp_loss */
    double attention_length;  /* mean document in a packed sequence; 0: the whole sequence */
    int kernels;              /* gp_kernels (catalog.h) */
    int attention;            /* gp_attention_kernel (catalog.h) */
    double moe_factor;        /* time of routed experts over that of the newest stack; 0: 1 */
    double offload_fraction;  /* share of the optimizer's states (and its work) in host memory */
    double length_cv;         /* spread of sample lengths where they are not packed: ranks wait
                                for the longest; 0: all alike */
    bool pages_optimizer;     /* the GPU updates them, and pages them in and out for that */
    bool offload_parameters;  /* weights wait in host memory too (FSDP or ZeRO-3 with offload) */
    bool offload_drives;      /* offloaded optimizer states and weights are read from drives */
    bool upcast;              /* residual stream in FP32, as plain k-bit training prepares it */
    bool dropout;             /* masks of two dropouts per layer are kept */
    bool per_operator;        /* selective recomputation by operator: attention and every other
                                 matrix product are kept, all else is worked out again */
    bool compiled;            /* layers run through a compiler: it keeps nothing that the backward
                                 pass does not read */
    double opaque_fraction;   /* matrix products in operators of their own, which recomputation by
                                 operator does not know and so works out again */
    bool keeps_scores;        /* selective recomputation leaves attention out */
    const struct gp_train_rates *rates; /* on the machine in question; NULL: worked out */
    double most_s;     /* a step that takes longer is no matter: its time is HUGE_VAL; 0: any is */
    int rules;         /* gp_layout_rules (catalog.h): whose rules a layout must keep */
    bool drawn_heads;  /* TP is declared: heads that the newest releases repeat pass */
    bool drawn_stages; /* PP is declared: stages that they let one draw by hand pass */
    bool known_stack;  /* its framework is stated and has published runs */
    const gp_shape *frozen; /* read beside it: a reference or a teacher; NULL: none */
    bool forward_only;      /* a pass that only reads: log-probabilities, values, rewards */
} gp_train_job;

/* What a software stack's row says of a job: kernels, attention, time on top of speed_factor. NULL
 * changes nothing. Options stated for the run itself go on top. */
void gp_train_apply_stack(gp_train_job *job, const gp_stack *stack);

enum { GP_MEMORY_COMPONENT_MAX = 14 };
typedef enum gp_memory_component {
    GP_MEMORY_WEIGHTS,
    GP_MEMORY_GRADIENTS,
    GP_MEMORY_OPTIMIZER,
    GP_MEMORY_ADAPTER,
    GP_MEMORY_ACTIVATIONS,
    GP_MEMORY_LOGITS,
    GP_MEMORY_WORKING_SET, /* FSDP gathers, largest unsharded layer */
    GP_MEMORY_KV_CACHE,
    GP_MEMORY_STATE, /* Mamba / linear-attention state */
    GP_MEMORY_COMMUNICATION,
    GP_MEMORY_CONTEXT, /* CUDA context and runtime */
    GP_MEMORY_FRAGMENTATION,
    GP_MEMORY_COMPONENT_COUNT
} gp_memory_component;

typedef enum gp_fit { GP_FIT_FITS, GP_FIT_BORDERLINE, GP_FIT_NOT } gp_fit;

typedef struct gp_memory {
    double bytes[GP_MEMORY_COMPONENT_COUNT]; /* of the worst GPU */
    double total_bytes;
    double capacity_bytes;
    double short_bytes; /* of what may be used; 0: it fits */
    int64_t worst_stage;
    gp_fit fit;
    double tensor_bytes;      /* peak of the tensors: the allocator's `allocated` */
    double last_tensor_bytes; /* the same on the pipeline's last stage */
    double reserved_bytes;    /* of the allocator with its cached blocks: `reserved` */
    double device_bytes;      /* what the driver shows: reserved, context and communicators */
    double error_fraction;    /* band: about 80 % of measured peaks lie within 1 +- of it */
} gp_memory;

typedef struct gp_train_time {
    double step_s;
    /* shares of step_s, all seconds per step, summing to step_s */
    double gemm_s, attention_s, elementwise_s, head_s, launch_s;
    double tp_s, cp_s, ep_s, pp_s, bubble_s, dp_s, optimizer_s;
    double frozen_s; /* the pass of a frozen model beside the one that is trained */
    double tokens_per_s;
    double mfu_fraction;    /* 6 N_active per token plus attention, over the peak of `compute` */
    double communication_s; /* tp + cp + ep + pp + dp, exposed */
} gp_train_time;

/* Memory of the worst GPU of the layout. headroom_fraction of the capacity is kept free. */
void gp_train_memory(const gp_train_job *job, const gp_machine *machine, const gp_layout *layout,
                     const gp_constants *constants, double headroom_fraction, gp_trace *trace,
                     gp_memory *ret);
/* The same of one stage of the pipeline, from 0; stages between the ends hold neither embedding nor
 * head. worst_stage is `stage`. */
void gp_train_stage_memory(const gp_train_job *job, const gp_machine *machine,
                           const gp_layout *layout, const gp_constants *constants,
                           double headroom_fraction, int64_t stage, gp_memory *ret);
/* Bytes per second between a GPU and where its offloaded states wait. */
double gp_train_offload_rate(const gp_train_job *job, const gp_constants *constants);
/* What a job reaches on a machine whatever its layout. */
typedef struct gp_train_rates {
    double half_peak;            /* of the formats of 16 bit, */
    double half_factor;          /* and what a share of it is worth on this part */
    double gemm_flop_per_s;      /* large matrix products at the job's precision */
    double expert_flop_per_s;    /* large products of routed experts */
    double half_gemm_flop_per_s; /* large products in 16 bit, for the output head */
    double attention_flop_per_s;
    double hbm_bytes_per_s;
    const gp_efficiency *experts; /* row of the precision that they run in */
} gp_train_rates;
/* The machine must have a path for the job's precision. A search that times many layouts has
 * job->rates point to it. */
void gp_train_rates_of(const gp_train_job *job, const gp_machine *machine,
                       const gp_constants *constants, gp_train_rates *ret);
/* Time of one optimizer step. The layout must be valid (gp_layout_valid). */
void gp_train_step_time(const gp_train_job *job, const gp_machine *machine,
                        const gp_network *network, const gp_layout *layout,
                        const gp_constants *constants, gp_trace *trace, gp_train_time *ret);
/* The job with the states outside the GPU that the layout puts there; the run's own stay. */
gp_train_job gp_train_job_offloaded(const gp_train_job *job, const gp_layout *layout);
/* Host memory (or drive space) that the states which `layout` offloads take, per GPU; `with` is the
 * memory of the job that has them outside (gp_train_job_offloaded), `job` the one that has not. */
double gp_train_offloaded_bytes(const gp_train_job *job, const gp_machine *machine,
                                const gp_layout *layout, const gp_constants *constants,
                                const gp_memory *with);
/* Sequences of one step (the layout's own batch where it has one), and the places that its
 * micro-batches have for them on all replicas: where they do not divide, the last round is not full
 * and takes as long. */
double gp_train_step_sequences(const gp_train_job *job, const gp_layout *layout);
double gp_train_step_places(const gp_train_job *job, const gp_layout *layout);
/* Step time of each of `jobs` that share a GPU: they fill each other's waits, no more. */
double gp_train_shared_step_s(const gp_train_time *time, int64_t jobs);
/* A condition that a layout must keep to be launched as it stands. */
typedef struct gp_layout_rule {
    const char *id;      /* "batch.divides" */
    const char *words;   /* what is wrong where it is broken */
    const char *source;  /* file of the framework that checks it, or why it holds everywhere */
    unsigned frameworks; /* 1u << gp_layout_rules of each that has it */
} gp_layout_rule;

/* The first rule of job->rules, or of all frameworks, that the layout breaks; NULL: it launches.
 * Rules: src/estimate/layout_rules.c. */
const gp_layout_rule *gp_layout_broken(const gp_train_job *job, const gp_machine *machine,
                                       const gp_layout *layout);
/* The same of a layout that launches with some other micro-batch, batch and virtual stages: only
 * what hangs on those is looked at. */
const gp_layout_rule *gp_layout_chunks_broken(const gp_train_job *job, const gp_machine *machine,
                                              const gp_layout *layout);
/* A pipeline worth trying, whoever launches it: stages of nearly the same length, weights that are
 * not gathered for every micro-batch, interleaving in whole rounds. True without a pipeline. */
bool gp_layout_usual(const gp_train_job *job, const gp_layout *layout);
/* It launches, is usual, and keeps tensor parallelism inside the scale-up domain. */
bool gp_layout_valid(const gp_train_job *job, const gp_machine *machine, const gp_layout *layout);
/* Writes down the layers of each stage. */
void gp_layout_set_stages(const gp_train_job *job, gp_layout *layout);
int64_t gp_layout_gpus(const gp_layout *layout);

/* The whole run. */
typedef struct gp_run_input {
    double steps;
    double step_s;
    int64_t gpus;
    int64_t nodes;
    double checkpoint_bytes;
    double storage_write_bytes_per_s; /* 0: the constant per GPU */
    double storage_read_bytes_per_s;
    double interval_s;          /* 0: Young/Daly optimum */
    double evaluation_fraction; /* time of evaluation over that of training; 0: none */
    double start_s;             /* queue, images, warm-up before the first step; 0: none */
    double start_bytes;         /* weights and data read before the first step */
    double moved_bytes;         /* and what of them comes over a link first */
    double loaded_bytes;        /* weights and data read at a restart beyond the checkpoint */
    double restart_s;           /* detection and replacement; 0: the constant */
    double gpu_mttf_s;          /* 0: the constant */
    const gp_site_link *link;   /* that its weights and data come over first; NULL: none */
    double preempted_every_s;   /* the run, by others; 0: never */
    double interrupted_every_s; /* one of its machines, by who rents it out; 0: never */
    const gp_maintenance *maintenance; /* windows in which it stands still; NULL: none */
    bool spares_given;                 /* else as many machines are spare as are needed */
    int64_t spare_nodes;
    /* for trace references only; each may be NULL */
    const gp_workload *workload;
    const gp_storage *read_storage, *write_storage;
} gp_run_input;

typedef struct gp_run {
    double compute_s;        /* steps x step time */
    double wall_s;           /* with checkpoints, failures and restarts */
    double goodput_fraction; /* compute / wall */
    double mtbf_s;           /* of the whole job */
    double stopped_every_s;  /* between failures and preemptions of both kinds */
    double checkpoint_s;     /* one write */
    double interval_s;
    double restart_s; /* after a failure: replacement, waiting for a machine, reading weights */
    double checkpoint_bytes;
    double start_s; /* before the first step */
    double moved_s; /* of that, until its weights and data have come over a link */
    double evaluation_fraction;
    double failures;     /* expected in the run */
    double taken;        /* and how often its machines are taken for others */
    double taken_s;      /* lost by these */
    int64_t spare_nodes; /* given, or needed so that a replacement is nearly always at hand */
    double spare_wait_s; /* mean wait for a machine after a failure; in restart_s */
} gp_run;

void gp_run_time(const gp_run_input *input, const gp_constants *constants, gp_trace *trace,
                 gp_run *ret);
/* Bytes of one checkpoint of the job (14 B per trained parameter, or the adapter's). */
double gp_checkpoint_bytes(const gp_train_job *job, const gp_constants *constants);

/* ---------------------------------------------------------------- inference */

typedef struct gp_serve_layout {
    int64_t tp, pp;
    int64_t ep;           /* parts that the experts are dealt out to; it divides tp x attention_dp,
                             and what is left splits every expert. 0 or 1: every GPU has a slice
                             of all experts */
    int64_t attention_dp; /* groups of tp GPUs that each serve sequences of their own while the
                             experts stand on all of them; 0 or 1: none. The replica has
                             tp x pp x attention_dp GPUs */
    int64_t copies;       /* places for second copies of the busiest experts: experts and copies
                             together divide by ep */
    int64_t seats;        /* people on it at once, and nothing served; 0: it serves */
    int64_t part;         /* of the GPU's profiles, from 1, that each of them has; 0: all of it */
} gp_serve_layout;

/* The first rule of the engine (gp_layout_rules) that the replica breaks; NULL: it launches. */
const gp_layout_rule *gp_serve_layout_broken(const gp_shape *shape, int rules,
                                             const gp_serve_layout *layout);
/* GPUs of one replica. */
int64_t gp_serve_layout_gpus(const gp_serve_layout *layout);
bool gp_serve_layout_equal(const gp_serve_layout *a, const gp_serve_layout *b);

/* What an image, or a video, is to a model. */
typedef struct gp_image_cost {
    double tokens;   /* in the prompt */
    double patches;  /* that the vision tower reads */
    double attended; /* of them, by each one in a layer of the tower */
    double keys;     /* that layers of cross attention keep of it */
} gp_image_cost;

/* By the model's own rule; `frames` of a video, 0 of an image. False where no rule is known. */
bool gp_image_cost_of(const gp_vision *vision, double width, double height, double frames,
                      gp_image_cost *ret);

/* Work of a model that answers whole items, pictures, clips or scores: passes one after the other,
 * and what comes before and after them. */
typedef struct gp_item {
    double passes; /* 0: the job writes or reads tokens */
    double tokens; /* that a pass works on; 0: not counted in tokens */
    double flop;   /* products of one pass, guidance and all pictures of a request included */
    double attention_flop; /* and attention */
    double elements;       /* that pass from one layer's modules to the next */
    double modules;        /* attentions and MLPs that are launched one by one */
    double exchange_bytes; /* of a pass, between GPUs that share it */
    double text_flop, decoder_flop;
    double lookups; /* numbers read from tables */
    double pixels;  /* that come out */
} gp_item;

void gp_item_of(const gp_shape *shape, const gp_traffic *traffic, gp_item *ret);

typedef struct gp_serve_job {
    const gp_shape *shape;
    gp_item item;
    const gp_workload *workload; /* for trace references only */
    gp_precision compute;
    gp_format weights;
    double quantized_fraction;
    gp_format kv_cache;
    double input_tokens;          /* mean, uncached part is priced */
    double output_tokens;         /* mean, thought included, per branch */
    double input_p95, output_p95; /* 0: the mean */
    double input_p99, output_p99; /* 0: the 95th percentile */
    /* Variances of the lengths over their means squared. 0: not known; then queues take the
     * catalogue's spread, and prompts work as those of mean length do. */
    double input_cv2, output_cv2;
    double branches;
    double prefix_hit_fraction;
    double image_tokens;   /* per request, in input_tokens already */
    double image_patches;  /* that the tower reads for them; 0: as many as its merger makes one */
    double image_attended; /* of them, by each one in a layer of the tower; 0: not known */
    double image_keys;     /* that the layers of cross attention keep of them */
    int64_t adapters;
    int64_t resident_adapters;    /* that GPU memory holds at once; 0: all */
    const double *adapter_shares; /* of requests, for the first n + 1; NULL: by Zipf's law */
    double adapter_parameters;    /* of one adapter; 0: the constant share of the model's */
    double speed_factor;          /* <= 1 */
    double assumed_tuning;        /* part of it that nobody stated, as in gp_train_job */
    double draft_tokens;          /* speculative decoding: drafted per step; 0: none */
    double draft_acceptance_fraction;
    double draft_cost_fraction; /* time of one drafted token over that of a step */
    /* What the engine is and how it was started; 0 or NULL: its defaults, the reference engine's */
    const gp_stack *stack;
    double claim_fraction; /* share of the GPU's memory (gp_pool_rule) */
    double max_sequences;
    double step_tokens;
    double context_tokens; /* longest sequence it is set up for */
    double sequence_s;     /* host time per step and running sequence, on top of the engine's */
    double wave_fraction;  /* of a closed loop's requests that arrive at once; 0: the constant */
    bool emulated;         /* the GPU does not compute in the weights' format, but in `compute` */
    bool direct;           /* called in place: no server before the first step */
    bool lockstep;         /* a closed loop's requests are all of one length: they stay a wave */
    bool prefilled;        /* prompts were read elsewhere, and come with their caches */
    bool reads_only;       /* no token is written: vectors, scores, classes; output_tokens is 1 */
    const gp_site_link *link; /* that requests come over; NULL: none */
} gp_serve_job;

/* Tokens of a request that its throughput counts: those written, or, where none are, those read. */
double gp_serve_counted_tokens(const gp_serve_job *job);

/* Tokens of the longest request that is served, which is what the model is made for; 0: that is not
 * known, nor where requests are longer than that on average: then the engine was told otherwise. */
int64_t gp_serve_longest_tokens(const gp_serve_job *job);

/* Serves the job with this engine: its time on top of speed_factor, its host times, its memory and
 * admission. NULL changes nothing. */
void gp_serve_apply_stack(gp_serve_job *job, const gp_stack *stack);

typedef struct gp_serve_memory {
    gp_memory memory;           /* per GPU, KV cache = the pool */
    double kv_pool_tokens;      /* of the replica */
    double kv_bytes_per_token;  /* of the replica */
    double max_concurrency;     /* sequences of mean length (in + out/2) the pool holds */
    double max_concurrency_p95; /* the same at the 95th percentile of both lengths */
    double max_sequences;       /* that the engine runs at once; batch is bounded by both */
} gp_serve_memory;

void gp_serve_memory_of(const gp_serve_job *job, const gp_machine *machine,
                        const gp_serve_layout *layout, const gp_constants *constants,
                        double headroom_fraction, gp_trace *trace, gp_serve_memory *ret);

/* Sequences that a replica runs at once at most: by its KV pool and by its engine. */
double gp_serve_admitted(const gp_serve_job *job, const gp_serve_memory *memory);

/* Prefill of one prompt of `tokens` tokens alone on the replica; seconds. */
double gp_prefill_time_s(const gp_serve_job *job, const gp_machine *machine,
                         const gp_network *network, const gp_serve_layout *layout,
                         const gp_constants *constants, double tokens, gp_trace *trace);
/* One decode step for a batch of `batch` sequences of `context` tokens each; seconds. */
double gp_decode_step_s(const gp_serve_job *job, const gp_machine *machine,
                        const gp_network *network, const gp_serve_layout *layout,
                        const gp_constants *constants, double batch, double context,
                        gp_trace *trace);

/* One replica under a Poisson-like load. */
typedef struct gp_serve_point {
    bool stable;
    double batch;       /* mean running sequences */
    double utilization; /* of the replica's maximum stable rate */
    double tpot_s, tpot_p95_s, tpot_p99_s;
    double ttft_s, ttft_p95_s, ttft_p99_s;
    double prefill_s;
    double step_s; /* one decode step without prompts in it */
    double e2e_s, e2e_p95_s, e2e_p99_s;
    double output_tokens_per_s; /* of the replica */
    double max_requests_per_s;  /* stable limit of the replica */
} gp_serve_point;

/* `among`: replicas with as much load that a router chooses among, this one included. */
void gp_serve_load(const gp_serve_job *job, const gp_machine *machine, const gp_network *network,
                   const gp_serve_layout *layout, const gp_constants *constants,
                   const gp_serve_memory *memory, double requests_per_s, double among,
                   gp_trace *trace, gp_serve_point *ret);
/* The same replica driven by `concurrency` requests at a time, each replaced when it ends. */
void gp_serve_closed_loop(const gp_serve_job *job, const gp_machine *machine,
                          const gp_network *network, const gp_serve_layout *layout,
                          const gp_constants *constants, const gp_serve_memory *memory,
                          double concurrency, gp_trace *trace, gp_serve_point *ret);
/* A prefill replica and a decode replica of one service. */
typedef struct gp_serve_split {
    gp_serve_layout prefill, decode;
    bool same_domain; /* both pools inside one machine: the cache crosses its scale-up links */
} gp_serve_split;

/* Both under load: latencies of the whole, batch and utilization of the decode replica. */
typedef struct gp_split_point {
    gp_serve_point point;
    double transfer_s; /* of a mean prompt's cache */
    double prefill_max_per_s, decode_max_per_s;
} gp_split_point;

/* Replicas of both pools that share the requests of a service. */
typedef struct gp_split_share {
    double requests_per_s; /* of all of them together */
    double prefills, decodes;
} gp_split_share;

/* `memory` is the decode replica's. */
void gp_serve_split_load(const gp_serve_job *job, const gp_machine *machine,
                         const gp_network *network, const gp_serve_split *split,
                         const gp_constants *constants, const gp_serve_memory *memory,
                         const gp_split_share *share, gp_trace *trace, gp_split_point *ret);
/* Replicas of both kinds behind a number of requests of which each is followed by the next. */
typedef struct gp_split_loop {
    double prefills; /* 0: as many as the decode replicas can take prompts of */
    double decodes;
    double requests; /* in flight in all; 0: as many as fit */
} gp_split_loop;

/* Rates of the whole; TTFT, TPOT and the mean batch of a decode replica. */
void gp_serve_split_closed_loop(const gp_serve_job *job, const gp_machine *machine,
                                const gp_network *network, const gp_serve_split *split,
                                const gp_constants *constants, const gp_serve_memory *memory,
                                const gp_split_loop *stated, gp_split_point *ret);

/* What a new replica reads before it serves. */
typedef struct gp_start_input {
    double weights_bytes;       /* of the whole replica */
    double network_bytes_per_s; /* of its machines; 0: not known */
    const gp_storage *storage;  /* that the weights lie on; NULL: none stated */
} gp_start_input;

typedef struct gp_serve_start {
    double weights_bytes, read_bytes_per_s;
    double load_s, engine_s;
    double total_s;
} gp_serve_start;

void gp_serve_start_of(const gp_start_input *input, const gp_constants *constants, gp_trace *trace,
                       gp_serve_start *ret);
/* Power of one GPU of a replica that runs `batch` sequences. */
typedef struct gp_serve_power {
    double gpu_w;          /* mean; 0: the GPU cannot compute this format, or no class is known */
    double fraction;       /* of the TDP */
    double step_s;         /* a step with the host's part, when nothing else holds it up */
    double error_fraction; /* half width of the band at the 80th percentile */
} gp_serve_power;

/* Of a GPU of both pools on average. */
void gp_serve_split_power(const gp_serve_job *job, const gp_machine *machine,
                          const gp_network *network, const gp_serve_split *split,
                          const gp_constants *constants, const gp_serve_memory *memory,
                          const gp_split_share *share, gp_trace *trace, gp_serve_power *ret);
/* `tokens_per_s`: output tokens of the replica; 0, or more than it can give: as many as it can. */
void gp_serve_power_of(const gp_serve_job *job, const gp_machine *machine,
                       const gp_network *network, const gp_serve_layout *layout,
                       const gp_constants *constants, double batch, double tokens_per_s,
                       gp_trace *trace, gp_serve_power *ret);
/* Replicas to add to `needed` so that availability holds (binomial, node availability constant). */
int64_t gp_spare_replicas(int64_t needed, int64_t nodes_per_replica, double availability,
                          const gp_constants *constants);
/* Probability that at most `down` of `nodes` machines are down at once. */
double gp_nodes_down_at_most(int64_t nodes, int64_t down, const gp_constants *constants);
/* Share of time in which at least `needed` of `all` replicas run (binomial; one fails as a whole
 * with any of its machines). */
double gp_replica_availability(int64_t needed, int64_t all, int64_t nodes_per_replica,
                               const gp_constants *constants);

/* ---------------------------------------------------------------- power, cooling, space */

typedef enum gp_load {
    GP_LOAD_TRAINING,
    GP_LOAD_SERVING,
    GP_LOAD_IDLE,
    GP_LOAD_PEAK, /* the most that lasts: Linpack */
    GP_LOAD_COUNT
} gp_load;

/* Three figures of a machine that stand for different things: energy and its price follow the mean
 * under a load, cooling and what a site's supply can give the expected peak, circuits and breakers
 * the nameplate. All 0 where neither the GPU's TDP nor the machine's maximum is known. */
typedef struct gp_node_power {
    double gpu_w;          /* mean per GPU under the load */
    double node_w;         /* mean per node under the load, at the wall */
    double peak_w;         /* largest that lasts, whatever the load; at most nameplate_w */
    double nameplate_w;    /* as the maker states it, else all parts at their largest */
    double error_fraction; /* half width of the band of node_w and peak_w, 80th percentile */
} gp_node_power;

/* `serving_w`: of one GPU for SERVING (gp_serve_power_of), else ignored; 0: not known, then the
 * share of the class of inference stands in. */
void gp_node_power_of(const gp_machine *machine, gp_load load, double serving_w,
                      const gp_constants *constants, gp_trace *trace, gp_node_power *ret);

typedef struct gp_site_input {
    double it_peak_w; /* machines, switches, storage: the largest that lasts */
    double it_mean_w;
    double air_fraction; /* share of heat that goes to air */
    double altitude_m;
    double air_delta_t_k;
    double liquid_delta_t_k;
    double design_pue, annual_pue;
    double wue_l_per_j;
    double carbon_kg_per_j;
    double renewable_fraction;
} gp_site_input;

typedef struct gp_site_figures {
    double facility_peak_w, facility_mean_w;
    double heat_w, heat_btu_per_h;
    double air_heat_w, liquid_heat_w;
    double airflow_m3_per_s;
    double liquid_flow_m3_per_s;
    double energy_j_per_year; /* facility */
    double water_l_per_year;
    double carbon_kg_per_year;        /* location based */
    double carbon_market_kg_per_year; /* renewable share taken off */
} gp_site_figures;

void gp_site_figures_of(const gp_site_input *input, const gp_constants *constants,
                        gp_site_figures *ret);

typedef struct gp_rack_input {
    int64_t nodes;
    double node_w; /* nameplate: what circuits of the rack must carry */
    double peak_w; /* that lasts: what has to be cooled; 0: node_w */
    double node_u, node_kg;
    double rack_u, used_u, rack_w, rack_kg; /* 0: no limit */
    double cooling_w;                       /* per rack; 0: no limit */
    bool liquid;
    int64_t racks_per_node;  /* rack-scale systems: 1 rack each */
    int64_t published_nodes; /* that the maker's or operator's rack holds; 0: not known */
} gp_rack_input;

typedef enum gp_rack_limit {
    GP_RACK_POWER,
    GP_RACK_COOLING,
    GP_RACK_HEIGHT,
    GP_RACK_WEIGHT,
    GP_RACK_PUBLISHED /* the maker's rack holds no more */
} gp_rack_limit;

typedef struct gp_rack_size {
    int64_t fits;           /* at least 1: what stands there stands in a rack */
    int64_t nodes_per_rack; /* as many, or all there are */
    int64_t racks;
    gp_rack_limit bound_by; /* of `fits` */
    bool too_small; /* not even one fits: it needs more of `bound_by` than a rack has */
    double have, need;
    double rack_w; /* of the fullest at nameplate, which feeds are sized for */
    double heat_w; /* at the largest draw that lasts */
} gp_rack_size;

void gp_rack_size_of(const gp_rack_input *input, gp_rack_size *ret);

/* ---------------------------------------------------------------- cost */

typedef struct gp_cost_input {
    double capital;    /* purchase price of everything bought */
    double rent_per_s; /* cloud machines */
    double facility_mean_w;
    double it_peak_w; /* colocation is billed by it */
    double energy_price_per_j;
    const gp_costs *costs; /* rates and terms of the spec; staff is given apart */
    double staff_per_s, links_per_s;
    int64_t gpus;
} gp_cost_input;

typedef struct gp_cost {
    double capital;
    double capital_per_s; /* annuity */
    double energy_per_s, colocation_per_s, support_per_s, staff_per_s, licenses_per_s, rent_per_s;
    double links_per_s;
    double total_per_s;
} gp_cost;

void gp_cost_of(const gp_cost_input *input, gp_cost *ret);

/* A run, or a year of a service, and what its parts cost. */
typedef struct gp_work_input {
    bool of_run;
    double gpu_s;             /* GPUs times the time for which they are held */
    double machine_per_gpu_s; /* purchase and support of its machines, or their rent */
    double other_per_gpu_s;   /* what else the plan costs, but for energy */
    double energy_j, energy_price_per_j;
    double energy_fraction; /* of it that is paid for: work that shares a machine draws less */
    gp_ref energy_price;    /* where that is written */
    double tokens;          /* 0: none are counted */
} gp_work_input;
/* Terms that it adds to a trace. */
enum { GP_WORK_TERMS = 9 };

double gp_work_cost_of(const gp_work_input *input, gp_trace *trace);

/* ---------------------------------------------------------------- bands */

/* Half width of the error band of a time at the 80th percentile: low = x / (1 + band), high =
 * x (1 + band). `layout` may be NULL where none is chosen yet. */
double gp_train_band(const gp_train_job *job, const gp_machine *machine, const gp_layout *layout,
                     const gp_constants *constants);
/* Of serving no narrower than what the machine's efficiencies are known to, where they are those of
 * its architecture and not its own. */
double gp_serve_band(const gp_serve_job *job, const gp_machine *machine,
                     const gp_constants *constants);
/* The same of the peak of a training GPU: by what is trained, and whether workspaces decide. */
/* Half width from the 10th to the 90th percentile of a whole run's time over its estimate: the
 * error of the step, how well runs at large are kept going, and what the spec leaves open. */
double gp_train_run_band(double error_fraction, bool recompute_known, bool batch_known,
                         const gp_constants *constants);
/* What one in five lies beyond, above the expected value, of a band that one in ten does. */
double gp_band_fifth(double band, const gp_constants *constants);
double gp_train_memory_band(const gp_train_job *job, double tensor_bytes,
                            const gp_constants *constants);
/* The same of the time to first token. */
double gp_serve_ttft_band(const gp_serve_job *job, const gp_constants *constants);

#endif
