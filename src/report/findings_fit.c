/* Rules about one workload: memory, goals, software, surplus, the certainty of its verdict. */
#include <string.h>

#include "base/str.h"
#include "report/findings.h"

static bool holds(const gp_findings *findings) {
    return findings->plan->chosen.present && findings->plan->chosen.feasible;
}

static void memory_borderline(gp_findings *findings) {
    const gp_report_memory *memory = &findings->figures->memory;
    if (!holds(findings) || findings->plan->chosen.memory.fit != GP_FIT_BORDERLINE)
        return;
    gp_report_finding finding = gp_finding_new(findings, "GP2001");
    gp_finding_figures(&finding, "memory.headroomFraction", memory->headroom_fraction,
                       findings->build->result->constants->plan_memory_warning_fraction,
                       GP_DIM_FRACTION, false);
    finding.message =
        GP_FINDING_TEXT(findings, "%s of %s is used on the fullest GPU",
                        GP_FINDING_QUANTITY(findings, memory->used_bytes, GP_DIM_BYTES),
                        GP_FINDING_QUANTITY(findings, memory->capacity_bytes, GP_DIM_BYTES));
    finding.fix = findings->plan->is_serving
                      ? "use a smaller weight format or a GPU with more memory"
                      : "use a smaller micro-batch, more recomputation or more sharding";
    gp_findings_add(findings, &finding, NULL, 0);
}

/* The cheapest change that lifts what binds. */
static const char *lifting_change(gp_findings *findings, const gp_lack *lack) {
    const char *need = GP_FINDING_QUANTITY(findings, lack->need, lack->dim);
    const char *have = GP_FINDING_QUANTITY(findings, lack->have, lack->dim);
    if (lack->dim == GP_DIM_TIME)
        return GP_FINDING_TEXT(findings, "allow %s, or more and larger machines (candidates)",
                               have);
    if (lack->bound == GP_BOUND_MEMORY)
        return GP_FINDING_TEXT(
            findings, "allow GPUs with %s each, more machines, or a smaller number format", need);
    if (lack->bound == GP_BOUND_SUPPLY)
        return GP_FINDING_TEXT(findings, "allow %s (candidates.limits, scaling.maxReplicas)", need);
    return GP_FINDING_TEXT(findings, "raise the limit of %s from %s to %s",
                           gp_build_bound_words(lack->bound), have, need);
}

static void infeasible(gp_findings *findings) {
    const gp_workload_plan *plan = findings->plan;
    const gp_lack *lack = &plan->chosen.lack;
    if (plan->scale != GP_SCALE_INFEASIBLE)
        return;
    gp_report_finding finding = gp_finding_new(findings, "GP2002");
    gp_finding_figures(&finding, "recommendation.scale", lack->have, lack->need, lack->dim,
                       lack->dim == GP_DIM_TIME);
    finding.message = findings->figures->recommendation.reason;
    finding.fix = lifting_change(findings, lack);
    gp_findings_add(findings, &finding, NULL, 0);
}

static void headroom_short(gp_findings *findings) {
    const gp_report_memory *memory = &findings->figures->memory;
    const gp_headroom *asked = &findings->build->result->document->spec.defaults.headroom;
    if (!holds(findings) || !(memory->headroom_fraction < memory->headroom_asked_fraction - 1e-9))
        return;
    gp_report_finding finding = gp_finding_new(findings, "GP2003");
    gp_finding_figures(&finding, "memory.headroomFraction", memory->headroom_fraction,
                       memory->headroom_asked_fraction, GP_DIM_FRACTION, false);
    finding.message = GP_FINDING_TEXT(
        findings, "%s of memory stays free where %s is asked for",
        GP_FINDING_QUANTITY(findings, memory->headroom_fraction, GP_DIM_FRACTION),
        GP_FINDING_QUANTITY(findings, memory->headroom_asked_fraction, GP_DIM_FRACTION));
    finding.fix = "ask for less headroom, or use a layout or GPU with more room";
    gp_findings_add(findings, &finding, &asked->meta, offsetof(gp_headroom, memory_fraction));
}

static void goal_missed(gp_findings *findings, const gp_goal_result *goal) {
    gp_report_finding finding =
        gp_finding_new(findings, goal->ok_at_expected ? "GP3001" : "GP3002");
    double edge = goal->lower_is_better ? goal->high : goal->low;
    const char *path = GP_FINDING_TEXT(findings, "goals.%s.expected", goal->name);
    gp_finding_figures(&finding, path, goal->ok_at_expected ? edge : goal->expected, goal->target,
                       goal->dim, goal->lower_is_better);
    finding.message =
        GP_FINDING_TEXT(findings, "%s is %s (%s at %s) where %s is asked for", goal->name,
                        GP_FINDING_QUANTITY(findings, goal->expected, goal->dim),
                        GP_FINDING_QUANTITY(findings, edge, goal->dim),
                        gp_build_confidence_name((int)findings->build->result->confidence),
                        GP_FINDING_QUANTITY(findings, goal->target, goal->dim));
    finding.fix = goal->ok_at_expected ? "add machines, or measure a run to narrow the band"
                                       : "relax the goal or allow more machines";
    gp_findings_add(findings, &finding, goal->meta, goal->offset);
}

static void goals_missed(gp_findings *findings) {
    for (int i = 0; i < findings->plan->goal_count; i++)
        if (!findings->plan->goals[i].ok)
            goal_missed(findings, &findings->plan->goals[i]);
}

static void no_goal(gp_findings *findings) {
    if (findings->plan->has_goal)
        return;
    gp_report_finding finding = gp_finding_new(findings, "GP3003");
    finding.message = "no goal is stated, so only memory was sized";
    finding.fix = findings->plan->is_serving
                      ? "add traffic.requestsPerSecond and goal.slo"
                      : "add goal.completeWithin, goal.maxDuration or goal.throughput";
    gp_findings_add(findings, &finding, NULL, 0);
}

/* The path without "workloads.NAME.": the finding names the workload. */
static const char *inside_workload(const gp_findings *findings, const char *path) {
    const char *name = gp_build_word(findings->plan->workload->name);
    const char *inside = path != NULL ? strstr(path, name) : NULL;
    return inside != NULL && inside[strlen(name)] == '.' ? inside + strlen(name) + 1
                                                         : gp_build_word(path);
}

static void software_saves(gp_findings *findings, const gp_software_change *change) {
    double least = findings->build->result->constants->plan_software_saving_fraction;
    if (change->saved_fraction < least && !change->makes_hardware_unnecessary)
        return;
    bool release = change->path != NULL && gp_str_ends(change->path, ".release");
    gp_report_finding finding = gp_finding_new(findings, release ? "GP3005" : "GP3004");
    gp_finding_figures(&finding, "recommendation.softwareChanges", change->saved_fraction, least,
                       GP_DIM_FRACTION, true);
    const char *effect = change->saved_fraction > 0
                             ? GP_FINDING_TEXT(findings, "saves %s of the GPUs",
                                               GP_FINDING_QUANTITY(findings, change->saved_fraction,
                                                                   GP_DIM_FRACTION))
                             : "does without new machines";
    finding.message = GP_FINDING_TEXT(
        findings, "%s %s instead of %s %s", inside_workload(findings, change->path),
        gp_build_word(change->to), gp_build_word(change->from), gp_build_word(effect));
    finding.fix = GP_FINDING_TEXT(findings, "--set %s=%s shows the plan with it",
                                  gp_build_word(change->path), gp_build_word(change->to));
    gp_findings_add(findings, &finding, &findings->plan->workload->software.meta, 0);
}

static void software_changes(gp_findings *findings) {
    for (int i = 0; i < findings->plan->software_change_count; i++)
        software_saves(findings, &findings->plan->software_changes[i]);
}

static void surplus(gp_findings *findings) {
    const gp_workload_plan *plan = findings->plan;
    if (plan->surplus_gpus <= 0)
        return;
    gp_report_finding finding = gp_finding_new(findings, "GP3006");
    gp_finding_figures(&finding, "recommendation.surplus.gpus", (double)plan->surplus_gpus, 0,
                       GP_DIM_COUNT, true);
    finding.message =
        GP_FINDING_TEXT(findings, "%s more than needed, %s of power",
                        gp_build_count(findings->build, plan->surplus_gpus, "GPU", "GPUs"),
                        GP_FINDING_QUANTITY(findings, plan->surplus_power_w, GP_DIM_POWER));
    finding.fix = "use them for another workload or buy fewer";
    gp_findings_add(findings, &finding, NULL, 0);
}

static void tuning_assumed(gp_findings *findings) {
    const gp_software *software = &findings->plan->workload->software;
    const gp_origin *origin = GP_ORIGIN_OF(software, gp_software, tuning);
    if (software->efficiency > 0 || origin->kind == GP_ORIGIN_SPEC ||
        origin->kind == GP_ORIGIN_FLAG)
        return;
    gp_report_finding finding = gp_finding_new(findings, "GP3007");
    finding.metric = "performance.tokensPerS";
    finding.message = "how well the software is tuned is not stated; typical was assumed";
    finding.fix = "set software.tuning or software.efficiency, or calibrate by measured runs";
    gp_findings_add(findings, &finding, &software->meta, offsetof(gp_software, tuning));
}

static void flip_inside_band(gp_findings *findings) {
    const gp_flip *flip = &findings->plan->flip;
    if (!flip->present || !flip->inside_band)
        return;
    gp_report_finding finding = gp_finding_new(findings, "GP3008");
    gp_finding_figures(&finding, "recommendation.flip.at", flip->today, flip->at, flip->dim,
                       flip->at > flip->today);
    finding.message = GP_FINDING_TEXT(
        findings, "the verdict becomes %s at %s %s (now %s), within the error of the estimate",
        gp_scale_name(flip->to_scale), flip->variable,
        GP_FINDING_QUANTITY(findings, flip->at, flip->dim),
        GP_FINDING_QUANTITY(findings, flip->today, flip->dim));
    finding.fix = "measure a run before deciding";
    gp_findings_add(findings, &finding, NULL, 0);
}

static void inherited_efficiencies(gp_findings *findings) {
    const gp_candidate *chosen = &findings->plan->chosen;
    if (!chosen->present || chosen->unit == NULL || !chosen->unit->machine.inherited)
        return;
    gp_report_finding finding = gp_finding_new(findings, "GP7002");
    finding.metric = "performance.errorFraction";
    finding.message =
        GP_FINDING_TEXT(findings, "no measurements of %s; those of its architecture were used",
                        gp_build_word(gp_build_gpu_id(chosen->unit)));
    finding.fix = "calibrate by runs on this GPU";
    gp_findings_add(findings, &finding, NULL, 0);
}

gp_rule_function *const gp_rules_fit[] = {
    infeasible,       memory_borderline, headroom_short,   goals_missed,           no_goal, surplus,
    software_changes, tuning_assumed,    flip_inside_band, inherited_efficiencies, NULL,
};
