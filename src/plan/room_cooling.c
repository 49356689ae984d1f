/*
 * Cooling of the room: flows and temperatures of the fullest rack, distribution units for the
 * liquid heat of all of them, and facility over IT power by the parts of supply and cooling.
 */
#include "plan/room.h"

#include "base/num.h"
#include "base/str.h"

static const gp_cooling_class *class_named(const void *const *rows, size_t count,
                                           const char *name) {
    for (size_t i = 0; name != NULL && i < count; i++) {
        const gp_cooling_class *row = rows[i];
        if (gp_str_equal(row->name, name) || gp_str_equal(row->id, name))
            return row;
    }
    return NULL;
}

/* As few distribution units as carry the heat with one in reserve, and of those the smallest. */
static void choose_units(const gp_plan_context *plan, const void *const *rows, size_t count,
                         gp_cooling_input *input, gp_room_plan *room) {
    int64_t fewest = 0;
    for (size_t i = 0; i < count; i++) {
        const gp_cooling_class *row = rows[i];
        gp_cooling cooling;
        if (!gp_str_equal(row->kind, "cdu") || row->capacity_w <= 0)
            continue;
        input->unit_w = row->capacity_w;
        gp_cooling_of(input, plan->constants, &cooling);
        const bool first = room->cooling_unit == NULL;
        if (cooling.units > 0 &&
            (first || cooling.units < fewest ||
             (cooling.units == fewest && row->capacity_w < room->cooling_unit->capacity_w))) {
            fewest = cooling.units;
            room->cooling_unit = row;
        }
    }
    input->unit_w = room->cooling_unit != NULL ? room->cooling_unit->capacity_w : 0;
}

/* The mean rack's liquid: units carry the room. */
static gp_cooling_input input_of_all(const gp_room_total *total) {
    return (gp_cooling_input){
        .rack_w = total->heat_w / (double)total->racks,
        .racks = total->racks,
        .liquid_fraction = total->heat_w > 0 ? total->liquid_w / total->heat_w : 0,
        .unit_spare = true,
    };
}

/* The fullest rack's power: flows are those of one rack. */
static gp_cooling_input input_of_rack(const gp_plan_context *plan, const gp_room_total *total,
                                      const void *const *rows, size_t count) {
    const gp_site *site = &plan->spec->site;
    return (gp_cooling_input){
        .rack_w = total->rack_w,
        .racks = 1,
        .liquid_fraction = total->rack_liquid,
        .altitude_m = site->altitude_m,
        .air_supply_c = site->cooling.air.supply_c,
        .air_rise_k = site->cooling.air.delta_t_k,
        .air_class = class_named(rows, count, site->cooling.air.class_name),
        .liquid_class = class_named(rows, count, site->cooling.liquid.class_name),
        .facility_supply_c = site->cooling.liquid.supply_c,
        .liquid_rise_k = site->cooling.liquid.delta_t_k,
    };
}

static void add_units(gp_plan_context *plan, const gp_room_total *total, int64_t count) {
    gp_room_plan *room = &plan->result->room;
    gp_bill_item units = {.role = "coolant distribution unit",
                          .rule = "heat to liquid over 90 % of the capacity, one in reserve",
                          .count = count,
                          .bought = total->bought_racks > 0 ? count : 0};
    if (room->cooling_unit != NULL) {
        units.id = room->cooling_unit->id;
        gp_plan_price_line(plan, "cdu", units.id, &units);
    }
    gp_room_add(room, &units);
}

gp_status gp_room_cooling(gp_plan_context *plan, const gp_room_total *total) {
    gp_room_plan *room = &plan->result->room;
    const void *const *rows = NULL;
    size_t count = 0;
    gp_status st = gp_catalog_rows(plan->catalog, GP_CATALOG_COOLING, &rows, &count);
    if (st != GP_OK || total->racks == 0)
        return st;
    gp_cooling_input input = input_of_all(total);
    choose_units(plan, rows, count, &input, room);
    gp_cooling all;
    gp_cooling_of(&input, plan->constants, &all);
    const double liquid_fraction = input.liquid_fraction;
    input = input_of_rack(plan, total, rows, count);
    gp_cooling_of(&input, plan->constants, &room->cooling);
    room->water_c = input.facility_supply_c > 0  ? input.facility_supply_c
                    : input.liquid_class != NULL ? input.liquid_class->max_c
                                                 : 0;
    room->cooling.units = all.units;
    room->cooling.heat_btu_per_h = all.heat_btu_per_h;
    room->cooling.heat_tons = all.heat_tons;
    room->pue_from_parts = gp_pue_of(&(gp_pue_input){.liquid_fraction = liquid_fraction,
                                                     .free_cooling = room->cooling.free_cooling},
                                     plan->constants);
    add_units(plan, total, all.units);
    return GP_OK;
}
