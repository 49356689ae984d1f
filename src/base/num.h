/*
 * Numbers: text to double and back without locale, checked integers, rounding to counts, and
 * exp/log/pow in plain arithmetic, so that a result has the same bits on every machine with
 * IEEE 754 doubles (built with -ffp-contract=off).
 */
#ifndef GP_BASE_NUM_H
#define GP_BASE_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Counts saturate here: the largest integer range that a double holds exactly. */
#define GP_NUM_COUNT_MAX ((int64_t)1 << 53)

enum { GP_NUM_TEXT = 32 }; /* room that the formatters need */

/* Length of the decimal number at the start of `text` (sign, digits, '.', exponent); 0: none. */
size_t gp_num_scan(const char *text, size_t len);
/* The whole of `text` as a decimal number, correctly rounded. False when it is anything else
 * (nan, inf, hex, digit groups, spaces). Too large gives an infinity, too small a zero. */
bool gp_num_parse(const char *text, size_t len, double *ret_value);
/* The same times ten to a power, rounded once: a product of doubles would be rounded twice. */
bool gp_num_parse_scaled(const char *text, size_t len, int power, double *ret_value);
/* The whole of `text` as an integer without fraction or exponent; false also on overflow. */
bool gp_num_parse_i64(const char *text, size_t len, int64_t *ret_value);

/* `digits` (1..17) significant digits, without trailing zeros; 0: the fewest of 15 to 17 that read
 * back as the same double. Exponent form ("1.5e-7") only below 1e-5 and from 1e15. Returns the
 * length. An infinity gives "inf" or "-inf", a NaN "nan". */
size_t gp_num_format_g(char out[GP_NUM_TEXT], double value, int digits);
/* `decimals` (0..9) digits after the point, kept; from 1e15 as gp_num_format_g. Never "-0.0". */
size_t gp_num_format_fixed(char out[GP_NUM_TEXT], double value, int decimals);
size_t gp_num_format_i64(char out[GP_NUM_TEXT], int64_t value);

/* False, and *ret untouched, on overflow. */
bool gp_num_mul_i64(int64_t a, int64_t b, int64_t *ret_product);
bool gp_num_add_i64(int64_t a, int64_t b, int64_t *ret_sum);

static inline double gp_num_max(double a, double b) {
    return a > b ? a : b;
}

static inline double gp_num_min(double a, double b) {
    return a < b ? a : b;
}

static inline int64_t gp_num_max_i64(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static inline int64_t gp_num_min_i64(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* Greatest common divisor of a positive number and another, or none. */
static inline int64_t gp_num_gcd(int64_t a, int64_t b) {
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The one rounding to counts: a value within 1e-9 (relative) of an integer is that integer.
 * Saturates at +-GP_NUM_COUNT_MAX; a NaN gives GP_NUM_COUNT_MAX, which no limit admits. */
int64_t gp_num_ceil_count(double value);
int64_t gp_num_floor_count(double value);
/* The value is a whole number, in the sense above, of at most GP_NUM_COUNT_MAX. */
bool gp_num_is_count(double value);

/* Equal for practical purposes: they differ by at most 1e-9 of the larger. Not transitive. */
bool gp_num_near(double a, double b);
/* -1, 0, 1 by the values rounded to 9 significant digits: a total preorder, for sorting with
 * ties. NaN comes after everything. */
int gp_num_compare9(double a, double b);
/* Adds a structure that is made of doubles alone. */
void gp_num_add_all(const void *part, void *sum, size_t size);

/* Natural logarithm, error below 2 ulp; 0 gives -infinity, a negative value NaN. */
double gp_num_log(double value);
/* Exact for powers of two. */
double gp_num_log2(double value);
/* Error below 2 ulp where the result is normal. */
double gp_num_exp(double value);
/* P(at most `most` of `all` happen) where each stays out with the probability `out`, by itself. */
double gp_num_binomial(int64_t all, int64_t most, double out);
/* The least number that no more than happen, with the probability `sure` at least, where each of
 * `all` does with the probability `each`. */
int64_t gp_num_binomial_quantile(int64_t all, double each, double sure);
/* Whole exponents up to 1024, and quarters, by products and square roots, the rest by exp(y log x),
 * which costs about |y log x| ulp. A negative base needs a whole exponent, else NaN. */
double gp_num_pow(double base, double exponent);
/* Share of the standard normal distribution below `z`, error below 1e-7. */
double gp_num_normal_below(double z);

typedef double gp_num_function(const void *context, double x);
/* The root of a rising function between `low`, where it is below 0, and `high`; `high` itself where
 * it is not above 0 there. It ends where the function is within 1e-9 of x, or the bracket is. By
 * regula falsi (Illinois), which is quick where the function is close to linear. */
double gp_num_root(gp_num_function *f, const void *context, double low, double high);
/* Between 0 and `most`, for `steps` bisections, which end sooner where what is left is less than
 * 1 / precision of it. The root is likely between `low` and `high`, where these are not 0. */
typedef struct gp_num_range {
    double most, precision;
    int steps;
    double low, high;
} gp_num_range;
/* Where bisections of the range find a rising function at or below 0 for the last time. The root is
 * closed in on first, so that the function is asked far less often than that; where it is likely
 * changes how often, and nothing else. */
double gp_num_last_held(gp_num_function *f, const void *context, const gp_num_range *range);

#endif
