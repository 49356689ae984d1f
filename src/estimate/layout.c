// Parallel layouts: which are possible at all, and what one GPU of a layout holds.
#include <math.h>

#include "base/num.h"
#include "estimate/train.h"

int64_t gp_layout_gpus(const gp_layout *layout) {
    int64_t gpus = 0;
    if (!gp_num_mul_i64(layout->tp, layout->pp, &gpus) ||
        !gp_num_mul_i64(gpus, layout->cp, &gpus) || !gp_num_mul_i64(gpus, layout->dp, &gpus)) {
        return GP_NUM_COUNT_MAX;
    }
    return gpus;
}

void gp_train_apply_stack(gp_train_job *job, const gp_stack *stack) {
    if (stack == NULL) {
        return;
    }
    job->speed_factor = job->speed_factor > 0 ? job->speed_factor : 1;
    job->speed_factor /= stack->time_factor > 0 ? stack->time_factor : 1;
    job->known_stack = stack->evidence != GP_EVIDENCE_ASSUMED;
    job->kernels = stack->kernels;
    job->attention = stack->attention;
    job->moe_factor = stack->moe_factor;
    job->loss = job->loss != GP_LOSS_AUTO ? job->loss : stack->loss;
    job->per_operator = job->per_operator || stack->selective == GP_SELECTIVE_OPERATOR;
    job->upcast = job->upcast || (stack->upcasts && gp_train_is_blockwise(job));
    job->shards_modules = job->shards_modules || stack->shards_modules;
    job->loops_experts = stack->kernels != GP_KERNELS_AUTO && job->shape != NULL && job->shape->moe;
}

gp_train_job gp_train_job_offloaded(const gp_train_job *job, const gp_layout *layout) {
    gp_train_job out = *job;
    if (layout->offload == GP_OFFLOAD_NONE) {
        return out;
    }
    out.offload_fraction = 1;
    out.offload_parameters = job->offload_parameters || layout->offload == GP_OFFLOAD_PARAMETERS;
    out.offload_drives = layout->on_drives;
    return out;
}

double gp_train_offloaded_bytes(const gp_train_job *job, const gp_machine *machine,
                                const gp_layout *layout, const gp_constants *constants,
                                const gp_memory *with) {
    gp_memory without;
    gp_train_memory(job, machine, layout, constants, 0, NULL, &without);
    double moved = without.bytes[GP_MEMORY_OPTIMIZER] - with->bytes[GP_MEMORY_OPTIMIZER] +
                   without.bytes[GP_MEMORY_WEIGHTS] - with->bytes[GP_MEMORY_WEIGHTS];
    return gp_num_max(0, moved) * constants->training_offload_buffer_factor;
}

bool gp_train_is_adapter(const gp_train_job *job) {
    return job->type == GP_WORKLOAD_LORA;
}

bool gp_train_is_quantized(const gp_train_job *job) {
    return job->weights != GP_FORMAT_FP32 && job->weights != GP_FORMAT_BF16 &&
           job->weights != GP_FORMAT_FP16;
}

// Formats of bitsandbytes; integers in groups (GPTQ, AWQ) are left as they are.
bool gp_train_is_blockwise(const gp_train_job *job) {
    return gp_train_is_adapter(job) &&
           (job->weights == GP_FORMAT_NF4 || job->weights == GP_FORMAT_INT8);
}

// 8-bit floats, and 4-bit ones where the job computes in them, feed the matrix units as they are.
bool gp_train_is_expanded(const gp_train_job *job) {
    bool eight = job->weights == GP_FORMAT_FP8 || job->weights == GP_FORMAT_FP8_BLOCK;
    bool native = eight || (job->weights == GP_FORMAT_NVFP4 && job->compute == GP_PRECISION_FP4);
    return gp_train_is_quantized(job) && !native;
}

double gp_train_sequences(const gp_train_job *job) {
    return gp_num_max(1, floor(job->global_batch / job->sequence_length + 0.5));
}

double gp_train_step_sequences(const gp_train_job *job) {
    return gp_train_sequences(job);
}

double gp_train_step_places(const gp_train_job *job, const gp_layout *layout) {
    double round = (double)layout->micro_batch * (double)layout->dp;
    return ceil(gp_train_sequences(job) / round) * round;
}

// Layers that the stages of an uneven split have less than the fullest one, in whole layers.
static double missing_layers(double layers, double stages) {
    return ceil(layers / stages) * stages - layers;
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
    double chunks = s.pp * s.vpp;
    s.tokens = micro_batch * job->sequence_length / s.cp;
    s.micro_batches = ceil(gp_train_sequences(job) / (micro_batch * s.dp));
    s.stage_layers = ceil(shape->layers / chunks) * s.vpp;
    // Of two places that are left free the embedding takes one; more of them are only left by
    // layouts drawn by hand, which make room for the head.
    double missing = missing_layers(shape->layers, chunks);
    s.last_layers = s.stage_layers - (missing > 2 ? missing : gp_num_min(missing, 1));
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

static bool in_range(const gp_layout *l) {
    return l->tp >= 1 && l->pp >= 1 && l->vpp >= 1 && l->dp >= 1 && l->cp >= 1 && l->ep >= 1 &&
           l->micro_batch >= 1 && l->zero >= 0 && l->zero <= 3 &&
           l->recompute > GP_RECOMPUTE_AUTO && l->recompute <= GP_RECOMPUTE_FULL;
}

static const char *tensor_refusal(const gp_train_job *job, const gp_machine *machine,
                                  const gp_layout *layout) {
    int64_t heads = (int64_t)job->shape->heads, kv_heads = (int64_t)job->shape->kv_heads;
    if (layout->tp == 1) {
        return NULL;
    }
    // Tensor parallelism across machines is never worth its network time.
    if (layout->tp > machine->domain) {
        return "tensor parallelism leaves the scale-up domain";
    }
    if (heads > 0 && heads % layout->tp != 0) {
        return "tensor parallelism does not divide the heads";
    }
    // Fewer key-value heads than ranks: each is held by several of them.
    bool shared = kv_heads <= 0 || job->shape->mla || kv_heads % layout->tp == 0 ||
                  layout->tp % kv_heads == 0;
    return shared ? NULL : "tensor parallelism and the key-value heads do not divide one another";
}

// Stages may be uneven by at most one layer each: embedding and head take the free places.
static const char *pipeline_refusal(const gp_train_job *job, const gp_layout *layout) {
    double layers = job->shape->layers, chunks = (double)(layout->pp * layout->vpp);
    if (layout->pp == 1) {
        return layout->vpp == 1 ? NULL : "virtual stages need a pipeline";
    }
    if (chunks > layers) {
        return "the pipeline has more stages than the model has layers";
    }
    if (missing_layers(layers, chunks) >= (double)layout->pp) {
        return "the layers split over the stages too unevenly";
    }
    // Interleaving needs the micro-batches in whole rounds of the pipeline; sharded gradients or
    // weights would be exchanged for every micro-batch.
    int64_t micro_batches = gp_num_ceil_count(gp_train_sequences(job) /
                                              ((double)layout->micro_batch * (double)layout->dp));
    if (layout->vpp > 1 && micro_batches % layout->pp != 0) {
        return "virtual stages need the micro-batches in whole rounds of the pipeline";
    }
    return layout->zero <= 1 ? NULL : "a pipeline shards the optimizer's states at most (zero: 1)";
}

static const char *expert_refusal(const gp_train_job *job, const gp_layout *layout) {
    if (layout->ep == 1) {
        return NULL;
    }
    int64_t experts = (int64_t)job->shape->experts;
    if (experts <= 0 || experts % layout->ep != 0) {
        return "expert parallelism does not divide the experts";
    }
    return (layout->dp * layout->cp * layout->tp) % layout->ep == 0
               ? NULL
               : "expert parallelism does not divide the ranks that share a stage";
}

static const char *context_refusal(const gp_train_job *job, const gp_layout *layout) {
    int64_t chunk = (int64_t)job->sequence_length / layout->cp;
    bool even = layout->cp == 1 ||
                (chunk >= 1 && (double)(chunk * layout->cp) >= floor(job->sequence_length));
    return even ? NULL : "context parallelism does not divide the sequence";
}

const char *gp_layout_refusal(const gp_train_job *job, const gp_machine *machine,
                              const gp_layout *layout) {
    if (!in_range(layout)) {
        return "a degree is out of range";
    }
    if (machine->efficiency[job->compute] == NULL) {
        return "this GPU has no path for the precision asked for";
    }
    if ((double)layout->dp * (double)layout->micro_batch > gp_train_sequences(job)) {
        return "the batch has fewer sequences than the data-parallel ranks take";
    }
    const char *why = tensor_refusal(job, machine, layout);
    why = why != NULL ? why : pipeline_refusal(job, layout);
    why = why != NULL ? why : expert_refusal(job, layout);
    return why != NULL ? why : context_refusal(job, layout);
}

bool gp_layout_valid(const gp_train_job *job, const gp_machine *machine, const gp_layout *layout) {
    return gp_layout_refusal(job, machine, layout) == NULL;
}
