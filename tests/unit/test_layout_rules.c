/* Rules of frameworks: each is broken by a layout of its own and by no other of the table, and no
 * run that was measured breaks one of its framework's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "source/csv_tree.h"
#include "support/estimate_case.h"
#include "support/plan_flow.h"

typedef struct rule_case {
    const char *id; /* NULL: the layout is launched */
    int rules;
    const char *model;
    int64_t sequences;
    gp_layout layout;
} rule_case;

/* What a row leaves out: eight replicas under ZeRO 1, micro-batches of one. */
static gp_layout filled(gp_layout l) {
    int64_t *const degrees[] = {&l.tp, &l.pp, &l.vpp, &l.cp, &l.ep, &l.zero, &l.micro_batch};
    for (size_t i = 0; i < sizeof degrees / sizeof degrees[0]; i++)
        *degrees[i] = *degrees[i] == 0 ? 1 : *degrees[i];
    l.dp = l.dp == 0 ? 8 : l.dp;
    l.recompute = GP_RECOMPUTE_NONE;
    return l;
}

/* 8,192 tokens to a sequence; llama-3.1-8b has 32 layers, 32 heads over 8, 14,336 wide. */
static const rule_case cases[] = {
    {NULL, GP_RULES_MEGATRON, "llama-3.1-8b", 128, {.tp = 2}},
    {"degrees.range", GP_RULES_NONE, "llama-3.1-8b", 128, {.zero = 4}},
    {"batch.enough", GP_RULES_NONE, "llama-3.1-8b", 4, {.zero = 1}},
    {"tp.heads", GP_RULES_NONE, "llama-3.1-8b", 128, {.tp = 3}},
    {"tp.kvHeads.any", GP_RULES_NONE, "{heads: 24, kvHeads: 8}", 128, {.tp = 12}},
    {"tp.kvHeads", GP_RULES_MEGATRON, "llama-3.1-8b", 128, {.tp = 16}},
    {NULL, GP_RULES_NONE, "llama-3.1-8b", 128, {.tp = 16}},
    {"tp.kvHeads.whole", GP_RULES_TORCHTITAN, "llama-3.1-8b", 128, {.tp = 16}},
    {"tp.zero3", GP_RULES_DEEPSPEED, "llama-3.1-8b", 128, {.tp = 2, .zero = 3}},
    {NULL, GP_RULES_MEGATRON, "llama-3.1-8b", 128, {.tp = 2, .zero = 3}},
    {"pp.layers", GP_RULES_NONE, "llama-3.1-8b", 128, {.pp = 33}},
    {"pp.none", GP_RULES_FSDP, "llama-3.1-8b", 128, {.pp = 2}},
    {"vpp.pipeline", GP_RULES_NONE, "llama-3.1-8b", 128, {.vpp = 2}},
    {"vpp.none", GP_RULES_DEEPSPEED, "llama-3.1-8b", 128, {.pp = 2, .vpp = 2}},
    /* 32 layers in twelve stages of three leave four places: the last stage would have none. */
    {"pp.fill", GP_RULES_MEGATRON, "llama-3.1-8b", 128, {.pp = 12}},
    {"pp.fill.last", GP_RULES_TORCHTITAN, "llama-3.1-8b", 128, {.pp = 12}},
    {NULL, GP_RULES_DEEPSPEED, "llama-3.1-8b", 128, {.pp = 12}},
    {"pp.layers", GP_RULES_MEGATRON, "llama-3.1-8b", 128, {.pp = 5, .vpp = 7}},
    /* 126 layers, embedding and head are 128 places. */
    {NULL, GP_RULES_MEGATRON, "llama-3.1-405b", 128, {.pp = 16, .vpp = 8}},
    {NULL, GP_RULES_MEGATRON, "llama-3.1-405b", 128, {.pp = 16}},
    {NULL, GP_RULES_MEGATRON, "llama-3.1-405b", 128, {.pp = 16, .vpp = 4}},
    {"pp.zero", GP_RULES_MEGATRON, "llama-3.1-8b", 128, {.pp = 2, .zero = 3}},
    {"pp.zero", GP_RULES_DEEPSPEED, "llama-3.1-8b", 128, {.pp = 2, .zero = 2}},
    {NULL, GP_RULES_TORCHTITAN, "llama-3.1-8b", 128, {.pp = 2, .zero = 3}},
    {"ep.experts", GP_RULES_NONE, "qwen3-30b-a3b", 128, {.ep = 3, .dp = 6}},
    {"ep.experts", GP_RULES_NONE, "llama-3.1-8b", 128, {.ep = 2}},
    {"ep.ranks", GP_RULES_NONE, "qwen3-30b-a3b", 128, {.ep = 16}},
    {"ep.dense", GP_RULES_TORCHTITAN, "qwen3-30b-a3b", 128, {.tp = 4, .ep = 2}},
    {NULL, GP_RULES_TORCHTITAN, "qwen3-30b-a3b", 128, {.tp = 4, .ep = 8}},
    {"ep.replicas", GP_RULES_DEEPSPEED, "qwen3-30b-a3b", 128, {.tp = 2, .ep = 16}},
    {"ep.zero3", GP_RULES_DEEPSPEED, "qwen3-30b-a3b", 128, {.zero = 3}},
    {"cp.sequence", GP_RULES_NONE, "llama-3.1-8b", 128, {.cp = 3}},
    {"cp.chunks", GP_RULES_MEGATRON, "llama-3.1-8b", 128, {.cp = 8192, .dp = 1}},
    {"cp.heads", GP_RULES_DEEPSPEED, "llama-3.1-8b", 128, {.cp = 64}},
    {"cp.pipeline", GP_RULES_DEEPSPEED, "llama-3.1-8b", 128, {.cp = 2, .pp = 2}},
    {"batch.divides", GP_RULES_MEGATRON, "llama-3.1-8b", 100, {.zero = 1}},
    {"batch.divides", GP_RULES_NEMO, "llama-3.1-8b", 120, {.micro_batch = 2}},
    {"batch.divides", GP_RULES_TORCHTITAN, "llama-3.1-8b", 100, {.zero = 3}},
    {"batch.divides", GP_RULES_FSDP, "llama-3.1-8b", 100, {.zero = 3}},
    {"batch.divides", GP_RULES_DEEPSPEED, "llama-3.1-8b", 100, {.zero = 3}},
    {NULL, GP_RULES_NONE, "llama-3.1-8b", 100, {.zero = 1}},
    {"vpp.rounds", GP_RULES_MEGATRON, "llama-3.1-8b", 40, {.pp = 4, .vpp = 2}},
    {"vpp.rounds.alike", GP_RULES_TORCHTITAN, "llama-3.1-8b", 72, {.pp = 4, .vpp = 2}},
    {NULL, GP_RULES_TORCHTITAN, "llama-3.1-8b", 40, {.pp = 4, .vpp = 2}},
};

static gp_train_job job_of(const gp_shape *shape, const rule_case *row) {
    return (gp_train_job){.shape = shape,
                          .type = GP_WORKLOAD_TRAINING,
                          .sequence_length = 8192,
                          .global_batch = 8192.0 * (double)row->sequences,
                          .compute = GP_PRECISION_BF16,
                          .rules = row->rules};
}

static void test_each_rule(void **state) {
    estimate_case *c = *state;
    const gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const rule_case *row = &cases[i];
        const bool odd = row->model[0] == '{';
        gp_shape shape = estimate_case_shape(c, odd ? "llama-3.1-8b" : row->model);
        if (odd) {
            shape.heads = 24;
            shape.kv_heads = 8;
        }
        const gp_train_job job = job_of(&shape, row);
        const gp_layout layout = filled(row->layout);
        const gp_layout_rule *broken = gp_layout_broken(&job, &machine, &layout);
        const char *id = broken != NULL ? broken->id : "none";
        if (strcmp(id, row->id != NULL ? row->id : "none") != 0)
            fail_msg("row %zu: %s, not %s", i, id, row->id != NULL ? row->id : "none");
        if (broken != NULL) {
            assert_true(broken->words[0] != '\0' && broken->source[0] != '\0');
            assert_true((broken->frameworks & 1u << row->rules) != 0);
        }
    }
}

/* Stages drawn by hand and repeated heads are launched where they are declared. */
static void test_drawn(void **state) {
    estimate_case *c = *state;
    const gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    const gp_shape shape = estimate_case_shape(c, "llama-3.1-8b");
    const rule_case row = {NULL, GP_RULES_MEGATRON, NULL, 128, {.pp = 12}};
    const gp_layout layout = filled(row.layout);
    gp_train_job job = job_of(&shape, &row);
    assert_non_null(gp_layout_broken(&job, &machine, &layout));
    job.drawn_heads = job.drawn_stages = true;
    assert_null(gp_layout_broken(&job, &machine, &layout));
}

static void test_stages(void **state) {
    estimate_case *c = *state;
    static const struct {
        const char *model;
        gp_layout layout;
        int64_t first, full, last;
    } rows[] = {
        {"llama-3.1-8b", {.pp = 1}, 32, 32, 32}, {"llama-3.1-8b", {.pp = 4}, 8, 8, 8},
        {"llama-3.1-405b", {.pp = 16}, 7, 8, 7}, {"llama-3.1-405b", {.pp = 16, .vpp = 4}, 7, 8, 7},
        {"deepseek-v3", {.pp = 2}, 31, 31, 30},  {"deepseek-v3", {.pp = 4}, 16, 16, 13},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const gp_shape shape = estimate_case_shape(c, rows[i].model);
        const gp_train_job job = {.shape = &shape};
        gp_layout layout = filled(rows[i].layout);
        gp_layout_set_stages(&job, &layout);
        assert_int_equal(layout.first_layers, rows[i].first);
        assert_int_equal(layout.stage_layers, rows[i].full);
        assert_int_equal(layout.last_layers, rows[i].last);
    }
}

static void test_serving(void **state) {
    estimate_case *c = *state;
    static const struct {
        const char *id, *model;
        int rules;
        gp_serve_layout layout;
    } rows[] = {
        {NULL, "llama-3.1-8b", GP_RULES_VLLM, {4, 1, 1, 0, 0, 0, 0}},
        {NULL, "llama-3.1-8b", GP_RULES_VLLM, {16, 1, 1, 0, 0, 0, 0}},
        {"tp.heads", "llama-3.1-8b", GP_RULES_VLLM, {3, 1, 1, 0, 0, 0, 0}},
        {"tp.heads", "qwen2.5-7b", GP_RULES_SGLANG, {8, 1, 1, 0, 0, 0, 0}},
        /* Experts are 768 wide. */
        {"tp.width",
         "qwen3-30b-a3b",
         GP_RULES_VLLM,
         {.tp = 4, .pp = 1, .ep = 1, .attention_dp = 128}},
        {NULL, "qwen3-30b-a3b", GP_RULES_SGLANG, {.tp = 4, .pp = 1, .ep = 1, .attention_dp = 64}},
        {"pp.layers", "llama-3.1-8b", GP_RULES_TENSORRT_LLM, {1, 33, 1, 0, 0, 0, 0}},
        {"ep.experts",
         "qwen3-30b-a3b",
         GP_RULES_SGLANG,
         {.tp = 1, .pp = 1, .ep = 3, .attention_dp = 3}},
        {NULL, "qwen3-30b-a3b", GP_RULES_VLLM, {.tp = 1, .pp = 1, .ep = 3, .attention_dp = 3}},
        {"ep.whole",
         "qwen3-30b-a3b",
         GP_RULES_VLLM,
         {.tp = 2, .pp = 1, .ep = 2, .attention_dp = 4}},
        {NULL, "qwen3-30b-a3b", GP_RULES_SGLANG, {.tp = 2, .pp = 1, .ep = 2, .attention_dp = 4}},
        {NULL, "qwen3-30b-a3b", GP_RULES_VLLM, {.tp = 2, .pp = 1, .ep = 1, .attention_dp = 4}},
        {"ep.ranks", "qwen3-30b-a3b", GP_RULES_NONE, {4, 1, 3, 0, 0, 0, 0}},
        {"dp.groups",
         "qwen3-30b-a3b",
         GP_RULES_TENSORRT_LLM,
         {.tp = 2, .pp = 1, .ep = 8, .attention_dp = 4}},
        {NULL,
         "qwen3-30b-a3b",
         GP_RULES_TENSORRT_LLM,
         {.tp = 1, .pp = 1, .ep = 6, .attention_dp = 6, .copies = 4}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const gp_shape shape = estimate_case_shape(c, rows[i].model);
        const gp_layout_rule *broken =
            gp_serve_layout_broken(&shape, rows[i].rules, &rows[i].layout);
        assert_string_equal(broken != NULL ? broken->id : "none",
                            rows[i].id != NULL ? rows[i].id : "none");
    }
}

/* ------------------------------------------------------------ measured runs */

typedef struct runs {
    gp_csv csv;
    size_t row;
} runs;

static const char *text_of(const runs *r, const char *column) {
    return gp_csv_at(&r->csv, r->row, (size_t)gp_csv_column(&r->csv, column))->text;
}

static int64_t count_of(const runs *r, const char *column, int64_t otherwise) {
    const char *text = text_of(r, column);
    return text[0] != '\0' ? (int64_t)strtod(text, NULL) : otherwise;
}

/* The layout of the row; false where the page leaves a part of it out. */
static bool layout_of(const runs *r, gp_layout *ret) {
    *ret = (gp_layout){.tp = count_of(r, "tp", 0),
                       .pp = count_of(r, "pp", 0),
                       .vpp = count_of(r, "vp", 1),
                       .cp = count_of(r, "cp", 1),
                       .ep = count_of(r, "ep", 1),
                       .micro_batch = count_of(r, "mbs", 1),
                       .recompute = GP_RECOMPUTE_NONE,
                       .global_batch_sequences = count_of(r, "gbs_sequences", 0)};
    if (ret->tp <= 0 || ret->pp <= 0 || ret->global_batch_sequences <= 0)
        return false;
    ret->dp = count_of(r, "dp", count_of(r, "gpus", 0) / (ret->tp * ret->pp * ret->cp));
    return ret->dp > 0 && count_of(r, "layers", 0) > 0;
}

static bool of_megatron(const char *framework) {
    return strncmp(framework, "Megatron", strlen("Megatron")) == 0 ||
           strcmp(framework, "NeMo") == 0;
}

/* One page contradicts itself: 64 expert-parallel ranks out of 32. */
enum { CONTRADICTED = 1, RUNS_MIN = 300 };

static void test_measured_runs_launch(void **state) {
    estimate_case *c = *state;
    const gp_source_limits limits = GP_SOURCE_LIMITS_INIT;
    const gp_machine machine = estimate_case_machine(c, "h100-sxm", 8);
    gp_text *text = gp_test_text(c->arena, "tests/reference/training.csv");
    runs r = {.row = 0};
    int judged = 0;
    int refused = 0;
    assert_int_equal(gp_csv_read(c->arena, text, &limits, &c->diags, &r.csv), GP_OK);
    for (r.row = 0; r.row < r.csv.rows; r.row++) {
        const gp_model model = {.ffn = count_of(&r, "ffn_hidden", 0)};
        const gp_shape shape = {.model = &model,
                                .layers = (double)count_of(&r, "layers", 0),
                                .heads = (double)count_of(&r, "heads", 0),
                                .kv_heads = (double)count_of(&r, "kv_heads", 0),
                                .experts = (double)count_of(&r, "num_experts", 0)};
        const gp_train_job job = {.shape = &shape,
                                  .sequence_length = (double)count_of(&r, "seq_len", 0),
                                  .compute = GP_PRECISION_BF16,
                                  .rules = GP_RULES_MEGATRON,
                                  .drawn_heads = true,
                                  .drawn_stages = true};
        gp_layout layout;
        if (!of_megatron(text_of(&r, "framework")) || !layout_of(&r, &layout))
            continue;
        judged++;
        const gp_layout_rule *broken = gp_layout_broken(&job, &machine, &layout);
        if (broken == NULL)
            continue;
        refused++;
        print_message("%s %s: %s\n", text_of(&r, "id"), text_of(&r, "model"), broken->id);
    }
    print_message("%d of %d measured runs refused\n", refused, judged);
    assert_true(judged >= RUNS_MIN);
    assert_true(refused <= CONTRADICTED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_each_rule, estimate_case_open, estimate_case_close),
        cmocka_unit_test_setup_teardown(test_drawn, estimate_case_open, estimate_case_close),
        cmocka_unit_test_setup_teardown(test_stages, estimate_case_open, estimate_case_close),
        cmocka_unit_test_setup_teardown(test_serving, estimate_case_open, estimate_case_close),
        cmocka_unit_test_setup_teardown(test_measured_runs_launch, estimate_case_open,
                                        estimate_case_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
