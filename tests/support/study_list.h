/* A study whose points are a list. */
#ifndef SUPPORT_STUDY_LIST_H
#define SUPPORT_STUDY_LIST_H

#include "report/study.h"

typedef struct study_cursor {
    const gp_study *study;
    size_t at;
} study_cursor;

static inline gp_status study_to_first(void *of) {
    study_cursor *c = of;
    c->at = 0;
    return GP_OK;
}

static inline gp_status study_next_listed(void *of, gp_arena *arena, gp_study_point *ret,
                                          bool *ret_more) {
    study_cursor *c = of;
    (void)arena;
    *ret_more = c->at < c->study->points.count;
    if (*ret_more)
        *ret = c->study->points.items[c->at++];
    return GP_OK;
}

/* Makes the study's own list the source of its points. */
static inline void study_from_list(gp_arena *arena, gp_study *study) {
    study_cursor *c = GP_NEW(arena, study_cursor);
    c->study = study;
    study->source = (gp_study_source){study_to_first, study_next_listed, c};
}

#endif
