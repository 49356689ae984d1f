/*
 * Tokens sent to their experts and back, as they were timed, beside what plans take for them. Where
 * a table prints no time its bandwidth is compared: of links it counts a copy for each rank that a
 * token goes to, of a network one for each machine, its own included.
 */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "estimate/serve.h"
#include "fit/words.h"
#include "lab/lab.h"

static const double microseconds_per_s = 1e6; /* definitions */
static const double bytes_per_gb = 1e9;

typedef struct exchange {
    const gp_machine *machine;
    gp_network network;
    int64_t machines;
    gp_exchange_copies copies;
    double tokens, there_bytes, back_bytes; /* of one token; 0: that way is not timed */
    bool many, efa;
    double counted; /* copies that the printed bandwidth counts; 0: a time is printed */
} exchange;

/* "dispatch", "combine" or both as one. */
static bool set_ways(const gp_run_row *run, const gp_constants *constants, exchange *ret) {
    static const struct {
        const char *word;
        gp_format format;
    } formats[] = {
        {"fp8", GP_FORMAT_FP8_BLOCK}, {"mxfp8", GP_FORMAT_FP8_BLOCK}, {"int8", GP_FORMAT_FP8_BLOCK},
        {"nvfp4", GP_FORMAT_NVFP4},   {"bf16", GP_FORMAT_BF16},
    };
    double wide = run->hidden * gp_format_bytes(constants, GP_FORMAT_BF16);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (gp_words_starts(run->precision, formats[i].word)) {
            double bytes = run->hidden * gp_format_bytes(constants, formats[i].format);
            ret->there_bytes = gp_words_has(run->collective, "dispatch") ? bytes : 0;
            ret->back_bytes = gp_words_has(run->collective, "combine") ? wide : 0;
            return ret->there_bytes + ret->back_bytes > 0;
        }
    }
    return false;
}

static bool is_many(const char *mode) {
    return gp_words_starts(mode, "normal") || gp_words_starts(mode, "prefill");
}

/* What the printed bandwidth counts of every token. */
static const char *set_counted(const gp_run_row *run, exchange *ret) {
    if (run->time_us > 0) {
        return NULL;
    }
    bool links = gp_str_equal(gp_lab(run)->bandwidth, "nvlink");
    bool net = gp_str_equal(gp_lab(run)->bandwidth, "rdma");
    double own = ret->machines > 1 ? 1 - 1 / (double)ret->machines : 1;
    ret->counted = links               ? ret->copies.many_link
                   : net && !ret->many ? ret->copies.few_net / own
                   : net               ? ret->copies.many_net / own
                                       : 0;
    return ret->counted > 0 ? NULL : "neither a time nor a bandwidth of a known kind";
}

static const char *prepare(const gp_fitter *fitter, const gp_run_row *run,
                           const gp_fit_hardware *hardware, exchange *ret) {
    if (hardware->machine == NULL) {
        return hardware->why;
    }
    if (!(run->ranks > 1) || !(run->micro_batch > 0) || !(run->hidden > 0) || !(run->top_k > 0)) {
        return "ranks, tokens, hidden size or experts of a token not stated";
    }
    if (gp_words_has(run->inter_node_link, "only")) {
        return "ranks of one machine that do not use its links are not planned";
    }
    if (!set_ways(run, &fitter->constants, ret)) {
        return "way or number format not known";
    }
    ret->machine = hardware->machine;
    ret->network = hardware->network;
    int64_t domain = gp_num_max_i64(gp_num_max_i64(ret->machine->gpus, ret->machine->domain), 1);
    ret->machines = ((int64_t)run->ranks + domain - 1) / domain;
    ret->tokens = run->micro_batch;
    ret->many = is_many(run->mode);
    ret->efa = gp_words_has(run->inter_node_link, "EFA");
    const gp_exchange_group group = {.top_k = run->top_k,
                                     .parts = run->ranks,
                                     .slices = 1,
                                     .tp = 1,
                                     .machines = (double)ret->machines};
    ret->copies = gp_exchange_copies_of(&group);
    return set_counted(run, ret);
}

static double way_s(const gp_exchange_rates *rates, const exchange *e, double bytes,
                    double fixed_s) {
    return bytes > 0 ? fixed_s + gp_exchange_bytes_s(rates, &e->copies, e->tokens * bytes, e->many)
                     : 0;
}

/* Microseconds, or GB/s where a bandwidth is printed. */
static double estimate(const gp_fitter *fitter, const void *subject) {
    const exchange *e = subject;
    const gp_constants *constants = &fitter->constants;
    gp_exchange_rates rates = gp_exchange_rates_of(e->machine, &e->network, constants, e->machines);
    if (e->efa && !e->many && e->machines > 1) {
        rates.net_bytes_per_s *=
            constants->serving_exchange_efa_fraction / constants->serving_exchange_network_fraction;
    }
    double time_s = way_s(&rates, e, e->there_bytes, constants->serving_exchange_dispatch_s) +
                    way_s(&rates, e, e->back_bytes, constants->serving_exchange_combine_s);
    double bytes = e->tokens * (e->there_bytes + e->back_bytes) * e->counted;
    return e->counted > 0 ? bytes / time_s / bytes_per_gb : time_s * microseconds_per_s;
}

/* Links reach further than the network: adapters without sends by the GPU are a class apart. */
static const char *class_of(const gp_run_row *run, const exchange *e) {
    return e->machines <= 1                            ? "exchange over links"
           : gp_words_has(run->inter_node_link, "EFA") ? "exchange over EFA"
                                                       : "exchange over the network";
}

/* Why a row is not to be judged by its source's own word; NULL: it is. */
static const char *withdrawn(const gp_run_row *run) {
    return gp_words_has(run->notes, "superseded")        ? "the source has newer values of it"
           : gp_words_has(run->notes, "fault suspected") ? "its source suspects a fault"
                                                         : NULL;
}

/* "H100 (p5)": what stands in brackets is its machine. */
static const char *gpu_name(gp_arena *arena, const char *gpu) {
    const char *bracket = strstr(gpu, " (");
    return bracket == NULL ? gpu : gp_arena_strndup(arena, gpu, (size_t)(bracket - gpu));
}

void gp_lab_score_exchange(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows) {
    gp_run_row placed = *run;
    exchange *e = GP_NEW(fitter->arena, exchange);
    placed.gpu = gpu_name(fitter->arena, run->gpu);
    placed.gpus = run->ranks;
    placed.inter_node_link = gp_words_has(run->inter_node_link, "EFA") ? "EFA" : NULL;
    const gp_fit_hardware hardware = gp_fit_hardware_of(fitter, &placed);
    double measured = run->time_us > 0 ? run->time_us : run->bus_gb_per_s;
    if (measured <= 0) {
        return;
    }
    const char *why = prepare(fitter, run, &hardware, e);
    const char *metric = run->time_us > 0 ? "time_us" : "gbps";
    double estimated = why == NULL ? estimate(fitter, e) : 0;
    why = why == NULL && !isfinite(estimated) ? "no network known for this machine" : why;
    gp_backtest_row row = gp_fit_row(run, class_of(run, e), metric, measured, why);
    row.shape = run->gpu;
    gp_fit_row_estimate(&row, estimated, 0, hardware.note);
    const gp_fit_point point = {.shape = run->gpu,
                                .measured = measured,
                                .serving = true,
                                .subject = why == NULL ? e : NULL,
                                .estimate = estimate};
    if (withdrawn(run) != NULL) {
        row.status = GP_BACKTEST_SKIPPED;
        row.reason = withdrawn(run);
        gp_fit_rows_add(fitter, rows, &row, NULL);
        return;
    }
    gp_fit_rows_add(fitter, rows, &row, &point);
}
