/*
 * Every allocation fails once. The path of a spec (read, resolve, plan, report, render) is run with
 * the Nth allocation refused, for all N, libyaml's own allocations included; the only answers
 * allowed are success and GP_ERR_NO_MEMORY. The catalogue is loaded beforehand; a second sweep is
 * over the catalogue itself.
 *
 * GP_OOM_FULL=1 takes a larger spec and the whole catalogue. Under AddressSanitizer malloc belongs
 * to the sanitizer, so there the arenas' caps are lowered step by step instead.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/calibration.h"
#include "fit/fit.h"
#include "plan/plan.h"
#include "import/readings.h"
#include "render/forms.h"
#include <gpuplan/report.h>
#include "simulate/simulate.h"

#if defined(__SANITIZE_ADDRESS__)
#define INTERPOSED 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define INTERPOSED 0
#endif
#endif
#ifndef INTERPOSED
#define INTERPOSED 1
#endif

static const size_t arena_max = (size_t)256 << 20;

/* A piece of work in an arena of its own, behind the arena's door. */
typedef struct guarded {
    gp_status (*work)(gp_arena *arena, const void *context);
    const void *context;
    gp_arena *arena;
} guarded;

static gp_status enter(void *context) {
    const guarded *g = context;
    return g->work(g->arena, g->context);
}

/* -1: allocations pass; 0: this one fails; else they still to pass. */
static long allowed = -1;
static long seen;

#if INTERPOSED
static int refused(void) {
    seen++;
    if (allowed < 0)
        return 0;
    return allowed-- == 0;
}

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

void *malloc(size_t size) {
    return refused() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return refused() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    return refused() ? NULL : __libc_realloc(block, size);
}
#endif

static int full(void) {
    const char *value = getenv("GP_OOM_FULL");
    return value != NULL && strcmp(value, "1") == 0;
}

static char *load(const char *path) {
    static char text[1 << 16];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[n] = '\0';
    return text;
}

typedef struct path_case {
    const char *text;
    gp_catalog *catalog;
} path_case;

/* All forms; what the report cannot give is no failure here. */
static gp_status run_export(gp_arena *arena, const gp_export *kind, const gp_report *report) {
    gp_status st = GP_OK;
    for (size_t i = 0; st == GP_OK && gp_export_form(kind, i) != NULL; i++) {
        const gp_export_options options = {.form = gp_export_form(kind, i)};
        gp_export_problem problem;
        const char *out = NULL;
        size_t length = 0;
        st = gp_export_report(arena, kind, report, &options, &problem, &out, &length);
        if (st == GP_ERR_INPUT && problem.message != NULL)
            st = GP_OK;
    }
    return st;
}

/* The whole path of one spec in `arena`. */
static gp_status run_path(gp_arena *arena, const void *context) {
    const path_case *c = context;
    gp_diags diags;
    gp_diags_init(&diags, arena);
    gp_text *source = NULL;
    gp_spec spec = {0};
    gp_plan_result *result = NULL;
    gp_report *report = NULL;
    const gp_plan_options options = {0};
    gp_status st = gp_text_init(arena, "t.yaml", c->text, strlen(c->text), &source);
    if (st == GP_OK)
        st = gp_spec_read(arena, source, NULL, 0, &diags, &spec);
    if (st == GP_OK)
        st = gp_spec_resolve(arena, c->catalog, &diags, spec.plans.items[0]);
    if (st == GP_OK)
        st =
            gp_plan_run(arena, c->catalog, spec.plans.items[0], NULL, 0, &options, &diags, &result);
    if (st == GP_OK)
        gp_report_build(arena, result, NULL, &report);
    for (size_t i = 0; st == GP_OK && i < gp_renderer_count; i++) {
        const char *out = NULL;
        size_t length = 0;
        const gp_report *reports[] = {report};
        st = gp_render_reports(arena, gp_renderers[i], reports, 1, NULL, &out, &length);
    }
    for (size_t i = 0; st == GP_OK && i < gp_export_count; i++)
        st = run_export(arena, gp_exports[i], report);
    return st;
}

static gp_status guarded_run(const guarded *work, size_t max_bytes, size_t *ret_used) {
    guarded own = *work;
    own.arena = gp_arena_new(max_bytes);
    const gp_status st =
        own.arena != NULL ? gp_arena_guard(own.arena, enter, &own) : GP_ERR_NO_MEMORY;
    if (ret_used != NULL)
        *ret_used = gp_arena_used(own.arena);
    gp_arena_free(own.arena);
    return st;
}

static void expect_memory_error(gp_status st, const char *what, long n) {
    if (st != GP_OK && st != GP_ERR_NO_MEMORY)
        print_message("%s: allocation %ld gave %s\n", what, n, gp_status_name(st));
    assert_true(st == GP_OK || st == GP_ERR_NO_MEMORY);
}

/* Refuses every `stride`th allocation in turn until the work ends without one being refused; then
 * lowers the arena's cap in `steps`, each refusal of the arena being one. */
static void sweep(const char *what, const guarded *work, long stride, size_t steps) {
    size_t used = 0;
    assert_int_equal(guarded_run(work, arena_max, &used), GP_OK);
    for (long n = 0, done = !INTERPOSED; !done; n += stride) {
        allowed = n;
        const gp_status st = guarded_run(work, arena_max, NULL);
        done = allowed >= 0;
        allowed = -1;
        expect_memory_error(st, what, n);
        assert_true(!done || st == GP_OK);
    }
    for (size_t i = 1; i < steps; i++)
        expect_memory_error(guarded_run(work, used / steps * i, NULL), what, (long)i);
}

static void test_spec_path(void **state) {
    (void)state;
    path_case c = {.text = load(full() ? "examples/quickstart.yaml" : "examples/minimal.yaml")};
    gp_arena *shared = gp_arena_new(arena_max);
    assert_non_null(shared);
    gp_diags diags;
    gp_diags_init(&diags, shared);
    gp_catalog_open(shared, &diags, &c.catalog);
    /* The first run loads the kinds that the path needs. */
    sweep("path", &(guarded){run_path, &c, NULL}, 1, full() ? 1500 : 60);
    gp_arena_free(shared);
}

static gp_status load_kinds(gp_arena *arena, const void *context) {
    (void)context;
    static const gp_catalog_kind small[] = {GP_CATALOG_TUNINGS, GP_CATALOG_PUES};
    gp_diags diags;
    gp_catalog *catalog = NULL;
    gp_diags_init(&diags, arena);
    gp_status st = GP_OK;
    gp_catalog_open(arena, &diags, &catalog);
    const size_t kinds = full() ? GP_CATALOG_KIND_COUNT : sizeof small / sizeof small[0];
    for (size_t k = 0; st == GP_OK && k < kinds; k++) {
        const void *const *rows = NULL;
        size_t count = 0;
        st = gp_catalog_rows(catalog, full() ? (gp_catalog_kind)k : small[k], &rows, &count);
    }
    return st;
}

static void test_catalogue(void **state) {
    (void)state;
    sweep("catalogue", &(guarded){load_kinds, NULL, NULL}, full() ? 211 : 1, 40);
}

/* A trace read, run through every mechanism of the simulator, and printed in every form. */
static gp_status run_simulation(gp_arena *arena, const void *context) {
    (void)context;
    static gp_engine engine;
    static char csv[8192];
    const gp_outage outage = {.replica = 2, .at_s = 3, .for_s = 5};
    size_t len = (size_t)snprintf(csv, sizeof csv, "TIMESTAMP,ContextTokens,GeneratedTokens\n");
    for (int i = 0; i < 200; i++)
        len += (size_t)snprintf(csv + len, sizeof csv - len, "%d.5,%d,%d\n", (i * 7) % 100,
                                100 + i * 37 % 1000, 1 + i * 13 % 90);
    gp_engine_linear(0.02, 1e-4, 1e-8, 1e-4, &engine);
    engine.blocks = 150;
    gp_diags diags;
    gp_diags_init(&diags, arena);
    gp_text *text = NULL;
    gp_arrival_list list = {0};
    gp_simulation *result = NULL;
    gp_status st = gp_text_init(arena, "trace.csv", csv, len, &text);
    if (st == GP_OK)
        st = gp_arrivals_read(arena, text, &diags, &list);
    const gp_simulate_config config = {
        .engine = &engine,
        .replicas = 2,
        .prefill_replicas = 2,
        .prefill_engine = &engine,
        .transfer_bytes_per_s = 1e9,
        .outages = &outage,
        .outage_count = 1,
        .autoscale = {.min_replicas = 1,
                      .max_replicas = 3,
                      .target_requests = 4,
                      .period_s = 5,
                      .start_s = 5,
                      .quiet_s = 10},
        .arrivals = {.rows = list.items,
                     .row_count = list.count,
                     .prefix_fraction = 0.3,
                     .prefix_groups = 5},
        .slo = {.ttft_s = {.p95 = 1}},
    };
    if (st == GP_OK)
        st = gp_simulate(arena, &config, &result);
    for (size_t i = 0; st == GP_OK && gp_forms_name(&gp_forms_simulation, i) != NULL; i++) {
        const char *form = gp_forms_name(&gp_forms_simulation, i);
        const char *out = NULL;
        size_t out_len = 0;
        st = gp_forms_render(arena, &gp_forms_simulation, form, result, NULL, &out, &out_len);
    }
    return st;
}

static void test_simulation(void **state) {
    (void)state;
    sweep("simulation", &(guarded){run_simulation, NULL, NULL}, 1, full() ? 2000 : 150);
}

/* Own runs to factors and back, and a log to rows; the catalogue is loaded beforehand. */
static gp_status run_calibration(gp_arena *arena, const void *context) {
    gp_catalog *const *catalog = context;
    static const char runs[] =
        "id,kind,model,gpus,gpu,precision,gbs_sequences,mbs,seq_len,tp,pp,framework,"
        "tokens_per_s_per_gpu,iteration_s\n"
        "a,pretrain,llama-3.1-8b,64,h100-sxm,bf16,64,1,8192,1,1,NeMo,9000,\n"
        "b,pretrain,llama-3.1-8b,64,h100-sxm,bf16,64,1,8192,1,1,x,90000,\n";
    static const char log[] = " iteration 1/ 4 | elapsed time per iteration (ms): 9000.0 |\n"
                              " iteration 2/ 4 | elapsed time per iteration (ms): 4000.0 |\n";
    const gp_calibrate_options options = {.from = 20260901};
    const gp_reading_options reading = {.form = "megatron"};
    gp_diags diags;
    gp_calibration calibration = {.source = NULL};
    gp_calibration_document *document = NULL;
    gp_text *text = NULL;
    const char *out = NULL;
    size_t len = 0;
    gp_diags_init(&diags, arena);
    gp_status st = gp_text_init(arena, "runs.csv", runs, sizeof runs - 1, &text);
    const gp_text *texts[] = {text};
    if (st == GP_OK)
        st = gp_calibrate(arena, *catalog, texts, 1, &options, &diags, &calibration);
    if (st == GP_OK)
        st = gp_calibration_write(arena, "own", &calibration, &out, &len);
    if (st == GP_OK)
        st = gp_text_init(arena, "own.yaml", out, len, &text);
    if (st == GP_OK)
        st = gp_calibration_read(arena, text, &diags, &document);
    if (st == GP_OK)
        st = gp_text_init(arena, "t.log", log, sizeof log - 1, &text);
    texts[0] = text;
    return st == GP_OK ? gp_readings_read(arena, texts, 1, &reading, &diags, &out, &len) : st;
}

static void test_calibration(void **state) {
    (void)state;
    gp_arena *kept = gp_arena_new(arena_max);
    gp_catalog *catalog = NULL;
    gp_diags diags;
    gp_diags_init(&diags, kept);
    gp_catalog_open(kept, &diags, &catalog);
    sweep("calibration", &(guarded){run_calibration, &catalog, NULL}, 1, 400);
    gp_arena_free(kept);
}

/* The interposer itself: an armed failure is delivered. */
static void test_refusal(void **state) {
    (void)state;
    seen = 0;
    if (INTERPOSED) {
        allowed = 0;
        assert_null(gp_arena_new(arena_max));
        allowed = -1;
        assert_true(seen > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusal),     cmocka_unit_test(test_spec_path),
        cmocka_unit_test(test_catalogue),   cmocka_unit_test(test_simulation),
        cmocka_unit_test(test_calibration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
