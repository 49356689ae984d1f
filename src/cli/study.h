/* What `sweep` and `merge` share: the options of a study's forms, and writing them. */
#ifndef GP_CLI_STUDY_H
#define GP_CLI_STUDY_H

#include "render/forms.h"

#include "cli/flow.h"

extern const char *const gp_study_choices[];
#define GP_OPTION_STUDY_FORMAT                                                                     \
    GP_FORM(gp_study_choices, "Form on standard output: text, json, csv, markdown or html.")
#define GP_OPTION_STUDY_OUTPUT                                                                     \
    GP_OUTPUTS("FILE", "Write a file; the extension sets the form (.txt .json .csv .md .html). "   \
                       "Repeatable.")

/* What a sweep is made of. */
#define GP_OPTIONS_SWEEP(set_help)                                                                 \
    GP_OPTION_SET(set_help),                                                                       \
        GP_TEXT("vary", vary, "SHARE",                                                             \
                "Instead of axes: vary every number of the spec by itself, this share down and "   \
                "up (20%), and show the effect."),                                                 \
        GP_TEXTS("front", fronts, "[max:]PATH",                                                    \
                 "A figure that the Pareto front minimizes (max: maximizes). Repeatable; "         \
                 "default: GPUs, IT power and, if everything has a price, the cost per "           \
                 "year."),                                                                         \
        GP_NUMBER("random", random, "N", 1, INT32_MAX,                                             \
                  "Instead of every combination, N points drawn at random; an axis may then be a " \
                  "range, PATH=5..80: whole numbers if neither end has a decimal point."),         \
        GP_NUMBER("latin", latin, "N", 1, INT32_MAX,                                               \
                  "The same with a Latin hypercube: each axis in N slices, one point in "          \
                  "each."),                                                                        \
        GP_NUMBER("draws", draws, "N", 1, 1000000,                                                 \
                  "Errors drawn from the error bands at each point: 'holds' is the share of N "    \
                  "draws in which every goal is met."),                                            \
        GP_NUMBER("seed", seed, "N", 1, INT64_MAX,                                                 \
                  "Random seed (1); the same seed gives the same draws everywhere.")

extern const gp_result_kind gp_study_results;
/* To all outputs, files first; NO where no point is feasible. */
void gp_study_write(gp_cli *cli, const gp_study *study);

#endif
