/*
 * Cost per second of owning and renting: capital as an annuity, energy, colocation, support, staff,
 * licences, rent. No price is built in; a zero means that nothing was given (docs/formulas.md,
 * "Cost").
 */
#include "estimate/estimate.h"

#include "base/num.h"

enum { SECONDS_PER_HOUR = 3600, SECONDS_PER_YEAR = 8760 * SECONDS_PER_HOUR };
enum { MILLION = 1000000 };

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

static void trace_parts(const gp_work_input *input, gp_trace *trace) {
    const double hour = SECONDS_PER_HOUR;
    GP_TRACE(trace, GP_TERM_COST_GPU_HOURS, input->gpu_s / hour, GP_REF_NONE);
    GP_TRACE(trace, GP_TERM_COST_MACHINE_HOUR, input->machine_per_gpu_s * hour, GP_REF_NONE);
    GP_TRACE(trace, GP_TERM_COST_OTHER_HOUR, input->other_per_gpu_s * hour, GP_REF_NONE);
    if (!(input->energy_j * input->energy_price_per_j > 0))
        return; /* it has no price of its own, as in a cloud */
    GP_TRACE(trace, GP_TERM_COST_ENERGY, input->energy_j, GP_REF_NONE);
    GP_TRACE(trace, GP_TERM_COST_ENERGY_PRICE, input->energy_price_per_j, input->energy_price);
    GP_TRACE(trace, GP_TERM_COST_ENERGY_SHARE, input->energy_fraction, GP_REF_NONE);
}

double gp_work_cost_of(const gp_work_input *input, gp_trace *trace) {
    const gp_term_id id = input->of_run ? GP_TERM_COST_RUN : GP_TERM_COST_SERVICE;
    const double million = MILLION;
    const double cost = input->gpu_s * (input->machine_per_gpu_s + input->other_per_gpu_s) +
                        input->energy_j * input->energy_price_per_j * input->energy_fraction;
    trace_parts(input, trace);
    GP_TRACE(trace, id, cost, GP_REF_TERM(GP_TERM_COST_GPU_HOURS),
             GP_REF_TERM(GP_TERM_COST_MACHINE_HOUR), GP_REF_TERM(GP_TERM_COST_OTHER_HOUR),
             GP_REF_TERM(GP_TERM_COST_ENERGY), GP_REF_TERM(GP_TERM_COST_ENERGY_PRICE),
             GP_REF_TERM(GP_TERM_COST_ENERGY_SHARE));
    if (!(input->tokens > 0))
        return cost;
    GP_TRACE(trace, GP_TERM_COST_TOKENS, input->tokens, GP_REF_NONE);
    GP_TRACE(trace, GP_TERM_COST_MILLION_TOKENS, cost / input->tokens * million, GP_REF_TERM(id),
             GP_REF_TERM(GP_TERM_COST_TOKENS));
    return cost;
}
