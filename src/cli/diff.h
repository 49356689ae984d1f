/* One side of a comparison: specs that are planned, or reports as they are. */
#ifndef GP_CLI_DIFF_H
#define GP_CLI_DIFF_H

#include "cli/flow.h"
#include "report/diff.h"

typedef struct gp_side {
    gp_flow flow; /* of specs; empty for reports */
    bool is_spec;
    gp_report_list reports;
    gp_outcomes planned;    /* of specs: the plans that the reports tell of */
    gp_report_list checked; /* the same plans as declared, once judged; reports of size have none */
    gp_level level;         /* findings of those from here on fail */
    const char *alias;      /* a name that its only plan is known by as well; NULL: none */
} gp_side;

/* Reads a spec, a folder, git:REV:PATH, or a report. */
void gp_side_open(gp_cli *cli, const char *operand, gp_side *ret_side);
/* Plans specs; beside a report of `size` (NULL: nothing) with all that it tells of other plans. */
void gp_side_plan(gp_side *side, const gp_side *other);
/* Judges the plans of specs as `check` does. */
void gp_side_check(gp_side *side);
/* NULL: the side has no such plan. */
const gp_report *gp_side_report(const gp_side *side, const char *plan);
/* The plan as `check` judges it; NULL: not known. */
const gp_report *gp_side_checked(const gp_side *side, const char *plan);
/* The text with the plan; NULL where the side is a report. */
const gp_text *gp_side_text(const gp_side *side, const char *plan);

#endif
