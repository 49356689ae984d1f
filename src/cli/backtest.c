/*
 * The `backtest` command: the estimates beside measured runs, by class.
 */
#include "cli/flow.h"

#include <string.h>

#include <gpuplan/fit.h>
#include <gpuplan/render.h>

static const char *const backtest_forms[] = {"text", "json", "markdown", "csv", NULL};
enum { FORM_TEXT = 1, FORM_MARKDOWN = 3 };
// In the order of gp_leave_out.
static const char *const leave_out_words[] = {"model",        "gpu",  "engine", "source",
                                              "organization", "size", NULL};

static const char *const confidence_words[] = {"expected", "p80", "p90", NULL};
static const char *const tuning_words[] = {"tuned", "typical", "untuned", NULL};

static const gp_opt backtest_options[] = {
    {.name = "format",
     .letter = 'f',
     .kind = GP_OPT_WORD,
     .offset = offsetof(gp_settings, backtest_format),
     .argument = "FORM",
     .choices = backtest_forms,
     .help = "Form on standard output."},
    GP_OPTION_CATALOG,
    GP_OPTION_CALIBRATION,
    {.name = "by",
     .kind = GP_OPT_TEXT,
     .offset = offsetof(gp_settings, group_by),
     .argument = "COLUMN,...",
     .help = "Also list the errors by the values of these columns."},
    {.name = "worst",
     .kind = GP_OPT_NUMBER,
     .offset = offsetof(gp_settings, worst),
     .argument = "N",
     .min = 1,
     .max = 1000000,
     .help = "Also list the N estimates that are farthest off."},
    {.name = "all",
     .kind = GP_OPT_SWITCH,
     .offset = offsetof(gp_settings, all),
     .help = "Score the rows, too, that the file does not call strict."},
    {.name = "leave-out",
     .kind = GP_OPT_WORD,
     .offset = offsetof(gp_settings, leave_out),
     .argument = "WHAT",
     .choices = leave_out_words,
     .help =
         "Fit the constants without each model (GPU, engine or framework, source, maker of models) "
         "in turn, or the curves of collectives without every second size, and score what was "
         "left out; further files join the fit."},
    {.name = "refit",
     .kind = GP_OPT_SWITCH,
     .offset = offsetof(gp_settings, refit),
     .help = "Print a catalogue of the constants fitted to all files (markdown: a table of what "
             "each rests on), and no scores."},
    {.name = "confidence",
     .kind = GP_OPT_WORD,
     .offset = offsetof(gp_settings, backtest_confidence),
     .argument = "LEVEL",
     .choices = confidence_words,
     .help = "Percentile that whole runs are planned at (default: expected)."},
    {.name = "tuning",
     .kind = GP_OPT_WORD,
     .offset = offsetof(gp_settings, backtest_tuning),
     .argument = "CLASS",
     .choices = tuning_words,
     .help = "How well runs of training are tuned; typical for whole runs, else tuned."},
    GP_OPTION_WIDTH,
};

typedef struct backtest_input {
    gp_cli *cli;
    gp_diags diags;
    gp_catalog *catalog;
    const gp_text **texts;
    size_t text_count;
} backtest_input;

static gp_exit add_catalogs(backtest_input *in) {
    const gp_words *files = &in->cli->settings.catalogs;
    for (size_t i = 0; i < files->count; i++) {
        gp_text *text = NULL;
        gp_exit code = gp_file_read(in->cli, files->items[i], &text);
        if (code != GP_EXIT_YES) {
            return code;
        }
        gp_status st = gp_catalog_add(in->catalog, text);
        if (st != GP_OK || in->diags.errors > 0) {
            return gp_status_exit(in->cli, st, &in->diags);
        }
    }
    return GP_EXIT_YES;
}

static gp_exit add_calibrations(backtest_input *in) {
    const gp_words *files = &in->cli->settings.calibrations;
    gp_exit code = GP_EXIT_YES;
    for (size_t i = 0; code == GP_EXIT_YES && i < files->count; i++) {
        gp_text *text = NULL;
        code = gp_calibration_add(in->cli, in->catalog, &in->diags, files->items[i], &text);
    }
    return code;
}

static gp_exit open_input(gp_cli *cli, backtest_input *ret_in) {
    const gp_words *operands = &cli->settings.operands;
    *ret_in = (backtest_input){.cli = cli, .text_count = operands->count};
    gp_diags_init(&ret_in->diags, cli->arena);
    ret_in->texts = GP_NEW_ARRAY(cli->arena, const gp_text *, operands->count);
    if (ret_in->texts == NULL) {
        return gp_complain(cli, GP_EXIT_INTERNAL, "out of memory");
    }
    for (size_t i = 0; i < operands->count; i++) {
        gp_text *text = NULL;
        gp_exit code = gp_file_read(cli, operands->items[i], &text);
        if (code != GP_EXIT_YES) {
            return code;
        }
        ret_in->texts[i] = text;
    }
    gp_status st = gp_catalog_open(cli->arena, &ret_in->diags, &ret_in->catalog);
    gp_exit code = st == GP_OK ? add_catalogs(ret_in) : gp_status_exit(cli, st, &ret_in->diags);
    return code == GP_EXIT_YES ? add_calibrations(ret_in) : code;
}

static gp_exit split_columns(gp_cli *cli, gp_words *ret_columns) {
    for (const char *c = cli->settings.group_by; c != NULL && *c != '\0';) {
        size_t len = strcspn(c, ",");
        const char *name = gp_arena_strndup(cli->arena, c, len);
        if (name == NULL || !gp_words_add(cli->arena, ret_columns, name)) {
            return gp_complain(cli, GP_EXIT_INTERNAL, "out of memory");
        }
        c += len;
        c += *c == ',' ? 1 : 0;
    }
    return GP_EXIT_YES;
}

static gp_exit write_scores(gp_cli *cli, const gp_backtest *backtest) {
    const gp_settings *settings = &cli->settings;
    const char *form =
        backtest_forms[settings->backtest_format > 0 ? settings->backtest_format - 1 : 0];
    gp_render_options options = {.width = (int)settings->width};
    const char *text = NULL;
    size_t len = 0;
    gp_status st = gp_render_backtest(cli->arena, form, backtest, &options, &text, &len);
    return st == GP_OK ? gp_stdout_write(cli, text, len) : gp_status_exit(cli, st, NULL);
}

static gp_exit score(backtest_input *in) {
    const gp_settings *settings = &in->cli->settings;
    gp_words columns = {0};
    gp_backtest *backtest = NULL;
    gp_exit code = split_columns(in->cli, &columns);
    if (code != GP_EXIT_YES) {
        return code;
    }
    if (in->text_count > 1 && settings->leave_out == 0) {
        return gp_complain(in->cli, GP_EXIT_USAGE,
                           "one file is due, unless with --leave-out or --refit");
    }
    gp_backtest_options options = {.all = settings->all,
                                   .leave_out = (gp_leave_out)settings->leave_out,
                                   .confidence = settings->backtest_confidence,
                                   .tuning = settings->backtest_tuning,
                                   .worst = (size_t)settings->worst,
                                   .fit_texts = in->texts + 1,
                                   .fit_text_count = in->text_count - 1};
    options.by.items = columns.items;
    options.by.count = columns.count;
    gp_status st =
        gp_backtest_run(in->cli->arena, in->catalog, in->texts[0], &options, &in->diags, &backtest);
    if (st != GP_OK || in->diags.errors > 0) {
        return gp_status_exit(in->cli, st, &in->diags);
    }
    return write_scores(in->cli, backtest);
}

static gp_exit refit(backtest_input *in) {
    const char *text = NULL;
    size_t len = 0;
    int form = in->cli->settings.backtest_format;
    if (form != 0 && form != FORM_TEXT && form != FORM_MARKDOWN) {
        return gp_complain(in->cli, GP_EXIT_USAGE, "--refit: the form is text or markdown");
    }
    gp_status st =
        gp_fit_constants(in->cli->arena, in->catalog, in->texts, in->text_count,
                         form == FORM_MARKDOWN ? GP_FIT_FORM_MARKDOWN : GP_FIT_FORM_CATALOG,
                         &in->diags, &text, &len);
    if (st != GP_OK || in->diags.errors > 0) {
        return gp_status_exit(in->cli, st, &in->diags);
    }
    return gp_stdout_write(in->cli, text, len);
}

static gp_exit run_backtest(gp_cli *cli) {
    backtest_input in;
    gp_exit code = open_input(cli, &in);
    if (code != GP_EXIT_YES) {
        return code;
    }
    return cli->settings.refit ? refit(&in) : score(&in);
}

const gp_command gp_command_backtest = {
    .name = "backtest",
    .operands = "FILE|-...",
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .summary = "Score the estimates against a table of measured runs.",
    .details = "FILE is a CSV table with one run per row; its columns tell what it is about: "
               "training (with fine-tuning and LoRA), inference, memory, collectives, power. An "
               "estimate sees "
               "a run's "
               "configuration, never what was measured.",
    .examples = "  gpuplan backtest runs.csv --by gpu,precision\n"
                "  gpuplan backtest runs.csv --worst 20 -f json\n",
    .options = backtest_options,
    .option_count = GP_COUNT_OF(backtest_options),
    .no_project = true, /* it judges the tool, not what somebody laid over it */
    .run = run_backtest,
};
