/*
 * Collecting findings: makes them, gives them a place in the spec, keeps them in order of gravity
 * and, among equals, of the spec.
 */
#include "report/findings.h"

#include <stdarg.h>

#include "base/str.h"
#include "report/value.h"

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

static void fill_figures(gp_report_finding *finding, gp_found found) {
    finding->metric = found.metric;
    finding->value = found.value;
    finding->limit = found.limit;
    finding->margin = found.lower_is_better ? found.limit - found.value : found.value - found.limit;
    finding->dim = found.dim;
    finding->unit = found.has_unit ? gp_dim_base_unit(found.dim) : NULL;
}

gp_report_finding *gp_findings_say(gp_findings *findings, const char *id, gp_ref field,
                                   gp_found found, const char *fix, const char *message, ...) {
    gp_arena *arena = findings->build->arena;
    gp_report *report = findings->build->report;
    gp_report_finding *finding =
        &GP_PUSH(arena, report->findings.items, report->findings.count, findings->cap);
    va_list args;
    gp_report_clear(&gp_report_finding_type, finding);
    va_start(args, message);
    finding->message = gp_arena_vprintf(arena, message, args);
    va_end(args);
    finding->id = id;
    finding->level = gp_report_rule_named(id)->level;
    finding->workload = findings->plan != NULL ? findings->plan->workload->name : NULL;
    finding->fix = fix;
    fill_figures(finding, found);
    gp_finding_place(finding, find_span(findings, field));
    name_site(findings, finding);
    return finding;
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

/* "type: "infer" is not a valid choice (expected: one of rl, inference) (nearest: inference)" */
static const char *error_text(gp_arena *arena, const gp_diag *diag) {
    const char *expected =
        diag->expected != NULL ? gp_arena_printf(arena, " (expected: %s)", diag->expected) : "";
    const char *nearest =
        diag->nearest != NULL ? gp_arena_printf(arena, " (nearest: %s)", diag->nearest) : "";
    return gp_arena_printf(arena, "%s%s%s", diag->message, expected, nearest);
}

void gp_report_of_errors(gp_arena *arena, const gp_diags *diags, const char *spec,
                         gp_report **ret_report) {
    gp_report *report = GP_NEW(arena, gp_report);
    gp_report_clear(&gp_report_type, report);
    report->inputs.spec.path = spec;
    GP_ROOM(arena, &report->findings, diags->count);
    for (size_t i = 0; i < diags->count; i++) {
        const gp_diag *diag = &diags->items[i];
        gp_report_finding *finding = &GP_NEXT(report->findings);
        gp_report_clear(&gp_report_finding_type, finding);
        finding->id = diag->id;
        finding->level = gp_level_name(diag->level);
        finding->message = error_text(arena, diag);
        gp_finding_place(finding, diag->span);
    }
    *ret_report = report;
}
