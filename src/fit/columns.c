/*
 * Cells to members by a column table. A blank cell is "not stated"; everything else must parse
 * whole, so that a slip in a user's file is named with its place instead of read as a zero.
 */
#include "fit/columns.h"

#include <math.h>

#include "base/num.h"
#include "schema/diag_ids.h"

void gp_columns_check(const gp_csv *csv, const gp_column *columns, size_t column_count,
                      gp_diags *diags) {
    gp_span header = {.text = csv->text};
    if (csv->columns > 0) {
        header = gp_csv_span(csv, &csv->header[0]);
        header.end = csv->header[csv->columns - 1].end;
    }
    for (size_t i = 0; i < column_count; i++)
        if (columns[i].required && gp_csv_column(csv, columns[i].name) < 0)
            gp_diags_error(diags, GP_ID_MISSING_KEY, header, NULL, NULL,
                           "the table has no column \"%s\"", columns[i].name);
}

static void refuse_cell(const gp_csv *csv, const gp_csv_cell *cell, const gp_column *column,
                        const char *id, const char *expected, gp_diags *diags) {
    gp_diags_error(diags, id, gp_csv_span(csv, cell), expected, NULL,
                   "column \"%s\": \"%.*s\" will not do", column->name,
                   (int)(cell->len > 40 ? 40 : cell->len), cell->text);
}

static void read_number(const gp_csv *csv, const gp_csv_cell *cell, const gp_column *column,
                        gp_diags *diags, double *ret_value) {
    double value = 0;
    if (!gp_num_parse(cell->text, cell->len, &value))
        refuse_cell(csv, cell, column, GP_ID_WRONG_TYPE, "a number, or nothing", diags);
    else if (value < 0 || value > (double)GP_NUM_COUNT_MAX)
        refuse_cell(csv, cell, column, GP_ID_OUT_OF_RANGE, "a number from 0 on", diags);
    else if (column->kind == GP_COLUMN_WHOLE && !gp_num_is_count(value))
        refuse_cell(csv, cell, column, GP_ID_WRONG_TYPE, "a whole number, or nothing", diags);
    else
        *ret_value = column->kind == GP_COLUMN_WHOLE ? floor(value + 0.5) : value;
}

static void read_cell(const gp_csv *csv, const gp_csv_cell *cell, const gp_column *column,
                      void *row, gp_diags *diags) {
    if (cell->len == 0)
        return;
    void *at = (char *)row + column->offset;
    if (column->kind == GP_COLUMN_TEXT)
        *(const char **)at = cell->text;
    else
        read_number(csv, cell, column, diags, at);
}

gp_status gp_columns_read(gp_arena *arena, const gp_csv *csv, const gp_column *columns,
                          size_t column_count, size_t size, gp_diags *diags, void **ret_rows) {
    size_t errors = diags->errors;
    char *rows = gp_arena_alloc(arena, csv->rows > 0 ? csv->rows : 1, size);
    for (size_t i = 0; i < column_count; i++) {
        int column = gp_csv_column(csv, columns[i].name);
        for (size_t r = 0; column >= 0 && r < csv->rows; r++)
            read_cell(csv, gp_csv_at(csv, r, (size_t)column), &columns[i], rows + r * size, diags);
    }
    *ret_rows = rows;
    return diags->errors > errors ? GP_ERR_INPUT : GP_OK;
}
