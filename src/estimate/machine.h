/* Machines from the catalogue's rows: what the files of this floor share. */
#ifndef GP_ESTIMATE_MACHINE_H
#define GP_ESTIMATE_MACHINE_H

#include "estimate/estimate.h"

/* Peaks and efficiencies of a GPU. */
void gp_gpu_rates_of(const gp_machine_rows *rows, const gp_gpu *gpu, gp_gpu_rates *ret_rates);

#endif
