/* Tables and texts of Markdown: user texts never become markup. */
#ifndef GP_RENDER_MARKDOWN_H
#define GP_RENDER_MARKDOWN_H

#include "render/form.h"

/* What Markdown or HTML could read is escaped; control characters become blanks. */
const char *gp_md_escape(gp_form_out *out, const char *text);
/* A row of a table, and its first row behind an empty line. */
void gp_md_row(gp_form_out *out, const char *const *cells, size_t count);
void gp_md_header(gp_form_out *out, const char *const *cells, size_t count);

#define GP_MD_ROW(out, ...)                                                                        \
    do {                                                                                           \
        const char *const row_cells[] = {__VA_ARGS__};                                             \
        gp_md_row((out), row_cells, GP_COUNT_OF(row_cells));                                       \
    } while (0)
#define GP_MD_HEADER(out, ...)                                                                     \
    do {                                                                                           \
        const char *const header_cells[] = {__VA_ARGS__};                                          \
        gp_md_header((out), header_cells, GP_COUNT_OF(header_cells));                              \
    } while (0)

#endif
