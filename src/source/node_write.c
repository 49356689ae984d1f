/* Writing trees as YAML in one form. */
#include "source/node_write.h"

#include <string.h>

#include "base/str.h"

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Letters, digits and a few signs, single blanks inside; nothing that YAML gives a meaning. */
static bool is_plain(const char *text, size_t len) {
    static const char signs[] = "._-/+%()<=>*^~'";
    if (len == 0 || !(is_letter(text[0]) || is_digit(text[0])) || text[len - 1] == ' ')
        return false;
    for (size_t i = 0; i < len; i++) {
        char c = text[i];
        bool colon = c == ':' && i + 1 < len && text[i + 1] != ' ';
        if (!is_letter(c) && !is_digit(c) && c != ' ' && !colon && !strchr(signs, c))
            return false;
    }
    return !gp_str_is(text, len, "null");
}

/* Control characters, also those beyond ASCII and marks of direction: never raw. */
static size_t write_escape(gp_buf *buf, const char *text, size_t len) {
    static const char hex[] = "0123456789abcdef";
    uint32_t code = 0;
    size_t bytes = gp_utf8_decode(text, len, &code);
    gp_buf_str(buf, "\\u");
    for (int shift = 12; shift >= 0; shift -= 4)
        gp_buf_char(buf, hex[code >> shift & 15]);
    return bytes > 0 ? bytes : 1;
}

void gp_yaml_scalar(gp_buf *buf, const char *text, size_t len) {
    if (is_plain(text, len)) {
        gp_buf_add(buf, text, len);
        return;
    }
    gp_buf_char(buf, '"');
    for (size_t i = 0; i < len;) {
        if (gp_utf8_control(text + i) > 0) {
            i += write_escape(buf, text + i, len - i);
            continue;
        }
        if (text[i] == '"' || text[i] == '\\')
            gp_buf_char(buf, '\\');
        gp_buf_char(buf, text[i++]);
    }
    gp_buf_char(buf, '"');
}

static void write_scalar(gp_buf *buf, const gp_node *node) {
    if (gp_node_is_null(node)) {
        gp_buf_str(buf, "null");
    } else {
        gp_yaml_scalar(buf, node->text, node->len);
    }
}

void gp_node_write_flow(gp_buf *buf, const gp_node *node) {
    if (node->kind == GP_NODE_SCALAR) {
        write_scalar(buf, node);
        return;
    }
    bool map = node->kind == GP_NODE_MAP;
    gp_buf_char(buf, map ? '{' : '[');
    for (size_t i = 0; i < node->count; i++) {
        gp_buf_str(buf, i == 0 ? "" : ", ");
        if (map) {
            write_scalar(buf, node->entries[i].key);
            gp_buf_str(buf, ": ");
        }
        gp_node_write_flow(buf, map ? node->entries[i].value : node->items[i]);
    }
    gp_buf_char(buf, map ? '}' : ']');
}

static bool on_one_line(const gp_node *node, int depth) {
    return node->kind == GP_NODE_SCALAR || node->count == 0 || depth <= 0;
}

/* The rest of an entry or item behind its "key:" or "-". */
static void write_value(gp_buf *buf, const gp_node *node, int indent, int depth) {
    if (on_one_line(node, depth)) {
        gp_buf_char(buf, ' ');
        gp_node_write_flow(buf, node);
        gp_buf_char(buf, '\n');
        return;
    }
    gp_buf_char(buf, '\n');
    gp_node_write_block(buf, node, indent + 2, depth - 1);
}

/* A map as a list item: its first entry stands behind the dash. */
static void write_item(gp_buf *buf, const gp_node *item, int indent, int depth) {
    if (item->kind != GP_NODE_MAP || on_one_line(item, depth)) {
        gp_buf_repeat(buf, ' ', indent);
        gp_buf_char(buf, '-');
        write_value(buf, item, indent, depth);
        return;
    }
    for (size_t i = 0; i < item->count; i++) {
        gp_buf_repeat(buf, ' ', indent);
        gp_buf_str(buf, i == 0 ? "- " : "  ");
        write_scalar(buf, item->entries[i].key);
        gp_buf_char(buf, ':');
        write_value(buf, item->entries[i].value, indent + 2, depth - 1);
    }
}

void gp_node_write_block(gp_buf *buf, const gp_node *node, int indent, int depth) {
    for (size_t i = 0; i < node->count; i++) {
        if (node->kind != GP_NODE_MAP) {
            write_item(buf, node->items[i], indent, depth);
            continue;
        }
        gp_buf_repeat(buf, ' ', indent);
        write_scalar(buf, node->entries[i].key);
        gp_buf_char(buf, ':');
        write_value(buf, node->entries[i].value, indent, depth);
    }
}
