/* What the inputs of terms are and where they came from; which terms a figure is. */
#ifndef GP_REPORT_SOURCE_H
#define GP_REPORT_SOURCE_H

#include "report/measure.h"

/* Fields, each once. */
typedef struct gp_ref_list {
    size_t count, capacity;
    gp_ref *items;
} gp_ref_list;
/* Adds what is a field and stands at something. */
void gp_ref_list_add(gp_arena *arena, gp_ref_list *list, const gp_ref *ref);
void gp_ref_list_add_trace(gp_arena *arena, gp_ref_list *list, const gp_trace *trace);
/* The weakest evidence among them. */
const char *gp_ref_list_basis(const gp_ref_list *list);
/* Nobody read this value at a primary source or stated it. */
bool gp_origin_is_unverified(const gp_origin *origin);

/* A term in words: estimate/terms.inc. */
typedef struct gp_term_text {
    const char *name; /* "stepTime" */
    const char *formula;
    const char *source;
    gp_dim dim; /* of its value */
} gp_term_text;
/* "unknown" for an id that is none. */
const gp_term_text *gp_term_text_of(gp_term_id id);

/* The value of a bound field as people read it; `value` points at it. */
const char *gp_field_text(gp_build *build, const gp_field *field, const void *value);
/* "h200-sxm.tdp", "data.sequenceLength", "memory.context" */
const char *gp_ref_name(gp_build *build, const gp_ref *ref);
void gp_source_of_number(gp_build *build, const gp_number *number, gp_report_source *ret_source);
void gp_source_of_ref(gp_build *build, const gp_trace *trace, const gp_ref *ref,
                      gp_report_source *ret_source);
/* Nobody gave the field and it stands at nothing. */
bool gp_ref_is_unused(const gp_ref *ref);
/* The recorded term, or NULL. */
const gp_term *gp_trace_find(const gp_trace *trace, gp_term_id id);
/* The inputs of a term, or the terms among them alone; fields that nobody gave and that stand at
 * nothing are left out. */
void gp_sources_of_term(gp_build *build, const gp_trace *trace, const gp_term *term,
                        bool terms_only, gp_report_source **ret_items, size_t *ret_count);

/* A figure of a workload and the term it is, or that it is computed from by `relation`. Several
 * rows of one path: the first that was recorded counts. */
typedef struct gp_figure_term {
    const char *path;
    gp_term_id term;
    const char *relation; /* NULL: the figure is the term */
} gp_figure_term;
extern const gp_figure_term gp_figure_terms[];
extern const size_t gp_figure_term_count;

/* Terms beneath a set of terms, each once, breadth first. */
typedef struct gp_term_set {
    size_t count;
    const gp_term *items[GP_TERM_COUNT];
    bool seen[GP_TERM_COUNT];
} gp_term_set;
void gp_term_set_add(gp_term_set *set, const gp_trace *trace, gp_term_id id);
/* Adds all that the terms in it rest on. */
void gp_term_set_close(gp_term_set *set, const gp_trace *trace);

#endif
