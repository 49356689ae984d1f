/*
 * What a run is left out with: its model, GPU, framework or engine, the place that published it and
 * the maker of the model, each as one word that all runs of a kind share.
 */
#include <ctype.h>
#include <string.h>

#include "base/str.h"
#include "lab/lab.h"

/* "NVIDIA-NeMo/Megatron-Bridge docs/...", "NVIDIA+dgxc:README.md@...": the repository; of a page
 * its host. */
static const char *source_key(gp_arena *arena, const char *source) {
    static const char web[] = "https://";
    if (source == NULL) {
        return NULL;
    }
    bool page = gp_str_starts(source, web);
    const char *start = page ? source + sizeof web - 1 : source;
    return gp_arena_strndup(arena, start, strcspn(start, page ? "/ @" : ": @"));
}

/* Who published a run of no model: "deepseek-ai/DeepEP:README.md",
 * "github.com/deepseek-ai/DeepEP". */
static const char *publisher_key(gp_arena *arena, const char *source) {
    static const char host[] = "github.com/";
    if (source == NULL) {
        return NULL;
    }
    const char *start = gp_str_starts(source, host) ? source + sizeof host - 1 : source;
    return gp_arena_strndup(arena, start, strcspn(start, "/"));
}

/* The word that a maker's models share: the letters that the name begins with. */
static const char *organization_key(gp_arena *arena, const char *model) {
    size_t len = 0;
    while (model != NULL && isalpha((unsigned char)model[len])) {
        len++;
    }
    char *key = len > 0 ? gp_arena_strndup(arena, model, len) : NULL;
    for (size_t i = 0; key != NULL && i < len; i++) {
        key[i] = (char)tolower((unsigned char)key[i]);
    }
    return key;
}

/* Whether two stacks are one software that is released under two names. */
static bool released_together(const gp_stack *a, const gp_stack *b) {
    return a->role == GP_STACK_TRAINING && b->role == GP_STACK_TRAINING && a->release != NULL &&
           gp_str_equal(a->release, b->release) && a->order == b->order &&
           a->kernels == b->kernels && a->attention == b->attention;
}

/* The name that a run's framework shares with those released together with it; the words
 * themselves where no stack is known by them. */
static const char *framework_key(const gp_fitter *fitter, const gp_run_row *run) {
    const gp_stack *stack = gp_fit_training_stack(fitter, run);
    const char *name = stack == NULL ? NULL : stack->name;
    const char *first = name == NULL ? run->framework : name;
    for (size_t i = 0; name != NULL && i < fitter->stack_count; i++) {
        for (size_t j = 0; j < fitter->stack_count; j++) {
            const gp_stack *own = &fitter->stacks[i];
            const gp_stack *other = &fitter->stacks[j];
            bool same = gp_str_equal(own->name, name) && released_together(own, other);
            first = same && gp_str_compare(other->name, first) < 0 ? other->name : first;
        }
    }
    return first;
}

const char *gp_lab_left_key(gp_fitter *fitter, const gp_fit_point *point, gp_leave_out kind) {
    const gp_run_row *run = point->run;
    gp_fit_hardware hardware;
    switch (kind) {
    case GP_LEAVE_OUT_MODEL: return point->shape;
    case GP_LEAVE_OUT_GPU:
        hardware = gp_fit_hardware_of(fitter, run);
        return hardware.machine == NULL ? run->gpu : hardware.machine->gpu->id;
    case GP_LEAVE_OUT_ENGINE:
        return run->framework != NULL ? framework_key(fitter, run) : run->engine;
    case GP_LEAVE_OUT_SOURCE: return source_key(fitter->arena, run->source);
    case GP_LEAVE_OUT_ORGANIZATION:
        return run->model != NULL ? organization_key(fitter->arena, run->model)
                                  : publisher_key(fitter->arena, run->source);
    case GP_LEAVE_OUT_NONE:
    case GP_LEAVE_OUT_KINDS: break;
    }
    return NULL;
}
