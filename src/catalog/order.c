/* The order of rows and the index of their names: ids and aliases, without regard to case. */
#include <string.h>

#include "base/sort.h"
#include "catalog/tables.h"

static char *folded(gp_arena *arena, const char *text) {
    char *copy = gp_arena_strndup(arena, text, strlen(text));
    for (char *c = copy; c && *c; c++)
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
    return copy;
}

static int compare_rows(const void *a, const void *b, const void *context) {
    (void)context;
    void *left;
    void *right;
    memcpy(&left, a, sizeof left);
    memcpy(&right, b, sizeof right);
    return strcmp(gp_row_head_of(left).id, gp_row_head_of(right).id);
}

static int compare_names(const void *a, const void *b, const void *context) {
    (void)context;
    const gp_catalog_name *left = a;
    const gp_catalog_name *right = b;
    int order = strcmp(left->folded, right->folded);
    return order ? order : (left->row > right->row) - (left->row < right->row);
}

static void name_rows(gp_catalog *catalog, gp_catalog_table *table) {
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

void gp_catalog_order(gp_catalog *catalog, gp_catalog_table *table) {
    if (table->count > 0)
        gp_sort(catalog->arena, table->rows, table->count, sizeof *table->rows, compare_rows,
                     NULL);
    gp_index_init(&table->ids, catalog->arena);
    for (size_t i = 0; i < table->count; i++) {
        const char *id = gp_row_head_of(table->rows[i]).id;
        gp_index_set(&table->ids, id, strlen(id), i);
    }
    name_rows(catalog, table);
}
