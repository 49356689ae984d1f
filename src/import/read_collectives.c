/*
 * Output of nccl-tests and rccl-tests (the table of releases 2.0 to 2.19, and JSON version 3), and
 * of perftest's bandwidth tests. Columns are found by their header, since releases differ in them.
 */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "import/reader.h"
#include "source/json_tree.h"

static const char known_nccl[] =
    "the table of nccl-tests 2.0 to 2.19 or rccl-tests, or nccl-tests JSON version 3";
enum { HOSTS_MAX = 1024, WORDS_MAX = 32 };

typedef struct collective_log {
    const char *collective;
    const char *gpu;
    double ranks;
    size_t nodes;
    gp_part hosts[HOSTS_MAX];
} collective_log;

/* Program names and what runs call the collective. */
static const struct {
    const char *program, *collective;
} programs[] = {
    {"all_reduce_perf", "all_reduce"},
    {"all_gather_perf", "all_gather"},
    {"reduce_scatter_perf", "reduce_scatter"},
    {"alltoall_perf", "alltoall"},
};

static const char *find_program(gp_part part) {
    for (size_t i = 0; i < GP_COUNT_OF(programs); i++)
        if (gp_part_after(part, programs[i].program).at != NULL)
            return programs[i].collective;
    return NULL;
}

static void add_host(collective_log *log, gp_part host) {
    for (size_t i = 0; i < log->nodes; i++)
        if (log->hosts[i].len == host.len && memcmp(log->hosts[i].at, host.at, host.len) == 0)
            return;
    if (log->nodes < HOSTS_MAX)
        log->hosts[log->nodes++] = host;
}

/* All ranks are on GPUs of one kind: else the slowest is told as the first. */
static void name_gpu(gp_reader *r, collective_log *log, gp_part name, gp_part place) {
    if (log->gpu == NULL) {
        log->gpu = gp_arena_strndup(r->arena, name.at, name.len);
    } else if (!gp_part_is(name, log->gpu)) {
        gp_reader_refuse(r, place, "a run on GPUs of one kind", "GPUs of several kinds in one run");
    }
}

/* "#  Rank  0 Group  0 Pid  41200 on    gpu-017 device  0 [0000:19:00] NVIDIA H100 80GB HBM3" */
static void add_rank(gp_reader *r, collective_log *log, gp_part line) {
    gp_part on = gp_part_after(line, " on ");
    gp_part name = gp_part_after(line, "] ");
    if (on.at == NULL || name.at == NULL)
        return;
    add_host(log, gp_part_word(&on));
    log->ranks += 1;
    name = gp_part_trim(name);
    name_gpu(r, log, name, name);
}

static double bus_factor(const char *collective, double ranks) {
    double share = (ranks - 1) / ranks;
    return gp_str_equal(collective, "all_reduce") ? 2 * share : share;
}

static void add_size(gp_reader *r, const collective_log *log, double bytes, double time_us,
                     double bus, gp_part place) {
    static const double gb_per_s_us = 1e3; /* bytes per microsecond in a GB/s: a definition */
    static const double slack = 0.02;
    double said = bytes / time_us / gb_per_s_us * bus_factor(log->collective, log->ranks);
    if (fabs(said / bus - 1) > slack) {
        gp_reader_refuse(r, place, "busbw = factor x size / time",
                         "bus bandwidth and time do not fit the collective and its ranks");
        return;
    }
    bool far = log->nodes > 1;
    const char *suffix = gp_arena_printf(r->arena, "-%lld", (long long)bytes);
    gp_reading *row = gp_reader_add(
        r, far ? GP_RUNS_COLLECTIVES_MULTINODE : GP_RUNS_COLLECTIVES_ONE_NODE, suffix);
    gp_reading_text(r, row, "gpu", log->gpu);
    gp_reading_text(r, row, "collective", log->collective);
    if (far)
        gp_reading_number(r, row, "nodes", (double)log->nodes);
    gp_reading_number(r, row, "ranks", log->ranks);
    if (far) {
        gp_reading_text(r, row, "payload", gp_arena_printf(r->arena, "%lld B", (long long)bytes));
        gp_reading_number(r, row, "busbw_GBps", bus);
    } else {
        gp_reading_text(r, row, "bytes", gp_arena_printf(r->arena, "%lld", (long long)bytes));
        gp_reading_number(r, row, "time_us", time_us);
    }
}

/* What the log leaves open is the caller's to say. */
static bool complete(gp_reader *r, collective_log *log) {
    const char *set = gp_reader_set(r, "collective");
    double ranks = gp_reader_set_number(r, "ranks");
    double nodes = gp_reader_set_number(r, "nodes");
    log->collective = set != NULL ? set : log->collective;
    log->ranks = ranks > 0 ? ranks : log->ranks;
    log->nodes = nodes > 0 ? (size_t)nodes : log->nodes;
    if (log->collective == NULL) {
        gp_reader_refuse_all(r, "--set collective=all_reduce",
                             "the log does not say which collective was timed");
        return false;
    }
    if (log->ranks < 2) {
        gp_reader_refuse_all(r, "--set ranks=N and, over several machines, --set nodes=N",
                             "the log does not list the GPUs that took part");
        return false;
    }
    return true;
}

/* ---- the table ------------------------------------------------------------------------------- */

typedef struct nccl_columns {
    int time, bus, wrong; /* of the first block; -1: none */
    int count;
} nccl_columns;

/* A row has as many words as the header, save the labels that only old releases leave out. */
static bool find_columns(gp_reader *r, gp_part line, nccl_columns *ret) {
    gp_part rest = line;
    *ret = (nccl_columns){.time = -1, .bus = -1, .wrong = -1};
    (void)gp_part_word(&rest); /* "#" */
    for (gp_part word = gp_part_word(&rest); word.len > 0; word = gp_part_word(&rest)) {
        int at = ret->count++;
        if (gp_part_is(word, "cputime")) {
            gp_reader_refuse(r, word, "a run without -C 1", "times of the CPU, not of the GPUs");
            return false;
        }
        ret->time = gp_part_is(word, "time") && ret->time < 0 ? at : ret->time;
        ret->bus = gp_part_is(word, "busbw") && ret->bus < 0 ? at : ret->bus;
        bool wrong = gp_part_is(word, "#wrong");
        ret->wrong = wrong && ret->wrong < 0 ? at : ret->wrong;
    }
    if (ret->time < 0 || ret->bus < 0) {
        gp_reader_refuse(r, line, known_nccl, "a table of another form");
        return false;
    }
    return true;
}

static void read_nccl_row(gp_reader *r, const collective_log *log, const nccl_columns *columns,
                          gp_part line) {
    gp_part rest = line;
    gp_part words[WORDS_MAX] = {{.at = NULL}};
    int count = 0;
    double bytes = 0;
    double time_us = 0;
    double bus = 0;
    double wrong = 0;
    for (gp_part word = gp_part_word(&rest); word.len > 0 && count < WORDS_MAX;
         word = gp_part_word(&rest))
        words[count++] = word;
    if (count < columns->count || !gp_part_number(words[0], &bytes) ||
        !gp_part_number(words[columns->time], &time_us) ||
        !gp_part_number(words[columns->bus], &bus)) {
        gp_reader_refuse(r, line, known_nccl, "a row that does not fit its header");
        return;
    }
    if (columns->wrong >= 0 && gp_part_number(words[columns->wrong], &wrong) && wrong > 0) {
        gp_reader_refuse(r, words[columns->wrong], NULL, "wrong results: not a measurement");
        return;
    }
    if (bytes > 0 && time_us > 0 && bus > 0)
        add_size(r, log, bytes, time_us, bus, line);
}

static bool starts_with_digit(gp_part line) {
    line = gp_part_trim(line);
    return line.len > 0 && line.at[0] >= '0' && line.at[0] <= '9';
}

static void check_version(gp_reader *r, gp_part line) {
    gp_part version = gp_part_after(line, "nccl-tests version ");
    if (version.at != NULL && !gp_part_starts(version, "2."))
        gp_reader_refuse(r, line, known_nccl, "a version of nccl-tests that is not known");
}

/* False where what follows cannot be read. */
static bool read_nccl_comment(gp_reader *r, collective_log *log, nccl_columns *columns,
                              gp_part line) {
    size_t errors = r->diags->errors;
    gp_part rest = line;
    bool titled = gp_part_after(line, "Collective test starting:").at != NULL;
    const char *program = titled ? find_program(line) : NULL;
    log->collective = program != NULL ? program : log->collective;
    (void)gp_part_word(&rest); /* "#" */
    check_version(r, line);
    if (gp_part_is(gp_part_word(&rest), "Rank"))
        add_rank(r, log, line);
    else if (gp_part_after(line, "algbw").at != NULL)
        (void)find_columns(r, line, columns);
    return r->diags->errors == errors;
}

static void read_nccl_table(gp_reader *r) {
    collective_log *log = GP_NEW(r->arena, collective_log);
    nccl_columns columns = {.count = 0};
    bool ready = false;
    for (size_t i = 0; i < r->text->line_count; i++) {
        gp_part line = gp_reader_line(r, i);
        gp_part rest = line;
        if (starts_with_digit(line)) {
            if (columns.count == 0) {
                gp_reader_refuse(r, line, known_nccl, "a row without a header before it");
                return;
            }
            ready = ready || complete(r, log);
            if (!ready)
                return;
            read_nccl_row(r, log, &columns, line);
        } else if (gp_part_is(gp_part_word(&rest), "#") &&
                   !read_nccl_comment(r, log, &columns, line)) {
            return;
        }
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static double number_of(const gp_node *map, const char *key) {
    const gp_node *node = gp_node_get(map, key);
    double value = 0;
    bool scalar = node != NULL && node->kind == GP_NODE_SCALAR && !gp_node_is_null(node);
    return scalar && gp_part_number((gp_part){node->text, node->len}, &value) ? value : 0;
}

static void read_devices(gp_reader *r, const gp_node *config, collective_log *log) {
    const gp_node *devices = gp_node_get(config, "devices");
    size_t count = devices != NULL && devices->kind == GP_NODE_SEQ ? devices->count : 0;
    for (size_t i = 0; i < count; i++) {
        const gp_node *host = gp_node_get(devices->items[i], "hostname");
        const gp_node *name = gp_node_get(devices->items[i], "device_info");
        if (host != NULL && host->kind == GP_NODE_SCALAR) {
            add_host(log, (gp_part){host->text, host->len});
            log->ranks += 1;
        }
        if (name != NULL && name->kind == GP_NODE_SCALAR) {
            gp_part place = {r->text->data + name->span.begin, name->span.end - name->span.begin};
            name_gpu(r, log, (gp_part){name->text, name->len}, place);
        }
    }
}

static void read_nccl_json(gp_reader *r) {
    static const gp_source_limits limits = GP_SOURCE_LIMITS_INIT;
    collective_log *log = GP_NEW(r->arena, collective_log);
    const gp_node *root = NULL;
    r->st = gp_json_read(r->arena, r->text, &limits, r->diags, &root);
    if (r->st != GP_OK)
        return;
    if (!gp_node_is(gp_node_get(root, "version"), "3")) {
        gp_reader_refuse_all(r, known_nccl, "a version of the JSON form that is not known");
        return;
    }
    const gp_node *args = gp_node_get(root, "args");
    if (args != NULL && args->kind == GP_NODE_SEQ && args->count > 0 &&
        args->items[0]->kind == GP_NODE_SCALAR)
        log->collective = find_program((gp_part){args->items[0]->text, args->items[0]->len});
    read_devices(r, gp_node_get(root, "config"), log);
    const gp_node *results = gp_node_get(root, "results");
    size_t count = results != NULL && results->kind == GP_NODE_SEQ ? results->count : 0;
    if (!complete(r, log))
        return;
    for (size_t i = 0; i < count; i++) {
        const gp_node *block = gp_node_get(results->items[i], "out_of_place");
        const gp_node *used = block == NULL || gp_node_is_null(block)
                                  ? gp_node_get(results->items[i], "in_place")
                                  : block;
        double bytes = number_of(results->items[i], "size");
        double time_us = number_of(used, "time");
        gp_span span = results->items[i]->span;
        if (bytes > 0 && time_us > 0)
            add_size(r, log, bytes, time_us, number_of(used, "bus_bw"),
                     (gp_part){r->text->data + span.begin, span.end - span.begin});
    }
}

void gp_read_nccl_tests(gp_reader *r) {
    gp_part all = gp_part_trim((gp_part){r->text->data, r->text->len});
    if (gp_part_starts(all, "{"))
        read_nccl_json(r);
    else
        read_nccl_table(r);
}

/* ---- perftest -------------------------------------------------------------------------------- */

static const char known_perftest[] = "BW average[Gb/sec], [MiB/sec] or [MB/sec]";

/* GB/s in one of the units that the header may name; MB here means 2^20 bytes, too. */
static double perftest_unit(gp_part header) {
    static const double gb_per_gbit = 0.125; /* definitions */
    static const double gb_per_mib = 1024.0 * 1024 / 1e9;
    gp_part unit = gp_part_after(header, "BW average[");
    if (gp_part_starts(unit, "Gb/sec]"))
        return gb_per_gbit;
    bool mib = gp_part_starts(unit, "MiB/sec]") || gp_part_starts(unit, "MB/sec]");
    return mib ? gb_per_mib : 0;
}

/* What is said before the table. */
typedef struct perftest_log {
    const char *collective, *gpu;
    double unit;    /* GB/s in the table's; 0: no table yet */
    double streams; /* directions in the sum */
    int average;    /* column of the mean rate */
} perftest_log;

/* "BW average[Gb/sec]" is one column of two words. */
static int perftest_average(gp_part header) {
    gp_part rest = header;
    int at = 0;
    for (gp_part word = gp_part_word(&rest); word.len > 0; word = gp_part_word(&rest)) {
        if (gp_part_is(word, "BW"))
            if (gp_part_starts(gp_part_word(&rest), "average["))
                return at;
        at++;
    }
    return -1;
}

/* "RDMA_Write Bidirectional BW Test", "device name = [NVIDIA H100 80GB HBM3]". */
static void read_perftest_head(gp_reader *r, gp_part line, perftest_log *log) {
    static const struct {
        const char *word, *collective;
    } tests[] = {{"RDMA_Write", "rdma_write"}, {"RDMA_Read", "rdma_read"}, {"Send", "send"}};
    gp_part name = gp_part_after(line, "device name = [");
    gp_part ports = gp_part_after(line, "Dual-port");
    if (gp_part_after(line, "BW Test").at != NULL) {
        log->streams = gp_part_after(line, "Bidirectional").at != NULL ? 2 : 1;
        for (size_t i = 0; i < GP_COUNT_OF(tests); i++)
            if (gp_part_after(line, tests[i].word).at != NULL)
                log->collective = tests[i].collective;
    } else if (name.at != NULL) {
        name = gp_part_until(&name, ']');
        log->gpu = gp_arena_strndup(r->arena, name.at, name.len);
    } else if (ports.at != NULL && gp_part_after(ports, ": ON").at != NULL) {
        gp_reader_refuse(r, line, "a run with one port", "rates of two ports");
    } else if (gp_part_after(line, "#bytes").at != NULL) {
        log->unit = perftest_unit(line);
        log->average = perftest_average(line);
        if (log->unit <= 0 || log->average < 0)
            gp_reader_refuse(r, line, known_perftest, "a table of another form");
    }
}

static void read_perftest_row(gp_reader *r, gp_part line, const perftest_log *log) {
    gp_part rest = line;
    double bytes = 0;
    double average = 0;
    gp_part word = gp_part_word(&rest);
    (void)gp_part_number(word, &bytes);
    for (int i = 0; i < log->average; i++)
        word = gp_part_word(&rest);
    if (!gp_part_number(word, &average) || !(average > 0) ||
        !(bytes > 0 && bytes < (double)GP_NUM_COUNT_MAX)) {
        gp_reader_refuse(r, line, known_perftest, "a row that does not fit its header");
        return;
    }
    gp_reading *row = gp_reader_add(r, GP_RUNS_COLLECTIVES_MULTINODE,
                                    gp_arena_printf(r->arena, "-%lld", (long long)bytes));
    gp_reading_text(r, row, "gpu", log->gpu);
    gp_reading_text(r, row, "collective", log->collective);
    gp_reading_number(r, row, "nodes", 2);
    gp_reading_number(r, row, "ranks", 2);
    gp_reading_text(r, row, "payload", gp_arena_printf(r->arena, "%lld B", (long long)bytes));
    gp_reading_number(r, row, "busbw_GBps", average * log->unit / log->streams);
}

void gp_read_perftest(gp_reader *r) {
    perftest_log log = {.collective = "rdma_write", .streams = 1};
    for (size_t i = 0; i < r->text->line_count; i++) {
        size_t errors = r->diags->errors;
        gp_part line = gp_reader_line(r, i);
        if (!starts_with_digit(line)) {
            read_perftest_head(r, line, &log);
            if (r->diags->errors > errors)
                return;
        } else if (log.unit <= 0) {
            gp_reader_refuse(r, line, known_perftest, "a row without a header before it");
            return;
        } else {
            read_perftest_row(r, line, &log);
        }
    }
}
