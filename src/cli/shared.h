/*
 * Shared libraries that few commands need, opened when they are: a program that links them pays for
 * all that they bring along before it prints its version.
 */
#ifndef GP_CLI_SHARED_H
#define GP_CLI_SHARED_H

#include <stdbool.h>
#include <stddef.h>

/* Opens the library of that file name for good and writes the address of each function in `names`
 * to `ret_functions`, an array (or a struct) of as many pointers. False where it or one is not
 * there. */
bool gp_shared_open(const char *library, const char *const *names, size_t count,
                    void *ret_functions);

#endif
