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

typedef enum gp_render_object {
    GP_RENDER_REPORTS,
    GP_RENDER_EXPLANATION,
    GP_RENDER_SWEEP
} gp_render_object;

/* Whether there is such a form of the object; the calls below return NOT_FOUND where not. */
bool gp_renderer_takes(const gp_renderer *renderer, gp_render_object object);
gp_status gp_render_explanation(gp_arena *arena, const gp_renderer *renderer,
                                const gp_explanation *explanation, const gp_render_options *options,
                                const char **ret_text, size_t *ret_len);
gp_status gp_render_sweep(gp_arena *arena, const gp_renderer *renderer, const gp_sweep *sweep,
                          const gp_render_options *options, const char **ret_text, size_t *ret_len);

/* Comparisons in the form "text", "json" or "markdown"; NOT_FOUND for another. Markdown starts with
 * a hidden marker by which a comment is found again, and leaves out whole sections rather than
 * pass options->max_bytes. */
gp_status gp_render_diff(gp_arena *arena, const char *form, const gp_diff *const *diffs,
                         size_t count, const gp_render_options *options, const char **ret_text,
                         size_t *ret_len);

/* A backtest in the form "text", "json", "markdown" or "csv"; NOT_FOUND for another. Width 0: 160
 * columns. */
gp_status gp_render_backtest(gp_arena *arena, const char *form, const gp_backtest *backtest,
                             const gp_render_options *options, const char **ret_text,
                             size_t *ret_len);

/* The forms of a simulation, NULL-terminated: text, json, csv, markdown, html, svg. */
extern const char *const gp_simulation_forms[];
/* The form that a file's extension names, or NULL. */
const char *gp_simulation_form_for_file(const char *path);
gp_status gp_render_simulation(gp_arena *arena, const char *form, const gp_simulation *simulation,
                               const gp_render_options *options, const char **ret_text,
                               size_t *ret_len);

/* The forms of a study, NULL-terminated: text, json, csv, markdown, html. */
extern const char *const gp_study_forms[];
/* The form that a file's extension names, or NULL. */
const char *gp_study_form_for_file(const char *path);
gp_status gp_render_study(gp_arena *arena, const char *form, const gp_study *study,
                          const gp_render_options *options, const char **ret_text, size_t *ret_len);

/* The forms of what a site holds, NULL-terminated: text, json, markdown. */
extern const char *const gp_capacity_forms[];
/* The form that a file's extension names, or NULL. */
const char *gp_capacity_form_for_file(const char *path);
gp_status gp_render_capacity(gp_arena *arena, const char *form, const gp_report_capacity *capacity,
                             const gp_render_options *options, const char **ret_text,
                             size_t *ret_len);

/* The forms of plan against reality, NULL-terminated: text, json, markdown, openmetrics, junit. */
extern const char *const gp_observation_forms[];
/* The form that a file's extension names, or NULL. */
const char *gp_observation_form_for_file(const char *path);
gp_status gp_render_observation(gp_arena *arena, const char *form,
                                const gp_observation *observation, const gp_render_options *options,
                                const char **ret_text, size_t *ret_len);

#endif
