/*
 * The catalogue's files as the compiler (src/catalog/compiler) wrote them: the texts, and the rows
 * of each kind as they were bound from them. A row is the memory of its struct in words of a
 * pointer's size; what was an address is a number that says what of, and becomes one again in a
 * copy (gp_catalog_compiled_rows). Everything is constant and lives as long as the program.
 */
#ifndef GP_CATALOG_COMPILED_H
#define GP_CATALOG_COMPILED_H

#include "catalog/catalog.h"

/* What the addresses of an image are of. */
typedef enum gp_compiled_part {
    GP_COMPILED_ROWS,    /* the image itself: the word at that position */
    GP_COMPILED_STRINGS, /* gp_catalog_strings: from that byte on */
    GP_COMPILED_TEXTS,   /* gp_catalog_texts */
    GP_COMPILED_TYPES,   /* the struct types of rows, in the order of gp_catalog_row_types */
    GP_COMPILED_PARTS
} gp_compiled_part;

typedef struct gp_compiled_rows {
    size_t word_count;
    const uintptr_t *words;
    size_t row_count;
    const uint32_t *rows; /* words that rows begin at */
    size_t counts[GP_COMPILED_PARTS];
    const uint32_t *addresses[GP_COMPILED_PARTS]; /* words that hold such an address */
} gp_compiled_rows;

extern const gp_compiled_rows gp_catalog_compiled[GP_CATALOG_KIND_COUNT];
extern const char gp_catalog_strings[];
/* Sorted by name in byte order; a name is "<catalog>/gpus/nvidia.yaml". */
extern const gp_text gp_catalog_texts[];
extern const size_t gp_catalog_text_count;
/* Over the texts with their NULs, in hex. */
extern const char gp_catalog_texts_sha256[];

enum { GP_COMPILED_TYPES_MAX = 128 };
/* All struct types that rows are made of; their number. */
size_t gp_catalog_row_types(const gp_struct *ret_types[GP_COMPILED_TYPES_MAX]);
/* The rows of a kind in memory of the arena's own. */
void gp_catalog_compiled_rows(gp_arena *arena, gp_catalog_kind kind, void ***ret_rows,
                              size_t *ret_count);

#endif
