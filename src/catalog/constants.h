/*
 * Empirical numbers that the estimators use, one member per catalogue row of kind `constants`
 * (src/catalog/constants/). Sources and evidence are in the rows; members are in base units.
 */
#ifndef GP_CATALOG_CONSTANTS_H
#define GP_CATALOG_CONSTANTS_H

#include "catalog/catalog.h"

enum { GP_CONSTANTS_OPTIMIZERS = 7 }; /* kinds of gp_optimizer */

/* A member for each row that is no element of an array: the rows say what it means. */
#pragma push_macro("GP_QUANTITY")
#undef GP_QUANTITY
#define GP_QUANTITY(T, key, member, ...) member
typedef struct gp_constants {
    gp_meta meta; /* origins point at the rows */
    double memory_format_bytes[GP_FORMAT_COUNT];            /* of one element, scales included */
    double memory_optimizer_bytes[GP_CONSTANTS_OPTIMIZERS]; /* by gp_optimizer */
    /* clang-format off: names of members, apart by commas */
    double
#include "catalog/constants_facility.inc"
#include "catalog/constants_observe.inc"
#include "catalog/constants_rl.inc"
#include "catalog/constants_serving.inc"
#include "catalog/constants_simulate.inc"
#include "catalog/constants_training.inc"
        end_of_constants; /* of the list; set by nothing */
    /* clang-format on */
} gp_constants;
#pragma pop_macro("GP_QUANTITY")

extern const gp_struct gp_constants_type;

/* Loads every constants row into its member; a missing row or member is GP_ERR_INTERNAL with a
 * diagnostic. */
gp_status gp_constants_load(gp_catalog *catalog, gp_diags *diags, gp_constants *ret_constants);

#endif
