/* The estimators' constants: each catalogue row of the kind is read, by the dimension of the member
 * that its id names, into that member. */
#include "catalog/constants.h"

#include <string.h>

#include "base/index.h"
#include "catalog/tables.h"
#include "schema/diag_ids.h"
#include "schema/field.h"

/* Members by their names: there are hundreds. */
static void index_members(gp_arena *arena, gp_index *ret) {
    gp_index_init(ret, arena);
    for (size_t i = 0; i < gp_constants_type.field_count; i++) {
        const char *key = gp_constants_type.fields[i].key;
        gp_index_set(ret, key, strlen(key), i);
    }
}

static void read_constant(gp_binder *binder, const gp_index *members, const gp_constant *row,
                          gp_constants *constants) {
    const gp_origin *origin = GP_ORIGIN_OF(row, gp_constant, value);
    size_t at = 0;
    if (!gp_index_find(members, row->id, strlen(row->id), &at)) {
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

static gp_status read_constants(gp_catalog *catalog, gp_diags *diags, gp_constants *ret) {
    gp_binder binder = {.arena = catalog->arena, .diags = diags, .origin = GP_ORIGIN_CATALOG};
    const void *const *rows = NULL;
    size_t count = 0;
    size_t errors = diags->errors;
    gp_index members;
    gp_struct_init(catalog->arena, &gp_constants_type, ret);
    index_members(catalog->arena, &members);
    gp_status st = gp_catalog_rows(catalog, GP_CATALOG_CONSTANTS, &rows, &count);
    for (size_t i = 0; i < count && !st; i++)
        read_constant(&binder, &members, rows[i], ret);
    if (st)
        return st;
    if (diags->errors > errors)
        return GP_ERR_INPUT;
    return complete(diags, ret) ? GP_OK : GP_ERR_INTERNAL;
}

gp_status gp_catalog_load_all(gp_catalog *catalog) {
    gp_constants *constants = GP_NEW(catalog->arena, gp_constants);
    gp_status st = GP_OK;
    for (int kind = 0; kind < GP_CATALOG_KIND_COUNT && st == GP_OK; kind++) {
        st = gp_catalog_load(catalog, (gp_catalog_kind)kind);
        if (st == GP_OK)
            gp_catalog_name_rows(catalog, &catalog->tables[kind]);
    }
    return st == GP_OK ? gp_constants_load(catalog, catalog->diags, constants) : st;
}

/* Read once: a sweep asks for them at every point. */
gp_status gp_constants_load(gp_catalog *catalog, gp_diags *diags, gp_constants *ret_constants) {
    gp_constants *constants = catalog->constants;
    if (constants == NULL) {
        constants = GP_NEW(catalog->arena, gp_constants);
        gp_status st = read_constants(catalog, diags, constants);
        if (st)
            return st;
        catalog->constants = constants;
    }
    *ret_constants = *constants;
    return GP_OK;
}
