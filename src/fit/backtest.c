/*
 * A file of runs from text to scored rows: reading, one case per run, estimates, and the columns to
 * group by. What counts is the file's own word: rows not strict are left out unless asked for.
 */
#include <math.h>
#include <string.h>

#include "base/str.h"
#include "fit/refit.h"
#include "schema/diag_ids.h"

const char *gp_backtest_kinds(void) {
    return "training, memory, collectives_one_node, collectives_multinode, serving_power, "
           "inference, fabric, serving_ep, runs, deployments, exchanges";
}

static gp_status check_keys(const gp_runs *runs, const gp_backtest_options *options,
                            gp_arena *arena, gp_diags *diags) {
    size_t errors = diags->errors;
    const char **names = GP_NEW_ARRAY(arena, const char *, runs->csv.columns + 1);
    if (names == NULL) {
        return GP_ERR_NO_MEMORY;
    }
    for (size_t i = 0; i < runs->csv.columns; i++) {
        names[i] = runs->csv.header[i].text;
    }
    for (size_t i = 0; i < options->by.count; i++) {
        const char *key = options->by.items[i];
        if (gp_csv_column(&runs->csv, key) < 0) {
            gp_diags_error(diags, GP_ID_UNKNOWN_KEY, (gp_span){.text = runs->csv.text}, NULL,
                           gp_str_nearest(key, strlen(key), names, runs->csv.columns),
                           "the table has no column \"%s\" to group by", key);
        }
    }
    return diags->errors > errors ? GP_ERR_INPUT : GP_OK;
}

// The values of the columns to group by, and behind them the whole group as one text.
static gp_status fill_keys(gp_fitter *fitter, const gp_runs *runs, size_t index,
                           const gp_backtest_options *options, gp_backtest_row *rows,
                           size_t count) {
    size_t keys = options->by.count;
    const char **values = GP_NEW_ARRAY(fitter->arena, const char *, keys + 1);
    const char *group = "";
    if (values == NULL) {
        return GP_ERR_NO_MEMORY;
    }
    for (size_t k = 0; k < keys; k++) {
        int column = gp_csv_column(&runs->csv, options->by.items[k]);
        values[k] = gp_csv_at(&runs->csv, index, (size_t)column)->text;
        group = gp_arena_printf(fitter->arena, "%s%s%s=%s", group, k > 0 ? ", " : "",
                                options->by.items[k], values[k][0] == '\0' ? "-" : values[k]);
        if (group == NULL) {
            return GP_ERR_NO_MEMORY;
        }
    }
    values[keys] = group;
    gp_place place = gp_span_place(gp_csv_span(&runs->csv, gp_csv_at(&runs->csv, index, 0)));
    for (size_t i = 0; i < count; i++) {
        rows[i].by = values;
        rows[i].line = place.line;
    }
    return GP_OK;
}

static bool counts(const gp_runs *runs, const gp_run_row *run, bool all) {
    /* Of clusters, grade C is for reading. */
    if (gp_str_equal(run->site.grade, "C"))
        return all;
    const char *grade = run->rl.grade;
    if (grade != NULL && !gp_str_equal(grade, "A") && !gp_str_equal(grade, "B"))
        return all;
    return all || !runs->has_strict || gp_str_equal(run->strict, "yes");
}

// Rows that are not judged are listed as such, with what was measured.
static void skip(gp_backtest_row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        rows[i].status = GP_BACKTEST_SKIPPED;
        rows[i].reason = "not strict";
        rows[i].estimated = rows[i].error_fraction = rows[i].low = rows[i].high = (double)NAN;
    }
}

typedef gp_status score_run(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows);

static score_run *const scorers[GP_RUNS_KIND_COUNT] = {
    [GP_RUNS_TRAINING] = gp_fit_score_training,
    [GP_RUNS_MEMORY] = gp_fit_score_memory,
    [GP_RUNS_COLLECTIVES_ONE_NODE] = gp_fit_score_one_node,
    [GP_RUNS_COLLECTIVES_MULTINODE] = gp_fit_score_multinode,
    [GP_RUNS_SERVING_POWER] = gp_fit_score_power,
    [GP_RUNS_INFERENCE] = gp_fit_score_inference,
    [GP_RUNS_FABRIC] = gp_fit_score_fabric,
    [GP_RUNS_SERVING_EP] = gp_fit_score_pool,
    [GP_RUNS_WHOLE] = gp_fit_score_whole,
    [GP_RUNS_DEPLOYMENTS] = gp_fit_score_deployment,
    [GP_RUNS_CLUSTERS] = gp_fit_score_cluster,
    [GP_RUNS_MACHINES] = gp_fit_score_machine,
    [GP_RUNS_EXCHANGES] = gp_fit_score_exchange,
    [GP_RUNS_VISION_TOKENS] = gp_fit_score_vision,
    [GP_RUNS_OTHER_KINDS] = gp_fit_score_other,
    [GP_RUNS_RL] = gp_fit_score_rl,
};

gp_status gp_fit_score_run(gp_fitter *fitter, gp_runs_kind kind, const gp_run_row *run,
                           gp_fit_rows *rows) {
    return scorers[kind](fitter, run, rows);
}

gp_status gp_fit_score_runs(gp_fitter *fitter, const gp_runs *runs,
                            const gp_backtest_options *options, gp_fit_rows *rows) {
    gp_status st = GP_OK;
    for (size_t i = 0; st == GP_OK && i < runs->count; i++) {
        size_t before = rows->count;
        st = scorers[runs->kind](fitter, &runs->items[i], rows);
        if (st != GP_OK || rows->count == before) {
            continue;
        }
        gp_backtest_row *added = rows->items + before;
        st = fill_keys(fitter, runs, i, options, added, rows->count - before);
        if (st == GP_OK) {
            st = gp_fit_left_keys(fitter, &runs->items[i], rows->points + before,
                                  rows->count - before);
        }
        if (!counts(runs, &runs->items[i], options->all)) {
            skip(added, rows->count - before);
        }
    }
    return st;
}

static bool has_point(const gp_fit_rows *rows, size_t i) {
    return rows->points[i].subject != NULL && rows->items[i].status == GP_BACKTEST_SCORED;
}

gp_status gp_fit_collect(gp_fitter *fitter, const gp_text *const *texts, size_t text_count,
                         gp_fit_point **ret_points, size_t *ret_count) {
    gp_fit_rows rows = {0};
    gp_backtest_options options = {.leave_out = GP_LEAVE_OUT_NONE};
    for (size_t i = 0; i < text_count; i++) {
        gp_runs *runs = GP_NEW(fitter->arena, gp_runs);
        if (runs == NULL) {
            return GP_ERR_NO_MEMORY;
        }
        gp_status st = gp_runs_read(fitter->arena, texts[i], fitter->diags, runs);
        if (st == GP_OK) {
            st = gp_fit_score_runs(fitter, runs, &options, &rows);
        }
        if (st != GP_OK) {
            return st;
        }
    }
    *ret_points = rows.points;
    for (size_t i = 0; i < rows.count; i++) {
        if (has_point(&rows, i)) {
            rows.points[(*ret_count)++] = rows.points[i];
        }
    }
    return GP_OK;
}

// The scored rows' points first, then those of the further tables.
static gp_status leave_out(gp_fitter *fitter, const gp_backtest_options *options,
                           gp_fit_rows *rows) {
    gp_fit_point *more = NULL;
    size_t more_count = 0;
    size_t count = 0;
    gp_status st =
        gp_fit_collect(fitter, options->fit_texts, options->fit_text_count, &more, &more_count);
    if (st != GP_OK) {
        return st;
    }
    size_t room = rows->count + more_count + 1;
    gp_fit_point *points = GP_NEW_ARRAY(fitter->arena, gp_fit_point, room);
    size_t *at = GP_NEW_ARRAY(fitter->arena, size_t, room);
    double *estimates = GP_NEW_ARRAY(fitter->arena, double, room);
    if (points == NULL || at == NULL || estimates == NULL) {
        return GP_ERR_NO_MEMORY;
    }
    for (size_t i = 0; i < rows->count; i++) {
        if (has_point(rows, i)) {
            points[count] = rows->points[i];
            at[count++] = i;
        }
    }
    for (size_t i = 0; i < more_count; i++) {
        points[count + i] = more[i];
    }
    st =
        gp_refit_left_out(fitter, points, count + more_count, count, options->leave_out, estimates);
    for (size_t i = 0; st == GP_OK && i < count; i++) {
        rows->items[at[i]].left_out = estimates[i];
    }
    return st;
}

// Rows that are planned as a user's spec would be.
static bool is_planned(gp_runs_kind kind) {
    return kind == GP_RUNS_WHOLE || kind == GP_RUNS_DEPLOYMENTS || kind == GP_RUNS_RL;
}

gp_status gp_backtest_run(gp_arena *arena, gp_catalog *catalog, const gp_text *text,
                          const gp_backtest_options *options, gp_diags *diags,
                          gp_backtest **ret_backtest) {
    gp_backtest *backtest = GP_NEW(arena, gp_backtest);
    gp_runs runs = {0};
    gp_fit_rows rows = {0};
    gp_fitter fitter;
    if (backtest == NULL) {
        return GP_ERR_NO_MEMORY;
    }
    gp_status st = gp_runs_read(arena, text, diags, &runs);
    if (st == GP_OK) {
        st = check_keys(&runs, options, arena, diags);
    }
    if (st == GP_OK) {
        st = gp_fitter_init(arena, catalog, diags, &fitter);
    }
    if (st == GP_OK) {
        st = gp_fitter_ask(&fitter, is_planned(runs.kind), options);
    }
    if (st == GP_OK) {
        st = gp_fit_score_runs(&fitter, &runs, options, &rows);
    }
    bool sizes = options->leave_out == GP_LEAVE_OUT_SIZE;
    if (st == GP_OK && options->leave_out != GP_LEAVE_OUT_NONE && !sizes) {
        st = leave_out(&fitter, options, &rows);
        backtest->has_left_out = true;
    }
    if (st == GP_OK && sizes) {
        st = gp_fit_leave_sizes(&fitter, &rows);
        backtest->has_left_out = true;
    }
    backtest->kind = gp_runs_kind_name(runs.kind);
    backtest->rows = rows.items;
    backtest->row_count = rows.count;
    if (st == GP_OK) {
        st = gp_fit_summarize(arena, options, backtest);
    }
    *ret_backtest = backtest;
    return st;
}
