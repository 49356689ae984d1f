/* Series of numbers into figures: percentiles over the window, and the brackets that a histogram
 * leaves around its own. */
#include <math.h>

#include "base/num.h"
#include "base/sort.h"
#include "base/str.h"
#include "fit/fitter.h"
#include "import/telemetry_query.h"

static const double p10 = 0.1, p50 = 0.5, p90 = 0.9, p95 = 0.95, p99 = 0.99; /* by their names */

static void clear(gp_telemetry_reading *reading) {
    double none = (double)NAN;
    reading->mean = reading->last = reading->most = none;
    reading->p10 = reading->p50 = reading->p90 = reading->p95 = reading->p99 = none;
    reading->p50_low = reading->p50_high = reading->p95_low = reading->p95_high = none;
    reading->p99_low = reading->p99_high = none;
}

/* What lies in the metric's range, in SI units, at the front of the row. */
static size_t keep_in_range(const gp_telemetry_metric *metric, const gp_telemetry_row *row) {
    size_t kept = 0;
    for (size_t i = 0; i < row->count; i++) {
        double number = row->numbers[i];
        if (number >= metric->least && number <= metric->most)
            row->numbers[kept++] = number * metric->factor;
    }
    return kept;
}

static void fill(gp_arena *arena, const gp_telemetry_row *row, gp_telemetry_reading *reading) {
    double sum = 0;
    for (size_t i = 0; i < row->count; i++)
        sum += row->numbers[i];
    reading->last = row->numbers[row->count - 1];
    gp_sort(arena, row->numbers, row->count, sizeof *row->numbers, gp_by_number, NULL);
    reading->mean = sum / (double)row->count;
    reading->p10 = gp_fit_percentile(row->numbers, row->count, p10);
    reading->p50 = gp_fit_percentile(row->numbers, row->count, p50);
    reading->p90 = gp_fit_percentile(row->numbers, row->count, p90);
    reading->p95 = gp_fit_percentile(row->numbers, row->count, p95);
    reading->p99 = gp_fit_percentile(row->numbers, row->count, p99);
    reading->most = row->numbers[row->count - 1];
}

gp_status gp_telemetry_summarize(gp_arena *arena, const gp_telemetry_metric *metric,
                                 const gp_telemetry_row *row, gp_telemetry_reading *reading) {
    gp_telemetry_row kept = *row;
    clear(reading);
    kept.count = keep_in_range(metric, row);
    reading->samples = (int64_t)kept.count;
    reading->dropped = row->bad + (int64_t)(row->count - kept.count);
    if (kept.count != 0) {
        fill(arena, &kept, reading);
        return GP_OK;
    }
    return GP_ERR_NOT_FOUND;
}

/* ---- histograms */

typedef struct bucket {
    double edge, count; /* of all observations up to the edge */
} bucket;

typedef struct histogram {
    size_t count;
    bucket *buckets;
    double sum;
    int64_t bad;
} histogram;

static int by_edge(const void *a, const void *b, const void *context) {
    (void)context;
    double x = ((const bucket *)a)->edge;
    double y = ((const bucket *)b)->edge;
    return x < y ? -1 : x > y ? 1 : 0;
}

static bool edge_of(const char *text, double *ret_edge) {
    size_t len = 0;
    while (text[len] != '\0')
        len++;
    if (gp_str_equal(text, "+Inf")) {
        *ret_edge = (double)INFINITY;
        return true;
    }
    return gp_num_parse(text, len, ret_edge);
}

static void gather(gp_arena *arena, const gp_telemetry_answer *answer, const char *subject_label,
                   const char *subject, histogram *all) {
    all->buckets = GP_NEW_ARRAY(arena, bucket, answer->count + 1);
    all->sum = (double)NAN;
    for (size_t i = 0; i < answer->count; i++) {
        const gp_telemetry_row *row = &answer->rows[i];
        const char *edge = gp_telemetry_label_of(row, "le");
        bucket next = {0};
        if (!gp_str_equal(gp_telemetry_label_of(row, subject_label), subject))
            continue;
        if (row->count == 0) {
            all->bad++;
        } else if (gp_str_equal(edge, "sum")) {
            all->sum = row->numbers[0];
        } else if (edge_of(edge, &next.edge)) {
            next.count = row->numbers[0];
            all->buckets[all->count++] = next;
        }
    }
    gp_sort(arena, all->buckets, all->count, sizeof *all->buckets, by_edge, NULL);
}

/* Increases of buckets are estimates: a later one may come out a little below an earlier. */
static void make_monotone(histogram *all) {
    for (size_t i = 1; i < all->count; i++)
        all->buckets[i].count = gp_num_max(all->buckets[i].count, all->buckets[i - 1].count);
}

/* The percentile by interpolation, as histogram_quantile() has it, and its bucket's edges. In the
 * last, open bucket there is only the edge below. */
static double percentile(const histogram *all, double share, double *ret_low, double *ret_high) {
    double rank = share * all->buckets[all->count - 1].count;
    size_t at = 0;
    while (at + 1 < all->count && all->buckets[at].count < rank)
        at++;
    double before = at == 0 ? 0 : all->buckets[at - 1].count;
    double within = all->buckets[at].count - before;
    *ret_low = at == 0 ? 0 : all->buckets[at - 1].edge;
    *ret_high = all->buckets[at].edge;
    if (!isfinite(*ret_high))
        return *ret_low;
    return within > 0 ? *ret_low + (*ret_high - *ret_low) * (rank - before) / within : *ret_high;
}

gp_status gp_telemetry_histogram(gp_arena *arena, const gp_telemetry_answer *answer,
                                 const char *subject_label, gp_telemetry_reading *reading) {
    double low = 0;
    double high = 0;
    histogram all = {0};
    clear(reading);
    gather(arena, answer, subject_label, reading->subject, &all);
    reading->dropped = all.bad;
    make_monotone(&all);
    if (all.count == 0 || all.buckets[all.count - 1].count <= 0)
        return GP_ERR_NOT_FOUND;
    double total = all.buckets[all.count - 1].count;
    reading->samples = gp_num_floor_count(total + 0.5);
    reading->mean = all.sum / total;
    reading->p10 = percentile(&all, p10, &low, &high);
    reading->p50 = percentile(&all, p50, &reading->p50_low, &reading->p50_high);
    reading->p90 = percentile(&all, p90, &low, &high);
    reading->p95 = percentile(&all, p95, &reading->p95_low, &reading->p95_high);
    reading->p99 = percentile(&all, p99, &reading->p99_low, &reading->p99_high);
    return GP_OK;
}
