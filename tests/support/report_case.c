/* A plan result that a test may change, and the report of it. */
#include "support/report_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/produce.h"
#include "support/plan_flow.h"

static const size_t arena_bytes = (size_t)1 << 30;

/* Plans are made once for all cases of a program, which change copies. */
typedef struct planned {
    struct planned *next;
    char key[256];
    const gp_plan_result *result;
} planned;

static planned *all_planned;

static void key_of(const char *path, const gp_override *overrides, size_t count, char ret[256]) {
    int at = snprintf(ret, 256, "%s", path);
    for (size_t i = 0; i < count && at < 256; i++)
        at += snprintf(ret + at, 256 - (size_t)at, " %s=%s", overrides[i].path, overrides[i].value);
    assert_true(at < 256);
}

static const gp_plan_result *plan_of(const char *path, const gp_override *overrides, size_t count) {
    char key[256];
    key_of(path, overrides, count, key);
    for (const planned *p = all_planned; p != NULL; p = p->next)
        if (strcmp(p->key, key) == 0)
            return p->result;
    gp_arena *arena = gp_arena_new(arena_bytes);
    planned *made = calloc(1, sizeof *made);
    assert_non_null(arena);
    assert_non_null(made);
    *made = (planned){.next = all_planned, .result = gp_test_plan(arena, path, overrides, count)};
    memcpy(made->key, key, sizeof made->key);
    all_planned = made;
    return made->result;
}

static void *copy_of(gp_arena *arena, const void *items, size_t count, size_t size) {
    void *copy = gp_arena_alloc(arena, count + 1, size);
    assert_non_null(copy);
    if (count > 0)
        memcpy(copy, items, count * size);
    return copy;
}

#define COPY_LIST(arena, list)                                                                     \
    ((list).items = copy_of(arena, (list).items, (list).count, sizeof *(list).items))

report_case *report_case_new(const char *path) {
    return report_case_with(path, NULL, 0);
}

report_case *report_case_with(const char *path, const gp_override *overrides, size_t count) {
    const gp_plan_result *result = plan_of(path, overrides, count);
    gp_arena *arena = gp_arena_new(arena_bytes);
    assert_non_null(arena);
    report_case *c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->arena = arena;
    c->result = *result;
    c->document = *result->document;
    c->result.document = &c->document;
    COPY_LIST(arena, c->result.workloads);
    COPY_LIST(arena, c->result.room.kinds);
    COPY_LIST(arena, c->result.teams);
    c->workloads = c->result.workloads.items;
    return c;
}

report_case *report_case_together(const char *path) {
    static const gp_override together[] = {{"workloads.chat.disaggregated", "false"}};
    return report_case_with(path, together, 1);
}

void report_case_free(report_case *c) {
    gp_arena_free(c->arena);
    free(c);
}

const gp_report *report_case_build(report_case *c) {
    gp_report *report = NULL;
    gp_report_build(c->arena, &c->result, NULL, &report);
    assert_non_null(report);
    return report;
}

const gp_report_finding *report_case_finding(const gp_report *report, const char *id) {
    for (size_t i = 0; i < report->findings.count; i++)
        if (strcmp(report->findings.items[i].id, id) == 0)
            return &report->findings.items[i];
    return NULL;
}

const gp_report_check *report_case_check(const gp_report *report, const char *id) {
    for (size_t i = 0; i < report->checks.count; i++)
        if (strcmp(report->checks.items[i].id, id) == 0)
            return &report->checks.items[i];
    fail_msg("no check %s", id);
    return NULL;
}
