/* Descriptor tables of a spec: the words of their own that rows take, the structs that have several
 * tables, and the rows themselves. */
#include "model/fields.h"

#include "catalog/words.h"

#define LEVEL(name, member, unit, text, ...)                                                       \
    GP_QUANTITY(gp_distribution, name, member, unit, __VA_ARGS__, .help = text)
#define LEVELS(unit, ...)                                                                          \
    LEVEL("mean", mean, unit, "Mean.", __VA_ARGS__),                                               \
        LEVEL("p50", p50, unit, "Median.", __VA_ARGS__),                                           \
        LEVEL("p95", p95, unit, "95th percentile.", __VA_ARGS__),                                  \
        LEVEL("p99", p99, unit, "99th percentile.", __VA_ARGS__),                                  \
        LEVEL("peak", peak, unit, "Largest value to plan for.", __VA_ARGS__)

/* A rate has a mean and a height that is planned for; its median says nothing of either. */
#define RATE(name, member, text) LEVEL(name, member, GP_DIM_PER_S, text, GP_ABOVE(0, 1e12))
static const gp_field rate_fields[] = {
    RATE("mean", mean, "Mean."),
    RATE("p95", p95, "95th percentile: planned for where neither p99 nor peak is stated."),
    RATE("p99", p99, "99th percentile: planned for where no peak is stated."),
    RATE("peak", peak, "Largest value to plan for."),
};
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

static const char *const air_classes[] = {"A1", "A2", "A3", "A4", NULL};
static const char *const liquid_classes[] = {"W17", "W27", "W32", "W40", "W45", "W+", NULL};

static const char *const parallelism_modes[] = {"auto", "explicit", NULL};

static const char *const part_words[] = {"auto", "none", NULL};
static const char *const loss_words[] = {"site", NULL};

static const char *const adapter_targets[] = {
    "q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj", "all", NULL};

static const char *const profile_names[] = {"flat", "diurnal", "office", NULL};

static const gp_field image_fields[] = {
    GP_QUANTITY(gp_images, "perRequest", per_request, GP_DIM_NONE, GP_RANGE(0, 1e4),
                .default_text = "0", .help = "Mean images in a request."),
    GP_COUNT(gp_images, "edge", edge, GP_RANGE(1, 1e6),
             .help = "Edge of a square image in pixels; 1024 where no size is given."),
    GP_COUNT(gp_images, "width", width, GP_RANGE(1, 1e6), .help = "Width of an image in pixels."),
    GP_COUNT(gp_images, "height", height, GP_RANGE(1, 1e6),
             .help = "Height of an image in pixels."),
};

static const gp_struct images_type =
    GP_TYPE(gp_images, image_fields, .name = "images", .scalar_key = "perRequest",
            .help = "Images in requests.");

static const gp_field video_fields[] = {
    GP_QUANTITY(gp_images, "perRequest", per_request, GP_DIM_NONE, GP_RANGE(0, 1e4),
                .default_text = "0", .help = "Mean videos in a request."),
    GP_COUNT(gp_images, "frames", frames, GP_RANGE(1, 1e6),
             .help = "Frames of a video that the model sees."),
    GP_COUNT(gp_images, "width", width, GP_RANGE(1, 1e6),
             .help = "Width of a frame in pixels; 1280 where no size is given."),
    GP_COUNT(gp_images, "height", height, GP_RANGE(1, 1e6),
             .help = "Height of a frame in pixels; 720 where no size is given."),
};

static const gp_struct videos_type =
    GP_TYPE(gp_images, video_fields, .name = "videos", .help = "Videos in requests.");

static const char *const scaling_words[] = {"vertical", "horizontal", NULL};

static const char *const workload_aliases[] = {
    "pretrain",  "training", "pre-training", "training", "fine-tuning", "finetune", "fine-tune",
    "finetune",  "peft",     "lora",         "rlhf",     "rl",          "grpo",     "rl",
    "notebooks", "seats",    "interactive",  "seats",    NULL};
static const char *const pool_words[] = {"auto", "true", "false", "prefill", "decode", NULL};

static const char *const level_words[] = {"note", "warning", "error", NULL};

#define F_TABLES
#define F_ROWS "model/model.def"
#include "schema/rows.def"
