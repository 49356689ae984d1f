/* Test support: a spec as text, read, resolved and planned. Everything lives in one arena. */
#ifndef GP_TESTS_SPEC_CASE_H
#define GP_TESTS_SPEC_CASE_H

#include "plan/plan.h"

typedef struct spec_case {
    gp_arena *arena;
    gp_diags diags;
    gp_catalog *catalog;
    gp_spec spec;
    bool declared_only;     /* judge what is declared; set before spec_case_run */
    size_t plan;            /* which of the file's plans, likewise; the first unless set */
    gp_plan_result *result; /* of that plan */
} spec_case;

/* How much simulation the plans below get; quick unless a test sets it. */
extern gp_plan_simulate spec_case_simulate;
/* The choice alone is looked at, without what compares and explains it. */
extern bool spec_case_brief;

/* Reads and plans `text`; `overrides` may be NULL. On failure the diagnostics are printed. */
gp_status spec_case_plan(spec_case *ret, const char *name, const char *text,
                         const gp_override *overrides, size_t override_count);
/* The same in an arena of the caller's: c->arena and c->diags are set, c->catalog where the caller
 * has one. */
gp_status spec_case_run(spec_case *c, const char *name, const char *text,
                        const gp_override *overrides, size_t override_count);
/* Up to the resolved spec, without a plan of it. */
gp_status spec_case_resolve(spec_case *c, const char *name, const char *text,
                            const gp_override *overrides, size_t override_count);
/* The same for a file, relative to the repository root. */
gp_status spec_case_plan_file(spec_case *ret, const char *path, const gp_override *overrides,
                              size_t override_count);
/* The text of a file, relative to the repository root; NULL where it cannot be read. */
char *spec_case_read(gp_arena *arena, const char *path);
/* Its diagnostics, on standard error. */
void spec_case_print(const spec_case *c);
const gp_workload_plan *spec_case_workload(const spec_case *c, const char *name);
void spec_case_free(spec_case *c);

#endif
