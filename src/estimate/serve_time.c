/*
 * Prefill and decode of one replica. A decode step reads the weights that its batch touches and the
 * KV cache of its sequences, or is bound by arithmetic where the batch is large; every layer, every
 * step and every all-reduce adds a fixed time (docs/formulas.md, "Decode step", "Prefill"). With
 * pipeline stages a sequence crosses all of them in micro-batches of batch / pp.
 */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "estimate/serve.h"

/* The precision that a GPU computes a weight format in, if it can. Formats without a path of their
 * own are unpacked to 16 bit on the way into the multipliers. */
static const gp_precision native_precision[GP_FORMAT_COUNT] = {
    [GP_FORMAT_FP32] = GP_PRECISION_TF32,     [GP_FORMAT_BF16] = GP_PRECISION_BF16,
    [GP_FORMAT_FP16] = GP_PRECISION_FP16,     [GP_FORMAT_FP8] = GP_PRECISION_FP8,
    [GP_FORMAT_FP8_BLOCK] = GP_PRECISION_FP8, [GP_FORMAT_INT8] = GP_PRECISION_INT8,
    [GP_FORMAT_INT4] = GP_PRECISION_BF16,     [GP_FORMAT_NF4] = GP_PRECISION_BF16,
    [GP_FORMAT_MXFP4] = GP_PRECISION_FP4,     [GP_FORMAT_NVFP4] = GP_PRECISION_FP4,
};

int64_t gp_serve_layout_gpus(const gp_serve_layout *layout) {
    return gp_num_max_i64(layout->tp, 1) * gp_num_max_i64(layout->pp, 1) *
           gp_num_max_i64(layout->attention_dp, 1);
}

static int64_t counted(int64_t ranks) {
    return gp_num_max_i64(ranks, 1);
}

bool gp_serve_layout_equal(const gp_serve_layout *a, const gp_serve_layout *b) {
    return counted(a->tp) == counted(b->tp) && counted(a->pp) == counted(b->pp) &&
           counted(a->ep) == counted(b->ep) &&
           counted(a->attention_dp) == counted(b->attention_dp) && a->copies == b->copies &&
           a->seats == b->seats && a->part == b->part;
}

void gp_serve_apply_stack(gp_serve_job *job, const gp_stack *stack) {
    if (stack == NULL)
        return;
    job->speed_factor = job->speed_factor > 0 ? job->speed_factor : 1;
    job->speed_factor /= stack->time_factor > 0 ? stack->time_factor : 1;
    job->stack = stack;
}

double gp_serve_request_s(const gp_serve_job *job, const gp_constants *constants) {
    const gp_stack *stack = job->stack;
    const double away_s = job->link != NULL ? job->link->round_trip_s : 0;
    if (job->direct)
        return away_s;
    return away_s + (stack != NULL && stack->request_s > 0 ? stack->request_s
                                                           : constants->serving_request_s);
}

static bool can_compute(const gp_machine *machine, gp_precision precision) {
    return machine->peak_flop_per_s[precision] > 0 && machine->efficiency[precision] != NULL;
}

static bool choose_precision(const gp_serve_job *job, const gp_machine *machine,
                             gp_precision *ret_precision) {
    gp_precision own = job->emulated ? job->compute : native_precision[job->weights];
    const gp_precision order[] = {own, job->compute, GP_PRECISION_BF16, GP_PRECISION_FP16};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        if (can_compute(machine, order[i])) {
            *ret_precision = order[i];
            return true;
        }
    }
    return false;
}

static bool is_16_bit(gp_precision precision) {
    return precision == GP_PRECISION_BF16 || precision == GP_PRECISION_FP16;
}

/* Weights are unpacked: a narrow format that computes in 16 bit. */
static bool is_weight_only(gp_format format, gp_precision precision) {
    return is_16_bit(precision) && format != GP_FORMAT_BF16 && format != GP_FORMAT_FP16 &&
           format != GP_FORMAT_FP32;
}

/* Work of the rank that has most of it over the mean. Which experts are busy is chance: of ranks
 * with m experts each the busiest has sqrt(2 ln n / m) deviations of an expert's load more than its
 * share; second copies of the busiest experts take most of that off. */
static double skew_of(const gp_serve_cost *cost, const gp_serve_layout *layout) {
    const gp_constants *constants = cost->constants;
    if (!cost->whole_experts)
        return 1;
    double parts = (double)cost->ep;
    double each = gp_num_max(cost->job->shape->experts / parts, 1);
    double chance = 1 + constants->serving_moe_spread * sqrt(2 * gp_num_log(parts) / each);
    return layout->copies > 0 ? gp_num_min(chance, constants->serving_moe_imbalance) : chance;
}

/* Share of the block's linear weights in the narrow format, as gp_weights_bytes counts them. */
static double quantized_share(const gp_shape *shape, double quantized_fraction) {
    double linear =
        shape->attention_parameters + shape->dense_mlp_parameters + shape->expert_parameters;
    if (!(quantized_fraction > 0) || !(linear > 0))
        return 1;
    return gp_num_min(quantized_fraction * shape->parameters / linear, 1);
}

static void set_weights(gp_serve_cost *cost, const gp_serve_layout *layout) {
    const gp_serve_job *job = cost->job;
    const gp_shape *shape = job->shape;
    double tp = (double)cost->tp;
    double ranks = tp * (double)cost->groups;
    double wide = gp_format_bytes(cost->constants, GP_FORMAT_BF16);
    double share = quantized_share(shape, job->quantized_fraction);
    double narrow = share * gp_format_bytes(cost->constants, job->weights) + (1 - share) * wide;
    double routed = shape->one_expert_parameters * shape->top_k * shape->moe_layers;
    double plain = shape->head_parameters + shape->router_parameters + shape->norm_parameters;
    cost->dense_bytes =
        ((shape->attention_parameters + shape->dense_mlp_parameters) * narrow + plain * wide) / tp;
    cost->dense_flop = 2 * gp_num_max(shape->linear_parameters - routed, 0) / tp;
    cost->head_flop = 2 * shape->head_parameters / tp;
    cost->expert_bytes = shape->one_expert_parameters * shape->moe_layers * narrow / ranks;
    cost->spread = (double)cost->ep;
    cost->spread_log = 2 * gp_num_log(cost->spread);
    double skew = skew_of(cost, layout);
    cost->expert_flop = 2 * routed * skew / ranks;
    /* Every slice of an expert is given its rows whole. */
    cost->expert_row_s = shape->top_k * shape->moe_layers * shape->hidden * skew /
                         (double)cost->ep * cost->constants->serving_moe_row_s;
    cost->experts = shape->moe ? shape->experts + (double)layout->copies : 0;
    cost->top_k = shape->top_k;
    double missed = cost->experts > 0 ? 1 - cost->top_k / cost->experts : 0;
    cost->missed_log = missed > 0 ? gp_num_log(missed) : 0;
}

/* Decode attention per token of context: q k and p v in every head. Absorbed latent attention
 * multiplies with the latent vector itself, kv_lora + rope wide for q k and kv_lora for p v. */
static double decode_attention_flop(const gp_shape *shape) {
    double layers = shape->attention_layers;
    if (shape->mla && shape->model != NULL) {
        double latent = (double)shape->model->mla.kv_lora;
        return 2 * shape->heads * (2 * latent + (double)shape->model->mla.rope) * layers;
    }
    return 4 * shape->attention_width * layers;
}

static void set_attention(gp_serve_cost *cost, const gp_serve_layout *layout) {
    const gp_shape *shape = cost->job->shape;
    double tp = (double)cost->tp;
    cost->attention_flop = 4 * shape->attention_width / tp * shape->attention_layers;
    cost->window_flop = 4 * shape->window_width / tp * shape->window_layers;
    cost->decode_attention_flop = decode_attention_flop(shape) / tp;
    /* Layers that pick their keys multiply with no more than that many; they read no more either,
     * but for a compressed cache, whose coarse layers read all of what little they keep. Every rank
     * scores all keys to pick from. */
    bool picks = shape->model != NULL && shape->model->sparse.top_k > 0;
    cost->context_limit = shape->context_limit;
    cost->read_limit = picks ? shape->context_limit : 0;
    cost->index_flop = 2 * shape->index_width * shape->layers;
    /* A sequence crosses all stages, so time counts the KV cache of the whole depth. */
    gp_serve_layout whole = {.tp = layout->tp, .pp = 1, .ep = layout->ep};
    cost->kv = gp_serve_kv_of(cost->job, &whole, cost->constants);
}

/* GPUs that share one expert. */
static double expert_slices(const gp_serve_cost *cost) {
    return (double)(cost->tp * cost->groups) / (double)cost->ep;
}

static double stated(double value, double otherwise) {
    return value > 0 ? value : otherwise;
}

/* GPUs with 4-bit multipliers have attention kernels that multiply an 8-bit cache as it is; others
 * unpack it. */
static double cached_peak(const gp_serve_cost *cost, double wide, double clock) {
    const double *peaks = cost->machine->peak_flop_per_s;
    bool as_is = peaks[GP_PRECISION_FP4] > 0 && cost->job->kv_cache == GP_FORMAT_FP8;
    return as_is ? gp_num_max(wide, peaks[GP_PRECISION_FP8] * clock) : wide;
}

/* Kernels of prompts multiply and take exponentials one after the other: each pair of query and key
 * takes one of the latter in every head. Encoders of short texts have fused kernels that hide
 * them. */
static double prompt_attention(const gp_serve_cost *cost, double wide, double clock) {
    const gp_shape *shape = cost->job->shape;
    bool encodes = shape->model != NULL && shape->model->bidirectional;
    double rate = encodes ? 0 : cost->machine->gpu->exponentials_per_s * clock;
    double pair_flop = shape->heads > 0 ? 4 * shape->attention_width / shape->heads : 0;
    return rate > 0 && pair_flop > 0
               ? 1 / (1 / cached_peak(cost, wide, clock) + 1 / (rate * pair_flop))
               : wide;
}

static void set_rates(gp_serve_cost *cost, gp_precision precision) {
    const gp_machine *machine = cost->machine;
    const gp_constants *constants = cost->constants;
    const gp_efficiency *efficiency = machine->efficiency[precision];
    double cap = gp_num_min(machine->power_cap_fraction, 1);
    double clock = cap > 0 ? gp_num_pow(cap, constants->site_power_cap_exponent) : 1;
    double wide = gp_num_max(machine->peak_flop_per_s[GP_PRECISION_BF16],
                             machine->peak_flop_per_s[GP_PRECISION_FP16]) *
                  clock;
    bool unpack = is_weight_only(cost->job->weights, precision);
    cost->flop_per_s =
        machine->peak_flop_per_s[precision] * clock * efficiency->prefill_gemm_fraction;
    double grouped = stated(efficiency->expert_gemm_fraction, constants->serving_moe_gemm_fraction);
    double experts = stated(efficiency->expert_hbm_fraction, constants->serving_moe_hbm_fraction);
    cost->expert_flop_per_s =
        cost->flop_per_s * grouped * (unpack ? constants->serving_moe_unpack_fraction : 1);
    cost->tile_rows =
        unpack ? constants->serving_moe_unpack_tokens : constants->serving_moe_tile_tokens;
    cost->flop_per_s *= unpack ? constants->serving_unpack_fraction : 1;
    cost->weight_bytes_per_s = machine->hbm_bytes_per_s * efficiency->hbm_fraction *
                               (unpack ? constants->serving_weight_only_fraction : 1);
    cost->expert_bytes_per_s =
        machine->hbm_bytes_per_s * experts * (unpack ? constants->serving_weight_only_fraction : 1);
    cost->kv_bytes_per_s = machine->hbm_bytes_per_s * efficiency->kv_fraction;
    cost->attention_flop_per_s =
        prompt_attention(cost, wide, clock) * stated(efficiency->prefill_attention_fraction,
                                                     constants->serving_prefill_attention_fraction);
    cost->decode_attention_flop_per_s =
        cached_peak(cost, wide, clock) * constants->serving_decode_attention_fraction;
    cost->supported = cost->flop_per_s > 0 && cost->weight_bytes_per_s > 0 &&
                      cost->kv_bytes_per_s > 0 && wide > 0;
}

static void set_overheads(gp_serve_cost *cost, gp_precision precision) {
    const gp_stack *stack = cost->job->stack;
    const gp_shape *shape = cost->job->shape;
    const gp_constants *constants = cost->constants;
    double mixers =
        shape->attention_layers + shape->window_layers + shape->mamba_layers + shape->linear_layers;
    double mlps = shape->dense_layers + shape->moe_layers;
    const gp_efficiency *efficiency = cost->machine->efficiency[precision];
    double layer = efficiency->decode_layer_s;
    double routed = stated(efficiency->expert_layer_s, constants->serving_moe_layer_s);
    cost->reductions = cost->groups > 1 ? mixers + shape->dense_layers : mixers + mlps;
    cost->reduction_bytes = shape->hidden * gp_format_bytes(constants, GP_FORMAT_BF16);
    cost->reduction_s = constants->serving_all_reduce_base_s +
                        (gp_num_log2((double)cost->tp) - 1) * constants->serving_all_reduce_hop_s;
    /* Attention is half of a layer's kernels; routed experts have kernels of their own. */
    cost->overhead_s = 0.5 * (mixers + shape->dense_layers) * layer + shape->moe_layers * routed;
    if (stack != NULL) {
        cost->overhead_s += 0.5 * (mixers + mlps) * stack->layer_s;
        cost->spread_s = cost->whole_experts ? shape->moe_layers * stack->expert_s : 0;
    }
    if (shape->mla)
        cost->overhead_s += shape->attention_layers * constants->serving_latent_layer_s;
    cost->overhead_s += shape->index_layers * constants->serving_index_layer_s;
    cost->overhead_s +=
        (shape->mamba_layers + shape->linear_layers) * constants->serving_linear_layer_s;
    bool timed = stack != NULL && stack->step_s > 0;
    cost->step_s = timed ? stack->step_s : constants->serving_step_s;
    /* Every drafted token is a pass of its own, in which the groups wait for each other. */
    bool drafts = stack != NULL && cost->groups > 1;
    cost->step_s += drafts ? gp_num_max(cost->job->draft_tokens, 0) * stack->draft_s : 0;
    timed = stack != NULL && stack->sequence_s > 0;
    cost->sequence_s =
        cost->job->sequence_s + (timed ? stack->sequence_s : constants->serving_sequence_s);
    const gp_model *model = cost->job->shape->model;
    cost->prefill_factor = stack != NULL && stack->prefill_factor > 0 ? stack->prefill_factor : 1;
    if (model != NULL && model->bidirectional)
        cost->prefill_factor *= constants->serving_encoder_factor;
}

/* Tokens go to their experts in 8 bit where those compute in 8 bit or fewer, and come back in 16.
 * Ranks that slice all experts gather all tokens in place of that: every rank is a place. */
static void set_exchange(gp_serve_cost *cost, gp_precision precision) {
    const gp_machine *machine = cost->machine;
    const gp_constants *constants = cost->constants;
    if (cost->groups <= 1 || !(cost->experts > 0))
        return;
    bool narrow = precision == GP_PRECISION_FP8 || precision == GP_PRECISION_FP4;
    int64_t machines = (cost->tp * cost->groups + cost->domain - 1) / cost->domain;
    double hidden = cost->job->shape->hidden;
    cost->exchanges = cost->job->shape->moe_layers;
    cost->combine_bytes = hidden * gp_format_bytes(constants, GP_FORMAT_BF16);
    cost->dispatch_bytes =
        hidden * gp_format_bytes(constants, narrow ? GP_FORMAT_FP8_BLOCK : GP_FORMAT_BF16);
    cost->exchange_s =
        constants->serving_exchange_dispatch_s + constants->serving_exchange_combine_s;
    cost->rates = gp_exchange_rates_of(machine, cost->network, constants, machines);
    const gp_exchange_group group = {.top_k = cost->top_k,
                                     .parts = (double)cost->ep,
                                     .slices = expert_slices(cost),
                                     .tp = (double)cost->tp,
                                     .machines = (double)machines};
    cost->copies = gp_exchange_copies_of(&group);
    cost->uneven = constants->serving_uneven_fraction * sqrt(2 * gp_num_log((double)cost->groups));
    cost->supported = cost->supported && cost->rates.net_bytes_per_s > 0;
}

/* Patches that the vision tower reads for one token of the decoder. */
static double patches_per_token(const gp_serve_job *job) {
    const gp_vision *vision = &job->shape->model->vision;
    if (job->image_tokens > 0 && job->image_patches > 0)
        return job->image_patches / job->image_tokens;
    const int64_t merge = gp_num_max_i64(vision->processor.merge, vision->merge);
    return merge > 0 ? (double)(merge * merge) : 1;
}

/* Products of the tower and its attention, which is not causal, for one token of an image. */
static void set_vision(gp_serve_cost *cost) {
    const gp_serve_job *job = cost->job;
    const gp_shape *shape = job->shape;
    if (shape->model == NULL || shape->model->vision.layers <= 0)
        return;
    const gp_vision *vision = &shape->model->vision;
    double width = (double)(vision->qkv > 0 ? vision->qkv : vision->hidden);
    double patches = patches_per_token(job), tp = (double)cost->tp;
    cost->vision_flop =
        2 * (patches * shape->vision_patch_parameters + shape->vision_token_parameters) / tp;
    cost->vision_attention_flop =
        4 * width * (double)vision->layers * patches * job->image_attended / tp;
    if (job->image_keys > 0 && job->image_tokens > 0) { /* which every token of the prompt reads */
        double keys = job->image_keys / job->image_tokens * (double)vision->cross_layers;
        double text = gp_num_max(job->input_tokens - job->image_tokens, 0);
        double kv_width = 2 * shape->kv_heads * shape->head_dim;
        cost->vision_flop += 2 * keys * shape->hidden * kv_width / tp;
        cost->vision_attention_flop += 4 * keys * text * shape->attention_width / tp;
    }
}

/* Of k drafted tokens each stands with probability a, up to the first that does not; with the
 * model's own token a step yields (1 - a^(k+1)) / (1 - a) (Leviathan et al., ICML 2023). */
static void set_speculation(gp_serve_cost *cost) {
    const gp_serve_job *job = cost->job;
    double drafted = gp_num_max(job->draft_tokens, 0);
    double stands = gp_num_min(job->draft_acceptance_fraction, 1);
    double yield = stands < 1 ? (1 - gp_num_pow(stands, drafted + 1)) / (1 - stands) : drafted + 1;
    cost->rows_per_sequence = 1 + drafted;
    cost->step_share = drafted > 0 ? (1 + drafted * job->draft_cost_fraction) / yield : 1;
}

/* Hosts of PCIe 4 and before have no switches between their cards. */
static bool is_old(const gp_machine *machine) {
    const char *kind = machine->gpu == NULL ? NULL : machine->gpu->link.kind;
    return kind == NULL || strncmp(kind, "pcie-5", strlen("pcie-5")) != 0;
}

/* One all-reduce. Inside a domain engines use kernels of their own: a fixed time that grows with
 * log2 of the ranks, then every rank reads the message of all others, or, where it is large, it
 * goes round in two halves, 2 (n-1)/n of the message, with twice that time. Over the host it always
 * goes round. */
static double all_reduce_s(const gp_serve_cost *cost, double bytes) {
    const gp_machine *machine = cost->machine;
    const gp_constants *constants = cost->constants;
    double library = gp_collective_time_s(machine, cost->network, constants,
                                          GP_COLLECTIVE_ALL_REDUCE, bytes, cost->tp, cost->nodes);
    bool inside = cost->tp <= machine->domain;
    if (cost->nodes > 1 || machine->staged || !(machine->link_bytes_per_s > 0))
        return library;
    double ranks = (double)cost->tp;
    double share = inside            ? constants->serving_all_reduce_link_fraction
                   : is_old(machine) ? constants->serving_all_reduce_host_fraction
                                     : constants->serving_all_reduce_host_new_fraction;
    double message_s = bytes / (machine->link_bytes_per_s * share);
    double halves = 2 * (ranks - 1) / ranks * message_s;
    if (!inside)
        return gp_num_min(cost->reduction_s + halves, library);
    double once = cost->reduction_s + (ranks - 1) * message_s;
    return gp_num_min(gp_num_min(once, 2 * cost->reduction_s + halves), library);
}

/* Tokens to their experts on all ranks and back, in every layer that has them. */
static double exchange_s(const gp_serve_cost *cost, double tokens, bool many) {
    if (!(cost->exchanges > 0))
        return 0;
    double bytes = tokens * (cost->dispatch_bytes + cost->combine_bytes);
    return cost->exchanges *
           (cost->exchange_s + gp_exchange_bytes_s(&cost->rates, &cost->copies, bytes, many));
}

/* All-reduces of the tensor-parallel ranks, and what goes from stage to stage. */
static double reduction_s(const gp_serve_cost *cost, double tokens) {
    double bytes = tokens * cost->reduction_bytes;
    double time_s = cost->tp > 1 ? cost->reductions * all_reduce_s(cost, bytes) : 0;
    if (cost->pp > 1) {
        const gp_machine *machine = cost->machine;
        bool inside = cost->tp * cost->pp <= gp_num_max_i64(machine->gpus, machine->domain);
        time_s += (double)(cost->pp - 1) * gp_point_to_point_time_s(cost->machine, cost->network,
                                                                    cost->constants, bytes, inside);
    }
    return time_s;
}

/* An exchange beside the work of another half of the batch: what of it, or of the work, is not
 * hidden by the other. */
static double exposed_s(const gp_serve_cost *cost, double work_s, double exchanged_s) {
    double hidden = cost->constants->serving_exchange_hidden_fraction;
    double both = gp_num_max(work_s, exchanged_s) + (1 - hidden) * gp_num_min(work_s, exchanged_s);
    return both - work_s;
}

/* Touched experts of the rank that has most of them over the mean: as balls thrown into bins, but
 * no rank holds more than its share. */
static double busiest(const gp_serve_cost *cost, double touched) {
    if (!(cost->spread > 1) || !(touched > 0))
        return 1;
    double most = 1 + sqrt(cost->spread_log * cost->spread / touched);
    return gp_num_max(gp_num_min(most, cost->experts / touched), 1);
}

/* Reading and arithmetic of one product overlap, but not whole: a norm of the two between their sum
 * (1) and the longer (large). */
static double overlapped(const gp_serve_cost *cost, double read_s, double compute_s) {
    double longer = gp_num_max(read_s, compute_s);
    double shorter = gp_num_min(read_s, compute_s);
    double p = cost->constants->serving_overlap;
    if (!(shorter > 0))
        return longer;
    return longer * gp_num_pow(1 + gp_num_pow(shorter / longer, p), 1 / p);
}

/* Routed experts for `tokens` tokens. A grouped product works on whole tiles of rows, so every
 * touched expert costs some rows more than it is given, and it reads its experts meanwhile; before
 * and after it rows are sorted, converted and summed up, in whatever format. */
static double expert_products_s(const gp_serve_cost *cost, double tokens, double touched,
                                double bytes) {
    if (!(cost->experts > 0))
        return 0;
    double rows = tokens * cost->top_k + touched * cost->tile_rows;
    double compute_s = rows / cost->top_k * cost->expert_flop / cost->expert_flop_per_s;
    return gp_num_max(bytes / cost->expert_bytes_per_s, compute_s) + tokens * cost->expert_row_s;
}

/* Bytes of the experts that the rank with most of the touched ones reads. */
static double expert_read_bytes(const gp_serve_cost *cost, double touched) {
    return touched * cost->expert_bytes * busiest(cost, touched);
}

/* Different experts that `tokens` tokens use, of each MoE layer: E (1 - (1 - k/E)^b). */
static double experts_touched(const gp_serve_cost *cost, double tokens) {
    if (!(cost->experts > 0))
        return 0;
    bool all = !(cost->missed_log < 0);
    return all ? cost->experts : cost->experts * (1 - gp_num_exp(tokens * cost->missed_log));
}

/* Micro-batches of a pipeline are never alike, so that stages wait for each other; one sequence
 * goes through alone. */
static double pipeline(const gp_serve_cost *cost, double batch) {
    double others = (double)(cost->pp - 1) * gp_num_max(1 - 1 / gp_num_max(batch, 1), 0);
    return 1 + others * cost->constants->serving_pipeline_fraction;
}

static double limited(double value, double limit) {
    return limit > 0 ? gp_num_min(value, limit) : value;
}

/* Products of `tokens` tokens of a group and `pooled` of all groups. */
static void set_products(const gp_serve_cost *cost, double tokens, double pooled,
                         gp_serve_step *ret) {
    ret->experts_touched = experts_touched(cost, pooled);
    double expert_bytes = expert_read_bytes(cost, ret->experts_touched);
    ret->weight_bytes = cost->dense_bytes + expert_bytes;
    ret->gemm_s = overlapped(cost, cost->dense_bytes / cost->weight_bytes_per_s,
                             tokens * cost->dense_flop / cost->flop_per_s);
    ret->gemm_s += expert_products_s(cost, pooled, ret->experts_touched, expert_bytes);
}

/* Caches that are read, and what a query does with them. */
static void set_attention_step(const gp_serve_cost *cost, double sequences, double rows,
                               double context, gp_serve_step *ret) {
    /* The state of a sequence is read and written, its cache only read. */
    double state = cost->kv.state_bytes;
    double read = limited(context, cost->read_limit);
    ret->kv_bytes = sequences * (gp_serve_kv_bytes(&cost->kv, read) + state);
    double flop = limited(context, cost->context_limit) * cost->decode_attention_flop +
                  context * cost->index_flop;
    ret->attention_s = gp_num_max(ret->kv_bytes / cost->kv_bytes_per_s,
                                  rows * flop / cost->decode_attention_flop_per_s);
    ret->attention_s *= 1 + cost->uneven / sqrt(sequences);
}

/* Kernels of all layers, whatever the batch. */
static double kernels_s(const gp_serve_cost *cost, const gp_serve_step *step) {
    double in_use = cost->experts > 0 ? step->experts_touched / cost->experts : 0;
    return cost->overhead_s + in_use * cost->spread_s;
}

/* Two halves of the batch take no less than this: their products read and compute no less than one
 * batch does, and their kernels start twice. */
static double least_halves_s(const gp_serve_cost *cost, const gp_serve_step *whole,
                             double exchanged_s) {
    double work_s = whole->gemm_s + whole->attention_s + 2 * cost->overhead_s;
    return work_s + exposed_s(cost, work_s, exchanged_s);
}

/* Two halves of the batch, each of which computes while the other's tokens travel, where that is
 * faster: weights are read and kernels started twice. */
static void try_halves(const gp_serve_cost *cost, gp_serve_batch *batch, gp_serve_step *ret) {
    double exchanged_s = batch->exchanged_s;
    double together_s = ret->gemm_s + ret->attention_s + kernels_s(cost, ret) + exchanged_s;
    double twice_s = batch->halves_exchanged_s;
    if (batch->may_halve && least_halves_s(cost, ret, twice_s) < together_s) {
        if (!(batch->half.gemm_s > 0))
            set_products(cost, 0.5 * batch->rows, 0.5 * batch->pooled_rows, &batch->half);
        double kernels = kernels_s(cost, &batch->half);
        double work_s = 2 * batch->half.gemm_s + ret->attention_s + 2 * kernels;
        double left_s = exposed_s(cost, work_s, twice_s);
        if (work_s + left_s < together_s) {
            ret->gemm_s = 2 * batch->half.gemm_s;
            ret->weight_bytes = 2 * batch->half.weight_bytes;
            ret->overhead_s += 2 * kernels - kernels_s(cost, ret);
            exchanged_s = left_s;
        }
    }
    ret->communication_s += exchanged_s;
}

void gp_serve_batch_of(const gp_serve_cost *cost, double sequences, gp_serve_batch *ret) {
    *ret = (gp_serve_batch){.whole = {.total_s = HUGE_VAL}};
    if (!cost->supported)
        return;
    double pooled = gp_num_max(sequences / (double)cost->pp, 1);
    ret->sequences = gp_num_max(pooled / (double)cost->groups, 1);
    ret->rows = ret->sequences * cost->rows_per_sequence;
    ret->pooled_rows = pooled * cost->rows_per_sequence;
    set_products(cost, ret->rows, ret->pooled_rows, &ret->whole);
    ret->whole.overhead_s = kernels_s(cost, &ret->whole) + cost->step_s +
                            sequences / (double)cost->groups * cost->sequence_s;
    ret->whole.communication_s = reduction_s(cost, ret->rows);
    ret->exchanged_s = exchange_s(cost, ret->rows, false);
    ret->halves_exchanged_s = 2 * exchange_s(cost, 0.5 * ret->rows, false);
    ret->factor = cost->slowdown * cost->step_share * pipeline(cost, sequences);
    /* Kernels that start twice have to be made up for by what is hidden at most. */
    double hidden = cost->constants->serving_exchange_hidden_fraction;
    double most_s = hidden * (ret->exchanged_s + cost->exchanges * cost->exchange_s);
    ret->may_halve = ret->rows >= 2 && most_s > cost->overhead_s;
}

void gp_serve_batch_step(const gp_serve_cost *cost, gp_serve_batch *batch, double context,
                         gp_serve_step *ret) {
    *ret = batch->whole;
    if (!cost->supported)
        return;
    set_attention_step(cost, batch->sequences, batch->rows, context, ret);
    try_halves(cost, batch, ret);
    ret->total_s =
        batch->factor * (ret->gemm_s + ret->attention_s + ret->overhead_s + ret->communication_s);
}

void gp_serve_step_of(const gp_serve_cost *cost, double batch, double context, gp_serve_step *ret) {
    gp_serve_batch of;
    gp_serve_batch_of(cost, batch, &of);
    gp_serve_batch_step(cost, &of, context, ret);
}

/* (query, key) pairs of attention for `tokens` queries behind `prefix` keys: causal, but for an
 * encoder's. */
static double attended_pairs(const gp_serve_cost *cost, double tokens, double prefix,
                             double window) {
    const gp_model *model = cost->job->shape->model;
    double own = model != NULL && model->bidirectional ? 1 : 0.5;
    double all = tokens * (prefix + own * tokens);
    return window > 0 ? gp_num_min(all, tokens * window) : all;
}

/* Of steps full of prompts, which do not depend on how long these are. */
static void set_full_step(gp_serve_cost *cost) {
    double pooled = cost->budget_tokens * (double)cost->groups;
    double touched = experts_touched(cost, pooled);
    cost->full_reduction_s = reduction_s(cost, cost->budget_tokens);
    cost->full_experts_s =
        expert_products_s(cost, pooled, touched, expert_read_bytes(cost, touched));
    cost->full_exchange_s = exchange_s(cost, cost->budget_tokens, true);
}

void gp_serve_cost_of(const gp_serve_job *job, const gp_machine *machine, const gp_network *network,
                      const gp_serve_layout *layout, const gp_constants *constants,
                      gp_serve_cost *ret) {
    *ret = (gp_serve_cost){.job = job, .machine = machine, .network = network};
    ret->constants = constants;
    ret->tp = gp_num_max_i64(layout->tp, 1);
    ret->pp = gp_num_max_i64(layout->pp, 1);
    ret->groups = gp_num_max_i64(layout->attention_dp, 1);
    ret->ep = gp_num_min_i64(gp_num_max_i64(layout->ep, 1), ret->tp * ret->groups);
    ret->whole_experts = ret->ep > 1;
    ret->domain = gp_num_max_i64(gp_num_max_i64(machine->gpus, machine->domain), 1);
    ret->nodes = (ret->tp + ret->domain - 1) / ret->domain;
    ret->budget_tokens = gp_serve_step_tokens(job, machine, constants);
    double speed = job->speed_factor > 0 ? job->speed_factor : 1;
    double adapters = job->adapters > 0 ? constants->serving_adapter_slowdown_fraction : 0;
    ret->slowdown = (1 + adapters) / speed;
    ret->adapter_s = gp_serve_adapter_s(ret);
    ret->slowdown *= job->shape->model != NULL && job->shape->model->speech.window_s > 0
                         ? constants->serving_speech_factor
                         : 1;
    const bool items = job->item.passes > 0;
    set_speculation(ret);
    if (!items) {
        set_weights(ret, layout);
        set_attention(ret, layout);
    }
    gp_precision precision = GP_PRECISION_BF16;
    if (!choose_precision(job, machine, &precision))
        return;
    if (machine->efficiency[precision]->own_serving > 0 && job->assumed_tuning > 0) {
        ret->slowdown *= job->assumed_tuning;
        ret->own = machine->efficiency[precision];
    }
    set_rates(ret, precision);
    if (items) {
        gp_serve_item_cost(ret);
        return;
    }
    set_overheads(ret, precision);
    set_exchange(ret, precision);
    set_vision(ret);
    set_full_step(ret);
}

/* Time per token where every group runs full steps of prompts of its own side by side: the fixed
 * parts of a reduction and of an expert's tiles are shared, the experts work for all groups, and
 * tokens travel while the other half of the step computes. `each_s`: of a group, per token. */
static double full_step_s(const gp_serve_cost *cost, double tokens, double each_s) {
    double groups = (double)cost->groups;
    double full = cost->budget_tokens;
    double pooled = full * groups;
    double uneven = 1 + cost->uneven * sqrt(gp_num_min(tokens / full, 1));
    double work_s = uneven * full * each_s + cost->full_reduction_s + cost->full_experts_s;
    double exchanged_s = cost->full_exchange_s;
    return (work_s + (exchanged_s > 0 ? exposed_s(cost, work_s, exchanged_s) : 0)) / pooled;
}

void gp_serve_prefill_of(const gp_serve_cost *cost, double tokens, double prefix, double images,
                         gp_serve_prefill *ret) {
    *ret = (gp_serve_prefill){.total_s = HUGE_VAL, .work_s = HUGE_VAL};
    if (!cost->supported)
        return;
    if (cost->job->item.passes > 0) {
        (void)gp_serve_items_s(cost, 1, ret);
        return;
    }
    /* The head works on the last token alone. */
    double dense = gp_num_max(cost->dense_flop - cost->head_flop, 0) / cost->flop_per_s;
    double touched = experts_touched(cost, tokens);
    double routed = expert_products_s(cost, tokens, touched, expert_read_bytes(cost, touched));
    double vision = images * cost->vision_flop / cost->flop_per_s;
    double compute = tokens * dense + vision;
    double ramp = cost->constants->serving_prefill_ramp_tokens * dense;
    double read_s = cost->dense_bytes / cost->weight_bytes_per_s;
    double window = cost->job->shape->window_tokens;
    double flop = attended_pairs(cost, tokens, prefix, cost->context_limit) * cost->attention_flop +
                  attended_pairs(cost, tokens, prefix, window) * cost->window_flop +
                  attended_pairs(cost, tokens, prefix, 0) * cost->index_flop;
    double steps = gp_num_max(tokens / cost->budget_tokens, 1);
    ret->gemm_s = gp_num_max(compute + ramp, read_s) + routed;
    double seen = tokens + prefix;
    double ramped = (seen + cost->constants->serving_attention_tokens) / seen;
    ret->attention_s =
        (flop * ramped + images * cost->vision_attention_flop) / cost->attention_flop_per_s;
    ret->communication_s =
        steps * (reduction_s(cost, tokens / steps) + exchange_s(cost, tokens / steps, true));
    ret->overhead_s = steps * (cost->overhead_s + cost->spread_s + cost->step_s);
    double work = ret->gemm_s + ret->attention_s + ret->communication_s;
    ret->total_s =
        cost->adapter_s + cost->slowdown * (cost->prefill_factor * work + ret->overhead_s);
    double each_s = (tokens * dense + vision + ret->attention_s) / tokens;
    ret->work_s = cost->adapter_s + cost->slowdown * pipeline(cost, cost->budget_tokens) * tokens *
                                        full_step_s(cost, tokens, each_s) * cost->prefill_factor *
                                        cost->constants->serving_interference_fraction;
}

/* What slows the products of narrow weights and of routed experts is read for those alone. */
static void trace_gemm(const gp_serve_cost *cost, const gp_serve_step *step, gp_trace *trace) {
    const gp_serve_job *job = cost->job;
    const gp_gpu *gpu = cost->machine->gpu;
    const gp_constants *k = cost->constants;
    gp_precision precision = job->compute;
    const bool moe = cost->experts > 0;
    const bool unpack =
        choose_precision(job, cost->machine, &precision) && is_weight_only(job->weights, precision);
    const bool copied = moe && cost->experts > job->shape->experts;
    GP_TRACE(trace, GP_TERM_SERVE_GEMM_TIME, step->gemm_s, GP_REF_TERM(GP_TERM_SERVE_WEIGHTS_READ),
             GP_REF(gpu, gp_gpu, memory_bytes_per_s), gp_peak_ref(gpu, job->compute),
             GP_REF_TERM(GP_TERM_SERVE_BATCH), GP_REF(k, gp_constants, serving_overlap),
             GP_REF_IF(unpack, k, gp_constants, serving_unpack_fraction),
             GP_REF_IF(unpack, k, gp_constants, serving_weight_only_fraction),
             GP_REF_IF(unpack && moe, k, gp_constants, serving_moe_unpack_fraction),
             GP_REF_IF(moe, k, gp_constants, serving_moe_row_s),
             GP_REF_IF(moe && !unpack, k, gp_constants, serving_moe_tile_tokens),
             GP_REF_IF(moe && unpack, k, gp_constants, serving_moe_unpack_tokens),
             GP_REF_IF(moe && cost->whole_experts, k, gp_constants, serving_moe_spread),
             GP_REF_IF(copied, k, gp_constants, serving_moe_imbalance));
}

/* The part of a prefill that the vision tower takes for `images` image tokens. */
static double serve_vision_s(const gp_serve_cost *cost, double images) {
    return images * (cost->vision_flop / cost->flop_per_s +
                     cost->vision_attention_flop / cost->attention_flop_per_s);
}

void gp_serve_step_trace(const gp_serve_cost *cost, const gp_serve_step *step, gp_trace *trace) {
    const gp_serve_job *job = cost->job;
    const gp_gpu *gpu = cost->machine->gpu;
    const gp_constants *constants = cost->constants;
    const bool exchanged = cost->exchanges > 0;
    const bool reduced = cost->tp > 1;
    const bool hosted = reduced && cost->tp > cost->machine->domain;
    GP_TRACE(trace, GP_TERM_SERVE_EXPERTS_TOUCHED, step->experts_touched,
             GP_REF(job->shape->model, gp_model, experts), GP_REF_TERM(GP_TERM_SERVE_BATCH));
    GP_TRACE(trace, GP_TERM_SERVE_WEIGHTS_READ, step->weight_bytes,
             GP_REF_TERM(GP_TERM_ACTIVE_PARAMETERS), GP_REF_TERM(GP_TERM_SERVE_EXPERTS_TOUCHED),
             GP_SERVE_REF(job, precision, gp_precision_spec, weights),
             GP_REF(constants, gp_constants, memory_format_bytes[job->weights]));
    trace_gemm(cost, step, trace);
    GP_TRACE(trace, GP_TERM_SERVE_KV_READ, step->kv_bytes, GP_REF_TERM(GP_TERM_SERVE_BATCH),
             GP_REF_TERM(GP_TERM_SERVE_KV_PER_TOKEN),
             GP_SERVE_REF(job, traffic.input_tokens, gp_distribution, mean),
             GP_SERVE_REF(job, traffic.output_tokens, gp_distribution, mean));
    GP_TRACE(trace, GP_TERM_SERVE_ATTENTION_TIME, step->attention_s,
             GP_REF_TERM(GP_TERM_SERVE_KV_READ), GP_REF(gpu, gp_gpu, memory_bytes_per_s),
             GP_REF(constants, gp_constants, serving_decode_attention_fraction));
    GP_TRACE(
        trace, GP_TERM_SERVE_OVERHEAD_TIME, step->overhead_s, GP_REF_TERM(GP_TERM_SERVE_BATCH),
        GP_REF(job->shape->model, gp_model, layers),
        GP_REF(constants, gp_constants, serving_step_s),
        GP_REF(constants, gp_constants, serving_sequence_s),
        GP_REF(constants, gp_constants, serving_moe_layer_s),
        GP_REF_IF(job->shape->mla, constants, gp_constants, serving_latent_layer_s),
        GP_REF_IF(job->shape->index_layers > 0, constants, gp_constants, serving_index_layer_s));
    GP_TRACE(
        trace, GP_TERM_SERVE_COMMUNICATION_TIME, step->communication_s,
        GP_REF_TERM(GP_TERM_SERVE_BATCH), GP_REF(job->shape->model, gp_model, hidden),
        GP_SERVE_REF(job, parallelism, gp_parallelism, tp),
        GP_REF_IF(reduced, constants, gp_constants, serving_all_reduce_base_s),
        GP_REF_IF(reduced, constants, gp_constants, serving_all_reduce_hop_s),
        GP_REF_IF(reduced, constants, gp_constants, serving_all_reduce_link_fraction),
        GP_REF_IF(exchanged, constants, gp_constants, serving_exchange_dispatch_s),
        GP_REF_IF(exchanged, constants, gp_constants, serving_exchange_combine_s),
        GP_REF_IF(exchanged, constants, gp_constants, serving_exchange_link_fraction),
        GP_REF_IF(exchanged, constants, gp_constants, serving_exchange_network_fraction),
        GP_REF_IF(exchanged, constants, gp_constants, serving_exchange_hidden_fraction),
        GP_REF_IF(exchanged, constants, gp_constants, serving_uneven_fraction),
        is_old(cost->machine)
            ? GP_REF_IF(hosted, constants, gp_constants, serving_all_reduce_host_fraction)
            : GP_REF_IF(hosted, constants, gp_constants, serving_all_reduce_host_new_fraction));
    GP_TRACE(
        trace, GP_TERM_SERVE_SPEED,
        (step->gemm_s + step->attention_s + step->overhead_s + step->communication_s) /
            step->total_s,
        GP_REF_IF(job->adapters > 0, constants, gp_constants, serving_adapter_slowdown_fraction),
        GP_REF_IF(job->shape->model->speech.window_s > 0, constants, gp_constants,
                  serving_speech_factor),
        cost->own != NULL ? GP_REF(cost->own, gp_efficiency, own_serving)
                          : GP_SERVE_REF(job, software, gp_software, tuning));
    GP_TRACE(trace, GP_TERM_SERVE_STEP_TIME, step->total_s, GP_REF_TERM(GP_TERM_SERVE_GEMM_TIME),
             GP_REF_TERM(GP_TERM_SERVE_ATTENTION_TIME), GP_REF_TERM(GP_TERM_SERVE_OVERHEAD_TIME),
             GP_REF_TERM(GP_TERM_SERVE_COMMUNICATION_TIME), GP_REF_TERM(GP_TERM_SERVE_SPEED));
}

void gp_serve_prefill_trace(const gp_serve_cost *cost, const gp_serve_prefill *prefill,
                            gp_trace *trace) {
    const gp_serve_job *job = cost->job;
    const gp_gpu *gpu = cost->machine->gpu;
    const gp_constants *constants = cost->constants;
    if (job->item.passes > 0) {
        gp_serve_item_trace(cost, prefill, trace);
        return;
    }
    GP_TRACE(trace, GP_TERM_SERVE_PREFILL_GEMM, prefill->gemm_s,
             GP_REF_TERM(GP_TERM_ACTIVE_PARAMETERS), gp_peak_ref(gpu, job->compute),
             GP_SERVE_REF(job, traffic.input_tokens, gp_distribution, mean),
             GP_REF(constants, gp_constants, serving_prefill_ramp_tokens),
             job->image_tokens > 0 ? GP_REF_TERM(GP_TERM_SERVE_VISION_TIME) : GP_REF_NONE);
    GP_TRACE(trace, GP_TERM_SERVE_PREFILL_ATTENTION, prefill->attention_s,
             GP_REF(gpu, gp_gpu, flops), GP_REF(gpu, gp_gpu, exponentials_per_s),
             GP_REF(constants, gp_constants, serving_attention_tokens),
             GP_SERVE_REF(job, traffic.input_tokens, gp_distribution, mean),
             GP_REF(job->shape->model, gp_model, heads),
             GP_REF(job->shape->model, gp_model, layers));
    GP_TRACE(trace, GP_TERM_SERVE_PREFILL_COMMUNICATION, prefill->communication_s,
             GP_SERVE_REF(job, parallelism, gp_parallelism, tp),
             GP_REF(job->shape->model, gp_model, hidden));
    if (job->image_tokens > 0) {
        const gp_vision *vision = &job->shape->model->vision;
        GP_TRACE(trace, GP_TERM_SERVE_IMAGE_TOKENS, job->image_tokens,
                 GP_SERVE_REF(job, traffic.images, gp_images, per_request),
                 GP_SERVE_REF(job, traffic.videos, gp_images, per_request),
                 GP_REF(&vision->processor, gp_image_processor, rule),
                 GP_REF(vision, gp_vision, patch), GP_REF(vision, gp_vision, merge));
        GP_TRACE(trace, GP_TERM_SERVE_VISION_TIME, serve_vision_s(cost, job->image_tokens),
                 GP_REF_TERM(GP_TERM_SERVE_IMAGE_TOKENS), GP_REF(vision, gp_vision, layers),
                 GP_REF(vision, gp_vision, hidden), gp_peak_ref(gpu, job->compute));
    }
    if (cost->adapter_s > 0)
        GP_TRACE(trace, GP_TERM_SERVE_ADAPTER_LOAD, cost->adapter_s,
                 GP_SERVE_REF(job, traffic, gp_traffic, adapters),
                 GP_SERVE_REF(job, traffic, gp_traffic, resident_adapters),
                 GP_REF(constants, gp_constants, serving_adapter_share_fraction),
                 GP_REF(constants, gp_constants, training_offload_bytes_per_s),
                 GP_REF(constants, gp_constants, training_offload_nvme_bytes_per_s));
    GP_TRACE(trace, GP_TERM_SERVE_PREFILL_OVERHEAD, prefill->overhead_s,
             GP_REF(job->shape->model, gp_model, layers),
             GP_REF(constants, gp_constants, serving_step_s));
    const double tuned_s =
        prefill->gemm_s + prefill->attention_s + prefill->communication_s + prefill->overhead_s;
    const bool prefills = prefill->total_s > cost->adapter_s; /* not where it decodes alone */
    if (prefills)
        GP_TRACE(trace, GP_TERM_SERVE_PREFILL_SPEED, tuned_s / (prefill->total_s - cost->adapter_s),
                 cost->own != NULL ? GP_REF(cost->own, gp_efficiency, own_serving)
                                   : GP_SERVE_REF(job, software, gp_software, tuning));
    GP_TRACE(trace, GP_TERM_SERVE_PREFILL, prefill->total_s,
             GP_REF_TERM(GP_TERM_SERVE_PREFILL_GEMM), GP_REF_TERM(GP_TERM_SERVE_PREFILL_ATTENTION),
             GP_REF_TERM(GP_TERM_SERVE_PREFILL_COMMUNICATION),
             GP_REF_TERM(GP_TERM_SERVE_PREFILL_OVERHEAD),
             prefills ? GP_REF_TERM(GP_TERM_SERVE_PREFILL_SPEED) : GP_REF_NONE,
             GP_REF_IF(cost->machine->hbm_bytes < constants->serving_small_memory_bytes, constants,
                       gp_constants, serving_small_tokens),
             cost->adapter_s > 0 ? GP_REF_TERM(GP_TERM_SERVE_ADAPTER_LOAD) : GP_REF_NONE,
             GP_SERVE_REF(job, traffic, gp_traffic, prefix_hit_fraction));
}

double gp_prefill_time_s(const gp_serve_job *job, const gp_machine *machine,
                         const gp_network *network, const gp_serve_layout *layout,
                         const gp_constants *constants, double tokens, gp_trace *trace) {
    gp_serve_cost cost;
    gp_serve_prefill prefill;
    gp_serve_cost_of(job, machine, network, layout, constants, &cost);
    gp_serve_prefill_of(&cost, tokens, 0, gp_num_min(job->image_tokens, tokens), &prefill);
    if (trace != NULL)
        gp_serve_prefill_trace(&cost, &prefill, trace);
    return prefill.total_s;
}

double gp_decode_step_s(const gp_serve_job *job, const gp_machine *machine,
                        const gp_network *network, const gp_serve_layout *layout,
                        const gp_constants *constants, double batch, double context,
                        gp_trace *trace) {
    gp_serve_cost cost;
    gp_serve_step step;
    gp_serve_cost_of(job, machine, network, layout, constants, &cost);
    gp_serve_step_of(&cost, batch, context, &step);
    if (trace != NULL)
        gp_serve_step_trace(&cost, &step, trace);
    return step.total_s;
}
