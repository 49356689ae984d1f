/*
 * Catalogue rows as bound structs. A member that a row leaves out is zero and its origin is NONE;
 * zero is never a legal value of a required figure. One row is {figures, source, date, evidence};
 * `unverified` lists the keys whose figure was not read at a primary source.
 */
#ifndef GP_CATALOG_CATALOG_H
#define GP_CATALOG_CATALOG_H

#include "schema/schema.h"

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

typedef enum gp_cooling_kind {
    GP_COOLING_AIR,
    GP_COOLING_LIQUID,
    GP_COOLING_HYBRID,
    GP_COOLING_IMMERSION
} gp_cooling_kind;

typedef enum gp_collective {
    GP_COLLECTIVE_ALL_REDUCE,
    GP_COLLECTIVE_ALL_GATHER,
    GP_COLLECTIVE_REDUCE_SCATTER,
    GP_COLLECTIVE_ALL_TO_ALL,
    GP_COLLECTIVE_COUNT
} gp_collective;

typedef enum gp_linear_kind {
    GP_LINEAR_DELTA, /* gated delta net: a scalar decay per head */
    GP_LINEAR_KDA    /* Kimi delta attention: a decay per channel, low-rank */
} gp_linear_kind;

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

/* What a model makes of a request. */
typedef enum gp_model_kind {
    GP_MODEL_TEXT,     /* tokens, vectors */
    GP_MODEL_PICTURES, /* pictures, clips */
    GP_MODEL_SCORES,
    GP_MODEL_SPEECH, /* text of speech, or speech of text */
    GP_MODEL_KIND_COUNT
} gp_model_kind;

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

/* How a GPU is cut. */
typedef enum gp_part_method { GP_PART_MIG, GP_PART_MPS, GP_PART_METHOD_COUNT } gp_part_method;

#define F_ROWS "catalog/catalog.def"
#include "schema/rows.def"

gp_model_kind gp_model_kind_of(const gp_model *model);
/* Of the engine that serves the model. */
gp_stack_role gp_engine_role(const gp_model *model);

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
/* All rows of all kinds with their names and the constants: what is asked for afterwards adds
 * nothing to the catalogue's arena. Status as of the first kind that cannot be read. */
gp_status gp_catalog_load_all(gp_catalog *catalog);
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
