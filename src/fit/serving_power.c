/*
 * Power of GPUs that serve, beside what their board said. Everything is taken from the row's
 * configuration: latency and throughput, which are measured too, are not looked at.
 */

#include "base/num.h"
#include "fit/fitter.h"
#include "fit/words.h"

/* Requests of unknown lengths are taken to be chats. */
static const double chat_input = 200, chat_output = 615;

typedef struct power_case {
    gp_serve_job job;
    gp_serve_layout layout;
    const gp_machine *machine;
    const gp_network *network;
    double batch; /* of the replica */
} power_case;

static bool set_formats(const char *word, const gp_model *model, gp_serve_job *job) {
    static const struct {
        const char *word;
        gp_precision compute;
        gp_format weights;
    } formats[] = {
        {"mxfp4", GP_PRECISION_BF16, GP_FORMAT_MXFP4}, {"nvfp4", GP_PRECISION_FP4, GP_FORMAT_NVFP4},
        {"int4", GP_PRECISION_BF16, GP_FORMAT_INT4},   {"int8", GP_PRECISION_INT8, GP_FORMAT_INT8},
        {"fp8", GP_PRECISION_FP8, GP_FORMAT_FP8},      {"fp16", GP_PRECISION_FP16, GP_FORMAT_FP16},
        {"bf", GP_PRECISION_BF16, GP_FORMAT_BF16},
    };
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (gp_words_has(word, formats[i].word)) {
            job->compute = formats[i].compute;
            job->weights = formats[i].weights;
            bool blocks = (gp_format)model->weights.format == GP_FORMAT_FP8_BLOCK;
            if (job->weights == GP_FORMAT_FP8 && blocks)
                job->weights = GP_FORMAT_FP8_BLOCK;
            return true;
        }
    }
    return false;
}

/* All GPUs of a run are one replica; routed experts are spread over them. */
static const char *prepare(const gp_run_row *run, const gp_fit_model *model, power_case *c) {
    const bool known = run->input_tokens > 0 && run->output_tokens > 0;
    int64_t gpus = (int64_t)gp_num_max(1, run->gpus);
    c->batch = run->batch;
    c->layout =
        (gp_serve_layout){.tp = gpus, .pp = 1, .ep = model->shape.moe && gpus > 1 ? gpus : 1};
    c->job = (gp_serve_job){
        .shape = &model->shape,
        .quantized_fraction = model->model.weights.quantized_fraction,
        .kv_cache = GP_FORMAT_BF16,
        .input_tokens = known ? run->input_tokens : chat_input,
        .output_tokens = known ? run->output_tokens : chat_output,
        .image_tokens = run->image_tokens,
        .branches = 1,
        .speed_factor = 1,
    };
    if (run->batch <= 0)
        return "sequences in flight not stated";
    return set_formats(run->precision, &model->model, &c->job) ? NULL : "precision not stated";
}

static double estimate_w(const gp_fitter *fitter, const void *subject) {
    const power_case *c = subject;
    gp_serve_power power;
    gp_serve_power_of(&c->job, c->machine, c->network, &c->layout, &fitter->constants, c->batch, 0,
                      NULL, &power);
    return power.gpu_w;
}

static void prepare_case(gp_fitter *fitter, const gp_run_row *run, power_case *c,
                         const char **ret_shape, const char **ret_why, const char **ret_note) {
    gp_fit_hardware *hardware = GP_NEW(fitter->arena, gp_fit_hardware);
    const gp_fit_model *model = gp_fit_model_of(fitter, run, ret_why);
    *hardware = gp_fit_hardware_of(fitter, run);
    if (model == NULL || hardware->machine == NULL) {
        *ret_why = gp_fit_remark(fitter->arena, *ret_why, hardware->why);
        return;
    }
    *ret_shape = model->key;
    *ret_note = gp_fit_remark(fitter->arena, model->note, hardware->note);
    if (!(run->input_tokens > 0 && run->output_tokens > 0))
        *ret_note = gp_fit_remark(fitter->arena, *ret_note, "requests not known: as in chats");
    *ret_why = prepare(run, model, c);
    c->machine = hardware->machine;
    c->network = &hardware->network;
}

/* One class for each generation whose board behaves alike. */
static const char *class_of(gp_fitter *fitter, const power_case *c) {
    const char *arch = c->machine == NULL ? NULL : c->machine->gpu->arch;
    const char *name =
        arch == NULL ? NULL : gp_arena_printf(fitter->arena, "servingPower %s", arch);
    return name == NULL ? "servingPower" : name;
}

void gp_fit_score_power(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows) {
    const char *shape = NULL;
    const char *why = NULL;
    const char *note = NULL;
    power_case *c = GP_NEW(fitter->arena, power_case);
    if (run->watts <= 0)
        return;
    prepare_case(fitter, run, c, &shape, &why, &note);
    double estimated = why == NULL ? estimate_w(fitter, c) : 0;
    if (why == NULL && !(estimated > 0))
        why = "no power class or no rate of this precision known for this GPU";
    gp_backtest_row row = gp_fit_row(run, class_of(fitter, c), "w_per_gpu", run->watts, why);
    row.shape = shape != NULL ? shape : row.shape;
    double error =
        c->machine != NULL && c->machine->power != NULL ? c->machine->power->error_fraction : 0;
    gp_fit_row_estimate(&row, estimated, error, note);
    const gp_fit_point point = {.shape = row.shape,
                                .measured = run->watts,
                                .subject = c,
                                .estimate = estimate_w,
                                .power = true};
    gp_fit_rows_add(fitter, rows, &row, &point);
}
