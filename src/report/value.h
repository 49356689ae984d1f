/* How the values of report structs lie in memory, as their rows say, and reading single ones. */
#ifndef GP_REPORT_VALUE_H
#define GP_REPORT_VALUE_H

#include <gpuplan/report.h>

#include "schema/schema.h"

enum { GP_REPORT_KEY_MAX = 64 }; /* longest key with Low or High behind it, and a NUL */

/* Of a list without a nested struct: numbers, not texts. */
bool gp_report_holds_counts(const gp_report_field *field);
/* Bytes from one list item to the next. */
size_t gp_report_item_size(const gp_report_field *field);
/* Makes every member absent: reals, counts, strings, lists, nested structs alike. */
void gp_report_clear(const gp_report_struct *type, void *object);
/* Number of keys that a row gives: 3 for a band, else 1. */
int gp_report_parts(const gp_report_field *field);
/* The key of part `part`: the row's own, or with Low, High behind it, in `room`. */
const char *gp_report_part_key(const gp_report_field *field, int part,
                               char room[GP_REPORT_KEY_MAX]);
/* The value of part `part` of a scalar or band row. */
void gp_report_read(const gp_report_field *field, const void *object, int part,
                    gp_report_value *ret_value);
/* Yes and no are 1 and 0. */
double gp_value_number(const gp_report_value *value);
/* The list of a LIST row. */
gp_any_list gp_report_list_of(const gp_report_field *field, const void *object);
const void *gp_report_item(gp_any_list list, const gp_report_field *field, size_t index);
/* What may have been meant by a path that leads nowhere below any of the types. */
typedef struct gp_report_hint {
    const char *nearest;  /* a whole path; NULL: none is near */
    const char *expected; /* "a key of cost: ..."; NULL: not even its first key is known */
} gp_report_hint;
gp_report_hint gp_report_hint_of(gp_arena *arena, const char *path,
                                 const gp_report_struct *const *types, size_t count);
/* The text of a string row. */
const char *gp_report_text_at(const gp_report_field *field, const void *object);

#endif
