/*
 * JSON Schema of report.json, from the same rows that write it. Every struct is one definition;
 * absent values are null, so each figure's type is a pair.
 */

#include "report/json.h"
#include "report/value.h"

enum { SCHEMA_MAX_BYTES = 4 << 20, STRUCTS_MAX = 128 };

typedef struct seen {
    const gp_report_struct *types[STRUCTS_MAX];
    bool sparse[STRUCTS_MAX]; /* it stands in dense lists, where absent values have no key */
    size_t count;
    bool full; /* there are more: the schema would be wrong */
} seen;

static void find_structs(seen *found, const gp_report_struct *type, bool sparse) {
    size_t place = 0;
    while (place < found->count && found->types[place] != type)
        place++;
    if (place < found->count && (found->sparse[place] || !sparse))
        return;
    if (place == STRUCTS_MAX) {
        found->full = true;
        return;
    }
    found->types[place] = type;
    found->sparse[place] = sparse;
    found->count += place == found->count ? 1 : 0;
    for (size_t i = 0; i < type->field_count; i++) {
        const gp_report_field *field = &type->fields[i];
        if (field->nested != NULL)
            find_structs(found, field->nested, (sparse && !field->whole) || field->dense);
    }
}

static const char *json_type(const gp_report_field *field) {
    switch (field->kind) {
    case GP_REPORT_STRING: return "string";
    case GP_REPORT_BOOL: return "boolean";
    case GP_REPORT_COUNT: return "integer";
    case GP_REPORT_REAL:
    case GP_REPORT_EXACT:
    case GP_REPORT_BAND: return "number";
    case GP_REPORT_STRUCT:
    case GP_REPORT_OPTIONAL: return "object";
    case GP_REPORT_LIST: return "array";
    }
    return "null";
}

static void write_ref(gp_json *json, gp_buf *scratch, const gp_report_struct *type) {
    gp_buf_truncate(scratch, 0);
    gp_buf_printf(scratch, "#/definitions/%s", type->name);
    gp_json_string(json, "$ref", scratch->data);
}

static void write_scalar(gp_json *json, const gp_report_field *field) {
    gp_json_string(json, "description", field->help);
    if (field->words != NULL) {
        gp_json_open(json, "enum", '[');
        for (const char *const *word = field->words; *word != NULL; word++)
            gp_json_string(json, NULL, *word);
        gp_json_null(json, NULL);
        gp_json_close(json, "]");
    } else if (field->kind == GP_REPORT_BOOL) {
        gp_json_string(json, "type", "boolean");
    } else {
        gp_json_open(json, "type", '[');
        gp_json_string(json, NULL, json_type(field));
        gp_json_string(json, NULL, "null");
        gp_json_close(json, "]");
    }
}

static void write_items(gp_json *json, gp_buf *scratch, const gp_report_field *field) {
    gp_json_string(json, "description", field->help);
    gp_json_string(json, "type", json_type(field));
    gp_json_open(json, "items", '{');
    if (field->nested != NULL)
        write_ref(json, scratch, field->nested);
    else
        gp_json_string(json, "type", gp_report_holds_counts(field) ? "integer" : "string");
    gp_json_close(json, "}");
}

static void write_optional(gp_json *json, gp_buf *scratch, const gp_report_field *field) {
    gp_json_string(json, "description", field->help);
    gp_json_open(json, "anyOf", '[');
    gp_json_open(json, NULL, '{');
    write_ref(json, scratch, field->nested);
    gp_json_close(json, "}");
    gp_json_open(json, NULL, '{');
    gp_json_string(json, "type", "null");
    gp_json_close(json, "}]");
}

static void write_property(gp_json *json, gp_buf *scratch, const gp_report_field *field, int part) {
    char room[GP_REPORT_KEY_MAX];
    gp_json_open(json, gp_report_part_key(field, part, room), '{');
    if (field->kind == GP_REPORT_STRUCT)
        write_ref(json, scratch, field->nested);
    else if (field->kind == GP_REPORT_OPTIONAL)
        write_optional(json, scratch, field);
    else if (field->kind == GP_REPORT_LIST)
        write_items(json, scratch, field);
    else
        write_scalar(json, field);
    gp_json_close(json, "}");
}

static bool can_lack(const gp_report_field *field) {
    switch (field->kind) {
    case GP_REPORT_BOOL:
    case GP_REPORT_STRUCT:
    case GP_REPORT_LIST: return false;
    case GP_REPORT_STRING:
    case GP_REPORT_COUNT:
    case GP_REPORT_REAL:
    case GP_REPORT_EXACT:
    case GP_REPORT_BAND:
    case GP_REPORT_OPTIONAL: break;
    }
    return true;
}

static void write_definition(gp_json *json, gp_buf *scratch, const gp_report_struct *type,
                             bool sparse) {
    gp_json_string(json, "description", type->help);
    gp_json_string(json, "type", "object");
    gp_json_open(json, "properties", '{');
    for (size_t i = 0; i < type->field_count; i++)
        for (int part = 0; part < gp_report_parts(&type->fields[i]); part++)
            write_property(json, scratch, &type->fields[i], part);
    gp_json_close(json, "}");
    gp_json_open(json, "required", '[');
    for (size_t i = 0; i < type->field_count; i++) {
        const gp_report_field *field = &type->fields[i];
        for (int part = 0; part < gp_report_parts(field); part++) {
            char room[GP_REPORT_KEY_MAX];
            if (!field->omit_absent && !(sparse && can_lack(field)))
                gp_json_string(json, NULL, gp_report_part_key(field, part, room));
        }
    }
    gp_json_close(json, "]");
}

gp_status gp_report_schema_json(gp_arena *arena, const char **ret_text) {
    gp_buf buf, scratch;
    seen found = {0};
    gp_buf_init(&buf, arena, SCHEMA_MAX_BYTES);
    gp_buf_init(&scratch, arena, SCHEMA_MAX_BYTES);
    gp_buf_str(&scratch, " ");
    gp_json json = GP_JSON(&buf);
    find_structs(&found, &gp_report_type, false);
    gp_json_open(&json, NULL, '{');
    gp_json_string(&json, "$schema", "http://json-schema.org/draft-07/schema#");
    gp_json_string(&json, "title", "gpuplan report");
    write_definition(&json, &scratch, &gp_report_type, false);
    gp_json_open(&json, "definitions", '{');
    for (size_t i = 1; i < found.count && scratch.st == GP_OK; i++) {
        gp_json_open(&json, found.types[i]->name, '{');
        write_definition(&json, &scratch, found.types[i], found.sparse[i]);
        gp_json_close(&json, "}");
    }
    gp_json_close(&json, "}}");
    if (scratch.st != GP_OK || found.full)
        return found.full ? GP_ERR_LIMIT : scratch.st;
    return gp_buf_finish(&buf, ret_text, NULL);
}
