/*
 * Pools of services with routed experts beside the estimate, at the layout, batch and lengths that
 * their rows state: prefill alone, decode alone, or both together. Where neither batch nor requests
 * in flight are stated, as many run as fit.
 */
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "fit/words.h"
#include "lab/lab.h"
#include "lab/workers.h"

static const double milliseconds_per_s = 1000; /* definition */
static const double percent = 100;             /* definition */
static const double usual_draft = 3;
static const double rate_noise = 1.5;

typedef enum pool_metric {
    METRIC_IN,
    METRIC_OUT,
    METRIC_BOTH,
    METRIC_TPOT,
    METRIC_TTFT,
    METRIC_COUNT
} pool_metric;

typedef enum pool_kind { POOL_AGGREGATED, POOL_PREFILL, POOL_DECODE, POOL_SPLIT } pool_kind;

typedef struct pool_case {
    gp_serve_job job;
    gp_serve_layout layout;  /* of the decode replicas where there are two kinds */
    gp_serve_layout prefill; /* the other kind */
    const gp_machine *machine;
    gp_network network;
    double concurrency; /* of one replica, of all where there are two kinds; 0: as many as fit */
    double prefills, decodes; /* replicas of the two kinds; no prefills: as many as are needed */
    double open_gpus;         /* of one replica whose layout is not told; 0: it is */
    double offered_per_s;     /* requests that come whatever happens; 0: they follow each other */
    pool_kind kind;
} pool_case;

typedef struct pool_figure {
    const pool_case *c;
    pool_metric metric;
} pool_figure;

static const struct {
    const char *word;
    pool_kind kind;
} pool_words[] = {
    {"aggregated", POOL_AGGREGATED},
    {"prefill", POOL_PREFILL},
    {"decode", POOL_DECODE},
    {"disagg", POOL_SPLIT},
};

static bool set_kind(const char *words, pool_case *c) {
    for (size_t i = 0; i < sizeof pool_words / sizeof pool_words[0]; i++) {
        if (gp_words_starts(words, pool_words[i].word)) {
            c->kind = pool_words[i].kind;
            return true;
        }
    }
    return false;
}

/* What the words and the cells of a row say of one kind of replica; false where they say
 * nothing. */
static bool set_replica(const gp_run_row *run, const gp_shape *shape, const gp_lab_workers *words,
                        gp_lab_role role, gp_serve_layout *ret) {
    bool said = words->tp > 0 || words->dp > 0 || words->ep > 0;
    double tp = said ? words->tp : gp_lab_workers_cell(gp_lab(run)->attention_tp, role);
    double dp = said ? words->dp : gp_lab_workers_cell(gp_lab(run)->attention_dp, role);
    double ep = said ? words->ep : gp_lab_workers_cell(gp_lab(run)->expert_parts, role);
    if (!(tp > 0) && !(dp > 0) && !(ep > 0)) {
        return false;
    }
    tp = gp_num_max(tp, 1);
    ep = gp_num_max(ep, 1);
    dp = dp > 0 ? dp : gp_num_max(ep / tp, 1);
    int64_t parts = (int64_t)ep, experts = (int64_t)shape->experts;
    int64_t copies = (int64_t)gp_lab_workers_cell(gp_lab(run)->copies, role);
    copies += (parts - (experts + copies) % parts) % parts;
    *ret = (gp_serve_layout){
        .tp = (int64_t)tp,
        .pp = (int64_t)gp_num_max(gp_lab_workers_cell(gp_lab(run)->stages, role), 1),
        .ep = parts,
        .attention_dp = (int64_t)dp,
        .copies = parts > 1 ? copies : 0};
    return true;
}

static double gpus_of(const gp_serve_layout *layout) {
    return (double)gp_serve_layout_gpus(layout);
}

/* What a replica of so many GPUs may be where nothing says it. */
enum { OPEN_LAYOUTS = 3 };

static gp_serve_layout open_layout(int which, double gpus) {
    int64_t all = (int64_t)gpus;
    const gp_serve_layout layouts[OPEN_LAYOUTS] = {
        {.tp = all, .pp = 1, .ep = 1, .attention_dp = 1},
        {.tp = all, .pp = 1, .ep = all, .attention_dp = 1},
        {.tp = 1, .pp = 1, .ep = all, .attention_dp = all},
    };
    return gpus >= 1 ? layouts[which] : (gp_serve_layout){.tp = 0};
}

/* Replicas of one kind: cells that hold two layouts, or a range, tell none. */
static const char *set_layout(const gp_run_row *run, const gp_lab_workers *words,
                              const gp_shape *shape, pool_case *c) {
    gp_lab_workers one = words[GP_LAB_BOTH];
    bool plain = gp_num_max(one.tp, gp_num_max(one.dp, one.ep)) > 0;
    one = plain ? one : words[c->kind == POOL_PREFILL ? GP_LAB_PREFILL : GP_LAB_DECODE];
    double gpus = gp_lab_cell_number(gp_lab(run)->pool_gpus);
    if (!set_replica(run, shape, &one, GP_LAB_BOTH, &c->layout)) {
        c->open_gpus = one.replicas > 0 ? gpus / one.replicas : gpus;
        c->layout = open_layout(0, c->open_gpus);
    }
    if (c->layout.tp < 1) {
        return "the layout of one replica is not stated";
    }
    double replicas = gpus / gpus_of(&c->layout);
    if (gpus > 0 && !(replicas >= 1 && gp_num_is_count(replicas))) {
        return "the layout does not divide the GPUs";
    }
    double batch = c->kind == POOL_PREFILL ? 0 : gp_lab_cell_number(gp_lab(run)->batch_text);
    c->concurrency = batch > 0
                         ? batch * gpus_of(&c->layout)
                         : gp_lab_cell_number(gp_lab(run)->concurrency) / gp_num_max(replicas, 1);
    return NULL;
}

/* Replicas of two kinds. Where their numbers are not said, those of one decode replica are what it
 * can take prompts of. */
static const char *set_split(const gp_run_row *run, const gp_lab_workers *words,
                             const gp_shape *shape, pool_case *c) {
    const gp_lab_workers *prefill = &words[GP_LAB_PREFILL], *decode = &words[GP_LAB_DECODE];
    double gpus = gp_lab_cell_number(gp_lab(run)->total_gpus);
    bool counted = prefill->replicas > 0 && decode->replicas > 0;
    if (!set_replica(run, shape, prefill, GP_LAB_PREFILL, &c->prefill) ||
        !set_replica(run, shape, decode, GP_LAB_DECODE, &c->layout)) {
        if (!counted || !gp_words_has(gp_lab(run)->workers, "each")) {
            return "the layout of prefill and decode replicas is not stated";
        }
        c->open_gpus = gpus / (prefill->replicas + decode->replicas);
        c->prefill = open_layout(0, c->open_gpus);
        c->layout = c->prefill;
    }
    c->concurrency = gp_lab_cell_number(gp_lab(run)->concurrency);
    c->decodes = decode->replicas > 0 ? decode->replicas : 1;
    c->prefills = prefill->replicas;
    double counts = c->prefills * gpus_of(&c->prefill) + c->decodes * gpus_of(&c->layout);
    if (!counted && (gpus > 0 || c->concurrency > 0)) {
        return "the numbers of prefill and decode replicas are not stated";
    }
    return gpus > 0 && !gp_num_near(counts, gpus) ? "the layouts do not add up to the GPUs" : NULL;
}

/* Tokens that a step yields over those that it may; the share of drafted ones that stand
 * follows. */
typedef struct draft {
    double drafted, yield;
} draft;

static double yield_beyond(const void *context, double stands) {
    const draft *d = context;
    double yield = 1, chain = 1;
    for (int i = 0; i < (int)d->drafted; i++) {
        chain *= stands;
        yield += chain;
    }
    return yield - d->yield;
}

void gp_lab_set_draft(const gp_fitter *fitter, const gp_run_row *run, gp_serve_job *job) {
    const char *spec = run->spec_decode;
    if (spec == NULL || gp_words_starts(spec, "none") || gp_words_starts(spec, "unstated")) {
        return;
    }
    const char *at = strpbrk(spec, "123456789");
    job->draft_tokens = at != NULL ? (double)(*at - '0') : usual_draft;
    job->draft_cost_fraction = fitter->constants.serving_draft_cost_fraction;
    job->draft_acceptance_fraction = fitter->constants.serving_draft_acceptance_fraction;
    const draft d = {.drafted = job->draft_tokens,
                     .yield = gp_lab_cell_number(gp_lab(run)->accepted)};
    if (d.yield > 1 && d.yield < 1 + d.drafted) {
        job->draft_acceptance_fraction = gp_num_root(yield_beyond, &d, 0, 1);
    }
}

static const char *set_lengths(const gp_run_row *run, pool_case *c) {
    double context = gp_lab_cell_number(gp_lab(run)->context_text);
    gp_serve_job *job = &c->job;
    job->input_tokens = gp_lab_cell_number(gp_lab(run)->input_length);
    job->output_tokens =
        c->kind == POOL_PREFILL ? 1 : gp_lab_cell_number(gp_lab(run)->output_length);
    if (job->prefilled && context > 0) {
        job->output_tokens = gp_num_max(job->output_tokens, 1);
        job->input_tokens = gp_num_max(context - 0.5 * job->output_tokens, 1);
    }
    if (gp_lab(run)->prefix_text == NULL && gp_words_has(run->notes, "prefix reuse")) {
        return "the share of the prompts that is cached is not stated";
    }
    job->prefix_hit_fraction = gp_lab_cell_number(gp_lab(run)->prefix_text) / percent;
    job->step_tokens = c->kind == POOL_PREFILL ? gp_lab_cell_number(gp_lab(run)->batch_text) : 0;
    return job->input_tokens > 0 && job->output_tokens > 0 ? NULL : "lengths not stated";
}

/* What fits on a replica that serves tokens, and what a run that was measured shows: that so many
 * of its own fitted. */
static void set_memory(const gp_fitter *fitter, const pool_case *c, double own, gp_serve_job *job,
                       gp_serve_memory *ret) {
    job->max_sequences = gp_num_max(job->max_sequences, own);
    gp_serve_memory_of(job, c->machine, &c->layout, &fitter->constants, 0, NULL, ret);
    ret->max_concurrency = gp_num_max(ret->max_concurrency, gp_num_max(own, 1));
}

static bool fits_on(const gp_fitter *fitter, const pool_case *c, const gp_serve_layout *layout) {
    gp_serve_memory memory;
    gp_serve_job job = c->job;
    gp_serve_memory_of(&job, c->machine, layout, &fitter->constants, 0, NULL, &memory);
    return memory.max_concurrency >= 1;
}

/* Weights of a precision that no word tells are the checkpoint's, or the widest of the narrower
 * ones in use that fit. */
static void close_weights(const gp_fitter *fitter, pool_case *c) {
    static const struct {
        gp_format weights;
        gp_precision compute;
    } narrower[] = {
        {GP_FORMAT_FP8_BLOCK, GP_PRECISION_FP8},
        {GP_FORMAT_NVFP4, GP_PRECISION_FP4},
    };
    for (size_t i = 0; i < sizeof narrower / sizeof narrower[0]; i++) {
        bool fits = fits_on(fitter, c, &c->layout) &&
                    (c->kind != POOL_SPLIT || fits_on(fitter, c, &c->prefill));
        if (fits || c->machine->efficiency[narrower[i].compute] == NULL) {
            return;
        }
        c->job.weights = narrower[i].weights;
        c->job.compute = narrower[i].compute;
        c->job.quantized_fraction = 0;
    }
}

/* "10 requests/s offered": the number before the words. */
static double offered_rate(const char *notes) {
    double rate = 0;
    const char *end = gp_str_find_nocase(notes, " requests/s offered");
    const char *at = end;
    while (at != NULL && at > notes && strchr("0123456789.", at[-1]) != NULL) {
        at--;
    }
    return at != end && gp_num_parse(at, (size_t)(end - at), &rate) ? rate : 0;
}

static gp_precision computable(const gp_machine *machine, gp_precision wanted) {
    return machine->efficiency[wanted] != NULL ? wanted : GP_PRECISION_BF16;
}

static const char *prepare(const gp_fitter *fitter, const gp_run_row *run,
                           const gp_fit_model *model, const gp_fit_hardware *hardware,
                           pool_case *c) {
    const gp_stack *stack = NULL;
    gp_lab_workers words[GP_LAB_ROLES];
    gp_lab_workers_read(gp_lab(run)->workers, words);
    if (!set_kind(gp_lab(run)->pool, c)) {
        return "pools of unknown kinds together";
    }
    if (gp_words_has(run->engine, "regression")) {
        return "its source calls it a regression";
    }
    if (gp_words_has(gp_lab(run)->workers, "AFD")) {
        return "attention and experts on GPUs of their own are not planned";
    }
    c->machine = hardware->machine;
    c->network = hardware->network;
    c->job = (gp_serve_job){
        .shape = &model->shape,
        .weights = (gp_format)model->model.weights.format,
        .compute = GP_PRECISION_FP8,
        .quantized_fraction = model->model.weights.quantized_fraction,
        .branches = 1,
        .speed_factor = 1,
        .prefilled = c->kind == POOL_DECODE,
    };
    bool known = gp_fit_serving_formats(fitter, run, c->machine, &c->job, &stack);
    if (!known && run->precision != NULL) {
        return "precision not known";
    }
    c->job.compute = computable(c->machine, c->job.compute);
    if (c->machine->efficiency[c->job.compute] == NULL) {
        return "no rate of this precision known for this GPU";
    }
    gp_lab_set_draft(fitter, run, &c->job);
    c->offered_per_s = offered_rate(run->notes);
    gp_serve_apply_stack(&c->job, stack);
    const char *why = set_lengths(run, c);
    why = why != NULL             ? why
          : c->kind == POOL_SPLIT ? set_split(run, words, &model->shape, c)
                                  : set_layout(run, words, &model->shape, c);
    if (why == NULL && !known) {
        close_weights(fitter, c);
    }
    return why;
}

static double split_point(const gp_fitter *fitter, const pool_case *c, gp_serve_job *job,
                          gp_serve_point *ret) {
    const gp_serve_split split = {.prefill = c->prefill, .decode = c->layout};
    const gp_split_loop loop = {
        .prefills = c->prefills, .decodes = c->decodes, .requests = c->concurrency};
    gp_serve_memory memory;
    gp_split_point both;
    set_memory(fitter, c, c->concurrency / c->decodes, job, &memory);
    gp_serve_split_closed_loop(job, c->machine, &c->network, &split, &fitter->constants, &memory,
                               &loop, &both);
    *ret = both.point;
    double requests_per_s = ret->output_tokens_per_s / job->output_tokens;
    double prefills = c->prefills > 0 ? c->prefills : requests_per_s / both.prefill_max_per_s;
    return prefills * gpus_of(&c->prefill) + c->decodes * gpus_of(&c->layout);
}

static double one_kind_point(const gp_fitter *fitter, const pool_case *c, gp_serve_job *job,
                             gp_serve_point *ret) {
    gp_serve_memory memory;
    set_memory(fitter, c, c->concurrency, job, &memory);
    double held = c->concurrency > 0 ? c->concurrency : gp_serve_admitted(job, &memory);
    if (c->offered_per_s > 0) {
        gp_serve_load(job, c->machine, &c->network, &c->layout, &fitter->constants, &memory,
                      c->offered_per_s, 1, NULL, ret);
        return gpus_of(&c->layout);
    }
    gp_serve_closed_loop(job, c->machine, &c->network, &c->layout, &fitter->constants, &memory,
                         held, NULL, ret);
    return gpus_of(&c->layout);
}

static void figures_of(const gp_fitter *fitter, const pool_case *c, double *ret) {
    gp_serve_job job = c->job;
    gp_serve_point point = {0};
    double gpus = c->kind == POOL_SPLIT ? split_point(fitter, c, &job, &point)
                                        : one_kind_point(fitter, c, &job, &point);
    double longer = 1 + job.input_tokens / job.output_tokens;
    ret[METRIC_IN] = point.max_requests_per_s * job.input_tokens / gpus;
    ret[METRIC_OUT] = point.output_tokens_per_s / gpus;
    ret[METRIC_BOTH] = point.output_tokens_per_s * longer / gpus;
    ret[METRIC_TPOT] = point.tpot_s * milliseconds_per_s;
    ret[METRIC_TTFT] = point.ttft_s * milliseconds_per_s;
}

/* The best of what it may be, as its operators will have chosen. */
static void close_layout(const gp_fitter *fitter, pool_case *c) {
    pool_case best = *c;
    double figures[METRIC_COUNT], most = 0;
    const int prefills = c->kind == POOL_SPLIT ? OPEN_LAYOUTS : 1;
    for (int i = 0; c->open_gpus > 0 && i < OPEN_LAYOUTS * prefills; i++) {
        c->layout = open_layout(i % OPEN_LAYOUTS, c->open_gpus);
        c->prefill = open_layout(i / OPEN_LAYOUTS, c->open_gpus);
        figures_of(fitter, c, figures);
        double worth = c->kind == POOL_PREFILL ? figures[METRIC_IN]
                                               : figures[METRIC_OUT] / figures[METRIC_TPOT];
        best = worth > most ? *c : best;
        most = gp_num_max(worth, most);
    }
    *c = best;
}

static double estimate_figure(const gp_fitter *fitter, const void *subject) {
    const pool_figure *figure = subject;
    double figures[METRIC_COUNT];
    figures_of(fitter, figure->c, figures);
    return figures[figure->metric];
}

static const char *const class_name = "servingPool";
static const char *const metric_names[METRIC_COUNT] = {
    [METRIC_IN] = "in_tok_s_per_gpu",
    [METRIC_OUT] = "out_tok_s_per_gpu",
    [METRIC_BOTH] = "total_tok_s_per_gpu",
    [METRIC_TPOT] = "tpot_ms",
    [METRIC_TTFT] = "ttft_ms",
};

static double band_of(const gp_fitter *fitter, const pool_case *c, pool_metric metric) {
    return metric == METRIC_TTFT ? gp_serve_ttft_band(&c->job, &fitter->constants)
                                 : gp_serve_band(&c->job, c->machine, &fitter->constants);
}

static void add_figure(gp_fitter *fitter, const gp_run_row *run, const gp_fit_model *model,
                       const pool_case *c, pool_metric metric, double estimated,
                       gp_backtest_row *row, gp_fit_rows *rows) {
    pool_figure *figure = GP_NEW(fitter->arena, pool_figure);
    *figure = (pool_figure){.c = c, .metric = metric};
    row->shape = model == NULL ? row->shape : model->key;
    if (row->reason == NULL) {
        gp_fit_row_estimate(row, estimated, band_of(fitter, c, metric), model->note);
    }
    const gp_fit_point point = {
        .shape = row->shape,
        .group = run->engine,
        .measured = row->measured,
        .noise = rate_noise,
        .serving = true,
        .subject = metric == METRIC_TTFT ? NULL : figure,
        .estimate = estimate_figure,
    };
    gp_fit_rows_add(fitter, rows, row, &point);
}

/* What was measured, each once: a rate of all GPUs is one per GPU, one of a request a time. */
static void measured_of(const gp_run_row *run, double ret[METRIC_COUNT]) {
    double gpus = gp_lab_cell_number(gp_lab(run)->total_gpus);
    double user = gp_lab_cell_number(gp_lab(run)->user_rate);
    double sum = gp_lab_cell_number(gp_lab(run)->sum_rate);
    gpus = gpus > 0 ? gpus : gp_lab_cell_number(gp_lab(run)->pool_gpus);
    ret[METRIC_IN] = gp_lab_cell_number(gp_lab(run)->input_rate);
    ret[METRIC_OUT] = gp_lab_cell_number(gp_lab(run)->pool_rate);
    ret[METRIC_OUT] = ret[METRIC_OUT] <= 0 && gpus > 0 ? sum / gpus : ret[METRIC_OUT];
    bool alone = !(ret[METRIC_IN] > 0) && !(ret[METRIC_OUT] > 0);
    ret[METRIC_BOTH] = alone ? gp_lab_cell_number(gp_lab(run)->both_rate) : 0;
    ret[METRIC_TPOT] = gp_lab_cell_number(gp_lab(run)->pool_tpot);
    ret[METRIC_TPOT] =
        ret[METRIC_TPOT] <= 0 && user > 0 ? milliseconds_per_s / user : ret[METRIC_TPOT];
    ret[METRIC_TTFT] = gp_lab_cell_number(gp_lab(run)->pool_ttft);
}

/* By Little's law a rate and what a request takes make the requests in flight. Latencies that make
 * another number than the row states are not those of its rate. */
static const char *contradiction(const gp_fitter *fitter, const gp_run_row *run,
                                 const double measured[METRIC_COUNT]) {
    static const double most = 1.5; /* means against medians, starts and ends of a run */
    double gpus = gp_lab_cell_number(gp_lab(run)->total_gpus);
    double stated = gp_lab_cell_number(gp_lab(run)->concurrency);
    double output = gp_lab_cell_number(gp_lab(run)->output_length);
    gpus = gpus > 0 ? gpus : gp_lab_cell_number(gp_lab(run)->pool_gpus);
    double request_s =
        (measured[METRIC_TTFT] + output * measured[METRIC_TPOT]) / milliseconds_per_s;
    double held = output > 0 ? measured[METRIC_OUT] * gpus / output * request_s : 0;
    bool closed = !(offered_rate(run->notes) > 0); /* else the number stated is the most */
    bool told =
        closed && held > 0 && stated > 0 && measured[METRIC_TTFT] > 0 && measured[METRIC_TPOT] > 0;
    if (!told || (held <= most * stated && stated <= most * held)) {
        return NULL;
    }
    return gp_arena_printf(fitter->arena,
                           "at its rate these latencies are those of %.0f requests in flight, not "
                           "of %.0f",
                           held, stated);
}

void gp_lab_score_pool(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows) {
    double measured[METRIC_COUNT];
    double figures[METRIC_COUNT] = {0};
    pool_case *c = GP_NEW(fitter->arena, pool_case);
    const char *why = NULL;
    measured_of(run, measured);
    const gp_fit_model *model = gp_lab_served_model(fitter, run, &why);
    const gp_fit_hardware hardware = gp_fit_hardware_of(fitter, run);
    why = gp_fit_remark(fitter->arena, why, hardware.why);
    if (why == NULL) {
        why = prepare(fitter, run, model, &hardware, c);
    }
    if (why == NULL) {
        close_layout(fitter, c);
        figures_of(fitter, c, figures);
        why = figures[METRIC_OUT] > 0 ? NULL : "no steady state found";
    }
    const char *odd = contradiction(fitter, run, measured);
    for (int i = 0; i < METRIC_COUNT; i++) {
        if (measured[i] > 0) {
            gp_backtest_row row =
                gp_fit_row(run, class_name, metric_names[i], measured[i], why == NULL ? odd : why);
            add_figure(fitter, run, model, c, (pool_metric)i, figures[i], &row, rows);
        }
    }
}
