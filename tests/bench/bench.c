/*
 * Rates that the README quotes, by the time of the processor: training layouts priced per second on
 * one core, alone and inside the search (those that launch and are tried; what is looked at
 * and left counts for nothing), loads of one replica that is known, a whole `size` of each example
 * inside the process (catalogue read included), requests simulated per second, and whole processes
 * by command, a sweep of rates and lengths (32 points) among them:
 * GPUPLAN names the program, and where valgrind is there its instructions are counted, too, which
 * no other work on the machine changes. GPUPLAN_TRACE names a trace to simulate; without it, one of
 * the size of the Azure conversation trace is made.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "plan/context.h"
#include "support/spec_case.h"

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

enum { ROUNDS = 5, MACHINES = 4 };

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
            layouts += (double)c.result->workloads.items[w].layouts_timed;
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

/* A case as the planner hands it over to the search, on every kind of machine of the plan. */
typedef struct search_case {
    spec_case spec;
    gp_plan_options options;
    gp_plan_context plan;
} search_case;

static int open_search(search_case *s) {
    const char *text =
        "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: t}\nspec:\n"
        "  candidates: {allow: [dgx-h100, dgx-h200, dgx-b200, gb200-nvl72]}\n"
        "  workloads:\n"
        "    - {name: w, type: training, model: llama-3.1-405b, data: {tokens: 500B tokens}, "
        "goal: {completeWithin: 60d}}\n";
    *s = (search_case){.options = {.simulate = GP_PLAN_SIMULATE_OFF}};
    if (spec_case_plan(&s->spec, "t.yaml", text, NULL, 0) != GP_OK ||
        gp_plan_open(s->spec.arena, s->spec.catalog, s->spec.spec.plans.items[0], NULL, 0,
                     &s->options, &s->spec.diags, &s->plan) != GP_OK)
        return 1;
    return s->plan.unit_count == MACHINES && s->plan.case_count == 1 ? 0 : 1;
}

/* Inside the search: every kind of machine, from 64 GPUs to 8,192. */
static int bench_search(void) {
    enum { LEAST_GPUS = 64, MOST_GPUS = 8192, FINER = 8, TIMES = 50 };
    search_case s;
    double best = 0;
    double tried = 0;
    if (open_search(&s) != 0)
        return 1;
    for (int round = 0; round < TIMES; round++) {
        const double start = now_s();
        tried = 0;
        const gp_case *c = &s.plan.cases[0];
        for (size_t u = 0; u < MACHINES; u++) {
            const int64_t each = s.plan.units[u].machine.gpus;
            for (int64_t nodes = 1; nodes * each <= MOST_GPUS;
                 nodes += (nodes + FINER - 1) / FINER) {
                const gp_train_place place = {.gpus = nodes * each, .jobs = 1, .nodes = nodes};
                const gp_batch_choice batches = gp_train_batches(c, place.gpus);
                gp_train_capability found = {0};
                if (place.gpus >= LEAST_GPUS)
                    gp_search_train_with(c, u, place, &batches, &found);
                tried += (double)found.tried;
            }
        }
        const double seconds = now_s() - start;
        if (round == 0 || seconds < best)
            best = seconds;
    }
    printf("%-32s %8.1f ms %10.0f layouts %10.0f layouts/s\n", "tried inside a search", best * 1e3,
           tried, tried / best);
    spec_case_free(&s.spec);
    return 0;
}

/* Reads the trace that the environment names into the configuration. */
static int read_trace(spec_case *c, const char *path, gp_simulate_config *config) {
    enum { TRACE_MAX = 4 << 20 };
    char *data = gp_arena_alloc(c->arena, TRACE_MAX + 1, 1);
    gp_text *text = NULL;
    gp_arrival_list list;
    FILE *file = fopen(path, "rb");
    if (file == NULL || data == NULL)
        return 1;
    const size_t len = fread(data, 1, TRACE_MAX, file);
    (void)fclose(file);
    if (gp_text_init(c->arena, path, data, len, &text) != GP_OK ||
        gp_arrivals_read(c->arena, text, &c->diags, &list) != GP_OK)
        return 1;
    config->arrivals.rows = list.items;
    config->arrivals.row_count = list.count;
    config->arrivals.requests = 0;
    return 0;
}

/* An hour of conversation on eight replicas, at its own rate and at eight times it. */
static int bench_simulation(void) {
    enum { REQUESTS = 19366, REPLICAS = 8 };
    static gp_engine engine, prefill;
    const char *path = getenv("GPUPLAN_TRACE");
    spec_case c;
    gp_simulate_config config;
    if (spec_case_plan_file(&c, "examples/quickstart.yaml", NULL, 0) != GP_OK)
        return 1;
    const gp_workload_plan *chat = spec_case_workload(&c, "chat");
    if (gp_plan_simulation(c.result, chat, 1, &engine, &prefill, &config) != GP_OK)
        return 1;
    config.replicas = REPLICAS;
    config.arrivals.requests = REQUESTS;
    config.arrivals.input = gp_lengths_input(c.result->constants, 1155);
    config.arrivals.output = gp_lengths_output(c.result->constants, 211);
    if (path != NULL && read_trace(&c, path, &config) != 0)
        return 1;
    for (int i = 0; i < 2; i++) {
        double best = 0;
        gp_simulation *result = NULL;
        config.arrivals.rate_scale = i == 0 ? 1 : 8;
        config.arrivals.requests_per_s = i == 0 ? 5.53 : 8 * 5.53;
        for (int round = 0; round < ROUNDS; round++) {
            const gp_arena_mark mark = gp_arena_set_mark(c.arena);
            const double start = now_s();
            if (gp_simulate(c.arena, &config, &result) != GP_OK)
                return 1;
            const double seconds = now_s() - start;
            if (round == 0 || seconds < best)
                best = seconds;
            if (round + 1 < ROUNDS)
                gp_arena_release(c.arena, mark);
        }
        printf("%-32s %8.1f ms %10.0f requests/s %10.0f steps/s\n",
               i == 0 ? "simulate 19366 requests, 8 x TP4" : "the same at 8 times the rate",
               best * 1e3, (double)result->completed / best, (double)result->iterations / best);
    }
    spec_case_free(&c);
    return 0;
}

/* A service of the plan under load after load, from a tenth of what a replica carries up. */
static int bench_loads(const char *path, const char *name) {
    spec_case c;
    if (spec_case_plan_file(&c, path, NULL, 0) != GP_OK)
        return 1;
    const gp_workload_plan *w = spec_case_workload(&c, name);
    const gp_network network = {
        .bytes_per_s = {50e9, 50e9, 50e9}, .unit_nodes = 32, .pod_nodes = 2048};
    enum { COUNT = 100000 };
    const gp_machine *machine = &w->chosen.unit->machine;
    const double most = w->chosen.point.max_requests_per_s;
    double sum = 0;
    gp_serve_replica replica;
    gp_serve_replica_of(&w->serve, machine, &network, &w->chosen.serve_layout, c.result->constants,
                        &w->chosen.serve_memory, &replica);
    const double start = now_s();
    for (int i = 0; i < COUNT; i++) {
        gp_serve_point point;
        gp_serve_replica_load(&replica, most * (0.1 + 0.8 * i / COUNT), NULL, &point);
        sum += point.tpot_p95_s;
    }
    printf("load points of %-17s %10.0f points/s (checksum %.6g)\n", name,
           COUNT / (now_s() - start), sum);
    spec_case_free(&c);
    return 0;
}

/* CPU time of all processes that ended, the system's part included. */
static double ended_s(void) {
    struct rusage all;
    getrusage(RUSAGE_CHILDREN, &all);
    return (double)(all.ru_utime.tv_sec + all.ru_stime.tv_sec) +
           (double)(all.ru_utime.tv_usec + all.ru_stime.tv_usec) * 1e-6;
}

/* As callgrind counts them; 0: it is not there. */
static double instructions_of(const char *program, const char *arguments) {
    char command[512];
    char line[256];
    double count = 0;
    (void)snprintf(command, sizeof command,
                   "valgrind --tool=callgrind --callgrind-out-file=/dev/null %s %s 2>&1 >/dev/null",
                   program, arguments);
    FILE *out = popen(command, "r");
    while (out != NULL && fgets(line, sizeof line, out) != NULL) {
        const char *refs = strstr(line, "refs:");
        for (const char *c = refs; c != NULL && *c != '\0'; c++)
            if (*c >= '0' && *c <= '9')
                count = 10 * count + (*c - '0');
    }
    if (out != NULL)
        (void)pclose(out);
    return count;
}

static int bench_process(const char *arguments) {
    const char *program = getenv("GPUPLAN");
    char command[512];
    double best = 0;
    if (program == NULL)
        return 0;
    (void)snprintf(command, sizeof command, "exec %s %s >/dev/null", program, arguments);
    for (int i = 0; i < ROUNDS; i++) {
        const double start = ended_s();
        if (system(command) != 0)
            return 1;
        const double seconds = ended_s() - start;
        best = i == 0 || seconds < best ? seconds : best;
    }
    printf("%-36s %8.1f ms of CPU %8.1f million instructions\n", arguments, best * 1e3,
           instructions_of(program, arguments) * 1e-6);
    return 0;
}

int main(void) {
    static const char *const processes[] = {
        "--version",
        "validate examples/minimal.yaml",
        "size examples/minimal.yaml",
        "size examples/quickstart.yaml",
        "size examples/greenfield.yaml",
        "size examples/inference-site.yaml",
        "size examples/teams.yaml",
        "size examples/two-sites.yaml",
        "capacity examples/hall.yaml",
        "explain examples/quickstart.yaml chat",
        "export spec examples/quickstart.yaml",
        "sweep examples/minimal.yaml --jobs 1 "
        "--set workloads.chat.traffic.requestsPerSecond=1,2,3,4,5,6,7,8 "
        "--set workloads.chat.traffic.inputTokens=500,1000,1500,2000",
    };
    static const char *const examples[] = {
        "examples/minimal.yaml",       "examples/quickstart.yaml",     "examples/lora-fleet.yaml",
        "examples/pretrain-405b.yaml", "examples/inference-site.yaml", "examples/greenfield.yaml",
    };
    int failed = bench_layouts() + bench_search();
    failed += bench_loads("examples/quickstart.yaml", "chat");
    failed += bench_loads("examples/inference-site.yaml", "agents");
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++)
        failed += bench_example(examples[i]);
    failed += bench_simulation();
    for (size_t i = 0; i < sizeof processes / sizeof processes[0]; i++)
        failed += bench_process(processes[i]);
    return failed == 0 ? 0 : 1;
}
