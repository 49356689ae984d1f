/* What the files share that size a demand on one kind of machine. */
#ifndef GP_PLAN_SIZE_H
#define GP_PLAN_SIZE_H

#include "plan/context.h"

/* Who is told of every way that is sized. */
typedef struct gp_sizing {
    gp_size_bounds in;
    bool counted; /* services are sized alone; what they do is not described */
    gp_size_sink *sink;
    void *to;
} gp_sizing;

/* --- lack.c; a bound NONE: there is enough */
gp_lack gp_lack_of_memory(const gp_memory *memory);
gp_lack gp_lack_of_supply(double have, double need, gp_dim dim, const char *why);
gp_lack gp_lack_of_machines(const gp_candidate *candidate, const gp_sizing *b);
/* Why spot machines do not carry it; NULL: nothing is against it. */
const char *gp_lack_spot(const gp_case *c, size_t unit);
/* --- size_train.c */
void gp_size_training(const gp_case *c, size_t unit, const gp_sizing *b);
/* The counts that are tried: all of the first few, then eight an octave. */
int64_t gp_size_next_count(int64_t count);
/* Bands of the times, of what is known of the run. */
void gp_train_fill_times(const gp_case *c, gp_candidate *ret);
/* --- size_serve.c */
void gp_size_serving(const gp_case *c, size_t unit, const gp_sizing *b);
/* One layout, sized for the demand and described. */
gp_candidate gp_size_row(const gp_case *c, size_t unit, const gp_serve_capability *found,
                         const gp_sizing *b);
/* What the replicas do under the load. */
void gp_serve_describe(const gp_case *c, size_t unit, const gp_serve_capability *found,
                       gp_candidate *ret);
/* What the candidate's layout does, its counts kept. */
void gp_serve_size_again(const gp_case *c, size_t unit, gp_candidate *candidate);

#endif
