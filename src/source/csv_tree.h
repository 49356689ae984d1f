/* CSV texts (RFC 4180) as a header and rows of cells with places. */
#ifndef GP_SOURCE_CSV_TREE_H
#define GP_SOURCE_CSV_TREE_H

#include "source/tree.h"

typedef struct gp_csv_cell {
    const char *text; /* NUL-terminated, without quotes */
    uint32_t len;
    uint32_t begin; /* place in the text, quotes included */
    uint32_t end;
} gp_csv_cell;

typedef struct gp_csv {
    const gp_text *text;
    size_t columns;
    size_t rows;               /* without the header */
    const gp_csv_cell *header; /* columns of them */
    const gp_csv_cell *cells;  /* rows * columns, row by row */
} gp_csv;

/*
 * Reads the table. Lines end with LF or CR LF; empty lines are left out. A row with too few or too
 * many cells, a column name given twice, a stray or missing quote is reported (GP_ERR_INPUT) and
 * rows in question are left out of *ret_csv, which is usable whatever is returned. Other status as
 * gp_yaml_read.
 */
gp_status gp_csv_read(gp_arena *arena, const gp_text *text, const gp_source_limits *limits,
                      gp_diags *diags, gp_csv *ret_csv);

/* Index of the column of that name, or -1. */
int gp_csv_column(const gp_csv *csv, const char *name);
/* row < rows, column < columns. */
const gp_csv_cell *gp_csv_at(const gp_csv *csv, size_t row, size_t column);
gp_span gp_csv_span(const gp_csv *csv, const gp_csv_cell *cell);

#endif
