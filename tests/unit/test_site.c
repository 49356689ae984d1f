/* Site figures against published rules. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "estimate/facility.h"

#include "support/estimate_case.h"

static const double cfm = 0.3048 * 0.3048 * 0.3048 / 60;

static gp_site_figures figures(const estimate_case *c, double watts, double air, double rise_k,
                               double altitude_m) {
    gp_site_input input = {.it_peak_w = watts,
                           .it_mean_w = watts,
                           .air_fraction = air,
                           .air_delta_t_k = rise_k,
                           .liquid_delta_t_k = rise_k,
                           .altitude_m = altitude_m,
                           .design_pue = 1.4,
                           .annual_pue = 1.2,
                           .wue_l_per_j = 1 / 3.6e6,
                           .carbon_kg_per_j = 0.3 / 3.6e6,
                           .renewable_fraction = 0.4};
    gp_site_figures site;
    gp_site_figures_of(&input, &c->constants, &site);
    return site;
}

static double rise_k(const char *cell) {
    return strtod(cell, NULL) * (strchr(cell, 'F') != NULL ? 5.0 / 9 : 1);
}

static double figure_of(const estimate_case *c, const char *const row[ESTIMATE_CASE_COLUMNS]) {
    double watts = strtod(row[1], NULL) * 1000;
    double altitude_m = strtod(row[3], NULL) * 0.3048;
    if (strcmp(row[0], "airflow_cfm") == 0) {
        return figures(c, watts, 1, rise_k(row[2]), 0).airflow_m3_per_s / cfm;
    }
    if (strcmp(row[0], "density_ratio") == 0) {
        return figures(c, 1e3, 1, 10, 0).airflow_m3_per_s /
               figures(c, 1e3, 1, 10, altitude_m).airflow_m3_per_s;
    }
    if (strcmp(row[0], "liquid_l_per_min") == 0) {
        return figures(c, watts, 0, rise_k(row[2]), 0).liquid_flow_m3_per_s * 60000;
    }
    if (strcmp(row[0], "supply_l_per_min") == 0) {
        double rise = c->constants.facility_coolant_outlet_c - strtod(row[2], NULL);
        return gp_coolant_flow_m3_per_s(watts, rise, &c->constants) * 60000;
    }
    assert_string_equal(row[0], "heat_btu_per_h");
    return figures(c, watts, 1, 10, 0).heat_btu_per_h;
}

static void published_rules_are_met(void **state) {
    const char *(*rows)[ESTIMATE_CASE_COLUMNS];
    size_t count = estimate_case_table(*state, "cooling.csv", &rows);
    assert_int_equal(count, 19);
    for (size_t i = 1; i < count; i++) {
        double got = figure_of(*state, rows[i]);
        if (!estimate_case_near(got, strtod(rows[i][4], NULL), strtod(rows[i][5], NULL))) {
            fail_msg("row %zu: %g, not %s", i, got, rows[i][4]);
        }
    }
}

static void a_year_adds_up(void **state) {
    gp_site_figures site = figures(*state, 1e6, 0.25, 10, 0);
    assert_true(estimate_case_near(site.facility_peak_w, 1.4e6, 1e-12));
    assert_true(estimate_case_near(site.air_heat_w + site.liquid_heat_w, site.heat_w, 1e-12));
    assert_true(estimate_case_near(site.air_heat_w, 0.25e6, 1e-12));
    /* 1.2 MW x 8760 h = 10.512 GWh. */
    assert_true(estimate_case_near(site.energy_j_per_year / 3.6e6, 10.512e6, 1e-12));
    assert_true(estimate_case_near(site.carbon_kg_per_year, 3.1536e6, 1e-12));
    assert_true(estimate_case_near(site.carbon_market_kg_per_year, 0.6 * 3.1536e6, 1e-12));
    assert_true(estimate_case_near(site.water_l_per_year, 8.76e6, 1e-12));
}

static void absent_rises_take_their_constants(void **state) {
    estimate_case *c = *state;
    const gp_site_input input = {.it_peak_w = 1e6,
                                 .it_mean_w = 5e5,
                                 .air_fraction = 1,
                                 .design_pue = 1.4,
                                 .annual_pue = 1.3};
    gp_site_figures site;
    gp_site_figures_of(&input, &c->constants, &site);
    assert_true(estimate_case_near(
        site.airflow_m3_per_s,
        gp_airflow_m3_per_s(1e6, c->constants.site_air_rise_k, 0, &c->constants), 1e-12));
    assert_true(site.liquid_flow_m3_per_s <= 0);
    assert_true(estimate_case_near(site.facility_mean_w, 6.5e5, 1e-12));
}

/* DGX B200: 1,550 CFM at 14.3 kW is a rise of 16.2 K. */
static void a_known_machine_breathes_as_stated(void **state) {
    gp_site_figures site = figures(*state, 14300, 1, 16.2, 0);
    assert_true(estimate_case_near(site.airflow_m3_per_s / cfm, 1550, 0.01));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_rules_are_met),
        cmocka_unit_test(a_year_adds_up),
        cmocka_unit_test(absent_rises_take_their_constants),
        cmocka_unit_test(a_known_machine_breathes_as_stated),
    };
    return cmocka_run_group_tests(tests, estimate_case_open, estimate_case_close);
}
