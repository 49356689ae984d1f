/*
 * Owning against renting: annuity with a residual value, cost of a GPU-hour delivered, from which
 * utilisation and after how long owning is cheaper, and how much of a varying demand to own
 * (docs/formulas.md, "Owned or rented").
 */
#include "estimate/facility.h"

#include <math.h>

#include "base/num.h"
#include "base/sort.h"

enum { SECONDS_PER_YEAR = 8760 * 3600 };

/* Capital recovery of what the residual value does not give back: i (1+i)^n / ((1+i)^n - 1). */
static double recovered_per_s(const gp_ownership_input *input) {
    double year = SECONDS_PER_YEAR;
    double residual = input->capital * gp_num_min(gp_num_max(input->residual_fraction, 0), 1);
    if (!(input->life_s > 0))
        return 0;
    double interest = input->discount_per_s * year;
    double growth = interest > 0 ? gp_num_pow(1 + interest, input->life_s / year) : 1;
    if (!(growth > 1))
        return (input->capital - residual) / input->life_s;
    return (input->capital - residual / growth) * interest * growth / (growth - 1) / year;
}

void gp_ownership_of(const gp_ownership_input *input, gp_ownership *ret) {
    *ret = (gp_ownership){.break_even_s = HUGE_VAL};
    double gpus = (double)gp_num_max_i64(input->gpus, 1);
    double useful = gp_num_max(input->utilization, 0);
    ret->capital_per_s = recovered_per_s(input);
    ret->total_per_s = ret->capital_per_s + input->running_per_s;
    ret->per_gpu_s = useful > 0 ? ret->total_per_s / (gpus * useful) : HUGE_VAL;
    if (!(input->rent_per_gpu_s > 0))
        return;
    ret->break_even_fraction = ret->total_per_s / (gpus * input->rent_per_gpu_s);
    double saved_per_s = gpus * input->utilization * input->rent_per_gpu_s - input->running_per_s;
    if (saved_per_s > 0)
        ret->break_even_s = input->capital / saved_per_s;
}

/* One more owned unit is worth it while the demand exceeds the owned ones for a larger share of the
 * time than own over rent. */
static double owned_units(const double *sorted, size_t count, double own_per_s, double rent_per_s) {
    if (!(rent_per_s > 0))
        return sorted[count - 1];
    double ratio = own_per_s / rent_per_s;
    size_t periods = count;
    for (size_t i = 0; i < count; i++) {
        double share = (double)(periods - i) / (double)periods; /* of the time with this or more */
        if (!(share > ratio))
            return i > 0 ? sorted[i - 1] : 0;
    }
    return sorted[count - 1];
}

void gp_burst_of(const double *demand, size_t count, double own_per_s, double rent_per_s,
                 gp_arena *scratch, gp_burst *ret) {
    *ret = (gp_burst){0};
    if (count == 0)
        return;
    gp_arena_mark mark = gp_arena_set_mark(scratch);
    double *sorted = GP_NEW_ARRAY(scratch, double, count);
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sorted[i] = gp_num_max(demand[i], 0);
        sum += sorted[i];
    }
    gp_sort(scratch, sorted, count, sizeof *sorted, gp_by_number, NULL);
    ret->owned = owned_units(sorted, count, own_per_s, rent_per_s);
    double beyond = 0;
    for (size_t i = 0; i < count; i++)
        beyond += gp_num_max(sorted[i] - ret->owned, 0);
    double periods = (double)count;
    ret->burst_fraction = sum > 0 ? beyond / sum : 0;
    ret->cost_per_s = ret->owned * own_per_s + beyond / periods * rent_per_s;
    ret->all_owned_per_s = sorted[count - 1] * own_per_s;
    ret->all_rented_per_s = sum / periods * rent_per_s;
    gp_arena_release(scratch, mark);
}
