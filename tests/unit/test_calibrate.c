/* Calibration: a made-up cluster whose rates are off the built-in ones by known factors is
 * recovered from its runs, and runs that were not used come out right; what cannot be believed is
 * left out; documents read back as they were written. */
#include <math.h>
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

#include "base/buf.h"
#include "source/csv_tree.h"

enum { HELD_OUT = 60, KINDS = 4, MOST = 100 };

static const size_t arena_max = (size_t)1 << 30;
static const double noise = 0.03; /* standard deviation of ln(measured), run by run */

typedef struct world {
    gp_arena *arena;
    gp_diags diags;
    gp_catalog *built_in;
    gp_catalog *truth;
} world;

static const char truth_text[] =
    "apiVersion: gpuplan/v1\nkind: Calibration\nmetadata: {name: truth}\nspec:\n  factors:\n"
    "    - {class: {gpu: h100-sxm, precision: bf16}, term: gemmEfficiency, factor: 0.80, samples: "
    "1}\n"
    "    - {class: {gpu: h100-sxm, precision: fp8}, term: gemmEfficiency, factor: 0.70, samples: "
    "1}\n"
    "    - {class: {gpu: h200-sxm, precision: bf16}, term: gemmEfficiency, factor: 0.90, samples: "
    "1}\n"
    "    - {class: {gpu: h100-sxm, precision: bf16}, term: decodeEfficiency, factor: 0.85, "
    "samples: 1}\n"
    "    - {class: {gpu: h100-sxm, precision: bf16}, term: prefillEfficiency, factor: 0.75, "
    "samples: 1}\n"
    "    - {class: {gpu: h100-sxm}, term: gpuPower, factor: 1.12, samples: 1}\n"
    "    - {class: {link: scale-out}, term: busBandwidth, factor: 0.88, samples: 1}\n";

static const struct {
    const char *class_text; /* in the table of docs/calibration.md */
    gp_calibration_term term;
    const char *gpu, *precision;
    double factor;
} truths[] = {
    {"h100-sxm bf16", GP_CALIBRATION_GEMM, "h100-sxm", "bf16", 0.80},
    {"h100-sxm fp8", GP_CALIBRATION_GEMM, "h100-sxm", "fp8", 0.70},
    {"h200-sxm bf16", GP_CALIBRATION_GEMM, "h200-sxm", "bf16", 0.90},
    {"h100-sxm bf16", GP_CALIBRATION_DECODE, "h100-sxm", "bf16", 0.85},
    {"h100-sxm bf16", GP_CALIBRATION_PREFILL, "h100-sxm", "bf16", 0.75},
    {"h100-sxm", GP_CALIBRATION_POWER, "h100-sxm", NULL, 1.12},
    {"scale-out", GP_CALIBRATION_BANDWIDTH, NULL, NULL, 0.88},
};
enum { TRUTHS = sizeof truths / sizeof truths[0] };

/* ---- made-up runs: configurations by number, and what a figure is multiplied by */

static double uniform(uint64_t *state) {
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*state >> 11) / 9007199254740992.0;
}

static double normal(uint64_t *state) {
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += uniform(state);
    return sum;
}

typedef void add_run(gp_buf *buf, int index, const double *figures);

static void add_training(gp_buf *buf, int i, const double *figures) {
    static const struct {
        const char *model;
        int tp, pp;
    } models[] = {{"llama-3.1-8b", 1, 1},
                  {"llama-3.1-70b", 8, 2},
                  {"qwen2.5-32b", 4, 1},
                  {"llama-3.1-8b", 2, 1},
                  {"llama-3.1-70b", 8, 4}};
    static const char *const classes[] = {"h100-sxm,bf16", "h100-sxm,fp8", "h200-sxm,bf16"};
    int m = i / 3 % 5;
    int gpus = 64 << (i / 15 % 3);
    gp_buf_printf(buf, "t%d,pretrain,%s,%d,%s,%d,1,%d,%d,%d,Megatron-Bridge,", i, models[m].model,
                  gpus, classes[i % 3], gpus * (1 + i / 45 % 2), i / 45 % 2 == 0 ? 8192 : 4096,
                  models[m].tp, models[m].pp);
    gp_buf_number(buf, figures[0], 9);
    gp_buf_str(buf, ",\n");
}

static void add_serving(gp_buf *buf, int i, const double *figures) {
    static const char *const models[] = {"llama-3.1-8b,1,1", "llama-3.1-70b,4,4",
                                         "qwen2.5-32b,2,2"};
    static const int batches[] = {1, 4, 16, 64, 8};
    gp_buf_printf(buf, "s%d,%s,h100-sxm,bf16,online,%d,%d,%d,", i, models[i % 3],
                  512 << (i / 15 % 4), 256 + 16 * (i / 60), batches[i / 3 % 5]);
    gp_buf_number(buf, figures[0], 9);
    gp_buf_str(buf, ",");
    gp_buf_number(buf, figures[1], 9);
    gp_buf_str(buf, "\n");
}

static void add_power(gp_buf *buf, int i, const double *figures) {
    static const char *const models[] = {"llama-3.1-8b,1", "llama-3.1-70b,4", "qwen2.5-32b,2"};
    gp_buf_printf(buf, "p%d,%s,h100-sxm,bf16,%d,%d,512,", i, models[i % 3], 4 << (i / 3 % 6),
                  256 + 64 * (i / 18));
    gp_buf_number(buf, figures[0], 9);
    gp_buf_str(buf, "\n");
}

static void add_collective(gp_buf *buf, int i, const double *figures) {
    static const char *const kinds[] = {"all_reduce", "all_gather", "reduce_scatter"};
    int nodes = 2 << (i / 3 % 4);
    gp_buf_printf(buf, "c%d,h100-sxm,%s,NDR,%d,%d,%d MiB,", i, kinds[i % 3], nodes, 8 * nodes,
                  256 + 64 * (i / 12));
    gp_buf_number(buf, figures[0], 9);
    gp_buf_str(buf, "\n");
}

static const struct {
    const char *header;
    add_run *add;
    int figures;
} tables[KINDS] = {
    {"id,kind,model,gpus,gpu,precision,gbs_sequences,mbs,seq_len,tp,pp,framework,"
     "tokens_per_s_per_gpu,iteration_s\n",
     add_training, 1},
    {"id,model,gpus,tp,gpu,precision_weights,mode,input_len,output_len,concurrency_or_batch,"
     "tpot_ms_p50,ttft_ms_p50\n",
     add_serving, 2},
    {"id,model,gpus,gpu,precision,avg_batch,input_len,output_len,w_per_gpu\n", add_power, 1},
    {"id,gpu,collective,network,nodes,ranks,payload,busbw_GBps\n", add_collective, 1},
};

static gp_text *text_of(gp_arena *arena, const char *name, gp_buf *buf) {
    const char *data = NULL;
    size_t len = 0;
    gp_text *text = NULL;
    assert_int_equal(gp_buf_finish(buf, &data, &len), GP_OK);
    assert_int_equal(gp_text_init(arena, name, data, len, &text), GP_OK);
    return text;
}

/* Runs first..first+count of a kind with these figures each, in the order of the rows. */
static gp_text *write_runs(gp_arena *arena, int kind, int first, int count, const double *figures) {
    gp_buf buf;
    gp_buf_init(&buf, arena, (size_t)1 << 24);
    gp_buf_str(&buf, tables[kind].header);
    for (int i = 0; i < count; i++)
        tables[kind].add(&buf, first + i, figures + i * tables[kind].figures);
    return text_of(arena, "own.csv", &buf);
}

static gp_backtest *backtest(world *w, gp_catalog *catalog, const gp_text *text) {
    gp_backtest *result = NULL;
    gp_backtest_options options = {0};
    assert_int_equal(gp_backtest_run(w->arena, catalog, text, &options, &w->diags, &result), GP_OK);
    return result;
}

/* What the made-up cluster measures: its own estimates, times the scatter of runs. */
static gp_text *measure(world *w, int kind, int first, int count, double scatter) {
    const int each = tables[kind].figures;
    double figures[2 * (MOST + HELD_OUT)] = {0};
    uint64_t state = (uint64_t)(first * KINDS + kind + 1) * 7919;
    for (int i = 0; i < count * each; i++)
        figures[i] = 1;
    gp_text *blank = write_runs(w->arena, kind, first, count, figures);
    gp_backtest *truth = backtest(w, w->truth, blank);
    assert_int_equal(truth->row_count, count * each);
    for (int i = 0; i < count * each; i++) {
        if (truth->rows[i].status != GP_BACKTEST_SCORED)
            fail_msg("%s: %s", truth->rows[i].id, truth->rows[i].reason);
        figures[i] = truth->rows[i].estimated * exp(scatter * normal(&state));
    }
    return write_runs(w->arena, kind, first, count, figures);
}

static gp_catalog *catalog_with(world *w, const char *text) {
    gp_catalog *catalog = NULL;
    gp_text *source = NULL;
    gp_calibration_document *document = NULL;
    assert_int_equal(gp_catalog_open(w->arena, &w->diags, &catalog), GP_OK);
    if (text == NULL)
        return catalog;
    assert_int_equal(gp_text_init(w->arena, "own.yaml", text, strlen(text), &source), GP_OK);
    assert_int_equal(gp_calibration_read(w->arena, source, &w->diags, &document), GP_OK);
    gp_status st = gp_calibration_apply(w->arena, catalog, document, &w->diags);
    if (st != GP_OK)
        fail_msg("%s", w->diags.count > 0 ? w->diags.items[0].message : gp_status_name(st));
    return catalog;
}

/* In place: the catalogues keep the address of the diagnostics. */
static void make_world(world *w) {
    *w = (world){.arena = gp_arena_new(arena_max)};
    gp_diags_init(&w->diags, w->arena);
    w->built_in = catalog_with(w, NULL);
    w->truth = catalog_with(w, truth_text);
}

static gp_calibration calibrate(world *w, const gp_text *const *texts, size_t count) {
    gp_calibration ret;
    gp_calibrate_options options = {.from = 20260901, .to = 20260930};
    assert_int_equal(gp_calibrate(w->arena, w->built_in, texts, count, &options, &w->diags, &ret),
                     GP_OK);
    return ret;
}

static const gp_calibration_factor *find(const gp_calibration *c, size_t truth) {
    for (size_t i = 0; i < c->factors.count; i++) {
        const gp_calibration_factor *f = &c->factors.items[i];
        const char *gpu = f->class_of.gpu == NULL ? "" : f->class_of.gpu;
        const char *precision = f->class_of.precision == NULL ? "" : f->class_of.precision;
        if ((gp_calibration_term)f->term == truths[truth].term &&
            strcmp(gpu, truths[truth].gpu == NULL ? "" : truths[truth].gpu) == 0 &&
            strcmp(precision, truths[truth].precision == NULL ? "" : truths[truth].precision) == 0)
            return f;
    }
    return NULL;
}

/* ---- recovery */

typedef struct outcome {
    double errors[TRUTHS];
    double held_out[KINDS], before[KINDS];
} outcome;

static outcome recover(world *w, int runs) {
    outcome ret;
    gp_text *texts[KINDS];
    const char *yaml = NULL;
    for (int k = 0; k < KINDS; k++)
        texts[k] = measure(w, k, 0, runs, noise);
    gp_calibration c = calibrate(w, (const gp_text *const *)texts, KINDS);
    for (size_t t = 0; t < TRUTHS; t++) {
        const gp_calibration_factor *f = find(&c, t);
        assert_non_null(f);
        ret.errors[t] = f->factor / truths[t].factor - 1;
    }
    assert_int_equal(gp_calibration_write(w->arena, "own", &c, &yaml, NULL), GP_OK);
    gp_catalog *calibrated = catalog_with(w, yaml);
    for (int k = 0; k < KINDS; k++) {
        gp_text *others = measure(w, k, MOST, HELD_OUT, 0);
        ret.before[k] = backtest(w, w->built_in, others)->total.median;
        ret.held_out[k] = backtest(w, calibrated, others)->total.median;
    }
    return ret;
}

static const char *percent(gp_arena *arena, double share) {
    gp_buf buf;
    const char *text = NULL;
    gp_buf_init(&buf, arena, 64);
    gp_buf_fixed(&buf, share * 100, 1);
    gp_buf_str(&buf, " %");
    assert_int_equal(gp_buf_finish(&buf, &text, NULL), GP_OK);
    return text;
}

enum { DOCS_MAX = 1 << 16 };

static char *load_docs(gp_arena *arena, const char *path) {
    char *data = gp_arena_alloc(arena, DOCS_MAX, 1);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(data, 1, DOCS_MAX - 1, file) > 0);
    fclose(file);
    return data;
}

/* The rows below the head of a table of docs/calibration.md are what was measured here; with
 * UPDATE_CALIBRATION=FILE they are written instead. */
static void expect_table(gp_arena *arena, const char *name, const char *rows) {
    const char *update = getenv("UPDATE_CALIBRATION");
    const char *path = update != NULL ? update : "docs/calibration.md";
    char *docs = load_docs(arena, path);
    char *begin = strstr(docs, gp_arena_printf(arena, "<!-- %s -->", name));
    assert_non_null(begin);
    begin = strstr(begin, "|\n|---");
    assert_non_null(begin);
    begin = strchr(begin + 2, '\n') + 1;
    char *end = strstr(begin, gp_arena_printf(arena, "<!-- end %s -->", name));
    assert_non_null(end);
    if (update != NULL) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        assert_true(fprintf(file, "%.*s%s%s", (int)(begin - docs), docs, rows, end) > 0);
        assert_int_equal(fclose(file), 0);
    } else if (strncmp(begin, rows, (size_t)(end - begin)) != 0 ||
               strlen(rows) != (size_t)(end - begin)) {
        fail_msg("docs/calibration.md, table %s: run make accuracy; measured was\n%s", name, rows);
    }
}

static void known_factors_are_recovered(void **state) {
    (void)state;
    static const int counts[] = {5, 20, 100};
    static const char *const kinds[] = {"training", "serving", "power", "collectives"};
    static const double most[] = {0.06, 0.04, 0.02};
    world w;
    make_world(&w);
    outcome o[3];
    for (int i = 0; i < 3; i++) {
        o[i] = recover(&w, counts[i]);
        for (size_t t = 0; t < TRUTHS; t++)
            assert_true(fabs(o[i].errors[t]) < most[i]);
        for (int k = 0; k < KINDS; k++)
            assert_true(o[i].held_out[k] < 0.015 && o[i].before[k] > 0.09);
    }
    const char *rows = "";
    for (size_t t = 0; t < TRUTHS; t++)
        rows = gp_arena_printf(w.arena, "%s| %s | %s | %s | %s | %s | %s |\n", rows,
                               gp_calibration_term_words[truths[t].term], truths[t].class_text,
                               percent(w.arena, truths[t].factor), percent(w.arena, o[0].errors[t]),
                               percent(w.arena, o[1].errors[t]), percent(w.arena, o[2].errors[t]));
    expect_table(w.arena, "recovery", rows);
    rows = "";
    for (int k = 0; k < KINDS; k++)
        rows =
            gp_arena_printf(w.arena, "%s| %s | %s | %s | %s | %s |\n", rows, kinds[k],
                            percent(w.arena, o[0].before[k]), percent(w.arena, o[0].held_out[k]),
                            percent(w.arena, o[1].held_out[k]), percent(w.arena, o[2].held_out[k]));
    expect_table(w.arena, "held-out", rows);
    gp_arena_free(w.arena);
}

/* ---- one framework's published runs as a team's own */

static gp_text *reference(gp_arena *arena, const char *path) {
    const size_t most = (size_t)4 << 20;
    char *data = gp_arena_alloc(arena, most, 1);
    FILE *file = fopen(path, "r");
    gp_text *text = NULL;
    assert_non_null(file);
    size_t len = fread(data, 1, most - 1, file);
    fclose(file);
    assert_int_equal(gp_text_init(arena, path, data, len, &text), GP_OK);
    return text;
}

static void add_cell(gp_buf *buf, const char *text) {
    gp_buf_char(buf, '"');
    for (const char *c = text; *c != '\0'; c++)
        gp_buf_repeat(buf, *c, *c == '"' ? 2 : 1);
    gp_buf_char(buf, '"');
}

/* Every second strict row of a framework, its name changed to one that is not built in. */
static gp_text *rows_of(world *w, const gp_csv *csv, const char *framework, int part) {
    size_t name = (size_t)gp_csv_column(csv, "framework");
    size_t strict = (size_t)gp_csv_column(csv, "strict");
    int met = 0;
    gp_buf buf;
    gp_buf_init(&buf, w->arena, (size_t)1 << 24);
    for (size_t c = 0; c < csv->columns; c++)
        gp_buf_printf(&buf, "%s%s", c > 0 ? "," : "", csv->header[c].text);
    gp_buf_char(&buf, '\n');
    for (size_t i = 0; i < csv->rows; i++) {
        if (strncmp(gp_csv_at(csv, i, name)->text, framework, strlen(framework)) != 0 ||
            strcmp(gp_csv_at(csv, i, strict)->text, "yes") != 0 || met++ % 2 != part)
            continue;
        for (size_t c = 0; c < csv->columns; c++) {
            gp_buf_str(&buf, c > 0 ? "," : "");
            add_cell(&buf, c == name ? "in-house" : gp_csv_at(csv, i, c)->text);
        }
        gp_buf_char(&buf, '\n');
    }
    return text_of(w->arena, "own.csv", &buf);
}

static void published_runs_as_own(void **state) {
    (void)state;
    static const struct {
        const char *path, *framework;
    } teams[] = {
        {"tests/reference/training.csv", "Megatron-Bridge"},
        {"tests/reference/training.csv", "NeMo"},
        {"tests/reference/training.csv", "llm-foundry"},
        {"tests/reference/training.csv", "torchtitan"},
        {"tests/reference/training.csv", "MaxText"},
        {"tests/reference/training.csv", "torchtune"},
        {"tests/reference/training.csv", "Paxml"},
        {"tests/reference/finetune.csv", "HF"},
        {"tests/reference/finetune.csv", "optimum-benchmark"},
    };
    gp_arena *kept = gp_arena_new(arena_max);
    const char *rows = "";
    double sum_before = 0;
    double sum_after = 0;
    for (size_t t = 0; t < sizeof teams / sizeof teams[0]; t++) {
        world w = {.arena = gp_arena_new(arena_max)};
        gp_source_limits limits = GP_SOURCE_LIMITS_INIT;
        gp_csv csv;
        const char *yaml = NULL;
        gp_diags_init(&w.diags, w.arena);
        w.built_in = catalog_with(&w, NULL);
        gp_text *all = reference(w.arena, teams[t].path);
        assert_int_equal(gp_csv_read(w.arena, all, &limits, &w.diags, &csv), GP_OK);
        const gp_text *own = rows_of(&w, &csv, teams[t].framework, 0);
        gp_text *others = rows_of(&w, &csv, teams[t].framework, 1);
        gp_calibration c = calibrate(&w, &own, 1);
        assert_int_equal(gp_calibration_write(w.arena, "own", &c, &yaml, NULL), GP_OK);
        gp_catalog *calibrated = catalog_with(&w, yaml);
        const gp_backtest *before = backtest(&w, w.built_in, others);
        const gp_backtest *after = backtest(&w, calibrated, others);
        sum_before += before->total.mean;
        sum_after += after->total.mean;
        rows =
            gp_arena_printf(kept, "%s| %s | %lld | %zu | %s | %s | %s | %s |\n", rows,
                            teams[t].framework, (long long)c.backtest.rows, before->total.n,
                            percent(kept, before->total.median), percent(kept, after->total.median),
                            percent(kept, before->total.mean), percent(kept, after->total.mean));
        /* Where the built-in figures fit already, a calibration does not spoil them. */
        assert_true(after->total.mean <= before->total.mean * 1.05);
        gp_arena_free(w.arena);
    }
    assert_true(sum_after < sum_before);
    expect_table(kept, "teams", rows);
    gp_arena_free(kept);
}

/* ---- shrinking, and what is not believed */

static gp_calibration calibrate_rows(world *w, const char *rows) {
    gp_buf buf;
    gp_buf_init(&buf, w->arena, 1 << 16);
    gp_buf_str(&buf, tables[0].header);
    gp_buf_str(&buf, rows);
    const gp_text *text = text_of(w->arena, "own.csv", &buf);
    return calibrate(w, &text, 1);
}

static double estimate_of(world *w) {
    const double one = 1;
    return backtest(w, w->built_in, write_runs(w->arena, 0, 0, 1, &one))->rows[0].estimated;
}

/* One run moves the figure part of the way, more of the same move it nearly all of it. */
static void few_runs_shrink(void **state) {
    (void)state;
    world w;
    make_world(&w);
    double figures[MOST];
    double weights[2];
    for (int i = 0; i < 2; i++) {
        gp_buf buf;
        gp_buf_init(&buf, w.arena, 1 << 16);
        gp_buf_str(&buf, tables[0].header);
        figures[0] = estimate_of(&w) * 0.9;
        for (int n = 0; n < (i == 0 ? 1 : 12); n++)
            add_training(&buf, 0, figures);
        const gp_text *text = text_of(w.arena, "own.csv", &buf);
        gp_calibration c = calibrate(&w, &text, 1);
        assert_int_equal(c.factors.count, 1);
        const gp_calibration_factor *f = &c.factors.items[0];
        assert_true(f->measured < f->factor && f->factor < 1);
        assert_int_equal(f->samples, i == 0 ? 1 : 12);
        weights[i] = f->weight;
    }
    assert_true(weights[0] > 0.5 && weights[0] < weights[1] && weights[1] > 0.97);
    gp_arena_free(w.arena);
}

/* Equal runs of two frameworks: what one takes longer is its own, not the GPU's. */
static void frameworks_are_told_apart(void **state) {
    (void)state;
    static const char slower[] = "apiVersion: gpuplan/v1\nkind: Calibration\n"
                                 "metadata: {name: truth}\nspec:\n  factors:\n"
                                 "    - {class: {framework: torchtitan}, term: stepTime, "
                                 "factor: 1.15, samples: 1}\n";
    static const char *const names[] = {"NeMo", "torchtitan"};
    world w;
    make_world(&w);
    w.truth = catalog_with(&w, slower);
    const char *rows = "";
    for (int pass = 0; pass < 2; pass++) {
        const gp_backtest *measured = NULL;
        if (pass > 0) {
            gp_buf buf;
            gp_buf_init(&buf, w.arena, 1 << 16);
            gp_buf_str(&buf, tables[0].header);
            gp_buf_str(&buf, rows);
            measured = backtest(&w, w.truth, text_of(w.arena, "own.csv", &buf));
        }
        rows = "";
        for (int i = 0; i < 24; i++) {
            long long speed = measured == NULL ? 1 : (long long)measured->rows[i].estimated;
            rows = gp_arena_printf(w.arena,
                                   "%sa%d,pretrain,llama-3.1-8b,64,h100-sxm,bf16,%d,1,%d,%d,1,%s,"
                                   "%lld,\n",
                                   rows, i, 64 << (i / 2 % 3), i / 6 % 2 == 0 ? 4096 : 8192,
                                   1 + i / 12, names[i % 2], speed);
        }
    }
    gp_calibration c = calibrate_rows(&w, rows);
    double times[2] = {0};
    for (size_t i = 0; i < c.factors.count; i++) {
        const gp_calibration_factor *f = &c.factors.items[i];
        if ((gp_calibration_term)f->term == GP_CALIBRATION_STEP_TIME)
            times[strcmp(f->class_of.framework, "torchtitan") == 0] = f->factor;
        else
            assert_null(f->class_of.framework);
    }
    assert_true(times[0] > 0 && fabs(times[1] / times[0] / 1.15 - 1) < 0.03);
    gp_arena_free(w.arena);
}

static bool told(const gp_diags *diags, const char *part) {
    for (size_t i = 0; i < diags->count; i++)
        if (strstr(diags->items[i].message, part) != NULL)
            return true;
    return false;
}

#define GOOD         "a,pretrain,llama-3.1-8b,64,h100-sxm,bf16,64,1,8192,1,1,NeMo,9000,\n"
#define ROW(figures) "b,pretrain,llama-3.1-8b,64,h100-sxm,bf16,64,1,8192,1,1,NeMo," figures "\n"

static void nonsense_is_left_out(void **state) {
    (void)state;
    static const struct {
        const char *row, *reason;
    } cases[] = {
        {ROW("22000,"), "faster than the GPU's peak rate"},
        {ROW("600000,"), "of all GPUs together"},
        {ROW("9,"), "another unit"},
        {ROW("9000,10"), "not of one speed"},
        {"b,pretrain,no-such-model,64,h100-sxm,bf16,64,1,8192,1,1,NeMo,9000,\n", "b left out"},
        {"b,pretrain,llama-3.1-8b,64,no-such-gpu,bf16,64,1,8192,1,1,NeMo,9000,\n", "no-such-gpu"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        world w;
        make_world(&w);
        gp_calibration c = calibrate_rows(&w, gp_arena_printf(w.arena, "%s%s", GOOD, cases[i].row));
        assert_int_equal(c.factors.count, 1);
        assert_int_equal(c.factors.items[0].samples, 1);
        assert_int_equal(c.backtest.refused, 1);
        if (!told(&w.diags, cases[i].reason))
            fail_msg("%s: %s", cases[i].reason,
                     w.diags.count > 0 ? w.diags.items[0].message : "nothing was said");
        gp_arena_free(w.arena);
    }
}

/* The order of the rows does not show. */
static void same_rows_same_bytes(void **state) {
    (void)state;
    static const char other[] =
        "b,pretrain,llama-3.1-70b,64,h100-sxm,bf16,64,1,8192,8,2,NeMo,800,\n";
    static const char third[] = "c,pretrain,llama-3.1-8b,64,h200-sxm,bf16,64,1,8192,1,1,x,9000,\n";
    world w;
    make_world(&w);
    const char *texts[2];
    for (int i = 0; i < 2; i++) {
        gp_calibration c =
            calibrate_rows(&w, i == 0 ? gp_arena_printf(w.arena, "%s%s%s", GOOD, other, third)
                                      : gp_arena_printf(w.arena, "%s%s%s", third, other, GOOD));
        assert_int_equal(gp_calibration_write(w.arena, "own", &c, &texts[i], NULL), GP_OK);
    }
    assert_string_equal(texts[0], texts[1]);
    gp_arena_free(w.arena);
}

/* ---- documents */

#define FACTORS(text)                                                                              \
    "apiVersion: gpuplan/v1\nkind: Calibration\nmetadata: {name: a}\nspec:\n  factors:\n" text

static void wrong_documents_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {FACTORS("    - {class: {gpu: h100-sxm}, term: gemmEfficiency, factor: 1, samples: 1}\n"),
         "class.precision"},
        {FACTORS("    - {class: {link: scale-up}, term: busBandwidth, factor: 1, samples: 1}\n"),
         "class.gpu"},
        {FACTORS("    - {class: {}, term: stepTime, factor: 1, samples: 1}\n"), "framework"},
        {FACTORS("    - {class: {gpu: h100-sxm}, term: gpuPower, factor: 0, samples: 1}\n"),
         "factor"},
        {FACTORS("    - {class: {link: a}, term: busBandwidth, factor: 1, samples: 1}\n"
                 "    - {class: {link: b}, term: busBandwidth, factor: 1, samples: 1}\n"),
         "a second factor"},
        {FACTORS("    - {class: {gpu: h100-sxm, precision: bf16}, term: gemmEfficiency, "
                 "factor: 5, samples: 1}\n"),
         "above the peak"},
        {FACTORS("    - {class: {gpu: h101}, term: gpuPower, factor: 1, samples: 1}\n"),
         "no GPU \"h101\""},
        {FACTORS("    - {class: {framework: x}, term: stepTime, factor: 1, samples: 1}\n"),
         "no software"},
        {"apiVersion: gpuplan/v1\nkind: Prices\nmetadata: {name: a}\n", "not a calibration"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        world w;
        make_world(&w);
        gp_text *text = NULL;
        gp_calibration_document *document = NULL;
        assert_int_equal(
            gp_text_init(w.arena, "own.yaml", cases[i].text, strlen(cases[i].text), &text), GP_OK);
        gp_status st = gp_calibration_read(w.arena, text, &w.diags, &document);
        if (st == GP_OK)
            st = gp_calibration_apply(w.arena, w.built_in, document, &w.diags);
        assert_int_equal(st, GP_ERR_INPUT);
        if (!told(&w.diags, cases[i].message))
            fail_msg("%s: %s", cases[i].message,
                     w.diags.count > 0 ? w.diags.items[0].message : "nothing was said");
        gp_arena_free(w.arena);
    }
}

static void documents_read_back(void **state) {
    (void)state;
    world w;
    make_world(&w);
    gp_calibration_factor factor = {
        .term = GP_CALIBRATION_DECODE,
        .class_of = {.gpu = "h100-sxm", .precision = "fp8", .engine = "vllm"},
        .factor = 0.875,
        .measured = 0.86,
        .weight = 0.9,
        .samples = 7,
        .spread = {.p10 = 0.8, .p90 = 0.95},
        .error_fraction = 0.06,
    };
    gp_calibration c = {.window = {.from = 20260901, .to = 20261031}, .source = "a \"b\" \\ c"};
    c.factors.items = &factor;
    c.factors.count = 1;
    c.backtest = (gp_calibration_backtest){
        .before_fraction = 0.14, .after_fraction = 0.04, .rows = 53, .refused = 2};
    const char *yaml = NULL;
    gp_text *text = NULL;
    gp_calibration_document *document = NULL;
    assert_int_equal(gp_calibration_write(w.arena, "dc \"west\"", &c, &yaml, NULL), GP_OK);
    assert_int_equal(gp_text_init(w.arena, "own.yaml", yaml, strlen(yaml), &text), GP_OK);
    assert_int_equal(gp_calibration_read(w.arena, text, &w.diags, &document), GP_OK);
    assert_string_equal(document->metadata.name, "dc \"west\"");
    const gp_calibration *back = &document->spec;
    assert_string_equal(back->source, c.source);
    assert_int_equal(back->window.from, 20260901);
    assert_int_equal(back->window.to, 20261031);
    assert_int_equal(back->factors.count, 1);
    assert_int_equal(back->factors.items[0].term, GP_CALIBRATION_DECODE);
    assert_string_equal(back->factors.items[0].class_of.engine, "vllm");
    assert_true(fabs(back->factors.items[0].factor - 0.875) < 1e-12);
    assert_true(fabs(back->factors.items[0].error_fraction - 0.06) < 1e-12);
    assert_int_equal(back->backtest.refused, 2);
    gp_arena_free(w.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_factors_are_recovered),
        cmocka_unit_test(published_runs_as_own),
        cmocka_unit_test(few_runs_shrink),
        cmocka_unit_test(frameworks_are_told_apart),
        cmocka_unit_test(nonsense_is_left_out),
        cmocka_unit_test(same_rows_same_bytes),
        cmocka_unit_test(wrong_documents_are_refused),
        cmocka_unit_test(documents_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
