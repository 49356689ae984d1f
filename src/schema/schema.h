/*
 * Descriptor tables: one row per field drives parsing, defaults, ranges, docs, JSON Schema, overlay
 * and output. A bound struct starts with a gp_meta, which remembers where each field came from.
 */
#ifndef GP_SCHEMA_SCHEMA_H
#define GP_SCHEMA_SCHEMA_H

#include <gpuplan/arena.h>
#include <gpuplan/diag.h>
#include <gpuplan/units.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gp_struct gp_struct;

typedef enum gp_origin_kind {
    GP_ORIGIN_NONE,    /* absent: the member is zero */
    GP_ORIGIN_SPEC,    /* written in a spec file */
    GP_ORIGIN_FLAG,    /* given by --set */
    GP_ORIGIN_CATALOG, /* a catalogue row, built in or the user's */
    GP_ORIGIN_DEFAULT, /* the descriptor's default */
    GP_ORIGIN_DERIVED  /* computed from other fields while resolving */
} gp_origin_kind;

typedef enum gp_evidence {
    GP_EVIDENCE_NONE,
    GP_EVIDENCE_DATASHEET,
    GP_EVIDENCE_MEASURED,
    GP_EVIDENCE_DERIVED,
    GP_EVIDENCE_ASSUMED,
    GP_EVIDENCE_COUNT
} gp_evidence;

/* Where one field's value came from. `source` and `date` are the catalogue row's own words. */
typedef struct gp_origin {
    gp_span span;
    const char *source;
    const char *date;
    uint8_t kind;     /* gp_origin_kind */
    uint8_t evidence; /* gp_evidence */
    bool unverified;
} gp_origin;

typedef struct gp_meta {
    const gp_struct *type;
    gp_origin *origins; /* one per row of type->fields */
    gp_span span;       /* the whole node */
    gp_span key_span;   /* the key it stands under, or nowhere */
} gp_meta;

typedef enum gp_field_kind {
    GP_FIELD_STRING,   /* const char * */
    GP_FIELD_ENUM,     /* int, index into choices */
    GP_FIELD_BOOL,     /* bool */
    GP_FIELD_COUNT,    /* int64_t; with GP_FIELD_SUFFIX also k M B T and a noun */
    GP_FIELD_QUANTITY, /* double in the base unit of dim (GP_DIM_NONE: a plain number) */
    GP_FIELD_DATE,     /* int64_t yyyymmdd; accepts 2027, 2027-03, 2027-03-31, 2027-Q1 */
    GP_FIELD_STRUCT,   /* nested struct by value */
    GP_FIELD_LIST,     /* GP_LIST(T) of the nested struct, or of the scalar in `item` */
    GP_FIELD_MAP       /* GP_LIST(gp_entry): free keys, each value a scalar of `item`/dim */
} gp_field_kind;

enum {
    GP_FIELD_REQUIRED = 1u << 0,
    GP_FIELD_SUFFIX = 1u << 1,      /* k M B T allowed */
    GP_FIELD_ID = 1u << 2,          /* names its struct: unique within the list that holds it */
    GP_FIELD_CATALOG_REF = 1u << 3, /* a catalogue id or alias; kind in ref */
    GP_FIELD_LOCAL_REF = 1u << 4,   /* a name defined elsewhere in the spec; list path in ref */
    GP_FIELD_LATER = 1u << 5,       /* parsed and validated; no estimator reads it yet */
    GP_FIELD_AUTO = 1u << 6,        /* the word `auto` is accepted and binds zero */
    GP_FIELD_WHEN_GIVEN = 1u << 7,  /* defaults inside this group count only where it is written */
    GP_FIELD_WHOLE = 1u << 8        /* a group whose fields belong together: overlaid as a whole */
};

typedef struct gp_field {
    const char *key;
    gp_field_kind kind;
    size_t offset;
    unsigned flags;
    gp_dim dim;
    gp_field_kind item; /* scalar kind of list items and map values without nested */
    bool has_min, has_max;
    double min, max; /* base units, inclusive unless exclusive_min */
    bool exclusive_min;
    const char *default_text;   /* as a user would write it; NULL: none */
    const char *const *choices; /* NULL-terminated, for ENUM; index is the value. "" is no choice.
                                * On STRING (and lists of it): the only words accepted. */
    const char *const *aliases; /* NULL-terminated pairs {other word, choice} */
    gp_dim or_dim;              /* QUANTITY: a second dimension the key takes (NONE: no) ... */
    size_t or_offset;           /* ... and the double that then holds the value */
    const gp_struct *nested;    /* STRUCT, LIST of structs */
    const char *ref;            /* catalogue kind ("gpus") or local list ("pools") */
    const char *help;           /* one sentence */
} gp_field;

struct gp_struct {
    const char *name; /* "pool": for docs and messages */
    size_t size;
    const gp_field *fields;
    size_t field_count;
    const char *scalar_key; /* key that a bare scalar stands for, or NULL */
    const char *list_key;   /* key that a bare list stands for, or NULL */
    const char *help;
};

typedef struct gp_entry {
    const char *key;
    const char *text; /* the scalar as written */
    double value;     /* for numeric items */
    gp_span span;
} gp_entry;

/* The untyped view of any GP_LIST. */
typedef GP_LIST(void) gp_any_list;

/* Row index of the field at `offset` (or with `key`), or -1. */
int gp_field_at(const gp_struct *type, size_t offset);
int gp_field_named(const gp_struct *type, const char *key, size_t len);
/* Origin of the field at `offset` of a bound struct; kind NONE when absent. */
const gp_origin *gp_origin_at(const gp_meta *meta, size_t offset);
/* Somebody wrote it: neither a default nor what follows from other fields. */
bool gp_written_at(const gp_meta *meta, size_t offset);
#define GP_ORIGIN_OF(object, type, member) gp_origin_at(&(object)->meta, offsetof(type, member))

/* The member was written, inherited, defaulted or derived. */
#define GP_GIVEN(object, type, member) (GP_ORIGIN_OF(object, type, member)->kind != GP_ORIGIN_NONE)

/* What the input diagnostics (GP1xxx) mean, in the order of their ids. */
typedef struct gp_diag_doc {
    const char *id;
    const char *title; /* a few words */
    const char *help;  /* what it means and what to do */
} gp_diag_doc;

extern const gp_diag_doc gp_diag_docs[];
extern const size_t gp_diag_doc_count;

#endif
