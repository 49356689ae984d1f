/*
 * What a facility takes beside its IT: losses of supply and distribution, fans, pumps, chillers or
 * dry coolers by where the heat goes and by climate, all of it at the load that there is; and the
 * water that towers behind chillers evaporate (docs/formulas.md, "Overhead of a facility").
 */
#include "estimate/facility.h"

#include "base/num.h"

static double fraction_of(double value) {
    return gp_num_min(gp_num_max(value, 0), 1);
}

/* Share of the year in which chillers run. */
static double chilled_fraction(int climate, const gp_constants *constants) {
    const double shares[GP_CLIMATE_COUNT] = {
        [GP_CLIMATE_UNKNOWN] = 1,
        [GP_CLIMATE_COLD] = constants->facility_chilled_cold_fraction,
        [GP_CLIMATE_TEMPERATE] = constants->facility_chilled_temperate_fraction,
        [GP_CLIMATE_HOT] = constants->facility_chilled_hot_fraction,
    };
    bool known = climate > GP_CLIMATE_UNKNOWN && climate < GP_CLIMATE_COUNT;
    return shares[known ? climate : GP_CLIMATE_UNKNOWN];
}

/* Shares of the heat by what carries it, and of it what chillers see over a year. */
typedef struct heat_paths {
    double air, water; /* moved by room fans, by pumps */
    double chilled;
} heat_paths;

static heat_paths paths_of(const gp_pue_input *input, const gp_constants *constants) {
    double liquid = fraction_of(input->liquid_fraction);
    double doors = (1 - liquid) * fraction_of(input->rear_door_fraction);
    double cool = input->free_cooling ? 1 - liquid : 1;
    return (heat_paths){.air = 1 - liquid - doors,
                        .water = liquid + doors,
                        .chilled = cool * chilled_fraction(input->climate, constants)};
}

static double overhead_of(const gp_pue_input *input, const heat_paths *heat,
                          const gp_constants *constants) {
    double lost =
        1 / (constants->facility_ups_fraction * constants->facility_distribution_fraction) - 1;
    double moved = heat->air * constants->facility_air_handler_fraction +
                   heat->water * constants->facility_pump_fraction;
    double cooled = heat->chilled * constants->facility_chiller_fraction +
                    (1 - heat->chilled) * constants->facility_dry_cooler_fraction;
    double whole = lost + moved + cooled + constants->facility_base_fraction;
    double load = input->load_fraction > 0 ? gp_num_min(input->load_fraction, 1) : 1;
    double fixed = constants->facility_fixed_fraction;
    return whole * (1 - fixed + fixed / load);
}

void gp_overhead_of(const gp_pue_input *input, const gp_constants *constants, gp_overhead *ret) {
    heat_paths heat = paths_of(input, constants);
    double over = overhead_of(input, &heat, constants);
    double band = 1 + constants->facility_overhead_error_fraction;
    double water = heat.chilled * constants->facility_water_l_per_j;
    *ret = (gp_overhead){.pue = 1 + over,
                         .pue_low = 1 + over / band,
                         .pue_high = 1 + over * band,
                         .wue_l_per_j = water,
                         .wue_low_l_per_j = 0,
                         .wue_high_l_per_j = water * band};
    if (input->stated_pue > 0)
        ret->pue = ret->pue_low = ret->pue_high = input->stated_pue;
}

void gp_overhead_between(const gp_overhead_ends *ends, double liquid_fraction, gp_overhead *ret) {
    const gp_overhead *air = &ends->air;
    const gp_overhead *liquid = &ends->liquid;
    double l = fraction_of(liquid_fraction);
    *ret = (gp_overhead){
        .pue = air->pue + l * (liquid->pue - air->pue),
        .pue_low = air->pue_low + l * (liquid->pue_low - air->pue_low),
        .pue_high = air->pue_high + l * (liquid->pue_high - air->pue_high),
        .wue_l_per_j = air->wue_l_per_j + l * (liquid->wue_l_per_j - air->wue_l_per_j),
        .wue_low_l_per_j =
            air->wue_low_l_per_j + l * (liquid->wue_low_l_per_j - air->wue_low_l_per_j),
        .wue_high_l_per_j =
            air->wue_high_l_per_j + l * (liquid->wue_high_l_per_j - air->wue_high_l_per_j),
    };
}
