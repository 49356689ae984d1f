/* Owned against rented machines. */
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

static const double year = 8760 * 3600.0;
static const double hour = 3600;

/* Eight GPUs for 325,000, four years, 15 % residual, 10.2 kW at 200 a kW and month, 5 % support:
 * 69.1 k + 40.7 k a year; 3.13, 2.24 and 1.74 a GPU-hour at 50, 70 and 90 %; 62.7 %
 * against 2.50. */
static gp_ownership_input example(double utilization) {
    return (gp_ownership_input){.capital = 325000,
                                .residual_fraction = 0.15,
                                .life_s = 4 * year,
                                .running_per_s = (10.2 * 200 * 12 + 0.05 * 325000) / year,
                                .gpus = 8,
                                .utilization = utilization,
                                .rent_per_gpu_s = 2.5 / hour};
}

static void a_worked_example(void **state) {
    (void)state;
    const double prices[][2] = {{0.5, 3.13}, {0.7, 2.24}, {0.9, 1.74}};
    for (size_t i = 0; i < sizeof prices / sizeof prices[0]; i++) {
        gp_ownership_input input = example(prices[i][0]);
        gp_ownership own;
        gp_ownership_of(&input, &own);
        assert_true(estimate_case_near(own.capital_per_s * year, 69062.5, 1e-9));
        assert_true(estimate_case_near(own.per_gpu_s * hour, prices[i][1], 0.005));
        assert_true(estimate_case_near(own.break_even_fraction, 0.627, 0.001));
    }
    gp_ownership_input input = example(0.9);
    gp_ownership own;
    gp_ownership_of(&input, &own);
    /* 0.9 x 8 x 2.50 x 8760 = 157,680 a year in rent, less 40,730: 325,000 after 2.78 years. */
    assert_true(estimate_case_near(own.break_even_s / year, 325000 / (157680 - 40730.0), 1e-9));
    input.utilization = 0.1;
    gp_ownership_of(&input, &own);
    assert_true(isinf(own.break_even_s));
}

/* CRF(8 %, 5 years) = 0.2504565; a residual of 20 % gives back its value of then. */
static void interest_and_residual_value(void **state) {
    (void)state;
    gp_ownership own;
    gp_ownership_input input = {.capital = 1e6,
                                .life_s = 5 * year,
                                .discount_per_s = 0.08 / year,
                                .gpus = 1,
                                .utilization = 1};
    gp_ownership_of(&input, &own);
    assert_true(estimate_case_near(own.capital_per_s * year, 250456.45, 1e-7));
    assert_true(isinf(own.break_even_s) && !(own.break_even_fraction > 0));
    input.residual_fraction = 0.2;
    gp_ownership_of(&input, &own);
    double wanted = (1e6 - 2e5 / pow(1.08, 5)) * 0.25045645;
    assert_true(estimate_case_near(own.capital_per_s * year, wanted, 1e-7));
    input.utilization = 0.9;
    double before = own.per_gpu_s;
    gp_ownership_of(&input, &own);
    assert_true(estimate_case_near(own.per_gpu_s, before / 0.9, 1e-12));
}

/* Demand of 1 to 10 units for a tenth of the time each, own at half the rent: own what is wanted
 * for more than half of the time, which is five. */
static void own_what_is_wanted_most_of_the_time(void **state) {
    estimate_case *c = *state;
    const double demand[] = {10, 1, 9, 2, 8, 3, 7, 4, 6, 5};
    gp_burst burst;
    gp_burst_of(demand, 10, 1, 2, c->arena, &burst);
    assert_true(estimate_case_near(burst.owned, 5, 1e-12));
    assert_true(estimate_case_near(burst.burst_fraction, 15.0 / 55, 1e-12));
    assert_true(estimate_case_near(burst.cost_per_s, 5 + 1.5 * 2, 1e-12));
    /* No other number costs less. */
    for (int own = 0; own <= 10; own++) {
        double beyond = 0;
        for (int i = 0; i < 10; i++)
            beyond += demand[i] > own ? demand[i] - own : 0;
        assert_true(own + beyond / 10 * 2 >= burst.cost_per_s - 1e-12);
    }
    assert_true(estimate_case_near(burst.all_owned_per_s, 10, 1e-12));
    assert_true(estimate_case_near(burst.all_rented_per_s, 11, 1e-12));
    gp_burst_of(demand, 10, 3, 2, c->arena, &burst);
    assert_true(!(burst.owned > 0));
    gp_burst_of(demand, 10, 1, 0, c->arena, &burst);
    assert_true(estimate_case_near(burst.owned, 10, 1e-12));
    gp_burst_of(demand, 0, 1, 2, c->arena, &burst);
    assert_true(!(burst.owned > 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_worked_example),
        cmocka_unit_test(interest_and_residual_value),
        cmocka_unit_test(own_what_is_wanted_most_of_the_time),
    };
    return cmocka_run_group_tests(tests, estimate_case_open, estimate_case_close);
}
