/* Memory of training on the GPU that needs most: states by ZeRO stage, activations by recomputation
 * and parallel split, the pipeline's micro-batches in flight, logits, gathers, runtime. Both ends
 * of the pipeline are worked out, and the peaks of the backward pass and of the optimizer step. */
#include <string.h>

#include "base/num.h"
#include "estimate/train.h"

typedef struct memory_case {
    const gp_train_job *job;
    const gp_layout *layout;
    const gp_constants *constants;
    gp_train_split split;
    int64_t stage; /* of the pipeline, from 0 */
    bool first, last;
} memory_case;

typedef struct stage_parameters {
    double dense, expert; /* of the layers */
    double ends;          /* embedding and head */
} stage_parameters;

/* What the fullest stage holds at the end in question. A tied embedding is held at both ends. */
static stage_parameters parameters_of(const memory_case *c) {
    const gp_train_split *s = &c->split;
    double layers = c->last ? s->last_layers : s->stage_layers;
    stage_parameters p = {.dense = layers * s->dense_per_layer,
                          .expert = layers * s->expert_per_layer};
    bool tied_here = c->first && c->last && c->job->shape->model->tied;
    if (c->first)
        p.ends += s->embedding;
    if (c->last && !tied_here)
        p.ends += s->head;
    return p;
}

/* Bytes of a per-parameter state after sharding from ZeRO stage `stage` on. */
static double state_bytes(const memory_case *c, const stage_parameters *p, double each,
                          int64_t stage) {
    bool sharded = c->layout->zero >= stage;
    double dense = (p->dense + p->ends) / (sharded ? c->split.shard : 1);
    double expert = p->expert / (sharded ? c->split.expert_shard : 1);
    return (dense + expert) * each;
}

static double weights_bytes(const memory_case *c, const stage_parameters *p) {
    double each = gp_format_bytes(c->constants, c->job->weights);
    if (!gp_train_is_quantized(c->job))
        return state_bytes(c, p, each, 3);
    /* Embedding and head stay in 16 bit. */
    stage_parameters layers = {.dense = p->dense, .expert = p->expert};
    stage_parameters ends = {.ends = p->ends};
    return state_bytes(c, &layers, each, 3) +
           state_bytes(c, &ends, gp_format_bytes(c->constants, GP_FORMAT_BF16), 3);
}

static double optimizer_bytes(const memory_case *c, const stage_parameters *p) {
    double each = c->constants->memory_optimizer_bytes[c->job->optimizer];
    bool master = each > c->constants->memory_master_bytes;
    if (c->job->weights == GP_FORMAT_FP32 && master)
        each -= c->constants->memory_master_bytes;
    return state_bytes(c, p, each, 1);
}

/* Frameworks without FP32 main gradients free the gradients before the next forward pass. */
static bool frees_gradients(const memory_case *c) {
    bool in_place = c->layout->zero == 3 || c->job->optimizer == GP_OPTIMIZER_ADAMW_BF16 ||
                    c->job->optimizer == GP_OPTIMIZER_ADAMW_8BIT;
    return in_place && c->split.micro_batches <= 1;
}

static double adapter_bytes(const memory_case *c) {
    double each = c->constants->memory_adapter_bytes;
    double local = c->job->adapter_parameters / (c->split.tp * c->split.pp);
    return local * each / (c->layout->zero == 3 ? c->split.shard : 1);
}

/* Layer-times-micro-batch pairs whose activations a stage keeps: 1F1B keeps as many micro-batches
 * as stages follow, itself included; interleaved where vpp > 1; form: arXiv 2104.04473. */
static double layers_in_flight(const memory_case *c) {
    const gp_train_split *s = &c->split;
    double chunk = s->stage_layers / s->vpp;
    double behind = s->pp - 1 - (double)c->stage;
    double chunks = s->vpp > 1 ? 2 * behind + (s->vpp - 1) * s->pp + 1 : behind + 1;
    return gp_num_min(chunks, s->vpp * s->micro_batches) * chunk;
}

/* Scores of attention over all layers, kept where no fused kernel works them out again. */
static double score_bytes(const memory_case *c) {
    const gp_shape *shape = c->job->shape;
    const gp_constants *k = c->constants;
    if (c->job->attention != GP_ATTENTION_EAGER)
        return 0;
    double length =
        c->job->attention_length > 0 ? c->job->attention_length : c->job->sequence_length;
    double each = k->memory_scores_bytes + (c->job->dropout ? k->memory_scores_mask_bytes : 0);
    return (shape->attention_layers + shape->window_layers) * shape->heads * length * each;
}

/* Selective recomputation works them out again, layer by layer. */
static bool drops_scores(const memory_case *c) {
    return c->layout->recompute == GP_RECOMPUTE_SELECTIVE && !c->job->keeps_scores;
}

/* What recomputation by operator keeps of a layer: its input, attention's output, every other
 * matrix product (form: torchtitan's selective activation checkpointing). The last of them is the
 * layer's output, which the backward pass does not read: a compiler drops it. */
static double kept_bytes(const memory_case *c) {
    const gp_shape *shape = c->job->shape;
    double width = shape->heads * shape->head_dim;
    double products = width + shape->kv_heads * shape->head_dim + shape->ffn_width +
                      (c->job->compiled ? 0 : shape->hidden);
    double kept = shape->hidden + width + products * (1 - c->job->opaque_fraction);
    return c->constants->memory_residual_bytes * kept * c->split.tokens / c->split.tp;
}

/* Matrix products in 8 or 4 bit keep their inputs that way: half of what 16-bit ones keep of norms'
 * outputs and of what goes into the last product of an MLP. Form: Transformer Engine's modules.
 * Tokens on their way to the experts stay in 16 bit; recomputation by operator keeps outputs. */
static double narrow_bytes(const memory_case *c) {
    const gp_shape *shape = c->job->shape;
    bool narrow = c->job->compute == GP_PRECISION_FP8 || c->job->compute == GP_PRECISION_MXFP8 ||
                  c->job->compute == GP_PRECISION_FP4;
    if (!narrow || c->job->per_operator || c->job->type == GP_WORKLOAD_LORA)
        return 0;
    return shape->norm_saved_bytes / 4 + shape->ffn_width * shape->layers;
}

/* Saved bytes of one layer and micro-batch. */
static double layer_bytes(const memory_case *c, bool cheap_ones) {
    const gp_shape *shape = c->job->shape;
    const gp_constants *k = c->constants;
    /* With every expert on the GPU no rank gets more than its share. */
    double uneven = c->split.ep > 1 ? k->memory_imbalance_factor : 1;
    double masks = c->job->dropout ? k->memory_dropout_bytes * shape->hidden * shape->layers : 0;
    double inner = shape->inner_saved_bytes + shape->expert_saved_bytes * uneven +
                   (drops_scores(c) ? 0 : score_bytes(c)) - narrow_bytes(c) -
                   (cheap_ones ? 0 : shape->cheap_saved_bytes);
    double outer = (shape->norm_saved_bytes + masks) * (c->layout->unsplit_norms ? c->split.tp : 1);
    double dora = c->job->adapter_dora ? 1 + k->memory_dora_fraction : 1;
    return (inner + outer) / shape->layers * c->split.tokens / c->split.tp * dora;
}

/* What adapters that are cast keep of a layer beside it, unless it is worked out again: the base
 * keeps no inputs of matrices that do not train. */
static double adapter_input_bytes(const memory_case *c) {
    return c->job->casts_adapters && c->layout->recompute != GP_RECOMPUTE_FULL
               ? c->job->adapter_inputs / c->job->shape->layers * c->split.tokens / c->split.tp *
                     c->constants->memory_adapter_input_bytes
               : 0;
}

/* Routed experts' part of it. They are worked one after the other: of their gradients only one
 * expert's stand at a time. */
static double expert_bytes(const memory_case *c) {
    const gp_shape *shape = c->job->shape;
    return c->split.ep > 1
               ? 0
               : shape->expert_saved_bytes / shape->layers * c->split.tokens / c->split.tp;
}

/* FSDP keeps adapters in FP32 and runs the model under automatic mixed precision. */
static bool shards_adapter(const memory_case *c) {
    return gp_train_is_adapter(c->job) && c->layout->zero == 3 && c->split.shard > 1;
}

/* Blocks of a hybrid have one residual input each where a standard layer has two; full
 * recomputation keeps one per layer. */
static double residual_bytes(const memory_case *c) {
    double each = shards_adapter(c) || c->job->upcast ? c->constants->memory_residual_autocast_bytes
                                                      : c->constants->memory_residual_bytes;
    return each * c->job->shape->hidden * c->split.tokens / c->split.tp;
}

/* How the loss is computed where the job does not say: as its stack builds layers. */
static int loss_of(const memory_case *c) {
    if (c->job->loss != GP_LOSS_AUTO)
        return c->job->loss;
    bool pretraining = c->job->type == GP_WORKLOAD_TRAINING && c->layout->zero < 3;
    const int by_kernels[GP_KERNELS_COUNT] = {
        [GP_KERNELS_AUTO] = pretraining ? GP_LOSS_PARALLEL : GP_LOSS_FUSED,
        [GP_KERNELS_EAGER] = GP_LOSS_EAGER,
        [GP_KERNELS_FUSED] = GP_LOSS_FUSED,
        [GP_KERNELS_LIGER] = GP_LOSS_CHUNKED,
    };
    return by_kernels[c->job->kernels];
}

/* Where the bytes of one logit are written. */
static gp_ref logit_ref(const memory_case *c) {
    const gp_constants *k = c->constants;
    bool sharded = shards_adapter(c);
    bool split = c->layout->zero == 3 && c->layout->tp > 1;
    switch (loss_of(c)) {
    case GP_LOSS_EAGER:
        return sharded ? GP_REF(k, gp_constants, memory_logits_eager_sharded_bytes)
               : split ? GP_REF(k, gp_constants, memory_logits_eager_split_bytes)
                       : GP_REF(k, gp_constants, memory_logits_eager_bytes);
    case GP_LOSS_FUSED:
        return sharded ? GP_REF(k, gp_constants, memory_logits_sharded_bytes)
                       : GP_REF(k, gp_constants, memory_logits_fused_bytes);
    case GP_LOSS_PARALLEL: return GP_REF(k, gp_constants, memory_logits_parallel_bytes);
    case GP_LOSS_COMPILED: return GP_REF(k, gp_constants, memory_logits_compiled_bytes);
    default: return GP_REF_NONE;
    }
}

static double logit_bytes(const memory_case *c) {
    const gp_ref ref = logit_ref(c);
    double bytes = 0;
    if (ref.meta != NULL)
        memcpy(&bytes, (const char *)c->constants + ref.offset, sizeof bytes);
    return bytes;
}

static void set_activations(const memory_case *c, double *bytes) {
    double logits =
        c->last ? logit_bytes(c) * c->split.tokens * c->job->shape->vocab / c->split.tp : 0;
    double depth = layers_in_flight(c);
    bytes[GP_MEMORY_LOGITS] = logits;
    if (c->layout->recompute != GP_RECOMPUTE_FULL) {
        bool selective = c->layout->recompute == GP_RECOMPUTE_SELECTIVE;
        double again = drops_scores(c) ? score_bytes(c) / c->job->shape->layers : 0;
        bytes[GP_MEMORY_ACTIVATIONS] =
            depth *
                ((selective && c->job->per_operator ? kept_bytes(c) : layer_bytes(c, !selective)) +
                 adapter_input_bytes(c)) +
            again * c->split.tokens / c->split.tp;
        return;
    }
    /* The logits are gone when the first layer is worked out again: the larger of the two
     * counts. */
    double layer = layer_bytes(c, true) * c->constants->memory_remat_factor -
                   expert_bytes(c) * (c->constants->memory_remat_factor - 1);
    bytes[GP_MEMORY_ACTIVATIONS] = depth * residual_bytes(c) + gp_num_max(0, layer - logits);
}

/* Outputs that a stage of a pipeline has handed on and holds until their gradients come back. */
static double handed_on_bytes(const memory_case *c) {
    const gp_train_split *s = &c->split;
    double chunks = layers_in_flight(c) * s->vpp / s->stage_layers;
    return s->pp > 1 && !c->last ? chunks * c->constants->memory_pipeline_bytes *
                                       c->job->shape->hidden * s->tokens / s->tp
                                 : 0;
}

/* What fused kernels keep for themselves; plain modules have nothing of the kind. */
static double workspace_bytes(const memory_case *c) {
    return c->job->kernels == GP_KERNELS_AUTO ? c->constants->memory_workspace_bytes : 0;
}

/* Gathered layers of FSDP, the gathered embedding or head, gathered keys and values of context
 * parallelism, buffers of the pipeline. */
static double working_bytes(const memory_case *c, const stage_parameters *p) {
    const gp_train_split *s = &c->split;
    double half = gp_format_bytes(c->constants, GP_FORMAT_BF16), bytes = 0;
    if (c->layout->zero == 3 && s->shard > 1) {
        double gathers = c->constants->memory_fsdp_layers;
        double each =
            gp_train_is_quantized(c->job) ? gp_format_bytes(c->constants, c->job->weights) : half;
        double gradient = gp_train_is_adapter(c->job) ? 0 : half;
        bytes += (s->dense_per_layer + s->expert_per_layer) * (gathers * each + gradient) +
                 p->ends * half;
    }
    if (s->cp > 1) {
        double kv = c->job->shape->kv_elements / gp_num_max(1, c->job->shape->attention_layers);
        bytes += 2 * half * kv * s->tokens / s->tp;
    }
    return bytes + handed_on_bytes(c) + workspace_bytes(c);
}

/* Peak while the optimizer works: PyTorch's multi-tensor form holds one parameter-sized temporary,
 * and the activations are gone. */
static double optimizer_peak_extra(const memory_case *c, const stage_parameters *p) {
    bool temporary = c->layout->zero == 3 || c->job->optimizer == GP_OPTIMIZER_ADAMW_BF16 ||
                     c->job->optimizer == GP_OPTIMIZER_ADAMW_8BIT;
    return temporary ? state_bytes(c, p, gp_format_bytes(c->constants, c->job->weights), 3) : 0;
}

static double sum_of(const double *bytes) {
    double sum = 0;
    for (int i = 0; i < GP_MEMORY_COMPONENT_COUNT; i++)
        sum += bytes[i];
    return sum;
}

/* Weights of a model that is only read, on as many GPUs as the one that is trained. An adapter's
 * base is its own reference. */
static double frozen_bytes(const memory_case *c) {
    const gp_shape *frozen = c->job->frozen;
    const gp_train_split *s = &c->split;
    if (frozen == NULL || (gp_train_is_adapter(c->job) && frozen == c->job->shape))
        return 0;
    double dense = (frozen->parameters - frozen->expert_parameters) / s->tp;
    double expert = frozen->expert_parameters / s->ep;
    double shard = c->layout->zero == 3 ? s->shard : 1;
    return (dense + expert) / s->pp / shard * gp_format_bytes(c->constants, GP_FORMAT_BF16);
}

static void set_states(const memory_case *c, const stage_parameters *p, double *bytes) {
    bytes[GP_MEMORY_WEIGHTS] =
        c->job->offload_parameters ? 0 : weights_bytes(c, p) + frozen_bytes(c);
    if (gp_train_is_adapter(c->job)) {
        bytes[GP_MEMORY_ADAPTER] = adapter_bytes(c);
        return;
    }
    bytes[GP_MEMORY_GRADIENTS] =
        state_bytes(c, p, gp_format_bytes(c->constants, c->job->gradients), 2);
    bytes[GP_MEMORY_OPTIMIZER] = optimizer_bytes(c, p) * (1 - c->job->offload_fraction);
}

/* Tensors of one stage at the larger of its two peaks. */
static double stage_peak(const memory_case *c, double *bytes) {
    stage_parameters p = parameters_of(c);
    for (int i = 0; i < GP_MEMORY_COMPONENT_COUNT; i++)
        bytes[i] = 0;
    set_states(c, &p, bytes);
    double gradients = bytes[GP_MEMORY_GRADIENTS];
    double states = bytes[GP_MEMORY_WEIGHTS] + gradients + bytes[GP_MEMORY_OPTIMIZER] +
                    bytes[GP_MEMORY_ADAPTER];
    double update =
        gp_train_is_adapter(c->job) ? 0 : states + optimizer_peak_extra(c, &p) + workspace_bytes(c);
    set_activations(c, bytes);
    bytes[GP_MEMORY_WORKING_SET] = working_bytes(c, &p);
    if (frees_gradients(c))
        bytes[GP_MEMORY_GRADIENTS] = 0;
    double backward = sum_of(bytes);
    if (backward >= update)
        return backward;
    bytes[GP_MEMORY_GRADIENTS] = gradients;
    bytes[GP_MEMORY_ACTIVATIONS] = 0;
    bytes[GP_MEMORY_LOGITS] = 0;
    bytes[GP_MEMORY_WORKING_SET] = update - states;
    return update;
}

static double communicators(const gp_layout *layout) {
    double groups = (layout->tp > 1) + (layout->pp > 1) + (layout->cp > 1) + (layout->ep > 1) +
                    (layout->dp > 1);
    return gp_num_max(0, groups - 1);
}

static gp_fit fit_of(double peak, double usable, const gp_constants *constants) {
    if (peak > constants->memory_borderline_fraction * usable)
        return GP_FIT_NOT;
    return peak > constants->memory_fits_fraction * usable ? GP_FIT_BORDERLINE : GP_FIT_FITS;
}

/* What lacks is counted from what is sure to run: a part of the room stays for the runtime. */
static double short_of(const gp_memory *memory, double usable, const gp_constants *constants) {
    bool fits = memory->fit != GP_FIT_NOT && memory->total_bytes <= usable;
    return fits ? 0
                : memory->total_bytes -
                      usable * gp_num_min(1, constants->memory_borderline_fraction);
}

static void trace_memory(const memory_case *c, const gp_memory *m, gp_trace *trace) {
    const gp_constants *k = c->constants;
    const gp_workload *w = c->job->workload;
    GP_TRACE(trace, GP_TERM_TRAIN_WEIGHTS, m->bytes[GP_MEMORY_WEIGHTS],
             GP_REF_TERM(GP_TERM_PARAMETERS),
             GP_REF(k, gp_constants, memory_format_bytes[c->job->weights]),
             GP_REF_IF(gp_train_is_quantized(c->job), k, gp_constants,
                       memory_format_bytes[GP_FORMAT_BF16]));
    GP_TRACE(trace, GP_TERM_TRAIN_GRADIENTS, m->bytes[GP_MEMORY_GRADIENTS],
             GP_REF_TERM(GP_TERM_PARAMETERS),
             GP_REF(k, gp_constants, memory_format_bytes[c->job->gradients]));
    GP_TRACE(trace, GP_TERM_TRAIN_OPTIMIZER, m->bytes[GP_MEMORY_OPTIMIZER],
             GP_REF_TERM(GP_TERM_PARAMETERS),
             GP_REF(k, gp_constants, memory_optimizer_bytes[c->job->optimizer]));
    GP_TRACE(trace, GP_TERM_TRAIN_ADAPTER, m->bytes[GP_MEMORY_ADAPTER],
             GP_REF(&w->adapter, gp_adapter, rank), GP_REF(k, gp_constants, memory_adapter_bytes));
    GP_TRACE(trace, GP_TERM_TRAIN_ACTIVATIONS, m->bytes[GP_MEMORY_ACTIVATIONS],
             GP_REF(&w->data, gp_data, sequence_length), GP_REF(&w->model, gp_model, layers),
             GP_REF(&w->model, gp_model, hidden), GP_REF(k, gp_constants, memory_remat_factor),
             GP_REF_IF(adapter_input_bytes(c) > 0, k, gp_constants, memory_adapter_input_bytes),
             shards_adapter(c) || c->job->upcast
                 ? GP_REF(k, gp_constants, memory_residual_autocast_bytes)
                 : GP_REF(k, gp_constants, memory_residual_bytes));
    GP_TRACE(trace, GP_TERM_TRAIN_LOGITS, m->bytes[GP_MEMORY_LOGITS],
             GP_REF(&w->model, gp_model, vocab), GP_REF(&w->data, gp_data, sequence_length),
             logit_ref(c));
    GP_TRACE(trace, GP_TERM_TRAIN_WORKING_SET, m->bytes[GP_MEMORY_WORKING_SET],
             GP_REF(k, gp_constants, memory_fsdp_layers),
             GP_REF(k, gp_constants, memory_pipeline_bytes));
    GP_TRACE(trace, GP_TERM_TRAIN_RUNTIME,
             m->bytes[GP_MEMORY_CONTEXT] + m->bytes[GP_MEMORY_COMMUNICATION] +
                 m->bytes[GP_MEMORY_FRAGMENTATION],
             GP_REF(k, gp_constants, memory_context_bytes),
             GP_REF(k, gp_constants, memory_communicator_bytes),
             GP_REF(k, gp_constants, memory_workspace_bytes),
             GP_REF(k, gp_constants, memory_fragmentation_fraction));
}

static void set_stage(memory_case *c, int64_t stage) {
    int64_t last = (int64_t)c->split.pp - 1;
    c->stage = stage < 0 ? 0 : stage > last ? last : stage;
    c->first = c->stage == 0;
    c->last = c->stage == last;
}

double gp_train_offload_rate(const gp_train_job *job, const gp_constants *constants) {
    return job->offload_drives ? constants->training_offload_nvme_bytes_per_s
                               : constants->training_offload_bytes_per_s;
}

/* The tensors' peak and its parts are known: what lies around them, and whether it fits. */
static void set_runtime(const memory_case *c, const gp_machine *machine, double headroom_fraction,
                        double peak, gp_memory *memory) {
    const gp_constants *k = c->constants;
    double usable = machine->hbm_bytes * (1 - headroom_fraction);
    memory->capacity_bytes = machine->hbm_bytes;
    memory->bytes[GP_MEMORY_CONTEXT] = k->memory_context_bytes;
    memory->bytes[GP_MEMORY_COMMUNICATION] =
        communicators(c->layout) * k->memory_communicator_bytes;
    /* The allocator gives cached blocks back before it fails: no more than is left, and never what
     * is to stay free. */
    double left =
        usable - peak - memory->bytes[GP_MEMORY_CONTEXT] - memory->bytes[GP_MEMORY_COMMUNICATION];
    memory->bytes[GP_MEMORY_FRAGMENTATION] =
        gp_num_min(peak * k->memory_fragmentation_fraction, gp_num_max(0, left));
    memory->total_bytes = sum_of(memory->bytes);
    memory->tensor_bytes = peak;
    memory->reserved_bytes = peak + memory->bytes[GP_MEMORY_FRAGMENTATION];
    memory->device_bytes = memory->total_bytes;
    memory->error_fraction = gp_train_memory_band(c->job, peak, k);
    /* The bands were measured on the tensors' peak; they already leave room for the runtime. */
    memory->fit = fit_of(peak, usable, k);
    memory->short_bytes = short_of(memory, usable, k);
}

void gp_train_stage_memory(const gp_train_job *job, const gp_machine *machine,
                           const gp_layout *layout, const gp_constants *constants,
                           double headroom_fraction, int64_t stage, gp_memory *ret) {
    memory_case c = {.job = job, .layout = layout, .constants = constants};
    gp_memory memory = {0};
    gp_train_split_of(job, layout, &c.split);
    set_stage(&c, stage);
    memory.worst_stage = c.stage;
    double peak = stage_peak(&c, memory.bytes);
    memory.last_tensor_bytes = peak;
    set_runtime(&c, machine, headroom_fraction, peak, &memory);
    *ret = memory;
}

void gp_train_memory(const gp_train_job *job, const gp_machine *machine, const gp_layout *layout,
                     const gp_constants *constants, double headroom_fraction, gp_trace *trace,
                     gp_memory *ret) {
    memory_case c = {.job = job, .layout = layout, .constants = constants};
    gp_memory memory = {0};
    gp_train_split_of(job, layout, &c.split);
    set_stage(&c, 0);
    double peak = stage_peak(&c, memory.bytes);
    memory.last_tensor_bytes = peak;
    if (layout->pp > 1) {
        /* Stages between the ends keep less than the first in flight, and neither end's matrix. */
        memory_case last = c;
        double bytes[GP_MEMORY_COMPONENT_COUNT];
        set_stage(&last, layout->pp - 1);
        memory.last_tensor_bytes = stage_peak(&last, bytes);
        if (memory.last_tensor_bytes > peak) {
            peak = memory.last_tensor_bytes;
            c = last;
            memcpy(memory.bytes, bytes, sizeof bytes);
        }
    }
    memory.worst_stage = c.stage;
    set_runtime(&c, machine, headroom_fraction, peak, &memory);
    if (trace != NULL) {
        trace_memory(&c, &memory, trace);
        GP_TRACE(trace, GP_TERM_TRAIN_MEMORY, memory.total_bytes,
                 GP_REF_TERM(GP_TERM_TRAIN_WEIGHTS), GP_REF_TERM(GP_TERM_TRAIN_GRADIENTS),
                 GP_REF_TERM(GP_TERM_TRAIN_OPTIMIZER), GP_REF_TERM(GP_TERM_TRAIN_ADAPTER),
                 GP_REF_TERM(GP_TERM_TRAIN_ACTIVATIONS), GP_REF_TERM(GP_TERM_TRAIN_LOGITS),
                 GP_REF_TERM(GP_TERM_TRAIN_WORKING_SET), GP_REF_TERM(GP_TERM_TRAIN_RUNTIME));
        GP_TRACE(trace, GP_TERM_TRAIN_FIT, peak / (machine->hbm_bytes * (1 - headroom_fraction)),
                 GP_REF_TERM(GP_TERM_TRAIN_MEMORY),
                 GP_REF(machine->gpu, gp_gpu, usable_memory_bytes),
                 GP_REF(constants, gp_constants, memory_fits_fraction),
                 GP_REF(constants, gp_constants, memory_borderline_fraction));
    }
    *ret = memory;
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
