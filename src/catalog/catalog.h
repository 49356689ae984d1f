/*
 * Catalogue rows as bound structs. A member that a row leaves out is zero and its origin is NONE;
 * zero is never a legal value of a required figure. One row is {figures, source, date, evidence};
 * `unverified` lists the keys whose figure was not read at a primary source.
 */
#ifndef GP_CATALOG_CATALOG_H
#define GP_CATALOG_CATALOG_H

#include "schema/schema.h"

/* Members every row has. */
#define GP_ROW_MEMBERS                                                                             \
    gp_meta meta;                                                                                  \
    const char *id;                                                                                \
    const char *extends; /* row of the same kind whose figures this one inherits */                \
    GP_LIST(const char *) aliases;                                                                 \
    const char *source;                                                                            \
    const char *date;                                                                              \
    int evidence; /* gp_evidence */                                                                \
    GP_LIST(const char *) unverified;                                                              \
    const char *notes

/* Compute precisions, in the order of the flops table. */
#define GP_PRECISIONS(X)                                                                           \
    X(FP32, "fp32")                                                                                \
    X(TF32, "tf32")                                                                                \
    X(FP16, "fp16")                                                                                \
    X(BF16, "bf16")                                                                                \
    X(FP8, "fp8")                                                                                  \
    X(MXFP8, "mxfp8")                                                                              \
    X(INT8, "int8")                                                                                \
    X(FP4, "nvfp4")

typedef enum gp_precision {
#define GP_PRECISION_ENUM(name, text) GP_PRECISION_##name,
    GP_PRECISIONS(GP_PRECISION_ENUM)
#undef GP_PRECISION_ENUM
        GP_PRECISION_COUNT
} gp_precision;

/* Weight storage formats; bytes per element are catalogue constants. */
#define GP_FORMATS(X)                                                                              \
    X(FP32, "fp32")                                                                                \
    X(BF16, "bf16")                                                                                \
    X(FP16, "fp16")                                                                                \
    X(FP8, "fp8")                                                                                  \
    X(FP8_BLOCK, "fp8-block")                                                                      \
    X(INT8, "int8")                                                                                \
    X(INT4, "int4")                                                                                \
    X(NF4, "nf4")                                                                                  \
    X(MXFP4, "mxfp4")                                                                              \
    X(NVFP4, "nvfp4")

typedef enum gp_format {
#define GP_FORMAT_ENUM(name, text) GP_FORMAT_##name,
    GP_FORMATS(GP_FORMAT_ENUM)
#undef GP_FORMAT_ENUM
        GP_FORMAT_COUNT
} gp_format;

typedef struct gp_flops { /* dense peaks, FLOP/s; 0: the GPU has no such path */
    gp_meta meta;
    double fp32, tf32, fp16, bf16, fp8, fp4, int8;
} gp_flops;

typedef struct gp_link {
    gp_meta meta;
    const char *kind;             /* nvlink4, xgmi, pcie-5, ... */
    double bandwidth_bytes_per_s; /* per GPU, one direction */
} gp_link;

typedef struct gp_measured {
    gp_meta meta;
    double bf16_flop_per_s;
    double memory_bytes_per_s;
} gp_measured;

typedef struct gp_gpu {
    GP_ROW_MEMBERS;
    const char *vendor;
    const char *arch;
    int64_t released;           /* year */
    double memory_bytes;        /* nameplate */
    double usable_memory_bytes; /* what the driver shows; 0: unknown */
    const char *memory_type;
    double memory_bytes_per_s;
    gp_flops flops;
    double exponentials_per_s; /* softmax takes one for each query and key of a head; 0: unknown */
    double tdp_w;
    double shared_tdp_w; /* in machines that hold several of it; 0: as alone */
    double idle_w;
    bool includes_host; /* the module's power is that of its processor and their memory too */
    gp_link link;
    int64_t domain_max; /* largest scale-up domain this part is built into */
    const char *pcie;
    const char *form;
    gp_measured measured;
    double all_in_w; /* provisioned power per GPU incl. its share of everything */
} gp_gpu;

typedef struct gp_nic {
    gp_meta meta;
    double rate_bits_per_s; /* per port, one direction */
    int64_t count;
} gp_nic;

typedef struct gp_system {
    GP_ROW_MEMBERS;
    gp_gpu gpu; /* scalar form: the id, in gpu.extends; resolved in place */
    int64_t gpus;
    int64_t domain;       /* GPUs in one scale-up domain; default: gpus */
    const char *scale_up; /* link kind between the GPUs where it is not the GPU's own */
    int64_t cpu_sockets;
    int64_t cpu_cores;
    double memory_bytes; /* host */
    double nvme_bytes;
    double height_u;
    int64_t rack_nodes; /* that the maker's or an operator's rack or cabinet holds; 0: not known */
    double max_power_w;
    double typical_power_w;
    double airflow_m3_per_s;
    double inlet_min_c, inlet_max_c;
    int cooling; /* gp_cooling_kind */
    double liquid_fraction;
    double liquid_flow_m3_per_s;
    GP_LIST(gp_nic) nics;         /* compute fabric */
    GP_LIST(gp_nic) storage_nics; /* storage and in-band */
    double weight_kg;
} gp_system;

typedef enum gp_cooling_kind {
    GP_COOLING_AIR,
    GP_COOLING_LIQUID,
    GP_COOLING_HYBRID,
    GP_COOLING_IMMERSION
} gp_cooling_kind;

typedef struct gp_switch {
    GP_ROW_MEMBERS;
    const char *part; /* switch | transceiver | cable | ...: only a switch has ports to plan with */
    const char *vendor;
    const char *fabric;     /* infiniband | ethernet | ... */
    const char *generation; /* ndr, xdr, ... */
    int64_t ports;
    double port_bits_per_s;
    double height_u;
    double typical_power_w;
    double max_power_w;
    double weight_kg;
} gp_switch;

typedef struct gp_storage_product {
    GP_ROW_MEMBERS;
    const char *role; /* appliance | requirement | observation */
    const char *vendor;
    double height_u;
    double max_power_w;
    double typical_power_w;
    double weight_kg;
    double read_bytes_per_s;
    double write_bytes_per_s;
    const char *per;
    double raw_bytes;
    double usable_bytes;
} gp_storage_product;

typedef struct gp_cooling_class {
    GP_ROW_MEMBERS;
    const char *kind;
    const char *name;
    const char *medium;
    double min_c, max_c, recommended_min_c, recommended_max_c;
    double capacity_w;
    double flow_m3_per_s;
    double pressure_drop_pa;
    double power_w;
    double weight_kg;
    int64_t racks_served;
    double approach_k;
    double delta_t_k;
    const char *density; /* properties of coolants: text with its unit */
    const char *specific_heat;
    const char *flow_per_power;
} gp_cooling_class;

typedef struct gp_cloud {
    GP_ROW_MEMBERS;
    const char *provider;
    const char *instance;
    const char *gpu;      /* GPU id */
    const char *gpu_name; /* as the provider prints it, where it maps to no row */
    int64_t gpus;
    int64_t cpu_cores;
    double memory_bytes;
    double network_bits_per_s; /* whole instance */
    double on_demand_usd_per_s;
    double spot_usd_per_s;
    const char *region;
    const char *term;
} gp_cloud;

typedef struct gp_grid {
    GP_ROW_MEMBERS;
    const char *zone;
    const char *region;
    double carbon_kg_per_j;
    int64_t year;
} gp_grid;

typedef struct gp_pue {
    GP_ROW_MEMBERS;
    const char *operator_name;
    const char *region;
    double pue;
    double wue_l_per_j;
    int64_t year;
} gp_pue;

typedef enum gp_collective {
    GP_COLLECTIVE_ALL_REDUCE,
    GP_COLLECTIVE_ALL_GATHER,
    GP_COLLECTIVE_REDUCE_SCATTER,
    GP_COLLECTIVE_ALL_TO_ALL,
    GP_COLLECTIVE_COUNT
} gp_collective;

/* T = latency + factor * bytes / bus_bandwidth + sqrt_coefficient * sqrt(bytes) */
typedef struct gp_collective_fit {
    GP_ROW_MEMBERS;
    const char *gpu;
    int collective; /* gp_collective */
    int64_t ranks;
    double latency_s;
    double bus_bytes_per_s;
    double sqrt_coefficient; /* us per sqrt(byte) */
    double error_fraction;
} gp_collective_fit;

typedef struct gp_experts {
    gp_meta meta;
    int64_t count;
    int64_t top_k;
    int64_t ffn;
    int64_t shared;
    int64_t shared_ffn; /* total width of the shared experts */
    int64_t first_dense;
    int64_t every; /* an MoE layer every n-th layer; 0 or 1: each */
    int64_t latent;
    int64_t dense_ffn;
} gp_experts;

typedef struct gp_mla {
    gp_meta meta;
    int64_t q_lora, kv_lora, nope, rope, value;
} gp_mla;

typedef struct gp_window {
    gp_meta meta;
    int64_t size;
    int64_t layers;
} gp_window;

typedef struct gp_mamba {
    gp_meta meta;
    int64_t layers, heads, head_dim, state, groups, conv;
} gp_mamba;

typedef enum gp_linear_kind {
    GP_LINEAR_DELTA, /* gated delta net: a scalar decay per head */
    GP_LINEAR_KDA    /* Kimi delta attention: a decay per channel, low-rank */
} gp_linear_kind;

typedef struct gp_linear_attention {
    gp_meta meta;
    int kind; /* gp_linear_kind */
    int64_t layers, key_heads, key_dim, value_heads, value_dim, conv;
} gp_linear_attention;

typedef struct gp_sparse_attention {
    gp_meta meta;
    int64_t index_heads, index_dim, top_k;
    int64_t layers; /* with an indexer; 0: all */
    int64_t block;  /* tokens that are picked together; 0 or 1: single tokens */
} gp_sparse_attention;

/* Full-attention layers of a model whose other layers have a window, where their heads differ. */
typedef struct gp_full_attention {
    gp_meta meta;
    int64_t kv_heads, head_dim; /* 0: as the other layers */
    bool key_is_value;          /* one projection serves as key and value */
} gp_full_attention;

typedef struct gp_compression {
    gp_meta meta;
    int64_t ratio, layers;
} gp_compression;

/* One shared key-value head whose cache is compressed along the sequence. */
typedef struct gp_compressed_attention {
    gp_meta meta;
    int64_t q_lora, o_lora, o_groups, rope, window;
    gp_compression fine, coarse;
    int64_t index_heads, index_dim, top_k; /* indexer of the fine layers */
} gp_compressed_attention;

/* Layers of one kind in a searched architecture. */
typedef struct gp_block {
    gp_meta meta;
    int64_t layers;
    int64_t kv_heads; /* 0: no attention */
    int64_t ffn;
} gp_block;

/* How a picture's size becomes patches. */
typedef enum gp_image_rule {
    GP_IMAGE_NONE,   /* not known */
    GP_IMAGE_FIXED,  /* every image is resized to one size */
    GP_IMAGE_ROUND,  /* edges to the nearest multiple, the area kept inside its limits */
    GP_IMAGE_PAD,    /* shrunk to its limit of patches, edges up to the next multiple */
    GP_IMAGE_FILL,   /* scaled up or down to fill its limit of patches */
    GP_IMAGE_ROWS,   /* shrunk to a longest edge, a token at the end of every row */
    GP_IMAGE_TILES,  /* the grid of tiles that scales the image least */
    GP_IMAGE_ASPECT, /* the grid of tiles whose sides are nearest to the image's */
    GP_IMAGE_RULE_COUNT
} gp_image_rule;

/* What prepares images for a family of models. */
typedef struct gp_image_processor {
    GP_ROW_MEMBERS;
    int rule;             /* gp_image_rule */
    int64_t patch, merge; /* where the tower itself does not say */
    int64_t min_pixels, max_pixels;
    int64_t max_patches;
    int64_t max_edge;
    int64_t tile, max_tiles;
    bool overview;        /* several tiles come with one of the whole image */
    int64_t tokens;       /* of any image; 0: by its size */
    int64_t marks;        /* tokens around an image */
    int64_t tile_marks;   /* and for each of several tiles */
    int64_t frame_pixels; /* most of a frame of video; 0: as of an image */
    int64_t video_pixels; /* most of all frames of a video together; 0: no limit */
    bool cross_attention; /* the decoder reads the tower in layers of their own: crossLayers */
} gp_image_processor;

typedef struct gp_vision {
    gp_meta meta;
    gp_image_processor processor;
    int64_t layers, hidden, ffn, heads, patch, image_size, tokens_per_image;
    bool gated;
    int64_t qkv;            /* attention width; 0: hidden */
    int64_t temporal_patch; /* frames per patch; 0 or 1: one */
    int64_t positions;      /* learned position embeddings */
    int64_t merge;          /* edge of the square of patches that become one token; 0: no merger */
    int64_t projectors;     /* mergers, one per depth that feeds the decoder */
    int64_t cross_layers;   /* of the decoder: they read the tower and no text */
} gp_vision;

/* A model that turns noise into pictures or clips. Its denoiser's shape stands in the fields of any
 * model; `parameters` are the denoiser's. */
typedef struct gp_diffusion {
    gp_meta meta;
    int64_t steps;         /* usual; 0: the model is no such */
    int64_t passes;        /* of a step that the prompt guides: 2, or 1 where guidance is learned */
    int64_t edge;          /* pixels on the edge of a latent cell */
    int64_t patch;         /* latent cells on the edge of a token */
    int64_t frames;        /* of a clip in a latent one; 0: pictures alone */
    int64_t frame_patch;   /* latent frames in a token; 0 or 1: one */
    int64_t text_tokens;   /* of a prompt, as it is padded */
    bool joined;           /* text and picture are one sequence; else layers look text up */
    int64_t double_layers; /* in which text and picture have weights of their own */
    int64_t twin_layers;   /* with a second attention over the picture alone */
    bool linear;           /* its attention grows with the tokens, not with their square */
    double pass_flop;      /* of a denoiser that is no transformer, for pass_pixels; 0: it is one */
    double pass_pixels;
    double text_parameters; /* of the encoders of the prompt */
    double decoder_parameters;
    double decoder_flop; /* for a pixel of the picture */
} gp_diffusion;

/* A model that gives an item one answer by a fixed amount of work: recommenders, classifiers. */
typedef struct gp_scoring {
    gp_meta meta;
    double flop;     /* of an item; 0: the model is no such */
    int64_t lookups; /* rows of tables that it reads, */
    int64_t width;   /* and numbers in a row */
} gp_scoring;

/* A decoder that hears speech through an encoder (the model's vision tower), or that says it. */
typedef struct gp_speech {
    gp_meta meta;
    double window_s;     /* of sound that the encoder reads at once, padded; 0: the model speaks */
    int64_t positions;   /* of a window behind the encoder */
    double tokens_per_s; /* written for a second of speech heard, or for a second that is said */
} gp_speech;

typedef struct gp_weights {
    gp_meta meta;
    int format; /* gp_format */
    double quantized_fraction;
    double bytes;  /* the checkpoint's size where known */
    int remainder; /* gp_format of what is not quantized; 16 bit where not given */
    int kv_cache;  /* gp_format the checkpoint is made for; only where given */
} gp_weights;

typedef struct gp_model {
    GP_ROW_MEMBERS;
    const char *family;
    int64_t layers, hidden, heads, kv_heads, head_dim, ffn;
    bool gated;
    int64_t vocab;
    bool tied;
    int64_t positions; /* learned position embeddings */
    int64_t context;
    int64_t value_dim;       /* of a value head; 0: head_dim */
    int64_t norms_per_layer; /* 0: two */
    bool attention_gate;     /* attention output is gated by a projection as wide as the query */
    bool bidirectional;      /* an encoder: every token attends to all, and no cache is kept */
    gp_experts experts;
    gp_mla mla;
    gp_window window;
    gp_mamba mamba;
    gp_linear_attention linear;
    gp_sparse_attention sparse;
    gp_full_attention full;
    gp_compressed_attention compressed;
    GP_LIST(gp_block) blocks;
    gp_vision vision;
    gp_diffusion diffusion;
    gp_scoring scoring;
    gp_speech speech;
    const char *pattern; /* hybrid: M mamba, E MoE, * attention, - MLP */
    int64_t mtp;
    double parameters; /* the maker's figure; 0: not known */
    double active_parameters;
    const char *parameters_source;
    const char *parameters_of; /* "language": the figures leave the vision tower out */
    gp_weights weights;
} gp_model;

/* What a model makes of a request. */
typedef enum gp_model_kind {
    GP_MODEL_TEXT,     /* tokens, vectors */
    GP_MODEL_PICTURES, /* pictures, clips */
    GP_MODEL_SCORES,
    GP_MODEL_SPEECH, /* text of speech, or speech of text */
    GP_MODEL_KIND_COUNT
} gp_model_kind;

gp_model_kind gp_model_kind_of(const gp_model *model);

/* One empirical number: `value` as written, bound by id to a member of gp_constants. */
typedef struct gp_constant {
    GP_ROW_MEMBERS;
    const char *value;
} gp_constant;

/* Achieved rates of a class: GPU (or architecture) x precision. Fractions of the peak. */
typedef struct gp_efficiency {
    GP_ROW_MEMBERS;
    const char *gpu;                   /* GPU id, or */
    const char *arch;                  /* an architecture: the fallback for its GPUs */
    int precision;                     /* gp_precision */
    double gemm_fraction;              /* large-GEMM share of peak FLOP/s, tuned training stack */
    double prefill_gemm_fraction;      /* the same in serving engines */
    double attention_fraction;         /* of the 16-bit peak */
    double hbm_fraction;               /* of memory bandwidth in decode GEMV */
    double kv_fraction;                /* of memory bandwidth in decode attention */
    double prefill_attention_fraction; /* of the 16-bit peak in serving; 0: the constant */
    double denoise_attention_fraction; /* the same of plain denoisers; 0: the constant */
    double expert_gemm_fraction;       /* grouped over dense GEMM in serving; 0: the constant */
    double expert_hbm_fraction;        /* of memory bandwidth in reading experts; 0: the constant */
    double expert_layer_s;             /* fixed time per routed layer of a step; 0: the constant */
    double moe_fraction;               /* grouped-GEMM share relative to dense GEMM, 0..1 */
    double layer_s;                /* fixed time per layer and pass (launch, norms) in training */
    double decode_layer_s;         /* fixed time per layer of a decode step */
    double error_fraction;         /* p80 of |error| of the class: the band */
    double serving_error_fraction; /* the same of serving; 0: the class of the work has one */
    int64_t own_runs;              /* own training runs behind the rates; they hold the tuning */
    int64_t own_serving;           /* own serving measurements, likewise */
} gp_efficiency;

/* How the layers are built; from the framework and its options. */
typedef enum gp_kernels {
    GP_KERNELS_AUTO,  /* compiled or hand-fused, the launch queue never empty: vendors' stacks */
    GP_KERNELS_EAGER, /* plain PyTorch modules */
    GP_KERNELS_FUSED, /* plain modules with fused norms, rotary embedding, loss, adapters */
    GP_KERNELS_LIGER, /* as FUSED, loss in chunks */
    GP_KERNELS_COUNT
} gp_kernels;

/* How attention is computed. */
typedef enum gp_attention_kernel {
    GP_ATTENTION_AUTO,   /* the fastest of the architecture */
    GP_ATTENTION_FLASH2, /* FlashAttention-2: as AUTO before Hopper, slower since */
    GP_ATTENTION_EAGER,  /* scores written to memory */
    GP_ATTENTION_TRITON, /* fused with a bias on the scores (ALiBi), in Triton */
    GP_ATTENTION_COUNT
} gp_attention_kernel;

/* How the loss is computed: sets the memory of the logits. */
typedef enum gp_loss {
    GP_LOSS_AUTO, /* vocabulary-parallel in pre-training, fused otherwise */
    GP_LOSS_EAGER,
    GP_LOSS_FUSED,
    GP_LOSS_PARALLEL,
    GP_LOSS_COMPILED, /* by a graph compiler: 16-bit logits and their gradient stand */
    GP_LOSS_CHUNKED,
    GP_LOSS_COUNT
} gp_loss;

/* What selective recomputation works out again. */
typedef enum gp_selective {
    GP_SELECTIVE_ATTENTION, /* attention and the cheap steps around it */
    GP_SELECTIVE_OPERATOR,  /* all but attention and every other matrix product */
    GP_SELECTIVE_COUNT
} gp_selective;

/* Whose rules a layout has to keep to be launched. */
typedef enum gp_layout_rules {
    GP_RULES_NONE, /* a framework that has no table: what holds in all of them */
    GP_RULES_MEGATRON,
    GP_RULES_NEMO,
    GP_RULES_TORCHTITAN,
    GP_RULES_FSDP, /* trainers on PyTorch's FSDP */
    GP_RULES_DEEPSPEED,
    GP_RULES_VLLM,
    GP_RULES_SGLANG,
    GP_RULES_TENSORRT_LLM,
    GP_RULES_COUNT
} gp_layout_rules;

/* A software stack (framework or engine, release) as a class. */
typedef struct gp_stack {
    GP_ROW_MEMBERS;
    const char *name;     /* megatron, vllm, ... */
    const char *release;  /* "26.04"; newest release of a name is the reference */
    int role;             /* gp_stack_role */
    double time_factor;   /* measured time over that of the reference stack */
    double gain_fraction; /* measured gain of moving to the newest release, 0: none known */
    int64_t order;        /* age order of releases: larger is newer */
    int kernels;          /* gp_kernels */
    int attention;        /* gp_attention_kernel */
    double moe_factor;    /* time of routed experts over that of the reference stack; 0: 1 */
    int loss;             /* gp_loss where the run does not say */
    int selective;        /* gp_selective */
    int rules;            /* gp_layout_rules */
    bool hybrid_sharding; /* FSDP in groups, replicas of them beside each other */
    int64_t month;        /* of the release: year and month, 2604; 0: not known */
    /* Memory of a serving engine; 0: as the reference profile (the serving constants) */
    int pool;               /* gp_pool_rule */
    double claim_fraction;  /* share of the GPU that the rule speaks of, by default */
    double sampler_bytes;   /* held back per sequence and vocabulary entry */
    int64_t sequences;      /* run at once by default */
    int64_t step_tokens;    /* of one step at most, by default */
    double non_torch_bytes; /* outside the tensor allocator, one rank */
    double parallel_bytes;  /* the same, tensor parallelism */
    double graph_bytes;     /* of captured graphs, where the pool makes room for them */
    bool whole_prompts;     /* a step holds a whole prompt: no chunked prefill */
    bool upcasts;           /* a base of 4 or 8 bits is trained on with an FP32 residual stream */
    bool shards_modules;    /* ZeRO-3 goes by module, not by units that a policy wraps */
    /* Times of a serving engine; 0: what the constants say of any engine */
    double step_s;            /* host time of one step */
    double layer_s;           /* per layer and step, on top of the GPU's own */
    double expert_s;          /* per layer whose experts are spread over the ranks, on top */
    double sequence_s;        /* the same for each running sequence, on top */
    double draft_s;           /* host time of one step for each drafted token, on top */
    double request_s;         /* of a request before its prefill */
    double prefill_factor;    /* time of prefill over that of the reference engine; 0: 1 */
    double reserved_fraction; /* of its output that a sequence is given room for at its start */
} gp_stack;

/* How an engine sizes its KV pool. */
typedef enum gp_pool_rule {
    GP_POOL_CLAIM,  /* a share of the GPU, less all that the engine needs */
    GP_POOL_STATIC, /* weights and pool in a share of what is free before loading */
    GP_POOL_FREE,   /* a share of what is free once everything else stands */
    GP_POOL_COUNT
} gp_pool_rule;

typedef enum gp_stack_role {
    GP_STACK_TRAINING,
    GP_STACK_SERVING,
    GP_STACK_PICTURES /* serving, of models that make pictures */
} gp_stack_role;

/* Of the engine that serves the model. */
gp_stack_role gp_engine_role(const gp_model *model);

/* How well tuned a run is: factor on tuned throughput. */
typedef struct gp_tuning_class {
    GP_ROW_MEMBERS;
    double factor;
    double serving_factor; /* of serving engines; 0: the same */
} gp_tuning_class;

/* What a class of GPU draws by kind of work, as a share of its TDP while nothing else runs, and how
 * long its host keeps it waiting in each step of a serving engine. */
typedef struct gp_power_class {
    GP_ROW_MEMBERS;
    const char *gpu;               /* GPU id, or */
    const char *arch;              /* an architecture; neither: every other GPU */
    double idle_fraction;          /* an engine loaded, nothing running */
    double weights_fraction;       /* above idle: weights on their way into the multipliers */
    double block_fraction;         /* the same, weights scaled by blocks */
    double compute_fraction;       /* added for multiplications at the full rate */
    double prefill_fraction;       /* prompts */
    double attention_fraction;     /* decode attention */
    double communication_fraction; /* collectives */
    double overhead_fraction;      /* launches and small kernels */
    double inference_fraction;     /* saturated, where the work is not modelled; 0: the constant */
    double host_step_s;            /* host time of a step, */
    double host_rank_s;            /* for each doubling of the ranks, */
    double host_sequence_s;        /* for each running sequence, */
    double host_media_s;           /* for each token of images or video that comes in */
    double error_fraction;         /* p80 of |error| of the class: the band */
} gp_power_class;

/* A reference design of a compute fabric: what its rule of sizes starts from. */
typedef struct gp_fabric_design {
    GP_ROW_MEMBERS;
    const char *generation; /* ndr, xdr, ... */
    int64_t gpus;           /* of a machine */
    int64_t rails;          /* back-end ports of a machine */
    int64_t planes;
    int64_t radix;         /* switch ports of the host links' rate */
    int64_t unit_nodes;    /* machines of a scalable unit */
    int64_t manager_ports; /* leaf ports of fabric managers */
    bool grouped;          /* spines serve one rail each and keep half their ports for the core */
} gp_fabric_design;

/* How a GPU is cut. */
typedef enum gp_part_method { GP_PART_MIG, GP_PART_MPS, GP_PART_METHOD_COUNT } gp_part_method;

/* One size of part. */
typedef struct gp_gpu_profile {
    gp_meta meta;
    const char *name;
    int64_t compute, slices; /* of the partition's */
    int64_t every, last;     /* it begins at slice 0 and every so many, up to the last */
    double memory_bytes;     /* 0: `share` of the GPU's */
    double share_fraction;
    double flops_fraction; /* of the GPU's rate; of its bandwidth it has slices / all slices */
} gp_gpu_profile;

typedef struct gp_gpu_partition {
    GP_ROW_MEMBERS;
    GP_LIST(const char *) gpus; /* GPU ids */
    int method;                 /* gp_part_method */
    int64_t slices, compute;
    GP_LIST(gp_gpu_profile) profiles; /* the smallest first */
} gp_gpu_partition;

/* Kinds of rows. */
typedef enum gp_catalog_kind {
    GP_CATALOG_GPUS,
    GP_CATALOG_SYSTEMS,
    GP_CATALOG_SWITCHES,
    GP_CATALOG_STORAGE,
    GP_CATALOG_COOLING,
    GP_CATALOG_CLOUDS,
    GP_CATALOG_GRIDS,
    GP_CATALOG_PUES,
    GP_CATALOG_COLLECTIVES,
    GP_CATALOG_MODELS,
    GP_CATALOG_CONSTANTS,
    GP_CATALOG_EFFICIENCIES,
    GP_CATALOG_STACKS,
    GP_CATALOG_TUNINGS,
    GP_CATALOG_POWERS,
    GP_CATALOG_DESIGNS,
    GP_CATALOG_PROCESSORS,
    GP_CATALOG_PARTITIONS,
    GP_CATALOG_KIND_COUNT
} gp_catalog_kind;

typedef struct gp_catalog gp_catalog;

/* An empty view over the embedded rows. Nothing is parsed until a kind is asked for. Everything
 * lives in `arena`. Diagnostics of rows go to `diags`. */
gp_status gp_catalog_open(gp_arena *arena, gp_diags *diags, gp_catalog **ret_catalog);
/* Adds a user's file (kind: Catalog); a row with a known id replaces that row's fields one by one.
 * Later files win. */
gp_status gp_catalog_add(gp_catalog *catalog, const gp_text *text);
/* All rows of a kind in id order, loading them when needed. ret_rows are rows of that kind's
 * struct: use the typed look-ups where one row is wanted. */
gp_status gp_catalog_rows(gp_catalog *catalog, gp_catalog_kind kind, const void *const **ret_rows,
                          size_t *ret_count);
/* The row with this id or alias. NOT_FOUND: ret_row is NULL; GP_ERR_INPUT: ambiguous. `nearest` and
 * `choices` (comma separated) help the message and may be NULL. "hf:" before a name is allowed for
 * models. */
gp_status gp_catalog_find(gp_catalog *catalog, gp_catalog_kind kind, const char *name,
                          const void **ret_row, const char **ret_nearest, const char **ret_choices);
/* The GPU that a driver calls by `name`: "NVIDIA H100 80GB HBM3", without its maker, then without
 * its last words one by one (*ret_whole is false then). Results as of gp_catalog_find. */
gp_status gp_catalog_find_device(gp_catalog *catalog, const char *name, const gp_gpu **ret_gpu,
                                 const char **ret_choices, bool *ret_whole);
/* "gpus" ... and back (-1: no such kind). */
const char *gp_catalog_kind_name(gp_catalog_kind kind);
const char *gp_catalog_kind_noun(gp_catalog_kind kind); /* of one row: "model" */
int gp_catalog_kind_named(const char *name);
const gp_struct *gp_catalog_kind_type(gp_catalog_kind kind);
/* Checks every row: id, source, date, evidence, references, `unverified` keys (GP1022 and GP1014 go
 * to the catalogue's diagnostics). GP_ERR_INPUT when something was found. */
gp_status gp_catalog_check(gp_catalog *catalog);
/* SHA-256 (hex) over the embedded files and the user's, in order. */
void gp_catalog_digest(gp_catalog *catalog, const char **ret_hex);

#endif
