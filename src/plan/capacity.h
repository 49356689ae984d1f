/* What the files that fill a site share. */
#ifndef GP_PLAN_CAPACITY_H
#define GP_PLAN_CAPACITY_H

#include "plan/context.h"

/* Limits beyond those of a plan: on all GPUs, and on the machines that may be bought. */
enum {
    GP_CAPACITY_GPUS = GP_LIMIT_COUNT,
    GP_CAPACITY_MACHINES,
    GP_CAPACITY_LIMITS,
    GP_CAPACITY_NO_LIMIT = -1
};

/* A site while it is filled: with machines of one kind, or by demands that are run on them. */
typedef struct gp_fill {
    gp_plan_context *plan;
    gp_plan_spec spec;                  /* of the plan, whose limit on machines may be lifted */
    size_t unit;                        /* that may be bought; unit_count: none */
    int64_t most_gpus;                  /* 0: any */
    uint32_t lifted;                    /* a bit for each limit */
    bool lifted_limits[GP_LIMIT_COUNT]; /* the same of those of a plan */
    gp_inventory inventory;
    gp_allocation at;
    gp_case *asked;         /* as the spec has them */
    gp_workload *workloads; /* with what is asked of them now */
    gp_traffic_plan *rates; /* as the spec has them */
} gp_fill;

/* What a limit is about, for the report. */
gp_capacity_bound gp_fill_bound(const gp_fill *fill, int limit);
/* The limit that the last usage passes by the largest factor, those lifted aside. */
int gp_fill_passed(const gp_fill *fill);
/* --- capacity_demand.c: how far the demands of the workloads go on the machines of a row */
gp_status gp_fill_demands(gp_fill *fill, gp_capacity_row *row);

#endif
