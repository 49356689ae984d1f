/*
 * Failures of a long job: how often, what checkpoints and restarts leave of the time, and how many
 * machines to keep in reserve (docs/formulas.md, "Failures").
 */
#include "estimate/facility.h"

#include <math.h>

#include "base/num.h"

enum { SECONDS_PER_DAY = 24 * 3600, DAYS_PER_YEAR = 365, MONTHS_PER_YEAR = 12 };
enum { SPARES_MOST = 1 << 20 };

double gp_gpu_mttf_s(gp_rate rate, const gp_constants *constants) {
    switch (rate) {
    case GP_RATE_FEW: return constants->run_gpu_mttf_few_s;
    case GP_RATE_MANY: return constants->run_gpu_mttf_many_s;
    case GP_RATE_MIDDLE:
    case GP_RATE_COUNT: break;
    }
    return constants->run_gpu_mttf_s;
}

/* Daly, "A higher order estimate of the optimum checkpoint interval", FGCS 22 (2006), eq. 37. */
double gp_best_interval_s(double write_s, double mtbf_s) {
    if (write_s >= 2 * mtbf_s)
        return mtbf_s;
    double ratio = sqrt(write_s / (2 * mtbf_s));
    double base = sqrt(2 * write_s * mtbf_s);
    return base * (1 + ratio / 3 + ratio * ratio / (3 * 3)) - write_s;
}

/* x / (e^x - 1) for x >= 0, by its series where the difference would lose digits. */
static double exponential_share(double x) {
    double small = x * x / (3 * 4);
    if (small * small < 1 / (4.0 * GP_NUM_COUNT_MAX))
        return 1 - x / 2 + small;
    return x / (gp_num_exp(x) - 1);
}

/* (tau/M) / (e^((tau+d)/M) - 1) e^(-R/M). */
double gp_effective_fraction(double interval_s, double write_s, double restart_s, double mtbf_s) {
    double cycle = interval_s + write_s;
    if (cycle <= 0)
        return 0;
    return interval_s / cycle * exponential_share(cycle / mtbf_s) * gp_num_exp(-restart_s / mtbf_s);
}

/* Terms of the Poisson law relative to the largest, so that none vanishes for a large mean. */
int64_t gp_spares_for(double mean, double confidence) {
    if (!(mean > 0))
        return 0;
    double goal = gp_num_min(confidence, 1 - 2 / (double)GP_NUM_COUNT_MAX);
    double term = gp_num_exp(-mean);
    double log_term = -mean;
    double sum = term;
    int64_t spares = 0;
    while (sum < goal && spares < SPARES_MOST) {
        spares++;
        log_term += gp_num_log(mean / (double)spares);
        sum += gp_num_exp(log_term);
    }
    return spares;
}

void gp_failures_of(int64_t gpus, int64_t gpus_per_node, gp_rate rate,
                    const gp_constants *constants, gp_failures *ret) {
    const double mttf = gp_gpu_mttf_s(rate, constants);
    const double month = (double)SECONDS_PER_DAY * DAYS_PER_YEAR / MONTHS_PER_YEAR;
    const double down = (double)gpus / mttf * constants->run_repair_s;
    const int64_t per_node = gp_num_max_i64(gpus_per_node, 1);
    const int64_t nodes = (gpus + per_node - 1) / per_node;
    ret->mtbf_s = mttf / (double)gp_num_max_i64(gpus, 1);
    ret->interruptions_per_month = month / ret->mtbf_s;
    ret->spare_nodes = gp_spares_for(down, constants->run_spare_confidence);
    ret->early_nodes = gp_num_ceil_count((double)nodes * constants->run_early_fraction);
}
