/* Derived figures of GPUs, systems and models. */
#include "catalog/derive.h"

#include "schema/field.h"

void gp_gpu_derive(gp_gpu *gpu) {
    if (!GP_GIVEN(gpu, gp_gpu, usable_memory_bytes) && GP_GIVEN(gpu, gp_gpu, memory_bytes)) {
        gpu->usable_memory_bytes = gpu->memory_bytes;
        gp_origin_derive(&gpu->meta, offsetof(gp_gpu, usable_memory_bytes));
    }
}

void gp_system_derive(gp_system *system) {
    gp_gpu_derive(&system->gpu);
    if (!GP_GIVEN(system, gp_system, domain) && system->gpus > 0) {
        int64_t most = system->gpu.domain_max;
        system->domain = most > 0 && most < system->gpus ? most : system->gpus;
        gp_origin_derive(&system->meta, offsetof(gp_system, domain));
    }
    if (!GP_GIVEN(system, gp_system, cooling)) {
        system->cooling = GP_COOLING_AIR;
        gp_origin_derive(&system->meta, offsetof(gp_system, cooling));
    }
}

void gp_model_derive(gp_model *model) {
    if (!GP_GIVEN(model, gp_model, kv_heads) && model->heads > 0) {
        model->kv_heads = model->heads;
        gp_origin_derive(&model->meta, offsetof(gp_model, kv_heads));
    }
    if (!GP_GIVEN(model, gp_model, head_dim) && model->heads > 0) {
        model->head_dim = model->hidden / model->heads;
        gp_origin_derive(&model->meta, offsetof(gp_model, head_dim));
    }
    const gp_model_kind kind = gp_model_kind_of(model);
    if ((kind == GP_MODEL_PICTURES || kind == GP_MODEL_SCORES) && !model->bidirectional) {
        model->bidirectional = true; /* neither writes tokens */
        gp_origin_derive(&model->meta, offsetof(gp_model, bidirectional));
    }
}

gp_model_kind gp_model_kind_of(const gp_model *model) {
    return model->diffusion.steps > 0       ? GP_MODEL_PICTURES
           : model->scoring.flop > 0        ? GP_MODEL_SCORES
           : model->speech.tokens_per_s > 0 ? GP_MODEL_SPEECH
                                            : GP_MODEL_TEXT;
}

gp_stack_role gp_engine_role(const gp_model *model) {
    return gp_model_kind_of(model) == GP_MODEL_PICTURES ? GP_STACK_PICTURES : GP_STACK_SERVING;
}
