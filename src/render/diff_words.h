/* A comparison in words, as its forms for people tell it. */
#ifndef GP_RENDER_DIFF_WORDS_H
#define GP_RENDER_DIFF_WORDS_H

#include "render/form.h"
#include "report/diff.h"

/* "Plan chat-70b changes: 8 to 48 GPUs (+500%), machines to buy 0 to 5." */
const char *gp_diff_answer(gp_form_out *out, const gp_diff *diff);
/* A figure before or after, and its change: "+12%", "" where that says nothing. */
const char *gp_diff_side(gp_form_out *out, const gp_diff *diff, const gp_diff_figure *figure,
                         bool head);
const char *gp_diff_change(gp_form_out *out, const gp_diff *diff, const gp_diff_figure *figure);
/* ">= 4.65M USD": more than that where prices are missing. */
const char *gp_diff_money(gp_form_out *out, const gp_diff *diff, double value, bool partial);
/* BASE and HEAD, or the names of two offers. */
const char *gp_diff_side_name(const gp_diff *diff, bool head);

/* "plan.yaml:12:9", its value before or after, "chat +40 GPUs, stay to out"; NULL: no effect, or
 * none that was tried. */
const char *gp_diff_place(gp_form_out *out, const gp_diff_cause *cause);
const char *gp_diff_value(gp_form_out *out, const gp_diff_cause *cause, const char *value);
const char *gp_diff_effect_words(gp_form_out *out, const gp_diff *diff, const gp_diff_cause *cause);

/* Nothing allowed holds the workload, or one of the plan, any more. */
bool gp_diff_is_lost(const gp_diff_workload *workload);
bool gp_diff_plan_is_lost(const gp_diff *diff);
/* Figures of the nearest candidate of what does not hold would look like a saving. */
bool gp_diff_is_told(const gp_diff *diff, const gp_diff_figure *figure, bool lost);
/* "holds", "holds with its purchases": the verdict on one of two offers. */
const char *gp_diff_offer(const gp_diff *diff, bool head);
/* New, and grave enough for `check` to say no. */
bool gp_diff_is_failure(const gp_diff *diff, const gp_diff_finding *finding);

#endif
