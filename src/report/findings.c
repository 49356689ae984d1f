/*
 * Collecting findings: makes them, gives them a place in the spec, keeps them in order of gravity
 * and, among equals, of the spec.
 */
#include "report/findings.h"

#include "base/str.h"
#include "report/value.h"

gp_report_finding gp_finding_new(const gp_findings *findings, const char *id) {
    gp_report_finding finding;
    gp_report_clear(&gp_report_finding_type, &finding);
    finding.id = id;
    finding.level = gp_report_rule_named(id)->level;
    if (findings->plan != NULL)
        finding.workload = findings->plan->workload->name;
    return finding;
}

void gp_finding_figures(gp_report_finding *finding, const char *metric, double value, double limit,
                        gp_dim dim, bool lower_is_better) {
    finding->metric = metric;
    finding->value = value;
    finding->limit = limit;
    finding->margin = lower_is_better ? limit - value : value - limit;
    finding->dim = dim;
    finding->unit = gp_dim_base_unit(dim);
}

/* The field itself, the struct it stands in, the workload, in this order. */
static gp_span find_span(const gp_findings *findings, gp_ref field) {
    const gp_meta *meta = field.meta;
    const gp_span nowhere = {0};
    const gp_workload *workload = findings->plan != NULL ? findings->plan->workload : NULL;
    if (meta != NULL && gp_origin_at(meta, field.offset)->span.text != NULL)
        return gp_origin_at(meta, field.offset)->span;
    if (meta != NULL && meta->span.text != NULL)
        return meta->span;
    if (workload == NULL)
        return nowhere;
    const gp_span name = GP_ORIGIN_OF(workload, gp_workload, name)->span;
    return name.text != NULL ? name : workload->meta.span;
}

void gp_finding_place(gp_report_finding *finding, gp_span span) {
    if (span.text == NULL)
        return;
    gp_place place = gp_span_place(span);
    finding->span = span;
    finding->file = span.text->name;
    finding->line = (int64_t)place.line;
    finding->column = (int64_t)place.column;
}

const char *gp_finding_list(gp_findings *findings, const char *const *names, size_t count) {
    const char *text = count > 0 ? gp_build_word(names[0]) : "";
    for (size_t i = 1; i < count; i++)
        text = GP_FINDING_TEXT(findings, "%s%s%s", text, i + 1 < count ? ", " : " and ",
                               gp_build_word(names[i]));
    return text;
}

/* One of several sites is named, and its figures lie with it. */
static void name_site(gp_findings *findings, gp_report_finding *finding) {
    static const char site[] = "site.";
    if (findings->site == NULL)
        return;
    finding->message = GP_FINDING_TEXT(findings, "%s: %s", findings->site, finding->message);
    if (finding->metric != NULL && gp_str_starts(finding->metric, site))
        finding->metric =
            GP_FINDING_TEXT(findings, "sites.%zu.%s", findings->site_index, finding->metric);
}

void gp_findings_add(gp_findings *findings, gp_report_finding *finding, gp_ref field) {
    gp_report *report = findings->build->report;
    gp_finding_place(finding, find_span(findings, field));
    name_site(findings, finding);
    GP_PUSH(findings->build->arena, report->findings.items, report->findings.count, findings->cap) =
        *finding;
}

static int gravity(const char *level) {
    const int known = gp_level_named(level);
    return known < 0 ? GP_LEVEL_NOTE : known;
}

int gp_finding_by_gravity(const void *a, const void *b, const void *context) {
    (void)context;
    return gravity(((const gp_report_finding *)b)->level) -
           gravity(((const gp_report_finding *)a)->level);
}
