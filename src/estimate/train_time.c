/* Time of one optimizer step: matrix products, attention and element-wise work of the slowest
 * stage, the communication that they do not hide, the pipeline's bubble and the optimizer. Form and
 * shares: docs/formulas.md; every number is a catalogue constant or efficiency. */
#include <math.h>

#include "base/num.h"
#include "estimate/train.h"

typedef struct time_case {
    const gp_train_job *job;
    const gp_machine *machine;
    const gp_network *network;
    const gp_layout *layout;
    const gp_constants *constants;
    const gp_efficiency *efficiency;
    gp_train_split split;
    gp_train_rates rates;
    double passes;  /* matrix products: forward, and what the backward pass adds */
    bool recompute; /* the whole forward pass is done again */
    double works;   /* forward and backward passes over what both do alike: of 3 thirds */
    bool eager;     /* plain modules: every step of a layer goes through memory */
} time_case;

/* Times of one micro-batch on one stage. */
typedef struct stage_time {
    double gemm_s, attention_s, elementwise_s, launch_s, head_s, tp_s, cp_s, ep_s;
} stage_time;

/* Pre-training also trains the layers that predict further tokens; each has a pass of the output
 * head of its own. Pipelines place them where there is room. */
static double further_layers(const time_case *c) {
    bool pretrains = c->job->type == GP_WORKLOAD_TRAINING;
    return pretrains ? (double)c->job->shape->model->mtp : 0;
}

static double per_layer_to_stage(const time_case *c, double all_layers) {
    return all_layers / c->job->shape->layers * c->split.stage_layers;
}

/* A power cap lowers the clock; power goes with its square or faster, so the rate follows the
 * root. */
static double clock_factor(const gp_machine *machine) {
    return machine->power_cap_fraction < 1 ? sqrt(machine->power_cap_fraction) : 1;
}

/* Peaks go with the width of a format: what one of 16 bit would be. */
static double half_peak_of(gp_precision precision, double peak_flop_per_s) {
    static const double bytes[GP_PRECISION_COUNT] = {
        [GP_PRECISION_FP32] = 4, [GP_PRECISION_TF32] = 4, [GP_PRECISION_FP16] = 2,
        [GP_PRECISION_BF16] = 2, [GP_PRECISION_FP8] = 1,  [GP_PRECISION_MXFP8] = 1,
        [GP_PRECISION_INT8] = 1, [GP_PRECISION_FP4] = 0.5};
    return peak_flop_per_s * bytes[precision] / bytes[GP_PRECISION_BF16];
}

/* What a share of the peak is worth on this part over that of its architecture: the more watts and
 * bandwidth there are to a FLOP/s, the more of the peak is reached. The rate never falls where a
 * figure of the part rises, since the exponents sum to less than one. */
static double part_factor(const gp_machine *machine, const gp_constants *k, double half_peak) {
    const gp_gpu *gpu = machine->gpu;
    double watts = gpu->tdp_w > 0 ? gpu->tdp_w / half_peak / k->training_share_power_j : 1;
    double bytes = machine->hbm_bytes_per_s / half_peak / k->training_share_bytes;
    return gp_num_exp(k->training_share_power * gp_num_log(watts) +
                      k->training_share_bandwidth * gp_num_log(bytes));
}

static double reached_flop_per_s(const gp_machine *machine, const gp_constants *constants,
                                 const gp_train_rates *r, gp_precision precision, double share) {
    double peak = machine->peak_flop_per_s[precision];
    double half_peak = half_peak_of(precision, peak);
    double factor = gp_num_near(half_peak, r->half_peak)
                        ? r->half_factor
                        : part_factor(machine, constants, half_peak);
    double reached = share * factor;
    double square = reached * reached;
    return peak * reached / sqrt(sqrt(1 + square * square)) * clock_factor(machine);
}

void gp_train_rates_of(const gp_train_job *job, const gp_machine *machine,
                       const gp_constants *constants, gp_train_rates *ret) {
    const gp_machine *m = machine;
    const gp_efficiency *efficiency = m->efficiency[job->compute];
    bool bf16 = m->efficiency[GP_PRECISION_BF16] != NULL;
    gp_precision half = bf16 ? GP_PRECISION_BF16 : GP_PRECISION_FP16;
    half = m->efficiency[half] != NULL ? half : job->compute;
    ret->half_peak = half_peak_of(half, m->peak_flop_per_s[half]);
    ret->half_factor = part_factor(m, constants, ret->half_peak);
    bool narrow = m->peak_flop_per_s[job->compute] < m->peak_flop_per_s[half];
    ret->gemm_flop_per_s =
        reached_flop_per_s(m, constants, ret, job->compute, efficiency->gemm_fraction);
    /* Grouped products in 4 bit gain nothing on 8 bit: what they save goes into quantising. */
    bool four = job->compute == GP_PRECISION_FP4 && m->efficiency[GP_PRECISION_MXFP8] != NULL;
    gp_precision grouped = four ? GP_PRECISION_MXFP8 : job->compute;
    ret->experts = m->efficiency[grouped];
    ret->expert_flop_per_s =
        reached_flop_per_s(m, constants, ret, grouped, ret->experts->gemm_fraction);
    ret->half_gemm_flop_per_s =
        reached_flop_per_s(m, constants, ret, half, m->efficiency[half]->gemm_fraction);
    ret->attention_flop_per_s = reached_flop_per_s(m, constants, ret, narrow ? job->compute : half,
                                                   efficiency->attention_fraction);
    ret->hbm_bytes_per_s = m->hbm_bytes_per_s;
}

/* Share of the large-product rate that a product with few rows or columns reaches. */
static double saturation(double rows, double rows_half, double columns, double columns_half) {
    return 1 / (1 + rows_half / rows + columns_half / columns);
}

/* Rows at which a product reaches half of its rate: those that take as long as the reading of its
 * weights, times what else a short product loses. */
static double rows_half(const time_case *c, double flop_per_s) {
    return c->constants->training_gemm_tokens * flop_per_s / c->rates.hbm_bytes_per_s;
}

static double dense_gemm_s(const time_case *c) {
    const gp_shape *shape = c->job->shape;
    const gp_constants *k = c->constants;
    double parameters =
        (shape->attention_parameters + shape->dense_mlp_parameters + shape->router_parameters) /
        c->split.tp;
    double reached = saturation(c->split.tokens, rows_half(c, c->rates.gemm_flop_per_s),
                                shape->hidden / c->split.tp, k->training_gemm_width);
    return 2 * c->split.tokens * parameters * c->passes / (c->rates.gemm_flop_per_s * reached);
}

/* Older stacks are slower on everything that has to do with experts. */
static double moe_factor(const time_case *c) {
    return c->job->moe_factor > 0 ? c->job->moe_factor : 1;
}

/* Routed experts: the tokens of one expert are those of all ranks that share it. */
static double expert_gemm_s(const time_case *c) {
    const gp_shape *shape = c->job->shape;
    const gp_constants *k = c->constants;
    if (!shape->moe)
        return 0;
    double tokens = c->split.tokens / c->split.tp;
    double per_expert = tokens * c->split.ep * shape->top_k / shape->experts;
    /* Experts one by one are dense products of their tokens. */
    bool looped = c->job->loops_experts;
    double half = looped ? rows_half(c, c->rates.expert_flop_per_s) : k->training_expert_tokens;
    double reached = (looped ? 1 : c->rates.experts->moe_fraction) *
                     saturation(per_expert, half, shape->expert_width, k->training_gemm_width);
    double parameters = shape->moe_layers * shape->top_k * shape->one_expert_parameters;
    return 2 * tokens * parameters * c->passes / (c->rates.expert_flop_per_s * reached) *
           moe_factor(c);
}

/* Mean keys that a query of a causal sequence sees where at most `limit` are in sight. */
static double mean_context(double length, double limit) {
    if (limit <= 0 || limit >= length)
        return length / 2;
    return limit - limit * limit / (2 * length);
}

/* Packed documents do not see each other. */
static double attention_length(const gp_train_job *job) {
    return job->attention_length > 0 ? gp_num_min(job->attention_length, job->sequence_length)
                                     : job->sequence_length;
}

/* FLOPs of one forward pass of all layers, on one token. */
static double attention_flop(const gp_shape *shape, double length) {
    double full = shape->attention_layers * mean_context(length, shape->context_limit) *
                  shape->attention_width;
    double window =
        shape->window_layers * mean_context(length, shape->window_tokens) * shape->window_width;
    double index = shape->layers * length / 2 * shape->index_width / 2;
    return 4 * (full + window + index);
}

/* Passes of attention: selective recomputation repeats it where its scores are not kept. */
static double attention_passes(const time_case *c) {
    bool scores_dropped =
        c->layout->recompute == GP_RECOMPUTE_SELECTIVE && c->job->attention == GP_ATTENTION_EAGER;
    double backward = c->constants->training_attention_backward;
    return c->job->forward_only ? 1 : 1 + backward + (c->recompute || scores_dropped ? 1 : 0);
}

/* Scores written to memory and read again, per token; none where a fused kernel keeps them. */
static double scores_s(const time_case *c, double length) {
    const gp_shape *shape = c->job->shape;
    if (c->job->attention != GP_ATTENTION_EAGER)
        return 0;
    double scores = (shape->attention_layers + shape->window_layers) * shape->heads * length;
    return scores * c->constants->training_attention_eager_bytes / c->rates.hbm_bytes_per_s;
}

static double attention_s(const time_case *c) {
    const gp_shape *shape = c->job->shape;
    const gp_constants *k = c->constants;
    double length = attention_length(c->job), passes = attention_passes(c);
    double head = shape->heads > 0 ? shape->attention_width / shape->heads : 1;
    double rate = c->rates.attention_flop_per_s * saturation(length, k->training_attention_tokens,
                                                             head, k->training_attention_head);
    bool older =
        c->job->attention == GP_ATTENTION_FLASH2 || c->job->attention == GP_ATTENTION_TRITON;
    rate *= older && c->machine->flash2_behind ? k->training_attention_flash2_fraction : 1;
    rate *= c->job->attention == GP_ATTENTION_TRITON ? k->training_attention_triton_fraction : 1;
    double scan = shape->scan_elements * k->training_scan_bytes / c->rates.hbm_bytes_per_s;
    double each = attention_flop(shape, length) / rate + scan + scores_s(c, length);
    return c->split.tokens * each * passes / c->split.tp;
}

/* A quantised base is unpacked before every product: work of the plain arithmetic units. */
static double expand_s(const time_case *c) {
    const gp_constants *k = c->constants;
    if (!gp_train_is_expanded(c->job) || c->machine->gpu->flops.fp32 <= 0)
        return 0;
    double held = (c->split.dense_per_layer + c->split.expert_per_layer) * c->job->shape->layers;
    double each = c->job->weights == GP_FORMAT_INT4 ? k->training_dequantize_int4_flop
                                                    : k->training_dequantize_flop;
    return held * each * c->passes / (c->machine->gpu->flops.fp32 * clock_factor(c->machine));
}

/* Per token: dropout, scaling and sum around the adapters, which compiled stacks fold into their
 * products. */
static double adapter_bytes(const time_case *c) {
    bool folded = c->job->kernels == GP_KERNELS_AUTO;
    return folded ? 0 : c->job->adapter_width * 2 * c->constants->training_adapter_passes;
}

/* Norms, activation functions, residuals, casts; routing of tokens; expansion of a
 * quantised base. */
static double elementwise_s(const time_case *c) {
    const gp_shape *shape = c->job->shape;
    const gp_constants *k = c->constants;
    double width = shape->hidden + shape->ffn_width / 2;
    bool selective = c->layout->recompute == GP_RECOMPUTE_SELECTIVE && !c->job->forward_only;
    double works = c->works + (selective ? k->training_selective_fraction : 0);
    double bytes = shape->layers * k->training_elementwise_passes * 2 * width * works;
    bytes +=
        shape->moe_layers * k->training_moe_passes * shape->routed_bytes * works * moe_factor(c);
    bytes *= c->eager ? k->training_eager_factor : 1;
    bytes = (bytes + adapter_bytes(c) * works) * c->split.tokens / c->split.tp;
    bytes *= c->job->upcast && c->layout->zero != 3 ? 2 : 1; /* shards are cast back to 16 bit */
    return bytes / c->rates.hbm_bytes_per_s + expand_s(c);
}

/* A layer is a mixer and an MLP; hybrids list the two as layers of their own. */
static double whole_layers(const gp_shape *shape) {
    double mixers =
        shape->attention_layers + shape->window_layers + shape->mamba_layers + shape->linear_layers;
    return (mixers + shape->dense_layers + shape->moe_layers) / 2;
}

/* What the host adds to gather and free sharded weights: a unit is a layer, and with plain adapters
 * each of their matrices, which train while the layer around them does not. */
static double sharded_host_s(const time_case *c) {
    const gp_constants *k = c->constants;
    if (c->layout->zero != 3)
        return 0;
    double own = c->eager && !c->job->shards_modules ? c->job->adapter_matrices : 0;
    return whole_layers(c->job->shape) *
           (k->training_host_sharded_s + own * k->training_host_unit_s);
}

/* Of the adapters of a layer: those of other numbers than the model's have kernels of their own. */
static double host_adapter_s(const time_case *c) {
    const gp_constants *k = c->constants;
    if (!gp_train_is_adapter(c->job))
        return 0;
    return c->job->casts_adapters ? c->job->adapter_matrices * k->training_host_cast_s
                                  : k->training_host_adapter_s;
}

/* Time of the host per micro-batch where it holds the GPU up. Plain modules: it issues all layers,
 * and the GPU may be the slower of the two. Split experts: it waits for the sizes of every exchange
 * before it can issue what follows, and the GPU waits in turn. */
static double host_s(const time_case *c) {
    const gp_constants *k = c->constants;
    const gp_shape *shape = c->job->shape;
    if (c->job->kernels == GP_KERNELS_AUTO) {
        double routed = c->layout->ep > 1 ? shape->moe_layers : 0;
        double split = c->layout->tp > 1 ? 1 + k->training_host_split_fraction : 1;
        return routed * k->training_moe_layer_s * split * c->works;
    }
    double each = k->training_host_layer_s + host_adapter_s(c);
    double looped = c->job->loops_experts ? shape->moe_layers * shape->experts / c->split.ep : 0;
    double issued =
        (whole_layers(shape) + shape->moe_layers) * each + looped * k->training_host_expert_s;
    return issued * c->works + sharded_host_s(c);
}

/* Once per step: data, scaling of gradients, logging. Plain modules have it in their layers. */
static double host_step_s(const time_case *c) {
    return c->job->kernels == GP_KERNELS_AUTO ? c->constants->training_host_step_s : 0;
}

static double launch_s(const time_case *c) {
    const gp_shape *shape = c->job->shape;
    const gp_constants *k = c->constants;
    if (c->job->kernels != GP_KERNELS_AUTO) {
        return 0; /* part of what the host needs */
    }
    double layers = whole_layers(shape);
    double each =
        c->efficiency->layer_s + (gp_train_is_adapter(c->job) ? k->training_adapter_layer_s : 0);
    return layers * each * c->works;
}

/* GPUs that reach each other without the network: a machine, or a domain of several. */
static int64_t gpus_inside(const gp_machine *machine) {
    return gp_num_max_i64(1, gp_num_max_i64(machine->domain, machine->gpus));
}

/* Machines (or domains) that a group of consecutive GPUs spans. */
static int64_t domains_of(const time_case *c, int64_t gpus) {
    int64_t inside = gpus_inside(c->machine);
    return (gpus + inside - 1) / inside;
}

static double collective_s(const time_case *c, gp_collective collective, double bytes,
                           int64_t ranks, int64_t gpus) {
    return gp_collective_time_s(c->machine, c->network, c->constants, collective, bytes, ranks,
                                domains_of(c, gpus));
}

/* Passes that exchange within a layer: forward, backward, and forward again. */
static double exchanges(const time_case *c) {
    return c->job->forward_only ? 1 : c->recompute ? 3 : 2;
}

/* Sequence-parallel form: a gather and a scatter per block, forward and backward. Only exchange
 * inside the domain overlaps with the products; across machines all of it shows. */
static double tp_s(const time_case *c) {
    const gp_shape *shape = c->job->shape;
    int64_t tp = c->layout->tp;
    if (tp <= 1)
        return 0;
    double bytes = 2 * c->split.tokens * shape->hidden;
    double pair = collective_s(c, GP_COLLECTIVE_ALL_GATHER, bytes, tp, tp) +
                  collective_s(c, GP_COLLECTIVE_REDUCE_SCATTER, bytes, tp, tp);
    double shown = domains_of(c, tp) > 1 ? 1 : c->constants->training_tp_exposed;
    return shape->split_blocks * pair * exchanges(c) * shown;
}

/* Keys and values of the whole sequence, gathered forward, gathered and reduced backward. */
static double cp_s(const time_case *c) {
    const gp_shape *shape = c->job->shape;
    double layers = shape->attention_layers + shape->window_layers;
    if (c->layout->cp <= 1 || layers <= 0)
        return 0;
    double kv = (shape->kv_elements + shape->window_kv_elements) / layers;
    double bytes = 2 * kv * c->split.tokens * c->split.cp / c->split.tp;
    double gather = collective_s(c, GP_COLLECTIVE_ALL_GATHER, bytes, c->layout->cp,
                                 c->layout->cp * c->layout->tp);
    double times = c->job->forward_only ? 1 : c->recompute ? 4 : 3;
    return layers * gather * times * c->constants->training_cp_exposed;
}

/* Dispatch and combine, forward and backward. */
static double ep_s(const time_case *c) {
    const gp_shape *shape = c->job->shape;
    int64_t ep = c->layout->ep;
    if (ep <= 1 || !shape->moe)
        return 0;
    /* Across machines a token goes once to each that holds some of its experts. */
    double bytes = shape->routed_bytes * c->split.tokens / c->split.tp;
    double reached = (double)domains_of(c, ep);
    if (reached > 1 && shape->top_k > 0) {
        double missed = gp_num_pow(1 - 1 / reached, shape->top_k);
        bytes *= reached * (1 - missed) / shape->top_k;
    }
    double once = collective_s(c, GP_COLLECTIVE_ALL_TO_ALL, bytes, ep, ep);
    return shape->moe_layers * 2 * once * exchanges(c) * c->constants->training_ep_exposed *
           moe_factor(c);
}

/* Output head and loss, in 16 bit; a frozen head has no weight gradient. */
static double head_s(const time_case *c) {
    const gp_shape *shape = c->job->shape;
    const gp_constants *k = c->constants;
    double logits = c->split.tokens * shape->vocab / c->split.tp * (1 + further_layers(c));
    double reached = saturation(c->split.tokens, rows_half(c, c->rates.half_gemm_flop_per_s),
                                shape->hidden, k->training_gemm_width);
    double passes = c->job->forward_only ? 1 : gp_train_is_adapter(c->job) ? 2 : 3;
    return 2 * logits * shape->hidden * passes / (c->rates.half_gemm_flop_per_s * reached) +
           2 * logits *
               (c->eager ? k->memory_logits_eager_bytes : k->memory_logits_parallel_bytes) /
               c->rates.hbm_bytes_per_s;
}

static double busy_s(const stage_time *t) {
    return t->gemm_s + t->attention_s + t->elementwise_s + t->launch_s + t->head_s + t->tp_s +
           t->cp_s + t->ep_s;
}

static void scale_layers(stage_time *t, double factor) {
    t->gemm_s *= factor;
    t->attention_s *= factor;
    t->elementwise_s *= factor;
    t->launch_s *= factor;
    t->tp_s *= factor;
    t->cp_s *= factor;
    t->ep_s *= factor;
}

/* What the GPU waits for the host that issues its work ahead: the longer of the two counts, and
 * near equality both show. */
static double waited_s(double busy, double host) {
    if (host <= 0)
        return 0;
    double a = busy * busy, b = host * host;
    return sqrt(sqrt(a * a + b * b)) - busy;
}

/* The same where the host in turn waits for sizes: little of its time hides. */
static double waited_in_turn_s(double busy, double host) {
    double sum = busy * sqrt(busy) + host * sqrt(host);
    return host <= 0 ? 0 : gp_num_pow(sum, 2.0 / 3) - busy;
}

/* Ranks that share a step wait for the one with the longest samples. Of `dp` normal sums of `mbs`
 * samples the longest lies about half a deviation per doubling of `dp` above the mean. */
static double straggler_factor(const time_case *c) {
    double ranks = c->split.dp, samples = (double)c->layout->micro_batch;
    return ranks > 1 ? 1 + c->job->length_cv * gp_num_log2(ranks) / 2 / sqrt(samples) : 1;
}

/* The slower of the fullest stage and the one with the output head; ret_layers: without the
 * head. */
static stage_time slowest_stage(const time_case *c, double *ret_layers_s) {
    stage_time t = {
        .gemm_s = per_layer_to_stage(c, dense_gemm_s(c) + expert_gemm_s(c)),
        .attention_s = per_layer_to_stage(c, attention_s(c)),
        .elementwise_s = per_layer_to_stage(c, elementwise_s(c)),
        .launch_s = per_layer_to_stage(c, launch_s(c)),
        .tp_s = per_layer_to_stage(c, tp_s(c)),
        .cp_s = per_layer_to_stage(c, cp_s(c)),
        .ep_s = per_layer_to_stage(c, ep_s(c)),
    };
    /* The host is done with long samples as fast as with short ones. */
    double longest = straggler_factor(c), host = per_layer_to_stage(c, host_s(c));
    scale_layers(&t, longest);
    t.launch_s += c->job->kernels == GP_KERNELS_AUTO ? waited_in_turn_s(busy_s(&t), host)
                                                     : waited_s(busy_s(&t), host);
    double layers_s = busy_s(&t), head = head_s(c) * longest;
    double share = (c->split.last_layers + further_layers(c)) / c->split.stage_layers;
    *ret_layers_s = layers_s;
    if (layers_s * share + head >= layers_s) {
        scale_layers(&t, share);
        t.head_s = head;
    }
    return t;
}

/* What stays visible of an exchange that may hide under `cover` seconds of computation. */
static double exposed(double exchange_s, double always, double cover_s) {
    return always * exchange_s + gp_num_max(0, (1 - always) * exchange_s - cover_s);
}

typedef struct held {
    double dense, expert; /* trained parameters of one GPU before ZeRO, by sharing group */
} held;

static held trained_parameters(const time_case *c) {
    const gp_train_split *s = &c->split;
    if (gp_train_is_adapter(c->job)) {
        return (held){.dense = c->job->adapter_parameters / (s->tp * s->pp)};
    }
    double ends = s->pp > 1 ? gp_num_max(s->embedding, s->head)
                            : s->embedding + (c->job->shape->model->tied ? 0 : s->head);
    return (held){.dense = s->stage_layers * s->dense_per_layer + ends,
                  .expert = s->stage_layers * s->expert_per_layer};
}

/* Gather and reduce of `bytes` of dense states and of routed experts, in their own groups. */
static double group_s(const time_case *c, gp_collective collective, double dense, double expert) {
    int64_t ranks = c->layout->zero == 3 ? (int64_t)c->split.shard : c->layout->dp * c->layout->cp;
    int64_t spanned = c->layout->tp * ranks;
    int64_t expert_ranks = gp_num_max_i64(1, spanned / gp_num_max_i64(1, c->layout->ep));
    double time = collective_s(c, collective, dense, ranks, spanned);
    if (expert > 0 && expert_ranks > 1)
        time += collective_s(c, collective, expert, expert_ranks, spanned);
    return time;
}

/* Once per step: gradients reduced, updated parameters gathered. */
static double replica_exchange_s(const time_case *c, const held *h) {
    double gradient = gp_format_bytes(c->constants, c->job->gradients);
    double weight = gp_format_bytes(c->constants, GP_FORMAT_BF16);
    if (c->layout->zero == 0)
        return group_s(c, GP_COLLECTIVE_ALL_REDUCE, h->dense * gradient, h->expert * gradient);
    return group_s(c, GP_COLLECTIVE_REDUCE_SCATTER, h->dense * gradient, h->expert * gradient) +
           group_s(c, GP_COLLECTIVE_ALL_GATHER, h->dense * weight, h->expert * weight);
}

/* Weights that wait in host memory: out and back for every micro-batch. */
static double offload_s(const time_case *c) {
    const gp_train_split *s = &c->split;
    if (!c->job->offload_parameters)
        return 0;
    const bool quantized = gp_train_is_quantized(c->job);
    const double stored =
        gp_format_bytes(c->constants, quantized ? c->job->weights : GP_FORMAT_BF16);
    const double share = c->layout->zero == 3 ? s->shard : 1;
    const double bytes =
        2 * s->stage_layers * (s->dense_per_layer + s->expert_per_layer) * stored / share;
    return s->micro_batches * bytes / gp_train_offload_rate(c->job, c->constants);
}

/* Fully sharded: per micro-batch, weights gathered forward and backward, gradients reduced. */
static double sharded_exchange_s(const time_case *c, const held *trained) {
    const gp_train_split *s = &c->split;
    double half = gp_format_bytes(c->constants, GP_FORMAT_BF16);
    double stored =
        gp_train_is_quantized(c->job) ? gp_format_bytes(c->constants, c->job->weights) : half;
    double dense = s->stage_layers * s->dense_per_layer + s->embedding;
    double expert = s->stage_layers * s->expert_per_layer;
    double gather = group_s(c, GP_COLLECTIVE_ALL_GATHER, dense * stored, expert * stored);
    if (c->job->forward_only)
        return s->micro_batches * gather;
    double reduce =
        group_s(c, GP_COLLECTIVE_REDUCE_SCATTER, trained->dense * half, trained->expert * half);
    return s->micro_batches * (2 * gather + reduce);
}

/* Sharded in groups: once a step every GPU sums its shard of the gradients with those of the other
 * groups, on a rail of its own. */
static double between_groups_s(const time_case *c, const held *trained) {
    const gp_train_split *s = &c->split;
    double groups = s->dp * s->cp / s->shard;
    double half = gp_format_bytes(c->constants, GP_FORMAT_BF16);
    if (groups <= 1 || c->job->forward_only)
        return 0;
    double bytes = (trained->dense / s->shard + trained->expert / s->expert_shard) * half;
    int64_t spanned = domains_of(c, c->layout->tp * c->layout->dp * c->layout->cp);
    return gp_collective_time_s(c->machine, c->network, c->constants, GP_COLLECTIVE_ALL_REDUCE,
                                bytes, (int64_t)groups, gp_num_min_i64((int64_t)groups, spanned));
}

/* Exchange between replicas and the part of it that the step shows. */
static double dp_exposed_s(const time_case *c, const held *h, double micro_batch_s) {
    const gp_constants *k = c->constants;
    if (c->layout->dp * c->layout->cp <= 1)
        return 0;
    double cover = k->training_overlap_fraction * micro_batch_s;
    if (c->layout->zero == 3)
        return exposed(sharded_exchange_s(c, h), k->training_fsdp_exposed,
                       cover * c->split.micro_batches) +
               exposed(between_groups_s(c, h), k->training_dp_exposed, cover);
    return c->job->forward_only ? 0
                                : exposed(replica_exchange_s(c, h), k->training_dp_exposed, cover);
}

/* States outside the GPU: paged in and out for it to update, or updated by the processors of the
 * machine, which gradients go out to and new weights come back from; from drives the states are
 * read for that and written back. */
static double away_s(const time_case *c, double states) {
    const gp_constants *k = c->constants;
    double rate = gp_train_offload_rate(c->job, k);
    double read = c->job->offload_drives ? 2 * k->memory_optimizer_bytes[c->job->optimizer] : 0;
    if (c->job->pages_optimizer) {
        double both = 2 * gp_format_bytes(k, GP_FORMAT_FP32);
        return states * 2 * both / rate;
    }
    double each = gp_format_bytes(k, c->job->gradients) + gp_format_bytes(k, GP_FORMAT_BF16) + read;
    double of_machine = states * (double)gp_num_max_i64(1, c->machine->gpus);
    return states * each / rate +
           of_machine * k->training_optimizer_bytes / k->training_update_bytes_per_s;
}

static double optimizer_s(const time_case *c, const held *h) {
    if (c->job->forward_only)
        return 0;
    bool sharded = c->layout->zero >= 1;
    double dense = h->dense / (sharded ? c->split.shard : 1);
    double expert = h->expert / (sharded ? c->split.expert_shard : 1);
    const gp_constants *k = c->constants;
    double states = dense + expert, away = states * c->job->offload_fraction;
    double traffic =
        (states - away) * k->training_optimizer_bytes * (c->eager ? k->training_eager_factor : 1);
    return traffic / c->rates.hbm_bytes_per_s + away_s(c, away);
}

/* Activations handed on and gradients handed back, per chunk and micro-batch. */
static double pp_exposed_s(const time_case *c) {
    if (c->layout->pp <= 1)
        return 0;
    double bytes = 2 * c->split.tokens * c->job->shape->hidden / c->split.tp;
    bool inside = gp_layout_gpus(c->layout) <= gpus_inside(c->machine);
    double send = gp_point_to_point_time_s(c->machine, c->network, c->constants, bytes, inside);
    double ways = c->job->forward_only ? 1 : 2;
    return ways * c->split.vpp * c->split.micro_batches * send * c->constants->training_pp_exposed;
}

static double compute_s(const stage_time *t) {
    return t->gemm_s + t->attention_s + t->elementwise_s + t->head_s;
}

/* False where the work and the bubble alone take longer than is asked about. */
static bool set_step(const time_case *c, double slower, gp_train_time *time) {
    double layers_s = 0, m = c->split.micro_batches;
    stage_time stage = slowest_stage(c, &layers_s);
    time->bubble_s = (c->split.pp - 1) / c->split.vpp * layers_s;
    if (c->job->most_s > 0 && slower * (m * busy_s(&stage) + time->bubble_s) > c->job->most_s)
        return false;
    held trained = trained_parameters(c);
    time->gemm_s = m * stage.gemm_s;
    time->attention_s = m * stage.attention_s;
    time->elementwise_s = m * stage.elementwise_s;
    time->launch_s = m * stage.launch_s + host_step_s(c);
    time->head_s = m * stage.head_s;
    time->tp_s = m * stage.tp_s;
    time->cp_s = m * stage.cp_s;
    time->ep_s = m * stage.ep_s;
    time->pp_s = pp_exposed_s(c);
    double computed = compute_s(&stage);
    time->dp_s = dp_exposed_s(c, &trained, computed);
    time->optimizer_s =
        optimizer_s(c, &trained) + gp_num_max(0, offload_s(c) - c->split.micro_batches * computed);
    return true;
}

/* Untuned or differently built software is slower by one factor on everything. */
static void slow_down(gp_train_time *time, double factor) {
    double *const parts[] = {&time->gemm_s,   &time->attention_s, &time->elementwise_s,
                             &time->head_s,   &time->launch_s,    &time->tp_s,
                             &time->cp_s,     &time->ep_s,        &time->pp_s,
                             &time->bubble_s, &time->dp_s,        &time->optimizer_s};
    time->step_s = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        *parts[i] *= factor;
        time->step_s += *parts[i];
    }
    time->communication_s = time->tp_s + time->cp_s + time->ep_s + time->pp_s + time->dp_s;
}

/* Useful FLOPs of a token: forward and twice that backward (once over a frozen base), causal
 * attention counted by half, no recomputation. */
static double mfu_fraction(const time_case *c, double tokens_per_s) {
    const gp_shape *shape = c->job->shape;
    double linear = gp_train_is_adapter(c->job) ? 2 : 3;
    double flop =
        linear * 2 * shape->linear_parameters + 3 * attention_flop(shape, attention_length(c->job));
    double peak = c->machine->peak_flop_per_s[c->job->compute];
    return tokens_per_s * flop / (peak * (double)gp_layout_gpus(c->layout));
}

static void trace_work(const time_case *c, const gp_train_time *t, gp_trace *trace) {
    const gp_constants *k = c->constants;
    const gp_machine *m = c->machine;
    const gp_efficiency *e = c->efficiency;
    const gp_data *data = &c->job->workload->data;
    const bool expanded = gp_train_is_expanded(c->job) && m->gpu->flops.fp32 > 0;
    const bool int4 = c->job->weights == GP_FORMAT_INT4;
    GP_TRACE(trace, GP_TERM_TRAIN_GEMM_TIME, t->gemm_s, GP_REF_TERM(GP_TERM_ACTIVE_PARAMETERS),
             GP_REF(data, gp_data, global_batch), GP_REF(e, gp_efficiency, gemm_fraction),
             gp_peak_ref(m->gpu, c->job->compute), GP_REF(k, gp_constants, training_gemm_tokens),
             GP_REF(k, gp_constants, training_gemm_width), GP_REF(e, gp_efficiency, moe_fraction),
             GP_REF(k, gp_constants, training_share_power),
             GP_REF(k, gp_constants, training_share_power_j),
             GP_REF(k, gp_constants, training_share_bandwidth),
             GP_REF(k, gp_constants, training_share_bytes));
    GP_TRACE(trace, GP_TERM_TRAIN_ATTENTION_TIME, t->attention_s,
             GP_REF(data, gp_data, sequence_length), GP_REF(e, gp_efficiency, attention_fraction),
             GP_REF(&m->gpu->flops, gp_flops, bf16),
             GP_REF(k, gp_constants, training_attention_backward),
             GP_REF(k, gp_constants, training_attention_tokens),
             GP_REF(k, gp_constants, training_attention_head));
    GP_TRACE(trace, GP_TERM_TRAIN_ELEMENTWISE_TIME, t->elementwise_s,
             GP_REF(m->gpu, gp_gpu, memory_bytes_per_s),
             GP_REF(k, gp_constants, training_elementwise_passes),
             GP_REF(k, gp_constants, training_moe_passes),
             GP_REF_IF(c->layout->recompute == GP_RECOMPUTE_SELECTIVE, k, gp_constants,
                       training_selective_fraction),
             GP_REF_IF(expanded && !int4, k, gp_constants, training_dequantize_flop),
             GP_REF_IF(expanded && int4, k, gp_constants, training_dequantize_int4_flop),
             GP_REF_IF(expanded, &m->gpu->flops, gp_flops, fp32));
    GP_TRACE(trace, GP_TERM_TRAIN_HEAD_TIME, t->head_s,
             GP_REF(&c->job->workload->model, gp_model, vocab),
             GP_REF(&c->job->workload->model, gp_model, hidden),
             GP_REF(e, gp_efficiency, gemm_fraction),
             c->eager ? GP_REF(k, gp_constants, memory_logits_eager_bytes)
                      : GP_REF(k, gp_constants, memory_logits_parallel_bytes));
    GP_TRACE(trace, GP_TERM_TRAIN_LAUNCH_TIME, t->launch_s,
             GP_REF(&c->job->workload->model, gp_model, layers), GP_REF(e, gp_efficiency, layer_s),
             GP_REF(k, gp_constants, training_moe_layer_s),
             GP_REF(k, gp_constants, training_host_step_s),
             GP_REF_IF(gp_train_is_adapter(c->job), k, gp_constants, training_adapter_layer_s));
    GP_TRACE(trace, GP_TERM_TRAIN_BUBBLE_TIME, t->bubble_s, GP_REF_TERM(GP_TERM_TRAIN_GEMM_TIME),
             GP_REF_TERM(GP_TERM_TRAIN_ATTENTION_TIME));
    GP_TRACE(trace, GP_TERM_TRAIN_OPTIMIZER_TIME, t->optimizer_s, GP_REF_TERM(GP_TERM_PARAMETERS),
             GP_REF(k, gp_constants, training_optimizer_bytes),
             GP_REF_IF(c->job->offload_drives, k, gp_constants,
                       memory_optimizer_bytes[c->job->optimizer]),
             GP_REF(m->gpu, gp_gpu, memory_bytes_per_s));
}

static void trace_communication(const time_case *c, const gp_train_time *t, gp_trace *trace) {
    const gp_constants *k = c->constants;
    const gp_link *link = &c->machine->gpu->link;
    const gp_format gathered = gp_train_is_quantized(c->job) ? c->job->weights : GP_FORMAT_BF16;
    GP_TRACE(trace, GP_TERM_TRAIN_TP_TIME, t->tp_s, GP_REF(link, gp_link, bandwidth_bytes_per_s),
             GP_REF(k, gp_constants, memory_format_bytes[GP_FORMAT_BF16]),
             GP_REF(k, gp_constants, training_tp_exposed));
    GP_TRACE(trace, GP_TERM_TRAIN_CP_TIME, t->cp_s, GP_REF(link, gp_link, bandwidth_bytes_per_s),
             GP_REF(k, gp_constants, training_cp_exposed));
    GP_TRACE(trace, GP_TERM_TRAIN_EP_TIME, t->ep_s, GP_REF(link, gp_link, bandwidth_bytes_per_s),
             GP_REF(k, gp_constants, network_scale_out_fraction),
             GP_REF(k, gp_constants, training_ep_exposed));
    GP_TRACE(trace, GP_TERM_TRAIN_PP_TIME, t->pp_s,
             GP_REF(k, gp_constants, network_scale_out_fraction),
             GP_REF(k, gp_constants, network_send_latency_s),
             GP_REF(k, gp_constants, training_pp_exposed));
    GP_TRACE(trace, GP_TERM_TRAIN_DP_TIME, t->dp_s, GP_REF_TERM(GP_TERM_PARAMETERS),
             GP_REF(k, gp_constants, memory_format_bytes[c->job->gradients]),
             GP_REF(k, gp_constants, memory_format_bytes[gathered]),
             GP_REF(k, gp_constants, network_scale_out_fraction),
             GP_REF(k, gp_constants, training_dp_exposed),
             GP_REF(k, gp_constants, training_fsdp_exposed),
             GP_REF(k, gp_constants, training_overlap_fraction));
}

/* Rates of own runs have the tuning in them that the spec leaves open. */
static bool has_own_tuning(const gp_train_job *job, const gp_efficiency *efficiency) {
    return efficiency->own_runs > 0 && job->assumed_tuning > 0;
}

static void trace_step(const time_case *c, const gp_train_time *t, gp_trace *trace) {
    if (trace == NULL)
        return;
    trace_work(c, t, trace);
    trace_communication(c, t, trace);
    if (c->job->frozen != NULL)
        GP_TRACE(trace, GP_TERM_TRAIN_FROZEN_TIME, t->frozen_s,
                 GP_REF_TERM(GP_TERM_ACTIVE_PARAMETERS),
                 GP_REF(&c->job->workload->method, gp_method, kind),
                 GP_REF(&c->job->workload->data, gp_data, global_batch));
    GP_TRACE(trace, GP_TERM_TRAIN_COMPUTE_TIME, t->step_s - t->communication_s - t->bubble_s,
             GP_REF_TERM(GP_TERM_TRAIN_GEMM_TIME), GP_REF_TERM(GP_TERM_TRAIN_ATTENTION_TIME),
             GP_REF_TERM(GP_TERM_TRAIN_ELEMENTWISE_TIME), GP_REF_TERM(GP_TERM_TRAIN_HEAD_TIME),
             GP_REF_TERM(GP_TERM_TRAIN_LAUNCH_TIME), GP_REF_TERM(GP_TERM_TRAIN_OPTIMIZER_TIME),
             c->job->frozen != NULL ? GP_REF_TERM(GP_TERM_TRAIN_FROZEN_TIME) : GP_REF_NONE);
    GP_TRACE(trace, GP_TERM_TRAIN_COMMUNICATION_TIME, t->communication_s,
             GP_REF_TERM(GP_TERM_TRAIN_TP_TIME), GP_REF_TERM(GP_TERM_TRAIN_CP_TIME),
             GP_REF_TERM(GP_TERM_TRAIN_EP_TIME), GP_REF_TERM(GP_TERM_TRAIN_PP_TIME),
             GP_REF_TERM(GP_TERM_TRAIN_DP_TIME));
    GP_TRACE(trace, GP_TERM_TRAIN_STEP_TIME, t->step_s, GP_REF_TERM(GP_TERM_TRAIN_COMPUTE_TIME),
             GP_REF_TERM(GP_TERM_TRAIN_COMMUNICATION_TIME), GP_REF_TERM(GP_TERM_TRAIN_BUBBLE_TIME),
             has_own_tuning(c->job, c->efficiency)
                 ? GP_REF(c->efficiency, gp_efficiency, own_runs)
                 : GP_REF(&c->job->workload->software, gp_software, tuning));
    GP_TRACE(trace, GP_TERM_TRAIN_TOKENS_PER_S, t->tokens_per_s,
             GP_REF(&c->job->workload->data, gp_data, global_batch),
             GP_REF_TERM(GP_TERM_TRAIN_STEP_TIME));
    GP_TRACE(trace, GP_TERM_TRAIN_MFU, t->mfu_fraction, GP_REF_TERM(GP_TERM_TRAIN_TOKENS_PER_S),
             GP_REF_TERM(GP_TERM_ACTIVE_PARAMETERS));
}

static double slowdown(const gp_train_job *job, const gp_efficiency *efficiency) {
    double speed = job->speed_factor > 0 ? job->speed_factor : 1;
    return has_own_tuning(job, efficiency) ? job->assumed_tuning / speed : 1 / speed;
}

/* A reference or a teacher reads every sequence that is trained on. */
static double frozen_s(const time_case *c) {
    if (c->job->frozen == NULL)
        return 0;
    gp_train_job frozen = *c->job;
    gp_layout layout = *c->layout;
    gp_train_time time;
    frozen.most_s = 0;
    frozen.shape = c->job->frozen;
    frozen.frozen = NULL;
    frozen.forward_only = true;
    if (!frozen.shape->moe)
        layout.ep = layout.expert_tp = 1;
    gp_train_step_time(&frozen, c->machine, c->network, &layout, c->constants, NULL, &time);
    return time.step_s;
}

void gp_train_step_time(const gp_train_job *job, const gp_machine *machine,
                        const gp_network *network, const gp_layout *layout,
                        const gp_constants *constants, gp_trace *trace, gp_train_time *ret) {
    time_case c = {.job = job,
                   .machine = machine,
                   .network = network,
                   .layout = layout,
                   .constants = constants,
                   .efficiency = machine->efficiency[job->compute]};
    gp_train_time time = {.step_s = HUGE_VAL};
    *ret = time;
    if (c.efficiency == NULL)
        return;
    gp_train_split_of(job, layout, &c.split);
    if (job->rates != NULL) {
        c.rates = *job->rates;
    } else {
        gp_train_rates_of(job, machine, constants, &c.rates);
    }
    c.recompute = layout->recompute == GP_RECOMPUTE_FULL && !job->forward_only;
    c.works = job->forward_only ? 1.0 / 3 : c.recompute ? 1 + 1.0 / 3 : 1;
    c.eager = job->kernels == GP_KERNELS_EAGER;
    c.passes = job->forward_only ? 1 : (gp_train_is_adapter(job) ? 2 : 3) + (c.recompute ? 1 : 0);
    double slower = slowdown(job, c.efficiency);
    if (!set_step(&c, slower, &time))
        return;
    slow_down(&time, slower);
    time.frozen_s = frozen_s(&c);
    time.step_s += time.frozen_s;
    double packing = job->packing_fraction > 0 ? job->packing_fraction : 1;
    double tokens = layout->global_batch_sequences > 0
                        ? (double)layout->global_batch_sequences * job->sequence_length
                        : job->global_batch;
    time.tokens_per_s = tokens * packing / time.step_s;
    time.mfu_fraction = mfu_fraction(&c, tokens / time.step_s);
    trace_step(&c, &time, trace);
    *ret = time;
}

double gp_train_shared_step_s(const gp_train_time *time, int64_t jobs) {
    double busy = time->step_s - time->launch_s;
    return gp_num_max(time->step_s, busy * (double)gp_num_max_i64(1, jobs));
}
