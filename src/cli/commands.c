/* The commands there are. */
#include "cli/cli.h"

/* clang-format off: a row each, so that two changes meet in no line */
const gp_command *const gp_commands[] = {
    &gp_command_size,
    &gp_command_check,
    &gp_command_capacity,
    &gp_command_explain,
    &gp_command_sweep,
    &gp_command_merge,
    &gp_command_simulate,
    &gp_command_diff,
    &gp_command_render,
    &gp_command_export,
    &gp_command_backtest,
    &gp_command_calibrate,
    &gp_command_observe,
    &gp_command_validate,
    &gp_command_init,
    &gp_command_schema,
    &gp_command_catalog,
    &gp_command_import,
    &gp_command_price,
    &gp_command_help,
    &gp_command_version,
    &gp_command_completion,
    NULL,
};
/* clang-format on */
