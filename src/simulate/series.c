/*
 * What happened over time, in at most so many pieces: a run that outgrows them halves their number
 * by merging neighbours, so that memory does not grow with the run.
 */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "simulate/sim.h"

void gp_series_init(gp_series *series, gp_arena *arena, size_t capacity, double width_s) {
    *series = (gp_series){.capacity = capacity, .width_s = width_s};
    series->integrals = GP_NEW_ARRAY(arena, double, capacity *GP_SERIES_KINDS);
}

static void merge_pairs(gp_series *series) {
    double *all = series->integrals;
    size_t half = series->capacity / 2;
    for (size_t i = 0; i < half; i++) {
        for (size_t k = 0; k < GP_SERIES_KINDS; k++)
            all[i * GP_SERIES_KINDS + k] =
                all[2 * i * GP_SERIES_KINDS + k] + all[(2 * i + 1) * GP_SERIES_KINDS + k];
    }
    memset(all + half * GP_SERIES_KINDS, 0, half * GP_SERIES_KINDS * sizeof *all);
    series->width_s *= 2;
    series->used = half;
}

static void add_piece(gp_series *series, size_t piece, double length_s,
                      const double values[GP_SERIES_KINDS]) {
    double *at = series->integrals + piece * GP_SERIES_KINDS;
    for (size_t k = 0; k < GP_SERIES_KINDS; k++)
        at[k] += values[k] * length_s;
    series->used = piece >= series->used ? piece + 1 : series->used;
}

void gp_series_add(gp_series *series, double from_s, double to_s,
                   const double values[GP_SERIES_KINDS]) {
    if (!(to_s > from_s))
        return;
    while (to_s > series->width_s * (double)series->capacity)
        merge_pairs(series);
    size_t first = (size_t)(from_s / series->width_s);
    size_t last = (size_t)(to_s / series->width_s);
    first = first < series->capacity ? first : series->capacity - 1;
    last = last < series->capacity ? last : series->capacity - 1;
    double begin = from_s;
    for (size_t i = first; i < last; i++) {
        double end = (double)(i + 1) * series->width_s;
        add_piece(series, i, end - begin, values);
        begin = end;
    }
    add_piece(series, last, to_s - begin, values);
}

void gp_series_finish(const gp_series *series, gp_arena *arena, double end_s,
                      gp_simulation_series *ret) {
    *ret = (gp_simulation_series){.count = series->used, .width_s = series->width_s};
    double **const kinds[GP_SERIES_KINDS] = {
        [GP_SERIES_RUNNING] = &ret->running,   [GP_SERIES_WAITING] = &ret->waiting,
        [GP_SERIES_KV] = &ret->kv_fraction,    [GP_SERIES_POWER] = &ret->power_w,
        [GP_SERIES_REPLICAS] = &ret->replicas, [GP_SERIES_DECODING] = &ret->decoding,
    };
    for (size_t k = 0; k < GP_SERIES_KINDS; k++) {
        double *values = GP_NEW_ARRAY(arena, double, series->used + 1);
        for (size_t i = 0; i < series->used; i++) {
            /* The last piece is as long as the run goes on in it. */
            double begin = (double)i * series->width_s;
            double length = gp_num_min(series->width_s, end_s - begin);
            double integral = series->integrals[i * GP_SERIES_KINDS + k];
            values[i] = length > 0 ? integral / length : 0;
        }
        *kinds[k] = values;
    }
}
