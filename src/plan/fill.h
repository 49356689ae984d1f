/*
 * Workloads that fill machines, counted as if every machine cost the same and a rest of GPUs could
 * be given to any part: the cheapest picks of that, exactly. What time sharing, spares, limits and
 * steps of prices change is left to whoever judges the picks.
 */
#ifndef GP_PLAN_FILL_H
#define GP_PLAN_FILL_H

#include "plan/context.h"

/* What an option takes by itself, by case and option, beside the machines that it fills. */
typedef struct gp_fill {
    size_t case_count;
    const gp_options *options;
    double *const *own;
    size_t unit_count;
    const double *machine; /* what one more machine takes, by unit */
    const gp_unit *units;
} gp_fill;

/* Picks, one by case; false where there are too many rests to tell apart. The arena is scratch. */
bool gp_fill_pick(gp_arena *scratch, const gp_fill *fill, int *ret_picks);

#endif
