/* Numbers that a plan states, by path, and the same a little smaller or larger. The tree is walked
 * as it was written, beside the descriptors: they tell a number from a word that begins with
 * one. */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "model/fields.h"
#include "source/yaml_tree.h"

enum { NUMBERS_MAX = 2000, SCALED_DIGITS = 6 };

typedef struct lister {
    gp_arena *arena;
    gp_spec_numbers *out;
    size_t cap;
    gp_status st; /* latched */
} lister;

static void list_struct(lister *l, const char *path, const gp_struct *type, const gp_node *node);

const gp_node *gp_plan_node(const gp_yaml_docs *docs, const char *name) {
    for (size_t i = 0; i < docs->count; i++) {
        const gp_node *kind = gp_node_get(docs->roots[i], "kind");
        const gp_node *found = gp_node_get(gp_node_get(docs->roots[i], "metadata"), "name");
        if (kind != NULL && gp_node_is(kind, "Plan") && found != NULL &&
            gp_str_equal(found->text, name))
            return gp_node_get(docs->roots[i], "spec");
    }
    return NULL;
}

/* Characters of a number at the start of a text: sign, digits, point, exponent. */
static size_t number_len(const char *text) {
    static const char digits[] = "0123456789";
    size_t len = *text == '-' || *text == '+' ? 1 : 0;
    const size_t first = len;
    len += strspn(text + len, digits);
    if (text[len] == '.')
        len += 1 + strspn(text + len + 1, digits);
    const size_t sign = text[len] == 'e' && (text[len + 1] == '-' || text[len + 1] == '+') ? 1 : 0;
    const size_t exponent = text[len] == 'e' ? strspn(text + len + 1 + sign, digits) : 0;
    return len > first && exponent > 0 ? len + 1 + sign + exponent : len > first ? len : 0;
}

static void add(lister *l, const char *path, const gp_field *field, const gp_node *node) {
    double value = 0;
    const size_t len = node->kind == GP_NODE_SCALAR ? number_len(node->text) : 0;
    if (l->st != GP_OK || len == 0 || !gp_num_parse(node->text, len, &value) || !(fabs(value) > 0))
        return;
    if (l->out->count == NUMBERS_MAX) {
        l->st = GP_ERR_LIMIT;
        return;
    }
    GP_PUSH(l->arena, l->out->items, l->out->count, l->cap) =
        (gp_spec_number){.path = path,
                         .text = node->text,
                         .whole = field->kind == GP_FIELD_COUNT && node->text[len] == '\0'};
}

static const char *join(lister *l, const char *path, const char *key) {
    return *path == '\0' ? key : gp_arena_printf(l->arena, "%s.%s", path, key);
}

static const gp_field *field_named(const gp_struct *type, const char *key) {
    return GP_NAMED_OF(type->fields, type->field_count, key, key);
}

/* Items of lists are named as --set names them; those without a name cannot be set one by one. */
static void list_items(lister *l, const char *path, const gp_field *field, const gp_node *node) {
    for (size_t i = 0; node->kind == GP_NODE_SEQ && field->nested != NULL && i < node->count; i++) {
        const gp_node *name = gp_node_get(node->items[i], "name");
        if (name != NULL && name->kind == GP_NODE_SCALAR)
            list_struct(l, join(l, path, name->text), field->nested, node->items[i]);
    }
}

static void list_entries(lister *l, const char *path, const gp_field *field, const gp_node *node) {
    for (size_t i = 0; node->kind == GP_NODE_MAP && i < node->count; i++) {
        const char *below = join(l, path, node->entries[i].key->text);
        if (field->nested != NULL) {
            list_struct(l, below, field->nested, node->entries[i].value);
        } else if (field->item == GP_FIELD_QUANTITY) {
            add(l, below, field, node->entries[i].value);
        }
    }
}

static void list_field(lister *l, const char *path, const gp_field *field, const gp_node *node) {
    switch (field->kind) {
    case GP_FIELD_COUNT:
    case GP_FIELD_QUANTITY: add(l, path, field, node); break;
    case GP_FIELD_STRUCT: list_struct(l, path, field->nested, node); break;
    case GP_FIELD_LIST: list_items(l, path, field, node); break;
    case GP_FIELD_MAP: list_entries(l, path, field, node); break;
    case GP_FIELD_STRING:
    case GP_FIELD_ENUM:
    case GP_FIELD_BOOL:
    case GP_FIELD_DATE: break;
    }
}

static void list_struct(lister *l, const char *path, const gp_struct *type, const gp_node *node) {
    if (node->kind == GP_NODE_SCALAR && type->scalar_key != NULL) {
        const gp_field *stands_for = field_named(type, type->scalar_key);
        if (stands_for != NULL)
            list_field(l, path, stands_for, node);
        return;
    }
    for (size_t i = 0; node->kind == GP_NODE_MAP && i < node->count; i++) {
        const char *key = node->entries[i].key->text;
        const gp_field *field = field_named(type, key);
        if (field != NULL && !gp_str_equal(key, "parallelism"))
            list_field(l, join(l, path, key), field, node->entries[i].value);
    }
}

gp_status gp_spec_list_numbers(gp_arena *arena, const gp_text *text, const char *plan,
                               gp_spec_numbers *ret_numbers) {
    lister l = {.arena = arena, .out = ret_numbers};
    gp_source_limits limits = GP_SOURCE_LIMITS_INIT;
    gp_yaml_docs docs = {0};
    gp_diags diags;
    gp_diags_init(&diags, arena);
    *ret_numbers = (gp_spec_numbers){0};
    gp_status st = gp_yaml_read(arena, text, &limits, &diags, &docs);
    const gp_node *spec = st == GP_OK ? gp_plan_node(&docs, plan) : NULL;
    const gp_field *root = field_named(&gp_plan_document_rows, "spec");
    if (st == GP_OK && (spec == NULL || root == NULL))
        st = GP_ERR_NOT_FOUND;
    if (st != GP_OK)
        return st;
    list_struct(&l, "", root->nested, spec);
    return l.st;
}

const char *gp_spec_number_scaled(gp_arena *arena, const gp_spec_number *number, double factor) {
    double value = 0;
    char text[GP_NUM_TEXT];
    const size_t len = number_len(number->text);
    (void)gp_num_parse(number->text, len, &value);
    double scaled = value * factor;
    if (number->whole) {
        const double rounded = floor(scaled + 0.5);
        const bool still = gp_num_compare9(rounded, value) == 0;
        scaled = still ? value + (factor > 1 ? 1 : -1) : rounded;
        scaled = gp_num_max(scaled, 0);
        (void)gp_num_format_i64(text, (int64_t)scaled);
    } else {
        (void)gp_num_format_g(text, scaled, SCALED_DIGITS);
    }
    return gp_arena_printf(arena, "%s%s", text, number->text + len);
}
