/*
 * A site from its IT power: facility power, heat, air and coolant flow, energy, water and carbon of
 * a year. All electrical power becomes heat; each flow carries its share at the rise that the site
 * allows (docs/formulas.md, "Site").
 */
#include "estimate/facility.h"

#include "base/num.h"

enum { SECONDS_PER_HOUR = 3600, SECONDS_PER_YEAR = 8760 * SECONDS_PER_HOUR };

static double given_or(double value, double otherwise) {
    return value > 0 ? value : otherwise;
}

static double fraction_of(double value) {
    return gp_num_min(gp_num_max(value, 0), 1);
}

static void set_flows(const gp_site_input *input, const gp_constants *constants,
                      gp_site_figures *ret) {
    double air_rise = given_or(input->air_delta_t_k, constants->site_air_rise_k);
    double liquid_rise = given_or(input->liquid_delta_t_k, constants->site_liquid_rise_k);
    ret->airflow_m3_per_s =
        gp_airflow_m3_per_s(ret->air_heat_w, air_rise, input->altitude_m, constants);
    ret->liquid_flow_m3_per_s =
        gp_coolant_flow_m3_per_s(ret->liquid_heat_w, liquid_rise, constants);
}

void gp_site_figures_of(const gp_site_input *input, const gp_constants *constants,
                        gp_site_figures *ret) {
    *ret = (gp_site_figures){0};
    double air = fraction_of(input->air_fraction);
    double year = SECONDS_PER_YEAR;
    ret->facility_peak_w = input->it_peak_w * input->design_pue;
    ret->facility_mean_w = input->it_mean_w * input->annual_pue;
    ret->heat_w = input->it_peak_w;
    ret->heat_btu_per_h = ret->heat_w * constants->site_btu_per_h_per_w;
    ret->air_heat_w = air * ret->heat_w;
    ret->liquid_heat_w = (1 - air) * ret->heat_w;
    set_flows(input, constants, ret);
    ret->energy_j_per_year = ret->facility_mean_w * year;
    ret->water_l_per_year = input->it_mean_w * year * input->wue_l_per_j;
    ret->carbon_kg_per_year = ret->energy_j_per_year * input->carbon_kg_per_j;
    ret->carbon_market_kg_per_year =
        ret->carbon_kg_per_year * (1 - fraction_of(input->renewable_fraction));
}
