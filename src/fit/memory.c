/*
 * Measured memory beside the estimate: the peak of a training GPU in the sense in which it was
 * measured, whether a configuration ran at all, weights and KV cache of a serving GPU.
 */

#include "base/num.h"
#include "base/str.h"
#include "fit/fitter.h"
#include "fit/words.h"

static const double bytes_per_gib = 1024.0 * 1024 * 1024; /* definition */
static const double small_gib = 4;
/* Below some GiB workspaces and buffers decide, not the model: judged apart, and not fitted to. */
static bool is_small(const gp_run_row *run) {
    return gp_str_equal(run->kind, "pretrain") && run->peak_gib > 0 && run->peak_gib < small_gib;
}

static const char *class_of(const gp_run_row *run) {
    if (gp_str_equal(run->kind, "inference"))
        return "inferenceMemory";
    if (!gp_str_equal(run->kind, "pretrain"))
        return "fineTuneMemory";
    return is_small(run) ? "pretrainMemorySmall" : "pretrainMemory";
}

/* Preparing a base in bitsandbytes' formats for training makes the residual stream FP32, unless the
 * accelerated plugin (as the notes name the set-up) leaves that out. */
static bool upcasts(const gp_run_row *run, const gp_fit_case *c) {
    return c->job.type == GP_WORKLOAD_LORA && gp_words_has(run->notes, "bnb") &&
           !gp_words_has(run->notes, "accelerated");
}

/* Megatron-Bridge's recipes of routed models train with the precision-aware optimizer where nothing
 * else is said. */
static bool is_mixed(const gp_run_row *run, const gp_fit_case *c, int optimizer) {
    return optimizer == GP_WORD_UNKNOWN && gp_words_has(run->version, "Bridge") &&
           c->job.shape->moe && c->layout.ep > 1;
}

/* What a layer keeps under recomputation by operator: a compiler drops what is not read again, and
 * products in NVFP4 run in operators of their own. */
static void set_operators(const gp_run_row *run, gp_fit_case *c) {
    static const double per_cent = 100;
    gp_train_job *job = &c->job;
    bool compiles = c->stack != NULL && c->stack->loss == GP_LOSS_COMPILED;
    double share = gp_words_number(run->precision, "nvfp4(") / per_cent;
    bool own = job->compute == GP_PRECISION_FP4 && job->type == GP_WORKLOAD_TRAINING;
    job->per_operator = gp_words_has(run->recompute, "per-op") || gp_fit_recomputes_by_operator(c);
    job->compiled = compiles || gp_words_has(run->notes, "compile");
    job->opaque_fraction = !own ? 0 : share > 0 ? share : 1;
    c->layout.recompute = job->per_operator ? GP_RECOMPUTE_SELECTIVE : c->layout.recompute;
    /* Of routed models it is the norms, the experts' activations and what leads up to attention. */
    bool offloads = gp_words_has(run->model, "offloading");
    job->keeps_scores = job->shape->moe && !offloads;
}

/* What the trained states are kept in: 16-bit training keeps no FP32 copy, sharded mixed precision
 * keeps FP32 shards. */
static void set_states(const gp_run_row *run, gp_fit_case *c) {
    gp_train_job *job = &c->job;
    int optimizer = gp_words_optimizer(run->optimizer);
    bool pure = gp_words_has(run->precision, "pure") || gp_words_has(run->precision, "-true");
    bool sharded = c->layout.zero == 3 || (c->layout.zero == 2 && c->layout.dp > 1);
    job->optimizer = optimizer == GP_WORD_UNKNOWN ? GP_OPTIMIZER_ADAMW : (gp_optimizer)optimizer;
    job->loss = gp_words_loss(run->loss_kernel);
    job->dropout = run->plain; /* Megatron's classic block has it on by default */
    job->upcast = upcasts(run, c);
    if (job->type == GP_WORKLOAD_LORA) {
        job->gradients = GP_FORMAT_BF16;
        return;
    }
    if (is_mixed(run, c, optimizer)) {
        job->optimizer = GP_OPTIMIZER_ADAMW_MIXED;
        job->gradients = GP_FORMAT_BF16;
        return;
    }
    bool single = job->type == GP_WORKLOAD_FINETUNE && !sharded;
    if ((pure || single) && job->optimizer == GP_OPTIMIZER_ADAMW) {
        job->optimizer = GP_OPTIMIZER_ADAMW_BF16;
        job->gradients = GP_FORMAT_BF16;
    } else if ((gp_words_has(run->precision, "fp32") && c->layout.pp <= 1) || sharded) {
        job->weights = GP_FORMAT_FP32;
        job->gradients = GP_FORMAT_FP32;
    } else {
        job->gradients = GP_FORMAT_FP32;
    }
}

/* Configuration that the notes carry in words: "sp=False" (tensor parallelism without its sequence
 * form), "baseline-peft" (the plain adapter set-up, FP32 residual stream), and which rank was
 * watched ("LAST rank", see peak_bytes). Megatron's functional tests run the classic block with
 * dropout and, short as they are, with deterministic kernels: attention scores are kept. Longer
 * ones are its speed and memory tests. */
static void set_block(const gp_run_row *run, gp_fit_case *c) {
    static const double test_length = 1024;
    c->layout.unsplit_norms = c->layout.tp > 1 && gp_words_has(run->notes, "sp=False");
    c->job.upcast = c->job.upcast || gp_words_has(run->notes, "baseline-peft");
    bool tested = run->sequence_length <= test_length ||
                  (run->experts > 0 && run->hidden > 0 && run->hidden <= test_length);
    if (run->plain) {
        bool unsplit = gp_words_has(run->notes, "sp=False");
        c->job.dropout = unsplit || run->sequence_length <= test_length;
    }
    if (run->plain || run->experts > 0)
        c->attention = tested ? GP_ATTENTION_EAGER : c->attention;
}

/* Enough micro-batches to fill a pipeline; one where nothing is accumulated. */
static void set_micro_batches(gp_fit_case *c) {
    double each = (double)(c->layout.micro_batch * c->layout.dp);
    bool fills = c->job.type == GP_WORKLOAD_TRAINING && c->layout.zero < 3;
    double micro_batches = c->run->grad_accum > 1 ? c->run->grad_accum
                           : fills                ? 4 * (double)gp_num_max_i64(1, c->layout.pp)
                                                  : 1;
    c->job.global_batch = each * micro_batches * c->job.sequence_length;
}

/* The sense of the figure: tensors alone, with the allocator's cache, or all that the GPU holds;
 * and which rank was watched, which is how the run was set up and not what came out of it.
 * Pages of pre-training frameworks print what the allocator holds. */
static double peak_bytes(const gp_run_row *run, const gp_memory *memory) {
    bool tensors =
        gp_words_has(run->measure, "allocated") || gp_words_has(run->measure, "theoretical");
    if (tensors)
        return gp_words_has(run->notes, "LAST rank") ? memory->last_tensor_bytes
                                                     : memory->tensor_bytes;
    return gp_words_has(run->measure, "nvidia_smi") ? memory->device_bytes : memory->reserved_bytes;
}

/* What a point of a refit is estimated from. */
typedef struct peak_subject {
    const gp_run_row *run;
    gp_fit_case c;
    gp_machine machine;
} peak_subject;

static gp_memory memory_of(const gp_fitter *fitter, const peak_subject *s) {
    gp_train_job job = gp_fit_job(fitter, &s->c);
    gp_memory memory;
    gp_train_memory(&job, &s->machine, &s->c.layout, &fitter->constants, 0, NULL, &memory);
    return memory;
}

static double estimate_peak(const gp_fitter *fitter, const void *subject) {
    const peak_subject *s = subject;
    const gp_memory memory = memory_of(fitter, s);
    return peak_bytes(s->run, &memory) / bytes_per_gib;
}

static gp_backtest_row new_row(const gp_run_row *run, const gp_fit_model *model, const char *metric,
                               double measured, const char *why) {
    gp_backtest_row row = gp_fit_row(run, class_of(run), metric, measured, why);
    row.shape = model == NULL ? row.shape : model->key;
    return row;
}

static void add_fit(gp_fitter *fitter, gp_fit_rows *rows, gp_backtest_row row, gp_fit fit,
                    const char *note) {
    row.is_fit = true;
    if (row.reason == NULL) {
        row.status = GP_BACKTEST_SCORED;
        row.estimated = fit == GP_FIT_NOT ? 0 : 1;
        row.borderline = fit == GP_FIT_BORDERLINE;
        row.reason = note;
    }
    gp_fit_rows_add(fitter, rows, &row, NULL);
}

/* Memory that a GPU of unknown kind offers, where the row says so. */
static void set_capacity(const gp_run_row *run, gp_machine *machine) {
    if (run->usable_gib > 0)
        machine->hbm_bytes = run->usable_gib * bytes_per_gib;
}

/* Columns that speak of offload in words that set no part of it. */
static const char *offload_why(const gp_run_row *run) {
    bool none = run->offload == NULL || gp_words_has(run->offload, "none") ||
                gp_words_has(run->offload, "=False") || gp_words_starts(run->offload, "cpu");
    return none ? NULL : "offload to the host";
}

/* A vision tower stands in the name and not in the columns; a figure without any configuration
 * cannot be judged. */
static const char *open_why(const gp_run_row *run) {
    bool vision = gp_words_has(run->model, "vlm") && run->layers > 0;
    bool pattern = gp_words_starts(run->model, "hybrid") && gp_words_has(run->notes, "L=?");
    bool bare = gp_str_equal(run->kind, "pretrain") && run->gpus <= 0 && run->tp <= 0 &&
                run->pp <= 0 && run->dp <= 0 && run->micro_batch <= 0 && run->sequence_length <= 0;
    return pattern  ? "layers of the hybrid not stated"
           : vision ? "shape of the vision tower not stated"
           : bare   ? "neither GPUs, batch nor sequence stated"
                    : NULL;
}

static void score_training(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows) {
    peak_subject *s = GP_NEW(fitter->arena, peak_subject);
    gp_fit_case_of(fitter, run, &s->c);
    gp_fit_case *c = &s->c;
    const char *why = gp_fit_remark(fitter->arena, c->unsupported, offload_why(run));
    why = why != NULL ? why : open_why(run);
    s->run = run;
    if (why == NULL) {
        s->machine = *c->machine;
        set_capacity(run, &s->machine);
        set_operators(run, c);
        set_states(run, c);
        set_block(run, c);
        set_micro_batches(c);
    }
    if (run->peak_gib > 0) {
        gp_backtest_row row = new_row(run, c->model, "peak_mem_gib_per_gpu", run->peak_gib, why);
        gp_fit_point point = {
            .shape = row.shape, .measured = row.measured, .subject = s, .estimate = estimate_peak};
        if (why == NULL)
            gp_fit_row_estimate(&row, estimate_peak(fitter, s), memory_of(fitter, s).error_fraction,
                                c->note);
        gp_fit_rows_add(fitter, rows, &row, is_small(run) ? NULL : &point);
    }
    bool ran = gp_str_equal(run->outcome, "fits");
    bool failed = gp_str_equal(run->outcome, "oom");
    if ((ran || failed)) {
        gp_backtest_row row = new_row(run, c->model, "fits", ran ? 1 : 0, why);
        add_fit(fitter, rows, row, why == NULL ? memory_of(fitter, s).fit : GP_FIT_NOT, c->note);
    }
}

static gp_format weight_format(const gp_run_row *run, const gp_model *model) {
    bool fp8 = gp_words_has(run->model, "fp8") || gp_words_has(run->notes, "quant=fp8") ||
               gp_words_starts(run->precision, "fp8");
    bool given = GP_GIVEN(&model->weights, gp_weights, format);
    gp_format stored = given ? (gp_format)model->weights.format : GP_FORMAT_BF16;
    if (run->quant_bits > 0 && stored == GP_FORMAT_BF16)
        return run->quant_bits < 8 ? GP_FORMAT_INT4 : fp8 ? GP_FORMAT_FP8 : GP_FORMAT_INT8;
    if (stored == GP_FORMAT_BF16)
        return fp8                                          ? GP_FORMAT_FP8
               : gp_words_starts(run->precision, "float32") ? GP_FORMAT_FP32
                                                            : stored;
    return stored;
}

static gp_serve_job serve_job(const gp_run_row *run, const gp_fit_model *model) {
    bool fp8_cache = gp_words_has(run->precision, "kv=fp8");
    return (gp_serve_job){
        .shape = &model->shape,
        .compute = GP_PRECISION_BF16,
        .weights = weight_format(run, &model->model),
        .quantized_fraction = model->model.weights.quantized_fraction,
        .kv_cache = fp8_cache                                  ? GP_FORMAT_FP8
                    : gp_words_has(run->precision, "float32 ") ? GP_FORMAT_FP32
                                                               : GP_FORMAT_BF16,
        .input_tokens = gp_num_max(1, run->sequence_length),
        .output_tokens = 1,
        .branches = 1,
        .speed_factor = 1,
    };
}

typedef struct serve_figures {
    double weights_gib, kv_tokens, peak_gib;
} serve_figures;

static void serve_estimate(gp_fitter *fitter, const gp_run_row *run, const gp_fit_model *model,
                           const gp_machine *machine, serve_figures *ret_figures) {
    gp_serve_memory memory;
    gp_serve_job job = serve_job(run, model);
    gp_fit_engine(fitter, run, machine->gpu, &job);
    gp_serve_layout layout = {.tp = (int64_t)gp_num_max(1, run->tp),
                              .pp = (int64_t)gp_num_max(1, run->pp),
                              .ep = (int64_t)gp_num_max(1, run->ep)};
    gp_serve_memory_of(&job, machine, &layout, &fitter->constants, 0, NULL, &memory);
    *ret_figures = (serve_figures){
        .weights_gib = memory.memory.bytes[GP_MEMORY_WEIGHTS] / bytes_per_gib,
        .kv_tokens = memory.kv_pool_tokens,
        .peak_gib = memory.memory.total_bytes / bytes_per_gib,
    };
}

static void score_inference(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows) {
    gp_machine machine = {0};
    serve_figures figures = {0};
    const char *why = NULL;
    const gp_fit_model *model = gp_fit_model_of(fitter, run, &why);
    const gp_fit_hardware hardware = gp_fit_hardware_of(fitter, run);
    if (hardware.machine != NULL)
        machine = *hardware.machine;
    set_capacity(run, &machine);
    const char *pool_why = why != NULL             ? why
                           : machine.hbm_bytes > 0 ? NULL
                                                   : "memory of the GPU not known";
    if (why == NULL)
        serve_estimate(fitter, run, model, &machine, &figures);
    const struct {
        const char *metric, *why;
        double measured, estimated, error;
    } metrics[] = {
        {"weights_gib", why, gp_notes_number(run->components, "weights"), figures.weights_gib,
         fitter->constants.plan_band_memory_weights_fraction},
        {"kv_cache_tokens", pool_why, run->kv_tokens, figures.kv_tokens,
         fitter->constants.plan_band_memory_pool_fraction},
        {"peak_mem_gib_per_gpu", pool_why, run->peak_gib, figures.peak_gib,
         fitter->constants.plan_band_memory_serving_fraction},
    };
    for (size_t i = 0; i < GP_COUNT_OF(metrics); i++) {
        if (metrics[i].measured > 0) {
            gp_backtest_row row =
                new_row(run, model, metrics[i].metric, metrics[i].measured, metrics[i].why);
            gp_fit_row_estimate(
                &row, metrics[i].estimated, metrics[i].error,
                gp_fit_remark(fitter->arena, model == NULL ? NULL : model->note, hardware.note));
            gp_fit_rows_add(fitter, rows, &row, NULL);
        }
    }
}

void gp_fit_score_memory(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows) {
    if (gp_str_equal(run->kind, "inference"))
        score_inference(fitter, run, rows);
    else
        score_training(fitter, run, rows);
}
