/* Patterns of paths and names. */
#ifndef GP_BASE_GLOB_H
#define GP_BASE_GLOB_H

#include <stdbool.h>

/* `*` stands for any text without '/', `**` for any text (with a '/' behind it also for none at
 * all), `?` for one byte but '/'; everything else stands for itself. The whole text must match.
 * Time is at most the product of both lengths. */
bool gp_glob_match(const char *pattern, const char *text);

#endif
