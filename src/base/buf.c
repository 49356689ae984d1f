/* Growing, capped text in an arena; doubling, in place where the arena allows. */
#include "base/buf.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"

enum { BUF_MIN = 256 };

void gp_buf_init(gp_buf *buf, gp_arena *arena, size_t max) {
    *buf = (gp_buf){.arena = arena, .max = max};
}

/* Room for `len` more bytes and the NUL. */
static bool reserve(gp_buf *buf, size_t len) {
    if (buf->st) {
        return false;
    }
    if (len > buf->max || buf->len > buf->max - len) {
        buf->st = GP_ERR_LIMIT;
        return false;
    }
    size_t need = buf->len + len + 1;
    if (need <= buf->cap) {
        return true;
    }
    size_t cap = buf->cap ? buf->cap : BUF_MIN;
    while (cap < need) {
        cap *= 2;
    }
    if (cap > buf->max + 1) {
        cap = buf->max + 1;
    }
    char *data = gp_arena_resize(buf->arena, buf->data, buf->cap, cap);
    if (!data) {
        buf->st = GP_ERR_NO_MEMORY;
        return false;
    }
    buf->data = data;
    buf->cap = cap;
    return true;
}

void gp_buf_add(gp_buf *buf, const char *bytes, size_t len) {
    if (!reserve(buf, len)) {
        return;
    }
    if (len) {
        memcpy(buf->data + buf->len, bytes, len);
    }
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
    if (!reserve(buf, len)) {
        return;
    }
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

void gp_buf_truncate(gp_buf *buf, size_t len) {
    if (len < buf->len) {
        buf->len = len;
        buf->data[len] = '\0';
    }
}

gp_status gp_buf_finish(gp_buf *buf, const char **ret_text, size_t *ret_len) {
    gp_buf_add(buf, "", 0);
    if (buf->st) {
        return buf->st;
    }
    *ret_text = buf->data;
    if (ret_len) {
        *ret_len = buf->len;
    }
    return GP_OK;
}
