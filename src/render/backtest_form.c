/* A backtest as text, Markdown, JSON and CSV. */
#include "render/block.h"
#include "render/csv.h"

enum { DEFAULT_WIDTH = 160 };

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

/* A column of the statistics of a set of rows. */
typedef enum figure_kind { SHARE, SIGNED_SHARE, NUMBER, COUNT } figure_kind;
typedef struct figure {
    const char *head;
    size_t offset;
    figure_kind kind;
    bool left_out; /* of the rows with their kind left out of the fit */
} figure;

#define OF(member) offsetof(gp_backtest_stats, member)
static const figure seen[] = {
    {">rows", OF(n), COUNT, false},           {">no est.", OF(unsupported), COUNT, false},
    {">mean", OF(mean), SHARE, false},        {">median", OF(median), SHARE, false},
    {">p80", OF(p80), SHARE, false},          {">p90", OF(p90), SHARE, false},
    {">in 10%", OF(within_10), SHARE, false}, {">bias", OF(bias), SIGNED_SHARE, false},
    {">in band", OF(coverage), SHARE, false}, {">width", OF(width), SHARE, false},
};
/* What was left out leads: it says how a case fares that nobody has measured. */
static const figure left_out[] = {
    {">rows", OF(n), COUNT, false},
    {">no est.", OF(unsupported), COUNT, false},
    {">left out: median", OF(median), SHARE, true},
    {">p90", OF(p90), SHARE, true},
    {">clusters: median", OF(cluster_median), SHARE, true},
    {">p90", OF(cluster_p90), SHARE, true},
    {">bias", OF(bias), SIGNED_SHARE, true},
    {">in band", OF(coverage), SHARE, true},
    {">width", OF(width), SHARE, true},
    {">score", OF(score), NUMBER, true},
    {">constant", OF(constant_score), NUMBER, true},
    {">in sample: median", OF(median), SHARE, false},
    {">p90", OF(p90), SHARE, false},
    {">in band", OF(coverage), SHARE, false},
};
static const figure fits[] = {
    {">rows", OF(n), COUNT, false},
    {">no est.", OF(unsupported), COUNT, false},
    {">borderline", OF(borderline), SHARE, false},
    {">right outside it", OF(right), SHARE, false},
};
#undef OF

/* The columns of a table of statistics. */
typedef struct figure_list {
    const figure *items;
    size_t count;
} figure_list;

static figure_list errors_of(const gp_backtest *backtest) {
    return backtest->has_left_out ? (figure_list){left_out, GP_COUNT_OF(left_out)}
                                  : (figure_list){seen, GP_COUNT_OF(seen)};
}

static const char *figure_text(gp_form_out *out, const figure *it, const gp_backtest_stats *stats) {
    const void *at = (const char *)stats + it->offset;
    switch (it->kind) {
    case SHARE: return percent(out, *(const double *)at, false);
    case SIGNED_SHARE: return percent(out, *(const double *)at, true);
    case NUMBER: return number(out, *(const double *)at);
    case COUNT: return gp_form_text(out, "%zu", *(const size_t *)at);
    }
    return "";
}

static gp_table stats_table(figure_list columns) {
    gp_table table = GP_TABLE("~class", "~metric");
    for (size_t i = 0; i < columns.count; i++)
        gp_table_column(&table, columns.items[i].head);
    return table;
}

static void add_stats(gp_form_out *out, gp_table *table, figure_list columns, const char *name,
                      const char *metric, const gp_backtest_stats *stats,
                      const gp_backtest_stats *apart) {
    const char **cells = gp_table_row(out, table);
    *cells++ = name;
    *cells++ = metric;
    for (size_t i = 0; i < columns.count; i++)
        *cells++ = figure_text(out, &columns.items[i], columns.items[i].left_out ? apart : stats);
}

static gp_table class_table(gp_form_out *out, figure_list columns, bool is_fit,
                            const gp_backtest_class *items, size_t count) {
    gp_table table = stats_table(columns);
    for (size_t i = 0; i < count; i++) {
        const gp_backtest_class *it = &items[i];
        const char *name = it->group == NULL
                               ? it->class_name
                               : gp_form_text(out, "%s, %s", it->class_name, it->group);
        if (it->is_fit == is_fit)
            add_stats(out, &table, columns, name, it->metric, &it->stats, &it->left_out);
    }
    return table;
}

static gp_table worst_table(gp_form_out *out, const gp_backtest *backtest) {
    gp_table table =
        GP_TABLE("~row", "class", "~metric", ">measured", ">estimated", ">error", "~remark");
    for (size_t i = 0; i < backtest->worst_count; i++) {
        const gp_backtest_row *row = backtest->worst[i];
        GP_TABLE_ROW(out, &table, gp_form_or(row->id, "-"), row->class_name, row->metric,
                     number(out, row->measured), number(out, row->estimated),
                     percent(out, row->error_fraction, true), row->reason);
    }
    return table;
}

static void say_table(gp_form_out *out, const char *heading, const gp_table *table) {
    if (table->rows > 0)
        gp_block_heading(out, heading);
    gp_block_table(out, NULL, table);
}

static void write_blocks(gp_form_out *out, const void *result) {
    const gp_backtest *it = result;
    const figure_list columns = errors_of(it);
    const figure_list of_fits = {fits, GP_COUNT_OF(fits)};
    gp_block_lead(out, gp_form_text(out, "%s: %zu estimates scored, %zu unsupported, %zu skipped",
                                    it->kind, it->scored, it->unsupported, it->skipped));
    gp_table table = class_table(out, columns, false, it->classes, it->class_count);
    if (table.rows > 1)
        add_stats(out, &table, columns, "all", "", &it->total, &it->left_out);
    say_table(out, "Errors", &table);
    table = class_table(out, of_fits, true, it->classes, it->class_count);
    say_table(out, "Fits or not", &table);
    table = class_table(out, columns, false, it->groups, it->group_count);
    say_table(out, "By group", &table);
    table = worst_table(out, it);
    say_table(out, "Worst rows", &table);
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
    gp_json_close(json, "}");
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
    gp_json_close(json, "}");
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
        gp_json_close(json, "}");
    }
    gp_json_close(json, "]");
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
        gp_json_close(json, "}");
    }
    json_left_out(json, backtest, &backtest->left_out);
    gp_json_close(json, "}");
}

static void write_json(gp_form_out *out, const void *result) {
    const gp_backtest *backtest = result;
    gp_json json = GP_JSON(out->buf);
    gp_json_open(&json, NULL, '{');
    gp_json_string(&json, "kind", backtest->kind);
    gp_json_open(&json, "rows", '[');
    for (size_t i = 0; i < backtest->row_count; i++)
        json_row(&json, backtest, &backtest->rows[i]);
    gp_json_close(&json, "]");
    json_summary(&json, backtest);
    json_classes(&json, backtest, "classes", backtest->classes, backtest->class_count);
    if (backtest->group_count > 0)
        json_classes(&json, backtest, "groups", backtest->groups, backtest->group_count);
    gp_json_close(&json, "}");
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
        for (size_t j = 0; j < GP_COUNT_OF(texts); j++) {
            gp_csv_text(buf, texts[j]);
            gp_buf_char(buf, ',');
        }
        for (size_t j = 0; j < GP_COUNT_OF(numbers); j++) {
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

static const gp_renderer forms[] = {
    {"text", NULL, write_blocks, .layout = GP_LAYOUT_TEXT},
    {"json", NULL, write_json, .layout = GP_LAYOUT_TEXT},
    {"markdown", NULL, write_blocks, .layout = GP_LAYOUT_MARKDOWN},
    {"csv", NULL, write_csv, .layout = GP_LAYOUT_TEXT},
};

const gp_forms gp_forms_backtest = GP_FORMS(forms, DEFAULT_WIDTH);
