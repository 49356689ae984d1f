/*
 * From trees to structs, by descriptor. Binding is strict and goes on after an error: what is wrong
 * is added to the diagnostics and the field stays absent, its siblings are bound. The functions
 * that return a status pass on a limit; compare diags->errors to see whether all was right.
 */
#ifndef GP_SCHEMA_BIND_H
#define GP_SCHEMA_BIND_H

#include "schema/schema.h"
#include "source/tree.h"

typedef struct gp_binder {
    gp_arena *arena;
    gp_diags *diags;
    gp_origin_kind origin; /* where the values come from */
    /* The first currency met, "" before; another one later is an error. */
    char currency[4];
    gp_span currency_span;
    bool currencies_differ; /* has been reported */
    const char *outer;      /* the key that the struct which is bound next stands under */
    const char *written;    /* the key in the file where a scalar stands for a struct, else NULL */
} gp_binder;

/* Binds `node` to `object`, which gp_struct_init has prepared. A scalar or a list stands for
 * type->scalar_key or type->list_key. Missing required keys are errors. */
void gp_bind_struct(gp_binder *binder, const gp_node *node, const gp_struct *type, void *object);
/* Binds one field of `object`; what was there before is replaced as a whole. */
void gp_bind_field(gp_binder *binder, const gp_node *node, const gp_field *field, void *object);
/* Binds one entry of a MAP field: replaces the entry of that key or adds one. */
void gp_bind_entry(gp_binder *binder, const char *key, const gp_node *node, const gp_field *field,
                   void *object);

/* Fills the fields that are absent and have a default, with origin DEFAULT; also in nested groups
 * and list items, except groups marked GP_FIELD_WHEN_GIVEN that are absent. */
void gp_defaults_fill(gp_arena *arena, gp_diags *diags, void *object);
/* The same for one field of `object`, whatever its flags. */
void gp_default_field(gp_arena *arena, gp_diags *diags, const gp_field *field, void *object);

#endif
