/* Step time of training: published runs, ratios that every run shows, and monotonicity. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "support/estimate_case.h"

typedef struct time_test {
    gp_shape shape;
    gp_machine machine;
    gp_network network;
    gp_train_job job;
    gp_layout layout;
} time_test;

static time_test test_of(estimate_case *c, const char *model, const char *gpu, double sequence,
                         double sequences) {
    time_test t = {.shape = estimate_case_shape(c, model),
                   .machine = estimate_case_machine(c, gpu, 8),
                   .network = c->network};
    t.job = (gp_train_job){.type = GP_WORKLOAD_TRAINING,
                           .sequence_length = sequence,
                           .global_batch = sequence * sequences,
                           .packing_fraction = 1,
                           .compute = GP_PRECISION_BF16,
                           .weights = GP_FORMAT_BF16,
                           .gradients = GP_FORMAT_FP32,
                           .speed_factor = 1};
    t.layout = (gp_layout){.tp = 1,
                           .pp = 1,
                           .vpp = 1,
                           .dp = 8,
                           .cp = 1,
                           .ep = 1,
                           .zero = 1,
                           .micro_batch = 1,
                           .recompute = GP_RECOMPUTE_NONE};
    return t;
}

static gp_train_time time_of(const estimate_case *c, time_test *t) {
    gp_train_time time;
    t->job.shape = &t->shape;
    gp_train_step_time(&t->job, &t->machine, &t->network, &t->layout, &c->constants, NULL, &time);
    return time;
}

static void assert_within(double value, double wanted, double fraction) {
    if (fabs(value / wanted - 1) > fraction) {
        fail_msg("%.4g, wanted %.4g", value, wanted);
    }
}

/* Published runs (arXiv 2205.05198 table 5; NVIDIA Megatron-Bridge and dgxc-benchmarking pages). */
static void test_published(void **state) {
    estimate_case *c = *state;
    /* 175B on 64 A100, TP8 PP8 VPP3, 64 sequences of 2048: 13.75 s selective, 18.13 s full. */
    time_test t = test_of(c, "gpt3-175b", "a100-sxm-80gb", 2048, 64);
    t.layout.tp = 8;
    t.layout.pp = 8;
    t.layout.vpp = 3;
    t.layout.dp = 1;
    t.layout.recompute = GP_RECOMPUTE_SELECTIVE;
    t.network.bytes_per_s[0] = 25e9;
    assert_within(time_of(c, &t).step_s, 13.75, 0.2);
    t.layout.recompute = GP_RECOMPUTE_FULL;
    assert_within(time_of(c, &t).step_s, 18.13, 0.25);
    /* Llama-3-70B LoRA in BF16 on 8 H100, TP2 PP4 VPP20, 32 sequences of 4096: 9.118 s. */
    t = test_of(c, "llama-3.1-70b", "h100-sxm", 4096, 32);
    t.job.type = GP_WORKLOAD_LORA;
    t.job.adapter_parameters = 2e8;
    t.layout.tp = 2;
    t.layout.pp = 4;
    t.layout.vpp = 20;
    t.layout.dp = 1;
    assert_within(time_of(c, &t).step_s, 9.118, 0.15);
    /* Llama-2-70B, FSDP over 128 H100 in BF16, 256 sequences of 4096 in twos: 7.07 s, 1.11 of the
     * reference stack. */
    t = test_of(c, "llama-2-70b", "h100-sxm", 4096, 256);
    t.job.speed_factor = 1 / 1.11;
    t.layout.dp = 128;
    t.layout.zero = 3;
    t.layout.micro_batch = 2;
    assert_within(time_of(c, &t).step_s, 7.072, 0.15);
}

/* The GPU waits for the host at every layer with split experts, longer with tensor parallelism, and
 * once per step; layers for further tokens are trained too. */
static void test_host(void **state) {
    estimate_case *c = *state;
    const gp_constants *k = &c->constants;
    time_test t = test_of(c, "qwen3-30b-a3b", "h100-sxm", 4096, 64);
    double whole = time_of(c, &t).launch_s, rounds = 64 / 8;
    t.layout.ep = 8;
    /* What the GPU waits is less than the host's time, and more than what is longer than its
     * own. */
    double waits = rounds * t.shape.moe_layers * k->training_moe_layer_s;
    gp_train_time split = time_of(c, &t);
    double busy = split.step_s - (split.launch_s - whole);
    assert_true(split.launch_s - whole < waits);
    assert_true(split.launch_s - whole > waits - busy);
    assert_true(split.launch_s > whole);
    estimate_case slow = *c;
    slow.constants.training_moe_layer_s *= 1000;
    assert_within(time_of(&slow, &t).launch_s, 1000 * waits, 0.05);
    /* Tensor parallelism halves the work of a rank but lengthens the waits. */
    t.layout.tp = 2;
    t.layout.dp = 4;
    assert_within(time_of(&slow, &t).launch_s,
                  2 * 1000 * waits * (1 + k->training_host_split_fraction), 0.05);
    /* One round more costs no further step. */
    t = test_of(c, "llama-3.1-8b", "h100-sxm", 4096, 8);
    double one = time_of(c, &t).launch_s;
    t.job.global_batch *= 2;
    assert_within(time_of(c, &t).launch_s - one, one - k->training_host_step_s, 1e-9);
}

static void test_further_layers(void **state) {
    estimate_case *c = *state;
    time_test t = test_of(c, "deepseek-v3", "gb200", 4096, 64);
    t.layout.ep = 8;
    gp_train_time with = time_of(c, &t);
    gp_model plain = *t.shape.model;
    assert_int_equal(plain.mtp, 1);
    plain.mtp = 0;
    t.shape.model = &plain;
    gp_train_time without = time_of(c, &t);
    assert_within(with.head_s, 2 * without.head_s, 1e-9);
    assert_within(with.gemm_s, without.gemm_s * (1 + 1 / t.shape.layers), 1e-9);
}

/* Routed experts in 4 bit run at the rate of 8 bit. */
static void test_expert_precision(void **state) {
    estimate_case *c = *state;
    time_test t = test_of(c, "qwen3-30b-a3b", "gb200", 4096, 64);
    t.shape.attention_parameters = t.shape.dense_mlp_parameters = t.shape.router_parameters = 0;
    t.job.compute = GP_PRECISION_MXFP8;
    double eight = time_of(c, &t).gemm_s;
    t.job.compute = GP_PRECISION_FP4;
    assert_within(time_of(c, &t).gemm_s, eight, 1e-9);
}

static void test_parts_sum(void **state) {
    estimate_case *c = *state;
    time_test t = test_of(c, "qwen3-235b-a22b", "h100-sxm", 4096, 512);
    t.layout.tp = 2;
    t.layout.pp = 4;
    t.layout.dp = 32;
    t.layout.ep = 8;
    gp_train_time time = time_of(c, &t);
    double sum = time.gemm_s + time.attention_s + time.elementwise_s + time.head_s + time.launch_s +
                 time.tp_s + time.cp_s + time.ep_s + time.pp_s + time.bubble_s + time.dp_s +
                 time.optimizer_s;
    assert_within(sum, time.step_s, 1e-12);
    assert_within(time.communication_s, time.tp_s + time.cp_s + time.ep_s + time.pp_s + time.dp_s,
                  1e-12);
    assert_true(time.ep_s > 0 && time.pp_s > 0 && time.bubble_s > 0 && time.dp_s > 0);
    assert_within(time.tokens_per_s, 4096 * 512 / time.step_s, 1e-12);
    assert_true(time.mfu_fraction > 0.05 && time.mfu_fraction < 0.6);
    /* Padding is no work done. */
    t.job.packing_fraction = 0.5;
    assert_within(time_of(c, &t).tokens_per_s, time.tokens_per_s / 2, 1e-12);
    t.job.speed_factor = 0.5;
    assert_within(time_of(c, &t).step_s, 2 * time.step_s, 1e-12);
}

/* Full recomputation costs a third, and LoRA runs about half as fast again as full tuning. */
static void test_ratios(void **state) {
    estimate_case *c = *state;
    time_test t = test_of(c, "llama-3.1-8b", "h100-sxm", 4096, 256);
    double none = time_of(c, &t).step_s;
    t.layout.recompute = GP_RECOMPUTE_FULL;
    double full = time_of(c, &t).step_s;
    assert_true(full / none > 1.2 && full / none < 1.36);
    t.layout.recompute = GP_RECOMPUTE_NONE;
    t.job.type = GP_WORKLOAD_LORA;
    t.job.adapter_parameters = 4e7;
    double lora = time_of(c, &t).step_s;
    assert_true(none / lora > 1.2 && none / lora < 1.61);
    t.job.weights = GP_FORMAT_NF4;
    double qlora = time_of(c, &t).step_s;
    assert_true(qlora > lora && qlora < 1.5 * lora);
    /* FP8 gains 1.2 to 1.7, not 2. */
    t = test_of(c, "llama-3.1-70b", "h100-sxm", 8192, 128);
    t.layout.tp = 4;
    t.layout.pp = 4;
    t.layout.dp = 4;
    double half = time_of(c, &t).step_s;
    t.job.compute = GP_PRECISION_FP8;
    double eight = time_of(c, &t).step_s;
    assert_true(half / eight > 1.2 && half / eight < 1.7);
}

/* Interleaving shrinks the bubble; wider tensor parallelism on the same GPUs costs time. */
static void test_layouts(void **state) {
    estimate_case *c = *state;
    time_test t = test_of(c, "llama-3.1-70b", "h100-sxm", 8192, 64);
    t.layout.tp = 4;
    t.layout.pp = 4;
    t.layout.dp = 4;
    gp_train_time plain = time_of(c, &t);
    t.layout.vpp = 5;
    gp_train_time interleaved = time_of(c, &t);
    assert_within(interleaved.bubble_s, plain.bubble_s / 5, 1e-9);
    assert_true(interleaved.step_s < plain.step_s);
    t.layout.tp = 8;
    t.layout.dp = 2;
    assert_true(time_of(c, &t).step_s > interleaved.step_s);
}

/* Tensor parallelism over two machines is priced by the network and loses by far. */
static void test_tensor_across_machines(void **state) {
    estimate_case *c = *state;
    time_test t = test_of(c, "llama-3.1-70b", "h100-sxm", 4096, 64);
    t.layout.tp = 8;
    t.layout.dp = 2;
    double inside = time_of(c, &t).step_s;
    t.layout.tp = 16;
    t.layout.dp = 1;
    double across = time_of(c, &t).step_s;
    assert_true(across > 1.25 * inside);
    assert_false(gp_layout_valid(&t.job, &t.machine, &t.layout));
}

/* Experts spread over machines pay for the network. */
static void test_experts_across_machines(void **state) {
    estimate_case *c = *state;
    time_test t = test_of(c, "gpt-oss-120b", "b200-sxm", 4096, 1280);
    t.layout.dp = 64;
    t.layout.micro_batch = 4;
    t.layout.ep = 8;
    gp_train_time inside = time_of(c, &t);
    t.layout.ep = 64;
    gp_train_time across = time_of(c, &t);
    assert_true(across.ep_s > 2 * inside.ep_s);
}

static void assert_never_slower(const estimate_case *c, time_test *t, double *rate) {
    double given = *rate, last = HUGE_VAL;
    for (double factor = 0.125; factor <= 8; factor *= 2) {
        *rate = given * factor;
        double step = time_of(c, t).step_s;
        assert_true(step <= last * (1 + 1e-12));
        last = step;
    }
    *rate = given;
}

static void test_monotone(void **state) {
    estimate_case *c = *state;
    const int64_t layouts[][6] = {
        /* tp pp dp cp ep zero */
        {1, 1, 64, 1, 1, 3},
        {4, 4, 4, 1, 1, 1},
        {8, 1, 4, 2, 1, 1},
        {2, 4, 8, 1, 8, 1},
    };
    const char *models[] = {"llama-3.1-70b", "llama-3.1-70b", "llama-3.1-70b", "qwen3-235b-a22b"};
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        time_test t = test_of(c, models[i], "h100-sxm", 8192, 64);
        t.layout.tp = layouts[i][0];
        t.layout.pp = layouts[i][1];
        t.layout.dp = layouts[i][2];
        t.layout.cp = layouts[i][3];
        t.layout.ep = layouts[i][4];
        t.layout.zero = layouts[i][5];
        assert_never_slower(c, &t, &t.network.bytes_per_s[0]);
        assert_never_slower(c, &t, &t.network.bytes_per_s[1]);
        assert_never_slower(c, &t, &t.machine.hbm_bytes_per_s);
        assert_never_slower(c, &t, &t.machine.link_bytes_per_s);
        assert_never_slower(c, &t, &t.machine.peak_flop_per_s[GP_PRECISION_BF16]);
        t.machine.power_cap_fraction = 0.7;
        double capped = time_of(c, &t).step_s;
        t.machine.power_cap_fraction = 1;
        assert_true(capped > time_of(c, &t).step_s);
    }
}

/* Tuned weak scaling is nearly flat. */
static void test_weak_scaling(void **state) {
    estimate_case *c = *state;
    double first = 0;
    for (int64_t dp = 4; dp <= 128; dp *= 2) {
        time_test t = test_of(c, "llama-3.1-70b", "h100-sxm", 8192, 32 * (double)dp);
        t.layout.tp = 4;
        t.layout.pp = 4;
        t.layout.vpp = 5;
        t.layout.dp = dp;
        double per_gpu = time_of(c, &t).tokens_per_s / (double)gp_layout_gpus(&t.layout);
        first = dp == 4 ? per_gpu : first;
        assert_true(per_gpu > 0.95 * first);
    }
}

static void test_trace(void **state) {
    estimate_case *c = *state;
    static gp_term terms[GP_TRACE_MAX];
    gp_trace trace = GP_TRACE_ON(terms);
    static gp_workload workload;
    time_test t = test_of(c, "llama-3.1-8b", "h100-sxm", 4096, 64);
    gp_train_time time, plain = time_of(c, &t);
    t.job.workload = &workload;
    trace.count = 0;
    gp_train_step_time(&t.job, &t.machine, &t.network, &t.layout, &c->constants, &trace, &time);
    assert_within(time.step_s, plain.step_s, 1e-15);
    bool seen = false;
    for (size_t i = 0; i < trace.count; i++) {
        seen = seen || trace.items[i].id == GP_TERM_TRAIN_STEP_TIME;
        assert_true(trace.items[i].input_count > 0);
    }
    assert_true(seen && !trace.overflow);
}

/* Precisions that a GPU lacks take forever. */
static void test_unsupported(void **state) {
    estimate_case *c = *state;
    time_test t = test_of(c, "llama-3.1-8b", "a100-sxm-80gb", 4096, 64);
    t.job.compute = GP_PRECISION_FP8;
    assert_true(isinf(time_of(c, &t).step_s));
}

/* The planner refuses machines that no class describes, and says so. */
static bool has_no_class(const gp_machine *machine) {
    for (int p = 0; p < GP_PRECISION_COUNT; p++) {
        if (machine->efficiency[p] != NULL) {
            return false;
        }
    }
    return true;
}

/* Every GPU with a class, its own or its architecture's, has one for each precision it computes
 * in. */
static void test_coverage(void **state) {
    estimate_case *c = *state;
    const void *const *rows = NULL;
    size_t count = 0;
    assert_int_equal(gp_catalog_rows(c->catalog, GP_CATALOG_GPUS, &rows, &count), GP_OK);
    for (size_t i = 0; i < count; i++) {
        const gp_gpu *gpu = rows[i];
        gp_machine machine = estimate_case_machine(c, gpu->id, 1);
        /* Other makers state formats that nobody has measured them in. */
        if (has_no_class(&machine) ||
            (strcmp(gpu->vendor, "nvidia") != 0 && strcmp(gpu->vendor, "amd") != 0)) {
            continue;
        }
        const struct {
            gp_precision precision;
            double peak;
        } needed[] = {{GP_PRECISION_FP32, gpu->flops.fp32}, {GP_PRECISION_TF32, gpu->flops.tf32},
                      {GP_PRECISION_FP16, gpu->flops.fp16}, {GP_PRECISION_BF16, gpu->flops.bf16},
                      {GP_PRECISION_FP8, gpu->flops.fp8},   {GP_PRECISION_FP4, gpu->flops.fp4},
                      {GP_PRECISION_INT8, gpu->flops.int8}};
        for (size_t p = 0; p < sizeof needed / sizeof needed[0]; p++) {
            const gp_efficiency *row = machine.efficiency[needed[p].precision];
            if (needed[p].peak > 0 && (row == NULL || row->gemm_fraction <= 0)) {
                fail_msg("%s: no efficiency for precision %d", gpu->id, needed[p].precision);
            }
        }
    }
}

/* Table 5 of arXiv 2205.05198: its eight step times, within 5 % on average. */
static void test_korthikanti(void **state) {
    estimate_case *c = *state;
    static const struct {
        const char *model;
        int64_t tp, pp, vpp;
        double sequences, full_s, selective_s;
        int64_t micro_batch;
    } rows[] = {{"megatron-22b", 8, 1, 1, 4, 1.42, 1.10, 4},
                {"gpt3-175b", 8, 8, 3, 64, 18.13, 13.75, 1},
                {"mt-nlg-530b", 8, 35, 3, 280, 49.05, 37.83, 1},
                {"megatron-1t", 8, 64, 1, 512, 94.42, 71.49, 1}};
    const void *found = NULL;
    assert_int_equal(
        gp_catalog_find(c->catalog, GP_CATALOG_STACKS, "megatron-lm-2022", &found, NULL, NULL),
        GP_OK);
    const gp_stack *stack = found;
    double sum = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        time_test t = test_of(c, rows[i].model, "a100-sxm-80gb", 2048, rows[i].sequences);
        t.job.compute = GP_PRECISION_FP16;
        gp_train_apply_stack(&t.job, stack);
        t.layout.tp = rows[i].tp;
        t.layout.pp = rows[i].pp;
        t.layout.vpp = rows[i].vpp;
        t.layout.dp = 1;
        t.layout.micro_batch = rows[i].micro_batch;
        t.network.bytes_per_s[0] = 25e9;
        t.layout.recompute = GP_RECOMPUTE_FULL;
        sum += fabs(time_of(c, &t).step_s / rows[i].full_s - 1);
        t.layout.recompute = GP_RECOMPUTE_SELECTIVE;
        sum += fabs(time_of(c, &t).step_s / rows[i].selective_s - 1);
    }
    if (sum / 8 > 0.05) {
        fail_msg("mean error %.3f", sum / 8);
    }
}

/* Plain modules are slower than fused ones, those than tuned stacks; the host bounds small
 * steps. */
static void test_software(void **state) {
    estimate_case *c = *state;
    time_test t = test_of(c, "llama-3.1-8b", "h100-sxm", 4096, 64);
    double last = 0;
    static const int order[] = {GP_KERNELS_AUTO, GP_KERNELS_FUSED, GP_KERNELS_EAGER};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        t.job.kernels = order[i];
        double step_s = time_of(c, &t).step_s;
        assert_true(i == 0 || order[i] == GP_KERNELS_FUSED || step_s > last);
        last = step_s;
    }
    t.job.kernels = GP_KERNELS_AUTO;
    static const int kernels[] = {GP_ATTENTION_AUTO, GP_ATTENTION_FLASH2, GP_ATTENTION_EAGER};
    last = 0;
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        t.job.attention = kernels[i];
        double attention_s = time_of(c, &t).attention_s;
        assert_true(attention_s > last);
        last = attention_s;
    }
    t.job.attention = GP_ATTENTION_FLASH2;
    double flash_s = time_of(c, &t).attention_s;
    t.job.attention = GP_ATTENTION_TRITON;
    assert_true(time_of(c, &t).attention_s > flash_s);
    /* Before Hopper FlashAttention-2 is the newest. */
    time_test old = test_of(c, "llama-3.1-8b", "a100-sxm-80gb", 4096, 64);
    double newest_s = time_of(c, &old).attention_s;
    old.job.attention = GP_ATTENTION_FLASH2;
    assert_within(time_of(c, &old).attention_s, newest_s, 1e-12);
    /* A step of plain modules is never faster than the host. */
    time_test tiny = test_of(c, "qwen3-0.6b", "h100-sxm", 256, 8);
    tiny.job.type = GP_WORKLOAD_LORA;
    tiny.job.adapter_parameters = 1e6;
    tiny.job.kernels = GP_KERNELS_EAGER;
    double floor_s = 28 * c->constants.training_host_layer_s;
    assert_true(time_of(c, &tiny).step_s >= floor_s);
    assert_true(time_of(c, &tiny).launch_s > time_of(c, &tiny).gemm_s);
}

/* An adapter's own work: folded into its products by tuned stacks, passes through memory elsewhere;
 * under FSDP each of its matrices is a unit that the host gathers, under DeepSpeed none is. */
static void test_adapters(void **state) {
    estimate_case *c = *state;
    time_test t = test_of(c, "llama-3.1-8b", "a100-sxm-80gb", 512, 8);
    t.job.type = GP_WORKLOAD_LORA;
    t.job.adapter_parameters = 1e7;
    t.layout.zero = 3;
    double tuned_s = time_of(c, &t).elementwise_s;
    t.job.adapter_width = 1e6;
    t.job.adapter_matrices = 14;
    assert_within(time_of(c, &t).elementwise_s, tuned_s, 1e-12);
    t.job.kernels = GP_KERNELS_EAGER;
    gp_train_time all = time_of(c, &t);
    t.job.adapter_width = 0;
    assert_true(time_of(c, &t).elementwise_s < all.elementwise_s);
    t.job.adapter_width = 1e6;
    t.job.adapter_matrices = 4;
    assert_true(time_of(c, &t).launch_s < all.launch_s);
    t.job.adapter_matrices = 14;
    t.job.shards_modules = true;
    assert_true(time_of(c, &t).launch_s < all.launch_s);
    t.job.shards_modules = false;
    t.job.kernels = GP_KERNELS_FUSED;
    assert_true(time_of(c, &t).launch_s < all.launch_s);
}

/* k-bit training doubles the traffic of the residual stream, but not in shards or over GPTQ. */
static void test_upcast(void **state) {
    estimate_case *c = *state;
    const void *found = NULL;
    assert_int_equal(
        gp_catalog_find(c->catalog, GP_CATALOG_STACKS, "trl-2025-02", &found, NULL, NULL), GP_OK);
    const gp_stack *stack = found;
    time_test t = test_of(c, "llama-3.1-8b", "a100-sxm-80gb", 2048, 8);
    t.job.type = GP_WORKLOAD_LORA;
    t.job.weights = GP_FORMAT_INT4;
    gp_train_apply_stack(&t.job, stack);
    assert_false(t.job.upcast);
    t.job.weights = GP_FORMAT_NF4;
    double plain_s = time_of(c, &t).elementwise_s;
    t.job.speed_factor = 1;
    gp_train_apply_stack(&t.job, stack);
    assert_true(t.job.upcast);
    assert_true(time_of(c, &t).elementwise_s > plain_s);
    t.layout.zero = 3;
    assert_within(time_of(c, &t).elementwise_s, plain_s, 1e-12);
}

/* Queries, keys and values of a block without a gate are one matrix. */
static void test_adapter_matrices(void **state) {
    estimate_case *c = *state;
    const char *names[] = {"q_proj", "k_proj", "v_proj", "o_proj"};
    const gp_adapter attention = {.rank = 8, .targets = {.items = names, .count = 4}};
    const gp_adapter all = {.rank = 8};
    gp_shape gated = estimate_case_shape(c, "llama-3.1-8b");
    gp_shape classic = estimate_case_shape(c, "gpt3-175b");
    assert_within(gp_adapter_matrices(&gated, &attention), 8, 1e-12);
    assert_within(gp_adapter_matrices(&classic, &attention), 4, 1e-12);
    assert_within(gp_adapter_matrices(&gated, &all), 14, 1e-12);
    assert_within(gp_adapter_matrices(&classic, &all), 8, 1e-12);
}

/* Ranks wait for the longest samples, but not where the host decides. */
static void test_longest(void **state) {
    estimate_case *c = *state;
    time_test t = test_of(c, "llama-3.1-8b", "h100-sxm", 4096, 8);
    t.job.type = GP_WORKLOAD_FINETUNE;
    t.job.kernels = GP_KERNELS_EAGER;
    double even_s = time_of(c, &t).gemm_s;
    t.job.length_cv = 0.6;
    assert_within(time_of(c, &t).gemm_s, even_s * (1 + 0.6 * 3 / 2), 1e-9);
    time_test tiny = test_of(c, "qwen3-0.6b", "h100-sxm", 32, 8);
    tiny.job.type = GP_WORKLOAD_LORA;
    tiny.job.kernels = GP_KERNELS_EAGER;
    double step_s = time_of(c, &tiny).step_s;
    tiny.job.length_cv = 0.6;
    assert_within(time_of(c, &tiny).step_s, step_s, 0.05);
}

/* Plain modules go through the experts of a rank one by one; grouped kernels do not. */
static void test_expert_loop(void **state) {
    estimate_case *c = *state;
    time_test t = test_of(c, "qwen3-30b-a3b", "a100-sxm-80gb", 512, 8);
    t.job.kernels = GP_KERNELS_EAGER;
    double grouped_s = time_of(c, &t).launch_s;
    t.job.loops_experts = true;
    double looped_s = time_of(c, &t).launch_s;
    assert_true(looped_s > grouped_s);
    t.layout.ep = 8;
    assert_true(time_of(c, &t).launch_s < looped_s);
    const gp_stack plain = {.kernels = GP_KERNELS_EAGER, .time_factor = 1};
    t.job.loops_experts = false;
    gp_train_apply_stack(&t.job, &plain);
    assert_true(t.job.loops_experts);
    const gp_stack grouped = {
        .kernels = GP_KERNELS_EAGER, .time_factor = 1, .groups_experts = true};
    gp_train_apply_stack(&t.job, &grouped);
    assert_true(!t.job.loops_experts);
}

/* Where steps are short the host is what they wait for: of adapters that are cast by the matrix. */
static void test_cast_adapters(void **state) {
    estimate_case *c = *state;
    time_test t = test_of(c, "llama-3.1-8b", "h100-sxm", 64, 1);
    t.job.type = GP_WORKLOAD_LORA;
    t.job.kernels = GP_KERNELS_EAGER;
    t.job.adapter_matrices = 4;
    const double plain_s = time_of(c, &t).step_s;
    t.job.adapter_matrices = 14;
    assert_within(time_of(c, &t).step_s, plain_s, 1e-12);
    t.job.casts_adapters = true;
    const double all_s = time_of(c, &t).step_s;
    t.job.adapter_matrices = 4;
    const double few_s = time_of(c, &t).step_s;
    assert_true(few_s < plain_s && plain_s < all_s);
    assert_within(all_s - few_s, 32 * 10 * c->constants.training_host_cast_s, 0.25);
}

/* Offloaded states: updated by the host, or paged to the GPU and back. */
static void test_offloaded_states(void **state) {
    estimate_case *c = *state;
    time_test t = test_of(c, "llama-3.1-8b", "a100-sxm-80gb", 2048, 8);
    t.job.type = GP_WORKLOAD_FINETUNE;
    double held_s = time_of(c, &t).optimizer_s;
    t.job.offload_fraction = 1;
    double updated_s = time_of(c, &t).optimizer_s;
    t.job.pages_optimizer = true;
    double paged_s = time_of(c, &t).optimizer_s;
    assert_true(held_s < updated_s && held_s < paged_s);
    /* 16 bytes of two moments in and out; eight GPUs share 1/8 of the model each under ZeRO-1. */
    assert_within(paged_s, t.shape.parameters / 8 * 16 / c->constants.training_offload_bytes_per_s,
                  0.02);
}

/* Bands: plain modules on several machines or with few tokens leave more open, and so does a
 * framework that nobody has measured. Whole runs leave more open than a step, and the more so the
 * less is stated. */
static void test_band(void **state) {
    estimate_case *c = *state;
    const gp_constants *k = &c->constants;
    time_test t = test_of(c, "llama-3.1-8b", "a100-sxm-80gb", 4096, 64);
    t.job.type = GP_WORKLOAD_LORA;
    t.job.shape = &t.shape;
    double unknown = gp_train_band(&t.job, &t.machine, &t.layout, k);
    t.job.known_stack = true;
    double tuned = gp_train_band(&t.job, &t.machine, &t.layout, k);
    assert_true(tuned < unknown);
    assert_true(tuned >= k->training_adapter_error_fraction);
    assert_true(tuned < k->training_open_error_fraction);
    t.job.kernels = GP_KERNELS_EAGER;
    assert_within(gp_train_band(&t.job, &t.machine, &t.layout, k), tuned, 1e-12);
    t.layout.dp = 16;
    assert_within(gp_train_band(&t.job, &t.machine, &t.layout, k), k->training_open_error_fraction,
                  1e-12);
    assert_within(gp_train_band(&t.job, &t.machine, NULL, k), tuned, 1e-12);
    t.layout.dp = 8;
    t.job.sequence_length = 256;
    assert_within(gp_train_band(&t.job, &t.machine, &t.layout, k), k->training_open_error_fraction,
                  1e-12);
    double stated = gp_train_run_band(tuned, true, true, k);
    assert_true(stated > tuned && stated < gp_train_run_band(tuned, true, false, k));
    assert_true(gp_train_run_band(tuned, false, true, k) >
                gp_train_run_band(tuned, true, false, k));
}

/* NF4 and GPTQ bases pay for their expansion once per micro-batch; FP8 is computed in as it is. */
static void test_quantized_base(void **state) {
    estimate_case *c = *state;
    time_test t = test_of(c, "llama-3.1-8b", "a100-sxm-80gb", 1024, 8);
    t.job.type = GP_WORKLOAD_LORA;
    t.job.adapter_parameters = 1e7;
    double half_s = time_of(c, &t).step_s;
    t.job.weights = GP_FORMAT_NF4;
    double nf4_s = time_of(c, &t).step_s - half_s;
    t.job.weights = GP_FORMAT_INT4;
    double int4_s = time_of(c, &t).step_s - half_s;
    assert_true(nf4_s > 0 && int4_s > nf4_s);
    t.job.global_batch *= 2; /* two micro-batches */
    t.job.weights = GP_FORMAT_BF16;
    half_s = time_of(c, &t).step_s;
    t.job.weights = GP_FORMAT_NF4;
    assert_within(time_of(c, &t).step_s - half_s, 2 * nf4_s, 0.01);
    t.job.weights = GP_FORMAT_FP8;
    assert_within(time_of(c, &t).step_s, half_s, 1e-12);
}

/* Unpacked samples make ranks wait for each other; states in host memory cost their transfer. */
static void test_waiting(void **state) {
    estimate_case *c = *state;
    time_test t = test_of(c, "llama-3.1-8b", "h100-sxm", 1024, 64);
    double even_s = time_of(c, &t).step_s;
    t.job.length_cv = 0.6;
    double loose_s = time_of(c, &t).step_s;
    assert_true(loose_s > even_s);
    t.layout.micro_batch = 8;
    double sum_s = time_of(c, &t).step_s;
    t.job.length_cv = 0;
    assert_true(sum_s / time_of(c, &t).step_s < loose_s / even_s);
    double on_gpu_s = time_of(c, &t).optimizer_s;
    t.job.offload_fraction = 0.5;
    double half_s = time_of(c, &t).optimizer_s;
    t.job.offload_fraction = 1;
    double host_s = time_of(c, &t).optimizer_s;
    assert_true(half_s > on_gpu_s && host_s > half_s);
    t.job.offload_drives = true;
    assert_true(time_of(c, &t).optimizer_s > 2 * host_s);
    t.job.offload_drives = false;
    /* Jobs side by side use what each leaves idle. */
    gp_train_time time = {.step_s = 10, .launch_s = 6};
    assert_within(gp_train_shared_step_s(&time, 1), 10, 1e-12);
    assert_within(gp_train_shared_step_s(&time, 2), 10, 1e-12);
    assert_within(gp_train_shared_step_s(&time, 5), 20, 1e-12);
}

/* Published layouts with measured throughput in tokens per second and GPU: NVIDIA/dgxc-benchmarking
 * 25.02 and 25.04, on the release of the time. */
static void test_published_layouts(void **state) {
    estimate_case *c = *state;
    const void *stack = NULL;
    assert_int_equal(
        gp_catalog_find(c->catalog, GP_CATALOG_STACKS, "nemo-25.02", &stack, NULL, NULL), GP_OK);
    static const struct {
        const char *model;
        gp_precision precision;
        int64_t tp, pp, vpp, cp, dp;
        double sequences, tokens_per_s;
    } rows[] = {{"llama-3.1-70b", GP_PRECISION_BF16, 4, 4, 5, 2, 2, 128, 1121.4},
                {"llama-3.1-70b", GP_PRECISION_FP8, 4, 8, 5, 1, 2, 128, 1661.7},
                {"llama-3.1-405b", GP_PRECISION_BF16, 8, 8, 8, 2, 16, 1024, 206.1},
                {"llama-3.1-405b", GP_PRECISION_FP8, 8, 8, 8, 2, 4, 256, 331.1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        time_test t = test_of(c, rows[i].model, "h100-sxm", 8192, rows[i].sequences);
        t.job.compute = rows[i].precision;
        gp_train_apply_stack(&t.job, stack);
        t.layout.tp = rows[i].tp;
        t.layout.pp = rows[i].pp;
        t.layout.vpp = rows[i].vpp;
        t.layout.cp = rows[i].cp;
        t.layout.dp = rows[i].dp;
        double gpus = (double)gp_layout_gpus(&t.layout);
        gp_train_time time = time_of(c, &t);
        assert_within(time.tokens_per_s / gpus, rows[i].tokens_per_s, 0.12);
        /* The same without interleaving waits longer for its pipeline. */
        t.layout.vpp = 1;
        assert_true(time_of(c, &t).step_s > time.step_s);
    }
}

/* Whatever a layout that is valid looks like, it has a time; a GPU alone, a million tokens. */
static void test_edges(void **state) {
    estimate_case *c = *state;
    time_test t = test_of(c, "llama-3.1-8b", "h100-sxm", 4096, 1);
    t.layout.dp = 1;
    gp_train_time time = time_of(c, &t);
    assert_true(isfinite(time.step_s) && time.communication_s <= 0);
    t = test_of(c, "llama-3.1-8b", "h100-sxm", 1 << 20, 4);
    t.layout.cp = 16;
    t.layout.dp = 2;
    t.layout.recompute = GP_RECOMPUTE_FULL;
    time = time_of(c, &t);
    assert_true(isfinite(time.step_s) && time.attention_s > 3 * time.gemm_s);
    t = test_of(c, "qwen3-30b-a3b", "h100-sxm", 4096, 64); /* TP1 with experts split */
    t.layout.ep = 8;
    assert_true(isfinite(time_of(c, &t).step_s) && time_of(c, &t).ep_s > 0);
    t = test_of(c, "llama-3.1-8b", "h100-sxm", 4096, 64); /* 32 layers in 3 stages of two chunks */
    t.layout.pp = 3;
    t.layout.vpp = 2;
    t.layout.dp = 8;
    assert_true(isfinite(time_of(c, &t).step_s));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_korthikanti),
        cmocka_unit_test(test_software),
        cmocka_unit_test(test_adapters),
        cmocka_unit_test(test_adapter_matrices),
        cmocka_unit_test(test_longest),
        cmocka_unit_test(test_upcast),
        cmocka_unit_test(test_expert_loop),
        cmocka_unit_test(test_cast_adapters),
        cmocka_unit_test(test_offloaded_states),
        cmocka_unit_test(test_band),
        cmocka_unit_test(test_quantized_base),
        cmocka_unit_test(test_waiting),
        cmocka_unit_test(test_published_layouts),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_published),
        cmocka_unit_test(test_parts_sum),
        cmocka_unit_test(test_ratios),
        cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_tensor_across_machines),
        cmocka_unit_test(test_experts_across_machines),
        cmocka_unit_test(test_monotone),
        cmocka_unit_test(test_weak_scaling),
        cmocka_unit_test(test_host),
        cmocka_unit_test(test_further_layers),
        cmocka_unit_test(test_expert_precision),
        cmocka_unit_test(test_trace),
        cmocka_unit_test(test_unsupported),
        cmocka_unit_test(test_coverage),
    };
    return cmocka_run_group_tests(tests, estimate_case_open, estimate_case_close);
}
