/*
 * The model against measured runs: reads tables of published (or a user's own) runs, estimates each
 * from its configuration alone, and refits the free constants to them.
 */
#ifndef GPUPLAN_FIT_H
#define GPUPLAN_FIT_H

#include <gpuplan/arena.h>
#include <gpuplan/backtest.h>
#include <gpuplan/calibration.h>
#include <gpuplan/catalog.h>
#include <gpuplan/diag.h>

/* What is left out of the fit in turn, all its runs at once, so that they are scored unseen. */
typedef enum gp_leave_out {
    GP_LEAVE_OUT_NONE,
    GP_LEAVE_OUT_MODEL,        /* a model shape, with all its aliases and fine-tunes */
    GP_LEAVE_OUT_GPU,          /* a row of the catalogue */
    GP_LEAVE_OUT_ENGINE,       /* a framework or serving engine, with all its releases */
    GP_LEAVE_OUT_SOURCE,       /* a repository or site that publishes figures */
    GP_LEAVE_OUT_ORGANIZATION, /* the models of one maker, by the word that their names share */
    GP_LEAVE_OUT_KINDS,
    GP_LEAVE_OUT_SIZE = GP_LEAVE_OUT_KINDS /* of collectives: every second size of each curve */
} gp_leave_out;

typedef struct gp_backtest_options {
    bool all;               /* rows that the file does not call strict count too */
    gp_leave_out leave_out; /* what to refit without, to score the rows left out */
    /* 0: not said; else 1 + gp_confidence and gp_tuning. Whole runs are planned at the expected
     * value and typical, all else is estimated as tuned. */
    int confidence, tuning;
    size_t worst;                    /* how many of the worst rows to list */
    const gp_text *const *fit_texts; /* further tables whose rows join the fits, unscored */
    size_t fit_text_count;
    GP_LIST(const char *) by; /* columns of the file to group by */
} gp_backtest_options;

/* Kinds of tables that gp_backtest_run reads, comma separated; a constant. */
const char *gp_backtest_kinds(void);

/* Scores the table in `text`. Wrong cells, a header that tells no kind and unknown columns in
 * options->by go to `diags` with GP_ERR_INPUT. All results live in `arena`. */
gp_status gp_backtest_run(gp_arena *arena, gp_catalog *catalog, const gp_text *text,
                          const gp_backtest_options *options, gp_diags *diags,
                          gp_backtest **ret_backtest);

typedef enum gp_fit_form {
    GP_FIT_FORM_CATALOG, /* the rows they belong to, as a document of kind Catalog */
    GP_FIT_FORM_MARKDOWN /* a table: value, prior, runs and models each rests on */
} gp_fit_form;

/* Fits the free constants to the strict rows of `texts` and writes them. */
gp_status gp_fit_constants(gp_arena *arena, gp_catalog *catalog, const gp_text *const *texts,
                           size_t text_count, gp_fit_form form, gp_diags *diags,
                           const char **ret_text, size_t *ret_len);

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
