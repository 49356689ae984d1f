/* A plan from file to result through the library, as the command line composes it. */
#include "support/plan_flow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/spec_case.h"

enum { FILE_MAX = 1 << 20 };

gp_text *gp_test_text(gp_arena *arena, const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fail_msg("cannot open %s", path);
    }
    char *data = gp_arena_alloc(arena, FILE_MAX, 1);
    assert_non_null(data);
    size_t len = fread(data, 1, FILE_MAX - 1, file);
    fclose(file);
    gp_text *text = NULL;
    assert_int_equal(gp_text_init(arena, path, data, len, &text), GP_OK);
    return text;
}

static void no_errors(gp_arena *arena, const gp_diags *diags) {
    for (size_t i = 0; i < diags->count; i++) {
        const char *text = NULL;
        if (diags->items[i].level == GP_LEVEL_ERROR &&
            gp_diag_format(arena, &diags->items[i], &text) == GP_OK) {
            print_error("%s", text);
        }
    }
    assert_int_equal(diags->errors, 0);
}

const gp_plan_result *gp_test_plan(gp_arena *arena, const char *path, const gp_override *overrides,
                                   size_t count) {
    spec_case c = {.arena = arena};
    gp_diags_init(&c.diags, arena);
    const gp_text *text = gp_test_text(arena, path);
    const gp_status st = spec_case_run(&c, path, text->data, overrides, count);
    no_errors(arena, &c.diags);
    assert_int_equal(st, GP_OK);
    return c.result;
}

const gp_workload_plan *gp_test_workload(const gp_plan_result *result, const char *name) {
    for (size_t i = 0; i < result->workloads.count; i++) {
        if (strcmp(result->workloads.items[i].workload->name, name) == 0) {
            return &result->workloads.items[i];
        }
    }
    fail_msg("no workload %s", name);
    return NULL;
}
