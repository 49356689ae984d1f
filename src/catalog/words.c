/* The words of the catalogue's enumerations, in enum order. */
#include "catalog/words.h"

#define WORD(name, text) text,

const char *const gp_precision_words[GP_PRECISION_COUNT + 1] = {GP_PRECISIONS(WORD) NULL};
const char *const gp_format_words[GP_FORMAT_COUNT + 1] = {GP_FORMATS(WORD) NULL};

/* A bare fp4 names the open 4-bit formats: blocks of 32 for storage, the tensor cores' for
 * compute. */
const char *const gp_format_aliases[] = {"fp4", "mxfp4", NULL};
const char *const gp_precision_aliases[] = {"fp4", "nvfp4", NULL};

const char *const gp_evidence_words[GP_EVIDENCE_COUNT + 1] = {
    [GP_EVIDENCE_NONE] = "",
    [GP_EVIDENCE_DATASHEET] = "datasheet",
    [GP_EVIDENCE_MEASURED] = "measured",
    [GP_EVIDENCE_DERIVED] = "derived",
    [GP_EVIDENCE_ASSUMED] = "assumed",
};

const char *const gp_collective_words[GP_COLLECTIVE_COUNT + 1] = {
    [GP_COLLECTIVE_ALL_REDUCE] = "all-reduce",
    [GP_COLLECTIVE_ALL_GATHER] = "all-gather",
    [GP_COLLECTIVE_REDUCE_SCATTER] = "reduce-scatter",
    [GP_COLLECTIVE_ALL_TO_ALL] = "all-to-all",
};

const char *const gp_cooling_words[5] = {
    [GP_COOLING_AIR] = "air",
    [GP_COOLING_LIQUID] = "liquid",
    [GP_COOLING_HYBRID] = "hybrid",
    [GP_COOLING_IMMERSION] = "immersion",
};

const char *const gp_stack_role_words[4] = {
    [GP_STACK_TRAINING] = "training",
    [GP_STACK_SERVING] = "serving",
    [GP_STACK_PICTURES] = "pictures",
};

const char *const gp_pool_words[GP_POOL_COUNT + 1] = {
    [GP_POOL_CLAIM] = "claim",
    [GP_POOL_STATIC] = "static",
    [GP_POOL_FREE] = "free",
};

const char *const gp_part_method_words[GP_PART_METHOD_COUNT + 1] = {
    [GP_PART_MIG] = "mig",
    [GP_PART_MPS] = "mps",
};

const char *const gp_image_rule_words[GP_IMAGE_RULE_COUNT + 1] = {
    [GP_IMAGE_NONE] = "",       [GP_IMAGE_FIXED] = "fixed",   [GP_IMAGE_ROUND] = "round",
    [GP_IMAGE_PAD] = "pad",     [GP_IMAGE_FILL] = "fill",     [GP_IMAGE_ROWS] = "rows",
    [GP_IMAGE_TILES] = "tiles", [GP_IMAGE_ASPECT] = "aspect",
};

const char *const gp_kernels_words[GP_KERNELS_COUNT + 1] = {
    [GP_KERNELS_AUTO] = "tuned",
    [GP_KERNELS_EAGER] = "eager",
    [GP_KERNELS_FUSED] = "fused",
    [GP_KERNELS_LIGER] = "liger",
};

const char *const gp_attention_words[GP_ATTENTION_COUNT + 1] = {
    [GP_ATTENTION_AUTO] = "newest",
    [GP_ATTENTION_FLASH2] = "flash-2",
    [GP_ATTENTION_EAGER] = "eager",
    [GP_ATTENTION_TRITON] = "triton",
};

const char *const gp_loss_words[GP_LOSS_COUNT + 1] = {
    [GP_LOSS_AUTO] = "auto",         [GP_LOSS_EAGER] = "eager",       [GP_LOSS_FUSED] = "fused",
    [GP_LOSS_PARALLEL] = "parallel", [GP_LOSS_COMPILED] = "compiled", [GP_LOSS_CHUNKED] = "chunked",
};

const char *const gp_layout_rules_words[GP_RULES_COUNT + 1] = {
    [GP_RULES_NONE] = "none",
    [GP_RULES_MEGATRON] = "megatron-lm",
    [GP_RULES_NEMO] = "nemo",
    [GP_RULES_TORCHTITAN] = "torchtitan",
    [GP_RULES_FSDP] = "fsdp",
    [GP_RULES_DEEPSPEED] = "deepspeed",
    [GP_RULES_VLLM] = "vllm",
    [GP_RULES_SGLANG] = "sglang",
    [GP_RULES_TENSORRT_LLM] = "tensorrt-llm",
};

const char *const gp_selective_words[GP_SELECTIVE_COUNT + 1] = {
    [GP_SELECTIVE_ATTENTION] = "attention",
    [GP_SELECTIVE_OPERATOR] = "operator",
};

const char *const gp_linear_kind_words[3] = {
    [GP_LINEAR_DELTA] = "delta",
    [GP_LINEAR_KDA] = "kda",
};
