/*
 * From rows to figures: medians, percentiles and coverage per class, per group and over all.
 */
#include <math.h>

#include "base/num.h"
#include "base/sort.h"
#include "base/str.h"
#include "fit/fitter.h"

double gp_fit_percentile(const double *sorted, size_t count, double share) {
    if (count == 0)
        return (double)NAN;
    double at = share * (double)(count - 1);
    size_t below = (size_t)floor(at);
    size_t above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (sorted[above] - sorted[below]) * (at - (double)below);
}

/* Rows that go into one set of figures. */
typedef struct selection {
    const gp_backtest_row **rows;
    size_t count;
} selection;

static double signed_error(const gp_backtest_row *row, bool left_out) {
    return left_out ? row->left_out / row->measured - 1 : row->error_fraction;
}

/* The band around the estimate that is judged; NANs where there is none. */
static void band_of(const gp_backtest_row *row, bool left_out, double *ret_low, double *ret_high) {
    double shift = left_out ? row->left_out / row->estimated : 1;
    bool other = left_out && row->left_band > 0;
    *ret_low = other ? row->left_out / (1 + row->left_band) : row->low * shift;
    *ret_high = other ? row->left_out * (1 + row->left_band) : row->high * shift;
}

static bool has_error(const gp_backtest_row *row, bool left_out) {
    return row->status == GP_BACKTEST_SCORED && !row->is_fit && !isnan(signed_error(row, left_out));
}

/* Of a band around an estimate, both in logarithms: its width, and ten times what lies outside. */
static double interval_score(double error, double half) {
    static const double penalty = 2 / 0.2; /* of a band that may miss one in five */
    return 2 * half + penalty * gp_num_max(0, fabs(error) - half);
}

/* Widths and interval scores of the rows that have a band. */
static void band_stats(gp_arena *arena, const selection *set, bool left_out, double constant,
                       gp_backtest_stats *stats) {
    double *widths = GP_NEW_ARRAY(arena, double, set->count + 1);
    double score = 0;
    double constant_score = 0;
    size_t n = 0;
    for (size_t i = 0; i < set->count; i++) {
        const gp_backtest_row *row = set->rows[i];
        if (!has_error(row, left_out) || isnan(row->low))
            continue;
        double error = gp_num_log(1 + signed_error(row, left_out));
        double low = 0;
        double high = 0;
        band_of(row, left_out, &low, &high);
        widths[n] = sqrt(high / low) - 1;
        score += interval_score(error, gp_num_log(1 + widths[n++]));
        constant_score += interval_score(error, constant);
    }
    gp_sort(arena, widths, n, sizeof *widths, gp_by_number, NULL);
    stats->width = gp_fit_percentile(widths, n, 0.5);
    stats->score = n > 0 ? score / (double)n : (double)NAN;
    stats->constant_score = n > 0 ? constant_score / (double)n : (double)NAN;
}

/* Half width of one band that holds four in five of all rows with bands. */
static void constant_band(gp_arena *arena, const gp_backtest *backtest, bool left_out,
                          double *ret_half) {
    double *errors = GP_NEW_ARRAY(arena, double, backtest->row_count + 1);
    size_t n = 0;
    for (size_t i = 0; i < backtest->row_count; i++) {
        const gp_backtest_row *row = &backtest->rows[i];
        if (has_error(row, left_out) && !isnan(row->low))
            errors[n++] = fabs(gp_num_log(1 + signed_error(row, left_out)));
    }
    gp_sort(arena, errors, n, sizeof *errors, gp_by_number, NULL);
    *ret_half = gp_fit_percentile(errors, n, 0.8);
}

/* Median error of the rows of one cluster, from its first on; NAN at any other row. */
static double cluster_error(const selection *set, size_t first, bool left_out, double *errors,
                            gp_arena *arena) {
    const char *name = set->rows[first]->cluster;
    size_t n = 0;
    for (size_t i = 0; i < set->count; i++) {
        const gp_backtest_row *row = set->rows[i];
        if (name == NULL || !has_error(row, left_out) || !gp_str_equal(row->cluster, name))
            continue;
        if (i < first)
            return (double)NAN;
        errors[n++] = fabs(signed_error(row, left_out));
    }
    gp_sort(arena, errors, n, sizeof *errors, gp_by_number, NULL);
    return gp_fit_percentile(errors, n, 0.5);
}

/* Runs of one model in one source err alike: each of these counts once. */
static void cluster_stats(gp_arena *arena, const selection *set, bool left_out,
                          gp_backtest_stats *stats) {
    double *medians = GP_NEW_ARRAY(arena, double, set->count + 1);
    double *errors = GP_NEW_ARRAY(arena, double, set->count + 1);
    size_t n = 0;
    for (size_t i = 0; i < set->count; i++) {
        double median = cluster_error(set, i, left_out, errors, arena);
        if (!isnan(median))
            medians[n++] = median;
    }
    gp_sort(arena, medians, n, sizeof *medians, gp_by_number, NULL);
    stats->cluster_median = gp_fit_percentile(medians, n, 0.5);
    stats->cluster_p90 = gp_fit_percentile(medians, n, 0.9);
}

static void error_stats(gp_arena *arena, const selection *set, bool left_out, double constant,
                        gp_backtest_stats *stats) {
    double *signed_errors = GP_NEW_ARRAY(arena, double, set->count > 0 ? set->count : 1);
    double *errors = GP_NEW_ARRAY(arena, double, set->count > 0 ? set->count : 1);
    double sum = 0;
    size_t n = 0;
    size_t near = 0;
    size_t inside = 0;
    size_t banded = 0;
    for (size_t i = 0; i < set->count; i++) {
        const gp_backtest_row *row = set->rows[i];
        if (!has_error(row, left_out))
            continue;
        signed_errors[n] = signed_error(row, left_out);
        errors[n] = fabs(signed_errors[n]);
        sum += errors[n];
        near += errors[n] <= 0.1 ? 1 : 0;
        double low = 0;
        double high = 0;
        band_of(row, left_out, &low, &high);
        banded += isnan(low) ? 0 : 1;
        inside += row->measured >= low && row->measured <= high ? 1 : 0;
        n++;
    }
    gp_sort(arena, errors, n, sizeof *errors, gp_by_number, NULL);
    gp_sort(arena, signed_errors, n, sizeof *signed_errors, gp_by_number, NULL);
    stats->n = n;
    stats->mean = n > 0 ? sum / (double)n : (double)NAN;
    stats->median = gp_fit_percentile(errors, n, 0.5);
    stats->p80 = gp_fit_percentile(errors, n, 0.8);
    stats->p90 = gp_fit_percentile(errors, n, 0.9);
    stats->bias = gp_fit_percentile(signed_errors, n, 0.5);
    stats->within_10 = n > 0 ? (double)near / (double)n : (double)NAN;
    stats->coverage = banded > 0 ? (double)inside / (double)banded : (double)NAN;
    band_stats(arena, set, left_out, constant, stats);
    cluster_stats(arena, set, left_out, stats);
}

static void fit_stats(const selection *set, gp_backtest_stats *stats) {
    size_t called = 0;
    size_t right = 0;
    size_t borderline = 0;
    stats->n = 0;
    for (size_t i = 0; i < set->count; i++) {
        const gp_backtest_row *row = set->rows[i];
        if (row->status != GP_BACKTEST_SCORED || !row->is_fit)
            continue;
        stats->n++;
        if (row->borderline) {
            borderline++;
            continue;
        }
        called++;
        right += (row->measured > 0.5) == (row->estimated > 0.5) ? 1 : 0;
    }
    stats->mean = stats->median = stats->p80 = stats->p90 = stats->bias = (double)NAN;
    stats->within_10 = stats->coverage = (double)NAN;
    stats->width = stats->score = stats->constant_score = (double)NAN;
    stats->right = called > 0 ? (double)right / (double)called : (double)NAN;
    stats->borderline = stats->n > 0 ? (double)borderline / (double)stats->n : (double)NAN;
}

static void stats_of(gp_arena *arena, const gp_backtest *backtest, const selection *set,
                     bool is_fit, bool left_out, gp_backtest_stats *ret_stats) {
    gp_backtest_stats stats = {.right = (double)NAN, .borderline = (double)NAN};
    double constant = 0;
    if (!is_fit)
        constant_band(arena, backtest, left_out, &constant);
    for (size_t i = 0; i < set->count; i++)
        stats.unsupported += set->rows[i]->status == GP_BACKTEST_UNSUPPORTED ? 1 : 0;
    if (is_fit)
        fit_stats(set, &stats);
    else
        error_stats(arena, set, left_out, constant, &stats);
    *ret_stats = stats;
}

static void find_extremes(const selection *set, gp_backtest_class *item) {
    for (size_t i = 0; i < set->count; i++) {
        const gp_backtest_row *row = set->rows[i];
        if (!has_error(row, false))
            continue;
        double error = fabs(row->error_fraction);
        if (item->worst == NULL || error > fabs(item->worst->error_fraction))
            item->worst = row;
        if (item->best == NULL || error < fabs(item->best->error_fraction))
            item->best = row;
    }
}

static const char *group_of(const gp_backtest_row *row, size_t keys) {
    return keys > 0 && row->by != NULL ? row->by[keys] : NULL;
}

static int compare_classes(const void *a, const void *b, const void *context) {
    const gp_backtest_class *x = a;
    const gp_backtest_class *y = b;
    (void)context;
    int order = gp_str_compare(x->class_name, y->class_name);
    order = order != 0 ? order : gp_str_compare(x->metric, y->metric);
    return order != 0 ? order : gp_str_compare(x->group, y->group);
}

static bool same_class(const gp_backtest_class *item, const gp_backtest_row *row, size_t keys) {
    return gp_str_equal(item->class_name, row->class_name) &&
           gp_str_equal(item->metric, row->metric) &&
           gp_str_equal(item->group, group_of(row, keys));
}

static void fill_class(gp_arena *arena, const gp_backtest *backtest, size_t keys,
                       gp_backtest_class *item) {
    selection set = {.rows = GP_NEW_ARRAY(arena, const gp_backtest_row *, backtest->row_count)};
    for (size_t i = 0; i < backtest->row_count; i++) {
        const gp_backtest_row *row = &backtest->rows[i];
        if (row->status != GP_BACKTEST_SKIPPED && same_class(item, row, keys))
            set.rows[set.count++] = row;
    }
    find_extremes(&set, item);
    stats_of(arena, backtest, &set, item->is_fit, false, &item->stats);
    if (backtest->has_left_out)
        stats_of(arena, backtest, &set, item->is_fit, true, &item->left_out);
}

/* All classes (keys == 0) or all groups of classes, in order of their names. */
static void collect(gp_arena *arena, const gp_backtest *backtest, size_t keys,
                    gp_backtest_class **ret_items, size_t *ret_count) {
    gp_backtest_class *items = NULL;
    size_t count = 0;
    size_t cap = 0;
    for (size_t i = 0; i < backtest->row_count; i++) {
        const gp_backtest_row *row = &backtest->rows[i];
        bool known = row->status == GP_BACKTEST_SKIPPED;
        for (size_t j = 0; !known && j < count; j++)
            known = same_class(&items[j], row, keys);
        if (known)
            continue;
        GP_PUSH(arena, items, count, cap) = (gp_backtest_class){.class_name = row->class_name,
                                                                .metric = row->metric,
                                                                .group = group_of(row, keys),
                                                                .is_fit = row->is_fit};
    }
    gp_sort(arena, items, count, sizeof *items, compare_classes, NULL);
    for (size_t i = 0; i < count; i++)
        fill_class(arena, backtest, keys, &items[i]);
    *ret_items = items;
    *ret_count = count;
}

static int compare_errors(const void *a, const void *b, const void *context) {
    const gp_backtest_row *x = *(const gp_backtest_row *const *)a;
    const gp_backtest_row *y = *(const gp_backtest_row *const *)b;
    double ex = fabs(x->error_fraction);
    double ey = fabs(y->error_fraction);
    (void)context;
    return ex > ey ? -1 : ex < ey ? 1 : 0;
}

static void pick_worst(gp_arena *arena, gp_backtest *backtest, size_t most) {
    size_t room = backtest->row_count > 0 ? backtest->row_count : 1;
    const gp_backtest_row **rows = GP_NEW_ARRAY(arena, const gp_backtest_row *, room);
    size_t count = 0;
    for (size_t i = 0; i < backtest->row_count; i++)
        if (has_error(&backtest->rows[i], false))
            rows[count++] = &backtest->rows[i];
    gp_sort(arena, rows, count, sizeof *rows, compare_errors, NULL);
    backtest->worst = rows;
    backtest->worst_count = count < most ? count : most;
}

static void count_rows(gp_backtest *backtest) {
    for (size_t i = 0; i < backtest->row_count; i++) {
        const gp_backtest_row *row = &backtest->rows[i];
        backtest->scored += row->status == GP_BACKTEST_SCORED ? 1 : 0;
        backtest->unsupported += row->status == GP_BACKTEST_UNSUPPORTED ? 1 : 0;
        backtest->skipped += row->status == GP_BACKTEST_SKIPPED ? 1 : 0;
        backtest->has_fits = backtest->has_fits || row->is_fit;
    }
}

static void fill_totals(gp_arena *arena, gp_backtest *backtest) {
    size_t room = backtest->row_count > 0 ? backtest->row_count : 1;
    selection figures = {.rows = GP_NEW_ARRAY(arena, const gp_backtest_row *, room)};
    selection fits = {.rows = GP_NEW_ARRAY(arena, const gp_backtest_row *, room)};
    for (size_t i = 0; i < backtest->row_count; i++) {
        const gp_backtest_row *row = &backtest->rows[i];
        selection *set = row->is_fit ? &fits : &figures;
        if (row->status != GP_BACKTEST_SKIPPED)
            set->rows[set->count++] = row;
    }
    stats_of(arena, backtest, &figures, false, false, &backtest->total);
    if (backtest->has_left_out)
        stats_of(arena, backtest, &figures, false, true, &backtest->left_out);
    stats_of(arena, backtest, &fits, true, false, &backtest->fits);
}

void gp_fit_summarize(gp_arena *arena, const gp_backtest_options *options, gp_backtest *backtest) {
    gp_backtest_class *items = NULL;
    count_rows(backtest);
    fill_totals(arena, backtest);
    collect(arena, backtest, 0, &items, &backtest->class_count);
    backtest->classes = items;
    if (options->by.count > 0) {
        collect(arena, backtest, options->by.count, &items, &backtest->group_count);
        backtest->groups = items;
    }
    pick_worst(arena, backtest, options->worst);
}
