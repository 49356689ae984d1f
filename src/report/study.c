/*
 * Studies: figures of many reports of one plan, the points that no other one beats, and what parts
 * of one study have in common.
 */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/sort.h"
#include "base/str.h"
#include "report/json.h"
#include "report/study.h"
#include "report/value.h"
#include "simulate/random.h"

enum { SCRATCH_BYTES = 64 << 20 };

static const char *copied(gp_arena *arena, const char *text) {
    return text == NULL ? NULL : gp_arena_strndup(arena, text, strlen(text));
}

/* ---- metrics */

gp_status gp_study_add_metric(gp_arena *arena, gp_study *study, const char *path, const char *goal,
                              const char **ret_nearest) {
    gp_report_kind kind = GP_REPORT_REAL;
    gp_dim dim = GP_DIM_NONE;
    const bool holds = gp_str_equal(path, GP_STUDY_HOLDS);
    static const gp_report_struct *const root[] = {&gp_report_type};
    gp_status st = holds ? GP_OK : gp_report_path_check(&gp_report_type, path, &kind, &dim, NULL);
    if (st == GP_ERR_NOT_FOUND)
        *ret_nearest = gp_report_hint_of(arena, path, root, 1).nearest;
    if (st != GP_OK)
        return st;
    dim = holds ? GP_DIM_FRACTION : dim;
    for (size_t i = 0; i < study->metrics.count; i++) {
        gp_study_metric *metric = &study->metrics.items[i];
        if (gp_str_equal(metric->path, path)) {
            metric->goal = goal != NULL ? goal : metric->goal;
            return GP_OK;
        }
    }
    if (study->metrics.count == GP_STUDY_METRICS_MAX)
        return GP_ERR_LIMIT;
    if (study->metrics.items == NULL)
        study->metrics.items = GP_NEW_ARRAY(arena, gp_study_metric, GP_STUDY_METRICS_MAX);
    GP_NEXT(study->metrics) =
        (gp_study_metric){.path = path,
                          .goal = goal,
                          .unit = gp_dim_base_unit(dim),
                          .dim = dim,
                          .word = kind == GP_REPORT_STRING || kind == GP_REPORT_BOOL};
    return GP_OK;
}

/* ---- points */

/* With the digits that are written: parts that are read back have the front of the whole. */
static double as_written(double value) {
    return isfinite(value) ? gp_json_written(value) : GP_REPORT_NO_REAL;
}

/* With an error of `normal` deviations to the worse. */
static bool is_met(const gp_report_goal *goal, double normal) {
    const double factor = gp_num_exp(goal->deviation * normal);
    if (!(goal->deviation > 0))
        return goal->ok;
    return goal->lower_is_better ? goal->expected * factor <= goal->target
                                 : goal->expected >= goal->target * factor;
}

/* Points share their draws, so that what differs between them is the plan. */
static double holds_of(const gp_study *study, const gp_report *report) {
    gp_random random;
    int64_t held = 0;
    gp_random_init(&random, (uint64_t)study->seed, UINT64_MAX);
    for (int64_t n = 0; n < study->draws; n++) {
        bool all = true;
        for (size_t i = 0; i < report->workloads.count; i++) {
            const gp_report_workload *w = &report->workloads.items[i];
            const double normal = gp_random_normal(&random);
            for (size_t k = 0; k < w->goals.count; k++) {
                if (!isfinite(w->goals.items[k].expected))
                    return GP_REPORT_NO_REAL;
                all = all && is_met(&w->goals.items[k], normal);
            }
        }
        held += all ? 1 : 0;
    }
    return as_written((double)held / (double)study->draws);
}

static gp_study_figure figure_of(gp_arena *arena, const gp_report *report, const char *path) {
    gp_study_figure figure = {.value = GP_REPORT_NO_REAL};
    gp_report_value value;
    /* What is left of a plan that does not hold would look like a saving. */
    if (!report->summary.feasible)
        return figure;
    if (gp_report_find(&gp_report_type, report, path, &value, NULL) != GP_OK || value.absent)
        return figure;
    switch (value.kind) {
    case GP_REPORT_COUNT: figure.value = as_written((double)value.count); break;
    case GP_REPORT_REAL:
    case GP_REPORT_EXACT: figure.value = as_written(value.real); break;
    case GP_REPORT_BOOL: figure.text = value.flag ? "true" : "false"; break;
    case GP_REPORT_STRING: figure.text = copied(arena, value.text); break;
    case GP_REPORT_BAND:
    case GP_REPORT_STRUCT:
    case GP_REPORT_OPTIONAL:
    case GP_REPORT_LIST: break;
    }
    return figure;
}

void gp_study_fill(gp_arena *arena, const gp_study *study, const gp_report *report,
                   gp_study_point *point) {
    const size_t workloads = report->workloads.count;
    point->figures.items = GP_NEW_ARRAY(arena, gp_study_figure, study->metrics.count + 1);
    point->verdicts.items = GP_NEW_ARRAY(arena, gp_study_verdict, workloads + 1);
    point->feasible = report->summary.feasible;
    for (size_t i = 0; i < study->metrics.count; i++)
        GP_NEXT(point->figures) =
            gp_str_equal(study->metrics.items[i].path, GP_STUDY_HOLDS)
                ? (gp_study_figure){.value = point->feasible ? holds_of(study, report)
                                                             : GP_REPORT_NO_REAL}
                : figure_of(arena, report, study->metrics.items[i].path);
    for (size_t i = 0; i < workloads; i++) {
        const gp_report_workload *w = &report->workloads.items[i];
        GP_NEXT(point->verdicts) =
            (gp_study_verdict){copied(arena, w->name), copied(arena, w->recommendation.scale)};
    }
}

/* ---- the front */

/* Below 0: `a` is better in the metric; compared to nine digits, as the planner does. */
static int better(const gp_study_metric *metric, double a, double b) {
    const int order = gp_num_compare9(a, b);
    return gp_str_equal(metric->goal, "max") ? -order : order;
}

/* Below 0: no goal is worse at `a` and one is better; above 0 the reverse; *ret_same: all alike. */
static int compare(const gp_study *study, const double *a, const double *b, bool *ret_same) {
    bool wins = false;
    bool loses = false;
    for (size_t i = 0; i < study->metrics.count; i++) {
        const gp_study_metric *metric = &study->metrics.items[i];
        const int order = metric->goal == NULL ? 0 : better(metric, a[i], b[i]);
        wins = wins || order < 0;
        loses = loses || order > 0;
    }
    *ret_same = !wins && !loses;
    return wins == loses ? 0 : wins ? -1 : 1;
}

/* A point without one of the figures is no candidate. */
static bool candidate_row(const gp_study *study, const gp_study_point *point, double *row) {
    bool any = false;
    if (!point->feasible || point->refused != NULL || point->figures.count != study->metrics.count)
        return false;
    for (size_t i = 0; i < study->metrics.count; i++) {
        const bool goal = study->metrics.items[i].goal != NULL;
        row[i] = point->figures.items[i].value;
        any = any || goal;
        if (goal && !isfinite(row[i]))
            return false;
    }
    return any;
}

static bool stands(const gp_study *study, const gp_study_point *point) {
    double row[GP_STUDY_METRICS_MAX];
    bool same = false;
    bool stands = candidate_row(study, point, row);
    for (size_t i = 0; stands && i < study->front_count; i++)
        stands = compare(study, &study->front[i * study->metrics.count], row, &same) >= 0;
    return stands;
}

typedef struct front_room {
    gp_arena *arena;
    size_t rows;
} front_room;

/* What the row beats goes; it stays where nothing beats it and it is not there yet. */
static void add_row(gp_study *study, front_room *room, const double *row) {
    const size_t width = study->metrics.count;
    size_t kept = 0;
    for (size_t i = 0; i < study->front_count; i++) {
        double *other = &study->front[i * width];
        bool same = false;
        const int order = compare(study, other, row, &same);
        if (order < 0 || same)
            return; /* what beats one row of a front beats none that it beats */
        if (order == 0)
            memmove(&study->front[kept++ * width], other, width * sizeof *row);
    }
    study->front = gp_arena_grow(room->arena, study->front, kept, &room->rows, width * sizeof *row);
    memcpy(&study->front[kept * width], row, width * sizeof *row);
    study->front_count = kept + 1;
}

/* ---- one point after the other */

gp_status gp_study_rewind(const gp_study *study) {
    return study->source.rewind(study->source.of);
}

gp_status gp_study_next(const gp_study *study, gp_arena *arena, gp_study_point *ret,
                        bool *ret_more) {
    gp_status st = study->source.next(study->source.of, arena, ret, ret_more);
    if (st == GP_OK && *ret_more)
        ret->on_front = stands(study, ret);
    return st;
}

typedef struct surveying {
    gp_study *study;
    gp_arena *scratch;
    front_room room;
} surveying;

static gp_status survey_points(void *context) {
    surveying *s = context;
    gp_study *study = s->study;
    gp_status st = gp_study_rewind(study);
    for (bool more = true; st == GP_OK;) {
        gp_study_point point;
        double row[GP_STUDY_METRICS_MAX];
        const gp_arena_mark mark = gp_arena_set_mark(s->scratch);
        st = study->source.next(study->source.of, s->scratch, &point, &more);
        if (st != GP_OK || !more)
            break;
        study->done++;
        study->feasible += point.feasible ? 1 : 0;
        study->refused += point.refused != NULL ? 1 : 0;
        if (candidate_row(study, &point, row))
            add_row(study, &s->room, row);
        gp_arena_release(s->scratch, mark);
    }
    return st;
}

gp_status gp_study_survey(gp_arena *arena, gp_study *study) {
    surveying s = {study, gp_arena_beside(arena, SCRATCH_BYTES), {.arena = arena}};
    study->done = study->feasible = study->refused = 0;
    study->front_count = 0;
    gp_status st = gp_arena_guard(arena, survey_points, &s);
    gp_arena_free(s.scratch);
    return st;
}

gp_status gp_study_gather(gp_arena *arena, const gp_study *study, gp_study *ret,
                          int64_t *ret_front) {
    const bool all = study->done <= GP_STUDY_SHOWN_MAX || gp_str_equal(study->kind, "vary");
    size_t room = 0;
    bool more = true;
    gp_status st = gp_study_rewind(study);
    *ret = *study;
    *ret_front = 0;
    ret->points.items = NULL;
    ret->points.count = 0;
    while (st == GP_OK && more) {
        const gp_arena_mark mark = gp_arena_set_mark(arena);
        gp_study_point point;
        st = gp_study_next(study, arena, &point, &more);
        *ret_front += st == GP_OK && more && point.on_front ? 1 : 0;
        if (st != GP_OK || !more)
            break;
        if (!all && (!point.on_front || *ret_front > GP_STUDY_SHOWN_MAX)) {
            gp_arena_release(arena, mark);
            continue;
        }
        ret->points.items =
            gp_arena_grow(arena, ret->points.items, ret->points.count, &room, sizeof point);
        GP_NEXT(ret->points) = point;
    }
    return st;
}

/* ---- parts of one study */

static bool same_axes(const gp_study *a, const gp_study *b) {
    bool same = a->axes.count == b->axes.count;
    for (size_t i = 0; same && i < a->axes.count; i++) {
        const gp_study_axis *left = &a->axes.items[i];
        const gp_study_axis *right = &b->axes.items[i];
        same = gp_str_equal(left->path, right->path) && left->values.count == right->values.count;
        for (size_t k = 0; same && k < left->values.count; k++)
            same = gp_str_equal(left->values.items[k], right->values.items[k]);
    }
    return same;
}

static bool same_metrics(const gp_study *a, const gp_study *b) {
    bool same = a->metrics.count == b->metrics.count;
    for (size_t i = 0; same && i < a->metrics.count; i++)
        same = gp_str_equal(a->metrics.items[i].path, b->metrics.items[i].path) &&
               (a->metrics.items[i].goal == b->metrics.items[i].goal ||
                gp_str_equal(a->metrics.items[i].goal, b->metrics.items[i].goal));
    return same;
}

const char *gp_study_difference(const gp_study *a, const gp_study *b) {
    const bool same_fraction =
        !isfinite(a->vary_fraction) || gp_num_compare9(a->vary_fraction, b->vary_fraction) == 0;
    const struct {
        bool same;
        const char *what;
    } parts[] = {
        {gp_str_equal(a->tool_version, b->tool_version), "versions of gpuplan"},
        {gp_str_equal(a->spec_sha256, b->spec_sha256), "specs"},
        {gp_str_equal(a->catalog_sha256, b->catalog_sha256), "catalogues"},
        {gp_str_equal(a->plan, b->plan), "plans"},
        {gp_str_equal(a->kind, b->kind) && same_fraction && a->seed == b->seed &&
             a->draws == b->draws,
         "kinds of study"},
        {a->point_count == b->point_count && same_axes(a, b), "values that were set"},
        {same_metrics(a, b), "metrics"},
    };
    for (size_t i = 0; i < GP_COUNT_OF(parts); i++)
        if (!parts[i].same)
            return parts[i].what;
    return NULL;
}

/* ---- swings */

static double change_of(const gp_study_point *base, const gp_study_point *point, size_t metric) {
    if (point == NULL || point->refused != NULL || !point->feasible ||
        metric >= point->figures.count || !(fabs(base->figures.items[metric].value) > 0))
        return GP_REPORT_NO_REAL;
    return point->figures.items[metric].value / base->figures.items[metric].value - 1;
}

static bool same_verdicts(const gp_study_point *a, const gp_study_point *b) {
    bool same = a->verdicts.count == b->verdicts.count;
    for (size_t i = 0; same && i < a->verdicts.count; i++)
        same = gp_str_equal(a->verdicts.items[i].scale, b->verdicts.items[i].scale);
    return same;
}

static double size_of(double change) {
    return isfinite(change) ? fabs(change) : 0;
}

static int by_most(const void *a, const void *b, const void *context) {
    const gp_study_swing *left = a;
    const gp_study_swing *right = b;
    (void)context;
    const int order = gp_num_compare9(right->most, left->most);
    if (order != 0)
        return order;
    return (int)right->changes_verdict - (int)left->changes_verdict;
}

/* Points of kind vary come in pairs, lower and higher, behind the plan as it is; a part of a study
 * may have one of a pair. */
void gp_study_swings_of(gp_arena *arena, const gp_study *study, size_t metric,
                        gp_study_swings *ret_swings) {
    const gp_study_point *points = study->points.items;
    *ret_swings =
        (gp_study_swings){.items = GP_NEW_ARRAY(arena, gp_study_swing, study->points.count + 1)};
    if (study->points.count == 0 || points[0].sets.count != 0 || points[0].refused != NULL ||
        metric >= study->metrics.count)
        return;
    for (size_t i = 1; i + 1 < study->points.count; i++) {
        const gp_study_point *low = &points[i];
        const gp_study_point *high = &points[i + 1];
        if (low->sets.count != 1 || high->sets.count != 1 || low->number + 1 != high->number ||
            !gp_str_equal(low->sets.items[0].path, high->sets.items[0].path))
            continue;
        gp_study_swing *swing = &GP_NEXT(*ret_swings);
        *swing = (gp_study_swing){
            .path = low->sets.items[0].path,
            .was = low->sets.items[0].was,
            .low = low,
            .high = high,
            .low_change = change_of(&points[0], low, metric),
            .high_change = change_of(&points[0], high, metric),
            .changes_verdict = (low->refused == NULL && !same_verdicts(&points[0], low)) ||
                               (high->refused == NULL && !same_verdicts(&points[0], high)),
        };
        swing->most = gp_num_max(size_of(swing->low_change), size_of(swing->high_change));
        i++;
    }
    gp_sort(arena, ret_swings->items, ret_swings->count, sizeof *ret_swings->items, by_most, NULL);
}
