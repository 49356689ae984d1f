/*
 * exp, log and pow in plain arithmetic with frexp and ldexp, which are exact. The C library's
 * versions differ in the last bit between systems; these do not. Reductions and series are the
 * textbook ones: x = m 2^e with m near 1, and Taylor series with exact coefficients.
 */
#include <math.h>
#include <string.h>

#include "base/num.h"

/* ln 2 in two parts; the first has 32 zero bits at its end, so a product with a small integer is
 * exact. */
static const double ln2_high = 0x1.62e42feep-1;
static const double ln2_low = 0x1.a39ef35793c76p-33;
static const double ln2_inverse = 0x1.71547652b82fep+0;
static const double sqrt_half = 0x1.6a09e667f3bcdp-1;

/* A double's bits: 52 of the fraction, above them the exponent by what it stands for at 1. */
enum { FRACTION_BITS = 52, EXPONENT_BIAS = 1023, EXPONENT_MASK = 0x7ff };

static uint64_t bits_of(double value) {
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double of_bits(uint64_t bits) {
    double value = 0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* frexp of a value above 0, by its bits where these are those of a normal number. */
static double split(double value, int *ret_exponent) {
    uint64_t bits = bits_of(value);
    int exponent = (int)(bits >> FRACTION_BITS) & EXPONENT_MASK;
    if (exponent == 0 || exponent == EXPONENT_MASK)
        return frexp(value, ret_exponent);
    *ret_exponent = exponent - EXPONENT_BIAS + 1;
    uint64_t half = (uint64_t)(EXPONENT_BIAS - 1) << FRACTION_BITS;
    return of_bits((bits & (((uint64_t)1 << FRACTION_BITS) - 1)) | half);
}

/* ldexp of a value near 1: a product with the power of two, exact unless it is too small. */
static double scaled(double value, int exponent) {
    if (exponent <= 1 - EXPONENT_BIAS || exponent > EXPONENT_BIAS)
        return ldexp(value, exponent);
    return value * of_bits((uint64_t)(exponent + EXPONENT_BIAS) << FRACTION_BITS);
}

/* The whole number below; the value is far from the limits of an int. */
static int below(double value) {
    int whole = (int)value;
    return whole > value ? whole - 1 : whole;
}

/* m in [sqrt 1/2, sqrt 2) and e with value = m 2^e. */
static double split_near_one(double value, int *ret_exponent) {
    double mantissa = split(value, ret_exponent);
    if (mantissa < sqrt_half) {
        mantissa *= 2;
        *ret_exponent -= 1;
    }
    return mantissa;
}

/* z (c[0] + z (c[1] + z (...))), the sum kept in quarters that do not wait for each other: a plain
 * Horner scheme is one long chain of multiplications. */
static inline double series(const double *c, double z) {
    double z2 = z * z, z4 = z2 * z2;
    double low = (c[0] + c[1] * z) + (c[2] + c[3] * z) * z2;
    double middle = (c[4] + c[5] * z) + (c[6] + c[7] * z) * z2;
    double high = (c[8] + c[9] * z) + (c[10] + c[11] * z) * z2;
    return z * (low + z4 * (middle + z4 * high));
}

/* With s = f/(2+f): log(1+f) = 2 (s + s^3/3 + s^5/5 + ...); |s| < 0.1716, so twelve terms reach
 * 2^-57. Returns the part of the series above 2s, divided by s. */
static inline double log_series(double s) {
    static const double odd[] = {2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11, 2.0 / 13,
                                 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21, 2.0 / 23, 2.0 / 25};
    return series(odd, s * s);
}

/* exponent ln 2 + log(mantissa), the large parts added last. 2s is written f - s f, and f^2/2 is
 * taken out of the series, which keeps the error of the quotient away from the leading digits. */
static inline double log_parts(double mantissa, int exponent) {
    double f = mantissa - 1;
    double s = f / (2 + f);
    double half_square = 0.5 * f * f;
    double tail = s * (half_square + log_series(s)) + exponent * ln2_low;
    return exponent * ln2_high - ((half_square - tail) - f);
}

double gp_num_log(double value) {
    if (isnan(value) || value < 0)
        return (double)NAN;
    if (!(value > 0))
        return -HUGE_VAL;
    if (isinf(value))
        return value;
    int exponent = 0;
    double mantissa = split_near_one(value, &exponent);
    return log_parts(mantissa, exponent);
}

double gp_num_log2(double value) {
    if (!(value > 0) || isinf(value))
        return gp_num_log(value);
    int exponent = 0;
    double mantissa = split_near_one(value, &exponent);
    return exponent + log_parts(mantissa, 0) * ln2_inverse;
}

double gp_num_exp(double value) {
    if (isnan(value))
        return value;
    if (value > 710)
        return HUGE_VAL;
    if (value < -746)
        return 0;
    int exponent = below(value * ln2_inverse + 0.5);
    double r = (value - exponent * ln2_high) - exponent * ln2_low;
    /* |r| <= 0.3466: 1 + r + r^2/2 + r (r^2/3! + ...) to r^14, the small terms first. */
    static const double factorial[] = {
        1.0 / 6,        1.0 / 24,        1.0 / 120,        1.0 / 720,
        1.0 / 5040,     1.0 / 40320,     1.0 / 362880,     1.0 / 3628800,
        1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800, 1.0 / 87178291200,
    };
    double tail = r * r * series(factorial, r);
    return scaled(1 + (r + (0.5 * r * r + tail)), exponent);
}

static double pow_whole(double base, unsigned exponent) {
    double result = 1;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1u)
            result *= base;
        base *= base;
    }
    return result;
}

/* By the root of the root for each quarter of the exponent that is over. */
static double pow_quarters(double base, unsigned quarters) {
    double result = pow_whole(base, quarters / 4);
    if ((quarters & 3u) == 0)
        return result;
    double half = sqrt(base);
    result *= (quarters & 2u) != 0 ? half : 1;
    return (quarters & 1u) != 0 ? result * sqrt(half) : result;
}

double gp_num_pow(double base, double exponent) {
    double quarters = 4 * fabs(exponent);
    bool whole = quarters <= 4096 && !(below(quarters) < quarters);
    if (whole && (base >= 0 || (unsigned)quarters % 4 == 0)) {
        double result = pow_quarters(base, (unsigned)quarters);
        bool none = exponent < 0 && fabs(result) <= 0;
        return none ? HUGE_VAL : exponent < 0 ? 1 / result : result;
    }
    if (!(base < 1) && !(base > 1) && !isnan(exponent))
        return isnan(base) ? base : 1;
    if (!(base > 0) && !(base < 0))
        return isnan(base) ? base : exponent > 0 ? 0 : HUGE_VAL;
    if (base < 0)
        return (double)NAN;
    return gp_num_exp(exponent * gp_num_log(base));
}

double gp_num_normal_below(double z) {
    /* Abramowitz and Stegun 26.2.17. */
    static const double factors[] = {0.319381530, -0.356563782, 1.781477937, -1.821255978,
                                     1.330274429};
    static const double root_of_two_pi = 2.5066282746310002;
    double t = 1 / (1 + 0.2316419 * fabs(z));
    double sum = 0;
    for (int i = 4; i >= 0; i--)
        sum = (sum + factors[i]) * t;
    double above = gp_num_exp(-0.5 * z * z) / root_of_two_pi * sum;
    return z >= 0 ? 1 - above : above;
}
