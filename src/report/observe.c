/*
 * Plan against reality, figure by figure: a table says what is planned, which reading stands
 * against it, on which side it may not drift, and which limit holds. A figure that nobody measures
 * is told as such and never judged.
 */
#include "report/observe.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "catalog/constants.h"
#include "import/telemetry.h"
#include "plan/plan.h"

typedef enum rule_of { OF_SERVICE, OF_TRAINING, OF_GPUS, OF_GOAL } rule_of;

typedef struct observe_rule {
    const char *metric;
    rule_of of;
    gp_dim dim;
    gp_observed_side side;
    size_t limit;                                    /* member of gp_constants; 0: no slack */
    size_t member_of_plan;                           /* of gp_workload_plan, or ... */
    double (*planned)(const gp_workload_plan *plan); /* ... worked out; 0: not planned */
    const char *goal;                                /* OF_GOAL: its name */
    const char *reading;
    size_t member;    /* of gp_telemetry_reading */
    const char *over; /* reading to divide by, its median */
    const char *help;
} observe_rule;

/* ---- what is planned */

static double planned_output(const gp_workload_plan *plan) {
    return gp_serve_counted_tokens(&plan->serve);
}

static double planned_tokens(const gp_workload_plan *plan) {
    return plan->traffic.mean_per_s * planned_output(plan);
}

/* Sequences that run, at their mean length in mid-answer, over the pool. */
static double planned_kv_use(const gp_workload_plan *plan) {
    double held = plan->serve.input_tokens + planned_output(plan) / 2;
    double pool = plan->chosen.serve_memory.kv_pool_tokens;
    return pool > 0 ? gp_num_min(1, plan->chosen.point.batch * held / pool) : 0;
}

static double planned_replicas(const gp_workload_plan *plan) {
    return (double)plan->chosen.replicas;
}

static double planned_mfu(const gp_workload_plan *plan) {
    return plan->is_serving ? 0 : plan->chosen.time.mfu_fraction;
}

#define LIMIT(name)   offsetof(gp_constants, observe_##name##_fraction)
#define READING(name) offsetof(gp_telemetry_reading, name)
#define PLAN(name)    .member_of_plan = offsetof(gp_workload_plan, name)
#define WORKED(name)  .planned = planned_##name
#define GOAL(name)    .goal = name

static const observe_rule rules[] = {
#define RULE(metric_, of_, dim_, side_, limit_, plan, reading_, member_, over_, help_)             \
    {.metric = metric_,                                                                            \
     .of = of_,                                                                                    \
     .dim = GP_DIM_##dim_,                                                                         \
     .side = GP_OBSERVED_##side_,                                                                  \
     .limit = limit_,                                                                              \
     plan,                                                                                         \
     .reading = reading_,                                                                          \
     .member = READING(member_),                                                                   \
     .over = over_,                                                                                \
     .help = help_},
#include "report/observe.inc"
#undef RULE
};
enum { RULES = GP_COUNT_OF(rules) };

static const char kv_full[] = "kvFull";
static const char node_power[] = "nodePower";
static const char inlet[] = "inletTemperature";

const char *const gp_observe_metrics[] = {
#define RULE(metric, ...) metric,
#include "report/observe.inc"
#undef RULE
    kv_full, node_power, inlet, NULL};

/* ---- building */

typedef struct observer {
    gp_arena *arena;
    const gp_plan_result *result;
    const gp_telemetry *telemetry;
    const gp_observe_options *options;
    gp_observation *observation;
    size_t capacity;
} observer;

static double member_of(const void *object, size_t offset) {
    double value = 0;
    memcpy(&value, (const char *)object + offset, sizeof value);
    return value;
}

static double limit_of(const observer *o, const char *metric, size_t member) {
    const gp_observe_limit *own =
        GP_NAMED_OF(o->options->limits, o->options->limit_count, metric, metric);
    return own != NULL ? own->fraction : member == 0 ? 0 : member_of(o->result->constants, member);
}

static void add_figure(observer *o, const gp_observed_figure *figure) {
    gp_observation *all = o->observation;
    GP_PUSH(o->arena, all->figures.items, all->figures.count, o->capacity) = *figure;
    all->breaches += figure->state == GP_OBSERVED_BREACH ? 1 : 0;
    all->unsure += figure->state == GP_OBSERVED_UNSURE ? 1 : 0;
    all->not_measured += figure->state == GP_OBSERVED_NOT_MEASURED ? 1 : 0;
}

/* Beyond the limit on its side, with a bit of arithmetic's own dust. */
static bool is_beyond(const gp_observed_figure *figure, double observed) {
    double above = figure->planned * (1 + figure->limit_fraction);
    double below = figure->planned * (1 - figure->limit_fraction);
    bool is_above = observed > above && !gp_num_near(observed, above);
    bool is_below = observed < below && !gp_num_near(observed, below);
    return (figure->side != GP_OBSERVED_BELOW && is_above) ||
           (figure->side != GP_OBSERVED_ABOVE && is_below);
}

/* A percentile of a histogram lies anywhere in its bucket: it is a breach only where the whole
 * bucket is beyond. */
static void judge(gp_observed_figure *figure) {
    figure->drift_fraction = figure->observed / figure->planned - 1;
    figure->state = GP_OBSERVED_OK;
    if (!is_beyond(figure, figure->observed))
        return;
    figure->state = GP_OBSERVED_BREACH;
    if (isfinite(figure->low) && !is_beyond(figure, figure->low)) {
        figure->state = GP_OBSERVED_UNSURE;
        figure->reason = "the limit lies in the same histogram bucket as the percentile: the "
                         "buckets are too wide to tell";
    }
}

static void set_bucket(const observe_rule *rule, const gp_telemetry_reading *reading,
                       gp_observed_figure *figure) {
    if (reading->metric->shape != GP_TELEMETRY_BUCKETS)
        return;
    bool p99 = rule->member == READING(p99);
    figure->low = p99 ? reading->p99_low : reading->p95_low;
    figure->high = p99 ? reading->p99_high : reading->p95_high;
}

static const gp_telemetry_reading *reading_for(const observer *o, const char *id,
                                               const char *subject) {
    const gp_telemetry_reading *found = gp_telemetry_reading_of(o->telemetry, id, subject);
    return found != NULL ? found : gp_telemetry_reading_of(o->telemetry, id, "");
}

/* The reading, divided where the rule says so; NAN where there is none. */
static void observe(const observer *o, const observe_rule *rule, const char *subject,
                    gp_observed_figure *figure) {
    const gp_telemetry_reading *reading = reading_for(o, rule->reading, subject);
    const gp_telemetry_reading *over =
        rule->over == NULL ? NULL : reading_for(o, rule->over, subject);
    if (reading == NULL || (rule->over != NULL && (over == NULL || !(over->p50 > 0)))) {
        const char *why = gp_telemetry_absence_of(o->telemetry, rule->reading);
        figure->reason = why != NULL ? why : "the server has no such metric for it";
        return;
    }
    figure->observed = member_of(reading, rule->member) / (over == NULL ? 1 : over->p50);
    figure->samples = reading->samples;
    figure->query = reading->query;
    set_bucket(rule, reading, figure);
}

static gp_observed_figure blank_figure(const char *workload, const char *metric, const char *help) {
    double none = (double)NAN;
    return (gp_observed_figure){.workload = workload,
                                .metric = metric,
                                .help = help,
                                .planned = none,
                                .observed = none,
                                .low = none,
                                .high = none,
                                .drift_fraction = none,
                                .state = GP_OBSERVED_NOT_MEASURED};
}

static void finish(observer *o, gp_observed_figure *figure) {
    const bool planned = figure->planned > 0;
    if (isfinite(figure->observed) && planned)
        judge(figure);
    else if (isfinite(figure->observed))
        figure->state = GP_OBSERVED_NOT_PLANNED;
    if (!planned)
        figure->planned = (double)NAN;
    add_figure(o, figure);
}

static void add_rule(observer *o, const gp_workload_plan *plan, const observe_rule *rule,
                     const gp_observe_subject *subject) {
    gp_observed_figure figure = blank_figure(plan->workload->name, rule->metric, rule->help);
    if (rule->goal != NULL) {
        const gp_goal_result *goal =
            GP_NAMED_OF(plan->goals, (size_t)plan->goal_count, name, rule->goal);
        if (goal == NULL)
            return; /* nothing was asked for */
        figure.planned = goal->target;
    } else {
        figure.planned =
            rule->planned != NULL ? rule->planned(plan) : member_of(plan, rule->member_of_plan);
    }
    figure.dim = rule->dim;
    figure.side = rule->side;
    figure.limit_fraction = limit_of(o, rule->metric, rule->limit);
    if (subject->served == NULL)
        figure.reason = subject->reason;
    else
        observe(o, rule, subject->served, &figure);
    if (!(figure.planned > 0) && !isfinite(figure.observed))
        return;
    finish(o, &figure);
}

/* What may not rise above what is planned, and a member of gp_constants more (0: no more). */
static void hold(const observer *o, gp_observed_figure *figure, gp_dim dim, double planned,
                 size_t limit) {
    figure->dim = dim;
    figure->side = GP_OBSERVED_ABOVE;
    figure->planned = planned;
    figure->limit_fraction = limit_of(o, figure->metric, limit);
}

/* Engines put requests back from here on, whatever was planned. */
static void add_kv_full(observer *o, const gp_workload_plan *plan, const char *served) {
    const gp_telemetry_reading *use = gp_telemetry_reading_of(o->telemetry, "kvUse", served);
    gp_observed_figure figure =
        blank_figure(plan->workload->name, kv_full, "Peak use of the KV cache, against its size.");
    if (use == NULL)
        return;
    hold(o, &figure, GP_DIM_FRACTION, o->result->constants->observe_kv_full_fraction, 0);
    figure.observed = use->most;
    figure.samples = use->samples;
    figure.query = use->query;
    finish(o, &figure);
}

/* ---- GPUs: a kind tells no workloads apart */

static const gp_gpu *gpu_of(const gp_workload_plan *plan) {
    const gp_unit *unit = plan->chosen.unit;
    return plan->chosen.present && unit != NULL ? unit->machine.gpu : NULL;
}

/* Another workload on GPUs of the kind, or NULL. */
static const char *other_user(const observer *o, const gp_workload_plan *plan) {
    for (size_t i = 0; i < o->result->workloads.count; i++) {
        const gp_workload_plan *other = &o->result->workloads.items[i];
        if (other != plan && gpu_of(other) != NULL && gpu_of(other) == gpu_of(plan))
            return other->workload->name;
    }
    return NULL;
}

static void gpu_subject(const observer *o, const gp_workload_plan *plan, gp_observe_subject *ret) {
    const gp_gpu *gpu = gpu_of(plan);
    const char *other = other_user(o, plan);
    *ret = (gp_observe_subject){0};
    if (gpu == NULL) {
        ret->reason = "no layout was chosen";
        return;
    }
    if (other != NULL) {
        ret->reason = gp_arena_printf(o->arena,
                                      "the same GPU type (%s) also runs %s: separate them with a "
                                      "--selector for its machines and a plan of its own",
                                      gpu->id, other);
        return;
    }
    ret->reason = gp_arena_printf(
        o->arena, "no GPU of type %s reports: scrape dcgm-exporter on its machines", gpu->id);
    gp_telemetry_gpu(o->telemetry, gpu, &ret->served);
}

/* ---- one workload */

static bool holds(const observe_rule *rule, const gp_workload_plan *plan) {
    switch (rule->of) {
    case OF_SERVICE:
    case OF_GOAL: return plan->is_serving && !plan->is_offline && !plan->is_seats;
    case OF_TRAINING: return !plan->is_serving;
    case OF_GPUS: return true;
    }
    return false;
}

static void add_workload(observer *o, size_t index) {
    const gp_workload_plan *plan = &o->result->workloads.items[index];
    const gp_observe_subject *service = &o->options->subjects[index];
    gp_observe_subject gpus;
    gpu_subject(o, plan, &gpus);
    for (size_t i = 0; i < RULES; i++) {
        const observe_rule *rule = &rules[i];
        bool device = rule->of == OF_TRAINING || rule->of == OF_GPUS;
        if (holds(rule, plan))
            add_rule(o, plan, rule, device ? &gpus : service);
    }
    if (plan->is_serving && !plan->is_offline && service->served != NULL)
        add_kv_full(o, plan, service->served);
}

/* ---- machines */

static double planned_node_power(const gp_plan_result *result) {
    double watts = 0;
    double nodes = 0;
    for (size_t i = 0; i < result->workloads.count; i++) {
        const gp_candidate *chosen = &result->workloads.items[i].chosen;
        watts += chosen->present ? chosen->it_mean_w : 0;
        nodes += chosen->present ? (double)chosen->nodes : 0;
    }
    return nodes > 0 ? watts / nodes : 0;
}

static void add_machines(observer *o) {
    const observe_rule power = {.reading = "nodePower", .member = READING(mean)};
    const observe_rule air = {.reading = "inletTemperature", .member = READING(most)};
    gp_observed_figure figure =
        blank_figure(NULL, node_power, "Power of a machine, mean over those that report.");
    hold(o, &figure, GP_DIM_POWER, planned_node_power(o->result), LIMIT(power));
    observe(o, &power, "", &figure);
    finish(o, &figure);
    figure = blank_figure(NULL, inlet, "Warmest air inlet, against what class and machines allow.");
    hold(o, &figure, GP_DIM_TEMPERATURE, o->result->room.cooling.air_max_c, 0);
    observe(o, &air, "", &figure);
    finish(o, &figure);
}

static void copy_missing(observer *o) {
    const gp_telemetry *telemetry = o->telemetry;
    size_t count = telemetry->absences.count;
    GP_ROOM(o->arena, &o->observation->missing, count);
    for (size_t i = 0; i < count; i++) {
        const gp_telemetry_absence *absence = &telemetry->absences.items[i];
        GP_NEXT(o->observation->missing) = (gp_observe_lack){absence->metric->id, absence->reason};
    }
    o->observation->warnings.items = telemetry->warnings.items;
    o->observation->warnings.count = telemetry->warnings.count;
}

void gp_observe_build(gp_arena *arena, const gp_plan_result *result, const gp_telemetry *telemetry,
                      const gp_observe_options *options, gp_observation *ret_observation) {
    observer o = {.arena = arena,
                  .result = result,
                  .telemetry = telemetry,
                  .options = options,
                  .observation = ret_observation};
    for (size_t i = 0; i < result->workloads.count; i++)
        add_workload(&o, i);
    add_machines(&o);
    ret_observation->ok = ret_observation->breaches == 0;
    copy_missing(&o);
}
