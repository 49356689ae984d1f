/* Sizing the points of a study, on as many threads as there are cores. */
#ifndef GP_CLI_SWEEP_RUN_H
#define GP_CLI_SWEEP_RUN_H

#include "cli/flow.h"
#include "report/study.h"

typedef struct gp_sweep_job gp_sweep_job;
struct gp_sweep_job {
    gp_cli *cli;
    const gp_words *operands;
    gp_flow flow; /* opened; the first point completes it */
    gp_overrides fixed;
    gp_spec_numbers numbers; /* of --vary */
    gp_study *study;
    int64_t first, count; /* points of this part */
    bool described;
    bool brief;                 /* all that is kept is in a brief report */
    struct gp_sweep_kept *kept; /* what is kept of the points */
    /* Called once, with the report of the first plan: says what of it is kept. */
    void (*describe)(gp_sweep_job *job, const gp_report *report);
};

/* sweep.c: reads the flags and the spec, and says which points there are. */
void gp_sweep_prepare(gp_sweep_job *job);
/* Sizes all points of the part and makes them the source of the study. */
void gp_sweep_run(gp_sweep_job *job);
void gp_sweep_free(gp_sweep_job *job);

/* export_sweep.c: the parts of a sweep as jobs of a scheduler. */
void gp_export_sweep_run(gp_cli *cli, const gp_export *kind);

#endif
