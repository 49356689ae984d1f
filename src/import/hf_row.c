/* The row of an imported model as text: what is not zero, by the descriptor table of models. */
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "catalog/catalog.h"
#include "catalog/words.h"
#include "import/hf.h"
#include "schema/field.h"
#include "source/node_write.h"

enum { ROW_MAX = 64 * 1024 };

static void write_text(gp_buf *buf, const char *text) {
    gp_yaml_scalar(buf, text, strlen(text));
}

/* Text of a field that is not zero or not what it is by default; nothing else is written. */
static bool write_value(gp_buf *buf, const gp_field *field, const void *object);

static bool write_group(gp_buf *buf, const gp_struct *type, const void *object) {
    bool any = false;
    for (size_t i = 0; i < type->field_count; i++) {
        size_t start = buf->len;
        gp_buf_str(buf, any ? ", " : "{");
        gp_buf_str(buf, type->fields[i].key);
        gp_buf_str(buf, ": ");
        if (write_value(buf, &type->fields[i], object))
            any = true;
        else
            gp_buf_truncate(buf, start);
    }
    gp_buf_str(buf, any ? "}" : "");
    return any;
}

static bool write_list(gp_buf *buf, const gp_field *field, const void *object) {
    gp_any_list list = gp_list_get(object, field);
    for (size_t i = 0; i < list.count && field->nested; i++) {
        gp_buf_str(buf, i == 0 ? "[" : ", ");
        if (!write_group(buf, field->nested, gp_list_item(list, field, i)))
            gp_buf_str(buf, "{}");
    }
    gp_buf_str(buf, list.count > 0 && field->nested ? "]" : "");
    return list.count > 0 && field->nested;
}

static bool write_bool(gp_buf *buf, const gp_field *field, bool value) {
    bool usual = field->default_text && gp_str_equal(field->default_text, "true");
    gp_buf_str(buf, value ? "true" : "false");
    return value != usual;
}

static bool write_value(gp_buf *buf, const gp_field *field, const void *object) {
    const void *at = (const char *)object + field->offset;
    switch (field->kind) {
    case GP_FIELD_COUNT: gp_buf_i64(buf, *(const int64_t *)at); return *(const int64_t *)at != 0;
    case GP_FIELD_BOOL: return write_bool(buf, field, *(const bool *)at);
    case GP_FIELD_ENUM:
        gp_buf_str(buf, field->choices[*(const int *)at]);
        return *(const int *)at != 0;
    case GP_FIELD_STRING:
        if (*(const char *const *)at)
            write_text(buf, *(const char *const *)at);
        return *(const char *const *)at != NULL;
    case GP_FIELD_STRUCT: return write_group(buf, field->nested, at);
    case GP_FIELD_LIST: return write_list(buf, field, object);
    case GP_FIELD_QUANTITY:
    case GP_FIELD_DATE:
    case GP_FIELD_MAP: return false; /* written by hand, or not of a shape */
    }
    return false;
}

static void write_share(gp_buf *buf, double share) {
    char text[GP_NUM_TEXT];
    size_t len = gp_num_format_fixed(text, share, 4);
    while (len > 1 && text[len - 1] == '0' && text[len - 2] != '.')
        len--;
    gp_buf_add(buf, text, len);
}

static void write_weights(gp_buf *buf, const gp_hf_reader *reader, double bytes) {
    const gp_weights *weights = &reader->model->weights;
    gp_buf_str(buf, "weights: {format: ");
    gp_buf_str(buf, gp_format_words[weights->format]);
    if (weights->quantized_fraction > 0) {
        gp_buf_str(buf, ", quantizedFraction: ");
        write_share(buf, weights->quantized_fraction);
    }
    if (bytes > 0) {
        gp_buf_str(buf, ", bytes: ");
        gp_buf_number(buf, bytes, 0);
        gp_buf_str(buf, " B");
    }
    if (weights->remainder > 0) {
        gp_buf_str(buf, ", remainder: ");
        gp_buf_str(buf, gp_format_words[weights->remainder]);
    }
    if (weights->kv_cache > 0) {
        gp_buf_str(buf, ", kvCache: ");
        gp_buf_str(buf, gp_format_words[weights->kv_cache]);
    }
    gp_buf_str(buf, "}\n");
}

static void write_tail(gp_buf *buf, const gp_hf_reader *reader,
                       const gp_import_model_input *input) {
    gp_buf_str(buf, "source: ");
    write_text(buf, input->source);
    gp_buf_str(buf, "\ndate: ");
    gp_buf_str(buf, input->date);
    gp_buf_str(buf, "\nevidence: datasheet\n");
    for (size_t i = 0; i < reader->note_count; i++) {
        gp_buf_str(buf, i == 0 ? "notes: \"" : " ");
        gp_buf_str(buf, reader->notes[i]);
    }
    gp_buf_str(buf, reader->note_count > 0 ? "\"\n" : "");
}

gp_status gp_hf_write_row(const gp_hf_reader *reader, const gp_import_model_input *input,
                          const char *id, const char **ret_row) {
    gp_buf buf = GP_BUF(reader->arena, ROW_MAX);
    gp_buf_str(&buf, "id: ");
    gp_buf_str(&buf, id);
    gp_buf_str(&buf, "\naliases: [");
    write_text(&buf, input->name);
    gp_buf_str(&buf,
               reader->model->bidirectional ? "]\nfamily: encoder\n" : "]\nfamily: decoder\n");
    for (size_t i = 0; i < gp_model_rows.field_count; i++) {
        const gp_field *field = &gp_model_rows.fields[i];
        size_t start = buf.len;
        if (gp_str_equal(field->key, "weights"))
            continue;
        gp_buf_str(&buf, field->key);
        gp_buf_str(&buf, ": ");
        if (write_value(&buf, field, reader->model))
            gp_buf_char(&buf, '\n');
        else
            gp_buf_truncate(&buf, start);
    }
    write_weights(&buf, reader, reader->model->weights.bytes);
    write_tail(&buf, reader, input);
    return gp_buf_finish(&buf, ret_row, NULL);
}

gp_status gp_hf_write_document(gp_arena *arena, const char *id, const char *row,
                               const char **ret_document) {
    gp_buf buf = GP_BUF(arena, 2 * ROW_MAX);
    gp_buf_str(&buf, "apiVersion: gpuplan/v1\nkind: Catalog\nmetadata: {name: ");
    write_text(&buf, id);
    gp_buf_str(&buf, "}\nspec:\n  models:\n");
    const char *at = row;
    for (bool first = true; *at; first = false) {
        size_t len = strcspn(at, "\n");
        gp_buf_str(&buf, first ? "    - " : "      ");
        gp_buf_add(&buf, at, len);
        gp_buf_char(&buf, '\n');
        at += at[len] == '\n' ? len + 1 : len;
    }
    return gp_buf_finish(&buf, ret_document, NULL);
}
