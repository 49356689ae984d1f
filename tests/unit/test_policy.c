/* Policies over a report: what a rule finds, what a level and a waiver change, what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/model.h"
#include "report/produce.h"

#include "support/report_case.h"

#define HEAD "apiVersion: gpuplan/v1\nkind: Policy\nmetadata: {name: p}\nspec:\n"
enum { TODAY = 20261120 };

typedef struct policy_case {
    report_case *c;
    gp_report *report;
    gp_diags diags;
    gp_spec spec;
    gp_status st;
} policy_case;

static policy_case judge(const char *text) {
    policy_case p = {.c = report_case_new("examples/quickstart.yaml")};
    gp_text *source = NULL;
    p.report = (gp_report *)report_case_build(p.c);
    gp_diags_init(&p.diags, p.c->arena);
    assert_int_equal(gp_text_init(p.c->arena, "policy.yaml", text, strlen(text), &source), GP_OK);
    assert_int_equal(gp_spec_read(p.c->arena, source, NULL, 0, &p.diags, &p.spec), GP_OK);
    assert_int_equal(p.spec.policies.count, 1);
    p.st = gp_report_judge(p.c->arena, p.report, p.spec.policies.items, 1, TODAY, &p.diags);
    return p;
}

static void done(policy_case *p) {
    report_case_free(p->c);
}

static size_t found(const policy_case *p, const char *id) {
    size_t count = 0;
    for (size_t i = 0; i < p->report->findings.count; i++)
        count += strcmp(p->report->findings.items[i].id, id) == 0;
    return count;
}

static void breaches_are_found_where_selected(void **state) {
    (void)state;
    policy_case p = judge(HEAD "  rules:\n"
                               "    - {id: A-1, assert: summary.gpus <= 1}\n"
                               "    - {id: A-2, assert: summary.gpus > 1}\n"
                               "    - {id: A-3, assert: memory.headroomFraction >= 99%,\n"
                               "       select: {workload.type: inference}, level: note}\n"
                               "    - {id: A-4, assert: memory.headroomFraction >= 99%}\n");
    assert_int_equal(p.st, GP_OK);
    assert_int_equal(found(&p, "A-1"), 1);
    assert_int_equal(found(&p, "A-2"), 0);
    assert_int_equal(found(&p, "A-3"), 1);
    assert_int_equal(found(&p, "A-4"), p.report->workloads.count);
    const gp_report_finding *first = report_case_finding(p.report, "A-1");
    assert_string_equal(first->level, "error");
    assert_true(first->margin < 0);
    assert_non_null(first->file);
    assert_string_equal(report_case_finding(p.report, "A-3")->workload, "chat");
    assert_int_equal(gp_report_worst_level(p.report), GP_LEVEL_ERROR);
    done(&p);
}

/* A rule that looked at nothing must not pass for one that held. */
static void a_rule_that_judged_nothing_says_so(void **state) {
    (void)state;
    policy_case p = judge(HEAD "  rules:\n"
                               "    - {id: A-1, assert: memory.headroomFraction >= 1%,\n"
                               "       select: {workload.name: nobody}}\n"
                               "    - {id: A-2, assert: diff.summary.gpus <= 0}\n");
    assert_int_equal(p.st, GP_OK);
    assert_int_equal(found(&p, "GP7012"), 1);
    done(&p);
}

static void levels_are_set_and_turned_off(void **state) {
    (void)state;
    policy_case p = judge(HEAD "  levels: {GP3004: off, GP3007: error}\n");
    assert_int_equal(p.st, GP_OK);
    assert_int_equal(found(&p, "GP3004"), 0);
    assert_string_equal(report_case_finding(p.report, "GP3007")->level, "error");
    assert_string_equal(p.report->findings.items[0].id, "GP3007");
    done(&p);
}

static void waivers_hold_to_their_last_day(void **state) {
    (void)state;
    policy_case p = judge(HEAD "  rules:\n"
                               "    - {id: A-1, assert: summary.gpus <= 1}\n"
                               "    - {id: A-2, assert: summary.nodes <= 1}\n"
                               "    - {id: A-3, assert: summary.racks <= 0}\n"
                               "  waivers:\n"
                               "    - {rule: A-1, until: 2026-11-20, reason: Today still.}\n"
                               "    - {rule: A-2, until: 2026-11-19, reason: Yesterday.}\n"
                               "    - {rule: A-3, paths: [\"other/**\"], until: 2027-01-01, "
                               "reason: Elsewhere.}\n");
    assert_int_equal(p.st, GP_OK);
    assert_string_equal(report_case_finding(p.report, "A-1")->waived_by,
                        "Today still. (until 2026-11-20)");
    assert_null(report_case_finding(p.report, "A-2")->waived_by);
    assert_null(report_case_finding(p.report, "A-3")->waived_by);
    assert_int_equal(found(&p, "GP7011"), 1);
    assert_int_equal(found(&p, "GP7013"), 1);
    done(&p);
}

static void refuses(const char *line, const char *id) {
    char text[512];
    (void)snprintf(text, sizeof text, HEAD "%s\n", line);
    policy_case p = judge(text);
    const size_t before = p.report->findings.count;
    assert_int_equal(p.st, GP_ERR_INPUT);
    assert_string_equal(p.diags.items[0].id, id);
    assert_int_equal(p.report->findings.count, before);
    done(&p);
}

static void nonsense_is_refused_before_anything_is_applied(void **state) {
    (void)state;
    refuses("  rules: [{id: A-1, assert: memory.headromFraction >= 1%}]", "GP1021");
    refuses("  rules: [{id: A-1, assert: site.power.itW <= 40 kg}]", "GP1011");
    refuses("  rules: [{id: A-1, assert: memory.fit < fits}]", "GP1004");
    refuses("  rules: [{id: A-1, assert: summary.feasible == yes}]", "GP1020");
    refuses("  rules: [{id: A-1, assert: nothing}]", "GP1004");
    refuses("  rules: [{id: GP9, assert: summary.gpus <= 1}]", "GP1019");
    refuses("  rules: [{id: A-1, assert: summary.gpus <= 1, select: {type: lora}}]", "GP1003");
    refuses("  levels: {GP3004: loud}", "GP1013");
    refuses("  levels: {GP9999: off}", "GP1014");
    refuses("  waivers: [{rule: A-1, until: 2027-01-01, reason: x}]", "GP1014");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(breaches_are_found_where_selected),
        cmocka_unit_test(a_rule_that_judged_nothing_says_so),
        cmocka_unit_test(levels_are_set_and_turned_off),
        cmocka_unit_test(waivers_hold_to_their_last_day),
        cmocka_unit_test(nonsense_is_refused_before_anything_is_applied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
