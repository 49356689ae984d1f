/*
 * Quantities. A unit is written from atoms ("GB", "s", "kWh") joined by "/", and each dimension
 * names the kinds of atom it is made of; one table of atoms (prefixes spelt out as rows) and one of
 * dimensions then drive reading, printing and hints. Looking atoms up by kind is what lets "m" be
 * minutes in a time and metres in a length.
 */
#include <gpuplan/units.h>

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"

typedef enum atom_kind {
    ATOM_NONE,
    ATOM_PERCENT,
    ATOM_BYTE,
    ATOM_BIT,
    ATOM_FLOP,
    ATOM_TIME,
    ATOM_LENGTH,
    ATOM_RACK_UNIT,
    ATOM_MASS,
    ATOM_POWER,
    ATOM_ENERGY,
    ATOM_VOLTAGE,
    ATOM_CURRENT,
    ATOM_CELSIUS,
    ATOM_KELVIN,
    ATOM_VOLUME,
    ATOM_FLOW,
    ATOM_PRESSURE,
    ATOM_CURRENCY, /* any three capitals: no rows */
    ATOM_CARBON,
    ATOM_GPU
} atom_kind;

typedef struct atom {
    const char *name;
    atom_kind kind;
    double factor; /* base units of the kind in one of these */
    bool alone;    /* not within a rate: "L/m" would leave open what m is */
} atom;

#define KIB       1024.0
#define MIB       (KIB * 1024)
#define GIB       (MIB * 1024)
#define TIB       (GIB * 1024)
#define PIB       (TIB * 1024)
#define EIB       (PIB * 1024)
#define MINUTE_S  60.0
#define HOUR_S    3600.0
#define DAY_S     (24 * HOUR_S)
#define WEEK_S    (7 * DAY_S)
#define YEAR_S    (8760 * HOUR_S)
#define QUARTER_S (YEAR_S / 4)
#define MONTH_S   (YEAR_S / 12)
#define KWH_J     3.6e6
/* A cubic foot is 0.3048 m cubed; 1 psi is 6894.757293168 Pa (NIST SP 811, appendix B.8). */
#define CFM_M3_PER_S (0.3048 * 0.3048 * 0.3048 / MINUTE_S)
#define PSI_PA       6894.757293168

static const atom atoms[] = {
    {"%", ATOM_PERCENT, 0.01, false},
    {"B", ATOM_BYTE, 1, false},
    {"kB", ATOM_BYTE, 1e3, false},
    {"MB", ATOM_BYTE, 1e6, false},
    {"GB", ATOM_BYTE, 1e9, false},
    {"TB", ATOM_BYTE, 1e12, false},
    {"PB", ATOM_BYTE, 1e15, false},
    {"EB", ATOM_BYTE, 1e18, false},
    {"KiB", ATOM_BYTE, KIB, false},
    {"MiB", ATOM_BYTE, MIB, false},
    {"GiB", ATOM_BYTE, GIB, false},
    {"TiB", ATOM_BYTE, TIB, false},
    {"PiB", ATOM_BYTE, PIB, false},
    {"EiB", ATOM_BYTE, EIB, false},
    {"b", ATOM_BIT, 1, false},
    {"kb", ATOM_BIT, 1e3, false},
    {"Mb", ATOM_BIT, 1e6, false},
    {"Gb", ATOM_BIT, 1e9, false},
    {"Tb", ATOM_BIT, 1e12, false},
    {"Pb", ATOM_BIT, 1e15, false},
    {"FLOP", ATOM_FLOP, 1, false},
    {"MFLOP", ATOM_FLOP, 1e6, false},
    {"GFLOP", ATOM_FLOP, 1e9, false},
    {"TFLOP", ATOM_FLOP, 1e12, false},
    {"PFLOP", ATOM_FLOP, 1e15, false},
    {"EFLOP", ATOM_FLOP, 1e18, false},
    {"ns", ATOM_TIME, 1e-9, false},
    {"us", ATOM_TIME, 1e-6, false},
    {"ms", ATOM_TIME, 1e-3, false},
    {"s", ATOM_TIME, 1, false},
    {"sec", ATOM_TIME, 1, false},
    {"second", ATOM_TIME, 1, false},
    {"seconds", ATOM_TIME, 1, false},
    {"min", ATOM_TIME, MINUTE_S, false},
    {"m", ATOM_TIME, MINUTE_S, true},
    {"minute", ATOM_TIME, MINUTE_S, false},
    {"minutes", ATOM_TIME, MINUTE_S, false},
    {"h", ATOM_TIME, HOUR_S, false},
    {"hour", ATOM_TIME, HOUR_S, false},
    {"hours", ATOM_TIME, HOUR_S, false},
    {"d", ATOM_TIME, DAY_S, false},
    {"day", ATOM_TIME, DAY_S, false},
    {"days", ATOM_TIME, DAY_S, false},
    {"wk", ATOM_TIME, WEEK_S, false},
    {"week", ATOM_TIME, WEEK_S, false},
    {"weeks", ATOM_TIME, WEEK_S, false},
    {"mo", ATOM_TIME, MONTH_S, false},
    {"month", ATOM_TIME, MONTH_S, false},
    {"months", ATOM_TIME, MONTH_S, false},
    {"quarter", ATOM_TIME, QUARTER_S, false},
    {"quarters", ATOM_TIME, QUARTER_S, false},
    {"yr", ATOM_TIME, YEAR_S, false},
    {"year", ATOM_TIME, YEAR_S, false},
    {"years", ATOM_TIME, YEAR_S, false},
    {"mm", ATOM_LENGTH, 1e-3, false},
    {"cm", ATOM_LENGTH, 1e-2, false},
    {"m", ATOM_LENGTH, 1, false},
    {"km", ATOM_LENGTH, 1e3, false},
    {"U", ATOM_RACK_UNIT, 1, false},
    {"g", ATOM_MASS, 1e-3, false},
    {"kg", ATOM_MASS, 1, false},
    {"t", ATOM_MASS, 1e3, false},
    {"mW", ATOM_POWER, 1e-3, false},
    {"W", ATOM_POWER, 1, false},
    {"kW", ATOM_POWER, 1e3, false},
    {"MW", ATOM_POWER, 1e6, false},
    {"GW", ATOM_POWER, 1e9, false},
    {"J", ATOM_ENERGY, 1, false},
    {"kJ", ATOM_ENERGY, 1e3, false},
    {"MJ", ATOM_ENERGY, 1e6, false},
    {"GJ", ATOM_ENERGY, 1e9, false},
    {"Wh", ATOM_ENERGY, KWH_J / 1e3, false},
    {"kWh", ATOM_ENERGY, KWH_J, false},
    {"MWh", ATOM_ENERGY, KWH_J * 1e3, false},
    {"GWh", ATOM_ENERGY, KWH_J * 1e6, false},
    {"V", ATOM_VOLTAGE, 1, false},
    {"kV", ATOM_VOLTAGE, 1e3, false},
    {"A", ATOM_CURRENT, 1, false},
    {"kA", ATOM_CURRENT, 1e3, false},
    {"degC", ATOM_CELSIUS, 1, false},
    {"K", ATOM_KELVIN, 1, false},
    {"L", ATOM_VOLUME, 1e-3, false},
    {"m3", ATOM_VOLUME, 1, false},
    {"CFM", ATOM_FLOW, CFM_M3_PER_S, false},
    {"Pa", ATOM_PRESSURE, 1, false},
    {"kPa", ATOM_PRESSURE, 1e3, false},
    {"MPa", ATOM_PRESSURE, 1e6, false},
    {"mbar", ATOM_PRESSURE, 1e2, false},
    {"bar", ATOM_PRESSURE, 1e5, false},
    {"psi", ATOM_PRESSURE, PSI_PA, false},
    {"gCO2e", ATOM_CARBON, 1e-3, false},
    {"kgCO2e", ATOM_CARBON, 1, false},
    {"tCO2e", ATOM_CARBON, 1e3, false},
    {"gpu", ATOM_GPU, 1, false},
};

/* What a unit of a dimension is made of: kinds[0]/kinds[1]/kinds[2]. */
typedef struct unit_shape {
    atom_kind kinds[3];
} unit_shape;

/* How people read a value: the last row whose `from` is reached is used. */
typedef struct print_unit {
    const char *unit; /* with a leading space where one is due; "@" stands for the currency */
    double factor;
    double from; /* 0: from `factor` on */
} print_unit;

enum { PRINT_UNITS = 8, SHAPES = 2 };

typedef struct dim_row {
    const char *base;
    const char *expected;
    unit_shape shapes[SHAPES];
    double scale; /* base units of the dimension in the product of the atoms' base units; 0: 1 */
    bool suffix;  /* k M B T may follow the number */
    bool bare;    /* a number without unit is fine */
    print_unit print[PRINT_UNITS];
    const char *const *units; /* spellings to suggest from, NULL-terminated */
} dim_row;

#define UNITS(...)                                                                                 \
    (const char *const[]) {                                                                        \
        __VA_ARGS__, NULL                                                                          \
    }

static const dim_row dims[GP_DIM_COUNT_OF] = {
    [GP_DIM_NONE] = {.base = "",
                     .expected = "a number (such as 1.35)",
                     .bare = true,
                     .print = {{"", 1, 0}}},
    [GP_DIM_COUNT] =
        {.base = "",
         .expected = "a count (such as 2000, 500k or 1.5T tokens)",
         .suffix = true,
         .bare = true,
         .print = {{"", 1, 0}, {"k", 1e3, 1e4}, {"M", 1e6, 0}, {"B", 1e9, 0}, {"T", 1e12, 0}},
         .units = UNITS("k", "M", "B", "T")},
    [GP_DIM_FRACTION] = {.base = "",
                         .expected = "a percentage (such as 12%) or a number from 0 to 1",
                         .shapes = {{{ATOM_PERCENT}}},
                         .bare = true,
                         .print = {{"%", 0.01, 0}},
                         .units = UNITS("%")},
    [GP_DIM_BYTES] = {.base = "B",
                      .expected = "bytes (such as 80 GiB)",
                      .shapes = {{{ATOM_BYTE}}},
                      .print = {{" B", 1, 0},
                                {" KiB", KIB, 0},
                                {" MiB", MIB, 0},
                                {" GiB", GIB, 0},
                                {" TiB", TIB, 0},
                                {" PiB", PIB, 0},
                                {" EiB", EIB, 0}},
                      .units = UNITS("GB", "GiB", "TB", "TiB", "MB", "MiB", "PB", "PiB", "kB",
                                     "KiB", "EB", "EiB", "B")},
    [GP_DIM_BYTES_PER_S] = {.base = "B/s",
                            .expected = "bytes per second (such as 400 GB/s)",
                            .shapes = {{{ATOM_BYTE, ATOM_TIME}}},
                            .print = {{" B/s", 1, 0},
                                      {" kB/s", 1e3, 0},
                                      {" MB/s", 1e6, 0},
                                      {" GB/s", 1e9, 0},
                                      {" TB/s", 1e12, 0},
                                      {" PB/s", 1e15, 0}},
                            .units = UNITS("GB/s", "TB/s", "MB/s", "kB/s", "GiB/s", "MiB/s",
                                           "TiB/s", "PB/s", "B/s")},
    [GP_DIM_BITS_PER_S] = {.base = "b/s",
                           .expected = "bits per second (such as 400 Gb/s)",
                           .shapes = {{{ATOM_BIT, ATOM_TIME}}},
                           .print = {{" b/s", 1, 0},
                                     {" kb/s", 1e3, 0},
                                     {" Mb/s", 1e6, 0},
                                     {" Gb/s", 1e9, 0},
                                     {" Tb/s", 1e12, 0},
                                     {" Pb/s", 1e15, 0}},
                           .units = UNITS("Gb/s", "Tb/s", "Mb/s", "kb/s", "Pb/s", "b/s")},
    [GP_DIM_FLOP_PER_S] = {.base = "FLOP/s",
                           .expected = "a compute rate (such as 989 TFLOP/s)",
                           .shapes = {{{ATOM_FLOP, ATOM_TIME}}},
                           .print = {{" FLOP/s", 1, 0},
                                     {" MFLOP/s", 1e6, 0},
                                     {" GFLOP/s", 1e9, 0},
                                     {" TFLOP/s", 1e12, 0},
                                     {" PFLOP/s", 1e15, 0},
                                     {" EFLOP/s", 1e18, 0}},
                           .units = UNITS("TFLOP/s", "PFLOP/s", "GFLOP/s", "EFLOP/s", "MFLOP/s",
                                          "FLOP/s")},
    [GP_DIM_TIME] = {.base = "s",
                     .expected = "a time (such as 45d, 12h or 800 ms)",
                     .shapes = {{{ATOM_TIME}}},
                     .print = {{" ns", 1e-9, 0},
                               {" us", 1e-6, 0},
                               {" ms", 1e-3, 0},
                               {" s", 1, 0},
                               {" min", MINUTE_S, 0},
                               {" h", HOUR_S, 0},
                               {" d", DAY_S, 0},
                               {" yr", YEAR_S, 0}},
                     .units =
                         UNITS("s", "ms", "us", "ns", "sec", "min", "h", "hours", "d", "day",
                               "days", "wk", "week", "weeks", "mo", "month", "months", "quarter",
                               "quarters", "yr", "year", "years", "seconds", "minutes")},
    [GP_DIM_LENGTH] = {.base = "m",
                       .expected = "a length (such as 200 m)",
                       .shapes = {{{ATOM_LENGTH}}},
                       .print = {{" mm", 1e-3, 0}, {" cm", 1e-2, 0}, {" m", 1, 0}, {" km", 1e3, 0}},
                       .units = UNITS("m", "cm", "mm", "km")},
    [GP_DIM_RACK_UNITS] = {.base = "U",
                           .expected = "rack units (such as 8 U)",
                           .shapes = {{{ATOM_RACK_UNIT}}},
                           .print = {{" U", 1, 0}},
                           .units = UNITS("U")},
    [GP_DIM_MASS] = {.base = "kg",
                     .expected = "a mass (such as 130 kg)",
                     .shapes = {{{ATOM_MASS}}},
                     .print = {{" g", 1e-3, 0}, {" kg", 1, 0}, {" t", 1e3, 0}},
                     .units = UNITS("kg", "t", "g")},
    [GP_DIM_POWER] = {.base = "W",
                      .expected = "a power (such as 10.2 kW)",
                      .shapes = {{{ATOM_POWER}}},
                      .print = {{" mW", 1e-3, 0},
                                {" W", 1, 0},
                                {" kW", 1e3, 0},
                                {" MW", 1e6, 0},
                                {" GW", 1e9, 0}},
                      .units = UNITS("kW", "W", "MW", "GW", "mW")},
    [GP_DIM_ENERGY] = {.base = "J",
                       .expected = "an energy (such as 40 MWh)",
                       .shapes = {{{ATOM_ENERGY}}},
                       .print = {{" J", 1, 0},
                                 {" Wh", KWH_J / 1e3, 0},
                                 {" kWh", KWH_J, 0},
                                 {" MWh", KWH_J * 1e3, 0},
                                 {" GWh", KWH_J * 1e6, 0}},
                       .units = UNITS("kWh", "MWh", "Wh", "GWh", "J", "kJ", "MJ", "GJ")},
    [GP_DIM_VOLTAGE] = {.base = "V",
                        .expected = "a voltage (such as 415 V)",
                        .shapes = {{{ATOM_VOLTAGE}}},
                        .print = {{" V", 1, 0}, {" kV", 1e3, 0}},
                        .units = UNITS("V", "kV")},
    [GP_DIM_CURRENT] = {.base = "A",
                        .expected = "a current (such as 63 A)",
                        .shapes = {{{ATOM_CURRENT}}},
                        .print = {{" A", 1, 0}, {" kA", 1e3, 0}},
                        .units = UNITS("A", "kA")},
    [GP_DIM_TEMPERATURE] = {.base = "degC",
                            .expected = "a temperature (such as 24 degC)",
                            .shapes = {{{ATOM_CELSIUS}}},
                            .print = {{" degC", 1, 0}},
                            .units = UNITS("degC")},
    [GP_DIM_TEMPERATURE_RISE] = {.base = "K",
                                 .expected = "a difference of temperatures (such as 12 K)",
                                 .shapes = {{{ATOM_KELVIN}}},
                                 .print = {{" K", 1, 0}},
                                 .units = UNITS("K")},
    [GP_DIM_FLOW] = {.base = "m3/s",
                     .expected = "a flow (such as 80 L/min or 1100 CFM)",
                     .shapes = {{{ATOM_VOLUME, ATOM_TIME}}, {{ATOM_FLOW}}},
                     .print = {{" L/min", 1e-3 / MINUTE_S, 0},
                               {" m3/h", 1 / HOUR_S, 1 / MINUTE_S},
                               {" m3/s", 1, 1e2}},
                     .units = UNITS("L/min", "L/s", "m3/h", "m3/s", "m3/min", "L/h", "CFM")},
    [GP_DIM_PRESSURE] = {.base = "Pa",
                         .expected = "a pressure (such as 50 kPa or 0.5 bar)",
                         .shapes = {{{ATOM_PRESSURE}}},
                         .print = {{" Pa", 1, 0}, {" kPa", 1e3, 0}, {" MPa", 1e6, 0}},
                         .units = UNITS("kPa", "Pa", "bar", "mbar", "MPa", "psi")},
    [GP_DIM_PER_S] = {.base = "1/s",
                      .expected = "a rate (such as 5/s, 300/min or a number per second)",
                      .shapes = {{{ATOM_NONE, ATOM_TIME}}},
                      .suffix = true,
                      .bare = true,
                      .print = {{"/s", 1, 0},
                                {"k/s", 1e3, 1e4},
                                {"M/s", 1e6, 0},
                                {"T/s", 1e12, 0}},
                      .units = UNITS("/s", "/min", "/h", "/d")},
    [GP_DIM_MONEY] = {.base = "currency",
                      .expected = "an amount of money (such as 12M USD)",
                      .shapes = {{{ATOM_CURRENCY}}},
                      .suffix = true,
                      .print = {{" @", 1, 0},
                                {"k @", 1e3, 1e4},
                                {"M @", 1e6, 0},
                                {"B @", 1e9, 0},
                                {"T @", 1e12, 0}}},
    [GP_DIM_MONEY_PER_S] = {.base = "currency/s",
                            .expected = "money per time (such as 180000 USD/yr or 84 USD/h)",
                            .shapes = {{{ATOM_CURRENCY, ATOM_TIME}}},
                            .suffix = true,
                            .print = {{" @/yr", 1 / YEAR_S, 0},
                                      {"k @/yr", 1e3 / YEAR_S, 1e4 / YEAR_S},
                                      {"M @/yr", 1e6 / YEAR_S, 0},
                                      {"B @/yr", 1e9 / YEAR_S, 0}}},
    [GP_DIM_MONEY_PER_J] = {.base = "currency/J",
                            .expected = "money per energy (such as 0.12 USD/kWh)",
                            .shapes = {{{ATOM_CURRENCY, ATOM_ENERGY}}},
                            .suffix = true,
                            .print = {{" @/kWh", 1 / KWH_J, 0}}},
    [GP_DIM_MONEY_PER_W_S] = {.base = "currency/W/s",
                              .expected = "money per power and time (such as 180 USD/kW/mo)",
                              .shapes = {{{ATOM_CURRENCY, ATOM_POWER, ATOM_TIME}}},
                              .suffix = true,
                              .print = {{" @/kW/mo", 1 / (1e3 * MONTH_S), 0}}},
    [GP_DIM_MONEY_PER_GPU_S] = {.base = "currency/gpu/s",
                                .expected = "money per GPU and time (such as 900 USD/gpu/yr)",
                                .shapes = {{{ATOM_CURRENCY, ATOM_GPU, ATOM_TIME}}},
                                .suffix = true,
                                .print = {{" @/gpu/yr", 1 / YEAR_S, 0},
                                          {"k @/gpu/yr", 1e3 / YEAR_S, 1e4 / YEAR_S}}},
    [GP_DIM_FRACTION_PER_S] = {.base = "1/s",
                               .expected = "a percentage per time (such as 12%/yr or 3%/mo)",
                               .shapes = {{{ATOM_PERCENT, ATOM_TIME}}},
                               .print = {{"%/yr", 0.01 / YEAR_S, 0}},
                               .units = UNITS("%/yr", "%/mo", "%/quarter", "%/wk", "%/d")},
    [GP_DIM_CARBON_PER_J] = {.base = "kgCO2e/J",
                             .expected = "carbon per energy (such as 0.30 kgCO2e/kWh)",
                             .shapes = {{{ATOM_CARBON, ATOM_ENERGY}}},
                             .print = {{" gCO2e/kWh", 1e-3 / KWH_J, 0},
                                       {" kgCO2e/kWh", 1 / KWH_J, 0.1 / KWH_J}},
                             .units = UNITS("kgCO2e/kWh", "gCO2e/kWh", "tCO2e/MWh", "kgCO2e/MWh")},
    [GP_DIM_WATER_PER_J] = {.base = "L/J",
                            .expected = "water per energy (such as 0.4 L/kWh)",
                            .shapes = {{{ATOM_VOLUME, ATOM_ENERGY}}},
                            .scale = 1e3,
                            .print = {{" L/kWh", 1 / KWH_J, 0}},
                            .units = UNITS("L/kWh", "m3/MWh", "L/MWh")},
};

static const char hint_bits[] = "b is bits, B is bytes: 8 Gb/s is 1 GB/s";
static const char hint_fraction[] = "12 percent is 12% or 0.12";
static const char hint_number[] = "a number has digits and one point: 1500, 0.5, 1.5e3";
static const char hint_suffix[] =
    "k (10^3), M (10^6), B (10^9) or T (10^12) right behind the number";
static const char hint_rise[] = "degC is a temperature, K a difference of temperatures";

/* A text under examination. */
typedef struct word {
    const char *text;
    size_t len;
} word;

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_currency(word unit) {
    for (size_t i = 0; i < unit.len; i++)
        if (unit.text[i] < 'A' || unit.text[i] > 'Z')
            return false;
    return unit.len == 3;
}

/* Takes the part of `unit` before the next '/' off it; false when nothing is left. */
static bool next_part(word *unit, bool *more, word *ret_part) {
    if (!*more)
        return false;
    const char *slash = unit->len ? memchr(unit->text, '/', unit->len) : NULL;
    *more = slash != NULL;
    ret_part->text = unit->text;
    ret_part->len = slash ? (size_t)(slash - unit->text) : unit->len;
    size_t taken = ret_part->len + (slash ? 1 : 0);
    unit->text += taken;
    unit->len -= taken;
    return true;
}

/* Factor of an atom of this kind; false when `part` is none. */
static bool atom_factor(word part, atom_kind kind, bool in_rate, double *ret_factor) {
    *ret_factor = 1;
    if (kind == ATOM_NONE)
        return part.len == 0;
    if (kind == ATOM_CURRENCY)
        return is_currency(part);
    for (size_t i = 0; i < GP_COUNT_OF(atoms); i++) {
        const atom *row = &atoms[i];
        if (row->kind == kind && !(in_rate && row->alone) &&
            gp_str_is(part.text, part.len, row->name)) {
            *ret_factor = row->factor;
            return true;
        }
    }
    return false;
}

static bool shape_matches(const unit_shape *shape, word unit, double *ret_factor) {
    double factor = 1;
    bool more = true;
    word part = {0};
    size_t at = 0;
    for (; at < 3 && (at == 0 || shape->kinds[at] != ATOM_NONE); at++) {
        double part_factor = 1;
        if (!next_part(&unit, &more, &part))
            return false;
        bool in_rate = at > 0 || more;
        if (!atom_factor(part, shape->kinds[at], in_rate, &part_factor))
            return false;
        factor = at == 0 ? part_factor : factor / part_factor;
    }
    *ret_factor = factor;
    return !more;
}

/* Base units of `dim` in one `unit`; false when it is none of that dimension. */
static bool unit_factor(gp_dim dim, word unit, double *ret_factor) {
    const dim_row *row = &dims[dim];
    for (size_t i = 0; i < SHAPES; i++) {
        bool given = row->shapes[i].kinds[0] != ATOM_NONE || row->shapes[i].kinds[1] != ATOM_NONE;
        if (given && shape_matches(&row->shapes[i], unit, ret_factor)) {
            *ret_factor *= row->scale > 0 ? row->scale : 1;
            return true;
        }
    }
    return false;
}

/* Any dimension that has this unit, or GP_DIM_COUNT_OF. A currency alone would catch every word
 * of three capitals, so it does not count. */
static gp_dim dim_of_unit(word unit) {
    double factor = 1;
    for (unsigned dim = 0; dim < GP_DIM_COUNT_OF; dim++)
        if (dim != GP_DIM_MONEY && unit_factor((gp_dim)dim, unit, &factor))
            return (gp_dim)dim;
    return GP_DIM_COUNT_OF;
}

static double suffix_factor(char c) {
    static const struct {
        char name;
        double factor;
    } suffixes[] = {{'k', 1e3}, {'M', 1e6}, {'B', 1e9}, {'T', 1e12}};
    for (size_t i = 0; i < GP_COUNT_OF(suffixes); i++)
        if (suffixes[i].name == c)
            return suffixes[i].factor;
    return 0;
}

static word skip_spaces(word rest) {
    while (rest.len && rest.text[0] == ' ') {
        rest.text++;
        rest.len--;
    }
    return rest;
}

/* Takes a k, M, B or T that stands alone (before a space, '/' or the end) off `rest`, which begins
 * right behind the number: in "80 B", B is bytes. */
static word take_suffix(word rest, double *ret_factor) {
    *ret_factor = 1;
    bool alone = rest.len == 1 || (rest.len > 1 && (rest.text[1] == ' ' || rest.text[1] == '/'));
    double factor = alone ? suffix_factor(rest.text[0]) : 0;
    if (!(factor > 0))
        return rest;
    *ret_factor = factor;
    rest.text++;
    rest.len--;
    return rest;
}

/* What a count counts: one word of two letters or more. */
static bool is_noun(word noun) {
    for (size_t i = 0; i < noun.len; i++)
        if (!is_letter(noun.text[i]) && !(i > 0 && noun.text[i] == '-'))
            return false;
    return noun.len >= 2;
}

static bool is_byte_or_bit_rate(gp_dim dim) {
    return dim == GP_DIM_BYTES_PER_S || dim == GP_DIM_BITS_PER_S;
}

static const char *wrong_dim_hint(gp_dim wanted, gp_dim found) {
    if (is_byte_or_bit_rate(wanted) && is_byte_or_bit_rate(found))
        return hint_bits;
    bool rise = wanted == GP_DIM_TEMPERATURE_RISE && found == GP_DIM_TEMPERATURE;
    if (rise || (wanted == GP_DIM_TEMPERATURE && found == GP_DIM_TEMPERATURE_RISE))
        return hint_rise;
    return NULL;
}

/* "500K" or "1.5t tokens": a single letter where k, M, B or T may stand. */
static bool is_odd_suffix(gp_dim dim, word unit) {
    return dims[dim].suffix && unit.len && is_letter(unit.text[0]) &&
           (unit.len == 1 || unit.text[1] == ' ');
}

/* "80 Gb" where bytes are due: no dimension has that unit, but it is a number of bits. */
static bool is_bits_for_bytes(gp_dim dim, word unit) {
    double factor = 1;
    return dim == GP_DIM_BYTES && atom_factor(unit, ATOM_BIT, false, &factor);
}

/* What a unit begins with is likely cut short: "8/m" means minutes, although "/s" is as near. */
static const char *nearest_unit(gp_dim dim, word unit) {
    const char *const *units = dims[dim].units;
    if (!units)
        return NULL;
    for (size_t i = 0; units[i]; i++)
        if (unit.len > 0 && strncmp(units[i], unit.text, unit.len) == 0)
            return units[i];
    bool only_one = !units[1];
    return only_one ? units[0] : gp_str_nearest_of(unit.text, unit.len, units);
}

/* The error for a unit that `dim` does not know, with the hint that goes with it. */
static gp_quantity_error refuse_unit(gp_dim dim, word unit, gp_quantity *quantity) {
    gp_dim found = dim_of_unit(unit);
    bool odd_suffix = is_odd_suffix(dim, unit);
    if (found != GP_DIM_COUNT_OF) {
        quantity->hint = odd_suffix ? hint_suffix : wrong_dim_hint(dim, found);
        return GP_QUANTITY_WRONG_DIMENSION;
    }
    if (is_bits_for_bytes(dim, unit)) {
        quantity->hint = hint_bits;
        return GP_QUANTITY_WRONG_DIMENSION;
    }
    quantity->hint = odd_suffix ? hint_suffix : nearest_unit(dim, unit);
    return GP_QUANTITY_UNKNOWN_UNIT;
}

static gp_quantity_error missing_unit(gp_dim dim, gp_quantity *quantity) {
    quantity->hint = dim == GP_DIM_FRACTION ? hint_fraction : NULL;
    return GP_QUANTITY_MISSING_UNIT;
}

/* Number without unit. */
static gp_quantity_error bare_number(gp_dim dim, double number, gp_quantity *quantity) {
    bool fraction_fits = number >= 0 && number <= 1;
    if (!dims[dim].bare || (dim == GP_DIM_FRACTION && !fraction_fits))
        return missing_unit(dim, quantity);
    quantity->value = number;
    return GP_QUANTITY_OK;
}

static gp_quantity_error with_unit(gp_dim dim, double number, word unit, gp_quantity *quantity) {
    double factor = 1;
    bool counted = dim == GP_DIM_COUNT && is_noun(unit) && dim_of_unit(unit) == GP_DIM_COUNT_OF;
    if (!counted && !unit_factor(dim, unit, &factor))
        return refuse_unit(dim, unit, quantity);
    if (dims[dim].shapes[0].kinds[0] == ATOM_CURRENCY)
        memcpy(quantity->currency, unit.text, 3);
    quantity->value = number * factor;
    return GP_QUANTITY_OK;
}

/* What follows the number is not the start of a unit but more of a malformed number. */
static bool is_broken_number(word rest) {
    return rest.len && rest.text[0] != '\0' &&
           strchr("._,:+-eExX0123456789", rest.text[0]) != NULL &&
           !(rest.text[0] == 'E' && rest.len > 1 && is_letter(rest.text[1]));
}

gp_quantity_error gp_quantity_parse(const char *text, size_t len, gp_dim dim,
                                    gp_quantity *ret_quantity) {
    *ret_quantity = (gp_quantity){.unit_begin = len};
    size_t scanned = gp_num_scan(text, len);
    double number = 0;
    word rest = {.text = text + scanned, .len = len - scanned};
    if (!gp_num_parse(text, scanned, &number) || is_broken_number(rest)) {
        ret_quantity->unit_begin = 0;
        ret_quantity->hint = scanned ? hint_number : NULL;
        return GP_QUANTITY_NOT_A_NUMBER;
    }
    while (rest.len && rest.text[rest.len - 1] == ' ')
        rest.len--;
    double suffix = 1;
    if (dims[dim].suffix)
        rest = take_suffix(rest, &suffix);
    rest = skip_spaces(rest);
    ret_quantity->unit_begin = (size_t)(rest.text - text);
    number *= suffix;
    gp_quantity_error error = rest.len ? with_unit(dim, number, rest, ret_quantity)
                                       : bare_number(dim, number, ret_quantity);
    /* 70% and 0.7, 99.9% and 0.999 are the same double: a product with 0.01 is another. */
    if (error == GP_QUANTITY_OK && gp_str_is(rest.text, rest.len, "%"))
        gp_num_parse_scaled(text, scanned, -2, &ret_quantity->value);
    if (error == GP_QUANTITY_OK && !isfinite(ret_quantity->value)) {
        ret_quantity->value = 0;
        error = GP_QUANTITY_OUT_OF_RANGE;
    }
    return error;
}

const char *gp_dim_expected(gp_dim dim) {
    return dims[dim].expected;
}

const char *gp_dim_base_unit(gp_dim dim) {
    return dims[dim].base;
}

static const print_unit *unscaled_unit(const dim_row *row) {
    for (size_t i = 0; i < PRINT_UNITS && row->print[i].unit; i++)
        if (!(row->print[i].factor < 1) && !(row->print[i].factor > 1))
            return &row->print[i];
    return &row->print[0];
}

/* The row to print with: the last that the value reaches once it is rounded to the digits asked
 * for, so that 999.7 GB with three digits is 1 TB. */
static const print_unit *choose_unit(const dim_row *row, double magnitude, int digits) {
    char text[GP_NUM_TEXT];
    const print_unit *chosen = &row->print[0];
    if (!(magnitude > 0)) {
        return unscaled_unit(row); /* nothing has no prefix */
    }
    for (size_t i = 1; i < PRINT_UNITS && row->print[i].unit; i++) {
        const print_unit *unit = &row->print[i];
        double rounded = 0;
        gp_num_format_g(text, magnitude / chosen->factor, digits);
        gp_num_parse(text, strlen(text), &rounded);
        double from = unit->from > 0 ? unit->from : unit->factor;
        if (!(rounded * chosen->factor >= from) && !(magnitude >= from))
            break;
        chosen = unit;
    }
    return chosen;
}

char *gp_quantity_format_money(gp_arena *arena, double value, gp_dim dim, int digits,
                               const char *currency) {
    const dim_row *row = &dims[dim];
    char number[GP_NUM_TEXT];
    const print_unit *unit = choose_unit(row, fabs(value), digits);
    bool whole = row->suffix && unit == row->print && fabs(value / unit->factor) < 1e4 &&
                 gp_num_is_count(value / unit->factor);
    gp_num_format_g(number, value / unit->factor, whole && digits && digits < 4 ? 4 : digits);
    const char *at = strchr(unit->unit, '@');
    if (!at)
        return gp_arena_printf(arena, "%s%s", number, unit->unit);
    return gp_arena_printf(arena, "%s%.*s%s%s", number, (int)(at - unit->unit), unit->unit,
                           currency, at + 1);
}

char *gp_quantity_format_digits(gp_arena *arena, double value, gp_dim dim, int digits) {
    return gp_quantity_format_money(arena, value, dim, digits, "USD");
}

char *gp_quantity_format_apart(gp_arena *arena, double value, double other, gp_dim dim,
                               const char *currency) {
    enum { USUAL = 3, MOST = 6 };
    char *text = NULL;
    for (int digits = USUAL; digits <= MOST; digits++) {
        const char *beside = gp_quantity_format_money(arena, other, dim, digits, currency);
        text = gp_quantity_format_money(arena, value, dim, digits, currency);
        if (strcmp(text, beside) != 0)
            break;
    }
    return text;
}

static bool says_enough(const char *text, double value, gp_dim dim, bool up) {
    gp_quantity read;
    return gp_quantity_parse(text, strlen(text), dim, &read) != GP_QUANTITY_OK ||
           (up ? read.value >= value : read.value <= value) || gp_num_near(read.value, value);
}

char *gp_quantity_format_side(gp_arena *arena, double value, gp_dim dim, bool up,
                              const char *currency) {
    enum { TRIES = 10 }; /* a step of three digits is a hundredth at the most */
    char *text = NULL;
    for (int i = 0; i <= TRIES; i++) {
        const double share = 0.01 * i / TRIES;
        text = gp_quantity_format_money(arena, value * (1 + (up ? share : -share)), dim, 3,
                                        currency);
        if (text == NULL || says_enough(text, value, dim, up))
            break;
    }
    return text;
}

bool gp_quantity_is_near(double at, double today) {
    const double nearest = 1e-3; /* definition: below it no input is known */
    return fabs(at - today) < nearest * fabs(today);
}

char *gp_quantity_format_turn(gp_arena *arena, double at, double today, gp_dim dim) {
    const char *now = gp_quantity_format(arena, today, dim);
    const char *point = gp_quantity_format_apart(arena, at, today, dim, "USD");
    if (now == NULL || point == NULL)
        return NULL;
    return gp_quantity_is_near(at, today)
               ? gp_arena_printf(arena, "just %s today's %s", at > today ? "above" : "below", now)
               : gp_arena_printf(arena, "%s (now %s)", point, now);
}

char *gp_quantity_format(gp_arena *arena, double value, gp_dim dim) {
    return gp_quantity_format_digits(arena, value, dim, 3);
}
