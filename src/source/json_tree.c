/*
 * A JSON reader that knows where everything stands, which cJSON does not tell. Recursive descent;
 * the tree builder refuses what is nested beyond the limit, so the stack stays small.
 */
#include "source/json_tree.h"

#include <string.h>

#include "base/buf.h"
#include "base/num.h"
#include "base/str.h"
#include "source/tree_build.h"

typedef struct json_reader {
    const gp_text *text;
    const gp_source_limits *limits;
    gp_diags *diags;
    gp_tree_builder builder;
    gp_buf string; /* the string being read, without escapes */
    size_t at;
} json_reader;

/* The NUL behind the text stands for its end; a NUL within was refused before. */
static char peek(const json_reader *reader) {
    return reader->text->data[reader->at];
}

static gp_span span_between(const json_reader *reader, size_t begin, size_t end) {
    return (gp_span){.text = reader->text, .begin = (uint32_t)begin, .end = (uint32_t)end};
}

static void skip_space(json_reader *reader) {
    while (peek(reader) == ' ' || peek(reader) == '\t' || peek(reader) == '\n' ||
           peek(reader) == '\r')
        reader->at++;
}

/* Reports what was due at a place; `opened` is where the construct began, or the same place. */
static gp_status fail_at(json_reader *reader, size_t at, const char *expected, size_t opened) {
    const gp_text *text = reader->text;
    size_t bytes = at < text->len ? 1 : 0;
    while (at + bytes < text->len && ((unsigned char)text->data[at + bytes] & 0xc0) == 0x80)
        bytes++;
    gp_diag diag = {.id = GP_SOURCE_SYNTAX,
                    .level = GP_LEVEL_ERROR,
                    .span = span_between(reader, at, at + bytes),
                    .message = bytes ? "JSON syntax: unexpected character"
                                     : "JSON syntax: unexpected end of the text",
                    .expected = expected};
    if (opened != at) {
        diag.related = span_between(reader, opened, opened + 1);
        diag.related_text = "opened here";
    }
    gp_diags_add(reader->diags, &diag);
    return GP_ERR_INPUT;
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The four digits behind "\u". */
static bool read_hex4(const json_reader *reader, size_t at, uint32_t *ret_code) {
    uint32_t code = 0;
    for (size_t i = 0; i < 4; i++) {
        int digit = hex_digit(reader->text->data[at + i]);
        if (digit < 0) { /* also at the end: the NUL is no digit */
            return false;
        }
        code = code << 4 | (uint32_t)digit;
    }
    *ret_code = code;
    return true;
}

/* "\uXXXX", two of them for a code point beyond U+FFFF. */
static gp_status read_unicode(json_reader *reader, size_t opened) {
    const char *data = reader->text->data;
    uint32_t code = 0;
    uint32_t low = 0;
    size_t begin = reader->at;
    if (!read_hex4(reader, begin + 2, &code))
        return fail_at(reader, begin, "four hexadecimal digits after \\u", opened);
    reader->at += 6;
    if (code >= 0xd800 && code < 0xdc00) {
        bool paired = data[begin + 6] == '\\' && data[begin + 7] == 'u' &&
                      read_hex4(reader, begin + 8, &low) && low >= 0xdc00 && low < 0xe000;
        code = paired ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : code;
        reader->at += paired ? 6 : 0;
    }
    char bytes[4];
    size_t len = gp_utf8_encode(code, bytes);
    if (!len || !code)
        return fail_at(reader, begin, "a character other than NUL, and no half surrogate pair",
                       opened);
    gp_buf_add(&reader->string, bytes, len);
    return GP_OK;
}

static gp_status read_escape(json_reader *reader, size_t opened) {
    static const char names[] = "\"\\/bfnrt";
    static const char values[] = "\"\\/\b\f\n\r\t";
    char c = reader->text->data[reader->at + 1];
    if (c == 'u')
        return read_unicode(reader, opened);
    const char *name = c ? strchr(names, c) : NULL;
    if (!name)
        return fail_at(reader, reader->at, "one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u", opened);
    gp_buf_char(&reader->string, values[name - names]);
    reader->at += 2;
    return GP_OK;
}

static gp_status read_string(json_reader *reader) {
    size_t opened = reader->at++;
    gp_buf_truncate(&reader->string, 0);
    while (peek(reader) != '"') {
        size_t run = strcspn(reader->text->data + reader->at, "\"\\\n\r");
        gp_buf_add(&reader->string, reader->text->data + reader->at, run);
        reader->at += run;
        if (peek(reader) == '\\') {
            gp_status st = read_escape(reader, opened);
            if (st)
                return st;
        } else if (peek(reader) != '"') {
            return fail_at(reader, reader->at, "the quote that closes the text", opened);
        }
    }
    reader->at++;
    gp_tree_scalar scalar = {.style = GP_STYLE_QUOTED};
    gp_status st = gp_buf_finish(&reader->string, &scalar.text, &scalar.len);
    if (st == GP_ERR_LIMIT) {
        /* One byte too long, for the builder to refuse and report. */
        scalar = (gp_tree_scalar){.text = "", .len = reader->limits->max_scalar_bytes + 1};
        st = GP_OK;
    }
    return st ? st
              : gp_tree_scalar_add(&reader->builder, &scalar,
                                   span_between(reader, opened, reader->at));
}

static bool is_number(const char *text, size_t len) {
    size_t sign = text[0] == '-' ? 1 : 0;
    bool digit_first = len > sign && text[sign] >= '0' && text[sign] <= '9';
    bool zero_led = digit_first && text[sign] == '0' && len > sign + 1 && text[sign + 1] >= '0' &&
                    text[sign + 1] <= '9';
    return digit_first && !zero_led && gp_num_scan(text, len) == len;
}

static bool is_word(const char *text, size_t len) {
    static const char *const words[] = {"true", "false", "null", "NaN", "Infinity", "-Infinity"};
    for (size_t i = 0; i < GP_COUNT_OF(words); i++)
        if (gp_str_is(text, len, words[i]))
            return true;
    return is_number(text, len);
}

static gp_status read_word(json_reader *reader) {
    const char *begin = reader->text->data + reader->at;
    size_t len = strspn(begin, "+-.0123456789abcdefghijklmnopqrstuvwxyz"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    if (!len || !is_word(begin, len))
        return fail_at(reader, reader->at, "a JSON value", reader->at);
    gp_tree_scalar scalar = {.text = begin, .len = len, .style = GP_STYLE_PLAIN};
    gp_span span = span_between(reader, reader->at, reader->at + len);
    reader->at += len;
    return gp_tree_scalar_add(&reader->builder, &scalar, span);
}

static gp_status read_value(json_reader *reader);

/* "key": of an object member. */
static gp_status read_key(json_reader *reader, size_t opened) {
    if (peek(reader) != '"')
        return fail_at(reader, reader->at, "a key in double quotes", opened);
    gp_status st = read_string(reader);
    if (st)
        return st;
    skip_space(reader);
    if (peek(reader) != ':')
        return fail_at(reader, reader->at, "a colon after the key", opened);
    reader->at++;
    skip_space(reader);
    return GP_OK;
}

static gp_status read_members(json_reader *reader, gp_node_kind kind, size_t opened) {
    const char *expected = kind == GP_NODE_MAP ? "a comma or the } that closes the map"
                                               : "a comma or the ] that closes the list";
    char closing = kind == GP_NODE_MAP ? '}' : ']';
    skip_space(reader);
    bool more = peek(reader) != closing;
    while (more) {
        gp_status st = kind == GP_NODE_MAP ? read_key(reader, opened) : GP_OK;
        if (!st)
            st = read_value(reader);
        if (st)
            return st;
        skip_space(reader);
        more = peek(reader) == ',';
        if (!more && peek(reader) != closing)
            return fail_at(reader, reader->at, expected, opened);
        reader->at += more ? 1 : 0;
        skip_space(reader);
    }
    reader->at++;
    return gp_tree_close(&reader->builder, (uint32_t)reader->at);
}

static gp_status read_value(json_reader *reader) {
    char c = peek(reader);
    if (c == '"')
        return read_string(reader);
    if (c != '{' && c != '[')
        return read_word(reader);
    size_t opened = reader->at++;
    gp_node_kind kind = c == '{' ? GP_NODE_MAP : GP_NODE_SEQ;
    gp_status st =
        gp_tree_open(&reader->builder, kind, false, NULL, span_between(reader, opened, opened + 1));
    return st ? st : read_members(reader, kind, opened);
}

static gp_status read_text(json_reader *reader) {
    reader->at = reader->text->line_starts[0]; /* behind a byte order mark */
    skip_space(reader);
    if (reader->at == reader->text->len) {
        gp_diags_error(reader->diags, GP_SOURCE_EMPTY, (gp_span){.text = reader->text},
                       "a JSON value", NULL, "the text is empty");
        return GP_ERR_INPUT;
    }
    gp_status st = read_value(reader);
    skip_space(reader);
    if (!st && reader->at < reader->text->len)
        return fail_at(reader, reader->at, "nothing after the JSON value", reader->at);
    return st;
}

gp_status gp_json_read(gp_arena *arena, const gp_text *text, const gp_source_limits *limits,
                       gp_diags *diags, const gp_node **ret_root) {
    *ret_root = NULL;
    size_t errors = diags->errors;
    json_reader reader = {.text = text, .limits = limits, .diags = diags};
    gp_status st = gp_source_check_text(text, limits, diags);
    if (!st)
        gp_tree_init(&reader.builder, arena, text, limits, diags);
    if (!st) {
        gp_buf_init(&reader.string, arena, limits->max_scalar_bytes);
        st = read_text(&reader);
    }
    if (!st)
        *ret_root = reader.builder.root;
    return st || diags->errors == errors ? st : GP_ERR_INPUT;
}
