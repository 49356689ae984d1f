/* A service as it runs: its traffic over a week, the replicas of today, autoscaling. */
#include "report/build.h"

#include "base/str.h"
#include "report/value.h"

static const double seconds_per_hour = 3600;

/* Gauges of the engines, as their metrics pages name them. */
typedef struct engine_gauges {
    const char *engine;
    const char *names[2]; /* by gp_scale_metric */
} engine_gauges;

static const engine_gauges gauges[] = {
    {"vllm", {"vllm:num_requests_running", "vllm:kv_cache_usage_perc"}},
    {"sglang", {"sglang:num_running_reqs", "sglang:token_usage"}},
};

static const char *gauge_name(const char *engine, gp_scale_metric metric) {
    for (size_t i = 0; engine != NULL && i < GP_COUNT_OF(gauges); i++)
        if (gp_str_equal_nocase(gauges[i].engine, engine))
            return gauges[i].names[metric];
    return NULL;
}

static const char *profile_name(const gp_profile *profile) {
    if (profile->hourly.count > 0)
        return "hourly";
    return profile->trace != NULL ? "trace" : profile->name;
}

static double busiest(const gp_traffic_plan *traffic) {
    double most = 0;
    for (int h = 0; h < GP_DAY_HOURS; h++)
        most = traffic->hour_factors[h] > most ? traffic->hour_factors[h] : most;
    return most;
}

static void fill_traffic(const gp_workload_plan *plan, gp_report_traffic *ret) {
    const gp_traffic_plan *traffic = &plan->traffic;
    ret->profile = profile_name(&plan->workload->traffic.profile);
    ret->profile_stated = traffic->shaped || plan->workload->traffic.profile.trace != NULL;
    ret->mean_requests_per_s = gp_build_positive(traffic->mean_per_s);
    ret->peak_requests_per_s = gp_build_positive(traffic->peak_per_s);
    ret->weekend_fraction = traffic->weekend_fraction;
    ret->minute_factor = gp_build_positive(traffic->minute_factor);
    ret->busiest_hour_factor = gp_build_positive(busiest(traffic));
}

int64_t gp_build_declared(const gp_workload_plan *plan) {
    return plan->workload->replicas > 0 ? plan->workload->replicas : plan->declared.replicas;
}

static void fill_declared(gp_build *build, const gp_workload_plan *plan, gp_report_service *ret) {
    if (!plan->has_declared)
        return;
    gp_report_declared *out = GP_NEW(build->arena, gp_report_declared);
    *out = (gp_report_declared){
        .replicas = gp_build_declared(plan),
        .enough = plan->declared.feasible,
        .needed = plan->replicas_needed > 0    ? plan->replicas_needed
                  : plan->chosen.split.present ? plan->chosen.replicas
                                               : GP_REPORT_NO_COUNT,
        .requests_per_s = gp_build_positive(plan->declared.requests_per_s),
        .layout = plan->declared.present ? gp_build_serving_words(build, &plan->declared) : NULL,
    };
    ret->declared = out;
}

/* Against the same machines rented at all hours. */
static double saved_rent_per_s(const gp_candidate *chosen) {
    double saved = 0;
    if (chosen->share_count == 0)
        return gp_rent_of(chosen->unit, 1).per_s * (double)chosen->nodes - chosen->cost.rent_per_s;
    for (int k = 0; k < chosen->share_count; k++)
        if (chosen->shares[k].unit->cloud != NULL)
            saved += saved_rent_per_s(&chosen->shares[k]);
    return saved;
}

static void fill_hours(gp_build *build, const gp_workload_plan *plan, gp_report_autoscale *ret) {
    const gp_autoscale *scaling = &plan->autoscale;
    const gp_traffic_plan *traffic = &plan->traffic;
    const bool apart = plan->chosen.split.present;
    if (!scaling->has_week)
        return;
    GP_ROOM(build->arena, &ret->hours, GP_DAY_HOURS);
    for (int h = 0; h < GP_DAY_HOURS; h++)
        GP_NEXT(ret->hours) = (gp_report_hour){
            .hour = h,
            .requests_per_s = traffic->peak_per_s * traffic->hour_factors[h] / busiest(traffic),
            .replicas = scaling->replicas[h],
            .weekend_replicas = scaling->weekend_replicas[h],
            .prefill_replicas = apart ? scaling->prefill_replicas[h] : GP_REPORT_NO_COUNT,
            .weekend_prefill_replicas =
                apart ? scaling->weekend_prefill_replicas[h] : GP_REPORT_NO_COUNT,
        };
    ret->gpu_hours_per_week = scaling->gpu_s_per_week / seconds_per_hour;
    ret->saved_fraction = scaling->saved_fraction;
    if (plan->chosen.cost.rent_per_s > 0)
        ret->saved_per_year = gp_build_per_year(saved_rent_per_s(&plan->chosen));
}

static void fill_autoscaling(gp_build *build, const gp_workload_plan *plan,
                             gp_report_service *ret) {
    static const char *const metrics[] = {
        [GP_SCALE_METRIC_RUNNING] = "runningRequests",
        [GP_SCALE_METRIC_KV_USE] = "kvCacheUse",
    };
    const gp_autoscale *scaling = &plan->autoscale;
    const bool apart = plan->chosen.split.present;
    const bool alike = !apart && gp_build_is_alike(build, &plan->chosen);
    if (!scaling->present)
        return;
    gp_report_autoscale *out = GP_NEW(build->arena, gp_report_autoscale);
    *out = (gp_report_autoscale){
        .min_replicas = scaling->min_replicas,
        .max_replicas = scaling->max_replicas,
        .gpus_per_replica = alike && !plan->chosen.part.in_use
                                ? gp_build_gpus_each(plan, &plan->chosen)
                                : GP_REPORT_NO_COUNT,
        .metric = apart ? NULL : metrics[scaling->metric],
        .metric_name = apart ? NULL : gauge_name(plan->workload->software.engine, scaling->metric),
        .target = gp_build_positive(scaling->target),
        .target_requests_per_s = gp_build_positive(scaling->target_requests_per_s),
        .replica_requests_per_s = gp_build_positive(scaling->replica_requests_per_s),
        .burst_factor = scaling->burst_factor,
        .cold_start_s = scaling->start.total_s,
        .load_s = scaling->start.load_s,
        .engine_s = scaling->start.engine_s,
        .weights_bytes = scaling->start.weights_bytes,
        .read_bytes_per_s = scaling->start.read_bytes_per_s,
        .growth_fraction = plan->traffic.shaped ? scaling->growth_fraction : GP_REPORT_NO_REAL,
        .gpu_hours_per_week = GP_REPORT_NO_REAL,
        .peak_gpu_hours_per_week = scaling->peak_gpu_s_per_week / seconds_per_hour,
        .saved_fraction = GP_REPORT_NO_REAL,
        .saved_per_year = GP_REPORT_NO_REAL,
    };
    ret->autoscaling = out;
    fill_hours(build, plan, out);
}

static const gp_report_sharing no_sharing = {.gpus = GP_REPORT_NO_COUNT,
                                             .nodes = GP_REPORT_NO_COUNT,
                                             .facility_power_w = GP_REPORT_NO_REAL,
                                             .ttft_p95_s = GP_REPORT_NO_REAL,
                                             .tpot_p95_s = GP_REPORT_NO_REAL};

static void fill_sharing(gp_build *build, const gp_candidate *candidate, gp_report_sharing *ret) {
    ret->feasible = candidate->present && candidate->feasible;
    if (candidate->present) {
        ret->layout = gp_build_serving_words(build, candidate);
        ret->gpus = candidate->gpus;
        ret->nodes = candidate->nodes;
        ret->facility_power_w = gp_build_power(candidate->unit, candidate->facility_mean_w);
        ret->ttft_p95_s = gp_build_positive(candidate->ttft_p95_s.expected);
        ret->tpot_p95_s = gp_build_positive(candidate->tpot_p95_s.expected);
    }
    if (!ret->feasible)
        ret->reason = gp_build_lack_words(build, candidate);
}

static const char *sharing_reason(gp_build *build, const gp_workload_plan *plan) {
    const gp_candidate *together = &plan->together;
    const gp_candidate *apart = &plan->apart;
    const bool chosen = plan->chosen.split.present;
    const bool asked = gp_str_equal(plan->workload->disaggregated, "true");
    if (!apart->feasible)
        return asked ? "no pair of pools meets the service level"
                     : "no pair of pools meets the service level with fewer GPUs";
    if (!together->feasible)
        return "only separate pools meet the service level";
    if (apart->gpus < together->gpus) {
        const double saved = 1 - (double)apart->gpus / (double)together->gpus;
        return gp_build_text(build, "separate pools save %s of the GPUs%s",
                             gp_build_quantity(build, saved, GP_DIM_FRACTION),
                             chosen ? "" : ", too little for a second pool");
    }
    if (!chosen)
        return "separate pools save no GPUs";
    return asked ? "the spec asks for it" : "a GPU carries more in separate pools";
}

static void fill_disaggregation(gp_build *build, const gp_workload_plan *plan,
                                gp_report_service *ret) {
    const gp_split_pools *pools = &plan->apart.split;
    if (plan->together.unit == NULL && !plan->apart.present)
        return;
    gp_report_disaggregation *out = GP_NEW(build->arena, gp_report_disaggregation);
    *out = (gp_report_disaggregation){
        .chosen = plan->chosen.split.present,
        .reason = sharing_reason(build, plan),
        .together = no_sharing,
        .apart = no_sharing,
        .kv_transfer_s = gp_build_positive(pools->transfer_s),
        .prefill_utilization = gp_build_positive(pools->prefill_utilization),
        .decode_utilization = gp_build_positive(pools->decode_utilization),
    };
    fill_sharing(build, &plan->together, &out->together);
    fill_sharing(build, &plan->apart, &out->apart);
    ret->disaggregation = out;
    gp_build_pools(build, pools, &out->pools);
}

static void fill_layouts(gp_build *build, const gp_workload_plan *plan, gp_report_service *ret) {
    GP_ROOM(build->arena, &ret->layouts, plan->layout_count);
    for (int i = 0; i < plan->layout_count; i++) {
        gp_report_sharing *next = &GP_NEXT(ret->layouts);
        *next = no_sharing;
        fill_sharing(build, &plan->layouts[i], next);
    }
}

static void fill_held(gp_build *build, const gp_workload_plan *plan, gp_report_service *ret) {
    if (!(plan->held_requests_per_s > 0) || plan->held_unit == NULL)
        return;
    gp_report_held *out = GP_NEW(build->arena, gp_report_held);
    *out = (gp_report_held){
        .system = gp_build_system_id(plan->held_unit),
        .nodes = plan->held_nodes,
        .requests_per_s = plan->held_requests_per_s,
    };
    ret->held = out;
}

void gp_build_service(gp_build *build, const gp_workload_plan *plan, gp_report_workload *ret) {
    if (!plan->is_serving || plan->is_seats || !gp_build_is_judged(plan))
        return;
    gp_report_service *out = GP_NEW(build->arena, gp_report_service);
    gp_report_clear(&gp_report_service_type, out);
    fill_traffic(plan, &out->traffic);
    out->availability_fraction = gp_build_positive(plan->chosen.availability_fraction);
    ret->service = out;
    fill_declared(build, plan, out);
    fill_disaggregation(build, plan, out);
    fill_held(build, plan, out);
    fill_layouts(build, plan, out);
    fill_autoscaling(build, plan, out);
}
