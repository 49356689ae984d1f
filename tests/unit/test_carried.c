/* What replicas carry beside each other: counts are the least that do, more of them never carry
 * less, and the closed form says of several what a simulation of them says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "plan/context.h"
#include "support/spec_case.h"

/* Grows with the count, up to a limit. */
static double made(void *context, double among, gp_carried_near *near) {
    (void)near;
    const double *limit = context;
    const double each = 2 - 1.5 / among;
    return each < *limit ? each : *limit;
}

static void counts_are_the_least(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        double limit = 0.5 + 0.5 * k;
        gp_carried carried;
        gp_carried_fill(made, &limit, &carried);
        for (int64_t n = 1; n < 200; n++)
            assert_true(gp_carried_each(&carried, n + 1) >= gp_carried_each(&carried, n));
        for (double rate = 0.1; rate < 300; rate *= 1.07) {
            const double share = 0.8;
            const int64_t count = gp_carried_count(&carried, share, rate);
            int64_t least = 1;
            while ((double)least * share * gp_carried_each(&carried, least) < rate * (1 - 1e-9))
                least++;
            assert_int_equal(count, least);
        }
    }
}

static void nothing_is_carried_by_one(void **state) {
    (void)state;
    double limit = 0;
    gp_carried carried;
    gp_carried_fill(made, &limit, &carried);
    assert_int_equal(gp_carried_count(&carried, 1, 5), 1);
    assert_true(gp_carried_each(&carried, 64) <= 0);
}

/* The first token of services that wait for prompts, several replicas of each. */
static void simulation_agrees(void **state) {
    static const char *const loads[] = {
        "llama-3.1-8b, parallelism: {tp: 1}, traffic: {requestsPerSecond: {mean: 25, peak: 25}, "
        "inputTokens: 4000, "
        "outputTokens: 100}, goal: {slo: {ttft: 1.5 s, tpot: 40 ms}}",
        "qwen3-32b, parallelism: {tp: 2}, traffic: {requestsPerSecond: {mean: 12, peak: 12}, "
        "inputTokens: 3000, "
        "outputTokens: 150}, goal: {slo: {ttft: 2 s, tpot: 60 ms}}",
        "llama-3.1-70b-fp8, parallelism: {tp: 4}, traffic: {requestsPerSecond: {mean: 8, peak: 8}, "
        "inputTokens: 5000, "
        "outputTokens: 100}, goal: {slo: {ttft: 4 s, tpot: 60 ms}}",
    };
    (void)state;
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++) {
        char text[1024];
        spec_case c;
        (void)snprintf(text, sizeof text,
                       "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: t}\nspec:\n"
                       "  candidates: [dgx-h100]\n  workloads:\n"
                       "    - {name: w, type: inference, disaggregated: false, model: %s}\n",
                       loads[i]);
        assert_int_equal(spec_case_plan(&c, "t.yaml", text, NULL, 0), GP_OK);
        const gp_confirmation *found = &c.result->workloads.items[0].confirmation;
        assert_true(found->present && found->chosen.replicas > 2);
        const double ratio = found->closed_ttft_p95_s / found->chosen.ttft_p95_s;
        assert_true(ratio > 0.75 && ratio < 1.33);
        spec_case_free(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_the_least),
        cmocka_unit_test(nothing_is_carried_by_one),
        cmocka_unit_test(simulation_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
