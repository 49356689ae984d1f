/* Models that do not turn tokens into tokens: what their traffic says, and which keys mean nothing
 * for them. */
#include "base/num.h"
#include "model/fields.h"
#include "model/resolve.h"

static const double s_per_day = 86400; /* definition */

static const char *const kind_words[GP_MODEL_KIND_COUNT] = {
    [GP_MODEL_TEXT] = "that reads and writes text",
    [GP_MODEL_PICTURES] = "that generates images",
    [GP_MODEL_SCORES] = "that scores items",
    [GP_MODEL_SPEECH] = "of speech",
};

static const char *const kind_keys[GP_MODEL_KIND_COUNT] = {
    [GP_MODEL_TEXT] = "traffic.inputTokens and traffic.outputTokens",
    [GP_MODEL_PICTURES] = "traffic.generate",
    [GP_MODEL_SCORES] = "traffic.candidates",
    [GP_MODEL_SPEECH] = "traffic.audio",
};

#define TEXT     (1u << GP_MODEL_TEXT)
#define PICTURES (1u << GP_MODEL_PICTURES)
#define SCORES   (1u << GP_MODEL_SCORES)
#define SPEECH   (1u << GP_MODEL_SPEECH)

static const struct {
    size_t offset; /* in gp_traffic */
    const char *key;
    unsigned kinds; /* that it means something for */
} traffic_keys[] = {
    {offsetof(gp_traffic, input_tokens), "inputTokens", TEXT | SPEECH},
    {offsetof(gp_traffic, output_tokens), "outputTokens", TEXT},
    {offsetof(gp_traffic, thought_tokens), "thoughtTokens", TEXT},
    {offsetof(gp_traffic, branches), "branches", TEXT | SPEECH},
    {offsetof(gp_traffic, images), "images", TEXT},
    {offsetof(gp_traffic, videos), "videos", TEXT},
    {offsetof(gp_traffic, prefix_hit_fraction), "prefixCacheHit", TEXT},
    {offsetof(gp_traffic, adapters), "adapters", TEXT | SPEECH},
    {offsetof(gp_traffic, resident_adapters), "residentAdapters", TEXT | SPEECH},
    {offsetof(gp_traffic, adapter_rates), "adapterRates", TEXT | SPEECH},
    {offsetof(gp_traffic, generate), "generate", PICTURES},
    {offsetof(gp_traffic, audio), "audio", SPEECH},
    {offsetof(gp_traffic, candidates), "candidates", SCORES},
};

/* The shape of what does no tokens, as far as its work hangs on it. */
static void check_shape(gp_resolver *r, const gp_model *m, gp_model_kind kind) {
    const bool whole = m->diffusion.pass_flop > 0 || kind == GP_MODEL_SCORES;
    const struct {
        bool there;
        const char *key;
    } due[] = {
        {m->parameters > 0, "parameters"},
        {whole || m->layers > 0, "layers"},
        {whole || m->hidden > 0, "hidden"},
        {whole || m->ffn > 0, "ffn"},
        {!(m->diffusion.pass_flop > 0) || m->diffusion.pass_pixels > 0, "diffusion.passPixels"},
    };
    for (size_t i = 0; i < sizeof due / sizeof due[0]; i++)
        if (!due[i].there)
            gp_refuse_absence(
                r, m->meta.span,
                gp_arena_printf(r->arena, "a model %s needs %s", kind_words[kind], due[i].key),
                "the shape of the model, or the id of a catalogue row");
}

static void check_rates(gp_resolver *r, const gp_traffic *t) {
    const gp_audio *a = &t->audio;
    const bool rate = gp_written_at(&t->requests_per_s.meta, offsetof(gp_distribution, mean));
    const int said = (a->per_day_s > 0) + (a->streams > 0) + (t->requests > 0) + rate;
    if (said > 1 && (a->per_day_s > 0 || a->streams > 0))
        gp_refuse_values(r, gp_place_of(&t->meta, offsetof(gp_traffic, audio)),
                         "perDay, streams, requestsPerSecond or requests",
                         "the traffic rate is stated more than once");
}

void gp_check_kind(gp_resolver *r, const gp_workload *w) {
    const gp_traffic *t = &w->traffic;
    const gp_model_kind kind = gp_model_kind_of(&w->model);
    for (size_t i = 0; i < sizeof traffic_keys / sizeof traffic_keys[0]; i++)
        if (!(traffic_keys[i].kinds & 1u << kind) &&
            gp_written_at(&t->meta, traffic_keys[i].offset))
            gp_refuse_values(r, gp_place_of(&t->meta, traffic_keys[i].offset), kind_keys[kind],
                             "traffic.%s does not apply to a model %s", traffic_keys[i].key,
                             kind_words[kind]);
    if (kind == GP_MODEL_PICTURES || kind == GP_MODEL_SCORES)
        check_shape(r, &w->model, kind);
    if (kind != GP_MODEL_TEXT && w->type != GP_WORKLOAD_INFERENCE)
        gp_refuse_values(r, gp_place_of(&w->meta, offsetof(gp_workload, model)),
                         "type: inference, or a language model",
                         "%s is not supported for a model %s", gp_workload_type_words[w->type],
                         kind_words[kind]);
    if (kind == GP_MODEL_PICTURES && w->model.diffusion.frames == 0 && t->generate.frames > 1)
        gp_refuse_values(r, gp_place_of(&t->generate.meta, offsetof(gp_generate, frames)),
                         "a model that generates video clips",
                         "frames for a model that generates images");
    check_rates(r, t);
    double asked = 0;
    for (size_t i = 0; i < t->adapter_rates.count; i++)
        asked += t->adapter_rates.items[i];
    if (t->adapter_rates.count > 0 &&
        (t->adapter_rates.count != (size_t)t->adapters || !(asked > 0)))
        gp_refuse_values(r, gp_place_of(&t->meta, offsetof(gp_traffic, adapter_rates)),
                         "one for each of adapters, not all zero", "%zu rates for %lld adapters",
                         t->adapter_rates.count, (long long)t->adapters);
    if (t->resident_adapters > t->adapters)
        gp_refuse_values(r, gp_place_of(&t->meta, offsetof(gp_traffic, resident_adapters)),
                         "at most adapters", "residentAdapters is %lld of %lld adapters",
                         (long long)t->resident_adapters, (long long)t->adapters);
}

static void mark(gp_meta *meta, size_t offset, gp_origin_kind kind) {
    meta->origins[gp_field_at(meta->type, offset)] = (gp_origin){.kind = (uint8_t)kind};
}

/* Sizes and lengths that nobody states. */
static void default_generate(const gp_diffusion *model, gp_generate *g) {
    enum { EDGE = 1024, WIDTH = 1280, HEIGHT = 720, FRAMES = 81 };
    const bool clip = model->frames > 0;
    const struct {
        size_t offset;
        int64_t *value, otherwise;
    } sizes[] = {
        {offsetof(gp_generate, width), &g->width, clip ? WIDTH : EDGE},
        {offsetof(gp_generate, height), &g->height, clip ? HEIGHT : EDGE},
        {offsetof(gp_generate, frames), &g->frames, clip ? FRAMES : 0},
        {offsetof(gp_generate, steps), &g->steps, model->steps},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (*sizes[i].value <= 0 && sizes[i].otherwise > 0) {
            *sizes[i].value = sizes[i].otherwise;
            mark(&g->meta, sizes[i].offset, GP_ORIGIN_DEFAULT);
        }
    }
    if (!GP_GIVEN(g, gp_generate, guidance)) {
        g->guidance = true;
        mark(&g->meta, offsetof(gp_generate, guidance), GP_ORIGIN_DEFAULT);
    }
}

static void derive_mean(gp_distribution *d, double mean) {
    if (!GP_GIVEN(d, gp_distribution, mean)) {
        d->mean = mean;
        mark(&d->meta, offsetof(gp_distribution, mean), GP_ORIGIN_DERIVED);
    }
}

/* Tokens and requests of speech: what is heard is written at the pace of speech. */
static void derive_speech(const gp_speech *model, gp_traffic *t) {
    enum { SECONDS = 30 };
    gp_audio *a = &t->audio;
    if (!(a->per_request_s > 0)) {
        a->per_request_s = model->window_s > 0 ? model->window_s : SECONDS;
        mark(&a->meta, offsetof(gp_audio, per_request_s), GP_ORIGIN_DEFAULT);
    }
    derive_mean(&t->output_tokens, a->per_request_s * model->tokens_per_s);
    if (a->per_day_s > 0) {
        derive_mean(&t->requests_per_s, a->per_day_s / s_per_day / a->per_request_s);
    } else if (a->streams > 0) {
        const double rate = a->streams / a->per_request_s;
        derive_mean(&t->requests_per_s, rate);
        t->requests_per_s.peak = gp_num_max(t->requests_per_s.peak, rate);
        mark(&t->requests_per_s.meta, offsetof(gp_distribution, peak), GP_ORIGIN_DERIVED);
    }
}

/* Published runs of denoisers are of plain modules, which nobody tuned: they run as published. */
static void take_as_measured(gp_software *software) {
    if (!gp_written_at(&software->meta, offsetof(gp_software, tuning))) {
        software->tuning = GP_TUNING_TUNED;
        mark(&software->meta, offsetof(gp_software, tuning), GP_ORIGIN_DERIVED);
    }
}

void gp_derive_kind(gp_workload *workload) {
    gp_traffic *t = &workload->traffic;
    const gp_model *model = &workload->model;
    const gp_model_kind kind = gp_model_kind_of(model);
    if (kind == GP_MODEL_PICTURES) {
        default_generate(&model->diffusion, &t->generate);
        take_as_measured(&workload->software);
    } else if (kind == GP_MODEL_SPEECH) {
        derive_speech(&model->speech, t);
    }
    if (kind != GP_MODEL_TEXT)
        derive_mean(&t->input_tokens, 1);
}
