/* The tables of a backtest, for terminals and Markdown alike. */
#include <math.h>

#include "base/num.h"
#include "render/backtest_form.h"

static const char *percent(gp_form_out *out, double fraction, bool sign) {
    char text[GP_NUM_TEXT];
    if (!isfinite(fraction))
        return "-";
    (void)gp_num_format_fixed(text, fraction * 100, 1);
    return gp_form_text(out, "%s%s%%", sign && fraction > 0 ? "+" : "", text);
}

static const char *number(gp_form_out *out, double value) {
    char text[GP_NUM_TEXT];
    if (!isfinite(value))
        return "-";
    (void)gp_num_format_g(text, value, 5);
    return gp_form_text(out, "%s", text);
}

static const char *count(gp_form_out *out, size_t n) {
    return gp_form_text(out, "%zu", n);
}

const char *gp_backtest_counts(gp_form_out *out, const gp_backtest *backtest) {
    return gp_form_text(out, "%s: %zu estimates scored, %zu unsupported, %zu skipped",
                        backtest->kind, backtest->scored, backtest->unsupported, backtest->skipped);
}

static void add_headers(gp_table *table, const char *const *headers, size_t header_count) {
    for (size_t i = 0; i < header_count; i++)
        gp_table_column(table, headers[i], true, false);
}

/* What was left out leads: it says how a case fares that nobody has measured. */
static void add_error_columns(const gp_backtest *backtest, gp_table *table) {
    static const char *const counts[] = {"rows", "no est."};
    static const char *const left_out[] = {"left out: median",
                                           "p90",
                                           "clusters: median",
                                           "p90",
                                           "bias",
                                           "in band",
                                           "width",
                                           "score",
                                           "constant",
                                           "in sample: median",
                                           "p90",
                                           "in band"};
    static const char *const seen[] = {"mean",   "median", "p80",     "p90",
                                       "in 10%", "bias",   "in band", "width"};
    add_headers(table, counts, sizeof counts / sizeof counts[0]);
    if (backtest->has_left_out)
        add_headers(table, left_out, sizeof left_out / sizeof left_out[0]);
    else
        add_headers(table, seen, sizeof seen / sizeof seen[0]);
}

static void left_out_cells(gp_form_out *out, const gp_backtest_stats *stats,
                           const gp_backtest_stats *left_out, const char **cells) {
    size_t i = 0;
    cells[i++] = percent(out, left_out->median, false);
    cells[i++] = percent(out, left_out->p90, false);
    cells[i++] = percent(out, left_out->cluster_median, false);
    cells[i++] = percent(out, left_out->cluster_p90, false);
    cells[i++] = percent(out, left_out->bias, true);
    cells[i++] = percent(out, left_out->coverage, false);
    cells[i++] = percent(out, left_out->width, false);
    cells[i++] = number(out, left_out->score);
    cells[i++] = number(out, left_out->constant_score);
    cells[i++] = percent(out, stats->median, false);
    cells[i++] = percent(out, stats->p90, false);
    cells[i++] = percent(out, stats->coverage, false);
}

static void seen_cells(gp_form_out *out, const gp_backtest_stats *stats, const char **cells) {
    size_t i = 0;
    cells[i++] = percent(out, stats->mean, false);
    cells[i++] = percent(out, stats->median, false);
    cells[i++] = percent(out, stats->p80, false);
    cells[i++] = percent(out, stats->p90, false);
    cells[i++] = percent(out, stats->within_10, false);
    cells[i++] = percent(out, stats->bias, true);
    cells[i++] = percent(out, stats->coverage, false);
    cells[i++] = percent(out, stats->width, false);
}

static void error_cells(gp_form_out *out, const gp_backtest *backtest,
                        const gp_backtest_stats *stats, const gp_backtest_stats *left_out,
                        const char **cells) {
    cells[0] = count(out, stats->n);
    cells[1] = count(out, stats->unsupported);
    if (backtest->has_left_out)
        left_out_cells(out, stats, left_out, cells + 2);
    else
        seen_cells(out, stats, cells + 2);
}

static void error_row(gp_form_out *out, const gp_backtest *backtest, gp_table *table,
                      const gp_backtest_class *item) {
    const char **cells = gp_table_row(out, table);
    if (cells == NULL)
        return;
    cells[0] = item->group == NULL ? item->class_name
                                   : gp_form_text(out, "%s, %s", item->class_name, item->group);
    cells[1] = item->metric;
    error_cells(out, backtest, &item->stats, &item->left_out, cells + 2);
}

static void fill_errors(gp_form_out *out, const gp_backtest *backtest,
                        const gp_backtest_class *items, size_t item_count, gp_table *table) {
    gp_table_column(table, "class", false, true);
    gp_table_column(table, "metric", false, true);
    add_error_columns(backtest, table);
    for (size_t i = 0; i < item_count; i++)
        if (!items[i].is_fit)
            error_row(out, backtest, table, &items[i]);
}

static void fill_total(gp_form_out *out, const gp_backtest *backtest, gp_table *table) {
    const char **cells = table->rows > 1 ? gp_table_row(out, table) : NULL;
    if (cells == NULL)
        return;
    cells[0] = "all";
    error_cells(out, backtest, &backtest->total, &backtest->left_out, cells + 2);
}

static void fill_fits(gp_form_out *out, const gp_backtest *backtest, gp_table *table) {
    static const char *const headers[] = {"rows", "no est.", "borderline", "right outside it"};
    gp_table_column(table, "class", false, true);
    gp_table_column(table, "metric", false, false);
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        gp_table_column(table, headers[i], true, false);
    for (size_t i = 0; i < backtest->class_count; i++) {
        const gp_backtest_class *item = &backtest->classes[i];
        const char **cells = item->is_fit ? gp_table_row(out, table) : NULL;
        if (cells == NULL)
            continue;
        cells[0] = item->class_name;
        cells[1] = item->metric;
        cells[2] = count(out, item->stats.n);
        cells[3] = count(out, item->stats.unsupported);
        cells[4] = percent(out, item->stats.borderline, false);
        cells[5] = percent(out, item->stats.right, false);
    }
}

static void fill_worst(gp_form_out *out, const gp_backtest *backtest, gp_table *table) {
    gp_table_column(table, "row", false, true);
    gp_table_column(table, "class", false, false);
    gp_table_column(table, "metric", false, true);
    gp_table_column(table, "measured", true, false);
    gp_table_column(table, "estimated", true, false);
    gp_table_column(table, "error", true, false);
    gp_table_column(table, "remark", false, true);
    for (size_t i = 0; i < backtest->worst_count; i++) {
        const gp_backtest_row *row = backtest->worst[i];
        const char **cells = gp_table_row(out, table);
        if (cells == NULL)
            return;
        cells[0] = gp_form_or(row->id, "-");
        cells[1] = row->class_name;
        cells[2] = row->metric;
        cells[3] = number(out, row->measured);
        cells[4] = number(out, row->estimated);
        cells[5] = percent(out, row->error_fraction, true);
        cells[6] = gp_form_or(row->reason, "");
    }
}

void gp_backtest_table(gp_form_out *out, const gp_backtest *backtest, gp_backtest_part part,
                       gp_table *ret_table) {
    *ret_table = (gp_table){0};
    switch (part) {
    case GP_BACKTEST_CLASSES:
        fill_errors(out, backtest, backtest->classes, backtest->class_count, ret_table);
        fill_total(out, backtest, ret_table);
        break;
    case GP_BACKTEST_FITS: fill_fits(out, backtest, ret_table); break;
    case GP_BACKTEST_GROUPS:
        fill_errors(out, backtest, backtest->groups, backtest->group_count, ret_table);
        break;
    case GP_BACKTEST_WORST: fill_worst(out, backtest, ret_table); break;
    case GP_BACKTEST_PART_COUNT: break;
    }
}
