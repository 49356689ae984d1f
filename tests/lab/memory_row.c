/*
 * A published row of memory with what its notes and its model's name say of the configuration in
 * words: dimensions and parallelism that these files have no column for, and what the framework's
 * own tests leave to its defaults.
 */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "fit/words.h"
#include "lab/lab.h"

/* Vocabularies that the classic blocks are tested with, padded as Megatron does: GPT-2's,
 * BERT's. */
static const double gpt_vocabulary = 50304;
static const double bert_vocabulary = 30592;
/* Both stacks of an encoder-decoder whose layers are not stated: by width, at most as T5 XXL. */
static const double unstated_width = 32;
static const double unstated_layers = 48;
/* A decoder of T5 sees a quarter of its encoder's sequence: the mean over both stacks. */
static const double mean_of_stacks = 0.625;
/* From how many experts on they are narrower than the dense MLP. */
static const double fine_experts = 32;
/* GPUs of a recipe made for release that does not say how many, dense and routed; other tests run
 * on one machine. */
static const double release_gpus = 128;
static const double routed_gpus = 64;
static const double machine_gpus = 8;

/* The size that a name carries: "gpt3_15b"; 0 where there is none. */
static double billions_in(const char *name) {
    double value = 0;
    for (const char *c = name; c != NULL && *c != '\0'; c++) {
        size_t len = c > name && c[-1] == '_' ? gp_num_scan(c, strlen(c)) : 0;
        if (len > 0 && c[len] == 'b' && (c[len + 1] == '_' || c[len + 1] == '\0') &&
            gp_num_parse(c, len, &value))
            return value;
    }
    return 0;
}

static void set_dimensions(gp_run_row *full, const gp_run_row *run) {
    size_t len = 0;
    const char *ffn = gp_notes_value(run->notes, "ffn", &len);
    full->layers = gp_notes_number(run->notes, "L");
    full->hidden = gp_notes_number(run->notes, "h");
    full->heads = gp_notes_number(run->notes, "heads");
    full->ffn = gp_notes_number(run->notes, "ffn");
    if (full->layers <= 0 && full->hidden > 0)
        full->layers = gp_num_min(full->hidden / unstated_width, unstated_layers);
    if (ffn != NULL && len > 1 && ffn[len - 1] == 'h') {
        full->ffn *= full->hidden;
        full->plain = !gp_words_has(run->model, "swiglu"); /* the classic block, unless named */
        full->tied = !gp_words_has(run->model, "untie");
    }
    full->vocab = full->layers > 0 ? gpt_vocabulary : 0;
}

/* The encoders and encoder-decoders among Megatron's classic models. */
static void set_classic(gp_run_row *full, const gp_run_row *run) {
    bool encoder = gp_words_starts(run->model, "bert/");
    bool both = gp_words_starts(run->model, "t5/");
    if (full->hidden > 0 && full->params_b <= 0 && !(encoder || both))
        full->params_b = billions_in(run->model);
    if (full->hidden <= 0 || !(encoder || both))
        return;
    full->stacks = both ? 2 : 1;
    full->vocab = bert_vocabulary;
    full->plain = full->tied = true;
    full->sequence_length *= both ? mean_of_stacks : 1;
}

static void set_experts(gp_run_row *full, const gp_run_row *run) {
    full->experts = gp_notes_number(run->notes, "experts");
    full->top_k = full->experts > 0 ? 2 : 0;
    if (full->experts >= fine_experts && full->ffn >= 4 * full->hidden) {
        /* Fine-grained experts: as many active ones as make up the stated width. */
        full->top_k = 4;
        full->ffn /= full->top_k;
    }
    full->ep = full->ep > 0 ? full->ep : gp_notes_number(run->notes, "ep");
    /* Megatron splits experts as it splits the rest, unless their own split is stated. */
    bool whole = gp_words_has(run->model, "etp1") || full->hidden <= 0;
    full->expert_tp = full->experts > 0 && !whole ? run->tp : 1;
}

/* The pipeline's schedule: layers of a virtual stage; a stated local batch is that of the whole
 * schedule, cut into as many micro-batches as there are stages. */
static void set_schedule(gp_run_row *full, const gp_run_row *run) {
    double chunk = gp_notes_number(run->notes, "vpp");
    double pp = gp_num_max(1, run->pp);
    full->cp = gp_words_number(run->notes, "CP");
    full->vpp = chunk > 0 ? floor(full->layers / (pp * chunk)) : 0;
    if (gp_words_has(run->notes, "local batch") && pp > 1) {
        full->micro_batch = gp_num_max(1, floor(run->micro_batch / pp));
        full->grad_accum = run->micro_batch / full->micro_batch;
    }
}

/* GPUs where none are stated: at least as many as the model's own parallelism takes. */
static void set_gpus(gp_run_row *full, const gp_run_row *run) {
    if (full->gpus > 0 || full->hidden <= 0)
        return;
    double experts = gp_num_max(1, full->ep) * gp_num_max(1, full->expert_tp);
    double least = gp_num_max(1, run->pp) * gp_num_max(gp_num_max(1, run->tp), experts);
    double usual = !gp_words_has(run->model, "release") ? machine_gpus
                   : full->experts > 0                  ? routed_gpus
                                                        : release_gpus;
    full->gpus = gp_num_max(usual, least);
}

static gp_run_row memory_row(const gp_run_row *run) {
    gp_run_row full = *run;
    set_dimensions(&full, run);
    set_classic(&full, run);
    set_experts(&full, run);
    set_schedule(&full, run);
    set_gpus(&full, run);
    return full;
}

/* ---- parts that the catalogue lacks */

static const double bytes_per_gib = 1024.0 * 1024 * 1024; /* definition */
static const char stand_in_gpu[] = "b200-sxm";
static const double bytes_per_gb = 1e9; /* definition */

/* What the driver shows of a part that is named by its size alone ("24GB"): the most that a
 * catalogued part of that size shows. A size in GiB is what was seen. */
static double shown_memory(gp_fitter *fitter, const char *name, double size) {
    size_t count = 0;
    double most = 0;
    if (gp_words_has(name, "GiB"))
        return size;
    const void *const *rows = gp_fit_rows_of(fitter->catalog, GP_CATALOG_GPUS, &count);
    for (size_t i = 0; i < count; i++) {
        const gp_gpu *gpu = rows[i];
        bool same = gp_num_near(gpu->memory_bytes, size * bytes_per_gb) ||
                    gp_num_near(gpu->memory_bytes, size * bytes_per_gib);
        most = same ? gp_num_max(most, gpu->usable_memory_bytes) : most;
    }
    return most > 0 ? most / bytes_per_gib : size;
}

/* A part that the catalogue lacks has at least the memory its name or the row states: what tensors
 * take does not depend on it. */
static void stand_in(gp_fitter *fitter, gp_run_row *run) {
    double gib = 0;
    if (gp_fit_hardware_of(fitter, run).machine != NULL)
        return;
    if (run->usable_gib <= 0 && run->gpu != NULL &&
        gp_num_parse(run->gpu, gp_num_scan(run->gpu, strlen(run->gpu)), &gib))
        run->usable_gib = shown_memory(fitter, run->gpu, gib);
    if (!gp_str_equal(run->kind, "inference") && run->outcome != NULL &&
        (run->usable_gib > 0 || gp_str_equal(run->outcome, "measured")))
        run->gpu = stand_in_gpu;
}

void gp_lab_score_memory(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows) {
    gp_run_row *full = GP_NEW(fitter->arena, gp_run_row);
    *full = memory_row(run);
    stand_in(fitter, full);
    gp_fit_score_memory(fitter, full, rows);
}
