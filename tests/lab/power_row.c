/*
 * Published rows of power: they name a model and a suite of requests ("maker__model__suite"), whose
 * lengths stand in where the row has none of its own.
 */
#include <string.h>

#include "base/str.h"
#include "lab/lab.h"

/* Requests of the ML.ENERGY suites. Outputs are the means that the leaderboard prints, over models;
 * inputs are not printed: gpuplan's reading of the data sets (a question, a question with choices,
 * a file around a gap, a picture, a clip). */
static const struct suite {
    const char *word;
    double input, output, media;
} suites[] = {
    {"gpqa", 400, 5000, 0},
    {"lm-arena-chat", 200, 615, 0},
    {"sourcegraph-fim", 2000, 251, 0},
    {"image-chat", 1200, 830, 1000},
    {"video-chat", 6000, 390, 5500},
};
static const char separator[] = "__";

static const struct suite *find_suite(const char *word) {
    for (size_t i = 0; i < sizeof suites / sizeof suites[0]; i++)
        if (gp_str_equal(suites[i].word, word))
            return &suites[i];
    return NULL;
}

/* "maker__model__suite" into "maker/model" and the requests of the suite. */
static void read_name(gp_fitter *fitter, gp_run_row *row) {
    const size_t width = sizeof separator - 1;
    const char *name = row->model;
    const char *first = name == NULL ? NULL : strstr(name, separator);
    const char *second = first == NULL ? NULL : strstr(first + width, separator);
    const struct suite *suite = second == NULL ? NULL : find_suite(second + width);
    if (first == NULL)
        return;
    const size_t end = second == NULL ? strlen(name) : (size_t)(second - name);
    row->model = gp_arena_printf(fitter->arena, "%.*s/%.*s", (int)(first - name), name,
                                 (int)(end - (size_t)(first - name) - width), first + width);
    if (suite != NULL && !(row->input_tokens > 0 && row->output_tokens > 0)) {
        row->input_tokens = suite->input;
        row->output_tokens = suite->output;
        row->image_tokens = suite->media;
    }
}

void gp_lab_score_power(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows) {
    gp_run_row *row = GP_NEW(fitter->arena, gp_run_row);
    *row = *run;
    read_name(fitter, row);
    gp_fit_score_power(fitter, row, rows);
}
