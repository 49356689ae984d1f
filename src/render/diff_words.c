/*
 * A comparison in words, as its forms for people tell it: what a change did, and what of it is no
 * saving because nothing holds the workload any more.
 */
#include "render/diff_words.h"

#include <math.h>
#include <string.h>

#include "base/str.h"

static const char *amount(gp_form_out *out, double value, gp_dim dim, const char *currency) {
    if (!isfinite(value))
        return "-";
    if (dim == GP_DIM_MONEY || dim == GP_DIM_MONEY_PER_S)
        return gp_form_money(out, value, currency);
    if (dim == GP_DIM_COUNT)
        return gp_form_count(out, (int64_t)value);
    return gp_form_quantity(out, value, dim);
}

const char *gp_diff_side(gp_form_out *out, const gp_diff *diff, const gp_diff_figure *figure,
                         bool head) {
    const char *text = head ? figure->head_text : figure->base_text;
    if (text != NULL && strchr(text, ' ') != NULL)
        return text; /* a sentence, no key */
    if (figure->base_text != NULL || figure->head_text != NULL)
        return gp_form_words(out, gp_form_or(text, "-"));
    return amount(out, head ? figure->head : figure->base, figure->dim, diff->currency);
}

static const char *signed_count(gp_form_out *out, int64_t count) {
    return gp_form_text(out, "%s%lld", count > 0 ? "+" : "", (long long)count);
}

const char *gp_diff_change(gp_form_out *out, const gp_diff_figure *figure) {
    if (!isfinite(figure->change_fraction))
        return "";
    const double share = figure->change_fraction;
    return gp_form_text(out, "%s%s", share < 0 ? "-" : "+",
                        gp_form_quantity(out, fabs(share), GP_DIM_FRACTION));
}

static bool is_infeasible(const char *scale) {
    return gp_str_equal(scale, "infeasible");
}

/* "chat +40 GPUs, none to horizontal"; GPUs of what does not hold are no saving. */
static const char *workload_effect(gp_form_out *out, const gp_diff_effect *effect) {
    if (is_infeasible(effect->head_scale) != is_infeasible(effect->base_scale))
        return gp_form_text(out, "%s %s", gp_form_or(effect->workload, "?"),
                            is_infeasible(effect->head_scale) ? "does not hold any more"
                                                              : "holds again");
    const char *text = gp_form_text(out, "%s %s GPUs", gp_form_or(effect->workload, "?"),
                                    signed_count(out, effect->gpus));
    if (!gp_str_equal(effect->base_scale, effect->head_scale))
        text = gp_form_text(out, "%s, %s to %s", text, effect->base_scale, effect->head_scale);
    if (!gp_str_equal(effect->base_system, effect->head_system))
        text = gp_form_text(out, "%s, %s to %s", text, gp_form_or(effect->base_system, "none"),
                            gp_form_or(effect->head_system, "none"));
    return text;
}

const char *gp_diff_effect_words(gp_form_out *out, const gp_diff_cause *cause) {
    const char *text = "";
    if (!cause->measured)
        return "-";
    for (size_t i = 0; i < cause->effects.count; i++)
        text = gp_form_text(out, "%s%s%s", text, i > 0 ? "; " : "",
                            workload_effect(out, &cause->effects.items[i]));
    return *text != '\0' ? text : "no GPUs by itself";
}

const char *gp_diff_place(gp_form_out *out, const gp_diff_cause *cause) {
    if (cause->file == NULL)
        return cause->kind;
    return gp_form_text(out, "%s:%lld:%lld", cause->file, (long long)cause->line,
                        (long long)cause->column);
}

/* Digests are told by their beginning. */
const char *gp_diff_value(gp_form_out *out, const gp_diff_cause *cause, const char *value) {
    enum { DIGEST_SHOWN = 12, SPEC_SHOWN = 60 };
    const bool digest = (cause->file == NULL || !gp_str_equal(cause->kind, "spec")) &&
                        !gp_str_equal(cause->kind, "flags") && !gp_str_equal(cause->kind, "tool");
    const int shown = digest ? DIGEST_SHOWN : SPEC_SHOWN;
    if (value == NULL)
        return "(none)";
    if (strlen(value) <= (size_t)shown)
        return value;
    return gp_form_text(out, "%.*s..", shown, value);
}

static const char *state_words(const gp_diff *diff) {
    if (gp_str_equal(diff->state, "added"))
        return "is new";
    if (gp_str_equal(diff->state, "removed"))
        return "is gone";
    return gp_str_equal(diff->state, "same") ? "has not changed" : "changes";
}

static const gp_diff_figure *figure_in(const gp_diff_figure *figures, size_t count,
                                       const char *metric) {
    for (size_t i = 0; i < count; i++)
        if (gp_str_equal(figures[i].metric, metric))
            return &figures[i];
    return NULL;
}

static const gp_diff_figure *figure_at(const gp_diff *diff, const char *metric) {
    return figure_in(diff->figures.items, diff->figures.count, metric);
}

static const gp_diff_figure *scale_of(const gp_diff_workload *workload) {
    return figure_in(workload->figures.items, workload->figures.count, "recommendation.scale");
}

/* "chat, search": workloads whose verdict turned to infeasible, or away from it. */
static const char *turned(gp_form_out *out, const gp_diff *diff, bool lost) {
    const char *text = "";
    for (size_t i = 0; i < diff->workloads.count; i++) {
        const gp_diff_figure *scale = scale_of(&diff->workloads.items[i]);
        if (scale != NULL && is_infeasible(lost ? scale->head_text : scale->base_text))
            text = gp_form_text(out, "%s%s%s", text, *text != '\0' ? ", " : "",
                                gp_form_or(diff->workloads.items[i].name, "?"));
    }
    return text;
}

/* ", facility power 55.5 kW to 323 kW" */
static const char *also(gp_form_out *out, const gp_diff *diff, const char *metric) {
    const gp_diff_figure *it = figure_at(diff, metric);
    if (it == NULL || !isfinite(it->base) || !isfinite(it->head))
        return "";
    return gp_form_text(out, ", %s %s to %s", gp_form_metric(out, metric),
                        gp_diff_side(out, diff, it, false), gp_diff_side(out, diff, it, true));
}

/* "Plan chat-70b changes: 8 to 48 GPUs (+500%), machines to buy 0 to 5." Of a plan that does not
 * hold any more, counts say nothing. */
const char *gp_diff_answer(gp_form_out *out, const gp_diff *diff) {
    const gp_diff_figure *gpus = figure_at(diff, "summary.gpus");
    const char *lost = turned(out, diff, true);
    const char *text =
        diff->base_plan != NULL
            ? gp_form_text(out, "%s against %s", gp_form_or(diff->plan, "?"), diff->base_plan)
            : gp_form_text(out, "Plan %s %s", gp_form_or(diff->plan, "?"), state_words(diff));
    if (*lost != '\0')
        return gp_form_text(out, "%s: nothing allowed holds %s any more.", text, lost);
    const char *found = turned(out, diff, false);
    if (*found != '\0')
        text = gp_form_text(out, "%s: %s can be held now", text, found);
    if (gpus == NULL || !isfinite(gpus->base) || !isfinite(gpus->head))
        return gp_form_text(out, "%s.", text);
    const char *change = gp_diff_change(out, gpus);
    return gp_form_text(
        out, "%s: %s to %s GPUs%s%s%s%s%s%s.", text, gp_diff_side(out, diff, gpus, false),
        gp_diff_side(out, diff, gpus, true), *change != '\0' ? " (" : "", change,
        *change != '\0' ? ")" : "", also(out, diff, "summary.boughtNodes"),
        also(out, diff, "summary.facilityPowerW"), also(out, diff, "cost.totalPerYear"));
}

/* Figures of the nearest candidate of what does not hold would look like a saving. */
bool gp_diff_is_told(const gp_diff_figure *figure, bool lost) {
    return !lost || gp_str_ends(figure->metric, "easible") ||
           gp_str_ends(figure->metric, ".scale") || gp_str_ends(figure->metric, ".boundBy");
}

bool gp_diff_is_lost(const gp_diff_workload *workload) {
    const gp_diff_figure *scale = scale_of(workload);
    return scale != NULL && is_infeasible(scale->head_text);
}

/* The same of the plan as a whole: machines of one workload less are no saving. */
bool gp_diff_plan_is_lost(const gp_diff *diff) {
    for (size_t i = 0; i < diff->workloads.count; i++)
        if (gp_diff_is_lost(&diff->workloads.items[i]))
            return true;
    return false;
}

bool gp_diff_is_new_error(const gp_diff_finding *finding) {
    return gp_str_equal(finding->change, "new") && gp_str_equal(finding->level, "error");
}

/* Two offers are told by their names. */
const char *gp_diff_side_name(const gp_diff *diff, bool head) {
    if (diff->base_plan == NULL)
        return head ? "HEAD" : "BASE";
    return head ? gp_form_or(diff->plan, "HEAD") : diff->base_plan;
}
