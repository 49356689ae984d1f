/* Laying one bound struct over another: catalogue row, extends chains, overrides, defaults. */
#ifndef GP_SCHEMA_OVERLAY_H
#define GP_SCHEMA_OVERLAY_H

#include "schema/schema.h"

/* Copies each field of `src` that is given over `dst`, with its origin. Nested structs are merged
 * field by field; lists and maps are replaced whole. Both are of dst's type and initialised; list
 * items are shared, not copied. */
void gp_overlay(void *dst, const void *src);
/* The same for the fields that `dst` lacks: `dst` wins. */
void gp_underlay(void *dst, const void *src);
/* Makes the fields that `object` has under its nested structs absent again. */
void gp_struct_clear(void *object);
/* Gives every origin of kind `from` in `object` (nested ones too) the row's kind, source, date and
 * evidence, keeping its span. */
void gp_origins_stamp(void *object, const gp_origin *stamp);

#endif
