/* The goals of a workload against its chosen candidate: target, figure with its band, verdict. */
#include "plan/context.h"

#include "base/num.h"

static void add_goal(gp_workload_plan *out, gp_goal_result goal) {
    if (goal.target <= 0 || out->goal_count >= GP_GOAL_MAX)
        return;
    const double judged = goal.lower_is_better ? goal.high : goal.low;
    const double slack = goal.target * (goal.lower_is_better ? 1 + 1e-9 : 1 - 1e-9);
    goal.ok = out->chosen.feasible && (goal.lower_is_better ? judged <= slack : judged >= slack);
    goal.ok_at_expected = out->chosen.feasible &&
                          (goal.lower_is_better ? goal.expected <= slack : goal.expected >= slack);
    out->goals[out->goal_count++] = goal;
}

#define GOAL_AT(object, type, member)                                                              \
    .meta = &(object)->meta, .offset = offsetof(type, member), .target = (object)->member

static void training_goals(gp_workload_plan *out) {
    const gp_goal *goal = &out->workload->goal;
    const gp_band time = out->chosen.time_to_complete_s;
    const gp_band rate = out->chosen.tokens_per_s;
    add_goal(out, (gp_goal_result){.name = "completeWithin",
                                   .dim = GP_DIM_TIME,
                                   GOAL_AT(goal, gp_goal, complete_within_s),
                                   .expected = time.expected,
                                   .low = time.low,
                                   .high = time.high,
                                   .lower_is_better = true});
    add_goal(out, (gp_goal_result){.name = "maxDuration",
                                   .dim = GP_DIM_TIME,
                                   GOAL_AT(goal, gp_goal, max_duration_s),
                                   .expected = time.expected,
                                   .low = time.low,
                                   .high = time.high,
                                   .lower_is_better = true});
    add_goal(out, (gp_goal_result){.name = "throughput",
                                   .dim = GP_DIM_PER_S,
                                   GOAL_AT(goal, gp_goal, throughput_tokens_per_s),
                                   .expected = rate.expected,
                                   .low = rate.low,
                                   .high = rate.high});
}

static gp_band spread(double expected, double margin) {
    return (gp_band){expected, expected / (1 + margin), expected * (1 + margin)};
}

static void latency_goals(const gp_case *c, const char *const names[3], const gp_distribution *goal,
                          double mean_s, double p95_s, double margin) {
    const gp_band mean = spread(mean_s, margin);
    const gp_band p95 = spread(p95_s, margin);
    add_goal(c->out, (gp_goal_result){.name = names[0],
                                      .dim = GP_DIM_TIME,
                                      GOAL_AT(goal, gp_distribution, mean),
                                      .expected = mean.expected,
                                      .low = mean.low,
                                      .high = mean.high,
                                      .lower_is_better = true});
    add_goal(c->out, (gp_goal_result){.name = names[1],
                                      .dim = GP_DIM_TIME,
                                      GOAL_AT(goal, gp_distribution, p50),
                                      .expected = mean.expected,
                                      .low = mean.low,
                                      .high = mean.high,
                                      .lower_is_better = true});
    add_goal(c->out, (gp_goal_result){.name = names[2],
                                      .dim = GP_DIM_TIME,
                                      GOAL_AT(goal, gp_distribution, p95),
                                      .expected = p95.expected,
                                      .low = p95.low,
                                      .high = p95.high,
                                      .lower_is_better = true});
}

static void serving_goals(const gp_case *c) {
    static const char *const ttft[] = {"ttftMean", "ttftP50", "ttftP95"};
    static const char *const tpot[] = {"tpotMean", "tpotP50", "tpotP95"};
    static const char *const e2e[] = {"e2eMean", "e2eP50", "e2eP95"};
    gp_workload_plan *out = c->out;
    const gp_slo *slo = &out->workload->goal.slo;
    const gp_serve_point *point = &out->chosen.point;
    const double margin = gp_plan_margin(c, out->chosen.error_fraction, c->confidence);
    latency_goals(c, ttft, &slo->ttft_s, point->ttft_s, point->ttft_p95_s, gp_plan_ttft_margin(c));
    latency_goals(c, tpot, &slo->tpot_s, point->tpot_s, point->tpot_p95_s, margin);
    latency_goals(c, e2e, &slo->e2e_s, point->e2e_s,
                  point->ttft_p95_s + point->e2e_s - point->ttft_s, margin);
    /* What the replicas can do, not what the plan asks of them. */
    const double tokens = out->serve.output_tokens * out->serve.branches;
    const gp_band rate = {.expected = out->chosen.requests_per_s_expected * tokens,
                          .low = out->chosen.requests_per_s * tokens,
                          .high = out->chosen.requests_per_s_expected * tokens};
    add_goal(out, (gp_goal_result){.name = "throughput",
                                   .dim = GP_DIM_PER_S,
                                   GOAL_AT(&out->workload->goal, gp_goal, throughput_tokens_per_s),
                                   .expected = rate.expected,
                                   .low = rate.low,
                                   .high = rate.high});
}

void gp_goals_of(const gp_case *c) {
    c->out->goal_count = 0;
    if (c->out->is_serving)
        serving_goals(c);
    else
        training_goals(c->out);
}
