/* What the surroundings say about presentation; nothing here changes a result. */
#ifndef GP_CLI_TERMINAL_H
#define GP_CLI_TERMINAL_H

#include "cli/cli.h"

/* Columns of standard output: --width, else COLUMNS on a terminal, else 80. */
int gp_terminal_width(const gp_cli *cli);
/* Whether standard output gets colours. */
bool gp_terminal_colour(const gp_cli *cli);
/* Whether standard output is a terminal. */
bool gp_terminal_is_output(void);
/* Whether somebody watches standard error. */
bool gp_terminal_watched(void);

#endif
