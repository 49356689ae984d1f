/*
 * The Markdown form: the answer and what asks for something first, then a part per workload and
 * the site; what is long is folded away.
 */
#include "render/markdown.h"
#include "render/schedule_form.h"
#include "render/tables.h"
#include "render/text_form.h"

/* ---- the answer */

static void write_checks(gp_form_out *out, const gp_report *report) {
    gp_buf_str(out->buf, "\n### Five checks\n");
    GP_MD_HEADER(out, "Check", "Level", "Reason");
    for (size_t i = 0; i < report->checks.count; i++) {
        const gp_report_check *check = &report->checks.items[i];
        GP_MD_ROW(out, gp_form_check_name(check->id), gp_form_check_level(check->level),
                  gp_form_check_reason(out, check));
    }
}

static void write_answer(gp_form_out *out, const gp_report *report) {
    gp_table table;
    gp_buf_printf(out->buf, "## gpuplan: %s\n\n%s. %s\n\n%s\n",
                  gp_md_escape(out, gp_form_or(report->summary.plan, "(unnamed)")),
                  report->summary.feasible ? "**Feasible**" : "**Not feasible**",
                  gp_md_escape(out, gp_form_answer(out, report)),
                  gp_md_escape(out, gp_form_judged(out, report)));
    gp_table_verdicts(out, report, &table);
    gp_block_table(out, NULL, &table);
}

/* ---- findings */

static bool is_shown(const gp_report_finding *finding, bool notes) {
    return gp_str_equal(finding->level, "note") == notes;
}

static size_t count_shown(const gp_report *report, bool notes) {
    size_t count = 0;
    for (size_t i = 0; i < report->findings.count; i++)
        count += is_shown(&report->findings.items[i], notes);
    return count;
}

static void finding_rows(gp_form_out *out, const gp_report *report, bool notes) {
    GP_MD_HEADER(out, "Level", "Rule", "Workload", "Finding", "Fix", "Where");
    for (size_t i = 0; i < report->findings.count; i++) {
        const gp_report_finding *finding = &report->findings.items[i];
        const char *text = gp_form_or(finding->message, "");
        if (!is_shown(finding, notes))
            continue;
        if (finding->waived_by != NULL)
            text = gp_form_text(out, "%s. Waived: %s", text, finding->waived_by);
        GP_MD_ROW(out, finding->level, finding->id, gp_form_or(finding->workload, "-"), text,
                  gp_form_or(finding->fix, "-"), gp_form_or(gp_form_place(out, finding), "-"));
    }
}

/* Notes ask for nothing: they are folded away. */
static void write_findings(gp_form_out *out, const gp_report *report) {
    gp_buf_printf(out->buf, "\n### Findings: %s\n", gp_form_findings(out, report));
    if (count_shown(report, false) > 0)
        finding_rows(out, report, false);
    if (count_shown(report, true) == 0)
        return;
    gp_buf_printf(out->buf, "\n<details><summary>Notes (%zu)</summary>\n",
                  count_shown(report, true));
    finding_rows(out, report, true);
    gp_buf_str(out->buf, "\n</details>\n");
}

/* ---- a workload */

static void fact_row(gp_form_out *out, const char *label, const char *text) {
    GP_MD_ROW(out, label, text);
}

/* What gp_labelled writes, as rows of a table. */
static void open_facts(gp_form_out *out, const char *summary) {
    gp_buf_printf(out->buf, "\n<details><summary>%s</summary>\n", gp_md_escape(out, summary));
    out->fact = fact_row;
    out->detail = GP_DETAIL_ALL;
    GP_MD_HEADER(out, "Figure", "");
}

static void close_facts(gp_form_out *out) {
    gp_buf_str(out->buf, "\n</details>\n");
}

static void write_workload(gp_form_out *out, const gp_report *report,
                           const gp_report_workload *workload) {
    const gp_report_recommendation *verdict = &workload->recommendation;
    const char *name = gp_form_or(workload->name, "?");
    gp_buf_printf(out->buf, "\n### %s: %s\n\n%s.\n", gp_md_escape(out, name),
                  gp_form_scale(verdict->scale),
                  gp_md_escape(out, gp_form_or(verdict->reason, "-")));
    GP_MD_HEADER(out, "", "What it takes");
    GP_MD_ROW(out, verdict->chosen.feasible ? "chosen" : "nearest",
              gp_form_alternative(out, &verdict->chosen, report->cost.currency));
    GP_MD_ROW(out, "up", gp_form_alternative(out, &verdict->vertical, report->cost.currency));
    GP_MD_ROW(out, "out", gp_form_alternative(out, &verdict->horizontal, report->cost.currency));
    for (size_t i = 0; i < workload->goals.count; i++)
        GP_MD_ROW(out, gp_form_goal_name(out, workload->goals.items[i].name),
                  gp_form_goal_text(out, &workload->goals.items[i]));
    if (isfinite(workload->memory.capacity_bytes))
        GP_MD_ROW(out, "memory per GPU",
                  gp_form_text(out, "%s of %s", gp_form_bytes(out, workload->memory.used_bytes),
                               gp_form_bytes(out, workload->memory.capacity_bytes)));
    open_facts(out, gp_form_text(out, "All figures of %s", name));
    gp_text_workload_facts(out, report, workload);
    close_facts(out);
}

/* ---- the site */

static void write_bill(gp_form_out *out, const gp_report *report) {
    gp_table table;
    if (report->site.bill.count == 0)
        return;
    gp_buf_printf(out->buf, "\n<details><summary>Bill of quantities (%zu lines)</summary>\n",
                  report->site.bill.count);
    gp_table_bill(out, report, &table);
    gp_block_table(out, NULL, &table);
    gp_buf_str(out->buf, "\n</details>\n");
}

static void write_site(gp_form_out *out, const gp_report *report) {
    const gp_report_summary *summary = &report->summary;
    const gp_report_fabric *fabric = gp_form_compute_fabric(report);
    gp_buf_str(out->buf, "\n### Site\n");
    GP_MD_HEADER(out, "GPUs", "Machines", "To buy", "To rent", "Racks", "IT power",
                 "Facility power", "Fabric", "Cost of a year");
    GP_MD_ROW(out, gp_form_count(out, summary->gpus), gp_form_site_machines(out, summary, false),
              gp_form_count(out, summary->bought_nodes), gp_form_count(out, summary->rented_nodes),
              gp_form_count(out, summary->racks), gp_form_watts(out, summary->it_power_w),
              gp_form_watts(out, summary->facility_power_w),
              fabric != NULL ? gp_form_fabric(out, fabric) : "none needed",
              gp_form_money(out, summary->cost_per_year, report->cost.currency));
    open_facts(out, "Power, cooling, racks, fabric, cost");
    gp_text_site_facts(out, report);
    gp_text_cost_facts(out, &report->cost);
    close_facts(out);
    for (size_t i = 0; i < report->sites.count; i++) {
        const gp_report at = gp_form_at_site(report, i);
        open_facts(out, gp_form_text(out, "Site %s", gp_form_or(report->sites.items[i].name, "?")));
        gp_text_site_facts(out, &at);
        close_facts(out);
    }
    write_bill(out, report);
}

static void write_teams(gp_form_out *out, const gp_report *report) {
    gp_table table;
    if (report->teams.count == 0)
        return;
    gp_buf_str(out->buf, "\n### Teams, in GPUs\n");
    gp_table_teams(out, report, &table);
    gp_block_table(out, NULL, &table);
}

static void write_periods(gp_form_out *out, const gp_report_schedule *schedule) {
    GP_MD_HEADER(out, "When", "Machines held", "Computing");
    for (size_t i = 0; i < schedule->periods.count;) {
        const gp_schedule_run run = gp_schedule_run_at(schedule, i);
        const gp_report_period *period = &schedule->periods.items[i];
        GP_MD_ROW(out, gp_form_period(out, schedule, &run), gp_form_count(out, period->peak_nodes),
                  gp_form_number(out, period->mean_nodes));
        i = run.last + 1;
    }
}

static void write_schedule(gp_form_out *out, const gp_report_schedule *schedule) {
    gp_table table;
    if (schedule->claims.count == 0)
        return;
    gp_buf_printf(out->buf, "\n### Machines over time\n\n%s.\n", gp_form_schedule(out, schedule));
    write_periods(out, schedule);
    gp_table_claims(out, schedule, &table);
    gp_block_table(out, NULL, &table);
}

static void write_growth(gp_form_out *out, const gp_report *report) {
    gp_table table;
    if (report->growth.count == 0)
        return;
    gp_buf_str(out->buf, "\n### Growth\n");
    gp_table_quarters(out, report, &table);
    gp_block_table(out, NULL, &table);
    gp_table_horizon(out, report, &table);
    gp_block_table(out, NULL, &table);
    if (report->site.horizon != NULL)
        gp_block_note(
            out, gp_form_text(out, "Built once: %s.", gp_form_horizon(out, report->site.horizon)));
}

static void write_assumptions(gp_form_out *out, const gp_report *report) {
    if (report->assumptions.count == 0)
        return;
    gp_buf_printf(out->buf, "\n<details><summary>Assumptions (%zu)</summary>\n",
                  report->assumptions.count);
    GP_MD_HEADER(out, "Assumed", "Value", "Source", "Leverage");
    for (size_t i = 0; i < report->assumptions.count; i++) {
        const gp_report_assumption *assumed = &report->assumptions.items[i];
        GP_MD_ROW(out, gp_form_or(assumed->path, "?"), gp_form_or(assumed->value, "-"),
                  assumed->source, assumed->leverage);
    }
    gp_buf_str(out->buf, "\n</details>\n");
}

/* By what the figures can be had again. */
static void write_origin(gp_form_out *out, const gp_report *report) {
    enum { DIGEST_SHOWN = 12 };
    const gp_report_file *spec = &report->inputs.spec;
    const char *digest =
        spec->sha256 != NULL ? gp_form_text(out, " (sha256 %.*s)", DIGEST_SHOWN, spec->sha256) : "";
    gp_buf_printf(out->buf, "\nMade by %s %s of %s%s.\n", gp_form_or(report->tool.name, "gpuplan"),
                  gp_form_or(report->tool.version, ""),
                  gp_md_escape(out, gp_form_or(spec->path, "a plan")), digest);
}

static void write_reports(gp_form_out *out, const gp_report *const *reports, size_t count) {
    out->layout = GP_LAYOUT_MARKDOWN;
    out->last = GP_BLOCK_NOTE;
    for (size_t i = 0; i < count && out->buf->st == GP_OK; i++) {
        const gp_report *report = reports[i];
        if (i > 0)
            gp_buf_char(out->buf, '\n');
        write_answer(out, report);
        write_findings(out, report);
        write_checks(out, report);
        for (size_t k = 0; k < report->workloads.count; k++)
            write_workload(out, report, &report->workloads.items[k]);
        write_site(out, report);
        write_schedule(out, &report->site.schedule);
        write_teams(out, report);
        write_growth(out, report);
        write_assumptions(out, report);
        write_origin(out, report);
    }
}

/* ---- other objects */

static void write_explanation(gp_form_out *out, const gp_explanation *explanation) {
    gp_buf_printf(out->buf, "## %s: %s\n\n%s.\n",
                  gp_md_escape(out, gp_form_or(explanation->workload, "?")),
                  gp_form_scale_word(explanation->scale),
                  gp_md_escape(out, gp_form_or(explanation->reason, "-")));
    if (explanation->figures.count > 0)
        GP_MD_HEADER(out, "Figure", "Value", "Term");
    for (size_t i = 0; i < explanation->figures.count; i++) {
        const gp_explained_figure *figure = &explanation->figures.items[i];
        const gp_report_band band = {figure->value, figure->low, figure->high};
        const char *from = figure->relation != NULL
                               ? gp_form_text(out, "%s: %s", figure->term, figure->relation)
                               : gp_form_or(figure->term, "-");
        const char *value = isfinite(figure->low) ? gp_form_band(out, band, figure->dim)
                                                  : gp_form_amount(out, figure->value, figure->dim,
                                                                   explanation->currency);
        GP_MD_ROW(out, figure->path, value, from);
    }
    if (explanation->layouts.count > 0)
        GP_MD_HEADER(out, "Layout", "Step", "Why");
    for (size_t i = 0; i < explanation->layouts.count; i++) {
        const gp_explained_layout *layout = &explanation->layouts.items[i];
        GP_MD_ROW(out, layout->layout,
                  isfinite(layout->step_s) ? gp_form_seconds(out, layout->step_s) : "-",
                  layout->why);
    }
    for (size_t i = 0; i < explanation->terms.count; i++) {
        const gp_explained_term *term = &explanation->terms.items[i];
        gp_buf_printf(
            out->buf, "\n### %s = %s\n\n%s\n", gp_md_escape(out, term->name),
            gp_md_escape(out, gp_form_amount(out, term->value, term->dim, explanation->currency)),
            gp_md_escape(out, gp_form_or(term->formula, "")));
        if (term->inputs.count > 0)
            GP_MD_HEADER(out, "Input", "Value", "From");
        for (size_t k = 0; k < term->inputs.count; k++) {
            const gp_report_source *source = &term->inputs.items[k];
            GP_MD_ROW(out, gp_form_or(source->name, "?"), gp_form_or(source->value, "-"),
                      gp_form_source(out, source));
        }
    }
    if (explanation->numbers.count > 0)
        GP_MD_HEADER(out, "Number", "Value", "1% more of it", "From");
    for (size_t i = 0; i < explanation->numbers.count; i++) {
        const gp_explained_number *number = &explanation->numbers.items[i];
        GP_MD_ROW(out, gp_form_or(number->from.name, "?"), gp_form_or(number->from.value, "-"),
                  gp_form_effect(out, number->effect), gp_form_source(out, &number->from));
    }
}

static void write_sweep(gp_form_out *out, const gp_sweep *sweep) {
    gp_table table;
    gp_buf_printf(out->buf, "## %s\n", gp_md_escape(out, gp_form_or(sweep->path, "")));
    gp_table_sweep(out, sweep, &table);
    out->layout = GP_LAYOUT_MARKDOWN;
    out->last = GP_BLOCK_NOTE;
    gp_block_table(out, NULL, &table);
}

const gp_renderer gp_renderer_markdown = {
    .name = "markdown",
    .alias = "md",
    .extension = "md",
    .help = "tables for a comment on a change request",
    .reports = write_reports,
    .explanation = write_explanation,
    .sweep = write_sweep,
};
