/*
 * The HTML form: the answer first, then the five checks, what was found, a sheet per workload, the
 * site, the bill and its cost, growth, and at the end what all of it rests on. One file, no script,
 * prints well.
 */
#include "render/html_parts.h"
#include "render/tables.h"

/* ---- the answer */

static void tile(gp_form_out *out, const char *label, const char *text) {
    if (gp_str_equal(text, "-"))
        return;
    gp_buf_str(out->buf, "<div>");
    gp_html_element(out, "dt", NULL, label);
    gp_html_element(out, "dd", NULL, text);
    gp_buf_str(out->buf, "</div>\n");
}

static void write_tiles(gp_form_out *out, const gp_report *report) {
    const gp_report_summary *summary = &report->summary;
    gp_buf_str(out->buf, "<dl class=\"tiles\">\n");
    tile(out, "GPUs", gp_form_count(out, summary->gpus));
    tile(out, "Machines", gp_form_site_machines(out, summary, false));
    tile(out, "To buy", gp_form_count(out, summary->bought_nodes));
    tile(out, "To rent",
         summary->rented_nodes > 0 ? gp_form_count(out, summary->rented_nodes) : "-");
    tile(out, "Racks", gp_form_count(out, summary->racks));
    tile(out, "IT power", gp_form_watts(out, summary->it_power_w));
    tile(out, "Facility power", gp_form_watts(out, summary->facility_power_w));
    tile(out, "Purchase",
         summary->capital > 0 ? gp_form_money(out, summary->capital, report->cost.currency) : "-");
    tile(out, "Cost of a year",
         summary->cost_per_year > 0
             ? gp_form_money(out, summary->cost_per_year, report->cost.currency)
             : "-");
    gp_buf_str(out->buf, "</dl>\n");
}

static void link_to(gp_form_out *out, const char *prefix, const char *id, const char *text) {
    gp_buf_printf(out->buf, "<a href=\"#%s%s\">", prefix, id);
    gp_html_text(out, text);
    gp_buf_str(out->buf, "</a>\n");
}

static void write_links(gp_form_out *out, const gp_report *report, const char *prefix) {
    gp_buf_str(out->buf, "<nav aria-label=\"Contents\">\n");
    link_to(out, prefix, "checks", "Five checks");
    link_to(out, prefix, "findings", "Findings");
    for (size_t i = 0; i < report->workloads.count; i++)
        link_to(out, prefix, gp_form_text(out, "w%zu", i + 1),
                gp_form_or(report->workloads.items[i].name, "?"));
    link_to(out, prefix, "site", "Site");
    if (report->site.schedule.claims.count > 0)
        link_to(out, prefix, "time", "Machines over time");
    if (report->growth.count > 0)
        link_to(out, prefix, "growth", "Growth");
    if (report->site.bill.count > 0)
        link_to(out, prefix, "bill", "Bill of quantities");
    link_to(out, prefix, "cost", "Cost");
    link_to(out, prefix, "tests", "Acceptance tests");
    link_to(out, prefix, "assumptions", "Assumptions");
    link_to(out, prefix, "method", "Method");
    link_to(out, prefix, "sources", "Sources");
    link_to(out, prefix, "inputs", "Inputs");
    gp_buf_str(out->buf, "</nav>\n");
}

static void write_checks(gp_form_out *out, const gp_report *report, const char *prefix) {
    gp_html_section(out, gp_form_text(out, "%schecks", prefix), "Five checks");
    gp_buf_str(out->buf, "<dl class=\"facts\">\n");
    for (size_t i = 0; i < report->checks.count; i++) {
        const gp_report_check *check = &report->checks.items[i];
        gp_html_element(out, "dt", NULL, gp_form_check_name(check->id));
        gp_buf_str(out->buf, "<dd>");
        gp_html_level(out, check->level, gp_form_check_level(check->level));
        gp_buf_str(out->buf, ": ");
        gp_html_text(out, gp_form_check_reason(out, check));
        gp_buf_str(out->buf, "</dd>\n");
    }
    gp_buf_str(out->buf, "</dl>\n");
    gp_html_section_end(out);
}

/* ---- findings */

static void write_finding(gp_form_out *out, const gp_report_finding *finding) {
    const char *place = gp_form_place(out, finding);
    gp_buf_str(out->buf, "<li><p>");
    gp_html_level(out, finding->level, finding->level);
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

static size_t count_level(const gp_report *report, bool notes) {
    size_t count = 0;
    for (size_t i = 0; i < report->findings.count; i++)
        count += gp_str_equal(report->findings.items[i].level, "note") == notes;
    return count;
}

static void finding_list(gp_form_out *out, const gp_report *report, bool notes) {
    if (count_level(report, notes) == 0)
        return;
    gp_buf_str(out->buf, "<ul class=\"findings\">\n");
    for (size_t i = 0; i < report->findings.count; i++)
        if (gp_str_equal(report->findings.items[i].level, "note") == notes)
            write_finding(out, &report->findings.items[i]);
    gp_buf_str(out->buf, "</ul>\n");
}

static void write_findings(gp_form_out *out, const gp_report *report, const char *prefix) {
    gp_html_section(out, gp_form_text(out, "%sfindings", prefix),
                    gp_form_text(out, "Findings: %s", gp_form_findings(out, report)));
    finding_list(out, report, false);
    if (count_level(report, true) > 0) {
        gp_html_details_open(out, gp_form_plural(out, (int64_t)count_level(report, true), "note"));
        finding_list(out, report, true);
        gp_html_details_end(out);
    }
    gp_html_section_end(out);
}

/* Title, answer, links, what each workload needs, checks, findings. */
static void html_answer(gp_form_out *out, const gp_report *report, const char *prefix) {
    const gp_report_summary *summary = &report->summary;
    gp_table table;
    gp_html_element(out, "h1", NULL,
                    gp_form_text(out, "%s: %s", gp_form_or(summary->plan, "(unnamed)"),
                                 summary->feasible ? "feasible" : "not feasible"));
    gp_html_element(out, "p", "lead", gp_form_answer(out, report));
    gp_html_element(out, "p", "soft", gp_form_judged(out, report));
    write_tiles(out, report);
    write_links(out, report, prefix);
    gp_table_verdicts(out, report, &table);
    gp_block_table(out, "What each workload needs", &table);
    write_checks(out, report, prefix);
    write_findings(out, report, prefix);
}

static void write_report(gp_form_out *out, const gp_report *report, const char *prefix) {
    html_answer(out, report, prefix);
    for (size_t i = 0; i < report->workloads.count; i++)
        gp_html_workload(out, report, &report->workloads.items[i],
                         gp_form_text(out, "%sw%zu", prefix, i + 1));
    gp_html_site(out, report, prefix);
    gp_html_money(out, report, prefix);
    gp_html_basis(out, report, prefix);
}

static void write_reports(gp_form_out *out, const gp_report *const *reports, size_t count) {
    out->fact = gp_html_fact;
    out->layout = GP_LAYOUT_HTML;
    out->detail = GP_DETAIL_ALL;
    gp_html_open(out,
                 count == 1 ? gp_form_text(out, "gpuplan: %s",
                                           gp_form_or(reports[0]->summary.plan, "(unnamed)"))
                            : "gpuplan",
                 NULL);
    for (size_t i = 0; i < count && out->buf->st == GP_OK; i++)
        write_report(out, reports[i], count == 1 ? "" : gp_form_text(out, "p%zu-", i + 1));
    gp_html_close(out);
}

const gp_renderer gp_renderer_html = {
    .name = "html",
    .extension = "html",
    .help = "one page with charts, for a board or a procurement file",
    .reports = write_reports,
};
