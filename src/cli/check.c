/*
 * The `check` command: a gate. It judges what is declared, by goals, limits, the built-in rules and
 * policies, and never what would be chosen.
 */
#include "cli/flow.h"

#include <gpuplan/render.h>

static const gp_opt check_options[] = {
    GP_OPTION_FORMAT,
    GP_OPTION_OUTPUT,
    {.name = "policy",
     .kind = GP_OPT_LIST,
     .offset = offsetof(gp_settings, policies),
     .key = "policies",
     .argument = "FILE",
     .value = GP_VALUE_FILE,
     .help = "Policy to hold the plans to, beside those among the inputs. Repeatable."},
    {.name = "fail-on",
     .kind = GP_OPT_WORD,
     .offset = offsetof(gp_settings, fail_on),
     .key = "failOn",
     .argument = "LEVEL",
     .choices = gp_level_choices,
     .help = "Exit with 1 when a finding is at or above this level, in place of the policy's "
             "failOn or error."},
    {.name = "now",
     .kind = GP_OPT_TEXT,
     .offset = offsetof(gp_settings, now),
     .key = "now",
     .argument = "DATE",
     .help = "The day that waivers are judged on, as 2027-03-31; else that of SOURCE_DATE_EPOCH, "
             "else today."},
    GP_OPTION_SET("Override a value of the spec. Repeatable."),
    GP_OPTION_CATALOG,
    GP_OPTIONS_LOCK,
    GP_OPTION_CALIBRATION,
    GP_OPTION_PRICES,
    GP_OPTION_OBJECTIVE,
    {.name = "detail",
     .kind = GP_OPT_WORD,
     .offset = offsetof(gp_settings, detail),
     .key = "detail",
     .argument = "[LEVEL]",
     .bare = "normal",
     .choices = gp_detail_choices,
     .help = "Text form: all shows the notes too, which ask for nothing."},
    GP_OPTION_WIDTH,
};

/* ---- policies */

static gp_exit out_of_memory(gp_cli *cli) {
    return gp_complain(cli, GP_EXIT_INTERNAL, "out of memory");
}

static bool has_waivers(const gp_policy_list *policies) {
    for (size_t i = 0; i < policies->count; i++) {
        if (policies->items[i]->waivers.count > 0) {
            return true;
        }
    }
    return false;
}

/* The flag, else the strictest of the policies, else error. */
static gp_level fail_level(const gp_cli *cli, const gp_policy_list *policies) {
    gp_level level = GP_LEVEL_ERROR;
    if (cli->settings.fail_on > 0) {
        return (gp_level)(cli->settings.fail_on - 1);
    }
    for (size_t i = 0; i < policies->count; i++) {
        if (policies->items[i]->fail_on < (int)level) {
            level = (gp_level)policies->items[i]->fail_on;
        }
    }
    return level;
}

/* ---- the verdict */

typedef struct report_set {
    const gp_report **items;
    size_t count;
} report_set;

static gp_status render_set(gp_arena *arena, const gp_renderer *renderer, const void *object,
                            const gp_render_options *options, const char **ret_text,
                            size_t *ret_len) {
    const report_set *set = object;
    gp_render_options gate = *options;
    gate.gate = true;
    return gp_render_reports(arena, renderer, set->items, set->count, &gate, ret_text, ret_len);
}

static gp_exit judge_all(gp_flow *flow, const gp_outcomes *outcomes, const gp_policy_list *policies,
                         int64_t today) {
    gp_cli *cli = flow->cli;
    for (size_t i = 0; i < outcomes->count; i++) {
        gp_report *report = outcomes->items[i].report;
        gp_status st = gp_report_judge(cli->arena, report, policies->items, policies->count, today,
                                       &flow->diags);
        if (st != GP_OK) {
            return gp_status_exit(cli, st, &flow->diags);
        }
        report->inputs.fail_on = gp_level_name(fail_level(cli, policies));
        if (has_waivers(policies)) {
            report->inputs.now = gp_day_text(cli->arena, today);
        }
    }
    return GP_EXIT_YES;
}

static gp_exit write_answer(gp_flow *flow, const gp_outcomes *outcomes, const gp_sinks *sinks,
                            gp_level level) {
    gp_cli *cli = flow->cli;
    report_set set = {GP_NEW_ARRAY(cli->arena, const gp_report *, outcomes->count + 1), 0};
    if (set.items == NULL) {
        return out_of_memory(cli);
    }
    gp_exit answer = GP_EXIT_YES;
    for (size_t i = 0; i < outcomes->count; i++) {
        set.items[set.count++] = outcomes->items[i].report;
        if (gp_report_worst_level(outcomes->items[i].report) >= (int)level) {
            answer = GP_EXIT_NO;
        }
    }
    cli->settings.fail_on = (int)level + 1;
    gp_exit code = gp_sinks_write(cli, sinks, cli->settings.operands.items[0], render_set, &set);
    return code != GP_EXIT_YES ? code : answer;
}

static gp_exit run_check(gp_cli *cli) {
    gp_sinks sinks;
    gp_overrides fixed = {0};
    gp_sweep_flag sweep = {0};
    gp_outcomes outcomes = {0};
    gp_policy_list policies = {0};
    gp_flow flow;
    int64_t today = 0;
    gp_exit code = gp_sinks_parse(cli, GP_RENDER_REPORTS, &sinks);
    if (code == GP_EXIT_YES) {
        code = gp_sets_parse(cli, &fixed, &sweep);
    }
    if (code == GP_EXIT_YES && sweep.path != NULL) {
        return gp_complain(cli, GP_EXIT_USAGE, "--set %s: one value is due here", sweep.path);
    }
    if (code == GP_EXIT_YES) {
        code = gp_day_find(cli, &today);
    }
    if (code == GP_EXIT_YES) {
        code = gp_flow_open(cli, &cli->settings.operands, &flow);
    }
    if (code != GP_EXIT_YES) {
        return code;
    }
    flow.declared_only = true;
    code = gp_flow_run(&flow, &fixed, &outcomes);
    if (code == GP_EXIT_YES) {
        code = gp_policies_read(&flow, &policies);
    }
    if (code == GP_EXIT_YES) {
        code = judge_all(&flow, &outcomes, &policies, today);
    }
    return code == GP_EXIT_YES ? write_answer(&flow, &outcomes, &sinks, fail_level(cli, &policies))
                               : code;
}

const gp_command gp_command_check = {
    .name = "check",
    .operands = "FILE|DIR|-...",
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .project_specs = true,
    .summary = "Say whether what is declared holds: a gate for continuous integration.",
    .details = "Judges the declared cluster (never what would be chosen) by goals, limits, the "
               "built-in rules and policies. A goal that is missed is an error, one that is met by "
               "the expected value only a warning. Exits with 1 when a finding that is not waived "
               "is at or above the level that fails. Without operands it takes the specs of the "
               "project file (see 'gpuplan help settings').",
    .examples = "  gpuplan check plan.yaml\n"
                "  gpuplan check clusters/ --policy policy.yaml -f github -o findings.sarif\n",
    .options = check_options,
    .option_count = GP_COUNT_OF(check_options),
    .run = run_check,
};
