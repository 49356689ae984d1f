/* What every catalogue row must have, checked over the whole catalogue: a source, a date, evidence,
 * an id in the form of one, references that exist, and `unverified` keys that are there. */
#include <string.h>

#include "base/str.h"
#include "catalog/tables.h"
#include "schema/diag_ids.h"
#include "schema/field.h"

typedef struct row_check {
    gp_catalog *catalog;
    gp_catalog_kind kind;
    void *row;
    gp_row_head head;
} row_check;

static void refuse(const row_check *c, gp_span span, const char *expected, const char *what,
                   const char *word) {
    gp_diags_error(c->catalog->diags, GP_ID_CATALOG, span, expected, NULL, "%s/%s: %s%s%s",
                   gp_catalog_kind_name(c->kind), c->head.id, what, word ? " " : "",
                   word ? word : "");
}

/* Lower-case letters, digits and . _ - /; constants also have capitals inside. */
static void check_id(const row_check *c) {
    const char *id = c->head.id;
    bool constants = c->kind == GP_CATALOG_CONSTANTS;
    bool good = (*id >= 'a' && *id <= 'z') || (*id >= '0' && *id <= '9');
    for (const char *p = id; *p && good; p++) {
        bool lower = (*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9');
        bool upper = *p >= 'A' && *p <= 'Z';
        good = lower || strchr("._-/", *p) || (upper && constants);
    }
    if (!good)
        refuse(c, gp_origin_at(&c->head.meta, offsetof(gp_row_head, id))->span,
               "lower-case letters, digits and . _ - /", "not an id:", id);
}

static bool is_date(const char *date) {
    static const char shape[] = "0000-00-00";
    size_t len = strlen(date);
    for (size_t i = 0; i < len && i < sizeof shape - 1; i++) {
        bool digit = date[i] >= '0' && date[i] <= '9';
        if (shape[i] == '-' ? date[i] != '-' : !digit)
            return false;
    }
    return len == strlen("2026") || len == strlen("2026-01") || len == strlen("2026-01-01");
}

static void check_provenance(const row_check *c) {
    if (!c->head.source)
        refuse(c, c->head.meta.span, "source: where the figures were read", "no source", NULL);
    if (!c->head.date || !is_date(c->head.date))
        refuse(c, c->head.meta.span, "date: such as 2026 or 2026-09-17", "no date", NULL);
    if (c->head.evidence == GP_EVIDENCE_NONE)
        refuse(c, c->head.meta.span, "evidence: datasheet, measured, derived or assumed",
               "no evidence", NULL);
}

static void check_unverified(const row_check *c) {
    for (size_t i = 0; i < c->head.unverified.count; i++) {
        void *object = NULL;
        const gp_field *field = gp_row_field(c->row, c->head.unverified.items[i], &object);
        gp_meta *meta = object;
        if (!field || gp_origin_of_field(meta, field)->kind == GP_ORIGIN_NONE)
            refuse(c, gp_origin_at(&c->head.meta, offsetof(gp_row_head, unverified))->span,
                   "keys of this row",
                   "unverified names what is not there:", c->head.unverified.items[i]);
    }
}

static void check_references(const row_check *c) {
    const gp_struct *type = c->head.meta.type;
    for (size_t i = 0; i < type->field_count; i++) {
        const gp_field *field = &type->fields[i];
        const char *name = NULL;
        const char *nearest = NULL;
        const char *choices = NULL;
        const void *row;
        if (field->kind != GP_FIELD_STRING || !(field->flags & GP_FIELD_CATALOG_REF))
            continue;
        memcpy(&name, (const char *)c->row + field->offset, sizeof name);
        if (!name)
            continue;
        gp_catalog_kind kind = (gp_catalog_kind)gp_catalog_kind_named(field->ref);
        gp_status st = gp_catalog_find(c->catalog, kind, name, &row, &nearest, &choices);
        if (st != GP_OK)
            gp_catalog_refuse(c->catalog, c->catalog->diags, kind, name,
                              c->head.meta.origins[i].span, nearest, choices);
    }
}

gp_status gp_catalog_check(gp_catalog *catalog) {
    size_t errors = catalog->diags->errors;
    for (int kind = 0; kind < GP_CATALOG_KIND_COUNT; kind++) {
        gp_catalog_table *table = &catalog->tables[kind];
        (void)gp_catalog_load(catalog, (gp_catalog_kind)kind); /* reports what is wrong */
        for (size_t i = 0; i < table->count; i++) {
            row_check c = {catalog, (gp_catalog_kind)kind, table->rows[i],
                           gp_row_head_of(table->rows[i])};
            check_id(&c);
            check_provenance(&c);
            check_unverified(&c);
            check_references(&c);
        }
    }
    return catalog->diags->errors > errors ? GP_ERR_INPUT : GP_OK;
}
