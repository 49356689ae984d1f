/*
 * Racks of a kind of machine: how many machines each takes, and which machines no rack takes.
 */
#include "plan/context.h"

#include "base/num.h"

static gp_rack_input rack_input(const gp_plan_context *plan, const gp_unit *unit, int64_t nodes) {
    const gp_site *site = &plan->spec->site;
    const gp_constants *k = plan->constants;
    const bool air = unit->system->cooling == GP_COOLING_AIR;
    const gp_unit_facts *facts = &plan->facts[unit - plan->units];
    const double air_share = 1 - facts->liquid_fraction;
    return (gp_rack_input){
        .nodes = nodes,
        .node_w = facts->idle.nameplate_w,
        .peak_w = facts->idle.peak_w,
        .published_nodes = unit->system->rack_nodes,
        .node_u = unit->system->height_u,
        .node_kg = unit->system->weight_kg,
        .rack_u = site->racks.height_u > 0 ? site->racks.height_u : k->site_rack_height_u,
        .used_u = site->racks.used_u,
        /* Where no rack power is stated, air-cooled racks stay below the level of a warning. */
        .rack_w = site->racks.max_power_w > 0 ? site->racks.max_power_w
                  : air ? gp_num_max(k->site_rack_air_warning_w, facts->idle.nameplate_w)
                        : 0,
        .rack_kg = site->racks.max_weight_kg,
        /* Only what goes to air counts against what the air of a rack removes. */
        .cooling_w = air_share > 0 ? site->cooling.air.per_rack_w / air_share : 0,
        .liquid = !air,
        .racks_per_node = unit->system->height_u >= 40 ? 1 : 0,
    };
}

void gp_plan_racks(const gp_plan_context *plan, const gp_unit *unit, int64_t nodes,
                   gp_rack_size *ret) {
    const gp_rack_input input = rack_input(plan, unit, nodes);
    gp_rack_size_of(&input, ret);
}

/* What a rack lacks for one machine, in the words of the spec: heat to air alone, and the height of
 * the whole rack; NULL: nothing. */
static const gp_lack *rack_lack(const gp_plan_context *plan, size_t site, const gp_unit *unit,
                                gp_rack_input input) {
    const double air_share = 1 - plan->facts[unit - plan->units].liquid_fraction;
    const struct {
        gp_bound bound;
        gp_dim dim;
        const char *path;
        double *limit; /* 0 lifts it */
        double share, used;
    } rows[] = {
        [GP_RACK_POWER] = {GP_BOUND_POWER, GP_DIM_POWER, "site.racks.maxPower", &input.rack_w, 1,
                           0},
        [GP_RACK_COOLING] = {GP_BOUND_COOLING, GP_DIM_POWER, "site.cooling.air.perRack",
                             &input.cooling_w, air_share, 0},
        [GP_RACK_HEIGHT] = {GP_BOUND_SPACE, GP_DIM_RACK_UNITS, "site.racks.height", &input.rack_u,
                            1, input.used_u},
        [GP_RACK_WEIGHT] = {GP_BOUND_SPACE, GP_DIM_MASS, "site.racks.maxWeight", &input.rack_kg, 1,
                            0},
    };
    gp_rack_size size;
    gp_rack_size_of(&input, &size);
    if (!size.too_small)
        return NULL;
    gp_lack *lack = GP_NEW(plan->arena, gp_lack);
    const char *path = rows[size.bound_by].path;
    const double share = rows[size.bound_by].share;
    const double used = rows[size.bound_by].used;
    *rows[size.bound_by].limit = 0;
    *lack = (gp_lack){.bound = rows[size.bound_by].bound,
                      .dim = rows[size.bound_by].dim,
                      .path = gp_plan_site_path(plan, site, path),
                      .have = size.have * share + used,
                      .need = size.need * share + used,
                      .why = "too much for a rack",
                      .also = rack_lack(plan, site, unit, input)};
    return lack;
}

static void bar_unit(const gp_plan_context *plan, size_t site, gp_unit *unit) {
    unit->rack_lack =
        unit->cloud == NULL ? rack_lack(plan, site, unit, rack_input(plan, unit, 1)) : NULL;
    unit->is_barred = unit->may_buy && unit->rack_lack != NULL;
    unit->may_buy = unit->may_buy && unit->rack_lack == NULL;
}

void gp_plan_bar_units(gp_plan_context *plan) {
    for (size_t u = 0; u < plan->unit_count && plan->site_count == 0; u++)
        bar_unit(plan, 0, &plan->units[u]);
    for (size_t s = 0; s < plan->site_count; s++) {
        gp_plan_context at;
        gp_plan_at(plan, s, &at);
        for (size_t u = 0; u < at.unit_count; u++)
            bar_unit(&at, s + 1, &at.units[u]);
    }
}
