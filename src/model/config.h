/*
 * The settings of a project (.gpuplan.yaml, kind: Config) and of a user. A project names its
 * inputs and thresholds, which enter results, and how things are shown; a user's file has a say in
 * the latter alone.
 */
#ifndef GP_MODEL_CONFIG_H
#define GP_MODEL_CONFIG_H

#include "model/model.h"

typedef enum gp_config_scope {
    GP_CONFIG_PROJECT,
    GP_CONFIG_USER /* keys that change results are errors */
} gp_config_scope;

/* Words are 1 + the index of their choice, and 0 where the key is absent. */
typedef struct gp_config {
    gp_meta meta;
    const char *api_version;
    const char *kind;
    gp_metadata metadata;
    GP_LIST(const char *) specs; /* patterns of paths below the file's folder */
    GP_LIST(const char *) policies;
    GP_LIST(const char *) catalogs;
    GP_LIST(const char *) prices;
    GP_LIST(const char *) calibration;
    const char *lock; /* path, or NULL */
    int fail_on;      /* note, warning, error */
    int64_t now;      /* yyyymmdd, or 0 */
    int color;        /* auto, always, never */
    int64_t width;    /* columns, or 0 */
    int detail;       /* answer, normal, all */
} gp_config;

typedef GP_LIST(const char *) gp_config_paths;

/* Reads the one document of `text`. GP_ERR_INPUT with diagnostics where something is wrong. */
gp_status gp_config_read(gp_arena *arena, const gp_text *text, gp_config_scope scope,
                         gp_diags *diags, gp_config **ret_config);
/* Those of `paths` (relative to the folder of the file, with '/') that a pattern of config->specs
 * matches, in the order given. A pattern that matches none is a warning; GP_ERR_INPUT, and an
 * error, where none does. */
gp_status gp_config_select(gp_arena *arena, const gp_config *config, const gp_config_paths *paths,
                           gp_diags *diags, gp_config_paths *ret_paths);

#endif
