/*
 * A calibration as rows of the catalogue: each factor becomes the figures that it changes, times
 * the factor, in a document of kind Catalog that is laid over the others. A GPU that has only its
 * architecture's row gets one of its own, so that no other GPU moves.
 */
#include "model/calibration.h"

#include "base/buf.h"
#include "base/num.h"
#include "base/str.h"
#include "catalog/words.h"
#include "fit/fitter.h"
#include "schema/diag_ids.h"

enum { OVERLAY_MAX_BYTES = 16 << 20, DIGITS = 9, SHORT = 4 };

typedef struct overlay {
    gp_arena *arena;
    gp_catalog *catalog;
    gp_diags *diags;
    const gp_calibration_document *document;
    const gp_calibration_factor *factor; /* the present one */
    gp_constants constants;
    gp_buf kinds[GP_CATALOG_KIND_COUNT];
    size_t errors; /* before this calibration */
} overlay;

static void add_days(gp_buf *buf, const gp_calibration_window *window) {
    if (window->from > 0 && window->to > 0)
        gp_buf_printf(buf, ", %lld to %lld", (long long)window->from, (long long)window->to);
}

/* The row's own lines: what it lays over, and where its figures come from. */
static void begin_row(overlay *o, gp_catalog_kind kind, const char *id, const char *base) {
    gp_buf *buf = &o->kinds[kind];
    const gp_calibration_factor *factor = o->factor;
    const char *name = o->document->metadata.name;
    gp_buf_printf(buf, "    - id: \"%s\"\n", id);
    if (base != NULL)
        gp_buf_printf(buf, "      extends: \"%s\"\n      gpu: \"%s\"\n", base,
                      factor->class_of.gpu);
    gp_buf_str(buf, "      evidence: measured\n      source: \"calibration ");
    for (const char *c = name; c != NULL && *c != '\0'; c++)
        gp_buf_char(buf, *c == '"' || *c == '\\' || (unsigned char)*c < ' ' ? ' ' : *c);
    gp_buf_printf(buf, ": %s ", gp_calibration_term_words[factor->term]);
    gp_buf_number(buf, factor->factor, SHORT);
    gp_buf_printf(buf, " x built-in, %lld measurement%s", (long long)factor->samples,
                  factor->samples == 1 ? "" : "s");
    add_days(buf, &o->document->spec.window);
    gp_buf_str(buf, "\"\n");
}

/* "key: value" with what stands behind a number of that unit. */
static void put(overlay *o, gp_catalog_kind kind, const char *key, double value, const char *unit) {
    gp_buf *buf = &o->kinds[kind];
    gp_buf_printf(buf, "      %s: \"", key);
    gp_buf_number(buf, value, DIGITS);
    gp_buf_printf(buf, "%s\"\n", unit);
}

static void put_share(overlay *o, gp_catalog_kind kind, const char *key, double share) {
    static const double percent = 100;
    put(o, kind, key, share * percent, "%");
}

/* A share of a peak after the factor; above the peak is no measurement. */
static double scaled_share(overlay *o, double share, const char *what) {
    double value = share * o->factor->factor;
    if (value > 1 && share <= 1) {
        gp_diags_error(o->diags, GP_ID_OUT_OF_RANGE, o->factor->meta.span,
                       "a factor that stays below the hardware's peak", NULL,
                       "%s would be above the peak", what);
        return 1;
    }
    return value;
}

/* ---- efficiencies ---------------------------------------------------------------------------- */

/* Reports a class that names what the catalogue does not have. */
static void refuse(overlay *o, const char *expected, const char *nearest, const char *message) {
    gp_diags_error(o->diags, GP_ID_UNKNOWN_REFERENCE, o->factor->meta.span, expected, nearest, "%s",
                   message);
}

static const gp_gpu *find_gpu(overlay *o) {
    const void *row = NULL;
    const char *nearest = NULL;
    const char *name = o->factor->class_of.gpu;
    (void)gp_catalog_find(o->catalog, GP_CATALOG_GPUS, name, &row, &nearest, NULL);
    if (row == NULL)
        refuse(o, "an id of `gpuplan catalog list gpus`", nearest,
               gp_arena_printf(o->arena, "no GPU \"%s\"", name));
    return row;
}

/* The row of the GPU itself, else (*ret_own false) that of its architecture. */
static const gp_efficiency *find_efficiency(const void *const *rows, size_t count,
                                            const gp_gpu *gpu, const char *precision,
                                            bool *ret_own) {
    const gp_efficiency *found = NULL;
    *ret_own = false;
    for (size_t i = 0; i < count && !*ret_own; i++) {
        const gp_efficiency *row = rows[i];
        if (!gp_str_equal(gp_precision_words[row->precision], precision))
            continue;
        *ret_own = gp_str_equal(row->gpu, gpu->id);
        bool family = row->gpu == NULL && gp_str_equal(row->arch, gpu->arch);
        found = *ret_own || family ? row : found;
    }
    return found;
}

static void put_efficiency(overlay *o, const gp_efficiency *row) {
    const gp_catalog_kind kind = GP_CATALOG_EFFICIENCIES;
    const gp_calibration_factor *factor = o->factor;
    if (factor->term == GP_CALIBRATION_GEMM) {
        put_share(o, kind, "gemm", scaled_share(o, row->gemm_fraction, "the GEMM rate"));
        if (row->attention_fraction > 0)
            put_share(o, kind, "attention",
                      gp_num_min(1, row->attention_fraction * factor->factor));
        put(o, kind, "ownRuns", (double)factor->samples, "");
    } else if (factor->term == GP_CALIBRATION_PREFILL) {
        put_share(o, kind, "prefillGemm",
                  scaled_share(o, row->prefill_gemm_fraction, "the rate of prompts"));
    } else {
        put_share(o, kind, "hbm", scaled_share(o, row->hbm_fraction, "the memory rate of decode"));
        put_share(o, kind, "kv", gp_num_min(1, row->kv_fraction * factor->factor));
        if (row->decode_layer_s > 0)
            put(o, kind, "decodeLayerTime", row->decode_layer_s / factor->factor, " s");
    }
    if (factor->term != GP_CALIBRATION_GEMM)
        put(o, kind, "ownServing", (double)factor->samples, "");
    if (factor->error_fraction > 0)
        put_share(o, kind, factor->term == GP_CALIBRATION_GEMM ? "error" : "servingError",
                  factor->error_fraction);
}

static void apply_efficiency(overlay *o) {
    size_t count = 0;
    bool own = false;
    const gp_gpu *gpu = find_gpu(o);
    if (gpu == NULL)
        return;
    const void *const *rows = gp_fit_rows_of(o->catalog, GP_CATALOG_EFFICIENCIES, &count);
    const char *precision = o->factor->class_of.precision;
    const gp_efficiency *row = find_efficiency(rows, count, gpu, precision, &own);
    if (row == NULL) {
        refuse(o, "a precision of `gpuplan catalog list efficiencies`", NULL,
               gp_arena_printf(o->arena, "no built-in rate of %s on %s to put a factor on",
                               precision, gpu->id));
        return;
    }
    const char *id = own ? row->id : gp_arena_printf(o->arena, "%s-%s", gpu->id, precision);
    begin_row(o, GP_CATALOG_EFFICIENCIES, id, own ? NULL : row->id);
    put_efficiency(o, row);
}

/* ---- stacks, networks, power, memory
 * ---------------------------------------------------------- */

/* The rows of the software that a factor is of, with the share of memory that it claims (where one
 * is known) or its time; how many there are. */
static size_t put_stacks(overlay *o, gp_stack_role role, const char *name, bool claim) {
    const double factor = o->factor->factor;
    size_t count = 0;
    size_t met = 0;
    const void *const *rows = gp_fit_rows_of(o->catalog, GP_CATALOG_STACKS, &count);
    for (size_t i = 0; i < count; i++) {
        const gp_stack *row = rows[i];
        if (row->role != (int)role || !gp_str_equal_nocase(row->name, name) ||
            (claim && !(row->claim_fraction > 0)))
            continue;
        begin_row(o, GP_CATALOG_STACKS, row->id, NULL);
        if (claim)
            put_share(o, GP_CATALOG_STACKS, "claim", gp_num_min(1, row->claim_fraction * factor));
        else
            put(o, GP_CATALOG_STACKS, "timeFactor",
                (row->time_factor > 0 ? row->time_factor : 1) * factor, "");
        met++;
    }
    return met;
}

static void apply_stack(overlay *o) {
    const gp_calibration_class *c = &o->factor->class_of;
    const bool trains = c->framework != NULL;
    const char *name = trains ? c->framework : c->engine;
    if (put_stacks(o, trains ? GP_STACK_TRAINING : GP_STACK_SERVING, name, false) == 0)
        refuse(o, "a name of `gpuplan catalog list stacks`", NULL,
               gp_arena_printf(o->arena, "no software \"%s\"", name));
}

static void put_constant(overlay *o, const char *id, double value, const char *unit) {
    begin_row(o, GP_CATALOG_CONSTANTS, id, NULL);
    put(o, GP_CATALOG_CONSTANTS, "value", value, unit);
}

static void apply_cache(overlay *o) {
    static const double percent = 100;
    const char *engine = o->factor->class_of.engine;
    if (engine == NULL) {
        put_constant(
            o, "serving.kv.utilization",
            percent * gp_num_min(1, o->constants.serving_utilization_fraction * o->factor->factor),
            "%");
        return;
    }
    if (put_stacks(o, GP_STACK_SERVING, engine, true) == 0)
        refuse(
            o, "class.engine, a name of `gpuplan catalog list stacks`", NULL,
            gp_arena_printf(o->arena, "no engine \"%s\" whose share of memory is known", engine));
}

static void apply_curves(overlay *o) {
    const gp_catalog_kind kind = GP_CATALOG_COLLECTIVES;
    size_t count = 0;
    size_t met = 0;
    const gp_gpu *gpu = find_gpu(o);
    const void *const *rows = gp_fit_rows_of(o->catalog, kind, &count);
    for (size_t i = 0; gpu != NULL && i < count; i++) {
        const gp_collective_fit *row = rows[i];
        if (!gp_str_equal(row->gpu, gpu->id))
            continue;
        begin_row(o, kind, row->id, NULL);
        if (o->factor->term == GP_CALIBRATION_LATENCY) {
            put(o, kind, "latency", row->latency_s * o->factor->factor, " s");
        } else {
            put(o, kind, "busBandwidth", row->bus_bytes_per_s * o->factor->factor, " B/s");
            put(o, kind, "sqrtCoefficient", row->sqrt_coefficient / o->factor->factor, "");
        }
        met++;
    }
    if (gpu != NULL && met == 0)
        refuse(o, "a GPU of `gpuplan catalog list collectives`", NULL,
               gp_arena_printf(o->arena,
                               "no built-in collectives inside a domain of %s to put a factor on",
                               gpu->id));
}

static void apply_link(overlay *o) {
    static const double percent = 100;
    const gp_constants *k = &o->constants;
    if (gp_str_equal(o->factor->class_of.link, GP_CALIBRATION_SCALE_UP)) {
        apply_curves(o);
        return;
    }
    if (o->factor->term == GP_CALIBRATION_LATENCY) {
        put_constant(o, "network.scale-out.latency",
                     k->network_scale_out_latency_s * o->factor->factor, " s");
        return;
    }
    double share = scaled_share(o, k->network_scale_out_fraction, "the network's rate");
    put_constant(o, "network.scale-out.efficiency", share * percent, "%");
    if (o->factor->error_fraction > 0)
        put_constant(o, "network.scale-out.error", o->factor->error_fraction * percent, "%");
}

const gp_power_class *gp_fit_power_class(gp_catalog *catalog, const gp_gpu *gpu) {
    const gp_power_class *found = NULL;
    size_t count = 0;
    int best = 0;
    const void *const *rows = gp_fit_rows_of(catalog, GP_CATALOG_POWERS, &count);
    for (size_t i = 0; i < count; i++) {
        const gp_power_class *row = rows[i];
        bool any = row->gpu == NULL && row->arch == NULL;
        bool family = row->gpu == NULL && gp_str_equal(row->arch, gpu->arch);
        int rank = gp_str_equal(row->gpu, gpu->id) ? 3 : family ? 2 : any ? 1 : 0;
        found = rank > best ? row : found;
        best = rank > best ? rank : best;
    }
    return found;
}

static void put_power(overlay *o, const gp_power_class *row) {
    const gp_catalog_kind kind = GP_CATALOG_POWERS;
    const double factor = o->factor->factor;
    if (o->factor->term == GP_CALIBRATION_IDLE) {
        put_share(o, kind, "idle", gp_num_min(1, row->idle_fraction * factor));
        return;
    }
    put_share(o, kind, "weights", row->weights_fraction * factor);
    put_share(o, kind, "blockWeights", row->block_fraction * factor);
    put_share(o, kind, "compute", row->compute_fraction * factor);
    put_share(o, kind, "prefill", row->prefill_fraction * factor);
    put_share(o, kind, "attention", row->attention_fraction * factor);
    put_share(o, kind, "communication", row->communication_fraction * factor);
    put_share(o, kind, "overhead", row->overhead_fraction * factor);
    if (o->factor->error_fraction > 0)
        put_share(o, kind, "error", o->factor->error_fraction);
}

static void apply_power(overlay *o) {
    const gp_gpu *gpu = find_gpu(o);
    const gp_power_class *row = gpu == NULL ? NULL : gp_fit_power_class(o->catalog, gpu);
    if (gpu != NULL && row == NULL)
        refuse(o, NULL, NULL,
               gp_arena_printf(o->arena, "no built-in power class describes %s", gpu->id));
    if (row == NULL)
        return;
    bool own = gp_str_equal(row->gpu, gpu->id);
    const char *id = own ? row->id : gp_arena_printf(o->arena, "power-%s", gpu->id);
    begin_row(o, GP_CATALOG_POWERS, id, own ? NULL : row->id);
    put_power(o, row);
}

static void apply_memory(overlay *o) {
    static const double percent = 100;
    put_constant(o, "memory.fragmentation",
                 o->constants.memory_fragmentation_fraction * o->factor->factor * percent, "%");
}

static void (*const appliers[GP_CALIBRATION_TERM_COUNT])(overlay *o) = {
    [GP_CALIBRATION_GEMM] = apply_efficiency,   [GP_CALIBRATION_PREFILL] = apply_efficiency,
    [GP_CALIBRATION_DECODE] = apply_efficiency, [GP_CALIBRATION_STEP_TIME] = apply_stack,
    [GP_CALIBRATION_BANDWIDTH] = apply_link,    [GP_CALIBRATION_LATENCY] = apply_link,
    [GP_CALIBRATION_POWER] = apply_power,       [GP_CALIBRATION_IDLE] = apply_power,
    [GP_CALIBRATION_MEMORY] = apply_memory,     [GP_CALIBRATION_CACHE] = apply_cache,
};

static gp_status add_to_catalog(overlay *o) {
    gp_text *text = NULL;
    const char *data = NULL;
    size_t len = 0;
    gp_status st = GP_OK;
    gp_buf all = GP_BUF(o->arena, OVERLAY_MAX_BYTES);
    gp_buf_str(&all,
               "apiVersion: gpuplan/v1\nkind: Catalog\nmetadata: {name: calibration}\nspec:\n");
    for (int k = 0; k < GP_CATALOG_KIND_COUNT && st == GP_OK; k++) {
        st = gp_buf_finish(&o->kinds[k], &data, &len);
        if (st == GP_OK && len > 0) {
            gp_buf_printf(&all, "  %s:\n", gp_catalog_kind_name((gp_catalog_kind)k));
            gp_buf_add(&all, data, len);
        }
    }
    if (st == GP_OK)
        st = gp_buf_finish(&all, &data, &len);
    const char *path = o->document->text == NULL ? "calibration" : o->document->text->name;
    const char *name = gp_arena_printf(o->arena, "<calibration %s>", path);
    if (st == GP_OK)
        st = gp_text_init(o->arena, name, data, len, &text);
    return st == GP_OK ? gp_catalog_add(o->catalog, text) : st;
}

/* One term at a time: a row is written once in a document, and a later term sees what stands. */
static gp_status apply_term(overlay *o, gp_calibration_term term) {
    size_t met = 0;
    for (int k = 0; k < GP_CATALOG_KIND_COUNT; k++)
        gp_buf_init(&o->kinds[k], o->arena, OVERLAY_MAX_BYTES);
    for (size_t i = 0; i < o->document->spec.factors.count; i++) {
        o->factor = &o->document->spec.factors.items[i];
        if ((gp_calibration_term)o->factor->term == term) {
            appliers[term](o);
            met++;
        }
    }
    return met > 0 && o->diags->errors == o->errors ? add_to_catalog(o) : GP_OK;
}

gp_status gp_calibration_apply(gp_arena *arena, gp_catalog *catalog,
                               const gp_calibration_document *document, gp_diags *diags) {
    overlay *o = GP_NEW(arena, overlay);
    *o = (overlay){.arena = arena,
                   .catalog = catalog,
                   .diags = diags,
                   .document = document,
                   .errors = diags->errors};
    gp_status st = gp_constants_load(catalog, diags, &o->constants);
    for (int t = 0; st == GP_OK && t < GP_CALIBRATION_TERM_COUNT; t++)
        st = apply_term(o, (gp_calibration_term)t);
    return st == GP_OK && diags->errors > o->errors ? GP_ERR_INPUT : st;
}
