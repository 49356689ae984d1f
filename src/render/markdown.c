/* Tables and texts of Markdown. */
#include "render/markdown.h"

#include <string.h>

/* User texts must not become markup: what Markdown or HTML could read is escaped. */
const char *gp_md_escape(gp_form_out *out, const char *text) {
    gp_buf escaped = GP_BUF(out->buf->arena, strlen(text) * 4 + 1);
    size_t control = 0;
    for (const char *c = text; *c != '\0'; c += control > 0 ? control : 1) {
        control = gp_utf8_control(c);
        if (*c == '<')
            gp_buf_str(&escaped, "&lt;");
        else if (control > 0)
            gp_buf_char(&escaped, ' ');
        else if (strchr("\\`*_[]|~#@", *c) != NULL)
            gp_buf_printf(&escaped, "\\%.*s", 1, c);
        else
            gp_buf_char(&escaped, *c);
    }
    return gp_form_taken(out, &escaped);
}

void gp_md_row(gp_form_out *out, const char *const *cells, size_t count) {
    for (size_t i = 0; i < count; i++) {
        gp_buf_str(out->buf, "| ");
        gp_buf_str(out->buf, gp_md_escape(out, cells[i]));
        gp_buf_char(out->buf, ' ');
    }
    gp_buf_str(out->buf, "|\n");
}

void gp_md_table(gp_form_out *out, const gp_table *table) {
    gp_md_row(out, table->headers, table->columns);
    for (size_t i = 0; i < table->columns; i++)
        gp_buf_str(out->buf, table->right[i] ? "|---:" : "|---");
    gp_buf_str(out->buf, "|\n");
    for (size_t r = 0; r < table->rows; r++)
        gp_md_row(out, &table->cells[r * table->columns], table->columns);
}
