/* What the files that plan growth share. */
#ifndef GP_PLAN_GROWTH_H
#define GP_PLAN_GROWTH_H

#include "plan/context.h"

typedef enum gp_scenario {
    GP_SCENARIO_EXPECTED,
    GP_SCENARIO_LOW,
    GP_SCENARIO_HIGH,
    GP_SCENARIO_COUNT
} gp_scenario;

typedef struct gp_growth_rate {
    double per_period; /* 8%/mo: 0.08 */
    double period_s;
} gp_growth_rate;

/* A workload over the horizon. */
typedef struct gp_growth_case {
    gp_case c;
    size_t unit;
    gp_growth_rate rates[GP_SCENARIO_COUNT];
    int64_t from;       /* first quarter it runs in */
    double end_s;       /* a job that ends: after the start of the horizon; else HUGE_VAL */
    bool counted;       /* has a unit to grow on */
    gp_candidate fixed; /* sized once, where its demand does not grow; else absent */
} gp_growth_case;

typedef struct gp_growth_plan {
    size_t case_count; /* those of today, then those added later */
    gp_growth_case *cases;
    gp_unit_load *loads; /* room for one per unit */
    int64_t *need;       /* likewise */
} gp_growth_plan;

/* So many quarters after the start of the horizon. */
double gp_growth_seconds(int64_t quarters);
/* A date so long before another, by whole days. */
int64_t gp_growth_before(int64_t date, double seconds);
/* Machines by unit that are there or that the plan buys or rents today. */
void gp_growth_start(const gp_plan_context *plan, int64_t *have);
/* Adds what the demand at a time takes beyond `have`, by unit and in whole modules. */
void gp_growth_stand(const gp_plan_context *plan, gp_scenario s, double seconds, int64_t quarter,
                     int64_t *have);
/* The same for a need that is known. */
void gp_growth_raise(const gp_plan_context *plan, const int64_t *need, int64_t *have);
/* What stands in a quarter, and what was bought for it beyond `before`. */
void gp_growth_count(const gp_plan_context *plan, const int64_t *before, bool first,
                     gp_growth_row *row);
/* Power, heat and racks of machines by unit with their fabrics as built. */
void gp_growth_usage(const gp_plan_context *plan, const int64_t *have, gp_limits *ret_usage);

#endif
