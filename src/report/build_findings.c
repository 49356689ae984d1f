/* Every rule over a finished plan: those of one workload on each, then those of the whole. */
#include "report/findings.h"

#include "base/sort.h"
#include "schema/visit.h"

static void run(gp_findings *findings, gp_rule_function *const *rules) {
    for (; *rules != NULL; rules++)
        (*rules)(findings);
}

static bool is_given(const gp_origin *origin) {
    return origin->kind == GP_ORIGIN_SPEC || origin->kind == GP_ORIGIN_FLAG;
}

/* Fields that the spec gives but that no estimator reads yet: nobody is to take silence for an
 * answer. */
static void look_for_later(const gp_visit *visit) {
    gp_findings *findings = visit->context;
    if ((visit->field->flags & GP_FIELD_LATER) == 0 || !is_given(visit->origin))
        return;
    gp_report_finding *finding = gp_findings_say(
        findings, "GP7003", GP_REF_NONE, GP_FOUND_AT(NULL), "do not rely on it in this answer",
        "%s is validated, but has no effect on the estimates yet", visit->path);
    gp_finding_place(finding, visit->origin->span);
}

static void add_later(gp_findings *findings) {
    const gp_plan_spec *spec = &findings->build->result->document->spec;
    if (spec->meta.type == NULL)
        return;
    gp_struct_visit(findings->build->arena, spec, "", look_for_later, findings);
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
    add_later(&findings);
    gp_sort(build->arena, report->findings.items, report->findings.count,
            sizeof *report->findings.items, gp_finding_by_gravity, NULL);
}
