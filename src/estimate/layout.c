/* Parallel layouts: which are usual, and what one GPU of a layout holds. */
#include <math.h>

#include "base/num.h"
#include "estimate/train.h"

int64_t gp_layout_gpus(const gp_layout *layout) {
    int64_t gpus = 0;
    if (!gp_num_mul_i64(layout->tp, layout->pp, &gpus) ||
        !gp_num_mul_i64(gpus, layout->cp, &gpus) || !gp_num_mul_i64(gpus, layout->dp, &gpus))
        return GP_NUM_COUNT_MAX;
    return gpus;
}

/* The frozen base is stored as k-bit training holds it, in formats of bitsandbytes; integers in
 * groups (GPTQ, AWQ) are left as they are. */
static bool is_blockwise(const gp_train_job *job) {
    return gp_train_is_adapter(job) &&
           (job->weights == GP_FORMAT_NF4 || job->weights == GP_FORMAT_INT8);
}

void gp_train_apply_stack(gp_train_job *job, const gp_stack *stack) {
    if (stack == NULL)
        return;
    job->speed_factor = job->speed_factor > 0 ? job->speed_factor : 1;
    job->speed_factor /= stack->time_factor > 0 ? stack->time_factor : 1;
    job->known_stack = stack->evidence != GP_EVIDENCE_ASSUMED;
    job->kernels = stack->kernels;
    job->attention = stack->attention;
    job->moe_factor = stack->moe_factor;
    job->loss = job->loss != GP_LOSS_AUTO ? job->loss : stack->loss;
    job->per_operator = job->per_operator || stack->selective == GP_SELECTIVE_OPERATOR;
    job->upcast = job->upcast || (stack->upcasts && is_blockwise(job));
    job->shards_modules = job->shards_modules || stack->shards_modules;
    job->casts_adapters = stack->casts_adapters && gp_train_is_adapter(job);
    job->loops_experts = stack->kernels != GP_KERNELS_AUTO && !stack->groups_experts &&
                         job->shape != NULL && job->shape->moe;
}

gp_train_job gp_train_job_offloaded(const gp_train_job *job, const gp_layout *layout) {
    gp_train_job out = *job;
    if (layout->offload == GP_OFFLOAD_NONE)
        return out;
    out.offload_fraction = 1;
    out.offload_parameters = job->offload_parameters || layout->offload == GP_OFFLOAD_PARAMETERS;
    out.offload_drives = layout->on_drives;
    return out;
}

bool gp_train_is_adapter(const gp_train_job *job) {
    return job->type == GP_WORKLOAD_LORA;
}

bool gp_train_is_quantized(const gp_train_job *job) {
    return job->weights != GP_FORMAT_FP32 && job->weights != GP_FORMAT_BF16 &&
           job->weights != GP_FORMAT_FP16;
}

/* 8-bit floats, and 4-bit ones where the job computes in them, feed the matrix units as they
 * are. */
bool gp_train_is_expanded(const gp_train_job *job) {
    bool eight = job->weights == GP_FORMAT_FP8 || job->weights == GP_FORMAT_FP8_BLOCK;
    bool native = eight || (job->weights == GP_FORMAT_NVFP4 && job->compute == GP_PRECISION_FP4);
    return gp_train_is_quantized(job) && !native;
}

double gp_train_step_sequences(const gp_train_job *job, const gp_layout *layout) {
    if (layout->global_batch_sequences > 0)
        return (double)layout->global_batch_sequences;
    return gp_num_max(1, floor(job->global_batch / job->sequence_length + 0.5));
}

double gp_train_step_places(const gp_train_job *job, const gp_layout *layout) {
    double round = (double)layout->micro_batch * (double)layout->dp;
    return ceil(gp_train_step_sequences(job, layout) / round) * round;
}

double gp_layout_stage_layers(const gp_train_job *job, const gp_layout *layout) {
    double vpp = (double)gp_num_max_i64(1, layout->vpp);
    return ceil(job->shape->layers / ((double)layout->pp * vpp)) * vpp;
}

double gp_layout_missing_layers(const gp_train_job *job, const gp_layout *layout) {
    return gp_layout_stage_layers(job, layout) * (double)layout->pp - job->shape->layers;
}

/* Of two places that are left free the embedding takes one; more of them are left at the end, where
 * the head is, or one to a stage where the end has not as many. */
static double last_missing(double missing, double stage_layers) {
    if (missing <= 2 || missing >= stage_layers)
        return gp_num_min(missing, 1);
    return missing;
}

void gp_layout_set_stages(const gp_train_job *job, gp_layout *layout) {
    double missing = gp_layout_missing_layers(job, layout);
    double full = gp_layout_stage_layers(job, layout);
    double at_end = last_missing(missing, full);
    layout->stage_layers = (int64_t)full;
    layout->first_layers = (int64_t)(full - (missing > at_end ? 1 : 0));
    layout->last_layers = (int64_t)(full - at_end);
}

void gp_train_split_of(const gp_train_job *job, const gp_layout *layout, gp_train_split *ret) {
    const gp_shape *shape = job->shape;
    gp_train_split s = {.tp = (double)layout->tp,
                        .pp = (double)layout->pp,
                        .vpp = (double)gp_num_max_i64(1, layout->vpp),
                        .dp = (double)layout->dp,
                        .cp = (double)layout->cp,
                        .ep = (double)gp_num_max_i64(1, layout->ep)};
    double micro_batch = (double)layout->micro_batch;
    s.tokens = micro_batch * job->sequence_length / s.cp;
    s.micro_batches = ceil(gp_train_step_sequences(job, layout) / (micro_batch * s.dp));
    s.stage_layers = gp_layout_stage_layers(job, layout);
    s.last_layers =
        s.stage_layers - last_missing(gp_layout_missing_layers(job, layout), s.stage_layers);
    s.dense_per_layer = (shape->attention_parameters + shape->dense_mlp_parameters) / s.tp +
                        shape->norm_parameters + shape->router_parameters;
    s.dense_per_layer /= shape->layers;
    double expert_tp = (double)gp_num_max_i64(1, layout->expert_tp);
    s.expert_per_layer = shape->expert_parameters / (s.ep * expert_tp) / shape->layers;
    s.embedding = shape->embedding_parameters / s.tp + shape->vision_parameters;
    s.head = shape->head_parameters / s.tp;
    s.shard = layout->shard_group > 0 ? gp_num_min((double)layout->shard_group, s.dp * s.cp)
                                      : s.dp * s.cp;
    s.expert_shard = gp_num_max(1, s.shard * s.tp / (s.ep * expert_tp));
    *ret = s;
}

bool gp_layout_usual(const gp_train_job *job, const gp_layout *layout) {
    if (layout->pp == 1)
        return true;
    double places = (double)layout->micro_batch * (double)layout->dp;
    int64_t micro_batches = gp_num_ceil_count(gp_train_step_sequences(job, layout) / places);
    double missing = gp_layout_missing_layers(job, layout);
    /* Beyond embedding and head, uneven chunks have to be drawn by hand. */
    bool even = layout->vpp == 1 || (missing <= 2 && micro_batches % layout->pp == 0);
    return missing < (double)layout->pp && layout->zero <= 1 && even;
}
