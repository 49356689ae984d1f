/* Layouts that a search did not take, kept for whoever asks why; for search_train.c. */
#ifndef GP_PLAN_TRAIN_TRIED_H
#define GP_PLAN_TRAIN_TRIED_H

#include "plan/context.h"

enum { GP_TRIED_LISTS = 3, GP_TRIED_LIST_MAX = 8 };

typedef struct gp_tried_row {
    gp_layout_tried row;
    double rank;           /* the smaller, the sooner it is told */
    double per_sequence_s; /* its step over the sequences of one */
} gp_tried_row;

/* Those that fit, those that are short of room, those that a rule refuses. */
typedef struct gp_tried_lists {
    int count[GP_TRIED_LISTS];
    gp_tried_row rows[GP_TRIED_LISTS][GP_TRIED_LIST_MAX];
} gp_tried_lists;

/* Keeps the row if it is among the best of its kind; one of each set of degrees. */
void gp_tried_keep(gp_tried_lists *lists, const gp_tried_row *row);
/* The lists as one: the best first, then what fits, what does not, what is not launched. */
int gp_tried_join(const gp_tried_lists *lists, gp_layout_tried ret[GP_TRIED_MAX]);

#endif
