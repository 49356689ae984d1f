/* Looking things up in trees, and what every text has to be before it is read. */
#include "source/tree.h"

#include <string.h>

#include "base/str.h"

const gp_node *gp_node_get(const gp_node *map, const char *key) {
    if (!map || map->kind != GP_NODE_MAP)
        return NULL;
    for (size_t i = 0; i < map->count; i++)
        if (gp_node_is(map->entries[i].key, key))
            return map->entries[i].value;
    return NULL;
}

bool gp_node_is(const gp_node *node, const char *text) {
    return node && node->kind == GP_NODE_SCALAR && gp_str_is(node->text, node->len, text);
}

bool gp_node_is_null(const gp_node *node) {
    return node && node->kind == GP_NODE_SCALAR && node->style == GP_STYLE_PLAIN &&
           (node->len == 0 || gp_node_is(node, "~") || gp_node_is(node, "null") ||
            gp_node_is(node, "Null") || gp_node_is(node, "NULL"));
}

const char *gp_node_kind_name(gp_node_kind kind) {
    static const char *const names[] = {
        [GP_NODE_SCALAR] = "scalar", [GP_NODE_MAP] = "map", [GP_NODE_SEQ] = "list"};
    return names[kind];
}

static const char *why_not_text(const gp_text *text, size_t at) {
    if (text->len >= 2 &&
        (memcmp(text->data, "\xff\xfe", 2) == 0 || memcmp(text->data, "\xfe\xff", 2) == 0))
        return "UTF-8; this looks like UTF-16";
    return text->data[at] == '\0' ? "text; this has a NUL byte, like a binary file"
                                  : "text in UTF-8 without control characters";
}

static bool is_text_code(uint32_t code) {
    bool space = code == '\t' || code == '\n' || code == '\r';
    return space || (code >= 0x20 && code < 0x7f) || code == 0x85 || code >= 0xa0;
}

static gp_status refuse_byte(const gp_text *text, size_t at, gp_diags *diags) {
    static const char digits[] = "0123456789abcdef";
    unsigned char byte = (unsigned char)text->data[at];
    gp_span span = {.text = text, .begin = (uint32_t)at, .end = (uint32_t)at + 1};
    gp_diags_error(diags, GP_SOURCE_NOT_TEXT, span, why_not_text(text, at), NULL,
                   "not text: byte 0x%.*s%.*s at offset %zu", 1, &digits[byte >> 4], 1,
                   &digits[byte & 15], at);
    return GP_ERR_INPUT;
}

gp_status gp_source_check_text(const gp_text *text, const gp_source_limits *limits,
                               gp_diags *diags) {
    if (text->len > limits->max_bytes) {
        gp_diags_error(diags, GP_SOURCE_LIMIT, (gp_span){.text = text}, NULL, NULL,
                       "the text has %zu bytes; at most %zu are read", text->len,
                       limits->max_bytes);
        return GP_ERR_LIMIT;
    }
    for (size_t at = 0; at < text->len;) {
        uint32_t code = 0;
        size_t bytes = gp_utf8_decode(text->data + at, text->len - at, &code);
        if (!bytes || !is_text_code(code))
            return refuse_byte(text, at, diags);
        at += bytes;
    }
    return GP_OK;
}
