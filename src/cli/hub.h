/*
 * Repositories of Hugging Face, or of a server in the same shape.
 */
#ifndef GP_CLI_HUB_H
#define GP_CLI_HUB_H

#include "cli/cli.h"
#include "model/lock.h"

enum { GP_HUB_FILES = 3 };

typedef struct gp_hub_model {
    const char *name;     /* "ORG/NAME" */
    const char *revision; /* commit; what was asked for where the server does not tell */
    const char *host;     /* "huggingface.co" */
    const gp_text *config, *quantization, *index;
    double checkpoint_bytes; /* of a checkpoint in one file; 0: not known */
    gp_lock_source sources[GP_HUB_FILES];
    size_t source_count;
} gp_hub_model;

/* Fetches what a model's shape needs. `name` is "ORG/NAME" or "ORG/NAME@REVISION". */
void gp_hub_fetch(gp_cli *cli, const char *name, gp_hub_model *ret_model);

#endif
