/* Queries to a Prometheus server, and its answers as recorded, into readings. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "import/telemetry_query.h"
#include "support/telemetry.h"

#define EMPTY  "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[]}}"
#define VECTOR "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":["
#define MATRIX "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":["
#define END    "]}}"

static gp_arena *arena;
static gp_telemetry *telemetry;
static const gp_telemetry_options day = {.end_s = 1780308000, .window_s = 86400};

static int open_arena(void **state) {
    (void)state;
    arena = gp_arena_new((size_t)1 << 28);
    gp_telemetry_open(arena, &day, &telemetry);
    return 0;
}

static int close_arena(void **state) {
    (void)state;
    gp_arena_free(arena);
    return 0;
}

static gp_text *text_of(const char *body) {
    gp_text *text = NULL;
    assert_int_equal(gp_text_init(arena, "server", body, strlen(body), &text), GP_OK);
    return text;
}

/* Goes to a figure of the table; what is asked before it gets nothing. */
static void go_to(const char *id) {
    telemetry->at = (size_t)(metric_named(id) - gp_telemetry_metrics);
    telemetry->step = GP_TELEMETRY_ASK_VALUES;
}

static gp_status take(const char *body) {
    return gp_telemetry_take(telemetry, 200, text_of(body));
}

static void figure(double value, double expected) {
    if (fabs(value - expected) > 1e-9 * fabs(expected)) {
        fail_msg("%.12g is not %.12g", value, expected);
    }
}

static const char *query_of(const char *id, const gp_telemetry_options *options) {
    const char *query = NULL;
    assert_int_equal(gp_telemetry_query(arena, metric_named(id),
                                        GP_TELEMETRY_ASK_VALUES, options, &query),
                     GP_OK);
    return query;
}

/* ---- queries */

static void queries_join_names_and_keep_blanks_out(void **state) {
    (void)state;
    const gp_telemetry_options chosen = {
        .selector = "cluster=\"a\"", .end_s = 1780308000, .window_s = 86400};
    assert_string_equal(query_of("kvUse", &day),
                        "avg by (model_name) ((vllm:kv_cache_usage_perc{} >= 0 <= 1 or "
                        "vllm:gpu_cache_usage_perc{} >= 0 <= 1 or "
                        "sglang:token_usage{} >= 0 <= 1))");
    assert_string_equal(query_of("gpuPower", &chosen),
                        "avg by (modelName) ((DCGM_FI_DEV_POWER_USAGE{cluster=\"a\"} >= 1 <= "
                        "5000))");
    assert_string_equal(query_of("requestRate", &day),
                        "sum by (model_name) ((rate(vllm:request_success_total{}[300s]) or "
                        "rate(sglang:num_requests_total{}[300s])))");
}

static void a_later_name_counts_where_the_newer_is_missing(void **state) {
    (void)state;
    const char *query = query_of("tpot", &day);
    assert_non_null(strstr(query, "(increase(vllm:time_per_output_token_seconds_bucket{}[86400s]) "
                                  "unless ignoring (le) "
                                  "increase(vllm:inter_token_latency_seconds_bucket{}[86400s]))"));
    assert_non_null(strstr(query, "label_replace(sum by (model_name) ("));
}

static void requests_are_forms(void **state) {
    (void)state;
    gp_telemetry_request request = {0};
    const gp_telemetry_options year = {.end_s = 1780308000.7, .window_s = 366 * 86400.0};
    const gp_telemetry_metric *power = metric_named("gpuPower");
    const gp_telemetry_metric *ttft = metric_named("ttft");
    assert_int_equal(gp_telemetry_request_of(arena, power, GP_TELEMETRY_ASK_VALUES, &day,
                                             "a{b=\"c d\"}+1", &request),
                     GP_OK);
    assert_string_equal(request.path, "/api/v1/query_range");
    assert_string_equal(request.form, "query=a%7Bb%3D%22c%20d%22%7D%2B1&start=1780221660&end="
                                      "1780308000&step=60");
    assert_int_equal(
        gp_telemetry_request_of(arena, ttft, GP_TELEMETRY_ASK_VALUES, &day, "x", &request), GP_OK);
    assert_string_equal(request.path, "/api/v1/query");
    assert_string_equal(request.form, "query=x&time=1780308000");
    /* A server refuses more than 11,000 points. */
    assert_true(year.window_s / gp_telemetry_step_s(&year) <= 11000);
}

static void every_row_makes_queries(void **state) {
    (void)state;
    for (size_t i = 0; i < gp_telemetry_metric_count; i++) {
        const gp_telemetry_metric *metric = &gp_telemetry_metrics[i];
        assert_true(metric->factor > 0 && metric->most > metric->least);
        assert_non_null(metric->enable);
        assert_ptr_equal(metric_named(metric->id), metric);
        for (int step = 0; step < GP_TELEMETRY_STEP_COUNT; step++) {
            const char *query = NULL;
            assert_int_equal(
                gp_telemetry_query(arena, metric, (gp_telemetry_step)step, &day, &query), GP_OK);
            assert_null(strchr(query, '$'));
        }
    }
    assert_null(metric_named("mfu"));
}

static void selectors_are_checked(void **state) {
    (void)state;
    assert_null(gp_telemetry_selector_problem("cluster=\"a\",job=~\"dc{gm}|x\\\"y\""));
    assert_non_null(gp_telemetry_selector_problem("{cluster=\"a\"}"));
    assert_non_null(gp_telemetry_selector_problem("cluster=\"a"));
    assert_non_null(gp_telemetry_selector_problem("cluster"));
    assert_non_null(gp_telemetry_selector_problem("a=\"b\"}) or vector(1"));
    assert_non_null(gp_telemetry_selector_problem("a=\"b\"\n"));
}

/* ---- answers */

static void values_are_strings_and_nan_is_left_out(void **state) {
    (void)state;
    go_to("gpuPower");
    assert_int_equal(take(MATRIX
                          "{\"metric\":{\"modelName\":\"NVIDIA H100\"},\"values\":["
                          "[1780308000,\"600\"],[1780308060,\"NaN\"],[1780308120.5,\"+Inf\"],"
                          "[1780308180,\"500\"],[1780308240,\"9223372036854775794\"]]}" END),
                     GP_OK);
    const gp_telemetry_reading *power =
        gp_telemetry_reading_of(telemetry, "gpuPower", "NVIDIA H100");
    assert_non_null(power);
    assert_int_equal(power->samples, 2);
    assert_int_equal(power->dropped, 3);
    figure(power->mean, 550);
    figure(power->p50, 550);
    figure(power->most, 600);
    figure(power->last, 500);
    assert_null(gp_telemetry_reading_of(telemetry, "gpuPower", "NVIDIA B200"));
}

static void units_become_si(void **state) {
    (void)state;
    static const struct {
        const char *id, *value;
        double expected;
    } cases[] = {
        {"gpuUtilization", "92", 0.92},         /* percent */
        {"tensorActive", "0.412307", 0.412307}, /* a ratio already */
        {"memoryUsed", "71220", 71220.0 * 1048576},
        {"gpuEnergyPower", "612441", 612.441}, /* mJ per second */
        {"smClock", "1980", 1.98e9},
        {"kvUse", "0.713", 0.713}, /* "perc" is a share */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *body = gp_arena_printf(
            arena, MATRIX "{\"metric\":{},\"values\":[[1,\"%s\"]]}" END, cases[i].value);
        go_to(cases[i].id);
        assert_int_equal(take(body), GP_OK);
        figure(gp_telemetry_reading_of(telemetry, cases[i].id, "")->mean, cases[i].expected);
    }
}

static void percentiles_interpolate(void **state) {
    (void)state;
    go_to("requestRate");
    assert_int_equal(take(MATRIX "{\"metric\":{\"model_name\":\"m\"},\"values\":[[1,\"4\"],[2,"
                                 "\"1\"],[3,\"3\"],[4,\"2\"],[5,\"5\"]]}" END),
                     GP_OK);
    const gp_telemetry_reading *rate = gp_telemetry_reading_of(telemetry, "requestRate", "m");
    figure(rate->mean, 3);
    figure(rate->p10, 1.4);
    figure(rate->p50, 3);
    figure(rate->p90, 4.6);
    figure(rate->most, 5);
}

/* The histogram of vLLM's own documentation, in all the order that a server may choose. */
static void histograms_have_brackets(void **state) {
    (void)state;
    go_to("ttft");
    assert_int_equal(
        take(VECTOR "{\"metric\":{\"model_name\":\"m\",\"le\":\"+Inf\"},\"value\":[1,\"600\"]},"
                    "{\"metric\":{\"model_name\":\"m\",\"le\":\"0.5\"},\"value\":[1,\"282\"]},"
                    "{\"metric\":{\"model_name\":\"m\",\"le\":\"0.75\"},\"value\":[1,\"453\"]},"
                    "{\"metric\":{\"model_name\":\"m\",\"le\":\"1.0\"},\"value\":[1,\"543\"]},"
                    "{\"metric\":{\"model_name\":\"m\",\"le\":\"2.5\"},\"value\":[1,\"598\"]},"
                    "{\"metric\":{\"model_name\":\"m\",\"le\":\"5.0\"},\"value\":[1,\"598\"]},"
                    "{\"metric\":{\"model_name\":\"m\",\"le\":\"sum\"},\"value\":[1,\"367.44\"]},"
                    "{\"metric\":{\"model_name\":\"n\",\"le\":\"+Inf\"},\"value\":[1,\"7\"]},"
                    "{\"metric\":{\"model_name\":\"n\",\"le\":\"0.5\"},\"value\":[1,\"0\"]}" END),
        GP_OK);
    const gp_telemetry_reading *ttft = gp_telemetry_reading_of(telemetry, "ttft", "m");
    assert_int_equal(ttft->samples, 600);
    figure(ttft->mean, 0.6124);
    figure(ttft->p50, 0.5 + 0.25 * (300.0 - 282) / (453 - 282));
    figure(ttft->p95_low, 1);
    figure(ttft->p95_high, 2.5);
    figure(ttft->p95, 1 + 1.5 * (570.0 - 543) / (598 - 543));
    /* Beyond the last edge there is only the edge below. */
    const gp_telemetry_reading *open = gp_telemetry_reading_of(telemetry, "ttft", "n");
    figure(open->p95, 0.5);
    assert_true(isinf(open->p95_high));
    assert_true(isnan(open->mean));
}

static void no_requests_are_not_zero_seconds(void **state) {
    (void)state;
    go_to("ttft");
    assert_int_equal(
        take(VECTOR "{\"metric\":{\"model_name\":\"m\",\"le\":\"+Inf\"},\"value\":[1,\"0\"]},"
                    "{\"metric\":{\"model_name\":\"m\",\"le\":\"0.5\"},\"value\":[1,\"0\"]}" END),
        GP_OK);
    assert_null(gp_telemetry_reading_of(telemetry, "ttft", NULL));
    assert_int_equal(take(VECTOR "{\"metric\":{},\"value\":[1,\"4\"]}" END), GP_OK);
    assert_non_null(strstr(gp_telemetry_absence_of(telemetry, "ttft"), "nothing of it fell"));
}

static void the_pool_comes_from_labels(void **state) {
    (void)state;
    go_to("kvPool");
    assert_int_equal(take(VECTOR
                          "{\"metric\":{\"block_size\":\"16\",\"num_gpu_blocks\":\"27912\"},"
                          "\"value\":[1,\"1\"]},{\"metric\":{\"model_name\":\"s\"},\"value\":[1,"
                          "\"90000\"]}" END),
                     GP_OK);
    figure(gp_telemetry_reading_of(telemetry, "kvPool", "")->mean, 446592);
    figure(gp_telemetry_reading_of(telemetry, "kvPool", "s")->mean, 90000);
}

/* ---- what is missing */

static void missing_names_the_row_to_switch_on(void **state) {
    (void)state;
    go_to("nvlinkSent");
    assert_int_equal(take(EMPTY), GP_OK); /* values */
    assert_int_equal(take(EMPTY), GP_OK); /* blanks */
    assert_int_equal(take(EMPTY), GP_OK); /* presence */
    assert_string_equal(telemetry->absences.items[0].metric->id, "nvlinkSent");
    assert_int_equal(telemetry->absences.items[0].lack, GP_TELEMETRY_MISSING);
    assert_non_null(
        strstr(telemetry->absences.items[0].reason, "enable the row DCGM_FI_PROF_NVLINK_TX_BYTES"));
    assert_string_equal(gp_telemetry_metrics[telemetry->at].id, "nvlinkReceived");
}

static void blanks_are_told_from_values(void **state) {
    (void)state;
    go_to("gpuTemperature");
    assert_int_equal(take(EMPTY), GP_OK);
    assert_int_equal(take(VECTOR "{\"metric\":{},\"value\":[1,\"96\"]}" END), GP_OK);
    assert_int_equal(telemetry->absences.items[0].lack, GP_TELEMETRY_BLANK);
    assert_int_equal(telemetry->blanks, 96);
    assert_null(gp_telemetry_reading_of(telemetry, "gpuTemperature", NULL));
}

static void what_is_optional_is_not_told(void **state) {
    (void)state;
    go_to("smActive");
    assert_int_equal(take(EMPTY), GP_OK);
    assert_int_equal(take(EMPTY), GP_OK);
    assert_int_equal(take(EMPTY), GP_OK);
    assert_int_equal(telemetry->absences.count, 0);
}

static void the_walk_ends(void **state) {
    (void)state;
    gp_telemetry_request request;
    size_t asked = 0;
    while (gp_telemetry_next(telemetry, &request) == GP_OK) {
        assert_int_equal(take(EMPTY), GP_OK);
        asked++;
    }
    assert_true(asked > gp_telemetry_metric_count && asked <= 3 * gp_telemetry_metric_count);
    assert_int_equal(telemetry->readings.count, 0);
    assert_int_equal(take(EMPTY), GP_ERR_INTERNAL);
}

/* ---- what is no answer */

static void wrong_answers_are_refused(void **state) {
    (void)state;
    static const struct {
        long status;
        const char *body, *problem;
    } cases[] = {
        {400, "{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"1:4: parse error\"}",
         "the server answers bad_data: 1:4: parse error"},
        {200, "{\"status\":\"error\",\"errorType\":\"x\\u001b[1m\",\"error\":\"\"}",
         "the server answers x [1m: it gives no reason"},
        {404, "404 page not found", "the server answers HTTP 404"},
        {503, "{}", "the server answers HTTP 503"},
        {200, "<html>", "the answer is no JSON object"},
        {200, "[]", "the answer is no JSON object"},
        {200, "", "the answer is no JSON object"},
        {200, "{}", "the answer is not one of the Prometheus query API"},
        {200, "{\"status\":\"success\",\"data\":{\"resultType\":\"scalar\",\"result\":[1,\"5\"]}}",
         "the answer holds no vector and no matrix"},
        {200, "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":{}}}",
         "the answer holds no vector and no matrix"},
        {200, VECTOR "{\"metric\":{},\"histogram\":[1,{}]}" END,
         "a series of the answer has no values"},
        {200, VECTOR "{\"metric\":[],\"value\":[1,\"1\"]}" END,
         "a series of the answer has no values"},
        {200, VECTOR "5" END, "a series of the answer has no values"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        go_to("gpuPower");
        assert_int_equal(gp_telemetry_take(telemetry, cases[i].status, text_of(cases[i].body)),
                         GP_ERR_INPUT);
        assert_string_equal(telemetry->problem, cases[i].problem);
    }
    assert_int_equal(telemetry->readings.count, 0);
}

static void warnings_are_kept_once(void **state) {
    (void)state;
    static const char body[] =
        "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[]},"
        "\"warnings\":[\"one store\\nis slow\"],\"infos\":[\"one store\\nis slow\"]}";
    go_to("gpuPower");
    assert_int_equal(take(body), GP_OK);
    assert_int_equal(take(body), GP_OK);
    assert_int_equal(telemetry->warnings.count, 1);
    assert_string_equal(telemetry->warnings.items[0], "one store is slow");
}

/* ---- names */

static void names_meet(void **state) {
    (void)state;
    static const char *const aliases[] = {"H200-SXM5-141GB", "H200"};
    const gp_gpu gpu = {.id = "h200-sxm",
                        .aliases = {.count = 2, .items = (const char **)(uintptr_t)aliases}};
    const char *subject = NULL;
    assert_true(gp_telemetry_same_name("meta-llama/Llama-3.1-70B", "llama-3.1-70b"));
    assert_true(gp_telemetry_same_name("/models/Llama_3.1_70B", "llama-3.1-70b"));
    assert_false(gp_telemetry_same_name("llama-3.1-70b-fp8", "llama-3.1-70b"));
    assert_false(gp_telemetry_same_name("llama-3.1-7", "llama-3.1-70b"));
    assert_false(gp_telemetry_same_name(NULL, "a"));
    go_to("gpuPower");
    assert_int_equal(take(MATRIX "{\"metric\":{\"modelName\":\"NVIDIA H200\"},\"values\":[[1,"
                                 "\"600\"]]},{\"metric\":{\"modelName\":\"NVIDIA A100-SXM4-80GB\"},"
                                 "\"values\":[[1,\"300\"]]}" END),
                     GP_OK);
    gp_telemetry_gpu(telemetry, &gpu, &subject);
    assert_string_equal(subject, "NVIDIA H200");
    const char *const *names = NULL;
    size_t count = 0;
    gp_telemetry_subjects(telemetry, GP_TELEMETRY_DEVICE, &names, &count);
    assert_int_equal(count, 2);
    assert_string_equal(names[0], "NVIDIA A100-SXM4-80GB");
}

int main(void) {
#define WITH_ARENA(test) cmocka_unit_test_setup_teardown(test, open_arena, close_arena)
    const struct CMUnitTest tests[] = {
        WITH_ARENA(queries_join_names_and_keep_blanks_out),
        WITH_ARENA(a_later_name_counts_where_the_newer_is_missing),
        WITH_ARENA(requests_are_forms),
        WITH_ARENA(every_row_makes_queries),
        WITH_ARENA(selectors_are_checked),
        WITH_ARENA(values_are_strings_and_nan_is_left_out),
        WITH_ARENA(units_become_si),
        WITH_ARENA(percentiles_interpolate),
        WITH_ARENA(histograms_have_brackets),
        WITH_ARENA(no_requests_are_not_zero_seconds),
        WITH_ARENA(the_pool_comes_from_labels),
        WITH_ARENA(missing_names_the_row_to_switch_on),
        WITH_ARENA(blanks_are_told_from_values),
        WITH_ARENA(what_is_optional_is_not_told),
        WITH_ARENA(the_walk_ends),
        WITH_ARENA(wrong_answers_are_refused),
        WITH_ARENA(warnings_are_kept_once),
        WITH_ARENA(names_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
