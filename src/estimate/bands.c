/*
 * Half widths of the error bands at the 80th percentile, by class. A class is GPU and precision
 * (the efficiency row's own error), and on top of it what kind of work it is; the wider one holds.
 */
#include <gpuplan/estimate.h>

#include "base/num.h"

double gp_train_band(const gp_train_job *job, const gp_machine *machine,
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
    return band;
}

double gp_train_memory_band(const gp_train_job *job, double tensor_bytes,
                            const gp_constants *constants) {
    if (job->type != GP_WORKLOAD_TRAINING)
        return constants->plan_band_memory_tuning_fraction;
    return tensor_bytes < constants->plan_band_memory_small_bytes
               ? constants->plan_band_memory_small_fraction
               : constants->plan_band_memory_training_fraction;
}

double gp_serve_band(const gp_serve_job *job, const gp_machine *machine,
                     const gp_constants *constants) {
    const gp_efficiency *row = machine->efficiency[job->compute];
    if (row != NULL && row->own_serving > 0 && row->serving_error_fraction > 0)
        return row->serving_error_fraction;
    return job->shape->moe ? constants->plan_band_serving_moe_fraction
                           : constants->plan_band_serving_fraction;
}
