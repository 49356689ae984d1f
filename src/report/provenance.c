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

static gp_status fill(gp_build *build, const gp_trace *trace, gp_term_id id,
                      gp_report_provenance *ret) {
    const gp_term *term = gp_trace_find(trace, id);
    const gp_term_text *text = gp_term_text_of(id);
    gp_term_set *beneath = GP_NEW(build->arena, gp_term_set);
    if (beneath == NULL)
        return GP_ERR_NO_MEMORY;
    gp_term_set_add(beneath, trace, id);
    gp_term_set_close(beneath, trace);
    ret->basis = gp_basis_name(gp_term_set_basis(beneath));
    ret->formula = text != NULL ? text->formula : NULL;
    return gp_sources_of_term(build, trace, term, &ret->inputs.items, &ret->inputs.count);
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

static gp_status add_workload(gp_build *build, size_t workload, gp_report_provenance *items,
                              size_t *count) {
    const gp_trace *trace = &build->result->workloads.items[workload].trace_chosen;
    for (size_t row = 0; row < gp_figure_term_count; row++) {
        if (!applies(build, workload, row))
            continue;
        gp_report_provenance *entry = &items[(*count)++];
        entry->pointer = pointer_of(build, workload, gp_figure_terms[row].path);
        gp_status st = fill(build, trace, gp_figure_terms[row].term, entry);
        if (st != GP_OK)
            return st;
    }
    return GP_OK;
}

/* Figures of the whole plan, by the pointer that leads to them. */
typedef struct site_figure {
    const char *pointer;
    gp_term_id term;
} site_figure;

static const site_figure site_figures[] = {
    {"/summary/facilityPowerW", GP_TERM_SITE_FACILITY_PEAK},
    {"/summary/facilityMeanPowerW", GP_TERM_SITE_FACILITY_MEAN},
    {"/site/power/facilityW", GP_TERM_SITE_FACILITY_PEAK},
    {"/site/power/facilityMeanW", GP_TERM_SITE_FACILITY_MEAN},
    {"/site/power/energyJPerYear", GP_TERM_SITE_ENERGY},
    {"/site/power/carbonKgPerYear", GP_TERM_SITE_CARBON},
    {"/site/power/carbonMarketKgPerYear", GP_TERM_SITE_CARBON_MARKET},
    {"/site/cooling/heatW", GP_TERM_SITE_HEAT},
    {"/site/cooling/airflowM3PerS", GP_TERM_SITE_AIRFLOW},
    {"/site/cooling/liquidFlowM3PerS", GP_TERM_SITE_LIQUID_FLOW},
    {"/site/cooling/waterLPerYear", GP_TERM_SITE_WATER},
    {"/site/racks/0/nodesPerRack", GP_TERM_RACK_NODES},
    {"/site/racks/0/count", GP_TERM_RACK_COUNT},
    {"/site/fabrics/0/leaf", GP_TERM_FABRIC_LEAF},
    {"/site/fabrics/0/spine", GP_TERM_FABRIC_SPINE},
    {"/site/fabrics/0/core", GP_TERM_FABRIC_CORE},
    {"/cost/capitalPerYear", GP_TERM_COST_ANNUITY},
    {"/cost/energyPerYear", GP_TERM_COST_ENERGY},
    {"/cost/totalPerYear", GP_TERM_COST_TOTAL},
};
enum { SITE_FIGURES = sizeof site_figures / sizeof site_figures[0] };

/* "/site/power/facilityW" to "site.power.facilityW" */
static bool is_there(gp_build *build, const char *pointer) {
    char *path = gp_arena_printf(build->arena, "%s", pointer + 1);
    gp_report_value value;
    for (char *c = path; c != NULL && *c != '\0'; c++)
        if (*c == '/')
            *c = '.';
    build->failed = build->failed || path == NULL;
    return path != NULL &&
           gp_report_find(&gp_report_type, build->report, path, &value, NULL) == GP_OK &&
           !value.absent;
}

/* The site's own inputs are sums over all machines, which no estimator records as terms. */
static void name_sums(gp_build *build, gp_report_provenance *entry) {
    const gp_site_plan *site = &build->result->site;
    const struct {
        gp_term_id term;
        const char *name;
        double value_w;
    } sums[] = {{GP_TERM_NODE_NAMEPLATE, "summary.itPowerW", site->it_nameplate_w},
                {GP_TERM_NODE_POWER, "summary.itMeanPowerW", site->it_mean_w}};
    for (size_t i = 0; i < entry->inputs.count; i++) {
        gp_report_source *source = &entry->inputs.items[i];
        for (size_t k = 0; k < sizeof sums / sizeof sums[0]; k++) {
            if (!gp_str_equal(source->name, gp_term_name(sums[k].term)))
                continue;
            source->name = sums[k].name;
            source->value = gp_build_quantity(build, sums[k].value_w, GP_DIM_POWER);
        }
    }
}

static gp_status add_site(gp_build *build, gp_report_provenance *items, size_t *count) {
    const gp_trace *trace = &build->result->trace_site;
    for (size_t i = 0; i < SITE_FIGURES; i++) {
        const site_figure *figure = &site_figures[i];
        if (gp_trace_find(trace, figure->term) == NULL || !is_there(build, figure->pointer))
            continue;
        gp_report_provenance *entry = &items[(*count)++];
        entry->pointer = figure->pointer;
        gp_status st = fill(build, trace, figure->term, entry);
        if (st != GP_OK)
            return st;
        name_sums(build, entry);
    }
    return GP_OK;
}

gp_status gp_build_provenance(gp_build *build) {
    size_t workloads = build->result->workloads.count;
    gp_report_provenance *items = GP_NEW_ARRAY(build->arena, gp_report_provenance,
                                               workloads * gp_figure_term_count + SITE_FIGURES);
    if (items == NULL)
        return GP_ERR_NO_MEMORY;
    size_t count = 0;
    for (size_t i = 0; i < workloads; i++) {
        gp_status st = add_workload(build, i, items, &count);
        if (st != GP_OK)
            return st;
    }
    gp_status st = add_site(build, items, &count);
    build->report->provenance.items = items;
    build->report->provenance.count = count;
    return st;
}
