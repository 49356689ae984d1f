/*
 * A service in shares, on several kinds of machines or at several sites: each is a service with its
 * part of the demand, and the candidate has their sums.
 */
#include "plan/context.h"

#include <math.h>

#include "base/num.h"
#include "base/str.h"

enum { SHARES_USUAL = 3 }; /* more than so many rarely carry a service */

const gp_candidate *gp_candidate_on(const gp_candidate *candidate, const gp_unit *unit) {
    for (int k = 0; k < candidate->share_count; k++)
        if (candidate->shares[k].unit == unit)
            return &candidate->shares[k];
    return candidate->share_count == 0 && candidate->unit == unit ? candidate : NULL;
}

bool gp_candidate_is_mixed(const gp_candidate *candidate) {
    for (int k = 1; k < candidate->share_count; k++)
        if (!gp_str_equal(candidate->shares[k].unit->system->id, candidate->unit->system->id))
            return true;
    return false;
}

/* What each share is to have for all of them to keep to what is asked of the service: of as many as
 * the spec states, there are sites, or are usual at one, where each kind that is bought is one more
 * place. */
static double share_availability(const gp_case *c) {
    const double asked = c->workload->goal.slo.availability;
    const size_t stated = c->workload->placement.shares.count;
    const size_t places = stated > 0 ? stated : c->plan->site_count;
    const size_t shares =
        stated > 0 || (places > 0 && places < SHARES_USUAL) ? places : SHARES_USUAL;
    if (!(asked > 0))
        return asked;
    /* Two of those that survive a loss are down at once. */
    if (c->workload->placement.survives != NULL)
        return 1 - sqrt((1 - asked) / ((double)(shares * (shares - 1)) / 2));
    return 1 - (1 - asked) / (double)shares;
}

static void set_stated(const gp_share *stated, gp_case *part, gp_workload *workload) {
    workload->replicas = stated->replicas;
    workload->parallelism = stated->parallelism;
    workload->prefill = stated->prefill;
    workload->decode = stated->decode;
    gp_case_declare(part);
    if (stated->disaggregated)
        part->split_mode = GP_SPLIT_ALWAYS;
    else if (part->pinned || stated->replicas > 0 || GP_GIVEN(stated, gp_share, disaggregated))
        part->split_mode = GP_SPLIT_NEVER;
}

/* One of n places of which any may be lost is made for 1 / (n - 1) of the demand, and has 1 / n of
 * it while all are there. */
static double usual_fraction(const gp_case *c, double fraction) {
    return c->workload->placement.survives != NULL ? fraction / (1 + fraction) : fraction;
}

gp_case gp_spread_case(const gp_case *c, const gp_unit *unit, double fraction,
                       gp_workload *workload) {
    const gp_share *stated = unit != NULL ? gp_share_on(c, unit) : NULL;
    gp_case part = *c;
    *workload = *c->workload;
    workload->scaling.min_replicas = 0;
    workload->scaling.max_replicas = 0;
    workload->replicas = workload->prefill.replicas = workload->decode.replicas = 0;
    workload->placement.survives = NULL;
    /* The service is up while all its shares are, or all but one. */
    if (fraction < 1 || c->workload->placement.survives != NULL)
        workload->goal.slo.availability = share_availability(c);
    part.workload = workload;
    part.counted = false;
    part.demand.requests_per_s *= fraction;
    part.demand.traffic_factor *= usual_fraction(c, fraction);
    if (stated != NULL)
        set_stated(stated, &part, workload);
    return part;
}

static void keep_longest(const gp_band *part, gp_band *most) {
    if (part->high > most->high)
        *most = *part;
}

static void add_figures(const gp_candidate *part, gp_candidate *sum) {
    sum->it_mean_w += part->it_mean_w;
    sum->it_peak_w += part->it_peak_w;
    sum->facility_mean_w += part->facility_mean_w;
    sum->fabric_w += part->fabric_w;
    sum->owned_nodes += part->owned_nodes;
    sum->whole = sum->whole && part->whole;
    sum->leaves_machine = sum->leaves_machine || part->leaves_machine;
    sum->priced = sum->priced && part->priced;
    gp_num_add_all(&part->cost, &sum->cost, sizeof sum->cost);
    gp_storage_need_add(&part->storage, &sum->storage); /* each site reads the weights by itself */
}

static void add_share(const gp_candidate *part, gp_candidate *sum) {
    sum->nodes += part->nodes;
    sum->gpus += part->gpus;
    sum->replicas += part->replicas;
    sum->spare_replicas += part->spare_replicas;
    sum->groups[0].count += part->groups[0].count;
    sum->requests_per_s += part->requests_per_s;
    sum->requests_per_s_expected += part->requests_per_s_expected;
    sum->split.prefill_replicas += part->split.prefill_replicas;
    sum->split.prefill_spare += part->split.prefill_spare;
    sum->split.decode_replicas += part->split.decode_replicas;
    sum->split.decode_spare += part->split.decode_spare;
    gp_num_add_all(&part->tokens_per_s, &sum->tokens_per_s, sizeof sum->tokens_per_s);
    keep_longest(&part->ttft_p95_s, &sum->ttft_p95_s);
    keep_longest(&part->tpot_p95_s, &sum->tpot_p95_s);
    add_figures(part, sum);
}

/* What is told of each share is what it does when another is lost. */
static void take_usual(int count, gp_band *per_s) {
    const double usual = (double)(count - 1) / count;
    *per_s = (gp_band){per_s->expected * usual, per_s->low * usual, per_s->high * usual};
}

/* All shares are up, or all but one of those that survive its loss. */
static double available(const gp_candidate *shares, int count, bool survives) {
    double all = 1;
    double but_one = 0;
    for (int k = 0; k < count; k++) {
        but_one =
            but_one * shares[k].availability_fraction + all * (1 - shares[k].availability_fraction);
        all *= shares[k].availability_fraction;
    }
    return survives ? all + but_one : all;
}

void gp_spread_sum(const gp_case *c, const gp_candidate *shares, int count, gp_candidate *ret) {
    *ret = shares[0];
    ret->share_fraction = 0;
    ret->share_count = count;
    ret->shares = shares;
    for (int k = 1; k < count; k++)
        add_share(&shares[k], ret);
    const bool survives = c->workload->placement.survives != NULL;
    ret->availability_fraction = available(shares, count, survives);
    if (survives)
        take_usual(count, &ret->tokens_per_s);
    ret->utilization = ret->requests_per_s > 0 ? c->demand.requests_per_s / ret->requests_per_s : 0;
}
