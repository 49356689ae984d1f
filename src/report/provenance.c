/* The provenance map of report.json: each headline figure of each workload by its JSON pointer. */
#include "base/str.h"
#include "report/build.h"
#include "report/source.h"
#include "report/term_texts.h"

/* "performance.stepTimeS" to "/workloads/0/performance/stepTimeS" */
static const char *pointer_of(gp_build *build, size_t workload, const char *path) {
    char *text = gp_arena_printf(build->arena, "/workloads/%zu/%s", workload, path);
    for (char *c = text; c != NULL && *c != '\0'; c++)
        if (*c == '.')
            *c = '/';
    build->failed = build->failed || text == NULL;
    return text;
}

static gp_status fill(gp_build *build, size_t workload, const gp_figure_term *figure,
                      gp_report_provenance *ret) {
    const gp_trace *trace = &build->result->workloads.items[workload].trace_chosen;
    const gp_term *term = gp_trace_find(trace, figure->term);
    const gp_term_text *text = gp_term_text_of(figure->term);
    gp_term_set *beneath = GP_NEW(build->arena, gp_term_set);
    if (beneath == NULL)
        return GP_ERR_NO_MEMORY;
    gp_term_set_add(beneath, trace, figure->term);
    gp_term_set_close(beneath, trace);
    ret->pointer = pointer_of(build, workload, figure->path);
    ret->basis = gp_basis_name(gp_term_set_basis(beneath));
    ret->formula = text != NULL ? text->formula : NULL;
    ret->inputs.count = (size_t)term->input_count;
    return gp_sources_of_term(build, trace, term, &ret->inputs.items);
}

/* The figure is in the report and its term was recorded, and no earlier row of its path was. */
static bool applies(const gp_build *build, size_t workload, size_t row) {
    const gp_trace *trace = &build->result->workloads.items[workload].trace_chosen;
    const gp_figure_term *figure = &gp_figure_terms[row];
    gp_report_value value;
    if (gp_trace_find(trace, figure->term) == NULL)
        return false;
    if (row > 0 && gp_str_equal(gp_figure_terms[row - 1].path, figure->path) &&
        gp_trace_find(trace, gp_figure_terms[row - 1].term) != NULL)
        return false;
    return gp_report_find(&gp_report_workload_type, &build->report->workloads.items[workload],
                          figure->path, &value, NULL) == GP_OK &&
           !value.absent;
}

gp_status gp_build_provenance(gp_build *build) {
    size_t workloads = build->result->workloads.count;
    gp_report_provenance *items =
        GP_NEW_ARRAY(build->arena, gp_report_provenance, workloads * gp_figure_term_count + 1);
    if (items == NULL)
        return GP_ERR_NO_MEMORY;
    size_t count = 0;
    for (size_t i = 0; i < workloads; i++) {
        for (size_t row = 0; row < gp_figure_term_count; row++) {
            if (!applies(build, i, row))
                continue;
            gp_status st = fill(build, i, &gp_figure_terms[row], &items[count++]);
            if (st != GP_OK)
                return st;
        }
    }
    build->report->provenance.items = items;
    build->report->provenance.count = count;
    return GP_OK;
}
