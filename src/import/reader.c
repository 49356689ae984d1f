/* Lines, words and numbers of logs, and the rows that readers fill. */
#include "import/reader.h"

#include <string.h>

#include "base/num.h"
#include "base/sort.h"
#include "base/str.h"
#include "fit/fitter.h"
#include "schema/diag_ids.h"

gp_part gp_text_part(const gp_text *text, size_t index) {
    size_t begin = text->line_starts[index];
    size_t end = index + 1 < text->line_count ? text->line_starts[index + 1] : text->len;
    while (end > begin && (text->data[end - 1] == '\n' || text->data[end - 1] == '\r'))
        end--;
    return (gp_part){.at = text->data + begin, .len = end - begin};
}

gp_part gp_reader_line(const gp_reader *r, size_t index) {
    return gp_text_part(r->text, index);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

gp_part gp_part_trim(gp_part part) {
    while (part.len > 0 && is_blank(part.at[0])) {
        part.at++;
        part.len--;
    }
    while (part.len > 0 && is_blank(part.at[part.len - 1]))
        part.len--;
    return part;
}

gp_part gp_part_word(gp_part *rest) {
    *rest = gp_part_trim(*rest);
    gp_part word = {.at = rest->at};
    while (word.len < rest->len && !is_blank(rest->at[word.len]))
        word.len++;
    rest->at += word.len;
    rest->len -= word.len;
    return word;
}

gp_part gp_part_until(gp_part *rest, char separator) {
    const char *end = rest->len > 0 ? memchr(rest->at, separator, rest->len) : NULL;
    gp_part part = {.at = rest->at, .len = end == NULL ? rest->len : (size_t)(end - rest->at)};
    size_t taken = part.len + (end == NULL ? 0 : 1);
    rest->at += taken;
    rest->len -= taken;
    return part;
}

gp_part gp_part_after(gp_part part, const char *word) {
    size_t len = strlen(word);
    for (size_t i = 0; i + len <= part.len; i++)
        if (memcmp(part.at + i, word, len) == 0)
            return (gp_part){.at = part.at + i + len, .len = part.len - i - len};
    return (gp_part){.at = NULL};
}

bool gp_part_is(gp_part part, const char *word) {
    return part.at != NULL && gp_str_is(part.at, part.len, word);
}

bool gp_part_starts(gp_part part, const char *word) {
    size_t len = strlen(word);
    return part.len >= len && memcmp(part.at, word, len) == 0;
}

bool gp_part_number(gp_part part, double *ret) {
    enum { DIGITS_MAX = 40 };
    char digits[DIGITS_MAX];
    size_t len = 0;
    part = gp_part_trim(part);
    while (part.len > 0 && (*part.at == '\'' || *part.at == '"')) {
        part.at++;
        part.len--;
    }
    for (size_t i = 0; i < part.len && len < sizeof digits; i++) {
        bool group = part.at[i] == ',' && i > 0 && i + 1 < part.len && part.at[i + 1] >= '0' &&
                     part.at[i + 1] <= '9';
        if (!group)
            digits[len++] = part.at[i];
    }
    return gp_num_parse(digits, gp_num_scan(digits, len), ret);
}

void gp_reader_refuse(gp_reader *r, gp_part part, const char *expected, const char *message) {
    gp_span span = {.text = r->text};
    if (part.at != NULL) {
        span.begin = (uint32_t)(part.at - r->text->data);
        span.end = span.begin + (uint32_t)part.len;
    }
    gp_diags_error(r->diags, GP_ID_UNKNOWN_LOG, span, expected, NULL, "%s", message);
}

void gp_reader_refuse_all(gp_reader *r, const char *expected, const char *message) {
    gp_part first = gp_reader_line(r, 0);
    gp_reader_refuse(r, first, expected, message);
}

const char *gp_reader_set(const gp_reader *r, const char *key) {
    for (size_t i = r->options->set_count; i > 0; i--)
        if (gp_str_equal(r->options->sets[i - 1].key, key))
            return r->options->sets[i - 1].value;
    return NULL;
}

double gp_reader_set_number(const gp_reader *r, const char *key) {
    const char *text = gp_reader_set(r, key);
    double value = 0;
    return text != NULL && gp_num_parse(text, strlen(text), &value) && value > 0 ? value : 0;
}

double gp_reader_gpus(gp_reader *r, double from_log) {
    double gpus = gp_reader_set_number(r, "gpus");
    double tp = gp_reader_set_number(r, "tp");
    double pp = gp_reader_set_number(r, "pp");
    double dp = gp_reader_set_number(r, "dp");
    if (gpus > 0)
        return gpus;
    if (tp > 0)
        return tp * gp_num_max(1, pp) * gp_num_max(1, dp);
    if (!(from_log > 0))
        gp_reader_refuse_all(r, "--set gpus=N", "the log does not say how many GPUs it is about");
    return from_log;
}

gp_reading *gp_reader_add(gp_reader *r, gp_runs_kind kind, const char *suffix) {
    gp_reading *row = &GP_PUSH(r->arena, r->items, r->count, r->cap);
    *row = (gp_reading){.kind = kind};
    gp_reading_text(r, row, "id", gp_arena_printf(r->arena, "%s%s", r->base, suffix));
    return row;
}

void gp_reading_text(gp_reader *r, gp_reading *row, const char *column, const char *value) {
    if (row == NULL || value == NULL || value[0] == '\0' || row->count >= GP_READING_CELLS) {
        r->st = row != NULL && row->count >= GP_READING_CELLS ? GP_ERR_INTERNAL : r->st;
        return;
    }
    row->cells[row->count].column = column;
    row->cells[row->count++].value = value;
}

void gp_reading_part(gp_reader *r, gp_reading *row, const char *column, gp_part value) {
    const char *text = gp_arena_strndup(r->arena, value.at == NULL ? "" : value.at, value.len);
    gp_reading_text(r, row, column, text);
}

void gp_reading_number(gp_reader *r, gp_reading *row, const char *column, double value) {
    enum { DIGITS = 9 };
    char text[GP_NUM_TEXT];
    if (value < 0) {
        const char *what = gp_arena_printf(r->arena, "%s is negative", column);
        gp_reader_refuse_all(r, "a number above zero", what);
    }
    if (value > 0) {
        size_t len = gp_num_format_g(text, value, DIGITS);
        gp_reading_part(r, row, column, (gp_part){.at = text, .len = len});
    }
}

static bool has_shape(gp_part part, size_t at, const char *shape) {
    size_t len = strlen(shape);
    for (size_t i = 0; i < len; i++) {
        char c = at + i < part.len ? part.at[at + i] : '\0';
        bool digit = c >= '0' && c <= '9';
        if (shape[i] == '0' ? !digit : c != shape[i])
            return false;
    }
    return true;
}

void gp_reader_date(gp_reader *r, gp_reading *row, gp_part part) {
    static const struct {
        const char *shape;
        size_t month, day;
    } shapes[] = {{"0000-00-00", 5, 8}, {"0000/00/00", 5, 8}, {"00000000-", 4, 6}};
    for (size_t at = 0; at < part.len; at++) {
        for (size_t i = 0; i < GP_COUNT_OF(shapes); i++) {
            const char *year = part.at + at;
            bool starts = at == 0 || part.at[at - 1] < '0' || part.at[at - 1] > '9';
            if (!starts || !has_shape(part, at, shapes[i].shape) ||
                (shapes[i].month == 4 && at > 0))
                continue;
            const char *month = year + shapes[i].month;
            const char *day = year + shapes[i].day;
            gp_reading_text(r, row, "date",
                            gp_arena_printf(r->arena, "%.4s-%.2s-%.2s", year, month, day));
            return;
        }
    }
}

double gp_reader_median(gp_reader *r, double *values, size_t count) {
    gp_sort(r->arena, values, count, sizeof *values, gp_by_number, NULL);
    return count > 0 ? gp_fit_percentile(values, count, 0.5) : 0;
}
