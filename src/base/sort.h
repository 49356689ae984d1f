/* A stable sort: qsort leaves the order of equals to the system, which would show in reports. */
#ifndef GP_BASE_SORT_H
#define GP_BASE_SORT_H

#include <stddef.h>

#include <gpuplan/arena.h>
#include <gpuplan/status.h>

/* Below, at, above zero as `a` comes before, with, after `b`. */
typedef int gp_compare(const void *a, const void *b, const void *context);

/* Of doubles, the least first. */
int gp_by_number(const void *a, const void *b, const void *context);

/* Sorts `count` items of `size` bytes; equals keep their order. Scratch memory (as much as the
 * items) is taken from `scratch` and given back, also on failure. */
void gp_sort(gp_arena *scratch, void *items, size_t count, size_t size, gp_compare *compare,
             const void *context);

#endif
