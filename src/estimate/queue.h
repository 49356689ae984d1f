/* Waiting times of G/G/c queues by closed form. */
#ifndef GP_ESTIMATE_QUEUE_H
#define GP_ESTIMATE_QUEUE_H

#include "estimate/estimate.h"

typedef struct gp_wait {
    double mean_s;
    double tail_s; /* 95th percentile */
    double far_s;  /* 99th percentile */
} gp_wait;

/* `servers` servers at `utilization` (0..1), mean service time `service_s`; squared coefficients of
 * variation of arrivals and service. Infinite at utilization >= 1. */
gp_wait gp_queue_wait(double servers, double utilization, double service_s, double arrival_cv2,
                      double service_cv2, const gp_constants *constants);

/* The same of `among` such groups of servers, between which a router chooses the one with the
 * fewest requests: who comes waits where all of them are taken, and then in one of them alone. */
gp_wait gp_queue_routed(double among, double servers, double utilization, double service_s,
                        double arrival_cv2, double service_cv2, const gp_constants *constants);

#endif
