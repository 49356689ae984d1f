/*
 * The model against measured runs: reads tables of a user's own runs, estimates each from its
 * configuration alone, and fits factors to them.
 */
#ifndef GP_FIT_FIT_H
#define GP_FIT_FIT_H

#include <gpuplan/arena.h>
#include <gpuplan/diag.h>

#include "catalog/catalog.h"
#include "fit/backtest.h"
#include "model/calibration.h"

typedef struct gp_backtest_options {
    bool all;                 /* rows that the file does not call strict count too */
    int tuning;               /* 1 + gp_tuning that runs are taken to have; 0: tuned */
    size_t worst;             /* how many of the worst rows to list */
    GP_LIST(const char *) by; /* columns of the file to group by */
} gp_backtest_options;

/* Scores the table in `text`. Wrong cells, a header that tells no kind and unknown columns in
 * options->by go to `diags` with GP_ERR_INPUT. All results live in `arena`. */
gp_status gp_backtest_run(gp_arena *arena, gp_catalog *catalog, const gp_text *text,
                          const gp_backtest_options *options, gp_diags *diags,
                          gp_backtest **ret_backtest);

typedef struct gp_calibrate_options {
    int64_t from, to; /* yyyymmdd: the window, where the rows have no column "date"; 0: not known */
} gp_calibrate_options;

/*
 * Fits factors by class to the rows of `texts`, which are a team's own measurements in the columns
 * of the backtest. A row that cannot be believed is left out and told as a warning at its place;
 * GP_ERR_INPUT with a diagnostic where nothing is left. The formulas are in docs/calibration.md.
 */
gp_status gp_calibrate(gp_arena *arena, gp_catalog *catalog, const gp_text *const *texts,
                       size_t text_count, const gp_calibrate_options *options, gp_diags *diags,
                       gp_calibration *ret_calibration);

#endif
