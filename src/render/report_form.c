/*
 * A report as blocks: the answer first, then its sections in the order of one table, for terminals,
 * comments and pages alike. A page has all of it in one file, without a script, and prints well.
 */
#include "render/report_parts.h"
#include "render/text_form.h"

/* ---- checks */

static void say_checks(gp_form_out *out, const gp_report *report) {
    static const gp_wording names[] = {{"powerCooling", "power, cooling"}};
    static const gp_wording levels[] = {{"notAssessed", "not assessed"}};
    gp_table table = GP_TABLE("Check", "!Level", "Reason");
    gp_block_note(out, "%s", gp_form_judged(out, report));
    for (size_t i = 0; i < report->checks.count; i++) {
        const gp_report_check *check = &report->checks.items[i];
        GP_TABLE_ROW(out, &table, GP_WORDING(names, check->id, check->id),
                     GP_WORDING(levels, check->level, check->level),
                     gp_form_check_reason(out, check));
    }
    gp_block_table(out, "Does the plan hold?", &table);
}

/* ---- findings */

static void html_finding(gp_form_out *out, const gp_report_finding *finding) {
    const char *place = gp_form_place(out, finding);
    gp_buf_str(out->buf, "<li><p>");
    gp_html_level(out, finding->level);
    gp_buf_str(out->buf, " <code>");
    gp_html_text(out, finding->id);
    gp_buf_str(out->buf, "</code> ");
    if (finding->workload != NULL)
        gp_html_element(out, "strong", NULL, finding->workload);
    gp_html_text(out, gp_form_or(finding->message, ""));
    gp_buf_str(out->buf, "</p>\n");
    if (finding->fix != NULL)
        gp_html_element(out, "p", NULL, gp_form_text(out, "Fix: %s", finding->fix));
    if (finding->waived_by != NULL)
        gp_html_element(out, "p", NULL, gp_form_text(out, "Waived: %s", finding->waived_by));
    if (place != NULL)
        gp_html_element(out, "p", "soft", place);
    gp_buf_str(out->buf, "</li>\n");
}

static bool is_note(const gp_report_finding *finding) {
    return gp_str_equal(finding->level, "note");
}

static void html_findings(gp_form_out *out, const gp_report *report, bool notes) {
    gp_buf_str(out->buf, "<ul class=\"findings\">\n");
    for (size_t i = 0; i < report->findings.count; i++)
        if (is_note(&report->findings.items[i]) == notes)
            html_finding(out, &report->findings.items[i]);
    gp_buf_str(out->buf, "</ul>\n");
}

static void md_findings(gp_form_out *out, const gp_report *report, bool notes) {
    gp_table table = GP_TABLE("Level", "Rule", "Workload", "Finding", "Fix", "Where");
    for (size_t i = 0; i < report->findings.count; i++) {
        const gp_report_finding *it = &report->findings.items[i];
        const char *text = gp_form_or(it->message, "");
        if (it->waived_by != NULL)
            text = gp_form_text(out, "%s. Waived: %s", text, it->waived_by);
        if (is_note(it) == notes)
            GP_TABLE_ROW(out, &table, it->level, it->id, gp_form_or(it->workload, "-"), text,
                         gp_form_or(it->fix, "-"), gp_form_or(gp_form_place(out, it), "-"));
    }
    gp_block_table(out, NULL, &table);
}

static void say_level(gp_form_out *out, const gp_report *report, bool notes) {
    if (out->layout == GP_LAYOUT_HTML)
        html_findings(out, report, notes);
    else
        md_findings(out, report, notes);
}

/* Notes ask for nothing: they are folded away. */
static void say_findings(gp_form_out *out, const gp_report *report) {
    int64_t notes = 0;
    for (size_t i = 0; i < report->findings.count; i++)
        notes += is_note(&report->findings.items[i]) ? 1 : 0;
    gp_block_note(out, "%s.", gp_form_findings(out, report));
    if (notes < (int64_t)report->findings.count)
        say_level(out, report, false);
    if (notes == 0)
        return;
    gp_block_fold(out, gp_form_plural(out, notes, "note"));
    say_level(out, report, true);
    gp_block_fold_end(out);
}

/* ---- sections */

enum { TEXT = 1 << GP_LAYOUT_TEXT, COMMENT = 1 << GP_LAYOUT_MARKDOWN, PAGE = 1 << GP_LAYOUT_HTML };

typedef struct section {
    const char *id, *title; /* NULL: it opens sections of its own */
    unsigned forms;         /* that have it */
    bool folded;            /* in a comment */
    size_t items;           /* count of the list without which there is none; 0: always */
    gp_say *say;
} section;

#define OF(list) offsetof(gp_report, list.count)
static const section sections[] = {
    {"checks", "Five checks", COMMENT | PAGE, false, 0, say_checks},
    {"findings", "Findings", COMMENT | PAGE, false, 0, say_findings},
    {NULL, NULL, TEXT | COMMENT | PAGE, false, 0, gp_say_workloads},
    {"site", "Site", TEXT | COMMENT | PAGE, false, 0, gp_say_site},
    {"time", "Machines over time", TEXT | COMMENT | PAGE, false, OF(site.schedule.claims),
     gp_say_time},
    {"teams", "Teams, in GPUs", TEXT | COMMENT | PAGE, false, OF(teams), gp_say_teams},
    {"growth", "Growth", TEXT | COMMENT | PAGE, false, OF(growth), gp_say_growth},
    {"bill", "Bill of quantities", TEXT | COMMENT | PAGE, true, OF(site.bill), gp_say_bill},
    {"cost", "Cost", TEXT | COMMENT | PAGE, true, 0, gp_say_cost},
    {"tests", "Acceptance tests", PAGE, false, 0, gp_say_tests},
    {"findings", "Findings", TEXT, false, OF(findings), gp_text_findings},
    {"assumptions", "Assumptions", TEXT | COMMENT | PAGE, true, OF(assumptions),
     gp_say_assumptions},
    {"method", "Method", PAGE, false, 0, gp_say_method},
    {"sources", "Sources", PAGE, false, 0, gp_say_sources},
    {"inputs", "Inputs", PAGE, false, 0, gp_say_inputs},
};

static bool is_shown(const gp_form_out *out, const section *it, const gp_report *report) {
    const char *items = (const char *)report + it->items;
    return (it->forms & (1U << out->layout)) != 0 &&
           (it->items == 0 || *(const size_t *)(const void *)items > 0);
}

static void write_section(gp_form_out *out, const section *it, const gp_report *report) {
    const bool folded = it->folded && out->layout == GP_LAYOUT_MARKDOWN;
    if (folded)
        gp_block_fold(out, it->title);
    else if (it->title != NULL)
        gp_block_section(out, it->id, it->title);
    it->say(out, report);
    if (folded)
        gp_block_fold_end(out);
}

static void write_link(gp_form_out *out, const char *id, const char *text) {
    gp_buf_printf(out->buf, "<a href=\"#%s%s\">", out->prefix, id);
    gp_html_text(out, text);
    gp_buf_str(out->buf, "</a>\n");
}

static void write_links(gp_form_out *out, const gp_report *report) {
    static const char contents[] = "nav aria-label=\"Contents\"";
    gp_block_open(out, contents);
    for (size_t i = 0; i < GP_COUNT_OF(sections); i++) {
        if (!is_shown(out, &sections[i], report))
            continue;
        if (sections[i].title != NULL)
            write_link(out, sections[i].id, sections[i].title);
        for (size_t k = 0; sections[i].title == NULL && k < report->workloads.count; k++)
            write_link(out, gp_form_text(out, "w%zu", k + 1),
                       gp_form_or(report->workloads.items[k].name, "?"));
    }
    gp_block_close(out, contents);
}

/* By what the figures can be had again. */
static void write_origin(gp_form_out *out, const gp_report *report) {
    enum { DIGEST_SHOWN = 12 };
    const gp_report_file *spec = &report->inputs.spec;
    const char *digest =
        gp_form_if(out, spec->sha256 != NULL, " (sha256 %.*s)", DIGEST_SHOWN, spec->sha256);
    gp_block_note(out, "Made by %s %s of %s%s.", gp_form_or(report->tool.name, "gpuplan"),
                  gp_form_or(report->tool.version, ""), gp_form_or(spec->path, "a plan"), digest);
}

static void write_report(gp_form_out *out, const gp_report *report) {
    gp_say_answer(out, report);
    if (out->layout == GP_LAYOUT_TEXT)
        out->indent = 2;
    else
        out->asked.detail = GP_DETAIL_ALL;
    if (out->layout == GP_LAYOUT_HTML)
        write_links(out, report);
    for (size_t i = 0; i < GP_COUNT_OF(sections) && out->asked.detail != GP_DETAIL_ANSWER; i++)
        if (is_shown(out, &sections[i], report))
            write_section(out, &sections[i], report);
    if (out->layout == GP_LAYOUT_MARKDOWN)
        write_origin(out, report);
}

void gp_reports_blocks(gp_form_out *out, const void *result) {
    const gp_report_list *reports = result;
    for (size_t i = 0; i < reports->count && out->buf->st == GP_OK; i++) {
        if (i > 0 && out->layout != GP_LAYOUT_HTML)
            gp_buf_char(out->buf, '\n');
        out->last = GP_BLOCK_NONE;
        out->prefix = reports->count == 1 ? "" : gp_form_text(out, "p%zu-", i + 1);
        if (out->asked.gate && out->layout == GP_LAYOUT_TEXT)
            gp_text_gate(out, reports->items[i]);
        else
            write_report(out, reports->items[i]);
    }
}

void gp_sweep_blocks(gp_form_out *out, const void *result) {
    const gp_sweep *sweep = result;
    gp_table table = GP_TABLE("~Value", "~Workload", "Scale", "~Need", ">GPUs", ">Time", ">Power");
    for (size_t i = 0; i < sweep->rows.count; i++) {
        const gp_sweep_row *row = &sweep->rows.items[i];
        for (size_t k = 0; k < row->report->workloads.count; k++) {
            const gp_report_workload *it = &row->report->workloads.items[k];
            const gp_report_candidate *chosen = &it->recommendation.chosen;
            const bool runs = chosen->feasible && isfinite(chosen->time_to_complete_s.expected);
            GP_TABLE_ROW(out, &table, k == 0 ? gp_form_or(row->value, "") : "",
                         gp_form_or(it->name, "?"), gp_form_scale_word(it->recommendation.scale),
                         chosen->feasible ? gp_form_machines(out, chosen) : "-",
                         chosen->feasible ? gp_form_count(out, chosen->gpus) : "-",
                         runs ? gp_form_seconds(out, chosen->time_to_complete_s.expected)
                              : gp_form_speed(out, chosen),
                         gp_form_watts(out, chosen->facility_power_w));
        }
    }
    gp_block_lead(out, gp_form_or(sweep->path, ""));
    gp_block_table(out, NULL, &table);
}
