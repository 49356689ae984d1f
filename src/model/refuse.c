/* How the resolver says what is wrong: a place in the spec, and what would be right there. */
#include "model/resolve.h"

#include <stdarg.h>

#include "base/buf.h"
#include "schema/diag_ids.h"

enum { MESSAGE_MAX = 1000 };

gp_span gp_place_of(const gp_meta *meta, size_t offset) {
    const gp_origin *origin = gp_origin_at(meta, offset);
    return origin->span.text ? origin->span : meta->span;
}

void gp_refuse_values(gp_resolver *r, gp_span span, const char *expected, const char *format, ...) {
    gp_buf buf;
    const char *message = NULL;
    va_list args;
    gp_buf_init(&buf, r->arena, MESSAGE_MAX);
    va_start(args, format);
    gp_buf_vprintf(&buf, format, args);
    va_end(args);
    if (gp_buf_finish(&buf, &message, NULL))
        message = "inconsistent values";
    gp_diag diag = {.id = GP_ID_INCONSISTENT,
                    .level = GP_LEVEL_ERROR,
                    .span = span,
                    .message = message,
                    .expected = expected};
    gp_diags_add(r->diags, &diag);
}

void gp_refuse_absence(gp_resolver *r, gp_span span, const char *what, const char *keys) {
    if (span.begin < span.end)
        span.end = span.begin + 1;
    gp_diags_error(r->diags, GP_ID_MISSING_KEY, span, keys, NULL, "%s", what);
}
