/*
 * Empirical numbers that the estimators use, one member per catalogue row of kind `constants`
 * (src/catalog/constants/). Sources and evidence are in the rows; members are in base units.
 */
#ifndef GP_CATALOG_CONSTANTS_H
#define GP_CATALOG_CONSTANTS_H

#include "catalog/catalog.h"

enum { GP_CONSTANTS_OPTIMIZERS = 7 }; /* kinds of gp_optimizer */

/* A member for each row that is no element of an array, in the order of the rows. The list is made
 * from what stands behind their ids (compiler/constants.awk). */
#define GP_CONSTANT(member, ...)    double member;
#define GP_CONSTANT_AT(member, ...) /* an element of one of the arrays */
typedef struct gp_constants {
    gp_meta meta;                                           /* origins point at the rows */
    double memory_format_bytes[GP_FORMAT_COUNT];            /* of one element, scales included */
    double memory_optimizer_bytes[GP_CONSTANTS_OPTIMIZERS]; /* by gp_optimizer */
#include "catalog/constants.inc"
} gp_constants;
#undef GP_CONSTANT
#undef GP_CONSTANT_AT

extern const gp_struct gp_constants_type;

/* Loads every constants row into its member; a missing row or member is GP_ERR_INTERNAL with a
 * diagnostic. */
gp_status gp_constants_load(gp_catalog *catalog, gp_diags *diags, gp_constants *ret_constants);

#endif
