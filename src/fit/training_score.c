/* Measured speed of training beside the estimate. */
#include "base/num.h"
#include "fit/fitter.h"

static double estimate_speed(const gp_fitter *fitter, const void *subject) {
    return gp_fit_tokens_per_s_per_gpu(fitter, subject);
}

static double estimate_step(const gp_fitter *fitter, const void *subject) {
    return gp_fit_step_s(fitter, subject);
}

/* Samples of assumed length leave as much open as an unknown site. */
static double band_of(const gp_fitter *fitter, const gp_fit_case *c, bool known_stack) {
    const gp_constants *k = &fitter->constants;
    gp_train_job job = gp_fit_job(fitter, c);
    job.known_stack = job.known_stack && known_stack;
    double band = gp_train_band(&job, c->machine, &c->layout, k);
    return c->assumed ? gp_num_max(band, k->training_open_error_fraction) : band;
}

static void skip_unmeasured(gp_fitter *fitter, const gp_fit_case *c, gp_fit_rows *rows) {
    gp_backtest_row row = gp_fit_row(c->run, gp_fit_training_class(c), "tokens_per_s_per_gpu", 0,
                                     "no speed measured");
    row.measured = row.estimated;
    row.status = GP_BACKTEST_SKIPPED;
    gp_fit_rows_add(fitter, rows, &row, NULL);
}

void gp_fit_score_training(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows) {
    gp_fit_case *c = GP_NEW(fitter->arena, gp_fit_case);
    gp_fit_case_of(fitter, run, c);
    bool by_step = run->tokens_per_s <= 0;
    double measured = by_step ? run->iteration_s : run->tokens_per_s;
    if (measured <= 0) {
        skip_unmeasured(fitter, c, rows);
        return;
    }
    gp_backtest_row row =
        gp_fit_row(run, gp_fit_training_class(c), by_step ? "iteration_s" : "tokens_per_s_per_gpu",
                   measured, c->unsupported);
    gp_fit_point point = {.shape = row.shape,
                          .measured = measured,
                          .subject = c,
                          .estimate = by_step ? estimate_step : estimate_speed};
    if (c->model != NULL) {
        point.shape = row.shape = c->model->key;
        point.group = gp_arena_printf(fitter->arena, "%s %s", row.shape,
                                      c->stack == NULL ? "" : c->stack->name);
    }
    if (c->unsupported == NULL) {
        gp_fit_row_estimate(&row, point.estimate(fitter, c), band_of(fitter, c, true), c->note);
        row.left_band = band_of(fitter, c, false);
    }
    gp_fit_rows_add(fitter, rows, &row, &point);
}
