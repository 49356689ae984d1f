/*
 * A workload on machines of its own against the same in a cloud, where candidates.allow names one.
 * What is owned is paid for all the time; what is rented for as long as the workload computes: the
 * runs of a period, the length of a job that ends, the machines of the replicas that follow a
 * service's profile.
 */
#include "plan/context.h"

#include <math.h>

#include "base/num.h"

enum { WORKING_DAYS = 5, WEEK_DAYS = 7 };

/* Share of its replicas that an hour takes, spares always. */
typedef double hour_share(const gp_case *c, const gp_candidate *candidate, double requests_per_s);

static double least_share(const gp_case *c, const gp_candidate *candidate) {
    const double all = (double)gp_num_max_i64(1, candidate->replicas);
    const double least =
        (double)gp_num_max_i64(c->workload->scaling.min_replicas, candidate->spare_replicas);
    return gp_num_min(1, least / all);
}

/* Mean over a week of the share that the planned rate of each hour takes. */
static double week_share(const gp_case *c, const gp_candidate *candidate, hour_share *share_of) {
    const gp_traffic_plan *traffic = &c->out->traffic;
    double sum = 0;
    if (!traffic->shaped || !(traffic->peak_per_s > 0))
        return 1;
    for (int hour = 0; hour < GP_DAY_HOURS; hour++)
        sum += WORKING_DAYS * share_of(c, candidate, gp_traffic_planned(traffic, hour, false)) +
               (WEEK_DAYS - WORKING_DAYS) *
                   share_of(c, candidate, gp_traffic_planned(traffic, hour, true));
    return sum / (WEEK_DAYS * GP_DAY_HOURS);
}

static double computing_share(const gp_case *c, const gp_candidate *candidate,
                              double requests_per_s) {
    const double share = gp_num_min(1, requests_per_s / c->out->traffic.peak_per_s);
    return gp_num_max(least_share(c, candidate), share);
}

/* Whole replicas on whole machines, started before the load is there. */
static double rented_share(const gp_case *c, const gp_candidate *candidate, double requests_per_s) {
    const double active = (double)(candidate->replicas - candidate->spare_replicas);
    const double all = (double)gp_num_max_i64(1, candidate->replicas);
    const double nodes = (double)gp_num_max_i64(1, candidate->nodes);
    const double ahead = 1 + gp_growth_of_start(c, candidate);
    const double needed = ceil(active * requests_per_s / c->out->traffic.peak_per_s * ahead);
    const double share = gp_num_min(1, (needed + (double)candidate->spare_replicas) / all);
    return ceil(nodes * gp_num_max(least_share(c, candidate), share)) / nodes;
}

double gp_computing_fraction(const gp_case *c, const gp_candidate *candidate) {
    return c->kind == GP_DEMAND_CONTINUOUS ? week_share(c, candidate, computing_share)
                                           : candidate->busy_fraction;
}

double gp_rented_fraction(const gp_case *c, const gp_candidate *candidate) {
    return c->kind == GP_DEMAND_CONTINUOUS ? week_share(c, candidate, rented_share)
                                           : candidate->busy_fraction;
}

/* It is enough, or would be if the site had room for it. */
static bool would_hold(const gp_candidate *candidate) {
    const gp_bound bound = candidate->lack.bound;
    return candidate->feasible ||
           (candidate->present && (bound == GP_BOUND_POWER || bound == GP_BOUND_COOLING ||
                                   bound == GP_BOUND_SPACE || bound == GP_BOUND_BUDGET));
}

/* Feasible first, then the cheapest; what has no price last. */
static bool better(const gp_candidate *a, const gp_candidate *b) {
    if (!b->present || a->feasible != b->feasible)
        return !b->present || a->feasible;
    if (a->priced != b->priced)
        return a->priced;
    return gp_num_compare9(a->cost.total_per_s, b->cost.total_per_s) < 0;
}

void gp_placement_of(const gp_case *c, gp_placement_plan *ret) {
    const gp_workload_plan *out = c->out;
    *ret = (gp_placement_plan){0};
    for (size_t u = 0; u < c->plan->unit_count; u++)
        ret->present = ret->present || c->plan->units[u].cloud != NULL;
    for (size_t k = 0; ret->present && k < out->kinds.count; k++) {
        const gp_candidate *kind = &out->kinds.items[k];
        gp_candidate *best = kind->unit->cloud != NULL ? &ret->rented : &ret->owned;
        if (better(kind, best))
            *best = *kind;
    }
    /* What is planned is compared, also where another kind would be cheaper for this work alone. */
    if (ret->present && out->chosen.feasible && out->chosen.share_count == 0)
        *(out->chosen.unit->cloud != NULL ? &ret->rented : &ret->owned) = out->chosen;
    const gp_candidate *rented = &ret->rented;
    if (!would_hold(&ret->owned) || !ret->owned.priced || !rented->feasible || !rented->priced)
        return;
    const double nodes = (double)rented->nodes;
    const double owned_per_s = ret->owned.cost.total_per_s;
    const gp_unit *unit = rented->unit;
    /* What is reserved costs the same whatever its use. */
    const bool never = unit->reserved.per_s > 0 && owned_per_s >= unit->reserved.per_s * nodes;
    if (unit->hourly.per_s > 0 && !never)
        ret->break_even_fraction = owned_per_s / (unit->hourly.per_s * nodes);
}
