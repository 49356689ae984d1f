/*
 * A comparison as text, JSON and Markdown. The Markdown form is a comment on a change request: it
 * starts with a marker by which the last one is found again, says the answer first, and drops whole
 * sections from the end rather than cut one.
 */
#include <string.h>

#include "base/str.h"
#include "render/diff_words.h"
#include "render/markdown.h"
#include "render/text_form.h"
#include "report/json.h"

enum { RENDER_MAX_BYTES = 256 << 20, DEFAULT_WIDTH = 80, COMMENT_MAX_BYTES = 60000 };

/* ---- text */

static void add_figures(gp_form_out *out, gp_table *table, const gp_diff *diff, const char *name,
                        const gp_diff_figure *figures, size_t count, bool lost) {
    for (size_t i = 0; i < count; i++) {
        if (!gp_diff_is_told(diff, &figures[i], lost))
            continue;
        const char **cells = gp_table_row(out, table);
        if (cells == NULL)
            return;
        cells[0] = name;
        name = "";
        cells[1] = gp_form_metric(out, figures[i].metric);
        cells[2] = gp_diff_side(out, diff, &figures[i], false);
        cells[3] = gp_diff_side(out, diff, &figures[i], true);
        cells[4] = gp_diff_change(out, &figures[i]);
    }
}

static void text_figures(gp_form_out *out, const gp_diff *diff) {
    gp_table table = {
        .columns = 5,
        .headers = {"", "FIGURE", gp_diff_side_name(diff, false), gp_diff_side_name(diff, true),
                    "CHANGE"},
        .right = {false, false, false, false, true},
        .shrink = {true, true, true, true},
    };
    const char **verdict = diff->base_plan != NULL ? gp_table_row(out, &table) : NULL;
    if (verdict != NULL) {
        verdict[0] = "plan";
        verdict[1] = "verdict";
        verdict[2] = gp_diff_offer(diff, false);
        verdict[3] = gp_diff_offer(diff, true);
        verdict[4] = "";
    }
    add_figures(out, &table, diff, verdict != NULL ? "" : "plan", diff->figures.items,
                diff->figures.count, gp_diff_plan_is_lost(diff));
    for (size_t i = 0; i < diff->workloads.count; i++) {
        const gp_diff_workload *it = &diff->workloads.items[i];
        add_figures(out, &table, diff, gp_form_or(it->name, "?"), it->figures.items,
                    it->figures.count, gp_diff_is_lost(it));
    }
    if (table.rows == 0)
        return;
    gp_buf_char(out->buf, '\n');
    gp_table_print(out, &table, 0);
}

static void text_causes(gp_form_out *out, const gp_diff *diff) {
    if (diff->causes.count == 0)
        return;
    gp_text_heading(out, "CHANGES, each by itself");
    for (size_t i = 0; i < diff->causes.count; i++) {
        const gp_diff_cause *cause = &diff->causes.items[i];
        gp_wrap(out,
                gp_form_text(out, "%s: %s: %s to %s", gp_diff_place(out, cause),
                             gp_form_or(cause->path, "-"), gp_diff_value(out, cause, cause->base),
                             gp_diff_value(out, cause, cause->head)),
                0, 2);
        if (cause->measured)
            gp_labelled(out, "effect", gp_diff_effect_words(out, diff, cause));
    }
}

/* "error GP2002 chat: ..." */
static const char *finding_words(gp_form_out *out, const char *level, const char *id,
                                 const char *workload, const char *message) {
    return gp_form_text(out, "%s %s%s%s: %s", gp_form_or(level, "note"), gp_form_or(id, "-"),
                        workload != NULL ? " " : "", gp_form_or(workload, ""),
                        gp_form_or(message, ""));
}

static void text_finding(gp_form_out *out, const gp_diff_finding *it, const char *head) {
    const char *place = gp_diff_finding_place(out, it);
    const int columns = (int)strlen(head);
    gp_buf_str(out->buf, head);
    gp_wrap(out,
            gp_form_text(
                out, "%s%s%s%s", finding_words(out, it->level, it->id, it->workload, it->message),
                place != NULL ? " (" : "", gp_form_or(place, ""), place != NULL ? ")" : ""),
            columns, columns > 0 ? columns : 2);
}

/* What `check` fails on now and did not before, with what would mend it. */
static void text_failures(gp_form_out *out, const gp_diff *diff) {
    bool first = true;
    for (size_t i = 0; i < diff->findings.count; i++) {
        const gp_diff_finding *it = &diff->findings.items[i];
        if (!gp_diff_is_failure(diff, it))
            continue;
        if (first)
            gp_text_heading(out, "NEW FAILURES");
        first = false;
        text_finding(out, it, "");
        if (it->fix != NULL)
            gp_labelled(out, "fix", it->fix);
    }
    if (diff->breaches.count > 0)
        gp_text_heading(out, "POLICY");
    for (size_t i = 0; i < diff->breaches.count; i++) {
        const gp_report_finding *it = &diff->breaches.items[i];
        gp_wrap(out, finding_words(out, it->level, it->id, it->workload, it->message), 0, 2);
    }
}

static void text_findings(gp_form_out *out, const gp_diff *diff) {
    bool first = true;
    for (size_t i = 0; i < diff->findings.count; i++) {
        const gp_diff_finding *it = &diff->findings.items[i];
        if (gp_diff_is_failure(diff, it))
            continue;
        if (first)
            gp_text_heading(out, "FINDINGS");
        first = false;
        text_finding(out, it, gp_str_equal(it->change, "new") ? "new       " : "resolved  ");
    }
}

static void write_text(gp_form_out *out, const gp_diff *const *diffs, size_t count) {
    for (size_t i = 0; i < count && out->buf->st == GP_OK; i++) {
        if (i > 0)
            gp_buf_char(out->buf, '\n');
        gp_wrap(out, gp_diff_answer(out, diffs[i]), 0, 0);
        text_failures(out, diffs[i]);
        text_causes(out, diffs[i]);
        text_figures(out, diffs[i]);
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
        if (!gp_diff_is_told(diff, &figures[i], lost))
            continue;
        GP_MD_ROW(out, name, gp_form_metric(out, figures[i].metric),
                  gp_diff_side(out, diff, &figures[i], false),
                  gp_diff_side(out, diff, &figures[i], true), gp_diff_change(out, &figures[i]));
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
    gp_buf_str(out->buf, "\n### Changes, each by itself\n");
    GP_MD_HEADER(out, "Where", "What", "Base", "Head", "Effect");
    for (size_t i = 0; i < diff->causes.count; i++) {
        const gp_diff_cause *cause = &diff->causes.items[i];
        GP_MD_ROW(out, gp_diff_place(out, cause), gp_form_or(cause->path, "-"),
                  gp_diff_value(out, cause, cause->base), gp_diff_value(out, cause, cause->head),
                  gp_diff_effect_words(out, diff, cause));
    }
}

static void md_figures(gp_form_out *out, const gp_diff *diff) {
    if (gp_str_equal(diff->state, "same"))
        return;
    gp_buf_str(out->buf, "\n### Figures\n");
    GP_MD_HEADER(out, "", "Figure", gp_form_or(diff->base_plan, "Base"),
                 diff->base_plan != NULL ? gp_form_or(diff->plan, "Head") : "Head", "Change");
    const bool offers = diff->base_plan != NULL;
    if (offers)
        GP_MD_ROW(out, "plan", "verdict", gp_diff_offer(diff, false), gp_diff_offer(diff, true),
                  "");
    md_rows(out, diff, offers ? "" : "plan", diff->figures.items, diff->figures.count,
            gp_diff_plan_is_lost(diff));
    for (size_t i = 0; i < diff->workloads.count; i++) {
        const gp_diff_workload *it = &diff->workloads.items[i];
        md_rows(out, diff, gp_form_or(it->name, "?"), it->figures.items, it->figures.count,
                gp_diff_is_lost(it));
    }
}

/* What a reviewer has to act on. */
static void md_errors(gp_form_out *out, const gp_diff *diff) {
    bool first = true;
    for (size_t i = 0; i < diff->findings.count; i++) {
        const gp_diff_finding *it = &diff->findings.items[i];
        if (!gp_diff_is_failure(diff, it))
            continue;
        if (first) {
            gp_buf_str(out->buf, "\n### New failures\n");
            GP_MD_HEADER(out, "Where", "Rule", "Workload", "Failure", "Fix");
        }
        first = false;
        GP_MD_ROW(out, gp_form_or(gp_diff_finding_place(out, it), "-"), it->id,
                  gp_form_or(it->workload, "-"), gp_form_or(it->message, ""),
                  gp_form_or(it->fix, "-"));
    }
}

static void md_findings(gp_form_out *out, const gp_diff *diff) {
    bool first = true;
    for (size_t i = 0; i < diff->findings.count; i++) {
        const gp_diff_finding *it = &diff->findings.items[i];
        if (gp_diff_is_failure(diff, it))
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
static md_section *const sections[] = {md_errors,  md_breaches, md_causes,
                                       md_figures, md_findings, md_origin};

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
                      gp_md_escape(out, gp_diff_answer(out, diffs[i])));
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
