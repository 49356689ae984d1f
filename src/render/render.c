/* The table of forms, and the calls through it. */
#include "render/block.h"

enum { RENDER_MAX_BYTES = 256 << 20, DEFAULT_WIDTH = 80, LEAST_WIDTH = 60 };

/* clang-format off: a row each */
const gp_renderer *const gp_renderers[] = {
    &gp_renderer_text, &gp_renderer_json,   &gp_renderer_markdown, &gp_renderer_html,
    &gp_renderer_csv,  &gp_renderer_yaml,   &gp_renderer_sarif,    &gp_renderer_junit,
    &gp_renderer_tap,  &gp_renderer_github, &gp_renderer_gitlab,   &gp_renderer_openmetrics,
};
/* clang-format on */
const size_t gp_renderer_count = GP_COUNT_OF(gp_renderers);

static void write_no_text(gp_form_out *out, const gp_report *const *reports, size_t count) {
    (void)reports;
    (void)count;
    out->buf->st = GP_ERR_NOT_FOUND;
}

/* The caller's gp_workbook_write makes it. */
static const gp_renderer workbook = {
    .name = "xlsx",
    .extension = "xlsx",
    .help = "a workbook with live formulas: bill, cost, growth, assumptions",
    .reports = write_no_text,
};

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

const gp_renderer *gp_renderer_named(const char *name) {
    for (size_t i = 0; name != NULL && i < gp_renderer_count; i++)
        if (gp_str_equal(gp_renderers[i]->name, name) || gp_str_equal(gp_renderers[i]->alias, name))
            return gp_renderers[i];
    return gp_str_equal(workbook.name, name) ? &workbook : NULL;
}

const gp_renderer *gp_renderer_for_file(const char *path) {
    const char *extension = NULL;
    for (const char *c = path; *c != '\0'; c++) {
        if (*c == '.')
            extension = c + 1;
        else if (*c == '/')
            extension = NULL;
    }
    for (size_t i = 0; extension != NULL && i < gp_renderer_count; i++)
        if (gp_renderers[i]->extension != NULL &&
            gp_str_equal_nocase(gp_renderers[i]->extension, extension))
            return gp_renderers[i];
    return extension != NULL && gp_str_equal_nocase(workbook.extension, extension) ? &workbook
                                                                                   : NULL;
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
    if (renderer == &workbook && options != NULL && options->workbook != NULL)
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
