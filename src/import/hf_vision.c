/* The vision tower, in the forms that configurations tell it in: one row of keys for each. */
#include "base/num.h"
#include "import/hf.h"

typedef struct vision_form {
    const char *mark; /* key of the form */
    const char *layers, *hidden, *ffn, *heads, *merge, *positions;
    bool gated;
} vision_form;

static const vision_form forms[] = {
    /* Qwen VL: learned positions, mergers at several depths. */
    {"depth", "depth", "hidden_size", "intermediate_size", "num_heads", "spatial_merge_size",
     "num_position_embeddings", false},
    /* Kimi: positions by height and width, a patch merger. */
    {"vt_num_hidden_layers", "vt_num_hidden_layers", "vt_hidden_size", "vt_intermediate_size",
     "vt_num_attention_heads", "", "", false},
    /* Gemma 4: two tables of positions, a gated MLP. */
    {"position_embedding_size", "num_hidden_layers", "hidden_size", "intermediate_size",
     "num_attention_heads", "", "position_embedding_size", true},
    /* Llama 4: pixels are shuffled into fewer tokens. */
    {"pixel_shuffle_ratio", "num_hidden_layers", "hidden_size", "intermediate_size",
     "num_attention_heads", "", "", false},
    /* SigLIP, of Gemma 3. */
    {"image_size", "num_hidden_layers", "hidden_size", "intermediate_size", "num_attention_heads",
     "", "", false},
};

static const vision_form *form_of(const gp_node *vision) {
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (gp_hf_first(vision, GP_HF_KEYS(forms[i].mark)))
            return &forms[i];
    return NULL;
}

static int64_t list_length(const gp_node *map, const char *key) {
    const gp_node *list = gp_node_get(map, key);
    return list && list->kind == GP_NODE_SEQ ? (int64_t)list->count : 0;
}

static void read_kimi(gp_hf_reader *reader, const gp_node *vision) {
    gp_vision *v = &reader->model->vision;
    const gp_node *merge = gp_node_get(vision, "merge_kernel_size");
    v->positions = gp_hf_number(reader, vision, GP_HF_KEYS("init_pos_emb_height")) *
                   gp_hf_number(reader, vision, GP_HF_KEYS("init_pos_emb_width"));
    v->qkv = gp_hf_number(reader, vision, GP_HF_KEYS("qkv_hidden_size"));
    if (merge && merge->kind == GP_NODE_SEQ && merge->count > 0)
        (void)gp_hf_whole(merge->items[0], &v->merge);
    v->projectors = 1;
}

/* One token for the class of the image, and one position for each patch. */
static void read_patches(gp_hf_reader *reader, const gp_node *vision, int64_t more) {
    gp_vision *v = &reader->model->vision;
    v->image_size = gp_hf_number(reader, vision, GP_HF_KEYS("image_size"));
    int64_t edge = v->patch > 0 ? v->image_size / v->patch : 0;
    v->positions = edge * edge + more;
}

static void read_llama4(gp_hf_reader *reader, const gp_node *vision) {
    gp_vision *v = &reader->model->vision;
    const gp_node *ratio = gp_node_get(vision, "pixel_shuffle_ratio");
    double share = 0;
    read_patches(reader, vision, 1);
    if (ratio->kind == GP_NODE_SCALAR && gp_num_parse(ratio->text, ratio->len, &share) &&
        share > 0 && share <= 1)
        v->merge = gp_num_floor_count(1 / share);
    v->projectors = 1;
}

static void read_form(gp_hf_reader *reader, const gp_node *vision, const vision_form *form) {
    gp_vision *v = &reader->model->vision;
    v->layers = gp_hf_needed(reader, vision, GP_HF_KEYS(form->layers));
    v->hidden = gp_hf_needed(reader, vision, GP_HF_KEYS(form->hidden));
    v->ffn = gp_hf_needed(reader, vision, GP_HF_KEYS(form->ffn));
    v->heads = gp_hf_needed(reader, vision, GP_HF_KEYS(form->heads));
    v->patch = gp_hf_needed(reader, vision, GP_HF_KEYS("patch_size"));
    v->temporal_patch = gp_hf_number(reader, vision, GP_HF_KEYS("temporal_patch_size"));
    v->merge = gp_hf_number(reader, vision, GP_HF_KEYS(form->merge));
    v->positions = gp_hf_number(reader, vision, GP_HF_KEYS(form->positions));
    v->gated = form->gated;
}

/* The catalogue's rows of image processors by model_type of the whole model. Of others the tokens
 * of an image stay open, and a plan with images asks for them. */
static const char *processor_of(const gp_node *root) {
    static const char *const processors[][2] = {
        {"gemma3", "gemma-3"},          {"gemma4", "gemma-4"},
        {"glm4v", "glm-4.5v"},          {"glm4v_moe", "glm-4.5v"},
        {"kimi_k25", "kimi-vl"},        {"kimi_k3", "kimi-k3"},
        {"kimi_vl", "kimi-vl"},         {"llama4", "llama-4"},
        {"mllama", "llama-3.2-vision"}, {"qwen2_5_vl", "qwen2.5-vl"},
        {"qwen2_vl", "qwen2.5-vl"},     {"qwen3_5", "qwen3-vl"},
        {"qwen3_5_moe", "qwen3-vl"},    {"qwen3_vl", "qwen3-vl"},
        {"qwen3_vl_moe", "qwen3-vl"},   {"mistral3", "mistral-small-3.1"}};
    for (size_t i = 0; i < sizeof processors / sizeof processors[0]; i++)
        if (gp_hf_is(root, "model_type", processors[i][0]))
            return processors[i][1];
    return NULL;
}

void gp_hf_read_vision(gp_hf_reader *reader) {
    const gp_node *vision = gp_hf_first(reader->root, GP_HF_KEYS("vision_config"));
    gp_vision *v = &reader->model->vision;
    if (!vision || vision->kind != GP_NODE_MAP)
        return;
    const vision_form *form = form_of(vision);
    if (!form) {
        gp_hf_refuse(reader, vision, "the vision tower is told in a form that is not known");
        return;
    }
    read_form(reader, vision, form);
    v->processor.extends = processor_of(reader->root);
    switch (form - forms) {
    case 0: v->projectors = 1 + list_length(vision, "deepstack_visual_indexes"); break;
    case 1: read_kimi(reader, vision); break;
    case 2: v->positions *= 2; break;
    case 3: read_llama4(reader, vision); break;
    default:
        read_patches(reader, vision, 0);
        v->tokens_per_image = gp_hf_number(reader, reader->root, GP_HF_KEYS("mm_tokens_per_image"));
        break;
    }
}
