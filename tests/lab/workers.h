/* Pools of a service as its operators write them: "4 prefill x (DP4 EP4) + 1 decode x (DP8 EP8)",
 * "1P + 1D, DEP16 each", "3 x TEP8". */
#ifndef GP_LAB_WORKERS_H
#define GP_LAB_WORKERS_H

#include <stdbool.h>

/* Replicas of one pool and what one of them is split into; 0: not said. */
typedef struct gp_lab_workers {
    double replicas;
    double tp, dp, ep;
} gp_lab_workers;

typedef enum gp_lab_role { GP_LAB_BOTH, GP_LAB_PREFILL, GP_LAB_DECODE, GP_LAB_ROLES } gp_lab_role;

/* Reads `text` (may be NULL) into one entry for each role: what is said of no pool goes to BOTH. */
void gp_lab_workers_read(const char *text, gp_lab_workers ret[GP_LAB_ROLES]);
/* The number of a cell for that role: "P4/D8" tells two; a range or two numbers without roles tell
 * none, and neither does a cell of the other role. */
double gp_lab_workers_cell(const char *cell, gp_lab_role role);
/* The number that a cell begins with, the mean of a range, "32K" in multiples of 1024; 0: none. */
double gp_lab_cell_number(const char *cell);

#endif
