/*
 * What a site and its cluster hold, told: machines of each kind that fit, how far the demands of
 * the workloads may go on them, the limit that binds and the one behind it. Everything is owned by
 * the arena it was made in.
 */
#ifndef GP_REPORT_CAPACITY_H
#define GP_REPORT_CAPACITY_H

#include <gpuplan/report.h>

struct gp_capacity;

#define GP_ROWS "report/capacity.def"
#include <gpuplan/rows.def>

/* `inputs` is copied; its strings and lists are not. */
void gp_capacity_report(gp_arena *arena, const struct gp_capacity *capacity,
                        const gp_report_inputs *inputs, gp_report_capacity **ret_report);

#endif
