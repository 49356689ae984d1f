/* How text, Markdown and pages lay out blocks. */
#include "render/block.h"

#include <stdarg.h>
#include <string.h>

/* ---- Markdown */

/* User texts must not become markup: what Markdown or HTML could read is escaped. */
const char *gp_md_escape(gp_form_out *out, const char *text) {
    gp_buf escaped = GP_BUF(out->buf->arena, strlen(text) * 4 + 1);
    while (*text != '\0') {
        const size_t len = strcspn(text, "<");
        gp_form_clean(&escaped, text, len, "\\`*_[]|~#@");
        gp_buf_str(&escaped, text[len] == '<' ? "&lt;" : "");
        text += len + (text[len] == '<' ? 1 : 0);
    }
    return gp_form_taken(out, &escaped);
}

static void md_row(gp_form_out *out, const char *const *cells, size_t count) {
    for (size_t i = 0; i < count; i++) {
        gp_buf_str(out->buf, "| ");
        gp_buf_str(out->buf, gp_md_escape(out, cells[i]));
        gp_buf_char(out->buf, ' ');
    }
    gp_buf_str(out->buf, "|\n");
}

void gp_md_table(gp_form_out *out, const gp_table *table) {
    md_row(out, table->headers, table->columns);
    for (size_t i = 0; i < table->columns; i++)
        gp_buf_str(out->buf, table->right[i] ? "|---:" : "|---");
    gp_buf_str(out->buf, "|\n");
    for (size_t r = 0; r < table->rows; r++)
        md_row(out, &table->cells[r * table->columns], table->columns);
}

/* ---- blocks */

/* What is opened around points of a list and around facts, and closed behind them. */
static const struct {
    const char *html, *html_end, *md;
} lists[] = {
    [GP_BLOCK_ITEM] = {"<ul>\n", "</ul>\n", ""},
    [GP_BLOCK_FACT] = {"<dl class=\"facts\">\n", "</dl>\n", "| Figure |  |\n|---|---|\n"},
};

static bool is_list(gp_block_kind kind) {
    return kind == GP_BLOCK_ITEM || kind == GP_BLOCK_FACT;
}

/* An empty line between blocks, but for those of one list and what a heading of text is over. */
static void begin(gp_form_out *out, gp_block_kind next) {
    const gp_block_kind last = out->last;
    const bool html = out->layout == GP_LAYOUT_HTML;
    const bool under = last == GP_BLOCK_HEADING && out->layout == GP_LAYOUT_TEXT;
    out->last = next;
    if (is_list(next) && next == last)
        return;
    if (html && is_list(last))
        gp_buf_str(out->buf, lists[last].html_end);
    if (!html && last != GP_BLOCK_NONE && !under)
        gp_buf_char(out->buf, '\n');
    if (is_list(next) && out->layout != GP_LAYOUT_TEXT)
        gp_buf_str(out->buf, html ? lists[next].html : lists[next].md);
}

static void close_section(gp_form_out *out) {
    if (out->sections > 0)
        gp_buf_str(out->buf, "</section>\n");
}

void gp_block_title(gp_form_out *out, const char *text) {
    if (out->layout == GP_LAYOUT_TEXT)
        return;
    begin(out, GP_BLOCK_NOTE);
    if (out->layout == GP_LAYOUT_MARKDOWN) {
        gp_buf_printf(out->buf, "## %s\n", gp_md_escape(out, text));
        return;
    }
    if (out->buf->len == 0)
        gp_html_open(out, text);
    close_section(out);
    out->sections = 0;
    gp_html_element(out, "h1", NULL, text);
}

/* What stands by itself; `mark` is around it in Markdown. */
static void paragraph(gp_form_out *out, const char *mark, const char *class_name,
                      const char *text) {
    begin(out, GP_BLOCK_NOTE);
    if (out->layout == GP_LAYOUT_TEXT)
        gp_wrap(out, text, 0, 0);
    else if (out->layout == GP_LAYOUT_MARKDOWN)
        gp_buf_printf(out->buf, "%s%s%s\n", mark, gp_md_escape(out, text), mark);
    else
        gp_html_element(out, "p", class_name, text);
}

void gp_block_lead(gp_form_out *out, const char *text) {
    paragraph(out, "**", "lead", text);
}

/* Names of sections are cut to the line of a terminal. */
static void text_heading(gp_form_out *out, const char *text) {
    gp_buf_str(out->buf, out->asked.colour ? "\033[1m" : "");
    gp_cell(out, text, out->width, false, true);
    gp_buf_str(out->buf, out->asked.colour ? "\033[0m\n" : "\n");
}

void gp_block_section(gp_form_out *out, const char *id, const char *text) {
    begin(out, GP_BLOCK_HEADING);
    if (out->layout == GP_LAYOUT_TEXT) {
        text_heading(out, text);
    } else if (out->layout == GP_LAYOUT_MARKDOWN) {
        gp_buf_printf(out->buf, "### %s\n", gp_md_escape(out, text));
    } else {
        close_section(out);
        out->sections++;
        gp_buf_printf(out->buf, "<section id=\"%s%s\">\n", gp_form_or(out->prefix, ""), id);
        gp_html_element(out, "h2", NULL, text);
    }
}

void gp_block_heading(gp_form_out *out, const char *text) {
    gp_block_section(out, gp_form_text(out, "part-%d", out->sections + 1), text);
}

void gp_block_note(gp_form_out *out, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = gp_arena_vprintf(out->buf->arena, format, args);
    va_end(args);
    paragraph(out, "", "soft", text);
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

static void html_cell(gp_form_out *out, const gp_table *table, size_t column, const char *tag,
                      const char *text) {
    gp_buf_printf(out->buf, "<%s%s>", tag, table->right[column] ? " class=\"r\"" : "");
    if (table->level[column] && *tag == 't' && tag[1] == 'd')
        gp_html_level(out, text);
    else
        gp_html_text(out, text);
    gp_buf_printf(out->buf, "</%.*s>", 2, tag);
}

static void html_table(gp_form_out *out, const char *caption, const gp_table *table) {
    gp_html_scroll_open(out, caption);
    gp_buf_str(out->buf, "<table>\n");
    gp_html_element(out, "caption", NULL, caption);
    gp_buf_str(out->buf, "<thead><tr>");
    for (size_t i = 0; i < table->columns; i++)
        html_cell(out, table, i, "th scope=\"col\"", table->headers[i]);
    gp_buf_str(out->buf, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < table->rows * table->columns; i++) {
        const size_t column = i % table->columns;
        gp_buf_str(out->buf, column == 0 ? "<tr>" : "");
        html_cell(out, table, column, column == 0 ? "th scope=\"row\"" : "td", table->cells[i]);
        gp_buf_str(out->buf, column + 1 == table->columns ? "</tr>\n" : "");
    }
    gp_buf_str(out->buf, "</tbody></table></div>\n");
}

void gp_block_table(gp_form_out *out, const char *caption, const gp_table *table) {
    if (table->rows == 0)
        return;
    begin(out, GP_BLOCK_TABLE);
    if (out->layout == GP_LAYOUT_TEXT)
        gp_table_print(out, table, out->indent);
    else if (out->layout == GP_LAYOUT_MARKDOWN)
        gp_md_table(out, table);
    else
        html_table(out, gp_form_or(caption, ""), table);
}

void gp_block_fold(gp_form_out *out, const char *summary) {
    begin(out, GP_BLOCK_HEADING);
    if (out->layout == GP_LAYOUT_MARKDOWN) {
        gp_buf_printf(out->buf, "<details><summary>%s</summary>\n", gp_md_escape(out, summary));
    } else if (out->layout == GP_LAYOUT_TEXT) {
        text_heading(out, summary);
    } else {
        gp_buf_str(out->buf, "<details>\n");
        gp_html_element(out, "summary", NULL, summary);
    }
}

void gp_block_fold_end(gp_form_out *out) {
    if (out->layout == GP_LAYOUT_TEXT)
        return;
    begin(out, GP_BLOCK_NOTE);
    gp_buf_str(out->buf, "</details>\n");
}

void gp_block_open(gp_form_out *out, const char *element) {
    if (out->layout != GP_LAYOUT_HTML)
        return;
    begin(out, GP_BLOCK_NOTE);
    gp_buf_printf(out->buf, "<%s>\n", element);
}

void gp_block_close(gp_form_out *out, const char *element) {
    if (out->layout == GP_LAYOUT_HTML)
        gp_buf_printf(out->buf, "</%.*s>\n", (int)strcspn(element, " "), element);
}

/* "" and "-" leave it out. */
static void html_fact(gp_form_out *out, const char *label, const char *text) {
    if (*text == '\0' || gp_str_equal(text, "-"))
        return;
    if (label[0] != '\0')
        gp_html_element(out, "dt", NULL, label);
    gp_html_element(out, "dd", NULL, text);
}

void gp_block_fact(gp_form_out *out, const char *label, const char *text) {
    enum { INDENT = 2, LABEL = 10 };
    if (text == NULL)
        return;
    begin(out, GP_BLOCK_FACT);
    if (out->layout == GP_LAYOUT_MARKDOWN) {
        md_row(out, (const char *const[]){label, text}, 2);
    } else if (out->layout == GP_LAYOUT_HTML) {
        html_fact(out, label, text);
    } else {
        gp_buf_repeat(out->buf, ' ', INDENT);
        gp_cell(out, label, LABEL, false, false);
        gp_wrap(out, text, INDENT + LABEL, INDENT + LABEL);
    }
}

void gp_block_say(gp_form_out *out, const char *label, const char *format, ...) {
    va_list args;
    va_start(args, format);
    gp_block_fact(out, label, gp_arena_vprintf(out->buf->arena, format, args));
    va_end(args);
}

bool gp_block_figure(gp_form_out *out, const char *title) {
    if (out->layout != GP_LAYOUT_HTML)
        return false;
    gp_block_open(out, "figure");
    gp_html_element(out, "figcaption", NULL, title);
    return true;
}

void gp_block_end(gp_form_out *out) {
    if (out->layout != GP_LAYOUT_HTML)
        return;
    begin(out, GP_BLOCK_NONE);
    close_section(out);
    gp_buf_str(out->buf, "</main>\n</body>\n</html>\n");
}
