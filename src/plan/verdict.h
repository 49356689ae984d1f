/* What the files that read verdicts off an allocation share. */
#ifndef GP_PLAN_VERDICT_H
#define GP_PLAN_VERDICT_H

#include "plan/context.h"

/* What is left of the cluster for a workload. */
typedef struct gp_baseline {
    bool greenfield;
    size_t unit;
    int64_t nodes; /* whole machines left */
    int64_t gpus;  /* GPUs left */
} gp_baseline;

typedef struct gp_verdict {
    gp_baseline baseline;
    gp_scale scale;
    gp_bound bound_by;
    gp_candidate current, chosen, vertical, horizontal;
    bool likely; /* what is declared is enough by the expected values alone */
} gp_verdict;

/* The choice, the same without purchases, and room to try others in. */
typedef struct gp_verdicts {
    gp_plan_context *plan;
    const gp_inventory *inventory, *narrow;
    gp_allocation *today, *best, *scratch;
    gp_baseline *baselines;      /* by case */
    gp_trace *trace;             /* scratch */
    gp_options *tried;           /* likewise */
    bool *lifted;                /* likewise, by limit */
    gp_unit_capability *cache;   /* likewise, of workloads with something changed */
    gp_software_change *changes; /* likewise, of one of them */
} gp_verdicts;

/* --- verdicts.c */
void gp_verdicts_of(gp_plan_context *plan, const gp_inventory *narrow, gp_allocation *today,
                    gp_allocation *best);
/* --- verdict.c: one workload */
void gp_verdict_of(const gp_verdicts *v, size_t i, gp_verdict *ret);
/* All kinds that may be had, each with the workload placed there and all others where they are. */
void gp_verdict_kinds(const gp_verdicts *v, size_t i);
/* The lifted limits that what is tried passes, the one that is passed by the most first. */
const gp_lack *gp_verdict_passed(const gp_verdicts *v);
/* What is tried fits with what is built at once for the horizon where it stands. */
bool gp_verdict_holds_built(const gp_verdicts *v, const gp_inventory *inventory);
gp_scale gp_verdict_scale(const gp_plan_context *plan, const gp_baseline *baseline,
                          const gp_allocation *a, size_t i);
/* With the candidate that it is placed as without purchases; NULL: it finds no place so. */
gp_baseline gp_verdict_baseline(const gp_verdicts *v, size_t i, const gp_candidate *placed);
/* The machines of a baseline, with one that has some GPUs left. */
gp_size_bounds gp_verdict_within(const gp_plan_context *plan, const gp_baseline *baseline);
/* Takes out what changes more than scaling.allow names. */
void gp_verdict_keep_allowed(const gp_plan_context *plan, const gp_case *c,
                             const gp_baseline *baseline, gp_options *options);
/* --- settle.c */
/* What is there does not hold all: those that stay there have it today, too, and others what they
 * leave. */
void gp_settle_today(gp_plan_context *plan, const gp_inventory *narrow, gp_allocation *best,
                     gp_allocation *today);
/* --- bottleneck.c */
gp_bound gp_bound_of_verdict(const gp_case *c, gp_scale scale, const gp_candidate *current,
                             const gp_candidate *chosen);
/* --- finish.c: everything about one workload that follows from its verdict */
void gp_workload_finish(const gp_verdicts *v, size_t i, const gp_verdict *verdict);
/* --- flip.c, software.c */
void gp_flip_of(const gp_verdicts *v, size_t i, const gp_verdict *verdict, gp_flip *ret_flip);
void gp_software_changes(const gp_verdicts *v, size_t i, const gp_verdict *verdict);
/* --- need.c: what the need is made of, step by step */
void gp_need_steps_of(const gp_verdicts *v, size_t i);

#endif
