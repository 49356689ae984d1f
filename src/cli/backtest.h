/* What `backtest` takes and does, for gpuplan-lab as well, which scores further tables. */
#ifndef GP_CLI_BACKTEST_H
#define GP_CLI_BACKTEST_H

#include "cli/flow.h"
#include "fit/fit.h"

extern const char *const gp_backtest_forms[];
extern const char *const gp_backtest_tunings[]; /* in the order of gp_tuning */

#define GP_BACKTEST_OPTIONS                                                                        \
    {.name = "format",                                                                             \
     .letter = 'f',                                                                                \
     .kind = GP_OPT_WORD,                                                                          \
     .offset = offsetof(gp_settings, backtest_format),                                             \
     .argument = "FORM",                                                                           \
     .choices = gp_backtest_forms,                                                                 \
     .help = "Form on standard output."},                                                          \
        GP_OPTION_CATALOG, GP_OPTION_CALIBRATION,                                                  \
        {.name = "by",                                                                             \
         .kind = GP_OPT_TEXT,                                                                      \
         .offset = offsetof(gp_settings, group_by),                                                \
         .argument = "COLUMN,...",                                                                 \
         .help = "Also list the errors by the values of these columns."},                          \
        {.name = "worst",                                                                          \
         .kind = GP_OPT_NUMBER,                                                                    \
         .offset = offsetof(gp_settings, worst),                                                   \
         .argument = "N",                                                                          \
         .min = 1,                                                                                 \
         .max = 1000000,                                                                           \
         .help = "Also list the N estimates that are farthest off."},                              \
        {.name = "all",                                                                            \
         .kind = GP_OPT_SWITCH,                                                                    \
         .offset = offsetof(gp_settings, all),                                                     \
         .help = "Score the rows, too, that the file does not call strict."},                      \
        {.name = "tuning",                                                                         \
         .kind = GP_OPT_WORD,                                                                      \
         .offset = offsetof(gp_settings, backtest_tuning),                                         \
         .argument = "CLASS",                                                                      \
         .choices = gp_backtest_tunings,                                                           \
         .help = "How well the runs of training are tuned (default: tuned)."},                     \
        GP_OPTION_WIDTH

typedef struct gp_backtest_input {
    gp_cli *cli;
    gp_diags diags;
    gp_catalog *catalog;
    const gp_text **texts;
    size_t text_count;
} gp_backtest_input;

/* Reads the operands and opens the catalogue with what the options lay over it. */
gp_exit gp_backtest_open(gp_cli *cli, gp_backtest_input *ret_in);
void gp_backtest_options_of(gp_cli *cli, gp_backtest_options *ret_options);
/* Writes the scores, or says why there are none. */
gp_exit gp_backtest_write(gp_backtest_input *in, gp_status st, const gp_backtest *backtest);

#endif
