/* A plan result that a test may change, and the report of it. */
#include "support/report_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/produce.h"
#include "support/plan_flow.h"

static const size_t arena_bytes = (size_t)1 << 30;

report_case *report_case_new(const char *path) {
    return report_case_with(path, NULL, 0);
}

report_case *report_case_with(const char *path, const gp_override *overrides, size_t count) {
    gp_arena *arena = gp_arena_new(arena_bytes);
    assert_non_null(arena);
    const gp_plan_result *planned = gp_test_plan(arena, path, overrides, count);
    report_case *c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->arena = arena;
    c->result = *planned;
    c->document = *planned->document;
    c->workloads = GP_NEW_ARRAY(arena, gp_workload_plan, planned->workloads.count);
    assert_non_null(c->workloads);
    memcpy(c->workloads, planned->workloads.items, planned->workloads.count * sizeof *c->workloads);
    c->result.document = &c->document;
    c->result.workloads.items = c->workloads;
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
