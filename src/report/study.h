/*
 * One plan sized many times over: every combination of some values, some drawn at random, or every
 * number of the spec a little lower and higher. A study keeps figures of each point, and which
 * points no other one beats in all that is to be small or large: the Pareto front. Points come one
 * after the other, so that a large study is never in memory as a whole; parts of a study that were
 * run apart come as one. Everything is owned by the arena it was made in.
 */
#ifndef GP_REPORT_STUDY_H
#define GP_REPORT_STUDY_H

#include <gpuplan/report.h>

enum {
    GP_STUDY_SHARD_MAX = 1000000, /* points that are run at once */
    GP_STUDY_SHOWN_MAX = 1000,    /* of a larger study, people are shown the front */
    GP_STUDY_AXES_MAX = 8,
    GP_STUDY_METRICS_MAX = 6
};

/* A path of the spec and its values, as --set writes them, or one range: "5..80", "1 s..5 s". */
typedef struct gp_study_axis {
    const char *path;
    GP_LIST(const char *) values;
} gp_study_axis;

/* In place of a path: the share of draws in which all goals of the plan are met. An estimate's
 * error is drawn once for each workload, from the law that its band is of; goals of a workload move
 * together, workloads by themselves. */
#define GP_STUDY_HOLDS "holds"

/* A figure that every point has: a path of the report. */
typedef struct gp_study_metric {
    const char *path;
    const char *goal; /* min | max: part of the front; NULL: only shown */
    const char *unit; /* base unit; "" for counts and words */
    gp_dim dim;       /* not written */
    bool word;        /* not written: its figures are texts */
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

/* Where points come from, ascending in number. What `next` fills lives in `arena`. */
typedef struct gp_study_source {
    gp_status (*rewind)(void *of);
    gp_status (*next)(void *of, gp_arena *arena, gp_study_point *ret, bool *ret_more);
    void *of;
} gp_study_source;

typedef struct gp_study {
    const char *schema_version, *tool_version;
    const char *kind; /* grid | random | latin | vary */
    const char *plan, *spec, *spec_sha256, *catalog_sha256, *currency;
    double vary_fraction;        /* vary: how far numbers go down and up */
    int64_t seed;                /* of what is drawn */
    int64_t draws;               /* of errors at each point, for GP_STUDY_HOLDS; 0: none */
    int64_t point_count;         /* of the whole study */
    GP_LIST(gp_study_axis) axes; /* of all kinds but vary */
    GP_LIST(gp_study_metric) metrics;
    GP_LIST(gp_study_point) points; /* ascending in number; those of this part */
    /* Not written. */
    gp_study_source source; /* of all points */
    int64_t done, feasible, refused;
    double *front; /* distinct rows of figures that no others beat; by metric */
    size_t front_count;
} gp_study;

extern const gp_report_struct gp_study_type, gp_study_point_type;

/* Adds a figure to those that points get. NOT_FOUND: no report has such a path, *ret_nearest (or
 * NULL) is near it. GP_ERR_LIMIT past GP_STUDY_METRICS_MAX. */
gp_status gp_study_add_metric(gp_arena *arena, gp_study *study, const char *path, const char *goal,
                              const char **ret_nearest);
/* What a report says at a point; texts are copied into the arena. */
void gp_study_fill(gp_arena *arena, const gp_study *study, const gp_report *report,
                   gp_study_point *point);

/* The value of an axis at a point of a grid, or as it is drawn: the same on every machine. What is
 * no range stays as it is. */
const char *gp_study_value(gp_arena *arena, const gp_study *study, size_t axis, int64_t number);
bool gp_study_is_range(const char *value);

/* Makes the study's own list the source of its points. */
void gp_study_from_list(gp_arena *arena, gp_study *study);
/* Goes over all points: counts them, and finds the front. Comes before the next three. */
gp_status gp_study_survey(gp_arena *arena, gp_study *study);
/* The first point comes next again. */
gp_status gp_study_rewind(const gp_study *study);
/* The next point, with its place on the front. */
gp_status gp_study_next(const gp_study *study, gp_arena *arena, gp_study_point *ret,
                        bool *ret_more);
/* `study` with its points in memory, or those of the front where there are more than people read;
 * *ret_front are on it in all. */
gp_status gp_study_gather(gp_arena *arena, const gp_study *study, gp_study *ret,
                          int64_t *ret_front);

/* Reads a study back, whole. GP_ERR_INPUT with diagnostics. */
gp_status gp_study_parse(gp_arena *arena, const gp_text *text, gp_diags *diags,
                         gp_study **ret_study);
/* The same of one point, as a line of a study in JSON. */
gp_status gp_study_parse_point(gp_arena *arena, const gp_text *text, gp_diags *diags,
                               gp_study_point *ret);
/* What two parts of one study must have in common and have not ("specs"); NULL: all of it. */
const char *gp_study_difference(const gp_study *a, const gp_study *b);

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
