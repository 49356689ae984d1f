/* The catalogue: rows of each kind, taken from the compiled files and read from the user's. Rows
 * with a known id are laid over the earlier row, `extends` fills what a row leaves out, and each
 * field remembers the source of the row that it was written in. */
#include "catalog/tables.h"

#include <string.h>

#include "base/sha256.h"
#include "catalog/catalog.h"
#include "catalog/compiled.h"
#include "schema/diag_ids.h"
#include "schema/field.h"
#include "schema/overlay.h"
#include "source/yaml_tree.h"

enum { EXTENDS_MAX = 8 };

gp_status gp_catalog_open(gp_arena *arena, gp_diags *diags, gp_catalog **ret_catalog) {
    gp_catalog *catalog = GP_NEW(arena, gp_catalog);
    *ret_catalog = catalog;
    catalog->arena = arena;
    catalog->diags = diags;
    return GP_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

static const gp_catalog_document *bind_root(gp_catalog *catalog, const gp_node *root) {
    gp_binder binder = {
        .arena = catalog->arena, .diags = catalog->diags, .origin = GP_ORIGIN_CATALOG};
    gp_catalog_document *document = GP_NEW(catalog->arena, gp_catalog_document);
    gp_struct_init(catalog->arena, &gp_catalog_document_type, document);
    gp_bind_struct(&binder, root, &gp_catalog_document_type, document);
    return document;
}

static void read_text(gp_catalog *catalog, const gp_text *text, gp_yaml_docs *ret_docs) {
    gp_source_limits limits = GP_SOURCE_LIMITS_INIT;
    (void)gp_yaml_read(catalog->arena, text, &limits, catalog->diags, ret_docs);
}

gp_status gp_catalog_add(gp_catalog *catalog, const gp_text *text) {
    gp_yaml_docs docs = {.count = 0};
    size_t errors = catalog->diags->errors;
    read_text(catalog, text, &docs);
    for (size_t i = 0; i < docs.count; i++) {
        if (!gp_node_is(gp_node_get(docs.roots[i], "kind"), "Catalog")) {
            continue; /* a Plan or Prices beside it: the reader of specs takes those */
        }
        catalog->users = gp_arena_grow(catalog->arena, catalog->users, catalog->user_count,
                                       &catalog->user_cap, sizeof *catalog->users);
        catalog->users[catalog->user_count++] = bind_root(catalog, docs.roots[i]);
    }
    catalog->texts = gp_arena_grow(catalog->arena, catalog->texts, catalog->text_count,
                                   &catalog->text_cap, sizeof *catalog->texts);
    catalog->texts[catalog->text_count++] = text;
    memset(catalog->tables, 0, sizeof catalog->tables); /* kinds are read again, with this file */
    catalog->constants = NULL;
    return catalog->diags->errors > errors ? GP_ERR_INPUT : GP_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

const gp_field *gp_row_field(void *row, const char *key, void **ret_object) {
    gp_meta meta;
    for (;;) {
        memcpy(&meta, row, sizeof meta);
        size_t len = strcspn(key, ".");
        int index = meta.type ? gp_field_named(meta.type, key, len) : -1;
        if (index < 0)
            return NULL;
        const gp_field *field = &meta.type->fields[index];
        *ret_object = row;
        if (key[len] == '\0')
            return field;
        if (field->kind != GP_FIELD_STRUCT)
            return NULL;
        row = (char *)row + field->offset;
        key += len + 1;
    }
}

static void mark_all(void *object) {
    gp_meta meta;
    memcpy(&meta, object, sizeof meta);
    for (size_t i = 0; i < meta.type->field_count; i++) {
        meta.origins[i].unverified = meta.origins[i].kind != GP_ORIGIN_NONE;
        if (meta.type->fields[i].kind == GP_FIELD_STRUCT)
            mark_all((char *)object + meta.type->fields[i].offset);
    }
}

/* A key that names no field is left to the lint: it must not stop a sizing. */
static void mark_unverified(void *row, const char *key) {
    void *object = NULL;
    const gp_field *field = gp_row_field(row, key, &object);
    if (!field)
        return;
    gp_meta meta;
    memcpy(&meta, object, sizeof meta);
    meta.origins[field - meta.type->fields].unverified = true;
    if (field->kind == GP_FIELD_STRUCT)
        mark_all((char *)object + field->offset);
}

void gp_catalog_stamp_row(void *row) {
    gp_row_head head = gp_row_head_of(row);
    gp_origin stamp = {.kind = GP_ORIGIN_CATALOG,
                       .source = head.source,
                       .date = head.date,
                       .evidence = (uint8_t)head.evidence,
                       .unverified = !head.source};
    gp_origins_stamp(row, &stamp);
    for (size_t i = 0; i < head.unverified.count; i++)
        mark_unverified(row, head.unverified.items[i]);
}

static void add_row(gp_catalog *catalog, gp_catalog_kind kind, void *row) {
    gp_catalog_table *table = &catalog->tables[kind];
    const char *id = gp_row_head_of(row).id;
    bool found = false;
    if (!id) {
        gp_diags_error(catalog->diags, GP_ID_MISSING_KEY, gp_row_head_of(row).meta.span,
                       "id: a lower-case name", NULL, "a row of %s needs the key \"id\"",
                       gp_catalog_kind_name(kind));
        return;
    }
    const size_t at = gp_catalog_place(table, id, &found);
    gp_catalog_stamp_row(row);
    if (found) {
        gp_overlay(table->rows[at], row);
        return;
    }
    table->rows =
        gp_arena_grow(catalog->arena, table->rows, table->count, &table->cap, sizeof *table->rows);
    memmove(&table->rows[at + 1], &table->rows[at], (table->count - at) * sizeof *table->rows);
    table->rows[at] = row;
    table->count++;
}

/* The user's rows of one kind, copied: they may be laid over others again when the kind is read
 * anew. */
static void add_rows(gp_catalog *catalog, gp_catalog_kind kind,
                     const gp_catalog_document *document) {
    const gp_field *field = &gp_catalog_spec_type.fields[kind];
    gp_any_list list = gp_list_get(&document->spec, field);
    for (size_t i = 0; i < list.count; i++) {
        void *fresh = gp_arena_alloc(catalog->arena, 1, field->nested->size);
        gp_struct_init(catalog->arena, field->nested, fresh);
        gp_overlay(fresh, gp_list_item(list, field, i));
        add_row(catalog, kind, fresh);
    }
}

/* What is built in, then the user's. */
static void load_rows(gp_catalog *catalog, gp_catalog_kind kind) {
    void **rows = NULL;
    size_t count = 0;
    gp_catalog_compiled_rows(catalog->arena, kind, &rows, &count);
    for (size_t i = 0; i < count; i++) {
        add_row(catalog, kind, rows[i]);
    }
    for (size_t i = 0; i < catalog->user_count; i++)
        add_rows(catalog, kind, catalog->users[i]);
}

/* ---- extends --------------------------------------------------------------------------------- */

/* Keys that belong to a row alone and are never inherited. */
static const char *const own_keys[] = {"aliases",  "source",     "date",
                                       "evidence", "unverified", "notes"};
enum { OWN_KEYS = sizeof own_keys / sizeof own_keys[0] };

static void inherit(void *row, const void *base) {
    gp_row_head head = gp_row_head_of(row);
    bool own[OWN_KEYS];
    for (int i = 0; i < OWN_KEYS; i++) {
        int at = gp_field_named(head.meta.type, own_keys[i], strlen(own_keys[i]));
        own[i] = head.meta.origins[at].kind != GP_ORIGIN_NONE;
    }
    gp_underlay(row, base);
    for (int i = 0; i < OWN_KEYS; i++) {
        const gp_field *field =
            &head.meta.type
                 ->fields[gp_field_named(head.meta.type, own_keys[i], strlen(own_keys[i]))];
        if (!own[i]) {
            memset((char *)row + field->offset, 0, gp_field_size(field));
            *gp_origin_of_field(&head.meta, field) = (gp_origin){.kind = GP_ORIGIN_NONE};
        }
    }
}

static gp_span extends_span(const gp_row_head *head) {
    return gp_origin_at(&head->meta, offsetof(gp_row_head, extends))->span;
}

/* Fills `row` from its chain of bases. A base further up is complete where the chain has been
 * walked before; walking it again changes nothing. */
static void extend_row(gp_catalog *catalog, gp_catalog_kind kind, size_t at) {
    const gp_catalog_table *table = &catalog->tables[kind];
    gp_row_head head = gp_row_head_of(table->rows[at]);
    for (int depth = 0; head.extends; depth++) {
        bool found = false;
        const size_t base = gp_catalog_place(table, head.extends, &found);
        if (!found) {
            gp_diags_error(catalog->diags, GP_ID_UNKNOWN_REFERENCE, extends_span(&head),
                           "the id of another row", NULL, "extends: no %s \"%s\"",
                           gp_catalog_kind_noun(kind), head.extends);
            return;
        }
        if (base == at || depth >= EXTENDS_MAX) {
            gp_diags_error(catalog->diags, GP_ID_INCONSISTENT, extends_span(&head),
                           "at most 8 steps, none of them back", NULL,
                           base == at ? "\"%s\" extends itself" : "\"%s\" extends too many rows",
                           gp_row_head_of(table->rows[at]).id);
            return;
        }
        head = gp_row_head_of(table->rows[base]);
        inherit(table->rows[at], table->rows[base]);
    }
}

void gp_catalog_read_rows(gp_catalog *catalog, gp_catalog_kind kind) {
    load_rows(catalog, kind);
    for (size_t i = 0; i < catalog->tables[kind].count; i++)
        extend_row(catalog, kind, i);
}

const char *gp_catalog_unlocked_name(const gp_catalog *catalog) {
    return catalog->unlocked;
}

void gp_catalog_digest(gp_catalog *catalog, const char **ret_hex) {
    gp_sha256 hash;
    if (catalog->text_count == 0) {
        *ret_hex = gp_catalog_texts_sha256;
        return;
    }
    gp_sha256_init(&hash);
    for (size_t i = 0; i < gp_catalog_text_count; i++)
        gp_sha256_add(&hash, gp_catalog_texts[i].data, gp_catalog_texts[i].len + 1);
    for (size_t i = 0; i < catalog->text_count; i++)
        gp_sha256_add(&hash, catalog->texts[i]->data, catalog->texts[i]->len + 1);
    char *text = gp_arena_alloc(catalog->arena, GP_SHA256_HEX, 1);
    gp_sha256_finish(&hash, text);
    *ret_hex = text;
}
