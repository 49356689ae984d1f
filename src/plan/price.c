/*
 * What a sized candidate draws and costs, and its value under the objective. Owned machines shared
 * with other workloads count by the share of their GPUs, bought and rented ones whole; the fabric
 * is that of the candidate's own machines (the site's is priced over all workloads together).
 */
#include "plan/context.h"

#include <string.h>

#include "base/num.h"
#include "base/str.h"

static gp_load load_of(const gp_case *c) {
    return c->out->is_serving ? GP_LOAD_SERVING : GP_LOAD_TRAINING;
}

double gp_plan_serving_w(const gp_case *c, const gp_candidate *candidate, gp_trace *trace) {
    const gp_unit *unit = candidate->unit;
    const size_t index = (size_t)(unit - c->plan->units);
    gp_serve_job job = c->out->serve;
    gp_serve_power power;
    if (!c->out->is_serving)
        return 0;
    if (unit->machine.efficiency[job.compute] == NULL)
        job.compute = GP_PRECISION_BF16;
    gp_serve_power_of(&job, &unit->machine, &c->plan->networks[index], &candidate->serve_layout,
                      c->plan->constants, candidate->point.batch,
                      candidate->point.output_tokens_per_s, trace, &power);
    return power.gpu_w;
}

/* In the last list that has it; NULL: none. */
static const gp_price *price_of(const gp_plan_context *plan, const char *prefix, const char *id) {
    const size_t len = strlen(prefix);
    const gp_price *found = NULL;
    for (size_t p = 0; id != NULL && p < plan->price_count; p++) {
        for (size_t i = 0; i < plan->prices[p]->items.count; i++) {
            const gp_price *price = &plan->prices[p]->items.items[i];
            if (gp_str_starts(price->item, prefix) && price->item[len] == '/' &&
                gp_str_equal(price->item + len + 1, id))
                found = price;
        }
    }
    return found;
}

double gp_plan_item_price(const gp_plan_context *plan, const char *prefix, const char *id) {
    const gp_price *price = price_of(plan, prefix, id);
    return price != NULL ? price->price : 0;
}

void gp_plan_price_line(const gp_plan_context *plan, const char *prefix, const char *id,
                        gp_bill_item *line) {
    const gp_price *price = price_of(plan, prefix, id);
    if (price == NULL)
        return;
    line->unit_price = price->price;
    line->price = GP_REF(price, gp_price, price);
}

/* Machines that count for the candidate: bought and rented ones whole, owned ones by the share of
 * their GPUs that it claims. */
static double machines_counted(const gp_machine *machine, const gp_candidate *candidate,
                               int64_t owned_nodes, double *ret_used) {
    const double used = (double)candidate->gpus / (double)machine->gpus;
    *ret_used = used;
    return gp_num_max(used, (double)(candidate->nodes - owned_nodes));
}

/* The candidate's own switches. */
static double fabric_power(const gp_case *c, size_t unit, gp_candidate *candidate) {
    gp_ref where;
    gp_plan_fabric(c->plan, unit, candidate->nodes, &candidate->fabric);
    const gp_fabric_size *fabric = &candidate->fabric;
    const double switches = (double)(fabric->leaf + fabric->spine + fabric->core);
    return switches * gp_plan_switch_w(c->plan, c->plan->switches[unit], &where);
}

static void set_power(const gp_case *c, size_t unit, int64_t owned_nodes, gp_candidate *candidate) {
    const gp_machine *machine = &c->plan->units[unit].machine;
    gp_node_power load;
    gp_node_power idle;
    double used = 0;
    const double machines = machines_counted(machine, candidate, owned_nodes, &used);
    const double fabric_w = fabric_power(c, unit, candidate);
    gp_node_power_of(machine, load_of(c), gp_plan_serving_w(c, candidate, NULL), c->plan->constants,
                     NULL, &load);
    gp_node_power_of(machine, GP_LOAD_IDLE, 0, c->plan->constants, NULL, &idle);
    candidate->gpu_mean_w = load.gpu_w;
    candidate->fabric_w = fabric_w;
    candidate->it_mean_w = load.node_w * used + idle.node_w * (machines - used) + fabric_w;
    candidate->it_nameplate_w = load.nameplate_w * machines + fabric_w;
    candidate->facility_mean_w = candidate->it_mean_w * c->plan->annual_pue;
}

static void set_cost(const gp_case *c, const gp_unit *unit, int64_t owned_nodes,
                     gp_candidate *candidate) {
    const gp_costs *costs = &c->plan->spec->costs;
    const gp_site_energy *energy = &c->plan->spec->site.energy;
    const int64_t extra = gp_num_max_i64(0, candidate->nodes - owned_nodes);
    const bool rented = unit->cloud != NULL;
    candidate->rented_fraction = rented ? gp_rented_fraction(c, candidate) : 0;
    const gp_cost_input input = {
        .capital = rented ? 0 : unit->price * (double)extra,
        .rent_per_s =
            rented ? unit->rent_per_s * (double)candidate->nodes * candidate->rented_fraction : 0,
        .facility_mean_w = rented ? 0 : candidate->facility_mean_w,
        .it_nameplate_w = rented ? 0 : candidate->it_nameplate_w,
        .energy_price_per_j = energy->price_per_j,
        .residual_fraction = costs->residual_fraction,
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
    set_power(c, unit, owned_nodes, candidate);
    set_cost(c, u, owned_nodes, candidate);
    candidate->owned_nodes = u->cloud != NULL ? 0 : gp_num_min_i64(owned_nodes, candidate->nodes);
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
