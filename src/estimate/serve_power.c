/*
 * Power of a GPU while it serves. Every kind of work of a decode step draws its own watts for as
 * long as it runs; in the time that the host keeps the GPU waiting it draws what an idle engine
 * does. The mean over a step is therefore energy over time, and the board's limit bends it down
 * smoothly (docs/formulas.md, "Power while serving").
 */
#include <math.h>

#include "base/num.h"
#include "estimate/serve.h"

/* What one step does, in seconds of each kind of work. */
typedef struct step_work {
    gp_serve_step step;
    double compute_s; /* multiplications at the attainable rate */
    double prefill_s; /* prompts that arrive during the step */
    double media;     /* tokens of images and video among them */
} step_work;

static double more_than_nought(double value) {
    return value > 0 ? value : 1;
}

static void work_of(const gp_serve_cost *cost, double batch, bool prompted, step_work *ret) {
    const gp_serve_job *job = cost->job;
    double input = more_than_nought(job->input_tokens);
    double output = more_than_nought(job->output_tokens);
    double branches = more_than_nought(job->branches);
    double arrivals = prompted ? batch / (branches * output) : 0;
    gp_serve_prompts prompts;
    gp_serve_step_of(cost, batch, input + 0.5 * output, &ret->step);
    gp_serve_prompts_of(cost, input, &prompts);
    double sequences = gp_num_max(batch / (double)cost->pp, 1);
    ret->compute_s = sequences * (cost->dense_flop / cost->flop_per_s +
                                  cost->expert_flop / cost->expert_flop_per_s);
    ret->prefill_s = arrivals * prompts.work_s / (double)cost->pp;
    ret->media = arrivals * job->image_tokens;
}

/* Watt-seconds over the TDP, above idle. */
static double energy_of(const gp_serve_cost *cost, const step_work *work) {
    const gp_power_class *class_row = cost->machine->power;
    bool blocks = cost->job->weights == GP_FORMAT_FP8_BLOCK;
    double weights = blocks ? class_row->block_fraction : class_row->weights_fraction;
    return weights * work->step.gemm_s + class_row->compute_fraction * work->compute_s +
           class_row->prefill_fraction * work->prefill_s +
           class_row->attention_fraction * work->step.attention_s +
           class_row->communication_fraction * work->step.communication_s +
           class_row->overhead_fraction * work->step.overhead_s;
}

/* Seconds of a step with the host's part, which nothing overlaps. */
static double step_s_of(const gp_serve_cost *cost, double batch, const step_work *work) {
    const gp_power_class *class_row = cost->machine->power;
    double ranks = gp_num_log2((double)cost->tp * (double)cost->pp);
    double host = class_row->host_step_s + class_row->host_rank_s * ranks +
                  class_row->host_sequence_s * batch + class_row->host_media_s * work->media;
    return work->step.gemm_s + work->step.attention_s + work->step.communication_s +
           work->step.overhead_s + work->prefill_s + host;
}

/* x where it is small, bent to at most 1: a board nears its limit, it does not pass it. */
static double limited(double x, double exponent) {
    return x / gp_num_pow(1 + gp_num_pow(x, exponent), 1 / exponent);
}

static void trace_power(const gp_serve_cost *cost, const gp_serve_power *power, gp_trace *trace) {
    const gp_power_class *class_row = cost->machine->power;
    GP_TRACE(trace, GP_TERM_GPU_POWER, power->gpu_w, GP_REF(cost->machine->gpu, gp_gpu, tdp_w),
             GP_REF(class_row, gp_power_class, idle_fraction),
             GP_REF(class_row, gp_power_class, weights_fraction),
             GP_REF(class_row, gp_power_class, compute_fraction),
             GP_REF(class_row, gp_power_class, attention_fraction),
             GP_REF_TERM(GP_TERM_SERVE_GEMM_TIME), GP_REF_TERM(GP_TERM_SERVE_ATTENTION_TIME),
             GP_REF_TERM(GP_TERM_SERVE_THROUGHPUT));
}

/* `above_idle`: what its work draws, over the TDP. */
static double held_fraction(const gp_serve_cost *cost, double above_idle) {
    const gp_machine *machine = cost->machine;
    double cap = machine->power_cap_fraction > 0 ? gp_num_min(machine->power_cap_fraction, 1) : 1;
    double exponent = cost->constants->site_power_saturation_exponent;
    return gp_num_min(limited(machine->power->idle_fraction + above_idle, exponent), cap);
}

static void power_at(const gp_serve_cost *cost, double batch, double tokens_per_s, bool prompted,
                     gp_serve_power *ret) {
    step_work work = {0};
    *ret = (gp_serve_power){0};
    if (!cost->supported || cost->machine->power == NULL)
        return;
    double sequences = gp_num_max(batch, 1);
    work_of(cost, sequences, prompted, &work);
    ret->step_s = step_s_of(cost, sequences, &work);
    double most = 1 / ret->step_s;
    double steps_per_s = tokens_per_s > 0 ? gp_num_min(tokens_per_s / sequences, most) : most;
    ret->fraction = held_fraction(cost, energy_of(cost, &work) * steps_per_s);
    ret->gpu_w = ret->fraction * cost->machine->gpu->tdp_w;
    ret->error_fraction = cost->machine->power->error_fraction;
}

void gp_serve_power_with(const gp_serve_cost *cost, double batch, double tokens_per_s,
                         gp_trace *trace, gp_serve_power *ret) {
    power_at(cost, batch, tokens_per_s, true, ret);
    if (trace != NULL && ret->gpu_w > 0)
        trace_power(cost, ret, trace);
}

void gp_serve_pools_power(const gp_serve_pools *pools, const gp_serve_point *decode,
                          double prefill_busy, double prefill_share, gp_trace *trace,
                          gp_serve_power *ret) {
    power_at(&pools->decode, decode->batch, decode->output_tokens_per_s, false, ret);
    if (!(ret->gpu_w > 0))
        return;
    const gp_machine *machine = pools->prefill.machine;
    const double prompts = machine->power->prefill_fraction * gp_num_min(prefill_busy, 1);
    ret->fraction += prefill_share * (held_fraction(&pools->prefill, prompts) - ret->fraction);
    ret->gpu_w = ret->fraction * machine->gpu->tdp_w;
    if (trace != NULL)
        trace_power(&pools->decode, ret, trace);
}

void gp_serve_power_of(const gp_serve_job *job, const gp_machine *machine,
                       const gp_network *network, const gp_serve_layout *layout,
                       const gp_constants *constants, double batch, double tokens_per_s,
                       gp_trace *trace, gp_serve_power *ret) {
    gp_serve_cost cost;
    gp_serve_cost_of(job, machine, network, layout, constants, &cost);
    gp_serve_power_with(&cost, batch, tokens_per_s, trace, ret);
}
