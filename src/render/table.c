/* Tables and wrapped paragraphs: all arithmetic about columns of a terminal is here. */
#include "render/table.h"

#include <string.h>

#include "base/str.h"

enum { LABEL_INDENT = 2, LABEL_WIDTH = 10, SHRUNK_LEAST = 8 };

const char **gp_table_row(gp_form_out *out, gp_table *table) {
    size_t size = table->columns * sizeof *table->cells;
    const char **cells =
        gp_arena_grow(out->buf->arena, table->cells, table->rows, &table->cap, size);
    if (cells == NULL) {
        out->buf->st = GP_ERR_NO_MEMORY;
        return NULL;
    }
    table->cells = cells;
    cells += table->rows++ * table->columns;
    for (size_t i = 0; i < table->columns; i++)
        cells[i] = "";
    return cells;
}

static int width_of(const char *text) {
    return (int)gp_utf8_width(text, strlen(text));
}

/* Control characters in user texts must not move the cursor. */
static void add_clean(gp_buf *buf, const char *text, size_t len) {
    size_t i = 0;
    while (i < len) {
        size_t control = gp_utf8_control(text + i);
        gp_buf_char(buf, control > 0 ? ' ' : text[i]);
        i += control > 0 ? control : 1;
    }
}

void gp_cell(gp_form_out *out, const char *text, int columns, bool right, bool last) {
    int width = width_of(text);
    size_t len = strlen(text);
    bool cut = width > columns;
    if (cut) {
        len = gp_utf8_fit(text, len, (size_t)(columns > 2 ? columns - 2 : columns));
        width = (int)gp_utf8_width(text, len) + (columns > 2 ? 2 : 0);
    }
    if (right)
        gp_buf_repeat(out->buf, ' ', columns - width);
    add_clean(out->buf, text, len);
    if (cut && columns > 2)
        gp_buf_str(out->buf, "..");
    if (!right && !last)
        gp_buf_repeat(out->buf, ' ', columns - width);
}

static int total_width(const int *widths, size_t columns) {
    int total = (int)(columns - 1) * GP_TABLE_GAP;
    for (size_t i = 0; i < columns; i++)
        total += widths[i];
    return total;
}

static void natural_widths(const gp_table *table, int *widths) {
    for (size_t c = 0; c < table->columns; c++) {
        widths[c] = width_of(table->headers[c]);
        for (size_t r = 0; r < table->rows; r++) {
            int width = width_of(table->cells[r * table->columns + c]);
            widths[c] = width > widths[c] ? width : widths[c];
        }
    }
}

/* Takes columns away from the widest of those that may shrink, one at a time. */
static void fit_widths(const gp_table *table, int *widths, int room) {
    while (total_width(widths, table->columns) > room) {
        size_t widest = table->columns;
        for (size_t c = 0; c < table->columns; c++)
            if (table->shrink[c] && widths[c] > SHRUNK_LEAST &&
                (widest == table->columns || widths[c] > widths[widest]))
                widest = c;
        if (widest == table->columns)
            return;
        widths[widest]--;
    }
}

static void print_row(gp_form_out *out, const gp_table *table, const char *const *cells,
                      const int *widths, int indent) {
    gp_buf_repeat(out->buf, ' ', indent);
    for (size_t c = 0; c < table->columns; c++) {
        bool last = c + 1 == table->columns;
        gp_cell(out, cells[c], widths[c], table->right[c], last);
        if (!last)
            gp_buf_repeat(out->buf, ' ', GP_TABLE_GAP);
    }
    gp_buf_char(out->buf, '\n');
}

void gp_table_print(gp_form_out *out, const gp_table *table, int indent) {
    int widths[GP_TABLE_COLUMNS];
    natural_widths(table, widths);
    fit_widths(table, widths, out->width - indent);
    print_row(out, table, table->headers, widths, indent);
    for (size_t r = 0; r < table->rows; r++)
        print_row(out, table, table->cells + r * table->columns, widths, indent);
}

void gp_wrap(gp_form_out *out, const char *text, int at, int indent) {
    int column = at;
    bool start = true;
    while (*text != '\0') {
        size_t len = strcspn(text, " \n");
        int width = (int)gp_utf8_width(text, len);
        if (!start && column + 1 + width > out->width) {
            gp_buf_char(out->buf, '\n');
            gp_buf_repeat(out->buf, ' ', indent);
            column = indent;
            start = true;
        }
        if (!start) {
            gp_buf_char(out->buf, ' ');
            column++;
        }
        add_clean(out->buf, text, len);
        column += width;
        start = false;
        text += len;
        while (*text == ' ' || *text == '\n')
            text++;
    }
    gp_buf_char(out->buf, '\n');
}

void gp_labelled(gp_form_out *out, const char *label, const char *text) {
    int indent = LABEL_INDENT + LABEL_WIDTH;
    gp_buf_repeat(out->buf, ' ', LABEL_INDENT);
    gp_cell(out, label, LABEL_WIDTH, false, false);
    gp_wrap(out, text, indent, indent);
}
