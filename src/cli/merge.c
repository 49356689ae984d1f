/*
 * The `merge` command: parts of a sweep that were run apart, put together; and writing a study,
 * which `sweep` does as well.
 */
#include "cli/study.h"

#include <stdio.h>

const char *const gp_study_choices[] = {"text", "json", "csv", "markdown", "html", NULL};

/* ---- writing */

static gp_status render(gp_arena *arena, const char *form, const void *result,
                        const gp_render_options *options, const char **ret_text, size_t *ret_len) {
    return gp_render_study(arena, form, result, options, ret_text, ret_len);
}

const gp_result_kind gp_study_results = {
    .forms = gp_study_choices,
    .extensions = ".txt, .json, .csv, .md or .html",
    .form_for_file = gp_study_form_for_file,
    .render = render,
};

static bool any_feasible(const gp_study *study) {
    for (size_t i = 0; i < study->points.count; i++) {
        if (study->points.items[i].feasible)
            return true;
    }
    return false;
}

gp_exit gp_study_write(gp_cli *cli, const gp_study *study) {
    gp_exit code = gp_results_write(cli, &gp_study_results, cli->settings.study_form, study);
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
    if (code != GP_EXIT_YES)
        return code;
    gp_diags_init(&diags, cli->arena);
    gp_status st = gp_study_parse(cli->arena, text, &diags, ret_study);
    return gp_status_exit(cli, st, &diags);
}

static gp_exit run_merge(gp_cli *cli) {
    const gp_words *operands = &cli->settings.operands;
    gp_study_list parts = {.items = GP_NEW_ARRAY(cli->arena, gp_study *, operands->count + 1)};
    gp_study *study = NULL;
    const char *problem = NULL;
    gp_exit code = gp_results_check(cli, &gp_study_results);
    for (size_t i = 0; i < operands->count && code == GP_EXIT_YES; i++)
        code = read_part(cli, operands->items[i], &parts.items[parts.count++]);
    if (code != GP_EXIT_YES)
        return code;
    gp_status st = gp_study_merge(cli->arena, &parts, &study, &problem);
    if (problem != NULL)
        return gp_complain(cli, GP_EXIT_INPUT, "these are not parts of one sweep: %s", problem);
    if (st != GP_OK)
        return gp_status_exit(cli, st, NULL);
    if ((int64_t)study->points.count < study->point_count && !cli->settings.quiet)
        (void)fprintf(stderr,
                      "gpuplan merge: warning: %lld of %lld points are there; the others are in no "
                      "part\n",
                      (long long)study->points.count, (long long)study->point_count);
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
