/*
 * What changed between two reports of one plan, and why. Figures come from the reports; the causes
 * are found by the caller, who can plan again, and are told with the effect each has by itself.
 */
#ifndef GP_REPORT_DIFF_H
#define GP_REPORT_DIFF_H

#include <gpuplan/report.h>

struct gp_policy;

#define GP_ROWS "report/diff.def"
#include <gpuplan/rows.def>

typedef GP_LIST(gp_diff *) gp_diff_list;

/* A cause of which nothing but these is known. */
gp_diff_cause gp_diff_cause_new(const char *kind, const char *path, const char *base,
                                const char *head);

/* To as many digits as a report has: a figure that only differs beyond them is the same. */
bool gp_diff_is_same(double a, double b, gp_dim dim);

/* Compares two reports of one plan; one of them may be NULL (the plan came or went). Causes that
 * the reports themselves tell (other catalogue, prices, calibration, tool, flags) are in. */
void gp_diff_of(gp_arena *arena, const gp_report *base, const gp_report *head, gp_diff **ret_diff);

/* What `check` says of both sides (NULL: not known, or no such plan), and from which level on each
 * fails: verdicts, and the findings that came or went between them. */
void gp_diff_check(gp_arena *arena, gp_diff *diff, const gp_report *base, gp_level base_level,
                   const gp_report *head, gp_level head_level);
/* Whether `check` of the newer side says no. */
bool gp_diff_fails(const gp_diff *diff);

/* Holds the change against the rules of policies that speak of "diff.METRIC". A limit in per cent
 * is held against the change as a share of the base, another one against the difference. */
gp_status gp_diff_judge(gp_arena *arena, gp_diff *diff, const gp_report *base,
                        const gp_report *head, const struct gp_policy *const *policies,
                        size_t count, gp_diags *diags);

#endif
