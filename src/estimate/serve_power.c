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

static void work_of(const gp_serve_cost *cost, double batch, step_work *ret) {
    const gp_serve_job *job = cost->job;
    double input = more_than_nought(job->input_tokens);
    double output = more_than_nought(job->output_tokens);
    double branches = more_than_nought(job->branches);
    double arrivals = batch / (branches * output);
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

void gp_serve_power_with(const gp_serve_cost *cost, double batch, double tokens_per_s,
                         gp_trace *trace, gp_serve_power *ret) {
    const gp_machine *machine = cost->machine;
    step_work work = {0};
    *ret = (gp_serve_power){0};
    if (!cost->supported || machine->power == NULL)
        return;
    double sequences = gp_num_max(batch, 1);
    work_of(cost, sequences, &work);
    ret->step_s = step_s_of(cost, sequences, &work);
    double most = 1 / ret->step_s;
    double steps_per_s = tokens_per_s > 0 ? gp_num_min(tokens_per_s / sequences, most) : most;
    double fraction = machine->power->idle_fraction + energy_of(cost, &work) * steps_per_s;
    double cap = machine->power_cap_fraction > 0 ? gp_num_min(machine->power_cap_fraction, 1) : 1;
    double exponent = cost->constants->site_power_saturation_exponent;
    ret->fraction = gp_num_min(limited(fraction, exponent), cap);
    ret->gpu_w = ret->fraction * machine->gpu->tdp_w;
    ret->error_fraction = machine->power->error_fraction;
    if (trace != NULL)
        trace_power(cost, ret, trace);
}

void gp_serve_power_of(const gp_serve_job *job, const gp_machine *machine,
                       const gp_network *network, const gp_serve_layout *layout,
                       const gp_constants *constants, double batch, double tokens_per_s,
                       gp_trace *trace, gp_serve_power *ret) {
    gp_serve_cost cost;
    gp_serve_cost_of(job, machine, network, layout, constants, &cost);
    gp_serve_power_with(&cost, batch, tokens_per_s, trace, ret);
}
