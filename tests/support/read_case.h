/* Test support: a text read as specs, against the built-in catalogue. One arena holds it all. */
#ifndef GP_TESTS_READ_CASE_H
#define GP_TESTS_READ_CASE_H

#include "model/model.h"

typedef struct read_case {
    gp_arena *arena;
    gp_diags diags;
    gp_catalog *catalog;
    gp_spec spec;
    gp_plan_document *plan; /* the first, or NULL */
    gp_status st;
} read_case;

/* Reads `text`, adds its Catalog documents, and resolves its plans. */
read_case read_text(const char *text);
read_case read_text_with(const char *text, const gp_override *overrides, size_t count);
/* A plan whose spec is one pool of two dgx-h200 and what `spec` adds (indented by two). */
read_case read_spec(const char *spec);
void read_done(read_case *c);
/* Ids of the diagnostics, in order: "GP1003 GP1010". */
const char *read_ids(read_case *c);
/* The diagnostics as people read them. */
const char *read_messages(read_case *c);

#endif
