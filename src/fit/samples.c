/*
 * From runs to samples: which figures a run measured, and which class each belongs to. The row of
 * rates that a run of serving rests on is found by moving each and looking.
 */
#include <math.h>
#include <string.h>

#include "base/str.h"
#include "catalog/words.h"
#include "fit/dials.h"

static const double large_bytes = 16 * 1024.0 * 1024.0;
static const double small_bytes = 256 * 1024.0;
/* The same across machines, where the terms part later. */
static const double far_large_bytes = 128 * 1024.0 * 1024.0;
static const double far_small_bytes = 4 * 1024.0 * 1024.0;
static const double stream_bytes =
    64 * 1024.0; /* a stream of shorter messages is not at its rate */

double gp_sample_estimate(gp_dials *dials, const gp_sample *sample) {
    if (sample->point.subject != NULL)
        return sample->point.estimate(dials->fitter, sample->point.subject);
    gp_fit_rows rows = {0};
    double estimate = 0;
    gp_run_tables[sample->kind]->score(dials->fitter, sample->run, &rows);
    for (size_t i = 0; i < rows.count; i++)
        if (rows.items[i].status == GP_BACKTEST_SCORED &&
            gp_str_equal(rows.items[i].metric, sample->metric))
            estimate = rows.items[i].estimated;
    return estimate;
}

static void add_sample(gp_dials *dials, const gp_sample *sample) {
    GP_PUSH(dials->fitter->arena, dials->samples, dials->sample_count, dials->sample_cap) = *sample;
}

/* ---- classes --------------------------------------------------------------------------------- */

static void set_efficiency(gp_dial *d, const gp_machine *machine, int precision) {
    const gp_efficiency *row = machine->efficiency[precision];
    d->gpu = machine->gpu;
    d->precision = gp_precision_words[precision];
    d->target = row;
    d->shares[0] = d->term == GP_CALIBRATION_GEMM      ? row->gemm_fraction
                   : d->term == GP_CALIBRATION_PREFILL ? row->prefill_gemm_fraction
                                                       : row->hbm_fraction;
}

static void class_training(gp_dials *dials, gp_sample *sample) {
    const gp_fit_case *c = sample->point.subject;
    const char *framework = c->stack == NULL ? NULL : c->stack->name;
    gp_dial d = {.term = GP_CALIBRATION_GEMM, .software = framework};
    if (c->machine->efficiency[c->job.compute] == NULL) {
        sample->silent = true;
        return;
    }
    set_efficiency(&d, c->machine, (int)c->job.compute);
    gp_dials_get(dials, &d, &sample->dial);
    if (framework == NULL)
        return;
    const gp_dial stack = {.term = GP_CALIBRATION_STEP_TIME, .software = framework};
    gp_dials_get(dials, &stack, &sample->stack_dial);
}

/* The precision whose row moves the estimate; -1: none does. */
static int moved_precision(gp_dials *dials, const gp_sample *sample, const gp_machine *machine,
                           gp_calibration_term term) {
    static const double step = 0.2;
    static const double tiny = 1e-6;
    gp_dial probe = {.term = term};
    int found = -1;
    for (int p = 0; p < GP_PRECISION_COUNT && found < 0; p++) {
        if (machine->efficiency[p] == NULL)
            continue;
        set_efficiency(&probe, machine, p);
        gp_dials_probe(dials, &probe, step);
        double moved = gp_sample_estimate(dials, sample);
        if (moved > 0 && fabs(moved / sample->before - 1) > tiny)
            found = p;
    }
    gp_dials_turn(dials, SIZE_MAX, 0);
    return found;
}

static void class_inference(gp_dials *dials, gp_sample *sample) {
    bool prompt = gp_str_equal(sample->metric, "ttft_ms");
    bool slower = sample->run->tpot_ms > 0 && !gp_str_equal(sample->metric, "tpot_ms");
    gp_dial d = {.term = prompt ? GP_CALIBRATION_PREFILL : GP_CALIBRATION_DECODE, .serving = true};
    sample->silent = !prompt && slower; /* a rate says what the time per token said */
    bool both =
        sample->run->output_rate > 0 && gp_str_equal(sample->metric, "total_tokens_per_s_per_gpu");
    sample->silent = sample->silent || both;
    if (sample->silent)
        return;
    const gp_fit_hardware hardware = gp_fit_hardware_of(dials->fitter, sample->run);
    const int precision = moved_precision(dials, sample, hardware.machine, d.term);
    sample->silent = precision < 0;
    if (sample->silent)
        return;
    set_efficiency(&d, hardware.machine, precision);
    d.software = sample->run->engine;
    gp_dials_get(dials, &d, &sample->dial);
}

static void class_one_node(gp_dials *dials, gp_sample *sample) {
    const gp_fit_transfer *transfer = sample->point.subject;
    gp_dial d = {.term = transfer->bytes >= large_bytes ? GP_CALIBRATION_BANDWIDTH
                                                        : GP_CALIBRATION_LATENCY,
                 .link = GP_CALIBRATION_SCALE_UP,
                 .gpu = transfer->machine->gpu,
                 .target = transfer->machine->gpu};
    sample->silent = transfer->bytes > small_bytes && transfer->bytes < large_bytes;
    if (!sample->silent)
        gp_dials_get(dials, &d, &sample->dial);
}

static double payload_of(const gp_run_row *run) {
    gp_quantity size = {0};
    bool told = run->payload != NULL && gp_quantity_parse(run->payload, strlen(run->payload),
                                                          GP_DIM_BYTES, &size) == GP_QUANTITY_OK;
    return told ? size.value : 0;
}

static void class_multinode(gp_dials *dials, gp_sample *sample) {
    double bytes = payload_of(sample->run);
    bool stream = gp_fit_is_stream(sample->run);
    bool large = bytes >= (stream ? stream_bytes : far_large_bytes);
    gp_dial d = {.term = large ? GP_CALIBRATION_BANDWIDTH : GP_CALIBRATION_LATENCY,
                 .link = GP_CALIBRATION_SCALE_OUT,
                 .shares = {large ? dials->constants.network_scale_out_fraction : 0}};
    sample->silent = sample->run->nodes <= 1 || (!large && (stream || bytes > far_small_bytes));
    if (!sample->silent)
        gp_dials_get(dials, &d, &sample->dial);
}

static void class_power(gp_dials *dials, gp_sample *sample) {
    const gp_fit_hardware hardware = gp_fit_hardware_of(dials->fitter, sample->run);
    sample->silent = hardware.machine == NULL || hardware.machine->power == NULL;
    if (sample->silent)
        return;
    const gp_dial d = {.term = GP_CALIBRATION_POWER,
                       .gpu = hardware.machine->gpu,
                       .target = hardware.machine->power};
    gp_dials_get(dials, &d, &sample->dial);
}

static void class_memory(gp_dials *dials, gp_sample *sample) {
    const gp_dial d = {.term = GP_CALIBRATION_MEMORY};
    sample->silent = !gp_str_equal(sample->metric, "peak_mem_gib_per_gpu") ||
                     gp_str_equal(sample->run->kind, "inference");
    if (!sample->silent)
        gp_dials_get(dials, &d, &sample->dial);
}

static void (*const classify[GP_RUNS_KIND_COUNT])(gp_dials *, gp_sample *) = {
    [GP_RUNS_TRAINING] = class_training,
    [GP_RUNS_MEMORY] = class_memory,
    [GP_RUNS_COLLECTIVES_ONE_NODE] = class_one_node,
    [GP_RUNS_COLLECTIVES_MULTINODE] = class_multinode,
    [GP_RUNS_SERVING_POWER] = class_power,
    [GP_RUNS_INFERENCE] = class_inference,
};

/* ---- runs ------------------------------------------------------------------------------------ */

/* Both forms of one speed must be of one run: tokens per second and GPU, and seconds of a step. */
static const char *mixed_units(const gp_run_row *run) {
    static const double slack = 1.1;
    double tokens = run->sequences * run->sequence_length;
    if (!(run->tokens_per_s > 0) || !(run->iteration_s > 0) || !(tokens > 0) || !(run->gpus > 0))
        return NULL;
    double said = tokens / run->iteration_s / run->gpus;
    double ratio = said / run->tokens_per_s;
    return ratio > slack || ratio < 1 / slack
               ? "tokens_per_s_per_gpu and iteration_s are not of one speed"
               : NULL;
}

void gp_samples_add(gp_dials *dials, gp_runs_kind kind, const gp_run_row *run, gp_span span) {
    gp_fit_rows rows = {0};
    if (classify[kind] == NULL)
        return;
    gp_dials_turn(dials, SIZE_MAX, 0);
    gp_run_tables[kind]->score(dials->fitter, run, &rows);
    for (size_t i = 0; i < rows.count; i++) {
        const gp_backtest_row *row = &rows.items[i];
        gp_sample sample = {.run = run,
                            .kind = kind,
                            .span = span,
                            .metric = row->metric,
                            .point = rows.points[i],
                            .measured = row->measured,
                            .before = row->estimated,
                            .stack_dial = SIZE_MAX,
                            .refused = mixed_units(run)};
        if (row->is_fit || row->status == GP_BACKTEST_SKIPPED)
            continue;
        if (row->status == GP_BACKTEST_UNSUPPORTED)
            sample.refused = row->reason;
        else if (sample.refused == NULL)
            classify[kind](dials, &sample);
        add_sample(dials, &sample);
    }
}
