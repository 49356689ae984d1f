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

/* Where a figure of the site was written, or the constant that stands in for it. */
static gp_ref either(const gp_meta *meta, size_t offset, gp_ref otherwise) {
    const bool given = meta != NULL && gp_origin_at(meta, offset)->kind != GP_ORIGIN_NONE;
    return given ? (gp_ref){.meta = meta, .offset = offset} : otherwise;
}

static void trace_power(const gp_site_input *input, const gp_site_figures *site,
                        const gp_constants *constants, gp_trace *trace) {
    const gp_site *given = input->site;
    const gp_meta *design = given != NULL ? &given->power.design.meta : NULL;
    const gp_meta *annual = given != NULL ? &given->power.annual.meta : NULL;
    gp_ref pue = GP_REF(constants, gp_constants, facility_chiller_fraction);
    size_t offset = offsetof(gp_pue_spec, pue);
    GP_TRACE(trace, GP_TERM_SITE_FACILITY_PEAK, site->facility_peak_w,
             GP_REF_TERM(GP_TERM_NODE_PEAK), either(design, offset, pue));
    GP_TRACE(trace, GP_TERM_SITE_FACILITY_MEAN, site->facility_mean_w,
             GP_REF_TERM(GP_TERM_NODE_POWER), either(annual, offset, pue));
    GP_TRACE(trace, GP_TERM_SITE_HEAT, site->heat_w, GP_REF_TERM(GP_TERM_NODE_PEAK),
             GP_REF(constants, gp_constants, site_btu_per_h_per_w));
}

static void trace_site(const gp_site_input *input, const gp_site_figures *site,
                       const gp_constants *constants, gp_trace *trace) {
    const gp_site *given = input->site;
    const gp_meta *energy = given != NULL ? &given->energy.meta : NULL;
    const gp_meta *cooling = given != NULL ? &given->cooling.meta : NULL;
    const gp_meta *air = given != NULL ? &given->cooling.air.meta : NULL;
    const gp_meta *liquid = given != NULL ? &given->cooling.liquid.meta : NULL;
    gp_ref air_rise = GP_REF(constants, gp_constants, site_air_rise_k);
    gp_ref liquid_rise = GP_REF(constants, gp_constants, site_liquid_rise_k);
    gp_ref mean = GP_REF_TERM(GP_TERM_NODE_POWER);
    gp_ref kwh = GP_REF_TERM(GP_TERM_SITE_ENERGY);
    trace_power(input, site, constants, trace);
    GP_TRACE(trace, GP_TERM_SITE_AIRFLOW, site->airflow_m3_per_s, GP_REF_TERM(GP_TERM_SITE_HEAT),
             either(air, offsetof(gp_site_air, delta_t_k), air_rise),
             GP_REF(constants, gp_constants, site_air_density),
             GP_REF(constants, gp_constants, site_air_heat_capacity),
             GP_REF(constants, gp_constants, site_air_exponent));
    GP_TRACE(trace, GP_TERM_SITE_LIQUID_FLOW, site->liquid_flow_m3_per_s,
             GP_REF_TERM(GP_TERM_SITE_HEAT),
             either(liquid, offsetof(gp_site_liquid, delta_t_k), liquid_rise),
             GP_REF(constants, gp_constants, site_liquid_density),
             GP_REF(constants, gp_constants, site_liquid_heat_capacity));
    GP_TRACE(trace, GP_TERM_SITE_ENERGY, site->energy_j_per_year,
             GP_REF_TERM(GP_TERM_SITE_FACILITY_MEAN));
    GP_TRACE(trace, GP_TERM_SITE_WATER, site->water_l_per_year, mean,
             either(cooling, offsetof(gp_site_cooling, wue_l_per_j), mean));
    GP_TRACE(trace, GP_TERM_SITE_CARBON, site->carbon_kg_per_year, kwh,
             either(energy, offsetof(gp_site_energy, carbon_kg_per_j), kwh));
    GP_TRACE(trace, GP_TERM_SITE_CARBON_MARKET, site->carbon_market_kg_per_year,
             GP_REF_TERM(GP_TERM_SITE_CARBON),
             either(energy, offsetof(gp_site_energy, renewable_fraction), kwh));
}

void gp_site_figures_of(const gp_site_input *input, const gp_constants *constants, gp_trace *trace,
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
    if (trace != NULL)
        trace_site(input, ret, constants, trace);
}
