/* How text, Markdown and pages lay out blocks. */
#include "render/block.h"

#include "render/html.h"
#include "render/markdown.h"

/* An empty line between blocks, but for points of one list and what a heading of text is over. */
static void begin(gp_form_out *out, gp_block_kind next) {
    const bool html = out->layout == GP_LAYOUT_HTML;
    const bool list = out->last == GP_BLOCK_ITEM && next == GP_BLOCK_ITEM;
    const bool under = out->last == GP_BLOCK_HEADING && out->layout == GP_LAYOUT_TEXT;
    if (html && out->last == GP_BLOCK_ITEM && !list)
        gp_buf_str(out->buf, "</ul>\n");
    if (html && next == GP_BLOCK_ITEM && !list)
        gp_buf_str(out->buf, "<ul>\n");
    if (!html && out->last != GP_BLOCK_NONE && !list && !under)
        gp_buf_char(out->buf, '\n');
    out->last = next;
}

void gp_block_title(gp_form_out *out, const char *text) {
    if (out->layout != GP_LAYOUT_HTML)
        return;
    gp_html_open(out, text, NULL);
    gp_html_element(out, "h1", NULL, text);
}

void gp_block_lead(gp_form_out *out, const char *text) {
    begin(out, GP_BLOCK_NOTE);
    if (out->layout == GP_LAYOUT_TEXT)
        gp_wrap(out, text, 0, 0);
    else if (out->layout == GP_LAYOUT_MARKDOWN)
        gp_buf_printf(out->buf, "**%s**\n", gp_md_escape(out, text));
    else
        gp_html_element(out, "p", "lead", text);
}

static void close_section(gp_form_out *out) {
    if (out->sections > 0)
        gp_html_section_end(out);
}

void gp_block_heading(gp_form_out *out, const char *text) {
    begin(out, GP_BLOCK_HEADING);
    if (out->layout == GP_LAYOUT_TEXT) {
        gp_wrap(out, text, 0, 0);
    } else if (out->layout == GP_LAYOUT_MARKDOWN) {
        gp_buf_printf(out->buf, "### %s\n", gp_md_escape(out, text));
    } else {
        close_section(out);
        gp_html_section(out, gp_form_text(out, "part-%d", ++out->sections), text);
    }
}

void gp_block_note(gp_form_out *out, const char *text) {
    begin(out, GP_BLOCK_NOTE);
    if (out->layout == GP_LAYOUT_TEXT)
        gp_wrap(out, text, 0, 0);
    else if (out->layout == GP_LAYOUT_MARKDOWN)
        gp_buf_printf(out->buf, "%s\n", gp_md_escape(out, text));
    else
        gp_html_element(out, "p", "soft", text);
}

void gp_block_item(gp_form_out *out, const char *text) {
    begin(out, GP_BLOCK_ITEM);
    if (out->layout == GP_LAYOUT_TEXT) {
        gp_buf_str(out->buf, "  ");
        gp_wrap(out, text, 2, 4);
    } else if (out->layout == GP_LAYOUT_MARKDOWN) {
        gp_buf_printf(out->buf, "- %s\n", gp_md_escape(out, text));
    } else {
        gp_html_element(out, "li", NULL, text);
    }
}

static void html_table(gp_form_out *out, const char *caption, const gp_table *table) {
    const char *headers[GP_TABLE_COLUMNS + 1] = {NULL};
    for (size_t i = 0; i < table->columns; i++)
        headers[i] = gp_form_text(out, "%s%s", table->right[i] ? ">" : "", table->headers[i]);
    gp_html_table page = gp_html_table_open(out, caption, headers);
    for (size_t i = 0; i < table->rows; i++)
        gp_html_row(&page, &table->cells[i * table->columns]);
    gp_html_table_end(&page);
}

static void md_table(gp_form_out *out, const gp_table *table) {
    gp_md_row(out, table->headers, table->columns);
    for (size_t i = 0; i < table->columns; i++)
        gp_buf_str(out->buf, table->right[i] ? "|---:" : "|---");
    gp_buf_str(out->buf, "|\n");
    for (size_t r = 0; r < table->rows; r++)
        gp_md_row(out, &table->cells[r * table->columns], table->columns);
}

void gp_block_table(gp_form_out *out, const char *caption, const gp_table *table) {
    if (table->rows == 0)
        return;
    begin(out, GP_BLOCK_TABLE);
    if (out->layout == GP_LAYOUT_TEXT)
        gp_table_print(out, table, out->indent);
    else if (out->layout == GP_LAYOUT_MARKDOWN)
        md_table(out, table);
    else
        html_table(out, gp_form_or(caption, ""), table);
}

void gp_block_end(gp_form_out *out) {
    if (out->layout != GP_LAYOUT_HTML)
        return;
    begin(out, GP_BLOCK_NONE);
    close_section(out);
    gp_html_close(out);
}
