/* Rows of what a report says about a service as it runs: traffic over a week, autoscaling. */
#include "report/describe.h"

static const char *const profile_words[] = {"flat", "diurnal", "office", "hourly", "trace", NULL};
static const char *const metric_words[] = {"runningRequests", "kvCacheUse", NULL};

static const gp_report_field traffic_fields[] = {
    GP_R_WORD(gp_report_traffic, "profile", profile, profile_words, "How the hours differ."),
    GP_R_BOOL(gp_report_traffic, "profileStated", profile_stated, "The spec says so."),
    GP_R_REAL(gp_report_traffic, "meanRequestsPerS", mean_requests_per_s, GP_DIM_PER_S,
              "Mean of the week."),
    GP_R_REAL(gp_report_traffic, "peakRequestsPerS", peak_requests_per_s, GP_DIM_PER_S,
              "Busiest minute, for which it is planned."),
    GP_R_REAL(gp_report_traffic, "busiestHourFactor", busiest_hour_factor, GP_DIM_NONE,
              "Busiest hour over the mean of the week."),
    GP_R_REAL(gp_report_traffic, "weekendFraction", weekend_fraction, GP_DIM_FRACTION,
              "Rate at a weekend over that of a working day."),
    GP_R_REAL(gp_report_traffic, "minuteFactor", minute_factor, GP_DIM_NONE,
              "Busiest minute of an hour over the hour's mean."),
};
static const gp_report_struct traffic_type =
    GP_R_TYPE(gp_report_traffic, traffic_fields, .name = "traffic",
              .help = "What the service is asked over a week.");

static const gp_report_field declared_fields[] = {
    GP_R_COUNT(gp_report_declared, "replicas", replicas, "Replicas that run today."),
    GP_R_BOOL(gp_report_declared, "enough", enough, "They hold the load and the availability."),
    GP_R_COUNT(gp_report_declared, "needed", needed, "Replicas that it takes."),
    GP_R_REAL(gp_report_declared, "requestsPerS", requests_per_s, GP_DIM_PER_S,
              "Requests that they take within the service level."),
    GP_R_STRING(gp_report_declared, "layout", layout, "Them in words."),
};
static const gp_report_struct declared_type =
    GP_R_TYPE(gp_report_declared, declared_fields, .name = "declaredReplicas",
              .help = "The replicas of today as they are.");

static const gp_report_field hour_fields[] = {
    GP_R_COUNT(gp_report_hour, "hour", hour, "Hour of the day, 0 to 23."),
    GP_R_REAL(gp_report_hour, "requestsPerS", requests_per_s, GP_DIM_PER_S,
              "Rate to plan for, of a working day."),
    GP_R_COUNT(gp_report_hour, "replicas", replicas,
               "Replicas of a working day; of the decode pool where there are two."),
    GP_R_COUNT(gp_report_hour, "weekendReplicas", weekend_replicas,
               "Replicas at a weekend; of the decode pool where there are two."),
    GP_R_COUNT(gp_report_hour, "prefillReplicas", prefill_replicas,
               "Prefill replicas of a working day; null where they do both."),
    GP_R_COUNT(gp_report_hour, "weekendPrefillReplicas", weekend_prefill_replicas,
               "Prefill replicas at a weekend; null where they do both."),
};
static const gp_report_struct hour_type = GP_R_TYPE(gp_report_hour, hour_fields, .name = "hour",
                                                    .help = "Replicas of one hour of the day.");

static const gp_report_field autoscale_fields[] = {
    GP_R_COUNT(gp_report_autoscale, "minReplicas", min_replicas, "Lower bound to set."),
    GP_R_COUNT(gp_report_autoscale, "maxReplicas", max_replicas, "Upper bound to set."),
    GP_R_COUNT(gp_report_autoscale, "gpusPerReplica", gpus_per_replica, "GPUs of one replica."),
    GP_R_WORD(gp_report_autoscale, "metric", metric, metric_words, "What to scale on."),
    GP_R_STRING(gp_report_autoscale, "metricName", metric_name,
                "The same as the engine exports it; null where it is not known."),
    GP_R_REAL(gp_report_autoscale, "target", target, GP_DIM_NONE,
              "Mean per replica above which one is added."),
    GP_R_REAL(gp_report_autoscale, "targetRequestsPerS", target_requests_per_s, GP_DIM_PER_S,
              "Requests per replica at the target."),
    GP_R_REAL(gp_report_autoscale, "replicaRequestsPerS", replica_requests_per_s, GP_DIM_PER_S,
              "Requests that one replica carries within the service level."),
    GP_R_REAL(gp_report_autoscale, "burstFactor", burst_factor, GP_DIM_NONE,
              "Busiest minute over the mean that the metric sees."),
    GP_R_REAL(gp_report_autoscale, "coldStartS", cold_start_s, GP_DIM_TIME,
              "Until a new replica serves."),
    GP_R_REAL(gp_report_autoscale, "weightsLoadS", load_s, GP_DIM_TIME,
              "Of it, reading the weights."),
    GP_R_REAL(gp_report_autoscale, "engineStartS", engine_s, GP_DIM_TIME,
              "Of it, starting the engine."),
    GP_R_EXACT(gp_report_autoscale, "weightsBytes", weights_bytes, GP_DIM_BYTES,
               "Weights of one replica."),
    GP_R_REAL(gp_report_autoscale, "readBytesPerS", read_bytes_per_s, GP_DIM_BYTES_PER_S,
              "Rate at which they are read."),
    GP_R_REAL(gp_report_autoscale, "growthInColdStartFraction", growth_fraction, GP_DIM_FRACTION,
              "Growth of the demand during one cold start at its steepest."),
    GP_R_REAL(gp_report_autoscale, "gpuHoursPerWeek", gpu_hours_per_week, GP_DIM_NONE,
              "GPU-hours of a week; null where the profile is not stated."),
    GP_R_REAL(gp_report_autoscale, "gpuHoursAtPeakPerWeek", peak_gpu_hours_per_week, GP_DIM_NONE,
              "The same with all replicas held at all times."),
    GP_R_REAL(gp_report_autoscale, "savedFraction", saved_fraction, GP_DIM_FRACTION,
              "Share of the GPU-hours that following the traffic saves."),
    GP_R_EXACT(gp_report_autoscale, "savedPerYear", saved_per_year, GP_DIM_MONEY,
               "Rent that it saves; null for machines that are owned."),
    GP_R_LIST(gp_report_autoscale, "hours", hours, gp_report_hour, hour_type,
              "Replicas by the hour, where the profile is stated."),
};
static const gp_report_struct autoscale_type =
    GP_R_TYPE(gp_report_autoscale, autoscale_fields, .name = "autoscaling",
              .help = "How replicas follow the traffic.");

static const gp_report_field sharing_fields[] = {
    GP_R_BOOL(gp_report_sharing, "feasible", feasible, "It meets the service level."),
    GP_R_STRING(gp_report_sharing, "layout", layout, "The layout in words."),
    GP_R_COUNT(gp_report_sharing, "gpus", gpus, "GPUs it takes."),
    GP_R_COUNT(gp_report_sharing, "nodes", nodes, "Machines it takes."),
    GP_R_REAL(gp_report_sharing, "facilityPowerW", facility_power_w, GP_DIM_POWER,
              "Power under the planned load, with cooling and losses."),
    GP_R_REAL(gp_report_sharing, "ttftP95S", ttft_p95_s, GP_DIM_TIME,
              "Time to the first token, 95th percentile."),
    GP_R_REAL(gp_report_sharing, "tpotP95S", tpot_p95_s, GP_DIM_TIME,
              "Time per further output token, 95th percentile."),
    GP_R_STRING(gp_report_sharing, "reason", reason, "What it lacks; null where it is feasible."),
};
static const gp_report_struct sharing_type =
    GP_R_TYPE(gp_report_sharing, sharing_fields, .name = "sharing",
              .help = "One way to share the work of prefill and decode.");

static const gp_report_field disaggregation_fields[] = {
    GP_R_BOOL(gp_report_disaggregation, "chosen", chosen, "The plan keeps them apart."),
    GP_R_STRING(gp_report_disaggregation, "reason", reason, "Why, or why not."),
    GP_R_STRUCT(gp_report_disaggregation, "together", together, gp_report_sharing, sharing_type,
                "Every replica does both."),
    GP_R_STRUCT(gp_report_disaggregation, "apart", apart, gp_report_sharing, sharing_type,
                "Each in a pool of its own, matched in rate."),
    GP_R_REAL(gp_report_disaggregation, "kvTransferS", kv_transfer_s, GP_DIM_TIME,
              "For the KV cache of a mean prompt from one pool to the other."),
    GP_R_REAL(gp_report_disaggregation, "prefillUtilizationFraction", prefill_utilization,
              GP_DIM_FRACTION, "Planned load of the prefill pool over what it carries."),
    GP_R_REAL(gp_report_disaggregation, "decodeUtilizationFraction", decode_utilization,
              GP_DIM_FRACTION, "The same of the decode pool."),
    GP_R_LIST(gp_report_disaggregation, "pools", pools, gp_report_pool, gp_report_pool_type,
              "The pools of apart."),
};
static const gp_report_struct disaggregation_type =
    GP_R_TYPE(gp_report_disaggregation, disaggregation_fields, .name = "disaggregation",
              .help = "Prefill and decode together against apart, on the chosen machines.");

static const gp_report_field held_fields[] = {
    GP_R_STRING(gp_report_held, "system", system, "Kind of machine."),
    GP_R_COUNT(gp_report_held, "nodes", nodes, "Machines of today; on an empty site those chosen."),
    GP_R_REAL(gp_report_held, "requestsPerS", requests_per_s, GP_DIM_PER_S,
              "Peak that they hold within the service level, headroom and spares included."),
};
static const gp_report_struct held_type = GP_R_TYPE(gp_report_held, held_fields, .name = "held",
                                                    .help = "What machines carry as they are.");

static const gp_report_field service_fields[] = {
    GP_R_STRUCT(gp_report_service, "traffic", traffic, gp_report_traffic, traffic_type,
                "What it is asked over a week."),
    GP_R_REAL(gp_report_service, "availabilityFraction", availability_fraction, GP_DIM_FRACTION,
              "Share of time in which as many replicas run as the load needs."),
    GP_R_OPTIONAL(gp_report_service, "declaredReplicas", declared, gp_report_declared,
                  declared_type, "The replicas of today, where the spec states them."),
    GP_R_OPTIONAL(gp_report_service, "autoscaling", autoscaling, gp_report_autoscale,
                  autoscale_type, "How replicas follow the traffic."),
    GP_R_OPTIONAL(gp_report_service, "disaggregation", disaggregation, gp_report_disaggregation,
                  disaggregation_type, "Prefill and decode together against apart."),
    GP_R_OPTIONAL(gp_report_service, "held", held, gp_report_held, held_type,
                  "The rate up to which the machines of today suffice."),
    GP_R_LIST(gp_report_service, "layouts", layouts, gp_report_sharing, sharing_type,
              "Every layout of the chosen kind of machine, sized for the demand."),
};
const gp_report_struct gp_report_service_type =
    GP_R_TYPE(gp_report_service, service_fields, .name = "service",
              .help = "A service as it runs: traffic, replicas, scaling.");
