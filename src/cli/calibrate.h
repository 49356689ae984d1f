/* `calibrate` from a metrics server. */
#ifndef GP_CLI_CALIBRATE_H
#define GP_CLI_CALIBRATE_H

#include "cli/cli.h"

/* The command with --prometheus: its operand is a plan. */
void gp_calibrate_metrics(gp_cli *cli);

#endif
