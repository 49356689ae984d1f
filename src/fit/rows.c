/* Rows of a result, as the scorers of all kinds of runs make them. */
#include <math.h>

#include "fit/fitter.h"

gp_backtest_row gp_fit_row(const gp_run_row *run, const char *class_name, const char *metric,
                           double measured, const char *why) {
    return (gp_backtest_row){
        .id = run->id,
        .class_name = class_name,
        .metric = metric,
        .measured = measured,
        .estimated = (double)NAN,
        .error_fraction = (double)NAN,
        .low = (double)NAN,
        .high = (double)NAN,
        .left_out = (double)NAN,
        .status = GP_BACKTEST_UNSUPPORTED,
        .reason = why,
        .shape = run->model,
    };
}

void gp_fit_row_estimate(gp_backtest_row *row, double estimated, double error, const char *note) {
    if (row->reason != NULL)
        return;
    if (!isfinite(estimated)) {
        row->reason = "no finite estimate: saturated";
        return;
    }
    row->status = GP_BACKTEST_SCORED;
    row->reason = note;
    row->estimated = estimated;
    row->error_fraction = estimated / row->measured - 1;
    if (error > 0) {
        row->low = estimated / (1 + error);
        row->high = estimated * (1 + error);
    }
}

void gp_fit_rows_add(gp_fitter *fitter, gp_fit_rows *rows, const gp_backtest_row *row,
                     const gp_fit_point *point) {
    const bool scored = row->status == GP_BACKTEST_SCORED && point != NULL;
    size_t point_count = rows->count;
    GP_PUSH(fitter->arena, rows->points, point_count, rows->point_cap) =
        scored ? *point : (gp_fit_point){0};
    GP_PUSH(fitter->arena, rows->items, rows->count, rows->cap) = *row;
}
