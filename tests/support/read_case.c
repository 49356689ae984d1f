/* Test support: reads and resolves a spec. */
#include "support/read_case.h"

#include <string.h>

static void read_all(read_case *c, const char *text, const gp_override *overrides, size_t count) {
    gp_text *source = NULL;
    c->st = gp_text_init(c->arena, "plan.yaml", text, strlen(text), &source);
    if (c->st == GP_OK)
        c->st = gp_catalog_open(c->arena, &c->diags, &c->catalog);
    if (c->st == GP_OK)
        c->st = gp_spec_read(c->arena, source, overrides, count, &c->diags, &c->spec);
    for (size_t i = 0; i < c->spec.catalogs.count && c->st == GP_OK; i++)
        c->st = gp_catalog_add(c->catalog, c->spec.catalogs.items[i]);
    for (size_t i = 0; i < c->spec.plans.count; i++) {
        gp_status st = gp_spec_resolve(c->arena, c->catalog, &c->diags, c->spec.plans.items[i]);
        c->st = c->st == GP_OK ? st : c->st;
    }
    c->plan = c->spec.plans.count ? c->spec.plans.items[0] : NULL;
}

read_case read_text_with(const char *text, const gp_override *overrides, size_t count) {
    read_case c = {.arena = gp_arena_new((size_t)256 << 20)};
    gp_diags_init(&c.diags, c.arena);
    read_all(&c, text, overrides, count);
    return c;
}

read_case read_text(const char *text) {
    return read_text_with(text, NULL, 0);
}

read_case read_spec(const char *spec) {
    gp_arena *scratch = gp_arena_new(1u << 20);
    const char *text = gp_arena_printf(scratch,
                                       "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: t}\n"
                                       "spec:\n  cluster: {pools: [{name: gpu, system: dgx-h200, "
                                       "count: 2}]}\n%s",
                                       spec);
    /* The texts of spans must outlive the scratch arena. */
    read_case c = {.arena = gp_arena_new((size_t)256 << 20)};
    gp_diags_init(&c.diags, c.arena);
    read_all(&c, gp_arena_strndup(c.arena, text, strlen(text)), NULL, 0);
    gp_arena_free(scratch);
    return c;
}

void read_done(read_case *c) {
    gp_arena_free(c->arena);
    c->arena = NULL;
}

const char *read_ids(read_case *c) {
    const char *ids = "";
    for (size_t i = 0; i < c->diags.count; i++)
        ids = gp_arena_printf(c->arena, "%s%s%s", ids, i ? " " : "", c->diags.items[i].id);
    return ids;
}

const char *read_messages(read_case *c) {
    const char *all = "";
    for (size_t i = 0; i < c->diags.count; i++) {
        const char *one = "";
        if (gp_diag_format(c->arena, &c->diags.items[i], &one) == GP_OK)
            all = gp_arena_printf(c->arena, "%s%s", all, one);
    }
    return all;
}
