/* Training memory: measured and hand-worked peaks, ZeRO, the pipeline's two ends, the bands. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/estimate_case.h"

static void assert_near(double value, double wanted, double tolerance) {
    if (!(fabs(value - wanted) <= tolerance)) {
        fail_msg("%.17g, wanted %.17g", value, wanted);
    }
}

static const double gib = 1073741824;

typedef struct memory_test {
    gp_shape shape;
    gp_machine machine;
    gp_train_job job;
    gp_layout layout;
} memory_test;

/* One A100-80GB, pre-training in 16 bit with the distributed optimizer, one sequence of 4096. */
static memory_test test_of(estimate_case *c, const char *model) {
    memory_test t = {.shape = estimate_case_shape(c, model),
                     .machine = estimate_case_machine(c, "a100-sxm-80gb", 8)};
    t.job = (gp_train_job){.type = GP_WORKLOAD_TRAINING,
                           .sequence_length = 4096,
                           .global_batch = 4096,
                           .compute = GP_PRECISION_BF16,
                           .weights = GP_FORMAT_BF16,
                           .gradients = GP_FORMAT_FP32,
                           .optimizer = GP_OPTIMIZER_ADAMW,
                           .speed_factor = 1};
    t.layout = (gp_layout){.tp = 1,
                           .pp = 1,
                           .vpp = 1,
                           .dp = 1,
                           .cp = 1,
                           .ep = 1,
                           .zero = 1,
                           .micro_batch = 1,
                           .recompute = GP_RECOMPUTE_FULL};
    return t;
}

static gp_memory memory_of(const estimate_case *c, memory_test *t) {
    gp_memory memory;
    t->job.shape = &t->shape;
    gp_train_memory(&t->job, &t->machine, &t->layout, &c->constants, 0, NULL, &memory);
    return memory;
}

/* What the tensors take: all but runtime and fragmentation. */
static double peak(const gp_memory *m) {
    return m->total_bytes - m->bytes[GP_MEMORY_CONTEXT] - m->bytes[GP_MEMORY_COMMUNICATION] -
           m->bytes[GP_MEMORY_FRAGMENTATION];
}

static void assert_within(double value, double wanted, double fraction) {
    if (fabs(value / wanted - 1) > fraction) {
        fail_msg("%.3f GiB, wanted %.3f GiB", value / gib, wanted / gib);
    }
}

/* Mistral-7B, pure BF16 AdamW on one GPU: the optimizer step at 10 bytes a parameter is the peak,
 * 67.46 GiB measured. */
static void test_full_tuning_one_gpu(void **state) {
    estimate_case *c = *state;
    memory_test t = test_of(c, "mistral-7b");
    t.job.type = GP_WORKLOAD_FINETUNE;
    t.job.gradients = GP_FORMAT_BF16;
    t.job.optimizer = GP_OPTIMIZER_ADAMW_BF16;
    gp_memory m = memory_of(c, &t);
    assert_within(peak(&m), 67.46 * gib, 0.01);
    assert_within(m.bytes[GP_MEMORY_WEIGHTS] + m.bytes[GP_MEMORY_OPTIMIZER], 40.48 * gib, 0.01);
}

/* Llama-3-8B, FP32 states sharded over four GPUs: 20 bytes a parameter / 4, 37.4 GiB measured. */
static void test_full_tuning_sharded(void **state) {
    estimate_case *c = *state;
    memory_test t = test_of(c, "llama-3.1-8b");
    t.job.type = GP_WORKLOAD_FINETUNE;
    t.job.weights = GP_FORMAT_FP32;
    t.job.global_batch = 4 * 4096;
    t.layout.dp = 4;
    t.layout.zero = 3;
    gp_memory m = memory_of(c, &t);
    assert_within(peak(&m), 37.4 * gib, 0.01);
}

/* Llama-2-70B, NF4 QLoRA rank 16 on one A100, 4 x 4096 tokens: 63.45 GiB measured. */
static void test_qlora(void **state) {
    estimate_case *c = *state;
    memory_test t = test_of(c, "llama-2-70b");
    const char *targets[] = {"q_proj", "k_proj", "v_proj", "o_proj"};
    gp_adapter adapter = {.rank = 16, .targets = {.count = 4, .items = targets}};
    t.job.type = GP_WORKLOAD_LORA;
    t.job.weights = GP_FORMAT_NF4;
    t.job.global_batch = 4 * 4096;
    t.job.adapter_parameters = gp_adapter_parameters(&t.shape, &adapter);
    t.layout.micro_batch = 4;
    gp_memory m = memory_of(c, &t);
    assert_within(peak(&m), 63.45 * gib, 0.05);
    assert_int_equal(m.fit, GP_FIT_FITS);
    t.layout.micro_batch = 16;
    assert_int_equal(memory_of(c, &t).fit, GP_FIT_NOT);
}

/* Adapters on all matrices of Llama-3.1-8B, 2,048 tokens, nothing worked out again, the Trainer:
 * 31.82 GiB measured, 12.9 GiB more than with recomputation. */
static void test_cast_adapters(void **state) {
    estimate_case *c = *state;
    memory_test t = test_of(c, "llama-3.1-8b");
    const gp_adapter all = {.rank = 16};
    const gp_stack trainer = {
        .kernels = GP_KERNELS_EAGER, .time_factor = 1, .casts_adapters = true};
    t.job.type = GP_WORKLOAD_LORA;
    t.job.sequence_length = t.job.global_batch = 2048;
    t.job.shape = &t.shape;
    t.job.adapter_parameters = gp_adapter_parameters(&t.shape, &all);
    t.job.adapter_inputs = gp_adapter_inputs(&t.shape, &all);
    assert_within(t.job.adapter_inputs, 32 * (6 * 4096 + 14336), 1e-12);
    gp_train_apply_stack(&t.job, &trainer);
    const double again = memory_of(c, &t).tensor_bytes;
    t.layout.recompute = GP_RECOMPUTE_NONE;
    const double kept = memory_of(c, &t).tensor_bytes;
    assert_within(kept, 31.82 * gib, 0.03);
    assert_within(kept - again, 12.86 * gib, 0.05);
    t.job.casts_adapters = false;
    assert_within(kept - memory_of(c, &t).tensor_bytes, 2048 * 77824.0 * 32, 1e-9);
}

/* Only the experts that a token uses have its inputs. */
static void test_inputs_of_experts(void **state) {
    estimate_case *c = *state;
    const gp_shape shape = estimate_case_shape(c, "qwen3-30b-a3b");
    const char *up[] = {"up_proj"};
    const gp_adapter adapter = {.rank = 16, .targets = {.count = 1, .items = up}};
    assert_within(gp_adapter_inputs(&shape, &adapter), 48 * 8 * 2048, 1e-12);
    assert_within(gp_adapter_parameters(&shape, &adapter), 16.0 * 48 * 128 * (2048 + 768), 1e-12);
}

/* Llama-3-8B FSDP on 8 GPUs of 96 GB, full recomputation, 32,768 tokens: the logits dominate;
 * torchtitan printed 83.9 GiB reserved with an eager loss. */
static void test_long_sequence(void **state) {
    estimate_case *c = *state;
    memory_test t = test_of(c, "llama-3.1-8b");
    t.job.weights = GP_FORMAT_FP32;
    t.job.sequence_length = 32768;
    t.job.global_batch = 8 * 32768;
    t.job.loss = GP_LOSS_EAGER;
    t.layout.dp = 8;
    t.layout.zero = 3;
    t.machine.hbm_bytes = 95 * gib;
    gp_memory m = memory_of(c, &t);
    assert_within(m.reserved_bytes, 83.9 * gib, 0.03);
    assert_within(m.bytes[GP_MEMORY_LOGITS],
                  c->constants.memory_logits_eager_bytes * 32768 * 128256, 1e-9);
    t.job.loss = GP_LOSS_CHUNKED;
    assert_true(memory_of(c, &t).bytes[GP_MEMORY_LOGITS] < 1);
}

/* By operator, a Llama-3.1-8B layer keeps 2 (2 h + 2 a d + k d + f) = 63,488 bytes per token; a
 * compiled loss 16-bit logits and their gradient. */
static void test_by_operator(void **state) {
    estimate_case *c = *state;
    memory_test t = test_of(c, "llama-3.1-8b");
    t.layout.recompute = GP_RECOMPUTE_SELECTIVE;
    t.job.per_operator = true;
    t.job.loss = GP_LOSS_COMPILED;
    gp_memory memory = memory_of(c, &t);
    assert_near(memory.bytes[GP_MEMORY_ACTIVATIONS], 63488.0 * 32 * 4096, 1);
    assert_near(memory.bytes[GP_MEMORY_LOGITS],
                c->constants.memory_logits_compiled_bytes * 128256 * 4096, 1);
}

/* What a stack's row says of loss and recomputation reaches the job, whoever sets the job up; a run
 * that says otherwise keeps its word. */
static void test_stack_sets_memory(void **state) {
    estimate_case *c = *state;
    static const struct {
        const char *id;
        int loss;
        bool per_operator;
    } rows[] = {{"torchtitan-2024-12", GP_LOSS_EAGER, true},
                {"torchtitan-2025-06", GP_LOSS_COMPILED, true},
                {"megatron-26.06", GP_LOSS_AUTO, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const void *row = NULL;
        memory_test t = test_of(c, "llama-3.1-8b");
        assert_int_equal(
            gp_catalog_find(c->catalog, GP_CATALOG_STACKS, rows[i].id, &row, NULL, NULL), GP_OK);
        gp_train_apply_stack(&t.job, row);
        assert_int_equal(t.job.loss, rows[i].loss);
        assert_int_equal(t.job.per_operator, rows[i].per_operator);
        t.job.loss = GP_LOSS_CHUNKED;
        gp_train_apply_stack(&t.job, row);
        assert_int_equal(t.job.loss, GP_LOSS_CHUNKED);
    }
}

/* Megatron 7B shape with four stages of eight chunks: stage 0 holds 1 + 3/32 of a full pipeline,
 * the last one 29 of 32 chunks; with one micro-batch everything holds one. */
static void test_pipeline(void **state) {
    estimate_case *c = *state;
    memory_test t = test_of(c, "llama-2-7b");
    t.job.global_batch = 64 * 4096;
    t.layout.pp = 4;
    t.layout.recompute = GP_RECOMPUTE_NONE;
    gp_memory one_f_one_b = memory_of(c, &t);
    double layer = 131712.0 * 4096;
    assert_int_equal(one_f_one_b.worst_stage, 0);
    assert_within(one_f_one_b.bytes[GP_MEMORY_ACTIVATIONS], 4 * 8 * layer, 1e-9);
    t.layout.vpp = 8;
    gp_memory interleaved = memory_of(c, &t);
    assert_within(interleaved.bytes[GP_MEMORY_ACTIVATIONS], 4 * 8 * layer * (1 + 3.0 / 32), 1e-9);
    t.layout.vpp = 1;
    t.job.global_batch = 4096;
    /* One micro-batch in flight everywhere: the last stage, with head and logits, is the worst. */
    gp_memory single = memory_of(c, &t);
    assert_int_equal(single.worst_stage, 3);
    assert_within(single.bytes[GP_MEMORY_ACTIVATIONS], 8 * layer, 1e-9);
    assert_true(single.bytes[GP_MEMORY_LOGITS] > 0);
}

/* States shrink with each ZeRO stage, and nothing else grows but the gathers. */
static void test_zero(void **state) {
    estimate_case *c = *state;
    memory_test t = test_of(c, "llama-3.1-8b");
    t.job.global_batch = 64 * 4096;
    t.layout.dp = 8;
    double n = t.shape.parameters;
    const double states[] = {18, 6 + 12.0 / 8, 2 + 16.0 / 8, 18.0 / 8};
    for (int64_t zero = 0; zero <= 3; zero++) {
        t.layout.zero = zero;
        gp_memory m = memory_of(c, &t);
        assert_within(m.bytes[GP_MEMORY_WEIGHTS] + m.bytes[GP_MEMORY_GRADIENTS] +
                          m.bytes[GP_MEMORY_OPTIMIZER],
                      n * states[zero], 1e-9);
    }
}

static void test_splits(void **state) {
    estimate_case *c = *state;
    memory_test t = test_of(c, "llama-3.1-70b");
    t.job.global_batch = 64 * 4096;
    gp_memory whole = memory_of(c, &t);
    t.layout.tp = 8;
    gp_memory split = memory_of(c, &t);
    /* Norms are copied; the rest is an eighth. */
    assert_within(split.bytes[GP_MEMORY_WEIGHTS], whole.bytes[GP_MEMORY_WEIGHTS] / 8, 0.001);
    assert_within(split.bytes[GP_MEMORY_ACTIVATIONS], whole.bytes[GP_MEMORY_ACTIVATIONS] / 8, 0.1);
    t.layout.cp = 2;
    gp_memory halved = memory_of(c, &t);
    assert_true(halved.bytes[GP_MEMORY_ACTIVATIONS] < split.bytes[GP_MEMORY_ACTIVATIONS]);
    /* Less is saved the more is recomputed. */
    double last = HUGE_VAL;
    for (int recompute = GP_RECOMPUTE_NONE; recompute <= GP_RECOMPUTE_FULL; recompute++) {
        t.layout.recompute = recompute;
        gp_memory m = memory_of(c, &t);
        assert_true(m.bytes[GP_MEMORY_ACTIVATIONS] < last);
        last = m.bytes[GP_MEMORY_ACTIVATIONS];
    }
}

static void test_experts(void **state) {
    estimate_case *c = *state;
    memory_test t = test_of(c, "qwen3-30b-a3b");
    t.job.global_batch = 64 * 4096;
    t.layout.dp = 8;
    gp_memory one = memory_of(c, &t);
    t.layout.ep = 8;
    gp_memory eight = memory_of(c, &t);
    double held = eight.bytes[GP_MEMORY_WEIGHTS] - one.bytes[GP_MEMORY_WEIGHTS];
    assert_within(-held, t.shape.expert_parameters * 2 * 7 / 8, 1e-9);
    /* A routed expert's states are shared by its own copies only. */
    assert_within(
        eight.bytes[GP_MEMORY_OPTIMIZER],
        ((t.shape.parameters - t.shape.expert_parameters) / 8 + t.shape.expert_parameters / 8) * 12,
        1e-9);
}

/* The bands are of the tensors' peak over the usable memory; more memory never fits less. */
static void test_bands(void **state) {
    estimate_case *c = *state;
    memory_test t = test_of(c, "llama-3.1-8b");
    t.job.global_batch = 8 * 4096;
    t.layout.dp = 8;
    double need = 0;
    {
        gp_memory m = memory_of(c, &t);
        need = peak(&m);
    }
    const struct {
        double share;
        gp_fit fit;
    } rows[] = {{0.80, GP_FIT_FITS},       {0.839, GP_FIT_FITS}, {0.85, GP_FIT_BORDERLINE},
                {0.95, GP_FIT_BORDERLINE}, {0.97, GP_FIT_NOT},   {2, GP_FIT_NOT}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        t.machine.hbm_bytes = need / rows[i].share;
        assert_int_equal(memory_of(c, &t).fit, rows[i].fit);
    }
    gp_fit last = GP_FIT_NOT;
    for (double bytes = need / 3; bytes < 3 * need; bytes *= 1.05) {
        t.machine.hbm_bytes = bytes;
        gp_fit fit = memory_of(c, &t).fit;
        assert_true(fit <= last);
        last = fit;
    }
    assert_int_equal(last, GP_FIT_FITS);
}

static void test_sum(void **state) {
    estimate_case *c = *state;
    memory_test t = test_of(c, "llama-3.1-8b");
    static gp_term terms[GP_TRACE_MAX];
    gp_trace trace = GP_TRACE_ON(terms);
    static gp_workload workload;
    gp_memory m;
    t.job.shape = &t.shape;
    t.job.workload = &workload;
    trace.count = 0;
    gp_train_memory(&t.job, &t.machine, &t.layout, &c->constants, 0.05, &trace, &m);
    double sum = 0;
    for (int i = 0; i < GP_MEMORY_COMPONENT_COUNT; i++) {
        assert_true(m.bytes[i] >= 0);
        sum += m.bytes[i];
    }
    assert_near(sum, m.total_bytes, 1);
    assert_near(m.capacity_bytes, t.machine.hbm_bytes, 0);
    assert_int_equal(trace.items[trace.count - 1].id, GP_TERM_TRAIN_FIT);
    assert_false(trace.overflow);
}

/* What the allocator has given out, what it holds, and what the driver shows. */
static void test_senses(void **state) {
    estimate_case *c = *state;
    memory_test t = test_of(c, "llama-3.1-8b");
    t.machine.hbm_bytes = 1e12; /* room to fragment */
    gp_memory m = memory_of(c, &t);
    assert_near(m.tensor_bytes, peak(&m), 1);
    assert_true(m.tensor_bytes < m.reserved_bytes && m.reserved_bytes < m.device_bytes);
    assert_near(m.device_bytes, m.total_bytes, 1);
    assert_near(m.last_tensor_bytes, m.tensor_bytes, 1);
}

/* Scores in memory, norms that tensor parallelism does not share, masks, states in host memory. */
static void test_variants(void **state) {
    estimate_case *c = *state;
    memory_test t = test_of(c, "llama-3.1-8b");
    t.layout.recompute = GP_RECOMPUTE_NONE;
    t.layout.tp = 4;
    double base = memory_of(c, &t).bytes[GP_MEMORY_ACTIVATIONS];
    t.job.attention = GP_ATTENTION_EAGER;
    assert_true(memory_of(c, &t).bytes[GP_MEMORY_ACTIVATIONS] > base);
    t.job.attention = GP_ATTENTION_AUTO;
    t.layout.unsplit_norms = true;
    double unsplit = memory_of(c, &t).bytes[GP_MEMORY_ACTIVATIONS];
    assert_true(unsplit > base);
    t.job.dropout = true;
    assert_true(memory_of(c, &t).bytes[GP_MEMORY_ACTIVATIONS] > unsplit);
    t.job.optimizer = GP_OPTIMIZER_ADAMW;
    gp_memory on_gpu = memory_of(c, &t);
    t.job.offload_fraction = 1;
    assert_near(memory_of(c, &t).bytes[GP_MEMORY_OPTIMIZER], 0, 0);
    assert_true(memory_of(c, &t).tensor_bytes <= on_gpu.tensor_bytes);
}

/* Recomputation by operator: a compiler drops each layer's output, products in operators of their
 * own are worked out again. */
static void test_kept_operators(void **state) {
    estimate_case *c = *state;
    memory_test t = test_of(c, "llama-3.1-8b");
    t.layout.recompute = GP_RECOMPUTE_SELECTIVE;
    t.job.per_operator = true;
    double eager = memory_of(c, &t).bytes[GP_MEMORY_ACTIVATIONS];
    t.job.compiled = true;
    double compiled = memory_of(c, &t).bytes[GP_MEMORY_ACTIVATIONS];
    assert_near(eager - compiled, 32.0 * 4096 * 4096 * 2, 1);
    t.job.opaque_fraction = 1;
    double opaque = memory_of(c, &t).bytes[GP_MEMORY_ACTIVATIONS];
    assert_near(opaque, 32.0 * 4096 * (4096 + 4096) * 2, 1);
}

/* Scores: 4 bytes, and a mask of one with dropout; selective recomputation has one layer's at a
 * time, unless it leaves attention out. */
static void test_scores(void **state) {
    estimate_case *c = *state;
    memory_test t = test_of(c, "llama-3.1-8b");
    t.layout.recompute = GP_RECOMPUTE_SELECTIVE;
    double none = memory_of(c, &t).bytes[GP_MEMORY_ACTIVATIONS];
    t.job.attention = GP_ATTENTION_EAGER;
    const double layer = 32.0 * 4096 * 4096 * 4;
    assert_near(memory_of(c, &t).bytes[GP_MEMORY_ACTIVATIONS] - none, layer, 1);
    t.job.keeps_scores = true;
    assert_near(memory_of(c, &t).bytes[GP_MEMORY_ACTIVATIONS] - none, 32 * layer, 32);
    t.job.dropout = true;
    double masks = 2.0 * 32 * 4096 * 4096;
    assert_near(memory_of(c, &t).bytes[GP_MEMORY_ACTIVATIONS] - none, 32 * layer * 5 / 4 + masks,
                64);
}

/* Narrow products keep narrow inputs; the states stay as they are. */
static void test_narrow_inputs(void **state) {
    estimate_case *c = *state;
    memory_test t = test_of(c, "llama-3.1-8b");
    t.layout.recompute = GP_RECOMPUTE_NONE;
    gp_memory half = memory_of(c, &t);
    t.job.compute = GP_PRECISION_FP8;
    gp_memory narrow = memory_of(c, &t);
    const double saved = 32.0 * 4096 * (2 * 4096 + 14336);
    assert_near(half.bytes[GP_MEMORY_ACTIVATIONS] - narrow.bytes[GP_MEMORY_ACTIVATIONS], saved, 32);
    assert_near(half.bytes[GP_MEMORY_OPTIMIZER], narrow.bytes[GP_MEMORY_OPTIMIZER], 0);
}

/* Experts split by tensor parallelism; moments in 16 bit; a split vocabulary's eager loss. */
static void test_split_experts_and_mixed_states(void **state) {
    estimate_case *c = *state;
    memory_test t = test_of(c, "mixtral-8x7b");
    t.layout.tp = 2;
    t.layout.ep = 4;
    t.layout.dp = 4;
    t.job.global_batch = 16384;
    gp_memory whole = memory_of(c, &t);
    t.layout.expert_tp = 2;
    gp_memory split = memory_of(c, &t);
    const double experts = 32.0 * 8 * 3 * 4096 * 14336;
    assert_near(whole.bytes[GP_MEMORY_WEIGHTS] - split.bytes[GP_MEMORY_WEIGHTS], experts / 4, 1e6);
    /* Half as many parameters per rank, shared by half as many ranks. */
    assert_near(whole.bytes[GP_MEMORY_OPTIMIZER], split.bytes[GP_MEMORY_OPTIMIZER], 1e6);
    t.job.optimizer = GP_OPTIMIZER_ADAMW_MIXED;
    assert_near(memory_of(c, &t).bytes[GP_MEMORY_OPTIMIZER],
                split.bytes[GP_MEMORY_OPTIMIZER] * 8 / 12, 1);
    memory_test dense = test_of(c, "llama-3.1-70b");
    dense.job.loss = GP_LOSS_EAGER;
    dense.layout.zero = 3;
    dense.layout.dp = 32;
    dense.layout.tp = 8;
    dense.job.global_batch = 32.0 * 4096;
    gp_memory split_loss = memory_of(c, &dense);
    assert_near(split_loss.bytes[GP_MEMORY_LOGITS], 20 * 4096.0 * 128256 / 8, 1);
}

/* Every stage has its figure; none is above the worst, which is named. */
static void test_stages(void **state) {
    estimate_case *c = *state;
    memory_test t = test_of(c, "llama-3.1-70b");
    t.layout.pp = 4;
    t.layout.tp = 8;
    t.layout.recompute = GP_RECOMPUTE_NONE;
    t.job.global_batch = 32.0 * 4096;
    t.job.shape = &t.shape;
    for (int64_t vpp = 1; vpp <= 2; vpp++) {
        t.layout.vpp = vpp;
        gp_memory worst = memory_of(c, &t);
        double last_activations = INFINITY;
        for (int64_t stage = 0; stage < 4; stage++) {
            gp_memory m;
            gp_train_stage_memory(&t.job, &t.machine, &t.layout, &c->constants, 0, stage, &m);
            assert_int_equal(m.worst_stage, stage);
            assert_true(m.tensor_bytes <= worst.tensor_bytes);
            assert_true(m.bytes[GP_MEMORY_ACTIVATIONS] < last_activations);
            last_activations = m.bytes[GP_MEMORY_ACTIVATIONS];
            if (stage == worst.worst_stage) {
                assert_near(m.total_bytes, worst.total_bytes, 1);
            }
            if (stage == 3) {
                assert_near(m.tensor_bytes, worst.last_tensor_bytes, 1);
            }
        }
    }
}

/* What leaves the GPU: half of the optimizer's states, then weights, too. */
static void test_offload(void **state) {
    estimate_case *c = *state;
    memory_test t = test_of(c, "llama-3.1-8b");
    gp_memory here = memory_of(c, &t);
    t.job.offload_fraction = 0.5;
    gp_memory half = memory_of(c, &t);
    assert_near(half.bytes[GP_MEMORY_OPTIMIZER], here.bytes[GP_MEMORY_OPTIMIZER] / 2, 1);
    t.job.offload_parameters = true;
    gp_memory all = memory_of(c, &t);
    assert_near(all.bytes[GP_MEMORY_WEIGHTS], 0, 0);
    t.job.offload_drives = true;
    assert_true(gp_train_offload_rate(&t.job, &c->constants) <
                c->constants.training_offload_bytes_per_s);
}

/* Communicators beyond the first have buffers, the allocator a rest, split experts a hottest
 * rank. */
static void test_overheads(void **state) {
    estimate_case *c = *state;
    memory_test t = test_of(c, "mixtral-8x7b");
    t.machine.hbm_bytes = 1e13;
    t.layout.recompute = GP_RECOMPUTE_NONE;
    gp_memory alone = memory_of(c, &t);
    assert_near(alone.bytes[GP_MEMORY_COMMUNICATION], 0, 0);
    assert_near(alone.bytes[GP_MEMORY_FRAGMENTATION],
                alone.tensor_bytes * c->constants.memory_fragmentation_fraction, 1);
    /* Cached blocks are given back: they never take from what is to stay free. */
    t.machine.hbm_bytes = alone.tensor_bytes * 1.06;
    t.job.shape = &t.shape;
    gp_memory tight;
    gp_train_memory(&t.job, &t.machine, &t.layout, &c->constants, 0.05, NULL, &tight);
    assert_true(tight.total_bytes <= 0.95 * t.machine.hbm_bytes ||
                tight.bytes[GP_MEMORY_FRAGMENTATION] <= 0);
    t.machine.hbm_bytes = 1e13;
    t.layout.tp = t.layout.dp = t.layout.ep = 2;
    t.job.global_batch = 2 * 4096;
    gp_memory three = memory_of(c, &t);
    assert_near(three.bytes[GP_MEMORY_COMMUNICATION], 2 * c->constants.memory_communicator_bytes,
                1);
    estimate_case none = *c;
    none.constants.memory_workspace_bytes = 0;
    assert_near(three.tensor_bytes - memory_of(&none, &t).tensor_bytes,
                c->constants.memory_workspace_bytes, 1);
    t.job.kernels = GP_KERNELS_EAGER;
    assert_near(memory_of(c, &t).tensor_bytes, memory_of(&none, &t).tensor_bytes, 0);
    t.job.kernels = GP_KERNELS_AUTO;
    estimate_case even = *c;
    even.constants.memory_imbalance_factor = 1;
    assert_true(memory_of(&even, &t).bytes[GP_MEMORY_ACTIVATIONS] <
                three.bytes[GP_MEMORY_ACTIVATIONS]);
}

/* What fits still fits at the upper end of its band; the class decides how wide that is. */
static void test_error_bands(void **state) {
    estimate_case *c = *state;
    const gp_constants *k = &c->constants;
    memory_test t = test_of(c, "llama-3.1-8b");
    gp_memory large = memory_of(c, &t);
    assert_near(large.error_fraction, k->plan_band_memory_training_fraction, 0);
    assert_true(k->memory_fits_fraction * (1 + large.error_fraction) <= 1);
    t.job.type = GP_WORKLOAD_FINETUNE;
    assert_near(memory_of(c, &t).error_fraction, k->plan_band_memory_tuning_fraction, 0);
    t.job.type = GP_WORKLOAD_TRAINING;
    assert_near(gp_train_memory_band(&t.job, gib, k), k->plan_band_memory_small_fraction, 0);
    assert_true(k->plan_band_memory_tuning_fraction < large.error_fraction &&
                large.error_fraction < k->plan_band_memory_small_fraction);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kept_operators),
        cmocka_unit_test(test_scores),
        cmocka_unit_test(test_narrow_inputs),
        cmocka_unit_test(test_split_experts_and_mixed_states),
        cmocka_unit_test(test_stages),
        cmocka_unit_test(test_offload),
        cmocka_unit_test(test_overheads),
        cmocka_unit_test(test_error_bands),
        cmocka_unit_test(test_full_tuning_one_gpu),
        cmocka_unit_test(test_full_tuning_sharded),
        cmocka_unit_test(test_qlora),
        cmocka_unit_test(test_cast_adapters),
        cmocka_unit_test(test_inputs_of_experts),
        cmocka_unit_test(test_long_sequence),
        cmocka_unit_test(test_by_operator),
        cmocka_unit_test(test_stack_sets_memory),
        cmocka_unit_test(test_pipeline),
        cmocka_unit_test(test_zero),
        cmocka_unit_test(test_splits),
        cmocka_unit_test(test_experts),
        cmocka_unit_test(test_bands),
        cmocka_unit_test(test_sum),
        cmocka_unit_test(test_senses),
        cmocka_unit_test(test_variants),
    };
    return cmocka_run_group_tests(tests, estimate_case_open, estimate_case_close);
}
