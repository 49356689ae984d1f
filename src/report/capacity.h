/*
 * What a site and its cluster hold, told: machines of each kind that fit, how far the demands of
 * the workloads may go on them, the limit that binds and the one behind it. Everything is owned by
 * the arena it was made in.
 */
#ifndef GP_REPORT_CAPACITY_H
#define GP_REPORT_CAPACITY_H

#include <gpuplan/report.h>

struct gp_capacity;

/* What keeps a number from being larger. */
typedef struct gp_report_holder {
    const char *bound_by; /* as in a verdict */
    const char *path;     /* of the spec; NULL: --gpus, or no limit */
    const char *workload; /* that no number of machines would help; NULL: none */
    double limit;         /* in `unit`; NaN: it has none */
    const char *unit;
    gp_dim dim; /* not written */
} gp_report_holder;

typedef struct gp_report_capacity_limit {
    const char *bound_by, *path;
    double used, limit; /* `used`: by what stands */
    const char *unit;
    gp_dim dim; /* not written */
} gp_report_capacity_limit;

typedef struct gp_report_capacity_demand {
    const char *workload; /* NULL: all of them together */
    const char *measure;  /* factor | rate | requests | runsPerWeek | runs */
    double today;         /* NaN: not stated */
    double most;          /* NaN: nothing binds */
    double factor;        /* most over today; NaN likewise */
    double peak_per_s;    /* rate: the peak that is planned for at `most` */
    int64_t machines, gpus;
    const gp_report_holder *binds, *next; /* NULL: nothing */
    double next_most;                     /* without the limit that binds; NaN: nothing binds */
    bool simulated;
} gp_report_capacity_demand;

typedef struct gp_report_capacity_row {
    const char *where;  /* declared | added | rented */
    const char *system; /* NULL: the declared cluster as it stands */
    const char *gpu;
    bool over;     /* what stands passes a limit already */
    bool unpriced; /* a budget is stated, and not all that is added has a price */
    int64_t added, machines, gpus, racks, switches;
    double it_power_w, facility_power_w, air_w, liquid_w;
    double memory_bytes, flops_per_s;
    double capital;
    const gp_report_holder *binds, *next;
    int64_t next_added;
    GP_LIST(gp_report_capacity_demand) demands;
} gp_report_capacity_row;

typedef struct gp_report_capacity {
    const char *schema_version;
    gp_report_tool tool;
    gp_report_inputs inputs;
    const char *plan;       /* metadata.name */
    const char *confidence; /* the edge by which demands are judged */
    const char *currency;
    int64_t most_gpus; /* of --gpus; absent where not given */
    GP_LIST(gp_report_capacity_limit) limits;
    GP_LIST(gp_report_capacity_row) rows;
} gp_report_capacity;

extern const gp_report_struct gp_report_capacity_type;

/* `inputs` is copied; its strings and lists are not. */
void gp_capacity_report(gp_arena *arena, const struct gp_capacity *capacity,
                        const gp_report_inputs *inputs, gp_report_capacity **ret_report);

#endif
