/*
 * The levels of a service's promise in one table: where the target is written, which figure of a
 * replica's load it is held against, and by whose error that figure is judged. A median is judged
 * by the mean, which lies above it for the skewed laws that waiting follows.
 */
#include "plan/context.h"

#include <math.h>

#include "base/num.h"

#define LEVEL(word, suffix, group, member, held, first)                                            \
    {                                                                                              \
        .name = word suffix, .distribution = offsetof(gp_slo, group),                              \
        .level = offsetof(gp_distribution, member), .figure = offsetof(gp_serve_point, held),      \
        .first_token = first                                                                       \
    }

const gp_slo_level gp_slo_levels[] = {
    LEVEL("ttft", "Mean", ttft_s, mean, ttft_s, true),
    LEVEL("ttft", "P50", ttft_s, p50, ttft_s, true),
    LEVEL("ttft", "P95", ttft_s, p95, ttft_p95_s, true),
    LEVEL("ttft", "P99", ttft_s, p99, ttft_p99_s, true),
    LEVEL("tpot", "Mean", tpot_s, mean, tpot_s, false),
    LEVEL("tpot", "P50", tpot_s, p50, tpot_s, false),
    LEVEL("tpot", "P95", tpot_s, p95, tpot_p95_s, false),
    LEVEL("tpot", "P99", tpot_s, p99, tpot_p99_s, false),
    LEVEL("e2e", "Mean", e2e_s, mean, e2e_s, false),
    LEVEL("e2e", "P50", e2e_s, p50, e2e_s, false),
    LEVEL("e2e", "P95", e2e_s, p95, e2e_p95_s, false),
    LEVEL("e2e", "P99", e2e_s, p99, e2e_p99_s, false),
};
const size_t gp_slo_level_count = sizeof gp_slo_levels / sizeof gp_slo_levels[0];

const gp_distribution *gp_slo_distribution(const gp_slo_level *level, const gp_slo *slo) {
    return (const gp_distribution *)(const void *)((const char *)slo + level->distribution);
}

double gp_slo_target(const gp_slo_level *level, const gp_slo *slo) {
    const char *distribution = (const char *)gp_slo_distribution(level, slo);
    return *(const double *)(const void *)(distribution + level->level);
}

double gp_slo_figure(const gp_slo_level *level, const gp_serve_point *point) {
    return *(const double *)(const void *)((const char *)point + level->figure);
}

bool gp_slo_asks_far(const gp_slo *slo) {
    return slo->tpot_s.p99 > 0 || slo->e2e_s.p99 > 0;
}

double gp_slo_beyond(const gp_slo *slo, const gp_serve_point *point, double margin,
                     double ttft_margin) {
    const double slack = 1 + 1e-9;
    double beyond = point->stable ? -HUGE_VAL : 1;
    for (size_t i = 0; point->stable && i < gp_slo_level_count; i++) {
        const gp_slo_level *level = &gp_slo_levels[i];
        const double target = gp_slo_target(level, slo);
        const double judged = 1 + (level->first_token ? ttft_margin : margin);
        const double figure = gp_slo_figure(level, point) * judged;
        if (target > 0 && figure > 0)
            beyond = gp_num_max(
                beyond, isfinite(figure) ? (figure - target * slack) / figure : 1);
    }
    return beyond;
}

gp_lack gp_slo_worst(const gp_slo *slo, const gp_serve_point *point, double margin,
                     double ttft_margin) {
    gp_lack worst = {.bound = GP_BOUND_LATENCY, .dim = GP_DIM_TIME};
    for (size_t i = 0; i < gp_slo_level_count; i++) {
        const gp_slo_level *level = &gp_slo_levels[i];
        const double target = gp_slo_target(level, slo);
        const double have =
            gp_slo_figure(level, point) * (1 + (level->first_token ? ttft_margin : margin));
        if (target > 0 && (worst.need <= 0 || have / target > worst.have / worst.need)) {
            worst.have = have;
            worst.need = target;
        }
    }
    return worst;
}
