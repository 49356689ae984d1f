/*
 * Macros for the rows of descriptor tables, and look-ups in bound structs that need no knowledge of
 * their type. A row's macro checks at compile time that the member has the type that its kind
 * binds, so a table that does not fit its struct does not compile.
 */
#ifndef GP_SCHEMA_FIELD_H
#define GP_SCHEMA_FIELD_H

#include "schema/schema.h"

/* offsetof(T, member), and a compile error where the member is not a C. */
#define GP_OFFSET(T, member, C)                                                                    \
    (offsetof(T, member) + (size_t) _Generic(((T *)NULL)->member, C : 0))
/* The same for a GP_LIST member whose items are C. */
#define GP_LIST_OFFSET(T, member, C)                                                               \
    (offsetof(T, member) + (size_t) _Generic(((T *)NULL)->member.items, C * : 0))

#define GP_STRING(T, name, member, ...)                                                            \
    {                                                                                              \
        .key = name, .kind = GP_FIELD_STRING, .offset = GP_OFFSET(T, member, const char *),        \
        __VA_ARGS__                                                                                \
    }
#define GP_ENUM(T, name, member, words, ...)                                                       \
    {                                                                                              \
        .key = name, .kind = GP_FIELD_ENUM, .offset = GP_OFFSET(T, member, int), .choices = words, \
        __VA_ARGS__                                                                                \
    }
#define GP_BOOL(T, name, member, ...)                                                              \
    { .key = name, .kind = GP_FIELD_BOOL, .offset = GP_OFFSET(T, member, bool), __VA_ARGS__ }
#define GP_COUNT(T, name, member, ...)                                                             \
    {                                                                                              \
        .key = name, .kind = GP_FIELD_COUNT, .offset = GP_OFFSET(T, member, int64_t),              \
        .dim = GP_DIM_COUNT, __VA_ARGS__                                                           \
    }
#define GP_QUANTITY(T, name, member, unit, ...)                                                    \
    {                                                                                              \
        .key = name, .kind = GP_FIELD_QUANTITY, .offset = GP_OFFSET(T, member, double),            \
        .dim = unit, __VA_ARGS__                                                                   \
    }
#define GP_DATE(T, name, member, ...)                                                              \
    { .key = name, .kind = GP_FIELD_DATE, .offset = GP_OFFSET(T, member, int64_t), __VA_ARGS__ }
#define GP_STRUCT(T, name, member, C, table, ...)                                                  \
    {                                                                                              \
        .key = name, .kind = GP_FIELD_STRUCT, .offset = GP_OFFSET(T, member, C),                   \
        .nested = &(table), __VA_ARGS__                                                            \
    }
#define GP_STRUCT_LIST(T, name, member, C, table, ...)                                             \
    {                                                                                              \
        .key = name, .kind = GP_FIELD_LIST, .offset = GP_LIST_OFFSET(T, member, C),                \
        .nested = &(table), __VA_ARGS__                                                            \
    }
#define GP_STRING_LIST(T, name, member, ...)                                                       \
    {                                                                                              \
        .key = name, .kind = GP_FIELD_LIST, .offset = GP_LIST_OFFSET(T, member, const char *),     \
        .item = GP_FIELD_STRING, __VA_ARGS__                                                       \
    }
#define GP_QUANTITY_LIST(T, name, member, unit, ...)                                               \
    {                                                                                              \
        .key = name, .kind = GP_FIELD_LIST, .offset = GP_LIST_OFFSET(T, member, double),           \
        .item = GP_FIELD_QUANTITY, .dim = unit, __VA_ARGS__                                        \
    }
#define GP_STRING_MAP(T, name, member, ...)                                                        \
    {                                                                                              \
        .key = name, .kind = GP_FIELD_MAP, .offset = GP_LIST_OFFSET(T, member, gp_entry),          \
        .item = GP_FIELD_STRING, __VA_ARGS__                                                       \
    }
#define GP_QUANTITY_MAP(T, name, member, unit, ...)                                                \
    {                                                                                              \
        .key = name, .kind = GP_FIELD_MAP, .offset = GP_LIST_OFFSET(T, member, gp_entry),          \
        .item = GP_FIELD_QUANTITY, .dim = unit, __VA_ARGS__                                        \
    }

/* Inclusive bounds in base units, for the tail of a row. */
#define GP_RANGE(low, high) .has_min = true, .min = (low), .has_max = true, .max = (high)
/* The same without `low` itself. */
#define GP_ABOVE(low, high) GP_RANGE(low, high), .exclusive_min = true

/* A descriptor of T. Every bound struct starts with its gp_meta. */
#define GP_TYPE(T, rows, ...)                                                                      \
    {                                                                                              \
        .size = sizeof(T) * sizeof(char[offsetof(T, meta) == 0 ? 1 : -1]), .fields = (rows),       \
        .field_count = sizeof(rows) / sizeof((rows)[0]), __VA_ARGS__                               \
    }

/* Bytes that a value of this field takes in its struct. */
size_t gp_field_size(const gp_field *field);
/* The key that is meant by one that `type` does not have: what others call it, or the nearest in
 * letters; NULL: none. */
const char *gp_struct_nearest(const gp_struct *type, const char *word, size_t len);
/* The row that carries GP_FIELD_ID, or NULL. */
const gp_field *gp_struct_id_field(const gp_struct *type);
/* The text of the id row of a bound struct, or NULL. */
const char *gp_struct_id(const void *object, const gp_struct *type);
/* What a value of this field looks like, for "expected:" lines: "bytes (such as 80 GiB)", "one of
 * air, liquid, hybrid", "true or false", ... NULL when memory is short. */
const char *gp_field_expected(gp_arena *arena, const gp_field *field);
/* The same for a struct: "a map", "an id of the catalogue, or a map", "a map, or its p95 alone". */
const char *gp_struct_expected(gp_arena *arena, const gp_struct *type);
/* Comma-separated words of a NULL-terminated list. */
const char *gp_words_join(gp_arena *arena, const char *const *words);

/* Gives `object` and the structs nested in it by value their types and (empty) origins. */
void gp_struct_init(gp_arena *arena, const gp_struct *type, void *object);
/* The origin of a row, to be written; the struct must have been initialised. */
gp_origin *gp_origin_of_field(gp_meta *meta, const gp_field *field);
/* Marks the field at `offset` as computed from other fields. */
void gp_origin_derive(gp_meta *meta, size_t offset);
/* As if --set had given it; the copy that an object was made from keeps its own. */
void gp_origin_state(gp_arena *arena, gp_meta *meta, size_t offset);

/* The untyped view of a list member, and back: by copy, since the types differ. */
gp_any_list gp_list_get(const void *object, const gp_field *field);
void gp_list_set(void *object, const gp_field *field, gp_any_list list);
/* Item `index` of a list of structs. */
void *gp_list_item(gp_any_list list, const gp_field *field, size_t index);

#endif
