/* The five checks: the worst level of their rules, and never ok without their inputs. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "support/report_case.h"

static const char quickstart[] = "examples/quickstart.yaml";
static const char greenfield[] = "examples/greenfield.yaml";
static const char minimal[] = "examples/minimal.yaml";

static void five_in_order(void **state) {
    static const char *const ids[] = {"resources", "network", "software", "powerCooling",
                                      "scalability"};
    (void)state;
    report_case *c = report_case_new(quickstart);
    const gp_report *report = report_case_build(c);
    assert_int_equal(report->checks.count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(report->checks.items[i].id, ids[i]);
        assert_non_null(report->checks.items[i].reason);
    }
    report_case_free(c);
}

static void no_inputs_no_ok(void **state) {
    (void)state;
    report_case *c = report_case_new(minimal);
    c->workloads[0].software_change_count = 0;
    const gp_report *report = report_case_build(c);
    static const char *const ids[] = {"software", "powerCooling", "scalability"};
    for (size_t i = 0; i < 3; i++) {
        const gp_report_check *check = report_case_check(report, ids[i]);
        assert_string_equal(check->level, "notAssessed");
        assert_true(check->missing.count > 0);
    }
    report_case_free(c);
}

static void worst_level_counts(void **state) {
    (void)state;
    report_case *c = report_case_new(quickstart);
    for (size_t i = 0; i < c->result.workloads.count; i++)
        c->workloads[i].chosen.memory.fit = GP_FIT_FITS;
    assert_string_equal(report_case_check(report_case_build(c), "resources")->level, "ok");
    gp_workload declared = *c->workloads[1].workload;
    declared.parallelism.micro_batch = 1;
    c->workloads[1].workload = &declared;
    c->workloads[1].chosen.memory.fit = GP_FIT_BORDERLINE;
    assert_string_equal(report_case_check(report_case_build(c), "resources")->level, "warning");
    c->workloads[0].goals[0].ok = c->workloads[0].goals[0].ok_at_expected = false;
    const gp_report_check *check = report_case_check(report_case_build(c), "resources");
    assert_string_equal(check->level, "fail");
    assert_string_equal(check->findings.items[0], "GP3002");
    report_case_free(c);
}

static void a_limit_passed_fails_power(void **state) {
    (void)state;
    report_case *c = report_case_new(greenfield);
    c->result.site.circuit_w = 0;
    c->result.site.limit_count = 0;
    assert_string_not_equal(report_case_check(report_case_build(c), "powerCooling")->level, "fail");
    c->result.site.limit_count = 1;
    c->result.site.limits[0] =
        (gp_limit_use){.bound = GP_BOUND_COOLING, .used = 2, .limit = 1, .dim = GP_DIM_POWER};
    assert_string_equal(report_case_check(report_case_build(c), "powerCooling")->level, "fail");
    report_case_free(c);
}

static void a_network_assumed_is_not_assessed(void **state) {
    (void)state;
    report_case *c = report_case_new(quickstart);
    c->document.spec.cluster.fabrics.count = 0;
    const gp_report_check *check = report_case_check(report_case_build(c), "network");
    assert_string_equal(check->level, "notAssessed");
    assert_string_equal(check->missing.items[0], "cluster.fabrics");
    report_case_free(c);
}

static void every_check_has_rules(void **state) {
    static const char *const ids[] = {"resources", "network", "software", "powerCooling",
                                      "scalability"};
    (void)state;
    for (size_t i = 0; i < 5; i++) {
        size_t rules = 0;
        for (size_t k = 0; k < gp_report_rule_count; k++)
            rules +=
                gp_report_rules[k].check != NULL && strcmp(gp_report_rules[k].check, ids[i]) == 0;
        assert_true(rules > 0);
    }
    assert_null(gp_report_rule_named("GP0000"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_in_order),
        cmocka_unit_test(no_inputs_no_ok),
        cmocka_unit_test(worst_level_counts),
        cmocka_unit_test(a_limit_passed_fails_power),
        cmocka_unit_test(a_network_assumed_is_not_assessed),
        cmocka_unit_test(every_check_has_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
