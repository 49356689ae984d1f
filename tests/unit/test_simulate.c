/*
 * The simulator: small scenarios worked out by hand, a step-by-step twin without closed forms,
 * queueing theory, conservation, and each mechanism on its own.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "simulate/sim.h"
#include "simulate/simulate.h"
#include "support/estimate_case.h"

static const size_t arena_max = (size_t)1 << 30;

enum { DONE_MAX = 20000 };

typedef struct run {
    gp_arena *arena;
    gp_engine engine, prefill;
    gp_simulate_config config;
    gp_simulation *result;
    size_t done_count;
    gp_request_done *done; /* by number */
} run;

static void watch(void *context, const gp_request_done *done) {
    run *r = context;
    assert_true(done->number < DONE_MAX);
    r->done[done->number] = *done;
    r->done_count++;
}

/* A step of 1 s, 0.1 s for each token of a prompt. */
static void run_init(run *r) {
    memset(r, 0, sizeof *r);
    r->arena = gp_arena_new(arena_max);
    assert_non_null(r->arena);
    r->done = calloc(DONE_MAX, sizeof *r->done);
    assert_non_null(r->done);
    gp_engine_linear(1, 0, 0, 0.1, &r->engine);
    r->config = (gp_simulate_config){
        .engine = &r->engine, .replicas = 1, .request_done = watch, .context = r};
}

static void run_free(run *r) {
    free(r->done);
    gp_arena_free(r->arena);
}

static void run_config(run *r) {
    r->done_count = 0;
    assert_int_equal(gp_simulate(r->arena, &r->config, &r->result), GP_OK);
    const gp_simulation *s = r->result;
    assert_int_equal(s->arrived, s->completed + s->refused);
    assert_int_equal(r->done_count, s->arrived);
    /* Every KV entry of a completed request was computed or cached, and not lost. */
    const int64_t branches = r->engine.branches;
    assert_int_equal(s->computed_tokens + s->cached_tokens - s->lost_tokens,
                     s->prompt_tokens + s->output_tokens - branches * s->completed);
}

static void run_rows(run *r, const gp_arrival *rows, size_t count) {
    r->config.arrivals.rows = rows;
    r->config.arrivals.row_count = count;
    run_config(r);
}

static void near(double value, double expected) {
    if (!(fabs(value - expected) <= 1e-9 * fmax(1, fabs(expected))))
        fail_msg("%.12g, not %.12g", value, expected);
}

static void done_is(const run *r, size_t number, double ttft_s, double e2e_s) {
    near(r->done[number].ttft_s, ttft_s);
    near(r->done[number].e2e_s, e2e_s);
}

/* ------------------------------------------------------------ by hand */

static void test_one_request(void **state) {
    (void)state;
    run r;
    run_init(&r);
    const gp_arrival rows[] = {{0, 10, 3}};
    run_rows(&r, rows, 1);
    /* Prompt: 1 s of work on a step of 1 s; then two steps. */
    done_is(&r, 0, 2, 4);
    near(r.done[0].tpot_s, 1);
    assert_int_equal(r.result->iterations, 3);
    assert_int_equal(r.result->computed_tokens, 12);
    near(r.result->duration_s, 4);
    near(r.result->ttft_s.p95, 2);
    run_free(&r);
}

static void test_arrival_cuts_a_run(void **state) {
    (void)state;
    run r;
    run_init(&r);
    const gp_arrival rows[] = {{0, 10, 5}, {2.5, 10, 2}};
    run_rows(&r, rows, 2);
    /* Steps end at 2, 3; the second prompt joins [3, 5], then both decode: 6 (second done), 7. */
    done_is(&r, 0, 2, 6 + 1);
    done_is(&r, 1, 2.5, 3.5);
    near(r.done[1].queue_s, 0.5);
    run_free(&r);
}

static void test_prompt_in_chunks(void **state) {
    (void)state;
    run r;
    run_init(&r);
    r.engine.max_sequences = 4;
    r.engine.budget_tokens = 8;
    const gp_arrival rows[] = {{0, 20, 2}, {0, 4, 1}};
    run_rows(&r, rows, 2);
    /* 8, 8, then 4 + 4 tokens: 1.8 s each; the second is done with the third step. */
    done_is(&r, 0, 5.4, 6.4);
    done_is(&r, 1, 5.4, 5.4);
    assert_int_equal(r.result->iterations, 4);
    run_free(&r);
}

static void test_whole_prompts(void **state) {
    (void)state;
    run r;
    run_init(&r);
    r.engine.max_sequences = 4;
    r.engine.budget_tokens = 8;
    r.engine.whole_prompts = true;
    const gp_arrival rows[] = {{0, 4, 3}, {0.5, 20, 2}};
    run_rows(&r, rows, 2);
    /* [0, 1.4] first prompt; [1.4, 4.4] second alone while the first waits; then both: 5.4, 6.4. */
    done_is(&r, 0, 1.4, 6.4);
    done_is(&r, 1, 3.9, 4.9);
    run_free(&r);
}

static void test_places(void **state) {
    (void)state;
    run r;
    run_init(&r);
    r.engine.max_sequences = 1;
    const gp_arrival rows[] = {{0, 10, 3}, {0, 10, 1}, {1, 10, 2}};
    run_rows(&r, rows, 3);
    done_is(&r, 0, 2, 4);
    done_is(&r, 1, 6, 6);
    done_is(&r, 2, 7, 8);
    run_free(&r);
}

static void test_preemption(void **state) {
    (void)state;
    run r;
    run_init(&r);
    /* 4 blocks of 4 tokens. Both prompts take 2; the first to need a third takes it from the
     * second, admitted last. */
    r.engine.block_tokens = 4;
    r.engine.blocks = 4;
    const gp_arrival rows[] = {{0, 8, 4}, {0, 8, 3}};
    run_rows(&r, rows, 2);
    /* [0, 2.6] both prompts (1.6 s of work). The next step needs 2 blocks and none is free: the
     * second goes. The first decodes at 3.6, 4.6, 5.6 and is done. The second computes its 8 + 1
     * tokens again: [5.6, 7.5] gives its second token, 8.5 the third. */
    assert_int_equal(r.result->preemptions, 1);
    assert_int_equal(r.result->lost_tokens, 8);
    done_is(&r, 0, 2.6, 5.6);
    done_is(&r, 1, 2.6, 8.5);
    run_free(&r);
}

static void test_too_long_is_refused(void **state) {
    (void)state;
    run r;
    run_init(&r);
    r.engine.block_tokens = 4;
    r.engine.blocks = 4;
    const gp_arrival rows[] = {{0, 16, 2}, {0, 16, 1}, {0, 13, 4}};
    run_rows(&r, rows, 3);
    assert_int_equal(r.result->refused, 1);
    assert_true(r.done[0].refused);
    assert_false(r.done[1].refused);
    assert_false(r.done[2].refused);
    r.engine.context_tokens = 16;
    run_rows(&r, rows, 3);
    assert_int_equal(r.result->refused, 3);
    run_free(&r);
}

static void test_prefix_cache(void **state) {
    (void)state;
    run r;
    run_init(&r);
    r.engine.block_tokens = 4;
    r.config.arrivals.prefix_fraction = 0.5;
    r.config.arrivals.prefix_groups = 1;
    const gp_arrival rows[] = {{0, 16, 1}, {10, 16, 1}, {20, 32, 1}, {30, 32, 1}};
    run_rows(&r, rows, 4);
    /* 8 of 16 tokens are shared, then 16 of 32, of which 8 are there. */
    done_is(&r, 0, 2.6, 2.6);
    done_is(&r, 1, 1.8, 1.8);
    done_is(&r, 2, 3.4, 3.4);
    done_is(&r, 3, 2.6, 2.6);
    assert_int_equal(r.result->cached_tokens, 8 + 8 + 16);
    run_free(&r);
}

static void test_prefix_is_given_up_for_blocks(void **state) {
    (void)state;
    run r;
    run_init(&r);
    r.engine.block_tokens = 4;
    r.engine.blocks = 5; /* four of a prompt, and one */
    r.config.arrivals.prefix_fraction = 0.5;
    r.config.arrivals.prefix_groups = 2;
    gp_arrival rows[40];
    for (size_t i = 0; i < 40; i++)
        rows[i] = (gp_arrival){(double)i * 10, 16, 1};
    run_rows(&r, rows, 40);
    /* The other group's two blocks must go: a hit follows the same group only. */
    assert_true(r.result->cached_tokens > 0);
    assert_true(r.result->cached_tokens < 40 * 8 * 3 / 4);
    run_free(&r);
}

static void test_branches(void **state) {
    (void)state;
    run r;
    run_init(&r);
    gp_engine_linear(1, 0.5, 0, 0.1, &r.engine);
    r.engine.branches = 2;
    const gp_arrival rows[] = {{0, 10, 3}};
    run_rows(&r, rows, 1);
    /* The table's prompt step has no share of a sequence; decoding runs two. */
    done_is(&r, 0, 2, 6);
    assert_int_equal(r.result->output_tokens, 6);
    run_free(&r);
}

static void test_transfer(void **state) {
    (void)state;
    run r;
    run_init(&r);
    gp_engine_linear(1, 0, 0, 0.1, &r.prefill);
    r.prefill.kv_bytes_per_token = 10;
    r.config.prefill_replicas = 1;
    r.config.prefill_engine = &r.prefill;
    r.config.transfer_bytes_per_s = 100;
    r.config.transfer_latency_s = 0.25;
    const gp_arrival rows[] = {{0, 10, 3}, {0, 10, 1}, {0, 20, 2}};
    run_rows(&r, rows, 3);
    /* The three prompts share one step of 5 s. The second is done with it; the first's cache takes
     * 1 s, the third's 2 s behind it. Decoding: two steps from 6.25; the third arrives at 8.25, as
     * a step ends. */
    done_is(&r, 0, 6.25, 8.25);
    done_is(&r, 1, 5, 5);
    done_is(&r, 2, 8.25, 9.25);
    assert_int_equal(r.result->replicas, 2);
    run_free(&r);
}

static void test_outage(void **state) {
    (void)state;
    run r;
    run_init(&r);
    const gp_outage outage = {.replica = 0, .at_s = 4.5, .for_s = 10};
    r.config.outages = &outage;
    r.config.outage_count = 1;
    const gp_arrival rows[] = {{0, 10, 6}, {5, 10, 1}};
    run_rows(&r, rows, 2);
    /* Tokens at 2, 3, 4; the replica is gone until 14.5. Then 10 + 3 tokens and, in the same step,
     * the other prompt: 3.3 s, which gives the fourth token; two steps are left. */
    assert_int_equal(r.result->failures, 1);
    assert_int_equal(r.result->moved, 1);
    assert_int_equal(r.result->lost_tokens, 12);
    done_is(&r, 0, 2, 17.8 + 2);
    done_is(&r, 1, 17.8 - 5, 17.8 - 5);
    /* Another replica takes it at once. */
    r.config.replicas = 2;
    run_rows(&r, rows, 1);
    done_is(&r, 0, 2, 4.5 + 2.3 + 2);
    run_free(&r);
}

static void test_outage_during_transfer(void **state) {
    (void)state;
    run r;
    run_init(&r);
    gp_engine_linear(1, 0, 0, 0.1, &r.prefill);
    r.prefill.kv_bytes_per_token = 10;
    r.config.prefill_replicas = 1;
    r.config.prefill_engine = &r.prefill;
    r.config.transfer_bytes_per_s = 10;
    const gp_outage outage = {.replica = 0, .at_s = 5, .for_s = 1};
    r.config.outages = &outage;
    r.config.outage_count = 1;
    const gp_arrival rows[] = {{0, 10, 3}};
    run_rows(&r, rows, 1);
    /* The prompt is done at 2, its cache would be over at 12 and is not: 11 tokens again, to 14.1,
     * which gives the second token, and 11 s of transfer. */
    near(r.done[0].e2e_s, 12 + 2.1 + 11 + 1);
    assert_int_equal(r.result->lost_tokens, 10);
    run_free(&r);
}

static void test_autoscale(void **state) {
    (void)state;
    run r;
    run_init(&r);
    r.engine.max_sequences = 2;
    r.config.autoscale = (gp_sim_autoscale){.min_replicas = 1,
                                            .max_replicas = 4,
                                            .target_requests = 2,
                                            .period_s = 5,
                                            .start_s = 20,
                                            .quiet_s = 30};
    gp_arrival rows[60];
    for (size_t i = 0; i < 60; i++)
        rows[i] = (gp_arrival){(double)(i < 40 ? i : 40 + 40 * (i - 40)), 10, 10};
    run_rows(&r, rows, 60);
    assert_true(r.result->starts >= 3);
    const gp_simulation_series *s = &r.result->series;
    double most = 0;
    for (size_t i = 0; i < s->count; i++)
        most = fmax(most, s->replicas[i]);
    near(most, 4);
    near(s->replicas[0], 1);
    near(s->replicas[s->count - 1], 1);
    run_free(&r);
}

/* ------------------------------------------------------------ routers */

static void test_round_robin(void **state) {
    (void)state;
    run r;
    run_init(&r);
    r.config.replicas = 3;
    r.config.router = GP_ROUTER_ROUND_ROBIN;
    gp_arrival rows[9];
    for (size_t i = 0; i < 9; i++)
        rows[i] = (gp_arrival){(double)i, 10, i % 3 == 0 ? 50 : 1};
    run_rows(&r, rows, 9);
    for (size_t i = 0; i < 9; i++)
        assert_int_equal(r.done[i].replica, i % 3);
    run_free(&r);
}

static void test_least_loaded(void **state) {
    (void)state;
    run r;
    run_init(&r);
    r.config.replicas = 2;
    const gp_arrival rows[] = {{0, 10, 50}, {1, 10, 2}, {9, 10, 2}, {20, 10, 60}, {21, 10, 1}};
    run_rows(&r, rows, 5);
    const int64_t expected[] = {0, 1, 1, 1, 0};
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(r.done[i].replica, expected[i]);
    run_free(&r);
}

static void test_prefix_aware(void **state) {
    (void)state;
    run r;
    run_init(&r);
    gp_engine_linear(0.01, 0, 0, 0.0001, &r.engine);
    r.engine.blocks = 3000; /* 48,000 tokens: a few of the groups on each replica */
    r.config.replicas = 4;
    r.config.imbalance_ratio = 1.5;
    r.config.imbalance_requests = 8;
    r.config.arrivals = (gp_arrivals){.process = GP_PROCESS_POISSON,
                                      .requests_per_s = 20,
                                      .input = gp_lengths_fixed(2048),
                                      .output = gp_lengths_fixed(20),
                                      .prefix_fraction = 0.9,
                                      .prefix_groups = 40,
                                      .requests = 4000,
                                      .seed = 7};
    double cached[3];
    for (int i = 0; i < 3; i++) {
        r.config.router = (gp_router)i;
        run_config(&r);
        cached[i] = (double)r.result->cached_tokens / (double)r.result->prompt_tokens;
    }
    assert_true(cached[GP_ROUTER_PREFIX_AWARE] > 0.8);
    assert_true(cached[GP_ROUTER_PREFIX_AWARE] > cached[GP_ROUTER_ROUND_ROBIN] + 0.2);
    assert_true(cached[GP_ROUTER_PREFIX_AWARE] > cached[GP_ROUTER_LEAST_LOADED] + 0.2);
    run_free(&r);
}

/* ------------------------------------------------------------ a twin without closed forms */

typedef struct twin_request {
    double arrival_s, first_s, done_s;
    int64_t input, output, computed, generated;
    bool running, over;
} twin_request;

typedef struct twin {
    double step_s, sequence_s, context_s, token_s;
    int64_t places, budget;
    size_t count;
    twin_request *items;
} twin;

/* One step of the twin at `now_s`; returns its length, 0 when there is nothing to do. */
static double twin_step(twin *t, double now_s) {
    int64_t budget = t->budget;
    int64_t running = 0;
    int64_t contexts = 0;
    int64_t batch = 0;
    double work_s = 0;
    int64_t chunks[64];
    size_t chunked[64];
    size_t chunk_count = 0;
    for (size_t i = 0; i < t->count; i++) {
        twin_request *q = &t->items[i];
        if (!q->running)
            continue;
        running++;
        if (q->generated > 0) {
            batch++;
            contexts += q->input + q->generated;
        }
    }
    budget -= batch;
    for (size_t i = 0; i < t->count && budget > 0; i++) {
        twin_request *q = &t->items[i];
        const bool joins = !q->running && !q->over && q->arrival_s <= now_s && running < t->places;
        if (!joins && !(q->running && q->generated == 0))
            continue;
        running += joins ? 1 : 0;
        q->running = true;
        const int64_t left = q->input - q->computed;
        const int64_t chunk = left < budget ? left : budget;
        chunks[chunk_count] = chunk;
        chunked[chunk_count++] = i;
        budget -= chunk;
        work_s += t->token_s * (double)chunk;
    }
    if (batch == 0 && chunk_count == 0)
        return 0;
    const double decode_s =
        t->step_s + t->sequence_s * (double)batch + t->context_s * (double)contexts;
    double length_s = work_s;
    if (batch > 0)
        length_s += decode_s;
    else
        length_s += t->step_s;
    const double end_s = now_s + length_s;
    for (size_t i = 0; i < t->count; i++) {
        twin_request *q = &t->items[i];
        if (q->running && q->generated > 0 && ++q->generated == q->output) {
            q->running = false;
            q->over = true;
            q->done_s = end_s;
        }
    }
    for (size_t k = 0; k < chunk_count; k++) {
        twin_request *q = &t->items[chunked[k]];
        q->computed += chunks[k];
        if (q->computed < q->input)
            continue;
        q->generated = 1;
        q->first_s = end_s;
        if (q->output == 1) {
            q->running = false;
            q->over = true;
            q->done_s = end_s;
        }
    }
    return length_s;
}

static void twin_run(twin *t) {
    double now_s = 0;
    for (;;) {
        const double length_s = twin_step(t, now_s);
        if (length_s > 0) {
            now_s += length_s;
            continue;
        }
        double next_s = HUGE_VAL;
        for (size_t i = 0; i < t->count; i++)
            if (!t->items[i].over && t->items[i].arrival_s > now_s)
                next_s = fmin(next_s, t->items[i].arrival_s);
        if (!(next_s < HUGE_VAL))
            return;
        now_s = next_s;
    }
}

static void test_twin(void **state) {
    (void)state;
    enum { COUNT = 400 };
    static twin_request items[COUNT];
    static gp_arrival rows[COUNT];
    run r;
    run_init(&r);
    twin t = {.step_s = 0.01,
              .sequence_s = 0.001,
              .context_s = 1e-6,
              .token_s = 0.0002,
              .places = 12,
              .budget = 300,
              .count = COUNT,
              .items = items};
    gp_engine_linear(t.step_s, t.sequence_s, t.context_s, t.token_s, &r.engine);
    r.engine.max_sequences = t.places;
    r.engine.budget_tokens = t.budget;
    uint64_t x = 12345;
    double at_s = 0;
    memset(items, 0, sizeof items);
    for (size_t i = 0; i < COUNT; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        at_s += (double)(x >> 40) / (double)(1 << 24) * 0.55;
        const int64_t input = 1 + (int64_t)(x >> 20) % 900;
        const int64_t output = 1 + (int64_t)((x >> 33) & 0xff);
        rows[i] = (gp_arrival){at_s, input, output};
        items[i] = (twin_request){.arrival_s = at_s, .input = input, .output = output};
    }
    run_rows(&r, rows, COUNT);
    twin_run(&t);
    int64_t waited = 0;
    for (size_t i = 0; i < COUNT; i++) {
        waited += r.done[i].queue_s > 0.1 ? 1 : 0;
        near(r.done[i].ttft_s, items[i].first_s - rows[i].at_s);
        near(r.done[i].e2e_s, items[i].done_s - rows[i].at_s);
    }
    assert_true(waited > 20); /* places ran out at times */
    assert_true(r.result->iterations > 2 * r.result->events);
    run_free(&r);
}

/* ------------------------------------------------------------ queueing theory */

typedef struct estimate {
    double mean, error; /* of the mean, three standard errors over seeds */
} estimate;

/* Mean wait for a place over seeds: `servers` places, steps so short that they do not matter. */
static estimate waits(gp_lengths output, double servers, double utilization, double *ret_little) {
    enum { SEEDS = 12, TOKENS = 200 };
    const double step_s = 0.005;
    double sum = 0;
    double squares = 0;
    *ret_little = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
        run r;
        run_init(&r);
        gp_engine_linear(step_s, 0, 0, 0, &r.engine);
        r.engine.max_sequences = (int64_t)servers;
        r.config.arrivals =
            (gp_arrivals){.process = GP_PROCESS_POISSON,
                          .requests_per_s = utilization * servers / (TOKENS * step_s),
                          .input = gp_lengths_fixed(1),
                          .output = output,
                          .requests = 15000,
                          .unmeasured_fraction = 0.1,
                          .seed = (uint64_t)seed};
        run_config(&r);
        const gp_simulation *s = r.result;
        sum += s->queue_s.mean;
        squares += s->queue_s.mean * s->queue_s.mean;
        double residence_s = 0;
        for (size_t i = 0; i < r.done_count; i++)
            residence_s += r.done[i].e2e_s;
        *ret_little = fmax(*ret_little, fabs(s->mean_in_system * s->duration_s / residence_s - 1));
        run_free(&r);
    }
    estimate e = {.mean = sum / SEEDS};
    e.error = 3 * sqrt((squares / SEEDS - e.mean * e.mean) / (SEEDS - 1));
    return e;
}

static void test_mmc(void **state) {
    (void)state;
    static const struct {
        int64_t servers;
        double utilization;
    } cases[] = {{1, 0.7}, {4, 0.8}, {16, 0.9}};
    for (size_t i = 0; i < 3; i++) {
        double little = 0;
        const double c = (double)cases[i].servers;
        const estimate e = waits(gp_lengths_exponential(200), c, cases[i].utilization, &little);
        /* Service: 200 tokens on average at 5 ms, rounded to whole tokens. */
        const double exact = estimate_case_erlang_c(cases[i].servers, cases[i].utilization * c) /
                             (c * (1 - cases[i].utilization));
        if (!(fabs(e.mean - exact) <= e.error + 0.01 * exact + 0.005))
            fail_msg("M/M/%d: wait %.4f +- %.4f, exact %.4f", (int)c, e.mean, e.error, exact);
        assert_true(little < 1e-6);
    }
}

static void test_md1(void **state) {
    (void)state;
    double little = 0;
    const double rho = 0.8;
    const estimate e = waits(gp_lengths_fixed(200), 1, rho, &little);
    const double exact = rho / (2 * (1 - rho));
    if (!(fabs(e.mean - exact) <= e.error + 0.01 * exact))
        fail_msg("M/D/1: wait %.4f +- %.4f, exact %.4f", e.mean, e.error, exact);
    assert_true(little < 1e-6);
}

/* ------------------------------------------------------------ properties */

static void service_config(run *r) {
    gp_engine_linear(0.012, 2e-5, 3e-9, 4e-5, &r->engine);
    r->engine.blocks = 6000;
    r->config.arrivals = (gp_arrivals){.process = GP_PROCESS_GAMMA,
                                       .cv = 2,
                                       .requests_per_s = 60,
                                       .input = gp_lengths_through(1150, 4000),
                                       .output = gp_lengths_through(210, 450),
                                       .requests = 8000,
                                       .unmeasured_fraction = 0.1,
                                       .seed = 3};
}

static void test_monotone(void **state) {
    (void)state;
    for (int router = 0; router < 2; router++) {
        double before = HUGE_VAL;
        for (int64_t replicas = 2; replicas <= 10; replicas++) {
            run r;
            run_init(&r);
            service_config(&r);
            r.config.router = (gp_router)router;
            r.config.replicas = replicas;
            run_config(&r);
            const double p95 = r.result->ttft_s.p95;
            if (p95 > before * 1.03)
                fail_msg("%d replicas: p95 TTFT %.4f after %.4f", (int)replicas, p95, before);
            before = p95;
            run_free(&r);
        }
    }
}

static void test_same_seed_same_run(void **state) {
    (void)state;
    run a;
    run b;
    run_init(&a);
    run_init(&b);
    service_config(&a);
    service_config(&b);
    a.config.replicas = b.config.replicas = 3;
    a.config.failure_mean_s = b.config.failure_mean_s = 40;
    a.config.recovery_s = b.config.recovery_s = 10;
    run_config(&a);
    run_config(&b);
    assert_true(a.result->failures > 3);
    assert_true(a.result->preemptions > 0);
    assert_memory_equal(&a.result->ttft_s, &b.result->ttft_s, sizeof a.result->ttft_s);
    assert_memory_equal(a.done, b.done, a.done_count * sizeof *a.done);
    b.config.arrivals.seed = 4;
    run_config(&b);
    assert_true(fabs(a.result->ttft_s.mean - b.result->ttft_s.mean) > 0);
    run_free(&a);
    run_free(&b);
}

/* Everything at once keeps its books. */
static void test_everything_conserves(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        run r;
        run_init(&r);
        service_config(&r);
        gp_engine_linear(0.012, 2e-5, 3e-9, 4e-5, &r.prefill);
        r.engine.blocks = 1200;
        r.prefill.blocks = 2500;
        r.prefill.kv_bytes_per_token = 3e5;
        r.engine.branches = r.prefill.branches = seed % 2 == 0 ? 2 : 1;
        r.config.prefill_replicas = seed % 3 == 0 ? 0 : 3;
        r.config.prefill_engine = &r.prefill;
        r.config.transfer_bytes_per_s = 5e10;
        r.config.transfer_latency_s = 1e-4;
        r.config.replicas = 5;
        r.config.router = (gp_router)(seed % 3);
        r.config.imbalance_ratio = 1.5;
        r.config.failure_mean_s = 50;
        r.config.recovery_s = 15;
        r.config.arrivals.prefix_fraction = 0.4;
        r.config.arrivals.prefix_groups = 20;
        r.config.arrivals.seed = seed;
        r.config.autoscale = (gp_sim_autoscale){.min_replicas = 2,
                                                .max_replicas = 9,
                                                .target_requests = 20,
                                                .period_s = 3,
                                                .start_s = 9,
                                                .quiet_s = 12};
        run_config(&r);
        const gp_simulation *s = r.result;
        assert_int_equal(s->arrived, 8000);
        assert_true(s->failures > 0 && s->cached_tokens > 0 && s->lost_tokens > 0);
        int64_t prompt = 0;
        int64_t output = 0;
        for (size_t i = 0; i < r.done_count; i++) {
            if (r.done[i].refused)
                continue;
            prompt += r.done[i].input_tokens;
            output += r.engine.branches * r.done[i].output_tokens;
            assert_true(r.done[i].ttft_s > 0 && r.done[i].e2e_s >= r.done[i].ttft_s);
        }
        assert_int_equal(prompt, s->prompt_tokens);
        assert_int_equal(output, s->output_tokens);
        run_free(&r);
    }
}

static void test_live_memory(void **state) {
    (void)state;
    size_t used[2];
    for (int i = 0; i < 2; i++) {
        run r;
        run_init(&r);
        service_config(&r);
        r.config.replicas = 8;
        r.config.request_done = NULL;
        r.config.arrivals.requests = i == 0 ? 20000 : 200000;
        const size_t before = gp_arena_used(r.arena);
        assert_int_equal(gp_simulate(r.arena, &r.config, &r.result), GP_OK);
        used[i] = gp_arena_used(r.arena) - before;
        run_free(&r);
    }
    assert_true(used[1] < used[0] + used[0] / 2);
}

static void test_series(void **state) {
    (void)state;
    run r;
    run_init(&r);
    service_config(&r);
    r.config.replicas = 3;
    r.config.series_count = 16;
    for (size_t i = 0; i < 2; i++) {
        r.engine.table.power_w[i] = 500;
    }
    r.engine.table.idle_w = 100;
    run_config(&r);
    const gp_simulation_series *s = &r.result->series;
    assert_true(s->count > 4 && s->count <= 16);
    double energy_j = 0;
    double requests_s = 0;
    for (size_t i = 0; i < s->count; i++) {
        const double length_s = fmin(s->width_s, r.result->duration_s - (double)i * s->width_s);
        energy_j += s->power_w[i] * length_s;
        requests_s += (s->running[i] + s->waiting[i]) * length_s;
        assert_true(s->kv_fraction[i] >= 0 && s->kv_fraction[i] <= 1);
    }
    assert_true(fabs(energy_j / r.result->energy_j - 1) < 1e-9);
    assert_true(fabs(requests_s / (r.result->mean_in_system * r.result->duration_s) - 1) < 1e-9);
    run_free(&r);
}

static void test_saturation_is_told(void **state) {
    (void)state;
    run r;
    run_init(&r);
    service_config(&r);
    r.config.replicas = 8;
    run_config(&r);
    assert_false(r.result->saturated);
    r.config.replicas = 1;
    run_config(&r);
    assert_true(r.result->saturated);
    run_free(&r);
}

static void test_slo(void **state) {
    (void)state;
    run r;
    run_init(&r);
    const gp_arrival rows[] = {{0, 10, 3}, {100, 20, 3}, {200, 30, 3}, {300, 40, 3}};
    r.config.slo.ttft_s.p95 = 3.5;
    r.config.slo.tpot_s.mean = 2;
    run_rows(&r, rows, 4);
    /* 2, 3, 4 and 5 s to the first token. */
    near(r.result->good_fraction, 0.5);
    assert_int_equal(r.result->goal_count, 2);
    assert_string_equal(r.result->goals[0].name, "ttftP95");
    assert_false(r.result->goals[0].ok);
    assert_true(r.result->goals[1].ok);
    run_free(&r);
}

/* Whatever the percentile is of the mean: drawn lengths have both. */
static void test_lengths_have_mean_and_percentile(void **state) {
    (void)state;
    static const double ratios[] = {1.5, 3, 3.8, 4, 5, 12, 16, 19};
    enum { DRAWS = 200000 };
    for (size_t i = 0; i < sizeof ratios / sizeof ratios[0]; i++) {
        const gp_lengths lengths = gp_lengths_through(1000, 1000 * ratios[i]);
        gp_random random;
        double sum = 0;
        double squares = 0;
        int below = 0;
        int upto = 0;
        gp_random_init(&random, 7, i);
        for (int n = 0; n < DRAWS; n++) {
            const double length = gp_lengths_draw(&lengths, &random);
            sum += length;
            squares += length * length;
            below += length < 980 * ratios[i] ? 1 : 0;
            upto += length < 1020 * ratios[i] ? 1 : 0;
        }
        const double mean = sum / DRAWS;
        const double cv2 = squares / DRAWS / (mean * mean) - 1;
        assert_true(fabs(mean - 1000) < 25);
        assert_true(below < 0.95 * DRAWS && upto > 0.95 * DRAWS);
        assert_true(fabs(cv2 / gp_lengths_cv2(&lengths) - 1) < 0.2);
    }
}

static void test_arrival_processes(void **state) {
    (void)state;
    gp_arrivals base = {.requests_per_s = 10,
                        .input = gp_lengths_through(1000, 3000),
                        .output = gp_lengths_fixed(1),
                        .requests = 19000,
                        .cv = 3,
                        .seed = 5};
    for (int process = 0; process < 2; process++) {
        run r;
        run_init(&r);
        gp_engine_linear(1e-4, 0, 0, 0, &r.engine);
        r.config.arrivals = base;
        r.config.arrivals.process = (gp_process)process;
        run_config(&r);
        double sum = 0;
        double squares = 0;
        double input = 0;
        int64_t long_ones = 0;
        for (size_t i = 1; i < r.done_count; i++) {
            const double gap = r.done[i].arrival_s - r.done[i - 1].arrival_s;
            sum += gap;
            squares += gap * gap;
            input += (double)r.done[i].input_tokens;
            long_ones += r.done[i].input_tokens > 3000 ? 1 : 0;
        }
        const double n = (double)(r.done_count - 1);
        const double cv = sqrt(squares / n / (sum / n * (sum / n)) - 1);
        assert_true(fabs(sum / n - 0.1) < (process == 0 ? 0.003 : 0.01));
        assert_true(fabs(cv - (process == 0 ? 1 : 3)) < (process == 0 ? 0.05 : 0.3));
        assert_true(fabs(input / n - 1000) < 40);
        assert_true(fabs((double)long_ones / n - 0.05) < 0.005);
        run_free(&r);
    }
}

static void test_diurnal(void **state) {
    (void)state;
    run r;
    run_init(&r);
    gp_engine_linear(1e-4, 0, 0, 0, &r.engine);
    r.config.arrivals = (gp_arrivals){.process = GP_PROCESS_DIURNAL,
                                      .requests_per_s = 0.2,
                                      .input = gp_lengths_fixed(1),
                                      .output = gp_lengths_fixed(1),
                                      .requests = 17280,
                                      .seed = 9};
    for (int i = 0; i < GP_HOURS; i++)
        r.config.arrivals.hourly[i] = i == 12 ? 5 : i == 3 ? 0 : 1;
    run_config(&r);
    int64_t by_hour[GP_HOURS] = {0};
    for (size_t i = 0; i < r.done_count; i++)
        by_hour[(int)(r.done[i].arrival_s / 3600) % GP_HOURS]++;
    gp_arrivals day = r.config.arrivals;
    gp_arrivals_day(&day, 5);
    near(day.requests_per_s, 5 * (27.0 / 24) / 5); /* factors: 5, 0, and 22 ones */
    assert_true(day.requests > 97200 && day.requests < 1.05 * 97200); /* room for chance */
    near(day.end_s, 86400);
    /* A stated mean is kept, with the rate of the busiest hour: what is between them gives way. */
    day = r.config.arrivals;
    day.day_mean_per_s = 0.75;
    gp_arrivals_day(&day, 5);
    near(day.requests_per_s, 0.75);
    near(day.hourly[12] / day.hourly[11], 22 / (24 * 0.75 / 5 - 1));
    assert_true(day.hourly[3] <= 0);
    assert_int_equal(by_hour[3], 0);
    assert_true(by_hour[12] > 4 * by_hour[11]);
    run_free(&r);
}

static void test_bad_configurations(void **state) {
    (void)state;
    run r;
    run_init(&r);
    const gp_arrival rows[] = {{0, 10, 3}};
    r.config.arrivals.rows = rows;
    r.config.arrivals.row_count = 1;
    gp_simulate_config good = r.config;
    const gp_outage outage = {.replica = 5};
    for (int i = 0; i < 7; i++) {
        r.config = good;
        gp_engine_linear(1, 0, 0, 0.1, &r.engine);
        switch (i) {
        case 0: r.config.replicas = 0; break;
        case 1: r.engine.blocks = 0; break;
        case 2: r.config.arrivals.rows = NULL; break;
        case 3:
            r.config.outages = &outage;
            r.config.outage_count = 1;
            break;
        case 4: r.engine.budget_tokens = 1; break;
        case 5: r.config.prefill_replicas = 1; break;
        default: r.config.arrivals.prefix_fraction = 0.5; break;
        }
        assert_int_equal(gp_simulate(r.arena, &r.config, &r.result), GP_ERR_INPUT);
    }
    run_free(&r);
}

/* ------------------------------------------------------------ traces */

static gp_status read_trace(gp_arena *arena, const char *csv, gp_diags *diags,
                            gp_arrival_list *list) {
    gp_text *text = NULL;
    gp_diags_init(diags, arena);
    assert_int_equal(gp_text_init(arena, "trace.csv", csv, strlen(csv), &text), GP_OK);
    return gp_arrivals_read(arena, text, diags, list);
}

static void test_trace(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new(arena_max);
    gp_diags diags;
    gp_arrival_list list;
    const char *azure = "TIMESTAMP,ContextTokens,GeneratedTokens\r\n"
                        "2023-11-16 23:59:59.9799600,4808,10\r\n"
                        "2023-11-17 00:00:01.0,3180,8\r\n"
                        "2023-11-17T00:00:00.5Z,7,0\r\n"
                        "2023-11-17 00:00:00.4799600,1,2\r\n";
    assert_int_equal(read_trace(arena, azure, &diags, &list), GP_OK);
    assert_int_equal(list.count, 3);
    assert_int_equal(list.empty, 1);
    assert_true(fabs(list.items[0].at_s) < 1e-9);
    assert_true(fabs(list.items[1].at_s - 0.5) < 1e-6);
    assert_int_equal(list.items[1].input_tokens, 1);
    assert_true(fabs(list.items[2].at_s - 1.02004) < 1e-6);
    const char *seconds = "user,GeneratedTokens,TIMESTAMP,ContextTokens\nx,5,1.5,10\ny,6,2e0,11\n";
    assert_int_equal(read_trace(arena, seconds, &diags, &list), GP_OK);
    assert_int_equal(list.count, 2);
    assert_true(fabs(list.items[1].at_s - 0.5) < 1e-12);
    assert_int_equal(list.items[1].input_tokens, 11);
    gp_arena_free(arena);
}

static void test_bad_traces(void **state) {
    (void)state;
    static const struct {
        const char *csv;
        size_t errors;
        uint32_t line, column;
    } cases[] = {
        {"TIMESTAMP,ContextTokens,GeneratedTokens\nyesterday,1,2\n1,2,x\n", 2, 2, 1},
        {"TIMESTAMP,ContextTokens,GeneratedTokens\n1,0,2\n", 1, 2, 3},
        {"TIMESTAMP,ContextTokens,GeneratedTokens\n1,5,-2\n", 1, 2, 5},
        {"TIMESTAMP,ContextTokens,GeneratedTokens\n2023-13-01 00:00:00,5,2\n", 1, 2, 1},
        {"TIMESTAMP,Context,GeneratedTokens\n1,5,2\n", 1, 1, 1},
        {"TIMESTAMP,ContextTokens,GeneratedTokens\n1,5,0\n", 1, 1, 1},
        {"TIMESTAMP,ContextTokens,GeneratedTokens\n1,5\n", 1, 2, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gp_arena *arena = gp_arena_new(arena_max);
        gp_diags diags;
        gp_arrival_list list;
        assert_int_equal(read_trace(arena, cases[i].csv, &diags, &list), GP_ERR_INPUT);
        assert_int_equal(diags.errors, cases[i].errors);
        const gp_place place = gp_span_place(diags.items[0].span);
        assert_int_equal(place.line, cases[i].line);
        assert_int_equal(place.column, cases[i].column);
        gp_arena_free(arena);
    }
}

static void test_rate_scale(void **state) {
    (void)state;
    run r;
    run_init(&r);
    const gp_arrival rows[] = {{0, 10, 1}, {100, 10, 1}};
    r.config.arrivals.rate_scale = 4;
    run_rows(&r, rows, 2);
    near(r.done[1].arrival_s, 25);
    r.config.arrivals.requests = 1;
    run_rows(&r, rows, 2);
    assert_int_equal(r.result->arrived, 1);
    run_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_request),
        cmocka_unit_test(test_arrival_cuts_a_run),
        cmocka_unit_test(test_prompt_in_chunks),
        cmocka_unit_test(test_whole_prompts),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_preemption),
        cmocka_unit_test(test_too_long_is_refused),
        cmocka_unit_test(test_prefix_cache),
        cmocka_unit_test(test_prefix_is_given_up_for_blocks),
        cmocka_unit_test(test_branches),
        cmocka_unit_test(test_transfer),
        cmocka_unit_test(test_outage),
        cmocka_unit_test(test_outage_during_transfer),
        cmocka_unit_test(test_autoscale),
        cmocka_unit_test(test_round_robin),
        cmocka_unit_test(test_least_loaded),
        cmocka_unit_test(test_prefix_aware),
        cmocka_unit_test(test_twin),
        cmocka_unit_test(test_mmc),
        cmocka_unit_test(test_md1),
        cmocka_unit_test(test_monotone),
        cmocka_unit_test(test_same_seed_same_run),
        cmocka_unit_test(test_everything_conserves),
        cmocka_unit_test(test_live_memory),
        cmocka_unit_test(test_series),
        cmocka_unit_test(test_saturation_is_told),
        cmocka_unit_test(test_slo),
        cmocka_unit_test(test_lengths_have_mean_and_percentile),
        cmocka_unit_test(test_arrival_processes),
        cmocka_unit_test(test_diurnal),
        cmocka_unit_test(test_bad_configurations),
        cmocka_unit_test(test_trace),
        cmocka_unit_test(test_bad_traces),
        cmocka_unit_test(test_rate_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
