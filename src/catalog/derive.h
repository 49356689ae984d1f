/* Figures of catalogue rows and of what a spec writes out that follow from others of the same
 * thing; each gets origin DERIVED. Figures that cannot be derived stay absent. */
#ifndef GP_CATALOG_DERIVE_H
#define GP_CATALOG_DERIVE_H

#include "catalog/catalog.h"

/* Usable memory: the nameplate where the driver's figure is not known. */
void gp_gpu_derive(gp_gpu *gpu);
/* The scale-up domain: all GPUs of the system, at most what the part is built for. */
void gp_system_derive(gp_system *system);
/* Key-value heads as query heads, head width as hidden / heads, norms and first dense layers. */
void gp_model_derive(gp_model *model);

#endif
