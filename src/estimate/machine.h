/* Machines from the catalogue's rows: what the files of this floor share. */
#ifndef GP_ESTIMATE_MACHINE_H
#define GP_ESTIMATE_MACHINE_H

#include <gpuplan/estimate.h>

/* Peaks and efficiencies of machine->gpu. */
void gp_machine_rates(const gp_machine_rows *rows, gp_machine *machine);

#endif
