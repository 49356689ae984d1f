/* The numbers beneath an explanation, measured. */
#ifndef GP_REPORT_EXPLAIN_NUMBERS_H
#define GP_REPORT_EXPLAIN_NUMBERS_H

#include "report/source.h"

enum { GP_NO_PLACE = -1 };

/* Where the figures and terms of an explanation are read. */
typedef struct gp_explained_from {
    const gp_explanation *out;
    const char *workload;     /* NULL: of the site */
    const gp_term_set *terms; /* of a workload: those of out->terms */
    const char *const *paths; /* of the site, likewise: the figures that they are */
    int place;                /* of several sites; GP_NO_PLACE: of the plan as a whole */
} gp_explained_from;

/* Fills out->numbers. `build` is of the plan as it was made. */
void gp_explain_numbers(gp_build *build, const gp_explained_from *from, gp_explanation *out);
/* Looks at a plan and its figures as one of its sites does; nothing with GP_NO_PLACE. */
void gp_explain_view(gp_build *build, int place);

#endif
