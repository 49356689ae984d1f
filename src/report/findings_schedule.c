/* Rules about machines over time: turns, queues, hours that services leave idle. */
#include "report/findings.h"

/* Runs on machines that others hold first. */
static void takes_turns(gp_findings *findings) {
    static const char *const whose[GP_TURN_COUNT] = {
        [GP_TURN_OWN] = "",
        [GP_TURN_AFTER] = "machines that earlier jobs free",
        [GP_TURN_QUEUE] = "machines of other recurring runs, in turn",
        [GP_TURN_IDLE] = "machines that services leave idle at off-peak hours",
    };
    const gp_workload_plan *plan = findings->plan;
    const gp_timing *timing = &plan->chosen.timing;
    if (!plan->chosen.feasible || timing->turn == GP_TURN_OWN)
        return;
    const char *when =
        timing->share_fraction > 0
            ? GP_FINDING_TEXT(
                  findings, "for %s of the time",
                  GP_FINDING_QUANTITY(findings, timing->share_fraction, GP_DIM_FRACTION))
            : GP_FINDING_TEXT(findings, "after %s at the latest",
                              GP_FINDING_QUANTITY(findings, timing->wait_s, GP_DIM_TIME));
    gp_findings_say(findings, "GP3031", GP_REF_NONE, GP_FOUND_AT("performance.timeToCompleteS"),
                    "raise its priority if it must not wait", "runs on %s, %s", whose[timing->turn],
                    when);
}

/* The wait and the run together pass what one run may take. */
static void queue_too_long(gp_findings *findings) {
    const gp_workload_plan *plan = findings->plan;
    const gp_schedule_claim *claim = &plan->claim;
    const double allowed = plan->workload->goal.max_duration_s;
    if (!plan->chosen.feasible || !claim->queued || !(allowed > 0) ||
        plan->chosen.timing.turn != GP_TURN_OWN)
        return;
    const double total = claim->wait_p95_s + plan->chosen.time_to_complete_s.expected;
    if (total <= allowed)
        return;
    gp_findings_say(
        findings, "GP3032", GP_REF_NONE,
        GP_FOUND("performance.timeToCompleteS", total, allowed, GP_DIM_TIME, true),
        "spread the runs, or add slots with jobs.concurrent", "%s",
        isfinite(total)
            ? GP_FINDING_TEXT(
                  findings, "randomly arriving runs wait %s for a slot (p95), %s including the run",
                  GP_FINDING_QUANTITY(findings, claim->wait_p95_s, GP_DIM_TIME),
                  GP_FINDING_QUANTITY(findings, total, GP_DIM_TIME))
            : "runs arrive faster than their slots can process them: the queue grows without "
              "bound");
}

static void could_use_nights(gp_findings *findings) {
    const gp_workload_plan *plan = findings->plan;
    if (!plan->claim.could_idle)
        return;
    gp_findings_say(
        findings, "GP3033", GP_REF_NONE, GP_FOUND_AT("performance.timeToCompleteS"),
        GP_FINDING_TEXT(findings, "set workloads.%s.placement.timeSharing to true",
                        plan->workload->name),
        "would meet its goal on machines that services leave idle at off-peak hours, without %s "
        "of its own",
        gp_build_count(findings->build, plan->claim.nodes, "machine"));
}

typedef struct host_part {
    const char *metric, *what;
    double need, have;
    gp_dim dim;
} host_part;

/* "56 cores", "2 TiB of memory" */
static const char *amount_words(gp_findings *findings, const host_part *part, double value) {
    return GP_FINDING_TEXT(findings, "%s%s %s", GP_FINDING_QUANTITY(findings, value, part->dim),
                           part->dim == GP_DIM_BYTES ? " of" : "", part->what);
}

/* Memory, cores and drives of a machine: short, or not stated. */
static void host_short(gp_findings *findings) {
    const gp_report_host *host = &findings->figures->host;
    const double cores = host->cores != GP_REPORT_NO_COUNT ? (double)host->cores : 0;
    const host_part parts[] = {
        {"host.memoryBytes", "memory", host->memory_need_bytes, host->memory_bytes, GP_DIM_BYTES},
        {"host.cores", "cores", (double)host->cores_need, cores, GP_DIM_COUNT},
        {"host.nvmeBytes", "drives", host->nvme_need_bytes, host->nvme_bytes, GP_DIM_BYTES},
    };
    const char *unknown = "";
    if (!findings->plan->chosen.feasible || !isfinite(host->memory_need_bytes))
        return;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (!(parts[i].have > 0)) {
            unknown = GP_FINDING_TEXT(findings, "%s%s%s", unknown, *unknown != '\0' ? ", " : "",
                                      amount_words(findings, &parts[i], parts[i].need));
            continue;
        }
        if (parts[i].need <= parts[i].have)
            continue;
        gp_findings_say(
            findings, "GP2004", GP_REF_NONE,
            GP_FOUND(parts[i].metric, parts[i].have, parts[i].need, parts[i].dim, false),
            "order machines with more, or write checkpoints straight to storage",
            "a machine has %s; data loading, page cache and checkpoints need %s",
            amount_words(findings, &parts[i], parts[i].have),
            GP_FINDING_QUANTITY(findings, parts[i].need, parts[i].dim));
    }
    if (*unknown == '\0')
        return;
    gp_findings_say(findings, "GP2005", GP_REF_NONE, GP_FOUND_AT("host.memoryBytes"),
                    "ask the vendor, and add it to the system's catalogue row",
                    "each machine needs %s; whether it has them is not stated", unknown);
}

/* minPower weighs watts, and not for how long; where that is no help the fix does not name it. */
static const char *energy_fix(gp_findings *findings) {
    const gp_plan_result *result = findings->build->result;
    const gp_candidate *greenest = &findings->plan->greenest;
    const bool weighed = result->objective == GP_OBJECTIVE_MIN_POWER && !result->objective_was_auto;
    return !weighed && greenest->it_mean_w < findings->plan->chosen.it_mean_w
               ? "set candidates.objective to minPower to choose by power"
               : GP_FINDING_TEXT(findings,
                                 "run it on %s where that is free: candidates.objective weighs the "
                                 "power of all machines, not the energy of one workload",
                                 gp_build_system_id(greenest->unit));
}

static void less_energy(gp_findings *findings) {
    const gp_report_efficient *efficient = findings->figures->efficient;
    const double threshold = gp_report_rule_named("GP5010")->threshold;
    if (efficient == NULL || efficient->saved_fraction < threshold)
        return;
    gp_findings_say(findings, "GP5010", GP_REF_NONE,
                    GP_FOUND("efficient.savedFraction", efficient->saved_fraction,
                             GP_REPORT_NO_REAL, GP_DIM_FRACTION, false),
                    energy_fix(findings), "%s would use %s less energy for the same work",
                    gp_build_machines(findings->build, &findings->plan->greenest),
                    GP_FINDING_QUANTITY(findings, efficient->saved_fraction, GP_DIM_FRACTION));
}

/* What is rented, and what speaks for it: the price, or a site that has no room. */
static void placed_in_a_cloud(gp_findings *findings) {
    const gp_workload_plan *plan = findings->plan;
    const gp_candidate *chosen = &plan->chosen;
    const gp_candidate *owned = &plan->placement.owned;
    if (!chosen->feasible || chosen->unit->cloud == NULL || findings->build->result->declared_only)
        return;
    gp_findings_say(
        findings, "GP6005", GP_REF_NONE, GP_FOUND_AT("recommendation.placement.rentedPerYear"),
        plan->placement.break_even_fraction > 0
            ? GP_FINDING_TEXT(findings, "buy machines once it computes %s of the time",
                              GP_FINDING_QUANTITY(findings, plan->placement.break_even_fraction,
                                                  GP_DIM_FRACTION))
            : "leave the cloud out of candidates.allow to keep it on site",
        "placed in %s, rented %s of the time; owned machines are %s", chosen->unit->id,
        GP_FINDING_QUANTITY(findings, chosen->rented_fraction, GP_DIM_FRACTION),
        owned->feasible  ? "worse by the objective"
        : owned->present ? gp_build_lack_words(findings->build, owned)
                         : "not among the candidates");
}

gp_rule_function *const gp_rules_schedule[] = {
    host_short, less_energy, takes_turns, queue_too_long, could_use_nights, placed_in_a_cloud, NULL,
};
