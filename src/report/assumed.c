/*
 * Assumptions are made and shown one by one, under their own paths. Most workloads share theirs:
 * what is written is each path and value once, and with each workload the places of its own.
 */
#include "report/assumed.h"

#include <string.h>

#include "base/index.h"
#include "base/sort.h"
#include "base/str.h"

static const char low[] = "low";
static const char medium[] = "medium";
static const char high[] = "high";
static const char any_workload[] = "workloads.*";

/* How much an answer moves with a field, from the most on; what is not here moves it little. */
typedef struct leverage_row {
    const char *suffix;
    const char *leverage;
} leverage_row;

static const leverage_row leverages[] = {
    {".traffic.requestsPerSecond.peak", high},
    {".software.tuning", high},
    {"site.power.annual.pue", high},
    {"site.power.design.pue", high},
    {".precision.compute", high},
    {".precision.weights", high},
    {".data.sequenceLength", high},
    {".data.globalBatch", medium},
    {".data.packing", medium},
    {".precision.kvCache", medium},
    {".precision.optimizer", medium},
    {".precision.gradients", medium},
    {".adapter.base", medium},
    {".adapter.method", medium},
    {".traffic.images.edge", high},
    {".traffic.videos.width", high},
    {".traffic.videos.height", high},
    {".traffic.prefixCacheHit", medium},
    {".oversubscription", medium},
    {"headroom.gpus", medium},
    {"headroom.memory", medium},
    {"candidates.objective", medium},
    {"defaults.confidence", medium},
    {".data.epochs", medium},
};
enum { LEVERAGES = GP_COUNT_OF(leverages) };

/* Place in the table; LEVERAGES for what is not in it. */
static size_t leverage_row_of(const char *path) {
    size_t row = 0;
    while (row < LEVERAGES && !gp_str_ends(path, leverages[row].suffix))
        row++;
    return row;
}

const char *gp_leverage_of(const char *path) {
    size_t row = leverage_row_of(path);
    return row < LEVERAGES ? leverages[row].leverage : low;
}

static int rank(const char *leverage) {
    return gp_str_equal(leverage, high) ? 2 : gp_str_equal(leverage, medium);
}

static int by_leverage(const void *a, const void *b, const void *context) {
    (void)context;
    const gp_report_assumption *left = a;
    const gp_report_assumption *right = b;
    if (rank(left->leverage) != rank(right->leverage))
        return rank(right->leverage) - rank(left->leverage);
    return (int)leverage_row_of(left->path) - (int)leverage_row_of(right->path);
}

static void sort_assumptions(gp_arena *arena, gp_report *report) {
    gp_sort(arena, report->assumptions.items, report->assumptions.count,
            sizeof *report->assumptions.items, by_leverage, NULL);
}

/* ---- each once */

/* The workload that a path names, and what stands behind the name; NULL for none. */
static gp_report_workload *workload_of(const gp_report *report, const gp_index *names,
                                       const char *path, const char **ret_rest) {
    static const char head[] = "workloads.";
    size_t place = 0;
    if (!gp_str_starts(path, head))
        return NULL;
    const char *name = path + sizeof head - 1;
    const size_t len = strcspn(name, ".");
    *ret_rest = name + len;
    return gp_index_find(names, name, len, &place) ? &report->workloads.items[place] : NULL;
}

static size_t fold_one(gp_arena *arena, gp_report *report, gp_index *seen,
                       const gp_report_assumption *row, const char *path) {
    bool added = false;
    const char *key =
        gp_arena_printf(arena, "%s\n%s\n%s\n%s\n%d", path, row->value != NULL ? row->value : "",
                        row->source, row->leverage, row->verified);
    const size_t place = gp_index_place(seen, key, &added);
    if (added) {
        report->assumed.items[report->assumed.count] = *row;
        GP_NEXT(report->assumed).path = path;
    }
    return place;
}

void gp_assumptions_fold(gp_arena *arena, gp_report *report) {
    size_t *capacities = GP_NEW_ARRAY(arena, size_t, report->workloads.count + 1);
    gp_index names, seen;
    gp_index_init(&names, arena);
    gp_index_init(&seen, arena);
    for (size_t i = 0; i < report->workloads.count; i++)
        gp_index_set(&names, report->workloads.items[i].name,
                     strlen(report->workloads.items[i].name), i);
    sort_assumptions(arena, report);
    GP_ROOM(arena, &report->assumed, report->assumptions.count);
    for (size_t i = 0; i < report->assumptions.count; i++) {
        const gp_report_assumption *row = &report->assumptions.items[i];
        const char *rest = NULL;
        gp_report_workload *of = workload_of(report, &names, row->path, &rest);
        const char *path =
            of != NULL ? gp_arena_printf(arena, "%s%s", any_workload, rest) : row->path;
        const size_t place = fold_one(arena, report, &seen, row, path);
        if (of != NULL)
            GP_PUSH(arena, of->assumed.items, of->assumed.count,
                    capacities[of - report->workloads.items]) = (int64_t)place;
    }
}

/* ---- one by one */

static bool is_shared(const gp_report_assumption *row) {
    return row->path != NULL && gp_str_starts(row->path, any_workload);
}

static void push(gp_arena *arena, gp_report *report, size_t *capacity,
                 const gp_report_assumption *row, const char *path) {
    gp_report_assumption *next =
        &GP_PUSH(arena, report->assumptions.items, report->assumptions.count, *capacity);
    *next = *row;
    next->path = path;
}

bool gp_assumptions_unfold(gp_arena *arena, gp_report *report) {
    size_t capacity = 0;
    for (size_t i = 0; i < report->assumed.count; i++)
        if (!is_shared(&report->assumed.items[i]))
            push(arena, report, &capacity, &report->assumed.items[i],
                 report->assumed.items[i].path);
    for (size_t i = 0; i < report->workloads.count; i++) {
        const gp_report_workload *of = &report->workloads.items[i];
        for (size_t k = 0; k < of->assumed.count; k++) {
            const int64_t place = of->assumed.items[k];
            if (place < 0 || (size_t)place >= report->assumed.count || of->name == NULL ||
                !is_shared(&report->assumed.items[place]))
                return false;
            const gp_report_assumption *row = &report->assumed.items[place];
            push(arena, report, &capacity, row,
                 gp_arena_printf(arena, "workloads.%s%s", of->name,
                                 row->path + sizeof any_workload - 1));
        }
    }
    sort_assumptions(arena, report);
    return true;
}
