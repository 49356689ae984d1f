/*
 * A growing text with a mandatory maximum. The first failure (memory, or the maximum) is latched:
 * later additions do nothing, and gp_buf_finish reports it. The text lives in the arena.
 */
#ifndef GP_BASE_BUF_H
#define GP_BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <gpuplan/arena.h>
#include <gpuplan/status.h>

typedef struct gp_buf {
    gp_arena *arena;
    char *data; /* NUL-terminated once anything was added */
    size_t len;
    size_t cap;
    size_t max;
    gp_status st;
} gp_buf;

/* `max` bytes are the most the text may have; passing it latches GP_ERR_LIMIT. */
#define GP_BUF(of_arena, most)                                                                     \
    { .arena = (of_arena), .max = (most) }
void gp_buf_init(gp_buf *buf, gp_arena *arena, size_t max);
void gp_buf_add(gp_buf *buf, const char *bytes, size_t len);
void gp_buf_str(gp_buf *buf, const char *text);
void gp_buf_char(gp_buf *buf, char c);
/* `count` times `c`; nothing for a count below 1. */
void gp_buf_repeat(gp_buf *buf, char c, int count);
/* Strings and integers only: %s %.*s %d %zu %lld %%. */
void gp_buf_printf(gp_buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void gp_buf_vprintf(gp_buf *buf, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
void gp_buf_i64(gp_buf *buf, int64_t value);
/* As gp_num_format_g and gp_num_format_fixed. */
void gp_buf_number(gp_buf *buf, double value, int digits);
void gp_buf_fixed(gp_buf *buf, double value, int decimals);
/* A key as words: "request rate" for requestRate. */
void gp_buf_words(gp_buf *buf, const char *key);
/* As a word of a shell command: quoted where it holds more than letters, digits and _ . / : @ % + =
 * , - and with control characters as escapes ($'...'), never raw. */
void gp_buf_shell(gp_buf *buf, const char *text);
/* Cuts the text back to `len` bytes, no more than it has. */
void gp_buf_truncate(gp_buf *buf, size_t len);
/* The text (never NULL on GP_OK) and, where asked for, its length. */
gp_status gp_buf_finish(gp_buf *buf, const char **ret_text, size_t *ret_len);

#endif
