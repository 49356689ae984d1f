/* JSON Schema (draft-07) from the descriptors. Quantities are strings for a schema: the unit is
 * part of the text, so their pattern only asks for a number in front; ranges are in the
 * description. */
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "schema/emit.h"
#include "schema/field.h"

enum { RANGE_DIGITS = 6 };

#define NUMBER_PATTERN "^[-+]?[0-9]*\\\\.?[0-9]+([eE][-+]?[0-9]+)?"

static void put_text(gp_buf *buf, const char *text) {
    gp_buf_char(buf, '"');
    for (const char *c = text; c && *c; c++) {
        if (*c == '"' || *c == '\\')
            gp_buf_char(buf, '\\');
        gp_buf_char(buf, *c);
    }
    gp_buf_char(buf, '"');
}

static void put_description(gp_buf *buf, const gp_field *field) {
    gp_buf line;
    const char *text = NULL;
    gp_buf_init(&line, buf->arena, GP_EMIT_MAX);
    gp_buf_str(&line, field->help);
    bool unit = field->dim != GP_DIM_NONE && field->dim != GP_DIM_COUNT;
    if (unit)
        gp_buf_printf(&line, " Value: %s.", gp_dim_expected(field->dim));
    if (field->has_min && field->has_max && unit)
        gp_buf_printf(&line, " Range: %s%s to %s.", field->exclusive_min ? "above " : "",
                      gp_quantity_format_digits(buf->arena, field->min, field->dim, RANGE_DIGITS),
                      gp_quantity_format_digits(buf->arena, field->max, field->dim, RANGE_DIGITS));
    if (field->default_text)
        gp_buf_printf(&line, " Default: %s.", field->default_text);
    if (!gp_buf_finish(&line, &text, NULL)) {
        gp_buf_str(buf, "\"description\": ");
        put_text(buf, text);
    }
}

static void put_words(gp_buf *buf, const gp_field *field) {
    bool first = true;
    gp_buf_str(buf, "\"enum\": [");
    for (const char *const *word = field->choices; *word; word++) {
        if (**word) {
            gp_buf_str(buf, first ? "" : ", ");
            put_text(buf, *word);
            first = false;
        }
    }
    for (const char *const *pair = field->aliases; pair && pair[0]; pair += 2) {
        gp_buf_str(buf, ", ");
        put_text(buf, pair[0]);
    }
    /* The words true and false are booleans to a YAML reader that knows types. */
    bool boolean = field->kind == GP_FIELD_STRING && field->choices && !first &&
                   strstr(gp_words_join(buf->arena, field->choices), "true, false");
    gp_buf_str(buf, boolean ? ", true, false]" : "]");
}

static void put_bounds(gp_buf *buf, const gp_field *field) {
    if (field->has_min) {
        gp_buf_printf(buf, ", \"%s\": ", field->exclusive_min ? "exclusiveMinimum" : "minimum");
        gp_buf_number(buf, field->min, 0);
    }
    if (field->has_max) {
        gp_buf_str(buf, ", \"maximum\": ");
        gp_buf_number(buf, field->max, 0);
    }
}

/* Dimensions whose bare number is fine. */
static bool bare(gp_dim dim) {
    return dim == GP_DIM_NONE || dim == GP_DIM_COUNT || dim == GP_DIM_FRACTION ||
           dim == GP_DIM_PER_S;
}

static void put_number(gp_buf *buf, const gp_field *field, bool whole) {
    const char *also = field->flags & GP_FIELD_AUTO ? ", {\"const\": \"auto\"}" : "";
    if (!bare(field->dim)) {
        gp_buf_printf(buf, "\"anyOf\": [{\"type\": \"string\", \"pattern\": \"%s *[^ ]\"}%s]",
                      NUMBER_PATTERN, also);
        return;
    }
    gp_buf_printf(buf, "\"anyOf\": [{\"type\": \"%s\"", whole ? "integer" : "number");
    put_bounds(buf, field);
    gp_buf_printf(buf, "}, {\"type\": \"string\", \"pattern\": \"%s\"}%s]", NUMBER_PATTERN, also);
}

static void put_scalar(gp_buf *buf, const gp_field *field, gp_field_kind kind) {
    if (field->choices) {
        put_words(buf, field);
        return;
    }
    switch (kind) {
    case GP_FIELD_BOOL: gp_buf_str(buf, "\"type\": \"boolean\""); break;
    case GP_FIELD_COUNT: put_number(buf, field, true); break;
    case GP_FIELD_QUANTITY: put_number(buf, field, false); break;
    case GP_FIELD_DATE:
        gp_buf_str(buf, "\"anyOf\": [{\"type\": \"integer\"}, {\"type\": \"string\", \"pattern\": "
                        "\"^[0-9]{4}(-(0[1-9]|1[0-2])(-[0-3][0-9])?|-Q[1-4])?$\"}]");
        break;
    case GP_FIELD_STRING:
    case GP_FIELD_ENUM:
    case GP_FIELD_STRUCT:
    case GP_FIELD_LIST:
    case GP_FIELD_MAP: gp_buf_str(buf, "\"type\": [\"string\", \"number\", \"boolean\"]"); break;
    }
}

static void put_value(gp_buf *buf, const gp_field *field) {
    if (field->kind == GP_FIELD_STRUCT) {
        gp_buf_printf(buf, "\"allOf\": [{\"$ref\": \"#/definitions/%s\"}]", field->nested->name);
    } else if (field->kind == GP_FIELD_LIST && field->nested) {
        gp_buf_printf(buf, "\"type\": \"array\", \"items\": {\"$ref\": \"#/definitions/%s\"}",
                      field->nested->name);
    } else if (field->kind == GP_FIELD_LIST || field->kind == GP_FIELD_MAP) {
        gp_buf_str(buf, field->kind == GP_FIELD_LIST
                            ? "\"type\": \"array\", \"items\": {"
                            : "\"type\": \"object\", \"additionalProperties\": {");
        put_scalar(buf, field, field->item);
        gp_buf_char(buf, '}');
    } else {
        put_scalar(buf, field, field->kind);
    }
}

static void put_field(gp_buf *buf, bool root, const gp_struct *type, const gp_field *field) {
    gp_buf_str(buf, "        ");
    put_text(buf, field->key);
    gp_buf_str(buf, ": {");
    if (root && gp_str_equal(field->key, "kind")) {
        gp_buf_printf(buf, "\"const\": \"%s\"", type->name);
    } else if (root && gp_str_equal(field->key, "apiVersion")) {
        gp_buf_str(buf, "\"const\": \"gpuplan/v1\"");
    } else {
        put_value(buf, field);
    }
    gp_buf_str(buf, ", ");
    put_description(buf, field);
    gp_buf_char(buf, '}');
}

static void put_required(gp_buf *buf, const gp_struct *type) {
    bool first = true;
    for (size_t i = 0; i < type->field_count; i++) {
        if (type->fields[i].flags & GP_FIELD_REQUIRED) {
            gp_buf_str(buf, first ? ",\n      \"required\": [" : ", ");
            put_text(buf, type->fields[i].key);
            first = false;
        }
    }
    gp_buf_str(buf, first ? "" : "]");
}

/* The map form of a struct. */
static void put_object(gp_buf *buf, bool root, const gp_struct *type) {
    gp_buf_str(buf, "\"type\": \"object\", \"additionalProperties\": false,\n"
                    "      \"properties\": {\n");
    for (size_t i = 0; i < type->field_count; i++) {
        put_field(buf, root, type, &type->fields[i]);
        gp_buf_str(buf, i + 1 < type->field_count ? ",\n" : "\n");
    }
    gp_buf_str(buf, "      }");
    put_required(buf, type);
}

static const gp_field *named(const gp_struct *type, const char *key) {
    return &type->fields[gp_field_named(type, key, strlen(key))];
}

static void put_definition(gp_buf *buf, bool root, const gp_struct *type) {
    bool forms = type->scalar_key || type->list_key;
    gp_buf_printf(buf, "    \"%s\": {\"description\": ", type->name);
    put_text(buf, type->help);
    gp_buf_str(buf, forms ? ", \"anyOf\": [" : ", ");
    if (type->scalar_key) {
        gp_buf_char(buf, '{');
        put_value(buf, named(type, type->scalar_key));
        gp_buf_str(buf, "}, ");
    }
    if (type->list_key) {
        gp_buf_char(buf, '{');
        put_value(buf, named(type, type->list_key));
        gp_buf_str(buf, "}, ");
    }
    gp_buf_str(buf, forms ? "{" : "");
    put_object(buf, root, type);
    gp_buf_str(buf, forms ? "}]}" : "}");
}

/* Which definition a document is held to. */
static void put_roots(gp_buf *buf, const gp_struct *const *roots, size_t count) {
    if (count == 1) {
        gp_buf_printf(buf, "  \"$ref\": \"#/definitions/%s\",\n", roots[0]->name);
        return;
    }
    gp_buf_str(buf, "  \"type\": \"object\", \"required\": [\"kind\"],\n"
                    "  \"properties\": {\"kind\": {\"enum\": [");
    for (size_t i = 0; i < count; i++)
        gp_buf_printf(buf, "%s\"%s\"", i == 0 ? "" : ", ", roots[i]->name);
    gp_buf_str(buf, "]}},\n  \"allOf\": [\n");
    for (size_t i = 0; i < count; i++)
        gp_buf_printf(buf,
                      "    {\"if\": {\"properties\": {\"kind\": {\"const\": \"%s\"}}},\n"
                      "     \"then\": {\"$ref\": \"#/definitions/%s\"}}%s\n",
                      roots[i]->name, roots[i]->name, i + 1 < count ? "," : "");
    gp_buf_str(buf, "  ],\n");
}

gp_status gp_emit_json_schema(gp_arena *arena, const gp_struct *const *roots, size_t count,
                              const char *title, const char **ret_text) {
    gp_type_list list;
    gp_buf buf;
    gp_status st = gp_types_collect(roots, count, &list);
    if (st)
        return st;
    gp_buf_init(&buf, arena, GP_EMIT_MAX);
    gp_buf_str(&buf, "{\n  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n");
    gp_buf_printf(&buf, "  \"title\": \"gpuplan %s\",\n", title);
    put_roots(&buf, roots, count);
    gp_buf_str(&buf, "  \"definitions\": {\n");
    for (size_t i = 0; i < list.count; i++) {
        put_definition(&buf, i < count, list.types[i]);
        gp_buf_str(&buf, i + 1 < list.count ? ",\n" : "\n");
    }
    gp_buf_str(&buf, "  }\n}\n");
    return gp_buf_finish(&buf, ret_text, NULL);
}
