/* The architectures that can be read, and what the keys of each say that no other has. */
#include <string.h>

#include "base/num.h"
#include "import/hf.h"

/* ---- windows and norms of Gemma, chunks of Llama 4 */

/* Every second layer has the window. */
static void finish_gemma2(gp_hf_reader *reader) {
    gp_model *model = reader->model;
    int64_t size = gp_hf_number(reader, reader->text, GP_HF_KEYS("sliding_window"));
    model->norms_per_layer = 4;
    if (model->window.size == 0 && size > 0)
        model->window = (gp_window){.size = size, .layers = model->layers - model->layers / 2};
}

/* All layers but every sixth. */
static void finish_gemma3(gp_hf_reader *reader) {
    gp_model *model = reader->model;
    int64_t size = gp_hf_number(reader, reader->text, GP_HF_KEYS("sliding_window"));
    int64_t step = gp_hf_number(reader, reader->text,
                                GP_HF_KEYS("sliding_window_pattern", "_sliding_window_pattern"));
    model->norms_per_layer = 4;
    if (model->window.size == 0 && size > 0) {
        int64_t full = model->layers / (step > 0 ? step : 6);
        model->window = (gp_window){.size = size, .layers = model->layers - full};
    }
}

/* Full layers have heads of their own, one projection for keys and values; a dense layer runs
 * beside the experts. */
static void finish_gemma4(gp_hf_reader *reader) {
    const gp_node *text = reader->text;
    gp_model *model = reader->model;
    model->norms_per_layer = 4;
    model->full.kv_heads = gp_hf_number(reader, text, GP_HF_KEYS("num_global_key_value_heads"));
    model->full.head_dim = gp_hf_number(reader, text, GP_HF_KEYS("global_head_dim"));
    model->full.key_is_value = gp_hf_true(text, "attention_k_eq_v");
    int64_t width = gp_hf_needed(reader, text, GP_HF_KEYS("intermediate_size"));
    if (model->experts.count > 0) {
        model->experts.shared = 1;
        model->experts.shared_ffn = width;
    } else {
        model->ffn = width;
    }
}

/* Three layers of four see a chunk; a shared expert stands beside the routed ones. */
static void finish_llama4(gp_hf_reader *reader) {
    const gp_node *text = reader->text;
    gp_model *model = reader->model;
    int64_t size = gp_hf_number(reader, text, GP_HF_KEYS("attention_chunk_size"));
    int64_t chunked = gp_hf_count(text, "layer_types", "chunked_attention");
    if (chunked == 0)
        chunked = gp_hf_count(text, "no_rope_layers", "1");
    if (chunked == 0)
        chunked = model->layers - model->layers / 4;
    if (size > 0)
        model->window = (gp_window){.size = size, .layers = chunked};
    model->experts.shared = 1;
    model->experts.shared_ffn = model->experts.ffn;
}

/* ---- sparse and compressed attention */

static void finish_minimax_m3(gp_hf_reader *reader) {
    const gp_node *sparse = gp_node_get(reader->text, "sparse_attention_config");
    gp_sparse_attention *ret = &reader->model->sparse;
    if (!sparse || !gp_hf_true(sparse, "use_sparse_attention"))
        return;
    ret->block = gp_hf_needed(reader, sparse, GP_HF_KEYS("sparse_block_size"));
    ret->index_heads = gp_hf_needed(reader, sparse, GP_HF_KEYS("sparse_num_index_heads"));
    ret->index_dim = gp_hf_needed(reader, sparse, GP_HF_KEYS("sparse_index_dim"));
    int64_t blocks = gp_hf_needed(reader, sparse, GP_HF_KEYS("sparse_topk_blocks"));
    if (!gp_num_mul_i64(blocks, ret->block, &ret->top_k))
        gp_hf_refuse(reader, sparse, "sparse_topk_blocks is too large");
    ret->layers = gp_hf_count(sparse, "sparse_attention_freq", "1");
}

/* Two ratios other than zero over the layers: the smaller is the fine one. */
static void read_ratios(gp_hf_reader *reader, const gp_node *list) {
    gp_compressed_attention *c = &reader->model->compressed;
    for (size_t i = 0; i < list->count && (int64_t)i < reader->model->layers; i++) {
        int64_t ratio = 0;
        if (!gp_hf_whole(list->items[i], &ratio)) {
            gp_hf_refuse(reader, list->items[i], "compress_ratios holds no whole number");
            return;
        }
        gp_compression *slot = c->fine.ratio == 0 || c->fine.ratio == ratio ? &c->fine : &c->coarse;
        if (ratio > 0 && slot->ratio > 0 && slot->ratio != ratio) {
            gp_hf_refuse(reader, list->items[i], "more than two ratios of compression");
            return;
        }
        if (ratio > 0) {
            slot->ratio = ratio;
            slot->layers++;
        }
    }
    if (c->coarse.ratio > 0 && c->coarse.ratio < c->fine.ratio) {
        gp_compression fine = c->coarse;
        c->coarse = c->fine;
        c->fine = fine;
    }
}

static void finish_deepseek_v4(gp_hf_reader *reader) {
    const gp_node *text = reader->text;
    gp_compressed_attention *c = &reader->model->compressed;
    const gp_node *ratios = gp_node_get(text, "compress_ratios");
    c->q_lora = gp_hf_needed(reader, text, GP_HF_KEYS("q_lora_rank"));
    c->o_lora = gp_hf_needed(reader, text, GP_HF_KEYS("o_lora_rank"));
    c->o_groups = gp_hf_needed(reader, text, GP_HF_KEYS("o_groups"));
    c->rope = gp_hf_needed(reader, text, GP_HF_KEYS("qk_rope_head_dim"));
    c->window = gp_hf_number(reader, text, GP_HF_KEYS("sliding_window"));
    c->index_heads = gp_hf_needed(reader, text, GP_HF_KEYS("index_n_heads"));
    c->index_dim = gp_hf_needed(reader, text, GP_HF_KEYS("index_head_dim"));
    c->top_k = gp_hf_needed(reader, text, GP_HF_KEYS("index_topk"));
    if (ratios && ratios->kind == GP_NODE_SEQ)
        read_ratios(reader, ratios);
    else
        gp_hf_refuse(reader, ratios, "compress_ratios is no list");
    reader->model->window = (gp_window){0};
    gp_hf_note(reader, "Hyper-connections and hash routing of the first layers are left out.");
}

/* ---- two kinds of attention, or of state */

static void finish_mimo_v2(gp_hf_reader *reader) {
    const gp_node *text = reader->text;
    gp_model *model = reader->model;
    int64_t size = gp_hf_number(reader, text, GP_HF_KEYS("sliding_window"));
    model->full.kv_heads = model->kv_heads;
    model->kv_heads = gp_hf_needed(reader, text, GP_HF_KEYS("swa_num_key_value_heads"));
    model->value_dim = gp_hf_number(reader, text, GP_HF_KEYS("v_head_dim"));
    model->window.size = size;
    model->window.layers = gp_hf_count(text, "hybrid_layer_pattern", "1");
    if (gp_hf_number(reader, text, GP_HF_KEYS("swa_head_dim")) != model->head_dim ||
        gp_hf_number(reader, text, GP_HF_KEYS("swa_num_attention_heads")) != model->heads)
        gp_hf_refuse(reader, gp_node_get(text, "swa_head_dim"),
                     "query heads of windowed layers differ from those of full ones");
}

static void finish_kimi_linear(gp_hf_reader *reader) {
    const gp_node *own = gp_node_get(reader->text, "linear_attn_config");
    gp_linear_attention *linear = &reader->model->linear;
    const gp_node *layers = gp_node_get(own, "kda_layers");
    if (!layers || layers->kind != GP_NODE_SEQ) {
        gp_hf_refuse(reader, own, "linear_attn_config does not list its kda_layers");
        return;
    }
    linear->kind = GP_LINEAR_KDA;
    linear->layers = (int64_t)layers->count;
    linear->key_heads = linear->value_heads = gp_hf_needed(reader, own, GP_HF_KEYS("num_heads"));
    linear->key_dim = linear->value_dim = gp_hf_needed(reader, own, GP_HF_KEYS("head_dim"));
    linear->conv = gp_hf_number(reader, own, GP_HF_KEYS("short_conv_kernel_size"));
    reader->model->attention_gate = gp_hf_true(reader->text, "mla_use_output_gate");
    if (gp_hf_first(reader->text, GP_HF_KEYS("attn_res_block_size")))
        gp_hf_note(reader, "Attention residuals are left out.");
}

/* "MEM*-", written out or as a list of words. */
static const char *pattern_of(gp_hf_reader *reader) {
    static const struct {
        const char *word;
        char letter;
    } words[] = {{"mamba", 'M'}, {"moe", 'E'}, {"attention", '*'}, {"mlp", '-'}};
    const gp_node *text = gp_node_get(reader->text, "hybrid_override_pattern");
    const gp_node *list = gp_node_get(reader->text, "layers_block_type");
    if (text && text->kind == GP_NODE_SCALAR && strspn(text->text, "ME*-") == text->len)
        return text->text;
    if (!list || list->kind != GP_NODE_SEQ) {
        gp_hf_refuse(reader, text, "the order of its layers is not told by M, E, * and -");
        return NULL;
    }
    char *pattern = gp_arena_alloc(reader->arena, list->count + 1, 1);
    for (size_t i = 0; i < list->count; i++) {
        for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
            if (gp_node_is(list->items[i], words[k].word))
                pattern[i] = words[k].letter;
        if (!pattern[i]) {
            gp_hf_refuse(reader, list->items[i], "a layer is of a kind that no row can tell");
            return NULL;
        }
    }
    return pattern;
}

static int64_t letters(const char *pattern, char letter) {
    int64_t count = 0;
    for (const char *c = pattern; *c; c++)
        count += *c == letter ? 1 : 0;
    return count;
}

static void finish_nemotron_h(gp_hf_reader *reader) {
    const gp_node *text = reader->text;
    gp_model *model = reader->model;
    gp_mamba *mamba = &model->mamba;
    const char *pattern = pattern_of(reader);
    if (!pattern)
        return;
    model->pattern = pattern;
    if ((int64_t)strlen(pattern) != model->layers)
        gp_hf_refuse(reader, gp_node_get(text, "hybrid_override_pattern"),
                     "the pattern has more or fewer letters than there are layers");
    mamba->layers = letters(pattern, 'M');
    mamba->heads = gp_hf_needed(reader, text, GP_HF_KEYS("mamba_num_heads"));
    mamba->head_dim = gp_hf_needed(reader, text, GP_HF_KEYS("mamba_head_dim"));
    mamba->state = gp_hf_needed(reader, text, GP_HF_KEYS("ssm_state_size"));
    mamba->groups = gp_hf_needed(reader, text, GP_HF_KEYS("n_groups"));
    mamba->conv = gp_hf_number(reader, text, GP_HF_KEYS("conv_kernel"));
    if (letters(pattern, 'E') == 0)
        model->experts = (gp_experts){.count = 0};
    if (letters(pattern, '-') > 0)
        model->ffn = gp_hf_needed(reader, text, GP_HF_KEYS("intermediate_size"));
}

/* ---- searched architectures */

enum { NAS_KINDS = 64, NAS_MULTIPLE = 256 };

/* Width of the MLP: two thirds of the multiple, rounded up to 256. */
static int64_t nas_width(const gp_hf_reader *reader, const gp_node *ffn) {
    const gp_node *multiple = gp_node_get(ffn, "ffn_mult");
    double value = 0;
    if (gp_hf_true(ffn, "no_op") || !multiple ||
        !gp_num_parse(multiple->text, multiple->len, &value))
        return 0;
    double width = 2 * value * (double)reader->model->hidden / 3;
    int64_t whole = gp_num_floor_count(width);
    return (whole + NAS_MULTIPLE - 1) / NAS_MULTIPLE * NAS_MULTIPLE;
}

static int64_t nas_heads(gp_hf_reader *reader, const gp_node *attention) {
    int64_t group = gp_hf_number(reader, attention, GP_HF_KEYS("n_heads_in_group"));
    return gp_hf_true(attention, "no_op") || group == 0 ? 0 : reader->model->heads / group;
}

static void add_block(gp_hf_reader *reader, gp_block *blocks, size_t *count, const gp_node *node) {
    const gp_node *attention = gp_node_get(node, "attention");
    const gp_node *ffn = gp_node_get(node, "ffn");
    if (gp_hf_true(attention, "replace_with_linear") || gp_hf_true(ffn, "replace_with_linear")) {
        gp_hf_refuse(reader, node, "a layer is replaced by one matrix");
        return;
    }
    gp_block block = {
        .layers = 1, .kv_heads = nas_heads(reader, attention), .ffn = nas_width(reader, ffn)};
    for (size_t i = 0; i < *count; i++) {
        if (blocks[i].kv_heads == block.kv_heads && blocks[i].ffn == block.ffn) {
            blocks[i].layers++;
            return;
        }
    }
    if (*count == NAS_KINDS) {
        gp_hf_refuse(reader, node, "more than 64 kinds of layers");
        return;
    }
    blocks[(*count)++] = block;
}

static void finish_nemotron_nas(gp_hf_reader *reader) {
    gp_model *model = reader->model;
    const gp_node *list = gp_node_get(reader->text, "block_configs");
    gp_block *blocks = GP_NEW_ARRAY(reader->arena, gp_block, NAS_KINDS);
    size_t count = 0;
    if (!list || list->kind != GP_NODE_SEQ || (int64_t)list->count != model->layers) {
        gp_hf_refuse(reader, list, "block_configs does not tell of every layer");
        return;
    }
    for (size_t i = 0; i < list->count; i++)
        add_block(reader, blocks, &count, list->items[i]);
    model->blocks.items = blocks;
    model->blocks.count = count;
    for (size_t i = 0; i < count; i++) {
        model->kv_heads = gp_num_max_i64(model->kv_heads, blocks[i].kv_heads);
        model->ffn = gp_num_max_i64(model->ffn, blocks[i].ffn);
    }
    gp_hf_note(reader, "The order of the layers is left out.");
}

/* ---- encoders */

static void finish_encoder(gp_hf_reader *reader) {
    reader->model->bidirectional = true;
    reader->model->positions = reader->model->context;
    gp_hf_note(reader, "Token types, the pooler and heads for a task are left out.");
}

/* Every n-th layer attends to all tokens, the others to a window around each. */
static void finish_modernbert(gp_hf_reader *reader) {
    gp_model *model = reader->model;
    const gp_node *text = reader->text;
    const int64_t size = gp_hf_number(reader, text, GP_HF_KEYS("local_attention"));
    const int64_t every = gp_hf_number(reader, text, GP_HF_KEYS("global_attn_every_n_layers"));
    model->bidirectional = true;
    if (size > 0 && every > 1)
        model->window =
            (gp_window){.size = size, .layers = model->layers - 1 - (model->layers - 1) / every};
}

#define LATENT_EXPERTS GP_HF_LATENT
#define ENCODER        (GP_HF_PLAIN_MLP | GP_HF_TIED)

const gp_hf_family gp_hf_families[] = {
#define FAMILY(type, flags, finish) {type, flags, finish},
#include "import/hf_families.inc"
#undef FAMILY
};
const size_t gp_hf_family_count = sizeof gp_hf_families / sizeof gp_hf_families[0];

const char *const gp_import_architectures[] = {
#define FAMILY(type, flags, finish) type,
#include "import/hf_families.inc"
#undef FAMILY
    NULL};
