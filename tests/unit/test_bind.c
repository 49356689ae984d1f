/* Binding: values and their boundaries, unions, and every kind of mistake with its id. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/model.h"

#include "model/fields.h"
#include "schema/bind.h"
#include "source/yaml_tree.h"

typedef struct bound {
    gp_arena *arena;
    gp_diags diags;
    void *object;
} bound;

static bound bind(const gp_struct *type, const char *yaml) {
    bound b = {.arena = gp_arena_new(16u << 20)};
    gp_source_limits limits = GP_SOURCE_LIMITS_INIT;
    gp_text *text = NULL;
    gp_yaml_docs docs;
    gp_diags_init(&b.diags, b.arena);
    char *copy = gp_arena_strndup(b.arena, yaml, strlen(yaml));
    assert_int_equal(gp_text_init(b.arena, "t", copy, strlen(copy), &text), GP_OK);
    assert_int_equal(gp_yaml_read(b.arena, text, &limits, &b.diags, &docs), GP_OK);
    assert_int_equal(docs.count, 1);
    b.object = gp_arena_alloc(b.arena, 1, type->size);
    gp_binder binder = {.arena = b.arena, .diags = &b.diags, .origin = GP_ORIGIN_SPEC};
    gp_struct_init(b.arena, type, b.object);
    gp_bind_struct(&binder, docs.roots[0], type, b.object);
    return b;
}

static const char *ids(bound *b) {
    const char *all = "";
    for (size_t i = 0; i < b->diags.count; i++) {
        all = gp_arena_printf(b->arena, "%s%s%s", all, i ? " " : "", b->diags.items[i].id);
    }
    return all;
}

typedef struct expectation {
    const gp_struct *type;
    const char *yaml;
    const char *ids;
} expectation;

static const expectation expectations[] = {
    /* counts */
    {&gp_pool_rows, "{name: a, system: x, count: 1000000}", ""},
    {&gp_pool_rows, "{name: a, system: x, count: 1000001}", "GP1012"},
    {&gp_pool_rows, "{name: a, system: x, count: -1}", "GP1012"},
    {&gp_pool_rows, "{name: a, system: x, count: 0}", ""},
    {&gp_pool_rows, "{name: a, system: x, count: 1e3}", ""},
    {&gp_pool_rows, "{name: a, system: x, count: 1.5e1}", ""},
    {&gp_pool_rows, "{name: a, system: x, count: 1.5}", "GP1004"},
    {&gp_pool_rows, "{name: a, system: x, count: 10^30}", "GP1011"},
    {&gp_pool_rows, "{name: a, system: x, count: 1e30}", "GP1012"},
    {&gp_pool_rows, "{name: a, system: x, count: 1e999}", "GP1012"},
    {&gp_pool_rows, "{name: a, system: x, count: .inf}", "GP1004"},
    {&gp_pool_rows, "{name: a, system: x, count: nan}", "GP1004"},
    {&gp_pool_rows, "{name: a, system: x, count: 0x10}", "GP1004"},
    {&gp_pool_rows, "{name: a, system: x, count: 1_000}", "GP1004"},
    {&gp_pool_rows, "{name: a, system: x, count: two}", "GP1004"},
    {&gp_pool_rows, "{name: a, system: x, count: \"16\"}", ""},
    {&gp_pool_rows, "{name: a, system: x, count: 2k nodes}", ""},
    {&gp_pool_rows, "{name: a, system: x, count: [1]}", "GP1004"},
    {&gp_pool_rows, "{name: a, system: x, count: }", "GP1007"},
    {&gp_pool_rows, "{name: a, system: x, count: ~}", "GP1007"},
    /* text */
    {&gp_pool_rows, "{name: \"\", system: x, count: 1}", "GP1007"},
    {&gp_pool_rows, "{name: null, system: x, count: 1}", "GP1007"},
    {&gp_pool_rows, "{name: 12, system: x, count: 1}", ""},
    {&gp_pool_rows, "{name: {a: b}, system: x, count: 1}", "GP1004"},
    {&gp_pool_rows, "{name: a, system: {extends: [x]}, count: 1}", "GP1004"},
    /* keys */
    {&gp_pool_rows, "{name: a, system: x}", "GP1009"},
    {&gp_pool_rows, "{}", "GP1009 GP1009 GP1009"},
    {&gp_pool_rows, "{name: a, system: x, coumt: 1}", "GP1003"}, /* no second complaint */
    {&gp_pool_rows, "{name: a, system: x, count: 1, Name: b}", "GP1003"},
    {&gp_pool_rows, "gpu", "GP1004"},
    {&gp_pool_rows, "[gpu]", "GP1004"},
    /* quantities */
    {&gp_site_rows, "{altitude: 200 m}", ""},
    {&gp_site_rows, "{altitude: -500 m}", ""},
    {&gp_site_rows, "{altitude: -501 m}", "GP1012"},
    {&gp_site_rows, "{altitude: 200}", "GP1010"},
    {&gp_site_rows, "{altitude: 200 kg}", "GP1011"},
    {&gp_site_rows, "{altitude: 200 foo}", "GP1011"},
    {&gp_site_rows, "{altitude: high}", "GP1004"},
    {&gp_site_rows, "{altitude: 200, power: {feeds: x, itCapacity: 5}, racks: {count: -1}}",
     "GP1010 GP1004 GP1010 GP1012"},
    {&gp_site_rows, "{power: {gpuPowerCap: 0%}}", "GP1012"},
    {&gp_site_rows, "{power: {gpuPowerCap: 100%}}", ""},
    {&gp_site_rows, "{power: {design: 1.3}}", ""},
    {&gp_site_rows, "{power: {design: 0.9}}", "GP1012"},
    {&gp_site_rows, "{power: {redundancy: N+2}}", "GP1013"},
    {&gp_site_rows, "{cooling: {air: {class: a2}}}", "GP1013"},
    {&gp_site_rows, "{power: }", "GP1007"},
    {&gp_site_rows, "{power: 5}", "GP1004"},
    /* booleans */
    {&gp_data_rows, "{packing: true}", ""},
    {&gp_data_rows, "{packing: false}", ""},
    {&gp_data_rows, "{packing: yes}", "GP1020"},
    {&gp_data_rows, "{packing: Off}", "GP1020"},
    {&gp_data_rows, "{packing: True}", "GP1020"},
    {&gp_data_rows, "{packing: \"true\"}", "GP1020"},
    {&gp_data_rows, "{packing: 1}", "GP1020"},
    {&gp_data_rows, "{tokens: 1.5T tokens, samples: 500k, globalBatch: 4M tokens}", ""},
    {&gp_data_rows, "{tokens: 0}", "GP1012"},
    {&gp_data_rows, "{tokens: 2e18}", "GP1012"},
    {&gp_data_rows, "{epochs: 0.5}", ""},
    /* unions, lists, maps */
    {&gp_traffic_rows, "{requestsPerSecond: 8, profile: diurnal, images: 1}", ""},
    {&gp_traffic_rows, "{requestsPerSecond: {mean: 8, p95: 20}, profile: {trace: a.csv}}", ""},
    {&gp_traffic_rows, "{requestsPerSecond: [8]}", "GP1004"},
    {&gp_traffic_rows, "{requestsPerSecond: {mean: 8, p90: 20}}", "GP1003"},
    {&gp_traffic_rows, "{profile: [1, 2, x]}", "GP1004"},
    {&gp_traffic_rows, "{profile: sometimes}", "GP1013"},
    {&gp_adapter_rows, "{targets: [q_proj, qproj]}", "GP1013"},
    {&gp_adapter_rows, "{targets: q_proj}", "GP1004"},
    {&gp_adapter_rows, "qlora", ""},
    {&gp_candidates_rows, "[dgx-h200]", ""},
    {&gp_cluster_rows, "{pools: [{name: a, system: x, count: 1}, {name: a, system: x, count: 1}]}",
     "GP1018"},
    {&gp_cluster_rows, "{pools: {name: a}}", "GP1004"},
    {&gp_cluster_rows, "{fabrics: [{name: c, tiers: auto}, {name: d, tiers: 5}]}", "GP1012"},
    {&gp_metadata_rows, "{name: n, labels: {a: 1, b: }}", "GP1007"},
    {&gp_metadata_rows, "{name: n, labels: [a]}", "GP1004"},
    /* dates */
    {&gp_growth_rows, "{start: 2027}", ""},
    {&gp_growth_rows, "{start: 2027-Q4}", ""},
    {&gp_growth_rows, "{start: 2028-02-29}", ""},
    {&gp_growth_rows, "{start: 2027-02-29}", "GP1004"},
    {&gp_growth_rows, "{start: 2027-Q5}", "GP1004"},
    {&gp_growth_rows, "{start: 2027-00}", "GP1004"},
    {&gp_growth_rows, "{start: 2027-1}", "GP1004"},
    {&gp_growth_rows, "{start: soon}", "GP1004"},
    {&gp_growth_rows, "{start: 2027/01}", "GP1004"},
    {&gp_growth_rows, "{module: auto, scenarios: {low: {a: 3%/mo}, high: {a: 3}}}", "GP1010"},
    /* money */
    {&gp_costs_rows, "{staff: 270000 USD/yr, budget: {capital: 12M USD}}", ""},
    {&gp_costs_rows, "{staff: 270000 EUR/yr, budget: {capital: 12M USD}}", "GP1019"},
    {&gp_prices_rows, "{items: [{item: a, price: 5 USD}, {item: b, price: 5 USD/h}]}", ""},
    {&gp_prices_rows, "{items: [{item: a, price: 5 USD/GB}]}", "GP1011"},
};

static void values_and_mistakes(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof expectations / sizeof expectations[0]; i++) {
        const expectation *e = &expectations[i];
        bound b = bind(e->type, e->yaml);
        if (strcmp(ids(&b), e->ids) != 0) {
            fail_msg("%s: %s (not %s): %s", e->yaml, ids(&b), e->ids,
                     b.diags.count ? b.diags.items[0].message : "");
        }
        gp_arena_free(b.arena);
    }
}

static bool near(double a, double b) {
    return fabs(a - b) <= 1e-12 * fabs(b);
}

static void bound_values(void **state) {
    (void)state;
    bound b = bind(&gp_site_rows, "{altitude: 0.2 km, power: {itCapacity: 600 kW, redundancy: N+1},"
                                  " energy: {price: 0.12 USD/kWh, renewable: 40%}}");
    const gp_site *site = b.object;
    assert_true(near(site->altitude_m, 200));
    assert_true(near(site->power.it_capacity_w, 6e5));
    assert_int_equal(site->power.redundancy, GP_REDUNDANCY_N1);
    assert_true(near(site->energy.price_per_j, 0.12 / 3.6e6));
    assert_true(near(site->energy.renewable_fraction, 0.4));
    assert_true(GP_GIVEN(site, gp_site, energy));
    assert_false(GP_GIVEN(site, gp_site, racks));
    gp_arena_free(b.arena);

    b = bind(&gp_prices_rows, "{validUntil: 2027-03-31, items: [{item: a, price: 36 USD/h}]}");
    const gp_prices *prices = b.object;
    assert_int_equal(prices->valid_until, 20270331);
    assert_true(near(prices->items.items[0].price_per_s, 0.01));
    assert_true(prices->items.items[0].price < 1e-9);
    gp_arena_free(b.arena);

    b = bind(&gp_workload_rows,
             "{name: w, type: pretrain, model: m, data: {tokens: 1.5T tokens}}");
    const gp_workload *w = b.object;
    assert_int_equal(w->type, GP_WORKLOAD_TRAINING);
    assert_string_equal(w->model.extends, "m");
    assert_true(near(w->data.tokens, 1.5e12));
    gp_arena_free(b.arena);

    b = bind(&gp_traffic_rows, "{profile: [1, 2, 3]}");
    const gp_traffic *traffic = b.object;
    assert_int_equal(traffic->profile.hourly.count, 3);
    assert_true(near(traffic->profile.hourly.items[2], 3));
    gp_arena_free(b.arena);
}

static void origins_point_at_the_value(void **state) {
    (void)state;
    bound b = bind(&gp_site_rows, "altitude: 200 m\npower: {feeds: 2}\n");
    const gp_site *site = b.object;
    gp_place place = gp_span_place(GP_ORIGIN_OF(&site->power, gp_site_power, feeds)->span);
    assert_int_equal(place.line, 2);
    assert_int_equal(place.column, 16);
    assert_int_equal(GP_ORIGIN_OF(site, gp_site, altitude_m)->kind, GP_ORIGIN_SPEC);
    place = gp_span_place(site->power.meta.key_span);
    assert_int_equal(place.line, 2);
    assert_int_equal(place.column, 1);
    gp_arena_free(b.arena);
}

static void messages_are_safe_to_print(void **state) {
    (void)state;
    bound b = bind(&gp_pool_rows, "{name: a, system: x, count: \"\\e[31m and a very long text that "
                                  "never seems to come to its end\"}");
    assert_int_equal(b.diags.count, 1);
    assert_null(strchr(b.diags.items[0].message, 27));
    assert_true(strlen(b.diags.items[0].message) < 80);
    gp_arena_free(b.arena);
}

static void defaults_fill_what_is_absent(void **state) {
    (void)state;
    bound b = bind(&gp_site_rows, "{power: {feeds: 2}, racks: {used: 4 U}}");
    gp_site *site = b.object;
    gp_defaults_fill(b.arena, &b.diags, site);
    assert_int_equal(site->power.feeds, 2);
    assert_true(near(site->racks.height_u, 42));
    assert_int_equal(GP_ORIGIN_OF(&site->racks, gp_site_racks, height_u)->kind, GP_ORIGIN_DEFAULT);
    assert_true(near(site->racks.used_u, 4));
    /* A group that counts only where written stays empty. */
    assert_false(GP_GIVEN(&site->power.circuits, gp_circuits, derate_fraction));
    gp_arena_free(b.arena);

    b = bind(&gp_adapter_rows, "{rank: 8}");
    gp_adapter *adapter = b.object;
    gp_defaults_fill(b.arena, &b.diags, adapter);
    assert_int_equal(adapter->targets.count, 2);
    assert_string_equal(adapter->targets.items[1], "v_proj");
    assert_int_equal(b.diags.errors, 0);
    gp_arena_free(b.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_mistakes),
        cmocka_unit_test(bound_values),
        cmocka_unit_test(origins_point_at_the_value),
        cmocka_unit_test(messages_are_safe_to_print),
        cmocka_unit_test(defaults_fill_what_is_absent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
