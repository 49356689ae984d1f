/*
 * Queues and redundancy: the Allen-Cunneen correction for arrivals and service that are
 * not exponential, an exponential tail, and spare replicas by the binomial law (docs/formulas.md,
 * "Queues", "Spare replicas").
 */
#include "estimate/queue.h"

#include <math.h>

#include "base/num.h"

/* The wait that a share `beyond` of all arrivals passes: those that wait at all do so by an
 * exponential law. */
static double percentile(double waits, double scale, double beyond) {
    return waits > beyond && beyond > 0 ? scale * gp_num_log(waits / beyond) : 0;
}

/* Sakasegawa's closed form of Erlang C, rho^(sqrt(2 (c + 1)) - 1), holds for real c and costs no
 * recursion; it is exact for one server. */
gp_wait gp_queue_routed(double among, double servers, double utilization, double service_s,
                        double arrival_cv2, double service_cv2, const gp_constants *constants) {
    if (!(utilization > 0) || !(service_s > 0)) {
        return (gp_wait){0};
    }
    if (utilization >= 1) {
        return (gp_wait){.mean_s = HUGE_VAL, .tail_s = HUGE_VAL, .far_s = HUGE_VAL};
    }
    double count = gp_num_max(servers, 1);
    double choices = among > 1 ? gp_num_pow(among, constants->serving_router_choices_exponent) : 1;
    double all = count * choices;
    double waits = gp_num_pow(utilization, sqrt(2 * (all + 1)) - 1);
    double scale = service_s / (count * (1 - utilization)) * 0.5 * (arrival_cv2 + service_cv2);
    gp_wait wait = {.mean_s = waits * scale};
    wait.tail_s = percentile(waits, scale, constants->serving_percentile_tail_fraction);
    wait.tail_s = gp_num_max(wait.tail_s, wait.mean_s);
    wait.far_s = percentile(waits, scale, constants->serving_percentile99_tail_fraction);
    wait.far_s = gp_num_max(wait.far_s, wait.tail_s);
    return wait;
}

gp_wait gp_queue_wait(double servers, double utilization, double service_s, double arrival_cv2,
                      double service_cv2, const gp_constants *constants) {
    return gp_queue_routed(1, servers, utilization, service_s, arrival_cv2, service_cv2, constants);
}

enum {
    SPARE_MARGIN = 256,   /* beyond a multiple of what is needed: ends the search, */
    SPARES_MOST = 1 << 17 /* and so does a number that nobody holds */
};

double gp_nodes_down_at_most(int64_t nodes, int64_t down, const gp_constants *constants) {
    double up = constants->plan_node_availability_fraction;
    return nodes <= down || up >= 1 ? 1 : gp_num_min(1, gp_num_binomial(nodes, down, up));
}

double gp_replica_availability(int64_t needed, int64_t all, int64_t nodes_per_replica,
                               const gp_constants *constants) {
    double nodes = (double)gp_num_max_i64(nodes_per_replica, 1);
    double up = gp_num_pow(constants->plan_node_availability_fraction, nodes);
    if (all < needed || !(up > 0))
        return 0;
    return up < 1 ? gp_num_min(gp_num_binomial(all, all - needed, up), 1) : 1;
}

int64_t gp_spare_replicas(int64_t needed, int64_t nodes_per_replica, double availability,
                          const gp_constants *constants) {
    double nodes = (double)gp_num_max_i64(nodes_per_replica, 1);
    double up = gp_num_pow(constants->plan_node_availability_fraction, nodes);
    if (needed < 1 || !(availability > 0) || !(up > 0) || up >= 1)
        return 0;
    /* A goal of one is met as far as a double can tell. */
    double goal = gp_num_log(gp_num_min(availability, 1 - 2 / (double)GP_NUM_COUNT_MAX));
    const int64_t most = gp_num_min_i64(gp_num_ceil_count(4 * (double)needed / up) + SPARE_MARGIN,
                                        needed + SPARES_MOST);
    /* More than that are down in the mean. */
    if ((double)needed / up - (double)needed > SPARES_MOST)
        return most;
    /* Of the sum: before that no logarithm is taken. */
    const double nearly = 1 - 1 / (double)SPARES_MOST;
    const double large = (double)GP_NUM_COUNT_MAX;
    /* As many as are down before `needed` are up: the negative binomial law, term by term. */
    double scale = (double)needed * gp_num_log(up);
    double term = 1;
    double sum = 1;
    int64_t spares = 0;
    double near = nearly * gp_num_exp(goal - scale);
    while (spares < most && (sum < near || scale + gp_num_log(sum) < goal)) {
        spares++;
        term *= (double)(needed - 1 + spares) / (double)spares * (1 - up);
        sum += term;
        if (sum > large) {
            scale += gp_num_log(large);
            near = nearly * gp_num_exp(goal - scale);
            sum /= large;
            term /= large;
        }
    }
    return spares;
}
