/* What cJSON reads, handed to the builder of trees, which holds it to the limits. */
#include "source/json_answer.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "source/tree_build.h"

enum { NUMBER_DIGITS = 17 };

typedef struct answer {
    gp_tree_builder builder;
    const cJSON *root;
    gp_span whole;
} answer;

static gp_status add_text(answer *a, const char *text, gp_scalar_style style) {
    const gp_tree_scalar scalar = {.text = text, .len = strlen(text), .style = style};
    return gp_tree_scalar_add(&a->builder, &scalar, a->whole);
}

static gp_status add_plain(answer *a, const cJSON *item) {
    char number[GP_NUM_TEXT];
    if (!cJSON_IsNumber(item))
        return add_text(a, cJSON_IsTrue(item) ? "true" : cJSON_IsFalse(item) ? "false" : "null",
                        GP_STYLE_PLAIN);
    (void)gp_num_format_g(number, item->valuedouble, NUMBER_DIGITS);
    return add_text(a, isfinite(item->valuedouble) ? number : "Infinity", GP_STYLE_PLAIN);
}

/* As deep as cJSON reads at most; the builder refuses less. */
static gp_status add_value(answer *a, const cJSON *item) {
    if (cJSON_IsString(item))
        return add_text(a, item->valuestring, GP_STYLE_QUOTED);
    if (!cJSON_IsObject(item) && !cJSON_IsArray(item))
        return add_plain(a, item);
    const bool map = cJSON_IsObject(item);
    gp_status st =
        gp_tree_open(&a->builder, map ? GP_NODE_MAP : GP_NODE_SEQ, false, NULL, a->whole);
    for (const cJSON *child = item->child; child != NULL && !st; child = child->next) {
        if (map)
            st = add_text(a, child->string, GP_STYLE_QUOTED);
        if (!st)
            st = add_value(a, child);
    }
    return st ? st : gp_tree_close(&a->builder, a->whole.end);
}

static gp_status add_root(void *context) {
    answer *a = context;
    return add_value(a, a->root);
}

gp_status gp_json_answer_read(gp_arena *arena, const gp_text *text, const gp_source_limits *limits,
                              gp_diags *diags, const gp_node **ret_root) {
    answer a = {.whole = {.text = text, .end = (uint32_t)text->len}};
    const size_t errors = diags->errors;
    *ret_root = NULL;
    gp_status st = gp_source_check_text(text, limits, diags);
    if (st)
        return st;
    const size_t begin = text->line_starts[0]; /* behind a byte order mark */
    cJSON *root = cJSON_ParseWithLengthOpts(text->data + begin, text->len - begin + 1, NULL, true);
    if (root == NULL) {
        gp_diags_error(diags, GP_SOURCE_SYNTAX, a.whole, "one JSON value", NULL,
                       "JSON syntax: not JSON");
        return GP_ERR_INPUT;
    }
    a.root = root;
    gp_tree_init(&a.builder, arena, text, limits, diags);
    st = gp_arena_guard(arena, add_root, &a);
    cJSON_Delete(root);
    if (st == GP_ERR_NO_MEMORY)
        gp_arena_exhausted(arena);
    *ret_root = st ? NULL : a.builder.root;
    return st || diags->errors == errors ? st : GP_ERR_INPUT;
}
