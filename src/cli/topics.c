/*
 * Texts that come as files of src/cli/texts, and the topics of `gpuplan help` among them: what
 * holds for every command.
 */
#include "cli/cli.h"

static const gp_wording texts[] = {
#include "cli/texts.inc"
};

const char *gp_text_named(const char *name) {
    return GP_WORDING(texts, name, NULL);
}

const char *const gp_topic_names[] = {"exit-codes", "units", "formats", "environment",
                                      "settings",   "rules", NULL};

bool gp_help_topic(gp_buf *page, const char *name) {
    const char *text = gp_text_named(gp_arena_printf(page->arena, "%s.txt", name));
    gp_buf_str(page, text == NULL ? "" : text);
    return text != NULL;
}
