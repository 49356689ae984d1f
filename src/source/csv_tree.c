/*
 * A CSV reader. The text is copied once; cells are cut out of the copy in place, quotes removed
 * and a NUL put behind each, which always fits where its comma or line end stood.
 */
#include "source/csv_tree.h"

#include <string.h>

#include "base/index.h"
#include "base/str.h"

typedef struct csv_reader {
    gp_arena *arena;
    const gp_text *text;
    const gp_source_limits *limits;
    gp_diags *diags;
    char *copy; /* NUL-terminated; offsets are those of the text */
    size_t at;
    gp_csv_cell *cells; /* header first */
    size_t cell_count;
    size_t cell_cap;
    size_t columns;
    size_t rows; /* header included */
} csv_reader;

static gp_span span_between(const csv_reader *reader, size_t begin, size_t end) {
    return (gp_span){.text = reader->text, .begin = (uint32_t)begin, .end = (uint32_t)end};
}

/* Looks at the text, not at the copy, in which NULs replace what was read. */
static char peek(const csv_reader *reader) {
    return reader->text->data[reader->at];
}

static bool at_end(const csv_reader *reader) {
    return reader->at >= reader->text->len;
}

static bool is_line_end(char c) {
    return c == '\n' || c == '\r';
}

static void skip_line_end(csv_reader *reader) {
    if (peek(reader) == '\r')
        reader->at++;
    if (peek(reader) == '\n')
        reader->at++;
}

static gp_status report_quote(csv_reader *reader, size_t at, const char *expected, size_t opened) {
    size_t end = at < reader->text->len ? at + 1 : at;
    gp_diag diag = {.id = GP_SOURCE_SYNTAX,
                    .level = GP_LEVEL_ERROR,
                    .span = span_between(reader, at, end),
                    .message = "CSV syntax: misplaced or missing quote",
                    .expected = expected};
    if (opened != at) {
        diag.related = span_between(reader, opened, opened + 1);
        diag.related_text = "the quoted cell opened here";
    }
    gp_diags_add(reader->diags, &diag);
    return GP_ERR_INPUT;
}

/* A cell in quotes; "" within stands for one quote. */
static gp_status read_quoted(csv_reader *reader, gp_csv_cell *cell) {
    size_t opened = reader->at++;
    char *out = reader->copy + reader->at;
    cell->text = out;
    for (;; reader->at++) {
        if (at_end(reader))
            return report_quote(reader, reader->at, "the quote that closes the cell", opened);
        if (peek(reader) == '"') {
            reader->at++;
            if (peek(reader) != '"')
                break;
        }
        *out++ = peek(reader);
    }
    cell->len = (uint32_t)(out - cell->text);
    if (!at_end(reader) && peek(reader) != ',' && !is_line_end(peek(reader)))
        return report_quote(reader, reader->at, "a comma or the end of the line", opened);
    *out = '\0';
    return GP_OK;
}

static gp_status read_plain(csv_reader *reader, gp_csv_cell *cell) {
    const char *begin = reader->text->data + reader->at;
    size_t len = strcspn(begin, ",\r\n\"");
    cell->text = reader->copy + reader->at;
    cell->len = (uint32_t)len;
    reader->at += len;
    if (peek(reader) == '"')
        return report_quote(reader, reader->at, "quotes around the whole cell, and \"\" within",
                            reader->at);
    reader->copy[reader->at] = '\0';
    return GP_OK;
}

static gp_status read_cell(csv_reader *reader) {
    gp_csv_cell *cells = gp_arena_grow(reader->arena, reader->cells, reader->cell_count,
                                       &reader->cell_cap, sizeof *cells);
    reader->cells = cells;
    gp_csv_cell *cell = &cells[reader->cell_count];
    *cell = (gp_csv_cell){.begin = (uint32_t)reader->at};
    gp_status st = peek(reader) == '"' ? read_quoted(reader, cell) : read_plain(reader, cell);
    cell->end = (uint32_t)reader->at;
    reader->cell_count += st ? 0 : 1;
    if (!st && cell->len > reader->limits->max_scalar_bytes) {
        gp_diags_error(reader->diags, GP_SOURCE_LIMIT, span_between(reader, cell->begin, cell->end),
                       NULL, NULL, "the cell is too long: at most %zu bytes are read",
                       reader->limits->max_scalar_bytes);
        return GP_ERR_LIMIT;
    }
    return st;
}

/* The cells of one line; *ret_count also counts those beyond what is kept. */
static gp_status read_cells(csv_reader *reader, size_t *ret_count) {
    size_t first = reader->cell_count;
    bool more = true;
    while (more) {
        gp_status st = read_cell(reader);
        if (st)
            return st;
        if (reader->cell_count - first > reader->limits->max_columns) {
            gp_diags_error(reader->diags, GP_SOURCE_LIMIT,
                           span_between(reader, reader->at, reader->at), NULL, NULL,
                           "too many columns: at most %zu are read", reader->limits->max_columns);
            return GP_ERR_LIMIT;
        }
        more = !at_end(reader) && peek(reader) == ',';
        reader->at += more ? 1 : 0;
    }
    *ret_count = reader->cell_count - first;
    return GP_OK;
}

static void skip_to_line_end(csv_reader *reader) {
    reader->at += strcspn(reader->text->data + reader->at, "\r\n");
}

static void report_width(csv_reader *reader, size_t begin, size_t count) {
    gp_diags_error(reader->diags, GP_SOURCE_SYNTAX, span_between(reader, begin, reader->at),
                   "as many cells as the header has", NULL,
                   "the row has %zu cells, the header has %zu", count, reader->columns);
}

/* One line; a faulty row is reported and taken out again. */
static gp_status read_row(csv_reader *reader) {
    size_t begin = reader->at;
    size_t first = reader->cell_count;
    size_t count = 0;
    gp_status st = read_cells(reader, &count);
    if (st && (st != GP_ERR_INPUT || !reader->columns))
        return st;
    if (st) {
        skip_to_line_end(reader);
    } else if (reader->columns && count != reader->columns) {
        report_width(reader, begin, count);
    } else {
        reader->columns = count;
        reader->rows++;
        first = reader->cell_count;
    }
    reader->cell_count = first;
    if (!at_end(reader))
        skip_line_end(reader);
    return GP_OK;
}

static void check_header(csv_reader *reader) {
    gp_index names;
    gp_index_init(&names, reader->arena);
    for (size_t i = 0; i < reader->columns; i++) {
        const gp_csv_cell *cell = &reader->cells[i];
        bool added = false;
        size_t other = 0;
        gp_index_add(&names, cell->text, cell->len, i, &added, &other);
        if (!added) {
            const gp_csv_cell *before = &reader->cells[other];
            gp_diag diag = {.id = GP_SOURCE_DUPLICATE,
                            .level = GP_LEVEL_ERROR,
                            .span = span_between(reader, cell->begin, cell->end),
                            .message = "two columns have the same name",
                            .related = span_between(reader, before->begin, before->end),
                            .related_text = "first defined here"};
            gp_diags_add(reader->diags, &diag);
        }
    }
}

static gp_status read_rows(csv_reader *reader) {
    reader->at = reader->text->line_starts[0]; /* behind a byte order mark */
    while (!at_end(reader)) {
        if (is_line_end(peek(reader))) {
            skip_line_end(reader);
            continue;
        }
        if (reader->rows > reader->limits->max_rows) {
            gp_diags_error(reader->diags, GP_SOURCE_LIMIT,
                           span_between(reader, reader->at, reader->at), NULL, NULL,
                           "too many rows: at most %zu are read", reader->limits->max_rows);
            return GP_ERR_LIMIT;
        }
        bool is_header = !reader->columns;
        gp_status st = read_row(reader);
        if (!st && is_header)
            check_header(reader);
        if (st)
            return st;
    }
    if (!reader->rows)
        gp_diags_error(reader->diags, GP_SOURCE_EMPTY, (gp_span){.text = reader->text},
                       "a header line with column names", NULL, "the text is empty");
    return GP_OK;
}

static gp_csv table_of(const csv_reader *reader) {
    gp_csv csv = {.text = reader->text};
    if (reader->rows) {
        csv.columns = reader->columns;
        csv.rows = reader->rows - 1;
        csv.header = reader->cells;
        csv.cells = reader->cells + reader->columns;
    }
    return csv;
}

gp_status gp_csv_read(gp_arena *arena, const gp_text *text, const gp_source_limits *limits,
                      gp_diags *diags, gp_csv *ret_csv) {
    *ret_csv = (gp_csv){.text = text};
    size_t errors = diags->errors;
    gp_status st = gp_source_check_text(text, limits, diags);
    if (st)
        return st;
    csv_reader reader = {.arena = arena, .text = text, .limits = limits, .diags = diags};
    reader.copy = gp_arena_strndup(arena, text->data, text->len);
    st = read_rows(&reader);
    *ret_csv = table_of(&reader);
    return st || diags->errors == errors ? st : GP_ERR_INPUT;
}

int gp_csv_column(const gp_csv *csv, const char *name) {
    for (size_t i = 0; i < csv->columns; i++)
        if (gp_str_is(csv->header[i].text, csv->header[i].len, name))
            return (int)i;
    return -1;
}

const gp_csv_cell *gp_csv_at(const gp_csv *csv, size_t row, size_t column) {
    return &csv->cells[row * csv->columns + column];
}

gp_span gp_csv_span(const gp_csv *csv, const gp_csv_cell *cell) {
    return (gp_span){.text = csv->text, .begin = cell->begin, .end = cell->end};
}
