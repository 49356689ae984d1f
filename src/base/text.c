/*
 * Named texts and places in them. Lines end with LF, CR LF or a lone CR, as YAML has it. A byte
 * order mark at the very start belongs to no line.
 */
#include <gpuplan/diag.h>

#include <string.h>

#include "base/str.h"

static size_t mark_length(const char *data, size_t len) {
    return len >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* Where the line that `at` stands in ends: the start of the next, or len. */
static size_t next_line(const char *data, size_t len, size_t at) {
    while (at < len && data[at] != '\n' && data[at] != '\r')
        at++;
    if (at + 1 < len && data[at] == '\r' && data[at + 1] == '\n')
        at++;
    return at < len ? at + 1 : len;
}

static uint32_t count_lines(const char *data, size_t len) {
    uint32_t count = 1;
    for (size_t at = 0; (at = next_line(data, len, at)) < len;)
        count++;
    return count;
}

gp_status gp_text_init(gp_arena *arena, const char *name, const char *data, size_t len,
                       gp_text **ret_text) {
    if (len >= UINT32_MAX)
        return GP_ERR_LIMIT;
    uint32_t count = count_lines(data, len);
    gp_text *text = GP_NEW(arena, gp_text);
    uint32_t *starts = GP_NEW_ARRAY(arena, uint32_t, count);
    starts[0] = (uint32_t)mark_length(data, len);
    size_t at = 0;
    for (uint32_t line = 1; line < count; line++) {
        at = next_line(data, len, at);
        starts[line] = (uint32_t)at;
    }
    *text = (gp_text){
        .name = name, .data = data, .len = len, .line_starts = starts, .line_count = count};
    *ret_text = text;
    return GP_OK;
}

/* The last line that starts at or before `offset`; counted from 0. */
static uint32_t line_of(const gp_text *text, uint32_t offset) {
    uint32_t low = 0;
    uint32_t high = text->line_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (text->line_starts[middle] <= offset) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* A place at or behind the end of a line's last character counts as right behind it. */
static uint32_t within_line(const gp_text *text, uint32_t line, uint32_t offset) {
    size_t end = line + 1 < text->line_count ? text->line_starts[line + 1] : text->len;
    while (end > text->line_starts[line] &&
           (text->data[end - 1] == '\n' || text->data[end - 1] == '\r'))
        end--;
    return offset < end ? offset : (uint32_t)end;
}

static void place_of(const gp_text *text, uint32_t offset, uint32_t *ret_line,
                     uint32_t *ret_column) {
    uint32_t line = line_of(text, offset);
    offset = within_line(text, line, offset);
    uint32_t start = text->line_starts[line];
    size_t before = offset > start ? gp_utf8_count(text->data + start, offset - start) : 0;
    *ret_line = line + 1;
    *ret_column = (uint32_t)before + 1;
}

gp_place gp_span_place(gp_span span) {
    gp_place place = {0};
    if (span.text) {
        place_of(span.text, span.begin, &place.line, &place.column);
        place_of(span.text, span.end < span.begin ? span.begin : span.end, &place.end_line,
                 &place.end_column);
    }
    return place;
}
