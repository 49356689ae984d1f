/* From the image of a kind to its rows: a copy whose addresses are filled in. */
#include "catalog/compiled.h"

#include <string.h>

#include "catalog/document.h"

static size_t add_types(const gp_struct *type, const gp_struct **types, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (types[i] == type)
            return count;
    }
    if (count == GP_COMPILED_TYPES_MAX)
        return count;
    types[count++] = type;
    for (size_t i = 0; i < type->field_count; i++) {
        if (type->fields[i].nested != NULL)
            count = add_types(type->fields[i].nested, types, count);
    }
    return count;
}

size_t gp_catalog_row_types(const gp_struct *ret_types[GP_COMPILED_TYPES_MAX]) {
    return add_types(&gp_catalog_spec_type, ret_types, 0);
}

static const void *address_of(gp_compiled_part part, uintptr_t number, const char *copy,
                              const gp_struct *const *types) {
    switch (part) {
    case GP_COMPILED_ROWS: return copy + number * sizeof(uintptr_t);
    case GP_COMPILED_STRINGS: return gp_catalog_strings + number;
    case GP_COMPILED_TEXTS: return &gp_catalog_texts[number];
    case GP_COMPILED_TYPES: return types[number];
    case GP_COMPILED_PARTS: break;
    }
    return NULL;
}

static void fill_in(const gp_compiled_rows *image, gp_compiled_part part, char *copy,
                    const gp_struct *const *types) {
    for (size_t i = 0; i < image->counts[part]; i++) {
        char *word = copy + image->addresses[part][i] * sizeof(uintptr_t);
        uintptr_t number;
        memcpy(&number, word, sizeof number);
        const void *address = address_of(part, number, copy, types);
        memcpy(word, &address, sizeof address);
    }
}

void gp_catalog_compiled_rows(gp_arena *arena, gp_catalog_kind kind, void ***ret_rows,
                              size_t *ret_count) {
    const gp_compiled_rows *image = &gp_catalog_compiled[kind];
    const gp_struct *types[GP_COMPILED_TYPES_MAX];
    (void)gp_catalog_row_types(types);
    char *copy = gp_arena_alloc(arena, image->word_count + 1, sizeof(uintptr_t));
    void **rows = GP_NEW_ARRAY(arena, void *, image->row_count + 1);
    if (image->word_count > 0)
        memcpy(copy, image->words, image->word_count * sizeof(uintptr_t));
    for (int part = 0; part < GP_COMPILED_PARTS; part++)
        fill_in(image, (gp_compiled_part)part, copy, types);
    for (size_t i = 0; i < image->row_count; i++)
        rows[i] = copy + image->rows[i] * sizeof(uintptr_t);
    *ret_rows = rows;
    *ret_count = image->row_count;
}
