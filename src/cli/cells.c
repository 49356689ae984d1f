/*
 * Walks a bound struct by its descriptor table. It knows no type by name: what a catalogue row
 * gains is printed without a change here.
 */
#include "cli/cells.h"

#include <string.h>

static const gp_any_list *list_at(const void *object, const gp_field *field) {
    return (const gp_any_list *)(const void *)((const char *)object + field->offset);
}

static const gp_meta *meta_of(const void *object) {
    return object; /* every bound struct starts with it */
}

/* The scalar as its author wrote it, without quotes; NULL where nobody wrote it. */
static const char *as_written(gp_arena *arena, gp_span span) {
    if (span.text == NULL || span.end <= span.begin)
        return NULL;
    const char *begin = span.text->data + span.begin;
    size_t len = span.end - span.begin;
    bool quoted = len >= 2 && (begin[0] == '"' || begin[0] == '\'') && begin[len - 1] == begin[0];
    return quoted ? gp_arena_strndup(arena, begin + 1, len - 2)
                  : gp_arena_strndup(arena, begin, len);
}

static const char *format_number(gp_arena *arena, const gp_field *field, double value) {
    return gp_quantity_format_digits(arena, value, field->dim, 4);
}

static void fill_scalar(gp_arena *arena, const gp_field *field, const void *at, gp_cell *cell) {
    const char *written = as_written(arena, cell->origin->span);
    switch (field->kind) {
    case GP_FIELD_STRING: cell->text = *(const char *const *)at; break;
    case GP_FIELD_ENUM: cell->text = field->choices[*(const int *)at]; break;
    case GP_FIELD_BOOL:
        cell->truth = *(const bool *)at;
        cell->text = cell->truth ? "true" : "false";
        break;
    case GP_FIELD_COUNT:
    case GP_FIELD_DATE: {
        int64_t count = *(const int64_t *)at;
        cell->number = (double)count;
        cell->text = written != NULL ? written : gp_arena_printf(arena, "%lld", (long long)count);
        break;
    }
    case GP_FIELD_QUANTITY:
        cell->number = *(const double *)at;
        cell->text = written != NULL ? written : format_number(arena, field, cell->number);
        break;
    case GP_FIELD_STRUCT:
    case GP_FIELD_LIST:
    case GP_FIELD_MAP: break;
    }
}

static const char *joined_items(gp_arena *arena, const gp_field *field, const gp_any_list *list) {
    gp_buf page = GP_PAGE(arena);
    for (size_t i = 0; i < list->count; i++) {
        const char *text = "";
        if (field->kind == GP_FIELD_MAP) {
            const gp_entry *entry = &((const gp_entry *)list->items)[i];
            text = gp_arena_printf(arena, "%s: %s", entry->key, entry->text);
        } else if (field->item == GP_FIELD_STRING) {
            text = ((const char *const *)list->items)[i];
        } else {
            text = format_number(arena, field, ((const double *)list->items)[i]);
        }
        gp_buf_str(&page, i == 0 ? "" : ", ");
        gp_buf_str(&page, text == NULL ? "" : text);
    }
    return page.data;
}

static void add_struct(gp_arena *arena, const gp_struct *type, const void *object,
                       const char *prefix, gp_cells *cells);

static void add_struct_list(gp_arena *arena, const gp_field *field, const gp_any_list *list,
                            const char *key, gp_cells *cells) {
    for (size_t i = 0; i < list->count; i++) {
        const char *prefix = gp_arena_printf(arena, "%s[%zu].", key, i);
        const char *item = (const char *)list->items + i * field->nested->size;
        add_struct(arena, field->nested, item, prefix, cells);
    }
}

/* A nested row that is named by its id alone is one cell, the id. */
static const char *row_id(const gp_field *field, const void *at) {
    int index = gp_field_named(field->nested, "extends", strlen("extends"));
    if (index < 0)
        return NULL;
    return *(const char *const *)(const void *)((const char *)at +
                                                field->nested->fields[index].offset);
}

static void add_field(gp_arena *arena, const gp_field *field, const void *object,
                      const gp_origin *origin, const char *prefix, gp_cells *cells) {
    const void *at = (const char *)object + field->offset;
    gp_cell cell = {.kind = field->kind, .dim = field->dim, .origin = origin};
    cell.key = gp_arena_printf(arena, "%s%s", prefix, field->key);
    const bool is_struct = field->kind == GP_FIELD_STRUCT;
    const bool is_list = field->kind == GP_FIELD_LIST || field->kind == GP_FIELD_MAP;
    if (is_struct) {
        cell.text = row_id(field, at);
        cell.kind = GP_FIELD_STRING;
        if (cell.text == NULL)
            add_struct(arena, field->nested, at, gp_arena_printf(arena, "%s.", cell.key), cells);
    } else if (is_list && field->nested != NULL) {
        add_struct_list(arena, field, list_at(object, field), cell.key, cells);
    } else if (is_list && list_at(object, field)->count > 0) {
        cell.text = joined_items(arena, field, list_at(object, field));
    } else if (!is_list && origin->kind != GP_ORIGIN_NONE) {
        fill_scalar(arena, field, at, &cell);
    }
    if (cell.text != NULL)
        GP_PUSH(arena, cells->items, cells->count, cells->capacity) = cell;
}

static void add_struct(gp_arena *arena, const gp_struct *type, const void *object,
                       const char *prefix, gp_cells *cells) {
    /* What was never bound has no type: nothing of it was written. */
    for (size_t i = 0; meta_of(object)->type != NULL && i < type->field_count; i++) {
        const gp_field *field = &type->fields[i];
        add_field(arena, field, object, gp_origin_at(meta_of(object), field->offset), prefix,
                  cells);
    }
}

void gp_cells_of(gp_arena *arena, const gp_struct *type, const void *object, gp_cells *ret_cells) {
    *ret_cells = (gp_cells){0};
    add_struct(arena, type, object, "", ret_cells);
}

bool gp_is_row_word(const char *key) {
    static const char *const words[] = {"id",       "extends",    "aliases", "source", "date",
                                        "evidence", "unverified", "notes",   NULL};
    return gp_str_index(words, key) >= 0;
}
