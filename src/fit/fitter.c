/*
 * The catalogue's rows as the fit uses them: constants, efficiencies and stacks are copied, because
 * a refit moves them while the machines of all runs point at them.
 */
#include "fit/fitter.h"

#include <string.h>

#include "model/fields.h"

const void *const *gp_fit_rows_of(gp_catalog *catalog, gp_catalog_kind kind, size_t *ret_count) {
    const void *const *rows = NULL;
    (void)gp_catalog_rows(catalog, kind, &rows, ret_count);
    return rows;
}

/* The rows of a kind, copied behind each other. */
static void *copy_rows(gp_fitter *fitter, gp_catalog_kind kind, size_t size, size_t *ret_count) {
    const void *const *rows = gp_fit_rows_of(fitter->catalog, kind, ret_count);
    char *items = gp_arena_alloc(fitter->arena, *ret_count + 1, size);
    for (size_t i = 0; i < *ret_count; i++)
        memcpy(items + i * size, rows[i], size);
    return items;
}

static void copy_all(gp_fitter *f) {
    f->efficiencies =
        copy_rows(f, GP_CATALOG_EFFICIENCIES, sizeof *f->efficiencies, &f->efficiency_count);
    f->powers = copy_rows(f, GP_CATALOG_POWERS, sizeof *f->powers, &f->power_count);
    f->stacks = copy_rows(f, GP_CATALOG_STACKS, sizeof *f->stacks, &f->stack_count);
    f->efficiency_rows = GP_NEW_ARRAY(f->arena, const gp_efficiency *, f->efficiency_count + 1);
    f->power_rows = GP_NEW_ARRAY(f->arena, const gp_power_class *, f->power_count + 1);
    for (size_t i = 0; i < f->efficiency_count; i++)
        f->efficiency_rows[i] = &f->efficiencies[i];
    for (size_t i = 0; i < f->power_count; i++)
        f->power_rows[i] = &f->powers[i];
}

void gp_fitter_tune(gp_fitter *fitter, gp_tuning tuning) {
    const void *row = NULL;
    (void)gp_catalog_find(fitter->catalog, GP_CATALOG_TUNINGS, gp_tuning_words[tuning], &row, NULL,
                          NULL);
    const gp_tuning_class *class = row;
    fitter->tuning = tuning;
    fitter->tuned_factor = class->factor;
    fitter->served_factor = class->serving_factor > 0 ? class->serving_factor : class->factor;
}

gp_status gp_fitter_init(gp_arena *arena, gp_catalog *catalog, gp_diags *diags,
                         gp_fitter *ret_fitter) {
    gp_fitter fitter = {
        .arena = arena, .catalog = catalog, .diags = diags, .confidence = GP_CONFIDENCE_EXPECTED};
    gp_index_init(&fitter.models, arena);
    gp_index_init(&fitter.machines, arena);
    gp_status st = gp_catalog_load_all(catalog);
    if (st == GP_OK)
        st = gp_constants_load(catalog, diags, &fitter.constants);
    if (st != GP_OK)
        return st;
    fitter.fits = (const gp_collective_fit *const *)gp_fit_rows_of(catalog, GP_CATALOG_COLLECTIVES,
                                                                   &fitter.fit_count);
    copy_all(&fitter);
    gp_fitter_tune(&fitter, GP_TUNING_TUNED);
    *ret_fitter = fitter;
    return GP_OK;
}

const char *gp_fit_remark(gp_arena *arena, const char *first, const char *second) {
    if (first == NULL || second == NULL)
        return first == NULL ? second : first;
    return gp_arena_printf(arena, "%s; %s", first, second);
}
