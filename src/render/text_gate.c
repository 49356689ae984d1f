/* The text form of a check: the answer, the goals of what is declared, findings and fixes. */
#include <string.h>

#include "render/gate.h"
#include "render/report_parts.h"
#include "render/text_form.h"

static void print_title(gp_form_out *out, const gp_report *report) {
    const char *verdict = gp_report_verdict(report, gp_gate_level(out));
    const bool holds = gp_str_equal(verdict, "holds");
    const char *words = holds                            ? verdict
                        : gp_str_equal(verdict, "fails") ? "does not hold"
                                                         : "not assessed";
    const int width = (int)strlen(words) + GP_TABLE_GAP;
    gp_text_level(out, holds ? "ok" : "fail", words, width);
    gp_wrap(out,
            gp_form_text(out, "plan %s, judged at %s: %s",
                         gp_form_or(report->summary.plan, "(unnamed)"), report->summary.confidence,
                         gp_form_findings(out, report)),
            width, 2);
}

static void add_goal(gp_form_out *out, gp_table *table, const gp_report_workload *workload,
                     const gp_report_goal *goal) {
    GP_TABLE_ROW(out, table, gp_form_or(workload->name, "?"), gp_form_goal_name(out, goal->name),
                 gp_form_goal_figure(out, goal, goal->target), gp_form_goal_band(out, goal),
                 gp_str_equal(goal->state, "notJudged") &&
                         gp_str_equal(workload->recommendation.scale, "infeasible")
                     ? "does not hold"
                     : gp_form_goal_state(goal->state));
}

static void add_workload(gp_form_out *out, gp_table *table, const gp_report_workload *workload) {
    for (size_t i = 0; i < workload->goals.count; i++)
        add_goal(out, table, workload, &workload->goals.items[i]);
    if (workload->goals.count > 0)
        return;
    GP_TABLE_ROW(out, table, gp_form_or(workload->name, "?"), "-", "-", "-",
                 workload->recommendation.chosen.feasible ? "fits, no goal" : "does not fit");
}

static void print_goals(gp_form_out *out, const gp_report *report) {
    gp_table table = GP_TABLE("~WORKLOAD", "GOAL", "TARGET", "~FIGURE", "~RESULT");
    for (size_t i = 0; i < report->workloads.count; i++)
        add_workload(out, &table, &report->workloads.items[i]);
    out->last = GP_BLOCK_NOTE;
    gp_block_table(out, NULL, &table);
}

static void print_finding(gp_form_out *out, const gp_report_finding *finding) {
    enum { LEVEL = 9 };
    gp_text_level(out, finding->level, finding->level, LEVEL);
    gp_wrap(out,
            gp_form_text(out, "%s%s%s: %s", gp_form_or(finding->id, "-"),
                         finding->workload != NULL ? " " : "", gp_form_or(finding->workload, ""),
                         gp_form_or(finding->message, "")),
            LEVEL, LEVEL);
    out->last = GP_BLOCK_HEADING; /* what belongs to it stands right below */
    gp_block_fact(out, "at", gp_form_place(out, finding));
    gp_block_fact(out, "fix", finding->fix);
    gp_block_fact(out, "waived", finding->waived_by);
}

/* Notes ask for nothing: they are counted unless they fail the check, or all is asked for. */
static bool is_folded(const gp_form_out *out, const gp_report_finding *finding) {
    return out->asked.detail != GP_DETAIL_ALL && gp_str_equal(finding->level, "note") &&
           !gp_gate_fails(out, "note");
}

static void print_findings(gp_form_out *out, const gp_report *report, bool waived) {
    int64_t folded = 0;
    for (size_t i = 0; i < report->findings.count; i++) {
        const gp_report_finding *finding = &report->findings.items[i];
        if ((finding->waived_by != NULL) != waived)
            continue;
        if (is_folded(out, finding))
            folded++;
        else
            print_finding(out, finding);
    }
    if (folded > 0)
        gp_buf_printf(out->buf, "%s: --detail all shows %s\n", gp_form_plural(out, folded, "note"),
                      folded == 1 ? "it" : "them");
    out->last = GP_BLOCK_NOTE;
}

static size_t count_waived(const gp_report *report) {
    size_t count = 0;
    for (size_t i = 0; i < report->findings.count; i++)
        count += report->findings.items[i].waived_by != NULL ? 1 : 0;
    return count;
}

void gp_text_findings(gp_form_out *out, const gp_report *report) {
    print_findings(out, report, false);
    if (count_waived(report) == 0)
        return;
    gp_block_heading(out, "Waived");
    print_findings(out, report, true);
}

void gp_text_gate(gp_form_out *out, const gp_report *report) {
    print_title(out, report);
    print_goals(out, report);
    if (report->findings.count == 0)
        return;
    gp_block_heading(out, "Findings");
    gp_text_findings(out, report);
}
