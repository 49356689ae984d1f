/*
 * xoshiro256** (Blackman and Vigna 2018) and what is drawn from it. Logarithms and exponentials are
 * those of base/num.h, so that a seed gives the same run everywhere.
 */
#include "simulate/random.h"

#include <math.h>

#include "base/num.h"

static uint64_t splitmix(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void gp_random_init(gp_random *random, uint64_t seed, uint64_t stream) {
    uint64_t state = seed;
    uint64_t mixed = splitmix(&state) ^ (stream + 1) * UINT64_C(0xd1342543de82ef95);
    for (int i = 0; i < 4; i++)
        random->state[i] = splitmix(&mixed);
}

static uint64_t rotate(uint64_t value, int by) {
    return (value << by) | (value >> (64 - by));
}

static uint64_t random_next(gp_random *random) {
    uint64_t *s = random->state;
    uint64_t result = rotate(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate(s[3], 45);
    return result;
}

double gp_random_unit(gp_random *random) {
    enum { DROPPED_BITS = 12 }; /* 52 are left: with the half added, every value is exact */
    double steps = (double)(random_next(random) >> DROPPED_BITS) + 0.5;
    return steps / (double)((uint64_t)1 << (64 - DROPPED_BITS));
}

double gp_random_exponential(gp_random *random) {
    return -gp_num_log(gp_random_unit(random));
}

/* Marsaglia's polar method; the second of its two values is not kept. */
double gp_random_normal(gp_random *random) {
    for (;;) {
        double u = 2 * gp_random_unit(random) - 1;
        double v = 2 * gp_random_unit(random) - 1;
        double s = u * u + v * v;
        if (s > 0 && s < 1)
            return u * sqrt(-2 * gp_num_log(s) / s);
    }
}

/* Marsaglia and Tsang 2000, of shape >= 1. */
static double gamma_of_shape(gp_random *random, double shape) {
    const double third = 1.0 / 3;
    double d = shape - third;
    double c = third / sqrt(d);
    for (;;) {
        double x = gp_random_normal(random);
        double v = 1 + c * x;
        if (!(v > 0))
            continue;
        v = v * v * v;
        if (gp_num_log(gp_random_unit(random)) < 0.5 * x * x + d - d * v + d * gp_num_log(v))
            return d * v;
    }
}

double gp_random_gamma(gp_random *random, double cv) {
    if (!(cv > 0))
        return 1;
    double shape = 1 / (cv * cv);
    if (shape >= 1)
        return gamma_of_shape(random, shape) / shape;
    double boost = gp_num_exp(gp_num_log(gp_random_unit(random)) / shape);
    return gamma_of_shape(random, shape + 1) * boost / shape;
}

int64_t gp_random_below(gp_random *random, int64_t count) {
    if (count <= 1)
        return 0;
    int64_t at = (int64_t)(gp_random_unit(random) * (double)count);
    return at < count ? at : count - 1;
}
