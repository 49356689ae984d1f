/* Cells of comma-separated values. */
#include "render/csv.h"

#include <math.h>
#include <string.h>

#include "base/str.h"

enum { DIGITS = 6 };

static bool is_formula(const char *text) {
    return *text != '\0' && strchr("=+-@\t\r", *text) != NULL;
}

static void quoted(gp_buf *buf, const char *text) {
    size_t control = 0;
    gp_buf_char(buf, '"');
    if (is_formula(text))
        gp_buf_char(buf, '\'');
    for (const char *c = text; *c != '\0'; c += control > 0 ? control : 1) {
        control = gp_utf8_control(c);
        if (*c == '"')
            gp_buf_char(buf, '"');
        gp_buf_char(buf, control > 0 ? ' ' : *c);
    }
    gp_buf_char(buf, '"');
}

static bool is_plain(const char *text) {
    for (const char *c = text; *c != '\0'; c++)
        if (strchr(",\"", *c) != NULL || gp_utf8_control(c) > 0)
            return false;
    return !is_formula(text);
}

void gp_csv_text(gp_buf *buf, const char *text) {
    if (text == NULL)
        return;
    if (is_plain(text))
        gp_buf_str(buf, text);
    else
        quoted(buf, text);
}

void gp_csv_number(gp_buf *buf, double value) {
    if (isfinite(value))
        gp_buf_number(buf, value, DIGITS);
}
