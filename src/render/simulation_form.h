/* What the forms of a simulation share: its sentences, its tables, and its curves. */
#ifndef GP_RENDER_SIMULATION_FORM_H
#define GP_RENDER_SIMULATION_FORM_H

#include "render/table.h"

typedef enum gp_simulation_part {
    GP_SIMULATION_LATENCY,
    GP_SIMULATION_FIGURES,
    GP_SIMULATION_PART_COUNT
} gp_simulation_part;

/* "Simulation of chat: every goal is met." */
const char *gp_simulation_answer(gp_form_out *out, const gp_simulation *simulation);
void gp_simulation_table(gp_form_out *out, const gp_simulation *simulation, gp_simulation_part part,
                         gp_table *ret_table);

/* One curve over the run. */
typedef struct gp_curve_view {
    const char *title;
    const char *id; /* of its colour */
    const double *values;
    double top;           /* of its axis: at least the largest value */
    const char *top_text; /* as people read it */
} gp_curve_view;
enum { GP_CURVES_MAX = 5 };

/* The curves worth showing. */
size_t gp_simulation_curves(gp_form_out *out, const gp_simulation *simulation,
                            gp_curve_view ret_curves[GP_CURVES_MAX]);
/* The largest value of the pieces that the part [from, to) of the run's length touches. */
double gp_curve_peak(const gp_simulation_series *series, const double *values, double from,
                     double to);

void gp_simulation_plot(gp_form_out *out, const gp_simulation *simulation);
void gp_simulation_svg(gp_form_out *out, const void *result);
/* The same on a page. */
void gp_simulation_figure(gp_form_out *out, const gp_simulation *simulation);

#endif
