/*
 * One plan sized many times over: every combination of some values, or every number of the spec a
 * little lower and higher. A study keeps figures of each point, and which points no other one beats
 * in all that is to be small or large: the Pareto front. Parts of a study that were run apart are
 * merged into the whole. Everything is owned by the arena it was made in.
 */
#ifndef GP_REPORT_STUDY_H
#define GP_REPORT_STUDY_H

#include <gpuplan/report.h>

enum { GP_STUDY_POINTS_MAX = 10000, GP_STUDY_AXES_MAX = 4, GP_STUDY_METRICS_MAX = 6 };

/* A path of the spec and its values, as --set writes them. */
typedef struct gp_study_axis {
    const char *path;
    GP_LIST(const char *) values;
} gp_study_axis;

/* A figure that every point has: a path of the report. */
typedef struct gp_study_metric {
    const char *path;
    const char *goal; /* min | max: part of the front; NULL: only shown */
    const char *unit; /* base unit; "" for counts and words */
    gp_dim dim;       /* not written */
} gp_study_metric;

typedef struct gp_study_set {
    const char *path, *value;
    const char *was; /* as the spec has it; NULL: not told */
} gp_study_set;

typedef struct gp_study_verdict {
    const char *workload, *scale;
} gp_study_verdict;

typedef struct gp_study_figure {
    double value;     /* a number in the metric's base unit; NaN: none */
    const char *text; /* a word; NULL: none */
} gp_study_figure;

typedef struct gp_study_point {
    int64_t number; /* from 1, over all parts of the study */
    GP_LIST(gp_study_set) sets;
    const char *refused; /* why there is no plan with these values; NULL: there is one */
    bool feasible;
    bool on_front;
    GP_LIST(gp_study_verdict) verdicts;
    GP_LIST(gp_study_figure) figures; /* one for each metric; none known where not feasible */
} gp_study_point;

typedef struct gp_study {
    const char *schema_version, *tool_version;
    const char *kind; /* grid | vary */
    const char *plan, *spec, *spec_sha256, *catalog_sha256, *currency;
    double vary_fraction;        /* vary: how far numbers go down and up */
    int64_t point_count;         /* of the whole study */
    GP_LIST(gp_study_axis) axes; /* grid */
    GP_LIST(gp_study_metric) metrics;
    GP_LIST(gp_study_point) points; /* ascending in number; those of this part */
} gp_study;

extern const gp_report_struct gp_study_type;

/* Adds a figure to those that points get. NOT_FOUND: no report has such a path, *ret_nearest (or
 * NULL) is near it. GP_ERR_LIMIT past GP_STUDY_METRICS_MAX. */
gp_status gp_study_add_metric(gp_arena *arena, gp_study *study, const char *path, const char *goal,
                              const char **ret_nearest);
/* What a report says at a point; texts are copied into the arena. */
void gp_study_fill(gp_arena *arena, const gp_study *study, const gp_report *report,
                   gp_study_point *point);
/* Marks the feasible points that no other feasible one equals in all goals and beats in one. */
void gp_study_mark_front(gp_study *study);

typedef GP_LIST(gp_study *) gp_study_list;

/* Reads a study back. GP_ERR_INPUT with diagnostics. */
gp_status gp_study_parse(gp_arena *arena, const gp_text *text, gp_diags *diags,
                         gp_study **ret_study);
/* The parts of one study together, in any order. GP_ERR_INPUT: *ret_problem says why they are not
 * parts of one, or what is there twice. */
gp_status gp_study_merge(gp_arena *arena, const gp_study_list *parts, gp_study **ret_study,
                         const char **ret_problem);

/* What a number does to a metric, in a study of kind vary. */
typedef struct gp_study_swing {
    const char *path, *was; /* as it stands in the spec */
    const gp_study_point *low, *high;
    double low_change, high_change; /* of the metric, as shares of today's; NaN: no figure */
    double most;                    /* the larger of both, without its sign; 0: moves nothing */
    bool changes_verdict;
} gp_study_swing;
typedef GP_LIST(gp_study_swing) gp_study_swings;

/* By `metric` (an index), the largest first; a study without the unchanged plan has none. */
void gp_study_swings_of(gp_arena *arena, const gp_study *study, size_t metric,
                        gp_study_swings *ret_swings);

#endif
