/*
 * Texts, places in them, and diagnostics about them. A diagnostic is data: the library collects,
 * the caller prints. All strings live in the arena given to gp_diags_init or are constants.
 */
#ifndef GPUPLAN_DIAG_H
#define GPUPLAN_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gpuplan/arena.h>
#include <gpuplan/status.h>

/* A named text with its line table; lines are counted from 1, columns in code points from 1. */
typedef struct gp_text {
    const char *name; /* path as the user gave it, "-" for standard input, "<catalog>/..." */
    const char *data; /* NUL-terminated; not owned */
    size_t len;
    const uint32_t *line_starts; /* byte offset of each line */
    uint32_t line_count;
} gp_text;

/* Bytes [begin, end) of a text. A span with text == NULL is "nowhere". */
typedef struct gp_span {
    const gp_text *text;
    uint32_t begin;
    uint32_t end;
} gp_span;

typedef struct gp_place {
    uint32_t line;
    uint32_t column;
    uint32_t end_line;
    uint32_t end_column; /* exclusive */
} gp_place;

typedef enum gp_level { GP_LEVEL_NOTE, GP_LEVEL_WARNING, GP_LEVEL_ERROR, GP_LEVEL_COUNT } gp_level;

typedef struct gp_diag {
    const char *id; /* "GP1004": constant */
    gp_level level;
    gp_span span;
    const char *message;      /* what is wrong */
    const char *expected;     /* what would be right; NULL where the message says it */
    const char *nearest;      /* the nearest valid word, or NULL */
    gp_span related;          /* a second place, e.g. the first definition */
    const char *related_text; /* what is there, e.g. "first defined here" */
} gp_diag;

typedef struct gp_diags {
    gp_arena *arena;
    gp_diag *items;
    size_t count;
    size_t capacity;
    size_t limit;      /* most items kept */
    size_t suppressed; /* how many more there were */
    size_t errors;     /* errors seen, kept or not */
} gp_diags;

/* Scans `data` for line starts. `data` must stay alive and be NUL-terminated at data[len]. */
gp_status gp_text_init(gp_arena *arena, const char *name, const char *data, size_t len,
                       gp_text **ret_text);
gp_place gp_span_place(gp_span span);

/* None so far. */
enum { GP_DIAGS_KEPT = 50 };
#define GP_DIAGS(of_arena)                                                                         \
    { .arena = (of_arena), .limit = GP_DIAGS_KEPT }
void gp_diags_init(gp_diags *diags, gp_arena *arena);
/* Adds a copy of `diag` (strings are not copied). Past the limit it only counts. */
void gp_diags_add(gp_diags *diags, const gp_diag *diag);
/* The common case: an error with a formatted message. `expected` and `nearest` may be NULL. */
void gp_diags_error(gp_diags *diags, const char *id, gp_span span, const char *expected,
                    const char *nearest, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
const char *gp_level_name(gp_level level); /* "note" "warning" "error" */
/* The level of that name; -1: none. */
int gp_level_named(const char *name);

/*
 * Text of one diagnostic as people read it (NUL-terminated, arena-owned):
 *   plan.yaml:12:9: error: unknown key "tokenz" [GP1003]
 *      12 |         tokenz: 5
 *         |         ^~~~~~
 *         = expected: one of tokens, samples, epochs
 *         = nearest: tokens
 *   plan.yaml:9:9: note: first defined here
 * Lines longer than 100 columns are shown around the caret; control bytes are shown as "?".
 */
gp_status gp_diag_format(gp_arena *arena, const gp_diag *diag, const char **ret_text);

#endif
