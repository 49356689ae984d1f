/* The table of forms, and the calls through it. */
#include <string.h>

#include "render/block.h"

enum { RENDER_MAX_BYTES = 256 << 20, DEFAULT_WIDTH = 80, LEAST_WIDTH = 60 };

struct gp_renderer {
    const char *name;
    const char *alias;     /* NULL: none */
    const char *extension; /* NULL: none of its own */
    const char *help;
    /* NULL: there is no such form of this object. */
    gp_write_reports *reports;
    gp_write_explanation *explanation;
    gp_write_sweep *sweep;
    gp_layout_form layout; /* of the blocks that they write */
    bool sourced;          /* reports say where figures come from */
};

static void no_text(gp_form_out *out, const gp_report *const *reports, size_t count) {
    (void)reports;
    (void)count;
    out->buf->st = GP_ERR_NOT_FOUND;
}

/* clang-format off: a row each */
static const gp_renderer rows[] = {
    {"text", NULL, "txt", "for the terminal, the answer first", gp_reports_blocks,
     gp_explanation_blocks, gp_sweep_blocks, GP_LAYOUT_TEXT, false},
    {"json", NULL, "json", "report.json for programs; SI units in the keys, fixed order",
     gp_reports_json, gp_explanation_json, gp_sweep_json, GP_LAYOUT_TEXT, true},
    {"markdown", "md", "md", "tables for a comment on a pull or merge request", gp_reports_blocks,
     gp_explanation_blocks, gp_sweep_blocks, GP_LAYOUT_MARKDOWN, false},
    {"html", NULL, "html", "one page with charts, for a board or a procurement file",
     gp_reports_blocks, NULL, NULL, GP_LAYOUT_HTML, true},
    {"csv", NULL, "csv", "one row per workload, for spreadsheets", gp_reports_csv, NULL,
     gp_sweep_csv, GP_LAYOUT_TEXT, false},
    {"yaml", NULL, "yaml", "the tree of report.json as YAML, a document per plan", gp_reports_yaml,
     gp_explanation_yaml, NULL, GP_LAYOUT_TEXT, true},
    {"sarif", NULL, "sarif", "SARIF 2.1.0: findings at their lines, for code scanning",
     gp_reports_sarif, NULL, NULL, GP_LAYOUT_TEXT, false},
    {"junit", NULL, "xml",
     "JUnit XML: one case per rule and finding, for the test tab of a CI server", gp_reports_junit,
     NULL, NULL, GP_LAYOUT_TEXT, false},
    {"tap", NULL, "tap", "Test Anything Protocol, version 14", gp_reports_tap, NULL, NULL,
     GP_LAYOUT_TEXT, false},
    {"github", NULL, NULL, "GitHub workflow commands: annotations on the lines of the spec",
     gp_reports_github, NULL, NULL, GP_LAYOUT_TEXT, false},
    {"gitlab", NULL, NULL, "GitLab Code Quality report", gp_reports_gitlab, NULL, NULL,
     GP_LAYOUT_TEXT, false},
    {"openmetrics", NULL, "prom", "OpenMetrics gauges, for metric widgets and scrapes",
     gp_reports_openmetrics, NULL, NULL, GP_LAYOUT_TEXT, false},
    /* The last: the caller's gp_workbook_write makes it. */
    {"xlsx", NULL, "xlsx", "a workbook with live formulas: bill, cost, growth, assumptions",
     no_text, NULL, NULL, GP_LAYOUT_TEXT, false},
};
enum { ROWS = GP_COUNT_OF(rows) };
const gp_renderer *const gp_renderers[] = {
    &rows[0], &rows[1], &rows[2], &rows[3], &rows[4],  &rows[5],
    &rows[6], &rows[7], &rows[8], &rows[9], &rows[10], &rows[11],
};
/* clang-format on */
const size_t gp_renderer_count = GP_COUNT_OF(gp_renderers);
static const gp_renderer *const workbook = &rows[ROWS - 1];

const char *gp_renderer_name(const gp_renderer *renderer) {
    return renderer->name;
}

const char *gp_renderer_help(const gp_renderer *renderer) {
    return renderer->help;
}

bool gp_renderer_takes(const gp_renderer *renderer, gp_render_object object) {
    switch (object) {
    case GP_RENDER_REPORTS: return renderer->reports != NULL;
    case GP_RENDER_EXPLANATION: return renderer->explanation != NULL;
    case GP_RENDER_SWEEP: return renderer->sweep != NULL;
    }
    return false;
}

bool gp_renderer_is_sourced(const gp_renderer *renderer) {
    return renderer->sourced;
}

const gp_renderer *gp_renderer_named(const char *name) {
    for (size_t i = 0; name != NULL && i < ROWS; i++)
        if (gp_str_equal(rows[i].name, name) || gp_str_equal(rows[i].alias, name))
            return &rows[i];
    return NULL;
}

const gp_renderer *gp_renderer_for_file(const char *path) {
    const char *base = strrchr(path, '/');
    const char *dot = strrchr(base != NULL ? base : path, '.');
    for (size_t i = 0; dot != NULL && i < ROWS; i++)
        if (rows[i].extension != NULL && gp_str_equal_nocase(rows[i].extension, dot + 1))
            return &rows[i];
    return NULL;
}

/* What an object is written with. */
typedef struct writing {
    gp_buf buf;
    gp_form_out out;
} writing;

static gp_form_out *start(writing *it, gp_arena *arena, const gp_renderer *renderer,
                          const gp_render_options *options) {
    gp_buf_init(&it->buf, arena, RENDER_MAX_BYTES);
    it->out = (gp_form_out){.buf = &it->buf, .width = DEFAULT_WIDTH, .layout = renderer->layout};
    if (options == NULL)
        return &it->out;
    if (options->width > 0)
        it->out.width = options->width < LEAST_WIDTH ? LEAST_WIDTH : options->width;
    it->out.colour = options->colour;
    it->out.gate = options->gate;
    it->out.detail = options->detail;
    it->out.fail_level = options->fail_level;
    it->out.command = options->command;
    it->out.flags = options->flags;
    it->out.flag_count = options->flag_count;
    return &it->out;
}

static gp_status finish(writing *it, const char **ret_text, size_t *ret_len) {
    gp_block_end(&it->out);
    return gp_buf_finish(&it->buf, ret_text, ret_len);
}

gp_status gp_render_reports(gp_arena *arena, const gp_renderer *renderer,
                            const gp_report *const *reports, size_t count,
                            const gp_render_options *options, const char **ret_text,
                            size_t *ret_len) {
    writing it;
    if (renderer == workbook && options != NULL && options->workbook != NULL)
        return options->workbook(arena, reports, count, ret_text, ret_len);
    if (renderer->reports == NULL)
        return GP_ERR_NOT_FOUND;
    renderer->reports(start(&it, arena, renderer, options), reports, count);
    return finish(&it, ret_text, ret_len);
}

gp_status gp_render_explanation(gp_arena *arena, const gp_renderer *renderer,
                                const gp_explanation *explanation, const gp_render_options *options,
                                const char **ret_text, size_t *ret_len) {
    writing it;
    if (renderer->explanation == NULL)
        return GP_ERR_NOT_FOUND;
    renderer->explanation(start(&it, arena, renderer, options), explanation);
    return finish(&it, ret_text, ret_len);
}

gp_status gp_render_sweep(gp_arena *arena, const gp_renderer *renderer, const gp_sweep *sweep,
                          const gp_render_options *options, const char **ret_text,
                          size_t *ret_len) {
    writing it;
    if (renderer->sweep == NULL)
        return GP_ERR_NOT_FOUND;
    renderer->sweep(start(&it, arena, renderer, options), sweep);
    return finish(&it, ret_text, ret_len);
}
