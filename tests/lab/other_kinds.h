/* Rows of other kinds of work as jobs; shared by the files that score them. */
#ifndef GP_LAB_OTHER_KINDS_H
#define GP_LAB_OTHER_KINDS_H

#include "lab/lab.h"

/* What a row of a model that makes pictures asks for; why it cannot be told, or NULL. */
const char *gp_other_picture(const gp_run_row *run, const gp_model *model, gp_traffic *traffic);
/* The engine by the name of its catalogue row; NULL: plain modules. */
const char *gp_other_engine(const gp_run_row *run);
void gp_other_formats(const gp_run_row *run, const gp_machine *machine, gp_serve_job *job);
/* The job of one window of sound; of its unit, what one window counts. */
double gp_other_speech(const gp_run_row *run, const gp_model *model, const gp_constants *constants,
                       gp_serve_job *job);

/* --- other_left.c: the level of every class without the rows that are left out */
void gp_lab_leave_levels(gp_fitter *fitter, gp_fit_rows *rows, gp_leave_out kind);

#endif
