/* The flip points that the examples print: just short of one the verdict is today's, just past it
 * the one predicted. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/plan_flow.h"
#include "support/spec_case.h"

static const size_t arena_bytes = (size_t)1 << 30;

/* The value as a spec would say it: base units, all digits. */
static const char *written(gp_arena *arena, double value, gp_dim dim) {
    char text[48];
    snprintf(text, sizeof text, "%.17g%s", value, dim == GP_DIM_TIME ? " s" : "");
    return gp_arena_strndup(arena, text, strlen(text));
}

static gp_scale verdict_at(const char *path, const char *workload, const gp_flip *flip,
                           double value) {
    gp_arena *arena = gp_arena_new(arena_bytes);
    assert_non_null(arena);
    const gp_override override = {flip->path, written(arena, value, flip->dim)};
    const gp_plan_result *result = gp_test_plan(arena, path, &override, 1);
    gp_scale scale = gp_test_workload(result, workload)->scale;
    gp_arena_free(arena);
    return scale;
}

static void check_flip(const char *path, const gp_workload_plan *plan) {
    const gp_flip *flip = &plan->flip;
    const char *name = plan->workload->name;
    double side = flip->at > flip->today ? 1 : -1;
    /* How close by plans look for it. */
    const double beside = plan->confirmation.present ? 0.06 : 0.03;
    double before = flip->at * (1 - side * beside);
    double after = flip->at * (1 + side * beside);
    gp_scale short_of_it = verdict_at(path, name, flip, before);
    gp_scale past_it = verdict_at(path, name, flip, after);
    if (past_it != flip->to_scale || past_it == plan->scale) {
        fail_msg("%s %s: %s at %g (flip at %g) is %s, predicted %s", path, name, flip->path, after,
                 flip->at, gp_scale_name(past_it), gp_scale_name(flip->to_scale));
    }
    bool between = (before - flip->today) * side >= 0; /* today does not lie nearer */
    if (between && short_of_it != plan->scale) {
        fail_msg("%s %s: %s at %g (flip at %g) is %s, today's is %s", path, name, flip->path,
                 before, flip->at, gp_scale_name(short_of_it), gp_scale_name(plan->scale));
    }
}

static void check_example(const char *path, size_t least) {
    gp_arena *arena = gp_arena_new(arena_bytes);
    assert_non_null(arena);
    const gp_plan_result *result = gp_test_plan(arena, path, NULL, 0);
    size_t flips = 0;
    for (size_t i = 0; i < result->workloads.count; i++) {
        const gp_workload_plan *plan = &result->workloads.items[i];
        if (plan->flip.present) {
            check_flip(path, plan);
            flips++;
        } else {
            assert_non_null(plan->flip.reason);
        }
    }
    if (flips < least) {
        fail_msg("%s: %zu flip points, at least %zu expected", path, flips, least);
    }
    gp_arena_free(arena);
}

static void quickstart_flips(void **state) {
    (void)state;
    check_example("examples/quickstart.yaml", 3);
}

static void minimal_flips(void **state) {
    (void)state;
    check_example("examples/minimal.yaml", 1);
}

static void pretrain_flips(void **state) {
    (void)state;
    check_example("examples/pretrain-405b.yaml", 1);
}

static void lora_fleet_flips(void **state) {
    (void)state;
    check_example("examples/lora-fleet.yaml", 0);
}

static void inference_site_flips(void **state) {
    (void)state;
    check_example("examples/inference-site.yaml", 0);
}

static void greenfield_flips(void **state) {
    (void)state;
    check_example("examples/greenfield.yaml", 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quickstart_flips),     cmocka_unit_test(minimal_flips),
        cmocka_unit_test(pretrain_flips),       cmocka_unit_test(lora_fleet_flips),
        cmocka_unit_test(inference_site_flips), cmocka_unit_test(greenfield_flips),
    };
    /* The flip is that of the closed form: another load would be simulated on its own. */
    spec_case_simulate = GP_PLAN_SIMULATE_OFF;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
