/*
 * Other kinds of work beside the estimate: what reads and writes nothing (embeddings, rerankers,
 * encoders of questions), driven as far as it goes. Rows of kinds that no estimator knows count as
 * unsupported.
 */
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "fit/words.h"
#include "lab/lab.h"

static const double ms_per_s = 1000; // definition

typedef struct reading_case {
    gp_serve_job job;
    const gp_machine *machine;
    gp_network network;
    double gpus;
    double per_request; // of the unit that the row counts in: 1, or tokens
    bool alone;         // one prompt at a time
    bool bounded;       // the load is what a bound of the latency leaves
} reading_case;

static double number_of(const char *text) {
    double value = 0;
    size_t len = text == NULL ? 0 : gp_num_scan(text, strlen(text));
    return len > 0 && gp_num_parse(text, len, &value) ? value : 0;
}

static bool is_reading(const char *kind) {
    static const char *const kinds[] = {"embedding", "reranker", "encoder QA"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (gp_str_equal(kind, kinds[i])) {
            return true;
        }
    }
    return false;
}

// Tokens of one prompt. Questions are padded to a length, which engines take out again.
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

// A benchmark that leaves the format to the submitter is run in 8 bit.
static void set_formats(const gp_run_row *run, const gp_machine *machine, gp_serve_job *job) {
    const bool stated = run->precision != NULL && run->precision[0] != '\0';
    const bool fp8 = machine->efficiency[GP_PRECISION_FP8] != NULL;
    const bool eight = !stated && (fp8 || machine->efficiency[GP_PRECISION_INT8] != NULL);
    job->compute = eight ? fp8 ? GP_PRECISION_FP8 : GP_PRECISION_INT8 : GP_PRECISION_BF16;
    job->weights = eight ? fp8 ? GP_FORMAT_FP8 : GP_FORMAT_INT8 : GP_FORMAT_BF16;
    job->kv_cache = GP_FORMAT_BF16;
}

static const char *prepare(gp_fitter *fitter, const gp_run_row *run, const gp_fit_model *model,
                           const gp_fit_hardware *hardware, reading_case *c) {
    const double tokens = tokens_of(fitter, run);
    const bool by_token = gp_words_starts(gp_lab(run)->unit, "tokens");
    c->machine = hardware->machine;
    c->network = hardware->network;
    c->gpus = number_of(gp_lab(run)->pool_gpus);
    c->per_request = by_token ? tokens : 1;
    c->alone = gp_words_has(gp_lab(run)->concurrency, "SingleStream");
    c->bounded = gp_words_has(gp_lab(run)->concurrency, "Server");
    c->job = (gp_serve_job){
        .shape = &model->shape,
        .quantized_fraction = 1,
        .input_tokens = tokens,
        .output_tokens = 1,
        .branches = 1,
        .speed_factor = 1,
        .reads_only = true,
        .direct = true,
    };
    set_formats(run, hardware->machine, &c->job);
    return !(tokens > 0)    ? "length of the prompts not stated"
           : !(c->gpus > 0) ? "GPUs not stated"
                            : NULL;
}

static double estimate_rate(const gp_fitter *fitter, const reading_case *c) {
    const gp_serve_layout layout = {.tp = 1, .pp = 1};
    gp_serve_memory memory;
    gp_serve_point point;
    gp_serve_memory_of(&c->job, c->machine, &layout, &fitter->constants, 0, NULL, &memory);
    gp_serve_closed_loop(&c->job, c->machine, &c->network, &layout, &fitter->constants, &memory,
                         gp_serve_admitted(&c->job, &memory), NULL, &point);
    const double offered = c->bounded ? fitter->constants.serving_bounded_fraction : 1;
    return offered * point.max_requests_per_s * c->gpus * c->per_request;
}

static double estimate_ms(const gp_fitter *fitter, const reading_case *c) {
    const gp_serve_layout layout = {.tp = 1, .pp = 1};
    return ms_per_s * gp_prefill_time_s(&c->job, c->machine, &c->network, &layout,
                                        &fitter->constants, c->job.input_tokens, NULL);
}

static gp_status prepare_case(gp_fitter *fitter, const gp_run_row *run, reading_case *c,
                              const char **ret_why) {
    const gp_fit_model *model = NULL;
    gp_fit_hardware hardware = {0};
    if (!is_reading(run->kind)) {
        *ret_why = gp_arena_printf(fitter->arena, "%s is no kind of work that is estimated",
                                   run->kind == NULL ? "this" : run->kind);
        return *ret_why == NULL ? GP_ERR_NO_MEMORY : GP_OK;
    }
    gp_status st = gp_fit_model_of(fitter, run, &model, ret_why);
    st = st == GP_OK ? gp_fit_hardware_of(fitter, run, &hardware) : st;
    if (st != GP_OK || model == NULL || hardware.machine == NULL) {
        *ret_why = gp_fit_remark(fitter->arena, *ret_why, hardware.why);
        return st;
    }
    *ret_why = prepare(fitter, run, model, &hardware, c);
    return GP_OK;
}

static gp_status add(gp_fitter *fitter, const gp_run_row *run, const reading_case *c,
                     const char *metric, double stated, double estimated, const char *why,
                     gp_fit_rows *rows) {
    if (stated <= 0) {
        return GP_OK;
    }
    gp_backtest_row row =
        gp_fit_row(run, is_reading(run->kind) ? "reading" : "otherKind", metric, stated, why);
    const double band = why == NULL ? gp_serve_band(&c->job, c->machine, &fitter->constants) : 0;
    gp_fit_row_estimate(&row, estimated, band, NULL);
    return gp_fit_rows_add(fitter, rows, &row, NULL);
}

gp_status gp_lab_score_other(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows) {
    reading_case c = {0};
    const char *why = NULL;
    gp_status st = prepare_case(fitter, run, &c, &why);
    if (st != GP_OK) {
        return st;
    }
    const char *alone = why == NULL && !c.alone ? "requests in flight not stated" : why;
    const double rate = why == NULL ? estimate_rate(fitter, &c) : 0;
    st = add(fitter, run, &c, "throughput", run->tokens_per_s, rate, why, rows);
    if (st == GP_OK) {
        st = add(fitter, run, &c, "latency_ms", run->ttft_ms,
                 alone == NULL ? estimate_ms(fitter, &c) : 0, alone, rows);
    }
    return st == GP_OK ? add(fitter, run, &c, "memory_gib", run->peak_gib, 0,
                             why != NULL ? why : "memory of this kind is not estimated", rows)
                       : st;
}
