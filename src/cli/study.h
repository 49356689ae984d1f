/* What `sweep` and `merge` share: the options of a study's forms, and writing them. */
#ifndef GP_CLI_STUDY_H
#define GP_CLI_STUDY_H

#include "render/forms.h"

#include "cli/results.h"

extern const char *const gp_study_choices[];
#define GP_OPTION_STUDY_FORMAT                                                                     \
    {                                                                                              \
        .name = "format", .letter = 'f', .kind = GP_OPT_WORD,                                      \
        .offset = offsetof(gp_settings, study_form), .argument = "FORM",                           \
        .choices = gp_study_choices,                                                               \
        .help = "Form on standard output: text, json, csv, markdown or html."                      \
    }
#define GP_OPTION_STUDY_OUTPUT                                                                     \
    {                                                                                              \
        .name = "output", .letter = 'o', .kind = GP_OPT_LIST,                                      \
        .offset = offsetof(gp_settings, outputs), .argument = "FILE", .value = GP_VALUE_FILE,      \
        .help = "Write a file, whole or not at all; its form follows its extension (.txt .json "   \
                ".csv .md .html). Repeatable."                                                     \
    }

extern const gp_result_kind gp_study_results;
/* To all outputs, files first; NO where no point is feasible. */
gp_exit gp_study_write(gp_cli *cli, const gp_study *study);

#endif
