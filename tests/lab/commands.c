/* The commands of gpuplan-lab. */
#include "lab/lab.h"

#include "cli/backtest.h"

enum { FORM_TEXT = 1, FORM_MARKDOWN = 3 };

/* In the order of gp_leave_out. */
static const char *const leave_out_words[] = {"model",        "gpu",  "engine", "source",
                                              "organization", "size", NULL};
static const char *const confidence_words[] = {"expected", "p80", "p90", NULL};

static const gp_opt backtest_options[] = {
    GP_BACKTEST_OPTIONS,
    GP_WORD(
        "leave-out", leave_out, "WHAT", leave_out_words,
        "Fit the constants without each model (GPU, engine or framework, source, maker of models) "
        "in turn, or the curves of collectives without every second size, and score what was "
        "left out; further files join the fit."),
    GP_WORD("confidence", backtest_confidence, "LEVEL", confidence_words,
            "Percentile that whole runs are planned at (default: expected)."),
};

static void run_backtest(gp_cli *cli) {
    const gp_settings *settings = &cli->settings;
    gp_lab_options options = {.leave_out = (gp_leave_out)settings->leave_out,
                              .confidence = settings->backtest_confidence};
    gp_backtest_input in;
    gp_backtest *backtest = NULL;
    gp_backtest_open(cli, &in);
    gp_backtest_options_of(cli, &options.base);
    if (in.text_count > 1 && settings->leave_out == 0)
        gp_complain(cli, GP_EXIT_USAGE, "one file is due, unless with --leave-out");
    options.fit_texts = in.texts + 1;
    options.fit_text_count = in.text_count - 1;
    gp_status st =
        gp_lab_backtest(cli->arena, in.catalog, in.texts[0], &options, &in.diags, &backtest);
    gp_backtest_write(&in, st, backtest);
}

static const gp_command backtest = {
    .name = "backtest",
    .operands = "FILE|-...",
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .summary = "Score the estimates against a table of published runs.",
    .details = "FILE is a CSV table with one run per row, as in tests/reference; its columns tell "
               "what it is about. Whole runs and services are planned as a user's spec would be.",
    .examples = "  gpuplan-lab backtest training.csv finetune.csv --leave-out gpu\n",
    GP_OPTIONS(backtest_options),
    .no_project = true,
    .run = run_backtest,
};

static const gp_opt refit_options[] = {
    GP_FORM(gp_backtest_forms,
            "Catalogue (text), or a table of what each constant rests on (markdown)."),
    GP_OPTION_CATALOG,
};

static void run_refit(gp_cli *cli) {
    const int form = cli->settings.form;
    gp_backtest_input in;
    const char *text = NULL;
    size_t len = 0;
    gp_backtest_open(cli, &in);
    if (form != 0 && form != FORM_TEXT && form != FORM_MARKDOWN)
        gp_complain(cli, GP_EXIT_USAGE, "the form is text or markdown");
    gp_status st = gp_lab_constants(
        cli->arena, in.catalog, in.texts, in.text_count,
        form == FORM_MARKDOWN ? GP_LAB_FORM_MARKDOWN : GP_LAB_FORM_CATALOG, &in.diags, &text, &len);
    gp_check(cli, st, &in.diags);
    gp_stdout_write(cli, text, len);
}

static const gp_command refit = {
    .name = "refit",
    .operands = "FILE|-...",
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .summary = "Fit the free constants to all files and print them as a catalogue.",
    .examples = "  gpuplan-lab refit training.csv memory.csv\n",
    GP_OPTIONS(refit_options),
    .no_project = true,
    .run = run_refit,
};

extern const gp_command gp_command_version;
const gp_command *const gp_commands[] = {&backtest, &refit, &gp_command_version, NULL};
