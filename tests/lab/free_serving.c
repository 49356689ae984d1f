/*
 * The free constants of serving. As for training, a rule speaks of physics or of a class of
 * hardware or engine; its prior is what kernel tables or judgement would say before any run.
 */
#include "lab/free.h"

#define CONSTANT(id_, prior_, spread_, low_, high_)                                                \
    {                                                                                              \
        .kind = GP_FREE_CONSTANT, .id = id_, .tie = GP_FREE_ALL, .prior = prior_,                  \
        .spread = spread_, .low = low_, .high = high_                                              \
    }
/* By the width of the format; priors of kernel tables (ai-dynamo/aiconfigurator@095f58a51c4c: GEMM
 * of large and of few rows, decode attention, launch floors). */
#define KERNELS(key_, width_, prior_, spread_, low_, high_)                                        \
    {                                                                                              \
        .kind = GP_FREE_EFFICIENCY, .id = key_, .tie = GP_FREE_FAMILY, .prior = prior_,            \
        .spread = spread_, .low = low_, .high = high_, .only = width_, .measured = true            \
    }
/* Parts whose exponentials are known: kernels of long prompts reach so much of what multiplying and
 * exponentials leave. */
#define ATTENTION(family_, prior_)                                                                 \
    {                                                                                              \
        .kind = GP_FREE_EFFICIENCY, .id = "prefillAttention", .tie = GP_FREE_GENERATION,           \
        .prior = prior_, .spread = 0.1, .low = 0.2, .high = 1, .only = family_, .measured = true   \
    }
#define ENGINE(key_, prior_, spread_, low_, high_)                                                 \
    {                                                                                              \
        .kind = GP_FREE_STACK, .id = key_, .tie = GP_FREE_ENGINE, .prior = prior_,                 \
        .spread = spread_, .low = low_, .high = high_                                              \
    }

const gp_free_rule gp_free_serving_rules[] = {
    CONSTANT("serving.interference", 1, 0.3, 0.5, 1.5),
    CONSTANT("serving.prefill.ramp", 150, 0.7, 5, 2000),
    CONSTANT("serving.attention.tokens", 500, 0.7, 5, 8000),
    CONSTANT("serving.decode.attention", 0.55, 0.15, 0.02, 1),
    CONSTANT("serving.weightOnly", 0.75, 0.3, 0.2, 1),
    CONSTANT("serving.moe.tile", 64, 0.7, 1, 500),
    CONSTANT("serving.moe.unpack", 0.4, 0.3, 0.05, 1),
    CONSTANT("serving.allReduce.hostNew", 0.8, 0.3, 0.05, 1),
    CONSTANT("serving.moe.spread", 0.42, 0.2, 0.05, 3),
    CONSTANT("serving.allReduce.base", 5e-6, 0.3, 1e-6, 5e-5),
    CONSTANT("serving.allReduce.hop", 2e-6, 0.7, 1e-7, 2e-5),
    CONSTANT("serving.allReduce.link", 0.6, 0.4, 0.05, 1),
    CONSTANT("serving.exchange.dispatch", 1.5e-5, 0.7, 2e-6, 2e-4),
    CONSTANT("serving.exchange.combine", 2e-5, 0.7, 2e-6, 2e-4),
    CONSTANT("serving.exchange.link", 0.7, 0.3, 0.05, 1),
    CONSTANT("serving.exchange.efa", 0.5, 0.5, 0.02, 1),
    CONSTANT("serving.exchange.network", 0.8, 0.3, 0.05, 1),
    CONSTANT("serving.wave", 0.2, 0.7, 0.01, 1),
    CONSTANT("serving.queue", 3000, 0.3, 1000, 10000),
    CONSTANT("serving.input.code", 1000, 0.7, 50, 20000),
    CONSTANT("serving.input.image", 1000, 0.7, 50, 10000),
    CONSTANT("serving.input.video", 3000, 0.7, 50, 30000),
    CONSTANT("serving.overlap", 1.6, 0.15, 1, 12),
    CONSTANT("serving.latent.layer", 1e-5, 0.7, 1e-6, 1e-4),
    CONSTANT("serving.linear.layer", 1e-5, 0.7, 1e-6, 1e-4),
    CONSTANT("serving.moe.row", 5e-12, 0.15, 1e-13, 1e-10),
    CONSTANT("serving.unpack", 0.8, 0.2, 0.1, 1),
    CONSTANT("serving.pipeline", 0.05, 0.7, 0.001, 0.5),
    CONSTANT("serving.stream", 2e-5, 0.7, 1e-6, 1e-3),
    CONSTANT("serving.allReduce.host", 0.7, 0.4, 0.05, 1),
    CONSTANT("serving.input.unstated", 300, 0.7, 20, 3000),
    KERNELS("prefillGemm", "16 bit", 0.7, 0.15, 0.05, 0.95),
    KERNELS("prefillGemm", "8 bit", 0.58, 0.15, 0.05, 0.95),
    KERNELS("prefillGemm", "4 bit", 0.42, 0.2, 0.05, 0.95),
    KERNELS("hbm", "16 bit", 0.78, 0.08, 0.2, 0.95),
    KERNELS("hbm", "8 bit", 0.8, 0.08, 0.2, 0.95),
    KERNELS("hbm", "4 bit", 0.6, 0.1, 0.2, 0.95),
    KERNELS("expertGemm", "16 bit", 1.1, 0.2, 0.05, 1.5),
    KERNELS("expertGemm", "8 bit", 1.1, 0.2, 0.05, 1.5),
    KERNELS("expertGemm", "4 bit", 1.25, 0.12, 0.05, 1.5),
    KERNELS("expertHbm", "16 bit", 0.8, 0.2, 0.1, 1),
    KERNELS("expertHbm", "8 bit", 0.8, 0.2, 0.1, 1),
    KERNELS("expertHbm", "4 bit", 0.8, 0.2, 0.1, 1),
    KERNELS("expertLayerTime", "16 bit", 3e-5, 0.4, 1e-6, 4e-4),
    KERNELS("expertLayerTime", "8 bit", 4e-5, 0.4, 1e-6, 4e-4),
    KERNELS("expertLayerTime", "4 bit", 3e-5, 0.4, 1e-6, 4e-4),
    {.kind = GP_FREE_EFFICIENCY,
     .id = "kv",
     .tie = GP_FREE_GENERATION,
     .prior = 0.8,
     .spread = 0.06,
     .low = 0.1,
     .high = 0.95,
     .measured = true},
    ATTENTION("ampere hbm", 0.7),
    ATTENTION("hopper hbm", 0.8),
    ATTENTION("blackwell hbm", 0.85),
    {.kind = GP_FREE_EFFICIENCY,
     .id = "prefillAttention",
     .tie = GP_FREE_GENERATION,
     .prior = 0.5,
     .spread = 0.8,
     .low = 0.002,
     .high = 0.85,
     .measured = true},
    {.kind = GP_FREE_EFFICIENCY,
     .id = "decodeLayerTime",
     .tie = GP_FREE_GENERATION,
     .prior = 3.5e-5,
     .spread = 0.2,
     .low = 2e-6,
     .high = 1e-3,
     .measured = true},
    ENGINE("timeFactor", 1.05, 0.15, 0.4, 5),
    ENGINE("stepTime", 5e-4, 1, 1e-5, 0.1),
    ENGINE("layerTime", 8e-6, 0.5, 1e-7, 1e-3),
    ENGINE("expertTime", 2e-5, 0.7, 1e-7, 3e-4),
    ENGINE("sequenceTime", 1e-5, 1, 1e-7, 1e-3),
    ENGINE("draftTime", 2.5e-3, 0.15, 1e-5, 2e-2),
    ENGINE("requestTime", 2e-2, 0.7, 1e-3, 1),
    ENGINE("prefillFactor", 1, 0.25, 0.3, 5),
};
const size_t gp_free_serving_rule_count =
    sizeof gp_free_serving_rules / sizeof gp_free_serving_rules[0];
