/*
 * What price lists say, and what one candidate draws and costs on machines of its own. Its GPUs are
 * counted at the load of a mean hour, what they leave of a machine idle. The site's figures, which
 * the choice is made by, are those of usage.c.
 */
#include "plan/context.h"

#include <string.h>

#include "base/num.h"
#include "base/str.h"

static gp_load load_of(const gp_case *c) {
    return c->out->is_serving ? GP_LOAD_SERVING : GP_LOAD_TRAINING;
}

/* One replica in an hour of mean traffic; apart, or without an end of requests, as planned. */
static void mean_load(const gp_case *c, const gp_candidate *candidate, gp_serve_point *ret) {
    const gp_traffic_plan *traffic = &c->out->traffic;
    const int64_t active = candidate->replicas - candidate->spare_replicas;
    *ret = candidate->point;
    if (c->offline || candidate->split.present || active <= 0 || !candidate->feasible ||
        !(traffic->mean_per_s > 0) || traffic->mean_per_s >= c->demand.requests_per_s)
        return;
    gp_candidate_load(c, candidate, traffic->mean_per_s / (double)active, NULL, ret);
}

double gp_plan_nameplate_w(const gp_plan_context *plan, const gp_unit *unit) {
    gp_node_power power;
    gp_node_power_of(&unit->machine, GP_LOAD_IDLE, 0, plan->constants, NULL, &power);
    return power.nameplate_w;
}

double gp_plan_peak_w(const gp_plan_context *plan, const gp_unit *unit) {
    gp_node_power power;
    gp_node_power_of(&unit->machine, GP_LOAD_IDLE, 0, plan->constants, NULL, &power);
    return power.peak_w;
}

double gp_plan_serving_w(const gp_case *c, const gp_candidate *candidate, gp_trace *trace) {
    const gp_unit *unit = candidate->unit;
    const size_t index = (size_t)(unit - c->plan->units);
    gp_serve_job job = c->out->serve;
    gp_serve_point mean;
    gp_serve_power power;
    if (!c->out->is_serving)
        return 0;
    mean_load(c, candidate, &mean);
    if (unit->machine.efficiency[job.compute] == NULL)
        job.compute = GP_PRECISION_BF16;
    gp_serve_power_of(&job, &unit->machine, &c->plan->networks[index], &candidate->serve_layout,
                      c->plan->constants, mean.batch, mean.output_tokens_per_s, trace, &power);
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

/* The candidate's own switches, where its jobs or replicas leave their machine. */
static double fabric_power(const gp_case *c, size_t unit, gp_candidate *candidate) {
    gp_ref where;
    candidate->fabric = (gp_fabric_size){0};
    if (!gp_candidate_leaves_machine(candidate))
        return 0;
    gp_plan_fabric(c->plan, unit, candidate->nodes, &candidate->fabric);
    const gp_fabric_size *fabric = &candidate->fabric;
    const double switches = (double)(fabric->leaf + fabric->spine + fabric->core);
    return switches * gp_plan_switch_w(c->plan, c->plan->switches[unit], &where);
}

static void set_power(const gp_case *c, size_t unit, gp_candidate *candidate) {
    const gp_machine *machine = &c->plan->units[unit].machine;
    gp_node_power load;
    gp_node_power idle;
    const double machines = (double)candidate->nodes;
    const double used = gp_num_min(machines, (double)candidate->gpus / (double)machine->gpus);
    candidate->fabric_w = fabric_power(c, unit, candidate);
    gp_node_power_of(machine, load_of(c), gp_plan_serving_w(c, candidate, NULL), c->plan->constants,
                     NULL, &load);
    gp_node_power_of(machine, GP_LOAD_IDLE, 0, c->plan->constants, NULL, &idle);
    candidate->gpu_mean_w = load.gpu_w;
    candidate->node_load_w = load.node_w;
    candidate->node_idle_w = idle.node_w;
    candidate->it_mean_w =
        load.node_w * used + idle.node_w * (machines - used) + candidate->fabric_w;
    candidate->it_nameplate_w = load.nameplate_w * machines + candidate->fabric_w;
    candidate->facility_mean_w = candidate->it_mean_w * c->plan->annual_pue;
}

static void set_cost(const gp_case *c, const gp_unit *unit, gp_candidate *candidate) {
    const gp_costs *costs = &c->plan->spec->costs;
    const gp_site_energy *energy = &c->plan->spec->site.energy;
    const int64_t extra = candidate->nodes - candidate->owned_nodes;
    const bool rented = unit->cloud != NULL;
    candidate->rented_fraction = rented ? gp_rented_fraction(c, candidate) : 0;
    const gp_cost_input input = {
        .capital = rented ? 0 : unit->price * (double)extra,
        .rent_per_s =
            rented ? unit->rent_per_s * (double)candidate->nodes * candidate->rented_fraction : 0,
        .facility_mean_w = rented ? 0 : candidate->facility_mean_w * gp_busy_fraction(c, candidate),
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

void gp_price_candidate(const gp_case *c, int64_t owned_nodes, gp_candidate *candidate) {
    if (!candidate->present)
        return;
    const gp_unit *unit = candidate->unit;
    candidate->owned_nodes =
        unit->cloud != NULL ? 0 : gp_num_min_i64(owned_nodes, candidate->nodes);
    set_power(c, (size_t)(unit - c->plan->units), candidate);
    set_cost(c, unit, candidate);
}
