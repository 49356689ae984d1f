/*
 * What figures rest on, measured: every number of the spec, of the catalogue and of the estimators'
 * constants is changed a little in turn, the plan is worked out again with its choice kept, and the
 * figures that move rest on it. So nothing that a formula reads can be left out of an explanation.
 */
#ifndef GP_REPORT_MEASURE_H
#define GP_REPORT_MEASURE_H

#include "report/build.h"

/* A number, and what it does. */
typedef struct gp_number {
    const char *name; /* "h100-sxm.memory", "training.gemm.tokens", "site.power.capacity" */
    const gp_field *field;
    const gp_origin *origin;
    const void *value;
    size_t with;     /* the number whose value it repeats: changed with that; its own place: none */
    double *effects; /* by figure: its relative change over that of the number, NAN: it is gone;
                        NULL: none moves */
} gp_number;

bool gp_is_moved(double effect);
/* The same products are bought: where none is named, a number may bring in another. */
bool gp_same_products(const gp_plan_result *a, const gp_plan_result *b);

/* Reads the figures in question out of a plan, with its report; NAN: not there. */
typedef void gp_figures(const void *context, gp_build *of, double *ret_figures);

/* All numbers, with what each does to `count` figures. */
void gp_measure(gp_build *build, gp_figures *read, const void *context, size_t count,
                gp_number **ret_numbers, size_t *ret_count);

#endif
