/* Look-ups in descriptor tables and bound structs. Members are reached by offset and copied with
 * memcpy, so no member is ever read through a pointer of another type. */
#include "schema/field.h"

#include <string.h>

#include "base/buf.h"
#include "base/str.h"

enum { WORDS_MAX = 4000 };

int gp_field_at(const gp_struct *type, size_t offset) {
    for (size_t i = 0; i < type->field_count; i++) {
        const gp_field *field = &type->fields[i];
        if (field->offset == offset || (field->or_dim != GP_DIM_NONE && field->or_offset == offset))
            return (int)i;
    }
    return -1;
}

int gp_field_named(const gp_struct *type, const char *key, size_t len) {
    for (size_t i = 0; i < type->field_count; i++)
        if (gp_str_is(key, len, type->fields[i].key))
            return (int)i;
    return -1;
}

/* What others call a key, where its letters do not lead to it. */
static const struct {
    const char *said, *key;
} other_words[] = {
    {"layout", "parallelism"},
    {"parallel", "parallelism"},
    {"tensor", "tp"},
    {"tensorParallel", "tp"},
    {"pipeline", "pp"},
    {"pipelineParallel", "pp"},
    {"data", "dp"},
    {"dataParallel", "dp"},
    {"context", "cp"},
    {"expert", "ep"},
    {"experts", "ep"},
    {"mbs", "microBatch"},
    {"gbs", "globalBatch"},
    {"batchSize", "globalBatch"},
    {"seqLen", "sequenceLength"},
    {"nodes", "count"},
    {"machines", "count"},
    {"systems", "allow"},
    {"machine", "system"},
    {"qps", "requestsPerSecond"},
    {"rps", "requestsPerSecond"},
    {"rate", "requestsPerSecond"},
    {"prompt", "inputTokens"},
    {"completion", "outputTokens"},
    {"deadline", "completeWithin"},
    {"latency", "slo"},
    {"timeToFirstToken", "ttft"},
    {"timePerOutputToken", "tpot"},
    {"itl", "tpot"},
    {"network", "fabrics"},
    {"dtype", "precision"},
    {"quantization", "precision"},
};

const char *gp_struct_nearest(const gp_struct *type, const char *word, size_t len) {
    gp_guess guess = {.word = word, .len = len};
    for (size_t i = 0; i < GP_COUNT_OF(other_words); i++)
        if (gp_str_is(word, len, other_words[i].said) &&
            gp_field_named(type, other_words[i].key, strlen(other_words[i].key)) >= 0)
            return other_words[i].key;
    for (size_t i = 0; i < type->field_count; i++)
        gp_guess_consider(&guess, type->fields[i].key);
    return guess.best;
}

const gp_origin *gp_origin_at(const gp_meta *meta, size_t offset) {
    static const gp_origin none = {.kind = GP_ORIGIN_NONE};
    if (!meta->type || !meta->origins)
        return &none;
    int row = gp_field_at(meta->type, offset);
    return row < 0 ? &none : &meta->origins[row];
}

bool gp_written_at(const gp_meta *meta, size_t offset) {
    const gp_origin *origin = gp_origin_at(meta, offset);
    return origin->kind == GP_ORIGIN_SPEC || origin->kind == GP_ORIGIN_FLAG;
}

gp_origin *gp_origin_of_field(gp_meta *meta, const gp_field *field) {
    return &meta->origins[field - meta->type->fields];
}

void gp_origin_derive(gp_meta *meta, size_t offset) {
    int row = meta->type ? gp_field_at(meta->type, offset) : -1;
    if (row >= 0)
        meta->origins[row] = (gp_origin){.kind = GP_ORIGIN_DERIVED};
}

void gp_origin_state(gp_arena *arena, gp_meta *meta, size_t offset) {
    int row = meta->type ? gp_field_at(meta->type, offset) : -1;
    if (row < 0)
        return;
    const gp_origin *shared = meta->origins;
    meta->origins = GP_NEW_ARRAY(arena, gp_origin, meta->type->field_count);
    memcpy(meta->origins, shared, meta->type->field_count * sizeof *shared);
    meta->origins[row] = (gp_origin){.kind = GP_ORIGIN_FLAG};
}

size_t gp_field_size(const gp_field *field) {
    switch (field->kind) {
    case GP_FIELD_STRING: return sizeof(const char *);
    case GP_FIELD_ENUM: return sizeof(int);
    case GP_FIELD_BOOL: return sizeof(bool);
    case GP_FIELD_COUNT:
    case GP_FIELD_DATE: return sizeof(int64_t);
    case GP_FIELD_QUANTITY: return sizeof(double);
    case GP_FIELD_STRUCT: return field->nested->size;
    case GP_FIELD_LIST:
    case GP_FIELD_MAP: return sizeof(gp_any_list);
    }
    return 0;
}

const gp_field *gp_struct_id_field(const gp_struct *type) {
    for (size_t i = 0; i < type->field_count; i++)
        if (type->fields[i].flags & GP_FIELD_ID)
            return &type->fields[i];
    return NULL;
}

const char *gp_struct_id(const void *object, const gp_struct *type) {
    const gp_field *field = gp_struct_id_field(type);
    const char *id = NULL;
    if (field)
        memcpy(&id, (const char *)object + field->offset, sizeof id);
    return id;
}

const char *gp_words_join(gp_arena *arena, const char *const *words) {
    gp_buf buf;
    const char *text = NULL;
    gp_buf_init(&buf, arena, WORDS_MAX);
    for (const char *const *word = words; *word; word++) {
        if (**word == '\0')
            continue;
        gp_buf_str(&buf, buf.len > 0 ? ", " : "");
        gp_buf_str(&buf, *word);
    }
    return gp_buf_finish(&buf, &text, NULL) ? NULL : text;
}

static const char *expected_scalar(gp_arena *arena, const gp_field *field, gp_field_kind kind) {
    const char *also = field->flags & GP_FIELD_AUTO ? ", or auto" : "";
    switch (kind) {
    case GP_FIELD_BOOL: return "true or false";
    case GP_FIELD_DATE: return "a date (such as 2027-03-31, 2027-03, 2027-Q1 or 2027)";
    case GP_FIELD_COUNT: return gp_arena_printf(arena, "a whole number%s", also);
    case GP_FIELD_QUANTITY:
        return field->or_dim == GP_DIM_NONE
                   ? gp_arena_printf(arena, "%s%s", gp_dim_expected(field->dim), also)
                   : gp_arena_printf(arena, "%s or %s", gp_dim_expected(field->dim),
                                     gp_dim_expected(field->or_dim));
    case GP_FIELD_STRING:
    case GP_FIELD_ENUM:
    case GP_FIELD_STRUCT:
    case GP_FIELD_LIST:
    case GP_FIELD_MAP: break;
    }
    return "text";
}

const char *gp_struct_expected(gp_arena *arena, const gp_struct *type) {
    if (!type->scalar_key)
        return type->list_key ? gp_arena_printf(arena, "a map, or a list: its %s", type->list_key)
                              : "a map";
    if (gp_str_equal(type->scalar_key, "extends"))
        return "a catalogue id, or a map";
    return gp_arena_printf(arena, "a map, or just its %s", type->scalar_key);
}

const char *gp_field_expected(gp_arena *arena, const gp_field *field) {
    bool many = field->kind == GP_FIELD_LIST || field->kind == GP_FIELD_MAP;
    if (field->nested)
        return many ? "a list of maps" : gp_struct_expected(arena, field->nested);
    gp_field_kind kind = many ? field->item : field->kind;
    const char *scalar;
    if (field->choices) {
        const char *words = gp_words_join(arena, field->choices);
        scalar = words ? gp_arena_printf(arena, "one of %s", words) : NULL;
    } else {
        scalar = expected_scalar(arena, field, kind);
    }
    if (!scalar || !many)
        return scalar;
    return gp_arena_printf(arena, "a %s, each %s", field->kind == GP_FIELD_LIST ? "list" : "map",
                           scalar);
}

void gp_struct_init(gp_arena *arena, const gp_struct *type, void *object) {
    gp_meta meta = {.type = type};
    meta.origins = GP_NEW_ARRAY(arena, gp_origin, type->field_count);
    memcpy(object, &meta, sizeof meta);
    for (size_t i = 0; i < type->field_count; i++) {
        const gp_field *field = &type->fields[i];
        if (field->kind != GP_FIELD_STRUCT)
            continue;
        gp_struct_init(arena, field->nested, (char *)object + field->offset);
    }
}

gp_any_list gp_list_get(const void *object, const gp_field *field) {
    gp_any_list list;
    memcpy(&list, (const char *)object + field->offset, sizeof list);
    return list;
}

void gp_list_set(void *object, const gp_field *field, gp_any_list list) {
    memcpy((char *)object + field->offset, &list, sizeof list);
}

void *gp_list_item(gp_any_list list, const gp_field *field, size_t index) {
    return (char *)list.items + index * field->nested->size;
}
