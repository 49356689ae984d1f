/*
 * Writing results that have forms of their own.
 */
#include "cli/results.h"
#include "cli/terminal.h"

enum { OUTPUTS_MAX = 16 };

gp_exit gp_results_check(gp_cli *cli, const gp_result_kind *kind) {
    const gp_words *outputs = &cli->settings.outputs;
    if (outputs->count > OUTPUTS_MAX)
        return gp_complain(cli, GP_EXIT_USAGE, "more than %d outputs", (int)OUTPUTS_MAX);
    for (size_t i = 0; i < outputs->count; i++) {
        if (kind->form_for_file(outputs->items[i]) == NULL)
            return gp_complain_hint(
                cli, GP_EXIT_USAGE, gp_arena_printf(cli->arena, "end it in %s", kind->extensions),
                "--output %s: the name does not tell the form", outputs->items[i]);
    }
    return GP_EXIT_YES;
}

gp_exit gp_results_write(gp_cli *cli, const gp_result_kind *kind, int form, const void *result) {
    const gp_settings *settings = &cli->settings;
    const gp_words *outputs = &settings->outputs;
    const gp_render_options options = {.width = gp_terminal_width(cli)};
    gp_artefact artefacts[OUTPUTS_MAX];
    const char *text = NULL;
    size_t len = 0;
    gp_status st = GP_OK;
    for (size_t i = 0; st == GP_OK && i < outputs->count; i++) {
        gp_artefact *artefact = &artefacts[i];
        artefact->path = outputs->items[i];
        st = kind->render(cli->arena, kind->form_for_file(artefact->path), result, &options,
                          &artefact->text, &artefact->len);
    }
    if (st == GP_OK)
        st = kind->render(cli->arena, kind->forms[form > 0 ? form - 1 : 0], result, &options, &text,
                          &len);
    if (st != GP_OK)
        return gp_status_exit(cli, st, NULL);
    gp_exit code = gp_artefacts_write(cli, artefacts, outputs->count);
    const bool silent = settings->quiet && form == 0;
    return code == GP_EXIT_YES && !silent ? gp_stdout_write(cli, text, len) : code;
}
