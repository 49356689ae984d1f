/*
 * Other kinds of work unseen: the rate of a class is set again by the rows that are not left out
 * (the median of measured over estimated), and the rest of its physics stays. Classes are fitted
 * by hand, with too few models for more.
 */
#include <math.h>

#include "base/num.h"
#include "base/sort.h"
#include "base/str.h"
#include "lab/other_kinds.h"

static bool is_time(const gp_backtest_row *row) {
    return gp_str_equal(row->metric, "latency_ms");
}

static bool is_level(const gp_backtest_row *row) {
    return row->status == GP_BACKTEST_SCORED &&
           (is_time(row) || gp_str_equal(row->metric, "throughput"));
}

/* How much faster it was than estimated, as a logarithm. */
static double level_of(const gp_backtest_row *row) {
    const double ratio = gp_num_log(row->measured / row->estimated);
    return is_time(row) ? -ratio : ratio;
}

static int by_value(const void *a, const void *b, const void *context) {
    const double x = *(const double *)a, y = *(const double *)b;
    (void)context;
    return x < y ? -1 : x > y ? 1 : 0;
}

typedef struct others {
    const gp_fit_rows *rows;
    const char **keys;
    double *levels; /* room for all rows */
} others;

/* The level of a class by the rows that share no key with row `i`; NAN: there are none. */
static double level_without(gp_fitter *fitter, const others *o, size_t i) {
    size_t n = 0;
    for (size_t j = 0; j < o->rows->count; j++) {
        const gp_backtest_row *row = &o->rows->items[j];
        if (is_level(row) && gp_str_equal(row->class_name, o->rows->items[i].class_name) &&
            !gp_str_equal(o->keys[j], o->keys[i])) {
            o->levels[n++] = level_of(row);
        }
    }
    gp_sort(fitter->arena, o->levels, n, sizeof *o->levels, by_value, NULL);
    return gp_fit_percentile(o->levels, n, 0.5);
}

void gp_lab_leave_levels(gp_fitter *fitter, gp_fit_rows *rows, gp_leave_out kind) {
    others o = {.rows = rows};
    o.keys = GP_NEW_ARRAY(fitter->arena, const char *, rows->count + 1);
    o.levels = GP_NEW_ARRAY(fitter->arena, double, rows->count + 1);
    for (size_t i = 0; i < rows->count; i++) {
        if (is_level(&rows->items[i])) {
            o.keys[i] = gp_lab_left_key(fitter, &rows->points[i], kind);
        }
    }
    const char *class_name = NULL, *key = NULL;
    double level = 0;
    for (size_t i = 0; i < rows->count; i++) {
        gp_backtest_row *row = &rows->items[i];
        if (!is_level(row) || o.keys[i] == NULL) {
            continue;
        }
        if (!gp_str_equal(class_name, row->class_name) || !gp_str_equal(key, o.keys[i])) {
            level = level_without(fitter, &o, i);
            class_name = row->class_name;
            key = o.keys[i];
        }
        row->left_out = row->estimated * gp_num_exp(is_time(row) ? -level : level);
    }
}
