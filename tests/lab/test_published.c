/* The workshop: published runs of all kinds, fitting, and that the figures over the reference runs
 * stay as good as they are. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/num.h"
#include "lab/free.h"
#include "lab/lab.h"
#include "lab/solve.h"
#include "support/plan_flow.h"

typedef struct fixture {
    gp_arena *arena;
    gp_diags diags;
    gp_catalog *catalog;
    gp_backtest *result;
    gp_status st;
} fixture;

static void assert_near(double a, double b) {
    if (!(fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b))))
        fail_msg("%.17g is not %.17g", a, b);
}

static fixture run_text(gp_arena *arena, const gp_text *text, const gp_lab_options *options) {
    fixture f = {.arena = arena};
    gp_diags_init(&f.diags, f.arena);
    assert_int_equal(gp_catalog_open(f.arena, &f.diags, &f.catalog), GP_OK);
    f.st = gp_lab_backtest(f.arena, f.catalog, text, options, &f.diags, &f.result);
    return f;
}

static fixture run_with(const char *data, const gp_lab_options *options) {
    gp_arena *arena = gp_arena_new((size_t)1 << 28);
    gp_text *text = NULL;
    assert_int_equal(gp_text_init(arena, "runs.csv", data, strlen(data), &text), GP_OK);
    return run_text(arena, text, options);
}

static fixture run(const char *data) {
    gp_lab_options options = {0};
    fixture f = run_with(data, &options);
    assert_int_equal(f.st, GP_OK);
    return f;
}

#define MEMORY_HEADER                                                                              \
    "id,kind,model,gpu,gpus,tp,pp,dp,ep,zero_stage_or_fsdp,precision,optimizer,mbs,seq_len,"       \
    "recompute,lora_rank,lora_targets,quant_bits,offload,peak_mem_gib_per_gpu,component_gib,"      \
    "kv_cache_tokens,engine_version,notes,outcome,measure,strict\n"

/* What pages leave to the reader of their words: dimensions of the blocks that a framework tests,
 * and parts that go by their memory alone. */
static void words_of_memory_pages(void **state) {
    (void)state;
    fixture f = run(
        MEMORY_HEADER
        "d,pretrain,t5/t5_tests,a100-sxm-80gb,8,1,1,,,ddp,bf16,adam,4,512,none,,,,,5.8,,,MCore,"
        "L=? h=768 heads=12 ffn=3072 sp=False; LAST rank,measured,allocated,yes\n"
        "e,pretrain,moe/tests_tp2_ep2,a100-sxm-80gb,8,2,1,,2,dist-optimizer,bf16,adam,4,1024,none,"
        ",,,,5,,,MCore,L=12 h=1024 heads=8 ffn=4h experts=8 sp=True,measured,allocated,yes\n"
        "f,pretrain,moe/tests_tp2_ep2_etp1,a100-sxm-80gb,8,2,1,,2,dist-optimizer,bf16,adam,4,1024,"
        "none,,,,,5,,,MCore,L=12 h=1024 heads=8 ffn=4h experts=8 sp=True,measured,allocated,yes\n"
        "a,pretrain,Llama-3.1-8B,h100-sxm,8,1,1,2,,FSDP2,bf16/fp32 params,adamw,1,32768,full,,,,,"
        "60,,,torchtitan 2024-12,FSDP 2 x CP 4,measured,reserved,yes\n"
        "p,full_ft,Mistral-7B,A100-80GB,1,1,1,1,,none,pure bfloat16,adamw,4,4096,full,,,,,67.4,,,,,"
        "measured,allocated,yes\n"
        "q,full_ft,Mistral-7B,80GB class,1,1,1,1,,none,pure bfloat16,adamw,4,4096,full,,,,,67.4,,,,"
        ",measured,allocated,yes\n");
    const gp_backtest_row *r = f.result->rows;
    assert_int_equal(f.result->scored, 6); /* one by the contexts' parallelism of its notes */
    assert_true(fabs(r[0].error_fraction) < 0.1); /* two stacks */
    assert_true(r[1].estimated < r[2].estimated); /* experts split too */
    assert_near(r[5].estimated, r[4].estimated);
    gp_arena_free(f.arena);
}

static void equations_are_solved(void **state) {
    (void)state;
    double matrix[] = {4, 2, 2, 3};
    double right[] = {10, 8};
    assert_true(gp_solve_symmetric(matrix, right, 2));
    assert_near(right[0], 1.75);
    assert_near(right[1], 1.5);
    double singular[] = {1, 1, 1, 1};
    assert_false(gp_solve_symmetric(singular, right, 2));
}

static const gp_free *free_of(const gp_free_list *list, const gp_fitter *fitter, const char *id) {
    for (size_t i = 0; i < list->count; i++)
        for (size_t j = 0; j < list->items[i].target_count; j++)
            for (size_t k = 0; k < fitter->stack_count; k++)
                if (list->items[i].targets[j] == &fitter->stacks[k].time_factor &&
                    strcmp(fitter->stacks[k].id, id) == 0)
                    return &list->items[i];
    return NULL;
}

/* Stacks whose layers are built alike share a factor, whatever their name and release. */
static void stacks_are_tied_by_build(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new((size_t)1 << 28);
    gp_diags diags;
    gp_catalog *catalog = NULL;
    gp_fitter fitter;
    gp_free_list list = {0};
    gp_diags_init(&diags, arena);
    assert_int_equal(gp_catalog_open(arena, &diags, &catalog), GP_OK);
    assert_int_equal(gp_fitter_init(arena, catalog, &diags, &fitter), GP_OK);
    assert_int_equal(gp_free_collect(&fitter, gp_free_rules, gp_free_rule_count, &list), GP_OK);
    const gp_free *foundry = free_of(&list, &fitter, "llm-foundry-2024-01");
    const gp_free *paddle = free_of(&list, &fitter, "paddlenlp-2024-01");
    assert_non_null(foundry);
    assert_ptr_not_equal(foundry, paddle);
    assert_ptr_equal(foundry, free_of(&list, &fitter, "maxtext-2025-04"));
    assert_ptr_equal(paddle, free_of(&list, &fitter, "trl-2025-02"));
    gp_arena_free(arena);
}

static double pool_estimate(const char *row) {
    static const char header[] = "id,model,gpu,pool,engine,gpus_in_pool,attn_tp,attn_dp,moe_ep,"
                                 "redundant_experts,batch_per_gpu,isl,osl,weight_precision,"
                                 "accept_tok_per_step,spec,in_tok_s_per_gpu,out_tok_s_per_gpu\n";
    gp_arena *arena = gp_arena_new((size_t)1 << 28);
    fixture f = run(gp_arena_printf(arena, "%s%s\n", header, row));
    assert_int_equal(f.result->row_count, 1);
    const gp_backtest_row *only = &f.result->rows[0];
    double estimated = only->status == GP_BACKTEST_SCORED ? only->estimated : 0;
    gp_arena_free(f.arena);
    gp_arena_free(arena);
    return estimated;
}

/* Pools alone at the layout of their row. */
static void pools_of_large_services(void **state) {
    (void)state;
    double decode = pool_estimate("a,DeepSeek-V3/R1,H200,decode,vLLM,32,1,32,32,,256,2000,2000,fp8,"
                                  ",,,2180");
    assert_true(decode > 1500 && decode < 3200);
    double wide = pool_estimate("a,DeepSeek-V3/R1,H200,decode,vLLM,64,1,64,64,,64,2000,2000,fp8,,,,"
                                "1000");
    double copied = pool_estimate("a,DeepSeek-V3/R1,H200,decode,vLLM,64,1,64,64,64,64,2000,2000,"
                                  "fp8,,,,1000");
    assert_true(copied > wide);
    double drafted =
        pool_estimate("a,DeepSeek-V3,H200,decode,vLLM,32,1,32,32,,16,2000,2000,fp8,2.5,"
                      "MTP3,,1000");
    double plain = pool_estimate("a,DeepSeek-V3,H200,decode,vLLM,32,1,32,32,,16,2000,2000,fp8,,"
                                 "none,,1000");
    assert_true(drafted > plain && drafted < 2.5 * plain);
    double prefill =
        pool_estimate("a,DeepSeek-V3,H200,prefill,vLLM,16,1,16,16,,,2000,1,fp8,,,7000,");
    assert_true(prefill > 3500 && prefill < 14000);
    /* A layout that is no layout of one replica, or is not told, is not guessed. */
    assert_true(pool_estimate("a,DeepSeek-V3,H200,decode,vLLM,24,1,P4/D8,16,,64,2000,2000,fp8,,,,"
                              "1000") <= 0);
    /* Where nothing of it is told it is the best that so many GPUs can be. */
    assert_true(pool_estimate("a,DeepSeek-V3,H200,decode,vLLM,32,,,,,64,2000,2000,fp8,,,,1000") >=
                pool_estimate("a,DeepSeek-V3,H200,decode,vLLM,32,32,1,1,,64,2000,2000,fp8,,,,"
                              "1000"));
    assert_true(pool_estimate("a,DeepSeek-V3,H200,decode,vLLM,,,,,,64,2000,2000,fp8,,,,1000") <= 0);
}

static gp_backtest_row whole_row(const char *metric, const char *row) {
    static const char header[] = "id,model,gpu,pool,engine,gpus_in_pool,attn_tp,attn_dp,moe_ep,"
                                 "nodes_or_workers,total_gpus,concurrency_total,isl,osl,"
                                 "weight_precision,out_tok_s_per_gpu,total_tok_s_per_gpu,tpot_ms,"
                                 "ttft_ms,prefix_reuse,note\n";
    gp_arena *arena = gp_arena_new((size_t)1 << 28);
    fixture f = run(gp_arena_printf(arena, "%s%s\n", header, row));
    gp_backtest_row found = {.status = GP_BACKTEST_SKIPPED};
    for (size_t i = 0; i < f.result->row_count; i++) {
        if (strcmp(f.result->rows[i].metric, metric) == 0) {
            found = f.result->rows[i];
            found.reason = found.reason == NULL ? NULL : "told";
        }
    }
    gp_arena_free(f.arena);
    gp_arena_free(arena);
    return found;
}

static double whole_estimate(const char *metric, const char *row) {
    gp_backtest_row found = whole_row(metric, row);
    return found.status == GP_BACKTEST_SCORED ? found.estimated : 0;
}

static gp_backtest_row exchange_row(const char *row) {
    static const char header[] = "id,library,gpu,fabric,mode,ep,tokens_per_rank,hidden,topk,op,"
                                 "dtype,time_us,gbps,bw_kind,note\n";
    gp_arena *arena = gp_arena_new((size_t)1 << 28);
    fixture f = run(gp_arena_printf(arena, "%s%s\n", header, row));
    gp_backtest_row found = f.result->rows[0];
    assert_int_equal(f.result->row_count, 1);
    gp_arena_free(f.arena);
    gp_arena_free(arena);
    return found;
}

static double exchange_us(const char *row) {
    gp_backtest_row found = exchange_row(row);
    return found.status == GP_BACKTEST_SCORED ? found.estimated : 0;
}

/* Tokens to their experts: both ways are the sum of each, more tokens and machines take longer, and
 * the bandwidth that a table prints is that of its own count of copies. */
static void exchanges_are_scored(void **state) {
    (void)state;
    static const char ll[] = "a,DeepEP,H100,,low_latency,32,128,7168,8";
    gp_arena *arena = gp_arena_new((size_t)1 << 20);
    double there = exchange_us(gp_arena_printf(arena, "%s,dispatch,fp8,155,,,", ll));
    double back = exchange_us(gp_arena_printf(arena, "%s,combine,bf16,273,,,", ll));
    double both = exchange_us(gp_arena_printf(arena, "%s,dispatch+combine,fp8/bf16,428,,,", ll));
    assert_true(there > 100 && there < 250 && back > there);
    assert_true(fabs(both - there - back) < 1e-6 * both);
    double wider = exchange_us("a,DeepEP,H100,,low_latency,256,128,7168,8,dispatch,fp8,194,,,");
    assert_true(wider > there && wider < 1.5 * there);
    double efa = exchange_us("a,DeepEP,H100 (p5),EFA,decode,32,128,7168,8,dispatch,fp8,155,,,");
    assert_true(efa > 1.2 * there);
    double links = exchange_us("a,x,GB200 NVL72,,one_sided,32,2048,7168,8,dispatch,bf16,300,,,");
    double few = exchange_us("a,x,GB200 NVL72,,one_sided,32,1,7168,8,dispatch,bf16,20,,,");
    assert_true(few > 15 && few < 25 && links > 200 && links < 500);
    double rate = exchange_us("a,DeepEP,H100,,normal,32,4096,7168,8,dispatch,fp8,,58,rdma,");
    assert_true(rate > 40 && rate < 80);
    gp_arena_free(arena);
    /* What a source withdraws is not judged; what it does not tell is not guessed. */
    gp_backtest_row old = exchange_row("a,DeepEP,H100,,normal,32,4096,7168,8,dispatch,fp8,,44,rdma,"
                                       "superseded");
    assert_int_equal(old.status, GP_BACKTEST_SKIPPED);
    assert_true(exchange_us("a,DeepEP,H100,,normal,32,,7168,8,dispatch,fp8,,44,rdma,") <= 0);
    assert_true(exchange_us("a,DeepEP,H100,,normal,32,4096,7168,8,dispatch,x,,44,rdma,") <= 0);
    assert_true(exchange_us("a,DeepEP,H100,,normal,32,4096,7168,8,dispatch,fp8,,44,x,") <= 0);
}

/* Prefill and decode together, told in the short hand of those who run them. */
static void pools_of_two_kinds(void **state) {
    (void)state;
    static const char rate[] = "out_tok_s_per_gpu";
    double words = whole_estimate(rate, "a,DeepSeek-V3,H200,disagg total,vLLM,48,,,,1P DEP16 + 2D "
                                        "DEP16,48,512,2000,1000,fp8,1000,,,,,");
    double cells = whole_estimate(rate, "a,DeepSeek-V3,H200,disagg total,vLLM,48,1,P16/D16,P16/D16,"
                                        "1P2D,48,512,2000,1000,fp8,1000,,,,,");
    double spoken = whole_estimate(rate, "a,DeepSeek-V3,H200,disagg total,vLLM,48,,,,1 prefill + 2 "
                                         "decode; DEP16 each,48,512,2000,1000,fp8,1000,,,,,");
    assert_true(words > 150 && words < 1500);
    assert_true(cells >= words && cells <= words);
    assert_true(spoken >= words && spoken <= words);
    /* With long prompts more prefill replicas serve more, and prompts wait for less long. */
    static const char few[] = "a,DeepSeek-V3,H200,disagg total,vLLM,48,,,,1P + 2D DEP16,48,2048,"
                              "8000,100,fp8,1000,,,1000,,";
    static const char many[] = "a,DeepSeek-V3,H200,disagg total,vLLM,48,,,,2P + 1D DEP16,48,2048,"
                               "8000,100,fp8,1000,,,1000,,";
    assert_true(whole_estimate(rate, many) > 1.5 * whole_estimate(rate, few));
    assert_true(whole_estimate("ttft_ms", many) < whole_estimate("ttft_ms", few));
    /* Counts that are not told are those that match; half of the tokens are prompts. */
    double matched = whole_estimate("total_tok_s_per_gpu",
                                    "a,DeepSeek-R1,GB200,disagg total,TensorRT-LLM,,1,,4,,"
                                    ",,1024,1024,nvfp4,,10000,,,,");
    assert_true(matched > 5000 && matched < 25000);
    /* A split that does not make the GPUs, one of an unknown number, and a cache that is not told
     * are not guessed. */
    assert_true(whole_estimate(rate, "a,DeepSeek-V3,H200,disagg total,vLLM,40,,,,1P + 2D DEP16,40,"
                                     "512,2000,1000,fp8,1000,,,,,") <= 0);
    assert_true(whole_estimate(rate, "a,DeepSeek-V3,H200,disagg total,vLLM,48,,,,DEP16,48,512,2000,"
                                     "1000,fp8,1000,,,,,") <= 0);
    assert_true(whole_estimate(rate, "a,DeepSeek-V3,H200,aggregated,vLLM,16,,,,DEP16,16,512,2000,"
                                     "1000,fp8,1000,,,,,prefix reuse as in the trace") <= 0);
    /* The release before stands for one that nobody has the dimensions of, and that is said. */
    gp_backtest_row sister = whole_row(
        rate, "a,GLM-5.9,B200,aggregated,SGLang,16,,,,DTP4 replicas,,64,64000,400,,190,,,,90%,");
    assert_true(sister.status == GP_BACKTEST_SCORED && sister.reason != NULL);
    /* 256 requests in flight do not give these latencies at this rate: nothing of it is judged. */
    static const char odd[] = "a,DeepSeek-V3.2,B200,aggregated,TensorRT-LLM,8,1,8,8,,,256,8192,"
                              "1024,nvfp4,1077,,98.5,19538,,";
    assert_true(whole_estimate(rate, odd) <= 0 && whole_estimate("tpot_ms", odd) <= 0 &&
                whole_estimate("ttft_ms", odd) <= 0);
}

/* Over the published runs of tests/reference: no class may get worse than this. */
typedef struct bar {
    const char *class_name, *metric;
    double median, p90;
} bar;

static void assert_bars(const gp_backtest *result, const bar *bars, size_t count) {
    for (size_t i = 0; i < count; i++) {
        bool found = false;
        for (size_t c = 0; c < result->class_count; c++) {
            const gp_backtest_class *item = &result->classes[c];
            if (strcmp(item->class_name, bars[i].class_name) != 0 ||
                strcmp(item->metric, bars[i].metric) != 0)
                continue;
            found = true;
            if (item->stats.median > bars[i].median || item->stats.p90 > bars[i].p90)
                fail_msg("%s %s: median %g (bar %g), p90 %g (bar %g)", item->class_name,
                         item->metric, item->stats.median, bars[i].median, item->stats.p90,
                         bars[i].p90);
        }
        assert_true(found);
    }
}

static fixture run_reference(const char *path, gp_leave_out leave_out) {
    gp_arena *arena = gp_arena_new((size_t)1 << 29);
    gp_lab_options options = {.leave_out = leave_out};
    fixture f = run_text(arena, gp_test_text(arena, path), &options);
    assert_int_equal(f.st, GP_OK);
    return f;
}

static void check_reference(const char *path, const bar *bars, size_t count, double supported) {
    fixture f = run_reference(path, GP_LEAVE_OUT_NONE);
    double judged = (double)(f.result->scored + f.result->unsupported);
    assert_true((double)f.result->scored >= supported * judged);
    assert_bars(f.result, bars, count);
    gp_arena_free(f.arena);
}

#include "reference/bars.h"

static void published_runs(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof reference_files / sizeof reference_files[0]; i++)
        check_reference(reference_files[i].path, reference_files[i].bars, reference_files[i].count,
                        reference_files[i].supported);
}

/* A run is left out with all of its shape, and the fit knows no chance. */
static void left_out_runs(void **state) {
    (void)state;
    fixture f = run_reference("tests/reference/training_other.csv", GP_LEAVE_OUT_MODEL);
    fixture again = run_reference("tests/reference/training_other.csv", GP_LEAVE_OUT_MODEL);
    size_t different = 0;
    assert_true(f.result->has_left_out);
    assert_true(f.result->left_out.n == f.result->total.n);
    for (size_t i = 0; i < f.result->row_count; i++) {
        double a = f.result->rows[i].left_out;
        double b = again.result->rows[i].left_out;
        assert_true((isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0);
        different += !isnan(a) && fabs(a / f.result->rows[i].estimated - 1) > 1e-6 ? 1 : 0;
    }
    assert_true(different > f.result->total.n / 2);
    gp_arena_free(f.arena);
    gp_arena_free(again.arena);
}

/* Pre-training by constants that have not seen the model, the GPU, the framework or the maker. */
static void unseen_runs(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof left_out_bars / sizeof left_out_bars[0]; i++) {
        gp_arena *arena = gp_arena_new((size_t)1 << 29);
        const gp_text *more[] = {gp_test_text(arena, "tests/reference/finetune.csv"),
                                 gp_test_text(arena, "tests/reference/training_other.csv")};
        gp_lab_options options = {
            .leave_out = left_out_bars[i].kind, .fit_texts = more, .fit_text_count = 2};
        fixture f = run_text(arena, gp_test_text(arena, "tests/reference/training.csv"), &options);
        assert_int_equal(f.st, GP_OK);
        for (size_t c = 0; c < f.result->class_count; c++) {
            const gp_backtest_class *item = &f.result->classes[c];
            bool dense = strcmp(item->class_name, "denseTraining") == 0;
            bool moe = strcmp(item->class_name, "moeHybridTraining") == 0;
            assert_true(!dense || item->left_out.median <= left_out_bars[i].dense);
            assert_true(!dense || item->left_out.p90 <= left_out_bars[i].dense_p90);
            assert_true(!moe || item->left_out.median <= left_out_bars[i].moe);
            assert_true(!(dense || moe) || item->left_out.coverage >= left_out_bars[i].held);
        }
        gp_arena_free(arena);
    }
}

static double share_within(const gp_backtest *result, const char *metric, double lower,
                           double upper) {
    double inside = 0;
    double n = 0;
    for (size_t i = 0; i < result->row_count; i++) {
        const gp_backtest_row *row = &result->rows[i];
        bool counts = row->status == GP_BACKTEST_SCORED && strcmp(row->metric, metric) == 0;
        double ratio = counts ? row->estimated / row->measured : 0;
        n += counts ? 1 : 0;
        inside += counts && ratio >= lower && ratio <= upper ? 1 : 0;
    }
    return n > 0 ? inside / n : 0;
}

/* What the rows state of a layout is planned as it is or refused with its reason; recomputation
 * aside, which stands beside the layout. */
static void layouts_bind(const gp_backtest *result, size_t columns) {
    enum { DECLARED_MIN = 24, PLANNED_MIN = 18 };
    int planned = 0, refused = 0;
    for (size_t i = 0; i < result->row_count; i++) {
        const gp_backtest_row *row = &result->rows[i];
        bool states = false;
        assert_true(row->status == GP_BACKTEST_SCORED || row->reason != NULL);
        if (row->reason != NULL && strstr(row->reason, "another layout") != NULL)
            fail_msg("%s: %s", row->id, row->reason);
        for (size_t k = 0; k < columns; k++)
            states = states || strcmp(row->by[k], "") != 0;
        if (!states || strcmp(row->metric, "gpu_hours") != 0)
            continue;
        planned += row->status == GP_BACKTEST_SCORED;
        refused += row->status != GP_BACKTEST_SCORED;
    }
    print_message("%d declared layouts planned, %d refused, 0 replaced\n", planned, refused);
    assert_true(planned >= PLANNED_MIN && planned + refused >= DECLARED_MIN);
}

/* Whole runs go through the planner, and their columns are all that it sees. */
static void whole_runs(void **state) {
    (void)state;
    static const char *layout[] = {"tp", "pp",   "vp",          "cp",         "ep",
                                   "dp", "zero", "shard_group", "micro_batch"};
    const size_t columns = sizeof layout / sizeof layout[0];
    gp_arena *arena = gp_arena_new((size_t)1 << 29);
    const gp_lab_options options = {.base.by = {.items = layout, .count = columns}};
    fixture f = run_text(arena, gp_test_text(arena, "tests/reference/runs.csv"), &options);
    assert_int_equal(f.st, GP_OK);
    assert_string_equal(f.result->kind, "runs");
    assert_true(f.result->scored >= 70);
    assert_true(share_within(f.result, "gpu_hours", 0.75, 1.25) >= 0.6);
    assert_true(share_within(f.result, "gpu_hours", 0, 0.995) >= 0.35);
    assert_true(share_within(f.result, "gpu_hours", 0, 0.995) <= 0.65);
    assert_true(share_within(f.result, "gpus_for_days", 0, 2) >= 0.85);
    assert_true(f.result->total.coverage >= 0.75 && f.result->total.coverage <= 0.92);
    layouts_bind(f.result, columns);
    gp_arena_free(f.arena);
}

/* Services, too: the GPUs for their load, and the rate of the layout that they have. Some measured
 * rates pass the peak of the GPUs, and some pools keep weights in the host. */
static void services(void **state) {
    (void)state;
    gp_lab_options options = {0};
    options.confidence = 1 + GP_CONFIDENCE_EXPECTED;
    options.base.tuning = 1 + GP_TUNING_TUNED;
    gp_arena *arena = gp_arena_new((size_t)1 << 30);
    fixture f = run_text(arena, gp_test_text(arena, "tests/reference/deployments.csv"), &options);
    assert_int_equal(f.st, GP_OK);
    assert_string_equal(f.result->kind, "deployments");
    assert_true(f.result->scored >= 50);
    assert_true(share_within(f.result, "gpus", 1 / 1.6, 1.6) >= 0.8);
    assert_true(share_within(f.result, "gpus", 0, 1.3) >= 0.5);
    assert_true(share_within(f.result, "gpus", 0, 0.8) <= 0.1);
    assert_true(share_within(f.result, "output_tokens_per_s_per_gpu", 0.7, 1.3) >= 0.7);
    assert_true(share_within(f.result, "input_tokens_per_s_per_gpu", 0.7, 1.3) >= 0.7);
    gp_arena_free(f.arena);
    /* A safe plan by default has all that they ran on, and half of them no more than 2.2 times. */
    gp_lab_options safe = {.confidence = 1 + GP_CONFIDENCE_P80};
    arena = gp_arena_new((size_t)1 << 30);
    f = run_text(arena, gp_test_text(arena, "tests/reference/deployments.csv"), &safe);
    assert_int_equal(f.st, GP_OK);
    assert_true(share_within(f.result, "gpus", 0, 2.2) >= 0.5);
    assert_true(share_within(f.result, "gpus", 0, 0.99) <= 0.03);
    gp_arena_free(f.arena);
}

/* Without a pipeline, stacks and a tuning of one's own move the answer; the published hours do
 * not. */
static void whole_runs_by_their_columns(void **state) {
    (void)state;
    static const char text[] =
        "id,kind,model,gpu,gpus,gpus_per_node,network_gbps_per_gpu,layers,hidden,heads,kv_heads,"
        "ffn_hidden,ffn_gated,vocab,tokens_b,seq_len,global_batch_tokens,precision,tp,pp,dp,zero,"
        "recompute,encoder_decoder,gpu_hours,wall_days,hours_kind\n"
        "a,pretrain,m,A100-SXM4-80GB,64,8,200,32,4096,32,32,11008,yes,32000,300,2048,2097152,bf16,"
        "1,1,64,1,full,no,20000,,productive\n"
        "b,pretrain,x,A100-SXM4-80GB,64,8,200,32,4096,32,32,11008,yes,32000,300,2048,2097152,bf16,"
        "1,1,64,1,full,no,90000,,productive\n"
        "c,pretrain,m,A100-SXM4-80GB,64,8,200,32,4096,32,32,11008,yes,32000,300,2048,2097152,bf16,"
        "1,1,64,1,full,no,20000,,allocated\n"
        "d,pretrain,m,A100-SXM4-80GB,64,8,200,32,4096,32,32,11008,yes,32000,300,2048,2097152,bf16,"
        ",,,,unstated,no,20000,,productive\n"
        "e,pretrain,m,A100-SXM4-80GB,64,8,200,32,4096,32,32,11008,yes,32000,300,2048,2097152,bf16,"
        "1,1,64,1,full,yes,20000,,productive\n";
    gp_lab_options tuned = {.base.tuning = 1 + GP_TUNING_TUNED};
    gp_lab_options safe = {.confidence = 1 + GP_CONFIDENCE_P80};
    fixture f = run(text);
    const gp_backtest_row *r = f.result->rows;
    assert_int_equal(f.result->row_count, 5);
    assert_near(r[0].estimated, r[1].estimated);
    assert_true(r[2].estimated > r[0].estimated);                         /* stops count */
    assert_true(r[3].high / r[3].estimated > r[0].high / r[0].estimated); /* less is stated */
    assert_int_equal(r[4].status, GP_BACKTEST_UNSUPPORTED);
    fixture fast = run_with(text, &tuned);
    assert_true(fast.result->rows[0].estimated < r[0].estimated);
    fixture late = run_with(text, &safe);
    assert_true(late.result->rows[0].estimated > r[0].estimated);
    gp_arena_free(f.arena);
    gp_arena_free(fast.arena);
    gp_arena_free(late.arena);
}

/* Rows that a rule strikes are neither fitted nor scored. */
static void struck_rows_do_not_count(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new((size_t)1 << 29);
    fixture f = run_reference("tests/reference/training.csv", GP_LEAVE_OUT_NONE);
    const gp_text *rules = gp_test_text(arena, "tests/reference/quarantine.csv");
    size_t struck = 0;
    for (size_t i = 0; i < f.result->row_count; i++) {
        const char *id = gp_arena_printf(arena, "training.csv,%s,", f.result->rows[i].id);
        bool listed = strstr(rules->data, id) != NULL;
        assert_true(listed == (f.result->rows[i].status == GP_BACKTEST_SKIPPED));
        struck += listed ? 1 : 0;
    }
    assert_true(struck > 0);
    gp_arena_free(f.arena);
    gp_arena_free(arena);
}

/* The curves without every second size: at most 8 % off in the mean, 4 % from 64 MiB. */
static void left_out_sizes(void **state) {
    (void)state;
    gp_arena *arena = gp_arena_new((size_t)1 << 29);
    gp_lab_options options = {.leave_out = GP_LEAVE_OUT_SIZE};
    fixture f =
        run_text(arena, gp_test_text(arena, "tests/reference/collectives_one_node.csv"), &options);
    assert_int_equal(f.st, GP_OK);
    assert_true(f.result->has_left_out);
    assert_true(f.result->left_out.n == f.result->total.n);
    assert_true(f.result->left_out.mean <= 0.08);
    for (size_t c = 0; c < f.result->class_count; c++) {
        const gp_backtest_class *item = &f.result->classes[c];
        bool large = strcmp(item->class_name, "collectivesOneNode from 64 MiB") == 0;
        assert_true(item->left_out.mean <= (large ? 0.04 : 0.08));
    }
    gp_arena_free(f.arena);
}

/* All models whose rule is published. */
static void published_counts_are_exact(void **state) {
    (void)state;
    fixture f = run_reference("tests/reference/vision_tokens.csv", GP_LEAVE_OUT_NONE);
    assert_int_equal(f.result->row_count, 48);
    for (size_t i = 0; i < f.result->row_count; i++) {
        const gp_backtest_row *row = &f.result->rows[i];
        if (row->status != GP_BACKTEST_SCORED || !gp_num_near(row->estimated, row->measured)) {
            fail_msg("%s %s: %.0f, not %.0f", row->id, row->metric, row->estimated, row->measured);
        }
    }
    gp_arena_free(f.arena);
}

/* The largest median error, the least share of rows within a tenth, and within the band. */
static void published_power_is_met(void **state) {
    static const struct {
        const char *file, *metric;
        double median, in_tenth, in_band;
    } bars[] = {
        {"tests/reference/clusters.csv", "it_power_kw", 0.085, 0.55, 0.75},
        {"tests/reference/machines.csv", "watts_node", 0.08, 0.60, 0.75},
    };
    (void)state;
    for (size_t b = 0; b < sizeof bars / sizeof bars[0]; b++) {
        fixture f = run_reference(bars[b].file, GP_LEAVE_OUT_NONE);
        size_t rows = 0;
        for (size_t c = 0; c < f.result->class_count; c++) {
            const gp_backtest_class *item = &f.result->classes[c];
            if (strcmp(item->metric, bars[b].metric) != 0)
                continue;
            rows = item->stats.n;
            assert_true(item->stats.median <= bars[b].median);
            assert_true(item->stats.within_10 >= bars[b].in_tenth);
            assert_true(item->stats.coverage >= bars[b].in_band);
        }
        assert_true(rows >= 50);
        gp_arena_free(f.arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equations_are_solved),
        cmocka_unit_test(words_of_memory_pages),
        cmocka_unit_test(stacks_are_tied_by_build),
        cmocka_unit_test(pools_of_large_services),
        cmocka_unit_test(pools_of_two_kinds),
        cmocka_unit_test(exchanges_are_scored),
        cmocka_unit_test(published_runs),
        cmocka_unit_test(left_out_runs),
        cmocka_unit_test(unseen_runs),
        cmocka_unit_test(whole_runs),
        cmocka_unit_test(services),
        cmocka_unit_test(whole_runs_by_their_columns),
        cmocka_unit_test(struck_rows_do_not_count),
        cmocka_unit_test(left_out_sizes),
        cmocka_unit_test(published_counts_are_exact),
        cmocka_unit_test(published_power_is_met),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
