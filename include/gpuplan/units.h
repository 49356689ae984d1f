/*
 * Dimensions and quantities: text with a unit to SI doubles and back. Inside gpuplan every value is
 * in the base unit of its dimension; prefixes exist at the edges only.
 */
#ifndef GPUPLAN_UNITS_H
#define GPUPLAN_UNITS_H

#include <stdbool.h>
#include <stddef.h>

#include <gpuplan/arena.h>
#include <gpuplan/status.h>

typedef enum gp_dim {
    GP_DIM_NONE,             /* a plain number */
    GP_DIM_COUNT,            /* things: tokens, samples, GPUs; k M B T allowed */
    GP_DIM_FRACTION,         /* 12% -> 0.12 */
    GP_DIM_BYTES,            /* B kB MB GB TB PB, KiB MiB GiB TiB PiB */
    GP_DIM_BYTES_PER_S,      /* GB/s GiB/s: storage, memory, links */
    GP_DIM_BITS_PER_S,       /* Gb/s: network ports; kept apart from bytes */
    GP_DIM_FLOP_PER_S,       /* TFLOP/s PFLOP/s */
    GP_DIM_TIME,             /* s: ns us ms s min h d wk/week(s) mo yr quarter(s); m = minutes */
    GP_DIM_LENGTH,           /* m: mm cm m km; m = metres */
    GP_DIM_RACK_UNITS,       /* U */
    GP_DIM_MASS,             /* kg */
    GP_DIM_POWER,            /* W: W kW MW GW */
    GP_DIM_ENERGY,           /* J: J kJ MJ Wh kWh MWh */
    GP_DIM_VOLTAGE,          /* V */
    GP_DIM_CURRENT,          /* A */
    GP_DIM_TEMPERATURE,      /* degC */
    GP_DIM_TEMPERATURE_RISE, /* K */
    GP_DIM_FLOW,             /* m3/s: m3/s m3/h L/min L/s CFM */
    GP_DIM_PRESSURE,         /* Pa kPa bar psi */
    GP_DIM_PER_S,            /* 1/s: requests per second as a plain number, or 5/s 300/min */
    GP_DIM_MONEY,            /* any three capitals: 12M USD, 450k EUR, 180000 USD */
    GP_DIM_MONEY_PER_S,      /* USD/yr USD/h USD/mo */
    GP_DIM_MONEY_PER_J,      /* USD/kWh */
    GP_DIM_MONEY_PER_W_S,    /* USD/kW/mo */
    GP_DIM_MONEY_PER_GPU_S,  /* USD/gpu/yr */
    GP_DIM_FRACTION_PER_S,   /* 12%/yr; kept per second, simple (linear) conversion, yr = 8760 h */
    GP_DIM_CARBON_PER_J,     /* kgCO2e/kWh gCO2e/kWh -> kg/J */
    GP_DIM_WATER_PER_J,      /* L/kWh -> L/J */
    GP_DIM_COUNT_OF
} gp_dim;

typedef enum gp_quantity_error {
    GP_QUANTITY_OK,
    GP_QUANTITY_NOT_A_NUMBER,    /* "abc", "1.2.3", "nan", "0x10" */
    GP_QUANTITY_MISSING_UNIT,    /* "80" where bytes are due */
    GP_QUANTITY_UNKNOWN_UNIT,    /* "80 Gigs" */
    GP_QUANTITY_WRONG_DIMENSION, /* "80 kg" where bytes are due; "400 GB/s" where bits/s are due */
    GP_QUANTITY_OUT_OF_RANGE     /* not finite as a double */
} gp_quantity_error;

typedef struct gp_quantity {
    double value;      /* in the base unit of the dimension */
    char currency[4];  /* "USD" for money dimensions, else "" */
    size_t unit_begin; /* where the unit's text starts (for carets) */
    const char *hint;  /* constant: the nearest unit for UNKNOWN_UNIT, else why; NULL where none */
} gp_quantity;

/*
 * Parses `text` (len bytes) as a quantity of dimension `dim`. Locale plays no part; digits are not
 * grouped ("1,000" and "1_000" are refused). Spaces between number and unit do not matter.
 * Exceptions to "a quantity needs its unit":
 *   GP_DIM_COUNT     a plain number, with k M B T right behind it, with a noun: "500k",
 *                    "1.5T tokens"
 *   GP_DIM_FRACTION  a plain number from 0 to 1: 0.8 is 80%
 *   GP_DIM_PER_S     a plain number is per second
 * On an error *ret_quantity has unit_begin and hint; value is 0.
 */
gp_quantity_error gp_quantity_parse(const char *text, size_t len, gp_dim dim,
                                    gp_quantity *ret_quantity);

/* "bytes (such as 80 GiB)": what a field of this dimension wants. Constant. */
const char *gp_dim_expected(gp_dim dim);
/* Name of the base unit: "B", "B/s", "b/s", "s", "W", ...; "" for plain numbers. Constant. */
const char *gp_dim_base_unit(gp_dim dim);
/* For people: 3 significant digits and the best prefix ("79.2 GiB", "400 Gb/s", "3.2 d",
 * "12.4 kW", "1.5T"); bytes are binary, everything else decimal. Whole counts below 10,000 are
 * printed in full. Money is printed as USD. Arena-owned or NULL. */
char *gp_quantity_format(gp_arena *arena, double value, gp_dim dim);
/* The same with `digits` significant digits (0: as many as it takes to read the value back). */
char *gp_quantity_format_digits(gp_arena *arena, double value, gp_dim dim, int digits);

/** As gp_quantity_format, with the digits it takes to read differently from `other`. */
char *gp_quantity_format_apart(gp_arena *arena, double value, double other, gp_dim dim,
                               const char *currency);
/* In three digits that say no less (up) or no more (down) than the value. */
char *gp_quantity_format_side(gp_arena *arena, double value, gp_dim dim, bool up,
                              const char *currency);
/* Where something changes, beside today's value: "26/s (now 25/s)", or "just above today's 25/s"
 * where the two lie within a thousandth. */
char *gp_quantity_format_turn(gp_arena *arena, double at, double today, gp_dim dim);
bool gp_quantity_is_near(double at, double today);
/* The same in another currency; `currency` plays no part where `dim` is not money. */
char *gp_quantity_format_money(gp_arena *arena, double value, gp_dim dim, int digits,
                               const char *currency);

#endif
