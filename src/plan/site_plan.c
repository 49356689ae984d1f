/* The site under all workloads together: machines, fabric, power, racks, heat, cost. */
#include "plan/context.h"

#include <math.h>

#include "base/num.h"

void gp_load_add(const gp_plan_context *plan, gp_unit_load *loads, const gp_candidate *candidate) {
    gp_unit_load *load = &loads[candidate->unit - plan->units];
    if (candidate->timing.turn != GP_TURN_OWN)
        return;
    /* What does not fill its machines shares them with others of its kind. */
    if (candidate->gpus == candidate->nodes * candidate->unit->machine.gpus)
        load->whole_nodes += candidate->nodes;
    else
        load->shared_gpus += candidate->gpus;
}

int64_t gp_load_nodes(const gp_unit *unit, const gp_unit_load *load) {
    const int64_t per_node = gp_num_max_i64(1, unit->machine.gpus);
    return load->whole_nodes + (load->shared_gpus + per_node - 1) / per_node;
}

static double nameplate_of(const gp_plan_context *plan, const gp_unit *unit) {
    gp_node_power power;
    gp_node_power_of(&unit->machine, GP_LOAD_IDLE, 0, plan->constants, NULL, &power);
    return power.nameplate_w;
}

static double fabric_power(const gp_plan_context *plan, size_t u, int64_t nodes,
                           gp_fabric_size *ret_fabric) {
    gp_ref where;
    gp_plan_fabric_built(plan, u, nodes, ret_fabric);
    const int64_t switches = ret_fabric->leaf + ret_fabric->spine + ret_fabric->core;
    return (double)switches * gp_plan_switch_w(plan, plan->switches[u], &where);
}

void gp_load_usage(const gp_plan_context *plan, const gp_unit_load *loads, gp_limits *ret_usage,
                   int64_t *ret_nodes) {
    *ret_usage = (gp_limits){0};
    *ret_nodes = 0;
    for (size_t u = 0; u < plan->unit_count; u++) {
        const gp_unit *unit = &plan->units[u];
        const int64_t nodes = gp_load_nodes(unit, &loads[u]);
        *ret_nodes += nodes;
        if (nodes == 0 || unit->cloud != NULL)
            continue;
        gp_fabric_size fabric;
        gp_rack_size racks;
        const double fabric_w = fabric_power(plan, u, nodes, &fabric);
        const double watts = nameplate_of(plan, unit) * (double)nodes;
        const double liquid = gp_liquid_fraction(plan, unit->system);
        gp_plan_racks(plan, unit, nodes, &racks);
        ret_usage->it_power_w += watts + fabric_w;
        ret_usage->air_w += watts * (1 - liquid) + fabric_w;
        ret_usage->liquid_w += watts * liquid;
        ret_usage->racks += (double)racks.racks;
    }
}

typedef struct unit_total {
    int64_t nodes, owned, bought, rented;
    double mean_w, nameplate_w;
} unit_total;

static unit_total total_of(const gp_plan_context *plan, size_t u) {
    const gp_unit *unit = &plan->units[u];
    unit_total t = {.nodes = gp_load_nodes(unit, &plan->loads[u])};
    if (unit->cloud != NULL)
        t.rented = t.nodes;
    else
        t.owned = plan->declared_only ? t.nodes : gp_num_min_i64(t.nodes, unit->owned_nodes);
    t.bought = t.nodes - t.owned - t.rented;
    if (unit->cloud == NULL)
        t.nameplate_w = nameplate_of(plan, unit) * (double)t.nodes;
    return t;
}

/* Switches of the compute fabric of one kind of machine, at their maximum power. */
static void add_fabric(gp_plan_context *plan, size_t u, int64_t nodes) {
    gp_site_plan *site = &plan->result->site;
    gp_fabric_size fabric;
    site->network_w += fabric_power(plan, u, nodes, &fabric);
    if (fabric.leaf <= 0)
        return;
    const int64_t switches = fabric.leaf + fabric.spine + fabric.core;
    if (switches > site->fabric.leaf + site->fabric.spine + site->fabric.core) {
        site->fabric = fabric;
        site->network = plan->networks[u];
    }
}

static void add_unit_to_site(gp_plan_context *plan, size_t u, double *air_w, double *liquid_w) {
    gp_site_plan *site = &plan->result->site;
    const gp_unit *unit = &plan->units[u];
    const unit_total t = total_of(plan, u);
    if (t.nodes == 0)
        return;
    site->nodes += t.nodes;
    site->owned_nodes += t.owned;
    site->bought_nodes += t.bought;
    site->rented_nodes += t.rented;
    if (unit->cloud != NULL)
        return;
    site->it_nameplate_w += t.nameplate_w;
    *liquid_w += t.nameplate_w * gp_liquid_fraction(plan, unit->system);
    *air_w += t.nameplate_w * (1 - gp_liquid_fraction(plan, unit->system));
    gp_rack_size racks;
    gp_plan_racks(plan, unit, t.nodes, &racks);
    site->rack_count += racks.racks;
    const double air_share = 1 - gp_liquid_fraction(plan, unit->system);
    site->air_rack_w = gp_num_max(site->air_rack_w, racks.rack_w * air_share);
    add_fabric(plan, u, t.nodes);
}

/* What one circuit of a rack carries continuously. */
static double circuit_power(const gp_plan_context *plan) {
    const gp_site_power *power = &plan->spec->site.power;
    const gp_circuits *circuits = &power->circuits;
    if (circuits->voltage_v <= 0 || circuits->current_a <= 0)
        return 0;
    const double phase = circuits->phases == 3 ? sqrt(3) : 1;
    return phase * circuits->voltage_v * circuits->current_a * circuits->power_factor *
           circuits->derate_fraction;
}

static void set_figures(gp_plan_context *plan) {
    gp_site_plan *site = &plan->result->site;
    const double air_w = site->air_w;
    const double liquid_w = site->liquid_w;
    const gp_site *spec = &plan->spec->site;
    const gp_constants *k = plan->constants;
    const double heat = air_w + liquid_w;
    const gp_site_input input = {
        .it_nameplate_w = site->it_nameplate_w,
        .it_mean_w = site->it_mean_w,
        .air_fraction = heat > 0 ? air_w / heat : 1,
        .altitude_m = spec->altitude_m,
        .air_delta_t_k =
            spec->cooling.air.delta_t_k > 0 ? spec->cooling.air.delta_t_k : k->site_air_rise_k,
        .liquid_delta_t_k = spec->cooling.liquid.delta_t_k > 0 ? spec->cooling.liquid.delta_t_k
                                                               : k->site_liquid_rise_k,
        .design_pue = plan->design_pue,
        .annual_pue = plan->annual_pue,
        .wue_l_per_j = spec->cooling.wue_l_per_j,
        .carbon_kg_per_j = plan->carbon_kg_per_j,
        .renewable_fraction = spec->energy.renewable_fraction,
        .site = spec,
    };
    gp_site_figures_of(&input, k, &plan->result->trace_site, &site->figures);
}

static void add_limit(gp_site_plan *site, gp_bound bound, double used, double limit, gp_dim dim) {
    if (limit < 0.5 * GP_UNLIMITED && site->limit_count < GP_LIMIT_MAX)
        site->limits[site->limit_count++] = (gp_limit_use){bound, used, limit, dim};
}

static void set_limits(gp_plan_context *plan) {
    gp_site_plan *site = &plan->result->site;
    const double air_w = site->air_w;
    const double liquid_w = site->liquid_w;
    site->limit_count = 0;
    gp_limits limits = plan->given;
    add_limit(site, GP_BOUND_POWER, site->it_nameplate_w, limits.it_power_w, GP_DIM_POWER);
    add_limit(site, GP_BOUND_COOLING, air_w, limits.air_w, GP_DIM_POWER);
    add_limit(site, GP_BOUND_COOLING, liquid_w, limits.liquid_w, GP_DIM_POWER);
    add_limit(site, GP_BOUND_SPACE, (double)site->rack_count, limits.racks, GP_DIM_COUNT);
    add_limit(site, GP_BOUND_BUDGET, site->cost.capital, limits.capital, GP_DIM_MONEY);
    add_limit(site, GP_BOUND_BUDGET, site->cost.total_per_s, limits.cost_per_s, GP_DIM_MONEY_PER_S);
}

/* The switches that the machines to buy need beyond those there have a price. */
static bool switches_priced(const gp_plan_context *plan, size_t u, const unit_total *t) {
    gp_fabric_size added;
    if (t->bought == 0)
        return true;
    gp_plan_new_switches(plan, u, t->nodes, plan->units[u].owned_nodes, &added);
    return added.leaf + added.spine + added.core == 0 || gp_plan_switch_price(plan, u) > 0;
}

static void set_cost(gp_plan_context *plan, double capital) {
    gp_site_plan *site = &plan->result->site;
    const gp_costs *costs = &plan->spec->costs;
    gp_cost_input input = {
        .capital = capital,
        .facility_mean_w = site->figures.facility_mean_w,
        .it_nameplate_w = site->it_nameplate_w,
        .energy_price_per_j = plan->spec->site.energy.price_per_j,
        .residual_fraction = costs->residual_fraction,
        .amortization_s = costs->amortization_s,
        .discount_per_s = costs->discount_per_s,
        .support_per_s = costs->support_per_s,
        .staff_per_s = costs->staff_per_s,
        .colocation_per_w_s = costs->colocation_per_w_s,
        .licenses_per_gpu_s = costs->licenses_per_gpu_s,
        .gpus = site->gpus,
    };
    site->priced = true;
    for (size_t u = 0; u < plan->unit_count; u++) {
        const gp_unit *unit = &plan->units[u];
        const unit_total t = total_of(plan, u);
        if (t.rented > 0 && unit->rent_per_s <= 0)
            site->priced = false;
        if (t.bought > 0 && (unit->price <= 0 || !switches_priced(plan, u, &t)))
            site->priced = false;
    }
    for (size_t i = 0; i < plan->case_count; i++) {
        const gp_candidate *chosen = &plan->cases[i].out->chosen;
        if (chosen->feasible && chosen->unit->cloud != NULL)
            input.rent_per_s += chosen->cost.rent_per_s;
    }
    gp_cost_of(&input, NULL, &site->cost);
}

void gp_site_settle(gp_plan_context *plan, double switches_w, double storage_w, double system_w,
                    double capital) {
    gp_site_plan *site = &plan->result->site;
    const double watts = switches_w + storage_w + system_w;
    site->network_w += switches_w;
    site->storage_w += storage_w;
    site->system_w += system_w;
    site->it_nameplate_w += watts;
    site->it_mean_w += watts;
    site->air_w += watts;
    set_figures(plan);
    set_cost(plan, capital);
    set_limits(plan);
}

/* A check judges the room as it stands: every declared machine, those without work idle. */
static void add_idle(gp_plan_context *plan) {
    gp_site_plan *site = &plan->result->site;
    site->gpus = 0;
    for (size_t u = 0; u < plan->unit_count; u++) {
        const gp_unit *unit = &plan->units[u];
        if (unit->pool == NULL)
            continue;
        gp_node_power power;
        gp_node_power_of(&unit->machine, GP_LOAD_IDLE, 0, plan->constants, NULL, &power);
        const int64_t idle =
            gp_num_max_i64(0, unit->pool->count - gp_load_nodes(unit, &plan->loads[u]));
        plan->loads[u] = (gp_unit_load){.whole_nodes = unit->pool->count};
        site->gpus += unit->pool->count * unit->machine.gpus;
        site->it_mean_w += (double)idle * power.node_w;
    }
}

/* Machines to buy or rent that workloads share: each was counted with all it would leave idle. */
static void count_shared(gp_plan_context *plan, size_t u) {
    gp_site_plan *site = &plan->result->site;
    const gp_unit *unit = &plan->units[u];
    int64_t alone = 0;
    if (unit->pool != NULL)
        return;
    for (size_t i = 0; i < plan->case_count; i++) {
        const gp_candidate *chosen = &plan->cases[i].out->chosen;
        if (chosen->feasible && chosen->unit == unit)
            alone += chosen->nodes;
    }
    const int64_t saved = alone - gp_load_nodes(unit, &plan->loads[u]);
    gp_node_power idle;
    gp_node_power_of(&unit->machine, GP_LOAD_IDLE, 0, plan->constants, NULL, &idle);
    site->shared_nodes += saved;
    if (unit->cloud == NULL)
        site->it_mean_w -= idle.node_w * (double)saved;
}

/* Machines that a job takes once others are done, where these leave too few: all that are held at
 * that time are there together. */
static void add_follower(gp_plan_context *plan, const gp_candidate *follower) {
    const double at = follower->timing.wait_s;
    gp_unit_load *load = &plan->loads[follower->unit - plan->units];
    int64_t held = gp_load_nodes(follower->unit, load);
    const int64_t before = held;
    for (size_t i = 0; i < plan->case_count; i++) {
        const gp_candidate *other = &plan->cases[i].out->chosen;
        if (!other->feasible || other->unit != follower->unit ||
            gp_demand_kind_of(&plan->cases[i]) != GP_DEMAND_DEADLINE)
            continue;
        const bool then = other->timing.wait_s <= at && at < other->time_to_complete_s.high;
        if (other->timing.turn == GP_TURN_AFTER && then)
            held += other->nodes;
        else if (other->timing.turn == GP_TURN_OWN && !then)
            held -= other->nodes;
    }
    if (held <= before)
        return;
    load->whole_nodes += held - before;
    plan->result->site.gpus += (held - before) * follower->unit->machine.gpus;
}

static void add_followers(gp_plan_context *plan) {
    for (size_t i = 0; i < plan->case_count; i++) {
        const gp_candidate *chosen = &plan->cases[i].out->chosen;
        if (chosen->feasible && chosen->timing.turn == GP_TURN_AFTER)
            add_follower(plan, chosen);
    }
}

void gp_site_of(gp_plan_context *plan) {
    gp_site_plan *site = &plan->result->site;
    double air_w = 0;
    double liquid_w = 0;
    *site = (gp_site_plan){.circuit_w = circuit_power(plan)};
    for (size_t u = 0; u < plan->unit_count; u++)
        plan->loads[u] = (gp_unit_load){0};
    for (size_t i = 0; i < plan->case_count; i++) {
        const gp_candidate *chosen = &plan->cases[i].out->chosen;
        if (!chosen->feasible || chosen->timing.turn != GP_TURN_OWN)
            continue;
        site->gpus += chosen->gpus;
        gp_load_add(plan, plan->loads, chosen);
        if (chosen->unit->cloud == NULL)
            site->it_mean_w += chosen->it_mean_w - chosen->fabric_w;
    }
    add_followers(plan);
    if (plan->declared_only)
        add_idle(plan);
    for (size_t u = 0; u < plan->unit_count; u++) {
        add_unit_to_site(plan, u, &air_w, &liquid_w);
        count_shared(plan, u);
    }
    site->it_nameplate_w += site->network_w;
    site->it_mean_w += site->network_w;
    air_w += site->network_w;
    site->air_w = air_w;
    site->liquid_w = liquid_w;
    gp_site_settle(plan, 0, 0, 0, 0);
}
