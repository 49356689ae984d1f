/*
 * A workload on machines of its own against the same in a cloud, where candidates.allow names one.
 * What is owned is paid for all the time; what is rented for as long as the workload computes: the
 * runs of a period, the length of a job that ends, the replicas that follow a service's profile.
 */
#include "plan/context.h"

#include "base/num.h"

enum { WORKING_DAYS = 5, WEEK_DAYS = 7 };

/* Mean over a week of the replicas that the planned rate of each hour takes, spares always. */
static double service_fraction(const gp_case *c, const gp_candidate *candidate) {
    const gp_traffic_plan *traffic = &c->out->traffic;
    const double all = (double)gp_num_max_i64(1, candidate->replicas);
    const double least = gp_num_min(all, (double)gp_num_max_i64(c->workload->scaling.min_replicas,
                                                                candidate->spare_replicas));
    double sum = 0;
    if (!traffic->shaped || !(traffic->peak_per_s > 0))
        return 1;
    for (int hour = 0; hour < GP_DAY_HOURS; hour++) {
        const double day = gp_traffic_planned(traffic, hour, false) / traffic->peak_per_s;
        const double weekend = gp_traffic_planned(traffic, hour, true) / traffic->peak_per_s;
        sum += WORKING_DAYS * gp_num_max(least / all, gp_num_min(1, day)) +
               (WEEK_DAYS - WORKING_DAYS) * gp_num_max(least / all, gp_num_min(1, weekend));
    }
    return sum / (WEEK_DAYS * GP_DAY_HOURS);
}

double gp_rented_fraction(const gp_case *c, const gp_candidate *candidate) {
    return c->kind == GP_DEMAND_CONTINUOUS ? service_fraction(c, candidate)
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
    const gp_candidate *rented = &ret->rented;
    if (!would_hold(&ret->owned) || !ret->owned.priced || !rented->feasible || !rented->priced)
        return;
    ret->break_even_fraction =
        ret->owned.cost.total_per_s / (rented->unit->rent_per_s * (double)rented->nodes);
}
