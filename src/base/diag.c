/*
 * Diagnostics: collecting them, and the text of one as people read it. Whatever comes from a user's
 * file is shown with control characters and bad bytes replaced, so that a file cannot drive the
 * terminal.
 */
#include <gpuplan/diag.h>

#include <string.h>

#include "base/buf.h"
#include "base/str.h"

enum { SHOWN_COLUMNS = 100, DIAG_TEXT_MAX = 64 * 1024 };

static const char *const level_names[GP_LEVEL_COUNT] = {
    [GP_LEVEL_NOTE] = "note",
    [GP_LEVEL_WARNING] = "warning",
    [GP_LEVEL_ERROR] = "error",
};

const char *gp_level_name(gp_level level) {
    unsigned index = (unsigned)level;
    return index < GP_LEVEL_COUNT ? level_names[index] : "unknown level";
}

int gp_level_named(const char *name) {
    int level = GP_LEVEL_ERROR;
    while (level >= 0 && !gp_str_equal(level_names[level], name))
        level--;
    return level;
}

void gp_diags_init(gp_diags *diags, gp_arena *arena) {
    *diags = (gp_diags)GP_DIAGS(arena);
}

/* Counts the diagnostic; true when there is room to keep it. */
static bool admit(gp_diags *diags, gp_level level) {
    diags->errors += level == GP_LEVEL_ERROR ? 1 : 0;
    if (diags->count >= diags->limit) {
        diags->suppressed++;
        return false;
    }
    return true;
}

static void keep(gp_diags *diags, const gp_diag *diag) {
    gp_diag *items =
        gp_arena_grow(diags->arena, diags->items, diags->count, &diags->capacity, sizeof *items);
    diags->items = items;
    items[diags->count++] = *diag;
}

void gp_diags_add(gp_diags *diags, const gp_diag *diag) {
    if (admit(diags, diag->level))
        keep(diags, diag);
}

void gp_diags_error(gp_diags *diags, const char *id, gp_span span, const char *expected,
                    const char *nearest, const char *format, ...) {
    if (!admit(diags, GP_LEVEL_ERROR))
        return;
    va_list args;
    va_start(args, format);
    const char *message = gp_arena_vprintf(diags->arena, format, args);
    va_end(args);
    gp_diag diag = {.id = id,
                    .level = GP_LEVEL_ERROR,
                    .span = span,
                    .message = message,
                    .expected = expected,
                    .nearest = nearest};
    keep(diags, &diag);
}

static bool is_shown(uint32_t code) {
    bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
    /* Line separators, and the marks that turn the direction of writing round. */
    bool tricky = code == 0x2028 || code == 0x2029 || (code >= 0x202a && code <= 0x202e) ||
                  (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
    return !control && !tricky;
}

/* Adds text with everything that is not plainly printable as "?"; a tab is one space. */
static void add_clean(gp_buf *buf, const char *text, size_t len) {
    for (size_t at = 0; at < len;) {
        uint32_t code = 0;
        size_t bytes = gp_utf8_decode(text + at, len - at, &code);
        if (code == '\t' && bytes) {
            gp_buf_char(buf, ' ');
        } else if (bytes && is_shown(code)) {
            gp_buf_add(buf, text + at, bytes);
        } else {
            gp_buf_char(buf, '?');
        }
        at += bytes ? bytes : 1;
    }
}

static size_t clean_width(const char *text, size_t len) {
    size_t width = 0;
    for (size_t at = 0; at < len;) {
        uint32_t code = 0;
        size_t bytes = gp_utf8_decode(text + at, len - at, &code);
        width += bytes && is_shown(code) ? (size_t)gp_utf8_code_width(code) : 1;
        at += bytes ? bytes : 1;
    }
    return width;
}

static void add_clean_str(gp_buf *buf, const char *text) {
    add_clean(buf, text, strlen(text));
}

/* "plan.yaml:12:9: " or nothing. */
static void add_place(gp_buf *buf, gp_span span) {
    if (!span.text)
        return;
    gp_place place = gp_span_place(span);
    add_clean_str(buf, span.text->name ? span.text->name : "-");
    gp_buf_printf(buf, ":%lld:%lld: ", (long long)place.line, (long long)place.column);
}

/* One line of a text, [begin, end) without its line end. */
typedef struct line_range {
    size_t begin, end;
} line_range;

static line_range line_at(const gp_text *text, uint32_t line) {
    line_range range = {.begin = text->line_starts[line - 1], .end = text->len};
    if (line < text->line_count)
        range.end = text->line_starts[line];
    while (range.end > range.begin &&
           (text->data[range.end - 1] == '\n' || text->data[range.end - 1] == '\r'))
        range.end--;
    return range;
}

static bool is_continuation(char c) {
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* Moves the start of a long line forward until the caret stands in its first half. */
static size_t window_begin(const gp_text *text, line_range line, size_t caret) {
    size_t begin = line.begin;
    if (clean_width(text->data + line.begin, line.end - line.begin) <= SHOWN_COLUMNS)
        return begin;
    while (begin < caret && clean_width(text->data + begin, caret - begin) > SHOWN_COLUMNS / 2) {
        /* Far away in bytes means far away in columns: skip in one go, then step. */
        size_t far = caret - begin > 8 * SHOWN_COLUMNS ? caret - begin - 8 * SHOWN_COLUMNS : 1;
        begin += far;
        while (begin < caret && is_continuation(text->data[begin]))
            begin++;
    }
    return begin;
}

/* The source line with its number, and the carets under [span.begin, span.end). */
static void add_source(gp_buf *buf, gp_span span) {
    gp_place place = gp_span_place(span);
    const gp_text *text = span.text;
    line_range line = line_at(text, place.line);
    size_t caret = span.begin < line.end ? span.begin : line.end;
    caret = caret < line.begin ? line.begin : caret;
    size_t begin = window_begin(text, line, caret);
    size_t shown = gp_utf8_fit(text->data + begin, line.end - begin, SHOWN_COLUMNS);
    size_t end = begin + shown;
    size_t span_end = span.end > caret ? span.end : caret;
    span_end = span_end < end ? span_end : end;
    size_t marked = span_end > caret ? clean_width(text->data + caret, span_end - caret) : 1;
    gp_buf_printf(buf, "%6lld | %s", (long long)place.line, begin > line.begin ? "..." : "");
    add_clean(buf, text->data + begin, shown);
    gp_buf_printf(buf, "%s\n%6s | %s", end < line.end ? "..." : "", "",
                  begin > line.begin ? "   " : "");
    gp_buf_repeat(buf, ' ', (int)clean_width(text->data + begin, caret - begin));
    gp_buf_char(buf, '^');
    gp_buf_repeat(buf, '~', (int)marked - 1);
    gp_buf_char(buf, '\n');
}

static void add_remark(gp_buf *buf, const char *label, const char *text) {
    if (text) {
        gp_buf_printf(buf, "%6s = %s: ", "", label);
        add_clean_str(buf, text);
        gp_buf_char(buf, '\n');
    }
}

gp_status gp_diag_format(gp_arena *arena, const gp_diag *diag, const char **ret_text) {
    gp_buf buf;
    gp_buf_init(&buf, arena, DIAG_TEXT_MAX);
    add_place(&buf, diag->span);
    gp_buf_printf(&buf, "%s: ", gp_level_name(diag->level));
    add_clean_str(&buf, diag->message ? diag->message : "");
    gp_buf_printf(&buf, diag->id ? " [%s]\n" : "%s\n", diag->id ? diag->id : "");
    if (diag->span.text)
        add_source(&buf, diag->span);
    add_remark(&buf, "expected", diag->expected);
    add_remark(&buf, "nearest", diag->nearest);
    if (diag->related.text) {
        add_place(&buf, diag->related);
        gp_buf_str(&buf, "note: ");
        add_clean_str(&buf, diag->related_text ? diag->related_text : "see here");
        gp_buf_char(&buf, '\n');
    }
    return gp_buf_finish(&buf, ret_text, NULL);
}
