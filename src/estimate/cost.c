/*
 * Cost per second of owning and renting: capital as an annuity, energy, colocation, support, staff,
 * licences, rent. No price is built in; a zero means that nothing was given (docs/formulas.md,
 * "Cost").
 */
#include "estimate/estimate.h"

#include "base/num.h"

enum { SECONDS_PER_YEAR = 8760 * 3600 };

/* Capital recovery: i (1+i)^n / ((1+i)^n - 1) a year, 1/n without interest; what is worth something
 * at the end pays that back then. */
static double annuity_per_s(double capital, double residual, double amortization_s,
                            double discount_per_s) {
    if (!(capital > 0) || !(amortization_s > 0))
        return 0;
    double year = SECONDS_PER_YEAR;
    double years = amortization_s / year;
    double interest = discount_per_s * year;
    if (!(interest > 0))
        return (capital - residual) / amortization_s;
    double growth = gp_num_pow(1 + interest, years);
    /* Interest too small to be seen in the power is no interest. */
    if (!(growth > 1))
        return (capital - residual) / amortization_s;
    return (capital - residual / growth) * interest * growth / (growth - 1) / year;
}

void gp_cost_of(const gp_cost_input *input, gp_cost *ret) {
    const gp_costs *costs = input->costs;
    ret->capital = input->capital;
    ret->capital_per_s = annuity_per_s(input->capital, input->capital * costs->residual_fraction,
                                       costs->amortization_s, costs->discount_per_s);
    ret->energy_per_s = input->facility_mean_w * input->energy_price_per_j;
    ret->colocation_per_s = input->it_peak_w * costs->colocation_per_w_s;
    ret->support_per_s = input->capital * costs->support_per_s;
    ret->staff_per_s = input->staff_per_s;
    ret->links_per_s = input->links_per_s;
    ret->licenses_per_s = (double)input->gpus * costs->licenses_per_gpu_s;
    ret->rent_per_s = input->rent_per_s;
    ret->total_per_s = ret->capital_per_s + ret->energy_per_s + ret->colocation_per_s +
                       ret->support_per_s + ret->staff_per_s + ret->licenses_per_s +
                       ret->rent_per_s + ret->links_per_s;
}
