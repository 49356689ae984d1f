/*
 * What the terms of the estimators mean: the formula in words and where it comes from. Each family
 * of estimators has its table; term.c joins them with names and dimensions.
 */
#ifndef GP_REPORT_TERM_TEXTS_H
#define GP_REPORT_TERM_TEXTS_H

#include "estimate/estimate.h"

typedef struct gp_term_text {
    gp_term_id id;
    const char *formula;
    const char *source;
} gp_term_text;

extern const gp_term_text gp_term_texts_training[];
extern const size_t gp_term_texts_training_count;
extern const gp_term_text gp_term_texts_rl[];
extern const size_t gp_term_texts_rl_count;
extern const gp_term_text gp_term_texts_serving[];
extern const size_t gp_term_texts_serving_count;

/* "stepTime"; "unknown" for an id that is none. */
const char *gp_term_name(gp_term_id id);
gp_dim gp_term_dim(gp_term_id id);
/* The row with this id, or NULL. */
const gp_term_text *gp_term_text_of(gp_term_id id);

#endif
