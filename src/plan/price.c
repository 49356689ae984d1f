/*
 * What a sized candidate draws and costs, and its value under the objective. Machines shared with
 * other workloads count by the share of their GPUs; the fabric is that of the candidate's own
 * machines (the site's is priced over all workloads together).
 */
#include "plan/context.h"

#include "base/num.h"
#include "base/str.h"

static gp_load load_of(const gp_case *c) {
    return c->out->is_serving ? GP_LOAD_SERVING : GP_LOAD_TRAINING;
}

/* Running sequences per GPU: what the power of serving depends on. */
static double intensity_of(const gp_candidate *candidate) {
    const gp_serve_layout *layout = &candidate->serve_layout;
    const double gpus = (double)gp_num_max_i64(1, layout->tp * layout->pp);
    return candidate->point.batch / gpus;
}

static void set_power(const gp_case *c, const gp_machine *machine, gp_candidate *candidate) {
    gp_node_power power;
    gp_node_power_of(machine, load_of(c), intensity_of(candidate), c->plan->constants, NULL,
                     &power);
    const double machines = (double)candidate->gpus / (double)machine->gpus;
    candidate->gpu_mean_w = power.gpu_w;
    candidate->it_mean_w = power.node_w * machines;
    candidate->it_nameplate_w = power.nameplate_w * machines;
    candidate->facility_mean_w = candidate->it_mean_w * c->plan->annual_pue;
}

static void set_cost(const gp_case *c, const gp_unit *unit, int64_t owned_nodes,
                     gp_candidate *candidate) {
    const gp_costs *costs = &c->plan->spec->costs;
    const gp_site_energy *energy = &c->plan->spec->site.energy;
    const int64_t extra = gp_num_max_i64(0, candidate->nodes - owned_nodes);
    const bool rented = unit->cloud != NULL;
    const gp_cost_input input = {
        .capital = rented ? 0 : unit->price * (double)extra,
        .rent_per_s = rented ? unit->rent_per_s * (double)candidate->nodes : 0,
        .facility_mean_w = rented ? 0 : candidate->facility_mean_w,
        .it_nameplate_w = rented ? 0 : candidate->it_nameplate_w,
        .energy_price_per_j = energy->price_per_j,
        .amortization_s = costs->amortization_s,
        .discount_per_s = costs->discount_per_s,
        .support_per_s = costs->support_per_s,
        .colocation_per_w_s = costs->colocation_per_w_s,
        .licenses_per_gpu_s = costs->licenses_per_gpu_s,
        .gpus = candidate->gpus,
    };
    gp_cost_of(&input, NULL, &candidate->cost);
    candidate->priced = rented ? unit->rent_per_s > 0 : extra == 0 || unit->price > 0;
}

double gp_objective_value(const gp_plan_context *plan, const gp_candidate *candidate) {
    switch (plan->objective) {
    case GP_OBJECTIVE_MIN_COST: return candidate->cost.total_per_s;
    case GP_OBJECTIVE_MIN_GPUS: return (double)candidate->gpus;
    case GP_OBJECTIVE_MIN_TIME:
        return candidate->time_to_complete_s.expected > 0 ? candidate->time_to_complete_s.expected
                                                          : candidate->tpot_p95_s.expected;
    case GP_OBJECTIVE_AUTO:
    case GP_OBJECTIVE_MIN_POWER: return candidate->facility_mean_w;
    }
    return candidate->facility_mean_w;
}

void gp_price_candidate(const gp_case *c, size_t unit, int64_t owned_nodes,
                        gp_candidate *candidate) {
    if (!candidate->present)
        return;
    const gp_unit *u = &c->plan->units[unit];
    set_power(c, &u->machine, candidate);
    set_cost(c, u, owned_nodes, candidate);
    gp_plan_fabric(c->plan, unit, candidate->nodes, &candidate->fabric);
    candidate->objective = gp_objective_value(c->plan, candidate);
}

/* Feasible first; then the objective to nine digits, machines, id. */
int gp_candidate_compare(const gp_candidate *a, const gp_candidate *b) {
    if (a->feasible != b->feasible)
        return a->feasible ? -1 : 1;
    const int order = gp_num_compare9(a->objective, b->objective);
    if (order != 0)
        return order;
    if (a->nodes != b->nodes)
        return a->nodes < b->nodes ? -1 : 1;
    return gp_str_compare(a->unit->id, b->unit->id);
}
