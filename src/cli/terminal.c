/*
 * The terminal: what the surroundings say about width and colour.
 */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH_DEFAULT = 80, WIDTH_LEAST = 60, WIDTH_MOST = 1000 };
enum { COLOR_AUTO = 1, COLOR_ALWAYS = 2, COLOR_NEVER = 3 }; /* as in the option's choices */

static bool is_set(const char *name) {
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0';
}

int gp_terminal_width(const gp_cli *cli) {
    if (cli->settings.width > 0)
        return (int)cli->settings.width;
    if (!isatty(STDOUT_FILENO) || !is_set("COLUMNS"))
        return WIDTH_DEFAULT;
    long columns = strtol(getenv("COLUMNS"), NULL, 10);
    if (columns <= 0 || columns > WIDTH_MOST)
        return WIDTH_DEFAULT;
    return columns < WIDTH_LEAST ? WIDTH_LEAST : (int)columns;
}

bool gp_terminal_colour(const gp_cli *cli) {
    const gp_settings *settings = &cli->settings;
    if (settings->no_color || settings->color == COLOR_NEVER)
        return false;
    if (settings->color == COLOR_ALWAYS)
        return true;
    if (is_set("NO_COLOR"))
        return false;
    const char *term = getenv("TERM");
    return isatty(STDOUT_FILENO) && term != NULL && strcmp(term, "dumb") != 0;
}

bool gp_terminal_watched(void) {
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && term != NULL && strcmp(term, "dumb") != 0;
}

bool gp_terminal_is_output(void) {
    return isatty(STDOUT_FILENO) != 0;
}
