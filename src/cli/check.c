/*
 * The `check` command: a gate. It judges what is declared, by goals, limits, the built-in rules and
 * policies, and never what would be chosen.
 */
#include "cli/flow.h"

static const gp_opt check_options[] = {
    GP_OPTION_FORMAT,
    GP_OPTION_OUTPUT,
    GP_FILES("policy", policies,
             "Policy to apply, in addition to those among the inputs. Repeatable.",
             .key = "policies"),
    GP_OPTIONS_JUDGED,
    GP_OPTION_SET("Override a value of the spec. Repeatable."),
    GP_OPTIONS_LAID,
    GP_OPTION_OBJECTIVE,
    GP_WORD("detail", detail, "[LEVEL]", gp_detail_choices,
            "Text form: all also shows notes, which need no action.", .bare = "normal",
            .key = "detail"),
    GP_OPTION_WIDTH,
};

static void write_answer(gp_cli *cli, const gp_judged *judged, gp_sinks *sinks) {
    const gp_report_list reports = gp_outcomes_reports(cli, &judged->outcomes);
    for (size_t i = 0; i < reports.count; i++)
        if (!gp_judged_holds(judged, i))
            cli->answer = GP_EXIT_NO;
    cli->settings.fail_on = (int)judged->level + 1;
    sinks->gate = true;
    gp_sinks_write(cli, sinks, cli->settings.operands.items[0], &reports);
}

/* Errors of the input where findings would be: a gate that cannot be passed says why in them. */
static void write_errors(gp_cli *cli, const gp_sinks *sinks) {
    gp_sinks gates = {.forms = sinks->forms, .gate = true};
    gp_report *report = NULL;
    const gp_words *operands = &cli->settings.operands;
    const char *spec = operands->count > 0 ? operands->items[0] : NULL;
    for (size_t i = 0; i < sinks->count; i++)
        if (gp_forms_are_gates(sinks->forms, sinks->items[i].form))
            GP_NEXT(gates) = sinks->items[i];
    gp_report_of_errors(cli->arena, &cli->error->diags, spec, &report);
    const gp_report_list reports = {.items = &report, .count = 1};
    if (gates.count > 0)
        gp_sinks_write(cli, &gates, spec, &reports);
}

typedef struct checking {
    gp_cli *cli;
    const gp_sinks *sinks;
    gp_judged judged;
} checking;

static gp_status judge(void *context) {
    checking *it = context;
    gp_overrides fixed = {0};
    gp_flow flow;
    gp_flow_begin(it->cli, &it->cli->settings.operands, &fixed, &flow);
    flow.unsourced = !gp_sinks_are_sourced(it->sinks);
    gp_judge_declared(&flow, &fixed, &it->judged);
    return GP_OK;
}

static void run_check(gp_cli *cli) {
    gp_sinks sinks;
    gp_sinks_parse(cli, &gp_forms_report, &sinks);
    checking it = {.cli = cli, .sinks = &sinks};
    const gp_exit code = gp_try(cli, judge, &it);
    if (code == GP_EXIT_YES) {
        write_answer(cli, &it.judged, &sinks);
        return;
    }
    if (code == GP_EXIT_INPUT && cli->error->diags.errors > 0)
        write_errors(cli, &sinks);
    gp_arena_leave(cli->arena, GP_ERR_INPUT);
}

const gp_command gp_command_check = {
    .name = "check",
    .operands = "FILE|DIR|-...",
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .project_specs = true,
    .summary = "Check whether the declared cluster holds: a gate for continuous integration.",
    .details =
        "Judges the declared cluster (never a chosen one) by goals, limits, built-in rules and "
        "policies. A missed goal is an error; a goal met at the expected value only is a warning. "
        "Exits with 1 when a finding that is not waived is at or above the failing level. Without "
        "operands it checks the specs of the project file (see 'gpuplan help settings').",
    .examples = "  gpuplan check plan.yaml\n"
                "  gpuplan check clusters/ --policy policy.yaml -f github -o findings.sarif\n",
    GP_OPTIONS(check_options),
    .run = run_check,
};
