/* What a row says of how its values lie in memory. */
#ifndef GP_REPORT_DESCRIBE_H
#define GP_REPORT_DESCRIBE_H

#include <gpuplan/report.h>

#include "schema/schema.h"

/* Of a list without a nested struct: numbers, not texts. */
bool gp_report_holds_counts(const gp_report_field *field);
/* Bytes from one list item to the next. */
size_t gp_report_item_size(const gp_report_field *field);
/* Makes every member absent: reals, counts, strings, lists, nested structs alike. */
void gp_report_clear(const gp_report_struct *type, void *object);

#endif
