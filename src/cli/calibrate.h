/* What the two ways of `calibrate` share: from tables and logs, and from a metrics server. */
#ifndef GP_CLI_CALIBRATE_H
#define GP_CLI_CALIBRATE_H

#include "cli/cli.h"

/* To the files of --output, each whole or not at all, else to standard output. */
void gp_calibrate_write(gp_cli *cli, const char *text, size_t len);
/* The command with --prometheus: its operand is a plan. */
void gp_calibrate_metrics(gp_cli *cli);

#endif
