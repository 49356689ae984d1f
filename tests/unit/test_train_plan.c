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

/* ------------------------------------------------------------ states outside the GPU */

#define SFT_70B(offload)                                                                           \
    "  workloads:\n"                                                                               \
    "    - name: w\n"                                                                              \
    "      type: finetune\n"                                                                       \
    "      model: llama-3.1-70b\n"                                                                 \
    "      data: {tokens: 20M tokens, sequenceLength: 4096, globalBatch: 512k tokens}\n" offload   \
    "      goal: {maxDuration: 5d}\n"
#define HOST_OF(memory)                                                                            \
    "  cluster: {pools: [{name: p, system: {extends: dgx-h100, memory: " memory "}, count: 1}]}\n" \
    "  candidates: {allow: [p], limits: {maxNodes: 1}}\n"

static const gp_software_change *change_of(const gp_workload_plan *w, const char *path) {
    for (int i = 0; i < w->software_change_count; i++)
        if (strcmp(w->software_changes[i].path, path) == 0)
            return &w->software_changes[i];
    return NULL;
}

/* Full fine-tuning of 70B outgrows one machine (840 GB of optimizer states); in host memory it
 * fits, is slower, and the plan without it says so. */
static void test_offload(void **state) {
    (void)state;
    spec_case c;
    assert_int_equal(spec_case_plan(&c, "t.yaml", HEAD POOL("dgx-h100", 1) SFT_70B(""), NULL, 0),
                     GP_OK);
    const gp_workload_plan *w = spec_case_workload(&c, "w");
    assert_int_equal(w->scale, GP_SCALE_HORIZONTAL);
    assert_int_equal(w->bound_by, GP_BOUND_MEMORY);
    const gp_software_change *change = change_of(w, "workloads.w.offload.states");
    assert_non_null(change);
    assert_true(change->makes_hardware_unnecessary);
    spec_case_free(&c);
    static const struct {
        const char *offload;
        int states;
        bool on_drives;
    } rows[] = {
        {"      offload: optimizer\n", GP_OFFLOAD_OPTIMIZER, false},
        {"      offload: auto\n", GP_OFFLOAD_OPTIMIZER, false},
        {"      offload: {states: parameters, to: host}\n", GP_OFFLOAD_PARAMETERS, false},
        {"      offload: {states: optimizer, to: nvme}\n", GP_OFFLOAD_OPTIMIZER, true},
    };
    double host_s = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[2048];
        strcpy(text, HEAD HOST_OF("2 TB, nvme: 30 TB"));
        strcat(text, SFT_70B("@"));
        char *at = strchr(text, '@');
        char rest[512];
        strcpy(rest, at + 1);
        strcpy(at, rows[i].offload);
        strcat(text, rest);
        assert_int_equal(spec_case_plan(&c, "t.yaml", text, NULL, 0), GP_OK);
        const gp_candidate *chosen = &spec_case_workload(&c, "w")->chosen;
        assert_int_equal(spec_case_workload(&c, "w")->scale, GP_SCALE_NONE);
        assert_int_equal(chosen->layout.offload, rows[i].states);
        assert_int_equal(chosen->layout.on_drives, rows[i].on_drives);
        /* 12 B of 70.6B parameters over 8 GPUs, with the buffers around them. */
        assert_true(chosen->outside_bytes > 150e9 && chosen->outside_bytes < 200e9);
        if (i == 0)
            host_s = chosen->time.step_s;
        else
            assert_true(chosen->time.step_s >= host_s);
        if (rows[i].on_drives)
            assert_true(chosen->time.step_s > 1.5 * host_s);
        spec_case_free(&c);
    }
}

/* A host without the room for them is what lacks memory, and the reason says so. */
static void test_host_too_small(void **state) {
    (void)state;
    spec_case c;
    assert_int_equal(spec_case_plan(&c, "t.yaml",
                                    HEAD HOST_OF("512 GiB")
                                        SFT_70B("      offload: {states: optimizer, to: host}\n"),
                                    NULL, 0),
                     GP_OK);
    const gp_workload_plan *w = spec_case_workload(&c, "w");
    assert_int_equal(w->scale, GP_SCALE_INFEASIBLE);
    assert_int_equal(w->bound_by, GP_BOUND_MEMORY);
    assert_non_null(w->chosen.lack.why);
    assert_true(w->chosen.lack.need > w->chosen.lack.have && w->chosen.lack.have > 0);
    spec_case_free(&c);
}

/* ------------------------------------------------------------ sharding in groups */

/* 8B over 16 machines of eight on a network too slow to gather weights over. */
#define SLOW_NETWORK(framework, more)                                                              \
    HEAD "  cluster:\n"                                                                            \
         "    pools: [{name: p, system: dgx-h100, count: 16}]\n"                                   \
         "    fabrics: [{name: compute, kind: ethernet, rate: 25 Gb/s}]\n"                         \
         "  candidates: [dgx-h100]\n"                                                              \
         "  workloads:\n"                                                                          \
         "    - name: w\n"                                                                         \
         "      type: training\n"                                                                  \
         "      model: llama-3.1-8b\n"                                                             \
         "      data: {tokens: 1T tokens, sequenceLength: 8192, globalBatch: 4M tokens}\n"         \
         "      software: {framework: " framework "}\n"                                            \
         "      goal: {completeWithin: 90d}\n"                                                     \
         "      parallelism: {tp: 1, dp: 128, zero: 3" more "}\n"

static void test_groups(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t group;
    } rows[] = {
        {SLOW_NETWORK("torchtitan", ""), 8},
        {SLOW_NETWORK("torchtitan", ", shardGroup: 32"), 32},
        {SLOW_NETWORK("torchtitan", ", shardGroup: 128"), 0},
        {SLOW_NETWORK("torchtune", ""), 0}, /* its row knows no groups */
    };
    double times[sizeof rows / sizeof rows[0]];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        spec_case c;
        assert_int_equal(spec_case_plan(&c, "t.yaml", rows[i].text, NULL, 0), GP_OK);
        const gp_candidate *current = &spec_case_workload(&c, "w")->current;
        assert_int_equal(current->layout.zero, 3);
        assert_int_equal(current->layout.dp, 128);
        assert_int_equal(current->layout.shard_group, rows[i].group);
        times[i] = current->time.dp_s;
        spec_case_free(&c);
    }
    assert_true(times[0] < times[1] && times[1] < times[2]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_sharing),
        cmocka_unit_test(test_offload),
        cmocka_unit_test(test_host_too_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
