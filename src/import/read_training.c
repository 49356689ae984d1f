/*
 * Logs of training: Megatron-LM and Megatron-Bridge, NeMo 2, torchtitan, the Hugging Face trainer.
 * A log becomes one row, the median of its steps; the first step, which holds start-up and
 * compilation, is left out where others follow.
 */
#include <string.h>

#include "import/reader.h"

typedef struct steps {
    double *values;
    size_t count, cap;
    double sequences; /* of the last step */
    gp_part last;     /* line of it */
} steps;

static void add_step(gp_reader *r, steps *s, double value) {
    GP_PUSH(r->arena, s->values, s->count, s->cap) = value;
}

static double typical(gp_reader *r, const steps *s) {
    size_t skip = s->count > 1 ? 1 : 0;
    return gp_reader_median(r, s->values + skip, s->count - skip);
}

/* A row of the caller's configuration with what was measured. */
static gp_reading *add_run(gp_reader *r, const char *framework) {
    gp_reading *row = gp_reader_add(r, GP_RUNS_TRAINING, "");
    gp_reading_text(r, row, "framework", framework);
    return row;
}

static bool number_after(gp_part line, const char *key, double *ret) {
    gp_part rest = gp_part_after(line, key);
    return rest.at != NULL && gp_part_number(rest, ret);
}

static bool keep_number(gp_reader *r, gp_part line, const char *key, double *ret) {
    gp_part rest = gp_part_after(line, key);
    if (rest.at == NULL)
        return false;
    if (gp_part_number(rest, ret))
        return true;
    gp_part word = gp_part_word(&rest);
    if (!gp_part_is(word, "nan") && !gp_part_is(word, "N/A"))
        gp_reader_refuse(r, line, key, "expected a number");
    return false;
}

/* ---- Megatron-LM, Megatron-Bridge, NeMo ------------------------------------------------------ */

static void add_iteration(gp_reader *r, const steps *s, double scale, const char *framework) {
    if (s->count == 0)
        return;
    gp_reading *row = add_run(r, framework);
    gp_reading_number(r, row, "gbs_sequences", s->sequences);
    gp_reading_number(r, row, "iteration_s", typical(r, s) * scale);
    gp_reader_date(r, row, s->last);
}

static void read_iterations(gp_reader *r, const char *time_key, const char *batch_key, double scale,
                            const char *framework) {
    steps s = {.count = 0};
    for (size_t i = 0; i < r->text->line_count && r->st == GP_OK; i++) {
        gp_part line = gp_reader_line(r, i);
        double value = 0;
        if (keep_number(r, line, time_key, &value) && value > 0) {
            (void)number_after(line, batch_key, &s.sequences);
            s.last = line;
            add_step(r, &s, value);
        }
    }
    add_iteration(r, &s, scale, framework);
}

void gp_read_megatron(gp_reader *r) {
    static const double s_per_ms = 1e-3; /* definition */
    gp_part all = {r->text->data, r->text->len};
    bool bridge = gp_part_after(all, "MODEL_TFLOP/s/GPU").at != NULL;
    read_iterations(r, "elapsed time per iteration (ms):", "global batch size:", s_per_ms,
                    bridge ? "Megatron-Bridge" : "Megatron-LM");
}

void gp_read_nemo(gp_reader *r) {
    read_iterations(r, "train_step_timing in s:", "global_batch_size:", 1, "NeMo");
}

/* ---- torchtitan ------------------------------------------------------------------------------ */

void gp_read_torchtitan(gp_reader *r) {
    steps s = {.count = 0};
    for (size_t i = 0; i < r->text->line_count && r->st == GP_OK; i++) {
        gp_part line = gp_reader_line(r, i);
        double tokens = 0;
        if (gp_part_after(line, "step:").at != NULL && keep_number(r, line, "tps:", &tokens) &&
            tokens > 0) {
            s.last = line;
            add_step(r, &s, tokens);
        }
    }
    if (s.count > 0) {
        gp_reading *row = add_run(r, "torchtitan");
        gp_reading_number(r, row, "tokens_per_s_per_gpu", typical(r, &s));
        gp_reader_date(r, row, s.last);
    }
}

/* ---- Hugging Face ---------------------------------------------------------------------------- */

/* "'train_samples_per_second': 12.5" (transformers 5: '12.5') or "train_samples_per_second =
 * 12.5". */
static bool trainer_value(gp_part line, const char *key, double *ret) {
    gp_part rest = gp_part_after(line, key);
    while (rest.at != NULL && rest.len > 0 && strchr("'\" :=\t", *rest.at) != NULL) {
        rest.at++;
        rest.len--;
    }
    return rest.at != NULL && gp_part_number(rest, ret) && *ret > 0;
}

void gp_read_hf_trainer(gp_reader *r) {
    double samples = 0;
    for (size_t i = 0; i < r->text->line_count; i++) {
        gp_part line = gp_reader_line(r, i);
        (void)trainer_value(line, "train_samples_per_second", &samples);
    }
    double length = gp_reader_set_number(r, "seq_len");
    if (!(samples > 0))
        return;
    if (!(length > 0)) {
        gp_reader_refuse_all(r, "--set seq_len=N, tokens of a sample",
                             "the log counts samples and does not say how long they are");
        return;
    }
    double gpus = gp_reader_gpus(r, 0);
    if (gpus > 0) {
        gp_reading *row = add_run(r, "HF Trainer");
        gp_reading_number(r, row, "tokens_per_s_per_gpu", samples * length / gpus);
    }
}

/* ---- peak memory ----------------------------------------------------------------------------- */

static void add_peak(gp_reader *r, double gib, const char *measure) {
    if (!(gib > 0))
        return;
    gp_reading *row = gp_reader_add(r, GP_RUNS_MEMORY, "");
    gp_reading_text(r, row, "kind", gp_reader_set(r, "kind") == NULL ? "pretrain" : NULL);
    gp_reading_text(r, row, "measure", measure);
    gp_reading_number(r, row, "peak_mem_gib_per_gpu", gib);
}

/* "[Rank 0] (after 2 iterations) memory (MB) | allocated: ... | max allocated: 61234.5 | ..."; MB
 * are of 2^20 bytes. */
void gp_read_megatron_memory(gp_reader *r) {
    static const double mib_per_gib = 1024; /* definition */
    double most = 0;
    for (size_t i = 0; i < r->text->line_count; i++) {
        double mib = 0;
        gp_part line = gp_reader_line(r, i);
        if (gp_part_after(line, "memory (MB)").at != NULL &&
            number_after(line, "max allocated:", &mib))
            most = mib > most ? mib : most;
    }
    add_peak(r, most / mib_per_gib, "allocated");
}

void gp_read_torchtitan_memory(gp_reader *r) {
    double most = 0;
    for (size_t i = 0; i < r->text->line_count; i++) {
        double gib = 0;
        gp_part line = gp_reader_line(r, i);
        if (number_after(line, "memory:", &gib) && gp_part_after(line, "GiB(").at != NULL)
            most = gib > most ? gib : most;
    }
    add_peak(r, most, "reserved");
}
