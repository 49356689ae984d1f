/* Every rule over a finished plan: those of one workload on each, then those of the whole. */
#include "report/findings.h"

#include "base/sort.h"

static void run(gp_findings *findings, gp_rule_function *const *rules) {
    for (; *rules != NULL; rules++)
        (*rules)(findings);
}

void gp_build_findings(gp_build *build) {
    const gp_plan_result *result = build->result;
    gp_report *report = build->report;
    gp_findings findings = {.build = build};
    for (size_t i = 0; i < result->workloads.count; i++) {
        findings.plan = &result->workloads.items[i];
        findings.figures = &report->workloads.items[i];
        run(&findings, gp_rules_fit);
        run(&findings, gp_rules_run);
        run(&findings, gp_rules_network);
        run(&findings, gp_rules_schedule);
    }
    findings.plan = NULL;
    findings.figures = NULL;
    run(&findings, gp_rules_site);
    gp_findings_places(&findings);
    run(&findings, gp_rules_plan);
    gp_findings_teams(&findings);
    gp_findings_later(&findings);
    gp_sort(build->arena, report->findings.items, report->findings.count,
            sizeof *report->findings.items, gp_finding_by_gravity, NULL);
}
