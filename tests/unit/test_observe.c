/* Plan against reality: which drift is a breach, what cannot be told, and where growth moves. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "catalog/constants.h"
#include "report/observe.h"
#include "plan/plan.h"
#include "render/forms.h"
#include "support/telemetry.h"

/* A service of three replicas on H200, and what a server has read of it. */
typedef struct fixture {
    gp_arena *arena;
    gp_constants constants;
    gp_gpu gpu;
    gp_unit unit;
    gp_workload workloads[2];
    gp_workload_plan plans[2];
    gp_plan_result result;
    gp_telemetry_reading readings[8];
    gp_telemetry telemetry;
    gp_observe_subject subjects[2];
    gp_observe_limit limits[2];
    gp_observe_options options;
    gp_observation observation;
} fixture;

static const char served[] = "org/model";
static const char *const gpu_aliases[] = {"H200"};

static void set_plan(fixture *f) {
    f->constants = (gp_constants){
        .observe_demand_fraction = 0.2,
        .observe_length_fraction = 0.2,
        .observe_latency_fraction = 0.25,
        .observe_memory_fraction = 0.15,
        .observe_kv_full_fraction = 0.9,
        .observe_replicas_fraction = 0.1,
        .observe_running_fraction = 0.3,
        .observe_power_fraction = 0.15,
        .observe_activity_fraction = 0.1,
    };
    f->gpu = (gp_gpu){.id = "h200-sxm"};
    f->gpu.aliases.count = 1;
    f->gpu.aliases.items = (const char **)(uintptr_t)gpu_aliases;
    f->unit = (gp_unit){.machine = {.gpu = &f->gpu}};
    f->workloads[0].name = "chat";
    f->workloads[1].name = "train";
    gp_workload_plan *plan = &f->plans[0];
    plan->workload = &f->workloads[0];
    plan->is_serving = true;
    plan->traffic = (gp_traffic_plan){.mean_per_s = 6, .peak_per_s = 9};
    plan->serve = (gp_serve_job){.input_tokens = 2000, .output_tokens = 400, .branches = 1};
    plan->chosen = (gp_candidate){.present = true,
                                  .unit = &f->unit,
                                  .replicas = 3,
                                  .gpu_mean_w = 440,
                                  .nodes = 2,
                                  .it_mean_w = 10000};
    plan->chosen.ttft_p95_s.expected = 0.7;
    plan->chosen.tpot_p95_s.expected = 0.025;
    plan->chosen.serve_memory.kv_pool_tokens = 1e6;
    plan->chosen.point.batch = 20;
    plan->goal_count = 1;
    plan->goals[0] = (gp_goal_result){.name = "ttftP95", .dim = GP_DIM_TIME, .target = 2};
    f->plans[1].workload = &f->workloads[1];
    f->result = (gp_plan_result){.constants = &f->constants};
    f->result.workloads.items = f->plans;
    f->result.workloads.count = 1;
}

static gp_telemetry_reading *add_reading(fixture *f, const char *id, const char *subject,
                                         double value) {
    gp_telemetry_reading *reading = &f->readings[f->telemetry.readings.count++];
    double none = (double)NAN;
    *reading = (gp_telemetry_reading){.metric = metric_named(id),
                                      .subject = subject,
                                      .query = "q",
                                      .samples = 10,
                                      .mean = value,
                                      .p10 = value,
                                      .p50 = value,
                                      .p90 = value,
                                      .p95 = value,
                                      .p99 = value,
                                      .most = value,
                                      .p95_low = none,
                                      .p95_high = none,
                                      .p99_low = none,
                                      .p99_high = none};
    f->telemetry.readings.items = f->readings;
    return reading;
}

static int open_fixture(void **state) {
    fixture *f = calloc(1, sizeof *f);
    f->arena = gp_arena_new((size_t)1 << 26);
    set_plan(f);
    f->telemetry.arena = f->arena;
    f->subjects[0].served = served;
    f->options = (gp_observe_options){.subjects = f->subjects, .limits = f->limits};
    *state = f;
    return 0;
}

static int close_fixture(void **state) {
    fixture *f = *state;
    gp_arena_free(f->arena);
    free(f);
    return 0;
}

static const gp_observed_figure *find(const fixture *f, const char *metric) {
    for (size_t i = 0; i < f->observation.figures.count; i++) {
        if (strcmp(f->observation.figures.items[i].metric, metric) == 0) {
            return &f->observation.figures.items[i];
        }
    }
    fail_msg("no figure %s", metric);
    return NULL;
}

static void observe(fixture *f) {
    f->observation = (gp_observation){.plan = "p"};
    gp_observe_build(f->arena, &f->result, &f->telemetry, &f->options, &f->observation);
}

static gp_observed_state state_with(fixture *f, const char *id, const char *metric, double value) {
    f->telemetry.readings.count = 0;
    (void)add_reading(f, id, served, value);
    observe(f);
    return find(f, metric)->state;
}

static void drift_counts_on_its_side(void **state) {
    fixture *f = *state;
    assert_int_equal(state_with(f, "requestRate", "requestRate", 7.2), GP_OBSERVED_OK);
    assert_int_equal(state_with(f, "requestRate", "requestRate", 7.3), GP_OBSERVED_BREACH);
    assert_int_equal(state_with(f, "requestRate", "requestRate", 4.7), GP_OBSERVED_BREACH);
    /* A quieter peak is no breach, a smaller cache is, a larger one is not. */
    assert_int_equal(state_with(f, "requestRate", "requestRatePeak", 1), GP_OBSERVED_OK);
    assert_int_equal(state_with(f, "kvPool", "kvPool", 840000), GP_OBSERVED_BREACH);
    assert_int_equal(state_with(f, "kvPool", "kvPool", 2e6), GP_OBSERVED_OK);
    assert_int_equal(state_with(f, "kvUse", "kvFull", 0.95), GP_OBSERVED_BREACH);
    assert_true(f->observation.breaches > 0);
    assert_false(f->observation.ok);
}

static void limits_can_be_given(void **state) {
    fixture *f = *state;
    f->limits[0] = (gp_observe_limit){"requestRate", 0.5};
    f->options.limit_count = 1;
    assert_int_equal(state_with(f, "requestRate", "requestRate", 8.9), GP_OBSERVED_OK);
    assert_int_equal(state_with(f, "requestRate", "requestRate", 9.1), GP_OBSERVED_BREACH);
}

/* 875 ms may pass: the percentile is above, its bucket begins below. */
static void a_wide_bucket_tells_nothing(void **state) {
    fixture *f = *state;
    gp_telemetry_reading *ttft = add_reading(f, "ttft", served, 0.9);
    ttft->p95_low = 0.5;
    ttft->p95_high = 1;
    observe(f);
    assert_int_equal(find(f, "ttftP95")->state, GP_OBSERVED_UNSURE);
    assert_non_null(strstr(find(f, "ttftP95")->reason, "bucket"));
    assert_true(f->observation.ok);
    ttft->p95_low = 0.88;
    observe(f);
    assert_int_equal(find(f, "ttftP95")->state, GP_OBSERVED_BREACH);
    assert_int_equal(find(f, "goal.ttftP95")->state, GP_OBSERVED_OK);
}

static void what_is_missing_is_not_judged(void **state) {
    fixture *f = *state;
    gp_telemetry_absence absence = {metric_named("ttft"), GP_TELEMETRY_MISSING,
                                    "scrape the engine"};
    f->telemetry.absences.items = &absence;
    f->telemetry.absences.count = 1;
    observe(f);
    const gp_observed_figure *ttft = find(f, "ttftP95");
    assert_int_equal(ttft->state, GP_OBSERVED_NOT_MEASURED);
    assert_string_equal(ttft->reason, "scrape the engine");
    assert_true(isnan(ttft->observed) && isnan(ttft->drift_fraction));
    assert_true(f->observation.ok);
    assert_int_equal(f->observation.missing.count, 1);
}

static void a_service_that_nobody_reports_is_told(void **state) {
    fixture *f = *state;
    f->subjects[0] = (gp_observe_subject){.reason = "no engine reports its model"};
    (void)add_reading(f, "requestRate", served, 100);
    observe(f);
    assert_int_equal(find(f, "requestRate")->state, GP_OBSERVED_NOT_MEASURED);
    assert_string_equal(find(f, "requestRate")->reason, "no engine reports its model");
}

static void power_of_shared_gpus_is_nobodys(void **state) {
    fixture *f = *state;
    (void)add_reading(f, "gpuPowerLoad", "NVIDIA H200", 560);
    observe(f);
    assert_int_equal(find(f, "gpuPower")->state, GP_OBSERVED_BREACH);
    f->plans[1].chosen = (gp_candidate){.present = true, .unit = &f->unit};
    f->result.workloads.count = 2;
    observe(f);
    assert_int_equal(find(f, "gpuPower")->state, GP_OBSERVED_NOT_MEASURED);
    assert_non_null(strstr(find(f, "gpuPower")->reason, "also runs train"));
}

static void running_is_per_replica(void **state) {
    fixture *f = *state;
    (void)add_reading(f, "running", served, 48);
    (void)add_reading(f, "replicas", served, 3);
    observe(f);
    assert_true(fabs(find(f, "running")->observed - 16) < 1e-9);
    assert_int_equal(find(f, "replicas")->state, GP_OBSERVED_OK);
}

/* ---- growth */

static gp_report_growth quarters[] = {
    {.quarter = "2027-Q1"}, {.quarter = "2027-Q2"}, {.quarter = "2027-Q3"}};

static gp_report report_with(gp_report_growth *rows, const char *limit, size_t at, size_t buy) {
    gp_report report = {.schema_version = NULL};
    memcpy(rows, quarters, sizeof quarters);
    if (limit != NULL) {
        rows[at].limit_hit = limit;
    }
    if (buy < 3) {
        rows[buy].buy_nodes = 1;
        rows[buy].order_by = "2026-07-03";
    }
    report.growth.items = rows;
    report.growth.count = 3;
    return report;
}

static void limits_move(void **state) {
    fixture *f = *state;
    gp_report_growth was[3];
    gp_report_growth is[3];
    const gp_report planned = report_with(was, "power", 2, 2);
    const gp_report measured = report_with(is, "power", 1, 0);
    gp_observe_growth(f->arena, &planned, &measured, &f->observation);
    assert_int_equal(f->observation.shifts.count, 2);
    assert_string_equal(f->observation.shifts.items[0].sentence,
                        "power moves from 2027-Q3 to 2027-Q2");
    assert_true(f->observation.shifts.items[0].earlier);
    assert_string_equal(f->observation.shifts.items[1].sentence,
                        "the first purchase moves from 2027-Q3 to 2027-Q1: order by 2026-07-03");
}

static void limits_come_and_go(void **state) {
    fixture *f = *state;
    gp_report_growth was[3];
    gp_report_growth is[3];
    const gp_report planned = report_with(was, "space", 1, 3);
    const gp_report measured = report_with(is, "power", 1, 3);
    gp_observe_growth(f->arena, &planned, &measured, &f->observation);
    assert_int_equal(f->observation.shifts.count, 2);
    assert_string_equal(f->observation.shifts.items[0].sentence,
                        "space, planned for 2027-Q2, is no longer due within the horizon");
    assert_false(f->observation.shifts.items[0].earlier);
    assert_string_equal(f->observation.shifts.items[1].sentence,
                        "power, not planned within the horizon, is now due in 2027-Q2");
    assert_true(f->observation.shifts.items[1].earlier);
}

static void measured_traffic_becomes_overrides(void **state) {
    fixture *f = *state;
    gp_telemetry_reading *rate = add_reading(f, "requestRate", served, 7.25);
    rate->most = 12;
    (void)add_reading(f, "inputTokens", served, 2100);
    gp_observe_overrides(f->arena, &f->result, &f->telemetry, &f->options, &f->observation);
    assert_int_equal(f->observation.overrides.count, 2);
    assert_string_equal(f->observation.overrides.items[0].path,
                        "workloads.chat.traffic.requestsPerSecond");
    assert_string_equal(f->observation.overrides.items[0].value, "{mean: 7.25, peak: 12}");
    assert_string_equal(f->observation.overrides.items[1].value, "{mean: 2100}");
}

/* ---- forms */

static void forms_escape_what_a_server_says(void **state) {
    fixture *f = *state;
    static const char hostile[] = "<b>&\"|`\n# EOF";
    (void)add_reading(f, "requestRate", served, 100);
    f->subjects[0].served = served;
    observe(f);
    f->observation.server = hostile;
    f->observation.spec = hostile;
    f->observation.plan = hostile;
    f->observation.until = "2026-06-01T10:00:00Z";
    for (size_t i = 0; gp_forms_name(&gp_forms_observation, i) != NULL; i++) {
        const char *form = gp_forms_name(&gp_forms_observation, i);
        const char *text = NULL;
        size_t len = 0;
        assert_int_equal(gp_forms_render(f->arena, &gp_forms_observation, form, &f->observation,
                                               NULL, &text, &len),
                         GP_OK);
        assert_true(len > 0 && text[len - 1] == '\n');
        if (strcmp(form, "junit") == 0 ||
            strcmp(form, "markdown") == 0) {
            assert_null(strstr(text, "<b>"));
        }
        if (strcmp(form, "openmetrics") == 0) {
            assert_ptr_equal(strstr(text, "\n# EOF"), text + len - strlen("\n# EOF\n"));
        }
    }
    assert_string_equal(gp_forms_for_file(&gp_forms_observation, "a/b.prom"), "openmetrics");
    assert_null(gp_forms_for_file(&gp_forms_observation, "a/b.csv"));
}

int main(void) {
#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, open_fixture, close_fixture)
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(drift_counts_on_its_side),
        WITH_FIXTURE(limits_can_be_given),
        WITH_FIXTURE(a_wide_bucket_tells_nothing),
        WITH_FIXTURE(what_is_missing_is_not_judged),
        WITH_FIXTURE(a_service_that_nobody_reports_is_told),
        WITH_FIXTURE(power_of_shared_gpus_is_nobodys),
        WITH_FIXTURE(running_is_per_replica),
        WITH_FIXTURE(limits_move),
        WITH_FIXTURE(limits_come_and_go),
        WITH_FIXTURE(measured_traffic_becomes_overrides),
        WITH_FIXTURE(forms_escape_what_a_server_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
