/* Joins the estimators' terms with their names, dimensions, formulas and sources. */
#include "report/term_texts.h"

typedef struct term_row {
    const char *name;
    gp_dim dim;
} term_row;

static const term_row rows[GP_TERM_COUNT] = {
#define TERM_ROW(id, text, unit) [GP_TERM_##id] = {text, unit},
    GP_TERMS(TERM_ROW)
#undef TERM_ROW
};

const char *gp_term_name(gp_term_id id) {
    return (size_t)id < GP_TERM_COUNT ? rows[id].name : "unknown";
}

gp_dim gp_term_dim(gp_term_id id) {
    return (size_t)id < GP_TERM_COUNT ? rows[id].dim : GP_DIM_NONE;
}

static const gp_term_text *find(const gp_term_text *texts, size_t count, gp_term_id id) {
    for (size_t i = 0; i < count; i++)
        if (texts[i].id == id)
            return &texts[i];
    return NULL;
}

const gp_term_text *gp_term_text_of(gp_term_id id) {
    const gp_term_text *text = find(gp_term_texts_training, gp_term_texts_training_count, id);
    if (text == NULL)
        text = find(gp_term_texts_rl, gp_term_texts_rl_count, id);
    if (text == NULL)
        text = find(gp_term_texts_serving, gp_term_texts_serving_count, id);
    return text;
}
