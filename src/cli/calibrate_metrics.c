/*
 * `calibrate --prometheus`: the services of a plan as runs that a Prometheus server has watched.
 * The plan says what runs where; the factors come from the same fit as those of tables.
 */

#include <string.h>

#include "cli/flow.h"
#include "cli/metrics.h"
#include "fit/fit.h"

enum { TABLES = 3 };

static bool is_wanted(const gp_cli *cli, const char *workload) {
    return cli->settings.workload == NULL || strcmp(cli->settings.workload, workload) == 0;
}

static void check_workload(gp_cli *cli, const gp_plan_result *result) {
    const char *wanted = cli->settings.workload;
    bool found = wanted == NULL;
    for (size_t i = 0; i < result->workloads.count; i++)
        found = found || strcmp(result->workloads.items[i].workload->name, wanted) == 0;
    if (!found)
        gp_complain(cli, GP_EXIT_USAGE, "--workload: no workload '%s'", wanted);
}

/* "pretrain=sum(rate(train_tokens_total[5m]))": queries of trainings of the plan. */
static void parse_asks(gp_cli *cli, const gp_plan_result *result, gp_metrics *metrics) {
    const gp_words *words = &cli->settings.tokens;
    gp_telemetry_ask *asks = GP_NEW_ARRAY(cli->arena, gp_telemetry_ask, words->count + 1);
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->items[i];
        size_t len = strcspn(word, "=");
        bool training = false;
        asks[i].query = word[len] == '=' ? word + len + 1 : "";
        asks[i].workload = gp_arena_strndup(cli->arena, word, len);
        for (size_t j = 0; asks[i].workload != NULL && j < result->workloads.count; j++) {
            const gp_workload_plan *plan = &result->workloads.items[j];
            training = training ||
                       (!plan->is_serving && strcmp(plan->workload->name, asks[i].workload) == 0);
        }
        if (asks[i].query[0] == '\0')
            gp_complain_hint(cli, GP_EXIT_USAGE,
                             "for example --tokens 'pretrain=sum(rate(tokens_total[5m]))'",
                             "--tokens %s: expected NAME=QUERY", word);
        if (!training)
            gp_complain(cli, GP_EXIT_USAGE, "--tokens: no training workload '%.*s' in the plan",
                        (int)len, word);
    }
    metrics->asks = asks;
    metrics->ask_count = words->count;
}

static void read_runs(gp_cli *cli, const gp_metrics *metrics, const gp_plan_result *result,
                      gp_telemetry_runs *ret_runs, const char *const **ret_served) {
    size_t count = result->workloads.count;
    const char **served = GP_NEW_ARRAY(cli->arena, const char *, count + 1);
    const char *date = gp_arena_strndup(cli->arena, metrics->end, strcspn(metrics->end, "T"));
    for (size_t i = 0; i < count; i++) {
        const gp_workload *workload = result->workloads.items[i].workload;
        const char *reason = NULL;
        if (is_wanted(cli, workload->name))
            gp_metrics_served_model(cli, metrics, result, i, &served[i], &reason);
        if (served[i] == NULL && reason != NULL)
            gp_tell(cli, "%s: %s", workload->name, reason);
    }
    *ret_served = served;
    gp_status st = gp_telemetry_runs_of(metrics->telemetry, result, served, date, ret_runs);
    gp_check(cli, st, NULL);
    for (size_t i = 0; i < ret_runs->notes.count; i++)
        gp_tell(cli, "%s", ret_runs->notes.items[i]);
}

static void texts_of(gp_cli *cli, const gp_telemetry_runs *runs, const gp_text **ret_texts,
                     size_t *ret_count) {
    const struct {
        const char *name, *data;
    } tables[TABLES] = {{"runs.csv", runs->inference},
                        {"power.csv", runs->power},
                        {"training.csv", runs->training}};
    *ret_count = 0;
    for (size_t i = 0; i < GP_COUNT_OF(tables); i++) {
        gp_text *text = NULL;
        if (tables[i].data == NULL)
            continue;
        gp_status st =
            gp_text_init(cli->arena, tables[i].name, tables[i].data, strlen(tables[i].data), &text);
        gp_check(cli, st, NULL);
        ret_texts[(*ret_count)++] = text;
    }
    if (*ret_count == 0)
        gp_complain_hint(cli, GP_EXIT_INPUT, "gpuplan observe shows what is measured",
                         "the server has too little data on any workload of the plan to fit it");
}

/* The rows themselves: one table, since each has columns of its own. */
static void print_rows(gp_cli *cli, const gp_telemetry_runs *runs) {
    const struct {
        const char *name, *data;
    } tables[TABLES] = {
        {"serving", runs->inference}, {"training", runs->training}, {"power", runs->power}};
    const char *first = NULL;
    for (size_t i = 0; i < GP_COUNT_OF(tables); i++) {
        if (first != NULL && tables[i].data != NULL)
            gp_tell(cli, "rows of %s are not printed: their columns are others", tables[i].name);
        first = first == NULL ? tables[i].data : first;
    }
    if (first == NULL)
        gp_complain(cli, GP_EXIT_INPUT, "no rows of runs");
    else
        gp_outputs_write(cli, first, strlen(first));
}

/* What no run can give: power at rest, and the memory that engines take. */
static void add_factors(gp_cli *cli, const gp_metrics *metrics, gp_catalog *catalog,
                        const gp_plan_result *result, const char *const *served,
                        gp_calibration *calibration) {
    size_t count = result->workloads.count;
    const char **notes = GP_NEW_ARRAY(cli->arena, const char *, count + 1);
    gp_telemetry_idle_factors(metrics->telemetry, catalog, result, calibration);
    gp_status st =
        gp_telemetry_cache_factors(metrics->telemetry, catalog, result, served, calibration, notes);
    gp_check(cli, st, NULL);
    for (size_t i = 0; i < count; i++)
        if (notes[i] != NULL)
            gp_tell(cli, "%s", notes[i]);
}

static void fit(gp_flow *flow, const gp_metrics *metrics, const gp_plan_result *result,
                const gp_telemetry_runs *runs, const char *const *served, const char **ret_text,
                size_t *ret_len) {
    gp_cli *cli = flow->cli;
    const gp_text *texts[TABLES];
    size_t count = 0;
    gp_catalog *catalog = NULL;
    gp_calibration calibration = {.source = NULL};
    const gp_calibrate_options options = {.from = metrics->from, .to = metrics->to};
    const char *name = cli->settings.name == NULL ? "live" : cli->settings.name;
    texts_of(cli, runs, texts, &count);
    gp_diags_init(&flow->diags, cli->arena);
    /* The plan may rest on an earlier calibration: what comes out replaces it. */
    gp_flow_built_in(flow, &catalog);
    gp_status st =
        gp_calibrate(cli->arena, catalog, texts, count, &options, &flow->diags, &calibration);
    gp_check(cli, st, &flow->diags);
    add_factors(cli, metrics, catalog, result, served, &calibration);
    calibration.source =
        gp_arena_printf(cli->arena, "%s, up to %s", metrics->address, metrics->end);
    st = gp_calibration_write(cli->arena, name, &calibration, ret_text, ret_len);
    gp_check(cli, st, &flow->diags);
    gp_print_diags(cli, &flow->diags);
}

/* All figures beside the fit; both files or none. */
static void write_all(gp_cli *cli, const gp_metrics *metrics, const char *text, size_t len) {
    gp_artefact file = {.path = cli->settings.readings};
    if (file.path == NULL) {
        gp_outputs_write(cli, text, len);
        return;
    }
    gp_status st = gp_telemetry_json(cli->arena, metrics->telemetry, metrics->address, metrics->end,
                                     &file.text, &file.len);
    gp_check(cli, st, NULL);
    gp_artefacts_write(cli, &file, 1);
    gp_outputs_write(cli, text, len);
}

void gp_calibrate_metrics(gp_cli *cli) {
    gp_overrides none = {0};
    gp_metrics metrics = {.telemetry = NULL};
    gp_telemetry_runs runs = {.inference = NULL};
    const char *const *served = NULL;
    gp_flow flow;
    const char *text = NULL;
    size_t len = 0;
    if (cli->settings.reader > 0 || cli->settings.sets.count > 0 || cli->settings.since != NULL ||
        cli->settings.until != NULL || cli->settings.operands.count != 1)
        gp_complain(cli, GP_EXIT_USAGE,
                    "--prometheus takes one plan and cannot be combined with --as, --set, --since "
                    "or --until: set the time with --window and --now");
    gp_flow_open(cli, &cli->settings.operands, &flow);
    flow.once = true;
    const gp_plan_result *result = gp_flow_run_one(&flow, &none).result;
    check_workload(cli, result);
    parse_asks(cli, result, &metrics);
    gp_metrics_read(cli, &metrics);
    gp_metrics_warn(cli, &metrics);
    read_runs(cli, &metrics, result, &runs, &served);
    if (cli->settings.read) {
        print_rows(cli, &runs);
        return;
    }
    fit(&flow, &metrics, result, &runs, served, &text, &len);
    write_all(cli, &metrics, text, len);
}
