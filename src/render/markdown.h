/* Tables and texts of Markdown: user texts never become markup. */
#ifndef GP_RENDER_MARKDOWN_H
#define GP_RENDER_MARKDOWN_H

#include "render/table.h"

/* What Markdown or HTML could read is escaped; control characters become blanks. */
const char *gp_md_escape(gp_form_out *out, const char *text);
void gp_md_row(gp_form_out *out, const char *const *cells, size_t count);
void gp_md_table(gp_form_out *out, const gp_table *table);

#endif
