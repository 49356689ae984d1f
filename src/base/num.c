/*
 * Numbers in and out. The C library's strtod and printf round correctly, and only the radix
 * character in them depends on the locale: reading hands strtod an integer with an exponent
 * ("12345e-2"), writing takes the digits out of "%e" and places the point itself.
 */
#include "base/num.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* A decimal that lies exactly between two doubles has at most 767 digits; whatever follows
     * more than that only says "above". */
    KEPT_DIGITS = 780,
    EXPONENT_CAP = 100000,
    FAST_DIGITS = 15, /* below 2^53 */
    FAST_POWER = 22   /* 10^22 is the largest exact power of ten */
};

static const double exact_powers[FAST_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static size_t scan_digits(const char *text, size_t len, size_t at) {
    while (at < len && is_digit(text[at]))
        at++;
    return at;
}

size_t gp_num_scan(const char *text, size_t len) {
    size_t at = len && (text[0] == '+' || text[0] == '-') ? 1 : 0;
    size_t whole = scan_digits(text, len, at);
    size_t digits = whole - at;
    at = whole;
    if (at < len && text[at] == '.') {
        size_t end = scan_digits(text, len, at + 1);
        digits += end - at - 1;
        if (end > at + 1) {
            at = end; /* "5." is no number: the point is left over */
        }
    }
    if (!digits)
        return 0;
    if (at < len && (text[at] == 'e' || text[at] == 'E')) {
        size_t sign = at + 1 < len && (text[at + 1] == '+' || text[at + 1] == '-') ? 1 : 0;
        size_t end = scan_digits(text, len, at + 1 + sign);
        if (end > at + 1 + sign)
            at = end;
    }
    return at;
}

/* A decimal as digits without leading zeros and a power of ten of the last one. */
typedef struct decimal {
    bool negative;
    char digits[KEPT_DIGITS + 16]; /* NUL-terminated; room for the sticky digit and exponent */
    size_t count;
    bool dropped; /* a digit other than 0 did not fit */
    long exponent;
} decimal;

static void decimal_push(decimal *number, char digit, bool fraction) {
    if (number->count == 0 && digit == '0') {
        number->exponent -= fraction ? 1 : 0;
    } else if (number->count < KEPT_DIGITS) {
        number->digits[number->count++] = digit;
        number->exponent -= fraction ? 1 : 0;
    } else {
        number->dropped = number->dropped || digit != '0';
        number->exponent += fraction ? 0 : 1;
    }
}

static long parse_exponent(const char *text, size_t len) {
    bool negative = len && text[0] == '-';
    size_t at = len && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    long value = 0;
    for (; at < len && value < EXPONENT_CAP; at++)
        value = value * 10 + (text[at] - '0');
    return negative ? -value : value;
}

static void decimal_read(decimal *number, const char *text, size_t len) {
    *number = (decimal){.negative = text[0] == '-'};
    bool fraction = false;
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '.') {
            fraction = true;
        } else if (text[i] == 'e' || text[i] == 'E') {
            number->exponent += parse_exponent(text + i + 1, len - i - 1);
            break;
        } else if (is_digit(text[i])) {
            decimal_push(number, text[i], fraction);
        }
    }
}

/* Up to 15 digits and a power up to 10^22 are exact doubles: one rounding, thus correct. */
static bool decimal_fast(const decimal *number, double *ret_value) {
    if (number->count > FAST_DIGITS || number->exponent > FAST_POWER ||
        number->exponent < -FAST_POWER)
        return false;
    int64_t digits = 0;
    for (size_t i = 0; i < number->count; i++)
        digits = digits * 10 + (number->digits[i] - '0');
    double value = (double)digits;
    *ret_value = number->exponent < 0 ? value / exact_powers[-number->exponent]
                                      : value * exact_powers[number->exponent];
    return true;
}

static double decimal_exact(decimal *number) {
    if (number->dropped) {
        number->digits[number->count++] = '1';
        number->exponent--;
    }
    long exponent = number->exponent;
    exponent = exponent > EXPONENT_CAP ? EXPONENT_CAP : exponent;
    exponent = exponent < -EXPONENT_CAP ? -EXPONENT_CAP : exponent;
    snprintf(number->digits + number->count, sizeof number->digits - number->count, "e%ld",
             exponent);
    return strtod(number->digits, NULL);
}

bool gp_num_parse(const char *text, size_t len, double *ret_value) {
    return gp_num_parse_scaled(text, len, 0, ret_value);
}

bool gp_num_parse_scaled(const char *text, size_t len, int power, double *ret_value) {
    if (len == 0 || gp_num_scan(text, len) != len)
        return false;
    decimal number;
    decimal_read(&number, text, len);
    number.exponent += power;
    double value = 0;
    if (number.count && !decimal_fast(&number, &value))
        value = decimal_exact(&number);
    *ret_value = number.negative ? -value : value;
    return true;
}

bool gp_num_parse_i64(const char *text, size_t len, int64_t *ret_value) {
    bool negative = len && text[0] == '-';
    size_t at = len && (text[0] == '+' || text[0] == '-') ? 1 : 0;
    if (at == len || scan_digits(text, len, at) != len)
        return false;
    int64_t value = 0;
    for (; at < len; at++) {
        int64_t digit = text[at] - '0';
        if (!gp_num_mul_i64(value, 10, &value) ||
            !gp_num_add_i64(value, negative ? -digit : digit, &value))
            return false;
    }
    *ret_value = value;
    return true;
}

static size_t put_text(char out[GP_NUM_TEXT], const char *text) {
    size_t len = strlen(text);
    memcpy(out, text, len + 1);
    return len;
}

static size_t put_non_finite(char out[GP_NUM_TEXT], double value) {
    return put_text(out, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

/* "d.ddde+XX" with any radix between the first digits -> digits and the exponent of the first. */
static int split_e(const char *text, char *digits) {
    size_t count = 0;
    const char *c = text;
    for (; *c && *c != 'e'; c++)
        if (is_digit(*c))
            digits[count++] = *c;
    while (count > 1 && digits[count - 1] == '0')
        count--;
    digits[count] = '\0';
    return *c ? (int)strtol(c + 1, NULL, 10) : 0;
}

static size_t put_exponent_form(char *out, const char *digits, int exponent) {
    const char *rest = digits + 1;
    int len =
        snprintf(out, GP_NUM_TEXT - 1, "%c%s%se%d", digits[0], *rest ? "." : "", rest, exponent);
    return (size_t)len;
}

/* The digits with the point after the one of 10^0; zeros fill up on either side. */
static size_t put_plain_form(char *out, const char *digits, int exponent) {
    int count = (int)strlen(digits);
    int highest = exponent > 0 ? exponent : 0;
    int lowest = exponent - (count - 1) < 0 ? exponent - (count - 1) : 0;
    size_t len = 0;
    for (int power = highest; power >= lowest; power--) {
        int index = exponent - power;
        if (power == -1)
            out[len++] = '.';
        out[len++] = '0';
        if (index >= 0 && index < count)
            out[len - 1] = digits[index];
    }
    out[len] = '\0';
    return len;
}

static int shortest_digits(double value) {
    char text[GP_NUM_TEXT];
    for (int digits = 15; digits < 17; digits++) {
        gp_num_format_g(text, value, digits);
        double back = 0;
        gp_num_parse(text, strlen(text), &back);
        if (!(back < value) && !(back > value))
            return digits;
    }
    return 17;
}

size_t gp_num_format_g(char out[GP_NUM_TEXT], double value, int digits) {
    if (!isfinite(value))
        return put_non_finite(out, value);
    if (!(value < 0) && !(value > 0))
        return put_text(out, "0");
    digits = digits <= 0 ? shortest_digits(value) : digits > 17 ? 17 : digits;
    char text[64];
    char kept[32] = {0};
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    int exponent = split_e(text, kept);
    size_t sign = value < 0 ? 1 : 0;
    out[0] = '-';
    if (exponent < -5 || exponent >= 15)
        return sign + put_exponent_form(out + sign, kept, exponent);
    return sign + put_plain_form(out + sign, kept, exponent);
}

size_t gp_num_format_fixed(char out[GP_NUM_TEXT], double value, int decimals) {
    if (!(fabs(value) < 1e15))
        return gp_num_format_g(out, value, 17);
    decimals = decimals < 0 ? 0 : decimals > 9 ? 9 : decimals;
    char text[64];
    snprintf(text, sizeof text, "%.*f", decimals, fabs(value));
    size_t whole = scan_digits(text, strlen(text), 0);
    bool zero = strspn(text, "0") == whole;
    const char *fraction = text + strlen(text) - (size_t)decimals;
    zero = zero && strspn(fraction, "0") == (size_t)decimals;
    int len = snprintf(out, GP_NUM_TEXT, "%s%.*s%s%s", value < 0 && !zero ? "-" : "", (int)whole,
                       text, decimals ? "." : "", decimals ? fraction : "");
    return (size_t)len;
}

size_t gp_num_format_i64(char out[GP_NUM_TEXT], int64_t value) {
    return (size_t)snprintf(out, GP_NUM_TEXT, "%lld", (long long)value);
}

bool gp_num_add_i64(int64_t a, int64_t b, int64_t *ret_sum) {
    if ((b > 0 && a > INT64_MAX - b) || (b < 0 && a < INT64_MIN - b))
        return false;
    *ret_sum = a + b;
    return true;
}

bool gp_num_mul_i64(int64_t a, int64_t b, int64_t *ret_product) {
    if (a && b) {
        bool same_sign = (a > 0) == (b > 0);
        int64_t bound = same_sign ? INT64_MAX : INT64_MIN;
        /* The bound is divided by a positive factor or by a negative one other than -1 with
         * INT64_MIN, so the division itself cannot overflow. */
        bool over = a > 0 ? (b > 0 ? a > bound / b : b < bound / a)
                          : (b > 0 ? a < bound / b : b < bound / a);
        if (over)
            return false;
    }
    *ret_product = a * b;
    return true;
}

static const double count_epsilon = 1e-9;

static int64_t round_count(double value, double rounded) {
    double nearest = floor(value + 0.5);
    if (fabs(value - nearest) <= count_epsilon * gp_num_max(1, fabs(value)))
        rounded = nearest;
    double limit = (double)GP_NUM_COUNT_MAX;
    if (!(rounded < limit))
        return GP_NUM_COUNT_MAX;
    return rounded < -limit ? -GP_NUM_COUNT_MAX : (int64_t)rounded;
}

int64_t gp_num_ceil_count(double value) {
    return round_count(value, ceil(value));
}

int64_t gp_num_floor_count(double value) {
    return round_count(value, floor(value));
}

bool gp_num_is_count(double value) {
    return fabs(value) <= (double)GP_NUM_COUNT_MAX &&
           gp_num_ceil_count(value) == gp_num_floor_count(value);
}

bool gp_num_near(double a, double b) {
    if (isinf(a) || isinf(b))
        return isinf(a) && isinf(b) && (a > 0) == (b > 0);
    return fabs(a - b) <= count_epsilon * gp_num_max(fabs(a), fabs(b));
}

/* 10^power as a product of exact powers; the same bits on every machine. */
static double power_of_ten(int power) {
    double value = 1;
    int left = power < 0 ? -power : power;
    for (; left > FAST_POWER; left -= FAST_POWER)
        value *= exact_powers[FAST_POWER];
    value *= exact_powers[left];
    return power < 0 ? 1 / value : value;
}

/* A magnitude as nine whole digits and a power of ten. */
typedef struct nine_digits {
    int exponent;
    double digits; /* 1e8 .. 1e9 - 1, a whole number */
} nine_digits;

static double scale_by_ten(double value, int power) {
    if (power < -280) { /* 10^-power itself would leave the range */
        return value / exact_powers[FAST_POWER] * power_of_ten(power + FAST_POWER);
    }
    if (power > 280)
        return value * power_of_ten(280) * power_of_ten(power - 280);
    return power < 0 ? value / power_of_ten(-power) : value * power_of_ten(power);
}

static nine_digits to_nine_digits(double magnitude) {
    int binary = 0;
    frexp(magnitude, &binary);
    int exponent = (int)floor((binary - 1) * 0.30102999566398120);
    double scaled = scale_by_ten(magnitude, 8 - exponent);
    if (scaled >= 1e9) {
        exponent++;
        scaled = scale_by_ten(magnitude, 8 - exponent);
    }
    double digits = floor(scaled + 0.5);
    if (digits >= 1e9) {
        exponent++;
        digits = 1e8;
    }
    return (nine_digits){exponent, digits};
}

static int sign_of(double value) {
    return value > 0 ? 1 : value < 0 ? -1 : 0;
}

int gp_num_compare9(double a, double b) {
    if (!isfinite(a) || !isfinite(b)) {
        if (isnan(a) || isnan(b))
            return (isnan(a) ? 1 : 0) - (isnan(b) ? 1 : 0);
        return a < b ? -1 : a > b ? 1 : 0;
    }
    int sign = sign_of(a);
    if (sign != sign_of(b) || sign == 0)
        return sign_of((double)(sign - sign_of(b)));
    /* What differs by more than the step of nine digits, which is 1e-8 of a value at most, is never
     * rounded to the same. */
    double larger = fmax(fabs(a), fabs(b));
    if (fabs(a - b) > 1.1e-8 * larger || !(fabs(a - b) > 0))
        return sign_of(a - b);
    nine_digits x = to_nine_digits(fabs(a));
    nine_digits y = to_nine_digits(fabs(b));
    int order = x.exponent != y.exponent ? (x.exponent < y.exponent ? -1 : 1)
                                         : sign_of(x.digits - y.digits);
    return sign * order;
}

double gp_num_root(gp_num_function *f, const void *context, double low, double high) {
    enum { STEPS = 60 };
    double f_low = f(context, low);
    double f_high = f(context, high);
    int side = 0;
    for (int i = 0; i < STEPS && f_high > 0 && !gp_num_near(low, high); i++) {
        double middle = (low * f_high - high * f_low) / (f_high - f_low);
        double value = f(context, middle);
        if (gp_num_near(value + middle, middle))
            return middle;
        if (value < 0) {
            low = middle;
            f_low = value;
            f_high *= side < 0 ? 0.5 : 1;
            side = -1;
        } else {
            high = middle;
            f_high = value;
            f_low *= side > 0 ? 0.5 : 1;
            side = 1;
        }
    }
    return high;
}

/* A function far above 0 says little of where it crosses. */
static double pressed(gp_num_function *f, const void *context, double x) {
    double value = f(context, x);
    return value > 0 ? 1 - 1 / (1 + value) : value;
}

/* Of the way from x[0] to x[1], where the parabola through the three points crosses 0; half of it
 * where that is not to be trusted. */
static double crossing(const double *x, const double *f) {
    double xi = (x[0] - x[1]) / (x[2] - x[1]);
    double phi = (f[0] - f[1]) / (f[2] - f[1]);
    if (!(phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi))
        return 0.5;
    return f[0] / (f[1] - f[0]) * (f[2] / (f[1] - f[2])) +
           (x[2] - x[0]) / (x[1] - x[0]) * (f[0] / (f[2] - f[0])) * (f[1] / (f[2] - f[1]));
}

/* From both sides to less than `width` apart (Chandrupatla, "A new hybrid quadratic/bisection
 * algorithm for finding the zero of a nonlinear function without using derivatives", Advances in
 * Engineering Software 28, 1997). x[0] and x[1] lie on different sides. */
static void close_in(gp_num_function *f, const void *context, double width, double *x, double *at) {
    enum { STEPS = 60 };
    double share = at[0] / (at[0] - at[1]);
    for (int i = 0; i < STEPS && fabs(x[1] - x[0]) > width; i++) {
        double least = gp_num_min(0.5 * width / fabs(x[1] - x[0]), 0.5);
        share = gp_num_min(gp_num_max(share, least), 1 - least);
        double next = x[0] + share * (x[1] - x[0]);
        double value = pressed(f, context, next);
        int left = (value > 0) == (at[0] > 0) ? 0 : 1; /* the end that it takes the place of */
        x[2] = x[left];
        at[2] = at[left];
        if (left == 1) {
            x[1] = x[0];
            at[1] = at[0];
        }
        x[0] = next;
        at[0] = value;
        share = crossing(x, at);
    }
}

/* The largest x that is known to hold, and the smallest that does not. */
static void find_sides(gp_num_function *f, const void *context, const gp_num_range *range,
                       double *ret_yes, double *ret_no) {
    double finest = range->most / (double)((int64_t)1 << range->steps);
    double top = range->most - finest;
    double likely = range->high > 0 ? gp_num_min(range->high, top) : top;
    double x[3] = {gp_num_min(gp_num_max(range->low, finest), likely), likely};
    double at[3] = {0, pressed(f, context, likely)};
    *ret_yes = 0;
    *ret_no = HUGE_VAL;
    if (!(at[1] > 0)) {
        x[0] = likely;
        at[0] = at[1];
        x[1] = top;
        at[1] = likely < top ? pressed(f, context, top) : at[1];
    } else {
        at[0] = pressed(f, context, x[0]);
    }
    if (at[0] > 0 && x[0] > finest) {
        x[1] = x[0];
        at[1] = at[0];
        x[0] = finest;
        at[0] = pressed(f, context, finest);
    }
    if (!(at[0] > 0) && at[1] > 0)
        close_in(f, context, 0.25 * gp_num_max(finest, x[1] / range->precision), x, at);
    for (int k = 0; k < 2; k++) {
        if (at[k] > 0)
            *ret_no = gp_num_min(*ret_no, x[k]);
        else
            *ret_yes = gp_num_max(*ret_yes, x[k]);
    }
}

double gp_num_last_held(gp_num_function *f, const void *context, const gp_num_range *range) {
    double yes = 0;
    double no = 0;
    double low = 0;
    double high = range->most;
    find_sides(f, context, range, &yes, &no);
    for (int i = 0; i < range->steps && (high - low) * range->precision > high; i++) {
        const double middle = 0.5 * (low + high);
        if (middle <= yes || (middle < no && !(f(context, middle) > 0)))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Terms are kept relative to a scale of their own: q^0 p^n underflows for large n. */
double gp_num_binomial(int64_t all, int64_t most, double out) {
    double happens = 1 - out;
    double scale = (double)all * gp_num_log(out);
    double term = 1;
    double sum = 1;
    const double large = (double)GP_NUM_COUNT_MAX;
    for (int64_t k = 1; k <= most; k++) {
        term *= (double)(all - k + 1) / (double)k * (happens / out);
        sum += term;
        if (sum > large) {
            scale += gp_num_log(large);
            sum /= large;
            term /= large;
        }
    }
    return gp_num_exp(scale + gp_num_log(sum));
}

int64_t gp_num_binomial_quantile(int64_t all, double each, double sure) {
    int64_t low = 0, high = all;
    while (each < 1 && low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (gp_num_binomial(all, middle, 1 - each) >= sure)
            high = middle;
        else
            low = middle + 1;
    }
    return high;
}

void gp_num_add_all(const void *part, void *sum, size_t size) {
    const double *from = part;
    double *to = sum;
    for (size_t i = 0; i < size / sizeof *to; i++)
        to[i] += from[i];
}
