/* What makes reports, and what is made beside them: judgements, explanations, specs, sweeps. */
#ifndef GP_REPORT_PRODUCE_H
#define GP_REPORT_PRODUCE_H

#include <gpuplan/report.h>

struct gp_plan_result;

/* ---------------------------------------------------------------- building */

/* The report of `result`, findings, checks, assumptions and provenance included. `inputs` is
 * copied (its strings and lists are not). */
void gp_report_build(gp_arena *arena, const struct gp_plan_result *result,
                     const gp_report_inputs *inputs, gp_report **ret_report);
/* Summary, cost and performance alone, of a plan that may have been made brief. */
void gp_report_brief(gp_arena *arena, const struct gp_plan_result *result,
                     const gp_report_inputs *inputs, gp_report **ret_report);
/* Whether that has what a path names. */
bool gp_report_is_brief(const char *path);

/* ---------------------------------------------------------------- policies */

struct gp_policy;

/* Holds a report against policies: appends findings of their rules, gives findings other levels
 * (`off` takes them away), and marks those that are waived on the day `today` (yyyymmdd). The
 * figures stay as they are. GP_ERR_INPUT with diagnostics for every rule that makes no sense. */
gp_status gp_report_judge(gp_arena *arena, gp_report *report,
                          const struct gp_policy *const *policies, size_t count, int64_t today,
                          gp_diags *diags);

/* ---------------------------------------------------------------- explain */

typedef struct gp_explained_term {
    const char *name;
    double value;
    const char *unit;
    const char *formula;
    const char *source;
    GP_LIST(gp_report_source) inputs;
    gp_dim dim; /* not part of the JSON form */
} gp_explained_term;

typedef struct gp_explained_figure {
    const char *path; /* "performance.stepTimeS" */
    double value, low, high;
    const char *unit;
    const char *term;     /* the term it is or comes from, or NULL */
    const char *relation; /* how it comes from the term; NULL: it is the term */
    gp_dim dim;
} gp_explained_figure;

/* A number of the spec, the catalogue or the constants that moves a figure. */
typedef struct gp_explained_number {
    gp_report_source from;
    double effect; /* change of the first figure over that of the number */
    GP_LIST(const char *) figures; /* that it moves, the one that it moves most first */
    GP_LIST(const char *) terms;   /* that it enters by, likewise */
} gp_explained_number;

/* The metric that asks for the layouts that were tried. */
#define GP_EXPLAIN_LAYOUTS "layouts"

/* A layout that was tried on the chosen machines. */
typedef struct gp_explained_layout {
    const char *layout;
    const char *outcome; /* taken | undeclared | slower | more | memory | offload | rule | short */
    const char *why;     /* why it lost, in words */
    double step_s;       /* training: of one optimizer step */
    double worse_fraction; /* over the one taken, less 1: time per token of a training, what the
                               objective counts of a service; below 0: better */
    int64_t gpus, nodes;   /* services: that it would take */
    double short_bytes;    /* memory and offload: on each GPU */
    const char *rule;      /* rule: its id, */
    const char *source;    /* and where it is checked */
} gp_explained_layout;

typedef struct gp_explanation {
    const char *schema_version;
    const char *workload;
    const char *metric; /* NULL: the verdict and all terms */
    const char *scale;
    const char *reason;
    const char *layout;   /* of the chosen candidate */
    const char *currency; /* of amounts of money; not part of the JSON form */
    GP_LIST(gp_explained_figure) figures;
    GP_LIST(gp_explained_term) terms;     /* the figure's own first, then what it rests on */
    GP_LIST(gp_explained_number) numbers; /* beneath them; what moves the figure most first */
    const char *choice; /* how many layouts it was taken from, and the next best; NULL: no layout */
    GP_LIST(gp_explained_layout) layouts; /* of the metric "layouts": the one taken first */
    int64_t layouts_timed; /* with them: all that launch and fit, on every kind of machine */
} gp_explanation;

extern const gp_report_struct gp_explanation_type;

/* How a figure of a workload came about. `metric`: a path under the workload
 * ("performance.stepTimeS"), a term ("stepTime"), "layouts" for those that were tried (what
 * options->layouts_of of the plan asked for), or NULL for the verdict. The workload "site",
 * where none has that name, stands for the whole plan: paths under site ("power.itW", "leaf") or
 * under the report ("cost.capital", "growth"), a term, or NULL for all. GP_ERR_NOT_FOUND:
 * *ret_nearest is the nearest workload or metric, or NULL; *ret_unknown_workload says which. */
gp_status gp_report_explain(gp_arena *arena, const struct gp_plan_result *result,
                            const gp_report *report, const char *workload, const char *metric,
                            gp_explanation **ret_explanation, const char **ret_nearest,
                            bool *ret_unknown_workload);

/* ---------------------------------------------------------------- a plan as a spec */

/* The documents that the plan was made from, with its machines as the cluster and its layouts as
 * those declared. GP_ERR_INPUT with *ret_problem, in words, where a spec cannot say it: a workload
 * is infeasible, or runs on rented machines. */
gp_status gp_plan_declare(gp_arena *arena, const struct gp_plan_result *plan,
                          const char **ret_problem, const char **ret_text);

/* ---------------------------------------------------------------- sweeps */

/* One plan sized for several values of one path (--set PATH=a,b,c). */
typedef struct gp_sweep_row {
    const char *value;
    const gp_report *report;
} gp_sweep_row;

typedef struct gp_sweep {
    const char *path;
    GP_LIST(gp_sweep_row) rows;
} gp_sweep;

#endif
