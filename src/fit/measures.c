/* Collectives as they were measured, beside the estimates that plans are made of. */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "fit/fitter.h"

static const double microseconds_per_s = 1e6; /* definitions */
static const double bytes_per_gb = 1e9;

static const struct {
    const char *word;
    gp_collective collective;
} collectives[] = {
    {"all_reduce", GP_COLLECTIVE_ALL_REDUCE},         {"all_gather", GP_COLLECTIVE_ALL_GATHER},
    {"reduce_scatter", GP_COLLECTIVE_REDUCE_SCATTER}, {"alltoall", GP_COLLECTIVE_ALL_TO_ALL},
    {"all_to_all", GP_COLLECTIVE_ALL_TO_ALL},
};

static bool find_collective(const char *word, gp_collective *ret_collective) {
    for (size_t i = 0; i < GP_COUNT_OF(collectives); i++) {
        if (gp_str_equal(collectives[i].word, word)) {
            *ret_collective = collectives[i].collective;
            return true;
        }
    }
    return false;
}

/* Seconds, or a reason. */
static const char *collective_time(gp_fitter *fitter, const gp_run_row *run, double bytes,
                                   const gp_fit_hardware *hardware, double *ret_time_s) {
    gp_collective collective = GP_COLLECTIVE_ALL_REDUCE;
    int64_t nodes = run->nodes > 0 ? (int64_t)run->nodes : 1;
    if (hardware->machine == NULL)
        return hardware->why;
    if (!find_collective(run->collective, &collective))
        return "collective not known";
    if (bytes <= 0 || run->ranks <= 1)
        return "size or ranks not stated";
    *ret_time_s = gp_collective_time_s(hardware->machine, &hardware->network, &fitter->constants,
                                       collective, bytes, (int64_t)run->ranks, nodes);
    return isfinite(*ret_time_s) ? NULL : "no network known for this machine";
}

/* Half width of the band: at the 80th percentile an error is 1.6 means wide if it is
 * exponential. */
static double curve_error(const gp_fitter *fitter, const gp_fit_transfer *transfer) {
    const double ratio = fitter->constants.network_band_ratio;
    for (size_t i = 0; transfer->machine != NULL && i < fitter->fit_count; i++) {
        const gp_collective_fit *fit = fitter->fits[i];
        if (gp_str_equal(fit->gpu, transfer->machine->gpu->id) &&
            (gp_collective)fit->collective == transfer->collective && fit->ranks == transfer->ranks)
            return fit->error_fraction * ratio;
    }
    return 0;
}

double gp_fit_transfer_us(const gp_fitter *fitter, const void *subject) {
    const gp_fit_transfer *transfer = subject;
    const gp_network none = {0};
    return microseconds_per_s * gp_collective_time_s(transfer->machine, &none, &fitter->constants,
                                                     transfer->collective, transfer->bytes,
                                                     transfer->ranks, 1);
}

/* Where bandwidth rules and where latency does. */
static const char *size_class(double bytes) {
    static const double large = 64 * 1024.0 * 1024.0;
    return bytes < large ? "collectivesOneNode below 64 MiB" : "collectivesOneNode from 64 MiB";
}

void gp_fit_score_one_node(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows) {
    double time_s = 0;
    gp_run_row placed = *run;
    placed.gpus = run->ranks;
    gp_fit_transfer *transfer = GP_NEW(fitter->arena, gp_fit_transfer);
    const gp_fit_hardware hardware = gp_fit_hardware_of(fitter, &placed);
    if (run->time_us <= 0)
        return;
    const char *why = collective_time(fitter, run, run->bytes, &hardware, &time_s);
    gp_backtest_row row = gp_fit_row(run, size_class(run->bytes), "time_us", run->time_us, why);
    row.shape = run->gpu;
    *transfer = (gp_fit_transfer){.machine = hardware.machine,
                                  .ranks = (int64_t)run->ranks,
                                  .bytes = run->bytes,
                                  .time_s = run->time_us / microseconds_per_s};
    (void)find_collective(run->collective, &transfer->collective);
    const gp_fit_point point = {.shape = run->gpu,
                                .measured = run->time_us,
                                .subject = transfer,
                                .estimate = gp_fit_transfer_us};
    double error = curve_error(fitter, transfer);
    gp_fit_row_estimate(&row, time_s * microseconds_per_s, error, hardware.note);
    gp_fit_rows_add(fitter, rows, &row, &point);
}

/* ---- one stream between two ports
 * ------------------------------------------------------------- */

bool gp_fit_is_stream(const gp_run_row *run) {
    static const char *const words[] = {"rdma_write", "rdma_read", "send"};
    for (size_t i = 0; i < GP_COUNT_OF(words); i++)
        if (gp_str_equal(run->collective, words[i]))
            return true;
    return false;
}

typedef struct stream {
    double port_bytes_per_s;
    double built_in_fraction; /* of collectives */
} stream;

/* A port that gives less than it should slows collectives by as much: both move together. */
static double stream_gb_per_s(const gp_fitter *fitter, const void *subject) {
    const stream *s = subject;
    return s->port_bytes_per_s * fitter->constants.network_write_fraction *
           (fitter->constants.network_scale_out_fraction / s->built_in_fraction) / bytes_per_gb;
}

static void score_stream(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows) {
    static const double bits_per_byte = 8; /* definition */
    static const double slack = 1.02;      /* of rounded figures */
    const char *why = NULL;
    stream *s = GP_NEW(fitter->arena, stream);
    const double bits_per_s = gp_fit_port_rate(fitter, run);
    *s = (stream){.port_bytes_per_s = bits_per_s / bits_per_byte,
                  .built_in_fraction = fitter->constants.network_scale_out_fraction};
    if (bits_per_s <= 0) {
        why = "the rate of the port is not known: a column network (as in 400 Gb/s) states it";
    } else if (run->bus_gb_per_s > slack * s->port_bytes_per_s / bytes_per_gb) {
        why = gp_arena_printf(fitter->arena,
                              "faster than a port of %lld Gb/s: of several ports, of both "
                              "directions, in another unit, or a network column is needed",
                              (long long)(bits_per_s / bytes_per_gb));
    }
    gp_backtest_row row = gp_fit_row(run, "portStream", "busbw_GBps", run->bus_gb_per_s, why);
    row.shape = run->gpu;
    const gp_fit_point point = {.shape = run->gpu,
                                .measured = run->bus_gb_per_s,
                                .subject = s,
                                .estimate = stream_gb_per_s};
    if (why == NULL)
        gp_fit_row_estimate(&row, stream_gb_per_s(fitter, s), 0, NULL);
    gp_fit_rows_add(fitter, rows, &row, why == NULL ? &point : NULL);
}

void gp_fit_score_multinode(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows) {
    gp_quantity size = {0};
    double time_s = 0;
    gp_run_row placed = *run;
    if (run->bus_gb_per_s <= 0)
        return;
    if (gp_fit_is_stream(run)) {
        score_stream(fitter, run, rows);
        return;
    }
    placed.gpus = run->ranks;
    placed.gpus_per_node = run->nodes > 1 ? run->ranks / run->nodes : 0;
    const gp_fit_hardware hardware = gp_fit_hardware_of(fitter, &placed);
    if (run->payload != NULL)
        (void)gp_quantity_parse(run->payload, strlen(run->payload), GP_DIM_BYTES, &size);
    const char *why = collective_time(fitter, run, size.value, &hardware, &time_s);
    bool reduces = gp_str_equal(run->collective, "all_reduce");
    double factor = (reduces ? 2 : 1) * (run->ranks - 1) / gp_num_max(1, run->ranks);
    bool across = run->nodes > 1;
    const char *class_name = across ? "collectivesMultinode" : "collectivesOtherSite";
    gp_backtest_row row = gp_fit_row(run, class_name, "busbw_GBps", run->bus_gb_per_s, why);
    row.shape = run->gpu;
    if (why == NULL)
        gp_fit_row_estimate(&row, factor * size.value / time_s / bytes_per_gb,
                            across ? fitter->constants.network_scale_out_error_fraction : 0,
                            hardware.note);
    gp_fit_rows_add(fitter, rows, &row, NULL);
}
