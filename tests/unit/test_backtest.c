/* Scores of measured runs: arithmetic, classes, what counts. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fit/fitter.h"
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
    assert_true(r[6].estimated > r[1].estimated); /* nothing held back inside the share */
    assert_true(r[7].estimated < r[1].estimated); /* a whole context */
    assert_true(r[1].low < r[1].estimated && r[1].estimated < r[1].high);
    gp_arena_free(f.arena);
}

static void words_of_training_memory(void **state) {
    (void)state;
    fixture f = run(
        MEMORY_HEADER
        "b,pretrain,Llama-3.1-8B,h100-sxm,8,1,1,8,,FSDP2,bf16/fp32 params,adamw,1,8192,"
        "selective(per-op SAC),,,,,60,,,torchtitan 2024-12,eager,measured,reserved,yes\n"
        "c,pretrain,Llama-3.1-8B,h100-sxm,8,1,1,8,,FSDP2,bf16/fp32 params,adamw,1,8192,"
        "selective(per-op SAC),,,,,60,,,torchtitan 2024-12,torch.compile,measured,reserved,yes\n"
        "g,qlora,Llama-2-7B,RTX-4090,2,,,2,,FSDP full shard,bf16,adamw,12,2048,full,64,all,4,cpu,"
        "22.4,,,fsdp_qlora 2024-03,quant=bnb-nf4; offload=cpu,measured,reserved,yes\n"
        "h,qlora,Llama-2-7B,RTX-4090,2,,,2,,FSDP full shard,bf16,adamw,12,2048,full,64,all,4,,"
        "22.4,,,fsdp_qlora 2024-03,quant=bnb-nf4,measured,reserved,yes\n");
    const gp_backtest_row *r = f.result->rows;
    assert_int_equal(f.result->scored, 4);
    assert_true(r[1].estimated < r[0].estimated); /* a compiler keeps less */
    assert_true(r[2].estimated < r[3].estimated); /* weights wait in the host */
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(percentiles_interpolate),
        cmocka_unit_test(scores_are_the_arithmetic_of_estimates),
        cmocka_unit_test(classes_follow_from_shape_and_kind),
        cmocka_unit_test(what_counts),
        cmocka_unit_test(contradictions_are_not_estimated),
        cmocka_unit_test(estimates_see_configuration_only),
        cmocka_unit_test(fine_tuning_is_read_as_frameworks_do_it),
        cmocka_unit_test(memory_is_scored_by_metric),
        cmocka_unit_test(notes_are_configuration),
        cmocka_unit_test(words_of_training_memory),
        cmocka_unit_test(unknown_columns_to_group_by),
        cmocka_unit_test(words_of_serving_runs),
        cmocka_unit_test(circumstances_of_serving_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
