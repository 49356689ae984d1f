/* Memory, times, rates and goals of the chosen layout of a workload. */
#include "report/build.h"

static const char *const component_names[GP_MEMORY_COMPONENT_COUNT] = {
    [GP_MEMORY_WEIGHTS] = "weights",
    [GP_MEMORY_GRADIENTS] = "gradients",
    [GP_MEMORY_OPTIMIZER] = "optimizer",
    [GP_MEMORY_ADAPTER] = "adapter",
    [GP_MEMORY_ACTIVATIONS] = "activations",
    [GP_MEMORY_LOGITS] = "logits",
    [GP_MEMORY_WORKING_SET] = "workingSet",
    [GP_MEMORY_KV_CACHE] = "kvCache",
    [GP_MEMORY_STATE] = "state",
    [GP_MEMORY_COMMUNICATION] = "communication",
    [GP_MEMORY_CONTEXT] = "context",
    [GP_MEMORY_FRAGMENTATION] = "fragmentation",
};

static void fill_components(gp_build *build, const gp_memory *memory, gp_report_memory *ret) {
    GP_ROOM(build->arena, &ret->components, GP_MEMORY_COMPONENT_COUNT);
    for (int i = 0; i < GP_MEMORY_COMPONENT_COUNT; i++)
        if (memory->bytes[i] > 0)
            GP_NEXT(ret->components) = (gp_report_component){component_names[i], memory->bytes[i]};
}

static void fill_memory(gp_build *build, const gp_workload_plan *plan, gp_report_memory *ret) {
    static const char *const fits[] = {
        [GP_FIT_FITS] = "fits", [GP_FIT_BORDERLINE] = "borderline", [GP_FIT_NOT] = "doesNotFit"};
    const gp_memory *memory = &plan->chosen.memory;
    ret->headroom_asked_fraction = build->result->document->spec.defaults.headroom.memory_fraction;
    if (!plan->chosen.present || !(memory->capacity_bytes > 0))
        return;
    ret->capacity_bytes = memory->capacity_bytes;
    ret->used_bytes = memory->total_bytes;
    const double factor = 1 + memory->error_fraction;
    ret->used_band = gp_build_band(
        (gp_band){memory->total_bytes, memory->total_bytes / factor, memory->total_bytes * factor});
    const int64_t stages = plan->is_serving ? plan->chosen.serve_layout.pp : plan->chosen.layout.pp;
    ret->worst_stage = stages > 1 ? memory->worst_stage + 1 : 0;
    ret->headroom_fraction =
        (memory->capacity_bytes - memory->total_bytes) / memory->capacity_bytes;
    ret->fit = fits[memory->fit];
    if (plan->is_serving) {
        ret->kv_pool_tokens = gp_build_positive(plan->chosen.serve_memory.kv_pool_tokens);
        ret->kv_bytes_per_token = gp_build_positive(plan->chosen.serve_memory.kv_bytes_per_token);
    }
    fill_components(build, memory, ret);
}

typedef struct step_part {
    const char *name;
    size_t offset;
} step_part;

static const step_part step_parts[] = {
    {"gemm", offsetof(gp_train_time, gemm_s)},
    {"attention", offsetof(gp_train_time, attention_s)},
    {"elementwise", offsetof(gp_train_time, elementwise_s)},
    {"head", offsetof(gp_train_time, head_s)},
    {"launch", offsetof(gp_train_time, launch_s)},
    {"tensorParallel", offsetof(gp_train_time, tp_s)},
    {"contextParallel", offsetof(gp_train_time, cp_s)},
    {"expertParallel", offsetof(gp_train_time, ep_s)},
    {"pipelineParallel", offsetof(gp_train_time, pp_s)},
    {"pipelineBubble", offsetof(gp_train_time, bubble_s)},
    {"dataParallel", offsetof(gp_train_time, dp_s)},
    {"optimizer", offsetof(gp_train_time, optimizer_s)},
    {"frozenModel", offsetof(gp_train_time, frozen_s)},
};
enum { STEP_PARTS = sizeof step_parts / sizeof step_parts[0] };

static void fill_step_parts(gp_build *build, const gp_train_time *time,
                            gp_report_performance *ret) {
    GP_ROOM(build->arena, &ret->step_parts, STEP_PARTS);
    for (size_t i = 0; i < STEP_PARTS; i++) {
        double part = *(const double *)(const void *)((const char *)time + step_parts[i].offset);
        if (part > 0)
            GP_NEXT(ret->step_parts) = (gp_report_time_part){step_parts[i].name, part};
    }
}

/* A figure that moves with throughput: its band has the proportions of the throughput's. */
static gp_report_band like(gp_report_band shape, double expected) {
    if (!(expected > 0))
        return gp_build_no_band();
    if (!isfinite(shape.expected))
        return (gp_report_band){expected, expected, expected};
    double unit = expected / shape.expected;
    return (gp_report_band){expected, shape.low * unit, shape.high * unit};
}

/* What one run takes in all, and what stops it. */
static void fill_run(const gp_workload_plan *plan, gp_report_performance *ret) {
    const gp_candidate *chosen = &plan->chosen;
    const gp_run *run = &chosen->run;
    const gp_report_band wall = ret->time_to_complete_s;
    if (!plan->is_rl) {
        ret->step_sequences = gp_train_step_sequences(&plan->train, &chosen->layout);
        ret->step_fill_fraction =
            ret->step_sequences / gp_train_step_places(&plan->train, &chosen->layout);
    }
    ret->trained_tokens = gp_build_positive(plan->train.tokens);
    ret->gpu_time_s = like(wall, gp_run_held_s(chosen) * gp_run_gpus(chosen));
    ret->energy_j = like(wall, gp_run_held_s(chosen) * gp_run_power_w(chosen));
    ret->time_between_failures_s = gp_build_positive(run->mtbf_s);
    ret->failures = run->failures;
    ret->taken = gp_build_positive(run->taken);
    ret->taken_time_s = gp_build_positive(run->taken_s);
    ret->start_time_s = run->start_s;
    ret->restart_time_s = gp_build_positive(run->restart_s);
    ret->evaluation_fraction = run->evaluation_fraction;
    ret->spare_nodes = run->spare_nodes;
    ret->spare_wait_s = run->spare_wait_s;
}

static void fill_training(gp_build *build, const gp_workload_plan *plan,
                          gp_report_performance *ret) {
    const gp_candidate *chosen = &plan->chosen;
    const gp_run *run = &chosen->run;
    ret->step_time_s = gp_build_band(chosen->step_s);
    ret->time_to_complete_s = gp_build_band(chosen->time_to_complete_s);
    ret->mfu_fraction = like(ret->tokens_per_s, chosen->time.mfu_fraction);
    if (run->wall_s > 0) {
        double same = run->goodput_fraction;
        ret->goodput_fraction = (gp_report_band){same, same, same};
        ret->checkpoint_interval_s = gp_build_positive(run->interval_s);
        ret->checkpoint_time_s = gp_build_positive(run->checkpoint_s);
        fill_run(plan, ret);
    }
    if (!plan->is_rl)
        fill_step_parts(build, &chosen->time, ret);
}

/* What is judged safe is the lower edge of its band. */
static gp_report_band judged_rate(gp_report_band shape, double judged) {
    if (!(judged > 0))
        return gp_build_no_band();
    const double width = shape.low > 0 ? shape.high / shape.low : 1;
    return (gp_report_band){judged, judged, judged * width};
}

static void fill_serving(const gp_workload_plan *plan, gp_report_performance *ret) {
    const gp_candidate *chosen = &plan->chosen;
    ret->utilization_fraction = gp_build_positive(chosen->utilization);
    if (plan->is_seats)
        return;
    double sequences = chosen->serve_memory.max_concurrency;
    ret->time_to_complete_s = gp_build_band(chosen->time_to_complete_s);
    ret->ttft_p95_s = gp_build_band(chosen->ttft_p95_s);
    ret->tpot_p95_s = gp_build_band(chosen->tpot_p95_s);
    ret->requests_per_s = judged_rate(ret->tokens_per_s, chosen->requests_per_s);
    ret->concurrency_per_replica = (gp_report_band){sequences, sequences, sequences};
    ret->batch_per_replica = gp_build_positive(chosen->point.batch);
    ret->demand_requests_per_s = gp_build_positive(plan->demand_requests_per_s);
    ret->demand_peak_to_mean = gp_build_positive(plan->demand_peak_to_mean);
}

void gp_build_performance(gp_build *build, const gp_workload_plan *plan, gp_report_workload *ret) {
    const gp_candidate *chosen = &plan->chosen;
    gp_report_performance *figures = &ret->performance;
    fill_memory(build, plan, &ret->memory);
    if (!chosen->present)
        return;
    figures->tokens_per_s = gp_build_band(chosen->tokens_per_s);
    figures->tokens = !plan->is_serving ? "trained" : plan->serve.reads_only ? "prompt" : "output";
    figures->error_fraction = gp_build_positive(chosen->error_fraction);
    if (chosen->gpus > 0)
        figures->tokens_per_s_per_gpu =
            like(figures->tokens_per_s, chosen->tokens_per_s.expected / (double)chosen->gpus);
    if (!plan->is_serving) {
        fill_training(build, plan, figures);
        return;
    }
    fill_serving(plan, figures);
    if (plan->is_seats || plan->serve.item.passes > 0) { /* nothing is counted in tokens */
        figures->tokens_per_s = gp_build_band((gp_band){0});
        figures->tokens_per_s_per_gpu = figures->tokens_per_s;
        figures->tokens = NULL;
    }
}

/* Room between the edge that the confidence judges by and the target. */
static double goal_margin(const gp_goal_result *goal, gp_confidence confidence) {
    double edge = goal->lower_is_better ? goal->high : goal->low;
    if (confidence == GP_CONFIDENCE_EXPECTED)
        edge = goal->expected;
    if (!(goal->target > 0))
        return GP_REPORT_NO_REAL;
    if (goal->towards_one)
        return (edge - goal->target) / (1 - goal->target);
    return (goal->lower_is_better ? goal->target - edge : edge - goal->target) / goal->target;
}

bool gp_build_is_judged(const gp_workload_plan *plan) {
    return !plan->is_serving || plan->demand_requests_per_s > 0;
}

/* Nothing holds the workload, for want of something else: a figure that would meet the goal is that
 * of machines that are not there. */
bool gp_build_goal_is_moot(const gp_workload_plan *plan, const gp_goal_result *goal) {
    const double edge = goal->lower_is_better ? goal->high : goal->low;
    return !plan->chosen.feasible &&
           (goal->lower_is_better ? edge <= goal->target : edge >= goal->target);
}

static gp_report_goal goal_of(const gp_build *build, const gp_goal_result *goal) {
    return (gp_report_goal){
        .name = goal->name,
        .target = goal->target,
        .expected = goal->expected,
        .low = goal->low,
        .high = goal->high,
        .judged = build->result->confidence == GP_CONFIDENCE_EXPECTED ? goal->expected
                  : goal->lower_is_better                             ? goal->high
                                                                      : goal->low,
        .margin_fraction = goal_margin(goal, build->result->confidence),
        .unit = gp_dim_base_unit(goal->dim),
        .ok = goal->ok,
        .ok_at_expected = goal->ok_at_expected,
        .state = goal->ok               ? "met"
                 : goal->ok_at_expected ? "metAtExpected"
                                        : "missed",
        .dim = goal->dim,
        .deviation = goal->deviation,
        .lower_is_better = goal->lower_is_better,
    };
}

/* A goal without the inputs of its figure is neither met nor missed; where no layout even fits,
 * there is no figure. */
static void withdraw(const gp_workload_plan *plan, const gp_goal_result *result,
                     gp_report_goal *goal) {
    if (gp_build_is_judged(plan) && goal->expected > 0 && !gp_build_goal_is_moot(plan, result))
        return;
    goal->expected = goal->low = goal->high = GP_REPORT_NO_REAL;
    goal->judged = goal->margin_fraction = GP_REPORT_NO_REAL;
    goal->ok = goal->ok_at_expected = false;
    bool moot = !gp_build_is_judged(plan) || gp_build_goal_is_moot(plan, result);
    goal->state = moot ? "notJudged" : "missed";
}

void gp_build_goals(gp_build *build, const gp_workload_plan *plan, gp_report_workload *ret) {
    GP_ROOM(build->arena, &ret->goals, plan->goal_count);
    for (int i = 0; i < plan->goal_count; i++) {
        gp_report_goal *next = &GP_NEXT(ret->goals);
        *next = goal_of(build, &plan->goals[i]);
        withdraw(plan, &plan->goals[i], next);
    }
}
