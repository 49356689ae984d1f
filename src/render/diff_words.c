/*
 * A comparison in words, as its forms for people tell it: what a change did, and what of it is no
 * saving because nothing holds the workload any more.
 */
#include "render/diff_words.h"

#include <string.h>

static const char *amount(gp_form_out *out, double value, gp_dim dim, const char *currency) {
    if (!isfinite(value))
        return "-";
    if (dim == GP_DIM_MONEY || dim == GP_DIM_MONEY_PER_S)
        return gp_form_money(out, value, currency);
    if (dim == GP_DIM_COUNT)
        return gp_form_count(out, (int64_t)value);
    return gp_form_quantity(out, value, dim);
}

const char *gp_diff_money(gp_form_out *out, const gp_diff *diff, double value, bool partial) {
    return gp_form_text(out, "%s%s", partial && isfinite(value) ? ">= " : "",
                        amount(out, value, GP_DIM_MONEY, diff->currency));
}

/* Something that it is a sum of has no price on that side. */
static bool is_partial(const gp_diff *diff, const gp_diff_figure *figure, bool head) {
    if (figure->dim != GP_DIM_MONEY)
        return false;
    if (gp_str_equal(figure->metric, "summary.capital"))
        return head ? diff->head_partial : diff->base_partial;
    return (head ? diff->head_unpriced : diff->base_unpriced) != NULL;
}

const char *gp_diff_side(gp_form_out *out, const gp_diff *diff, const gp_diff_figure *figure,
                         bool head) {
    const char *text = head ? figure->head_text : figure->base_text;
    if (text != NULL && strchr(text, ' ') != NULL)
        return text; /* a sentence, no key */
    if (text != NULL && gp_str_equal(figure->metric, "recommendation.scale"))
        return gp_form_scale_word(text);
    if (figure->base_text != NULL || figure->head_text != NULL)
        return gp_form_words(out, gp_form_or(text, "-"));
    const double value = head ? figure->head : figure->base;
    return figure->dim == GP_DIM_MONEY
               ? gp_diff_money(out, diff, value, is_partial(diff, figure, head))
               : amount(out, value, figure->dim, diff->currency);
}

static const char *signed_count(gp_form_out *out, int64_t count) {
    return gp_form_text(out, "%s%lld", count > 0 ? "+" : "", (long long)count);
}

static bool is_same(const gp_diff_figure *it) {
    return !(it->base < it->head) && !(it->base > it->head);
}

const char *gp_diff_change(gp_form_out *out, const gp_diff *diff, const gp_diff_figure *figure) {
    if (!isfinite(figure->change_fraction) || is_partial(diff, figure, false) ||
        is_partial(diff, figure, true))
        return "";
    if (is_same(figure))
        return "same";
    const double share = figure->change_fraction;
    return gp_form_text(out, "%s%s", share < 0 ? "-" : "+", gp_form_share(out, fabs(share)));
}

static bool is_infeasible(const char *scale) {
    return gp_str_equal(scale, "infeasible");
}

/* "chat +40 GPUs, stay to out"; GPUs of what does not hold are no saving. */
static const char *workload_effect(gp_form_out *out, const gp_diff_effect *effect) {
    if (is_infeasible(effect->head_scale) != is_infeasible(effect->base_scale))
        return gp_form_text(out, "%s %s", gp_form_or(effect->workload, "?"),
                            is_infeasible(effect->head_scale) ? "no longer holds" : "holds now");
    const char *text = gp_form_text(out, "%s %s GPUs", gp_form_or(effect->workload, "?"),
                                    signed_count(out, effect->gpus));
    if (!gp_str_equal(effect->base_scale, effect->head_scale))
        text = gp_form_text(out, "%s, %s to %s", text, gp_form_scale_word(effect->base_scale),
                            gp_form_scale_word(effect->head_scale));
    if (!gp_str_equal(effect->base_system, effect->head_system))
        text = gp_form_text(out, "%s, %s to %s", text, gp_form_or(effect->base_system, "none"),
                            gp_form_or(effect->head_system, "none"));
    return text;
}

/* "+28 machines" */
static const char *add_count(gp_form_out *out, const char *text, int64_t count, const char *one,
                             const char *many) {
    if (count == 0 || count == GP_REPORT_NO_COUNT)
        return text;
    return gp_form_joined(out, text, ", ", "%s %s", signed_count(out, count),
                          count == 1 || count == -1 ? one : many);
}

static const char *add_amount(gp_form_out *out, const char *text, const char *amount_text,
                              double value) {
    return gp_form_joined(out, text, ", ", "%s%s", value < 0 ? "-" : "+", amount_text);
}

static bool differs(double value) {
    return isfinite(value) && (value > 0 || value < 0);
}

/* "+28 machines, +224 GPUs, +222 kW, +1.2M USD": of the whole plan, by this line alone. */
static const char *site_effect(gp_form_out *out, const gp_diff *diff, const gp_diff_cause *cause) {
    const char *text = add_count(out, "", cause->nodes, "machine", "machines");
    text = add_count(out, text, cause->gpus, "GPU", "GPUs");
    if (differs(cause->it_power_w))
        text =
            add_amount(out, text, gp_form_watts(out, fabs(cause->it_power_w)), cause->it_power_w);
    if (differs(cause->capital))
        text = add_amount(out, text, gp_form_money(out, fabs(cause->capital), diff->currency),
                          cause->capital);
    if (differs(cause->cost_per_year))
        text =
            add_amount(out, text,
                       gp_form_text(out, "%s/yr",
                                    gp_form_money(out, fabs(cause->cost_per_year), diff->currency)),
                       cause->cost_per_year);
    return text;
}

const char *gp_diff_effect_words(gp_form_out *out, const gp_diff *diff,
                                 const gp_diff_cause *cause) {
    if (!cause->measured)
        return NULL;
    bool lost = false;
    for (size_t i = 0; i < cause->effects.count; i++)
        lost = lost || is_infeasible(cause->effects.items[i].head_scale);
    const char *text = lost ? "" : site_effect(out, diff, cause);
    for (size_t i = 0; i < cause->effects.count; i++)
        text =
            gp_form_joined(out, text, "; ", "%s", workload_effect(out, &cause->effects.items[i]));
    return *text != '\0' ? text : NULL;
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

static size_t count_failures(const gp_diff *diff) {
    size_t count = 0;
    for (size_t i = 0; i < diff->findings.count; i++)
        count += gp_diff_is_failure(diff, &diff->findings.items[i]) ? 1 : 0;
    return count;
}

/* Of the plan; NULL: it is not among those that changed. */
static const gp_diff_figure *figure_at(const gp_diff *diff, const char *metric) {
    return GP_NAMED(diff->figures, metric, metric);
}

/* What `check` fails may hold with the machines that the offer adds. */
const char *gp_diff_offer(const gp_diff *diff, bool head) {
    const gp_diff_figure *feasible = figure_at(diff, "summary.feasible");
    const char *verdict = head ? diff->head_verdict : diff->base_verdict;
    const char *bought = feasible == NULL ? NULL : head ? feasible->head_text : feasible->base_text;
    return gp_str_equal(verdict, "holds") ? "holds"
           : gp_str_equal(bought, "true") ? "holds with its purchases"
                                          : "does not hold";
}

/* "does not hold any more: 2 new failures"; where machines that are to be bought make it hold, what
 * fails is what is declared. */
static const char *failing_words(gp_form_out *out, const gp_diff *diff) {
    const size_t count = count_failures(diff);
    const bool buys = gp_str_equal(gp_diff_offer(diff, true), "holds with its purchases");
    const bool bought =
        !buys && gp_str_equal(gp_diff_offer(diff, false), "holds with its purchases");
    const char *now = gp_str_equal(diff->base_verdict, "holds") ? " any more"
                      : bought ? ", where it held with its purchases before"
                      : gp_str_equal(diff->base_verdict, "fails") ? ", as before"
                                                                  : "";
    const char *text =
        gp_form_text(out, "does not hold%s%s%s", buys ? " on the declared machines" : "", now,
                     buys ? ", but does with its purchases" : "");
    return count == 0 ? text
                      : gp_form_text(out, "%s: %s", text,
                                     gp_form_plural(out, (int64_t)count, "new failure"));
}

/* Of two offers, each by itself. */
static const char *offers_words(gp_form_out *out, const gp_diff *diff) {
    const char *head = gp_diff_offer(diff, true);
    const char *base = gp_diff_offer(diff, false);
    if (diff->base_verdict == NULL || !gp_str_equal(head, base))
        return diff->base_verdict == NULL
                   ? head
                   : gp_form_text(out, "%s, %s %s", head, diff->base_plan, base);
    return gp_str_equal(head, "holds")           ? "both hold"
           : gp_str_equal(head, "does not hold") ? "neither holds"
                                                 : "both hold with their purchases";
}

static const char *state_words(gp_form_out *out, const gp_diff *diff) {
    if (gp_str_equal(diff->state, "removed"))
        return "was removed";
    if (diff->head_verdict == NULL)
        return gp_str_equal(diff->state, "added")  ? "is new"
               : gp_str_equal(diff->state, "same") ? "has not changed"
                                                   : "changes";
    if (diff->base_plan != NULL)
        return offers_words(out, diff);
    if (gp_str_equal(diff->head_verdict, "fails"))
        return failing_words(out, diff);
    if (gp_str_equal(diff->head_verdict, "notAssessed"))
        return gp_form_text(out, "is not assessed%s: its goals or rules cannot be judged",
                            gp_str_equal(diff->base_verdict, "holds") ? " any more" : "");
    if (gp_str_equal(diff->state, "added"))
        return "is new and holds";
    return gp_str_equal(diff->state, "same") ? "still holds, and has not changed"
           : !gp_str_equal(diff->base_verdict, "holds") && diff->base_verdict != NULL
               ? "holds now"
               : "still holds";
}

static const gp_diff_figure *scale_of(const gp_diff_workload *workload) {
    return GP_NAMED(workload->figures, metric, "recommendation.scale");
}

/* "chat, search": workloads that fail no more. */
static const char *found_words(gp_form_out *out, const gp_diff *diff) {
    const char *text = "";
    for (size_t i = 0; i < diff->workloads.count; i++) {
        const gp_diff_figure *scale = scale_of(&diff->workloads.items[i]);
        if (scale != NULL && is_infeasible(scale->base_text))
            text = gp_form_joined(out, text, ", ", "%s",
                                  gp_form_or(diff->workloads.items[i].name, "?"));
    }
    return text;
}

/* "chat fails: short of power: needs 67.4 kW, has 60 kW": those that fail now, each with why. */
static const char *lost_words(gp_form_out *out, const gp_diff *diff) {
    const char *text = "";
    for (size_t i = 0; i < diff->workloads.count; i++) {
        const gp_diff_workload *it = &diff->workloads.items[i];
        if (gp_diff_is_lost(it))
            text = gp_form_joined(out, text, "; ", "%s fails: %s", gp_form_or(it->name, "?"),
                                  gp_form_or(it->lack, "no allowed machine runs it"));
    }
    return text;
}

/* ", facility power 55.5 kW to 323 kW" */
static const char *also(gp_form_out *out, const gp_diff *diff, const char *metric) {
    const gp_diff_figure *it = figure_at(diff, metric);
    if (it == NULL || !isfinite(it->base) || !isfinite(it->head) || is_same(it))
        return "";
    return gp_form_text(out, ", %s %s to %s", gp_form_metric(out, metric),
                        gp_diff_side(out, diff, it, false), gp_diff_side(out, diff, it, true));
}

/* "Plan chat-70b still holds; 8 to 48 GPUs (+500%), machines to buy 0 to 5." */
const char *gp_diff_answer(gp_form_out *out, const gp_diff *diff) {
    const gp_diff_figure *gpus = figure_at(diff, "summary.gpus");
    const char *lost = lost_words(out, diff);
    const char *found = found_words(out, diff);
    const char *text =
        diff->base_plan != NULL
            ? gp_form_text(out, "%s against %s: %s", gp_form_or(diff->plan, "?"), diff->base_plan,
                           state_words(out, diff))
            : gp_form_text(out, "Plan %s %s", gp_form_or(diff->plan, "?"), state_words(out, diff));
    if (*lost != '\0')
        return gp_form_text(out, "%s; %s.", text, lost);
    if (*found != '\0')
        text = gp_form_text(out, "%s; %s can now run", text, found);
    if (gpus == NULL || !isfinite(gpus->base) || !isfinite(gpus->head))
        return gp_form_text(out, "%s.", text);
    const char *change = gp_diff_change(out, diff, gpus);
    const char *counts =
        is_same(gpus)
            ? gp_form_text(out, "%s GPUs each", gp_diff_side(out, diff, gpus, true))
            : gp_form_text(out, "%s to %s GPUs%s%s%s", gp_diff_side(out, diff, gpus, false),
                           gp_diff_side(out, diff, gpus, true), *change != '\0' ? " (" : "", change,
                           *change != '\0' ? ")" : "");
    return gp_form_text(out, "%s; %s%s%s%s.", text, counts, also(out, diff, "summary.boughtNodes"),
                        also(out, diff, "summary.facilityPowerW"),
                        also(out, diff, "cost.totalPerYear"));
}

/* Figures of the nearest candidate of what does not hold would look like a saving. */
bool gp_diff_is_told(const gp_diff *diff, const gp_diff_figure *figure, bool lost) {
    if (diff->base_plan != NULL && gp_str_equal(figure->metric, "summary.feasible"))
        return false; /* the verdict says it */
    if (!(figure->base > 0) && !(figure->head > 0) && is_same(figure) &&
        figure->base_text == NULL && figure->head_text == NULL)
        return false; /* nothing of it on either side */
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

bool gp_diff_is_failure(const gp_diff *diff, const gp_diff_finding *finding) {
    const int level = gp_level_named(finding->of.level);
    return level >= 0 && level >= gp_level_named(gp_form_or(diff->fail_on, "error")) &&
           gp_str_equal(finding->change, "new");
}

/* Two offers are told by their names. */
const char *gp_diff_side_name(const gp_diff *diff, bool head) {
    if (diff->base_plan == NULL)
        return head ? "HEAD" : "BASE";
    return head ? gp_form_or(diff->plan, "HEAD") : diff->base_plan;
}
