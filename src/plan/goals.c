/* The goals of a workload against its chosen candidate: target, figure with its band, verdict. */
#include "plan/context.h"

#include "base/num.h"

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

static void latency_goals(const gp_case *c) {
    gp_workload_plan *out = c->out;
    const gp_slo *slo = &out->workload->goal.slo;
    const double margin = gp_plan_margin(c, out->chosen.error_fraction, c->confidence);
    for (size_t i = 0; i < gp_slo_level_count; i++) {
        const gp_slo_level *level = &gp_slo_levels[i];
        const double judged = level->first_token ? gp_plan_ttft_margin(c) : margin;
        const double target = gp_slo_target(level, slo);
        gp_band figure = gp_plan_band(gp_slo_figure(level, &out->chosen.point), judged);
        if (figure.high > target && gp_confirm_figure(c, level->name) > 0)
            figure = gp_plan_band(gp_confirm_figure(c, level->name), judged);
        const double error = level->first_token
                                 ? gp_serve_ttft_band(&out->serve, c->plan->constants)
                                 : out->chosen.error_fraction;
        add_goal(out, figure,
                 (gp_goal_result){.name = level->name,
                                  .dim = GP_DIM_TIME,
                                  .meta = &gp_slo_distribution(level, slo)->meta,
                                  .offset = level->level,
                                  .target = target,
                                  .deviation = deviation_of(c, error),
                                  .lower_is_better = true});
    }
}

static void serving_goals(const gp_case *c) {
    gp_workload_plan *out = c->out;
    const gp_candidate *chosen = &out->chosen;
    if (out->is_offline) {
        training_goals(c);
        return;
    }
    latency_goals(c);
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

void gp_goals_of(const gp_case *c) {
    c->out->goal_count = 0;
    if (c->out->is_seats)
        seat_goal(c->out);
    else if (c->out->is_serving)
        serving_goals(c);
    else
        training_goals(c);
}
