/*
 * Fields that the spec gives but that no estimator reads yet: each is a finding, so that nobody
 * takes silence for an answer.
 */
#include "report/findings.h"

#include "schema/visit.h"

static bool is_given(const gp_origin *origin) {
    return origin->kind == GP_ORIGIN_SPEC || origin->kind == GP_ORIGIN_FLAG;
}

static void look(const gp_visit *visit) {
    gp_findings *findings = visit->context;
    if ((visit->field->flags & GP_FIELD_LATER) == 0 || !is_given(visit->origin))
        return;
    gp_report_finding finding = gp_finding_new(findings, "GP7003");
    finding.message = GP_FINDING_TEXT(
        findings, "%s is validated, but has no effect on the estimates yet", visit->path);
    finding.fix = "do not rely on it in this answer";
    gp_findings_add(findings, &finding, NULL, 0);
    gp_report *report = findings->build->report;
    gp_finding_place(&report->findings.items[report->findings.count - 1], visit->origin->span);
}

void gp_findings_later(gp_findings *findings) {
    const gp_plan_spec *spec = &findings->build->result->document->spec;
    if (spec->meta.type == NULL)
        return;
    gp_struct_visit(findings->build->arena, spec, "", look, findings);
}
