/* The catalogue's inside: rows by kind, loaded on demand, for the files of this folder. */
#ifndef GP_CATALOG_TABLES_H
#define GP_CATALOG_TABLES_H

#include "catalog/catalog.h"
#include "catalog/document.h"
#include "model/lock.h"
#include "schema/bind.h"

/* A lower-case name of a row: its id or an alias. */
typedef struct gp_catalog_name {
    const char *folded;
    size_t row;
} gp_catalog_name;

typedef struct gp_catalog_table {
    bool loaded;
    bool wrong;  /* a row of this kind was refused */
    void **rows; /* of the kind's struct, in the order of their ids */
    size_t count;
    size_t cap;
    gp_catalog_name *names; /* sorted by folded name; NULL: nobody asked for one but an id yet */
    size_t name_count;
} gp_catalog_table;

/* A model of a lock, under the name that specs use. */
typedef struct gp_catalog_locked {
    const char *name; /* without "hf:" */
    const gp_model *model;
} gp_catalog_locked;

struct gp_catalog {
    gp_arena *arena;
    gp_diags *diags;
    gp_catalog_table tables[GP_CATALOG_KIND_COUNT];
    const gp_catalog_document **users; /* bound documents of the user, in order */
    size_t user_count;
    size_t user_cap;
    const gp_text **texts; /* the user's texts, for the digest */
    size_t text_count;
    size_t text_cap;
    gp_catalog_locked *locked;
    size_t locked_count;
    struct gp_constants *constants; /* as its rows make them; NULL: not read yet */
    const char *unlocked; /* first hf: name of neither a lock nor the user */
};

/* Loads the rows of a kind, unless they are. */
gp_status gp_catalog_load(gp_catalog *catalog, gp_catalog_kind kind);
/* Reads them as they are written, `extends` of the same kind followed. */
void gp_catalog_read_rows(gp_catalog *catalog, gp_catalog_kind kind);
/* Every field that the row itself gives gets the row's source; without one it is unverified. */
void gp_catalog_stamp_row(void *row);
/* Where the row of that id is, or would be. */
size_t gp_catalog_place(const gp_catalog_table *table, const char *id, bool *ret_found);
/* Lists the ids and aliases of a table, once. */
void gp_catalog_name_rows(gp_catalog *catalog, gp_catalog_table *table);
/* The fields that all rows have, by copy. */
gp_row_head gp_row_head_of(const void *row);
/* The field that a dotted key of `unverified` names, its struct in *ret_object; NULL: none. */
const gp_field *gp_row_field(void *row, const char *key, void **ret_object);
/* Reports a name that gp_catalog_find did not take to one row. */
void gp_catalog_refuse(gp_catalog *catalog, gp_diags *diags, gp_catalog_kind kind, const char *name,
                       gp_span span, const char *nearest, const char *choices);
/* Fills `object`, a struct of the kind, from the row that its `extends` names (what `object` says
 * itself wins). A name that is not in the catalogue is reported to `diags` with *ret_found false;
 * where nothing is named, it is true and nothing happens. */
gp_status gp_catalog_expand(gp_catalog *catalog, gp_diags *diags, gp_catalog_kind kind,
                            void *object, bool *ret_found);

#endif
