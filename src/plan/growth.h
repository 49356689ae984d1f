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

enum {
    GP_LOSSES = 2,      /* of a way: of each pool, where prefill and decode are apart */
    GP_GROWTH_LOOKS = 4 /* later quarters that are planned for */
};

/* How a service runs under so many times today's demand, and what simulation takes off a replica
 * of each of its pools then. */
typedef struct gp_growth_look {
    double factor;
    gp_candidate way; /* not present: it has none */
    double loss[GP_LOSSES];
} gp_growth_look;

/* One of its ways, with what is known of it by demand. */
typedef struct gp_growth_way {
    gp_candidate way;
    double *loss[GP_LOSSES]; /* where it is kept; NULL: there is none */
    double was[GP_LOSSES];   /* as the plan of today knows it */
    gp_growth_look known[GP_GROWTH_LOOKS + 1];
    int known_count;
} gp_growth_way;

/* A workload over the horizon. */
typedef struct gp_growth_case {
    gp_growth_rate rates[GP_SCENARIO_COUNT];
    int64_t from;         /* first quarter it runs in, yyyymmdd */
    double start_s;       /* into the horizon */
    double end_s;         /* a run that ends; else HUGE_VAL */
    gp_candidate base;    /* as it is chosen today, or would be by itself when it arrives */
    gp_candidate now;     /* for the demand of a time, */
    double factor;        /* so many times today's; 0: not sized yet */
    gp_candidate *shares; /* of that, room for one at each of several sites */
    gp_growth_look **looks; /* by unit: of the quarters that are planned for; NULL: not yet */
    gp_growth_way *ways;    /* of a service, first that of its base; room for one of each look */
    int way_count;
} gp_growth_case;

/* Demands of later periods, planned as those of today are. */
typedef struct gp_growth_plan {
    gp_plan_context later; /* the plan with the cases of the horizon */
    gp_growth_case *cases; /* those of today, then those added later */
    gp_candidate **held;   /* of a plan that is held: by quarter and case; NULL: not worked out */
    gp_allocation at;      /* of one time */
    gp_inventory inventory;
    int64_t *stands;   /* by unit: machines there before the quarter that is planned */
    bool priced;       /* what was bought until then has prices */
    bool left_out;     /* but for some of its parts */
    double rent_per_s; /* of what `at` leaves to a cloud */
    double idle_too_few_s; /* from then on what stands idle of other kinds spares no purchase */
    int quarters;
} gp_growth_plan;

/* --- growth_ways.c: how a service runs under so many times today's demand */
/* Plans for so many demands of that workload, the least first, unless that is done. */
void gp_growth_learn(const gp_case *c, size_t index, const double *factors, int count,
                     gp_growth_case *g);
/* Its ways lose what they do under so many times today's demand, and then again what they do
 * today. */
void gp_growth_lose(const gp_growth_case *g, double factor);
void gp_growth_regain(const gp_growth_case *g);
/* The fewest machines of its kind for `g->factor` times today's demand, in a way that is known. */
void gp_growth_fewest(const gp_case *later, const gp_growth_case *g, gp_candidate *ret);
/* --- memory.c: what a plan that was tried beside this one found of it, to be filled where nothing
 * is known */
gp_growth_look *gp_memory_look(const gp_case *c, size_t index, size_t unit, double factor,
                               bool *ret_known);
/* --- growth.c */
double gp_growth_seconds(int64_t quarters);
/* First day of the quarter so many after the start. */
int64_t gp_growth_quarter(const gp_plan_context *plan, int64_t quarters);
/* A date so long before another, by whole days. */
int64_t gp_growth_before(int64_t date, double seconds);
/* The quarter of the plan that is held; NULL: none is. */
const gp_growth_row *gp_growth_held(const gp_plan_context *plan, int64_t quarter);
bool gp_growth_is_stated(const gp_plan_context *plan, gp_scenario s);
/* What stands before the first quarter; and after one, with what `at` bought. */
void gp_growth_start(const gp_plan_context *plan, gp_growth_plan *growth);
void gp_growth_stay(gp_growth_plan *growth);
/* What the demand of a time takes beside what stands already: fills `at` with ledger and usage.
 * Returns what some demand lacks, or NONE. */
gp_bound gp_growth_at(gp_growth_plan *growth, gp_scenario s, double seconds, int64_t quarter);

/* --- growth_idle.c */
/* Chooses anew for what `at` would buy machines for while others stand idle, or may not buy them;
 * false where that spares none of them. `lacking`: what some demand lacks, for `gp_growth_at`. */
bool gp_growth_use_idle(gp_growth_plan *growth, double seconds, gp_bound *lacking);

/* A workload of today as it is chosen, and how it grows. */
void gp_growth_today(gp_growth_plan *growth, const gp_case *c, size_t i, const gp_allocation *best);
/* --- growth_rent.c: what is rented since no limit of the site leaves room for it */
/* All that was bought by then has a price. */
bool gp_growth_is_priced(const gp_growth_plan *growth);
/* Down to the last part. */
bool gp_growth_is_whole(const gp_growth_plan *growth);
bool gp_growth_exceeds(double used, double limit);
/* What stands by then, with what is planned for `at`, passes a limit of the site. */
bool gp_growth_passes(const gp_growth_plan *growth);
/* What `at` would buy is rented, as in the quarter of a plan that is held, if any: sets the rent of
 * the row. */
bool gp_growth_rents(const gp_growth_plan *growth, const gp_growth_row *held, gp_growth_row *row);
/* Takes what `at` would buy out of it again. */
void gp_growth_buy_nothing(gp_growth_plan *growth);

#endif
