/* Fitting the free constants to measured runs. */
#ifndef GP_FIT_REFIT_H
#define GP_FIT_REFIT_H

#include "fit/free.h"

/* Fits to all points, from the priors; the fitter's constants are the fitted ones afterwards. */
gp_status gp_refit(gp_fitter *fitter, const gp_fit_point *points, size_t count,
                   gp_free_list *ret_list);
/* The estimate of each of the first `judged` points by constants fitted without the points that
 * share its key of that kind; NAN where it has none. The fitter's constants are left changed. */
gp_status gp_refit_left_out(gp_fitter *fitter, const gp_fit_point *points, size_t count,
                            size_t judged, gp_leave_out kind, double *ret_estimates);

/* Reads further tables and adds the points of their strict rows to a list. */
gp_status gp_fit_collect(gp_fitter *fitter, const gp_text *const *texts, size_t text_count,
                         gp_fit_point **ret_points, size_t *ret_count);

#endif
