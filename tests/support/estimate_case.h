/* Test support for estimators: the embedded catalogue's constants, shapes and machines. */
#ifndef GP_TESTS_ESTIMATE_CASE_H
#define GP_TESTS_ESTIMATE_CASE_H

#include "estimate/estimate.h"

typedef struct estimate_case {
    gp_arena *arena;
    gp_diags diags;
    gp_catalog *catalog;
    gp_constants constants;
    gp_network network; /* 400 Gb/s per GPU, one unit */
} estimate_case;

/* cmocka set-up and tear-down: *state is an estimate_case. */
int estimate_case_open(void **state);
int estimate_case_close(void **state);
/* A machine of `gpus` of the catalogue's GPU, all in one scale-up domain. */
gp_machine estimate_case_machine(estimate_case *c, const char *gpu, int64_t gpus);
gp_shape estimate_case_shape(estimate_case *c, const char *model);
/* bf16 weights and cache, 1,000 tokens in and 200 out, one branch, tuned. */
gp_serve_job estimate_case_serve_job(const gp_shape *shape);
/* Columns of a reference CSV without quotes, from tests/reference/. Returns the rows read; each
 * cell is NUL-terminated and lives in the arena. The header is row 0. */
enum { ESTIMATE_CASE_COLUMNS = 16 };
size_t estimate_case_table(estimate_case *c, const char *name,
                           const char *(**ret_rows)[ESTIMATE_CASE_COLUMNS]);
/* Erlang C: probability that an arrival waits, c servers, offered load a. */
double estimate_case_erlang_c(int64_t servers, double offered);
bool estimate_case_near(double value, double wanted, double fraction);

#endif
