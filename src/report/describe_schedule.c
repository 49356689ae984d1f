/* Rows of what a report says about machines over time. */
#include "report/describe.h"

static const char *const demand_words[] = {"continuous", "deadline", "recurring",
                                           "concurrent", "open",     NULL};
static const char *const turn_words[] = {"own", "after", "queue", "idle", NULL};

static const gp_report_field claim_fields[] = {
    GP_R_STRING(gp_report_claim, "workload", workload, "The workload."),
    GP_R_WORD(gp_report_claim, "demand", demand, demand_words, "How it asks for machines."),
    GP_R_WORD(gp_report_claim, "turn", turn, turn_words,
              "Whose machines: its own, those of jobs that are done, those of other recurring "
              "runs, those that services leave idle."),
    GP_R_STRING(gp_report_claim, "system", system, "Catalogue id of the machines."),
    GP_R_COUNT(gp_report_claim, "nodes", nodes, "Machines while it runs."),
    GP_R_REAL(gp_report_claim, "startS", start_s, GP_DIM_TIME, "Start within the horizon."),
    GP_R_REAL(gp_report_claim, "endS", end_s, GP_DIM_TIME,
              "End at the edge of the error band; none where it lasts."),
    GP_R_REAL(gp_report_claim, "busyFraction", busy_fraction, GP_DIM_FRACTION,
              "Share of that time in which its machines compute."),
    GP_R_REAL(gp_report_claim, "shareFraction", share_fraction, GP_DIM_FRACTION,
              "Share of the time in which services leave it their machines."),
    GP_R_REAL(gp_report_claim, "utilizationFraction", utilization_fraction, GP_DIM_FRACTION,
              "Runs that queue: use of their places."),
    GP_R_REAL(gp_report_claim, "waitMeanS", wait_mean_s, GP_DIM_TIME, "Their mean wait."),
    GP_R_REAL(gp_report_claim, "waitP95S", wait_p95_s, GP_DIM_TIME,
              "Their wait at the 95th percentile; by turns the longest."),
};
static const gp_report_struct claim_type =
    GP_R_TYPE(gp_report_claim, claim_fields, .name = "claim", .name_key = "workload",
              .help = "What a workload holds over the horizon.");

static const gp_report_field kind_fields[] = {
    GP_R_STRING(gp_report_period_kind, "system", system, "Catalogue id."),
    GP_R_COUNT(gp_report_period_kind, "peakNodes", peak_nodes, "Machines at the busiest moment."),
    GP_R_REAL(gp_report_period_kind, "meanNodes", mean_nodes, GP_DIM_NONE,
              "Machines that compute, on average."),
};
static const gp_report_struct kind_type =
    GP_R_TYPE(gp_report_period_kind, kind_fields, .name = "periodKind", .name_key = "system",
              .help = "Machines of one kind in one period.");

static const gp_report_field period_fields[] = {
    GP_R_STRING(gp_report_period, "start", start, "Its first day, where growth.start says."),
    GP_R_REAL(gp_report_period, "startS", start_s, GP_DIM_TIME, "Start within the horizon."),
    GP_R_REAL(gp_report_period, "endS", end_s, GP_DIM_TIME, "End within the horizon."),
    GP_R_COUNT(gp_report_period, "peakNodes", peak_nodes, "Machines at the busiest moment."),
    GP_R_REAL(gp_report_period, "meanNodes", mean_nodes, GP_DIM_NONE,
              "Machines that compute, on average."),
    GP_R_LIST(gp_report_period, "kinds", kinds, gp_report_period_kind, kind_type,
              "The same by kind; workloads that come later are not in it."),
};
static const gp_report_struct period_type =
    GP_R_TYPE(gp_report_period, period_fields, .name = "period", .help = "A part of the horizon.");

static const gp_report_field hour_fields[] = {
    GP_R_COUNT(gp_report_day_hour, "hour", hour, "Hour of the day, from 0."),
    GP_R_COUNT(gp_report_day_hour, "nodes", nodes, "Machines held on a working day."),
    GP_R_COUNT(gp_report_day_hour, "weekendNodes", weekend_nodes, "Machines held at a weekend."),
};
static const gp_report_struct hour_type =
    GP_R_TYPE(gp_report_day_hour, hour_fields, .name = "dayHour",
              .help = "Machines held in one hour, services by their profile.");

static const gp_report_field schedule_fields[] = {
    GP_R_REAL(gp_report_schedule, "horizonS", horizon_s, GP_DIM_TIME, "Time that is looked at."),
    GP_R_COUNT(gp_report_schedule, "peakNodes", peak_nodes, "Machines at the busiest moment."),
    GP_R_REAL(gp_report_schedule, "meanNodes", mean_nodes, GP_DIM_NONE,
              "Machines that compute, on average over the horizon."),
    GP_R_REAL(gp_report_schedule, "usedFraction", used_fraction, GP_DIM_FRACTION,
              "Mean over peak."),
    GP_R_COUNT(gp_report_schedule, "spareNodes", spare_nodes,
               "Machines that the cluster keeps idle to replace failed ones."),
    GP_R_COUNT(gp_report_schedule, "systemNodes", system_nodes,
               "Machines without GPUs for management, login and storage."),
    GP_R_LIST(gp_report_schedule, "claims", claims, gp_report_claim, claim_type,
              "What each workload holds."),
    GP_R_LIST(gp_report_schedule, "periods", periods, gp_report_period, period_type,
              "The horizon in parts."),
    GP_R_LIST(gp_report_schedule, "day", day, gp_report_day_hour, hour_type,
              "Today by the hour, where a service has a profile."),
};
const gp_report_struct gp_report_schedule_type = GP_R_TYPE(
    gp_report_schedule, schedule_fields, .name = "schedule", .help = "Machines over time.");
