/* Accounts of jobs as Slurm's `sacct -X --parsable2` prints them. */
#ifndef GP_IMPORT_SACCT_H
#define GP_IMPORT_SACCT_H

#include <gpuplan/arena.h>
#include <gpuplan/diag.h>

/* One allocation that held GPUs. Texts are never NULL. */
typedef struct gp_sacct_job {
    const char *id, *name, *state; /* state: its first word, "CANCELLED" */
    const char *gpu;               /* type of its GPUs; "" where none or several are told */
    int64_t gpus, nodes;
    double elapsed_s;                /* above 0 */
    double submit_s, start_s, end_s; /* of the cluster's clock; negative: not told */
    gp_span span;
} gp_sacct_job;

typedef struct gp_sacct {
    const gp_sacct_job *jobs;
    size_t count;
    size_t waiting; /* rows left out: nothing ran yet */
    bool has_times; /* columns Start and End are there */
} gp_sacct;

/* Whether a text begins with the header of such a table. */
bool gp_sacct_is(const gp_text *text);
/* Reads the table; columns are found by their names, JobID, State, ElapsedRaw, NNodes and AllocTRES
 * are needed. Steps of jobs (ids with a dot) are not counted again. Every row that cannot be read
 * is an error at its place (GP_ERR_INPUT). */
gp_status gp_sacct_read(gp_arena *arena, const gp_text *text, gp_diags *diags, gp_sacct *ret_sacct);

#endif
