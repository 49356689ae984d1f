// A whole run: checkpoints at the best interval, failures, restarts, and the wall time they leave.
#include <math.h>

#include <gpuplan/estimate.h>

#include "base/num.h"

double gp_checkpoint_bytes(const gp_train_job *job, const gp_constants *constants) {
    double trained =
        job->type == GP_WORKLOAD_LORA ? job->adapter_parameters : job->shape->parameters;
    return trained * constants->run_checkpoint_bytes;
}

// Daly, "A higher order estimate of the optimum checkpoint interval", FGCS 22 (2006), equation 37.
static double best_interval_s(double write_s, double mtbf_s) {
    if (write_s >= 2 * mtbf_s) {
        return mtbf_s;
    }
    double ratio = sqrt(write_s / (2 * mtbf_s));
    double base = sqrt(2 * write_s * mtbf_s);
    return base * (1 + ratio / 3 + ratio * ratio / (3 * 3)) - write_s;
}

// x / (e^x - 1) for x >= 0, by its series where the difference would lose digits.
static double exponential_share(double x) {
    double small = x * x / (3 * 4);
    if (small * small < 1 / (4.0 * GP_NUM_COUNT_MAX)) {
        return 1 - x / 2 + small;
    }
    return x / (gp_num_exp(x) - 1);
}

// Effective share of the time under exponential failures: (tau/M) / (e^((tau+d)/M) - 1) e^(-R/M).
static double goodput(double interval_s, double write_s, double restart_s, double mtbf_s) {
    double cycle = interval_s + write_s;
    if (cycle <= 0) {
        return 0;
    }
    return interval_s / cycle * exponential_share(cycle / mtbf_s) * gp_num_exp(-restart_s / mtbf_s);
}

static double rate_or(double given, double per_gpu, double gpus) {
    return given > 0 ? given : per_gpu * gpus;
}

static void trace_run(const gp_run *run, const gp_constants *constants, gp_trace *trace) {
    GP_TRACE(trace, GP_TERM_RUN_MTBF, run->mtbf_s, GP_REF(constants, gp_constants, run_gpu_mttf_s));
    GP_TRACE(trace, GP_TERM_RUN_CHECKPOINT_BYTES, run->checkpoint_bytes,
             GP_REF(constants, gp_constants, run_checkpoint_bytes),
             GP_REF_TERM(GP_TERM_PARAMETERS));
    GP_TRACE(trace, GP_TERM_RUN_CHECKPOINT_TIME, run->checkpoint_s,
             GP_REF_TERM(GP_TERM_RUN_CHECKPOINT_BYTES),
             GP_REF(constants, gp_constants, run_storage_write_bytes_per_s));
    GP_TRACE(trace, GP_TERM_RUN_INTERVAL, run->interval_s, GP_REF_TERM(GP_TERM_RUN_MTBF),
             GP_REF_TERM(GP_TERM_RUN_CHECKPOINT_TIME));
    GP_TRACE(trace, GP_TERM_RUN_RESTART_TIME, run->restart_s,
             GP_REF(constants, gp_constants, run_restart_s),
             GP_REF(constants, gp_constants, run_storage_read_bytes_per_s));
    GP_TRACE(trace, GP_TERM_RUN_GOODPUT, run->goodput_fraction, GP_REF_TERM(GP_TERM_RUN_INTERVAL),
             GP_REF_TERM(GP_TERM_RUN_CHECKPOINT_TIME), GP_REF_TERM(GP_TERM_RUN_RESTART_TIME),
             GP_REF_TERM(GP_TERM_RUN_MTBF));
    GP_TRACE(trace, GP_TERM_RUN_COMPUTE_TIME, run->compute_s, GP_REF_TERM(GP_TERM_TRAIN_STEP_TIME));
    GP_TRACE(trace, GP_TERM_RUN_WALL_TIME, run->wall_s, GP_REF_TERM(GP_TERM_RUN_COMPUTE_TIME),
             GP_REF_TERM(GP_TERM_RUN_GOODPUT));
}

void gp_run_time(const gp_run_input *input, const gp_constants *constants, gp_trace *trace,
                 gp_run *ret) {
    double gpus = (double)gp_num_max_i64(1, input->gpus);
    gp_run run = {.compute_s = input->steps * input->step_s * (1 + input->evaluation_fraction),
                  .checkpoint_bytes = input->checkpoint_bytes};
    run.mtbf_s = constants->run_gpu_mttf_s / gpus;
    run.checkpoint_s =
        run.checkpoint_bytes /
        rate_or(input->storage_write_bytes_per_s, constants->run_storage_write_bytes_per_s, gpus);
    double loaded = run.checkpoint_bytes + input->loaded_bytes;
    run.restart_s =
        constants->run_restart_s + loaded / rate_or(input->storage_read_bytes_per_s,
                                                    constants->run_storage_read_bytes_per_s, gpus);
    run.interval_s =
        input->interval_s > 0 ? input->interval_s : best_interval_s(run.checkpoint_s, run.mtbf_s);
    // A run shorter than the interval writes one checkpoint, at its end.
    run.interval_s = gp_num_min(run.interval_s, run.compute_s);
    run.goodput_fraction =
        run.compute_s > 0 ? goodput(run.interval_s, run.checkpoint_s, run.restart_s, run.mtbf_s)
                          : 1;
    run.wall_s =
        run.goodput_fraction > 0 ? run.compute_s / run.goodput_fraction + input->start_s : HUGE_VAL;
    trace_run(&run, constants, trace);
    *ret = run;
}
