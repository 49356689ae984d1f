/* What estimators take of a run whose configuration is worked out, by the fitter's present rows. */
#include "base/str.h"
#include "fit/fitter.h"
#include "fit/words.h"

bool gp_fit_recomputes_by_operator(const gp_fit_case *c) {
    return c->stack != NULL && c->stack->selective == GP_SELECTIVE_OPERATOR &&
           gp_words_has(c->run->recompute, "default");
}

gp_train_job gp_fit_job(const gp_fitter *fitter, const gp_fit_case *c) {
    gp_train_job job = c->job;
    job.speed_factor = fitter->tuned_factor;
    gp_train_apply_stack(&job, c->stack);
    job.kernels = c->kernels != GP_KERNELS_AUTO ? c->kernels : job.kernels;
    job.loops_experts = job.loops_experts && !gp_words_has(c->run->framework_config, "scattermoe");
    job.attention = c->attention != GP_ATTENTION_AUTO ? c->attention : job.attention;
    return job;
}

double gp_fit_step_s(const gp_fitter *fitter, const gp_fit_case *c) {
    gp_train_time time;
    gp_train_job job = gp_fit_job(fitter, c);
    gp_train_step_time(&job, c->machine, &c->network, &c->layout, &fitter->constants, NULL, &time);
    return time.step_s;
}

double gp_fit_tokens_per_s_per_gpu(const gp_fitter *fitter, const gp_fit_case *c) {
    return c->job.global_batch * c->job.packing_fraction / gp_fit_step_s(fitter, c) / c->gpus;
}

const char *gp_fit_training_class(const gp_fit_case *c) {
    if (c->job.type == GP_WORKLOAD_LORA)
        return "lora";
    if (c->job.type == GP_WORKLOAD_FINETUNE)
        return "sft";
    if (c->machine != NULL && !gp_str_equal(c->machine->gpu->vendor, "nvidia"))
        return "otherTraining";
    if (c->model == NULL)
        return c->run->experts > 0 ? "moeHybridTraining" : "denseTraining";
    return c->model->shape.moe || c->model->shape.hybrid ? "moeHybridTraining" : "denseTraining";
}
