/* What a report rests on: tests that would confirm it, assumptions, method, sources, inputs. */
#include "render/html_parts.h"

/* ---- acceptance tests */

static const char *least(gp_form_out *out, double value, gp_dim dim) {
    return gp_form_text(out, "at least %s", gp_form_quantity(out, value, dim));
}

static void goal_tests(const gp_html_table *table, const gp_report_workload *work) {
    gp_form_out *out = table->out;
    for (size_t i = 0; i < work->goals.count; i++) {
        const gp_report_goal *goal = &work->goals.items[i];
        if (goal->dim != GP_DIM_TIME || !(goal->target > 0))
            continue;
        GP_HTML_ROW(
            table, gp_form_or(work->name, "?"), gp_form_goal_name(out, goal->name),
            isfinite(work->performance.ttft_p95_s.expected)
                ? gp_form_text(
                      out, "load of %s for an hour",
                      gp_form_quantity(out, work->performance.demand_requests_per_s, GP_DIM_PER_S))
                : "a run, or a part of it",
            gp_form_text(out, "at most %s", gp_form_quantity(out, goal->target, goal->dim)));
    }
}

static void workload_tests(const gp_html_table *table, const gp_report_workload *work) {
    gp_form_out *out = table->out;
    const gp_report_network_test *test = work->network.test;
    const char *name = gp_form_or(work->name, "?");
    if (!work->recommendation.chosen.feasible)
        return;
    if (test != NULL)
        GP_HTML_ROW(table, name, "network, bus bandwidth", test->command,
                    gp_form_text(out, "about %s",
                                 gp_form_quantity(out, test->bus_bandwidth_bytes_per_s,
                                                  GP_DIM_BYTES_PER_S)));
    if (work->performance.tokens_per_s.low > 0)
        GP_HTML_ROW(table, name, "tokens a second",
                    gp_form_text(out, "%s for an hour",
                                 gp_form_or(work->recommendation.chosen.layout, "the layout")),
                    least(out, work->performance.tokens_per_s.low, GP_DIM_PER_S));
    goal_tests(table, work);
}

static void write_tests(gp_form_out *out, const gp_report *report, const char *prefix) {
    static const char *const headers[] = {"Workload", "Figure", "Test", "Expect", NULL};
    gp_html_section(out, gp_form_text(out, "%stests", prefix), "Acceptance tests");
    gp_html_element(out, "p", NULL,
                    "What would confirm the plan on the machines that are delivered: goals as they "
                    "are asked for, other figures at the lower edge of their error band.");
    const gp_html_table table = gp_html_table_open(out, "Tests with their thresholds", headers);
    for (size_t i = 0; i < report->workloads.count; i++)
        workload_tests(&table, &report->workloads.items[i]);
    if (report->site.power.it_w > 0)
        GP_HTML_ROW(&table, "all", "IT power", "meters at the feeds while everything runs",
                    gp_form_text(out, "at most %s", gp_form_watts(out, report->site.power.it_w)));
    gp_html_table_end(&table);
    gp_html_section_end(out);
}

/* ---- assumptions */

static void assumption_rows(gp_form_out *out, const gp_report *report, const char *caption,
                            bool low) {
    static const char *const headers[] = {"Assumed",  "Value",    "Source",
                                          "Verified", "Leverage", NULL};
    const gp_html_table table = gp_html_table_open(out, caption, headers);
    for (size_t i = 0; i < report->assumptions.count; i++) {
        const gp_report_assumption *it = &report->assumptions.items[i];
        if (gp_str_equal(it->leverage, "low") == low)
            GP_HTML_ROW(&table, gp_form_or(it->path, "?"), gp_form_or(it->value, "-"), it->source,
                        it->verified ? "yes" : "no", it->leverage);
    }
    gp_html_table_end(&table);
}

static size_t count_low(const gp_report *report) {
    size_t count = 0;
    for (size_t i = 0; i < report->assumptions.count; i++)
        count += gp_str_equal(report->assumptions.items[i].leverage, "low");
    return count;
}

static void write_assumptions(gp_form_out *out, const gp_report *report, const char *prefix) {
    const size_t low = count_low(report);
    gp_html_section(out, gp_form_text(out, "%sassumptions", prefix), "Assumptions");
    gp_html_element(
        out, "p", NULL,
        gp_form_text(out, "%s of the %s inputs beneath these figures are unverified or assumed.",
                     gp_form_share(out, isfinite(report->data.unverified_share)
                                            ? report->data.unverified_share
                                            : 0),
                     gp_form_count(out, report->data.inputs)));
    if (report->assumptions.count > low)
        assumption_rows(out, report, "Assumptions that move the answer, the strongest first",
                        false);
    if (low > 0) {
        gp_html_details_open(out, gp_form_text(out, "%zu of little leverage", low));
        assumption_rows(out, report, "Assumptions of little leverage", true);
        gp_html_details_end(out);
    }
    gp_html_section_end(out);
}

/* ---- method and sources */

/* "chat: performance.tpotP95S" of "/workloads/0/performance/tpotP95S" */
static const char *figure_words(gp_form_out *out, const gp_report *report, const char *pointer) {
    static const char head[] = "/workloads/";
    if (!gp_str_starts(pointer, head))
        return pointer;
    const char *at = pointer + sizeof head - 1;
    size_t index = 0;
    for (; *at >= '0' && *at <= '9'; at++)
        index = index * 10 + (size_t)(*at - '0');
    if (index >= report->workloads.count || *at != '/')
        return pointer;
    return gp_form_text(out, "%s: %s", gp_form_or(report->workloads.items[index].name, "?"),
                        at + 1);
}

static void write_method(gp_form_out *out, const gp_report *report, const char *prefix) {
    static const char *const headers[] = {"Figure", "Formula", "Weakest evidence", NULL};
    gp_html_section(out, gp_form_text(out, "%smethod", prefix), "Method");
    gp_html_element(out, "p", NULL,
                    "Every figure is worked out from the spec and rows of the catalogue by the "
                    "formulas below; gpuplan explain prints each with all of its inputs.");
    if (report->provenance.count > 0) {
        gp_html_details_open(out, gp_form_plural(out, (int64_t)report->provenance.count, "figure"));
        const gp_html_table table = gp_html_table_open(out, "How figures came about", headers);
        for (size_t i = 0; i < report->provenance.count; i++) {
            const gp_report_provenance *it = &report->provenance.items[i];
            GP_HTML_ROW(&table, figure_words(out, report, gp_form_or(it->pointer, "?")),
                        gp_form_or(it->formula, "-"), gp_form_or(it->basis, "-"));
        }
        gp_html_table_end(&table);
        gp_html_details_end(out);
    }
    gp_html_section_end(out);
}

typedef struct source_list {
    size_t count;
    const gp_report_source *items[200];
} source_list;

static bool is_cited(const source_list *list, const gp_report_source *source) {
    for (size_t i = 0; i < list->count; i++)
        if (gp_str_equal(list->items[i]->where, source->where) &&
            gp_str_equal(list->items[i]->name, source->name) &&
            gp_str_equal(list->items[i]->value, source->value))
            return true;
    return false;
}

/* Every input that has a source of its own, once. */
static void collect_sources(const gp_report *report, source_list *list) {
    for (size_t i = 0; i < report->provenance.count; i++) {
        const gp_report_provenance *it = &report->provenance.items[i];
        for (size_t k = 0; k < it->inputs.count; k++) {
            const gp_report_source *source = &it->inputs.items[k];
            const bool room = list->count < GP_COUNT_OF(list->items);
            if (source->source != NULL && room && !is_cited(list, source))
                list->items[list->count++] = source;
        }
    }
}

static void write_sources(gp_form_out *out, const gp_report *report, const char *prefix) {
    static const char *const headers[] = {"Input", "Value", "Row", "Source", "Evidence", NULL};
    source_list list = {0};
    collect_sources(report, &list);
    gp_html_section(out, gp_form_text(out, "%ssources", prefix), "Sources");
    if (list.count == 0) {
        gp_html_element(out, "p", NULL, "No figure rests on a row of the catalogue.");
    } else {
        gp_html_details_open(out, gp_form_either(out, (int64_t)list.count, "input with its source",
                                                 "inputs with their sources"));
        const gp_html_table table =
            gp_html_table_open(out, "Rows of the catalogue that figures rest on", headers);
        for (size_t i = 0; i < list.count; i++) {
            const gp_report_source *it = list.items[i];
            GP_HTML_ROW(&table, gp_form_or(it->name, "?"), gp_form_or(it->value, "-"),
                        gp_form_or(it->where, "-"),
                        it->date != NULL ? gp_form_text(out, "%s (%s)", it->source, it->date)
                                         : it->source,
                        gp_form_text(out, "%s%s", gp_form_or(it->evidence, "-"),
                                     it->verified ? "" : ", unverified"));
        }
        gp_html_table_end(&table);
        gp_html_details_end(out);
    }
    gp_html_section_end(out);
}

/* ---- inputs */

static void file_row(const gp_html_table *table, const char *kind, const gp_report_file *file) {
    if (file != NULL && file->path != NULL)
        GP_HTML_ROW(table, kind, file->path, gp_form_or(file->sha256, "-"));
}

static void write_inputs(gp_form_out *out, const gp_report *report, const char *prefix) {
    static const char *const headers[] = {"Input", "File or value", "SHA-256", NULL};
    const gp_report_inputs *inputs = &report->inputs;
    gp_html_section(out, gp_form_text(out, "%sinputs", prefix), "Inputs");
    const gp_html_table table = gp_html_table_open(out, "What entered", headers);
    file_row(&table, "spec", &inputs->spec);
    file_row(&table, "catalogue", &inputs->catalog);
    for (size_t i = 0; i < inputs->catalogs.count; i++)
        file_row(&table, "catalogue", &inputs->catalogs.items[i]);
    for (size_t i = 0; i < inputs->calibration.count; i++)
        file_row(&table, "calibration", &inputs->calibration.items[i]);
    for (size_t i = 0; i < inputs->prices.count; i++)
        file_row(&table, "prices", &inputs->prices.items[i]);
    for (size_t i = 0; i < inputs->policies.count; i++)
        file_row(&table, "policy", &inputs->policies.items[i]);
    file_row(&table, "lock", inputs->lock);
    file_row(&table, "project", inputs->project);
    for (size_t i = 0; i < inputs->flags.count; i++)
        GP_HTML_ROW(&table, "--set",
                    gp_form_text(out, "%s=%s", gp_form_or(inputs->flags.items[i].path, "?"),
                                 gp_form_or(inputs->flags.items[i].value, "")),
                    "");
    if (inputs->now != NULL)
        GP_HTML_ROW(&table, "day", inputs->now, "");
    gp_html_table_end(&table);
    gp_html_element(out, "p", "soft",
                    gp_form_text(out, "Made by %s %s. The same inputs give the same page.",
                                 gp_form_or(report->tool.name, "gpuplan"),
                                 gp_form_or(report->tool.version, "")));
    gp_html_section_end(out);
}

void gp_html_basis(gp_form_out *out, const gp_report *report, const char *prefix) {
    write_tests(out, report, prefix);
    write_assumptions(out, report, prefix);
    write_method(out, report, prefix);
    write_sources(out, report, prefix);
    write_inputs(out, report, prefix);
}
