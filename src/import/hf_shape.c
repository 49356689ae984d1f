/* The decoder's shape: sizes, experts, attention and state, by the keys that families share. */

#include "base/num.h"
#include "import/hf.h"

enum { CONTEXT_MOST = 1000000000 };

static void read_sizes(gp_hf_reader *reader) {
    const gp_node *text = reader->text;
    gp_model *model = reader->model;
    unsigned flags = reader->family->flags;
    const gp_node *blocks = gp_node_get(text, "layers_block_type");
    model->layers = blocks && blocks->kind == GP_NODE_SEQ
                        ? (int64_t)blocks->count
                        : gp_hf_needed(reader, text, GP_HF_KEYS("num_hidden_layers"));
    model->hidden = gp_hf_needed(reader, text, GP_HF_KEYS("hidden_size"));
    model->heads = gp_hf_needed(reader, text, GP_HF_KEYS("num_attention_heads"));
    model->vocab = gp_hf_needed(reader, text, GP_HF_KEYS("vocab_size"));
    const gp_node *context = gp_hf_first(text, GP_HF_KEYS("max_position_embeddings"));
    if (context && (!gp_hf_whole(context, &model->context) || model->context > CONTEXT_MOST)) {
        gp_hf_refuse(reader, context, "max_position_embeddings is no length of a context");
        model->context = 0;
    }
    if (!(flags & GP_HF_LATENT)) {
        model->kv_heads = gp_hf_number(reader, text, GP_HF_KEYS("num_key_value_heads"));
        model->head_dim = gp_hf_number(reader, text, GP_HF_KEYS("head_dim", "attention_head_dim"));
        if (model->head_dim == 0 && model->heads > 0)
            model->head_dim = model->hidden / model->heads;
    }
    model->gated = !(flags & GP_HF_PLAIN_MLP);
    const gp_node *tied = gp_hf_first(reader->root, GP_HF_KEYS("tie_word_embeddings"));
    if (!tied)
        tied = gp_hf_first(text, GP_HF_KEYS("tie_word_embeddings"));
    model->tied = tied ? gp_node_is(tied, "true") : (flags & GP_HF_TIED) != 0;
}

static void read_latent(gp_hf_reader *reader) {
    const gp_node *text = reader->text;
    gp_mla *mla = &reader->model->mla;
    mla->q_lora = gp_hf_number(reader, text, GP_HF_KEYS("q_lora_rank"));
    mla->kv_lora = gp_hf_needed(reader, text, GP_HF_KEYS("kv_lora_rank"));
    mla->nope = gp_hf_needed(reader, text, GP_HF_KEYS("qk_nope_head_dim"));
    mla->rope = gp_hf_needed(reader, text, GP_HF_KEYS("qk_rope_head_dim"));
    mla->value = gp_hf_needed(reader, text, GP_HF_KEYS("v_head_dim"));
}

/* ---- experts */

/* Layers without experts that the list `node` names by `word` (or, for a list of positions, by
 * standing in it): they must be the first ones. */
static void read_prefix(gp_hf_reader *reader, const gp_node *node, const char *word) {
    int64_t prefix = 0;
    if (word) {
        prefix = gp_hf_prefix(node, word);
        for (size_t i = (size_t)prefix; i < node->count; i++) {
            if (gp_node_is(node->items[i], word)) {
                gp_hf_refuse(reader, node->items[i],
                             "layers without experts stand between layers with experts");
                return;
            }
        }
    } else {
        for (size_t i = 0; i < node->count; i++) {
            int64_t at = -1;
            if (!gp_hf_whole(node->items[i], &at) || at != prefix) {
                gp_hf_refuse(reader, node->items[i],
                             "layers without experts stand between layers with experts");
                return;
            }
            prefix++;
        }
    }
    reader->dense_prefix = prefix;
}

static void read_dense_layers(gp_hf_reader *reader) {
    static const struct {
        const char *key, *word;
    } lists[] = {{"mlp_layer_types", "dense"}, {"moe_layer_freq", "0"}, {"mlp_only_layers", NULL}};
    const gp_node *text = reader->text;
    reader->dense_prefix = gp_hf_number(reader, text, GP_HF_KEYS("first_k_dense_replace"));
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const gp_node *list = gp_node_get(text, lists[i].key);
        if (list && list->kind == GP_NODE_SEQ && list->count > 0)
            read_prefix(reader, list, lists[i].word);
    }
    int64_t every =
        gp_hf_number(reader, text, GP_HF_KEYS("decoder_sparse_step", "interleave_moe_layer_step"));
    const gp_node *frequency = gp_node_get(text, "moe_layer_freq");
    if (every == 0 && frequency && frequency->kind == GP_NODE_SCALAR)
        every = gp_hf_number(reader, text, GP_HF_KEYS("moe_layer_freq"));
    reader->model->experts.first_dense = reader->dense_prefix;
    reader->model->experts.every = every > 1 ? every : 0;
}

static void read_shared_experts(gp_hf_reader *reader) {
    const gp_node *text = reader->text;
    gp_experts *experts = &reader->model->experts;
    experts->shared =
        gp_hf_number(reader, text, GP_HF_KEYS("n_shared_experts", "num_shared_experts"));
    experts->shared_ffn = gp_hf_number(reader, text,
                                       GP_HF_KEYS("shared_expert_intermediate_size",
                                                  "moe_shared_expert_intermediate_size",
                                                  "shared_intermediate_size", "share_expert_dim"));
    if (experts->shared_ffn == 0)
        experts->shared_ffn = experts->shared * experts->ffn;
    if (experts->shared_ffn > 0 && experts->shared == 0)
        experts->shared = 1;
}

static void read_experts(gp_hf_reader *reader) {
    const gp_node *text = reader->text;
    gp_model *model = reader->model;
    gp_experts *experts = &model->experts;
    bool local = reader->family->flags & GP_HF_LOCAL_EXPERTS;
    experts->count = gp_hf_number(
        reader, text, GP_HF_KEYS("n_routed_experts", "num_local_experts", "num_experts"));
    if (experts->count == 0 || gp_hf_is(text, "enable_moe_block", "false")) {
        experts->count = 0;
        return;
    }
    experts->top_k =
        gp_hf_needed(reader, text,
                     GP_HF_KEYS("num_experts_per_tok", "top_k_experts", "num_experts_per_token",
                                "experts_per_token", "moe_topk"));
    experts->ffn = local ? gp_hf_needed(reader, text, GP_HF_KEYS("intermediate_size"))
                         : gp_hf_needed(reader, text, GP_HF_KEYS("moe_intermediate_size"));
    experts->latent =
        gp_hf_number(reader, text, GP_HF_KEYS("moe_latent_size", "routed_expert_hidden_size"));
    read_shared_experts(reader);
    read_dense_layers(reader);
}

static void read_mlp(gp_hf_reader *reader) {
    gp_model *model = reader->model;
    const gp_experts *experts = &model->experts;
    bool all_experts = experts->count > 0 && experts->first_dense == 0 && experts->every == 0;
    bool apart = model->pattern != NULL || reader->family->flags & GP_HF_MLP_APART;
    if (!all_experts && !apart)
        model->ffn = gp_hf_needed(
            reader, reader->text,
            GP_HF_KEYS("dense_intermediate_size", "intermediate_size_mlp", "intermediate_size"));
}

/* ---- attention */

static void read_window(gp_hf_reader *reader) {
    const gp_node *text = reader->text;
    gp_window *window = &reader->model->window;
    int64_t layers = reader->model->layers;
    int64_t size = gp_hf_number(reader, text, GP_HF_KEYS("sliding_window"));
    if (size == 0 || gp_hf_is(text, "use_sliding_window", "false"))
        return;
    int64_t listed = gp_hf_count(text, "layer_types", "sliding_attention");
    int64_t from = gp_hf_number(reader, text, GP_HF_KEYS("max_window_layers"));
    if (listed == 0 && gp_hf_true(text, "use_sliding_window"))
        listed = layers - gp_num_min_i64(from, layers);
    else if (listed == 0 && reader->family->flags & GP_HF_WINDOW_ALL)
        listed = layers;
    if (listed > 0)
        *window = (gp_window){.size = size, .layers = listed};
}

static void read_linear(gp_hf_reader *reader) {
    const gp_node *text = reader->text;
    gp_linear_attention *linear = &reader->model->linear;
    int64_t layers = reader->model->layers;
    if (!gp_node_get(text, "linear_num_value_heads"))
        return;
    linear->layers = gp_hf_count(text, "layer_types", "linear_attention");
    int64_t interval = gp_hf_number(reader, text, GP_HF_KEYS("full_attention_interval"));
    if (linear->layers == 0 && interval > 0)
        linear->layers = layers - layers / interval;
    linear->key_heads = gp_hf_needed(reader, text, GP_HF_KEYS("linear_num_key_heads"));
    linear->key_dim = gp_hf_needed(reader, text, GP_HF_KEYS("linear_key_head_dim"));
    linear->value_heads = gp_hf_needed(reader, text, GP_HF_KEYS("linear_num_value_heads"));
    linear->value_dim = gp_hf_needed(reader, text, GP_HF_KEYS("linear_value_head_dim"));
    linear->conv = gp_hf_number(reader, text, GP_HF_KEYS("linear_conv_kernel_dim"));
}

/* An indexer that picks tokens; a layer may share the choice of an earlier one. */
static void read_indexer(gp_hf_reader *reader) {
    const gp_node *text = reader->text;
    gp_sparse_attention *sparse = &reader->model->sparse;
    if (!gp_hf_first(text, GP_HF_KEYS("index_topk")))
        return;
    sparse->index_heads = gp_hf_needed(reader, text, GP_HF_KEYS("index_n_heads"));
    sparse->index_dim = gp_hf_needed(reader, text, GP_HF_KEYS("index_head_dim"));
    sparse->top_k = gp_hf_needed(reader, text, GP_HF_KEYS("index_topk"));
    int64_t own = gp_hf_count(text, "indexer_types", "full");
    sparse->layers = own < reader->model->layers ? own : 0;
}

static void read_further_tokens(gp_hf_reader *reader) {
    reader->model->mtp = gp_hf_number(
        reader, reader->text, GP_HF_KEYS("num_nextn_predict_layers", "mtp_num_hidden_layers"));
    if (reader->model->mtp == 0 && !gp_hf_is(reader->text, "use_mtp", "false"))
        reader->model->mtp = gp_hf_number(reader, reader->text, GP_HF_KEYS("num_mtp_modules"));
}

/* What no row can tell is refused, not left out. */
static void refuse_untold(gp_hf_reader *reader) {
    static const struct {
        const char *key, *what;
    } rows[] = {
        {"num_kv_shared_layers", "layers share the keys and values of others"},
        {"hidden_size_per_layer_input", "every layer has embeddings of its own"},
    };
    const gp_node *text = reader->text;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (gp_hf_number(reader, text, GP_HF_KEYS(rows[i].key)) > 0)
            gp_hf_refuse(reader, gp_node_get(text, rows[i].key), rows[i].what);
    if (gp_hf_true(text, "use_double_wide_mlp"))
        gp_hf_refuse(reader, gp_node_get(text, "use_double_wide_mlp"),
                     "some MLPs are twice as wide");
    if (gp_hf_true(text, "is_encoder_decoder"))
        gp_hf_refuse(reader, gp_node_get(text, "is_encoder_decoder"),
                     "the model is an encoder with a decoder");
}

void gp_hf_read_shape(gp_hf_reader *reader) {
    read_sizes(reader);
    if (reader->family->flags & GP_HF_LATENT)
        read_latent(reader);
    read_experts(reader);
    read_window(reader);
    read_linear(reader);
    read_further_tokens(reader);
    reader->model->attention_gate = gp_hf_true(reader->text, "attn_output_gate");
    if (reader->family->finish)
        reader->family->finish(reader);
    if (!reader->model->compressed.q_lora && reader->family->flags & GP_HF_LATENT)
        read_indexer(reader);
    if (reader->model->blocks.count == 0)
        read_mlp(reader);
    refuse_untold(reader);
    if (gp_hf_first(reader->root, GP_HF_KEYS("audio_config")))
        gp_hf_note(reader, "The audio encoder is left out.");
}
