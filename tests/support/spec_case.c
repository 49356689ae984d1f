/* Test support: reads, resolves and plans a spec. */
#include "support/spec_case.h"

#include <stdio.h>
#include <string.h>

static const size_t arena_max = (size_t)512 << 20;

gp_plan_simulate spec_case_simulate = GP_PLAN_SIMULATE_QUICK;
bool spec_case_brief = false;

void spec_case_print(const spec_case *c) {
    for (size_t i = 0; i < c->diags.count; i++) {
        const char *text = NULL;
        if (gp_diag_format(c->arena, &c->diags.items[i], &text) == GP_OK)
            fprintf(stderr, "%s", text);
    }
}

gp_status spec_case_resolve(spec_case *c, const char *name, const char *text,
                            const gp_override *overrides, size_t override_count) {
    gp_text *source = NULL;
    gp_status st = gp_text_init(c->arena, name, text, strlen(text), &source);
    if (st == GP_OK && c->catalog == NULL)
        st = gp_catalog_open(c->arena, &c->diags, &c->catalog);
    if (st == GP_OK)
        st = gp_spec_read(c->arena, source, overrides, override_count, &c->diags, &c->spec);
    if (st == GP_OK && c->spec.plans.count <= c->plan)
        st = GP_ERR_INPUT;
    if (st == GP_OK)
        st = gp_spec_resolve(c->arena, c->catalog, &c->diags, c->spec.plans.items[c->plan]);
    return st;
}

gp_status spec_case_run(spec_case *c, const char *name, const char *text,
                        const gp_override *overrides, size_t override_count) {
    const gp_status st = spec_case_resolve(c, name, text, overrides, override_count);
    if (st != GP_OK)
        return st;
    const gp_plan_options options = {.simulate = spec_case_simulate,
                                     .declared_only = c->declared_only,
                                     .brief = spec_case_brief};
    return gp_plan_run(c->arena, c->catalog, c->spec.plans.items[c->plan],
                       (const gp_prices *const *)c->spec.prices.items, c->spec.prices.count,
                       &options, &c->diags, &c->result);
}

gp_status spec_case_plan(spec_case *ret, const char *name, const char *text,
                         const gp_override *overrides, size_t override_count) {
    *ret = (spec_case){.arena = gp_arena_new(arena_max)};
    if (ret->arena == NULL)
        return GP_ERR_NO_MEMORY;
    gp_diags_init(&ret->diags, ret->arena);
    const gp_status st = spec_case_run(ret, name, text, overrides, override_count);
    if (st != GP_OK)
        spec_case_print(ret);
    return st;
}

char *spec_case_read(gp_arena *arena, const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    char *text = NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        const long size = ftell(file);
        rewind(file);
        text = size >= 0 ? gp_arena_alloc(arena, 1, (size_t)size + 1) : NULL;
        if (text != NULL && fread(text, 1, (size_t)size, file) != (size_t)size)
            text = NULL;
    }
    fclose(file);
    return text;
}

gp_status spec_case_plan_file(spec_case *ret, const char *path, const gp_override *overrides,
                              size_t override_count) {
    *ret = (spec_case){.arena = gp_arena_new(arena_max)};
    if (ret->arena == NULL)
        return GP_ERR_NO_MEMORY;
    gp_diags_init(&ret->diags, ret->arena);
    const char *text = spec_case_read(ret->arena, path);
    if (text == NULL)
        return GP_ERR_NOT_FOUND;
    const gp_status st = spec_case_run(ret, path, text, overrides, override_count);
    if (st != GP_OK)
        spec_case_print(ret);
    return st;
}

const gp_workload_plan *spec_case_workload(const spec_case *c, const char *name) {
    for (size_t i = 0; i < c->result->workloads.count; i++)
        if (strcmp(c->result->workloads.items[i].workload->name, name) == 0)
            return &c->result->workloads.items[i];
    return NULL;
}

void spec_case_free(spec_case *c) {
    gp_arena_free(c->arena);
    c->arena = NULL;
}
