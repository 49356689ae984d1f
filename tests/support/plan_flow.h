/* A plan from file to result through the library, as the command line composes it. */
#ifndef GP_TESTS_PLAN_FLOW_H
#define GP_TESTS_PLAN_FLOW_H

#include "plan/plan.h"

/* Reads, resolves and plans the first Plan of `path` (relative to the repository) with the
 * overrides; prices are those in the file. A diagnostic or a failure ends the test. */
const gp_plan_result *gp_test_plan(gp_arena *arena, const char *path, const gp_override *overrides,
                                   size_t count);
/* The workload's plan; ends the test where there is none of that name. */
const gp_workload_plan *gp_test_workload(const gp_plan_result *result, const char *name);
/* The file as a text; ends the test where it cannot be read. */
gp_text *gp_test_text(gp_arena *arena, const char *path);

#endif
