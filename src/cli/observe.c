/*
 * The `observe` command: what is planned beside what a Prometheus server has seen. The plan is made
 * first; a second one, with the measured traffic in the place of the stated, tells where growth
 * goes.
 */
#include "cli/flow.h"

#include <string.h>

#include "cli/metrics.h"
#include "report/observe.h"

static const char *const observe_words[] = {"text",        "json",  "markdown",
                                            "openmetrics", "junit", NULL};
enum { LIMIT_MOST = 100 };

static const gp_opt observe_options[] = {
    GP_FORM(observe_words, "Form on standard output."),
    GP_OUTPUTS(
        "FILE",
        "Write a file; the extension sets the form (.txt .json .md .prom .xml). Repeatable."),
    GP_OPTIONS_PROMETHEUS,
    GP_OPTION_CACERT,
    GP_OPTION_TIMEOUT,
    GP_TEXTS("limit", limits, "FIGURE=SHARE",
             "Allowed drift of a figure, such as ttftP95=30%, in place of the observe.* constants "
             "of the catalogue. Repeatable."),
    GP_SWITCH("declared", declared,
              "Compare with the declared machines, not those that `size` would choose."),
    GP_TEXT("now", now, "TIME",
            "End of the window, such as 2027-03-31T10:00:00Z or a date (the end of that day); "
            "default: SOURCE_DATE_EPOCH, else now."),
    GP_OPTION_SET("Override a value of the spec. Repeatable."),
    GP_OPTIONS_LAID,
    GP_OPTION_WIDTH,
};

/* ---- flags */

static void parse_limit(gp_cli *cli, const char *text, gp_observe_limit *ret) {
    size_t len = strcspn(text, "=");
    gp_quantity share = {.value = 0};
    const char *metric = gp_arena_strndup(cli->arena, text, len);
    if (gp_str_index(gp_observe_metrics, metric) < 0)
        gp_complain_hint(cli, GP_EXIT_USAGE,
                         gp_nearest_hint(cli, gp_nearest(metric, gp_observe_metrics), NULL),
                         "--limit %s: no such figure", text);
    const char *value = text[len] == '=' ? text + len + 1 : "";
    if (gp_quantity_parse(value, strlen(value), GP_DIM_FRACTION, &share) != GP_QUANTITY_OK ||
        share.value < 0 || share.value > LIMIT_MOST)
        gp_complain_hint(cli, GP_EXIT_USAGE, "for example --limit ttftP95=30%",
                         "--limit %s: expected a percentage", text);
    *ret = (gp_observe_limit){metric, share.value};
}

static void parse_limits(gp_cli *cli, gp_observe_options *options) {
    const gp_words *words = &cli->settings.limits;
    gp_observe_limit *limits = GP_NEW_ARRAY(cli->arena, gp_observe_limit, words->count + 1);
    for (size_t i = 0; i < words->count; i++)
        parse_limit(cli, words->items[i], &limits[i]);
    options->limits = limits;
    options->limit_count = words->count;
}

/* ---- who is who */

static void find_subjects(gp_cli *cli, const gp_metrics *metrics, const gp_plan_result *result,
                          gp_observe_options *options) {
    size_t count = result->workloads.count;
    gp_observe_subject *subjects = GP_NEW_ARRAY(cli->arena, gp_observe_subject, count + 1);
    for (size_t i = 0; i < count; i++)
        gp_metrics_served_model(cli, metrics, result, i, &subjects[i].served, &subjects[i].reason);
    options->subjects = subjects;
}

/* ---- growth */

/* Plans once more with what was measured. Diagnostics were told by the first plan. */
static void compare_growth(gp_flow *flow, const gp_overrides *fixed, const gp_report *planned,
                           gp_observation *observation) {
    gp_cli *cli = flow->cli;
    size_t count = fixed->count + observation->overrides.count;
    gp_override *sets = GP_NEW_ARRAY(cli->arena, gp_override, count + 1);
    gp_outcomes outcomes = {0};
    for (size_t i = 0; i < count; i++) {
        size_t own = i - fixed->count;
        sets[i] = i < fixed->count ? fixed->items[i]
                                   : (gp_override){observation->overrides.items[own].path,
                                                   observation->overrides.items[own].value};
    }
    gp_overrides all = {.count = count, .items = sets};
    if (gp_flow_try(flow, &all, &outcomes) == GP_EXIT_YES)
        gp_observe_growth(cli->arena, planned, outcomes.items[0].report, observation);
    else
        gp_tell(cli, "the spec leaves no place for a measured rate and lengths: growth is not "
                     "planned from them");
}

/* ---- output */

static const gp_result_kind results = {
    .forms = &gp_forms_observation,
    .extensions = ".txt, .json, .md, .prom or .xml",
};

static void observe_plan(gp_flow *flow, const gp_overrides *fixed, const gp_outcome *outcome,
                         gp_observe_options *options) {
    gp_cli *cli = flow->cli;
    gp_metrics metrics = {.telemetry = NULL};
    gp_metrics_read(cli, &metrics);
    find_subjects(cli, &metrics, outcome->result, options);
    gp_observation observation = {.plan = outcome->report->summary.plan,
                                  .spec = outcome->report->inputs.spec.path,
                                  .server = metrics.address,
                                  .until = metrics.end,
                                  .window_s = metrics.window_s};
    gp_observe_build(cli->arena, outcome->result, metrics.telemetry, options, &observation);
    gp_observe_overrides(cli->arena, outcome->result, metrics.telemetry, options, &observation);
    if (outcome->report->growth.count > 0 && observation.overrides.count > 0)
        compare_growth(flow, fixed, outcome->report, &observation);
    gp_results_write(cli, &results, cli->settings.form, &observation);
    if (!observation.ok)
        cli->answer = GP_EXIT_NO;
}

static void run_observe(gp_cli *cli) {
    gp_overrides fixed = {0};
    gp_observe_options options = {0};
    gp_flow flow;
    if (cli->settings.prometheus == NULL)
        gp_complain_hint(cli, GP_EXIT_USAGE, "for example --prometheus http://prometheus:9090",
                         "--prometheus URL is required");
    gp_results_check(cli, &results);
    gp_flow_begin(cli, &cli->settings.operands, &fixed, &flow);
    parse_limits(cli, &options);
    flow.declared_only = cli->settings.declared;
    const gp_outcome outcome = gp_flow_run_one(&flow, &fixed);
    observe_plan(&flow, &fixed, &outcome, &options);
}

const gp_command gp_command_observe = {
    .name = "observe",
    .operands = "FILE|DIR|-",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "Compare the plan with what a Prometheus server has measured.",
    .details = "Reads requests, lengths, latencies, cache, replicas, power and activity of the "
               "window from the server, compares them with the plan, and plans growth again from "
               "the measured traffic. A figure that is not exported is named with the exporter "
               "setting to enable, and never judged. Exits with 1 when a figure has drifted beyond "
               "its limit, and with 4 when the server does not answer.",
    .examples = "  gpuplan observe plan.yaml --prometheus http://prometheus:9090\n"
                "  gpuplan observe plan.yaml --prometheus http://prometheus:9090 --window 7d -f "
                "openmetrics -o drift.xml\n",
    GP_OPTIONS(observe_options),
    .run = run_observe,
};
