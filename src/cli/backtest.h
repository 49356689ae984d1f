/* What `backtest` takes and does, for gpuplan-lab as well, which scores further tables. */
#ifndef GP_CLI_BACKTEST_H
#define GP_CLI_BACKTEST_H

#include "cli/flow.h"
#include "fit/fit.h"

extern const char *const gp_backtest_forms[];
extern const char *const gp_backtest_tunings[]; /* in the order of gp_tuning */

#define GP_BACKTEST_OPTIONS                                                                        \
    GP_FORM(gp_backtest_forms, "Form on standard output."), GP_OPTION_CATALOG,                     \
        GP_OPTION_CALIBRATION,                                                                     \
        GP_TEXT("by", group_by, "COLUMN,...", "Also list the errors grouped by these columns."),   \
        GP_NUMBER("worst", worst, "N", 1, 1000000, "Also list the N worst estimates."),            \
        GP_SWITCH("all", all, "Also score the rows that the file does not mark as strict."),       \
        GP_WORD("tuning", backtest_tuning, "CLASS", gp_backtest_tunings,                           \
                "How well the training runs are tuned (default: tuned)."),                         \
        GP_OPTION_WIDTH

typedef struct gp_backtest_input {
    gp_cli *cli;
    gp_diags diags;
    gp_catalog *catalog;
    const gp_text **texts;
    size_t text_count;
} gp_backtest_input;

/* Reads the operands and opens the catalogue with what the options lay over it. */
void gp_backtest_open(gp_cli *cli, gp_backtest_input *ret_in);
void gp_backtest_options_of(gp_cli *cli, gp_backtest_options *ret_options);
/* Writes the scores, or says why there are none. */
void gp_backtest_write(gp_backtest_input *in, gp_status st, const gp_backtest *backtest);

#endif
