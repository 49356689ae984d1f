/* A look-up from words to numbers: duplicate keys, anchors, catalogue ids. */
#ifndef GP_BASE_INDEX_H
#define GP_BASE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gpuplan/arena.h>
#include <gpuplan/status.h>

typedef struct gp_index_slot {
    const char *key; /* NULL: free */
    size_t len;
    uint32_t hash;
    size_t value;
} gp_index_slot;

typedef struct gp_index {
    gp_arena *arena;
    gp_index_slot *slots;
    size_t slot_count; /* a power of two, or 0 */
    size_t count;
} gp_index;

void gp_index_init(gp_index *index, gp_arena *arena);
/* Adds a word, which must stay alive (it is not copied). Where it is there already its value
 * stays and *ret_existing is set to it, with *ret_added false. */
void gp_index_add(gp_index *index, const char *key, size_t len, size_t value, bool *ret_added,
                  size_t *ret_existing);
/* The number of a word, from 0 in the order in which they come; *ret_added where it is new. */
size_t gp_index_place(gp_index *index, const char *word, bool *ret_added);
/* Adds a word or replaces its value. */
void gp_index_set(gp_index *index, const char *key, size_t len, size_t value);
bool gp_index_find(const gp_index *index, const char *key, size_t len, size_t *ret_value);

#endif
