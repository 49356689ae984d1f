/*
 * The first screen of the text form: the five checks, one row per workload with its verdict, the
 * site in two lines, and the next command.
 */
#include "render/text_form.h"

#include "base/str.h"

enum { CHECK_NAME = 16, CHECK_LEVEL = 14 };

typedef struct level_colour {
    const char *level;
    const char *code;
} level_colour;

static const level_colour colours[] = {
    {"ok", "\033[32m"},          {"none", "\033[32m"},  {"warning", "\033[33m"},
    {"fail", "\033[31m"},        {"error", "\033[31m"}, {"infeasible", "\033[31m"},
    {"notAssessed", "\033[36m"}, {"note", "\033[36m"},
};

void gp_text_level(gp_form_out *out, const char *level, const char *text, int columns) {
    const char *code = NULL;
    for (size_t i = 0; out->colour && i < sizeof colours / sizeof colours[0]; i++)
        if (gp_str_equal(colours[i].level, level))
            code = colours[i].code;
    if (code != NULL)
        gp_buf_str(out->buf, code);
    gp_cell(out, text, columns, false, false);
    if (code != NULL)
        gp_buf_str(out->buf, "\033[0m");
}

void gp_text_heading(gp_form_out *out, const char *text) {
    gp_buf_char(out->buf, '\n');
    if (out->colour)
        gp_buf_str(out->buf, "\033[1m");
    gp_cell(out, text, out->width, false, true);
    if (out->colour)
        gp_buf_str(out->buf, "\033[0m");
    gp_buf_char(out->buf, '\n');
}

static void print_title(gp_form_out *out, const gp_report *report) {
    const gp_report_summary *summary = &report->summary;
    gp_wrap(out,
            gp_form_text(out, "Plan %s: %s. Objective %s%s, judged at %s.",
                         gp_form_or(summary->plan, "(unnamed)"),
                         summary->feasible ? "feasible" : "not feasible", summary->objective,
                         summary->objective_was_auto ? " (auto)" : "", summary->confidence),
            0, 0);
}

/* Name, level and reason; a long reason goes on below itself. */
static void print_checks(gp_form_out *out, const gp_report *report) {
    gp_buf_char(out->buf, '\n');
    for (size_t i = 0; i < report->checks.count; i++) {
        const gp_report_check *check = &report->checks.items[i];
        gp_cell(out, gp_form_check_name(check->id), CHECK_NAME, false, false);
        gp_text_level(out, check->level, gp_form_check_level(check->level), CHECK_LEVEL);
        gp_wrap(out, gp_form_check_reason(out, check), CHECK_NAME + CHECK_LEVEL,
                CHECK_NAME + CHECK_LEVEL);
    }
}

static void print_verdicts(gp_form_out *out, const gp_report *report) {
    gp_table table = {
        .columns = 6,
        .headers = {"WORKLOAD", "NOW", "NEED", "SCALE", "BOUND BY", "GOAL"},
        .shrink = {true, true, true, false, true, false},
    };
    for (size_t i = 0; i < report->workloads.count; i++) {
        const gp_report_workload *workload = &report->workloads.items[i];
        const gp_report_recommendation *verdict = &workload->recommendation;
        const char **cells = gp_table_row(out, &table);
        if (cells == NULL)
            return;
        cells[0] = gp_form_or(workload->name, "?");
        cells[1] = gp_form_now(out, &verdict->today);
        cells[2] = verdict->chosen.feasible ? gp_form_machines(out, &verdict->chosen) : "-";
        cells[3] = verdict->scale;
        cells[4] = gp_form_words(out, verdict->bound_by);
        cells[5] = gp_form_goal(out, workload);
    }
    gp_buf_char(out->buf, '\n');
    gp_table_print(out, &table, 0);
}

static const char *of_limit(gp_form_out *out, double limit, gp_dim dim) {
    return isfinite(limit) ? gp_form_text(out, " of %s", gp_form_quantity(out, limit, dim)) : "";
}

static void print_site(gp_form_out *out, const gp_report *report) {
    const gp_report_summary *summary = &report->summary;
    const gp_report_power *power = &report->site.power;
    const char *bought =
        summary->bought_nodes > 0
            ? gp_form_text(out, ", %s to buy", gp_form_count(out, summary->bought_nodes))
            : "";
    const char *rented =
        summary->rented_nodes > 0
            ? gp_form_text(out, ", %s to rent", gp_form_count(out, summary->rented_nodes))
            : "";
    const char *fabric = gp_form_compute_fabric(report) != NULL
                             ? gp_form_fabric(out, gp_form_compute_fabric(report))
                             : "none needed";
    const char *cost =
        report->summary.cost_per_year > 0
            ? gp_form_text(out, "; cost %s/yr",
                           gp_form_money(out, report->summary.cost_per_year, report->cost.currency))
            : "";
    gp_buf_str(out->buf, "\nSITE      ");
    gp_wrap(out,
            gp_form_text(out, "%s in %s%s%s; %s; fabric %s",
                         gp_form_plural(out, summary->gpus, "GPU", "GPUs"),
                         gp_form_site_machines(out, summary, true), bought, rented,
                         gp_form_plural(out, summary->racks, "rack", "racks"), fabric),
            10, 10);
    gp_buf_repeat(out->buf, ' ', 10);
    gp_wrap(out,
            gp_form_text(out, "power %s IT%s, %s facility%s",
                         gp_form_quantity(out, power->it_w, GP_DIM_POWER),
                         of_limit(out, power->limit_w, GP_DIM_POWER),
                         gp_form_quantity(out, power->facility_w, GP_DIM_POWER), cost),
            10, 10);
}

void gp_text_answer(gp_form_out *out, const gp_report *report) {
    print_title(out, report);
    print_checks(out, report);
    print_verdicts(out, report);
    print_site(out, report);
    gp_buf_str(out->buf, "FINDINGS  ");
    gp_wrap(out, gp_form_findings(out, report), 10, 10);
    gp_buf_str(out->buf, "next      ");
    gp_wrap(out, gp_form_next(out, report), 10, 10);
}
