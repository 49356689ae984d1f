/* The tables of forms, and the calls through them. */
#include <string.h>

#include "render/block.h"

enum { RENDER_MAX_BYTES = 256 << 20, DEFAULT_WIDTH = 80, LEAST_WIDTH = 60, DRAIN_BYTES = 64 << 10 };

/* The caller's gp_workbook_write makes it. */
static void write_workbook(gp_form_out *out, const void *result) {
    const gp_report_list *reports = result;
    const char *text = NULL;
    size_t len = 0;
    out->buf->st =
        out->asked.workbook == NULL
            ? GP_ERR_NOT_FOUND
            : out->asked.workbook(out->buf->arena, (const gp_report *const *)reports->items,
                                  reports->count, &text, &len);
    gp_buf_add(out->buf, text, len);
}

/* clang-format off: a row each */
static const gp_renderer report_rows[] = {
    {"text", "txt", gp_reports_blocks, .help = "for the terminal, the answer first"},
    {"json", "json", gp_reports_json, .sourced = true,
     .help = "report.json for programs; SI units in the keys, fixed order"},
    {"markdown", "md", gp_reports_blocks, .layout = GP_LAYOUT_MARKDOWN, .alias = "md",
     .help = "tables for a comment on a pull or merge request"},
    {"html", "html", gp_reports_blocks, .layout = GP_LAYOUT_HTML, .sourced = true,
     .help = "one page with charts, for a board or a procurement file"},
    {"csv", "csv", gp_reports_csv, .help = "one row per workload, for spreadsheets"},
    {"yaml", "yaml", gp_reports_yaml, .sourced = true,
     .help = "the tree of report.json as YAML, a document per plan"},
    {"sarif", "sarif", gp_reports_sarif, .gate = true,
     .help = "SARIF 2.1.0: findings at their lines, for code scanning"},
    {"junit", "xml", gp_reports_junit, .gate = true,
     .help = "JUnit XML: one case per rule and finding, for the test tab of a CI server"},
    {"tap", "tap", gp_reports_tap, .gate = true, .help = "Test Anything Protocol, version 14"},
    {"github", NULL, gp_reports_github, .gate = true,
     .help = "GitHub workflow commands: annotations on the lines of the spec"},
    {"gitlab", NULL, gp_reports_gitlab, .gate = true, .help = "GitLab Code Quality report"},
    {"openmetrics", "prom", gp_reports_openmetrics,
     .help = "OpenMetrics gauges, for metric widgets and scrapes"},
    {"xlsx", "xlsx", write_workbook,
     .help = "a workbook with live formulas: bill, cost, growth, assumptions"},
};
const gp_renderer *const gp_renderers[] = {
    &report_rows[0], &report_rows[1], &report_rows[2],  &report_rows[3],
    &report_rows[4], &report_rows[5], &report_rows[6],  &report_rows[7],
    &report_rows[8], &report_rows[9], &report_rows[10], &report_rows[11],
};
/* clang-format on */
const size_t gp_renderer_count = GP_COUNT_OF(gp_renderers);
const gp_forms gp_forms_report = GP_FORMS(report_rows, DEFAULT_WIDTH);

static const gp_renderer explanation_rows[] = {
    {"text", "txt", gp_explanation_blocks, .layout = GP_LAYOUT_TEXT},
    {"json", "json", gp_explanation_json, .layout = GP_LAYOUT_TEXT},
    {"markdown", "md", gp_explanation_blocks, .layout = GP_LAYOUT_MARKDOWN},
    {"yaml", "yaml", gp_explanation_yaml, .layout = GP_LAYOUT_TEXT},
};
const gp_forms gp_forms_explanation = GP_FORMS(explanation_rows, DEFAULT_WIDTH);

static const gp_renderer sweep_rows[] = {
    {"text", "txt", gp_sweep_blocks, .layout = GP_LAYOUT_TEXT},
    {"json", "json", gp_sweep_json, .layout = GP_LAYOUT_TEXT},
    {"markdown", "md", gp_sweep_blocks, .layout = GP_LAYOUT_MARKDOWN},
    {"csv", "csv", gp_sweep_csv, .layout = GP_LAYOUT_TEXT},
};
const gp_forms gp_forms_sweep = GP_FORMS(sweep_rows, DEFAULT_WIDTH);

/* ---- which */

const char *gp_renderer_name(const gp_renderer *renderer) {
    return renderer->name;
}

const char *gp_renderer_help(const gp_renderer *renderer) {
    return renderer->help;
}

static const gp_renderer *row_named(const gp_forms *forms, const char *name) {
    for (size_t i = 0; name != NULL && i < forms->count; i++)
        if (gp_str_equal(forms->rows[i].name, name) || gp_str_equal(forms->rows[i].alias, name))
            return &forms->rows[i];
    return NULL;
}

static const gp_renderer *row_for_file(const gp_forms *forms, const char *path) {
    const char *base = strrchr(path, '/');
    const char *dot = strrchr(base != NULL ? base : path, '.');
    for (size_t i = 0; dot != NULL && i < forms->count; i++)
        if (forms->rows[i].extension != NULL &&
            gp_str_equal_nocase(forms->rows[i].extension, dot + 1))
            return &forms->rows[i];
    return NULL;
}

const gp_renderer *gp_renderer_named(const char *name) {
    return row_named(&gp_forms_report, name);
}

const gp_renderer *gp_renderer_for_file(const char *path) {
    return row_for_file(&gp_forms_report, path);
}

const char *gp_forms_name(const gp_forms *forms, size_t index) {
    return index < forms->count ? forms->rows[index].name : NULL;
}

bool gp_forms_have(const gp_forms *forms, const char *form) {
    return row_named(forms, form) != NULL;
}

bool gp_forms_are_sourced(const gp_forms *forms, const char *form) {
    const gp_renderer *row = row_named(forms, form);
    return row != NULL && row->sourced;
}

bool gp_forms_are_gates(const gp_forms *forms, const char *form) {
    const gp_renderer *row = row_named(forms, form);
    return row != NULL && row->gate;
}

const char *gp_forms_for_file(const gp_forms *forms, const char *path) {
    const gp_renderer *row = row_for_file(forms, path);
    return row != NULL ? row->name : NULL;
}

/* ---- writing */

static void drain(gp_form_out *out, size_t least) {
    gp_buf *buf = out->buf;
    if (out->put == NULL || buf->len <= least || buf->st != GP_OK)
        return;
    buf->st = out->put(out->to, buf->data, buf->len);
    gp_buf_truncate(buf, 0);
}

void gp_form_drain(gp_form_out *out) {
    drain(out, DRAIN_BYTES);
}

static gp_status write_form(gp_form_out *out, const gp_forms *forms, const gp_renderer *row,
                            const void *result, const gp_render_options *options) {
    if (row == NULL)
        return GP_ERR_NOT_FOUND;
    out->layout = row->layout;
    out->asked = options != NULL ? *options : (gp_render_options){0};
    out->width = out->asked.width <= 0            ? forms->width
                 : out->asked.width < LEAST_WIDTH ? LEAST_WIDTH
                                                  : out->asked.width;
    row->write(out, result);
    gp_block_end(out);
    drain(out, 0);
    return out->buf->st;
}

gp_status gp_forms_put(gp_arena *arena, const gp_forms *forms, const char *form, const void *result,
                       const gp_render_options *options, gp_put *put, void *to) {
    gp_buf buf = GP_BUF(arena, RENDER_MAX_BYTES);
    gp_form_out out = {.buf = &buf, .put = put, .to = to};
    return write_form(&out, forms, row_named(forms, form), result, options);
}

static gp_status render(gp_arena *arena, const gp_forms *forms, const gp_renderer *row,
                        const void *result, const gp_render_options *options, const char **ret_text,
                        size_t *ret_len) {
    gp_buf buf = GP_BUF(arena, RENDER_MAX_BYTES);
    gp_form_out out = {.buf = &buf};
    const gp_status st = write_form(&out, forms, row, result, options);
    return st == GP_OK ? gp_buf_finish(&buf, ret_text, ret_len) : st;
}

gp_status gp_forms_render(gp_arena *arena, const gp_forms *forms, const char *form,
                          const void *result, const gp_render_options *options,
                          const char **ret_text, size_t *ret_len) {
    return render(arena, forms, row_named(forms, form), result, options, ret_text, ret_len);
}

gp_status gp_render_reports(gp_arena *arena, const gp_renderer *renderer,
                            const gp_report *const *reports, size_t count,
                            const gp_render_options *options, const char **ret_text,
                            size_t *ret_len) {
    gp_report_list list = {.count = count, .items = GP_NEW_ARRAY(arena, gp_report *, count + 1)};
    if (count > 0)
        memcpy(list.items, reports, count * sizeof(gp_report *));
    return render(arena, &gp_forms_report, renderer, &list, options, ret_text, ret_len);
}
