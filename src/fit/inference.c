/*
 * Measured serving beside the estimate: one replica driven by as many requests as the run had in
 * flight, each replaced when it ends; where everything was queued at once, as many as fit.
 */
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "fit/fitter.h"
#include "fit/words.h"

static const double milliseconds_per_s = 1000; // definition

// Computation and storage that a word for the weights stands for; the longer word comes first.
static const struct {
    const char *word;
    gp_precision compute;
    gp_format weights;
} formats[] = {
    {"fp8_block", GP_PRECISION_FP8, GP_FORMAT_FP8_BLOCK},
    {"mxfp4", GP_PRECISION_BF16, GP_FORMAT_MXFP4},
    {"nvfp4", GP_PRECISION_FP4, GP_FORMAT_NVFP4},
    {"int4", GP_PRECISION_BF16, GP_FORMAT_INT4},
    {"w4a16", GP_PRECISION_BF16, GP_FORMAT_INT4},
    {"int8", GP_PRECISION_INT8, GP_FORMAT_INT8},
    {"fp8", GP_PRECISION_FP8, GP_FORMAT_FP8},
    {"fp16", GP_PRECISION_FP16, GP_FORMAT_FP16},
    {"bf", GP_PRECISION_BF16, GP_FORMAT_BF16},
};

typedef struct serve_case {
    gp_serve_job job;
    gp_serve_layout layout;
    gp_serve_memory memory;
    double replicas;
    double concurrency;    // of one replica
    double requests_per_s; // the same; 0: driven by concurrency
} serve_case;

static bool set_formats(const gp_run_row *run, gp_serve_job *job) {
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (gp_words_has(run->precision, formats[i].word)) {
            job->compute = formats[i].compute;
            job->weights = formats[i].weights;
            return true;
        }
    }
    return false;
}

static const char *set_layout(const gp_run_row *run, serve_case *c) {
    double tp = gp_num_max(1, run->tp);
    double pp = gp_num_max(1, run->pp);
    double gpus = gp_num_max(1, run->gpus);
    bool open = run->tp <= 0 && run->pp <= 0 && run->dp <= 0;
    if (open) {
        tp = gpus;
    } else if (run->ep > tp) {
        tp = gp_num_min(gpus, run->ep); // attention is replicated, experts are shared by all
    }
    c->replicas = gpus / (tp * pp);
    c->layout = (gp_serve_layout){
        .tp = (int64_t)tp, .pp = (int64_t)pp, .ep = (int64_t)gp_num_max(1, run->ep)};
    return c->replicas >= 1 && gp_num_is_count(c->replicas) ? NULL
                                                            : "TP x PP does not divide the GPUs";
}

static const char *set_job(const gp_run_row *run, const gp_fit_model *model, serve_case *c) {
    c->job = (gp_serve_job){
        .shape = &model->shape,
        .quantized_fraction = model->model.weights.quantized_fraction,
        .kv_cache = gp_words_has(run->kv_precision, "fp8") ? GP_FORMAT_FP8 : GP_FORMAT_BF16,
        .input_tokens = run->input_tokens,
        .output_tokens = run->output_tokens,
        .branches = 1,
        .speed_factor = 1,
    };
    if (run->input_tokens <= 0 || run->output_tokens <= 0) {
        return "lengths not stated";
    }
    return set_formats(run, &c->job) ? set_layout(run, c) : "precision not stated";
}

static double stated_rate(const gp_run_row *run) {
    const char *text = run->request_rate == NULL ? "" : run->request_rate;
    double rate = 0;
    return gp_num_parse(text, strlen(text), &rate) && rate > 0 ? rate : 0;
}

static const char *prepare(gp_fitter *fitter, const gp_run_row *run, const gp_fit_model *model,
                           const gp_fit_hardware *hardware, serve_case *c) {
    const char *why = set_job(run, model, c);
    if (why != NULL) {
        return why;
    }
    if (hardware->machine->efficiency[c->job.compute] == NULL) {
        c->job.compute = GP_PRECISION_BF16; // the weights alone are stored that way
    }
    if (hardware->machine->efficiency[c->job.compute] == NULL) {
        return "no rate of this precision known for this GPU";
    }
    gp_serve_memory_of(&c->job, hardware->machine, &c->layout, &fitter->constants, 0, NULL,
                       &c->memory);
    double most = gp_num_min(c->memory.max_concurrency, c->memory.max_sequences);
    bool queued = gp_words_starts(run->mode, "offline") ||
                  (run->batch <= 0 && gp_words_starts(run->request_rate, "inf"));
    c->concurrency = queued ? most : run->batch / c->replicas;
    if (!queued && run->batch <= 0) {
        c->requests_per_s = stated_rate(run) / c->replicas;
    }
    if (c->concurrency <= 0 && c->requests_per_s <= 0) {
        return queued ? "does not fit" : "concurrency not stated";
    }
    return c->memory.max_concurrency > 0 ? NULL : "does not fit";
}

static const char *class_of(const gp_run_row *run, const gp_fit_model *model) {
    if (gp_words_starts(run->mode, "offline")) {
        return "offline";
    }
    if (gp_words_starts(run->mode, "static")) {
        return "staticBatch";
    }
    return model != NULL && model->shape.moe ? "onlineMoe" : "onlineDense";
}

static gp_status add_rows(gp_fitter *fitter, const gp_run_row *run, const gp_fit_model *model,
                          const gp_serve_point *point, const serve_case *c, const char *why,
                          const char *note, gp_fit_rows *rows) {
    double per_gpu = gp_num_max(1, (double)c->layout.tp * (double)c->layout.pp);
    double output = point->output_tokens_per_s / per_gpu;
    double total = output * (1 + run->input_tokens / gp_num_max(1, run->output_tokens));
    const struct {
        const char *metric;
        double measured, estimated;
    } metrics[] = {
        {"tpot_ms", run->tpot_ms, point->tpot_s * milliseconds_per_s},
        {"ttft_ms", run->ttft_ms, point->ttft_s * milliseconds_per_s},
        {"output_tokens_per_s_per_gpu", run->output_rate, output},
        {"total_tokens_per_s_per_gpu", run->total_rate, total},
    };
    gp_status st = GP_OK;
    for (size_t i = 0; st == GP_OK && i < sizeof metrics / sizeof metrics[0]; i++) {
        if (metrics[i].measured <= 0) {
            continue;
        }
        gp_backtest_row row =
            gp_fit_row(run, class_of(run, model), metrics[i].metric, metrics[i].measured, why);
        row.shape = model == NULL ? row.shape : model->key;
        gp_fit_row_estimate(&row, metrics[i].estimated, 0, note);
        st = gp_fit_rows_add(fitter, rows, &row, NULL);
    }
    return st;
}

gp_status gp_fit_score_inference(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows) {
    const gp_fit_model *model = NULL;
    gp_fit_hardware hardware = {0};
    gp_serve_point point = {0};
    serve_case c = {.layout = {.tp = 1, .pp = 1, .ep = 1}};
    const char *why = NULL;
    gp_status st = gp_fit_model_of(fitter, run, &model, &why);
    if (st == GP_OK) {
        st = gp_fit_hardware_of(fitter, run, &hardware);
    }
    if (st != GP_OK) {
        return st;
    }
    why = gp_fit_remark(fitter->arena, why, hardware.why);
    if (why == NULL) {
        why = prepare(fitter, run, model, &hardware, &c);
    }
    if (why == NULL && c.requests_per_s > 0) {
        gp_serve_load(&c.job, hardware.machine, &hardware.network, &c.layout, &fitter->constants,
                      &c.memory, c.requests_per_s, NULL, &point);
    } else if (why == NULL) {
        gp_serve_closed_loop(&c.job, hardware.machine, &hardware.network, &c.layout,
                             &fitter->constants, &c.memory, c.concurrency, NULL, &point);
    }
    if (why == NULL && !(point.output_tokens_per_s > 0)) {
        why = "no steady state found";
    }
    return add_rows(fitter, run, model, &point, &c, why, hardware.note, rows);
}
