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

/* In place of a path: the share of draws in which all goals of the plan are met. An estimate's
 * error is drawn once for each workload, from the law that its band is of; goals of a workload move
 * together, workloads by themselves. */
#define GP_STUDY_HOLDS "holds"

struct gp_study_point;

/* Where points come from, ascending in number. What `next` fills lives in `arena`. */
typedef struct gp_study_source {
    gp_status (*rewind)(void *of);
    gp_status (*next)(void *of, gp_arena *arena, struct gp_study_point *ret, bool *ret_more);
    void *of;
} gp_study_source;

#define GP_ROWS "report/study.def"
#include <gpuplan/rows.def>

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
