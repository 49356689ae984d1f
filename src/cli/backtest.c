/*
 * The `backtest` command: the estimates beside measured runs, by class.
 */
#include "cli/backtest.h"

#include <string.h>

#include "render/forms.h"

const char *const gp_backtest_forms[] = {"text", "json", "markdown", "csv", NULL};
const char *const gp_backtest_tunings[] = {"tuned", "typical", "untuned", NULL};

static const gp_opt backtest_options[] = {GP_BACKTEST_OPTIONS};

/* Of gpuplan-lab. */
static const char *const lab_options[] = {"leave-out", "refit", "confidence", NULL};

static void add_calibrations(gp_backtest_input *in) {
    const gp_words *files = &in->cli->settings.calibrations;
    for (size_t i = 0; i < files->count; i++) {
        gp_text *text = NULL;
        gp_calibration_add(in->cli, in->catalog, &in->diags, files->items[i], &text);
    }
}

void gp_backtest_open(gp_cli *cli, gp_backtest_input *ret_in) {
    const gp_words *operands = &cli->settings.operands;
    *ret_in = (gp_backtest_input){.cli = cli, .text_count = operands->count};
    gp_diags_init(&ret_in->diags, cli->arena);
    gp_catalog_open(cli->arena, &ret_in->diags, &ret_in->catalog);
    gp_texts_read(cli, operands, GP_INPUT_MAX_BYTES, &ret_in->texts);
    gp_catalogs_add(cli, ret_in->catalog, &ret_in->diags, &cli->settings.catalogs);
    add_calibrations(ret_in);
}

static void split_columns(gp_cli *cli, gp_words *ret_columns) {
    for (const char *c = cli->settings.group_by; c != NULL && *c != '\0';) {
        size_t len = strcspn(c, ",");
        const char *name = gp_arena_strndup(cli->arena, c, len);
        gp_words_add(cli->arena, ret_columns, name);
        c += len;
        c += *c == ',' ? 1 : 0;
    }
}

void gp_backtest_options_of(gp_cli *cli, gp_backtest_options *ret_options) {
    const gp_settings *settings = &cli->settings;
    gp_words columns = {0};
    split_columns(cli, &columns);
    *ret_options = (gp_backtest_options){.all = settings->all,
                                         .tuning = settings->backtest_tuning,
                                         .worst = (size_t)settings->worst};
    ret_options->by.items = columns.items;
    ret_options->by.count = columns.count;
}

void gp_backtest_write(gp_backtest_input *in, gp_status st, const gp_backtest *backtest) {
    const gp_settings *settings = &in->cli->settings;
    const int form = settings->form > 0 ? settings->form - 1 : 0;
    gp_render_options options = {.width = (int)settings->width};
    const char *text = NULL;
    size_t len = 0;
    gp_check(in->cli, st, &in->diags);
    st = gp_forms_render(in->cli->arena, &gp_forms_backtest, gp_backtest_forms[form], backtest,
                         &options, &text, &len);
    gp_check(in->cli, st, NULL);
    gp_stdout_write(in->cli, text, len);
}

static void run_backtest(gp_cli *cli) {
    gp_backtest_input in;
    gp_backtest_options options;
    gp_backtest *backtest = NULL;
    gp_backtest_open(cli, &in);
    gp_backtest_options_of(cli, &options);
    gp_status st =
        gp_backtest_run(cli->arena, in.catalog, in.texts[0], &options, &in.diags, &backtest);
    gp_backtest_write(&in, st, backtest);
}

const gp_command gp_command_backtest = {
    .name = "backtest",
    .operands = "FILE|-",
    .min_operands = 1,
    .max_operands = 1,
    .summary = "Score the estimates against a table of measured runs.",
    .details = "FILE is a CSV table with one run per row; its columns determine its kind: training "
               "(including fine-tuning and LoRA), inference, memory, collectives, power. An "
               "estimate uses the configuration of a run, never its measurements.",
    .examples = "  gpuplan backtest runs.csv --by gpu,precision\n"
                "  gpuplan backtest runs.csv --worst 20 -f json\n",
    GP_OPTIONS(backtest_options),
    .lab_options = lab_options,
    .no_project = true, /* it judges the tool, not what somebody laid over it */
    .run = run_backtest,
};
