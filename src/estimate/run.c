/* A whole run: checkpoints at the best interval, failures, restarts, and the wall time they
 * leave. */
#include <math.h>

#include "base/num.h"
#include "estimate/facility.h"

static const double bits_per_byte = 8;

double gp_checkpoint_bytes(const gp_train_job *job, const gp_constants *constants) {
    double trained =
        job->type == GP_WORKLOAD_LORA ? job->adapter_parameters : job->shape->parameters;
    return trained * constants->run_checkpoint_bytes;
}

static double rate_or(double given, double per_gpu, double gpus) {
    return given > 0 ? given : per_gpu * gpus;
}

/* Spare machines and the wait for one. With s of them a failed machine has no replacement when s
 * others are down; then the first of s + 1 repairs ends the wait. A repair takes what the
 * availability of a machine says beside its time to failure: A = M / (M + repair). */
static void set_spares(const gp_run_input *input, const gp_constants *constants, double gpu_mttf_s,
                       gp_run *run) {
    double up = constants->plan_node_availability_fraction;
    double gpus_each = (double)input->gpus / (double)gp_num_max_i64(1, input->nodes);
    double repair_s = gpu_mttf_s / gpus_each * (1 / up - 1);
    run->spare_nodes = input->spare_nodes;
    if (!input->spares_given) {
        run->spare_nodes =
            gp_spare_replicas(input->nodes, 1, constants->run_spares_fraction, constants);
        return;
    }
    int64_t others = input->nodes + input->spare_nodes - 1;
    double at_hand = input->spare_nodes > 0
                         ? gp_nodes_down_at_most(others, input->spare_nodes - 1, constants)
                         : 0;
    run->spare_wait_s = (1 - at_hand) * repair_s / (double)(input->spare_nodes + 1);
}

static gp_ref read_ref(const gp_run_input *input, const gp_constants *constants) {
    return input->read_storage != NULL
               ? GP_REF(input->read_storage, gp_storage, read_bytes_per_s)
               : GP_REF(constants, gp_constants, run_storage_read_bytes_per_s);
}

static gp_ref write_ref(const gp_run_input *input, const gp_constants *constants) {
    return input->write_storage != NULL
               ? GP_REF(input->write_storage, gp_storage, write_bytes_per_s)
               : GP_REF(constants, gp_constants, run_storage_write_bytes_per_s);
}

static gp_ref step_ref(const gp_run_input *input) {
    const bool rl = input->workload != NULL && input->workload->type == GP_WORKLOAD_RL;
    return GP_REF_TERM(rl ? GP_TERM_RL_STEP_TIME : GP_TERM_TRAIN_STEP_TIME);
}

static gp_ref restart_ref(const gp_run_input *input, const gp_constants *constants) {
    return input->restart_s > 0 && input->workload != NULL
               ? GP_REF(&input->workload->run, gp_run_spec, restart_s)
               : GP_REF(constants, gp_constants, run_restart_s);
}

static gp_ref mttf_ref(const gp_run_input *input, const gp_constants *constants) {
    return input->gpu_mttf_s > 0 && input->workload != NULL
               ? GP_REF(&input->workload->run, gp_run_spec, gpu_mttf_s)
               : GP_REF(constants, gp_constants, run_gpu_mttf_s);
}

static void trace_starts(const gp_run_input *input, const gp_run *run,
                         const gp_constants *constants, gp_trace *trace) {
    const gp_workload *w = input->workload;
    if (w == NULL)
        return;
    GP_TRACE(trace, GP_TERM_RUN_START_TIME, run->start_s, GP_REF(&w->run, gp_run_spec, start_s),
             GP_REF(constants, gp_constants, run_token_bytes), GP_REF_TERM(GP_TERM_TRAIN_WEIGHTS),
             read_ref(input, constants),
             GP_REF_IF(w->data.stored_bytes > 0, &w->data, gp_data, stored_bytes),
             GP_REF_IF(input->link != NULL, input->link, gp_site_link, bits_per_s));
    GP_TRACE(trace, GP_TERM_RUN_EVALUATION, input->evaluation_fraction,
             GP_REF(&w->evaluation, gp_evaluation_spec, tokens),
             GP_REF(&w->evaluation, gp_evaluation_spec, every));
}

static void trace_run(const gp_run_input *input, const gp_run *run, const gp_constants *constants,
                      gp_trace *trace) {
    const gp_ref stops = GP_REF_TERM(run->taken > 0 ? GP_TERM_RUN_STOPS : GP_TERM_RUN_MTBF);
    const bool preempted = input->workload != NULL && input->preempted_every_s > 0;
    GP_TRACE(trace, GP_TERM_RUN_MTBF, run->mtbf_s, mttf_ref(input, constants));
    if (run->taken > 0)
        GP_TRACE(trace, GP_TERM_RUN_STOPS, run->stopped_every_s, GP_REF_TERM(GP_TERM_RUN_MTBF),
                 GP_REF_IF(preempted, &input->workload->run, gp_run_spec, preempted_every_s));
    GP_TRACE(trace, GP_TERM_RUN_SPARES, (double)run->spare_nodes,
             GP_REF(constants, gp_constants, plan_node_availability_fraction),
             GP_REF(constants, gp_constants, run_spares_fraction));
    GP_TRACE(trace, GP_TERM_RUN_SPARE_WAIT, run->spare_wait_s, GP_REF_TERM(GP_TERM_RUN_SPARES),
             GP_REF(constants, gp_constants, plan_node_availability_fraction),
             GP_REF_TERM(GP_TERM_RUN_MTBF));
    GP_TRACE(trace, GP_TERM_RUN_CHECKPOINT_BYTES, run->checkpoint_bytes,
             GP_REF(constants, gp_constants, run_checkpoint_bytes),
             GP_REF_TERM(GP_TERM_PARAMETERS));
    GP_TRACE(trace, GP_TERM_RUN_CHECKPOINT_TIME, run->checkpoint_s,
             GP_REF_TERM(GP_TERM_RUN_CHECKPOINT_BYTES), write_ref(input, constants));
    GP_TRACE(trace, GP_TERM_RUN_INTERVAL, run->interval_s, stops,
             GP_REF_TERM(GP_TERM_RUN_CHECKPOINT_TIME));
    GP_TRACE(trace, GP_TERM_RUN_RESTART_TIME, run->restart_s, restart_ref(input, constants),
             read_ref(input, constants), GP_REF_TERM(GP_TERM_RUN_CHECKPOINT_BYTES),
             GP_REF_TERM(GP_TERM_RUN_SPARE_WAIT));
    GP_TRACE(trace, GP_TERM_RUN_GOODPUT, run->goodput_fraction, GP_REF_TERM(GP_TERM_RUN_INTERVAL),
             GP_REF_TERM(GP_TERM_RUN_CHECKPOINT_TIME), GP_REF_TERM(GP_TERM_RUN_RESTART_TIME), stops,
             step_ref(input),
             GP_REF_IF(input->maintenance != NULL, input->maintenance, gp_maintenance, every_s),
             GP_REF_IF(input->maintenance != NULL, input->maintenance, gp_maintenance, duration_s));
    trace_starts(input, run, constants, trace);
    GP_TRACE(trace, GP_TERM_RUN_COMPUTE_TIME, run->compute_s, step_ref(input),
             GP_REF_TERM(GP_TERM_RUN_EVALUATION));
    GP_TRACE(trace, GP_TERM_RUN_WALL_TIME, run->wall_s, GP_REF_TERM(GP_TERM_RUN_COMPUTE_TIME),
             GP_REF_TERM(GP_TERM_RUN_GOODPUT), GP_REF_TERM(GP_TERM_RUN_START_TIME));
    GP_TRACE(trace, GP_TERM_RUN_FAILURES, run->failures, GP_REF_TERM(GP_TERM_RUN_WALL_TIME),
             GP_REF_TERM(GP_TERM_RUN_MTBF));
}

/* What reading costs before the first step, and after a failure. */
static void set_starts(const gp_run_input *input, const gp_constants *constants, double gpus,
                       gp_run *run) {
    double rate =
        rate_or(input->storage_read_bytes_per_s, constants->run_storage_read_bytes_per_s, gpus);
    double loaded = run->checkpoint_bytes + input->loaded_bytes;
    double replaced = input->restart_s > 0 ? input->restart_s : constants->run_restart_s;
    run->restart_s = replaced + run->spare_wait_s + loaded / rate;
    if (input->link != NULL)
        run->moved_s = input->moved_bytes * bits_per_byte / input->link->bits_per_s;
    run->start_s = input->start_s + input->start_bytes / rate + run->moved_s;
}

static double per_s(double every_s, double count) {
    return every_s > 0 ? count / every_s : 0;
}

void gp_run_time(const gp_run_input *input, const gp_constants *constants, gp_trace *trace,
                 gp_run *ret) {
    double gpus = (double)gp_num_max_i64(1, input->gpus);
    double gpu_mttf_s = input->gpu_mttf_s > 0 ? input->gpu_mttf_s : constants->run_gpu_mttf_s;
    gp_run run = {.compute_s = input->steps * input->step_s * (1 + input->evaluation_fraction),
                  .checkpoint_bytes = input->checkpoint_bytes,
                  .evaluation_fraction = input->evaluation_fraction};
    const double taken_per_s = per_s(input->preempted_every_s, 1) +
                               per_s(input->interrupted_every_s, (double)input->nodes);
    run.mtbf_s = gpu_mttf_s / gpus;
    run.stopped_every_s = taken_per_s > 0 ? 1 / (gpus / gpu_mttf_s + taken_per_s) : run.mtbf_s;
    run.checkpoint_s =
        run.checkpoint_bytes /
        rate_or(input->storage_write_bytes_per_s, constants->run_storage_write_bytes_per_s, gpus);
    set_spares(input, constants, gpu_mttf_s, &run);
    set_starts(input, constants, gpus, &run);
    run.interval_s = input->interval_s > 0
                         ? input->interval_s
                         : gp_best_interval_s(run.checkpoint_s, run.stopped_every_s);
    /* A run shorter than the interval writes one checkpoint, at its end. */
    run.interval_s = gp_num_min(run.interval_s, run.compute_s);
    run.goodput_fraction = run.compute_s > 0
                               ? gp_effective_fraction(run.interval_s, run.checkpoint_s,
                                                       run.restart_s, run.stopped_every_s)
                               : 1;
    const gp_maintenance *window = input->maintenance;
    if (window != NULL)
        run.goodput_fraction *=
            gp_num_max(1 - (window->duration_s + run.restart_s) / window->every_s, 0);
    run.wall_s =
        run.goodput_fraction > 0 ? run.compute_s / run.goodput_fraction + run.start_s : HUGE_VAL;
    run.failures = run.wall_s / run.mtbf_s;
    run.taken = taken_per_s > 0 ? run.wall_s * taken_per_s : 0;
    run.taken_s = run.taken * (run.restart_s + run.interval_s / 2);
    trace_run(input, &run, constants, trace);
    *ret = run;
}
