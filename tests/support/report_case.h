/* A plan result that a test may change, and the report of it. */
#ifndef GP_TESTS_REPORT_CASE_H
#define GP_TESTS_REPORT_CASE_H

#include "plan/plan.h"
#include <gpuplan/report.h>

typedef struct report_case {
    gp_arena *arena;
    gp_plan_result result;       /* a copy: its workloads may be changed */
    gp_plan_document document;   /* likewise; result.document points here */
    gp_workload_plan *workloads; /* result.workloads.items */
} report_case;

/* Plans an example and copies what tests change. */
report_case *report_case_new(const char *path);
/* The same with values of the spec overridden. */
report_case *report_case_with(const char *path, const gp_override *overrides, size_t count);
/* The same with prefill and decode of the workload "chat" on the same replicas. */
report_case *report_case_together(const char *path);
void report_case_free(report_case *c);
const gp_report *report_case_build(report_case *c);
/* The first finding with this id, or NULL. */
const gp_report_finding *report_case_finding(const gp_report *report, const char *id);
const gp_report_check *report_case_check(const gp_report *report, const char *id);

#endif
