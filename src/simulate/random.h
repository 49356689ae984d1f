/* Random numbers of our own: xoshiro256** from splitmix64 seeds, the same bits on every machine. */
#ifndef GP_SIMULATE_RANDOM_H
#define GP_SIMULATE_RANDOM_H

#include <stdint.h>

typedef struct gp_random {
    uint64_t state[4];
} gp_random;

/* Streams of one seed are independent of each other: what draws from one does not move another. */
void gp_random_init(gp_random *random, uint64_t seed, uint64_t stream);
/* In (0, 1), both ends excluded. */
double gp_random_unit(gp_random *random);
/* Mean 1. */
double gp_random_exponential(gp_random *random);
double gp_random_normal(gp_random *random);
/* Mean 1, with the coefficient of variation given. */
double gp_random_gamma(gp_random *random, double cv);
/* 0 .. count - 1 */
int64_t gp_random_below(gp_random *random, int64_t count);

#endif
