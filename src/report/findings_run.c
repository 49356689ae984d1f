/* Rules about the course of a training run: batches that do not divide, waits for machines. */
#include "report/findings.h"

static bool runs(const gp_findings *findings) {
    const gp_workload_plan *plan = findings->plan;
    return !plan->is_serving && plan->chosen.present && plan->chosen.feasible;
}

static void batch_does_not_divide(gp_findings *findings) {
    const gp_workload_plan *plan = findings->plan;
    if (!runs(findings))
        return;
    const gp_data *data = &plan->workload->data;
    const double sequences = gp_train_step_sequences(&plan->train, &plan->chosen.layout);
    const double places = gp_train_step_places(&plan->train, &plan->chosen.layout);
    const double threshold = gp_report_rule_named("GP3013")->threshold;
    if (!(1 - sequences / places > threshold))
        return;
    gp_findings_say(findings, "GP3013", GP_REF(data, gp_data, global_batch),
                    GP_FOUND("performance.stepFillFraction", sequences / places, 1 - threshold,
                             GP_DIM_FRACTION, false),
                    GP_FINDING_TEXT(findings, "a data.globalBatch of %s takes the same time",
                                    GP_FINDING_QUANTITY(findings, places * data->sequence_length,
                                                        GP_DIM_COUNT)),
                    "the %s of a step fill %s of the slots on %s in micro-batches of %lld",
                    gp_build_count(findings->build, (int64_t)sequences, "sequence"),
                    GP_FINDING_QUANTITY(findings, sequences / places, GP_DIM_FRACTION),
                    gp_build_count(findings->build, plan->chosen.layout.dp, "replica"),
                    (long long)plan->chosen.layout.micro_batch);
}

static void waits_for_spares(gp_findings *findings) {
    const gp_workload_plan *plan = findings->plan;
    const gp_run *run = &plan->chosen.run;
    const double threshold = gp_report_rule_named("GP3014")->threshold;
    if (!runs(findings) || !(run->wall_s > 0))
        return;
    const double share = run->spare_wait_s * (run->failures + run->taken) / run->wall_s;
    if (!(share > threshold))
        return;
    const gp_constants *k = findings->build->result->constants;
    const int64_t nodes = plan->chosen.job_nodes;
    const int64_t enough = gp_spare_replicas(nodes, 1, k->run_spares_fraction, k);
    const gp_reserve *reserve = &findings->build->result->document->spec.cluster.reserve;
    gp_findings_say(
        findings, "GP3014", GP_REF(reserve, gp_reserve, spare_nodes),
        GP_FOUND("performance.spareWaitS", share, threshold, GP_DIM_FRACTION, true),
        enough > run->spare_nodes
            ? GP_FINDING_TEXT(findings, "keep %lld in cluster.reserve.spareNodes",
                              (long long)enough)
            : "keep more in cluster.reserve.spareNodes, or have machines repaired sooner",
        "%s of the run is spent waiting for repairs: %s for %s in use",
        GP_FINDING_QUANTITY(findings, share, GP_DIM_FRACTION),
        gp_build_count(findings->build, run->spare_nodes, "spare"),
        gp_build_count(findings->build, nodes, "machine"));
}

gp_rule_function *const gp_rules_run[] = {batch_does_not_divide, waits_for_spares, NULL};
