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
/* The same without provenance, which most forms do not tell. */
void gp_report_unsourced(gp_arena *arena, const struct gp_plan_result *result,
                         const gp_report_inputs *inputs, gp_report **ret_report);
/* Summary, cost and performance alone, of a plan that may have been made brief. */
void gp_report_brief(gp_arena *arena, const struct gp_plan_result *result,
                     const gp_report_inputs *inputs, gp_report **ret_report);
/* Errors of the input as findings, and nothing else: what they are about was not planned. */
void gp_report_of_errors(gp_arena *arena, const gp_diags *diags, const char *spec,
                         gp_report **ret_report);
/* Whether that has what a path names. */
bool gp_report_is_brief(const char *path);

/* ---------------------------------------------------------------- policies */

struct gp_policy;

/* Diagnostics for every rule, level and waiver that makes no sense with any report. */
void gp_policies_check(gp_arena *arena, const struct gp_policy *const *policies, size_t count,
                       gp_diags *diags);
/* Holds a report against policies: appends findings of their rules, gives findings other levels
 * (`off` takes them away), and marks those that are waived on the day `today` (yyyymmdd). The
 * figures stay as they are. GP_ERR_INPUT with diagnostics for every rule that makes no sense. */
gp_status gp_report_judge(gp_arena *arena, gp_report *report,
                          const struct gp_policy *const *policies, size_t count, int64_t today,
                          gp_diags *diags);

/* Appends the finding that prices have expired by `today` (yyyymmdd), for the policies to judge. */
void gp_report_expire(gp_arena *arena, gp_report *report, int64_t today);

/* ---------------------------------------------------------------- explain */

#define GP_ROWS "report/explain.def"
#include <gpuplan/rows.def>

/* The metric that asks for the layouts that were tried. */
#define GP_EXPLAIN_LAYOUTS "layouts"

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
