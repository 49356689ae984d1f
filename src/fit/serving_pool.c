/*
 * Pools of services with routed experts beside the estimate, at the layout, batch and lengths that
 * their rows state: prefill alone, decode alone, or both together. Where neither batch nor requests
 * in flight are stated, as many run as fit.
 */
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "fit/fitter.h"
#include "fit/words.h"

static const double milliseconds_per_s = 1000; // definition
static const double percent = 100;             // definition
static const double usual_draft = 3;
static const double rate_noise = 1.5;

typedef enum pool_metric {
    METRIC_IN,
    METRIC_OUT,
    METRIC_TPOT,
    METRIC_TTFT,
    METRIC_COUNT
} pool_metric;

typedef struct pool_case {
    gp_serve_job job;
    gp_serve_layout layout;
    const gp_machine *machine;
    gp_network network;
    double concurrency; // of one replica; 0: as many as fit
    bool prefill;
} pool_case;

typedef struct pool_figure {
    const pool_case *c;
    pool_metric metric;
} pool_figure;

// The number that a cell begins with, the mean of a range; 0: none.
static double number_of(const char *cell) {
    double low = 0, high = 0;
    const char *at = cell == NULL ? "" : cell;
    at += *at == '~' ? 1 : 0;
    size_t len = gp_num_scan(at, strlen(at));
    if (!gp_num_parse(at, len, &low)) {
        return 0;
    }
    at += len;
    if (*at != '-') {
        return low;
    }
    at++;
    return gp_num_parse(at, gp_num_scan(at, strlen(at)), &high) ? 0.5 * (low + high) : low;
}

// One layout of one pool: cells that hold two, or a range, tell none.
static bool is_plain(const char *cell) {
    return cell == NULL || strpbrk(cell, "/-PD") == NULL;
}

static const char *set_layout(const gp_run_row *run, const gp_shape *shape, pool_case *c) {
    double ep = gp_num_max(number_of(run->expert_parts), 1);
    double tp = number_of(run->attention_tp), dp = number_of(run->attention_dp);
    bool stated = tp > 0 || dp > 0 || number_of(run->expert_parts) > 0;
    if (!stated || !is_plain(run->attention_tp) || !is_plain(run->attention_dp) ||
        !is_plain(run->expert_parts)) {
        return "the layout of one replica is not stated";
    }
    tp = gp_num_max(tp, 1);
    dp = dp > 0 ? dp : gp_num_max(ep / tp, 1);
    int64_t parts = (int64_t)ep, experts = (int64_t)shape->experts;
    int64_t copies = (int64_t)number_of(run->copies);
    copies += (parts - (experts + copies) % parts) % parts;
    c->layout = (gp_serve_layout){.tp = (int64_t)tp,
                                  .pp = (int64_t)gp_num_max(number_of(run->stages), 1),
                                  .ep = parts,
                                  .attention_dp = (int64_t)dp,
                                  .copies = parts > 1 ? copies : 0};
    double gpus = number_of(run->pool_gpus);
    double replicas = gpus / (double)gp_serve_layout_gpus(&c->layout);
    if (gpus > 0 && !(replicas >= 1 && gp_num_is_count(replicas))) {
        return "the layout does not divide the GPUs";
    }
    double batch = c->prefill ? 0 : number_of(run->batch_text);
    c->concurrency = batch > 0 ? batch * (double)gp_serve_layout_gpus(&c->layout)
                               : number_of(run->concurrency) / gp_num_max(replicas, 1);
    return NULL;
}

// Tokens that a step yields over those that it may; the share of drafted ones that stand follows.
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

void gp_fit_set_draft(const gp_fitter *fitter, const gp_run_row *run, gp_serve_job *job) {
    const char *spec = run->spec_decode;
    if (spec == NULL || gp_words_starts(spec, "none") || gp_words_starts(spec, "unstated")) {
        return;
    }
    const char *at = strpbrk(spec, "123456789");
    job->draft_tokens = at != NULL ? (double)(*at - '0') : usual_draft;
    job->draft_cost_fraction = fitter->constants.serving_draft_cost_fraction;
    job->draft_acceptance_fraction = fitter->constants.serving_draft_acceptance_fraction;
    const draft d = {.drafted = job->draft_tokens, .yield = number_of(run->accepted)};
    if (d.yield > 1 && d.yield < 1 + d.drafted) {
        job->draft_acceptance_fraction = gp_num_root(yield_beyond, &d, 0, 1);
    }
}

static const char *set_lengths(const gp_run_row *run, pool_case *c) {
    double context = number_of(run->context_text);
    gp_serve_job *job = &c->job;
    job->input_tokens = number_of(run->input_length);
    job->output_tokens = c->prefill ? 1 : number_of(run->output_length);
    if (job->prefilled && context > 0) {
        job->output_tokens = gp_num_max(job->output_tokens, 1);
        job->input_tokens = gp_num_max(context - 0.5 * job->output_tokens, 1);
    }
    job->prefix_hit_fraction = number_of(run->prefix_text) / percent;
    job->step_tokens = c->prefill ? number_of(run->batch_text) : 0;
    return job->input_tokens > 0 && job->output_tokens > 0 ? NULL : "lengths not stated";
}

static gp_precision computable(const gp_machine *machine, gp_precision wanted) {
    return machine->efficiency[wanted] != NULL ? wanted : GP_PRECISION_BF16;
}

static const char *prepare(const gp_fitter *fitter, const gp_run_row *run,
                           const gp_fit_model *model, const gp_fit_hardware *hardware,
                           pool_case *c) {
    bool together = gp_words_starts(run->pool, "aggregated");
    const gp_stack *stack = NULL;
    c->prefill = gp_words_starts(run->pool, "prefill");
    c->machine = hardware->machine;
    c->network = hardware->network;
    c->job = (gp_serve_job){
        .shape = &model->shape,
        .weights = (gp_format)model->model.weights.format,
        .compute = GP_PRECISION_FP8,
        .quantized_fraction = model->model.weights.quantized_fraction,
        .branches = 1,
        .speed_factor = 1,
        .prefilled = gp_words_starts(run->pool, "decode"),
    };
    if (!together && !c->prefill && !c->job.prefilled) {
        return "pools of unknown sizes together";
    }
    bool known = gp_fit_serving_formats(fitter, run, c->machine, &c->job, &stack);
    if (!known && run->precision != NULL) {
        return "precision not known";
    }
    c->job.compute = computable(c->machine, c->job.compute);
    if (c->machine->efficiency[c->job.compute] == NULL) {
        return "no rate of this precision known for this GPU";
    }
    gp_fit_set_draft(fitter, run, &c->job);
    gp_serve_apply_stack(&c->job, stack);
    const char *why = set_lengths(run, c);
    return why != NULL ? why : set_layout(run, &model->shape, c);
}

static void figures_of(const gp_fitter *fitter, const pool_case *c, double *ret) {
    gp_serve_job job = c->job;
    gp_serve_memory memory;
    gp_serve_point point;
    double gpus = (double)gp_serve_layout_gpus(&c->layout);
    job.max_sequences = gp_num_max(job.max_sequences, c->concurrency);
    gp_serve_memory_of(&job, c->machine, &c->layout, &fitter->constants, 0, NULL, &memory);
    /* What a run that was measured shows: that so many fitted. */
    memory.max_concurrency = gp_num_max(memory.max_concurrency, gp_num_max(c->concurrency, 1));
    double held = c->concurrency > 0 ? c->concurrency : gp_serve_admitted(&job, &memory);
    gp_serve_closed_loop(&job, c->machine, &c->network, &c->layout, &fitter->constants, &memory,
                         held, NULL, &point);
    ret[METRIC_IN] = point.max_requests_per_s * job.input_tokens / gpus;
    ret[METRIC_OUT] = point.output_tokens_per_s / gpus;
    ret[METRIC_TPOT] = point.tpot_s * milliseconds_per_s;
    ret[METRIC_TTFT] = point.ttft_s * milliseconds_per_s;
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
    [METRIC_TPOT] = "tpot_ms",
    [METRIC_TTFT] = "ttft_ms",
};

static double band_of(const gp_fitter *fitter, const pool_case *c, pool_metric metric) {
    return metric == METRIC_TTFT ? gp_serve_ttft_band(&c->job, &fitter->constants)
                                 : gp_serve_band(&c->job, c->machine, &fitter->constants);
}

static gp_status add_figure(gp_fitter *fitter, const gp_run_row *run, const gp_fit_model *model,
                            const pool_case *c, pool_metric metric, double estimated,
                            gp_backtest_row *row, gp_fit_rows *rows) {
    pool_figure *figure = GP_NEW(fitter->arena, pool_figure);
    if (figure == NULL) {
        return GP_ERR_NO_MEMORY;
    }
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
    return gp_fit_rows_add(fitter, rows, row, &point);
}

gp_status gp_fit_served_model(gp_fitter *fitter, const gp_run_row *run,
                              const gp_fit_model **ret_model, const char **ret_why) {
    gp_run_row named = *run;
    const char *const breaks[] = {"", " ", " /"};
    gp_status st = GP_OK;
    for (size_t i = 0; st == GP_OK && *ret_model == NULL && i < sizeof breaks / sizeof *breaks;
         i++) {
        named.model = gp_arena_strndup(fitter->arena, run->model, strcspn(run->model, breaks[i]));
        *ret_why = NULL;
        st = named.model == NULL ? GP_ERR_NO_MEMORY
                                 : gp_fit_model_of(fitter, &named, ret_model, ret_why);
    }
    return st;
}

gp_status gp_fit_score_pool(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows) {
    const double measured[METRIC_COUNT] = {number_of(run->input_rate), number_of(run->pool_rate),
                                           number_of(run->pool_tpot), number_of(run->pool_ttft)};
    const gp_fit_model *model = NULL;
    gp_fit_hardware hardware = {0};
    double figures[METRIC_COUNT] = {0};
    pool_case *c = GP_NEW(fitter->arena, pool_case);
    const char *why = NULL;
    gp_status st = c == NULL ? GP_ERR_NO_MEMORY : gp_fit_served_model(fitter, run, &model, &why);
    if (st == GP_OK) {
        st = gp_fit_hardware_of(fitter, run, &hardware);
    }
    why = gp_fit_remark(fitter->arena, why, hardware.why);
    if (st == GP_OK && why == NULL) {
        why = prepare(fitter, run, model, &hardware, c);
    }
    if (st == GP_OK && why == NULL) {
        figures_of(fitter, c, figures);
        why = figures[METRIC_OUT] > 0 ? NULL : "no steady state found";
    }
    for (int i = 0; st == GP_OK && i < METRIC_COUNT; i++) {
        if (measured[i] > 0) {
            gp_backtest_row row = gp_fit_row(run, class_name, metric_names[i], measured[i], why);
            st = add_figure(fitter, run, model, c, (pool_metric)i, figures[i], &row, rows);
        }
    }
    return st;
}
