/*
 * Rows of models that answer items (pictures, clips, scores) or hear speech, as jobs: sizes and
 * steps by the words of the row, formats by its precision.
 */
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "estimate/serve.h"
#include "fit/words.h"
#include "lab/other_kinds.h"

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* The whole number that ends before `at`, blanks between them; 0: none. */
static int64_t number_before(const char *text, const char *at) {
    while (at > text && at[-1] == ' ') {
        at--;
    }
    const char *begin = at;
    while (begin > text && is_digit(begin[-1])) {
        begin--;
    }
    double value = 0;
    const bool number = begin < at && gp_num_parse(begin, (size_t)(at - begin), &value);
    return number ? (int64_t)value : 0;
}

static int64_t counted(const char *text, const char *word) {
    const char *at = gp_str_find_nocase(text, word);
    return at == NULL ? 0 : number_before(text, at);
}

/* "1280x720", and the height that a clip goes by. */
static void read_size(const char *text, gp_generate *ret) {
    static const struct {
        const char *name;
        int64_t width, height;
    } names[] = {{"480P", 832, 480}, {"720P", 1280, 720}};
    for (const char *x = text; (x = strchr(x, 'x')) != NULL; x++) {
        double height = 0;
        const size_t len = gp_num_scan(x + 1, strlen(x + 1));
        ret->width = number_before(text, x);
        if (ret->width > 0 && len > 0 && gp_num_parse(x + 1, len, &height)) {
            ret->height = (int64_t)height;
            return;
        }
        ret->width = 0;
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (gp_words_has(text, names[i].name)) {
            ret->width = names[i].width;
            ret->height = names[i].height;
        }
    }
}

const char *gp_other_picture(const gp_run_row *run, const gp_model *model, gp_traffic *traffic) {
    enum { FRAMES_PER_S = 16 }; /* of the models that name clips by their seconds */
    gp_generate *g = &traffic->generate;
    const char *text = gp_lab(run)->output_length == NULL ? "" : gp_lab(run)->output_length;
    read_size(text, g);
    g->per_request = 1;
    g->guidance = true;
    g->frames = counted(text, "frames");
    if (g->frames == 0 && counted(text, "s clip") > 0) {
        g->frames = counted(text, "s clip") * FRAMES_PER_S + 1;
    }
    g->steps = counted(text, "steps");
    g->steps = g->steps > 0 ? g->steps : model->diffusion.steps;
    return g->width <= 0                                   ? "size of the picture not stated"
           : model->diffusion.frames > 0 && g->frames <= 0 ? "frames of the clip not stated"
                                                           : NULL;
}

/* What the words of a row call an engine, by the name of its catalogue row. */
const char *gp_other_engine(const gp_run_row *run) {
    return gp_words_has(run->engine, "tensorrt") || gp_words_has(run->engine, "mlperf") ? "tensorrt"
           : gp_words_has(run->engine, "compile") || gp_words_has(run->engine, "TheStage")
               ? "torch-compile"
               : NULL;
}

/* Benchmarks that ask for the last tenth of a percent of accuracy are run in 16 bit, and those of
 * recommenders were before releases that had other kernels for them. */
static bool is_exact(const gp_run_row *run) {
    enum { NARROW_SINCE = 903 };
    const char *release = gp_str_find_nocase(run->engine, "TensorRT ");
    const bool old = release != NULL && gp_words_version(release) < NARROW_SINCE;
    return gp_words_has(run->model, "99.9") || (old && gp_str_equal(run->kind, "recommendation"));
}

void gp_other_formats(const gp_run_row *run, const gp_machine *machine, gp_serve_job *job) {
    const char *said = run->precision == NULL ? "" : run->precision;
    const bool eight =
        said[0] == '\0' ? !is_exact(run) : gp_words_has(said, "fp8") || gp_words_has(said, "int8");
    const bool fp8 = machine->efficiency[GP_PRECISION_FP8] != NULL && !gp_words_has(said, "int8");
    const bool narrow = eight && (fp8 || machine->efficiency[GP_PRECISION_INT8] != NULL);
    job->compute = narrow ? fp8 ? GP_PRECISION_FP8 : GP_PRECISION_INT8 : GP_PRECISION_BF16;
    job->weights = narrow ? fp8 ? GP_FORMAT_FP8 : GP_FORMAT_INT8 : GP_FORMAT_BF16;
    job->kv_cache = GP_FORMAT_BF16;
}

/* One window of sound; benchmarks of utterances have fewer tokens in it than fit. */
double gp_other_speech(const gp_run_row *run, const gp_model *model, const gp_constants *constants,
                       gp_serve_job *job) {
    enum { SECONDS = 10 }; /* that are said at a time */
    const gp_speech *speech = &model->speech;
    job->reads_only = false;
    if (!(speech->window_s > 0)) {
        job->output_tokens = SECONDS * speech->tokens_per_s;
        return gp_words_starts(gp_lab(run)->unit, "audio") ? SECONDS : 1;
    }
    const bool utterance = gp_words_has(gp_lab(run)->input_length, "clips");
    job->image_tokens = 1;
    job->image_patches = (double)speech->positions;
    job->image_attended = (double)speech->positions;
    job->image_keys = (double)speech->positions;
    job->output_tokens =
        utterance ? constants->serving_speech_tokens : speech->window_s * speech->tokens_per_s;
    job->input_tokens = 1 + job->image_tokens;
    return gp_words_starts(gp_lab(run)->unit, "tokens")  ? job->output_tokens
           : gp_words_starts(gp_lab(run)->unit, "audio") ? speech->window_s
                                                         : 1;
}
