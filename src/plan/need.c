/*
 * What the need of a workload is made of: the load by itself, on tuned software and by expected
 * values, and then each factor of safety on top of those before it. Every row is sized like the
 * plan itself, on the chosen kind of machine, each share of a service on its own, with replicas
 * that carry what simulation found. The last row is what is planned; what does with a factor does
 * without it, so that no row takes more than the one below.
 */
#include "plan/verdict.h"

#include "base/num.h"

/* A case, or what one kind of machine has of it, while factors are put back one by one. */
typedef struct stripped {
    gp_case c;
    gp_case_copy *copy; /* its workload and plan */
    const gp_case *whole;
    const gp_candidate *chosen; /* what is planned for it */
    double carried;             /* by a replica as simulated, over what the closed form says */
    double lost;                /* all shares over the demand: more than 1 outlasts a site */
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
    ret->assumed =
        s->whole->out->demand_peak_to_mean > 0 && s->whole->workload->traffic.profile.trace == NULL;
    s->c.demand = s->whole->demand;
    s->c.demand.requests_per_s /= s->lost;
    return ret->value > 1;
}

static bool tuning(stripped *s, gp_need_step *ret) {
    const gp_software *software = &s->whole->workload->software;
    ret->value = gp_plan_tuning_share(s->whole, s->whole->out->is_serving);
    ret->assumed =
        !is_given(&software->meta, offsetof(gp_software, tuning)) &&
        !is_given(&s->c.plan->spec->defaults.software.meta, offsetof(gp_software, tuning));
    s->copy->out = *s->whole->out;
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
    s->copy->workload = *s->whole->workload;
    s->copy->workload.replicas = 0;
    return serves(&s->c) && (ret->value > 0 || s->c.workload->scaling.spare_replicas > 0);
}

static bool survival(stripped *s, gp_need_step *ret) {
    ret->value = s->lost;
    s->c.demand = s->whole->demand;
    return s->lost > 1;
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
    [GP_NEED_SURVIVAL] = survival, [GP_NEED_LAYOUT] = layout,
};

/* A replica of the chosen layout, or on average over both pools. */
static double carried_of(const gp_case *c, const gp_candidate *chosen) {
    const gp_split_pools *pools = &chosen->split;
    if (!serves(c))
        return 1;
    if (!pools->present) {
        const gp_serve_capability *found = gp_size_capability(c, chosen);
        return found != NULL ? 1 - found->simulated_loss : 1;
    }
    const gp_split_capability *pair = gp_split_pair(c, chosen);
    const double prefill =
        (double)(pools->prefill_replicas * gp_serve_layout_gpus(&pools->layouts.prefill));
    const double decode =
        (double)(pools->decode_replicas * gp_serve_layout_gpus(&chosen->serve_layout));
    if (pair == NULL)
        return 1;
    return (prefill * (1 - pair->prefill_loss) + decode * (1 - pair->decode_loss)) /
           (prefill + decode);
}

/* Without any factor: mean load, tuned, by expected values, no room, nothing spare. */
static void strip(const gp_case *c, const gp_candidate *chosen, double lost,
                  gp_unit_capability *cache, stripped *ret) {
    gp_capabilities_forget(c->plan, cache);
    *ret = (stripped){.c = *c,
                      .copy = &c->plan->copies->varied,
                      .whole = c,
                      .chosen = chosen,
                      .carried = carried_of(c, chosen),
                      .lost = lost};
    ret->copy->out = *c->out;
    ret->copy->workload = *c->workload;
    ret->copy->workload.goal.slo.availability = 0;
    ret->copy->workload.scaling.spare_replicas = 0;
    ret->copy->workload.placement.survives = NULL;
    ret->copy->workload.replicas = 0; /* what is declared is the last row's */
    ret->c.workload = &ret->copy->workload;
    ret->c.out = &ret->copy->out;
    ret->c.units = cache;
    ret->c.confidence = GP_CONFIDENCE_EXPECTED;
    ret->c.gpu_headroom_fraction = 0;
    ret->c.demand.requests_per_s /= peak_over_mean(c) * lost;
    ret->c.split_mode = gp_split_mode_as(chosen);
    ret->copy->out.train.speed_factor /= gp_plan_tuning_share(c, false);
    ret->copy->out.serve.speed_factor /= gp_plan_tuning_share(c, true);
    ret->copy->out.train.assumed_tuning = ret->copy->out.serve.assumed_tuning = 0;
}

/* What simulation found is known of the workload as it is, and of the stripped one taken over. */
static void size_step(const stripped *s, gp_need_step *step) {
    const size_t unit = (size_t)(s->chosen->unit - s->c.plan->units);
    gp_case c = s->c;
    gp_candidate sized = *s->chosen;
    if (s->c.units != s->whole->units)
        c.demand.requests_per_s /= s->carried;
    if (step->factor != GP_NEED_LAYOUT)
        gp_size_fewest(&c, unit, gp_size_any(c.plan, unit), &sized);
    step->gpus = sized.feasible ? sized.gpus : 0;
    step->nodes = sized.feasible ? sized.nodes : 0;
    if (s->chosen->part.in_use && sized.feasible && sized.part.profile != NULL)
        step->part = sized.part.profile;
}

/* What is enough with the next factor is enough without it. */
static void keep_below(const gp_candidate *chosen, const gp_need_step *next, gp_need_step *step) {
    const gp_gpu_partition *partition = chosen->unit->partition;
    const bool larger =
        step->part != NULL && next->part != NULL &&
        gp_part_fraction(partition, step->part) > gp_part_fraction(partition, next->part);
    if (step->gpus == 0 || step->gpus > next->gpus || larger) {
        step->gpus = next->gpus;
        step->part = next->part;
        step->nodes = next->nodes;
    }
    step->nodes = gp_num_min_i64(step->nodes, next->nodes);
}

/* The steps of one share, added to those of others. */
static void add_share(const gp_case *c, const gp_candidate *chosen, double lost,
                      gp_unit_capability *cache, gp_workload_plan *out) {
    gp_need_step steps[GP_NEED_COUNT];
    int count = 0;
    stripped s;
    strip(c, chosen, lost, cache, &s);
    for (int f = 0; f < GP_NEED_COUNT; f++) {
        gp_need_step *step = &steps[count];
        *step = (gp_need_step){.factor = (gp_need_factor)f};
        if (!factors[f](&s, step))
            continue;
        size_step(&s, step);
        count++;
    }
    for (int k = count - 1; k-- > 0;)
        keep_below(chosen, &steps[k + 1], &steps[k]);
    for (int k = 0; k < count; k++) {
        gp_need_step *sum = &out->need_steps[k];
        const gp_need_step before = out->need_step_count > 0 ? *sum : (gp_need_step){0};
        *sum = steps[k];
        sum->gpus += before.gpus;
        sum->nodes += before.nodes;
    }
    out->need_step_count = count;
}

/* The load and the goal are those of the service, not of a share. */
static void tell_whole(const gp_case *c, gp_workload_plan *out) {
    for (int k = 0; k < out->need_step_count; k++) {
        gp_need_step *step = &out->need_steps[k];
        if (step->factor == GP_NEED_LOAD)
            step->value = c->demand.requests_per_s / peak_over_mean(c);
        if (step->factor == GP_NEED_AVAILABILITY)
            step->value = c->workload->goal.slo.availability;
    }
}

void gp_need_steps_of(const gp_verdicts *v, size_t i) {
    const gp_case *c = &v->plan->cases[i];
    gp_workload_plan *out = c->out;
    const gp_candidate *chosen = &out->chosen;
    if (!chosen->feasible || !out->has_goal || c->counted)
        return;
    if (chosen->share_count == 0)
        add_share(c, chosen, 1, v->cache, out);
    double lost = 0;
    for (int k = 0; k < chosen->share_count; k++)
        lost += chosen->shares[k].share_fraction;
    lost = c->workload->placement.survives != NULL ? lost : 1;
    for (int k = 0; k < chosen->share_count; k++) {
        gp_workload workload;
        const gp_case part =
            gp_spread_case(c, chosen->shares[k].unit, chosen->shares[k].share_fraction, &workload);
        add_share(&part, &chosen->shares[k], lost, v->cache, out);
    }
    if (chosen->share_count > 0)
        tell_whole(c, out);
}
