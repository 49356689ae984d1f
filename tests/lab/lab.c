/*
 * A table of published runs from text to scored rows, and what was left out of a fit beside them.
 */
#include <string.h>

#include "base/str.h"
#include "lab/other_kinds.h"
#include "lab/refit.h"

static bool has_point(const gp_fit_rows *rows, size_t i) {
    return rows->points[i].subject != NULL && rows->items[i].status == GP_BACKTEST_SCORED;
}

gp_status gp_lab_collect(gp_fitter *fitter, const gp_text *const *texts, size_t text_count,
                         gp_fit_point **ret_points, size_t *ret_count) {
    const gp_run_table *const *tables = gp_lab_tables(fitter->arena);
    gp_fit_rows rows = {0};
    gp_backtest_options options = {.all = false};
    for (size_t i = 0; i < text_count; i++) {
        gp_runs *runs = GP_NEW(fitter->arena, gp_runs);
        gp_status st = gp_runs_read(fitter->arena, texts[i], tables, fitter->diags, runs);
        if (st != GP_OK)
            return st;
        gp_fit_score_runs(fitter, runs, &options, &rows);
    }
    *ret_points = rows.points;
    for (size_t i = 0; i < rows.count; i++) {
        if (has_point(&rows, i)) {
            rows.points[(*ret_count)++] = rows.points[i];
        }
    }
    return GP_OK;
}

/* The scored rows' points first, with their rows, then those of the further tables. */
typedef struct evidence {
    gp_fit_point *points;
    const char **keys;
    size_t *rows;
    size_t scored, count;
} evidence;

static gp_status gather(gp_fit_scoring *s, const gp_lab_options *options, evidence *ret) {
    const gp_fit_rows *rows = &s->rows;
    gp_arena *arena = s->fitter.arena;
    gp_fit_point *more = NULL;
    size_t more_count = 0;
    gp_status st =
        gp_lab_collect(&s->fitter, options->fit_texts, options->fit_text_count, &more, &more_count);
    size_t room = rows->count + more_count + 1;
    *ret = (evidence){.points = GP_NEW_ARRAY(arena, gp_fit_point, room),
                      .keys = GP_NEW_ARRAY(arena, const char *, room),
                      .rows = GP_NEW_ARRAY(arena, size_t, room)};
    if (st != GP_OK)
        return st;
    for (size_t i = 0; i < rows->count; i++) {
        if (has_point(rows, i)) {
            ret->points[ret->count] = rows->points[i];
            ret->rows[ret->count++] = i;
        }
    }
    ret->scored = ret->count;
    for (size_t i = 0; i < more_count; i++) {
        ret->points[ret->count++] = more[i];
    }
    for (size_t i = 0; i < ret->count; i++) {
        ret->keys[i] = gp_lab_left_key(&s->fitter, &ret->points[i], options->leave_out);
    }
    return GP_OK;
}

static gp_status leave_out(gp_fit_scoring *s, const gp_lab_options *options) {
    evidence all;
    gp_status st = gather(s, options, &all);
    if (st != GP_OK)
        return st;
    double *estimates = GP_NEW_ARRAY(s->fitter.arena, double, all.count + 1);
    st = gp_refit_left_out(&s->fitter, all.points, all.count, all.scored, all.keys, estimates);
    for (size_t i = 0; st == GP_OK && i < all.scored; i++) {
        gp_backtest_row *row = &s->rows.items[all.rows[i]];
        row->left_out = estimates[i];
        row->cluster =
            gp_arena_printf(s->fitter.arena, "%s of %s", row->shape,
                            gp_lab_left_key(&s->fitter, &all.points[i], GP_LEAVE_OUT_SOURCE));
        /* Only where its framework is what was left out, it counts as one that nobody has
         * measured. */
        row->left_band = options->leave_out == GP_LEAVE_OUT_ENGINE ? row->left_band : 0;
    }
    return st;
}

/* Rows that are planned as a user's spec would be. */
static bool is_planned(const gp_runs *runs) {
    return gp_str_equal(runs->table->name, "runs") ||
           gp_str_equal(runs->table->name, "deployments");
}

/* Of clusters, grade C is for reading. */
static void judge_grades(gp_runs *runs) {
    if (!gp_str_equal(runs->table->name, "clusters")) {
        return;
    }
    for (size_t i = 0; i < runs->count; i++) {
        gp_lab_row *row = (gp_lab_row *)(void *)(runs->items + i * sizeof(gp_lab_row));
        row->run.strict = gp_str_equal(row->site.grade, "C") ? "no" : "yes";
    }
    runs->has_strict = true;
}

static void prepare(gp_fit_scoring *s, const gp_lab_options *options) {
    judge_grades(&s->runs);
    if (options->confidence > 0) {
        s->fitter.confidence = (gp_confidence)(options->confidence - 1);
    }
    if (options->base.tuning == 0 && is_planned(&s->runs)) {
        gp_fitter_tune(&s->fitter, GP_TUNING_TYPICAL);
    }
}

gp_status gp_lab_backtest(gp_arena *arena, gp_catalog *catalog, const gp_text *text,
                          const gp_lab_options *options, gp_diags *diags,
                          gp_backtest **ret_backtest) {
    gp_fit_scoring s;
    const bool left = options->leave_out != GP_LEAVE_OUT_NONE;
    gp_status st =
        gp_fit_scoring_open(arena, catalog, text, gp_lab_tables(arena), &options->base, diags, &s);
    if (st != GP_OK)
        return st;
    prepare(&s, options);
    gp_fit_score_runs(&s.fitter, &s.runs, &options->base, &s.rows);
    if (options->leave_out == GP_LEAVE_OUT_SIZE)
        gp_lab_leave_sizes(&s.fitter, &s.rows);
    else if (left && gp_str_equal(s.runs.table->name, "other_kinds"))
        gp_lab_leave_levels(&s.fitter, &s.rows, options->leave_out);
    else if (left)
        st = leave_out(&s, options);
    if (st == GP_OK)
        gp_fit_scoring_sum(&s, left, ret_backtest);
    return st;
}
