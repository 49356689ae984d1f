/* The commands there are. */
#include "cli/cli.h"

/* clang-format off: a row each, so that two changes meet in no line */
#define COMMANDS(X)                                                                                \
    X(size)                                                                                        \
    X(check)                                                                                       \
    X(capacity)                                                                                    \
    X(explain)                                                                                     \
    X(sweep)                                                                                       \
    X(merge)                                                                                       \
    X(simulate)                                                                                    \
    X(diff)                                                                                        \
    X(render)                                                                                      \
    X(export)                                                                                      \
    X(backtest)                                                                                    \
    X(calibrate)                                                                                   \
    X(observe)                                                                                     \
    X(validate)                                                                                    \
    X(init)                                                                                        \
    X(schema)                                                                                      \
    X(catalog)                                                                                     \
    X(import)                                                                                      \
    X(price)                                                                                       \
    X(help)                                                                                        \
    X(version)                                                                                     \
    X(completion)
/* clang-format on */

#define DECLARE(name) extern const gp_command gp_command_##name;
#define ROW(name)     &gp_command_##name,
COMMANDS(DECLARE)
const gp_command *const gp_commands[] = {COMMANDS(ROW) NULL};
