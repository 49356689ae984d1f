/* What a report rests on: tests that would confirm it, assumptions, method, sources, inputs. */
#include "render/report_parts.h"

/* ---- acceptance tests */

static const char *least(gp_form_out *out, double value, gp_dim dim) {
    return gp_form_text(out, "at least %s", gp_form_quantity(out, value, dim));
}

static void goal_tests(gp_form_out *out, gp_table *table, const gp_report_workload *work) {
    for (size_t i = 0; i < work->goals.count; i++) {
        const gp_report_goal *goal = &work->goals.items[i];
        if (goal->dim != GP_DIM_TIME || !(goal->target > 0))
            continue;
        GP_TABLE_ROW(
            out, table, gp_form_or(work->name, "?"), gp_form_goal_name(out, goal->name),
            isfinite(work->performance.ttft_p95_s.expected)
                ? gp_form_text(
                      out, "%s of load for one hour",
                      gp_form_quantity(out, work->performance.demand_requests_per_s, GP_DIM_PER_S))
                : gp_form_goal_test(work),
            gp_form_text(out, "at most %s", gp_form_goal_figure(out, goal, goal->target)));
    }
}

static void workload_tests(gp_form_out *out, gp_table *table, const gp_report_workload *work) {
    const gp_report_network_test *test = work->network.test;
    const char *name = gp_form_or(work->name, "?");
    if (!work->recommendation.chosen.feasible || gp_form_is_rented(&work->recommendation.chosen))
        return;
    if (test != NULL)
        GP_TABLE_ROW(out, table, name, "network, bus bandwidth", test->command,
                     least(out, test->bus_bandwidth_bytes_per_s * gp_form_rate_share(work),
                           GP_DIM_BYTES_PER_S));
    if (gp_form_token_rate(work) > 0)
        GP_TABLE_ROW(
            out, table, name,
            gp_form_text(out, "%s tokens a second", gp_form_or(work->performance.tokens, "")),
            gp_form_text(out, "%s for an hour",
                         gp_form_or(work->recommendation.chosen.layout, "the layout")),
            least(out, gp_form_token_rate(work), GP_DIM_PER_S));
    goal_tests(out, table, work);
}

void gp_say_tests(gp_form_out *out, const gp_report *report) {
    gp_table table = GP_TABLE("Workload", "Figure", "Test", "Expect");
    gp_block_note(out,
                  "Measurements that confirm the plan on the delivered machines. Goals are tested "
                  "at their targets, tokens of a service at its planned peak, other figures at the "
                  "lower edge of their error band.");
    for (size_t i = 0; i < report->workloads.count; i++)
        workload_tests(out, &table, &report->workloads.items[i]);
    if (report->site.power.it_w > 0)
        GP_TABLE_ROW(out, &table, "all", "IT power", "meters at the power feeds under full load",
                     gp_form_text(out, "at most %s", gp_form_watts(out, report->site.power.it_w)));
    gp_block_table(out, "Tests and thresholds", &table);
}

/* ---- assumptions */

static void folded_table(gp_form_out *out, const char *summary, const char *caption,
                         const gp_table *table) {
    if (table->rows == 0)
        return;
    gp_block_fold(out, summary);
    gp_block_table(out, caption, table);
    gp_block_fold_end(out);
}

/* The name of a workload is told from the other groups of a spec by its place alone. */
static const char *without_group(const char *path) {
    static const char group[] = "workloads.";
    return gp_str_starts(path, group) ? path + sizeof group - 1 : path;
}

static gp_table assumption_table(gp_form_out *out, const gp_report *report, bool strong,
                                 size_t most) {
    gp_table table = GP_TABLE("Assumed", "~Value", "Source", "Verified", "Leverage");
    const bool brief = out->layout == GP_LAYOUT_TEXT;
    for (size_t i = 0; i < report->assumptions.count && table.rows < most; i++) {
        const gp_report_assumption *it = &report->assumptions.items[i];
        const char *verified = it->verified ? "yes" : "no";
        if (gp_str_equal(it->leverage, "high") == strong)
            GP_TABLE_ROW(out, &table, without_group(gp_form_or(it->path, "?")),
                         gp_form_or(it->value, "-"), brief ? "" : it->source, brief ? "" : verified,
                         it->leverage);
    }
    gp_table_drop_empty(&table);
    return table;
}

/* A terminal shows the first few unless all is asked for. */
void gp_say_assumptions(gp_form_out *out, const gp_report *report) {
    enum { SHOWN = 6 };
    const bool all = out->asked.detail == GP_DETAIL_ALL;
    const double share = report->data.unverified_share;
    const gp_table strong = assumption_table(out, report, true, all ? SIZE_MAX : SHOWN);
    const gp_table weak =
        assumption_table(out, report, false, all ? SIZE_MAX : SHOWN - strong.rows);
    const size_t left = report->assumptions.count - strong.rows - weak.rows;
    gp_block_note(out, "%s of the %s inputs behind these figures are unverified or assumed.",
                  gp_form_share(out, isfinite(share) ? share : 0),
                  gp_form_count(out, report->data.inputs));
    gp_block_table(out, "Assumptions that move the answer most, strongest first", &strong);
    if (all)
        folded_table(out, gp_form_text(out, "%zu with less leverage", weak.rows),
                     "Assumptions with less leverage", &weak);
    else
        gp_block_table(out, NULL, &weak);
    if (left > 0)
        gp_block_note(out, "%zu more: --detail all lists them.", left);
}

/* ---- method and sources */

static void method_row(gp_form_out *out, gp_table *table, const char *figure,
                       const gp_report_derivation *it) {
    GP_TABLE_ROW(out, table, figure, gp_form_or(it->formula, "-"), gp_form_or(it->basis, "-"));
}

static void method_rows(gp_form_out *out, gp_table *table, const gp_report_workload *workload,
                        const gp_report_derivations *figures) {
    for (size_t i = 0; i < workload->provenance.count; i++) {
        const int64_t place = workload->provenance.items[i];
        const bool there = place >= 0 && (size_t)place < figures->count;
        const char *figure = there ? gp_form_or(figures->items[place].figure, "?") : "?";
        if (there)
            method_row(out, table,
                       gp_form_text(out, "%s: %s", gp_form_or(workload->name, "?"),
                                    figure + (figure[0] == '/' ? 1 : 0)),
                       &figures->items[place]);
    }
}

void gp_say_method(gp_form_out *out, const gp_report *report) {
    const gp_report_provenance *it = &report->provenance;
    gp_table table = GP_TABLE("Figure", "Formula", "Weakest evidence");
    for (size_t i = 0; i < report->workloads.count; i++)
        method_rows(out, &table, &report->workloads.items[i], &it->workload_figures);
    for (size_t i = 0; i < it->figures.count; i++)
        method_row(out, &table, gp_form_or(it->figures.items[i].figure, "?"),
                   &it->figures.items[i]);
    gp_block_note(out, "Every figure follows from the spec and the catalogue by the formulas "
                       "below; gpuplan explain prints any of them with all of its inputs.");
    folded_table(out, gp_form_plural(out, (int64_t)table.rows, "figure"),
                 "How the figures are computed", &table);
}

/* An input that has a source of its own, once. */
static void add_source(gp_form_out *out, gp_table *table, const gp_report_source *it) {
    enum { MOST = 200 };
    const char *keys[] = {gp_form_or(it->name, "?"), gp_form_or(it->value, "-"),
                          gp_form_or(it->where, "-")};
    for (size_t i = 0; i < table->rows; i++) {
        const char *const *cells = table->cells + i * table->columns;
        if (gp_str_equal(cells[0], keys[0]) && gp_str_equal(cells[1], keys[1]) &&
            gp_str_equal(cells[2], keys[2]))
            return;
    }
    if (it->source != NULL && table->rows < MOST)
        GP_TABLE_ROW(out, table, keys[0], keys[1], keys[2],
                     it->date != NULL ? gp_form_text(out, "%s (%s)", it->source, it->date)
                                      : it->source,
                     gp_form_text(out, "%s%s", gp_form_or(it->evidence, "-"),
                                  it->verified ? "" : ", unverified"));
}

void gp_say_sources(gp_form_out *out, const gp_report *report) {
    gp_table table = GP_TABLE("Input", "Value", "Row", "Source", "Evidence");
    for (size_t i = 0; i < report->provenance.sources.count; i++)
        add_source(out, &table, &report->provenance.sources.items[i]);
    if (table.rows == 0)
        gp_block_note(out, "No figure uses a row of the catalogue.");
    folded_table(out,
                 gp_form_either(out, (int64_t)table.rows, "input and its source",
                                "inputs and their sources"),
                 "Catalogue rows in use", &table);
}

/* ---- inputs */

static void file_rows(gp_form_out *out, gp_table *table, const char *kind,
                      const gp_report_file *files, size_t count) {
    for (size_t i = 0; files != NULL && i < count; i++)
        if (files[i].path != NULL)
            GP_TABLE_ROW(out, table, kind, files[i].path, gp_form_or(files[i].sha256, "-"));
}

void gp_say_inputs(gp_form_out *out, const gp_report *report) {
    gp_table table = GP_TABLE("Input", "File or value", "SHA-256");
    const gp_report_inputs *it = &report->inputs;
    file_rows(out, &table, "spec", &it->spec, 1);
    file_rows(out, &table, "catalogue", &it->catalog, 1);
    file_rows(out, &table, "catalogue", it->catalogs.items, it->catalogs.count);
    file_rows(out, &table, "calibration", it->calibration.items, it->calibration.count);
    file_rows(out, &table, "prices", it->prices.items, it->prices.count);
    file_rows(out, &table, "policy", it->policies.items, it->policies.count);
    file_rows(out, &table, "lock", it->lock, 1);
    file_rows(out, &table, "project", it->project, 1);
    for (size_t i = 0; i < it->flags.count; i++)
        GP_TABLE_ROW(out, &table, "--set",
                     gp_form_text(out, "%s=%s", gp_form_or(it->flags.items[i].path, "?"),
                                  gp_form_or(it->flags.items[i].value, "")),
                     "");
    if (it->now != NULL)
        GP_TABLE_ROW(out, &table, "day", it->now, "");
    gp_block_table(out, "Inputs of this report", &table);
}
