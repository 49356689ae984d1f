/*
 * Replicas that follow the traffic: bounds, the figure of the engine to scale on and its target per
 * replica, the time until a new replica serves, and the GPU-hours that a week takes against a fleet
 * held at the peak (docs/formulas.md, "Autoscaling").
 */
#include "plan/context.h"

#include "base/num.h"

enum { WORKING_DAYS = 5, WEEKEND_DAYS = 2 };
static const double hour_s = 3600; /* definition */

/* Read rate of the fastest storage of the cluster; NULL: none is stated. */
static const gp_storage *fastest_storage(const gp_cluster *cluster) {
    const gp_storage *fastest = NULL;
    for (size_t i = 0; i < cluster->storage.count; i++) {
        const gp_storage *storage = &cluster->storage.items[i];
        if (storage->read_bytes_per_s > 0 &&
            (fastest == NULL || storage->read_bytes_per_s > fastest->read_bytes_per_s))
            fastest = storage;
    }
    return fastest;
}

void gp_start_of(const gp_case *c, const gp_candidate *chosen, gp_trace *trace,
                 gp_serve_start *ret) {
    const double ranks = (double)gp_serve_layout_gpus(&chosen->serve_layout);
    const gp_start_input input = {
        .weights_bytes = chosen->memory.bytes[GP_MEMORY_WEIGHTS] * ranks,
        .storage = fastest_storage(
            &gp_plan_spec_at(c->plan, (size_t)(chosen->unit - c->plan->units))->cluster),
        .network_bytes_per_s = chosen->unit->machine.nic_bytes_per_s * ranks,
    };
    gp_serve_start_of(&input, c->plan->constants, trace, ret);
}

static double steepest_growth(const gp_traffic_plan *traffic, double start_s) {
    double most = 0;
    for (int h = 0; h < GP_DAY_HOURS; h++) {
        const double now = traffic->hour_factors[h];
        const double next = traffic->hour_factors[(h + 1) % GP_DAY_HOURS];
        if (now > 0)
            most = gp_num_max(most, (next - now) / now);
    }
    return traffic->shaped ? most * gp_num_min(start_s / hour_s, 1) : 0;
}

double gp_growth_of_start(const gp_case *c, const gp_candidate *chosen) {
    gp_serve_start start;
    gp_start_of(c, chosen, NULL, &start);
    return steepest_growth(&c->out->traffic, start.total_s);
}

/* Running requests of one replica at `requests_per_s`. */
static double running_at(const gp_case *c, const gp_candidate *chosen, double requests_per_s) {
    gp_serve_point point;
    gp_candidate_load(c, chosen, requests_per_s, NULL, &point);
    return point.batch;
}

/* The engine's gauge: sequences that run, or the share of the KV cache where that is what fills. */
static void set_target(const gp_case *c, const gp_candidate *chosen, gp_autoscale *ret) {
    const gp_serve_memory *memory = &chosen->serve_memory;
    const double places = gp_serve_admitted(&c->out->serve, memory);
    const double most = running_at(c, chosen, ret->replica_requests_per_s);
    const double target = running_at(c, chosen, ret->target_requests_per_s);
    const double enough = c->plan->constants->plan_scale_kv_fraction;
    const bool fills = memory->max_concurrency < memory->max_sequences && most > enough * places;
    ret->metric = fills ? GP_SCALE_METRIC_KV_USE : GP_SCALE_METRIC_RUNNING;
    ret->target = fills ? target / memory->max_concurrency : target;
}

/* GPUs of one replica: where several layouts share the demand their mean, of a part its share. */
static double replica_gpus(const gp_candidate *chosen) {
    double gpus = 0;
    for (int k = 0; k < chosen->share_count; k++)
        gpus += replica_gpus(&chosen->shares[k]) * (double)chosen->shares[k].replicas;
    if (chosen->share_count > 0)
        return gpus / (double)chosen->replicas;
    return chosen->part.in_use ? gp_part_fraction(chosen->unit->partition, chosen->part.profile)
                               : (double)gp_serve_layout_gpus(&chosen->serve_layout);
}

/* Replicas for the demand, those held for availability included; of two pools in `ret_prefill`
 * those of prefill, else 0. Returns their GPUs. */
static double replicas_at(const gp_case *c, const gp_candidate *chosen, double requests_per_s,
                          int64_t *ret_replicas, int64_t *ret_prefill) {
    gp_split_pools pools = chosen->split;
    int64_t needed = 0;
    int64_t most = chosen->replicas;
    if (pools.present) {
        gp_split_replicas(c, chosen, requests_per_s, &pools);
        needed = pools.decode_replicas;
        most = chosen->split.decode_replicas;
    } else {
        needed = gp_candidate_replicas(c, chosen, requests_per_s);
    }
    *ret_replicas = gp_num_min_i64(needed, most);
    *ret_prefill = gp_num_min_i64(pools.prefill_replicas, chosen->split.prefill_replicas);
    return (double)*ret_replicas * replica_gpus(chosen) +
           (double)(*ret_prefill * gp_serve_layout_gpus(&pools.layouts.prefill));
}

static double held_gpus(const gp_candidate *chosen) {
    const gp_split_pools *pools = &chosen->split;
    return (double)(chosen->replicas - pools->prefill_replicas) * replica_gpus(chosen) +
           (double)(pools->prefill_replicas * gp_serve_layout_gpus(&pools->layouts.prefill));
}

static void set_week(const gp_case *c, const gp_candidate *chosen, gp_autoscale *ret) {
    const gp_traffic_plan *traffic = &c->out->traffic;
    double gpu_hours = 0;
    ret->has_week = traffic->shaped;
    for (int h = 0; h < GP_DAY_HOURS && ret->has_week; h++) {
        const double ahead = c->demand.traffic_factor * (1 + ret->growth_fraction);
        const double working = gp_traffic_planned(traffic, h, false) * ahead;
        const double weekend = gp_traffic_planned(traffic, h, true) * ahead;
        const double gpus =
            replicas_at(c, chosen, working, &ret->replicas[h], &ret->prefill_replicas[h]);
        const double at_weekend = replicas_at(c, chosen, weekend, &ret->weekend_replicas[h],
                                              &ret->weekend_prefill_replicas[h]);
        gpu_hours += WORKING_DAYS * gpus + WEEKEND_DAYS * at_weekend;
    }
    const double hours = (double)(GP_DAY_HOURS * (WORKING_DAYS + WEEKEND_DAYS));
    ret->peak_gpu_s_per_week = hours * hour_s * held_gpus(chosen);
    ret->gpu_s_per_week = ret->has_week ? gpu_hours * hour_s : ret->peak_gpu_s_per_week;
    ret->saved_fraction = 1 - ret->gpu_s_per_week / ret->peak_gpu_s_per_week;
}

static int64_t fewest(const gp_autoscale *a) {
    int64_t least = INT64_MAX;
    for (int h = 0; h < GP_DAY_HOURS; h++)
        least = gp_num_min_i64(
            least, gp_num_min_i64(a->replicas[h] + a->prefill_replicas[h],
                                  a->weekend_replicas[h] + a->weekend_prefill_replicas[h]));
    return least;
}

static int64_t idle_replicas(const gp_case *c, const gp_candidate *chosen,
                             const gp_autoscale *scaling) {
    const gp_traffic_plan *traffic = &c->out->traffic;
    const double quiet = traffic->mean_per_s > 0 ? traffic->mean_per_s : traffic->peak_per_s;
    int64_t replicas = 0;
    int64_t prefill = 0;
    if (scaling->has_week)
        return fewest(scaling);
    (void)replicas_at(c, chosen, quiet * c->demand.traffic_factor, &replicas, &prefill);
    return replicas + prefill;
}

void gp_autoscale_week(const gp_case *c, const gp_candidate *chosen, gp_autoscale *ret) {
    const int64_t active = chosen->replicas - chosen->spare_replicas;
    /* Pools of several shares have no common layout to follow the hours in. */
    const bool pools = chosen->split.present || chosen->split.prefill_replicas > 0;
    const bool follows = !pools || (c->out->traffic.shaped && chosen->share_count == 0);
    *ret = (gp_autoscale){0};
    if (!chosen->feasible || c->offline || !c->out->has_goal || active <= 0 ||
        chosen->requests_per_s <= 0 || !follows)
        return;
    gp_start_of(c, chosen, NULL, &ret->start);
    ret->present = true;
    ret->growth_fraction = steepest_growth(&c->out->traffic, ret->start.total_s);
    set_week(c, chosen, ret);
}

void gp_autoscale_of(const gp_case *c, const gp_candidate *chosen, gp_autoscale *ret) {
    const gp_constants *k = c->plan->constants;
    const gp_traffic_plan *traffic = &c->out->traffic;
    gp_autoscale_week(c, chosen, ret);
    if (!ret->present)
        return;
    ret->burst_factor = traffic->shaped ? traffic->minute_factor : k->plan_peak_minute;
    if (!chosen->split.present) {
        ret->replica_requests_per_s =
            chosen->requests_per_s / (double)(chosen->replicas - chosen->spare_replicas);
        ret->target_requests_per_s = ret->replica_requests_per_s /
                                     gp_num_max(1 + c->gpu_headroom_fraction,
                                                ret->burst_factor * (1 + ret->growth_fraction));
        set_target(c, chosen, ret);
    }
    const gp_scaling *scaling = &c->workload->scaling;
    ret->min_replicas = gp_num_max_i64(idle_replicas(c, chosen, ret), scaling->min_replicas);
    /* Beyond what is planned there are no machines to start on. */
    ret->max_replicas = chosen->replicas;
}
