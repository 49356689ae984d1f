/* From the files of a model repository to a catalogue row. The row is written as text and read
 * back, so that what is handed out is what a spec will see; the shape of that row is held against
 * the published size of the checkpoint. */
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "import/hf.h"
#include "schema/diag_ids.h"
#include "schema/scalar.h"
#include "source/json_tree.h"

enum { INDEX_BYTES = 64 * 1024 * 1024, INDEX_NODES = 4000000, ID_MAX = 200 };

/* A gap of the size above this is told; layers that predict further tokens alone make 2 %. */
static const double gap_told = 0.03;

static gp_status read_json(gp_arena *arena, const gp_text *text, bool index, gp_diags *diags,
                           const gp_node **ret_root) {
    gp_source_limits limits = GP_SOURCE_LIMITS_INIT;
    *ret_root = NULL;
    if (!text)
        return GP_OK;
    if (index) {
        limits.max_bytes = INDEX_BYTES;
        limits.max_nodes = limits.max_expanded_nodes = INDEX_NODES;
    }
    gp_status st = gp_json_read(arena, text, &limits, diags, ret_root);
    if (!st && (*ret_root)->kind != GP_NODE_MAP) {
        gp_diags_error(diags, GP_ID_WRONG_TYPE, (*ret_root)->span, "a map", NULL,
                       "%s is no JSON object", text->name);
        return GP_ERR_INPUT;
    }
    return st;
}

/* ---- names */

static const char *id_of(gp_arena *arena, const char *name) {
    char *id = gp_arena_strndup(arena, name, strlen(name) < ID_MAX ? strlen(name) : ID_MAX);
    for (char *c = id; c && *c; c++) {
        bool upper = *c >= 'A' && *c <= 'Z';
        bool kept = (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || strchr("._-/", *c);
        *c = upper ? (char)(*c - 'A' + 'a') : kept ? *c : '-';
    }
    if (!((*id >= 'a' && *id <= 'z') || (*id >= '0' && *id <= '9')))
        return gp_arena_printf(arena, "x%s", id);
    return id;
}

/* The family of the decoder; refuses what is not known and says where to go from there. */
static gp_status find_family(gp_hf_reader *reader) {
    const gp_node *type = gp_hf_first(reader->text, GP_HF_KEYS("model_type"));
    if (!type)
        type = gp_hf_first(reader->root, GP_HF_KEYS("model_type"));
    if (!type || type->kind != GP_NODE_SCALAR) {
        gp_diags_error(reader->diags, GP_ID_MISSING_KEY, reader->text->span, "model_type", NULL,
                       "the configuration does not say its model_type");
        return GP_ERR_INPUT;
    }
    reader->family = GP_NAMED_OF(gp_hf_families, gp_hf_family_count, type, type->text);
    if (!reader->family) {
        gp_diags_error(reader->diags, GP_ID_NOT_A_CHOICE, type->span,
                       "an architecture of `gpuplan import --architectures`; or write the model "
                       "out under model: (layers, hidden, heads, kvHeads, headDim, ffn, vocab)",
                       gp_str_nearest_of(type->text, type->len, gp_import_architectures),
                       "the architecture \"%s\" is not known",
                       gp_shown(reader->arena, type->text, type->len));
        return GP_ERR_INPUT;
    }
    return GP_OK;
}

static const gp_node *map_under(const gp_node *map, const char *key) {
    const gp_node *node = gp_node_get(map, key);
    return node && node->kind == GP_NODE_MAP ? node : NULL;
}

static void find_parts(gp_hf_reader *reader, const gp_node *quantization) {
    static const char *const decoders[] = {"text_config", "llm_config"};
    reader->text = reader->root;
    for (size_t i = 0; i < GP_COUNT_OF(decoders); i++) {
        const gp_node *inner = map_under(reader->root, decoders[i]);
        reader->text = inner && reader->text == reader->root ? inner : reader->text;
    }
    reader->quant = map_under(reader->root, "quantization_config");
    if (!reader->quant)
        reader->quant = map_under(reader->text, "quantization_config");
    const gp_node *own = map_under(quantization, "quantization");
    if (!reader->quant && own && gp_hf_first(own, GP_HF_KEYS("quant_algo")))
        reader->quant = own;
}

/* ---- the row */

/* Writes the row and reads it back. */
static gp_status make_row(gp_hf_reader *reader, const gp_import_model_input *input,
                          gp_import_model *ret) {
    gp_text *text = NULL;
    gp_catalog *catalog = NULL;
    const void *row = NULL;
    gp_arena *arena = reader->arena;
    gp_status st = gp_hf_write_row(reader, input, ret->id, &ret->row);
    if (!st)
        st = gp_hf_write_document(arena, ret->id, ret->row, &ret->document);
    if (!st)
        st = gp_text_init(arena, "the imported row", ret->document, strlen(ret->document), &text);
    if (!st)
        st = gp_catalog_open(arena, reader->diags, &catalog);
    if (!st)
        st = gp_catalog_add(catalog, text);
    if (!st)
        st = gp_catalog_find(catalog, GP_CATALOG_MODELS, ret->id, &row, NULL, NULL);
    ret->model = row;
    return st == GP_ERR_NOT_FOUND ? GP_ERR_INTERNAL : st;
}

static gp_status make_shape(gp_hf_reader *reader, const gp_import_model *imported,
                            gp_constants *ret_constants, gp_shape *ret_shape) {
    gp_catalog *catalog = NULL;
    gp_status st = gp_catalog_open(reader->arena, reader->diags, &catalog);
    st = gp_constants_load(catalog, reader->diags, ret_constants);
    if (st)
        return st;
    st = gp_shape_derive(imported->model, ret_constants, NULL, ret_shape);
    if (st == GP_ERR_INPUT)
        gp_hf_refuse(reader, reader->text, "the configuration lacks a size that the shape needs");
    return st;
}

/* ---- the published size */

static double total_size(const gp_node *index) {
    const gp_node *size = gp_node_get(gp_node_get(index, "metadata"), "total_size");
    double bytes = 0;
    return size && size->kind == GP_NODE_SCALAR && gp_num_parse(size->text, size->len, &bytes) &&
                   bytes > 0 && bytes < 1e15
               ? bytes
               : 0;
}

static double bytes_expected(const gp_model *model, const gp_shape *shape,
                             const gp_constants *constants) {
    const gp_weights *weights = &model->weights;
    double fraction = weights->quantized_fraction;
    if (fraction <= 0 || weights->remainder <= 0)
        return gp_weights_bytes(shape, constants, (gp_format)weights->format, fraction);
    return shape->parameters *
           (fraction * gp_format_bytes(constants, (gp_format)weights->format) +
            (1 - fraction) * gp_format_bytes(constants, (gp_format)weights->remainder));
}

/* One decimal of a percentage, always with a sign. */
static const char *percent(gp_arena *arena, double fraction) {
    char text[GP_NUM_TEXT];
    size_t len = gp_num_format_fixed(text, 100 * (fraction < 0 ? -fraction : fraction), 1);
    return gp_arena_printf(arena, "%.*s %% %s", (int)len, text, fraction < 0 ? "below" : "above");
}

static void judge_size(gp_hf_reader *reader, const gp_import_model *imported) {
    double published = imported->checkpoint_bytes;
    if (published <= 0)
        return;
    double gap = imported->expected_bytes / published - 1;
    if (gap > -gap_told && gap < gap_told)
        return;
    gp_hf_note(
        reader,
        gp_arena_printf(
            reader->arena, "The size by the shape is %s the published %s%s.",
            percent(reader->arena, gap), gp_quantity_format(reader->arena, published, GP_DIM_BYTES),
            reader->model->mtp > 0 ? " (layers that predict further tokens are not in it)" : ""));
}

static gp_status finish(gp_hf_reader *reader, const gp_import_model_input *input,
                        const gp_node *index, gp_import_model *ret) {
    gp_constants *constants = GP_NEW(reader->arena, gp_constants);
    gp_shape shape;
    gp_status st = make_row(reader, input, ret);
    if (!st)
        st = make_shape(reader, ret, constants, &shape);
    if (st)
        return st;
    gp_hf_read_weights(reader, &shape);
    ret->parameters = shape.parameters;
    ret->active_parameters = shape.active_parameters;
    ret->checkpoint_bytes = total_size(index);
    if (ret->checkpoint_bytes <= 0)
        ret->checkpoint_bytes = input->checkpoint_bytes;
    reader->model->weights.bytes = ret->checkpoint_bytes;
    ret->expected_bytes = bytes_expected(reader->model, &shape, constants);
    judge_size(reader, ret);
    return make_row(reader, input, ret);
}

static void keep_notes(const gp_hf_reader *reader, gp_import_model *ret) {
    const char **notes = GP_NEW_ARRAY(reader->arena, const char *, GP_HF_NOTES_MAX);
    memcpy(notes, reader->notes, sizeof reader->notes);
    ret->notes.items = notes;
    ret->notes.count = reader->note_count;
}

gp_status gp_import_model_read(gp_arena *arena, const gp_import_model_input *input, gp_diags *diags,
                               gp_import_model *ret_model) {
    size_t errors = diags->errors;
    const gp_node *quantization = NULL;
    const gp_node *index = NULL;
    *ret_model = (gp_import_model){.id = id_of(arena, input->name)};
    gp_hf_reader reader = {.arena = arena, .diags = diags, .model = GP_NEW(arena, gp_model)};
    gp_status st = read_json(arena, input->config, false, diags, &reader.root);
    if (!st)
        st = read_json(arena, input->quantization, false, diags, &quantization);
    if (!st)
        st = read_json(arena, input->index, true, diags, &index);
    if (st || !reader.root)
        return st ? st : GP_ERR_INTERNAL; /* a configuration is always given */
    find_parts(&reader, quantization);
    st = find_family(&reader);
    if (st)
        return st;
    ret_model->architecture = reader.family->type;
    gp_hf_read_shape(&reader);
    gp_hf_read_vision(&reader);
    st = diags->errors > errors ? GP_ERR_INPUT : finish(&reader, input, index, ret_model);
    if (!st)
        keep_notes(&reader, ret_model);
    if (!st && diags->errors > errors)
        st = GP_ERR_INPUT;
    return st;
}
