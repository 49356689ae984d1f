/* Results with forms of their own: the row of a form, by its name or by a file's extension. */
#include <string.h>

#include "render/block.h"

enum {
    RENDER_MAX_BYTES = 256 << 20,
    LEAST_WIDTH = 60,
    MARKDOWN_WIDTH = 160,
    DRAIN_BYTES = 64 << 10
};

const char *gp_form_for_file(const gp_form_row *rows, size_t count, const char *path) {
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot != NULL && i < count; i++)
        if (rows[i].extension != NULL && gp_str_equal_nocase(dot + 1, rows[i].extension))
            return rows[i].name;
    return NULL;
}

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

static gp_status write_form(gp_form_out *out, const gp_form_row *rows, size_t count,
                            const char *form, const void *result,
                            const gp_render_options *options) {
    if (options != NULL) {
        if (options->width > 0)
            out->width = options->width < LEAST_WIDTH ? LEAST_WIDTH : options->width;
        out->colour = options->colour;
        out->max_bytes = options->max_bytes;
    }
    for (size_t i = 0; i < count; i++) {
        if (!gp_str_equal(rows[i].name, form))
            continue;
        out->layout = rows[i].layout;
        if (out->layout == GP_LAYOUT_MARKDOWN)
            out->width = MARKDOWN_WIDTH;
        rows[i].write(out, result);
        gp_block_end(out);
        drain(out, 0);
        return out->buf->st;
    }
    return GP_ERR_NOT_FOUND;
}

gp_status gp_form_put(gp_arena *arena, const gp_form_row *rows, size_t count, const char *form,
                      const void *result, const gp_render_options *options, int width, gp_put *put,
                      void *to) {
    gp_buf buf;
    gp_buf_init(&buf, arena, RENDER_MAX_BYTES);
    gp_form_out out = {.buf = &buf, .width = width, .put = put, .to = to};
    return write_form(&out, rows, count, form, result, options);
}

gp_status gp_form_render(gp_arena *arena, const gp_form_row *rows, size_t count, const char *form,
                         const void *result, const gp_render_options *options, int width,
                         const char **ret_text, size_t *ret_len) {
    gp_buf buf;
    gp_buf_init(&buf, arena, RENDER_MAX_BYTES);
    gp_form_out out = {.buf = &buf, .width = width};
    gp_status st = write_form(&out, rows, count, form, result, options);
    return st == GP_OK ? gp_buf_finish(&buf, ret_text, ret_len) : st;
}
