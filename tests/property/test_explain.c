/*
 * Whether an explanation names every number that moves a figure. Numbers of the catalogue, of its
 * constants and of the spec are raised by 2 %, the plan is made again, search and all, and what
 * moves while every layout stays must be among the figures that `explain` has for the number.
 *
 * Those that are said to move nothing are raised together, in groups that are halved where the
 * choice is another one with them. Of the others GPUPLAN_EXPLAIN_COUNT (2 by default) of every
 * example are raised by themselves, and as many groups; 0: all of them, rows that nothing uses
 * included. GPUPLAN_EXPLAIN_ONE tries one example alone.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/measure.h"
#include "report/site_steps.h"
#include "report/value.h"
#include "support/spec_case.h"

enum { COUNT = 2, ROWS_TOO = 0, FIGURES_MAX = 4096, ARENA_MAX = 1 << 30 };
static const double raise = 0.02, moved = 1e-5; /* more than the digits of a search */

static const char *const examples[] = {
    "chat-fleet", "greenfield",     "hall",          "inference-site", "lora-fleet",
    "media",      "minimal",        "pretrain-405b", "quickstart",     "retrieval",
    "rl",         "small-services", "teams",         "two-sites",      "vision",
};

/* An example with the names of its figures. */
typedef struct subject {
    spec_case plan;
    gp_arena *names;
    const char *paths[FIGURES_MAX]; /* of the report: with the workload's number, or of the site */
    size_t workloads[FIGURES_MAX];  /* SIZE_MAX: of the site */
    size_t count;
    gp_number *numbers;
    size_t number_count;
    double base[FIGURES_MAX], now[FIGURES_MAX];
    size_t pairs, unexplained, plans, plans_most;
} subject;

static void list_figures(subject *s, gp_build *of) {
    const size_t workloads = of->report->workloads.count;
    for (size_t w = 0; w < workloads; w++)
        for (size_t i = 0; i < gp_figure_term_count; i++)
            if (i == 0 || strcmp(gp_figure_terms[i].path, gp_figure_terms[i - 1].path) != 0) {
                s->workloads[s->count] = w;
                s->paths[s->count++] = gp_figure_terms[i].path;
            }
    for (size_t i = 0; i < gp_site_step_count; i++)
        for (size_t item = 0; item < gp_step_items(of->report, &gp_site_steps[i]); item++) {
            gp_build names = {.arena = s->names, .result = of->result, .report = of->report};
            s->workloads[s->count] = SIZE_MAX;
            s->paths[s->count++] = gp_step_path(&names, gp_site_steps[i].path, item, true);
        }
    assert_true(s->count < FIGURES_MAX);
}

static void read_figures(const void *context, gp_build *of, double *ret) {
    const subject *s = context;
    for (size_t i = 0; i < s->count; i++) {
        gp_report_value value;
        const bool site = s->workloads[i] == SIZE_MAX;
        if (!site && s->workloads[i] >= of->report->workloads.count)
            continue;
        const gp_status st = gp_report_find(site ? &gp_report_type : &gp_report_workload_type,
                                            site ? (const void *)of->report
                                                 : &of->report->workloads.items[s->workloads[i]],
                                            s->paths[i], &value, NULL);
        ret[i] = st != GP_OK || value.absent     ? (double)NAN
                 : value.kind == GP_REPORT_COUNT ? (double)value.count
                                                 : value.real;
    }
}

/* The plan as the catalogue and the spec now stand, with its figures; false: there is none. */
static bool plan_again(subject *s, gp_arena *arena, gp_build *ret) {
    const gp_plan_options options = {.simulate = GP_PLAN_SIMULATE_QUICK};
    gp_plan_result *result = NULL;
    gp_diags diags;
    gp_diags_init(&diags, arena);
    if (gp_plan_run(arena, s->plan.catalog, s->plan.spec.plans.items[0],
                    (const gp_prices *const *)s->plan.spec.prices.items, s->plan.spec.prices.count,
                    &options, &diags, &result) != GP_OK)
        return false;
    *ret = (gp_build){.arena = arena, .result = result};
    gp_build_figures(ret);
    return true;
}

static bool same_layout(const gp_candidate *a, const gp_candidate *b) {
    return a->present == b->present && a->nodes == b->nodes && a->gpus == b->gpus &&
           a->replicas == b->replicas && a->spare_replicas == b->spare_replicas &&
           a->share_count == b->share_count && a->feasible == b->feasible &&
           (!a->present ||
            (strcmp(a->unit->id, b->unit->id) == 0 && a->unit->site == b->unit->site)) &&
           memcmp(&a->layout, &b->layout, sizeof a->layout) == 0 &&
           gp_serve_layout_equal(&a->serve_layout, &b->serve_layout) &&
           a->split.prefill_replicas == b->split.prefill_replicas &&
           a->split.decode_replicas == b->split.decode_replicas;
}

static bool same_shares(const gp_candidate *a, const gp_candidate *b) {
    for (int k = 0; k < a->share_count; k++)
        if (!same_layout(&a->shares[k], &b->shares[k]))
            return false;
    return true;
}

static bool same_choice(const gp_plan_result *a, const gp_plan_result *b) {
    for (int i = 0; i < a->growth_count; i++)
        if (b->growth_count != a->growth_count ||
            a->growth[i].site.nodes != b->growth[i].site.nodes ||
            a->growth[i].site.bought_nodes != b->growth[i].site.bought_nodes)
            return false;
    for (size_t i = 0; i < a->workloads.count; i++)
        if (!same_layout(&a->workloads.items[i].chosen, &b->workloads.items[i].chosen) ||
            !same_shares(&a->workloads.items[i].chosen, &b->workloads.items[i].chosen) ||
            !same_layout(&a->workloads.items[i].apart, &b->workloads.items[i].apart) ||
            a->workloads.items[i].confirmation.closed_form.replicas !=
                b->workloads.items[i].confirmation.closed_form.replicas)
            return false;
    return a->units.count == b->units.count && gp_same_products(a, b);
}

/* A constant is read from its row's text each time that a plan is made. */
static gp_constant *constant_row(subject *s, const gp_number *number) {
    const void *const *rows = NULL;
    size_t count = 0;
    const char *base = (const char *)s->plan.result->constants;
    const char *at = number->value;
    if (at < base || at >= base + sizeof *s->plan.result->constants)
        return NULL;
    assert_int_equal(gp_catalog_rows(s->plan.catalog, GP_CATALOG_CONSTANTS, &rows, &count), GP_OK);
    for (size_t i = 0; i < count; i++) {
        gp_constant *row = (gp_constant *)(uintptr_t)rows[i];
        if (strcmp(row->id, number->field->key) == 0)
            return row;
    }
    fail_msg("no row of the constant %s", number->name);
    return NULL;
}

/* A number 2 % higher; *ret_was is what brings it back. */
static void raise_number(subject *s, const gp_number *number, double *ret_was) {
    gp_constant *row = constant_row(s, number);
    char *cell = (char *)(uintptr_t)number->value;
    if (row != NULL) {
        char *rest = NULL;
        const double value = strtod(row->value, &rest) * (1 + raise);
        memcpy(ret_was, &row->value, sizeof row->value);
        char text[64];
        snprintf(text, sizeof text, "%.15g%s", value, rest);
        row->value = gp_arena_strndup(s->names, text, strlen(text));
        return;
    }
    memcpy(ret_was, cell, sizeof *ret_was);
    if (number->field->kind == GP_FIELD_COUNT) {
        int64_t whole;
        memcpy(&whole, cell, sizeof whole);
        whole += llround((double)whole * raise);
        memcpy(cell, &whole, sizeof whole);
    } else if (number->field->kind == GP_FIELD_QUANTITY) {
        const double value = *ret_was * (1 + raise);
        memcpy(cell, &value, sizeof value);
    }
}

/* Of what it was; nothing where it is nothing before and after, NAN where it is not there. */
static double change_of(const subject *s, size_t i) {
    const double change = fabs(s->now[i] - s->base[i]);
    return fabs(s->base[i]) > 0 ? change / fabs(s->base[i]) : change > 0 ? HUGE_VAL : change;
}

static void put_back(subject *s, const gp_number *number, const double *was) {
    gp_constant *row = constant_row(s, number);
    if (row != NULL)
        memcpy(&row->value, was, sizeof row->value);
    else
        memcpy((char *)(uintptr_t)number->value, was, sizeof *was);
}

typedef enum outcome { SAME, MOVED, OTHER_CHOICE } outcome;

/* The plan with the numbers raised: s->now. */
static outcome try_raised(subject *s, const size_t *which, size_t count) {
    double *was = calloc(s->number_count, sizeof *was);
    gp_arena *arena = gp_arena_new(ARENA_MAX);
    gp_build of = {0};
    assert_non_null(was);
    assert_non_null(arena);
    for (size_t i = 0; i < count; i++)
        for (size_t k = which[i]; k < s->number_count; k++)
            if (s->numbers[k].with == which[i])
                raise_number(s, &s->numbers[k], &was[k]);
    const bool planned = plan_again(s, arena, &of);
    for (size_t i = 0; i < count; i++)
        for (size_t k = which[i]; k < s->number_count; k++)
            if (s->numbers[k].with == which[i])
                put_back(s, &s->numbers[k], &was[k]);
    outcome ret = planned && same_choice(s->plan.result, of.result) ? SAME : OTHER_CHOICE;
    if (ret == SAME)
        read_figures(s, &of, s->now);
    for (size_t i = 0; i < s->count && ret == SAME; i++)
        if (change_of(s, i) > moved)
            ret = MOVED;
    free(was);
    gp_arena_free(arena);
    return ret;
}

/* What a simulated run judged is explained by the formula, times what the run makes of it. Any
 * number that shifts an event by a hair reorders the events after it: a percentile of a run of a
 * few thousand requests moves by a hundredth of itself with what is a fiftieth of a step's time. No
 * derivation has that: what moves it by less than half of its own change is not named. What
 * replicas carry is halved in runs until two loads are a twentieth apart, and moves in such steps.
 */
static double least_named(const subject *s, size_t i) {
    static const char *const carried[] = {"performance.requestsPerS",
                                          "performance.utilizationFraction"};
    const size_t of = s->workloads[i];
    if (of == SIZE_MAX || !s->plan.result->workloads.items[of].confirmation.present)
        return moved;
    for (size_t k = 0; k < sizeof carried / sizeof carried[0]; k++)
        if (strcmp(s->paths[i], carried[k]) == 0)
            return 0.05;
    return strstr(s->paths[i], "P95S") != NULL ? 0.5 * raise : moved;
}

static void judge_one(subject *s, size_t which) {
    const gp_number *number = &s->numbers[which];
    if (try_raised(s, &which, 1) != MOVED) {
        return;
    }
    for (size_t i = 0; i < s->count; i++) {
        if (!(change_of(s, i) > least_named(s, i)))
            continue;
        s->pairs++;
        if (number->effects != NULL && gp_is_moved(number->effects[i]))
            continue;
        s->unexplained++;
        print_error("%s moves %s (%zu) by %.3g %%, and is not named\n", number->name, s->paths[i],
                    s->workloads[i], 100 * change_of(s, i));
    }
}

/* Those that are said to move nothing. */
static void judge_group(subject *s, const size_t *which, size_t count) {
    if (count == 0 || s->plans >= s->plans_most)
        return;
    s->plans++;
    const outcome found = try_raised(s, which, count);
    if (found == SAME)
        return;
    if (count == 1) {
        if (found == MOVED)
            judge_one(s, which[0]);
        return;
    }
    judge_group(s, which, count / 2);
    judge_group(s, which + count / 2, count - count / 2);
}

/* Rows of products that are not chosen bring in another choice, which says nothing. */
static bool is_no_row(subject *s, const gp_number *number) {
    return constant_row(s, number) != NULL || number->origin->kind == GP_ORIGIN_SPEC ||
           number->origin->kind == GP_ORIGIN_DEFAULT;
}

static void judge(subject *s, size_t most) {
    size_t *idle = calloc(s->number_count, sizeof *idle);
    size_t *busy = calloc(s->number_count, sizeof *busy);
    size_t idle_count = 0, busy_count = 0;
    assert_non_null(idle);
    assert_non_null(busy);
    for (size_t i = 0; i < s->number_count; i++)
        if (s->numbers[i].origin->kind == GP_ORIGIN_DERIVED || s->numbers[i].with != i)
            continue; /* it goes with what it is derived from, or repeats */
        else if (s->numbers[i].effects == NULL &&
                 (most == ROWS_TOO || is_no_row(s, &s->numbers[i])))
            idle[idle_count++] = i;
        else if (s->numbers[i].effects != NULL)
            busy[busy_count++] = i;
    assert_true(busy_count > 0);
    s->plans_most = most == ROWS_TOO ? SIZE_MAX : most;
    const size_t step = most > 0 && busy_count > most ? busy_count / most : 1;
    for (size_t i = step / 2; i < busy_count; i += step)
        judge_one(s, busy[i]);
    judge_group(s, idle, idle_count);
    print_message("%zu numbers move it, %zu do not (%zu plans); %zu pairs\n", busy_count,
                  idle_count, s->plans, s->pairs);
    free(idle);
    free(busy);
}

/* The plan worked out again with its choice kept has the figures that it had. */
static void judge_held(subject *s) {
    gp_arena *arena = gp_arena_new(ARENA_MAX);
    gp_build of = {.arena = arena};
    gp_plan_result *held = NULL;
    assert_non_null(arena);
    assert_int_equal(gp_plan_hold(arena, s->plan.result, &held), GP_OK);
    of.result = held;
    gp_build_figures(&of);
    read_figures(s, &of, s->now);
    for (size_t i = 0; i < s->count; i++)
        if (isnan(s->now[i]) != isnan(s->base[i]) || change_of(s, i) > moved) {
            s->unexplained++;
            print_error("%s (%zu) is %.9g, held %.9g\n", s->paths[i], s->workloads[i], s->base[i],
                        s->now[i]);
        }
    gp_arena_free(arena);
}

static void explain_example(const char *name, size_t most) {
    subject *s = calloc(1, sizeof *s);
    char path[256];
    assert_non_null(s);
    snprintf(path, sizeof path, "examples/%s.yaml", name);
    print_message("%s: ", name);
    assert_int_equal(spec_case_plan_file(&s->plan, path, NULL, 0), GP_OK);
    s->names = gp_arena_new(ARENA_MAX);
    assert_non_null(s->names);
    gp_build of = {.arena = s->names, .result = s->plan.result};
    gp_build_figures(&of);
    list_figures(s, &of);
    read_figures(s, &of, s->base);
    judge_held(s);
    gp_build measured = {.arena = s->names, .result = s->plan.result};
    gp_measure(&measured, read_figures, s, s->count, &s->numbers, &s->number_count);
    judge(s, most);
    assert_int_equal(s->unexplained, 0);
    spec_case_free(&s->plan);
    gp_arena_free(s->names);
    free(s);
}

static void every_number_is_named(void **state) {
    const char *asked = getenv("GPUPLAN_EXPLAIN_COUNT");
    const char *one = getenv("GPUPLAN_EXPLAIN_ONE");
    const size_t most = asked != NULL ? (size_t)strtoul(asked, NULL, 10) : COUNT;
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++)
        if (one == NULL || strcmp(one, examples[i]) == 0)
            explain_example(examples[i], most);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_number_is_named)};
    return cmocka_run_group_tests_name("explain", tests, NULL, NULL);
}
