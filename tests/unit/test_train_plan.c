/* What only the planning of training jobs does: jobs that share GPUs, states that wait in host
 * memory, sharding in groups, and answers at the edges of what can be asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
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

enum { SEVERAL = -1 }; /* more than one, as memory and time allow */

static const sharing sharings[] = {
    {"several to a GPU where memory and time allow it",
     HEAD POOL("dgx-h100", 1) ADAPTERS("llama-3.1-8b", "{concurrent: 16}", "6h"), GP_SCALE_NONE,
     GP_BOUND_NONE, SEVERAL, 0},
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
        const int64_t jobs = w->chosen.jobs_per_gpu;
        if (sharings[i].jobs_per_gpu == SEVERAL) {
            assert_true(jobs > 1);
            assert_int_equal(w->chosen.gpus, (16 + jobs - 1) / jobs);
        } else {
            assert_int_equal(jobs, sharings[i].jobs_per_gpu);
            assert_int_equal(w->chosen.gpus, sharings[i].gpus);
        }
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

/* ------------------------------------------------------------ the edges of what can be asked */

typedef struct edge {
    const char *name;
    const char *model, *system;
    int nodes;
    const char *sequence, *batch; /* tokens */
    const char *parallelism;      /* NULL: auto */
    const char *refused;          /* words of the finding; NULL: the declared layout runs */
    const char *framework;        /* NULL: none is named, and no framework's own rules hold */
} edge;

static const edge edges[] = {
    {"everything at one", "llama-3.2-1b", "dgx-h100", 1, "8192", "64k",
     "{tp: 1, pp: 1, vpp: 1, dp: 1, cp: 1, ep: 1, microBatch: 1}", NULL, NULL},
    {"experts split without tensor parallelism", "qwen3-30b-a3b", "dgx-h100", 2, "4096", "1M",
     "{tp: 1, pp: 1, cp: 1, dp: 16, ep: 8}", NULL, NULL},
    {"experts split over tensor-parallel ranks", "qwen3-30b-a3b", "dgx-h100", 2, "4096", "1M",
     "{tp: 2, pp: 1, cp: 1, dp: 8, ep: 16}", NULL, NULL},
    {"more ranks than the experts divide", "qwen3-30b-a3b", "dgx-h100", 3, "4096", "1M",
     "{tp: 1, pp: 1, cp: 1, dp: 24, ep: 16}", "expert parallelism does not divide the ranks", NULL},
    {"stages of 126 layers on eight", "llama-3.1-405b", "dgx-h100", 64, "8192", "2M",
     "{tp: 8, pp: 8, cp: 2, dp: 4}", NULL, NULL},
    {"and in eight virtual stages each", "llama-3.1-405b", "dgx-h100", 64, "8192", "2M",
     "{tp: 8, pp: 8, vpp: 8, cp: 2, dp: 4}", NULL, NULL},
    {"stages too uneven", "llama-3.1-8b", "dgx-h100", 2, "8192", "2M",
     "{tp: 1, pp: 8, vpp: 3, dp: 2}", "do not fill the stages", "torchtitan"},
    {"stages drawn by hand", "llama-3.1-8b", "dgx-h100", 2, "8192", "1966080",
     "{tp: 1, pp: 8, vpp: 3, dp: 2, microBatch: 1}", NULL, "megatron"},
    {"more stages than layers", "llama-3.1-8b", "dgx-h100", 2, "8192", "2M",
     "{tp: 1, pp: 8, vpp: 5, dp: 2}", "more stages than the model has layers", NULL},
    {"virtual stages in broken rounds", "llama-3.1-8b", "dgx-h100", 1, "8192", "81920",
     "{tp: 1, pp: 4, vpp: 2, dp: 2, microBatch: 1}", "multiple of the pipeline stages", "megatron"},
    {"a batch that leaves a rest", "llama-3.1-8b", "dgx-h100", 1, "8192", "106496",
     "{tp: 1, pp: 1, dp: 8, microBatch: 1}", "is not divisible by DP x micro-batch", "megatron"},
    {"stages filled but for embedding and head",
     "{layers: 70, hidden: 14336, heads: 112, ffn: 57344, vocab: 250880}", "dgx-a100", 48, "2048",
     "4194304", "{tp: 4, pp: 12, dp: 8, microBatch: 2}", NULL, "megatron-deepspeed"},
    {"fewer key-value heads than ranks", "llama-3.1-70b", "gb200-nvl72", 1, "8192", "1M",
     "{tp: 16, pp: 1, cp: 1, dp: 4}", NULL, NULL},
    {"one key-value head", "gemma-2b", "dgx-h100", 1, "8192", "1M", "{tp: 8, dp: 1}", NULL, NULL},
    {"tensor parallelism over machines", "llama-3.1-70b", "dgx-h100", 4, "8192", "1M",
     "{tp: 16, dp: 2}", NULL, NULL},
    {"a sequence of a million tokens", "llama-3.1-8b", "dgx-h100", 4, "1048576", "4M", NULL, NULL,
     NULL},
    {"and its split declared", "llama-3.1-8b", "dgx-h100", 4, "1048576", "4M",
     "{tp: 1, pp: 1, cp: 32, dp: 1}", NULL, NULL},
    {"a batch of one sequence", "llama-3.1-70b", "dgx-h100", 8, "8192", "8192", NULL, NULL, NULL},
    {"fewer sequences than data-parallel ranks", "llama-3.1-8b", "dgx-h100", 8, "8192", "128k",
     "{tp: 1, pp: 1, cp: 1, dp: 64}", "fewer sequences than there are data-parallel ranks", NULL},
    {"a context split that leaves a rest", "llama-3.1-8b", "dgx-h100", 3, "8192", "1M",
     "{tp: 1, cp: 3, dp: 8}", "does not divide the sequence", NULL},
    {"a pipeline with sharded weights", "llama-3.1-8b", "dgx-h100", 1, "8192", "1M",
     "{tp: 1, pp: 2, dp: 4, zero: 3}", "only the optimizer states", "megatron"},
    {"which torchtitan has", "llama-3.1-8b", "dgx-h100", 1, "8192", "1M",
     "{tp: 1, pp: 2, dp: 4, zero: 3}", NULL, "torchtitan"},
};

static void check_edge(const edge *e) {
    char text[1024];
    spec_case c;
    int len = snprintf(text, sizeof text,
                       HEAD "  cluster: {pools: [{name: p, system: %s, count: %d}]}\n"
                            "  candidates: {allow: [%s], limits: {maxNodes: %d}, objective: "
                            "minTime}\n"
                            "  workloads:\n"
                            "    - name: w\n"
                            "      type: training\n"
                            "      model: %s\n"
                            "      placement: {exclusive: false}\n"
                            "      data: {tokens: 1B tokens, sequenceLength: %s, globalBatch: "
                            "%s}\n",
                       e->system, e->nodes, e->system, e->nodes, e->model, e->sequence, e->batch);
    if (e->parallelism != NULL)
        len += snprintf(text + len, sizeof text - (size_t)len, "      parallelism: %s\n",
                        e->parallelism);
    if (e->framework != NULL)
        (void)snprintf(text + len, sizeof text - (size_t)len, "      software: {framework: %s}\n",
                       e->framework);
    print_message("%s\n", e->name);
    assert_int_equal(spec_case_plan(&c, "t.yaml", text, NULL, 0), GP_OK);
    const gp_workload_plan *w = spec_case_workload(&c, "w");
    assert_true(w->chosen.present);
    assert_true(!w->chosen.feasible || w->chosen.time.step_s > 0);
    assert_int_equal(w->layout_declared, e->parallelism != NULL);
    assert_int_equal(w->chosen.feasible, e->refused == NULL);
    if (e->refused != NULL) {
        assert_non_null(w->chosen.lack.why);
        if (strstr(w->chosen.lack.why, e->refused) == NULL)
            fail_msg("%s, not %s", w->chosen.lack.why, e->refused);
    }
    spec_case_free(&c);
}

static void test_edges(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++)
        check_edge(&edges[i]);
}

/* ------------------------------------------------------------ the band of the verdict */

#define PRETRAIN_8B(goal)                                                                          \
    HEAD POOL("dgx-h100", 8) "  defaults: {headroom: {gpus: 0%}}\n"                                \
                             "  workloads:\n"                                                      \
                             "    - name: w\n"                                                     \
                             "      type: training\n"                                              \
                             "      model: llama-3.1-8b\n"                                         \
                             "      data: {tokens: 1T tokens, sequenceLength: 8192, globalBatch: " \
                             "4M tokens}\n"                                                        \
                             "      goal: {" goal "}\n"

static void plan_with(const char *text, const char *path, double value, const char *unit,
                      spec_case *c) {
    char words[64];
    (void)snprintf(words, sizeof words, "%.17g%s", value, unit);
    const gp_override override = {path, words};
    assert_int_equal(spec_case_plan(c, "t.yaml", text, &override, 1), GP_OK);
}

/* A deadline between the expected time and the upper edge of its band: the verdict asks for more
 * machines and says that it flips inside the band; by the expected value the cluster is enough. Far
 * from it, it does not. */
static void test_verdict_in_band(void **state) {
    (void)state;
    static const char path[] = "workloads.w.goal.completeWithin";
    const char *text = PRETRAIN_8B("completeWithin: 1000d");
    spec_case c;
    /* On all eight machines: what is judged, and what is expected. */
    plan_with(text, path, 1, " s", &c);
    const gp_band wall = spec_case_workload(&c, "w")->current.time_to_complete_s;
    assert_true(wall.low < wall.expected && wall.expected < wall.high);
    spec_case_free(&c);
    plan_with(text, path, 0.5 * (wall.expected + wall.high), " s", &c);
    const gp_workload_plan *w = spec_case_workload(&c, "w");
    assert_int_equal(w->scale, GP_SCALE_HORIZONTAL);
    assert_true(w->flip.present && w->flip.inside_band);
    assert_int_equal(w->flip.to_scale, GP_SCALE_NONE);
    assert_true(w->goal_count == 1 && w->goals[0].low < w->goals[0].expected &&
                w->goals[0].expected < w->goals[0].high);
    assert_true(w->at_expected.nodes <= w->chosen.nodes);
    spec_case_free(&c);
    plan_with(text, path, wall.expected / 3, " s", &c);
    w = spec_case_workload(&c, "w");
    assert_int_equal(w->scale, GP_SCALE_HORIZONTAL);
    assert_true(w->flip.present && !w->flip.inside_band);
    spec_case_free(&c);
}

/* A goal in tokens per second, or a period, has a flip point as a deadline has. */
static void test_flip_of_rates(void **state) {
    (void)state;
    static const struct {
        const char *text, *path, *variable, *unit;
        bool rate;
    } rows[] = {
        {PRETRAIN_8B("throughput: 1M/s"), "workloads.w.goal.throughput", "throughput", "/s", true},
        {PRETRAIN_8B("every: 30d"), "workloads.w.goal.every", "period", " s", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        spec_case c;
        assert_int_equal(spec_case_plan(&c, "t.yaml", rows[i].text, NULL, 0), GP_OK);
        const gp_flip flip = spec_case_workload(&c, "w")->flip;
        const gp_scale today = spec_case_workload(&c, "w")->scale;
        assert_true(flip.present);
        assert_string_equal(flip.variable, rows[i].variable);
        assert_string_equal(flip.path, rows[i].path);
        const double side = flip.at > flip.today ? 1 : -1;
        spec_case past, before;
        plan_with(rows[i].text, rows[i].path, flip.at * (1 + 0.02 * side), rows[i].unit, &past);
        plan_with(rows[i].text, rows[i].path, flip.at * (1 - 0.02 * side), rows[i].unit, &before);
        assert_int_equal(spec_case_workload(&past, "w")->scale, flip.to_scale);
        assert_int_equal(spec_case_workload(&before, "w")->scale, today);
        spec_case_free(&past);
        spec_case_free(&before);
        spec_case_free(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_verdict_in_band), cmocka_unit_test(test_flip_of_rates),
        cmocka_unit_test(test_edges),           cmocka_unit_test(test_groups),
        cmocka_unit_test(test_sharing),         cmocka_unit_test(test_offload),
        cmocka_unit_test(test_host_too_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
