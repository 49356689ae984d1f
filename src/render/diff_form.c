/*
 * A comparison as text, JSON and Markdown. The Markdown form is a comment on a change request: it
 * starts with a marker by which the last one is found again, says the answer first, and drops whole
 * sections from the end rather than cut one.
 */
#include <string.h>

#include "render/block.h"
#include "report/diff.h"

/* ---- words: what of a change is no saving, because nothing holds the workload any more */

static bool is_infeasible(const char *scale) {
    return gp_str_equal(scale, "infeasible");
}

static const gp_diff_figure *scale_of(const gp_diff_workload *workload) {
    return GP_NAMED(workload->figures, metric, "recommendation.scale");
}

/* Nothing allowed holds the workload, or one of the plan, any more. */
static bool is_lost(const gp_diff_workload *workload) {
    const gp_diff_figure *scale = scale_of(workload);
    return scale != NULL && is_infeasible(scale->head_text);
}

/* New, and grave enough for `check` to say no. */
static bool is_failure(const gp_diff *diff, const gp_diff_finding *finding) {
    const int level = gp_level_named(finding->of.level);
    return level >= 0 && level >= gp_level_named(gp_form_or(diff->fail_on, "error")) &&
           gp_str_equal(finding->change, "new");
}

static const char *amount(gp_form_out *out, double value, gp_dim dim, const char *currency) {
    if (!isfinite(value))
        return "-";
    if (dim == GP_DIM_MONEY || dim == GP_DIM_MONEY_PER_S)
        return gp_form_money(out, value, currency);
    if (dim == GP_DIM_COUNT)
        return gp_form_count(out, (int64_t)value);
    return gp_form_quantity(out, value, dim);
}

/* ">= 4.65M USD": more than that where prices are missing. */
static const char *money_text(gp_form_out *out, const gp_diff *diff, double value, bool partial) {
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

/* A figure before or after, and its change: "+12%", "" where that says nothing. */
static const char *side_text(gp_form_out *out, const gp_diff *diff, const gp_diff_figure *figure,
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
               ? money_text(out, diff, value, is_partial(diff, figure, head))
               : amount(out, value, figure->dim, diff->currency);
}

static const char *signed_count(gp_form_out *out, int64_t count) {
    return gp_form_text(out, "%s%lld", count > 0 ? "+" : "", (long long)count);
}

static bool is_same(const gp_diff_figure *it) {
    return !(it->base < it->head) && !(it->base > it->head);
}

/* A figure before or after, and its change: "+12%", "" where that says nothing. */
static const char *change_text(gp_form_out *out, const gp_diff *diff,
                               const gp_diff_figure *figure) {
    if (!isfinite(figure->change_fraction) || is_partial(diff, figure, false) ||
        is_partial(diff, figure, true))
        return "";
    if (is_same(figure))
        return "same";
    const double share = figure->change_fraction;
    return gp_form_text(out, "%s%s", share < 0 ? "-" : "+", gp_form_share(out, fabs(share)));
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

static const char *effect_words(gp_form_out *out, const gp_diff *diff, const gp_diff_cause *cause) {
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

/* "plan.yaml:12:9", its value before or after, "chat +40 GPUs, stay to out"; NULL: no effect, or
 * none that was tried. */
static const char *place_of(gp_form_out *out, const gp_diff_cause *cause) {
    if (cause->file == NULL)
        return cause->kind;
    return gp_form_text(out, "%s:%lld:%lld", cause->file, (long long)cause->line,
                        (long long)cause->column);
}

/* Digests are told by their beginning. */
static const char *value_text(gp_form_out *out, const gp_diff_cause *cause, const char *value) {
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
        count += is_failure(diff, &diff->findings.items[i]) ? 1 : 0;
    return count;
}

/* Of the plan; NULL: it is not among those that changed. */
static const gp_diff_figure *figure_at(const gp_diff *diff, const char *metric) {
    return GP_NAMED(diff->figures, metric, metric);
}

/* What `check` fails may hold with the machines that the offer adds. */
static const char *offer_of(const gp_diff *diff, bool head) {
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
    const bool buys = gp_str_equal(offer_of(diff, true), "holds with its purchases");
    const bool bought = !buys && gp_str_equal(offer_of(diff, false), "holds with its purchases");
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
    const char *head = offer_of(diff, true);
    const char *base = offer_of(diff, false);
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
        if (is_lost(it))
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
    const char *base = side_text(out, diff, it, false);
    const char *head = side_text(out, diff, it, true);
    return gp_str_equal(base, head)
               ? "" /* as far as it is told */
               : gp_form_text(out, ", %s %s to %s", gp_form_metric(out, metric), base, head);
}

/* "Plan chat-70b still holds; 8 to 48 GPUs (+500%), machines to buy 0 to 5." */
static const char *answer_of(gp_form_out *out, const gp_diff *diff) {
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
    const char *change = change_text(out, diff, gpus);
    const char *counts =
        is_same(gpus) ? gp_form_text(out, "%s GPUs each", side_text(out, diff, gpus, true))
                      : gp_form_text(out, "%s to %s GPUs%s%s%s", side_text(out, diff, gpus, false),
                                     side_text(out, diff, gpus, true), *change != '\0' ? " (" : "",
                                     change, *change != '\0' ? ")" : "");
    return gp_form_text(out, "%s; %s%s%s%s.", text, counts, also(out, diff, "summary.boughtNodes"),
                        also(out, diff, "summary.facilityPowerW"),
                        also(out, diff, "cost.totalPerYear"));
}

/* Figures of the nearest candidate of what does not hold would look like a saving. */
static bool is_told(const gp_diff *diff, const gp_diff_figure *figure, bool lost) {
    if (diff->base_plan != NULL && gp_str_equal(figure->metric, "summary.feasible"))
        return false; /* the verdict says it */
    if (!(figure->base > 0) && !(figure->head > 0) && is_same(figure) &&
        figure->base_text == NULL && figure->head_text == NULL)
        return false; /* nothing of it on either side */
    return !lost || gp_str_ends(figure->metric, "easible") ||
           gp_str_ends(figure->metric, ".scale") || gp_str_ends(figure->metric, ".boundBy");
}

/* The same of the plan as a whole: machines of one workload less are no saving. */
static bool plan_is_lost(const gp_diff *diff) {
    for (size_t i = 0; i < diff->workloads.count; i++)
        if (is_lost(&diff->workloads.items[i]))
            return true;
    return false;
}

/* Two offers are told by their names. */
static const char *side_name(const gp_diff *diff, bool head) {
    if (diff->base_plan == NULL)
        return head ? "HEAD" : "BASE";
    return head ? gp_form_or(diff->plan, "HEAD") : diff->base_plan;
}

enum { DEFAULT_WIDTH = 80, COMMENT_MAX_BYTES = 60000 };

/* ---- sections of one comparison */

/* "error GP2002 chat: ... (plan.yaml:12:9). Fix: ..." */
static void say_finding(gp_form_out *out, const char *head, const gp_report_finding *it,
                        bool mends) {
    const char *place = gp_form_or(gp_form_place(out, it), "");
    const char *fix = gp_form_or(mends ? it->fix : NULL, "");
    gp_block_item(out, gp_form_text(out, "%s%s %s%s%s: %s%s%s", head, gp_form_or(it->level, "note"),
                                    gp_form_or(it->id, "-"), it->workload != NULL ? " " : "",
                                    gp_form_or(it->workload, ""), gp_form_or(it->message, ""),
                                    gp_form_around(out, " (", place, ")"),
                                    gp_form_around(out, ". Fix: ", fix, "")));
}

/* What `check` fails on now and did not before, or what else came and went. */
static void write_findings(gp_form_out *out, const gp_diff *diff, bool failures) {
    bool first = true;
    for (size_t i = 0; i < diff->findings.count; i++) {
        const gp_diff_finding *it = &diff->findings.items[i];
        if (is_failure(diff, it) != failures)
            continue;
        if (first)
            gp_block_heading(out,
                             failures ? "New failures" : "Findings that appeared or disappeared");
        first = false;
        say_finding(out, failures ? "" : gp_form_text(out, "%s: ", it->change), &it->of, failures);
    }
}

static void say_failures(gp_form_out *out, const gp_diff *diff) {
    write_findings(out, diff, true);
}

static void say_others(gp_form_out *out, const gp_diff *diff) {
    write_findings(out, diff, false);
}

static void say_breaches(gp_form_out *out, const gp_diff *diff) {
    if (diff->breaches.count > 0)
        gp_block_heading(out, "Policy");
    for (size_t i = 0; i < diff->breaches.count; i++)
        say_finding(out, "", &diff->breaches.items[i], false);
}

/* Keys that change nothing by themselves, and those that were not tried, are told by their number
 * where they are many. */
static void say_causes(gp_form_out *out, const gp_diff *diff) {
    enum { FEW = 4 };
    gp_table table = GP_TABLE("Where", "Change", "Effect");
    size_t still = 0;
    size_t untried = 0;
    for (size_t i = 0; i < diff->causes.count; i++) {
        const gp_diff_cause *cause = &diff->causes.items[i];
        const char *effect = effect_words(out, diff, cause);
        if (effect == NULL && (cause->measured ? still++ : untried++) >= FEW)
            continue;
        GP_TABLE_ROW(out, &table, place_of(out, cause),
                     gp_form_text(out, "%s: %s to %s", gp_form_or(cause->path, "-"),
                                  value_text(out, cause, cause->base),
                                  value_text(out, cause, cause->head)),
                     effect != NULL     ? effect
                     : cause->measured  ? "no change in machines"
                     : cause->not_alone ? "not by itself"
                                        : "-");
    }
    if (table.rows == 0)
        return;
    gp_block_heading(out, "Changes, each on its own");
    gp_block_table(out, NULL, &table);
    if (still > FEW)
        gp_block_note(out, "%zu more keys differ; none of them changes the machines by itself.",
                      still - FEW);
    if (untried > FEW)
        gp_block_note(out,
                      "%zu more keys differ; they were not tried one by one, or make no valid "
                      "plan by themselves.",
                      untried - FEW);
}

static void add_figures(gp_form_out *out, gp_table *table, const gp_diff *diff, const char *name,
                        const gp_diff_figure *figures, size_t count, bool lost) {
    for (size_t i = 0; i < count; i++) {
        if (!is_told(diff, &figures[i], lost))
            continue;
        GP_TABLE_ROW(out, table, name, gp_form_metric(out, figures[i].metric),
                     side_text(out, diff, &figures[i], false),
                     side_text(out, diff, &figures[i], true), change_text(out, diff, &figures[i]));
        name = "";
    }
}

static void say_figures(gp_form_out *out, const gp_diff *diff) {
    gp_table table = GP_TABLE("~", "~Figure", gp_form_text(out, "~%s", side_name(diff, false)),
                              gp_form_text(out, "~%s", side_name(diff, true)), ">Change");
    const bool offers = diff->base_plan != NULL;
    if (offers)
        GP_TABLE_ROW(out, &table, "plan", "verdict", offer_of(diff, false), offer_of(diff, true),
                     "");
    add_figures(out, &table, diff, offers ? "" : "plan", diff->figures.items, diff->figures.count,
                plan_is_lost(diff));
    for (size_t i = 0; i < diff->workloads.count; i++) {
        const gp_diff_workload *it = &diff->workloads.items[i];
        add_figures(out, &table, diff, gp_form_or(it->name, "?"), it->figures.items,
                    it->figures.count, is_lost(it));
    }
    if (table.rows > 0)
        gp_block_heading(out, "Figures");
    gp_block_table(out, NULL, &table);
}

static const char *item_count(gp_form_out *out, const gp_diff_quote *quote) {
    return quote->count > 0 ? gp_form_count(out, quote->count) : "-";
}

/* Two offers item by item, and what each has no price of. */
static void say_items(gp_form_out *out, const gp_diff *diff) {
    gp_table table = GP_TABLE("~Item", gp_form_text(out, ">%s", side_name(diff, false)), ">Price",
                              gp_form_text(out, ">%s", side_name(diff, true)), ">Price");
    for (size_t i = 0; i < diff->items.count; i++) {
        const gp_diff_item *it = &diff->items.items[i];
        GP_TABLE_ROW(out, &table,
                     gp_form_text(out, "%s%s%s", gp_form_or(it->role, "?"),
                                  it->product != NULL ? " " : "", gp_form_or(it->product, "")),
                     item_count(out, &it->base), gp_form_money(out, it->base.price, diff->currency),
                     item_count(out, &it->head),
                     gp_form_money(out, it->head.price, diff->currency));
    }
    if (table.rows > 0 && (isfinite(diff->base_total) || isfinite(diff->head_total)))
        GP_TABLE_ROW(out, &table, "total", "",
                     money_text(out, diff, diff->base_total, diff->base_partial), "",
                     money_text(out, diff, diff->head_total, diff->head_partial));
    if (table.rows > 0)
        gp_block_heading(out, "Items to buy");
    gp_block_table(out, NULL, &table);
    for (int head = 0; head < 2 && table.rows > 0; head++) {
        const char *unpriced = head ? diff->head_unpriced : diff->base_unpriced;
        if (unpriced != NULL)
            gp_block_note(out, "%s has no price for %s: its sums leave that out.",
                          side_name(diff, head), unpriced);
    }
}

static void say_origin(gp_form_out *out, const gp_diff *diff) {
    if (diff->base_path != NULL && diff->head_path != NULL && out->layout == GP_LAYOUT_MARKDOWN)
        gp_block_note(out, "Base: %s. Head: %s.", diff->base_path, diff->head_path);
}

typedef void say_section(gp_form_out *out, const gp_diff *diff);

/* What a reviewer needs most comes first: what does not fit any more is left out whole. */
static say_section *const sections[] = {say_failures, say_breaches, say_causes, say_items,
                                        say_figures,  say_others,   say_origin};

static void write_sections(gp_form_out *out, const gp_diff *diff, size_t limit) {
    enum { NOTE_MAX = 120 };
    size_t dropped = 0;
    for (size_t i = 0; i < GP_COUNT_OF(sections); i++) {
        const size_t before = out->buf->len;
        const gp_block_kind last = out->last;
        sections[i](out, diff);
        if (out->buf->st != GP_OK || out->buf->len + NOTE_MAX <= limit)
            continue;
        gp_buf_truncate(out->buf, before);
        out->last = last;
        dropped++;
    }
    if (dropped > 0)
        gp_block_note(out, "%zu section%s left out to keep the comment short.", dropped,
                      dropped == 1 ? "" : "s");
}

static void write_blocks(gp_form_out *out, const void *result) {
    enum { HEAD_MAX = 400 };
    const gp_diff_list *list = result;
    const bool comment = out->layout == GP_LAYOUT_MARKDOWN;
    const size_t limit = !comment                   ? SIZE_MAX
                         : out->asked.max_bytes > 0 ? out->asked.max_bytes
                                                    : COMMENT_MAX_BYTES;
    gp_buf_str(out->buf, comment ? "<!-- gpuplan-diff -->\n" : "");
    for (size_t i = 0; i < list->count && out->buf->st == GP_OK; i++) {
        const char *answer = answer_of(out, list->items[i]);
        if (comment && out->buf->len + HEAD_MAX > limit) {
            gp_block_note(out,
                          "%zu more plans left out to keep the comment "
                          "short.",
                          list->count - i);
            return;
        }
        if (comment)
            gp_buf_printf(out->buf, "%s## gpuplan: %s\n", i > 0 ? "\n" : "",
                          gp_md_escape(out, answer));
        else
            gp_block_lead(out, answer);
        out->last = GP_BLOCK_NOTE;
        write_sections(out, list->items[i], limit);
    }
}

/* ---- JSON */

static void write_json(gp_form_out *out, const void *result) {
    const gp_diff_list *list = result;
    gp_form_objects(out, "diffs", &gp_diff_type, (const void *const *)list->items, list->count);
}

static const gp_renderer forms[] = {{"text", NULL, write_blocks, .layout = GP_LAYOUT_TEXT},
                                    {"json", NULL, write_json, .layout = GP_LAYOUT_TEXT},
                                    {"markdown", NULL, write_blocks, .layout = GP_LAYOUT_MARKDOWN}};

const gp_forms gp_forms_diff = GP_FORMS(forms, DEFAULT_WIDTH);
