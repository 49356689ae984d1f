/*
 * Models as runs name them: the catalogue's row by id or alias, with the maker's prefix or without;
 * else a plain transformer of the dimensions that the run's own columns give.
 */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "catalog/tables.h"
#include "fit/fitter.h"
#include "fit/words.h"

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

static gp_status find_row(gp_fitter *fitter, const char *name, const gp_model **ret_row) {
    const void *row = NULL;
    const char *choices = NULL;
    gp_status st = gp_catalog_find(fitter->catalog, GP_CATALOG_MODELS, name, &row, NULL, &choices);
    *ret_row = row;
    return st == GP_ERR_NOT_FOUND || (st == GP_ERR_INPUT && choices != NULL) ? GP_OK : st;
}

static gp_status drop_ending(gp_fitter *fitter, const char **name) {
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        if (gp_str_ends(*name, endings[i])) {
            *name = gp_arena_strndup(fitter->arena, *name, strlen(*name) - strlen(endings[i]));
            return GP_OK;
        }
    }
    return GP_ERR_NOT_FOUND;
}

/* The name as it stands, then without what is before the last '/', then without its endings. */
static gp_status find_model(gp_fitter *fitter, const char *name, const gp_model **ret_row) {
    gp_status st = find_row(fitter, name, ret_row);
    const char *slash = strrchr(name, '/');
    if (st == GP_OK && *ret_row == NULL && slash != NULL) {
        name = slash + 1;
        st = find_row(fitter, name, ret_row);
    }
    for (int i = 0; i < ENDINGS_MOST && st == GP_OK && *ret_row == NULL; i++) {
        st = drop_ending(fitter, &name);
        if (st == GP_ERR_NOT_FOUND)
            return GP_OK;
        st = st == GP_OK ? find_row(fitter, name, ret_row) : st;
    }
    return st;
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
static gp_status find_alike(gp_fitter *fitter, const gp_run_row *run,
                            bool (*alike)(const gp_run_row *, const gp_model *),
                            const gp_model **ret_row) {
    const void *const *rows = NULL;
    size_t count = 0;
    gp_status st = gp_catalog_rows(fitter->catalog, GP_CATALOG_MODELS, &rows, &count);
    for (size_t i = 0; st == GP_OK && i < count; i++) {
        bool nearer = *ret_row == NULL || apart_from(run, rows[i]) < apart_from(run, *ret_row);
        if (alike(run, rows[i]) && nearer)
            *ret_row = rows[i];
    }
    return st;
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
static gp_status complete_plain(gp_fitter *fitter, const gp_run_row *run, gp_fit_model *model) {
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
    return best < 0 ? GP_ERR_NOT_FOUND : GP_OK;
}

/* Width of a layer over the number of layers, and of a head, in plain transformers of all sizes. */
static const double usual_aspect = 128;
static const double usual_vocabulary = 50304;
/* Parameters of a layer over the square of its width: four projections, an MLP four times as
 * wide. */
static const double layer_squares = 12;

/* A plain transformer of as many (active) parameters: what a size alone says of a model. */
static gp_status guess_plain(gp_fitter *fitter, const gp_run_row *run, gp_fit_model *model) {
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
        return GP_ERR_NOT_FOUND;
    gp_status st = complete_plain(fitter, &guess, model);
    model->note = "shape not known: a plain transformer of as many parameters";
    return st;
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

static gp_status fill_model(gp_fitter *fitter, const gp_run_row *run, gp_fit_model *model) {
    const gp_model *row = NULL;
    gp_status st = find_model(fitter, run->model, &row);
    if (st == GP_OK && row == NULL)
        st = find_alike(fitter, run, same_dimensions, &row);
    bool cut = false;
    if (st == GP_OK && row == NULL) {
        st = find_alike(fitter, run, same_width, &row);
        cut = row != NULL;
    }
    if (st != GP_OK)
        return st;
    if (row != NULL) {
        memcpy(&model->model, row, sizeof model->model);
        if (cut) {
            model->model.layers = (int64_t)run->layers;
            model->model.experts.count = (int64_t)run->experts;
            model->note = "a catalogued model of this width, cut to these layers and experts";
        }
        st = gp_shape_derive(&model->model, &fitter->constants, NULL, &model->shape);
    }
    if (row == NULL || st != GP_OK)
        st = complete_plain(fitter, run, model);
    if (st == GP_ERR_NOT_FOUND)
        st = guess_plain(fitter, run, model);
    if (st == GP_OK) {
        model->shape.model = &model->model;
        model->key = shape_key(fitter->arena, &model->model, &model->shape);
    }
    return st;
}

/* Runs that give other dimensions under one name are other models. */
static const char *cache_key(gp_fitter *fitter, const gp_run_row *run) {
    return gp_arena_printf(fitter->arena, "%s|%d|%d|%lld|%lld|%lld|%lld", run->model,
                           run->plain ? 1 : 0, run->stacks > 1 ? 2 : 1, (long long)run->layers,
                           (long long)run->hidden, (long long)run->ffn, (long long)run->vocab);
}

gp_status gp_fit_model_of(gp_fitter *fitter, const gp_run_row *run, const gp_fit_model **ret_model,
                          const char **ret_why) {
    const char *key = run->model == NULL ? "" : cache_key(fitter, run);
    size_t at = 0;
    bool added = false;
    *ret_model = NULL;
    if (run->model == NULL) {
        *ret_why = "no model named";
        return GP_OK;
    }
    gp_index_add(&fitter->models, key, strlen(key), fitter->model_count, &added, &at);
    gp_status st = GP_OK;
    if (added) {
        gp_fit_model *model = GP_NEW(fitter->arena, gp_fit_model);
        at = fitter->model_count;
        st = fill_model(fitter, run, model);
        GP_PUSH(fitter->arena, fitter->model_items, fitter->model_count, fitter->model_cap) =
            st == GP_OK ? model : NULL;
        st = st == GP_ERR_NOT_FOUND ? GP_OK : st;
    }
    if (st == GP_OK)
        *ret_model = fitter->model_items[at];
    if (*ret_model == NULL)
        *ret_why = gp_arena_printf(fitter->arena,
                                   "model %s: neither in the catalogue nor its dimensions in the "
                                   "row",
                                   run->model);
    return st;
}
