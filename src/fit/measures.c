/* Collectives as they were measured, beside the estimates that plans are made of. */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "fit/fitter.h"
#include "fit/words.h"

static const double microseconds_per_s = 1e6; // definitions
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
    for (size_t i = 0; i < sizeof collectives / sizeof collectives[0]; i++) {
        if (gp_str_equal(collectives[i].word, word)) {
            *ret_collective = collectives[i].collective;
            return true;
        }
    }
    return false;
}

// Seconds, or a reason.
static const char *collective_time(gp_fitter *fitter, const gp_run_row *run, double bytes,
                                   gp_fit_hardware *hardware, double *ret_time_s) {
    gp_collective collective = GP_COLLECTIVE_ALL_REDUCE;
    int64_t nodes = run->nodes > 0 ? (int64_t)run->nodes : 1;
    if (hardware->machine == NULL) {
        return hardware->why;
    }
    if (!find_collective(run->collective, &collective)) {
        return "collective not known";
    }
    if (bytes <= 0 || run->ranks <= 1) {
        return "size or ranks not stated";
    }
    *ret_time_s = gp_collective_time_s(hardware->machine, &hardware->network, &fitter->constants,
                                       collective, bytes, (int64_t)run->ranks, nodes);
    return isfinite(*ret_time_s) ? NULL : "no network known for this machine";
}

gp_status gp_fit_score_one_node(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows) {
    gp_fit_hardware hardware = {0};
    double time_s = 0;
    gp_run_row placed = *run;
    placed.gpus = run->ranks;
    gp_status st = gp_fit_hardware_of(fitter, &placed, &hardware);
    if (st != GP_OK || run->time_us <= 0) {
        return st;
    }
    const char *why = collective_time(fitter, run, run->bytes, &hardware, &time_s);
    gp_backtest_row row = gp_fit_row(run, "collectivesOneNode", "time_us", run->time_us, why);
    row.shape = run->gpu;
    gp_fit_row_estimate(&row, time_s * microseconds_per_s, 0, hardware.note);
    return gp_fit_rows_add(fitter, rows, &row, NULL);
}

gp_status gp_fit_score_multinode(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows) {
    gp_fit_hardware hardware = {0};
    gp_quantity size = {0};
    double time_s = 0;
    gp_run_row placed = *run;
    placed.gpus = run->ranks;
    placed.gpus_per_node = run->nodes > 0 ? run->ranks / run->nodes : 0;
    gp_status st = gp_fit_hardware_of(fitter, &placed, &hardware);
    if (st != GP_OK || run->bus_gb_per_s <= 0) {
        return st;
    }
    if (run->payload != NULL) {
        (void)gp_quantity_parse(run->payload, strlen(run->payload), GP_DIM_BYTES, &size);
    }
    const char *why = collective_time(fitter, run, size.value, &hardware, &time_s);
    bool reduces = gp_str_equal(run->collective, "all_reduce");
    double factor = (reduces ? 2 : 1) * (run->ranks - 1) / gp_num_max(1, run->ranks);
    gp_backtest_row row =
        gp_fit_row(run, "collectivesMultinode", "busbw_GBps", run->bus_gb_per_s, why);
    row.shape = run->gpu;
    if (why == NULL) {
        gp_fit_row_estimate(&row, factor * size.value / time_s / bytes_per_gb, 0, hardware.note);
    }
    return gp_fit_rows_add(fitter, rows, &row, NULL);
}
