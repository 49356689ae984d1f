/*
 * How a run is launched, in the spelling of its framework: every argument of the layout that was
 * priced. Each framework has a table of what it calls what; an argument is left out where its fact
 * is absent. Where the plan asks for what the framework has no argument for, a comment says so.
 */
#include "render/export_launch.h"

#include <string.h>

/* What there is to say. 0: absent; a fact without a number is 1. */
typedef enum fact {
    TP,
    PP,
    VPP,
    CP,
    EP,
    EXPERT_TP,
    DP,
    MICRO_BATCH,
    GLOBAL_BATCH,
    ACCUMULATION,
    LOCAL_BATCH, /* of a replica in one pass of the pipeline: its micro-batches together */
    SEQUENCE,
    SEQUENCE_PARALLEL,
    ACCOUNT_EMBEDDING,
    ACCOUNT_LOSS,
    LAST_LAYERS,
    CHUNK_LAYERS,
    FIRST_LESS,
    LAST_LESS,
    DRAWN_STAGES, /* has a text */
    INTERLEAVED,
    STRAIGHT,
    STAGE_MICRO_BATCH,
    SPLIT_EXPERTS,
    ZERO_STAGE,
    ZERO_1,
    ZERO_2,
    ZERO_3,
    SHARDED_OPTIMIZER, /* any of them */
    MEGATRON_FSDP,     /* either of the last two */
    KEEPS_WEIGHTS,     /* sharded, and not gathered again for the backward pass */
    REPLICATE,
    SHARD,
    GROUPS, /* of ranks that share one set of weights, where not all do */
    GROUP,
    NO_RECOMPUTE,
    SELECTIVE,
    FULL,
    BF16,
    FP16,
    FP8,
    MXFP8,
    FP4,
    NARROW, /* any of the last three, or bf16: 16 bits around them */
    GRADIENTS_32,
    GRADIENTS_16,
    ADAM,
    SGD,
    MUON,
    MOMENTS_16,
    MOMENTS_8,
    ADAFACTOR,
    PRECISION_AWARE, /* Megatron's optimizer for small moments and for states in host memory */
    OFFLOAD_OPTIMIZER,
    OFFLOAD_ALL,
    PLAIN_ADAM, /* its moments have more than 8 bits */
    ADAPTED,    /* adapters are trained, the weights are frozen */
    DORA,
    RANK,
    ALL_TARGETS,
    SOME_TARGETS, /* has a text */
    Q_PROJ,       /* those that get an adapter where not all do */
    K_PROJ,
    V_PROJ,
    O_PROJ,
    GATE_PROJ,
    UP_PROJ,
    DOWN_PROJ,
    ATTENTION_TARGETS, /* has a text */
    MLP_TARGETS,
    BASE_4, /* bits of the frozen weights */
    BASE_8,
    BASE_NF4,
    FACT_COUNT
} fact;

typedef struct facts {
    bool has[FACT_COUNT];
    int64_t at[FACT_COUNT];
    const char *texts[FACT_COUNT];
    const char *device; /* what is offloaded goes to */
} facts;

/* ------------------------------------------------------------ facts */

static void put(facts *f, fact which, int64_t value) {
    f->has[which] = true;
    f->at[which] = value;
}

static void put_if(facts *f, bool holds, fact which, int64_t value) {
    if (holds)
        put(f, which, value);
}

static void add_degrees(const gp_report_candidate *c, const gp_report_launch *l, facts *f) {
    const int64_t places = gp_num_max_i64(1, c->dp * c->micro_batch);
    const int64_t passes = gp_num_max_i64(1, l->global_batch_sequences / places);
    put(f, TP, c->tp);
    put(f, PP, c->pp);
    put_if(f, c->vpp > 1, VPP, c->vpp);
    put(f, CP, c->cp);
    put_if(f, l->experts > 0, EP, c->ep);
    put_if(f, l->experts > 0, EXPERT_TP, 1);
    put_if(f, c->ep > 1, SPLIT_EXPERTS, c->ep);
    put(f, DP, c->dp);
    put(f, MICRO_BATCH, c->micro_batch);
    put(f, GLOBAL_BATCH, l->global_batch_sequences);
    put(f, ACCUMULATION, passes);
    put(f, LOCAL_BATCH, c->pp > 1 ? passes * c->micro_batch : c->micro_batch);
    put(f, SEQUENCE, l->sequence_length);
    put_if(f, c->tp > 1, SEQUENCE_PARALLEL, 1);
}

/* "Et*4|t*4|...|t*3L": the chunks in the order of the model, uneven ones last. */
static const char *drawn_stages(gp_export_out *out, const gp_report_candidate *c,
                                const gp_report_launch *l) {
    const int64_t chunks = gp_num_min_i64(c->pp * c->vpp, l->layers);
    const int64_t full = l->layers / chunks;
    const int64_t fuller = l->layers % chunks;
    enum { TEXT_MAX = 65536 };
    gp_buf text = GP_BUF(out->form.buf->arena, TEXT_MAX);
    for (int64_t i = 0; i < chunks; i++)
        gp_buf_printf(&text, "%s%st*%lld%s", i == 0 ? "" : "|", i == 0 ? "E" : "",
                      (long long)(full + (i < fuller ? 1 : 0)), i + 1 == chunks ? "L" : "");
    return gp_form_taken(&out->form, &text);
}

/* Stages that are not alike: two places are the embedding's and the head's, one is the head's, more
 * are all the last stage's; anything else is drawn chunk by chunk. */
static void add_stages(gp_export_out *out, const gp_report_candidate *c, const gp_report_launch *l,
                       facts *f) {
    enum { CHUNKS_MAX = 4096 };
    const int64_t missing = c->pp * l->stage_layers - l->layers;
    const bool at_end = missing > 2 && c->vpp <= 1 && missing < l->stage_layers;
    if (c->pp <= 1)
        return;
    put(f, c->vpp > 1 ? INTERLEAVED : STRAIGHT, 1);
    put(f, STAGE_MICRO_BATCH, c->micro_batch);
    put(f, CHUNK_LAYERS, l->stage_layers / gp_num_max_i64(1, c->vpp));
    put(f, FIRST_LESS, l->stage_layers - l->first_stage_layers);
    put(f, LAST_LESS, l->stage_layers - l->last_stage_layers);
    put_if(f, missing == 1 || missing == 2, ACCOUNT_LOSS, 1);
    put_if(f, missing == 2, ACCOUNT_EMBEDDING, 1);
    put_if(f, at_end, LAST_LAYERS, l->last_stage_layers);
    const bool drawn = missing > 2 && !at_end && c->pp * c->vpp <= CHUNKS_MAX;
    put_if(f, drawn, DRAWN_STAGES, 1);
    f->texts[DRAWN_STAGES] = drawn ? drawn_stages(out, c, l) : NULL;
}

static void add_sharding(const gp_report_candidate *c, facts *f) {
    const int64_t cp = gp_num_max_i64(1, c->cp);
    const int64_t ranks = c->dp * cp;
    const bool grouped = c->shard_group > 0 && c->shard_group < ranks;
    const int64_t group = grouped ? c->shard_group : ranks;
    static const fact stages[] = {FACT_COUNT, ZERO_1, ZERO_2, ZERO_3};
    put(f, ZERO_STAGE, c->zero);
    put_if(f, c->zero > 0, stages[c->zero], 1);
    put_if(f, ranks > 1 && (c->zero == 1 || c->zero == 2), KEEPS_WEIGHTS, 1);
    put(f, REPLICATE, c->zero == 0 ? c->dp : ranks / group);
    put(f, SHARD, c->zero == 0 ? 1 : gp_num_max_i64(1, group / cp));
    put_if(f, grouped, GROUPS, ranks / group);
    put_if(f, grouped, GROUP, group);
}

typedef struct word_fact {
    const char *word;
    fact facts[2]; /* FACT_COUNT: no more */
} word_fact;

static const word_fact recomputes[] = {
    {"none", {NO_RECOMPUTE, FACT_COUNT}},
    {"selective", {SELECTIVE, FACT_COUNT}},
    {"full", {FULL, FACT_COUNT}},
};
static const word_fact precisions[] = {
    {"bf16", {BF16, NARROW}},   {"fp16", {FP16, FACT_COUNT}}, {"fp8", {FP8, NARROW}},
    {"mxfp8", {MXFP8, NARROW}}, {"nvfp4", {FP4, NARROW}},     {"fp4", {FP4, NARROW}},
};
static const word_fact gradients[] = {
    {"fp32", {GRADIENTS_32, FACT_COUNT}},
    {"bf16", {GRADIENTS_16, FACT_COUNT}},
};
static const word_fact optimizers[] = {
    {"adamw", {ADAM, FACT_COUNT}},
    {"adamw-8bit", {ADAM, MOMENTS_8}},
    {"adamw-bf16", {ADAM, MOMENTS_16}},
    {"adamw-mixed", {ADAM, MOMENTS_16}},
    {"sgd", {SGD, FACT_COUNT}},
    {"muon", {MUON, FACT_COUNT}},
    {"adafactor", {ADAFACTOR, FACT_COUNT}},
};
static const word_fact adapter_methods[] = {
    {"lora", {ADAPTED, FACT_COUNT}},
    {"qlora", {ADAPTED, FACT_COUNT}},
    {"dora", {ADAPTED, DORA}},
};
static const word_fact bases[] = {
    {"nf4", {BASE_4, BASE_NF4}},
    {"int4", {BASE_4, FACT_COUNT}},
    {"int8", {BASE_8, FACT_COUNT}},
};
static const word_fact offloads[] = {
    {"optimizer", {OFFLOAD_OPTIMIZER, FACT_COUNT}},
    {"parameters", {OFFLOAD_OPTIMIZER, OFFLOAD_ALL}},
};
static void add_word(const word_fact *list, size_t count, const char *word, facts *f) {
    for (size_t i = 0; word != NULL && i < count; i++)
        for (size_t k = 0; k < 2 && gp_str_equal(list[i].word, word); k++)
            if (list[i].facts[k] != FACT_COUNT)
                put(f, list[i].facts[k], 1);
}

/* Matrices that may get an adapter; torchtune names those of attention, and the others as one. */
static const struct {
    const char *name;
    fact fact;
    const char *attention;
} targets[] = {
    {"q_proj", Q_PROJ, "q_proj"},      {"k_proj", K_PROJ, "k_proj"}, {"v_proj", V_PROJ, "v_proj"},
    {"o_proj", O_PROJ, "output_proj"}, {"gate_proj", GATE_PROJ, ""}, {"up_proj", UP_PROJ, ""},
    {"down_proj", DOWN_PROJ, ""},
};

static bool is_target(const gp_report_adapter *adapter, const char *name) {
    for (size_t i = 0; i < adapter->targets.count; i++)
        if (gp_str_equal(adapter->targets.items[i], name))
            return true;
    return false;
}

static const char *listed(gp_export_out *out, const char *list, const char *name) {
    return list == NULL ? name : gp_form_text(&out->form, "%s,%s", list, name);
}

static void add_targets(gp_export_out *out, const gp_report_adapter *adapter, facts *f) {
    const bool all = adapter->targets.count == 0 || is_target(adapter, "all");
    const char *some = NULL, *attention = NULL;
    for (size_t i = 0; i < GP_COUNT_OF(targets); i++) {
        if (!all && !is_target(adapter, targets[i].name))
            continue;
        put_if(f, !all, targets[i].fact, 1);
        put_if(f, targets[i].attention[0] == '\0', MLP_TARGETS, 1);
        some = listed(out, some, targets[i].name);
        if (targets[i].attention[0] != '\0')
            attention = listed(out, attention, targets[i].attention);
    }
    put(f, all ? ALL_TARGETS : SOME_TARGETS, 1);
    put_if(f, attention != NULL, ATTENTION_TARGETS, 1);
    f->texts[SOME_TARGETS] = all ? "all" : gp_form_or(some, "");
    f->texts[ATTENTION_TARGETS] = gp_form_text(&out->form, "[%s]", gp_form_or(attention, ""));
}

static void add_adapter(gp_export_out *out, const gp_report_adapter *adapter, facts *f) {
    if (adapter == NULL)
        return;
    add_word(adapter_methods, GP_COUNT_OF(adapter_methods), adapter->method, f);
    add_word(bases, GP_COUNT_OF(bases), adapter->base, f);
    put(f, RANK, adapter->rank);
    add_targets(out, adapter, f);
}

/* A report that was read back may hold any number. */
static void clamp(int64_t *number, int64_t least) {
    enum { MOST = 1 << 20 };
    *number = gp_num_min_i64(gp_num_max_i64(*number, least), MOST);
}

static gp_report_candidate clamped(const gp_report_candidate *chosen) {
    gp_report_candidate c = *chosen;
    int64_t *const degrees[] = {&c.tp, &c.pp, &c.vpp, &c.cp, &c.ep, &c.dp, &c.micro_batch};
    for (size_t i = 0; i < GP_COUNT_OF(degrees); i++)
        clamp(degrees[i], 1);
    clamp(&c.shard_group, 0);
    clamp(&c.zero, 0);
    c.zero = gp_num_min_i64(c.zero, 3);
    return c;
}

static facts facts_of(gp_export_out *out, const gp_report_workload *it) {
    const gp_report_candidate chosen = clamped(&it->recommendation.chosen);
    const gp_report_candidate *c = &chosen;
    gp_report_launch launch = *it->launch;
    const gp_report_launch *l = &launch;
    facts f = {.device = l->drives ? "nvme" : "cpu"};
    clamp(&launch.layers, 1);
    clamp(&launch.first_stage_layers, 1);
    clamp(&launch.stage_layers, 1);
    clamp(&launch.last_stage_layers, 1);
    clamp(&launch.global_batch_sequences, 1);
    add_degrees(c, l, &f);
    add_stages(out, c, l, &f);
    add_sharding(c, &f);
    add_word(recomputes, GP_COUNT_OF(recomputes), c->recompute, &f);
    add_word(precisions, GP_COUNT_OF(precisions), l->compute, &f);
    add_word(gradients, GP_COUNT_OF(gradients), l->gradients, &f);
    add_word(optimizers, GP_COUNT_OF(optimizers), l->optimizer, &f);
    add_word(offloads, GP_COUNT_OF(offloads), c->offload, &f);
    add_adapter(out, l->adapter, &f);
    put_if(&f, f.has[ADAM] && !f.has[MOMENTS_8], PLAIN_ADAM, 1);
    put_if(&f, f.has[MOMENTS_16] || f.has[MOMENTS_8] || f.has[OFFLOAD_OPTIMIZER], PRECISION_AWARE,
           1);
    put_if(&f, f.has[ZERO_2] || f.has[ZERO_3], MEGATRON_FSDP, 1);
    put_if(&f, f.has[ZERO_1] || f.has[MEGATRON_FSDP], SHARDED_OPTIMIZER, 1);
    return f;
}

/* ------------------------------------------------------------ spellings */

/* One argument: its text alone, or with the number of the fact after `join`. */
typedef struct spelling {
    fact fact;
    const char *text;
    const char *join; /* NULL: the text alone */
} spelling;

/* What a framework has no argument for. */
typedef struct unspoken {
    fact fact;
    const char *words;
} unspoken;

/* Megatron-LM: megatron/training/arguments.py. */
static const spelling megatron[] = {
    {TP, "--tensor-model-parallel-size", " "},
    {SEQUENCE_PARALLEL, "--sequence-parallel", NULL},
    {PP, "--pipeline-model-parallel-size", " "},
    {VPP, "--num-virtual-stages-per-pipeline-rank", " "},
    {ACCOUNT_EMBEDDING, "--account-for-embedding-in-pipeline-split", NULL},
    {ACCOUNT_LOSS, "--account-for-loss-in-pipeline-split", NULL},
    {LAST_LAYERS, "--decoder-last-pipeline-num-layers", " "},
    {DRAWN_STAGES, "--pipeline-model-parallel-layout", " "},
    {CP, "--context-parallel-size", " "},
    {EP, "--expert-model-parallel-size", " "},
    {EXPERT_TP, "--expert-tensor-parallel-size", " "},
    {MICRO_BATCH, "--micro-batch-size", " "},
    {GLOBAL_BATCH, "--global-batch-size", " "},
    {SEQUENCE, "--seq-length", " "},
    {SHARDED_OPTIMIZER, "--use-distributed-optimizer", NULL},
    {MEGATRON_FSDP, "--use-megatron-fsdp", NULL},
    {MEGATRON_FSDP, "--no-gradient-accumulation-fusion", NULL},
    {MEGATRON_FSDP, "--ckpt-format fsdp_dtensor", NULL},
    {ZERO_2, "--data-parallel-sharding-strategy optim_grads", NULL},
    {ZERO_3, "--data-parallel-sharding-strategy optim_grads_params", NULL},
    {GROUPS, "--num-distributed-optimizer-instances", " "},
    {SELECTIVE, "--recompute-granularity selective", NULL},
    {FULL, "--recompute-granularity full", NULL},
    {FULL, "--recompute-method uniform", NULL},
    {FULL, "--recompute-num-layers", " "},
    {NARROW, "--bf16", NULL},
    {FP16, "--fp16", NULL},
    {FP8, "--fp8-format hybrid", NULL},
    {MXFP8, "--fp8-format e4m3", NULL},
    {MXFP8, "--fp8-recipe mxfp8", NULL},
    {FP4, "--fp4-format e2m1", NULL},
    {GRADIENTS_32, "--accumulate-allreduce-grads-in-fp32", NULL},
    {GRADIENTS_16, "--grad-reduce-in-bf16", NULL},
    {ADAM, "--optimizer adam", NULL},
    {SGD, "--optimizer sgd", NULL},
    {MUON, "--optimizer muon", NULL},
    {PRECISION_AWARE, "--use-precision-aware-optimizer", NULL},
    {MOMENTS_16, "--exp-avg-dtype bf16", NULL},
    {MOMENTS_16, "--exp-avg-sq-dtype bf16", NULL},
    {MOMENTS_8, "--exp-avg-dtype fp8", NULL},
    {MOMENTS_8, "--exp-avg-sq-dtype fp8", NULL},
    {OFFLOAD_OPTIMIZER, "--optimizer-cpu-offload", NULL},
    {OFFLOAD_OPTIMIZER, "--optimizer-offload-fraction 1.0", NULL},
};
static const unspoken megatron_lacks[] = {
    {OFFLOAD_ALL, "weights in host memory"},
    {ADAFACTOR, "Adafactor"},
    {ADAPTED, "adapters"},
};

/* Megatron-Bridge: ConfigContainer of src/megatron/bridge/training/config.py. */
static const spelling bridge[] = {
    {TP, "model.tensor_model_parallel_size", "="},
    {SEQUENCE_PARALLEL, "model.sequence_parallel=true", NULL},
    {PP, "model.pipeline_model_parallel_size", "="},
    {VPP, "model.virtual_pipeline_model_parallel_size", "="},
    {ACCOUNT_EMBEDDING, "model.account_for_embedding_in_pipeline_split=true", NULL},
    {ACCOUNT_LOSS, "model.account_for_loss_in_pipeline_split=true", NULL},
    {LAST_LAYERS, "model.num_layers_in_last_pipeline_stage", "="},
    {DRAWN_STAGES, "model.pipeline_model_parallel_layout", "="},
    {CP, "model.context_parallel_size", "="},
    {EP, "model.expert_model_parallel_size", "="},
    {EXPERT_TP, "model.expert_tensor_parallel_size", "="},
    {MICRO_BATCH, "train.micro_batch_size", "="},
    {GLOBAL_BATCH, "train.global_batch_size", "="},
    {SEQUENCE, "model.seq_length", "="},
    {SEQUENCE, "dataset.sequence_length", "="},
    {SHARDED_OPTIMIZER, "ddp.use_distributed_optimizer=true", NULL},
    {MEGATRON_FSDP, "dist.use_megatron_fsdp=true", NULL},
    {MEGATRON_FSDP, "ddp.use_megatron_fsdp=true", NULL},
    {MEGATRON_FSDP, "checkpoint.ckpt_format=fsdp_dtensor", NULL},
    {ZERO_2, "ddp.data_parallel_sharding_strategy=optim_grads", NULL},
    {ZERO_3, "ddp.data_parallel_sharding_strategy=optim_grads_params", NULL},
    {GROUPS, "ddp.num_distributed_optimizer_instances", "="},
    {SELECTIVE, "model.recompute_granularity=selective", NULL},
    {FULL, "model.recompute_granularity=full", NULL},
    {FULL, "model.recompute_method=uniform", NULL},
    {FULL, "model.recompute_num_layers", "="},
    {BF16, "mixed_precision=bf16_mixed", NULL},
    {FP16, "mixed_precision=fp16_mixed", NULL},
    {FP8, "mixed_precision=bf16_with_fp8_current_scaling_mixed", NULL},
    {MXFP8, "mixed_precision=bf16_with_mxfp8_mixed", NULL},
    {FP4, "mixed_precision=bf16_with_nvfp4_mixed", NULL},
    {GRADIENTS_32, "ddp.grad_reduce_in_fp32=true", NULL},
    {GRADIENTS_16, "ddp.grad_reduce_in_fp32=false", NULL},
    {ADAM, "optimizer.optimizer=adam", NULL},
    {SGD, "optimizer.optimizer=sgd", NULL},
    {MUON, "optimizer.optimizer=muon", NULL},
    {PRECISION_AWARE, "optimizer.use_precision_aware_optimizer=true", NULL},
    {MOMENTS_16, "optimizer.exp_avg_dtype=bf16", NULL},
    {MOMENTS_16, "optimizer.exp_avg_sq_dtype=bf16", NULL},
    {MOMENTS_8, "optimizer.exp_avg_dtype=fp8", NULL},
    {MOMENTS_8, "optimizer.exp_avg_sq_dtype=fp8", NULL},
    {OFFLOAD_OPTIMIZER, "optimizer.optimizer_cpu_offload=true", NULL},
    {OFFLOAD_OPTIMIZER, "optimizer.optimizer_offload_fraction=1.0", NULL},
    {RANK, "peft.dim", "="},
};
static const char own_targets[] =
    "the matrices of ADAPTER_TARGETS by name (peft.target_modules has linear_qkv, linear_proj, "
    "linear_fc1 and linear_fc2)";
static const unspoken bridge_lacks[] = {
    {OFFLOAD_ALL, "weights in host memory"},
    {ADAFACTOR, "Adafactor"},
    {SOME_TARGETS, own_targets},
    {BASE_4, "frozen weights of 4 bits"},
    {BASE_8, "frozen weights of 8 bits"},
};

/* NeMo 2: MegatronStrategy of nemo/lightning/pytorch/strategies, and the recipes around it. */
static const spelling nemo[] = {
    {TP, "trainer.strategy.tensor_model_parallel_size", "="},
    {SEQUENCE_PARALLEL, "trainer.strategy.sequence_parallel=true", NULL},
    {PP, "trainer.strategy.pipeline_model_parallel_size", "="},
    {VPP, "trainer.strategy.virtual_pipeline_model_parallel_size", "="},
    {ACCOUNT_EMBEDDING, "trainer.strategy.account_for_embedding_in_pipeline_split=true", NULL},
    {ACCOUNT_LOSS, "trainer.strategy.account_for_loss_in_pipeline_split=true", NULL},
    {LAST_LAYERS, "trainer.strategy.num_layers_in_last_pipeline_stage", "="},
    {DRAWN_STAGES, "trainer.strategy.pipeline_model_parallel_layout", "="},
    {CP, "trainer.strategy.context_parallel_size", "="},
    {EP, "trainer.strategy.expert_model_parallel_size", "="},
    {EXPERT_TP, "trainer.strategy.expert_tensor_parallel_size", "="},
    {MICRO_BATCH, "data.micro_batch_size", "="},
    {GLOBAL_BATCH, "data.global_batch_size", "="},
    {SEQUENCE, "data.seq_length", "="},
    {SHARDED_OPTIMIZER, "trainer.strategy.ddp.use_distributed_optimizer=true", NULL},
    {MEGATRON_FSDP, "trainer.strategy.ddp.use_custom_fsdp=true", NULL},
    {ZERO_2, "trainer.strategy.ddp.data_parallel_sharding_strategy=optim_grads", NULL},
    {ZERO_3, "trainer.strategy.ddp.data_parallel_sharding_strategy=optim_grads_params", NULL},
    {GROUPS, "trainer.strategy.num_distributed_optimizer_instances", "="},
    {SELECTIVE, "model.config.recompute_granularity=selective", NULL},
    {FULL, "model.config.recompute_granularity=full", NULL},
    {FULL, "model.config.recompute_method=uniform", NULL},
    {FULL, "model.config.recompute_num_layers", "="},
    {NARROW, "trainer.plugins.precision=bf16-mixed", NULL},
    {FP16, "trainer.plugins.precision=16-mixed", NULL},
    {FP8, "trainer.plugins.fp8=hybrid", NULL},
    {MXFP8, "trainer.plugins.fp8=e4m3", NULL},
    {MXFP8, "trainer.plugins.fp8_recipe=mxfp8", NULL},
    {GRADIENTS_32, "trainer.strategy.ddp.grad_reduce_in_fp32=true", NULL},
    {GRADIENTS_16, "trainer.strategy.ddp.grad_reduce_in_fp32=false", NULL},
    {ADAM, "optim.config.optimizer=adam", NULL},
    {SGD, "optim.config.optimizer=sgd", NULL},
    {PRECISION_AWARE, "optim.config.use_precision_aware_optimizer=true", NULL},
    {MOMENTS_16, "optim.config.exp_avg_dtype=bf16", NULL},
    {MOMENTS_16, "optim.config.exp_avg_sq_dtype=bf16", NULL},
    {OFFLOAD_OPTIMIZER, "optim.config.optimizer_cpu_offload=true", NULL},
    {RANK, "peft.dim", "="},
};
static const unspoken nemo_lacks[] = {
    {OFFLOAD_ALL, "weights in host memory"},
    {ADAFACTOR, "Adafactor"},
    {MUON, "Muon"},
    {MOMENTS_8, "8-bit moments"},
    {FP4, "4-bit products"},
    {SOME_TARGETS, own_targets},
    {BASE_4, "frozen weights of 4 bits"},
    {BASE_8, "frozen weights of 8 bits"},
};

/* torchtitan: torchtitan/config/job_config.py; the same keys stand in its TOML. */
static const spelling torchtitan[] = {
    {TP, "--parallelism.tensor_parallel_degree", "="},
    {PP, "--parallelism.pipeline_parallel_degree", "="},
    {STRAIGHT, "--parallelism.pipeline_parallel_schedule=1F1B", NULL},
    {INTERLEAVED, "--parallelism.pipeline_parallel_schedule=Interleaved1F1B", NULL},
    {CHUNK_LAYERS, "--parallelism.pipeline_parallel_layers_per_stage", "="},
    {FIRST_LESS, "--parallelism.pipeline_parallel_first_stage_less_layers", "="},
    {LAST_LESS, "--parallelism.pipeline_parallel_last_stage_less_layers", "="},
    {CP, "--parallelism.context_parallel_degree", "="},
    {EP, "--parallelism.expert_parallel_degree", "="},
    {EXPERT_TP, "--parallelism.expert_tensor_parallel_degree", "="},
    {REPLICATE, "--parallelism.data_parallel_replicate_degree", "="},
    {SHARD, "--parallelism.data_parallel_shard_degree", "="},
    {KEEPS_WEIGHTS, "--parallelism.fsdp_reshard_after_forward=never", NULL},
    {ZERO_3, "--parallelism.fsdp_reshard_after_forward=always", NULL},
    {LOCAL_BATCH, "--training.local_batch_size", "="},
    {GLOBAL_BATCH, "--training.global_batch_size", "="},
    {STAGE_MICRO_BATCH, "--parallelism.pipeline_parallel_microbatch_size", "="},
    {SEQUENCE, "--training.seq_len", "="},
    {NO_RECOMPUTE, "--activation_checkpoint.mode=none", NULL},
    {SELECTIVE, "--activation_checkpoint.mode=selective", NULL},
    {SELECTIVE, "--activation_checkpoint.selective_ac_option=op", NULL},
    {FULL, "--activation_checkpoint.mode=full", NULL},
    {NARROW, "--training.mixed_precision_param=bfloat16", NULL},
    {FP16, "--training.mixed_precision_param=float16", NULL},
    {FP8, "--model.converters=float8", NULL},
    {MXFP8, "--model.converters=mx", NULL},
    {GRADIENTS_32, "--training.mixed_precision_reduce=float32", NULL},
    {GRADIENTS_16, "--training.mixed_precision_reduce=bfloat16", NULL},
    {ADAM, "--optimizer.name=AdamW", NULL},
    {OFFLOAD_OPTIMIZER, "--training.enable_cpu_offload=true", NULL},
};
static const unspoken titan_lacks[] = {
    {SGD, "SGD"},
    {MUON, "Muon"},
    {ADAFACTOR, "Adafactor"},
    {MOMENTS_8, "8-bit moments"},
    {MOMENTS_16, "16-bit moments"},
    {FP4, "4-bit products"},
    {ADAPTED, "adapters"},
};

/* Trainers on PyTorch's FSDP: transformers/training_args.py, and trl/trainer/model_config.py. */
static const spelling trainer[] = {
    {MICRO_BATCH, "--per_device_train_batch_size", " "},
    {ACCUMULATION, "--gradient_accumulation_steps", " "},
    {SEQUENCE, "--max_length", " "},
    {KEEPS_WEIGHTS, "--fsdp shard_grad_op auto_wrap", NULL},
    {ZERO_3, "--fsdp full_shard auto_wrap", NULL},
    {FULL, "--gradient_checkpointing true", NULL},
    {NO_RECOMPUTE, "--gradient_checkpointing false", NULL},
    {NARROW, "--bf16 true", NULL},
    {FP16, "--fp16 true", NULL},
    {PLAIN_ADAM, "--optim adamw_torch_fused", NULL},
    {MOMENTS_8, "--optim adamw_bnb_8bit", NULL},
    {SGD, "--optim sgd", NULL},
    {ADAFACTOR, "--optim adafactor", NULL},
    {ADAPTED, "--use_peft true", NULL},
    {RANK, "--lora_r", " "},
    {ALL_TARGETS, "--lora_target_modules all-linear", NULL},
    {SOME_TARGETS, "--lora_target_modules", NULL},
    {Q_PROJ, "q_proj", NULL},
    {K_PROJ, "k_proj", NULL},
    {V_PROJ, "v_proj", NULL},
    {O_PROJ, "o_proj", NULL},
    {GATE_PROJ, "gate_proj", NULL},
    {UP_PROJ, "up_proj", NULL},
    {DOWN_PROJ, "down_proj", NULL},
    {DORA, "--use_dora true", NULL},
    {BASE_4, "--load_in_4bit true", NULL},
    {BASE_NF4, "--bnb_4bit_quant_type nf4", NULL},
    {BASE_8, "--load_in_8bit true", NULL},
};
static const unspoken trainer_lacks[] = {
    {SELECTIVE, "selective recomputation"},
    {FP8, "8-bit products"},
    {MXFP8, "8-bit products"},
    {FP4, "4-bit products"},
    {OFFLOAD_OPTIMIZER, "states in host memory (fsdp_config does)"},
    {GROUPS, "sharding in groups (hybrid_shard does, of one machine)"},
    {MUON, "Muon"},
    {SEQUENCE_PARALLEL, "tensor parallelism"},
    {STRAIGHT, "pipeline stages"},
    {INTERLEAVED, "pipeline stages"},
    {SPLIT_EXPERTS, "expert parallelism"},
};

/* LLaMA-Factory has the Trainer's arguments, and its own for lengths and adapters: hparams. */
static const spelling llama_factory[] = {
    {MICRO_BATCH, "--per_device_train_batch_size", " "},
    {ACCUMULATION, "--gradient_accumulation_steps", " "},
    {SEQUENCE, "--cutoff_len", " "},
    {KEEPS_WEIGHTS, "--fsdp shard_grad_op auto_wrap", NULL},
    {ZERO_3, "--fsdp full_shard auto_wrap", NULL},
    {NO_RECOMPUTE, "--disable_gradient_checkpointing true", NULL},
    {NARROW, "--bf16 true", NULL},
    {FP16, "--fp16 true", NULL},
    {PLAIN_ADAM, "--optim adamw_torch_fused", NULL},
    {MOMENTS_8, "--optim adamw_bnb_8bit", NULL},
    {SGD, "--optim sgd", NULL},
    {ADAFACTOR, "--optim adafactor", NULL},
    {ADAPTED, "--finetuning_type lora", NULL},
    {RANK, "--lora_rank", " "},
    {ALL_TARGETS, "--lora_target all", NULL},
    {SOME_TARGETS, "--lora_target", " "},
    {DORA, "--use_dora true", NULL},
    {BASE_4, "--quantization_bit 4", NULL},
    {BASE_8, "--quantization_bit 8", NULL},
};

/* torchtune: overrides of its recipes' configurations (recipes/configs). */
static const spelling torchtune[] = {
    {MICRO_BATCH, "batch_size", "="},
    {ACCUMULATION, "gradient_accumulation_steps", "="},
    {SEQUENCE, "tokenizer.max_seq_len", "="},
    {KEEPS_WEIGHTS, "fsdp_reshard_after_forward=False", NULL},
    {ZERO_3, "fsdp_reshard_after_forward=True", NULL},
    {OFFLOAD_OPTIMIZER, "fsdp_cpu_offload=True", NULL},
    {FULL, "enable_activation_checkpointing=True", NULL},
    {NO_RECOMPUTE, "enable_activation_checkpointing=False", NULL},
    {NARROW, "dtype=bf16", NULL},
    {FP8, "enable_fp8_training=True", NULL},
    {PLAIN_ADAM, "optimizer._component_=torch.optim.AdamW", NULL},
    {MOMENTS_8, "optimizer._component_=bitsandbytes.optim.AdamW8bit", NULL},
    {SGD, "optimizer._component_=torch.optim.SGD", NULL},
    {RANK, "model.lora_rank", "="},
    {ATTENTION_TARGETS, "model.lora_attn_modules", "="},
    {MLP_TARGETS, "model.apply_lora_to_mlp=True", NULL},
    {DORA, "model.use_dora=True", NULL},
};
static const unspoken torchtune_lacks[] = {
    {SELECTIVE, "selective recomputation"},
    {FP16, "16-bit floats with 5 bits of exponent"},
    {MXFP8, "8-bit products in blocks"},
    {FP4, "4-bit products"},
    {GROUPS, "sharding in groups"},
    {MUON, "Muon"},
    {ADAFACTOR, "Adafactor"},
    {BASE_4, "frozen weights of 4 bits (its qlora model builders have them)"},
    {BASE_8, "frozen weights of 8 bits"},
};

/* DeepSpeed takes a file (write_deepspeed); its launcher only needs to be told where it is. */
static const spelling deepspeed[] = {
    {GLOBAL_BATCH, "--deepspeed", NULL},
    {GLOBAL_BATCH, "--deepspeed_config ds_config.json", NULL},
};
static const unspoken deepspeed_lacks[] = {
    {SPLIT_EXPERTS, "expert parallelism (ep_size of its MoE layers)"},
    {MUON, "Muon"},
    {MOMENTS_8, "8-bit moments"},
    {FP8, "8-bit products"},
    {FP4, "4-bit products"},
    {ADAPTED, "adapters (the script that it starts has)"}};

typedef struct dialect {
    const char *rules;
    const char *framework; /* NULL: any of these rules */
    const char *name;
    const spelling *rows;
    size_t count;
    const unspoken *lacks;
    size_t lack_count;
} dialect;

#define DIALECT(rules, framework, name, rows, lacks)                                               \
    { rules, framework, name, rows, GP_COUNT_OF(rows), lacks, GP_COUNT_OF(lacks) }

static const dialect dialects[] = {
    DIALECT("megatron-lm", "megatron-bridge", "Megatron-Bridge", bridge, bridge_lacks),
    DIALECT("megatron-lm", NULL, "Megatron-LM", megatron, megatron_lacks),
    DIALECT("nemo", NULL, "NeMo", nemo, nemo_lacks),
    DIALECT("torchtitan", NULL, "torchtitan", torchtitan, titan_lacks),
    DIALECT("fsdp", "torchtune", "torchtune", torchtune, torchtune_lacks),
    DIALECT("fsdp", "llama-factory", "LLaMA-Factory", llama_factory, trainer_lacks),
    DIALECT("fsdp", NULL, "Hugging Face's Trainer", trainer, trainer_lacks),
    DIALECT("deepspeed", NULL, "DeepSpeed", deepspeed, deepspeed_lacks),
};

static const dialect *dialect_of(const gp_report_launch *launch) {
    for (size_t i = 0; i < GP_COUNT_OF(dialects); i++)
        if (gp_str_equal(dialects[i].rules, launch->rules) &&
            (dialects[i].framework == NULL ||
             gp_str_equal_nocase(dialects[i].framework, gp_form_or(launch->framework, ""))))
            return &dialects[i];
    return NULL;
}

static bool has_no(const dialect *it, fact which) {
    for (size_t i = 0; i < it->lack_count; i++)
        if (it->lacks[i].fact == which)
            return true;
    return false;
}

/* Whatever a plan's speed is based on: adapters are trained by what trains adapters. */
static const dialect *spoken_for(const gp_report_launch *launch) {
    const dialect *it = dialect_of(launch);
    const gp_report_launch fsdp = {.rules = "fsdp"};
    const bool open = launch->framework == NULL && launch->adapter != NULL;
    return it != NULL && open && has_no(it, ADAPTED) ? dialect_of(&fsdp) : it;
}

/* ------------------------------------------------------------ arguments */

static const char *value_text(gp_export_out *out, const facts *f, fact which) {
    return f->texts[which] != NULL ? f->texts[which] : gp_form_count(&out->form, f->at[which]);
}

/* A row as one or two words of a command line. */
static gp_launch_argument argument_of(gp_export_out *out, const facts *f, const spelling *row) {
    const char *space = strchr(row->text, ' ');
    if (row->join == NULL && space == NULL)
        return (gp_launch_argument){row->text, NULL};
    if (row->join == NULL)
        return (gp_launch_argument){
            gp_form_text(&out->form, "%.*s", (int)(space - row->text), row->text), space + 1};
    const char *value = value_text(out, f, row->fact);
    if (row->join[0] == ' ')
        return (gp_launch_argument){row->text, value};
    return (gp_launch_argument){gp_form_text(&out->form, "%s=%s", row->text, value), NULL};
}

/* ------------------------------------------------------------ DeepSpeed's file */

static void json_number(gp_buf *buf, const facts *f, fact which, const char *name) {
    if (f->has[which])
        gp_buf_printf(buf, ",\n  \"%s\": %lld", name, (long long)f->at[which]);
}

static void json_zero(gp_buf *buf, const facts *f) {
    gp_buf_printf(buf, ",\n  \"zero_optimization\": {\"stage\": %lld",
                  (long long)f->at[ZERO_STAGE]);
    if (f->has[OFFLOAD_OPTIMIZER])
        gp_buf_printf(buf, ", \"offload_optimizer\": {\"device\": \"%s\"}", f->device);
    if (f->has[OFFLOAD_ALL])
        gp_buf_printf(buf, ", \"offload_param\": {\"device\": \"%s\"}", f->device);
    if (f->has[GROUP])
        gp_buf_printf(buf, ", \"mics_shard_size\": %lld", (long long)f->at[GROUP]);
    gp_buf_str(buf, "}");
}

static void json_words(gp_buf *buf, const facts *f, const gp_report_launch *l) {
    static const struct {
        fact fact;
        const char *text;
    } rows[] = {
        {NARROW, ",\n  \"bf16\": {\"enabled\": true}"},
        {FP16, ",\n  \"fp16\": {\"enabled\": true}"},
        {GRADIENTS_32, ",\n  \"data_types\": {\"grad_accum_dtype\": \"fp32\"}"},
        {GRADIENTS_16, ",\n  \"data_types\": {\"grad_accum_dtype\": \"bf16\"}"},
        {ADAM, ",\n  \"optimizer\": {\"type\": \"AdamW\"}"},
        {SGD, ",\n  \"optimizer\": {\"type\": \"SGD\"}"},
    };
    for (size_t i = 0; i < GP_COUNT_OF(rows); i++)
        if (f->has[rows[i].fact])
            gp_buf_str(buf, rows[i].text);
    if (f->at[TP] > 1)
        gp_buf_printf(buf, ",\n  \"tensor_parallel\": {\"autotp_size\": %lld}",
                      (long long)f->at[TP]);
    if (f->at[PP] > 1)
        gp_buf_printf(buf,
                      ",\n  \"pipeline\": {\"stages\": %lld, "
                      "\"activation_checkpoint_interval\": %d}",
                      (long long)f->at[PP], f->has[FULL] ? 1 : 0);
    if (f->at[CP] > 1)
        json_number(buf, f, CP, "sequence_parallel_size");
    if (f->has[FULL])
        gp_buf_printf(buf, ",\n  \"activation_checkpointing\": {\"number_checkpoints\": %lld}",
                      (long long)l->layers);
}

static const char *deepspeed_file(gp_export_out *out, const facts *f, const gp_report_launch *l) {
    gp_buf buf = GP_BUF(out->form.buf->arena, 4096);
    gp_buf_printf(&buf, "{\n  \"train_batch_size\": %lld", (long long)f->at[GLOBAL_BATCH]);
    json_number(&buf, f, MICRO_BATCH, "train_micro_batch_size_per_gpu");
    json_number(&buf, f, ACCUMULATION, "gradient_accumulation_steps");
    json_zero(&buf, f);
    json_words(&buf, f, l);
    gp_buf_str(&buf, "\n}\n");
    return gp_form_taken(&out->form, &buf);
}

/* ------------------------------------------------------------ a launch */

static void note(gp_launch *launch, const char *words) {
    if (launch->note_count < GP_LAUNCH_MAX)
        launch->notes[launch->note_count++] = words;
}

/* A batch that is not the one asked. */
static void note_batch(gp_export_out *out, const gp_report_launch *l, gp_launch *launch) {
    const double asked = l->asked_sequences;
    const double more = (double)l->global_batch_sequences - asked;
    char number[GP_NUM_TEXT];
    enum { DIGITS = 6 };
    if (!(asked > 0) || (more < 0.01 && more > -0.01))
        return;
    (void)gp_num_format_g(number, asked, DIGITS);
    note(launch,
         gp_form_text(&out->form, "The plan uses %lld sequences per step; the spec asks for %s.",
                      (long long)l->global_batch_sequences, number));
}

/* Whose arguments they are, where the spec does not say or they are not known. */
static void note_framework(gp_export_out *out, const gp_report_launch *l, const dialect *it,
                           gp_launch *launch) {
    const dialect *based = dialect_of(l);
    if (it == NULL && l->framework != NULL)
        note(launch, gp_form_text(&out->form,
                                  "The arguments of %s are not known: those of the plan are in the "
                                  "variables.",
                                  gp_export_comment(out, l->framework)));
    else if (it != NULL && l->framework == NULL && it != based)
        note(launch,
             gp_form_text(&out->form,
                          "No framework is named: the arguments are for %s with PEFT, since "
                          "%s, whose speed the plan is based on, trains no adapters.",
                          it->name, based->name));
    else if (it != NULL && l->framework == NULL)
        note(launch,
             gp_form_text(&out->form,
                          "No framework is named: the arguments are for %s, whose speed the "
                          "plan is based on.",
                          it->name));
}

bool gp_export_launch_of(gp_export_out *out, const gp_report_workload *workload, gp_launch *ret) {
    *ret = (gp_launch){.count = 0};
    if (workload->launch == NULL)
        return false;
    const facts f = facts_of(out, workload);
    const dialect *it = spoken_for(workload->launch);
    note_batch(out, workload->launch, ret);
    if (workload->rl != NULL) {
        note(ret, "Reinforcement learning frameworks read the layouts of trainer and engines from "
                  "their own configuration: here they are variables.");
        return true;
    }
    note_framework(out, workload->launch, it, ret);
    if (it == NULL)
        return true;
    ret->framework = it->name;
    for (size_t i = 0; i < it->count && ret->count < GP_LAUNCH_MAX; i++)
        if (f.has[it->rows[i].fact])
            ret->arguments[ret->count++] = argument_of(out, &f, &it->rows[i]);
    for (size_t i = 0; i < it->lack_count; i++)
        if (f.has[it->lacks[i].fact])
            note(ret, gp_form_text(&out->form, "%s has no argument for %s, which the plan needs.",
                                   it->name, it->lacks[i].words));
    if (it->rows == deepspeed) {
        ret->file = "ds_config.json";
        ret->file_text = deepspeed_file(out, &f, workload->launch);
    }
    return true;
}

static void write_engines(gp_export_out *out, const gp_report_rl *rl, gp_launch_variable *write,
                          void *context) {
    if (rl == NULL)
        return;
    const struct {
        const char *name;
        int64_t value;
    } numbers[] = {
        {"TRAIN_GPUS", rl->train_gpus},
        {"ROLLOUT_GPUS", rl->rollout_gpus},
        {"ENGINES", rl->engines},
        {"ENGINE_TENSOR_PARALLEL_SIZE", rl->engine_tp},
        {"ENGINE_PIPELINE_PARALLEL_SIZE", rl->engine_pp},
        {"ENGINE_DATA_PARALLEL_SIZE", rl->engine_dp},
        {"ENGINE_EXPERT_PARALLEL_SIZE", rl->engine_ep},
    };
    for (size_t i = 0; i < GP_COUNT_OF(numbers); i++)
        write(context, numbers[i].name,
              gp_form_text(&out->form, "%lld", (long long)numbers[i].value));
}

static void write_adapter(gp_export_out *out, const gp_report_adapter *adapter,
                          gp_launch_variable *write, void *context) {
    facts f = {.device = NULL};
    if (adapter == NULL)
        return;
    add_adapter(out, adapter, &f);
    write(context, "ADAPTER_METHOD", gp_export_label(out, gp_form_or(adapter->method, "lora")));
    write(context, "ADAPTER_RANK", gp_form_count(&out->form, adapter->rank));
    write(context, "ADAPTER_TARGETS", f.texts[SOME_TARGETS]);
    write(context, "ADAPTER_BASE", gp_export_label(out, gp_form_or(adapter->base, "bf16")));
}

void gp_export_launch_variables(gp_export_out *out, const gp_report_workload *workload,
                                gp_launch_variable *write, void *context) {
    const gp_report_candidate *c = &workload->recommendation.chosen;
    const gp_report_launch *l = workload->launch;
    if (l == NULL)
        return;
    const struct {
        const char *name;
        int64_t value;
    } numbers[] = {
        {"VIRTUAL_PIPELINE_SIZE", c->vpp},       {"ZERO_STAGE", c->zero},
        {"SHARD_GROUP_SIZE", c->shard_group},    {"GLOBAL_BATCH_SIZE", l->global_batch_sequences},
        {"SEQUENCE_LENGTH", l->sequence_length},
    };
    write_engines(out, workload->rl, write, context);
    write_adapter(out, l->adapter, write, context);
    const struct {
        const char *name, *value;
    } texts[] = {
        {"RECOMPUTE", c->recompute}, {"OFFLOAD", c->offload},     {"PRECISION", l->compute},
        {"GRADIENTS", l->gradients}, {"OPTIMIZER", l->optimizer},
    };
    for (size_t i = 0; i < GP_COUNT_OF(numbers); i++)
        if (numbers[i].value > 0)
            write(context, numbers[i].name, gp_form_count(&out->form, numbers[i].value));
    for (size_t i = 0; i < GP_COUNT_OF(texts); i++)
        if (texts[i].value != NULL)
            write(context, texts[i].name, gp_export_label(out, texts[i].value));
}
