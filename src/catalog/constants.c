/* The estimators' constants: each catalogue row of the kind is read, by the dimension of the member
 * that its id names, into that member. */
#include "catalog/constants.h"

#include <string.h>

#include "base/str.h"
#include "catalog/tables.h"
#include "schema/diag_ids.h"
#include "schema/field.h"

static void read_constant(gp_binder *binder, const gp_constant *row, gp_constants *constants) {
    const gp_origin *origin = GP_ORIGIN_OF(row, gp_constant, value);
    int at = gp_field_named(&gp_constants_type, row->id, strlen(row->id));
    if (at < 0) {
        gp_diags_error(binder->diags, GP_ID_CATALOG, row->meta.span,
                       "the id of a number that estimators use", NULL, "unknown constant \"%s\"",
                       row->id);
        return;
    }
    if (!row->value) {
        gp_diags_error(binder->diags, GP_ID_MISSING_KEY, row->meta.span, NULL, NULL,
                       "constant \"%s\" needs the key \"value\"", row->id);
        return;
    }
    const gp_field *field = &gp_constants_type.fields[at];
    gp_node node = {.kind = GP_NODE_SCALAR,
                    .style = GP_STYLE_PLAIN,
                    .span = origin->span,
                    .text = row->value,
                    .len = strlen(row->value)};
    gp_bind_field(binder, &node, field, constants);
    if (constants->meta.origins[at].kind != GP_ORIGIN_NONE)
        constants->meta.origins[at] = *origin;
}

/* True when every member has its value. */
static bool complete(gp_diags *diags, const gp_constants *constants) {
    bool all = true;
    for (size_t i = 0; i < gp_constants_type.field_count; i++) {
        if (constants->meta.origins[i].kind == GP_ORIGIN_NONE) {
            gp_diags_error(diags, GP_ID_CATALOG, (gp_span){.text = NULL}, NULL, NULL,
                           "the catalogue has no constant \"%s\"", gp_constants_type.fields[i].key);
            all = false;
        }
    }
    return all;
}

gp_status gp_constants_load(gp_arena *arena, gp_catalog *catalog, gp_diags *diags,
                            gp_constants *ret_constants) {
    gp_binder binder = {.arena = arena, .diags = diags, .origin = GP_ORIGIN_CATALOG};
    const void *const *rows = NULL;
    size_t count = 0;
    size_t errors = diags->errors;
    memset(ret_constants, 0, sizeof *ret_constants);
    gp_struct_init(arena, &gp_constants_type, ret_constants);
    gp_status st = gp_catalog_rows(catalog, GP_CATALOG_CONSTANTS, &rows, &count);
    for (size_t i = 0; i < count && !st; i++)
        read_constant(&binder, rows[i], ret_constants);
    if (st)
        return st;
    if (diags->errors > errors)
        return GP_ERR_INPUT;
    return complete(diags, ret_constants) ? GP_OK : GP_ERR_INTERNAL;
}
