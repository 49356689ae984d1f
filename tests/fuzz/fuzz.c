/*
 * Every input that comes from outside, as a target of libFuzzer (make fuzz) and of the short runs
 * of test_fuzz.c. The name of the program says which: fuzz-spec. A target is a row of the table;
 * what it starts from is a line of tests/fuzz/targets. Nothing is asserted: a reader may refuse
 * anything, and must not crash, hang, leak or take more than its arena.
 */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "catalog/constants.h"
#include "fit/fit.h"
#include "import/import.h"
#include "import/readings.h"
#include "import/telemetry.h"
#include "model/calibration.h"
#include "model/config.h"
#include "model/lock.h"
#include "plan/plan.h"
#include "render/forms.h"
#include "simulate/simulate.h"
#include "support/study_list.h"

enum { ARENA_BYTES = 512 << 20, PLAN_INPUT_MAX = 8192, EXPORTS = 6, ANSWERS_MAX = 200 };

typedef struct fuzz {
    gp_arena *arena;
    gp_catalog *catalog;
    gp_diags *diags;
    const gp_text *text;
} fuzz;

/* ---- what people write */

/* Rows that a spec brings with it go into a catalogue of its own. */
static void resolve(fuzz *f, gp_spec *spec) {
    if (spec->catalogs.count > 0)
        gp_catalog_open(f->arena, f->diags, &f->catalog);
    for (size_t i = 0; i < spec->catalogs.count; i++)
        (void)gp_catalog_add(f->catalog, spec->catalogs.items[i]);
    for (size_t i = 0; i < spec->plans.count && f->diags->errors == 0; i++)
        (void)gp_spec_resolve(f->arena, f->catalog, f->diags, spec->plans.items[i]);
}

static void fuzz_spec(fuzz *f) {
    gp_spec spec = {.plans = {0}};
    if (gp_spec_read(f->arena, f->text, NULL, 0, f->diags, &spec) == GP_OK)
        resolve(f, &spec);
}

/* As `size` does; what takes long by its size is no fault. */
static void fuzz_plan(fuzz *f) {
    const gp_plan_options options = {.simulate = GP_PLAN_SIMULATE_OFF};
    gp_spec spec = {.plans = {0}};
    gp_plan_result *result = NULL;
    gp_report *report = NULL;
    const char *text = NULL;
    size_t len = 0;
    if (f->text->len > PLAN_INPUT_MAX ||
        gp_spec_read(f->arena, f->text, NULL, 0, f->diags, &spec) != GP_OK)
        return;
    resolve(f, &spec);
    if (f->diags->errors > 0 || spec.plans.count == 0 ||
        spec.plans.items[0]->spec.workloads.count > 2)
        return;
    gp_status st = gp_plan_run(f->arena, f->catalog, spec.plans.items[0],
                               (const gp_prices *const *)spec.prices.items, spec.prices.count,
                               &options, f->diags, &result);
    if (st == GP_OK && f->diags->errors == 0)
        gp_report_build(f->arena, result, NULL, &report);
    const gp_report *const reports[] = {report};
    for (size_t i = 0; st == GP_OK && report != NULL && i < gp_renderer_count; i++)
        (void)gp_render_reports(f->arena, gp_renderers[i], reports, 1, NULL, &text, &len);
}

/* FILE: what --set gives, a line each; the plan is the least there is. */
static void fuzz_set(fuzz *f) {
    static const char plan[] =
        "apiVersion: gpuplan/v1\nkind: Plan\nmetadata: {name: p}\nspec: {workloads: [{name: chat, "
        "type: inference, model: llama-3.1-8b, traffic: {requestsPerSecond: 5, inputTokens: 1500, "
        "outputTokens: 300}}]}\n";
    char *line = gp_arena_strndup(f->arena, f->text->data, f->text->len);
    char *equals = strchr(line, '=');
    gp_text *text = NULL;
    gp_spec spec = {.plans = {0}};
    if (equals == NULL || gp_text_init(f->arena, "p", plan, sizeof plan - 1, &text) != GP_OK)
        return;
    *equals = '\0';
    const gp_override set = {line, equals + 1};
    if (gp_spec_read(f->arena, text, &set, 1, f->diags, &spec) == GP_OK)
        resolve(f, &spec);
    (void)gp_study_is_range(equals + 1);
}

static void fuzz_overlay(fuzz *f) {
    gp_catalog *own = NULL;
    const void *const *rows = NULL;
    size_t count = 0;
    gp_catalog_open(f->arena, f->diags, &own);
    if (gp_catalog_add(own, f->text) != GP_OK)
        return;
    for (int kind = 0; kind < GP_CATALOG_KIND_COUNT; kind++)
        (void)gp_catalog_rows(own, (gp_catalog_kind)kind, &rows, &count);
}

static void fuzz_calibration(fuzz *f) {
    gp_calibration_document *document = NULL;
    gp_catalog *own = NULL;
    if (gp_calibration_read(f->arena, f->text, f->diags, &document) != GP_OK)
        return;
    gp_catalog_open(f->arena, f->diags, &own);
    (void)gp_calibration_apply(f->arena, own, document, f->diags);
}

static void fuzz_lock(fuzz *f) {
    gp_lock *lock = NULL;
    gp_catalog *own = NULL;
    if (gp_lock_read(f->arena, f->text, f->diags, &lock) != GP_OK)
        return;
    (void)gp_lock_broken(lock);
    gp_catalog_open(f->arena, f->diags, &own);
    gp_catalog_add_lock(own, lock);
}

static void fuzz_config(fuzz *f) {
    gp_config *config = NULL;
    (void)gp_config_read(f->arena, f->text, GP_CONFIG_PROJECT, f->diags, &config);
}

/* ---- what gpuplan wrote itself, or another hand */

static void fuzz_report(fuzz *f) {
    static const char *const exports[EXPORTS] = {"k8s", "kueue", "slurm", "bom", "rfp", "spec"};
    gp_report_list list = {0};
    gp_diff *diff = NULL;
    const char *text = NULL;
    size_t len = 0;
    if (gp_report_parse(f->arena, f->text, f->diags, &list) != GP_OK || list.count == 0)
        return;
    for (size_t i = 0; i < gp_renderer_count; i++)
        (void)gp_render_reports(f->arena, gp_renderers[i], (const gp_report *const *)list.items,
                                list.count, NULL, &text, &len);
    for (size_t i = 0; i < EXPORTS; i++) {
        const gp_export *kind = gp_export_named(exports[i]);
        for (size_t k = 0; gp_export_form(kind, k) != NULL; k++) {
            const gp_export_options options = {.form = gp_export_form(kind, k)};
            gp_export_problem problem;
            (void)gp_export_report(f->arena, kind, list.items[0], &options, &problem, &text, &len);
        }
    }
    gp_diff_of(f->arena, list.items[0], list.items[list.count - 1], &diff);
    const gp_diff_list set = {.count = 1, .items = &diff};
    (void)gp_forms_render(f->arena, &gp_forms_diff, "markdown", &set, NULL, &text, &len);
}

static void fuzz_study(fuzz *f) {
    gp_study *study = NULL;
    gp_study_point point;
    const char *text = NULL;
    size_t len = 0;
    (void)gp_study_parse_point(f->arena, f->text, f->diags, &point);
    if (gp_study_parse(f->arena, f->text, f->diags, &study) != GP_OK)
        return;
    study_from_list(f->arena, study);
    if (gp_study_survey(f->arena, study) != GP_OK)
        return;
    const char *form = NULL;
    for (size_t i = 0; (form = gp_forms_name(&gp_forms_study, i)) != NULL; i++)
        (void)gp_forms_render(f->arena, &gp_forms_study, form, study, NULL, &text, &len);
}

/* ---- what other tools and servers write */

static void fuzz_model(fuzz *f) {
    const gp_import_model_input input = {.name = "org/name",
                                         .source = "fuzz",
                                         .date = "2027-01-01",
                                         .config = f->text,
                                         .quantization = f->text,
                                         .index = f->text};
    gp_import_model model;
    (void)gp_import_model_read(f->arena, &input, f->diags, &model);
}

static void fuzz_machine(fuzz *f) {
    const gp_import_pool_options options = {.gpus = {0}};
    gp_import_pools pools;
    (void)gp_import_hwloc_read(f->arena, f->text, f->catalog, &options, f->diags, &pools);
    (void)gp_import_slurm_read(f->arena, f->text, f->catalog, &options, f->diags, &pools);
}

static void fuzz_price(fuzz *f) {
    static const gp_price_options options[] = {{.provider = "azure", .tier = -1},
                                               {.provider = "aws", .tier = -1}};
    for (int i = 0; i < 2; i++) {
        gp_price_book *book = NULL;
        gp_price_list list;
        const char *next = NULL;
        if (gp_price_book_new(f->arena, f->catalog, &options[i], &book) != GP_OK)
            return;
        gp_status st = i == 0 ? gp_price_azure_add(book, f->text, f->diags, &next)
                              : gp_price_skypilot_add(book, f->text, f->diags);
        if (st == GP_OK)
            (void)gp_price_book_finish(book, "n", "s", "2027-01-01", &list);
    }
}

static const gp_reading_set sets[] = {
    {"model", "llama-3.1-8b"}, {"gpu", "h100-sxm"}, {"gpus", "8"},
    {"precision", "bf16"},     {"tp", "8"},         {"framework", "megatron"}};

static void fuzz_log(fuzz *f) {
    const gp_reading_options options = {.sets = sets, .set_count = sizeof sets / sizeof sets[0]};
    const char *csv = NULL;
    size_t len = 0;
    (void)gp_readings_read(f->arena, &f->text, 1, &options, f->diags, &csv, &len);
}

static void fuzz_runs(fuzz *f) {
    const gp_backtest_options scoring = {.all = true};
    const gp_calibrate_options fitting = {.from = 0};
    gp_backtest *backtest = NULL;
    gp_calibration calibration;
    (void)gp_backtest_run(f->arena, f->catalog, f->text, &scoring, f->diags, &backtest);
    (void)gp_calibrate(f->arena, f->catalog, &f->text, 1, &fitting, f->diags, &calibration);
}

static void fuzz_trace(fuzz *f) {
    gp_arrival_list list;
    (void)gp_arrivals_read(f->arena, f->text, f->diags, &list);
}

static void fuzz_answer(fuzz *f) {
    const gp_telemetry_options options = {.end_s = 1.8e9, .window_s = 3600};
    gp_telemetry *telemetry = NULL;
    gp_telemetry_request request;
    gp_telemetry_open(f->arena, &options, &telemetry);
    gp_status st = GP_OK;
    for (int i = 0; st == GP_OK && i < ANSWERS_MAX; i++) {
        st = gp_telemetry_next(telemetry, &request);
        if (st == GP_OK)
            st = gp_telemetry_take(telemetry, 200, f->text);
    }
}

static const struct target {
    const char *name;
    void (*run)(fuzz *f);
} targets[] = {
    {"spec", fuzz_spec},
    {"plan", fuzz_plan},
    {"set", fuzz_set},
    {"overlay", fuzz_overlay},
    {"calibration", fuzz_calibration},
    {"lock", fuzz_lock},
    {"config", fuzz_config},
    {"report", fuzz_report},
    {"study", fuzz_study},
    {"model", fuzz_model},
    {"machine", fuzz_machine},
    {"price", fuzz_price},
    {"log", fuzz_log},
    {"runs", fuzz_runs},
    {"trace", fuzz_trace},
    {"answer", fuzz_answer},
};

/* ---- one input */

/* Read once, with all rows: what a run adds to its arena goes. */
static gp_catalog *catalog;
static gp_arena *catalog_arena;
static gp_arena_mark catalog_mark;
static gp_diags diags;

static void open_catalog(void) {
    catalog_arena = gp_arena_new(ARENA_BYTES);
    gp_diags_init(&diags, catalog_arena);
    gp_catalog_open(catalog_arena, &diags, &catalog);
    if (gp_catalog_load_all(catalog) != GP_OK)
        abort();
    catalog_mark = gp_arena_set_mark(catalog_arena);
}

typedef struct one_input {
    fuzz f;
    const struct target *target;
    const uint8_t *bytes;
    size_t len;
} one_input;

/* Texts end in a NUL. */
static gp_status run_input(void *context) {
    one_input *it = context;
    gp_text *text = NULL;
    gp_diags_init(&diags, it->f.arena);
    const char *copy = gp_arena_strndup(it->f.arena, (const char *)it->bytes, it->len);
    gp_status st = gp_text_init(it->f.arena, "input", copy, it->len, &text);
    it->f.text = text;
    if (st == GP_OK)
        it->target->run(&it->f);
    return st;
}

int fuzz_run(const char *name, const uint8_t *bytes, size_t len) {
    bool found = false;
    if (catalog == NULL)
        open_catalog();
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        if (strcmp(targets[i].name, name) != 0)
            continue;
        one_input it = {.f = {.arena = gp_arena_beside(catalog_arena, ARENA_BYTES),
                              .catalog = catalog,
                              .diags = &diags},
                        .target = &targets[i],
                        .bytes = bytes,
                        .len = len};
        found = true;
        (void)gp_arena_guard(catalog_arena, run_input, &it);
        gp_arena_free(it.f.arena);
        gp_arena_release(catalog_arena, catalog_mark);
    }
    return found;
}

/* ---- libFuzzer */

static const char *chosen = "spec";

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv) {
    const char *dash = strrchr((*argv)[0], '-');
    (void)argc;
    chosen = dash == NULL ? chosen : dash + 1;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len) {
    if (!fuzz_run(chosen, bytes, len))
        abort();
    return 0;
}
