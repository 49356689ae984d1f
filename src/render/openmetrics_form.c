/*
 * The OpenMetrics form: gauges of the plan, its workloads, goals, checks and findings, for trend
 * widgets and for a scrape next to what the cluster really does. A family holds all plans.
 */
#include "render/gate.h"
#include "report/value.h"

enum { REAL_DIGITS = 6 }; /* as report.json prints them */

typedef enum scope { OF_PLAN, OF_WORKLOAD } scope;

typedef struct family {
    const char *name; /* ends in its unit where it has one */
    const char *unit; /* NULL: none */
    const char *help;
    scope of;
    const char *path; /* in the report or under the workload */
} family;

static const family families[] = {
    {"gpuplan_feasible", NULL, "1 if the plan meets its goals.", OF_PLAN, "summary.feasible"},
    {"gpuplan_gpus", NULL, "GPUs of the plan.", OF_PLAN, "summary.gpus"},
    {"gpuplan_nodes", NULL, "Machines of the plan.", OF_PLAN, "summary.nodes"},
    {"gpuplan_nodes_to_buy", NULL, "Machines to buy.", OF_PLAN, "summary.boughtNodes"},
    {"gpuplan_racks", NULL, "Racks of the plan.", OF_PLAN, "summary.racks"},
    {"gpuplan_it_power_watts", "watts", "Largest sustained IT power.", OF_PLAN, "summary.itPowerW"},
    {"gpuplan_facility_power_watts", "watts", "Largest facility power.", OF_PLAN,
     "summary.facilityPowerW"},
    {"gpuplan_cost_per_year", NULL, "Cost per year in the currency of the plan.", OF_PLAN,
     "cost.totalPerYear"},
    {"gpuplan_unverified_ratio", "ratio", "Share of the inputs that are unverified.", OF_PLAN,
     "data.unverifiedShare"},
    {"gpuplan_workload_gpus", NULL, "GPUs of the workload.", OF_WORKLOAD,
     "recommendation.chosen.gpus"},
    {"gpuplan_workload_nodes", NULL, "Machines of the workload.", OF_WORKLOAD,
     "recommendation.chosen.nodes"},
    {"gpuplan_workload_nodes_to_add", NULL, "Machines to add to today's.", OF_WORKLOAD,
     "recommendation.chosen.addedNodes"},
    {"gpuplan_workload_replicas", NULL, "Replicas of a service.", OF_WORKLOAD,
     "recommendation.chosen.replicas"},
    {"gpuplan_workload_memory_used_bytes", "bytes", "Memory used per GPU.", OF_WORKLOAD,
     "memory.usedBytes"},
    {"gpuplan_workload_memory_headroom_ratio", "ratio", "Free share of the GPU memory.",
     OF_WORKLOAD, "memory.headroomFraction"},
    {"gpuplan_workload_step_time_seconds", "seconds", "Step time.", OF_WORKLOAD,
     "performance.stepTimeS"},
    {"gpuplan_workload_time_to_complete_seconds", "seconds", "Wall-clock time of the whole run.",
     OF_WORKLOAD, "performance.timeToCompleteS"},
    {"gpuplan_workload_ttft_p95_seconds", "seconds", "Time to the first token, p95.", OF_WORKLOAD,
     "performance.ttftP95S"},
    {"gpuplan_workload_tpot_p95_seconds", "seconds", "Time per output token, p95.", OF_WORKLOAD,
     "performance.tpotP95S"},
    {"gpuplan_workload_requests_per_second", NULL, "Request rate that the layout can carry.",
     OF_WORKLOAD, "performance.requestsPerS"},
    {"gpuplan_workload_communication_ratio", "ratio",
     "Share of the step spent waiting for the network.", OF_WORKLOAD,
     "network.communicationFraction"},
    {"gpuplan_workload_facility_power_watts", "watts", "Facility power under the planned load.",
     OF_WORKLOAD, "recommendation.chosen.facilityPowerW"},
};

static void head(gp_buf *buf, const char *name, const char *unit, const char *help) {
    gp_buf_printf(buf, "# TYPE %s gauge\n", name);
    if (unit != NULL)
        gp_buf_printf(buf, "# UNIT %s %s\n", name, unit);
    gp_buf_printf(buf, "# HELP %s %s\n", name, help);
}

/* Whole bytes and cents. */
static double rounded(double value, gp_dim dim) {
    return dim == GP_DIM_MONEY ? floor(value * 100 + 0.5) / 100 : floor(value + 0.5);
}

static bool number_of(const gp_report_value *value, double *ret_number) {
    if (value->absent)
        return false;
    *ret_number =
        value->kind == GP_REPORT_EXACT ? rounded(value->real, value->dim) : gp_value_number(value);
    return isfinite(*ret_number);
}

static void end(gp_buf *buf, double number, int digits) {
    gp_buf_str(buf, "} ");
    gp_buf_number(buf, number, digits);
    gp_buf_char(buf, '\n');
}

/* A path that the report does not have is a slip in the table. */
static void sample(gp_form_out *out, const family *it, const gp_report *report,
                   const gp_report_workload *workload) {
    gp_report_value value;
    double number = 0;
    const gp_report_struct *type = workload == NULL ? &gp_report_type : &gp_report_workload_type;
    const void *object = workload == NULL ? (const void *)report : (const void *)workload;
    if (gp_report_find(type, object, it->path, &value, NULL) != GP_OK) {
        out->buf->st = GP_ERR_INTERNAL;
        return;
    }
    if (!number_of(&value, &number))
        return;
    gp_buf_str(out->buf, it->name);
    gp_gate_label(out->buf, "{", "plan", report->summary.plan);
    if (workload != NULL)
        gp_gate_label(out->buf, ",", "workload", workload->name);
    end(out->buf, number, value.kind == GP_REPORT_REAL ? REAL_DIGITS : 0);
}

static void write_family(gp_form_out *out, const family *it, const gp_report_list *reports) {
    head(out->buf, it->name, it->unit, it->help);
    for (size_t i = 0; i < reports->count; i++) {
        const gp_report *report = reports->items[i];
        if (it->of == OF_PLAN)
            sample(out, it, report, NULL);
        for (size_t k = 0; it->of == OF_WORKLOAD && k < report->workloads.count; k++)
            sample(out, it, report, &report->workloads.items[k]);
    }
}

static void goal_sample(gp_buf *buf, const char *name, const gp_report *report,
                        const gp_report_workload *workload, const gp_report_goal *goal,
                        double number) {
    if (!isfinite(number))
        return;
    gp_buf_str(buf, name);
    gp_gate_label(buf, "{", "plan", report->summary.plan);
    gp_gate_label(buf, ",", "workload", workload->name);
    gp_gate_label(buf, ",", "goal", goal->name);
    end(buf, number, REAL_DIGITS);
}

typedef struct goal_family {
    const char *name;
    const char *help;
} goal_family;

static const goal_family goal_families[] = {
    {"gpuplan_goal_target", "Target of a goal in its SI unit."},
    {"gpuplan_goal_expected", "Expected figure of a goal in its SI unit."},
    {"gpuplan_goal_met", "1 if the goal is met at the confidence of the plan."},
};

static double goal_figure(const gp_report_goal *goal, size_t which) {
    const double figures[] = {goal->target, goal->expected, goal->ok ? 1 : 0};
    return figures[which];
}

static void write_goals(gp_form_out *out, size_t which, const gp_report_list *reports) {
    head(out->buf, goal_families[which].name, NULL, goal_families[which].help);
    for (size_t i = 0; i < reports->count; i++)
        for (size_t k = 0; k < reports->items[i]->workloads.count; k++) {
            const gp_report_workload *workload = &reports->items[i]->workloads.items[k];
            for (size_t g = 0; g < workload->goals.count; g++)
                goal_sample(out->buf, goal_families[which].name, reports->items[i], workload,
                            &workload->goals.items[g],
                            goal_figure(&workload->goals.items[g], which));
        }
}

static const char *const levels[] = {"error", "warning", "note"};

static void write_findings(gp_form_out *out, const gp_report_list *reports) {
    static const char name[] = "gpuplan_findings";
    head(out->buf, name, NULL, "Findings by level.");
    for (size_t i = 0; i < reports->count; i++)
        for (size_t k = 0; k < GP_COUNT_OF(levels); k++) {
            gp_buf_str(out->buf, name);
            gp_gate_label(out->buf, "{", "plan", reports->items[i]->summary.plan);
            gp_gate_label(out->buf, ",", "level", levels[k]);
            end(out->buf, (double)gp_form_level_count(reports->items[i], levels[k]), 0);
        }
}

/* One state each: a check that was not assessed has its own, never that of an ok. */
static const char *const states[] = {"ok", "warning", "fail", "notAssessed"};

static void write_checks(gp_form_out *out, const gp_report_list *reports) {
    static const char name[] = "gpuplan_check";
    gp_buf_printf(out->buf, "# TYPE %s stateset\n# HELP %s State of each of the five checks.\n",
                  name, name);
    for (size_t i = 0; i < reports->count; i++)
        for (size_t k = 0; k < reports->items[i]->checks.count; k++)
            for (size_t s = 0; s < GP_COUNT_OF(states); s++) {
                const gp_report_check *check = &reports->items[i]->checks.items[k];
                gp_buf_str(out->buf, name);
                gp_gate_label(out->buf, "{", "plan", reports->items[i]->summary.plan);
                gp_gate_label(out->buf, ",", "check", check->id);
                gp_gate_label(out->buf, ",", name, states[s]);
                end(out->buf, gp_str_equal(check->level, states[s]) ? 1 : 0, 0);
            }
}

void gp_reports_openmetrics(gp_form_out *out, const void *result) {
    const gp_report_list *reports = result;
    for (size_t i = 0; i < GP_COUNT_OF(families) && out->buf->st == GP_OK; i++)
        write_family(out, &families[i], reports);
    for (size_t i = 0; i < GP_COUNT_OF(goal_families); i++)
        write_goals(out, i, reports);
    write_checks(out, reports);
    write_findings(out, reports);
    gp_buf_str(out->buf, "# EOF\n");
}
