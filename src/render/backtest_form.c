/* A backtest as text, Markdown, JSON and CSV. */
#include <math.h>

#include "render/backtest_form.h"
#include "render/block.h"
#include "render/csv.h"
#include "report/json.h"

enum { DEFAULT_WIDTH = 160 };

static const char *const headings[GP_BACKTEST_PART_COUNT] = {
    [GP_BACKTEST_CLASSES] = "Errors",
    [GP_BACKTEST_FITS] = "Fits or not",
    [GP_BACKTEST_GROUPS] = "By group",
    [GP_BACKTEST_WORST] = "Worst rows",
};

static void write_blocks(gp_form_out *out, const void *result) {
    const gp_backtest *backtest = result;
    gp_block_lead(out, gp_backtest_counts(out, backtest));
    for (int part = 0; part < GP_BACKTEST_PART_COUNT; part++) {
        gp_table table;
        gp_backtest_table(out, backtest, (gp_backtest_part)part, &table);
        if (table.rows > 0)
            gp_block_heading(out, headings[part]);
        gp_block_table(out, NULL, &table);
    }
}

static const char *const status_words[] = {
    [GP_BACKTEST_SCORED] = "scored",
    [GP_BACKTEST_UNSUPPORTED] = "unsupported",
    [GP_BACKTEST_SKIPPED] = "skipped",
};

enum { DIGITS = 6 };

static void json_row(gp_json *json, const gp_backtest *backtest, const gp_backtest_row *row) {
    gp_json_open(json, NULL, '{');
    gp_json_string(json, "id", row->id);
    gp_json_string(json, "class", row->class_name);
    gp_json_string(json, "metric", row->metric);
    gp_json_number(json, "measured", row->measured, DIGITS);
    gp_json_number(json, "estimated", row->estimated, DIGITS);
    gp_json_number(json, "errorFraction", row->error_fraction, DIGITS);
    gp_json_number(json, "low", row->low, DIGITS);
    gp_json_number(json, "high", row->high, DIGITS);
    gp_json_string(json, "status", status_words[row->status]);
    gp_json_string(json, "reason", row->reason);
    if (row->is_fit)
        gp_json_bool(json, "borderline", row->borderline);
    if (backtest->has_left_out)
        gp_json_number(json, "leftOut", row->left_out, DIGITS);
    gp_json_close(json, '}');
}

static void json_errors(gp_json *json, const gp_backtest_stats *stats) {
    gp_json_number(json, "meanAbsError", stats->mean, DIGITS);
    gp_json_number(json, "medianAbsError", stats->median, DIGITS);
    gp_json_number(json, "p80AbsError", stats->p80, DIGITS);
    gp_json_number(json, "p90AbsError", stats->p90, DIGITS);
    gp_json_number(json, "within10Percent", stats->within_10, DIGITS);
    gp_json_number(json, "bandCoverage", stats->coverage, DIGITS);
    gp_json_number(json, "bandWidth", stats->width, DIGITS);
    gp_json_number(json, "intervalScore", stats->score, DIGITS);
    gp_json_number(json, "constantBandScore", stats->constant_score, DIGITS);
}

static void json_stats(gp_json *json, const gp_backtest_stats *stats, bool is_fit) {
    gp_json_i64(json, "n", (int64_t)stats->n);
    gp_json_i64(json, "unsupported", (int64_t)stats->unsupported);
    json_errors(json, stats);
    if (is_fit) {
        gp_json_number(json, "rightFraction", stats->right, DIGITS);
        gp_json_number(json, "borderlineFraction", stats->borderline, DIGITS);
    }
}

static void json_left_out(gp_json *json, const gp_backtest *backtest,
                          const gp_backtest_stats *stats) {
    if (!backtest->has_left_out)
        return;
    gp_json_open(json, "leftOut", '{');
    gp_json_i64(json, "n", (int64_t)stats->n);
    json_errors(json, stats);
    gp_json_close(json, '}');
}

static void json_classes(gp_json *json, const gp_backtest *backtest, const char *key,
                         const gp_backtest_class *items, size_t count) {
    gp_json_open(json, key, '[');
    for (size_t i = 0; i < count; i++) {
        const gp_backtest_class *item = &items[i];
        gp_json_open(json, NULL, '{');
        gp_json_string(json, "class", item->class_name);
        gp_json_string(json, "metric", item->metric);
        if (item->group != NULL)
            gp_json_string(json, "group", item->group);
        json_stats(json, &item->stats, item->is_fit);
        if (!item->is_fit)
            json_left_out(json, backtest, &item->left_out);
        gp_json_close(json, '}');
    }
    gp_json_close(json, ']');
}

static void json_summary(gp_json *json, const gp_backtest *backtest) {
    size_t judged = backtest->scored + backtest->unsupported;
    gp_json_open(json, "summary", '{');
    gp_json_i64(json, "rows", (int64_t)backtest->row_count);
    gp_json_i64(json, "scored", (int64_t)backtest->scored);
    gp_json_i64(json, "unsupported", (int64_t)backtest->unsupported);
    gp_json_i64(json, "skipped", (int64_t)backtest->skipped);
    gp_json_number(json, "supportedFraction",
                   judged > 0 ? (double)backtest->scored / (double)judged : (double)NAN, DIGITS);
    json_errors(json, &backtest->total);
    if (backtest->has_fits) {
        gp_json_open(json, "fits", '{');
        gp_json_i64(json, "n", (int64_t)backtest->fits.n);
        gp_json_number(json, "rightFraction", backtest->fits.right, DIGITS);
        gp_json_number(json, "borderlineFraction", backtest->fits.borderline, DIGITS);
        gp_json_close(json, '}');
    }
    json_left_out(json, backtest, &backtest->left_out);
    gp_json_close(json, '}');
}

static void write_json(gp_form_out *out, const void *result) {
    const gp_backtest *backtest = result;
    gp_json json;
    gp_json_init(&json, out->buf);
    gp_json_open(&json, NULL, '{');
    gp_json_string(&json, "kind", backtest->kind);
    gp_json_open(&json, "rows", '[');
    for (size_t i = 0; i < backtest->row_count; i++)
        json_row(&json, backtest, &backtest->rows[i]);
    gp_json_close(&json, ']');
    json_summary(&json, backtest);
    json_classes(&json, backtest, "classes", backtest->classes, backtest->class_count);
    if (backtest->group_count > 0)
        json_classes(&json, backtest, "groups", backtest->groups, backtest->group_count);
    gp_json_close(&json, '}');
}

static void write_csv(gp_form_out *out, const void *result) {
    const gp_backtest *backtest = result;
    gp_buf *buf = out->buf;
    gp_buf_str(buf, "id,class,metric,measured,estimated,errorFraction,low,high,status,reason");
    gp_buf_str(buf, backtest->has_left_out ? ",leftOut\n" : "\n");
    for (size_t i = 0; i < backtest->row_count; i++) {
        const gp_backtest_row *row = &backtest->rows[i];
        const char *const texts[] = {row->id, row->class_name, row->metric};
        const double numbers[] = {row->measured, row->estimated, row->error_fraction, row->low,
                                  row->high};
        for (size_t j = 0; j < sizeof texts / sizeof texts[0]; j++) {
            gp_csv_text(buf, texts[j]);
            gp_buf_char(buf, ',');
        }
        for (size_t j = 0; j < sizeof numbers / sizeof numbers[0]; j++) {
            gp_csv_number(buf, numbers[j]);
            gp_buf_char(buf, ',');
        }
        gp_buf_printf(buf, "%s,", status_words[row->status]);
        gp_csv_text(buf, row->reason);
        if (backtest->has_left_out) {
            gp_buf_char(buf, ',');
            gp_csv_number(buf, row->left_out);
        }
        gp_buf_char(buf, '\n');
    }
}

static const gp_form_row forms[] = {
    {"text", NULL, write_blocks, GP_LAYOUT_TEXT},
    {"json", NULL, write_json, GP_LAYOUT_TEXT},
    {"markdown", NULL, write_blocks, GP_LAYOUT_MARKDOWN},
    {"csv", NULL, write_csv, GP_LAYOUT_TEXT},
};

gp_status gp_render_backtest(gp_arena *arena, const char *form, const gp_backtest *backtest,
                             const gp_render_options *options, const char **ret_text,
                             size_t *ret_len) {
    return gp_form_render(arena, forms, sizeof forms / sizeof forms[0], form, backtest, options,
                          DEFAULT_WIDTH, ret_text, ret_len);
}
