/* Rules about the plan as a whole: growth, prices, objective, quality of the data. */
#include "report/findings.h"

static void not_converged(gp_findings *findings) {
    if (findings->build->result->converged)
        return;
    gp_report_finding finding = gp_finding_new(findings, "GP3012");
    finding.message = GP_FINDING_TEXT(
        findings, "the joint choice still changed after %s",
        gp_build_count(findings->build, findings->build->result->iterations, "round", "rounds"));
    finding.fix = "give workloads different priorities, or a limit more room";
    gp_findings_add(findings, &finding, NULL, 0);
}

static void no_growth(gp_findings *findings) {
    const gp_plan_result *result = findings->build->result;
    if (result->growth_count > 0)
        return;
    gp_report_finding finding = gp_finding_new(findings, "GP3010");
    finding.message = "no growth is stated, so it is not known when limits are reached";
    finding.fix = "add growth.horizon and growth.scenarios.expected";
    gp_findings_add(findings, &finding, &result->document->spec.growth.meta, 0);
}

/* The first quarter says it all: later ones pass the same limit. */
static void growth_hits_limit(gp_findings *findings) {
    const gp_plan_result *result = findings->build->result;
    for (int i = 0; i < result->growth_count; i++) {
        const gp_growth_row *row = &result->growth[i];
        if (row->limit_hit == GP_BOUND_NONE)
            continue;
        gp_report_finding finding = gp_finding_new(findings, "GP3011");
        finding.metric = GP_FINDING_TEXT(findings, "growth.%d.limitHit", i);
        finding.message =
            GP_FINDING_TEXT(findings, "the limit of %s is passed in %s, at %s",
                            gp_build_bound_words(row->limit_hit),
                            gp_build_word(findings->build->report->growth.items[i].quarter),
                            gp_build_count(findings->build, row->gpus, "GPU", "GPUs"));
        finding.fix = "start to lift the limit its lead time earlier";
        gp_findings_add(findings, &finding, &result->document->spec.growth.meta, 0);
        return;
    }
}

static void no_price(gp_findings *findings) {
    const gp_plan_result *result = findings->build->result;
    if (result->site.priced)
        return;
    gp_report_finding finding = gp_finding_new(findings, "GP6001");
    finding.metric = "cost.totalPerYear";
    finding.message = "an item has no price, so cost is not given";
    finding.fix = "add a Prices document and costs.prices";
    gp_findings_add(findings, &finding, &result->document->spec.costs.meta, 0);
}

static void objective_matters(gp_findings *findings) {
    const gp_plan_result *result = findings->build->result;
    if (!result->objective_changes_verdict)
        return;
    gp_report_finding finding = gp_finding_new(findings, "GP6003");
    finding.metric = "summary.otherObjective";
    finding.message = GP_FINDING_TEXT(findings, "by %s instead of %s a verdict would be another",
                                      gp_objective_name(result->other_objective),
                                      gp_objective_name(result->objective));
    finding.fix = "state candidates.objective";
    gp_findings_add(findings, &finding, &result->document->spec.candidates.meta,
                    offsetof(gp_candidates, objective));
}

static void unverified_data(gp_findings *findings) {
    const gp_report_data *data = &findings->build->report->data;
    if (data->unverified.count == 0)
        return;
    gp_report_finding finding = gp_finding_new(findings, "GP7001");
    gp_finding_figures(&finding, "data.unverifiedShare", data->unverified_share, 0, GP_DIM_FRACTION,
                       true);
    finding.message =
        GP_FINDING_TEXT(findings, "%s of the inputs beneath the answer are unverified or assumed",
                        GP_FINDING_QUANTITY(findings, data->unverified_share, GP_DIM_FRACTION));
    finding.fix = "check those in data.unverified, or override them by your own";
    gp_findings_add(findings, &finding, NULL, 0);
}

gp_rule_function *const gp_rules_plan[] = {
    not_converged, no_growth, growth_hits_limit, no_price, objective_matters, unverified_data, NULL,
};
