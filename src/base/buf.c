/* Growing, capped text in an arena; doubling, in place where the arena allows. */
#include "base/buf.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"

enum { BUF_MIN = 256 };

void gp_buf_init(gp_buf *buf, gp_arena *arena, size_t max) {
    *buf = (gp_buf){.arena = arena, .max = max};
}

/* Room for `len` more bytes and the NUL. */
static bool reserve(gp_buf *buf, size_t len) {
    if (buf->st)
        return false;
    if (len > buf->max || buf->len > buf->max - len) {
        buf->st = GP_ERR_LIMIT;
        return false;
    }
    size_t need = buf->len + len + 1;
    if (need <= buf->cap)
        return true;
    size_t cap = buf->cap ? buf->cap : BUF_MIN;
    while (cap < need)
        cap *= 2;
    if (cap > buf->max + 1)
        cap = buf->max + 1;
    char *data = gp_arena_resize(buf->arena, buf->data, buf->cap, cap);
    buf->data = data;
    buf->cap = cap;
    return true;
}

void gp_buf_add(gp_buf *buf, const char *bytes, size_t len) {
    if (!reserve(buf, len))
        return;
    if (len)
        memcpy(buf->data + buf->len, bytes, len);
    buf->len += len;
    buf->data[buf->len] = '\0';
}

void gp_buf_str(gp_buf *buf, const char *text) {
    gp_buf_add(buf, text, strlen(text));
}

void gp_buf_char(gp_buf *buf, char c) {
    gp_buf_add(buf, &c, 1);
}

void gp_buf_repeat(gp_buf *buf, char c, int count) {
    size_t len = count > 0 ? (size_t)count : 0;
    if (!reserve(buf, len))
        return;
    memset(buf->data + buf->len, c, len);
    buf->len += len;
    buf->data[buf->len] = '\0';
}

void gp_buf_vprintf(gp_buf *buf, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    if (len < 0) {
        buf->st = buf->st ? buf->st : GP_ERR_INTERNAL;
    } else if (reserve(buf, (size_t)len)) {
        vsnprintf(buf->data + buf->len, (size_t)len + 1, format, again);
        buf->len += (size_t)len;
    }
    va_end(again);
}

void gp_buf_printf(gp_buf *buf, const char *format, ...) {
    va_list args;
    va_start(args, format);
    gp_buf_vprintf(buf, format, args);
    va_end(args);
}

void gp_buf_i64(gp_buf *buf, int64_t value) {
    char text[GP_NUM_TEXT];
    gp_buf_add(buf, text, gp_num_format_i64(text, value));
}

void gp_buf_number(gp_buf *buf, double value, int digits) {
    char text[GP_NUM_TEXT];
    gp_buf_add(buf, text, gp_num_format_g(text, value, digits));
}

void gp_buf_fixed(gp_buf *buf, double value, int decimals) {
    char text[GP_NUM_TEXT];
    gp_buf_add(buf, text, gp_num_format_fixed(text, value, decimals));
}

void gp_buf_words(gp_buf *buf, const char *key) {
    for (; *key != '\0'; key++) {
        bool capital = *key >= 'A' && *key <= 'Z';
        gp_buf_str(buf, capital ? " " : "");
        gp_buf_char(buf, capital ? (char)(*key - 'A' + 'a') : *key);
    }
}

static bool is_shell_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("_./:@%+=,-", c) != NULL);
}

/* Three octal digits cannot run into the character behind them. */
static void add_octal(gp_buf *buf, unsigned char byte) {
    const char text[] = {'\\', (char)('0' + byte / 64), (char)('0' + byte / 8 % 8),
                         (char)('0' + byte % 8)};
    gp_buf_add(buf, text, sizeof text);
}

/* Inside $'...': the bytes of control characters as escapes. */
static void add_escaped(gp_buf *buf, const char *text) {
    while (*text != '\0') {
        size_t control = gp_utf8_control(text);
        for (size_t i = 0; i < control; i++)
            add_octal(buf, (unsigned char)text[i]);
        if (control == 0) {
            gp_buf_str(buf, *text == '\'' || *text == '\\' ? "\\" : "");
            gp_buf_char(buf, *text);
        }
        text += control > 0 ? control : 1;
    }
}

/* Inside '...': only the quote itself needs care. */
static void add_quoted(gp_buf *buf, const char *text) {
    for (; *text != '\0'; text++)
        gp_buf_add(buf, *text == '\'' ? "'\\''" : text, *text == '\'' ? 4 : 1);
}

void gp_buf_shell(gp_buf *buf, const char *text) {
    bool plain = *text != '\0';
    bool control = false;
    for (const char *c = text; *c != '\0'; c++) {
        plain = plain && is_shell_plain(*c);
        control = control || gp_utf8_control(c) > 0;
    }
    if (plain) {
        gp_buf_str(buf, text);
        return;
    }
    gp_buf_str(buf, control ? "$'" : "'");
    if (control) {
        add_escaped(buf, text);
    } else {
        add_quoted(buf, text);
    }
    gp_buf_char(buf, '\'');
}

void gp_buf_truncate(gp_buf *buf, size_t len) {
    if (len < buf->len) {
        buf->len = len;
        buf->data[len] = '\0';
    }
}

gp_status gp_buf_finish(gp_buf *buf, const char **ret_text, size_t *ret_len) {
    gp_buf_add(buf, "", 0);
    if (buf->st)
        return buf->st;
    *ret_text = buf->data;
    if (ret_len)
        *ret_len = buf->len;
    return GP_OK;
}
