/* Tables and wrapped paragraphs for terminals. */
#ifndef GP_RENDER_TABLE_H
#define GP_RENDER_TABLE_H

#include "render/form.h"

enum { GP_TABLE_COLUMNS = 16, GP_TABLE_GAP = 2 };

typedef struct gp_table {
    size_t columns;
    const char *headers[GP_TABLE_COLUMNS];
    bool right[GP_TABLE_COLUMNS];  /* figures stand to the right */
    bool shrink[GP_TABLE_COLUMNS]; /* columns that give way when the terminal is narrow */
    bool level[GP_TABLE_COLUMNS];  /* of words that a colour goes with */
    size_t rows, cap;
    const char **cells; /* rows x columns */
} gp_table;

/* A column of figures has a '>' before its head and stands to the right; one with '~' gives way
 * where the terminal is narrow; words under '!' have the colour of their level on a page. */
void gp_table_column(gp_table *table, const char *head);
gp_table gp_table_of(const char *const *heads, size_t count);
#define GP_TABLE(...)                                                                              \
    gp_table_of((const char *const[]){__VA_ARGS__},                                                \
                sizeof(const char *const[]){__VA_ARGS__} / sizeof(const char *))
/* The cells of the next row, all empty: the caller fills them. */
const char **gp_table_row(gp_form_out *out, gp_table *table);
/* Adds a row of as many cells as there are columns. */
void gp_table_add(gp_form_out *out, gp_table *table, const char *const *cells);
#define GP_TABLE_ROW(out, table, ...)                                                              \
    do {                                                                                           \
        const char *const row_cells[] = {__VA_ARGS__};                                             \
        gp_table_add((out), (table), row_cells);                                                   \
    } while (0)
/* Takes away columns in which every row has "" or "-". */
void gp_table_drop_empty(gp_table *table);
/* What each column takes where there is room enough. */
void gp_table_widths(const gp_table *table, int *widths);
void gp_table_print(gp_form_out *out, const gp_table *table, int indent);

/* Text broken between words: the first line starts at column `at` (already written), the others
 * are indented by `indent`. Ends in a newline. */
void gp_wrap(gp_form_out *out, const char *text, int at, int indent);
int gp_text_width(const char *text);
/* Cut to `columns`, with ".." where something is lost, and padded. */
void gp_cell(gp_form_out *out, const char *text, int columns, bool right, bool last);

#endif
