/*
 * What one candidate draws and costs on machines of its own. Its GPUs are
 * counted at the load of a mean hour, what they leave of a machine idle. The site's figures, which
 * the choice is made by, are those of usage.c.
 */
#include "plan/context.h"

#include <string.h>

#include "base/num.h"

static const double s_per_week = 604800;   /* definition */
static const double s_per_year = 31536000; /* 8,760 h: definition */

static gp_load load_of(const gp_case *c) {
    return c->out->is_serving ? GP_LOAD_SERVING : GP_LOAD_TRAINING;
}

/* In an hour of mean traffic; without an end of requests as planned. */
static double mean_rate(const gp_case *c, const gp_candidate *candidate) {
    const double mean_per_s = c->out->traffic.mean_per_s * c->demand.traffic_factor;
    return c->offline || !candidate->feasible || !(mean_per_s > 0)
               ? c->demand.requests_per_s
               : gp_num_min(mean_per_s, c->demand.requests_per_s);
}

/* What runs in one replica then: as described, or by the replica of the whole machine. */
static double mean_batch(const gp_case *c, const gp_candidate *candidate,
                         const gp_serve_replica *replica, double *ret_tokens_per_s) {
    const double mean_per_s = mean_rate(c, candidate);
    const int64_t active = candidate->replicas - candidate->spare_replicas;
    gp_serve_point mean = candidate->point;
    if (active > 0 && mean_per_s < c->demand.requests_per_s && !candidate->part.in_use)
        return gp_serve_replica_batch(replica, mean_per_s / (double)active, ret_tokens_per_s);
    if (active > 0 && mean_per_s < c->demand.requests_per_s)
        gp_candidate_load(c, candidate, mean_per_s / (double)active, NULL, &mean);
    *ret_tokens_per_s = mean.output_tokens_per_s;
    return mean.batch;
}

double gp_plan_serving_w(const gp_case *c, const gp_candidate *candidate, gp_trace *trace) {
    gp_serve_job job;
    gp_serve_power power;
    gp_serve_replica replica;
    double tokens_per_s = 0;
    if (!c->out->is_serving)
        return 0;
    if (candidate->split.present)
        return gp_split_gpu_w(c, candidate, mean_rate(c, candidate), trace);
    gp_candidate_replica(c, candidate, &candidate->unit->machine, &job, &replica);
    const double batch = mean_batch(c, candidate, &replica, &tokens_per_s);
    if (c->out->is_seats)
        return gp_seats_w(c, candidate, batch);
    gp_serve_power_with(&replica.cost, batch, tokens_per_s, trace, &power);
    return power.gpu_w;
}

/* The candidate's own switches, where its jobs or replicas leave their machine. */
static double fabric_power(const gp_case *c, size_t unit, gp_candidate *candidate) {
    gp_ref where;
    candidate->fabric = (gp_fabric_size){0};
    if (!candidate->leaves_machine)
        return 0;
    gp_plan_fabric(c->plan, unit, candidate->nodes, &candidate->fabric);
    return (double)gp_fabric_switches(&candidate->fabric) *
           gp_plan_switch_w(c->plan, c->plan->switches[unit], &where);
}

static void set_power(const gp_case *c, size_t unit, gp_candidate *candidate) {
    const gp_machine *machine = &c->plan->units[unit].machine;
    gp_node_power load;
    const gp_node_power *idle = &c->plan->facts[unit].idle;
    const double machines = (double)candidate->nodes;
    const double used = gp_num_min(machines, (double)candidate->gpus / (double)machine->gpus);
    candidate->fabric_w = fabric_power(c, unit, candidate);
    if (!(mean_rate(c, candidate) < c->demand.requests_per_s))
        gp_size_describe(c, candidate);
    gp_node_power_of(machine, load_of(c), gp_plan_serving_w(c, candidate, NULL), c->plan->constants,
                     NULL, &load);
    candidate->gpu_mean_w = load.gpu_w;
    candidate->node_load_w = load.node_w;
    candidate->node_idle_w = idle->node_w;
    candidate->it_mean_w =
        load.node_w * used + idle->node_w * (machines - used) + candidate->fabric_w;
    candidate->it_peak_w = load.peak_w * machines + candidate->fabric_w;
    candidate->facility_mean_w =
        (candidate->it_mean_w - candidate->fabric_w) * gp_plan_annual_pue(c->plan, unit) +
        candidate->fabric_w * gp_plan_overheads_at(c->plan, unit)->air.pue;
}

gp_rent gp_rent_of(const gp_unit *unit, double fraction) {
    const gp_contract *hourly = &unit->hourly;
    const gp_contract *reserved = &unit->reserved;
    const double by_hour = hourly->per_s * fraction;
    const bool all_year = reserved->per_s > 0 &&
                          (!(hourly->per_s > 0) || gp_num_compare9(reserved->per_s, by_hour) < 0);
    return all_year ? (gp_rent){reserved->per_s, 1, reserved}
                    : (gp_rent){by_hour, fraction, hourly};
}

static void set_cost(const gp_case *c, const gp_unit *unit, gp_candidate *candidate) {
    const size_t index = (size_t)(unit - c->plan->units);
    const int64_t extra = candidate->nodes - candidate->owned_nodes;
    const bool rented = unit->cloud != NULL;
    const gp_rent rent = gp_rent_of(unit, rented ? gp_rented_fraction(c, candidate) : 0);
    candidate->rented_fraction = rented ? rent.paid_fraction : 0;
    const gp_cost_input input = {
        .capital = rented ? 0 : unit->price * (double)extra,
        .rent_per_s = rent.per_s * (double)candidate->nodes,
        .facility_mean_w = rented ? 0 : candidate->facility_mean_w * candidate->busy_fraction,
        .it_peak_w = rented ? 0 : candidate->it_peak_w,
        .energy_price_per_j = gp_plan_spec_at(c->plan, index)->site.energy.price_per_j,
        .costs = &c->plan->spec->costs,
        .gpus = candidate->gpus,
    };
    gp_cost_of(&input, &candidate->cost);
    candidate->priced = rented ? rent.per_s > 0 : extra == 0 || unit->price > 0;
}

/* No other work shares its machines. */
static bool is_whole(const gp_candidate *candidate) {
    for (int g = 0; g < candidate->group_count && !candidate->alone; g++)
        if (candidate->groups[g].nodes == 1 &&
            candidate->groups[g].gpus < candidate->unit->machine.gpus)
            return false;
    return true;
}

/* Some job or replica spans machines, or pools hand caches on between them. */
static bool leaves_machine(const gp_candidate *candidate) {
    for (int g = 0; g < candidate->group_count; g++)
        if (candidate->groups[g].nodes > 1)
            return true;
    /* Caches go from the machines that prefill to those that decode. */
    return candidate->split.present && candidate->nodes > 1 &&
           !candidate->split.layouts.same_domain;
}

/* Share of a year in which the machines of a placed workload compute. */
static double busy_fraction(const gp_case *c, const gp_candidate *candidate) {
    const gp_workload *w = c->workload;
    const double run_s = candidate->time_to_complete_s.expected - candidate->timing.wait_s;
    /* Replicas of a batch work on one run, places of training on one each. */
    const double places = c->out->is_serving ? 1 : (double)gp_num_max_i64(candidate->replicas, 1);
    double fraction = 1;
    switch (c->kind) {
    case GP_DEMAND_DEADLINE: fraction = run_s / s_per_year; break;
    case GP_DEMAND_RECURRING:
        fraction = run_s / w->goal.every_s * (double)gp_num_max_i64(1, c->slots_min) / places;
        break;
    case GP_DEMAND_CONCURRENT:
        if (w->jobs.per_week > 0)
            fraction = c->slots_per_week * run_s / s_per_week / places;
        break;
    case GP_DEMAND_CONTINUOUS:
    case GP_DEMAND_OPEN:
    case GP_DEMAND_COUNT: break;
    }
    return fraction > 0 ? gp_num_min(1, fraction) : 1;
}

/* What is there goes to the shares in their order, as far as each site has it. */
static void price_shares(const gp_case *c, int64_t owned_nodes, gp_candidate *candidate) {
    const gp_plan_context *plan = c->plan;
    const int count = candidate->share_count;
    gp_candidate *shares = GP_NEW_ARRAY(plan->arena, gp_candidate, (size_t)count);
    memcpy(shares, candidate->shares, (size_t)count * sizeof *shares);
    for (int k = 0; k < count; k++) {
        gp_workload workload;
        const gp_case part = gp_spread_case(c, shares[k].unit, shares[k].share_fraction, &workload);
        const int64_t there = plan->inventory.owned[shares[k].unit - plan->units];
        const int64_t owned = gp_num_min_i64(owned_nodes, gp_num_min_i64(there, shares[k].nodes));
        gp_price_candidate(&part, owned, &shares[k]);
        owned_nodes -= owned;
        if (k == 0)
            candidate->cost = (gp_cost){0};
    }
    gp_candidate sum;
    gp_spread_sum(c, shares, count, &sum);
    sum.timing = candidate->timing;
    sum.feasible = candidate->feasible;
    sum.lack = candidate->lack;
    sum.objective = candidate->objective;
    *candidate = sum;
}

void gp_price_candidate(const gp_case *c, int64_t owned_nodes, gp_candidate *candidate) {
    if (!candidate->present)
        return;
    if (candidate->share_count > 0) {
        price_shares(c, owned_nodes, candidate);
        return;
    }
    const gp_unit *unit = candidate->unit;
    candidate->owned_nodes =
        unit->cloud != NULL ? 0 : gp_num_min_i64(owned_nodes, candidate->nodes);
    candidate->whole = is_whole(candidate);
    candidate->leaves_machine = leaves_machine(candidate);
    candidate->busy_fraction = busy_fraction(c, candidate);
    set_power(c, (size_t)(unit - c->plan->units), candidate);
    set_cost(c, unit, candidate);
    gp_storage_need_of_case(c, candidate, &candidate->storage);
}
