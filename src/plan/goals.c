/* The goals of a workload against its chosen candidate: target, figure with its band, verdict. */
#include "plan/context.h"

#include <math.h>

#include "base/num.h"
#include "base/str.h"

static void add_goal(gp_workload_plan *out, gp_band figure, gp_goal_result goal) {
    if (goal.target <= 0 || out->goal_count >= GP_GOAL_MAX)
        return;
    goal.expected = figure.expected;
    goal.low = figure.low;
    goal.high = figure.high;
    const double judged = goal.lower_is_better ? goal.high : goal.low;
    const double slack = goal.target * (goal.lower_is_better ? 1 + 1e-9 : 1 - 1e-9);
    goal.ok = out->chosen.feasible && (goal.lower_is_better ? judged <= slack : judged >= slack);
    goal.ok_at_expected = out->chosen.feasible &&
                          (goal.lower_is_better ? goal.expected <= slack : goal.expected >= slack);
    out->goals[out->goal_count++] = goal;
}

#define GOAL_AT(object, type, member)                                                              \
    .meta = &(object)->meta, .offset = offsetof(type, member), .target = (object)->member

/* Bands are of logarithms that lie normally: a tenth of runs is beyond the wider one. */
static double deviation_of(const gp_case *c, double error_fraction) {
    return gp_num_log(1 + gp_plan_margin(c, error_fraction, GP_CONFIDENCE_P90)) /
           c->plan->constants->plan_band_tenth_deviations;
}

static void training_goals(const gp_case *c) {
    gp_workload_plan *out = c->out;
    const double deviation = deviation_of(c, out->chosen.error_fraction);
    const gp_goal *goal = &out->workload->goal;
    const gp_band time = out->chosen.time_to_complete_s;
    const gp_band rate = out->chosen.tokens_per_s;
    add_goal(out, time,
             (gp_goal_result){.name = "completeWithin",
                              .dim = GP_DIM_TIME,
                              GOAL_AT(goal, gp_goal, complete_within_s),
                              .deviation = deviation,
                              .lower_is_better = true});
    add_goal(out, time,
             (gp_goal_result){.name = "maxDuration",
                              .dim = GP_DIM_TIME,
                              GOAL_AT(goal, gp_goal, max_duration_s),
                              .deviation = deviation,
                              .lower_is_better = true});
    add_goal(out, rate,
             (gp_goal_result){.name = "throughput",
                              .dim = GP_DIM_PER_S,
                              GOAL_AT(goal, gp_goal, throughput_tokens_per_s),
                              .deviation = deviation});
}

static gp_band band_of(const gp_case *c, const gp_slo_level *level, const gp_candidate *carrier,
                       double expected) {
    return gp_plan_band(expected, level->first_token
                                      ? gp_plan_ttft_margin(c)
                                      : gp_plan_margin(c, carrier->error_fraction, c->confidence));
}

/* Of the run which judged the replicas, else of the formula: of the share that takes longest. */
static gp_band figure_of(const gp_case *c, const gp_slo_level *level) {
    const gp_candidate *chosen = &c->out->chosen;
    const gp_confirm_run *run = gp_confirm_judged(c);
    for (int i = 0; run != NULL && i < run->goal_count; i++)
        if (gp_str_equal(run->goals[i].name, level->name))
            return gp_plan_band(run->goals[i].value_s, run->goals[i].margin_fraction);
    gp_band longest = band_of(c, level, chosen, gp_slo_figure(level, &chosen->point));
    for (int k = 1; k < chosen->share_count; k++) {
        const gp_candidate *share = &chosen->shares[k];
        const gp_band one = band_of(c, level, share, gp_slo_figure(level, &share->point));
        longest = one.high > longest.high ? one : longest;
    }
    return longest;
}

static void latency_goals(const gp_case *c) {
    gp_workload_plan *out = c->out;
    const gp_slo *slo = &out->workload->goal.slo;
    for (size_t i = 0; i < gp_slo_level_count; i++) {
        const gp_slo_level *level = &gp_slo_levels[i];
        const double error = level->first_token
                                 ? gp_serve_ttft_band(&out->serve, c->plan->constants)
                                 : out->chosen.error_fraction;
        add_goal(out, figure_of(c, level),
                 (gp_goal_result){.name = level->name,
                                  .dim = GP_DIM_TIME,
                                  .meta = &gp_slo_distribution(level, slo)->meta,
                                  .offset = level->level,
                                  .target = gp_slo_target(level, slo),
                                  .deviation = deviation_of(c, error),
                                  .lower_is_better = true});
    }
}

static bool is_same(const gp_candidate *a, const gp_candidate *b) {
    return a->unit == b->unit && a->replicas == b->replicas &&
           a->spare_replicas == b->spare_replicas && a->share_count == b->share_count &&
           a->split.prefill_replicas == b->split.prefill_replicas &&
           gp_serve_layout_equal(&a->serve_layout, &b->serve_layout);
}

/* A plan that is worked out once more is not simulated: queues keep their part of the latency. */
static void keep_shares(const gp_case *c) {
    gp_candidate *chosen = &c->out->chosen;
    const gp_plan_result *hold = c->plan->options->hold;
    if (hold == NULL)
        return;
    const gp_confirmation *was = &hold->workloads.items[c - c->plan->cases].confirmation;
    if (was->ttft_share > 0)
        chosen->ttft_p95_s = gp_plan_band(chosen->ttft_p95_s.expected * was->ttft_share,
                                          gp_plan_ttft_margin(c));
    if (was->tpot_share > 0)
        chosen->tpot_p95_s =
            gp_plan_band(chosen->tpot_p95_s.expected * was->tpot_share,
                         gp_plan_margin(c, chosen->error_fraction, c->confidence));
}

static double share_of(double judged, gp_band closed) {
    return closed.expected > 0 && isfinite(closed.expected) ? judged / closed.expected : 0;
}

/* What is said of the chosen replicas is what they were judged by; of other ways, which nobody
 * simulated, no latency is told beside it. */
static void judge_latency(const gp_case *c) {
    gp_workload_plan *out = c->out;
    gp_candidate *chosen = &out->chosen;
    gp_candidate *const others[] = {&out->vertical, &out->horizontal, &out->at_expected};
    const gp_confirm_run *run = gp_confirm_judged(c);
    if (run == NULL) {
        keep_shares(c);
        return;
    }
    const double margin = gp_plan_margin(c, chosen->error_fraction, c->confidence);
    out->confirmation.ttft_share = share_of(run->ttft_p95_s, chosen->ttft_p95_s);
    out->confirmation.tpot_share = share_of(run->tpot_p95_s, chosen->tpot_p95_s);
    chosen->ttft_p95_s = gp_plan_band(run->ttft_p95_s, gp_plan_ttft_margin(c));
    if (run->tpot_p95_s > 0)
        chosen->tpot_p95_s = gp_plan_band(run->tpot_p95_s, margin);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        const bool same = is_same(others[i], chosen);
        others[i]->ttft_p95_s = same ? chosen->ttft_p95_s : (gp_band){0};
        others[i]->tpot_p95_s = same ? chosen->tpot_p95_s : (gp_band){0};
    }
}

/* Declared machines whose queue grows carry less than is asked of them, whichever goals are stated.
 */
static void refuse_growing_queue(const gp_case *c) {
    gp_workload_plan *out = c->out;
    const gp_confirm_run *run = gp_confirm_judged(c);
    if (!c->plan->options->declared_only || run == NULL || !run->saturated ||
        out->scale == GP_SCALE_INFEASIBLE)
        return;
    out->scale = GP_SCALE_INFEASIBLE;
    out->bound_by = GP_BOUND_COMPUTE;
    out->chosen.feasible = false;
    out->chosen.lack = (gp_lack){.bound = GP_BOUND_COMPUTE,
                                 .why = "its queue keeps growing under the planned load"};
}

static void serving_goals(const gp_case *c) {
    gp_workload_plan *out = c->out;
    const gp_candidate *chosen = &out->chosen;
    if (out->is_offline) {
        training_goals(c);
        return;
    }
    judge_latency(c);
    latency_goals(c);
    refuse_growing_queue(c);
    const double deviation = deviation_of(c, chosen->error_fraction);
    /* What the replicas can do, not what the plan asks of them. */
    const double tokens = gp_serve_counted_tokens(&out->serve);
    const gp_band rate = {.expected = chosen->requests_per_s_expected * tokens,
                          .low = chosen->requests_per_s * tokens,
                          .high = chosen->requests_per_s_expected * tokens};
    add_goal(out, rate,
             (gp_goal_result){.name = "throughput",
                              .dim = GP_DIM_PER_S,
                              GOAL_AT(&out->workload->goal, gp_goal, throughput_tokens_per_s),
                              .deviation = deviation});
    const double up = chosen->availability_fraction;
    add_goal(out, (gp_band){up, up, up},
             (gp_goal_result){.name = "availability",
                              .dim = GP_DIM_FRACTION,
                              GOAL_AT(&out->workload->goal.slo, gp_slo, availability),
                              .towards_one = true});
}

static void seat_goal(gp_workload_plan *out) {
    const double held = out->chosen.requests_per_s;
    add_goal(out, (gp_band){held, held, held},
             (gp_goal_result){.name = "seats",
                              .dim = GP_DIM_COUNT,
                              .meta = &out->workload->seats.meta,
                              .offset = offsetof(gp_seats, at_once),
                              .target = (double)out->workload->seats.at_once});
}

static void goals_of(const gp_case *c) {
    c->out->goal_count = 0;
    if (c->out->is_seats)
        seat_goal(c->out);
    else if (c->out->is_serving)
        serving_goals(c);
    else
        training_goals(c);
}

void gp_goals_of(const gp_plan_context *plan) {
    for (size_t i = 0; i < plan->case_count; i++)
        goals_of(&plan->cases[i]);
}
