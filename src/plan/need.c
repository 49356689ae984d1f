/*
 * What the need of a workload is made of: the load by itself, on tuned software and by expected
 * values, and then each factor of safety on top of those before it. Every row is sized like the
 * plan itself, on the chosen kind of machine, so the last one is what is planned.
 */
#include "plan/verdict.h"

/* The case while factors are put back one by one. */
typedef struct stripped {
    gp_case c;
    gp_workload_plan out;
    gp_workload workload;
    const gp_case *whole;
} stripped;

/* Puts one factor back; false where it has no effect on this workload. */
typedef bool put_back(stripped *s, gp_need_step *ret);

static bool serves(const gp_case *c) {
    return c->out->is_serving && !c->offline;
}

static bool is_given(const gp_meta *meta, size_t offset) {
    const int kind = gp_origin_at(meta, offset)->kind;
    return kind == GP_ORIGIN_SPEC || kind == GP_ORIGIN_FLAG;
}

static double peak_over_mean(const gp_case *c) {
    const gp_traffic_plan *traffic = &c->out->traffic;
    return serves(c) && traffic->mean_per_s > 0 ? traffic->peak_per_s / traffic->mean_per_s : 1;
}

static bool load(stripped *s, gp_need_step *ret) {
    ret->value = serves(&s->c) ? s->c.demand.requests_per_s : s->c.demand.deadline_s;
    return true;
}

static bool peak(stripped *s, gp_need_step *ret) {
    ret->value = peak_over_mean(s->whole);
    ret->assumed = s->whole->out->demand_peak_to_mean > 0 &&
                   s->whole->workload->traffic.profile.trace == NULL;
    s->c.demand = s->whole->demand;
    return ret->value > 1;
}

static bool tuning(stripped *s, gp_need_step *ret) {
    const gp_software *software = &s->whole->workload->software;
    ret->value = gp_plan_tuning_share(s->whole);
    ret->assumed =
        !is_given(&software->meta, offsetof(gp_software, tuning)) &&
        !is_given(&s->c.plan->spec->defaults.software.meta, offsetof(gp_software, tuning));
    s->out = *s->whole->out;
    s->c.units = s->whole->units;
    return ret->value < 1 && !s->c.out->is_seats;
}

static bool confidence(stripped *s, gp_need_step *ret) {
    ret->value = (double)s->whole->confidence;
    s->c.confidence = s->whole->confidence;
    return s->c.confidence != GP_CONFIDENCE_EXPECTED && !s->c.out->is_seats;
}

static bool headroom(stripped *s, gp_need_step *ret) {
    ret->value = s->whole->gpu_headroom_fraction;
    s->c.gpu_headroom_fraction = s->whole->gpu_headroom_fraction;
    return ret->value > 0;
}

static bool availability(stripped *s, gp_need_step *ret) {
    ret->value = s->whole->workload->goal.slo.availability;
    s->c.workload = s->whole->workload;
    return serves(&s->c) && (ret->value > 0 || s->c.workload->scaling.spare_replicas > 0);
}

static bool layout(stripped *s, gp_need_step *ret) {
    (void)s;
    (void)ret;
    return true;
}

static put_back *const factors[GP_NEED_COUNT] = {
    [GP_NEED_LOAD] = load,         [GP_NEED_PEAK] = peak,
    [GP_NEED_TUNING] = tuning,     [GP_NEED_CONFIDENCE] = confidence,
    [GP_NEED_HEADROOM] = headroom, [GP_NEED_AVAILABILITY] = availability,
    [GP_NEED_LAYOUT] = layout,
};

/* Without any factor: mean load, tuned, by expected values, no room, nothing spare. */
static void strip(const gp_case *c, gp_unit_capability *cache, stripped *ret) {
    const double share = gp_plan_tuning_share(c);
    gp_capabilities_forget(c->plan, cache);
    *ret = (stripped){.c = *c, .out = *c->out, .workload = *c->workload, .whole = c};
    ret->workload.goal.slo.availability = 0;
    ret->workload.scaling.spare_replicas = 0;
    ret->workload.placement.survives = NULL;
    ret->c.workload = &ret->workload;
    ret->c.out = &ret->out;
    ret->c.units = cache;
    ret->c.confidence = GP_CONFIDENCE_EXPECTED;
    ret->c.gpu_headroom_fraction = 0;
    ret->c.demand.requests_per_s /= serves(c) ? peak_over_mean(c) : 1;
    ret->c.split_mode = gp_split_mode_as(&c->out->chosen);
    ret->out.train.speed_factor /= share;
    ret->out.serve.speed_factor /= share;
    ret->out.train.assumed_tuning = ret->out.serve.assumed_tuning = 0;
}

static void size_step(const stripped *s, gp_need_step *step) {
    const gp_candidate *chosen = &s->whole->out->chosen;
    const size_t unit = (size_t)(chosen->unit - s->c.plan->units);
    gp_candidate sized = *chosen;
    if (step->factor != GP_NEED_LAYOUT)
        gp_size_fewest(&s->c, unit, gp_size_any(s->c.plan, unit), &sized);
    step->gpus = sized.feasible ? sized.gpus : 0;
    step->nodes = sized.feasible ? sized.nodes : 0;
    if (chosen->part.in_use && sized.feasible && sized.part.profile != NULL)
        step->part = sized.part.profile->name;
}

void gp_need_steps_of(const gp_verdicts *v, size_t i) {
    const gp_case *c = &v->plan->cases[i];
    gp_workload_plan *out = c->out;
    stripped s;
    if (!out->chosen.feasible || !out->has_goal || c->counted)
        return;
    strip(c, v->cache, &s);
    for (int f = 0; f < GP_NEED_COUNT; f++) {
        gp_need_step step = {.factor = (gp_need_factor)f};
        if (!factors[f](&s, &step))
            continue;
        size_step(&s, &step);
        if (step.gpus > 0)
            out->need_steps[out->need_step_count++] = step;
    }
}
