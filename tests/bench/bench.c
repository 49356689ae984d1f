/*
 * Rates that the README quotes: training layouts priced per second on one core, and the time of a
 * whole `size` of each example inside the process (catalogue read included).
 */
#include <stdio.h>
#include <time.h>

#include "support/spec_case.h"

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

enum { ROUNDS = 5 };

static int bench_example(const char *path) {
    double best = 0;
    double layouts = 0;
    for (int i = 0; i < ROUNDS; i++) {
        spec_case c;
        const double start = now_s();
        if (spec_case_plan_file(&c, path, NULL, 0) != GP_OK)
            return 1;
        const double seconds = now_s() - start;
        layouts = 0;
        for (size_t w = 0; w < c.result->workloads.count; w++)
            layouts += (double)c.result->workloads.items[w].layouts_tried;
        spec_case_free(&c);
        if (i == 0 || seconds < best)
            best = seconds;
    }
    printf("%-32s %8.1f ms %10.0f layouts %10.0f layouts/s\n", path, best * 1e3, layouts,
           layouts / best);
    return 0;
}

/* Prices one typical layout over and over: memory, validity, time. */
static int bench_layouts(void) {
    spec_case c;
    if (spec_case_plan_file(&c, "examples/quickstart.yaml", NULL, 0) != GP_OK)
        return 1;
    const gp_workload_plan *w = &c.result->workloads.items[0];
    const gp_machine *machine = &w->chosen.unit->machine;
    const gp_network network = {
        .bytes_per_s = {50e9, 50e9, 50e9}, .unit_nodes = 32, .pod_nodes = 2048};
    enum { COUNT = 200000 };
    double sum = 0;
    const double start = now_s();
    for (int i = 0; i < COUNT; i++) {
        gp_layout layout = w->chosen.layout;
        layout.micro_batch = 1 + i % 2;
        gp_memory memory;
        gp_train_time time;
        if (!gp_layout_valid(&w->train, machine, &layout))
            layout.micro_batch = w->chosen.layout.micro_batch;
        gp_train_memory(&w->train, machine, &layout, c.result->constants, 0, NULL, &memory);
        gp_train_step_time(&w->train, machine, &network, &layout, c.result->constants, NULL, &time);
        sum += memory.total_bytes + time.step_s;
    }
    const double seconds = now_s() - start;
    printf("%-32s %10.0f layouts/s (checksum %.6g)\n", "training layouts, one core",
           COUNT / seconds, sum);
    spec_case_free(&c);
    return 0;
}

int main(void) {
    static const char *const examples[] = {
        "examples/minimal.yaml",       "examples/quickstart.yaml",     "examples/lora-fleet.yaml",
        "examples/pretrain-405b.yaml", "examples/inference-site.yaml", "examples/greenfield.yaml",
    };
    int failed = bench_layouts();
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++)
        failed += bench_example(examples[i]);
    return failed == 0 ? 0 : 1;
}
