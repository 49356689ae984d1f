/*
 * report.json of plans with many workloads: what one of them takes, and that it is read back whole.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "render/forms.h"
#include "report/produce.h"
#include "support/spec_case.h"

enum { TEXT_MOST = 1 << 20, FEW = 10, MANY = 50, BYTES_EACH = 10000 };

/* Workloads of all four kinds, of several models, that may run on four kinds of machine. */
static const char *spec_of(gp_arena *arena, int count) {
    static const char *const work[] = {
        "type: training, data: {tokens: 20B tokens, sequenceLength: 8192, globalBatch: 4M tokens}, "
        "goal: {completeWithin: 30d}",
        "type: finetune, data: {samples: 50k, tokensPerSample: 1500, epochs: 2, sequenceLength: "
        "4096, globalBatch: 256k}, goal: {every: 7d, maxDuration: 24h}",
        "type: lora, adapter: {method: qlora, rank: 16}, data: {tokens: 20M tokens, "
        "sequenceLength: 2048, globalBatch: 32k}, jobs: {perWeek: 9, concurrent: 2}, goal: "
        "{maxDuration: 4h}",
        "type: inference, traffic: {requestsPerSecond: 6, inputTokens: 2000, outputTokens: 400}, "
        "goal: {slo: {ttft: 2 s, tpot: 50 ms}}",
    };
    static const char *const models[] = {"llama-3.1-8b", "qwen3-32b", "llama-3.1-70b"};
    gp_buf buf;
    const char *text = NULL;
    gp_buf_init(&buf, arena, TEXT_MOST);
    gp_buf_printf(&buf,
                  "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: many}\nspec:\n"
                  "  cluster:\n    pools:\n      - {name: train, system: dgx-h100, count: %d}\n"
                  "      - {name: serve, system: dgx-h200, count: %d}\n"
                  "    fabrics:\n      - {name: compute, rate: 400 Gb/s, switch: qm9700}\n"
                  "  candidates: [dgx-h100, dgx-h200, dgx-b200, dgx-a100]\n  workloads:\n",
                  count, count / 4 + 1);
    for (int i = 0; i < count; i++)
        gp_buf_printf(&buf, "    - {name: w-%04d, model: %s, %s}\n", i, models[i % 3], work[i % 4]);
    assert_int_equal(gp_buf_finish(&buf, &text, NULL), GP_OK);
    return text;
}

static const char *json_of(gp_arena *arena, const gp_report *report) {
    const char *text = NULL;
    assert_int_equal(
        gp_render_reports(arena, gp_renderer_named("json"), &report, 1, NULL, &text, NULL), GP_OK);
    return text;
}

static const gp_report *report_of(spec_case *c, int count) {
    gp_report *report = NULL;
    gp_arena *arena = gp_arena_new((size_t)1 << 30);
    assert_int_equal(spec_case_plan(c, "many.yaml", spec_of(arena, count), NULL, 0), GP_OK);
    gp_report_build(c->arena, c->result, NULL, &report);
    gp_arena_free(arena);
    return report;
}

static gp_status parse(gp_arena *arena, const char *json, const gp_report **ret) {
    gp_text *text = NULL;
    gp_diags diags;
    gp_report_list reports = {0};
    gp_diags_init(&diags, arena);
    assert_int_equal(gp_text_init(arena, "report.json", json, strlen(json), &text), GP_OK);
    const gp_status st = gp_report_parse(arena, text, &diags, &reports);
    *ret = st == GP_OK ? reports.items[0] : NULL;
    return st;
}

/* What a workload adds, whatever a report of none takes. */
static void a_workload_takes_few_bytes(void **state) {
    spec_case few, many;
    (void)state;
    const gp_report *of_few = report_of(&few, FEW);
    const gp_report *of_many = report_of(&many, MANY);
    const size_t each =
        (strlen(json_of(many.arena, of_many)) - strlen(json_of(few.arena, of_few))) / (MANY - FEW);
    if (each > BYTES_EACH)
        fail_msg("%zu bytes of JSON for each workload", each);
    spec_case_free(&few);
    spec_case_free(&many);
}

/* The same bytes again, and every assumption under its own path in the same order. */
static void it_is_read_back_whole(void **state) {
    spec_case c;
    const gp_report *again = NULL;
    (void)state;
    const gp_report *report = report_of(&c, FEW);
    const char *json = json_of(c.arena, report);
    assert_int_equal(parse(c.arena, json, &again), GP_OK);
    assert_string_equal(json_of(c.arena, again), json);
    assert_true(report->assumed.count < report->assumptions.count);
    assert_int_equal(again->assumptions.count, report->assumptions.count);
    for (size_t i = 0; i < report->assumptions.count; i++) {
        assert_string_equal(again->assumptions.items[i].path, report->assumptions.items[i].path);
        assert_string_equal(again->assumptions.items[i].value, report->assumptions.items[i].value);
    }
    spec_case_free(&c);
}

/* A report may be larger than anything that people write. */
static void large_texts_are_read(void **state) {
    enum { BLANKS = 5 << 20 };
    spec_case c;
    const gp_report *again = NULL;
    (void)state;
    const gp_report *report = report_of(&c, 1);
    const char *json = json_of(c.arena, report);
    char *padded = gp_arena_alloc(c.arena, BLANKS + strlen(json) + 1, 1);
    memset(padded, ' ', BLANKS);
    memcpy(padded + BLANKS, json, strlen(json));
    assert_int_equal(parse(c.arena, padded, &again), GP_OK);
    assert_int_equal(again->workloads.count, 1);
    spec_case_free(&c);
}

/* A workload that refers to an assumption that is not in the list. */
static void places_out_of_range_are_told(void **state) {
    static const char key[] = "\"assumptions\": [";
    spec_case c;
    const gp_report *again = NULL;
    (void)state;
    const gp_report *report = report_of(&c, 1);
    const char *written = json_of(c.arena, report);
    char *json = gp_arena_strndup(c.arena, written, strlen(written));
    char *at = strstr(json, key);
    assert_non_null(at);
    at[sizeof key - 1] = '9';
    at[sizeof key] = '9';
    assert_int_equal(parse(c.arena, json, &again), GP_ERR_INPUT);
    spec_case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_workload_takes_few_bytes),
        cmocka_unit_test(it_is_read_back_whole),
        cmocka_unit_test(large_texts_are_read),
        cmocka_unit_test(places_out_of_range_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
