/* Tables and wrapped paragraphs: all arithmetic about columns of a terminal is here. */
#include "render/table.h"

#include <string.h>

enum { SHRUNK_LEAST = 8, FAIR = 20, ROW_LINES = 6 };

/* A word longer than its column goes on behind one of these. */
static const char joints[] = " ./:=,-";

void gp_table_column(gp_table *table, const char *head) {
    const size_t at = table->columns;
    if (at == GP_TABLE_COLUMNS)
        return;
    table->right[at] = *head == '>';
    table->shrink[at] = *head == '~';
    table->level[at] = *head == '!';
    table->headers[at] = head + (*head != '\0' && strchr(">~!", *head) != NULL ? 1 : 0);
    table->columns++;
}

gp_table gp_table_of(const char *const *heads, size_t count) {
    gp_table table = {0};
    for (size_t i = 0; i < count; i++)
        gp_table_column(&table, heads[i]);
    return table;
}

const char **gp_table_row(gp_form_out *out, gp_table *table) {
    size_t size = table->columns * sizeof *table->cells;
    const char **cells =
        gp_arena_grow(out->buf->arena, table->cells, table->rows, &table->cap, size);
    table->cells = cells;
    cells += table->rows++ * table->columns;
    for (size_t i = 0; i < table->columns; i++)
        cells[i] = "";
    return cells;
}

void gp_table_add(gp_form_out *out, gp_table *table, const char *const *cells) {
    const char **row = gp_table_row(out, table);
    for (size_t c = 0; c < table->columns; c++)
        row[c] = gp_form_or(cells[c], "");
}

static bool is_empty(const gp_table *table, size_t column) {
    for (size_t r = 0; r < table->rows; r++) {
        const char *text = table->cells[r * table->columns + column];
        if (*text != '\0' && !gp_str_equal(text, "-"))
            return false;
    }
    return true;
}

void gp_table_drop_empty(gp_table *table) {
    size_t kept[GP_TABLE_COLUMNS];
    size_t count = 0;
    for (size_t c = 0; c < table->columns; c++)
        if (!is_empty(table, c))
            kept[count++] = c;
    for (size_t r = 0; r < table->rows; r++)
        for (size_t c = 0; c < count; c++)
            table->cells[r * count + c] = table->cells[r * table->columns + kept[c]];
    for (size_t c = 0; c < count; c++) {
        table->headers[c] = table->headers[kept[c]];
        table->right[c] = table->right[kept[c]];
        table->shrink[c] = table->shrink[kept[c]];
        table->level[c] = table->level[kept[c]];
    }
    table->columns = count;
}

int gp_text_width(const char *text) {
    return (int)gp_utf8_width(text, strlen(text));
}

/* `len` bytes of `text`, padded to `columns`. */
static void padded(gp_form_out *out, const char *text, size_t len, int columns, bool right,
                   bool last) {
    const int room = columns - (int)gp_utf8_width(text, len);
    if (right)
        gp_buf_repeat(out->buf, ' ', room);
    gp_form_clean(out->buf, text, len, "");
    if (!right && !last)
        gp_buf_repeat(out->buf, ' ', room);
}

void gp_cell(gp_form_out *out, const char *text, int columns, bool right, bool last) {
    const size_t len = strlen(text);
    if (gp_text_width(text) <= columns || columns <= 2) {
        padded(out, text, gp_utf8_fit(text, len, (size_t)columns), columns, right, last);
        return;
    }
    padded(out, text, gp_utf8_fit(text, len, (size_t)(columns - 2)), 0, true, true);
    padded(out, "..", 2, 2, right, last);
}

static int total_width(const int *widths, size_t columns) {
    int total = (int)(columns - 1) * GP_TABLE_GAP;
    for (size_t i = 0; i < columns; i++)
        total += widths[i];
    return total;
}

void gp_table_widths(const gp_table *table, int *widths) {
    for (size_t c = 0; c < table->columns; c++) {
        widths[c] = gp_text_width(table->headers[c]);
        for (size_t r = 0; r < table->rows; r++) {
            int width = gp_text_width(table->cells[r * table->columns + c]);
            widths[c] = width > widths[c] ? width : widths[c];
        }
    }
}

/* Of the parts between any of `ends`, each with its own. */
static int longest_part(const char *text, const char *ends) {
    int longest = 0;
    while (*text != '\0') {
        const size_t part = strcspn(text, ends);
        const size_t len = part + (text[part] != '\0' && text[part] != ' ' ? 1 : 0);
        const int width = (int)gp_utf8_width(text, len);
        longest = width > longest ? width : longest;
        text += part + (text[part] != '\0' ? 1 : 0);
    }
    return longest;
}

/* What columns may shrink to: those that are meant to give way break words, the others of texts
 * do not but at `ends`, and figures stay as they are. */
static void least_widths(const gp_table *table, const char *ends, const int *natural, int *least) {
    for (size_t c = 0; c < table->columns; c++) {
        least[c] = table->right[c] ? natural[c] : longest_part(table->headers[c], ends);
        for (size_t r = 0; r < table->rows && !table->right[c]; r++) {
            const int word = longest_part(table->cells[r * table->columns + c], ends);
            least[c] = word > least[c] ? word : least[c];
        }
        least[c] = least[c] > SHRUNK_LEAST ? least[c] : SHRUNK_LEAST;
    }
}

/* The widest column that gives way: of those that are meant to, or of all that can. */
static size_t widest_of(const gp_table *table, const int *widths, const int *least, bool any) {
    size_t widest = table->columns;
    for (size_t c = 0; c < table->columns; c++) {
        const bool gives =
            any ? widths[c] > least[c] : table->shrink[c] && widths[c] > SHRUNK_LEAST;
        if (gives && (widest == table->columns || widths[c] > widths[widest]))
            widest = c;
    }
    return widest;
}

/* A column of text that long words elsewhere have squeezed gets some of their room back. */
static void even_out(const gp_table *table, const int *natural, int *widths) {
    int least[GP_TABLE_COLUMNS];
    least_widths(table, joints, natural, least);
    for (size_t c = 0; c < table->columns; c++) {
        const int fair = natural[c] < FAIR ? natural[c] : FAIR;
        while (!table->right[c] && widths[c] < fair) {
            const size_t widest = widest_of(table, widths, least, true);
            if (widest == table->columns || widths[widest] <= FAIR)
                return;
            widths[widest]--;
            widths[c]++;
        }
    }
}

/* Takes columns of text away, one at a time, until the table has room or no more can go. */
static void fit_widths(const gp_table *table, int *widths, int room) {
    int least[GP_TABLE_COLUMNS];
    int natural[GP_TABLE_COLUMNS];
    memcpy(natural, widths, table->columns * sizeof *natural);
    least_widths(table, " ", widths, least);
    while (total_width(widths, table->columns) > room) {
        size_t widest = widest_of(table, widths, least, false);
        if (widest == table->columns)
            widest = widest_of(table, widths, least, true);
        if (widest == table->columns)
            break;
        widths[widest]--;
    }
    even_out(table, natural, widths);
}

/* Bytes of `text` on the next line of a cell: whole words, or a part of one that is too long. */
static size_t line_of(const char *text, int columns) {
    const size_t fits = gp_utf8_fit(text, strlen(text), (size_t)columns);
    size_t len = fits;
    if (text[len] == '\0' || text[len] == ' ')
        return len;
    while (len > 0 && text[len - 1] != ' ')
        len--;
    for (size_t end = fits; len == 0 && end > 0; end--)
        len = strchr(joints, text[end - 1]) != NULL ? end : 0;
    return len > 0 ? len : fits;
}

/* One line of a row; what did not fit is left in `rest`. True while something is. */
static bool print_line(gp_form_out *out, const gp_table *table, const char **rest,
                       const int *widths, bool cut) {
    bool more = false;
    size_t columns = table->columns;
    while (columns > 0 && *rest[columns - 1] == '\0')
        columns--;
    for (size_t c = 0; c < columns; c++) {
        const bool last = c + 1 == columns;
        const size_t len = line_of(rest[c], widths[c]);
        size_t shown = len;
        while (shown > 0 && rest[c][shown - 1] == ' ')
            shown--;
        if (cut)
            gp_cell(out, rest[c], widths[c], table->right[c], last);
        else
            padded(out, rest[c], shown, widths[c], table->right[c], last);
        rest[c] += len;
        rest[c] += strspn(rest[c], " ");
        more = more || *rest[c] != '\0';
        if (!last)
            gp_buf_repeat(out->buf, ' ', GP_TABLE_GAP);
    }
    gp_buf_char(out->buf, '\n');
    return more;
}

/* A row takes as many lines as its longest cell; the last that there is room for is cut. */
static void print_row(gp_form_out *out, const gp_table *table, const char *const *cells,
                      const int *widths, int indent) {
    const char *rest[GP_TABLE_COLUMNS];
    for (size_t c = 0; c < table->columns; c++)
        rest[c] = cells[c];
    for (int line = 1; line <= ROW_LINES; line++) {
        gp_buf_repeat(out->buf, ' ', indent);
        if (!print_line(out, table, rest, widths, line == ROW_LINES))
            return;
    }
}

void gp_table_print(gp_form_out *out, const gp_table *table, int indent) {
    int widths[GP_TABLE_COLUMNS];
    gp_table_widths(table, widths);
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
        gp_form_clean(out->buf, text, len, "");
        column += width;
        start = false;
        text += len;
        while (*text == ' ' || *text == '\n')
            text++;
    }
    gp_buf_char(out->buf, '\n');
}
