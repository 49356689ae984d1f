/*
 * Writing results that have forms of their own.
 */
#include "cli/flow.h"

enum { OUTPUTS_MAX = 16 };

void gp_results_check(gp_cli *cli, const gp_result_kind *kind) {
    const gp_words *outputs = &cli->settings.outputs;
    if (outputs->count > OUTPUTS_MAX)
        gp_complain(cli, GP_EXIT_USAGE, "more than %d outputs", (int)OUTPUTS_MAX);
    for (size_t i = 0; i < outputs->count; i++)
        if (gp_forms_for_file(kind->forms, outputs->items[i]) == NULL)
            gp_complain_hint(cli, GP_EXIT_USAGE,
                             gp_arena_printf(cli->arena, "end it in %s", kind->extensions),
                             "--output %s: unknown extension", outputs->items[i]);
}

/* One of the texts that a result is written as. */
typedef struct writing {
    gp_cli *cli;
    const gp_result_kind *kind;
    const char *form;
    const void *result;
    gp_render_options options;
} writing;

static gp_status put_text(const void *of, gp_put *put, void *to) {
    const writing *w = of;
    return gp_forms_put(w->cli->arena, w->kind->forms, w->form, w->result, &w->options, put, to);
}

/* What is put piece by piece is so when it is written, all else is rendered before. */
static gp_status prepare(const writing *w, gp_artefact *artefact) {
    artefact->of = w;
    artefact->stream = w->kind->streamed ? put_text : NULL;
    return w->kind->streamed ? GP_OK
                             : gp_forms_render(w->cli->arena, w->kind->forms, w->form, w->result,
                                               &w->options, &artefact->text, &artefact->len);
}

void gp_results_write(gp_cli *cli, const gp_result_kind *kind, int form, const void *result) {
    const gp_settings *settings = &cli->settings;
    const gp_words *outputs = &settings->outputs;
    const bool silent = settings->quiet && form == 0;
    const size_t asked = form > 0 ? (size_t)form - 1 : 0;
    gp_artefact artefacts[OUTPUTS_MAX + 1] = {{0}};
    writing writings[OUTPUTS_MAX + 1];
    gp_status st = GP_OK;
    for (size_t i = 0; st == GP_OK && i < outputs->count + (silent ? 0 : 1); i++) {
        const bool is_file = i < outputs->count;
        artefacts[i].path = is_file ? outputs->items[i] : NULL;
        writings[i] = (writing){.cli = cli,
                                .kind = kind,
                                .form = is_file ? gp_forms_for_file(kind->forms, outputs->items[i])
                                                : gp_forms_name(kind->forms, asked),
                                .result = result,
                                .options = {.width = gp_terminal_width(cli)}};
        st = prepare(&writings[i], &artefacts[i]);
    }
    gp_check(cli, st, NULL);
    gp_artefacts_put(cli, artefacts, outputs->count + (silent ? 0 : 1));
}
