/* Keys of a model's configuration: the same thing goes by several names, and null is absent. */
#include "import/hf.h"

#include "base/num.h"
#include "schema/diag_ids.h"

const gp_node *gp_hf_first(const gp_node *map, const char *const *keys) {
    for (size_t i = 0; keys[i]; i++) {
        const gp_node *node = gp_node_get(map, keys[i]);
        if (node && !gp_node_is_null(node))
            return node;
    }
    return NULL;
}

bool gp_hf_whole(const gp_node *node, int64_t *ret_number) {
    double value = 0;
    if (node->kind != GP_NODE_SCALAR || node->style != GP_STYLE_PLAIN ||
        !gp_num_parse(node->text, node->len, &value) || value < 0 || !gp_num_is_count(value))
        return false;
    *ret_number = gp_num_floor_count(value);
    return true;
}

/* Larger sizes exist in no model; three of them multiply to a count without overflow. */
enum { SIZE_MOST = 2000000 };

int64_t gp_hf_number(gp_hf_reader *reader, const gp_node *map, const char *const *keys) {
    const gp_node *node = gp_hf_first(map, keys);
    int64_t number = 0;
    if (node && !gp_hf_whole(node, &number)) {
        gp_diags_error(reader->diags, GP_ID_WRONG_TYPE, node->span, "a whole number", NULL,
                       "%s is no whole number of at least zero", keys[0]);
    } else if (number > SIZE_MOST) {
        gp_diags_error(reader->diags, GP_ID_OUT_OF_RANGE, node->span, "2000000 at most", NULL,
                       "%s is larger than in any model", keys[0]);
        return 0;
    }
    return number;
}

int64_t gp_hf_needed(gp_hf_reader *reader, const gp_node *map, const char *const *keys) {
    int64_t number = gp_hf_number(reader, map, keys);
    if (!gp_hf_first(map, keys))
        gp_diags_error(reader->diags, GP_ID_MISSING_KEY, map->span, keys[0], NULL,
                       "the configuration does not say %s", keys[0]);
    return number;
}

bool gp_hf_true(const gp_node *map, const char *key) {
    return gp_node_is(gp_node_get(map, key), "true");
}

bool gp_hf_is(const gp_node *map, const char *key, const char *word) {
    return gp_node_is(gp_node_get(map, key), word);
}

int64_t gp_hf_count(const gp_node *map, const char *key, const char *word) {
    const gp_node *list = gp_node_get(map, key);
    int64_t count = 0;
    for (size_t i = 0; list && list->kind == GP_NODE_SEQ && i < list->count; i++)
        count += gp_node_is(list->items[i], word) ? 1 : 0;
    return count;
}

int64_t gp_hf_prefix(const gp_node *list, const char *word) {
    size_t count = 0;
    while (count < list->count && gp_node_is(list->items[count], word))
        count++;
    return (int64_t)count;
}

void gp_hf_note(gp_hf_reader *reader, const char *note) {
    if (note && reader->note_count < GP_HF_NOTES_MAX)
        reader->notes[reader->note_count++] = note;
}

void gp_hf_refuse(gp_hf_reader *reader, const gp_node *node, const char *what) {
    gp_diags_error(reader->diags, GP_ID_INCONSISTENT, node ? node->span : reader->text->span,
                   "a shape that a catalogue row can tell; or write the model out under model:",
                   NULL, "%s", what);
}
