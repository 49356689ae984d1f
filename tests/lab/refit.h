/* Fitting the free constants to measured runs. */
#ifndef GP_LAB_REFIT_H
#define GP_LAB_REFIT_H

#include "lab/free.h"

/* Fits to all points, from the priors; the fitter's constants are the fitted ones afterwards. */
gp_status gp_refit(gp_fitter *fitter, const gp_fit_point *points, size_t count,
                   gp_free_list *ret_list);
/* The estimate of each of the first `judged` points by constants fitted without the points that
 * share its key (NULL: of none); NAN where it has none. The fitter's constants are left changed. */
gp_status gp_refit_left_out(gp_fitter *fitter, const gp_fit_point *points, size_t count,
                            size_t judged, const char *const *keys, double *ret_estimates);

#endif
