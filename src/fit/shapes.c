/*
 * Models as runs name them: the catalogue's row by id or alias, with the maker's prefix or without;
 * else a plain transformer of the dimensions that the run's own columns give.
 */
#include <math.h>
#include <string.h>

#include "base/str.h"
#include "fit/fitter.h"

/* What a name may carry that the catalogue's alias does not: how the same shape is stored or
 * tuned. */
static const char *const endings[] = {
    "-GPTQ",
    "-AWQ",
    "-hf",
    "-bnb-4bit",
    "-fp8-dynamic",
    "-FP8-dynamic",
    "-quantized.w8a8",
    "-quantized.w4a16",
    "-quantized.w8a16",
    "-FP8",
    "-Instruct",
    "-Chat",
    "-w8a8",
    "-nvfp4",
    " 4bit",
    " 8bit",
    "-1M",
    "-AutoRound",
    " (inferred)",
};
enum { ENDINGS_MOST = 3 };

/* NULL where the name is of none, or of several. */
static const gp_model *find_row(gp_fitter *fitter, const char *name) {
    const void *row = NULL;
    (void)gp_catalog_find(fitter->catalog, GP_CATALOG_MODELS, name, &row, NULL, NULL);
    return row;
}

/* NULL: it has none. */
static const char *without_ending(gp_fitter *fitter, const char *name) {
    for (size_t i = 0; i < GP_COUNT_OF(endings); i++)
        if (gp_str_ends(name, endings[i]))
            return gp_arena_strndup(fitter->arena, name, strlen(name) - strlen(endings[i]));
    return NULL;
}

/* The name as it stands, then without what is before the last '/', then without its endings. */
static const gp_model *find_model(gp_fitter *fitter, const char *name) {
    const gp_model *row = find_row(fitter, name);
    const char *slash = strrchr(name, '/');
    if (row == NULL && slash != NULL) {
        name = slash + 1;
        row = find_row(fitter, name);
    }
    for (int i = 0; i < ENDINGS_MOST && row == NULL; i++) {
        name = without_ending(fitter, name);
        if (name == NULL)
            return NULL;
        row = find_row(fitter, name);
    }
    return row;
}

static bool same_dimensions(const gp_run_row *run, const gp_model *row) {
    int64_t ffn = (int64_t)run->ffn;
    bool same_ffn = row->ffn == ffn || (row->experts.count > 0 && row->experts.ffn == ffn);
    /* Encoders share dimensions with decoders and nothing else. */
    return run->stacks <= 0 && row->extends == NULL && run->layers > 0 &&
           row->layers == (int64_t)run->layers && row->hidden == (int64_t)run->hidden &&
           row->heads == (int64_t)run->heads && row->experts.count == (int64_t)run->experts &&
           same_ffn;
}

/* A routed model of the same width, cut to fewer layers and experts: a proxy. */
static bool same_width(const gp_run_row *run, const gp_model *row) {
    return row->extends == NULL && run->experts > 1 && row->experts.count > 0 && run->ffn > 0 &&
           (double)row->experts.count >= run->experts && (double)row->layers >= run->layers &&
           row->hidden == (int64_t)run->hidden && row->heads == (int64_t)run->heads &&
           row->ffn == (int64_t)run->ffn && row->experts.ffn != row->ffn;
}

/* How far a row's parameters are from the stated ones; all alike where none are stated. */
static double apart_from(const gp_run_row *run, const gp_model *row) {
    double stated = run->params_b * 1000 * 1000 * 1000;
    return stated > 0 && row->parameters > 0 ? fabs(row->parameters / stated - 1) : 1;
}

/* Of the catalogue's rows that the dimensions of the run match, the nearest by stated size. */
static const gp_model *find_alike(gp_fitter *fitter, const gp_run_row *run,
                                  bool (*alike)(const gp_run_row *, const gp_model *)) {
    const gp_model *best = NULL;
    size_t count = 0;
    const void *const *rows = gp_fit_rows_of(fitter->catalog, GP_CATALOG_MODELS, &count);
    for (size_t i = 0; i < count; i++) {
        bool nearer = best == NULL || apart_from(run, rows[i]) < apart_from(run, best);
        if (alike(run, rows[i]) && nearer)
            best = rows[i];
    }
    return best;
}

static gp_model plain_model(const gp_run_row *run) {
    gp_model model = {
        .id = run->model,
        .layers = (int64_t)run->layers,
        .hidden = (int64_t)run->hidden,
        .heads = (int64_t)run->heads,
        .kv_heads = (int64_t)(run->kv_heads > 0 ? run->kv_heads : run->heads),
        .ffn = (int64_t)run->ffn,
        .vocab = (int64_t)run->vocab,
        .gated = true,
    };
    model.head_dim = model.heads > 0 ? model.hidden / model.heads : 0;
    if (run->experts > 1) {
        model.experts.count = (int64_t)run->experts;
        model.experts.top_k = (int64_t)run->top_k;
        model.experts.ffn = (int64_t)run->ffn;
    }
    return model;
}

/* Encoder and decoder of equal depth: the decoder attends once more, to the encoder. */
static void set_stacks(gp_arena *arena, gp_model *model) {
    gp_block *blocks = GP_NEW_ARRAY(arena, gp_block, 2);
    blocks[0] = (gp_block){.layers = model->layers, .kv_heads = model->kv_heads, .ffn = model->ffn};
    blocks[1] = (gp_block){.layers = model->layers / 2, .kv_heads = model->kv_heads};
    model->blocks.items = blocks;
    model->blocks.count = 2;
}

/* Whether the MLP is gated and the head tied is not in the columns: the variant whose parameters
 * come nearest to the stated ones. */
static bool complete_plain(gp_fitter *fitter, const gp_run_row *run, gp_fit_model *model) {
    double best = -1;
    gp_model base = plain_model(run);
    if (run->stacks > 1)
        set_stacks(fitter->arena, &base);
    bool given =
        run->layers > 0 && run->hidden > 0 && run->heads > 0 && run->ffn > 0 && run->vocab > 0;
    for (int variant = 0; given && variant < 4; variant++) {
        gp_fit_model tried = {.model = base};
        tried.model.gated = (variant % 2 == 0) != run->plain;
        tried.model.tied = (variant >= 2) != run->tied;
        if (gp_shape_derive(&tried.model, &fitter->constants, NULL, &tried.shape) != GP_OK)
            continue;
        double apart = run->params_b > 0
                           ? tried.shape.parameters / (run->params_b * 1000 * 1000 * 1000) - 1
                           : (double)variant;
        apart = apart < 0 ? -apart : apart;
        if (best < 0 || apart < best) {
            best = apart;
            *model = tried;
        }
    }
    return best >= 0;
}

/* Width of a layer over the number of layers, and of a head, in plain transformers of all sizes. */
static const double usual_aspect = 128;
static const double usual_vocabulary = 50304;
/* Parameters of a layer over the square of its width: four projections, an MLP four times as
 * wide. */
static const double layer_squares = 12;

/* A plain transformer of as many (active) parameters: what a size alone says of a model. */
static bool guess_plain(gp_fitter *fitter, const gp_run_row *run, gp_fit_model *model) {
    double billions = run->active_b > 0 ? run->active_b : run->params_b;
    double layers = 1;
    gp_run_row guess = {.model = run->model, .params_b = billions, .plain = true};
    while (layer_squares * usual_aspect * usual_aspect * layers * layers * layers <
           billions * 1000 * 1000 * 1000)
        layers++;
    guess.layers = layers;
    guess.hidden = layers * usual_aspect;
    guess.heads = layers;
    guess.ffn = 4 * guess.hidden;
    guess.vocab = usual_vocabulary;
    bool routed = run->active_b > 0 && run->active_b * 2 < run->params_b;
    if (billions <= 0 || routed)
        return false;
    bool done = complete_plain(fitter, &guess, model);
    model->note = "shape not known: a plain transformer of as many parameters";
    return done;
}

/* Dimensions that fine-tunes keep; the vocabulary may grow. */
static const char *shape_key(gp_arena *arena, const gp_model *m, const gp_shape *shape) {
    return gp_arena_printf(arena, "%s%lldx%lld-%lld/%lld-%lld-%lldx%lld",
                           shape->moe      ? "moe"
                           : shape->hybrid ? "hybrid"
                                           : "dense",
                           (long long)m->layers, (long long)m->hidden, (long long)m->heads,
                           (long long)m->kv_heads, (long long)m->ffn, (long long)m->experts.count,
                           (long long)m->experts.ffn);
}

/* From the catalogue's row: its own shape, or one cut to the run's layers and experts. */
static bool from_row(gp_fitter *fitter, const gp_run_row *run, gp_fit_model *model) {
    const gp_model *row = find_model(fitter, run->model);
    row = row == NULL ? find_alike(fitter, run, same_dimensions) : row;
    const bool cut = row == NULL;
    row = cut ? find_alike(fitter, run, same_width) : row;
    if (row == NULL)
        return false;
    memcpy(&model->model, row, sizeof model->model);
    if (cut) {
        model->model.layers = (int64_t)run->layers;
        model->model.experts.count = (int64_t)run->experts;
        model->note = "a catalogued model of this width, cut to these layers and experts";
    }
    return gp_shape_derive(&model->model, &fitter->constants, NULL, &model->shape) == GP_OK;
}

static bool fill_model(gp_fitter *fitter, const gp_run_row *run, gp_fit_model *model) {
    if (!from_row(fitter, run, model) && !complete_plain(fitter, run, model) &&
        !guess_plain(fitter, run, model))
        return false;
    model->shape.model = &model->model;
    model->key = shape_key(fitter->arena, &model->model, &model->shape);
    return true;
}

/* Runs that give other dimensions under one name are other models. */
static const char *cache_key(gp_fitter *fitter, const gp_run_row *run) {
    return gp_arena_printf(fitter->arena, "%s|%d|%d|%lld|%lld|%lld|%lld", run->model,
                           run->plain ? 1 : 0, run->stacks > 1 ? 2 : 1, (long long)run->layers,
                           (long long)run->hidden, (long long)run->ffn, (long long)run->vocab);
}

const gp_fit_model *gp_fit_model_of(gp_fitter *fitter, const gp_run_row *run,
                                    const char **ret_why) {
    const char *key = run->model == NULL ? "" : cache_key(fitter, run);
    size_t at = 0;
    bool added = false;
    if (run->model == NULL) {
        *ret_why = "no model named";
        return NULL;
    }
    gp_index_add(&fitter->models, key, strlen(key), fitter->model_count, &added, &at);
    if (added) {
        gp_fit_model *model = GP_NEW(fitter->arena, gp_fit_model);
        at = fitter->model_count;
        GP_PUSH(fitter->arena, fitter->model_items, fitter->model_count, fitter->model_cap) =
            fill_model(fitter, run, model) ? model : NULL;
    }
    if (fitter->model_items[at] == NULL)
        *ret_why = gp_arena_printf(fitter->arena,
                                   "model %s: neither in the catalogue nor its dimensions in the "
                                   "row",
                                   run->model);
    return fitter->model_items[at];
}
