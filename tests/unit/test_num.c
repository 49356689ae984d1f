/* Numbers: reading, writing, checked integers, counts, comparison, exp and log. */
#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/num.h"

static uint64_t random_state = 88172645463325252u;

static uint64_t random_bits(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static double random_double(void) {
    double value = 0;
    do {
        uint64_t bits = random_bits();
        memcpy(&value, &bits, sizeof value);
    } while (!isfinite(value));
    return value;
}

static void assert_same(double a, double b) {
    if (memcmp(&a, &b, sizeof a) != 0) {
        fail_msg("%.17g is not %.17g", a, b);
    }
}

static void numbers_are_read(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"0", 0},
        {"-0", -0.0},
        {"12", 12},
        {"+1.5", 1.5},
        {".5", 0.5},
        {"1e3", 1e3},
        {"1E-3", 1e-3},
        {"1e+22", 1e22},
        {"0.1", 0.1},
        {"123456789012345678901234567890", 123456789012345678901234567890.0},
        {"1.7976931348623157e308", DBL_MAX},
        {"4.9406564584124654e-324", 4.9406564584124654e-324},
        {"2.2250738585072011e-308", 2.2250738585072011e-308},
        {"9007199254740993", 9007199254740992.0},
        {"9007199254740993.0000000000000000000000000000000001", 9007199254740994.0},
        {"0.000000000000000000000000000000000000001", 1e-39},
        {"1e400", HUGE_VAL},
        {"-1e999999999999999999", -HUGE_VAL},
        {"1e-999999999999999999", 0},
        {"0e999999999999999999", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = 99;
        assert_true(gp_num_parse(cases[i].text, strlen(cases[i].text), &value));
        assert_same(value, cases[i].value);
    }
    char digits[3001]; /* far more digits than are kept */
    memset(digits, '1', sizeof digits - 1);
    digits[1] = '.';
    double value = 0;
    assert_true(gp_num_parse(digits, 3000, &value));
    assert_same(value, 1.0 + 1.0 / 9);
    memset(digits, '0', 2000);
    digits[0] = '1';
    assert_true(gp_num_parse(digits, 2000, &value));
    assert_true(isinf(value));
}

static void what_is_no_number_is_refused(void **state) {
    (void)state;
    static const char *const cases[] = {
        "",      "-",   ".",  "5.", "1e",    "1e+", "nan",  "inf", "NaN", "Infinity", "0x10",
        "1_000", "1,5", " 1", "1 ", "1.2.3", "--1", "1e5.", "e5",  "+-1", "\xd9\xa1"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = 7;
        if (gp_num_parse(cases[i], strlen(cases[i]), &value)) {
            fail_msg("\"%s\" was read", cases[i]);
        }
        assert_same(value, 7);
    }
}

static void the_locale_plays_no_part(void **state) {
    (void)state;
    static const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "C"};
    for (size_t i = 0; i < sizeof locales / sizeof locales[0]; i++) {
        if (!setlocale(LC_ALL, locales[i])) {
            continue; /* not installed: the rest is still checked */
        }
        double value = 0;
        char text[GP_NUM_TEXT];
        assert_true(gp_num_parse("1234567890123456.75", 19, &value));
        assert_same(value, 1234567890123456.75);
        gp_num_format_g(text, 0.25, 0);
        assert_string_equal(text, "0.25");
        gp_num_format_fixed(text, 1234.5, 2);
        assert_string_equal(text, "1234.50");
    }
    setlocale(LC_ALL, "C");
}

static void numbers_are_written(void **state) {
    (void)state;
    static const struct {
        double value;
        int digits;
        const char *text;
    } cases[] = {
        {0, 3, "0"},
        {-0.0, 3, "0"},
        {1, 6, "1"},
        {0.1, 0, "0.1"},
        {1.0 / 3, 0, "0.3333333333333333"},
        {1.0 / 3, 3, "0.333"},
        {-2.5, 3, "-2.5"},
        {123456, 3, "123000"},
        {999.7, 3, "1000"},
        {1e14, 0, "100000000000000"},
        {1e15, 0, "1e15"},
        {1.5e15, 3, "1.5e15"},
        {0.00001, 3, "0.00001"},
        {0.0000099, 3, "9.9e-6"},
        {-1.25e-7, 3, "-1.25e-7"},
        {DBL_MAX, 0, "1.7976931348623157e308"},
        {DBL_MAX, 99, "1.7976931348623157e308"},
        {HUGE_VAL, 3, "inf"},
        {-HUGE_VAL, 3, "-inf"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[GP_NUM_TEXT];
        size_t len = gp_num_format_g(text, cases[i].value, cases[i].digits);
        assert_string_equal(text, cases[i].text);
        assert_int_equal(len, strlen(text));
    }
}

static void fixed_decimals_are_kept(void **state) {
    (void)state;
    static const struct {
        double value;
        int decimals;
        const char *text;
    } cases[] = {
        {0, 2, "0.00"},          {-0.001, 2, "0.00"},
        {-0.005001, 2, "-0.01"}, {1234.5, 0, "1234"},
        {-7.25, 1, "-7.2"},      {999.995, 1, "1000.0"},
        {1e15, 2, "1e15"},       {100, 0, "100"},
        {-0.4, 0, "0"},          {1e14, 9, "100000000000000.000000000"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[GP_NUM_TEXT];
        size_t len = gp_num_format_fixed(text, cases[i].value, cases[i].decimals);
        assert_string_equal(text, cases[i].text);
        assert_int_equal(len, strlen(text));
    }
}

static void written_numbers_read_back(void **state) {
    (void)state;
    for (int i = 0; i < 20000; i++) {
        double value = i % 2 ? random_double() : (double)(random_bits() % 1000000007) / 1000;
        char text[GP_NUM_TEXT];
        double back = 0;
        size_t len = gp_num_format_g(text, value, i % 3 ? 0 : 17);
        assert_true(len < GP_NUM_TEXT);
        assert_true(gp_num_parse(text, len, &back));
        assert_same(back, value);
        char longer[400];
        int count = snprintf(longer, sizeof longer, "%.25e", value);
        assert_true(gp_num_parse(longer, (size_t)count, &back));
        assert_same(back, value);
        for (int digits = 1; digits <= 17; digits += 4) {
            len = gp_num_format_g(text, value, digits);
            assert_true(gp_num_parse(text, len, &back));
            snprintf(longer, sizeof longer, "%.*e", digits - 1, value);
            assert_same(back, strtod(longer, NULL));
        }
    }
}

static void integers_are_checked(void **state) {
    (void)state;
    static const int64_t edges[] = {INT64_MIN,  INT64_MIN + 1, -3037000500,   -3,       -1, 0, 1, 2,
                                    3037000499, 3037000500,    INT64_MAX / 2, INT64_MAX};
    size_t count = sizeof edges / sizeof edges[0];
    for (size_t i = 0; i < count * count; i++) {
        int64_t a = edges[i / count];
        int64_t b = edges[i % count];
        int64_t ours = 0;
        int64_t theirs = 0;
        bool fits = !__builtin_mul_overflow(a, b, &theirs);
        assert_int_equal(gp_num_mul_i64(a, b, &ours), fits);
        assert_true(!fits || ours == theirs);
        fits = !__builtin_add_overflow(a, b, &theirs);
        assert_int_equal(gp_num_add_i64(a, b, &ours), fits);
        assert_true(!fits || ours == theirs);
    }
    int64_t value = 0;
    assert_true(gp_num_parse_i64("-9223372036854775808", 20, &value));
    assert_true(value == INT64_MIN);
    assert_false(gp_num_parse_i64("9223372036854775808", 19, &value));
    assert_false(gp_num_parse_i64("1.0", 3, &value));
    assert_false(gp_num_parse_i64("", 0, &value));
    assert_false(gp_num_parse_i64("+", 1, &value));
    char text[GP_NUM_TEXT];
    gp_num_format_i64(text, INT64_MIN);
    assert_string_equal(text, "-9223372036854775808");
    assert_true(gp_num_max_i64(2, 3) == 3 && gp_num_min_i64(2, 3) == 2);
    assert_same(gp_num_max(2, 3), 3);
    assert_same(gp_num_min(2, 3), 2);
}

static void counts_are_rounded_once(void **state) {
    (void)state;
    static const struct {
        double value;
        int64_t ceiling, floor;
    } cases[] = {
        {0, 0, 0},
        {2.1, 3, 2},
        {-2.1, -2, -3},
        {3.0000000001, 3, 3},
        {2.9999999999, 3, 3},
        {3.00001, 4, 3},
        {0.1 * 3 / 0.1, 3, 3},
        {1e-12, 0, 0},
        {1e9 + 0.5, 1000000000, 1000000000}, /* within 1e-9 of it */
        {1e30, GP_NUM_COUNT_MAX, GP_NUM_COUNT_MAX},
        {-1e30, -GP_NUM_COUNT_MAX, -GP_NUM_COUNT_MAX},
        {HUGE_VAL, GP_NUM_COUNT_MAX, GP_NUM_COUNT_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t ceiling = gp_num_ceil_count(cases[i].value);
        int64_t lower = gp_num_floor_count(cases[i].value);
        if (i == 8) { /* either neighbour, but the same for both */
            assert_true(ceiling == lower && llabs((long long)(ceiling - cases[i].ceiling)) <= 1);
            continue;
        }
        assert_true(ceiling == cases[i].ceiling);
        assert_true(lower == cases[i].floor);
    }
    assert_true(gp_num_ceil_count((double)NAN) == GP_NUM_COUNT_MAX);
    assert_true(gp_num_is_count(5) && gp_num_is_count(5 + 1e-10));
    assert_false(gp_num_is_count(5.5));
    assert_false(gp_num_is_count(1e30));
    assert_false(gp_num_is_count((double)NAN));
}

static void nine_digits_decide(void **state) {
    (void)state;
    assert_true(gp_num_near(1, 1 + 1e-10) && gp_num_near(0, 0) && gp_num_near(-1e300, -1e300));
    assert_false(gp_num_near(1, 1.00001));
    assert_false(gp_num_near(1, -1));
    assert_false(gp_num_near(0, 1e-300));
    assert_true(gp_num_near(HUGE_VAL, HUGE_VAL) && !gp_num_near(HUGE_VAL, 1));
    static const struct {
        double a, b;
        int order;
    } cases[] = {
        {1, 2, -1},
        {2, 1, 1},
        {1, 1 + 1e-11, 0},
        {123456789, 123456789.4, 0},
        {123456789, 123456790, -1},
        {999999999.7, 1000000000, 0},
        {-1, -2, 1},
        {-1, 1, -1},
        {0, 0, 0},
        {0, 1e-320, -1},
        {-1e-300, 0, -1},
        {1e300, HUGE_VAL, -1},
        {HUGE_VAL, HUGE_VAL, 0},
        {DBL_MAX, DBL_MAX * (1 - 1e-12), 0},
        {1e-310, 1.1e-310, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(gp_num_compare9(cases[i].a, cases[i].b), cases[i].order);
        assert_int_equal(gp_num_compare9(cases[i].b, cases[i].a), -cases[i].order);
    }
    assert_int_equal(gp_num_compare9((double)NAN, 1), 1);
    assert_int_equal(gp_num_compare9((double)NAN, (double)NAN), 0);
}

/* The order must be transitive, or a sort by it would depend on the order of its input. */
static void the_order_is_total(void **state) {
    (void)state;
    for (int i = 0; i < 20000; i++) {
        double base = random_double();
        double values[3];
        for (int k = 0; k < 3; k++) {
            values[k] = base * (1 + (double)(random_bits() % 9) * 3e-10);
        }
        int ab = gp_num_compare9(values[0], values[1]);
        int bc = gp_num_compare9(values[1], values[2]);
        int ac = gp_num_compare9(values[0], values[2]);
        if (ab <= 0 && bc <= 0) {
            assert_true(ac <= 0 && (ac == 0) == (ab == 0 && bc == 0));
        }
        double tenth = fabs(base) < 1e-300 ? base : base * 1.1;
        assert_true(!isfinite(tenth) || fabs(base) < 1e-300 ||
                    gp_num_compare9(base, tenth) == (base < 0 ? 1 : -1));
    }
}

static double ulps(double ours, double theirs) {
    return fabs(ours - theirs) / (fabs(theirs) * DBL_EPSILON);
}

static void exp_and_log_are_close(void **state) {
    (void)state;
    for (double x = -700; x < 700; x += 0.0373) {
        assert_true(ulps(gp_num_exp(x), exp(x)) < 2);
    }
    for (double x = 1e-300; x < 1e300; x *= 1.013) {
        assert_true(ulps(gp_num_log(x), log(x)) < 2);
        assert_true(ulps(gp_num_log2(x), log2(x)) < 2);
        assert_true(ulps(gp_num_pow(x, 0.3), pow(x, 0.3)) < 220);
    }
    for (double x = 0.9; x < 1.1; x += 0.00037) {
        assert_true(fabs(gp_num_log(x) - log(x)) <= 2 * DBL_EPSILON * fabs(log(x)));
        assert_true(ulps(gp_num_pow(x, 7.5), pow(x, 7.5)) < 4);
        assert_true(ulps(gp_num_pow(x, 12), pow(x, 12)) < 8);
    }
    for (int power = -1074; power <= 1023; power++) {
        assert_same(gp_num_log2(ldexp(1, power)), power);
    }
}

static void edges_of_exp_and_log(void **state) {
    (void)state;
    assert_same(gp_num_exp(0), 1);
    assert_same(gp_num_exp(1000), HUGE_VAL);
    assert_same(gp_num_exp(-1000), 0);
    assert_same(gp_num_exp(-HUGE_VAL), 0);
    assert_true(gp_num_exp(-745) > 0);
    assert_true(isnan(gp_num_exp((double)NAN)));
    assert_same(gp_num_log(1), 0);
    assert_same(gp_num_log(0), -HUGE_VAL);
    assert_same(gp_num_log(HUGE_VAL), HUGE_VAL);
    assert_same(gp_num_log2(0), -HUGE_VAL);
    assert_true(isnan(gp_num_log(-1)) && isnan(gp_num_log2(-1)));
    assert_same(gp_num_pow(2, 10), 1024);
    assert_same(gp_num_pow(2, -2), 0.25);
    assert_same(gp_num_pow(-2, 3), -8);
    assert_same(gp_num_pow(5, 0), 1);
    assert_same(gp_num_pow(0, 0.5), 0);
    assert_same(gp_num_pow(0, -0.5), HUGE_VAL);
    assert_same(gp_num_pow(0, -2), HUGE_VAL);
    assert_true(isnan(gp_num_pow(-2, 0.5)));
    assert_true(isnan(gp_num_pow((double)NAN, 0.5)));
}

static double square_less(const void *context, double x) {
    return x * x - *(const double *)context;
}

/* As a batch that a memory bound and then an arithmetic bound slow down. */
static double bent_at(const void *context, double x) {
    const double bend = *(const double *)context;
    return x < bend ? 0.5 * (x - bend) : 20 * (x - bend);
}

static void roots_are_found(void **state) {
    (void)state;
    static const double values[] = {0.01, 0.5, 2, 1e6};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        const double root = gp_num_root(square_less, &values[i], 0, 2e3);
        assert_true(gp_num_near(root * root, values[i]));
        assert_true(fabs(gp_num_root(bent_at, &values[i], 0, 2e6) / values[i] - 1) < 1e-6);
    }
    /* Not above 0 at the upper end: the end. */
    const double four = 4;
    assert_true(gp_num_near(gp_num_root(square_less, &four, 0, 1.5), 1.5));
}

/* Flat, then beyond at once. */
static double stepped(const void *context, double x) {
    return x < *(const double *)context ? -1e-7 : 3;
}

static double by_bisection(gp_num_function *f, const void *context, const gp_num_range *range) {
    double low = 0, high = range->most;
    for (int i = 0; i < range->steps && (high - low) * range->precision > high; i++) {
        const double middle = 0.5 * (low + high);
        *(f(context, middle) > 0 ? &high : &low) = middle;
    }
    return low;
}

/* To the bit, wherever the root is taken to be. */
static void the_last_that_held_is_that_of_bisection(void **state) {
    (void)state;
    gp_num_function *const functions[] = {square_less, bent_at, stepped};
    static const double values[] = {1e-7, 0.01, 0.5, 2, 77.7, 900, 1e9};
    static const double likely[][2] = {{0, 0}, {0.3, 5}, {700, 0}, {0, 1e-3}, {20, 2000}, {9, 10}};
    for (size_t f = 0; f < 3; f++)
        for (size_t v = 0; v < sizeof values / sizeof values[0]; v++)
            for (size_t k = 0; k < sizeof likely / sizeof likely[0]; k++) {
                gp_num_range range = {.most = 1000, .precision = HUGE_VAL, .steps = 20};
                for (int p = 0; p < 2; p++, range.precision = 1 << 20, range.steps = 24) {
                    const double wanted = by_bisection(functions[f], &values[v], &range);
                    gp_num_range from = range;
                    from.low = likely[k][0];
                    from.high = likely[k][1];
                    assert_same(gp_num_last_held(functions[f], &values[v], &from), wanted);
                }
            }
}

static void quarters_are_roots(void **state) {
    (void)state;
    for (double x = 1e-9; x < 1e9; x *= 1.37) {
        assert_same(gp_num_pow(x, 0.5), sqrt(x));
        assert_same(gp_num_pow(x, 0.25), sqrt(sqrt(x)));
        assert_true(ulps(gp_num_pow(x, 1.25), pow(x, 1.25)) < 4);
        assert_true(ulps(gp_num_pow(x, -0.75), pow(x, -0.75)) < 4);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_that_held_is_that_of_bisection),
        cmocka_unit_test(quarters_are_roots),
        cmocka_unit_test(roots_are_found),
        cmocka_unit_test(numbers_are_read),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(the_locale_plays_no_part),
        cmocka_unit_test(numbers_are_written),
        cmocka_unit_test(fixed_decimals_are_kept),
        cmocka_unit_test(written_numbers_read_back),
        cmocka_unit_test(integers_are_checked),
        cmocka_unit_test(counts_are_rounded_once),
        cmocka_unit_test(nine_digits_decide),
        cmocka_unit_test(the_order_is_total),
        cmocka_unit_test(exp_and_log_are_close),
        cmocka_unit_test(edges_of_exp_and_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
