/*
 * A bound struct as a flat list of cells, for printing what the descriptor tables know of a row.
 */
#ifndef GP_CLI_CELLS_H
#define GP_CLI_CELLS_H

#include "cli/cli.h"
#include "schema/schema.h"

typedef struct gp_cell {
    const char *key;  /* "flops.bf16", "nics[0].rate" */
    const char *text; /* as written where it was written, else formatted */
    gp_field_kind kind;
    gp_dim dim;
    double number; /* of QUANTITY in the base unit, and of COUNT */
    bool truth;    /* of BOOL */
    const gp_origin *origin;
} gp_cell;

typedef struct gp_cells {
    size_t count, capacity;
    gp_cell *items;
} gp_cells;

/* The members of `object` that have a value, in the order of the table; lists of structs and
 * nested structs are opened, lists of words are joined. */
void gp_cells_of(gp_arena *arena, const gp_struct *type, const void *object, gp_cells *ret_cells);
/* Words that every row of a catalogue has and no table of figures repeats. */
bool gp_is_row_word(const char *key);

#endif
