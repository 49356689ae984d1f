/*
 * Half widths of the error bands at the 80th percentile, by class. A class is GPU and precision
 * (the efficiency row's own error), and on top of it what kind of work it is; the wider one holds,
 * and more where the framework is not known. Each is of runs left out of the fit.
 */
#include <math.h>

#include "base/num.h"
#include "estimate/estimate.h"
#include "estimate/serve.h"

/* Plain modules on several machines, or with so few tokens that the host decides: how fast it is,
 * and how well exchange overlaps, differs from site to site. */
static bool rests_on_site(const gp_train_job *job, const gp_machine *machine,
                          const gp_layout *layout, const gp_constants *constants) {
    if (layout == NULL || job->kernels == GP_KERNELS_AUTO)
        return false;
    double tokens = (double)layout->micro_batch * job->sequence_length / (double)layout->cp;
    bool leaves = gp_layout_gpus(layout) > gp_num_max_i64(machine->gpus, machine->domain);
    return leaves || tokens < constants->training_open_error_tokens;
}

double gp_train_band(const gp_train_job *job, const gp_machine *machine, const gp_layout *layout,
                     const gp_constants *constants) {
    const gp_efficiency *row = machine->efficiency[job->compute];
    double band = row != NULL && row->error_fraction > 0 ? row->error_fraction
                                                         : constants->plan_band_training_fraction;
    if (job->shape->moe || job->shape->hybrid)
        band = gp_num_max(band, constants->training_moe_error_fraction);
    if (job->type == GP_WORKLOAD_LORA)
        band = gp_num_max(band, constants->training_adapter_error_fraction);
    if (job->type == GP_WORKLOAD_FINETUNE)
        band = gp_num_max(band, constants->training_finetune_error_fraction);
    if (rests_on_site(job, machine, layout, constants))
        band = gp_num_max(band, constants->training_open_error_fraction);
    /* A framework without runs errs apart from the rest, and so by the root of the squares. */
    double own = gp_num_log(1 + band), framework = constants->training_framework_spread;
    return job->known_stack ? band : gp_num_exp(sqrt(own * own + framework * framework)) - 1;
}

double gp_train_run_band(double error_fraction, bool recompute_known, bool batch_known,
                         const gp_constants *constants) {
    const gp_constants *k = constants;
    double tenth = k->plan_band_tenth_deviations, model = gp_num_log(1 + error_fraction) / tenth;
    double own = k->training_run_spread, method = k->training_run_spread_recompute;
    double batch = k->training_run_spread_batch;
    double variance = model * model + own * own + (recompute_known ? 0 : method * method) +
                      (batch_known ? 0 : batch * batch);
    return gp_num_exp(tenth * sqrt(variance)) - 1;
}

double gp_band_fifth(double band, const gp_constants *constants) {
    double ratio = constants->plan_band_fifth_deviations / constants->plan_band_tenth_deviations;
    return gp_num_pow(1 + band, ratio) - 1;
}

double gp_train_memory_band(const gp_train_job *job, double tensor_bytes,
                            const gp_constants *constants) {
    if (job->type != GP_WORKLOAD_TRAINING)
        return constants->plan_band_memory_tuning_fraction;
    return tensor_bytes < constants->plan_band_memory_small_bytes
               ? constants->plan_band_memory_small_fraction
               : constants->plan_band_memory_training_fraction;
}

/* Of models that do not turn tokens into tokens; 0: it is none of them. */
static double kind_band(const gp_serve_job *job, const gp_constants *constants) {
    const gp_model *model = job->shape->model;
    switch (model != NULL ? gp_model_kind_of(model) : GP_MODEL_TEXT) {
    case GP_MODEL_PICTURES: return constants->plan_band_denoising_fraction;
    case GP_MODEL_SCORES: return constants->plan_band_scoring_fraction;
    case GP_MODEL_SPEECH: return constants->plan_band_speech_fraction;
    case GP_MODEL_TEXT:
    case GP_MODEL_KIND_COUNT: break;
    }
    return 0;
}

double gp_serve_band(const gp_serve_job *job, const gp_machine *machine,
                     const gp_constants *constants) {
    const gp_efficiency *row = machine->efficiency[job->compute];
    if (row != NULL && row->own_serving > 0 && row->serving_error_fraction > 0)
        return row->serving_error_fraction;
    double band = kind_band(job, constants) > 0 ? kind_band(job, constants)
                  : job->reads_only             ? constants->plan_band_reading_fraction
                  : job->shape->moe             ? constants->plan_band_serving_moe_fraction
                                                : constants->plan_band_serving_fraction;
    return machine->inherited && row != NULL ? gp_num_max(band, row->error_fraction) : band;
}

double gp_serve_ttft_band(const gp_serve_job *job, const gp_constants *constants) {
    const double own = kind_band(job, constants);
    return own > 0           ? own
           : job->shape->moe ? constants->plan_band_ttft_moe_fraction
                             : constants->plan_band_ttft_fraction;
}

gp_ref gp_serve_band_ref(const gp_serve_job *job, const gp_constants *constants, bool first_token) {
    const gp_model *model = job->shape->model;
    switch (model != NULL ? gp_model_kind_of(model) : GP_MODEL_TEXT) {
    case GP_MODEL_PICTURES: return GP_REF(constants, gp_constants, plan_band_denoising_fraction);
    case GP_MODEL_SCORES: return GP_REF(constants, gp_constants, plan_band_scoring_fraction);
    case GP_MODEL_SPEECH: return GP_REF(constants, gp_constants, plan_band_speech_fraction);
    case GP_MODEL_TEXT:
    case GP_MODEL_KIND_COUNT: break;
    }
    if (first_token)
        return job->shape->moe ? GP_REF(constants, gp_constants, plan_band_ttft_moe_fraction)
                               : GP_REF(constants, gp_constants, plan_band_ttft_fraction);
    return job->reads_only   ? GP_REF(constants, gp_constants, plan_band_reading_fraction)
           : job->shape->moe ? GP_REF(constants, gp_constants, plan_band_serving_moe_fraction)
                             : GP_REF(constants, gp_constants, plan_band_serving_fraction);
}
