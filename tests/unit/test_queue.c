/* Queues: Erlang C against known values, waits, and spare replicas against the binomial table. */
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

#include "estimate/queue.h"

static void erlang_c_is_exact(void **state) {
    (void)state;
    assert_true(estimate_case_near(estimate_case_erlang_c(3, 2), 4.0 / 9, 1e-12));
    assert_true(estimate_case_near(estimate_case_erlang_c(1, 0.5), 0.5, 1e-12));
    assert_true(estimate_case_near(estimate_case_erlang_c(3, 2.5), 0.702, 1e-3));
    assert_true(estimate_case_near(estimate_case_erlang_c(4, 2.5), 0.320, 2e-3));
    assert_true(estimate_case_near(estimate_case_erlang_c(5, 2.5), 0.130, 5e-3));
    assert_true(estimate_case_erlang_c(4, 4) >= 1);
    assert_true(estimate_case_erlang_c(0, 1) >= 1);
    assert_true(estimate_case_erlang_c(4, 0) <= 0);
}

static void waits_grow_with_load(void **state) {
    estimate_case *c = *state;
    /* M/M/1: Wq = rho S / (1 - rho), p95 = ln(rho / 0.05) S / (1 - rho). */
    gp_wait wait = gp_queue_wait(1, 0.8, 2, 1, 1, &c->constants);
    assert_true(estimate_case_near(wait.mean_s, 8, 1e-9));
    assert_true(estimate_case_near(wait.tail_s, log(16) * 10, 1e-6));
    assert_true(gp_queue_wait(1, 1, 2, 1, 1, &c->constants).mean_s > 1e300);
    assert_true(gp_queue_wait(1, 0, 2, 1, 1, &c->constants).mean_s <= 0);
    double last = 0;
    for (int i = 1; i < 100; i++) {
        gp_wait now = gp_queue_wait(16, i / 100.0, 1, 1.2, 0.6, &c->constants);
        assert_true(now.mean_s >= last);
        assert_true(now.tail_s >= now.mean_s);
        last = now.mean_s;
    }
    /* Sakasegawa's form stays near Erlang C. */
    double exact = estimate_case_erlang_c(16, 14) / (16 - 14);
    assert_true(estimate_case_near(gp_queue_wait(16, 14.0 / 16, 1, 1, 1, &c->constants).mean_s,
                                   exact, 0.06));
}

/* A router with more to choose from finds one that is free more often; what waits, waits in one
 * queue: never less long than in one queue for all servers. */
static void routed_waits_shrink_with_choices(void **state) {
    estimate_case *c = *state;
    for (int i = 1; i < 100; i++) {
        const double use = i / 100.0;
        const gp_wait alone = gp_queue_wait(1, use, 1, 1.2, 0.9, &c->constants);
        gp_wait last = gp_queue_routed(1, 1, use, 1, 1.2, 0.9, &c->constants);
        assert_true(!(last.mean_s < alone.mean_s) && !(last.mean_s > alone.mean_s));
        for (int among = 2; among <= 64; among *= 2) {
            const gp_wait now = gp_queue_routed(among, 1, use, 1, 1.2, 0.9, &c->constants);
            const gp_wait pooled = gp_queue_wait(among, use, 1, 1.2, 0.9, &c->constants);
            assert_true(now.mean_s < last.mean_s && now.tail_s <= last.tail_s);
            assert_true(now.mean_s > pooled.mean_s && now.tail_s >= pooled.tail_s);
            last = now;
        }
    }
}

/* Machines available 99.3 % of the time. Two of three reach 99.985 %, which is short of 99.99 %. */
static void spares_follow_the_binomial_law(void **state) {
    estimate_case *c = *state;
    const struct {
        int64_t needed, three_nines, four_nines;
    } table[] = {{2, 1, 2}, {4, 1, 2}, {6, 2, 2}, {10, 2, 2}, {20, 2, 3}, {50, 3, 4}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        assert_int_equal(gp_spare_replicas(table[i].needed, 1, 0.999, &c->constants),
                         table[i].three_nines);
        assert_int_equal(gp_spare_replicas(table[i].needed, 1, 0.9999, &c->constants),
                         table[i].four_nines);
    }
    assert_int_equal(gp_spare_replicas(0, 1, 0.999, &c->constants), 0);
    assert_int_equal(gp_spare_replicas(10, 1, 0, &c->constants), 0);
    assert_true(gp_spare_replicas(10, 4, 0.999, &c->constants) >
                gp_spare_replicas(10, 1, 0.999, &c->constants));
    /* Large fleets: about n q plus a few standard deviations, and no underflow. */
    int64_t large = gp_spare_replicas(200000, 1, 0.999, &c->constants);
    assert_in_range(large, 1410, 1600);
    assert_true(gp_spare_replicas(1000, 1, 1, &c->constants) > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(erlang_c_is_exact),
        cmocka_unit_test(waits_grow_with_load),
        cmocka_unit_test(routed_waits_shrink_with_choices),
        cmocka_unit_test(spares_follow_the_binomial_law),
    };
    return cmocka_run_group_tests(tests, estimate_case_open, estimate_case_close);
}
