/*
 * Cooling of the room: flows and temperatures of the fullest rack, and distribution units for the
 * liquid heat of all of them.
 */
#include "plan/usage.h"

#include "base/num.h"
#include "base/str.h"

const gp_cooling_class *gp_plan_cooling_class(const gp_plan_context *plan, const char *name) {
    const gp_row_list *rows = &plan->parts->cooling;
    for (size_t i = 0; name != NULL && i < rows->count; i++) {
        const gp_cooling_class *row = rows->items[i];
        if (gp_str_equal(row->name, name) || gp_str_equal(row->id, name))
            return row;
    }
    return NULL;
}

/* As few distribution units as carry the heat with one in reserve, and of those the smallest. */
static int64_t choose_units(gp_using *u) {
    const gp_row_list *rows = &u->plan->parts->cooling;
    const gp_cooling_class **best = &u->usage->room.cooling_unit;
    int64_t fewest = 0;
    for (size_t i = 0; i < rows->count && u->liquid_w > 0; i++) {
        const gp_cooling_class *row = rows->items[i];
        if (!gp_str_equal(row->kind, "cdu"))
            continue;
        const int64_t units = gp_cooling_units_of(u->liquid_w, row->capacity_w, u->plan->constants);
        if (units > 0 && (*best == NULL || units < fewest ||
                          (units == fewest && row->capacity_w < (*best)->capacity_w))) {
            fewest = units;
            *best = row;
        }
    }
    return fewest;
}

/* The fullest rack's power: flows are those of one rack. */
static gp_cooling_input input_of_rack(const gp_using *u) {
    const gp_site *site = &u->plan->spec->site;
    return (gp_cooling_input){
        .rack_w = u->rack_heat_w,
        .racks = 1,
        .liquid_fraction = u->rack_liquid,
        .altitude_m = site->altitude_m,
        .air_supply_c = site->cooling.air.supply_c,
        .air_rise_k = site->cooling.air.delta_t_k,
        .inlet_min_c = u->inlet_min_c,
        .inlet_max_c = u->inlet_max_c,
        .air_class = gp_plan_cooling_class(u->plan, site->cooling.air.class_name),
        .liquid_class = gp_plan_cooling_class(u->plan, site->cooling.liquid.class_name),
        .facility_supply_c = site->cooling.liquid.supply_c,
        .liquid_rise_k = site->cooling.liquid.delta_t_k,
    };
}

/* Those that carry the heat of what is there are there. */
static void add_units(gp_using *u, int64_t count) {
    const gp_cooling_class *unit = u->usage->room.cooling_unit;
    const int64_t there =
        unit != NULL && u->there_liquid_w > 0
            ? gp_cooling_units_of(u->there_liquid_w, unit->capacity_w, u->plan->constants)
            : 0;
    (void)gp_usage_line(u, GP_LINE_CDU, unit != NULL ? unit->id : NULL, count,
                        gp_num_max_i64(0, count - there));
}

/* Flows and temperatures of the fullest rack, which nothing is added up from, and the heat of all
 * of them. */
static void describe_rack(gp_using *u, int64_t units) {
    gp_room_plan *room = &u->usage->room;
    const gp_cooling_input input = input_of_rack(u);
    const gp_cooling_input mean = {.rack_w = u->heat_w / (double)u->racks, .racks = u->racks};
    gp_cooling all;
    gp_cooling_of(&mean, u->plan->constants, &all);
    gp_cooling_of(&input, u->plan->constants, &room->cooling);
    room->water_c = input.facility_supply_c > 0  ? input.facility_supply_c
                    : input.liquid_class != NULL ? input.liquid_class->max_c
                                                 : 0;
    room->cooling.units = units;
    room->cooling.heat_btu_per_h = all.heat_btu_per_h;
    room->cooling.heat_tons = all.heat_tons;
}

void gp_usage_cooling(gp_using *u) {
    if (u->racks == 0)
        return;
    const int64_t units = choose_units(u);
    if (u->detail)
        describe_rack(u, units);
    add_units(u, units);
}
