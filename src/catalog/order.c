/* The order of rows and the index of their names: ids and aliases, without regard to case. */
#include <stddef.h>
#include <string.h>

#include "base/sort.h"
#include "catalog/tables.h"

static char *folded(gp_arena *arena, const char *text) {
    char *copy = gp_arena_strndup(arena, text, strlen(text));
    for (char *c = copy; *c; c++)
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
    return copy;
}

gp_row_head gp_row_head_of(const void *row) {
    gp_row_head head;
    memcpy(&head, row, sizeof head);
    return head;
}

static const char *id_of(const void *row) {
    const char *id;
    memcpy(&id, (const char *)row + offsetof(gp_row_head, id), sizeof id);
    return id;
}

/* Rows are loaded in order, so that most are asked for behind the last. */
size_t gp_catalog_place(const gp_catalog_table *table, const char *id, bool *ret_found) {
    size_t low = 0;
    size_t high = table->count;
    *ret_found = false;
    if (high > 0 && strcmp(id_of(table->rows[high - 1]), id) < 0)
        return high;
    while (low < high && !*ret_found) {
        const size_t middle = low + (high - low) / 2;
        const int order = strcmp(id_of(table->rows[middle]), id);
        *ret_found = order == 0;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return high;
}

static int compare_names(const void *a, const void *b, const void *context) {
    (void)context;
    const gp_catalog_name *left = a;
    const gp_catalog_name *right = b;
    int order = strcmp(left->folded, right->folded);
    return order ? order : (left->row > right->row) - (left->row < right->row);
}

void gp_catalog_name_rows(gp_catalog *catalog, gp_catalog_table *table) {
    if (table->names)
        return;
    size_t total = table->count;
    for (size_t i = 0; i < table->count; i++)
        total += gp_row_head_of(table->rows[i]).aliases.count;
    table->names = GP_NEW_ARRAY(catalog->arena, gp_catalog_name, total ? total : 1);
    for (size_t i = 0; i < table->count; i++) {
        gp_row_head head = gp_row_head_of(table->rows[i]);
        for (size_t k = 0; k <= head.aliases.count; k++) {
            const char *name = k == 0 ? head.id : head.aliases.items[k - 1];
            gp_catalog_name entry = {.folded = folded(catalog->arena, name), .row = i};
            table->names[table->name_count++] = entry;
        }
    }
    gp_sort(catalog->arena, table->names, table->name_count, sizeof *table->names, compare_names,
            NULL);
}
