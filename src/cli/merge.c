/*
 * The `merge` command: parts of a sweep that were run apart, put together; and writing a study,
 * which `sweep` does as well.
 */
#include "cli/study.h"
#include "cli/terminal.h"

#include <stdio.h>

enum { OUTPUTS_MAX = 16 };

const char *const gp_study_choices[] = {"text", "json", "csv", "markdown", "html", NULL};

/* ---- writing */

gp_exit gp_study_outputs_check(gp_cli *cli) {
    const gp_words *outputs = &cli->settings.outputs;
    if (outputs->count > OUTPUTS_MAX) {
        return gp_complain(cli, GP_EXIT_USAGE, "more than %d outputs", (int)OUTPUTS_MAX);
    }
    for (size_t i = 0; i < outputs->count; i++) {
        if (gp_study_form_for_file(outputs->items[i]) == NULL) {
            return gp_complain_hint(cli, GP_EXIT_USAGE, "end it in .txt, .json, .csv, .md or .html",
                                    "--output %s: the name does not tell the form",
                                    outputs->items[i]);
        }
    }
    return GP_EXIT_YES;
}

static bool any_feasible(const gp_study *study) {
    for (size_t i = 0; i < study->points.count; i++) {
        if (study->points.items[i].feasible) {
            return true;
        }
    }
    return false;
}

gp_exit gp_study_write(gp_cli *cli, const gp_study *study) {
    const gp_settings *settings = &cli->settings;
    const gp_words *outputs = &settings->outputs;
    const int form = settings->study_form > 0 ? settings->study_form - 1 : 0;
    gp_render_options options = {.width = gp_terminal_width(cli)};
    gp_artefact artefacts[OUTPUTS_MAX];
    const char *text = NULL;
    size_t len = 0;
    gp_status st = GP_OK;
    for (size_t i = 0; st == GP_OK && i < outputs->count; i++) {
        gp_artefact *artefact = &artefacts[i];
        artefact->path = outputs->items[i];
        st = gp_render_study(cli->arena, gp_study_form_for_file(artefact->path), study, &options,
                             &artefact->text, &artefact->len);
    }
    if (st == GP_OK) {
        st = gp_render_study(cli->arena, gp_study_choices[form], study, &options, &text, &len);
    }
    if (st != GP_OK) {
        return gp_status_exit(cli, st, NULL);
    }
    gp_exit code = gp_artefacts_write(cli, artefacts, outputs->count);
    const bool silent = settings->quiet && settings->study_form == 0;
    if (code == GP_EXIT_YES && !silent) {
        code = gp_stdout_write(cli, text, len);
    }
    return code == GP_EXIT_YES && !any_feasible(study) ? GP_EXIT_NO : code;
}

/* ---- the command */

static const gp_opt merge_options[] = {
    GP_OPTION_STUDY_FORMAT,
    GP_OPTION_STUDY_OUTPUT,
    {.name = "width",
     .kind = GP_OPT_NUMBER,
     .offset = offsetof(gp_settings, width),
     .argument = "N",
     .min = 60,
     .max = 1000,
     .key = "width",
     .help = "Columns of the text form, 60 or more."},
};

static gp_exit read_part(gp_cli *cli, const char *path, gp_study **ret_study) {
    gp_text *text = NULL;
    gp_diags diags;
    gp_exit code = gp_file_read(cli, path, &text);
    if (code != GP_EXIT_YES) {
        return code;
    }
    gp_diags_init(&diags, cli->arena);
    gp_status st = gp_study_parse(cli->arena, text, &diags, ret_study);
    return gp_status_exit(cli, st, &diags);
}

static gp_exit run_merge(gp_cli *cli) {
    const gp_words *operands = &cli->settings.operands;
    gp_study_list parts = {.items = GP_NEW_ARRAY(cli->arena, gp_study *, operands->count + 1)};
    gp_study *study = NULL;
    const char *problem = NULL;
    gp_exit code = gp_study_outputs_check(cli);
    if (parts.items == NULL) {
        return gp_complain(cli, GP_EXIT_INTERNAL, "out of memory");
    }
    for (size_t i = 0; i < operands->count && code == GP_EXIT_YES; i++) {
        code = read_part(cli, operands->items[i], &parts.items[parts.count++]);
    }
    if (code != GP_EXIT_YES) {
        return code;
    }
    gp_status st = gp_study_merge(cli->arena, &parts, &study, &problem);
    if (problem != NULL) {
        return gp_complain(cli, GP_EXIT_INPUT, "these are not parts of one sweep: %s", problem);
    }
    if (st != GP_OK) {
        return gp_status_exit(cli, st, NULL);
    }
    if ((int64_t)study->points.count < study->point_count && !cli->settings.quiet) {
        (void)fprintf(stderr,
                      "gpuplan merge: warning: %lld of %lld points are there; the others are in no "
                      "part\n",
                      (long long)study->points.count, (long long)study->point_count);
    }
    return gp_study_write(cli, study);
}

const gp_command gp_command_merge = {
    .name = "merge",
    .operands = "PART.json...",
    .min_operands = 1,
    .max_operands = SIZE_MAX,
    .summary = "Put the parts of a sweep together that were run apart.",
    .details = "Reads what gpuplan sweep --shard I/N wrote as JSON, in any order, and marks the "
               "Pareto front of all points. Parts of different specs, values or versions are "
               "refused.",
    .examples = "  gpuplan merge part1.json part2.json -o sweep.html\n",
    .options = merge_options,
    .option_count = GP_COUNT_OF(merge_options),
    .run = run_merge,
};
