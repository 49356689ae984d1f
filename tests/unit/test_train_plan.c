/* What only the planning of training jobs does: jobs that share GPUs, states that wait in host
 * memory, sharding in groups, and answers at the edges of what can be asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/spec_case.h"

#define HEAD "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: t}\nspec:\n"
#define POOL(system, n)                                                                            \
    "  cluster: {pools: [{name: p, system: " system ", count: " #n "}]}\n"                         \
    "  candidates: [" system "]\n"

/* ------------------------------------------------------------ jobs that share a GPU */

#define ADAPTERS(model, jobs, duration)                                                            \
    "  workloads:\n"                                                                               \
    "    - name: w\n"                                                                              \
    "      type: lora\n"                                                                           \
    "      model: " model "\n"                                                                     \
    "      adapter: {method: qlora, rank: 16}\n"                                                   \
    "      data: {tokens: 4M tokens, sequenceLength: 2048, globalBatch: 32k}\n"                    \
    "      jobs: " jobs "\n"                                                                       \
    "      goal: {maxDuration: " duration "}\n"

typedef struct sharing {
    const char *name;
    const char *text;
    gp_scale scale;
    gp_bound bound; /* NONE: any */
    int64_t jobs_per_gpu, gpus;
} sharing;

static const sharing sharings[] = {
    {"six to a GPU where memory and time allow it",
     HEAD POOL("dgx-h100", 1) ADAPTERS("llama-3.1-8b", "{concurrent: 16}", "6h"), GP_SCALE_NONE,
     GP_BOUND_NONE, 6, 3},
    {"one to a GPU where the spec says so",
     HEAD POOL("dgx-h100", 1) ADAPTERS("llama-3.1-8b", "{concurrent: 16, perGpu: 1}", "6h"),
     GP_SCALE_HORIZONTAL, GP_BOUND_NONE, 1, 16},
    {"a short deadline is the reason for more machines",
     HEAD POOL("dgx-h100", 1) ADAPTERS("llama-3.1-8b", "{concurrent: 16}", "16m"),
     GP_SCALE_HORIZONTAL, GP_BOUND_COMPUTE, 1, 16},
    {"memory is the reason where two do not fit",
     HEAD POOL("dgx-h100", 1) ADAPTERS("llama-3.1-70b", "{concurrent: 16}", "5d"),
     GP_SCALE_HORIZONTAL, GP_BOUND_MEMORY, 1, 16},
};

static void test_sharing(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof sharings / sizeof sharings[0]; i++) {
        spec_case c;
        print_message("%s\n", sharings[i].name);
        assert_int_equal(spec_case_plan(&c, "t.yaml", sharings[i].text, NULL, 0), GP_OK);
        const gp_workload_plan *w = spec_case_workload(&c, "w");
        assert_string_equal(gp_scale_name(w->scale), gp_scale_name(sharings[i].scale));
        assert_int_equal(w->chosen.jobs_per_gpu, sharings[i].jobs_per_gpu);
        assert_int_equal(w->chosen.gpus, sharings[i].gpus);
        assert_int_equal(w->chosen.replicas, 16);
        if (sharings[i].bound != GP_BOUND_NONE)
            assert_string_equal(gp_bound_name(w->bound_by), gp_bound_name(sharings[i].bound));
        assert_true(w->chosen.memory.total_bytes <= w->chosen.unit->machine.hbm_bytes);
        spec_case_free(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sharing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
