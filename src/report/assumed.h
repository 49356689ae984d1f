/* The list of assumptions: its order, and each value once for all workloads that it holds for. */
#ifndef GP_REPORT_ASSUMED_H
#define GP_REPORT_ASSUMED_H

#include <gpuplan/report.h>

/* How much an answer moves with a field: low, medium, high. */
const char *gp_leverage_of(const char *path);
/* Sorts the assumptions of a report and makes the list that is written of them. */
void gp_assumptions_fold(gp_arena *arena, gp_report *report);
/* Makes them again from that list; false where a workload refers to what is not in it. */
bool gp_assumptions_unfold(gp_arena *arena, gp_report *report);

#endif
