/*
 * Studies: figures of many reports of one plan, the points that no other one beats, and parts that
 * were run apart put together again.
 */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/sort.h"
#include "base/str.h"
#include "report/study.h"
#include "report/value.h"

static const char *copied(gp_arena *arena, const char *text) {
    return text == NULL ? NULL : gp_arena_strndup(arena, text, strlen(text));
}

/* ---- metrics */

gp_status gp_study_add_metric(gp_arena *arena, gp_study *study, const char *path, const char *goal,
                              const char **ret_nearest) {
    gp_report_kind kind = GP_REPORT_REAL;
    gp_dim dim = GP_DIM_NONE;
    gp_status st = gp_report_path_check(&gp_report_type, path, &kind, &dim, ret_nearest);
    if (st != GP_OK)
        return st;
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
    study->metrics.items[study->metrics.count++] =
        (gp_study_metric){.path = path, .goal = goal, .unit = gp_dim_base_unit(dim), .dim = dim};
    return GP_OK;
}

/* ---- points */

static gp_study_figure figure_of(gp_arena *arena, const gp_report *report, const char *path) {
    gp_study_figure figure = {.value = GP_REPORT_NO_REAL};
    gp_report_value value;
    /* What is left of a plan that does not hold would look like a saving. */
    if (!report->summary.feasible)
        return figure;
    if (gp_report_find(&gp_report_type, report, path, &value, NULL) != GP_OK || value.absent)
        return figure;
    switch (value.kind) {
    case GP_REPORT_COUNT: figure.value = (double)value.count; break;
    case GP_REPORT_REAL:
    case GP_REPORT_EXACT: figure.value = value.real; break;
    case GP_REPORT_BOOL: figure.text = value.flag ? "true" : "false"; break;
    case GP_REPORT_STRING: figure.text = copied(arena, value.text); break;
    case GP_REPORT_BAND:
    case GP_REPORT_STRUCT:
    case GP_REPORT_OPTIONAL:
    case GP_REPORT_LIST:
    case GP_REPORT_MAP: break;
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
        point->figures.items[point->figures.count++] =
            figure_of(arena, report, study->metrics.items[i].path);
    for (size_t i = 0; i < workloads; i++) {
        const gp_report_workload *w = &report->workloads.items[i];
        point->verdicts.items[point->verdicts.count++] =
            (gp_study_verdict){copied(arena, w->name), copied(arena, w->recommendation.scale)};
    }
}

/* ---- the front */

/* Below 0: `a` is better in the metric; compared to nine digits, as the planner does. */
static int better(const gp_study_metric *metric, const gp_study_figure *a,
                  const gp_study_figure *b) {
    const int order = gp_num_compare9(a->value, b->value);
    return gp_str_equal(metric->goal, "max") ? -order : order;
}

static bool dominates(const gp_study *study, const gp_study_point *a, const gp_study_point *b) {
    bool beats = false;
    for (size_t i = 0; i < study->metrics.count; i++) {
        const gp_study_metric *metric = &study->metrics.items[i];
        if (metric->goal == NULL)
            continue;
        const int order = better(metric, &a->figures.items[i], &b->figures.items[i]);
        if (order > 0)
            return false;
        beats = beats || order < 0;
    }
    return beats;
}

/* A point without one of the figures is no candidate. */
static bool is_candidate(const gp_study *study, const gp_study_point *point) {
    bool any = false;
    if (!point->feasible || point->refused != NULL || point->figures.count != study->metrics.count)
        return false;
    for (size_t i = 0; i < study->metrics.count; i++) {
        if (study->metrics.items[i].goal == NULL)
            continue;
        any = true;
        if (!isfinite(point->figures.items[i].value))
            return false;
    }
    return any;
}

static bool stands(const gp_study *study, const gp_study_point *point) {
    if (!is_candidate(study, point))
        return false;
    for (size_t i = 0; i < study->points.count; i++) {
        const gp_study_point *other = &study->points.items[i];
        if (is_candidate(study, other) && dominates(study, other, point))
            return false;
    }
    return true;
}

void gp_study_mark_front(gp_study *study) {
    for (size_t i = 0; i < study->points.count; i++)
        study->points.items[i].on_front = stands(study, &study->points.items[i]);
}

/* ---- merging */

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

/* What two parts of one study must have in common; NULL: all of it is. */
static const char *difference(const gp_study *a, const gp_study *b) {
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
        {gp_str_equal(a->kind, b->kind) && same_fraction, "kinds of study"},
        {a->point_count == b->point_count && same_axes(a, b), "values that were set"},
        {same_metrics(a, b), "metrics"},
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!parts[i].same)
            return parts[i].what;
    return NULL;
}

static int by_number(const void *a, const void *b, const void *context) {
    const gp_study_point *left = a;
    const gp_study_point *right = b;
    (void)context;
    return left->number < right->number ? -1 : left->number > right->number ? 1 : 0;
}

static const char *twice(gp_arena *arena, const gp_study *study) {
    for (size_t i = 1; i < study->points.count; i++)
        if (study->points.items[i].number == study->points.items[i - 1].number)
            return gp_arena_printf(arena, "point %lld is in more than one of them",
                                   (long long)study->points.items[i].number);
    return NULL;
}

gp_status gp_study_merge(gp_arena *arena, const gp_study_list *parts, gp_study **ret_study,
                         const char **ret_problem) {
    gp_study *study = GP_NEW(arena, gp_study);
    size_t count = 0;
    *ret_problem = NULL;
    for (size_t i = 0; i < parts->count; i++) {
        const char *what = difference(parts->items[0], parts->items[i]);
        if (what != NULL) {
            *ret_problem = gp_arena_printf(arena, "they are of different %s", what);
            return GP_ERR_INPUT;
        }
        count += parts->items[i]->points.count;
    }
    *study = *parts->items[0];
    study->points.count = 0;
    study->points.items = GP_NEW_ARRAY(arena, gp_study_point, count + 1);
    for (size_t i = 0; i < parts->count; i++) {
        const size_t more = parts->items[i]->points.count;
        if (more > 0)
            memcpy(&study->points.items[study->points.count], parts->items[i]->points.items,
                   more * sizeof *study->points.items);
        study->points.count += more;
    }
    gp_sort(arena, study->points.items, count, sizeof *study->points.items, by_number, NULL);
    gp_status st = GP_OK;
    *ret_problem = twice(arena, study);
    gp_study_mark_front(study);
    *ret_study = study;
    return *ret_problem != NULL ? GP_ERR_INPUT : st;
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
        gp_study_swing *swing = &ret_swings->items[ret_swings->count++];
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
