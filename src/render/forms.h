/* Forms of all else that is told: explanations, comparisons, studies, simulations, observations. */
#ifndef GP_RENDER_FORMS_H
#define GP_RENDER_FORMS_H

#include <gpuplan/render.h>

#include "fit/backtest.h"
#include "report/capacity.h"
#include "report/diff.h"
#include "report/observe.h"
#include "report/produce.h"
#include "report/study.h"
#include "simulate/simulation.h"

/* The forms of a kind of result; each takes the struct that is named behind it. Comparisons start
 * in Markdown with a hidden marker by which a comment is found again, and leave out whole sections
 * rather than pass options->max_bytes. */
typedef struct gp_forms gp_forms;
extern const gp_forms gp_forms_report;      /* gp_report_list */
extern const gp_forms gp_forms_explanation; /* gp_explanation */
extern const gp_forms gp_forms_sweep;       /* gp_sweep */
extern const gp_forms gp_forms_diff;        /* gp_diff_list */
extern const gp_forms gp_forms_backtest;    /* gp_backtest */
extern const gp_forms gp_forms_simulation;  /* gp_simulation */
extern const gp_forms gp_forms_study;       /* gp_study */
extern const gp_forms gp_forms_capacity;    /* gp_report_capacity */
extern const gp_forms gp_forms_observation; /* gp_observation */

/* In the order they are listed to users; NULL past the last. */
const char *gp_forms_name(const gp_forms *forms, size_t index);
bool gp_forms_have(const gp_forms *forms, const char *form);
/* Whether a report in this form says where its figures come from. */
bool gp_forms_are_sourced(const gp_forms *forms, const char *form);
/* Whether it tells findings alone, also those of a gp_report_of_errors. */
bool gp_forms_are_gates(const gp_forms *forms, const char *form);
/* The form that a file's extension names, or NULL. */
const char *gp_forms_for_file(const gp_forms *forms, const char *path);
/* GP_ERR_NOT_FOUND for a form that is not among them. */
gp_status gp_forms_render(gp_arena *arena, const gp_forms *forms, const char *form,
                          const void *result, const gp_render_options *options,
                          const char **ret_text, size_t *ret_len);
/* "scale up", "memory bandwidth": a verdict and a resource as the forms call them. */
const char *gp_form_scale(const char *scale);
const char *gp_form_resource(gp_arena *arena, const char *key);
/* The same piece by piece: JSON and CSV of a study of any length take the memory of one point. */
gp_status gp_forms_put(gp_arena *arena, const gp_forms *forms, const char *form, const void *result,
                       const gp_render_options *options, gp_put *put, void *to);

#endif
