/*
 * The serving engine of a run of memory: its catalogue row by name and release, and what the run's
 * notes say of how it was started. Where no release is stated the month decides, else the newest.
 */

#include "base/str.h"
#include "fit/fitter.h"
#include "fit/words.h"

typedef struct engine_word {
    const char *needle, *name;
} engine_word;

/* Options that only one engine has, then what version columns call an engine. */
static const engine_word option_words[] = {{"mem-fraction-static", "sglang"},
                                           {"kv_cache_free_gpu_mem", "tensorrt-llm"}};
static const engine_word engine_words[] = {
    {"vllm", "vllm"}, {"sglang", "sglang"}, {"trt-llm", "tensorrt-llm"}};

static const char *engine_name(const gp_run_row *run) {
    for (size_t i = 0; i < GP_COUNT_OF(option_words); i++)
        if (gp_words_has(run->notes, option_words[i].needle))
            return option_words[i].name;
    for (size_t i = 0; i < GP_COUNT_OF(engine_words); i++)
        if (gp_words_has(run->version, engine_words[i].needle))
            return engine_words[i].name;
    return NULL;
}

/* The engine that a GPU older than Ampere is left with: the one before chunked prefill. */
static bool is_old(const gp_gpu *gpu) {
    return gpu != NULL && (gp_str_equal(gpu->arch, "volta") || gp_str_equal(gpu->arch, "turing"));
}

/* Whether `row` is nearer to the stated order or month than `best`: the newest up to it, else the
 * oldest. */
static bool is_nearer(int64_t at, int64_t row, int64_t best) {
    if (at <= 0)
        return row > best;
    bool row_in = row <= at, best_in = best <= at;
    return row_in != best_in ? row_in : row_in ? row > best : row < best;
}

/* Rows without an order are no releases: a development build stands for those of its month, a row
 * without a month for runs that state neither release nor date. */
static bool is_release(const gp_stack *row, int64_t month, bool development) {
    return row->order > 0 || (row->month > 0 && month > 0 && development);
}

/* What a row is compared by: its release, or its month, of which a development build is the end. */
static int64_t age_of(const gp_stack *row, bool by_month) {
    return by_month ? 2 * row->month + (row->order <= 0 ? 1 : 0) : row->order;
}

static const gp_stack *undated(const gp_fitter *fitter, const char *name) {
    for (size_t i = 0; i < fitter->stack_count; i++) {
        const gp_stack *row = &fitter->stacks[i];
        if (row->role == GP_STACK_SERVING && row->order <= 0 && row->month <= 0 &&
            gp_str_equal(row->name, name))
            return row;
    }
    return NULL;
}

/* The row of a serving engine: the newest release up to the version or month stated, else the
 * oldest; where neither is stated the newest that the GPU (may be NULL) runs. NULL: none. */
static const gp_stack *fit_release(const gp_fitter *fitter, const char *name, const char *version,
                                   const gp_gpu *gpu) {
    int64_t order = gp_words_version(version);
    int64_t month = order > 0 ? 0 : gp_words_release(version);
    bool development = gp_words_has(version, "nightly");
    bool first_engine = order <= 0 && month <= 0 && is_old(gpu);
    const gp_stack *best = NULL;
    for (int pass = first_engine ? 0 : 1; best == NULL && pass < 2; pass++) {
        for (size_t i = 0; i < fitter->stack_count; i++) {
            const gp_stack *row = &fitter->stacks[i];
            if (row->role != GP_STACK_SERVING || !gp_str_equal(row->name, name) ||
                (pass == 0 && !row->whole_prompts) || !is_release(row, month, development))
                continue;
            int64_t at = month > 0 ? 2 * month + 1 : order;
            bool nearer =
                best == NULL || is_nearer(at, age_of(row, month > 0), age_of(best, month > 0));
            best = nearer ? row : best;
        }
    }
    return best;
}

const gp_stack *gp_fit_serving_stack(const gp_fitter *fitter, const char *name,
                                     const gp_run_row *run, const gp_gpu *gpu) {
    const char *version = run->version;
    if (gp_words_version(version) <= 0 && gp_words_release(version) <= 0) {
        const char *measured = gp_str_find_nocase(run->notes, "measured=");
        version = measured == NULL ? version : measured;
    }
    bool stated = gp_words_version(version) > 0 || gp_words_release(version) > 0;
    const gp_stack *row = stated || is_old(gpu) ? NULL : undated(fitter, name);
    return row == NULL ? fit_release(fitter, name, version, gpu) : row;
}

/* An engine that the catalogue lacks has at least a process's context. */
static const gp_stack *other_engine(gp_fitter *fitter) {
    gp_stack *row = GP_NEW(fitter->arena, gp_stack);
    row->non_torch_bytes = row->parallel_bytes = fitter->constants.memory_context_bytes;
    return row;
}

void gp_fit_engine(gp_fitter *fitter, const gp_run_row *run, const gp_gpu *gpu, gp_serve_job *job) {
    static const char *const claims[] = {"gpu_memory_utilization", "mem-fraction-static",
                                         "kv_cache_free_gpu_mem_fraction", "util"};
    const char *name = engine_name(run);
    job->stack = name == NULL ? other_engine(fitter) : fit_release(fitter, name, run->version, gpu);
    for (size_t i = 0; i < GP_COUNT_OF(claims) && job->claim_fraction <= 0; i++)
        job->claim_fraction = gp_words_number(run->notes, claims[i]);
    job->max_sequences = gp_words_number(run->notes, "max_num_seqs");
    job->step_tokens = gp_words_number(run->notes, "max_num_batched_tokens");
    job->context_tokens = run->sequence_length;
    if (gp_words_has(run->notes, "fp8 KV") || gp_words_has(run->notes, "fp8_e5m2 KV"))
        job->kv_cache = GP_FORMAT_FP8;
}
