/*
 * A comparison as text, JSON and Markdown. The Markdown form is a comment on a change request: it
 * starts with a marker by which the last one is found again, says the answer first, and drops whole
 * sections from the end rather than cut one.
 */
#include <math.h>
#include <string.h>

#include "base/str.h"
#include "render/markdown.h"
#include "render/text_form.h"
#include "report/json.h"

enum { RENDER_MAX_BYTES = 256 << 20, DEFAULT_WIDTH = 80, COMMENT_MAX_BYTES = 60000 };

/* ---- words */

static const char *last_key(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot != NULL ? dot + 1 : path;
}

typedef struct key_label {
    const char *key, *label;
} key_label;

/* Keys that do not read as words. */
static const key_label labels[] = {
    {"gpus", "GPUs"},
    {"nodes", "machines"},
    {"boughtNodes", "machines to buy"},
    {"addedNodes", "machines to buy"},
    {"rentedNodes", "machines to rent"},
    {"itPowerW", "IT power"},
    {"capital", "purchase"},
    {"totalPerYear", "cost of a year"},
    {"costPerYear", "cost of a year"},
    {"energyJPerYear", "energy of a year"},
    {"carbonKgPerYear", "carbon of a year"},
    {"ttftP95S", "first token, p95"},
    {"tpotP95S", "per token, p95"},
    {"scale", "verdict"},
};

/* "facility power" for summary.facilityPowerW: the unit at the end says nothing in words. */
static const char *label_of(gp_form_out *out, const char *path) {
    static const char *const units[] = {" w", " s"};
    const char *key = last_key(path);
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++)
        if (gp_str_equal(labels[i].key, key))
            return labels[i].label;
    const char *text = gp_form_words(out, key);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (gp_str_ends(text, units[i]))
            return gp_form_text(out, "%.*s", (int)(strlen(text) - strlen(units[i])), text);
    return text;
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

static const char *side(gp_form_out *out, const gp_diff *diff, const gp_diff_figure *figure,
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

static const char *change_of(gp_form_out *out, const gp_diff_figure *figure) {
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

static const char *effect_of(gp_form_out *out, const gp_diff_cause *cause) {
    const char *text = "";
    if (!cause->measured)
        return "-";
    for (size_t i = 0; i < cause->effects.count; i++)
        text = gp_form_text(out, "%s%s%s", text, i > 0 ? "; " : "",
                            workload_effect(out, &cause->effects.items[i]));
    return *text != '\0' ? text : "no GPUs by itself";
}

static const char *place_of(gp_form_out *out, const gp_diff_cause *cause) {
    if (cause->file == NULL)
        return cause->kind;
    return gp_form_text(out, "%s:%lld:%lld", cause->file, (long long)cause->line,
                        (long long)cause->column);
}

/* Digests are told by their beginning. */
static const char *value_of(gp_form_out *out, const gp_diff_cause *cause, const char *value) {
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
    return gp_form_text(out, ", %s %s to %s", label_of(out, metric), side(out, diff, it, false),
                        side(out, diff, it, true));
}

/* "Plan chat-70b changes: 8 to 48 GPUs (+500%), machines to buy 0 to 5." Of a plan that does not
 * hold any more, counts say nothing. */
static const char *answer_of(gp_form_out *out, const gp_diff *diff) {
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
    const char *change = change_of(out, gpus);
    return gp_form_text(out, "%s: %s to %s GPUs%s%s%s%s%s%s.", text, side(out, diff, gpus, false),
                        side(out, diff, gpus, true), *change != '\0' ? " (" : "", change,
                        *change != '\0' ? ")" : "", also(out, diff, "summary.boughtNodes"),
                        also(out, diff, "summary.facilityPowerW"),
                        also(out, diff, "cost.totalPerYear"));
}

/* Figures of the nearest candidate of what does not hold would look like a saving. */
static bool is_told(const gp_diff_figure *figure, bool lost) {
    return !lost || gp_str_ends(figure->metric, "easible") ||
           gp_str_ends(figure->metric, ".scale") || gp_str_ends(figure->metric, ".boundBy");
}

static bool is_lost(const gp_diff_workload *workload) {
    const gp_diff_figure *scale = scale_of(workload);
    return scale != NULL && is_infeasible(scale->head_text);
}

/* The same of the plan as a whole: machines of one workload less are no saving. */
static bool plan_is_lost(const gp_diff *diff) {
    for (size_t i = 0; i < diff->workloads.count; i++)
        if (is_lost(&diff->workloads.items[i]))
            return true;
    return false;
}

static bool is_new_error(const gp_diff_finding *finding) {
    return gp_str_equal(finding->change, "new") && gp_str_equal(finding->level, "error");
}

/* ---- text */

static void add_figures(gp_form_out *out, gp_table *table, const gp_diff *diff, const char *name,
                        const gp_diff_figure *figures, size_t count, bool lost) {
    for (size_t i = 0; i < count; i++) {
        if (!is_told(&figures[i], lost))
            continue;
        const char **cells = gp_table_row(out, table);
        if (cells == NULL)
            return;
        cells[0] = name;
        name = "";
        cells[1] = label_of(out, figures[i].metric);
        cells[2] = side(out, diff, &figures[i], false);
        cells[3] = side(out, diff, &figures[i], true);
        cells[4] = change_of(out, &figures[i]);
    }
}

/* Two offers are told by their names. */
static const char *side_name(const gp_diff *diff, bool head) {
    if (diff->base_plan == NULL)
        return head ? "HEAD" : "BASE";
    return head ? gp_form_or(diff->plan, "HEAD") : diff->base_plan;
}

static void text_figures(gp_form_out *out, const gp_diff *diff) {
    gp_table table = {
        .columns = 5,
        .headers = {"", "FIGURE", side_name(diff, false), side_name(diff, true), "CHANGE"},
        .right = {false, false, false, false, true},
        .shrink = {true, true, true, true},
    };
    add_figures(out, &table, diff, "plan", diff->figures.items, diff->figures.count,
                plan_is_lost(diff));
    for (size_t i = 0; i < diff->workloads.count; i++) {
        const gp_diff_workload *it = &diff->workloads.items[i];
        add_figures(out, &table, diff, gp_form_or(it->name, "?"), it->figures.items,
                    it->figures.count, is_lost(it));
    }
    if (table.rows == 0)
        return;
    gp_buf_char(out->buf, '\n');
    gp_table_print(out, &table, 0);
}

static void text_causes(gp_form_out *out, const gp_diff *diff) {
    if (diff->causes.count == 0)
        return;
    gp_text_heading(out, "CAUSES, each by itself");
    for (size_t i = 0; i < diff->causes.count; i++) {
        const gp_diff_cause *cause = &diff->causes.items[i];
        gp_wrap(out,
                gp_form_text(out, "%s: %s: %s to %s", place_of(out, cause),
                             gp_form_or(cause->path, "-"), value_of(out, cause, cause->base),
                             value_of(out, cause, cause->head)),
                0, 2);
        if (cause->measured)
            gp_labelled(out, "effect", effect_of(out, cause));
    }
}

static void text_findings(gp_form_out *out, const gp_diff *diff) {
    enum { CHANGE = 10 };
    if (diff->findings.count > 0)
        gp_text_heading(out, "FINDINGS");
    for (size_t i = 0; i < diff->findings.count; i++) {
        const gp_diff_finding *it = &diff->findings.items[i];
        gp_cell(out, it->change, CHANGE, false, false);
        gp_wrap(out,
                gp_form_text(out, "%s %s%s%s: %s", it->level, it->id,
                             it->workload != NULL ? " " : "", gp_form_or(it->workload, ""),
                             gp_form_or(it->message, "")),
                CHANGE, CHANGE);
        if (is_new_error(it) && it->fix != NULL)
            gp_labelled(out, "  fix", it->fix);
    }
    if (diff->breaches.count > 0)
        gp_text_heading(out, "POLICY");
    for (size_t i = 0; i < diff->breaches.count; i++) {
        const gp_report_finding *it = &diff->breaches.items[i];
        gp_wrap(out,
                gp_form_text(out, "%s %s%s%s: %s", it->level, it->id,
                             it->workload != NULL ? " " : "", gp_form_or(it->workload, ""),
                             gp_form_or(it->message, "")),
                0, 2);
    }
}

static void write_text(gp_form_out *out, const gp_diff *const *diffs, size_t count) {
    for (size_t i = 0; i < count && out->buf->st == GP_OK; i++) {
        if (i > 0)
            gp_buf_char(out->buf, '\n');
        gp_wrap(out, answer_of(out, diffs[i]), 0, 0);
        text_figures(out, diffs[i]);
        text_causes(out, diffs[i]);
        text_findings(out, diffs[i]);
    }
}

/* ---- JSON */

static void write_json(gp_form_out *out, const gp_diff *const *diffs, size_t count) {
    gp_json json;
    gp_json_init(&json, out->buf);
    if (count == 1) {
        (void)gp_json_object(&json, NULL, &gp_diff_type, diffs[0]);
        return;
    }
    gp_json_open(&json, NULL, '{');
    gp_json_string(&json, "schemaVersion", count > 0 ? diffs[0]->schema_version : "1.0.0");
    gp_json_open(&json, "diffs", '[');
    for (size_t i = 0; i < count && out->buf->st == GP_OK; i++)
        (void)gp_json_object(&json, NULL, &gp_diff_type, diffs[i]);
    gp_json_close(&json, ']');
    gp_json_close(&json, '}');
}

/* ---- Markdown */

static void md_rows(gp_form_out *out, const gp_diff *diff, const char *name,
                    const gp_diff_figure *figures, size_t count, bool lost) {
    for (size_t i = 0; i < count; i++) {
        if (!is_told(&figures[i], lost))
            continue;
        GP_MD_ROW(out, name, label_of(out, figures[i].metric), side(out, diff, &figures[i], false),
                  side(out, diff, &figures[i], true), change_of(out, &figures[i]));
        name = "";
    }
}

static void md_breaches(gp_form_out *out, const gp_diff *diff) {
    if (diff->breaches.count == 0)
        return;
    gp_buf_str(out->buf, "\n### Policy\n");
    GP_MD_HEADER(out, "Level", "Rule", "Workload", "Breach");
    for (size_t i = 0; i < diff->breaches.count; i++) {
        const gp_report_finding *it = &diff->breaches.items[i];
        GP_MD_ROW(out, it->level, it->id, gp_form_or(it->workload, "-"),
                  gp_form_or(it->message, ""));
    }
}

static void md_causes(gp_form_out *out, const gp_diff *diff) {
    if (diff->causes.count == 0)
        return;
    gp_buf_str(out->buf, "\n### Causes, each by itself\n");
    GP_MD_HEADER(out, "Where", "What", "Base", "Head", "Effect");
    for (size_t i = 0; i < diff->causes.count; i++) {
        const gp_diff_cause *cause = &diff->causes.items[i];
        GP_MD_ROW(out, place_of(out, cause), gp_form_or(cause->path, "-"),
                  value_of(out, cause, cause->base), value_of(out, cause, cause->head),
                  effect_of(out, cause));
    }
}

static void md_figures(gp_form_out *out, const gp_diff *diff) {
    if (gp_str_equal(diff->state, "same"))
        return;
    gp_buf_str(out->buf, "\n### Figures\n");
    GP_MD_HEADER(out, "", "Figure", gp_form_or(diff->base_plan, "Base"),
                 diff->base_plan != NULL ? gp_form_or(diff->plan, "Head") : "Head", "Change");
    md_rows(out, diff, "plan", diff->figures.items, diff->figures.count, plan_is_lost(diff));
    for (size_t i = 0; i < diff->workloads.count; i++) {
        const gp_diff_workload *it = &diff->workloads.items[i];
        md_rows(out, diff, gp_form_or(it->name, "?"), it->figures.items, it->figures.count,
                is_lost(it));
    }
}

/* What a reviewer has to act on. */
static void md_errors(gp_form_out *out, const gp_diff *diff) {
    bool first = true;
    for (size_t i = 0; i < diff->findings.count; i++) {
        const gp_diff_finding *it = &diff->findings.items[i];
        if (!is_new_error(it))
            continue;
        if (first) {
            gp_buf_str(out->buf, "\n### New errors\n");
            GP_MD_HEADER(out, "Rule", "Workload", "Error", "Fix");
        }
        first = false;
        GP_MD_ROW(out, it->id, gp_form_or(it->workload, "-"), gp_form_or(it->message, ""),
                  gp_form_or(it->fix, "-"));
    }
}

static void md_findings(gp_form_out *out, const gp_diff *diff) {
    bool first = true;
    for (size_t i = 0; i < diff->findings.count; i++) {
        const gp_diff_finding *it = &diff->findings.items[i];
        if (is_new_error(it))
            continue;
        if (first) {
            gp_buf_str(out->buf, "\n### Findings that came or went\n");
            GP_MD_HEADER(out, "Change", "Level", "Rule", "Workload", "Finding");
        }
        first = false;
        GP_MD_ROW(out, it->change, it->level, it->id, gp_form_or(it->workload, "-"),
                  gp_form_or(it->message, ""));
    }
}

static void md_origin(gp_form_out *out, const gp_diff *diff) {
    if (diff->base_path != NULL && diff->head_path != NULL)
        gp_buf_printf(out->buf, "\nBase: %s. Head: %s.\n", gp_md_escape(out, diff->base_path),
                      gp_md_escape(out, diff->head_path));
}

typedef void md_section(gp_form_out *out, const gp_diff *diff);

/* What a reviewer needs most comes first: what does not fit any more is left out whole. */
static md_section *const sections[] = {md_breaches, md_errors,   md_causes,
                                       md_figures,  md_findings, md_origin};

static void md_sections(gp_form_out *out, const gp_diff *diff, size_t limit) {
    enum { NOTE_MAX = 120 };
    size_t dropped = 0;
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        const size_t before = out->buf->len;
        sections[i](out, diff);
        if (out->buf->st != GP_OK || out->buf->len + NOTE_MAX <= limit)
            continue;
        gp_buf_truncate(out->buf, before);
        dropped++;
    }
    if (dropped > 0)
        gp_buf_printf(out->buf, "\n%zu section%s left out to keep the comment short.\n", dropped,
                      dropped == 1 ? "" : "s");
}

static void write_markdown(gp_form_out *out, const gp_diff *const *diffs, size_t count) {
    const size_t limit = out->max_bytes > 0 ? out->max_bytes : COMMENT_MAX_BYTES;
    enum { HEAD_MAX = 400 };
    gp_buf_str(out->buf, "<!-- gpuplan-diff -->\n");
    for (size_t i = 0; i < count && out->buf->st == GP_OK; i++) {
        if (out->buf->len + HEAD_MAX > limit) {
            gp_buf_printf(out->buf, "\n%zu more plans left out to keep the comment short.\n",
                          count - i);
            return;
        }
        gp_buf_printf(out->buf, "%s## gpuplan: %s\n", i > 0 ? "\n" : "",
                      gp_md_escape(out, answer_of(out, diffs[i])));
        md_sections(out, diffs[i], limit);
    }
}

typedef struct diff_form {
    const char *name;
    void (*write)(gp_form_out *out, const gp_diff *const *diffs, size_t count);
} diff_form;

static const diff_form forms[] = {
    {"text", write_text}, {"json", write_json}, {"markdown", write_markdown}};

gp_status gp_render_diff(gp_arena *arena, const char *form, const gp_diff *const *diffs,
                         size_t count, const gp_render_options *options, const char **ret_text,
                         size_t *ret_len) {
    gp_buf buf;
    gp_buf_init(&buf, arena, RENDER_MAX_BYTES);
    gp_form_out out = {.buf = &buf, .width = DEFAULT_WIDTH};
    if (options != NULL) {
        out.width = options->width > 0 ? options->width : DEFAULT_WIDTH;
        out.colour = options->colour;
        out.max_bytes = options->max_bytes;
    }
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (!gp_str_equal(forms[i].name, form))
            continue;
        forms[i].write(&out, diffs, count);
        return gp_buf_finish(&buf, ret_text, ret_len);
    }
    return GP_ERR_NOT_FOUND;
}
