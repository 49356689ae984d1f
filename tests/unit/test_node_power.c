/* Machine power against measured and stated machines. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/estimate_case.h"

static void measured_machines_are_met(void **state) {
    estimate_case *c = *state;
    const char *(*rows)[ESTIMATE_CASE_COLUMNS];
    size_t count = estimate_case_table(c, "power.csv", &rows);
    assert_int_equal(count, 6);
    for (size_t i = 1; i < count; i++) {
        gp_machine machine = estimate_case_machine(c, rows[i][1], strtoll(rows[i][2], NULL, 10));
        gp_system system = *machine.system;
        system.max_power_w = strtod(rows[i][3], NULL);
        machine.system = &system;
        gp_node_power power;
        gp_node_power_of(&machine, GP_LOAD_TRAINING, 0, &c->constants, NULL, &power);
        bool nameplate = strcmp(rows[i][7], "nameplate") == 0;
        double got = nameplate ? power.nameplate_w : power.node_w;
        assert_true(
            estimate_case_near(got, strtod(rows[i][5], NULL), strtod(rows[i][6], NULL) + 1e-9));
    }
}

static void load_and_cap_have_their_effect(void **state) {
    estimate_case *c = *state;
    gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    gp_node_power idle, one, many, capped;
    gp_node_power_of(&machine, GP_LOAD_IDLE, 0, &c->constants, NULL, &idle);
    gp_node_power_of(&machine, GP_LOAD_SERVING, 300, &c->constants, NULL, &one);
    gp_node_power_of(&machine, GP_LOAD_SERVING, 541, &c->constants, NULL, &many);
    assert_true(estimate_case_near(idle.gpu_w, machine.gpu->idle_w, 1e-9));
    assert_true(idle.node_w < one.node_w && one.node_w < many.node_w);
    assert_true(many.node_w <= many.nameplate_w);
    assert_true(estimate_case_near(many.gpu_w, 541, 1e-9));
    machine.power_cap_fraction = 0.5;
    gp_node_power_of(&machine, GP_LOAD_TRAINING, 0, &c->constants, NULL, &capped);
    assert_true(estimate_case_near(capped.gpu_w, 350, 1e-9));
    assert_true(estimate_case_near(many.nameplate_w - capped.nameplate_w, 2800, 1e-9));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measured_machines_are_met),
        cmocka_unit_test(load_and_cap_have_their_effect),
    };
    return cmocka_run_group_tests(tests, estimate_case_open, estimate_case_close);
}
