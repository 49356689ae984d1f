/*
 * The `explain` command: how one figure of a workload, or of the site, came about.
 */
#include "cli/flow.h"

#include <string.h>

static const gp_opt explain_options[] = {
    GP_OPTION_FORMAT,
    GP_OPTION_OUTPUT,
    GP_OPTION_SET("Override a value of the spec. Repeatable."),
    GP_OPTIONS_LAID,
    GP_OPTION_OBJECTIVE,
    GP_OPTION_WIDTH,
};

/* The plan that has the workload, else the first. */
static const gp_outcome *outcome_of(const gp_outcomes *outcomes, const char *workload) {
    for (size_t i = 0; i < outcomes->count; i++)
        if (GP_NAMED(outcomes->items[i].report->workloads, name, workload) != NULL)
            return &outcomes->items[i];
    return &outcomes->items[0];
}

static _Noreturn void unknown_name(gp_cli *cli, const char *workload, const char *metric,
                                   const char *nearest, bool is_workload) {
    const char *hint = gp_nearest_hint(cli, nearest, "see: gpuplan schema report");
    if (is_workload)
        gp_complain_hint(cli, GP_EXIT_USAGE, gp_nearest_hint(cli, nearest, NULL),
                         "no workload '%s' in the plan", workload);
    if (strcmp(workload, "site") == 0)
        gp_complain_hint(cli, GP_EXIT_USAGE, hint, "no figure '%s' of the site", metric);
    gp_complain_hint(cli, GP_EXIT_USAGE, hint, "no figure '%s' of workload '%s'", metric, workload);
}

static void explain(gp_flow *flow, const gp_outcomes *outcomes, const gp_sinks *sinks) {
    gp_cli *cli = flow->cli;
    const gp_words *operands = &cli->settings.operands;
    const char *workload = operands->items[1];
    const char *metric = operands->count > 2 ? operands->items[2] : NULL;
    const gp_outcome *outcome = outcome_of(outcomes, workload);
    gp_explanation *explanation = NULL;
    const char *nearest = NULL;
    bool is_workload = false;
    gp_status st = gp_report_explain(cli->arena, outcome->result, outcome->report, workload, metric,
                                     &explanation, &nearest, &is_workload);
    if (st == GP_ERR_NOT_FOUND)
        unknown_name(cli, workload, metric == NULL ? "" : metric, nearest, is_workload);
    gp_check(cli, st, &flow->diags);
    gp_sinks_write(cli, sinks, operands->items[0], explanation);
}

static void run_explain(gp_cli *cli) {
    gp_words specs = {.count = 1, .capacity = 1, .items = cli->settings.operands.items};
    gp_sinks sinks;
    gp_overrides fixed = {0};
    gp_outcomes outcomes = {0};
    gp_flow flow;
    gp_sinks_parse(cli, &gp_forms_explanation, &sinks);
    gp_flow_begin(cli, &specs, &fixed, &flow);
    flow.layouts_of = cli->settings.operands.items[1];
    flow.once = cli->settings.operands.count < 3;
    gp_flow_run(&flow, &fixed, &outcomes);
    explain(&flow, &outcomes, &sinks);
}

const gp_command gp_command_explain = {
    .name = "explain",
    .operands = "SPEC WORKLOAD|site [METRIC]",
    .min_operands = 2,
    .max_operands = 3,
    .summary = "Show how a figure was computed: formula, terms, inputs and their sources.",
    .details =
        "METRIC is a path under the workload in the report (performance.stepTimeS) or a term "
        "(stepTime); without one the verdict and all its terms are shown. The terms are followed "
        "by the numbers that move the figure, each with its source and the effect of 1% more of "
        "it, largest first. The metric layouts lists the best layouts tried on the chosen machines "
        "and why each lost: memory, a framework rule, speed. The word site in place of WORKLOAD "
        "stands for the whole plan: power, cooling, racks, fabrics, storage, cost and growth, by "
        "path (site.power.itW, cost, growth.2027-Q3), by last word (leaf, for every fabric) or by "
        "term (itPower). Where there are several sites, each is explained by its name.",
    .examples = "  gpuplan explain plan.yaml chat\n"
                "  gpuplan explain plan.yaml pretrain performance.stepTimeS\n"
                "  gpuplan explain plan.yaml pretrain layouts\n"
                "  gpuplan explain plan.yaml site cost.breakEvenS\n",
    GP_OPTIONS(explain_options),
    .run = run_explain,
};
