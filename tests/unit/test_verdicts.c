/* What-ifs on the examples: the verdict, the binding resource and the direction of GPUs, time and
 * communication that an expert expects. The cases are the rows of tests/reference/verdicts.csv. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "source/csv_tree.h"
#include "support/plan_flow.h"

static const char table_path[] = "tests/reference/verdicts.csv";
static const size_t arena_bytes = (size_t)1 << 30;
enum { CASES_MIN = 12, SETS_MAX = 8 };

typedef struct table_view {
    gp_arena *arena;
    gp_csv csv;
} table_view;

static const char *cell(const table_view *table, size_t row, const char *column) {
    int index = gp_csv_column(&table->csv, column);
    if (index < 0) {
        fail_msg("%s has no column %s", table_path, column);
    }
    return gp_csv_at(&table->csv, row, (size_t)index)->text;
}

/* "PATH=VALUE;PATH=VALUE" */
static size_t parse_sets(gp_arena *arena, const char *text, gp_override *sets) {
    size_t count = 0;
    while (*text != '\0') {
        size_t len = strcspn(text, ";");
        size_t path = strcspn(text, "=");
        assert_true(path < len && count < SETS_MAX);
        sets[count++] = (gp_override){gp_arena_strndup(arena, text, path),
                                      gp_arena_strndup(arena, text + path + 1, len - path - 1)};
        text += len + (text[len] == ';');
    }
    return count;
}

static double time_of(const gp_workload_plan *plan) {
    return plan->is_serving ? plan->chosen.tpot_p95_s.expected
                            : plan->chosen.time_to_complete_s.expected;
}

static double communication_of(const gp_workload_plan *plan) {
    return plan->is_serving ? 0 : plan->chosen.time.communication_s / plan->chosen.time.step_s;
}

/* The word for the change from `before` to `after`; differences below 1 % are none. */
static const char *direction(double before, double after) {
    double change = after - before;
    if (fabs(change) <= 0.01 * fabs(before)) {
        return "same";
    }
    return change > 0 ? "up" : "down";
}

/* An expectation may name several words, apart by '|'; '-' expects nothing. */
static bool is_expected(const char *expected, const char *got) {
    if (strcmp(expected, "-") == 0) {
        return true;
    }
    size_t len = strlen(got);
    for (const char *at = expected; *at != '\0'; at += strcspn(at, "|"), at += *at == '|') {
        if (strcspn(at, "|") == len && memcmp(at, got, len) == 0) {
            return true;
        }
    }
    return false;
}

static int check(const table_view *table, size_t row, const char *column, const char *got) {
    const char *expected = cell(table, row, column);
    if (is_expected(expected, got)) {
        return 0;
    }
    print_error("%s: %s is %s, expected %s (%s)\n", cell(table, row, "id"), column, got, expected,
                cell(table, row, "reason"));
    return 1;
}

static int check_row(const table_view *table, size_t row) {
    gp_arena *arena = gp_arena_new(arena_bytes);
    assert_non_null(arena);
    const char *path = cell(table, row, "spec");
    const char *name = cell(table, row, "workload");
    gp_override sets[SETS_MAX];
    size_t count = parse_sets(arena, cell(table, row, "set"), sets);
    const gp_workload_plan *today = gp_test_workload(gp_test_plan(arena, path, NULL, 0), name);
    const gp_workload_plan *then = gp_test_workload(gp_test_plan(arena, path, sets, count), name);
    int wrong = check(table, row, "expect_scale", gp_scale_name(then->scale));
    wrong += check(table, row, "expect_bound_by", gp_bound_name(then->bound_by));
    if (then->chosen.feasible) {
        wrong += check(table, row, "expect_gpus",
                       direction((double)today->chosen.gpus, (double)then->chosen.gpus));
        wrong += check(table, row, "expect_time", direction(time_of(today), time_of(then)));
        wrong += check(table, row, "expect_comm",
                       direction(communication_of(today), communication_of(then)));
    }
    gp_arena_free(arena);
    return wrong;
}

static void every_what_if_holds(void **state) {
    (void)state;
    table_view table = {.arena = gp_arena_new(arena_bytes)};
    gp_diags diags;
    gp_diags_init(&diags, table.arena);
    const gp_source_limits limits = GP_SOURCE_LIMITS_INIT;
    gp_text *text = gp_test_text(table.arena, table_path);
    assert_int_equal(gp_csv_read(table.arena, text, &limits, &diags, &table.csv), GP_OK);
    assert_true(table.csv.rows >= CASES_MIN);
    int wrong = 0;
    for (size_t row = 0; row < table.csv.rows; row++) {
        wrong += check_row(&table, row);
    }
    gp_arena_free(table.arena);
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_what_if_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
