/*
 * The limits that all workloads share (power, cooling, racks, budget) and what a candidate takes of
 * them. Power and heat count at nameplate: that is what circuits and coolers are built for.
 */
#include "plan/context.h"

#include "base/num.h"

static double given_or_unlimited(bool given, double value) {
    return given ? value : GP_UNLIMITED;
}

/* Machines that jobs outside the spec hold, spares and system nodes draw power too. */
static int64_t held_nodes(const gp_unit *unit) {
    return unit->pool != NULL ? unit->pool->count - unit->owned_nodes : 0;
}

static double nameplate_w(const gp_plan_context *plan, const gp_unit *unit) {
    gp_node_power power;
    gp_node_power_of(&unit->machine, GP_LOAD_IDLE, 0, plan->constants, NULL, &power);
    return power.nameplate_w;
}

double gp_liquid_fraction(const gp_plan_context *plan, const gp_system *system) {
    if (system->cooling == GP_COOLING_AIR)
        return 0;
    return system->liquid_fraction > 0 ? system->liquid_fraction
                                       : plan->constants->site_liquid_fraction;
}

void gp_plan_racks(const gp_plan_context *plan, const gp_unit *unit, int64_t nodes,
                   gp_rack_size *ret) {
    const gp_site *site = &plan->spec->site;
    const gp_constants *k = plan->constants;
    const bool air = unit->system->cooling == GP_COOLING_AIR;
    const double air_share = 1 - gp_liquid_fraction(plan, unit->system);
    const gp_rack_input input = {
        .nodes = nodes,
        .node_w = nameplate_w(plan, unit),
        .node_u = unit->system->height_u,
        .node_kg = unit->system->weight_kg,
        .rack_u = site->racks.height_u > 0 ? site->racks.height_u : k->site_rack_height_u,
        .used_u = site->racks.used_u,
        /* Where no rack power is stated, air-cooled racks stay below the level of a warning. */
        .rack_w = site->racks.max_power_w > 0 ? site->racks.max_power_w
                  : air                       ? k->site_rack_air_warning_w
                                              : 0,
        .rack_kg = site->racks.max_weight_kg,
        /* Only what goes to air counts against what the air of a rack removes. */
        .cooling_w = air_share > 0 ? site->cooling.air.per_rack_w / air_share : 0,
        .liquid = !air,
        .racks_per_node = unit->system->height_u >= 40 ? 1 : 0,
    };
    gp_rack_size_of(&input, NULL, ret);
}

void gp_usage_of(const gp_plan_context *plan, const gp_candidate *candidate, gp_limits *ret_usage) {
    const gp_unit *unit = candidate->unit;
    *ret_usage = (gp_limits){0};
    /* Machines that are held by turns are counted with whoever holds them first. */
    if (!candidate->present || unit->cloud != NULL || candidate->timing.turn != GP_TURN_OWN) {
        ret_usage->cost_per_s = candidate->cost.total_per_s;
        return;
    }
    const double liquid = gp_liquid_fraction(plan, unit->system);
    const double used = (double)candidate->gpus / (double)unit->machine.gpus;
    const double machines = unit->pool != NULL ? used : (double)candidate->nodes;
    gp_rack_size racks;
    gp_plan_racks(plan, unit, candidate->nodes, &racks);
    *ret_usage = (gp_limits){
        .it_power_w = candidate->it_nameplate_w,
        .air_w = candidate->it_nameplate_w * (1 - liquid),
        .liquid_w = candidate->it_nameplate_w * liquid,
        .racks = racks.nodes_per_rack > 0 ? machines / (double)racks.nodes_per_rack : GP_UNLIMITED,
        .capital = candidate->cost.capital,
        .cost_per_s = candidate->cost.total_per_s,
    };
}

void gp_limits_take(gp_limits *left, const gp_limits *usage) {
    left->it_power_w -= usage->it_power_w;
    left->air_w -= usage->air_w;
    left->liquid_w -= usage->liquid_w;
    left->racks -= usage->racks;
    left->capital -= usage->capital;
    left->cost_per_s -= usage->cost_per_s;
}

static const struct {
    gp_bound bound;
    size_t offset;
    gp_dim dim;
} kinds[] = {
    {GP_BOUND_POWER, offsetof(gp_limits, it_power_w), GP_DIM_POWER},
    {GP_BOUND_COOLING, offsetof(gp_limits, air_w), GP_DIM_POWER},
    {GP_BOUND_COOLING, offsetof(gp_limits, liquid_w), GP_DIM_POWER},
    {GP_BOUND_SPACE, offsetof(gp_limits, racks), GP_DIM_COUNT},
    {GP_BOUND_BUDGET, offsetof(gp_limits, capital), GP_DIM_MONEY},
    {GP_BOUND_BUDGET, offsetof(gp_limits, cost_per_s), GP_DIM_MONEY_PER_S},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static double member(const gp_limits *limits, int kind) {
    const char *base = (const char *)limits;
    return *(const double *)(const void *)(base + kinds[kind].offset);
}

/* Everything below this counts as no limit: what is left of an absent one stays huge. */
static bool limited(double left) {
    return left < 0.5 * GP_UNLIMITED;
}

gp_lack gp_limits_lack(const gp_limits *left, const gp_limits *usage) {
    for (int i = 0; i < KINDS; i++) {
        const double have = member(left, i);
        const double need = member(usage, i);
        if (limited(have) && need > 0 && need > have && !gp_num_near(need, have))
            return (gp_lack){.bound = kinds[i].bound,
                             .have = gp_num_max(0, have),
                             .need = need,
                             .dim = kinds[i].dim};
    }
    return (gp_lack){.bound = GP_BOUND_NONE};
}

void gp_limits_of(gp_plan_context *plan) {
    const gp_site *site = &plan->spec->site;
    const gp_site_cooling *cooling = &site->cooling;
    const gp_budget *budget = &plan->spec->costs.budget;
    plan->limits = (gp_limits){
        .it_power_w = given_or_unlimited(GP_GIVEN(&site->power, gp_site_power, it_capacity_w),
                                         site->power.it_capacity_w),
        .air_w = given_or_unlimited(GP_GIVEN(&cooling->air, gp_site_air, capacity_w),
                                    cooling->air.capacity_w),
        .liquid_w = given_or_unlimited(GP_GIVEN(&cooling->liquid, gp_site_liquid, capacity_w),
                                       cooling->liquid.capacity_w),
        .racks = given_or_unlimited(GP_GIVEN(&site->racks, gp_site_racks, count),
                                    (double)site->racks.count),
        .capital = given_or_unlimited(GP_GIVEN(budget, gp_budget, capital), budget->capital),
        .cost_per_s = given_or_unlimited(GP_GIVEN(budget, gp_budget, per_s), budget->per_s),
    };
    for (size_t u = 0; u < plan->unit_count; u++) {
        const gp_unit *unit = &plan->units[u];
        const double watts = (double)held_nodes(unit) * nameplate_w(plan, unit);
        const double liquid = gp_liquid_fraction(plan, unit->system);
        const gp_limits held = {
            .it_power_w = watts, .air_w = watts * (1 - liquid), .liquid_w = watts * liquid};
        gp_limits_take(&plan->limits, &held);
        plan->held.it_power_w += held.it_power_w;
        plan->held.air_w += held.air_w;
        plan->held.liquid_w += held.liquid_w;
    }
    plan->given = plan->limits;
}

bool gp_limits_tighten(gp_plan_context *plan) {
    const gp_site_plan *site = &plan->result->site;
    const gp_limits used = {.it_power_w = site->it_nameplate_w,
                            .air_w = site->air_w,
                            .liquid_w = site->liquid_w,
                            .racks = (double)site->rack_count,
                            .capital = site->cost.capital,
                            .cost_per_s = site->cost.total_per_s};
    bool passed = false;
    for (int i = 0; i < KINDS; i++) {
        const double beyond = member(&used, i) - member(&plan->given, i);
        double *left = (double *)(void *)((char *)&plan->limits + kinds[i].offset);
        if (!limited(member(&plan->given, i)) || !(beyond > 0) || !(*left > 0) ||
            gp_num_near(member(&used, i), member(&plan->given, i)))
            continue;
        *left = gp_num_max(0, *left - beyond);
        passed = true;
    }
    return passed;
}
