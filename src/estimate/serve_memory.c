/*
 * Memory of a serving GPU: an engine claims a share of the GPU, takes weights, its activation
 * reserve and what lies outside the allocator from it, and makes the rest the KV pool. Reference
 * profile: vLLM 0.17 and later (docs/formulas.md, "Serving memory"). KV heads are replicated once
 * tensor parallelism passes their number; latent attention (MLA) is not sharded at all.
 */
#include "base/num.h"
#include "estimate/serve.h"

static int64_t at_least_one(int64_t count) {
    return gp_num_max_i64(count, 1);
}

static bool is_small(const gp_machine *machine, const gp_constants *constants) {
    return machine->hbm_bytes < constants->serving_small_memory_bytes;
}

double gp_serve_max_sequences(const gp_machine *machine, const gp_constants *constants) {
    return is_small(machine, constants) ? constants->serving_small_sequences
                                        : constants->serving_reserve_sequences;
}

double gp_serve_step_tokens(const gp_machine *machine, const gp_constants *constants) {
    return is_small(machine, constants) ? constants->serving_small_tokens
                                        : constants->serving_reserve_tokens;
}

/* Share of the KV cache that one tensor-parallel rank holds. */
static double kv_share(const gp_shape *shape, int64_t tp) {
    if (shape->mla || shape->kv_heads < 1) {
        return 1;
    }
    return gp_num_max(1 / (double)tp, 1 / shape->kv_heads);
}

gp_serve_kv gp_serve_kv_of(const gp_serve_job *job, const gp_serve_layout *layout,
                           const gp_constants *constants) {
    const gp_shape *shape = job->shape;
    int64_t tp = at_least_one(layout->tp);
    double pp = (double)at_least_one(layout->pp);
    double element = gp_format_bytes(constants, job->kv_cache) * kv_share(shape, tp) / pp;
    if (shape->state_bytes > 0) {
        element *= 1 + constants->serving_hybrid_waste_fraction;
    }
    return (gp_serve_kv){
        .full_bytes = shape->kv_elements * element,
        .window_bytes = shape->window_kv_elements * element,
        .window_tokens = shape->window_tokens,
        .state_bytes = shape->state_bytes / ((double)tp * pp),
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
    if (job->weights != GP_FORMAT_MXFP4 || !(columns > 0) || !(tile > 0)) {
        return 0;
    }
    double padded = (double)gp_num_ceil_count(columns / tile) * tile / columns;
    double width = (double)gp_num_ceil_count(shape->hidden / (2 * tile)) * 2 * tile / shape->hidden;
    return shape->expert_parameters * gp_format_bytes(constants, job->weights) *
           (padded * width - 1);
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
    if (pp == 1) {
        return all / tp;
    }
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

static double activation_bytes(const gp_serve_job *job, const gp_machine *machine, double tp,
                               const gp_constants *constants) {
    const gp_shape *shape = job->shape;
    double sampler = constants->serving_sampler_bytes * gp_serve_max_sequences(machine, constants) *
                     shape->vocab;
    double element = gp_format_bytes(constants, GP_FORMAT_BF16);
    double step = element * gp_serve_step_tokens(machine, constants) *
                  (3 * shape->ffn_width / tp + 3 * shape->hidden);
    double moe = shape->moe ? constants->serving_reserve_moe_bytes : 0;
    return gp_num_max(sampler, step) + moe;
}

static double adapter_bytes(const gp_serve_job *job, double ranks, const gp_constants *constants) {
    double each = job->adapter_parameters;
    if (!(each > 0)) {
        each = job->shape->parameters * constants->serving_adapter_share_fraction;
    }
    return (double)job->adapters * each * gp_format_bytes(constants, GP_FORMAT_BF16) / ranks;
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
    if (pool < one_mean) {
        return GP_FIT_NOT;
    }
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
    ret->memory.bytes[GP_MEMORY_KV_CACHE] = fits ? pool : mean;
    double held = fits ? pool : 0;
    ret->kv_bytes_per_token = token * ranks;
    ret->kv_pool_tokens = token > 0 ? held / token : 0;
    ret->max_concurrency = mean > 0 ? held / mean : 0;
    ret->max_concurrency_p95 = p95 > 0 ? held / p95 : 0;
    ret->max_sequences = gp_serve_max_sequences(machine, constants);
}

static void trace_memory(const gp_serve_job *job, const gp_machine *machine,
                         const gp_constants *constants, double budget, const gp_serve_memory *got,
                         gp_trace *trace) {
    const double *bytes = got->memory.bytes;
    GP_TRACE(trace, GP_TERM_SERVE_WEIGHTS, bytes[GP_MEMORY_WEIGHTS],
             GP_REF_TERM(GP_TERM_PARAMETERS),
             GP_SERVE_REF(job, precision, gp_precision_spec, weights),
             GP_SERVE_REF(job, parallelism, gp_parallelism, tp),
             GP_SERVE_REF(job, parallelism, gp_parallelism, pp));
    GP_TRACE(trace, GP_TERM_SERVE_ACTIVATIONS, bytes[GP_MEMORY_ACTIVATIONS],
             GP_REF(job->shape->model, gp_model, vocab),
             GP_REF(constants, gp_constants, serving_sampler_bytes),
             GP_REF(constants, gp_constants, serving_reserve_sequences),
             GP_REF(constants, gp_constants, serving_reserve_tokens));
    GP_TRACE(trace, GP_TERM_SERVE_NON_TORCH, bytes[GP_MEMORY_CONTEXT],
             GP_REF(constants, gp_constants, serving_non_torch_bytes),
             GP_REF(constants, gp_constants, serving_non_torch_tp_bytes));
    GP_TRACE(trace, GP_TERM_SERVE_ADAPTERS, bytes[GP_MEMORY_ADAPTER],
             GP_SERVE_REF(job, traffic, gp_traffic, adapters),
             GP_REF(constants, gp_constants, serving_adapter_share_fraction));
    GP_TRACE(trace, GP_TERM_SERVE_BUDGET, budget, GP_REF(machine->gpu, gp_gpu, usable_memory_bytes),
             GP_REF(constants, gp_constants, serving_utilization_fraction));
    GP_TRACE(trace, GP_TERM_SERVE_KV_PER_TOKEN, got->kv_bytes_per_token,
             GP_REF(job->shape->model, gp_model, layers),
             GP_REF(job->shape->model, gp_model, kv_heads),
             GP_REF(job->shape->model, gp_model, head_dim),
             GP_SERVE_REF(job, precision, gp_precision_spec, kv_cache));
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
    double claimed = gp_num_min(constants->serving_utilization_fraction, 1 - headroom_fraction);
    double budget = machine->hbm_bytes * claimed;
    memory->bytes[GP_MEMORY_WEIGHTS] = weights_bytes(job, layout, constants, &memory->worst_stage);
    memory->bytes[GP_MEMORY_ACTIVATIONS] = activation_bytes(job, machine, tp, constants);
    memory->bytes[GP_MEMORY_CONTEXT] =
        tp > 1 ? constants->serving_non_torch_tp_bytes : constants->serving_non_torch_bytes;
    memory->bytes[GP_MEMORY_ADAPTER] = adapter_bytes(job, ranks, constants);
    double used = 0;
    for (int i = 0; i < GP_MEMORY_COMPONENT_COUNT; i++) {
        used += memory->bytes[i];
    }
    fill_pool(job, machine, layout, constants, budget - used, ret);
    memory->total_bytes = used + memory->bytes[GP_MEMORY_KV_CACHE];
    memory->capacity_bytes = machine->hbm_bytes;
    if (trace != NULL) {
        trace_memory(job, machine, constants, budget, ret, trace);
    }
}
