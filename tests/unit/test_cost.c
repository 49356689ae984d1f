/* Cost: the annuity and what is added to it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/estimate_case.h"

static const double year = 8760 * 3600.0;

static void the_annuity_recovers_capital_and_interest(void **state) {
    (void)state;
    gp_costs costs = {.amortization_s = 5 * year, .discount_per_s = 0.08 / year};
    const gp_cost_input input = {.capital = 1e6, .costs = &costs};
    gp_cost cost;
    gp_cost_of(&input, &cost);
    /* CRF(8 %, 5 years) = 0.2504565. */
    assert_true(estimate_case_near(cost.capital_per_s * year, 250456.45, 1e-7));
    costs.discount_per_s = 0;
    gp_cost_of(&input, &cost);
    assert_true(estimate_case_near(cost.capital_per_s * year, 200000, 1e-12));
    costs.discount_per_s = 1e-30;
    gp_cost_of(&input, &cost);
    assert_true(estimate_case_near(cost.capital_per_s * year, 200000, 1e-12));
    costs.amortization_s = 0;
    gp_cost_of(&input, &cost);
    assert_true(cost.capital_per_s <= 0);
}

/* 8 GPUs of 325,000 over 4 years, 10.2 kW at 200 a kW and month, 5 % support. */
static void parts_add_up(void **state) {
    (void)state;
    const gp_costs costs = {.amortization_s = 4 * year,
                            .support_per_s = 0.05 / year,
                            .colocation_per_w_s = 200 * 12 / 1000.0 / year,
                            .licenses_per_gpu_s = 100 / year};
    gp_cost_input input = {.capital = 325000,
                           .rent_per_s = 1,
                           .facility_mean_w = 1000,
                           .it_peak_w = 10200,
                           .energy_price_per_j = 0.12 / 3.6e6,
                           .costs = &costs,
                           .staff_per_s = 1000 / year,
                           .gpus = 8};
    gp_cost cost;
    gp_cost_of(&input, &cost);
    assert_true(estimate_case_near(cost.colocation_per_s * year, 24480, 1e-12));
    assert_true(estimate_case_near(cost.support_per_s * year, 16250, 1e-12));
    assert_true(estimate_case_near(cost.licenses_per_s * year, 800, 1e-12));
    assert_true(estimate_case_near(cost.energy_per_s * year, 1051.2, 1e-12));
    double sum = cost.capital_per_s + cost.energy_per_s + cost.colocation_per_s +
                 cost.support_per_s + cost.staff_per_s + cost.licenses_per_s + cost.rent_per_s;
    assert_true(estimate_case_near(cost.total_per_s, sum, 1e-12));
}

/* 10 GPU-hours at 2 + 1, and 4 kWh at 0.5 of which half is paid for; 2 million tokens. */
static void work_is_hours_and_energy(void **state) {
    (void)state;
    const gp_work_input input = {.of_run = true,
                                 .gpu_s = 10 * 3600,
                                 .machine_per_gpu_s = 2 / 3600.0,
                                 .other_per_gpu_s = 1 / 3600.0,
                                 .energy_j = 4 * 3.6e6,
                                 .energy_price_per_j = 0.5 / 3.6e6,
                                 .energy_fraction = 0.5,
                                 .energy_price = GP_REF_NONE,
                                 .tokens = 2e6};
    gp_term terms[GP_WORK_TERMS];
    gp_trace trace = GP_TRACE_ON(terms);
    assert_true(estimate_case_near(gp_work_cost_of(&input, &trace), 31, 1e-12));
    assert_false(trace.overflow);
    assert_int_equal(trace.count, GP_WORK_TERMS);
    const gp_term *each = &terms[GP_WORK_TERMS - 1];
    assert_int_equal(each->id, GP_TERM_COST_MILLION_TOKENS);
    assert_true(estimate_case_near(each->value, 15.5, 1e-12));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_annuity_recovers_capital_and_interest),
        cmocka_unit_test(parts_add_up),
        cmocka_unit_test(work_is_hours_and_energy),
    };
    return cmocka_run_group_tests(tests, estimate_case_open, estimate_case_close);
}
