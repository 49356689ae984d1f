/* Sites that were answered wrongly once, each with its arithmetic; and every machine that makers
 * sell, planned with. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/spec_case.h"

#define HEAD "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: case}\nspec:\n"
#define RUN(model, tokens)                                                                         \
    "  workloads:\n    - name: pre\n      type: training\n      model: " model "\n"                \
    "      data: {tokens: " tokens ", sequenceLength: 8192, globalBatch: 4M}\n"                    \
    "      goal: {completeWithin: 30d}\n"

static const gp_plan_result *planned(spec_case *c, const char *text) {
    spec_case_simulate = GP_PLAN_SIMULATE_OFF;
    assert_int_equal(spec_case_plan(c, "case.yaml", text, NULL, 0), GP_OK);
    return c->result;
}

static const gp_bill_item *line_of(const gp_plan_result *result, const char *role) {
    for (size_t i = 0; i < result->room.bill.count; i++)
        if (strcmp(result->room.bill.items[i].role, role) == 0)
            return &result->room.bill.items[i];
    return NULL;
}

/* Three racks of 18 trays, 216 ports of 400 Gb/s: a leaf of 144 ports of 800 takes one rail of all
 * of them (54 ports of 400 down, 54 up), and its four peers share a spine or two. */
static void three_racks_take_a_leaf_a_rail(void **state) {
    static const char spec[] =
        HEAD "  cluster: {pools: [{name: own, system: gb200-nvl72, count: 3}], fabrics: [{name: "
             "compute, "
             "kind: infiniband, rate: 400 Gb/s, switch: q3400-ra}]}\n"
             "  candidates: [gb200-nvl72]\n" RUN("llama-3.1-70b", "500B tokens");
    (void)state;
    spec_case c;
    const gp_plan_result *result = planned(&c, spec);
    const gp_fabric_size *fabric = &result->site.fabric;
    assert_int_equal(fabric->leaf, 4);
    assert_in_range(fabric->spine, 1, 2);
    assert_int_equal(fabric->core, 0);
    assert_true((double)(fabric->leaf + fabric->spine) * line_of(result, "leaf switch")->unit_w <=
                6 * 7000.0);
    spec_case_free(&c);
}

/* Two boards of eight equal GPUs compute alike, whoever builds the box around them. What the maker
 * does not say of adapters is assumed, and named. */
static void a_box_without_adapters_plans_like_its_twin(void **state) {
    static const char own[] = HEAD "  candidates: [dgx-h100]\n" RUN("llama-3.1-70b", "100B tokens");
    static const char oem[] =
        HEAD "  candidates: [gigabyte-g593-sd1]\n" RUN("llama-3.1-70b", "100B tokens");
    (void)state;
    spec_case a;
    spec_case b;
    const gp_workload_plan *left = &planned(&a, own)->workloads.items[0];
    const gp_workload_plan *right = &planned(&b, oem)->workloads.items[0];
    assert_true(left->chosen.feasible && right->chosen.feasible);
    assert_in_range(left->chosen.nodes, 7, 10);
    assert_in_range(right->chosen.nodes, left->chosen.nodes - 3, left->chosen.nodes);
    assert_int_equal(a.diags.count, 0);
    assert_int_equal(b.diags.count, 1);
    assert_non_null(strstr(b.diags.items[0].expected, "nics"));
    spec_case_free(&a);
    spec_case_free(&b);
}

/* Replicas of a few GPUs stay inside their machines: no switch, no cable between switches. */
static void what_stays_inside_takes_no_fabric(void **state) {
    static const char spec[] = HEAD
        "  cluster: {fabrics: [{name: compute, kind: infiniband, rate: 400 Gb/s, switch: "
        "qm9700}]}\n"
        "  candidates: [dgx-h200]\n  workloads:\n"
        "    - {name: chat, type: inference, model: llama-3.1-70b-fp8, traffic: "
        "{requestsPerSecond: {mean: 115, peak: 115}, inputTokens: 1500, outputTokens: 350}, "
        "disaggregated: false, goal: {slo: {ttft: 2 s, tpot: 50 ms}}}\n";
    (void)state;
    spec_case c;
    const gp_plan_result *result = planned(&c, spec);
    assert_true(result->site.nodes >= 8);
    assert_null(line_of(result, "leaf switch"));
    assert_null(line_of(result, "spine switch"));
    assert_null(line_of(result, "cable, leaf to spine"));
    assert_non_null(line_of(result, "management switch"));
    spec_case_free(&c);
}

/* Sixteen ports of 400 Gb/s: one switch of 64 such ports, not one of the next generation. */
static void two_machines_take_a_switch_of_their_rate(void **state) {
    static const char spec[] =
        HEAD "  candidates: [dgx-h100]\n  workloads:\n    - name: sft\n      type: finetune\n"
             "      model: qwen3-32b\n"
             "      data: {samples: 150k, tokensPerSample: 1800, epochs: 2, globalBatch: 512k}\n"
             "      goal: {completeWithin: 8h}\n";
    (void)state;
    spec_case c;
    const gp_plan_result *result = planned(&c, spec);
    const gp_bill_item *leaf = line_of(result, "leaf switch");
    assert_int_equal(result->site.nodes, 2);
    assert_non_null(leaf);
    assert_string_equal(leaf->id, "qm9700");
    assert_int_equal(leaf->count, 1);
    assert_true(leaf->unit_w < 2000);
    spec_case_free(&c);
}

static gp_overhead year_of(const char *system, const char *site) {
    char text[2048];
    spec_case c;
    (void)snprintf(text, sizeof text,
                   HEAD "  site: {%s}\n  candidates: [%s]\n" RUN("llama-3.1-8b", "100B tokens"),
                   site, system);
    const gp_site_plan *plan = &planned(&c, text)->site;
    const gp_overhead year = plan->annual;
    assert_true(fabs(plan->figures.facility_mean_w - plan->it_mean_w * year.pue) < 1e-3);
    spec_case_free(&c);
    return year;
}

/* Chilled air all year is 1.32; water, doors, the climate and warm water each take off, part load
 * adds, and what is stated is taken as it is. */
static void the_overhead_follows_what_cools_the_hall(void **state) {
    (void)state;
    const gp_overhead air = year_of("dgx-h100", "altitude: 0 m");
    const gp_overhead doors = year_of("dgx-h100", "cooling: {air: {rearDoors: 100%}}");
    const gp_overhead cold = year_of("dgx-h100", "cooling: {climate: cold}");
    const gp_overhead part = year_of("dgx-h100", "power: {load: 50%}");
    const gp_overhead liquid = year_of("gb200-nvl72", "altitude: 0 m");
    const gp_overhead warm = year_of("gb200-nvl72", "cooling: {liquid: {class: W40}}");
    const gp_overhead told =
        year_of("dgx-h100", "power: {annual: {pue: 1.2}}, cooling: {wue: 0 L/kWh}");
    assert_true(fabs(air.pue - 1.32) < 0.01 && fabs(part.pue - 1 - 1.3 * (air.pue - 1)) < 1e-9);
    assert_true(doors.pue < air.pue && cold.pue < doors.pue);
    assert_true(liquid.pue < air.pue && warm.pue < liquid.pue && warm.pue < 1.2);
    assert_true(air.pue_low < air.pue && air.pue < air.pue_high);
    assert_true(cold.wue_l_per_j < air.wue_l_per_j && warm.wue_l_per_j < liquid.wue_l_per_j);
    assert_true(told.pue == 1.2 && told.pue_high == 1.2 && told.wue_high_l_per_j == 0);
}

/* A layout that is declared is tried where it fits, be that no power of two of machines. */
static void a_declared_layout_is_tried_on_its_machines(void **state) {
    static const char spec[] =
        HEAD "  cluster: {pools: [{name: a, system: dgx-h100, count: 13}]}\n"
             "  candidates: [dgx-h100]\n  workloads:\n    - name: pre\n      type: training\n"
             "      model: llama-3.1-8b\n"
             "      data: {tokens: 100B tokens, sequenceLength: 8192, globalBatch: 786432}\n"
             "      parallelism: {tp: 1, pp: 1, dp: 96, zero: 3}\n"
             "      goal: {completeWithin: 300d}\n";
    (void)state;
    spec_case c;
    const gp_workload_plan *pre = &planned(&c, spec)->workloads.items[0];
    assert_true(pre->chosen.feasible);
    assert_int_equal(pre->chosen.gpus, 96);
    assert_int_equal(pre->chosen.nodes, 12);
    assert_int_equal(pre->scale, GP_SCALE_NONE);
    spec_case_free(&c);
}

/* Announced parts of which nothing was measured have no class; all others are planned with. */
static bool has_class(const gp_system *system) {
    static const char *const unmeasured[] = {"mi455x", "tpu-v4"};
    for (size_t i = 0; i < sizeof unmeasured / sizeof unmeasured[0]; i++)
        if (strcmp(system->gpu.id, unmeasured[i]) == 0)
            return false;
    return true;
}

/* A run on whole machines with 512 GPUs or a few more, the layout pinned to all of them. */
static void plan_of(const gp_system *system, char *text, size_t size) {
    const int64_t nodes = (512 + system->gpus - 1) / system->gpus;
    const long long gpus = (long long)(nodes * system->gpus);
    (void)snprintf(text, size,
                   HEAD "  cluster: {pools: [{name: a, system: %s, count: %lld}]}\n"
                        "  candidates: [%s]\n  workloads:\n    - name: pre\n      type: training\n"
                        "      model: llama-3.1-8b\n"
                        "      data: {tokens: 100B tokens, sequenceLength: 8192, globalBatch: "
                        "%lld}\n"
                        "      parallelism: {tp: 1, pp: 1, dp: %lld, zero: 3}\n"
                        "      goal: {completeWithin: 3000d}\n",
                   system->id, (long long)nodes, system->id, gpus * 8192, gpus);
}

static void every_machine_plans_a_large_run(void **state) {
    (void)state;
    spec_case first = {.arena = gp_arena_new((size_t)64 << 20)};
    gp_diags_init(&first.diags, first.arena);
    const void *const *rows = NULL;
    size_t count = 0;
    size_t tried = 0;
    gp_catalog *catalog = NULL;
    assert_int_equal(gp_catalog_open(first.arena, &first.diags, &catalog), GP_OK);
    assert_int_equal(gp_catalog_rows(catalog, GP_CATALOG_SYSTEMS, &rows, &count), GP_OK);
    for (size_t i = 0; i < count; i++) {
        const gp_system *system = rows[i];
        char text[1024];
        if (!has_class(system))
            continue;
        plan_of(system, text, sizeof text);
        spec_case c;
        const gp_workload_plan *pre = &planned(&c, text)->workloads.items[0];
        if (!pre->chosen.feasible || pre->chosen.gpus < 512)
            fail_msg("%s: no run of 512 GPUs", system->id);
        if (pre->chosen.nodes > 1 && c.result->site.fabric.leaf < 1)
            fail_msg("%s: %lld machines without a switch", system->id,
                     (long long)pre->chosen.nodes);
        tried++;
        spec_case_free(&c);
    }
    assert_true(tried >= 80);
    gp_arena_free(first.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_racks_take_a_leaf_a_rail),
        cmocka_unit_test(a_box_without_adapters_plans_like_its_twin),
        cmocka_unit_test(what_stays_inside_takes_no_fabric),
        cmocka_unit_test(two_machines_take_a_switch_of_their_rate),
        cmocka_unit_test(the_overhead_follows_what_cools_the_hall),
        cmocka_unit_test(a_declared_layout_is_tried_on_its_machines),
        cmocka_unit_test(every_machine_plans_a_large_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
