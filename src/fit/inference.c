/*
 * Measured serving beside the estimate: one replica driven by as many requests as the run had in
 * flight, each replaced when it ends; where everything was queued at once, as many as fit.
 */
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "fit/fitter.h"
#include "fit/words.h"

static const double milliseconds_per_s = 1000; /* definition */
static const double ln_2 = 0.693147180559945;  /* definition */
/* Noise over that of a training run: pages state less of a serving run than of a training run, and
 * time to first token scatters far more than time per token, and is queueing beyond a few
 * requests. */
static const double ttft_noise = 2.5;
static const double rate_noise = 1.5;
/* A rate beside a time per token says little that the time does not. */
static const double loose_noise = 4;
static const double few_requests = 16;

/* Computation and storage that a word for the weights stands for. The word that comes first in a
 * cell decides, of two at one place the longer one. */
static const struct {
    const char *word;
    gp_precision compute;
    gp_format weights;
} formats[] = {
    {"fp8/moe:fp8_block", GP_PRECISION_FP8, GP_FORMAT_FP8_BLOCK},
    {"fp8_block", GP_PRECISION_FP8, GP_FORMAT_FP8_BLOCK},
    {"mxfp8", GP_PRECISION_FP8, GP_FORMAT_FP8_BLOCK},
    {"mxfp4", GP_PRECISION_BF16, GP_FORMAT_MXFP4},
    {"nvfp4", GP_PRECISION_FP4, GP_FORMAT_NVFP4},
    {"int4", GP_PRECISION_BF16, GP_FORMAT_INT4},
    {"w4a16", GP_PRECISION_BF16, GP_FORMAT_INT4},
    {"int8", GP_PRECISION_INT8, GP_FORMAT_INT8},
    {"fp4", GP_PRECISION_FP4, GP_FORMAT_NVFP4},
    {"fp8", GP_PRECISION_FP8, GP_FORMAT_FP8},
    {"fp16", GP_PRECISION_FP16, GP_FORMAT_FP16},
    {"bf", GP_PRECISION_BF16, GP_FORMAT_BF16},
};

/* Engines as tables name them, and the catalogue's name of each. */
static const struct {
    const char *word;
    const char *stack;
} engines[] = {
    {"tensorrt", "tensorrt-llm"},
    {"sglang", "sglang"},
    {"llama.cpp", "llama.cpp"},
    {"vllm tpu", "vllm-tpu"},
    {"jetstream", "jetstream"},
    {"habana", "optimum-habana"},
    {"deepspeed", "deepspeed"},
    {"neuronx", "neuronx"},
    {"nxd", "neuronx"},
    {"atom", "atom"},
    {"vllm", "vllm"},
};

enum { RATE_STEPS = 24 };

typedef struct serve_case {
    gp_serve_job job;
    gp_serve_layout layout;
    gp_serve_memory memory;
    const gp_machine *machine;
    gp_network network;
    const gp_stack *stack; /* NULL: not known */
    double replicas;
    double concurrency;    /* of one replica; 0: as many as fit, or driven by a rate */
    double requests_per_s; /* the same */
    double requests;       /* of the whole run; 0: not stated */
    bool queued;           /* all requests at once */
    bool unstated;         /* prompts of a length that is not told */
    bool output_unstated;
    bool images, videos; /* in the prompts, of a size that is not told */
    bool code;           /* prompts are source code to be completed */
    bool median;         /* time per token is the median of single steps */
    bool prefill_only;
} serve_case;

typedef enum serve_metric {
    METRIC_TPOT,
    METRIC_TTFT,
    METRIC_OUTPUT,
    METRIC_TOTAL,
    METRIC_COUNT
} serve_metric;

/* One figure of a case, as a refit asks for it. */
typedef struct serve_figure {
    const serve_case *c;
    serve_metric metric;
} serve_figure;

static bool set_formats(const gp_run_row *run, gp_serve_job *job) {
    const char *best = NULL;
    for (size_t i = 0; i < GP_COUNT_OF(formats); i++) {
        const char *at = gp_str_find_nocase(run->precision, formats[i].word);
        if (at != NULL && (best == NULL || at < best)) {
            best = at;
            job->compute = formats[i].compute;
            job->weights = formats[i].weights;
        }
    }
    /* A format that the GPU has no instructions for is unpacked to 16 bit. */
    job->emulated = gp_words_has(run->precision, "emulated");
    job->compute = job->emulated ? GP_PRECISION_BF16 : job->compute;
    return best != NULL;
}

static bool is_narrow(gp_format format) {
    return format != GP_FORMAT_BF16 && format != GP_FORMAT_FP16 && format != GP_FORMAT_FP32;
}

/* Checkpoints quantised for TensorRT-LLM carry scales for an 8-bit cache, which it then uses; on
 * GPUs with 4-bit arithmetic all engines are served with one, where the weights are narrow. */
static gp_format cache_format(const gp_run_row *run, const gp_machine *machine,
                              const gp_stack *stack, gp_format weights) {
    bool stated = run->kv_precision != NULL && run->kv_precision[0] != '\0';
    bool new = machine->peak_flop_per_s[GP_PRECISION_FP4] > 0;
    bool own =
        is_narrow(weights) && (new || (stack != NULL && gp_str_equal(stack->name, "tensorrt-llm")));
    if (gp_words_has(run->kv_precision, "fp8") || gp_words_has(run->kv_precision, "int8"))
        return GP_FORMAT_FP8;
    return !stated && own ? GP_FORMAT_FP8 : GP_FORMAT_BF16;
}

static const gp_stack *stack_of(const gp_fitter *fitter, const gp_run_row *run, const gp_gpu *gpu) {
    for (size_t i = 0; i < GP_COUNT_OF(engines); i++)
        if (gp_words_has(run->engine, engines[i].word))
            return gp_fit_serving_stack(fitter, engines[i].stack, run, gpu);
    return NULL;
}

bool gp_fit_serving_formats(const gp_fitter *fitter, const gp_run_row *run,
                            const gp_machine *machine, gp_serve_job *job,
                            const gp_stack **ret_stack) {
    *ret_stack = stack_of(fitter, run, machine->gpu);
    bool known = set_formats(run, job);
    job->kv_cache = cache_format(run, machine, *ret_stack, job->weights);
    return known;
}

/* Experts over more ranks than share the attention: its groups serve sequences of their own. */
static bool has_groups(const gp_run_row *run, const gp_fit_model *model, double tp) {
    bool spread = run->ep > tp || run->moe_tp > tp;
    return model->shape.moe && run->dp > 1 && spread;
}

static const char *set_layout(const gp_run_row *run, const gp_fit_model *model, serve_case *c) {
    double gpus = gp_num_max(1, run->gpus);
    double pp = gp_num_max(1, run->pp);
    double tp = gp_num_min(gp_num_max(1, run->tp), gpus); /* cores of a chip count as one */
    bool open = run->tp <= 0 && run->pp <= 0 && run->dp <= 0;
    bool in_turn = c->stack != NULL && gp_str_equal(c->stack->name, "llama.cpp");
    if (run->ep > tp && run->dp <= 1) {
        tp =
            gp_num_max(tp, gp_num_min(run->ep, gpus / pp)); /* the experts' ranks share attention */
    }
    if (in_turn) {
        tp = 1; /* layers are split over the GPUs, which work one after the other */
        pp = gpus;
    } else if (open) {
        tp = gp_num_max(1, gpus / pp);
    }
    c->layout = (gp_serve_layout){
        .tp = (int64_t)tp, .pp = (int64_t)pp, .ep = (int64_t)gp_num_max(1, run->ep)};
    if (has_groups(run, model, tp)) {
        c->layout.attention_dp = (int64_t)gp_num_max(1, gpus / (tp * pp));
        c->layout.ep = run->ep > 1 ? c->layout.tp * c->layout.attention_dp : 1;
    }
    c->replicas = gpus / (double)gp_serve_layout_gpus(&c->layout);
    return c->replicas >= 1 && gp_num_is_count(c->replicas) ? NULL
                                                            : "TP x PP does not divide the GPUs";
}

/* "MTP3", "MTP 3": tokens guessed ahead; where a draft is named but no number, as many as usual. */
static double stated_draft(const gp_run_row *run) {
    static const double usual = 3;
    const char *at = gp_str_find_nocase(run->notes, "MTP");
    if (at == NULL)
        return gp_words_has(run->spec_decode, "mtp") ||
                       gp_words_has(run->notes, "fused speculative") ||
                       gp_words_has(run->notes, "EAGLE")
                   ? usual
                   : 0;
    at += strlen("MTP");
    at += *at == ' ' ? 1 : 0;
    return *at >= '1' && *at <= '9' ? (double)(*at - '0') : usual;
}

/* The number before a word among the remarks. */
static double number_before(const char *notes, const char *word) {
    const char *end = gp_str_find_nocase(notes, word);
    const char *at = end;
    double value = 0;
    while (at != NULL && at > notes && at[-1] >= '0' && at[-1] <= '9')
        at--;
    return at != NULL && at < end && gp_num_parse(at, (size_t)(end - at), &value) ? value : 0;
}

/* Requests of the whole run. */
static double stated_requests(const gp_run_row *run) {
    double requests = number_before(run->notes, " requests");
    requests = requests > 0 ? requests : number_before(run->notes, " prompts");
    return requests > 0 ? requests : gp_words_number(run->notes, "prompts") * run->batch;
}

/* Time per token is the median of single steps. */
static bool tells_median(const gp_run_row *run) {
    return gp_words_has(run->notes, "avg batch");
}

/* Requests of a fixed number in flight and of one length come in waves. */
static bool is_lockstep(const gp_run_row *run) {
    return run->batch > 0 && gp_words_has(run->notes, "fixed lengths");
}

static const char *set_job(const gp_run_row *run, const gp_fit_model *model, serve_case *c) {
    c->job = (gp_serve_job){
        .shape = &model->shape,
        .quantized_fraction = model->model.weights.quantized_fraction,
        .input_tokens = gp_num_max(run->input_tokens, 1),
        .output_tokens = gp_num_max(run->output_tokens, 1),
        .branches = 1,
        .speed_factor = 1,
    };
    c->unstated = run->input_text == NULL;
    c->images = c->unstated && gp_words_has(run->notes, "image-chat");
    c->videos = c->unstated && gp_words_has(run->notes, "video-chat");
    c->prefill_only = run->output_tokens <= 0 && run->input_tokens > 0;
    c->median = tells_median(run);
    c->code = c->unstated && gp_words_has(run->notes, "fim");
    c->requests = stated_requests(run);
    c->job.wave_fraction = c->requests > 0 ? gp_num_min(run->batch / c->requests, 1) : 0;
    c->job.draft_tokens = stated_draft(run);
    c->job.direct = gp_words_starts(run->mode, "static");
    c->job.lockstep = is_lockstep(run);
    c->output_unstated = run->output_tokens <= 0 && !c->prefill_only;
    if (!set_formats(run, &c->job))
        return "precision not stated";
    c->job.kv_cache = cache_format(run, c->machine, c->stack, c->job.weights);
    return set_layout(run, model, c);
}

static double stated_rate(const gp_run_row *run) {
    const char *text = run->request_rate == NULL ? "" : run->request_rate;
    double rate = 0;
    return gp_num_parse(text, strlen(text), &rate) && rate > 0 ? rate : 0;
}

/* An engine that was given so many requests at once was set up for them. */
static void set_limit(const gp_run_row *run, serve_case *c) {
    bool all = gp_words_starts(run->mode, "offline") || gp_words_starts(run->mode, "static");
    double limit = gp_num_max(gp_words_number(run->notes, "max-num-seqs"),
                              gp_words_number(run->notes, "max_num_seqs"));
    limit = limit > 0 ? limit : gp_words_number(run->notes, "(max");
    c->job.max_sequences = limit > 0 ? limit : all ? run->batch / c->replicas : 0;
}

/* What a run that was measured shows: that so many fitted. */
static void admit(serve_case *c) {
    double fitted = gp_num_max(c->concurrency, 1);
    if (c->memory.max_concurrency < 1)
        c->memory.max_concurrency = fitted;
    if (c->median) {
        c->job.max_sequences = fitted;
        c->memory.max_sequences = fitted;
        c->memory.max_concurrency = gp_num_max(c->memory.max_concurrency, 2 * fitted);
    }
}

/* Sequences that a replica must hold at least for its layout to be taken where a run states
 * none. */
static const double enough_sequences = 32;

/* A run that states no split is taken to use the fewest GPUs per replica that hold its
 * sequences. */
static void close_layout(const gp_fitter *fitter, const gp_run_row *run, serve_case *c) {
    gp_serve_job job = c->job;
    bool open = run->tp <= 0 && run->pp <= 0 && run->dp <= 0 && run->ep <= 0;
    int64_t gpus = c->layout.tp;
    double stated = c->replicas;
    gp_serve_apply_stack(&job, c->stack);
    for (int64_t tp = open ? 1 : gpus; tp <= gpus; tp *= 2) {
        if (gpus % tp == 0) {
            c->layout.tp = tp;
            c->replicas = stated * ((double)gpus / (double)tp);
        }
        gp_serve_memory_of(&job, c->machine, &c->layout, &fitter->constants, 0, NULL, &c->memory);
        if (gp_serve_admitted(&job, &c->memory) >= enough_sequences)
            break;
    }
    c->concurrency = run->batch / c->replicas;
    c->requests_per_s /= c->replicas / stated;
}

static const char *prepare(gp_fitter *fitter, const gp_run_row *run, const gp_fit_model *model,
                           const gp_fit_hardware *hardware, serve_case *c) {
    c->machine = hardware->machine;
    c->network = hardware->network;
    c->stack = stack_of(fitter, run, hardware->machine->gpu);
    const char *why = set_job(run, model, c);
    if (why != NULL)
        return why;
    if (c->machine->efficiency[c->job.compute] == NULL)
        c->job.compute = GP_PRECISION_BF16; /* the weights alone are stored that way */
    if (c->machine->efficiency[c->job.compute] == NULL)
        c->job.compute = GP_PRECISION_FP16;
    if (c->machine->efficiency[c->job.compute] == NULL)
        return "no rate of this precision known for this GPU";
    /* A run that states neither a batch nor a rate is one that was driven as far as it would go. */
    c->requests_per_s = run->batch > 0 ? 0 : stated_rate(run) / c->replicas;
    c->queued =
        gp_words_starts(run->mode, "offline") || (run->batch <= 0 && c->requests_per_s <= 0);
    c->requests_per_s = c->queued ? 0 : c->requests_per_s;
    set_limit(run, c);
    close_layout(fitter, run, c);
    admit(c);
    return NULL;
}

/* Requests of the whole run. */
static double requests_of(const gp_fitter *fitter, const serve_case *c) {
    return c->requests > 0 ? c->requests / c->replicas : fitter->constants.serving_queue_sequences;
}

static double queue_limit(const serve_case *c, const gp_serve_job *job) {
    double most = gp_serve_admitted(job, &c->memory);
    return c->concurrency > 0 ? gp_num_min(most, c->concurrency) : most;
}

/* All at once: as many as fit, and fewer while the end of the queue drains. */
static double queued_sequences(const gp_fitter *fitter, const serve_case *c,
                               const gp_serve_job *job) {
    double most = queue_limit(c, job);
    double queue = requests_of(fitter, c);
    return most / (1 + 0.5 * most / queue);
}

/* Requests in flight of a run of few requests at a rate: it lasts from the first arrival to the
 * last answer, which is what the mean is taken over. Below what the replica can serve and with many
 * requests this is Little's law. */
static double driven_sequences(const gp_fitter *fitter, const serve_case *c,
                               const gp_serve_job *job) {
    double requests = requests_of(fitter, c);
    double concurrency = 1;
    for (int i = 0; i < RATE_STEPS; i++) {
        gp_serve_point point;
        gp_serve_closed_loop(job, c->machine, &c->network, &c->layout, &fitter->constants,
                             &c->memory, concurrency, NULL, &point);
        double flow = c->requests_per_s * point.e2e_s;
        concurrency = 0.5 * (concurrency + flow / (1 + flow / requests));
    }
    return concurrency;
}

static void point_of(const gp_fitter *fitter, const serve_case *c, gp_serve_job *ret_job,
                     gp_serve_point *ret) {
    gp_serve_job job = c->job;
    gp_serve_apply_stack(&job, c->stack);
    job.sequence_s = c->median ? fitter->constants.serving_stream_s : 0;
    job.draft_acceptance_fraction = fitter->constants.serving_draft_acceptance_fraction;
    job.draft_cost_fraction = fitter->constants.serving_draft_cost_fraction;
    if (c->output_unstated)
        job.output_tokens = fitter->constants.serving_unstated_output_tokens;
    if (c->unstated) {
        job.image_tokens = c->images   ? fitter->constants.serving_image_tokens
                           : c->videos ? fitter->constants.serving_video_tokens
                                       : 0;
        job.input_tokens = c->code ? fitter->constants.serving_code_tokens
                                   : fitter->constants.serving_unstated_tokens + job.image_tokens;
    }
    double concurrency = c->queued ? queued_sequences(fitter, c, &job) : c->concurrency;
    *ret_job = job;
    if (c->requests_per_s > 0)
        concurrency = driven_sequences(fitter, c, &job);
    gp_serve_closed_loop(&job, c->machine, &c->network, &c->layout, &fitter->constants, &c->memory,
                         concurrency, NULL, ret);
}

/* The median step has as many prompts in it as the median of a Poisson distribution, at least its
 * mean less ln 2. */
static double median_step_s(const gp_serve_point *point, double output) {
    double prompts = point->batch / output;
    double share = prompts > 0 ? gp_num_max(1 - ln_2 / prompts, 0) : 0;
    return point->step_s + share * (point->tpot_s - point->step_s);
}

/* Of requests that are there at once each sees the prompts behind its own: of a run of one batch
 * half of it, of many batches one in the mean. */
static double queued_step_s(const gp_fitter *fitter, const serve_case *c, const gp_serve_job *job,
                            const gp_serve_point *point) {
    double most = queue_limit(c, job);
    double batches = gp_num_max(requests_of(fitter, c) / most, 1);
    return point->step_s + (1 - 0.5 / batches) * (point->tpot_s - point->step_s);
}

static void figures_of(const gp_fitter *fitter, const serve_case *c, double *ret_figures) {
    gp_serve_job job;
    gp_serve_point point = {0};
    point_of(fitter, c, &job, &point);
    double gpus = (double)gp_serve_layout_gpus(&c->layout);
    double output = point.output_tokens_per_s / gpus;
    double tpot = c->median   ? median_step_s(&point, job.output_tokens)
                  : c->queued ? queued_step_s(fitter, c, &job, &point)
                              : point.tpot_s;
    ret_figures[METRIC_TPOT] = tpot * milliseconds_per_s;
    ret_figures[METRIC_TTFT] = point.ttft_s * milliseconds_per_s;
    ret_figures[METRIC_OUTPUT] = output;
    ret_figures[METRIC_TOTAL] = output * (1 + job.input_tokens / job.output_tokens);
}

static double estimate_figure(const gp_fitter *fitter, const void *subject) {
    const serve_figure *figure = subject;
    double figures[METRIC_COUNT];
    figures_of(fitter, figure->c, figures);
    return figures[figure->metric];
}

static const char *class_of(const gp_run_row *run, const gp_fit_model *model, bool queueing) {
    if (gp_words_starts(run->mode, "offline"))
        return "offline";
    if (gp_words_starts(run->mode, "static"))
        return "staticBatch";
    if (queueing)
        return "onlineQueued";
    return model != NULL && model->shape.moe ? "onlineMoe" : "onlineDense";
}

/* Rates of a benchmark that rest on more than the time per token: on prompts that are not told, or
 * on how prompts and steps of routed experts meet. */
static bool is_open_rate(const serve_case *c, serve_metric metric) {
    bool rate = metric == METRIC_OUTPUT || metric == METRIC_TOTAL;
    return rate && !c->queued && !c->job.direct && (c->unstated || c->job.shape->moe);
}

/* Half width of the band around such a figure: that of reports, but for queueing and where a run
 * says more or less than a service has. */
static double band_of(const gp_fitter *fitter, const serve_case *c, serve_metric metric,
                      bool queueing) {
    const gp_constants *constants = &fitter->constants;
    if (c->job.shape == NULL)
        return 0;
    bool prompts = metric == METRIC_TTFT || (metric == METRIC_TOTAL && c->prefill_only);
    if (prompts && c->job.direct)
        return metric == METRIC_TTFT ? constants->plan_band_ttft_lone_fraction
                                     : constants->plan_band_ttft_fraction;
    if (metric == METRIC_TTFT)
        return queueing ? constants->plan_band_ttft_queued_fraction
                        : gp_serve_ttft_band(&c->job, constants);
    return is_open_rate(c, metric) ? constants->plan_band_rate_fraction
                                   : gp_serve_band(&c->job, c->machine, constants);
}

/* What of a run the constants are fitted to: rates only where there is no time per token. */
static bool is_fitted(const gp_run_row *run, serve_metric metric) {
    switch (metric) {
    case METRIC_TPOT: return true;
    case METRIC_TTFT: return run->batch > 0 && (run->batch <= few_requests || is_lockstep(run));
    case METRIC_OUTPUT: return run->tpot_ms <= 0 || !tells_median(run);
    case METRIC_TOTAL: return run->tpot_ms <= 0 && run->output_rate <= 0;
    case METRIC_COUNT: break;
    }
    return false;
}

static double noise_of(const gp_run_row *run, serve_metric metric) {
    if (metric == METRIC_OUTPUT && run->tpot_ms > 0)
        return loose_noise;
    bool queues = metric == METRIC_TTFT && !gp_words_starts(run->mode, "static");
    return queues ? ttft_noise : rate_noise;
}

static void add_figure(gp_fitter *fitter, const gp_run_row *run, const gp_fit_model *model,
                       const serve_case *c, serve_metric metric, gp_backtest_row *row,
                       gp_fit_rows *rows) {
    serve_figure *figure = GP_NEW(fitter->arena, serve_figure);
    *figure = (serve_figure){.c = c, .metric = metric};
    gp_fit_point point = {
        .shape = model == NULL ? NULL : model->key,
        .measured = row->measured,
        .noise = noise_of(run, metric),
        .serving = true,
        .subject = is_fitted(run, metric) ? figure : NULL,
        .estimate = estimate_figure,
    };
    gp_fit_rows_add(fitter, rows, row, &point);
}

static void add_rows(gp_fitter *fitter, const gp_run_row *run, const gp_fit_model *model,
                     const serve_case *c, const char *why, const char *note, gp_fit_rows *rows) {
    static const char *const names[METRIC_COUNT] = {
        [METRIC_TPOT] = "tpot_ms",
        [METRIC_TTFT] = "ttft_ms",
        [METRIC_OUTPUT] = "output_tokens_per_s_per_gpu",
        [METRIC_TOTAL] = "total_tokens_per_s_per_gpu",
    };
    const double measured[METRIC_COUNT] = {run->tpot_ms, run->ttft_ms, run->output_rate,
                                           run->total_rate};
    double figures[METRIC_COUNT] = {0};
    if (why == NULL) {
        figures_of(fitter, c, figures);
        why = figures[METRIC_OUTPUT] > 0 ? NULL : "no steady state found";
    }
    for (int i = 0; i < METRIC_COUNT; i++) {
        bool queueing = i == METRIC_TTFT && !(run->batch > 0 && run->batch <= few_requests);
        if (measured[i] <= 0)
            continue;
        gp_backtest_row row =
            gp_fit_row(run, class_of(run, model, queueing), names[i], measured[i], why);
        row.shape = model == NULL ? row.shape : model->key;
        gp_fit_row_estimate(&row, figures[i], band_of(fitter, c, (serve_metric)i, queueing), note);
        add_figure(fitter, run, model, c, (serve_metric)i, &row, rows);
    }
}

void gp_fit_score_inference(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows) {
    serve_case *c = GP_NEW(fitter->arena, serve_case);
    const char *why = NULL;
    const gp_fit_model *model = gp_fit_model_of(fitter, run, &why);
    const gp_fit_hardware hardware = gp_fit_hardware_of(fitter, run);
    why = gp_fit_remark(fitter->arena, why, hardware.why);
    if (why == NULL)
        why = prepare(fitter, run, model, &hardware, c);
    const char *note =
        gp_fit_remark(fitter->arena, hardware.note, model == NULL ? NULL : model->note);
    if (c->unstated || c->output_unstated)
        note = gp_fit_remark(fitter->arena, note, "lengths of chat where they are not stated");
    add_rows(fitter, run, model, c, why, note, rows);
}
