/* Walking all fields of a bound struct, e.g. to list the defaults that were used. */
#ifndef GP_SCHEMA_VISIT_H
#define GP_SCHEMA_VISIT_H

#include "schema/schema.h"

typedef struct gp_visit {
    /* "workloads.chat.traffic.branches"; items by name, else [index]. Till the visitor returns. */
    const char *path;
    const gp_field *field;
    const gp_origin *origin;
    const void *value; /* what field->kind says: const char *const *, double *, ... */
    void *context;
} gp_visit;

typedef void gp_visitor(const gp_visit *visit);

/* Visits every field of `object` whose origin is not NONE, in table order, a group before its
 * fields; lists of structs item by item. `prefix` ("" or "spec") starts the paths. */
void gp_struct_visit(gp_arena *arena, const void *object, const char *prefix, gp_visitor *visitor,
                     void *context);

#endif
