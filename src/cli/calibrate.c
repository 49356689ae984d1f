/*
 * The `calibrate` command: factors of own measurements over the built-in figures, and rows of runs
 * from what other tools wrote.
 */

#include <string.h>

#include "cli/flow.h"
#include "cli/metrics.h"
#include "fit/fit.h"
#include "import/readings.h"

static const gp_opt calibrate_options[] = {
    GP_TEXT("name", name, "NAME", "Name of the calibration (default: own-runs)."),
    GP_TEXT(
        "since", since, "DATE",
        "First day of the measurements, in place of the earliest date of the rows. No row is left "
        "out."),
    GP_TEXT("until", until, "DATE",
            "Last day of the measurements, in place of the latest date of the rows."),
    GP_OUTPUTS("FILE", "Write the result to a file instead of standard output."),
    GP_SWITCH("read", read, "Convert tool output into rows of runs (CSV) without fitting."),
    GP_WORD("as", reader, "FORM", gp_reading_forms,
            "With --read: the tool that wrote the files, if it cannot be detected."),
    GP_TEXTS("set", sets, "KEY=VALUE",
             "With --read: set a column in every row, such as gpu=h100-sxm or tp=8. Repeatable."),
    GP_OPTION_CATALOG,
    GP_OPTIONS_LOCK,
    GP_OPTIONS_PROMETHEUS,
    GP_OPTION_CACERT,
    GP_OPTION_TIMEOUT,
    GP_TEXT("now", now, "TIME",
            "With --prometheus: end of the window, such as 2027-03-31T10:00:00Z or a date (the end "
            "of that day); default: SOURCE_DATE_EPOCH, else now."),
    GP_TEXT("workload", workload, "NAME", "With --prometheus: fit this service only.",
            .letter = 'w', .value = GP_VALUE_WORKLOAD),
    GP_TEXTS("tokens", tokens, "NAME=QUERY",
             "With --prometheus: your own query for the tokens per second of one run of a training "
             "workload. Repeatable."),
    GP_FILE("readings", readings,
            "With --prometheus: also write every figure read, with its query, samples and "
            "percentiles, as JSON."),
};

static void parse_sets(gp_cli *cli, gp_reading_options *options) {
    const gp_words *sets = &cli->settings.sets;
    gp_reading_set *items = GP_NEW_ARRAY(cli->arena, gp_reading_set, sets->count + 1);
    options->sets = items;
    options->set_count = sets->count;
    for (size_t i = 0; i < sets->count; i++) {
        size_t len = strcspn(sets->items[i], "=");
        if (len == 0 || sets->items[i][len] == '\0' || sets->items[i][len + 1] == '\0')
            gp_complain_hint(cli, GP_EXIT_USAGE, "for example --set gpu=h100-sxm",
                             "--set %s: expected KEY=VALUE", sets->items[i]);
        items[i].key = gp_arena_strndup(cli->arena, sets->items[i], len);
        items[i].value = sets->items[i] + len + 1;
    }
}

static void read_logs(gp_cli *cli, const gp_text *const *texts) {
    gp_reading_options options = {.form = NULL};
    const char *csv = NULL;
    size_t len = 0;
    gp_diags diags = GP_DIAGS(cli->arena);
    if (cli->settings.reader > 0)
        options.form = gp_reading_forms[cli->settings.reader - 1];
    parse_sets(cli, &options);
    gp_status st = gp_readings_read(cli->arena, texts, cli->settings.operands.count, &options,
                                    &diags, &csv, &len);
    gp_check(cli, st, &diags);
    gp_print_diags(cli, &diags);
    gp_outputs_write(cli, csv, len);
}

/* ---- fitting */

/* yyyymmdd; 0: not given. */
static int64_t parse_date(gp_cli *cli, const char *option, const char *text) {
    const int64_t date = text == NULL ? 0 : gp_day_parse(text);
    if (text != NULL && date == 0)
        gp_complain_hint(cli, GP_EXIT_USAGE, "for example 2026-09-30", "--%s %s: not a date",
                         option, text);
    return date;
}

/* A day that a flag states, beside what the rows say of the other end. */
static void check_window(gp_cli *cli, const gp_calibration_window *window) {
    if (window->from > 0 && window->to > 0 && window->from > window->to)
        gp_complain(cli, GP_EXIT_USAGE,
                    "the measurements would begin on %s and end on %s: change --since or --until",
                    gp_day_text(cli->arena, window->from), gp_day_text(cli->arena, window->to));
}

static void fit_runs(gp_cli *cli, const gp_text *const *texts) {
    const gp_settings *settings = &cli->settings;
    const gp_calibrate_options options = {.from = parse_date(cli, "since", settings->since),
                                          .to = parse_date(cli, "until", settings->until)};
    check_window(cli, &(gp_calibration_window){.from = options.from, .to = options.to});
    gp_calibration calibration = {.source = NULL};
    gp_catalog *catalog = NULL;
    const char *text = NULL;
    size_t len = 0;
    gp_diags diags = GP_DIAGS(cli->arena);
    gp_catalog_open(cli->arena, &diags, &catalog);
    gp_catalogs_add(cli, catalog, &diags, &settings->catalogs);
    gp_status st = gp_calibrate(cli->arena, catalog, texts, settings->operands.count, &options,
                                &diags, &calibration);
    gp_check(cli, st, &diags);
    check_window(cli, &calibration.window);
    st = gp_calibration_write(cli->arena, settings->name == NULL ? "own-runs" : settings->name,
                              &calibration, &text, &len);
    gp_check(cli, st, &diags);
    gp_print_diags(cli, &diags);
    gp_outputs_write(cli, text, len);
}

static void run_calibrate(gp_cli *cli) {
    const gp_settings *settings = &cli->settings;
    const gp_text **texts = NULL;
    if (settings->prometheus != NULL) {
        gp_calibrate_metrics(cli);
        return;
    }
    if (settings->window != NULL || settings->selector != NULL || settings->matches.count > 0 ||
        settings->auth_file != NULL || settings->cacert != NULL || settings->readings != NULL ||
        settings->workload != NULL || settings->now != NULL || settings->timeout_s > 0 ||
        settings->tokens.count > 0 || settings->lock != NULL || settings->locked)
        gp_complain(cli, GP_EXIT_USAGE,
                    "--window, --now, --selector, --match, --workload, --tokens, --readings, the "
                    "lock and server options need --prometheus");
    if (!settings->read && (settings->reader > 0 || settings->sets.count > 0))
        gp_complain_hint(cli, GP_EXIT_USAGE, "rows of runs contain their configuration",
                         "--as and --set need --read");
    gp_texts_read(cli, &settings->operands, settings->read ? GP_LOG_MAX_BYTES : GP_INPUT_MAX_BYTES,
                  &texts);
    if (settings->read)
        read_logs(cli, texts);
    else
        fit_runs(cli, texts);
}

const gp_command gp_command_calibrate = {
    .name = "calibrate",
    .operands = "FILE|-...",
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .summary = "Fit the built-in figures to your own measurements.",
    .details =
        "FILE is a CSV table of runs with the columns of backtest: training, inference, memory, "
        "collectives, power. The result (kind: Calibration) goes to --calibration of size, check, "
        "diff, explain, simulate, export, observe and backtest, or into spec.calibration. "
        "Implausible rows are left out, with the reason. With --read, FILE is the output of a tool "
        "and is converted into rows of runs; --set adds what a log does not state. With "
        "--prometheus, FILE is a plan whose services the server monitors: its layout and the "
        "latencies, tokens and power measured in the window make up the rows.",
    .examples = "  gpuplan calibrate --read train.log --set model=llama-3.1-8b --set gpu=h100-sxm "
                "--set gpus=64 --set seq_len=8192 --set precision=bf16 -o runs.csv\n"
                "  gpuplan calibrate runs.csv --name dc-west -o calibration.yaml\n"
                "  gpuplan calibrate plan.yaml --prometheus http://prometheus:9090 --window 6h\n"
                "  gpuplan size plan.yaml --calibration calibration.yaml\n",
    GP_OPTIONS(calibrate_options),
    .run = run_calibrate,
};
