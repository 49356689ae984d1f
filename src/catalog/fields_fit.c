/* Descriptor tables of fitted and measured figures: collectives, constants, efficiencies, software
 * stacks, tuning classes and power. */
#include "catalog/fields.h"
#include "catalog/words.h"

static const gp_field collective_fields[] = {
    GP_ROW_FIELDS(gp_collective_fit, "collectives"),
    GP_STRING(gp_collective_fit, "gpu", gpu, .flags = GP_FIELD_CATALOG_REF, .ref = "gpus",
              .help = "The GPU it was measured on."),
    GP_ENUM(gp_collective_fit, "collective", collective, gp_collective_words,
            .help = "The collective."),
    GP_COUNT(gp_collective_fit, "ranks", ranks, GP_RANGE(2, 1e6), .help = "GPUs taking part."),
    GP_QUANTITY(gp_collective_fit, "latency", latency_s, GP_DIM_TIME, GP_RANGE(0, 1),
                .help = "Time of an empty message."),
    GP_QUANTITY(gp_collective_fit, "busBandwidth", bus_bytes_per_s, GP_DIM_BYTES_PER_S,
                GP_ABOVE(0, 1e15), .help = "Bus bandwidth of a large message."),
    GP_QUANTITY(gp_collective_fit, "sqrtCoefficient", sqrt_coefficient, GP_DIM_NONE,
                GP_RANGE(-1e3, 1e3), .help = "Microseconds per square root of a byte."),
    GP_QUANTITY(gp_collective_fit, "error", error_fraction, GP_DIM_FRACTION, GP_RANGE(0, 10),
                .help = "Mean absolute error of the fit."),
};

const gp_struct gp_collective_fit_type =
    GP_TYPE(gp_collective_fit, collective_fields, .name = "collectiveFit",
            .help = "Time of a collective inside one scale-up domain.");

static const gp_field constant_fields[] = {
    GP_ROW_FIELDS(gp_constant, "constants"),
    GP_STRING(gp_constant, "value", value, .help = "The number, with its unit."),
};

const gp_struct gp_constant_type = GP_TYPE(gp_constant, constant_fields, .name = "constant",
                                           .help = "One empirical number of the estimators.");

#define SHARE(name, member, text)                                                                  \
    GP_QUANTITY(gp_efficiency, name, member, GP_DIM_FRACTION, GP_ABOVE(0, 1.5), .help = text)

static const gp_field efficiency_fields[] = {
    GP_ROW_FIELDS(gp_efficiency, "efficiencies"),
    GP_STRING(gp_efficiency, "gpu", gpu, .flags = GP_FIELD_CATALOG_REF, .ref = "gpus",
              .help = "The GPU the class is for."),
    GP_STRING(gp_efficiency, "arch", arch, .help = "Or the architecture it is the fallback for."),
    GP_ENUM(gp_efficiency, "precision", precision, gp_precision_words,
            .aliases = gp_precision_aliases, .help = "Compute precision."),
    SHARE("gemm", gemm_fraction, "Large-GEMM share of the peak in tuned training."),
    SHARE("prefillGemm", prefill_gemm_fraction, "The same in serving engines."),
    SHARE("attention", attention_fraction, "Attention's share of the 16-bit peak in training."),
    SHARE("hbm", hbm_fraction, "Share of memory bandwidth in decode GEMV."),
    SHARE("kv", kv_fraction, "Share of memory bandwidth in decode attention."),
    GP_QUANTITY(gp_efficiency, "prefillAttention", prefill_attention_fraction, GP_DIM_FRACTION,
                GP_RANGE(0, 1), .help = "Prefill attention's share of the 16-bit peak."),
    GP_QUANTITY(gp_efficiency, "denoiseAttention", denoise_attention_fraction, GP_DIM_FRACTION,
                GP_RANGE(0, 1), .help = "The same of plain denoisers of pictures and clips."),
    GP_QUANTITY(gp_efficiency, "expertGemm", expert_gemm_fraction, GP_DIM_FRACTION, GP_RANGE(0, 2),
                .help = "Grouped-GEMM rate relative to dense GEMM in serving engines."),
    GP_QUANTITY(gp_efficiency, "expertHbm", expert_hbm_fraction, GP_DIM_FRACTION, GP_RANGE(0, 1),
                .help = "Share of memory bandwidth in reading experts of few tokens."),
    GP_QUANTITY(gp_efficiency, "expertLayerTime", expert_layer_s, GP_DIM_TIME, GP_RANGE(0, 1),
                .help = "Fixed time per layer of routed experts of a decode step."),
    SHARE("moe", moe_fraction, "Grouped-GEMM rate relative to dense GEMM."),
    GP_QUANTITY(gp_efficiency, "layerTime", layer_s, GP_DIM_TIME, GP_RANGE(0, 1),
                .help = "Fixed time per layer and pass in training."),
    GP_QUANTITY(gp_efficiency, "decodeLayerTime", decode_layer_s, GP_DIM_TIME, GP_RANGE(0, 1),
                .help = "Fixed time per layer of a decode step."),
    GP_QUANTITY(gp_efficiency, "error", error_fraction, GP_DIM_FRACTION, GP_RANGE(0, 10),
                .help = "80th percentile of the absolute error: the error band."),
    GP_QUANTITY(gp_efficiency, "servingError", serving_error_fraction, GP_DIM_FRACTION,
                GP_RANGE(0, 10), .help = "The same of serving, where it was calibrated."),
    GP_COUNT(gp_efficiency, "ownRuns", own_runs, GP_RANGE(0, 1e12),
             .help = "Own training runs behind the rates: their tuning is in them."),
    GP_COUNT(gp_efficiency, "ownServing", own_serving, GP_RANGE(0, 1e12),
             .help = "Own serving measurements behind the rates, likewise."),
};

const gp_struct gp_efficiency_type =
    GP_TYPE(gp_efficiency, efficiency_fields, .name = "efficiency",
            .help = "Achieved rates of a class of GPU and precision.");

static const gp_field stack_fields[] = {
    GP_ROW_FIELDS(gp_stack, "stacks"),
    GP_STRING(gp_stack, "name", name, .help = "Framework or engine, such as vllm."),
    GP_STRING(gp_stack, "release", release, .help = "Release."),
    GP_ENUM(gp_stack, "role", role, gp_stack_role_words, .help = "What it is for."),
    GP_QUANTITY(gp_stack, "timeFactor", time_factor, GP_DIM_NONE, GP_ABOVE(0, 100),
                .help = "Time over that of the reference release."),
    GP_QUANTITY(gp_stack, "gain", gain_fraction, GP_DIM_FRACTION, GP_RANGE(0, 100),
                .help = "Measured gain of moving to the newest release."),
    GP_COUNT(gp_stack, "order", order, GP_RANGE(0, 1e12),
             .help = "Age order of releases: larger is newer."),
    GP_ENUM(gp_stack, "kernels", kernels, gp_kernels_words,
            .help = "How the layers are built: compiled or hand-fused, plain modules, modules with "
                    "fused parts."),
    GP_ENUM(gp_stack, "attention", attention, gp_attention_words,
            .help = "How attention is computed where the run does not say."),
    GP_QUANTITY(gp_stack, "moeFactor", moe_factor, GP_DIM_NONE, GP_ABOVE(0, 100),
                .help = "Time of routed experts over that of the reference release."),
    GP_ENUM(gp_stack, "loss", loss, gp_loss_words,
            .help = "How the loss is computed where the run does not say; auto follows from the "
                    "kernels."),
    GP_ENUM(gp_stack, "selective", selective, gp_selective_words,
            .help = "What selective recomputation works out again: attention and the cheap steps, "
                    "or everything but attention and matrix products."),
    GP_ENUM(gp_stack, "rules", rules, gp_layout_rules_words,
            .help = "Whose rules a layout has to keep to be launched: of batch, heads, layers and "
                    "experts; none where only what holds in every framework is known."),
    GP_BOOL(gp_stack, "hybridSharding", hybrid_sharding,
            .help = "It can shard weights within groups of GPUs and keep replicas of the groups."),
    GP_COUNT(gp_stack, "month", month, GP_RANGE(1501, 9912),
             .help = "Year and month of the release, such as 2604."),
    GP_ENUM(gp_stack, "pool", pool, gp_pool_words,
            .help = "How the engine sizes its KV pool: a share of the GPU less what it needs, a "
                    "share of what is free before loading for weights and pool, a share of what is "
                    "free after it."),
    GP_QUANTITY(gp_stack, "claim", claim_fraction, GP_DIM_FRACTION, GP_ABOVE(0, 1),
                .help = "That share, by default."),
    GP_QUANTITY(gp_stack, "samplerReserve", sampler_bytes, GP_DIM_BYTES, GP_ABOVE(0, 1e3),
                .help = "Memory held back per sequence and vocabulary entry for the sampler."),
    GP_COUNT(gp_stack, "sequences", sequences, GP_RANGE(1, 1e6),
             .help = "Sequences run at once by default."),
    GP_COUNT(gp_stack, "stepTokens", step_tokens, GP_RANGE(1, 1e7),
             .help = "Tokens of one step at most, by default."),
    GP_QUANTITY(gp_stack, "nonTorch", non_torch_bytes, GP_DIM_BYTES, GP_ABOVE(0, 1e12),
                .help = "Memory outside the tensor allocator, on one GPU."),
    GP_QUANTITY(gp_stack, "nonTorchParallel", parallel_bytes, GP_DIM_BYTES, GP_ABOVE(0, 1e12),
                .help = "The same with tensor parallelism."),
    GP_QUANTITY(gp_stack, "graphs", graph_bytes, GP_DIM_BYTES, GP_ABOVE(0, 1e12),
                .help = "Captured graphs that the pool makes room for."),
    GP_BOOL(gp_stack, "wholePrompts", whole_prompts,
            .help = "A step holds a whole prompt: prefill is not chunked."),
    GP_BOOL(gp_stack, "upcasts", upcasts, .default_text = "false",
            .help = "It prepares a base of 4 or 8 bits with an FP32 residual stream."),
    GP_BOOL(gp_stack, "shardsModules", shards_modules, .default_text = "false",
            .help = "Its ZeRO-3 goes by module, not by the units of FSDP."),
    GP_QUANTITY(gp_stack, "stepTime", step_s, GP_DIM_TIME, GP_RANGE(0, 10),
                .help = "Host time of one step of a serving engine."),
    GP_QUANTITY(gp_stack, "layerTime", layer_s, GP_DIM_TIME, GP_RANGE(0, 1),
                .help = "Time per layer and step, on top of what the GPU's class says."),
    GP_QUANTITY(gp_stack, "expertTime", expert_s, GP_DIM_TIME, GP_RANGE(0, 1),
                .help = "Time per layer whose experts are spread over the ranks, on top."),
    GP_QUANTITY(gp_stack, "sequenceTime", sequence_s, GP_DIM_TIME, GP_RANGE(0, 1),
                .help = "Host time of one step for each running sequence, on top."),
    GP_QUANTITY(gp_stack, "draftTime", draft_s, GP_DIM_TIME, GP_RANGE(0, 1),
                .help = "Host time of one step for each token guessed ahead, on top."),
    GP_QUANTITY(gp_stack, "requestTime", request_s, GP_DIM_TIME, GP_RANGE(0, 100),
                .help = "Fixed time of a request before its prefill."),
    GP_QUANTITY(gp_stack, "prefillFactor", prefill_factor, GP_DIM_NONE, GP_RANGE(0, 100),
                .help = "Time of prefill over that of the reference engine."),
    GP_QUANTITY(gp_stack, "reserved", reserved_fraction, GP_DIM_FRACTION, GP_RANGE(0, 1),
                .help = "Share of its output that a sequence is given room for at its start."),
};

const gp_struct gp_stack_type =
    GP_TYPE(gp_stack, stack_fields, .name = "stack",
            .help = "One release of a training framework or serving engine.");

static const gp_field tuning_fields[] = {
    GP_ROW_FIELDS(gp_tuning_class, "tunings"),
    GP_QUANTITY(gp_tuning_class, "factor", factor, GP_DIM_FRACTION, GP_ABOVE(0, 1.5),
                .help = "Factor on tuned throughput."),
    GP_QUANTITY(gp_tuning_class, "serving", serving_factor, GP_DIM_FRACTION, GP_ABOVE(0, 1.5),
                .help = "The same of serving engines, where it is another."),
};

const gp_struct gp_tuning_class_type =
    GP_TYPE(gp_tuning_class, tuning_fields, .name = "tuning", .help = "How well tuned a run is.");

#define WATTS(name, member, text)                                                                  \
    GP_QUANTITY(gp_power_class, name, member, GP_DIM_FRACTION, GP_RANGE(0, 10), .help = text)
#define HOST(name, member, text)                                                                   \
    GP_QUANTITY(gp_power_class, name, member, GP_DIM_TIME, GP_RANGE(0, 1), .help = text)

static const gp_field power_fields[] = {
    GP_ROW_FIELDS(gp_power_class, "powers"),
    GP_STRING(gp_power_class, "gpu", gpu, .flags = GP_FIELD_CATALOG_REF, .ref = "gpus",
              .help = "The GPU the class is for."),
    GP_STRING(gp_power_class, "arch", arch, .help = "Or the architecture it is the fallback for."),
    WATTS("idle", idle_fraction, "Share of the TDP with an engine loaded and nothing running."),
    WATTS("weights", weights_fraction, "Above that while weights are read."),
    WATTS("blockWeights", block_fraction, "The same for weights scaled by blocks."),
    WATTS("compute", compute_fraction, "Added while multiplications run at the full rate."),
    WATTS("inference", inference_fraction, "Saturated, where the work is not modelled."),
    WATTS("prefill", prefill_fraction, "While prompts are worked on."),
    WATTS("attention", attention_fraction, "During decode attention."),
    WATTS("communication", communication_fraction, "During collectives."),
    WATTS("overhead", overhead_fraction, "During launches and small kernels."),
    HOST("hostStep", host_step_s, "Time of the host in a decode step."),
    HOST("hostRank", host_rank_s, "More for each doubling of the ranks."),
    HOST("hostSequence", host_sequence_s, "More for each running sequence."),
    HOST("hostMedia", host_media_s, "More for each token of images or video that comes in."),
    GP_QUANTITY(gp_power_class, "error", error_fraction, GP_DIM_FRACTION, GP_RANGE(0, 10),
                .help = "80th percentile of the absolute error: the error band."),
};

const gp_struct gp_power_class_type =
    GP_TYPE(gp_power_class, power_fields, .name = "power",
            .help = "What a class of GPU draws in serving, by kind of work.");
