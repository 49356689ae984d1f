/* The provenance map of report.json: each headline figure of each workload by its JSON pointer. */
#include "base/str.h"
#include "report/build.h"
#include "report/site_steps.h"

/* "/workloads/0/performance/stepTimeS" of "workloads.0.performance.stepTimeS" */
static const char *pointer_of(gp_build *build, const char *path) {
    char *text = gp_arena_printf(build->arena, "/%s", path);
    for (char *c = text; *c != '\0'; c++)
        if (*c == '.')
            *c = '/';
    return text;
}

static void fill(gp_build *build, const gp_trace *trace, gp_term_id id, gp_report_provenance *ret) {
    const gp_term *term = gp_trace_find(trace, id);
    gp_term_set beneath = {0};
    gp_term_set_add(&beneath, trace, id);
    gp_term_set_close(&beneath, trace);
    gp_ref_list fields = {0};
    for (size_t i = 0; i < beneath.count; i++)
        for (int k = 0; k < beneath.items[i]->input_count; k++)
            gp_ref_list_add(build->arena, &fields, &beneath.items[i]->inputs[k]);
    ret->basis = gp_ref_list_basis(&fields);
    ret->formula = gp_term_text_of(id)->formula;
    gp_sources_of_term(build, trace, term, false, &ret->inputs.items, &ret->inputs.count);
}

/* The figure is in the report and its term was recorded, and no earlier row of its path was. */
static bool applies(const gp_build *build, size_t workload, size_t row) {
    const gp_trace *trace = &build->result->workloads.items[workload].trace_chosen;
    const gp_figure_term *figure = &gp_figure_terms[row];
    gp_report_value value;
    if (gp_trace_find(trace, figure->term) == NULL)
        return false;
    for (size_t i = 0; i < row; i++)
        if (gp_str_equal(gp_figure_terms[i].path, figure->path) &&
            gp_trace_find(trace, gp_figure_terms[i].term) != NULL)
            return false;
    return gp_report_find(&gp_report_workload_type, &build->report->workloads.items[workload],
                          figure->path, &value, NULL) == GP_OK &&
           !value.absent;
}

static void add_workload(gp_build *build, size_t workload, gp_report_provenance *items,
                         size_t *count) {
    const gp_trace *trace = &build->result->workloads.items[workload].trace_chosen;
    for (size_t row = 0; row < gp_figure_term_count; row++) {
        if (!applies(build, workload, row))
            continue;
        gp_report_provenance *entry = &items[(*count)++];
        entry->pointer = pointer_of(
            build, gp_build_text(build, "workloads.%zu.%s", workload, gp_figure_terms[row].path));
        fill(build, trace, gp_figure_terms[row].term, entry);
    }
}

static void fill_step(gp_build *build, const gp_site_step *step, size_t item, const char *path,
                      gp_report_provenance *ret) {
    ret->pointer = pointer_of(build, path);
    ret->basis = gp_step_basis(build, step, item);
    ret->formula = step->formula;
    gp_step_sources(build, step, item, &ret->inputs.items, &ret->inputs.count);
}

/* Figures of the whole plan that are in the report, also where they stand a second time. */
static void add_site(gp_build *build, gp_report_provenance *items, size_t *count) {
    gp_report_value value;
    for (size_t i = 0; i < gp_site_step_count; i++) {
        const gp_site_step *step = &gp_site_steps[i];
        for (size_t item = 0; item < gp_step_items(build->report, step); item++) {
            const char *const paths[] = {gp_step_path(build, step->path, item, true), step->alias};
            for (size_t p = 0; p < sizeof paths / sizeof paths[0]; p++) {
                if (!gp_step_value(build, paths[p], &value))
                    continue;
                fill_step(build, step, item, paths[p], &items[(*count)++]);
            }
        }
    }
}

static size_t site_entries(const gp_build *build) {
    size_t count = 0;
    for (size_t i = 0; i < gp_site_step_count; i++)
        count += 2 * gp_step_items(build->report, &gp_site_steps[i]);
    return count;
}

void gp_build_provenance(gp_build *build) {
    size_t workloads = build->result->workloads.count;
    gp_report_provenance *items = GP_NEW_ARRAY(
        build->arena, gp_report_provenance, workloads * gp_figure_term_count + site_entries(build));
    size_t count = 0;
    for (size_t i = 0; i < workloads; i++)
        add_workload(build, i, items, &count);
    add_site(build, items, &count);
    build->report->provenance.items = items;
    build->report->provenance.count = count;
}
