/* Tables of runs bound to structs: one row per column drives reading, ranges and messages. */
#ifndef GP_FIT_COLUMNS_H
#define GP_FIT_COLUMNS_H

#include "catalog/catalog.h"
#include "source/csv_tree.h"

typedef enum gp_column_kind {
    GP_COLUMN_TEXT, /* const char *; NULL where the cell is blank */
    GP_COLUMN_REAL, /* double at least 0; 0 where blank */
    GP_COLUMN_WHOLE /* the same, a whole number */
} gp_column_kind;

typedef struct gp_column {
    const char *name;
    gp_column_kind kind;
    size_t offset;
    bool required; /* in the header */
} gp_column;
/* A row of a table of columns: the kind, the name, the struct and its member. */
#define GP_COLUMN(of_kind, text, type, member, ...)                                                \
    { .name = (text), .kind = GP_COLUMN_##of_kind, .offset = offsetof(type, member), __VA_ARGS__ }

/* Reads every row into a struct of `size` bytes. Wrong cells are reported with their place
 * (GP_ERR_INPUT); columns that the table does not know are left alone. */
gp_status gp_columns_read(gp_arena *arena, const gp_csv *csv, const gp_column *columns,
                          size_t column_count, size_t size, gp_diags *diags, void **ret_rows);
/* Reports the required columns that the header lacks. */
void gp_columns_check(const gp_csv *csv, const gp_column *columns, size_t column_count,
                      gp_diags *diags);

#endif
