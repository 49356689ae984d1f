/*
 * Other kinds of work beside the estimate: what reads and writes nothing (embeddings, rerankers,
 * encoders of questions), pictures and clips, speech, recommenders and classifiers, driven as far
 * as they go. Rows of kinds that no estimator knows count as unsupported.
 */
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "estimate/serve.h"
#include "fit/words.h"
#include "lab/other_kinds.h"

static const double ms_per_s = 1000; /* definitions */
static const double bytes_per_gib = 1024. * 1024 * 1024;

/* How the rows of a kind of work are read and what they count as. */
typedef struct other_kind {
    const char *name; /* in the table */
    const char *class;
    gp_model_kind model;
} other_kind;

static const other_kind kinds[] = {
    {"embedding", "reading", GP_MODEL_TEXT},
    {"reranker", "reading", GP_MODEL_TEXT},
    {"encoder QA", "reading", GP_MODEL_TEXT},
    {"image generation", "pictures", GP_MODEL_PICTURES},
    {"video generation", "clips", GP_MODEL_PICTURES},
    {"speech to text", "speech", GP_MODEL_SPEECH},
    {"text to speech", "speaking", GP_MODEL_SPEECH},
    {"recommendation", "ranking", GP_MODEL_SCORES},
    {"object detection", "classifying", GP_MODEL_SCORES},
};

typedef struct other_case {
    const other_kind *kind;
    gp_serve_job job;
    gp_traffic traffic;
    const gp_machine *machine;
    gp_network network;
    gp_serve_layout layout;
    double replicas;
    double batch;       /* items that go through together; 0: not stated */
    double per_request; /* of the unit that the row counts in: 1, or tokens */
    bool alone;         /* one prompt at a time */
    bool bounded;       /* the load is what a bound of the latency leaves */
} other_case;

static double number_of(const char *text) {
    double value = 0;
    size_t len = text == NULL ? 0 : gp_num_scan(text, strlen(text));
    return len > 0 && gp_num_parse(text, len, &value) ? value : 0;
}

static const other_kind *kind_of(const gp_run_row *run) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (gp_str_equal(run->kind, kinds[i].name)) {
            return &kinds[i];
        }
    }
    return NULL;
}

/* Tokens of one prompt. Questions are padded to a length, which engines take out again. */
static double tokens_of(const gp_fitter *fitter, const gp_run_row *run) {
    if (gp_str_equal(run->kind, "encoder QA")) {
        return fitter->constants.serving_question_tokens;
    }
    const double about = gp_words_number(gp_lab(run)->input_length, "about");
    return about > 0 ? about
           : gp_words_has(gp_lab(run)->input_length, "tokens")
               ? number_of(gp_lab(run)->input_length)
               : 0;
}

static const char *prepare_reading(const gp_fitter *fitter, const gp_run_row *run, other_case *c) {
    const double tokens = tokens_of(fitter, run);
    c->job.input_tokens = tokens;
    c->per_request = gp_words_starts(gp_lab(run)->unit, "tokens") ? tokens : 1;
    return tokens > 0 ? NULL : "length of the prompts not stated";
}

/* The engine of a model that makes pictures; NULL: none of that name. */
static const gp_stack *picture_engine(const gp_fitter *fitter, const char *name) {
    for (size_t i = 0; i < fitter->stack_count; i++) {
        const gp_stack *row = &fitter->stacks[i];
        if (row->role == GP_STACK_PICTURES && gp_str_equal(row->name, name))
            return row;
    }
    return NULL;
}

/* One picture shared by all GPUs of a row, but where a benchmark counts a machine's copies. */
static const char *prepare_picture(const gp_fitter *fitter, const gp_run_row *run,
                                   const gp_model *model, other_case *c) {
    const char *name = gp_other_engine(run);
    const char *why = gp_other_picture(run, model, &c->traffic);
    gp_item_of(c->job.shape, &c->traffic, &c->job.item);
    if (name != NULL) {
        gp_serve_apply_stack(&c->job, picture_engine(fitter, name));
    }
    if (c->batch > 0) {
        c->layout.tp = (int64_t)c->replicas;
        c->replicas = 1;
    }
    return why != NULL                                                ? why
           : gp_words_has(run->precision, "quality tier")             ? "precision not stated"
           : gp_words_has(gp_lab(run)->output_length, "forward pass") ? "no whole picture"
                                                                      : NULL;
}

static bool fits(const gp_fitter *fitter, const other_case *c) {
    gp_serve_memory memory;
    gp_serve_memory_of(&c->job, c->machine, &c->layout, &fitter->constants, 0, NULL, &memory);
    return memory.memory.fit != GP_FIT_NOT;
}

static const char *prepare(gp_fitter *fitter, const gp_run_row *run, const gp_fit_model *model,
                           const gp_fit_hardware *hardware, other_case *c) {
    c->machine = hardware->machine;
    c->network = hardware->network;
    c->replicas = number_of(gp_lab(run)->pool_gpus);
    c->batch = gp_words_number(gp_lab(run)->concurrency, "batch");
    c->layout = (gp_serve_layout){.tp = 1, .pp = 1};
    c->per_request = 1;
    c->alone = gp_words_has(gp_lab(run)->concurrency, "SingleStream");
    c->bounded = gp_words_has(gp_lab(run)->concurrency, "Server");
    c->job = (gp_serve_job){
        .shape = &model->shape,
        .quantized_fraction = 1,
        .input_tokens = 1,
        .output_tokens = 1,
        .branches = 1,
        .speed_factor = 1,
        .reads_only = true,
        .direct = true,
    };
    gp_other_formats(run, hardware->machine, &c->job);
    const gp_model *shape = model->shape.model;
    if (!(c->replicas > 0)) {
        return "GPUs not stated";
    }
    if (shape == NULL || gp_model_kind_of(shape) != c->kind->model) {
        return "the model is of another kind than the row";
    }
    switch (c->kind->model) {
    case GP_MODEL_PICTURES: return prepare_picture(fitter, run, shape, c);
    case GP_MODEL_SPEECH:
        c->per_request = gp_other_speech(run, shape, &fitter->constants, &c->job);
        return NULL;
    case GP_MODEL_SCORES:
        c->traffic.candidates =
            gp_str_equal(run->kind, "recommendation") ? fitter->constants.serving_ranked_items : 1;
        gp_item_of(&model->shape, &c->traffic, &c->job.item);
        return fits(fitter, c) ? NULL : "the tables do not fit in the GPU's memory";
    case GP_MODEL_TEXT:
    case GP_MODEL_KIND_COUNT: break;
    }
    return prepare_reading(fitter, run, c);
}

static double items_s(const gp_fitter *fitter, const other_case *c, double batch) {
    gp_serve_cost cost;
    gp_serve_prefill together;
    gp_serve_cost_of(&c->job, c->machine, &c->network, &c->layout, &fitter->constants, &cost);
    return cost.supported ? gp_serve_items_s(&cost, batch, &together) : 0;
}

static double replica_rate(const gp_fitter *fitter, const other_case *c) {
    gp_serve_memory memory;
    gp_serve_point point;
    if (c->job.item.passes > 0) {
        const double batch = gp_num_max(c->batch, 1), time_s = items_s(fitter, c, batch);
        return time_s > 0 ? batch / time_s : 0;
    }
    gp_serve_memory_of(&c->job, c->machine, &c->layout, &fitter->constants, 0, NULL, &memory);
    const double admitted = gp_serve_admitted(&c->job, &memory);
    gp_serve_closed_loop(&c->job, c->machine, &c->network, &c->layout, &fitter->constants, &memory,
                         c->batch > 0 ? c->batch : admitted, NULL, &point);
    return c->job.reads_only ? point.max_requests_per_s
                             : point.output_tokens_per_s / c->job.output_tokens;
}

static double estimate_rate(const gp_fitter *fitter, const other_case *c) {
    const double offered = c->bounded ? fitter->constants.serving_bounded_fraction : 1;
    return offered * replica_rate(fitter, c) * c->replicas * c->per_request;
}

static double estimate_ms(const gp_fitter *fitter, const other_case *c) {
    return ms_per_s * (c->job.item.passes > 0
                           ? items_s(fitter, c, gp_num_max(c->batch, 1))
                           : gp_prefill_time_s(&c->job, c->machine, &c->network, &c->layout,
                                               &fitter->constants, c->job.input_tokens, NULL));
}

/* What a model of items takes: its weights and what comes out, beside the runtime. */
static double estimate_gib(const gp_fitter *fitter, const other_case *c) {
    gp_serve_memory memory;
    gp_serve_memory_of(&c->job, c->machine, &c->layout, &fitter->constants, 0, NULL, &memory);
    return (memory.memory.total_bytes - memory.memory.bytes[GP_MEMORY_KV_CACHE]) / bytes_per_gib;
}

/* "H100/H800" is one chip under two names. */
static gp_fit_hardware hardware_of(gp_fitter *fitter, const gp_run_row *run) {
    gp_run_row named = *run;
    const char *slash = run->gpu == NULL ? NULL : strchr(run->gpu, '/');
    if (slash != NULL && slash > run->gpu && slash[1] == run->gpu[0]) {
        named.gpu = gp_arena_strndup(fitter->arena, run->gpu, (size_t)(slash - run->gpu));
    }
    return gp_fit_hardware_of(fitter, &named);
}

static void prepare_case(gp_fitter *fitter, const gp_run_row *run, other_case *c,
                         const char **ret_why) {
    c->kind = kind_of(run);
    if (c->kind == NULL) {
        *ret_why = gp_arena_printf(fitter->arena, "%s is no kind of work that is estimated",
                                   run->kind == NULL ? "this" : run->kind);
        return;
    }
    const gp_fit_model *model = gp_fit_model_of(fitter, run, ret_why);
    const gp_fit_hardware hardware = hardware_of(fitter, run);
    *ret_why = model == NULL || hardware.machine == NULL
                   ? gp_fit_remark(fitter->arena, *ret_why, hardware.why)
                   : prepare(fitter, run, model, &hardware, c);
}

static void add(gp_fitter *fitter, const gp_run_row *run, const other_case *c, const char *metric,
                double stated, double estimated, const char *why, gp_fit_rows *rows) {
    if (stated <= 0) {
        return;
    }
    gp_backtest_row row =
        gp_fit_row(run, c->kind != NULL ? c->kind->class : "otherKind", metric, stated, why);
    const double band = why == NULL ? gp_serve_band(&c->job, c->machine, &fitter->constants) : 0;
    gp_fit_row_estimate(&row, estimated, band, NULL);
    const gp_fit_point point = {.run = run,
                                .shape = c->job.shape == NULL ? NULL : c->job.shape->model->id,
                                .measured = stated};
    gp_fit_rows_add(fitter, rows, &row, &point);
}

/* How long one answer takes is known of those that are alone, or in a batch of a stated size. */
static const char *latency_why(const other_case *c) {
    const bool item = c->job.item.passes > 0 && c->batch > 0;
    return c->kind->model == GP_MODEL_SPEECH ? "latency of whole recordings is not estimated"
           : c->alone || item                ? NULL
                                             : "requests in flight not stated";
}

void gp_lab_score_other(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows) {
    other_case c = {0};
    const char *why = NULL;
    prepare_case(fitter, run, &c, &why);
    const char *alone = why == NULL ? latency_why(&c) : why;
    const bool sized =
        why == NULL && c.job.item.passes > 0 && !gp_words_has(run->engine, "offload");
    add(fitter, run, &c, "throughput", run->tokens_per_s,
        why == NULL ? estimate_rate(fitter, &c) : 0, why, rows);
    add(fitter, run, &c, "latency_ms", run->ttft_ms, alone == NULL ? estimate_ms(fitter, &c) : 0,
        alone, rows);
    add(fitter, run, &c, "memory_gib", run->peak_gib, sized ? estimate_gib(fitter, &c) : 0,
        why != NULL ? why
        : sized     ? NULL
                    : "memory of this kind is not estimated",
        rows);
}
