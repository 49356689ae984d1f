/*
 * What other tools write about runs: benchmarks of collectives and of serving, logs of training,
 * samples of power, job accounts. A reading becomes a row in the columns that runs have
 * (gpuplan/fit.h); what a log does not say of the configuration comes from the caller.
 */
#ifndef GP_IMPORT_READINGS_H
#define GP_IMPORT_READINGS_H

#include <gpuplan/arena.h>
#include <gpuplan/diag.h>

/* Names of the forms that are read, NULL-terminated: "nccl-tests", "vllm", ... */
extern const char *const gp_reading_forms[];

typedef struct gp_reading_set {
    const char *key, *value; /* a column of the rows and what stands in it */
} gp_reading_set;

typedef struct gp_reading_options {
    const char *form; /* of gp_reading_forms; NULL: told by the text */
    const gp_reading_set *sets;
    size_t set_count;
} gp_reading_options;

/*
 * Reads logs of one kind of run into a table of runs as CSV, one row per measurement. What is
 * missing in a log (a blank, N/A) is left out, never zero. A text in no form or version that is
 * known, a key that is no column of the rows, and a figure that needs a key which is not set are
 * errors at their place (GP_ERR_INPUT). The first step of a training log, which holds start-up, is
 * left out where more follow.
 */
gp_status gp_readings_read(gp_arena *arena, const gp_text *const *texts, size_t text_count,
                           const gp_reading_options *options, gp_diags *diags, const char **ret_csv,
                           size_t *ret_len);

#endif
