/* Rules that a layout must keep to be launched as it stands, by framework: each row is one check
 * that the framework makes (or that holds in all of them), with the file that makes it. Frameworks
 * without rows of their own keep those of all frameworks only. None of these limits what is worth
 * trying: that is gp_layout_usual's and the search's. */
#include <math.h>

#include "base/num.h"
#include "estimate/train.h"

enum {
    MEGATRON = 1u << GP_RULES_MEGATRON | 1u << GP_RULES_NEMO,
    TITAN = 1u << GP_RULES_TORCHTITAN,
    FSDP = 1u << GP_RULES_FSDP,
    DEEPSPEED = 1u << GP_RULES_DEEPSPEED,
    TABLES = MEGATRON | TITAN | FSDP | DEEPSPEED,
    EVERY = TABLES | 1u << GP_RULES_NONE,
    VLLM = 1u << GP_RULES_VLLM,
    SGLANG = 1u << GP_RULES_SGLANG,
    TENSORRT = 1u << GP_RULES_TENSORRT_LLM,
    ENGINES = VLLM | SGLANG | TENSORRT,
    ANY_ENGINE = ENGINES | DEEPSPEED | 1u << GP_RULES_NONE
};

typedef struct rule_case {
    const gp_train_job *job;
    const gp_machine *machine;
    const gp_layout *layout;
    const gp_shape *shape;
    int64_t sequences;
} rule_case;

/* ---- training: what is broken ---------------------------------------------------------------- */

static bool divides(int64_t of, int64_t by) {
    return of % by == 0;
}

static bool out_of_range(const rule_case *c) {
    const gp_layout *l = c->layout;
    bool degrees =
        l->tp >= 1 && l->pp >= 1 && l->vpp >= 1 && l->dp >= 1 && l->cp >= 1 && l->ep >= 1;
    return !(degrees && l->micro_batch >= 1 && l->zero >= 0 && l->zero <= 3 &&
             l->recompute > GP_RECOMPUTE_AUTO && l->recompute <= GP_RECOMPUTE_FULL);
}

static bool no_precision(const rule_case *c) {
    return c->machine->efficiency[c->job->compute] == NULL;
}

static bool batch_too_small(const rule_case *c) {
    return (double)c->layout->dp * (double)c->layout->micro_batch > (double)c->sequences;
}

static bool batch_uneven(const rule_case *c) {
    return !divides(c->sequences, c->layout->dp * c->layout->micro_batch);
}

static bool heads_split(const rule_case *c) {
    int64_t heads = (int64_t)c->shape->heads;
    return heads > 0 && !divides(heads, c->layout->tp);
}

/* Fewer key-value heads than ranks: each is held by several of them. */
static bool kv_heads_split(const rule_case *c) {
    int64_t kv_heads = (int64_t)c->shape->kv_heads;
    return kv_heads > 0 && !c->shape->mla && !divides(kv_heads, c->layout->tp) &&
           !divides(c->layout->tp, kv_heads);
}

static bool kv_heads_repeated(const rule_case *c) {
    int64_t kv_heads = (int64_t)c->shape->kv_heads;
    return kv_heads > 0 && !c->shape->mla && !divides(kv_heads, c->layout->tp);
}

static bool widths_split(const gp_shape *shape, int64_t tp) {
    const gp_model *m = shape->model;
    int64_t dense = m->experts.dense_ffn > 0 ? m->experts.dense_ffn : m->ffn;
    return (shape->dense_layers > 0 && !divides(dense, tp)) ||
           (shape->mamba_layers > 0 && !divides(m->mamba.heads, tp));
}

static bool width_split(const rule_case *c) {
    return widths_split(c->shape, c->layout->tp);
}

static bool sequence_split(const rule_case *c) {
    int64_t sequence = (int64_t)c->job->sequence_length;
    return c->layout->cp > 1 && (sequence < c->layout->cp || !divides(sequence, c->layout->cp));
}

/* Causal attention gives every rank a chunk from the front and one from the back. */
static bool chunks_split(const rule_case *c) {
    int64_t chunks = c->layout->cp > 1 ? 2 * c->layout->cp : 1;
    return !divides((int64_t)c->job->sequence_length, chunks * c->layout->tp);
}

static bool heads_exchanged(const rule_case *c) {
    int64_t heads = (int64_t)c->shape->heads;
    return c->layout->cp > 1 && (heads <= 0 || !divides(heads, c->layout->tp * c->layout->cp));
}

static bool pipeline_and_context(const rule_case *c) {
    return c->layout->cp > 1 && c->layout->pp > 1;
}

/* Embedding and head may be chunks by themselves. */
static bool stages_empty(const rule_case *c) {
    double stages = (double)c->layout->pp, chunks = stages * (double)c->layout->vpp;
    return stages > c->shape->layers || chunks > c->shape->layers + 2;
}

static bool virtual_alone(const rule_case *c) {
    return c->layout->pp == 1 && c->layout->vpp > 1;
}

/* Of one free place the head takes it, of two the embedding as well; of more all are the last
 * chunk's, which has to keep a layer. */
static bool stages_unfilled(const rule_case *c) {
    double missing = gp_layout_missing_layers(c->job, c->layout);
    return missing > 2 &&
           missing * (double)c->layout->vpp >= gp_layout_stage_layers(c->job, c->layout);
}

static int64_t rounds_of(const rule_case *c) {
    int64_t places = c->layout->dp * c->layout->micro_batch;
    return (c->sequences + places - 1) / places;
}

static bool rounds_uneven(const rule_case *c) {
    return c->layout->vpp > 1 && !divides(rounds_of(c), c->layout->pp);
}

static bool rounds_unlike(const rule_case *c) {
    int64_t micro_batches = rounds_of(c);
    int64_t rounds = gp_num_max_i64(1, micro_batches / c->layout->pp);
    return c->layout->vpp > 1 && !divides(micro_batches, rounds);
}

static bool has_virtual(const rule_case *c) {
    return c->layout->vpp > 1;
}

static bool has_pipeline(const rule_case *c) {
    return c->layout->pp > 1;
}

static bool gradients_sharded(const rule_case *c) {
    return c->layout->pp > 1 && c->layout->zero > 1;
}

static bool tensor_over_shards(const rule_case *c) {
    return c->layout->tp > 1 && c->layout->zero > 2;
}

static bool experts_over_shards(const rule_case *c) {
    return c->shape->moe && c->layout->zero > 2;
}

static bool experts_split(const rule_case *c) {
    int64_t experts = (int64_t)c->shape->experts;
    return c->layout->ep > 1 && (experts <= 0 || !divides(experts, c->layout->ep));
}

static bool experts_leave_stage(const rule_case *c) {
    return !divides(c->layout->dp * c->layout->cp * c->layout->tp, c->layout->ep);
}

static bool experts_across(const rule_case *c) {
    return c->layout->ep > 1 && !divides(c->layout->ep, c->layout->cp * c->layout->tp);
}

static bool experts_leave_replicas(const rule_case *c) {
    return !divides(c->layout->dp, c->layout->ep);
}

static bool groups_uneven(const rule_case *c) {
    int64_t group = c->layout->shard_group;
    return group > 0 && !divides(c->layout->dp * c->layout->cp, group);
}

typedef enum unless_drawn { NOTHING, HEADS, STAGES } unless_drawn;

typedef struct rule_row {
    gp_layout_rule rule;
    bool (*broken)(const rule_case *c);
    unless_drawn unless; /* declared, which lets it pass */
} rule_row;

/* Of the degrees, then of the micro-batch, the batch and virtual stages; each in the order in which
 * they are told. */
static const rule_row degree_rows[] = {
    {{"degrees.range", "a degree is out of range", "every framework", EVERY},
     out_of_range,
     NOTHING},
    {{"precision.path", "this GPU does not support the requested precision", "makers' data sheets",
      EVERY},
     no_precision,
     NOTHING},
    {{"tp.heads", "tensor parallelism does not divide the heads",
      "megatron/core/transformer/attention.py; torchtitan parallelize.py; deepspeed "
      "module_inject/auto_tp.py",
      EVERY},
     heads_split,
     NOTHING},
    {{"tp.kvHeads.any", "neither of tensor parallelism and the key-value heads divides the other",
      "every framework", EVERY},
     kv_heads_split,
     NOTHING},
    {{"tp.kvHeads", "tensor parallelism does not divide the key-value heads",
      "megatron/core/transformer/transformer_config.py (num_query_groups, until heads are "
      "repeated)",
      MEGATRON},
     kv_heads_repeated,
     HEADS},
    {{"tp.kvHeads.whole", "tensor parallelism does not divide the key-value heads",
      "torchtitan parallelize.py (n_kv_heads over the ranks of TP)", TITAN},
     kv_heads_repeated,
     NOTHING},
    {{"tp.width", "tensor parallelism does not divide the width of the MLP or the Mamba heads",
      "megatron/core/tensor_parallel/layers.py (divide); megatron/core/ssm/mamba_mixer.py",
      MEGATRON},
     width_split,
     NOTHING},
    {{"tp.zero3", "tensor parallelism cannot be combined with ZeRO 3",
      "deepspeed/runtime/engine.py (autotp and zero_stage = 3)", DEEPSPEED},
     tensor_over_shards,
     NOTHING},
    {{"pp.none", "FSDP has no pipeline parallelism", "torch.distributed.fsdp as trainers use it",
      FSDP},
     has_pipeline,
     NOTHING},
    {{"pp.zero", "with a pipeline only the optimizer states can be sharded (zero: 1)",
      "megatron/training/arguments.py; deepspeed/runtime/pipe/engine.py", MEGATRON | DEEPSPEED},
     gradients_sharded,
     NOTHING},
    {{"zero.groups", "the ranks that share weights (shardGroup) do not divide DP x CP",
      "torch.distributed.device_mesh (replicate x shard); megatron/core/parallel_state.py", EVERY},
     groups_uneven,
     NOTHING},
    {{"ep.experts", "expert parallelism does not divide the experts",
      "megatron/core/transformer/moe/moe_layer.py; deepspeed/moe/layer.py; torchtitan "
      "expert_parallel.py",
      EVERY},
     experts_split,
     NOTHING},
    {{"ep.ranks", "expert parallelism does not divide the ranks that share a stage",
      "megatron/core/parallel_state.py; torchtitan parallel_dims.py", EVERY},
     experts_leave_stage,
     NOTHING},
    {{"ep.dense", "expert parallelism is not a multiple of CP x TP",
      "torchtitan/distributed/parallel_dims.py", TITAN},
     experts_across,
     NOTHING},
    {{"ep.replicas", "expert parallelism does not divide the data-parallel ranks",
      "deepspeed/utils/groups.py", DEEPSPEED},
     experts_leave_replicas,
     NOTHING},
    {{"ep.zero3", "experts cannot be combined with ZeRO 3",
      "deepspeed/runtime/engine.py (MoE not supported with Stage 3)", DEEPSPEED},
     experts_over_shards,
     NOTHING},
    {{"cp.sequence", "context parallelism does not divide the sequence", "every framework", EVERY},
     sequence_split,
     NOTHING},
    {{"cp.chunks", "the sequence is not divisible by 2 x TP x CP",
      "megatron/training/arguments.py; torchtitan/distributed/parallel_dims.py (seq_len_divisor)",
      MEGATRON | TITAN},
     chunks_split,
     NOTHING},
    {{"cp.heads", "the heads are not divisible by TP x CP, which exchange them",
      "deepspeed/sequence/layer.py", DEEPSPEED},
     heads_exchanged,
     NOTHING},
    {{"cp.pipeline", "DeepSpeed has no context parallelism inside a pipeline",
      "deepspeed/runtime/pipe/topology.py (axes of pipe, data and model)", DEEPSPEED},
     pipeline_and_context,
     NOTHING},
};

static const rule_row chunk_rows[] = {
    {{"batch.enough", "the batch has fewer sequences than there are data-parallel ranks",
      "every framework", EVERY},
     batch_too_small,
     NOTHING},
    {{"pp.layers", "the pipeline has more stages than the model has layers", "every framework",
      EVERY},
     stages_empty,
     NOTHING},
    {{"vpp.pipeline", "virtual stages need a pipeline", "every framework", EVERY},
     virtual_alone,
     NOTHING},
    {{"vpp.none", "DeepSpeed pipelines have no virtual stages",
      "deepspeed/runtime/pipe/schedule.py", DEEPSPEED | FSDP},
     has_virtual,
     NOTHING},
    {{"pp.fill", "the layers do not fill the stages: the last stage has none",
      "megatron/core/transformer/transformer_block.py (get_num_layers_to_build), without "
      "pipeline_model_parallel_layout",
      MEGATRON},
     stages_unfilled,
     STAGES},
    {{"pp.fill.last", "the layers do not fill the stages: the last stage has none",
      "torchtitan/distributed/pipeline.py (generate_llm_fqn_per_model_part)", TITAN},
     stages_unfilled,
     NOTHING},
    {{"batch.divides", "the batch is not divisible by DP x micro-batch",
      "megatron/core/num_microbatches_calculator.py; torchtitan/train.py; "
      "deepspeed/runtime/config.py (_batch_assertion)",
      TABLES},
     batch_uneven,
     NOTHING},
    {{"vpp.rounds", "virtual stages need micro-batches in a multiple of the pipeline stages",
      "megatron/core/pipeline_parallel/schedules.py", MEGATRON},
     rounds_uneven,
     NOTHING},
    {{"vpp.rounds.alike", "virtual stages need the same number of micro-batches in every round",
      "torch/distributed/pipelining/schedules.py (ScheduleInterleaved1F1B)", TITAN},
     rounds_unlike,
     NOTHING},
};

static bool is_drawn(const gp_train_job *job, unless_drawn what) {
    return (what == HEADS && job->drawn_heads) || (what == STAGES && job->drawn_stages);
}

static const gp_layout_rule *first_broken(const rule_case *c, const rule_row *rows, size_t count) {
    unsigned framework = 1u << c->job->rules;
    for (size_t i = 0; i < count; i++) {
        bool asked =
            (rows[i].rule.frameworks & framework) != 0 && !is_drawn(c->job, rows[i].unless);
        if (asked && rows[i].broken(c))
            return &rows[i].rule;
    }
    return NULL;
}

static rule_case case_of(const gp_train_job *job, const gp_machine *machine,
                         const gp_layout *layout) {
    return (rule_case){.job = job,
                       .machine = machine,
                       .layout = layout,
                       .shape = job->shape,
                       .sequences = (int64_t)gp_train_step_sequences(job, layout)};
}

const gp_layout_rule *gp_layout_chunks_broken(const gp_train_job *job, const gp_machine *machine,
                                              const gp_layout *layout) {
    rule_case c = case_of(job, machine, layout);
    return first_broken(&c, chunk_rows, sizeof chunk_rows / sizeof chunk_rows[0]);
}

const gp_layout_rule *gp_layout_broken(const gp_train_job *job, const gp_machine *machine,
                                       const gp_layout *layout) {
    rule_case c = case_of(job, machine, layout);
    const gp_layout_rule *rule =
        first_broken(&c, degree_rows, sizeof degree_rows / sizeof degree_rows[0]);
    return rule != NULL ? rule : gp_layout_chunks_broken(job, machine, layout);
}

/* ---- serving --------------------------------------------------------------------------------- */

bool gp_layout_valid(const gp_train_job *job, const gp_machine *machine, const gp_layout *layout) {
    /* Tensor parallelism across machines is never worth its network time. */
    return gp_layout_broken(job, machine, layout) == NULL && gp_layout_usual(job, layout) &&
           (layout->tp == 1 || layout->tp <= machine->domain);
}

typedef struct engine_case {
    const gp_shape *shape;
    const gp_serve_layout *layout;
} engine_case;

static bool engine_heads(const engine_case *c) {
    int64_t heads = (int64_t)c->shape->heads;
    return heads > 0 && !divides(heads, c->layout->tp);
}

static bool engine_kv_heads(const engine_case *c) {
    int64_t kv_heads = (int64_t)c->shape->kv_heads;
    return kv_heads > 0 && !c->shape->mla && !divides(kv_heads, c->layout->tp) &&
           !divides(c->layout->tp, kv_heads);
}

static bool engine_layers(const engine_case *c) {
    return (double)c->layout->pp > c->shape->layers;
}

/* Second copies of busy experts have places of their own. */
static bool engine_experts(const engine_case *c) {
    int64_t experts = (int64_t)c->shape->experts;
    return c->layout->ep > 1 &&
           (experts <= 0 || !divides(experts + c->layout->copies, c->layout->ep));
}

static int64_t engine_ranks(const engine_case *c) {
    return c->layout->tp * gp_num_max_i64(1, c->layout->attention_dp);
}

/* Experts that are not spread whole are cut over all ranks of a stage. */
static bool engine_width(const engine_case *c) {
    bool cut = c->shape->moe && c->layout->ep == 1;
    return widths_split(c->shape, c->layout->tp) ||
           (cut && !divides(c->shape->model->experts.ffn, engine_ranks(c)));
}

static bool engine_experts_leave(const engine_case *c) {
    return c->layout->ep > 1 && !divides(engine_ranks(c), c->layout->ep);
}

static bool engine_experts_part(const engine_case *c) {
    return c->layout->ep > 1 && c->layout->ep != engine_ranks(c);
}

static bool engine_groups(const engine_case *c) {
    return c->layout->attention_dp > 1 && c->layout->tp > 1;
}

typedef struct engine_row {
    gp_layout_rule rule;
    bool (*broken)(const engine_case *c);
} engine_row;

/* The vocabulary is padded by every engine: no rule. */
static const engine_row engine_rows[] = {
    {{"tp.heads", "tensor parallelism does not divide the heads",
      "vllm/config (verify_with_parallel_config); sglang model files; tensorrt_llm/mapping.py",
      ANY_ENGINE},
     engine_heads},
    {{"tp.kvHeads.any", "neither of tensor parallelism and the key-value heads divides the other",
      "vllm, sglang and tensorrt_llm model files (heads are repeated over ranks)", ANY_ENGINE},
     engine_kv_heads},
    {{"tp.width",
      "tensor parallelism does not divide the width of the MLP, the experts or the Mamba "
      "heads",
      "vllm/distributed/utils.py (divide), fused_moe/layer.py; sglang/srt/distributed/utils.py",
      VLLM | SGLANG},
     engine_width},
    {{"pp.layers", "the pipeline has more stages than the model has layers",
      "vllm/distributed/utils.py (get_pp_indices); sglang likewise; tensorrt_llm/mapping.py "
      "(pp_layers)",
      ANY_ENGINE},
     engine_layers},
    {{"ep.ranks", "expert parallelism does not divide the ranks of a stage",
      "vllm/config/parallel.py; sglang server_args (tp_size % ep_size); tensorrt_llm/mapping.py "
      "(moe_tp_size x moe_ep_size)",
      ANY_ENGINE},
     engine_experts_leave},
    {{"ep.whole", "experts must be spread over all ranks of a stage or none",
      "vllm/model_executor/layers/fused_moe/config.py (ep_size = tp x dp)", VLLM},
     engine_experts_part},
    {{"ep.experts", "expert parallelism does not divide the experts and their copies",
      "sglang fused MoE layer (num_experts % ep_size); tensorrt_llm moe_load_balancer "
      "(num_slots % ep_size)",
      SGLANG | TENSORRT},
     engine_experts},
    {{"dp.groups", "attention cannot span groups of more than one GPU",
      "tensorrt_llm/mapping.py (enable_attention_dp: dp is tp)", TENSORRT},
     engine_groups},
};

const gp_layout_rule *gp_serve_layout_broken(const gp_shape *shape, int rules,
                                             const gp_serve_layout *layout) {
    engine_case c = {shape, layout};
    for (size_t i = 0; i < sizeof engine_rows / sizeof engine_rows[0]; i++) {
        if ((engine_rows[i].rule.frameworks & 1u << rules) != 0 && engine_rows[i].broken(&c))
            return &engine_rows[i].rule;
    }
    return NULL;
}
