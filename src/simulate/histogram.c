/*
 * Quantiles of values that span many orders, in fixed memory: a value falls into the part of its
 * octave that the leading bits of its mantissa name, and a quantile is interpolated inside a part.
 */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "simulate/sim.h"

enum {
    LEAST_EXPONENT = -20, /* 2^-20 s */
    MANTISSA_BITS = 52,
    PART_BITS = 8, /* GP_OCTAVE_PARTS */
    BIAS = 1023,
    EXPONENT_MASK = 0x7ff
};

/* -1: below the first octave. */
static int bin_of(double value) {
    uint64_t bits = 0;
    if (!(value > 0))
        return -1;
    memcpy(&bits, &value, sizeof bits);
    int exponent = (int)((bits >> MANTISSA_BITS) & EXPONENT_MASK) - BIAS;
    int part = (int)((bits >> (MANTISSA_BITS - PART_BITS)) & (GP_OCTAVE_PARTS - 1));
    int octave = exponent - LEAST_EXPONENT;
    if (octave < 0)
        return -1;
    return octave < GP_OCTAVES ? octave * GP_OCTAVE_PARTS + part : GP_OCTAVES * GP_OCTAVE_PARTS - 1;
}

void gp_histogram_add(gp_histogram *histogram, double value) {
    int bin = bin_of(value);
    if (histogram->count == 0 || value < histogram->min)
        histogram->min = value;
    if (histogram->count == 0 || value > histogram->max)
        histogram->max = value;
    histogram->count++;
    histogram->sum += value;
    if (bin < 0) {
        histogram->below++;
    } else {
        histogram->bins[bin]++;
    }
}

static double bin_low(int bin) {
    int octave = bin / GP_OCTAVE_PARTS + LEAST_EXPONENT;
    double part = (double)(bin % GP_OCTAVE_PARTS) / GP_OCTAVE_PARTS;
    return gp_num_pow(2, (double)octave) * (1 + part);
}

/* Where a walk through the parts stands: values in those before. */
typedef struct walked {
    int bin;
    double seen;
} walked;

/* By nearest rank, spread evenly over its part; of larger shares one after another. */
static double quantile(const gp_histogram *histogram, double share, walked *at) {
    const double rank = share * (double)histogram->count;
    if (rank <= (double)histogram->below)
        return histogram->min;
    for (; at->bin < GP_OCTAVES * GP_OCTAVE_PARTS; at->bin++) {
        const double here = (double)histogram->bins[at->bin];
        if (here > 0 && at->seen + here >= rank) {
            const double low = bin_low(at->bin);
            const double value = low + (bin_low(at->bin + 1) - low) * (rank - at->seen) / here;
            return gp_num_min(gp_num_max(value, histogram->min), histogram->max);
        }
        at->seen += here;
    }
    return histogram->max;
}

void gp_histogram_spread(const gp_histogram *histogram, gp_simulation_spread *ret) {
    *ret = (gp_simulation_spread){.count = histogram->count};
    if (histogram->count == 0)
        return;
    const int least = bin_of(histogram->min);
    walked at = {.bin = least > 0 ? least : 0, .seen = (double)histogram->below};
    ret->mean = histogram->sum / (double)histogram->count;
    ret->min = histogram->min;
    ret->max = histogram->max;
    ret->p50 = quantile(histogram, 0.5, &at);
    ret->p90 = quantile(histogram, 0.9, &at);
    ret->p95 = quantile(histogram, 0.95, &at);
    ret->p99 = quantile(histogram, 0.99, &at);
}
