/* What of a checkpoint is stored in which format: the configuration names a scheme and the modules
 * it leaves out, or those that it takes in. Modules of a kind are alike, so that a share of a kind
 * is a number of layers; their sizes come from the shape. */
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "import/hf.h"

enum {
    PART_Q,
    PART_QB, /* second matrix of a low-rank query */
    PART_K,  /* down projection of latent attention */
    PART_V,  /* and up */
    PART_O,
    PART_INDEXER,
    PART_LINEAR_IN,
    PART_LINEAR_GATE,
    PART_LINEAR_OUT,
    PART_MAMBA_IN,
    PART_MAMBA_OUT,
    PART_DENSE,
    PART_SHARED,
    PART_ROUTED,
    PART_HEAD,
    PART_COUNT
};

#define BIT(part)  (1u << (part))
#define ATTENTION  (BIT(PART_Q) | BIT(PART_QB) | BIT(PART_K) | BIT(PART_V) | BIT(PART_O))
#define LINEAR     (BIT(PART_LINEAR_IN) | BIT(PART_LINEAR_GATE) | BIT(PART_LINEAR_OUT))
#define MAMBA      (BIT(PART_MAMBA_IN) | BIT(PART_MAMBA_OUT))
#define MLP        (BIT(PART_DENSE) | BIT(PART_SHARED) | BIT(PART_ROUTED))
#define IN_A_LAYER (ATTENTION | BIT(PART_INDEXER) | LINEAR | MAMBA | MLP)

enum { FORMATS = 3 }; /* of one checkpoint: 4 bit, 8 bit, what is not in the lists */

typedef struct weights {
    double parameters[PART_COUNT];
    double layers[PART_COUNT];            /* that have the part; 1 for the head */
    double left_out[PART_COUNT];          /* layers of it that are not quantised */
    double taken_in[FORMATS][PART_COUNT]; /* layers of it in a format that a list names */
    int formats[FORMATS];
    size_t format_count;
    bool lists; /* modules are taken in by name */
} weights;

/* ---- sizes */

static double low_rank(double in, double rank, double out) {
    return rank > 0 ? in * rank + rank * out : in * out;
}

static void size_attention(const gp_model *m, const gp_shape *shape, weights *w) {
    double hidden = (double)m->hidden, heads = (double)m->heads;
    double *p = w->parameters;
    if (m->mla.kv_lora > 0) {
        double width = heads * (double)(m->mla.nope + m->mla.rope);
        p[PART_QB] = m->mla.q_lora > 0 ? (double)m->mla.q_lora * width : 0;
        p[PART_Q] = low_rank(hidden, (double)m->mla.q_lora, width) - p[PART_QB];
        p[PART_K] = hidden * (double)(m->mla.kv_lora + m->mla.rope);
        p[PART_V] = (double)m->mla.kv_lora * heads * (double)(m->mla.nope + m->mla.value);
        p[PART_O] = heads * (double)m->mla.value * hidden;
    } else {
        double dim = shape->head_dim;
        p[PART_Q] = hidden * heads * dim * (m->attention_gate ? 2 : 1);
        p[PART_K] = hidden * shape->kv_heads * dim;
        p[PART_V] = p[PART_K];
        p[PART_O] = heads * dim * hidden;
    }
}

static void size_state(const gp_model *m, const gp_shape *shape, weights *w) {
    double hidden = (double)m->hidden;
    double key = (double)(m->linear.key_heads * m->linear.key_dim);
    double value = (double)(m->linear.value_heads * m->linear.value_dim);
    double inner = (double)(m->mamba.heads * m->mamba.head_dim);
    double states = (double)(m->mamba.groups * m->mamba.state);
    double *p = w->parameters;
    p[PART_LINEAR_IN] = shape->linear_layers * hidden * (2 * key + value);
    p[PART_LINEAR_GATE] = shape->linear_layers * hidden * value;
    p[PART_LINEAR_OUT] = shape->linear_layers * value * hidden;
    p[PART_MAMBA_IN] =
        shape->mamba_layers * hidden * (2 * inner + 2 * states + (double)m->mamba.heads);
    p[PART_MAMBA_OUT] = shape->mamba_layers * inner * hidden;
    if (m->sparse.top_k > 0) {
        double in = m->mla.q_lora > 0 ? (double)m->mla.q_lora : hidden;
        double width = (double)(m->sparse.index_heads * m->sparse.index_dim);
        double layers = m->sparse.layers > 0 ? (double)m->sparse.layers : shape->attention_layers;
        p[PART_INDEXER] = layers * (in * width + hidden * (double)(m->sparse.index_dim));
        w->layers[PART_INDEXER] = layers;
    }
}

/* Attention of all layers, in the proportions of one. */
static void spread_attention(const gp_shape *shape, weights *w) {
    double one = 0, rest = shape->attention_parameters;
    for (int part = PART_Q; part <= PART_O; part++)
        one += w->parameters[part];
    for (int part = PART_INDEXER; part <= PART_MAMBA_OUT; part++)
        rest -= w->parameters[part];
    for (int part = PART_Q; part <= PART_O && one > 0; part++)
        w->parameters[part] *= gp_num_max(rest, 0) / one;
}

static void size_parts(const gp_model *m, const gp_shape *shape, weights *w) {
    double attention = shape->attention_layers + shape->window_layers;
    double shared = m->experts.shared > 0 ? shape->moe_layers * shape->mlp_matrices *
                                                shape->hidden * (double)m->experts.shared_ffn
                                          : 0;
    for (int part = 0; part < PART_COUNT; part++)
        w->layers[part] = attention;
    size_attention(m, shape, w);
    size_state(m, shape, w);
    spread_attention(shape, w);
    w->parameters[PART_SHARED] = shared;
    w->parameters[PART_DENSE] = shape->dense_mlp_parameters - shared;
    w->parameters[PART_ROUTED] = shape->expert_parameters;
    w->parameters[PART_HEAD] = m->tied ? 0 : shape->head_parameters;
    for (int part = PART_LINEAR_IN; part <= PART_LINEAR_OUT; part++)
        w->layers[part] = shape->linear_layers;
    w->layers[PART_MAMBA_IN] = w->layers[PART_MAMBA_OUT] = shape->mamba_layers;
    w->layers[PART_DENSE] = shape->dense_layers;
    w->layers[PART_SHARED] = w->layers[PART_ROUTED] = shape->moe_layers;
    w->layers[PART_HEAD] = 1;
}

/* ---- names of modules */

typedef struct module_word {
    const char *word;
    unsigned parts;
} module_word;

/* The first word that the name holds tells; what comes later is only in part of it. */
static const module_word words[] = {
    {"mtp", 0},
    {"norm", 0},
    {"bias", 0},
    {"conv1d", 0},
    {"vision", 0},
    {"visual", 0},
    {"mm_projector", 0},
    {"embed", 0},
    {"indexers_proj", 0},
    {"indexer", BIT(PART_INDEXER)},
    {"lm_head", BIT(PART_HEAD)},
    {"linear_attn.in_proj_qkv", BIT(PART_LINEAR_IN)},
    {"linear_attn.in_proj_z", BIT(PART_LINEAR_GATE)},
    {"linear_attn.out_proj", BIT(PART_LINEAR_OUT)},
    {"linear_attn.", 0},
    {"linear_attn", LINEAR},
    {"mixer.in_proj", BIT(PART_MAMBA_IN)},
    {"mixer.out_proj", BIT(PART_MAMBA_OUT)},
    {"q_a_proj", BIT(PART_Q)},
    {"q_b_proj", BIT(PART_QB)},
    {"kv_a_proj", BIT(PART_K)},
    {"kv_b_proj", BIT(PART_V)},
    {"q_proj", BIT(PART_Q)},
    {"k_proj", BIT(PART_K)},
    {"v_proj", BIT(PART_V)},
    {"o_proj", BIT(PART_O)},
    {"attn", ATTENTION | BIT(PART_INDEXER)},
    {"shared_expert_gate", 0},
    {"shared_expert", BIT(PART_SHARED)},
    {"experts", BIT(PART_ROUTED)},
    {"router", 0},
    {"(gate|up", BIT(PART_DENSE)},
    {"gate_proj", BIT(PART_DENSE)},
    {"up_proj", BIT(PART_DENSE)},
    {"down_proj", BIT(PART_DENSE)},
    {"gate", 0},
    {"mlp", MLP},
    {"ffn", MLP},
};

/* Parts that a module's name is for, as bits; which share of them in *ret_share. */
static unsigned parts_of(const gp_hf_reader *reader, const char *name, double *ret_share) {
    *ret_share = 1;
    if (gp_str_equal(name, "head"))
        return BIT(PART_HEAD);
    for (size_t i = 0; i < GP_COUNT_OF(words); i++) {
        if (!strstr(name, words[i].word))
            continue;
        unsigned parts = words[i].parts;
        bool apart = reader->family->flags & GP_HF_MLP_APART;
        if (parts == MLP && apart)
            parts = BIT(PART_DENSE) | BIT(PART_SHARED);
        if (parts & BIT(PART_Q) && parts != BIT(PART_Q) &&
            reader->model->linear.kind == GP_LINEAR_KDA)
            parts |= LINEAR; /* named as attention is */
        bool one_matrix = parts == BIT(PART_DENSE) && words[i].word[0] != '(';
        bool shared_matrix = parts == BIT(PART_SHARED) && strstr(name, "_proj");
        *ret_share = one_matrix || shared_matrix ? 1 / (double)(reader->model->gated ? 3 : 2) : 1;
        return parts;
    }
    return 0;
}

/* "layers.N" in a name: the number, -1 for "*", -2 where there is none; what follows it. */
static int64_t layer_of(const char *name, const char **ret_rest) {
    static const char mark[] = "layers.";
    const char *at = strstr(name, mark);
    *ret_rest = name;
    if (!at)
        return -2;
    at += sizeof mark - 1;
    size_t digits = strspn(at, "0123456789");
    int64_t layer = -1;
    if (digits > 0 && !gp_num_parse_i64(at, digits, &layer))
        return -2;
    *ret_rest = at + (digits > 0 ? digits : strspn(at, "*"));
    return layer;
}

/* The parts that a layer as a whole has: its mixer, and its MLP or its experts. */
static unsigned whole_layer(const gp_hf_reader *reader, int64_t layer) {
    unsigned mlp = layer < reader->dense_prefix || reader->model->experts.count == 0
                       ? BIT(PART_DENSE)
                       : BIT(PART_SHARED) | BIT(PART_ROUTED);
    return ATTENTION | BIT(PART_INDEXER) | mlp;
}

static void count_module(const gp_hf_reader *reader, const weights *w, const char *name,
                         double *layers) {
    const char *rest = NULL;
    double share = 1;
    int64_t layer = layer_of(name, &rest);
    if (layer >= reader->model->layers || gp_str_starts(name, "mtp"))
        return; /* layers that predict further tokens are not in the shape */
    bool whole = layer >= 0 && (rest[0] == '\0' || gp_str_equal(rest, "*") ||
                                gp_str_equal(rest, ".*") || gp_str_equal(rest, "."));
    unsigned parts = whole ? whole_layer(reader, layer) : parts_of(reader, rest, &share);
    for (int part = 0; part < PART_COUNT; part++) {
        if (parts & BIT(part)) {
            double more = layer >= 0 || part == PART_HEAD ? share : share * w->layers[part];
            layers[part] = gp_num_min(layers[part] + more, w->layers[part]);
        }
    }
}

/* ---- formats */

static int format_of_algorithm(const char *word) {
    static const struct {
        const char *word;
        gp_format format;
    } rows[] = {
        {"NVFP4", GP_FORMAT_NVFP4},
        {"W4A16_NVFP4", GP_FORMAT_NVFP4},
        {"FP8", GP_FORMAT_FP8},
        {"MXFP4", GP_FORMAT_MXFP4},
        {"mxfp4", GP_FORMAT_MXFP4},
        {"INT8", GP_FORMAT_INT8},
        {"W8A8_SQ_PER_CHANNEL", GP_FORMAT_INT8},
        {"W4A16_AWQ", GP_FORMAT_INT4},
    };
    for (size_t i = 0; i < GP_COUNT_OF(rows); i++)
        if (gp_str_equal(rows[i].word, word))
            return (int)rows[i].format;
    return -1;
}

/* compressed-tensors: a form by name, else bits and kind of number. */
static int format_of_groups(const gp_node *quant) {
    const gp_node *groups = gp_node_get(quant, "config_groups");
    const gp_node *form = gp_hf_first(quant, GP_HF_KEYS("format"));
    const gp_node *group = groups && groups->kind == GP_NODE_MAP && groups->count == 1
                               ? groups->entries[0].value
                               : NULL;
    const gp_node *kind = gp_node_get(group, "weights");
    bool four = gp_hf_is(kind, "num_bits", "4"), eight = gp_hf_is(kind, "num_bits", "8");
    bool number = gp_hf_is(kind, "type", "float");
    if (form && strstr(form->text, "mxfp4"))
        return GP_FORMAT_MXFP4;
    if (number)
        return four ? GP_FORMAT_NVFP4 : eight ? GP_FORMAT_FP8 : -1;
    return four ? GP_FORMAT_INT4 : eight ? GP_FORMAT_INT8 : -1;
}

static int format_of_method(const gp_node *quant, const char *method) {
    bool four = gp_hf_is(quant, "bits", "4"), eight = gp_hf_is(quant, "bits", "8");
    if (gp_str_equal(method, "fp8"))
        return gp_hf_first(quant, GP_HF_KEYS("weight_block_size")) ? GP_FORMAT_FP8_BLOCK
                                                                   : GP_FORMAT_FP8;
    if (gp_str_equal(method, "compressed-tensors"))
        return format_of_groups(quant);
    if (gp_str_equal(method, "gptq") || gp_str_equal(method, "awq"))
        return four ? GP_FORMAT_INT4 : eight ? GP_FORMAT_INT8 : -1;
    if (gp_str_equal(method, "bitsandbytes"))
        return gp_hf_true(quant, "load_in_4bit")   ? GP_FORMAT_NF4
               : gp_hf_true(quant, "load_in_8bit") ? GP_FORMAT_INT8
                                                   : -1;
    return format_of_algorithm(method);
}

/* The slot of a format; a checkpoint has no more than three. */
static size_t slot_of(weights *w, int format) {
    for (size_t i = 0; i < w->format_count; i++)
        if (w->formats[i] == format)
            return i;
    if (w->format_count == FORMATS)
        return FORMATS;
    w->formats[w->format_count] = format;
    return w->format_count++;
}

static void refuse_format(gp_hf_reader *reader, const gp_node *node) {
    gp_hf_refuse(reader, node, "the checkpoint is quantized in a way that is not known");
}

static void read_lists(gp_hf_reader *reader, weights *w, const gp_node *quant) {
    const gp_node *out =
        gp_hf_first(quant, GP_HF_KEYS("ignore", "exclude_modules", "modules_to_not_convert"));
    const gp_node *in = gp_node_get(quant, "quantized_layers");
    for (size_t i = 0; out && out->kind == GP_NODE_SEQ && i < out->count; i++)
        if (out->items[i]->kind == GP_NODE_SCALAR)
            count_module(reader, w, out->items[i]->text, w->left_out);
    w->lists = in && in->kind == GP_NODE_MAP && in->count > 0;
    for (size_t i = 0; w->lists && i < in->count; i++) {
        const gp_node *algorithm = gp_node_get(in->entries[i].value, "quant_algo");
        int format = algorithm ? format_of_algorithm(algorithm->text) : -1;
        size_t slot = format >= 0 ? slot_of(w, format) : FORMATS;
        if (slot == FORMATS) {
            refuse_format(reader, in->entries[i].value);
            return;
        }
        count_module(reader, w, in->entries[i].key->text, w->taken_in[slot]);
    }
}

/* ---- shares */

static double share_taken_in(const weights *w, size_t slot) {
    double sum = 0;
    for (int part = 0; part < PART_COUNT; part++)
        if (w->layers[part] > 0)
            sum += w->parameters[part] * w->taken_in[slot][part] / w->layers[part];
    return sum;
}

/* Everything but what is left out; the output head is never quantized unless it is named. */
static double share_kept(const weights *w) {
    double sum = 0;
    for (int part = 0; part < PART_HEAD; part++)
        if (w->layers[part] > 0)
            sum += w->parameters[part] * (1 - w->left_out[part] / w->layers[part]);
    return sum;
}

/* The largest of the named formats; what holds most of the rest is the remainder. */
static void set_from_lists(gp_hf_reader *reader, const weights *w, int otherwise, double total) {
    gp_weights *ret = &reader->model->weights;
    size_t most = 0;
    double named = 0;
    for (size_t i = 0; i < w->format_count; i++) {
        named += share_taken_in(w, i);
        if (share_taken_in(w, i) > share_taken_in(w, most))
            most = i;
    }
    double main_share = share_taken_in(w, most);
    ret->format = w->formats[most];
    ret->quantized_fraction = main_share / total;
    if (otherwise >= 0 && otherwise != ret->format) {
        ret->remainder = otherwise;
        return;
    }
    for (size_t i = 0; i < w->format_count; i++) {
        double share = i == most ? 0 : share_taken_in(w, i);
        if (share > total - named)
            ret->remainder = w->formats[i];
    }
}

static void read_kv_cache(gp_hf_reader *reader, const gp_node *quant) {
    const gp_node *algorithm = gp_hf_first(quant, GP_HF_KEYS("kv_cache_quant_algo"));
    const gp_node *scheme = gp_hf_first(quant, GP_HF_KEYS("kv_cache_scheme"));
    int format = algorithm                                  ? format_of_algorithm(algorithm->text)
                 : scheme && scheme->kind == GP_NODE_SCALAR ? format_of_algorithm(scheme->text)
                 : gp_hf_is(scheme, "num_bits", "8") && gp_hf_is(scheme, "type", "float")
                     ? (int)GP_FORMAT_FP8
                     : -1;
    if (format > 0)
        reader->model->weights.kv_cache = format;
}

static int plain_format(gp_hf_reader *reader) {
    static const struct {
        const char *word;
        gp_format format;
    } rows[] = {
        {"bfloat16", GP_FORMAT_BF16}, {"float16", GP_FORMAT_FP16}, {"float32", GP_FORMAT_FP32}};
    const gp_node *type = gp_hf_first(reader->text, GP_HF_KEYS("dtype", "torch_dtype"));
    if (!type)
        type = gp_hf_first(reader->root, GP_HF_KEYS("dtype", "torch_dtype"));
    for (size_t i = 0; type && i < GP_COUNT_OF(rows); i++)
        if (gp_node_is(type, rows[i].word))
            return (int)rows[i].format;
    return GP_FORMAT_BF16;
}

static bool says_nothing(const gp_node *quant) {
    return !gp_hf_first(quant, GP_HF_KEYS("ignore", "exclude_modules", "modules_to_not_convert",
                                          "quantized_layers", "quant_method"));
}

void gp_hf_read_weights(gp_hf_reader *reader, const gp_shape *shape) {
    weights w = {.format_count = 0};
    const gp_node *quant = reader->quant;
    gp_weights *ret = &reader->model->weights;
    ret->format = plain_format(reader);
    if (!quant)
        return;
    const gp_node *algorithm = gp_hf_first(quant, GP_HF_KEYS("quant_algo"));
    const gp_node *method = gp_hf_first(quant, GP_HF_KEYS("quant_method"));
    int by_algorithm = algorithm ? format_of_algorithm(algorithm->text) : -1;
    int by_method = method ? format_of_method(quant, method->text) : -1;
    int format = by_algorithm >= 0 ? by_algorithm : by_method;
    reader->quantized = true;
    size_parts(reader->model, shape, &w);
    read_lists(reader, &w, quant);
    read_kv_cache(reader, quant);
    if (w.lists) {
        set_from_lists(reader, &w, by_method, shape->parameters);
        return;
    }
    if (format < 0) {
        refuse_format(reader, method ? method : quant);
        return;
    }
    ret->format = format;
    if (gp_hf_is(reader->text, "expert_dtype", "fp4")) {
        ret->format = GP_FORMAT_MXFP4;
        ret->remainder = format;
        ret->quantized_fraction = w.parameters[PART_ROUTED] / shape->parameters;
    } else if (says_nothing(quant)) {
        gp_hf_note(reader, "The checkpoint does not list the layers it leaves out.");
    } else {
        ret->quantized_fraction = share_kept(&w) / shape->parameters;
    }
}
