/*
 * Published counts of image tokens beside those that the rule of each family gives: squares of four
 * sizes. Figures of the row's own columns go before those of the catalogue; a row of no known
 * family is counted by its columns where they tell a rule.
 */
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "fit/words.h"
#include "lab/lab.h"

/* The number that a cell begins with; 0: none. */
static double leading(const char *text) {
    double value = 0;
    size_t len = text == NULL ? 0 : gp_num_scan(text, strlen(text));
    return len > 0 && gp_num_parse(text, len, &value) ? value : 0;
}

/* The number that a cell is, and nothing else. */
static double plain(const char *text) {
    double value = 0;
    return text != NULL && gp_num_parse(text, strlen(text), &value) ? value : 0;
}

/* The processor with the longest name in the model's; NULL: none. */
static const gp_image_processor *find_processor(gp_fitter *fitter, const char *model) {
    const gp_image_processor *found = NULL;
    size_t count = 0, longest = 0;
    const void *const *rows = gp_fit_rows_of(fitter->catalog, GP_CATALOG_PROCESSORS, &count);
    for (size_t i = 0; i < count; i++) {
        const gp_image_processor *row = rows[i];
        for (size_t j = 0; j < row->aliases.count; j++) {
            const char *alias = row->aliases.items[j];
            if (strlen(alias) > longest && gp_words_has(model, alias)) {
                longest = strlen(alias);
                found = row;
            }
        }
    }
    return found;
}

/* What the columns alone tell of a family that the catalogue has no row of. */
static int rule_told(const gp_run_row *run) {
    if (gp_lab(run)->least_tokens != NULL &&
        gp_str_equal(gp_lab(run)->least_tokens, gp_lab(run)->most_tokens)) {
        return GP_IMAGE_FIXED;
    }
    return gp_words_has(gp_lab(run)->tile_rule == NULL ? "" : gp_lab(run)->tile_rule,
                        "smart_resize")
               ? GP_IMAGE_ROUND
               : GP_IMAGE_NONE;
}

static void set_limits(const gp_run_row *run, gp_vision *vision) {
    gp_image_processor *rule = &vision->processor;
    const double merge = (double)gp_num_max_i64(rule->merge, 1);
    const double patch = (double)gp_num_max_i64(vision->patch, rule->patch);
    const double least = plain(gp_lab(run)->least_tokens), most = plain(gp_lab(run)->most_tokens);
    const double token = patch * patch * merge * merge;
    if (rule->rule == GP_IMAGE_FIXED && most > 0) {
        rule->tokens = (int64_t)most;
    } else if (rule->rule == GP_IMAGE_ROUND) {
        rule->min_pixels = least > 0 ? (int64_t)(least * token) : rule->min_pixels;
        rule->max_pixels = most > 0 ? (int64_t)(most * token) : rule->max_pixels;
    } else if (most > 0) {
        rule->max_patches = (int64_t)(most * merge * merge);
    }
}

static gp_vision vision_of(const gp_run_row *run, const gp_image_processor *processor) {
    gp_vision vision = {.patch = (int64_t)leading(gp_lab(run)->patch)};
    if (processor != NULL) {
        vision.processor = *processor;
    } else {
        vision.processor.rule = rule_told(run);
    }
    const double merge = plain(gp_lab(run)->merge);
    vision.processor.merge = merge > 0 ? (int64_t)merge : vision.processor.merge;
    set_limits(run, &vision);
    return vision;
}

void gp_lab_score_vision(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows) {
    static const struct {
        const char *metric;
        double edge;
    } sizes[GP_RUN_IMAGE_SIZES] = {
        {"tok_336", 336}, {"tok_512", 512}, {"tok_1024", 1024}, {"tok_2048", 2048}};
    const gp_image_processor *processor = find_processor(fitter, run->model);
    const gp_vision vision = vision_of(run, processor);
    for (size_t i = 0; i < GP_RUN_IMAGE_SIZES; i++) {
        const double stated = leading(gp_lab(run)->image_tokens[i]);
        gp_image_cost cost;
        const bool known = gp_image_cost_of(&vision, sizes[i].edge, sizes[i].edge, 0, &cost);
        if (stated <= 0) {
            continue;
        }
        gp_backtest_row row =
            gp_fit_row(run, "visionTokens", sizes[i].metric, stated,
                       known ? NULL : "no image processor of that name, nor a rule in its columns");
        gp_fit_row_estimate(&row, cost.tokens, 0, NULL);
        gp_fit_rows_add(fitter, rows, &row, NULL);
    }
}
