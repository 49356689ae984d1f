/*
 * A file of runs from text to scored rows: reading, one case per run, estimates, and the columns to
 * group by. What counts is the file's own word: rows not strict are left out unless asked for.
 */
#include <math.h>
#include <string.h>

#include "base/str.h"
#include "fit/fitter.h"
#include "schema/diag_ids.h"

static gp_status check_keys(const gp_runs *runs, const gp_backtest_options *options,
                            gp_arena *arena, gp_diags *diags) {
    size_t errors = diags->errors;
    const char **names = GP_NEW_ARRAY(arena, const char *, runs->csv.columns + 1);
    for (size_t i = 0; i < runs->csv.columns; i++)
        names[i] = runs->csv.header[i].text;
    for (size_t i = 0; i < options->by.count; i++) {
        const char *key = options->by.items[i];
        if (gp_csv_column(&runs->csv, key) < 0)
            gp_diags_error(diags, GP_ID_UNKNOWN_KEY, (gp_span){.text = runs->csv.text}, NULL,
                           gp_str_nearest(key, strlen(key), names, runs->csv.columns),
                           "the table has no column \"%s\" to group by", key);
    }
    return diags->errors > errors ? GP_ERR_INPUT : GP_OK;
}

/* The values of the columns to group by, and behind them the whole group as one text. */
static void fill_keys(gp_fitter *fitter, const gp_runs *runs, size_t index,
                      const gp_backtest_options *options, gp_backtest_row *rows, size_t count) {
    size_t keys = options->by.count;
    const char **values = GP_NEW_ARRAY(fitter->arena, const char *, keys + 1);
    const char *group = "";
    for (size_t k = 0; k < keys; k++) {
        int column = gp_csv_column(&runs->csv, options->by.items[k]);
        values[k] = gp_csv_at(&runs->csv, index, (size_t)column)->text;
        group = gp_arena_printf(fitter->arena, "%s%s%s=%s", group, k > 0 ? ", " : "",
                                options->by.items[k], values[k][0] == '\0' ? "-" : values[k]);
    }
    values[keys] = group;
    gp_place place = gp_span_place(gp_csv_span(&runs->csv, gp_csv_at(&runs->csv, index, 0)));
    for (size_t i = 0; i < count; i++) {
        rows[i].by = values;
        rows[i].line = place.line;
    }
}

static bool counts(const gp_runs *runs, const gp_run_row *run, bool all) {
    return all || !runs->has_strict || gp_str_equal(run->strict, "yes");
}

/* Rows that are not judged are listed as such, with what was measured. */
static void skip(gp_backtest_row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        rows[i].status = GP_BACKTEST_SKIPPED;
        rows[i].reason = "not strict";
        rows[i].estimated = rows[i].error_fraction = rows[i].low = rows[i].high = (double)NAN;
    }
}

void gp_fit_score_runs(gp_fitter *fitter, const gp_runs *runs, const gp_backtest_options *options,
                       gp_fit_rows *rows) {
    for (size_t i = 0; i < runs->count; i++) {
        const gp_run_row *run = gp_runs_at(runs, i);
        size_t before = rows->count;
        runs->table->score(fitter, run, rows);
        if (rows->count == before)
            continue;
        gp_backtest_row *added = rows->items + before;
        for (size_t k = before; k < rows->count; k++)
            rows->points[k].run = run;
        fill_keys(fitter, runs, i, options, added, rows->count - before);
        if (!counts(runs, run, options->all))
            skip(added, rows->count - before);
    }
}

gp_status gp_fit_scoring_open(gp_arena *arena, gp_catalog *catalog, const gp_text *text,
                              const gp_run_table *const *tables, const gp_backtest_options *options,
                              gp_diags *diags, gp_fit_scoring *ret_scoring) {
    gp_fit_scoring scoring = {.options = options};
    gp_status st = gp_runs_read(arena, text, tables, diags, &scoring.runs);
    if (st == GP_OK)
        st = check_keys(&scoring.runs, options, arena, diags);
    if (st == GP_OK)
        st = gp_fitter_init(arena, catalog, diags, &scoring.fitter);
    const bool typical = st == GP_OK && scoring.runs.table->typical;
    if (st == GP_OK && (options->tuning > 0 || typical))
        gp_fitter_tune(&scoring.fitter,
                       options->tuning > 0 ? (gp_tuning)(options->tuning - 1) : GP_TUNING_TYPICAL);
    *ret_scoring = scoring;
    return st;
}

void gp_fit_scoring_sum(gp_fit_scoring *scoring, bool left_out, gp_backtest **ret_backtest) {
    gp_backtest *backtest = GP_NEW(scoring->fitter.arena, gp_backtest);
    backtest->has_left_out = left_out;
    backtest->kind = scoring->runs.table->name;
    backtest->rows = scoring->rows.items;
    backtest->row_count = scoring->rows.count;
    *ret_backtest = backtest;
    gp_fit_summarize(scoring->fitter.arena, scoring->options, backtest);
}

gp_status gp_backtest_run(gp_arena *arena, gp_catalog *catalog, const gp_text *text,
                          const gp_backtest_options *options, gp_diags *diags,
                          gp_backtest **ret_backtest) {
    gp_fit_scoring scoring;
    gp_status st =
        gp_fit_scoring_open(arena, catalog, text, gp_run_tables, options, diags, &scoring);
    if (st != GP_OK)
        return st;
    gp_fit_score_runs(&scoring.fitter, &scoring.runs, options, &scoring.rows);
    gp_fit_scoring_sum(&scoring, false, ret_backtest);
    return GP_OK;
}
