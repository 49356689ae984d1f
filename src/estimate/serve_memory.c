/*
 * Memory of a serving GPU: an engine claims a share of the GPU, takes weights, its activation
 * reserve and what lies outside the allocator from it, and makes the rest the KV pool. Reference
 * profile: vLLM 0.17 and later (docs/formulas.md, "Serving memory"); other engines and releases
 * differ by what their catalogue row says. KV heads are replicated once tensor parallelism passes
 * their number; latent attention (MLA) is not sharded at all.
 */
#include "base/num.h"
#include "base/str.h"
#include "estimate/serve.h"

static int64_t at_least_one(int64_t count) {
    return gp_num_max_i64(count, 1);
}

static bool is_small(const gp_machine *machine, const gp_constants *constants) {
    return machine->hbm_bytes < constants->serving_small_memory_bytes;
}

/* What a run sets, else what the engine's release does by default, else the reference profile. */
static double first_given(double set, double of_stack, double otherwise) {
    return set > 0 ? set : of_stack > 0 ? of_stack : otherwise;
}

/* Places of one attention group. */
static double sequences_of(const gp_serve_job *job, const gp_machine *machine, double groups,
                           const gp_constants *constants) {
    const gp_stack *stack = job->stack;
    return first_given(job->max_sequences / groups, stack == NULL ? 0 : (double)stack->sequences,
                       is_small(machine, constants) ? constants->serving_small_sequences
                                                    : constants->serving_reserve_sequences);
}

double gp_serve_step_tokens(const gp_serve_job *job, const gp_machine *machine,
                            const gp_constants *constants) {
    const gp_stack *stack = job->stack;
    double tokens = first_given(job->step_tokens, stack == NULL ? 0 : (double)stack->step_tokens,
                                is_small(machine, constants) ? constants->serving_small_tokens
                                                             : constants->serving_reserve_tokens);
    bool whole = stack != NULL && stack->whole_prompts;
    return whole ? gp_num_max(tokens, job->context_tokens) : tokens;
}

static gp_pool_rule pool_rule(const gp_serve_job *job) {
    return job->stack == NULL ? GP_POOL_CLAIM : (gp_pool_rule)job->stack->pool;
}

static double claim_of(const gp_serve_job *job, const gp_constants *constants) {
    return first_given(job->claim_fraction, job->stack == NULL ? 0 : job->stack->claim_fraction,
                       constants->serving_utilization_fraction);
}

/* Caches of layers with a window stand in groups as large as that of the layers without: what
 * does not divide evenly is padded. */
static double window_padding(const gp_shape *shape) {
    double full = shape->attention_layers, window = shape->window_layers;
    if (full < 1 || window <= full)
        return 1;
    return (double)gp_num_ceil_count(window / full) * full / window;
}

/* Share of the KV cache that one tensor-parallel rank holds. */
static double kv_share(const gp_shape *shape, int64_t tp) {
    if (shape->mla || shape->kv_heads < 1)
        return 1;
    return gp_num_max(1 / (double)tp, 1 / shape->kv_heads);
}

/* Keys and values that layers of cross attention keep of a request's images. */
static double image_key_elements(const gp_serve_job *job) {
    const gp_shape *shape = job->shape;
    if (!(job->image_keys > 0) || shape->model == NULL)
        return 0;
    return job->image_keys * 2 * shape->kv_heads * shape->head_dim *
           (double)shape->model->vision.cross_layers;
}

gp_serve_kv gp_serve_kv_of(const gp_serve_job *job, const gp_serve_layout *layout,
                           const gp_constants *constants) {
    const gp_shape *shape = job->shape;
    int64_t tp = at_least_one(layout->tp);
    double pp = (double)at_least_one(layout->pp);
    double element = gp_format_bytes(constants, job->kv_cache) * kv_share(shape, tp) / pp;
    if (shape->state_bytes > 0)
        element *= 1 + constants->serving_hybrid_waste_fraction;
    return (gp_serve_kv){
        .full_bytes = shape->kv_elements * element,
        .window_bytes = shape->window_kv_elements * element * window_padding(shape),
        .window_tokens = shape->window_tokens,
        .state_bytes = shape->state_bytes / ((double)tp * pp) + image_key_elements(job) * element,
    };
}

double gp_serve_kv_bytes(const gp_serve_kv *kv, double tokens) {
    return tokens * kv->full_bytes + gp_num_min(tokens, kv->window_tokens) * kv->window_bytes +
           kv->state_bytes;
}

/* What kernels for MXFP4 add to the experts: every rank's columns are padded to whole tiles, the
 * model's width to pairs of them. */
static double padding_bytes(const gp_serve_job *job, const gp_serve_layout *layout,
                            const gp_constants *constants) {
    const gp_shape *shape = job->shape;
    double tile = constants->serving_mxfp4_tile;
    double split = layout->ep > 1 ? 1 : (double)at_least_one(layout->tp);
    double columns = shape->expert_width / split;
    if (job->weights != GP_FORMAT_MXFP4 || !(columns > 0) || !(tile > 0))
        return 0;
    double padded = (double)gp_num_ceil_count(columns / tile) * tile / columns;
    double width = (double)gp_num_ceil_count(shape->hidden / (2 * tile)) * 2 * tile / shape->hidden;
    return shape->expert_parameters * gp_format_bytes(constants, job->weights) *
           (padded * width - 1);
}

/* What the tensor allocator counts for a large tensor beyond its size. */
static double rounding_bytes(double bytes, const gp_constants *constants) {
    double page = constants->memory_allocator_page_bytes;
    if (bytes < constants->memory_allocator_large_bytes || !(page > 0))
        return 0;
    double rest = (double)gp_num_ceil_count(bytes / page) * page - bytes;
    return rest <= constants->memory_allocator_split_bytes ? rest : 0;
}

static bool is_plain(const gp_shape *shape) {
    return !shape->moe && !shape->mla && !shape->hybrid && shape->model->blocks.count == 0;
}

/* The same over the matrices of a plain dense model: queries, keys and values in one, the output,
 * both inputs of the gate in one, the output of the MLP. */
static double rounded_matrices(const gp_serve_job *job, const gp_serve_layout *layout,
                               const gp_constants *constants) {
    const gp_shape *shape = job->shape;
    const gp_model *model = shape->model;
    if (!is_plain(shape))
        return 0;
    double tp = (double)at_least_one(layout->tp), pp = (double)at_least_one(layout->pp);
    double row = shape->hidden * gp_format_bytes(constants, job->weights);
    double heads = shape->heads / tp, ffn = (double)model->ffn / tp;
    double kv_heads = gp_num_max(1, shape->kv_heads / tp);
    const double widths[] = {(heads + 2 * kv_heads) * shape->head_dim, heads * shape->head_dim,
                             (shape->mlp_matrices - 1) * ffn, ffn};
    double bytes = 0;
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
        bytes += rounding_bytes(widths[i] * row, constants);
    return bytes * shape->layers / pp;
}

/* What stands beside the weights and is counted with them: the table of rotary positions, and of
 * latent attention the up-projections in the form that decoding works with. */
static double beside_bytes(const gp_serve_job *job, const gp_serve_layout *layout,
                           const gp_constants *constants) {
    const gp_model *model = job->shape->model;
    if (model == NULL || job->item.passes > 0)
        return 0;
    const gp_mla *mla = &model->mla;
    double element = gp_format_bytes(constants, GP_FORMAT_BF16);
    double dim = mla->kv_lora > 0 ? (double)mla->rope : job->shape->head_dim;
    double table = (double)model->context * dim;
    double absorbed = job->shape->layers * (double)mla->kv_lora * job->shape->heads *
                      (double)(mla->nope + mla->value);
    double ranks = (double)at_least_one(layout->tp) * (double)at_least_one(layout->pp);
    return (table + absorbed / ranks) * element + rounded_matrices(job, layout, constants);
}

/* Weights of the worst stage: stages hold whole layers, the first also the embedding, the last the
 * output head. */
static double weights_bytes(const gp_serve_job *job, const gp_serve_layout *layout,
                            const gp_constants *constants, int64_t *ret_stage) {
    const gp_shape *shape = job->shape;
    double tp = (double)at_least_one(layout->tp);
    int64_t pp = at_least_one(layout->pp);
    double all = gp_weights_bytes(shape, constants, job->weights, job->quantized_fraction) +
                 padding_bytes(job, layout, constants);
    *ret_stage = 0;
    if (shape->model != NULL && shape->model->diffusion.steps > 0) {
        return all; /* GPUs share the sequence of a picture: each has the whole model */
    }
    double experts = shape->expert_parameters * gp_format_bytes(constants, job->weights);
    double groups = (double)at_least_one(layout->attention_dp);
    double copies = shape->experts > 0 ? (double)layout->copies / shape->experts : 0;
    /* Everything but the experts is held by every group. */
    all += experts * ((1 + copies) / groups - 1);
    if (pp == 1)
        return all / tp;
    double element = gp_format_bytes(constants, GP_FORMAT_BF16);
    double embedding = shape->embedding_parameters * element;
    double head = shape->head_parameters * element;
    bool tied = shape->model != NULL && shape->model->tied;
    double ends = tied ? embedding : embedding + head;
    double layers = gp_num_max(shape->layers, 1);
    double stage_layers = (double)gp_num_ceil_count(layers / (double)pp);
    double blocks = gp_num_max(all - ends, 0) * stage_layers / layers;
    *ret_stage = head > embedding ? pp - 1 : 0;
    return (blocks + gp_num_max(embedding, head)) / tp;
}

/* Two buffers that fused experts work in; kernels for MXFP4 do without. Form: vLLM's Triton
 * experts, workspaces of max(N / 2, K) and max(N, K) columns per routed token. */
static double expert_workspace(const gp_serve_job *job, const gp_serve_layout *layout,
                               double tokens) {
    const gp_shape *shape = job->shape;
    if (!shape->moe || job->weights == GP_FORMAT_MXFP4)
        return 0;
    double split = layout->ep > 1 ? 1 : (double)at_least_one(layout->tp);
    double width = shape->expert_width / split;
    return tokens * shape->top_k *
           (gp_num_max(width, shape->hidden) + gp_num_max(2 * width, shape->hidden));
}

/* What the tower holds of the images of one step, in the form of the decoder's own reserve: they
 * are encoded before the step, so that the larger of the two counts. */
static double vision_elements(const gp_serve_job *job, double tokens) {
    if (!(job->image_tokens > 0) || job->shape->model == NULL)
        return 0;
    const gp_vision *vision = &job->shape->model->vision;
    double patches = job->image_patches * gp_num_min(tokens / job->image_tokens, 1);
    return patches * 3 * (double)(vision->ffn + vision->hidden);
}

static double activation_bytes(const gp_serve_job *job, const gp_machine *machine,
                               const gp_serve_layout *layout, const gp_constants *constants) {
    const gp_shape *shape = job->shape;
    double tp = (double)at_least_one(layout->tp);
    double tokens = gp_serve_step_tokens(job, machine, constants);
    double element = gp_format_bytes(constants, GP_FORMAT_BF16);
    double each = first_given(0, job->stack == NULL ? 0 : job->stack->sampler_bytes,
                              constants->serving_sampler_bytes);
    double groups = (double)at_least_one(layout->attention_dp);
    double sampled = job->reads_only ? 0 : sequences_of(job, machine, groups, constants);
    double sampler = each * sampled * shape->vocab + element * tokens * shape->hidden;
    double step = element * tokens * (3 * shape->ffn_width / tp + 3 * shape->hidden);
    double tower = element * vision_elements(job, tokens);
    if (job->item.passes > 0)
        return gp_item_activation_bytes(job, constants) / tp;
    return gp_num_max(gp_num_max(sampler, step), tower) +
           element * expert_workspace(job, layout, tokens);
}

/* GPUs joined by PCIe alone, as those of no link that is known, have no buffers that every peer
 * writes to. */
static bool is_host_linked(const gp_machine *machine) {
    const char *kind = machine->gpu == NULL ? "" : machine->gpu->link.kind;
    return kind == NULL || gp_str_starts(kind, "pcie");
}

static double non_torch_bytes(const gp_serve_job *job, const gp_machine *machine, double tp,
                              const gp_constants *constants) {
    const gp_stack *stack = job->stack;
    double parallel = is_host_linked(machine) ? constants->serving_non_torch_host_bytes
                                              : constants->serving_non_torch_tp_bytes;
    return tp > 1 ? first_given(0, stack == NULL ? 0 : stack->parallel_bytes, parallel)
                  : first_given(0, stack == NULL ? 0 : stack->non_torch_bytes,
                                constants->serving_non_torch_bytes);
}

/* What an exchange between machines writes to: each rank keeps a place for the tokens that any
 * other may send to any of its experts, for two exchanges at a time, there and back. */
static double exchange_bytes(const gp_serve_job *job, const gp_machine *machine,
                             const gp_serve_layout *layout, const gp_constants *constants) {
    int64_t ranks = at_least_one(layout->tp) * at_least_one(layout->attention_dp);
    if (layout->attention_dp <= 1 || ranks <= gp_num_max_i64(machine->gpus, machine->domain))
        return 0;
    double places = job->shape->experts + (double)layout->copies;
    double message = job->shape->hidden * gp_format_bytes(constants, GP_FORMAT_BF16);
    return 2 * 2 * places * constants->serving_exchange_tokens * message;
}

/* Tokens that a sequence half-way through its output holds for itself: branches share the prompt,
 * concurrent requests a part of their cached prefix. Half a block is lost at the end. */
static double held_tokens(const gp_serve_job *job, double input, double output,
                          const gp_constants *constants) {
    double branches = gp_num_max(job->branches, 1);
    double shared = job->prefix_hit_fraction * constants->serving_prefix_shared_fraction;
    return input * (1 - shared) / branches + 0.5 * output +
           0.5 * constants->serving_kv_block_tokens;
}

static double p95_or_mean(double p95, double mean) {
    return p95 > mean ? p95 : mean;
}

static gp_fit fit_of(double pool, double one_mean, double one_p95) {
    if (pool < one_mean)
        return GP_FIT_NOT;
    return pool < one_p95 ? GP_FIT_BORDERLINE : GP_FIT_FITS;
}

static void fill_pool(const gp_serve_job *job, const gp_machine *machine,
                      const gp_serve_layout *layout, const gp_constants *constants, double pool,
                      gp_serve_memory *ret) {
    gp_serve_kv kv = gp_serve_kv_of(job, layout, constants);
    double mean =
        gp_serve_kv_bytes(&kv, held_tokens(job, job->input_tokens, job->output_tokens, constants));
    double p95 = gp_serve_kv_bytes(
        &kv, held_tokens(job, p95_or_mean(job->input_p95, job->input_tokens),
                         p95_or_mean(job->output_p95, job->output_tokens), constants));
    double ranks = (double)at_least_one(layout->tp) * (double)at_least_one(layout->pp);
    double token = kv.full_bytes + kv.window_bytes;
    ret->memory.fit = fit_of(pool, mean, p95);
    bool fits = ret->memory.fit != GP_FIT_NOT;
    /* What does not fit is reported with the one sequence that it lacks room for. */
    ret->memory.bytes[GP_MEMORY_KV_CACHE] = fits && mean > 0 ? pool : mean;
    ret->memory.short_bytes = fits ? 0 : mean - pool;
    double groups = (double)gp_num_max_i64(layout->attention_dp, 1);
    double held = fits ? pool * groups : 0;
    ret->kv_bytes_per_token = token * ranks;
    ret->kv_pool_tokens = token > 0 ? held / token : 0;
    ret->max_sequences = sequences_of(job, machine, groups, constants) * groups;
    /* Without a cache the engine's places alone are a limit. */
    double places = fits && job->shape->model != NULL && job->shape->model->bidirectional
                        ? ret->max_sequences
                        : 0;
    ret->max_concurrency = mean > 0 ? held / mean : places;
    ret->max_concurrency_p95 = p95 > 0 ? held / p95 : places;
}

/* Bytes of the pool by the engine's rule; `used`: all else that the GPU holds. */
static double pool_bytes(const gp_serve_job *job, const gp_memory *memory, double total,
                         double claimed, double used) {
    switch (pool_rule(job)) {
    case GP_POOL_STATIC:
        return claimed * (total - memory->bytes[GP_MEMORY_CONTEXT]) -
               memory->bytes[GP_MEMORY_WEIGHTS] - memory->bytes[GP_MEMORY_ADAPTER];
    case GP_POOL_FREE: return claimed * (total - used);
    case GP_POOL_CLAIM:
    case GP_POOL_COUNT: break;
    }
    return claimed * total - used;
}

static void trace_memory(const gp_serve_job *job, const gp_machine *machine,
                         const gp_constants *constants, double budget, const gp_serve_memory *got,
                         gp_trace *trace) {
    const double *bytes = got->memory.bytes;
    GP_TRACE(trace, GP_TERM_SERVE_WEIGHTS, bytes[GP_MEMORY_WEIGHTS],
             GP_REF_TERM(GP_TERM_PARAMETERS),
             GP_SERVE_REF(job, precision, gp_precision_spec, weights),
             GP_REF(constants, gp_constants, memory_format_bytes[job->weights]),
             GP_REF_IF(is_plain(job->shape), constants, gp_constants, memory_allocator_page_bytes),
             GP_SERVE_REF(job, parallelism, gp_parallelism, tp),
             GP_SERVE_REF(job, parallelism, gp_parallelism, pp));
    GP_TRACE(trace, GP_TERM_SERVE_ACTIVATIONS, bytes[GP_MEMORY_ACTIVATIONS],
             GP_REF(job->shape->model, gp_model, vocab),
             GP_REF(constants, gp_constants, serving_sampler_bytes),
             GP_REF(constants, gp_constants, serving_reserve_sequences),
             GP_REF(constants, gp_constants, serving_reserve_tokens),
             GP_REF_IF(job->item.passes > 0, constants, gp_constants, item_pixel_bytes));
    GP_TRACE(trace, GP_TERM_SERVE_NON_TORCH, bytes[GP_MEMORY_CONTEXT],
             GP_REF(constants, gp_constants, serving_non_torch_bytes),
             GP_REF(constants, gp_constants, serving_non_torch_tp_bytes));
    GP_TRACE(trace, GP_TERM_SERVE_ADAPTERS, bytes[GP_MEMORY_ADAPTER],
             GP_SERVE_REF(job, traffic, gp_traffic, adapters),
             job->resident_adapters > 0 ? GP_SERVE_REF(job, traffic, gp_traffic, resident_adapters)
                                        : GP_REF_NONE,
             GP_REF(constants, gp_constants, serving_adapter_share_fraction));
    /* Without a cache what is used is the rest alone. */
    const bool all = bytes[GP_MEMORY_KV_CACHE] > 0;
    GP_TRACE(trace, GP_TERM_SERVE_BUDGET, budget, GP_REF(machine->gpu, gp_gpu, usable_memory_bytes),
             GP_REF(constants, gp_constants, serving_utilization_fraction),
             all ? GP_REF_NONE : GP_REF_TERM(GP_TERM_SERVE_WEIGHTS),
             all ? GP_REF_NONE : GP_REF_TERM(GP_TERM_SERVE_ACTIVATIONS),
             all ? GP_REF_NONE : GP_REF_TERM(GP_TERM_SERVE_NON_TORCH));
    GP_TRACE(trace, GP_TERM_SERVE_KV_PER_TOKEN, got->kv_bytes_per_token,
             GP_REF(job->shape->model, gp_model, layers),
             GP_REF(job->shape->model, gp_model, kv_heads),
             GP_REF(job->shape->model, gp_model, head_dim),
             GP_SERVE_REF(job, precision, gp_precision_spec, kv_cache),
             GP_REF(constants, gp_constants, memory_format_bytes[job->kv_cache]));
    GP_TRACE(trace, GP_TERM_SERVE_KV_POOL, bytes[GP_MEMORY_KV_CACHE],
             GP_REF_TERM(GP_TERM_SERVE_BUDGET), GP_REF_TERM(GP_TERM_SERVE_WEIGHTS),
             GP_REF_TERM(GP_TERM_SERVE_ACTIVATIONS), GP_REF_TERM(GP_TERM_SERVE_NON_TORCH),
             GP_REF_TERM(GP_TERM_SERVE_ADAPTERS));
    GP_TRACE(trace, GP_TERM_SERVE_KV_TOKENS, got->kv_pool_tokens,
             GP_REF_TERM(GP_TERM_SERVE_KV_POOL), GP_REF_TERM(GP_TERM_SERVE_KV_PER_TOKEN));
    GP_TRACE(trace, GP_TERM_SERVE_CONCURRENCY, got->max_concurrency,
             GP_REF_TERM(GP_TERM_SERVE_KV_TOKENS),
             GP_SERVE_REF(job, traffic.input_tokens, gp_distribution, mean),
             GP_SERVE_REF(job, traffic.output_tokens, gp_distribution, mean),
             GP_REF(constants, gp_constants, serving_kv_block_tokens));
    GP_TRACE(trace, GP_TERM_SERVE_CONCURRENCY_P95, got->max_concurrency_p95,
             GP_REF_TERM(GP_TERM_SERVE_KV_TOKENS),
             GP_SERVE_REF(job, traffic.input_tokens, gp_distribution, p95),
             GP_SERVE_REF(job, traffic.output_tokens, gp_distribution, p95));
}

void gp_serve_memory_of(const gp_serve_job *job, const gp_machine *machine,
                        const gp_serve_layout *layout, const gp_constants *constants,
                        double headroom_fraction, gp_trace *trace, gp_serve_memory *ret) {
    *ret = (gp_serve_memory){0};
    gp_memory *memory = &ret->memory;
    double tp = (double)at_least_one(layout->tp);
    double ranks = tp * (double)at_least_one(layout->pp);
    double claimed = gp_num_min(claim_of(job, constants), 1 - headroom_fraction);
    double budget = machine->hbm_bytes * claimed;
    memory->bytes[GP_MEMORY_WEIGHTS] = weights_bytes(job, layout, constants, &memory->worst_stage) +
                                       beside_bytes(job, layout, constants);
    /* Under the static rule they have to do with the share that is not claimed. */
    memory->bytes[GP_MEMORY_ACTIVATIONS] =
        pool_rule(job) == GP_POOL_STATIC ? 0 : activation_bytes(job, machine, layout, constants);
    memory->bytes[GP_MEMORY_CONTEXT] = non_torch_bytes(job, machine, tp, constants) +
                                       exchange_bytes(job, machine, layout, constants) +
                                       (job->stack == NULL ? 0 : job->stack->graph_bytes);
    memory->bytes[GP_MEMORY_ADAPTER] =
        gp_serve_adapters_held(job) * gp_serve_adapter_bytes(job, constants) / ranks;
    double used = 0;
    for (int i = 0; i < GP_MEMORY_COMPONENT_COUNT; i++)
        used += memory->bytes[i];
    fill_pool(job, machine, layout, constants,
              pool_bytes(job, memory, machine->hbm_bytes, claimed, used), ret);
    memory->total_bytes = used + memory->bytes[GP_MEMORY_KV_CACHE];
    memory->capacity_bytes = machine->hbm_bytes;
    memory->error_fraction = constants->plan_band_memory_serving_fraction;
    if (trace != NULL)
        trace_memory(job, machine, constants, budget, ret, trace);
}
