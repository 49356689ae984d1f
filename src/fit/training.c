/*
 * A run's columns as a training job: what is stated is taken, what follows from it is worked out,
 * and what is left open is taken as the framework's own default and said in the remark.
 */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "fit/fitter.h"
#include "fit/words.h"

/* What frameworks do where a run does not say: they share states by ZeRO stage ... (-1: none). */
static const struct {
    const char *framework;
    int zero;
} framework_defaults[] = {
    {"megatron", 1},  {"nemo", 1},       {"automodel", 3}, {"maxtext", 3},     {"paxml", 3},
    {"torchtune", 3}, {"torchtitan", 3}, {"vectorlm", 3},  {"llm-foundry", 3},
};
/* Whose recipes recompute everything where a run does not say. */
static const char *const recomputing[] = {"torchtune", "llama-factory", "vectorlm"};
/* Rank of an adapter where none is stated: that of most published recipes. */
enum { DEFAULT_RANK = 16 };

static bool names_stack(const char *framework, const char *name) {
    char folded[96];
    size_t len = 0;
    for (; framework[len] != '\0' && len + 1 < sizeof folded; len++)
        folded[len] = framework[len] == ' ' || framework[len] == '_' ? '-' : framework[len];
    folded[len] = '\0';
    return gp_words_has(folded, name);
}

/* The longest name of a training stack that stands in the framework's words. */
static const char *stack_name(const gp_fitter *fitter, const char *framework) {
    const char *best = NULL;
    for (size_t i = 0; framework != NULL && i < fitter->stack_count; i++) {
        const gp_stack *row = &fitter->stacks[i];
        if (row->role == GP_STACK_TRAINING && row->name != NULL &&
            names_stack(framework, row->name) && (best == NULL || strlen(row->name) > strlen(best)))
            best = row->name;
    }
    return best;
}

/* The newest release not newer than the stated one; the oldest where all are; the newest where
 * none is stated. */
const gp_stack *gp_fit_training_stack(const gp_fitter *fitter, const gp_run_row *run) {
    const char *name = stack_name(fitter, run->framework);
    int64_t order = gp_words_release(run->version);
    const gp_stack *best = NULL;
    for (size_t i = 0; name != NULL && i < fitter->stack_count; i++) {
        const gp_stack *row = &fitter->stacks[i];
        if (row->role != GP_STACK_TRAINING || !gp_str_equal(row->name, name))
            continue;
        bool old_enough = order == 0 || row->order <= order;
        bool best_old = best != NULL && (order == 0 || best->order <= order);
        bool better = best == NULL || (old_enough && !best_old) ||
                      (old_enough && row->order > best->order) ||
                      (!old_enough && !best_old && row->order < best->order);
        best = better ? row : best;
    }
    return best;
}

static double or_one(double value) {
    return value > 0 ? value : 1;
}

static void set_type(const gp_run_row *run, gp_train_job *job) {
    const char *kind = run->kind == NULL ? "pretrain" : run->kind;
    bool adapter = gp_words_has(kind, "lora") || gp_words_has(kind, "peft");
    bool tuned = gp_words_has(kind, "sft") || gp_words_has(kind, "full") ||
                 gp_words_has(kind, "finetune") || gp_words_has(kind, "fine-tun");
    job->type = adapter ? GP_WORKLOAD_LORA : tuned ? GP_WORKLOAD_FINETUNE : GP_WORKLOAD_TRAINING;
}

static void set_adapter(const gp_run_row *run, gp_train_job *job) {
    const char *targets[GP_TARGET_MAX] = {NULL};
    gp_adapter adapter = {.rank = run->rank > 0 ? (int64_t)run->rank : DEFAULT_RANK};
    if (job->type != GP_WORKLOAD_LORA)
        return;
    adapter.targets.count = gp_words_targets(run->targets, targets);
    adapter.targets.items = targets;
    job->adapter_parameters = gp_adapter_parameters(job->shape, &adapter);
    job->adapter_width = job->adapter_parameters / (double)adapter.rank;
    job->adapter_inputs = gp_adapter_inputs(job->shape, &adapter);
    job->adapter_matrices = gp_adapter_matrices(job->shape, &adapter);
    job->adapter_dora = gp_words_has(run->peft_method, "dora");
    bool quantized = gp_words_has(run->kind, "qlora") || gp_words_has(run->notes, "QLoRA");
    int format = gp_words_quant(run->quant);
    if (format == GP_WORD_UNKNOWN && quantized)
        format = gp_words_has(run->model, "GPTQ") || gp_words_has(run->notes, "gptq")
                     ? GP_FORMAT_INT4
                     : GP_FORMAT_NF4;
    job->weights = format == GP_WORD_UNKNOWN ? job->weights : (gp_format)format;
}

static int default_zero(const char *stack) {
    const size_t count = GP_COUNT_OF(framework_defaults);
    for (size_t i = 0; stack != NULL && i < count; i++)
        if (gp_str_starts(stack, framework_defaults[i].framework))
            return framework_defaults[i].zero;
    return 0;
}

/* DeepSpeed's engine shards a model that is trained as a whole even on one GPU. */
static bool is_engine(const gp_run_row *run, const gp_train_job *job) {
    return job->type == GP_WORKLOAD_FINETUNE && run->zero == NULL && run->tp <= 0 &&
           gp_words_has(run->framework, "deepspeed");
}

static const char *set_sharding(const gp_fitter *fitter, gp_fit_case *c) {
    const gp_run_row *run = c->run;
    int zero = gp_words_zero(run->zero);
    const char *note = NULL;
    const char *stack = c->stack == NULL ? NULL : c->stack->name;
    if (zero == GP_WORD_UNKNOWN) {
        zero = default_zero(stack);
        note = c->layout.dp > 1 ? gp_arena_printf(fitter->arena, "ZeRO %d by default", zero) : NULL;
    }
    double shard = gp_words_shard(run->zero);
    bool alone = c->layout.dp * c->layout.cp <= 1 || (zero == 3 && shard > 0 && shard <= 1);
    /* Pipelines exchange sharded states once per step, not per micro-batch. */
    bool piped = c->layout.pp > 1 && zero > 1;
    c->layout.zero = is_engine(run, &c->job) ? 3 : alone && zero > 1 ? 0 : piped ? 1 : zero;
    c->layout.shard_group = c->layout.zero == 3 ? (int64_t)shard : 0;
    c->job.shards_modules = gp_words_has(run->zero, "zero");
    return note;
}

static const char *set_counts(gp_fitter *fitter, gp_fit_case *c) {
    const gp_run_row *run = c->run;
    gp_layout *l = &c->layout;
    l->tp = (int64_t)or_one(run->tp);
    l->pp = (int64_t)or_one(run->pp);
    l->cp = (int64_t)or_one(run->cp);
    l->ep = (int64_t)or_one(run->ep > 0 ? run->ep : gp_words_experts(run->framework_config));
    l->vpp = l->pp > 1 ? (int64_t)or_one(run->vpp) : 1;
    l->expert_tp = (int64_t)or_one(run->expert_tp);
    if (run->micro_batch > 0 && run->micro_batch < 1) {
        /* a sequence over several chips */
        double chips = gp_num_min(1 / run->micro_batch, (double)GP_NUM_COUNT_MAX / 4);
        l->cp = (int64_t)gp_num_min(floor(chips + 0.5) * (double)l->cp, (double)GP_NUM_COUNT_MAX);
    }
    double product = or_one(run->tp) * or_one(run->pp) * or_one(run->cp) * run->dp;
    if (run->gpus > 0 && gp_num_near(product, 2 * run->gpus) && l->tp % 2 == 0)
        l->tp /= 2; /* the page counts cores, two to a chip */
    double degree = (double)l->tp * (double)l->pp * (double)l->cp;
    double stated = run->gpus > 0 ? run->gpus : degree * or_one(run->dp);
    if (degree > (double)GP_NUM_COUNT_MAX || stated > (double)GP_NUM_COUNT_MAX)
        return "TP x PP x CP x DP is beyond every machine";
    int64_t gpus = (int64_t)stated;
    int64_t model_parallel = l->tp * l->pp * l->cp;
    c->gpus = stated;
    if (gpus % model_parallel != 0)
        return gp_arena_printf(fitter->arena, "TP x PP x CP = %lld does not divide %lld GPUs",
                               (long long)model_parallel, (long long)gpus);
    l->dp = gpus / model_parallel;
    bool split_sequence = run->micro_batch > 0 && run->micro_batch < 1;
    if (run->dp > 0 && (int64_t)run->dp != l->dp && !split_sequence) {
        int64_t said = model_parallel * (int64_t)run->dp;
        return gp_arena_printf(fitter->arena, "TP x PP x CP x DP = %lld, not the %lld GPUs stated",
                               (long long)said, (long long)gpus);
    }
    return NULL;
}

/* Micro-batches over stages of a pipeline whose batch is not stated: enough to keep it full. */
static const double usual_rounds = 8;

/* Sequences of a micro-batch and of a step. Pipelines cut what is stated per rank into
 * micro-batches of one sequence. */
static void set_batch(gp_fit_case *c) {
    const gp_run_row *run = c->run;
    gp_layout *l = &c->layout;
    double dp = (double)l->dp;
    bool tunes = c->job.type != GP_WORKLOAD_TRAINING;
    double each = run->micro_batch;
    if (each <= 0 && tunes && run->sequences > 0)
        each = run->sequences / dp;
    l->micro_batch = (int64_t)gp_num_max(1, floor(each + 0.5));
    double sequences = run->sequences;
    if (sequences <= 0) {
        double rounds = l->pp > 1 && !tunes ? usual_rounds * (double)l->pp : 1;
        sequences = (double)l->micro_batch * dp * gp_num_max(rounds, run->grad_accum);
    }
    bool starved = l->pp > 1 && sequences / ((double)l->micro_batch * dp) < (double)l->pp;
    if (starved && l->micro_batch > 1)
        l->micro_batch = 1;
    c->job.global_batch = sequences * c->job.sequence_length;
}

/* Sample lengths of instruction data that is not packed: standard deviation over mean, and the mean
 * where a run does not say; tokens of a pre-training sequence likewise. */
static const double usual_spread = 0.6;
static const double usual_sample = 120; /* mean of the Alpaca instructions with their template */
static const double usual_sequence = 4096;

/* Whose fine-tuning packs documents into sequences, each seeing itself alone, where a run does not
 * say: those that publish a packed sequence length. */
static bool packs_documents(const gp_fit_case *c) {
    const char *stack = c->stack == NULL ? NULL : c->stack->name;
    return c->job.type != GP_WORKLOAD_TRAINING && c->run->packing == NULL && stack != NULL &&
           (gp_str_starts(stack, "nemo") || gp_str_starts(stack, "megatron"));
}

static const char *set_sequence(gp_fit_case *c) {
    const gp_run_row *run = c->run;
    gp_train_job *job = &c->job;
    job->attention_length = packs_documents(c) ? usual_sample : 0;
    bool loose = gp_words_starts(run->packing, "false") || gp_words_has(run->notes, "unpacked");
    job->length_cv = loose && !gp_words_has(run->framework_config, "multipack") ? usual_spread : 0;
    bool longest = loose && gp_notes_number(run->notes, "mean_tokens_per_sample") <= 0;
    job->sequence_length = longest ? 0 : run->sequence_length; /* the longest, not the usual one */
    if (job->sequence_length > 0)
        return NULL;
    job->sequence_length = gp_notes_number(run->notes, "mean_tokens_per_sample");
    if (job->sequence_length > 0)
        return "sequence of the mean sample";
    bool tunes = job->type != GP_WORKLOAD_TRAINING;
    c->assumed = tunes;
    c->padded = loose && !gp_words_has(run->framework_config, "padding-free") &&
                !gp_words_has(run->notes, "bucketed batches");
    job->sequence_length = tunes ? usual_sample : usual_sequence;
    return tunes ? "samples of 120 tokens (Alpaca) by default" : "sequence of 4096 by default";
}

/* Samples of unknown length that are not packed are padded to the longest of their micro-batch; the
 * pads are work, but no tokens. Of n normal lengths the longest lies half a deviation per doubling
 * above the mean. */
static void pad_samples(gp_fit_case *c) {
    gp_train_job *job = &c->job;
    double mean = job->sequence_length, deviations = gp_num_log2((double)c->layout.micro_batch) / 2;
    double longest = mean * (1 + job->length_cv * deviations);
    if (c->run->sequence_length > mean)
        longest = gp_num_min(longest, c->run->sequence_length);
    if (c->padded) {
        job->packing_fraction = mean / longest;
        job->sequence_length = longest;
        job->global_batch *= longest / mean;
    }
}

static void set_options(gp_fit_case *c) {
    const gp_run_row *run = c->run;
    bool unsloth =
        gp_words_has(run->framework, "unsloth") ||
        (gp_words_has(run->notes, "unsloth") && !gp_words_has(run->notes, "use_unsloth=false"));
    c->kernels = gp_words_has(run->framework_config, "liger")             ? GP_KERNELS_LIGER
                 : gp_words_has(run->framework_config, "foak") || unsloth ? GP_KERNELS_FUSED
                                                                          : GP_KERNELS_AUTO;
    c->attention = gp_words_starts(run->attn, "eager") || gp_words_starts(run->attn, "sdpa/eager")
                       ? GP_ATTENTION_EAGER
                   : gp_words_starts(run->attn, "flash2") ? GP_ATTENTION_FLASH2
                                                          : GP_ATTENTION_AUTO;
}

/* States that wait in host memory. */
static void set_offload(gp_fit_case *c) {
    const gp_run_row *run = c->run;
    bool refused =
        gp_words_has(run->notes, "CPU offload False") || gp_words_has(run->offload, "=False");
    bool states = gp_words_has(run->notes, "CPU offload") ||
                  gp_words_has(run->notes, "offload=cpu") || gp_words_has(run->offload, "optim");
    bool paged = gp_words_has(run->notes, "paged") && c->job.type == GP_WORKLOAD_FINETUNE;
    c->job.offload_fraction = !refused && (states || paged) ? 1 : 0;
    c->job.pages_optimizer = paged && !states;
    c->job.offload_parameters = !refused && states;
}

/* Frameworks that compute adapters in 8 or 4 bit hold the frozen base that way too. */
static void set_base(gp_fit_case *c) {
    gp_train_job *job = &c->job;
    if (job->type == GP_WORKLOAD_LORA && job->weights == GP_FORMAT_BF16)
        job->weights = job->compute == GP_PRECISION_FP8   ? GP_FORMAT_FP8
                       : job->compute == GP_PRECISION_FP4 ? GP_FORMAT_NVFP4
                                                          : GP_FORMAT_BF16;
}

/* A layout is open where nothing of it is stated, or where the batch is too small for as many
 * replicas as would follow. */
static gp_fit_open open_parts(const gp_fit_case *c) {
    const gp_run_row *run = c->run;
    bool blank = run->tp <= 0 && run->pp <= 0 && run->cp <= 0 && run->dp <= 0 && run->zero == NULL;
    double replicas = run->micro_batch > 0 && run->sequences > 0
                          ? run->sequences / (run->micro_batch * or_one(run->grad_accum))
                          : (double)c->layout.dp;
    bool unsplit = run->tp <= 1 && run->pp <= 1 && run->cp <= 1 && run->dp <= 0;
    bool several = c->gpus > 1;
    bool pretrains = c->job.type == GP_WORKLOAD_TRAINING;
    bool routed = c->model != NULL && c->model->shape.moe;
    bool no_experts = routed && pretrains && run->ep <= 0;
    return (gp_fit_open){
        .split = several && (blank || (unsplit && replicas < (double)c->layout.dp)) &&
                 (pretrains || run->zero == NULL),
        .experts = several && no_experts,
        .micro_batch = several && pretrains && run->micro_batch <= 0,
        .recompute = gp_words_recompute(run->recompute) == GP_WORD_UNKNOWN,
    };
}

static const char *const open_notes[] = {
    "layout not stated: the fastest that fits",
    "EP not stated: the fastest that fits",
    "micro-batch not stated: the fastest that fits",
};

static const char *close_layout(gp_fitter *fitter, gp_fit_case *c) {
    gp_fit_open open = open_parts(c);
    int stated = gp_words_recompute(c->run->recompute);
    const char *stack = c->stack == NULL ? NULL : c->stack->name;
    c->layout.recompute = stated == GP_WORD_UNKNOWN ? GP_RECOMPUTE_NONE : stated;
    for (size_t i = 0; open.recompute && i < GP_COUNT_OF(recomputing); i++) {
        if (gp_str_equal(stack, recomputing[i])) {
            c->layout.recompute = GP_RECOMPUTE_FULL;
            open.recompute = false;
        }
    }
    if (!gp_fit_close_layout(fitter, c, &open)) {
        c->unsupported = "no layout found that fits";
        return NULL;
    }
    return open.split         ? open_notes[0]
           : open.experts     ? open_notes[1]
           : open.micro_batch ? open_notes[2]
                              : NULL;
}

static const char *missing_of(gp_fitter *fitter, const gp_fit_case *c, int precision) {
    if (precision == GP_WORD_AMBIGUOUS)
        return "precision not stated";
    if (c->machine->efficiency[c->job.compute] == NULL)
        return gp_arena_printf(fitter->arena, "no rate of this precision known for %s",
                               c->machine->gpu->id);
    bool leaves = c->gpus > (double)gp_num_max_i64(c->machine->gpus, c->machine->domain);
    return leaves && c->network.bytes_per_s[0] <= 0 ? "no network known for this machine" : NULL;
}

static const char *fill_job(gp_fitter *fitter, gp_fit_case *c) {
    int precision = gp_words_precision(c->run->precision);
    const char *note = precision == GP_WORD_UNKNOWN ? "16 bit by default" : NULL;
    c->job.shape = &c->model->shape;
    c->job.packing_fraction = 1;
    c->job.compute = precision < 0 ? GP_PRECISION_BF16 : (gp_precision)precision;
    c->job.weights = GP_FORMAT_BF16;
    c->job.optimizer = GP_OPTIMIZER_ADAMW;
    set_adapter(c->run, &c->job);
    set_base(c);
    c->job.upcast = gp_words_has(c->run->framework_config, "baseline-peft-bnb");
    set_options(c);
    set_offload(c);
    c->unsupported = set_counts(fitter, c);
    if (c->unsupported != NULL)
        return note;
    note = gp_fit_remark(fitter->arena, note, set_sharding(fitter, c));
    note = gp_fit_remark(fitter->arena, note, set_sequence(c));
    c->unsupported = missing_of(fitter, c, precision);
    if (c->unsupported != NULL)
        return note;
    set_batch(c);
    pad_samples(c);
    c->job.gradients = c->layout.zero == 3 ? GP_FORMAT_BF16 : GP_FORMAT_FP32;
    return gp_fit_remark(fitter->arena, note, close_layout(fitter, c));
}

void gp_fit_case_of(gp_fitter *fitter, const gp_run_row *run, gp_fit_case *ret_case) {
    gp_fit_case c = {.run = run};
    set_type(run, &c.job);
    c.model = gp_fit_model_of(fitter, run, &c.unsupported);
    const gp_fit_hardware hardware = gp_fit_hardware_of(fitter, run);
    c.machine = hardware.machine;
    c.network = hardware.network;
    c.unsupported = gp_fit_remark(fitter->arena, c.unsupported, hardware.why);
    c.note = gp_fit_remark(fitter->arena, c.model == NULL ? NULL : c.model->note, hardware.note);
    if (c.unsupported == NULL) {
        c.stack = gp_fit_training_stack(fitter, run);
        const char *stack_note =
            c.stack != NULL ? NULL
            : run->framework == NULL
                ? "framework not stated"
                : gp_arena_printf(fitter->arena, "framework %s not known", run->framework);
        c.note = gp_fit_remark(fitter->arena, c.note, stack_note);
        c.note = gp_fit_remark(fitter->arena, c.note, fill_job(fitter, &c));
    }
    *ret_case = c;
}
