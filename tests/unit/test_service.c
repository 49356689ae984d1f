/* What a service is asked over a week, and what it promises: rates, lengths, percentiles. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/spec_case.h"

#define HEAD "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: t}\nspec:\n"
#define POOL_H100(n)                                                                               \
    "  cluster: {pools: [{name: p, system: dgx-h100, count: " #n "}]}\n"                           \
    "  candidates: [dgx-h100]\n"
#define CHAT_8B                                                                                    \
    "  workloads:\n"                                                                               \
    "    - name: w\n"                                                                              \
    "      type: inference\n"                                                                      \
    "      model: llama-3.1-8b\n"                                                                  \
    "      traffic: {requestsPerSecond: 10, inputTokens: 1000, outputTokens: 200}\n"               \
    "      goal: {slo: {ttft: 2 s, tpot: 50 ms}}\n"

static const gp_workload_plan *plan_with(spec_case *c, const char *text, const char *path,
                                         const char *value) {
    const gp_override set = {path, value};
    assert_int_equal(spec_case_plan(c, "t.yaml", text, path == NULL ? NULL : &set, path != NULL),
                     GP_OK);
    return spec_case_workload(c, "w");
}

static bool near(double a, double b, double tolerance) {
    return fabs(a - b) <= tolerance * fabs(b);
}

/* Hours of five working days and two of the weekend make up the mean of the week. */
static void assert_is_a_week(const gp_traffic_plan *traffic) {
    double day = 0;
    for (int h = 0; h < GP_DAY_HOURS; h++)
        day += traffic->hour_factors[h] / GP_DAY_HOURS;
    assert_true(near(day * (5 + 2 * traffic->weekend_fraction) / 7, 1, 1e-9));
}

static void test_profiles_shape_the_peak(void **state) {
    (void)state;
    static const struct {
        const char *value;
        double peak_to_mean, peak_to_trough;
    } rows[] = {
        /* minute x hour x working day: 1.52; x 4/3 x 1.141; 4.18 x 20/11 x 1.242 */
        {"flat", 1.52, 1},
        {"diurnal", 1.52 * 4 / 3 * 7 / (5 + 2 * 0.568), 2},
        {"office", 4.18 * 20 / 11 * 7 / (5 + 2 * 0.319), 10},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        spec_case c;
        const gp_workload_plan *w =
            plan_with(&c, HEAD POOL_H100(4) CHAT_8B, "workloads.w.traffic.profile", rows[i].value);
        const gp_traffic_plan *t = &w->traffic;
        assert_true(t->shaped);
        assert_true(near(t->peak_to_mean, rows[i].peak_to_mean, 1e-6));
        assert_true(near(w->demand_requests_per_s, 10 * rows[i].peak_to_mean, 1e-6));
        assert_true(near(t->hour_factors[14] / t->hour_factors[2], rows[i].peak_to_trough, 1e-9));
        assert_is_a_week(t);
        spec_case_free(&c);
    }
}

static void test_hourly_factors_are_proportions(void **state) {
    (void)state;
    static const char *const lists[] = {
        "[1,1,1,1,1,1,1,1,1,1,1,1,3,3,3,3,3,3,3,3,3,3,3,3]",
        "[2,2,2,2,2,2,2,2,2,2,2,2,6,6,6,6,6,6,6,6,6,6,6,6]",
    };
    for (size_t i = 0; i < 2; i++) {
        spec_case c;
        const gp_workload_plan *w =
            plan_with(&c, HEAD POOL_H100(4) CHAT_8B, "workloads.w.traffic.profile", lists[i]);
        assert_true(near(w->traffic.hour_factors[23], 1.5, 1e-9));
        assert_true(near(w->traffic.peak_to_mean, 1.5 * 1.52, 1e-9));
        assert_is_a_week(&w->traffic);
        spec_case_free(&c);
    }
}

static void test_a_stated_peak_stands(void **state) {
    (void)state;
    spec_case c;
    const gp_workload_plan *w =
        plan_with(&c, HEAD POOL_H100(4) CHAT_8B, "workloads.w.traffic.requestsPerSecond",
                  "{mean: 10, peak: 25}");
    assert_true(near(w->demand_requests_per_s, 25, 1e-12));
    assert_false(w->demand_peak_to_mean > 0);
    assert_false(w->traffic.shaped);
    spec_case_free(&c);
}

/* A median and a percentile make a lognormal mean; a stated one stands. */
static void test_lengths_from_quantiles(void **state) {
    (void)state;
    spec_case c;
    const gp_workload_plan *w = plan_with(
        &c, HEAD POOL_H100(4) CHAT_8B, "workloads.w.traffic.inputTokens", "{p50: 1000, p95: 4000}");
    const double spread = log(4) / 1.6449;
    assert_true(near(w->serve.input_tokens, 1000 * exp(0.5 * spread * spread), 1e-6));
    assert_true(near(w->serve.input_p95, 4000, 1e-12));
    assert_true(near(w->serve.input_p99, 1000 * exp(2.3263 * spread), 1e-3));
    spec_case_free(&c);
}

static void test_p99_is_judged(void **state) {
    (void)state;
    static const struct {
        const char *path, *goal;
    } rows[] = {{"workloads.w.goal.slo.ttft", "ttftP99"},
                {"workloads.w.goal.slo.tpot", "tpotP99"},
                {"workloads.w.goal.slo.e2e", "e2eP99"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        spec_case c;
        const gp_workload_plan *w =
            plan_with(&c, HEAD POOL_H100(4) CHAT_8B, rows[i].path, "{p99: 1 ms}");
        assert_string_equal(gp_scale_name(w->scale), "infeasible");
        assert_string_equal(gp_bound_name(w->chosen.lack.bound), "latency");
        spec_case_free(&c);
        w = plan_with(&c, HEAD POOL_H100(4) CHAT_8B, rows[i].path, "{p99: 20 s}");
        bool found = false;
        for (int g = 0; g < w->goal_count; g++)
            found = found || strcmp(w->goals[g].name, rows[i].goal) == 0;
        assert_true(found);
        const gp_serve_point *p = &w->chosen.point;
        assert_true(p->ttft_p99_s >= p->ttft_p95_s && p->tpot_p99_s >= p->tpot_p95_s &&
                    p->e2e_p99_s >= p->e2e_p95_s && p->e2e_p95_s >= p->e2e_s);
        spec_case_free(&c);
    }
}

/* The availability that comes out is the binomial one of the replicas held. */
static void test_availability_is_a_goal(void **state) {
    (void)state;
    spec_case c;
    const gp_workload_plan *w =
        plan_with(&c, HEAD POOL_H100(4) CHAT_8B, "workloads.w.goal.slo.availability", "99.9%");
    assert_true(w->chosen.feasible && w->chosen.nodes == 2);
    assert_true(near(w->chosen.availability_fraction, 1 - 0.007 * 0.007, 1e-9));
    const gp_goal_result *last = &w->goals[w->goal_count - 1];
    assert_string_equal(last->name, "availability");
    assert_true(last->ok);
    spec_case_free(&c);
}

/* Replicas of the hours add up to the week, none is above the peak's, and the night has fewer. */
static void test_replicas_follow_the_profile(void **state) {
    (void)state;
    static const char *const values[] = {"diurnal", "office"};
    double before = 0;
    for (size_t i = 0; i < 2; i++) {
        spec_case c;
        const gp_override sets[] = {{"workloads.w.traffic.profile", values[i]},
                                    {"workloads.w.traffic.requestsPerSecond.peak", "400"},
                                    {"workloads.w.disaggregated", "false"}};
        assert_int_equal(spec_case_plan(&c, "t.yaml", HEAD POOL_H100(40) CHAT_8B, sets, 3), GP_OK);
        const gp_workload_plan *w = spec_case_workload(&c, "w");
        const gp_autoscale *a = &w->autoscale;
        assert_true(a->present && a->has_week);
        const double each = (double)(w->chosen.serve_layout.tp * w->chosen.serve_layout.pp);
        double gpu_s = 0;
        int64_t least = w->chosen.replicas;
        for (int h = 0; h < GP_DAY_HOURS; h++) {
            assert_true(a->replicas[h] <= w->chosen.replicas);
            assert_true(a->weekend_replicas[h] <= a->replicas[h]);
            gpu_s += each * 3600 * (double)(5 * a->replicas[h] + 2 * a->weekend_replicas[h]);
            least = a->weekend_replicas[h] < least ? a->weekend_replicas[h] : least;
        }
        assert_true(near(a->gpu_s_per_week, gpu_s, 1e-12));
        assert_true(a->min_replicas == least && a->max_replicas == w->chosen.replicas);
        assert_true(a->replicas[14] == w->chosen.replicas && a->replicas[2] < a->replicas[14]);
        assert_true(a->saved_fraction > before); /* working hours leave more idle */
        before = a->saved_fraction;
        spec_case_free(&c);
    }
}

/* At the target a replica has room for a burst and for what grows while another starts. */
static void test_target_leaves_room_for_the_start(void **state) {
    (void)state;
    spec_case c;
    const gp_override sets[] = {{"workloads.w.traffic.profile", "office"},
                                {"workloads.w.disaggregated", "false"}};
    assert_int_equal(spec_case_plan(&c, "t.yaml", HEAD POOL_H100(4) CHAT_8B, sets, 2), GP_OK);
    const gp_workload_plan *w = spec_case_workload(&c, "w");
    const gp_autoscale *a = &w->autoscale;
    const double room = a->replica_requests_per_s / a->target_requests_per_s;
    assert_true(near(room, a->burst_factor * (1 + a->growth_fraction), 1e-9) || room >= 1.1);
    assert_true(a->growth_fraction > 0);
    gp_serve_point point;
    gp_serve_load(
        &w->serve, &w->chosen.unit->machine,
        &(gp_network){.bytes_per_s = {5e10, 5e10, 5e10}, .unit_nodes = 32, .pod_nodes = 1024},
        &w->chosen.serve_layout, c.result->constants, &w->chosen.serve_memory,
        a->target_requests_per_s, 1, NULL, &point);
    assert_true(near(a->target, point.batch, 1e-6));
    spec_case_free(&c);
}

/* 16 GB of weights at 2 GB/s and 45 s of engine; without storage the constant's rate. */
static void test_cold_start(void **state) {
    (void)state;
    spec_case c;
    const gp_workload_plan *w = plan_with(
        &c,
        HEAD "  cluster: {pools: [{name: p, system: dgx-h100, count: 2}], storage: [{name: s, "
             "readBandwidth: 2 GB/s}]}\n  candidates: [dgx-h100]\n" CHAT_8B,
        NULL, NULL);
    const double bytes = w->autoscale.start.weights_bytes;
    assert_true(near(bytes, 16.06e9, 0.01));
    assert_true(near(w->autoscale.start.total_s, bytes / 2e9 + 45, 1e-9));
    spec_case_free(&c);
    w = plan_with(&c, HEAD POOL_H100(2) CHAT_8B, NULL, NULL);
    assert_true(near(w->autoscale.start.load_s, bytes / 0.93e9, 1e-6));
    spec_case_free(&c);
}

/* A declared number is judged as it is, and kept where it is enough, even if fewer would do. */
static void test_declared_replicas_are_judged(void **state) {
    (void)state;
    spec_case c;
    const gp_workload_plan *w =
        plan_with(&c, HEAD POOL_H100(4) CHAT_8B "      replicas: 9\n      parallelism: {tp: 1}\n",
                  NULL, NULL);
    assert_true(w->has_declared && w->declared.feasible);
    assert_int_equal(w->chosen.replicas, 9);
    assert_true(w->replicas_needed < 9);
    assert_string_equal(gp_scale_name(w->scale), "none");
    spec_case_free(&c);
    const gp_override sets[] = {{"workloads.w.replicas", "1"},
                                {"workloads.w.parallelism", "{tp: 1}"},
                                {"workloads.w.traffic.requestsPerSecond.peak", "200"}};
    assert_int_equal(spec_case_plan(&c, "t.yaml", HEAD POOL_H100(4) CHAT_8B, sets, 3), GP_OK);
    w = spec_case_workload(&c, "w");
    assert_true(w->has_declared && !w->declared.feasible && w->layout_change);
    assert_int_equal(w->declared.replicas, 1);
    assert_true(w->chosen.feasible && w->chosen.replicas > 1);
    spec_case_free(&c);
}

#define LONG_70B                                                                                   \
    "  workloads:\n"                                                                               \
    "    - name: w\n"                                                                              \
    "      type: inference\n"                                                                      \
    "      model: llama-3.1-70b-fp8\n"                                                             \
    "      traffic: {requestsPerSecond: {mean: 10, peak: 20}, inputTokens: 4000, outputTokens: "   \
    "1000}\n"                                                                                      \
    "      goal: {slo: {ttft: 4 s, tpot: 17 ms}}\n"

/* A tight time per token beside long prompts: pools of their own take clearly less, and are
 * matched: the same demand loads both below what they carry. */
static void test_pools_apart_where_they_save(void **state) {
    (void)state;
    spec_case c;
    const gp_workload_plan *w = plan_with(&c, HEAD POOL_H100(60) LONG_70B, NULL, NULL);
    const gp_split_pools *pools = &w->chosen.split;
    assert_true(w->chosen.feasible && pools->present);
    assert_true(w->together.feasible && w->chosen.gpus <= 0.85 * (double)w->together.gpus);
    const gp_serve_layout *prefill = &pools->layouts.prefill;
    const gp_serve_layout *decode = &pools->layouts.decode;
    assert_int_equal(w->chosen.gpus, pools->prefill_replicas * prefill->tp * prefill->pp +
                                         pools->decode_replicas * decode->tp * decode->pp);
    assert_true(pools->prefill_utilization > 0 && pools->prefill_utilization <= 1 / 1.1 + 1e-9);
    assert_true(pools->decode_utilization > 0 && pools->decode_utilization <= 1 / 1.1 + 1e-9);
    for (int i = 0; i < w->goal_count; i++)
        assert_true(w->goals[i].ok);
    assert_false(w->autoscale.present);
    spec_case_free(&c);
}

/* Each pool has its replicas by the hour, all of them at the busiest, and their GPUs make up the
 * week. */
static void test_pools_follow_the_profile(void **state) {
    (void)state;
    spec_case c;
    const gp_workload_plan *w =
        plan_with(&c, HEAD POOL_H100(60) LONG_70B, "workloads.w.traffic.profile", "office");
    const gp_split_pools *pools = &w->chosen.split;
    const gp_autoscale *a = &w->autoscale;
    assert_true(pools->present && a->present && a->has_week && !(a->target > 0));
    const int64_t prefill = gp_serve_layout_gpus(&pools->layouts.prefill);
    const int64_t decode = gp_serve_layout_gpus(&pools->layouts.decode);
    double gpu_s = 0;
    for (int h = 0; h < GP_DAY_HOURS; h++) {
        assert_true(a->replicas[h] >= 1 && a->replicas[h] <= pools->decode_replicas);
        assert_true(a->prefill_replicas[h] >= 1 &&
                    a->prefill_replicas[h] <= pools->prefill_replicas);
        gpu_s +=
            3600.0 *
            (double)(decode * (5 * a->replicas[h] + 2 * a->weekend_replicas[h]) +
                     prefill * (5 * a->prefill_replicas[h] + 2 * a->weekend_prefill_replicas[h]));
    }
    assert_true(near(a->gpu_s_per_week, gpu_s, 1e-12));
    assert_true(near(a->peak_gpu_s_per_week, 7 * 86400.0 * (double)w->chosen.gpus, 1e-12));
    assert_int_equal(a->prefill_replicas[14], pools->prefill_replicas);
    assert_true(a->prefill_replicas[2] < a->prefill_replicas[14] && a->saved_fraction > 0);
    spec_case_free(&c);
}

static void test_pools_by_order(void **state) {
    (void)state;
    spec_case c;
    /* Only what is chosen is simulated, and what is compared here is chosen once only. */
    spec_case_simulate = GP_PLAN_SIMULATE_OFF;
    const gp_workload_plan *w =
        plan_with(&c, HEAD POOL_H100(60) LONG_70B, "workloads.w.disaggregated", "false");
    assert_false(w->chosen.split.present);
    assert_false(w->apart.present);
    const int64_t together = w->chosen.gpus;
    spec_case_free(&c);
    w = plan_with(&c, HEAD POOL_H100(60) CHAT_8B, "workloads.w.disaggregated", "true");
    assert_true(w->chosen.feasible && w->chosen.split.present);
    spec_case_free(&c);
    w = plan_with(&c, HEAD POOL_H100(60) LONG_70B, NULL, NULL);
    assert_true(w->together.gpus <= together); /* where simulation asked for more than this */
    spec_case_free(&c);
    spec_case_simulate = GP_PLAN_SIMULATE_QUICK;
}

/* 4000 tokens of 80 layers, 8 KV heads of 128 in 16 bit over the links of the smaller side. */
static void test_transfer_is_priced(void **state) {
    (void)state;
    spec_case c;
    const gp_workload_plan *w = plan_with(&c, HEAD POOL_H100(60) LONG_70B, NULL, NULL);
    const gp_split_pools *pools = &w->chosen.split;
    const double tp =
        (double)(pools->layouts.prefill.tp < pools->layouts.decode.tp ? pools->layouts.prefill.tp
                                                                      : pools->layouts.decode.tp);
    const double bytes = 4000.0 * 2 * 80 * 8 * 128 * 2 / tp;
    assert_true(pools->transfer_s > bytes / 50e9 && pools->transfer_s < 1.6 * bytes / 50e9);
    assert_true(w->chosen.point.ttft_s > w->chosen.point.prefill_s + pools->transfer_s);
    spec_case_free(&c);
}

/* Pools draw what their mean hour takes, not what they are planned for. */
static void test_pools_draw_less_in_a_quiet_mean(void **state) {
    (void)state;
    static const char *const means[] = {"{mean: 6, peak: 12}", "{mean: 9, peak: 12}",
                                        "{mean: 12, peak: 12}"};
    double last_w = 0;
    int64_t gpus = 0;
    for (int i = 0; i < 3; i++) {
        spec_case c;
        const gp_workload_plan *w = plan_with(&c, HEAD POOL_H100(60) LONG_70B,
                                              "workloads.w.traffic.requestsPerSecond", means[i]);
        assert_true(w->chosen.split.present && (i == 0 || w->chosen.gpus == gpus));
        assert_true(w->chosen.gpu_mean_w > 1.05 * last_w);
        assert_true(w->chosen.it_mean_w < w->chosen.it_peak_w);
        last_w = w->chosen.gpu_mean_w;
        gpus = w->chosen.gpus;
        spec_case_free(&c);
    }
}

#define NIGHTLY_8B                                                                                 \
    "  workloads:\n"                                                                               \
    "    - name: w\n"                                                                              \
    "      type: inference\n"                                                                      \
    "      model: llama-3.1-8b\n"                                                                  \
    "      traffic: {requests: 10M, inputTokens: 1000, outputTokens: 200}\n"                       \
    "      goal: {completeWithin: 24h}\n"

/* Requests over the rate of all replicas, in time at the edge of the band; half the time takes
 * about twice the replicas. */
static void test_offline_job_meets_its_deadline(void **state) {
    (void)state;
    spec_case c;
    const gp_workload_plan *w = plan_with(&c, HEAD POOL_H100(8) NIGHTLY_8B, NULL, NULL);
    assert_true(w->is_offline && w->chosen.feasible);
    const double rate = w->chosen.point.max_requests_per_s * (double)w->chosen.replicas;
    assert_true(near(w->chosen.time_to_complete_s.expected, 10e6 / rate, 1e-9));
    assert_true(w->chosen.time_to_complete_s.high <= 24 * 3600 / 1.1 + 1);
    assert_string_equal(w->goals[0].name, "completeWithin");
    assert_true(w->goals[0].ok);
    assert_string_equal(w->flip.present ? w->flip.variable : "deadline", "deadline");
    const double gpus = (double)w->chosen.gpus;
    spec_case_free(&c);
    w = plan_with(&c, HEAD POOL_H100(8) NIGHTLY_8B, "workloads.w.goal.completeWithin", "12h");
    assert_true((double)w->chosen.gpus >= 1.5 * gpus && (double)w->chosen.gpus <= 2.5 * gpus);
    spec_case_free(&c);
}

/* Expected yield of k drafts, each standing with probability a: 1 + a + ... + a^k. At one sequence
 * a step is bound by reading weights, so the time per token falls by nearly the yield. */
static void test_speculation_shortens_steps(void **state) {
    (void)state;
    spec_case c;
    const gp_workload_plan *w = plan_with(&c, HEAD POOL_H100(4) CHAT_8B, NULL, NULL);
    const gp_network network = {
        .bytes_per_s = {5e10, 5e10, 5e10}, .unit_nodes = 32, .pod_nodes = 1024};
    const gp_machine *machine = &w->chosen.unit->machine;
    const gp_serve_layout layout = {1, 1, 1, 0, 0, 0, 0};
    gp_serve_job job = w->serve;
    const double plain =
        gp_decode_step_s(&job, machine, &network, &layout, c.result->constants, 1, 1000, NULL);
    job.draft_tokens = 3;
    job.draft_acceptance_fraction = 0.7;
    job.draft_cost_fraction = 0;
    const double yield = 1 + 0.7 + 0.49 + 0.343;
    const double drafted =
        gp_decode_step_s(&job, machine, &network, &layout, c.result->constants, 1, 1000, NULL);
    assert_true(near(plain / drafted, yield, 0.02));
    const double full =
        gp_decode_step_s(&job, machine, &network, &layout, c.result->constants, 2000, 1000, NULL);
    job.draft_tokens = 0;
    assert_true(full / gp_decode_step_s(&job, machine, &network, &layout, c.result->constants, 2000,
                                        1000, NULL) >
                drafted / plain); /* a full batch has no arithmetic to spare */
    job.draft_tokens = 3;
    job.draft_acceptance_fraction = 0;
    assert_true(gp_decode_step_s(&job, machine, &network, &layout, c.result->constants, 1, 1000,
                                 NULL) >= plain * (1 - 1e-12));
    spec_case_free(&c);
}

/* Adapters of a stated rank take their own memory: 50 of rank 64 over all matrices of an 8B. */
static void test_adapters_take_memory(void **state) {
    (void)state;
    spec_case c;
    const gp_override sets[] = {{"workloads.w.traffic.adapters", "50"},
                                {"workloads.w.adapter", "{rank: 64, targets: [all]}"}};
    assert_int_equal(spec_case_plan(&c, "t.yaml", HEAD POOL_H100(4) CHAT_8B, sets, 2), GP_OK);
    const gp_workload_plan *w = spec_case_workload(&c, "w");
    const double ranks = (double)(w->chosen.serve_layout.tp * w->chosen.serve_layout.pp);
    const double parameters =
        64.0 * 32 * (4096 + 4096 + 2 * (4096 + 1024) + 4096 + 4096 + 3 * (4096 + 14336));
    assert_true(near(w->chosen.memory.bytes[GP_MEMORY_ADAPTER], 50 * 2 * parameters / ranks, 1e-9));
    spec_case_free(&c);
}

/* The flip point of a service on its own machines is the rate that they hold: each is found by
 * itself, to 4 and to 5 %. */
static void test_held_rate_is_the_flip(void **state) {
    (void)state;
    spec_case c;
    const gp_workload_plan *w = plan_with(&c, HEAD POOL_H100(4) CHAT_8B,
                                          "workloads.w.traffic.requestsPerSecond.peak", "200");
    assert_string_equal(gp_scale_name(w->scale), "none");
    assert_true(w->flip.present && near(w->flip.at, w->held_requests_per_s, 0.06));
    for (int i = 0; i < w->software_change_count; i++)
        if (w->software_changes[i].gpus > 0 && w->software_changes[i].saved_fraction > 0)
            assert_true(w->software_changes[i].held_requests_per_s > w->held_requests_per_s);
    spec_case_free(&c);
}

/* Every layout sized for the demand; the chosen one is among them and none needs fewer machines. */
static void test_layouts_are_compared(void **state) {
    (void)state;
    spec_case c;
    const gp_workload_plan *w =
        plan_with(&c, HEAD POOL_H100(4) CHAT_8B, "workloads.w.disaggregated", "false");
    bool found = false;
    assert_int_equal(w->layout_count, 4); /* 1, 2, 4 and 8 GPUs */
    for (int i = 0; i < w->layout_count; i++) {
        const gp_candidate *row = &w->layouts[i];
        assert_int_equal(row->gpus, row->replicas * row->serve_layout.tp);
        assert_true(!row->feasible || row->nodes >= w->chosen.nodes);
        found = found || (row->feasible && row->gpus == w->chosen.gpus &&
                          row->serve_layout.tp == w->chosen.serve_layout.tp);
    }
    assert_true(found);
    spec_case_free(&c);
}

/* Three models of a GPU or two each on one machine, at the power of one. */
static void test_small_models_share_a_machine(void **state) {
    (void)state;
    static const char text[] = HEAD
        "  candidates: [dgx-h100]\n"
        "  workloads:\n"
        "    - {name: a, type: inference, model: llama-3.1-8b, traffic: {requestsPerSecond: 1, "
        "inputTokens: 800, outputTokens: 200}, goal: {slo: {ttft: 1 s, tpot: 50 ms}}}\n"
        "    - {name: b, type: inference, model: qwen2.5-7b, traffic: {requestsPerSecond: 1, "
        "inputTokens: 800, outputTokens: 200}, goal: {slo: {ttft: 1 s, tpot: 50 ms}}}\n"
        "    - {name: w, type: inference, model: llama-3.1-8b, traffic: {requestsPerSecond: 1, "
        "inputTokens: 800, outputTokens: 200}, goal: {slo: {ttft: 1 s, tpot: 50 ms}}}\n";
    spec_case c;
    const gp_workload_plan *w = plan_with(&c, text, NULL, NULL);
    const gp_site_plan *site = &c.result->site;
    assert_int_equal(w->chosen.nodes, 1);
    assert_int_equal(site->nodes, 1);
    assert_int_equal(site->bought_nodes, 1);
    assert_int_equal(site->shared_nodes, 2);
    assert_true(site->it_mean_w < 1.6 * w->chosen.it_mean_w);
    spec_case_free(&c);
    w = plan_with(&c, text, "workloads.w.placement.exclusive", "true");
    assert_int_equal(c.result->site.nodes, 2);
    spec_case_free(&c);
}

/* N+1 by word: one replica more than the load needs, wherever it runs. */
static void test_spare_replicas_by_word(void **state) {
    (void)state;
    spec_case c;
    const gp_workload_plan *w = plan_with(&c, HEAD POOL_H100(4) CHAT_8B, NULL, NULL);
    const int64_t alone = w->chosen.replicas;
    assert_int_equal(w->chosen.spare_replicas, 0);
    spec_case_free(&c);
    w = plan_with(&c, HEAD POOL_H100(4) CHAT_8B, "workloads.w.scaling.spareReplicas", "1");
    assert_int_equal(w->chosen.spare_replicas, 1);
    assert_true(alone >= 1 && w->chosen.replicas >= 2);
    assert_true(w->autoscale.min_replicas >= 2);
    spec_case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_profiles_shape_the_peak),
        cmocka_unit_test(test_hourly_factors_are_proportions),
        cmocka_unit_test(test_a_stated_peak_stands),
        cmocka_unit_test(test_lengths_from_quantiles),
        cmocka_unit_test(test_p99_is_judged),
        cmocka_unit_test(test_availability_is_a_goal),
        cmocka_unit_test(test_replicas_follow_the_profile),
        cmocka_unit_test(test_target_leaves_room_for_the_start),
        cmocka_unit_test(test_cold_start),
        cmocka_unit_test(test_declared_replicas_are_judged),
        cmocka_unit_test(test_pools_apart_where_they_save),
        cmocka_unit_test(test_pools_follow_the_profile),
        cmocka_unit_test(test_pools_by_order),
        cmocka_unit_test(test_transfer_is_priced),
        cmocka_unit_test(test_pools_draw_less_in_a_quiet_mean),
        cmocka_unit_test(test_offline_job_meets_its_deadline),
        cmocka_unit_test(test_speculation_shortens_steps),
        cmocka_unit_test(test_adapters_take_memory),
        cmocka_unit_test(test_held_rate_is_the_flip),
        cmocka_unit_test(test_layouts_are_compared),
        cmocka_unit_test(test_small_models_share_a_machine),
        cmocka_unit_test(test_spare_replicas_by_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
