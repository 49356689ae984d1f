/* A replica under load: the fixed point, its limits, and that more of anything never hurts. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "estimate/serve.h"
#include "support/estimate_case.h"

typedef struct replica {
    gp_shape shape;
    gp_serve_job job;
    gp_machine machine;
    gp_serve_layout layout;
    gp_serve_memory memory;
} replica;

/* Llama-3.1-70B in fp8 on four H100. */
static void replica_open(estimate_case *c, replica *ret) {
    ret->shape = estimate_case_shape(c, "llama-3.1-70b");
    ret->job = estimate_case_serve_job(&ret->shape);
    ret->job.weights = GP_FORMAT_FP8;
    ret->job.input_p95 = 3000;
    ret->job.output_p95 = 500;
    ret->machine = estimate_case_machine(c, "h100-sxm", 8);
    ret->layout = (gp_serve_layout){4, 1, 1, 0, 0, 0, 0};
    gp_serve_memory_of(&ret->job, &ret->machine, &ret->layout, &c->constants, 0, NULL,
                       &ret->memory);
}

static gp_serve_point load_of(estimate_case *c, const replica *r, double rate) {
    gp_serve_point point;
    gp_serve_load(&r->job, &r->machine, &c->network, &r->layout, &c->constants, &r->memory, rate, 1,
                  NULL, &point);
    return point;
}

/* b = rate x output x t(b), with t(b) the printed time per token. */
static void the_batch_keeps_up(void **state) {
    estimate_case *c = *state;
    replica r;
    replica_open(c, &r);
    for (double rate = 0.01; rate < 1000; rate *= 1.3) {
        gp_serve_point point = load_of(c, &r, rate);
        if (!point.stable) {
            assert_true(rate >= point.max_requests_per_s);
            continue;
        }
        assert_true(estimate_case_near(point.batch, rate * 200 * point.tpot_s, 1e-6));
        assert_true(estimate_case_near(point.output_tokens_per_s, rate * 200, 1e-9));
        assert_true(point.batch <= r.memory.max_concurrency * (1 + 1e-9));
        assert_true(point.utilization > 0 && point.utilization < 1);
        assert_true(point.ttft_p95_s >= point.ttft_s && point.tpot_p95_s >= point.tpot_s);
        assert_true(point.ttft_s > point.prefill_s);
        assert_true(estimate_case_near(point.e2e_s, point.ttft_s + 199 * point.tpot_s, 1e-9));
    }
}

/* Prompts that differ work more than as many of the mean length, by their squares; what is not
 * stated is left alone. */
static void unequal_prompts_work_more(void **state) {
    estimate_case *c = *state;
    replica r;
    replica_open(c, &r);
    r.job.input_tokens = 4000; /* attention shows */
    gp_serve_cost cost;
    gp_serve_prompts even, once, twice;
    gp_serve_cost_of(&r.job, &r.machine, &c->network, &r.layout, &c->constants, &cost);
    gp_serve_prompts_of(&cost, 4000, &even);
    assert_true(estimate_case_near(even.work_s, even.mean.work_s, 1e-12));
    assert_true(estimate_case_near(
        even.cv2, c->constants.serving_input_cv * c->constants.serving_input_cv, 1e-12));
    r.job.input_cv2 = 1;
    gp_serve_prompts_of(&cost, 4000, &once);
    r.job.input_cv2 = 2;
    gp_serve_prompts_of(&cost, 4000, &twice);
    /* Half of the prompts of no length and half of twice the mean: variance mean^2. */
    gp_serve_prefill longer;
    gp_serve_prompt_of(&cost, 8000, &longer);
    assert_true(estimate_case_near(once.work_s, 0.5 * longer.work_s, 1e-9));
    assert_true(once.work_s > 1.005 * even.work_s);
    assert_true(estimate_case_near(twice.work_s - once.work_s, once.work_s - even.work_s, 1e-9));
    r.job.input_cv2 = 0.5;
    gp_serve_prompts_of(&cost, 4000, &once);
    assert_true(once.cv2 > 0.5); /* work differs by more than lengths */
    r.job.input_cv2 = 0;
    double most = load_of(c, &r, 0).max_requests_per_s;
    gp_serve_point plain = load_of(c, &r, 0.5 * most);
    r.job.input_cv2 = 4;
    gp_serve_point uneven = load_of(c, &r, 0.5 * most);
    assert_true(uneven.max_requests_per_s < most);
    assert_true(uneven.ttft_s > plain.ttft_s && uneven.tpot_p95_s > plain.tpot_p95_s);
}

static void a_lower_rate_is_never_worse(void **state) {
    estimate_case *c = *state;
    replica r;
    replica_open(c, &r);
    gp_serve_point last = load_of(c, &r, 0);
    assert_true(last.stable);
    double most = last.max_requests_per_s;
    assert_true(most > 0);
    for (int i = 1; i < 400; i++) {
        gp_serve_point point = load_of(c, &r, most * i / 400);
        assert_true(point.stable);
        assert_true(point.tpot_s >= last.tpot_s * (1 - 1e-9));
        assert_true(point.tpot_p95_s >= last.tpot_p95_s * (1 - 1e-9));
        assert_true(point.ttft_s >= last.ttft_s * (1 - 1e-9));
        assert_true(point.ttft_p95_s >= last.ttft_p95_s * (1 - 1e-6));
        assert_true(estimate_case_near(point.max_requests_per_s, most, 1e-12));
        last = point;
    }
}

static void overload_is_said(void **state) {
    estimate_case *c = *state;
    replica r;
    replica_open(c, &r);
    double most = load_of(c, &r, 1).max_requests_per_s;
    gp_serve_point over = load_of(c, &r, 1.01 * most);
    assert_false(over.stable);
    assert_true(over.utilization > 1);
    assert_true(isinf(over.ttft_p95_s));
    assert_true(isfinite(over.tpot_s));
    r.memory.max_concurrency = 0;
    gp_serve_point none = load_of(c, &r, 1);
    assert_false(none.stable);
    assert_true(none.max_requests_per_s <= 0);
    assert_true(isinf(none.tpot_s));
}

/* Both bounds hold: a small pool bounds the batch, a large one leaves arithmetic. */
static void memory_and_arithmetic_bound_the_rate(void **state) {
    estimate_case *c = *state;
    replica r;
    replica_open(c, &r);
    double last = 0;
    for (double concurrency = 1; concurrency < 3000; concurrency *= 1.6) {
        r.memory.max_concurrency = concurrency;
        double most = load_of(c, &r, 0).max_requests_per_s;
        assert_true(most >= last);
        last = most;
    }
    double arithmetic = 1 / gp_prefill_time_s(&r.job, &r.machine, &c->network, &r.layout,
                                              &c->constants, 1000, NULL);
    assert_true(last < 2 * arithmetic);
}

static void what_saves_work_serves_more(void **state) {
    estimate_case *c = *state;
    replica r;
    replica_open(c, &r);
    gp_serve_point plain = load_of(c, &r, 2);
    r.job.prefix_hit_fraction = 0.6;
    gp_serve_point cached = load_of(c, &r, 2);
    assert_true(cached.max_requests_per_s > plain.max_requests_per_s);
    assert_true(cached.ttft_s < plain.ttft_s);
    r.job.prefix_hit_fraction = 0;
    r.job.branches = 4;
    gp_serve_point branched = load_of(c, &r, 0.2);
    assert_true(branched.max_requests_per_s < plain.max_requests_per_s);
    r.job.branches = 1;
    r.job.speed_factor = 0.8;
    assert_true(load_of(c, &r, 2).tpot_s > plain.tpot_s);
}

/* Driven by n requests at a time, throughput rises and every token takes longer. */
static void a_closed_loop_saturates(void **state) {
    estimate_case *c = *state;
    replica r;
    replica_open(c, &r);
    gp_serve_point last = {0};
    for (double n = 1; n <= 2048; n *= 2) {
        gp_serve_point point;
        gp_serve_closed_loop(&r.job, &r.machine, &c->network, &r.layout, &c->constants, &r.memory,
                             n, NULL, &point);
        assert_true(point.tpot_s >= last.tpot_s * (1 - 1e-9));
        assert_true(point.output_tokens_per_s >= last.output_tokens_per_s * (1 - 1e-6));
        assert_true(point.batch <= n && point.ttft_s > 0);
        last = point;
    }
    double most = load_of(c, &r, 0).max_requests_per_s * 200;
    assert_true(last.output_tokens_per_s <= most * (1 + 1e-9));
}

static void terms_are_traced(void **state) {
    estimate_case *c = *state;
    replica r;
    replica_open(c, &r);
    static gp_term terms[GP_TRACE_MAX];
    gp_trace trace = GP_TRACE_ON(terms);
    gp_serve_point point;
    gp_serve_memory_of(&r.job, &r.machine, &r.layout, &c->constants, 0, &trace, &r.memory);
    gp_serve_load(&r.job, &r.machine, &c->network, &r.layout, &c->constants, &r.memory, 1, 1,
                  &trace, &point);
    assert_false(trace.overflow);
    assert_true(trace.count > 25);
    bool found = false;
    for (size_t i = 0; i < trace.count; i++) {
        assert_true(trace.items[i].input_count > 0);
        if (trace.items[i].id == GP_TERM_SERVE_TPOT) {
            found = estimate_case_near(trace.items[i].value, point.tpot_s, 1e-12);
        }
    }
    assert_true(found);
}

/* Requests that follow each other through one prefill and one decode replica, the first of which
 * binds: a run's rate is its rate alone less the share in which it stands idle at both ends, and by
 * Little's law who is not in decode waits for it between them, at its full rate. */
static void pools_in_turn_wait_for_prefill(void **state) {
    estimate_case *c = *state;
    replica r;
    replica_open(c, &r);
    r.job.input_tokens = 20000;
    gp_serve_memory_of(&r.job, &r.machine, &r.layout, &c->constants, 0, NULL, &r.memory);
    const gp_serve_split split = {.prefill = r.layout, .decode = r.layout};
    gp_split_loop loop = {.prefills = 1, .decodes = 1, .requests = 32};
    gp_split_point point[2];
    for (int i = 0; i < 2; i++, loop.requests *= 2)
        gp_serve_split_closed_loop(&r.job, &r.machine, &c->network, &split, &c->constants,
                                   &r.memory, &loop, &point[i]);
    const double share = c->constants.serving_split_fraction;
    const double alone = point[0].prefill_max_per_s / share;
    const double per_s = point[0].point.output_tokens_per_s / r.job.output_tokens;
    assert_true(estimate_case_near(per_s, share * alone, 1e-6));
    const double decodes_s = r.job.output_tokens * point[0].point.tpot_s;
    assert_true(estimate_case_near(point[0].point.ttft_s, 32 / alone - decodes_s, 0.05));
    const double later_s = point[1].point.ttft_s - point[0].point.ttft_s;
    assert_true(estimate_case_near(later_s, 32 / alone, 0.02));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_batch_keeps_up),
        cmocka_unit_test(unequal_prompts_work_more),
        cmocka_unit_test(a_lower_rate_is_never_worse),
        cmocka_unit_test(overload_is_said),
        cmocka_unit_test(memory_and_arithmetic_bound_the_rate),
        cmocka_unit_test(what_saves_work_serves_more),
        cmocka_unit_test(a_closed_loop_saturates),
        cmocka_unit_test(terms_are_traced),
        cmocka_unit_test(pools_in_turn_wait_for_prefill),
    };
    return cmocka_run_group_tests(tests, estimate_case_open, estimate_case_close);
}
