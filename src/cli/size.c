/*
 * The `size` command: the answer for every plan of the input, or for every value of a sweep.
 */
#include "cli/flow.h"

#include <string.h>

static const gp_opt size_options[] = {
    GP_OPTION_FORMAT,
    GP_OPTION_OUTPUT,
    GP_TEXTS("workload", workloads, "NAME",
             "Report this workload only; all are still planned together. Repeatable.",
             .letter = 'w', .value = GP_VALUE_WORKLOAD),
    GP_OPTION_SET("Override a value of the spec, such as workloads.chat.goal.slo.ttft=2s. Several "
                  "values, separated by commas, give a row each. Repeatable."),
    GP_OPTIONS_LAID,
    GP_OPTION_OBJECTIVE,
    GP_WORD("fail-on", fail_on, "LEVEL", gp_level_choices,
            "Exit with 1 when a finding is at or above this level."),
    GP_WORD("detail", detail, "[LEVEL]", gp_detail_choices,
            "How much the text form shows: the answer alone, normal, or all.", .bare = "normal",
            .key = "detail"),
    GP_OPTION_SIMULATE("Simulate the chosen replicas where a goal limits a percentile: quick "
                       "(2,000 requests; the default), full (20,000, every replica) or off."),
    GP_OPTION_WIDTH,
};

/* ---- --workload */

static bool is_selected(const gp_words *names, const char *name) {
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->items[i], name) == 0)
            return true;
    return names->count == 0;
}

static void select_workloads(gp_report *report, const gp_words *names) {
    size_t left = 0;
    for (size_t i = 0; i < report->workloads.count; i++)
        if (is_selected(names, report->workloads.items[i].name))
            report->workloads.items[left++] = report->workloads.items[i];
    report->workloads.count = left;
    left = 0;
    for (size_t i = 0; i < report->findings.count; i++) {
        const char *workload = report->findings.items[i].workload;
        if (workload == NULL || is_selected(names, workload))
            report->findings.items[left++] = report->findings.items[i];
    }
    report->findings.count = left;
}

/* Runs the flow and keeps what --workload asks for; a plan without any of it is left out. */
static void run_selected(gp_flow *flow, const gp_overrides *overrides, gp_outcomes *outcomes) {
    gp_cli *cli = flow->cli;
    const gp_words *names = &cli->settings.workloads;
    gp_flow_run(flow, overrides, outcomes);
    if (names->count == 0)
        return;
    const gp_report_list reports = gp_outcomes_reports(cli, outcomes);
    gp_workloads_check(cli, &reports, names);
    size_t left = 0;
    for (size_t i = 0; i < outcomes->count; i++) {
        select_workloads(outcomes->items[i].report, names);
        if (outcomes->items[i].report->workloads.count > 0)
            outcomes->items[left++] = outcomes->items[i];
    }
    outcomes->count = left;
}

/* ---- the answer */

/* Of what --workload asks for, else of the whole plan. */
static bool holds(const gp_cli *cli, const gp_report *report) {
    if (cli->settings.workloads.count == 0)
        return report->summary.feasible;
    return GP_NAMED(report->workloads, recommendation.scale, "infeasible") == NULL;
}

static void judge(gp_cli *cli, const gp_report *report) {
    int fail_on = cli->settings.fail_on;
    if (!holds(cli, report) || (fail_on > 0 && gp_report_worst_level(report) >= fail_on - 1))
        cli->answer = GP_EXIT_NO;
}

static void size_once(gp_flow *flow, const gp_overrides *fixed, const gp_sinks *sinks) {
    gp_cli *cli = flow->cli;
    gp_outcomes outcomes = {0};
    run_selected(flow, fixed, &outcomes);
    const gp_report_list reports = gp_outcomes_reports(cli, &outcomes);
    for (size_t i = 0; i < reports.count; i++)
        judge(cli, reports.items[i]);
    gp_sinks_write(cli, sinks, cli->settings.operands.items[0], &reports);
}

/* One row of a sweep: the fixed overrides, then the swept one. */
static void size_row(gp_flow *flow, const gp_overrides *fixed, const gp_sweep_flag *flag,
                     size_t row, gp_sweep_row *ret_row) {
    gp_cli *cli = flow->cli;
    gp_override *sets = GP_NEW_ARRAY(cli->arena, gp_override, fixed->count + 1);
    if (fixed->count > 0)
        memcpy(sets, fixed->items, fixed->count * sizeof *sets);
    sets[fixed->count] = (gp_override){flag->path, flag->values.items[row]};
    gp_overrides overrides = {.count = fixed->count + 1, .items = sets};
    gp_outcomes outcomes = {0};
    run_selected(flow, &overrides, &outcomes);
    if (outcomes.count != 1)
        gp_complain(cli, GP_EXIT_USAGE, "--set %s: several values need one plan; the input has %zu",
                    flag->path, outcomes.count);
    *ret_row = (gp_sweep_row){flag->values.items[row], outcomes.items[0].report};
    judge(cli, ret_row->report);
}

static void size_sweep(gp_flow *flow, const gp_overrides *fixed, const gp_sweep_flag *flag,
                       const gp_sinks *sinks) {
    gp_cli *cli = flow->cli;
    gp_sweep sweep = {.path = flag->path};
    sweep.rows.items = GP_NEW_ARRAY(cli->arena, gp_sweep_row, flag->values.count);
    for (size_t i = 0; i < flag->values.count; i++)
        size_row(flow, fixed, flag, i, &GP_NEXT(sweep.rows));
    gp_sinks_write(cli, sinks, cli->settings.operands.items[0], &sweep);
}

static void run_size(gp_cli *cli) {
    gp_sinks sinks;
    gp_overrides fixed = {0};
    gp_sweep_flag sweep = {0};
    gp_flow flow;
    gp_sets_parse(cli, &fixed, &sweep);
    gp_sinks_parse(cli, sweep.path == NULL ? &gp_forms_report : &gp_forms_sweep, &sinks);
    gp_flow_open(cli, &cli->settings.operands, &flow);
    flow.unsourced = !gp_sinks_are_sourced(&sinks);
    if (sweep.path == NULL)
        size_once(&flow, &fixed, &sinks);
    else
        size_sweep(&flow, &fixed, &sweep, &sinks);
}

const gp_command gp_command_size = {
    .name = "size",
    .operands = "FILE|DIR|-...",
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .project_specs = true,
    .summary = "Show what each workload needs, and whether to scale up or out.",
    .details = "Reads plans from files, from a folder (plan.yaml and *.plan.yaml in it) or from "
               "standard input (-), including Catalog and Prices documents among them. Exits with "
               "1 when the plan does not hold.",
    .examples =
        "  gpuplan size plan.yaml\n"
        "  gpuplan size plan.yaml -f json -o report.md\n"
        "  gpuplan size plan.yaml --set workloads.chat.traffic.requestsPerSecond=5,50,500\n",
    GP_OPTIONS(size_options),
    .run = run_size,
};
