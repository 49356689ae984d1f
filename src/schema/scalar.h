/* One scalar of a tree as the value of a field. */
#ifndef GP_SCHEMA_SCALAR_H
#define GP_SCHEMA_SCALAR_H

#include "schema/bind.h"

/* A value of any scalar kind. */
typedef struct gp_scalar {
    const char *text; /* STRING */
    int choice;       /* ENUM */
    bool flag;        /* BOOL */
    int64_t count;    /* COUNT, DATE */
    double number;    /* QUANTITY */
    bool other_dim;   /* QUANTITY: in field->or_dim */
} gp_scalar;

/* Reads `node` as a `kind` by the rules of `field` (units, range, choices). False after an error,
 * which has been added to the diagnostics. */
bool gp_scalar_read(gp_binder *binder, const gp_node *node, const gp_field *field,
                    gp_field_kind kind, gp_scalar *ret_scalar);
/* Writes the value to `target`, a member or list item of this kind. */
void gp_scalar_store(const gp_scalar *scalar, gp_field_kind kind, void *target);
/* At most 40 columns of a text, for messages: control characters become '?'. */
const char *gp_shown(gp_arena *arena, const char *text, size_t len);

#endif
