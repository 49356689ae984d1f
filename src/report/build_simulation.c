/* What the short simulation said of a serving workload's replicas, as figures and in words. */
#include "report/build.h"

#include <math.h>

static gp_report_trial trial_of(const gp_confirm_run *run) {
    return (gp_report_trial){
        .replicas = run->replicas,
        .prefill_replicas = run->prefill_replicas,
        .ok = run->ok,
        .saturated = run->saturated,
        .rejected = run->refused,
        .ttft_p95_s = run->ttft_p95_s,
        .tpot_p95_s = run->tpot_p95_s,
    };
}

static const char *time_of(gp_build *build, double time_s) {
    return gp_build_quantity(build, time_s, GP_DIM_TIME);
}

/* Of a service that writes nothing the latency is one figure. */
static const char *times_of(gp_build *build, const gp_report_trial *trial) {
    const char *first = time_of(build, trial->ttft_p95_s);
    return trial->tpot_p95_s > 0
               ? gp_build_text(build, "%s and %s", first, time_of(build, trial->tpot_p95_s))
               : first;
}

static const char *verdict_of(gp_build *build, const gp_report_trial *trial) {
    if (trial->saturated)
        return "the queue keeps growing";
    if (trial->rejected > 0)
        return gp_build_text(build, "%s too long for a replica",
                             gp_build_count(build, trial->rejected, "request"));
    return trial->ok ? "all goals met" : "a goal missed";
}

static const char *replicas_of(gp_build *build, const gp_report_trial *trial) {
    if (trial->prefill_replicas > 0)
        return gp_build_text(build, "%lld for prefill and %lld for decode",
                             (long long)trial->prefill_replicas, (long long)trial->replicas);
    return gp_build_count(build, trial->replicas, "replica");
}

/* Why replicas stay that a run does without. */
static const char *stays_words(gp_build *build, const gp_workload_plan *plan) {
    if (!plan->confirmation.fewer.ok)
        return "";
    if (plan->has_declared)
        return gp_build_text(build, ", but %lld are declared", (long long)gp_build_declared(plan));
    return plan->confirmation.fewer.filled ? "" : ", in a run too short to fill them";
}

static const char *fewer_words(gp_build *build, const gp_workload_plan *plan,
                               const gp_report_trial *fewer) {
    if (fewer == NULL)
        return "";
    const char *replicas = fewer->prefill_replicas > 0
                               ? replicas_of(build, fewer)
                               : gp_build_text(build, "%lld", (long long)fewer->replicas);
    return gp_build_text(build, "; with %s, %s: %s%s", replicas, times_of(build, fewer),
                         verdict_of(build, fewer), stays_words(build, plan));
}

static const char *closed_words(gp_build *build, const gp_confirmation *found,
                                const gp_report_simulation *figures) {
    const char *alone = "";
    const gp_confirm_run *chosen = &found->chosen;
    const gp_closed_choice *closed = &found->closed_form;
    if (closed->replicas != chosen->replicas + chosen->prefill_replicas)
        alone = gp_build_text(build, "; it asks for %s of %s",
                              gp_build_count(build, closed->replicas, "replica"),
                              gp_build_count(build, closed->gpus, "GPU"));
    if (figures->closed_form.saturated)
        return gp_build_text(build, ". By the formula the queue keeps growing%s", alone);
    return gp_build_text(build, ". The formula gives %s%s", times_of(build, &figures->closed_form),
                         alone);
}

void gp_build_simulation(gp_build *build, const gp_workload_plan *plan, gp_report_workload *ret) {
    const gp_confirmation *found = &plan->confirmation;
    if (found->unfilled)
        ret->simulation_note = gp_build_text(build,
                                             "not simulated: %lld requests are too few to fill "
                                             "pools of this size; --simulate full runs more",
                                             (long long)found->requests);
    if (!found->present)
        return;
    gp_report_simulation *out = GP_NEW(build->arena, gp_report_simulation);
    gp_report_trial *fewer = GP_NEW(build->arena, gp_report_trial);
    *out = (gp_report_simulation){
        .confirmed = found->confirmed,
        .requests = found->requests,
        .requests_per_s = found->requests_per_s,
        .chosen = trial_of(&found->judged),
        .closed_form = {.replicas = found->chosen.replicas,
                        .prefill_replicas = found->chosen.prefill_replicas,
                        .ok = found->closed_form.replicas <=
                              found->chosen.replicas + found->chosen.prefill_replicas,
                        .saturated = !isfinite(found->closed_ttft_p95_s),
                        .ttft_p95_s = found->closed_ttft_p95_s,
                        .tpot_p95_s = plan->serve.reads_only ? 0 : found->closed_tpot_p95_s},
        .closed_form_replicas = found->closed_form.replicas,
    };
    if (found->fewer.replicas > 0) {
        *fewer = trial_of(&found->fewer);
        out->fewer = fewer;
    }
    const char *each =
        out->chosen.tpot_p95_s > 0
            ? gp_build_text(build, ", per token %s", time_of(build, out->chosen.tpot_p95_s))
            : "";
    out->summary = gp_build_text(
        build, "p95 %s %s%s with %s at a request rate of %s%s: %s%s%s",
        plan->serve.reads_only ? "answer" : "first token", time_of(build, out->chosen.ttft_p95_s),
        each, replicas_of(build, &out->chosen),
        gp_build_quantity(build, out->requests_per_s, GP_DIM_PER_S),
        plan->chosen.share_count > 1 ? " (the largest share)" : "", verdict_of(build, &out->chosen),
        fewer_words(build, plan, out->fewer), closed_words(build, found, out));
    ret->simulation = out;
}
