/*
 * Writing JSON: indented by two spaces, or on a line; keys in the order they are written, numbers
 * by gp_num_*. Failures are latched in the buffer.
 */
#ifndef GP_REPORT_JSON_H
#define GP_REPORT_JSON_H

#include "base/buf.h"
#include <gpuplan/report.h>

/* Of what is written of plans: breaking.added.fixed. Another major version is not read. */
#define GP_REPORT_SCHEMA_VERSION "2.0.0"

enum { GP_JSON_REAL_DIGITS = 6 };

typedef struct gp_json {
    gp_buf *buf;
    int depth;
    bool first; /* nothing written yet inside the innermost bracket */
    bool line;  /* all on one line */
    int tight;  /* depth of what is on a line without spaces; 0: nothing */
} gp_json;

/* A writer into `of_buf`. */
#define GP_JSON(of_buf)                                                                            \
    { .buf = (of_buf), .first = true }
/* `bracket` is '{' or '['; `key` is NULL inside a list and for the root. */
void gp_json_open(gp_json *json, const char *key, char bracket);
/* "}", "]", or several one after the other: "]}}". At the root a newline follows. */
void gp_json_close(gp_json *json, const char *brackets);
void gp_json_string(gp_json *json, const char *key, const char *text); /* NULL: null */
void gp_json_bool(gp_json *json, const char *key, bool value);
void gp_json_i64(gp_json *json, const char *key, int64_t value);
/* `digits` significant digits, 0: as many as it takes; null for what is not finite. */
void gp_json_number(gp_json *json, const char *key, double value, int digits);
void gp_json_null(gp_json *json, const char *key);
/* A value as the contract of report.json prints it. */
void gp_json_value(gp_json *json, const char *key, const gp_report_value *value);
/* A whole object through its rows. An item of a dense list stands on a line, or where it has parts
 * of its own each of those. */
gp_status gp_json_object(gp_json *json, const char *key, const gp_report_struct *type,
                         const void *object);
/* With the digits that are written, so that what was read back is told alike; what is not finite as
 * it is. */
double gp_json_written(double value);
/* Quotes and escapes. Bytes that are no UTF-8 become U+FFFD. */
void gp_json_quote(gp_buf *buf, const char *text);

#endif
