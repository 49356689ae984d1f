/* Descriptor table of the estimators' constants: one row per catalogue row of kind `constants`, its
 * key the row's id. The rows are in one file for each part of the estimators. */
#include "catalog/constants.h"
#include "model/model.h"

#include "schema/field.h"

static const gp_field constants_fields[] = {
#include "catalog/constants_arrays.inc"
#include "catalog/constants_facility.inc"
#include "catalog/constants_observe.inc"
#include "catalog/constants_rl.inc"
#include "catalog/constants_serving.inc"
#include "catalog/constants_simulate.inc"
#include "catalog/constants_training.inc"
};

const gp_struct gp_constants_type = GP_TYPE(gp_constants, constants_fields, .name = "constants",
                                            .help = "Empirical numbers that the estimators use.");
