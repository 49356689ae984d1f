/* Descriptor table of the estimators' constants: one row per catalogue row of kind `constants`, its
 * key the row's id. */
#include "catalog/constants.h"
#include "model/model.h"

#include "schema/field.h"

#define GP_CONSTANT(member, id, dim, text) GP_QUANTITY(gp_constants, id, member, dim, .help = text),
#define GP_CONSTANT_AT                     GP_CONSTANT
static const gp_field constants_fields[] = {
#include "catalog/constants.inc"
};

const gp_struct gp_constants_type = GP_TYPE(gp_constants, constants_fields, .name = "constants",
                                            .help = "Empirical numbers that the estimators use.");
