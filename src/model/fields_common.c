/* Descriptor tables shared by several parts of a spec: distributions, software, defaults,
 * metadata. */
#include "catalog/words.h"
#include "model/fields.h"

#define LEVEL(name, member, unit, text, ...)                                                       \
    GP_QUANTITY(gp_distribution, name, member, unit, __VA_ARGS__, .help = text)
#define LEVELS(unit, ...)                                                                          \
    LEVEL("mean", mean, unit, "Mean.", __VA_ARGS__),                                               \
        LEVEL("p50", p50, unit, "Median.", __VA_ARGS__),                                           \
        LEVEL("p95", p95, unit, "95th percentile.", __VA_ARGS__),                                  \
        LEVEL("p99", p99, unit, "99th percentile.", __VA_ARGS__),                                  \
        LEVEL("peak", peak, unit, "Largest value to plan for.", __VA_ARGS__)

static const gp_field rate_fields[] = {LEVELS(GP_DIM_PER_S, GP_ABOVE(0, 1e12))};
static const gp_field token_fields[] = {LEVELS(GP_DIM_COUNT, GP_RANGE(0, 1e9))};
static const gp_field latency_fields[] = {LEVELS(GP_DIM_TIME, GP_ABOVE(0, 1e7))};

const gp_struct gp_rate_distribution_type =
    GP_TYPE(gp_distribution, rate_fields, .name = "rateDistribution", .scalar_key = "mean",
            .help = "A rate; a bare number is its mean.");

const gp_struct gp_token_distribution_type =
    GP_TYPE(gp_distribution, token_fields, .name = "tokenDistribution", .scalar_key = "mean",
            .help = "Tokens per request; a bare number is the mean.");

const gp_struct gp_latency_distribution_type =
    GP_TYPE(gp_distribution, latency_fields, .name = "latencyDistribution", .scalar_key = "p95",
            .help = "A latency bound; a bare time is the 95th percentile.");

static const gp_field software_fields[] = {
    GP_STRING(gp_software, "framework", framework, .help = "Training framework, such as megatron."),
    GP_STRING(gp_software, "engine", engine, .help = "Serving engine, such as vllm."),
    GP_STRING(gp_software, "release", release,
              .help = "Release of the framework or engine; the newest known where absent."),
    GP_ENUM(gp_software, "tuning", tuning, gp_tuning_words, .default_text = "typical",
            .help = "How well the runs are tuned."),
    GP_QUANTITY(gp_software, "efficiency", efficiency, GP_DIM_NONE, GP_ABOVE(0, 1.5),
                .help = "Own factor on tuned throughput, in place of tuning."),
};

const gp_struct gp_software_type = GP_TYPE(gp_software, software_fields, .name = "software",
                                           .help = "The software stack a workload runs on.");

static const gp_field headroom_fields[] = {
    GP_QUANTITY(gp_headroom, "gpus", gpus_fraction, GP_DIM_FRACTION, GP_RANGE(0, 10),
                .default_text = "10%", .help = "GPUs kept beyond what the load needs."),
    GP_QUANTITY(gp_headroom, "memory", memory_fraction, GP_DIM_FRACTION, GP_RANGE(0, 0.9),
                .default_text = "5%", .help = "Share of GPU memory kept free."),
};

static const gp_struct headroom_type =
    GP_TYPE(gp_headroom, headroom_fields, .name = "headroom", .help = "What is kept in reserve.");

static const gp_field defaults_fields[] = {
    GP_ENUM(gp_defaults, "precision", precision, gp_precision_words,
            .aliases = gp_precision_aliases, .default_text = "bf16",
            .help = "Compute precision of workloads that name none."),
    GP_ENUM(gp_defaults, "confidence", confidence, gp_confidence_words, .default_text = "p80",
            .help = "Edge of the error band by which goals are judged."),
    GP_STRUCT(gp_defaults, "headroom", headroom, gp_headroom, headroom_type,
              .help = "What is kept in reserve."),
    GP_STRUCT(gp_defaults, "software", software, gp_software, gp_software_type,
              .help = "Software of workloads that name none."),
};

const gp_struct gp_defaults_type = GP_TYPE(gp_defaults, defaults_fields, .name = "defaults",
                                           .help = "What holds where a workload is silent.");

static const gp_field metadata_fields[] = {
    GP_STRING(gp_metadata, "name", name, .flags = GP_FIELD_REQUIRED,
              .help = "Name of the document."),
    GP_STRING_MAP(gp_metadata, "labels", labels, .help = "Labels, free."),
    GP_STRING_MAP(gp_metadata, "annotations", annotations, .help = "Annotations, free."),
};

const gp_struct gp_metadata_type = GP_TYPE(gp_metadata, metadata_fields, .name = "metadata",
                                           .help = "Name and labels of a document.");
