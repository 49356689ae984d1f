/*
 * Distributions of prompt and answer lengths: log-normal through a mean and a 95th percentile, two
 * lengths where no log-normal has both, or a published shape as quantiles over the mean, straight
 * lines between them.
 */
#include <math.h>

#include "base/num.h"
#include "simulate/sim.h"

static const double levels[GP_LENGTH_LEVELS] = {0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1};
/* Quantiles of the normal distribution. */
static const double normal_p95 = 1.6448536269514722;
static const double normal_p999 = 3.090232306167813;
/* A little more than one in twenty, so that the 95th percentile is one of the longer. */
static const double longer_share = 0.06;

gp_lengths gp_lengths_fixed(double mean) {
    return (gp_lengths){.kind = GP_LENGTHS_FIXED, .mean = mean};
}

gp_lengths gp_lengths_exponential(double mean) {
    return (gp_lengths){.kind = GP_LENGTHS_EXPONENTIAL, .mean = mean};
}

/* The mean leaves the shorter what the longer do not take of it. */
static gp_lengths of_two(double mean, double p95) {
    const double share = gp_num_min(longer_share, mean / p95);
    return (gp_lengths){.kind = GP_LENGTHS_TWO,
                        .mean = mean,
                        .longer = p95,
                        .shorter = (mean - share * p95) / (1 - share),
                        .longer_share = share};
}

/* p95 / mean = exp(z s - s^2 / 2), solved for the smaller s. */
gp_lengths gp_lengths_through(double mean, double p95) {
    if (!(mean > 0) || !(p95 > mean))
        return gp_lengths_fixed(mean);
    const double square = normal_p95 * normal_p95 - 2 * gp_num_log(p95 / mean);
    if (square < 0)
        return of_two(mean, p95);
    const double sigma = normal_p95 - sqrt(square);
    return (gp_lengths){
        .kind = GP_LENGTHS_LOGNORMAL,
        .mean = mean,
        .sigma = sigma,
        .mu = gp_num_log(mean) - 0.5 * sigma * sigma,
    };
}

double gp_lengths_cv2(const gp_lengths *lengths) {
    const double apart = (lengths->longer - lengths->shorter) / lengths->mean;
    if (lengths->kind == GP_LENGTHS_TWO)
        return lengths->longer_share * (1 - lengths->longer_share) * apart * apart;
    return gp_num_exp(lengths->sigma * lengths->sigma) - 1;
}

/* Scaled so that the straight lines between the quantiles have the mean asked for. */
static gp_lengths of_shape(const double *over_mean, double mean) {
    gp_lengths lengths = {.kind = GP_LENGTHS_QUANTILES, .mean = mean};
    double sum = 0;
    for (int i = 1; i < GP_LENGTH_LEVELS; i++)
        sum += 0.5 * (over_mean[i - 1] + over_mean[i]) * (levels[i] - levels[i - 1]);
    if (!(sum > 0))
        return gp_lengths_fixed(mean);
    for (int i = 0; i < GP_LENGTH_LEVELS; i++)
        lengths.quantiles[i] = over_mean[i] / sum * mean;
    return lengths;
}

gp_lengths gp_lengths_input(const gp_constants *k, double mean) {
    const double shape[GP_LENGTH_LEVELS] = {
        k->simulate_input_least, k->simulate_input_p10, k->simulate_input_p25,
        k->simulate_input_p50,   k->simulate_input_p75, k->simulate_input_p90,
        k->simulate_input_p95,   k->simulate_input_p99, k->simulate_input_most};
    return of_shape(shape, mean);
}

gp_lengths gp_lengths_output(const gp_constants *k, double mean) {
    const double shape[GP_LENGTH_LEVELS] = {
        k->simulate_output_least, k->simulate_output_p10, k->simulate_output_p25,
        k->simulate_output_p50,   k->simulate_output_p75, k->simulate_output_p90,
        k->simulate_output_p95,   k->simulate_output_p99, k->simulate_output_most};
    return of_shape(shape, mean);
}

static double by_quantile(const double *quantiles, double u) {
    int i = 1;
    while (i < GP_LENGTH_LEVELS - 1 && u > levels[i])
        i++;
    double share = (u - levels[i - 1]) / (levels[i] - levels[i - 1]);
    return quantiles[i - 1] + share * (quantiles[i] - quantiles[i - 1]);
}

double gp_lengths_long(const gp_lengths *lengths) {
    const double level = 0.999;
    switch (lengths->kind) {
    case GP_LENGTHS_FIXED: break;
    case GP_LENGTHS_TWO: return lengths->longer;
    case GP_LENGTHS_LOGNORMAL: return gp_num_exp(lengths->mu + lengths->sigma * normal_p999);
    case GP_LENGTHS_EXPONENTIAL: return -lengths->mean * gp_num_log(1 - level);
    case GP_LENGTHS_QUANTILES: return by_quantile(lengths->quantiles, level);
    }
    return lengths->mean;
}

double gp_lengths_draw(const gp_lengths *lengths, gp_random *random) {
    if (!(lengths->mean > 0))
        return 0;
    switch (lengths->kind) {
    case GP_LENGTHS_FIXED: break;
    case GP_LENGTHS_TWO:
        return gp_random_unit(random) < lengths->longer_share ? lengths->longer : lengths->shorter;
    case GP_LENGTHS_LOGNORMAL:
        return gp_num_exp(lengths->mu + lengths->sigma * gp_random_normal(random));
    case GP_LENGTHS_EXPONENTIAL: return lengths->mean * gp_random_exponential(random);
    case GP_LENGTHS_QUANTILES: return by_quantile(lengths->quantiles, gp_random_unit(random));
    }
    return lengths->mean;
}
