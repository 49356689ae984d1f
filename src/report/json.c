/*
 * The JSON writer of reports. It is its own because the bytes are a contract: order, indentation
 * and the text of every number are the same on every machine.
 */
#include "report/json.h"

#include <string.h>

#include "base/num.h"
#include "base/str.h"

enum { INDENT = 2 };

/* All that are written so lie below U+10000. */
static void quote_control(gp_buf *buf, uint32_t code) {
    static const char digits[] = "0123456789abcdef";
    gp_buf_str(buf, "\\u");
    for (int shift = 12; shift >= 0; shift -= 4)
        gp_buf_char(buf, digits[(code >> shift) & 15]);
}

static void quote_char(gp_buf *buf, char c) {
    switch (c) {
    case '"': gp_buf_str(buf, "\\\""); break;
    case '\\': gp_buf_str(buf, "\\\\"); break;
    case '\n': gp_buf_str(buf, "\\n"); break;
    case '\r': gp_buf_str(buf, "\\r"); break;
    case '\t': gp_buf_str(buf, "\\t"); break;
    default:
        if ((unsigned char)c < 0x20 || c == 0x7f)
            quote_control(buf, (unsigned char)c);
        else
            gp_buf_char(buf, c);
    }
}

void gp_json_quote(gp_buf *buf, const char *text) {
    size_t len = strlen(text);
    gp_buf_char(buf, '"');
    for (size_t i = 0; i < len;) {
        uint32_t code = 0;
        size_t n = gp_utf8_decode(text + i, len - i, &code);
        if (n == 0)
            gp_buf_str(buf, "\xef\xbf\xbd");
        else if (n == 1)
            quote_char(buf, text[i]);
        else if (gp_utf8_control(text + i) > 0) /* they would turn the line around in a terminal */
            quote_control(buf, code);
        else
            gp_buf_add(buf, text + i, n);
        i += n == 0 ? 1 : n;
    }
    gp_buf_char(buf, '"');
}

/* Comma, newline, indentation and key before an element. */
static void lead(gp_json *json, const char *key) {
    if (json->line || json->tight > 0) {
        gp_buf_str(json->buf, json->first ? "" : json->tight > 0 ? "," : ", ");
    } else if (json->depth > 0) {
        gp_buf_str(json->buf, json->first ? "\n" : ",\n");
        gp_buf_repeat(json->buf, ' ', json->depth * INDENT);
    }
    json->first = false;
    if (key != NULL) {
        gp_json_quote(json->buf, key);
        gp_buf_str(json->buf, json->tight > 0 ? ":" : ": ");
    }
}

void gp_json_open(gp_json *json, const char *key, char bracket) {
    lead(json, key);
    gp_buf_char(json->buf, bracket);
    json->depth++;
    json->first = true;
}

/* With all of it on a line without spaces. */
static void open_tight(gp_json *json, const char *key, char bracket) {
    gp_json_open(json, key, bracket);
    if (json->tight == 0)
        json->tight = json->depth;
}

static void close_one(gp_json *json, char bracket) {
    const bool tight = json->tight > 0;
    json->tight = json->tight == json->depth ? 0 : json->tight;
    json->depth--;
    if (!json->first && !json->line && !tight) {
        gp_buf_char(json->buf, '\n');
        gp_buf_repeat(json->buf, ' ', json->depth * INDENT);
    }
    gp_buf_char(json->buf, bracket);
    json->first = false;
    if (json->depth == 0 && !json->line)
        gp_buf_char(json->buf, '\n');
}

void gp_json_close(gp_json *json, const char *brackets) {
    for (; *brackets != '\0'; brackets++)
        close_one(json, *brackets);
}

void gp_json_null(gp_json *json, const char *key) {
    lead(json, key);
    gp_buf_str(json->buf, "null");
}

void gp_json_string(gp_json *json, const char *key, const char *text) {
    if (text == NULL) {
        gp_json_null(json, key);
        return;
    }
    lead(json, key);
    gp_json_quote(json->buf, text);
}

void gp_json_bool(gp_json *json, const char *key, bool value) {
    lead(json, key);
    gp_buf_str(json->buf, value ? "true" : "false");
}

void gp_json_i64(gp_json *json, const char *key, int64_t value) {
    lead(json, key);
    gp_buf_i64(json->buf, value);
}

void gp_json_number(gp_json *json, const char *key, double value, int digits) {
    if (!isfinite(value)) {
        gp_json_null(json, key);
        return;
    }
    lead(json, key);
    gp_buf_number(json->buf, value, digits);
}

double gp_json_written(double value) {
    char text[GP_NUM_TEXT];
    double ret = value;
    const size_t len = gp_num_format_g(text, value, GP_JSON_REAL_DIGITS);
    return isfinite(value) && gp_num_parse(text, len, &ret) ? ret : value;
}

/* Bytes are whole; money is whole cents. */
static double exact(double value, gp_dim dim) {
    if (dim == GP_DIM_MONEY)
        return floor(value * 100 + 0.5) / 100;
    return floor(value + 0.5);
}

void gp_json_value(gp_json *json, const char *key, const gp_report_value *value) {
    if (value->absent) {
        gp_json_null(json, key);
        return;
    }
    switch (value->kind) {
    case GP_REPORT_STRING: gp_json_string(json, key, value->text); break;
    case GP_REPORT_BOOL: gp_json_bool(json, key, value->flag); break;
    case GP_REPORT_COUNT: gp_json_i64(json, key, value->count); break;
    case GP_REPORT_REAL:
    case GP_REPORT_BAND: gp_json_number(json, key, value->real, GP_JSON_REAL_DIGITS); break;
    case GP_REPORT_EXACT: gp_json_number(json, key, exact(value->real, value->dim), 0); break;
    case GP_REPORT_STRUCT:
    case GP_REPORT_OPTIONAL:
    case GP_REPORT_LIST: gp_json_null(json, key); break;
    }
}

/* The root of the walk takes the key that gp_json_object was given. */
typedef struct object_walk {
    gp_json *json;
    const char *key;
    int base;
    int dense; /* depth of the items of a dense list; 0: outside of any */
} object_walk;

static bool is_flat(const gp_report_struct *type) {
    for (size_t i = 0; type != NULL && i < type->field_count; i++)
        if (type->fields[i].nested != NULL)
            return false;
    return true;
}

static void open_event(object_walk *walk, const gp_report_event *event, const char *key) {
    gp_json *json = walk->json;
    const bool list = event->kind == GP_REPORT_OPEN_LIST;
    const bool item = json->depth == walk->dense && !list;
    if (walk->dense > 0 && (!item || is_flat(event->type)))
        open_tight(json, key, list ? '[' : '{');
    else
        gp_json_open(json, key, list ? '[' : '{');
    if (event->dense && walk->dense == 0)
        walk->dense = json->depth;
}

static gp_status write_event(void *context, const gp_report_event *event) {
    object_walk *walk = context;
    gp_json *json = walk->json;
    const char *key = json->depth == walk->base ? walk->key : event->key;
    switch (event->kind) {
    case GP_REPORT_OPEN_STRUCT:
    case GP_REPORT_OPEN_LIST: open_event(walk, event, key); break;
    case GP_REPORT_CLOSE_STRUCT: gp_json_close(json, "}"); break;
    case GP_REPORT_CLOSE_LIST:
        walk->dense = walk->dense == json->depth ? 0 : walk->dense;
        gp_json_close(json, "]");
        break;
    case GP_REPORT_VALUE: gp_json_value(json, key, &event->value); break;
    }
    return json->buf->st;
}

gp_status gp_json_object(gp_json *json, const char *key, const gp_report_struct *type,
                         const void *object) {
    object_walk walk = {.json = json, .key = key, .base = json->depth};
    return gp_report_walk(type, object, write_event, &walk);
}
