/* Machines as they were found in a file, and the pools that they become. */
#ifndef GP_IMPORT_POOLS_H
#define GP_IMPORT_POOLS_H

#include "base/buf.h"
#include "import/import.h"

typedef struct gp_found_pool {
    const char *gpu;     /* as the file names it */
    int64_t gpus;        /* of one machine */
    int64_t count;       /* machines */
    double gpu_bytes;    /* memory of one GPU; 0: not told */
    double memory_bytes; /* of the host; 0: not told */
    int64_t sockets, cores;
    gp_span span; /* where the file tells of it */
} gp_found_pool;

typedef struct gp_found {
    gp_arena *arena;
    gp_catalog *catalog;
    const gp_import_pool_options *options;
    gp_diags *diags;
    const char *file;
    gp_found_pool *pools;
    size_t count, cap;
    const char **notes;
    size_t note_count, note_cap;
} gp_found;

/* Adds machines; those that are alike become one pool. */
void gp_found_add(gp_found *found, const gp_found_pool *pool);
void gp_found_note(gp_found *found, const char *note);
/* The pools as YAML, with the GPUs by their ids in the catalogue. */
gp_status gp_found_finish(gp_found *found, gp_import_pools *ret_pools);

/* ---- slurm_jobs.c */
/* The workloads of a table of sacct. */
gp_status gp_import_jobs_read(gp_found *found, const gp_text *text, gp_import_pools *ret_pools);

#endif
