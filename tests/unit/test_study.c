/* Studies: the front by hand, numbers of a spec and their neighbours, parts and the whole. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/model.h"
#include "render/forms.h"
#include "report/study.h"
#include "support/study_list.h"

enum { ARENA_BYTES = 64 << 20, POINTS = 6, METRICS = 2 };

typedef struct fixture {
    gp_arena *arena;
    gp_study study;
    gp_study_point points[POINTS];
    gp_study_figure figures[POINTS][METRICS];
} fixture;

/* Small and large: (1,1) (2,3) (3,3) (2,3 again) (0,0 infeasible) (0, unknown). */
static const double values[POINTS][METRICS] = {{1, 1}, {2, 3}, {3, 3}, {2, 3}, {0, 9}, {0, NAN}};

static int set_up(void **state) {
    static fixture f;
    f = (fixture){.arena = gp_arena_new(ARENA_BYTES)};
    const char *nearest = NULL;
    f.study = (gp_study){.schema_version = "2.0",
                         .kind = "grid",
                         .plan = "p",
                         .spec_sha256 = "s",
                         .tool_version = "t",
                         .catalog_sha256 = "c",
                         .vary_fraction = GP_REPORT_NO_REAL,
                         .seed = GP_REPORT_NO_COUNT,
                         .point_count = POINTS};
    assert_int_equal(gp_study_add_metric(f.arena, &f.study, "summary.gpus", "min", &nearest),
                     GP_OK);
    assert_int_equal(gp_study_add_metric(f.arena, &f.study, "summary.racks", "max", &nearest),
                     GP_OK);
    for (int i = 0; i < POINTS; i++) {
        for (int k = 0; k < METRICS; k++)
            f.figures[i][k].value = values[i][k];
        f.points[i] = (gp_study_point){.number = i + 1, .feasible = i != 4};
        f.points[i].figures.items = f.figures[i];
        f.points[i].figures.count = METRICS;
    }
    f.study.points.items = f.points;
    f.study.points.count = POINTS;
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    gp_arena_free(f->arena);
    return 0;
}

static void survey(fixture *f, gp_study *study) {
    study_from_list(f->arena, study);
    assert_int_equal(gp_study_survey(f->arena, study), GP_OK);
}

static void test_front(void **state) {
    fixture *f = *state;
    static const bool expected[POINTS] = {true, true, false, true, false, false};
    gp_study shown;
    int64_t front = 0;
    survey(f, &f->study);
    assert_int_equal(gp_study_gather(f->arena, &f->study, &shown, &front), GP_OK);
    assert_int_equal(front, 3);
    assert_int_equal(f->study.front_count, 2); /* two points are alike */
    assert_int_equal(f->study.feasible, POINTS - 1);
    for (int i = 0; i < POINTS; i++)
        assert_true(shown.points.items[i].on_front == expected[i]);
    /* Without a goal nothing is on a front. */
    f->study.metrics.items[0].goal = f->study.metrics.items[1].goal = NULL;
    survey(f, &f->study);
    assert_int_equal(gp_study_gather(f->arena, &f->study, &shown, &front), GP_OK);
    assert_int_equal(front, 0);
}

static void test_metrics(void **state) {
    fixture *f = *state;
    const char *nearest = NULL;
    assert_int_equal(f->study.metrics.items[0].dim, GP_DIM_COUNT);
    assert_int_equal(gp_study_add_metric(f->arena, &f->study, "summary.gpu", NULL, &nearest),
                     GP_ERR_NOT_FOUND);
    assert_string_equal(nearest, "summary.gpus");
    /* Twice the same is one column; what is asked to be on the front stays. */
    assert_int_equal(gp_study_add_metric(f->arena, &f->study, "summary.gpus", NULL, &nearest),
                     GP_OK);
    assert_int_equal(f->study.metrics.count, METRICS);
    assert_string_equal(f->study.metrics.items[0].goal, "min");
    static const char *const more[] = {"summary.nodes", "summary.capital", "summary.itPowerW",
                                       "summary.ownedNodes"};
    for (int i = 0; i < 4; i++)
        assert_int_equal(gp_study_add_metric(f->arena, &f->study, more[i], NULL, &nearest), GP_OK);
    assert_int_equal(gp_study_add_metric(f->arena, &f->study, "summary.plan", NULL, &nearest),
                     GP_ERR_LIMIT);
}

/* Written and read back it is the same, whole or as a point on its line. */
static void test_written_and_read(void **state) {
    fixture *f = *state;
    const char *json = NULL;
    const char *again = NULL;
    size_t len = 0;
    gp_text *text = NULL;
    gp_study *read = NULL;
    gp_study_point point;
    gp_diags diags;
    gp_diags_init(&diags, f->arena);
    survey(f, &f->study);
    assert_int_equal(
        gp_forms_render(f->arena, &gp_forms_study, "json", &f->study, NULL, &json, &len), GP_OK);
    assert_int_equal(gp_text_init(f->arena, "part.json", json, len, &text), GP_OK);
    assert_int_equal(gp_study_parse(f->arena, text, &diags, &read), GP_OK);
    assert_null(gp_study_difference(&f->study, read));
    survey(f, read);
    assert_int_equal(
        gp_forms_render(f->arena, &gp_forms_study, "json", read, NULL, &again, &len), GP_OK);
    assert_string_equal(json, again);
    const char *line = strstr(json, "{\"number\": 4,");
    assert_non_null(line);
    len = (size_t)(strchr(line, '\n') - line) - 1;
    assert_int_equal(gp_text_init(f->arena, "line", line, len, &text), GP_OK);
    assert_int_equal(gp_study_parse_point(f->arena, text, &diags, &point), GP_OK);
    assert_int_equal(point.number, 4);
    assert_true(point.on_front);
    read->spec_sha256 = "other";
    assert_string_equal(gp_study_difference(&f->study, read), "specs");
}

/* The law of the band: a goal at its p80 edge is met in four of five draws, two such workloads in
 * sixteen of 25; a goal without an error by its verdict, one without a figure not at all. */
static void test_holds(void **state) {
    fixture *f = *state;
    const char *nearest = NULL;
    static const double fifth = 0.8416212, wide = 0.25;
    gp_report_goal goals[2] = {
        {.expected = 2, .target = 2, .deviation = wide, .lower_is_better = true},
        {.expected = 1, .target = 1, .ok = true}};
    gp_report_workload workloads[2] = {{.name = "a"}, {.name = "b"}};
    gp_report report = {.summary = {.feasible = true}};
    gp_study study = {.kind = "grid", .seed = 1, .draws = 20000};
    gp_study_point point = {.number = 1};
    goals[0].target = 2 * exp(fifth * wide);
    report.workloads.items = workloads;
    assert_int_equal(gp_study_add_metric(f->arena, &study, GP_STUDY_HOLDS, NULL, &nearest), GP_OK);
    for (size_t count = 1; count <= 2; count++) {
        workloads[count - 1].goals.items = goals;
        workloads[count - 1].goals.count = 2;
        report.workloads.count = count;
        point.figures.count = point.verdicts.count = 0;
        gp_study_fill(f->arena, &study, &report, &point);
        assert_true(fabs(point.figures.items[0].value - pow(0.8, (double)count)) < 0.01);
    }
    goals[1].ok = false;
    point.figures.count = point.verdicts.count = 0;
    gp_study_fill(f->arena, &study, &report, &point);
    assert_true(point.figures.items[0].value < 1e-9);
    goals[1].expected = NAN;
    point.figures.count = point.verdicts.count = 0;
    gp_study_fill(f->arena, &study, &report, &point);
    assert_true(isnan(point.figures.items[0].value));
}

/* Every slice of an axis once; the same value whatever was asked before; ends of one unit. */
static void test_designs(void **state) {
    fixture *f = *state;
    enum { DRAWN = 50 };
    const char *ranges[] = {"1..50", "0.5 s..2.5 s", "1.0..2.0"};
    gp_study_axis axes[3] = {{.path = "a"}, {.path = "b"}, {.path = "c"}};
    bool seen[DRAWN] = {false};
    gp_study drawn = {.kind = "latin", .seed = 7, .point_count = DRAWN};
    drawn.axes.items = axes;
    drawn.axes.count = 3;
    for (int i = 0; i < 3; i++) {
        axes[i].values.items = &ranges[i];
        axes[i].values.count = 1;
    }
    for (int n = 1; n <= DRAWN; n++) {
        const int value = atoi(gp_study_value(f->arena, &drawn, 0, n));
        assert_in_range(value, 1, DRAWN);
        assert_false(seen[value - 1]);
        seen[value - 1] = true;
        const char *seconds = gp_study_value(f->arena, &drawn, 1, n);
        assert_true(strtod(seconds, NULL) > 0.5 && strtod(seconds, NULL) < 2.5);
        assert_string_equal(strchr(seconds, ' '), " s");
    }
    assert_string_equal(gp_study_value(f->arena, &drawn, 2, 9),
                        gp_study_value(f->arena, &drawn, 2, 9));
    drawn.kind = "random";
    double sum = 0;
    for (int n = 1; n <= 20 * DRAWN; n++)
        sum += strtod(gp_study_value(f->arena, &drawn, 2, n), NULL);
    assert_true(sum / (20 * DRAWN) > 1.45 && sum / (20 * DRAWN) < 1.55);
    assert_false(gp_study_is_range("5 s..2 s"));
    assert_false(gp_study_is_range("1 s..2 ms"));
    assert_false(gp_study_is_range("bf16"));
}

static void test_swings(void **state) {
    fixture *f = *state;
    static gp_study_set sets[] = {
        {"a", "8", "10"}, {"a", "12", "10"}, {"b", "1", "2"}, {"b", "3", "2"}};
    gp_study_swings swings;
    f->study.kind = "vary";
    f->study.points.count = 5;
    for (int i = 0; i < 4; i++) {
        f->points[i + 1].sets.items = &sets[i];
        f->points[i + 1].sets.count = 1;
    }
    gp_study_swings_of(f->arena, &f->study, 0, &swings);
    /* gpus 1; a: 2 and 3; b: 2 and an infeasible plan. */
    assert_int_equal(swings.count, 2);
    assert_string_equal(swings.items[0].path, "a");
    assert_true(fabs(swings.items[0].low_change - 1) < 1e-12);
    assert_true(fabs(swings.items[0].high_change - 2) < 1e-12);
    assert_true(fabs(swings.items[1].most - 1) < 1e-12);
    assert_true(isnan(swings.items[1].high_change));
    /* A part that lacks the plan as it is tells no changes. */
    f->study.points.items = &f->points[1];
    f->study.points.count = 4;
    gp_study_swings_of(f->arena, &f->study, 0, &swings);
    assert_int_equal(swings.count, 0);
}

static void test_numbers_of_a_spec(void **state) {
    fixture *f = *state;
    static const char spec[] =
        "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: t}\nspec:\n"
        "  cluster:\n    pools: [{name: p1, system: dgx-h200, count: 3}]\n"
        "  workloads:\n    - name: tune\n      type: finetune\n      model: llama-3.1-8b\n"
        "      software: {release: \"0.11\"}\n      parallelism: {tp: 4}\n"
        "      data: {tokens: 2.5T tokens, sequenceLength: 0}\n"
        "      goal: {completeWithin: 45d}\n"
        "    - name: chat\n      type: inference\n      model: llama-3.1-8b\n"
        "      traffic: {requestsPerSecond: 12, outputTokens: {p95: 1e3}}\n"
        "  growth: {start: 2027-Q1, scenarios: {expected: {chat: -4%/mo}}}\n";
    static const struct {
        const char *path, *down, *up;
    } expected[] = {
        {"cluster.pools.p1.count", "2", "4"}, /* whole, and never the same */
        {"workloads.tune.data.tokens", "2.25T tokens", "2.75T tokens"},
        {"workloads.tune.goal.completeWithin", "40.5d", "49.5d"},
        {"workloads.chat.traffic.requestsPerSecond", "10.8", "13.2"},
        {"workloads.chat.traffic.outputTokens.p95", "900", "1100"},
        {"growth.scenarios.expected.chat", "-3.6%/mo", "-4.4%/mo"},
    };
    gp_spec_numbers numbers;
    gp_text *text = NULL;
    assert_int_equal(gp_text_init(f->arena, "t.yaml", spec, sizeof spec - 1, &text), GP_OK);
    assert_int_equal(gp_spec_list_numbers(f->arena, text, "t", &numbers), GP_OK);
    assert_int_equal(numbers.count, sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < numbers.count; i++) {
        const gp_spec_number *number = &numbers.items[i];
        assert_string_equal(number->path, expected[i].path);
        assert_string_equal(gp_spec_number_scaled(f->arena, number, 0.9), expected[i].down);
        assert_string_equal(gp_spec_number_scaled(f->arena, number, 1.1), expected[i].up);
    }
    assert_int_equal(gp_spec_list_numbers(f->arena, text, "other", &numbers), GP_ERR_NOT_FOUND);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_front, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_metrics, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_written_and_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_holds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_designs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_swings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_numbers_of_a_spec, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
