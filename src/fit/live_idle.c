/*
 * Power of a loaded engine at rest: the one factor that no run can give. One window counts as one
 * measurement, however many samples it has, since they all come from the same machines.
 */
#include <math.h>

#include "base/num.h"
#include "base/str.h"
#include "fit/fitter.h"
#include "import/telemetry.h"
#include "model/calibration.h"
#include "plan/plan.h"

static const double prior_spread = 0.3;    /* of GPUs around the built-in figure, in ln f */
static const double window_scatter = 0.05; /* of one window around its GPU */
static const double log_limit = 1.5;
static bool factor_of(const gp_telemetry *telemetry, const gp_gpu *gpu, const gp_power_class *power,
                      const char *subject, gp_calibration_factor *ret) {
    const gp_telemetry_reading *rest = gp_telemetry_reading_of(telemetry, "gpuPowerRest", subject);
    double built_in = power->idle_fraction * gpu->tdp_w;
    if (rest == NULL || !(built_in > 0) || rest->p50 >= gpu->tdp_w)
        return false;
    double log_factor = gp_num_log(rest->p50 / built_in);
    double weight = prior_spread * prior_spread /
                    (prior_spread * prior_spread + window_scatter * window_scatter);
    *ret = (gp_calibration_factor){
        .class_of = {.gpu = gpu->id},
        .term = GP_CALIBRATION_IDLE,
        .factor = gp_num_exp(weight * log_factor),
        .measured = rest->p50 / built_in,
        .weight = weight,
        .samples = 1,
        .spread = {.p10 = rest->p10 / built_in, .p90 = rest->p90 / built_in},
    };
    return fabs(log_factor) <= log_limit;
}

static void add_factor(const gp_telemetry *telemetry, gp_catalog *catalog, const gp_gpu *gpu,
                       gp_calibration *calibration) {
    const char *subject = NULL;
    const gp_power_class *power = gp_fit_power_class(catalog, gpu);
    gp_telemetry_gpu(telemetry, gpu, &subject);
    if (power != NULL && subject != NULL &&
        factor_of(telemetry, gpu, power, subject,
                  &calibration->factors.items[calibration->factors.count]))
        calibration->factors.count++;
}

void gp_telemetry_idle_factors(const gp_telemetry *telemetry, gp_catalog *catalog,
                               const gp_plan_result *result, gp_calibration *calibration) {
    size_t first = calibration->factors.count;
    const size_t size = sizeof *calibration->factors.items;
    calibration->factors.items =
        gp_arena_resize(telemetry->arena, calibration->factors.items, first * size,
                        (first + result->workloads.count + 1) * size);
    for (size_t i = 0; i < result->workloads.count; i++) {
        const gp_workload_plan *plan = &result->workloads.items[i];
        const gp_unit *unit = plan->chosen.present ? plan->chosen.unit : NULL;
        if (plan->is_serving && unit != NULL &&
            GP_NAMED_OF(calibration->factors.items + first, calibration->factors.count - first,
                        class_of.gpu, unit->machine.gpu->id) == NULL)
            add_factor(telemetry, catalog, unit->machine.gpu, calibration);
    }
}
