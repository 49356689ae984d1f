/* Quantities: every unit is read, what is printed reads back, and mistakes get the right hint. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <gpuplan/units.h>

static gp_quantity_error parse(const char *text, gp_dim dim, gp_quantity *quantity) {
    return gp_quantity_parse(text, strlen(text), dim, quantity);
}

static bool close_to(double a, double b) {
    return fabs(a - b) <= 1e-12 * fabs(b);
}

static const double minute = 60, hour = 3600, day = 86400, year = 8760 * 3600.0;

static void units_are_read(void **state) {
    (void)state;
    const double kwh = 3.6e6;
    const struct {
        const char *text;
        gp_dim dim;
        double value;
        const char *currency;
    } cases[] = {
        {"1.35", GP_DIM_NONE, 1.35, ""},
        {"-2", GP_DIM_NONE, -2, ""},
        {"2000", GP_DIM_COUNT, 2000, ""},
        {"500k", GP_DIM_COUNT, 5e5, ""},
        {"1.5T tokens", GP_DIM_COUNT, 1.5e12, ""},
        {"2T", GP_DIM_COUNT, 2e12, ""},
        {"50M tokens", GP_DIM_COUNT, 5e7, ""},
        {"7B", GP_DIM_COUNT, 7e9, ""},
        {"2000 samples", GP_DIM_COUNT, 2000, ""},
        {"8 GPUs", GP_DIM_COUNT, 8, ""},
        {"12%", GP_DIM_FRACTION, 0.12, ""},
        {"12 %", GP_DIM_FRACTION, 0.12, ""},
        {"99.9%", GP_DIM_FRACTION, 0.999, ""},
        {"+15%", GP_DIM_FRACTION, 0.15, ""},
        {"150%", GP_DIM_FRACTION, 1.5, ""},
        {"0.8", GP_DIM_FRACTION, 0.8, ""},
        {"1", GP_DIM_FRACTION, 1, ""},
        {"80 GiB", GP_DIM_BYTES, 80 * 1073741824.0, ""},
        {"80GB", GP_DIM_BYTES, 80e9, ""},
        {"8EB", GP_DIM_BYTES, 8e18, ""},
        {"512 KiB", GP_DIM_BYTES, 524288, ""},
        {"400 GB/s", GP_DIM_BYTES_PER_S, 4e11, ""},
        {"1 GiB/s", GP_DIM_BYTES_PER_S, 1073741824.0, ""},
        {"400 Gb/s", GP_DIM_BITS_PER_S, 4e11, ""},
        {"51.2 Tb/s", GP_DIM_BITS_PER_S, 51.2e12, ""},
        {"989 TFLOP/s", GP_DIM_FLOP_PER_S, 989e12, ""},
        {"1EFLOP/s", GP_DIM_FLOP_PER_S, 1e18, ""},
        {"800 ms", GP_DIM_TIME, 0.8, ""},
        {"45d", GP_DIM_TIME, 45 * day, ""},
        {"26 weeks", GP_DIM_TIME, 26 * 7 * day, ""},
        {"12 mo", GP_DIM_TIME, year, ""},
        {"8 quarters", GP_DIM_TIME, 2 * year, ""},
        {"1 yr", GP_DIM_TIME, year, ""},
        {"30m", GP_DIM_TIME, 30 * minute, ""},
        {"2 sec", GP_DIM_TIME, 2, ""},
        {"1e-3s", GP_DIM_TIME, 1e-3, ""},
        {"30m", GP_DIM_LENGTH, 30, ""},
        {"600 mm", GP_DIM_LENGTH, 0.6, ""},
        {"8 U", GP_DIM_RACK_UNITS, 8, ""},
        {"1.5 t", GP_DIM_MASS, 1500, ""},
        {"10.2 kW", GP_DIM_POWER, 10200, ""},
        {"1 kWh", GP_DIM_ENERGY, kwh, ""},
        {"415 V", GP_DIM_VOLTAGE, 415, ""},
        {"63 A", GP_DIM_CURRENT, 63, ""},
        {"-5 degC", GP_DIM_TEMPERATURE, -5, ""},
        {"12 K", GP_DIM_TEMPERATURE_RISE, 12, ""},
        {"60 L/min", GP_DIM_FLOW, 1e-3, ""},
        {"3600 m3/h", GP_DIM_FLOW, 1, ""},
        {"2 m3/s", GP_DIM_FLOW, 2, ""},
        {"1 L/s", GP_DIM_FLOW, 1e-3, ""},
        {"1000 CFM", GP_DIM_FLOW, 0.4719474432, ""},
        {"0.5 bar", GP_DIM_PRESSURE, 50000, ""},
        {"50 kPa", GP_DIM_PRESSURE, 50000, ""},
        {"5/s", GP_DIM_PER_S, 5, ""},
        {"5 /s", GP_DIM_PER_S, 5, ""},
        {"300/min", GP_DIM_PER_S, 5, ""},
        {"12", GP_DIM_PER_S, 12, ""},
        {"2k/s", GP_DIM_PER_S, 2000, ""},
        {"12M USD", GP_DIM_MONEY, 12e6, "USD"},
        {"450k EUR", GP_DIM_MONEY, 450e3, "EUR"},
        {"180000 USD", GP_DIM_MONEY, 180000, "USD"},
        {"31.536M USD/yr", GP_DIM_MONEY_PER_S, 1, "USD"},
        {"84 USD/h", GP_DIM_MONEY_PER_S, 84 / hour, "USD"},
        {"0.12 USD/kWh", GP_DIM_MONEY_PER_J, 0.12 / kwh, "USD"},
        {"180 USD/kW/mo", GP_DIM_MONEY_PER_W_S, 180 / (1000 * year / 12), "USD"},
        {"900 USD/gpu/yr", GP_DIM_MONEY_PER_GPU_S, 900 / year, "USD"},
        {"12%/yr", GP_DIM_FRACTION_PER_S, 0.12 / year, ""},
        {"3%/mo", GP_DIM_FRACTION_PER_S, 0.36 / year, ""},
        {"0.30 kgCO2e/kWh", GP_DIM_CARBON_PER_J, 0.3 / kwh, ""},
        {"300 gCO2e/kWh", GP_DIM_CARBON_PER_J, 0.3 / kwh, ""},
        {"0.4 L/kWh", GP_DIM_WATER_PER_J, 0.4 / kwh, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gp_quantity quantity;
        gp_quantity_error error = parse(cases[i].text, cases[i].dim, &quantity);
        if (error != GP_QUANTITY_OK || !close_to(quantity.value, cases[i].value)) {
            fail_msg("%s: error %d, %.17g is not %.17g", cases[i].text, (int)error, quantity.value,
                     cases[i].value);
        }
        assert_string_equal(quantity.currency, cases[i].currency);
    }
}

static void a_percentage_is_its_fraction(void **state) {
    (void)state;
    for (int i = 0; i <= 1000; i++) {
        char percentage[16], number[16];
        gp_quantity of_hundred, of_one;
        snprintf(percentage, sizeof percentage, "%d.%d%%", i / 10, i % 10);
        snprintf(number, sizeof number, "%de-3", i);
        assert_int_equal(parse(percentage, GP_DIM_FRACTION, &of_hundred), GP_QUANTITY_OK);
        assert_int_equal(parse(number, GP_DIM_FRACTION, &of_one), GP_QUANTITY_OK);
        assert_memory_equal(&of_hundred.value, &of_one.value, sizeof of_one.value);
    }
}

static void mistakes_are_told_apart(void **state) {
    (void)state;
    static const struct {
        const char *text;
        gp_dim dim;
        gp_quantity_error error;
        const char *hint; /* its beginning; NULL: none */
        size_t unit_begin;
    } cases[] = {
        {"", GP_DIM_BYTES, GP_QUANTITY_NOT_A_NUMBER, NULL, 0},
        {"abc", GP_DIM_BYTES, GP_QUANTITY_NOT_A_NUMBER, NULL, 0},
        {"nan", GP_DIM_NONE, GP_QUANTITY_NOT_A_NUMBER, NULL, 0},
        {"Infinity", GP_DIM_NONE, GP_QUANTITY_NOT_A_NUMBER, NULL, 0},
        {"1.2.3", GP_DIM_NONE, GP_QUANTITY_NOT_A_NUMBER, "a number has", 0},
        {"0x10", GP_DIM_COUNT, GP_QUANTITY_NOT_A_NUMBER, "a number has", 0},
        {"1,000", GP_DIM_COUNT, GP_QUANTITY_NOT_A_NUMBER, "a number has", 0},
        {"1_000", GP_DIM_COUNT, GP_QUANTITY_NOT_A_NUMBER, "a number has", 0},
        {"5e", GP_DIM_COUNT, GP_QUANTITY_NOT_A_NUMBER, "a number has", 0},
        {"10:30", GP_DIM_TIME, GP_QUANTITY_NOT_A_NUMBER, "a number has", 0},
        {"2027-03", GP_DIM_COUNT, GP_QUANTITY_NOT_A_NUMBER, "a number has", 0},
        {"80", GP_DIM_BYTES, GP_QUANTITY_MISSING_UNIT, NULL, 2},
        {"80 ", GP_DIM_BYTES, GP_QUANTITY_MISSING_UNIT, NULL, 2},
        {"12", GP_DIM_FRACTION, GP_QUANTITY_MISSING_UNIT, "12 percent", 2},
        {"-0.1", GP_DIM_FRACTION, GP_QUANTITY_MISSING_UNIT, "12 percent", 4},
        {"12M", GP_DIM_MONEY, GP_QUANTITY_MISSING_UNIT, NULL, 3},
        {"80 Gigs", GP_DIM_BYTES, GP_QUANTITY_UNKNOWN_UNIT, "GiB", 3},
        {"80 KB", GP_DIM_BYTES, GP_QUANTITY_UNKNOWN_UNIT, "kB", 3},
        {"80 gb", GP_DIM_BYTES, GP_QUANTITY_UNKNOWN_UNIT, "GB", 3},
        {"400 Gbps", GP_DIM_BITS_PER_S, GP_QUANTITY_UNKNOWN_UNIT, "Gb/s", 4},
        {"989 TFLOPS", GP_DIM_FLOP_PER_S, GP_QUANTITY_UNKNOWN_UNIT, "TFLOP/s", 4},
        {"1.5t tokens", GP_DIM_COUNT, GP_QUANTITY_UNKNOWN_UNIT, "k (10^3)", 3},
        {"500K", GP_DIM_COUNT, GP_QUANTITY_WRONG_DIMENSION, "k (10^3)", 3},
        {"12G USD", GP_DIM_MONEY, GP_QUANTITY_UNKNOWN_UNIT, "k (10^3)", 2},
        {"24 C", GP_DIM_TEMPERATURE, GP_QUANTITY_UNKNOWN_UNIT, "degC", 3},
        {"5 fortnights", GP_DIM_TIME, GP_QUANTITY_UNKNOWN_UNIT, NULL, 2},
        {"12 dollars", GP_DIM_MONEY, GP_QUANTITY_UNKNOWN_UNIT, NULL, 3},
        {"5 L/m", GP_DIM_FLOW, GP_QUANTITY_UNKNOWN_UNIT, "L/min", 2},
        {"5 GB/", GP_DIM_BYTES_PER_S, GP_QUANTITY_UNKNOWN_UNIT, "GB/s", 2},
        {"5 GB/s/s", GP_DIM_BYTES_PER_S, GP_QUANTITY_UNKNOWN_UNIT, "GB/s", 2},
        {"5 //", GP_DIM_PER_S, GP_QUANTITY_UNKNOWN_UNIT, "/s", 2},
        {"80 kg", GP_DIM_BYTES, GP_QUANTITY_WRONG_DIMENSION, NULL, 3},
        {"80 Gb", GP_DIM_BYTES, GP_QUANTITY_WRONG_DIMENSION, "b is bits", 3},
        {"400 GB/s", GP_DIM_BITS_PER_S, GP_QUANTITY_WRONG_DIMENSION, "b is bits", 4},
        {"400 Gb/s", GP_DIM_BYTES_PER_S, GP_QUANTITY_WRONG_DIMENSION, "b is bits", 4},
        {"8 GB", GP_DIM_COUNT, GP_QUANTITY_WRONG_DIMENSION, NULL, 2},
        {"5 days", GP_DIM_COUNT, GP_QUANTITY_WRONG_DIMENSION, NULL, 2},
        {"500 k", GP_DIM_COUNT, GP_QUANTITY_UNKNOWN_UNIT, "k (10^3)", 4},
        {"80 B", GP_DIM_COUNT, GP_QUANTITY_WRONG_DIMENSION, "k (10^3)", 3},
        {"5 m", GP_DIM_COUNT, GP_QUANTITY_WRONG_DIMENSION, "k (10^3)", 2},
        {"12 K", GP_DIM_TEMPERATURE, GP_QUANTITY_WRONG_DIMENSION, "degC is", 3},
        {"12 degC", GP_DIM_TEMPERATURE_RISE, GP_QUANTITY_WRONG_DIMENSION, "degC is", 3},
        {"12%", GP_DIM_FRACTION_PER_S, GP_QUANTITY_WRONG_DIMENSION, NULL, 2},
        {"5 kg", GP_DIM_NONE, GP_QUANTITY_WRONG_DIMENSION, NULL, 2},
        {"1e400 s", GP_DIM_TIME, GP_QUANTITY_OUT_OF_RANGE, NULL, 6},
        {"1e305 TB", GP_DIM_BYTES, GP_QUANTITY_OUT_OF_RANGE, NULL, 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gp_quantity quantity;
        gp_quantity_error error = parse(cases[i].text, cases[i].dim, &quantity);
        const char *hint = quantity.hint ? quantity.hint : "none";
        const char *wanted = cases[i].hint ? cases[i].hint : "none";
        if (error != cases[i].error || strncmp(hint, wanted, strlen(wanted)) != 0) {
            fail_msg("\"%s\": error %d, hint \"%s\"", cases[i].text, (int)error, hint);
        }
        assert_int_equal(quantity.unit_begin, cases[i].unit_begin);
        assert_true(quantity.value >= 0 && quantity.value <= 0);
    }
}

static void quantities_are_printed_for_people(void **state) {
    (void)state;
    static const struct {
        double value;
        gp_dim dim;
        const char *text;
    } cases[] = {
        {0, GP_DIM_BYTES, "0 B"},
        {85e9, GP_DIM_BYTES, "79.2 GiB"},
        {80 * 1073741824.0, GP_DIM_BYTES, "80 GiB"},
        {4e11, GP_DIM_BITS_PER_S, "400 Gb/s"},
        {999.7e9, GP_DIM_BYTES_PER_S, "1 TB/s"},
        {999.4e9, GP_DIM_BYTES_PER_S, "999 GB/s"},
        {12400, GP_DIM_POWER, "12.4 kW"},
        {-12400, GP_DIM_POWER, "-12.4 kW"},
        {3.2 * 86400, GP_DIM_TIME, "3.2 d"},
        {90, GP_DIM_TIME, "1.5 min"},
        {0.05, GP_DIM_TIME, "50 ms"},
        {1.5e12, GP_DIM_COUNT, "1.5T"},
        {8192, GP_DIM_COUNT, "8192"},
        {10000, GP_DIM_COUNT, "10k"},
        {12345, GP_DIM_COUNT, "12.3k"},
        {0.125, GP_DIM_FRACTION, "12.5%"},
        {12345678, GP_DIM_MONEY, "12.3M USD"},
        {1e-12, GP_DIM_TIME, "0.001 ns"},
        {24, GP_DIM_TEMPERATURE, "24 degC"},
        {0.3 / 3.6e6, GP_DIM_CARBON_PER_J, "0.3 kgCO2e/kWh"},
        {0.02 / 3.6e6, GP_DIM_CARBON_PER_J, "20 gCO2e/kWh"},
    };
    gp_arena *arena = gp_arena_new(1 << 20);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_string_equal(gp_quantity_format(arena, cases[i].value, cases[i].dim), cases[i].text);
    }
    assert_string_equal(gp_quantity_format_digits(arena, 85e9, GP_DIM_BYTES, 6), "79.1624 GiB");
    /* Two that read alike by three digits are told apart; two that do not, and equal ones, stay. */
    assert_string_equal(gp_quantity_format_apart(arena, 25.04, 25, GP_DIM_PER_S, "USD"), "25.04/s");
    assert_string_equal(gp_quantity_format_apart(arena, 26.04, 25, GP_DIM_PER_S, "USD"), "26/s");
    assert_string_equal(gp_quantity_format_apart(arena, 25, 25, GP_DIM_PER_S, "USD"), "25/s");
    assert_string_equal(gp_quantity_format_money(arena, 450000, GP_DIM_MONEY, 3, "EUR"),
                        "450k EUR");
    gp_arena_free(arena);
}

static void what_is_printed_reads_back(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new(1 << 20);
    for (int dim = 0; dim < GP_DIM_COUNT_OF; dim++) {
        assert_non_null(gp_dim_expected((gp_dim)dim));
        assert_non_null(gp_dim_base_unit((gp_dim)dim));
        for (double value = 1.2345678901234e-12; value < 1e24; value *= 3.7) {
            gp_arena_mark mark = gp_arena_set_mark(arena);
            gp_quantity exact;
            gp_quantity rounded;
            const char *text = gp_quantity_format_digits(arena, value, (gp_dim)dim, 0);
            gp_quantity_error error = parse(text, (gp_dim)dim, &exact);
            if (error != GP_QUANTITY_OK || !close_to(exact.value, value)) {
                fail_msg("%.17g of dimension %d was printed as \"%s\"", value, dim, text);
            }
            text = gp_quantity_format(arena, value, (gp_dim)dim);
            assert_int_equal(parse(text, (gp_dim)dim, &rounded), GP_QUANTITY_OK);
            assert_true(fabs(rounded.value - value) <= 0.00501 * value);
            gp_arena_release(arena, mark);
        }
    }
    gp_arena_free(arena);
}

/* The example that each dimension gives of itself has to be right. */
static void the_examples_are_read(void **state) {
    (void)state;
    for (int dim = 0; dim < GP_DIM_COUNT_OF; dim++) {
        const char *expected = gp_dim_expected((gp_dim)dim);
        const char *begin = strstr(expected, "(such as ");
        assert_non_null(begin);
        begin += strlen("(such as ");
        size_t len = strcspn(begin, ",)");
        const char * or = strstr(begin, " or ");
        if (or &&(size_t)(or -begin) < len) {
            len = (size_t)(or -begin);
        }
        gp_quantity quantity;
        assert_int_equal(gp_quantity_parse(begin, len, (gp_dim)dim, &quantity), GP_QUANTITY_OK);
    }
}

static void every_unit_belongs_where_it_is_read(void **state) {
    (void)state;
    static const char *const units[] = {
        "%",          "B",       "kB",        "MB",         "GB",    "TB",     "PB",
        "EB",         "KiB",     "MiB",       "GiB",        "TiB",   "PiB",    "EiB",
        "ns",         "us",      "ms",        "s",          "sec",   "min",    "h",
        "d",          "day",     "days",      "wk",         "week",  "weeks",  "mo",
        "month",      "months",  "quarter",   "quarters",   "yr",    "year",   "years",
        "mm",         "cm",      "km",        "U",          "g",     "kg",     "t",
        "W",          "kW",      "MW",        "GW",         "J",     "kJ",     "MJ",
        "GJ",         "Wh",      "kWh",       "MWh",        "GWh",   "V",      "kV",
        "A",          "kA",      "degC",      "K",          "CFM",   "Pa",     "kPa",
        "MPa",        "bar",     "mbar",      "psi",        "L/min", "L/s",    "m3/h",
        "m3/s",       "GFLOP/s", "TFLOP/s",   "PFLOP/s",    "Mb/s",  "Gb/s",   "Tb/s",
        "MB/s",       "GB/s",    "TB/s",      "GiB/s",      "USD",   "USD/yr", "USD/mo",
        "USD/h",      "USD/kWh", "USD/kW/mo", "USD/gpu/yr", "%/yr",  "%/mo",   "gCO2e/kWh",
        "kgCO2e/kWh", "L/kWh",
    };
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        int homes = 0;
        for (int dim = 0; dim < GP_DIM_COUNT_OF; dim++) {
            char text[40] = "2 ";
            gp_quantity quantity;
            strncat(text, units[i], 30);
            homes += parse(text, (gp_dim)dim, &quantity) == GP_QUANTITY_OK &&
                     dim != GP_DIM_COUNT; /* a count takes any noun */
        }
        if (homes != (strcmp(units[i], "CFM") == 0 ? 2 : 1)) { /* three capitals: also money */
            fail_msg("%s is read by %d dimensions", units[i], homes);
        }
    }
}

static void junk_does_no_harm(void **state) {
    (void)state;
    static const char letters[] = "0123456789.-+eE kMBTGiWhs/%LbKUmdxyz_\xc3\xa9";
    unsigned seed = 1;
    for (int round = 0; round < 200000; round++) {
        char text[24];
        size_t len = 0;
        seed = seed * 1664525u + 1013904223u;
        size_t wanted = seed >> 27;
        while (len < wanted && len < sizeof text) {
            seed = seed * 1664525u + 1013904223u;
            text[len++] = letters[(seed >> 16) % (sizeof letters - 1)];
        }
        gp_quantity quantity;
        gp_dim dim = (gp_dim)(round % GP_DIM_COUNT_OF);
        gp_quantity_error error = gp_quantity_parse(text, len, dim, &quantity);
        assert_true(error <= GP_QUANTITY_OUT_OF_RANGE);
        assert_true(isfinite(quantity.value) && quantity.unit_begin <= len);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_are_read),
        cmocka_unit_test(a_percentage_is_its_fraction),
        cmocka_unit_test(mistakes_are_told_apart),
        cmocka_unit_test(quantities_are_printed_for_people),
        cmocka_unit_test(what_is_printed_reads_back),
        cmocka_unit_test(the_examples_are_read),
        cmocka_unit_test(every_unit_belongs_where_it_is_read),
        cmocka_unit_test(junk_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
