/* Lines of the first screen: words in the colour of their level, facts behind their labels. */
#include "render/block.h"
#include "render/text_form.h"

static const gp_wording colours[] = {
    {"ok", "\033[32m"},          {"none", "\033[32m"},  {"warning", "\033[33m"},
    {"fail", "\033[31m"},        {"error", "\033[31m"}, {"infeasible", "\033[31m"},
    {"notAssessed", "\033[36m"}, {"note", "\033[36m"},
};

void gp_text_level(gp_form_out *out, const char *level, const char *text, int columns) {
    const char *code = out->asked.colour ? GP_WORDING(colours, level, NULL) : NULL;
    if (code != NULL)
        gp_buf_str(out->buf, code);
    gp_cell(out, text, columns, false, false);
    if (code != NULL)
        gp_buf_str(out->buf, "\033[0m");
}

void gp_text_fact(gp_form_out *out, const char *label, const char *text) {
    if (out->layout != GP_LAYOUT_TEXT) {
        gp_block_fact(out, label, text);
        return;
    }
    gp_cell(out, label, GP_SCREEN_LABEL, false, false);
    gp_cell(out, text, out->width - GP_SCREEN_LABEL, false, true);
    gp_buf_char(out->buf, '\n');
}

int gp_text_lines(const gp_form_out *out, size_t start) {
    int lines = 0;
    for (size_t i = start; i < out->buf->len; i++)
        lines += out->buf->data[i] == '\n' ? 1 : 0;
    return lines;
}
