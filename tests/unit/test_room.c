/* The room of a plan: its bill adds up to the plan's figures, in every example. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/plan_flow.h"

static const char *const examples[] = {
    "examples/greenfield.yaml", "examples/inference-site.yaml", "examples/lora-fleet.yaml",
    "examples/minimal.yaml",    "examples/pretrain-405b.yaml",  "examples/chat-fleet.yaml",
    "examples/quickstart.yaml",
};

static bool near(double a, double b) {
    return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

static int64_t count_of(const gp_room_plan *room, const char *role) {
    int64_t count = 0;
    for (size_t i = 0; i < room->bill.count; i++)
        count += strcmp(room->bill.items[i].role, role) == 0 ? room->bill.items[i].count : 0;
    return count;
}

/* Of all lines whose role ends in `ending`. */
static double watts_of(const gp_room_plan *room, const char *ending) {
    double watts = 0;
    for (size_t i = 0; i < room->bill.count; i++) {
        const char *role = room->bill.items[i].role;
        const size_t len = strlen(role);
        const size_t end = strlen(ending);
        if (len >= end && strcmp(role + len - end, ending) == 0)
            watts += room->bill.items[i].unit_w * (double)room->bill.items[i].count;
    }
    return watts;
}

static void the_bill_adds_up(void **state) {
    (void)state;
    for (size_t e = 0; e < sizeof examples / sizeof examples[0]; e++) {
        gp_arena *arena = gp_arena_new((size_t)1 << 30);
        const gp_plan_result *result = gp_test_plan(arena, examples[e], NULL, 0);
        const gp_site_plan *site = &result->site;
        const gp_room_plan *room = &result->room;
        double watts = 0;
        double capital = 0;
        for (size_t i = 0; i < room->bill.count; i++) {
            const gp_bill_item *line = &room->bill.items[i];
            assert_true(line->count > 0);
            assert_non_null(line->rule);
            watts += line->unit_w * (double)line->count;
            assert_true(line->bought >= 0 && line->bought <= line->count);
            capital += line->unit_price * (double)line->bought;
        }
        if (!near(watts, site->it_peak_w))
            fail_msg("%s: the bill draws %g W, the site %g", examples[e], watts, site->it_peak_w);
        assert_true(near(capital, site->cost.capital) || (capital <= 0 && !site->priced));
        assert_int_equal(count_of(room, "machine"), site->stand_nodes);
        assert_int_equal(count_of(room, "rack"), site->rack_count);
        int64_t switches = count_of(room, "leaf switch") + count_of(room, "spine switch") +
                           count_of(room, "core switch");
        assert_int_equal(switches, room->fabric_parts.switches);
        assert_true(
            near(site->figures.air_heat_w + site->figures.liquid_heat_w, site->figures.heat_w));
        assert_true(near(site->air_w + site->liquid_w, site->it_peak_w));
        assert_true(near(site->figures.heat_w, site->it_peak_w));
        assert_true(near(watts_of(room, "switch"), site->network_w));
        const gp_cost *cost = &site->cost;
        assert_true(near(cost->capital_per_s + cost->energy_per_s + cost->colocation_per_s +
                             cost->support_per_s + cost->staff_per_s + cost->licenses_per_s +
                             cost->rent_per_s,
                         cost->total_per_s));
        assert_true(near((double)(site->owned_nodes + site->bought_nodes + site->rented_nodes),
                         (double)site->nodes));
        assert_true(result->schedule.mean_nodes <=
                    (double)result->schedule.peak_nodes * (1 + 1e-9));
        gp_arena_free(arena);
    }
}

static void a_site_has_its_room(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new((size_t)1 << 30);
    const gp_plan_result *result = gp_test_plan(arena, examples[0], NULL, 0);
    const gp_room_plan *room = &result->room;
    /* sqrt(3) x 415 V x 125 A at 80 %, N+1: three circuits for 132 kW, and two carry it. */
    assert_int_equal(room->chain.circuits, 3);
    assert_int_equal(room->chain.feeds, 2);
    assert_true(room->chain.failed_fraction <= 1);
    assert_int_equal(room->cooling.level, GP_AIR_OPEN); /* most of it goes to coolant */
    assert_true(room->cooling.air_allowed && room->cooling.air_recommended);
    assert_true(room->failures[GP_RATE_FEW].interruptions_per_month <
                room->failures[GP_RATE_MANY].interruptions_per_month);
    assert_true(room->fabric_room.unit_nodes >= result->site.fabric.unit_nodes);
    assert_true(room->management_switches > 0);
    gp_arena_free(arena);
}

/* Rack-scale machines put most of their heat into coolant: units stand in the bill. */
static void coolant_needs_units(void **state) {
    static const gp_override overrides[] = {
        {"candidates.allow", "[gb200-nvl72]"},    {"candidates.objective", "minPower"},
        {"site.racks.maxPower", "140 kW"},        {"site.racks.maxWeight", "1800 kg"},
        {"site.cooling.air.perRack", "140 kW"},   {"site.power.itCapacity", "2 MW"},
        {"site.cooling.liquid.capacity", "2 MW"}, {"defaults.confidence", "p90"},
    };
    (void)state;
    gp_arena *arena = gp_arena_new((size_t)1 << 30);
    const gp_plan_result *result = gp_test_plan(arena, examples[0], overrides, 8);
    const gp_room_plan *room = &result->room;
    assert_int_equal(count_of(room, "coolant distribution unit"), 2);
    /* Racks of 18 trays with four rails: a leaf a rail for each rack that work leaves. */
    assert_int_equal(count_of(room, "leaf switch") % 4, 0);
    assert_true(room->kinds.items[0].nodes < 8);
    assert_true(count_of(room, "spine switch") < count_of(room, "leaf switch"));
    assert_non_null(room->cooling_unit);
    /* Water of 30 degC and the units' approach of 4 K. */
    assert_true(near(room->cooling.coolant_supply_c, 34));
    assert_true(room->cooling.liquid_w > room->cooling.air_w);
    gp_arena_free(arena);
}

/* Greenfield is priced and empty, so what is bought is held against the cheapest instance. */
static void buying_is_held_against_renting(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new((size_t)1 << 30);
    const gp_plan_result *result = gp_test_plan(arena, examples[0], NULL, 0);
    const gp_room_plan *room = &result->room;
    const gp_cost *cost = &result->site.cost;
    assert_non_null(room->compared);
    assert_string_equal(room->compared->term, "on-demand");
    double rent = room->compared->on_demand_usd_per_s / (double)room->compared->gpus;
    double gpus = 0;
    for (size_t i = 0; i < result->units.count; i++)
        for (size_t b = 0; b < room->bill.count; b++)
            if (room->bill.items[b].id != NULL &&
                strcmp(room->bill.items[b].role, "machine") == 0 &&
                strcmp(room->bill.items[b].id, result->units.items[i].id) == 0)
                gpus += (double)(room->bill.items[b].count * result->units.items[i].machine.gpus);
    assert_true(near(room->owning.break_even_fraction, cost->total_per_s / (gpus * rent)));
    gp_arena_free(arena);
    arena = gp_arena_new((size_t)1 << 30);
    /* Without prices, or on a site that is there already, there is nothing to compare. */
    assert_null(gp_test_plan(arena, "examples/quickstart.yaml", NULL, 0)->room.compared);
    gp_arena_free(arena);
}

/* Power under load is that of the workloads' machines and of all that stands around them: nothing
 * is counted twice. */
static void the_mean_adds_up(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new((size_t)1 << 30);
    const gp_plan_result *result = gp_test_plan(arena, "examples/greenfield.yaml", NULL, 0);
    const gp_site_plan *site = &result->site;
    double watts = site->network_w + site->storage_w + site->system_w;
    for (size_t i = 0; i < result->workloads.count; i++) {
        const gp_candidate *chosen = &result->workloads.items[i].chosen;
        watts += chosen->it_mean_w - chosen->fabric_w;
    }
    assert_true(near(watts, site->it_mean_w));
    assert_true(site->it_mean_w < site->it_peak_w);
    gp_arena_free(arena);
}

/* What nobody declared is bought: a product that carries write rate, read rate and capacity, each
 * of which decides in its turn; what is declared is not bought again. */
static void storage_is_sized(void **state) {
    static const gp_override often[] = {{"workloads.pretrain-30b.checkpoint.interval", "2 min"}};
    static const gp_override much[] = {{"workloads.pretrain-30b.data.tokens", "400T tokens"},
                                       {"workloads.pretrain-30b.goal", "{every: 40yr}"}};
    static const gp_override there[] = {{"cluster.storage",
                                         "[{name: s, capacity: 1 PB, readBandwidth: 90 GB/s, "
                                         "writeBandwidth: 60 GB/s}]"}};
    (void)state;
    gp_arena *arena = gp_arena_new((size_t)1 << 30);
    const gp_room_plan *room = &gp_test_plan(arena, "examples/greenfield.yaml", NULL, 0)->room;
    assert_non_null(room->storage_product);
    assert_int_equal(count_of(room, "storage system"), room->storage_products);
    const int64_t few = room->storage_products;
    room = &gp_test_plan(arena, "examples/greenfield.yaml", often, 1)->room;
    assert_true(room->storage_products > few);
    room = &gp_test_plan(arena, "examples/greenfield.yaml", much, 2)->room;
    assert_true((double)room->storage_products * room->storage_product->usable_bytes >=
                room->storage.capacity_bytes);
    assert_true(room->storage_products > few);
    room = &gp_test_plan(arena, "examples/greenfield.yaml", there, 1)->room;
    assert_null(room->storage_product);
    assert_int_equal(count_of(room, "storage system"), 0);
    gp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bill_adds_up),    cmocka_unit_test(the_mean_adds_up),
        cmocka_unit_test(storage_is_sized),    cmocka_unit_test(a_site_has_its_room),
        cmocka_unit_test(coolant_needs_units), cmocka_unit_test(buying_is_held_against_renting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
