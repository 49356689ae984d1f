/*
 * A comparison as text, JSON and Markdown. The Markdown form is a comment on a change request: it
 * starts with a marker by which the last one is found again, says the answer first, and drops whole
 * sections from the end rather than cut one.
 */

#include "render/block.h"
#include "render/diff_words.h"
#include "render/markdown.h"

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
        if (gp_diff_is_failure(diff, it) != failures)
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
        const char *effect = gp_diff_effect_words(out, diff, cause);
        if (effect == NULL && (cause->measured ? still++ : untried++) >= FEW)
            continue;
        GP_TABLE_ROW(out, &table, gp_diff_place(out, cause),
                     gp_form_text(out, "%s: %s to %s", gp_form_or(cause->path, "-"),
                                  gp_diff_value(out, cause, cause->base),
                                  gp_diff_value(out, cause, cause->head)),
                     effect != NULL    ? effect
                     : cause->measured ? "no change in machines"
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
        gp_block_note(out, "%zu more keys differ and were not tried one by one.", untried - FEW);
}

static void add_figures(gp_form_out *out, gp_table *table, const gp_diff *diff, const char *name,
                        const gp_diff_figure *figures, size_t count, bool lost) {
    for (size_t i = 0; i < count; i++) {
        if (!gp_diff_is_told(diff, &figures[i], lost))
            continue;
        GP_TABLE_ROW(out, table, name, gp_form_metric(out, figures[i].metric),
                     gp_diff_side(out, diff, &figures[i], false),
                     gp_diff_side(out, diff, &figures[i], true),
                     gp_diff_change(out, diff, &figures[i]));
        name = "";
    }
}

static void say_figures(gp_form_out *out, const gp_diff *diff) {
    gp_table table =
        GP_TABLE("~", "~Figure", gp_form_text(out, "~%s", gp_diff_side_name(diff, false)),
                 gp_form_text(out, "~%s", gp_diff_side_name(diff, true)), ">Change");
    const bool offers = diff->base_plan != NULL;
    if (offers)
        GP_TABLE_ROW(out, &table, "plan", "verdict", gp_diff_offer(diff, false),
                     gp_diff_offer(diff, true), "");
    add_figures(out, &table, diff, offers ? "" : "plan", diff->figures.items, diff->figures.count,
                gp_diff_plan_is_lost(diff));
    for (size_t i = 0; i < diff->workloads.count; i++) {
        const gp_diff_workload *it = &diff->workloads.items[i];
        add_figures(out, &table, diff, gp_form_or(it->name, "?"), it->figures.items,
                    it->figures.count, gp_diff_is_lost(it));
    }
    if (table.rows > 0)
        gp_block_heading(out, "Figures");
    gp_block_table(out, NULL, &table);
}

static const char *item_count(gp_form_out *out, const gp_diff_quote *quote) {
    return quote->count > 0 ? gp_form_count(out, quote->count) : "-";
}

static const char *item_price(gp_form_out *out, const gp_diff *diff, const gp_diff_quote *quote) {
    return isfinite(quote->price) ? gp_form_money(out, quote->price, diff->currency) : "-";
}

/* Two offers item by item, and what each has no price of. */
static void say_items(gp_form_out *out, const gp_diff *diff) {
    gp_table table =
        GP_TABLE("~Item", gp_form_text(out, ">%s", gp_diff_side_name(diff, false)), ">Price",
                 gp_form_text(out, ">%s", gp_diff_side_name(diff, true)), ">Price");
    for (size_t i = 0; i < diff->items.count; i++) {
        const gp_diff_item *it = &diff->items.items[i];
        GP_TABLE_ROW(out, &table,
                     gp_form_text(out, "%s%s%s", gp_form_or(it->role, "?"),
                                  it->product != NULL ? " " : "", gp_form_or(it->product, "")),
                     item_count(out, &it->base), item_price(out, diff, &it->base),
                     item_count(out, &it->head), item_price(out, diff, &it->head));
    }
    if (table.rows > 0 && (isfinite(diff->base_total) || isfinite(diff->head_total)))
        GP_TABLE_ROW(out, &table, "total", "",
                     gp_diff_money(out, diff, diff->base_total, diff->base_partial), "",
                     gp_diff_money(out, diff, diff->head_total, diff->head_partial));
    if (table.rows > 0)
        gp_block_heading(out, "Items to buy");
    gp_block_table(out, NULL, &table);
    for (int head = 0; head < 2 && table.rows > 0; head++) {
        const char *unpriced = head ? diff->head_unpriced : diff->base_unpriced;
        if (unpriced != NULL)
            gp_block_note(out, "%s has no price for %s.", gp_diff_side_name(diff, head), unpriced);
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
        const char *answer = gp_diff_answer(out, list->items[i]);
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
