/* Scores of measured runs: arithmetic, classes, what counts, fitting, and that the figures over the
 * reference runs stay as good as they are. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fit/fitter.h"
#include "fit/free.h"
#include "fit/solve.h"
#include "support/plan_flow.h"

#define HEADER                                                                                     \
    "id,kind,model,gpu,gpus,precision,gbs_sequences,mbs,seq_len,tp,pp,dp,ep,zero_or_fsdp,"         \
    "recompute,tokens_per_s_per_gpu,iteration_s,framework,framework_version,notes,strict\n"
#define RUN(id, kind, model, ep, speed, strict)                                                    \
    id "," kind "," model ",h100-sxm,64,bf16,256,1,8192,4,2,8," ep ",,," speed                     \
       ",,Megatron-Bridge,NeMo 26.06,," strict "\n"

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

static fixture run_text(gp_arena *arena, const gp_text *text, const gp_backtest_options *options) {
    fixture f = {.arena = arena};
    gp_diags_init(&f.diags, f.arena);
    assert_int_equal(gp_catalog_open(f.arena, &f.diags, &f.catalog), GP_OK);
    f.st = gp_backtest_run(f.arena, f.catalog, text, options, &f.diags, &f.result);
    return f;
}

static fixture run_with(const char *data, const gp_backtest_options *options) {
    gp_arena *arena = gp_arena_new((size_t)1 << 28);
    gp_text *text = NULL;
    assert_int_equal(gp_text_init(arena, "runs.csv", data, strlen(data), &text), GP_OK);
    return run_text(arena, text, options);
}

static fixture run(const char *data) {
    gp_backtest_options options = {0};
    fixture f = run_with(data, &options);
    assert_int_equal(f.st, GP_OK);
    return f;
}

static void percentiles_interpolate(void **state) {
    (void)state;
    const double values[] = {1, 2, 3, 4};
    assert_true(isnan(gp_fit_percentile(values, 0, 0.5)));
    assert_near(gp_fit_percentile(values, 1, 0.9), 1);
    assert_near(gp_fit_percentile(values, 4, 0.5), 2.5);
    assert_near(gp_fit_percentile(values, 4, 0.9), 3.7);
    assert_near(gp_fit_percentile(values, 4, 1), 4);
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

/* Two runs that differ only in what was measured have one estimate: scores follow from it. */
static void scores_are_the_arithmetic_of_estimates(void **state) {
    (void)state;
    fixture f = run(HEADER RUN("a", "pretrain", "llama-3.1-70b", "", "1000", "yes")
                        RUN("b", "pretrain", "llama-3.1-70b", "", "2000", "yes"));
    const gp_backtest_row *rows = f.result->rows;
    assert_int_equal(f.result->row_count, 2);
    assert_int_equal(rows[0].status, GP_BACKTEST_SCORED);
    assert_near(rows[0].estimated, rows[1].estimated);
    assert_near(rows[0].error_fraction, rows[0].estimated / 1000 - 1);
    assert_true(rows[0].low < rows[0].estimated && rows[0].estimated < rows[0].high);
    double a = fabs(rows[0].error_fraction);
    double b = fabs(rows[1].error_fraction);
    assert_int_equal(f.result->class_count, 1);
    assert_string_equal(f.result->classes[0].class_name, "denseTraining");
    assert_string_equal(f.result->classes[0].metric, "tokens_per_s_per_gpu");
    assert_int_equal(f.result->classes[0].stats.n, 2);
    assert_near(f.result->classes[0].stats.median, (a + b) / 2);
    gp_arena_free(f.arena);
}

static void classes_follow_from_shape_and_kind(void **state) {
    (void)state;
    fixture f = run(HEADER RUN("a", "pretrain", "Llama-3-70B", "", "1000", "yes")
                        RUN("b", "pretrain", "Qwen3-30B-A3B", "8", "1000", "yes")
                            RUN("c", "sft", "Llama-3-70B", "", "1000", "yes")
                                RUN("d", "qlora", "Llama-3-70B", "", "1000", "yes"));
    static const char *const classes[] = {"denseTraining", "moeHybridTraining", "sft", "lora"};
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(f.result->rows[i].class_name, classes[i]);
        assert_int_equal(f.result->rows[i].status, GP_BACKTEST_SCORED);
    }
    gp_arena_free(f.arena);
}

static void what_counts(void **state) {
    (void)state;
    const char *data = HEADER RUN("a", "pretrain", "Llama-3-70B", "", "1000", "yes")
        RUN("b", "pretrain", "Llama-3-70B", "", "1000", "no")
            RUN("c", "pretrain", "no-such-model", "", "1000", "yes")
                RUN("d", "pretrain", "Llama-3-70B", "", "", "yes");
    fixture f = run(data);
    assert_int_equal(f.result->scored, 1);
    assert_int_equal(f.result->skipped, 2);
    assert_int_equal(f.result->unsupported, 1);
    assert_int_equal(f.result->rows[1].status, GP_BACKTEST_SKIPPED);
    assert_true(isnan(f.result->rows[1].estimated));
    assert_non_null(strstr(f.result->rows[2].reason, "no-such-model"));
    assert_int_equal(f.result->total.unsupported, 1);
    gp_arena_free(f.arena);
    gp_backtest_options all = {.all = true};
    f = run_with(data, &all);
    assert_int_equal(f.result->scored, 2);
    gp_arena_free(f.arena);
}

static void contradictions_are_not_estimated(void **state) {
    (void)state;
    fixture f =
        run("id,model,gpu,gpus,seq_len,tp,pp,dp,precision,tokens_per_s_per_gpu,iteration_s\n"
            "a,llama-3.1-8b,h100-sxm,8,4096,3,1,1,bf16,100,\n"
            "b,llama-3.1-8b,h100-sxm,8,4096,2,1,2,bf16,100,\n"
            "c,llama-3.1-8b,h100-sxm,8,4096,2,1,4,fp8 or fp4: not checked,100,\n"
            "d,llama-3.1-8b,no-such-gpu,8,4096,2,1,4,bf16,100,\n"
            "e,llama-3.1-8b,H100,8,4096,2,1,4,bf16,,2\n");
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(f.result->rows[i].status, GP_BACKTEST_UNSUPPORTED);
        assert_non_null(f.result->rows[i].reason);
    }
    assert_int_equal(f.result->rows[4].status, GP_BACKTEST_SCORED);
    assert_string_equal(f.result->rows[4].metric, "iteration_s");
    assert_non_null(strstr(f.result->rows[4].reason, "H100 read as h100-sxm"));
    gp_arena_free(f.arena);
}

/* What was measured, and the name of a row, must not reach the estimate. */
static void estimates_see_configuration_only(void **state) {
    (void)state;
    fixture f = run("id,model,gpu,gpus,seq_len,tp,pp,dp,precision,tokens_per_s_per_gpu,iteration_s,"
                    "model_tflops_per_gpu,mfu_pct\n"
                    "a,llama-3.1-8b,h100-sxm,8,4096,1,1,8,bf16,100,1,1,1\n"
                    "zz,llama-3.1-8b,h100-sxm,8,4096,1,1,8,bf16,99999,9,999,99\n");
    assert_near(f.result->rows[0].estimated, f.result->rows[1].estimated);
    gp_arena_free(f.arena);
}

/* What fine-tuning rows leave open is taken as their framework does it. */
static void fine_tuning_is_read_as_frameworks_do_it(void **state) {
    (void)state;
    fixture f =
        run("id,kind,model,gpu,gpus,precision,mbs,seq_len,zero_or_fsdp,recompute,packing,quant,"
            "framework,notes,tokens_per_s_per_gpu,iteration_s\n"
            "a,lora,llama-3.1-8b,a100-sxm-80gb,1,bf16,8,4096,,full,true,,HF Trainer,,100,\n"
            "b,lora,llama-3.1-8b,a100-sxm-80gb,1,bf16,8,4096,,full,false,,HF Trainer,,100,\n"
            "c,lora,llama-3.1-8b,a100-sxm-80gb,1,bf16,8,,,full,true,,HF Trainer,,100,\n"
            "d,sft,llama-3.1-8b,a100-sxm-80gb,1,bf16,1,512,,full,true,,HF Trainer,,100,\n"
            "e,sft,llama-3.1-8b,a100-sxm-80gb,1,bf16,1,512,,full,true,,HF DeepSpeed,,100,\n"
            "f,sft,llama-3.1-8b,h100-sxm,8,bf16,1,8192,,none,true,,NeMo,,100,\n"
            "g,sft,llama-3.1-8b,h100-sxm,8,bf16,1,8192,,none,,,NeMo,,100,\n"
            "h,qlora,llama-3.1-8b,a100-sxm-80gb,1,bf16,4,4096,,full,true,bnb-nf4,fms-acceleration,"
            ",100,\n"
            "i,sft,llama-3.1-8b,rtx-4090,1,bf16,4,2048,,full,true,,torchtune,PagedAdamW,100,\n"
            "j,sft,llama-3.1-8b,rtx-4090,1,bf16,4,2048,,full,true,,torchtune,,100,\n");
    const gp_backtest_row *r = f.result->rows;
    for (size_t i = 0; i < f.result->row_count; i++) {
        assert_int_equal(r[i].status, GP_BACKTEST_SCORED);
    }
    /* Samples of assumed length: said, padded (pads are no tokens) and with a wide band. */
    assert_non_null(strstr(r[1].reason, "samples of 120 tokens"));
    assert_non_null(strstr(r[2].reason, "samples of 120 tokens"));
    assert_true(r[1].estimated < r[2].estimated && r[2].estimated < r[0].estimated);
    assert_true(r[1].high / r[1].estimated > r[0].high / r[0].estimated);
    /* DeepSpeed shards a whole model on one GPU too; NeMo packs documents that see themselves. */
    assert_true(r[4].estimated < r[3].estimated);
    assert_true(r[6].estimated > r[5].estimated);
    /* Paged states cross the bus. */
    assert_true(r[8].estimated < r[9].estimated);
    gp_arena_free(f.arena);
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

static void memory_is_scored_by_metric(void **state) {
    (void)state;
    fixture f =
        run("id,kind,model,gpu,gpus,tp,pp,dp,zero_stage_or_fsdp,precision,optimizer,mbs,seq_len,"
            "recompute,lora_rank,lora_targets,quant_bits,peak_mem_gib_per_gpu,component_gib,"
            "kv_cache_tokens,notes,outcome,measure,loss_kernel,strict\n"
            "a,full_ft,Mistral-7B,A100-80GB,1,1,1,1,none,pure bfloat16,adamw(torch),4,4096,full,,,,"
            "67.4,,,,measured,allocated,eager,yes\n"
            "b,full_ft,Llama-2-70B,A100-80GB,1,1,1,1,none,pure bfloat16,adamw,4,4096,full,,,,"
            ",,,,oom,,eager,yes\n"
            "c,inference,llama-3.1-8b,H100-SXM5-80GB,1,1,1,1,,bfloat16 kv=auto,,,8192,,,,,"
            "76,weights=14.99;kv=58,476016,gpu_memory_utilization=0.95,measured,,,yes\n");
    assert_int_equal(f.result->row_count, 5);
    static const char *const metrics[] = {"peak_mem_gib_per_gpu", "fits", "weights_gib",
                                          "kv_cache_tokens", "peak_mem_gib_per_gpu"};
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(f.result->rows[i].metric, metrics[i]);
        assert_int_equal(f.result->rows[i].status, GP_BACKTEST_SCORED);
    }
    assert_true(fabs(f.result->rows[0].error_fraction) < 0.1);
    assert_true(f.result->rows[1].is_fit);
    assert_near(f.result->rows[1].estimated, 0);
    assert_true(isnan(f.result->rows[1].error_fraction));
    assert_true(fabs(f.result->rows[2].error_fraction) < 0.02);
    assert_near(f.result->fits.right, 1);
    gp_arena_free(f.arena);
}

#define MEMORY_HEADER                                                                              \
    "id,kind,model,gpu,gpus,tp,pp,dp,ep,zero_stage_or_fsdp,precision,optimizer,mbs,seq_len,"       \
    "recompute,lora_rank,lora_targets,quant_bits,offload,peak_mem_gib_per_gpu,component_gib,"      \
    "kv_cache_tokens,engine_version,notes,outcome,measure,strict\n"

/* What notes say of the configuration counts: settings of an engine, context parallelism, how a
 * framework's tests are made. */
static void notes_are_configuration(void **state) {
    (void)state;
    static const char serve[] =
        "a%d,inference,llama-3.1-8b,%s,%d,%d,1,,,,bf16,,,8192,,,,,,,,400000,"
        "%s,%s,measured,,yes\n";
    static const struct {
        const char *gpu, *engine, *notes;
        int tp;
    } runs[] = {
        {"H100-SXM5-80GB", "vLLM 0.19.0", "", 1},
        {"H100-SXM5-80GB", "vLLM 0.19.0", "util ~.95", 1},
        {"H100-SXM5-80GB", "vLLM 0.15.0", "util .95", 1},
        {"H100-SXM5-80GB", "vLLM/TRT-LLM (version not in excerpt) 2025-01", "util .95", 1},
        {"H100-SXM5-80GB", "vLLM 0.19.0", "util .95; max_num_seqs 128", 1},
        {"H100-SXM5-80GB", "vLLM 0.19.0", "util .95; fp8 KV", 1},
        {"80GB class", "vLLM 0.19.0", "util .95", 1},
        {"H100-SXM5-80GB", "SGLang 2025-07", "SGLang mem-fraction-static .95", 1},
        {"H100-SXM5-80GB", "pegainfer 2026-06", "util .95", 1},
    };
    char text[8192] = MEMORY_HEADER;
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        size_t len = strlen(text);
        snprintf(text + len, sizeof text - len, serve, (int)i, runs[i].gpu, runs[i].tp, runs[i].tp,
                 runs[i].engine, runs[i].notes);
    }
    fixture f = run(text);
    const gp_backtest_row *r = f.result->rows;
    assert_int_equal(f.result->scored, sizeof runs / sizeof runs[0]);
    assert_true(r[1].estimated > r[0].estimated); /* .95 claimed over .90 */
    assert_true(r[2].estimated < r[1].estimated); /* sorts the whole vocabulary */
    assert_true(r[3].estimated != r[1].estimated);
    assert_true(r[4].estimated > r[1].estimated);
    assert_near(r[5].estimated, 2 * r[1].estimated);
    assert_near(r[6].estimated, r[1].estimated);
    assert_true(r[7].estimated > r[1].estimated); /* nothing held back inside the share */
    assert_true(r[8].estimated < r[1].estimated); /* a whole context */
    assert_true(r[1].low < r[1].estimated && r[1].estimated < r[1].high);
    gp_arena_free(f.arena);
}

static void words_of_training_memory(void **state) {
    (void)state;
    fixture f = run(
        MEMORY_HEADER
        "a,pretrain,Llama-3.1-8B,h100-sxm,8,1,1,2,,FSDP2,bf16/fp32 params,adamw,1,32768,full,,,,,"
        "60,,,torchtitan 2024-12,FSDP 2 x CP 4,measured,reserved,yes\n"
        "b,pretrain,Llama-3.1-8B,h100-sxm,8,1,1,8,,FSDP2,bf16/fp32 params,adamw,1,8192,"
        "selective(per-op SAC),,,,,60,,,torchtitan 2024-12,eager,measured,reserved,yes\n"
        "c,pretrain,Llama-3.1-8B,h100-sxm,8,1,1,8,,FSDP2,bf16/fp32 params,adamw,1,8192,"
        "selective(per-op SAC),,,,,60,,,torchtitan 2024-12,torch.compile,measured,reserved,yes\n"
        "d,pretrain,t5/t5_tests,a100-sxm-80gb,8,1,1,,,ddp,bf16,adam,4,512,none,,,,,5.8,,,MCore,"
        "L=? h=768 heads=12 ffn=3072 sp=False; LAST rank,measured,allocated,yes\n"
        "e,pretrain,moe/tests_tp2_ep2,a100-sxm-80gb,8,2,1,,2,dist-optimizer,bf16,adam,4,1024,none,"
        ",,,,5,,,MCore,L=12 h=1024 heads=8 ffn=4h experts=8 sp=True,measured,allocated,yes\n"
        "f,pretrain,moe/tests_tp2_ep2_etp1,a100-sxm-80gb,8,2,1,,2,dist-optimizer,bf16,adam,4,1024,"
        "none,,,,,5,,,MCore,L=12 h=1024 heads=8 ffn=4h experts=8 sp=True,measured,allocated,yes\n"
        "g,qlora,Llama-2-7B,RTX-4090,2,,,2,,FSDP full shard,bf16,adamw,12,2048,full,64,all,4,cpu,"
        "22.4,,,fsdp_qlora 2024-03,quant=bnb-nf4; offload=cpu,measured,reserved,yes\n"
        "h,qlora,Llama-2-7B,RTX-4090,2,,,2,,FSDP full shard,bf16,adamw,12,2048,full,64,all,4,,"
        "22.4,,,fsdp_qlora 2024-03,quant=bnb-nf4,measured,reserved,yes\n");
    const gp_backtest_row *r = f.result->rows;
    assert_int_equal(f.result->scored, 8);
    assert_true(r[2].estimated < r[1].estimated); /* a compiler keeps less */
    assert_true(fabs(r[3].error_fraction) < 0.1); /* two stacks */
    assert_true(r[4].estimated < r[5].estimated); /* experts split too */
    assert_true(r[6].estimated < r[7].estimated); /* weights wait in the host */
    gp_arena_free(f.arena);
}

static void unknown_columns_to_group_by(void **state) {
    (void)state;
    const char *keys[] = {"gpus", "precisions"};
    gp_backtest_options options = {.by = {.count = 1, .items = keys}};
    const char *data = HEADER RUN("a", "pretrain", "Llama-3-70B", "", "1000", "yes");
    fixture f = run_with(data, &options);
    assert_int_equal(f.st, GP_OK);
    assert_int_equal(f.result->group_count, 1);
    assert_string_equal(f.result->groups[0].group, "gpus=64");
    gp_arena_free(f.arena);
    options.by.count = 2;
    f = run_with(data, &options);
    assert_int_equal(f.st, GP_ERR_INPUT);
    assert_string_equal(f.diags.items[0].nearest, "precision");
    gp_arena_free(f.arena);
}

#define SERVING_HEADER                                                                             \
    "id,model,gpu,gpus,tp,pp,ep,dp,moe_tp,engine,engine_version,mode,precision_weights,"           \
    "precision_kv,input_len,output_len,concurrency_or_batch,request_rate,"                         \
    "output_tokens_per_s_per_gpu,ttft_ms_p50,tpot_ms_p50,notes,strict\n"

static double serving_estimate(const char *row) {
    gp_arena *arena = gp_arena_new((size_t)1 << 28);
    const char *data = gp_arena_printf(arena, "%s%s\n", SERVING_HEADER, row);
    fixture f = run(data);
    assert_int_equal(f.result->row_count, 1);
    const gp_backtest_row *got = &f.result->rows[0];
    if (got->status != GP_BACKTEST_SCORED)
        fail_msg("%s", got->reason);
    double estimated = got->estimated;
    gp_arena_free(f.arena);
    gp_arena_free(arena);
    return estimated;
}

/* What a page leaves to the reader of its words. */
static void words_of_serving_runs(void **state) {
    (void)state;
    double together = serving_estimate("a,DeepSeek-V3,h200-sxm,8,8,1,8,1,,SGLang,0.5,online,fp8,,"
                                       "8000,1000,1024,,,,10,,yes");
    double apart = serving_estimate("a,DeepSeek-V3,h200-sxm,8,1,1,8,8,,SGLang,0.5,online,fp8,,8000,"
                                    "1000,1024,,,,10,,yes");
    double joined = serving_estimate("a,DeepSeek-V3,h200-sxm,8,1,1,8,1,,SGLang,0.5,online,fp8,,"
                                     "8000,1000,1024,,,,10,,yes");
    /* Experts over more ranks than attention: groups if data-parallel, else one tensor group. */
    assert_true(fabs(apart / together - 1) > 0.01);
    assert_near(joined, together);
    /* Releases in hundreds and units; the nearest row that is not newer. */
    double old = serving_estimate("a,llama-3.1-8b,h100-sxm,1,1,1,,,,TensorRT-LLM,0.17.1,online,fp8,"
                                  ",1000,1000,4,,,,10,,yes");
    double new = serving_estimate("a,llama-3.1-8b,h100-sxm,1,1,1,,,,TensorRT-LLM,1.2.0rc2,online,"
                                  "fp8,,1000,1000,4,,,,10,,yes");
    double unsaid = serving_estimate("a,llama-3.1-8b,h100-sxm,1,1,1,,,,TensorRT-LLM,,online,fp8,,"
                                     "1000,1000,4,,,,10,,yes");
    assert_true(fabs(old / new - 1) > 1e-3);
    assert_near(new, unsaid);
    /* A median of steps leaves out the prompts that few steps carry. */
    double mean = serving_estimate("a,llama-3.1-8b,h100-sxm,1,1,1,,,,vLLM,,online,bf16,,4000,1000,"
                                   "16,,,,10,,yes");
    double median = serving_estimate("a,llama-3.1-8b,h100-sxm,1,1,1,,,,vLLM,,online,bf16,,4000,"
                                     "1000,16,,,,10,avg batch = time-average,yes");
    assert_true(median < mean);
    /* Few requests at a rate are never all in flight; many at a rate that cannot be served are. */
    double rate = serving_estimate("a,llama-3.1-8b,h100-sxm,1,1,1,,,,vLLM,,online,bf16,,500,500,,"
                                   "1000,,,10,500 requests; means,yes");
    double more = serving_estimate("a,llama-3.1-8b,h100-sxm,1,1,1,,,,vLLM,,online,bf16,,500,500,,"
                                   "1000,,,10,5000 requests; means,yes");
    assert_true(rate < more);
    /* Requests that are all there at once: those of one batch see half of its prompts. */
    double one = serving_estimate("a,llama-3.1-8b,h100-sxm,1,1,1,,,,vLLM,,offline,bf16,,500,100,"
                                  "200,,,,10,200 requests,yes");
    double many = serving_estimate("a,llama-3.1-8b,h100-sxm,1,1,1,,,,vLLM,,offline,bf16,,500,100,"
                                   "200,,,,10,20000 requests,yes");
    assert_true(one < 0.9 * many);
    /* An engine that is given more at once than it runs by default was set up for them. */
    double few = serving_estimate("a,llama-3.1-8b,h200-sxm,1,1,1,,,,vLLM,0.7.2,offline,bf16,,100,"
                                  "100,256,,10,,,,yes");
    double lots = serving_estimate("a,llama-3.1-8b,h200-sxm,1,1,1,,,,vLLM,0.7.2,offline,bf16,,100,"
                                   "100,1024,,10,,,,yes");
    assert_true(lots > 1.1 * few);
    /* A month tells the release, too. */
    double early = serving_estimate("a,llama-3.1-8b,h100-sxm,1,1,1,,,,vLLM,2024-10,online,bf16,,"
                                    "1000,1000,64,,,,10,,yes");
    double late = serving_estimate("a,llama-3.1-8b,h100-sxm,1,1,1,,,,vLLM,nightly (May 2026),"
                                   "online,bf16,,1000,1000,64,,,,10,,yes");
    assert_true(fabs(early / late - 1) > 1e-3);
}

/* How and when a run was made, in words. */
static void circumstances_of_serving_runs(void **state) {
    (void)state;
    /* The date of measuring stands in for a release; without either it is nobody's. */
    double release = serving_estimate("a,llama-3.1-8b,h100-sxm,1,1,1,,,,vLLM,0.11.0,online,bf16,,"
                                      "1000,1000,64,,,,10,,yes");
    double dated = serving_estimate("a,llama-3.1-8b,h100-sxm,1,1,1,,,,vLLM,,online,bf16,,1000,1000,"
                                    "64,,,,10,x=1; measured=2025-10-29T00:00:00.000Z; y,yes");
    double undated = serving_estimate("a,llama-3.1-8b,h100-sxm,1,1,1,,,,vLLM,,online,bf16,,1000,"
                                      "1000,64,,,,10,,yes");
    assert_near(dated, release);
    assert_true(fabs(undated / release - 1) > 1e-3);
    /* A development build is not the release of its month. */
    double nightly = serving_estimate("a,llama-3.1-8b,h100-sxm,1,1,1,,,,vLLM,nightly (Feb 2026),"
                                      "online,bf16,,4000,100,16,,,,10,,yes");
    double month = serving_estimate("a,llama-3.1-8b,h100-sxm,1,1,1,,,,vLLM,2026-02,online,bf16,,"
                                    "4000,100,16,,,,10,,yes");
    assert_true(nightly > 1.2 * month);
    /* What a GPU emulates it computes in 16 bit. */
    double native = serving_estimate("a,qwen3-32b,mi300x,1,1,1,,,,vLLM,,offline,fp8,,2000,100,256,"
                                     ",10,,,,yes");
    double emulated = serving_estimate("a,qwen3-32b,mi300x,1,1,1,,,,vLLM,,offline,fp8 (emulated),,"
                                       "2000,100,256,,10,,,,yes");
    assert_true(emulated < 0.9 * native);
    /* Prompts of fixed lengths all come before the tokens: no step has both. */
    double mixed = serving_estimate("a,llama-3.1-8b,h100-sxm,1,1,1,,,,vLLM,,online,bf16,,4000,500,"
                                    "64,,,,10,,yes");
    double waves = serving_estimate("a,llama-3.1-8b,h100-sxm,1,1,1,,,,vLLM,,online,bf16,,4000,500,"
                                    "64,,,,10,fixed lengths; prompts = 4x concurrency,yes");
    assert_true(waves < 0.9 * mixed);
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
    assert_true(pool_estimate("a,DeepSeek-V3,H200,decode,vLLM,24,,,,,64,2000,2000,fp8,,,,1000") <=
                0);
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
    /* 256 requests in flight do not give these latencies at this rate: the rate alone is judged. */
    static const char odd[] = "a,DeepSeek-V3.2,B200,aggregated,TensorRT-LLM,8,1,8,8,,,256,8192,"
                              "1024,nvfp4,1077,,98.5,19538,,";
    assert_true(whole_estimate(rate, odd) > 0);
    assert_true(whole_estimate("tpot_ms", odd) <= 0 && whole_estimate("ttft_ms", odd) <= 0);
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
    gp_backtest_options options = {.leave_out = leave_out};
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
        gp_backtest_options options = {
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
    static const char *layout[] = {"tp", "pp", "vp", "cp", "ep", "dp", "zero", "shard_group",
                                   "micro_batch"};
    const size_t columns = sizeof layout / sizeof layout[0];
    gp_arena *arena = gp_arena_new((size_t)1 << 29);
    const gp_backtest_options options = {.by = {.items = layout, .count = columns}};
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
    gp_backtest_options options = {0};
    options.confidence = 1 + GP_CONFIDENCE_EXPECTED;
    options.tuning = 1 + GP_TUNING_TUNED;
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
    gp_backtest_options tuned = {.tuning = 1 + GP_TUNING_TUNED};
    gp_backtest_options safe = {.confidence = 1 + GP_CONFIDENCE_P80};
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
    gp_backtest_options options = {.leave_out = GP_LEAVE_OUT_SIZE};
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(percentiles_interpolate),
        cmocka_unit_test(equations_are_solved),
        cmocka_unit_test(scores_are_the_arithmetic_of_estimates),
        cmocka_unit_test(classes_follow_from_shape_and_kind),
        cmocka_unit_test(what_counts),
        cmocka_unit_test(contradictions_are_not_estimated),
        cmocka_unit_test(estimates_see_configuration_only),
        cmocka_unit_test(fine_tuning_is_read_as_frameworks_do_it),
        cmocka_unit_test(stacks_are_tied_by_build),
        cmocka_unit_test(memory_is_scored_by_metric),
        cmocka_unit_test(notes_are_configuration),
        cmocka_unit_test(words_of_training_memory),
        cmocka_unit_test(unknown_columns_to_group_by),
        cmocka_unit_test(words_of_serving_runs),
        cmocka_unit_test(circumstances_of_serving_runs),
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
