/*
 * Parts of a GPU as their maker lists them beside those of the catalogue, as plans use them: how
 * many of a profile lie on one GPU by the places that it may take, their memory, and their share of
 * memory and multiprocessors. Ways of sharing that no plan uses count as unsupported.
 */
#include <ctype.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "fit/words.h"
#include "lab/lab.h"

enum { WORD_MAX = 32, MOST = 64 };

/* Every word of the id but its last ("mig") stands in the name of the GPU. */
static bool names_gpu(const char *id, const char *gpu) {
    for (const char *at = id, *end = strchr(at, '-'); end != NULL; end = strchr(at, '-')) {
        char word[WORD_MAX] = {0};
        if ((size_t)(end - at) >= sizeof word) {
            return false;
        }
        memcpy(word, at, (size_t)(end - at));
        if (!gp_words_has(gpu, word)) {
            return false;
        }
        at = end + 1;
    }
    return true;
}

static const gp_gpu_partition *find_partition(gp_fitter *fitter, const char *gpu) {
    const gp_gpu_partition *found = NULL;
    size_t count = 0, longest = 0;
    const void *const *rows = gp_fit_rows_of(fitter->catalog, GP_CATALOG_PARTITIONS, &count);
    for (size_t i = 0; i < count; i++) {
        const gp_gpu_partition *row = rows[i];
        if (row->method == (int)GP_PART_MIG && strlen(row->id) > longest &&
            names_gpu(row->id, gpu)) {
            longest = strlen(row->id);
            found = row;
        }
    }
    return found;
}

/* "1g.10gb", or "3g" where one profile has so much of the GPU. */
static int64_t find_profile(const gp_gpu_partition *partition, const char *name) {
    for (size_t p = 0; p < gp_part_profiles(partition); p++) {
        const char *own = partition->profiles.items[p].name;
        const size_t len = strlen(name);
        if (strncmp(own, name, len) == 0 && (own[len] == '\0' || own[len] == '.')) {
            return (int64_t)p;
        }
    }
    return -1;
}

/* As many as lie on one GPU. */
static double most_of(const gp_gpu_partition *partition, int64_t profile) {
    int64_t counts[GP_PART_PROFILES_MAX] = {0};
    for (int64_t n = 1; n < MOST; n++) {
        counts[profile] = n;
        if (gp_parts_gpus(partition, counts) > 1) {
            return (double)(n - 1);
        }
    }
    return 0;
}

/* "3", "2/8", "16/132 SM", "full". */
static double number_of(const char *text) {
    double value = 0, of = 1;
    size_t len = text == NULL ? 0 : gp_num_scan(text, strlen(text));
    if (text != NULL && gp_words_starts(text, "full")) {
        return 1;
    }
    if (len == 0 || !gp_num_parse(text, len, &value)) {
        return 0;
    }
    const char *below = text[len] == '/' ? text + len + 1 : "";
    len = gp_num_scan(below, strlen(below));
    return len > 0 && gp_num_parse(below, len, &of) && of > 0 ? value / of : value;
}

typedef struct figure {
    const char *metric;
    double measured, estimated;
} figure;

/* Shares of multiprocessors are those of compute slices, or, where they are counted, those that a
 * part works with. */
static double compute_share(const gp_run_row *run, const gp_gpu_partition *partition,
                            const gp_gpu_profile *profile) {
    return gp_words_has(gp_lab(run)->compute_share, "SM")
               ? profile->flops_fraction
               : (double)profile->compute / (double)partition->compute;
}

void gp_lab_score_sharing(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows) {
    static const double bytes_per_gb = 1e9, bytes_per_gib = 1024. * 1024 * 1024; /* definitions */
    const gp_lab_row *row = gp_lab(run);
    const bool mig = gp_words_starts(run->kind, "MIG");
    const bool usable = gp_words_has(run->kind, "usable");
    const gp_gpu_partition *partition = mig ? find_partition(fitter, run->gpu) : NULL;
    const int64_t p = partition == NULL ? -1 : find_profile(partition, row->pool);
    const gp_gpu_profile none = {0};
    const gp_gpu_profile *profile = p < 0 ? &none : &partition->profiles.items[p];
    const char *why = !mig                ? "no plan shares a GPU in this way"
                      : partition == NULL ? "the catalogue cuts no such GPU"
                      : p < 0             ? "the catalogue has no such profile"
                                          : NULL;
    const figure figures[] = {
        {"max_instances", number_of(row->instances), p < 0 ? 0 : most_of(partition, p)},
        {"memory_gb", number_of(row->part_memory),
         profile->memory_bytes / (usable ? bytes_per_gib : bytes_per_gb)},
        {"memory_fraction", number_of(row->memory_share),
         p < 0 ? 0 : (double)profile->slices / (double)partition->slices},
        {"sm_fraction", number_of(row->compute_share),
         p < 0 ? 0 : compute_share(run, partition, profile)},
        {"value", number_of(row->part_value), 0},
    };
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        if (!(figures[i].measured > 0)) {
            continue;
        }
        gp_backtest_row scored = gp_fit_row(run, mig ? "migPart" : "sharing", figures[i].metric,
                                            figures[i].measured, why);
        gp_fit_row_estimate(&scored, figures[i].estimated, 0, NULL);
        gp_fit_rows_add(fitter, rows, &scored, NULL);
    }
}
