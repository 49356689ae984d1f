/*
 * Replicas beside each other: the router sends a request to the one with the fewest, so that the
 * more there are, the fewer requests wait, and the more each carries within the service level.
 */
#include "plan/context.h"

#include <math.h>

#include "base/num.h"

enum { TIMES = 4 }; /* replicas, from one that is known to the next */
static const double alike = 1.001, just_above = 1 + 1e-5;

double gp_carried_each(const gp_carried *carried, int64_t count) {
    const double *each = carried->requests_per_s;
    int64_t least = 1;
    int at = 0;
    for (; at + 1 < GP_CARRIED_COUNT && least * TIMES < count; at++)
        least *= TIMES;
    if (at + 1 == GP_CARRIED_COUNT || count <= least)
        return each[at];
    /* Over the root of the count it grows almost evenly. */
    const double root = sqrt((double)least);
    const double share = (1 - root / sqrt((double)count)) / (1 - 1 / sqrt(TIMES));
    return each[at] + share * (each[at + 1] - each[at]);
}

int64_t gp_carried_count(const gp_carried *carried, double share, double requests_per_s) {
    const double *each = carried->requests_per_s;
    if (!(share * each[0] > 0) || !(requests_per_s > 0))
        return 1;
    const double fastest = share * each[GP_CARRIED_COUNT - 1];
    int64_t most = gp_num_max_i64(gp_num_ceil_count(requests_per_s / (share * each[0])), 1);
    int64_t least = gp_num_max_i64(gp_num_ceil_count(requests_per_s / fastest), 1);
    while (least < most) {
        const int64_t middle = least + (most - least) / 2;
        const double all = share * gp_carried_each(carried, middle);
        if (gp_num_ceil_count(requests_per_s / all) <= middle)
            most = middle;
        else
            least = middle + 1;
    }
    return least;
}

void gp_carried_fill(gp_carried_rate *rate, void *context, gp_carried *ret) {
    const int last = GP_CARRIED_COUNT - 1;
    double *each = ret->requests_per_s;
    double among = 1;
    gp_carried_near near = {0};
    each[0] = rate(context, 1, &near);
    near.low = near.found;
    each[last] = each[0] > 0 ? rate(context, gp_num_pow(TIMES, last), &near) : 0;
    near.high = near.found * just_above;
    const bool same = each[last] <= each[0] * alike;
    for (int i = 1; i < GP_CARRIED_COUNT; i++) {
        among *= TIMES;
        if (!same && i < last) {
            each[i] = gp_num_min(rate(context, among, &near), each[last]);
            near.low = near.found;
        }
        each[i] = same ? each[0] : gp_num_max(each[i], each[i - 1]);
    }
}
