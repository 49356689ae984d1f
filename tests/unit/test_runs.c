/* Tables of runs: which kind a header means, what cells and words mean. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fit/runs.h"
#include "fit/words.h"

typedef struct fixture {
    gp_arena *arena;
    gp_diags diags;
    gp_runs runs;
    gp_status st;
} fixture;

static fixture read_table(const char *data) {
    fixture f = {.arena = gp_arena_new((size_t)1 << 26)};
    gp_text *text = NULL;
    gp_diags_init(&f.diags, f.arena);
    assert_int_equal(gp_text_init(f.arena, "runs.csv", data, strlen(data), &text), GP_OK);
    f.st = gp_runs_read(f.arena, text, gp_run_tables, &f.diags, &f.runs);
    return f;
}

static void training_rows_are_read(void **state) {
    (void)state;
    fixture f =
        read_table("id,model,gpu,gpus,mbs,seq_len,tokens_per_s_per_gpu,iteration_s,strict,x\n"
                   "a,m,h100-sxm,8,0.25,4096,12.5,,yes,anything\n"
                   "b,m,h100-sxm,,,,,3,no,\n");
    assert_int_equal(f.st, GP_OK);
    assert_int_equal(f.runs.kind, GP_RUNS_TRAINING);
    assert_int_equal(f.runs.count, 2);
    assert_true(f.runs.has_strict);
    assert_string_equal(gp_runs_at(&f.runs, 0)->gpu, "h100-sxm");
    assert_float_equal(gp_runs_at(&f.runs, 0)->gpus, 8, 0);
    assert_float_equal(gp_runs_at(&f.runs, 0)->micro_batch, 0.25, 0);
    assert_float_equal(gp_runs_at(&f.runs, 0)->tokens_per_s, 12.5, 0);
    assert_null(gp_runs_at(&f.runs, 0)->precision);
    assert_float_equal(gp_runs_at(&f.runs, 1)->gpus, 0, 0);
    gp_arena_free(f.arena);
}

static void memory_rows_are_read(void **state) {
    (void)state;
    fixture f =
        read_table("id,model,gpu,seq_len,zero_stage_or_fsdp,peak_mem_gib_per_gpu,lora_rank\n"
                   "a,m,g,1024,FSDP2,40.5,16\n");
    assert_int_equal(f.st, GP_OK);
    assert_int_equal(f.runs.kind, GP_RUNS_MEMORY);
    assert_false(f.runs.has_strict);
    assert_float_equal(gp_runs_at(&f.runs, 0)->peak_gib, 40.5, 0);
    assert_float_equal(gp_runs_at(&f.runs, 0)->rank, 16, 0);
    assert_string_equal(gp_runs_at(&f.runs, 0)->zero, "FSDP2");
    gp_arena_free(f.arena);
}

static void wrong_cells_are_named_with_their_place(void **state) {
    (void)state;
    static const struct {
        const char *cells;
        const char *id;
    } rows[] = {
        {"a,m,g,eight,1,2", "GP1004"}, {"a,m,g,1.5,1,2", "GP1004"},   {"a,m,g,-8,1,2", "GP1012"},
        {"a,m,g,8,nan,2", "GP1004"},   {"a,m,g,8,1e300,2", "GP1012"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char table[200] = "id,model,gpu,gpus,seq_len,tokens_per_s_per_gpu,iteration_s\n";
        strcat(table, rows[i].cells);
        strcat(table, ",\n");
        fixture f = read_table(table);
        assert_int_equal(f.st, GP_ERR_INPUT);
        assert_int_equal(f.diags.count, 1);
        assert_string_equal(f.diags.items[0].id, rows[i].id);
        assert_int_equal(gp_span_place(f.diags.items[0].span).line, 2);
        assert_true(gp_span_place(f.diags.items[0].span).column >= 7);
        gp_arena_free(f.arena);
    }
}

static void headers_must_tell_a_kind(void **state) {
    (void)state;
    fixture f = read_table("id,speed\na,3\n");
    assert_int_equal(f.st, GP_ERR_INPUT);
    assert_string_equal(f.diags.items[0].id, "GP1017");
    gp_arena_free(f.arena);
    f = read_table("id,gpu,seq_len,tokens_per_s_per_gpu,iteration_s\na,g,1,2,3\n");
    assert_int_equal(f.st, GP_ERR_INPUT);
    assert_string_equal(f.diags.items[0].id, "GP1009");
    gp_arena_free(f.arena);
}

static void notes_hold_values(void **state) {
    (void)state;
    const char *notes = "L=12 h=512 ffn=4h; mean_tokens_per_sample=286.8; share=0.95";
    assert_float_equal(gp_notes_number(notes, "L"), 12, 0);
    assert_float_equal(gp_notes_number(notes, "ffn"), 4, 0);
    assert_float_equal(gp_notes_number(notes, "mean_tokens_per_sample"), 286.8, 0);
    assert_float_equal(gp_notes_number(notes, "share"), 0.95, 0);
    assert_float_equal(gp_notes_number(notes, "tokens_per_sample"), 0, 0);
    assert_float_equal(gp_notes_number(NULL, "L"), 0, 0);
}

static void precisions(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int value;
    } rows[] = {
        {"bf16", GP_PRECISION_BF16},
        {"fp8(linear)/fp32 params", GP_PRECISION_FP8},
        {"mxfp8/fp32 params", GP_PRECISION_MXFP8},
        {"nvfp4 (secondary source)", GP_PRECISION_FP4},
        {"bf16 base, fp32 adapter", GP_PRECISION_BF16},
        {"pure float16", GP_PRECISION_FP16},
        {"fp8 or fp4: not checked", GP_WORD_AMBIGUOUS},
        {"bf16/fp8 not stated in log", GP_WORD_AMBIGUOUS},
        {"quad", GP_WORD_UNKNOWN},
        {NULL, GP_WORD_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(gp_words_precision(rows[i].text), rows[i].value);
    }
}

static void sharding(void **state) {
    (void)state;
    assert_float_equal(gp_words_number("default util .9", "util"), 0.9, 0);
    assert_float_equal(gp_words_number("utilization; util ~.97", "util"), 0.97, 0);
    assert_float_equal(gp_words_number("4D FSDP2xCP4xTP8", "CP"), 4, 0);
    assert_float_equal(gp_words_number("CPU offload", "CP"), 0, 0);
    assert_float_equal(gp_words_number(NULL, "CP"), 0, 0);
    assert_int_equal(gp_words_version("vLLM 0.19.0"), 19);
    assert_int_equal(gp_words_version("vLLM (v0.11.0 stated)"), 11);
    assert_int_equal(gp_words_version("engine 1.2"), 102);
    assert_int_equal(gp_words_version("vLLM V1 2025-01"), 0);
    assert_int_equal(gp_words_version(NULL), 0);
    assert_int_equal(gp_words_zero("fsdp full shard (zero3)"), 3);
    assert_int_equal(gp_words_zero("ddp+dist-opt (FSDP=0)"), 1);
    assert_int_equal(gp_words_zero("fsdp shard_grad_op (zero2)"), 2);
    assert_int_equal(gp_words_zero("DDP"), 0);
    assert_int_equal(gp_words_zero("FSDP FULL_SHARD"), 3);
    assert_int_equal(gp_words_zero(NULL), GP_WORD_UNKNOWN);
    assert_float_equal(gp_words_shard("fsdp2 shard 8"), 8, 0);
    assert_float_equal(gp_words_shard("fsdp shard group 64"), 64, 0);
    assert_float_equal(gp_words_shard("fsdp shard 128 x dp 16"), 128, 0);
    assert_float_equal(gp_words_shard("FSDP"), 0, 0);
}

static void recomputation_and_loss(void **state) {
    (void)state;
    assert_int_equal(gp_words_recompute("full (script default)"), GP_RECOMPUTE_FULL);
    assert_int_equal(gp_words_recompute("selective:core_attn"), GP_RECOMPUTE_SELECTIVE);
    assert_int_equal(gp_words_recompute("partial: full of 21"), GP_RECOMPUTE_SELECTIVE);
    assert_int_equal(gp_words_recompute("none"), GP_RECOMPUTE_NONE);
    assert_int_equal(gp_words_recompute(NULL), GP_WORD_UNKNOWN);
    assert_int_equal(gp_words_loss("fused_ce"), GP_LOSS_FUSED);
    assert_int_equal(gp_words_loss("unstated"), GP_LOSS_AUTO);
    assert_int_equal(gp_words_quant("bnb-nf4"), GP_FORMAT_NF4);
    assert_int_equal(gp_words_quant("gptq-4bit"), GP_FORMAT_INT4);
    assert_int_equal(gp_words_quant(NULL), GP_WORD_UNKNOWN);
    assert_int_equal(gp_words_optimizer("adamw8bit"), GP_OPTIMIZER_ADAMW_8BIT);
}

static void targets(void **state) {
    (void)state;
    const char *items[GP_TARGET_MAX] = {NULL};
    assert_int_equal(gp_words_targets("q,k,v,o", items), 4);
    assert_string_equal(items[3], "o_proj");
    assert_int_equal(gp_words_targets("linear_qkv,linear_proj", items), 4);
    assert_int_equal(gp_words_targets("q_proj v_proj", items), 2);
    assert_int_equal(gp_words_targets("all-linear", items), 1);
    assert_string_equal(items[0], "all");
    assert_int_equal(gp_words_targets("something", items), 0);
}

static void links(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double gigabits;
        bool per_gpu;
    } rows[] = {
        {"InfiniBand 8x400Gb/s per node", 3200, false},
        {"RoCE 1600Gb/s per node", 1600, false},
        {"RDMA 400Gb/s per GPU (CX-7)", 400, true},
        {"4x ConnectX-7 IB NDR 400Gb/s", 1600, false},
        {"Storage: 2x ConnectX-7 400Gb/s, Compute: 8x ConnectX-7 400Gb/s", 3200, false},
        {"10G Ethernet", 10, false},
        {"EFA 800/1600 Gbit/s per node", 1600, false},
        {"3x100GbE RoCE", 300, false},
        {"Ethernet, Infiniband", 0, false},
        {"Selene HDR InfiniBand (8 HCAs; rate not stated)", 0, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool per_gpu = false;
        double bits = gp_words_link(rows[i].text, &per_gpu);
        assert_float_equal(bits, rows[i].gigabits * 1e9, 1);
        assert_int_equal(per_gpu, rows[i].per_gpu);
    }
    double ports = 0;
    assert_string_equal(gp_words_generation("Selene HDR InfiniBand (8 HCAs)", &ports), "hdr");
    assert_float_equal(ports, 8, 0);
    assert_null(gp_words_generation("Ethernet", &ports));
}

static void releases(void **state) {
    (void)state;
    assert_int_equal(gp_words_release("NeMo 26.04.01"), 2604);
    assert_int_equal(gp_words_release("dgxc v25.02"), 2502);
    assert_int_equal(gp_words_release("9dec370 (2024-12)"), 2412);
    assert_int_equal(gp_words_release("nightly (Feb 2026)"), 2602);
    assert_int_equal(gp_words_release("the 2025 page"), 2500);
    assert_int_equal(gp_words_release("main"), 0);
    assert_int_equal(gp_words_release(NULL), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(training_rows_are_read),
        cmocka_unit_test(memory_rows_are_read),
        cmocka_unit_test(wrong_cells_are_named_with_their_place),
        cmocka_unit_test(headers_must_tell_a_kind),
        cmocka_unit_test(notes_hold_values),
        cmocka_unit_test(precisions),
        cmocka_unit_test(sharding),
        cmocka_unit_test(recomputation_and_loss),
        cmocka_unit_test(targets),
        cmocka_unit_test(links),
        cmocka_unit_test(releases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
