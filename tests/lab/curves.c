/*
 * Curves of collectives inside one domain, fitted to times of many sizes: three terms, linear in
 * what is sought, by least squares of the relative error that are weighted again until they stand
 * for its absolute value, so that one odd size does not bend the curve.
 */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/sort.h"
#include "base/str.h"
#include "lab/lab.h"
#include "lab/solve.h"

enum { TERMS = 3, ROUNDS = 8 };
static const double least_error = 0.02; /* below it an error weighs no more */

static double factor_of(const gp_fit_transfer *transfer) {
    double once = ((double)transfer->ranks - 1) / (double)transfer->ranks;
    return transfer->collective == GP_COLLECTIVE_ALL_REDUCE ? 2 * once : once;
}

/* Each term over the measured time, sizes in units of the largest so that the equations stay
 * tame. */
static void terms_of(const gp_fit_transfer *transfer, double unit, double terms[TERMS]) {
    terms[0] = 1 / transfer->time_s;
    terms[1] = factor_of(transfer) * transfer->bytes / unit / transfer->time_s;
    terms[2] = sqrt(transfer->bytes / unit) / transfer->time_s;
}

static double ratio_of(const double terms[TERMS], const double x[TERMS]) {
    return terms[0] * x[0] + terms[1] * x[1] + terms[2] * x[2];
}

static bool weighted_squares(const gp_fit_transfer *const *transfers, size_t count, double unit,
                             double scale, bool first, double x[TERMS]) {
    double matrix[TERMS * TERMS] = {0};
    double right[TERMS] = {0};
    for (size_t i = 0; i < count; i++) {
        double terms[TERMS];
        terms_of(transfers[i], unit, terms);
        double error = first ? 1 : fabs(ratio_of(terms, x) - 1);
        double weight = 1 / gp_num_max(error, least_error);
        for (int j = 0; j < TERMS; j++) {
            double column = terms[j] * scale;
            right[j] += weight * column;
            for (int k = 0; k < TERMS; k++) {
                matrix[j * TERMS + k] += weight * column * terms[k] * scale;
            }
        }
    }
    if (!gp_solve_symmetric(matrix, right, TERMS)) {
        return false;
    }
    for (int j = 0; j < TERMS; j++) {
        x[j] = right[j] * scale;
    }
    return true;
}

bool gp_lab_curve(const gp_fit_transfer *const *transfers, size_t count, gp_curve *ret_curve) {
    double unit = 0;
    double scale = HUGE_VAL; /* of time: the shortest */
    double x[TERMS] = {0};
    for (size_t i = 0; i < count; i++) {
        unit = gp_num_max(unit, transfers[i]->bytes);
        scale = gp_num_min(scale, transfers[i]->time_s);
    }
    if (count <= TERMS || !(unit > 0) || !(scale > 0)) {
        return false;
    }
    for (int round = 0; round < ROUNDS; round++) {
        if (!weighted_squares(transfers, count, unit, scale, round == 0, x)) {
            return false;
        }
    }
    *ret_curve =
        (gp_curve){.latency_s = x[0], .bus_bytes_per_s = unit / x[1], .sqrt_s = x[2] / sqrt(unit)};
    return x[1] > 0;
}

static double time_by(const gp_curve *curve, const gp_fit_transfer *transfer) {
    return curve->latency_s + factor_of(transfer) * transfer->bytes / curve->bus_bytes_per_s +
           curve->sqrt_s * sqrt(transfer->bytes);
}

static bool same_curve(const gp_fit_transfer *a, const gp_fit_transfer *b) {
    return gp_str_equal(a->machine->gpu->id, b->machine->gpu->id) &&
           a->collective == b->collective && a->ranks == b->ranks;
}

static int compare_sizes(const void *a, const void *b, const void *context) {
    const gp_fit_point *points = context;
    const gp_fit_transfer *x = points[*(const size_t *)a].subject;
    const gp_fit_transfer *y = points[*(const size_t *)b].subject;
    return x->bytes < y->bytes ? -1 : x->bytes > y->bytes ? 1 : 0;
}

/* Positions of the rows of one curve, from `first` on, by size. */
static void gather(gp_fitter *fitter, const gp_fit_rows *rows, size_t first, bool *done,
                   size_t *ret_at, size_t *ret_count) {
    const gp_fit_transfer *head = rows->points[first].subject;
    *ret_count = 0;
    for (size_t i = first; i < rows->count; i++) {
        const gp_fit_point *point = &rows->points[i];
        bool counts = point->subject != NULL && point->estimate == gp_fit_transfer_us &&
                      rows->items[i].status == GP_BACKTEST_SCORED;
        if (counts && !done[i] && same_curve(head, point->subject)) {
            done[i] = true;
            ret_at[(*ret_count)++] = i;
        }
    }
    gp_sort(fitter->arena, ret_at, *ret_count, sizeof *ret_at, compare_sizes, rows->points);
}

/* Each half of the sizes by the curve of the other. */
static void cross(gp_fit_rows *rows, const size_t *at, size_t count, const gp_fit_transfer **kept) {
    for (size_t half = 0; half < 2; half++) {
        gp_curve curve;
        size_t n = 0;
        for (size_t i = half; i < count; i += 2) {
            kept[n++] = rows->points[at[i]].subject;
        }
        if (!gp_lab_curve(kept, n, &curve)) {
            continue;
        }
        for (size_t i = 1 - half; i < count; i += 2) {
            const gp_fit_transfer *left = rows->points[at[i]].subject;
            rows->items[at[i]].left_out =
                rows->items[at[i]].measured * time_by(&curve, left) / left->time_s;
        }
    }
}

void gp_lab_leave_sizes(gp_fitter *fitter, gp_fit_rows *rows) {
    size_t room = rows->count + 1;
    bool *done = GP_NEW_ARRAY(fitter->arena, bool, room);
    size_t *at = GP_NEW_ARRAY(fitter->arena, size_t, room);
    const gp_fit_transfer **kept = GP_NEW_ARRAY(fitter->arena, const gp_fit_transfer *, room);
    for (size_t i = 0; i < rows->count; i++) {
        const gp_fit_point *point = &rows->points[i];
        size_t count = 0;
        if (done[i] || point->subject == NULL || point->estimate != gp_fit_transfer_us ||
            rows->items[i].status != GP_BACKTEST_SCORED) {
            continue;
        }
        gather(fitter, rows, i, done, at, &count);
        cross(rows, at, count, kept);
    }
}

/* Mean of the absolute relative errors. */
static double mean_error(const gp_curve *curve, const gp_fit_transfer *const *transfers,
                         size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += fabs(time_by(curve, transfers[i]) / transfers[i]->time_s - 1);
    }
    return sum / (double)count;
}

gp_lab_curve_row *gp_lab_curves(gp_fitter *fitter, const gp_fit_point *points, size_t count,
                                size_t *ret_count) {
    bool *done = GP_NEW_ARRAY(fitter->arena, bool, count + 1);
    const gp_fit_transfer **group = GP_NEW_ARRAY(fitter->arena, const gp_fit_transfer *, count + 1);
    gp_lab_curve_row *rows = GP_NEW_ARRAY(fitter->arena, gp_lab_curve_row, count + 1);
    *ret_count = 0;
    for (size_t i = 0; i < count; i++) {
        size_t n = 0;
        if (done[i] || points[i].estimate != gp_fit_transfer_us) {
            continue;
        }
        const gp_fit_transfer *head = points[i].subject;
        for (size_t j = i; j < count; j++) {
            if (points[j].estimate == gp_fit_transfer_us && same_curve(head, points[j].subject)) {
                done[j] = true;
                group[n++] = points[j].subject;
            }
        }
        gp_lab_curve_row row = {.head = head, .n = n};
        if (gp_lab_curve(group, n, &row.curve)) {
            row.error_fraction = mean_error(&row.curve, group, n);
            rows[(*ret_count)++] = row;
        }
    }
    return rows;
}
