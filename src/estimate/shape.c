/* From a model's configuration to what the formulas need: parameters by kind, FLOPs per token,
 * cache and activation bytes. Formulas of the parts: the models' own reference implementations;
 * docs/formulas.md lists them. */
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "estimate/estimate.h"

/* How many layers of each kind there are. */
typedef struct layer_counts {
    double full, window, mamba, linear; /* mixers */
    double dense, moe;                  /* MLPs */
    double index;                       /* layers with a sparse-attention indexer */
} layer_counts;

/* Widths of one attention layer. */
typedef struct attention_widths {
    double query, key, value, output; /* output: value width of all query heads */
    double kv_elements;
    double parameters;
} attention_widths;

static double or_else(int64_t given, double otherwise) {
    return given > 0 ? (double)given : otherwise;
}

static void count_pattern(const char *pattern, layer_counts *counts) {
    for (const char *c = pattern; *c != '\0'; c++) {
        double *slot = *c == 'M'   ? &counts->mamba
                       : *c == 'E' ? &counts->moe
                       : *c == '*' ? &counts->full
                       : *c == '-' ? &counts->dense
                                   : NULL;
        if (slot != NULL)
            *slot += 1;
    }
}

static void count_plain(const gp_model *model, layer_counts *counts) {
    const gp_experts *experts = &model->experts;
    double layers = (double)model->layers;
    counts->mamba = (double)model->mamba.layers;
    counts->linear = (double)model->linear.layers;
    double mixers = layers - counts->mamba - counts->linear;
    if (model->window.size > 0)
        counts->window = or_else(model->window.layers, mixers);
    counts->full = mixers - counts->window;
    if (experts->count > 0) {
        int64_t behind = model->layers - experts->first_dense;
        int64_t moe = behind / gp_num_max_i64(1, experts->every); /* whole layers */
        counts->moe = (double)moe;
    }
    bool has_mlp = model->ffn > 0 || experts->dense_ffn > 0; /* state-space blocks may do without */
    counts->dense = has_mlp || counts->mamba < layers ? layers - counts->moe : 0;
}

static layer_counts count_layers(const gp_model *model) {
    layer_counts counts = {0};
    if (model->blocks.count > 0) {
        for (size_t i = 0; i < model->blocks.count; i++) {
            const gp_block *block = &model->blocks.items[i];
            counts.full += block->kv_heads > 0 ? (double)block->layers : 0;
            counts.dense += block->ffn > 0 ? (double)block->layers : 0;
        }
    } else if (model->pattern != NULL && model->pattern[0] != '\0') {
        count_pattern(model->pattern, &counts);
    } else {
        count_plain(model, &counts);
    }
    if (model->sparse.top_k > 0)
        counts.index = or_else(model->sparse.layers, counts.full);
    return counts;
}

static attention_widths latent_attention(const gp_model *model) {
    const gp_mla *mla = &model->mla;
    double hidden = (double)model->hidden, heads = (double)model->heads;
    double nope = (double)mla->nope, rope = (double)mla->rope, value = (double)mla->value;
    double q_lora = (double)mla->q_lora, kv_lora = (double)mla->kv_lora;
    attention_widths a = {.query = heads * (nope + rope),
                          .key = heads * (nope + rope),
                          .value = heads * value,
                          .output = heads * value,
                          .kv_elements = kv_lora + rope};
    double query = q_lora > 0 ? hidden * q_lora + q_lora * a.query : hidden * a.query;
    double gate = model->attention_gate ? hidden * a.output : 0;
    a.parameters = query + hidden * (kv_lora + rope) + kv_lora * heads * (nope + value) +
                   a.output * hidden + gate;
    return a;
}

/* One shared key-value head, low-rank query and grouped low-rank output (DeepSeek V4). */
static attention_widths compressed_attention(const gp_model *model) {
    const gp_compressed_attention *c = &model->compressed;
    double hidden = (double)model->hidden, heads = (double)model->heads;
    double dim = (double)model->head_dim, q_lora = (double)c->q_lora;
    double o_lora = (double)c->o_lora, o_groups = (double)c->o_groups;
    attention_widths a = {.query = heads * dim, .key = dim, .output = heads * dim};
    a.kv_elements = dim;
    a.parameters = hidden * q_lora + q_lora * a.query + hidden * dim + a.output * o_lora +
                   o_groups * o_lora * hidden;
    return a;
}

static attention_widths grouped_attention(const gp_model *model, double kv_heads, double dim,
                                          double value_dim, bool key_is_value) {
    double hidden = (double)model->hidden, heads = (double)model->heads;
    attention_widths a = {.query = heads * dim,
                          .key = kv_heads * dim,
                          .value = key_is_value ? 0 : kv_heads * value_dim,
                          .output = heads * value_dim};
    double gate = model->attention_gate ? a.query : 0;
    a.kv_elements = a.key + a.value;
    a.parameters = hidden * (a.query + gate + a.key + a.value) + a.output * hidden;
    return a;
}

static attention_widths attention_of(const gp_model *model, bool full_layer, int64_t block_heads) {
    if (model->mla.kv_lora > 0)
        return latent_attention(model);
    if (model->compressed.q_lora > 0)
        return compressed_attention(model);
    double heads = (double)model->heads;
    double dim = or_else(model->head_dim, heads > 0 ? (double)model->hidden / heads : 0);
    double kv_heads = or_else(model->kv_heads, heads);
    double value_dim = or_else(model->value_dim, dim);
    bool key_is_value = false;
    if (full_layer) {
        kv_heads = or_else(model->full.kv_heads, kv_heads);
        dim = or_else(model->full.head_dim, dim);
        value_dim = model->full.head_dim > 0 ? dim : value_dim;
        key_is_value = model->full.key_is_value;
    }
    return grouped_attention(model, or_else(block_heads, kv_heads), dim, value_dim, key_is_value);
}

/* Mamba-2: input projection, convolution with bias, A, D and step biases, norm, output. */
static double mamba_parameters(const gp_model *model) {
    const gp_mamba *m = &model->mamba;
    double hidden = (double)model->hidden, heads = (double)m->heads;
    double inner = heads * (double)m->head_dim, states = (double)(m->groups * m->state);
    return hidden * (2 * inner + 2 * states + heads) +
           (inner + 2 * states) * (double)(m->conv + 1) + 3 * heads + inner + inner * hidden;
}

static double linear_parameters(const gp_model *model) {
    const gp_linear_attention *l = &model->linear;
    double hidden = (double)model->hidden;
    double key = (double)(l->key_heads * l->key_dim);
    double value = (double)(l->value_heads * l->value_dim);
    double shared = hidden * (2 * key + value) + (2 * key + value) * (double)l->conv +
                    hidden * value + value * hidden;
    if (l->kind == GP_LINEAR_KDA) {
        double rank = (double)l->key_dim;
        return shared + hidden * rank + rank * key + hidden * (double)l->key_heads;
    }
    return shared + 2 * hidden * (double)l->value_heads;
}

static double sparse_parameters(const gp_model *model) {
    const gp_sparse_attention *s = &model->sparse;
    double hidden = (double)model->hidden;
    double input = or_else(model->mla.q_lora, hidden);
    double width = (double)(s->index_heads * s->index_dim);
    return input * width + hidden * (double)(s->index_dim + s->index_heads);
}

/* Compressors of the cache, and the indexer of the fine layers. */
static double compression_parameters(const gp_model *model) {
    const gp_compressed_attention *c = &model->compressed;
    double hidden = (double)model->hidden, dim = (double)model->head_dim;
    double index = (double)(c->q_lora * c->index_heads * c->index_dim) +
                   hidden * (double)c->index_heads + 4 * hidden * (double)c->index_dim;
    return (double)c->fine.layers * (4 * hidden * dim + index) +
           (double)c->coarse.layers * 2 * hidden * dim;
}

static void set_vision(const gp_model *model, gp_shape *shape) {
    const gp_vision *v = &model->vision;
    double width = (double)v->hidden, hidden = (double)model->hidden;
    double matrices = v->gated ? 3 : 2;
    double block = 4 * width * or_else(v->qkv, width) + matrices * width * (double)v->ffn;
    double patch = 3 * (double)(v->patch * v->patch) * or_else(v->temporal_patch, 1) * width;
    double merged = (double)(v->merge * v->merge) * width;
    double projector = v->merge > 0 ? merged * merged + merged * hidden : width * hidden;
    shape->vision_patch_parameters = (double)v->layers * block + patch;
    shape->vision_token_parameters = or_else(v->projectors, 1) * projector;
    shape->vision_parameters = shape->vision_patch_parameters + (double)v->positions * width +
                               shape->vision_token_parameters;
}

static double dense_width(const gp_model *model) {
    return or_else(model->experts.dense_ffn, (double)model->ffn);
}

static void set_mlps(const gp_model *model, const layer_counts *counts, gp_shape *shape) {
    const gp_experts *e = &model->experts;
    double hidden = shape->hidden, matrices = shape->mlp_matrices;
    double latent = or_else(e->latent, hidden);
    double shared = e->shared > 0 ? (double)e->shared_ffn : 0;
    shape->dense_mlp_parameters = counts->dense * matrices * hidden * dense_width(model);
    if (counts->moe > 0) {
        double projections = e->latent > 0 ? 2 * hidden * latent : 0;
        shape->expert_width = (double)e->ffn;
        shape->one_expert_parameters = matrices * latent * shape->expert_width;
        shape->expert_parameters = counts->moe * shape->experts * shape->one_expert_parameters;
        shape->router_parameters = counts->moe * shape->experts * hidden;
        shape->dense_mlp_parameters += counts->moe * (matrices * hidden * shared + projections);
        shape->routed_bytes = 2 * shape->top_k * latent;
    }
    double active = counts->dense * dense_width(model) +
                    counts->moe * (shape->top_k * shape->expert_width + shared);
    shape->ffn_width = active / shape->layers;
}

/* Layers of a searched architecture differ in heads and width. */
static void set_blocks(const gp_model *model, gp_shape *shape) {
    double width = 0;
    shape->attention_parameters = 0;
    shape->dense_mlp_parameters = 0;
    shape->kv_elements = 0;
    for (size_t i = 0; i < model->blocks.count; i++) {
        const gp_block *block = &model->blocks.items[i];
        double layers = (double)block->layers;
        if (block->kv_heads > 0) {
            attention_widths a = attention_of(model, true, block->kv_heads);
            shape->attention_parameters += layers * a.parameters;
            shape->kv_elements += layers * a.kv_elements;
        }
        width += layers * (double)block->ffn;
    }
    shape->dense_mlp_parameters = shape->mlp_matrices * shape->hidden * width;
    shape->ffn_width = width / shape->layers;
}

static void set_mixers(const gp_model *model, const layer_counts *counts, gp_shape *shape) {
    attention_widths full = attention_of(model, true, 0), window = attention_of(model, false, 0);
    shape->attention_parameters =
        counts->full * full.parameters + counts->window * window.parameters +
        counts->mamba * mamba_parameters(model) + counts->linear * linear_parameters(model) +
        counts->index * sparse_parameters(model);
    shape->attention_width = (full.query + full.output) / 2;
    shape->window_width = (window.query + window.output) / 2;
    shape->kv_elements = (counts->full - (double)model->vision.cross_layers) * full.kv_elements;
    shape->window_kv_elements = counts->window * window.kv_elements;
    shape->window_tokens = (double)model->window.size;
    shape->scan_elements =
        counts->mamba * (double)(model->mamba.heads * model->mamba.head_dim * model->mamba.state) +
        counts->linear *
            (double)(model->linear.value_heads * model->linear.value_dim * model->linear.key_dim);
    if (counts->index > 0) {
        shape->context_limit = (double)model->sparse.top_k;
        shape->index_layers = counts->index;
        shape->index_width = (double)(model->sparse.index_heads * model->sparse.index_dim) *
                             counts->index / shape->layers;
    }
}

/* Every layer sees a short window; beyond it, one entry per `ratio` tokens. */
static void set_compression(const gp_model *model, const layer_counts *counts, gp_shape *shape) {
    const gp_compressed_attention *c = &model->compressed;
    double dim = (double)model->head_dim, fine = (double)c->fine.layers;
    double fine_ratio = or_else(c->fine.ratio, 1), coarse_ratio = or_else(c->coarse.ratio, 1);
    shape->attention_parameters += compression_parameters(model);
    shape->kv_elements = fine * (dim + (double)c->index_dim) / fine_ratio +
                         (double)c->coarse.layers * dim / coarse_ratio;
    shape->window_kv_elements = counts->full * dim;
    shape->window_tokens = (double)c->window;
    shape->context_limit = (double)(c->top_k + c->window);
    shape->index_width =
        (double)(c->index_heads * c->index_dim) * fine / fine_ratio / shape->layers;
}

/* State that a sequence holds whatever its length: recurrent state and convolution tail. */
static double state_bytes(const gp_model *model, const layer_counts *counts,
                          const gp_constants *constants) {
    const gp_mamba *m = &model->mamba;
    const gp_linear_attention *l = &model->linear;
    double inner = (double)(m->heads * m->head_dim), states = (double)(m->groups * m->state);
    double key = (double)(l->key_heads * l->key_dim);
    double value = (double)(l->value_heads * l->value_dim);
    double mamba = inner * (double)m->state + (inner + 2 * states) * (double)m->conv;
    double linear = value * (double)l->key_dim + (2 * key + value) * (double)l->conv;
    return (counts->mamba * mamba + counts->linear * linear) *
           gp_format_bytes(constants, GP_FORMAT_BF16);
}

/* Bytes that a mixer saves per token in 16 bit; attention adds a 32-bit sum per head. */
static double mixer_saved_bytes(const gp_model *model, const layer_counts *counts) {
    attention_widths full = attention_of(model, true, 0), window = attention_of(model, false, 0);
    const gp_mamba *m = &model->mamba;
    const gp_linear_attention *l = &model->linear;
    double heads = 4 * (double)model->heads;
    double inner = (double)(m->heads * m->head_dim), states = (double)(m->groups * m->state);
    double key = (double)(l->key_heads * l->key_dim);
    double value = (double)(l->value_heads * l->value_dim);
    return counts->full * (2 * (full.query + full.key + full.value + full.output) + heads) +
           counts->window *
               (2 * (window.query + window.key + window.value + window.output) + heads) +
           counts->mamba * 2 * ((4 + 1) * inner + 4 * states) +
           counts->linear * 2 * (4 * key + (4 + 1) * value);
}

/* Saved bytes per token over all layers, 16 bit, flash attention, no recomputation; sources:
 * arXiv 2205.05198 for the form, measured peaks for the gated and grouped variants. */
static void set_saved_bytes(const gp_model *model, const layer_counts *counts, gp_shape *shape) {
    double mixers = counts->full + counts->window + counts->mamba + counts->linear;
    double blocks = mixers + counts->dense + counts->moe;
    bool shared = model->experts.shared > 0;
    double own_ffn =
        shape->ffn_width * shape->layers - counts->moe * shape->top_k * shape->expert_width;
    double routed_ffn = counts->moe * shape->top_k * shape->expert_width;
    shape->norm_saved_bytes = blocks * 4 * shape->hidden;
    shape->inner_saved_bytes = mixer_saved_bytes(model, counts) + 2 * shape->mlp_matrices * own_ffn;
    shape->expert_saved_bytes = counts->moe * (2 * shape->routed_bytes + 4 * shape->experts) +
                                2 * shape->mlp_matrices * routed_ffn;
    shape->cheap_saved_bytes = blocks * 2 * shape->hidden + 2 * (own_ffn + routed_ffn);
    shape->split_blocks = mixers + counts->dense + (shared ? counts->moe : 0);
}

static void set_counts(const gp_model *model, const layer_counts *counts, gp_shape *shape) {
    shape->layers = (double)model->layers;
    shape->hidden = (double)model->hidden;
    shape->vocab = (double)model->vocab;
    shape->heads = (double)model->heads;
    shape->kv_heads = or_else(model->kv_heads, shape->heads);
    shape->head_dim = or_else(model->head_dim, shape->heads > 0 ? shape->hidden / shape->heads : 0);
    shape->attention_layers = counts->full;
    shape->window_layers = counts->window;
    shape->mamba_layers = counts->mamba;
    shape->linear_layers = counts->linear;
    shape->dense_layers = counts->dense;
    shape->moe_layers = counts->moe;
    shape->mla = model->mla.kv_lora > 0;
    shape->moe = counts->moe > 0;
    shape->hybrid = counts->mamba + counts->linear > 0;
    shape->experts = shape->moe ? (double)model->experts.count : 0;
    shape->top_k = shape->moe ? (double)model->experts.top_k : 0;
    shape->mlp_matrices = model->gated ? 3 : 2;
}

static void set_totals(const gp_model *model, gp_shape *shape) {
    double norms = model->pattern != NULL && model->pattern[0] != '\0'
                       ? 1
                       : or_else(model->norms_per_layer, 2);
    shape->norm_parameters = (shape->layers * norms + 1) * shape->hidden;
    shape->head_parameters = shape->vocab * shape->hidden;
    shape->embedding_parameters = shape->head_parameters + (double)model->positions * shape->hidden;
    if (model->vision.layers > 0)
        set_vision(model, shape);
    double every_token = shape->attention_parameters + shape->dense_mlp_parameters +
                         shape->router_parameters + shape->norm_parameters +
                         shape->embedding_parameters + (model->tied ? 0 : shape->head_parameters);
    double routed = shape->moe_layers * shape->top_k * shape->one_expert_parameters;
    shape->parameters = every_token + shape->expert_parameters + shape->vision_parameters;
    shape->active_parameters = every_token + routed;
    shape->linear_parameters = shape->attention_parameters + shape->dense_mlp_parameters +
                               shape->router_parameters + routed + shape->head_parameters;
}

static bool complete(const gp_model *model, const layer_counts *counts) {
    bool attends = counts->full + counts->window > 0;
    return model->layers > 0 && model->hidden > 0 && model->vocab > 0 &&
           (!attends || model->heads > 0) &&
           (counts->dense <= 0 || dense_width(model) > 0 || model->blocks.count > 0) &&
           (counts->moe <= 0 ||
            (model->experts.count > 0 && model->experts.top_k > 0 && model->experts.ffn > 0)) &&
           (counts->mamba <= 0 ||
            (model->mamba.heads > 0 && model->mamba.head_dim > 0 && model->mamba.state > 0)) &&
           (counts->linear <= 0 || (model->linear.value_heads > 0 && model->linear.key_heads > 0));
}

/* Models of items: the parameters that their makers publish, and what a token goes through. What is
 * no denoiser stays in 16 bit. */
static gp_status derive_item(const gp_model *model, gp_trace *trace, gp_shape *shape) {
    const gp_diffusion *d = &model->diffusion;
    double h = (double)model->hidden, layers = or_else(model->layers, 1);
    double matrices = model->gated ? 3 : 2;
    double mixers = layers * (d->joined ? 4 : 4 + 2) + 4 * (double)d->twin_layers;
    shape->layers = layers;
    shape->hidden = h;
    shape->heads = (double)model->heads;
    shape->kv_heads = shape->heads;
    shape->head_dim = shape->heads > 0 ? h / shape->heads : 0;
    shape->attention_width = h;
    shape->attention_layers = layers;
    shape->dense_layers = layers;
    shape->mlp_matrices = matrices;
    shape->linear_parameters = h * (mixers * h + layers * matrices * (double)model->ffn);
    shape->dense_mlp_parameters = model->parameters;
    shape->norm_parameters = d->text_parameters + d->decoder_parameters;
    shape->parameters = shape->dense_mlp_parameters + shape->norm_parameters;
    shape->active_parameters =
        model->active_parameters > 0 ? model->active_parameters : model->parameters;
    GP_TRACE(trace, GP_TERM_PARAMETERS, shape->parameters, GP_REF(model, gp_model, parameters),
             GP_REF(d, gp_diffusion, text_parameters));
    return model->parameters > 0 ? GP_OK : GP_ERR_INPUT;
}

gp_status gp_shape_derive(const gp_model *model, const gp_constants *constants, gp_trace *trace,
                          gp_shape *ret_shape) {
    gp_shape shape = {.model = model};
    const gp_model_kind kind = gp_model_kind_of(model);
    if (kind == GP_MODEL_PICTURES || kind == GP_MODEL_SCORES) {
        *ret_shape = shape;
        return derive_item(model, trace, ret_shape);
    }
    layer_counts counts = count_layers(model);
    if (!complete(model, &counts))
        return GP_ERR_INPUT;
    set_counts(model, &counts, &shape);
    set_mixers(model, &counts, &shape);
    set_mlps(model, &counts, &shape);
    if (model->blocks.count > 0)
        set_blocks(model, &shape);
    if (model->compressed.q_lora > 0)
        set_compression(model, &counts, &shape);
    set_saved_bytes(model, &counts, &shape);
    set_totals(model, &shape);
    shape.state_bytes = state_bytes(model, &counts, constants);
    if (model->bidirectional) { /* nothing is read twice */
        shape.kv_elements = 0;
        shape.window_kv_elements = 0;
    }
    GP_TRACE(trace, GP_TERM_PARAMETERS, shape.parameters, GP_REF(model, gp_model, layers),
             GP_REF(model, gp_model, hidden), GP_REF(model, gp_model, heads),
             GP_REF(model, gp_model, ffn), GP_REF(model, gp_model, vocab));
    GP_TRACE(trace, GP_TERM_ACTIVE_PARAMETERS, shape.active_parameters,
             GP_REF_TERM(GP_TERM_PARAMETERS), GP_REF(&model->experts, gp_experts, count),
             GP_REF(&model->experts, gp_experts, top_k), GP_REF(&model->experts, gp_experts, ffn));
    *ret_shape = shape;
    return GP_OK;
}

/* Input and output widths summed over the matrices that one target name stands for, with so many
 * experts of each layer. */
static double target_widths(const gp_shape *shape, const char *target, double experts,
                            double *ret_outputs) {
    const gp_model *model = shape->model;
    attention_widths a = attention_of(model, shape->window_layers <= 0, 0);
    double attention = shape->attention_layers + shape->window_layers;
    double hidden = shape->hidden, dense = shape->dense_layers * dense_width(model);
    double routed = shape->moe_layers * experts;
    double latent = or_else(model->experts.latent, hidden);
    double widths = dense + routed * shape->expert_width;
    double inputs = shape->dense_layers * hidden + routed * latent;
    struct {
        const char *name;
        double in, out;
    } const rows[] = {
        {"q_proj", attention * hidden, attention * a.query},
        {"k_proj", attention * hidden, attention * a.key},
        {"v_proj", attention * hidden, attention * a.value},
        {"o_proj", attention * a.output, attention * hidden},
        {"gate_proj", shape->mlp_matrices > 2 ? inputs : 0, shape->mlp_matrices > 2 ? widths : 0},
        {"up_proj", inputs, widths},
        {"down_proj", widths, inputs},
    };
    double in = 0, out = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(target, "all") == 0 || strcmp(target, rows[i].name) == 0) {
            in += rows[i].in;
            out += rows[i].out;
        }
    }
    *ret_outputs = out;
    return in;
}

/* Of all targets. */
static double all_widths(const gp_shape *shape, const gp_adapter *adapter, double experts,
                         double *ret_outputs) {
    double in = 0, outputs = 0;
    *ret_outputs = 0;
    if (adapter->targets.count == 0)
        in = target_widths(shape, "all", experts, ret_outputs);
    for (size_t i = 0; i < adapter->targets.count; i++) {
        in += target_widths(shape, adapter->targets.items[i], experts, &outputs);
        *ret_outputs += outputs;
    }
    return in;
}

double gp_adapter_inputs(const gp_shape *shape, const gp_adapter *adapter) {
    double out = 0;
    return all_widths(shape, adapter, shape->top_k, &out);
}

double gp_adapter_parameters(const gp_shape *shape, const gp_adapter *adapter) {
    double out = 0;
    double in = all_widths(shape, adapter, shape->experts, &out);
    double magnitude = adapter->method == GP_ADAPTER_DORA ? out : 0;
    return (double)adapter->rank * (in + out) + magnitude;
}

static bool is_one_of(const char *target, const char *const names[], size_t count) {
    bool found = false;
    for (size_t i = 0; i < count; i++)
        found = found || gp_str_equal(target, names[i]);
    return found;
}

/* Blocks without a gate hold queries, keys and values in one matrix (GPT-2, BigCode, MPT). */
double gp_adapter_matrices(const gp_shape *shape, const gp_adapter *adapter) {
    static const char *const fused[] = {"q_proj", "k_proj", "v_proj"};
    bool all = adapter->targets.count == 0, classic = shape->mlp_matrices < 3;
    double own = 0, together = 0;
    for (size_t i = 0; i < adapter->targets.count; i++) {
        const char *target = adapter->targets.items[i];
        bool joins = classic && is_one_of(target, fused, sizeof fused / sizeof fused[0]);
        all = all || gp_str_equal(target, "all");
        together = joins ? 1 : together;
        own += joins ? 0 : 1;
    }
    double attention = classic ? 2 : 4;
    return 2 * (all ? attention + shape->mlp_matrices : own + together);
}
