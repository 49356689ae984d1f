/* Test support for estimators: see estimate_case.h. */
#include "support/estimate_case.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ARENA_BYTES = 256 << 20, LINE_BYTES = 4096, ROWS = 512 };

int estimate_case_open(void **state) {
    estimate_case *c = calloc(1, sizeof *c);
    if (c == NULL) {
        return -1;
    }
    c->arena = gp_arena_new(ARENA_BYTES);
    gp_diags_init(&c->diags, c->arena);
    gp_catalog_open(c->arena, &c->diags, &c->catalog);
    if (gp_constants_load(c->catalog, &c->diags, &c->constants) != GP_OK) {
        return -1;
    }
    c->network =
        (gp_network){.bytes_per_s = {50e9, 50e9, 50e9}, .unit_nodes = 32, .pod_nodes = 256};
    *state = c;
    return 0;
}

int estimate_case_close(void **state) {
    estimate_case *c = *state;
    gp_arena_free(c->arena);
    free(c);
    return 0;
}

gp_machine estimate_case_machine(estimate_case *c, const char *gpu, int64_t gpus) {
    const void *row = NULL;
    const void *const *fits = NULL;
    const void *const *efficiencies = NULL;
    const void *const *powers = NULL;
    gp_machine_rows rows = {0};
    gp_catalog *catalog = c->catalog;
    assert_int_equal(gp_catalog_find(catalog, GP_CATALOG_GPUS, gpu, &row, NULL, NULL), GP_OK);
    assert_int_equal(gp_catalog_rows(catalog, GP_CATALOG_COLLECTIVES, &fits, &rows.fit_count),
                     GP_OK);
    assert_int_equal(
        gp_catalog_rows(catalog, GP_CATALOG_EFFICIENCIES, &efficiencies, &rows.efficiency_count),
        GP_OK);
    assert_int_equal(gp_catalog_rows(catalog, GP_CATALOG_POWERS, &powers, &rows.power_count),
                     GP_OK);
    rows.fits = (const gp_collective_fit *const *)fits;
    rows.efficiencies = (const gp_efficiency *const *)efficiencies;
    rows.powers = (const gp_power_class *const *)powers;
    gp_system *system = GP_NEW(c->arena, gp_system);
    assert_non_null(system);
    system->gpu = *(const gp_gpu *)row;
    system->gpus = gpus;
    system->domain = gpus;
    gp_machine machine;
    gp_machine_derive(system, &rows, 1, &machine);
    size_t gpu_count = 0;
    const void *const *all = NULL;
    assert_int_equal(gp_catalog_rows(catalog, GP_CATALOG_GPUS, &all, &gpu_count), GP_OK);
    const gp_gpu_rates *rates = NULL;
    gp_gpu_rates_all(c->arena, (const gp_gpu *const *)all, gpu_count, &rows, &rates);
    gp_machine_order(c->arena, rates, gpu_count, &machine);
    return machine;
}

gp_shape estimate_case_shape(estimate_case *c, const char *model) {
    const void *row = NULL;
    gp_shape shape;
    assert_int_equal(gp_catalog_find(c->catalog, GP_CATALOG_MODELS, model, &row, NULL, NULL),
                     GP_OK);
    assert_int_equal(gp_shape_derive(row, &c->constants, NULL, &shape), GP_OK);
    return shape;
}

gp_serve_job estimate_case_serve_job(const gp_shape *shape) {
    return (gp_serve_job){.shape = shape,
                          .compute = GP_PRECISION_BF16,
                          .weights = GP_FORMAT_BF16,
                          .kv_cache = GP_FORMAT_BF16,
                          .input_tokens = 1000,
                          .output_tokens = 200,
                          .branches = 1,
                          .speed_factor = 1};
}

static size_t split(estimate_case *c, char *line, const char *cells[ESTIMATE_CASE_COLUMNS]) {
    size_t count = 0;
    char *cell = line;
    while (cell != NULL && count < ESTIMATE_CASE_COLUMNS) {
        char *comma = strchr(cell, ',');
        size_t len = comma != NULL ? (size_t)(comma - cell) : strcspn(cell, "\r\n");
        cells[count++] = gp_arena_strndup(c->arena, cell, len);
        cell = comma != NULL ? comma + 1 : NULL;
    }
    return count;
}

size_t estimate_case_table(estimate_case *c, const char *name,
                           const char *(**ret_rows)[ESTIMATE_CASE_COLUMNS]) {
    char path[LINE_BYTES];
    char line[LINE_BYTES];
    (void)snprintf(path, sizeof path, "tests/reference/%s", name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const char *(*rows)[ESTIMATE_CASE_COLUMNS] = gp_arena_alloc(c->arena, ROWS, sizeof *rows);
    assert_non_null(rows);
    size_t count = 0;
    while (count < ROWS && fgets(line, sizeof line, file) != NULL) {
        if (line[0] != '#' && split(c, line, rows[count]) > 1) {
            count++;
        }
    }
    (void)fclose(file);
    *ret_rows = rows;
    return count;
}

bool estimate_case_near(double value, double wanted, double fraction) {
    return fabs(value - wanted) <= fraction * fabs(wanted);
}

/* B(0) = 1, B(k) = a B / (k + a B); C = B / (1 - rho + rho B). */
double estimate_case_erlang_c(int64_t servers, double offered) {
    if (!(offered > 0))
        return 0;
    if (servers < 1 || offered >= (double)servers)
        return 1;
    double blocked = 1;
    for (int64_t k = 1; k <= servers; k++)
        blocked = offered * blocked / ((double)k + offered * blocked);
    double rho = offered / (double)servers;
    return blocked / (1 - rho + rho * blocked);
}
