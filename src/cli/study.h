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

/* What a sweep is made of. */
#define GP_OPTIONS_SWEEP(set_help)                                                                 \
    GP_OPTION_SET(set_help),                                                                       \
        {.name = "vary",                                                                           \
         .kind = GP_OPT_TEXT,                                                                      \
         .offset = offsetof(gp_settings, vary),                                                    \
         .argument = "SHARE",                                                                      \
         .help = "In place of axes: every number of the spec by itself, "                          \
                 "this share lower and higher (20%), and what each moves."},                       \
        {.name = "front",                                                                          \
         .kind = GP_OPT_LIST,                                                                      \
         .offset = offsetof(gp_settings, fronts),                                                  \
         .argument = "[max:]PATH",                                                                 \
         .help = "A figure that the Pareto front keeps small (max: large). Repeatable; GPUs, IT "  \
                 "power and, where all is priced, the cost of a year where absent."},              \
        {.name = "random",                                                                         \
         .kind = GP_OPT_NUMBER,                                                                    \
         .offset = offsetof(gp_settings, random),                                                  \
         .argument = "N",                                                                          \
         .min = 1,                                                                                 \
         .max = INT32_MAX,                                                                         \
         .help = "In place of every combination N points drawn at random; an axis may then be a "  \
                 "range, PATH=5..80: whole numbers where neither end has a decimal point."},       \
        {.name = "latin",                                                                          \
         .kind = GP_OPT_NUMBER,                                                                    \
         .offset = offsetof(gp_settings, latin),                                                   \
         .argument = "N",                                                                          \
         .min = 1,                                                                                 \
         .max = INT32_MAX,                                                                         \
         .help = "The same over a Latin hypercube: each axis in N slices, a point in each."},      \
        {.name = "draws",                                                                          \
         .kind = GP_OPT_NUMBER,                                                                    \
         .offset = offsetof(gp_settings, draws),                                                   \
         .argument = "N",                                                                          \
         .min = 1,                                                                                 \
         .max = 1000000,                                                                           \
         .help = "Errors drawn from the bands of the estimates at each point: 'holds' is the "     \
                 "share of N draws in which every goal is met."},                                  \
    {                                                                                              \
        .name = "seed", .kind = GP_OPT_NUMBER, .offset = offsetof(gp_settings, seed),              \
        .argument = "N", .min = 1, .max = INT64_MAX,                                               \
        .help = "Of what is drawn (1); the same seed draws the same everywhere."                   \
    }

extern const gp_result_kind gp_study_results;
/* To all outputs, files first; NO where no point is feasible. */
gp_exit gp_study_write(gp_cli *cli, const gp_study *study);

#endif
