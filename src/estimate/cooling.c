/*
 * Cooling of racks: what goes to air and to liquid, the flows that carry it, whether the supply is
 * within its class at the site's altitude and what the machines take, and the distribution units
 * (docs/formulas.md, "Cooling").
 */
#include "estimate/facility.h"

#include "base/num.h"

enum { BTU_PER_H_PER_TON = 12000 };

/* The standard atmosphere. */
static double air_density_ratio(double altitude_m, const gp_constants *constants) {
    double base = gp_num_max(1 - constants->site_air_lapse_per_m * altitude_m, 0);
    return gp_num_pow(base, constants->site_air_exponent);
}

static double flow_m3_per_s(double heat_w, double density, double heat_capacity, double rise_k) {
    return heat_w > 0 && rise_k > 0 ? heat_w / (density * heat_capacity * rise_k) : 0;
}

double gp_airflow_m3_per_s(double heat_w, double rise_k, double altitude_m,
                           const gp_constants *constants) {
    double density = constants->site_air_density * air_density_ratio(altitude_m, constants);
    return flow_m3_per_s(heat_w, density, constants->site_air_heat_capacity, rise_k);
}

double gp_coolant_flow_m3_per_s(double heat_w, double rise_k, const gp_constants *constants) {
    return flow_m3_per_s(heat_w, constants->site_liquid_density,
                         constants->site_liquid_heat_capacity, rise_k);
}

static gp_air_level level_of(double air_w, const gp_constants *constants) {
    if (air_w > constants->site_rack_air_limit_w)
        return GP_AIR_BEYOND;
    if (air_w > constants->site_rack_air_warning_w)
        return GP_AIR_WARNING;
    return air_w > constants->facility_air_containment_w ? GP_AIR_CONTAINMENT : GP_AIR_OPEN;
}

/* Thin air carries less, so what a class allows falls with altitude; what a maker states of its own
 * machines holds beside it. */
static double allowed_c(const gp_cooling_input *input, const gp_constants *constants) {
    const gp_cooling_class *row = input->air_class;
    if (row == NULL)
        return input->inlet_max_c;
    double above = gp_num_max(input->altitude_m - constants->facility_air_derate_m, 0);
    double most = row->max_c - above / constants->facility_air_derate_m_per_k;
    return input->inlet_max_c > 0 ? gp_num_min(most, input->inlet_max_c) : most;
}

static void set_air(const gp_cooling_input *input, const gp_constants *constants, gp_cooling *ret) {
    const gp_cooling_class *row = input->air_class;
    double rise = input->air_rise_k > 0 ? input->air_rise_k : constants->site_air_rise_k;
    ret->airflow_m3_per_s = gp_airflow_m3_per_s(ret->air_w, rise, input->altitude_m, constants);
    ret->level = level_of(ret->air_w, constants);
    ret->air_allowed = true;
    ret->air_recommended = true;
    double supply = input->air_supply_c;
    if (row == NULL && !(input->inlet_max_c > 0))
        return;
    ret->air_min_c = gp_num_max(row != NULL ? row->min_c : 0, input->inlet_min_c);
    ret->air_max_c = allowed_c(input, constants);
    if (!(supply > 0))
        return;
    ret->air_allowed = supply >= ret->air_min_c && supply <= ret->air_max_c;
    ret->air_recommended =
        ret->air_allowed &&
        (row == NULL || (supply >= row->recommended_min_c && supply <= row->recommended_max_c));
}

static double water_c(const gp_cooling_input *input) {
    if (input->facility_supply_c > 0)
        return input->facility_supply_c;
    return input->liquid_class != NULL ? input->liquid_class->max_c : 0;
}

int64_t gp_cooling_units_of(double liquid_w, double unit_w, const gp_constants *constants) {
    double planned = unit_w * constants->facility_unit_derate_fraction;
    if (!(planned > 0) || !(liquid_w > 0))
        return 0;
    return gp_num_ceil_count(liquid_w / planned) + 1;
}

static void set_liquid(const gp_cooling_input *input, const gp_constants *constants,
                       gp_cooling *ret) {
    const gp_cooling_class *row = input->liquid_class;
    double water = water_c(input);
    double outlet = constants->facility_coolant_outlet_c;
    bool known = water > 0;
    ret->coolant_supply_c = known ? water + constants->facility_coolant_approach_k : 0;
    double rise = input->liquid_rise_k;
    if (!(rise > 0))
        rise = known ? outlet - ret->coolant_supply_c : constants->site_liquid_rise_k;
    ret->coolant_m3_per_s = gp_coolant_flow_m3_per_s(ret->liquid_w, rise, constants);
    ret->coolant_return_c = known ? ret->coolant_supply_c + rise : 0;
    ret->water_min_c = row != NULL ? row->min_c : 0;
    ret->water_max_c = outlet - constants->facility_coolant_approach_k;
    if (row != NULL && row->max_c > 0)
        ret->water_max_c = gp_num_min(row->max_c, ret->water_max_c);
    ret->water_allowed = !known || (water >= ret->water_min_c && water <= ret->water_max_c);
    ret->free_cooling = known && water >= constants->facility_free_cooling_c;
}

void gp_cooling_of(const gp_cooling_input *input, const gp_constants *constants, gp_cooling *ret) {
    *ret = (gp_cooling){0};
    double liquid = gp_num_min(gp_num_max(input->liquid_fraction, 0), 1);
    double heat = input->rack_w * (double)input->racks;
    ret->liquid_w = liquid * input->rack_w;
    ret->air_w = (1 - liquid) * input->rack_w;
    ret->heat_btu_per_h = heat * constants->site_btu_per_h_per_w;
    ret->heat_tons = ret->heat_btu_per_h / BTU_PER_H_PER_TON;
    set_air(input, constants, ret);
    set_liquid(input, constants, ret);
}
