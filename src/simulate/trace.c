/*
 * Traces of arrivals: CSV tables with the columns of the Azure LLM inference traces, which public
 * traces of other services share or are easily brought to.
 */
#include <math.h>

#include "base/num.h"
#include "base/sort.h"
#include "base/str.h"
#include "schema/diag_ids.h"
#include "simulate/sim.h"
#include "source/csv_tree.h"

enum { COLUMN_TIME, COLUMN_INPUT, COLUMN_OUTPUT, COLUMN_COUNT };
static const char *const column_names[COLUMN_COUNT] = {
    [COLUMN_TIME] = "TIMESTAMP",
    [COLUMN_INPUT] = "ContextTokens",
    [COLUMN_OUTPUT] = "GeneratedTokens",
};

typedef struct reader {
    gp_arena *arena;
    gp_diags *diags;
    gp_csv csv;
    size_t at[COLUMN_COUNT];
    gp_arrival_list *list;
} reader;

/* Exactly `digits` decimal digits at `*at`, which moves behind them. */
static bool take_digits(const char **at, int digits, int64_t *ret_value) {
    int64_t value = 0;
    for (int i = 0; i < digits; i++) {
        char c = (*at)[i];
        if (c < '0' || c > '9')
            return false;
        value = value * 10 + (c - '0');
    }
    *at += digits;
    *ret_value = value;
    return true;
}

static bool take(const char **at, char wanted) {
    if (**at != wanted)
        return false;
    (*at)++;
    return true;
}

/* Days from 1970-01-01 in the Gregorian calendar. */
static int64_t day_number(int64_t year, int64_t month, int64_t day) {
    static const int before[12] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    int64_t past = year - 1;
    int64_t days = past * 365 + past / 4 - past / 100 + past / 400 - 719162;
    return days + before[month - 1] + (leap && month > 2 ? 1 : 0) + day - 1;
}

/* "2023-11-16 18:17:03.97996", also with T between and Z at the end. The zone does not matter:
 * only differences count. */
static bool parse_date_time(const char *text, double *ret_s) {
    int64_t year = 0;
    int64_t month = 0;
    int64_t day = 0;
    int64_t hour = 0;
    int64_t minute = 0;
    int64_t second = 0;
    const char *at = text;
    if (!take_digits(&at, 4, &year) || !take(&at, '-') || !take_digits(&at, 2, &month) ||
        !take(&at, '-') || !take_digits(&at, 2, &day) || (!take(&at, ' ') && !take(&at, 'T')) ||
        !take_digits(&at, 2, &hour) || !take(&at, ':') || !take_digits(&at, 2, &minute) ||
        !take(&at, ':') || !take_digits(&at, 2, &second))
        return false;
    if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60)
        return false;
    double fraction = 0;
    size_t len = 0;
    if (*at == '.') {
        while (at[1 + len] >= '0' && at[1 + len] <= '9')
            len++;
        if (len == 0 || !gp_num_parse(at, 1 + len, &fraction))
            return false;
        at += 1 + len;
    }
    (void)take(&at, 'Z');
    *ret_s = (double)(((day_number(year, month, day) * 24 + hour) * 60 + minute) * 60 + second) +
             fraction;
    return *at == '\0';
}

static bool parse_time(const gp_csv_cell *cell, double *ret_s) {
    return parse_date_time(cell->text, ret_s) ||
           (gp_num_parse(cell->text, cell->len, ret_s) && isfinite(*ret_s));
}

static bool parse_tokens(reader *r, const gp_csv_cell *cell, int64_t least, int64_t *ret_tokens) {
    gp_span span = gp_csv_span(&r->csv, cell);
    if (!gp_num_parse_i64(cell->text, cell->len, ret_tokens)) {
        gp_diags_error(r->diags, GP_ID_WRONG_TYPE, span, "a whole number of tokens", NULL,
                       "\"%s\" is not a number of tokens", cell->text);
        return false;
    }
    if (*ret_tokens < least || *ret_tokens > INT32_MAX) {
        gp_diags_error(r->diags, GP_ID_OUT_OF_RANGE, span, NULL, NULL,
                       "%s tokens are out of range for a request", cell->text);
        return false;
    }
    return true;
}

static void read_row(reader *r, size_t row) {
    const gp_csv_cell *time = gp_csv_at(&r->csv, row, r->at[COLUMN_TIME]);
    gp_arrival arrival = {.at_s = 0};
    bool ok = parse_time(time, &arrival.at_s);
    if (!ok)
        gp_diags_error(r->diags, GP_ID_WRONG_TYPE, gp_csv_span(&r->csv, time),
                       "2023-11-16 18:17:03.97, or seconds", NULL, "\"%s\" is not a time",
                       time->text);
    ok = parse_tokens(r, gp_csv_at(&r->csv, row, r->at[COLUMN_INPUT]), 1, &arrival.input_tokens) &&
         ok;
    ok =
        parse_tokens(r, gp_csv_at(&r->csv, row, r->at[COLUMN_OUTPUT]), 0, &arrival.output_tokens) &&
        ok;
    if (!ok)
        return;
    /* A request without an answer failed: public traces advise to leave it out. */
    if (arrival.output_tokens == 0) {
        r->list->empty++;
        return;
    }
    r->list->items[r->list->count++] = arrival;
}

static int by_time(const void *a, const void *b, const void *context) {
    const gp_arrival *x = a;
    const gp_arrival *y = b;
    (void)context;
    return (x->at_s > y->at_s) - (x->at_s < y->at_s);
}

static bool in_order(const gp_arrival_list *list) {
    for (size_t i = 1; i < list->count; i++) {
        if (list->items[i].at_s < list->items[i - 1].at_s)
            return false;
    }
    return true;
}

static bool find_columns(reader *r) {
    bool found = true;
    for (int i = 0; i < COLUMN_COUNT; i++) {
        int at = gp_csv_column(&r->csv, column_names[i]);
        if (at < 0) {
            gp_span top = {.text = r->csv.text, .begin = 0, .end = 0};
            gp_diags_error(r->diags, GP_ID_MISSING_KEY, top,
                           "the columns TIMESTAMP, ContextTokens and GeneratedTokens", NULL,
                           "the trace has no column \"%s\"", column_names[i]);
            found = false;
            continue;
        }
        r->at[i] = (size_t)at;
    }
    return found;
}

static gp_status read_rows(reader *r) {
    r->list->items = GP_NEW_ARRAY(r->arena, gp_arrival, r->csv.rows);
    for (size_t i = 0; i < r->csv.rows; i++)
        read_row(r, i);
    if (r->diags->errors > 0)
        return GP_ERR_INPUT;
    if (!in_order(r->list))
        gp_sort(r->arena, r->list->items, r->list->count, sizeof(gp_arrival), by_time, NULL);
    double first_s = r->list->count > 0 ? r->list->items[0].at_s : 0;
    for (size_t i = 0; i < r->list->count; i++)
        r->list->items[i].at_s -= first_s;
    return GP_OK;
}

gp_status gp_arrivals_read(gp_arena *arena, const gp_text *text, gp_diags *diags,
                           gp_arrival_list *ret_list) {
    const gp_source_limits limits = GP_SOURCE_LIMITS_INIT;
    reader r = {.arena = arena, .diags = diags, .list = ret_list};
    *ret_list = (gp_arrival_list){0};
    gp_status st = gp_csv_read(arena, text, &limits, diags, &r.csv);
    if (st != GP_OK)
        return st;
    if (!find_columns(&r))
        return GP_ERR_INPUT;
    st = read_rows(&r);
    if (st == GP_OK && ret_list->count == 0) {
        gp_span top = {.text = text, .begin = 0, .end = 0};
        gp_diags_error(diags, GP_ID_EMPTY, top, NULL, NULL, "the trace has no requests");
        st = GP_ERR_INPUT;
    }
    return st;
}
