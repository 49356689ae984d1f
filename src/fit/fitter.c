/*
 * The catalogue's rows as the fit uses them: constants, efficiencies and stacks are copied, because
 * a refit moves them while the machines of all runs point at them.
 */
#include "fit/fitter.h"

#include <string.h>

#include "base/str.h"
#include "model/fields.h"

static gp_status copy_efficiencies(gp_fitter *fitter) {
    const void *const *rows = NULL;
    gp_status st =
        gp_catalog_rows(fitter->catalog, GP_CATALOG_EFFICIENCIES, &rows, &fitter->efficiency_count);
    if (st != GP_OK)
        return st;
    size_t count = fitter->efficiency_count;
    fitter->efficiencies = GP_NEW_ARRAY(fitter->arena, gp_efficiency, count > 0 ? count : 1);
    fitter->efficiency_rows =
        GP_NEW_ARRAY(fitter->arena, const gp_efficiency *, count > 0 ? count : 1);
    for (size_t i = 0; i < count; i++) {
        memcpy(&fitter->efficiencies[i], rows[i], sizeof *fitter->efficiencies);
        fitter->efficiency_rows[i] = &fitter->efficiencies[i];
    }
    return GP_OK;
}

static gp_status copy_powers(gp_fitter *fitter) {
    const void *const *rows = NULL;
    gp_status st = gp_catalog_rows(fitter->catalog, GP_CATALOG_POWERS, &rows, &fitter->power_count);
    size_t count = st == GP_OK ? fitter->power_count : 0;
    fitter->powers = GP_NEW_ARRAY(fitter->arena, gp_power_class, count + 1);
    fitter->power_rows = GP_NEW_ARRAY(fitter->arena, const gp_power_class *, count + 1);
    for (size_t i = 0; i < count; i++) {
        memcpy(&fitter->powers[i], rows[i], sizeof *fitter->powers);
        fitter->power_rows[i] = &fitter->powers[i];
    }
    return st;
}

static gp_status copy_stacks(gp_fitter *fitter) {
    const void *const *rows = NULL;
    gp_status st = gp_catalog_rows(fitter->catalog, GP_CATALOG_STACKS, &rows, &fitter->stack_count);
    if (st != GP_OK)
        return st;
    size_t count = fitter->stack_count;
    fitter->stacks = GP_NEW_ARRAY(fitter->arena, gp_stack, count > 0 ? count : 1);
    for (size_t i = 0; fitter->stacks != NULL && i < count; i++)
        memcpy(&fitter->stacks[i], rows[i], sizeof *fitter->stacks);
    return GP_OK;
}

gp_status gp_fitter_tune(gp_fitter *fitter, gp_tuning tuning) {
    const void *row = NULL;
    gp_status st = gp_catalog_find(fitter->catalog, GP_CATALOG_TUNINGS, gp_tuning_words[tuning],
                                   &row, NULL, NULL);
    if (st == GP_OK) {
        fitter->tuning = tuning;
        const gp_tuning_class *class = row;
        fitter->tuned_factor = class->factor;
        fitter->served_factor = class->serving_factor > 0 ? class->serving_factor : class->factor;
    }
    return st;
}

gp_status gp_fitter_init(gp_arena *arena, gp_catalog *catalog, gp_diags *diags,
                         gp_fitter *ret_fitter) {
    gp_fitter fitter = {.arena = arena,
                        .catalog = catalog,
                        .diags = diags,
                        .confidence = GP_CONFIDENCE_EXPECTED};
    const void *const *fits = NULL;
    gp_index_init(&fitter.models, arena);
    gp_index_init(&fitter.machines, arena);
    gp_status st = gp_constants_load(catalog, diags, &fitter.constants);
    if (st == GP_OK)
        st = gp_catalog_rows(catalog, GP_CATALOG_COLLECTIVES, &fits, &fitter.fit_count);
    if (st == GP_OK)
        st = copy_efficiencies(&fitter);
    if (st == GP_OK)
        st = copy_powers(&fitter);
    if (st == GP_OK)
        st = copy_stacks(&fitter);
    if (st == GP_OK)
        st = gp_fitter_tune(&fitter, GP_TUNING_TUNED);
    fitter.fits = (const gp_collective_fit *const *)fits;
    *ret_fitter = fitter;
    return st;
}

const char *gp_fit_remark(gp_arena *arena, const char *first, const char *second) {
    if (first == NULL || second == NULL)
        return first == NULL ? second : first;
    const char *both = gp_arena_printf(arena, "%s; %s", first, second);
    return both;
}
